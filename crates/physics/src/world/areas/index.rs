//! Spatial grid of areas at rest. Lists the cells that contain areas.

use super::AreaState;
use crate::area::{AreaShape, AttachedTo};
use crate::motion::Bounds;
use crate::version::Version;
use glam::I64Vec2;
use surefoot_geometry::ONE;

/// Side of a cell, in units: four tiles. Affects speed only.
const CELL_UNITS: i64 = 4 * ONE;

/// Maximum number of cells of an area in the grid. Larger areas are found everywhere, which bounds the memory.
const MAX_GRID_CELLS: i64 = 64;

/// Areas at rest by the cells that they may be in.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Row and column of a cell, and the slot of an area there. Sorted.
    cells: Vec<(i64, i64, u32)>,
    /// Slots of areas in too many cells.
    everywhere: Vec<u32>,
    /// Version of the listed areas.
    version: Version,
}

impl Index {
    /// Lists the areas, unless those of this version are listed already. Returns whether it did.
    pub(super) fn refill_if_outdated(&mut self, states: &[Option<AreaState>], version: Version) -> bool {
        if std::mem::replace(&mut self.version, version) == version {
            return false;
        }
        self.cells.clear();
        self.everywhere.clear();
        for (slot, state) in (0..).zip(states) {
            let Some(state) = state.as_ref().filter(|state| state.fields().attached_to == AttachedTo::World) else {
                continue;
            };
            if let AreaShape::Boxes(boxes) = &state.fields().shape {
                for aabb in boxes.as_slice() {
                    let (low, high) = AreaShape::Aabb(*aabb).bounds();
                    self.add_area(slot, Bounds { low, high }.moved(state.origin));
                }
            } else {
                self.add_area(slot, state.bounds());
            }
        }
        self.cells.sort_unstable();
        self.cells.dedup();
        self.everywhere.dedup();
        true
    }

    /// Lists an area, or a part of it, in the cells that its bounds touch.
    fn add_area(&mut self, slot: u32, bounds: Bounds) {
        let (low, high) = (cell_of(bounds.low), cell_of(bounds.high));
        let size = high - low + 1;
        if size.x > MAX_GRID_CELLS || size.y > MAX_GRID_CELLS || size.x * size.y > MAX_GRID_CELLS {
            self.everywhere.push(slot);
            return;
        }
        for y in low.y..=high.y {
            self.cells.extend((low.x..=high.x).map(|x| (y, x, slot)));
        }
    }

    /// Fills a list with the slots of all areas that may be within `bounds`, in ascending order.
    pub(super) fn find_areas_within(&self, bounds: &Bounds, found: &mut Vec<u32>) {
        found.clear();
        found.extend(&self.everywhere);
        let (low, high) = (cell_of(bounds.low), cell_of(bounds.high));
        let mut rest = &self.cells[..];
        for y in low.y..=high.y {
            let first = rest.partition_point(|(row, column, _)| (*row, *column) < (y, low.x));
            rest = &rest[first..];
            let own = rest.iter().take_while(|(row, column, _)| (*row, *column) <= (y, high.x));
            found.extend(own.map(|(.., slot)| slot));
        }
        if found.len() > 1 {
            found.sort_unstable();
            found.dedup();
        }
    }
}

/// Extends bounds to whole cells.
pub(super) fn bounds_of_whole_cells(bounds: &Bounds) -> Bounds {
    let (low, high) = (cell_of(bounds.low) * CELL_UNITS, cell_of(bounds.high) * CELL_UNITS + CELL_UNITS - 1);
    Bounds { low, high }
}

fn cell_of(at: I64Vec2) -> I64Vec2 {
    I64Vec2::new(at.x.div_euclid(CELL_UNITS), at.y.div_euclid(CELL_UNITS))
}

//! Detects which tiles of a map have changed since a run was recorded on it.

use crate::map::Map;
use crate::tiles::checksum::tile_code;
use serde::{Deserialize, Serialize};
use surefoot_geometry::Position;

/// Distance from a body within which changed tiles are reported, in tiles.
const CHANGED_TILE_RADIUS: i32 = 2;
/// Maximum number of reported tiles.
const MAX_CHANGED_TILES: usize = 8;

/// A few bits for each row and column of a map: enough to tell where it has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TileSums {
    /// From the lowest row up.
    pub(crate) rows: Vec<u16>,
    /// From left to right.
    pub(crate) columns: Vec<u16>,
}

impl TileSums {
    pub(crate) fn of_map(map: &Map) -> TileSums {
        let (width, height) = (map.size().0 as usize, map.size().1 as usize);
        let (mut rows, mut columns) = (vec![0_u64; height], vec![0_u64; width]);
        // The multiplier is common in hash functions. Any odd number with many set bits would do.
        let add = |sum: &mut u64, code: u64| *sum = (*sum ^ code).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for layer in map.layers().iter().filter(|layer| layer.collides) {
            for (y, row) in (map.origin().1..).zip(&mut rows) {
                for (entry, column) in layer.row(y, map.origin().0, map.size().0).iter().zip(&mut columns) {
                    let code = tile_code(map, *entry) + 1;
                    add(row, code);
                    add(column, code);
                }
            }
        }
        let top = |sums: Vec<u64>| sums.into_iter().map(|sum| (sum >> 48) as u16).collect();
        TileSums { rows: top(rows), columns: top(columns) }
    }

    /// Returns the tiles near a position whose row and column both differ from the recorded map. Empty for a map of
    /// another size.
    pub(super) fn tiles_changed_near(&self, now: &TileSums, map: &Map, position: Position) -> Vec<(i32, i32)> {
        if (self.rows.len(), self.columns.len()) != (now.rows.len(), now.columns.len()) {
            return Vec::new();
        }
        let differ = |old: &[u16], new: &[u16], at: i32| {
            usize::try_from(at).is_ok_and(|at| old.get(at).zip(new.get(at)).is_some_and(|(old, new)| old != new))
        };
        let ((x, y), (left, bottom)) = (position.cell(), map.origin());
        let tiles = (y - CHANGED_TILE_RADIUS..=y + CHANGED_TILE_RADIUS)
            .flat_map(|y| (x - CHANGED_TILE_RADIUS..=x + CHANGED_TILE_RADIUS).map(move |x| (x, y)));
        let changed = tiles.filter(|&(x, y)| {
            differ(&self.rows, &now.rows, y.saturating_sub(bottom))
                && differ(&self.columns, &now.columns, x.saturating_sub(left))
        });
        changed.take(MAX_CHANGED_TILES).collect()
    }
}

//! Overlap tests of a shape at rest.

use super::{OneWay, Queries, Target};
use crate::motion::{Bounds, Form, Mover, Source};
use crate::terrain::{BakedCell, Piece};
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use std::ops::ControlFlow;
use surefoot_geometry::{Aabb, AnyBounded, Circle, ConvexPolygon, ONE, Segment, Shape, to_lengths, to_units};

/// Lattice steps per tile.
const STEPS: f64 = crate::catalogue::LATTICE as f64;

impl Queries<'_> {
    /// Adds everything that overlaps a shape to a list, in the order of the keys.
    pub(crate) fn find_overlaps(&self, shape: AnyBounded<'_>, found: &mut Vec<Target>) {
        let (low, high) = shape.bounds();
        if (high - low).max_element() > Mover::MAX_MOTION {
            return;
        }
        let units = |at: DVec2| I64Vec2::new(to_units(at.x), to_units(at.y));
        // Enlarge the bounds by one unit on each side, because the conversion rounds.
        let bounds = Bounds { low: units(low) - 1, high: units(high) + 1 };
        for source in self.accepted_terrain_and_platforms_near(&bounds) {
            self.find_overlapped_tiles(&source, shape, &bounds, found);
        }
        if self.filter.bodies {
            for i in self.bodies.find_within(&bounds) {
                let entry = self.bodies.entry(i);
                if entry.is_accepted(self.filter) && overlaps_body(shape, entry.body.shape.0, entry.body.center) {
                    found.push(Target::Body(entry.id));
                }
            }
        }
    }

    fn find_overlapped_tiles(
        &self,
        source: &Source<'_>,
        shape: AnyBounded<'_>,
        bounds: &Bounds,
        found: &mut Vec<Target>,
    ) {
        let cells = source.cells(bounds);
        let origin = to_lengths(source.origin);
        for y in cells.low.1..=cells.high.1 {
            if !source.terrain.may_have_pieces_within((cells.low.0, y), (cells.high.0, y)) {
                continue;
            }
            let _ = source.terrain.for_each_cell_on_row(y, (cells.low.0, cells.high.0), true, |tile, baked| {
                let corner = origin + DVec2::new(f64::from(tile.0), f64::from(tile.1));
                if self.overlaps_tile(source, shape, (tile, baked), corner) {
                    found.push(self.tile_target(source, tile, baked));
                }
                ControlFlow::Continue(())
            });
        }
    }

    fn overlaps_tile(
        &self,
        source: &Source<'_>,
        shape: AnyBounded<'_>,
        (tile, baked): ((i32, i32), &BakedCell),
        corner: DVec2,
    ) -> bool {
        let (faces, solid) = source.terrain.faces_and_solid_count(baked);
        let crosses = |piece: &Piece| {
            let [a, b] = [piece.a, piece.b].map(|end| corner + end.as_dvec2() / STEPS);
            Segment::new(a, b).is_ok_and(|side| shape.overlaps(&side))
        };
        let counts = |piece: &Piece| self.filter.one_way != OneWay::Ignore || !source.terrain.is_one_way(tile, piece);
        if faces[solid..].iter().any(|piece| crosses(piece) && counts(piece)) {
            return true;
        }
        source.terrain.solid_outlines(tile).iter().any(|outline| {
            let corners: SmallVec<[DVec2; 16]> = outline.iter().map(|at| corner + at.as_dvec2() / STEPS).collect();
            if let Ok(polygon) = ConvexPolygon::new(&corners) {
                return shape.overlaps(&polygon);
            }
            // If no side passes through the shape's interior, the interior is either all solid or all air.
            let sides = (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
            let mut sides = sides.filter_map(|(a, b)| Segment::new(a, b).ok());
            let inside = (shape.middle() - corner) * ONE as f64;
            sides.any(|side| shape.overlaps(&side))
                || source.terrain.solid_contains(tile, I64Vec2::new(inside.x as i64, inside.y as i64))
        })
    }

    /// Returns a tile as a target: with the kind of its solid, else of its first accepted side.
    pub(super) fn tile_target(&self, source: &Source<'_>, tile: (i32, i32), baked: &BakedCell) -> Target {
        let (faces, solid) = source.terrain.faces_and_solid_count(baked);
        let is_solid = !source.terrain.solid_outlines(tile).is_empty();
        let tile_id = match faces.get(solid) {
            Some(piece) if !is_solid => source.terrain.source_of(tile, piece).tile_id,
            _ => source.terrain.solid_kind(tile),
        };
        self.target_of_tile_or_body(source.owner, (tile, tile_id))
    }
}

fn overlaps_body(shape: AnyBounded<'_>, form: Form, at: I64Vec2) -> bool {
    let center = to_lengths(at);
    match form {
        Form::Circle { radius } => {
            Circle::new(center, radius as f64 / ONE as f64).is_ok_and(|circle| shape.overlaps(&circle))
        }
        Form::Aabb { half } => {
            Aabb::from_center(center, to_lengths(half.into())).is_ok_and(|aabb| shape.overlaps(&aabb))
        }
    }
}

//! Point queries: the target at a point.

use super::ray::length_sq;
use super::{OneWay, Queries, Target};
use crate::motion::{Bounds, Form, Source, lattice_to_units};
use crate::terrain::BakedCell;
use glam::I64Vec2;
use std::ops::ControlFlow;
use surefoot_geometry::{ONE, Position};

impl Queries<'_> {
    /// Returns the first target that contains a point or has it on its outline.
    pub(crate) fn target_at(&self, point: Position) -> Option<Target> {
        let at = point.units();
        let bounds = Bounds { low: at, high: at };
        let mut sources = self.accepted_terrain_and_platforms_near(&bounds);
        if let Some(target) = sources.find_map(|source| self.tile_at(&source, point, &bounds)) {
            return Some(target);
        }
        let mut bodies = self.filter.bodies.then(|| self.bodies.find_within(&bounds)).into_iter().flatten();
        let found = bodies.find(|i| {
            let entry = self.bodies.entry(*i);
            entry.is_accepted(self.filter) && form_contains(entry.body.shape.0, at - entry.body.center)
        });
        found.map(|i| Target::Body(self.bodies.entry(i).id))
    }

    fn tile_at(&self, source: &Source<'_>, point: Position, bounds: &Bounds) -> Option<Target> {
        let (cells, own) = (source.cells(bounds), source.relative_position(point));
        let mut found = None;
        for y in cells.low.1..=cells.high.1 {
            let _ = source.terrain.for_each_cell_on_row(y, (cells.low.0, cells.high.0), true, |tile, baked| {
                if found.is_none() && self.is_point_on_tile(source, (tile, baked), own) {
                    found = Some(self.tile_target(source, tile, baked));
                }
                ControlFlow::Continue(())
            });
        }
        found
    }

    /// Returns whether a point is in a solid of a tile, on its outline, or on an accepted wall or one-way edge.
    fn is_point_on_tile(&self, source: &Source<'_>, (tile, baked): ((i32, i32), &BakedCell), own: I64Vec2) -> bool {
        let corner = I64Vec2::new(i64::from(tile.0), i64::from(tile.1)) * ONE;
        if source.terrain.solid_contains(tile, own - corner) {
            return true;
        }
        let (faces, solid) = source.terrain.faces_and_solid_count(baked);
        faces[solid..].iter().any(|piece| {
            let (a, b) = (corner + lattice_to_units(piece.a), corner + lattice_to_units(piece.b));
            let is_on =
                piece.normal.as_i64vec2().dot(own - a) == 0 && a.min(b).cmple(own).all() && own.cmple(a.max(b)).all();
            is_on && (self.filter.one_way != OneWay::Ignore || !source.terrain.is_one_way(tile, piece))
        })
    }
}

fn form_contains(form: Form, offset: I64Vec2) -> bool {
    match form {
        Form::Circle { radius } => length_sq(offset) <= i128::from(radius) * i128::from(radius),
        Form::Aabb { half } => offset.abs().cmple(half.into()).all(),
    }
}

//! Which tile's surface counts where a shape touches several.
//!
//! It is the tile nearest the line through the shape's centre along up: of the tiles of a floor the one under the centre.
//! So a body goes over from one surface to the next in the middle of its width, to either side alike, and by the rule that
//! says which platform it rides. Of tiles equally near the larger number counts, which no order of the tiles and no mirror
//! changes; so it does at a corner between tiles.

use super::carry::distance_from_centre;
use super::cast::Scene;
use super::surface::{Surface, lattice};
use super::visit::Bounds;
use super::{Shape, points_into};
use crate::map;
use crate::terrain::Role;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::Position;

impl Scene<'_> {
    /// Whether some tile may have a surface other than the default one.
    #[inline(always)]
    pub(crate) fn has_surfaces(&self) -> bool {
        self.around.terrain().terrain.has_surfaces()
    }

    /// Whether some tile may throw bodies back.
    #[inline(always)]
    pub(crate) fn has_bouncy_surfaces(&self) -> bool {
        self.around.terrain().terrain.has_bouncy_surfaces()
    }

    /// The traction for a character that stands there: of a floor, if it touches any.
    pub(crate) fn traction(&self, shape: Shape, position: Position, touched: &[Surface]) -> f64 {
        let floors = touched.iter().filter(|surface| self.frame.is_floor(surface.normal(position)));
        let of = |surface: &map::Surface| surface.traction;
        let of_floor = self.nearest(shape, position, floors, of);
        // Steep surfaces can hold it up together.
        of_floor.or_else(|| self.nearest(shape, position, touched, of)).unwrap_or(1.0)
    }

    /// The normal of the floor that a shape stands on there, of those that it touches: of several equally near its centre the steepest.
    #[inline(never)]
    pub(crate) fn floor_under(&self, shape: Shape, position: Position, touched: &[Surface]) -> Option<I64Vec2> {
        let normals = touched.iter().map(|surface| (surface, surface.normal(position)));
        let floors = normals.filter(|(_, normal)| self.frame.is_floor(*normal));
        let rank = |(surface, normal): &(&Surface, I64Vec2)| {
            let level = normal.as_dvec2().normalize_or_zero().dot(self.frame.up());
            (distance_from_centre(surface, shape, position, &self.frame), level)
        };
        let nearer = |a: &(i64, f64), b: &(i64, f64)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
        floors.min_by(|a, b| nearer(&rank(a), &rank(b))).map(|(_, normal)| normal)
    }

    /// The factor of friction on surfaces that a shape there is pressed into.
    pub(crate) fn friction(&self, shape: Shape, position: Position, pressed: &[Surface]) -> f64 {
        self.nearest(shape, position, pressed, |surface| surface.friction).unwrap_or(1.0)
    }

    /// The factor that a surface has for friction.
    pub(crate) fn friction_of(&self, shape: Shape, position: Position, surface: &Surface) -> f64 {
        if self.has_surfaces() { self.friction(shape, position, std::slice::from_ref(surface)) } else { 1.0 }
    }

    /// The factor of friction on those of the surfaces touched that an acceleration presses a shape into.
    pub(crate) fn friction_under(
        &self,
        shape: Shape,
        position: Position,
        touched: &[Surface],
        acceleration: DVec2,
    ) -> f64 {
        let pressed = touched.iter().filter(|surface| points_into(surface.normal(position).as_dvec2(), acceleration));
        self.nearest(shape, position, pressed, |surface| surface.friction).unwrap_or(1.0)
    }

    /// The part of its speed with which surfaces throw back a shape that hits them there.
    pub(crate) fn bounce(&self, shape: Shape, position: Position, struck: &[Surface]) -> f64 {
        self.nearest(shape, position, struck, |surface| surface.bounce).unwrap_or(0.0)
    }

    /// A number of the surface that counts; `None` without any.
    fn nearest<'s>(
        &self,
        shape: Shape,
        position: Position,
        surfaces: impl IntoIterator<Item = &'s Surface>,
        number: impl Fn(&map::Surface) -> f64,
    ) -> Option<f64> {
        let mut nearest: Option<(i64, f64)> = None;
        for surface in surfaces {
            let distance = distance_from_centre(surface, shape, position, &self.frame);
            let number = number(&self.surface_of(surface));
            let counts = |(least, known)| distance < least || (distance == least && number > known);
            if nearest.is_none_or(counts) {
                nearest = Some((distance, number));
            }
        }
        nearest.map(|(_, number)| number)
    }

    /// What a surface is like. A corner is that of all tiles whose sides end there, whichever of them has it.
    pub(super) fn surface_of(&self, surface: &Surface) -> map::Surface {
        let owner = self.around.source_of(surface);
        let (terrain, tile, piece) = (owner.terrain, owner.tile(surface.at), &surface.piece);
        let mut found = terrain.source_of(tile, piece).surface;
        if piece.role == Role::Face {
            return found;
        }
        let corner = surface.at + lattice(piece.a);
        let touch = Bounds { low: corner, high: corner };
        owner.each_piece(Shape::circle(0.0), owner.cells(&touch), |side| {
            let ends = [side.piece.a, side.piece.b].map(|end| side.at + lattice(end));
            if side.piece.role == Role::Face && ends.contains(&corner) {
                found = found.joined_with(terrain.source_of(owner.tile(side.at), &side.piece).surface);
            }
        });
        found
    }
}

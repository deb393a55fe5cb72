//! Which tile's surface counts where a shape touches several, and which tile events and contacts name.
//!
//! It is the tile nearest the line through the shape's centre along up: of the tiles of a floor the one under the centre.
//! So a body goes over from one surface to the next in the middle of its width, to either side alike, and by the rule that
//! says which platform it rides. Of tiles equally near the larger number counts, which no order of the tiles and no mirror
//! changes; so it does at a corner between tiles.
//!
//! Events and contacts name one tile. Of tiles equally near it is the one ahead, see [`Toucher`].

use super::carry::distance_from_centre;
use super::cast::Scene;
use super::surface::{Surface, lattice};
use super::visit::Bounds;
use super::{Frame, Shape, points_into};
use crate::map;
use crate::terrain::Role;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::Position;
use surefoot_geometry::exact::{tangent, wide_dot};

/// A shape that touches or hits tiles: decides which of several tiles of one straight surface, or of one corner, is named.
///
/// It is the tile nearest to the line through the shape's centre along up. Of tiles equally near it is the one furthest
/// ahead along the surface. Without motion along the surface it is the one on the side that the body faces, and last the
/// one with the lower coordinates, which a mirror changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Toucher<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) frame: &'a Frame,
    /// Side that the body faces: 1 for right, -1 for left, 0 for neither.
    pub(crate) faces: i8,
}

impl Toucher<'_> {
    /// Whether the first of two parts of a straight surface is named, for a shape at that position that moves in the direction `heading`.
    pub(crate) fn prefers(&self, part: &Surface, other: &Surface, position: Position, heading: DVec2) -> bool {
        let along = tangent(part.normal(position));
        part != other && self.rank(part, position, along, heading).lt(&self.rank(other, position, along, heading))
    }

    /// The least rank is named.
    fn rank(&self, part: &Surface, position: Position, along: I64Vec2, heading: DVec2) -> (i64, i128, i128, [i64; 2]) {
        let distance = distance_from_centre(part, *self.shape, position, self.frame);
        // Twice the middle of the part.
        let middle = lattice(part.piece.a) + lattice(part.piece.b) - part.seen(position) * 2;
        let ahead = wide_dot(along, middle);
        let sign = |number: f64| i128::from(number > 0.0) - i128::from(number < 0.0);
        let (moves, leans) = (along.as_dvec2().dot(heading), along.as_dvec2().dot(self.frame.right()));
        (distance, -ahead * sign(moves), -ahead * sign(leans * f64::from(self.faces)), part.at.to_array())
    }
}

impl Scene<'_> {
    /// The surface whose tile a contact or a hit names: that surface itself, and of a corner the side named that ends there.
    #[inline]
    pub(crate) fn named(
        &self,
        surface: &Surface,
        position: Position,
        heading: DVec2,
        toucher: &Toucher<'_>,
    ) -> Surface {
        if surface.piece.role == Role::Face {
            *surface
        } else {
            self.named_of_corner(surface, position, heading, toucher)
        }
    }

    #[inline(never)]
    fn named_of_corner(&self, corner: &Surface, position: Position, heading: DVec2, toucher: &Toucher<'_>) -> Surface {
        let along = tangent(corner.normal(position));
        let mut named: Option<Surface> = None;
        let arc = self.arc_of(corner);
        self.each_side_at(corner, |side| {
            if !arc.is_some_and(|arc| arc.is_corner_of(side)) {
                return;
            }
            let rank = |part: &Surface| {
                let (_, ahead, faced, coordinates) = toucher.rank(part, position, along, heading);
                // All sides are equally near at the corner.
                (ahead, faced, coordinates)
            };
            if named.is_none_or(|known| rank(side) < rank(&known)) {
                named = Some(*side);
            }
        });
        // Of two sides of one tile the corner's own.
        named.filter(|side| side.at != corner.at).unwrap_or(*corner)
    }

    /// The arc of a corner: its bounds tell the corner's two sides from others that end at the same point.
    fn arc_of(&self, corner: &Surface) -> Option<Surface> {
        let owner = self.around.source_of(corner);
        let at = corner.at + lattice(corner.piece.a);
        let mut found = None;
        owner.each_piece(Shape::circle(0.0), owner.cells(&Bounds { low: at, high: at }), |arc| {
            let is_same = arc.at == corner.at && arc.piece.edge == corner.piece.edge && arc.piece.a == corner.piece.a;
            if arc.piece.role == Role::Arc && is_same {
                found = Some(arc);
            }
        });
        found
    }

    /// Shows the sides that end at a corner, of the same owner.
    fn each_side_at(&self, corner: &Surface, mut see: impl FnMut(&Surface)) {
        let owner = self.around.source_of(corner);
        let at = corner.at + lattice(corner.piece.a);
        owner.each_piece(Shape::circle(0.0), owner.cells(&Bounds { low: at, high: at }), |side| {
            let ends = [side.piece.a, side.piece.b].map(|end| side.at + lattice(end));
            if side.piece.role == Role::Face && ends.contains(&at) {
                see(&side);
            }
        });
    }

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
        let of = |surface: &map::Material| surface.traction;
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
        number: impl Fn(&map::Material) -> f64,
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
    pub(super) fn surface_of(&self, surface: &Surface) -> map::Material {
        let owner = self.around.source_of(surface);
        let (terrain, tile, piece) = (owner.terrain, owner.tile(surface.at), &surface.piece);
        let mut found = terrain.source_of(tile, piece).surface;
        if piece.role == Role::Face {
            return found;
        }
        self.each_side_at(surface, |side| {
            found = found.joined_with(terrain.source_of(owner.tile(side.at), &side.piece).surface);
        });
        found
    }
}

//! Which tile's material applies if a shape touches several tiles, and which tile events and contacts name.
//!
//! The tile nearest to the shape's vertical centre line applies: on a floor, the tile under the centre. So a body
//! changes from one material to the next in the middle of its width, equally in both directions. The rule for the
//! ridden platform is the same. Of equally near tiles, the larger number of the material applies. So neither the
//! order of the tiles nor a mirror changes the result. The same holds at a corner between tiles.
//!
//! Events and contacts name one tile. The field `tile` of [`EventKind::HitTile`](crate::event::EventKind::HitTile)
//! lists the rules, and [`Toucher`] applies them.

use super::carry::distance_from_centre;
use super::cast::Scene;
use super::surface::{Surface, lattice_to_units};
use super::visit::Bounds;
use super::{Frame, Shape, points_into};
use crate::map;
use crate::terrain::Role;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::Position;
use surefoot_geometry::exact::{tangent, wide_dot};

/// A shape that touches or hits tiles. Decides which tile of a straight surface, or of a corner, is reported.
///
/// The field `tile` of [`EventKind::HitTile`](crate::event::EventKind::HitTile) lists the rules in their order.
///
/// At a corner, a side that faces away from the shape's centre comes last: of two one-way sides back to back, only the
/// side that faces the shape can stop it. The last rule, the lower coordinates, is the only one that a mirror changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Toucher<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) frame: &'a Frame,
    /// Side that the body faces: 1 for right, -1 for left, 0 for neither.
    pub(crate) faces: i8,
}

impl Toucher<'_> {
    /// Returns whether the first of two parts of a straight surface is reported, for a shape at that position that
    /// moves in the direction `heading`.
    pub(crate) fn is_reported_before(
        &self,
        part: &Surface,
        other: &Surface,
        position: Position,
        heading: DVec2,
    ) -> bool {
        let along = tangent(part.normal(position));
        part != other
            && self
                .report_sort_key(part, position, along, heading)
                .lt(&self.report_sort_key(other, position, along, heading))
    }

    /// Returns the sort key of a part. The part with the smallest key is reported.
    fn report_sort_key(
        &self,
        part: &Surface,
        position: Position,
        along: I64Vec2,
        heading: DVec2,
    ) -> (i64, [i128; 2], [i64; 2]) {
        let distance = distance_from_centre(part, *self.shape, position, self.frame);
        // Use twice the displacement from the shape to the middle of the part. So there are no half units.
        let middle =
            lattice_to_units(part.piece.a) + lattice_to_units(part.piece.b) - part.relative_position(position) * 2;
        (distance, self.furthest_ahead_sort_key(middle, along, heading), part.at.to_array())
    }

    /// Returns sort keys of a displacement from the shape: how far it leads ahead along the surface, then how far to
    /// the side that the body faces. The smallest key is the furthest.
    fn furthest_ahead_sort_key(&self, displacement: I64Vec2, along: I64Vec2, heading: DVec2) -> [i128; 2] {
        let ahead = wide_dot(along, displacement);
        let sign = |number: f64| i128::from(number > 0.0) - i128::from(number < 0.0);
        let (moves, leans) = (along.as_dvec2().dot(heading), along.as_dvec2().dot(self.frame.right()));
        [-ahead * sign(moves), -ahead * sign(leans * f64::from(self.faces))]
    }
}

impl Scene<'_> {
    /// Returns the surface whose tile a contact or a hit reports. For a corner, that is one of the sides that end
    /// there.
    #[inline]
    pub(crate) fn surface_to_report(
        &self,
        surface: &Surface,
        position: Position,
        heading: DVec2,
        toucher: &Toucher<'_>,
    ) -> Surface {
        if surface.piece.role == Role::Face {
            *surface
        } else {
            self.side_to_report_at_corner(surface, position, heading, toucher)
        }
    }

    /// Returns the side that a hit on a corner reports: the first side of the corner in the order of [`Toucher`].
    #[inline(never)]
    fn side_to_report_at_corner(
        &self,
        corner: &Surface,
        position: Position,
        heading: DVec2,
        toucher: &Toucher<'_>,
    ) -> Surface {
        let along = tangent(corner.normal(position));
        let from_corner = corner.relative_position(position) - lattice_to_units(corner.piece.a);
        let mut reported: Option<Surface> = None;
        let arc = self.find_arc_of_corner(corner);
        self.for_each_side_at_corner(corner, |side| {
            if !arc.is_some_and(|arc| arc.is_corner_of(side)) {
                return;
            }
            let rank = |part: &Surface| {
                let normal = part.piece.normal.as_i64vec2();
                let faces_away = wide_dot(normal, from_corner) < 0;
                // At a corner all sides are equally near, so the distance does not decide.
                let (_, ahead, coordinates) = toucher.report_sort_key(part, position, along, heading);
                // Two sides back to back have the same middle, so `ahead` does not decide between them. Then the side
                // whose tile is further ahead comes first. The tile of a side lies in the direction of `-normal`.
                (faces_away, ahead, toucher.furthest_ahead_sort_key(-normal, along, heading), coordinates)
            };
            if reported.is_none_or(|known| rank(side) < rank(&known)) {
                reported = Some(*side);
            }
        });
        reported.unwrap_or(*corner)
    }

    /// Finds the arc of a corner: the piece that a circle hits at the corner. The bounds of its cone tell the corner's
    /// two sides from other sides that end at the same point.
    fn find_arc_of_corner(&self, corner: &Surface) -> Option<Surface> {
        let owner = self.around.source_of(corner);
        let at = corner.at + lattice_to_units(corner.piece.a);
        let mut found = None;
        owner.for_each_piece(Shape::circle(0.0), owner.cells(&Bounds { low: at, high: at }), |arc| {
            let is_same = arc.at == corner.at && arc.piece.edge == corner.piece.edge && arc.piece.a == corner.piece.a;
            if arc.piece.role == Role::Arc && is_same {
                found = Some(arc);
            }
        });
        found
    }

    /// Calls `see` with the sides of the same owner that end at a corner.
    fn for_each_side_at_corner(&self, corner: &Surface, mut see: impl FnMut(&Surface)) {
        let owner = self.around.source_of(corner);
        let at = corner.at + lattice_to_units(corner.piece.a);
        owner.for_each_piece(Shape::circle(0.0), owner.cells(&Bounds { low: at, high: at }), |side| {
            let ends = [side.piece.a, side.piece.b].map(|end| side.at + lattice_to_units(end));
            if side.piece.role == Role::Face && ends.contains(&at) {
                see(&side);
            }
        });
    }

    /// Returns whether a tile may have a material other than the default one.
    #[inline(always)]
    pub(crate) fn has_materials(&self) -> bool {
        self.around.terrain().terrain.surfaced.any
    }

    /// Returns whether a tile may have a bounce.
    #[inline(always)]
    pub(crate) fn has_bouncy_materials(&self) -> bool {
        self.around.terrain().terrain.surfaced.bouncy
    }

    /// Returns the traction for a character at that position: that of a floor if the character touches any, else that
    /// of the nearest touched surface.
    pub(crate) fn traction(&self, shape: Shape, position: Position, touched: &[Surface]) -> f64 {
        let floors = touched.iter().filter(|surface| self.frame.is_floor(surface.normal(position)));
        let of = |surface: &map::Material| surface.traction;
        let of_floor = self.nearest_material_number(shape, position, floors, of);
        // Without a floor, several steep surfaces can support the character together.
        of_floor.or_else(|| self.nearest_material_number(shape, position, touched, of)).unwrap_or(1.0)
    }

    /// Returns the normal of the touched floor that the shape stands on. Of several floors equally near its centre, the
    /// steepest.
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

    /// Returns the friction factor of the surfaces that a shape is pressed into.
    #[inline]
    pub(crate) fn friction<'s>(
        &self,
        shape: Shape,
        position: Position,
        pressed: impl IntoIterator<Item = &'s Surface>,
    ) -> f64 {
        self.nearest_material_number(shape, position, pressed, |surface| surface.friction).unwrap_or(1.0)
    }

    /// Returns the friction factor of the touched surfaces into which `acceleration` presses the shape.
    pub(crate) fn friction_under(
        &self,
        shape: Shape,
        position: Position,
        touched: &[Surface],
        acceleration: DVec2,
    ) -> f64 {
        let pressed = touched.iter().filter(|surface| points_into(surface.normal(position).as_dvec2(), acceleration));
        self.friction(shape, position, pressed)
    }

    /// Returns the friction factor of the floors that a shape touches.
    pub(crate) fn friction_of_floors(&self, shape: Shape, position: Position, touched: &[Surface]) -> f64 {
        self.friction(shape, position, touched.iter().filter(|surface| self.frame.is_floor(surface.normal(position))))
    }

    /// Returns the bounce of the surfaces that a shape hits: the part of its speed that it keeps.
    #[inline]
    pub(crate) fn bounce<'s>(
        &self,
        shape: Shape,
        position: Position,
        struck: impl IntoIterator<Item = &'s Surface>,
    ) -> f64 {
        self.nearest_material_number(shape, position, struck, |surface| surface.bounce).unwrap_or(0.0)
    }

    /// Reads a number of the material of the surface nearest to the shape's centre line; the larger one of equally near
    /// surfaces. `None` without surfaces, or if all tiles have the default material.
    #[inline]
    fn nearest_material_number<'s>(
        &self,
        shape: Shape,
        position: Position,
        surfaces: impl IntoIterator<Item = &'s Surface>,
        number: impl Fn(&map::Material) -> f64,
    ) -> Option<f64> {
        if !self.has_materials() {
            return None;
        }
        let mut nearest: Option<(i64, f64)> = None;
        for surface in surfaces {
            let distance = distance_from_centre(surface, shape, position, &self.frame);
            let number = number(&self.material_of(surface));
            let counts = |(least, known)| distance < least || (distance == least && number > known);
            if nearest.is_none_or(counts) {
                nearest = Some((distance, number));
            }
        }
        nearest.map(|(_, number)| number)
    }

    /// Returns the material of a surface. At a corner, all tiles whose sides end there count, whichever of them has the
    /// corner.
    pub(super) fn material_of(&self, surface: &Surface) -> map::Material {
        let owner = self.around.source_of(surface);
        let (terrain, tile, piece) = (owner.terrain, owner.tile_at_offset(surface.at), &surface.piece);
        let mut found = terrain.source_of(tile, piece).surface;
        if piece.role == Role::Face {
            return found;
        }
        self.for_each_side_at_corner(surface, |side| {
            found = found.joined_with(terrain.source_of(owner.tile_at_offset(side.at), &side.piece).surface);
        });
        found
    }
}

//! Whether a resting shape overlaps a solid.

use super::cast::Scene;
use super::surface::{face, relative};
use super::visit::visit_near;
use super::{Shape, shape::Form};
use crate::terrain::Role;
use surefoot_geometry::Place;
use surefoot_geometry::exact::{box_meets_segment, circle_meets_segment};

impl Scene<'_> {
    /// Whether the interior of a shape meets the interior of a solid; exact, touching is no overlap.
    ///
    /// If no exposed side of a solid passes through the interior, the whole of it is either solid or air, and its centre
    /// tells which. Open edges and thin walls have no interior.
    pub(crate) fn overlaps_solid(&self, shape: Shape, place: Place) -> bool {
        let mut meets = false;
        visit_near(self.terrain, shape, place, |cell, baked| {
            if meets || !self.terrain.is_solid_kind(baked) {
                return;
            }
            let center = relative(place, cell);
            meets = self.terrain.box_pieces(baked).iter().filter(|piece| piece.role == Role::Face).any(|piece| {
                let face = face(piece);
                let (a, b) = (face.a - center, face.b - center);
                match shape.0 {
                    Form::Aabb { half } => box_meets_segment(half.into(), a, b, face.normal),
                    Form::Circle { radius } => circle_meets_segment(radius, a, b, face.normal),
                }
            });
        });
        meets || self.terrain.is_solid(place)
    }
}

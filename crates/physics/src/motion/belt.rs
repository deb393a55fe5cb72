//! Belts: surfaces that carry bodies along the surface.
//!
//! A belt changes no geometry. Velocities stay relative to the world, or to the platform that a body rides. Only a
//! walker's own speed and friction count relative to the belt, and a resting body moves along with the belt. So a body
//! that changes belts or leaves one keeps its velocity.
//!
//! The belt of the surface nearest to the shape's vertical centre line counts. If several surfaces are equally near,
//! the slowest belt counts if all move in one direction, else none.

use super::Shape;
use super::carry::distance_from_centre;
use super::cast::Scene;
use super::slide::points_into;
use super::surface::Surface;
use super::walk::unit_vector;
use crate::tiles::map::slower_if_same_direction;
use glam::DVec2;
use surefoot_geometry::Position;
use surefoot_geometry::exact::tangent;

/// The movement that a surface gives to a body on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Belt {
    /// Unit direction along the surface, to the right as seen from the body.
    pub(crate) direction: DVec2,
    /// Speed in that direction, in tiles per second.
    pub(crate) speed: f64,
}

impl Belt {
    /// A surface that does not carry.
    pub(crate) const NONE: Belt = Belt { direction: DVec2::ZERO, speed: 0.0 };

    pub(crate) fn velocity(&self) -> DVec2 {
        self.direction * self.speed
    }
}

impl Scene<'_> {
    /// Returns whether the terrain can contain a belt.
    #[inline(always)]
    pub(crate) fn has_belts(&self) -> bool {
        self.around.terrain().terrain.surfaced.fastest_belt > 0.0
    }

    /// Returns the belt of the floors that a shape touches.
    pub(crate) fn belt_of_floors(&self, shape: Shape, position: Position, touched: &[Surface]) -> Belt {
        let floors = touched.iter().filter(|surface| self.frame.is_floor(surface.normal(position)));
        self.nearest_belt(shape, position, floors)
    }

    /// Returns the belt of the touched surfaces into which `acceleration` presses the shape.
    pub(crate) fn belt_of_pressed_surfaces(
        &self,
        shape: Shape,
        position: Position,
        touched: &[Surface],
        acceleration: DVec2,
    ) -> Belt {
        let pressed = touched.iter().filter(|surface| points_into(surface.normal(position).as_dvec2(), acceleration));
        self.nearest_belt(shape, position, pressed)
    }

    /// Returns the belt of the surface nearest to the shape's centre line.
    #[inline]
    pub(crate) fn nearest_belt<'s>(
        &self,
        shape: Shape,
        position: Position,
        surfaces: impl IntoIterator<Item = &'s Surface>,
    ) -> Belt {
        if !self.has_belts() {
            return Belt::NONE;
        }
        let mut nearest: Option<(i64, Belt)> = None;
        for surface in surfaces {
            let distance = distance_from_centre(surface, shape, position, &self.frame);
            let direction = unit_vector(tangent(surface.normal(position)));
            let found = Belt { direction, speed: self.material_of(surface).belt_velocity };
            nearest = match nearest {
                Some((least, known)) if distance == least => Some((least, self.combine_belts(known, found))),
                Some((least, _)) if distance > least => nearest,
                _ => Some((distance, found)),
            };
        }
        nearest.map_or(Belt::NONE, |(_, belt)| belt)
    }

    /// Combines the belts of two equally near surfaces. Between the two sides of a valley the direction is horizontal.
    fn combine_belts(&self, a: Belt, b: Belt) -> Belt {
        let direction = if a.direction == b.direction { a.direction } else { self.frame.right() };
        Belt { direction, speed: slower_if_same_direction(a.speed, b.speed) }
    }
}

//! Belts: surfaces that carry along themselves what stands on them.
//!
//! A belt changes no geometry. Velocities stay those of the world, or of the platform that a body rides. A walker's own
//! speed and friction count relative to the belt, and what rests on one walks along with it. So a body that comes from
//! belt to belt, or leaves one, changes no frame: it goes on with the velocity that it has.
//!
//! The belt that counts is that of the surface nearest to the line through the shape's centre along up. Of surfaces equally
//! near the slowest counts if they go one way, else none does.

use super::Shape;
use super::carry::distance_from_centre;
use super::cast::Scene;
use super::slide::points_into;
use super::surface::Surface;
use super::walk::unit;
use crate::map::slower;
use glam::DVec2;
use surefoot_geometry::Position;
use surefoot_geometry::exact::tangent;

/// How a surface carries what is on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Belt {
    /// The unit direction along the surface to the right of what stands on it.
    pub(crate) direction: DVec2,
    /// Tiles per second in that direction.
    pub(crate) speed: f64,
}

impl Belt {
    /// A surface that carries nothing.
    pub(crate) const NONE: Belt = Belt { direction: DVec2::ZERO, speed: 0.0 };

    pub(crate) fn velocity(&self) -> DVec2 {
        self.direction * self.speed
    }
}

impl Scene<'_> {
    /// Whether some tile may be a belt.
    #[inline(always)]
    pub(crate) fn has_belts(&self) -> bool {
        self.around.terrain().terrain.fastest_belt() > 0.0
    }

    /// The belt of the floors that a shape touches.
    pub(crate) fn belt_of_floors(&self, shape: Shape, position: Position, touched: &[Surface]) -> Belt {
        let floors = touched.iter().filter(|surface| self.frame.is_floor(surface.normal(position)));
        self.belt(shape, position, floors)
    }

    /// The belt of those of the surfaces touched that an acceleration presses a shape into.
    pub(crate) fn belt_under(
        &self,
        shape: Shape,
        position: Position,
        touched: &[Surface],
        acceleration: DVec2,
    ) -> Belt {
        let pressed = touched.iter().filter(|surface| points_into(surface.normal(position).as_dvec2(), acceleration));
        self.belt(shape, position, pressed)
    }

    /// The belt that counts of some surfaces.
    pub(crate) fn belt<'s>(
        &self,
        shape: Shape,
        position: Position,
        surfaces: impl IntoIterator<Item = &'s Surface>,
    ) -> Belt {
        let mut nearest: Option<(i64, Belt)> = None;
        for surface in surfaces {
            let distance = distance_from_centre(surface, shape, position, &self.frame);
            let direction = unit(tangent(surface.normal(position)));
            let found = Belt { direction, speed: self.surface_of(surface).belt_velocity };
            nearest = match nearest {
                Some((least, known)) if distance == least => Some((least, self.joint(known, found))),
                Some((least, _)) if distance > least => nearest,
                _ => Some((distance, found)),
            };
        }
        nearest.map_or(Belt::NONE, |(_, belt)| belt)
    }

    /// The belt of two surfaces equally near: on both sides of a valley it leads level.
    fn joint(&self, a: Belt, b: Belt) -> Belt {
        let direction = if a.direction == b.direction { a.direction } else { self.frame.right() };
        Belt { direction, speed: slower(a.speed, b.speed) }
    }
}

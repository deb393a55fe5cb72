//! Bounces of bodies: off one surface, and off a wall while the body slides on a floor.
//!
//! If a body that stays on its floor hits a wall, it bounces straight back along the floor: the floor remains below
//! it, so only the speed along the floor is reversed. The same rule holds at an impact on several surfaces. A surface
//! that the body can slide up does not count as a wall.

use crate::motion::{Belt, Scene, Shape, Surface, Surfaces, points_into, project_velocity, reduce_speed_on_belt};
use glam::DVec2;
use surefoot_geometry::Position;
use surefoot_geometry::exact::tangent;

/// Numbers of a body, and of the surfaces that it hits, that decide how it bounces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounce {
    /// Fraction of the speed into the surface that the body has after the bounce.
    pub(crate) factor: f64,
    pub(crate) friction: f64,
    /// Speed below which the body slides instead.
    pub(crate) rest: f64,
    /// Velocity of the belts off which the body bounces.
    pub(crate) carried: DVec2,
}

impl Bounce {
    /// Creates the bounce of a body off surfaces with the default material.
    pub(crate) fn new(factor: f64, friction: f64, rest: f64) -> Bounce {
        Bounce { factor, friction, rest, carried: DVec2::ZERO }
    }

    /// Adds the material of surfaces that a shape hits.
    pub(crate) fn with_materials(
        self,
        scene: &Scene<'_>,
        shape: Shape,
        position: Position,
        struck: &[Surface],
    ) -> Bounce {
        Bounce {
            factor: self.factor.max(scene.bounce(shape, position, struck)),
            friction: self.friction * scene.friction(shape, position, struck),
            carried: scene.nearest_belt(shape, position, struck).velocity(),
            ..self
        }
    }

    /// Returns the velocity after a bounce off one surface. `None` if the body slides along it instead.
    ///
    /// `approach` is the speed into the surface, and `lost` the part of the velocity into it.
    pub(crate) fn bounce_velocity(&self, velocity: DVec2, approach: f64, lost: DVec2) -> Option<DVec2> {
        if approach <= self.rest || self.factor == 0.0 {
            return None;
        }
        let along = reduce_speed_on_belt(self.carried, velocity - lost, self.friction * approach * (1.0 + self.factor));
        Some(along - lost * self.factor)
    }
}

/// An obstacle in the way of a body that stays on a floor.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "it lives for one impact, on the stack")]
pub(crate) enum Barrier {
    /// Another floor, along which the body continues to slide.
    Floor,
    /// A wall, or a slope that would stop the body.
    Wall(Wall),
}

/// A wall in the way of a body that stays on a floor.
#[derive(Clone, Debug)]
pub(crate) struct Wall {
    /// Surfaces that the body hits, without the floor.
    pub(crate) surfaces: Surfaces,
    /// Unit direction of the body's motion along the floor.
    pub(crate) direction: DVec2,
    /// Velocity of the floor, in tiles per second.
    pub(crate) floor: DVec2,
    /// Speed along the floor at which the body would neither approach the wall nor leave it.
    pace: f64,
    /// Fraction of a speed along the floor that points into the wall.
    share: f64,
    normal: DVec2,
}

impl Barrier {
    /// Finds the obstacle that a body hits while it stays on a floor. `None` if it stays on no floor.
    ///
    /// A body stays on a touched surface if gravity presses the body onto it. It must not leave the surface, nor
    /// approach it faster than `slow`.
    pub(crate) fn find_barrier(
        scene: &Scene<'_>,
        position: Position,
        (struck, touched): (&[Surface], &[Surface]),
        (velocity, gravity): (DVec2, DVec2),
        slow: f64,
    ) -> Option<Barrier> {
        // A body slides along floors, and along surfaces that turn it by up to 30 degrees, such as the parts of a
        // curve. All others are walls.
        let is_upside_down = gravity.dot(scene.frame.up()) > 0.0;
        let is_floor = |surface: &Surface| {
            let (exact, normal) = (surface.normal(position), surface.normal(position).as_dvec2());
            let into = normal.dot(velocity - scene.around.velocity(surface.owner));
            scene.frame.is_floor(if is_upside_down { -exact } else { exact })
                || 4.0 * into * into <= normal.length_squared() * velocity.length_squared()
        };
        let of = |surface: &Surface| scene.around.velocity(surface.owner);
        let unit = |surface: &Surface| surface.normal(position).as_dvec2().normalize_or_zero();
        let has_wall = !struck.iter().all(is_floor);
        let keeps_to = |surface: &&Surface| {
            let (normal, seen) = (unit(surface), velocity - of(surface));
            normal.dot(gravity) < 0.0
                && (!struck.contains(surface) || (has_wall && is_floor(surface)))
                && !points_into(-normal, seen)
                && -normal.dot(seen) <= slow
        };
        let kept: Surfaces = touched.iter().filter(keeps_to).copied().collect();
        let (first, floor) = (kept.first()?, scene.around.combined_velocity(kept.iter().map(|surface| surface.owner)));
        let along = scene.clip_velocity(&kept, position, velocity) - floor;
        if !has_wall && project_velocity(touched, position, along) != DVec2::ZERO {
            return Some(Barrier::Floor);
        }
        // Among several walls, the one that the body approaches fastest counts.
        let surfaces: Surfaces = struck.iter().filter(|surface| !kept.contains(surface)).copied().collect();
        let approach = |surface: &Surface| unit(surface).dot(of(surface) - floor - along);
        let wall = surfaces.iter().max_by(|a, b| approach(a).total_cmp(&approach(b)))?;
        let normal = unit(wall);
        let speed = along.length();
        let mut direction = if speed > 0.0 { along / speed } else { DVec2::ZERO };
        if direction == DVec2::ZERO && kept.iter().all(|surface| surface.normal(position) == first.normal(position)) {
            // The body is at rest on the floor, and the wall moves into the body. So take the direction along the floor
            // that points into the wall.
            direction = tangent(first.normal(position)).as_dvec2().normalize_or_zero();
            direction *= -normal.dot(direction).signum();
        }
        let share = -normal.dot(direction);
        if share == 0.0 {
            return Some(Barrier::Floor);
        }
        let pace = normal.dot(of(wall) - floor) / -share;
        Some(Barrier::Wall(Wall { surfaces, direction, floor, pace, share, normal }))
    }
}

impl Wall {
    /// Returns the velocity of a body after it hits the wall with a speed along the floor. `None` if it is not faster
    /// than its rest speed.
    pub(crate) fn bounce_velocity_along_floor(&self, speed: f64, bounce: f64, rest: f64) -> Option<DVec2> {
        let approach = self.approach_speed_from_floor_speed(speed);
        let after = self.pace - bounce * (speed - self.pace);
        (approach > rest && bounce > 0.0).then_some(self.floor + self.direction * after)
    }

    /// Returns the velocity of a shape after it hits the wall as [`Wall::bounce_velocity_along_floor`] says, with the
    /// bounce and the belt of the wall's material.
    pub(crate) fn velocity_after_wall_bounce(
        &self,
        scene: &Scene<'_>,
        (shape, position): (Shape, Position),
        speed: f64,
        own: &Bounce,
    ) -> Option<DVec2> {
        let factor = own.factor.max(scene.bounce(shape, position, &self.surfaces));
        let after = self.bounce_velocity_along_floor(speed, factor, own.rest)?;
        let by = own.friction * self.approach_speed_from_floor_speed(speed) * (1.0 + factor);
        Some(self.velocity_changed_by_belt(after, scene.nearest_belt(shape, position, &self.surfaces), by))
    }

    /// Returns the speed at which a body with that speed along the floor approaches the wall.
    fn approach_speed_from_floor_speed(&self, floor_speed: f64) -> f64 {
        (floor_speed - self.pace) * self.share
    }

    /// Returns a velocity after an impact, changed by a belt on the wall by at most a speed.
    fn velocity_changed_by_belt(&self, velocity: DVec2, belt: Belt, max_change: f64) -> DVec2 {
        if belt.speed == 0.0 {
            return velocity;
        }
        let off = self.normal * self.normal.dot(velocity);
        // Subtract from `velocity` rather than adding up its parts. So without friction, the result is `velocity` bit
        // for bit.
        let slip = velocity - off - belt.velocity();
        let length = slip.length();
        if length <= max_change { off + belt.velocity() } else { velocity - slip * (max_change / length) }
    }
}

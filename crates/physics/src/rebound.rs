//! Bounces of characters: floors whose material has a bounce throw them back, as trampolines do.
//!
//! When a flight reaches such a floor, the caller asks here whether the character is thrown back instead of landing.
//! The callers are the walker, and the pair phase for characters that collide with bodies.

use crate::motion::{Scene, Shape, Surface, Surfaces, motion_to_units};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::{Position, to_lengths};

/// How floors with a bounce throw a character back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rebound {
    /// Factor on the bounce of the floor's material.
    pub(crate) scale: f64,
    /// Approach speed up to which the character lands instead of bouncing.
    pub(crate) rest: f64,
    /// Speed of the buffered jump, or 0 without one. A bounce that is not faster becomes a landing.
    pub(crate) jump: f64,
    /// Acceleration by gravity in tiles per second squared.
    pub(crate) gravity: DVec2,
    /// Tick length in seconds.
    pub(crate) tick: f64,
}

/// A bounce of a character off a floor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Throw {
    /// Unit normal of the floor.
    pub(crate) normal: DVec2,
    /// Speed against the floor, in tiles per second.
    pub(crate) approach: f64,
    /// Speed off the floor, in tiles per second.
    pub(crate) speed: f64,
}

impl Rebound {
    /// Returns how floors at a position throw a character of that shape back. `None` if the character lands.
    /// `velocity`: at the impact. `floors`: the floors that it hits, each with its normal.
    ///
    /// If several floors face or move differently, the character lands between them. A bounce that would end within
    /// one tick is a landing too.
    pub(crate) fn find_floor_throw(
        &self,
        scene: &Scene<'_>,
        (shape, position): (Shape, Position),
        floors: impl Iterator<Item = (Surface, I64Vec2)> + Clone,
        velocity: impl FnOnce(DVec2) -> DVec2,
    ) -> Option<Throw> {
        let (first, exact) = floors.clone().next()?;
        let of = |surface: &Surface| scene.around.velocity(surface.owner);
        let is_alike = |(surface, normal): (Surface, I64Vec2)| {
            normal.as_dvec2().perp_dot(exact.as_dvec2()) == 0.0 && of(&surface) == of(&first)
        };
        if !floors.clone().all(is_alike) {
            return None;
        }
        let surfaces: Surfaces = floors.map(|(surface, _)| surface).collect();
        let normal = exact.as_dvec2().normalize_or_zero();
        let approach = normal.dot(of(&first) - velocity(normal));
        let speed = approach * self.scale * scene.bounce(shape, position, &surfaces);
        let shortest = -normal.dot(self.gravity) * self.tick / 2.0;
        (approach > self.rest && speed > self.jump.max(shortest)).then_some(Throw { normal, approach, speed })
    }
}

/// The rest of a flight in a tick, with a constant acceleration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlightRest {
    /// Velocity at the end of the tick, in tiles per second.
    pub(crate) velocity: DVec2,
    /// Displacement that is left, in units.
    pub(crate) displacement: I64Vec2,
    /// Acceleration in tiles per second squared.
    pub(crate) acceleration: DVec2,
}

impl FlightRest {
    /// Returns the character's speed against a surface with that unit normal now, and the time that is left of the
    /// tick, in seconds.
    ///
    /// The flight would make the displacement s against the surface and end at the speed v. With the acceleration a,
    /// the speed now is the square root of v^2 - 2 a s. So the energy after a bounce depends only on the position.
    fn approach_speed_and_time_left(&self, normal: DVec2) -> (f64, f64) {
        let into = |vector: DVec2| -normal.dot(vector);
        let (last, distance) = (into(self.velocity), into(to_lengths(self.displacement)));
        let speed = (last * last - 2.0 * into(self.acceleration) * distance).max(0.0).sqrt();
        (speed, 2.0 * distance / (speed + last))
    }

    /// Returns the velocity now, before a hit on a surface of that unit normal.
    pub(crate) fn velocity_at_hit(&self, normal: DVec2) -> DVec2 {
        self.velocity - normal * (normal.dot(self.velocity) + self.approach_speed_and_time_left(normal).0)
    }

    /// Returns the rest of the flight after a throw off a floor.
    pub(crate) fn after_throw(self, throw: &Throw, rebound: &Rebound) -> FlightRest {
        let Throw { normal, approach, speed } = *throw;
        let (own, left) = self.approach_speed_and_time_left(normal);
        let left = if left.is_finite() { left.clamp(0.0, rebound.tick) } else { 0.0 };
        // `approach` is the speed relative to the floor. Minus the character's own approach speed, it is the speed of
        // the floor. The thrown character gets the speed of the floor too.
        let first = speed + approach - own;
        let last = first + normal.dot(rebound.gravity) * left;
        let way = (first + last) * left / 2.0 - normal.dot(to_lengths(self.displacement));
        let velocity = self.velocity + normal * (last - normal.dot(self.velocity));
        FlightRest { velocity, displacement: self.displacement + motion_to_units(normal * way), ..self }
    }
}

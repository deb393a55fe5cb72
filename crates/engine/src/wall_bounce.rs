//! Bounces off walls of bodies that slide on a floor.
//!
//! A body with bounce that keeps to its floor goes straight back along it, as from several surfaces at once: the floor
//! stays under it, so the part of its speed that the wall gives back is along the floor. A surface that the body can slide
//! up is not a wall.

use crate::motion::{Belt, Owner, Scene, Surface, Surfaces, clip, points_into};
use glam::DVec2;
use smallvec::SmallVec;
use surefoot_geometry::Position;
use surefoot_geometry::exact::tangent;

/// The obstacle in the way of a body that keeps to a floor.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "it lives for one impact, on the stack")]
pub(crate) enum Barrier {
    /// Another floor: the body slides on along it.
    Floor,
    /// A wall, or a slope that would stop the body dead.
    Wall(Wall),
}

/// A wall in the way of a body that keeps to a floor.
#[derive(Clone, Debug)]
pub(crate) struct Wall {
    /// The surfaces that the body runs into, without the floor.
    pub(crate) surfaces: Surfaces,
    /// The unit direction in which the body moves along the floor.
    pub(crate) direction: DVec2,
    /// The velocity of the floor, in tiles per second.
    pub(crate) floor: DVec2,
    /// The speed along the floor with which a body keeps its distance to the wall.
    pace: f64,
    /// How much of a speed along the floor leads into the wall.
    share: f64,
    normal: DVec2,
}

impl Barrier {
    /// Finds what a body runs into while it keeps to a floor; `None` if it keeps to none.
    ///
    /// A body keeps to a surface that it touches if gravity presses the body on to it and the body neither leaves it nor
    /// comes to it faster than `slow`.
    pub(crate) fn find(
        scene: &Scene<'_>,
        position: Position,
        (struck, touched): (&[Surface], &[Surface]),
        (velocity, gravity): (DVec2, DVec2),
        slow: f64,
    ) -> Option<Barrier> {
        // It slides on along a floor, and along what turns it by up to 30 degrees, as the parts of a curve do.
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
        let owners: SmallVec<[Owner; 4]> = kept.iter().map(|surface| surface.owner).collect();
        let (first, floor) = (kept.first()?, scene.around.joint_velocity(&owners));
        let along = scene.clip(&kept, position, velocity) - floor;
        if !has_wall && clip(touched, position, along) != DVec2::ZERO {
            return Some(Barrier::Floor);
        }
        // Of several walls the one into which the body comes fastest.
        let surfaces: Surfaces = struck.iter().filter(|surface| !kept.contains(surface)).copied().collect();
        let approach = |surface: &Surface| unit(surface).dot(of(surface) - floor - along);
        let wall = surfaces.iter().max_by(|a, b| approach(a).total_cmp(&approach(b)))?;
        let normal = unit(wall);
        let speed = along.length();
        let mut direction = if speed > 0.0 { along / speed } else { DVec2::ZERO };
        if direction == DVec2::ZERO && kept.iter().all(|surface| surface.normal(position) == first.normal(position)) {
            // It stands, and the wall comes to it.
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
    /// The velocity of a body that comes to the wall with a speed along the floor and is thrown back with a part of it;
    /// `None` if it does not come faster than its rest speed.
    pub(crate) fn thrown_back(&self, speed: f64, bounce: f64, rest: f64) -> Option<DVec2> {
        let approach = self.approach(speed);
        let after = self.pace - bounce * (speed - self.pace);
        (approach > rest && bounce > 0.0).then_some(self.floor + self.direction * after)
    }

    /// How fast a body comes to the wall that has that speed along the floor.
    pub(crate) fn approach(&self, speed: f64) -> f64 {
        (speed - self.pace) * self.share
    }

    /// A velocity after an impact that a belt on the wall changes by up to a speed.
    pub(crate) fn carried(&self, velocity: DVec2, belt: Belt, by: f64) -> DVec2 {
        if belt.speed == 0.0 {
            return velocity;
        }
        let off = self.normal * self.normal.dot(velocity);
        let slip = velocity - off - belt.velocity();
        let length = slip.length();
        if length <= by { off + belt.velocity() } else { velocity - slip * (by / length) }
    }
}

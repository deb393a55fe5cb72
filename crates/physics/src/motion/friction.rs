//! Friction by Coulomb's law, for bodies on terrain and for bodies that collide: it takes speed along a surface, at
//! most all of it, in proportion to the force or impulse into the surface.

use glam::DVec2;

/// Returns the friction coefficient between two bodies.
pub(crate) fn friction_between(one: f64, other: f64) -> f64 {
    (one * other).sqrt()
}

/// Reduces a velocity by an amount, at most to zero.
#[inline]
pub(crate) fn reduce_speed(velocity: DVec2, by: f64) -> DVec2 {
    let speed = velocity.length();
    if speed <= by { DVec2::ZERO } else { velocity * ((speed - by) / speed) }
}

/// Reduces a velocity relative to a belt of that velocity by an amount, at most to that of the belt.
#[inline]
pub(crate) fn reduce_speed_on_belt(belt: DVec2, velocity: DVec2, by: f64) -> DVec2 {
    reduce_speed(velocity - belt, by) + belt
}

/// The pull of gravity on a body that touches surfaces, split into what the surfaces stop and what remains.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grip {
    /// The part of the pull that the surfaces do not stop, in tiles per second squared.
    pub(crate) along: DVec2,
    /// Largest acceleration by friction, in tiles per second squared.
    pub(crate) braking: f64,
}

/// Motion of a body under friction for some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Braked {
    /// The body is at rest, and friction holds it.
    Held,
    /// The body is at rest, and starts to move: this fraction of the pull along the surfaces is left.
    Starts { left: f64 },
    /// The body moves on in its direction.
    Slides { direction: DVec2 },
    /// The body stops before the time is over, after this distance in tiles.
    Stops { direction: DVec2, distance: f64 },
}

impl Grip {
    /// Creates the grip of a `pull` of which surfaces with that friction coefficient leave the part `along`.
    #[inline]
    pub(crate) fn new(pull: DVec2, along: DVec2, friction: f64) -> Grip {
        Grip { along, braking: friction * (pull - along).length() }
    }

    /// Returns whether friction holds a body at rest. `slack`: acceleration that may be missing because of rounding.
    #[inline]
    pub(crate) fn holds_at_rest(&self, slack: f64) -> bool {
        self.along.length() <= self.braking + slack
    }

    /// Returns how a body moves for `time` seconds. `velocity` is relative to the surfaces. A speed up to `rest`
    /// counts as at rest. `slack` is as in [`Grip::holds_at_rest`].
    #[inline]
    pub(crate) fn brake(&self, velocity: DVec2, time: f64, (rest, slack): (f64, f64)) -> Braked {
        let speed = velocity.length();
        if speed <= rest {
            return if self.holds_at_rest(slack) {
                Braked::Held
            } else {
                Braked::Starts { left: 1.0 - self.braking / self.along.length() }
            };
        }
        let direction = velocity / speed;
        let slowing = self.braking - self.along.dot(direction);
        if slowing * time < speed {
            Braked::Slides { direction }
        } else {
            // The braking distance is v^2 / 2a.
            Braked::Stops { direction, distance: speed * speed / (2.0 * slowing) }
        }
    }
}

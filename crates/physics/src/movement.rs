//! Output of moving one body in one tick. The code that moves the body fills it; the step then stores it and sends the
//! events.

use crate::motion::{Impact, Path, Scene, Surface, Touch, Toucher, points_into};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::Position;

/// Path of a body in a tick, its velocity, contacts and hits.
pub(crate) struct Movement<'a> {
    pub(crate) position: Position,
    /// Velocity in tiles per second.
    pub(crate) velocity: DVec2,
    /// End of each straight part of the path. May be empty if the path has one part.
    pub(crate) path: &'a mut Path,
    /// Contacts of the body.
    pub(crate) touch: Touch<'a>,
    pub(crate) hits: Hits<'a>,
    /// Whether a jump off a slope has added the upward speed of the run up that slope.
    pub(crate) took_run: bool,
}

impl Movement<'_> {
    /// Moves the position by the last part of a motion, and appends the part to the path. A path that is still empty
    /// stays empty: a straight motion needs none. A part of zero adds nothing.
    #[inline(always)]
    pub(crate) fn move_by_last_part(&mut self, part: I64Vec2) {
        move_position_by_last_part(&mut self.position, self.path, part);
    }

    /// Appends a straight part to the path.
    #[inline(always)]
    pub(crate) fn move_by_and_add_to_path(&mut self, part: I64Vec2) {
        if part != I64Vec2::ZERO {
            self.position = self.position + part;
            self.path.push(self.position);
        }
    }
}

/// Moves a position and appends to its path like [`Movement::move_by_last_part`], without a `Movement`.
#[inline(always)]
pub(crate) fn move_position_by_last_part(position: &mut Position, path: &mut Path, part: I64Vec2) {
    *position = *position + part;
    if !path.is_empty() && part != I64Vec2::ZERO {
        path.push(*position);
    }
}

/// Subtracts from a motion the part that a platform's push has already made. Both are in units.
#[inline(always)]
pub(crate) fn subtract_push(motion: I64Vec2, push: I64Vec2) -> I64Vec2 {
    if push == I64Vec2::ZERO { motion } else { subtract_push_from_motion(motion, push) }
}

/// Returns a motion without its part along a push. At most the whole push is subtracted.
#[inline(never)]
fn subtract_push_from_motion(motion: I64Vec2, push: I64Vec2) -> I64Vec2 {
    let (along, all) = (motion.as_dvec2().dot(push.as_dvec2()), push.as_dvec2().length_squared());
    if along <= 0.0 {
        motion
    } else if along >= all {
        motion - push
    } else {
        motion - (push.as_dvec2() * (along / all)).as_i64vec2()
    }
}

/// Surfaces that a body hit in a tick.
pub(crate) struct Hits<'a> {
    /// Surfaces touched at the start of the tick. A hit on them is not new, unless the body was moving into them.
    pub(crate) known: &'a [Surface],
    /// Velocity at the start of the tick.
    pub(crate) start: DVec2,
    /// The body: decides which tile of a surface is named.
    pub(crate) toucher: Toucher<'a>,
    pub(crate) list: &'a mut Vec<Hit>,
}

/// A surface that the body hit.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) surface: Surface,
    /// Position of the body at the hit.
    pub(crate) position: Position,
    /// Direction of the body's motion, of any length.
    pub(crate) heading: DVec2,
    /// Approach speed along the normal.
    pub(crate) speed: f64,
    /// Whether the surface throws a character back.
    pub(crate) throws: bool,
}

impl Hits<'_> {
    /// Records a hit on a surface, unless the body rested on the surface or slid along it before.
    pub(crate) fn record_hit(&mut self, surface: &Surface, position: Position, velocity: DVec2) {
        self.record_hit_towards(surface, position, velocity, velocity);
    }

    /// [`Hits::record_hit`] for a walk. `velocity` is as if the ground were horizontal, `motion` is along the ground.
    pub(crate) fn record_walking_hit(
        &mut self,
        surface: &Surface,
        position: Position,
        velocity: DVec2,
        motion: I64Vec2,
    ) {
        let heading = if motion == I64Vec2::ZERO { velocity } else { motion.as_dvec2() };
        self.record_hit_towards(surface, position, velocity, heading);
    }

    /// Records a hit of a motion in the direction `heading`. Skips surfaces that the body already touched and did not
    /// move into.
    fn record_hit_towards(&mut self, surface: &Surface, position: Position, velocity: DVec2, heading: DVec2) {
        let normal = surface.normal(position).as_dvec2();
        if self.was_touched(surface) && !points_into(normal, self.start) {
            return;
        }
        let speed = -normal.normalize_or_zero().dot(velocity);
        if speed <= 0.0 {
            return;
        }
        // The tiles of one straight surface count as one hit if the body hits them at the same position.
        let mut now = self.list.iter_mut().rev().take_while(|known| known.position == position);
        match now.find(|known| known.surface.is_same_straight_surface(surface)) {
            Some(known) => {
                if self.toucher.is_reported_before(surface, &known.surface, position, heading) {
                    known.surface = *surface;
                }
            }
            None => self.list.push(Hit { surface: *surface, position, heading, speed, throws: false }),
        }
    }

    /// Marks the hits at a position as those that throw a character back.
    pub(crate) fn mark_hits_as_throwing(&mut self, position: Position) {
        self.list.iter_mut().rev().take_while(|hit| hit.position == position).for_each(|hit| hit.throws = true);
    }

    /// Returns whether the surface, or another part of it, was touched at the start of the tick.
    pub(crate) fn was_touched(&self, surface: &Surface) -> bool {
        self.known.iter().any(|known| known.is_same_straight_surface(surface))
    }

    /// Drops the hits at a position on surfaces that the body does not touch after it has come to rest there, such as a
    /// surface of a corner that stopped it for a moment.
    pub(crate) fn drop_untouched_hits(&mut self, position: Position, touched: &[Surface]) {
        self.list.retain(|hit| {
            hit.position != position || touched.iter().any(|surface| surface.is_same_straight_surface(&hit.surface))
        });
    }

    /// Records all surfaces that an impact hit.
    pub(crate) fn record_all_hits(&mut self, impact: &Impact<'_>, velocity: DVec2) {
        for surface in impact.struck {
            self.record_hit(surface, impact.position, velocity);
        }
    }
}

/// Removes from a velocity the part that the surfaces of an impact block. Returns how much that was.
pub(crate) fn remove_blocked_velocity(scene: &Scene<'_>, impact: &Impact<'_>, velocity: &mut DVec2) -> f64 {
    let clipped = scene.clip_velocity(impact.held, impact.position, *velocity);
    let lost = (*velocity - clipped).length();
    *velocity = clipped;
    lost
}

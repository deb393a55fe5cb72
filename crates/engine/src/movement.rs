//! One body's way through one tick: filled by whatever moves it.

use crate::motion::{Impact, Path, Scene, Surface, Touch, Toucher, points_into};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::Position;

/// Where a body goes in a tick and what it meets.
pub(crate) struct Movement<'a> {
    pub(crate) position: Position,
    /// Tiles per second.
    pub(crate) velocity: DVec2,
    /// The end of each straight part of the way; it may be empty after a way of one part.
    pub(crate) path: &'a mut Path,
    /// What it touches.
    pub(crate) touch: Touch<'a>,
    pub(crate) hits: Hits<'a>,
    /// Whether a jump off a slope has taken the speed along of the run up it.
    pub(crate) took_run: bool,
}

impl Movement<'_> {
    /// Makes the last straight part of the way; if it is the only one, it need not be written down.
    #[inline(always)]
    pub(crate) fn make_last(&mut self, part: I64Vec2) {
        make_last(&mut self.position, self.path, part);
    }

    /// Makes a straight part of the way.
    #[inline(always)]
    pub(crate) fn make(&mut self, part: I64Vec2) {
        if part != I64Vec2::ZERO {
            self.position = self.position + part;
            self.path.push(self.position);
        }
    }
}

/// [`Movement::make_last`] for a position and a path.
#[inline(always)]
pub(crate) fn make_last(position: &mut Position, path: &mut Path, part: I64Vec2) {
    *position = *position + part;
    if !path.is_empty() && part != I64Vec2::ZERO {
        path.push(*position);
    }
}

/// A motion without the part of it, along a push, that the push has made already; both in units.
#[inline(always)]
pub(crate) fn less_push(motion: I64Vec2, push: I64Vec2) -> I64Vec2 {
    if push == I64Vec2::ZERO { motion } else { less_real_push(motion, push) }
}

#[inline(never)]
fn less_real_push(motion: I64Vec2, push: I64Vec2) -> I64Vec2 {
    let (along, all) = (motion.as_dvec2().dot(push.as_dvec2()), push.as_dvec2().length_squared());
    if along <= 0.0 {
        motion
    } else if along >= all {
        motion - push
    } else {
        motion - (push.as_dvec2() * (along / all)).as_i64vec2()
    }
}

/// Surfaces that were run into in a tick.
pub(crate) struct Hits<'a> {
    /// What was touched when the tick began: nothing new, unless the body was on its way into it.
    pub(crate) known: &'a [Surface],
    /// The velocity when the tick began.
    pub(crate) start: DVec2,
    /// The body: decides which tile of a surface it has hit.
    pub(crate) toucher: Toucher<'a>,
    pub(crate) list: &'a mut Vec<Hit>,
}

/// A surface that was run into.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) surface: Surface,
    /// Where the body was.
    pub(crate) position: Position,
    /// The direction of its motion, of any length.
    pub(crate) heading: DVec2,
    /// How fast it came along the normal.
    pub(crate) speed: f64,
}

impl Hits<'_> {
    /// Remembers a surface that a body ran into with a velocity, unless it rested on it or slid along it before.
    pub(crate) fn note(&mut self, surface: &Surface, position: Position, velocity: DVec2) {
        self.note_heading(surface, position, velocity, velocity);
    }

    /// [`Hits::note`] for a walk, the velocity of which is as if the ground were level: `motion` leads along the ground.
    pub(crate) fn note_walking(&mut self, surface: &Surface, position: Position, velocity: DVec2, motion: I64Vec2) {
        let heading = if motion == I64Vec2::ZERO { velocity } else { motion.as_dvec2() };
        self.note_heading(surface, position, velocity, heading);
    }

    fn note_heading(&mut self, surface: &Surface, position: Position, velocity: DVec2, heading: DVec2) {
        let normal = surface.normal(position).as_dvec2();
        if self.knows(surface) && !points_into(normal, self.start) {
            return;
        }
        let speed = -normal.normalize_or_zero().dot(velocity);
        if speed <= 0.0 {
            return;
        }
        // The tiles of one straight surface are hit once at a time.
        let mut now = self.list.iter_mut().rev().take_while(|known| known.position == position);
        match now.find(|known| known.surface.continues(surface)) {
            Some(known) => {
                if self.toucher.prefers(surface, &known.surface, position, heading) {
                    known.surface = *surface;
                }
            }
            None => self.list.push(Hit { surface: *surface, position, heading, speed }),
        }
    }

    /// Whether a surface is one, or a part of one, that was touched when the tick began.
    pub(crate) fn knows(&self, surface: &Surface) -> bool {
        self.known.iter().any(|known| known.continues(surface))
    }

    /// Forgets what a body that has come to rest at a place ran into there and does not touch: of the surfaces of a corner,
    /// one that stopped it for a moment.
    pub(crate) fn keep_touched(&mut self, position: Position, touched: &[Surface]) {
        self.list
            .retain(|hit| hit.position != position || touched.iter().any(|surface| surface.continues(&hit.surface)));
    }

    /// Remembers all that an impact met.
    pub(crate) fn note_all(&mut self, impact: &Impact<'_>, velocity: DVec2) {
        for surface in impact.struck {
            self.note(surface, impact.position, velocity);
        }
    }
}

/// Takes from a velocity what the surfaces of an impact do not let pass; answers with how much that was.
pub(crate) fn stop_by(scene: &Scene<'_>, impact: &Impact<'_>, velocity: &mut DVec2) -> f64 {
    let clipped = scene.clip(impact.held, impact.position, *velocity);
    let lost = (*velocity - clipped).length();
    *velocity = clipped;
    lost
}

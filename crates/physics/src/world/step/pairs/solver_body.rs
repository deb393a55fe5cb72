//! Data of one body in the pair phase: settings, motion so far, plan, next impact, results.

use super::NO_BODY;
use crate::bounce::Bounce;
use crate::controller::TakeOff;
use crate::event::BodyId;
use crate::motion::{Bounds, Course, Crest, Frame, Shape, Surfaces, Touching, is_touch};
use crate::movement::Hit;
use crate::world::state::Now;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::Position;
use surefoot_geometry::exact::{self, Collider, FlatGap, PairContact};

/// How a body takes part in the pair phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The body is asleep, or stuck in terrain. It stays until something moves it.
    Asleep,
    /// The body collides with no other as far as is known. It moves later by its own tick.
    Alone,
    /// The body collides with others. The phase moves it.
    Collides,
}

/// A straight part of a path, with its times as fractions of the tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    pub(super) begin: f64,
    pub(super) end: f64,
    pub(super) from: Position,
    pub(super) to: Position,
}

impl Leg {
    /// Returns the position at `time`, rounded to units. Before the leg begins, it is the start of the leg, even if
    /// the leg takes no time.
    pub(super) fn position_at(&self, time: f64) -> Position {
        if time >= self.end {
            return self.to;
        }
        let fraction = ((time - self.begin) / (self.end - self.begin)).max(0.0);
        self.from + crate::motion::truncated_fraction_of(self.to - self.from, fraction)
    }
}

/// Planned motion for the rest of the tick, from the body's position at its clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) course: Course,
    /// Velocity where the plan begins.
    pub(super) before: DVec2,
    /// Velocity at the end of the tick.
    pub(super) after: DVec2,
    /// A character's speed along the ground at the end of the tick.
    pub(super) ground: Option<f64>,
    /// The body below that carries this one. Its displacement is part of the course.
    pub(super) base: Option<u32>,
}

impl Plan {
    pub(super) const STAYS: Plan =
        Plan { course: Course::Free(I64Vec2::ZERO), before: DVec2::ZERO, after: DVec2::ZERO, ground: None, base: None };
}

/// The next impact on a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ahead {
    Nothing,
    Terrain,
    /// The [crest](Next::crest) of the floor that the body follows. It comes before terrain that the straight
    /// path hits.
    Crest,
    /// Another body. The normal points from that body to this one. `stamp`: number of the other body's plan.
    Body {
        other: u32,
        normal: DVec2,
        stamp: u32,
    },
}

/// Counts how a body is planned again after one impact.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Planned {
    /// Number of the impact, counted from 1.
    pub(super) turn: u32,
    /// Number of plans since that impact.
    pub(super) times: u32,
    /// The body waits in the queue to be planned.
    pub(super) is_due: bool,
    /// The impact changed the body itself, not only a body that it depends on.
    pub(super) is_struck: bool,
}

/// A body that may collide with others in this tick.
#[derive(Debug)]
pub(in crate::world) struct SolverBody {
    pub(super) given: Given,
    pub(super) start: Start,
    pub(super) stage: Stage,
    pub(super) now: Progress,
    pub(super) next: Next,
    pub(super) impacts: Impacts,
    pub(super) lists: Lists,
    pub(super) outcome: Outcome,
}

/// Settings of the body, and the effects of areas. Constant within the tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub(super) id: BodyId,
    pub(super) slot: u32,
    pub(super) shape: Shape,
    pub(super) collider: Collider,
    /// Order of bodies if nothing else decides: height when the phase begins, in units, then a hash of the body's
    /// properties.
    pub(super) rank: (i64, u64),
    /// Number added to the height when bodies are sorted: 0 for the world's up. Each other direction has a number of
    /// its own.
    pub(super) level: i64,
    /// Direction of up and steepest floor.
    pub(super) upright: Frame,
    pub(super) gravity: DVec2,
    /// Walk speed multiplier by the areas that the body is in.
    pub(super) speed_factor: f64,
    pub(super) mass: f64,
    pub(super) contact: ContactSettings,
    pub(super) is_character: bool,
    pub(super) is_one_way: bool,
    /// The body loses all velocity at an impact.
    pub(super) stops_at_all: bool,
    /// Areas act on the body. It does not fall asleep, since their acceleration may change.
    pub(super) is_in_area: bool,
}

/// How a dynamic body bounces off others and slides on them.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactSettings {
    /// Fraction of the speed into a surface that the body has after the bounce.
    pub(super) bounce: f64,
    pub(super) friction: f64,
    /// Impact speed below which the body does not bounce, and speed below which it stops on a floor.
    pub(super) rest_speed: f64,
}

impl ContactSettings {
    /// Settings of a character, which neither bounces nor slides.
    pub(super) const NONE: ContactSettings = ContactSettings { bounce: 0.0, friction: 0.0, rest_speed: 0.0 };

    /// Returns how the body bounces off surfaces with the default material.
    #[inline]
    pub(super) fn to_bounce(self) -> Bounce {
        Bounce::new(self.bounce, self.friction, self.rest_speed)
    }
}

/// Position and motion when the phase begins, after platforms have moved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Start {
    pub(super) position: Position,
    /// Position when the tick began, before platforms moved the body.
    pub(super) before_platforms: Position,
    /// Velocity in the world, `frame` included.
    pub(super) velocity: DVec2,
    /// Velocity of the platform that the body rides.
    pub(super) frame: DVec2,
    /// Velocity of the ridden platform as reported at the end of the last tick.
    pub(super) last_frame: DVec2,
    /// A character's speed along the ground. `None` in the air.
    pub(super) ground: Option<f64>,
    /// The character jumps or dashes if it stands.
    pub(super) asks_to_jump: bool,
    /// Index of the body's [`Riding`](super::Riding), if the world has platforms.
    pub(super) riding: Option<u32>,
    /// Displacement by which platforms have pushed the body, in units.
    pub(super) pushed: I64Vec2,
    /// Velocity with which the body pushes others, in the world.
    pub(super) push_velocity: DVec2,
    /// Velocity that the body got from platforms that pushed it.
    pub(super) kick: DVec2,
    /// The body lay on another body when the tick began.
    pub(super) was_on_body: bool,
    /// Something touched the body's sides or top when the tick began.
    pub(super) had_sides: bool,
    /// The body overlaps solid terrain. Nothing moves it.
    pub(super) is_stuck: bool,
}

/// How the body takes part in the phase, and which others are near.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) part: Part,
    /// The body takes part only because its own tick would hit the start position of a body that takes part. If it
    /// has no impact, it is left to its own tick again.
    pub(super) is_guess: bool,
    /// The next pass moves the body, together with all that it may hit.
    pub(super) is_open: bool,
    /// The body's own tick was tried only after the first search for collisions.
    pub(super) is_late: bool,
    /// The body's own tick was tried while some chunks may have been missing.
    pub(super) is_doubtful: bool,
    /// While the body stays in these bounds, `near` lists all that it may hit.
    pub(super) zone: Bounds,
    /// The bodies that this one may collide with and whose zones overlap its own, by rank.
    pub(super) near: Vec<u32>,
    /// Bodies removed from `near` that pass through this one for the rest of the tick: one of the two is one-way.
    pub(super) passes: SmallVec<[u32; 4]>,
    /// The body that this character pulls.
    pub(super) pulls: Option<u32>,
    /// Number of the last pushed row that contains the body.
    pub(super) mark: u32,
    /// Number of the last pushed row that the body stands on.
    pub(super) mark_on_top: u32,
}

/// Position and motion at the body's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The moment up to which the body has moved, as a fraction of the tick.
    pub(super) clock: f64,
    pub(super) position: Position,
    /// Velocity in the world.
    pub(super) velocity: DVec2,
    /// Velocity of the platform or body that carries this one.
    pub(super) frame: DVec2,
    pub(super) plan: Plan,
    /// Bounds of the centre for the rest of the tick, in units.
    pub(super) low: I64Vec2,
    pub(super) high: I64Vec2,
    /// A character's speed along its floor. `None` in the air.
    pub(super) ground: Option<f64>,
    /// The character jumps or dashes if it stands.
    pub(super) asks_to_jump: bool,
    /// The run from which the character jumps in this tick.
    pub(super) take_off: Option<TakeOff>,
}

/// The next impact on the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) ahead: Ahead,
    /// The crest, if `ahead` is [`Ahead::Crest`].
    pub(super) crest: Crest,
    /// Time of the impact, as a fraction of the tick.
    pub(super) when: f64,
    /// Number of the plan. An impact found for an earlier plan no longer counts.
    pub(super) stamp: u32,
}

/// Effects of impacts on the body so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Impacts {
    pub(super) count: u32,
    /// The body was hit, supports another one or is supported by one.
    pub(super) has_collided: bool,
    /// Something has moved the body. If it was asleep, it is awake now.
    pub(super) is_awake: bool,
    /// The body stays where it is for the rest of the tick: it had as many impacts as a tick allows, or an impact
    /// stops it completely.
    pub(super) is_done: bool,
    /// A body above has kept this one from rising.
    pub(super) was_held_down: bool,
    pub(super) planned: Planned,
    /// What the body was lifted onto by a few units: another body, or terrain for `Some(None)`.
    pub(super) stepped_on: Option<Option<u32>>,
    /// The character that pushes the body, and the direction.
    pub(super) pushed_by: Option<(u32, I64Vec2)>,
    /// The character pulls a body that cannot follow in this tick.
    pub(super) pull_is_blocked: bool,
}

/// Lists of one tick. Each keeps its memory for the next one.
#[derive(Debug)]
pub(super) struct Lists {
    /// Surfaces of terrain and platforms that touch the body at `touched_at`.
    pub(super) touched: Surfaces,
    pub(super) touched_at: Option<Position>,
    /// Bodies that stop this one for the rest of the tick while the two touch. The normal points from such a body to
    /// this one.
    pub(super) stopped_by: SmallVec<[(u32, I64Vec2); 4]>,
    /// The bodies that this one rolls on, with the height above each when the plan was made, in units.
    pub(super) rolls_on: SmallVec<[(u32, f64); 4]>,
    /// The straight parts of the path.
    pub(super) legs: Vec<Leg>,
    pub(super) hits: Vec<Hit>,
    /// Hits with other bodies, for events.
    pub(super) body_hits: Vec<BodyHit>,
    /// Bodies that began to touch this one.
    pub(super) began: Vec<BodyId>,
    /// Bodies that no longer touch this one.
    pub(super) ended: Vec<BodyId>,
}

/// State at the end of the tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    /// Sides on which something touches the body.
    pub(super) sides: Touching,
    pub(super) stands_on_floor: bool,
    /// Ticks for which the body has been quiet, see [`Now::quiet`](crate::world::state::Now::quiet).
    pub(super) quiet: u8,
}

/// A hit with another body, for an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyHit {
    pub(super) other: BodyId,
    pub(super) normal: DVec2,
    pub(super) speed: f64,
    /// The hit is a push that was refused.
    pub(super) is_refused: bool,
}

impl Given {
    /// Returns the height of a position along the body's up, in units, for sorting.
    #[inline(always)]
    pub(super) fn height_at(&self, position: Position) -> i64 {
        self.level + position.units().dot(self.upright.up_axis())
    }
}

impl SolverBody {
    /// Returns the position at the body's clock.
    pub(in crate::world) fn position(&self) -> Position {
        self.now.position
    }

    /// Returns whether the body overlaps another one at a distance of `offset` between their centres.
    #[inline(always)]
    pub(super) fn overlaps(&self, other: &SolverBody, offset: I64Vec2) -> bool {
        exact::overlaps(self.given.collider, other.given.collider, offset)
    }

    /// Returns the height of the body at its clock, see [`Given::height_at`].
    #[inline(always)]
    pub(super) fn height(&self) -> i64 {
        self.given.height_at(self.now.position)
    }

    /// Returns the contact with another body, see [`exact::contact`].
    #[inline(always)]
    pub(super) fn contact(&self, other: &SolverBody, offset: I64Vec2) -> Option<PairContact> {
        exact::contact(self.given.collider, other.given.collider, offset)
    }

    /// Returns the contact with another body, if their sides touch or round parts are within touching distance.
    #[inline(always)]
    pub(super) fn touching_contact(&self, other: &SolverBody, offset: I64Vec2) -> Option<PairContact> {
        self.contact(other, offset).filter(is_touch)
    }

    /// Returns the gap to another body that faces a flat side.
    #[inline(always)]
    pub(super) fn flat_gap(&self, other: &SolverBody, offset: I64Vec2) -> Option<FlatGap> {
        exact::flat_gap(self.given.collider, other.given.collider, offset)
    }

    /// Returns whether the phase moves the body.
    #[inline]
    pub(super) fn is_moved_by_phase(&self) -> bool {
        self.stage.part == Part::Collides || self.impacts.is_awake
    }

    /// Returns whether the impacts of other bodies cannot move this one.
    pub(super) fn is_immovable(&self) -> bool {
        let hangs = self.impacts.is_done && self.given.gravity != DVec2::ZERO;
        self.given.is_character || self.start.is_stuck || hangs
    }

    /// Returns whether the body follows its floor: its plan walks, or a character pushes it.
    pub(super) fn keeps_to_floor(&self) -> bool {
        self.now.plan.ground.is_some() || self.impacts.pushed_by.is_some()
    }

    /// Returns whether the body stays where it is for the rest of the tick.
    #[inline]
    pub(super) fn stays_in_place(&self) -> bool {
        !self.is_moved_by_phase() || self.impacts.is_done
    }

    /// Returns whether the body's velocity at the end of the tick is relative to a body below it. `ridden`: velocity
    /// of the platform that the body rides.
    pub(super) fn is_on_body(&self, ridden: DVec2) -> bool {
        // A sleeping body has the velocity of its support, even if its last plan had another base.
        self.now.plan.base.is_some() || (self.outcome.quiet == Now::AT_REST && self.now.frame != ridden)
    }

    /// Returns whether other bodies blocked the jump of a character, so that the character still stands.
    pub(super) fn has_blocked_jump(&self) -> bool {
        let was_blocked = self.impacts.was_held_down || self.impacts.is_done;
        self.start.asks_to_jump && self.start.ground.is_some() && self.outcome.stands_on_floor && was_blocked
    }

    /// Returns the position at `time`. Before the body's clock it is the position at the clock.
    #[inline]
    pub(super) fn position_at(&self, time: f64) -> Position {
        let left = 1.0 - self.now.clock;
        if time <= self.now.clock || left <= 0.0 {
            return self.now.position;
        }
        if time >= 1.0 {
            return self.end_position();
        }
        self.now.position + self.now.plan.course.displacement_until((time - self.now.clock) / left)
    }

    /// Returns the position at the end of the plan.
    #[inline]
    pub(super) fn end_position(&self) -> Position {
        self.now.position + self.now.plan.course.displacement()
    }

    /// Returns whether the body keeps at least `margin` from another shape for the rest of the tick. `half`:
    /// half-extents of that shape; `low` and `high`: bounds of its centre, in units.
    #[inline]
    pub(super) fn keeps_margin_from(&self, half: I64Vec2, (low, high): (I64Vec2, I64Vec2), margin: i64) -> bool {
        let reach = half + self.given.shape.half_units() + margin;
        ((low - self.now.high).cmpge(reach) | (self.now.low - high).cmpge(reach)).any()
    }

    /// Updates `low` and `high` after the position or the plan has changed.
    #[inline]
    pub(super) fn update_bounds(&mut self) {
        let (here, end) = (self.now.position.units(), self.end_position().units());
        (self.now.low, self.now.high) = (here.min(end), here.max(end));
    }

    /// Returns the velocity at `time`. Along the acceleration, it interpolates the square of the speed, which is
    /// proportional to the distance. So the energy depends only on the position.
    pub(super) fn velocity_at(&self, time: f64) -> DVec2 {
        let left = 1.0 - self.now.clock;
        if left <= 0.0 || time <= self.now.clock {
            return self.now.velocity;
        }
        let (before, after) = (self.now.plan.before, self.now.plan.after);
        let change = after - before;
        if change == DVec2::ZERO {
            return before;
        }
        let fraction = ((time - self.now.clock) / left).min(1.0);
        let along = change / change.length();
        let (first, last) = (before.dot(along), after.dot(along));
        let square = first * first + fraction * (last * last - first * first);
        let speed = if first >= 0.0 {
            square.sqrt()
        } else if last <= 0.0 {
            -square.sqrt()
        } else {
            first + fraction * (last - first)
        };
        before + along * (speed - first)
    }

    /// Resets the body to the beginning of the tick. Call
    /// [`SolverBodies::reset_to_tick_start`](super::solver_bodies::SolverBodies::reset_to_tick_start), which also
    /// restores `near`.
    pub(super) fn reset_to_tick_start(&mut self) {
        self.now = Progress::at_start(&self.start);
        (self.next, self.impacts) = (Next::NONE, Impacts::default());
        self.lists.clear(self.stage.part == Part::Alone);
    }

    /// Returns an unused body, with room for what most bodies need.
    pub(super) fn empty() -> SolverBody {
        let start = Start::default();
        SolverBody {
            given: Given {
                id: BodyId::default(),
                slot: NO_BODY,
                shape: Shape::circle_units(1),
                collider: Collider::Circle { radius: 1 },
                rank: (0, 0),
                level: 0,
                upright: Frame::default(),
                gravity: DVec2::ZERO,
                speed_factor: 1.0,
                mass: 1.0,
                contact: ContactSettings::NONE,
                is_character: false,
                is_one_way: false,
                stops_at_all: false,
                is_in_area: false,
            },
            start,
            stage: Stage {
                part: Part::Alone,
                is_guess: false,
                is_open: false,
                is_late: false,
                is_doubtful: false,
                zone: Bounds::NONE,
                near: Vec::with_capacity(128),
                passes: SmallVec::new(),
                pulls: None,
                mark: 0,
                mark_on_top: 0,
            },
            now: Progress::at_start(&start),
            next: Next::NONE,
            impacts: Impacts::default(),
            lists: Lists {
                touched: Surfaces::new(),
                touched_at: None,
                stopped_by: SmallVec::new(),
                rolls_on: SmallVec::new(),
                legs: Vec::with_capacity(32),
                hits: Vec::with_capacity(16),
                body_hits: Vec::with_capacity(32),
                began: Vec::with_capacity(32),
                ended: Vec::with_capacity(32),
            },
            outcome: Outcome::default(),
        }
    }
}

impl Progress {
    /// Progress at the beginning of the phase.
    fn at_start(start: &Start) -> Progress {
        let units = start.position.units();
        Progress {
            clock: 0.0,
            position: start.position,
            velocity: start.velocity,
            frame: start.frame,
            plan: Plan::STAYS,
            low: units,
            high: units,
            ground: start.ground,
            asks_to_jump: start.asks_to_jump,
            take_off: None,
        }
    }
}

impl Next {
    const NONE: Next = Next { ahead: Ahead::Nothing, crest: Crest::NONE, when: f64::INFINITY, stamp: 0 };
}

impl Lists {
    /// Clears the lists. A body that is left to its own tick keeps the path that was recorded for it.
    fn clear(&mut self, keeps_legs: bool) {
        self.touched_at = None;
        self.stopped_by.clear();
        self.rolls_on.clear();
        if !keeps_legs {
            self.legs.clear();
        }
        self.hits.clear();
        self.body_hits.clear();
        self.began.clear();
        self.ended.clear();
    }
}

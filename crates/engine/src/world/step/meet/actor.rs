//! A body in the pair phase: where it is at each moment of the tick, as far as that is planned.

use crate::event::BodyId;
use crate::motion::{Bounds, Course, Crest, Shape, Surfaces, Touching};
use crate::movement::Hit;
use crate::walker::TakeOff;
use crate::world::state::Now;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::Position;
use surefoot_geometry::exact::Collider;

/// What part a body takes in the pair phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// It is at rest among others: it stands still until something moves it.
    Rests,
    /// It meets no other as far as is known: its own move is made later, as if it were alone.
    Alone,
    /// It meets others: it is moved here.
    Meets,
}

/// A straight part of a body's way, from a moment of the tick to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    pub(super) begin: f64,
    pub(super) end: f64,
    pub(super) from: Position,
    pub(super) to: Position,
}

impl Leg {
    /// Where the body is at a moment of the leg, to the unit.
    pub(super) fn at(&self, time: f64) -> Position {
        if time >= self.end {
            return self.to;
        }
        let fraction = (time - self.begin) / (self.end - self.begin);
        self.from + crate::motion::truncated(self.to - self.from, fraction)
    }
}

/// What is planned for the rest of the tick: straight on from where the body was at its clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) course: Course,
    /// The velocity at its beginning and at its end.
    pub(super) before: DVec2,
    pub(super) after: DVec2,
    /// A character's speed along the ground at its end.
    pub(super) ground: Option<f64>,
    /// The body that it rests on, whose displacement is in the course.
    pub(super) base: Option<u32>,
}

impl Plan {
    pub(super) const STAYS: Plan =
        Plan { course: Course::Free(I64Vec2::ZERO), before: DVec2::ZERO, after: DVec2::ZERO, ground: None, base: None };
}

/// What a body meets next on its plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ahead {
    Nothing,
    Terrain,
    /// The [crest](Actor::crest) of the floor that the body goes along, before terrain that the straight way leads into.
    Crest,
    /// Another body; the normal points from it to this one.
    Body {
        other: u32,
        normal: DVec2,
        stamp: u32,
    },
}

/// How a body was planned anew after an impact.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Planned {
    /// Which impact, counted from 1.
    pub(super) turn: u32,
    /// How often.
    pub(super) times: u32,
    /// It is to be planned, once more perhaps.
    pub(super) is_due: bool,
    /// The impact has changed the body itself.
    pub(super) is_struck: bool,
}

/// A body that others may meet.
#[derive(Debug)]
pub(in crate::world) struct Actor {
    pub(super) id: BodyId,
    pub(super) slot: u32,
    pub(super) shape: Shape,
    pub(super) collider: Collider,
    pub(super) part: Part,
    /// It takes part because its own tick would lead into where one that takes part began, and is left alone if nothing comes of that.
    pub(super) is_guess: bool,
    /// It is still to be moved, with all that it may meet.
    pub(super) is_open: bool,
    /// Its tick was made on trial after the first look for bodies that meet.
    pub(super) is_late: bool,
    /// Its tick was made on trial over what may not have been loaded.
    pub(super) is_doubtful: bool,
    /// Where nothing else has to be looked for while it stays within.
    pub(super) zone: Bounds,
    /// The bodies whose zones meet its own and which it is to meet, in the order of all.
    pub(super) near: Vec<u32>,
    /// Bodies among them that it passes through for the rest of the tick: one of the two is one-way.
    pub(super) passes: SmallVec<[u32; 4]>,
    /// What platforms have done to it, if any are near.
    pub(super) riding: Option<u32>,
    /// Where it is when the phase begins, and its velocity in the world then.
    pub(super) start: Position,
    /// Where it was when the tick began, before platforms have moved it.
    pub(super) came_from: Position,
    pub(super) begins_with: DVec2,
    /// How fast what it rides goes; that is part of `velocity` here.
    pub(super) first_frame: DVec2,
    /// How fast what it rides went, as its velocity was told when the last tick ended.
    pub(super) last_frame: DVec2,
    /// How far platforms have pushed it before, in units.
    pub(super) pushed: I64Vec2,
    /// How fast it pushes on what it is pushed into, in the world.
    pub(super) pushes_at: DVec2,
    /// What that push gave it of velocity.
    pub(super) kick: DVec2,
    /// It lay on another body when the phase began.
    pub(super) was_on_body: bool,
    pub(super) gravity: DVec2,
    pub(super) speed_factor: f64,
    pub(super) mass: f64,
    pub(super) bounce: f64,
    pub(super) friction: f64,
    pub(super) rest_speed: f64,
    /// How high it is when the phase begins, in units, and a number made of what it is: decide which of two comes first where
    /// nothing else does.
    pub(super) rank: (i64, u64),
    pub(super) is_character: bool,
    pub(super) is_one_way: bool,
    pub(super) stops_at_all: bool,
    /// Areas act on it: it does not come to rest, since what draws it may change.
    pub(super) is_in_area: bool,
    /// It is stuck in the terrain: nothing moves it.
    pub(super) is_stuck: bool,
    pub(super) first_ground: Option<f64>,
    pub(super) first_asks: bool,
    /// For how long it has been quiet, see [`Now::quiet`](crate::world::state::Now::quiet).
    pub(super) quiet: u8,

    /// From here on: how far the tick is made. The moment, where the body is then and how fast in the world.
    pub(super) clock: f64,
    pub(super) position: Position,
    pub(super) velocity: DVec2,
    pub(super) frame: DVec2,
    pub(super) plan: Plan,
    /// The run from which a character has jumped in this tick.
    pub(super) take_off: Option<TakeOff>,
    /// The bounds of its centre for the rest of the tick, in units.
    pub(super) low: I64Vec2,
    pub(super) high: I64Vec2,
    /// It has been met, holds another one or is held by one.
    pub(super) has_met: bool,
    /// Something has moved it: what was at rest is awake.
    pub(super) is_awake: bool,
    /// It has had as many impacts as a tick allows, and stays where it is.
    pub(super) is_done: bool,
    pub(super) impacts: u32,
    /// Names its plan.
    pub(super) stamp: u32,
    pub(super) planned: Planned,
    pub(super) ahead: Ahead,
    /// The crest that is ahead, if one is.
    pub(super) crest: Crest,
    pub(super) when: f64,
    /// A character's speed along what it stands on.
    pub(super) ground: Option<f64>,
    /// A character jumps if it stands.
    pub(super) asks_to_jump: bool,
    /// What it touches of the terrain and of platforms where it is.
    pub(super) touched: Surfaces,
    /// Where that was looked for.
    pub(super) looked: Option<Position>,
    /// What holds it back for the rest of the tick while they touch: the other and the normal from it.
    pub(super) stopped_by: SmallVec<[(u32, I64Vec2); 4]>,
    /// Another body above has held it back in this tick.
    pub(super) was_held_down: bool,
    /// The bodies on which it rolled when it was planned, and how far above them it was then, in units.
    pub(super) rolls_on: SmallVec<[(u32, f64); 4]>,
    /// What it has been lifted on to by units in this tick: another body, or the terrain.
    pub(super) stepped_on: Option<Option<u32>>,
    /// The character that pushes it and which way.
    pub(super) pushed_by: Option<(u32, I64Vec2)>,
    /// The body that it pulls, if it is a character; and whether that does not come along in this tick.
    pub(super) pulls: Option<u32>,
    pub(super) pulls_in_vain: bool,
    /// When it was last listed in a row, and when as standing on it.
    pub(super) mark: u32,
    pub(super) mark_on_top: u32,
    /// Which sides touch something at the end, and whether it stands then.
    pub(super) sides: Touching,
    pub(super) stands_on_floor: bool,
    /// Walls or a ceiling touched it when the tick began.
    pub(super) had_sides: bool,
    pub(super) legs: Vec<Leg>,
    pub(super) hits: Vec<Hit>,
    pub(super) met: Vec<Met>,
    /// Others that it has come to touch in the tick, and those that it touches no more.
    pub(super) began: Vec<BodyId>,
    pub(super) ended: Vec<BodyId>,
}

/// Another body that was run into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub(super) other: BodyId,
    pub(super) normal: DVec2,
    pub(super) speed: f64,
    pub(super) is_refused: bool,
}

impl Actor {
    /// Where it is.
    pub(in crate::world) fn position(&self) -> Position {
        self.position
    }

    /// Whether it is moved here.
    #[inline]
    pub(super) fn moves(&self) -> bool {
        self.part == Part::Meets || self.is_awake
    }

    /// Whether its place at the rest of the tick is that of now.
    #[inline]
    pub(super) fn stands(&self) -> bool {
        !self.moves() || self.is_done
    }

    /// Whether the tick ends with its velocity relative to a body that it lies on. `ridden`: how fast goes what it rides of
    /// platforms.
    pub(super) fn is_on_body(&self, ridden: DVec2) -> bool {
        // At rest it goes as fast as what it lies on, whatever has become of its last plan.
        self.plan.base.is_some() || (self.quiet == Now::AT_REST && self.frame != ridden)
    }

    /// Whether a character was to jump off the ground and still stands, because other bodies were in the way of the jump.
    pub(super) fn has_blocked_jump(&self) -> bool {
        let was_blocked = self.was_held_down || self.is_done;
        self.first_asks && self.first_ground.is_some() && self.stands_on_floor && was_blocked
    }

    /// Where it is at a moment that is not before its clock.
    #[inline]
    pub(super) fn at(&self, time: f64) -> Position {
        let left = 1.0 - self.clock;
        if time <= self.clock || left <= 0.0 {
            return self.position;
        }
        if time >= 1.0 {
            return self.end();
        }
        self.position + self.plan.course.part((time - self.clock) / left)
    }

    /// Where it ends the tick.
    #[inline]
    pub(super) fn end(&self) -> Position {
        self.position + self.plan.course.displacement()
    }

    /// Whether a shape with its centre within those bounds, in units, does not come nearer to it than a margin for the rest of the
    /// tick, whatever the moment.
    #[inline]
    pub(super) fn stays_off(&self, half: I64Vec2, (low, high): (I64Vec2, I64Vec2), margin: i64) -> bool {
        let reach = half + self.shape.half_units() + margin;
        ((low - self.high).cmpge(reach) | (self.low - high).cmpge(reach)).any()
    }

    /// Notes where the rest of its way is, after that has changed.
    #[inline]
    pub(super) fn bound_way(&mut self) {
        let (here, end) = (self.position.units(), self.end().units());
        (self.low, self.high) = (here.min(end), here.max(end));
    }

    /// How fast it is at a moment that is not before its clock. Along the acceleration the square is interpolated by place, so
    /// that energy belongs to the place.
    pub(super) fn velocity_at(&self, time: f64) -> DVec2 {
        let left = 1.0 - self.clock;
        if left <= 0.0 || time <= self.clock {
            return self.velocity;
        }
        let (before, after) = (self.plan.before, self.plan.after);
        let change = after - before;
        if change == DVec2::ZERO {
            return before;
        }
        let fraction = ((time - self.clock) / left).min(1.0);
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

    /// Begins the tick anew. What it has passed through is near it again, see [`Actors::begin`](super::actors::Actors::begin).
    pub(super) fn begin(&mut self) {
        (self.clock, self.position, self.velocity, self.plan) = (0.0, self.start, self.begins_with, Plan::STAYS);
        self.bound_way();
        (self.is_awake, self.is_done, self.has_met, self.impacts) = (false, false, false, 0);
        (self.stamp, self.planned, self.take_off) = (0, Planned::default(), None);
        (self.ahead, self.when) = (Ahead::Nothing, f64::INFINITY);
        (self.ground, self.asks_to_jump, self.frame) = (self.first_ground, self.first_asks, self.first_frame);
        (self.pushed_by, self.looked, self.stepped_on) = (None, None, None);
        self.pulls_in_vain = false;
        self.stopped_by.clear();
        self.was_held_down = false;
        self.rolls_on.clear();
        if self.part != Part::Alone {
            self.legs.clear();
        }
        self.hits.clear();
        self.met.clear();
        self.began.clear();
        self.ended.clear();
    }
}

/// The shape of a body as pair sweeps have it.
pub(in crate::world) fn collider(shape: Shape) -> Collider {
    let half = shape.half_units();
    if shape.is_circle() { Collider::Circle { radius: half.x } } else { Collider::Aabb { half } }
}

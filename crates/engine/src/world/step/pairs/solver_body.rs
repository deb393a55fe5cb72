//! A body in the pair phase: where it is at each moment of the tick, as far as that is planned.

use super::NO_BODY;
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
    Asleep,
    /// It meets no other as far as is known: its own move is made later, as if it were alone.
    Alone,
    /// It meets others: it is moved here.
    Collides,
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
    /// The [crest](SolverBody::crest) of the floor that the body goes along, before terrain that the straight way leads into.
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

/// What the phase takes from the body's settings and areas. Nothing changes it within the tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub(super) id: BodyId,
    pub(super) slot: u32,
    pub(super) shape: Shape,
    pub(super) collider: Collider,
    /// Height when the phase begins, in units, and a number made of the body's properties. Bodies are taken in this order
    /// where nothing else decides.
    pub(super) rank: (i64, u64),
    pub(super) gravity: DVec2,
    pub(super) speed_factor: f64,
    pub(super) mass: f64,
    pub(super) bounce: f64,
    pub(super) friction: f64,
    pub(super) rest_speed: f64,
    pub(super) is_character: bool,
    pub(super) is_one_way: bool,
    pub(super) stops_at_all: bool,
    /// Areas act on the body. It does not fall asleep, since their acceleration may change.
    pub(super) is_in_area: bool,
}

/// Position and motion when the phase begins, after platforms have moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) position: Position,
    /// Position when the tick began, before platforms moved the body.
    pub(super) before_platforms: Position,
    /// Velocity in the world, `frame` included.
    pub(super) velocity: DVec2,
    /// Velocity of the platform that the body rides.
    pub(super) frame: DVec2,
    /// Velocity of the ridden platform as it was reported when the last tick ended.
    pub(super) last_frame: DVec2,
    /// A character's speed along the ground, if it stands on any.
    pub(super) ground: Option<f64>,
    /// The character jumps if it stands.
    pub(super) asks_to_jump: bool,
    /// Index of what platforms have done to the body, if any are near.
    pub(super) riding: Option<u32>,
    /// Displacement by which platforms have pushed the body, in units.
    pub(super) pushed: I64Vec2,
    /// Velocity with which the body pushes on others, in the world.
    pub(super) push_velocity: DVec2,
    /// Velocity that the body got from platforms that pushed it.
    pub(super) kick: DVec2,
    /// The body lay on another body.
    pub(super) was_on_body: bool,
    /// Walls or a ceiling touched the body when the tick began.
    pub(super) had_sides: bool,
    /// The body overlaps solid terrain. Nothing moves it.
    pub(super) is_stuck: bool,
}

/// What part the body takes in the phase, and which others are near.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) part: Part,
    /// The body takes part because its own tick would lead into the start of another one that takes part. It is left alone
    /// if no impact follows.
    pub(super) is_guess: bool,
    /// The body is still to be moved, with all that it may hit.
    pub(super) is_open: bool,
    /// Its own tick was tried after the first search for collisions.
    pub(super) is_late: bool,
    /// Its own tick was tried over chunks that may not have been loaded.
    pub(super) is_doubtful: bool,
    /// While the body stays within, all that it may hit is listed in `near`.
    pub(super) zone: Bounds,
    /// The bodies that this one may collide with and whose zones meet its own, by rank.
    pub(super) near: Vec<u32>,
    /// Bodies out of `near` that it passes through for the rest of the tick, as one of the two is one-way.
    pub(super) passes: SmallVec<[u32; 4]>,
    /// The body that a character pulls.
    pub(super) pulls: Option<u32>,
    /// Numbers of the last pushed row that lists the body, and of the last one that lists it as standing on top.
    pub(super) mark: u32,
    pub(super) mark_on_top: u32,
}

/// Position and motion at the moment up to which the tick is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The moment, as a fraction of the tick.
    pub(super) clock: f64,
    pub(super) position: Position,
    /// Velocity in the world.
    pub(super) velocity: DVec2,
    /// Velocity of what the body rides.
    pub(super) frame: DVec2,
    pub(super) plan: Plan,
    /// Bounds of the centre for the rest of the tick, in units.
    pub(super) low: I64Vec2,
    pub(super) high: I64Vec2,
    /// A character's speed along its floor.
    pub(super) ground: Option<f64>,
    /// The character jumps if it stands.
    pub(super) asks_to_jump: bool,
    /// The run from which a character has jumped in this tick.
    pub(super) take_off: Option<TakeOff>,
}

/// The next impact on the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) ahead: Ahead,
    /// The crest ahead, if `ahead` is one.
    pub(super) crest: Crest,
    pub(super) when: f64,
    /// Number of the plan. An impact found for an earlier plan no longer counts.
    pub(super) stamp: u32,
}

/// What impacts have done to the body so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Impacts {
    pub(super) count: u32,
    /// The body was hit, supports another one or is supported by one.
    pub(super) has_collided: bool,
    /// Something has moved the body: if it was asleep, it is awake.
    pub(super) is_awake: bool,
    /// The body has had as many impacts as a tick allows, and stays where it is.
    pub(super) is_done: bool,
    /// Another body above has held the body back.
    pub(super) was_held_down: bool,
    pub(super) planned: Planned,
    /// The body or the terrain on which it was lifted by units.
    pub(super) stepped_on: Option<Option<u32>>,
    /// The character that pushes the body, and the direction.
    pub(super) pushed_by: Option<(u32, I64Vec2)>,
    /// The pulled body does not come along in this tick.
    pub(super) pulls_in_vain: bool,
}

/// Lists of one tick. Each keeps its memory for the next one.
#[derive(Debug)]
pub(super) struct Lists {
    /// The surfaces of terrain and platforms that the body touches at `touched_at`.
    pub(super) touched: Surfaces,
    pub(super) touched_at: Option<Position>,
    /// Bodies that stop this one for the rest of the tick while the two touch, with the normal from them.
    pub(super) stopped_by: SmallVec<[(u32, I64Vec2); 4]>,
    /// The bodies on which this one rolls on its plan, with the height above each when it was planned, in units.
    pub(super) rolls_on: SmallVec<[(u32, f64); 4]>,
    /// The straight parts of the path.
    pub(super) legs: Vec<Leg>,
    pub(super) hits: Vec<Hit>,
    pub(super) met: Vec<BodyHit>,
    /// Bodies that this one has come to touch, and those that it no longer touches.
    pub(super) began: Vec<BodyId>,
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

/// Another body that was run into.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyHit {
    pub(super) other: BodyId,
    pub(super) normal: DVec2,
    pub(super) speed: f64,
    pub(super) is_refused: bool,
}

impl SolverBody {
    /// Where it is.
    pub(in crate::world) fn position(&self) -> Position {
        self.now.position
    }

    /// Whether it is moved here.
    #[inline]
    pub(super) fn moves(&self) -> bool {
        self.stage.part == Part::Collides || self.impacts.is_awake
    }

    /// Whether its place at the rest of the tick is that of now.
    #[inline]
    pub(super) fn stands(&self) -> bool {
        !self.moves() || self.impacts.is_done
    }

    /// Whether the tick ends with its velocity relative to a body that it lies on. `ridden`: how fast goes what it rides of
    /// platforms.
    pub(super) fn is_on_body(&self, ridden: DVec2) -> bool {
        // At rest it goes as fast as what it lies on, whatever has become of its last plan.
        self.now.plan.base.is_some() || (self.outcome.quiet == Now::AT_REST && self.now.frame != ridden)
    }

    /// Whether a character was to jump off the ground and still stands, because other bodies were in the way of the jump.
    pub(super) fn has_blocked_jump(&self) -> bool {
        let was_blocked = self.impacts.was_held_down || self.impacts.is_done;
        self.start.asks_to_jump && self.start.ground.is_some() && self.outcome.stands_on_floor && was_blocked
    }

    /// Where it is at a moment that is not before its clock.
    #[inline]
    pub(super) fn at(&self, time: f64) -> Position {
        let left = 1.0 - self.now.clock;
        if time <= self.now.clock || left <= 0.0 {
            return self.now.position;
        }
        if time >= 1.0 {
            return self.end();
        }
        self.now.position + self.now.plan.course.part((time - self.now.clock) / left)
    }

    /// Where it ends the tick.
    #[inline]
    pub(super) fn end(&self) -> Position {
        self.now.position + self.now.plan.course.displacement()
    }

    /// Whether a shape with its centre within those bounds, in units, does not come nearer to it than a margin for the rest of the
    /// tick, whatever the moment.
    #[inline]
    pub(super) fn stays_off(&self, half: I64Vec2, (low, high): (I64Vec2, I64Vec2), margin: i64) -> bool {
        let reach = half + self.given.shape.half_units() + margin;
        ((low - self.now.high).cmpge(reach) | (self.now.low - high).cmpge(reach)).any()
    }

    /// Notes where the rest of its way is, after that has changed.
    #[inline]
    pub(super) fn update_bounds(&mut self) {
        let (here, end) = (self.now.position.units(), self.end().units());
        (self.now.low, self.now.high) = (here.min(end), here.max(end));
    }

    /// How fast it is at a moment that is not before its clock. Along the acceleration the square is interpolated by place, so
    /// that energy belongs to the place.
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

    /// Begins the tick again. [`SolverBodies::begin`](super::solver_bodies::SolverBodies::begin) lists what the body has passed through as near.
    pub(super) fn begin(&mut self) {
        self.now = Progress::at(&self.start);
        (self.next, self.impacts) = (Next::NONE, Impacts::default());
        self.lists.clear(self.stage.part == Part::Alone);
    }

    /// Returns an unused body, with room for what most bodies need.
    pub(super) fn empty() -> SolverBody {
        let start = Start {
            position: Position::ORIGIN,
            before_platforms: Position::ORIGIN,
            velocity: DVec2::ZERO,
            frame: DVec2::ZERO,
            last_frame: DVec2::ZERO,
            ground: None,
            asks_to_jump: false,
            riding: None,
            pushed: I64Vec2::ZERO,
            push_velocity: DVec2::ZERO,
            kick: DVec2::ZERO,
            was_on_body: false,
            had_sides: false,
            is_stuck: false,
        };
        SolverBody {
            given: Given {
                id: BodyId::default(),
                slot: NO_BODY,
                shape: Shape::circle_units(1),
                collider: Collider::Circle { radius: 1 },
                rank: (0, 0),
                gravity: DVec2::ZERO,
                speed_factor: 1.0,
                mass: 1.0,
                bounce: 0.0,
                friction: 0.0,
                rest_speed: 0.0,
                is_character: false,
                is_one_way: false,
                stops_at_all: false,
                is_in_area: false,
            },
            start: start,
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
            now: Progress::at(&start),
            next: Next::NONE,
            impacts: Impacts::default(),
            lists: Lists {
                touched: Surfaces::new(),
                touched_at: None,
                stopped_by: SmallVec::new(),
                rolls_on: SmallVec::new(),
                legs: Vec::with_capacity(32),
                hits: Vec::with_capacity(16),
                met: Vec::with_capacity(32),
                began: Vec::with_capacity(32),
                ended: Vec::with_capacity(32),
            },
            outcome: Outcome::default(),
        }
    }
}

impl Progress {
    /// The beginning of the phase.
    fn at(start: &Start) -> Progress {
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
    /// Empties the lists. A body that moves alone keeps the path that its own tick has tried.
    fn clear(&mut self, keeps_legs: bool) {
        self.touched_at = None;
        self.stopped_by.clear();
        self.rolls_on.clear();
        if !keeps_legs {
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

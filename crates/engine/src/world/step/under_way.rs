//! A body's tick in parts: begun, then advanced up to a limit as often as it takes.
//!
//! What is left of the tick is a small value: the legs of a walk, the rounds of a slide, the seconds of a bounce. A
//! part ends before a round or a leg of which something is missing, or in the middle of one whose moment has come.
//! Nothing of it has counted then. The next part begins with the same round or leg, so that cuts leave no trace: a tick
//! in any parts ends with the bits of a tick in one piece.
//!
//! At a moment the body is on a straight part of its way, at a place that was swept clean like any other. It can go on
//! with what is left from there or from another place ([`Tick::take_up`]).

use super::super::BodyState;
use super::{StepScratch, Tick, within_limits};
use crate::ballistic;
use crate::event::BodyId;
use crate::motion::{Cut, Held, Limit, Path, Probe, Surfaces, Touch, Toucher};
use crate::movement::{Hit, Hits, Movement};
use crate::walker::{self, Intent, Walker};
use glam::DVec2;
use surefoot_geometry::Position;

/// A body's tick under way.
#[derive(Debug)]
pub(in crate::world) struct UnderWay {
    way: Way,
    /// Where the last round or leg has ended.
    position: Position,
    /// The velocity in tiles per second: of a bounce at that moment, else at the end of what is left.
    velocity: DVec2,
    /// The speed along the ground, while it is on it.
    ground: Option<f64>,
    /// The velocity when the tick began.
    start: DVec2,
    /// Whether the list of what is touched was looked at again, and whether other sides may touch something.
    news: (bool, bool),
    /// Whether a jump off a slope has taken the speed along of the run up it.
    took_run: bool,
    lists: Lists,
}

/// What a body has still to do.
#[derive(Debug)]
enum Way {
    Stuck,
    Walk(walker::Way),
    Throw(ballistic::Way),
}

/// The lists of a body's tick under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    held: Held,
    touched: Surfaces,
    path: Path,
    hits: Vec<Hit>,
}

impl Lists {
    /// Changes places with those that a step uses.
    fn swap(&mut self, scratch: &mut StepScratch) {
        self.held.swap(&mut scratch.probe);
        std::mem::swap(&mut self.touched, &mut scratch.touched);
        std::mem::swap(&mut self.path, &mut scratch.path);
        std::mem::swap(&mut self.hits, &mut scratch.hits);
    }
}

impl Tick<'_> {
    /// Begins a body's tick: what it has to do in it. Nothing but what it touches is looked at.
    pub(in crate::world) fn begin(&mut self, state: &mut BodyState, scratch: &mut StepScratch) -> UnderWay {
        self.begin_tick(state, scratch);
        let drops = state.drops();
        let lists = std::mem::take(&mut scratch.lists);
        let BodyState { kind, now, cold, .. } = state;
        let start = now.velocity;
        let Some(cold) = cold.as_mut().filter(|_| !now.stuck) else {
            let (position, news) = (now.position, (false, false));
            let (way, took_run) = (Way::Stuck, false);
            return UnderWay { way, position, velocity: start, ground: None, start, news, took_run, lists };
        };
        cold.near.open(&mut scratch.room);
        let own = if drops { &mut scratch.near } else { &mut cold.near };
        let scene = if drops { &self.dropped() } else { &self.scene };
        let mut probe = Probe::new(scene, kind.shape, own, &mut scratch.probe);
        let mut touch = Touch::begin(&cold.touched, &mut scratch.touched);
        let on_floor = !drops || probe.dropped(now.position, &mut touch);
        let mut ground = if on_floor && !self.is_lifted::<false>(kind) { now.footing.speed() } else { None };
        let toucher = Toucher { shape: &kind.shape, frame: &scene.frame, faces: now.facing as i8 };
        let hits = Hits { known: touch.before, start, toucher, list: &mut scratch.hits };
        let (position, path, took_run) = (now.position, &mut scratch.path, false);
        let mut movement = Movement { position, velocity: start, path, touch, hits, took_run };
        let way = match &kind.character {
            Some(character) => {
                let touched = (movement.touch.now(), cold.timers.air_jumps);
                match self.intent::<false>(scene, (kind, character), now, ground, touched) {
                    Intent::Walk { length: 0.0, speed: 0.0 } => {
                        (ground, movement.velocity) = (Some(0.0), DVec2::ZERO);
                        Way::Walk(walker::Way::Done)
                    }
                    intent => Way::Walk(Walker::begin(intent, &mut ground, &mut movement)),
                }
            }
            None => Way::Throw(self.thrown(kind, &mut probe).begin(&mut movement)),
        };
        let (position, velocity, news) = (movement.position, movement.velocity, movement.touch.news());
        let mut under_way = UnderWay { way, position, velocity, ground, start, news, took_run, lists };
        under_way.lists.swap(scratch);
        cold.near.close(&mut scratch.room, true);
        under_way
    }

    /// Goes on with a body's tick up to a limit; at the end of the tick come contacts and events. Until then the body is
    /// where the last round or leg has ended.
    pub(in crate::world) fn advance<L: Limit>(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        under_way: &mut UnderWay,
        scratch: &mut StepScratch,
        limit: L,
    ) -> Result<(), L::Pause> {
        let drops = state.drops();
        if drops {
            // Others may have used it since.
            scratch.near.clear();
        }
        under_way.lists.swap(scratch);
        let BodyState { kind, now, cold, .. } = &mut *state;
        let cold = cold.get_or_insert_default();
        cold.near.open(&mut scratch.room);
        let own = if drops { &mut scratch.near } else { &mut cold.near };
        let scene = if drops { &self.dropped() } else { &self.scene };
        let mut probe = Probe::new(scene, kind.shape, own, &mut scratch.probe);
        let mut touch = Touch::begin(&cold.touched, &mut scratch.touched);
        touch.take_over(under_way.news);
        let toucher = Toucher { shape: &kind.shape, frame: &scene.frame, faces: now.facing as i8 };
        let hits = Hits { known: touch.before, start: under_way.start, toucher, list: &mut scratch.hits };
        let mut movement = Movement {
            position: under_way.position,
            velocity: under_way.velocity,
            path: &mut scratch.path,
            touch,
            hits,
            took_run: under_way.took_run,
        };
        let done = match &mut under_way.way {
            Way::Stuck => Ok(()),
            Way::Walk(way) => {
                let character = kind.character.as_ref().expect("a character walks");
                let (gravity, settings) = (self.gravity_of(kind), self.rules.settings);
                let mut walker = Walker { probe, character, input: now.input, gravity, settings };
                walker.advance(way, &mut under_way.ground, &mut movement, limit)
            }
            Way::Throw(way) => self.thrown(kind, &mut probe).advance(way, &mut movement, limit),
        };
        (under_way.position, under_way.velocity, under_way.news) =
            (movement.position, movement.velocity, movement.touch.news());
        under_way.took_run = movement.took_run;
        cold.near.close(&mut scratch.room, true);
        if let Err(pause) = done {
            under_way.lists.swap(scratch);
            return Err(pause);
        }
        let is_stuck = matches!(under_way.way, Way::Stuck);
        if !is_stuck {
            (now.position, now.velocity) = (under_way.position, within_limits(under_way.velocity));
            if under_way.took_run {
                now.leap.end_rise();
            }
            if kind.character.is_some() {
                self.end_walk(id, state, scratch, under_way.ground, under_way.news, drops);
            } else {
                self.end_dynamic(id, state, scratch, under_way.news.0);
            }
        }
        under_way.lists.swap(scratch);
        scratch.lists = std::mem::take(&mut under_way.lists);
        self.note_outside(id, state, scratch);
        Ok(())
    }

    /// Goes on with what was left of a body's tick at a cut, from another place; a place that is not in the way of
    /// anything. From the cut's own place this is a tick that was made in two: within some units of the uncut one, as
    /// the way is rounded once more.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests go on from elsewhere"))]
    pub(in crate::world) fn take_up(
        &mut self,
        state: &mut BodyState,
        under_way: &mut UnderWay,
        scratch: &mut StepScratch,
        cut: &Cut,
        position: Position,
    ) {
        let BodyState { kind, cold, .. } = state;
        let near = &mut cold.get_or_insert_default().near;
        let mut probe = Probe::new(&self.scene, kind.shape, near, &mut scratch.probe);
        match &mut under_way.way {
            Way::Stuck => {}
            Way::Walk(way) => way.take_up(cut, position),
            Way::Throw(way) => self.thrown(kind, &mut probe).take_up(way, cut, position),
        }
        for end in [cut.position(), position] {
            if end != under_way.position {
                under_way.lists.path.push(end);
                under_way.position = end;
            }
        }
        state.now.position = position;
    }
}

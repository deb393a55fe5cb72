//! A body's own tick, made as if no other body were there and then taken back: where it is at each moment.

use super::super::{BodyState, Riding, Rules, StepScratch, Tick};
use super::actor::Leg;
use crate::event::{BodyId, Event};
use crate::motion::{Course, Limit, Nearby, Path, Probe, Scene, Touched};
use glam::I64Vec2;
use std::cell::RefCell;
use surefoot_geometry::Position;

/// A move to its end, each straight part of which is written down with its times.
#[derive(Clone, Copy)]
struct Traced<'a> {
    legs: &'a RefCell<Vec<Leg>>,
    /// When the part of the move begins that is looked at, as a fraction of the tick.
    begin: f64,
}

impl Limit for Traced<'_> {
    type Pause = std::convert::Infallible;

    const PAUSES: bool = true;

    fn takes_shortcuts(self) -> bool {
        false
    }

    fn within(self, begin: f64) -> Self {
        Traced { begin: self.begin + (1.0 - self.begin) * begin, ..self }
    }

    fn check_seen(self, _probe: &Probe<'_>, _end: Position) -> Result<(), Self::Pause> {
        Ok(())
    }

    fn check_time(
        self,
        _probe: &mut Probe<'_>,
        from: Position,
        course: Course,
        time: impl FnOnce() -> (f64, f64),
    ) -> Result<(), Self::Pause> {
        let whole = |time: f64| self.begin + (1.0 - self.begin) * time;
        let (begin, end) = time();
        self.note(Leg { begin: whole(begin), end: whole(end), from, to: from + course.displacement() });
        Ok(())
    }

    fn check_pass(self, from: Position, motion: I64Vec2) -> Result<(), Self::Pause> {
        self.note(Leg { begin: 0.0, end: 1.0, from, to: from + motion });
        Ok(())
    }
}

impl Traced<'_> {
    fn note(&self, leg: Leg) {
        let mut legs = self.legs.borrow_mut();
        // A part that settles or reaches down between two others takes no time of its own.
        if let Some(last) = legs.last_mut() {
            last.to = leg.from;
        }
        legs.push(leg);
    }
}

/// What a traced tick changes of a body's state, to be put back.
#[derive(Debug, Default)]
pub(super) struct Saved {
    touched: Touched,
    path: Path,
    /// Pieces around the body for its tick on trial, where platforms may be among them: what it keeps for its own move may be of
    /// the terrain alone.
    near: Nearby,
}

/// Fills a list with the straight parts of a body's own tick, and leaves the body as it was.
pub(super) fn trace(
    (scene, rules, riding): (Scene<'_>, Rules<'_>, &Riding),
    (id, state): (BodyId, &mut BodyState),
    scratch: &mut StepScratch,
    (saved, events): (&mut Saved, &mut Vec<Event>),
    legs: &mut Vec<Leg>,
) {
    legs.clear();
    events.clear();
    if !scene.around.has_platforms() {
        let from = state.now.position;
        if let Some(to) = Tick::new(scene, rules, events).known_end(state) {
            legs.push(Leg { begin: 0.0, end: 1.0, from, to });
            return;
        }
    }
    let (now, known, left) = (state.now, state.known, scratch.left.len());
    let cold = state.cold();
    saved.touched.clear();
    saved.touched.extend_from_slice(&cold.touched);
    saved.path.clear();
    saved.path.extend_from_slice(&cold.path);
    let has_platforms = scene.around.has_platforms();
    if has_platforms {
        saved.near.clear();
        std::mem::swap(&mut cold.near, &mut saved.near);
    }
    let traced = RefCell::new(std::mem::take(legs));
    let mut tick = Tick::of_body(scene, rules, events, riding);
    let mut under_way = tick.begin(state, scratch);
    let Ok(()) = tick.advance(id, state, &mut under_way, scratch, Traced { legs: &traced, begin: 0.0 });
    let end = state.now.position;
    (state.now, state.known) = (now, known);
    scratch.left.truncate(left);
    let cold = state.cold();
    if has_platforms {
        std::mem::swap(&mut cold.near, &mut saved.near);
    }
    cold.touched.clear();
    cold.touched.extend_from_slice(&saved.touched);
    cold.path.clear();
    cold.path.extend_from_slice(&saved.path);
    *legs = traced.into_inner();
    let (begin, from) = legs.last().map_or((0.0, now.position), |leg| (leg.end, leg.to));
    if begin < 1.0 || legs.is_empty() {
        legs.push(Leg { begin, end: 1.0, from, to: end });
    } else if let Some(last) = legs.last_mut() {
        last.to = end;
    }
}

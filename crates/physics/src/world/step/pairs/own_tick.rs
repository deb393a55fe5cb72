//! Tries a body's own tick, in which no other body exists: records the path, and then restores the body.

use super::super::trial::Before;
use super::super::{BodyState, Riding, Rules, StepScratch, Tick};
use super::solver_body::Leg;
use crate::event::{BodyId, Event};
use crate::motion::{Nearby, Scene, Trace};
use glam::I64Vec2;
use std::cell::RefCell;
use surefoot_geometry::Position;

/// Records each straight part of a move with its times.
#[derive(Clone, Copy)]
struct Traced<'a> {
    legs: &'a RefCell<Vec<Leg>>,
    /// Begin of the recorded part of the move, as a fraction of the tick.
    begin: f64,
}

impl Trace for Traced<'_> {
    const RECORDS: bool = true;

    fn starting_at(self, begin: f64) -> Self {
        Traced { begin: self.begin + (1.0 - self.begin) * begin, ..self }
    }

    fn record(self, from: Position, motion: I64Vec2, time: impl FnOnce() -> (f64, f64)) {
        let whole = |time: f64| self.begin + (1.0 - self.begin) * time;
        let (begin, end) = time();
        let leg = Leg { begin: whole(begin), end: whole(end), from, to: from + motion };
        let mut legs = self.legs.borrow_mut();
        // Between two parts, the body may step down to a lower floor. This takes no time of its own, so extend the last
        // part to where the new one begins.
        if let Some(last) = legs.last_mut() {
            last.to = leg.from;
        }
        legs.push(leg);
    }
}

/// State of a body before the trial, to restore.
#[derive(Debug, Default)]
pub(super) struct SavedBody {
    before: Before,
    /// Terrain pieces for the trial, which may include platforms. The body's own cache must contain terrain only.
    near: Nearby,
}

/// Fills `legs` with the path of a body's own tick, and restores the body.
pub(super) fn trace_path_and_restore_body(
    (scene, rules, riding): (Scene<'_>, Rules<'_>, &Riding),
    (id, state): (BodyId, &mut BodyState),
    scratch: &mut StepScratch,
    (saved, events): (&mut SavedBody, &mut Vec<Event>),
    legs: &mut Vec<Leg>,
) {
    legs.clear();
    events.clear();
    if !scene.around.has_platforms() {
        let from = state.now.position;
        if let Some(to) = Tick::new(scene, rules, events).predicted_end(state) {
            legs.push(Leg { begin: 0.0, end: 1.0, from, to });
            return;
        }
    }
    let from = state.now.position;
    saved.before.capture(state, scratch);
    let has_platforms = scene.around.has_platforms();
    if has_platforms {
        saved.near.clear();
        std::mem::swap(&mut state.cold_mut().near, &mut saved.near);
    }
    let traced = RefCell::new(std::mem::take(legs));
    let mut tick = Tick::of_riding_body(scene, rules, events, riding);
    tick.move_traced(id, state, scratch, Traced { legs: &traced, begin: 0.0 });
    let end = state.now.position;
    saved.before.restore(state, scratch);
    if has_platforms {
        std::mem::swap(&mut state.cold_mut().near, &mut saved.near);
    }
    *legs = traced.into_inner();
    let (begin, from) = legs.last().map_or((0.0, from), |leg| (leg.end, leg.to));
    if begin < 1.0 || legs.is_empty() {
        legs.push(Leg { begin, end: 1.0, from, to: end });
    } else if let Some(last) = legs.last_mut() {
        last.to = end;
    }
}

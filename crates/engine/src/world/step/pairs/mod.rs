//! The part of a tick in which bodies meet each other.
//!
//! 1. Bodies that may meet others are put into a grid by where they may come in the tick. A body at rest stands still; it and one
//!    that is far from all others are kept in a grid of their own (`still`) and not looked at.
//! 2. A body that has others near makes its own tick as if it were alone, on trial. Bodies whose ways lead into no other
//!    body's are left to their own move later, and make it bit for bit as in a world of their own.
//! 3. The others are planned together: straight on by velocity, acceleration and what holds them (`plan`). What they run
//!    into, terrain and each other with both motions counted, is taken in the order of time (`impact`): both are brought to
//!    that moment, exchange velocities and are planned anew. Whatever rests on them or is pushed by them is planned too.
//! 4. A body that made its tick alone and is met by one that was planned is planned too, from the beginning, and with it those
//!    that it may reach. What its own tick leads into where such a body began takes part by a guess, and is left to its own
//!    move again if nothing comes of that (`part`).
//! 5. What rolls on others is brought on to them at the end (`roll`). Where two overlap then by rounding, they are parted; where
//!    they do because one has had more impacts than a tick allows, all that is in each other's way stays where the tick began. So no
//!    two bodies ever come to overlap: nothing did when the tick began.
//! 6. Bodies that have come to rest are found (`rest`).
//!
//! Two bodies that overlap when the tick begins do not meet in it. So bodies that were put into each other part freely.
//!
//! Ends are whole numbers of units, and each sweep decides at the ends exactly, so the last plans of any two do not end in
//! an overlap, however the places between were rounded. A body keeps a plan until something happens to it, with a clock of
//! its own: what happens elsewhere costs it nothing.

mod broad_phase;
mod finish;
mod grid;
mod impact;
mod own_tick;
mod plan;
mod push;
mod rolling;
mod sleep;
mod sleep_grid;
mod solver;
mod solver_bodies;
mod solver_body;
mod tolerance;
mod trial;

use super::super::areas::ActingBodies;
use super::super::{BodyState, World};
use super::{Riding, Rules, StepScratch};
use crate::event::{BodyId, Event};
use crate::motion::{Bounds, Scene, Surfaces};
pub(in crate::world) use broad_phase::{can_collide_now, may_collide};
pub(in crate::world) use finish::Stance;
use glam::DVec2;
pub(super) use grid::Grid;
pub(in crate::world) use sleep::lies_on;
use solver::DueImpact;
use solver_body::Part;
pub(in crate::world) use solver_body::{SolverBody, collider};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use surefoot_geometry::Position;

/// The index of no body.
const NO_BODY: u32 = u32::MAX;

/// The pair phase's memory. Every step fills it again; only `broad.still` is kept from tick to tick.
#[derive(Debug, Default)]
pub(in crate::world) struct Pairs {
    /// The bodies that have others near, by their entries.
    bodies: solver_bodies::SolverBodies,
    /// What platforms have done to them.
    ridings: Vec<Riding>,
    broad: BroadPhase,
    queue: Queue,
    rows: Rows,
    lists: Lists,
}

/// Which bodies are near each other.
#[derive(Debug, Default)]
struct BroadPhase {
    /// All bodies that may collide, in the order of their slots.
    entries: Vec<Entry>,
    added: Vec<Entry>,
    /// The entries whose zones overlap.
    near: Vec<(u32, u32)>,
    /// The entry of each slot, if its body has others near.
    by_slot: Vec<u32>,
    grid: Grid,
    still: sleep_grid::SleepGrid,
    /// All bodies that may collide are asleep, or there are none. Nothing else was looked for.
    all_asleep: bool,
    /// A body may come to one that was left out, because that was asleep or far from all others.
    is_short: bool,
    /// A body still to be moved may come to one that was moved before: all are to be moved together.
    opens_all: bool,
    /// A character has other bodies near. Affects speed only.
    has_characters: bool,
}

/// Impacts and plans that are due.
#[derive(Debug, Default)]
struct Queue {
    due: BinaryHeap<DueImpact>,
    stamp: u32,
    /// Number of the impact whose consequences are planned.
    turn: u32,
    /// The bodies to plan again after the impact, the lowest first.
    upwards: BinaryHeap<Reverse<(i64, u64, u32)>>,
    /// Some body stays where it is for the rest of the tick, see [`Impacts::is_done`](solver_body::Impacts::is_done).
    /// Affects speed only.
    any_is_done: bool,
}

/// Rows of bodies that characters push.
#[derive(Debug, Default)]
struct Rows {
    mark: u32,
    /// A pushed body holds back the character that pushes it.
    counts: bool,
}

/// Lists that functions of the phase fill and leave, so that they keep their memory.
#[derive(Debug, Default)]
struct Lists {
    found: Vec<u32>,
    order: Vec<u32>,
    work: Vec<u32>,
    row: Vec<u32>,
    woken: Vec<u32>,
    changed: Vec<u32>,
    struck: Surfaces,
    held: Surfaces,
    saved: own_tick::Saved,
    /// The path of a body's own tick, while `legs` has the one that was planned here.
    own: Vec<solver_body::Leg>,
    /// Bodies that take part by a guess.
    guessed: Vec<u32>,
    events: Vec<Event>,
}

/// A body that may meet others, as far as it is looked at to find which are near.
#[derive(Clone, Copy, Debug)]
struct Entry {
    id: BodyId,
    slot: u32,
    zone: Bounds,
    gravity: DVec2,
    speed_factor: f64,
    is_in_area: bool,
    has_company: bool,
    /// It was far from all others in the last tick.
    was_far: bool,
    /// Where its own tick ends, if that is known and goes there straight.
    straight: Option<Position>,
}

impl Pairs {
    /// Forgets what was kept of bodies at rest: something from outside has changed them.
    pub(in crate::world) fn forget_sleeping(&mut self) {
        self.broad.still.clear();
    }

    /// Forgets which bodies took part in an earlier tick, in one in which none may meet others.
    pub(super) fn leave_all_alone(&mut self) {
        self.broad.all_asleep = true;
    }

    /// Whether all bodies that can collide are at rest.
    pub(super) fn all_asleep(&self) -> bool {
        self.broad.all_asleep
    }

    /// The body of a slot, if it has been moved by the phase or stands still.
    pub(in crate::world) fn of(&self, slot: usize) -> Option<&SolverBody> {
        if self.broad.all_asleep {
            return None;
        }
        let body = self.bodies.get(*self.broad.by_slot.get(slot)?)?;
        (body.stage.part != Part::Alone).then_some(body)
    }

    /// Whether nothing is near the body of a slot.
    pub(in crate::world) fn leaves_alone(&self, slot: usize) -> bool {
        self.broad.all_asleep || self.broad.by_slot.get(slot).is_none_or(|body| *body == NO_BODY)
    }

    /// The body of a body that moves alone, if others are near or were.
    pub(super) fn company(&self, slot: usize) -> Option<&SolverBody> {
        if self.broad.all_asleep {
            return None;
        }
        let body = self.bodies.get(*self.broad.by_slot.get(slot)?)?;
        (!body.stage.near.is_empty() || body.start.had_sides).then_some(body)
    }
}

/// The phase under way.
struct PairPhase<'a> {
    scene: Scene<'a>,
    rules: Rules<'a>,
    acting: ActingBodies<'a>,
    up: DVec2,
    states: &'a mut [Option<BodyState>],
    scratch: &'a mut StepScratch,
    pairs: &'a mut Pairs,
}

impl World {
    /// Moves the bodies that collide with others.
    #[inline(always)]
    pub(super) fn collide_bodies(&mut self) {
        if self.bodies.may_collide() {
            self.collide_near_bodies();
        } else {
            self.scratch.pairs.leave_all_alone();
        }
    }

    #[inline(never)]
    fn collide_near_bodies(&mut self) {
        let mut pairs = std::mem::take(&mut self.scratch.pairs);
        self.gather(&mut pairs, false);
        if !pairs.bodies.is_empty() {
            self.collide_gathered(&mut pairs);
            if pairs.broad.is_short {
                // An impact may throw a body further than its own speed.
                self.gather(&mut pairs, true);
                self.collide_gathered(&mut pairs);
            }
        }
        self.scratch.pairs = pairs;
    }

    /// Moves the bodies gathered.
    fn collide_gathered(&mut self, pairs: &mut Pairs) {
        if !self.platforms.is_empty() {
            self.find_rides(pairs);
            self.find_carriers(pairs);
            let fastest = self.platforms.fastest();
            self.in_pair_phase(pairs, |phase| phase.widen_by_platforms(fastest));
        }
        // What a part looks at may have to be loaded, and the part is then done again: nothing that it decides is written
        // before all is there.
        self.in_pair_phase(pairs, |phase| phase.try_own_ticks());
        self.in_pair_phase(pairs, |phase| phase.find_colliding());
        let mut again = true;
        while again {
            self.in_pair_phase(pairs, |phase| phase.run_impacts());
            self.in_pair_phase(pairs, |phase| phase.widen_by_paths());
            self.in_pair_phase(pairs, |phase| again = phase.find_newly_hit());
            if pairs.broad.is_short {
                return;
            }
        }
        self.undo_guesses(pairs);
        self.in_pair_phase(pairs, |phase| phase.find_all_sides());
        self.in_pair_phase(pairs, |phase| {
            phase.find_sleeping();
            phase.find_contacts();
            phase.report_idle_pushes();
            phase.wake_unsupported();
        });
    }

    /// Does a part of the phase, again and again until all that it looks at is loaded.
    fn in_pair_phase(&mut self, pairs: &mut Pairs, mut part: impl FnMut(&mut PairPhase<'_>)) {
        let mut loaded = std::mem::take(&mut self.scratch.loaded);
        loop {
            let World { terrain, platforms, settings, bodies, scratch, tick, areas, .. } = self;
            if terrain.is_streamed() {
                terrain.watch_missed();
            }
            let scene = platforms.scene(terrain, settings);
            let rules = Rules::of(settings, terrain, *tick);
            let acting = areas.acting();
            let (_, states, ..) = bodies.parts_mut();
            part(&mut PairPhase { scene, rules, acting, up: scene.frame.up(), states, scratch, pairs });
            let missing = if terrain.is_streamed() { terrain.take_missed() } else { None };
            let Some(missing) = missing else { break };
            terrain.load_chunk(missing);
            loaded.push(missing);
        }
        if self.terrain.is_streamed() {
            pairs.bodies.iter_mut().for_each(|body| body.stage.is_doubtful = false);
        }
        loaded.drain(..).for_each(|key| self.terrain.drop_unheld(key));
        self.scratch.loaded = loaded;
    }
}

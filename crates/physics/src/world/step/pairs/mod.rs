//! Pair phase: moves the bodies that collide with other bodies in this tick.
//!
//! The phase runs once per step, after platforms have moved and before the other bodies move by their own ticks. The
//! *own tick* of a body is its tick as if no other body existed. A body that collides with no other is left to its
//! own tick, so it moves bit for bit as in a world without other bodies.
//!
//! The parts of the phase in their order, each with its file:
//!
//! 1. [`broad_phase`] finds the bodies that have others near, and pairs them. [`grid`] is its spatial hash.
//!    [`sleep_grid`] caches sleeping and isolated bodies, so that they are skipped while nothing comes near.
//!    [`carriers`] gives each the velocity of the platform or body that carries or pushes it.
//! 2. [`trial`] decides which bodies take part. A body takes part if its own tick would collide with another body.
//!    [`own_tick`] tries that tick and restores the body.
//! 3. [`plan`] plans the rest of the tick of a body: velocity, gravity, input and supports give a displacement.
//! 4. [`solver`] takes the impacts in the order of time. At each impact the bodies advance to that moment, change
//!    their velocities and are planned again.
//! 5. [`impact`] changes the velocities at an impact, with terrain or another body. [`push`] moves rows of bodies
//!    that characters push or pull.
//! 6. [`rolling`] brings bodies back on to the round bodies that they roll on. The solver then separates bodies that
//!    overlap by rounding.
//! 7. [`trial`] again: bodies that were hit but did not take part are added, and steps 3 to 6 repeat.
//! 8. [`sleep`] finds the bodies that fall asleep or wake up, and the contacts that began or ended.
//! 9. [`finish`] writes the results into the bodies and sends their events, later and in the order of the slots.
//!
//! [`solver_body`] holds the data of one body, [`solver_bodies`] the list of all, and [`tolerance`] the constants.
//!
//! The phase never leaves two bodies in an overlap that was not there when the tick began. Two bodies that overlap at
//! the beginning do not collide in the tick, so bodies that were placed into each other separate freely.
//!
//! Positions are whole units, and each sweep decides exactly at its end. So the last plans of two bodies never end in
//! an overlap, however the positions between were rounded. If a body has had too many impacts, it goes back to where
//! the tick began, together with the bodies that are in its way there. From there they fall if nothing supports them.
//!
//! Each body has a clock, the moment up to which it has moved, and a plan for the rest of the tick. It keeps its plan
//! until something happens to it. An impact of other bodies costs it nothing.

mod broad_phase;
mod carriers;
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
pub(in crate::world) use solver_body::SolverBody;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use surefoot_geometry::Position;

/// Stands for "no body" in lists of indices.
const NO_BODY: u32 = u32::MAX;

/// Memory of the pair phase. Every step fills it again; only `broad.sleep_grid` is kept from tick to tick.
#[derive(Debug, Default)]
pub(in crate::world) struct Pairs {
    /// The bodies that have others near, by the index of their entry.
    bodies: solver_bodies::SolverBodies,
    /// How platforms moved and pushed these bodies.
    ridings: Vec<Riding>,
    broad: BroadPhase,
    queue: Queue,
    rows: Rows,
    lists: Lists,
}

/// Finds the bodies that are near each other.
#[derive(Debug, Default)]
struct BroadPhase {
    /// All bodies that may collide, in the order of their slots.
    entries: Vec<Entry>,
    added: Vec<Entry>,
    /// Pairs of entries whose zones overlap.
    near: Vec<(u32, u32)>,
    /// Index of the entry for each slot, if its body has others near.
    by_slot: Vec<u32>,
    grid: Grid,
    sleep_grid: sleep_grid::SleepGrid,
    /// All bodies that may collide are asleep, or there are none. The other fields are then out of date.
    all_asleep: bool,
    /// An awake body may reach a body that was not listed because it was asleep or isolated. All bodies are then
    /// listed.
    is_short: bool,
    /// A body that is still to be moved may reach a body that was already moved. All bodies are then moved again.
    opens_all: bool,
    /// A character has other bodies near. Affects speed only.
    has_characters: bool,
}

/// Queue of impacts and plans.
#[derive(Debug, Default)]
struct Queue {
    due: BinaryHeap<Reverse<DueImpact>>,
    /// Number of the next plan.
    stamp: u32,
    /// Number of the impact whose consequences are being planned.
    turn: u32,
    /// Bodies to plan again after the impact, the lowest first.
    upwards: BinaryHeap<Reverse<(i64, u64, u32)>>,
    /// Some body stays where it is for the rest of the tick, see [`Impacts::is_done`](solver_body::Impacts::is_done).
    /// Affects speed only.
    any_is_done: bool,
}

/// Rows of bodies that characters push.
#[derive(Debug, Default)]
struct Rows {
    /// Number of the last row, see [`Stage::mark`](solver_body::Stage::mark).
    mark: u32,
    /// Pushed bodies now limit the character that pushes them.
    counts: bool,
}

/// Lists that functions fill and empty. They are fields so that they keep their memory.
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
    saved: own_tick::SavedBody,
    /// The other one of two paths while `legs` holds one: the path of a body's own tick, or its planned path.
    swapped_legs: Vec<solver_body::Leg>,
    /// Bodies that take part because it was guessed that they will be hit, see [`trial`].
    guessed: Vec<u32>,
    events: Vec<Event>,
}

/// Takes a list out of its field, and empties it. Put the list back after use.
fn take_and_empty_list(list: &mut Vec<u32>) -> Vec<u32> {
    let mut list = std::mem::take(list);
    list.clear();
    list
}

/// A body that may collide, with the data that the search for near bodies needs.
#[derive(Clone, Copy, Debug)]
struct Entry {
    id: BodyId,
    slot: u32,
    /// Bounds that contain the body during its own tick.
    zone: Bounds,
    gravity: DVec2,
    speed_factor: f64,
    is_in_area: bool,
    /// Another body is near, or the body may have touched one in the last tick.
    has_near: bool,
    /// The body was far from all others in the last tick.
    was_isolated: bool,
    /// End position of the body's own tick, if it is known and the path is straight.
    straight: Option<Position>,
}

impl Pairs {
    /// Clears the cache of sleeping and isolated bodies, because something other than a tick has changed a body.
    pub(in crate::world) fn clear_sleep_grid(&mut self) {
        self.broad.sleep_grid.clear();
    }

    /// Returns whether all bodies that can collide are asleep.
    pub(super) fn all_asleep(&self) -> bool {
        self.broad.all_asleep
    }

    /// Returns the body of a slot if the phase moved it or if it is asleep.
    pub(in crate::world) fn moved_or_sleeping_body(&self, slot: usize) -> Option<&SolverBody> {
        self.find_listed_body(slot).filter(|body| body.stage.part != Part::Alone)
    }

    /// Returns whether no other body is near the body of a slot.
    pub(in crate::world) fn has_no_body_near(&self, slot: usize) -> bool {
        self.broad.all_asleep || self.broad.by_slot.get(slot).is_none_or(|body| *body == NO_BODY)
    }

    /// Returns the data of a body that moves by its own tick, if others are near it or touched its sides.
    pub(super) fn find_own_tick_body(&self, slot: usize) -> Option<&SolverBody> {
        self.find_listed_body(slot).filter(|body| !body.stage.near.is_empty() || body.start.had_sides)
    }

    /// Returns the body of a slot if others are near it.
    fn find_listed_body(&self, slot: usize) -> Option<&SolverBody> {
        if self.broad.all_asleep { None } else { self.bodies.get(*self.broad.by_slot.get(slot)?) }
    }
}

/// One pass of the phase over the world's data.
struct PairPhase<'a> {
    scene: Scene<'a>,
    rules: Rules<'a>,
    acting: ActingBodies<'a>,
    states: &'a mut [Option<BodyState>],
    scratch: &'a mut StepScratch,
    pairs: &'a mut Pairs,
}

impl World {
    /// Moves the bodies that collide with others.
    #[inline(always)]
    pub(super) fn move_colliding_bodies(&mut self) {
        if self.bodies.features_in_use().collide {
            self.move_near_bodies();
        } else {
            // No body can collide, so leave every body to its own tick.
            self.scratch.pairs.broad.all_asleep = true;
        }
    }

    #[inline(never)]
    fn move_near_bodies(&mut self) {
        self.scratch.clear_sleep_grid_if_outdated(self.bodies.moment);
        let mut pairs = std::mem::take(&mut self.scratch.pairs);
        self.find_near_bodies(&mut pairs, false);
        if !pairs.bodies.is_empty() {
            self.move_listed_bodies(&mut pairs);
            if pairs.broad.is_short {
                // A body came near one that was not listed because it was asleep or isolated: for example, an impact
                // threw it further than its own speed would. So begin the phase again, with all bodies listed (`true`).
                self.find_near_bodies(&mut pairs, true);
                self.move_listed_bodies(&mut pairs);
            }
        }
        self.scratch.pairs = pairs;
    }

    /// Moves the listed bodies.
    fn move_listed_bodies(&mut self, pairs: &mut Pairs) {
        if !self.platforms.is_empty() {
            self.find_rides(pairs);
            self.find_carrier_velocities(pairs);
            let fastest = self.platforms.max_platform_speed();
            self.run_until_chunks_are_loaded(pairs, |phase| phase.widen_zones_by_platforms(fastest));
        }
        // Each part of the phase repeats if it needed a chunk that was not loaded. So no part may change the bodies
        // of the world before all chunks that it needs are loaded.
        self.run_until_chunks_are_loaded(pairs, |phase| phase.run_own_tick_trials());
        self.run_until_chunks_are_loaded(pairs, |phase| phase.find_colliding_bodies());
        let mut again = true;
        while again {
            self.run_until_chunks_are_loaded(pairs, |phase| phase.run_impacts());
            self.run_until_chunks_are_loaded(pairs, |phase| phase.search_around_paths_and_run_trials());
            self.run_until_chunks_are_loaded(pairs, |phase| again = phase.find_newly_hit_bodies());
            if pairs.broad.is_short {
                return;
            }
        }
        self.drop_guessed_participants(pairs);
        self.run_until_chunks_are_loaded(pairs, |phase| phase.find_touched_sides_of_all());
        self.run_until_chunks_are_loaded(pairs, |phase| {
            phase.find_sleeping_bodies();
            phase.find_contact_changes();
            phase.report_idle_pushes();
            phase.wake_unsupported_bodies();
        });
    }

    /// Runs a part of the phase, and repeats it until all chunks that it queries are loaded.
    fn run_until_chunks_are_loaded(&mut self, pairs: &mut Pairs, mut part: impl FnMut(&mut PairPhase<'_>)) {
        let mut loaded = std::mem::take(&mut self.scratch.loaded);
        loop {
            let World { terrain, platforms, settings, bodies, scratch, tick, areas, .. } = self;
            if terrain.is_streamed() {
                terrain.clear_and_unshare_missed_chunks();
            }
            let scene = platforms.scene(terrain, settings);
            let rules = Rules::of_next_tick(settings, terrain, *tick);
            let acting = areas.active_effects();
            let (_, states, ..) = bodies.parts_mut();
            part(&mut PairPhase { scene, rules, acting, states, scratch, pairs });
            let missing = if terrain.is_streamed() { terrain.take_first_missed_chunk() } else { None };
            let Some(missing) = missing else { break };
            terrain.load_chunk(missing);
            loaded.push(missing);
        }
        if self.terrain.is_streamed() {
            pairs.bodies.iter_mut().for_each(|body| body.stage.is_doubtful = false);
        }
        loaded.drain(..).for_each(|key| self.terrain.drop_chunk_if_unheld(key));
        self.scratch.loaded = loaded;
    }
}

//! The search: a pass for each size of cells, until one finds a run or a limit is reached.

use crate::answer::{Answer, Limit, Nearest, Proof};
use crate::bound::{Bound, MAX_BYTES, NotCovered};
use crate::cell::CELL_SIZES;
use crate::error::SearchError;
use crate::goal::{Goal, Targets};
use crate::options::{Options, Progress};
use crate::pass::{End, MAX_BATCH, Pass, Worker};
use crate::plan::Plan;
use crate::pool::Pool;
use crate::run::FoundRun;
use crate::simulation::Simulation;
use glam::DVec2;
use serde::Serialize;
use std::time::Instant;
use surefoot::World;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::record::GameTick;
use surefoot::replay::{InputRun, ToReplayError};

/// Search for a run that brings a character to a goal.
///
/// Give it a goal and call [`Search::run`].
pub struct Search<'a, G = ()> {
    pub(crate) world: &'a World,
    pub(crate) body: BodyId,
    game: G,
    pub(crate) tick: Option<GameTick<G, Inputs>>,
    pub(crate) goal: Option<Goal<'a, G>>,
    pub(crate) options: Options,
    pub(crate) progress: Option<&'a dyn Fn(&Progress)>,
}

impl<'a> Search<'a> {
    /// Creates a search for the character `body` from the current state of `world`. No rules of a game run: other
    /// bodies get no inputs.
    #[must_use]
    pub fn new(world: &'a World, body: BodyId) -> Search<'a> {
        Search { world, body, game: (), tick: None, goal: None, options: Options::default(), progress: None }
    }
}

impl<'a, G: Clone + Serialize + Send + Sync> Search<'a, G> {
    /// Creates a search that plays the rules of a game. `tick` is the tick function of its
    /// [`GameRun`](surefoot::record::GameRun), and `game` the state of the game that belongs to the state of `world`.
    ///
    /// The search tells states of the game apart by the bytes that serde writes. So leave out of them whatever counts
    /// on without an end, and use a `BTreeMap` instead of a `HashMap`, whose order differs from run to run.
    ///
    /// The found input is that of the first player. The character of `body` is the one whose position counts.
    #[must_use]
    pub fn with_game(world: &'a World, body: BodyId, game: &G, tick: GameTick<G, Inputs>) -> Search<'a, G> {
        let (game, tick) = (game.clone(), Some(tick));
        Search { world, body, game, tick, goal: None, options: Options::default(), progress: None }
    }

    /// Sets the goal.
    #[must_use]
    pub fn goal(self, goal: Goal<'a, G>) -> Search<'a, G> {
        Search { goal: Some(goal), ..self }
    }

    /// Sets limits and choices.
    #[must_use]
    pub fn options(self, options: Options) -> Search<'a, G> {
        Search { options, ..self }
    }

    /// Calls `report` from time to time, from the thread that called [`Search::run`], [`Search::survey`] or
    /// [`Search::improve`]. The counts of `improve` begin again with each beam and each part of the run.
    #[must_use]
    pub fn on_progress(self, report: &'a dyn Fn(&Progress)) -> Search<'a, G> {
        Search { progress: Some(report), ..self }
    }

    /// Searches until a run is found or a limit is reached.
    ///
    /// If the bound of the body's motion proves that no run reaches the goal, nothing is searched. Large cells come
    /// first. If all their states were tried, the search begins again with smaller ones.
    ///
    /// # Errors
    /// Returns [`SearchError`] if there is no goal, no such marker, area or body, if the weight is out of range, if the
    /// threads cannot be started, or if the game does not repeat the found run.
    pub fn run(&self) -> Result<Answer, SearchError> {
        let begin = self.options.max_time.map(|limit| (Instant::now(), limit));
        let plan = Plan::new(self)?;
        let (mut least_ticks, mut not_covered) = (0, None);
        // The `match` drops the bound at its end, so the bound takes no memory during the search.
        match self.bound_for_goal(&plan) {
            Ok(bound) => {
                if let Some(proof) = self.unreachable_proof(&bound, &plan.targets) {
                    return Ok(Answer::Unreachable(proof));
                }
                least_ticks = self.min_ticks_to_goal(&bound, &plan.targets);
            }
            Err(reason) => not_covered = Some(reason),
        }
        let pool = Pool::new(self.options.threads, MAX_BATCH)?;
        let mut workers: Vec<_> = (0..pool.threads()).map(|_| Worker::new(self)).collect();
        let mut before = 0;
        let mut nearest: Option<(Vec<InputRun>, f64)> = None;
        let mut limit = Limit::Exhausted;
        for number in 0..CELL_SIZES.len() {
            if before >= self.options.max_states {
                limit = Limit::States;
                break;
            }
            let mut pass = Pass::new(self, &plan, number, before)?;
            let end = pass.search_until_end(&pool, &mut workers, begin);
            before += pass.frontier.state_count();
            if let End::Found(inputs) = end {
                if !self.reaches_goal(&inputs, &plan.targets) {
                    return Err(SearchError::NotRepeatable);
                }
                return Ok(Answer::Reachable(FoundRun {
                    inputs,
                    states: before,
                    least_ticks,
                    not_covered,
                    level: number,
                    shortest_cells: None,
                }));
            }
            let (node, distance, _) = pass.frontier.nearest;
            if nearest.as_ref().is_none_or(|(_, least)| distance < *least) {
                nearest = Some((pass.frontier.inputs_to(node), distance));
            }
            match end {
                End::Limit(reached) => {
                    limit = reached;
                    break;
                }
                _ => limit = if pass.frontier.has_dropped() { Limit::Beam } else { Limit::Exhausted },
            }
        }
        let (inputs, distance) = nearest.unwrap_or((Vec::new(), f64::INFINITY));
        let nearest = self.describe_nearest_approach(&plan, inputs, distance, before, limit);
        Ok(Answer::NotFound(Nearest { not_covered, ..nearest }))
    }

    /// Makes a replay of a run that this search found. `source` says where the replay has its map.
    ///
    /// The body is named `hero` if it has no name. If the goal is a marker, the replay expects the hero there.
    ///
    /// # Errors
    /// Returns [`ToReplayError`] if the search did not begin with a new world, or if the game gives commands that a
    /// replay cannot contain.
    pub fn replay(&self, inputs: &[InputRun], source: MapSource) -> Result<Replay, ToReplayError> {
        let mut simulation = self.simulation_of_unchanged_world();
        let mut recorder = Recorder::for_replay(&simulation.world, source, 60)?;
        let placed =
            self.world.placed_body(self.body).map(|placed| placed.name.clone()).filter(|name| !name.is_empty());
        let name = placed.unwrap_or_else(|| "hero".to_owned());
        // If another body has the name, the replay gives this body a number.
        let is_named = recorder.name_body(self.body, name.clone()).is_ok();
        let none = Targets::never_reached();
        for run in inputs {
            for _ in 0..run.ticks {
                simulation.step_and_check_goal(run.input, &none);
                recorder.record_tick(&simulation.world)?;
            }
        }
        let replay = recorder.finish_replay(&simulation.world)?;
        match &self.goal {
            Some(Goal::Marker(marker)) if is_named => {
                let line = format!("{name} at {marker} before {}", replay.ticks() + 1);
                let plain = replay.clone();
                // If the name contains words of the grammar of expectations, no expectation can be written for it.
                Ok(replay.with_expectations([line.as_str()]).unwrap_or(plain))
            }
            _ => Ok(replay),
        }
    }

    /// Returns the bound of the body's motion, if it can prove something about the goal.
    fn bound_for_goal(&self, plan: &Plan<'_, G>) -> Result<Bound, NotCovered> {
        if plan.targets.boxes.is_empty() || plan.targets.may_move {
            return Err(NotCovered::Goal);
        }
        self.motion_bound(plan.bytes)
    }

    /// Returns the bound of the body's motion, next to `used` bytes of other memory.
    pub(crate) fn motion_bound(&self, used: usize) -> Result<Bound, NotCovered> {
        if self.tick.is_some() {
            Err(NotCovered::Rules)
        } else if self.options.max_memory < MAX_BYTES + used {
            Err(NotCovered::Memory)
        } else {
            Bound::new(self.world, self.body)
        }
    }

    /// Returns the proof that a required place is out of reach, or that all alternative places are.
    fn unreachable_proof(&self, bound: &Bound, targets: &Targets<'_, G>) -> Option<Proof> {
        let reach = bound.reach();
        let mut out = targets.boxes.iter().filter(|(low, high)| !reach.contains(*low, *high));
        let is_proven = targets.mask_of_all_boxes().is_some() || out.clone().count() == targets.boxes.len();
        let (low, high) = out.next().filter(|_| is_proven)?;
        Some(Proof { place: (*low + *high) / 2.0 })
    }

    /// Returns a lower bound of the ticks to the farthest required place, or to the nearest alternative place.
    fn min_ticks_to_goal(&self, bound: &Bound, targets: &Targets<'_, G>) -> u64 {
        let Some(hero) = self.world.get(self.body) else { return 0 };
        let ticks = |(low, high): &(DVec2, DVec2)| bound.ticks_to(*low, *high).ticks_from(hero.position()).unwrap_or(0);
        let all = targets.boxes.iter().map(ticks);
        if targets.mask_of_all_boxes().is_some() { all.max() } else { all.min() }.unwrap_or(0)
    }

    /// Returns an error if the state of the game cannot be hashed.
    pub(crate) fn check_game_is_hashable(&self) -> Result<(), SearchError> {
        let written = postcard::to_allocvec(&self.game);
        written.map(drop).map_err(|error| SearchError::GameState { reason: error.to_string() })
    }

    /// Returns a copy of the world and the game to search in. A character that collides with no other body gets an
    /// empty collision mask: it moves alike, and a tick takes half the time.
    pub(crate) fn simplified_simulation(&self) -> Simulation<G> {
        let mut simulation = self.simulation_of_unchanged_world();
        let others = self.world.bodies().filter(|(id, _)| *id != self.body);
        let hero = self.world.get(self.body).map(BodyState::body);
        let is_alone =
            others.map(|(_, other)| other.body()).all(|other| !hero.is_some_and(|hero| hero.can_collide_with(other)));
        // With rules of a game, keep the mask: the game may spawn other bodies.
        if is_alone && self.tick.is_none() {
            let _ = simulation.world.set_collision_mask(self.body, CollisionLayers::NONE);
        }
        simulation
    }

    /// Returns a copy of the world and the game as they are.
    fn simulation_of_unchanged_world(&self) -> Simulation<G> {
        Simulation::new(self.world.clone(), self.game.clone(), self.body, self.tick)
    }

    /// Plays the inputs from the start. Returns whether they reach the goal in their last tick.
    pub(crate) fn reaches_goal(&self, inputs: &[InputRun], targets: &Targets<'_, G>) -> bool {
        let mut simulation = self.simulation_of_unchanged_world();
        let mut is_reached = false;
        for run in inputs {
            for _ in 0..run.ticks {
                is_reached = simulation.step_and_check_goal(run.input, targets);
            }
        }
        is_reached
    }

    /// Describes the nearest approach.
    fn describe_nearest_approach(
        &self,
        plan: &Plan<'_, G>,
        inputs: Vec<InputRun>,
        distance: f64,
        states: usize,
        limit: Limit,
    ) -> Nearest {
        let mut simulation = self.simplified_simulation();
        let mut stood = simulation.position();
        for run in &inputs {
            for _ in 0..run.ticks {
                simulation.step_and_check_goal(run.input, &plan.targets);
                if simulation.hero().is_some_and(BodyState::on_floor) {
                    stood = simulation.position();
                }
            }
        }
        let position = simulation.hero().map_or(Position::ORIGIN, BodyState::position);
        let (at, visited) = (position.to_dvec2(), simulation.memory.visited);
        let words = self.nearest_approach_text(plan, at, visited, stood.unwrap_or_default(), limit);
        Nearest { limit, states, position, distance, inputs, words, not_covered: None }
    }

    /// Says in words how near the search came to the goal, and what stopped it. `visited`: the targets that were
    /// visited on the way to `at`. `stood`: where the character stood last.
    fn nearest_approach_text(&self, plan: &Plan<'_, G>, at: DVec2, visited: u64, stood: DVec2, limit: Limit) -> String {
        let end = format!("stopped by {limit}");
        let end = if limit == Limit::Exhausted { limit.to_string() } else { end };
        let Some((field, target, distance)) = plan.next_target(at, visited) else { return end };
        let count = plan.targets.boxes.len();
        let is_tour = plan.targets.mask_of_all_boxes().is_some() && count > 1;
        let is_marker = matches!(self.goal, Some(Goal::Markers(_)));
        let kind = if !is_tour {
            "goal"
        } else if is_marker {
            "marker"
        } else {
            "area"
        };
        let tour =
            if is_tour { format!("{} of {count} {kind}s visited; ", visited.count_ones()) } else { String::new() };
        let general = format!("{tour}{distance:.1} tiles from the {kind} at ({:.1}, {:.1}), {end}", target.x, target.y);
        let Some(hero) = self.world.get(self.body) else { return general };
        if hero.up() != Up::PlusY {
            return general;
        }
        let feet = stood.y - hero.shape().half_extents().y;
        let Some(ledge) = plan.grid.next_higher_floor(field, at, feet) else { return general };
        let reach = hero.character().and_then(|character| character.jump_reach(&self.world.settings()));
        let (below, reach) = (ledge.y - feet, reach.map_or(0.0, |reach| reach.height));
        if below <= reach {
            return general;
        }
        format!(
            "{tour}{below:.1} tiles below the ledge at ({:.0}, {:.0}); its jump reaches {reach:.1}; {end}",
            ledge.x.floor(),
            ledge.y
        )
    }
}

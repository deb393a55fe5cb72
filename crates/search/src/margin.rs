//! Timing margins: how many ticks early or late each press and release of a run may come.

use crate::error::SearchError;
use crate::goal::Targets;
use crate::run::{FoundRun, input_of_each_tick};
use crate::search::Search;
use crate::simulation::Simulation;
use serde::Serialize;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Instant;
use surefoot::event::BodyId;
use surefoot::{Input, World};

/// Button or direction of an [`Input`] whose press or release has a timing margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Button {
    /// Left or right: a change of [`Input::walk`].
    Walk,
    /// [`Input::jump`].
    Jump,
    /// [`Input::down`].
    Down,
    /// [`Input::up`].
    Up,
    /// [`Input::dash`].
    Dash,
}

impl Button {
    const ALL: [Button; 5] = [Button::Walk, Button::Jump, Button::Down, Button::Up, Button::Dash];

    /// Returns `input` with the part of `from` that belongs to this button.
    fn copy_button_from(self, input: Input, from: Input) -> Input {
        match self {
            Button::Walk => Input { walk: from.walk, ..input },
            Button::Jump => Input { jump: from.jump, ..input },
            Button::Down => Input { down: from.down, ..input },
            Button::Up => Input { up: from.up, ..input },
            Button::Dash => Input { dash: from.dash, ..input },
        }
    }

    fn is_button_different(self, a: Input, b: Input) -> bool {
        self.copy_button_from(a, b) != a
    }

    fn is_pressed(self, input: Input) -> bool {
        self.is_button_different(input, Input::default())
    }
}

impl fmt::Display for Button {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Button::Walk => "walk",
            Button::Jump => "jump",
            Button::Down => "down",
            Button::Up => "up",
            Button::Dash => "dash",
        })
    }
}

/// A press or a release in a run, and how far it can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// Tick of the run in which the button changes. The first tick is 0.
    pub tick: usize,
    /// The button that changes.
    pub button: Button,
    /// The button is held after the change, or a direction that was held gives way to another one.
    pub is_press: bool,
    /// Number of ticks by which the change can come earlier, up to the limit.
    pub early: u32,
    /// Number of ticks by which the change can come later, up to the limit.
    pub late: u32,
}

impl Margin {
    /// Number of ticks in which the change leads to the goal, at least 1.
    #[must_use]
    pub fn window(&self) -> u32 {
        self.early + 1 + self.late
    }
}

/// Returns the margins of all presses and releases of a run, in the order of their ticks.
///
/// `start`: the world before the first tick of the run. `inputs`: the input of `body` in each tick. `is_reached`:
/// whether the goal is reached after a step. `limit`: greatest margin that is tried, in ticks.
///
/// Each change is moved alone, tick by tick, until the run no longer reaches the goal. The run may then take up to
/// `limit` ticks longer than the given one, with its last input. A change is not moved past the change of the same
/// button before or after it. Returns no margins if the run itself does not reach the goal.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::{Input, Map, World};
/// use surefoot_search::margins;
///
/// let map = Map::from_rows(["..............", "@.............", "####..########"])?;
/// let mut world = World::new(map, Settings::default());
/// let body = Body::new(Shape::aabb(0.35, 0.45)).at((0.5, 1.45)).character(Character::default());
/// let hero = world.spawn(body)?;
/// // Runs, jumps over the pit in tick 20 and holds the button.
/// let inputs: Vec<Input> = (0..100).map(|tick| Input { jump: tick >= 20, ..Input::walk(1.0) }).collect();
/// let is_reached = |world: &World, hero| world[hero].position().to_dvec2().x > 7.0 && world[hero].on_floor();
/// let jump = margins(&world, hero, &inputs, &is_reached, 30)[1];
/// assert_eq!((jump.tick, jump.late > 0, jump.late < 20), (20, true, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn margins(
    start: &World,
    body: BodyId,
    inputs: &[Input],
    is_reached: &dyn Fn(&World, BodyId) -> bool,
    limit: u32,
) -> Vec<Margin> {
    let step = |world: &mut World, input: Input| {
        world.set_input(body, input);
        world.step();
        is_reached(world, body)
    };
    Run { inputs, step: &step, limit, deadline: None }.margins(start)
}

impl<G: Clone + Serialize + Send + Sync> Search<'_, G> {
    /// Returns the margins of all presses and releases of a run that this search found, as [`margins`] does, with the
    /// goal and the rules of the game of this search. `limit`: greatest margin that is tried, in ticks.
    ///
    /// If [`Options::max_time`](crate::Options::max_time) is over, the last presses of the run have no margins.
    ///
    /// # Errors
    /// Returns [`SearchError`] if the search has no goal, or no such marker, area or body.
    pub fn margins(&self, run: &FoundRun, limit: u32) -> Result<Vec<Margin>, SearchError> {
        let deadline = self.options.max_time.and_then(|limit| Instant::now().checked_add(limit));
        let targets = Targets::new(self.goal.as_ref().ok_or(SearchError::NoGoal)?, self.world)?;
        let inputs: Vec<Input> = input_of_each_tick(&run.inputs).collect();
        let step = |simulation: &mut Simulation<G>, input| simulation.step_and_check_goal(input, &targets);
        let start = self.simplified_simulation();
        start.hero().ok_or(SearchError::NoSuchBody)?;
        Ok(Run { inputs: &inputs, step: &step, limit, deadline }.margins(&start))
    }
}

/// A run whose presses are moved, to find out how much. `S`: the state in which the run is played.
struct Run<'a, S> {
    inputs: &'a [Input],
    /// Plays a tick, and returns whether the goal is reached.
    step: &'a dyn Fn(&mut S, Input) -> bool,
    limit: u32,
    deadline: Option<Instant>,
}

impl<S: Clone> Run<'_, S> {
    /// Returns the margins of all presses and releases of the run from `start`.
    fn margins(&self, start: &S) -> Vec<Margin> {
        let (inputs, limit) = (self.inputs, self.limit);
        let mut margins = Vec::new();
        if !self.reaches_goal_with_change(start, 0, None) {
            return margins;
        }
        // `before` is a state shortly before a change of the input. The runs with a moved change start from there.
        let mut before = start.clone();
        let mut at = 0;
        for tick in 0..inputs.len() {
            let last = tick.checked_sub(1).map_or_else(Input::default, |last| inputs[last]);
            for button in Button::ALL.into_iter().filter(|button| button.is_button_different(inputs[tick], last)) {
                if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return margins;
                }
                while at < tick.saturating_sub(limit as usize) {
                    (self.step)(&mut before, inputs[at]);
                    at += 1;
                }
                margins.push(self.button_change_margin((&before, at), tick, button, last));
            }
        }
        margins
    }

    /// Returns by how many ticks the change of a button at `tick` may come earlier or later, so that the run still
    /// reaches its goal.
    fn button_change_margin(&self, (before, at): (&S, usize), tick: usize, button: Button, last: Input) -> Margin {
        let now = self.inputs[tick];
        let holds = |range: RangeInclusive<usize>, input: Input| {
            self.inputs[range].iter().all(|other| !button.is_button_different(*other, input))
        };
        let early = (1..=self.limit).take_while(|&by| {
            let first = tick.checked_sub(by as usize);
            first.is_some_and(|first| {
                (first == 0 || holds(first - 1..=tick - 1, last))
                    && self.reaches_goal_with_change(before, at, Some((first..=tick - 1, button, now)))
            })
        });
        let early = early.count() as u32;
        let late = (1..=self.limit).take_while(|&by| {
            let end = tick + by as usize - 1;
            end + 1 < self.inputs.len()
                && holds(tick..=end + 1, now)
                && self.reaches_goal_with_change(before, at, Some((tick..=end, button, last)))
        });
        let late = late.count() as u32;
        Margin { tick, button, is_press: button.is_pressed(now), early, late }
    }

    /// Returns whether the run reaches the goal, played from the state `before` the tick `at`. `change`: a button
    /// that has another input in some ticks.
    fn reaches_goal_with_change(
        &self,
        before: &S,
        at: usize,
        change: Option<(RangeInclusive<usize>, Button, Input)>,
    ) -> bool {
        let mut state = before.clone();
        let end = self.inputs.len() + if change.is_some() { self.limit as usize } else { 0 };
        (at..end).any(|tick| {
            let Some(mut input) = self.inputs.get(tick).or(self.inputs.last()).copied() else { return false };
            if let Some((_, button, other)) = change.as_ref().filter(|(range, ..)| range.contains(&tick)) {
                input = button.copy_button_from(input, *other);
            }
            (self.step)(&mut state, input)
        })
    }
}

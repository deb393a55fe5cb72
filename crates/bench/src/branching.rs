//! The cost of branches, as a search makes them: a restored state, an input, six ticks and a capture.
//!
//! The states are those of the recorded run through `maps/highlands.ron`, one each six ticks. A branch plays the same
//! six ticks from its state as the run did, so that both make the same steps. A `GameRun` plays the whole run beside
//! them.

use crate::{callgrind, measure};
use cpu_time::ThreadTime;
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::path::Path;
use surefoot::prelude::*;
use surefoot::record::{GameRun, Inputs, Playback, SavedGame};
use surefoot::snapshot::{Snapshot, SnapshotArena, SnapshotKey};
use surefoot::{Input, World};

/// Ticks of a branch.
pub const TICKS: usize = 6;
/// Most that a branch may cost, in runs of as many ticks without a restore and a capture.
pub const MOST: f64 = 1.5;
/// Most bytes of a state in an arena, for a world with one character.
pub const MOST_BYTES: f64 = 300.0;

/// A measured operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Six ticks of the run, without a restore.
    Plain,
    /// A branch from the next state of the run.
    InOrder,
    /// A branch from a random state of the run.
    Random,
    /// A branch from a random state in an arena, which is also copied, added and removed.
    Arena,
    /// A branch with each of six inputs from the same state in an arena, as a search makes them.
    Inputs,
    /// A copy of the world.
    Clone,
    /// A copy of the world into one that exists.
    CloneFrom,
    /// Six ticks of the run by a `GameRun`, which captures the world, and writes and hashes the game's state in each
    /// tick.
    Advance,
}

impl Op {
    /// All of them, the plain ticks first.
    pub const ALL: [Op; 8] =
        [Op::Plain, Op::InOrder, Op::Random, Op::Arena, Op::Inputs, Op::Clone, Op::CloneFrom, Op::Advance];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Op::Plain => "plain",
            Op::InOrder => "in-order",
            Op::Random => "random",
            Op::Arena => "arena",
            Op::Inputs => "inputs",
            Op::Clone => "clone",
            Op::CloneFrom => "clone-from",
            Op::Advance => "advance",
        }
    }

    /// The name in the table.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Op::Plain => "six ticks of the run",
            Op::InOrder => "restore, input, six ticks and capture, states in order",
            Op::Random => "the same, states in random order",
            Op::Arena => "the same with states in an arena",
            Op::Inputs => "six inputs from each state in an arena, as a search does",
            Op::Clone => "`World::clone`",
            Op::CloneFrom => "`World::clone_from`",
            Op::Advance => "six ticks of the run by `GameRun::advance`",
        }
    }

    /// Returns the operation of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<Op> {
        Op::ALL.into_iter().find(|op| op.name() == name)
    }

    /// Returns whether the cost of the operation has a limit. Branches from states at random places have none: after
    /// each restore, the world must look up other surroundings. A search tries several inputs from each state.
    #[must_use]
    pub fn is_judged(self) -> bool {
        matches!(self, Op::InOrder | Op::Inputs)
    }
}

/// State of a small game outside the world.
#[derive(Clone, Serialize, Deserialize)]
struct Rules {
    hero: BodyId,
    landings: u32,
    coins: u32,
    deaths: u32,
    checkpoint: (f64, f64),
    open_doors: Vec<u32>,
}

fn play_tick(world: &mut World, rules: &mut Rules, inputs: &Inputs) {
    world.set_input(rules.hero, inputs[0]);
    world.step();
    rules.landings +=
        world.events().iter().filter(|event| matches!(event.kind, EventKind::Landed { .. })).count() as u32;
}

/// The run through the map with a state each six ticks.
pub struct Stage {
    world: World,
    hero: BodyId,
    inputs: Vec<Input>,
    snapshots: Vec<Snapshot>,
    keys: Vec<SnapshotKey>,
    arena: SnapshotArena,
    copy: World,
    /// State from which branches begin, and memory for others.
    parent: Snapshot,
    snapshot: Snapshot,
    game: GameRun<Rules>,
    /// The game before its first tick.
    start: SavedGame<Rules>,
}

impl Stage {
    /// Plays the recorded run and keeps its states.
    ///
    /// # Panics
    /// Panics if the recorded run does not belong to the map.
    #[must_use]
    pub fn new() -> Stage {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps/highlands.replay.ron");
        let mut playback = Playback::load(path).expect("the recorded run");
        let first = playback.world().bodies().find(|(_, state)| state.character().is_some());
        let (hero, _) = first.expect("the run has a hero");
        let world = playback.world().clone();
        let (mut inputs, mut snapshots, mut arena) = (Vec::new(), Vec::new(), SnapshotArena::default());
        loop {
            let snapshot = playback.world().capture();
            let ticks: Vec<Input> =
                (0..TICKS).map_while(|_| playback.step().is_some().then(|| playback.world()[hero].input())).collect();
            if ticks.len() < TICKS {
                break;
            }
            inputs.extend(ticks);
            snapshots.push(snapshot);
        }
        let keys = snapshots.iter().map(|snapshot| arena.add(snapshot)).collect();
        let (copy, parent, snapshot) = (world.clone(), snapshots[0].clone(), snapshots[0].clone());
        let rules =
            Rules { hero, landings: 0, coins: 12, deaths: 3, checkpoint: (104.5, 31.0), open_doors: vec![1, 2, 5] };
        let mut game = GameRun::new(world.clone(), rules, play_tick).expect("the state can be written");
        let start = game.save().expect("the recording goes on");
        Stage { world, hero, inputs, snapshots, keys, arena, copy, parent, snapshot, game, start }
    }

    /// Runs an operation for each state, `rounds` times. The plain ticks begin each round at the first state.
    pub fn run(&mut self, op: Op, rounds: u64) {
        let count = self.snapshots.len();
        // A step that has no common divisor with the number of states visits each of them once.
        let step = (0..).map(|i| 7919 + i).find(|&step| is_coprime(step, count)).unwrap_or(1);
        for _ in 0..rounds {
            self.restore(0);
            if op == Op::Advance {
                self.game.load(&self.start).expect("it is of this map");
            }
            for i in 0..count {
                match op {
                    Op::Plain => self.play(i, None),
                    Op::InOrder | Op::Random => {
                        let state = if op == Op::Random { i * step % count } else { i };
                        self.restore(state);
                        self.play(state, None);
                        self.world.capture_into(&mut self.snapshot);
                    }
                    Op::Arena => {
                        let state = i * step % count;
                        self.arena.copy_to(self.keys[state], &mut self.parent);
                        self.branch(state, None);
                    }
                    Op::Inputs => {
                        let (walk, jump) = ([127, -127, 0][i % 3], i % 6 >= 3);
                        let state = i / 6 * step % count;
                        if i % 6 == 0 {
                            self.arena.copy_to(self.keys[state], &mut self.parent);
                        }
                        self.branch(state, Some(Input { walk, jump, ..Input::default() }));
                    }
                    Op::Clone => self.copy = black_box(self.world.clone()),
                    Op::CloneFrom => self.copy.clone_from(black_box(&self.world)),
                    Op::Advance => {
                        for tick in 0..TICKS {
                            self.game.advance(&self.inputs[i * TICKS + tick].into()).expect("the tick is recorded");
                        }
                    }
                }
            }
        }
    }

    /// Returns the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.snapshots.len()
    }

    /// Returns an arena with all states.
    #[must_use]
    pub fn fill_arena(&self) -> SnapshotArena {
        let mut arena = SnapshotArena::default();
        for snapshot in &self.snapshots {
            arena.add(snapshot);
        }
        arena
    }

    fn restore(&mut self, state: usize) {
        self.world.restore(&self.snapshots[state]).expect("it is of this map");
    }

    /// Plays the ticks of the run after a state, or six ticks with an input.
    fn play(&mut self, state: usize, input: Option<Input>) {
        for tick in 0..TICKS {
            let input = input.unwrap_or(self.inputs[state * TICKS + tick]);
            self.world.set_input(self.hero, input);
            self.world.step();
        }
    }

    /// Branches from the copied state as a search does. Adds the new state and removes it.
    fn branch(&mut self, state: usize, input: Option<Input>) {
        self.world.restore(&self.parent).expect("it is of this map");
        self.play(state, input);
        self.world.capture_into(&mut self.snapshot);
        let key = self.arena.add(&self.snapshot);
        self.arena.remove(key);
    }

    /// Measures nanoseconds of an operation for one state.
    fn nanos(&mut self, op: Op) -> f64 {
        let begin = ThreadTime::now();
        self.run(op, 1);
        begin.elapsed().as_nanos() as f64 / self.states() as f64
    }
}

impl Default for Stage {
    fn default() -> Stage {
        Stage::new()
    }
}

fn is_coprime(a: usize, b: usize) -> bool {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

/// The costs of all operations, in the order of [`Op::ALL`].
pub type Costs = [f64; Op::ALL.len()];

/// Measures nanoseconds: the median of the rounds. Each round measures all operations in turn.
#[must_use]
pub fn nanoseconds(rounds: usize) -> Costs {
    let mut stage = Stage::new();
    let mut times = [const { Vec::new() }; Op::ALL.len()];
    for _ in 0..rounds {
        for op in Op::ALL {
            times[op as usize].push(stage.nanos(op));
        }
    }
    times.map(measure::median)
}

/// Counts instructions of all operations for one state. Returns `None` if valgrind is not installed.
#[must_use]
pub fn instructions() -> Option<Costs> {
    let states = Stage::new().states() as u64;
    let mut costs = [0.0; Op::ALL.len()];
    for op in Op::ALL {
        let arguments = |rounds: u64| ["run", op.name(), &rounds.to_string()].map(str::to_owned).to_vec();
        costs[op as usize] = callgrind::per_step(callgrind::instructions, arguments, 1, 3, states)?;
    }
    Some(costs)
}

/// Returns the table: nanoseconds, and instructions if they were counted.
#[must_use]
pub fn table(nanos: &Costs, counts: Option<&Costs>) -> String {
    let mut text = "| branches in `highlands.ron` | ns | of plain ticks | instructions | of plain ticks |\n".to_owned();
    text += "|---|--:|--:|--:|--:|\n";
    for op in Op::ALL {
        let show = |costs: &Costs| format!("{:.0} | {:.2}", costs[op as usize], share(costs, op));
        let counted = counts.map_or_else(|| "- | -".to_owned(), show);
        text += &format!("| {} | {} | {counted} |\n", op.title(), show(nanos));
    }
    text
}

/// Returns the cost of an operation in runs of plain ticks.
#[must_use]
pub fn share(costs: &Costs, op: Op) -> f64 {
    costs[op as usize] / costs[Op::Plain as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_make_the_steps_of_the_run() {
        let mut stage = Stage::new();
        let count = stage.states();
        stage.run(Op::Plain, 1);
        let end = stage.world.checksum();
        stage.run(Op::InOrder, 1);
        assert_eq!(stage.world.checksum(), end);
        for _ in 0..2 {
            stage.run(Op::Advance, 1);
            assert_eq!(stage.game.world().checksum(), end);
            let ticks = stage.game.recording().expect("the recording goes on").ticks();
            assert_eq!(ticks, (count * TICKS) as u64, "each round begins again");
        }
        let mut arena = stage.fill_arena();
        assert_eq!(arena.len(), count);
        let key = arena.add(&stage.snapshot);
        assert!(arena.remove(key));
        assert_eq!(arena.len(), count);
    }
}

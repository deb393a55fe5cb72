//! Compares the cost of saving, loading and hashing a world with that of a step, and measures rollbacks.

use crate::movers::Crowd;
use crate::movers::surefoot::InWorld;
use crate::run::Work;
use crate::scene::Scene;
use crate::tolerance::SHARE_OF_A_STEP;
use crate::{callgrind, measure};
use cpu_time::ThreadTime;
use std::hint::black_box;
use surefoot::snapshot::Snapshot;

/// The crowds.
pub const CROWDS: [(Work, &str); 3] = [
    (Work::Crowd(crate::movers::Body::Circle), "1000 circles that walk and jump"),
    (Work::Crowd(crate::movers::Body::Box), "1000 boxes that walk and jump"),
    (Work::Balls, "1000 balls that bounce"),
];

/// Ticks of a rollback.
pub const BACK: usize = 8;
/// Ticks before anything is measured. By then every body has come down.
const WARM: u64 = 60;
/// Milliseconds of a tick.
pub const TICK_MILLIS: f64 = crate::scene::TICK * 1e3;

/// A measured operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// A step, with the inputs of that tick.
    Step,
    /// A save into a snapshot that is in use already.
    Save,
    /// A load of a snapshot from some ticks before or after.
    Load,
    /// A checksum of the whole state.
    Checksum,
    /// A load, and eight times a save and a step.
    Rollback,
}

impl Op {
    /// All of them, the step first.
    pub const ALL: [Op; 5] = [Op::Step, Op::Save, Op::Load, Op::Checksum, Op::Rollback];
    /// The operations that may cost at most a share of a step.
    pub const JUDGED: [Op; 3] = [Op::Save, Op::Load, Op::Checksum];

    /// The name on the command line and in the tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Op::Step => "step",
            Op::Save => "save",
            Op::Load => "load",
            Op::Checksum => "checksum",
            Op::Rollback => "rollback",
        }
    }

    /// Returns the operation of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<Op> {
        Op::ALL.into_iter().find(|op| op.name() == name)
    }

    /// Number of operations that callgrind counts. The steps go through all phases of the inputs.
    fn counted(self) -> u64 {
        match self {
            Op::Step | Op::Save | Op::Load | Op::Checksum => 60,
            Op::Rollback => 6,
        }
    }
}

/// The cost of each operation per body, in the order of [`Op::ALL`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs(pub [f64; 5]);

impl Costs {
    /// Returns the cost of one operation.
    #[must_use]
    pub fn of(&self, op: Op) -> f64 {
        self.0[op as usize]
    }

    /// Returns the cost of an operation in steps.
    #[must_use]
    pub fn in_steps(&self, op: Op) -> f64 {
        self.of(op) / self.of(Op::Step)
    }

    /// Returns the operations that cost more than promised.
    #[must_use]
    pub fn missed(&self) -> Vec<Op> {
        let costly = |op: &Op| self.in_steps(*op) > SHARE_OF_A_STEP || self.of(*op).is_nan();
        Op::JUDGED.into_iter().filter(costly).collect()
    }
}

/// Returns a crowd of the engine after some ticks.
///
/// # Panics
/// Panics if the work is not one of [`CROWDS`].
#[must_use]
pub fn crowd(scene: &Scene, work: Work, ticks: u64) -> InWorld {
    let mut crowd = match work {
        Work::Crowd(body) => InWorld::walkers(scene, body, &scene.starts()),
        Work::Balls => InWorld::balls(scene, &scene.starts()),
        _ => panic!("not a crowd in a world"),
    };
    (0..ticks).for_each(|tick| crowd.tick(tick));
    crowd
}

/// A crowd that has come down, and the snapshots that it is saved into.
struct Stage {
    crowd: InWorld,
    /// Snapshots after the fall, and eight ticks later.
    moments: [Snapshot; 2],
    ring: [Snapshot; BACK],
    loads: usize,
}

impl Stage {
    fn new(scene: &Scene, work: Work) -> Stage {
        let crowd = crowd(scene, work, WARM);
        let first = crowd.world().capture();
        let mut stage = Stage { moments: [first.clone(), first], crowd, ring: Default::default(), loads: 0 };
        stage.rollback();
        stage.crowd.world().capture_into(&mut stage.moments[1]);
        // Run each operation once, so that all lists have grown before anything is counted.
        Op::ALL.into_iter().for_each(|op| stage.run(op, 1));
        stage.load(0);
        // The first step after a load fills caches again, which a plain step does not.
        stage.run(Op::Step, BACK as u64);
        stage
    }

    fn run(&mut self, op: Op, times: u64) {
        for _ in 0..times {
            match op {
                Op::Step => self.step(),
                Op::Save => self.crowd.world().capture_into(&mut self.ring[0]),
                Op::Load => {
                    self.loads += 1;
                    self.load(self.loads % 2);
                }
                Op::Checksum => {
                    black_box(black_box(self.crowd.world()).checksum());
                }
                Op::Rollback => self.rollback(),
            }
        }
    }

    fn step(&mut self) {
        let tick = self.crowd.world().tick();
        self.crowd.tick(tick);
    }

    fn load(&mut self, moment: usize) {
        self.crowd.world_mut().restore(&self.moments[moment]).expect("it is of this map");
    }

    fn rollback(&mut self) {
        self.load(0);
        for i in 0..BACK {
            self.crowd.world().capture_into(&mut self.ring[i]);
            self.step();
        }
    }

    fn nanos(&mut self, op: Op, times: u64) -> f64 {
        let begin = ThreadTime::now();
        self.run(op, times);
        begin.elapsed().as_nanos() as f64 / (times * self.crowd.bodies() as u64) as f64
    }
}

/// Runs one operation `times` times on a crowd. Callgrind counts this.
pub fn run(work: Work, op: Op, times: u64) {
    Stage::new(&Scene::generated(), work).run(op, times);
}

/// Counts instructions. Returns `None` if valgrind is not installed.
#[must_use]
pub fn instructions(work: Work) -> Option<Costs> {
    let count = |op: Op, times: u64| {
        let arguments = ["run", work.name(), op.name(), &times.to_string()].map(str::to_owned);
        callgrind::instructions(&arguments)
    };
    // `base` is the cost that all runs have in common.
    let base = count(Op::Step, 0)?;
    let mut costs = [0.0; 5];
    for op in Op::ALL {
        let all = count(op, op.counted())?.checked_sub(base)?;
        costs[op as usize] = all as f64 / (op.counted() * crate::scene::BODIES as u64) as f64;
    }
    Some(Costs(costs))
}

/// Measures nanoseconds: the median of the rounds. Each round measures all operations in turn.
#[must_use]
pub fn nanoseconds(scene: &Scene, work: Work, rounds: usize) -> Costs {
    // Loads and rollbacks have a crowd of their own, because they change the cost of the next step.
    let (mut steps, mut back) = (Stage::new(scene, work), Stage::new(scene, work));
    let mut times = [const { Vec::new() }; 5];
    for _ in 0..rounds {
        for op in Op::ALL {
            let stage = if matches!(op, Op::Load | Op::Rollback) { &mut back } else { &mut steps };
            times[op as usize].push(stage.nanos(op, op.counted()));
        }
    }
    Costs(times.map(measure::median))
}

/// Returns the table of one unit.
#[must_use]
pub fn table(unit: &str, lines: &[(&str, Costs)]) -> String {
    let mut text =
        format!("| {unit} of a body | step | save | of a step | load | of a step | checksum | of a step |\n");
    text += "|---|--:|--:|--:|--:|--:|--:|--:|\n";
    for (title, costs) in lines {
        text += &format!("| {title} | {:.0} |", costs.of(Op::Step));
        for op in Op::JUDGED {
            text += &format!(" {:.1} | {:.3} |", costs.of(op), costs.in_steps(op));
        }
        text += "\n";
    }
    text
}

/// Returns the table of rollbacks: times, and instructions if they were counted.
#[must_use]
pub fn rollbacks(lines: &[(&str, Costs, Option<Costs>)]) -> String {
    let mut text = format!(
        "| {BACK} ticks of rollback | ms | of a tick of {TICK_MILLIS:.2} ms | in steps, by ns | by instructions | its \
         load, saves and steps alone |\n|---|--:|--:|--:|--:|--:|\n"
    );
    for (title, nanos, counts) in lines {
        let millis = nanos.of(Op::Rollback) * crate::scene::BODIES as f64 / 1e6;
        let parts = |costs: &Costs| costs.in_steps(Op::Load) + BACK as f64 * (1.0 + costs.in_steps(Op::Save));
        let show = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
        text += &format!(
            "| {title} | {millis:.2} | {:.1} % | {:.2} | {} | {} |\n",
            100.0 * millis / TICK_MILLIS,
            nanos.in_steps(Op::Rollback),
            show(counts.as_ref().map(|costs| costs.in_steps(Op::Rollback))),
            show(counts.as_ref().map(parts)),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_that_cost_more_than_promised_are_reported() {
        let costs = Costs([100.0, 10.0, 10.1, f64::NAN, 900.0]);
        assert_eq!(costs.missed(), [Op::Load, Op::Checksum]);
        assert_eq!(costs.in_steps(Op::Rollback), 9.0);
    }

    #[test]
    fn a_crowd_continues_from_the_tick_of_the_rollback() {
        let scene = Scene::generated();
        let mut stage = Stage::new(&scene, Work::Balls);
        assert_eq!(stage.crowd.world().tick(), WARM + BACK as u64);
        let after = stage.crowd.world().checksum();
        for steps in [0, 3] {
            stage.run(Op::Step, steps);
            stage.run(Op::Rollback, 1);
            assert_eq!(stage.crowd.world().checksum(), after);
        }
        for tick in [WARM, WARM + BACK as u64] {
            stage.run(Op::Load, 1);
            assert_eq!(stage.crowd.world().tick(), tick, "loads take turns");
        }
    }
}

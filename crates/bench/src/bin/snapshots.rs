//! Compares saving, loading and hashing a world with stepping it, and measures rollbacks.
//!
//! ```text
//! snapshots                       the tables, as Markdown
//! snapshots --no-callgrind        the same without instructions; nothing is judged
//! snapshots run CROWD OP TIMES    one operation so many times: what callgrind counts
//! ```
//! Crowds: `circle`, `box`, `balls`. Operations: `step`, `save`, `load`, `checksum`, `rollback`.
//! It fails if a save, a load or a checksum takes more than a tenth of the instructions of a step.

use std::process::ExitCode;
use surefoot_bench::command_line::{expect_none, run_program};
use surefoot_bench::run::Work;
use surefoot_bench::scene::Scene;
use surefoot_bench::snapshots::{self, CROWDS, Costs, Op};
use surefoot_bench::{callgrind, versions};

const USAGE: &str = "\
snapshots [--no-callgrind]
snapshots run CROWD OP TIMES
crowds: circle, box, balls; operations: step, save, load, checksum, rollback";

/// Timed rounds.
const ROUNDS: usize = 9;

fn main() -> ExitCode {
    run_program(|arguments| match *arguments {
        [] => tables(callgrind::is_there()),
        ["--no-callgrind"] => tables(false),
        ["run", crowd, op, times] => run(crowd, op, times),
        _ => Err(USAGE.to_owned()),
    })
}

fn run(crowd: &str, op: &str, times: &str) -> Result<(), String> {
    let crowd = Work::find(crowd).filter(|work| CROWDS.iter().any(|(crowd, _)| crowd == work)).ok_or(USAGE)?;
    snapshots::run(crowd, Op::find(op).ok_or(USAGE)?, times.parse().map_err(|_| USAGE)?);
    Ok(())
}

fn tables(counted: bool) -> Result<(), String> {
    let scene = Scene::generated();
    let processor = versions::processor().unwrap_or_else(|| "an unnamed processor".to_owned());
    println!("{}, one thread of {processor}.\n", versions::today());
    let nanos = CROWDS.map(|(work, title)| (title, snapshots::nanoseconds(&scene, work, ROUNDS)));
    println!("{}", snapshots::table("ns", &nanos));
    let counts: Option<Vec<(&str, Costs)>> = if counted {
        let count = |(work, title)| Some((title, snapshots::instructions(work)?));
        Some(CROWDS.into_iter().map(count).collect::<Option<_>>().ok_or("valgrind does not run this")?)
    } else {
        None
    };
    if let Some(counts) = &counts {
        println!("{}", snapshots::table("instructions", counts));
    }
    let line = |(i, &(title, nanos)): (usize, &(&'static str, Costs))| {
        (title, nanos, counts.as_ref().map(|counts| counts[i].1))
    };
    let lines: Vec<_> = nanos.iter().enumerate().map(line).collect();
    println!("{}", snapshots::rollbacks(&lines));
    let Some(counts) = counts else {
        println!("Instructions were not counted: nothing is judged.");
        return Ok(());
    };
    let missed = counts.iter().flat_map(|(title, costs)| {
        costs.missed().into_iter().map(move |op| format!("{title}: a {} is {:.3} steps", op.name(), costs.in_steps(op)))
    });
    let missed: Vec<String> = missed.collect();
    expect_none("more than promised", &missed)
}

//! Measures the branches of a search, and the time to solve levels.
//!
//! ```text
//! search                       the tables, as Markdown
//! search --no-callgrind        the same without instructions; branches are not judged
//! search run OP ROUNDS         does one operation in each state of a run, and all of it ROUNDS times, for callgrind
//! search solve MAP             solves one level, such as highlands.ron
//! ```
//! It fails if a branch takes more than 1.5 times the instructions of its ticks, if a level takes too long, or if a
//! found run is too long.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use surefoot_bench::branching::{self, Op, Stage};
use surefoot_bench::command_line::{expect_none, run_program};
use surefoot_bench::solving::{self, LEVELS, Solved};
use surefoot_bench::{callgrind, versions};

const USAGE: &str = "\
search [--no-callgrind]
search run OP ROUNDS
search solve MAP
operations: plain, in-order, random, arena, inputs, clone, clone-from, advance; maps: highlands.ron, first_steps.ron";

/// Timed rounds.
const ROUNDS: usize = 9;

fn main() -> ExitCode {
    run_program(|arguments| match *arguments {
        [] => tables(callgrind::is_there()),
        ["--no-callgrind"] => tables(false),
        ["run", op, rounds] => run(op, rounds),
        ["solve", map] => solve(map),
        _ => Err(USAGE.to_owned()),
    })
}

fn run(op: &str, rounds: &str) -> Result<(), String> {
    Stage::new().run(Op::find(op).ok_or(USAGE)?, rounds.parse().map_err(|_| USAGE)?);
    Ok(())
}

fn solve(map: &str) -> Result<(), String> {
    let level = LEVELS.into_iter().find(|level| level.name == map).ok_or(USAGE)?;
    println!("{}", solving::table(&[level.measure(1)]));
    Ok(())
}

fn tables(counted: bool) -> Result<(), String> {
    let processor = versions::processor().unwrap_or_else(|| "an unnamed processor".to_owned());
    println!("{}, one thread of {processor}.\n", versions::today());
    let solved = LEVELS.map(|level| level.measure(ROUNDS));
    println!("{}", solving::table(&solved));
    let nanos = branching::nanoseconds(ROUNDS);
    let counts = if counted { Some(branching::instructions().ok_or("valgrind does not run this")?) } else { None };
    println!("{}", branching::table(&nanos, counts.as_ref()));
    let mut faults: Vec<String> = solved.iter().filter_map(Solved::fault).collect();
    for op in Op::ALL.into_iter().filter(|op| op.is_judged()) {
        let share = counts.as_ref().map_or(0.0, |costs| branching::share(costs, op));
        if share > branching::MOST {
            faults.push(format!("{}: {share:.2} times the plain ticks; expected {}", op.title(), branching::MOST));
        }
    }
    expect_none("more than promised", &faults)
}

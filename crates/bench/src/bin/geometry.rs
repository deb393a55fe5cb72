//! Compares the queries of `surefoot-geometry` with those of parry2d-f64.
//!
//! ```text
//! geometry [WORD...]         the table of instructions of a call; only rows that have all the words
//! geometry run ROW...        asks each library about the rows with those numbers; callgrind counts this
//! ```
//! It fails if a row takes more than it promises. Without valgrind it prints nanoseconds, and judges nothing.

use std::process::ExitCode;
use surefoot_bench::command_line::{expect_none, run_program};
use surefoot_bench::geometry::rows::{Row, rows};
use surefoot_bench::geometry::{count, print};
use surefoot_bench::{callgrind, versions};

const USAGE: &str = "\
geometry [WORD...]
geometry run ROW...";

fn main() -> ExitCode {
    run_program(|arguments| match *arguments {
        ["run", ref numbers @ ..] => run(numbers),
        ref words => table(words),
    })
}

fn run(numbers: &[&str]) -> Result<(), String> {
    let numbers = numbers.iter().map(|number| number.parse().map_err(|_| USAGE));
    count::run(&rows(), &numbers.collect::<Result<Vec<usize>, &str>>()?);
    Ok(())
}

fn table(words: &[&str]) -> Result<(), String> {
    let rows = rows();
    let has_words = |row: &Row| {
        let name = format!("{}: {}", row.question, row.pair);
        words.iter().all(|word| name.contains(word))
    };
    let chosen: Vec<usize> = (0..rows.len()).filter(|&index| has_words(&rows[index])).collect();
    let shown: Vec<&Row> = chosen.iter().map(|&index| &rows[index]).collect();
    if shown.is_empty() {
        return Err(format!("no row has all of {words:?}\n{USAGE}"));
    }
    let of = |package| versions::of(package).unwrap_or("?");
    println!(
        "{}, surefoot-geometry {}, parry2d-f64 {}.\n",
        versions::today(),
        of("surefoot-geometry"),
        of("parry2d-f64")
    );
    if !callgrind::is_there() {
        let costs = count::nanoseconds(&rows, &chosen);
        println!(
            "{}\nThere is no valgrind here: these are nanoseconds, and nothing is judged by them.",
            print::table("ns", &shown, &costs)
        );
        return Ok(());
    }
    let costs = count::instructions(&rows, &chosen).ok_or("valgrind does not run this")?;
    println!("{}", print::table("instructions", &shown, &costs));
    let missed: Vec<String> = shown
        .iter()
        .zip(&costs)
        .filter(|(row, cost)| print::misses(row, cost))
        .map(|(row, _)| format!("{}: {}", row.question, row.pair))
        .collect();
    expect_none("more than promised", &missed)
}

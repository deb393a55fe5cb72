//! Compares surefoot with other engines.
//!
//! ```text
//! bench                      every table, as Markdown
//! bench --quick              the same in some seconds: no instructions, short runs, small maps
//! bench --no-callgrind       the same without instructions
//! bench WORK [MOVER [N [BODIES]]]   one work by one mover: nanoseconds of a step
//! bench instructions WORK [MOVER]   instructions of a step, net of everything else
//! bench misses WORK [MOVER]   misses of the first-level data cache, of 1000 bodies
//! bench sizes WORK           the table of crowds of 100 to 100,000
//! bench profile WORK [MOVER [LINES]]   the functions that take most of them
//! bench riders [--quick | --no-callgrind]   the tables of riders of moving platforms
//! bench riders CARRIER SPEED TICKS   so many ticks of one carrier's riders
//! bench load                 the table of loading
//! bench levels               the table of loading levels of Tiled and LDtk
//! bench load STEP FILE       one step on a map: nanoseconds, and bytes at the peak of memory
//! bench things               the table of maps with 100,000 placed things
//! ```
//! Works: `circle`, `box` (the crowd, N ticks), `balls` (N ticks), `cast` (N casts); `alone-circle`, `alone-box` (one
//! walker), `rest-circle`, `rest-box` (characters without input); `cast-hits`, `cast-misses` (casts of one kind; their
//! instructions are without the loop around them, which is `aim-hits`, `aim-misses`).
//! Steps: `text` (to read the file), `rows` (`ron` reads the rows as strings), `map`, `bake`, `world`
//! (reads the map and makes a world with its things), `parsed_level` (the parser alone on a level of an editor),
//! `loaded_level`.
//! Movers: `surefoot`, `mover` (without a world), `rapier`, `rapier-outlines`, `rapier-voxels`, `parry`, `box2d`,
//! `box2d-bodies`, `box2d-discrete` (without continuous collision), `grid`.
//! Carriers: `surefoot`, `rapier`, `rapier-bodies`, `box2d-bodies`, the peers' also with `-carried`.

use std::path::Path;
use std::process::ExitCode;
use surefoot_bench::command_line::{expect_none, run_program};
use surefoot_bench::load;
use surefoot_bench::measure::Length;
use surefoot_bench::movers::Subject;
use surefoot_bench::profile::profile;
use surefoot_bench::riders::{self, AttachedTo};
use surefoot_bench::run::{self, Work};
use surefoot_bench::scene::Scene;
use surefoot_bench::{callgrind, levels, table, things};

const USAGE: &str = "\
bench [--quick | --no-callgrind]
bench WORK [MOVER [N [BODIES]]]
bench instructions WORK [MOVER]
bench misses WORK [MOVER]
bench sizes WORK
bench profile WORK [MOVER [LINES]]
bench riders [--quick | --no-callgrind]
bench riders CARRIER SPEED TICKS
bench load [STEP FILE]
bench levels
bench things
works: circle, box, balls, cast, alone-circle, alone-box, rest-circle, rest-box, cast-hits, cast-misses
movers: surefoot, mover, rapier, rapier-outlines, rapier-voxels, parry, box2d, box2d-bodies,
  box2d-discrete, grid
carriers: surefoot, rapier, rapier-carried, rapier-bodies, rapier-bodies-carried, box2d-bodies, box2d-bodies-carried";

fn main() -> ExitCode {
    run_program(|arguments| match *arguments {
        [] => promised(&run::all(Length::FULL, true)),
        ["--no-callgrind"] => promised(&run::all(Length::FULL, false)),
        ["--quick"] => promised(&run::all(Length::QUICK, false)),
        ["riders"] => riding(Length::FULL, true),
        ["riders", "--no-callgrind"] => riding(Length::FULL, false),
        ["riders", "--quick"] => riding(Length::QUICK, false),
        ["riders", carrier, speed, ticks] => ride(carrier, speed, ticks),
        ["instructions", work, ref rest @ ..] => {
            named(work, rest).and_then(|(work, subject, _)| instructions(work, subject))
        }
        ["misses", work, ref rest @ ..] => named(work, rest).and_then(|(work, subject, _)| misses(work, subject)),
        ["sizes", work] => named(work, &[]).and_then(|(work, ..)| sizes(work)),
        ["profile", work, ref rest @ ..] => {
            named(work, rest).and_then(|(work, subject, n)| functions(work, subject, n))
        }
        ["load"] => loading(),
        ["levels"] => loading_levels(),
        ["things"] => placing(),
        ["load", step, file] => step_of_loading(step, file),
        [work, subject, n, bodies] => {
            named(work, &[subject, n]).and_then(|(work, subject, n)| one(work, subject, n, bodies))
        }
        [work, ref rest @ ..] => named(work, rest).and_then(|(work, subject, n)| one(work, subject, n, &usual(work))),
    })
}

/// A work, a mover and a number as they are on the command line.
fn named(work: &str, rest: &[&str]) -> Result<(Work, Subject, Option<u64>), String> {
    let work = Work::find(work).ok_or(USAGE)?;
    let (subject, n) = match *rest {
        [] => ("surefoot", None),
        [subject] => (subject, None),
        [subject, n] => (subject, Some(n.parse().ok().filter(|&n| n > 0).ok_or(USAGE)?)),
        _ => return Err(USAGE.to_owned()),
    };
    Ok((work, Subject::find(subject).ok_or(USAGE)?, n))
}

/// Default number of bodies of a work.
fn usual(work: Work) -> String {
    if matches!(work, Work::Alone(_)) { "1".to_owned() } else { "1000".to_owned() }
}

fn promised(faults: &[String]) -> Result<(), String> {
    expect_none("surefoot does not keep its promises", faults)
}

fn one(work: Work, subject: Subject, n: Option<u64>, bodies: &str) -> Result<(), String> {
    let bodies = bodies.parse().map_err(|_| USAGE)?;
    let nanos =
        run::one(work, subject, n.unwrap_or(work.lengths().1), bodies).ok_or("this mover does not do that work")?;
    println!("{} {}: {nanos:.1} ns a step", work.name(), subject.key());
    Ok(())
}

fn riding(length: Length, counts: bool) -> Result<(), String> {
    let wrong = run::ride(length, counts);
    println!("{}", table::RIDERS);
    promised(&wrong)
}

fn ride(carrier: &str, speed: &str, ticks: &str) -> Result<(), String> {
    let speed = speed.parse().ok().filter(|speed| riders::SPEEDS.contains(speed)).ok_or(USAGE)?;
    riders::measure::run(AttachedTo::find(carrier).ok_or(USAGE)?, speed, ticks.parse().map_err(|_| USAGE)?);
    Ok(())
}

fn loading() -> Result<(), String> {
    let loaded = load::load(&Scene::generated(), load::SIDE, callgrind::is_there());
    println!("{}", table::load(load::SIDE, &loaded));
    Ok(())
}

fn loading_levels() -> Result<(), String> {
    let costs = levels::levels(&Scene::generated()).ok_or("nothing to measure")?;
    println!("{}", table::levels(&costs));
    promised(&costs.iter().filter_map(levels::LevelCost::wrong).collect::<Vec<_>>())
}

fn placing() -> Result<(), String> {
    let placed = things::things(&Scene::generated()).ok_or("nothing to measure")?;
    println!("{}", table::things(&placed));
    promised(&placed.iter().filter_map(things::Placed::wrong).collect::<Vec<_>>())
}

fn step_of_loading(step: &str, file: &str) -> Result<(), String> {
    let file = Path::new(file);
    let spent = levels::step(step, file).or_else(|| load::step(step, file)).ok_or("nothing to measure")?;
    println!("{} {}", spent.time.as_nanos(), spent.peak.map_or_else(|| "-".to_owned(), |peak| peak.to_string()));
    Ok(())
}

fn instructions(work: Work, subject: Subject) -> Result<(), String> {
    let count = run::instructions(work, subject).ok_or("valgrind does not run this")?;
    println!("{} {}: {count:.1} instructions a step", work.name(), subject.key());
    Ok(())
}

fn sizes(work: Work) -> Result<(), String> {
    if !matches!(work, Work::Crowd(_) | Work::Balls) {
        return Err(USAGE.to_owned());
    }
    run::sizes(work, &Scene::generated(), Length::FULL);
    Ok(())
}

fn misses(work: Work, subject: Subject) -> Result<(), String> {
    let count = run::misses(work, subject).ok_or("valgrind does not run this")?;
    println!("{} {}: {count:.2} misses of the first-level data cache a step", work.name(), subject.key());
    Ok(())
}

fn functions(work: Work, subject: Subject, lines: Option<u64>) -> Result<(), String> {
    let shares = profile(work, subject).ok_or("valgrind does not run this")?;
    println!("| own | with callees | function |\n|--:|--:|---|");
    for share in shares.iter().take(lines.unwrap_or(25) as usize) {
        println!("| {:.1} | {:.1} | `{}` |", share.exclusive, share.inclusive, share.name);
    }
    let total: f64 = shares.iter().map(|share| share.exclusive).sum();
    println!("\n{total:.1} instructions a step in all.");
    Ok(())
}

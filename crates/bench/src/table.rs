//! Markdown tables.

use crate::levels::LevelCost;
use crate::load::{Loaded, RUNS, SIDE};
use crate::measure::{Crowded, Shooting};
use crate::memory::Spent;
use crate::movers::Subject;
use crate::oracle::{COARSE, FINE};
use crate::riders::measure::Ridden;
use crate::run::{Apart, Few, Missed};
use crate::scale::Scaled;
use crate::sizes::Sized;
use crate::things::{self, Placed};
use crate::tolerance::SHOWN_DEPTH;
use crate::versions;
use std::fmt::Write;

/// One mover's line: the result, and the instructions of a step if they were counted.
#[derive(Clone, Copy, Debug)]
pub struct Line<R> {
    /// The mover.
    pub subject: Subject,
    /// The result.
    pub result: R,
    /// Instructions of a step.
    pub instructions: Option<f64>,
}

/// Returns the date, the processor and the versions.
#[must_use]
pub fn heading() -> String {
    let of = |package| versions::of(package).unwrap_or("?");
    let processor = versions::processor().unwrap_or_else(|| "an unnamed processor".to_owned());
    let mut heading = format!("{}, one thread of {processor}. surefoot {}", versions::today(), of("surefoot"));
    if cfg!(feature = "peers") {
        heading += &format!(", rapier2d {}, parry2d {}", of("rapier2d"), of("parry2d"));
    }
    if cfg!(feature = "box2d") {
        // If the version of boxdd-sys changes, take the commit of Box2D from its README.
        let snapshot = "the development snapshot `56edae79` of the coming version 3.2, newer than the release 3.1.1";
        heading += &format!(", Box2D as boxdd-sys {} builds it: {snapshot}", of("boxdd-sys"));
    }
    heading + ".\n"
}

/// Returns notes on how to read the tables.
#[must_use]
pub fn notes(rounds: usize) -> String {
    format!(
        "\nTimes are of the processor, the median of {rounds} rounds taken in turn; instructions are callgrind's, the \
         difference of two lengths. Peers compute in f32. Every body of every tick is judged by an exact checker that \
         shares no code with any of them: a depth is by how much a shape would have to shrink on all sides to be free, \
         in tiles; lost is a body that ends outside of the map or with its centre in a solid.\n\n\
         \\* Slopes are blocks to it, and it is judged by blocks; to the grid circles are boxes. Box2D's mover is a \
         capsule, which stands in for the box. Each skin is the peer's own: 0.009 for rapier2d and the loop over \
         parry2d's casts, 0.005 for Box2D, 0.001 for the grid; surefoot has none. Box2D lets shapes overlap by up to its \
         documented slop of 0.005 tiles on purpose, its mover by that of its planes and that of its casts: depths of up to \
         0.01 in its rows are no fault. Its dynamic bodies do not turn and are no bullets; those without continuous collision are cheaper and get deeper.\n\n{RIDERS}"
    )
}

/// Notes on how to read the tables of riders.
pub const RIDERS: &str = "Riders stand on platforms of 4 x 1 tiles that go 6 tiles up, sideways or slanted and turn from one \
    tick to the next, and are judged by the centres of boxes, after 60 ticks of rest. Drift is by how much a rider's \
    place on its platform has changed after the last tick, in tiles, the farthest of those that are left; at most, in any \
    tick. Off the floor is as each engine says itself. A lost rider is beside its platform or in it, counts no more, and lies \
    on the floor while time is measured. Carried means that the game adds the platform's way or sets its velocity; friction \
    alone cannot hold what turns so fast, nor gravity hold it down. Box2D lets boxes overlap by up to its \
    slop of 0.005 tiles on purpose.\n";

/// A crowd's table.
#[must_use]
pub fn crowd(title: &str, lines: &[Line<Crowded>]) -> String {
    let mut text = format!(
        "\n**{title}**\n\n| mover | ns | times surefoot | instructions | tiles/s | deeper than {FINE} | \
         than {COARSE} | deepest | lost |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    let base = lines.first().map_or(f64::NAN, |line| line.result.nanos);
    for Line { subject, result, instructions } in lines {
        let faults = result.faults;
        let _ = writeln!(
            text,
            "| {} | {:.0} | {} | {} | {:.1} | {} | {} | {} | {} |",
            subject.title(),
            result.nanos,
            ratio(result.nanos / base),
            count(*instructions),
            result.speed,
            share(faults.fine, faults.seen),
            share(faults.coarse, faults.seen),
            depth(faults.deepest),
            faults.lost,
        );
    }
    text
}

/// The table of casts.
#[must_use]
pub fn shots(title: &str, lines: &[Line<Shooting>]) -> String {
    let mut text = format!(
        "\n**{title}**\n\n| mover | ns | times surefoot | instructions | hits | deeper than {FINE} | deepest | \
         stopped by nothing |\n|---|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    let base = lines.first().map_or(f64::NAN, |line| line.result.nanos);
    for Line { subject, result, instructions } in lines {
        let faults = result.faults;
        let _ = writeln!(
            text,
            "| {} | {:.0} | {} | {} | {} | {} | {} | {} |",
            subject.title(),
            result.nanos,
            ratio(result.nanos / base),
            count(*instructions),
            faults.hits,
            share(faults.late, faults.seen),
            depth(faults.deepest),
            faults.early,
        );
    }
    text
}

/// The table of casts that hit and casts that miss.
#[must_use]
pub fn apart(lines: &[Apart]) -> String {
    let mut text = "\n**Casts that hit and casts that miss, a cast; instructions without the loop around it**\n\n\
                    | mover | hits, ns | instructions | misses, ns | instructions |\n|---|--:|--:|--:|--:|\n"
        .to_owned();
    for Apart { subject, nanos: [hit, miss], instructions: [of_hit, of_miss] } in lines {
        let (title, of_hit, of_miss) = (subject.title(), count(*of_hit), count(*of_miss));
        let _ = writeln!(text, "| {title} | {hit:.0} | {of_hit} | {miss:.0} | {of_miss} |");
    }
    text
}

/// The table of few bodies and of such at rest.
#[must_use]
pub fn few(lines: &[Few]) -> String {
    let mut text =
        "\n**surefoot's worlds of one body, and of bodies at rest**\n\n| | ns | instructions |\n|---|--:|--:|\n"
            .to_owned();
    for Few { title, nanos, instructions } in lines {
        let _ = writeln!(text, "| {title} | {nanos:.1} | {} |", count(*instructions));
    }
    text
}

/// The table of riders on platforms of one speed.
#[must_use]
pub fn riders(speed: u32, ticks: u64, lines: &[Ridden]) -> String {
    let mut text = format!(
        "\n**1000 boxes that ride 100 platforms at {speed} tiles/s, a body-step; the rest by {ticks} ticks of 20 on 10**\n\n\
         | carrier | ns | times surefoot | instructions | off the floor | deeper than {FINE} | deepest | drift | at most | \
         lost |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    let base = lines.first().map_or(f64::NAN, |line| line.nanos);
    for Ridden { carrier, nanos, instructions, witness } in lines {
        let all_lost = witness.lost() == witness.riders();
        let _ = writeln!(
            text,
            "| {} | {nanos:.0} | {} | {} | {} | {} | {} | {} | {} | {} of {} |",
            carrier.title(),
            ratio(nanos / base),
            count(*instructions),
            percent(witness.off, witness.seen),
            percent(witness.deep, witness.seen),
            depth(witness.deepest),
            if all_lost { "-".to_owned() } else { depth(witness.drift) },
            depth(witness.farthest),
            witness.lost(),
            witness.riders(),
        );
    }
    text
}

/// The table of cache misses.
#[must_use]
pub fn misses(lines: &[Missed]) -> String {
    let mut text =
        "\n**Misses of a first-level data cache of 48 KiB, 1000 bodies, a body-step, as cachegrind counts them**\n\n\
                    | crowd | mover | misses | instructions |\n|---|---|--:|--:|\n"
            .to_owned();
    for Missed { work, subject, misses, instructions } in lines {
        let _ = writeln!(text, "| {} | {} | {misses:.1} | {instructions:.0} |", work.name(), subject.title());
    }
    text
}

/// The table of crowds of several sizes.
#[must_use]
pub fn sizes(title: &str, lines: &[Sized]) -> String {
    let mut text = format!(
        "\n**{title}**\n\n| mover | bodies | ns a body-step | times that of 1000 | ms a tick |\n|---|--:|--:|--:|--:|\n"
    );
    for line in lines {
        let Sized { subject, bodies, nanos, ratio } = line;
        let _ = writeln!(text, "| {} | {bodies} | {nanos:.0} | {ratio:.2} | {:.3} |", subject.title(), line.millis());
    }
    text
}

/// The table of map sizes.
#[must_use]
pub fn scale(lines: &[Scaled]) -> String {
    let mut text = "\n**The same room on larger maps**\n\n| tiles | ns | times the first |\n|--:|--:|--:|\n".to_owned();
    for line in lines {
        let _ = writeln!(text, "| {} | {:.0} | {:.2} |", line.tiles, line.nanos, line.nanos / lines[0].nanos);
    }
    text
}

/// The table of loading.
#[must_use]
pub fn load(side: usize, maps: &[Loaded]) -> String {
    let mut text = format!(
        "\n**Loading {side} x {side} tiles from RON, beside `ron` reading the rows as strings; the best of {RUNS} runs, \
         each in a fresh process**\n\n\
         | map | of RON | `ron`, ms | `Map::from_ron`, ms | times `ron` | again | instructions | `ron`'s memory | the \
         map's | baking, ms | its memory |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    for map in maps {
        let millis = |spent: Spent| spent.time.as_secs_f64() * 1e3;
        let _ = writeln!(
            text,
            "| {} | {} | {:.1} | {:.1} | {:.2} | {:.2} | {} | {} | {} | {} | {} |",
            map.name,
            mebibytes(Some(map.bytes as u64)),
            millis(map.rows),
            millis(map.map),
            map.ratio(),
            map.again,
            map.instructions.map_or_else(|| "-".to_owned(), |times| format!("{times:.2}")),
            mebibytes(map.rows.peak),
            mebibytes(map.map.peak),
            map.bake.map_or_else(|| "-".to_owned(), |bake| format!("{:.1}", millis(bake))),
            mebibytes(map.bake.and_then(|bake| bake.peak)),
        );
    }
    text + "\nAgain: times `ron` in a process that has done both before, so that much of the memory has been in use; \
            instructions: times `ron`'s.\n"
}

/// Returns the table of the cost of loading maps with placed things.
#[must_use]
pub fn things(maps: &[Placed]) -> String {
    let mut text = format!(
        "\n**{} things on {} x {} tiles, and 1000 x 1000 cells of joined areas, beside the same rows without them; the \
         best of {RUNS} runs, each in a fresh process**\n\n\
         | things | `Map::from_ron`, ms | times the tiles | with `World::from_map`, ms | times the tiles |\n\
         |---|--:|--:|--:|--:|\n",
        things::THINGS,
        things::SIDE,
        things::SIDE,
    );
    for map in maps {
        let millis = |spent: Spent| spent.time.as_secs_f64() * 1e3;
        let [read, made] = map.times();
        let (name, map, world) = (map.name, millis(map.map), millis(map.world));
        let _ = writeln!(text, "| {name} | {map:.1} | {read:.2} | {world:.1} | {made:.2} |");
    }
    text
}

/// Returns the table of the cost of loading levels of editors.
#[must_use]
pub fn levels(levels: &[LevelCost]) -> String {
    let mut text = format!(
        "\n**Loading levels of {SIDE} x {SIDE} tiles from the editors, next to their parsers alone; the best of {RUNS} \
         runs, each in a fresh process**\n\n\
         | level | file | parser alone, ms | `surefoot_import::load`, ms | times the parser | the parser's memory | the \
         load's | times the plain file |\n|---|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    for level in levels {
        let millis = |spent: Spent| spent.time.as_secs_f64() * 1e3;
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} | {:.0} | {:.2} | {} | {} | {} |",
            level.name,
            mebibytes(Some(level.bytes)),
            millis(level.parsed),
            millis(level.loaded),
            level.times(),
            mebibytes(level.parsed.peak),
            mebibytes(level.loaded.peak),
            level.memory().map_or_else(|| "-".to_owned(), |times| format!("{times:.2}")),
        );
    }
    text
}

fn ratio(times: f64) -> String {
    if times < 0.95 { format!("{times:.2}") } else { format!("{times:.1}") }
}

fn count(instructions: Option<f64>) -> String {
    instructions.map_or_else(|| "-".to_owned(), |count| format!("{count:.0}"))
}

/// Shows a count and its share of all.
fn share(some: u64, all: u64) -> String {
    if some == 0 { "0".to_owned() } else { format!("{some} ({:.2} %)", some as f64 * 100.0 / all as f64) }
}

/// Shows the share of all.
fn percent(some: u64, all: u64) -> String {
    if some == 0 { "0".to_owned() } else { format!("{:.2} %", some as f64 * 100.0 / all as f64) }
}

/// Shows a depth in tiles. The oracle cannot tell a smaller depth than `SHOWN_DEPTH` from its own error.
fn depth(tiles: f64) -> String {
    match tiles {
        0.0 => "0".to_owned(),
        _ if tiles < SHOWN_DEPTH => format!("< {SHOWN_DEPTH:.5}"),
        _ => format!("{tiles:.5}"),
    }
}

fn mebibytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "-".to_owned(), |bytes| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)))
}

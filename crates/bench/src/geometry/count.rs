//! Counts the cost of each query: this program runs itself under callgrind, which counts from mark to mark.

use super::rows::{Ask, Row, Subject};
use super::scenes::SCENES;
use cpu_time::ThreadTime;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Number of timed calls of a query. Under callgrind, there is one call for each scene.
const TIMED_CALLS: usize = 64 * SCENES;

/// The cost of a call for each subject. `None` if the subject lacks the query, or fails.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// surefoot, with known kinds of shapes.
    pub ours: Option<f64>,
    /// surefoot, with any kinds of shapes.
    pub ours_any: Option<f64>,
    /// parry's function for any two shapes.
    pub peer: Option<f64>,
    /// parry's function for these two kinds.
    pub peer_typed: Option<f64>,
}

impl Costs {
    /// Subtracts the harness. `taken` is the cost of `calls` calls for each subject, in the order of [`Subject::ALL`].
    fn net(row: &Row, taken: [Option<f64>; 5], calls: usize) -> Costs {
        let [harness, ours, ours_any, peer, peer_typed] = taken;
        let net = |taken: Option<f64>| Some((taken? - harness?) / calls as f64);
        Costs {
            ours: net(ours),
            ours_any: net(ours_any).filter(|_| row.of_any),
            peer: net(peer),
            peer_typed: net(peer_typed),
        }
    }
}

/// Instructions of a call, for each row that is chosen by its number; `None` if callgrind does not run.
#[must_use]
pub fn instructions(rows: &[Row], chosen: &[usize]) -> Option<Vec<Costs>> {
    // Run two programs at a time, each with half of the rows.
    let parts = chosen.split_at(chosen.len() / 2);
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(|| dumps(parts.0));
        let second = dumps(parts.1);
        (first.join().ok().flatten(), second)
    });
    let taken = [first?, second?].concat();
    let costs = |(&index, taken): (&usize, &[Option<f64>; 5])| Costs::net(&rows[index], *taken, SCENES);
    Some(chosen.iter().zip(&taken).map(costs).collect())
}

/// Runs the rows under callgrind: how many instructions everyone takes for one call a scene, `None` where it fails.
fn dumps(chosen: &[usize]) -> Option<Vec<[Option<f64>; 5]>> {
    if chosen.is_empty() {
        return Some(Vec::new());
    }
    let numbers: Vec<String> = chosen.iter().map(usize::to_string).collect();
    let folder = std::env::temp_dir().join(format!("surefoot-geometry-{}-{}", std::process::id(), numbers[0]));
    std::fs::create_dir_all(&folder).ok()?;
    let file = folder.join("dump");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-before=*geometry::count::mark*", "--dump-line=no"])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(std::env::current_exe().ok()?)
        .arg("run")
        .args(&numbers)
        .output();
    let taken = output.ok().filter(|output| output.status.success()).and_then(|output| {
        let failed = String::from_utf8_lossy(&output.stdout).into_owned();
        read(&file, chosen.len(), &failed)
    });
    let _ = std::fs::remove_dir_all(&folder);
    taken
}

/// Reads the dumps of a run. There are two for each row and subject, and the second one has the calls.
fn read(file: &Path, rows: usize, failed: &str) -> Option<Vec<[Option<f64>; 5]>> {
    let failed: Vec<usize> = failed.lines().filter_map(|line| line.parse().ok()).collect();
    let mut taken = vec![[None; 5]; rows];
    for (job, cost) in taken.iter_mut().flatten().enumerate() {
        if !failed.contains(&job) {
            let dump = PathBuf::from(format!("{}.{}", file.display(), 2 * job + 2));
            *cost = Some(total(&std::fs::read_to_string(dump).ok()?)?);
        }
    }
    Some(taken)
}

/// Reads the sum of a dump.
fn total(dump: &str) -> Option<f64> {
    dump.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

/// Runs under callgrind: asks each library the questions of the rows with those numbers, once for each scene. Prints
/// the numbers of the questions that a library could not answer.
pub fn run(rows: &[Row], numbers: &[usize]) {
    let asks = numbers.iter().filter_map(|&number| rows.get(number));
    for (i, row) in asks.enumerate() {
        let ask = (row.make)();
        for (j, subject) in Subject::ALL.into_iter().enumerate() {
            mark();
            let is_done = try_to(&ask, subject, SCENES);
            mark();
            if !is_done {
                println!("{}", i * Subject::ALL.len() + j);
            }
        }
    }
}

/// Runs the calls. Returns whether they succeed.
fn try_to(ask: &Ask, subject: Subject, count: usize) -> bool {
    catch_unwind(AssertUnwindSafe(|| ask(subject, count))).is_ok()
}

/// At each call, callgrind writes its counts and starts again at 0.
#[inline(never)]
fn mark() {
    black_box("a mark");
}

/// Measures nanoseconds of a call, for machines without valgrind.
#[must_use]
pub fn nanoseconds(rows: &[Row], chosen: &[usize]) -> Vec<Costs> {
    let time = |ask: &Ask, subject: Subject| {
        let begin = ThreadTime::now();
        try_to(ask, subject, TIMED_CALLS).then(|| begin.elapsed().as_nanos() as f64)
    };
    let of = |&index: &usize| {
        let ask = (rows[index].make)();
        Costs::net(&rows[index], Subject::ALL.map(|subject| time(&ask, subject)), TIMED_CALLS)
    };
    chosen.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_is_read() {
        let dump = "events: Ir\nsummary: 12\n\nfn=(1) main\n3 12\n\ntotals: 12\n";
        assert_eq!(total(dump), Some(12.0));
        assert_eq!(total("events: Ir\n"), None);
    }
}

//! Lists the instructions of a step by function: the difference of two callgrind runs of different lengths.

use crate::movers::Subject;
use crate::run::Work;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// A function's share of a step, in instructions.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// Its name, without what the compiler added.
    pub name: String,
    /// With everything that it calls.
    pub inclusive: f64,
    /// Without.
    pub exclusive: f64,
}

/// The functions that take most, by their own instructions; `None` without valgrind.
#[must_use]
pub fn profile(work: Work, subject: Subject) -> Option<Vec<Share>> {
    let (short, long) = work.lengths();
    let steps = ((long - short) * work.counted_bodies()) as f64;
    let mut net: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for (length, sign) in [(short, -1.0), (long, 1.0)] {
        let file = std::env::temp_dir().join(format!("surefoot-bench-{}-{length}", std::process::id()));
        let counted = counts(work, subject, length, &file);
        let _ = std::fs::remove_file(&file);
        for (i, table) in counted?.into_iter().enumerate() {
            for (name, count) in table {
                net.entry(name).or_default()[i] += sign * count / steps;
            }
        }
    }
    let share = |(name, [inclusive, exclusive]): (String, [f64; 2])| Share { name, inclusive, exclusive };
    let mut shares: Vec<Share> = net.into_iter().map(share).collect();
    shares.sort_by(|a, b| b.exclusive.total_cmp(&a.exclusive));
    Some(shares)
}

type Counts = BTreeMap<String, f64>;

/// Inclusive and exclusive counts of one run.
fn counts(work: Work, subject: Subject, length: u64, file: &Path) -> Option<[Counts; 2]> {
    let ran = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(std::env::current_exe().ok()?)
        .args(work.arguments(subject, length))
        .output()
        .ok()?;
    if !ran.status.success() {
        return None;
    }
    Some(read(&std::fs::read_to_string(file).ok()?))
}

/// Inclusive and exclusive counts by function, of a file of callgrind's.
///
/// Of its format this takes: `fn=(id) name` begins a function, the name is there the first time only; a line of
/// numbers is a position and a cost; after `calls=` it is the cost of what is called.
fn read(text: &str) -> [Counts; 2] {
    let [mut inclusive, mut exclusive] = [Counts::new(), Counts::new()];
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    let (mut function, mut is_call) = (String::new(), false);
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn=")) {
            let (id, name) = name.split_once(' ').unwrap_or((name, ""));
            if !name.is_empty() {
                names.insert(id, name);
            }
            if line.starts_with("fn=") {
                function = short(names.get(id).copied().unwrap_or(id)).to_owned();
            }
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) {
            let cost: f64 = line.split(' ').nth(1).and_then(|cost| cost.parse().ok()).unwrap_or(0.0);
            *inclusive.entry(function.clone()).or_default() += cost;
            if !std::mem::take(&mut is_call) {
                *exclusive.entry(function.clone()).or_default() += cost;
            }
        }
    }
    [inclusive, exclusive]
}

/// A function's name without the depth of a recursion and without a hash of the compiler's.
fn short(name: &str) -> &str {
    let name = name.split('\'').next().unwrap_or(name);
    name.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16).map_or(name, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_callgrind_is_read() {
        let text = "events: Ir\nfl=(1) a.rs\nfn=(1) main\n3 10\n+2 5\ncfn=(2) a::leaf::h0123456789abcdef\ncalls=2 7\n\
                    * 8\n\
                    fi=(2) b.rs\n9 1\n\nfn=(2)\n7 6\n+1 2\ntotals: 24\n";
        let [inclusive, exclusive] = read(text);
        let of = |counts: &Counts, name: &str| counts.get(name).copied();
        assert_eq!((of(&inclusive, "main"), of(&exclusive, "main")), (Some(24.0), Some(16.0)));
        assert_eq!((of(&inclusive, "a::leaf"), of(&exclusive, "a::leaf")), (Some(8.0), Some(8.0)));
    }
}

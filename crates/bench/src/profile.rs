//! Where the instructions of a step go, function by function: callgrind over two lengths, and the difference.

use crate::movers::Who;
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
pub fn profile(work: Work, who: Who) -> Option<Vec<Share>> {
    let (short, long) = work.lengths();
    let steps = ((long - short) * work.counted_bodies()) as f64;
    let mut net: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for (length, sign) in [(short, -1.0), (long, 1.0)] {
        let file = std::env::temp_dir().join(format!("surefoot-bench-{}-{length}", std::process::id()));
        let counted = counts(work, who, length, &file);
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
fn counts(work: Work, who: Who, length: u64, file: &Path) -> Option<[Counts; 2]> {
    let ran = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(std::env::current_exe().ok()?)
        .args(work.arguments(who, length))
        .output()
        .ok()?;
    if !ran.status.success() {
        return None;
    }
    Some([annotated(file, "yes")?, annotated(file, "no")?])
}

fn annotated(file: &Path, inclusive: &str) -> Option<Counts> {
    let output = Command::new("callgrind_annotate")
        .args([&format!("--inclusive={inclusive}"), "--threshold=100", "--show-percs=no", "--auto=no"])
        .arg(file)
        .output()
        .ok()?;
    let mut counts = Counts::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some((name, count)) = parsed(line) {
            *counts.entry(name).or_default() += count;
        }
    }
    Some(counts)
}

/// A line of callgrind_annotate: a count with commas, then `file:function [object]`.
fn parsed(line: &str) -> Option<(String, f64)> {
    let (count, rest) = line.trim_start().split_once(' ')?;
    let count = count.replace(',', "").parse().ok()?;
    let rest = rest.trim();
    let rest = rest.split_once(" [").map_or(rest, |(name, _)| name);
    // The file ends at the first colon that is not one of two.
    let name = rest.split_once(':').filter(|(_, name)| !name.starts_with(':')).map_or(rest, |(_, name)| name);
    // A recursive function is listed once for each depth.
    let name = name.split('\'').next().unwrap_or(name);
    // A hash of the compiler's.
    let name = name.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16).map_or(name, |(name, _)| name);
    (!name.contains("PROGRAM TOTALS")).then(|| (name.to_owned(), count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_callgrind_annotate_are_read() {
        let line = " 1,234,567  /a/motion/cast.rs:surefoot::motion::cast::Probe::cast::h0123456789abcdef [/b/bench]";
        assert_eq!(parsed(line), Some(("surefoot::motion::cast::Probe::cast".to_owned(), 1_234_567.0)));
        assert_eq!(parsed("12  ???:memcpy [libc.so.6]"), Some(("memcpy".to_owned(), 12.0)));
        assert_eq!(parsed("12  ???:<A as b::C>::d'2 [e]"), Some(("<A as b::C>::d".to_owned(), 12.0)));
        assert_eq!(parsed("99  PROGRAM TOTALS"), None);
        assert_eq!(parsed("Ir"), None);
    }
}

//! Counts instructions with callgrind and cache misses with cachegrind. This program runs itself under valgrind with
//! two lengths. The difference leaves out the common cost of both runs.

use std::process::Command;

/// Returns whether valgrind is installed.
#[must_use]
pub fn is_there() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Counts instructions of a run of this program. Returns `None` if valgrind is not installed or the run fails.
#[must_use]
pub fn instructions(arguments: &[String]) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().ok()?)
        .args(arguments)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(' ').next()?.parse().ok().filter(|_| output.status.success())
}

/// The simulated first-level data cache: 48 KiB, 12 ways, lines of 64 bytes.
const D1: &str = "--D1=49152,12,64";

/// Counts misses of the first-level data cache, reads and writes, in a run of this program. Returns `None` if there is
/// no valgrind or the run fails.
#[must_use]
pub fn misses(arguments: &[String]) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=yes", D1, "--cachegrind-out-file=/dev/null"])
        .arg(std::env::current_exe().ok()?)
        .args(arguments)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    total_of(&text, "D1").filter(|_| output.status.success())
}

/// Reads the misses of a cache from cachegrind's summary: `==1== D1  misses:  1,234  (1,000 rd + 234 wr)`.
fn total_of(summary: &str, cache: &str) -> Option<u64> {
    let words = |line: &'_ str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let line =
        summary.lines().map(words).find(|line| line.get(1..3) == Some(&[cache.to_owned(), "misses:".to_owned()]))?;
    line.get(3)?.replace(',', "").parse().ok()
}

/// Counts something in a run of this program with arguments.
pub type Count = fn(&[String]) -> Option<u64>;

/// Returns the count of one step: the difference of runs of two lengths. A unit of length is `steps_of_one` steps.
#[must_use]
pub fn per_step(
    count: Count,
    arguments: impl Fn(u64) -> Vec<String> + Sync,
    short: u64,
    long: u64,
    steps_of_one: u64,
) -> Option<f64> {
    let (short_run, long_run) = std::thread::scope(|scope| {
        let short_run = scope.spawn(|| count(&arguments(short)));
        let long_run = count(&arguments(long));
        (short_run.join().ok().flatten(), long_run)
    });
    let (short_run, long_run) = (short_run?, long_run?);
    Some(long_run.checked_sub(short_run)? as f64 / ((long - short) * steps_of_one) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_of_cachegrind_is_read() {
        let text = "==7== D refs:      1,000,000  (600,000 rd   + 400,000 wr)\n\
                    ==7== D1  misses:     12,345  ( 10,000 rd   +   2,345 wr)\n\
                    ==7== LLd misses:        678  (    600 rd   +      78 wr)\n\
                    ==7== D1  miss rate:     1.2% (    1.6%     +     0.5%  )\n";
        assert_eq!(
            (total_of(text, "D1"), total_of(text, "LLd"), total_of(text, "I1")),
            (Some(12_345), Some(678), None)
        );
    }
}

//! Instructions, counted by callgrind: this program runs itself under valgrind with two lengths, and the difference
//! is net of everything that both have in common.

use std::process::Command;

/// Whether valgrind is there.
#[must_use]
pub fn is_there() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The instructions of a run of this program with those arguments; `None` if there is no valgrind or the run fails.
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

/// Instructions of one step: the difference of two lengths, each `steps_of` so many steps.
#[must_use]
pub fn per_step(
    arguments: impl Fn(u64) -> Vec<String> + Sync,
    short: u64,
    long: u64,
    steps_of_one: u64,
) -> Option<f64> {
    let (short_run, long_run) = std::thread::scope(|scope| {
        let short_run = scope.spawn(|| instructions(&arguments(short)));
        let long_run = instructions(&arguments(long));
        (short_run.join().ok().flatten(), long_run)
    });
    let (short_run, long_run) = (short_run?, long_run?);
    Some(long_run.checked_sub(short_run)? as f64 / ((long - short) * steps_of_one) as f64)
}

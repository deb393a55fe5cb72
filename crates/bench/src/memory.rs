//! Measures the time of a piece of work and its peak memory, as counted by the system.

use cpu_time::ThreadTime;
use std::fs;
use std::time::Duration;

/// The measured cost of a piece of work.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// Processor time of this thread, including the work of the system for it.
    pub time: Duration,
    /// Largest additional memory of the process in bytes. `None` if the system does not report it.
    pub peak: Option<u64>,
}

/// Runs `work` and measures it. The memory of other threads would count too.
pub fn spent<T>(work: impl FnOnce() -> T) -> (T, Spent) {
    // Reset the peak. If the system does not allow that, only a peak above the previous one is seen.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let before = status("VmRSS:");
    let begin = ThreadTime::now();
    let done = work();
    let time = begin.elapsed();
    let peak = before.zip(status("VmHWM:")).map(|(before, peak)| peak.saturating_sub(before));
    (done, Spent { time, peak })
}

fn status(field: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sees_a_peak_that_is_gone_again() {
        // The test writes to 64 MiB and frees them. The bound is lower, because the system counts whole pages and other
        // tests run at the same time.
        let (sum, spent) = spent(|| vec![1_u8; 64 << 20].iter().map(|&byte| u64::from(byte)).sum::<u64>());
        assert_eq!(sum, 64 << 20);
        assert!(spent.peak.is_none_or(|peak| peak >= 60 << 20));
    }
}

//! Measures time, also where the standard library has no clock: in a browser.

use std::sync::OnceLock;

/// Clock of the window in seconds. Without one, the clock of the standard library counts.
static CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

/// Sets the clock by which durations of steps and drawings are measured, in seconds. Only the first call counts.
///
/// A browser needs this call: there, all durations are 0 without it. The clock does not affect the game.
pub fn set_clock(now: fn() -> f64) {
    let _ = CLOCK.set(now);
}

/// A measurement that is in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    begin: f64,
}

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch { begin: now() }
    }

    /// Returns the time since the start in microseconds. Never negative: a clock may be set back.
    pub(crate) fn micros(self) -> f64 {
        ((now() - self.begin) * 1e6).max(0.0)
    }
}

fn now() -> f64 {
    CLOCK.get().map_or_else(seconds_since_first_call, |clock| clock())
}

/// Returns the time since the first call in seconds.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
fn seconds_since_first_call() -> f64 {
    static BEGIN: OnceLock<std::time::Instant> = OnceLock::new();
    BEGIN.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

/// Stands still: a browser's clock needs bindings, and the one of the standard library panics there.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
fn seconds_since_first_call() -> f64 {
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicI64, Ordering};

    #[test]
    fn durations_are_those_of_the_clock_and_never_negative() {
        static MILLIS: AtomicI64 = AtomicI64::new(0);
        // All tests of this program share the clock, but no other test measures durations.
        set_clock(|| MILLIS.load(Ordering::Relaxed) as f64 / 1e3);
        let watch = Stopwatch::start();
        assert_eq!(watch.micros(), 0.0);
        MILLIS.store(250, Ordering::Relaxed);
        assert_eq!(watch.micros(), 250_000.0);
        MILLIS.store(-1000, Ordering::Relaxed);
        assert_eq!(watch.micros(), 0.0);
        set_clock(|| 7.0);
        assert_eq!(watch.micros(), 0.0, "the first clock stays");
    }
}

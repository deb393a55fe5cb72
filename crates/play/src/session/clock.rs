/// How time goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// It stands still; single ticks move it on.
    pub paused: bool,
    /// It goes at a quarter of its speed.
    pub slow: bool,
    /// It goes back, at full speed.
    pub rewinding: bool,
}

/// How much slower slow motion is.
pub(super) const SLOW: f64 = 0.25;

/// Turns the time of frames into ticks either way, and says how far between two ticks to draw.
///
/// As [`FixedTimestep`](surefoot::timestep::FixedTimestep), which goes forward only: what is shown is the moment `left` ticks after
/// the last tick but one, so that time may turn round at any moment without a jump.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Clock {
    /// In ticks, in [0, 1].
    left: f64,
}

impl Clock {
    /// The most ticks that one frame asks for.
    pub(super) const MOST: u32 = surefoot::timestep::FixedTimestep::MAX_TICKS_PER_FRAME;

    /// How many ticks to step for so many ticks of time. Time beyond the most is dropped.
    pub(super) fn forward(&mut self, time: f64) -> u32 {
        self.left += time;
        let mut ticks = 0;
        while self.left >= 1.0 && ticks < Self::MOST {
            self.left -= 1.0;
            ticks += 1;
        }
        if self.left >= 1.0 {
            self.left = 0.0;
        }
        ticks
    }

    /// How many ticks to go back for so many ticks of time, of those that there are.
    pub(super) fn back(&mut self, time: f64, most: u64) -> u64 {
        let most = most.min(Self::MOST.into());
        self.left -= time;
        let mut ticks = 0;
        while self.left < 0.0 && ticks < most {
            self.left += 1.0;
            ticks += 1;
        }
        self.left = self.left.max(0.0);
        ticks
    }

    /// Time stands still, but what is shown still comes to where the last tick has led.
    pub(super) fn rest(&mut self, time: f64) {
        self.left = (self.left + time).min(1.0);
    }

    /// What is shown is where the last tick has led.
    pub(super) fn arrive(&mut self) {
        self.left = 1.0;
    }

    /// How far what is shown is between the last tick but one and the last, in [0, 1].
    pub(super) fn fraction(&self) -> f64 {
        self.left
    }
}

/// The mean of the last ticks' times, the latest of most weight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    value: Option<f64>,
}

impl Mean {
    /// One over the ticks that it smooths over: half a second of them.
    const WEIGHT: f64 = 1.0 / 30.0;

    pub(super) fn add(&mut self, value: f64) {
        self.value = Some(self.value.map_or(value, |mean| mean + (value - mean) * Self::WEIGHT));
    }

    pub(super) fn value(self) -> f64 {
        self.value.unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far less than anybody sees, far more than the sums round by.
    const UNSEEN: f64 = 1e-9;

    #[test]
    fn the_moment_shown_never_jumps() {
        // Forward, back, forward again and at rest, in uneven frames: the moment shown is the tick, less one, and the
        // fraction, and moves by exactly the frame's time.
        let mut clock = Clock::default();
        let mut tick = 1000_i64;
        let shown = |clock: &Clock, tick: i64| tick as f64 - 1.0 + clock.fraction();
        let frames = [0.3, 1.7, 0.01, 2.5, 0.99, 1.0, 0.417];
        for (i, frame) in frames.iter().cycle().take(700).enumerate() {
            let before = shown(&clock, tick);
            let expected = if (i / 9) % 2 == 0 {
                tick += i64::from(clock.forward(*frame));
                before + frame
            } else {
                tick -= clock.back(*frame, u64::MAX) as i64;
                before - frame
            };
            assert!((shown(&clock, tick) - expected).abs() < UNSEEN, "frame {i}");
            assert!((0.0..=1.0).contains(&clock.fraction()));
        }
        let before = shown(&clock, tick);
        clock.rest(0.001);
        assert!((shown(&clock, tick) - before - 0.001).abs() < UNSEEN);
        clock.rest(5.0);
        assert_eq!(clock.fraction(), 1.0);
        assert_eq!(clock.forward(0.5), 1);
        assert!((clock.fraction() - 0.5).abs() < UNSEEN);
    }

    #[test]
    fn there_is_an_end_to_what_a_frame_asks_for() {
        let mut clock = Clock::default();
        assert_eq!((clock.forward(100.0), clock.fraction()), (8, 0.0));
        assert_eq!(clock.forward(0.25), 0);
        assert_eq!((clock.back(2.0, 5), clock.fraction()), (2, 0.25));
        assert_eq!((clock.back(2.0, 1), clock.fraction()), (1, 0.0));
        assert_eq!((clock.back(2.0, 0), clock.fraction()), (0, 0.0));
        assert_eq!((clock.back(100.0, 90), clock.fraction()), (8, 0.0));
    }

    #[test]
    fn a_mean_comes_near_a_new_value_in_half_a_second() {
        let mut mean = Mean::default();
        assert_eq!(mean.value(), 0.0);
        (0..100).for_each(|_| mean.add(10.0));
        assert_eq!(mean.value(), 10.0);
        mean.add(40.0);
        assert_eq!(mean.value(), 11.0);
        (0..29).for_each(|_| mean.add(40.0));
        // 1 - (29/30)^30 of the way, which is 0.638.
        assert!((28.5..29.5).contains(&mean.value()), "{}", mean.value());
    }
}

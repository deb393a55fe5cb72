/// The flow of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Time is paused; single ticks advance it.
    pub paused: bool,
    /// Slow motion: time passes at a quarter of its speed.
    pub slow: bool,
    /// Time is rewound at full speed.
    pub rewinding: bool,
}

/// Speed of slow motion.
pub(super) const SLOW_MOTION_SPEED: f64 = 0.25;

/// Converts the time of frames into ticks, forward or backward, and returns the fraction for interpolation.
///
/// Like [`FixedTimestep`](surefoot::timestep::FixedTimestep), which only goes forward. The window shows the moment
/// `left` ticks after the previous tick, so that time can reverse at any moment without a jump.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Clock {
    /// Time since the previous tick, in ticks, from 0 to 1.
    left: f64,
}

impl Clock {
    /// Maximum number of ticks per frame.
    pub(super) const MAX_TICKS: u32 = surefoot::timestep::FixedTimestep::MAX_TICKS_PER_FRAME;

    /// Returns the number of ticks to step for `time`, in ticks. Drops time beyond the maximum.
    pub(super) fn take_ticks_to_step(&mut self, time: f64) -> u32 {
        // After a pause or a seek, `left` is 1. So without this check, a frame without time would step a tick.
        if time == 0.0 {
            return 0;
        }
        self.left += time;
        let mut ticks = 0;
        while self.left >= 1.0 && ticks < Self::MAX_TICKS {
            self.left -= 1.0;
            ticks += 1;
        }
        if self.left >= 1.0 {
            self.left = 0.0;
        }
        ticks
    }

    /// Returns the number of ticks to rewind for `time`, at most `most`.
    pub(super) fn take_ticks_to_rewind(&mut self, time: f64, most: u64) -> u64 {
        let most = most.min(Self::MAX_TICKS.into());
        self.left -= time;
        let mut ticks = 0;
        while self.left < 0.0 && ticks < most {
            self.left += 1.0;
            ticks += 1;
        }
        self.left = self.left.max(0.0);
        ticks
    }

    /// Advances the shown moment to the last tick while time is paused.
    pub(super) fn advance_paused(&mut self, time: f64) {
        self.left = (self.left + time).min(1.0);
    }

    /// Shows the moment of the last tick.
    pub(super) fn show_last_tick(&mut self) {
        self.left = 1.0;
    }

    /// Returns the interpolation fraction between the previous and the last tick, from 0 to 1.
    pub(super) fn fraction(&self) -> f64 {
        self.left
    }
}

/// Weighted mean of the times of the last ticks; later ticks have more weight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    value: Option<f64>,
}

impl Mean {
    /// One divided by the number of ticks of the mean: half a second.
    const WEIGHT_OF_ONE_TICK: f64 = 1.0 / 30.0;

    pub(super) fn add(&mut self, value: f64) {
        self.value = Some(self.value.map_or(value, |mean| mean + (value - mean) * Self::WEIGHT_OF_ONE_TICK));
    }

    pub(super) fn value(self) -> f64 {
        self.value.unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far below a visible difference, far above the rounding of sums.
    const MAX_ERROR_TICKS: f64 = 1e-9;

    #[test]
    fn the_moment_shown_never_jumps() {
        // The shown moment is the tick minus one plus the fraction. Whether time goes forward or backward, it moves by
        // exactly the time of the frame.
        let mut clock = Clock::default();
        let mut tick = 1000_i64;
        let shown = |clock: &Clock, tick: i64| tick as f64 - 1.0 + clock.fraction();
        let frames = [0.3, 1.7, 0.01, 2.5, 0.99, 1.0, 0.417];
        for (i, frame) in frames.iter().cycle().take(700).enumerate() {
            let before = shown(&clock, tick);
            let expected = if (i / 9) % 2 == 0 {
                tick += i64::from(clock.take_ticks_to_step(*frame));
                before + frame
            } else {
                tick -= clock.take_ticks_to_rewind(*frame, u64::MAX) as i64;
                before - frame
            };
            assert!((shown(&clock, tick) - expected).abs() < MAX_ERROR_TICKS, "frame {i}");
            assert!((0.0..=1.0).contains(&clock.fraction()));
        }
        let before = shown(&clock, tick);
        clock.advance_paused(0.001);
        assert!((shown(&clock, tick) - before - 0.001).abs() < MAX_ERROR_TICKS);
        clock.advance_paused(5.0);
        assert_eq!((clock.take_ticks_to_step(0.0), clock.fraction()), (0, 1.0));
        assert_eq!(clock.take_ticks_to_step(0.5), 1);
        assert!((clock.fraction() - 0.5).abs() < MAX_ERROR_TICKS);
    }

    #[test]
    fn the_ticks_of_a_frame_are_limited() {
        let mut clock = Clock::default();
        assert_eq!((clock.take_ticks_to_step(100.0), clock.fraction()), (8, 0.0));
        assert_eq!(clock.take_ticks_to_step(0.25), 0);
        assert_eq!((clock.take_ticks_to_rewind(2.0, 5), clock.fraction()), (2, 0.25));
        assert_eq!((clock.take_ticks_to_rewind(2.0, 1), clock.fraction()), (1, 0.0));
        assert_eq!((clock.take_ticks_to_rewind(2.0, 0), clock.fraction()), (0, 0.0));
        assert_eq!((clock.take_ticks_to_rewind(100.0, 90), clock.fraction()), (8, 0.0));
    }

    #[test]
    fn the_mean_approaches_a_new_value_in_half_a_second() {
        let mut mean = Mean::default();
        assert_eq!(mean.value(), 0.0);
        (0..100).for_each(|_| mean.add(10.0));
        assert_eq!(mean.value(), 10.0);
        mean.add(40.0);
        assert_eq!(mean.value(), 11.0);
        (0..29).for_each(|_| mean.add(40.0));
        // Each value moves the mean by 1/30 of the difference. So 30 values move it by 1 - (29/30)^30 = 0.638 of the
        // difference.
        assert!((28.5..29.5).contains(&mean.value()), "{}", mean.value());
    }
}

//! Fixed time steps for games with a varying frame rate: see [`FixedTimestep`].

/// Tells your game loop how many ticks to step in each frame, and how to draw smoothly between two ticks.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
///
/// let mut stepper = FixedTimestep::new(&Settings::default());
/// // A frame of 25 ms is one tick of 1/60 s and half of the next.
/// assert_eq!(stepper.advance(0.025), 1);
/// assert!((stepper.alpha() - 0.5).abs() < 1e-6);
/// // Draw at `world[hero].position_at(stepper.alpha())`, between the last tick and this one.
/// assert_eq!(stepper.advance(0.010), 1);
/// // A frame that took a second is not caught up with.
/// assert_eq!(stepper.advance(1.0), FixedTimestep::MAX_TICKS_PER_FRAME);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedTimestep {
    tick: f64,
    left: f64,
}

impl FixedTimestep {
    /// Maximum number of ticks per frame: 8. If a frame lasts longer, the time beyond 8 ticks is dropped. So on a
    /// slow machine the game runs slower, instead of falling further and further behind.
    pub const MAX_TICKS_PER_FRAME: u32 = 8;

    /// Creates a time step for a world with `settings`. Only the length of a tick is used:
    /// [`Settings::tick`](crate::world::Settings::tick).
    #[must_use]
    pub fn new(settings: &crate::world::Settings) -> FixedTimestep {
        FixedTimestep { tick: settings.tick, left: 0.0 }
    }

    /// Adds the duration of a frame in seconds and returns how many ticks to step in this frame.
    ///
    /// The result is at most [`FixedTimestep::MAX_TICKS_PER_FRAME`]. A duration that is negative or not finite
    /// counts as 0.
    pub fn advance(&mut self, seconds: f64) -> u32 {
        if seconds.is_finite() && seconds > 0.0 {
            self.left += seconds;
        }
        let mut ticks = 0;
        while self.left >= self.tick && ticks < Self::MAX_TICKS_PER_FRAME {
            self.left -= self.tick;
            ticks += 1;
        }
        if self.left >= self.tick {
            self.left = 0.0;
        }
        ticks
    }

    /// Returns how much of the next tick has passed, as a fraction from 0 to 1.
    ///
    /// Pass the fraction to [`BodyState::position_at`](crate::world::BodyState::position_at) to draw a body smoothly
    /// between two ticks.
    #[must_use]
    pub fn alpha(&self) -> f32 {
        (self.left / self.tick) as f32
    }
}

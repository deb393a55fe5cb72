//! Walls: the direction of wall jumps, and the walks that replace the input after a wall jump and during a wall slide.
//!
//! `jump_in_air` in `jump` starts wall slides and makes wall jumps. The controller limits the speed of a wall slide.

use super::mode::Timers;

impl Timers {
    /// Returns the direction away from the wall that the character touches, or touched at most `ticks` ticks ago.
    pub(super) fn update_recent_wall(&mut self, touched: Option<i8>, ticks: u32) -> Option<i8> {
        if touched.is_some() {
            (self.away, self.wall) = (touched.filter(|_| ticks > 0).unwrap_or_default(), ticks);
            return touched;
        }
        self.wall = self.wall.checked_sub(1)?;
        Some(self.away)
    }

    /// Returns the walk that replaces that of the input: away from the wall after a wall jump, and towards the wall
    /// while the character sticks to it. `slid`: direction away from the wall that it slides down.
    pub(super) fn update_walk_replacing_input(&mut self, walk: i8, slid: Option<i8>, ticks: u32) -> Option<i8> {
        if let Some(left) = self.lock.checked_sub(1) {
            self.lock = left;
            return Some(i8::MAX * self.lock_away);
        }
        let Some(away) = slid.filter(|away| *away != 0) else {
            self.stick = 0;
            return None;
        };
        match walk.signum() * away {
            -1 => self.stick = ticks,
            1 if self.stick > 0 => {
                self.stick -= 1;
                return Some(i8::MAX * -away);
            }
            _ => {}
        }
        None
    }
}

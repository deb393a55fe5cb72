//! Time scale: bodies whose own time is slower than the world's.
//!
//! A body with time scale `s` moves in the world's time with another configuration: speeds are multiplied by `s`,
//! accelerations by `s^2`, and times by `1 / s`. So its path is the same curve, and it collides in the world's time.
//! Platforms, pushes and impacts need no special case.

use super::{Body, Character, MAX_SPEED};
use crate::command::MAX_PAUSE_TICKS;

/// Time scale below which a body does not move at all.
///
/// Smaller: a body's velocity in its own time is its velocity in the world divided by the scale. An impact could give
/// it a velocity beyond every limit. Larger: the body would stop although its motion could still be seen.
const MIN_TIME_SCALE: f64 = 0.001;

impl Body {
    /// Returns whether the body's own time stands still.
    #[inline(always)]
    pub(crate) fn is_time_stopped(&self) -> bool {
        self.time_scale < MIN_TIME_SCALE
    }

    /// Returns the factor from a velocity in the body's own time to one in the world's time. 1 for a body whose time
    /// stands still, so that it keeps its velocity.
    #[inline(always)]
    pub(crate) fn time_factor(&self) -> f64 {
        if self.time_scale >= MIN_TIME_SCALE { self.time_scale } else { 1.0 }
    }

    /// Returns the configuration with which the body moves in the world's time, if that differs from its own.
    pub(crate) fn converted_to_world_time(&self) -> Option<Body> {
        let pace = self.time_factor();
        (pace != 1.0).then(|| Body {
            gravity_scale: self.gravity_scale * (pace * pace),
            rest_speed_threshold: self.rest_speed_threshold * pace,
            character: self.character.map(|character| character.scaled_to_world_time(pace)),
            ..self.clone()
        })
    }
}

/// Unit of a number of a character, as a row of the table in `character.rs` names it.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    Length,
    Mass,
    Factor,
    Speed,
    /// A speed, except that its maximum means "no limit" and is not scaled.
    SpeedLimit,
    Acceleration,
    Time,
    /// The time of a jump, which is not scaled here: `jump_gravity_in_world_time` computes with it in the body's own
    /// time.
    JumpTime,
}

impl Unit {
    /// Converts a number from the body's own time to the world's time. `pace` is the body's time scale.
    fn scale_to_world_time(self, number: f64, pace: f64) -> f64 {
        match self {
            Unit::Length | Unit::Mass | Unit::Factor | Unit::JumpTime => number,
            Unit::SpeedLimit if number >= MAX_SPEED => number,
            Unit::Speed | Unit::SpeedLimit => number * pace,
            Unit::Acceleration => number * (pace * pace),
            Unit::Time => number / pace,
        }
    }
}

impl Character {
    /// Converts all numbers of the character to the world's time.
    fn scaled_to_world_time(mut self, pace: f64) -> Character {
        for (number, unit) in self.numbers().into_iter().zip(Character::UNITS) {
            *number.value = unit.scale_to_world_time(*number.value, pace);
        }
        self
    }

    /// Returns [`jump_gravity`](Character::jump_gravity) in the world's time. `self` must already be converted to the
    /// world's time.
    pub(crate) fn jump_gravity_in_world_time(&self, pace: f64, tick: f64) -> Option<f64> {
        if pace == 1.0 {
            return self.jump_gravity(tick);
        }
        Character { apex_speed_threshold: self.apex_speed_threshold / pace, ..*self }.jump_gravity(tick)
    }
}

/// Converts a number of ticks to another time scale. Ticks above 0 stay at least 1.
pub(crate) fn rescale_counted_ticks(ticks: u64, (before, after): (f64, f64)) -> u64 {
    if ticks == 0 { 0 } else { ((ticks as f64 * before / after).round() as u64).max(1) }
}

/// Converts the ticks of a pause to another time scale, up to the maximum of a pause.
pub(crate) fn rescale_pause_ticks(ticks: u32, paces: (f64, f64)) -> u32 {
    rescale_counted_ticks(ticks.into(), paces).min(MAX_PAUSE_TICKS.into()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name of a field tells its dimension. At half speed, speeds are halved, accelerations quartered and times
    /// doubled. Lengths, masses and factors stay.
    #[test]
    fn time_scale_converts_each_number_of_a_character() {
        let mut whole = Character::default();
        for (i, number) in (1..).zip(whole.numbers()) {
            *number.value = f64::from(i);
        }
        let (mut whole, mut slow) = (whole, whole.scaled_to_world_time(0.5));
        for name in Character::FIELD_NAMES {
            let ends = |with: &[&str]| with.iter().any(|end| name.ends_with(end));
            let factor = match name {
                // The jump time is used in the body's own time, so it does not change.
                "jump_time" => 1.0,
                _ if ends(&["_speed", "_speed_threshold"]) => 0.5,
                _ if ends(&["_acceleration", "_braking", "_turning"]) => 0.25,
                _ if ends(&["_time", "_grace", "_buffer", "_lock"]) => 2.0,
                _ => 1.0,
            };
            let [before, after] = [&mut whole, &mut slow].map(|character| *character.field_mut(name).unwrap());
            assert_eq!(after, before * factor, "{name}");
        }
        let follows = Character::default().scaled_to_world_time(0.5);
        assert_eq!(follows.max_floor_snap_speed, MAX_SPEED, "at every speed");
        assert!(follows.only_walks_and_jumps());
    }

    #[test]
    fn ticks_left_are_rescaled_but_not_to_zero() {
        assert_eq!([0, 1, 3, 5].map(|ticks| rescale_counted_ticks(ticks, (1.0, 0.5))), [0, 2, 6, 10]);
        assert_eq!([0, 1, 3, 5].map(|ticks| rescale_counted_ticks(ticks, (0.25, 1.0))), [0, 1, 1, 1]);
        assert_eq!(rescale_pause_ticks(MAX_PAUSE_TICKS, (1.0, 0.001)), MAX_PAUSE_TICKS);
        assert_eq!(rescale_counted_ticks(u64::MAX, (1.0, 0.001)), u64::MAX);
    }
}

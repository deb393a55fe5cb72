//! Time scale: bodies whose own time is slower than the world's.
//!
//! A body with time scale `s` moves in the world's time with another configuration: speeds are multiplied by `s`,
//! accelerations by `s^2`, and times by `1 / s`. So its path is the same curve, and it collides in the world's time.
//! Platforms, pushes and impacts need no special case.

use super::{Body, Character, MAX_SPEED};
use crate::command::MAX_PAUSE_TICKS;

/// Time scale below which a body does not move.
///
/// Smaller: when its time runs normally again, the speed of impacts in slow time would exceed every limit. Larger: it
/// would stop although its motion could be seen.
const MIN_TIME_SCALE: f64 = 0.001;

impl Body {
    /// Returns whether its time stands still.
    #[inline(always)]
    pub(crate) fn stands_still(&self) -> bool {
        self.time_scale < MIN_TIME_SCALE
    }

    /// Returns the factor from a velocity in its own time to one in the world's time. 1 for a body whose time stands
    /// still, so that its velocity is kept.
    #[inline(always)]
    pub(crate) fn pace(&self) -> f64 {
        if self.time_scale >= MIN_TIME_SCALE { self.time_scale } else { 1.0 }
    }

    /// Returns the configuration with which it moves in the world's time, if it differs.
    pub(crate) fn in_world_time(&self) -> Option<Body> {
        let pace = self.pace();
        (pace != 1.0).then(|| Body {
            gravity_scale: self.gravity_scale * (pace * pace),
            rest_speed_threshold: self.rest_speed_threshold * pace,
            character: self.character.map(|character| character.scaled_to_world_time(pace)),
            ..self.clone()
        })
    }
}

impl Character {
    /// Converts the character to the world's time.
    fn scaled_to_world_time(self, pace: f64) -> Character {
        let change = pace * pace;
        // Name all fields, so that a new one is not forgotten.
        Character {
            walk_speed: self.walk_speed * pace,
            ground_acceleration: self.ground_acceleration * change,
            ground_braking: self.ground_braking * change,
            air_acceleration: self.air_acceleration * change,
            jump_height: self.jump_height,
            max_fall_speed: self.max_fall_speed * pace,
            platform_velocity: self.platform_velocity,
            platform_velocity_grace: self.platform_velocity_grace / pace,
            max_push_mass: self.max_push_mass,
            // The jump gravity is computed in its own time: see `jump_gravity_in_world_time`.
            jump_time: self.jump_time,
            min_jump_height: self.min_jump_height,
            fall_gravity_scale: self.fall_gravity_scale,
            coyote_time: self.coyote_time / pace,
            jump_buffer: self.jump_buffer / pace,
            corner_correction: self.corner_correction,
            ledge_correction: self.ledge_correction,
            fast_fall_speed: self.fast_fall_speed * pace,
            ground_turning: self.ground_turning * change,
            air_braking: self.air_braking * change,
            air_turning: self.air_turning * change,
            wall_slide_speed: self.wall_slide_speed * pace,
            wall_jump_speed: self.wall_jump_speed * pace,
            air_jumps: self.air_jumps,
            air_jump_height: self.air_jump_height,
            apex_speed_threshold: self.apex_speed_threshold * pace,
            apex_gravity_scale: self.apex_gravity_scale,
            wall_coyote_time: self.wall_coyote_time / pace,
            wall_stick_time: self.wall_stick_time / pace,
            wall_jump_lock_time: self.wall_jump_lock_time / pace,
            dash_speed: self.dash_speed * pace,
            dash_time: self.dash_time / pace,
            dash_end_speed_scale: self.dash_end_speed_scale,
            step_height: self.step_height,
            uphill_speed_scale: self.uphill_speed_scale,
            downhill_speed_scale: self.downhill_speed_scale,
            // The maximum speed stands for every speed.
            max_floor_snap_speed: if self.max_floor_snap_speed < MAX_SPEED {
                self.max_floor_snap_speed * pace
            } else {
                self.max_floor_snap_speed
            },
            ledge_grab: self.ledge_grab,
            ledge_climb_time: self.ledge_climb_time / pace,
            climb_speed: self.climb_speed * pace,
            swim_speed: self.swim_speed * pace,
            swim_time: self.swim_time / pace,
            float_speed: self.float_speed * pace,
        }
    }

    /// Returns [`jump_gravity`](Character::jump_gravity) of a character that is already converted to the world's time,
    /// in that time.
    pub(crate) fn jump_gravity_in_world_time(&self, pace: f64, tick: f64) -> Option<f64> {
        if pace == 1.0 {
            return self.jump_gravity(tick);
        }
        Character { apex_speed_threshold: self.apex_speed_threshold / pace, ..*self }.jump_gravity(tick)
    }
}

/// Converts counted ticks to another time scale. At least one if there are any.
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

    /// The names tell the dimension: speeds are halved, accelerations a quarter, times doubled; lengths, masses and
    /// factors stay.
    #[test]
    fn each_number_of_a_character_is_in_the_world_what_its_dimension_makes_of_it() {
        let mut whole = Character::default();
        for (i, number) in (1..).zip(whole.numbers()) {
            *number.value = f64::from(i);
        }
        let (mut whole, mut slow) = (whole, whole.scaled_to_world_time(0.5));
        for name in Character::FIELD_NAMES {
            let ends = |with: &[&str]| with.iter().any(|end| name.ends_with(end));
            let factor = match name {
                // The jump gravity is computed from it in its own time.
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
        assert!(follows.is_plain());
    }

    #[test]
    fn ticks_that_are_left_are_so_many_more_and_never_none() {
        assert_eq!([0, 1, 3, 5].map(|ticks| rescale_counted_ticks(ticks, (1.0, 0.5))), [0, 2, 6, 10]);
        assert_eq!([0, 1, 3, 5].map(|ticks| rescale_counted_ticks(ticks, (0.25, 1.0))), [0, 1, 1, 1]);
        assert_eq!(rescale_pause_ticks(MAX_PAUSE_TICKS, (1.0, 0.001)), MAX_PAUSE_TICKS);
        assert_eq!(rescale_counted_ticks(u64::MAX, (1.0, 0.001)), u64::MAX);
    }
}

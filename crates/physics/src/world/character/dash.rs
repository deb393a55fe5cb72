//! Dashes: a fixed velocity for some ticks.
//!
//! A dash into another body is a push like that of a walk, see `world/step/pairs/push.rs`.

use super::News;
use super::mode::{Mode, Timers};
use super::seconds_to_ticks;
use crate::controller::Controller;
use crate::world::Footing;
use crate::world::state::Now;

/// Begins, continues or ends a dash. Returns whether the character dashes in this tick. `news` receives the events of
/// the tick.
pub(super) fn try_dash(now: &mut Now, timers: &mut Timers, controller: &Controller<'_>, news: &mut News) -> bool {
    let character = controller.character;
    let (up, right) = (controller.frame.up(), controller.frame.right());
    let keys = controller.input;
    let (walk, upwards, down, dash) = (keys.walk, keys.is_up_held(), keys.is_down_held(), keys.is_dash_held());
    if character.dash_speed == 0.0 {
        // The body may still be in a dash: a command may have given it a `Character` without dashes. End the dash.
        (timers.dash, timers.dash_held) = (0, false);
        if now.mode.has_velocity_set_by_ability() {
            now.enter_mode(Mode::Air);
        }
        return false;
    }
    let pressed = dash && !timers.dash_held;
    timers.dash_held = dash;
    if timers.dash == 0 {
        if now.mode.has_velocity_set_by_ability() {
            now.velocity *= character.dash_end_speed_scale;
            if let Footing::Ground { speed } = &mut now.footing {
                *speed *= character.dash_end_speed_scale;
            }
            // After a dash, no late jump (within the coyote time) is possible, as after a jump.
            now.enter_mode(Mode::Air);
        }
        let sideways = now.footing.speed().unwrap_or_else(|| now.velocity.dot(right));
        let aside = if sideways == 0.0 { now.facing as i8 } else { sideways.signum() as i8 };
        let direction = match [walk.signum(), i8::from(upwards) - i8::from(down)] {
            [0, 0] => [aside, 0],
            way => way,
        };
        let is_free = !timers.dashed || now.footing.is_ground();
        if !pressed || !is_free || direction == [0, 0] {
            return false;
        }
        let whole = seconds_to_ticks(character.dash_time, controller.tick).max(1.0) as u32;
        news.dashed = true;
        *timers = Timers { dash: whole, dash_way: direction, dashed: true, wall: 0, stick: 0, lock: 0, ..*timers };
    }
    timers.dash -= 1;
    let [x, y] = timers.dash_way.map(f64::from);
    let speed = character.dash_speed * if x != 0.0 && y != 0.0 { std::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
    now.velocity = right * (x * speed) + up * (y * speed);
    now.enter_mode(Mode::Dash);
    true
}

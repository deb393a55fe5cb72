//! Jumps: off the ground, late, buffered, off walls and in the air. A jump is cut if the player releases the button
//! early.

use super::News;
use super::mode::{Cling, JumpBuffer, Mode, Timers};
use super::seconds_to_ticks;
use crate::body::Character;
use crate::controller::{Controller, end_speed_of_released_hang, jump_speed_with_apex_hang};
use crate::event::JumpFrom;
use crate::world::state::Now;
use glam::DVec2;

/// Returns the speed along up down to which `apex_gravity_scale` acts on a character in this tick. `None` if it does
/// not act.
///
/// `now`: as the tick begins. `air_jumps`: jumps made in the air since the character stood. `up`: unit vector. `pull`:
/// size of the character's gravity along up. `tick`: in seconds.
#[inline(always)]
pub(in crate::world) fn end_speed_of_apex_hang(
    (character, now): (&Character, &Now),
    air_jumps: u8,
    up: DVec2,
    (pull, tick): (f64, f64),
) -> Option<f64> {
    if !character.has_apex_hang() {
        return None;
    }
    let whole = -character.apex_speed_threshold;
    if now.input.is_jump_held() {
        return Some(whole);
    }
    if now.mode != Mode::Jump || character.min_jump_height == 0.0 {
        return None;
    }
    let height = height_of_jump_in_progress(character, air_jumps);
    // A jump from the jump buffer can begin while the button is released. In its first tick, the reduced gravity of the
    // apex hang acts as if the button were held, because `speed_after_jump_cut` assumes so. The jump begins at the
    // speed `launch`, and each tick reduces the speed by at least `slowed`. So the speed is above `launch - slowed / 2`
    // only in the first tick.
    let slowed = character.apex_gravity_scale * pull * tick;
    let launch = jump_speed_with_apex_hang(character, 2.0 * pull * height);
    let is_first_tick = now.jump_buffer.is_jump_due() || now.velocity.dot(up) > launch - slowed / 2.0;
    Some(if is_first_tick { whole } else { end_speed_of_released_hang(character, height, pull, tick) })
}

/// Returns the height in tiles of the jump in progress. `air_jumps`: jumps made in the air since the character stood.
///
/// After an air jump, the state does not tell whether a wall jump followed. The lower of the two heights is safe for
/// both: neither jump then stops below `min_jump_height`.
fn height_of_jump_in_progress(character: &Character, air_jumps: u8) -> f64 {
    let height = character.jump_height;
    if air_jumps > 0 { height.min(character.effective_air_jump_height()) } else { height }
}

/// Ticks for which a press of jump is stored.
pub(super) fn jump_buffer_ticks(controller: &Controller<'_>) -> u8 {
    JumpBuffer::of_ticks(seconds_to_ticks(controller.character.jump_buffer, controller.tick))
}

/// Handles a press of jump by a character on the ground. The walk itself makes the jump.
pub(super) fn prepare_jump_off_ground(now: &mut Now, timers: &mut Timers, pressed: bool, kept: u8) {
    let cling = Cling { left_ladder: timers.cling.left_ladder, ..Cling::NONE };
    *timers = Timers { dash_held: timers.dash_held, cling, ..Timers::NONE };
    (now.mode, now.jump_buffer) = match (pressed, kept) {
        (true, _) => (Mode::Jump, JumpBuffer::NONE),
        (false, 0) => (Mode::Walk, JumpBuffer::NONE),
        (false, _) => (Mode::Jump, JumpBuffer::DUE),
    };
}

/// Cuts a jump whose button was released: limits its upward velocity. Returns whether the jump must still be cut later.
/// `air_jumps`: jumps made in the air since the character stood.
fn cut_jump_unless_due_later(now: &mut Now, controller: &Controller<'_>, air_jumps: u8) -> bool {
    let (up, character) = (controller.frame.up(), controller.character);
    let height = if character.has_apex_hang() {
        height_of_jump_in_progress(character, air_jumps)
    } else {
        character.jump_height
    };
    let (rise, speed) = (now.velocity.dot(up), controller.speed_after_jump_cut(height));
    if rise > speed {
        now.velocity += up * (speed - rise);
        return false;
    }
    // A jump with an apex hang is slower than a jump without one. Full gravity alone might stop the jump below
    // `min_jump_height`. So the jump keeps its hang down to the end speed of a released hang.
    character.has_apex_hang()
        && rise > end_speed_of_released_hang(character, height, controller.gravity_size(), controller.tick)
}

/// Makes the jumps of a character in the air, and cuts a jump whose button was released. After a wall jump, returns
/// the walk that replaces that of the input.
///
/// `kept`: ticks for which a press is still stored. `in_air`: ticks since the character left the ground.
pub(super) fn jump_in_air(
    now: &mut Now,
    timers: &mut Timers,
    controller: &Controller<'_>,
    (pressed, kept, in_air): (bool, u8, f64),
    news: &mut News,
) -> Option<i8> {
    let (up, character) = (controller.frame.up(), controller.character);
    let set_rise = |now: &mut Now, speed: f64| now.velocity += up * (speed - now.velocity.dot(up));
    let whole_ticks = |time: f64| seconds_to_ticks(time, controller.tick) as u32;
    let (mut jumped, mut rises) = (now.mode.has_jumped(), now.mode == Mode::Jump && now.velocity.dot(up) > 0.0);
    let (was_kept, mut is_first_tick) = (kept > 0, false);
    let (mut kept, mut is_late) = (kept.saturating_sub(1), false);
    if pressed {
        let most = seconds_to_ticks(character.coyote_time, controller.tick);
        if !jumped && most >= 1.0 && in_air <= most {
            let speed = controller.jump_speed();
            if speed > 0.0 && now.velocity.dot(up) < speed {
                set_rise(now, speed);
                rises = true;
                news.jumped = Some((JumpFrom::Coyote, false));
            }
            (jumped, kept, is_late) = (true, 0, true);
        } else {
            kept = jump_buffer_ticks(controller);
        }
    }
    let walls = [now.touching.wall_left, now.touching.wall_right];
    // Between two walls the directions cancel to 0: the jump goes straight up.
    let touched = (walls != [false; 2]).then(|| i8::from(walls[0]) - i8::from(walls[1]));
    let wall = timers.update_recent_wall(touched, whole_ticks(character.wall_coyote_time));
    let is_asked = (was_kept || pressed) && !is_late;
    if character.wall_jump_speed > 0.0
        && is_asked
        && let Some(away) = wall
    {
        let speed = controller.jump_speed();
        if speed > 0.0 {
            set_rise(now, speed.max(now.velocity.dot(up)));
            let right = controller.frame.right();
            now.velocity += right * (f64::from(away) * character.wall_jump_speed - now.velocity.dot(right));
            (jumped, rises, kept, is_first_tick) = (true, true, 0, true);
            news.jumped = Some((JumpFrom::Wall, !pressed));
            let lock = if away == 0 { 0 } else { whole_ticks(character.wall_jump_lock_time) };
            *timers = Timers { wall: 0, stick: 0, lock_away: away, lock, ..*timers };
        }
    }
    if pressed && !is_late && !is_first_tick && timers.air_jumps < character.air_jumps {
        let speed = controller.speed_for_height(character.effective_air_jump_height());
        if speed > 0.0 {
            set_rise(now, speed.max(now.velocity.dot(up)));
            (jumped, rises, kept, is_first_tick) = (true, true, 0, true);
            timers.air_jumps += 1;
            news.jumped = Some((JumpFrom::Air, false));
        }
    }
    // A stored press may start a wall jump when its button is already up. Like a jump off the ground, a wall jump is
    // not cut in its first tick.
    if rises && !is_first_tick && !now.input.is_jump_held() && character.min_jump_height > 0.0 {
        rises = cut_jump_unless_due_later(now, controller, timers.air_jumps);
    }
    now.mode = match (jumped, rises) {
        (false, _) => Mode::Walk,
        (true, false) => Mode::Air,
        (true, true) => Mode::Jump,
    };
    now.jump_buffer = JumpBuffer(kept);
    let slides = character.wall_slide_speed > 0.0 && now.velocity.dot(up) <= 0.0;
    let steered = timers.update_walk_replacing_input(
        now.input.walk,
        touched.filter(|_| slides),
        whole_ticks(character.wall_stick_time),
    );
    let walk = steered.unwrap_or(now.input.walk);
    news.slides = slides && ((walk < 0 && walls[0]) || (walk > 0 && walls[1]));
    steered
}

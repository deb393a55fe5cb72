//! Swims in liquids, and jumps out of them.

use super::mode::{Cling, Mode, Timers};
use super::{News, Ride};
use crate::controller::Controller;
use crate::event::{BodyId, JumpFrom};
use crate::motion::Frame;
use crate::platform::PlatformId;
use crate::world::BodyState;
use crate::world::areas::{Areas, Top};
use crate::world::state::Now;
use glam::DVec2;
use surefoot_geometry::{ONE, to_lengths};

/// The water around a character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Water {
    /// Depth of the character's centre below the top, in tiles.
    room: f64,
    /// Displacement of the water in the last tick, in tiles.
    motion: DVec2,
    /// The platform that carries the water and the swimmer.
    on: Option<PlatformId>,
    /// The character's upper side is not below the top.
    has_head_out: bool,
    /// The buoyancy lifts the character off a floor.
    lifts: bool,
}

impl Water {
    /// Returns the water in which a character may swim in this tick.
    pub(super) fn find_water(areas: &Areas, id: BodyId, state: &BodyState, frame: &Frame) -> Option<Water> {
        let (Top { below: room, motion, on }, buoyancy) = areas.water_around(id, state, frame.up_axis())?;
        let high = state.kind.shape.half_units().dot(frame.up_axis()).abs();
        let part = ((room + high) as f64 / (2 * high) as f64).min(1.0);
        let (has_head_out, lifts) = (room <= high, buoyancy * part > 1.0);
        let tiles = room as f64 / ONE as f64;
        (room >= 0).then_some(Water { room: tiles, motion: to_lengths(motion), on, has_head_out, lifts })
    }
}

/// Begins, continues or ends a swim. Returns whether the character swims in this tick, or jumps out of the water.
/// `swam`: whether it swam in the last tick.
pub(super) fn try_swim(
    now: &mut Now,
    timers: &mut Timers,
    controller: &Controller<'_>,
    (water, ride): (Option<Water>, Ride),
    swam: bool,
    news: &mut News,
) -> bool {
    let (up, right, character, keys) =
        (controller.frame.up(), controller.frame.right(), controller.character, controller.input);
    let (rises, is_ground) = (now.velocity.dot(up), now.footing.is_ground());
    let upwards = i8::from(keys.is_up_held() || keys.is_jump_held()) - i8::from(keys.is_down_held());
    let pressed = keys.is_jump_held() && !now.jump_held;
    let water = water.filter(|water| {
        // A character that rises through the water by a jump, or because something threw it up, does not begin to
        // swim.
        let fastest = if now.mode.has_jumped() { 0.0 } else { character.swim_speed };
        // Compare the rising speed relative to the water.
        let begins = !pressed && rises + (ride.carried - water.motion / controller.tick).dot(up) <= fastest;
        let stands = is_ground && !water.lifts;
        (swam || begins) && (!stands || (upwards > 0 && water.room > 0.0 && (swam || keys.is_up_held())))
    });
    let ridden_platform = timers.cling.on.take();
    let Some(Water { room, motion, on, has_head_out, .. }) = water else {
        if swam && is_ground {
            now.enter_mode(Mode::Walk);
        } else if ridden_platform.is_some() && !is_ground {
            now.velocity += ride.carried;
        }
        return false;
    };
    let cling = Cling { left_ladder: timers.cling.left_ladder, ..Cling::NONE };
    *timers = Timers { dash_held: timers.dash_held, cling, ..Timers::NONE };
    let speed = controller.jump_speed();
    if swam && pressed && has_head_out && speed > 0.0 {
        now.velocity += up * (speed - rises) + ride.of_jump;
        news.jumped = Some((JumpFrom::Water, false));
        now.enter_mode(Mode::Jump);
        return true;
    }
    timers.cling.on = on;
    // At the surface, the character cannot swim further up.
    let upwards = if room > 0.0 { upwards } else { upwards.min(0) };
    // Compute in the frame of the water. If a platform carries the body and the water, the stored velocity stays
    // relative to that platform.
    let carried = motion / controller.tick;
    let drift = if ridden_platform.is_some() || on.is_some() { ride.carried - carried } else { -carried };
    let input = DVec2::new(f64::from(keys.walk.max(-127)) / 127.0, f64::from(upwards));
    let swim_velocity = input / input.length().max(1.0) * character.swim_speed;
    let floats = if upwards == 0 && room > 0.0 { character.float_speed } else { 0.0 };
    let (wanted, before) = (right * swim_velocity.x + up * (swim_velocity.y + floats), now.velocity + drift);
    // If the character is faster than its swim speed, it slows down faster in proportion.
    let rate = character.swim_speed.max(before.length()) / character.swim_time;
    let (missing, most) = (wanted - before, rate * controller.tick);
    let is_there = character.swim_time == 0.0 || missing.length() <= most;
    let mut velocity = if is_there { wanted } else { before + missing * (most / missing.length()) };
    // Limit the upward velocity, so that the body does not leave the water.
    velocity -= up * (velocity.dot(up) - room / controller.tick).max(0.0);
    now.velocity = if on.is_some() { velocity } else { velocity + carried };
    now.enter_mode(Mode::Swim);
    true
}

//! Climbs in climbable areas: ladders, vines and the like.

use super::mode::{Cling, Mode, Timers};
use super::{News, Ride};
use crate::controller::Controller;
use crate::event::{BodyId, JumpFrom};
use crate::motion::{Frame, Surface};
use crate::platform::PlatformId;
use crate::world::BodyState;
use crate::world::areas::{Areas, Top};
use crate::world::state::Now;
use glam::DVec2;
use surefoot_geometry::{ONE, to_lengths};

/// A climbable area around a character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ladder {
    /// Distance from the character's lower side up to the top of the area, in tiles.
    room: f64,
    /// Displacement of the area in the last tick, in tiles, without that of a platform that carries it.
    motion: DVec2,
    /// The platform that carries the area and the climber.
    on: Option<PlatformId>,
    /// The climber touches a floor.
    has_floor: bool,
    /// Distance to the right to the middle of the ladder's column, in tiles, if the ladder holds the character.
    to_column: Option<f64>,
}

/// Returns the area that a character may climb in this tick. On the top of the area, only a character that climbs
/// already may.
pub(super) fn find_ladder(areas: &Areas, id: BodyId, state: &BodyState, frame: &Frame) -> Option<Ladder> {
    let climbs = state.now.mode == Mode::Climb;
    let Top { below, motion, on } = areas.top_of_climbable_areas(id, state, frame.up_axis(), climbs)?;
    let is_floor = |surface: &Surface| frame.is_floor(surface.normal(state.now.position));
    let has_floor = climbs && state.touched().iter().any(is_floor);
    let motion = if on.is_some() { DVec2::ZERO } else { to_lengths(motion) };
    let is_held = state.kind.character.is_some_and(|character| character.ladder_center_speed > 0.0);
    let axes = (frame.up_axis(), frame.right().as_i64vec2());
    let to_column = is_held.then(|| areas.distance_to_column(id, state, axes, climbs));
    Some(Ladder { room: below.max(0) as f64 / ONE as f64, motion, on, has_floor, to_column })
}

/// Begins, continues or ends a climb. Returns whether the character climbs in this tick, or jumps off.
pub(super) fn try_climb(
    now: &mut Now,
    timers: &mut Timers,
    controller: &Controller<'_>,
    ladder: Option<Ladder>,
    (ride, news): (&mut Ride, &mut News),
) -> bool {
    let (up, right, character, keys) =
        (controller.frame.up(), controller.frame.right(), controller.character, controller.input);
    if character.climb_speed == 0.0 && now.mode != Mode::Climb && !timers.cling.left_ladder {
        return false;
    }
    let (upwards, is_asked) =
        (i8::from(keys.is_up_held()) - i8::from(keys.is_down_held()), keys.is_up_held() || keys.is_down_held());
    let is_ground = now.footing.is_ground();
    let climbed = now.mode == Mode::Climb;
    timers.cling.left_ladder &= is_asked;
    let jumps = keys.is_jump_held() && !now.jump_held;
    let dashes = keys.is_dash_held() && !timers.dash_held && character.dash_speed > 0.0;
    // If the climber lets go in the air, it keeps the velocity of the platform that carried its ladder.
    let carried = if timers.cling.on.is_some() && !is_ground { ride.carried } else { DVec2::ZERO };
    if climbed && !is_ground && jumps {
        (timers.cling.left_ladder, timers.cling.on) = (is_asked, None);
        let speed = controller.jump_speed();
        let is_jump = speed > 0.0 && !keys.is_down_held();
        if is_jump {
            now.velocity = right * controller.wanted_speed() + up * speed + ride.of_jump;
            news.jumped = Some((JumpFrom::Ladder, false));
        } else {
            now.velocity += carried - up * now.velocity.dot(up).max(0.0);
        }
        now.enter_mode(if is_jump { Mode::Jump } else { Mode::Air });
        return true;
    }
    let asks = !timers.cling.left_ladder
        && !now.mode.has_velocity_set_by_ability()
        && if is_ground { upwards > 0 } else { upwards != 0 };
    let ladder = ladder.filter(|ladder| {
        let stands = is_ground || ladder.has_floor;
        (climbed || asks) && !jumps && !dashes && (!stands || (upwards > 0 && ladder.room > 0.0))
    });
    let Some(Ladder { room, motion, on, to_column, .. }) = ladder else {
        if climbed {
            (timers.cling.left_ladder, timers.cling.on) = (dashes && is_asked, None);
            now.velocity += carried - up * now.velocity.dot(up).max(0.0);
            // The platform velocity is now part of the character's own velocity, so do not add it again.
            ride.carried -= carried;
            now.enter_mode(if is_ground { Mode::Walk } else { Mode::Air });
        }
        return false;
    };
    let speed = character.climb_speed;
    let rises = if upwards > 0 { speed.min(room / controller.tick) } else { f64::from(upwards) * speed };
    let most = character.ladder_center_speed;
    let aside = match to_column {
        // At the top of the ladder, the character may walk off. So do not pull it to the middle of the ladder.
        Some(distance) if room > 0.0 || keys.walk == 0 => (distance / controller.tick).clamp(-most, most),
        _ => speed * f64::from(keys.walk.max(-127)) / 127.0,
    };
    now.velocity = right * aside + up * rises + motion / controller.tick;
    let cling = Cling { on, ..Cling::NONE };
    *timers = Timers { dash_held: keys.is_dash_held() && character.dash_speed > 0.0, cling, ..Timers::NONE };
    now.enter_mode(Mode::Climb);
    true
}

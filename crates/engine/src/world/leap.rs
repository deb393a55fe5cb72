//! What is kept of a character's jumps from tick to tick, and what they do before it moves: a jump that is asked for a moment too
//! late or too early, and one that is cut short.

use super::state::Now;
use super::step::{passes, within_limits};
use super::{BodyState, World};
use crate::body::{Body, Character};
use crate::motion::Frame;
use crate::walker::Controller;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// How a character has come off the ground, and a jump that it was asked for in the air. Always 0 of bodies whose jumps are plain.
///
/// Bits 0 to 5 are for how many ticks that jump is still kept, or [`Leap::LATE`] in the tick in which it is made. Bit 6: it has jumped since it
/// stood, or was spawned. Bit 7: it rises by a jump that is not cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(transparent))]
pub(crate) struct Leap(pub(crate) u8);

impl Leap {
    pub(crate) const NONE: Leap = Leap(0);
    /// Of a body that was spawned in the air: it may not jump there.
    const SPAWNED: Leap = Leap(Leap::JUMPED);
    const JUMPED: u8 = 1 << 6;
    const RISES: u8 = 1 << 7;
    const KEPT: u8 = Leap::JUMPED - 1;
    /// What stands for ticks where a kept jump is made.
    const LATE: u8 = Leap::KEPT;
    /// For how many ticks a jump may be kept.
    const MOST: u8 = Leap::LATE - 1;

    /// A jump that was kept is made by a character that has not jumped.
    #[cfg(feature = "serde")]
    pub(super) const IMPOSSIBLE: Leap = Leap(Leap::LATE);

    /// Whether there may be such a leap of a character of which jumps are kept, or of another body.
    #[cfg(feature = "record")]
    pub(crate) fn is_possible(self, has_jump_state: bool) -> bool {
        self == Leap::NONE || (has_jump_state && (!self.jumps_late() || self.jumped()))
    }

    /// Of a body that something from outside has put in the air or on the ground.
    pub(super) fn anew(kind: &Body) -> Leap {
        if kind.character.as_ref().is_some_and(Character::has_jump_state) { Leap::SPAWNED } else { Leap::NONE }
    }

    /// Its velocity is another one from outside: it does not rise by a jump any more.
    pub(super) fn end_rise(&mut self) {
        self.0 &= !Leap::RISES;
    }

    fn new(jumped: bool, rises: bool, kept: u8) -> Leap {
        Leap((u8::from(jumped) * Leap::JUMPED) | (u8::from(rises) * Leap::RISES) | kept)
    }

    /// Whether a jump that was kept is made in the tick under way.
    #[inline(always)]
    pub(super) fn jumps_late(self) -> bool {
        self.0 & Leap::KEPT == Leap::LATE
    }

    fn kept(self) -> u8 {
        if self.jumps_late() { 0 } else { self.0 & Leap::KEPT }
    }

    fn jumped(self) -> bool {
        self.0 & Leap::JUMPED != 0
    }

    fn rises(self) -> bool {
        self.0 & Leap::RISES != 0
    }
}

/// A time as a number of ticks.
fn ticks(time: f64, tick: f64) -> f64 {
    (time / tick).round()
}

impl World {
    /// Finds which characters jump in the tick though they were asked to earlier, or do not stand any more, and cuts jumps short.
    #[inline(never)]
    pub(super) fn find_leaps(&mut self) {
        let World { bodies, settings, tick, .. } = self;
        let frame = Frame::new(settings.up, settings.floor_limit);
        for state in bodies.values_mut() {
            let Now { input, jump_held, footing, leap: known_leap, stuck, .. } = &state.now;
            // One that stands, and of which nothing is kept or asked.
            let is_asked = input.jump && !jump_held;
            let is_idle = footing.is_ground() && *known_leap == Leap::NONE && !is_asked;
            if is_idle || *stuck || passes(state) {
                continue;
            }
            let BodyState { kind, now, known, .. } = state;
            let Some(character) = kind.character.as_ref().filter(|character| character.has_jump_state()) else {
                continue;
            };
            let gravity = settings.gravity_of(kind) * kind.gravity_scale;
            let controller = Controller::on_open_ground(character, now.input, &frame, gravity, settings.tick);
            let (before, was_late) = (now.velocity, now.leap.jumps_late());
            leap(now, &controller, character, *tick + 1);
            now.velocity = within_limits(now.velocity);
            if now.velocity != before || was_late || now.leap.jumps_late() {
                known.asks_anew();
            }
        }
    }
}

/// What a character's jumps do before it moves in the tick that ends with that number.
fn leap(now: &mut Now, controller: &Controller<'_>, character: &Character, end: u64) {
    let up = controller.frame.up();
    let pressed = now.input.jump && !now.jump_held;
    let kept = now.leap.kept();
    let super::Footing::Air { since } = now.footing else {
        now.leap = match (pressed, kept) {
            (true, _) => Leap::new(true, true, 0),
            (false, 0) => Leap::NONE,
            (false, _) => Leap::new(true, true, Leap::LATE),
        };
        return;
    };
    let set_rise = |now: &mut Now, speed: f64| now.velocity += up * (speed - now.velocity.dot(up));
    let (mut jumped, mut rises) = (now.leap.jumped(), now.leap.rises() && now.velocity.dot(up) > 0.0);
    let (was_kept, mut off_wall) = (kept > 0, false);
    let (mut kept, mut is_late) = (kept.saturating_sub(1), false);
    if pressed {
        let (in_air, most) = ((end - since) as f64, ticks(character.coyote_time, controller.tick));
        if !jumped && most >= 1.0 && in_air <= most {
            let speed = controller.jump_speed();
            if speed > 0.0 && now.velocity.dot(up) < speed {
                set_rise(now, speed);
                rises = true;
            }
            (jumped, kept, is_late) = (true, 0, true);
        } else {
            kept = ticks(character.jump_buffer, controller.tick).min(f64::from(Leap::MOST)) as u8;
        }
    }
    let walls = [now.touching.wall_left, now.touching.wall_right];
    let is_asked = (was_kept || pressed) && !is_late;
    if character.wall_jump_speed > 0.0 && is_asked && walls != [false; 2] {
        let speed = controller.jump_speed();
        if speed > 0.0 {
            set_rise(now, speed.max(now.velocity.dot(up)));
            // Between two walls there is no way aside.
            let away = f64::from(u8::from(walls[0])) - f64::from(u8::from(walls[1]));
            let right = controller.frame.right();
            now.velocity += right * (away * character.wall_jump_speed - now.velocity.dot(right));
            (jumped, rises, kept, off_wall) = (true, true, 0, true);
        }
    }
    // Off a wall it is cut after its first tick at the earliest, as off the ground.
    if rises && !off_wall && !now.input.jump && character.tap_height > 0.0 {
        let speed = controller.cut_speed();
        if now.velocity.dot(up) > speed {
            set_rise(now, speed);
        }
        rises = false;
    }
    now.leap = Leap::new(jumped, rises, kept);
}

//! What is kept of a character's jumps from tick to tick, and what they do before it moves: a jump that is asked for a moment too
//! late or too early, one that is cut short, jumps in the air and off walls, dashes, climbing and swimming.
//!
//! Where a player's input does not count, as just after a jump off a wall, another walk stands in its place while the tick is made, and
//! the player's own again after it.

use super::areas::{Areas, Top};
use super::ledges::{Look, grab, hold};
use super::near::settle_in;
use super::state::{Known, Now};
use super::step::{passes, taken_by_jump, within_limits};
use super::{BodyState, World};
use crate::body::{Body, Character, counted};
use crate::event::BodyId;
use crate::motion::{Frame, Scene, Surface};
use crate::platform::PlatformId;
use crate::walker::{Controller, released_hang_end, speed_with_hang};
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use surefoot_geometry::{ONE, Position, to_lengths};

/// How a character has come off the ground, and a jump that it was asked for in the air. Always 0 of bodies whose jumps are plain.
///
/// Bits 0 to 5 are for how many ticks that jump is still kept, or [`Leap::LATE`] in the tick in which it is made. Bit 6: it has jumped since it
/// stood, or was spawned. Bit 7: it rises by a jump that is not cut; if bit 6 is not set, it dashes, climbs or swims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(transparent))]
pub(crate) struct Leap(pub(crate) u8);

impl Leap {
    pub(crate) const NONE: Leap = Leap(0);
    /// Of a body that was spawned in the air: it may not jump there.
    pub(super) const SPAWNED: Leap = Leap(Leap::JUMPED);
    const JUMPED: u8 = 1 << 6;
    const RISES: u8 = 1 << 7;
    const KEPT: u8 = Leap::JUMPED - 1;
    /// What stands for ticks where a kept jump is made.
    const LATE: u8 = Leap::KEPT;
    /// For how many ticks a jump may be kept.
    const MOST: u8 = Leap::LATE - 1;

    /// Whether there may be such a leap of a character of which jumps are kept, or of another body.
    #[cfg(feature = "record")]
    pub(crate) fn is_possible(self, has_jump_state: bool) -> bool {
        self == Leap::NONE || (has_jump_state && (!self.jumps_late() || self.jumped()))
    }

    /// Of a body that something from outside has put in the air or on the ground.
    pub(super) fn anew(kind: &Body) -> Leap {
        if kind.character.as_ref().is_some_and(Character::has_jump_state) { Leap::SPAWNED } else { Leap::NONE }
    }

    /// A jump that it was asked for is not made later.
    pub(super) fn forget_asked(&mut self) {
        self.0 &= !Leap::KEPT;
    }

    /// Ends the rise of a jump, so that the jump is no longer cut: a command has set its velocity, or the run's speed is in it.
    pub(super) fn end_rise(&mut self) {
        self.0 &= !Leap::RISES;
    }

    /// It may not jump a moment late any more.
    pub(super) fn end_grace(&mut self) {
        if !self.dashes() {
            self.0 |= Leap::JUMPED;
        }
    }

    /// This leap in a time of another timing, in which a jump is kept for other ticks.
    pub(super) fn at_pace(self, paces: (f64, f64)) -> Leap {
        let kept = counted(self.kept().into(), paces).min(Leap::MOST.into()) as u8;
        if self.jumps_late() { self } else { Leap(self.0 & !Leap::KEPT | kept) }
    }

    pub(super) fn new(jumped: bool, rises: bool, kept: u8) -> Leap {
        Leap((u8::from(jumped) * Leap::JUMPED) | (u8::from(rises) * Leap::RISES) | kept)
    }

    /// Stands in the tick for a jump that other bodies have blocked, if its press may be kept.
    const BLOCKED: Leap = Leap(Leap::LATE);

    /// Ends a jump that other bodies have blocked before it left the ground. [`World::end_steering`] keeps its press.
    pub(super) fn block(&mut self) {
        if *self != Leap::NONE {
            *self = Leap::BLOCKED;
        }
    }

    /// Whether a jump that was kept is made in the tick under way.
    #[inline(always)]
    pub(super) fn jumps_late(self) -> bool {
        self.0 & Leap::KEPT == Leap::LATE
    }

    /// Of one that dashes, climbs, swims or holds on to a ledge: its velocity stays as it is.
    pub(super) const DASHES: Leap = Leap(Leap::RISES);

    /// Whether it dashes in the tick under way, or has in the last one.
    #[inline(always)]
    pub(crate) fn dashes(self) -> bool {
        self.0 & (Leap::JUMPED | Leap::RISES) == Leap::RISES
    }

    fn kept(self) -> u8 {
        if self.jumps_late() { 0 } else { self.0 & Leap::KEPT }
    }

    fn jumped(self) -> bool {
        self.0 & Leap::JUMPED != 0
    }

    /// Whether it rises by a jump that is not cut yet.
    pub(super) fn rises(self) -> bool {
        self.0 & Leap::RISES != 0
    }
}

/// Returns the speed along up down to which `apex_gravity_scale` acts on a character in this tick. `None` if it does not act.
///
/// `now`: as the tick begins. `air_jumps`: jumps made in the air since the character stood. `up`: unit vector. `pull`: size of the character's
/// gravity along up. `tick`: in seconds.
#[inline(always)]
pub(in crate::world) fn hang_end(
    (character, now): (&Character, &Now),
    air_jumps: u8,
    up: DVec2,
    (pull, tick): (f64, f64),
) -> Option<f64> {
    if !character.hangs() {
        return None;
    }
    let whole = -character.apex_speed_threshold;
    if now.input.jump() {
        return Some(whole);
    }
    if !now.leap.jumped() || !now.leap.rises() || character.min_jump_height == 0.0 {
        return None;
    }
    let height = jump_in_progress(character, air_jumps);
    // A jump that the buffer kept has all of the hang in its first tick, as if the button were held: `cut_speed` counts on that.
    // Each tick of the rise takes at least `slowed`, so that half of it tells the first tick from the second.
    let slowed = character.apex_gravity_scale * pull * tick;
    let launch = speed_with_hang(character, 2.0 * pull * height);
    let is_first_tick = now.leap.jumps_late() || now.velocity.dot(up) > launch - slowed / 2.0;
    Some(if is_first_tick { whole } else { released_hang_end(character, height, pull, tick) })
}

/// Returns the height in tiles of the jump in progress. `air_jumps`: jumps made in the air since the character stood.
///
/// Nothing saves whether the last jump was one in the air or one off a wall after it. The lower height keeps both from stopping below
/// `min_jump_height`.
fn jump_in_progress(character: &Character, air_jumps: u8) -> f64 {
    let height = character.jump_height;
    if air_jumps > 0 { height.min(character.height_in_air()) } else { height }
}

/// What is kept of a character in the air and at walls, besides its [`Leap`]; nothing of one that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Timers {
    /// How often it has jumped in the air.
    pub(crate) air_jumps: u8,
    /// Which way leads away from the wall that it touched last: 1 to the right, -1 to the left, 0 between two.
    pub(crate) away: i8,
    /// For how many ticks it may still jump off that wall.
    pub(crate) wall: u32,
    /// For how many ticks input away from the wall that it slides down does still not count.
    pub(crate) stick: u32,
    /// Which way its input is after a jump off a wall, and for how many ticks.
    pub(crate) lock_away: i8,
    pub(crate) lock: u32,
    /// For how many ticks it still dashes, and which way: to the right and up, 1 or -1 or neither.
    pub(crate) dash: u32,
    pub(crate) dash_way: [i8; 2],
    /// It has dashed since it stood.
    pub(crate) dashed: bool,
    /// Dash was held in the last tick.
    pub(crate) dash_held: bool,
    /// What it holds on to.
    pub(crate) hold: Hold,
}

/// What a character holds on to: a ledge, or what is climbable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Hold {
    /// On which side of it the ledge is on which it hangs: 1 to the right, -1 to the left, 0 none.
    pub(crate) ledge: i8,
    /// On which side the ledge is of which it has let go, until that is out of its reach.
    pub(crate) let_go: i8,
    /// For how many ticks it still pulls itself up, and one; 0 if it does not.
    pub(crate) pull: u32,
    /// Where it is then, on a platform from where that is; the origin if it does not.
    pub(crate) goal: Position,
    /// Whether it climbs or swims.
    pub(crate) climb: Climb,
    /// The platform whose ledge it is, or on which is what it climbs on or swims in, and with which it goes along.
    pub(crate) on: Option<PlatformId>,
}

impl Hold {
    pub(crate) const NONE: Hold =
        Hold { ledge: 0, let_go: 0, pull: 0, goal: Position::ORIGIN, climb: Climb::No, on: None };

    /// Whether it may be that of some character.
    #[cfg(feature = "record")]
    fn is_possible(self) -> bool {
        let is_side = |side: i8| (-1..=1).contains(&side);
        is_side(self.ledge)
            && is_side(self.let_go)
            && (self.pull == 0 || self.ledge != 0)
            && (self.on.is_none() || self.ledge != 0 || self.climb == Climb::Climbs || self.climb.swims())
            && (self.pull > 0 || self.goal == Position::ORIGIN)
    }
}

/// Whether a character climbs or swims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) enum Climb {
    /// It does not.
    No,
    /// It has hold of something.
    Climbs,
    /// It has let go, and up or down is held since.
    LetGo,
    /// It swims.
    Swims,
    /// It swims, and [`Climb::GrabBroken`].
    SwimsOff,
}

impl Climb {
    pub(crate) fn swims(self) -> bool {
        matches!(self, Climb::Swims | Climb::SwimsOff)
    }

    /// The state once it swims no more.
    fn on_land(self) -> Climb {
        match self {
            Climb::Swims => Climb::No,
            Climb::SwimsOff => Climb::LetGo,
            other => other,
        }
    }
}

impl Timers {
    pub(crate) const NONE: Timers = Timers {
        air_jumps: 0,
        away: 0,
        wall: 0,
        stick: 0,
        lock_away: 0,
        lock: 0,
        dash: 0,
        dash_way: [0, 0],
        dashed: false,
        dash_held: false,
        hold: Hold::NONE,
    };

    /// Whether a character may have these timers: a snapshot does not write timers that are all at rest.
    #[cfg(feature = "record")]
    pub(crate) fn is_possible(self) -> bool {
        let is_side = |side: i8| (-1..=1).contains(&side);
        self != Timers::NONE
            && [self.away, self.lock_away, self.dash_way[0], self.dash_way[1]].into_iter().all(is_side)
            && self.hold.is_possible()
    }

    /// These in a time of another timing, whose ticks are others.
    pub(super) fn at_pace(self, paces: (f64, f64)) -> Timers {
        let ticks = |ticks: u32| counted(ticks.into(), paces).min(u32::MAX.into()) as u32;
        // One that pulls itself up needs two ticks for what is before the last one.
        let pull = self.hold.pull.saturating_sub(1);
        let pull = self.hold.pull.min(1).saturating_add(ticks(pull).max(pull.min(2)));
        let Timers { wall, stick, lock, dash, .. } = self;
        let (wall, stick, lock, dash) = (ticks(wall), ticks(stick), ticks(lock), ticks(dash));
        Timers { wall, stick, lock, dash, hold: Hold { pull, ..self.hold }, ..self }
    }

    /// All bits of them but for those of a pull-up, and of which platform it is on.
    #[cfg(feature = "record")]
    pub(crate) fn bits(self) -> [u64; 3] {
        let Timers { air_jumps, away, wall, stick, lock_away, lock, dash, dash_way: [x, y], .. } = self;
        let Timers { dashed, dash_held, hold: Hold { ledge, let_go, pull: _, goal: _, climb, on }, .. } = self;
        let flags = u8::from(dashed) | u8::from(dash_held) << 1 | (climb as u8) << 2 | u8::from(on.is_some()) << 5;
        let sides = [ledge as u8, let_go as u8];
        let bytes = [air_jumps, away as u8, lock_away as u8, x as u8, y as u8, flags, sides[0], sides[1]];
        let bytes = u64::from_le_bytes(bytes);
        [bytes, u64::from(stick) << 32 | u64::from(lock), u64::from(wall) << 32 | u64::from(dash)]
    }

    /// Which way leads away from the wall that is beside it, or was so many ticks ago.
    fn wall_beside(&mut self, touched: Option<i8>, ticks: u32) -> Option<i8> {
        if touched.is_some() {
            (self.away, self.wall) = (touched.filter(|_| ticks > 0).unwrap_or_default(), ticks);
            return touched;
        }
        self.wall = self.wall.checked_sub(1)?;
        Some(self.away)
    }

    /// The walk in place of the input's: after a jump off a wall away from it, and while it sticks to one that it slides down against it.
    fn steer(&mut self, walk: i8, slid: Option<i8>, ticks: u32) -> Option<i8> {
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

/// A time as a number of ticks.
pub(super) fn ticks(time: f64, tick: f64) -> f64 {
    (time / tick).round()
}

/// For how many ticks a character's jump is kept.
fn buffered(controller: &Controller<'_>) -> u8 {
    ticks(controller.character.jump_buffer, controller.tick).min(f64::from(Leap::MOST)) as u8
}

impl World {
    #[inline(always)]
    pub(super) fn prepare_jumps(&mut self) {
        if self.bodies.may_leap() {
            self.find_jumps();
        }
    }

    /// Finds which characters jump in the tick though they were asked to earlier, or do not stand any more, and cuts jumps short.
    #[inline(never)]
    fn find_jumps(&mut self) {
        let World { bodies, areas, terrain, platforms, settings, tick, scratch, .. } = self;
        let frame = Frame::new(settings.up, settings.max_floor_slope);
        let may_time = bodies.may_time();
        let (slots, bodies) = bodies.slotted_mut();
        for (slot, state) in bodies {
            // One that stands, and of which nothing is kept or asked.
            let is_idle = state.now.is_idle() && (!may_time || state.has_no_timers());
            if is_idle || state.now.stuck || passes(state) {
                continue;
            }
            let id = slots.id(slot);
            let mut timers = state.timers();
            let may_hang = state.kind.character.as_ref().is_some_and(|character| character.ledge_grab > 0.0);
            // What is there has to be loaded before it is looked at.
            let sees_ledges = may_hang && (!terrain.is_streamed() || settle_in(terrain, settings, state));
            let may_climb = state.kind.character.is_some_and(|character| character.climb_speed > 0.0);
            let ladder = if may_climb { ladder_of(areas, id, state, timers.hold.climb, &frame) } else { None };
            let may_swim = state.kind.character.is_some_and(|character| character.swim_speed > 0.0);
            let water = if may_swim { Water::around(areas, id, state, &frame) } else { None };
            let BodyState { kind, now, known, cold } = &mut *state;
            let Some(character) = kind.character.as_ref().filter(|character| character.has_jump_state()) else {
                continue;
            };
            let has_timers = may_time && character.has_timers();
            let mut controller =
                Controller::on_open_ground(character, now.input, &frame, kind.gravity(), settings.tick);
            let (pressed, kept) = (now.input.jump() && !now.jump_held, now.leap.kept());
            if now.footing.is_ground() && (pressed || kept > 0) {
                let left = if pressed { buffered(&controller) } else { kept - 1 };
                scratch.asked.push((slot, left));
            }
            let (before, was_late) = (now.velocity, now.leap.jumps_late() || now.leap.dashes());
            let scene = platforms.scene(terrain, settings).of_layers(kind.collision_layers);
            let ignored = if sees_ledges { platforms.ignored_by(id) } else { SmallVec::new() };
            let scene = Scene { around: scene.around.of_body(&ignored, DVec2::ZERO), ..scene };
            let mut look = sees_ledges.then(|| Look::new(&scene, kind.shape, scratch.for_looks()));
            let on = timers.hold.on;
            let holds = hold(now, &mut timers, &controller, look.as_mut());
            if on.is_some() && timers.hold.on.is_none() {
                let last = cold.as_ref().and_then(|cold| cold.lift);
                let carried = cold.as_mut().map_or(DVec2::ZERO, |cold| cold.leave_ride(&now.footing));
                let times = (*tick + 1, settings.tick);
                now.velocity += if now.leap.rises() {
                    taken_by_jump(character, (carried, last), times, frame.up())
                } else {
                    carried
                };
            }
            let mut steered = None;
            if !holds {
                let carried = cold.as_ref().map_or(DVec2::ZERO, |cold| cold.carried);
                let last = cold.as_ref().and_then(|cold| cold.lift);
                let times = (*tick + 1, settings.tick);
                let of_jump = || taken_by_jump(character, (carried, last), times, frame.up());
                let ride = Ride { carried, of_jump: if timers.hold.on.is_some() { of_jump() } else { DVec2::ZERO } };
                steered = leap(now, &mut timers, &controller, (ladder, water, ride), *tick + 1);
                controller.touching = now.touching;
                let times = (controller.pull(), controller.tick);
                controller.hang_end = hang_end((character, &*now), timers.air_jumps, frame.up(), times);
                if let Some(look) = &mut look
                    && grab(now, &mut timers, &controller, look)
                {
                    steered = None;
                }
            }
            now.velocity = within_limits(now.velocity);
            if let (Some(_), None, Some(cold)) = (on, timers.hold.on, cold.as_mut()) {
                cold.leave_ride(&now.footing);
            }
            if timers.hold.on != on {
                *known = Known::NOTHING;
                // The platform may be far from it.
                scratch.ask_platforms();
            }
            if now.velocity != before || was_late || now.leap.jumps_late() || now.leap.dashes() {
                known.asks_anew();
            }
            if let Some(walk) = steered.filter(|walk| *walk != now.input.walk) {
                scratch.steered.push((slot, now.input));
                now.input.walk = walk;
                known.asks_anew();
            }
            // A character without times keeps none, whatever other characters of the world keep.
            if has_timers {
                state.set_timers(timers);
            }
            if on.is_some() && timers.hold.on.is_none() && state.on_floor() {
                // It may have come to another floor than that of the platform.
                state.take_frame(state.carried_by(&scene), frame.right());
            }
        }
    }

    /// Gives characters back what their players hold down. What was pressed while it did not count is not pressed after that. Keeps presses
    /// whose jumps other bodies have blocked.
    #[inline(never)]
    pub(super) fn end_steering(&mut self) {
        while let Some((slot, left)) = self.scratch.asked.pop() {
            let state = self.bodies.at_mut(slot).filter(|state| state.now.leap == Leap::BLOCKED);
            state.into_iter().for_each(|state| state.now.leap = Leap::new(false, false, left));
        }
        while let Some((slot, keys)) = self.scratch.steered.pop() {
            let Some(state) = self.bodies.at_mut(slot) else { continue };
            let asked = std::mem::replace(&mut state.now.input, keys);
            state.known.asks_anew();
            if keys.jump() && !asked.jump() {
                state.now.jump_held = state.kind.character.is_some();
            }
            let dashes = |character: &Character| character.dash_speed > 0.0;
            if keys.dash() && !asked.dash() && state.kind.character.as_ref().is_some_and(dashes) {
                state.set_timers(Timers { dash_held: true, ..state.timers() });
            }
        }
    }
}

/// What a character rides before it moves.
#[derive(Clone, Copy, Debug)]
struct Ride {
    /// How fast that has gone in the last tick, in tiles per second.
    carried: DVec2,
    /// What a jump off what it holds on to takes of that.
    of_jump: DVec2,
}

/// What a character may climb on.
#[derive(Clone, Copy, Debug)]
struct Ladder {
    /// How far its lower side is below the top, in tiles.
    room: f64,
    /// How far it goes in the tick beside what a platform makes of that: as far as in the last one, in tiles.
    motion: DVec2,
    /// The platform that it is on, with which the climber goes along.
    on: Option<PlatformId>,
    /// A climber is on a floor.
    has_floor: bool,
}

/// What a character may climb on in the tick under way: on the top of it only one that climbs already.
fn ladder_of(areas: &Areas, id: BodyId, state: &BodyState, climb: Climb, frame: &Frame) -> Option<Ladder> {
    let climbs = climb == Climb::Climbs;
    let Top { below, motion, on } = areas.climbable_around(id, state, frame.axis(), climbs)?;
    let is_floor = |surface: &Surface| frame.is_floor(surface.normal(state.now.position));
    let has_floor = climbs && state.touched().iter().any(is_floor);
    let motion = if on.is_some() { DVec2::ZERO } else { to_lengths(motion) };
    Some(Ladder { room: below.max(0) as f64 / ONE as f64, motion, on, has_floor })
}

/// Takes hold of a ladder, climbs on it, or lets it go. Answers whether the character climbs in the tick, or jumps off.
fn climbs(
    now: &mut Now,
    timers: &mut Timers,
    controller: &Controller<'_>,
    ladder: Option<Ladder>,
    ride: &mut Ride,
) -> bool {
    let (up, right, character, keys) =
        (controller.frame.up(), controller.frame.right(), controller.character, controller.input);
    if character.climb_speed == 0.0 && timers.hold.climb == Climb::No {
        return false;
    }
    let (upwards, is_asked) = (i8::from(keys.up()) - i8::from(keys.down()), keys.up() || keys.down());
    let is_ground = now.footing.is_ground();
    let let_go = if is_asked { Climb::LetGo } else { Climb::No };
    let climbed = timers.hold.climb == Climb::Climbs && now.leap.dashes();
    if timers.hold.climb == Climb::LetGo || (timers.hold.climb == Climb::Climbs && !climbed) {
        // Its velocity may be another one from outside.
        timers.hold.climb = let_go;
    }
    let jumps = keys.jump() && !now.jump_held;
    let dashes = keys.dash() && !timers.dash_held && character.dash_speed > 0.0;
    // What it takes along of a platform as it lets go in the air.
    let carried = if timers.hold.on.is_some() && !is_ground { ride.carried } else { DVec2::ZERO };
    if climbed && !is_ground && jumps {
        (timers.hold.climb, timers.hold.on) = (let_go, None);
        let speed = controller.jump_speed();
        let is_jump = speed > 0.0 && !keys.down();
        if is_jump {
            now.velocity = right * controller.wanted() + up * speed + ride.of_jump;
        } else {
            now.velocity += carried - up * now.velocity.dot(up).max(0.0);
        }
        now.leap = Leap::new(true, is_jump, 0);
        return true;
    }
    let asks =
        timers.hold.climb == Climb::No && !now.leap.dashes() && if is_ground { upwards > 0 } else { upwards != 0 };
    let ladder = ladder.filter(|ladder| {
        let stands = is_ground || ladder.has_floor;
        (climbed || asks) && !jumps && !dashes && (!stands || (upwards > 0 && ladder.room > 0.0))
    });
    let Some(Ladder { room, motion, on, .. }) = ladder else {
        if climbed {
            (timers.hold.climb, timers.hold.on) = (if dashes { let_go } else { Climb::No }, None);
            now.velocity += carried - up * now.velocity.dot(up).max(0.0);
            // It is its own from here on, whatever it does next.
            ride.carried -= carried;
            now.leap = if is_ground { Leap::NONE } else { Leap::new(true, false, 0) };
        }
        return false;
    };
    let speed = character.climb_speed;
    let rises = if upwards > 0 { speed.min(room / controller.tick) } else { f64::from(upwards) * speed };
    let aside = speed * f64::from(keys.walk.max(-127)) / 127.0;
    now.velocity = right * aside + up * rises + motion / controller.tick;
    let hold = Hold { climb: Climb::Climbs, on, ..Hold::NONE };
    *timers = Timers { dash_held: keys.dash() && character.dash_speed > 0.0, hold, ..Timers::NONE };
    now.leap = Leap::DASHES;
    true
}

/// The water around a character.
#[derive(Clone, Copy, Debug)]
struct Water {
    /// How far its centre is below the top, in tiles.
    room: f64,
    /// How far the water has gone itself in the last tick, in tiles.
    motion: DVec2,
    /// The platform that it is on, with which the swimmer goes along.
    on: Option<PlatformId>,
    /// Its upper side is no lower than the top.
    has_head_out: bool,
    /// It is lifted off a floor.
    lifts: bool,
}

impl Water {
    /// The water in which a character may swim in the tick under way.
    fn around(areas: &Areas, id: BodyId, state: &BodyState, frame: &Frame) -> Option<Water> {
        let (Top { below: room, motion, on }, buoyancy) = areas.water_around(id, state, frame.axis())?;
        let high = state.kind.shape.half_units().dot(frame.axis()).abs();
        let part = ((room + high) as f64 / (2 * high) as f64).min(1.0);
        let (has_head_out, lifts) = (room <= high, buoyancy * part > 1.0);
        let tiles = room as f64 / ONE as f64;
        (room >= 0).then_some(Water { room: tiles, motion: to_lengths(motion), on, has_head_out, lifts })
    }
}

/// Swims, or jumps out of the water. Answers whether the character does one of these in the tick. `swam` is whether it swam in the last one.
fn swims(
    now: &mut Now,
    timers: &mut Timers,
    controller: &Controller<'_>,
    (water, ride): (Option<Water>, Ride),
    swam: bool,
) -> bool {
    let (up, right, character, keys) =
        (controller.frame.up(), controller.frame.right(), controller.character, controller.input);
    let (rises, is_ground) = (now.velocity.dot(up), now.footing.is_ground());
    let upwards = i8::from(keys.up() || keys.jump()) - i8::from(keys.down());
    let pressed = keys.jump() && !now.jump_held;
    let water = water.filter(|water| {
        // A jump off the ground and out of the water, and what throws it up, are flights.
        let fastest = if now.leap.jumped() { 0.0 } else { character.swim_speed };
        // As it is seen from the water.
        let begins = !pressed && rises + (ride.carried - water.motion / controller.tick).dot(up) <= fastest;
        let stands = is_ground && !water.lifts;
        (swam || begins) && (!stands || (upwards > 0 && water.room > 0.0 && (swam || keys.up())))
    });
    let rode = timers.hold.on.take();
    let Some(Water { room, motion, on, has_head_out, .. }) = water else {
        if swam && is_ground {
            now.leap = Leap::NONE;
        } else if rode.is_some() && !is_ground {
            now.velocity += ride.carried;
        }
        return false;
    };
    let hold = Hold { climb: timers.hold.climb, ..Hold::NONE };
    *timers = Timers { dash_held: timers.dash_held, hold, ..Timers::NONE };
    let speed = controller.jump_speed();
    if swam && pressed && has_head_out && speed > 0.0 {
        now.velocity += up * (speed - rises) + ride.of_jump;
        now.leap = Leap::new(true, true, 0);
        return true;
    }
    timers.hold.climb = if hold.climb == Climb::LetGo { Climb::SwimsOff } else { Climb::Swims };
    timers.hold.on = on;
    // At the surface up leads nowhere.
    let upwards = if room > 0.0 { upwards } else { upwards.min(0) };
    // Seen from the water, as it is told from then on if a platform carries both.
    let carried = motion / controller.tick;
    let drift = if rode.is_some() || on.is_some() { ride.carried - carried } else { -carried };
    let way = DVec2::new(f64::from(keys.walk.max(-127)) / 127.0, f64::from(upwards));
    let way = way / way.length().max(1.0) * character.swim_speed;
    let floats = if upwards == 0 && room > 0.0 { character.float_speed } else { 0.0 };
    let (wanted, before) = (right * way.x + up * (way.y + floats), now.velocity + drift);
    // What is faster than it swims is slowed as much sooner.
    let rate = character.swim_speed.max(before.length()) / character.swim_time;
    let (missing, most) = (wanted - before, rate * controller.tick);
    let is_there = character.swim_time == 0.0 || missing.length() <= most;
    let mut velocity = if is_there { wanted } else { before + missing * (most / missing.length()) };
    // Not above the water.
    velocity -= up * (velocity.dot(up) - room / controller.tick).max(0.0);
    now.velocity = if on.is_some() { velocity } else { velocity + carried };
    now.leap = Leap::DASHES;
    true
}

/// Begins a dash, goes on with it or ends it. Answers whether the character dashes in the tick.
fn dashes(now: &mut Now, timers: &mut Timers, controller: &Controller<'_>, character: &Character) -> bool {
    let (up, right) = (controller.frame.up(), controller.frame.right());
    let keys = controller.input;
    let (walk, upwards, down, dash) = (keys.walk, keys.up(), keys.down(), keys.dash());
    if character.dash_speed == 0.0 {
        // It had one until it was given another character.
        (timers.dash, timers.dash_held) = (0, false);
        if now.leap.dashes() {
            now.leap = Leap::SPAWNED;
        }
        return false;
    }
    let pressed = dash && !timers.dash_held;
    timers.dash_held = dash;
    if timers.dash == 0 {
        if now.leap.dashes() {
            now.velocity *= character.dash_end_speed_scale;
            if let super::Footing::Ground { speed } = &mut now.footing {
                *speed *= character.dash_end_speed_scale;
            }
            // It has left the ground by itself.
            now.leap = Leap::new(true, false, 0);
        }
        let sideways = now.footing.speed().unwrap_or_else(|| now.velocity.dot(right));
        let aside = if sideways == 0.0 { now.facing as i8 } else { sideways.signum() as i8 };
        let way = match [walk.signum(), i8::from(upwards) - i8::from(down)] {
            [0, 0] => [aside, 0],
            way => way,
        };
        let is_free = !timers.dashed || now.footing.is_ground();
        if !pressed || !is_free || way == [0, 0] {
            return false;
        }
        let whole = ticks(character.dash_time, controller.tick).max(1.0) as u32;
        *timers = Timers { dash: whole, dash_way: way, dashed: true, wall: 0, stick: 0, lock: 0, ..*timers };
    }
    timers.dash -= 1;
    let [x, y] = timers.dash_way.map(f64::from);
    let speed = character.dash_speed * if x != 0.0 && y != 0.0 { std::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
    now.velocity = right * (x * speed) + up * (y * speed);
    now.leap = Leap::DASHES;
    true
}

/// What a character's jumps do before it moves in the tick that ends with that number. Answers with the walk that it makes in place of its
/// input's, if it makes another one.
fn leap(
    now: &mut Now,
    timers: &mut Timers,
    controller: &Controller<'_>,
    (ladder, water, mut ride): (Option<Ladder>, Option<Water>, Ride),
    end: u64,
) -> Option<i8> {
    let (up, character) = (controller.frame.up(), controller.character);
    let pressed = now.input.jump() && !now.jump_held;
    let swam = timers.hold.climb.swims() && now.leap.dashes();
    timers.hold.climb = timers.hold.climb.on_land();
    if swam {
        now.leap = Leap::SPAWNED;
    }
    if climbs(now, timers, controller, ladder, &mut ride) {
        return None;
    }
    let kept = now.leap.kept();
    if dashes(now, timers, controller, character) {
        timers.hold.on = None;
        return None;
    }
    if swims(now, timers, controller, (water, ride), swam) {
        return None;
    }
    let super::Footing::Air { since } = now.footing else {
        let hold = Hold { climb: timers.hold.climb, ..Hold::NONE };
        *timers = Timers { dash_held: timers.dash_held, hold, ..Timers::NONE };
        now.leap = match (pressed, kept) {
            (true, _) => Leap::new(true, true, 0),
            (false, 0) => Leap::NONE,
            (false, _) => Leap::new(true, true, Leap::LATE),
        };
        return None;
    };
    let set_rise = |now: &mut Now, speed: f64| now.velocity += up * (speed - now.velocity.dot(up));
    let whole_ticks = |time: f64| ticks(time, controller.tick) as u32;
    let (mut jumped, mut rises) = (now.leap.jumped(), now.leap.rises() && now.velocity.dot(up) > 0.0);
    let (was_kept, mut is_first_tick) = (kept > 0, false);
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
            kept = buffered(controller);
        }
    }
    let walls = [now.touching.wall_left, now.touching.wall_right];
    // Between two walls there is no way aside.
    let touched = (walls != [false; 2]).then(|| i8::from(walls[0]) - i8::from(walls[1]));
    let wall = timers.wall_beside(touched, whole_ticks(character.wall_coyote_time));
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
            let lock = if away == 0 { 0 } else { whole_ticks(character.wall_jump_lock_time) };
            *timers = Timers { wall: 0, stick: 0, lock_away: away, lock, ..*timers };
        }
    }
    if pressed && !is_late && !is_first_tick && timers.air_jumps < character.air_jumps {
        let speed = controller.speed_to(character.height_in_air());
        if speed > 0.0 {
            set_rise(now, speed.max(now.velocity.dot(up)));
            (jumped, rises, kept, is_first_tick) = (true, true, 0, true);
            timers.air_jumps += 1;
        }
    }
    // Off a wall and in the air it is cut after its first tick at the earliest, as off the ground.
    if rises && !is_first_tick && !now.input.jump() && character.min_jump_height > 0.0 {
        let height =
            if character.hangs() { jump_in_progress(character, timers.air_jumps) } else { character.jump_height };
        let speed = controller.cut_speed(height);
        let end = || released_hang_end(character, height, controller.pull(), controller.tick);
        if now.velocity.dot(up) > speed {
            set_rise(now, speed);
            rises = false;
        } else {
            // A jump with a hang is slower than one without. Full gravity alone may stop it below `min_jump_height`.
            rises = character.hangs() && now.velocity.dot(up) > end();
        }
    }
    now.leap = Leap::new(jumped, rises, kept);
    let slides = character.wall_slide_speed > 0.0 && now.velocity.dot(up) <= 0.0;
    timers.steer(now.input.walk, touched.filter(|_| slides), whole_ticks(character.wall_stick_time))
}

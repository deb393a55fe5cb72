//! Characters with abilities. In each tick, before bodies move, the mode of each character is chosen once ([`mode`]).
//! The mode tells which ability, if any, sets its velocity. Walking and flying without abilities is in `walker`.
//!
//! | file | ability |
//! |---|---|
//! | `ledge` | hangs on ledges and pulls itself up |
//! | `ladder` | climbs in climbable areas |
//! | `dash` | dashes |
//! | `swim` | swims in liquids |
//! | `jump` | jumps off the ground, late, buffered, off walls and in the air; cuts jumps; starts wall slides |
//! | `wall` | finds the direction of wall jumps; replaces the input after a wall jump and during a wall slide |
//! | `mode` | modes, and counters of all these from tick to tick |

mod dash;
mod jump;
mod ladder;
mod ledge;
pub(super) mod mode;
mod swim;
mod wall;

use super::areas::Areas;
use super::near::try_load_whole_reach;
use super::state::{Cold, Now};
use super::step::{passes_through_everything, velocity_inherited_by_jump};
use super::{BodyState, Footing, World};
use crate::body::{Character, limit_velocity};
use crate::controller::Controller;
use crate::event::{BodyId, Event, EventKind, JumpFrom};
use crate::motion::{Frame, Scene};
use dash::try_dash;
use glam::DVec2;
pub(super) use jump::end_speed_of_apex_hang;
use jump::{jump_buffer_ticks, jump_in_air, prepare_jump_off_ground};
use ladder::{Ladder, find_ladder, try_climb};
use ledge::LedgeProbe;
#[cfg(test)]
pub(crate) use mode::Cling;
pub use mode::{AbilityState, LastingAbility, MotionMode};
pub(crate) use mode::{JumpBuffer, Mode, Timers};
use smallvec::SmallVec;
use swim::{Water, try_swim};

/// A time in seconds as a number of ticks.
pub(super) fn seconds_to_ticks(time: f64, tick: f64) -> f64 {
    (time / tick).round()
}

impl World {
    #[inline(always)]
    pub(in crate::world) fn choose_modes(&mut self) {
        if self.bodies.features_in_use().have_jump_state {
            self.choose_modes_and_walks();
        }
    }

    /// Chooses the mode of each character with abilities: makes jumps in the air, cuts jumps, begins and ends dashes,
    /// climbs, swims and ledge hangs.
    #[inline(never)]
    fn choose_modes_and_walks(&mut self) {
        let World { bodies, areas, terrain, platforms, settings, tick, scratch, log, .. } = self;
        let of_world = Frame::new(settings.up, settings.max_floor_slope);
        let may_time = bodies.features_in_use().have_timers;
        let (slots, bodies) = bodies.iter_mut_with_slots();
        for (slot, state) in bodies {
            // A character that stands, has no running timers and no press of a button to handle needs no decision.
            let is_idle = state.now.is_idle() && (!may_time || state.has_no_timers());
            // A frozen body counts as stuck for this tick.
            if is_idle || state.now.stuck {
                continue;
            }
            let id = slots.id(slot);
            if passes_through_everything(state) {
                send_ability_change_events(None, id, &mut state.now, &mut log.events);
                continue;
            }
            let frame = of_world.with_up(state.kind.up);
            let mut timers = state.timers();
            let may_hang = state.kind.character.as_ref().is_some_and(|character| character.ledge_grab > 0.0);
            // Load the chunks around the character before the search for ledges.
            let sees_ledges = may_hang && (!terrain.is_streamed() || try_load_whole_reach(terrain, settings, state));
            let (ladder, water) = find_ladder_and_water(areas, id, state, &frame);
            let BodyState { kind, now, prediction: known, cold } = &mut *state;
            let Some(character) = kind.character.as_ref().filter(|character| character.has_jump_state()) else {
                send_ability_change_events(None, id, now, &mut log.events);
                continue;
            };
            let mut news = News::default();
            let has_timers = may_time && character.has_timers();
            let mut controller =
                Controller::<false>::new_on_open_ground(character, now.input, &frame, &kind.gravity, settings.tick);
            if let Some(left) = ticks_to_buffer_blocked_jump(now, &controller) {
                scratch.overrides.asked.push((slot, left));
            }
            let (before, was_set) =
                (now.velocity, now.jump_buffer.is_jump_due() || now.mode.has_velocity_set_by_ability());
            let scene = platforms.scene(terrain, settings).of_kind(kind);
            let ignored = if sees_ledges { platforms.platforms_ignored_by(id) } else { SmallVec::new() };
            let scene = Scene { around: scene.around.ignoring_platforms(&ignored, DVec2::ZERO), ..scene };
            let mut look = sees_ledges.then(|| LedgeProbe::new(&scene, kind.shape, scratch.query_memory()));
            let on = timers.cling.on;
            let steered = hang_or_choose_mode_and_walk(
                (now, cold),
                &mut timers,
                &mut controller,
                (ladder, water, look.as_mut()),
                *tick + 1,
                &mut news,
            );
            news.send_events(id, now, &mut log.events);
            now.velocity = limit_velocity(now.velocity);
            if let (Some(_), None, Some(cold)) = (on, timers.cling.on, cold.as_mut()) {
                cold.take_velocity_after_ride(&now.footing);
            }
            let steered = steered.filter(|walk| *walk != now.input.walk);
            let is_driven = now.velocity != before
                || was_set
                || now.jump_buffer.is_jump_due()
                || now.mode.has_velocity_set_by_ability();
            if is_driven || steered.is_some() {
                known.drop_predicted_repeats();
            }
            if let Some(walk) = steered {
                scratch.overrides.steered.push((slot, now.input));
                now.input.walk = walk;
            }
            // Only a character with timed abilities has timers. Other characters must stay without them.
            if has_timers {
                state.set_timers(timers);
            }
            if on.is_some() && timers.cling.on.is_none() && state.on_floor() {
                // The floor under the character may not belong to the platform of its ladder or water. So set the
                // platform velocity again, from the floor.
                state.set_frame_velocity(state.carrier_velocity(&scene), frame.right());
            }
        }
    }

    /// Restores the input of characters whose input was replaced in this tick. A button pressed meanwhile does not
    /// count as a new press later. If other bodies blocked a jump, its press is stored.
    #[inline(never)]
    pub(in crate::world) fn restore_replaced_inputs(&mut self) {
        while let Some((slot, left)) = self.scratch.overrides.asked.pop() {
            let state = self.bodies.slot_mut(slot).filter(|state| state.now.was_jump_blocked());
            state.into_iter().for_each(|state| state.change(|now| now.jump_buffer = JumpBuffer(left)));
        }
        while let Some((slot, keys)) = self.scratch.overrides.steered.pop() {
            let Some(state) = self.bodies.slot_mut(slot) else { continue };
            let (asked, is_character) = (state.now.input, state.kind.character.is_some());
            state.change(|now| {
                now.input = keys;
                if keys.is_jump_held() && !asked.is_jump_held() {
                    now.jump_held = is_character;
                }
            });
            let dashes = |character: &Character| character.dash_speed > 0.0;
            if keys.is_dash_held() && !asked.is_dash_held() && state.kind.character.as_ref().is_some_and(dashes) {
                state.set_timers(Timers { dash_held: true, ..state.timers() });
            }
        }
    }
}

/// What a character does in this tick before it moves, for events.
#[derive(Clone, Copy, Debug, Default)]
struct News {
    /// A jump that does not begin on the ground, and whether its press was stored.
    jumped: Option<(JumpFrom, bool)>,
    dashed: bool,
    /// The character slides down a wall.
    slides: bool,
}

impl News {
    /// Sends the events, and stores in `now` the lasting ability that they report.
    fn send_events(self, body: BodyId, now: &mut Now, events: &mut Vec<Event>) {
        let slide = self.slides.then_some(LastingAbility::WallSlide);
        let ability = now.mode.lasting_ability().or(slide);
        let jumped = self.jumped.map(|(from, buffered)| EventKind::Jumped { from, buffered });
        let dashed = self.dashed.then_some(EventKind::Dashed);
        events.extend(jumped.into_iter().chain(dashed).map(|kind| Event { body, kind }));
        send_ability_change_events(ability, body, now, events);
    }
}

/// Returns the ladder and the water around a character, if it climbs and swims.
#[inline(always)]
fn find_ladder_and_water(
    areas: &Areas,
    id: BodyId,
    state: &BodyState,
    frame: &Frame,
) -> (Option<Ladder>, Option<Water>) {
    let may_climb = state.kind.character.is_some_and(|character| character.climb_speed > 0.0);
    let ladder = if may_climb { find_ladder(areas, id, state, frame) } else { None };
    let may_swim = state.kind.character.is_some_and(|character| character.swim_speed > 0.0);
    let water = if may_swim { Water::find_water(areas, id, state, frame) } else { None };
    (ladder, water)
}

/// Returns the ticks for which the jump of a character on the ground stays buffered if other bodies block it. `None`
/// without such a jump.
#[inline(always)]
fn ticks_to_buffer_blocked_jump(now: &Now, controller: &Controller<'_>) -> Option<u8> {
    let (pressed, kept) = (now.input.is_jump_held() && !now.jump_held, now.jump_buffer.ticks());
    let asks_to_jump = now.footing.is_ground() && (pressed || kept > 0);
    asks_to_jump.then(|| if pressed { jump_buffer_ticks(controller) } else { kept - 1 })
}

/// Sends events if the lasting ability of a character has changed, and stores the new one.
fn send_ability_change_events(ability: Option<LastingAbility>, body: BodyId, now: &mut Now, events: &mut Vec<Event>) {
    let before = now.flags.ability();
    if ability != before {
        let ended = before.map(|ability| EventKind::AbilityEnded { ability });
        let began = ability.map(|ability| EventKind::AbilityBegan { ability });
        events.extend(ended.into_iter().chain(began).map(|kind| Event { body, kind }));
        now.flags.set_reported_ability(ability);
    }
}

/// The platform that a character rides when the tick begins.
#[derive(Clone, Copy, Debug)]
struct Ride {
    /// Velocity in the last tick, in tiles per second.
    carried: DVec2,
    /// Part of that velocity that a jump inherits.
    of_jump: DVec2,
}

/// Keeps a character on its ledge, or chooses its mode and lets it grab a ledge. Returns the walk that replaces that
/// of the input, if an ability demands one. `end`: number of the tick that begins.
#[inline(always)]
fn hang_or_choose_mode_and_walk(
    (now, cold): (&mut Now, &mut Option<Box<Cold>>),
    timers: &mut Timers,
    controller: &mut Controller<'_>,
    (ladder, water, mut look): (Option<Ladder>, Option<Water>, Option<&mut LedgeProbe<'_>>),
    end: u64,
    news: &mut News,
) -> Option<i8> {
    let (character, up, times) = (controller.character, controller.frame.up(), (end, controller.tick));
    let last = cold.as_ref().and_then(|cold| cold.lift);
    let of_jump = |carried| velocity_inherited_by_jump(character, (carried, last), times, up);
    if ledge::continue_hang((&mut *now, &mut *cold), timers, controller, look.as_deref_mut(), of_jump, news) {
        return None;
    }
    let carried = cold.as_ref().map_or(DVec2::ZERO, |cold| cold.carried);
    let of_jump = if timers.cling.on.is_some() { of_jump(carried) } else { DVec2::ZERO };
    let steered = choose_mode_and_walk(now, timers, controller, (ladder, water, Ride { carried, of_jump }), end, news);
    controller.touching = now.touching;
    let times = (controller.gravity_size(), controller.tick);
    controller.hang_end = end_speed_of_apex_hang((character, &*now), timers.air_jumps, up, times);
    let grabs = look.is_some_and(|look| ledge::try_grab_ledge(now, timers, controller, look));
    steered.filter(|_| !grabs)
}

/// Chooses the mode of a character that does not hang on a ledge, and sets its velocity if an ability does so.
/// Returns the walk that replaces that of the input, if an ability demands one. `end`: number of the tick that
/// begins.
fn choose_mode_and_walk(
    now: &mut Now,
    timers: &mut Timers,
    controller: &Controller<'_>,
    (ladder, water, mut ride): (Option<Ladder>, Option<Water>, Ride),
    end: u64,
    news: &mut News,
) -> Option<i8> {
    let pressed = now.input.is_jump_held() && !now.jump_held;
    let swam = now.mode == Mode::Swim;
    if swam {
        now.enter_mode(Mode::Air);
    }
    if try_climb(now, timers, controller, ladder, (&mut ride, news)) {
        return None;
    }
    let kept = now.jump_buffer.ticks();
    if try_dash(now, timers, controller, news) {
        timers.cling.on = None;
        return None;
    }
    if try_swim(now, timers, controller, (water, ride), swam, news) {
        return None;
    }
    match now.footing {
        Footing::Ground { .. } => {
            prepare_jump_off_ground(now, timers, pressed, kept);
            None
        }
        Footing::Air { since } => jump_in_air(now, timers, controller, (pressed, kept, (end - since) as f64), news),
    }
}

//! Body state, split into a hot record that every tick reads and cold data that few ticks need.
//!
//! A record has 128 bytes: position, velocity, flags, and a pointer to the configuration, which equal bodies share. All
//! records are in one list. Cold data is allocated when it is first needed: contacts, gathered pieces, the parts of a
//! path with corners, and the loaded chunks of a streamed world. Its memory is reused for the next body when a body is
//! removed.

use super::character::{AbilityState, JumpBuffer, Mode, MotionMode, Timers};
use super::flags::Flags;
use super::near::LoadedArea;
use super::platforms::owner_of;
use super::step::{Clearance, Isolation};
use super::{Footing, Kind};
use crate::body::{Body, Character, Facing, Input, Keys, MAX_SPEED, Tiles, clamp_velocity, limit_velocity};
use crate::motion::{self, Air, Frame, Nearby, Owner, Path, Shape, Surface, Touched, Touching, TravelMark, Up};
use crate::platform::PlatformId;
use crate::terrain::Terrain;
use glam::{DVec2, I64Vec2, Vec2};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::fmt;
use std::sync::Arc;
use surefoot_geometry::Position;

/// State of a body in a world: position, velocity, contacts and what the body is doing.
/// [`World::get`](crate::World::get) returns it.
pub struct BodyState {
    pub(crate) now: Now,
    /// Prediction of the body's next ticks, not part of the saved state.
    pub(super) prediction: Prediction,
    /// The body's configuration, at the origin and at rest. Shared by all equal bodies of a world.
    pub(crate) kind: Arc<Kind>,
    /// Data that few ticks need.
    pub(super) cold: Option<Box<Cold>>,
}

const _: () = assert!(size_of::<Option<BodyState>>() <= 128, "two cache lines");

/// Tick prediction: facts about a body's next ticks that make collision queries unnecessary. Cache: does not affect
/// results.
///
/// The facts depend on the body's state and on the terrain around it. The doors of a body drop them:
/// [`BodyState::change`], [`BodyState::set_input`], [`BodyState::replace_state`], [`BodyState::change_kind`],
/// [`BodyState::update_caches_after_edit`]. A copy of a body starts without them. A snapshot in memory contains them,
/// for worlds with the same bodies and the same terrain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prediction {
    /// Number of further ticks that repeat the last displacement and change nothing except the position.
    pub(super) repeats: u32,
    pub(super) last: LastTick,
    /// Whether the body is clear of platforms or only near the one that it rides, and the travelled distance of
    /// platforms up to which that holds. The fact stays valid when the other facts are dropped.
    pub(super) isolation: Isolation,
    pub(super) until: TravelMark,
    /// Region in which the body flies without touching anything. The region is within the map.
    pub(super) air: Air,
}

impl Prediction {
    pub(super) const NOTHING: Prediction = Prediction {
        repeats: 0,
        last: LastTick::Any,
        isolation: Isolation::Unknown,
        until: TravelMark::NONE,
        air: Air::NONE,
    };
    /// Repeats of a tick that changed nothing: all next ticks are equal until an external change.
    pub(super) const ENDLESS_REPEATS: u32 = u32::MAX;

    /// Drops the repeats, because the motion of the body changes. Facts about its surroundings stay.
    pub(super) fn drop_predicted_repeats(&mut self) {
        self.repeats = 0;
        if self.last == LastTick::FastWalk {
            self.last = LastTick::Any;
        }
    }

    /// Drops the prediction of flights too, because the acceleration of the body changes.
    pub(super) fn drop_flight_prediction(&mut self) {
        self.drop_predicted_repeats();
        self.air = Air::NONE;
    }
}

/// Property of the last tick that the next one can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LastTick {
    /// No special property.
    Any,
    /// It was a fast walk of a character, and since then only its position and its tiles have changed.
    FastWalk,
    /// It ended in the air with a path of several parts, which must be cleared.
    Parts,
}

/// Data of a body that few ticks need: its lists and its caches.
#[derive(Debug)]
pub(crate) struct Cold {
    pub(super) touched: Touched,
    /// Path of the last tick, if it has more than one straight part.
    pub(super) path: Vec<Position>,
    /// Cache of the terrain pieces around the body, not part of the saved state.
    pub(super) near: Nearby,
    /// Loaded chunks of a streamed world, not part of the saved state.
    loaded: Option<Box<LoadedArea>>,
    /// Bounds that contain no platform, or only the ridden one. Not part of the saved state.
    pub(super) clearance: Option<Box<Clearance>>,
    /// Velocity of the platform or body that the body rides, in the last tick, in tiles per second. The body's own
    /// velocity is relative to it.
    pub(super) carried: DVec2,
    /// Last velocity of the ridden platform, for a character that can still inherit it in a jump after the platform
    /// has stopped.
    pub(super) lift: Option<Lifted>,
    /// Timers of a character in the air and at walls. [`Now`] has its mode and its jump buffer.
    pub(crate) timers: Timers,
    /// Whether any timer is set.
    is_timed: bool,
}

/// Last velocity of a character's platform, in tiles per second, and the world's tick at that time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields, rename = "PlatformVelocity"))]
pub(crate) struct Lifted {
    pub(crate) velocity: DVec2,
    pub(crate) tick: u64,
}

/// State of a body that changes from tick to tick, without its lists. Small fields are adjacent, so that they are
/// copied and hashed as one word. Snapshots contain these fields in this order.
///
/// Left, right and the signs of walks and speeds are as the body sees them: see [`Kind::is_flipped`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields, rename = "State"))]
#[repr(C)]
pub(crate) struct Now {
    pub(crate) position: Position,
    pub(crate) previous: Position,
    pub(crate) velocity: DVec2,
    pub(crate) footing: Footing,
    pub(crate) input: Keys,
    /// Sides that touch something. Its floor always agrees with the footing.
    pub(crate) touching: Touching,
    /// Whether the body overlaps a solid, so that it does not move until it is free.
    pub(crate) stuck: bool,
    /// Whether an external change may have affected the body's contacts or overlaps.
    pub(crate) disturbed: bool,
    /// Whether jump was held in the last tick.
    pub(crate) jump_held: bool,
    // Two snapshots are compared field by field, in the order of the names. The name `rare_flags` comes after `footing`
    // and `position`. So a difference in one of these two is reported first.
    #[cfg_attr(feature = "serde", serde(rename = "rare_flags"))]
    pub(crate) flags: Flags,
    /// Sleep counter: number of quiet ticks. [`Now::AT_REST`], the maximum, means asleep.
    pub(crate) quiet: u8,
    /// What sets a character's velocity.
    pub(crate) mode: Mode,
    /// A press of jump that is still stored.
    pub(crate) jump_buffer: JumpBuffer,
    /// Side that the body faces: 1 right, -1 left, 0 unset.
    pub(crate) facing: Facing,
    /// Whether a character carries the body, so that it collides with nothing. Not saved: it is derived from the
    /// world's list of held bodies.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) held: bool,
}

impl Now {
    /// [`quiet`](Now::quiet) of a sleeping body: the maximum of five bits.
    pub(crate) const AT_REST: u8 = 31;

    /// [`quiet`](Now::quiet) of a body that slept in the last tick and has been woken since.
    pub(crate) const WOKEN: u8 = 30;

    /// A placeholder, to be overwritten.
    pub(crate) const NONE: Now = Now {
        position: Position::ORIGIN,
        previous: Position::ORIGIN,
        velocity: DVec2::ZERO,
        footing: Footing::Air { since: 0 },
        input: Keys::NONE,
        touching: Touching { floor: false, wall_left: false, wall_right: false, ceiling: false },
        stuck: false,
        disturbed: false,
        jump_held: false,
        flags: Flags::NONE,
        quiet: 0,
        mode: Mode::Walk,
        jump_buffer: JumpBuffer::NONE,
        facing: Facing::Unset,
        held: false,
    };

    /// Returns whether a character on the ground leaves it this tick: it jumps or dashes.
    #[inline(always)]
    pub(crate) fn leaves_ground_by_input(&self) -> bool {
        (self.input.is_jump_held() && !self.jump_held)
            || self.jump_buffer.is_jump_due()
            || self.mode.has_velocity_set_by_ability()
    }

    /// Returns whether the body stands, no jump depends on earlier ticks, and the input is at most a walk or a drop.
    #[inline(always)]
    pub(super) fn is_idle(&self) -> bool {
        self.footing.is_ground() && !self.has_jump_state() && !self.input.has_ability_key() && !self.flags.has_ability()
    }

    /// Returns the buttons that the player holds.
    #[inline(always)]
    pub(crate) fn input(&self) -> Input {
        self.input.into()
    }

    /// Changes the mode. A stored press of jump is dropped.
    #[inline(always)]
    pub(super) fn enter_mode(&mut self, mode: Mode) {
        (self.mode, self.jump_buffer) = (mode, JumpBuffer::NONE);
    }

    #[inline(always)]
    fn has_jump_state(&self) -> bool {
        self.mode != Mode::Walk || self.jump_buffer != JumpBuffer::NONE
    }

    /// Ends a jump that other bodies have blocked before the body left the ground.
    /// [`World::restore_replaced_inputs`](super::World::restore_replaced_inputs) then stores its press.
    pub(super) fn block_jump(&mut self) {
        if self.has_jump_state() {
            (self.mode, self.jump_buffer) = (Mode::Walk, JumpBuffer::DUE);
        }
    }

    /// Whether [`Now::block_jump`] has ended a jump in this tick.
    pub(super) fn was_jump_blocked(&self) -> bool {
        self.mode == Mode::Walk && self.jump_buffer.is_jump_due()
    }

    /// Returns whether a body may be in its mode. Only a body whose jumps have state leaves [`Mode::Walk`].
    #[cfg(feature = "record")]
    pub(crate) fn has_valid_mode(&self, has_jump_state: bool) -> bool {
        !self.has_jump_state() || (has_jump_state && !self.was_jump_blocked())
    }

    /// Wakes the body up.
    pub(super) fn wake(&mut self) {
        self.quiet = if self.quiet >= Now::WOKEN { Now::WOKEN } else { 0 };
    }

    /// Returns whether the body slept when the last tick ended.
    pub(super) fn has_slept(&self) -> bool {
        self.quiet >= Now::WOKEN
    }

    /// Returns the flags for the checksum, one bit each in the first byte. The other bytes are `quiet` with the mode,
    /// `jump_buffer`, and `facing` with the reported ability and the rare flags.
    #[inline(always)]
    pub(crate) fn flag_bits(&self) -> u32 {
        // Name all fields, so that a new flag is not forgotten.
        let Now {
            position: _,
            previous: _,
            velocity: _,
            footing,
            input: _,
            touching: _,
            stuck,
            disturbed,
            jump_held,
            flags: rare,
            quiet,
            mode,
            jump_buffer,
            facing: faces,
            // The held bodies are hashed separately.
            held: _,
        } = *self;
        // The flags are written out, because `map` over an array can compile to a call for each flag.
        let flags = u8::from(stuck)
            | u8::from(rare.outside()) << 1
            | u8::from(disturbed) << 2
            | u8::from(jump_held) << 3
            | u8::from(rare.is_reported_on_ground()) << 4
            | u8::from(footing.is_ground()) << 5
            | rare.bits() >> 7 << 6;
        // A facing is 0, 1 or 255, and the flags use bits 1 to 6. So bits 0 and 7 tell the facing, and the other bits
        // then tell the flags.
        let faces = faces as i8 as u8 ^ (rare.bits() & 0b111_1110);
        u32::from_le_bytes([flags, quiet | (mode as u8) << 5, jump_buffer.0, faces])
    }

    /// Returns the state of a body that was just placed.
    pub(super) fn spawned_at(position: Position, velocity: DVec2, tick: u64) -> Now {
        Now {
            position,
            previous: position,
            velocity,
            footing: Footing::Air { since: tick },
            disturbed: true,
            ..Now::NONE
        }
    }

    /// Returns the state of a new body, before its contacts are searched. `kind`: its configuration in the world.
    pub(super) fn of_new_body(kind: &Kind, body: &Body, position: Position, tick: u64) -> Now {
        let mut now = Now::spawned_at(position, body.velocity * body.time_factor(), tick);
        now.enter_mode(Mode::after_placement(body));
        now.facing = body.facing.swapped_if(kind.is_flipped);
        now
    }

    /// Sets the touched sides and the footing: on the ground with `speed`, or in the air.
    #[inline(always)]
    pub(super) fn set_footing(&mut self, touching: Touching, speed: Option<f64>, tick: u64) {
        self.footing = self.footing.next_footing(speed, tick);
        self.touching = Touching { floor: speed.is_some(), ..touching };
    }
}

impl Cold {
    /// Empties all lists and caches.
    fn clear_all(&mut self) {
        self.touched.clear();
        self.path.clear();
        self.near.clear();
        self.carried = DVec2::ZERO;
        self.lift = None;
        self.set_timers(Timers::NONE);
        self.clear_loaded_area();
    }

    pub(super) fn set_timers(&mut self, timers: Timers) {
        (self.timers, self.is_timed) = (timers, timers != Timers::NONE);
    }

    /// Returns the velocity that a character keeps when it lets go of a platform. Zero if it stands, because it may
    /// ride on.
    pub(super) fn take_velocity_after_ride(&mut self, footing: &Footing) -> DVec2 {
        if footing.is_ground() { DVec2::ZERO } else { std::mem::take(&mut self.carried) }
    }

    fn clear_loaded_area(&mut self) {
        if let Some(loaded) = &mut self.loaded {
            **loaded = LoadedArea::NONE;
        }
    }

    /// Returns whether the record contains any state, not only reserved memory.
    fn has_state(&self) -> bool {
        !self.touched.is_empty()
            || !self.path.is_empty()
            || self.loaded.is_some()
            || self.carried != DVec2::ZERO
            || self.lift.is_some()
            || self.is_timed
    }

    /// Copies the data of another body into this memory. Its own pieces stay: they are checked when they are used.
    fn copy(&mut self, from: &Cold) {
        let Cold { touched, path, near: _, loaded, clearance: _, carried, lift, timers, is_timed } = from;
        (self.carried, self.lift, self.timers, self.is_timed) = (*carried, *lift, *timers, *is_timed);
        self.set_contacts_if_changed(touched);
        if !(path.is_empty() && self.path.is_empty()) {
            self.path.clone_from(path);
        }
        if loaded.is_some() || self.loaded.is_some() {
            self.loaded.clone_from(loaded);
        }
    }

    /// Takes over the path of a tick, unless it is one straight part to the body's position.
    #[inline(always)]
    pub(super) fn store_path(&mut self, way: &mut Path, now: &Now) {
        match way[..] {
            [] => return,
            [_] if now.position != now.previous => {}
            _ => {
                // Reserve memory at the first hit, because a body that hits something usually does so again.
                if self.path.capacity() == 0 {
                    self.path.reserve(way.inline_size());
                }
                self.path.extend_from_slice(way);
            }
        }
        way.clear();
    }

    /// Takes over a path of two straight parts.
    #[inline(always)]
    pub(super) fn store_path_with_corner(&mut self, corner: Position, end: Position) {
        if self.path.capacity() == 0 {
            self.path.reserve(Path::new().inline_size());
        }
        self.path.push(corner);
        self.path.push(end);
    }

    /// Sets the contacts. Returns whether they changed.
    #[inline(always)]
    pub(crate) fn set_contacts_if_changed(&mut self, now: &[Surface]) -> bool {
        let other = self.touched[..] != *now;
        if other {
            self.touched.clear();
            now.iter().for_each(|surface| self.touched.push(*surface));
        }
        other
    }
}

impl Default for Cold {
    fn default() -> Cold {
        Cold {
            touched: Touched::new(),
            path: Vec::new(),
            near: Nearby::new(),
            loaded: None,
            clearance: None,
            carried: DVec2::ZERO,
            lift: None,
            timers: Timers::NONE,
            is_timed: false,
        }
    }
}

/// Prints the values that a game can query, with lengths in tiles and without defaults.
impl fmt::Debug for BodyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Now { position, stuck, .. } = self.now;
        let (velocity, footing, input, touching) =
            (self.relative_velocity(), self.footing(), self.input(), self.touching());
        let mut out = f.debug_struct("BodyState");
        out.field("body", self.body())
            .field("position", &Tiles(position))
            .field("velocity", &<(f64, f64)>::from(velocity));
        out.field("footing", &footing);
        if input != Input::default() {
            out.field("input", &input);
        }
        if touching != Touching::default() {
            out.field("touching", &touching);
        }
        if stuck {
            out.field("stuck", &stuck);
        }
        out.finish_non_exhaustive()
    }
}

impl Clone for BodyState {
    fn clone(&self) -> BodyState {
        let BodyState { now, prediction: _, kind, cold } = self;
        let mut made = BodyState::new(kind.clone(), *now);
        if let Some(cold) = cold.as_ref().filter(|cold| cold.has_state()) {
            made.cold.get_or_insert_default().copy(cold);
        }
        made
    }
}

impl BodyState {
    /// Creates a body with empty lists.
    pub(crate) fn new(kind: Arc<Kind>, now: Now) -> BodyState {
        BodyState { now, prediction: Prediction::NOTHING, kind, cold: None }
    }

    /// Creates another body in the memory of this one, without loaded chunks.
    pub(crate) fn reused_for_new_body(mut self, kind: Arc<Kind>, now: Now) -> BodyState {
        (self.kind, self.now, self.prediction) = (kind, now, Prediction::NOTHING);
        if let Some(cold) = &mut self.cold {
            cold.clear_all();
        }
        self
    }

    /// Copies another body into this memory. `same_kind`: whether both are known to share their configuration.
    pub(super) fn copy(&mut self, from: &BodyState, same_kind: bool) {
        let BodyState { now, prediction: _, kind, cold } = from;
        if !same_kind && !Arc::ptr_eq(&self.kind, kind) {
            self.change_kind(kind.clone());
        }
        self.replace_state(|own| *own = *now);
        match (&mut self.cold, cold) {
            (own, Some(cold)) if own.is_some() || cold.has_state() => own.get_or_insert_default().copy(cold),
            (Some(own), _) => own.clear_all(),
            (None, _) => {}
        }
    }

    /// Changes the state from outside the body's own tick, and drops the caches that depend on the change. Commands,
    /// pauses and grips change a body only through this method and [`BodyState::set_input`].
    pub(super) fn change<R>(&mut self, change: impl FnOnce(&mut Now) -> R) -> R {
        let before = self.now;
        let done = change(&mut self.now);
        self.drop_outdated_caches(&before);
        done
    }

    /// The end of [`BodyState::change`], which is compiled once, and not for each closure.
    fn drop_outdated_caches(&mut self, before: &Now) {
        let place = |now: &Now| (now.position, now.previous, now.stuck, now.held, now.disturbed);
        let contacts = |now: &Now| (now.touching, now.footing.is_ground());
        let velocity = |now: &Now| now.velocity.to_array().map(f64::to_bits);
        let facts = |now: &Now| (place(now), contacts(now), velocity(now));
        if facts(&self.now) != facts(before) {
            self.replace_state(|_| {});
        } else if self.now != *before || self.now.footing.bits() != before.footing.bits() {
            self.prediction.drop_predicted_repeats();
        }
    }

    /// Changes the state together with what it does not show: contacts, the path of the last tick, bounds without
    /// platforms. The prediction ends. The cached pieces stay: they are checked when they are used.
    #[inline(always)]
    pub(super) fn replace_state(&mut self, change: impl FnOnce(&mut Now)) {
        change(&mut self.now);
        self.prediction = Prediction::NOTHING;
        if let Some(cold) = &mut self.cold {
            cold.near.forget_touched_tiles();
        }
    }

    /// Replaces the prediction, because another state of the same body replaces its state. Cached pieces of the terrain
    /// stay: they depend only on the tiles and on the configuration.
    #[inline(always)]
    pub(super) fn replace_prediction(&mut self, prediction: Prediction) {
        self.prediction = prediction;
        if let Some(cold) = &mut self.cold {
            cold.near.clear_if_from_platforms();
        }
    }

    /// Keeps the caches through an edit of the terrain, unless they contain an edited cell or one next to it.
    /// `is_near`: whether the body may touch such a cell, so that the next tick rechecks the body.
    pub(super) fn update_caches_after_edit(
        &mut self,
        terrain: &Terrain,
        (low, high): ((i32, i32), (i32, i32)),
        is_near: bool,
    ) {
        let is_cached = self.cold.as_mut().is_some_and(|cold| cold.near.drop_if_edited(terrain, low, high));
        self.now.disturbed |= is_near;
        // The tick prediction relies on the surfaces next to the body and on the cached pieces around it. The edit may
        // have changed either of them, so drop the prediction.
        if is_near || is_cached {
            self.prediction = Prediction::NOTHING;
        }
    }

    /// Replaces the configuration, on which the cached pieces and the prediction depend. Returns the former
    /// configuration.
    pub(super) fn change_kind(&mut self, kind: Arc<Kind>) -> Arc<Kind> {
        self.prediction = Prediction::NOTHING;
        if let Some(cold) = &mut self.cold {
            cold.near.clear();
        }
        std::mem::replace(&mut self.kind, kind)
    }

    /// Runs the tick if it is predicted to repeat the last one. Returns whether it was.
    #[inline(always)]
    pub(super) fn try_repeat_tick(&mut self) -> bool {
        let Some(left) = self.prediction.repeats.checked_sub(1) else { return false };
        self.prediction.repeats = left;
        let displacement = self.now.position - self.now.previous;
        self.now.previous = self.now.position;
        self.now.position = self.now.position + displacement;
        true
    }

    /// Returns the cold data.
    #[inline(always)]
    pub(crate) fn cold_mut(&mut self) -> &mut Cold {
        self.cold.get_or_insert_default()
    }

    /// Returns the last velocity of the ridden platform, if a jump may still inherit it.
    #[inline]
    pub(crate) fn inheritable_velocity(&self) -> Option<Lifted> {
        self.cold.as_ref().and_then(|cold| cold.lift)
    }

    /// Returns the timers of a character in the air and at walls.
    #[inline]
    pub(crate) fn timers(&self) -> Timers {
        self.cold.as_ref().map_or(Timers::NONE, |cold| cold.timers)
    }

    /// Returns whether no timer is set.
    #[inline(always)]
    pub(super) fn has_no_timers(&self) -> bool {
        self.cold.as_ref().is_none_or(|cold| !cold.is_timed)
    }

    pub(crate) fn set_timers(&mut self, timers: Timers) {
        let before = self.timers();
        if timers != before {
            if timers.cling.on != before.cling.on {
                self.prediction = Prediction::NOTHING;
            }
            self.cold.get_or_insert_default().set_timers(timers);
        }
    }

    /// Returns the body's contacts.
    #[inline]
    pub(crate) fn touched(&self) -> &[Surface] {
        self.cold.as_ref().map_or(&[], |cold| &cold.touched)
    }

    /// Returns the body's loaded chunks.
    #[inline]
    pub(super) fn loaded(&self) -> &LoadedArea {
        self.cold.as_ref().and_then(|cold| cold.loaded.as_deref()).unwrap_or(&LoadedArea::NONE)
    }

    pub(super) fn set_loaded(&mut self, loaded: LoadedArea) {
        **self.cold.get_or_insert_default().loaded.get_or_insert_default() = loaded;
    }

    /// Clears the loaded area, after its chunks were released.
    pub(super) fn clear_loaded_area(&mut self) {
        if let Some(cold) = &mut self.cold {
            cold.clear_loaded_area();
        }
    }

    /// Runs the tick of a body at rest, which only makes its previous position equal to its position.
    #[inline(always)]
    pub(super) fn run_tick_at_rest(&mut self) {
        self.now.previous = self.now.position;
        if let Some(cold) = &mut self.cold
            && !cold.path.is_empty()
        {
            cold.path.clear();
        }
    }

    /// Prepares the body for a tick.
    #[inline(always)]
    pub(super) fn begin_tick(&mut self) {
        let cold = self.cold_mut();
        if !cold.path.is_empty() {
            cold.path.clear();
        }
        (self.prediction.repeats, self.prediction.last, self.prediction.air) = (0, LastTick::Any, Air::NONE);
        self.now.previous = self.now.position;
    }

    /// Returns whether the body drops through one-way tiles.
    pub(super) fn is_dropping_through(&self) -> bool {
        self.kind.character.is_some() && self.now.input.is_down_held()
    }

    /// Starts the path of the tick at `from`. Platforms or a shift by the game have moved the body from there to
    /// `start`. `corners`: the turning points of that part of the path.
    pub(super) fn start_path(&mut self, from: Position, (corners, start): (&[Position], Position), way: &mut Path) {
        way.clear();
        way.extend_from_slice(corners);
        if way.last().copied().unwrap_or(from) != start {
            way.push(start);
        }
        // If `own_path` already begins at `from`, it starts with the points of `way`. Skip those points, so that none
        // is listed twice.
        let is_told = self.now.previous == from;
        let own_path = self.path();
        way.extend_from_slice(own_path.strip_prefix(&way[..]).filter(|_| is_told).unwrap_or(own_path));
        self.replace_state(|now| now.previous = from);
        let BodyState { now, cold, .. } = self;
        let cold = cold.get_or_insert_default();
        cold.path.clear();
        cold.store_path(way, now);
    }

    /// Returns the path of the last tick, if it has more than one straight part.
    #[inline]
    pub(super) fn path_corners(&self) -> &[Position] {
        self.cold.as_ref().map_or(&[], |cold| &cold.path)
    }

    /// Returns the position of the body's centre between two ticks, for smooth drawing.
    ///
    /// `fraction` is 0 for the position before the last tick, and 1 for the current position. Use
    /// [`FixedTimestep::alpha`](crate::timestep::FixedTimestep::alpha). A teleport is not smoothed.
    #[must_use]
    pub fn position_at(&self, fraction: f32) -> Vec2 {
        let from = self.now.previous.to_dvec2();
        (from + (self.now.position.to_dvec2() - from) * f64::from(fraction)).as_vec2()
    }

    /// Returns the position of the body's centre. Use `position().to_vec2()` for drawing.
    #[must_use]
    pub fn position(&self) -> Position {
        self.now.position
    }

    /// Returns the exact position of the body's centre before the last tick.
    ///
    /// Between a spawn or teleport and the next step, returns the same as [`BodyState::position`].
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "===="])"#)?;
    /// let mut world = World::new(map, Settings::default());
    /// let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((0.5, 1.25)).velocity((6.0, 0.0)))?;
    /// let start = world[hero].position();
    /// world.step();
    /// assert_eq!(world[hero].previous_position(), start);
    /// assert_ne!(world[hero].position(), start);
    ///
    /// world.teleport(hero, (2.5, 1.25))?;
    /// assert_eq!(world[hero].previous_position(), world[hero].position());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn previous_position(&self) -> Position {
        self.now.previous
    }

    /// Returns whether a character carries the body: see [`World::carry`](crate::World::carry).
    #[must_use]
    pub fn is_carried(&self) -> bool {
        self.now.held
    }

    /// Returns the velocity in tiles per second, relative to the world.
    ///
    /// The velocity is [`BodyState::relative_velocity`] plus the velocity of the platform that the body rides. This
    /// holds even while a wall keeps the body from moving along with the platform. For a body with a [time
    /// scale](Body::time_scale) below 1, these are seconds of the body's slower time: in one second of the world, the
    /// body moves by the velocity times the time scale.
    #[must_use]
    pub fn velocity(&self) -> DVec2 {
        clamp_velocity(self.world_velocity() / self.kind.time_factor())
    }

    /// Returns the velocity in tiles per second, relative to the platform that the body rides.
    ///
    /// For a body with a [time scale](Body::time_scale) below 1, these are seconds of the body's slower time.
    ///
    /// For a body that rides no platform, the result equals [`BodyState::velocity`].
    #[must_use]
    pub fn relative_velocity(&self) -> DVec2 {
        clamp_velocity(self.now.velocity / self.kind.time_factor())
    }

    /// Returns the velocity in tiles per second of the world's time, relative to the world. A body at rest keeps its
    /// velocity.
    pub(crate) fn world_velocity(&self) -> DVec2 {
        self.now.velocity + self.last_ride_velocity()
    }

    /// Changes the reference velocity. The velocity relative to the world stays.
    pub(super) fn set_frame_velocity(&mut self, velocity: DVec2, right: DVec2) {
        let change = self.last_ride_velocity() - velocity;
        if change != DVec2::ZERO {
            self.change(|now| {
                now.velocity = limit_velocity(now.velocity + change);
                now.footing.add_ground_speed(change.dot(right));
            });
            self.cold_mut().carried = velocity;
        }
    }

    /// Returns the sources (terrain or platforms) that the body rides: the platform that it holds on to, or else the
    /// owners of the floors that it stands on.
    pub(super) fn ridden_sources(&self, frame: &Frame) -> SmallVec<[Owner; 2]> {
        match self.held_platform() {
            Some(platform) => SmallVec::from_slice(&[owner_of(platform)]),
            None if self.on_floor() => {
                motion::find_ridden_sources(self.touched(), self.kind.shape, self.now.position, frame)
            }
            None => SmallVec::new(),
        }
    }

    /// Returns the platform on whose ledge it hangs or climbs up, or on which it climbs or swims.
    pub(super) fn held_platform(&self) -> Option<PlatformId> {
        self.cold.as_ref().and_then(|cold| cold.timers.cling.on)
    }

    /// Ends the rise of a jump, or the ability that sets the velocity, because a command sets the velocity.
    pub(super) fn end_jump_rise_or_ability(&mut self) {
        if self.now.mode == Mode::Climb {
            let mut timers = self.timers();
            timers.cling.left_ladder = true;
            self.set_timers(timers);
        }
        self.change(|now| now.mode = now.mode.without_jump_rise_or_ability());
    }

    /// Releases a ledge, ladder or water on a platform. The body keeps the velocity that the platform gave it.
    pub(super) fn release_ride_hold(&mut self) {
        let timers = self.timers();
        if timers.cling.ledge == 0 && timers.cling.on.is_none() {
            return;
        }
        self.set_timers(timers.without_ledge(0));
        if let (Some(_), Some(cold)) = (timers.cling.on, &mut self.cold) {
            let carried = cold.take_velocity_after_ride(&self.now.footing);
            self.change(|now| now.velocity = limit_velocity(now.velocity + carried));
        }
    }

    /// Returns the velocity of the platform that the body rode in the last tick.
    pub(super) fn last_ride_velocity(&self) -> DVec2 {
        self.cold.as_ref().map_or(DVec2::ZERO, |cold| cold.carried)
    }

    /// Returns the properties of the body, as spawned or as last set with
    /// [`World::set_body`](crate::World::set_body).
    ///
    /// In the result, position and velocity are 0. [`BodyState::position`] and [`BodyState::velocity`] return those
    /// of the body.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["...", "==="])?, Settings::default());
    /// let ball = world.spawn(Body::new(Shape::circle(0.25)).at((0.5, 1.5)).bounce(0.5).friction(0.25))?;
    /// assert_eq!(world[ball].body().friction, 0.25);
    ///
    /// let beside = world[ball].body().clone().at((2.5, 1.5));
    /// world.spawn(beside)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn body(&self) -> &Body {
        self.kind.original_body()
    }

    /// Returns the number that your game gave the body: see [`Body::tag`].
    #[must_use]
    pub fn tag(&self) -> u64 {
        self.kind.tag
    }

    /// Returns the shape of the body.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.kind.shape
    }

    /// Returns the [`Character`] of the body, or `None` if the body is not a character.
    #[must_use]
    pub fn character(&self) -> Option<&Character> {
        self.kind.original_body().character.as_ref()
    }

    /// Returns the side that the body faces: [`Facing::Unset`] until [`Body::facing`] or
    /// [`World::set_facing`](crate::World::set_facing) sets one.
    #[must_use]
    pub fn facing(&self) -> Facing {
        self.now.facing.swapped_if(self.kind.is_flipped)
    }

    /// Sets the side that the body faces.
    pub(super) fn set_facing(&mut self, facing: Facing) {
        let own = facing.swapped_if(self.kind.is_flipped);
        self.change(|now| now.facing = own);
    }

    /// Returns the direction of up for this body: that of the [areas](crate::area::Effects::up) around it, its
    /// [own](Body::up), or the world's.
    #[must_use]
    pub fn up(&self) -> Up {
        self.kind.up
    }

    /// Returns the direction of right for this body, as a unit vector: where it faces with [`Facing::Right`] and walks
    /// with a positive [`Input::walk`]. See [`Body::up`].
    #[must_use]
    pub fn right(&self) -> I64Vec2 {
        let right = self.kind.up.right();
        if self.kind.is_flipped { -right } else { right }
    }

    /// Returns whether `input` is the current input already.
    #[inline(always)]
    pub(super) fn has_input(&self, input: Input) -> bool {
        self.now.input == Keys::from(input.normal().swapped_if(self.kind.is_flipped))
    }

    /// Takes over the input of the player. A character whose facing is set turns to the side to which the input starts
    /// to point.
    pub(super) fn set_input(&mut self, input: Input) {
        let input = input.normal().swapped_if(self.kind.is_flipped);
        let (before, side) = (self.now.input.walk.signum(), input.walk.signum());
        let turns = self.now.facing != Facing::Unset && side != 0 && side != before && self.kind.character.is_some();
        if turns {
            self.now.facing = Facing::from_sign(side);
        }
        self.now.input = input.into();
        // An input changes neither contacts nor velocity. So there is no need to compare the state, as `change` does.
        self.prediction.drop_predicted_repeats();
    }

    /// Returns the input of the character: the buttons that its player holds.
    #[must_use]
    pub fn input(&self) -> Input {
        self.now.input().swapped_if(self.kind.is_flipped)
    }

    /// Returns which sides of the body touch a surface. [`Touching::floor`] equals [`BodyState::on_floor`].
    #[must_use]
    pub fn touching(&self) -> Touching {
        self.now.touching.swapped_if(self.kind.is_flipped)
    }

    /// Returns whether the body is on the ground: it stands on a floor or is wedged between steep surfaces.
    ///
    /// A body that touches the floor but moves away from it is not on the ground. While a body is stuck (overlaps a
    /// solid), the result does not change.
    #[must_use]
    pub fn on_floor(&self) -> bool {
        self.now.footing.is_ground()
    }

    /// Returns what the body does, for example to choose the picture that the game draws. With [`BodyState::facing`] it
    /// tells all that a picture needs.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::world::MotionMode;
    /// use surefoot::{Input, Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["....", "....", "===="])?, Settings::default());
    /// let hero = world.spawn(Body::new(Shape::circle(0.3)).at((1.5, 1.3)).character(Character::default()))?;
    /// world.set_input(hero, Input { jump: true, ..Input::default() });
    /// assert_eq!(world[hero].mode(), MotionMode::Ground);
    /// world.step();
    /// assert_eq!(world[hero].mode(), MotionMode::Air);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mode(&self) -> MotionMode {
        self.now.motion_mode(self.timers())
    }

    /// Returns whether the character hangs on a ledge: see [`Character::ledge_grab`]. A hanging character touches the
    /// wall below the ledge.
    #[must_use]
    pub fn is_hanging(&self) -> bool {
        self.is_on_ledge() && self.timers().cling.pull == 0
    }

    /// Returns whether the character pulls itself up onto a ledge: see [`Character::ledge_climb_time`].
    #[must_use]
    pub fn is_climbing_ledge(&self) -> bool {
        self.is_on_ledge() && self.timers().cling.pull > 0
    }

    fn is_on_ledge(&self) -> bool {
        self.now.mode == Mode::Ledge
    }

    /// Returns whether the character climbed in a climbable area in the last tick: see [`Character::climb_speed`].
    #[must_use]
    pub fn is_climbing(&self) -> bool {
        self.now.mode == Mode::Climb && !self.on_floor()
    }

    /// Returns whether the character swam in the last tick: see [`Character::swim_speed`].
    #[must_use]
    pub fn is_swimming(&self) -> bool {
        self.now.mode == Mode::Swim
    }

    /// Returns the counters of the character's abilities. All are 0 for a character that stands, except that a pull-up
    /// and a stored press of jump last.
    ///
    /// The ticks are those of the body's slower time if its [time scale](Body::time_scale) is below 1.
    #[must_use]
    pub fn abilities(&self) -> AbilityState {
        let Timers { air_jumps, wall, stick, lock, dash, dashed, cling, .. } = self.timers();
        AbilityState {
            air_jumps,
            has_dashed: dashed,
            dash_ticks: dash,
            wall_jump_ticks: wall,
            wall_stick_ticks: stick,
            wall_jump_lock_ticks: lock,
            jump_buffer_ticks: u32::from(self.now.jump_buffer.ticks()),
            ledge_climb_ticks: cling.pull.saturating_sub(1),
        }
    }

    /// Returns whether the body is on the ground or in the air. [`Footing::Ground`] contains the speed of a character
    /// along the ground. [`Footing::Air`] contains the number of the first tick in the air.
    ///
    /// [`Character::coyote_time`] counts from the first tick in the air. It runs in the body's slower time if the [time
    /// scale](Body::time_scale) is below 1. If the time scale changes while the body is in the air, the stored number
    /// of the tick changes too, so that the remaining coyote time stays the same.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Input, Map, World};
    /// use surefoot::world::Footing;
    ///
    /// let map = Map::from_ron(r#"Map(format: 1, tiles: ["......", "......", "==...."])"#)?;
    /// let mut world = World::new(map, Settings::default());
    /// let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((1.5, 1.5)).character(Character::default()))?;
    /// world.set_input(hero, Input { walk: 127, ..Input::default() });
    /// let mut left = None;
    /// for _ in 0..30 {
    ///     world.step();
    ///     if let Footing::Air { since } = world[hero].footing() {
    ///         left.get_or_insert(since);
    ///         assert_eq!(left, Some(since));
    ///     }
    /// }
    /// assert!(left.is_some_and(|tick| tick < 30));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn footing(&self) -> Footing {
        let own = |speed: f64| (speed / self.kind.time_factor()).clamp(-MAX_SPEED, MAX_SPEED);
        match self.now.footing {
            Footing::Ground { speed } if self.kind.is_flipped => Footing::Ground { speed: 0.0 - own(speed) },
            Footing::Ground { speed } => Footing::Ground { speed: own(speed) },
            air @ Footing::Air { .. } => air,
        }
    }

    /// Returns whether the body overlapped a solid in the last step. A stuck body does not move until it is free.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.now.stuck
    }

    /// Returns the path of the body's centre in the last tick: the position at the end of each straight stretch.
    ///
    /// The path includes the motion that platforms gave the body. It is empty if the body did not move.
    #[must_use]
    pub fn path(&self) -> &[Position] {
        // The path ends at the body's position. A single part is not stored if the positions determine it.
        match self.path_corners() {
            [] if self.now.position == self.now.previous => &[],
            [] | [_] => std::slice::from_ref(&self.now.position),
            way => way,
        }
    }
}

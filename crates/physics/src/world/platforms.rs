//! Platforms of a world: their state, their motion along paths, and the pairs of bodies and platforms that ignore each
//! other.

use super::ridden::{Delays, RideState};
use super::slots::Slots;
#[cfg(feature = "record")]
use super::tick_log::copy_list;
use super::{BodyState, Settings, World};
#[cfg(feature = "record")]
use crate::checksum::{Checksum, platform_checksum};
use crate::event::{BodyId, Event, EventKind};
use crate::map::{Borders, CollisionLayers, Map, MapParts, Things, TileKind, TileLayer};
use crate::motion::{self, Owner, Scene};
#[cfg(feature = "record")]
use crate::platform::Path;
use crate::terrain::Terrain;
use crate::tiles::platform::{Course, OnCrush, OnRide, Platform, PlatformError, PlatformId};
use crate::version::Version;
use glam::{DVec2, I64Vec2, Vec2};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use slotmap::Key;
use smallvec::SmallVec;
#[cfg(feature = "record")]
use std::cell::LazyCell;
use std::sync::Arc;
#[cfg(feature = "record")]
use surefoot_geometry::ONE;
use surefoot_geometry::{Position, to_lengths};

/// State of a platform in a world. [`World::platform`](crate::World::platform) returns it.
#[derive(Clone, Debug)]
pub struct PlatformState {
    pub(crate) baked: Arc<Baked>,
    pub(crate) now: Moves,
    /// Cache: a tick of the platform's clock before which it arrives at no point of its path. Affects speed only.
    next_arrival: u64,
}

/// A spawned platform, precomputed for the ticks of a world.
#[derive(Debug)]
pub(crate) struct Baked {
    pub(crate) platform: Platform,
    terrain: Terrain,
    /// Path in the world's ticks.
    course: Option<Course>,
    pub(super) delays: Delays,
    #[cfg(feature = "record")]
    pub(crate) checksum: Checksum,
}

/// State of a platform that changes from tick to tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Moves {
    /// Origin of the platform's path, in units.
    pub(crate) base: I64Vec2,
    /// Lower left corner of the platform's tile (0, 0), in units.
    pub(crate) origin: I64Vec2,
    /// The origin one tick before.
    pub(crate) previous: I64Vec2,
    /// Displacement of the platform in the last tick.
    pub(crate) made: I64Vec2,
    /// Number of ticks that the platform has made along its path.
    pub(crate) clock: u64,
    /// Target of a drive command for the next tick.
    pub(crate) target: Option<I64Vec2>,
    /// Whether the platform follows its path.
    pub(crate) playing: bool,
    /// Whether a body blocked the platform in the last tick.
    pub(crate) stopped: bool,
    /// State of the platform's reaction to riders.
    pub(crate) ridden: RideState,
    /// The platform to which this one is attached, and with which it moves.
    pub(crate) attached: Option<PlatformId>,
}

/// A body and a platform that has crushed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Pair {
    pub(crate) body: BodyId,
    pub(crate) platform: PlatformId,
    pub(crate) state: Pressed,
}

/// Reaction to a crushed body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) enum Pressed {
    /// The platform passes through the body until they are apart. `apart` counts the ticks in a row at whose end they
    /// were apart.
    Ignored { apart: u8 },
    /// The platform stops at the body.
    Stopped,
}

/// Number of ticks in a row at whose end a body and an ignored platform must be apart.
pub(crate) const MAX_TICKS_APART: u8 = 2;

/// All platforms of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Platforms {
    pub(crate) slots: Slots,
    /// A state for each slot; `None` in a free one.
    states: Vec<Option<PlatformState>>,
    /// Collision shapes, one for each slot.
    pub(crate) shapes: Vec<motion::Platform>,
    /// Whether any platform reacts to riders, or did.
    pub(super) react: bool,
    /// In the order of the bodies, then of the platforms.
    pub(crate) pairs: Vec<Pair>,
    /// Spatial grid of the platforms.
    blocks: motion::Blocks,
    /// Slots in an order in which each comes after its parent. Empty if no platform is attached.
    pub(super) order: Vec<u32>,
    /// For each slot, a slot that identifies its group this tick, if any platform is attached.
    pub(super) groups: Vec<u32>,
    /// Collision layers for which the platforms are prepared, see [`Terrain::prepare_collision_layers`].
    forms: Vec<CollisionLayers>,
    /// Slots of the platforms that move this tick, each after its parent.
    moving: Vec<u32>,
    /// For each slot, whether the last teleport moved it.
    pub(super) taken: Vec<bool>,
    /// Identifies the slots and their platforms.
    pub(super) version: Version,
    /// Whether to visit all platforms instead of using the grid.
    #[cfg(test)]
    pub(super) asks_all: bool,
}

impl Platforms {
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.len() == 0
    }

    /// Returns whether the world ever had a platform, so that bodies may still have its effects.
    pub(crate) fn has_ever_had_any(&self) -> bool {
        !self.slots.versions().is_empty()
    }

    /// Inserts a platform that was baked for the world. Call it in [`Platforms::change_and_update_grid`].
    pub(super) fn insert(&mut self, baked: Arc<Baked>) -> PlatformId {
        let base = baked.platform.position.unwrap_or_default().units();
        let origin = base + baked.path_displacement(0);
        let now = Moves {
            base,
            origin,
            previous: origin,
            made: I64Vec2::ZERO,
            clock: 0,
            target: None,
            playing: !baked.platform.paused,
            stopped: false,
            ridden: RideState::Never,
            attached: None,
        };
        let slot = self.slots.next_slot();
        self.version = Version::next();
        let id = self.slots.insert();
        self.insert_at(slot, PlatformState { baked, now, next_arrival: 0 }, 1.0);
        if !self.order.is_empty() {
            self.sort_parents_first();
        }
        id
    }

    /// Puts a platform into a free slot.
    fn insert_at(&mut self, slot: usize, state: PlatformState, tick: f64) {
        let mut shape = motion::Platform::new(self.terrain_of(&state.baked), state.now.origin);
        shape.record_displacement(state.now.made, tick);
        shape.id = self.slots.id(slot);
        shape.is_there = state.is_present();
        self.react |= state.baked.platform.on_ride != OnRide::Nothing;
        if slot == self.states.len() {
            self.states.push(Some(state));
            self.shapes.push(shape);
        } else {
            (self.states[slot], self.shapes[slot]) = (Some(state), shape);
        }
    }

    /// Returns the terrain of a platform, prepared for the existing bodies.
    pub(super) fn terrain_of(&self, baked: &Baked) -> Terrain {
        let mut terrain = baked.terrain.clone();
        self.forms.iter().for_each(|layers| terrain.prepare_collision_layers(*layers));
        terrain
    }

    /// Prepares the platforms for bodies in `layers`.
    pub(super) fn prepare_for_layers(&mut self, layers: CollisionLayers) {
        if !self.forms.contains(&layers) {
            self.forms.push(layers);
            self.shapes.iter_mut().for_each(|shape| shape.prepare_for_layers(layers));
        }
    }

    /// Prepares the platforms for all layers for which `terrain` is prepared.
    pub(super) fn prepare_for_layers_of(&mut self, terrain: &Terrain) {
        terrain.prepared_layers().for_each(|layers| self.prepare_for_layers(layers));
    }

    /// Returns the grid of the platforms, if it is valid.
    pub(super) fn blocks(&self) -> Option<&motion::Blocks> {
        #[cfg(test)]
        if self.asks_all {
            return None;
        }
        (!self.is_empty()).then_some(&self.blocks)
    }

    pub(super) fn remove(&mut self, platform: PlatformId) -> Option<PlatformState> {
        let slot = self.slots.remove(platform)?;
        self.change_and_update_grid(|platforms| platforms.shapes[slot].is_there = false);
        self.pairs.retain(|pair| pair.platform != platform);
        self.version = Version::next();
        let state = self.states[slot].take();
        self.detach_platforms_from(platform);
        state
    }

    pub(crate) fn get(&self, platform: PlatformId) -> Option<&PlatformState> {
        self.slots.slot(platform).and_then(|slot| self.states[slot].as_ref())
    }

    pub(crate) fn get_mut(&mut self, platform: PlatformId) -> Option<&mut PlatformState> {
        self.slots.slot(platform).and_then(|slot| self.states[slot].as_mut())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (PlatformId, &PlatformState)> {
        let states = self.states.iter().enumerate();
        states.filter_map(|(slot, state)| state.as_ref().map(|state| (self.slots.id(slot), state)))
    }

    /// Returns the platform that a surface belongs to.
    pub(crate) fn platform_of(&self, owner: Owner) -> Option<PlatformId> {
        let Owner::Platform(slot) = owner else { return None };
        self.states.get(slot as usize)?.as_ref().map(|_| self.slots.id(slot as usize))
    }

    /// Returns the surface owner of an existing platform.
    pub(crate) fn owner(&self, platform: PlatformId) -> Option<Owner> {
        self.slots.slot(platform).map(|slot| Owner::Platform(slot as u32))
    }

    /// Returns the slot of a platform that exists or was the last in its slot.
    pub(crate) fn slot_of(&self, platform: PlatformId) -> Option<u32> {
        (platform.data().as_ffi() as u32).checked_sub(1)
    }

    /// Returns the state of the platform in a slot.
    pub(super) fn state(&self, slot: usize) -> Option<&PlatformState> {
        self.states.get(slot)?.as_ref()
    }

    /// Returns the mutable state of the platform in a slot.
    pub(super) fn state_mut(&mut self, slot: usize) -> Option<&mut PlatformState> {
        self.states.get_mut(slot)?.as_mut()
    }

    /// Changes platforms other than by the steps of a tick, then updates their grid. The only door for platforms that
    /// appear, vanish or move at once.
    pub(super) fn change_and_update_grid<R>(&mut self, change: impl FnOnce(&mut Platforms) -> R) -> R {
        let result = change(self);
        for (state, shape) in self.states.iter().zip(&mut self.shapes) {
            shape.set_path_bounds(state.as_ref().and_then(PlatformState::future_bounds));
        }
        self.blocks.refill_after_teleport(&self.shapes);
        result
    }

    /// Drives a platform to a position in the next tick, on or off its path.
    pub(super) fn set_target(&mut self, platform: PlatformId, to: I64Vec2) {
        let Some(slot) = self.slots.slot(platform) else { return };
        let Some(state) = &mut self.states[slot] else { return };
        if self.shapes[slot].has_path_bounds() {
            // The platform leaves its path, so the grid has to expect it anywhere.
            self.change_and_update_grid(|platforms| {
                platforms.states[slot].iter_mut().for_each(|state| state.now.target = Some(to))
            });
        } else {
            state.now.target = Some(to);
        }
    }

    /// Teleports a platform. It continues along its path from the same point of the path. A fallen or crumbled platform
    /// returns to its path. Attached platforms move along.
    pub(super) fn teleport(&mut self, platform: PlatformId, to: I64Vec2) -> Option<()> {
        let slot = self.slots.slot(platform)?;
        self.change_and_update_grid(|platforms| {
            let state = platforms.states[slot].as_mut()?;
            let by = to - state.now.origin;
            if matches!(state.now.ridden, RideState::Falls { .. } | RideState::Gone { .. }) {
                state.now.base = to - state.baked.path_displacement(state.now.clock);
                platforms.reset_platform_to(slot, to);
            } else {
                (state.now.base, state.now.target) = (state.now.base + by, None);
                (state.now.origin, state.now.previous, state.now.made) = (to, to, I64Vec2::ZERO);
                platforms.shapes[slot].place_at_rest(to);
            }
            platforms.move_descendants(slot, by);
            Some(())
        })
    }

    /// Computes the step of each platform for this tick.
    pub(super) fn compute_steps(&mut self, settings: &Settings) {
        let (is_alone, mut longest, mut longest_stray) = (self.order.is_empty(), 0, 0);
        self.moving.clear();
        for i in 0..self.states.len() {
            if is_alone && self.states[i].as_ref().is_none_or(PlatformState::is_unchanging) {
                continue;
            }
            let slot = self.order.get(i).map_or(i, |slot| *slot as usize);
            self.moving.push(slot as u32);
            let along = self.inherited_step(slot);
            let Some(state) = &mut self.states[slot] else { continue };
            (state.now.previous, state.now.stopped) = (state.now.origin, false);
            let (goal, origin) = (state.next_position(settings, along), state.now.origin);
            let step =
                if self.order.is_empty() { goal - origin } else { self.record_group_and_find_step(slot, goal, origin) };
            self.shapes[slot].step = step;
            let length = step.abs().max_element();
            longest = longest.max(length);
            if !self.shapes[slot].has_path_bounds() {
                longest_stray = longest_stray.max(length);
            }
        }
        self.blocks.add_travel(&self.shapes, longest, longest_stray);
    }

    /// Moves each platform by the rest of its step, and sends an event for each that arrives at a point of its path.
    pub(super) fn apply_steps_and_send_arrivals(&mut self, tick: f64, events: &mut Vec<Event>) {
        let (is_alone, first) = (self.order.is_empty(), events.len());
        // Go from children to parents: a child still needs the step of its parent.
        for i in (0..self.moving.len()).rev() {
            let slot = self.moving[i] as usize;
            if !is_alone {
                let along = self.inherited_step(slot);
                self.shift_path_origin(slot, along);
            }
            let (Some(state), shape) = (&mut self.states[slot], &mut self.shapes[slot]) else { continue };
            let step = std::mem::take(&mut shape.step);
            shape.origin += step;
            shape.record_displacement(step, tick);
            (state.now.origin, state.now.made) = (shape.origin, step);
            let goes_on = !state.now.stopped;
            if let RideState::Falls { ticks } = &mut state.now.ridden {
                // If something blocks the fall, the platform loses its speed.
                *ticks = if goes_on { ticks.saturating_add(1) } else { 0 };
            }
            let is_driven = state.now.target.take().is_some();
            if is_driven && state.is_present() {
                // After a drive, the platform continues along its path from the new position.
                state.now.base = state.now.origin - state.baked.path_displacement(state.now.clock);
            } else if state.follows_its_path() && goes_on {
                state.now.clock += 1;
                if state.now.clock >= state.next_arrival {
                    let platform = self.slots.id(slot);
                    events
                        .extend(state.take_arrival_event(platform).map(|kind| Event { body: BodyId::default(), kind }));
                }
            }
        }
        events[first..].reverse();
    }

    /// Blocks the platform in a slot at bodies. If it is blocked several times, the shorter displacement counts on each
    /// axis.
    pub(super) fn stop_after_displacement(&mut self, slot: u32, made: I64Vec2) {
        let slot = slot as usize;
        if let Some(Some(state)) = self.states.get_mut(slot) {
            state.now.stopped = true;
            self.shapes[slot].step = made;
        }
    }

    pub(super) fn on_crush(&self, slot: u32) -> OnCrush {
        let state = self.states.get(slot as usize).and_then(Option::as_ref);
        state.map_or(OnCrush::PassThrough, |state| state.baked.platform.on_crush)
    }

    pub(super) fn id(&self, slot: u32) -> PlatformId {
        self.slots.id(slot as usize)
    }

    /// Returns the displacement of a source in the last tick.
    pub(super) fn last_displacement(&self, owner: Owner) -> I64Vec2 {
        let Owner::Platform(slot) = owner else { return I64Vec2::ZERO };
        self.states.get(slot as usize).and_then(Option::as_ref).map_or(I64Vec2::ZERO, |state| state.now.made)
    }

    /// Returns the longest step of a platform on each axis this tick, in units.
    pub(super) fn longest_step(&self) -> I64Vec2 {
        self.shapes.iter().filter(|shape| shape.is_there).fold(I64Vec2::ZERO, |most, shape| most.max(shape.step.abs()))
    }

    /// Returns the speed of the fastest platform, in tiles per second.
    pub(super) fn max_platform_speed(&self) -> f64 {
        let there = self.shapes.iter().filter(|shape| shape.is_there);
        there.map(|shape| shape.velocity.length()).fold(0.0, f64::max)
    }

    /// Returns the displacement of a source this tick.
    pub(super) fn tick_displacement(&self, owner: Owner) -> I64Vec2 {
        let Owner::Platform(slot) = owner else { return I64Vec2::ZERO };
        self.shapes.get(slot as usize).map_or(I64Vec2::ZERO, |shape| shape.step)
    }

    /// Returns the slots of the platforms that pass through a body, in ascending order.
    pub(super) fn platforms_ignored_by(&self, body: BodyId) -> SmallVec<[u32; 4]> {
        let ignored = self.pairs.iter().filter(|pair| pair.body == body && pair.state != Pressed::Stopped);
        let mut slots: SmallVec<[u32; 4]> =
            ignored.filter_map(|pair| self.slots.slot(pair.platform)).map(|slot| slot as u32).collect();
        slots.sort_unstable();
        slots
    }

    /// Sets the state of a pair. Returns whether it is a new pair.
    pub(crate) fn insert_or_update_pair(&mut self, body: BodyId, platform: PlatformId, state: Pressed) -> bool {
        let known = self.pairs.iter_mut().find(|pair| pair.body == body && pair.platform == platform);
        match known {
            Some(pair) => {
                pair.state = state;
                false
            }
            None => {
                let pair = Pair { body, platform, state };
                let at = self.pairs.partition_point(|other| (other.body, other.platform) < (body, platform));
                self.pairs.insert(at, pair);
                true
            }
        }
    }
}

impl Platforms {
    /// Copies into the memory of equal platforms.
    pub(super) fn copy(&mut self, from: &Platforms) {
        if self.version != from.version || self.forms != from.forms {
            *self = from.clone();
            return;
        }
        let states = self.states.iter_mut().zip(&from.states);
        states.for_each(|(own, other)| {
            if let (Some(own), Some(other)) = (own, other) {
                (own.now, own.next_arrival) = (other.now, other.next_arrival);
            }
        });
        for (own, other) in self.shapes.iter_mut().zip(&from.shapes) {
            (own.origin, own.is_there) = (other.origin, other.is_there);
            own.copy_path_bounds(other);
            (own.last_step, own.velocity) = (other.last_step, other.velocity);
        }
        self.pairs.clone_from(&from.pairs);
        self.blocks.copy(&from.blocks);
    }
}

/// Number of different platforms whose terrain is kept for equal ones while a world is created. Affects speed only.
const KEPT_TERRAINS: usize = 8;

/// Returns the platforms of a new world on a map, in the order of the map.
pub(super) fn bake_all_platforms(map: &Map, tick: f64) -> impl Iterator<Item = Result<Arc<Baked>, PlatformError>> {
    let mut kept: Vec<Arc<Baked>> = Vec::new();
    map.platforms().iter().cloned().map(move |platform| {
        let known = kept.iter().find(|kept| kept.platform.layers == platform.layers).cloned();
        let baked = Arc::new(Baked::new(platform, known.as_deref(), map, tick)?);
        if known.is_none() {
            kept.truncate(KEPT_TERRAINS - 1);
            kept.insert(0, baked.clone());
        }
        Ok(baked)
    })
}

/// Checks and bakes the tile layers of a platform with the tile kinds of a map.
fn bake_layers(layers: &[TileLayer], map: &Map) -> Result<Terrain, PlatformError> {
    let mut parts = MapParts::new(1, 1);
    parts.catalogue = map.catalogue().clone();
    // Leave out the things of the kinds: an area may be attached to a platform, and this map has no platforms.
    let kinds = map.kinds().iter().map(|kind| TileKind { things: Things::default(), ..kind.clone() });
    parts.kinds = kinds.collect();
    parts.collision_layers = map.collision_layers().to_vec();
    parts.symbols.clear();
    parts.layers = layers.to_vec();
    parts.borders = Borders::default();
    let tiles = Map::from_parts(parts).map_err(Box::new)?;
    let meets = |layer: &TileLayer| {
        layer.collides && layer.cells.iter().any(|id| tiles.kind(*id).is_some_and(|kind| kind.variant.is_some()))
    };
    if !tiles.layers().iter().any(meets) {
        return Err(PlatformError::Empty);
    }
    Ok(Terrain::bake(&tiles))
}

impl Baked {
    /// Checks a platform and bakes it for a world on a map, with ticks of that length. If `known` has equal tiles,
    /// takes over its terrain.
    pub(crate) fn new(platform: Platform, known: Option<&Baked>, map: &Map, tick: f64) -> Result<Baked, PlatformError> {
        let terrain = match known.filter(|known| known.platform.layers == platform.layers) {
            Some(known) => known.terrain.clone(),
            None => bake_layers(&platform.layers, map)?,
        };
        let course = Course::new(&platform.motion, tick)?;
        let delays = Delays::in_ticks(&platform.on_ride, tick);
        #[cfg(feature = "record")]
        let checksum = platform_checksum(&platform, map);
        Ok(Baked {
            platform,
            terrain,
            course,
            delays,
            #[cfg(feature = "record")]
            checksum,
        })
    }

    /// Returns the displacement of the platform along its path after `clock` ticks.
    pub(super) fn path_displacement(&self, clock: u64) -> I64Vec2 {
        self.course.as_ref().map_or(I64Vec2::ZERO, |course| course.displacement_at(clock))
    }

    /// Returns the platform's terrain, without a position. It is not prepared for layers that some of its tiles let
    /// pass.
    pub(super) fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Returns whether a platform can have this state: near its path if it is on it, and not driven too far.
    #[cfg(feature = "record")]
    pub(super) fn is_valid_state(&self, now: &Moves) -> bool {
        let is_position = |at: I64Vec2| Position::from_units(at.x, at.y).is_some();
        // The base of a path may lie outside the valid coordinates.
        let is_place =
            |at: I64Vec2| at.cmpge(I64Vec2::splat(-(1 << 62))).all() && at.cmple(I64Vec2::splat(1 << 62)).all();
        let most = (Path::MAX_STEP_TILES * ONE as f64) as i64;
        let is_step = |way: I64Vec2| way.abs().max_element() <= most;
        is_place(now.origin)
            && is_place(now.base)
            && now.clock < 1 << 62
            && is_place(now.previous)
            && is_step(now.origin - now.previous)
            && now.made == now.origin - now.previous
            && now.target.is_none_or(|to| is_position(to) && is_step(to - now.origin))
            && PlatformState::is_valid(now.ridden, self.platform.on_ride)
            && (now.attached.is_some()
                || matches!(now.ridden, RideState::Falls { .. } | RideState::Gone { .. })
                || is_step(now.base + self.path_displacement(now.clock) - now.origin)
                    && is_step(now.base + self.path_displacement(now.clock + 1) - now.origin))
    }
}

/// Saved platforms of a world.
#[cfg(feature = "record")]
#[derive(Clone, Debug, Default)]
pub(crate) struct SavedPlatforms {
    pub(crate) slots: Slots,
    pub(crate) version: Version,
    /// In the order of the filled slots.
    pub(crate) baked: Vec<Arc<Baked>>,
    /// Platforms that were read and not baked yet. Once they are baked, they replace `baked`.
    pub(crate) unbaked: Vec<Platform>,
    pub(crate) moves: Vec<Moves>,
    pub(crate) pairs: Vec<Pair>,
}

#[cfg(feature = "record")]
impl SavedPlatforms {
    /// Returns the lower left corner of tile (0, 0) of the platform in a slot.
    pub(crate) fn origin(&self, slot: u32) -> Option<I64Vec2> {
        let versions = self.slots.versions();
        if versions.get(slot as usize)? % 2 == 0 {
            return None;
        }
        let before = versions[..slot as usize].iter().filter(|version| *version % 2 == 1).count();
        self.moves.get(before).map(|now| now.origin)
    }
}

#[cfg(feature = "record")]
impl Platforms {
    /// Captures the platforms in existing memory.
    pub(super) fn capture_into(&self, into: &mut SavedPlatforms) {
        if into.version != self.version {
            into.slots.copy(&self.slots);
            into.baked.clear();
            into.baked.extend(self.states.iter().flatten().map(|state| state.baked.clone()));
            into.version = self.version;
        }
        into.unbaked.clear();
        into.moves.clear();
        into.moves.extend(self.states.iter().flatten().map(|state| state.now));
        copy_list(&mut into.pairs, &self.pairs);
    }

    /// Restores the platforms of a world with ticks of that length.
    pub(super) fn restore(&mut self, from: &SavedPlatforms, tick: f64) {
        self.change_and_update_grid(|platforms| platforms.replace_with(from, tick));
    }

    fn replace_with(&mut self, from: &SavedPlatforms, tick: f64) {
        copy_list(&mut self.pairs, &from.pairs);
        if self.version == from.version {
            if self.is_empty() {
                return;
            }
            let states = self
                .states
                .iter_mut()
                .zip(&mut self.shapes)
                .filter_map(|(state, shape)| Some((state.as_mut()?, shape)));
            for ((state, shape), now) in states.zip(&from.moves) {
                (state.now, state.next_arrival) = (*now, 0);
                (shape.origin, shape.step) = (now.origin, I64Vec2::ZERO);
                shape.record_displacement(now.made, tick);
                shape.is_there = state.is_present();
            }
        } else {
            self.states.clear();
            self.shapes.clear();
            self.react = false;
            self.slots.copy(&from.slots);
            self.version = from.version;
            let mut saved = from.baked.iter().zip(&from.moves);
            let nothing = LazyCell::new(Terrain::empty);
            for slot in 0..self.slots.versions().len() {
                if self.slots.versions()[slot].is_multiple_of(2) {
                    self.states.push(None);
                    self.shapes.push(motion::Platform::new_unused_slot(Terrain::clone(&nothing)));
                } else if let Some((baked, now)) = saved.next() {
                    let state = PlatformState { baked: baked.clone(), now: *now, next_arrival: 0 };
                    self.insert_at(slot, state, tick);
                }
            }
            self.sort_parents_first();
        }
    }
}

impl PlatformState {
    /// Returns the platform's position after the next tick, if its parent moves it by `parent_displacement`.
    fn next_position(&self, settings: &Settings, parent_displacement: I64Vec2) -> I64Vec2 {
        let now = &self.now;
        match (&self.baked.course, now.target) {
            _ if !self.is_present() => now.origin,
            (_, Some(target)) => target,
            (Some(course), None) if self.follows_its_path() => {
                now.base + parent_displacement + course.displacement_at(now.clock + 1)
            }
            _ => now.origin + self.fall_step(settings.gravity, settings.tick).unwrap_or(parent_displacement),
        }
    }

    /// Returns whether nothing about the platform changes in a tick.
    #[inline]
    fn is_unchanging(&self) -> bool {
        let Moves { made, target, stopped, ridden, .. } = &self.now;
        let is_left_alone = *made == I64Vec2::ZERO && target.is_none() && !stopped;
        is_left_alone && !matches!(ridden, RideState::Falls { .. }) && !self.follows_its_path()
    }

    /// Returns the lower left and the upper right corner of its future positions, if only its path moves it. A body may
    /// block it: it then moves straight from one point of the region to another.
    fn future_bounds(&self) -> Option<(I64Vec2, I64Vec2)> {
        let Moves { base, origin, target, attached, .. } = &self.now;
        let is_moved = target.is_some() || attached.is_some() || self.baked.platform.on_ride != OnRide::Nothing;
        let (low, high) = self.baked.course.as_ref().filter(|_| !is_moved)?.extent();
        let (low, high) = (base + low, base + high);
        (low.cmple(*origin).all() && origin.cmple(high).all()).then_some((low, high))
    }

    /// Returns the event of an arrival at a point in this tick, and finds the next arrival.
    #[cold]
    fn take_arrival_event(&mut self, platform: PlatformId) -> Option<EventKind> {
        let course = self.baked.course.as_ref()?;
        let clock = self.now.clock;
        self.next_arrival = course.arrival_after(clock).map_or(u64::MAX, |next| next.clock);
        let arrival = course.arrival_after(clock - 1).filter(|arrival| arrival.clock == clock)?;
        Some(EventKind::PlatformArrived { platform, point: arrival.point, is_end: arrival.is_end })
    }

    /// Returns whether the platform's path moves it.
    fn follows_its_path(&self) -> bool {
        self.baked.course.is_some() && self.now.playing && self.is_on_its_path()
    }

    /// Returns the platform's tiles as a terrain of their own, for drawing. Set tiles are included after the next step.
    ///
    /// Positions in the terrain count from the lower left corner of the platform's tile (0, 0). Add
    /// [`PlatformState::position_at`] to draw the platform at its position in the world. Beyond the platform, the
    /// terrain is empty.
    ///
    /// # Examples
    /// ```
    /// use surefoot::platform::Platform;
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let map = Map::from_rows(["....", "####"])?;
    /// let platform = Platform::from_rows(&map, ["##"])?;
    /// let mut world = World::new(map, Settings::default());
    /// let lift = world.spawn_platform(platform.at((1.0, 1.5)))?;
    /// let lift = world.platform(lift).unwrap();
    /// let at = lift.position_at(1.0);
    /// for [a, b, c] in lift.terrain().solid_triangles((0, 0)) {
    ///     println!("{} {} {}", a.to_vec2() + at, b.to_vec2() + at, c.to_vec2() + at);
    /// }
    /// assert_eq!(lift.terrain().joined_neighbours((0, 0)), 4, "the second tile, to the right");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn terrain(&self) -> &Terrain {
        self.baked.terrain()
    }

    /// Returns the position of the platform: where the lower left corner of the platform's tile (0, 0) is.
    #[must_use]
    pub fn position(&self) -> Position {
        Position::clamped(self.now.origin)
    }

    /// Returns the position of the platform at the beginning of the last tick: where the lower left corner of the
    /// platform's tile (0, 0) was.
    #[must_use]
    pub fn previous_position(&self) -> Position {
        Position::clamped(self.now.previous)
    }

    /// Returns the position of the platform between two ticks, for smooth drawing: where the lower left corner of the
    /// platform's tile (0, 0) is.
    ///
    /// `fraction` is 0 for the position before the last tick, and 1 for the current position. Use
    /// [`FixedTimestep::alpha`](crate::timestep::FixedTimestep::alpha).
    #[must_use]
    pub fn position_at(&self, fraction: f32) -> Vec2 {
        let (from, to) = (to_lengths(self.now.previous), to_lengths(self.now.origin));
        (from + (to - from) * f64::from(fraction)).as_vec2()
    }

    /// Returns by how much the platform moved in the last tick, in tiles.
    #[must_use]
    pub fn displacement(&self) -> DVec2 {
        to_lengths(self.now.made)
    }

    /// Returns whether the platform stopped in the last tick because it would have crushed a body.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.now.stopped
    }

    /// Returns whether the platform's path is paused, by [`World::pause_platform`] or by [`Platform::paused`].
    #[must_use]
    pub fn is_paused(&self) -> bool {
        !self.now.playing
    }

    /// Returns the ticks of the path until the platform arrives at its next point, with its wait at the last one.
    /// `None` without such a point: on a circle, at the end of a path, and for a driven platform.
    #[must_use]
    pub fn arrival_ticks(&self) -> Option<u64> {
        let arrival = self.baked.course.as_ref()?.arrival_after(self.now.clock)?;
        Some(arrival.clock.saturating_sub(self.now.clock))
    }

    /// Returns the platform to which this platform is attached, or `None`.
    #[must_use]
    pub fn attached_to(&self) -> Option<PlatformId> {
        self.now.attached
    }

    /// Returns the definition of the platform, including edited tiles.
    #[must_use]
    pub fn platform(&self) -> &Platform {
        &self.baked.platform
    }
}

/// Returns the surface owner of a platform that exists or was the last in its slot.
pub(super) fn owner_of(platform: PlatformId) -> Owner {
    Owner::Platform((platform.data().as_ffi() as u32).wrapping_sub(1))
}

impl BodyState {
    /// Returns the velocity of its ride, in tiles per second: of the touched platforms if it stands, or of the one that
    /// it holds on to.
    pub(super) fn carrier_velocity(&self, scene: &Scene<'_>) -> DVec2 {
        if self.on_floor() || self.held_platform().is_some() {
            self.ride_velocity_if_standing(scene)
        } else {
            DVec2::ZERO
        }
    }

    /// Returns whether the body's reference velocity differs from the velocity of what it rides.
    pub(super) fn is_indirect_rider(&self, scene: &Scene<'_>) -> bool {
        let bits = |velocity: DVec2| velocity.to_array().map(f64::to_bits);
        bits(self.last_ride_velocity()) != bits(self.carrier_velocity(scene))
    }

    /// Returns the velocity of what the body would ride if it stood on its contacts.
    pub(super) fn ride_velocity_if_standing(&self, scene: &Scene<'_>) -> DVec2 {
        if !scene.around.has_platforms() {
            return DVec2::ZERO;
        }
        let mut rides = match self.held_platform() {
            Some(_) => self.ridden_sources(&scene.frame),
            None => motion::find_ridden_sources(self.touched(), self.kind.shape, self.now.position, &scene.frame),
        };
        motion::keep_fastest_rising(&mut rides, |owner| scene.around.velocity(owner).dot(scene.frame.up()));
        scene.around.combined_velocity(rides.iter().copied())
    }
}

impl World {
    /// Returns the reference velocities of bodies that touch no source with that velocity: a body on the platform
    /// carries them, or they have just left it.
    pub(crate) fn velocities_of_indirect_riders(&self) -> impl Iterator<Item = (BodyId, DVec2)> {
        let scene = self.platforms.scene(&self.terrain, &self.settings);
        let bodies = self.platforms.has_ever_had_any().then(|| self.bodies.iter());
        let carried_otherwise =
            bodies.into_iter().flatten().filter(move |(_, state)| state.is_indirect_rider(&scene.of_kind(&state.kind)));
        carried_otherwise.map(|(id, state)| (id, state.last_ride_velocity()))
    }
}

//! Areas of a world: their positions, the bodies inside, and their effects on bodies.
//!
//! At the end of each tick, [`look`] detects which bodies have entered and left areas. [`acting`] computes the
//! effects on the motion of bodies. Only the list of bodies inside areas is part of the saved state. Everything else
//! here is derived from the areas, the bodies and that list.

mod acting;
mod index;
mod look;
#[cfg(test)]
mod tests;

pub(super) use acting::ActingBodies;
pub(crate) use acting::ActiveEffects;

use super::bodies::Bodies;
use super::platforms::Platforms;
use super::slots::Slots;
#[cfg(feature = "record")]
use super::tick_log::copy_list;
use super::{BodyState, Settings, World};
use crate::area::{Area, AreaError, AreaId, AttachedTo, Effects, MAX_AREAS};
use crate::area_overlap::BodyOverlap;
use crate::body::check_mask;
use crate::command::{Command, CommandError};
use crate::event::BodyId;
use crate::map::{AreaKind, AreaName, Map, SharedArea, Value};
use crate::motion::Bounds;
use crate::platform::PlatformId;
use crate::query::Target;
use crate::version::Version;
use glam::{I64Vec2, Vec2};
use index::Index;
use look::{Change, UnchangedZone};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use slotmap::Key;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot_geometry::{AnyBounded, Position, PositionError, to_lengths};

/// State of an area in a world. [`World::area`](crate::World::area) returns it.
#[derive(Clone, Debug)]
pub struct AreaState {
    pub(crate) shared: SharedArea,
    /// Position of its origin, in units.
    origin: I64Vec2,
    /// Position of its origin at the start of the last tick.
    previous: I64Vec2,
}

/// Top of an area, relative to a character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Top {
    /// Distance of the character below the top, in units. Negative if it is above.
    pub(super) below: i64,
    /// Displacement of the area in the last tick.
    pub(super) motion: I64Vec2,
    /// The platform that carries the area.
    pub(super) on: Option<PlatformId>,
}

/// A body inside an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Inside {
    pub(crate) body: BodyId,
    pub(crate) area: AreaId,
}

/// All areas of a world.
#[derive(Debug, Default)]
pub(crate) struct Areas {
    pub(crate) slots: Slots,
    /// A state for each slot; `None` in a free one.
    states: Vec<Option<AreaState>>,
    /// Identifies the slots and their areas.
    version: Version,
    /// Overlaps after the last tick, by the slots of bodies, then of areas. Includes bodies and areas removed since.
    pub(crate) inside: Vec<Inside>,
    /// Identifies the overlaps, as far as areas that affect motion are concerned.
    inside_version: Version,
    /// Whether bodies or areas may have been removed since the last tick.
    removed: bool,
    /// Effects on bodies in the next tick, by the slots of bodies.
    acting: Vec<ActiveEffects>,
    /// The previous effects. Their memory is reused.
    acted: Vec<ActiveEffects>,
    /// Areas and overlaps whose effects are listed.
    acting_of: [Version; 2],
    lists: Lists,
    /// Grid of the areas at rest, filled again on demand.
    index: Index,
    /// For each body slot, the zone in which its overlaps stay equal. Affects speed only.
    zones: Vec<UnchangedZone>,
    /// Changes of this tick.
    changes: Vec<Change>,
    /// Areas near the tested body.
    near: Vec<u32>,
}

/// What the definitions of some areas say, made again on demand.
#[derive(Debug, Default)]
struct Lists {
    /// Version of the areas.
    version: Version,
    /// Whether any area affects the motion of bodies.
    acts: bool,
    /// Whether any area has an up for the bodies inside.
    turns: bool,
    /// Areas that a platform or body carries.
    carried: Vec<u32>,
}

impl AreaState {
    fn new(shared: SharedArea) -> AreaState {
        let origin = shared.position().units();
        AreaState { shared, origin, previous: origin }
    }

    /// Returns everything of the area except its name and position.
    #[inline]
    pub(crate) fn fields(&self) -> &Area {
        self.shared.fields()
    }

    /// Returns a box around the shape, in units from the origin.
    #[inline]
    fn bounds_around_shape(&self) -> Bounds {
        let (low, high) = self.shared.kind().around;
        Bounds { low, high }
    }

    /// Returns a box inside the shape, if one is known.
    fn bounds_inside_shape(&self) -> Option<Bounds> {
        self.shared.kind().within.map(|(low, high)| Bounds { low, high })
    }

    /// Returns the definition of the area. If a platform or body carries the area, [`Area::position`] in the result
    /// is relative to that carrier.
    #[must_use]
    pub fn area(&self) -> &Area {
        self.shared.area()
    }

    /// Returns the position of the area in the world after the last tick: where the point (0, 0) of the area's shape
    /// is.
    #[must_use]
    pub fn position(&self) -> Position {
        Position::clamped(self.origin)
    }

    /// Returns the position of the area between two ticks, for smooth drawing: where the point (0, 0) of the area's
    /// shape is.
    ///
    /// `fraction` is 0 for the position before the last tick, and 1 for the current position. Use
    /// [`FixedTimestep::alpha`](crate::timestep::FixedTimestep::alpha).
    #[must_use]
    pub fn position_at(&self, fraction: f32) -> Vec2 {
        let (from, to) = (to_lengths(self.previous), to_lengths(self.origin));
        (from + (to - from) * f64::from(fraction)).as_vec2()
    }
}

/// Returns the component of a vector along up.
fn component_along_up(v: I64Vec2, up: I64Vec2) -> i64 {
    v.x * up.x + v.y * up.y
}

/// Returns the sort key of an id: first the slot, then how often that slot was used.
pub(crate) fn sort_key(id: impl Key) -> u64 {
    id.data().as_ffi().rotate_left(32)
}

impl Inside {
    pub(crate) fn sort_key(&self) -> (u64, u64) {
        (sort_key(self.body), sort_key(self.area))
    }
}

impl Areas {
    /// Creates the areas of a new world on a map with these platforms.
    pub(super) fn of_new_world(map: &Map, platforms: &Platforms) -> Areas {
        let mut areas = Areas::default();
        let named: BTreeMap<&str, PlatformId> =
            platforms.iter().map(|(id, state)| (&state.platform().name[..], id)).collect();
        let shared = map.shared_areas();
        areas.slots.reserve(shared.len());
        areas.states.reserve_exact(shared.len());
        // Areas that follow each other often share a kind. Attach it to its platform only once, so that they share the
        // result.
        let mut known: Option<(&Arc<AreaKind>, Arc<AreaKind>)> = None;
        for area in shared {
            let mut own = area.clone();
            if let AttachedTo::Named(name) = &area.fields().attached_to {
                let kind = match known.take().filter(|(kind, _)| Arc::ptr_eq(kind, area.kind())) {
                    Some((_, attached)) => attached,
                    None => {
                        // The platform exists: maps with an area on a missing platform are refused when they are
                        // built.
                        let platform = named.get(&name[..]).copied();
                        let carrier = platform.map_or(AttachedTo::World, AttachedTo::Platform);
                        Arc::new(area.kind().attached_to(carrier))
                    }
                };
                own.set_kind(kind.clone());
                known = Some((area.kind(), kind));
            }
            areas.insert(own);
        }
        areas.move_with_carriers(platforms, &Bodies::new(Settings::default()));
        areas
    }

    /// Returns whether a tick has nothing to do.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        self.slots.len() == 0 && self.inside.is_empty() && self.acting.is_empty()
    }

    fn insert(&mut self, area: SharedArea) -> AreaId {
        let slot = self.slots.next_slot();
        let Lists { version: listed, acts, turns, carried } = &mut self.lists;
        let is_listed = *listed == self.version;
        self.version = Version::next();
        if is_listed {
            // Add the area to the lists: making the lists again for each of many new areas takes too long.
            *listed = self.version;
            *acts |= area.kind().moves;
            *turns |= area.fields().effects.up.is_some();
            if area.fields().attached_to != AttachedTo::World {
                let at = carried.partition_point(|other| (*other as usize) < slot);
                carried.insert(at, slot as u32);
            }
        }
        let state = Some(AreaState::new(area));
        if slot == self.states.len() {
            self.states.push(state);
        } else {
            self.states[slot] = state;
        }
        self.slots.insert()
    }

    fn remove(&mut self, area: AreaId) -> Option<()> {
        let slot = self.slots.remove(area)?;
        self.states[slot] = None;
        self.removed = true;
        self.version = Version::next();
        Some(())
    }

    /// Lists the carried areas and which effects exist, unless those of these areas are listed already.
    fn refill_lists_if_outdated(&mut self) {
        let Areas { lists, states, version, .. } = self;
        if std::mem::replace(&mut lists.version, *version) == *version {
            return;
        }
        let is_carried = |state: &Option<AreaState>| {
            state.as_ref().is_some_and(|state| state.fields().attached_to != AttachedTo::World)
        };
        lists.carried.clear();
        lists.carried.extend((0..).zip(&*states).filter(|(_, state)| is_carried(state)).map(|(slot, _)| slot));
        lists.acts = states.iter().flatten().any(|state| state.shared.kind().moves);
        lists.turns = states.iter().flatten().any(|state| state.fields().effects.up.is_some());
    }

    /// Returns whether any area has an up for the bodies inside.
    pub(super) fn has_area_with_up(&self) -> bool {
        self.lists.turns
    }

    /// Returns whether any area affects the motion of bodies, also before the lists are made again.
    #[cfg(feature = "record")]
    pub(super) fn has_area_affecting_motion(&self) -> bool {
        if self.lists.version == self.version {
            self.lists.acts
        } else {
            self.states.iter().flatten().any(|state| state.shared.kind().moves)
        }
    }

    /// Tests a body in the next tick, because it was teleported or other areas detect it now.
    pub(super) fn mark_body_for_recheck(&mut self, bodies: &Bodies, body: BodyId) {
        if let Some(zone) = bodies.slots.slot(body).and_then(|slot| self.zones.get_mut(slot)) {
            *zone = UnchangedZone::NONE;
        }
    }

    /// Call after a body was removed. Also removes the areas that the body carried.
    pub(super) fn forget_body_and_its_areas(&mut self, body: BodyId) {
        let was_inside = self.inside.iter().any(|inside| inside.body == body);
        if was_inside {
            (self.removed, self.inside_version) = (true, Version::next());
        }
        self.remove_areas_carried_by(&AttachedTo::Body(body));
    }

    /// Removes the areas that a platform carried. Call it after the platform was removed.
    pub(super) fn remove_areas_of_platform(&mut self, platform: PlatformId) {
        self.remove_areas_carried_by(&AttachedTo::Platform(platform));
    }

    fn remove_areas_carried_by(&mut self, carrier: &AttachedTo) {
        self.refill_lists_if_outdated();
        for i in (0..self.lists.carried.len()).rev() {
            let slot = self.lists.carried[i] as usize;
            if self.states[slot].as_ref().is_some_and(|state| state.fields().attached_to == *carrier) {
                let _ = self.remove(self.slots.id(slot));
            }
        }
    }

    /// Moves carried areas along with their platforms and bodies.
    pub(super) fn move_with_carriers(&mut self, platforms: &Platforms, bodies: &Bodies) {
        self.refill_lists_if_outdated();
        for slot in &self.lists.carried {
            let Some(state) = &mut self.states[*slot as usize] else { continue };
            let at = match state.fields().attached_to {
                AttachedTo::Platform(platform) => {
                    platforms.get(platform).map(|state| (state.now.origin, state.now.previous))
                }
                AttachedTo::Body(body) => {
                    bodies.get(body).map(|state| (state.now.position.units(), state.now.previous.units()))
                }
                AttachedTo::World | AttachedTo::Named(_) => None,
            };
            let Some((origin, previous)) = at else { continue };
            let offset = state.shared.position().units();
            state.origin = Position::clamped(origin + offset).units();
            state.previous = Position::clamped(previous + offset).units();
        }
    }

    pub(crate) fn get(&self, area: AreaId) -> Option<&AreaState> {
        self.slots.slot(area).and_then(|slot| self.states[slot].as_ref())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (AreaId, &AreaState)> {
        let states = self.states.iter().enumerate();
        states.filter_map(|(slot, state)| state.as_ref().map(|state| (self.slots.id(slot), state)))
    }

    /// Returns the areas that contained a body after the last tick, by their slots.
    pub(super) fn areas_of_body(&self, body: BodyId) -> impl Iterator<Item = (AreaId, &AreaState)> {
        self.areas_of_pairs(self.pairs_of_body(body))
    }

    /// Returns the part of the list of overlaps that belongs to a body.
    fn pairs_of_body(&self, body: BodyId) -> &[Inside] {
        let first = self.inside.partition_point(|inside| sort_key(inside.body) < sort_key(body));
        let count = self.inside[first..].iter().take_while(|inside| inside.body == body).count();
        &self.inside[first..first + count]
    }

    /// Returns the areas of some overlaps, without removed areas.
    fn areas_of_pairs<'a>(&'a self, pairs: &'a [Inside]) -> impl Iterator<Item = (AreaId, &'a AreaState)> {
        pairs.iter().filter_map(|inside| Some((inside.area, self.get(inside.area)?)))
    }

    /// Returns the combined effects of all areas on a body, and the area that sets its buoyancy.
    fn effects_and_liquid_of(&self, body: BodyId) -> (Effects, Option<AreaId>) {
        self.effects_and_liquid_of_pairs(self.pairs_of_body(body))
    }

    /// Returns the combined effects of the areas in `pairs`, all overlaps of one body, and the area that sets its
    /// buoyancy.
    fn effects_and_liquid_of_pairs(&self, pairs: &[Inside]) -> (Effects, Option<AreaId>) {
        let mut all = self.areas_of_pairs(pairs);
        let (Some((area, only)), None) = (all.next(), all.next()) else {
            return self.combined_effects_and_liquid_of_several(pairs);
        };
        (only.fields().effects, only.fields().effects.buoyancy.map(|_| area))
    }

    /// Returns the climbable areas around a character, and whether it is inside them. A character exactly on top, which
    /// would be inside one unit further down, finds them only if it climbs already.
    fn climbable_areas<'a>(
        &'a self,
        body: BodyId,
        state: &'a BodyState,
        up: I64Vec2,
        climbs: bool,
    ) -> (bool, impl Iterator<Item = &'a AreaState>) {
        let at = state.now.position.units();
        let is_climbable = |area: &&AreaState| area.fields().effects.climbable == Some(true);
        let is_inside = self.effects_and_liquid_of(body).0.climbable == Some(true);
        let inside = self.areas_of_body(body).map(|(_, area)| area).filter(is_climbable).filter(move |_| is_inside);
        let is_on = move |area: &&AreaState| {
            is_climbable(area)
                && area.detects_body(body, state)
                && area.top_of_ladder(state, up).below == 0
                && area.fields().shape.overlaps(state.kind.shape, at - up - area.origin)
        };
        let others = if climbs && !is_inside { self.states.iter() } else { [].iter() };
        (is_inside, inside.chain(others.flatten().filter(is_on)))
    }

    /// Returns the top of the [climbable area](Areas::climbable_areas) around a character, relative to its lower side.
    pub(super) fn top_of_climbable_areas(
        &self,
        body: BodyId,
        state: &BodyState,
        up: I64Vec2,
        climbs: bool,
    ) -> Option<Top> {
        let (is_inside, areas) = self.climbable_areas(body, state, up, climbs);
        let mut tops = areas.map(|area| area.top_of_ladder(state, up));
        if is_inside { tops.max_by_key(|top| top.below) } else { tops.next() }
    }

    /// Returns the distance to the right from a character to the middle of its ladder's column, in tiles. Between two
    /// equally near columns it is 0.
    pub(super) fn distance_to_column(
        &self,
        body: BodyId,
        state: &BodyState,
        (up, right): (I64Vec2, I64Vec2),
        climbs: bool,
    ) -> f64 {
        let distances = || {
            let areas = self.climbable_areas(body, state, up, climbs).1;
            areas.flat_map(|area| area.distances_to_columns(state, (up, right)))
        };
        let nearest = distances().min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0);
        if distances().any(|distance| distance == -nearest) { 0.0 } else { nearest }
    }

    /// Returns the top of the water around a character, relative to its centre, and the buoyancy on the character.
    pub(super) fn water_around(&self, body: BodyId, state: &BodyState, up: I64Vec2) -> Option<(Top, f64)> {
        let lifts = |effects: &Effects| effects.buoyancy.filter(|buoyancy| *buoyancy > 0.0);
        let water = self.areas_of_body(body).filter(|(_, area)| lifts(&area.fields().effects).is_some());
        let found = water.map(|(_, area)| area.top_relative_to_point(state, 0, up));
        let highest = found.max_by_key(|top| top.below)?;
        Some((highest, lifts(&self.effects_and_liquid_of(body).0)?))
    }

    /// Combines the effects of several areas on a body.
    fn combined_effects_and_liquid_of_several(&self, pairs: &[Inside]) -> (Effects, Option<AreaId>) {
        let (mut effects, mut liquid) = (Effects::default(), None);
        let mut before = None;
        // A body is in few areas, so search for the next area in the order each time instead of sorting.
        loop {
            let key = |area: AreaId, state: &AreaState| (Reverse(state.fields().priority), sort_key(area));
            let later = self
                .areas_of_pairs(pairs)
                .filter(|(area, state)| before.is_none_or(|before| key(*area, state) > before));
            let Some((area, state)) = later.min_by_key(|(area, state)| key(*area, state)) else { break };
            before = Some(key(area, state));
            if effects.buoyancy.is_none() && state.fields().effects.buoyancy.is_some() {
                liquid = Some(area);
            }
            effects = effects.over(state.fields().effects);
        }
        (effects, liquid)
    }
}

impl Areas {
    /// Adds the areas that a shape overlaps, by their slots.
    pub(super) fn find_overlapping_areas(&self, shape: AnyBounded<'_>, found: &mut Vec<Target>) {
        let overlaps = |state: &AreaState| state.fields().shape.overlaps_at(to_lengths(state.origin), shape);
        found.extend(self.iter().filter(|(_, state)| overlaps(state)).map(|(id, _)| Target::Area(id)));
    }

    /// Returns the first area that contains a point or has it on its border.
    pub(super) fn first_area_at(&self, point: Position) -> Option<AreaId> {
        let contains = |state: &AreaState| {
            let (at, bounds) = (point.units(), state.bounds());
            at.cmpge(bounds.low).all()
                && at.cmple(bounds.high).all()
                && state.fields().shape.contains(to_lengths(at - state.origin))
        };
        self.iter().find(|(_, state)| contains(state)).map(|(id, _)| id)
    }
}

impl World {
    /// Spawns `area` and returns its id. The next tick sends
    /// [`EventKind::AreaEntered`](crate::event::EventKind::AreaEntered) for each body inside.
    ///
    /// # Errors
    /// Returns [`CommandError`] in each of these cases:
    ///
    /// - [`Area::check`] fails.
    /// - Another area in the world has the same name.
    /// - The platform or body that should carry the area is not in the world.
    /// - The area uses a collision layer that the map does not name.
    /// - The world already has [`MAX_AREAS`] areas.
    pub fn spawn_area(&mut self, area: Area) -> Result<AreaId, CommandError> {
        let slot = self.areas.slots.next_slot();
        self.apply(Command::SpawnArea(Box::new(area)))?;
        Ok(self.areas.slots.id(slot))
    }

    /// Removes `area` from the world. The next tick sends
    /// [`EventKind::AreaExited`](crate::event::EventKind::AreaExited) for each body that was inside.
    ///
    /// # Errors
    /// Returns [`CommandError::NoSuchArea`] if `area` is not in the world.
    pub fn despawn_area(&mut self, area: AreaId) -> Result<(), CommandError> {
        self.apply(Command::DespawnArea(area)).map(drop)
    }

    /// Moves `area` to position `to` at once. The point (0, 0) of the area's shape is then at `to`.
    ///
    /// Bodies between the old and the new position get no events. For an area that a platform or body carries, `to`
    /// is relative to that carrier, and the area keeps moving with it.
    ///
    /// # Errors
    /// Returns [`CommandError`] if `area` is not in the world, or if `to` is not a valid position.
    pub fn move_area<P>(&mut self, area: AreaId, to: P) -> Result<(), CommandError>
    where
        P: TryInto<Position>,
        P::Error: Into<PositionError>,
    {
        let to = to.try_into().map_err(|error| CommandError::Position(error.into()))?;
        self.apply(Command::MoveArea(area, to)).map(drop)
    }

    /// Replaces the whole definition of `area`, such as its collision mask, shape and effects. The id stays.
    ///
    /// A body that is inside both before and after the change gets no events.
    ///
    /// # Errors
    /// Returns [`CommandError::NoSuchArea`] if `area` is not in the world. Otherwise returns the errors of
    /// [`World::spawn_area`].
    ///
    /// # Examples
    /// ```
    /// use surefoot::area::{Area, AreaShape, Effects};
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["....", "...."])?, Settings::default());
    /// let fan = world.spawn_area(Area::new(AreaShape::aabb(1.0, 1.0)?).at((1.0, 1.0)))?;
    /// let on = Effects { wind: Some((0.0, 60.0).into()), ..Effects::default() };
    /// world.set_area(fan, world.area(fan).ok_or("no fan")?.area().clone().effects(on))?;
    /// assert_eq!(world.area(fan).ok_or("no fan")?.area().effects, on);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_area(&mut self, area: AreaId, to: Area) -> Result<(), CommandError> {
        self.apply(Command::SetArea(area, Box::new(to))).map(drop)
    }

    /// Returns the state of `area`, or `None` if the area is not in the world.
    #[must_use]
    pub fn area(&self, area: AreaId) -> Option<&AreaState> {
        self.areas.get(area)
    }

    /// Returns the properties that the map gives to `area`: data for your game.
    ///
    /// The area is known by its name: see [`Map::area_properties`].
    #[must_use]
    pub fn area_properties(&self, area: AreaId) -> &BTreeMap<String, Value> {
        self.areas
            .get(area)
            .map_or(self.map.area_properties(""), |state| self.map.area_properties(&state.shared.name()))
    }

    /// Returns the id of the area named `name`, or `None` if there is none.
    #[must_use]
    pub fn find_area(&self, name: &str) -> Option<AreaId> {
        let name = AreaName::new(name);
        self.areas().find(|(_, state)| state.shared.has_name(&name)).map(|(id, _)| id)
    }

    /// Returns all areas, in ascending order of their ids.
    pub fn areas(&self) -> impl Iterator<Item = (AreaId, &AreaState)> {
        self.areas.iter()
    }

    /// Returns all areas whose [`Area::tag`] is `tag`, in ascending order of their ids.
    ///
    /// # Examples
    /// ```
    /// use surefoot::area::{Area, AreaShape};
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["......"])?, Settings::default());
    /// let coin = Area::new(AreaShape::circle(0.35)?).tag("coin");
    /// let first = world.spawn_area(coin.clone().at((1.5, 0.5)))?;
    /// let second = world.spawn_area(coin.at((2.5, 0.5)))?;
    /// world.spawn_area(Area::new(AreaShape::circle(0.35)?).tag("water").at((4.5, 0.5)))?;
    /// assert!(world.areas_tagged("coin").map(|(id, _)| id).eq([first, second]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn areas_tagged(&self, tag: &str) -> impl Iterator<Item = (AreaId, &AreaState)> {
        self.areas().filter(move |(_, state)| state.fields().tag == tag)
    }

    /// Returns the bodies inside `area` after the last tick, in ascending order of their ids. Empty if `area` is not
    /// in the world.
    pub fn bodies_in(&self, area: AreaId) -> impl Iterator<Item = BodyId> {
        let is_there = self.areas.get(area).is_some();
        let own = self.areas.inside.iter().filter(move |inside| is_there && inside.area == area);
        own.map(|inside| inside.body).filter(|body| self.bodies.get(*body).is_some())
    }

    /// Returns the areas that contain `body` after the last tick, in ascending order of their ids. Empty if `body` is
    /// not in the world.
    pub fn areas_of(&self, body: BodyId) -> impl Iterator<Item = AreaId> {
        let is_there = self.bodies.get(body).is_some();
        self.areas.areas_of_body(body).map(|(area, _)| area).filter(move |_| is_there)
    }

    /// Returns the combined effects of all areas that contain `body`. The next tick applies these effects.
    ///
    /// If several of these areas set the same effect, the area with the highest [`Area::priority`] counts. Returns
    /// effects that are all `None` if `body` is not in the world.
    #[must_use]
    pub fn effects(&self, body: BodyId) -> Effects {
        if self.bodies.get(body).is_some() { self.areas.effects_and_liquid_of(body).0 } else { Effects::default() }
    }

    /// Updates areas after an executed command.
    pub(super) fn update_areas_after_command(&mut self, command: &Command, spawned: Option<BodyId>) {
        let World { areas, platforms, bodies, .. } = self;
        if areas.is_idle() {
            return;
        }
        let placed = match command {
            Command::Teleport(body, _)
            | Command::SetCollisionLayers(body, _)
            | Command::SetShape(body, _)
            | Command::SetShapeFromTop(body, _)
            | Command::SetBody(body, _) => Some(*body),
            _ => spawned,
        };
        placed.into_iter().for_each(|body| areas.mark_body_for_recheck(bodies, body));
        areas.move_with_carriers(platforms, bodies);
    }

    /// Executes a command for areas.
    pub(super) fn execute_area_command(&mut self, command: &Command) -> Result<(), CommandError> {
        match command {
            Command::SpawnArea(area) => {
                if self.areas.slots.len() >= MAX_AREAS {
                    return Err(CommandError::TooManyAreas);
                }
                let area = self.checked_area(area, None)?;
                self.areas.insert(SharedArea::new(area));
            }
            Command::DespawnArea(area) => {
                self.areas.remove(*area).ok_or(CommandError::NoSuchArea(*area))?;
            }
            Command::MoveArea(area, to) => {
                let state = self.area_mut(*area)?;
                state.shared.set_position(*to);
                (state.origin, state.previous) = (to.units(), to.units());
                self.areas.version = Version::next();
            }
            Command::SetArea(area, to) => {
                self.area_mut(*area)?;
                let to = self.checked_area(to, Some(*area))?;
                *self.area_mut(*area)? = AreaState::new(SharedArea::new(to));
                self.areas.version = Version::next();
            }
            _ => {}
        }
        Ok(())
    }

    fn area_mut(&mut self, area: AreaId) -> Result<&mut AreaState, CommandError> {
        let slot = self.areas.slots.slot(area).ok_or(CommandError::NoSuchArea(area))?;
        self.areas.states[slot].as_mut().ok_or(CommandError::NoSuchArea(area))
    }

    /// Checks a new definition of an area, and returns it prepared for this world. `of`: the area that it replaces.
    fn checked_area(&self, area: &Area, of: Option<AreaId>) -> Result<Area, AreaError> {
        area.check()?;
        check_mask(area.collision_mask, self.map.collision_layers().len())?;
        if !area.name.is_empty() && self.find_area(&area.name).is_some_and(|known| Some(known) != of) {
            return Err(AreaError::Duplicate { name: area.name.clone() });
        }
        let mut area = area.clone();
        match &area.attached_to {
            AttachedTo::Named(name) => {
                let known = self.find_platform(name).filter(|_| !name.is_empty());
                let platform = known.ok_or_else(|| AreaError::NoSuchPlatform { name: name.clone() })?;
                area.attached_to = AttachedTo::Platform(platform);
            }
            on => self.check_carrier(on)?,
        }
        Ok(area)
    }

    /// Refuses an invalid carrier.
    fn check_carrier(&self, on: &AttachedTo) -> Result<(), AreaError> {
        let is_there = match on {
            AttachedTo::World => true,
            AttachedTo::Named(_) => false,
            AttachedTo::Platform(platform) => self.platforms.get(*platform).is_some(),
            AttachedTo::Body(body) => self.bodies.get(*body).is_some(),
        };
        if is_there { Ok(()) } else { Err(AreaError::NotInWorld { attached_to: on.clone() }) }
    }
}

impl Clone for Areas {
    fn clone(&self) -> Areas {
        let mut areas = Areas::default();
        areas.copy(self);
        areas
    }
}

impl Areas {
    /// Copies into the memory of equal areas.
    pub(super) fn copy(&mut self, from: &Areas) {
        if self.version != from.version {
            self.slots.copy(&from.slots);
            self.states.clone_from(&from.states);
            self.version = from.version;
        } else {
            for (own, other) in self.states.iter_mut().zip(&from.states) {
                if let (Some(own), Some(other)) = (own, other) {
                    (own.origin, own.previous) = (other.origin, other.previous);
                }
            }
        }
        self.removed = from.removed;
        self.replace_bodies_inside_areas(&from.inside);
    }

    /// Takes over the overlaps of other bodies.
    fn replace_bodies_inside_areas(&mut self, inside: &[Inside]) {
        inside.clone_into(&mut self.inside);
        self.inside_version = Version::next();
        self.zones.clear();
    }
}

/// Saved areas of a world.
#[cfg(feature = "record")]
#[derive(Clone, Debug, Default)]
pub(crate) struct SavedAreas {
    pub(crate) slots: Slots,
    pub(crate) version: Version,
    /// In the order of the filled slots.
    pub(crate) areas: Vec<SharedArea>,
    pub(crate) inside: Vec<Inside>,
}

#[cfg(feature = "record")]
impl Areas {
    /// Captures the areas in existing memory.
    pub(super) fn capture_into(&self, into: &mut SavedAreas) {
        if into.version != self.version {
            into.slots.copy(&self.slots);
            into.areas.clear();
            into.areas.extend(self.states.iter().flatten().map(|state| state.shared.clone()));
            into.version = self.version;
        }
        copy_list(&mut into.inside, &self.inside);
    }

    /// Restores areas. Carried areas still have to be [moved](Areas::move_with_carriers) to their carriers.
    pub(super) fn restore(&mut self, from: &SavedAreas) {
        if self.version == from.version {
            if self.is_idle() && from.inside.is_empty() {
                return;
            }
        } else {
            self.slots.copy(&from.slots);
            self.version = from.version;
            self.states.clear();
            let mut areas = from.areas.iter();
            let versions = from.slots.versions().iter();
            self.states.extend(versions.map(|version| {
                if version % 2 == 1 { areas.next().map(|area| AreaState::new(area.clone())) } else { None }
            }));
        }
        self.removed = true;
        self.replace_bodies_inside_areas(&from.inside);
    }
}

#[cfg(feature = "record")]
impl World {
    /// Returns the first invalid area of a snapshot from a file, with its index and error.
    pub(super) fn first_invalid_area(&self) -> Option<(usize, AreaError)> {
        let names = self.map.collision_layers().len();
        self.areas.iter().enumerate().find_map(|(i, (_, state))| {
            let layers = check_mask(state.fields().collision_mask, names).map_err(AreaError::from);
            layers.and_then(|()| self.check_carrier(&state.fields().attached_to)).err().map(|error| (i, error))
        })
    }
}

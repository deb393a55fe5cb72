use super::areas::SavedAreas;
use super::bodies::Bodies;
use super::character::Timers;
use super::near::{leave, settle_in};
use super::painted::Painted;
use super::pauses::Pause;
use super::platforms::{Baked, SavedPlatforms};
use super::slots::Slots;
use super::state::{Cold, Known, Lifted, Now};
use super::step::passes;
use super::{BodyState, Held, Kind, Settings, World};
use crate::checksum::Checksum;
use crate::command::Command;
use crate::event::{BodyId, Event};
use crate::map::TileId;
use crate::motion::{Scene, Surface};
use crate::platform::Platform;
use crate::snapshot::{SnapshotError, SnapshotErrorKind};
use crate::terrain::{Piece, Role, Terrain};
use crate::text::Step::{Field, Item};
use crate::version::Version;
use glam::{DVec2, I8Vec2};
use smallvec::SmallVec;
use std::slice;
use std::sync::Arc;
use surefoot_geometry::Position;

/// State of a world at one tick, without the map. [`World::capture`] makes a snapshot, [`World::restore`] returns a
/// world to it.
///
/// After a restore the simulation continues exactly as if it had never stopped: bodies, tiles, events and the ids of
/// bodies spawned later are equal to the bit. A snapshot fits only a world on the same map with equal settings. Markers,
/// names and properties of the map do not count, so a snapshot still fits after a marker has moved.
///
/// A snapshot contains nothing of your game outside the world, such as the score. To save both in one file, write the
/// bytes of [`Snapshot::to_bytes`] together with the data of your game.
///
/// The memory of a snapshot is proportional to the number of bodies and changed tiles. To capture often, pass the
/// same snapshot to [`World::capture_into`] again. Once the lists of that snapshot have grown, such a capture
/// allocates nothing. Each capture copies the motion of all bodies. It copies spawned bodies, character properties
/// and set tiles only if they changed since the previous capture.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "===="])"#)?;
/// let mut world = World::new(map, Settings::default());
/// let ball = world.spawn(Body::new(Shape::circle(0.3)).at((0.5, 1.5)).velocity((2.0, 0.0)))?;
/// let saved = world.capture();
/// world.step();
/// let after = world[ball].position();
///
/// world.restore(&saved)?;
/// assert_eq!(world.tick(), 0);
/// world.step();
/// assert_eq!(world[ball].position(), after);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Identifies the map; see [`World::identity`].
    pub(crate) identity: Checksum,
    pub(crate) settings: Settings,
    pub(crate) tick: u64,
    pub(crate) slots: Slots,
    /// Configurations of the bodies, in the order of their slots.
    pub(crate) kinds: Vec<Arc<Kind>>,
    /// Version of the slots and the configurations.
    pub(crate) version: Version,
    pub(crate) body_count: Vec<Saved>,
    /// Contacts of all bodies, one body after the other.
    pub(crate) surfaces: Vec<Surface>,
    /// Paths of bodies with more than one straight part.
    pub(crate) ways: Vec<Position>,
    pub(crate) events: Vec<Event>,
    pub(crate) given: Vec<Command>,
    pub(crate) pending: Vec<Command>,
    pub(crate) painted: Painted,
    pub(crate) platforms: SavedPlatforms,
    pub(crate) areas: SavedAreas,
    /// Platforms that were read and not baked yet. They replace the baked ones.
    pub(crate) unbaked: Vec<Platform>,
    /// Last velocities of the rides that still matter to a body, in the order of their slots.
    pub(crate) lifts: Vec<(BodyId, Lifted)>,
    /// Reference velocities of bodies that do not touch the platform that carries them.
    pub(crate) carried: Vec<(BodyId, DVec2)>,
    pub(crate) grips: Vec<Held>,
    /// Timers of characters that have any, in the order of their slots.
    pub(crate) timers: Vec<(BodyId, Timers)>,
    pub(crate) pauses: Vec<(BodyId, Pause)>,
    /// Whether any body may be marked for a recheck.
    pub(crate) disturbed: bool,
    /// Whether it comes from a file, so that a load must check it against the terrain.
    pub(crate) unverified: bool,
}

/// A body in a snapshot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Saved {
    pub(crate) now: Now,
    /// Number of its contacts.
    pub(crate) touched: u32,
    /// Number of the parts of its path. [`Saved::STRAIGHT`] for a straight path to its position, which is not stored.
    pub(crate) way: u32,
}

impl Saved {
    /// Marks a straight path, as most bodies have.
    pub(crate) const STRAIGHT: u32 = u32::MAX;

    /// A placeholder, to be overwritten.
    const NONE: Saved = Saved { now: Now::NONE, touched: 0, way: 0 };
}

impl Default for Snapshot {
    /// Returns an empty snapshot, to be filled by [`World::capture_into`].
    fn default() -> Snapshot {
        Snapshot {
            identity: Checksum(0),
            settings: Settings::default(),
            tick: 0,
            slots: Slots::default(),
            kinds: Vec::new(),
            version: Version::FIRST,
            body_count: Vec::new(),
            surfaces: Vec::new(),
            ways: Vec::new(),
            events: Vec::new(),
            given: Vec::new(),
            pending: Vec::new(),
            painted: Painted::default(),
            platforms: SavedPlatforms::default(),
            areas: SavedAreas::default(),
            unbaked: Vec::new(),
            lifts: Vec::new(),
            carried: Vec::new(),
            grips: Vec::new(),
            timers: Vec::new(),
            pauses: Vec::new(),
            disturbed: false,
            unverified: false,
        }
    }
}

impl Snapshot {
    /// Returns a snapshot of bodies that belong to no world yet.
    pub(crate) fn unloaded() -> Snapshot {
        Snapshot { version: Version::next(), ..Snapshot::default() }
    }

    /// Returns a snapshot of a world without bodies on the map of that identity.
    #[doc(hidden)]
    pub fn empty(identity: Checksum, settings: Settings) -> Snapshot {
        Snapshot { identity, settings, ..Snapshot::unloaded() }
    }

    /// Identifies the map; see [`World::identity`].
    #[doc(hidden)]
    pub fn identity(&self) -> Checksum {
        self.identity
    }

    /// Returns the tick of the snapshot: the number of ticks that the captured world had been stepped.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the settings of the captured world. [`World::restore`] refuses the snapshot in a world with other settings.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Returns the number of bodies in the snapshot.
    #[must_use]
    pub fn body_count(&self) -> usize {
        self.body_count.len()
    }
}

impl World {
    /// Returns a snapshot of the current state. To capture often, reuse one snapshot with [`World::capture_into`].
    #[must_use]
    pub fn capture(&self) -> Snapshot {
        let mut snapshot = Snapshot::default();
        self.capture_into(&mut snapshot);
        snapshot
    }

    /// Captures the current state of the world into an existing snapshot and reuses the memory of that snapshot.
    ///
    /// The snapshot of a [streamed](World::streamed) world does not say which tiles are loaded or kept loaded by
    /// [`World::keep_loaded`].
    pub fn capture_into(&self, into: &mut Snapshot) {
        (into.identity, into.settings, into.tick, into.unverified) = (self.identity, self.settings, self.tick, false);
        if into.version != self.bodies.version {
            into.slots.copy(&self.bodies.slots);
            into.kinds.clear();
            into.kinds.extend(self.bodies.values().map(|state| state.kind.clone()));
            into.version = self.bodies.version;
        }
        self.platforms.save(&mut into.platforms);
        self.areas.save(&mut into.areas);
        into.unbaked.clear();
        into.lifts.clear();
        into.carried.clear();
        if self.platforms.were_there() {
            into.lifts.extend(self.bodies.iter().filter_map(|(id, state)| Some((id, state.lift()?))));
        }
        into.timers.clear();
        if self.bodies.may_time() {
            let of_body =
                |(id, state): (BodyId, &BodyState)| Some((id, state.timers())).filter(|(_, t)| *t != Timers::NONE);
            into.timers.extend(self.bodies.iter().filter_map(of_body));
        }
        into.carried.extend(self.carried_by_bodies());
        into.grips.clone_from(&self.held_bodies);
        into.pauses.clone_from(&self.pauses);
        into.painted.copy(&self.painted);
        into.disturbed = self.disturbed;
        into.events.clone_from(&self.events);
        into.given.clone_from(&self.given);
        into.pending.clone_from(&self.pending);
        into.surfaces.clear();
        into.ways.clear();
        into.body_count.resize(self.bodies.len(), Saved::NONE);
        let mut bodies = into.body_count.iter_mut();
        for state in self.bodies.values() {
            let Some(saved) = bodies.next() else { break };
            let now = &state.now;
            copy(&mut saved.now, now);
            let (touched, path) =
                state.cold.as_ref().map_or((&[][..], &[][..]), |cold| (&cold.touched[..], &cold.path[..]));
            saved.touched = touched.len() as u32;
            match touched {
                [] => {}
                [one] => into.surfaces.push(*one),
                more => into.surfaces.extend_from_slice(more),
            }
            saved.way = match *path {
                [] if now.position == now.previous => 0,
                // The last part ends at the position of the body.
                [] | [_] => Saved::STRAIGHT,
                _ => {
                    into.ways.extend_from_slice(path);
                    path.len() as u32
                }
            };
        }
    }

    /// Returns the world to the state in `from`, captured from this world or from another world on the same map.
    ///
    /// The call takes time in proportion to the number of bodies and of tiles that differ. The next step is slower
    /// than usual, because it fills caches again.
    ///
    /// # Errors
    /// Returns [`SnapshotError`] in each of these cases. The world then stays unchanged.
    ///
    /// - [`SnapshotErrorKind::OtherMap`] if the snapshot belongs to another map.
    /// - [`SnapshotErrorKind::OtherSettings`] if any bit of the [`Settings`] differs. To continue the snapshot,
    ///   create a world with [`Snapshot::settings`].
    /// - Other kinds of [`SnapshotErrorKind`] if a snapshot from a file contradicts the tiles of the world: invalid
    ///   tiles, contacts with surfaces that do not exist, or a wrong `stuck` field of a body.
    pub fn restore(&mut self, from: &Snapshot) -> Result<(), SnapshotError> {
        // Check the map first: on another map, different settings do not matter.
        if from.identity == self.identity
            && let Some(setting) = from.settings.first_difference(&self.settings)
        {
            let (found, expected) = (Box::new(from.settings), Box::new(self.settings));
            return Err(SnapshotErrorKind::OtherSettings { setting, found, expected }.at(&[]));
        }
        self.load_with_settings(from)
    }

    /// Loads a snapshot as [`World::restore_state`] does, and takes over its settings.
    #[doc(hidden)]
    pub fn load_with_settings(&mut self, from: &Snapshot) -> Result<(), SnapshotError> {
        if from.identity != self.identity {
            return Err(SnapshotErrorKind::OtherMap { found: from.identity, expected: self.identity }.at(&[]));
        }
        let baked;
        let from = if from.unbaked.is_empty() {
            from
        } else {
            baked = self.baked(from)?;
            &baked
        };
        let before = if from.unverified { Some(self.capture()) } else { None };
        let done = self.restore_state(from);
        let done = done.and_then(|()| if from.unverified { self.check_bodies() } else { Ok(()) });
        if let (Err(_), Some(before)) = (&done, before) {
            // The world's own former state always fits it.
            let _ = self.restore_state(&before);
        }
        done
    }

    fn restore_state(&mut self, from: &Snapshot) -> Result<(), SnapshotError> {
        self.outdate();
        self.repaint(&from.painted)?;
        (self.settings, self.tick) = (from.settings, from.tick);
        self.events.clone_from(&from.events);
        self.given.clone_from(&from.given);
        self.pending.clone_from(&from.pending);
        if self.bodies.version != from.version || from.unverified {
            let World { bodies, terrain, .. } = self;
            bodies.become_those_of(from, |state| leave(terrain, state));
        }
        if !self.terrain.lets_pass().is_empty() {
            from.kinds.iter().for_each(|kind| self.prepare(kind.collision_layers));
        }
        let (mut surfaces, mut ways) = (from.surfaces.iter(), from.ways.iter());
        let mut bodies = from.body_count.iter();
        for state in self.bodies.values_mut() {
            let Some(saved) = bodies.next() else { break };
            copy(&mut state.now, &saved.now);
            state.known = Known::NOTHING;
            // A straight path is stored only if the positions do not determine it.
            let is_told = saved.way == 0 || (saved.way == Saved::STRAIGHT && state.now.position != state.now.previous);
            if state.cold.is_none() && saved.touched == 0 && is_told {
                continue;
            }
            let Cold { touched, path, invalid, lift, timers, .. } = &mut **state.cold.get_or_insert_default();
            match (saved.touched, touched.as_mut_slice()) {
                (0, []) => {}
                (1, [one]) => surfaces.next().into_iter().for_each(|surface| *one = *surface),
                (count, _) => refill(touched, &mut surfaces, count as usize),
            }
            match saved.way {
                _ if is_told && path.is_empty() => {}
                _ if is_told => path.clear(),
                Saved::STRAIGHT => {
                    path.clear();
                    path.push(state.now.position);
                }
                count => {
                    path.clear();
                    path.extend(ways.by_ref().take(count as usize));
                }
            }
            // The cached pieces are relative to the old position.
            (*invalid, *lift, *timers) = (true, None, Timers::NONE);
        }
        for (body, lift) in &from.lifts {
            if let Some(state) = self.bodies.get_mut(*body) {
                state.cold().lift = Some(*lift);
            }
        }
        for (body, timers) in &from.timers {
            if let Some(state) = self.bodies.get_mut(*body) {
                state.set_timers(*timers);
            }
        }
        self.platforms.restore(&from.platforms, self.settings.tick);
        let scene = self.platforms.scene(&self.terrain, &self.settings);
        for state in self.bodies.values_mut() {
            let carried = state.carried_by(&scene);
            let bits = |velocity: DVec2| velocity.to_array().map(f64::to_bits);
            if bits(carried) != bits(state.carried()) {
                state.cold().carried = carried;
            }
        }
        for (body, carried) in &from.carried {
            if let Some(state) = self.bodies.get_mut(*body) {
                state.cold().carried = *carried;
            }
        }
        self.held_bodies.clone_from(&from.grips);
        self.pauses.clone_from(&from.pauses);
        self.areas.restore(&from.areas);
        self.areas.follow(&self.platforms, &self.bodies);
        self.disturbed = from.disturbed;
        if self.terrain.is_streamed() {
            for state in self.bodies.values_mut() {
                settle_in(&mut self.terrain, &self.settings, state);
            }
        }
        Ok(())
    }

    /// Bakes the platforms of a snapshot from a file for this world.
    fn baked(&self, from: &Snapshot) -> Result<Snapshot, SnapshotError> {
        let mut from = from.clone();
        for (i, (platform, now)) in from.unbaked.drain(..).zip(&from.platforms.moves).enumerate() {
            let at = [Field("platforms"), Item(i)];
            let baked = Baked::new(platform, &self.map, from.settings.tick);
            let baked = baked.map_err(|error| SnapshotErrorKind::Platform(error).at(&at))?;
            if !baked.allows(now) {
                return Err(SnapshotErrorKind::Number.at(&at));
            }
            from.platforms.baked.push(Arc::new(baked));
        }
        Ok(from)
    }

    /// Sets all tiles to those of a snapshot, or leaves all unchanged on an error. Does not update bodies.
    fn repaint(&mut self, painted: &Painted) -> Result<(), SnapshotError> {
        if painted.version() == self.painted.version() {
            return Ok(());
        }
        let before = self.painted.clone();
        let done = self.paint_like(painted);
        if done.is_err() {
            // The former edits are always valid.
            let _ = self.paint_like(&before);
        }
        done
    }

    fn paint_like(&mut self, painted: &Painted) -> Result<(), SnapshotError> {
        let mut left = self.painted.differing(painted);
        // If layers share a cell, a tile can conflict with a tile that is changed later. Retry the refused cells.
        while !left.is_empty() {
            let count = left.len();
            let mut refused = None;
            left.retain(|&(layer, tile)| {
                let entry = painted.get(layer, tile).or_else(|| self.as_it_came(layer, tile));
                let Some(Err(error)) = entry.map(|entry| self.paint(layer, tile, tile, entry)) else { return false };
                refused = Some((layer, tile, error));
                true
            });
            let Some((layer, tile, error)) = refused.filter(|_| left.len() == count) else { continue };
            // No order works: clear the remaining cells first, once each.
            let is_empty = self.tile_at(layer, tile) == Some(TileId::EMPTY);
            if is_empty || self.paint(layer, tile, tile, TileId::EMPTY).is_err() {
                return Err(SnapshotErrorKind::Tile { layer, tile, error }.at(&[]));
            }
        }
        self.painted.copy(painted);
        Ok(())
    }

    /// Checks bodies from a file against the terrain, and areas against the map.
    fn check_bodies(&self) -> Result<(), SnapshotError> {
        if let Some((i, error)) = self.wrong_area() {
            return Err(SnapshotErrorKind::Area(error).at(&[Field("areas"), Field("areas"), Item(i)]));
        }
        let scene = self.platforms.scene(&self.terrain, &self.settings);
        for (i, (id, state)) in self.bodies.iter().enumerate() {
            let scene = scene.of_layers(state.kind.collision_layers);
            let layers = state.kind.check_layers(self.map.collision_layers().len());
            layers.map_err(|error| SnapshotErrorKind::CollisionLayer { body: id, error }.of_body(i, "kind"))?;
            for surface in state.touched() {
                let source = scene.around.source_of(surface);
                let (terrain, tile) = (source.terrain, source.tile(surface.at));
                let is_there = is_there(terrain, tile, surface) || is_there(terrain.dropped(), tile, surface);
                // An edit since the last step is processed before the next one reads its contacts.
                let was_there = state.now.disturbed && is_possible(surface);
                if source.owner != surface.owner || !is_there && !was_there {
                    return Err(SnapshotErrorKind::NoSurface { body: id, tile }.of_body(i, "touched"));
                }
            }
            if is_told_wrong(&scene, state) {
                return Err(SnapshotErrorKind::Stuck { body: id, is_said: state.now.stuck }.of_state(i, "stuck"));
            }
        }
        Ok(())
    }
}

/// Fills a list with the next `count` items of an iterator. There are usually few, so a call to copy bytes would cost
/// more than the copy.
#[inline(always)]
fn refill<A: smallvec::Array<Item: Copy>>(list: &mut SmallVec<A>, next: &mut slice::Iter<'_, A::Item>, count: usize) {
    if list.len() == count {
        list.iter_mut().zip(next).for_each(|(position, item)| *position = *item);
        return;
    }
    list.clear();
    next.take(count).for_each(|item| list.push(*item));
}

/// Copies all bytes at once. An assignment would copy field by field.
#[inline(always)]
fn copy(to: &mut Now, from: &Now) {
    slice::from_mut(to).copy_from_slice(slice::from_ref(from));
}

/// Returns whether the stuck flag of a body contradicts the terrain and the next step would not correct it.
fn is_told_wrong(scene: &Scene<'_>, state: &BodyState) -> bool {
    let overlaps = !passes(state) && scene.overlaps_terrain(state.kind.shape, state.now.position);
    !state.now.disturbed && state.now.stuck != overlaps
}

/// Returns whether a surface could belong to some terrain.
fn is_possible(surface: &Surface) -> bool {
    let is_position = Position::from_units(surface.at.x, surface.at.y).is_some();
    is_position && (surface.piece.role != Role::Face || surface.piece.normal != I8Vec2::ZERO)
}

/// Returns whether a surface belongs to a terrain. An arc may have been joined with one of another terrain at its
/// corner.
fn is_there(terrain: &Terrain, (x, y): (i32, i32), surface: &Surface) -> bool {
    let cell = terrain.cell(x, y);
    let pieces = match surface.piece.role {
        Role::Arc => terrain.circle_pieces(cell),
        Role::Face | Role::Vertex => terrain.box_pieces(cell),
    };
    // Beyond the valid positions, the terrain answers as at its border.
    let is_position = Position::from_units(surface.at.x, surface.at.y).is_some();
    let is_joined = |piece: &Piece| {
        let corner = |piece: &Piece| (piece.role == Role::Arc, piece.edge, piece.a, piece.b);
        piece.role == Role::Arc && corner(piece) == corner(&surface.piece)
    };
    is_position && (pieces.contains(&surface.piece) || pieces.iter().any(is_joined))
}

impl Bodies {
    /// Prepares the slots for the bodies of a snapshot. Calls `leaves` with each body that is not in the snapshot.
    fn become_those_of(&mut self, from: &Snapshot, mut leaves: impl FnMut(&mut BodyState)) {
        for (id, state) in self.iter_mut() {
            if from.slots.slot(id).is_none() {
                leaves(state);
            }
        }
        self.slots.copy(&from.slots);
        self.version = from.version;
        self.hash.take();
        let mut bodies = from.kinds.iter().zip(&from.body_count);
        let (slots, states, of_kinds, spare) = self.parts_mut();
        of_kinds.take_settings(&from.settings);
        spare.extend(states.drain(slots.versions().len().min(states.len())..).flatten());
        states.resize_with(slots.versions().len(), || None);
        for (state, version) in states.iter_mut().zip(slots.versions()) {
            if version % 2 == 0 {
                spare.extend(state.take());
                continue;
            }
            let Some((kind, saved)) = bodies.next() else { break };
            let kind = of_kinds.intern(kind.given());
            match state {
                Some(state) => state.kind = kind,
                None => {
                    *state = Some(match spare.pop() {
                        Some(spare) => spare.reusing(kind, saved.now),
                        None => BodyState::new(kind, saved.now),
                    });
                }
            }
        }
        self.drop_unused_kinds();
        self.find_what_may_be();
    }
}

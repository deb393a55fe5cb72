use super::areas::SavedAreas;
use super::near::{release_chunks, try_load_whole_reach};
use super::painted::Painted;
use super::platforms::{Baked, SavedPlatforms};
use super::saved_bodies::SavedBodies;
use super::step::passes_through_everything;
use super::tick_log::{TickLog, copy_list};
use super::{BodyState, Held, Settings, World};
use crate::checksum::Checksum;
use crate::map::TileId;
use crate::motion::{Scene, Surface};
use crate::platform::PlatformId;
use crate::snapshot::{SnapshotError, SnapshotErrorKind};
use crate::terrain::{Piece, Role, Terrain};
use crate::text::Step::{Field, Item};
use crate::version::Version;
use glam::I8Vec2;
use std::sync::Arc;
use surefoot_geometry::Position;

/// State of a world at one tick, without the map. [`World::capture`] makes a snapshot, [`World::restore`] returns a
/// world to it.
///
/// After a restore the simulation continues exactly as if it had never stopped: bodies, tiles, events and the ids of
/// bodies spawned later are equal to the bit. A snapshot fits only a world on the same map with equal settings.
/// Markers, names and properties of the map do not count, so a snapshot still fits after a marker has moved.
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
    pub(crate) bodies: SavedBodies,
    pub(crate) held_bodies: Vec<Held>,
    pub(crate) painted: Painted,
    pub(crate) platforms: SavedPlatforms,
    pub(crate) areas: SavedAreas,
    pub(crate) log: TickLog,
    /// Whether any body may be marked for a recheck.
    pub(crate) disturbed: bool,
    /// Whether the snapshot comes from a file, so that a restore must check it against the terrain.
    pub(crate) unverified: bool,
}

impl Default for Snapshot {
    /// Returns an empty snapshot, to be filled by [`World::capture_into`].
    fn default() -> Snapshot {
        Snapshot {
            identity: Checksum(0),
            settings: Settings::default(),
            tick: 0,
            bodies: SavedBodies::default(),
            held_bodies: Vec::new(),
            painted: Painted::default(),
            platforms: SavedPlatforms::default(),
            areas: SavedAreas::default(),
            log: TickLog::default(),
            disturbed: false,
            unverified: false,
        }
    }
}

impl Snapshot {
    /// Returns a snapshot of bodies that belong to no world yet.
    pub(crate) fn empty_without_world() -> Snapshot {
        Snapshot { bodies: SavedBodies::empty_without_world(), ..Snapshot::default() }
    }

    /// Returns a snapshot of a world without bodies on the map of that identity.
    #[doc(hidden)]
    pub fn empty(identity: Checksum, settings: Settings) -> Snapshot {
        Snapshot { identity, settings, ..Snapshot::empty_without_world() }
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

    /// Returns the settings of the captured world. [`World::restore`] refuses the snapshot in a world with other
    /// settings.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Returns the number of bodies in the snapshot.
    #[must_use]
    pub fn body_count(&self) -> usize {
        self.bodies.states.len()
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
        let Snapshot { bodies, held_bodies, painted, platforms, areas, log, .. } = into;
        self.bodies.capture_into(bodies);
        bodies.predicted_in = self.terrain_version_of_predictions();
        self.capture_extras(&mut bodies.extras);
        copy_list(held_bodies, &self.held_bodies);
        painted.copy(&self.painted);
        self.platforms.capture_into(platforms);
        self.areas.capture_into(areas);
        log.copy(&self.log);
        (into.identity, into.settings, into.tick) = (self.identity, self.settings, self.tick);
        (into.disturbed, into.unverified) = (self.bodies.disturbed, false);
    }

    /// Returns the world to the state in `from`, captured from this world or from another world on the same map.
    ///
    /// The call takes time in proportion to the number of bodies and of tiles that differ. If a body was elsewhere, the
    /// next step is slower than usual, because it fills caches again.
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
            return Err(SnapshotErrorKind::OtherSettings { setting, found, expected }.at_field(&[]));
        }
        self.load_with_settings(from)
    }

    /// Loads a snapshot as [`World::restore_state`] does, and takes over its settings.
    #[doc(hidden)]
    pub fn load_with_settings(&mut self, from: &Snapshot) -> Result<(), SnapshotError> {
        if from.identity != self.identity {
            return Err(SnapshotErrorKind::OtherMap { found: from.identity, expected: self.identity }.at_field(&[]));
        }
        let baked;
        let from = if from.platforms.unbaked.is_empty() {
            from
        } else {
            baked = self.bake_platforms_of_snapshot(from)?;
            &baked
        };
        let before = if from.unverified { Some(self.capture()) } else { None };
        let done = self.restore_state(from);
        let done = done.and_then(|()| if from.unverified { self.check_bodies() } else { Ok(()) });
        if let (Err(_), Some(before)) = (&done, before) {
            // This cannot fail: the world was in this state before.
            let _ = self.restore_state(&before);
        }
        done
    }

    /// Returns the version of the terrain if the next ticks of each body depend only on its state and on the terrain.
    /// Then predictions hold for every world with the same bodies and that terrain.
    fn terrain_version_of_predictions(&self) -> Option<Version> {
        // Pauses and held bodies need no test: they change a body through `BodyState::change`, which drops its
        // prediction.
        let is_alone =
            self.has_only_terrain() && !self.platforms.has_ever_had_any() && !self.areas.has_area_affecting_motion();
        is_alone.then(|| self.terrain.version())
    }

    fn restore_state(&mut self, from: &Snapshot) -> Result<(), SnapshotError> {
        self.invalidate_world_caches();
        self.restore_tiles(&from.painted)?;
        // Equal versions of the bodies mean equal settings too. Every edit changes the version of the terrain.
        let are_predicted = self.bodies.version.version() == from.bodies.version
            && from.bodies.predicted_in.is_some()
            && from.bodies.predicted_in == self.terrain_version_of_predictions();
        (self.settings, self.tick, self.bodies.disturbed) = (from.settings, from.tick, from.disturbed);
        self.log.copy(&from.log);
        if self.bodies.version.version() != from.bodies.version {
            let World { bodies, terrain, .. } = self;
            bodies.prepare_slots_for(&from.bodies, &from.settings, |state| release_chunks(terrain, state));
        }
        if !self.terrain.layers_let_through().is_empty() {
            from.bodies.kinds.iter().for_each(|kind| self.prepare_for_layers(kind.collision_layers));
        }
        self.bodies.restore(&from.bodies, are_predicted);
        let were_platforms = self.platforms.has_ever_had_any();
        self.platforms.restore(&from.platforms, self.settings.tick);
        self.restore_extras(&from.bodies.extras, were_platforms || self.platforms.has_ever_had_any());
        copy_list(&mut self.held_bodies, &from.held_bodies);
        self.areas.restore(&from.areas);
        self.areas.move_with_carriers(&self.platforms, &self.bodies);
        if self.terrain.is_streamed() {
            for state in self.bodies.values_mut() {
                try_load_whole_reach(&mut self.terrain, &self.settings, state);
            }
        }
        Ok(())
    }

    /// Bakes the platforms of a snapshot from a file for this world. A platform with the tiles that it has in this
    /// world takes over that terrain.
    fn bake_platforms_of_snapshot(&self, from: &Snapshot) -> Result<Snapshot, SnapshotError> {
        let mut from = from.clone();
        let unbaked = std::mem::take(&mut from.platforms.unbaked);
        let ids: Vec<PlatformId> = from.platforms.slots.filled_ids().collect();
        let moves = from.platforms.moves.iter();
        for (i, ((platform, id), now)) in unbaked.into_iter().zip(ids).zip(moves).enumerate() {
            let at = [Field("platforms"), Item(i)];
            let known = self.platforms.get(id).map(|state| &*state.baked);
            let baked = Baked::new(platform, known, &self.map, from.settings.tick);
            let baked = baked.map_err(|error| SnapshotErrorKind::Platform(error).at_field(&at))?;
            if !baked.is_valid_state(now) {
                return Err(SnapshotErrorKind::Number.at_field(&at));
            }
            from.platforms.baked.push(Arc::new(baked));
        }
        Ok(from)
    }

    /// Sets all tiles to those of a snapshot, or leaves all unchanged on an error. Does not update bodies.
    fn restore_tiles(&mut self, painted: &Painted) -> Result<(), SnapshotError> {
        if painted.version() == self.painted.version() {
            return Ok(());
        }
        let before = self.painted.clone();
        let done = self.restore_painted_tiles(painted);
        if done.is_err() {
            // This cannot fail: these edits were valid before.
            let _ = self.restore_painted_tiles(&before);
        }
        done
    }

    fn restore_painted_tiles(&mut self, painted: &Painted) -> Result<(), SnapshotError> {
        let mut cells_left = self.painted.differing_cells(painted);
        // Tiles in several layers of one cell can conflict until the other layer is restored too. Retry the refused
        // cells.
        while !cells_left.is_empty() {
            let count = cells_left.len();
            let mut refused = None;
            cells_left.retain(|&(layer, tile)| {
                let entry = painted.get(layer, tile).or_else(|| self.tile_before_edits(layer, tile));
                let Some(Err(error)) = entry.map(|entry| self.fill_tiles(layer, tile, tile, entry)) else {
                    return false;
                };
                refused = Some((layer, tile, error));
                true
            });
            let Some((layer, tile, error)) = refused.filter(|_| cells_left.len() == count) else { continue };
            // If no order of the cells works, clear each remaining cell once and then set it.
            let is_empty = self.tile_at(layer, tile) == Some(TileId::EMPTY);
            if is_empty || self.fill_tiles(layer, tile, tile, TileId::EMPTY).is_err() {
                return Err(SnapshotErrorKind::Tile { layer, tile, error }.at_field(&[]));
            }
        }
        self.painted.copy(painted);
        Ok(())
    }

    /// Checks bodies from a file against the terrain, and areas against the map.
    fn check_bodies(&self) -> Result<(), SnapshotError> {
        if let Some((i, error)) = self.first_invalid_area() {
            return Err(SnapshotErrorKind::Area(error).at_field(&[Field("areas"), Field("areas"), Item(i)]));
        }
        let scene = self.platforms.scene(&self.terrain, &self.settings);
        for (i, (id, state)) in self.bodies.iter().enumerate() {
            let scene = scene.of_kind(&state.kind);
            let layers = state.kind.check_layers(self.map.collision_layers().len());
            layers.map_err(|error| SnapshotErrorKind::CollisionLayer { body: id, error }.with_body_field(i, "kind"))?;
            for surface in state.touched() {
                let source = scene.around.source_of(surface);
                let (terrain, tile) = (source.terrain, source.tile_at_offset(surface.at));
                let is_there = has_terrain_surface(terrain, tile, surface)
                    || has_terrain_surface(terrain.without_drop_through(), tile, surface);
                // An edit may have removed the tile since the last step. Accept the contact if the body is marked
                // because of an edit (`disturbed`): the next step finds its contacts again before it reads them.
                let was_there = state.now.disturbed && is_valid_surface(surface);
                if source.owner != surface.owner || !is_there && !was_there {
                    return Err(SnapshotErrorKind::NoSurface { body: id, tile }.with_body_field(i, "touched"));
                }
            }
            if has_wrong_stuck_flag(&scene, state) {
                return Err(
                    SnapshotErrorKind::Stuck { body: id, is_said: state.now.stuck }.with_state_field(i, "stuck")
                );
            }
        }
        Ok(())
    }
}

/// Returns whether the stuck flag of a body contradicts the terrain and the next step would not correct it.
fn has_wrong_stuck_flag(scene: &Scene<'_>, state: &BodyState) -> bool {
    let overlaps = !passes_through_everything(state) && scene.overlaps_terrain(state.kind.shape, state.now.position);
    !state.now.disturbed && state.now.stuck != overlaps
}

/// Returns whether a surface could belong to some terrain.
fn is_valid_surface(surface: &Surface) -> bool {
    let is_position = Position::from_units(surface.at.x, surface.at.y).is_some();
    is_position && (surface.piece.role != Role::Face || surface.piece.normal != I8Vec2::ZERO)
}

/// Returns whether a surface belongs to a terrain. An arc may have been joined with one of another terrain at its
/// corner.
fn has_terrain_surface(terrain: &Terrain, (x, y): (i32, i32), surface: &Surface) -> bool {
    let cell = terrain.cell(x, y);
    let pieces = match surface.piece.role {
        Role::Arc => terrain.circle_pieces(cell),
        Role::Face | Role::Vertex => terrain.box_pieces(cell),
    };
    // For a cell beyond the valid positions, a terrain returns the cell at its border. A surface there is not valid,
    // even if the cell at the border has such a piece.
    let is_position = Position::from_units(surface.at.x, surface.at.y).is_some();
    let is_joined = |piece: &Piece| {
        let corner = |piece: &Piece| (piece.role == Role::Arc, piece.edge, piece.a, piece.b);
        piece.role == Role::Arc && corner(piece) == corner(&surface.piece)
    };
    is_position && (pieces.contains(&surface.piece) || pieces.iter().any(is_joined))
}

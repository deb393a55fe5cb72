//! The simulation: [`World`], its settings and the state of its bodies, platforms and areas.

mod apply;
mod areas;
mod attached;
mod bodies;
mod character;
mod flags;
mod footing;
mod grips;
mod kinds;
mod near;
mod painted;
mod painted_platform;
mod patrol;
mod pauses;
mod placed_bodies;
mod platform_commands;
mod platforms;
mod query;
mod ridden;
#[cfg(feature = "record")]
mod saved_bodies;
mod settings;
pub(crate) mod slots;
#[cfg(feature = "record")]
mod snapshot;
mod state;
mod step;
mod tick_log;

#[cfg(feature = "record")]
use crate::checksum::{Checksum, checksum_of_map_and_source};
use crate::command::Command;
use crate::event::{BodyId, Event};
use crate::map::{Map, TileId, Value};
use crate::motion::{Contacts, Frame, MoveResult, Mover, Scene, Surroundings, Touching};
use crate::platform::PlatformId;
use crate::terrain::{Area, Terrain, TileCorners, TileSource};
use crate::version::Version;
pub use areas::AreaState;
use areas::Areas;
#[cfg(feature = "record")]
pub(crate) use areas::{Inside, SavedAreas};
use bodies::Bodies;
#[doc(hidden)]
pub use character::LastingAbility;
#[cfg(feature = "record")]
pub(crate) use character::Timers;
pub use character::{AbilityState, MotionMode};
#[cfg(test)]
pub(crate) use character::{Cling, JumpBuffer, Mode};
pub use footing::Footing;
pub use grips::{Held, HeldKind};
pub(crate) use kinds::Kind;
pub(crate) use painted::Painted;
pub use patrol::Patrol;
pub(crate) use pauses::Pause;
pub use platforms::PlatformState;
pub(crate) use platforms::Platforms;
use platforms::bake_all_platforms;
#[cfg(feature = "record")]
pub(crate) use platforms::{MAX_TICKS_APART, Moves, Pair, Pressed, SavedPlatforms};
#[cfg(feature = "record")]
pub(crate) use ridden::RideState;
#[cfg(feature = "record")]
pub(crate) use saved_bodies::{Extra, Saved, SavedBodies};
pub use settings::Settings;
pub(crate) use slots::Slots;
#[cfg(feature = "record")]
pub use snapshot::Snapshot;
pub use state::BodyState;
pub(crate) use state::Lifted;
pub(crate) use state::Now;
use std::collections::BTreeMap;
use std::sync::Arc;
pub(crate) use tick_log::TickLog;
#[cfg(feature = "record")]
pub(crate) use tick_log::copy_list;

/// The simulation: a map with its bodies, platforms and areas. [`World::step`] advances the simulation by one tick.
///
/// Two worlds that get the same commands in the same ticks are equal bit for bit, on every machine.
///
/// A clone continues exactly as the original does. To clone often, for example in a search over many moves, use
/// [`Clone::clone_from`]: it reuses the memory of an existing world.
#[derive(Debug)]
pub struct World {
    map: Arc<Map>,
    /// Identifies the map and the source; see [`World::identity`].
    #[cfg(feature = "record")]
    identity: Checksum,
    terrain: Terrain,
    pub(crate) platforms: Platforms,
    pub(crate) areas: Areas,
    /// In the order of the slots of the held bodies.
    pub(crate) held_bodies: Vec<Held>,
    /// In the order of the slots of the paused bodies.
    pub(crate) pauses: Vec<(BodyId, Pause)>,
    pub(crate) settings: Settings,
    pub(crate) tick: u64,
    pub(crate) bodies: Bodies,
    pub(crate) log: TickLog,
    /// Tiles edited at run time.
    pub(crate) painted: Painted,
    scratch: step::StepScratch,
    /// Chunks of a streamed world that the game keeps loaded in addition to those of bodies.
    view: Area,
    /// Caches of queries, not part of the saved state.
    queries: query::QueryMemory,
}

impl World {
    /// Maximum number of bodies in a world: 16,777,216.
    pub const MAX_BODIES: usize = crate::command::MAX_BODIES;

    /// Creates a world on `map`, with the platforms and areas of the map and without bodies. [`World::from_map`] also
    /// spawns the bodies of the map.
    ///
    /// # Panics
    /// Panics if [`Settings::check`] fails.
    #[must_use]
    pub fn new(map: impl Into<Arc<Map>>, settings: Settings) -> World {
        let map = map.into();
        let terrain = Terrain::bake(&map);
        World::from_parts(map, terrain, settings)
    }

    /// Creates a world on `map` that reuses `terrain`, the collision geometry that [`Terrain::bake`] made for `map`.
    ///
    /// Many worlds on one map start faster with clones of one terrain.
    ///
    /// If `terrain` belongs to another map or its tiles were edited, the world bakes a new one.
    ///
    /// # Panics
    /// Panics if [`Settings::check`] fails.
    #[must_use]
    pub fn with_terrain(map: impl Into<Arc<Map>>, terrain: Terrain, settings: Settings) -> World {
        let map = map.into();
        let terrain = if terrain.matches_map(&map) { terrain } else { Terrain::bake(&map) };
        World::from_parts(map, terrain, settings)
    }

    /// Creates a world whose tiles come from `source`, for an endless map or one that does not fit in memory.
    ///
    /// `template` gives the tile shapes (catalogue), legend, tile layers, borders, platforms, areas and pixels per
    /// tile: see [`Terrain::streamed`]. The tiles of `template` are not used. Your game can read its markers and
    /// properties.
    ///
    /// The world loads the chunks (32 by 32 tiles) around each body before the body moves, and drops the chunks when
    /// the body has left. Which chunks are loaded never affects results: they equal bit for bit the results on a
    /// fully loaded map.
    ///
    /// The number of bodies bounds the memory. A body of a few tiles, at usual speed, keeps 4 to 9 chunks loaded around
    /// its position. Up to as many chunks around the previous position of the body can stay loaded too. A body that
    /// crosses many tiles in one tick loads and drops the chunks on its path within that tick.
    ///
    /// # Panics
    /// Panics if [`Settings::check`] fails.
    ///
    /// # Examples
    /// See [`TileSource`].
    #[must_use]
    pub fn streamed(template: impl Into<Arc<Map>>, source: Arc<dyn TileSource>, settings: Settings) -> World {
        let map = template.into();
        let terrain = Terrain::streamed(&map, source);
        World::from_parts(map, terrain, settings)
    }

    fn from_parts(map: Arc<Map>, terrain: Terrain, settings: Settings) -> World {
        if let Err(error) = settings.check() {
            panic!("invalid settings: {error}");
        }
        let mut platforms = bake_platforms_of_new_world(&map, &settings);
        platforms.prepare_for_layers_of(&terrain);
        let areas = Areas::of_new_world(&map, &platforms);
        World {
            #[cfg(feature = "record")]
            identity: checksum_of_map_and_source(&map, &terrain),
            map,
            terrain,
            platforms,
            areas,
            held_bodies: Vec::new(),
            pauses: Vec::new(),
            settings,
            tick: 0,
            bodies: Bodies::new(settings),
            log: TickLog::default(),
            painted: Painted::default(),
            scratch: step::StepScratch::default(),
            view: Area::NONE,
            queries: query::QueryMemory::default(),
        }
    }

    /// Begins another moment, because something other than a tick changes the world. The caches of the whole world
    /// compare moments when they are used. The caches of a body belong to [`BodyState::change`].
    fn invalidate_world_caches(&mut self) {
        self.bodies.moment = Version::next();
    }

    /// Replaces the platforms and areas by those of a new world on the map.
    #[cfg(feature = "record")]
    #[doc(hidden)]
    pub fn restart_platforms(&mut self) {
        self.invalidate_world_caches();
        self.platforms = bake_platforms_of_new_world(&self.map, &self.settings);
        self.platforms.prepare_for_layers_of(&self.terrain);
        self.areas = Areas::of_new_world(&self.map, &self.platforms);
    }

    /// Returns the state of `platform`, or `None` if the platform is not in the world.
    #[must_use]
    pub fn platform(&self, platform: PlatformId) -> Option<&PlatformState> {
        self.platforms.get(platform)
    }

    /// Returns the id of the platform named `name`, or `None`. If `name` is empty, returns the
    /// platform with the lowest id among those without a name.
    #[must_use]
    pub fn find_platform(&self, name: &str) -> Option<PlatformId> {
        self.platforms().find(|(_, state)| state.platform().name == name).map(|(id, _)| id)
    }

    /// Returns the properties that the map gives to `platform`: data for your game.
    ///
    /// The platform is known by its name: see [`Map::platform_properties`].
    #[must_use]
    pub fn platform_properties(&self, platform: PlatformId) -> &BTreeMap<String, Value> {
        let name = self.platform(platform).map_or("", |state| &state.platform().name);
        self.map.platform_properties(name)
    }

    /// Returns all platforms, in ascending order of their ids.
    pub fn platforms(&self) -> impl Iterator<Item = (PlatformId, &PlatformState)> {
        self.platforms.iter()
    }

    /// Returns the platform that `body` rides, or `None`.
    ///
    /// A body rides the platform on which it stands, hangs, climbs or swims. If a body stands on several platforms,
    /// the first in this order counts:
    ///
    /// 1. the platform whose floor is nearest to the vertical centre line of the body
    /// 2. the platform that rises fastest
    /// 3. the platform with the lowest id
    #[must_use]
    pub fn platform_under(&self, body: BodyId) -> Option<PlatformId> {
        let state = self.bodies.get(body)?;
        let scene = self.scene().of_kind(&state.kind);
        let mut rides = state.ridden_sources(&scene.frame);
        crate::motion::keep_fastest_rising(&mut rides, |owner| scene.around.velocity(owner).dot(scene.frame.up()));
        rides.first().and_then(|owner| self.platforms.platform_of(*owner))
    }

    /// Returns the tile kind of a cell in the map's tile layer `layer`, counted from 0. Includes edits made at run
    /// time.
    ///
    /// Returns `None` outside the map or for an unknown layer. In a [streamed](World::streamed) world, also returns
    /// `None` for an unedited cell that is not loaded, and for an unedited cell of a layer that does not collide.
    #[must_use]
    pub fn tile_at(&self, layer: usize, tile: (i32, i32)) -> Option<TileId> {
        self.painted.get(layer, tile).or_else(|| {
            if self.terrain.is_streamed() {
                self.terrain.tile_at(layer, tile).filter(|_| self.terrain.is_loaded(tile))
            } else {
                self.map.tile_at(layer, tile)
            }
        })
    }

    /// Returns the tiles that differ from the map because of edits at run time: the tile layer, the cell, and the tile
    /// kind now.
    ///
    /// The order is by layer, then from the lowest row up, then from left to right.
    pub fn edited_tiles(&self) -> impl Iterator<Item = (usize, (i32, i32), TileId)> + '_ {
        let layers = self.painted.layers().into_iter();
        layers.flat_map(|layer| self.painted.cells(layer).map(move |(tile, tile_id)| (layer, tile, tile_id)))
    }

    /// Keeps a rectangle of tiles of a [streamed](World::streamed) world loaded, in addition to the tiles that bodies
    /// need.
    ///
    /// Use this method for the camera view, or for the tiles that [`World::mover`] has to see. `tiles` has the lower
    /// left and the upper right tile, both included. The rectangle stays loaded until the next call. `None` keeps no
    /// extra tiles loaded.
    ///
    /// The call does not affect results and is not a command. In a world that is not streamed, it does nothing.
    pub fn keep_loaded(&mut self, tiles: Option<TileCorners>) {
        if self.terrain.is_streamed() {
            let view = tiles.map_or(Area::NONE, |(low, high)| self.terrain.chunks_touched_by(low, high));
            self.terrain.load_and_hold_chunks(view);
            self.terrain.release_held_chunks(std::mem::replace(&mut self.view, view));
        }
    }

    /// Returns the commands since the last step, which the next step executes.
    #[doc(hidden)]
    pub fn pending(&self) -> &[Command] {
        self.log.pending.as_slice()
    }

    /// Forgets the commands since the last step, as if the world had been made with their effects.
    #[doc(hidden)]
    pub fn clear_pending(&mut self) {
        self.log.pending.clear();
    }

    /// Returns the slots of the bodies, which determine the ids of new bodies.
    #[doc(hidden)]
    pub fn body_slots(&self) -> &Slots {
        &self.bodies.slots
    }

    /// Returns whether the commands so far reproduce this world from a new one.
    #[doc(hidden)]
    pub fn is_told_by_its_commands(&self) -> bool {
        let (mut slots, mut paints) = (Slots::default(), false);
        for command in self.pending() {
            match command {
                Command::Spawn(_) => drop(slots.insert::<BodyId>()),
                Command::Despawn(body) => drop(slots.remove(*body)),
                Command::SetTile { .. } | Command::SetTiles { .. } => paints = true,
                _ => {}
            }
        }
        let is_painted = !self.painted.layers().is_empty();
        self.tick == 0 && slots == self.bodies.slots && (paints || !is_painted)
    }

    /// Returns the events of the last tick: what happened to bodies and platforms. Their order is the same on every
    /// machine: `docs/guide/events.md` describes it.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.log.events
    }

    /// Returns the commands that the world got before the last step, in the order of the calls.
    ///
    /// These are the commands since the step before. Recorders store them.
    #[must_use]
    pub fn commands(&self) -> &[Command] {
        self.log.given.as_slice()
    }

    /// Returns the number of ticks that the world has been stepped so far, 0 for a new world.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the map as it was loaded, without edited tiles. In a [streamed](World::streamed) world, returns the
    /// template map.
    ///
    /// [`World::tile_at`] returns the current tiles.
    #[must_use]
    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// Returns the current terrain: the collision geometry of the map with all edited tiles. In a
    /// [streamed](World::streamed) world, tiles that are not loaded count as solid.
    #[must_use]
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Identifies the map and the source of its tiles, as far as they affect bodies and edited tiles.
    #[cfg(feature = "record")]
    #[doc(hidden)]
    pub fn identity(&self) -> Checksum {
        self.identity
    }

    /// Returns the settings of the world.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Returns the state of `body`, or `None` if the body is not in the world.
    #[must_use]
    pub fn get(&self, body: BodyId) -> Option<&BodyState> {
        self.bodies.get(body)
    }

    /// Returns all bodies, in ascending order of their ids.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &BodyState)> {
        self.bodies.iter()
    }

    /// Returns all bodies whose [`Body::tag`](crate::body::Body::tag) is `tag`, in ascending order of their ids.
    ///
    /// The time grows with the number of all bodies.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// const ENEMY: u64 = 1;
    /// let mut world = World::new(Map::from_rows(["......", "======"])?, Settings::default());
    /// let body = Body::new(Shape::aabb(0.4, 0.5));
    /// world.spawn(body.clone().at((1.0, 1.5)))?;
    /// let enemy = world.spawn(body.at((4.0, 1.5)).tag(ENEMY))?;
    /// assert!(world.tagged(ENEMY).map(|(id, _)| id).eq([enemy]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tagged(&self, tag: u64) -> impl Iterator<Item = (BodyId, &BodyState)> {
        self.bodies().filter(move |(_, state)| state.tag() == tag)
    }

    /// Returns the tiles and platforms that `body` touches. The result is empty if the body is not in the world.
    ///
    /// The contacts are those after the last step. If a tile near the body was set since then, the result already shows
    /// the contacts with the new tile, while [`BodyState::touching`] and [`BodyState::is_stuck`] change only in the
    /// next step.
    #[must_use]
    pub fn contacts(&self, body: BodyId) -> Contacts<'_> {
        let scene = self.scene();
        let Some(state) = self.bodies.get(body) else { return Contacts::empty(scene) };
        let scene = scene.of_kind(&state.kind);
        // The stored contacts are those of the last step. After an edit, they may name tiles that are gone. So search
        // the contacts again for a body near an edit.
        let contacts = if state.now.disturbed && !step::passes_through_everything(state) {
            Contacts::from_terrain(scene, state.kind.shape, state.now.position)
        } else {
            Contacts::new(scene, state.touched(), state.kind.shape, state.now.position)
        };
        contacts.for_moving_body(state.now.velocity, state.now.facing as i8, state.kind.is_flipped)
    }

    /// Returns a [`Mover`], which moves shapes without bodies, over the terrain and platforms of this world. The
    /// mover uses the world's up direction and maximum floor slope.
    ///
    /// In a [streamed](World::streamed) world, the mover collides with tiles that are not loaded: see
    /// [`World::keep_loaded`].
    #[must_use]
    pub fn mover(&self) -> Mover<'_> {
        let mover = Mover::new(&self.terrain).among_platforms(&self.platforms.shapes);
        mover.up(self.settings.up).max_floor_slope(self.settings.max_floor_slope)
    }

    /// Simulates a walk of `length` tiles along the floor and returns which sides the body would touch at the end.
    ///
    /// A positive `length` walks to the right. If [`Touching::floor`] is false, there is a drop ahead. If
    /// [`Touching::wall_left`] or [`Touching::wall_right`] is true, a wall blocks the path. The walk sees tiles and
    /// platforms, but not bodies: use [`World::cast_shape`] for bodies. For a body in the air, the walk has length 0.
    /// Returns `None` if `body` is not in the world.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["......#", "====..."])?, Settings::default());
    /// let guard = world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((1.0, 1.5)).character(Character::default()))?;
    /// world.step();
    /// let [near, far] = [1.0, 3.5].map(|length| world.probe_walk(guard, length).unwrap_or_default());
    /// assert!(near.floor && !far.floor);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn probe_walk(&self, body: BodyId, length: f64) -> Option<Touching> {
        let state = self.get(body)?;
        Some(self.walk_ahead(state, length).touching.swapped_if(state.kind.is_flipped))
    }

    /// Simulates a walk of `length` tiles to the right of the body. A negative `length` is a walk to its left.
    fn walk_ahead(&self, state: &BodyState, length: f64) -> MoveResult<'_> {
        let mover = self.mover().up(state.kind.up).collision_layers(state.kind.collision_layers);
        mover.walk(state.kind.shape, state.now.position, if state.kind.is_flipped { -length } else { length })
    }

    /// Returns the kind of an edited tile before the edits: from the map, or from the source. `None` outside the map,
    /// and for an unedited tile of a streamed world.
    pub(crate) fn tile_before_edits(&self, layer: usize, tile: (i32, i32)) -> Option<TileId> {
        if self.terrain.is_streamed() {
            self.terrain.source_tile_before_edit(layer, tile)
        } else {
            self.map.tile_at(layer, tile)
        }
    }

    fn scene(&self) -> Scene<'_> {
        self.platforms.scene(&self.terrain, &self.settings)
    }
}

impl Platforms {
    /// Returns everything that a body can hit, and the direction of up.
    pub(crate) fn scene<'a>(&'a self, terrain: &'a Terrain, settings: &Settings) -> Scene<'a> {
        Scene { around: self.surroundings(terrain), frame: Frame::new(settings.up, settings.max_floor_slope) }
    }

    /// Returns everything that a body can hit.
    pub(crate) fn surroundings<'a>(&'a self, terrain: &'a Terrain) -> Surroundings<'a> {
        Surroundings::new(terrain, &self.shapes).with_platform_grid(self.blocks())
    }
}

impl Clone for World {
    fn clone(&self) -> World {
        let World { map, terrain, platforms, areas, held_bodies: grips, pauses, settings, tick, bodies, .. } = self;
        let World { log, painted, scratch: _, view, queries: _, .. } = self;
        World {
            map: map.clone(),
            #[cfg(feature = "record")]
            identity: self.identity,
            terrain: terrain.clone(),
            platforms: platforms.clone(),
            areas: areas.clone(),
            held_bodies: grips.clone(),
            pauses: pauses.clone(),
            settings: *settings,
            tick: *tick,
            bodies: bodies.clone(),
            log: log.clone(),
            painted: painted.clone(),
            scratch: step::StepScratch::default(),
            view: *view,
            queries: query::QueryMemory::default(),
        }
    }

    fn clone_from(&mut self, from: &World) {
        let World { map, terrain, platforms, areas, held_bodies: grips, pauses, settings, tick, bodies, .. } = from;
        let World { log, painted, scratch: _, view, queries: _, .. } = from;
        self.map.clone_from(map);
        self.terrain.clone_from(terrain);
        self.platforms.copy(platforms);
        self.areas.copy(areas);
        self.held_bodies.clone_from(grips);
        self.pauses.clone_from(pauses);
        #[cfg(feature = "record")]
        {
            self.identity = from.identity;
        }
        (self.settings, self.tick) = (*settings, *tick);
        self.bodies.copy(bodies);
        self.log.copy(log);
        self.painted.copy(painted);
        self.view = *view;
    }
}

impl std::ops::Index<BodyId> for World {
    type Output = BodyState;

    /// Returns the state of `body`.
    ///
    /// # Panics
    /// Panics if `body` is not in the world. [`World::get`] returns `None` instead.
    #[track_caller]
    fn index(&self, body: BodyId) -> &BodyState {
        &self.bodies[body]
    }
}

/// Creates the platforms of a new world.
fn bake_platforms_of_new_world(map: &Map, settings: &Settings) -> Platforms {
    let mut platforms = Platforms::default();
    platforms.change_and_update_grid(|platforms| {
        for baked in bake_all_platforms(map, settings.tick) {
            match baked {
                Ok(baked) => _ = platforms.insert(baked),
                Err(error) => unreachable!("a platform of a map, which is checked: {error}"),
            }
        }
        platforms.attach_all_by_names();
    });
    platforms
}

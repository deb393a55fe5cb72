//! The simulation: [`World`], its settings and the state of its bodies, platforms and areas.

mod apply;
mod areas;
mod attached;
mod bodies;
mod character;
mod footing;
mod grips;
mod kinds;
mod near;
mod painted;
mod painted_platform;
mod patrol;
mod pauses;
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

pub(crate) use crate::body::{Body, Character, Facing, Input};
#[cfg(feature = "record")]
use crate::checksum::{Checksum, identity};
use crate::command::{Command, CommandError};
use crate::event::{BodyId, Event};
use crate::map::{CollisionLayers, Map, TileId};
use crate::motion::{Contacts, Frame, Mover, Scene, Shape, Surroundings, Touching};
use crate::platform::{Platform, PlatformId};
use crate::terrain::{Area, Terrain, TileCorners, TileSource};
pub use areas::AreaState;
use areas::Areas;
#[cfg(feature = "record")]
pub(crate) use areas::{Inside, SavedAreas};
use bodies::Bodies;
#[cfg(feature = "record")]
pub(crate) use character::Timers;
#[cfg(test)]
pub(crate) use character::{Cling, JumpBuffer, Mode};
pub use footing::Footing;
pub use grips::{Held, HeldKind};
pub(crate) use kinds::Kind;
pub(crate) use painted::Painted;
pub use patrol::Patrol;
pub(crate) use pauses::Pause;
use platforms::Baked;
pub use platforms::PlatformState;
pub(crate) use platforms::Platforms;
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
pub(crate) use state::Lifted;
pub(crate) use state::Now;
pub use state::{BodyState, MotionMode};
use std::sync::Arc;
use surefoot_geometry::{Position, PositionError, Vector};
pub(crate) use tick_log::TickLog;

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

    /// Creates a world on `map`, with the platforms and areas of the map and without bodies.
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
        let mut platforms = begin_platforms(&map, &settings);
        platforms.prepare_like(&terrain);
        let areas = Areas::begin(&map, &platforms);
        World {
            #[cfg(feature = "record")]
            identity: identity(&map, &terrain),
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

    /// Drops the caches of the whole world, because something other than a step changes it. Those of a body are dropped
    /// by [`BodyState::change`].
    fn drop_caches(&mut self) {
        self.scratch.invalidate_shortcuts();
        self.queries.invalidate();
    }

    /// Replaces the platforms and areas by those of a new world on the map.
    #[cfg(feature = "record")]
    #[doc(hidden)]
    pub fn restart_platforms(&mut self) {
        self.drop_caches();
        self.platforms = begin_platforms(&self.map, &self.settings);
        self.platforms.prepare_like(&self.terrain);
        self.areas = Areas::begin(&self.map, &self.platforms);
    }

    /// Spawns `body` and returns its id.
    ///
    /// # Errors
    /// Returns [`CommandError`] in each of these cases:
    ///
    /// - [`Body::check`] fails.
    /// - The body uses a collision layer that the map does not name.
    /// - The world already has [`World::MAX_BODIES`] bodies.
    pub fn spawn(&mut self, body: Body) -> Result<BodyId, CommandError> {
        let body = match self.bodies.spare_spawns.pop() {
            Some(mut room) => {
                *room = body;
                room
            }
            None => Box::new(body),
        };
        self.apply(Command::Spawn(body)).map(|spawned| spawned.unwrap_or_default())
    }

    /// Removes `body` from the world.
    ///
    /// # Errors
    /// Returns [`CommandError::NoSuchBody`] if `body` is not in the world.
    pub fn despawn(&mut self, body: BodyId) -> Result<(), CommandError> {
        self.apply(Command::Despawn(body)).map(drop)
    }

    /// Sets the buttons that the player of the character `body` holds.
    ///
    /// The input stays set until the next call for this body. A call for a body that is not in the world does
    /// nothing.
    pub fn set_input(&mut self, body: BodyId, input: Input) {
        if self.bodies.get(body).is_some_and(|state| state.now.input() != input.normal()) {
            self.change_input(body, input);
        }
    }

    /// Sets the side that `body` faces.
    ///
    /// Read the facing with [`BodyState::facing`], for sprites and shots. A dash from a standstill without a held
    /// direction goes in the facing direction. Once a side is set, a character turns to the other side when
    /// its [`Input::walk`] starts to point there.
    ///
    /// # Errors
    /// Returns [`CommandError::NoSuchBody`] if `body` is not in the world.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Input, Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["....", "===="])?, Settings::default());
    /// let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((2.0, 1.5)).character(Character::default()))?;
    /// assert_eq!(world[hero].facing(), Facing::Unset);
    /// world.set_facing(hero, Facing::Right)?;
    /// world.set_input(hero, Input::walk(-1.0));
    /// assert_eq!(world[hero].facing(), Facing::Left);
    /// world.set_input(hero, Input::default());
    /// assert_eq!(world[hero].facing(), Facing::Left, "until the input points to the other side");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_facing(&mut self, body: BodyId, facing: Facing) -> Result<(), CommandError> {
        self.apply(Command::SetFacing(body, facing)).map(drop)
    }

    #[inline(never)]
    fn change_input(&mut self, body: BodyId, input: Input) {
        // The body exists, and no input is invalid.
        let _ = self.apply(Command::SetInput(body, input));
    }

    /// Sets the velocity of `body`, in tiles per second. For a body with a [`Body::time_scale`] below 1, these are
    /// seconds of the body's slower time.
    ///
    /// A character on the floor leaves the floor if the velocity points away from it.
    ///
    /// # Errors
    /// Returns [`CommandError`] if `body` is not in the world, or if `velocity` is not finite or exceeds
    /// [`MAX_SPEED`](crate::body::MAX_SPEED) on an axis.
    pub fn set_velocity(&mut self, body: BodyId, velocity: impl Vector) -> Result<(), CommandError> {
        self.apply(Command::SetVelocity(body, velocity.to_lengths())).map(drop)
    }

    /// Adds `velocity` to the velocity of `body`, in tiles per second. For a body with a [`Body::time_scale`] below
    /// 1, these are seconds of the body's slower time.
    ///
    /// Use this method for explosions and gusts. As with [`World::set_velocity`], a character on the floor leaves the
    /// floor if the new velocity points away from it.
    ///
    /// # Errors
    /// Returns [`CommandError`] if `body` is not in the world, or if `velocity` or the new velocity is not finite or
    /// exceeds [`MAX_SPEED`](crate::body::MAX_SPEED) on an axis.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["....", "===="])?, Settings::default());
    /// let ball = world.spawn(Body::new(Shape::circle(0.25)).at((1.0, 1.25)).velocity((2.0, 0.0)).mass(4.0))?;
    /// world.add_velocity(ball, (1.0, 5.0))?;
    /// assert_eq!(world[ball].velocity().to_array(), [3.0, 5.0]);
    /// world.apply_impulse(ball, (-4.0, 2.0))?;
    /// assert_eq!(world[ball].velocity().to_array(), [2.0, 5.5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_velocity(&mut self, body: BodyId, velocity: impl Vector) -> Result<(), CommandError> {
        self.apply(Command::AddVelocity(body, velocity.to_lengths())).map(drop)
    }

    /// Applies an impulse: adds `impulse` divided by the [mass](Body::mass) of `body` to its velocity.
    ///
    /// `impulse` is in mass times tiles per second. As with [`World::set_velocity`], a character on the floor leaves
    /// the floor if the new velocity points away from it.
    ///
    /// # Errors
    /// Returns [`CommandError`] if `body` is not in the world. Also returns one if the change of velocity or the new
    /// velocity is not finite or exceeds [`MAX_SPEED`](crate::body::MAX_SPEED) on an axis.
    pub fn apply_impulse(&mut self, body: BodyId, impulse: impl Vector) -> Result<(), CommandError> {
        let mass = self.get(body).ok_or(CommandError::NoSuchBody(body))?.body().mass;
        self.add_velocity(body, impulse.to_lengths() / mass)
    }

    /// Replaces the properties of `body` by those of `to`: mass, response, friction, layers, time scale, character.
    ///
    /// The body keeps its id, position, velocity, shape and input. A body on the ground stays on the ground, a body
    /// in the air stays in the air. The position, velocity and shape of `to` are ignored.
    ///
    /// - A body whose old response was [`Response::Pass`](crate::body::Response::Pass) can be inside a solid. Such a
    ///   body is then stuck: it does not move until it is free.
    /// - If the body becomes a character or stops being a character, it lets go of the body that it pulls or carries.
    ///   If a character pulls or carries the body, that character lets go.
    ///
    /// # Errors
    /// Returns [`CommandError`] in each of these cases:
    ///
    /// - `body` is not in the world.
    /// - [`Body::check`] fails.
    /// - The body uses a collision layer that the map does not name.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["....", "===="])?, Settings::default());
    /// let ball = world.spawn(Body::new(Shape::circle(0.25)).at((1.0, 1.5)).mass(2.0))?;
    /// world.set_body(ball, world[ball].body().clone().bounce(0.5))?;
    /// assert_eq!(world[ball].body().response, Response::Bounce(0.5));
    /// assert_eq!(world[ball].body().mass, 2.0, "the other properties stay");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_body(&mut self, body: BodyId, to: Body) -> Result<(), CommandError> {
        self.apply(Command::SetBody(body, Box::new(to))).map(drop)
    }

    /// Replaces the [`Character`] of `body` from the next tick on, for example for a power-up.
    ///
    /// The position, velocity and input of the body stay. A body on the ground stays on the ground, a body in the air
    /// stays in the air. A running character speeds up or slows down to the new run speed. A jump in progress keeps
    /// its height.
    ///
    /// # Errors
    /// Returns [`CommandError`] if `body` is not in the world or not a character, or if a number of `character` is
    /// out of range.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "===="])"#)?;
    /// let mut world = World::new(map, Settings::default());
    /// let hero = world.spawn(Body::new(Shape::circle(0.3)).at((1.5, 1.3)).character(Character::default()))?;
    /// let faster = Character { walk_speed: 12.0, ..Character::default() };
    /// world.set_character(hero, faster)?;
    /// assert_eq!(world[hero].character(), Some(&faster));
    ///
    /// let backwards = world.set_character(hero, Character { walk_speed: -1.0, ..faster });
    /// assert_eq!(
    ///     backwards.unwrap_err().to_string(),
    ///     "`character.walk_speed` is -1; expected 0 to 1000000000"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_character(&mut self, body: BodyId, character: Character) -> Result<(), CommandError> {
        self.apply(Command::SetCharacter(body, Box::new(character))).map(drop)
    }

    /// Sets the collision layers that `body` is in.
    ///
    /// A tile kind can let the bodies of some collision layers pass: see
    /// [`TileKind::ignored_by`](crate::map::TileKind::ignored_by). So the new layers can let the body pass through
    /// one-way tiles that stopped it before, or make such tiles stop the body. If the body is inside a one-way tile
    /// at the call, the body can leave that tile freely.
    ///
    /// The first call with layers that some tiles let pass takes time in proportion to the map.
    ///
    /// # Errors
    /// Returns [`CommandError`] if `body` is not in the world, or if the map does not name one of the layers.
    ///
    /// # Examples
    /// ```
    /// use surefoot::map::CollisionLayers;
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let map = Map::from_ron(r#"Map(format: 1, collision_layers: ["hero", "ghost"], tiles: ["...", "~~~", "...", "==="],
    ///     legend: {'~': (tile: "one_way", ignored_by: ["ghost"])})"#)?;
    /// let ghosts = map.collision_layers_named(["ghost"])?;
    /// let mut world = World::new(map, Settings::default());
    /// let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((1.5, 3.25)))?;
    /// (0..30).for_each(|_| world.step());
    /// assert_eq!(world[hero].position(), Position::new(1.5, 3.25)?, "the one-way tile stops it at its top");
    ///
    /// world.set_collision_layers(hero, ghosts)?;
    /// (0..30).for_each(|_| world.step());
    /// assert_eq!(world[hero].position(), Position::new(1.5, 1.25)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_collision_layers(&mut self, body: BodyId, layers: CollisionLayers) -> Result<(), CommandError> {
        self.apply(Command::SetCollisionLayers(body, layers)).map(drop)
    }

    /// Sets the collision mask of `body`: the collision layers of other bodies that it collides with. See
    /// [`Body::can_collide_with`].
    ///
    /// # Errors
    /// Returns [`CommandError`] if `body` is not in the world, or if the map does not name one of the layers.
    pub fn set_collision_mask(&mut self, body: BodyId, mask: CollisionLayers) -> Result<(), CommandError> {
        self.apply(Command::SetCollisionMask(body, mask)).map(drop)
    }

    /// Sets the shape of `body`, to crouch or stand up for example.
    ///
    /// The lower side of the body stays exactly where it is, so the centre moves up or down. The velocity stays. A
    /// body on the ground stays on the ground, unless the new shape touches no floor. If the new shape overlaps
    /// another body, the two pass through each other until they are apart.
    ///
    /// # Errors
    /// Returns [`CommandError`] in each of these cases:
    ///
    /// - `body` is not in the world.
    /// - `shape` has an invalid size.
    /// - `shape` would overlap a solid. [`World::fits`] tests this in advance and has an example.
    pub fn set_shape(&mut self, body: BodyId, shape: Shape) -> Result<(), CommandError> {
        self.apply(Command::SetShape(body, shape)).map(drop)
    }

    /// Moves `body` to position `to` at once, without hitting anything in between.
    ///
    /// `to` is a [`Position`], or a pair, an array or a glam vector in tiles. The velocity stays. If the body
    /// overlaps a solid there, it is stuck: it does not move until it is free. [`World::move_by`] is a move that
    /// stops at obstacles.
    ///
    /// # Errors
    /// Returns [`CommandError`] if `body` is not in the world, or if `to` is not a valid position.
    pub fn teleport<P>(&mut self, body: BodyId, to: P) -> Result<(), CommandError>
    where
        P: TryInto<Position>,
        P::Error: Into<PositionError>,
    {
        let to = to.try_into().map_err(|error| CommandError::Position(error.into()))?;
        self.apply(Command::Teleport(body, to)).map(drop)
    }

    /// Moves `body` by the displacement `way`, in tiles, at the beginning of the next tick.
    ///
    /// Afterwards, the body moves by its velocity in the same tick, as usual.
    ///
    /// The move is swept: the body slides along slopes and stops at tiles, platforms and other bodies. The move
    /// pushes nothing. The body keeps its velocity and carries the bodies that stand on it. Unlike after a
    /// [`teleport`](World::teleport), areas on the path detect the body, and [`BodyState::position_at`] shows a
    /// smooth motion.
    ///
    /// - Several moves of one body in one tick add up, to at most
    ///   [`Path::MAX_STEP_TILES`](crate::platform::Path::MAX_STEP_TILES) tiles on each axis.
    /// - A stuck body, which overlaps a solid, does not move. A body that a character pulls or carries stays with
    ///   that character.
    /// - A body with [`Response::Pass`](crate::body::Response::Pass) moves through everything.
    ///
    /// # Errors
    /// Returns [`CommandError`] if `body` is not in the world, or if `way` is not finite or exceeds
    /// [`Path::MAX_STEP_TILES`](crate::platform::Path::MAX_STEP_TILES) on an axis.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["......", "......", "======"])?, Settings::default());
    /// let crate_ = world.spawn(Body::new(Shape::aabb(0.5, 0.5)).at((1.0, 1.5)))?;
    /// world.move_by(crate_, (2.0, 0.0))?;
    /// world.step();
    /// assert_eq!(world[crate_].position(), Position::new(3.0, 1.5)?);
    /// assert_eq!(world[crate_].previous_position(), Position::new(1.0, 1.5)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_by(&mut self, body: BodyId, way: impl Vector) -> Result<(), CommandError> {
        self.apply(Command::MoveBy(body, way.to_lengths())).map(drop)
    }

    /// Spawns `platform` at the start of its path and returns its id.
    ///
    /// A body that the new platform overlaps passes through the platform until the two are apart.
    ///
    /// # Errors
    /// Returns [`CommandError`] in each of these cases:
    ///
    /// - A tile of the platform has a tile kind that the world's map does not have.
    /// - The platform has no solid tile.
    /// - The path or circle is invalid or too fast: see
    ///   [`PlatformMotion::check`](crate::platform::PlatformMotion::check).
    /// - A time of the platform's [`OnRide`](crate::platform::OnRide) is out of range.
    /// - Another platform in the world has the same name.
    /// - The platform is attached to another platform that is not in the world.
    /// - The world already has [`MAX_PLATFORMS`](crate::command::MAX_PLATFORMS) platforms.
    pub fn spawn_platform(&mut self, platform: Platform) -> Result<PlatformId, CommandError> {
        let slot = self.platforms.slots.next_slot();
        self.apply(Command::SpawnPlatform(Box::new(platform)))?;
        Ok(self.platforms.slots.id(slot))
    }

    /// Removes `platform` from the world. The bodies that ride it keep their velocity.
    ///
    /// # Errors
    /// Returns [`CommandError::NoSuchPlatform`] if `platform` is not in the world.
    pub fn despawn_platform(&mut self, platform: PlatformId) -> Result<(), CommandError> {
        self.apply(Command::DespawnPlatform(platform)).map(drop)
    }

    /// Drives `platform` in the next tick: moves the lower left corner of the platform's tile (0, 0) to position
    /// `to`.
    ///
    /// The platform carries and pushes bodies as in any other motion. In that tick, a platform with a path or circle
    /// does not follow it. Afterwards, the platform continues from the new position: the whole path or circle shifts
    /// by the same displacement.
    ///
    /// # Errors
    /// Returns [`CommandError`] in each of these cases:
    ///
    /// - `platform` is not in the world.
    /// - `to` is not a valid position.
    /// - The distance to `to` exceeds [`Path::MAX_STEP_TILES`](crate::platform::Path::MAX_STEP_TILES) tiles.
    pub fn drive_platform<P>(&mut self, platform: PlatformId, to: P) -> Result<(), CommandError>
    where
        P: TryInto<Position>,
        P::Error: Into<PositionError>,
    {
        let to = to.try_into().map_err(|error| CommandError::Position(error.into()))?;
        self.apply(Command::DrivePlatform(platform, to)).map(drop)
    }

    /// Teleports `platform`: moves the lower left corner of the platform's tile (0, 0) to position `to` at once.
    ///
    /// The path of the platform and all attached platforms move by the same displacement. The platform carries and
    /// pushes nothing. A body that the platform then overlaps passes through the platform until the two are apart.
    ///
    /// # Errors
    /// Returns [`CommandError`] if `platform` is not in the world, or if `to` is not a valid position. Also returns
    /// one if an attached platform would leave the range of valid positions.
    pub fn teleport_platform<P>(&mut self, platform: PlatformId, to: P) -> Result<(), CommandError>
    where
        P: TryInto<Position>,
        P::Error: Into<PositionError>,
    {
        let to = to.try_into().map_err(|error| CommandError::Position(error.into()))?;
        self.apply(Command::TeleportPlatform(platform, to)).map(drop)
    }

    /// Pauses the motion of `platform` along its path or circle: from the next tick on, the platform stays at its
    /// position.
    ///
    /// # Errors
    /// Returns [`CommandError::NoSuchPlatform`] if `platform` is not in the world.
    pub fn pause_platform(&mut self, platform: PlatformId) -> Result<(), CommandError> {
        self.apply(Command::PausePlatform(platform)).map(drop)
    }

    /// Resumes the motion of `platform` along its path or circle, from the point where [`World::pause_platform`]
    /// paused it.
    ///
    /// # Errors
    /// Returns [`CommandError::NoSuchPlatform`] if `platform` is not in the world.
    pub fn resume_platform(&mut self, platform: PlatformId) -> Result<(), CommandError> {
        self.apply(Command::ResumePlatform(platform)).map(drop)
    }

    /// Sets one tile of `platform`. [`TileId::EMPTY`] clears the cell.
    ///
    /// `layer` is the index in the platform's own [`Platform::layers`], from 0. `tile` is the column and row in that
    /// layer. Afterwards, [`PlatformState::platform`] returns the platform with the new tile. Bodies that stood on a
    /// cleared cell fall. A body that the new tile overlaps passes through the platform until the two are apart.
    ///
    /// The call takes time in proportion to the platform and to the number of bodies.
    ///
    /// # Errors
    /// - [`CommandError::NoSuchPlatform`] if `platform` is not in the world.
    /// - [`CommandError::Tile`] if the layer or the tile kind does not exist, or if the cell is outside the layer.
    /// - [`CommandError::Platform`] if the tile cannot share its cell with the tiles of other layers.
    /// - [`CommandError::Platform`] if the call would remove the last solid tile.
    ///
    /// # Examples
    /// ```
    /// use surefoot::platform::{Platform, PlatformError};
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let map = Map::from_rows(["....", "....", "===="])?;
    /// let bridge = Platform::from_rows(&map, ["=="])?.at((1.0, 1.0));
    /// let mut world = World::new(map, Settings::default());
    /// let bridge = world.spawn_platform(bridge)?;
    /// world.set_platform_tile(bridge, 0, (0, 0), TileId::EMPTY)?;
    /// let last = world.set_platform_tile(bridge, 0, (1, 0), TileId::EMPTY);
    /// assert_eq!(last, Err(CommandError::Platform(PlatformError::Empty)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_platform_tile(
        &mut self,
        platform: PlatformId,
        layer: usize,
        tile: (i32, i32),
        tile_id: TileId,
    ) -> Result<(), CommandError> {
        self.apply(Command::SetPlatformTile { platform, layer, tile, tile_id }).map(drop)
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
        let scene = self.scene();
        let mut rides = self.bodies.get(body)?.rides(&scene.frame);
        crate::motion::keep_highest(&mut rides, |owner| scene.around.velocity(owner).dot(scene.frame.up()));
        rides.first().and_then(|owner| self.platforms.platform_of(*owner))
    }

    /// Sets one tile of the map's tile layer `layer`, counted from 0. [`TileId::EMPTY`] clears the cell.
    ///
    /// The change takes effect in the next step. Bodies that stood on a cleared cell fall. A body that the new tile
    /// overlaps is stuck: it does not move until it is free. Tiles of a tile layer that does not collide do not
    /// affect bodies.
    ///
    /// # Errors
    /// Returns [`CommandError::Tile`] in each of these cases:
    ///
    /// - The map does not have the layer or the tile kind.
    /// - The cell is outside the map.
    /// - The tile cannot share its cell with the tiles of other layers.
    pub fn set_tile(&mut self, layer: usize, tile: (i32, i32), tile_id: TileId) -> Result<(), CommandError> {
        self.apply(Command::SetTile { layer, tile, tile_id }).map(drop)
    }

    /// Sets all tiles of a rectangle in the map's tile layer `layer`. `from` and `to` are opposite corners, both
    /// included.
    ///
    /// The call takes time in proportion to the rectangle and to the number of bodies, but not to the size of the
    /// map.
    ///
    /// # Errors
    /// Returns [`CommandError::Tile`] if [`World::set_tile`] would refuse one of the cells. The world then stays
    /// unchanged.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "===="])"#)?;
    /// let mut world = World::new(map, Settings::default());
    /// world.set_tiles(0, (1, 0), (2, 0), TileId::EMPTY)?;
    /// assert_eq!(world.tile_at(0, (2, 0)), Some(TileId::EMPTY));
    /// assert_eq!(world.map().tile_at(0, (2, 0)), world.tile_at(0, (3, 0)), "the map itself stays unchanged");
    /// assert!(world.set_tiles(0, (1, 0), (4, 0), TileId::EMPTY).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_tiles(
        &mut self,
        layer: usize,
        from: (i32, i32),
        to: (i32, i32),
        tile_id: TileId,
    ) -> Result<(), CommandError> {
        self.apply(Command::SetTiles { layer, from, to, tile_id }).map(drop)
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
            let view = tiles.map_or(Area::NONE, |(low, high)| self.terrain.area(low, high));
            self.terrain.hold(view);
            self.terrain.release(std::mem::replace(&mut self.view, view));
        }
    }

    /// Returns the commands since the last step, which the next step executes.
    #[doc(hidden)]
    pub fn pending(&self) -> &[Command] {
        &self.log.pending
    }

    /// Forgets the commands since the last step, as if the world had been made with their effects.
    #[doc(hidden)]
    pub fn clear_pending(&mut self) {
        self.log.pending.clear();
    }

    /// Returns whether the commands so far reproduce this world from a new one.
    #[doc(hidden)]
    pub fn is_told_by_its_commands(&self) -> bool {
        let (mut slots, mut paints) = (Slots::default(), false);
        for command in &self.log.pending {
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

    /// Returns the events of the last tick: what happened to which body. Their order is the same on every machine:
    /// `docs/guide/events.md` describes it.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.log.events
    }

    /// Returns the commands that the world got before the last step, in the order of the calls.
    ///
    /// These are the commands since the step before. Recorders store them.
    #[must_use]
    pub fn commands(&self) -> &[Command] {
        &self.log.given
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

    /// Returns all bodies whose [`Body::tag`] is `tag`, in ascending order of their ids.
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
        let Some(state) = self.bodies.get(body) else { return Contacts::none(scene) };
        let scene = scene.of_layers(state.kind.collision_layers);
        // The surfaces of the last step are part of the state. After an edit, the terrain no longer knows them or their
        // tiles.
        let contacts = if state.now.disturbed && !step::passes_through_everything(state) {
            Contacts::found(scene, state.kind.shape, state.now.position)
        } else {
            Contacts::new(scene, state.touched(), state.kind.shape, state.now.position)
        };
        contacts.of_body(state.now.velocity, state.now.facing as i8)
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
        let mover = self.mover().collision_layers(state.kind.collision_layers);
        Some(mover.walk(state.kind.shape, state.now.position, length).touching)
    }

    /// Returns the kind of an edited tile before the edits: from the map, or from the source. `None` outside the map,
    /// and for an unedited tile of a streamed world.
    pub(crate) fn tile_before_edits(&self, layer: usize, tile: (i32, i32)) -> Option<TileId> {
        if self.terrain.is_streamed() { self.terrain.unpainted(layer, tile) } else { self.map.tile_at(layer, tile) }
    }

    fn scene(&self) -> Scene<'_> {
        self.platforms.scene(&self.terrain, &self.settings)
    }
}

impl Platforms {
    /// Returns everything that a body can hit, and the direction of up.
    pub(crate) fn scene<'a>(&'a self, terrain: &'a Terrain, settings: &Settings) -> Scene<'a> {
        Scene { around: self.around(terrain), frame: Frame::new(settings.up, settings.max_floor_slope) }
    }

    /// Returns everything that a body can hit.
    pub(crate) fn around<'a>(&'a self, terrain: &'a Terrain) -> Surroundings<'a> {
        Surroundings::new(terrain, &self.shapes).with_blocks(self.blocks())
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
        self.drop_caches();
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
fn begin_platforms(map: &Map, settings: &Settings) -> Platforms {
    let mut platforms = Platforms::default();
    for platform in map.platforms() {
        match Baked::new(platform.clone(), map, settings.tick) {
            Ok(baked) => _ = platforms.insert(Arc::new(baked)),
            Err(error) => unreachable!("a platform of a map, which is checked: {error}"),
        }
    }
    platforms.attach_by_names();
    platforms.update_shapes();
    platforms
}

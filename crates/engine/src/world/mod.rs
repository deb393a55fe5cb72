//! The world: a terrain, bodies and a clock.

mod apply;
mod areas;
mod attached;
mod bodies;
mod footing;
mod grips;
mod kinds;
mod leap;
mod ledges;
mod near;
mod painted;
mod painted_platform;
mod pauses;
mod platforms;
mod query;
mod ridden;
mod settings;
mod slots;
#[cfg(feature = "record")]
mod snapshot;
mod state;
mod step;

pub(crate) use crate::body::{Body, Character, Input};
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
pub use footing::Footing;
pub use grips::Held;
pub(crate) use kinds::Kind;
#[cfg(feature = "record")]
pub(crate) use leap::Timers;
#[cfg(test)]
pub(crate) use leap::{Climb, Hold};
pub(crate) use painted::Painted;
pub(crate) use pauses::Pause;
use platforms::Baked;
pub use platforms::PlatformState;
pub(crate) use platforms::Platforms;
#[cfg(feature = "record")]
pub(crate) use platforms::{APART, Moves, Pair, Pressed, SavedPlatforms};
#[cfg(feature = "record")]
pub(crate) use ridden::Ridden;
pub use settings::Settings;
pub(crate) use slots::Slots;
#[cfg(feature = "record")]
pub(crate) use snapshot::Saved;
#[cfg(feature = "record")]
pub use snapshot::Snapshot;
pub use state::BodyState;
pub(crate) use state::Lifted;
pub(crate) use state::Now;
use std::sync::Arc;
use surefoot_geometry::{Position, PositionError, Vector};

/// A map with bodies on it that moves on by ticks of a fixed length.
///
/// Equal commands in equal ticks give equal worlds, bit for bit, on every machine.
///
/// A clone goes on as the world itself does. [`Clone::clone_from`] copies into a world that is there already, and
/// allocates nothing if that one has had as many bodies: what a search over many moves wants.
#[derive(Debug)]
pub struct World {
    map: Arc<Map>,
    /// Names the map and the source; see [`World::identity`].
    #[cfg(feature = "record")]
    identity: Checksum,
    terrain: Terrain,
    pub(crate) platforms: Platforms,
    pub(crate) areas: Areas,
    /// In the order of the slots of the bodies held.
    pub(crate) held_bodies: Vec<Held>,
    /// In the order of the slots of the bodies that wait.
    pub(crate) pauses: Vec<Pause>,
    pub(crate) settings: Settings,
    pub(crate) tick: u64,
    pub(crate) bodies: Bodies,
    events: Vec<Event>,
    /// Commands since the last tick; then what was given for the tick that was stepped last.
    pub(crate) pending: Vec<Command>,
    given: Vec<Command>,
    /// The cells that are not as the map has them.
    pub(crate) painted: Painted,
    /// Some body may be disturbed; only they are asked.
    disturbed: bool,
    scratch: step::StepScratch,
    /// The memory of spawns that were carried out, for the next ones.
    #[expect(clippy::vec_box, reason = "a command holds the box")]
    spawned: Vec<Box<Body>>,
    /// What a game keeps loaded of a streamed world besides what bodies need.
    view: Area,
    /// What queries have prepared; no state.
    queries: query::QueryMemory,
}

impl World {
    /// The most bodies that a world can hold.
    pub const MAX_BODIES: usize = crate::command::MAX_BODIES;

    /// A world on a map, with its platforms and without bodies.
    ///
    /// # Panics
    /// If [`Settings::check`] refuses the settings.
    #[must_use]
    pub fn new(map: impl Into<Arc<Map>>, settings: Settings) -> World {
        let map = map.into();
        let terrain = Terrain::bake(&map);
        World::on(map, terrain, settings)
    }

    /// A world on a terrain that was baked from the map before: worlds on one map share it. A terrain that is not that
    /// map's, or was painted since, is not used; the map is then baked.
    ///
    /// # Panics
    /// As [`World::new`].
    #[must_use]
    pub fn with_terrain(map: impl Into<Arc<Map>>, terrain: Terrain, settings: Settings) -> World {
        let map = map.into();
        let terrain = if terrain.matches_map(&map) { terrain } else { Terrain::bake(&map) };
        World::on(map, terrain, settings)
    }

    /// A world whose tiles come from a source: one that does not fit in memory, or has no end.
    ///
    /// Catalogue, legend, layers, sides, platforms and pixels per tile come from the template, see [`Terrain::streamed`]; its
    /// markers and properties are there for the game. Around each body what it can meet is loaded before it moves, and
    /// dropped when it has gone on. What is loaded never shows in what happens: the same commands give the same world,
    /// bit for bit, as if all of it had been there from the beginning.
    ///
    /// Memory is bounded by the bodies: a body of common size and speed has 4 to 9 chunks loaded around it, and at most as
    /// many where it was before. A body that makes many tiles in a tick has what it comes through loaded and dropped in
    /// that tick, which takes time.
    ///
    /// # Panics
    /// As [`World::new`].
    ///
    /// # Examples
    /// See [`TileSource`].
    #[must_use]
    pub fn streamed(template: impl Into<Arc<Map>>, source: Arc<dyn TileSource>, settings: Settings) -> World {
        let map = template.into();
        let terrain = Terrain::streamed(&map, source);
        World::on(map, terrain, settings)
    }

    fn on(map: Arc<Map>, terrain: Terrain, settings: Settings) -> World {
        if let Err(error) = settings.check() {
            panic!("the settings of a world: {error}");
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
            events: Vec::new(),
            pending: Vec::new(),
            given: Vec::new(),
            painted: Painted::default(),
            disturbed: false,
            scratch: step::StepScratch::default(),
            spawned: Vec::new(),
            view: Area::NONE,
            queries: query::QueryMemory::default(),
        }
    }

    /// Has the platforms and areas of a new world on the map in place of those that are there.
    #[cfg(feature = "record")]
    pub(crate) fn restart_platforms(&mut self) {
        self.queries.invalidate();
        self.platforms = begin_platforms(&self.map, &self.settings);
        self.platforms.prepare_like(&self.terrain);
        self.areas = Areas::begin(&self.map, &self.platforms);
    }

    /// Puts a body into the world.
    ///
    /// # Errors
    /// [`CommandError`] for a body whose [`Body::check`] fails, and in a full world.
    pub fn spawn(&mut self, body: Body) -> Result<BodyId, CommandError> {
        let body = match self.spawned.pop() {
            Some(mut room) => {
                *room = body;
                room
            }
            None => Box::new(body),
        };
        self.apply(Command::Spawn(body)).map(|spawned| spawned.unwrap_or_default())
    }

    /// Takes a body out of the world.
    ///
    /// # Errors
    /// [`CommandError::NoSuchBody`].
    pub fn despawn(&mut self, body: BodyId) -> Result<(), CommandError> {
        self.apply(Command::Despawn(body)).map(drop)
    }

    /// Sets what a character's player holds down. What was set stays until it is set again; a body that is not, or no longer,
    /// in the world is passed over.
    pub fn set_input(&mut self, body: BodyId, input: Input) {
        if self.bodies.get(body).is_some_and(|state| state.now.input() != input.normal()) {
            self.change_input(body, input);
        }
    }

    /// Has a body look to the right, with 1, or to the left, with -1, for a sprite and for what it does that way: [`BodyState::facing`] tells it from
    /// then on. A character then looks where its player leads it, each time that the input begins to lead to a side. With 0 it is not told any
    /// more. A dash from a stand without a way leads where the character looks.
    ///
    /// # Errors
    /// [`CommandError`] for a body that is not there, and for another number.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Input, Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["....", "===="])?, Settings::default());
    /// let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((2.0, 1.5)).character(Character::default()))?;
    /// assert_eq!(world[hero].facing(), 0);
    /// world.set_facing(hero, 1)?;
    /// world.set_input(hero, Input::walk(-1.0));
    /// assert_eq!(world[hero].facing(), -1);
    /// world.set_input(hero, Input::default());
    /// assert_eq!(world[hero].facing(), -1, "until it is led another way, or told");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_facing(&mut self, body: BodyId, side: i8) -> Result<(), CommandError> {
        self.apply(Command::SetFacing(body, side)).map(drop)
    }

    #[inline(never)]
    fn change_input(&mut self, body: BodyId, input: Input) {
        // It is there, and an input cannot be wrong.
        let _ = self.apply(Command::SetInput(body, input));
    }

    /// Sets a body's velocity, in tiles per second of its [own time](Body::time_scale); a character that it leads off the floor is thrown into the air.
    ///
    /// # Errors
    /// [`CommandError`] for a body that is not there and a velocity out of range.
    pub fn set_velocity(&mut self, body: BodyId, velocity: impl Vector) -> Result<(), CommandError> {
        self.apply(Command::SetVelocity(body, velocity.to_lengths())).map(drop)
    }

    /// Adds to a body's velocity, in tiles per second of its own time: what an explosion or a gust does. It is as [`World::set_velocity`] with the sum.
    ///
    /// # Errors
    /// [`CommandError`] for a body that is not there, and a velocity or a sum out of range.
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

    /// Adds an impulse over the body's [mass](Body::mass) to its velocity, as [`World::add_velocity`] does: the heavier it is, the
    /// less.
    ///
    /// # Errors
    /// As [`World::add_velocity`].
    pub fn apply_impulse(&mut self, body: BodyId, impulse: impl Vector) -> Result<(), CommandError> {
        let mass = self.get(body).ok_or(CommandError::NoSuchBody(body))?.body().mass;
        self.add_velocity(body, impulse.to_lengths() / mass)
    }

    /// Makes a body another one, that bounces, is heavier, is in other layers, in slow time, or is a character now: all of a [`Body`] but its position, velocity
    /// and shape, which stay as they are, whatever they are in the other one. It keeps its id, what its player holds down, and what it stands on.
    ///
    /// One that passed through everything and does not any more is stuck where it overlaps a solid of the map. A character
    /// that becomes none, or the other way round, lets go of what it holds, and is let go of.
    ///
    /// # Errors
    /// [`CommandError`] for a body that is not there, for numbers that [`Body::check`] refuses, and layers that the map has no name for.
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
    /// assert_eq!(world[ball].body().mass, 2.0, "the rest of it is as it was");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_body(&mut self, body: BodyId, to: Body) -> Result<(), CommandError> {
        self.apply(Command::SetBody(body, Box::new(to))).map(drop)
    }

    /// Changes how a character moves, from the next tick on: what a power-up or a panel of sliders does.
    ///
    /// Position, velocity, whether it stands and what its player holds down stay: a walk speeds up or slows down to the new
    /// speed, and a jump that has begun goes as high as it would have gone.
    ///
    /// # Errors
    /// [`CommandError`] for a body that is not there or is no character, and for numbers out of range.
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

    /// Sets the collision layers that a body is in. A one-way tile that lets it pass now is not there for it any more, and one
    /// that did is. Whatever it is inside of lets it out: only the next such tile catches it.
    ///
    /// The first body of layers that some tiles let pass takes time in proportion to the map.
    ///
    /// # Errors
    /// [`CommandError`] for a body that is not there, and layers that the map has no name for.
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
    /// assert_eq!(world[hero].position(), Position::new(1.5, 3.25)?, "the ledge is at the top of its tile");
    ///
    /// world.set_collision_layers(hero, ghosts)?;
    /// (0..30).for_each(|_| world.step());
    /// assert_eq!(world[hero].position(), Position::new(1.5, 1.25)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_collision_layers(&mut self, body: BodyId, layers: CollisionLayers) -> Result<(), CommandError> {
        self.apply(Command::SetCollisionLayers(body, layers)).map(drop)
    }

    /// Sets the collision layers that a body meets of other bodies, see [`Body::can_collide_with`].
    ///
    /// # Errors
    /// [`CommandError`] for a body that is not there, and layers that the map has no name for.
    pub fn set_collision_mask(&mut self, body: BodyId, mask: CollisionLayers) -> Result<(), CommandError> {
        self.apply(Command::SetCollisionMask(body, mask)).map(drop)
    }

    /// Gives a body another shape, as one that crouches or stands up again. Its lower side stays where it is, to the unit: its centre is
    /// higher or lower. Its velocity stays. A body on the ground stays there, but falls if the new shape touches no floor. Other bodies that it then
    /// overlaps it passes through until they are apart, as after a [`teleport`](World::teleport).
    ///
    /// # Errors
    /// [`CommandError`] for a body that is not there, for a shape that no body has, and where there is no room for it: see
    /// [`World::fits`], which has an example.
    pub fn set_shape(&mut self, body: BodyId, shape: Shape) -> Result<(), CommandError> {
        self.apply(Command::SetShape(body, shape)).map(drop)
    }

    /// Puts a body somewhere else: a [`Position`], or a pair, an array or a glam vector in tiles.
    ///
    /// # Errors
    /// [`CommandError`] for a body that is not there and coordinates that are no place.
    pub fn teleport<P>(&mut self, body: BodyId, to: P) -> Result<(), CommandError>
    where
        P: TryInto<Position>,
        P::Error: Into<PositionError>,
    {
        let to = to.try_into().map_err(|error| CommandError::Position(error.into()))?;
        self.apply(Command::Teleport(body, to)).map(drop)
    }

    /// Moves a body in the next tick by so much, in tiles, before it moves of itself: along slopes, and as far as the map, platforms and
    /// other bodies leave it room, none of which it pushes. It carries what stands on it as a platform does, and keeps its velocity.
    /// Drawing between ticks and areas see its way, unlike that of a [`teleport`](World::teleport).
    ///
    /// Several for one body add up, to at most [`Path::MAX_STEP_TILES`](crate::platform::Path::MAX_STEP_TILES) tiles on each axis. One that is stuck stays, one that is held goes with
    /// what holds it, and one whose response is `Pass` meets nothing.
    ///
    /// # Errors
    /// [`CommandError`] for a body that is not there, and for a displacement that is not finite or longer than that.
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

    /// Puts a platform into the world, where its path begins.
    ///
    /// A body that it overlaps passes through it until they are apart.
    ///
    /// # Errors
    /// [`CommandError`] for a platform whose tiles are not of the world's map or that has no tile that bodies meet, for a path
    /// or a circle that [`Motion::check`](crate::platform::PlatformMotion::check) refuses, for such times of
    /// [`OnRide`](crate::platform::OnRide), for one that has the name of a platform that is there or is attached to one that is
    /// not, and in a world full of platforms.
    pub fn spawn_platform(&mut self, platform: Platform) -> Result<PlatformId, CommandError> {
        let slot = self.platforms.slots.next_slot();
        self.apply(Command::SpawnPlatform(Box::new(platform)))?;
        Ok(self.platforms.slots.id(slot))
    }

    /// Takes a platform out of the world. What rides it keeps its velocity.
    ///
    /// # Errors
    /// [`CommandError::NoSuchPlatform`].
    pub fn despawn_platform(&mut self, platform: PlatformId) -> Result<(), CommandError> {
        self.apply(Command::DespawnPlatform(platform)).map(drop)
    }

    /// Drives a platform in the next tick: the lower left corner of its tile (0, 0) goes there, and it carries and pushes what
    /// is on its way. A platform with a path leaves it for that tick.
    ///
    /// # Errors
    /// [`CommandError`] for a platform that is not there, coordinates that are no place, and a way of more than
    /// [`Path::MAX_STEP_TILES`](crate::platform::Path::MAX_STEP_TILES) tiles.
    pub fn drive_platform<P>(&mut self, platform: PlatformId, to: P) -> Result<(), CommandError>
    where
        P: TryInto<Position>,
        P::Error: Into<PositionError>,
    {
        let to = to.try_into().map_err(|error| CommandError::Position(error.into()))?;
        self.apply(Command::DrivePlatform(platform, to)).map(drop)
    }

    /// Puts the lower left corner of a platform's tile (0, 0) somewhere else, with its path and with what is attached to it.
    /// It carries and pushes nothing; a body that it overlaps then passes through it until they are apart.
    ///
    /// # Errors
    /// [`CommandError`] for a platform that is not there and coordinates that are no place, also those of what is attached.
    pub fn teleport_platform<P>(&mut self, platform: PlatformId, to: P) -> Result<(), CommandError>
    where
        P: TryInto<Position>,
        P::Error: Into<PositionError>,
    {
        let to = to.try_into().map_err(|error| CommandError::Position(error.into()))?;
        self.apply(Command::TeleportPlatform(platform, to)).map(drop)
    }

    /// Has a platform follow its path, or stay where it is on it.
    ///
    /// # Errors
    /// [`CommandError::NoSuchPlatform`].
    pub fn play_platform(&mut self, platform: PlatformId, playing: bool) -> Result<(), CommandError> {
        self.apply(Command::PlayPlatform(platform, playing)).map(drop)
    }

    /// Makes a cell of a layer of a platform one of the map's tile kinds, [`TileId::EMPTY`] to clear it. Cells and layers are
    /// the platform's own, [`Platform::layers`]; the new tile is in [`PlatformState::platform`].
    ///
    /// What stood on the cell falls. A body that the tile overlaps passes through the platform until they are apart.
    ///
    /// It takes time in proportion to the platform and to the bodies.
    ///
    /// # Errors
    /// [`CommandError`] for a platform that is not there, [`CommandError::Tile`] for a layer or a kind that there is not and a
    /// cell outside the layer, and [`CommandError::Platform`] for a tile that cannot share its cell with those of other layers
    /// and for the last tile that bodies meet.
    ///
    /// # Examples
    /// ```
    /// use surefoot::platform::{Platform, PlatformError};
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let map = Map::from_rows(["....", "....", "===="])?;
    /// let bridge = Platform::from_rows(&map, ["=="])?.at((1.0, 1.0))?;
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

    /// A platform, if it is in the world.
    #[must_use]
    pub fn platform(&self, platform: PlatformId) -> Option<&PlatformState> {
        self.platforms.get(platform)
    }

    /// The first platform of that name in the order of the slots.
    #[must_use]
    pub fn find_platform(&self, name: &str) -> Option<PlatformId> {
        self.platforms().find(|(_, state)| state.platform().name == name).map(|(id, _)| id)
    }

    /// All platforms in the order of their slots.
    pub fn platforms(&self) -> impl Iterator<Item = (PlatformId, &PlatformState)> {
        self.platforms.iter()
    }

    /// The platform that a body rides: on whose ledge it hangs, on which it climbs or swims, or whose floor it stands on, nearest to its centre
    /// line. Of several that are equally near those count that rise most, and of these it names the one in the first slot; the
    /// body goes with all of them alike.
    #[must_use]
    pub fn platform_under(&self, body: BodyId) -> Option<PlatformId> {
        let scene = self.scene();
        let mut rides = self.bodies.get(body)?.rides(&scene.frame);
        crate::motion::keep_highest(&mut rides, |owner| scene.around.velocity(owner).dot(scene.frame.up()));
        rides.first().and_then(|owner| self.platforms.of(*owner))
    }

    /// Makes a cell of a layer, counted from 0, one of the map's tile kinds, [`TileId::EMPTY`] to clear it. In a layer that
    /// does not collide no body notices.
    ///
    /// It holds from the next step on: what stood on the cell falls in it, what is built into is stuck and does not move
    /// until it is free.
    ///
    /// # Errors
    /// [`CommandError::Tile`] for a layer or a kind that the map lacks, a cell outside it, and a tile that cannot share its cell
    /// with those of other layers.
    pub fn set_tile(&mut self, layer: usize, tile: (i32, i32), tile_id: TileId) -> Result<(), CommandError> {
        self.apply(Command::SetTile { layer, tile, tile_id }).map(drop)
    }

    /// Paints all cells of a rectangle: `from` and `to` are two opposite corners of it, both included.
    ///
    /// It takes time in proportion to the rectangle and to the bodies, however large the map is.
    ///
    /// # Errors
    /// As [`World::set_tile`]; if one cell is refused, all are.
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
    /// assert_eq!(world.map().tile_at(0, (2, 0)), world.tile_at(0, (3, 0)), "the map stays as it was loaded");
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

    /// Of which kind a cell of a layer is now; `None` outside the map and for a layer that it lacks, and in a streamed
    /// world for a cell that is neither painted nor loaded, or that is not painted in a layer that does not collide.
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

    /// Keeps a rectangle of tiles of a streamed world loaded, both corners included, besides what bodies need: what a
    /// camera shows, or what [`World::mover`] is to look at. It stands until this is called again; `None` keeps nothing.
    ///
    /// It changes nothing for bodies, and is no command. Nothing happens in a world on a map, all of which is there.
    pub fn keep_loaded(&mut self, tiles: Option<TileCorners>) {
        if self.terrain.is_streamed() {
            let view = tiles.map_or(Area::NONE, |(low, high)| self.terrain.area(low, high));
            self.terrain.hold(view);
            self.terrain.release(std::mem::replace(&mut self.view, view));
        }
    }

    /// Whether the commands given so far say how a new world becomes this one.
    pub(crate) fn is_told_by_its_commands(&self) -> bool {
        let (mut slots, mut paints) = (Slots::default(), false);
        for command in &self.pending {
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

    /// What happened in the last tick, in order: by phase of the tick, then by body.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The commands that were given for the last tick, in order: what a recorder writes down.
    #[must_use]
    pub fn commands(&self) -> &[Command] {
        &self.given
    }

    /// How many ticks have been stepped.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The map as it was loaded, the template of a streamed world; [`World::tile_at`] says what a cell is now.
    #[must_use]
    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// The terrain as it is now; of a streamed world what is loaded, the rest is solid.
    #[must_use]
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Names the map and where its tiles come from, as far as bodies and painted tiles can tell.
    #[cfg(feature = "record")]
    pub(crate) fn identity(&self) -> Checksum {
        self.identity
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// A body, if it is in the world.
    #[must_use]
    pub fn get(&self, body: BodyId) -> Option<&BodyState> {
        self.bodies.get(body)
    }

    /// All bodies in the order of their slots.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &BodyState)> {
        self.bodies.iter()
    }

    /// What a body touches; nothing for a body that is not there.
    ///
    /// It is what the last step found, with one exception: once a tile near the body is painted, what it touches is looked
    /// for in the terrain as it is now. [`BodyState::touching`] and [`BodyState::is_stuck`] change with the next step.
    #[must_use]
    pub fn contacts(&self, body: BodyId) -> Contacts<'_> {
        let scene = self.scene();
        let Some(state) = self.bodies.get(body) else { return Contacts::none(scene) };
        let scene = scene.of_layers(state.kind.collision_layers);
        // The surfaces of the last step are part of the state. Where a tile was painted since, the terrain knows neither
        // them nor the entries they were of.
        let contacts = if state.now.disturbed && !step::passes(state) {
            Contacts::found(scene, state.kind.shape, state.now.position)
        } else {
            Contacts::new(scene, state.touched(), state.kind.shape, state.now.position)
        };
        contacts.of_body(state.now.velocity, state.now.facing)
    }

    /// A mover over this world's terrain, with its up and its steepest floor. In a streamed world it meets a solid where
    /// nothing is loaded, see [`World::keep_loaded`].
    #[must_use]
    pub fn mover(&self) -> Mover<'_> {
        let mover = Mover::new(&self.terrain).among_platforms(&self.platforms.shapes);
        mover.up(self.settings.up).max_floor_slope(self.settings.max_floor_slope)
    }

    /// Which sides of a body would touch tiles or platforms if it walked so many tiles along the floor from where it is, to the right if
    /// positive: no floor after that is the end of it, a wall one on the way. `None` if it is gone. A body in the air does not walk.
    /// Bodies are not in its way; [`World::cast_shape`] meets those.
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

    /// What a painted tile was before: what the map has there, or what the source gave. `None` outside the map, and for a
    /// tile of a streamed world that is as it came.
    pub(crate) fn as_it_came(&self, layer: usize, tile: (i32, i32)) -> Option<TileId> {
        if self.terrain.is_streamed() { self.terrain.unpainted(layer, tile) } else { self.map.tile_at(layer, tile) }
    }

    fn scene(&self) -> Scene<'_> {
        self.platforms.scene(&self.terrain, &self.settings)
    }
}

impl Platforms {
    /// What bodies move over.
    pub(crate) fn scene<'a>(&'a self, terrain: &'a Terrain, settings: &Settings) -> Scene<'a> {
        Scene { around: self.around(terrain), frame: Frame::new(settings.up, settings.max_floor_slope) }
    }

    /// What bodies can meet.
    pub(crate) fn around<'a>(&'a self, terrain: &'a Terrain) -> Surroundings<'a> {
        Surroundings::new(terrain, &self.shapes).with_blocks(self.blocks())
    }
}

impl Clone for World {
    fn clone(&self) -> World {
        let World { map, terrain, platforms, areas, held_bodies: grips, pauses, settings, tick, bodies, .. } = self;
        let World { events, pending, given, painted, disturbed, scratch: _, spawned: _, view, queries: _, .. } = self;
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
            events: events.clone(),
            pending: pending.clone(),
            given: given.clone(),
            painted: painted.clone(),
            disturbed: *disturbed,
            scratch: step::StepScratch::default(),
            spawned: Vec::new(),
            view: *view,
            queries: query::QueryMemory::default(),
        }
    }

    fn clone_from(&mut self, from: &World) {
        let World { map, terrain, platforms, areas, held_bodies: grips, pauses, settings, tick, bodies, .. } = from;
        let World { events, pending, given, painted, disturbed, scratch: _, spawned: _, view, queries: _, .. } = from;
        self.queries.invalidate();
        self.map.clone_from(map);
        self.terrain.clone_from(terrain);
        self.scratch.ask_all();
        self.platforms.clone_from(platforms);
        self.areas.clone_from(areas);
        self.held_bodies.clone_from(grips);
        self.pauses.clone_from(pauses);
        #[cfg(feature = "record")]
        {
            self.identity = from.identity;
        }
        (self.settings, self.tick) = (*settings, *tick);
        self.bodies.clone_from(bodies);
        self.events.clone_from(events);
        self.pending.clone_from(pending);
        self.given.clone_from(given);
        self.painted.copy(painted);
        (self.disturbed, self.view) = (*disturbed, *view);
    }
}

impl std::ops::Index<BodyId> for World {
    type Output = BodyState;

    /// # Panics
    /// If the body is not in the world; [`World::get`] does not.
    #[track_caller]
    fn index(&self, body: BodyId) -> &BodyState {
        &self.bodies[body]
    }
}

/// The platforms of a new world.
fn begin_platforms(map: &Map, settings: &Settings) -> Platforms {
    let mut platforms = Platforms::default();
    for platform in map.platforms() {
        match Baked::new(platform.clone(), map, settings.tick) {
            Ok(baked) => _ = platforms.insert(Arc::new(baked)),
            Err(error) => unreachable!("a platform of a map, which is checked: {error}"),
        }
    }
    platforms.attach_by_names();
    platforms.place_anew();
    platforms
}

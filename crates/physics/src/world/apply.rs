//! Commands: the methods of [`World`] that request them, and their effects.

use super::character::{Mode, Timers};
use super::near::{release_chunks, try_load_whole_reach};
use super::painted::Rectangle;
use super::state::Now;
use super::step::{find_contacts, lies_on, may_collide, passes_through_everything, update_grounded_after_command};
use super::{BodyState, Kind, World};
use crate::body::{
    Body, BodyError, Character, Facing, Input, check_layers, check_mask, check_velocity, clamp_velocity, limit_velocity,
};
use crate::command::{Command, CommandError, check_shift};
use crate::event::BodyId;
use crate::map::{CollisionLayers, TileId};
use crate::motion::{Owner, Scene, Shape, Touching, Up};
use crate::platform::{Platform, PlatformId};
use crate::terrain::TileError;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use std::sync::Arc;
use surefoot_geometry::{ONE, Position, PositionError, Vector};

impl World {
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
    #[inline]
    pub fn set_input(&mut self, body: BodyId, input: Input) {
        if self.bodies.get(body).is_some_and(|state| !state.has_input(input)) {
            self.change_input(body, input);
        }
    }

    /// Sets the direction of up of `body`: one of its own, or `None` for the world's. See
    /// [`Body::up`](crate::body::Body::up).
    ///
    /// The body keeps its position and its velocity. What was its floor carries it no longer: it leaves a lift or
    /// another body with the velocity that it had there. A jump, a dash, a climb, a swim and a hang on a ledge end.
    ///
    /// # Errors
    /// Returns [`CommandError::NoSuchBody`] if `body` is not in the world.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["###", "...", "...", "###"])?, Settings::default());
    /// let hero = world.spawn(Body::new(Shape::aabb(0.4, 0.5)).at((1.5, 1.5)).character(Character::default()))?;
    /// world.set_up(hero, Up::MinusY)?;
    /// for _ in 0..60 {
    ///     world.step();
    /// }
    /// assert!(world[hero].on_floor() && world[hero].position() == Position::new(1.5, 2.5)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_up(&mut self, body: BodyId, up: impl Into<Option<Up>>) -> Result<(), CommandError> {
        self.apply(Command::SetUp(body, up.into())).map(drop)
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
        // `set_input` has checked that the body exists, and every input is valid. So this cannot fail.
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
    /// The body keeps its id, position, velocity, facing, shape and input. A body on the ground stays on the ground, a
    /// body in the air stays in the air. The position, velocity, facing and shape of `to` are ignored.
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

    /// Changes the shape of `body` as [`World::set_shape`] does, but keeps the upper side of the body where it is.
    ///
    /// A character that crouches in the air thus pulls up its feet. On the ground, it would leave the floor.
    ///
    /// # Errors
    /// Returns a [`CommandError`] as [`World::set_shape`] does. [`World::fits_from_top`] tests in advance whether the
    /// shape would overlap a solid.
    pub fn set_shape_from_top(&mut self, body: BodyId, shape: Shape) -> Result<(), CommandError> {
        self.apply(Command::SetShapeFromTop(body, shape)).map(drop)
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

    /// Moves `body` by `displacement`, in tiles, at the beginning of the next tick.
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
    /// Returns [`CommandError`] if `body` is not in the world, or if `displacement` is not finite or exceeds
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
    pub fn move_by(&mut self, body: BodyId, displacement: impl Vector) -> Result<(), CommandError> {
        self.apply(Command::MoveBy(body, displacement.to_lengths())).map(drop)
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

    /// Resumes the motion of `platform` along its path or circle, from the point where [`World::pause_platform`] or
    /// [`Platform::paused`](crate::platform::Platform::paused) paused it.
    ///
    /// # Errors
    /// Returns [`CommandError::NoSuchPlatform`] if `platform` is not in the world.
    pub fn resume_platform(&mut self, platform: PlatformId) -> Result<(), CommandError> {
        self.apply(Command::ResumePlatform(platform)).map(drop)
    }

    /// Sets one tile of `platform`. [`TileId::EMPTY`] clears the cell.
    ///
    /// `layer` is the index in the platform's own [`Platform::layers`], from 0. `tile` is the column and row in that
    /// layer. Afterwards, [`PlatformState::platform`](crate::world::PlatformState::platform) returns the platform with
    /// the new tile. Bodies that stood on a cleared cell fall. A body that the new tile overlaps passes through the
    /// platform until the two are apart.
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

    /// Executes `command` at once. Returns the id of the new body for [`Command::Spawn`], and `None` for other
    /// commands.
    ///
    /// After the next step, [`World::commands`] lists the command.
    ///
    /// # Errors
    /// Returns [`CommandError`] if the command is invalid, for example because its body is not in the world. The
    /// world then stays unchanged, and [`World::commands`] does not list the command.
    pub fn apply(&mut self, mut command: Command) -> Result<Option<BodyId>, CommandError> {
        let spawned = match &command {
            Command::SetInput(body, input) => {
                let state = self.body_mut(*body)?;
                if !state.has_input(*input) {
                    state.set_input(*input);
                }
                None
            }
            _ => self.execute(&command)?,
        };
        if let Command::SetBody(id, body) = &mut command {
            // Store the complete body: the recorded command must not depend on fields of the given body that are
            // ignored.
            (**body).clone_from(self.bodies[*id].kind.original_body());
        }
        self.log.pending.push(command);
        Ok(spawned)
    }

    /// Executes a command other than an input.
    #[inline(never)]
    pub(super) fn execute(&mut self, command: &Command) -> Result<Option<BodyId>, CommandError> {
        let mut spawned = None;
        self.invalidate_world_caches();
        match command {
            Command::SetInput(..) => {}
            Command::Spawn(body) => spawned = Some(self.add_body(body)?),
            Command::Despawn(body) => self.remove_body(*body)?,
            Command::SetVelocity(body, velocity) => self.change_velocity(*body, *velocity)?,
            Command::AddVelocity(body, velocity) => self.change_velocity_by(*body, *velocity)?,
            Command::Teleport(body, position) => self.move_body_to(*body, *position)?,
            Command::MoveBy(body, way) => {
                check_shift(*way).map_err(BodyError::from)?;
                self.body_mut(*body)?;
                self.wake_with_bodies_on_top(*body);
            }
            Command::SetShape(body, shape) => self.change_shape(*body, *shape, KeptSide::Lower)?,
            Command::SetShapeFromTop(body, shape) => self.change_shape(*body, *shape, KeptSide::Upper)?,
            Command::SetFacing(body, facing) => self.body_mut(*body)?.set_facing(*facing),
            Command::SetUp(body, up) => self.change_up(*body, *up)?,
            Command::SetCharacter(body, character) => self.change_character(*body, character)?,
            Command::SetBody(body, to) => self.change_body(*body, to)?,
            Command::SetCollisionLayers(body, layers) => self.change_layers(*body, *layers)?,
            Command::SetCollisionMask(body, mask) => self.change_mask(*body, *mask)?,
            Command::Knockback(body, velocity, ticks) => self.knock_back(*body, *velocity, *ticks)?,
            Command::HitStop(body, ticks) => self.freeze(*body, *ticks)?,
            Command::Grab(by, body) => self.add_grip(*by, *body, None)?,
            Command::Carry(by, body, offset) => self.add_grip(*by, *body, Some(*offset))?,
            Command::Release(body, velocity) => self.throw_held_body(*body, *velocity)?,
            Command::SpawnPlatform(platform) => self.add_platform(platform)?,
            Command::DespawnPlatform(platform) => self.remove_platform(*platform)?,
            Command::DrivePlatform(platform, to) => self.set_platform_goal(*platform, to.units())?,
            Command::TeleportPlatform(platform, to) => self.move_platform_to(*platform, to.units())?,
            Command::PausePlatform(platform) => self.platform_mut(*platform)?.now.playing = false,
            Command::ResumePlatform(platform) => self.platform_mut(*platform)?.now.playing = true,
            Command::SetPlatformTile { platform, layer, tile, tile_id } => {
                self.edit_platform_tile(*platform, *layer, *tile, *tile_id)?;
            }
            Command::SpawnArea(_) | Command::DespawnArea(_) | Command::MoveArea(..) | Command::SetArea(..) => {
                self.execute_area_command(command)?;
            }
            Command::SetTile { layer, tile, tile_id: entry } => {
                self.fill_tiles_and_update_bodies(*layer, *tile, *tile, *entry)?
            }
            Command::SetTiles { layer, from, to, tile_id: entry } => {
                self.fill_tiles_and_update_bodies(*layer, *from, *to, *entry)?
            }
        }
        self.update_areas_after_command(command, spawned);
        Ok(spawned)
    }

    fn add_body(&mut self, body: &Body) -> Result<BodyId, CommandError> {
        self.check_new_body(body)?;
        let position = body.position?;
        let kind = self.bodies.intern_kind(body);
        let now = Now::of_new_body(&kind, body, position, self.tick);
        let spawned = self.add_checked_body(kind, now)?;
        self.bodies.renew_version_after_insertions();
        if self.tick == 0 {
            self.record_placed_body(spawned, body);
        }
        Ok(spawned)
    }

    /// Refuses a new body with an invalid field, and prepares the terrain for its collision layers.
    pub(super) fn check_new_body(&mut self, body: &Body) -> Result<(), CommandError> {
        body.check()?;
        body.check_layers(self.map.collision_layers().len())?;
        self.prepare_for_layers(body.collision_layers);
        Ok(())
    }

    /// Adds a [checked](World::check_new_body) body with its configuration and its [first state](Now::of_new_body).
    /// The caller must renew the version of the bodies: see [`Bodies::insert`](super::bodies::Bodies::insert).
    pub(super) fn add_checked_body(&mut self, kind: Arc<Kind>, now: Now) -> Result<BodyId, CommandError> {
        if self.bodies.len() >= Self::MAX_BODIES {
            return Err(CommandError::TooManyBodies);
        }
        let mut state = self.bodies.new_state(kind, now);
        if self.terrain.is_streamed() {
            try_load_whole_reach(&mut self.terrain, &self.settings, &mut state);
        }
        let scene = self.platforms.scene(&self.terrain, &self.settings).of_kind(&state.kind);
        find_contacts(&scene, &mut state, &mut self.scratch);
        // Every new body begins in the air. A body without `cold` has no contacts, so it stays in the air.
        if state.cold.is_some() {
            update_grounded_on_ride(&scene, self.tick, &mut state);
            let on_floor = state.on_floor();
            state.change(|now| now.flags.set_reported_on_ground(on_floor));
        }
        let spawned = self.bodies.insert(state);
        self.ignore_overlapped_platforms(Some(spawned), None);
        self.bodies.disturbed = true;
        Ok(spawned)
    }

    fn remove_body(&mut self, body: BodyId) -> Result<(), CommandError> {
        self.wake_with_bodies_on_top(body);
        self.end_grips_of(body);
        self.pauses.retain(|(paused, _)| *paused != body);
        self.platforms.pairs.retain(|pair| pair.body != body);
        self.areas.forget_body_and_its_areas(body);
        let state = self.bodies.remove(body).ok_or(CommandError::NoSuchBody(body))?;
        if self.terrain.is_streamed() {
            release_chunks(&mut self.terrain, state);
        }
        Ok(())
    }

    /// Teleports a body.
    fn move_body_to(&mut self, body: BodyId, position: Position) -> Result<(), CommandError> {
        self.wake_with_bodies_on_top(body);
        let state = self.bodies.get_mut(body).ok_or(CommandError::NoSuchBody(body))?;
        let mode = Mode::after_placement(&state.kind);
        state.change(|now| {
            (now.position, now.previous, now.disturbed) = (position, position, true);
            now.enter_mode(mode);
        });
        if let Some(cold) = &mut state.cold {
            cold.path.clear();
            cold.lift = None;
            cold.set_timers(Timers::NONE);
        }
        if self.terrain.is_streamed() {
            try_load_whole_reach(&mut self.terrain, &self.settings, state);
        }
        let scene = self.platforms.scene(&self.terrain, &self.settings).of_kind(&state.kind);
        find_contacts(&scene, state, &mut self.scratch);
        update_grounded_on_ride(&scene, self.tick, state);
        self.bodies.disturbed = true;
        self.platforms.pairs.retain(|pair| pair.body != body);
        self.ignore_overlapped_platforms(Some(body), None);
        Ok(())
    }

    fn change_character(&mut self, body: BodyId, character: &Character) -> Result<(), CommandError> {
        character.check().map_err(BodyError::from)?;
        self.character_mut(body)?;
        let state = self.bodies.change_configuration(body, |kind| kind.character = Some(*character))?;
        if self.terrain.is_streamed() {
            // The body may now move further in its next tick than the chunks loaded around it.
            try_load_whole_reach(&mut self.terrain, &self.settings, state);
        }
        Ok(())
    }

    fn change_velocity_by(&mut self, body: BodyId, velocity: DVec2) -> Result<(), CommandError> {
        check_velocity(velocity).map_err(BodyError::from)?;
        let before = self.body_mut(body)?.velocity();
        self.change_velocity(body, before + velocity)
    }

    /// Sets the velocity of a body. `velocity` is relative to the world and in the body's own time.
    pub(super) fn change_velocity(&mut self, body: BodyId, velocity: DVec2) -> Result<(), CommandError> {
        check_velocity(velocity).map_err(BodyError::from)?;
        self.wake_with_bodies_on_top(body);
        let scene = self.platforms.scene(&self.terrain, &self.settings);
        let state = self.bodies.get_mut(body).ok_or(CommandError::NoSuchBody(body))?;
        state.release_ride_hold();
        let velocity = velocity * state.kind.time_factor();
        let scene = scene.of_kind(&state.kind);
        let ride = if state.on_floor() { state.ride_velocity_if_standing(&scene) } else { DVec2::ZERO };
        state.change(|now| now.velocity = clamp_velocity(velocity - ride));
        update_grounded_on_ride(&scene, self.tick, state);
        let carried = state.last_ride_velocity();
        state.change(|now| now.velocity = clamp_velocity(velocity - carried));
        state.end_jump_rise_or_ability();
        state.set_timers(Timers { dash: 0, ..state.timers().without_ledge(0) });
        Ok(())
    }

    /// Changes the collision layers of a body. Tiles that let it pass before may now stop it, and vice versa.
    fn change_layers(&mut self, body: BodyId, layers: CollisionLayers) -> Result<(), CommandError> {
        check_layers(layers, self.map.collision_layers().len())?;
        self.wake_with_bodies_on_top(body);
        let before = self.bodies.change_configuration(body, |kind| kind.collision_layers = layers)?.touched().to_vec();
        if !self.terrain.layers_let_through().is_empty() {
            self.prepare_for_layers(layers);
            let World { terrain, platforms, settings, bodies, scratch, tick, .. } = self;
            let state = bodies.get_mut(body).ok_or(CommandError::NoSuchBody(body))?;
            let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
            find_contacts(&scene, state, scratch);
            if *state.touched() != *before {
                detach_from_lost_floors(&scene, *tick, state);
            }
        }
        if self.bodies.features_in_use().collide {
            self.drop_contacts_with_bodies(body);
        }
        Ok(())
    }

    fn change_mask(&mut self, body: BodyId, mask: CollisionLayers) -> Result<(), CommandError> {
        check_mask(mask, self.map.collision_layers().len())?;
        self.wake_with_bodies_on_top(body);
        self.bodies.change_configuration(body, |kind| kind.collision_mask = mask)?;
        self.drop_contacts_with_bodies(body);
        Ok(())
    }

    /// Returns whether `body` has room for `shape` at its current position. The lower side of the body stays in
    /// place.
    ///
    /// The test includes solids and thin walls of the map and of platforms. The test ignores other bodies, and
    /// platforms that the body currently passes through. A body with [`Response::Pass`](crate::body::Response::Pass)
    /// always fits.
    ///
    /// Returns `false` if `body` is not in the world, or if `shape` has an invalid size. In a
    /// [streamed](World::streamed) world, the test sees loaded tiles only. At least all tiles within one tile of the
    /// body are loaded.
    ///
    /// # Examples
    /// A character under a low ceiling can stand up only where the ceiling ends:
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["##....", "......", "======"])?, Settings::default());
    /// let (upright, crouched) = (Shape::aabb(0.25, 0.75), Shape::aabb(0.25, 0.5));
    /// let hero = world.spawn(Body::new(crouched).at((1.0, 1.5)).character(Character::default()))?;
    /// assert!(!world.fits(hero, upright) && world.set_shape(hero, upright).is_err());
    ///
    /// world.teleport(hero, (4.0, 1.5))?;
    /// world.set_shape(hero, upright)?;
    /// assert_eq!(world[hero].position(), Position::new(4.0, 1.75)?, "the lower side stays at the floor");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fits(&self, body: BodyId, shape: Shape) -> bool {
        self.fits_with_shape(body, shape, KeptSide::Lower)
    }

    /// Returns whether [`World::set_shape_from_top`] would find room for `shape`: as [`World::fits`] does, but with the
    /// upper side of the body kept where it is.
    #[must_use]
    pub fn fits_from_top(&self, body: BodyId, shape: Shape) -> bool {
        self.fits_with_shape(body, shape, KeptSide::Upper)
    }

    /// Returns whether a body with another shape would overlap no solid. The side `kept` stays in place.
    fn fits_with_shape(&self, body: BodyId, shape: Shape, kept: KeptSide) -> bool {
        let Some(state) = self.bodies.get(body).filter(|_| shape.check().is_ok()) else { return false };
        let position = state.now.position + centre_shift_that_keeps_side(state, shape, kept);
        let scene = self.platforms.scene(&self.terrain, &self.settings).of_kind(&state.kind);
        let is_ignored =
            |id: PlatformId| self.platforms.pairs.iter().any(|pair| (pair.body, pair.platform) == (body, id));
        let platforms = self.platforms.iter().filter(|(id, state)| state.is_present() && !is_ignored(*id));
        let owners = platforms.filter_map(|(id, _)| self.platforms.owner(id));
        let is_built_into = |owner| scene.is_overlapped_by(owner, shape, position);
        passes_through_everything(state) || ![Owner::Terrain].into_iter().chain(owners).any(is_built_into)
    }

    /// Changes the shape of a body, if it fits.
    fn change_shape(&mut self, body: BodyId, shape: Shape, kept: KeptSide) -> Result<(), CommandError> {
        let state = self.bodies.get(body).ok_or(CommandError::NoSuchBody(body))?;
        shape.check().map_err(BodyError::from)?;
        if state.kind.one_way && shape.is_circle() {
            return Err(BodyError::OneWayCircle.into());
        }
        let (before, lift) = (state.kind.shape, centre_shift_that_keeps_side(state, shape, kept));
        // Set the new shape for a moment, which loads the chunks around it: `fits_with_shape` only sees loaded chunks.
        let fits = if self.terrain.is_streamed() {
            self.set_shape_and_move_centre(body, shape, lift)?;
            let fits = self.fits_with_shape(body, shape, kept);
            self.set_shape_and_move_centre(body, before, -lift)?;
            fits
        } else {
            self.fits_with_shape(body, shape, kept)
        };
        if !fits {
            return Err(CommandError::NoRoomForShape(body));
        }
        self.wake_with_bodies_on_top(body);
        self.set_shape_and_move_centre(body, shape, lift)?;
        let World { terrain, platforms, settings, bodies, scratch, tick, .. } = self;
        let Some(state) = bodies.get_mut(body) else { return Ok(()) };
        let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
        find_contacts(&scene, state, scratch);
        let (meets_others, stuck) = (may_collide(state), state.now.stuck);
        // The next tick finds contacts with other bodies, and whether the body is stuck. Until then, a body that may
        // stand on another body, or is stuck, stays on the ground.
        let touching = Touching::from_surfaces(state.touched(), state.now.position, &scene.frame);
        let speed = state.now.footing.speed().filter(|_| touching.floor || meets_others || stuck);
        state.change(|now| {
            now.set_footing(touching, speed, *tick);
            now.disturbed |= stuck;
        });
        if !meets_others {
            state.set_frame_velocity(state.carrier_velocity(&scene), scene.frame.right());
        }
        bodies.disturbed |= stuck;
        Ok(())
    }

    /// Changes the shape of a body and moves its centre by `lift`.
    fn set_shape_and_move_centre(&mut self, body: BodyId, shape: Shape, lift: I64Vec2) -> Result<(), CommandError> {
        let state = self.bodies.change_configuration(body, |kind| kind.shape = shape)?;
        state.change(|now| (now.position, now.previous) = (now.position + lift, now.previous + lift));
        if let Some(cold) = &mut state.cold {
            cold.path.iter_mut().for_each(|part| *part = *part + lift);
        }
        if self.terrain.is_streamed() {
            try_load_whole_reach(&mut self.terrain, &self.settings, state);
        }
        Ok(())
    }

    /// Replaces the properties of a body. Position and shape stay.
    fn change_body(&mut self, body: BodyId, to: &Body) -> Result<(), CommandError> {
        let state = self.bodies.get(body).ok_or(CommandError::NoSuchBody(body))?;
        let (before, passed, touched) =
            (state.kind.clone(), passes_through_everything(state), state.touched().to_vec());
        let given = before.original_body();
        let to = Body { position: given.position, velocity: given.velocity, shape: given.shape, ..*to };
        to.check()?;
        to.check_layers(self.map.collision_layers().len())?;
        if to.bits() == given.bits() {
            return Ok(());
        }
        self.wake_with_bodies_on_top(body);
        if to.character.is_some() != before.character.is_some() {
            self.end_grips_of(body);
            self.change_pause(body, |pause| pause.input = 0);
        }
        self.prepare_for_layers(to.collision_layers);
        self.bodies.change_configuration(body, |kind| *kind = to)?;
        self.rescale_velocity_and_timers(body, before.time_factor());
        let is_turned = self.bodies[body].kind.up != before.up;
        self.update_footing_after_turn(body, &before);
        let World { terrain, platforms, settings, bodies, scratch, tick, .. } = self;
        let state = bodies.get_mut(body).ok_or(CommandError::NoSuchBody(body))?;
        if terrain.is_streamed() {
            try_load_whole_reach(terrain, settings, state);
        }
        let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
        find_contacts(&scene, state, scratch);
        if is_turned {
            // `update_footing_after_turn` has already decided whether the body stands or flies by its new up.
        } else if state.kind.character.is_some() != before.character.is_some() {
            update_grounded_on_ride(&scene, *tick, state);
        } else if touched.iter().any(|surface| !state.touched().contains(surface)) {
            detach_from_lost_floors(&scene, *tick, state);
        } else {
            // With an unchanged collision filter, the body stays on the ground for now. The next tick decides whether
            // the body still stands on another body.
            let layers = |kind: &Body| (kind.collision_layers, kind.collision_mask);
            let meets_others = layers(&state.kind) != layers(&before);
            let touching = Touching::from_surfaces(state.touched(), state.now.position, &scene.frame);
            let speed = state.now.footing.speed().filter(|_| touching.floor || !meets_others);
            state.change(|now| now.set_footing(touching, speed, *tick));
        }
        if !may_collide(state) {
            // The body cannot collide with other bodies, so none of them carries the body.
            state.set_frame_velocity(state.carrier_velocity(&scene), scene.frame.right());
        }
        if passes_through_everything(state) != passed {
            state.change(|now| now.disturbed = true);
            self.bodies.disturbed = true;
            self.platforms.pairs.retain(|pair| pair.body != body);
            self.ignore_overlapped_platforms(Some(body), None);
        }
        Ok(())
    }

    /// Changes the body's own direction of up.
    fn change_up(&mut self, body: BodyId, up: Option<Up>) -> Result<(), CommandError> {
        let before = self.bodies.get(body).ok_or(CommandError::NoSuchBody(body))?.kind.clone();
        self.wake_with_bodies_on_top(body);
        self.bodies.change_configuration(body, |kind| kind.up = up)?;
        self.update_footing_after_turn(body, &before);
        Ok(())
    }

    /// Puts a body whose up has changed on the floor or into the air. It keeps its velocity in the world. `before`: its
    /// configuration before.
    pub(super) fn update_footing_after_turn(&mut self, body: BodyId, before: &Kind) {
        let World { terrain, platforms, settings, bodies, scratch, tick, .. } = self;
        let Some(state) = bodies.get_mut(body).filter(|state| state.kind.up != before.up) else { return };
        let mode = Mode::after_placement(&state.kind);
        let (is_swapped, velocity) =
            (state.kind.is_flipped != before.is_flipped, clamp_velocity(state.world_velocity()));
        state.set_timers(Timers { dash_held: state.timers().dash_held, ..Timers::NONE });
        if let Some(cold) = &mut state.cold {
            cold.lift = None;
        }
        state.change(|now| {
            now.input = now.input().swapped_if(is_swapped).into();
            now.facing = now.facing.swapped_if(is_swapped);
            now.enter_mode(mode);
        });
        if terrain.is_streamed() {
            try_load_whole_reach(terrain, settings, state);
        }
        let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
        find_contacts(&scene, state, scratch);
        update_footing_with_velocity(&scene, *tick, velocity, state);
    }

    /// Prepares the terrain for bodies in `layers`, if some tiles let them pass.
    pub(super) fn prepare_for_layers(&mut self, layers: CollisionLayers) {
        if self.terrain.layers_let_through().intersects(layers) {
            let alike = self.terrain.layers_passing_same_tiles(layers);
            self.terrain.prepare_collision_layers(alike);
            self.platforms.prepare_for_layers(alike);
        }
    }

    /// Limits a body's contacts to the terrain. The next tick finds its contacts with other bodies.
    fn drop_contacts_with_bodies(&mut self, body: BodyId) {
        let World { terrain, platforms, settings, bodies, tick, .. } = self;
        let Some(state) = bodies.get_mut(body) else { return };
        let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
        let touching = Touching::from_surfaces(state.touched(), state.now.position, &scene.frame);
        let speed = state.now.footing.speed().filter(|_| touching.floor);
        state.change(|now| now.set_footing(touching, speed, *tick));
        if !may_collide(state) {
            // The body cannot collide with other bodies, so none of them carries the body.
            state.set_frame_velocity(state.carrier_velocity(&scene), scene.frame.right());
        }
    }

    /// Wakes a sleeping body and everything that rests on it, because its support may move away. The next tick finds
    /// the contacts of all of them again.
    pub(super) fn wake_with_bodies_on_top(&mut self, body: BodyId) {
        if !self.bodies.features_in_use().collide {
            return;
        }
        let Some(state) = self.bodies.get_mut(body) else { return };
        state.change(Now::wake);
        let mut woken: SmallVec<[_; 16]> = SmallVec::new();
        woken.push((state.now.position, state.kind.shape.collider()));
        while let Some((position, lower)) = woken.pop() {
            for state in self.bodies.values_mut().filter(|state| state.now.quiet == Now::AT_REST) {
                let upper = state.kind.shape.collider();
                if lies_on(state.kind.gravity, (upper, lower), state.now.position - position) {
                    state.change(Now::wake);
                    woken.push((state.now.position, upper));
                }
            }
        }
    }

    pub(super) fn body_mut(&mut self, body: BodyId) -> Result<&mut BodyState, CommandError> {
        self.bodies.get_mut(body).ok_or(CommandError::NoSuchBody(body))
    }

    /// Returns a body that must be a character.
    pub(super) fn character_mut(&mut self, body: BodyId) -> Result<&mut BodyState, CommandError> {
        let state = self.body_mut(body)?;
        state.kind.character.ok_or(CommandError::NotACharacter(body))?;
        Ok(state)
    }

    /// Sets all tiles of a rectangle of a layer, corners included, and updates the bodies around it.
    fn fill_tiles_and_update_bodies(
        &mut self,
        layer: usize,
        from: (i32, i32),
        to: (i32, i32),
        entry: TileId,
    ) -> Result<(), TileError> {
        if let Some((low, high)) = self.fill_tiles(layer, from, to, entry)? {
            self.mark_bodies_at_tiles_for_recheck(low, high);
        }
        Ok(())
    }

    /// Sets all tiles of a rectangle of a layer, corners included. Returns the rectangle that changed for bodies.
    pub(super) fn fill_tiles(
        &mut self,
        layer: usize,
        from: (i32, i32),
        to: (i32, i32),
        entry: TileId,
    ) -> Result<Option<Rectangle>, TileError> {
        let layers = self.map.layers();
        let collides = layers.get(layer).ok_or(TileError::UnknownLayer { layer, layers: layers.len() })?.collides;
        if collides {
            self.terrain.set_tiles(layer, from, to, entry)?;
        } else {
            self.terrain.check_fill(from, to, entry)?;
        }
        let all = ((from.0.min(to.0), from.1.min(to.1)), (from.0.max(to.0), from.1.max(to.1)));
        let (map, terrain) = (&self.map, &self.terrain);
        let as_it_came = |tile| {
            if terrain.is_streamed() {
                // The tiles are set already. So a tile that the terrain does not list as edited has the kind `entry`
                // from the source. The source is not queried for a layer that does not collide.
                terrain.source_tile_before_edit(layer, tile).or(collides.then_some(entry))
            } else {
                map.tile_at(layer, tile)
            }
        };
        // A cell that is empty for bodies before and after the edit does not count as changed. An example is the cell
        // of a collected coin.
        let is_empty = |entry| map.kind(entry).is_some_and(|kind| kind.variant.is_none());
        let empties = is_empty(entry);
        let counts = |before: Option<TileId>| !(empties && before.is_some_and(is_empty));
        let changed = self.painted.record_fill(layer, all, entry, as_it_came, counts);
        Ok(changed.filter(|_| collides))
    }

    /// Marks the bodies that reach a cell of a rectangle or a cell next to one. The next step wakes those that sleep.
    /// Visits every body once for all cells.
    fn mark_bodies_at_tiles_for_recheck(&mut self, low: (i32, i32), high: (i32, i32)) {
        let World { bodies, terrain, .. } = self;
        bodies.disturbed = true;
        for state in bodies.values_mut() {
            let reach = state.kind.shape.half_units() + 2 * ONE;
            let units = state.now.position.units();
            let near = |at: i64, reach: i64, low: i32, high: i32| {
                at - reach <= (i64::from(high) + 1) * ONE && at + reach >= i64::from(low) * ONE
            };
            let is_near = near(units.x, reach.x, low.0, high.0) && near(units.y, reach.y, low.1, high.1);
            state.update_caches_after_edit(terrain, (low, high), is_near);
        }
    }
}

/// Side of a body that stays in place when its shape changes.
#[derive(Clone, Copy)]
enum KeptSide {
    Lower,
    Upper,
}

/// Returns the displacement of a body's centre if its shape changes and that side stays in place.
fn centre_shift_that_keeps_side(state: &BodyState, after: Shape, kept: KeptSide) -> I64Vec2 {
    let up = state.kind.up.direction();
    let axis = match kept {
        KeptSide::Lower => up,
        KeptSide::Upper => -up,
    };
    axis * (after.half_units() - state.kind.shape.half_units()).dot(axis.abs())
}

/// Takes a body off floors that it no longer touches. The body keeps the velocity that these floors gave it. It
/// stands on new contacts only if it stood before.
pub(super) fn detach_from_lost_floors(scene: &Scene<'_>, tick: u64, state: &mut BodyState) {
    state.cold_mut().lift = None;
    let before = std::mem::take(&mut state.cold_mut().carried);
    let on_floor = state.now.footing.is_ground();
    let ride = state.ride_velocity_if_standing(scene);
    state.change(|now| now.velocity = limit_velocity(now.velocity + before - ride));
    update_grounded_after_command(&Scene { around: scene.around.ignoring_platforms(&[], ride), ..*scene }, tick, state);
    if !on_floor {
        state.change(|now| now.set_footing(now.touching, None, tick));
    }
    let after = state.carrier_velocity(scene);
    state.change(|now| now.velocity = limit_velocity(now.velocity + ride - after));
    state.cold_mut().carried = after;
}

/// Puts a body with a velocity relative to the world on what it touches, or into the air.
pub(super) fn update_footing_with_velocity(scene: &Scene<'_>, tick: u64, velocity: DVec2, state: &mut BodyState) {
    let ride = state.ride_velocity_if_standing(scene);
    state.change(|now| now.velocity = clamp_velocity(velocity - ride));
    update_grounded_on_ride(scene, tick, state);
    let carried = state.last_ride_velocity();
    state.change(|now| now.velocity = limit_velocity(velocity - carried));
}

/// Does [`update_grounded_after_command`] for a body whose velocity is relative to its ride.
pub(super) fn update_grounded_on_ride(scene: &Scene<'_>, tick: u64, state: &mut BodyState) {
    let ride = state.ride_velocity_if_standing(scene);
    update_grounded_after_command(&Scene { around: scene.around.ignoring_platforms(&[], ride), ..*scene }, tick, state);
    let carried = state.carrier_velocity(scene);
    if carried != state.last_ride_velocity() {
        state.cold_mut().carried = carried;
    }
}

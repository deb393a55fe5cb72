//! Commands: all changes that a game makes to a world between two steps, as values of [`Command`].
//!
//! Most games call the methods of [`World`](crate::World) instead, such as [`World::spawn`](crate::World::spawn).
//! Recordings and replays contain commands.

use crate::area::{Area, AreaError, AreaId, MAX_AREAS};
use crate::body::{Body, BodyError, Character, Facing, Input};
use crate::ids::BodyId;
use crate::map::{CollisionLayerError, CollisionLayers, TileId};
use crate::motion::{Shape, Up};
use crate::platform::{Path, Platform, PlatformError, PlatformId};
use crate::range::{RangeError, check_in_range};
use crate::terrain::TileError;
use crate::told::debug_is_display;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::{Position, PositionError};
use thiserror::Error;

/// The most bodies that a world holds.
pub(crate) const MAX_BODIES: usize = 1 << 24;

/// Maximum number of platforms in a world: 2^17.
pub const MAX_PLATFORMS: usize = 1 << 17;

/// Maximum offset of a carried body from its character on an axis, in tiles.
pub(crate) const MAX_OFFSET: f64 = 1024.0;

/// Maximum duration of an input lock ([`Command::Knockback`]) or a hit stop, in ticks: about 18 minutes at 60 ticks
/// per second.
pub const MAX_PAUSE_TICKS: u32 = 1 << 16;

/// Refuses to have a body wait for more than [`MAX_PAUSE_TICKS`] ticks.
#[doc(hidden)]
pub fn check_ticks(ticks: impl Into<i64>) -> Result<(), RangeError> {
    check_in_range("ticks", ticks.into() as f64, 0.0, MAX_PAUSE_TICKS.into())
}

/// Refuses an offset to carry a body at that is not finite or beyond [`MAX_OFFSET`].
#[doc(hidden)]
pub fn check_offset(offset: DVec2) -> Result<(), RangeError> {
    check_in_range("offset.x", offset.x, -MAX_OFFSET, MAX_OFFSET)?;
    check_in_range("offset.y", offset.y, -MAX_OFFSET, MAX_OFFSET)
}

/// Refuses a displacement to shift a body by that is not finite or beyond [`Path::MAX_STEP_TILES`].
#[doc(hidden)]
pub fn check_shift(displacement: DVec2) -> Result<(), RangeError> {
    check_in_range("displacement.x", displacement.x, -Path::MAX_STEP_TILES, Path::MAX_STEP_TILES)?;
    check_in_range("displacement.y", displacement.y, -Path::MAX_STEP_TILES, Path::MAX_STEP_TILES)
}

/// A change that a game makes to a world between two steps. [`World::apply`](crate::World::apply) executes it.
///
/// For each variant, [`World`](crate::World) has a method that is shorter to call, such as
/// [`World::spawn`](crate::World::spawn). Recordings and replays contain commands.
// Snapshots in bytes store the index of the variant, so add new variants at the end.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub enum Command {
    /// Spawns a body. Worlds with the same history give the body the same id, on every machine.
    Spawn(Box<Body>),
    /// Removes a body from the world.
    Despawn(BodyId),
    /// Sets the input of a character: the buttons that its player holds.
    SetInput(BodyId, Input),
    /// Sets the velocity of a body, in tiles per second. With a [`Body::time_scale`] below 1, these are seconds of
    /// the body's slower time.
    ///
    /// A character on the floor leaves the floor if the velocity points away from it.
    SetVelocity(BodyId, DVec2),
    /// Moves the centre of a body to a position at once, without hitting anything in between.
    Teleport(BodyId, Position),
    /// Sets one tile of the map.
    SetTile {
        /// Index of the tile layer, from 0.
        layer: usize,
        /// Column and row of the cell in the map.
        tile: (i32, i32),
        /// New tile kind. [`TileId::EMPTY`] clears the cell.
        tile_id: TileId,
    },
    /// Sets all tiles of a rectangle of the map. If one of the tiles is refused, no tile is set.
    SetTiles {
        /// Index of the tile layer, from 0.
        layer: usize,
        /// Column and row of one corner cell. The rectangle includes this cell.
        from: (i32, i32),
        /// Column and row of the opposite corner cell. The rectangle includes this cell.
        to: (i32, i32),
        /// New tile kind of each cell. [`TileId::EMPTY`] clears the cells.
        tile_id: TileId,
    },
    /// Replaces the [`Character`] (the controller) of a body. The position and motion of the body stay.
    SetCharacter(BodyId, Box<Character>),
    /// Spawns a platform. Worlds with the same history give the platform the same id, on every machine.
    SpawnPlatform(Box<Platform>),
    /// Removes a platform from the world. The bodies that ride it keep their velocity.
    DespawnPlatform(PlatformId),
    /// Drives a platform in the next tick: moves the lower left corner of the platform's tile (0, 0) to the position.
    /// The platform carries and pushes bodies.
    DrivePlatform(PlatformId, Position),
    /// Moves the lower left corner of a platform's tile (0, 0) to the position at once. The platform carries and
    /// pushes nothing.
    TeleportPlatform(PlatformId, Position),
    /// Pauses the path of a platform: from the next tick on, the platform stays at its position.
    PausePlatform(PlatformId),
    /// Resumes the path of a platform at the point where [`Command::PausePlatform`] or [`Platform::paused`] paused it.
    ResumePlatform(PlatformId),
    /// Sets one tile of a platform.
    SetPlatformTile {
        /// Platform to change.
        platform: PlatformId,
        /// Index of the platform's tile layer, from 0.
        layer: usize,
        /// Column and row of the cell in the platform's own tile layers.
        tile: (i32, i32),
        /// New tile kind. [`TileId::EMPTY`] clears the cell.
        tile_id: TileId,
    },
    /// Sets the collision layers that a body is in. The position and velocity of the body stay.
    ///
    /// Afterwards, the body passes through one-way tiles that [let one of the layers
    /// pass](crate::map::TileKind::ignored_by).
    SetCollisionLayers(BodyId, CollisionLayers),
    /// Sets the collision mask of a body: the collision layers of the other bodies that this body collides with.
    SetCollisionMask(BodyId, CollisionLayers),
    /// Spawns an area. Worlds with the same history give the area the same id, on every machine.
    SpawnArea(Box<Area>),
    /// Removes an area from the world.
    DespawnArea(AreaId),
    /// Moves an area to a position at once: in the world, or relative to the platform or body that carries the area.
    MoveArea(AreaId, Position),
    /// Replaces the whole definition of an area, such as its shape and effects. The id stays.
    SetArea(AreaId, Box<Area>),
    /// Makes the first body, a character, grab the second body next to it: walking away pulls the second body.
    ///
    /// The grab ends with [`Command::Release`], or when the two bodies no longer stand next to each other.
    Grab(BodyId, BodyId),
    /// Makes the first body, a character, carry the second body. The offset goes from the centre of the character to
    /// the centre of the carried body, in tiles.
    ///
    /// At the end of each tick, the carried body moves to that offset. The carried body collides with nothing until
    /// [`Command::Release`] ends the carrying.
    Carry(BodyId, BodyId, DVec2),
    /// Releases a body that a character pulls or carries.
    ///
    /// The body gets the character's velocity plus the given one, in tiles per second. With a [`Body::time_scale`]
    /// below 1, these are seconds of the body's slower time.
    Release(BodyId, DVec2),
    /// Sets the shape of a body. The lower side of the body stays in place, so its centre moves.
    SetShape(BodyId, Shape),
    /// Adds to the velocity of a body, in tiles per second. With a [`Body::time_scale`] below 1, these are seconds of
    /// the body's slower time.
    ///
    /// A character on the floor leaves the floor if the new velocity points away from it.
    AddVelocity(BodyId, DVec2),
    /// Replaces the properties of a body, such as mass and collision layers. The id, position, velocity, facing and
    /// shape stay.
    SetBody(BodyId, Box<Body>),
    /// Knocks a character back: sets its velocity in tiles per second, and ignores its player's input for a number of
    /// ticks.
    ///
    /// With a [`Body::time_scale`] below 1, the velocity and the ticks are in the character's slower time.
    Knockback(BodyId, DVec2, u32),
    /// Hit stop: freezes a body for a number of ticks of the world. Afterwards, the body continues with the same
    /// velocity and timers.
    HitStop(BodyId, u32),
    /// Sets the side that a body faces, left or right. Once a side is set, a character turns by itself when its
    /// [`Input::walk`] points to the other side.
    SetFacing(BodyId, Facing),
    /// Moves a body in the next tick by a displacement in tiles. The body stops at obstacles and slides along slopes.
    ///
    /// The body carries the bodies that stand on it.
    MoveBy(BodyId, DVec2),
    /// Sets the direction of up of a body: one of its own, or `None` for the world's. The position, the velocity and
    /// the side that the body faces stay. See [`Body::up`].
    SetUp(BodyId, Option<Up>),
    /// Sets the shape of a body. The upper side of the body stays in place, so its centre moves.
    SetShapeFromTop(BodyId, Shape),
}

/// Error for a refused [`Command`]. The world stays unchanged.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The body with this id is not in the world.
    #[error("body {0:?} is not in the world")]
    NoSuchBody(BodyId),
    /// The body with this id is not a character.
    #[error("body {0:?} is not a character; expected a body with `Body::character` set")]
    NotACharacter(BodyId),
    /// A number in the command is out of range, for example a velocity, an offset, or the mass of a body.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The command uses a collision layer (group of bodies) that the map does not name.
    #[error(transparent)]
    CollisionLayer(#[from] CollisionLayerError),
    /// A position in the command is not finite, or more than 2^29 tiles from the origin on an axis.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The tile cannot be set: the layer, cell or tile kind does not exist, or other tiles in the cell do not allow
    /// it.
    #[error(transparent)]
    Tile(#[from] TileError),
    /// The world already has the maximum number of bodies.
    #[error("the world is full; expected at most {} bodies", MAX_BODIES)]
    TooManyBodies,
    /// The platform with this id is not in the world.
    #[error("platform {0:?} is not in the world")]
    NoSuchPlatform(PlatformId),
    /// The platform to spawn is invalid, for example because its path has only one point. Or the tile cannot be set
    /// in the platform, for example because the call would remove the last solid tile.
    #[error(transparent)]
    Platform(#[from] PlatformError),
    /// A driven platform would move more than [`Path::MAX_STEP_TILES`] tiles in one tick. The value is the distance
    /// in tiles.
    #[error("the platform is driven {0} tiles in one tick; expected at most {max}", max = Path::MAX_STEP_TILES)]
    TooFar(f64),
    /// A platform that is attached to the moved platform would leave the range of valid positions. The value is the
    /// attached platform.
    #[error(
        "attached platform {0:?} would leave the range of positions; expected at most 2^29 tiles from the origin on an axis"
    )]
    AttachedOutOfRange(PlatformId),
    /// The world already has the maximum number of platforms.
    #[error("the world is full; expected at most {} platforms", MAX_PLATFORMS)]
    TooManyPlatforms,
    /// The area with this id is not in the world.
    #[error("area {0:?} is not in the world")]
    NoSuchArea(AreaId),
    /// The area to spawn or to set is invalid, for example because its shape has no interior.
    #[error(transparent)]
    Area(#[from] AreaError),
    /// The character with this id already pulls or carries a body. Also returned if a character would pull or carry
    /// itself.
    #[error("character {0:?} has no free hands; expected a character that holds no body, and a body other than itself")]
    AlreadyCarrying(BodyId),
    /// A character already pulls or carries the body or character with this id.
    #[error("body {0:?} is already pulled or carried; release it first")]
    AlreadyHeld(BodyId),
    /// No character pulls or carries the body that should be released.
    #[error("body {0:?} is not held; expected a body that a character pulls or carries")]
    NotHeld(BodyId),
    /// The body to pull does not touch the character's side, does not collide with it, or is a character.
    #[error(
        "body {0:?} is out of the character's reach; expected a body that touches the character's side and collides with it"
    )]
    OutOfReach(BodyId),
    /// The carried body cannot be released: it overlaps a solid, or a solid is between it and the character.
    #[error("a solid blocks the release of body {0:?}; expected free room there and up to the character")]
    NoRoom(BodyId),
    /// The new shape of the body would overlap a solid.
    #[error("a solid blocks the new shape of body {0:?}; expected free room, see `World::fits`")]
    NoRoomForShape(BodyId),
    /// The world already has the maximum number of areas.
    #[error("the world is full; expected at most {} areas", MAX_AREAS)]
    TooManyAreas,
}

debug_is_display!(CommandError);

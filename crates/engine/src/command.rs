//! Everything that changes a world from outside, as one value.

use crate::area::{Area, AreaError, AreaId, MAX_AREAS};
use crate::body::{Body, BodyError, Character, Input};
use crate::event::BodyId;
use crate::map::{CollisionLayerError, CollisionLayers, TileId};
use crate::motion::Shape;
use crate::platform::{Path, Platform, PlatformError, PlatformId};
use crate::range::{RangeError, within};
use crate::terrain::TileError;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::{Position, PositionError};
use thiserror::Error;

/// The most bodies that a world holds.
pub(crate) const MAX_BODIES: usize = 1 << 24;

/// The most platforms that a world holds.
pub const MAX_PLATFORMS: usize = 1 << 14;

/// The furthest that a character carries a body, on an axis, in tiles.
pub(crate) const MAX_OFFSET: f64 = 1024.0;

/// The most ticks for which a body waits: some 18 minutes of 60 ticks per second.
pub const MAX_PAUSE_TICKS: u32 = 1 << 16;

/// Refuses to have a body wait for more than [`MAX_PAUSE_TICKS`] ticks.
pub(crate) fn check_ticks(ticks: impl Into<i64>) -> Result<(), RangeError> {
    within("ticks", ticks.into() as f64, 0.0, MAX_PAUSE_TICKS.into())
}

/// Refuses a side other than -1, 0 and 1.
pub(crate) fn check_side(side: impl Into<i64>) -> Result<(), RangeError> {
    within("side", side.into() as f64, -1.0, 1.0)
}

/// Refuses an offset to carry a body at that is not finite or beyond [`MAX_OFFSET`].
pub(crate) fn check_offset(offset: DVec2) -> Result<(), RangeError> {
    within("offset.x", offset.x, -MAX_OFFSET, MAX_OFFSET)?;
    within("offset.y", offset.y, -MAX_OFFSET, MAX_OFFSET)
}

/// Refuses a displacement to shift a body by that is not finite or beyond [`Path::MAX_STEP_TILES`].
pub(crate) fn check_shift(way: DVec2) -> Result<(), RangeError> {
    within("shift.x", way.x, -Path::MAX_STEP_TILES, Path::MAX_STEP_TILES)?;
    within("shift.y", way.y, -Path::MAX_STEP_TILES, Path::MAX_STEP_TILES)
}

/// A change of a world from outside a step. The methods of a world that change it are conveniences over these.
// Snapshots in bytes number them, so that new ones come last.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub enum Command {
    /// Puts a body into the world. The same world gives the same id, whatever machine it runs on.
    Spawn(Box<Body>),
    /// Takes a body out of it.
    Despawn(BodyId),
    /// Sets what a character's player holds down.
    SetInput(BodyId, Input),
    /// Sets a body's velocity, in tiles per second of its own time; a character that it leads off the floor is thrown into the air.
    SetVelocity(BodyId, DVec2),
    /// Puts a body somewhere else.
    Teleport(BodyId, Position),
    /// Makes a cell one of the map's tile kinds.
    SetTile {
        /// Which of the map's layers, from 0.
        layer: usize,
        /// The cell.
        tile: (i32, i32),
        /// What it becomes.
        tile_id: TileId,
    },
    /// Makes all cells of a rectangle one of the map's tile kinds, or none if that is refused.
    SetTiles {
        /// Which of the map's layers, from 0.
        layer: usize,
        /// A corner of the rectangle.
        from: (i32, i32),
        /// The opposite corner; both belong to it.
        to: (i32, i32),
        /// What each cell becomes.
        tile_id: TileId,
    },
    /// Changes how a character moves; where it is and what it does stays.
    SetCharacter(BodyId, Box<Character>),
    /// Puts a platform into the world. The same world gives the same id, whatever machine it runs on.
    SpawnPlatform(Box<Platform>),
    /// Takes a platform out of it.
    DespawnPlatform(PlatformId),
    /// Drives a platform in the next tick: the lower left corner of its tile (0, 0) goes there.
    DrivePlatform(PlatformId, Position),
    /// Puts the lower left corner of a platform's tile (0, 0) somewhere else. It carries and pushes nothing on the way.
    TeleportPlatform(PlatformId, Position),
    /// Has a platform follow its path, or stay where it is on it.
    PlayPlatform(PlatformId, bool),
    /// Makes a cell of a platform one of the map's tile kinds.
    SetPlatformTile {
        /// The platform.
        platform: PlatformId,
        /// Which of its layers, from 0.
        layer: usize,
        /// The cell, among its own.
        tile: (i32, i32),
        /// What it becomes.
        tile_id: TileId,
    },
    /// Sets the collision layers that a body is in. Where it is and how fast stays; it falls through a one-way tile that lets
    /// it pass now, and is caught by the next one that does not.
    SetCollisionLayers(BodyId, CollisionLayers),
    /// Sets the collision layers that a body meets of other bodies.
    SetCollisionMask(BodyId, CollisionLayers),
    /// Puts an area into the world. The same world gives the same id, whatever machine it runs on.
    SpawnArea(Box<Area>),
    /// Takes an area out of it.
    DespawnArea(AreaId),
    /// Puts an area somewhere else: where its origin is, or from there what it is on.
    MoveArea(AreaId, Position),
    /// Makes an area another one that keeps its id.
    SetArea(AreaId, Box<Area>),
    /// Has the first body, a character, pull the second one along, which stands beside it: until it lets go, or the two stand
    /// beside each other no more.
    Grab(BodyId, BodyId),
    /// Has the first body, a character, carry the second one about: at the end of each tick its centre is put that far from the
    /// character's, in tiles. It meets nothing until it is released.
    Carry(BodyId, BodyId, DVec2),
    /// Has the character that pulls or carries a body let go of it. It then has the character's velocity, and this one on top,
    /// in tiles per second of its own time.
    Release(BodyId, DVec2),
    /// Gives a body another shape. Its lower side stays where it is.
    SetShape(BodyId, Shape),
    /// Adds to a body's velocity, in tiles per second of its own time; a character that the sum leads off the floor is thrown into the air.
    AddVelocity(BodyId, DVec2),
    /// Makes a body another one that keeps its id, and its own position, velocity and shape, whatever these are in the other one.
    SetBody(BodyId, Box<Body>),
    /// Sets a character's velocity, in tiles per second, and has its player's input not count for so many ticks, both of its own time.
    Knockback(BodyId, DVec2, u32),
    /// Has a body not move of itself for so many ticks of the world, and then go on as if they had not been.
    HitStop(BodyId, u32),
    /// Has a body look to the right, 1, or to the left, -1; a character then looks where its player leads it. With 0 that is not told.
    SetFacing(BodyId, i8),
    /// Moves a body in the next tick by so much, in tiles, as far as there is room, and what it carries with it.
    MoveBy(BodyId, DVec2),
}

/// Why a command was refused. The world is as it was.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The body is not in the world, or no longer.
    #[error("there is no body {0:?} in the world")]
    NoSuchBody(BodyId),
    /// The body is no character.
    #[error("the body {0:?} is no character")]
    NotACharacter(BodyId),
    /// The body to spawn or to become, the velocity, the shape or the character to set, or the offset to carry at, is not in order.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A collision layer that the map of the world has no name for.
    #[error(transparent)]
    CollisionLayer(#[from] CollisionLayerError),
    /// The position to go to is not one.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The tile cannot be set.
    #[error(transparent)]
    Tile(#[from] TileError),
    /// The world holds as many bodies as it can.
    #[error("the world is full: {} bodies", MAX_BODIES)]
    TooManyBodies,
    /// The platform is not in the world, or no longer.
    #[error("there is no platform {0:?} in the world")]
    NoSuchPlatform(PlatformId),
    /// The platform to spawn is not in order.
    #[error(transparent)]
    Platform(#[from] PlatformError),
    /// A platform is driven further than it may go in a tick.
    #[error("the platform is driven {0} tiles in a tick; expected at most {max}", max = Path::MAX_STEP_TILES)]
    TooFar(f64),
    /// A platform that is attached to the one that is teleported would be where no position is.
    #[error("{0:?}, which is attached to the platform, would be where no position is")]
    AttachedOutOfRange(PlatformId),
    /// The world holds as many platforms as it can.
    #[error("the world is full: {} platforms", MAX_PLATFORMS)]
    TooManyPlatforms,
    /// The area is not in the world, or no longer.
    #[error("there is no area {0:?} in the world")]
    NoSuchArea(AreaId),
    /// The area to spawn or to set is not in order.
    #[error(transparent)]
    Area(#[from] AreaError),
    /// A character cannot take two bodies into its hands, nor itself, nor a character whose hands are full.
    #[error("the hands of {0:?} are full")]
    AlreadyCarrying(BodyId),
    /// The body is pulled or carried already, or the character is.
    #[error("the body {0:?} is pulled or carried already")]
    AlreadyHeld(BodyId),
    /// Nothing pulls or carries the body.
    #[error("nothing pulls or carries the body {0:?}")]
    NotHeld(BodyId),
    /// The body to pull does not stand beside the character, does not meet it, or is a character.
    #[error("the body {0:?} does not stand beside the character that is to pull it")]
    OutOfReach(BodyId),
    /// A solid is where the body is to be released, or between it and the character.
    #[error("there is no room to release the body {0:?}")]
    NoRoom(BodyId),
    /// A solid is where the body would be with its new shape.
    #[error("there is no room for the new shape of the body {0:?}")]
    NoRoomForShape(BodyId),
    /// The world holds as many areas as it can.
    #[error("the world is full: {} areas", MAX_AREAS)]
    TooManyAreas,
}

//! Platforms: tiles of their own that move, and carry and push bodies.
//!
//! What a platform does to bodies is in `motion/carry.rs`; its part of a tick is in `world/step/platforms.rs`. Platforms
//! never rotate.

mod circle;
mod on_ride;
mod path;

pub use circle::CirclePath;
pub use on_ride::{DelayError, OnRide};
pub use path::{Easing, Path, PathError, PathTiming, Repeat};

#[cfg(feature = "ron")]
pub(crate) use on_ride::check_delay;
pub(crate) use on_ride::ticks_of;

use crate::map::{Map, MapPartsError, RowsError, TileLayer};
use circle::Round;
use glam::I64Vec2;
use path::Legs;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::Position;
use thiserror::Error;

slotmap::new_key_type! {
    /// Names a platform in its world; never used again for another one.
    pub struct PlatformId;
}

/// A platform to be: tiles that move as one.
///
/// Its tiles are of the kinds of the world's map, in layers of its own; bodies meet those that collide. Platforms pass
/// through the terrain and through each other.
///
/// # Examples
/// ```
/// use surefoot::platform::{PathTiming, Path, Platform};
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "....", "===="])"#)?;
/// let lift = Platform::from_rows(&map, ["=="])?.at((1.0, 1.0))?.path(Path {
///     points: vec![Position::ORIGIN, Position::new(0.0, 6.0)?],
///     timing: PathTiming::Speed(3.0),
///     ..Path::default()
/// });
/// let mut world = World::new(map, Settings::default());
/// let lift = world.spawn_platform(lift)?;
/// let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.5)).at((2.0, 2.5)).character(Character::default()))?;
/// for _ in 0..60 {
///     world.step();
/// }
/// assert_eq!(world.platform(lift).unwrap().position(), Position::new(1.0, 4.0)?);
/// assert_eq!(world[hero].position(), Position::new(2.0, 5.5)?);
/// assert!(world[hero].on_floor());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Platform {
    /// What the game calls it; empty for one without a name.
    pub name: String,
    /// Its tiles, of the kinds of the world's map; at least one that bodies meet.
    pub layers: Vec<TileLayer>,
    /// Where the lower left corner of its tile (0, 0) is put, before its path leads it elsewhere; the centre of its circle.
    pub position: Position,
    /// How it moves.
    pub motion: PlatformMotion,
    /// What it does to a body that has no room left.
    pub on_crush: OnCrush,
    /// What it does when a body rides it.
    pub on_ride: OnRide,
    /// The name of the platform that it goes along with; empty for none.
    pub attached_to: String,
}

/// How a platform moves.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum PlatformMotion {
    /// Where the game drives it, tick by tick; it rests where it is not driven.
    #[default]
    Driven,
    /// Along a path.
    Path(Path),
    /// Around where it is put.
    Circle(CirclePath),
}

/// What a platform does to a body that has no room left between it and something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum OnCrush {
    /// It stops where it touches the body, and goes on when there is room.
    #[default]
    Stop,
    /// It goes on: the body is passed through until it is out of the platform.
    PassThrough,
}

/// Why a platform was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PlatformError {
    /// The layers are no tiles of the world's map.
    #[error(transparent)]
    Tiles(#[from] Box<MapPartsError>),
    /// A platform without a tile that a body could meet.
    #[error("the platform has no tile that a body can meet")]
    Empty,
    /// The path or the circle is invalid.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A time of what it does when it is ridden.
    #[error(transparent)]
    Delay(#[from] DelayError),
    /// A platform of the world has its name already.
    #[error("a platform is named {name:?} already; expected each name once")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// It is attached to a platform that is not in the world.
    #[error("no platform is named {name:?}, which it is attached to")]
    NoSuchPlatform {
        /// The name.
        name: String,
    },
}

impl Platform {
    /// A platform of layers of tiles, its tile (0, 0) at the origin, that is driven.
    #[must_use]
    pub fn new(layers: Vec<TileLayer>) -> Platform {
        Platform {
            name: String::new(),
            layers,
            position: Position::ORIGIN,
            motion: PlatformMotion::default(),
            on_crush: OnCrush::default(),
            on_ride: OnRide::default(),
            attached_to: String::new(),
        }
    }

    /// A platform of one layer, from rows of characters, the highest row first: of those of a map's legend. Its lower left
    /// tile is (0, 0).
    ///
    /// # Errors
    /// As [`Map::layer_from_rows`].
    pub fn from_rows<R: AsRef<str>>(map: &Map, rows: impl IntoIterator<Item = R>) -> Result<Platform, RowsError> {
        Ok(Platform::new(vec![map.layer_from_rows(TileLayer::DEFAULT_NAME, rows)?]))
    }

    /// Where the lower left corner of its tile (0, 0) is before the first tick of a world with ticks of that many seconds.
    ///
    /// # Errors
    /// [`PathError`] for an invalid path or circle.
    pub fn start_position(&self, tick: f64) -> Result<Position, PathError> {
        let course = Course::new(&self.motion, tick)?;
        Ok(course.map_or(self.position, |course| Position::clamped(self.position.units() + course.at(0))))
    }

    /// With a name.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Platform {
        Platform { name: name.into(), ..self }
    }

    /// With the lower left corner of its tile (0, 0) there, in tiles.
    ///
    /// # Errors
    /// The error of the conversion, for what is no position.
    pub fn at<P>(self, position: P) -> Result<Platform, P::Error>
    where
        P: TryInto<Position>,
    {
        Ok(Platform { position: position.try_into()?, ..self })
    }

    /// That follows a path.
    #[must_use]
    pub fn path(self, path: Path) -> Platform {
        Platform { motion: PlatformMotion::Path(path), ..self }
    }

    /// That goes around where it is put.
    #[must_use]
    pub fn circle(self, circle: CirclePath) -> Platform {
        Platform { motion: PlatformMotion::Circle(circle), ..self }
    }

    /// With what it does to a body that has no room left.
    #[must_use]
    pub fn on_crush(self, on_crush: OnCrush) -> Platform {
        Platform { on_crush, ..self }
    }

    /// With what it does when a body rides it.
    #[must_use]
    pub fn on_ride(self, on_ride: OnRide) -> Platform {
        Platform { on_ride, ..self }
    }

    /// That goes along with the platform of that name, besides its own motion.
    #[must_use]
    pub fn attached_to(self, name: impl Into<String>) -> Platform {
        Platform { attached_to: name.into(), ..self }
    }

    /// Refuses how it moves, and what it does when it is ridden, if it cannot do so in ticks of that many seconds.
    pub(crate) fn check_times(&self, tick: f64) -> Result<(), PlatformError> {
        self.motion.check(tick)?;
        Ok(self.on_ride.check(tick)?)
    }
}

impl PlatformMotion {
    /// Refuses a motion that a platform cannot make in ticks of that many seconds.
    ///
    /// # Errors
    /// [`PathError`] for the first thing that is wrong.
    pub fn check(&self, tick: f64) -> Result<(), PathError> {
        match self {
            PlatformMotion::Driven => Ok(()),
            PlatformMotion::Path(path) => path.check(tick),
            PlatformMotion::Circle(circle) => circle.check(tick),
        }
    }
}

/// A motion worked out for a length of tick.
#[derive(Clone, Debug)]
pub(crate) enum Course {
    Path(Legs),
    Circle(Round),
}

impl Course {
    /// A motion in ticks of that many seconds, `None` for one that is driven. What is too fast or too long for them is as
    /// near to it as it may be; [`Motion::check`] refuses such a motion.
    pub(crate) fn new(motion: &PlatformMotion, tick: f64) -> Result<Option<Course>, PathError> {
        Ok(match motion {
            PlatformMotion::Driven => None,
            PlatformMotion::Path(path) => Some(Course::Path(Legs::new(path, tick)?)),
            PlatformMotion::Circle(circle) => Some(Course::Circle(Round::new(circle, tick)?)),
        })
    }

    /// Where the platform is at a tick of its clock, from where it was put.
    pub(crate) fn at(&self, clock: u64) -> I64Vec2 {
        match self {
            Course::Path(legs) => legs.at(clock),
            Course::Circle(round) => round.at(clock),
        }
    }

    /// The lower left and the upper right corner of a rectangle that it never leaves, from where the platform was put.
    pub(crate) fn extent(&self) -> (I64Vec2, I64Vec2) {
        match self {
            Course::Path(legs) => legs.extent(),
            Course::Circle(round) => round.extent(),
        }
    }
}

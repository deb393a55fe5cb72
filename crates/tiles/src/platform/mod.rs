//! Moving platforms: tile maps of their own that carry, push and crush bodies.
//!
//! Describe a platform with a [`Platform`] and add it with
//! [`World::spawn_platform`](../world/struct.World.html#method.spawn_platform). All platforms move at the beginning of
//! a tick, before bodies make their own motion. Platforms never rotate.

// The physics moves platforms in each tick, in `world/step/platforms.rs`. Their effect on bodies is in
// `motion/carry.rs` there.

mod circle;
pub(crate) mod course;
pub(crate) mod on_ride;
mod path;

pub use circle::CirclePath;
pub use on_ride::{DelayError, OnRide};
pub use path::{Easing, Path, PathError, PathTiming, Repeat};

pub use crate::ids::PlatformId;
use crate::map::{Map, MapPartsError, RowsError, TileLayer};
use crate::told::debug_is_display;
use course::Course;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::{Position, PositionError};
use thiserror::Error;

/// Describes a platform to spawn: a group of tiles that moves as one piece, and carries and pushes bodies.
///
/// The tiles are tile kinds of the world's map, in tile layers that belong to the platform. Bodies collide with the
/// tiles of layers that have [`TileLayer::collides`]. Platforms pass through the tiles of the map and through each
/// other.
///
/// Set the fields directly or chain the builder methods.
/// [`World::spawn_platform`](../world/struct.World.html#method.spawn_platform) validates the platform.
///
/// # Examples
/// ```
/// use surefoot::platform::{PathTiming, Path, Platform};
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "....", "===="])"#)?;
/// let lift = Platform::from_rows(&map, ["=="])?.at((1.0, 1.0)).path(Path {
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
    /// Name of the platform, unique in its world. Empty for a platform without a name.
    pub name: String,
    /// Tile layers of the platform, with tile kinds of the world's map. At least one tile must be one that bodies
    /// collide with.
    pub layers: Vec<TileLayer>,
    /// Position of the platform in the world: where the lower left corner of the platform's tile (0, 0) is. The
    /// points of a [`Path`] are relative to this position.
    ///
    /// With a [`CirclePath`], the position is the centre of the circle on which that corner moves. If [`Platform::at`]
    /// gets an invalid position, the error is stored here, and spawning the platform returns it.
    #[cfg_attr(feature = "serde", serde(with = "crate::written_position"))]
    pub position: Result<Position, PositionError>,
    /// How the platform moves. Default: [`PlatformMotion::Driven`].
    pub motion: PlatformMotion,
    /// Whether the path or circle is paused at first. Default `false`.
    ///
    /// The platform then stays at its first position until
    /// [`World::resume_platform`](../world/struct.World.html#method.resume_platform).
    pub paused: bool,
    /// Reaction of the platform to a body that it crushes: a body without room left. Default: [`OnCrush::Stop`].
    pub on_crush: OnCrush,
    /// Reaction of the platform when a body first rides it. Default: [`OnRide::Nothing`].
    pub on_ride: OnRide,
    /// Name of another platform to which this platform is attached. Empty for none.
    ///
    /// This platform then moves by the motion of the other platform plus its own [`Platform::motion`].
    pub attached_to: String,
}

/// How a platform moves.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum PlatformMotion {
    /// The game moves the platform with [`World::drive_platform`](../world/struct.World.html#method.drive_platform).
    ///
    /// The platform stands still in each tick without such a call.
    #[default]
    Driven,
    /// The platform moves along a path of points.
    Path(Path),
    /// The platform moves on a circle whose centre is [`Platform::position`].
    Circle(CirclePath),
}

/// Reaction of a platform to a body that it crushes: a body without room between the platform and something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum OnCrush {
    /// The platform stops where it touches the body, and continues when there is room.
    #[default]
    Stop,
    /// The platform continues, and the body passes through the platform until the two are apart.
    PassThrough,
}

/// Error for a platform that [`World::spawn_platform`](../world/struct.World.html#method.spawn_platform) refuses.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PlatformError {
    /// The position given to [`Platform::at`] is not finite or out of range.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The tile layers cannot be used with the world's map. For example, they contain a tile kind that the map does
    /// not have.
    #[error(transparent)]
    Tiles(#[from] Box<MapPartsError>),
    /// The platform has no tile that bodies collide with.
    #[error("the platform has no tile that bodies collide with; expected at least one")]
    Empty,
    /// The path or the circle is invalid, for example a path with only one point.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A delay or respawn time of [`Platform::on_ride`] is out of range.
    #[error(transparent)]
    Delay(#[from] DelayError),
    /// Another platform of the world has the same name.
    #[error("the platform name {name:?} is already in use; expected a unique name")]
    Duplicate {
        /// Name that is already in use.
        name: String,
    },
    /// [`Platform::attached_to`] names a platform that is not in the world.
    #[error("the platform is attached to the unknown platform {name:?}; expected the name of a platform in the world")]
    NoSuchPlatform {
        /// Name in [`Platform::attached_to`].
        name: String,
    },
}

debug_is_display!(PlatformError);

impl Platform {
    /// Creates a platform from `layers`, with the lower left corner of the platform's tile (0, 0) at the origin of
    /// the world. The platform moves only if the game drives it with
    /// [`World::drive_platform`](../world/struct.World.html#method.drive_platform).
    #[must_use]
    pub fn new(layers: Vec<TileLayer>) -> Platform {
        Platform {
            name: String::new(),
            layers,
            position: Ok(Position::ORIGIN),
            motion: PlatformMotion::default(),
            paused: false,
            on_crush: OnCrush::default(),
            on_ride: OnRide::default(),
            attached_to: String::new(),
        }
    }

    /// Creates a platform of one tile layer from rows of text, the highest row first. The platform moves only if the
    /// game drives it with [`World::drive_platform`](../world/struct.World.html#method.drive_platform).
    ///
    /// The legend of `map` says which tile kind each symbol stands for. The lower left tile is the platform's tile
    /// (0, 0), with its lower left corner at the origin of the world.
    ///
    /// # Errors
    /// Returns the errors of [`Map::layer_from_rows`].
    pub fn from_rows<R: AsRef<str>>(map: &Map, rows: impl IntoIterator<Item = R>) -> Result<Platform, RowsError> {
        Ok(Platform::new(vec![map.layer_from_rows(TileLayer::DEFAULT_NAME, rows)?]))
    }

    /// Returns the position of the platform before the first tick, where its motion starts. This is the position of
    /// the lower left corner of the platform's tile (0, 0).
    ///
    /// `tick` is the length of a tick in seconds: see
    /// [`Settings::tick`](../world/struct.Settings.html#structfield.tick).
    ///
    /// # Errors
    /// Returns [`PlatformError::Position`] if the position is invalid, and [`PlatformError::Path`] if the path or the
    /// circle is invalid.
    pub fn start_position(&self, tick: f64) -> Result<Position, PlatformError> {
        let (position, course) = (self.position?, Course::new(&self.motion, tick)?);
        Ok(course.map_or(position, |course| Position::clamped(position.units() + course.displacement_at(0))))
    }

    /// Sets the name of the platform.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Platform {
        Platform { name: name.into(), ..self }
    }

    /// Sets the position of the lower left corner of the platform's tile (0, 0), in tiles: a [`Position`], or a pair,
    /// an array or a glam vector.
    ///
    /// Spawning the platform fails if the position is not finite or out of range.
    #[must_use]
    pub fn at<P>(self, position: P) -> Platform
    where
        P: TryInto<Position>,
        P::Error: Into<PositionError>,
    {
        Platform { position: position.try_into().map_err(Into::into), ..self }
    }

    /// Makes the platform follow `path`, whose points are relative to the [`Platform::position`].
    #[must_use]
    pub fn path(self, path: Path) -> Platform {
        Platform { motion: PlatformMotion::Path(path), ..self }
    }

    /// Makes the platform move on `circle`, whose centre is the [`Platform::position`].
    #[must_use]
    pub fn circle(self, circle: CirclePath) -> Platform {
        Platform { motion: PlatformMotion::Circle(circle), ..self }
    }

    /// Pauses the path or circle of the platform, until
    /// [`World::resume_platform`](../world/struct.World.html#method.resume_platform).
    #[must_use]
    pub fn paused(self) -> Platform {
        Platform { paused: true, ..self }
    }

    /// Sets the reaction of the platform to a body that it crushes: a body without room left.
    #[must_use]
    pub fn on_crush(self, on_crush: OnCrush) -> Platform {
        Platform { on_crush, ..self }
    }

    /// Sets the reaction of the platform when a body first rides it.
    #[must_use]
    pub fn on_ride(self, on_ride: OnRide) -> Platform {
        Platform { on_ride, ..self }
    }

    /// Attaches this platform to another platform, which has the name `name` in the world.
    ///
    /// The platform then moves by the motion of the named platform plus its own [`Platform::motion`].
    #[must_use]
    pub fn attached_to(self, name: impl Into<String>) -> Platform {
        Platform { attached_to: name.into(), ..self }
    }

    /// Checks the position, the motion and the reaction to riders, in ticks of `tick` seconds.
    #[doc(hidden)]
    pub fn check(&self, tick: f64) -> Result<(), PlatformError> {
        self.position?;
        self.motion.check(tick)?;
        Ok(self.on_ride.check(tick)?)
    }
}

impl PlatformMotion {
    /// Checks that a platform can follow the path or circle in a world with ticks of `tick` seconds.
    ///
    /// # Errors
    /// Returns the first [`PathError`] if the path or the circle is invalid or too fast. For example, a path with
    /// only one point is invalid.
    pub fn check(&self, tick: f64) -> Result<(), PathError> {
        match self {
            PlatformMotion::Driven => Ok(()),
            PlatformMotion::Path(path) => path.check(tick),
            PlatformMotion::Circle(circle) => circle.check(tick),
        }
    }
}

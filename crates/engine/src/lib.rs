//! A deterministic 2D platformer physics engine on tile maps.
//!
//! Load a [`Map`], create a [`World`] from it and spawn bodies ([`body::Body`]). In every tick, set the [`Input`] of
//! your characters and call [`World::step`]. A tick is 1/60 second by default.
//!
//! Beyond that:
//!
//! - The module [`replay`] plays recorded runs again, for example in tests.
//! - The module [`rollback`] corrects inputs of other players that arrive late over a network.
//! - Games that keep their own entities need no world: a [`motion::Mover`] moves an entity over a
//!   [`terrain::Terrain`], the tiles that bodies collide with.
//!
//! Conventions:
//!
//! - Lengths are in tiles and times in seconds. x points right, y points up.
//! - Tile (x, y) is the square from (x, y) to (x + 1, y + 1).
//! - The position of a body is the centre of its shape. Shapes take half sizes: half the width, half the height, or a
//!   radius.
//! - Positions are fixed-point numbers in steps of 2^-32 tile: see [`Position`](surefoot_geometry::Position).
//!   Velocities are `f64`.
//! - Functions named `load` read a file, `save` writes a file, `from_ron` parses a text, and `check` validates a value.
//! - Loading reports the first mistake in a file. The module [`check`] reports all of them.
//! - Worlds that get the same commands in the same ticks have the same state, bit for bit, on every machine.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::{Input, Map, World};
//!
//! let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", ".@..", "===="])"#)?;
//! let start = map.marker("start").ok_or("no start")?;
//! let mut world = World::new(map, Settings::default());
//! let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default()))?;
//! world.set_input(hero, Input { walk: 127, ..Input::default() });
//! for _ in 0..20 {
//!     world.step();
//! }
//! assert!(world[hero].on_floor() && world[hero].position().to_dvec2().x > 2.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

pub use surefoot_geometry as geometry;
#[doc(inline)]
pub use surefoot_physics::{Command, Event, Input, World};
#[doc(inline)]
pub use surefoot_physics::{body, command, event, motion, query, terrain, timestep, world};
#[cfg(feature = "record")]
#[doc(inline)]
pub use surefoot_physics::{checksum, snapshot};
#[cfg(feature = "record")]
#[doc(inline)]
pub use surefoot_record::{check, record, replay, rollback};
#[doc(no_inline)]
pub use surefoot_tiles::Map;
#[cfg(feature = "ron")]
#[doc(inline)]
pub use surefoot_tiles::{FormError, TextError, io};
#[doc(inline)]
pub use surefoot_tiles::{RangeError, area, catalogue, map, platform};

/// The types that most games use: `use surefoot::prelude::*`.
///
/// Import `World`, `Map`, `Input` and `Event` from the crate root: `use surefoot::{Input, Map, World}`. They are not in
/// the prelude because the preludes of bevy and macroquad use the same names.
pub mod prelude {
    pub use crate::body::{Body, BodyError, Buttons, Character, Facing, Response};
    #[doc(no_inline)]
    pub use crate::catalogue::{Catalogue, Placement, VariantId};
    #[cfg(feature = "record")]
    #[doc(no_inline)]
    pub use crate::checksum::Checksum;
    pub use crate::command::CommandError;
    #[doc(no_inline)]
    pub use crate::event::{BodyId, EventKind};
    #[doc(no_inline)]
    pub use crate::map::TileId;
    pub use crate::motion::{Contact, Mover, Shape, ShapeKind, Side, SlopeLimit, Touching, Up};
    #[cfg(feature = "record")]
    pub use crate::record::{GameRun, Inputs, Recorder, Recording};
    #[cfg(feature = "record")]
    pub use crate::replay::{MapSource, Replay};
    #[cfg(feature = "record")]
    pub use crate::rollback::{Rollback, RollbackError};
    pub use crate::terrain::{Terrain, TileSource};
    pub use crate::timestep::FixedTimestep;
    pub use crate::world::{BodyState, Settings};
    pub use surefoot_geometry::{ONE, Position};
}

//! A 2D platformer physics engine on tile maps.
//!
//! A game loads a [`map::Map`], puts it into a [`world::World`], spawns [`body::Body`]s, sets their
//! [`body::Input`] and calls [`World::step`](world::World::step) once per frame. Recorded runs are replayed by
//! [`replay`]; [`rollback`] goes back to correct inputs that came late. Games that keep their own entities use a
//! [`motion::Mover`] over a [`terrain::Terrain`] and no world.
//!
//! - Lengths are in tiles, times in seconds; y is up, x to the right. Tile (x, y) covers x to x + 1 and y to y + 1.
//! - A body's position is the centre of its shape; sizes are half sizes.
//! - Positions are fixed point, see [`Place`](surefoot_geometry::Place); velocities are f64.
//! - The same commands in the same ticks give the same bits on every machine.
//!
//! ```
//! use surefoot::prelude::*;
//!
//! let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", ".@..", "===="])"#)?;
//! let start = map.marker("start").ok_or("no start")?;
//! let mut world = World::new(map, Settings::default());
//! let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default()))?;
//! world.set_input(hero, Input { walk: 127, ..Input::default() });
//! for _ in 0..20 {
//!     world.step();
//! }
//! assert!(world[hero].on_floor() && world[hero].place().to_dvec2().x > 2.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ballistic;
pub mod body;
pub mod catalogue;
pub mod check;
pub mod checksum;
pub mod command;
mod edition;
pub mod event;
pub mod io;
pub mod map;
pub mod motion;
pub mod record;
pub mod replay;
pub mod rollback;
pub mod snapshot;
pub mod stepper;
pub mod terrain;
#[cfg(test)]
mod testing;
mod text;
mod travel;
mod walker;
pub mod world;

pub use surefoot_geometry as geometry;
pub use text::{FormError, Placed};

/// What most games name: `use surefoot::prelude::*`.
pub mod prelude {
    pub use crate::body::{Body, BodyError, Character, Input, Response};
    pub use crate::catalogue::{Catalogue, Placement, VariantId};
    pub use crate::checksum::Checksum;
    pub use crate::command::{Command, CommandError};
    pub use crate::event::{BodyId, Event, EventKind};
    pub use crate::map::{EntryId, Map};
    pub use crate::motion::{Contact, Mover, Shape, Side, SlopeLimit, Touching, Up};
    pub use crate::record::{Log, Player, Recorder};
    pub use crate::replay::{MapSource, Replay};
    pub use crate::rollback::{Rollback, RollbackError};
    pub use crate::stepper::Stepper;
    pub use crate::terrain::{Terrain, TileSource};
    pub use crate::world::{BodyState, Settings, World};
    pub use surefoot_geometry::{DVec2, I64Vec2, ONE, Place, Vec2};
}

/// The programs in the README compile.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct ReadmePrograms;

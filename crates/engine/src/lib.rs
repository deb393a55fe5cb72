//! A 2D tile-map platformer physics engine.

mod ballistic;
pub mod body;
pub mod catalogue;
pub mod character;
pub mod checksum;
pub mod command;
pub mod event;
pub mod io;
pub mod map;
pub mod motion;
pub mod replay;
pub mod terrain;
mod text;
mod travel;
pub mod world;

/// What most games name: `use surefoot::prelude::*`.
pub mod prelude {
    pub use crate::body::{Body, BodyError, Response};
    pub use crate::catalogue::{Catalogue, Placement, VariantId};
    pub use crate::character::{Character, Input};
    pub use crate::command::{Command, CommandError};
    pub use crate::event::{BodyId, Event, EventKind};
    pub use crate::map::{EntryId, Map};
    pub use crate::motion::{Contact, Mover, Shape, Side, SlopeLimit, Touching, Up};
    pub use crate::terrain::Terrain;
    pub use crate::world::{BodyState, Settings, World};
    pub use surefoot_geometry::{DVec2, Place, Vec2};
}

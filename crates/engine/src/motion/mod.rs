//! Motion over terrain: sweeps, contacts, sliding and walking, for any shape and without a body or a world.

mod advance;
mod air;
mod cast;
mod contact;
mod frame;
mod grown;
mod hits;
mod limit;
mod memory;
mod mover;
mod nearby;
mod overlap;
mod round;
mod run;
mod shape;
mod slide;
mod source;
mod surface;
pub(crate) mod tolerance;
mod touch;
mod visit;
mod walk;

pub use contact::{Contact, Contacts, Touching};
pub use frame::{Side, SlopeLimit, SlopeLimitError, Up};
pub use memory::{Memory, Remembering};
pub use mover::{Hit, Moved, Mover};
pub use shape::{Shape, ShapeError};

pub(crate) use advance::{Course, Part};
pub(crate) use air::Air;
pub(crate) use cast::{Held, Probe, Scene, Scratch};
pub(crate) use frame::Frame;
pub(crate) use limit::{Cut, Limit, Pause, Until, Whole};
pub(crate) use mover::units;
pub(crate) use nearby::{Nearby, Room};
pub(crate) use slide::{Impact, Slide, clip, points_into};
pub(crate) use source::{Owner, Platform, Surroundings};
pub(crate) use surface::Surface;
pub(crate) use touch::Touch;
pub(crate) use walk::{Legs, Walk, WalkEnd};

use smallvec::SmallVec;
use surefoot_geometry::Place;

/// What a shape touches; a list that has once grown beyond its place keeps its memory.
pub(crate) type Surfaces = SmallVec<[Surface; 4]>;

/// What a body touches, kept from tick to tick: mostly one tile of a floor, or two.
pub(crate) type Touched = SmallVec<[Surface; 2]>;

/// The end of each straight part of a way.
pub(crate) type Path = SmallVec<[Place; 8]>;

//! Motion of shapes: move-and-slide, walking and shape casts over a terrain, without a body or a world.
//!
//! A [`Mover`] moves the shapes of a game that keeps its own entities. The bodies of a [`World`](crate::World) move by
//! the same rules, and report the same [`Contact`]s.
//!
//! - Shapes have no skin (no collision margin). Two shapes overlap only if their interiors intersect. Shapes that
//!   share a boundary touch.
//! - A box on a flat floor has a gap of exactly 0 to the floor, and on a slope a gap of less than two units of 2^-32
//!   tile.
//! - The arithmetic is + - * /, sqrt and rounding in a fixed order, so results are equal bit for bit on every
//!   machine.
//! - A mirrored scene moves exactly mirrored, bit for bit. The same holds for a scene that is turned by 90 degrees or
//!   shifted.

// Structure: a slide consists of rounds and a walk of legs. Each round or leg is one straight part: it casts the
// shape (`cast`) and moves it to the earliest contact (`advance`). `trace` records the straight parts if a caller
// needs them. `source` has everything that a shape can hit: the terrain and platforms, made of pieces (edges and
// corners). `among` has the moves past bodies of a mover with obstacles. `nearby`, `blocks`, `grown`, `floor_span`,
// `air` and `memory` affect speed only.
//
// All decisions about a box use integers: its gap to an edge, its time of impact (a fraction, compared in 128 bits),
// and whether it has passed the end of an edge. A circle's time of impact is f64. Integers decide on which side of an
// edge the circle starts and ends.
// - No fused multiply-add and no trigonometry.
// - Rounding is symmetric, and storage order does not matter. Lists of surfaces are sets, and a choice between equals
//   does not depend on which was found first.

mod advance;
mod air;
mod among;
mod belt;
mod blocks;
mod carry;
mod cast;
mod contact;
mod floor_span;
mod frame;
mod friction;
mod grown;
mod hits;
mod island;
mod ledge;
mod memory;
mod mover;
mod nearby;
mod obstacles;
mod overlap;
mod past;
mod resting;
mod round;
mod shape;
mod slide;
mod source;
mod surface;
mod tile_surface;
pub(crate) mod tolerance;
mod touch;
mod trace;
mod visit;
mod walk;

pub use contact::{Contact, Contacts, Touching};
pub use frame::{Side, SlopeLimit, SlopeLimitError, Up};
pub use memory::{CachedMover, MoverCache};
pub use mover::{CastHit, HitTarget, MoveResult, Mover};
pub use obstacles::Obstacles;
pub use shape::{Shape, ShapeError, ShapeKind};

pub(crate) use advance::{Course, Part, truncated_fraction_of};
pub(crate) use air::Air;
pub(crate) use belt::Belt;
pub(crate) use blocks::{Blocks, PlatformTravel, TravelMark};
#[cfg(test)]
pub(crate) use carry::SubMove;
pub(crate) use carry::{
    CarryScratch, Crushed, carry, combine_displacements, common_velocity, find_ridden_sources, keep_fastest_rising,
    sideways_distance,
};
pub(crate) use cast::{Probe, Scene, Scratch, for_each_hit};
pub(crate) use frame::{Frame, are_opposite, turn_vector_to_up};
pub(crate) use friction::{Braked, Grip, friction_between, reduce_speed, reduce_speed_on_belt};
pub(crate) use island::{IslandBody, IslandLists, Member, carry_island};
pub(crate) use mover::{motion_to_units, tiles_to_units};
pub(crate) use nearby::{Nearby, SpareLists};
pub(crate) use past::distance_past_ends;
pub(crate) use resting::{Resting, is_touch, round_to_units};
pub(crate) use shape::Form;
pub(crate) use slide::{
    Impact, Slide, SlideResult, course_along_surfaces, displacement_along_arc, points_into, project_out_of_surfaces,
    project_velocity,
};
pub(crate) use source::{NearPlatforms, Owner, Platform, Source, Surroundings};
pub(crate) use surface::{Surface, lattice_to_units};
pub(crate) use tile_surface::Toucher;
pub(crate) use touch::Touch;
pub(crate) use trace::{Trace, Untraced};
pub(crate) use visit::{Bounds, CellRange};
pub(crate) use walk::{Crest, FloorBends, RunOff, Walk, WalkEnd, WalkProgress, floors_of, unit_vector};

use smallvec::SmallVec;
use surefoot_geometry::Position;

/// Surfaces that a shape touches. A list that has outgrown its inline storage keeps its memory.
pub(crate) type Surfaces = SmallVec<[Surface; 4]>;

/// Surfaces that a body touches, kept from tick to tick: mostly one or two floor tiles.
pub(crate) type Touched = SmallVec<[Surface; 2]>;

/// End of each straight part of a path.
pub(crate) type Path = SmallVec<[Position; 8]>;

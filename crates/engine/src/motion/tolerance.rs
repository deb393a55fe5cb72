//! Tolerances of the motion over terrain. Those of single sweeps are in [`surefoot_geometry::tolerance`].

use surefoot_geometry::tolerance::TOUCH;

/// How near to the line of its partner a one-way free end is disregarded by a body that started in front of that
/// partner, in units of 2^-32 tile: the body is sliding into the concave join and must meet the join, not the end.
///
/// Smaller: faces painted by hand stop bodies where closed blocks do not. Larger: bodies cross one-sided edges at joins.
pub(crate) const PARTNER: f64 = 64.0;

/// A body that several surfaces stop within this many units of where the tick began is put back there.
///
/// A circle on two arcs is pushed to and fro by the rounding of its slide. Smaller: such a circle trembles. Larger: a
/// slow body stops visibly short of a corner.
pub(crate) const SETTLE: i64 = TOUCH;

/// How far a walker reaches for the floor below after a leg of its way has ended, as a power of two in units: 1/64 tile.
///
/// A leg ends exactly where its floor does, so only roundings are to be bridged, and what a circle's arc leaves open.
/// Smaller: a walker leaves the floor at crests. Larger: it is pulled down to what lies below a step.
pub(crate) const SNAP: i64 = 1 << 26;

/// How much a direction may point into a surface and still count as along it, as a fraction of both lengths.
///
/// Arcs have normals that are right to one unit in their radius. Smaller: two contacts at one vertex stop each other.
/// Larger: velocities keep pushing into surfaces.
pub(crate) const ALONG: f64 = 1e-6;

/// Rounds of sliding in one tick; what motion is left after them is dropped.
pub(crate) const SLIDE_ROUNDS: u32 = 8;

/// Attempts at making a sub-move shorter until it is free; after them the body does not move in that round.
pub(crate) const SHORTENINGS: u32 = 10;

/// Legs of walking in one tick; what way is left after them is dropped.
pub(crate) const WALK_LEGS: u32 = 64;

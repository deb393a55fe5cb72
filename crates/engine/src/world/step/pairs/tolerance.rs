//! Tolerances and bounds of the part of a tick in which bodies meet. Those of the motion over terrain are in
//! [`crate::motion::tolerance`].

use crate::motion::tolerance::SNAP;
use crate::world::state::Now;

/// How fast two bodies may part that still hold each other, in tiles per second: what rounding leaves of velocities.
///
/// Smaller: what stands on a body that moves is in the air in some ticks. Larger: slow bodies are held by what they part from.
pub(super) const PARTING: f64 = 1e-6;

/// How fast they may part as a part of the speed with which they have met, where that is more than [`PARTING`].
///
/// Smaller: fast bodies that meet part by rounding. Larger: a slow bounce off is lost.
pub(super) const PARTING_AFTER: f64 = 1e-9;

/// By how much a floor may turn down under a walker that keeps to it, as a part of its speed.
///
/// A corner that stands out by 16 units turns a circle of a quarter of a tile by 1/5800. Smaller: circles hop over crates that
/// are not quite as high as each other. Larger: a walker keeps to balls that it has walked off.
pub(super) const TURNS: f64 = 1.0 / 1024.0;

/// How freely a body has to give way in a direction, as a part of how freely one in the air does, for an impact to move it.
///
/// Smaller: a slow push throws out a ball that is nearly wedged. Larger: balls on slopes stand like walls.
pub(super) const GIVES: f64 = 0.1;

/// The sine of the angle between two unit normals that count as one.
///
/// Smaller: two faces of one wall count as a corner, by rounding. Larger: corners as open as that count as a wall.
pub(super) const ONE_NORMAL: f64 = 1e-9;

/// From which product a unit normal and a direction in whole numbers are on the same side of a body.
///
/// An axis is 1 long, so that they are at most 60 degrees apart. Other directions are [`NORMAL_LENGTH`] long, so that it is a
/// right angle. Smaller: for an axis, steep slopes count as walls. Larger: walls that lean do not.
pub(super) const SAME_SIDE: f64 = 0.5;

/// What a unit normal is multiplied by to be kept as a direction in whole numbers.
///
/// Smaller: directions are coarser. Larger: products of two no longer fit.
pub(super) const NORMAL_LENGTH: f64 = (1 << 20) as f64;

/// How much of a unit normal has to point up for a body to be carried by another one.
///
/// Smaller: balls side by side hold each other up. Larger: a ball that lies in a wide gap is not held.
pub(super) const LIFT: f64 = 0.05;

/// How much of a unit normal has to point up for a body to count to the row that it stands on.
///
/// Smaller: a ball that leans on the pushed crate goes with it. Larger: a ball on a round body is left behind.
pub(super) const STANDS: f64 = 0.7;

/// How far above what holds it a body may be to lie on it, in units: 1/64 tile. Only round bodies that are held loosely come
/// to rest off what they lie on.
///
/// Smaller: a pile hangs in the air for a tick after something is taken out of it. Larger: bodies that touch nothing wake.
pub(super) const LIES: i64 = SNAP;

/// In how many quiet ticks a body that lies on others comes to rest though nothing holds it exactly.
///
/// Smaller: a ball rests at the top of its way. Larger: piles cost for longer.
pub(super) const QUIET: u8 = 8;

/// In how many ticks a body that does not move comes to rest, whatever holds it.
///
/// The most that is counted. Smaller: bodies rest that are about to go on.
pub(super) const STILL: u8 = Now::WOKEN - 1;

/// How far a body goes in a quiet tick at most, in units: 1/512 tile.
///
/// Smaller: piles of balls tremble and never rest. Larger: what slides slowly stops.
pub(super) const CREEP: i64 = 1 << 23;

/// What friction holds besides what it is, as a part of gravity: what rounding leaves.
///
/// Smaller: a slope as steep as friction holds lets go. Larger: steeper ones hold.
pub(super) const HELD: f64 = 1e-12;

/// How many impacts a body may have in a tick, with terrain and bodies; then it stays where it is for the rest of it.
///
/// Larger: only slower where bodies are squeezed. Smaller: balls that rattle stop in the air for a tick.
pub(super) const IMPACTS: u32 = 12;

/// How often plans that count on each other are made in turn after an impact.
///
/// Two are enough but where several hold each other back. Smaller: such bodies lead into each other, which is one more impact.
pub(super) const PASSES: u32 = 4;

/// How far apart the flat sides of two bodies may be, by the rounding of their places, for that to be made good, in units.
///
/// Both are rounded by at most a unit, and a circle's foot enters a face up to 64 units late. Smaller: crates that land stay
/// a unit apart and never rest. Larger: it shows.
pub(super) const CLOSES: i64 = 64;

/// By how many units rounding puts the round sides of two bodies into each other at most, on their way.
///
/// Both are rounded by at most a unit on each axis. Smaller: such bodies run into each other again and again, and jam. Larger:
/// bodies that have been put into each other hold each other.
pub(super) const OVERLAPS: f64 = 16.0;

/// How much further than a body falls in a tick it may be moved where it rolls between two others, on to both of them.
///
/// Smaller: balls between others that part fall on to them again in each tick. Larger: where both nearly face each other, a ball
/// sinks between them all at once.
pub(super) const TOGETHER: f64 = 2.0;

/// By how much a walk may be longer than speed times time: along the tangents of a corner, up to 2 %.
///
/// Smaller: a walker comes to bodies that were not looked for. Larger: only slower.
pub(super) const LONGER: f64 = 1.05;

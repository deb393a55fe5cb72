//! Tolerances and limits of the pair phase. The tolerances of the motion over terrain are in
//! [`crate::motion::tolerance`].

use crate::motion::tolerance::MAX_SNAP_UNITS;
use crate::world::state::Now;

/// Speed at which two bodies may part and still support each other, in tiles per second. It covers the rounding of
/// velocities.
///
/// Smaller: a body on a moving body is in the air in some ticks. Larger: slow bodies are held by what they part from.
pub(super) const MAX_PARTING_SPEED: f64 = 1e-6;

/// Speed at which two bodies may part after an impact, as a fraction of the impact speed, if that is more than
/// [`MAX_PARTING_SPEED`].
///
/// Smaller: fast bodies part after an impact by rounding. Larger: a slow bounce is lost.
pub(super) const MAX_PARTING_FRACTION: f64 = 1e-9;

/// How much a floor may turn down under a walker that stays on it, as a fraction of its speed.
///
/// A corner that stands out by 16 units turns a circle of a quarter of a tile by 1/5800. Smaller: circles hop over
/// crates of almost equal height. Larger: a walker sticks to balls that it has walked off.
pub(super) const MAX_FLOOR_TURN: f64 = 1.0 / 1024.0;

/// Lowest mobility at which an impact moves a body, as a fraction of the mobility in the air.
///
/// Smaller: a slow push throws out a ball that is nearly wedged. Larger: balls on slopes stand like walls.
pub(super) const MIN_MOBILITY: f64 = 0.1;

/// Largest sine of the angle between two unit normals that count as one.
///
/// Smaller: two faces of one wall count as a corner, by rounding. Larger: open corners count as a wall.
pub(super) const SAME_NORMAL_SINE: f64 = 1e-9;

/// Lowest dot product of a unit normal and a direction in whole numbers that are on the same side of a body.
///
/// An axis has length 1, so the angle is at most 60 degrees. Other directions have length [`NORMAL_LENGTH`], so the
/// angle is at most a right angle. Smaller: for an axis, steep slopes count as walls. Larger: walls that lean do not.
pub(super) const SAME_SIDE_DOT: f64 = 0.5;

/// Length of a unit normal that is stored as a direction in whole numbers.
///
/// Smaller: directions are coarser. Larger: products of two directions overflow.
pub(super) const NORMAL_LENGTH: f64 = (1 << 20) as f64;

/// How far the unit normal must point up for a body to carry another one.
///
/// Smaller: balls side by side hold each other up. Larger: a ball in a wide gap is not held.
pub(super) const MIN_CARRY_NORMAL: f64 = 0.05;

/// How far the unit normal must point up for a body to belong to the row that it stands on.
///
/// Smaller: a ball that leans on the pushed crate goes with it. Larger: a ball on a round body is left behind.
pub(super) const MIN_STAND_UP: f64 = 0.7;

/// Largest gap between a body and its support at which it lies on it, in units: 1/64 tile. Only round bodies with a
/// loose support fall asleep with a gap.
///
/// Smaller: a pile hangs in the air for a tick after something is taken out of it. Larger: bodies without contact
/// wake each other.
pub(super) const MAX_LIE_GAP_UNITS: i64 = MAX_SNAP_UNITS;

/// Quiet ticks after which a body that lies on others falls asleep, although they do not hold it exactly.
///
/// Smaller: a ball falls asleep at the top of its path. Larger: piles cost time for longer.
pub(super) const QUIET_TICKS: u8 = 8;

/// Ticks without motion after which a body falls asleep, whatever holds it.
///
/// It is the largest count. Smaller: bodies fall asleep that are about to go on.
pub(super) const STILL_TICKS: u8 = Now::WOKEN - 1;

/// Largest distance that a body moves in a quiet tick, in units: 1/512 tile.
///
/// Smaller: piles of balls tremble and never fall asleep. Larger: bodies that slide slowly stop.
pub(super) const MAX_CREEP_UNITS: i64 = 1 << 23;

/// What friction holds beyond its coefficient, as a fraction of gravity. It covers rounding.
///
/// Smaller: a slope exactly as steep as friction holds lets go. Larger: steeper slopes hold.
pub(super) const FRICTION_SLACK: f64 = 1e-12;

/// Largest number of impacts of a body in a tick, with terrain and bodies. After that it stays where it is for the
/// rest of the tick.
///
/// Larger: only slower where bodies are squeezed. Smaller: balls that rattle stop in the air for a tick.
pub(super) const MAX_IMPACTS: u32 = 12;

/// Largest number of times that plans which depend on each other are made in turn after an impact.
///
/// Two are enough unless several bodies hold each other back. Smaller: such bodies run into each other, which costs
/// one more impact.
pub(super) const MAX_PLAN_PASSES: u32 = 4;

/// Largest gap between the flat sides of two bodies that rounding leaves and that is closed, in units.
///
/// Both positions are rounded by at most a unit, and a circle's foot enters a face up to 64 units late. Smaller:
/// crates that land stay a unit apart and never fall asleep. Larger: the correction is visible.
pub(super) const MAX_GAP_UNITS: i64 = 64;

/// Largest overlap of the round sides of two bodies that rounding makes, in units.
///
/// Both positions are rounded by at most a unit on each axis. Smaller: such bodies hit each other again and again,
/// and jam. Larger: bodies that were put into each other hold each other.
pub(super) const MAX_OVERLAP_UNITS: f64 = 16.0;

/// Largest number of bodies in a row that give way by units where rounding has made two bodies overlap.
///
/// Smaller: longer rows that are pressed together stay where the tick began. Larger: only slower.
pub(super) const MAX_ROW: u32 = 16;

/// Largest correction of a body that rolls between two others, as a multiple of what it falls in a tick.
///
/// Smaller: balls between others that part fall on to them again in each tick. Larger: where the two nearly face each
/// other, a ball sinks between them all at once.
pub(super) const MAX_ROLL_FACTOR: f64 = 2.0;

/// How much longer a walk may be than speed times time: along the tangents of a corner, up to 2 %.
///
/// Smaller: a walker reaches bodies that were not searched. Larger: only slower.
pub(super) const MAX_WALK_FACTOR: f64 = 1.05;

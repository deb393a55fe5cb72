//! Tolerances and limits of the pair phase. The tolerances of the motion over terrain are in
//! [`crate::motion::tolerance`].

use crate::motion::tolerance::MAX_SNAP_UNITS;
use crate::world::state::Now;

/// Maximum speed at which two bodies may part and still support each other, in tiles per second. It covers the
/// rounding of velocities.
///
/// Smaller: a body on a moving body is in the air in some ticks. Larger: a body still counts as supported while it
/// slowly leaves its support.
pub(super) const MAX_PARTING_SPEED: f64 = 1e-6;

/// Speed at which two bodies may part after an impact, as a fraction of the impact speed, if that is more than
/// [`MAX_PARTING_SPEED`].
///
/// Smaller: fast bodies part after an impact by rounding. Larger: a slow bounce is lost.
pub(super) const MAX_PARTING_FRACTION: f64 = 1e-9;

/// Maximum speed at which a walker may part from a floor that bends down and still stay on it, as a fraction of the
/// walker's speed.
///
/// At a corner that stands out by 16 units, a circle of a quarter of a tile turns by 1/5800. Smaller: circles hop
/// over crates of almost equal height. Larger: a walker sticks to balls that it has walked off.
pub(super) const MAX_FLOOR_TURN: f64 = 1.0 / 1024.0;

/// Lowest mobility at which an impact moves a body, as a fraction of the mobility in the air.
///
/// Smaller: a slow push throws out a ball that is nearly wedged. Larger: balls on slopes stand like walls.
pub(super) const MIN_MOBILITY: f64 = 0.1;

/// Largest sine of the angle between two unit normals that count as one.
///
/// Smaller: two faces of one wall count as a corner, by rounding. Larger: open corners count as a wall.
pub(super) const SAME_NORMAL_SINE: f64 = 1e-9;

/// Minimum dot product of a unit normal and a direction in whole numbers for which both count as on the same side of
/// a body.
///
/// An axis has length 1, so the angle to it is at most 60 degrees. Other directions have length [`NORMAL_LENGTH`], so
/// the angle is at most a right angle. Smaller: for an axis, steep slopes count as walls. Larger: walls that lean do
/// not.
pub(super) const MIN_SAME_SIDE_DOT: f64 = 0.5;

/// Length to which a unit normal is scaled before it is rounded to a direction in whole numbers.
///
/// Smaller: directions are coarser. Larger: products of two directions overflow.
pub(super) const NORMAL_LENGTH: f64 = (1 << 20) as f64;

/// Minimum upward component of a unit normal for which a body carries another one.
///
/// Smaller: balls side by side hold each other up. Larger: a ball in a wide gap is not held.
pub(super) const MIN_CARRY_NORMAL: f64 = 0.05;

/// Minimum upward component of a unit normal for which a body moves along with the pushed row that it stands on.
///
/// Smaller: a ball that leans on the pushed crate goes with it. Larger: a ball on a round body is left behind.
pub(super) const MIN_STAND_UP: f64 = 0.7;

/// Largest gap between a body and its support at which it lies on it, in units: 1/64 tile. Only round bodies with a
/// loose support fall asleep with a gap.
///
/// Smaller: a pile hangs in the air for a tick after something is taken out of it. Larger: bodies without contact
/// wake each other.
pub(super) const MAX_LIE_GAP_UNITS: i64 = MAX_SNAP_UNITS;

/// Number of quiet ticks after which a body that lies on others falls asleep, even if they do not hold it exactly.
///
/// Smaller: a ball falls asleep at the top of its path. Larger: piles cost time for longer.
pub(super) const QUIET_TICKS: u8 = 8;

/// Number of ticks without motion after which a body falls asleep, whatever holds it.
///
/// It is the largest number that the counter can store below its special values. Smaller: bodies fall asleep that are
/// about to move.
pub(super) const STILL_TICKS: u8 = Now::WOKEN - 1;

/// Largest distance that a body moves in a quiet tick, in units: 1/512 tile.
///
/// Smaller: piles of balls tremble and never fall asleep. Larger: bodies that slide slowly stop.
pub(super) const MAX_CREEP_UNITS: i64 = 1 << 23;

/// Additional friction beyond the coefficient, as a fraction of gravity. It covers rounding.
///
/// Smaller: a body slips on a slope that is exactly as steep as friction allows. Larger: bodies stay on steeper
/// slopes.
pub(super) const FRICTION_SLACK: f64 = 1e-12;

/// Maximum number of impacts of a body in a tick, with terrain and bodies. After that the body stays where it is for
/// the rest of the tick.
///
/// Larger: only slower where bodies are squeezed. Smaller: balls that rattle stop in the air for a tick.
pub(super) const MAX_IMPACTS: u32 = 12;

/// Maximum number of times that a body is planned after one impact, where plans depend on each other.
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

/// Largest overlap that a planned motion may add to that of two bodies which overlap by rounding, in units.
///
/// The positions of the two bodies are each rounded by at most a unit on each axis. Smaller: bodies that roll over each
/// other hit each other again and again, and jam. Larger: a round body passes below another one although there is too
/// little room.
pub(super) const MAX_DEEPENING_UNITS: f64 = 2.0;

/// Largest number of bodies in a row that give way by units where rounding has made two bodies overlap.
///
/// Smaller: longer rows that are pressed together stay where the tick began. Larger: only slower.
pub(super) const MAX_ROW: u32 = 16;

/// Maximum correction of a body that rolls between two others, as a multiple of the distance that it falls in a tick.
///
/// Smaller: balls that lie on two balls that part fall onto them again in each tick. Larger: if the two sides nearly
/// face each other, a ball sinks between them in one tick.
pub(super) const MAX_ROLL_FACTOR: f64 = 2.0;

/// Maximum ratio of a walk's length to speed times time. Along the tangents around a corner, a walk is up to 2 %
/// longer.
///
/// Smaller: a walker reaches bodies that were not searched. Larger: only slower.
pub(super) const MAX_WALK_FACTOR: f64 = 1.05;

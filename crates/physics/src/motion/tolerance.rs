//! Tolerances of motion over terrain. The tolerances of single sweeps are in [`surefoot_geometry::exact::tolerance`].
//!
//! Each constant says what fails if it is smaller or larger.

use surefoot_geometry::exact::tolerance::{SIDE_FILTER, TOUCH};

/// Distance from the line of its partner within which a one-way free end is ignored, in units of 2^-32 tile.
///
/// This holds for a body that started in front of the partner: it slides into the concave corner and must hit the
/// partner, not the end. Smaller: hand-drawn faces stop bodies where closed blocks do not. Larger: bodies cross
/// one-sided edges at corners.
pub(crate) const PARTNER_LINE_UNITS: f64 = 64.0;

/// Distance from the start of the tick within which a body that several surfaces stop is moved back to the start, in
/// units.
///
/// The rounding of its slide pushes a circle between two arcs to and fro. Smaller: such a circle trembles. Larger: a
/// slow body stops visibly before a corner.
pub(crate) const MAX_SETTLE_UNITS: i64 = TOUCH;

/// Distance below a walker within which it steps down to a floor after a leg has ended, in units: 1/64 tile.
///
/// A leg ends exactly where its floor does. So the distance only has to cover rounding and the gap that a circle's arc
/// leaves. Smaller: a walker leaves the floor at crests. Larger: it is pulled down to floors below a step.
pub(crate) const MAX_SNAP_UNITS: i64 = 1 << 26;

/// Maximum distance ahead of a corner at which a floor at most [`MAX_SNAP_UNITS`] lower counts as continuing, in units:
/// half a tile.
///
/// A circle is lower than the corner by `MAX_SNAP_UNITS` after a distance of the square root of 2 * radius *
/// `MAX_SNAP_UNITS`. Smaller: a large circle leaves the ground where two separate floors differ by less than
/// `MAX_SNAP_UNITS`. Larger: the search would exceed [`LOOK_ROOM_CELLS`].
pub(crate) const MAX_SNAP_AHEAD_UNITS: i64 = surefoot_geometry::ONE / 2;

/// Largest component into a surface with which a direction counts as along it, as a fraction of both lengths.
///
/// Arcs have normals that are exact to one unit in their radius. Smaller: two contacts at one vertex stop each other.
/// Larger: velocities keep pushing into surfaces.
pub(crate) const MAX_ALONG_COSINE: f64 = 1e-6;

/// Divided by r, the part of the gap m^2 / 2r that counts, when a slide along an arc's tangent has length m.
///
/// A little less than 2, for the terms of higher order. Smaller: surfaces stay held after the shape has left them.
/// Larger: an arc is dropped in the middle of a slide around it.
pub(crate) const ARC_GAP_FACTOR: f64 = 1.9;

/// Distance that a walker moves past the end of an arc, in units, so that the next face supports it.
///
/// Smaller: the circle stops between arc and face and, by rounding, touches neither. Larger: it lifts off the face by
/// that distance.
pub(crate) const PAST_ARC_UNITS: f64 = 2.0;

/// A circle moves round a corner in legs (short straight moves). This is tan(a / 2) for the largest angle `a` of one
/// leg.
///
/// Up to this angle, the series for the angle are precise to 1e-9. Smaller: more legs. Larger: the speed round corners
/// is wrong.
pub(crate) const MAX_ARC_HALF_TAN: f64 = 0.25;

/// Half a unit: a walk is finished if less than this remains.
pub(crate) const MIN_WALK_UNITS: f64 = 0.5;

/// Maximum deviation of a sub-move from its free motion, in units on an axis.
///
/// The sub-move to an impact is truncated and closes the gap to axis-aligned faces exactly. The time of impact misses
/// that gap by up to 64 units where a circle's lowest point enters a face late (`GRAZE` of the sweeps). Then the
/// sub-move is rounded away once and truncated at most [`MAX_SHORTENINGS`] times, by a unit each.
///
/// Smaller: a piece that such a sub-move hits is not examined. Larger: only slower. Tested by
/// `a_list_has_every_piece_that_a_sub_move_hits`.
pub(crate) const MAX_STRAY_UNITS: i64 = 128;

/// Margin around the bounds of a shape in one slab or row of cells, in units.
///
/// [`MAX_STRAY_UNITS`], for the sub-moves, plus more than f64 loses of 2^42 units. Smaller: a cell that the shape just
/// reaches is not examined. Larger: only slower.
pub(crate) const SLAB_ROOM_UNITS: f64 = MAX_STRAY_UNITS as f64 + 16.0;

/// Factor by which a sub-move that still hits something is shortened more at each attempt, in units: 1, 4, 16, ...
pub(crate) const SHORTENING_GROWTH: f64 = 4.0;

/// Maximum rounds of sliding in one tick. The remaining motion after them is dropped.
///
/// Two surfaces end a slide in a corner. Only contrived notches of many edges take more than four rounds. Smaller:
/// bodies stop early in such notches for a tick. Larger: slower in those.
pub(crate) const MAX_SLIDE_ROUNDS: u32 = 8;

/// Maximum number of surface ends in a row past which a shape is shifted in one corner correction.
///
/// Each end is a tile further, except for partial tiles. Smaller: the largest corrections, of 16 tiles, fail. Larger: a
/// step far below a ceiling of many tiles takes longer.
pub(crate) const MAX_CORRECTION_CORNERS: u32 = 32;

/// Free distance required past a corner for a corner correction, in units: an eighth of a tile.
///
/// Smaller: a shape is shifted for a motion of almost 0. Larger: corners of low niches stop a shape that could move
/// into the niche.
pub(crate) const MIN_CORRECTION_ROOM_UNITS: i64 = surefoot_geometry::ONE / 8;

/// Maximum number of corner corrections tried in one flight per tick.
///
/// Smaller: a corner that is hit together with others in one tick is not passed. Larger: more time in a corner.
pub(crate) const MAX_CORRECTIONS: u32 = 4;

/// Rounds of a carry in which a body still follows the platform that it rides. After twice as many, it counts as
/// crushed.
///
/// Nearly all carries take one or two rounds. Smaller: a body wedged between many platforms is left behind or crushed
/// for no reason. Larger: only slower where surfaces close by one unit per round.
pub(crate) const CARRY_FOLLOW_ROUNDS: u32 = 64;

/// Divisor of the radius: when an arc pushes a circle, the maximum deviation from the path round that arc in one
/// sub-move.
///
/// Smaller: a fast corner throws a small circle off along the first tangent. Larger: more rounds, which must not exceed
/// [`CARRY_FOLLOW_ROUNDS`]. With this value, a carry takes 12 rounds if the corner comes at 30 degrees, and about 40 if
/// it comes nearly head-on, at any distance.
pub(crate) const ARC_PUSH_DIVISOR: f64 = 64.0;

/// Depth inside a one-way line of a platform from which a circle passes it, in units.
///
/// A circle that rests on a one-way tile may be inside it by rounding, by up to 64 units. Smaller: a circle falls
/// through a one-way tile that moves away under it. Larger: a one-way tile catches a circle that has just begun to
/// drop.
pub(crate) const LEDGE_DEPTH_UNITS: f64 = 128.0;

/// Maximum displacement of a carry on an axis, in units: 750 tiles. A platform may move 250 tiles against it. Together
/// that is 1000 tiles, up to which the sweeps are exact.
pub(crate) const MAX_CARRY_UNITS: i64 = 750 << 32;

/// Difference up to which two velocities count as equally near, as a fraction of the squared distance.
///
/// Smaller: the choice between equal velocities depends on how a scene is turned. Larger: different velocities are
/// averaged.
pub(crate) const EQUAL_VELOCITY_FRACTION: f64 = 1e-9;

/// Maximum upward speed at which a character counts as falling, in tiles per second. At the apex of a jump its speed is
/// 0 except for rounding.
///
/// Smaller: by rounding, the gravity of the fall starts a tick late. Larger: it starts before the apex.
pub(crate) const MAX_FALLING_RISE_SPEED: f64 = 1e-9;

/// Maximum distance that a body is squeezed sideways, as a multiple of the longest displacement involved.
///
/// Smaller: steep wedges crush bodies that they could push out. Larger: a closing gap between nearly parallel surfaces
/// throws bodies out.
pub(crate) const MAX_SQUEEZE_FACTOR: i128 = 8;

/// Maximum attempts to shorten a sub-move until it is free. If all fail, the body does not move in that round.
///
/// One is enough in most cases. With [`SHORTENING_GROWTH`], ten attempts shorten by a thousandth of a tile.
pub(crate) const MAX_SHORTENINGS: u32 = 10;

/// Maximum turns of a walk in one tick. The remaining length after them is dropped. Changes between tiles of one
/// straight floor are not turns.
///
/// A curve of one tile has five sides, so the maximum covers twelve curves in one tick.
pub(crate) const MAX_WALK_TURNS: u32 = 64;

/// Maximum legs of a walk in one tick, straight ones included: the number of lattice steps in the longest walk.
pub(crate) const MAX_WALK_LEGS: u32 = 16_000;

/// Number of legs in a row without progress after which a walk is blocked.
///
/// One such leg can come from a touched surface that is only found after it. Smaller: such a walk ends early. Larger:
/// only slower.
pub(crate) const MAX_STALLED_LEGS: u32 = 2;

/// Maximum bounces in one tick. The remaining time after them is dropped, but the velocity stays.
pub(crate) const MAX_BOUNCES: u32 = 8;

/// Maximum number of cells around a motion whose pieces are gathered at once. Longer motions search along the path.
///
/// Affects speed only.
pub(crate) const MAX_GATHERED_CELLS: i64 = 20;

/// Initial capacity for pieces around a body. The list grows if there are more.
///
/// Affects memory only.
pub(crate) const INITIAL_PIECES: usize = 24;

/// Initial capacity for the tiles of a floor.
///
/// Affects memory only.
pub(crate) const INITIAL_FLOOR_TILES: usize = 8;

/// Distance of a shape on a floor span to everything except its floor, in units.
///
/// More than touching distance and all rounding of a sweep. Smaller: a piece is touched or hit without being examined.
/// Larger: fewer walks are fast, which only costs time.
pub(crate) const SPAN_ROOM_UNITS: i64 = 16 * TOUCH;

/// Step in which the extent of a free rectangle is counted, as a shift of units: 1/256 tile.
///
/// Affects speed and memory only.
pub(crate) const AIR_STEP_SHIFT: u32 = 24;

/// Number of cells that a body gathers ahead in the direction of motion, so that later ticks need not.
///
/// Affects speed only.
pub(crate) const AHEAD_CELLS: i32 = 2;

/// Maximum number of rows above and below in which a body searches for empty cells, so that later ticks need not.
///
/// Affects speed only.
pub(crate) const MAX_AHEAD_EMPTY_ROWS: usize = 4;

/// Minimum motion on an axis for which a body gathers ahead, in units: 1/256 tile.
pub(crate) const MIN_AHEAD_MOTION_UNITS: i64 = 1 << 24;

/// Number of cells around the shape, at the end of a round or leg, whose chunks are checked before the next one begins.
///
/// Touching distance and the distance to a floor below are less than a cell. Smaller: a missing chunk is noticed after
/// the round has counted. Larger: chunks are loaded earlier.
pub(crate) const LOOK_ROOM_CELLS: i32 = 1;

/// Initial capacity for pieces that a single cast may hit. The list grows if there are more.
///
/// Affects memory only.
pub(crate) const INITIAL_LISTED_PIECES: usize = 12;

/// Maximum number of cells that a single cast searches row by row. With more cells it searches along the path, where it
/// may stop early.
///
/// Affects speed only.
pub(crate) const MAX_CELLS_BY_ROWS: i64 = 64;

const _: () = assert!(MAX_STRAY_UNITS > SIDE_FILTER as i64 + 2 * MAX_SHORTENINGS as i64);
const _: () =
    assert!(MAX_SNAP_AHEAD_UNITS + MAX_SNAP_UNITS + 2 * TOUCH < LOOK_ROOM_CELLS as i64 * surefoot_geometry::ONE);
const _: () = assert!(
    MAX_SETTLE_UNITS <= TOUCH
        && MAX_SNAP_UNITS > TOUCH
        && MIN_WALK_UNITS < PAST_ARC_UNITS
        && PAST_ARC_UNITS < TOUCH as f64
);

/// Maximum distance of searches around a body, in units: a quarter of the range of i64, far beyond the valid positions.
///
/// Smaller: a body that moves as far in a tick misses pieces. Larger: sums of two overflow.
pub(crate) const MAX_SEARCH_UNITS: i64 = 1 << 60;

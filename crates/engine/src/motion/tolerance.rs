//! Tolerances of the motion over terrain. The tolerances of single sweeps are in
//! [`surefoot_geometry::exact::tolerance`].

use surefoot_geometry::exact::tolerance::{SIDE_FILTER, TOUCH};

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

/// How far ahead of a corner a floor is looked for that goes on at most [`SNAP`] lower, at most, in units: half a tile.
///
/// A circle has come off the corner by `SNAP` after the root of 2 * radius * `SNAP`. Smaller: a large circle leaves the ground where
/// two floors that do not join differ by less than `SNAP`. Larger: more than [`LOOK_ROOM`] would be looked at.
pub(crate) const SNAP_AHEAD: i64 = surefoot_geometry::ONE / 2;

/// How much a direction may point into a surface and still count as along it, as a fraction of both lengths.
///
/// Arcs have normals that are right to one unit in their radius. Smaller: two contacts at one vertex stop each other.
/// Larger: velocities keep pushing into surfaces.
pub(crate) const ALONG: f64 = 1e-6;

/// What is lost of the gap that a slide along an arc's tangent of length m opens, m^2 / 2r: this divided by r.
///
/// A little less than 2, for the terms of higher order. Smaller: surfaces are held that the shape has left. Larger: an arc
/// is forgotten in the middle of a slide round it.
pub(crate) const ARC_LIFT: f64 = 1.9;

/// How far a walker goes past the end of an arc, in units, so that the face that follows supports it.
///
/// Smaller: the circle stops between arc and face and touches neither by rounding. Larger: it leaves the face by that.
pub(crate) const PAST_ARC: f64 = 2.0;

/// Tangent of half the largest angle by which a circle turns round a corner in one leg.
///
/// The series for the angle are good to 1e-9 up to it. Larger: the speed round corners is off. Smaller: more legs.
pub(crate) const ARC_TURN: f64 = 0.25;

/// Half a unit: a way is over when less than this is left of it.
pub(crate) const NO_WAY: f64 = 0.5;

/// How far a sub-move of a free motion lies off that motion, in units on an axis.
///
/// The sub-move to an impact is truncated and closes the gap to level faces exactly, which the time of impact misses by up
/// to 64 units where a circle's foot enters a face late (`GRAZE` of the sweeps). It is then rounded away once and truncated
/// at most [`SHORTENINGS`] times, a unit each. Smaller: a piece is not looked at that such a sub-move meets. Larger: only
/// slower. Pinned by `what_is_listed_is_all_that_a_sub_move_meets`.
pub(crate) const STRAY: i64 = 128;

/// Room around the bounds of a shape in one slab or row of cells, in units.
///
/// [`STRAY`], for the sub-moves, and more than f64 loses of 2^42 units. Smaller: a cell is not looked at that the shape just
/// reaches. Larger: only slower.
pub(crate) const SLAB_ROOM: f64 = STRAY as f64 + 16.0;

/// By what factor a sub-move that still meets something gives way more at each attempt, in units: 1, 4, 16, ...
pub(crate) const GIVE_WAY: f64 = 4.0;

/// Rounds of sliding in one tick; what motion is left after them is dropped.
///
/// Two surfaces end a slide in a corner; only contrived notches of many edges take more than four. Larger: slower in those.
/// Smaller: bodies stop short in them for a tick.
pub(crate) const SLIDE_ROUNDS: u32 = 8;

/// How many ends in a row a shape may step aside from to get past a corner.
///
/// Each is a tile further, but for tiles in parts. Larger: a step far under a ceiling of many tiles takes longer. Smaller: the furthest
/// corrections, of 16 tiles, are not made.
pub(crate) const CORNERS: u32 = 32;

/// How much room has to be past a corner for a step aside from it, in units: an eighth of a tile.
///
/// Larger: corners of low niches stop what could go on into them. Smaller: it steps aside for a way of nothing.
pub(crate) const ROOM: i64 = surefoot_geometry::ONE / 8;

/// How often in one flight it is looked for a way past what is met. Larger: more time in a corner. Smaller: a corner that is met in one tick
/// with others is not passed.
pub(crate) const NUDGES: u32 = 4;

/// Rounds of a carry in which a body still wants to go with what it rides; after as many more it counts as crushed.
///
/// Nearly all carries take one or two. Smaller: a body wedged between many platforms is left behind or crushed for no
/// reason. Larger: only slower where surfaces close by a unit a round.
pub(crate) const CARRY_ROUNDS: u32 = 64;

/// A circle that an arc pushes leaves the way round that arc by at most its radius divided by this in a sub-move.
///
/// Smaller: a fast corner flicks a small circle off along the first tangent. Larger: more rounds, which must not be more than
/// [`CARRY_ROUNDS`]. With this value a carry takes 12 rounds if the corner comes at 30 degrees, and some 40 if it comes nearly
/// head-on, however far it goes.
pub(crate) const ARC_PUSH: f64 = 64.0;

/// How deep a circle has to be in a ledge of a platform to pass it, in units. A circle that rests on a ledge may be in it by
/// rounding, by up to the 64 units by which a foot enters a face late.
///
/// Smaller: a circle falls through a ledge that moves off under it. Larger: a ledge catches a circle that has just begun to drop.
pub(crate) const LEDGE_DEPTH: f64 = 128.0;

/// The longest displacement of a carry on an axis, in units: 750 tiles. With the 250 that a platform may make against it,
/// it stays within what the sweeps are exact for, 1000 tiles.
pub(crate) const CARRY_MOTION: i64 = 750 << 32;

/// Velocities that are as near as each other but for rounding, as a fraction of the squared distance.
///
/// Smaller: which of two equal ones counts depends on how a scene is turned. Larger: different ones are averaged.
pub(crate) const NEARLY: f64 = 1e-9;

/// Up to which speed upwards a character falls, in tiles per second: at the top of a jump it has none but for rounding.
///
/// Smaller: the gravity of its fall begins a tick late, by rounding. Larger: it begins before the top.
pub(crate) const FALLS: f64 = 1e-9;

/// How much further than the longest displacement involved a body may be squeezed aside.
///
/// Smaller: steep wedges crush what they could push out. Larger: a closing gap of nearly parallel surfaces shoots bodies
/// out of it.
pub(crate) const SQUEEZE: i128 = 8;

/// Attempts at making a sub-move shorter until it is free; after them the body does not move in that round.
///
/// One is enough in most cases, and with [`GIVE_WAY`] ten give way by a thousandth of a tile.
pub(crate) const SHORTENINGS: u32 = 10;

/// Turns of a walk in one tick; what way is left after them is dropped. Tiles of one straight floor are no turns.
///
/// A curve of a tile has five sides: it is enough for twelve of them in one tick.
pub(crate) const WALK_TURNS: u32 = 64;

/// Legs of a walk in one tick, straight ones too: as many as the longest way has lattice steps.
pub(crate) const WALK_LEGS: u32 = 16_000;

/// Legs in a row that make no way, after which a walk is blocked.
///
/// One may come of a touched surface that is looked at anew after it. Smaller: such a walk ends early. Larger: only slower.
pub(crate) const STALLS: u32 = 2;

/// Bounces in one tick; what time is left after them is dropped, the velocity stays.
pub(crate) const BOUNCES: u32 = 8;

/// Cells up to which the pieces around a motion are gathered once; on longer motions they are looked at along the path.
///
/// Decides about speed alone.
pub(crate) const GATHERED: i64 = 20;

/// Pieces around a body for which there is room from the start; the list grows where there are more.
///
/// Decides about memory alone.
pub(crate) const KEPT: usize = 24;

/// Room from the start for the tiles of a floor.
///
/// Decides about memory alone.
pub(crate) const KEPT_TILES: usize = 8;

/// How far from everything but its floor a shape is on a span, in units.
///
/// More than touching distance and every rounding of a sweep. Smaller: something is touched or met that is not looked at.
/// Larger: fewer walks are fast, which only costs time.
pub(crate) const SPAN_ROOM: i64 = 16 * TOUCH;

/// In what steps the room in free air is counted, as a shift of units: 1/256 tile.
///
/// Decides about speed and memory alone.
pub(crate) const AIR_STEP: u32 = 24;

/// How many cells further on a body gathers in the direction of a motion, so that the next ticks need not.
///
/// Decides about speed alone.
pub(crate) const AHEAD: i32 = 2;

/// Up to how many rows further up and down a body looks for empty cells around it, so that the next ticks need not.
///
/// Decides about speed alone.
pub(crate) const AHEAD_EMPTY: usize = 4;

/// How long a motion on an axis has to be for a body to gather further on that way, in units: 1/256 tile.
pub(crate) const AHEAD_FROM: i64 = 1 << 24;

/// How many cells around the end of a round or a leg are looked at before the next one begins, besides those of the shape.
///
/// Touching distance and the reach for the floor below are less than a cell. Smaller: a missing chunk is looked at after
/// the round has counted. Larger: chunks are loaded earlier.
pub(crate) const LOOK_ROOM: i32 = 1;

/// Pieces that a single cast may meet for which there is room from the start; the list grows where there are more.
///
/// Decides about memory alone.
pub(crate) const LISTED: usize = 12;

/// Up to how many cells a single cast looks at its cells row by row. With more it looks along the path, where it may
/// stop early.
///
/// Decides about speed alone.
pub(crate) const BY_ROWS: i64 = 64;

const _: () = assert!(STRAY > SIDE_FILTER as i64 + 2 * SHORTENINGS as i64);
const _: () = assert!(SNAP_AHEAD + SNAP + 2 * TOUCH < LOOK_ROOM as i64 * surefoot_geometry::ONE);
const _: () = assert!(SETTLE <= TOUCH && SNAP > TOUCH && NO_WAY < PAST_ARC && PAST_ARC < TOUCH as f64);

/// The furthest that is looked around a body for others, in units: a fourth of what i64 holds, far beyond where positions end.
///
/// Larger: sums of two overflow. Smaller: bodies that go as far in a tick miss what is there.
pub(crate) const FARTHEST: i64 = 1 << 60;

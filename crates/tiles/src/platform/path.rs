//! Path of a platform: its position at each tick, in whole units and exactly at every path point.
//!
//! A path is computed once, as stretches of ticks. After k of the n ticks of a leg from A to B, the platform is at A +
//! round((B - A) s), with s = k / n, or k^2 (3n - 2k) / n^3 for smooth easing. The division is exact, in 128 bits, and
//! halves round away from zero. The way back has the same positions in reverse.

use crate::told::debug_is_display;
use glam::I64Vec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::{ONE, Position};
use thiserror::Error;

/// Motion of a platform from point to point.
///
/// The platform reaches each point exactly. In every repetition, the platform has the same positions.
///
/// # Examples
/// ```
/// use surefoot::platform::{Path, PathTiming};
/// use surefoot::prelude::*;
///
/// let points = [(0.0, 0.0), (0.0, 6.0)].map(|at| Position::try_from(at).unwrap());
/// let lift = Path { points: points.into(), timing: PathTiming::Speed(3.0), ..Path::default() };
/// assert!(lift.check(1.0 / 60.0).is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Path {
    /// Points of the path, relative to [`Platform::position`](super::Platform::position).
    ///
    /// The path needs at least two points, not all equal. If two points in a row are equal, the platform waits there
    /// twice.
    pub points: Vec<Position>,
    /// Speed or duration of the path. Default: 1 tile per second.
    pub timing: PathTiming,
    /// Behaviour of the platform at the last point. Default: [`Repeat::PingPong`].
    pub repeat: Repeat,
    /// Whether the platform moves at constant speed between two points, or starts and stops gently. Default:
    /// [`Easing::Linear`], constant.
    pub easing: Easing,
    /// Time in seconds for which the platform waits at each point. Default: 0.
    pub wait: f64,
    /// Where the platform starts on the path, as a fraction of the duration of one repetition, 0 to 1. Default: 0,
    /// the first point.
    pub phase: f64,
}

/// Speed or duration of a path or circle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum PathTiming {
    /// Speed in tiles per second, above 0. With [`Easing::Smooth`], this is the average speed between two points.
    Speed(f64),
    /// Duration of one repetition of the path or circle in seconds, including all waits. Above 0.
    ///
    /// With [`Repeat::PingPong`], one repetition goes to the last point and back.
    Period(f64),
}

/// Behaviour of a platform at the last point of its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Repeat {
    /// The platform stays at the last point.
    Once,
    /// The platform moves straight from the last point to the first point, and repeats the path.
    Loop,
    /// The platform moves back along the path to the first point, and repeats the path.
    #[default]
    PingPong,
}

/// How the speed of a platform changes between two points of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Easing {
    /// The platform moves at constant speed between the two points.
    #[default]
    Linear,
    /// The platform starts and stops gently at each point: after a share `s` of the time between two points, it has
    /// moved the share `3s^2 - 2s^3` of the distance.
    ///
    /// The top speed between two points is 1.5 times the average speed.
    Smooth,
}

/// Error for a path or circle that a platform cannot follow.
#[derive(Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum PathError {
    /// The path has fewer than two points. The value is the number of points.
    #[error("the path has {0} point{s}; expected at least 2", s = if *.0 == 1 { "" } else { "s" })]
    TooFewPoints(usize),
    /// All points of the path are equal.
    #[error("all points of the path are equal; expected at least two different points")]
    AllPointsEqual,
    /// The speed or the period is not a finite number above 0.
    #[error("the {name} is {value}; expected a finite number above 0")]
    Timing {
        /// Name of the invalid [`PathTiming`]: `speed` or `period`.
        name: &'static str,
        /// Refused speed in tiles per second, or refused period in seconds.
        value: f64,
    },
    /// The waits leave no time to move: together they are at least as long as the period.
    #[error("the waits of the path take {waits} seconds; expected less than the period of {period} seconds")]
    WaitsTooLong {
        /// Period of the path, in seconds.
        period: f64,
        /// Sum of the waits in one repetition of the path, in seconds.
        waits: f64,
    },
    /// The wait at each point is negative or not finite. The value is the wait in seconds.
    #[error("the wait is {0} seconds; expected a finite number of at least 0")]
    Wait(f64),
    /// The start of the path or circle (`phase`) is not between 0 and 1. The value is the phase.
    #[error("the phase is {0}; expected 0 to 1")]
    Phase(f64),
    /// The platform would move more than [`Path::MAX_STEP_TILES`] tiles in one tick, somewhere between two points.
    #[error("leg {leg} of the path moves {tiles} tiles in a tick; expected at most {}", Path::MAX_STEP_TILES)]
    TooFast {
        /// Number of the leg that is too fast. Leg 0 is the stretch from the first point to the second.
        leg: usize,
        /// Tiles that the platform would move in the fastest tick of that leg.
        tiles: f64,
    },
    /// The motion between two points, or a wait, takes more than [`Path::MAX_TICKS`] ticks. The value is that number
    /// of ticks.
    #[error("a leg or a wait of the path takes {0} ticks; expected at most {max}", max = Path::MAX_TICKS)]
    TooLong(f64),
    /// The radius of the circle is not a finite number above 0. The value is the radius in tiles.
    #[error("the radius is {0}; expected a finite number above 0")]
    Radius(f64),
    /// The platform would move more than [`Path::MAX_STEP_TILES`] tiles along the circle in one tick.
    #[error("the circle moves {tiles} tiles in a tick; expected at most {}", Path::MAX_STEP_TILES)]
    CircleTooFast {
        /// Tiles that the platform would move along the circle in one tick.
        tiles: f64,
    },
    /// A full turn of the circle takes more than [`Path::MAX_TICKS`] ticks. The value is that number of ticks.
    #[error("a round of the circle takes {0} ticks; expected at most {max}", max = Path::MAX_TICKS)]
    CircleTooLong(f64),
}

debug_is_display!(PathError);

impl Default for Path {
    /// Returns a path without points that goes back and forth at 1 tile per second. Set `points` before use.
    fn default() -> Path {
        Path {
            points: Vec::new(),
            timing: PathTiming::Speed(1.0),
            repeat: Repeat::default(),
            easing: Easing::default(),
            wait: 0.0,
            phase: 0.0,
        }
    }
}

impl Path {
    /// Maximum distance that a platform can move in one tick, in tiles: 250. A faster path is refused.
    pub const MAX_STEP_TILES: f64 = 250.0;

    /// Maximum duration in ticks: 2^21, about 9.7 hours at 60 ticks per second.
    ///
    /// The maximum holds for each motion between two points, each wait, a full turn of a circle, and each time of
    /// [`OnRide`](super::OnRide).
    // With this limit, the numbers of smooth easing fit into 128 bits: n^3 (B - A) is at most 2^125 for n = 2^21 ticks
    // and 2^62 units from point A to point B.
    pub const MAX_TICKS: u32 = 1 << 21;

    /// Checks that a platform can follow the path in a world with ticks of `tick` seconds.
    ///
    /// # Errors
    /// Returns the first [`PathError`] in each of these cases:
    ///
    /// - The path has fewer than two different points.
    /// - The timing, wait or phase is invalid.
    /// - The platform would move more than [`Path::MAX_STEP_TILES`] tiles in one tick.
    /// - The motion between two points, or a wait, takes more than [`Path::MAX_TICKS`] ticks.
    pub fn check(&self, tick: f64) -> Result<(), PathError> {
        Legs::compute_legs(self, tick, ticks_for_leg).map(drop)
    }
}

/// A stretch of a path: a leg, or a wait at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    /// Tick of the round at which it starts.
    start: u64,
    /// Number of ticks that the stretch takes.
    ticks: u64,
    from: I64Vec2,
    to: I64Vec2,
}

/// A path computed for a tick length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legs {
    /// In path order; never empty.
    stretches: Vec<Stretch>,
    /// Ticks of the way from the first point to the last one.
    there: u64,
    /// Ticks of a whole round, after which the path repeats. `None` for a path that ends.
    round: Option<u64>,
    /// Ticks of the last wait, after which the way back starts.
    last_wait: u64,
    easing: Easing,
    /// Tick of the round at which it starts.
    begin: u64,
    /// Arrivals of a round, in the order of their ticks.
    arrivals: Vec<Arrival>,
}

/// Arrival of a platform at a point of its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Tick of the platform's clock. In [`Legs`], tick of the round.
    pub clock: u64,
    /// Index of the point.
    pub point: u32,
    /// Whether the platform stops there for good or turns around.
    pub is_end: bool,
}

impl Legs {
    /// Computes the path for ticks of `tick` seconds. A leg that is too fast or too long, and a wait that is too long,
    /// use the nearest allowed number of ticks. [`Path::check`] refuses such a path.
    pub(super) fn new(path: &Path, tick: f64) -> Result<Legs, PathError> {
        Legs::compute_legs(path, tick, |ticks, bounds| {
            // As an integer, a NaN becomes 0, which `max` raises to the minimum.
            let (nearest, most) = ((ticks.round() as u64).max(bounds.least), u64::from(Path::MAX_TICKS));
            // No number of ticks suffices for a leg across the whole coordinate range. Such a path is never valid.
            if bounds.min_ticks_of_leg() > most {
                Err(PathError::TooLong(ticks))
            } else {
                Ok(nearest.max(bounds.min_ticks_of_leg()).min(most))
            }
        })
    }

    /// Computes a path. `ticks_of` rounds the ticks of each leg and wait.
    fn compute_legs(
        path: &Path,
        tick: f64,
        ticks_of: impl Fn(f64, Bounds) -> Result<u64, PathError>,
    ) -> Result<Legs, PathError> {
        let Path { points, timing: pace, repeat, easing, wait, phase } = path;
        if points.len() < 2 {
            return Err(PathError::TooFewPoints(points.len()));
        }
        let mut corners: Vec<I64Vec2> = points.iter().map(|point| point.units()).collect();
        if corners.iter().all(|corner| *corner == corners[0]) {
            return Err(PathError::AllPointsEqual);
        }
        if !(wait.is_finite() && *wait >= 0.0) {
            return Err(PathError::Wait(*wait));
        }
        if !(0.0..=1.0).contains(phase) {
            return Err(PathError::Phase(*phase));
        }
        if *repeat == Repeat::Loop {
            corners.push(corners[0]);
        }
        let lengths: Vec<f64> =
            corners.windows(2).map(|ends| (ends[1] - ends[0]).as_dvec2().length() / ONE as f64).collect();
        let waits = ticks_of(wait / tick, Bounds { least: 0, leg: 0, reach: 0.0 })?;
        let speed = match *pace {
            PathTiming::Speed(value) => check_timing("speed", value)?,
            PathTiming::Period(period) => {
                check_timing("period", period)?;
                let way: f64 = lengths.iter().sum();
                let (way, stops) = match repeat {
                    Repeat::Once => (way, points.len()),
                    Repeat::Loop => (way, points.len()),
                    Repeat::PingPong => (2.0 * way, 2 * points.len() - 2),
                };
                let waits = stops as f64 * wait;
                if period - waits <= 0.0 {
                    return Err(PathError::WaitsTooLong { period, waits });
                }
                way / (period - waits)
            }
        };
        let (mut stretches, mut legs, mut start) = (Vec::new(), Vec::new(), 0);
        let mut add = |ticks: u64, from, to| {
            if ticks > 0 {
                stretches.push(Stretch { start, ticks, from, to });
            }
            start += ticks;
            start
        };
        add(waits, corners[0], corners[0]);
        for (leg, (ends, length)) in corners.windows(2).zip(&lengths).enumerate() {
            // Two equal points in a row are a longer wait.
            if *length > 0.0 {
                // The middle of a smooth leg is 1.5 times as fast as its average.
                let reach = if *easing == Easing::Smooth { 1.5 } else { 1.0 } * length;
                let ticks = ticks_of(length / speed / tick, Bounds { least: 1, leg, reach })?;
                let end = add(ticks, ends[0], ends[1]);
                legs.push((leg, end - ticks, end));
            }
            // A closed loop waits only once at its first point.
            if *repeat != Repeat::Loop || leg + 2 < corners.len() {
                add(waits, ends[1], ends[1]);
            }
        }
        let there = start;
        let round = match repeat {
            Repeat::Once => None,
            Repeat::Loop => Some(there),
            Repeat::PingPong => Some(2 * (there - waits)),
        };
        let begin = (phase * round.unwrap_or(there) as f64).round() as u64;
        let arrivals = arrivals_of_round(&legs, points.len(), *repeat, 2 * there - waits);
        Ok(Legs { stretches, there, round, last_wait: waits, easing: *easing, begin, arrivals })
    }

    /// Returns the first arrival at a point after tick `clock` of the platform's clock.
    pub(super) fn arrival_after(&self, clock: u64) -> Option<Arrival> {
        let clock = clock.saturating_add(self.begin);
        let tick = self.round.map_or(clock, |round| clock % round);
        let next = self.arrivals.partition_point(|arrival| arrival.clock <= tick);
        let (arrival, later) = match (self.arrivals.get(next), self.round) {
            (Some(arrival), _) => (arrival, 0),
            (None, Some(round)) => (self.arrivals.first()?, round),
            (None, None) => return None,
        };
        Some(Arrival { clock: clock - tick + later + arrival.clock - self.begin, ..*arrival })
    }

    /// Returns the displacement of the platform from its start, at a tick of its clock.
    pub(super) fn displacement_at(&self, clock: u64) -> I64Vec2 {
        let clock = clock.saturating_add(self.begin);
        let Some(round) = self.round else { return self.outbound_displacement_at(clock.min(self.there)) };
        let clock = clock % round;
        if clock <= self.there {
            self.outbound_displacement_at(clock)
        } else {
            self.outbound_displacement_at(self.there - self.last_wait - (clock - self.there))
        }
    }

    /// Returns the lower left and upper right corner of the bounds of its points.
    pub(super) fn extent(&self) -> (I64Vec2, I64Vec2) {
        let ends = || self.stretches.iter().flat_map(|stretch| [stretch.from, stretch.to]);
        let first = self.stretches[0].from;
        (ends().fold(first, I64Vec2::min), ends().fold(first, I64Vec2::max))
    }

    /// Returns the displacement at a tick of the way from the first point to the last one.
    fn outbound_displacement_at(&self, clock: u64) -> I64Vec2 {
        let next = self.stretches.partition_point(|stretch| stretch.start <= clock);
        let Stretch { start, ticks, from, to } = self.stretches[next.saturating_sub(1)];
        if from == to {
            return from;
        }
        if self.easing == Easing::Linear && (to - from).abs().max_element() <= MAX_SHORT_LEG_UNITS {
            let (k, n) = ((clock - start).min(ticks) as i64, ticks as i64);
            // `k` and `n` are at most 2^21, and a short leg has at most 2^40 units. So all products fit into 64 bits.
            let part = |way: i64| (2 * way.abs() * k + n) / (2 * n) * way.signum();
            return from + I64Vec2::new(part(to.x - from.x), part(to.y - from.y));
        }
        let (k, n) = (i128::from((clock - start).min(ticks)), i128::from(ticks));
        let (part, whole) = match self.easing {
            Easing::Linear => (k, n),
            Easing::Smooth => (k * k * (3 * n - 2 * k), n * n * n),
        };
        let eased = |way: i64| round_to_nearest(i128::from(way) * part, whole);
        from + I64Vec2::new(eased(to.x - from.x), eased(to.y - from.y))
    }
}

/// Returns the arrivals of a round at its `points` points. Each leg is given by its index and its first and last tick
/// on the way there. On the way back, the platform is where it was `mirror` - k ticks after the start, with k the
/// ticks since the start.
fn arrivals_of_round(legs: &[(usize, u64, u64)], points: usize, repeat: Repeat, mirror: u64) -> Vec<Arrival> {
    let arrival = |clock, point: usize, is_end| Arrival { clock, point: (point % points) as u32, is_end };
    let there = legs
        .iter()
        .enumerate()
        .map(|(i, &(leg, _, end))| arrival(end, leg + 1, i + 1 == legs.len() && repeat != Repeat::Loop));
    let back = legs.iter().enumerate().rev().map(|(i, &(leg, start, _))| arrival(mirror - start, leg, i == 0));
    there.chain(back.filter(|_| repeat == Repeat::PingPong)).collect()
}

/// Longest leg on an axis whose parts are computed in 64 bits, in units: 256 tiles.
const MAX_SHORT_LEG_UNITS: i64 = 256 * ONE;

/// Rounds a fraction to the nearest integer, halves away from zero. The denominator is positive.
fn round_to_nearest(numerator: i128, denominator: i128) -> i64 {
    let nearest = (2 * numerator.abs() + denominator) / (2 * denominator);
    (nearest * numerator.signum()) as i64
}

/// Allowed ticks of a leg or a wait.
#[derive(Clone, Copy)]
struct Bounds {
    least: u64,
    /// Index of the leg, from 0.
    leg: usize,
    /// Displacement in one tick, in tiles, if the whole leg had the speed of its fastest part and took one tick.
    reach: f64,
}

impl Bounds {
    /// Returns the minimum number of ticks for which no step is too long.
    fn min_ticks_of_leg(self) -> u64 {
        (self.reach / Path::MAX_STEP_TILES).ceil() as u64
    }
}

/// Rounds to a whole number of ticks, if it is allowed.
fn ticks_for_leg(ticks: f64, bounds: Bounds) -> Result<u64, PathError> {
    if ticks <= f64::from(Path::MAX_TICKS) {
        let ticks = (ticks.round() as u64).max(bounds.least);
        let tiles = bounds.reach / ticks as f64;
        if tiles > Path::MAX_STEP_TILES { Err(PathError::TooFast { leg: bounds.leg, tiles }) } else { Ok(ticks) }
    } else {
        Err(PathError::TooLong(ticks.round()))
    }
}

/// Checks that a speed or a period is above 0 and finite.
pub(super) fn check_timing(name: &'static str, value: f64) -> Result<f64, PathError> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(PathError::Timing { name, value }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: f64 = 1.0 / 60.0;

    fn path_through_points(points: &[(f64, f64)], pace: PathTiming) -> Path {
        let points = points.iter().map(|&(x, y)| Position::new(x, y).unwrap()).collect();
        Path { points, timing: pace, ..Path::default() }
    }

    fn units_of_tiles(x: f64, y: f64) -> I64Vec2 {
        Position::new(x, y).unwrap().units()
    }

    /// Eight tiles up at 8 tiles per second: 60 ticks, 8k/60 tiles after k of them, and the same positions on the way
    /// down.
    #[test]
    fn a_lift_has_its_computed_positions_to_the_unit() {
        let lift = Legs::new(&path_through_points(&[(0.0, 0.0), (0.0, 8.0)], PathTiming::Speed(8.0)), TICK).unwrap();
        for k in 0..=60_u64 {
            let exact = (2 * 8 * (k as i128) * i128::from(ONE) + 60) / 120;
            assert_eq!(lift.displacement_at(k), I64Vec2::new(0, exact as i64), "tick {k}");
            assert_eq!(lift.displacement_at(120 - k), lift.displacement_at(k));
            assert_eq!(lift.displacement_at(120 * 1000 + k), lift.displacement_at(k));
        }
        assert_eq!((lift.displacement_at(60), lift.displacement_at(120)), (units_of_tiles(0.0, 8.0), I64Vec2::ZERO));
    }

    #[test]
    fn turning_points_and_waits_are_exact() {
        let points = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)];
        for (repeat, round) in [
            (Repeat::Once, None),
            (Repeat::Loop, Some(30 + 180 + 240 + 30 + 300 + 30)),
            (Repeat::PingPong, Some(2 * 420 + 4 * 30)),
        ] {
            let path = Path { wait: 0.5, repeat, ..path_through_points(&points, PathTiming::Speed(1.0)) };
            let course = Legs::new(&path, TICK).unwrap();
            assert_eq!(course.round, round, "{repeat:?}");
            for (clock, at) in [
                (0, points[0]),
                (30, points[0]),
                (210, points[1]),
                (240, points[1]),
                (480, points[2]),
                (510, points[2]),
            ] {
                assert_eq!(course.displacement_at(clock), units_of_tiles(at.0, at.1), "{repeat:?} {clock}");
            }
            assert_ne!(course.displacement_at(31), course.displacement_at(30));
            let later = course.displacement_at(511);
            match repeat {
                Repeat::Once => assert_eq!(later, units_of_tiles(3.0, 4.0)),
                // The platform has made one of the 300 ticks of the last leg, from (3, 4) back to the first point.
                Repeat::Loop => assert_eq!(
                    later,
                    I64Vec2::new(
                        round_to_nearest(3 * i128::from(ONE) * 299, 300),
                        round_to_nearest(4 * i128::from(ONE) * 299, 300)
                    )
                ),
                Repeat::PingPong => assert_eq!(later, course.displacement_at(479)),
            }
        }
    }

    /// Legs of 3 and 4 tiles are 3 and 4 ticks long. Two equal points are a wait of no ticks.
    #[test]
    fn arrivals_are_at_the_ends_of_legs() {
        let points = [(0.0, 0.0), (0.0, 0.0), (3.0, 0.0), (3.0, 4.0), (3.0, 4.0)];
        for (repeat, expected) in [
            (Repeat::Once, vec![(3, 2, false), (7, 3, true)]),
            (Repeat::PingPong, vec![(3, 2, false), (7, 3, true), (11, 2, false), (14, 1, true), (17, 2, false)]),
            (Repeat::Loop, vec![(3, 2, false), (7, 3, false), (12, 0, false), (15, 2, false), (19, 3, false)]),
        ] {
            let course =
                Legs::new(&Path { repeat, ..path_through_points(&points, PathTiming::Speed(1.0)) }, 1.0).unwrap();
            let next = |clock: &u64| course.arrival_after(*clock).map(|arrival| arrival.clock);
            let clocks = std::iter::successors(next(&0), next).take(expected.len());
            let found = clocks.map(|clock| course.arrival_after(clock - 1).unwrap());
            let found: Vec<_> = found.map(|arrival| (arrival.clock, arrival.point, arrival.is_end)).collect();
            assert_eq!(found, expected, "{repeat:?}");
            for (clock, point, _) in found {
                assert_eq!(
                    course.displacement_at(clock),
                    units_of_tiles(points[point as usize].0, points[point as usize].1)
                );
            }
            assert_eq!(course.arrival_after(7).is_none(), repeat == Repeat::Once);
        }
    }

    #[test]
    fn a_smooth_leg_is_halfway_at_half_time_and_slow_at_its_ends() {
        let smooth =
            Path { easing: Easing::Smooth, ..path_through_points(&[(0.0, 0.0), (-6.0, 0.0)], PathTiming::Speed(3.0)) };
        let course = Legs::new(&smooth, TICK).unwrap();
        assert_eq!(
            (course.displacement_at(60), course.displacement_at(120)),
            (units_of_tiles(-3.0, 0.0), units_of_tiles(-6.0, 0.0))
        );
        // 3s^2 - 2s^3 at s = 1/4 is 5/32.
        assert_eq!(course.displacement_at(30), units_of_tiles(-6.0 * 5.0 / 32.0, 0.0));
        assert!(
            course.displacement_at(1).x.abs() < course.displacement_at(61).x.abs() - course.displacement_at(60).x.abs()
        );
    }

    #[test]
    fn a_period_is_the_duration_of_the_whole_path() {
        for (repeat, ticks) in [(Repeat::Loop, 240), (Repeat::PingPong, 240)] {
            let path =
                Path { repeat, wait: 0.25, ..path_through_points(&[(0.0, 0.0), (5.0, 0.0)], PathTiming::Period(4.0)) };
            assert_eq!(Legs::new(&path, TICK).unwrap().round, Some(ticks), "{repeat:?}");
        }
    }

    #[test]
    fn a_phase_begins_within_the_round() {
        let path = Path { phase: 0.25, ..path_through_points(&[(0.0, 0.0), (0.0, 8.0)], PathTiming::Speed(8.0)) };
        assert_eq!(Legs::new(&path, TICK).unwrap().displacement_at(0), units_of_tiles(0.0, 4.0));
    }

    /// A path that is valid for one tick length can be computed for all others, with the nearest allowed speed.
    #[test]
    fn a_path_can_be_computed_for_every_tick_length() {
        let fast = path_through_points(&[(0.0, 0.0), (7_500.0, 0.0)], PathTiming::Speed(15_000.0));
        let slow = Path { wait: 10_000.0, ..path_through_points(&[(0.0, 0.0), (0.0, 1.0)], PathTiming::Speed(1e-4)) };
        assert!(fast.check(TICK).is_ok() && slow.check(TICK).is_ok());
        assert!(fast.check(1.0).is_err() && slow.check(1e-6).is_err());
        // At the maximum of 250 tiles per tick, the leg takes 30 ticks instead of half a tick.
        let course = Legs::new(&fast, 1.0).unwrap();
        assert_eq!(
            (course.displacement_at(1), course.displacement_at(30)),
            (units_of_tiles(250.0, 0.0), units_of_tiles(7_500.0, 0.0))
        );
        let course = Legs::new(&slow, 1e-6).unwrap();
        let most = u64::from(Path::MAX_TICKS);
        assert_eq!(course.round, Some(4 * most));
        assert_eq!(
            (course.displacement_at(most), course.displacement_at(2 * most)),
            (I64Vec2::ZERO, units_of_tiles(0.0, 1.0))
        );
    }

    #[test]
    fn invalid_paths_are_refused() {
        let (way, still) = ([(0.0, 0.0), (1.0, 0.0)], [(2.0, 1.0), (2.0, 1.0)]);
        let cases = [
            (path_through_points(&way[..1], PathTiming::Speed(1.0)), "the path has 1 point; expected at least 2"),
            (
                path_through_points(&still, PathTiming::Speed(1.0)),
                "all points of the path are equal; expected at least two different points",
            ),
            (path_through_points(&way, PathTiming::Speed(0.0)), "the speed is 0; expected a finite number above 0"),
            (
                path_through_points(&way, PathTiming::Speed(f64::NAN)),
                "the speed is NaN; expected a finite number above 0",
            ),
            (
                path_through_points(&way, PathTiming::Period(f64::INFINITY)),
                "the period is inf; expected a finite number above 0",
            ),
            (
                path_through_points(&way, PathTiming::Speed(1e-6)),
                "a leg or a wait of the path takes 60000000 ticks; expected at most 2097152",
            ),
            (
                path_through_points(&[(0.0, 0.0), (2000.0, 0.0)], PathTiming::Speed(1e9)),
                "leg 0 of the path moves 2000 tiles in a tick; expected at most 250",
            ),
            (
                Path { wait: -1.0, ..path_through_points(&way, PathTiming::Speed(1.0)) },
                "the wait is -1 seconds; expected a finite number of at least 0",
            ),
            (
                Path { phase: 1.5, ..path_through_points(&way, PathTiming::Speed(1.0)) },
                "the phase is 1.5; expected 0 to 1",
            ),
            (
                Path { wait: 2.0, ..path_through_points(&way, PathTiming::Period(4.0)) },
                "the waits of the path take 4 seconds; expected less than the period of 4 seconds",
            ),
        ];
        for (path, expected) in cases {
            assert_eq!(path.check(TICK).unwrap_err().to_string(), expected);
        }
    }
}

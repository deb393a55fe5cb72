//! Circular motion of a platform: its position at each tick, in whole units.
//!
//! The k-th of n ticks is at the angle 2 pi k / n. Sine and cosine are computed in integers for angles up to 45
//! degrees. Mirrors and turns by 90 degrees give the rest, so symmetric positions are equal in units. This takes a few
//! dozen multiplications, which costs less cache than a table.

use super::path::{Path, PathError, PathTiming, check_timing};
use glam::I64Vec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use surefoot_geometry::ONE;

/// Motion of a platform around a circle. The platform stays upright, like a seat of a Ferris wheel.
///
/// The centre of the circle is [`Platform::position`](super::Platform::position). The lower left corner of the
/// platform's tile (0, 0) moves on the circle. It starts to the right of the centre, towards positive x. Seen with y
/// up, the platform moves counterclockwise.
///
/// # Examples
/// ```
/// use surefoot::platform::{CirclePath, PathTiming};
///
/// let wheel = CirclePath { radius: 3.0, timing: PathTiming::Period(4.0), ..CirclePath::default() };
/// assert!(wheel.check(1.0 / 60.0).is_ok());
/// assert!(CirclePath { radius: 0.0, ..wheel }.check(1.0 / 60.0).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct CirclePath {
    /// Radius in tiles of the circle on which the lower left corner of the platform moves. Above 0. Default: 1.
    pub radius: f64,
    /// Speed along the circle, or duration of a full turn. Default: 1 tile per second.
    pub timing: PathTiming,
    /// Whether the platform moves clockwise. Default: `false`.
    pub clockwise: bool,
    /// Where on the circle the platform starts, as a fraction of a full turn, 0 to 1. Counted in the direction of the
    /// motion. Default: 0, to the right of the centre.
    pub phase: f64,
}

impl Default for CirclePath {
    /// Returns a counterclockwise circle of radius 1 at 1 tile per second.
    fn default() -> CirclePath {
        CirclePath { radius: 1.0, timing: PathTiming::Speed(1.0), clockwise: false, phase: 0.0 }
    }
}

impl CirclePath {
    /// Checks that a platform can follow the circle in a world with ticks of `tick` seconds.
    ///
    /// # Errors
    /// Returns the first [`PathError`] in each of these cases:
    ///
    /// - The radius, timing or phase is invalid.
    /// - The platform would move more than [`Path::MAX_STEP_TILES`](super::Path::MAX_STEP_TILES) tiles in one tick.
    /// - A full turn takes more than [`Path::MAX_TICKS`](super::Path::MAX_TICKS) ticks.
    pub fn check(&self, tick: f64) -> Result<(), PathError> {
        let ticks = self.unrounded_ticks_of_round(tick)?;
        let whole = ticks.round().max(1.0);
        if whole > f64::from(Path::MAX_TICKS) {
            return Err(PathError::CircleTooLong(whole));
        }
        let tiles = TAU * self.radius / whole;
        if tiles > Path::MAX_STEP_TILES { Err(PathError::CircleTooFast { tiles }) } else { Ok(()) }
    }

    /// Returns the ticks of a round, not rounded.
    fn unrounded_ticks_of_round(&self, tick: f64) -> Result<f64, PathError> {
        let CirclePath { radius, timing, phase, .. } = *self;
        if !(radius.is_finite() && radius > 0.0) {
            return Err(PathError::Radius(radius));
        }
        let period = match timing {
            PathTiming::Speed(value) => TAU * radius / check_timing("speed", value)?,
            PathTiming::Period(value) => check_timing("period", value)?,
        };
        if (0.0..=1.0).contains(&phase) { Ok(period / tick) } else { Err(PathError::Phase(phase)) }
    }
}

/// A circle computed for a tick length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// In units.
    radius: i64,
    /// Ticks of a round.
    ticks: u64,
    clockwise: bool,
    /// Tick of the round at which it starts.
    begin: u64,
}

impl Round {
    /// Returns the lower left and upper right corner of the square around it.
    pub(super) fn extent(&self) -> (I64Vec2, I64Vec2) {
        (I64Vec2::splat(-self.radius), I64Vec2::splat(self.radius))
    }

    /// Computes the circle for ticks of `tick` seconds. If it is too fast or too long for them, uses the nearest
    /// allowed number of ticks. [`CirclePath::check`] refuses such a circle.
    pub(super) fn new(circle: &CirclePath, tick: f64) -> Result<Round, PathError> {
        let CirclePath { radius, clockwise, phase, .. } = *circle;
        let (ticks, most) = (circle.unrounded_ticks_of_round(tick)?.round(), u64::from(Path::MAX_TICKS));
        let fewest = ((TAU * radius / Path::MAX_STEP_TILES).ceil() as u64).max(1);
        if fewest > most {
            return Err(PathError::CircleTooLong(ticks));
        }
        let ticks = (ticks as u64).clamp(fewest, most);
        let (radius, begin) = ((radius * ONE as f64).round() as i64, (phase * ticks as f64).round() as u64);
        Ok(Round { radius, ticks, clockwise, begin })
    }

    /// Returns the position of the platform relative to the centre, at a tick of its clock.
    pub(super) fn displacement_at(&self, clock: u64) -> I64Vec2 {
        // Measure the angle in eighths of the turn of one tick. Then the full circle is `8 * ticks`, and a quarter is
        // `2 * ticks`. `quarters` is the number of whole quarters, `left` the rest.
        let along = 8 * (clock.wrapping_add(self.begin) % self.ticks);
        let (quarters, left) = (along / (2 * self.ticks), along % (2 * self.ticks));
        let (near, far) = self.point_in_first_eighth(left.min(2 * self.ticks - left));
        let (x, y) = if left <= self.ticks { (near, far) } else { (far, near) };
        let at = match quarters {
            0 => I64Vec2::new(x, y),
            1 => I64Vec2::new(-y, x),
            2 => I64Vec2::new(-x, -y),
            _ => I64Vec2::new(y, -x),
        };
        if self.clockwise { I64Vec2::new(at.x, -at.y) } else { at }
    }

    /// Returns the coordinates of a point in the first eighth, `eighths` eighths of a tick up from the axis.
    fn point_in_first_eighth(&self, eighths: u64) -> (i64, i64) {
        let angle = i128::from(WHOLE_ROUND) * i128::from(eighths) / i128::from(8 * self.ticks);
        let (cosine, sine) = cosine_and_sine(angle as i64);
        let part = |part: i64| ((i128::from(self.radius) * i128::from(part) + (1 << (DIGITS - 1))) >> DIGITS) as i64;
        // On the diagonal, both coordinates must be equal. Sine and cosine may differ there by rounding, so use one of
        // them.
        if eighths == self.ticks { (part(cosine), part(cosine)) } else { (part(cosine), part(sine)) }
    }
}

/// Binary digits after the point in angles, sines and cosines.
const DIGITS: u32 = 60;

/// 2 pi.
const WHOLE_ROUND: i64 = 0x6487_ED51_10B4_611A;

/// Returns cosine and sine of an angle up to pi / 4, by their series. The first omitted terms are below 2^-65.
fn cosine_and_sine(angle: i64) -> (i64, i64) {
    let product = |a: i64, b: i64| ((i128::from(a) * i128::from(b)) >> DIGITS) as i64;
    let (one, square) = (1 << DIGITS, product(angle, angle));
    // The cosine is 1 - x^2 / (1 * 2) (1 - x^2 / (3 * 4) (...)), computed from the inside. The lists contain the
    // denominators.
    let cosine = [306, 240, 182, 132, 90, 56, 30, 12, 2].into_iter().fold(one, |sum, n| one - product(square, sum) / n);
    let sine = [342, 272, 210, 156, 110, 72, 42, 20, 6].into_iter().fold(one, |sum, n| one - product(square, sum) / n);
    (cosine, product(angle, sine))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;

    const TICK: f64 = 1.0 / 60.0;

    fn wheel_path(radius: f64, pace: PathTiming) -> CirclePath {
        CirclePath { radius, timing: pace, ..CirclePath::default() }
    }

    /// Circles of 240 and of 7 ticks: the corners of a regular polygon, starting at the top.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "an independent value, compared within a tolerance")]
    fn a_wheel_is_at_its_computed_positions() {
        for (period, ticks) in [(4.0, 240_u64), (7.0 / 60.0, 7), (1.0 / 60.0, 1), (2.0 / 60.0, 2)] {
            let round = Round::new(&wheel_path(3.0, PathTiming::Period(period)), TICK).unwrap();
            for k in 0..ticks {
                let (sine, cosine) = (TAU * k as f64 / ticks as f64).sin_cos();
                let exact = DVec2::new(cosine, sine) * 3.0 * ONE as f64;
                let off = (round.displacement_at(k).as_dvec2() - exact).abs().max_element();
                // Rounding takes at most half a unit. f64 itself has an error of about 2^-19 at numbers of this size.
                assert!(off <= 0.5 + 1e-4, "tick {k} of {ticks}: {off}");
                assert_eq!(round.displacement_at(k + 5 * ticks), round.displacement_at(k));
            }
        }
    }

    #[test]
    fn quarters_and_eighths_are_exact() {
        let (round, r) = (Round::new(&wheel_path(3.0, PathTiming::Period(4.0)), TICK).unwrap(), 3 * ONE);
        let quarters = [0, 60, 120, 180].map(|k| round.displacement_at(k).to_array());
        assert_eq!(quarters, [[r, 0], [0, r], [-r, 0], [0, -r]]);
        // 3 / sqrt(2) = 2.12132034355964257...: 9111001499.7 units.
        assert_eq!(round.displacement_at(30), I64Vec2::splat(9_111_001_500));
    }

    /// A turn by 90 degrees and a mirror give the same units, in the other direction too.
    #[test]
    fn a_circle_is_symmetrical_to_the_unit() {
        for ticks in [4_u64, 12, 100, 1_048_576] {
            let turning = CirclePath { clockwise: true, ..wheel_path(7.3, PathTiming::Period(ticks as f64)) };
            let back = Round::new(&turning, 1.0).unwrap();
            let round = Round::new(&CirclePath { clockwise: false, ..turning }, 1.0).unwrap();
            for k in (0..ticks).step_by((ticks / 100).max(1) as usize) {
                let at = round.displacement_at(k);
                assert_eq!(round.displacement_at(k + ticks / 4), I64Vec2::new(-at.y, at.x), "{k} of {ticks}");
                assert_eq!(round.displacement_at(ticks - k), I64Vec2::new(at.x, -at.y), "{k} of {ticks}");
                assert_eq!(round.displacement_at(ticks + ticks / 4 - k), I64Vec2::new(at.y, at.x), "{k} of {ticks}");
                assert_eq!(back.displacement_at(k), round.displacement_at(ticks - k));
            }
        }
    }

    #[test]
    fn a_phase_begins_within_the_round() {
        let circle = CirclePath { phase: 0.75, ..wheel_path(2.0, PathTiming::Period(2.0)) };
        assert_eq!(Round::new(&circle, TICK).unwrap().displacement_at(0), I64Vec2::new(0, -2 * ONE));
        let circle = CirclePath { clockwise: true, ..circle };
        assert_eq!(Round::new(&circle, TICK).unwrap().displacement_at(0), I64Vec2::new(0, 2 * ONE));
    }

    /// 2 pi 3 / 6 is pi seconds or 188.5 ticks, which is rounded to 188.
    #[test]
    fn the_speed_counts_along_the_circle() {
        let round = Round::new(&wheel_path(3.0, PathTiming::Speed(6.0)), TICK).unwrap();
        assert_eq!(round.ticks, 188);
    }

    /// Cosine of 1/2: 0.87758256189037271611628..., sine 0.47942553860420300027328...
    #[test]
    fn sine_and_cosine_are_exact_to_the_last_digits() {
        let (cosine, sine) = cosine_and_sine(1 << (DIGITS - 1));
        let (by, at) = (10_i128.pow(18), 1_i128 << DIGITS);
        for (found, exact) in [(cosine, 877_582_561_890_372_716), (sine, 479_425_538_604_203_000)] {
            assert!((i128::from(found) * by - exact * at).abs() < 20 * by, "{found}");
        }
    }

    #[test]
    fn invalid_circles_are_refused() {
        let cases = [
            (wheel_path(-1.0, PathTiming::Speed(1.0)), "the radius is -1; expected a finite number above 0"),
            (wheel_path(f64::INFINITY, PathTiming::Speed(1.0)), "the radius is inf; expected a finite number above 0"),
            (wheel_path(1.0, PathTiming::Speed(f64::NAN)), "the speed is NaN; expected a finite number above 0"),
            (wheel_path(1.0, PathTiming::Period(0.0)), "the period is 0; expected a finite number above 0"),
            (CirclePath { phase: -0.5, ..CirclePath::default() }, "the phase is -0.5; expected 0 to 1"),
            (
                wheel_path(1.0, PathTiming::Period(1e6)),
                "a round of the circle takes 60000000 ticks; expected at most 2097152",
            ),
        ];
        for (circle, expected) in cases {
            assert_eq!(circle.check(TICK).unwrap_err().to_string(), expected);
        }
        let fast = wheel_path(1000.0, PathTiming::Period(0.25));
        assert!(matches!(fast.check(TICK), Err(PathError::CircleTooFast { tiles }) if (tiles - 418.88).abs() < 0.01));
        // The round has the minimum number of ticks: 2 pi 1000 / 250 is 25.1, so 26.
        assert_eq!(Round::new(&fast, TICK).unwrap().ticks, 26);
        assert_eq!(Round::new(&wheel_path(1.0, PathTiming::Period(1e6)), TICK).unwrap().ticks, 1 << 21);
        assert!(matches!(wheel_path(1e300, PathTiming::Period(1.0)).check(TICK), Err(PathError::CircleTooFast { .. })));
        assert!(Round::new(&wheel_path(1e300, PathTiming::Period(1.0)), TICK).is_err());
    }
}

use crate::debug_is_display;
use glam::{DVec2, I64Vec2, IVec2, Vec2};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// A length of 1.0 in fixed-point units: 2^32. One unit is 2^-32, the smallest step of a [`Position`].
pub const ONE: i64 = 1 << 32;

/// A point in fixed point, with 32 fractional bits per axis; x to the right and y up.
///
/// Coordinates are whole multiples of 2^-32, called units, so 1.0 is 2^32 units. Each coordinate is from -2^29 to
/// 2^29 (see [`Position::LIMIT`]).
///
/// Sums, differences, mirrors and quarter turns of positions are exact. The difference of two positions never
/// overflows.
///
/// Implements `Serialize` and `Deserialize` with the feature `serde`, which is on by default, and reads back to the
/// same bits.
///
/// # Examples
/// ```
/// use surefoot_geometry::{I64Vec2, ONE, Position};
///
/// let place = Position::new(4.5, -9.0)?;
/// assert_eq!(place.units(), I64Vec2::new(4 * ONE + ONE / 2, -9 * ONE));
/// assert_eq!((place + I64Vec2::new(1, 0)) - place, I64Vec2::new(1, 0));
/// assert!(Position::new(f64::NAN, 0.0).is_err());
/// # Ok::<(), surefoot_geometry::PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Written", into = "Written"))]
pub struct Position {
    x: i64,
    y: i64,
}

/// Error of creating a [`Position`] from two numbers.
#[derive(Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// A coordinate is NaN or infinite.
    #[error("the position ({x}, {y}) is not finite; expected finite coordinates")]
    NotFinite {
        /// The requested x coordinate.
        x: f64,
        /// The requested y coordinate.
        y: f64,
    },
    /// A coordinate is further from 0 than [`Position::LIMIT`], which is 2^29.
    #[error("the position ({x}, {y}) is out of range; expected coordinates from -2^29 to 2^29")]
    OutOfRange {
        /// The requested x coordinate.
        x: f64,
        /// The requested y coordinate.
        y: f64,
    },
}

debug_is_display!(PositionError);

impl Position {
    /// The position (0, 0).
    pub const ORIGIN: Position = Position { x: 0, y: 0 };

    /// Largest absolute value of a coordinate, in fixed-point units (2^32 units = 1.0): 2^61 units, which is 2^29 or
    /// about 537 million.
    pub const LIMIT: i64 = ONE << 29;

    /// Creates the position nearest to (`x`, `y`).
    ///
    /// Each coordinate is rounded to the nearest fixed-point unit (2^-32). A coordinate halfway between two units is
    /// rounded away from zero.
    ///
    /// # Errors
    /// - Returns [`PositionError::NotFinite`] if a coordinate is NaN or infinite.
    /// - Returns [`PositionError::OutOfRange`] if a coordinate lies beyond [`Position::LIMIT`].
    pub fn new(x: f64, y: f64) -> Result<Position, PositionError> {
        if !(x.is_finite() && y.is_finite()) {
            return Err(PositionError::NotFinite { x, y });
        }
        Position::from_units(to_units(x), to_units(y)).ok_or(PositionError::OutOfRange { x, y })
    }

    /// Returns the position with the coordinates `x` and `y` in fixed-point units (2^32 units = 1.0).
    ///
    /// Returns `None` if a coordinate exceeds [`Position::LIMIT`].
    #[must_use]
    pub const fn from_units(x: i64, y: i64) -> Option<Position> {
        // Do not use abs(): it overflows for i64::MIN.
        let inside = -Self::LIMIT <= x && x <= Self::LIMIT && -Self::LIMIT <= y && y <= Self::LIMIT;
        if inside { Some(Position { x, y }) } else { None }
    }

    /// Returns the position with the coordinates `units` in fixed-point units (2^32 units = 1.0). A coordinate beyond
    /// [`Position::LIMIT`] becomes the limit.
    #[must_use]
    pub fn clamped(units: I64Vec2) -> Position {
        let limit = I64Vec2::splat(Self::LIMIT);
        let units = units.clamp(-limit, limit);
        Position { x: units.x, y: units.y }
    }

    /// Returns the coordinates in fixed-point units (2^32 units = 1.0).
    #[must_use]
    pub const fn units(self) -> I64Vec2 {
        I64Vec2::new(self.x, self.y)
    }

    /// Returns the column and row of the grid cell that contains the position: both coordinates, rounded down.
    ///
    /// Cells are 1.0 wide and high, as tiles are in the engine.
    #[must_use]
    pub const fn cell(self) -> (i32, i32) {
        ((self.x >> 32) as i32, (self.y >> 32) as i32)
    }

    /// Returns the offset of the position from the lower left corner of its grid cell, in fixed-point units (2^32
    /// units = 1.0).
    ///
    /// Cells are 1.0 wide and high, so each component is in `0..ONE`.
    #[must_use]
    pub const fn in_cell(self) -> (u32, u32) {
        (self.x as u32, self.y as u32)
    }

    /// Returns the position moved by the displacement `by`, which is rounded to the nearest fixed-point unit (2^-32).
    ///
    /// # Errors
    /// - Returns [`PositionError::NotFinite`] if `by` is not finite.
    /// - Returns [`PositionError::OutOfRange`] if the moved position lies beyond [`Position::LIMIT`].
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::Position;
    ///
    /// let place = Position::new(2.0, 1.0)?;
    /// assert_eq!(place.offset((0.5, -1.0))?, Position::new(2.5, 0.0)?);
    /// assert!(place.offset((f64::NAN, 0.0)).is_err());
    /// assert!(place.offset((1e9, 0.0)).is_err());
    /// # Ok::<(), surefoot_geometry::PositionError>(())
    /// ```
    pub fn offset(self, by: impl Vector) -> Result<Position, PositionError> {
        let by = by.to_lengths();
        let end = self.to_dvec2() + by;
        if !by.is_finite() {
            return Err(PositionError::NotFinite { x: end.x, y: end.y });
        }
        // The saturated sum is out of range whenever the true sum overflows i64, so no overflow goes unnoticed.
        let sum = |at: i64, by: f64| at.saturating_add(to_units(by));
        let place = Position::from_units(sum(self.x, by.x), sum(self.y, by.y));
        place.ok_or(PositionError::OutOfRange { x: end.x, y: end.y })
    }

    /// Returns the coordinates as f64.
    ///
    /// The result is exact for coordinates up to 2^20 (about a million). Larger coordinates are rounded to the 53
    /// bits of f64.
    #[must_use]
    pub fn to_dvec2(self) -> DVec2 {
        to_lengths(self.units())
    }

    /// Returns the coordinates, rounded to f32, for drawing.
    #[must_use]
    pub fn to_vec2(self) -> Vec2 {
        self.to_dvec2().as_vec2()
    }
}

/// Converts a displacement along one axis from f64 to fixed-point units: 1.0 gives 2^32.
///
/// The result is rounded to the nearest unit. A value halfway between two units is rounded away from zero. Values out
/// of range give the nearest i64. NaN gives 0.
#[must_use]
#[inline(always)]
pub fn to_units(lengths: f64) -> i64 {
    /// The largest number below a half. With a half instead, this number itself would round up to 1.
    const NEARLY_HALF: f64 = 0.5 - f64::EPSILON / 4.0;
    let scaled = lengths * ONE as f64;
    // Do not use round(): on processors without a rounding instruction, it costs more than this whole function. Proof
    // that the sum rounds correctly:
    // - Fraction of at least 1/2: the exact sum is at most 2^-54 below the next whole number, so f64 rounds it to that
    //   number. Below 1, the sum lies halfway between two f64 values and rounds to the even one, 1.
    // - Smaller fraction: the sum stays below the next whole number by at least the spacing of f64 values there.
    (scaled + NEARLY_HALF.copysign(scaled)) as i64
}

/// Converts a displacement from fixed-point units to f64: 2^32 units give 1.0.
#[must_use]
pub fn to_lengths(units: I64Vec2) -> DVec2 {
    units.as_dvec2() / ONE as f64
}

impl From<std::convert::Infallible> for PositionError {
    /// Never called: the conversion of a [`Position`] into a position cannot fail.
    fn from(never: std::convert::Infallible) -> PositionError {
        match never {}
    }
}

impl std::ops::Sub for Position {
    type Output = I64Vec2;

    /// Returns the exact displacement from `other` to this position, in fixed-point units (2^32 units = 1.0).
    fn sub(self, other: Position) -> I64Vec2 {
        self.units() - other.units()
    }
}

impl std::ops::Add<I64Vec2> for Position {
    type Output = Position;

    /// Returns the position moved by `displacement`, in fixed-point units (2^32 units = 1.0), clamped to
    /// [`Position::LIMIT`] on each axis.
    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "the other sums are of the check for the limit")]
    fn add(self, displacement: I64Vec2) -> Position {
        let limit = Self::LIMIT as u64;
        // A sum that wraps around is also out of the limit, because the limit is far from the ends of i64.
        let (x, y) = (self.x.wrapping_add(displacement.x), self.y.wrapping_add(displacement.y));
        let within = |v: i64| v.wrapping_add(Self::LIMIT) as u64 <= 2 * limit;
        if within(x) && within(y) {
            return Position { x, y };
        }
        Position::clamped(I64Vec2::new(self.x.saturating_add(displacement.x), self.y.saturating_add(displacement.y)))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.to_dvec2();
        write!(f, "({}, {})", at.x, at.y)
    }
}

/// A vector type that functions of this crate accept: a pair of numbers, x to the right and y up.
///
/// Implemented for pairs and arrays of f64, f32 and i32, and for the vectors of glam. The feature `mint` adds the
/// vectors of mint, to which most other mathematics crates convert.
///
/// The conversion to f64 is exact for all of these types. `Position::try_from` accepts each of them and creates a
/// [`Position`].
pub trait Vector {
    /// Returns the two numbers as a [`DVec2`].
    fn to_lengths(self) -> DVec2;

    /// Returns the two numbers as a vector of mint, for results such as velocities.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{DVec2, Vector};
    ///
    /// let velocity = DVec2::new(3.0, -0.5);
    /// assert_eq!(velocity.to_mint(), mint::Vector2 { x: 3.0, y: -0.5 });
    /// ```
    #[cfg(feature = "mint")]
    fn to_mint(self) -> mint::Vector2<f64>
    where
        Self: Sized,
    {
        let DVec2 { x, y } = self.to_lengths();
        mint::Vector2 { x, y }
    }

    /// Returns the two numbers as a vector of mint with f32, as window libraries use. Rounds to the nearest f32.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{DVec2, Vector};
    ///
    /// let velocity = DVec2::new(3.0, -0.5);
    /// assert_eq!(velocity.to_mint_f32(), mint::Vector2 { x: 3.0_f32, y: -0.5 });
    /// ```
    #[cfg(feature = "mint")]
    fn to_mint_f32(self) -> mint::Vector2<f32>
    where
        Self: Sized,
    {
        let Vec2 { x, y } = self.to_lengths().as_vec2();
        mint::Vector2 { x, y }
    }
}

macro_rules! vectors {
    ($($vector:ty: |$from:pat_param| $x:expr, $y:expr;)*) => {
        $(
            impl Vector for $vector {
                fn to_lengths(self) -> DVec2 {
                    let $from = self;
                    DVec2::new($x.into(), $y.into())
                }
            }

            impl TryFrom<$vector> for Position {
                type Error = PositionError;

                fn try_from(at: $vector) -> Result<Position, PositionError> {
                    let at = at.to_lengths();
                    Position::new(at.x, at.y)
                }
            }
        )*
    };
}

vectors! {
    (f64, f64): |(x, y)| x, y;
    (f32, f32): |(x, y)| x, y;
    (i32, i32): |(x, y)| x, y;
    [f64; 2]: |[x, y]| x, y;
    [f32; 2]: |[x, y]| x, y;
    [i32; 2]: |[x, y]| x, y;
    DVec2: |at| at.x, at.y;
    Vec2: |at| at.x, at.y;
    IVec2: |at| at.x, at.y;
}

#[cfg(feature = "mint")]
vectors! {
    mint::Vector2<f64>: |at| at.x, at.y;
    mint::Vector2<f32>: |at| at.x, at.y;
    mint::Vector2<i32>: |at| at.x, at.y;
    mint::Point2<f64>: |at| at.x, at.y;
    mint::Point2<f32>: |at| at.x, at.y;
    mint::Point2<i32>: |at| at.x, at.y;
}

macro_rules! from_place {
    ($($vector:ty: |$at:ident| $to:expr;)*) => {
        $(
            impl From<Position> for $vector {
                /// Converts the position to lengths, rounded to the precision of the number type.
                fn from(place: Position) -> $vector {
                    let $at = place.to_dvec2();
                    $to
                }
            }
        )*
    };
}

from_place! {
    (f64, f64): |at| (at.x, at.y);
    (f32, f32): |at| (at.x as f32, at.y as f32);
    [f64; 2]: |at| [at.x, at.y];
    [f32; 2]: |at| [at.x as f32, at.y as f32];
    DVec2: |at| at;
    Vec2: |at| at.as_vec2();
}

#[cfg(feature = "mint")]
from_place! {
    mint::Vector2<f64>: |at| mint::Vector2 { x: at.x, y: at.y };
    mint::Vector2<f32>: |at| mint::Vector2 { x: at.x as f32, y: at.y as f32 };
    mint::Point2<f64>: |at| mint::Point2 { x: at.x, y: at.y };
    mint::Point2<f32>: |at| mint::Point2 { x: at.x as f32, y: at.y as f32 };
}

/// The file format of a position: its coordinates in fixed-point units.
#[cfg(feature = "serde")]
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Written((i64, i64));

#[cfg(feature = "serde")]
impl From<Position> for Written {
    fn from(Position { x, y }: Position) -> Written {
        Written((x, y))
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Written> for Position {
    type Error = UnitsOutOfRange;

    fn try_from(Written((x, y)): Written) -> Result<Position, UnitsOutOfRange> {
        Position::from_units(x, y).ok_or(UnitsOutOfRange { x, y })
    }
}

/// Units read back from a file that lie beyond [`Position::LIMIT`].
#[cfg(feature = "serde")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the position ({x}, {y}) in units is out of range; expected coordinates from -2^61 to 2^61")]
struct UnitsOutOfRange {
    x: i64,
    y: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_a_unit_round_away_from_zero() {
        let half = 0.5 / ONE as f64;
        assert_eq!(Position::new(half, -half), Ok(Position { x: 1, y: -1 }));
    }

    #[test]
    fn lengths_round_to_the_nearest_unit() {
        let unit = 1.0 / ONE as f64;
        for (units, expected) in [
            (0.4999, 0),
            (0.5, 1),
            (-0.5, -1),
            (-0.4999, 0),
            (1.5, 2),
            (2.5, 3),
            (-1.5, -2),
            (3.5, 4),
            (1_000_000_000.5, 1_000_000_001),
            (-1_000_000_000.5, -1_000_000_001),
            (2_251_799_813_685_247.5, 2_251_799_813_685_248),
            (2_251_799_813_685_248.5, 2_251_799_813_685_249),
            (-2_251_799_813_685_247.0, -2_251_799_813_685_247),
            (-2.5, -3),
            (2.4999, 2),
            (f64::NAN, 0),
            (f64::INFINITY, i64::MAX),
            (f64::NEG_INFINITY, i64::MIN),
            // This is the largest number below a half. Adding a half would round it up to 1.
            (0.499_999_999_999_999_94, 0),
        ] {
            assert_eq!(to_units(units * unit), expected, "{units}");
        }
    }

    #[test]
    fn lengths_next_to_halves_round_to_the_nearest_unit() {
        let check = |units: f64| {
            // The fraction that the conversion to i64 cuts off is exact, so the test can compare it with a half.
            let whole = units.abs() as i64;
            let nearest = whole + i64::from(units.abs() - whole as f64 >= 0.5);
            let expected = if units < 0.0 { -nearest } else { nearest };
            assert_eq!(to_units(units / ONE as f64), expected, "{units:e}");
        };
        for exponent in 0..60 {
            for whole in [(1_i64 << exponent) - 1, 1 << exponent, (1 << exponent) + 1] {
                for start in [whole as f64, whole as f64 + 0.5] {
                    for units in [start.next_down(), start, start.next_up()] {
                        check(units);
                        check(-units);
                    }
                }
            }
        }
    }

    #[test]
    fn invalid_positions_are_rejected() {
        assert!(matches!(Position::new(f64::INFINITY, 0.0), Err(PositionError::NotFinite { .. })));
        assert!(matches!(Position::new(0.0, 1.1e9), Err(PositionError::OutOfRange { .. })));
        assert!(Position::new(536_870_912.0, 0.0).is_ok());
        assert_eq!(Position::from_units(i64::MIN, 0), None);
    }

    #[test]
    fn cells_and_offsets_are_floors() {
        let place = Position::new(-0.25, 3.75).unwrap();
        assert_eq!(place.cell(), (-1, 3));
        assert_eq!(place.in_cell(), (3 << 30, 3 << 30));
    }

    #[test]
    fn vectors_of_every_type_convert_as_tiles_not_units() {
        let at = Position::new(3.0, -4.0).unwrap();
        let all = [
            Position::try_from((3.0, -4.0)),
            Position::try_from((3.0_f32, -4.0_f32)),
            Position::try_from((3, -4)),
            Position::try_from([3.0, -4.0]),
            Position::try_from([3.0_f32, -4.0]),
            Position::try_from([3, -4]),
            Position::try_from(DVec2::new(3.0, -4.0)),
            Position::try_from(Vec2::new(3.0, -4.0)),
            Position::try_from(IVec2::new(3, -4)),
        ];
        assert!(all.iter().all(|place| *place == Ok(at)), "{all:?}");
        assert_eq!(<(f32, f32)>::from(at), (3.0, -4.0));
        assert_eq!(<[f64; 2]>::from(at), [3.0, -4.0]);
        // 0.1 as f32 differs from 0.1 as f64. Each converts to its own exact value.
        assert_ne!(Position::try_from((0.1_f32, 0.0)), Position::try_from((0.1, 0.0)));
        assert!(Position::try_from((i32::MIN, 0)).is_err());
    }

    #[cfg(feature = "mint")]
    #[test]
    fn mint_vectors_convert_as_tiles_not_units() {
        let at = Position::new(3.5, -4.0).unwrap();
        assert_eq!(Position::try_from(mint::Point2 { x: 3.5_f32, y: -4.0 }), Ok(at));
        assert_eq!(Position::try_from(mint::Vector2 { x: 3.5, y: -4.0 }), Ok(at));
        assert_eq!(mint::Point2::<f32>::from(at), mint::Point2 { x: 3.5, y: -4.0 });
        assert_eq!(at.offset(mint::Vector2 { x: -3, y: 4 }), Position::new(0.5, 0.0));
    }

    #[cfg(feature = "mint")]
    #[test]
    fn mint_vectors_go_into_shapes_and_out_of_results() {
        let (low, high) = (mint::Point2 { x: 1.0_f32, y: 2.0 }, mint::Point2 { x: 4.0_f32, y: 6.0 });
        let aabb = crate::Aabb::new(low.to_lengths(), high.to_lengths()).unwrap();
        // The centre lies halfway between 1 and 4, and halfway between 2 and 6.
        assert_eq!(aabb.center().to_mint(), mint::Vector2 { x: 2.5, y: 4.0 });
        assert_eq!(Vec2::new(0.5, -3.0).to_mint(), mint::Vector2 { x: 0.5, y: -3.0 });
        // Above 1, neighbouring f32 numbers are 2^-23 apart.
        let near_one = DVec2::new(1.0 + 0.4 * 2.0_f64.powi(-23), -(1.0 + 0.6 * 2.0_f64.powi(-23)));
        assert_eq!(near_one.to_mint_f32(), mint::Vector2 { x: 1.0, y: -1.0 - 2.0_f32.powi(-23) });
    }

    #[test]
    fn offsets_beyond_the_limit_are_refused() {
        let edge = Position::clamped(I64Vec2::MAX);
        let unit = 1.0 / ONE as f64;
        assert_eq!(edge.offset((-unit, 0.0)), Ok(edge + I64Vec2::new(-1, 0)));
        for far in [unit, 1e9, 1e300, f64::MAX] {
            assert!(matches!(edge.offset((far, 0.0)), Err(PositionError::OutOfRange { .. })), "{far}");
            assert!(matches!(
                Position::clamped(I64Vec2::MIN).offset((0.0, -far)),
                Err(PositionError::OutOfRange { .. })
            ));
        }
        assert_eq!(edge.offset((-(1_i64 << 30) as f64, 0.0)), Ok(Position::clamped(I64Vec2::new(i64::MIN, i64::MAX))));
        assert!(matches!(edge.offset((f64::INFINITY, 0.0)), Err(PositionError::NotFinite { .. })));
    }

    #[test]
    fn sums_stop_at_the_limit() {
        let edge = Position::clamped(I64Vec2::MAX);
        assert_eq!(edge + I64Vec2::splat(1), edge);
        assert_eq!(edge - Position::clamped(I64Vec2::MIN), I64Vec2::splat(2 * Position::LIMIT));
        for far in [I64Vec2::MAX, I64Vec2::MIN] {
            assert_eq!(edge + far, Position::clamped(far), "also where the sum wraps round");
            assert_eq!(
                Position::clamped(I64Vec2::MIN) + far,
                Position::clamped(far.max(I64Vec2::splat(-Position::LIMIT)))
            );
        }
    }
}

use glam::DVec2;
use robust::{Coord, orient2d};

/// Direction in which a path through three points turns, returned by [`orientation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// The path turns left at the second point; y is up.
    CounterClockwise,
    /// The path turns right at the second point; y is up.
    Clockwise,
    /// The three points are on one line, or two of them are equal.
    Collinear,
}

/// Returns whether the path from `a` over `b` to `c` turns left, turns right or goes straight; y is up.
///
/// The result is exact, without an epsilon, for all coordinates up to [`MAX_COORDINATE`](crate::MAX_COORDINATE)
/// (2^24). For NaN and infinite coordinates, the result is meaningless, but the function does not panic.
///
/// Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
/// Discrete & Computational Geometry 18 (1997), as ported in the `robust` crate.
///
/// # Examples
/// ```
/// use surefoot_geometry::{DVec2, Orientation, orientation};
///
/// let (a, b) = (DVec2::ZERO, DVec2::new(3.0, 1.0));
/// assert_eq!(orientation(a, b, DVec2::new(0.0, 1.0)), Orientation::CounterClockwise);
/// assert_eq!(orientation(a, b, DVec2::new(1.0, 0.0)), Orientation::Clockwise);
///
/// // Six times (0.1, 0.1 / 3) is not on the line in f64, by one rounding; the answer sees it.
/// assert_eq!(orientation(a, b, DVec2::new(6.0, 2.0)), Orientation::Collinear);
/// assert_ne!(orientation(a, b, DVec2::new(0.6, 0.1 / 3.0 * 6.0)), Orientation::Collinear);
/// ```
#[must_use]
pub fn orientation(a: DVec2, b: DVec2, c: DVec2) -> Orientation {
    let turn = twice_signed_area(a, b, c);
    if turn > 0.0 {
        Orientation::CounterClockwise
    } else if turn < 0.0 {
        Orientation::Clockwise
    } else {
        Orientation::Collinear
    }
}

/// Returns twice the area of the triangle, positive if its corners are counter-clockwise. The sign is exact, the value
/// is rounded.
#[inline]
pub(crate) fn twice_signed_area(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coord = |p: DVec2| Coord { x: p.x, y: p.y };
    orient2d(coord(a), coord(b), coord(c))
}

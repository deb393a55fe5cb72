use super::check::{MAX_CORNERS, ShapeError, check_coordinates};
use crate::exact_arith::twice_signed_area;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{SeqAccess, Visitor},
    ser::SerializeStruct,
};
use std::fmt;

/// A strictly convex polygon of 3 to [`MAX_CORNERS`] (16) corners, in counter-clockwise order.
///
/// The polygon stores its corners in a fixed array, so it allocates no memory.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(Deserialize), serde(try_from = "Unchecked"))]
pub struct ConvexPolygon {
    corners: [DVec2; MAX_CORNERS],
    count: usize,
}

/// The file format of a polygon, before the check.
#[cfg(feature = "serde")]
#[derive(Deserialize)]
#[serde(rename = "ConvexPolygon", deny_unknown_fields)]
struct Unchecked {
    corners: Written,
}

/// Corners read from a file: at most [`MAX_CORNERS`] of them, and the number that the file has.
#[cfg(feature = "serde")]
struct Written {
    corners: [DVec2; MAX_CORNERS],
    count: usize,
}

impl ConvexPolygon {
    /// Creates the polygon with the corners `corners`, in clockwise or counter-clockwise order.
    ///
    /// Clockwise corners are reversed, and the first corner stays the first. The test of convexity is exact: a corner
    /// in line with its neighbours is refused, however far away they are.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - the number of corners is less than 3 or more than [`MAX_CORNERS`],
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - the corners do not all turn in the same direction,
    /// - or the outline winds around more than once.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{ConvexPolygon, DVec2, ShapeError, dvec2};
    ///
    /// let clockwise = [dvec2(0.0, 0.0), dvec2(0.0, 2.0), dvec2(3.0, 2.0), dvec2(2.0, 0.0)];
    /// assert_eq!(ConvexPolygon::new(&clockwise)?.corners()[1], dvec2(2.0, 0.0));
    ///
    /// let dented = [dvec2(0.0, 0.0), dvec2(4.0, 0.0), dvec2(1.0, 1.0), dvec2(0.0, 4.0)];
    /// assert_eq!(ConvexPolygon::new(&dented), Err(ShapeError::NotConvex { corner: 2 }));
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    pub fn new(corners: &[DVec2]) -> Result<ConvexPolygon, ShapeError> {
        let count = corners.len();
        if !(3..=MAX_CORNERS).contains(&count) {
            return Err(ShapeError::CornerCount { count });
        }
        let mut own = [DVec2::ZERO; MAX_CORNERS];
        for (to, &from) in own.iter_mut().zip(corners) {
            *to = check_coordinates(from)?;
        }
        let way = check_convex_and_find_turn(&own[..count])?;
        if way < 0.0 {
            own[1..count].reverse();
        }
        Ok(ConvexPolygon { corners: own, count })
    }

    /// Returns a copy of the polygon moved by `by`, with coordinates rounded to f64.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - `by` is not finite,
    /// - a moved coordinate lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or rounding makes the polygon lose its strict convexity.
    pub fn translated(&self, by: DVec2) -> Result<ConvexPolygon, ShapeError> {
        let mut corners = self.corners;
        corners.iter_mut().for_each(|corner| *corner += by);
        ConvexPolygon::new(&corners[..self.count])
    }

    /// Returns the corners in counter-clockwise order.
    #[must_use]
    pub fn corners(&self) -> &[DVec2] {
        &self.corners[..self.count]
    }
}

/// Returns the direction in which all corners turn: 1 for left, -1 for right.
fn check_convex_and_find_turn(corners: &[DVec2]) -> Result<f64, ShapeError> {
    let count = corners.len();
    let at = |index: usize| corners[index % count];
    let turns = |index: usize| twice_signed_area(at(index + count - 1), at(index), at(index + 1));
    // The majority decides the direction, so that the error names a corner of the minority.
    let left = (0..count).filter(|&index| turns(index) > 0.0).count();
    let way = if 2 * left >= count { 1.0 } else { -1.0 };
    if let Some(corner) = (0..count).find(|&index| turns(index) * way <= 0.0) {
        return Err(ShapeError::NotConvex { corner });
    }
    // Corners that all turn in one direction may still wind around more than once. In one turn, the edges change from
    // going down to going up exactly once.
    let goes_up = |index: usize| {
        let (from, to) = (at(index), at(index + 1));
        to.y > from.y || (to.y == from.y && to.x > from.x)
    };
    if (0..count).filter(|&index| goes_up(index) != goes_up(index + 1)).count() > 2 {
        return Err(ShapeError::Winding);
    }
    Ok(way)
}

impl PartialEq for ConvexPolygon {
    fn eq(&self, other: &ConvexPolygon) -> bool {
        self.corners() == other.corners()
    }
}

impl fmt::Debug for ConvexPolygon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConvexPolygon").field("corners", &self.corners()).finish()
    }
}

#[cfg(feature = "serde")]
impl Serialize for ConvexPolygon {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_struct("ConvexPolygon", 1)?;
        written.serialize_field("corners", self.corners())?;
        written.end()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for ConvexPolygon {
    type Error = ShapeError;

    fn try_from(written: Unchecked) -> Result<ConvexPolygon, ShapeError> {
        let Written { corners, count } = written.corners;
        if count > MAX_CORNERS { Err(ShapeError::CornerCount { count }) } else { ConvexPolygon::new(&corners[..count]) }
    }
}

#[cfg(feature = "serde")]
impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Written, D::Error> {
        struct Reading;

        impl<'de> Visitor<'de> for Reading {
            type Value = Written;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of 3 to {MAX_CORNERS} corners")
            }

            /// Stores at most [`MAX_CORNERS`] corners, but counts all of them.
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Written, A::Error> {
                let mut written = Written { corners: [DVec2::ZERO; MAX_CORNERS], count: 0 };
                while let Some(corner) = list.next_element()? {
                    if let Some(place) = written.corners.get_mut(written.count) {
                        *place = corner;
                    }
                    written.count += 1;
                }
                Ok(written)
            }
        }

        deserializer.deserialize_seq(Reading)
    }
}

//! Finds the corner or edge of a straight core that is nearest to a point, in f64.

use crate::exact_arith::twice_signed_area;
use crate::tolerance::{FEATURE_FILTER, RADIUS_FILTER};
use glam::DVec2;

/// The feature of a straight core that is nearest to a point.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Feature {
    Corner(DVec2),
    /// An edge, between its ends.
    Edge(Beside),
    /// The point is inside.
    Inside,
}

/// An edge and a point beside it: the point lies between the perpendiculars through the edge's ends.
///
/// All numbers are computed from the end nearer to the point. So swapping `a` and `b` changes only signs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beside {
    pub(crate) a: DVec2,
    pub(crate) b: DVec2,
    /// The end nearer to the point.
    pub(crate) near: DVec2,
    /// From `a` to `b`.
    pub(crate) along: DVec2,
    /// From the nearer end to the point.
    pub(crate) from: DVec2,
    /// Cross product of `along` and `from`, positive on the left. The error is less than `cross_size` times
    /// [`FEATURE_FILTER`].
    pub(crate) cross: f64,
    /// Sum of the absolute values of the two terms of `cross`.
    pub(crate) cross_size: f64,
}

impl Feature {
    /// Returns whether `point` is within `radius` of this nearest feature; `None` if f64 cannot tell.
    #[inline]
    pub(crate) fn is_within(&self, point: DVec2, radius: f64) -> Option<bool> {
        let (is, than, size) = match self {
            Feature::Inside => return Some(true),
            Feature::Corner(corner) => {
                let limit = radius * radius;
                (point.distance_squared(*corner), limit, limit)
            }
            Feature::Edge(beside) => {
                let limit = radius * beside.along.dot(beside.along).sqrt();
                (beside.cross.abs(), limit, beside.cross_size + limit)
            }
        };
        ((is - than).abs() > size * RADIUS_FILTER).then_some(is < than)
    }
}

/// Position of a point's foot on the line of an edge.
#[derive(Clone, Copy, PartialEq)]
enum EdgePart {
    Before,
    Between,
    Beyond,
    InDoubt,
}

/// Returns the feature of the core with these corners that is nearest to the point; `None` if f64 cannot tell.
///
/// Around a convex polygon:
/// - An edge is nearest to points outside of it, between the perpendiculars through its ends.
/// - A corner is nearest to points beyond the end of one edge and before the start of the next.
/// - All other points are inside.
///
/// At most one of these is certain, so the result does not depend on the order of the corners.
#[inline]
pub(crate) fn nearest_feature(corners: &[DVec2], point: DVec2) -> Option<Feature> {
    match *corners {
        [corner] => Some(Feature::Corner(corner)),
        [a, b] => match nearest_part_of_edge(b - a, point - a, point - b) {
            (EdgePart::Before, _) => Some(Feature::Corner(a)),
            (EdgePart::Beyond, _) => Some(Feature::Corner(b)),
            (EdgePart::Between, middle) => Beside::new(a, b, point, middle).map(Feature::Edge),
            (EdgePart::InDoubt, _) => None,
        },
        _ => nearest_polygon_feature(corners, point),
    }
}

#[inline]
fn nearest_polygon_feature(corners: &[DVec2], point: DVec2) -> Option<Feature> {
    let mut a = corners[corners.len() - 1];
    let mut from_a = point - a;
    let (mut first, mut last) = (None, EdgePart::InDoubt);
    let mut is_in_doubt = false;
    for &b in corners {
        let from_b = point - b;
        let (part, middle) = nearest_part_of_edge(b - a, from_a, from_b);
        match part {
            EdgePart::Between => {
                let is_outside = match Beside::new(a, b, point, middle) {
                    Some(beside) if beside.cross < -FEATURE_FILTER * beside.cross_size => {
                        return Some(Feature::Edge(beside));
                    }
                    Some(beside) if beside.cross > FEATURE_FILTER * beside.cross_size => false,
                    _ => twice_signed_area(a, b, point) < 0.0,
                };
                // An outside point that comes here is almost on the edge, or equally near to both ends. f64 cannot
                // handle either case, so leave the result in doubt.
                is_in_doubt |= is_outside;
            }
            EdgePart::Before if last == EdgePart::Beyond => return Some(Feature::Corner(a)),
            EdgePart::InDoubt => is_in_doubt = true,
            EdgePart::Before | EdgePart::Beyond => {}
        }
        first = first.or(Some(part));
        (a, from_a, last) = (b, from_b, part);
    }
    if last == EdgePart::Beyond && first == Some(EdgePart::Before) {
        Some(Feature::Corner(a))
    } else if is_in_doubt {
        None
    } else {
        Some(Feature::Inside)
    }
}

/// Returns which part of an edge is nearest to a point, and how far past the edge's middle that is, along the edge.
///
/// The distance is not normalized: it is multiplied by twice the edge's length.
#[inline]
fn nearest_part_of_edge(along: DVec2, from_a: DVec2, from_b: DVec2) -> (EdgePart, f64) {
    let (ax, ay) = (along.x * from_a.x, along.y * from_a.y);
    let (bx, by) = (along.x * from_b.x, along.y * from_b.y);
    let (past_a, past_b) = (ax + ay, bx + by);
    let (doubt_a, doubt_b) = (FEATURE_FILTER * (ax.abs() + ay.abs()), FEATURE_FILTER * (bx.abs() + by.abs()));
    let part = if past_a < -doubt_a {
        EdgePart::Before
    } else if past_b > doubt_b {
        EdgePart::Beyond
    } else if past_a > doubt_a && past_b < -doubt_b {
        EdgePart::Between
    } else {
        EdgePart::InDoubt
    };
    (part, past_a + past_b)
}

impl Beside {
    /// Returns where a point lies beside an edge, measured from the nearer end. That is `a` if `middle` is negative.
    /// `None` for a point that is equally near to both ends.
    #[inline]
    fn new(a: DVec2, b: DVec2, point: DVec2, middle: f64) -> Option<Beside> {
        if middle == 0.0 {
            return None;
        }
        let near = if middle < 0.0 { a } else { b };
        let (along, from) = (b - a, point - near);
        let (left, right) = (along.x * from.y, along.y * from.x);
        Some(Beside { a, b, near, along, from, cross: left - right, cross_size: left.abs() + right.abs() })
    }

    /// Returns the distance of the point from the edge.
    ///
    /// Error: three roundings of the displacement from the nearer end, in the cross product, and three of the distance
    /// itself.
    #[inline]
    pub(crate) fn distance(&self) -> f64 {
        self.cross.abs() / self.along.dot(self.along).sqrt()
    }

    /// Returns the unit normal on the side of the point.
    #[inline]
    pub(crate) fn normal(&self) -> DVec2 {
        let left = self.along.perp() / self.along.dot(self.along).sqrt();
        // Adding zero turns -0 into 0.
        (if self.cross > 0.0 { left } else { -left }) + DVec2::ZERO
    }

    /// Returns the displacement from the nearer end to the foot. See [`closest_point`](crate::Shape::closest_point) for
    /// its accuracy.
    #[inline]
    pub(crate) fn displacement_to_foot(self) -> DVec2 {
        self.along * (self.from.dot(self.along) / self.along.dot(self.along))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact_arith::double_double::{DoubleDouble, Pair};
    use crate::tolerance::ROUNDING;

    /// Shapes: a square, a triangle with a tiny side, and segments. Points: around them, on the lines of their edges,
    /// at their corners, and one rounding beside those.
    #[test]
    fn quick_features_are_those_of_exact_numbers() {
        let at = DVec2::new;
        let parts: [&[DVec2]; 5] = [
            &[at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)],
            &[at(-1.1, -0.7), at(1.0, 0.3), at(1.0 - 1e-9, 0.3 + 1e-9)],
            &[at(0.1, 0.2), at(0.1 + 1e-12, 0.2 - 1e-12)],
            &[at(-1.0, 0.5), at(1.0, -0.5)],
            &[at(0.3, 0.3)],
        ];
        let (mut sure, mut unsure) = (0, 0);
        for corners in parts {
            for (x, y) in (-24..=24).flat_map(|x| (-24..=24).map(move |y| (x, y))) {
                for nudge in [0.0, f64::EPSILON, -f64::EPSILON] {
                    let point = at(f64::from(x) * 0.125 + nudge, f64::from(y) * 0.125 * (1.0 + nudge));
                    let Some(feature) = nearest_feature(corners, point) else {
                        unsure += 1;
                        continue;
                    };
                    sure += 1;
                    check_nearest_feature(corners, point, feature);
                }
            }
        }
        // Points at corners, on the lines of edges and in the middle are in doubt. Most points must not be.
        assert!(unsure > 0 && sure > 4 * unsure, "{sure} {unsure}");
    }

    fn check_nearest_feature(corners: &[DVec2], point: DVec2, feature: Feature) {
        let count = corners.len();
        let edges = (0..count).map(|i| (corners[i], corners[(i + 1) % count]));
        let is_inside = count > 2 && edges.clone().all(|(a, b)| twice_signed_area(a, b, point) >= 0.0);
        assert_eq!(matches!(feature, Feature::Inside), is_inside, "{corners:?} {point}");
        let size = corners.iter().fold(1.0, |size: f64, &corner| size.max((point - corner).abs().max_element()));
        let foot = match feature {
            Feature::Inside => return,
            Feature::Corner(corner) => corner,
            Feature::Edge(beside) => {
                let way = point - (beside.near + beside.displacement_to_foot());
                // Two errors may add up: the rounding of the point, and `ROUNDING` for the height.
                assert!((way.length() - beside.distance()).abs() <= 4.0 * ROUNDING * size, "{corners:?} {point}");
                beside.near + beside.displacement_to_foot()
            }
        };
        let nearest = edges.map(|(a, b)| exact_foot(a, b, point)).min_by(|a, b| {
            let length = |foot: &DVec2| (point - *foot).length();
            length(a).total_cmp(&length(b))
        });
        let off = (nearest.expect("an edge") - foot).abs().max_element();
        assert!(off <= 2.0 * ROUNDING * size, "{corners:?} {point}: {foot} is off by {off}");
    }

    /// Returns the nearest point of an edge, computed with 106 bits.
    fn exact_foot(a: DVec2, b: DVec2, point: DVec2) -> DVec2 {
        if a == b {
            return a;
        }
        let along = Pair::difference(b, a);
        let t = Pair::difference(point, a).dot(along).divided_by(along.dot(along)).to_f64();
        (Pair::from(a) + along * DoubleDouble::from(t.clamp(0.0, 1.0))).to_dvec2()
    }
}

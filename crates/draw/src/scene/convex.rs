//! Cuts triangles by triangles into the parts inside and outside.
//!
//! A [`Mesh`](crate::Mesh) uses it so that a translucent shape covers no pixel twice. SVG has opacity for groups
//! instead.

use crate::scene::tolerance::SLIVER;
use surefoot::geometry::DVec2;

/// Three corners in either winding.
pub(crate) type Triangle = [DVec2; 3];

/// A convex polygon in either winding.
pub(crate) type Convex = Vec<DVec2>;

/// A set of triangles that finds those near a polygon.
pub(crate) struct Triangles {
    /// Triangles sorted by left side, with their bounds and their index in the original order.
    sorted: Vec<(Bounds, usize, Triangle)>,
    widest: f64,
}

#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: DVec2,
    high: DVec2,
}

impl Bounds {
    fn around_points(points: &[DVec2]) -> Bounds {
        let (low, high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        points
            .iter()
            .fold(Bounds { low, high }, |bounds, &at| Bounds { low: bounds.low.min(at), high: bounds.high.max(at) })
    }

    fn overlaps(&self, other: &Bounds) -> bool {
        self.low.cmplt(other.high).all() && other.low.cmplt(self.high).all()
    }
}

impl Triangles {
    pub(crate) fn new(triangles: impl IntoIterator<Item = Triangle>) -> Triangles {
        let numbered =
            triangles.into_iter().enumerate().map(|(i, triangle)| (Bounds::around_points(&triangle), i, triangle));
        let mut sorted: Vec<_> = numbered.filter(|(_, _, triangle)| doubled_area(triangle) != 0.0).collect();
        sorted.sort_by(|a, b| a.0.low.x.total_cmp(&b.0.low.x).then(a.1.cmp(&b.1)));
        let widest = sorted.iter().map(|(bounds, ..)| bounds.high.x - bounds.low.x).fold(0.0, f64::max);
        Triangles { sorted, widest }
    }

    /// Returns the triangles whose bounds overlap those of the polygon, with their indices.
    fn triangles_near(&self, polygon: &[DVec2]) -> impl Iterator<Item = (usize, &Triangle)> {
        let bounds = Bounds::around_points(polygon);
        let from = self.sorted.partition_point(|(other, ..)| other.low.x < bounds.low.x - self.widest);
        let reached = self.sorted[from..].iter().take_while(move |(other, ..)| other.low.x < bounds.high.x);
        reached.filter(move |(other, ..)| other.overlaps(&bounds)).map(|(_, i, triangle)| (*i, triangle))
    }

    /// Calls `part` with the parts of a triangle that are inside the triangles of this set.
    pub(crate) fn visit_parts_inside(&self, triangle: Triangle, mut part: impl FnMut(&[DVec2])) {
        for (_, other) in self.triangles_near(&triangle) {
            let shared = intersection(&triangle, other);
            if is_larger_than_sliver(&shared) {
                part(&shared);
            }
        }
    }

    /// Calls `part` with the parts of a triangle that are outside the triangles with an index less than `below`.
    pub(crate) fn visit_parts_outside(&self, triangle: Triangle, below: usize, part: impl FnMut(&[DVec2])) {
        let mut left: Vec<Convex> = vec![triangle.to_vec()];
        for (_, other) in self.triangles_near(&triangle).filter(|(i, _)| *i < below) {
            left = left.into_iter().flat_map(|polygon| difference(polygon, other)).collect();
        }
        left.iter().map(Vec::as_slice).for_each(part);
    }
}

/// Returns twice the area of a polygon, positive if it turns from x to y.
pub(crate) fn doubled_area(polygon: &[DVec2]) -> f64 {
    let Some(&first) = polygon.first() else { return 0.0 };
    polygon.windows(2).map(|pair| (pair[0] - first).perp_dot(pair[1] - first)).sum()
}

fn is_larger_than_sliver(polygon: &[DVec2]) -> bool {
    doubled_area(polygon).abs() > 2.0 * SLIVER
}

/// Returns the sides of a triangle, with the inside on the left if x points right and y up.
fn triangle_sides(&[a, b, c]: &Triangle) -> [[DVec2; 2]; 3] {
    if doubled_area(&[a, b, c]) > 0.0 { [[a, b], [b, c], [c, a]] } else { [[a, c], [c, b], [b, a]] }
}

fn intersection(polygon: &[DVec2], triangle: &Triangle) -> Convex {
    triangle_sides(triangle).into_iter().fold(polygon.to_vec(), |polygon, side| split_by_line(&polygon, side).0)
}

/// Returns the part of a polygon outside a triangle, as disjoint polygons.
fn difference(polygon: Convex, triangle: &Triangle) -> Vec<Convex> {
    if !is_larger_than_sliver(&intersection(&polygon, triangle)) {
        return vec![polygon];
    }
    let (mut inside, mut outside) = (polygon, Vec::new());
    for side in triangle_sides(triangle) {
        let (left, right) = split_by_line(&inside, side);
        if is_larger_than_sliver(&right) {
            outside.push(right);
        }
        inside = left;
    }
    outside
}

/// Splits a polygon into the parts to the left and to the right of a line.
fn split_by_line(polygon: &[DVec2], [a, b]: [DVec2; 2]) -> (Convex, Convex) {
    let (mut left, mut right) = (Convex::with_capacity(polygon.len() + 1), Convex::new());
    let side_of = |at: DVec2| (b - a).perp_dot(at - a);
    for (i, &end) in polygon.iter().enumerate() {
        let start = polygon[(i + polygon.len() - 1) % polygon.len()];
        let (from, to) = (side_of(start), side_of(end));
        if from * to < 0.0 {
            let at = crossing_point([start, end], [a, b]);
            left.push(at);
            right.push(at);
        }
        if to >= 0.0 {
            left.push(end);
        }
        if to <= 0.0 {
            right.push(end);
        }
    }
    (left, right)
}

/// Returns the intersection of two lines that are not parallel. The result does not depend on the order of the
/// arguments, so that the pieces on both sides of a cut fit together.
fn crossing_point(one: [DVec2; 2], other: [DVec2; 2]) -> DVec2 {
    let sorted = |[a, b]: [DVec2; 2]| if (a.x, a.y) <= (b.x, b.y) { [a, b] } else { [b, a] };
    let ([from, to], [a, b]) = (sorted(one), sorted(other));
    let (before, after) = ((b - a).perp_dot(from - a), (b - a).perp_dot(to - a));
    from + (to - from) * (before / (before - after))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far above the rounding of these coordinates, far below a pixel.
    const ROUNDING: f64 = 1e-9;

    fn triangle(corners: [(f64, f64); 3]) -> Triangle {
        corners.map(|(x, y)| DVec2::new(x, y))
    }

    fn area(parts: &[Convex]) -> f64 {
        parts.iter().map(|part| doubled_area(part).abs() / 2.0).sum()
    }

    fn parts_inside(triangle: Triangle, others: &[Triangle]) -> Vec<Convex> {
        let mut parts = Vec::new();
        Triangles::new(others.iter().copied()).visit_parts_inside(triangle, |part| parts.push(part.to_vec()));
        parts
    }

    fn parts_outside(triangle: Triangle, others: &[Triangle]) -> Vec<Convex> {
        let mut parts = Vec::new();
        Triangles::new(others.iter().copied())
            .visit_parts_outside(triangle, others.len(), |part| parts.push(part.to_vec()));
        parts
    }

    /// A right triangle with legs of 4 and area 8, cut by other triangles.
    #[test]
    fn areas_match_hand_geometry() {
        let whole = triangle([(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)]);
        let cases = [
            // The other triangle equals the whole one, in either winding.
            (whole, 8.0),
            (triangle([(0.0, 4.0), (4.0, 0.0), (0.0, 0.0)]), 8.0),
            // The other triangle is inside the whole one, or around it, or has a corner in common with it, or a side,
            // or is far away.
            (triangle([(1.0, 1.0), (2.0, 1.0), (1.0, 2.0)]), 0.5),
            (triangle([(-9.0, -9.0), (30.0, -9.0), (-9.0, 30.0)]), 8.0),
            (triangle([(4.0, 0.0), (8.0, 0.0), (8.0, 4.0)]), 0.0),
            (triangle([(0.0, 0.0), (0.0, 4.0), (-4.0, 0.0)]), 0.0),
            (triangle([(4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]), 0.0),
            (triangle([(40.0, 0.0), (44.0, 4.0), (40.0, 4.0)]), 0.0),
            // The other triangle covers the part right of x = 2, which is a triangle with legs of 2.
            (triangle([(2.0, -20.0), (40.0, 0.0), (2.0, 20.0)]), 2.0),
            // The other triangle has no area.
            (triangle([(0.0, 0.0), (2.0, 2.0), (4.0, 4.0)]), 0.0),
        ];
        for (other, shared) in cases {
            assert!((area(&parts_inside(whole, &[other])) - shared).abs() < ROUNDING, "inside {other:?}");
            assert!((area(&parts_outside(whole, &[other])) - (8.0 - shared)).abs() < ROUNDING, "outside {other:?}");
            assert!((area(&parts_inside(other, &[whole])) - shared).abs() < ROUNDING, "{other:?} inside");
        }
    }

    #[test]
    fn a_triangle_that_others_only_touch_or_miss_stays_whole() {
        let whole = triangle([(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)]);
        let beside = [triangle([(3.0, 3.0), (4.0, 3.0), (3.0, 4.0)]), triangle([(4.0, 0.0), (4.0, 4.0), (0.0, 4.0)])];
        assert_eq!(parts_outside(whole, &beside), [whole.to_vec()]);
    }

    #[test]
    fn several_triangles_are_cut_out_one_after_the_other() {
        // The first two triangles form a square with sides of 2 in the corner. The third equals the first.
        let square = [
            triangle([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)]),
            triangle([(0.0, 0.0), (2.0, 2.0), (0.0, 2.0)]),
            triangle([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)]),
        ];
        let whole = triangle([(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)]);
        assert!((area(&parts_outside(whole, &square)) - 4.0).abs() < ROUNDING);
        assert!((area(&parts_inside(whole, &square[..2])) - 4.0).abs() < ROUNDING);
        // Only the triangles with an index below 1 count.
        let mut parts = Vec::new();
        Triangles::new(square).visit_parts_outside(whole, 1, |part| parts.push(part.to_vec()));
        assert!((area(&parts) - 6.0).abs() < ROUNDING);
    }

    #[test]
    fn slivers_are_left_out() {
        let whole = triangle([(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)]);
        let strip = |width: f64| triangle([(-1.0, -50.0), (width, 0.0), (-1.0, 50.0)]);
        // Each strip enters the triangle with a tip 50 times as high as wide.
        assert_eq!(parts_inside(whole, &[strip(1e-6)]).len(), 0);
        assert_eq!(parts_inside(whole, &[strip(1e-3)]).len(), 1);
    }

    #[test]
    fn crossings_do_not_depend_on_the_direction() {
        let [a, b, c, d] = [(0.1, 0.2), (7.3, 5.9), (0.7, 6.1), (5.3, -0.9)].map(|(x, y)| DVec2::new(x, y));
        let at = crossing_point([a, b], [c, d]);
        assert_eq!(
            [crossing_point([b, a], [c, d]), crossing_point([a, b], [d, c]), crossing_point([b, a], [d, c])],
            [at; 3]
        );
        assert!((b - a).perp_dot(at - a).abs() < ROUNDING && (d - c).perp_dot(at - c).abs() < ROUNDING);
    }
}

//! Formulas in differences of 3D coordinates, such as volumes and squared distances.

use crate::exact_arith::formula::{Formula, Number, evaluate};
use crate::exact_arith::twice_signed_area;
use glam::{DVec2, dvec3};
use glam::{DVec3, Vec3Swizzles as _};
use robust::{Coord3D, orient3d};

/// The exact difference of two points: the first minus the second.
pub(crate) type Difference = (DVec3, DVec3);

/// Determinant of three differences: the signed volume that they span.
pub(crate) struct Volume(pub(crate) [Difference; 3]);

/// Dot product of a difference and a vector.
pub(super) struct Dot(pub(super) Difference, pub(super) DVec3);

/// Squared length of a difference minus the square of a sum.
pub(super) struct Beyond {
    pub(super) difference: Difference,
    pub(super) reach: [f64; 3],
}

/// Determinant of two pairs of coordinate differences. Each difference is given as two numbers.
struct Minor([[(f64, f64); 2]; 2]);

impl Formula for Volume {
    fn evaluate_in<N: Number>(&self) -> N {
        let [a, b, c] = self
            .0
            .map(|(to, from)| [N::difference(to.x, from.x), N::difference(to.y, from.y), N::difference(to.z, from.z)]);
        let minor = |i: usize, j: usize| b[i].clone() * c[j].clone() - b[j].clone() * c[i].clone();
        let [x, y, z] = a;
        x * minor(1, 2) + y * minor(2, 0) + z * minor(0, 1)
    }
}

impl Formula for Dot {
    fn evaluate_in<N: Number>(&self) -> N {
        let Dot((to, from), v) = self;
        let number = |x: f64| N::difference(x, 0.0);
        N::difference(to.x, from.x) * number(v.x)
            + N::difference(to.y, from.y) * number(v.y)
            + N::difference(to.z, from.z) * number(v.z)
    }
}

impl Formula for Beyond {
    fn evaluate_in<N: Number>(&self) -> N {
        let (to, from) = self.difference;
        let square = |n: N| n.clone() * n;
        let [a, b, c] = self.reach;
        square(N::difference(to.x, from.x)) + square(N::difference(to.y, from.y)) + square(N::difference(to.z, from.z))
            - square(N::difference(a, -b) + N::difference(c, 0.0))
    }
}

impl Formula for Minor {
    fn evaluate_in<N: Number>(&self) -> N {
        let [[a, b], [c, d]] = self.0.map(|row| row.map(|(to, from)| N::difference(to, from)));
        a * d - b * c
    }
}

/// Returns on which side of the plane through `a`, `b` and `c` a point lies: positive if the three look clockwise from
/// the point. The sign is exact, the value is rounded.
pub(super) fn side_of_plane(a: DVec3, b: DVec3, c: DVec3, point: DVec3) -> f64 {
    let coord = |p: DVec3| Coord3D { x: p.x, y: p.y, z: p.z };
    orient3d(coord(a), coord(b), coord(c), coord(point))
}

/// Returns whether three points are on one line; exact. They are if their projections along each axis are.
pub(super) fn are_collinear([a, b, c]: [DVec3; 3]) -> bool {
    let flat = |shadow: fn(DVec3) -> DVec2| twice_signed_area(shadow(a), shadow(b), shadow(c)) == 0.0;
    flat(|p| p.xy()) && flat(|p| p.yz()) && flat(|p| p.zx())
}

/// Returns the unit normal of the plane through three points that are not on one line. Seen from the normal's side, the
/// points are counter-clockwise.
pub(super) fn normal_of_plane([a, b, c]: [DVec3; 3]) -> DVec3 {
    let minor = |i: usize, j: usize| evaluate(&Minor([[(b[i], a[i]), (b[j], a[j])], [(c[i], a[i]), (c[j], a[j])]]));
    unit(dvec3(minor(1, 2), minor(2, 0), minor(0, 1))).unwrap_or(DVec3::Y)
}

/// Returns `v`, which is finite, with length 1. `None` for the zero vector. Along an axis the result is exact.
pub(super) fn unit(v: DVec3) -> Option<DVec3> {
    let largest = v.abs().max_element();
    if largest == 0.0 {
        return None;
    }
    let v = v / largest;
    // Adding zero turns -0 into 0.
    Some(v / length_sq(v).sqrt() + DVec3::ZERO)
}

/// Returns the squared length. Adds the smaller squares first, so that the order of the axes does not matter.
pub(super) fn length_sq(v: DVec3) -> f64 {
    let square = v * v;
    let (low, high) = (square.x.min(square.y), square.x.max(square.y));
    let (middle, high) = (high.min(square.z), high.max(square.z));
    low.min(middle) + low.max(middle) + high
}

use super::{
    ACCURACY, Approach, FILTER, ONE_SIDED_SLOP, classify_approach_if_certain, dot, is_positive_if_certain, larger,
    smaller, sum_of_absolute_coordinates,
};
use crate::exact_arith::unit;
use crate::shapes::{Aabb, Segment};
use crate::sweep::one_sided::Ends;
use crate::sweep::one_sided::aabb::point_on_face;
use crate::sweep::{Hit, Sweep};
use glam::{DVec2, dvec2};

/// Sweeps a box in f64; `None` if a decision is in doubt.
#[inline]
pub(in crate::sweep::one_sided) fn sweep(aabb: &Aabb, motion: DVec2, edge: &Segment, ends: Ends) -> Option<Sweep> {
    let (a, b) = (edge.a(), edge.b());
    let from_a = Corners { min: aabb.min() - a, max: aabb.max() - a };
    let from_b = Corners { min: aabb.min() - b, max: aabb.max() - b };

    // Compute how far box and segment are apart on each axis: at the start (`right`, `left`, `above`, `below`), and
    // during the whole motion (`beside` on x, `beyond` on y).
    let gap = |min_a, min_b, max_a, max_b| (smaller(min_a, min_b), -larger(max_a, max_b));
    let (right, left) = gap(from_a.min.x, from_b.min.x, from_a.max.x, from_b.max.x);
    let (above, below) = gap(from_a.min.y, from_b.min.y, from_a.max.y, from_b.max.y);
    let scale = sum_of_absolute_coordinates(
        (from_a.min.abs() + from_a.max.abs()) + (from_b.min.abs() + from_b.max.abs()) + motion.abs(),
    );
    let slack = 2.0 * ONE_SIDED_SLOP + FILTER * scale;
    let beside = larger(right + smaller(motion.x, 0.0), left - larger(motion.x, 0.0));
    let beyond = larger(above + smaller(motion.y, 0.0), below - larger(motion.y, 0.0));
    if larger(beside, beyond) > slack {
        return Some(Sweep::Clear);
    }

    let tangent = b - a;
    let normal = tangent.perp();
    // Error bound of a product of the tangent or the normal with any vector of the scene.
    let bound = FILTER * sum_of_absolute_coordinates(tangent) * scale;
    // Leave a segment of length 0 to the sweep in pairs of f64.
    if bound <= 0.0 {
        return None;
    }
    let slop = ONE_SIDED_SLOP * sum_of_absolute_coordinates(tangent);
    let (near_a, near_b) = (
        from_a.corner_furthest_against_normal(normal, tangent),
        from_b.corner_furthest_against_normal(normal, -tangent),
    );
    let (far_a, far_b) = (
        from_a.corner_furthest_against_normal(-normal, tangent),
        from_b.corner_furthest_against_normal(-normal, -tangent),
    );
    let twice_gap = dot(normal, near_a + near_b);
    let twice_height = dot(normal, far_a + far_b);
    let approach = -dot(normal, motion);
    let margin = 4.0 * slop + 2.0 * bound;
    // The box stays in front of the face, or is completely behind it. From behind, a box hits neither the face nor an
    // end point.
    if twice_gap - larger(2.0 * approach, 0.0) > margin || twice_height < -margin {
        return Some(Sweep::Clear);
    }

    let on_axes = larger(larger(right, left), larger(above, below)) + ONE_SIDED_SLOP;
    let on_normal = larger(twice_gap, -twice_height) + 2.0 * slop;
    match (is_positive_if_certain(on_axes, FILTER * scale), is_positive_if_certain(on_normal, bound)) {
        (Some(true), _) | (_, Some(true)) => {}
        (Some(false), Some(false)) => {
            // A box thinner than twice the slop overlaps nothing, because no point is deeper inside than the slop. If
            // the box may be so thin, return `None`, and the sweep in pairs of f64 decides.
            let extent = aabb.max() - aabb.min();
            return (smaller(extent.x, extent.y) > 2.0 * slack).then_some(Sweep::Overlapping);
        }
        _ => return None,
    }

    let approaches = classify_approach_if_certain(approach, 4.0 * bound, normal, motion)?;
    if approaches == Approach::Away {
        return Some(Sweep::Clear);
    }
    if approaches == Approach::Against
        && is_positive_if_certain(twice_gap + 2.0 * slop, bound)?
        && is_positive_if_certain(2.0 * approach - twice_gap, 2.0 * bound)?
    {
        let toi = larger(twice_gap, 0.0) / (2.0 * approach);
        // The error of the time is at most `bound / approach`. The error of the position is the error of the time,
        // multiplied by the motion.
        if bound * sum_of_absolute_coordinates(motion) > ACCURACY * approach {
            return None;
        }
        let shift = dot(tangent, motion) * toi;
        let inward = smaller(dot(tangent, near_a) + shift, -(dot(tangent, near_b) + shift));
        if is_positive_if_certain(inward, slop + bound + ACCURACY * sum_of_absolute_coordinates(tangent))? {
            return Some(Sweep::Hit(Hit {
                toi,
                point: point_on_face(aabb, motion * toi, normal, edge),
                normal: unit(normal)?,
            }));
        }
    }
    let corner = |from: Corners, outward| {
        from.side_hit_if_certain(axis_between_normal_and_tangent(outward, normal), motion, FILTER * scale)
    };
    let start = if ends.start { corner(from_a, -tangent)? } else { None };
    let end = if ends.end { corner(from_b, tangent)? } else { None };
    match (start, end) {
        (Some(_), Some(_)) => None,
        (Some((toi, normal)), None) => Some(Sweep::Hit(Hit { toi, point: a, normal })),
        (None, Some((toi, normal))) => Some(Sweep::Hit(Hit { toi, point: b, normal })),
        (None, None) => Some(Sweep::Clear),
    }
}

/// The lower left and upper right corner of the box, relative to an end of the edge.
#[derive(Clone, Copy)]
struct Corners {
    min: DVec2,
    max: DVec2,
}

impl Corners {
    /// Returns the corner furthest against the normal. If a whole side is, `inwards` selects one of its corners.
    #[inline(always)]
    fn corner_furthest_against_normal(self, normal: DVec2, inwards: DVec2) -> DVec2 {
        let of = |normal: f64, inwards: f64, min: f64, max: f64| {
            let is_back = if normal == 0.0 { inwards < 0.0 } else { normal > 0.0 };
            if is_back { min } else { max }
        };
        dvec2(of(normal.x, inwards.x, self.min.x, self.max.x), of(normal.y, inwards.y, self.min.y, self.max.y))
    }

    /// Returns when the side that faces against `normal`, an axis direction, hits the origin of these corners.
    fn side_hit_if_certain(self, normal: DVec2, motion: DVec2, bound: f64) -> Option<Option<(f64, DVec2)>> {
        let approach = -dot(normal, motion);
        if approach <= 0.0 {
            return Some(None);
        }
        // `gap` is a coordinate along the normal. `low`, `high` and `across` are coordinates across it.
        let (min, max) = (self.min, self.max);
        let (gap, low, high, across) = if normal.y == 0.0 {
            (if normal.x > 0.0 { min.x } else { -max.x }, min.y, max.y, motion.y)
        } else {
            (if normal.y > 0.0 { min.y } else { -max.y }, min.x, max.x, motion.x)
        };
        if !(is_positive_if_certain(gap + ONE_SIDED_SLOP, bound)? && is_positive_if_certain(approach - gap, bound)?) {
            return Some(None);
        }
        let toi = larger(gap, 0.0) / approach;
        if bound * sum_of_absolute_coordinates(motion) > ACCURACY * approach {
            return None;
        }
        let inward = smaller(high + across * toi, -(low + across * toi));
        let reaches = is_positive_if_certain(inward, ONE_SIDED_SLOP + bound + ACCURACY)?;
        Some(reaches.then_some((toi, normal)))
    }
}

/// Returns the axis direction between the normal (exclusive) and the outward tangent.
#[inline(always)]
fn axis_between_normal_and_tangent(outward: DVec2, normal: DVec2) -> DVec2 {
    if outward.x > 0.0 && normal.x >= 0.0 {
        DVec2::X
    } else if outward.y > 0.0 && normal.y >= 0.0 {
        DVec2::Y
    } else if outward.x < 0.0 && normal.x <= 0.0 {
        DVec2::NEG_X
    } else {
        DVec2::NEG_Y
    }
}

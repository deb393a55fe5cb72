use super::{
    ACCURACY, Approach, FILTER, ONE_SIDED_SLOP, classify_approach_if_certain, dot, is_positive_if_certain, larger,
    smaller, sum_of_absolute_coordinates,
};
use crate::exact_arith::unit;
use crate::shapes::{Circle, Segment};
use crate::sweep::one_sided::Ends;
use crate::sweep::{Hit, Sweep};
use glam::DVec2;

/// Sweeps a circle in f64; `None` if a decision is in doubt.
#[inline]
pub(in crate::sweep::one_sided) fn sweep(circle: &Circle, motion: DVec2, edge: &Segment, ends: Ends) -> Option<Sweep> {
    let (center, radius) = (circle.center(), circle.radius());
    let (from_a, from_b) = (center - edge.a(), center - edge.b());
    let across = from_a.abs() + from_b.abs() + motion.abs();
    let scale = sum_of_absolute_coordinates(across) + radius;

    // The sweep is clear if the bounding boxes stay apart during the whole motion.
    let gap = |a: f64, b: f64, motion: f64| {
        larger(smaller(a, b) + smaller(motion, 0.0), -(larger(a, b) + larger(motion, 0.0)))
    };
    let apart = larger(gap(from_a.x, from_b.x, motion.x), gap(from_a.y, from_b.y, motion.y));
    if apart > radius + (2.0 * ONE_SIDED_SLOP + FILTER * scale) {
        return Some(Sweep::Clear);
    }

    let tangent = edge.b() - edge.a();
    let normal = tangent.perp();
    let length = dot(tangent, tangent).sqrt();
    // Error bound of a product of the tangent or the normal with any vector of the scene.
    let bound = FILTER * sum_of_absolute_coordinates(tangent) * scale;
    // Leave a segment of length 0 to the sweep in pairs of f64.
    if bound <= 0.0 {
        return None;
    }
    let twice_height = dot(normal, from_a + from_b);
    let twice_reach = 2.0 * radius * length;
    let twice_gap = twice_height - twice_reach;
    let approach = -dot(normal, motion);
    let margin = 4.0 * ONE_SIDED_SLOP * length + 2.0 * bound;
    // The circle stays in front of the face, or is completely behind it. From behind, a circle hits neither the face
    // nor an end point.
    if twice_gap - larger(2.0 * approach, 0.0) > margin || twice_height + twice_reach < -margin {
        return Some(Sweep::Clear);
    }

    let scene = Scene { radius, motion, from_a, from_b, tangent, normal, length, bound, scale };
    if scene.overlaps_if_certain(twice_height)? {
        return Some(Sweep::Overlapping);
    }
    let approaches = classify_approach_if_certain(approach, 4.0 * bound, normal, motion)?;
    if approaches == Approach::Away {
        return Some(Sweep::Clear);
    }
    if approaches == Approach::Against {
        if !is_positive_if_certain(2.0 * approach - twice_gap, 2.0 * bound)? {
            // The circle stays in front until the motion ends.
            return Some(Sweep::Clear);
        }
        if let Some(toi) = scene.face_hit_time_if_certain(approach, twice_gap)? {
            let normal = unit(normal)?;
            let point = center + motion * toi - normal * radius;
            return Some(Sweep::Hit(Hit { toi, point, normal }));
        }
    }
    let start = if ends.start { scene.corner_hit_if_certain(from_a, edge.a(), -tangent)? } else { None };
    let end = if ends.end { scene.corner_hit_if_certain(from_b, edge.b(), tangent)? } else { None };
    match (start, end) {
        (Some(_), Some(_)) => None,
        (one, other) => Some(one.or(other).map_or(Sweep::Clear, Sweep::Hit)),
    }
}

/// Values that both the face and the end points need.
struct Scene {
    radius: f64,
    motion: DVec2,
    /// Displacements from the ends of the edge to the centre.
    from_a: DVec2,
    from_b: DVec2,
    tangent: DVec2,
    /// Normal of the edge, as long as the edge.
    normal: DVec2,
    length: f64,
    /// Error bound of a product of the tangent or the normal with a position or the motion.
    bound: f64,
    /// Sum of all sizes in the scene.
    scale: f64,
}

impl Scene {
    /// Error bound of a product of two of these: positions, motion, radius.
    fn product_error_bound(&self) -> f64 {
        FILTER * self.scale * self.scale
    }

    /// Returns whether the edge is deeper inside the circle than the slop.
    #[inline(always)]
    fn overlaps_if_certain(&self, twice_height: f64) -> Option<bool> {
        let radius = self.radius - ONE_SIDED_SLOP;
        if radius <= 0.0 {
            return Some(false);
        }
        let nearest = if !is_positive_if_certain(dot(self.tangent, self.from_a), self.bound)? {
            self.from_a
        } else if is_positive_if_certain(dot(self.tangent, self.from_b), self.bound)? {
            self.from_b
        } else {
            return is_positive_if_certain(2.0 * radius * self.length - twice_height.abs(), self.bound);
        };
        is_positive_if_certain(radius * radius - dot(nearest, nearest), self.product_error_bound())
    }

    /// Returns when the circle hits the face. The motion must go against the normal and reach the face's line.
    #[inline(always)]
    fn face_hit_time_if_certain(&self, approach: f64, twice_gap: f64) -> Option<Option<f64>> {
        let slop = ONE_SIDED_SLOP * self.length;
        if !is_positive_if_certain(twice_gap + 2.0 * slop, self.bound)? {
            return Some(None);
        }
        let toi = larger(twice_gap, 0.0) / (2.0 * approach);
        // The error of the time is at most `bound / approach`. The error of the position is the error of the time,
        // multiplied by the motion.
        if self.bound * sum_of_absolute_coordinates(self.motion) > ACCURACY * approach {
            return None;
        }
        let shift = dot(self.tangent, self.motion) * toi;
        let foot_bound = self.bound + ACCURACY * self.length;
        let after_a = dot(self.tangent, self.from_a) + shift;
        let before_b = -(dot(self.tangent, self.from_b) + shift);
        let meets = is_positive_if_certain(smaller(after_a, before_b) + slop, foot_bound)?;
        Some(meets.then_some(toi))
    }

    /// Returns the hit on the end point `corner`. The motion must not go away from the face. `outward` points from the
    /// edge to the outside.
    fn corner_hit_if_certain(&self, from: DVec2, corner: DVec2, outward: DVec2) -> Option<Option<Hit>> {
        let (radius, motion) = (self.radius, self.motion);
        let bound_sq = self.product_error_bound();
        let approach = -dot(from, motion);
        if !is_positive_if_certain(approach, 4.0 * bound_sq)? {
            return Some(None);
        }
        let speed_sq = dot(motion, motion);
        let speed = speed_sq.sqrt();
        let (offset, reach) = (from.perp_dot(motion).abs(), radius * speed);
        if !is_positive_if_certain(reach - offset, bound_sq)? {
            return Some(None);
        }
        // The circle hits the corner within the motion in two cases. The motion ends less than the radius away from the
        // corner, or the motion ends past the corner.
        let end = from + motion;
        let inside = is_positive_if_certain(radius * radius - dot(end, end), bound_sq);
        let past = is_positive_if_certain(speed_sq - approach, bound_sq);
        match (inside, past) {
            (Some(true), _) | (_, Some(true)) => {}
            (Some(false), Some(false)) => return Some(None),
            _ => return None,
        }
        let root = ((reach - offset) * (reach + offset)).sqrt();
        let sum = approach + root;
        let toi = smaller(larger(dot(from, from) - radius * radius, 0.0) / sum, 1.0);
        // The error of the root is at most the error of the product divided by the root.
        if bound_sq * reach * speed > ACCURACY * smaller(radius, 1.0) * root * sum {
            return None;
        }
        let out = from + motion * toi;
        let slop = ONE_SIDED_SLOP * self.length;
        let inside = is_positive_if_certain(
            smaller(dot(out, self.normal), dot(out, outward)) + slop,
            self.bound + ACCURACY * self.length,
        )?;
        if !inside {
            return Some(None);
        }
        Some(Some(Hit { toi, point: corner, normal: unit(out)? }))
    }
}

use super::{ACCURACY, Approach, FILTER, ONE_SIDED_SLOP, approach_of, dot, is_positive, least, most, size};
use crate::exact_arith::unit;
use crate::shapes::{Circle, Segment};
use crate::sweep::one_sided::Ends;
use crate::sweep::{Hit, Sweep};
use glam::DVec2;

/// The answer, if no decision is in doubt.
#[inline]
pub(in crate::sweep::one_sided) fn sweep(circle: &Circle, motion: DVec2, edge: &Segment, ends: Ends) -> Option<Sweep> {
    let (center, radius) = (circle.center(), circle.radius());
    let (from_a, from_b) = (center - edge.a(), center - edge.b());
    let across = from_a.abs() + from_b.abs() + motion.abs();
    let scale = size(across) + radius;

    // Bounds apart all the way.
    let gap = |a: f64, b: f64, motion: f64| most(least(a, b) + least(motion, 0.0), -(most(a, b) + most(motion, 0.0)));
    let apart = most(gap(from_a.x, from_b.x, motion.x), gap(from_a.y, from_b.y, motion.y));
    if apart > radius + (2.0 * ONE_SIDED_SLOP + FILTER * scale) {
        return Some(Sweep::Clear);
    }

    let tangent = edge.b() - edge.a();
    let normal = tangent.perp();
    let length = dot(tangent, tangent).sqrt();
    // Of a product of the tangent or the normal with anything here.
    let bound = FILTER * size(tangent) * scale;
    // A single point is for the other way.
    if bound <= 0.0 {
        return None;
    }
    let twice_height = dot(normal, from_a + from_b);
    let twice_reach = 2.0 * radius * length;
    let twice_gap = twice_height - twice_reach;
    let approach = -dot(normal, motion);
    let margin = 4.0 * ONE_SIDED_SLOP * length + 2.0 * bound;
    // In front all the way, or wholly behind: from there neither face nor end points are met.
    if twice_gap - most(2.0 * approach, 0.0) > margin || twice_height + twice_reach < -margin {
        return Some(Sweep::Clear);
    }

    let scene = Scene { radius, motion, from_a, from_b, tangent, normal, length, bound, scale };
    if scene.overlaps(twice_height)? {
        return Some(Sweep::Overlapping);
    }
    let approaches = approach_of(approach, 4.0 * bound, normal, motion)?;
    if approaches == Approach::Away {
        return Some(Sweep::Clear);
    }
    if approaches == Approach::Against {
        if !is_positive(2.0 * approach - twice_gap, 2.0 * bound)? {
            // All in front until the motion ends.
            return Some(Sweep::Clear);
        }
        if let Some(toi) = scene.face(approach, twice_gap)? {
            let normal = unit(normal)?;
            let point = center + motion * toi - normal * radius;
            return Some(Sweep::Hit(Hit { toi, point, normal }));
        }
    }
    let start = if ends.start { scene.corner(from_a, edge.a(), -tangent)? } else { None };
    let end = if ends.end { scene.corner(from_b, edge.b(), tangent)? } else { None };
    match (start, end) {
        (Some(_), Some(_)) => None,
        (one, other) => Some(one.or(other).map_or(Sweep::Clear, Sweep::Hit)),
    }
}

/// What the parts of the outline have in common.
struct Scene {
    radius: f64,
    motion: DVec2,
    /// From the ends of the edge to the centre.
    from_a: DVec2,
    from_b: DVec2,
    tangent: DVec2,
    /// As long as the edge.
    normal: DVec2,
    length: f64,
    /// How far off a product of the tangent or the normal with a place or the motion may be.
    bound: f64,
    /// The sum of all sizes.
    scale: f64,
}

impl Scene {
    /// How far off a product of two of the places, the motion and the radius may be.
    fn bound_sq(&self) -> f64 {
        FILTER * self.scale * self.scale
    }

    /// Whether the edge is deeper inside than the slop.
    #[inline(always)]
    fn overlaps(&self, twice_height: f64) -> Option<bool> {
        let radius = self.radius - ONE_SIDED_SLOP;
        if radius <= 0.0 {
            return Some(false);
        }
        let nearest = if !is_positive(dot(self.tangent, self.from_a), self.bound)? {
            self.from_a
        } else if is_positive(dot(self.tangent, self.from_b), self.bound)? {
            self.from_b
        } else {
            return is_positive(2.0 * radius * self.length - twice_height.abs(), self.bound);
        };
        is_positive(radius * radius - dot(nearest, nearest), self.bound_sq())
    }

    /// When the motion, which goes against the normal and reaches its line, meets the face.
    #[inline(always)]
    fn face(&self, approach: f64, twice_gap: f64) -> Option<Option<f64>> {
        let slop = ONE_SIDED_SLOP * self.length;
        if !is_positive(twice_gap + 2.0 * slop, self.bound)? {
            return Some(None);
        }
        let toi = most(twice_gap, 0.0) / (2.0 * approach);
        // The error of the time is at most the bound over the approach.
        if self.bound * size(self.motion) > ACCURACY * approach {
            return None;
        }
        let shift = dot(self.tangent, self.motion) * toi;
        let foot_bound = self.bound + ACCURACY * self.length;
        let after_a = dot(self.tangent, self.from_a) + shift;
        let before_b = -(dot(self.tangent, self.from_b) + shift);
        let meets = is_positive(least(after_a, before_b) + slop, foot_bound)?;
        Some(meets.then_some(toi))
    }

    /// Where the motion, which does not go away from the face, meets the end point `corner`; `outward` leads from the
    /// edge there.
    fn corner(&self, from: DVec2, corner: DVec2, outward: DVec2) -> Option<Option<Hit>> {
        let (radius, motion) = (self.radius, self.motion);
        let bound_sq = self.bound_sq();
        let approach = -dot(from, motion);
        if !is_positive(approach, 4.0 * bound_sq)? {
            return Some(None);
        }
        let speed_sq = dot(motion, motion);
        let speed = speed_sq.sqrt();
        let (offset, reach) = (from.perp_dot(motion).abs(), radius * speed);
        if !is_positive(reach - offset, bound_sq)? {
            return Some(None);
        }
        // Is the end of the motion inside, or past it?
        let end = from + motion;
        let inside = is_positive(radius * radius - dot(end, end), bound_sq);
        let past = is_positive(speed_sq - approach, bound_sq);
        match (inside, past) {
            (Some(true), _) | (_, Some(true)) => {}
            (Some(false), Some(false)) => return Some(None),
            _ => return None,
        }
        let root = ((reach - offset) * (reach + offset)).sqrt();
        let sum = approach + root;
        let toi = least(most(dot(from, from) - radius * radius, 0.0) / sum, 1.0);
        // The error of the root is at most that of the product over the root.
        if bound_sq * reach * speed > ACCURACY * least(radius, 1.0) * root * sum {
            return None;
        }
        let out = from + motion * toi;
        let slop = ONE_SIDED_SLOP * self.length;
        let inside =
            is_positive(least(dot(out, self.normal), dot(out, outward)) + slop, self.bound + ACCURACY * self.length)?;
        if !inside {
            return Some(None);
        }
        Some(Some(Hit { toi, point: corner, normal: unit(out)? }))
    }
}

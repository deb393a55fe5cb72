//! Contact of straight cores that are apart: the widest gap is along the normal of an edge, or between two corners.

use super::{Gap, axes, gap_between_points, is_first_normal_preferred};
use crate::shapes::{Core, Extent};
use crate::tolerance::ROUNDING;
use glam::DVec2;

/// Returns the widest gap between two cores; `None` for two points that are equal.
///
/// Gaps are compared over both whole cores, not between the nearest features. If two edges are nearly parallel, f64
/// cannot tell which corners are nearest. But any gap as wide as the widest one is right.
///
/// Just beyond the end of an edge, f64 finds two equal gaps: along the edge's normal, and between the corners. An angle
/// of 2^-27 between the two changes no bit. But the edge's normal would put the contact point beside the corner by as
/// much, so the normal between the corners counts there.
pub(super) fn widest_gap(a: &Core<'_>, b: &Core<'_>, size: f64) -> Option<Gap> {
    let slack = size * ROUNDING * 0.5;
    let mut widest: Option<Gap> = None;
    for &p in a.ends() {
        for &q in b.ends() {
            let gap = gap_between_points(p, q);
            let is_wider = |widest: Gap| {
                let is_preferred = || is_first_normal_preferred(gap.normal, widest.normal, b, a);
                gap.distance > widest.distance || (gap.distance == widest.distance && is_preferred())
            };
            if p != q
                && widest.is_none_or(is_wider)
                && is_furthest_along_normal(p, a, -gap.normal, slack)
                && is_furthest_along_normal(q, b, gap.normal, slack)
            {
                widest = Some(gap);
            }
        }
    }
    match (axes::widest_gap_along_normals(a, b), widest) {
        (Some(edge), Some(corner)) if corner.distance >= edge.distance - slack => {
            Some(Gap { normal: corner.normal, distance: corner.distance.max(edge.distance) })
        }
        (edge, corner) => edge.or(corner),
    }
}

/// Returns whether no point of the core is further along the normal than `corner`.
fn is_furthest_along_normal(corner: DVec2, core: &Core<'_>, normal: DVec2, slack: f64) -> bool {
    let out = |point: DVec2| normal.dot(point - corner);
    let corners = core.corners.as_slice();
    match core.extent {
        // A ray is infinite towards its second point.
        Extent::Ray => out(corners[1]) <= 0.0,
        _ => corners.iter().all(|&other| out(other) <= slack),
    }
}

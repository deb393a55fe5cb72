//! Straight parts that do not overlap: the widest gap is along the normal of an edge or along the way between two corners.

use super::{Gap, axes, is_rather, of_points};
use crate::shapes::{Core, Extent};
use crate::tolerance::ROUNDING;
use glam::DVec2;

/// The widest gap between two parts; `None` for two points that are the same.
///
/// Gaps are compared over all of both parts and not between the nearest features: where two edges are nearly parallel, f64
/// cannot tell which of their corners are nearest, but any gap that is as wide as the widest one is right.
///
/// Just beyond the end of an edge, f64 finds the gap along its normal as wide as that between the corners: an angle of
/// 2^-27 changes no bit of it. But it would put the point beside the corner by as much, so that there the normal is that of
/// the corners.
pub(super) fn widest(a: &Core<'_>, b: &Core<'_>, size: f64) -> Option<Gap> {
    let slack = size * ROUNDING * 0.5;
    let mut widest: Option<Gap> = None;
    for &p in a.ends() {
        for &q in b.ends() {
            let gap = of_points(p, q);
            let is_wider = |widest: Gap| {
                let is_rather = || is_rather(gap.normal, widest.normal, b, a);
                gap.distance > widest.distance || (gap.distance == widest.distance && is_rather())
            };
            if p != q
                && widest.is_none_or(is_wider)
                && is_furthest(p, a, -gap.normal, slack)
                && is_furthest(q, b, gap.normal, slack)
            {
                widest = Some(gap);
            }
        }
    }
    match (axes::widest(a, b), widest) {
        (Some(edge), Some(corner)) if corner.distance >= edge.distance - slack => {
            Some(Gap { normal: corner.normal, distance: corner.distance.max(edge.distance) })
        }
        (edge, corner) => edge.or(corner),
    }
}

/// Is nothing of a part further along a normal than one of its corners?
fn is_furthest(corner: DVec2, core: &Core<'_>, normal: DVec2, slack: f64) -> bool {
    let out = |point: DVec2| normal.dot(point - corner);
    let corners = core.corners.as_slice();
    match core.extent {
        // It goes on for ever.
        Extent::Ray => out(corners[1]) <= 0.0,
        _ => corners.iter().all(|&other| out(other) <= slack),
    }
}

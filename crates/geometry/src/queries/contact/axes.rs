//! Straight parts that overlap or share a point of their boundaries: the edge of either that is the shortest way out.

use super::super::overlaps::cross;
use super::{Gap, height, is_rather, right_of};
use crate::shapes::{Core, Extent};
use glam::DVec2;

/// The widest gap, or least overlap, along the normals of edges; `None` if both go on for ever along each.
pub(super) fn widest(a: &Core<'_>, b: &Core<'_>) -> Option<Gap> {
    let of_b = widest_outside(b, a);
    let of_a = widest_outside(a, b).map(|gap| Gap { normal: -gap.normal + DVec2::ZERO, ..gap });
    match (of_a, of_b) {
        (Some(a), Some(b)) => Some(if a.distance > b.distance { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// The widest gap between the edges of one part and all of the other one, of equal ones the one that [`is_rather`]
/// takes. A part without an area has edges there and back.
fn widest_outside(edges: &Core<'_>, other: &Core<'_>) -> Option<Gap> {
    let corners = edges.corners.as_slice();
    if corners.len() < 2 {
        return None;
    }
    let mut widest: Option<(f64, DVec2, DVec2)> = None;
    let mut start = corners[corners.len() - 1];
    for &end in corners {
        if let Some(distance) = lowest(start, end, other)
            && widest.is_none_or(|(best, from, to)| {
                let is_rather = || is_rather(right_of(start, end), right_of(from, to), edges, other);
                distance > best || (distance == best && is_rather())
            })
        {
            widest = Some((distance, start, end));
        }
        start = end;
    }
    widest.map(|(distance, start, end)| Gap { normal: right_of(start, end), distance })
}

/// How far the nearest point of a part is outside an edge; `None` if it goes on inwards for ever.
fn lowest(start: DVec2, end: DVec2, other: &Core<'_>) -> Option<f64> {
    let corners = other.corners.as_slice();
    match (other.extent, corners) {
        (Extent::Ray, &[origin, through]) => {
            (cross(start, end, origin, through) <= 0.0).then(|| height(start, end, origin))
        }
        (Extent::Line, &[a, b]) => (cross(start, end, a, b) == 0.0).then(|| height(start, end, a)),
        _ => Some(corners.iter().fold(f64::INFINITY, |least, &corner| least.min(height(start, end, corner)))),
    }
}

//! Contact of straight cores that overlap or share a boundary point: finds the edge with the shortest way out.

use super::super::overlaps::cross;
use super::{Gap, distance_right_of_line, is_first_normal_preferred, right_normal};
use crate::shapes::{Core, Extent};
use glam::DVec2;

/// Returns the widest gap, or the smallest overlap, along the normals of edges. `None` if both cores are infinite along
/// every normal.
pub(super) fn widest_gap_along_normals(a: &Core<'_>, b: &Core<'_>) -> Option<Gap> {
    let of_b = widest_gap_outside_edges(b, a);
    let of_a = widest_gap_outside_edges(a, b).map(|gap| Gap { normal: -gap.normal + DVec2::ZERO, ..gap });
    match (of_a, of_b) {
        (Some(a), Some(b)) => Some(if a.distance > b.distance { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// Returns the widest gap between an edge of one core and all of the other. If gaps are equal,
/// [`is_first_normal_preferred`] decides. A core without an area has its edges in both directions.
fn widest_gap_outside_edges(edges: &Core<'_>, other: &Core<'_>) -> Option<Gap> {
    let corners = edges.corners.as_slice();
    if corners.len() < 2 {
        return None;
    }
    let mut widest: Option<(f64, DVec2, DVec2)> = None;
    let mut start = corners[corners.len() - 1];
    for &end in corners {
        if let Some(distance) = distance_of_lowest_point_from_edge(start, end, other)
            && widest.is_none_or(|(best, from, to)| {
                let is_preferred =
                    || is_first_normal_preferred(right_normal(start, end), right_normal(from, to), edges, other);
                distance > best || (distance == best && is_preferred())
            })
        {
            widest = Some((distance, start, end));
        }
        start = end;
    }
    widest.map(|(distance, start, end)| Gap { normal: right_normal(start, end), distance })
}

/// Returns the distance of the core's lowest point from the outer side of an edge; `None` if the core is infinite
/// inwards.
fn distance_of_lowest_point_from_edge(start: DVec2, end: DVec2, other: &Core<'_>) -> Option<f64> {
    let corners = other.corners.as_slice();
    match (other.extent, corners) {
        (Extent::Ray, &[origin, through]) => {
            (cross(start, end, origin, through) <= 0.0).then(|| distance_right_of_line(start, end, origin))
        }
        (Extent::Line, &[a, b]) => (cross(start, end, a, b) == 0.0).then(|| distance_right_of_line(start, end, a)),
        _ => Some(
            corners.iter().fold(f64::INFINITY, |least, &corner| least.min(distance_right_of_line(start, end, corner))),
        ),
    }
}

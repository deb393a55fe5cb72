//! Where two straight parts meet along a normal: at a corner, or along a stretch.

use crate::shapes::{Core, Extent};
use crate::tolerance::ROUNDING;
use glam::DVec2;

/// What of a part is furthest along a normal: from a first to a last point, seen along the tangent.
struct Feature {
    first: DVec2,
    last: DVec2,
    /// It goes on beyond the first or the last point for ever.
    is_open: [bool; 2],
}

/// The point of `b` where `a` meets it along the normal from `b` to `a`: the middle of what they share there.
pub(super) fn shared(a: &Core<'_>, b: &Core<'_>, normal: DVec2, size: f64) -> DVec2 {
    let tangent = normal.perp();
    let slack = size * ROUNDING;
    let below = Feature::of(b, normal, tangent, slack);
    if below.first == below.last && below.is_open == [false; 2] {
        return below.first;
    }
    let above = Feature::of(a, -normal, tangent, slack);
    // Along the normal, onto the part below.
    let foot = |point: DVec2| {
        let from = (point - below.first) + (point - below.last);
        point - normal * (normal.dot(from) * 0.5)
    };
    let first = match (above.is_open[0], below.is_open[0]) {
        (true, true) => None,
        (false, true) => Some(Of::Above(above.first)),
        (false, false) if tangent.dot(above.first - below.first) > 0.0 => Some(Of::Above(above.first)),
        _ => Some(Of::Below(below.first)),
    };
    let last = match (above.is_open[1], below.is_open[1]) {
        (true, true) => None,
        (false, true) => Some(Of::Above(above.last)),
        (false, false) if tangent.dot(above.last - below.last) < 0.0 => Some(Of::Above(above.last)),
        _ => Some(Of::Below(below.last)),
    };
    let on_below = |end: Of| match end {
        Of::Above(point) => foot(point),
        Of::Below(point) => point,
    };
    match (first, last) {
        // Where f64 has taken the normal of the one for that of the other they may be beside each other: the end of `b`.
        (Some(Of::Below(end)), Some(Of::Above(other))) if tangent.dot(other - end) < 0.0 => end,
        (Some(Of::Above(other)), Some(Of::Below(end))) if tangent.dot(end - other) < 0.0 => end,
        (Some(first), Some(last)) => (on_below(first) + on_below(last)) * 0.5,
        (Some(end), None) | (None, Some(end)) => on_below(end),
        (None, None) => b.corners.as_slice()[0],
    }
}

/// An end of what is shared.
#[derive(Clone, Copy)]
enum Of {
    /// Of the part that comes from above.
    Above(DVec2),
    /// Of the part below.
    Below(DVec2),
}

impl Feature {
    fn of(core: &Core<'_>, normal: DVec2, tangent: DVec2, slack: f64) -> Feature {
        let corners = core.corners.as_slice();
        match (core.extent, corners) {
            (Extent::Line, &[a, b]) => {
                let (first, last) = if tangent.dot(b - a) > 0.0 { (a, b) } else { (b, a) };
                return Feature { first, last, is_open: [true; 2] };
            }
            (Extent::Ray, &[origin, through]) => {
                let way = through - origin;
                let (out, along) = (normal.dot(way), tangent.dot(way));
                let is_parallel = out.abs() <= along.abs() * ROUNDING;
                return Feature {
                    first: origin,
                    last: origin,
                    is_open: [is_parallel && along < 0.0, is_parallel && along > 0.0],
                };
            }
            _ => {}
        }
        // Corner against corner, so that nothing depends on which one is the first.
        let is_furthest = |corner: DVec2| corners.iter().all(|&other| normal.dot(other - corner) <= slack);
        // Of two that are as far along the tangent, the one further along the normal.
        let is_past = |corner: DVec2, end: DVec2, tangent: DVec2| {
            let past = tangent.dot(corner - end);
            past > 0.0 || (past == 0.0 && normal.dot(corner - end) > 0.0)
        };
        let mut ends: Option<(DVec2, DVec2)> = None;
        for &corner in corners.iter().filter(|&&corner| is_furthest(corner)) {
            let (first, last) = ends.unwrap_or((corner, corner));
            ends = Some((
                if is_past(corner, first, -tangent) { corner } else { first },
                if is_past(corner, last, tangent) { corner } else { last },
            ));
        }
        let (first, last) = ends.unwrap_or((corners[0], corners[0]));
        Feature { first, last, is_open: [false; 2] }
    }
}

//! Lines, rays and segments inside a convex polygon, decided only by orientations and comparisons.

use super::chord::{Chord, ChordPoint};
use super::linear::{LineCrossing, Linear};
use crate::exact_arith::double_double::Pair;
use crate::exact_arith::{cross, halfway_direction, twice_signed_area, unit};
use crate::shapes::MAX_CORNERS;
use crate::sweep::Hit;
use glam::DVec2;
use std::cmp::Ordering;

/// A feature of the boundary that the line crosses.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Feature {
    Corner(usize),
    /// The side between the corner with this index and the next one.
    Side(usize),
}

/// The entry and exit of a line through a polygon with counter-clockwise corners.
struct PolygonCrossing<'a> {
    linear: Linear,
    corners: &'a [DVec2],
    entry: Feature,
    exit: Feature,
    /// Whether the line passes through the interior, not only along a side or past a corner.
    is_through: bool,
}

pub(super) fn chord(linear: Linear, corners: &[DVec2]) -> Chord {
    let start = ChordPoint { point: linear.a, t: 0.0 };
    if linear.is_point() {
        let sides = (0..corners.len())
            .map(|side| twice_signed_area(corners[side], corners[(side + 1) % corners.len()], linear.a));
        return if sides.into_iter().all(|side| side >= 0.0) { Chord::Point(start) } else { Chord::None };
    }
    PolygonCrossing::find_crossing(linear, corners).map_or(Chord::None, |passage| passage.part_inside_polygon(start))
}

/// Returns where a ray enters the interior.
pub(super) fn cast(ray: Linear, corners: &[DVec2]) -> Option<Hit> {
    let passage = PolygonCrossing::find_crossing(ray, corners).filter(|passage| passage.is_through)?;
    if passage.compare_to_crossing(ray.a, passage.exit) != Ordering::Less {
        return None;
    }
    let (met, normal) = match passage.compare_to_crossing(ray.a, passage.entry) {
        Ordering::Less => (passage.point_at(passage.entry), passage.normal()),
        Ordering::Equal => (ChordPoint { point: ray.a, t: 0.0 }, passage.normal()),
        Ordering::Greater => (ChordPoint { point: ray.a, t: 0.0 }, unit(ray.a - ray.b)),
    };
    normal.map(|normal| Hit { toi: met.t, point: met.point, normal })
}

impl<'a> PolygonCrossing<'a> {
    /// Returns `None` if all corners are on one side of the line.
    fn find_crossing(linear: Linear, corners: &'a [DVec2]) -> Option<PolygonCrossing<'a>> {
        let count = corners.len();
        let mut turns = [0.0; MAX_CORNERS];
        for (turns, &corner) in turns.iter_mut().zip(corners) {
            *turns = twice_signed_area(linear.a, linear.b, corner);
        }
        let (mut entry, mut exit) = (None, None);
        // The boundary is counter-clockwise, so the line enters where the boundary crosses from the left of the line to
        // its right.
        for here in 0..count {
            let (before, after) = (turns[(here + count - 1) % count], turns[(here + 1) % count]);
            if turns[here] == 0.0 {
                if before > 0.0 || after < 0.0 {
                    entry = Some(Feature::Corner(here));
                }
                if before < 0.0 || after > 0.0 {
                    exit = Some(Feature::Corner(here));
                }
            } else if turns[here] > 0.0 && after < 0.0 {
                entry = Some(Feature::Side(here));
            } else if turns[here] < 0.0 && after > 0.0 {
                exit = Some(Feature::Side(here));
            }
        }
        let turns = &turns[..count];
        let is_through = turns.iter().any(|&turn| turn > 0.0) && turns.iter().any(|&turn| turn < 0.0);
        Some(PolygonCrossing { linear, corners, entry: entry?, exit: exit?, is_through })
    }

    /// Returns the part of the linear shape inside the polygon. `linear_start`: the start of the linear shape.
    fn part_inside_polygon(&self, linear_start: ChordPoint) -> Chord {
        let Linear { a, b, .. } = self.linear;
        let (starts, ends) = (self.linear.has_start(), self.linear.has_end());
        let end = ChordPoint { point: b, t: 1.0 };
        if starts {
            match self.compare_to_crossing(a, self.exit) {
                Ordering::Less => {}
                Ordering::Equal => return Chord::Point(linear_start),
                Ordering::Greater => return Chord::None,
            }
        }
        if ends {
            match self.compare_to_crossing(b, self.entry) {
                Ordering::Less => return Chord::None,
                Ordering::Equal => return Chord::Point(end),
                Ordering::Greater => {}
            }
        }
        if self.entry == self.exit {
            return Chord::Point(self.point_at(self.entry));
        }
        let begins_inside = starts && self.compare_to_crossing(a, self.entry) != Ordering::Less;
        let ends_inside = ends && self.compare_to_crossing(b, self.exit) != Ordering::Greater;
        let from = if begins_inside { linear_start } else { self.point_at(self.entry) };
        let to = if ends_inside { end } else { self.point_at(self.exit) };
        Chord::with_ordered_ends(from, to)
    }

    /// Compares a point of the line with the entry or exit: before, at or behind it.
    fn compare_to_crossing(&self, at: DVec2, feature: Feature) -> Ordering {
        match feature {
            Feature::Corner(corner) => self.linear.compare_along(at, self.corners[corner]),
            Feature::Side(side) => {
                let inwards = twice_signed_area(self.corners[side], self.next_corner(side), at);
                let onwards = if feature == self.entry { inwards } else { -inwards };
                onwards.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
            }
        }
    }

    fn point_at(&self, feature: Feature) -> ChordPoint {
        match feature {
            Feature::Corner(corner) => {
                let point = self.corners[corner];
                ChordPoint { point, t: self.linear.parameter_of_point(point) }
            }
            Feature::Side(side) => {
                let side = Linear::side_from_nearer_end(self.corners[side], self.next_corner(side), self.linear);
                match LineCrossing::new(self.linear, side) {
                    Some(crossed) => crossed.crossing().into(),
                    // Not reached: the line crosses this side, so the two are not parallel.
                    None => ChordPoint { point: side.a, t: self.linear.parameter_of_point(side.a) },
                }
            }
        }
    }

    /// Returns the outward normal at the entry. At a corner, the side that opposes the line more gives the normal. If
    /// both oppose it equally, the result is halfway between.
    fn normal(&self) -> Option<DVec2> {
        let outward = |side: usize| unit(-(self.next_corner(side) - self.corners[side]).perp());
        match self.entry {
            Feature::Side(side) => outward(side),
            Feature::Corner(corner) => {
                let count = self.corners.len();
                let (before, after) = ((corner + count - 1) % count, corner);
                let (one, other) = (outward(before)?, outward(after)?);
                // Compare how far the line moves along the normal of each side. `along` returns this distance times the
                // length of the side, squared with its sign, and the squared length of the side. The comparison needs
                // no square root. So two sides that the line opposes equally compare as equal.
                let along = |side: usize| {
                    let way = Pair::difference(self.next_corner(side), self.corners[side]);
                    let along = -cross(way, Pair::difference(self.linear.b, self.linear.a));
                    (along * along.abs(), way.dot(way))
                };
                let ((one_along, one_sq), (other_along, other_sq)) = (along(before), along(after));
                match (one_along * other_sq).partial_cmp(&(other_along * one_sq))? {
                    Ordering::Less => Some(one),
                    Ordering::Greater => Some(other),
                    Ordering::Equal => halfway_direction(one, other),
                }
            }
        }
    }

    fn next_corner(&self, corner: usize) -> DVec2 {
        self.corners[(corner + 1) % self.corners.len()]
    }
}

//! Exact intersection of two edges on the lattice.

use glam::IVec2;

/// A segment from one lattice point to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) a: IVec2,
    pub(super) b: IVec2,
}

/// Intersection of two edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meeting {
    /// No common point.
    Apart,
    /// One point, which is an end of at least one edge.
    Touch(IVec2),
    /// One point inside both edges.
    Cross(f64, f64),
    /// More than one point.
    Overlap(IVec2, IVec2),
}

impl Segment {
    fn direction(self) -> IVec2 {
        self.b - self.a
    }

    /// Returns whether a point is on the segment, ends included.
    fn contains(self, at: IVec2) -> bool {
        self.direction().perp_dot(at - self.a) == 0 && (at - self.a).dot(at - self.b) <= 0
    }

    /// Returns whether and where two segments meet.
    pub(super) fn find_meeting(self, other: Segment) -> Meeting {
        let (d, e) = (self.direction(), other.direction());
        let turn = d.perp_dot(e);
        let from = other.a - self.a;
        if turn == 0 && d.perp_dot(from) == 0 {
            return self.collinear_meeting(other);
        }
        let end = [other.a, other.b].into_iter().find(|&at| self.contains(at));
        if let Some(at) = end.or_else(|| [self.a, self.b].into_iter().find(|&at| other.contains(at))) {
            return Meeting::Touch(at);
        }
        // `s` and `t` are the fractions of the two segments at which their lines cross, times |turn|. This factor keeps
        // them whole numbers.
        let (s, t) = (from.perp_dot(e) * turn.signum(), from.perp_dot(d) * turn.signum());
        let inside = |part: i32| part > 0 && part < turn.abs();
        if turn != 0 && inside(s) && inside(t) {
            let part = f64::from(s) / f64::from(turn.abs());
            return Meeting::Cross(
                f64::from(self.a.x) + part * f64::from(d.x),
                f64::from(self.a.y) + part * f64::from(d.y),
            );
        }
        Meeting::Apart
    }

    /// Returns the intersection of two segments on one line.
    fn collinear_meeting(self, other: Segment) -> Meeting {
        let d = self.direction();
        let (c, e) = if d.dot(other.direction()) > 0 { (other.a, other.b) } else { (other.b, other.a) };
        let from = if d.dot(c - self.a) > 0 { c } else { self.a };
        let to = if d.dot(e - self.b) < 0 { e } else { self.b };
        match d.dot(to - from).signum() {
            1 => Meeting::Overlap(from, to),
            0 => Meeting::Touch(from),
            _ => Meeting::Apart,
        }
    }
}

/// Returns whether a point, not on an outline, is inside it. All coordinates use one unit, however small.
pub(super) fn is_inside(outline: &[Segment], at: IVec2) -> bool {
    let crossed = |edge: &&Segment| {
        let side = edge.direction().perp_dot(at - edge.a);
        (edge.a.y <= at.y) != (edge.b.y <= at.y) && (side > 0) == (edge.b.y > edge.a.y)
    };
    outline.iter().filter(crossed).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(a: (i32, i32), b: (i32, i32)) -> Segment {
        Segment { a: a.into(), b: b.into() }
    }

    /// Rounding error of a position in lattice steps, up to 16: a division and a product of small integers.
    const MAX_ROUNDING: f64 = 16.0 * 4.0 * f64::EPSILON;

    /// The intersection must not depend on the order or the direction of the edges.
    fn check_meeting(a: Segment, b: Segment, expected: Meeting) {
        let back = |s: Segment| Segment { a: s.b, b: s.a };
        for (first, second) in [(a, b), (back(a), b), (a, back(b)), (back(a), back(b))] {
            for (first, second) in [(first, second), (second, first)] {
                match (first.find_meeting(second), expected) {
                    (Meeting::Cross(x, y), Meeting::Cross(u, v)) => {
                        assert!(
                            (x - u).abs() < MAX_ROUNDING && (y - v).abs() < MAX_ROUNDING,
                            "{first:?} {second:?}: {x} {y}"
                        );
                    }
                    (Meeting::Overlap(from, to), Meeting::Overlap(u, v)) if from != u => {
                        assert_eq!((from, to), (v, u), "{first:?} {second:?}");
                    }
                    (found, expected) => assert_eq!(found, expected, "{first:?} {second:?}"),
                }
            }
        }
    }

    #[test]
    fn meetings_by_hand() {
        let long = segment((0, 0), (16, 8));
        check_meeting(long, segment((0, 8), (16, 0)), Meeting::Cross(8.0, 4.0));
        check_meeting(long, segment((3, 0), (3, 16)), Meeting::Cross(3.0, 1.5));
        check_meeting(long, segment((4, 2), (4, 16)), Meeting::Touch(IVec2::new(4, 2)));
        check_meeting(long, segment((16, 8), (16, 0)), Meeting::Touch(IVec2::new(16, 8)));
        check_meeting(long, segment((2, 1), (4, 2)), Meeting::Overlap(IVec2::new(2, 1), IVec2::new(4, 2)));
        check_meeting(
            segment((0, 0), (8, 4)),
            segment((4, 2), (16, 8)),
            Meeting::Overlap((4, 2).into(), (8, 4).into()),
        );
        check_meeting(segment((0, 0), (8, 4)), segment((8, 4), (16, 8)), Meeting::Touch(IVec2::new(8, 4)));
        check_meeting(segment((0, 0), (6, 3)), segment((8, 4), (16, 8)), Meeting::Apart);
        check_meeting(long, segment((0, 1), (16, 9)), Meeting::Apart);
        check_meeting(long, segment((4, 3), (4, 16)), Meeting::Apart);
        check_meeting(long, long, Meeting::Overlap(IVec2::ZERO, IVec2::new(16, 8)));
    }

    #[test]
    fn points_at_the_height_of_a_vertex_are_inside_or_outside_correctly() {
        let points = [(0, 0), (4, 8), (8, 0), (16, 16), (0, 16)].map(IVec2::from);
        let outline: Vec<_> = (0..5).map(|i| Segment { a: points[i], b: points[(i + 1) % 5] }).collect();
        for (at, inside) in [((4, 10), true), ((8, 8), true), ((2, 8), true), ((4, 4), false), ((13, 8), false)] {
            assert_eq!(is_inside(&outline, at.into()), inside, "{at:?}");
        }
    }
}

//! The witness of sweeps: whether two shapes overlap at a time of the motion, in exact rationals, from all corners and
//! all sides.

use crate::cases::{Owned, hull_of_sorted};
use crate::rational::{Q, V, nearest_of_segment, q, turn};
use surefoot_geometry::DVec2;

/// Corners in order, and a radius around them.
pub(crate) struct Round {
    corners: Vec<V>,
    radius: Q,
}

impl Round {
    pub(crate) fn of(shape: &Owned) -> Round {
        let (corners, radius) = match shape {
            Owned::Point(s) => (vec![s.position()], 0.0),
            Owned::Segment(s) => (vec![s.a(), s.b()], 0.0),
            Owned::Circle(s) => (vec![s.center()], s.radius()),
            Owned::Capsule(s) => (vec![s.a(), s.b()], s.radius()),
            Owned::Aabb(s) => {
                let (a, b) = (s.min(), s.max());
                (vec![a, DVec2::new(b.x, a.y), b, DVec2::new(a.x, b.y)], 0.0)
            }
            Owned::Obb(s) => (s.corners().to_vec(), 0.0),
            Owned::Triangle(s) => (s.corners().to_vec(), 0.0),
            Owned::ConvexPolygon(s) => (s.corners().to_vec(), 0.0),
            Owned::Line(_) | Owned::Ray(_) => panic!("no shape of finite size"),
        };
        let mut corners: Vec<V> = corners.into_iter().map(V::of).collect();
        corners.dedup();
        if corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        Round { corners, radius: q(radius) }
    }

    pub(crate) fn at(point: DVec2) -> Round {
        Round { corners: vec![V::of(point)], radius: Q::zero() }
    }

    pub(crate) fn moved(&self, by: &V) -> Round {
        Round { corners: self.corners.iter().map(|corner| corner.plus(by)).collect(), radius: self.radius.clone() }
    }

    /// Returns the hull of all points that the corners pass.
    fn swept(&self, by: &V) -> Round {
        let corners = self.corners.iter().cloned().chain(self.corners.iter().map(|corner| corner.plus(by))).collect();
        Round { corners: hull(corners), radius: self.radius.clone() }
    }

    fn sides(&self) -> impl Iterator<Item = (&V, &V)> {
        let count = self.corners.len();
        (0..count).map(move |i| (&self.corners[i], &self.corners[(i + 1) % count])).filter(|(a, b)| a != b)
    }

    fn holds(&self, p: &V) -> bool {
        let is_left = |(a, b): (&V, &V)| !turn(a, b, p).is_negative();
        self.corners.len() > 2 && self.sides().all(is_left) && !self.is_flat()
    }

    fn is_flat(&self) -> bool {
        self.corners.len() < 3 || turn(&self.corners[0], &self.corners[1], &self.corners[2]).is_zero()
    }
}

/// The kind of a sweep's result, without the numbers of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Clear,
    Hit,
    Overlapping,
}

/// Returns the exact kind of the result.
pub(crate) fn kind(mover: &Round, motion: &V, obstacle: &Round) -> Kind {
    if overlap_by_more_than(mover, obstacle, &Q::zero()) {
        return Kind::Overlapping;
    }
    let radius = &mover.radius + &obstacle.radius;
    let is_hit = if radius.is_positive() {
        // The mover hits if the area that its corners pass comes nearer to the obstacle than the sum of the radii.
        core_distance_sq(&mover.swept(motion), obstacle) < &radius * &radius
    } else {
        enters(mover, motion, obstacle)
    };
    if is_hit { Kind::Hit } else { Kind::Clear }
}

/// Returns whether a straight mover enters a straight obstacle, or crosses one if both together are flat.
fn enters(mover: &Round, motion: &V, obstacle: &Round) -> bool {
    let (mut from, mut to) = (None::<Q>, None::<Q>);
    // `grown` contains all differences of corners: the obstacle grown by the mover, which shrinks to the origin.
    let grown: Vec<V> = obstacle.corners.iter().flat_map(|o| mover.corners.iter().map(|m| o.minus(m))).collect();
    let sides = || mover.sides().chain(obstacle.sides()).map(|(a, b)| b.minus(a));
    let is_flat = sides().all(|side| sides().all(|other| side.cross(&other).is_zero()));
    if is_flat {
        let Some(side) = sides().next() else { return false };
        let (before, after) = (side.cross(&grown[0]), side.cross(&grown[0].minus(motion)));
        let is_left = |at: &V| motion.cross(at).is_positive();
        let is_right = |at: &V| motion.cross(at).is_negative();
        return (before * after).is_negative() && !grown.iter().all(is_left) && !grown.iter().all(is_right);
    }
    for side in sides() {
        let normal = V { x: side.y.clone(), y: -side.x };
        let levels: Vec<Q> = grown.iter().map(|at| normal.dot(at)).collect();
        let (low, high, speed) = (levels.iter().min().unwrap(), levels.iter().max().unwrap(), normal.dot(motion));
        if speed.is_zero() {
            if !low.is_negative() || !high.is_positive() {
                return false;
            }
            continue;
        }
        let (one, other) = (low / &speed, high / &speed);
        let (near, far) = if one < other { (one, other) } else { (other, one) };
        from = Some(from.map_or(near.clone(), |from| from.max(near)));
        to = Some(to.map_or(far.clone(), |to| to.min(far)));
    }
    match (from, to) {
        (Some(from), Some(to)) => from < to && to.is_positive() && from < Q::one(),
        _ => false,
    }
}

/// Returns the corners of the convex hull, counter-clockwise.
fn hull(mut points: Vec<V>) -> Vec<V> {
    points.sort_by(|a, b| a.x.cmp(&b.x).then(a.y.cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    hull_of_sorted(&points, |a, b, point| turn(a, b, point).is_positive())
}

/// Returns whether the shapes overlap by more than `depth`. A negative `depth` asks whether they are closer than its
/// absolute value.
pub(crate) fn overlap_by_more_than(a: &Round, b: &Round, depth: &Q) -> bool {
    let radius = &a.radius + &b.radius;
    if (&a.radius + &b.radius).is_zero() && !depth.is_negative() {
        return projections_overlap_by_more_than(a, b, depth);
    }
    let reach = radius - depth;
    if !reach.is_positive() {
        projections_overlap_by_more_than(a, b, &-reach)
    } else {
        core_distance_sq(a, b) < &reach * &reach
    }
}

/// Returns whether the projections on the normal of each side share more than `depth`.
fn projections_overlap_by_more_than(a: &Round, b: &Round, depth: &Q) -> bool {
    let spans = |shape: &Round, along: &V| {
        let levels: Vec<Q> = shape.corners.iter().map(|corner| along.dot(corner)).collect();
        (levels.iter().min().unwrap().clone(), levels.iter().max().unwrap().clone())
    };
    if a.corners.len() == 1 && b.corners.len() == 1 {
        return false;
    }
    a.sides().chain(b.sides()).all(|(from, to)| {
        let side = to.minus(from);
        let normal = V { x: side.y.clone(), y: -side.x };
        let ((a_low, a_high), (b_low, b_high)) = (spans(a, &normal), spans(b, &normal));
        let shared = (a_high - b_low).min(b_high - a_low);
        shared.is_positive() && &shared * &shared > depth * depth * normal.length_sq()
    })
}

/// Returns the squared distance of the two hulls.
fn core_distance_sq(a: &Round, b: &Round) -> Q {
    let meets = a.corners.iter().any(|p| b.holds(p))
        || b.corners.iter().any(|p| a.holds(p))
        || a.sides().any(|(p, r)| {
            b.sides().any(|(s, t)| {
                (turn(p, r, s) * turn(p, r, t)).is_negative() && (turn(s, t, p) * turn(s, t, r)).is_negative()
            })
        });
    if meets {
        return Q::zero();
    }
    let from = |corners: &Round, to: &Round| {
        corners
            .corners
            .iter()
            .flat_map(|p| {
                let count = to.corners.len();
                (0..count).map(move |i| {
                    nearest_of_segment(p, &to.corners[i], &to.corners[(i + 1) % count]).minus(p).length_sq()
                })
            })
            .min()
            .unwrap()
    };
    from(a, b).min(from(b, a))
}

use crate::scenes::{SAMPLE, Tally, draws};
use crate::witness::{Hull, Relation};
use parry2d_f64::query::PointQuery;
use surefoot_bench::for_kinds;
use surefoot_bench::geometry::shapes::{Both, from_peer, vector};
use surefoot_geometry::{Aabb, Capsule, Circle, ConvexPolygon, DVec2, Obb, Segment, Triangle, tolerance};

/// In lengths, two-sided: what both may round in scenes of this size.
const SAME: f64 = 1e-13;

/// In lengths: how far from a boundary a point may be that parry takes to the wrong side.
const PEER_ROUNDS: f64 = 1e-7;

/// In lengths: what the scenes reach over at most.
const SIZE: f64 = 6.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Same,
    /// Is the point in it: surefoot is right, and the point is so near to the boundary that parry rounds over it. The
    /// nearest point: surefoot is right, and parry's iteration stops before it has all digits.
    PeerRounds,
    Unexplained,
}

fn judge_contains(ours: bool, peer: bool, shape: &Hull, point: &Hull) -> Verdict {
    let relation = shape.relation(point);
    if ours != (relation != Relation::Apart) {
        Verdict::Unexplained
    } else if ours == peer {
        Verdict::Same
    } else if shape.gap(point).abs() <= PEER_ROUNDS {
        Verdict::PeerRounds
    } else {
        Verdict::Unexplained
    }
}

/// The nearest point is the one that is in the shape and as far away as the shape is; in a convex shape there is one.
fn judge_closest(ours: DVec2, peer: DVec2, shape: &Hull, point: DVec2) -> Verdict {
    let is_right = |nearest: DVec2, error: f64| {
        let on_shape = shape.is_distance(&Hull::point(nearest), 0.0, error);
        on_shape && shape.is_distance(&Hull::point(point), nearest.distance(point), error)
    };
    if !is_right(ours, SIZE * tolerance::ROUNDING) {
        Verdict::Unexplained
    } else if (ours - peer).abs().max_element() <= SAME {
        Verdict::Same
    } else if is_right(peer, PEER_ROUNDS) {
        Verdict::PeerRounds
    } else {
        Verdict::Unexplained
    }
}

fn compare<A: Both>(contains: &mut Tally<Verdict>, closest: &mut Tally<Verdict>) {
    for (index, mut draw) in draws(3, contains.scenes) {
        let (a, point) = (A::draw(&mut draw), draw.vector(2.0));
        let (pose, peer) = a.peer();
        let is_sample = index.is_multiple_of(SAMPLE);

        let (ours, theirs) = (a.contains(point), peer.contains_point(&pose, vector(point)));
        let verdict = if ours == theirs && !is_sample {
            Verdict::Same
        } else {
            judge_contains(ours, theirs, &Hull::of(a.as_any()), &Hull::point(point))
        };
        let gap = || Hull::of(a.as_any()).gap(&Hull::point(point));
        assert!(
            verdict != Verdict::Unexplained,
            "{index}: {a:?}, {point}: ours {ours}, parry {theirs}, gap {:e}",
            gap()
        );
        contains.add(A::NAME, verdict);

        let ours = a.closest_point(point);
        let theirs = from_peer(peer.project_point(&pose, vector(point), true).point);
        let verdict = if (ours - theirs).abs().max_element() <= SAME && !is_sample {
            Verdict::Same
        } else {
            judge_closest(ours, theirs, &Hull::of(a.as_any()), point)
        };
        assert!(
            verdict != Verdict::Unexplained,
            "{index}: {a:?}, {point}: ours {ours}, parry {theirs}, gap {:e}",
            gap()
        );
        closest.add(A::NAME, verdict);
    }
}

#[test]
fn points_agree() {
    let (mut contains, mut closest) = (Tally::of(7), Tally::of(7));
    for_kinds!(compare(&mut contains, &mut closest): Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon);
    for (question, tally) in [("contains", &contains), ("closest_point", &closest)] {
        tally.print(question, &[Verdict::Same]);
        assert!(tally.count(Verdict::Same) * 20 > tally.scenes * 7 * 19);
    }
}

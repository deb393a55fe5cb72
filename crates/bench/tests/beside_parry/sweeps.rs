use crate::rational::q;
use crate::scenes::{SAMPLE, Tally, draws};
use crate::witness::{Hull, Relation};
use parry2d_f64::math::Vector;
use parry2d_f64::query::{self, ShapeCastOptions};
use surefoot_bench::for_kinds;
use surefoot_bench::geometry::shapes::{Both, vector};
use surefoot_geometry::{Aabb, Bounded, Capsule, Circle, ConvexPolygon, DVec2, Obb, Segment, Sweep, Triangle};

/// In lengths along the motion, two-sided: how far apart two times may be that are the same.
const SAME: f64 = 1e-9;

/// In lengths along the motion, two-sided: how far from the exact time ours may be here.
const OURS: f64 = 1e-9;

/// In lengths: how deep shapes must meet for parry to see it.
const PEER_ROUNDS: f64 = 1e-6;

/// In lengths: how far a shape moves along an axis at most.
const MOTION: f64 = 3.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    BothClear,
    SameTime,
    /// They overlap before the motion begins: surefoot says so, parry says time 0.
    Overlapping,
    /// parry hits, surefoot is clear, and on all the way they touch and never overlap: along a face, or with the
    /// motion's end. Both are right.
    OnlyTouching,
    /// parry hits at time 0, surefoot is clear, and the shapes touch there and part. Both are right: parry is asked to
    /// stop at contact.
    Leaving,
    /// Both hit, surefoot at the exact time; parry's iteration stops elsewhere, at a place where the shapes are almost
    /// in contact.
    PeerIterates,
    /// surefoot hits at time 0, or all but 0, parry is clear: the shapes touch at the start, or are apart by roundings,
    /// and move into each other. surefoot is right; parry lets them through.
    PeerMissesContact,
    /// One hits, the other is clear; surefoot is right, and on their way the shapes are in each other, or apart, by so
    /// little that parry rounds over it.
    PeerGrazes,
    Unexplained,
}

/// The sweep of a moving hull as the witness sees it.
struct Exact<'a> {
    a: &'a Hull,
    b: &'a Hull,
    motion: DVec2,
}

impl Exact<'_> {
    /// At a distance along the motion, from before its begin to beyond its end.
    fn relation_at(&self, toi: f64, further: f64) -> Relation {
        self.a.moved(self.motion, &(q(toi) + q(further / self.motion.length()))).relation(self.b)
    }

    fn gap_at(&self, toi: f64) -> f64 {
        self.a.moved(self.motion, &q(toi)).gap(self.b)
    }

    /// The times at which two convex shapes overlap are one interval. It begins between a time without overlap and one
    /// with it. Where the shapes slide in along each other there may be none for longer; then the depth right after is
    /// next to none.
    fn is_time(&self, toi: f64) -> bool {
        let before = self.relation_at(toi, -OURS) != Relation::Overlapping;
        before && (self.relation_at(toi, OURS) == Relation::Overlapping || self.gap_at(toi).abs() <= OURS)
    }

    fn swept(&self) -> Hull {
        self.a.swept(self.motion, &q(1.0))
    }
}

fn judge(ours: Sweep, peer: Option<f64>, exact: &Exact<'_>) -> Verdict {
    let starts = exact.a.relation(exact.b);
    let meets = || exact.swept().relation(exact.b);
    let length = exact.motion.length();
    match (ours, peer) {
        (Sweep::Overlapping, _) if starts != Relation::Overlapping => Verdict::Unexplained,
        (Sweep::Overlapping, Some(0.0)) => Verdict::Overlapping,
        (Sweep::Overlapping, _) if exact.gap_at(0.0).abs() <= PEER_ROUNDS => Verdict::PeerGrazes,
        (Sweep::Hit(hit), _) if starts == Relation::Overlapping || !exact.is_time(hit.toi) => Verdict::Unexplained,
        (Sweep::Hit(hit), Some(toi)) if (hit.toi - toi).abs() * length <= SAME => Verdict::SameTime,
        (Sweep::Hit(_), Some(toi)) if exact.gap_at(toi).abs() <= PEER_ROUNDS => Verdict::PeerIterates,
        (Sweep::Hit(_), None) if exact.swept().gap(exact.b) >= -PEER_ROUNDS => Verdict::PeerGrazes,
        (Sweep::Hit(hit), None) if hit.toi * length <= SAME && exact.gap_at(0.0) <= SAME => Verdict::PeerMissesContact,
        (Sweep::Clear, _) if meets() == Relation::Overlapping => Verdict::Unexplained,
        (Sweep::Clear, None) => Verdict::BothClear,
        (Sweep::Clear, Some(0.0)) if starts == Relation::Touching => Verdict::Leaving,
        (Sweep::Clear, Some(_)) if meets() == Relation::Touching => Verdict::OnlyTouching,
        (Sweep::Clear, Some(_)) if exact.swept().gap(exact.b) <= PEER_ROUNDS => Verdict::PeerGrazes,
        _ => Verdict::Unexplained,
    }
}

fn compare<A: Both, B: Both>(tally: &mut Tally<Verdict>, sweep: impl Fn(&A, DVec2, &B) -> Sweep) {
    let pair = format!("{}, {}", A::NAME, B::NAME);
    for (index, mut draw) in draws(4, tally.scenes) {
        let (a, b, motion) = (A::draw(&mut draw), B::draw(&mut draw), draw.direction(MOTION));
        let ((pose_a, peer_a), (pose_b, peer_b)) = (a.peer(), b.peer());
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let peer = query::cast_shapes(&pose_a, vector(motion), &peer_a, &pose_b, Vector::ZERO, &peer_b, options)
            .unwrap()
            .map(|hit| hit.time_of_impact);
        let ours = sweep(&a, motion, &b);
        let agreed = match (ours, peer) {
            (Sweep::Clear, None) => Some(Verdict::BothClear),
            (Sweep::Hit(hit), Some(toi)) if (hit.toi - toi).abs() * motion.length() <= SAME => Some(Verdict::SameTime),
            (Sweep::Overlapping, Some(0.0)) => Some(Verdict::Overlapping),
            _ => None,
        };
        let (hull_a, hull_b) = (Hull::of(a.as_any()), Hull::of(b.as_any()));
        let exact = Exact { a: &hull_a, b: &hull_b, motion };
        let verdict = agreed.filter(|_| !index.is_multiple_of(SAMPLE)).unwrap_or_else(|| judge(ours, peer, &exact));
        assert!(
            verdict != Verdict::Unexplained,
            "{pair} {index}: {a:?}, {motion}, {b:?}: ours {ours:?}, parry {peer:?}; start {:?}, swept {:?}, gap at parry's {:e}",
            hull_a.relation(&hull_b),
            exact.swept().relation(&hull_b),
            exact.gap_at(peer.unwrap_or(1.0))
        );
        tally.add(&pair, verdict);
    }
}

fn circle<B: Both + Bounded>(tally: &mut Tally<Verdict>) {
    compare(tally, |a: &Circle, motion, b: &B| a.sweep(motion, b));
}

fn aabb<B: Both + Bounded>(tally: &mut Tally<Verdict>) {
    compare(tally, |a: &Aabb, motion, b: &B| a.sweep(motion, b));
}

#[test]
fn sweeps_agree() {
    let mut tally = Tally::of(14);
    for_kinds!(circle(&mut tally): Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon);
    for_kinds!(aabb(&mut tally): Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon);
    tally.print("sweep", &[Verdict::BothClear, Verdict::SameTime, Verdict::Overlapping]);
    let all = tally.scenes * 14;
    assert!(tally.count(Verdict::BothClear) * 10 > all && tally.count(Verdict::SameTime) * 10 > all);
    assert!(tally.count(Verdict::Overlapping) * 10 > all);
}

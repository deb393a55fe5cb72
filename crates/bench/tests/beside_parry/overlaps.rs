use crate::scenes::{PAIRS, SAMPLE, Tally, draws, for_each_pair};
use crate::witness::{Hull, Relation};
use parry2d_f64::query;
use surefoot_bench::geometry::shapes::Both;

/// In lengths: how near to touching shapes must be that parry takes for the other thing.
const PEER_ROUNDS: f64 = 1e-6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    BothOverlap,
    NeitherOverlaps,
    /// parry says yes, surefoot no, and the shapes share their boundaries alone. Both are right: parry asks whether
    /// closed shapes share a point, surefoot whether their interiors meet.
    Touching,
    /// parry says no, surefoot yes, or the other way round; surefoot is right, and the shapes are so near to touching
    /// that parry rounds over it.
    PeerRounds,
    Unexplained,
}

fn judge(ours: bool, peer: bool, a: &Hull, b: &Hull) -> Verdict {
    let relation = a.relation(b);
    if ours != (relation == Relation::Overlapping) {
        return Verdict::Unexplained;
    }
    match (ours, peer) {
        (true, true) => Verdict::BothOverlap,
        (false, false) => Verdict::NeitherOverlaps,
        (false, true) if relation == Relation::Touching => Verdict::Touching,
        _ if a.gap(b).abs() <= PEER_ROUNDS => Verdict::PeerRounds,
        _ => Verdict::Unexplained,
    }
}

fn compare<A: Both, B: Both>(tally: &mut Tally<Verdict>) {
    let pair = format!("{}, {}", A::NAME, B::NAME);
    for (index, mut draw) in draws(1, tally.scenes) {
        let (a, b) = (A::draw(&mut draw), B::draw(&mut draw));
        let ((pose_a, peer_a), (pose_b, peer_b)) = (a.peer(), b.peer());
        let peer = query::intersection_test(&pose_a, &peer_a, &pose_b, &peer_b).unwrap().intersecting;
        let ours = a.overlaps(&b);
        let verdict = if ours == peer && !index.is_multiple_of(SAMPLE) {
            if ours { Verdict::BothOverlap } else { Verdict::NeitherOverlaps }
        } else {
            judge(ours, peer, &Hull::of(a.as_any()), &Hull::of(b.as_any()))
        };
        let hulls = || (Hull::of(a.as_any()), Hull::of(b.as_any()));
        assert!(
            verdict != Verdict::Unexplained,
            "{pair} {index}: {a:?}, {b:?}: ours {ours}, parry {peer}, {:?}, gap {:e}",
            hulls().0.relation(&hulls().1),
            hulls().0.gap(&hulls().1)
        );
        tally.add(&pair, verdict);
    }
}

#[test]
fn overlaps_agree() {
    let mut tally = Tally::of(PAIRS);
    for_each_pair!(compare, &mut tally);
    tally.print("overlaps", &[Verdict::BothOverlap, Verdict::NeitherOverlaps]);
    let all = tally.scenes * PAIRS;
    assert!(tally.count(Verdict::BothOverlap) * 4 > all && tally.count(Verdict::NeitherOverlaps) * 4 > all);
    assert!(tally.count(Verdict::Touching) > 0 && tally.count(Verdict::PeerRounds) * 100 < all);
}

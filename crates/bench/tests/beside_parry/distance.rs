use crate::rational::to_f64;
use crate::scenes::{PAIRS, SAMPLE, Tally, draws, for_each_pair};
use crate::witness::Hull;
use parry2d_f64::query;
use surefoot_bench::geometry::shapes::Both;
use surefoot_geometry::tolerance;

/// In lengths, two-sided: what both may round in scenes of this size.
const SAME: f64 = 1e-13;

/// In lengths: what the scenes reach over at most, middles and extents together.
const SIZE: f64 = 6.0;

/// In lengths: how far parry's iteration may stop from the distance.
const PEER_ITERATES: f64 = 1e-6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Same,
    /// surefoot is right to [`tolerance::ROUNDING`]; parry's iteration stops before it has all digits.
    PeerIterates,
    Unexplained,
}

fn judge(ours: f64, peer: f64, a: &Hull, b: &Hull) -> Verdict {
    if !a.is_distance(b, ours, SIZE * tolerance::ROUNDING) {
        return Verdict::Unexplained;
    }
    let is_close = |error| a.is_distance(b, peer, error);
    if is_close(SAME) {
        Verdict::Same
    } else if is_close(PEER_ITERATES) {
        Verdict::PeerIterates
    } else {
        Verdict::Unexplained
    }
}

fn compare<A: Both, B: Both>(tally: &mut Tally<Verdict>) {
    let pair = format!("{}, {}", A::NAME, B::NAME);
    for (index, mut draw) in draws(2, tally.scenes) {
        let (a, b) = (A::draw(&mut draw), B::draw(&mut draw));
        let ((pose_a, peer_a), (pose_b, peer_b)) = (a.peer(), b.peer());
        let peer = query::distance(&pose_a, &peer_a, &pose_b, &peer_b).unwrap().distance;
        let ours = a.distance(&b);
        let verdict = if (ours - peer).abs() <= SAME && !index.is_multiple_of(SAMPLE) {
            Verdict::Same
        } else {
            judge(ours, peer, &Hull::of(a.as_any()), &Hull::of(b.as_any()))
        };
        let core = || to_f64(&Hull::of(a.as_any()).core_distance_sq(&Hull::of(b.as_any()))).sqrt();
        assert!(
            verdict != Verdict::Unexplained,
            "{pair} {index}: {a:?}, {b:?}: ours {ours:e}, parry {peer:e}, without radii {:e}",
            core()
        );
        tally.add(&pair, verdict);
    }
}

#[test]
fn distances_agree() {
    let mut tally = Tally::of(PAIRS);
    for_each_pair!(compare, &mut tally);
    tally.print("distance", &[Verdict::Same]);
    assert!(tally.count(Verdict::Same) * 4 > tally.scenes * PAIRS * 3);
}

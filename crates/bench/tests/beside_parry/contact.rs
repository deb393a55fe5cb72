use crate::rational::q;
use crate::scenes::{PAIRS, SAMPLE, Tally, draws, for_each_pair};
use crate::witness::{Hull, Relation};
use parry2d_f64::query;
use surefoot_bench::geometry::shapes::{Both, from_peer};
use surefoot_geometry::{Contact, DVec2, tolerance};

/// In lengths, two-sided: what both may round in scenes of this size.
const SAME: f64 = 1e-12;

/// Of unit normals, two-sided: their difference along an axis. A depth that is small is known to fewer digits than the
/// lengths that it comes from, and so is what is normalized by it.
const SAME_NORMAL: f64 = 1e-9;

/// In lengths: how far parry's iteration may stop from the depth, and how near to touching it decides as it likes.
const PEER_ROUNDS: f64 = 1e-6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    BothNone,
    Same,
    /// Both have the same depth, along different normals; along either of them the shapes come free. Both are right.
    OtherNormal,
    /// One has a contact, the other none, or parry has one of negative depth, and the shapes only touch. Both are
    /// right: with no margin asked for parry may say either, by the pair of shapes.
    Touching,
    /// The shapes are within rounding of touching, and parry takes one for the other.
    PeerGrazes,
    /// Both have a contact; surefoot's depth is exact, parry's is off by what its iteration leaves.
    PeerIterates,
    /// parry's depth is larger than the least that frees the shapes; surefoot's is the least.
    PeerNotLeast,
    /// parry's depth is too small: the shapes still overlap after it. surefoot's frees them.
    PeerTooShort,
    /// The shapes overlap, parry finds no contact, surefoot does.
    PeerMisses,
    Unexplained,
}

/// A contact as ours are: the normal from the second shape to the first.
#[derive(Clone, Copy, Debug)]
struct Peer {
    normal: DVec2,
    depth: f64,
}

/// Whether the shapes only touch, give or take, once the first has gone along the normal by the depth.
fn frees(a: &Hull, b: &Hull, normal: DVec2, depth: f64) -> bool {
    a.moved(normal, &q(depth)).gap(b).abs() <= SAME_NORMAL
}

fn judge(ours: Option<Contact>, peer: Option<Peer>, a: &Hull, b: &Hull) -> Verdict {
    let (relation, gap) = (a.relation(b), a.gap(b));
    let Some(ours) = ours else {
        return match (relation, peer) {
            (Relation::Overlapping, _) => Verdict::Unexplained,
            (_, None) => Verdict::BothNone,
            (Relation::Touching, _) => Verdict::Touching,
            _ if gap <= PEER_ROUNDS => Verdict::PeerGrazes,
            _ => Verdict::Unexplained,
        };
    };
    let is_right = match relation {
        Relation::Overlapping => ours.depth > 0.0,
        _ => ours.depth <= 0.0 && gap <= tolerance::TOUCH,
    };
    if !is_right || (ours.depth + gap).abs() > SAME || !frees(a, b, ours.normal, ours.depth) {
        return Verdict::Unexplained;
    }
    let Some(peer) = peer else {
        return match relation {
            Relation::Touching => Verdict::Touching,
            Relation::Apart => Verdict::BothNone,
            Relation::Overlapping if gap.abs() <= PEER_ROUNDS => Verdict::PeerGrazes,
            Relation::Overlapping => Verdict::PeerMisses,
        };
    };
    let is_same_normal = (ours.normal - peer.normal).abs().max_element() <= SAME_NORMAL;
    match peer.depth - ours.depth {
        off if off.abs() <= SAME && is_same_normal => Verdict::Same,
        _ if relation == Relation::Touching => Verdict::Touching,
        off if off.abs() <= SAME && frees(a, b, peer.normal, peer.depth) => Verdict::OtherNormal,
        _ if gap.abs() <= PEER_ROUNDS => Verdict::PeerGrazes,
        off if off.abs() <= PEER_ROUNDS => Verdict::PeerIterates,
        off if off > 0.0 => Verdict::PeerNotLeast,
        _ if a.moved(peer.normal, &q(peer.depth)).relation(b) == Relation::Overlapping => Verdict::PeerTooShort,
        _ => Verdict::Unexplained,
    }
}

fn compare<A: Both, B: Both>(tally: &mut Tally<Verdict>) {
    let pair = format!("{}, {}", A::NAME, B::NAME);
    for (index, mut draw) in draws(5, tally.scenes) {
        let (a, b) = (A::draw(&mut draw), B::draw(&mut draw));
        let ((pose_a, peer_a), (pose_b, peer_b)) = (a.peer(), b.peer());
        let peer = query::contact(&pose_a, &peer_a, &pose_b, &peer_b, 0.0).unwrap();
        let peer = peer.map(|peer| Peer { normal: -from_peer(peer.normal1), depth: -peer.dist });
        let ours = a.contact(&b);
        let agreed = match (ours, peer) {
            (None, None) => Some(Verdict::BothNone),
            (Some(ours), Some(peer))
                if (ours.depth - peer.depth).abs() <= SAME
                    && (ours.normal - peer.normal).abs().max_element() <= SAME_NORMAL =>
            {
                Some(Verdict::Same)
            }
            _ => None,
        };
        let (hull_a, hull_b) = (Hull::of(a.as_any()), Hull::of(b.as_any()));
        let verdict =
            agreed.filter(|_| !index.is_multiple_of(SAMPLE)).unwrap_or_else(|| judge(ours, peer, &hull_a, &hull_b));
        assert!(
            verdict != Verdict::Unexplained,
            "{pair} {index}: {a:?}, {b:?}: ours {ours:?}, parry {peer:?}; {:?}, gap {:e}",
            hull_a.relation(&hull_b),
            hull_a.gap(&hull_b)
        );
        tally.add(&pair, verdict);
    }
}

#[test]
fn contacts_agree() {
    let mut tally = Tally::of(PAIRS);
    for_each_pair!(compare, &mut tally);
    tally.print("contact", &[Verdict::BothNone, Verdict::Same]);
    let all = tally.scenes * PAIRS;
    assert!(tally.count(Verdict::BothNone) * 4 > all && tally.count(Verdict::Same) * 4 > all);
}

use crate::rational::q;
use crate::scenes::{SAMPLE, Tally, draws};
use crate::witness::{Hull, Relation};
use parry2d_f64::query::{Ray as PeerRay, RayCast};
use surefoot_bench::for_kinds;
use surefoot_bench::geometry::shapes::{Both, vector};
use surefoot_geometry::{Aabb, Capsule, Circle, ConvexPolygon, DVec2, Obb, Ray, Segment, Triangle};

/// In lengths along the ray, two-sided: how far apart two hits may be that are the same, and ours from the exact one.
const SAME: f64 = 1e-9;

/// In lengths: how deep a ray must go in for parry to see it, and how far its iteration may stop from the hit.
const PEER_ROUNDS: f64 = 1e-6;

/// How far the witness follows a ray, in its parameter: beyond all that there is even for the shortest direction.
const FAR: f64 = 16.0 * 1_048_576.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    BothMiss,
    Same,
    /// parry hits, surefoot misses, and the ray only touches the shape. Both are right.
    OnlyTouching,
    /// Both hit, surefoot exactly there; parry's rounding or iteration puts it elsewhere, near the boundary.
    PeerIterates,
    /// One hits, the other misses; surefoot is right, and the ray goes in, or past, by so little that parry rounds over
    /// it.
    PeerGrazes,
    Unexplained,
}

/// A ray as the witness sees it.
struct Exact<'a> {
    origin: Hull,
    along: DVec2,
    shape: &'a Hull,
}

impl Exact<'_> {
    fn relation_up_to(&self, toi: f64, further: f64) -> Relation {
        let part = q(toi) + q(further / self.along.length());
        self.origin.swept(self.along, &part.max(q(0.0))).relation(self.shape)
    }

    /// The way overlaps the shape from there on, and not before.
    fn is_time(&self, toi: f64) -> bool {
        let is_first = toi * self.along.length() <= SAME || self.relation_up_to(toi, -SAME) != Relation::Overlapping;
        is_first && self.relation_up_to(toi, SAME) == Relation::Overlapping
    }

    fn all(&self) -> Hull {
        self.origin.swept(self.along, &q(FAR))
    }
}

fn judge(ours: Option<f64>, peer: Option<f64>, exact: &Exact<'_>) -> Verdict {
    let relation = exact.all().relation(exact.shape);
    if ours.is_some() != (relation == Relation::Overlapping) || ours.is_some_and(|toi| !exact.is_time(toi)) {
        return Verdict::Unexplained;
    }
    let grazes = || exact.all().gap(exact.shape).abs() <= PEER_ROUNDS;
    match (ours, peer) {
        (None, None) => Verdict::BothMiss,
        (Some(ours), Some(peer)) if (ours - peer).abs() * exact.along.length() <= SAME => Verdict::Same,
        (None, Some(_)) if relation == Relation::Touching => Verdict::OnlyTouching,
        (Some(_), Some(peer)) if exact.origin.moved(exact.along, &q(peer)).gap(exact.shape).abs() <= PEER_ROUNDS => {
            Verdict::PeerIterates
        }
        (Some(_), None) | (None, Some(_)) if grazes() => Verdict::PeerGrazes,
        _ => Verdict::Unexplained,
    }
}

fn compare<A: Both>(tally: &mut Tally<Verdict>) {
    for (index, mut draw) in draws(6, tally.scenes) {
        let (a, origin, along) = (A::draw(&mut draw), draw.vector(3.0), draw.direction(1.0));
        let (pose, peer) = a.peer();
        let peer_ray = PeerRay::new(vector(origin), vector(along));
        let peer = peer.cast_ray(&pose, &peer_ray, f64::MAX, true);
        let ray = Ray::new(origin, origin + along).unwrap();
        let ours = a.cast_ray(&ray).map(|hit| hit.toi);
        let agreed = match (ours, peer) {
            (None, None) => Some(Verdict::BothMiss),
            (Some(ours), Some(peer)) if (ours - peer).abs() * along.length() <= SAME => Some(Verdict::Same),
            _ => None,
        };
        let shape = Hull::of(a.as_any());
        let exact = Exact { origin: Hull::point(origin), along, shape: &shape };
        let verdict = agreed.filter(|_| !index.is_multiple_of(SAMPLE)).unwrap_or_else(|| judge(ours, peer, &exact));
        assert!(
            verdict != Verdict::Unexplained,
            "{index}: {a:?}, {ray:?}: ours {ours:?}, parry {peer:?}; {:?}, gap {:e}",
            exact.all().relation(&shape),
            exact.all().gap(&shape)
        );
        tally.add(A::NAME, verdict);
    }
}

#[test]
fn rays_agree() {
    let mut tally = Tally::of(7);
    for_kinds!(compare(&mut tally): Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon);
    tally.print("cast_ray", &[Verdict::BothMiss, Verdict::Same]);
    let all = tally.scenes * 7;
    assert!(tally.count(Verdict::BothMiss) * 10 > all && tally.count(Verdict::Same) * 10 > all);
}

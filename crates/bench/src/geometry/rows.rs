//! The rows of the table: a query, a pair of shapes, and the call of each library.

use super::scenes::{self, AtPoint, Two};
use super::shapes::{Both, Supported, vector};
use crate::for_kinds;
use parry2d_f64::bounding_volume::{Aabb as PeerBox, BoundingVolume};
use parry2d_f64::query::{self, PointQuery, RayCast, ShapeCastHit, ShapeCastOptions, details};
use parry2d_f64::shape::Shape as PeerShape;
use std::hint::black_box;
use surefoot_geometry::{
    Aabb, AnyShape, Bounded, Capsule, Circle, ConvexPolygon, DVec2, Ends, Obb, Segment, Shape, Sweep, Triangle,
};

/// The library that runs a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// No library: the harness alone.
    Harness,
    /// surefoot, with kinds of shapes that are known at compile time.
    Ours,
    /// surefoot, with shapes of any kind. The call finds out the kinds.
    OursAny,
    /// parry's functions for any two shapes, as games call them.
    Peer,
    /// parry's function for these two kinds.
    PeerTyped,
}

impl Subject {
    /// All subjects, in the order in which they run.
    pub const ALL: [Subject; 5] =
        [Subject::Harness, Subject::Ours, Subject::OursAny, Subject::Peer, Subject::PeerTyped];
}

/// Runs the query of a subject on the scenes in turn. The number is the number of calls.
pub type Ask = Box<dyn Fn(Subject, usize)>;

/// One query on one pair of shapes.
pub struct Row {
    /// The name of the query.
    pub question: &'static str,
    /// The names of the shapes.
    pub pair: String,
    /// Largest allowed cost of surefoot, as a multiple of the cost of parry's function for any two shapes. `None`
    /// without a promise.
    pub limit: Option<f64>,
    /// Whether surefoot has the query for shapes of any kind.
    pub of_any: bool,
    /// Makes the scenes.
    pub make: Box<dyn Fn() -> Ask>,
}

/// The limit of overlap tests.
const OVERLAPS: f64 = 1.0;

/// The limit of sweeps against a segment.
const SWEEPS: f64 = 0.2;

/// Returns all rows of the table.
#[must_use]
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(overlaps());
    rows.extend(distances());
    rows.extend(contacts());
    rows.extend(points());
    rows.extend(rays());
    rows.extend(sweeps());
    rows
}

/// Returns a row of pairs that do not move.
fn still<A: Both, B: Both, T, U, V>(
    question: &'static str,
    limit: Option<f64>,
    ours: impl Fn(&A, &B) -> T + Copy + 'static,
    any: impl Fn(AnyShape<'_>, AnyShape<'_>) -> T + Copy + 'static,
    peer: impl Fn(&Two<A, B>) -> U + Copy + 'static,
    typed: impl Fn(&Two<A, B>) -> V + Copy + 'static,
) -> Row {
    let make = move || -> Ask {
        let scenes = scenes::pairs::<A, B>();
        Box::new(move |subject, count| match subject {
            Subject::Harness => repeat(&scenes, count, |_| ()),
            Subject::Ours => repeat(&scenes, count, |two| ours(&two.a, &two.b)),
            Subject::OursAny => repeat(&scenes, count, |two| any(black_box(two.a.as_any()), black_box(two.b.as_any()))),
            Subject::Peer => repeat(&scenes, count, peer),
            Subject::PeerTyped => repeat(&scenes, count, typed),
        })
    };
    Row { question, pair: format!("{}, {}", A::NAME, B::NAME), limit, of_any: true, make: Box::new(make) }
}

/// Calls a query on the scenes in turn.
fn repeat<S, T>(scenes: &[S], count: usize, ask: impl Fn(&S) -> T) {
    for scene in scenes.iter().cycle().take(count) {
        black_box(ask(black_box(scene)));
    }
}

fn overlap<A: Both, B: Both>(typed: impl Fn(&Two<A, B>) -> bool + Copy + 'static) -> Row {
    let peer = |two: &Two<A, B>| {
        query::intersection_test(&two.pose_a, &two.peer_a, &two.pose_b, &two.peer_b)
            .is_ok_and(|found| found.intersecting)
    };
    still("overlaps", Some(OVERLAPS), |a: &A, b: &B| a.overlaps(b), |a, b| a.overlaps(&b), peer, typed)
}

fn gjk_overlap<A: Supported, B: Supported>() -> Row {
    overlap::<A, B>(|two| details::intersection_test_support_map_support_map(&two.between(), &two.peer_a, &two.peer_b))
}

fn ball_overlap<B: Both>() -> Row {
    overlap::<Circle, B>(|two| {
        details::intersection_test_ball_point_query(&two.between(), &two.peer_a, &two.peer_b).intersecting
    })
}

fn overlaps() -> Vec<Row> {
    let peer_box = |aabb: &Aabb| PeerBox::new(vector(aabb.min()), vector(aabb.max()));
    let mut rows = vec![overlap::<Circle, Circle>(|two| {
        let apart = two.pose_b.translation - two.pose_a.translation;
        details::intersection_test_ball_ball(apart, &two.peer_a, &two.peer_b)
    })];
    rows.extend(for_kinds!(ball_overlap(): Segment, Aabb, Obb, Capsule, Triangle, ConvexPolygon));
    rows.extend([
        overlap::<Aabb, Aabb>(move |two| peer_box(&two.a).intersects(&peer_box(&two.b))),
        overlap::<Aabb, Obb>(|two| details::intersection_test_cuboid_cuboid(&two.between(), &two.peer_a, &two.peer_b)),
        overlap::<Obb, Obb>(|two| details::intersection_test_cuboid_cuboid(&two.between(), &two.peer_a, &two.peer_b)),
        overlap::<Aabb, Segment>(move |two| {
            details::intersection_test_cuboid_segment(&two.between(), &two.peer_a, &two.peer_b)
        }),
        overlap::<Aabb, Triangle>(|two| {
            details::intersection_test_cuboid_triangle(&two.between(), &two.peer_a, &two.peer_b)
        }),
        overlap::<Obb, Triangle>(|two| {
            details::intersection_test_cuboid_triangle(&two.between(), &two.peer_a, &two.peer_b)
        }),
        gjk_overlap::<Segment, Segment>(),
        gjk_overlap::<Capsule, Capsule>(),
        gjk_overlap::<Triangle, Triangle>(),
        gjk_overlap::<ConvexPolygon, ConvexPolygon>(),
        gjk_overlap::<ConvexPolygon, Segment>(),
    ]);
    rows
}

fn distance<A: Both, B: Both>(typed: impl Fn(&Two<A, B>) -> f64 + Copy + 'static) -> Row {
    let peer = |two: &Two<A, B>| {
        query::distance(&two.pose_a, &two.peer_a, &two.pose_b, &two.peer_b).map_or(f64::NAN, |found| found.distance)
    };
    still("distance", None, |a: &A, b: &B| a.distance(b), |a, b| a.distance(&b), peer, typed)
}

fn gjk_distance<A: Supported, B: Supported>() -> Row {
    distance::<A, B>(|two| details::distance_support_map_support_map(&two.between(), &two.peer_a, &two.peer_b))
}

fn ball_distance<B: Both>() -> Row {
    distance::<Circle, B>(|two| details::distance_ball_convex_polyhedron(&two.between(), &two.peer_a, &two.peer_b))
}

fn distances() -> Vec<Row> {
    let mut rows = vec![distance::<Circle, Circle>(|two| {
        let apart = two.pose_b.translation - two.pose_a.translation;
        details::distance_ball_ball(&two.peer_a, apart, &two.peer_b)
    })];
    rows.extend(for_kinds!(ball_distance(): Segment, Aabb, Obb, Capsule, Triangle, ConvexPolygon));
    rows.extend([
        distance::<Aabb, Aabb>(|two| details::distance_cuboid_cuboid(&two.between(), &two.peer_a, &two.peer_b)),
        distance::<Aabb, Obb>(|two| details::distance_cuboid_cuboid(&two.between(), &two.peer_a, &two.peer_b)),
        distance::<Obb, Obb>(|two| details::distance_cuboid_cuboid(&two.between(), &two.peer_a, &two.peer_b)),
        gjk_distance::<Aabb, Segment>(),
        gjk_distance::<Aabb, Triangle>(),
        gjk_distance::<Obb, Triangle>(),
        distance::<Segment, Segment>(|two| details::distance_segment_segment(&two.between(), &two.peer_a, &two.peer_b)),
        gjk_distance::<Capsule, Capsule>(),
        gjk_distance::<Triangle, Triangle>(),
        gjk_distance::<ConvexPolygon, ConvexPolygon>(),
        gjk_distance::<ConvexPolygon, Segment>(),
    ]);
    rows
}

fn contact<A: Both, B: Both>(typed: impl Fn(&Two<A, B>) -> Option<query::Contact> + Copy + 'static) -> Row {
    let peer = |two: &Two<A, B>| query::contact(&two.pose_a, &two.peer_a, &two.pose_b, &two.peer_b, 0.0).ok().flatten();
    still("contact", None, |a: &A, b: &B| a.contact(b), |a, b| a.contact(&b), peer, typed)
}

fn epa_contact<A: Supported, B: Supported>() -> Row {
    contact::<A, B>(|two| details::contact_support_map_support_map(&two.between(), &two.peer_a, &two.peer_b, 0.0))
}

fn ball_contact<B: Both>() -> Row {
    contact::<Circle, B>(|two| details::contact_ball_convex_polyhedron(&two.between(), &two.peer_a, &two.peer_b, 0.0))
}

fn contacts() -> Vec<Row> {
    let mut rows = vec![contact::<Circle, Circle>(|two| {
        details::contact_ball_ball(&two.between(), &two.peer_a, &two.peer_b, 0.0)
    })];
    rows.extend(for_kinds!(ball_contact(): Segment, Aabb, Obb, Capsule, Triangle, ConvexPolygon));
    rows.extend([
        contact::<Aabb, Aabb>(|two| details::contact_cuboid_cuboid(&two.between(), &two.peer_a, &two.peer_b, 0.0)),
        contact::<Aabb, Obb>(|two| details::contact_cuboid_cuboid(&two.between(), &two.peer_a, &two.peer_b, 0.0)),
        contact::<Obb, Obb>(|two| details::contact_cuboid_cuboid(&two.between(), &two.peer_a, &two.peer_b, 0.0)),
        epa_contact::<Aabb, Segment>(),
        epa_contact::<Aabb, Triangle>(),
        epa_contact::<Obb, Triangle>(),
        epa_contact::<Segment, Segment>(),
        epa_contact::<Capsule, Capsule>(),
        epa_contact::<Triangle, Triangle>(),
        epa_contact::<ConvexPolygon, ConvexPolygon>(),
        epa_contact::<ConvexPolygon, Segment>(),
    ]);
    rows
}

/// Returns a row of a shape and a point.
fn at_point<A: Both, T, U>(
    question: &'static str,
    ours: impl Fn(&A, DVec2) -> T + Copy + 'static,
    any: impl Fn(AnyShape<'_>, DVec2) -> T + Copy + 'static,
    peer: impl Fn(&dyn PeerShape, &AtPoint<A>) -> U + Copy + 'static,
    typed: impl Fn(&AtPoint<A>) -> U + Copy + 'static,
) -> Row {
    let make = move || -> Ask {
        let scenes = scenes::points::<A>();
        Box::new(move |subject, count| match subject {
            Subject::Harness => repeat(&scenes, count, |_| ()),
            Subject::Ours => repeat(&scenes, count, |at| ours(&at.a, at.point)),
            Subject::OursAny => repeat(&scenes, count, |at| any(black_box(at.a.as_any()), at.point)),
            Subject::Peer => repeat(&scenes, count, |at| peer(black_box(&at.peer), at)),
            Subject::PeerTyped => repeat(&scenes, count, typed),
        })
    };
    Row { question, pair: format!("{}, point", A::NAME), limit: None, of_any: true, make: Box::new(make) }
}

fn contains<A: Both>() -> Row {
    at_point(
        "contains",
        |a: &A, point| a.contains(point),
        |a, point| a.contains(point),
        |peer, at| peer.contains_point(&at.pose, at.peer_point),
        |at| at.peer.contains_point(&at.pose, at.peer_point),
    )
}

fn closest<A: Both>() -> Row {
    at_point(
        "closest_point",
        |a: &A, point| a.closest_point(point),
        |a, point| a.closest_point(point),
        |peer, at| peer.project_point(&at.pose, at.peer_point, true),
        |at| at.peer.project_point(&at.pose, at.peer_point, true),
    )
}

fn points() -> Vec<Row> {
    let contains = for_kinds!(contains(): Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon);
    contains
        .into_iter()
        .chain(for_kinds!(closest(): Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon))
        .collect()
}

/// Returns a row of a shape and a ray.
fn cast<A: Both>() -> Row {
    let make = move || -> Ask {
        let scenes = scenes::rays::<A>();
        Box::new(move |subject, count| match subject {
            Subject::Harness => repeat(&scenes, count, |_| ()),
            Subject::Ours => repeat(&scenes, count, |at| at.a.cast_ray(&at.ray)),
            Subject::OursAny => repeat(&scenes, count, |at| black_box(at.a.as_any()).cast_ray(&at.ray)),
            Subject::Peer => repeat(&scenes, count, |at| {
                let peer: &dyn PeerShape = black_box(&at.peer);
                peer.cast_ray_and_get_normal(&at.pose, &at.peer_ray, f64::MAX, true)
            }),
            Subject::PeerTyped => {
                repeat(&scenes, count, |at| at.peer.cast_ray_and_get_normal(&at.pose, &at.peer_ray, f64::MAX, true));
            }
        })
    };
    Row { question: "cast_ray", pair: format!("{}, ray", A::NAME), limit: None, of_any: true, make: Box::new(make) }
}

fn rays() -> Vec<Row> {
    for_kinds!(cast(): Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon).into()
}

fn peer_sweep<A: Both, B: Both>(two: &Two<A, B>) -> Option<ShapeCastHit> {
    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
    let still = parry2d_f64::math::Vector::ZERO;
    query::cast_shapes(&two.pose_a, two.peer_motion, &two.peer_a, &two.pose_b, still, &two.peer_b, options)
        .expect("parry casts these shapes")
}

/// Returns a row of a moving shape and one that does not move.
fn sweep<A: Both, B: Both>(
    question: &'static str,
    limit: Option<f64>,
    ours: impl Fn(&Two<A, B>) -> Sweep + Copy + 'static,
    typed: impl Fn(&Two<A, B>, ShapeCastOptions) -> Option<ShapeCastHit> + Copy + 'static,
) -> Row {
    let make = move || -> Ask {
        let scenes = scenes::sweeps::<A, B>(|two| peer_sweep(two).is_some());
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        Box::new(move |subject, count| match subject {
            Subject::Harness => repeat(&scenes, count, |_| ()),
            Subject::Ours | Subject::OursAny => repeat(&scenes, count, ours),
            Subject::Peer => repeat(&scenes, count, peer_sweep),
            Subject::PeerTyped => repeat(&scenes, count, |two| typed(two, options)),
        })
    };
    Row { question, pair: format!("{}, {}", A::NAME, B::NAME), limit, of_any: false, make: Box::new(make) }
}

fn gjk_cast<A: Supported, B: Supported>(two: &Two<A, B>, options: ShapeCastOptions) -> Option<ShapeCastHit> {
    let motion = -(two.pose_a.rotation.inverse() * two.peer_motion);
    details::cast_shapes_support_map_support_map(&two.between(), motion, &two.peer_a, &two.peer_b, options)
}

fn circle_sweep<B: Supported + Bounded>(limit: Option<f64>) -> Row {
    sweep("sweep", limit, |two: &Two<Circle, B>| two.a.sweep(two.motion, &two.b), gjk_cast)
}

fn box_sweep<B: Supported + Bounded>(limit: Option<f64>) -> Row {
    sweep("sweep", limit, |two: &Two<Aabb, B>| two.a.sweep(two.motion, &two.b), gjk_cast)
}

fn sweeps() -> Vec<Row> {
    let mut rows = vec![
        circle_sweep::<Segment>(Some(SWEEPS)),
        sweep(
            "sweep_one_sided",
            Some(SWEEPS),
            |two: &Two<Circle, Segment>| two.a.sweep_one_sided(two.motion, &two.b, Ends::BOTH),
            gjk_cast,
        ),
        sweep(
            "sweep",
            None,
            |two: &Two<Circle, Circle>| two.a.sweep(two.motion, &two.b),
            |two, options| {
                details::cast_shapes_ball_ball(&two.between(), -two.peer_motion, &two.peer_a, &two.peer_b, options)
            },
        ),
    ];
    rows.extend(for_kinds!(circle_sweep(None): Aabb, Obb, Capsule, Triangle, ConvexPolygon));
    rows.extend([
        box_sweep::<Segment>(Some(SWEEPS)),
        sweep(
            "sweep_one_sided",
            Some(SWEEPS),
            |two: &Two<Aabb, Segment>| two.a.sweep_one_sided(two.motion, &two.b, Ends::BOTH),
            gjk_cast,
        ),
    ]);
    rows.extend(for_kinds!(box_sweep(None): Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon));
    rows
}

//! Random scenes; half of them are hits.

use super::shapes::{Both, Draw, from_peer, vector};
use crate::random::Random;
use parry2d_f64::math::{Pose, Vector};
use parry2d_f64::query::{self, PointQuery, RayCast};
use surefoot_geometry::{DVec2, Ray};

/// Number of scenes of each kind.
pub const SCENES: usize = 1024;

/// Grid of the coordinates.
const GRAIN: f64 = 1.0 / 1024.0;

/// Maximum motion of a shape along an axis.
const MOTION: f64 = 4.0;

/// Minimum distance of shapes before one of them moves.
const CLEAR: f64 = 0.01;

/// Two shapes, for both libraries.
#[derive(Clone, Debug)]
pub struct Two<A: Both, B: Both> {
    /// The first shape, which moves.
    pub a: A,
    /// The second shape.
    pub b: B,
    /// Pose of parry's first shape.
    pub pose_a: Pose,
    /// Pose of parry's second shape.
    pub pose_b: Pose,
    /// parry's first shape.
    pub peer_a: A::Peer,
    /// parry's second shape.
    pub peer_b: B::Peer,
    /// Motion of the first shape.
    pub motion: DVec2,
    /// The motion for parry.
    pub peer_motion: Vector,
}

/// A shape and a point.
#[derive(Clone, Debug)]
pub struct AtPoint<A: Both> {
    /// The shape.
    pub a: A,
    /// Pose of parry's shape.
    pub pose: Pose,
    /// parry's shape.
    pub peer: A::Peer,
    /// The point.
    pub point: DVec2,
    /// The point for parry.
    pub peer_point: Vector,
}

/// A shape and a ray.
#[derive(Clone, Debug)]
pub struct AtRay<A: Both> {
    /// The shape.
    pub a: A,
    /// Pose of parry's shape.
    pub pose: Pose,
    /// parry's shape.
    pub peer: A::Peer,
    /// The ray.
    pub ray: Ray,
    /// The ray for parry.
    pub peer_ray: query::Ray,
}

impl<A: Both, B: Both> Two<A, B> {
    /// Returns random shapes and a random motion.
    pub fn draw(draw: &mut Draw) -> Two<A, B> {
        let (a, b, motion) = (A::draw(draw), B::draw(draw), draw.direction(MOTION));
        let ((pose_a, peer_a), (pose_b, peer_b)) = (a.peer(), b.peer());
        Two { a, b, pose_a, pose_b, peer_a, peer_b, motion, peer_motion: vector(motion) }
    }

    /// Returns the pose of the second shape in the frame of the first.
    #[inline]
    pub fn between(&self) -> Pose {
        self.pose_a.inv_mul(&self.pose_b)
    }

    /// Returns whether the shapes overlap, by parry.
    pub fn peers_meet(&self) -> bool {
        query::intersection_test(&self.pose_a, &self.peer_a, &self.pose_b, &self.peer_b)
            .is_ok_and(|found| found.intersecting)
    }

    /// Returns whether the shapes are apart at the start, by parry.
    pub fn starts_clear(&self) -> bool {
        query::distance(&self.pose_a, &self.peer_a, &self.pose_b, &self.peer_b).expect("parry knows them").distance
            > CLEAR
    }
}

impl<A: Both> AtPoint<A> {
    /// Returns a random shape and point.
    pub fn draw(draw: &mut Draw) -> AtPoint<A> {
        let (a, point) = (A::draw(draw), draw.vector(2.0));
        let (pose, peer) = a.peer();
        AtPoint { a, pose, peer, point, peer_point: vector(point) }
    }
}

impl<A: Both> AtRay<A> {
    /// Returns a random shape and ray.
    pub fn draw(draw: &mut Draw) -> AtRay<A> {
        let (a, origin, along) = (A::draw(draw), draw.vector(3.0), draw.direction(1.0));
        let (pose, peer) = a.peer();
        let ray = Ray::new(origin, origin + along).expect("it has a direction");
        let peer_ray = query::Ray::new(vector(origin), vector(along));
        debug_assert!(from_peer(peer_ray.dir) == ray.through() - ray.origin());
        AtRay { a, pose, peer, ray, peer_ray }
    }
}

/// Returns pairs of which half overlap.
#[must_use]
pub fn pairs<A: Both, B: Both>() -> Vec<Two<A, B>> {
    halved(Two::draw, Two::peers_meet)
}

/// Returns pairs that are apart. In half of them, the first shape hits the second one.
#[must_use]
pub fn sweeps<A: Both, B: Both>(meets: impl Fn(&Two<A, B>) -> bool) -> Vec<Two<A, B>> {
    let clear = |draw: &mut Draw| {
        std::iter::repeat_with(|| Two::draw(draw)).find(Two::starts_clear).expect("some pairs are apart")
    };
    halved(clear, meets)
}

/// Returns points of which half are in the shape, if the shape has an area.
#[must_use]
pub fn points<A: Both>() -> Vec<AtPoint<A>> {
    let mut inside = false;
    halved(AtPoint::draw, |scene: &AtPoint<A>| {
        inside = !inside;
        if A::HAS_AREA { scene.peer.contains_point(&scene.pose, scene.peer_point) } else { inside }
    })
}

/// Returns rays of which half hit the shape.
#[must_use]
pub fn rays<A: Both>() -> Vec<AtRay<A>> {
    halved(AtRay::draw, |scene: &AtRay<A>| scene.peer.intersects_ray(&scene.pose, &scene.peer_ray, f64::MAX))
}

/// Returns the first scenes of which half are hits.
fn halved<S>(mut draw: impl FnMut(&mut Draw) -> S, mut hits: impl FnMut(&S) -> bool) -> Vec<S> {
    let mut draws = Draw { random: Random(0x5EED), grain: GRAIN };
    let (mut left, mut scenes) = ([SCENES / 2; 2], Vec::with_capacity(SCENES));
    while left != [0, 0] {
        let scene = draw(&mut draws);
        let left = &mut left[usize::from(hits(&scene))];
        if *left > 0 {
            *left -= 1;
            scenes.push(scene);
        }
    }
    scenes
}

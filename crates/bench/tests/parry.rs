//! The sweeps of surefoot beside the shape casts of parry2d, scene by scene.
//!
//! parry's segments have two sides and its times come from an iteration, so only scenes are compared that mean the same
//! to both: the mover starts clear of the segment, wholly in front of its line, and moves against its normal. Every
//! disagreement must be of a kind that is understood; the kinds are the variants of [`TickComparison`].

use parry2d_f64::math::{Pose, Vector};
use parry2d_f64::query::{self, ShapeCastOptions};
use parry2d_f64::shape::{Ball, Cuboid, Segment as PeerSegment, Shape};
use std::collections::BTreeMap;
use surefoot_bench::random::Random;
use surefoot_geometry::exact::{Edge, EdgeEnd, sweep_box, sweep_circle};
use surefoot_geometry::{Aabb, Circle, DVec2, Ends, I64Vec2, ONE, Position, Segment, Sweep, to_lengths};

const SCENES: u64 = 300_000;
/// In lengths, two-sided: how far along the path parry's time may be off. Its iteration stops at a relative 5e-8 of the
/// sizes involved (the square root of ten machine epsilons), and nearly parallel motion magnifies that.
const ALONG: f64 = 1e-6;
/// In lengths: how deep a mover must go in for both to have to see it, by the same measure.
const GRAZE: f64 = 1e-6;
/// In lengths: the start is clear of the segment by more than that. At contact parry answers with overlap at time 0.
const CLEAR: f64 = 1e-3;

/// How two answers about one scene compare, and which is right where they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    BothClear,
    SameTime,
    /// parry hits, surefoot is clear: the contact is an end point met from behind the line, outside the quarter turn of
    /// normals. Both are right; the segment has one side here.
    OneSided,
    /// parry hits, the exact sweep is clear: the side of a box meets the end of a free edge along an axis. Both are
    /// right: to the engine a one-way platform has no side.
    NoSide,
    /// One hits, the other is clear: a mover smaller by [`GRAZE`] is clear and a larger one hits. Too close for parry.
    Graze,
    Unexplained,
}

#[derive(Clone, Copy, Debug)]
struct Scene {
    round: bool,
    center: I64Vec2,
    half: I64Vec2,
    motion: I64Vec2,
    a: I64Vec2,
    b: I64Vec2,
}

impl Scene {
    fn normal(&self) -> DVec2 {
        to_lengths(self.b - self.a).perp().normalize()
    }

    fn half(&self) -> DVec2 {
        to_lengths(self.half)
    }

    fn at(&self, time: f64) -> DVec2 {
        to_lengths(self.center) + to_lengths(self.motion) * time
    }

    /// How far the mover, there, is in front of the segment's line.
    fn height(&self, time: f64) -> f64 {
        let normal = self.normal();
        let reach = if self.round { self.half().x } else { self.half().dot(normal.abs()) };
        (self.at(time) - to_lengths(self.a)).dot(normal) - reach
    }

    fn float(&self, larger_by: f64) -> Sweep {
        let segment = Segment::new(to_lengths(self.a), to_lengths(self.b)).unwrap();
        let (center, half, motion) = (self.at(0.0), self.half() + larger_by, to_lengths(self.motion));
        if self.round {
            Circle::new(center, half.x).unwrap().sweep_one_sided(motion, &segment, Ends::BOTH)
        } else {
            Aabb::from_center(center, half).unwrap().sweep_one_sided(motion, &segment, Ends::BOTH)
        }
    }

    fn exact(&self) -> Sweep<f64> {
        let place = |units: I64Vec2| Position::from_units(units.x, units.y).unwrap();
        let edge = Edge::new(place(self.a), place(self.b)).unwrap().with_ends(EdgeEnd::Free, EdgeEnd::Free);
        if self.round {
            times(sweep_circle(place(self.center), self.half.x, self.motion, &edge), |hit| hit.toi)
        } else {
            times(sweep_box(place(self.center), self.half, self.motion, &edge), |hit| hit.toi.to_f64())
        }
    }

    fn peer_shapes(&self) -> (Box<dyn Shape>, PeerSegment) {
        let half = self.half();
        let mover: Box<dyn Shape> =
            if self.round { Box::new(Ball::new(half.x)) } else { Box::new(Cuboid::new(Vector::new(half.x, half.y))) };
        let end = |units| Vector::from(<[f64; 2]>::from(to_lengths(units)));
        (mover, PeerSegment::new(end(self.a), end(self.b)))
    }

    fn peer(&self) -> Option<f64> {
        let (mover, segment) = self.peer_shapes();
        let (at, motion) = (self.at(0.0), to_lengths(self.motion));
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let pose = Pose::translation(at.x, at.y);
        let motion = Vector::new(motion.x, motion.y);
        query::cast_shapes(&pose, motion, mover.as_ref(), &Pose::IDENTITY, Vector::ZERO, &segment, options)
            .expect("parry casts these shapes")
            .map(|hit| hit.time_of_impact)
    }

    /// The distance as parry measures it.
    fn distance(&self, time: f64) -> f64 {
        let ((mover, segment), at) = (self.peer_shapes(), self.at(time));
        query::distance(&Pose::translation(at.x, at.y), mover.as_ref(), &Pose::IDENTITY, &segment).unwrap().distance
    }

    fn judge(&self, ours: Sweep<f64>, peer: Option<f64>, is_exact: bool) -> Verdict {
        let length = to_lengths(self.motion).length();
        let from_behind = |time: f64| {
            // The end point lies at or past the middle of the circle, or at the side of the box that faces the normal.
            if self.round { self.height(time) + self.half().x < GRAZE } else { self.met_from_behind(time) }
        };
        match (ours, peer) {
            (Sweep::Clear, None) => Verdict::BothClear,
            (Sweep::Hit(ours), Some(peer)) if (ours - peer).abs() * length <= ALONG => Verdict::SameTime,
            (Sweep::Clear, Some(time)) if from_behind(time) => Verdict::OneSided,
            (Sweep::Clear, Some(_)) if is_exact && !self.round && self.along_axis() => Verdict::NoSide,
            (Sweep::Hit(_), None) | (Sweep::Clear, Some(_)) if self.is_graze() => Verdict::Graze,
            _ => Verdict::Unexplained,
        }
    }

    fn along_axis(&self) -> bool {
        self.a.x == self.b.x || self.a.y == self.b.y
    }

    /// Whether the box, there, has an end point on a side that faces along the segment's normal.
    fn met_from_behind(&self, time: f64) -> bool {
        let (normal, half) = (self.normal(), self.half());
        [self.a, self.b].into_iter().any(|end| {
            let from = self.at(time) - to_lengths(end);
            let on_side = |along: f64, half: f64, across: f64, other: f64, normal: f64| {
                (along.abs() - half).abs() <= ALONG && across.abs() <= other + ALONG && along * normal < 0.0
            };
            on_side(from.x, half.x, from.y, half.y, normal.x) || on_side(from.y, half.y, from.x, half.x, normal.y)
        })
    }

    fn is_graze(&self) -> bool {
        let (smaller, larger) = (self.float(-GRAZE), self.float(GRAZE));
        (smaller == Sweep::Clear) != (larger == Sweep::Clear)
    }
}

fn times<H>(sweep: Sweep<H>, toi: impl Fn(H) -> f64) -> Sweep<f64> {
    match sweep {
        Sweep::Clear => Sweep::Clear,
        Sweep::Overlapping => Sweep::Overlapping,
        Sweep::Hit(hit) => Sweep::Hit(toi(hit)),
    }
}

/// Random scenes.
struct Scenes(Random);

impl Scenes {
    /// In `from..=to`.
    fn range(&mut self, from: i64, to: i64) -> i64 {
        from + self.0.below((to - from) as u64 + 1) as i64
    }

    fn vector(&mut self, reach: i64, step: i64) -> I64Vec2 {
        I64Vec2::new(self.range(-reach, reach), self.range(-reach, reach)) * step
    }

    fn scene(&mut self, round: bool) -> Scene {
        loop {
            let a = self.vector(64, ONE / 16);
            let along = match self.range(0, 3) {
                0 => I64Vec2::new(self.range(-64, 64), 0),
                1 => I64Vec2::new(0, self.range(-64, 64)),
                _ => self.vector(64, 1),
            };
            let b = a + along * (ONE / 16);
            let fine = ONE / 1000;
            let half = I64Vec2::new(self.range(50, 1500), self.range(50, 1500)) * fine;
            let center = self.vector(12_000, fine);
            // Aim at a point of the segment, or next to one of its ends.
            let target = a + (b - a) / 8 * self.range(-1, 9) + self.vector(1500, fine);
            let motion = (target - center) * self.range(1, 6) / 4;
            let scene = Scene { round, center, half, motion, a, b };
            let comparable = a != b
                && motion != I64Vec2::ZERO
                && scene.height(0.0) > 0.0
                && to_lengths(motion).dot(scene.normal()) < 0.0
                && scene.distance(0.0) > CLEAR;
            if comparable {
                return scene;
            }
        }
    }
}

fn compare(round: bool, seed: u64) {
    let mut random = Scenes(Random(seed));
    let mut verdicts = BTreeMap::new();
    for index in 0..SCENES {
        let scene = random.scene(round);
        let peer = scene.peer();
        let float = times(scene.float(0.0), |hit| hit.toi);
        for (name, ours) in [("f64", float), ("exact", scene.exact())] {
            let verdict = scene.judge(ours, peer, name == "exact");
            *verdicts.entry((name, verdict)).or_insert(0_u64) += 1;
            assert!(
                verdict != Verdict::Unexplained,
                "{name} {index}: {scene:?}: {ours:?}, parry {peer:?}; apart by {} at parry's time",
                scene.distance(peer.unwrap_or(1.0))
            );
        }
    }
    let count = |name, verdict| verdicts.get(&(name, verdict)).copied().unwrap_or(0);
    println!("{}: {verdicts:#?}", if round { "circles" } else { "boxes" });
    for name in ["f64", "exact"] {
        assert!(count(name, Verdict::SameTime) * 4 > SCENES && count(name, Verdict::BothClear) * 10 > SCENES);
        assert!(count(name, Verdict::Graze) * 1000 < SCENES);
    }
}

#[test]
fn circles_agree_with_balls() {
    compare(true, 1);
}

#[test]
fn boxes_agree_with_cuboids() {
    compare(false, 2);
}

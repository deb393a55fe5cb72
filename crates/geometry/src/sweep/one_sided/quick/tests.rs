//! Compares the sweep in f64 (quick) with the sweep in pairs of f64 (careful) on random and degenerate scenes.

use super::super::{Ends, aabb, circle};
use super::{ACCURACY, ONE_SIDED_SLOP, sweep_aabb, sweep_circle};
use crate::shapes::{Aabb, Circle, Segment};
use crate::sweep::Sweep;
use crate::testing::Random;
use crate::tolerance::PARALLEL;
use glam::{DVec2, dvec2};

/// Two-sided bound along the path and for normal components: the error bound of the quick sweep, and the rounding of
/// the careful one.
const CLOSE: f64 = 1.5 * ACCURACY;

/// Number of scenes to compare. `SUREFOOT_SCENES` overrides it.
fn scenes(everyday: u64) -> u64 {
    std::env::var("SUREFOOT_SCENES").map_or(everyday, |count| count.parse().expect("SUREFOOT_SCENES is a number"))
}

#[derive(Debug)]
struct Scene {
    center: DVec2,
    half: DVec2,
    motion: DVec2,
    edge: Segment,
    ends: Ends,
}

/// Returns the results of the quick and the careful sweep.
fn both_ways(scene: &Scene, round: bool) -> (Option<Sweep>, Sweep) {
    let Scene { center, half, motion, edge, ends } = scene;
    if round {
        let ball = Circle::new(*center, half.x).unwrap();
        (sweep_circle(&ball, *motion, edge, *ends), circle::sweep_in_double_double(&ball, *motion, edge, *ends))
    } else {
        let block = Aabb::from_center(*center, *half).unwrap();
        (sweep_aabb(&block, *motion, edge, *ends), aabb::sweep_in_double_double(&block, *motion, edge, *ends))
    }
}

fn agree(quick: &Sweep, careful: &Sweep, path: f64) -> bool {
    // The hit point is a sum of three numbers. Both sweeps round it twice.
    let close = |point: DVec2| CLOSE + 2.0 * f64::EPSILON * (point.abs().max_element() + 1.0);
    match (quick, careful) {
        (Sweep::Hit(quick), Sweep::Hit(careful)) => {
            (quick.toi - careful.toi).abs() * path <= CLOSE
                && quick.normal.abs_diff_eq(careful.normal, CLOSE)
                && quick.point.abs_diff_eq(careful.point, close(careful.point))
        }
        (quick, careful) => quick == careful,
    }
}

/// Compares `count` scenes. Returns how many the quick sweep leaves in doubt, how many hit, and how many overlap.
fn compare(count: u64, round: bool, mut next: impl FnMut() -> Scene) -> [u64; 3] {
    let (mut doubts, mut hits, mut overlaps) = (0, 0, 0);
    for index in 0..count {
        let scene = next();
        let (quick, careful) = both_ways(&scene, round);
        hits += u64::from(careful.hit().is_some());
        overlaps += u64::from(careful == Sweep::Overlapping);
        let Some(quick) = quick else {
            doubts += 1;
            continue;
        };
        let agrees = agree(&quick, &careful, scene.motion.length());
        assert!(agrees, "round: {round}, scene {index}: {scene:?}\nquick {quick:?}\ncareful {careful:?}");
    }
    println!("round: {round}: {count} scenes, {doubts} in doubt, {hits} hits, {overlaps} overlaps");
    [doubts, hits, overlaps]
}

#[test]
fn both_ways_agree() {
    for round in [true, false] {
        let mut random = Scenes(Random(17));
        let count = scenes(50_000);
        let [doubts, hits, overlaps] = compare(count, round, || random.degenerate());
        // The scenes must be hard, and the quick sweep must decide enough of them, or the comparison would mean little.
        assert!(doubts * 20 > count && doubts * 10 < count * 9 && hits * 10 > count && overlaps * 50 > count);
    }
}

#[test]
fn few_random_scenes_are_in_doubt() {
    for round in [true, false] {
        let mut random = Scenes(Random(19));
        let count = scenes(50_000);
        let [doubts, hits, overlaps] = compare(count, round, || random.common());
        assert!(doubts * 100 < count && hits * 20 > count && overlaps * 50 > count);
    }
}

/// Generates random scenes.
struct Scenes(Random);

impl Scenes {
    /// A number in [-1, 1).
    fn unit(&mut self) -> f64 {
        self.0.range(-1.0, 1.0)
    }

    fn point(&mut self, scale: f64) -> DVec2 {
        dvec2(self.unit(), self.unit()) * scale
    }

    fn ends(&mut self) -> Ends {
        Ends { start: self.unit() < 0.4, end: self.unit() < 0.4 }
    }

    /// An ordinary scene, a few lengths in size.
    fn common(&mut self) -> Scene {
        let (a, b) = (self.point(2.0), self.point(2.0));
        Scene {
            center: self.point(2.0),
            half: dvec2(0.45, 0.45) + self.point(0.25),
            motion: self.point(4.0),
            edge: Segment::new(a, b).unwrap(),
            ends: Ends::BOTH,
        }
    }

    /// A scene aimed at a part of the edge: exactly, or off by a distance on which decisions depend.
    fn degenerate(&mut self) -> Scene {
        let grid = self.0.pick(&[0.0, 1.0 / 16.0, 1.0 / 16.0, 0.1]);
        let snap = |v: DVec2| if grid > 0.0 { (v / grid).round() * grid } else { v };
        let place = self.0.pick(&[0.0, 2.0, 900.0, 1e6]);
        let a = snap(self.point(place));
        let length = self.0.pick(&[2.0, 2.0, 100.0, 1e-3]);
        let tangent = snap(self.point(length)) * self.0.pick(&[DVec2::ONE, DVec2::ONE, DVec2::X, DVec2::Y]);
        let edge = Segment::new(a, a + tangent).unwrap();
        let normal = edge.normal().unwrap_or(DVec2::Y);
        let thin = self.0.pick(&[0.5, 0.5, 0.5, 3.0, 1e-3, ONE_SIDED_SLOP, 0.0]);
        let half = (snap(self.point(1.0)).abs() + dvec2(0.0, 0.25)) * dvec2(thin, self.0.pick(&[thin, 0.5]));
        let touches = match self.0.pick(&[0, 1, 2, 3]) {
            0 => normal * half.x,
            1 => dvec2(0.6, 0.8) * half.x,
            2 => half * normal.signum(),
            _ => half * self.point(1.0).signum(),
        };
        let fine = self.0.pick(&[0.0, 0.0, PARALLEL, ONE_SIDED_SLOP / 2.0, ONE_SIDED_SLOP, 1e-9, 1e-3, 0.3]);
        let touches = touches + snap_sign(self.point(1.0)) * fine;
        let along = self.0.pick(&[0.0, 1.0, 0.5, 0.3]);
        let path = self.0.pick(&[0.1, 2.0, 2.0, 100.0]);
        let nearly = self.0.pick(&[0.0, PARALLEL, -PARALLEL, 2.0 * PARALLEL, 1e-13, 1e-9, 1e-3]);
        let motion = match self.0.pick(&[0, 1, 2, 3, 4, 5]) {
            0 => edge.b() - edge.a() - normal * nearly,
            1 => -normal * path,
            2 => self.0.pick(&[DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y]) * path,
            3 => snap(self.point(path)),
            4 => touches.perp() * path - touches * nearly,
            _ => self.point(path),
        };
        let back = self.0.pick(&[0.0, 0.0, 0.5, 1.0, 0.25, 0.7]);
        Scene { center: a + tangent * along + touches - motion * back, half, motion, edge, ends: self.ends() }
    }
}

/// Rounds each component to -1, 0 or 1.
fn snap_sign(v: DVec2) -> DVec2 {
    (v * 1.5).round()
}

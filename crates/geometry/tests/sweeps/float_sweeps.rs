//! Compares the f64 sweeps with the witnesses.

use crate::box_witness::{self, Expected};
use crate::circle_witness::{self, Margins, Tally};
use crate::scene::{End, Scene, Scenes};
use crate::scenes;
use num_traits::ToPrimitive as _;
use surefoot_geometry::{Aabb, Circle, DVec2, Ends, Hit, I64Vec2, ONE, Segment, Sweep, to_lengths};
use surefoot_random::Random;

/// Two-sided error bound of the f64 sweeps along the path, as a length.
const ALONG: f64 = 1e-9;
/// Two-sided bound for components of a normal: the rounding of a unit vector.
const NORMAL: f64 = 1e-12;

fn ends(scene: &Scene) -> Ends {
    Ends { start: scene.start != End::Joined, end: scene.end != End::Joined }
}

fn segment(scene: &Scene) -> Segment {
    Segment::new(to_lengths(scene.a), to_lengths(scene.b)).unwrap()
}

fn along(normal: I64Vec2) -> DVec2 {
    normal.as_dvec2().normalize()
}

fn agrees(scene: &Scene, found: &Sweep, expected: &Expected) -> bool {
    match (found, expected) {
        (Sweep::Clear, Expected::Clear) | (Sweep::Overlapping, Expected::Overlapping) => true,
        (Sweep::Hit(Hit { toi, normal, .. }), Expected::Hit(time, normals)) => {
            (toi - time.to_f64().unwrap()).abs() * to_lengths(scene.motion).length() <= ALONG
                && normals.iter().any(|&expected| normal.abs_diff_eq(along(expected), NORMAL))
        }
        _ => false,
    }
}

/// Returns the scene in quarter units with the mover a quarter smaller, then moved by half a unit in each of eight
/// directions.
///
/// A gap below the touch tolerance, a quarter of a unit, may count either way. Then the sweep must be right for one of
/// these scenes.
fn nearby(scene: &Scene) -> Vec<Scene> {
    let Scene { center, half, motion, a, b, start, end } = *scene;
    let near = |shift: (i64, i64)| {
        let center = center * 4 + I64Vec2::from(shift);
        Scene { center, half: half * 4 - 1, motion: motion * 4, a: a * 4, b: b * 4, start, end }
    };
    [(0, 0), (2, 0), (0, 2), (-2, 0), (0, -2), (2, 2), (-2, 2), (-2, -2), (2, -2)].map(near).to_vec()
}

#[test]
fn boxes_agree_with_the_witness() {
    let mut random = Scenes(Random(1));
    let (mut hits, mut overlaps, mut shallow) = (0, 0, 0);
    let count = scenes(25_000);
    for index in 0..count {
        let scene = random.scene(false, false);
        let aabb = Aabb::from_center(to_lengths(scene.center), to_lengths(scene.half)).unwrap();
        let found = aabb.sweep_one_sided(to_lengths(scene.motion), &segment(&scene), ends(&scene));
        let expected = box_witness::expected(&scene);
        hits += u64::from(matches!(expected, Expected::Hit(..)));
        overlaps += u64::from(expected == Expected::Overlapping);
        if !agrees(&scene, &found, &expected) {
            let near: Vec<_> = nearby(&scene).iter().map(box_witness::expected).collect();
            let right_nearby = near.iter().any(|near| {
                matches!((&found, near), (Sweep::Clear, Expected::Clear) | (Sweep::Hit(_), Expected::Hit(..)))
            });
            // The overlap is so shallow that it counts as touching. A nearly parallel motion may stop there.
            let touches = expected == Expected::Overlapping && near[0] != Expected::Overlapping;
            let right_nearby = right_nearby || (touches && matches!(found, Sweep::Hit(Hit { toi: 0.0, .. })));
            assert!(right_nearby, "scene {index}: {scene:?}\nfound {found:?}\nnot {expected:?}\nnor of {near:?}");
            shallow += 1;
        }
    }
    println!("boxes: {count} scenes, {hits} hits, {overlaps} overlaps, {shallow} decided by a touch");
    assert!(hits * 5 > count && overlaps * 50 > count && shallow * 50 < count);
}

#[test]
fn circles_agree_with_the_witness() {
    // The touch tolerance is a quarter of a unit, so one unit exceeds it.
    let margins = Margins { start: 1, border: 1, past: 1, parallel: true };
    let mut random = Scenes(Random(3));
    let mut tally = Tally::default();
    let count = scenes(20_000);
    for _ in 0..count {
        let scene = random.scene(true, false);
        let circle = Circle::new(to_lengths(scene.center), scene.half.x as f64 / ONE as f64).unwrap();
        let found = circle.sweep_one_sided(to_lengths(scene.motion), &segment(&scene), ends(&scene));
        let expected = circle_witness::expected(&scene, margins);
        let found = match found {
            Sweep::Hit(hit) => Sweep::Hit(hit.toi),
            Sweep::Clear => Sweep::Clear,
            Sweep::Overlapping => Sweep::Overlapping,
        };
        let path = to_lengths(scene.motion).length();
        tally.check(found, expected, |toi, time| (toi - time).abs() * path <= ALONG, &scene);
    }
    tally.finish("f64 circles");
}

//! The exact sweeps against the witnesses.

use crate::box_witness::{self, Expected, Fraction};
use crate::circle_witness::{self, Margins, Tally};
use crate::scene::{End, Random, Scene};
use crate::scenes;
use surefoot_geometry::exact::{Edge, EdgeEnd, sweep_box, sweep_circle};
use surefoot_geometry::{I64Vec2, Place, Sweep};

fn place(units: I64Vec2) -> Place {
    Place::from_units(units.x, units.y).unwrap()
}

fn edge(scene: &Scene) -> Edge {
    let end = |end| match end {
        End::Joined => EdgeEnd::Joined,
        End::Free => EdgeEnd::Free,
        End::Convex(normal) => EdgeEnd::Convex { normal },
        End::Rim => unreachable!("an end of the f64 sweeps"),
    };
    Edge::new(place(scene.a), place(scene.b)).unwrap().with_ends(end(scene.start), end(scene.end))
}

/// Along the path, in units, two-sided: what the exact sweep of a circle promises.
const ALONG: f64 = 4.0;

#[test]
fn circles_agree_with_the_witness() {
    // The start is decided in integers. The cones of corners have a rounding margin of 2048 units, faces one of 64.
    let margins = Margins { start: 0, border: 2100, past: 64, parallel: false };
    let mut random = Random::new(4);
    let mut tally = Tally::default();
    let count = scenes(20_000);
    for index in 0..count {
        let scene = random.scene(true, true);
        let found = sweep_circle(place(scene.center), scene.half.x, scene.motion, &edge(&scene));
        let expected = circle_witness::expected(&scene, margins);
        let found = match found {
            Sweep::Hit(hit) => Sweep::Hit(hit.toi),
            Sweep::Clear => Sweep::Clear,
            Sweep::Overlapping => Sweep::Overlapping,
        };
        let path = scene.motion.as_dvec2().length();
        let along = |toi: f64, time: f64| (toi - time).abs() * path;
        tally.check(found, expected, along, ALONG, || format!("{index}: {scene:?}"));
    }
    tally.finish("exact circles");
}

#[test]
fn boxes_agree_with_the_witness() {
    let mut random = Random::new(2);
    let (mut hits, mut overlaps) = (0, 0);
    let count = scenes(50_000);
    for index in 0..count {
        let scene = random.scene(false, true);
        let found = sweep_box(place(scene.center), scene.half, scene.motion, &edge(&scene));
        let expected = box_witness::expected(&scene);
        hits += u64::from(matches!(expected, Expected::Hit(..)));
        overlaps += u64::from(expected == Expected::Overlapping);
        let agrees = match (&found, &expected) {
            (Sweep::Clear, Expected::Clear) | (Sweep::Overlapping, Expected::Overlapping) => true,
            (Sweep::Hit(hit), Expected::Hit(time, normals)) => {
                Fraction::new(hit.toi.num.into(), hit.toi.den.into()) == *time
                    && normals.iter().any(|&normal| same_direction(hit.normal, normal))
            }
            _ => false,
        };
        assert!(agrees, "scene {index}: {scene:?}\nfound {found:?}\nnot {expected:?}");
    }
    println!("exact boxes: {count} scenes, {hits} hits, {overlaps} overlaps");
    assert!(hits * 5 > count && overlaps * 50 > count);
}

fn same_direction(a: I64Vec2, b: I64Vec2) -> bool {
    let [ax, ay, bx, by] = [a.x, a.y, b.x, b.y].map(i128::from);
    ax * by == ay * bx && ax * bx + ay * by > 0
}

//! Compares the exact sweeps with the witnesses.

use crate::box_witness::{self, Expected, fraction};
use crate::circle_witness::{self, Margins, Tally};
use crate::scene::{End, Scene, Scenes};
use crate::scenes;
use surefoot_geometry::exact::{Edge, EdgeEnd, sweep_box, sweep_circle};
use surefoot_geometry::{I64Vec2, Position, Sweep};
use surefoot_random::Random;

fn place(units: I64Vec2) -> Position {
    Position::from_units(units.x, units.y).unwrap()
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

/// Two-sided error bound along the path, in units, of the exact sweep of a circle.
const ALONG: f64 = 4.0;

#[test]
fn circles_agree_with_the_witness() {
    let mut random = Scenes(Random(4));
    let mut tally = Tally::default();
    for _ in 0..scenes(20_000) {
        check_circle(&random.scene(true, true), &mut tally);
    }
    tally.finish("exact circles");
}

#[test]
fn circles_in_hard_scenes_agree_with_the_witness() {
    let scene = |[x, y, radius, dx, dy, ax, ay, bx, by]: [i64; 9], start, end| Scene {
        center: I64Vec2::new(x, y),
        half: I64Vec2::splat(radius),
        motion: I64Vec2::new(dx, dy),
        a: I64Vec2::new(ax, ay),
        b: I64Vec2::new(bx, by),
        start,
        end,
    };
    let tip = End::Convex(I64Vec2::NEG_X);
    let slanted = End::Convex(I64Vec2::NEG_ONE);
    let hard = [
        // The circle moves nearly along a face, far from the origin. The gap is a small difference of large numbers.
        scene(
            [
                -1574802825791,
                -655452624377,
                3489660928,
                -3832883904,
                34016844660,
                -1571490801409,
                -653680119480,
                -1576016574721,
                -613513881336,
            ],
            End::Free,
            End::Free,
        ),
        // The circle grazes a corner 2 units deep, next to a face that it leaves again before the motion ends.
        scene(
            [2746358571, 1137338899, 268435456, -2, -31000242145, 2477923115, 1137338898, 2477923115, -22448717550],
            End::Free,
            End::Joined,
        ),
        // The circle grazes a corner by less than one unit.
        scene(
            [-3013079710, -435927652, 7576482450, 24, -1812499256, 4563402752, -1342177280, 4563402752, 81099102162],
            slanted,
            End::Joined,
        ),
        // The circle's foot enters a face past a joined end, and leaves the face at its other end, the end of a wall.
        scene(
            [-2413988864, -1508628243, 1930240, -4, -120466868484, -2415919104, -4026531840, -2415919104, -31625345365],
            End::Joined,
            tip,
        ),
    ];
    let mut tally = Tally::default();
    hard.iter().for_each(|scene| check_circle(scene, &mut tally));
}

fn check_circle(scene: &Scene, tally: &mut Tally) {
    // Integers decide the start. Cones of corners have a rounding margin of 2048 units, faces one of 64.
    let margins = Margins { start: 0, border: 2100, past: 64, parallel: false };
    let found = match sweep_circle(place(scene.center), scene.half.x, scene.motion, &edge(scene)) {
        Sweep::Hit(hit) => Sweep::Hit(hit.toi),
        Sweep::Clear => Sweep::Clear,
        Sweep::Overlapping => Sweep::Overlapping,
    };
    let expected = circle_witness::expected(scene, margins);
    let path = scene.motion.as_dvec2().length();
    tally.check(found, expected, |toi, time| (toi - time).abs() * path <= ALONG, scene);
}

#[test]
fn boxes_agree_with_the_witness() {
    let mut random = Scenes(Random(2));
    let (mut hits, mut overlaps) = (0, 0);
    let count = scenes(25_000);
    for index in 0..count {
        let scene = random.scene(false, true);
        let found = sweep_box(place(scene.center), scene.half, scene.motion, &edge(&scene));
        let expected = box_witness::expected(&scene);
        hits += u64::from(matches!(expected, Expected::Hit(..)));
        overlaps += u64::from(expected == Expected::Overlapping);
        let agrees = match (&found, &expected) {
            (Sweep::Clear, Expected::Clear) | (Sweep::Overlapping, Expected::Overlapping) => true,
            (Sweep::Hit(hit), Expected::Hit(time, normals)) => {
                fraction(hit.toi.num.into(), hit.toi.den.into()) == *time
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

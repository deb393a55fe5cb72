//! Scenes at the limits that the engine supports: tick lengths, speeds, gravity, positions and sizes.

use super::Entry;
use crate::scene::{Act, Scene, ball, crate_box, jump_input, walk_input, walker};
use surefoot::prelude::*;

pub(super) const SCENES: &[Entry] = &[
    ("ticks_of_a_millionth", || with_tick_length(1e-6, 2000)),
    ("ticks_of_a_second", || with_tick_length(1.0, 200)),
    ("ticks_of_an_odd_length", || with_tick_length(0.012_345_678_9, 400)),
    ("speeds_at_the_limit", speeds_at_the_limit),
    ("gravity_at_the_limit", gravity_at_the_limit),
    ("map_at_origin_limit", map_at_origin_limit),
    ("small_shapes", small_shapes),
    ("large_shapes", large_shapes),
];

const ROOM: &[&str] =
    &["################", "#......o.......#", "#...=......|...#", "#./\\...12#34...#", "################"];

fn with_walker_ball_and_box(scene: Scene) -> Scene {
    scene.with_bodies([
        walker(1.5, 1.45),
        ball(0.3, 5.5, 3.0).velocity((3.3, 1.1)).bounce(0.9),
        crate_box(0.25, 13.0, 2.0).velocity((-5.0, 2.0)).friction(0.3),
    ])
}

fn with_tick_length(seconds: f64, ticks: u64) -> Scene {
    let settings = Settings::default().tick(seconds);
    with_walker_ball_and_box(Scene::with_settings(ticks, ROOM, "", settings))
        .with_act(1, Act::Input(0, walk_input(127)))
        .with_act(ticks / 4, Act::Input(0, jump_input(127)))
        .with_act(ticks / 2, Act::Input(0, jump_input(-99)))
        .with_act(ticks * 3 / 4, Act::Velocity(1, (11.0, 7.0)))
}

/// Bodies at up to the maximum speed, in a room and out through its open top.
fn speeds_at_the_limit() -> Scene {
    let fast = 1e9;
    let directions = [(fast, fast), (-fast, 0.1), (0.3, -fast), (fast, -1.0), (-0.7, fast)];
    let scene = with_walker_ball_and_box(Scene::new(240, &ROOM[1..]));
    (0..60).fold(scene, |scene, i| {
        let (x, y) = directions[i % directions.len()];
        let divisor = f64::from(1 << (i % 30));
        scene.with_act(4 * i as u64, Act::Velocity(i % 3, (x / divisor, y / divisor)))
    })
}

fn gravity_at_the_limit() -> Scene {
    let settings = Settings::default().gravity((1e6, -1e6));
    with_walker_ball_and_box(Scene::with_settings(120, ROOM, "", settings))
        .with_act(20, Act::Input(0, walk_input(-127)))
        .with_act(40, Act::Velocity(1, (-3e4, 2e4)))
}

/// The room at the lower left limit of the origins of maps.
fn map_at_origin_limit() -> Scene {
    let (x, y) = (-f64::from(1 << 28), -f64::from(1 << 28));
    let scene = Scene::with_settings(400, ROOM, "origin: (-268435456, -268435456)", Settings::default());
    let scene = scene.with_bodies([
        // So far from the origin, y + 1.45 would round to a position slightly inside the floor.
        walker(x + 1.5, y + 1.5),
        ball(0.3, x + 5.5, y + 3.0).velocity((3.3, 1.1)).bounce(0.9),
        crate_box(0.25, x + 13.0, y + 2.0).velocity((-5.0, 2.0)).friction(0.3),
    ]);
    (0..8).fold(scene, |scene, i| {
        scene.with_act(50 * i, Act::Input(0, jump_input(127))).with_act(50 * i + 20, Act::Input(0, walk_input(127)))
    })
}

fn small_shapes() -> Scene {
    let smallest = Shape::MIN_HALF_SIZE;
    let rows = ["#.....#", "#./\\o.#", "#######"];
    let bodies = (0..12).map(|i| {
        let (x, size) = (1.2 + 0.35 * f64::from(i), smallest * f64::from(1 + i));
        let body = if i % 2 == 0 { ball(size, x, 2.75) } else { crate_box(size, x, 2.75) };
        body.velocity((1.0 - 0.2 * f64::from(i), 0.0)).bounce(0.4).friction(0.1)
    });
    let small = Body::new(Shape::aabb(smallest, smallest)).at((1.5, 2.5)).character(Character::default());
    Scene::new(240, &rows).with_bodies(bodies).with_body(small).with_act(30, Act::Input(12, walk_input(127)))
}

fn large_shapes() -> Scene {
    let row = |ends: &str, middle: &str| format!("{ends}{}{ends}", middle.repeat(20));
    let rows = [row("#", "........"), row("#", "../\\..o."), row("#", "########")];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    Scene::new(120, &rows).with_bodies([
        ball(Shape::MAX_HALF_SIZE, 70.3, 80.0).velocity((3.0, -2.0)).bounce(0.5),
        Body::new(Shape::aabb(Shape::MAX_HALF_SIZE, 0.5)).at((80.0, 5.0)),
        Body::new(Shape::aabb(7.7, 31.1)).at((100.0, 40.0)).velocity((-9.0, 0.0)).friction(0.2),
    ])
}

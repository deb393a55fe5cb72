//! Scenes in which commands change the world while it runs: tile edits, teleports, velocities, spawns and characters.

use super::Entry;
use crate::scene::{Act, Scene, ball, crate_box, jump_input, round_walker, walk_input, walker};
use surefoot::prelude::*;
use surefoot::{Map, World};

pub(super) const SCENES: &[Entry] = &[
    ("stuck_and_freed", stuck_and_freed),
    ("floor_taken_away", floor_taken_away),
    ("painted_while_walking", painted_while_walking),
    ("painted_rectangles", painted_rectangles),
    ("reused_body_slots", reused_body_slots),
    ("teleports", teleports),
    ("thrown_while_walking", thrown_while_walking),
    ("changed_characters", changed_characters),
    ("layers", layers),
    ("painted_layers", painted_layers),
];

const ROOM: &[&str] = &["#..........#", "#..........#", "#..........#", "#..........#", "############"];

/// Bodies get stuck in new tiles and by a teleport into a wall. Removing the tiles frees them.
fn stuck_and_freed() -> Scene {
    Scene::new(200, ROOM)
        .with_bodies([walker(3.5, 1.45), ball(0.4, 5.5, 3.0).bounce(0.5), crate_box(0.3, 8.5, 1.5)])
        .with_act(40, Act::SetTiles(0, (3, 1), (3, 1), '#'))
        .with_act(60, Act::SetTiles(0, (5, 1), (5, 1), 'o'))
        .with_act(70, Act::Input(0, walk_input(127)))
        .with_act(100, Act::SetTiles(0, (3, 1), (5, 1), '.'))
        .with_act(120, Act::Teleport(2, (11.5, 2.0)))
        .with_act(150, Act::SetTiles(0, (11, 1), (11, 2), '.'))
}

fn floor_taken_away() -> Scene {
    let scene = Scene::new(240, &["#........#", "#........#", "#.######.#", "#........#", "#........#", "##########"]);
    let scene = scene.with_bodies([walker(3.5, 4.45), ball(0.4, 5.5, 4.4), crate_box(0.3, 6.5, 4.3).friction(1.0)]);
    scene
        .with_act(30, Act::SetTiles(0, (3, 3), (3, 3), '.'))
        .with_act(60, Act::SetTiles(0, (5, 3), (6, 3), '.'))
        .with_act(100, Act::SetTiles(0, (1, 0), (8, 0), '/'))
}

/// A tile in front of a walker changes every few ticks.
fn painted_while_walking() -> Scene {
    let scene =
        Scene::new(400, ROOM).with_bodies([walker(1.5, 1.45), ball(0.3, 2.5, 3.5).velocity((3.0, 0.0)).bounce(0.9)]);
    let scene = scene.with_act(1, Act::Input(0, walk_input(100)));
    let tiles = ['/', '_', '.', '^', '=', '(', 'L', '1', '.', '#', 'o', '\\'];
    (0..60).fold(scene, |scene, i| {
        let direction = if i % 20 < 10 { 100 } else { -100 };
        let tile = tiles[i % tiles.len()];
        let x = 2 + (5 * i % 9) as i32;
        let scene = scene.with_act(
            6 * i as u64,
            Act::Input(0, if i % 4 == 0 { jump_input(direction) } else { walk_input(direction) }),
        );
        scene.with_act(6 * i as u64 + 2, Act::SetTiles(0, (x, 1 + (i % 3) as i32), (x, 1 + (i % 3) as i32), tile))
    })
}

fn painted_rectangles() -> Scene {
    let balls = (0..8).map(|i| ball(0.3, 2.0 + f64::from(i), 4.0).velocity((f64::from(i) - 4.0, 0.0)).bounce(0.8));
    let scene = Scene::new(360, ROOM).with_bodies(balls);
    let rectangles = [
        ((1, 0), (10, 0), '.'),
        ((1, 0), (10, 0), '_'),
        ((4, 1), (7, 2), '#'),
        ((10, 1), (4, 2), '^'),
        ((0, 0), (11, 4), '.'),
    ];
    rectangles
        .iter()
        .zip(1..)
        .fold(scene, |scene, (&(from, to, tile), i)| scene.with_act(60 * i, Act::SetTiles(0, from, to, tile)))
}

/// Spawns and despawns that use each slot for three or more generations.
fn reused_body_slots() -> Scene {
    let scene = Scene::new(300, ROOM).with_bodies((0..6).map(|i| crate_box(0.3, 2.0 + 1.4 * f64::from(i), 2.0)));
    (0..24).fold(scene, |scene, i| {
        let at = (1.7 + 0.33 * f64::from((i * 7 % 24) as u8), 3.5);
        let body = if i % 2 == 0 { ball(0.3, at.0, at.1).bounce(0.7) } else { walker(at.0, at.1) };
        // Despawn each pair of neighbours in reverse, so that slots are not reused in the order in which they became
        // free.
        scene.with_act(10 * i as u64 + 3, Act::Despawn(i ^ 1)).with_act(10 * i as u64 + 5, Act::Spawn(body))
    })
}

fn teleports() -> Scene {
    let scene = Scene::new(200, ROOM).with_bodies([
        walker(1.5, 1.45),
        ball(0.4, 5.5, 3.0).bounce(0.9),
        crate_box(0.25, 8.5, 2.0),
    ]);
    (0..20).fold(scene, |scene, i| {
        let (x, y) = (1.5 + f64::from(i as u8 * 7 % 9) * 1.01, 1.6 + f64::from(i as u8 * 5 % 11) * 0.27);
        scene
            .with_act(10 * i, Act::Teleport(i as usize % 3, (x, y)))
            .with_act(10 * i + 4, Act::Input(0, walk_input(if i % 2 == 0 { 127 } else { -50 })))
    })
}

fn thrown_while_walking() -> Scene {
    let scene = Scene::new(240, ROOM)
        .with_bodies([walker(1.5, 1.45), ball(0.3, 6.5, 2.0).friction(0.4)])
        .with_act(1, Act::Input(0, walk_input(60)));
    (0..8).fold(scene, |scene, i| {
        let speed = 1.37 * f64::from(i as u8 + 1);
        let scene = scene.with_act(30 * i + 10, Act::Velocity(0, (speed - 6.0, speed)));
        scene.with_act(30 * i + 20, Act::Velocity(1, (-speed, 11.0 - speed)))
    })
}

/// Two characters whose properties change while they walk and jump.
fn changed_characters() -> Scene {
    let scene = Scene::new(400, ROOM).with_bodies([walker(1.5, 1.45), round_walker(9.5, 1.4)]);
    (0..20).fold(scene, |scene, i| {
        let part = f64::from(i as u8 * 7 % 20);
        let strong =
            Character { walk_speed: 0.37 + 0.9 * part, jump_height: 0.21 + 0.17 * part, ..Character::default() };
        let slow = Character { ground_acceleration: 3.3 * part, air_acceleration: 1.7 * part, ..strong };
        let (body, direction) = (i as usize % 2, if i % 4 < 2 { 127 } else { -101 });
        let scene = scene.with_act(20 * i + 3, Act::Character(body, if i % 3 == 0 { slow } else { strong }));
        scene
            .with_act(20 * i, Act::Input(body, jump_input(direction)))
            .with_act(20 * i + 9, Act::Input(body, walk_input(direction)))
    })
}

/// The rows of a tile layer.
type Rows = [&'static str; 5];

/// Name, whether it collides, and rows of three tile layers. The front layer is scenery.
const LAYERS: [(&str, bool, Rows); 3] = [
    (
        "rock",
        true,
        ["#..............#", "#..............#", "#..../\\........#", "#.../##\\..1234.#", "################"],
    ),
    (
        "built",
        true,
        ["................", "......====......", "..+............_", ".._.|...........", "................"],
    ),
    (
        "front",
        false,
        ["................", "..#######.......", "..#######.......", "..#######.......", "................"],
    ),
];

fn layered_world() -> World {
    let layer = |(name, collides, rows): (&str, bool, Rows)| {
        let rows = rows.map(|row| format!("{row:?}")).join(", ");
        format!("(name: {name:?}, collides: {collides}, tiles: [{rows}])")
    };
    let text = format!("Map(format: 1, layers: [{}])", LAYERS.map(layer).join(", "));
    World::new(Map::from_ron(&text).unwrap_or_else(|error| panic!("{error}\n{text}")), Settings::default())
}

fn with_jumping_bodies(scene: Scene) -> Scene {
    let scene = scene.with_bodies([
        walker(1.5, 2.45),
        walker(13.5, 3.45),
        ball(0.35, 8.5, 4.5).velocity((-2.0, 0.0)).bounce(0.8),
    ]);
    (0..10).fold(scene, |scene, i| {
        let direction = if i % 4 == 3 { -127 } else { 110 };
        let scene = scene
            .with_act(40 * i, Act::Input(0, jump_input(direction)))
            .with_act(40 * i + 22, Act::Input(0, walk_input(direction)));
        scene
            .with_act(40 * i + 5, Act::Input(1, jump_input(-direction)))
            .with_act(40 * i + 27, Act::Input(1, walk_input(-direction)))
    })
}

fn layers() -> Scene {
    with_jumping_bodies(Scene::in_world(400, layered_world()))
}

fn painted_layers() -> Scene {
    let scene = with_jumping_bodies(Scene::in_world(400, layered_world()));
    let tiles = ['#', '_', '.', '=', '#', '.'];
    (0..36).fold(scene, |scene, i| {
        let (x, y) = (1 + (i * 5 % 14) as i32, 1 + (i % 3) as i32);
        // These tiles never fail to stack: a block stacks with any tile, and a one-way tile with a slab.
        scene.with_act(11 * i as u64, Act::SetTiles(1 + i % 2, (x, y), (x, y), tiles[i % tiles.len()]))
    })
}

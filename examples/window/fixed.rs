//! Runs one step per frame, for a fixed frame rate. Arrow keys walk and drop through one-way tiles, space jumps.

use macroquad::prelude::*;
use std::thread::sleep;
use std::time::{Duration, Instant};
use surefoot::prelude::*;
use surefoot::{Input, Map, World};

/// Pixels along one side of a tile.
const TILE: f32 = 32.0;

fn window() -> Conf {
    Conf {
        window_title: "One step a frame".to_owned(),
        window_width: 1280,
        window_height: 480,
        sample_count: 4, // smooth slopes
        ..Conf::default()
    }
}

#[macroquad::main(window)]
async fn main() {
    // The error names the line and the column.
    let map =
        Map::load(concat!(env!("CARGO_MANIFEST_DIR"), "/window/level.ron")).unwrap_or_else(|error| panic!("{error}"));
    let start = map.marker("start").expect("the level has a start");
    let balls: Vec<_> = map.markers("ball").collect();
    let mut world = World::new(map, Settings::default());
    let hero = Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default());
    let hero = world.spawn(hero).expect("its numbers are in range");
    for ball in balls {
        world.spawn(Body::new(Shape::circle(0.25)).at(ball).bounce(0.7)).expect("its numbers are in range");
    }

    let tick = Duration::from_secs_f64(world.settings().tick);
    let mut due = Instant::now();
    loop {
        let walk = i8::from(is_key_down(KeyCode::Right)) - i8::from(is_key_down(KeyCode::Left));
        let (jump, down) = (is_key_down(KeyCode::Space), is_key_down(KeyCode::Down));
        world.set_input(hero, Input { walk: 127 * walk, jump, down, ..Input::default() });
        world.step();

        draw(&world);
        next_frame().await;

        // Wait until the next tick is due. A delay of more than one tick is dropped.
        due += tick;
        sleep(due.saturating_duration_since(Instant::now()));
        due = due.max(Instant::now() - tick);
    }
}

/// Draws the whole map and its bodies.
fn draw(world: &World) {
    let ((left, bottom), (columns, rows)) = (world.map().origin(), world.map().size());
    let (right, top) = (left + columns as i32, bottom + rows as i32);
    clear_background(Color::from_hex(0x14181f));
    // From here on, coordinates are in tiles with y up: the camera flips the picture.
    set_camera(&Camera2D {
        target: vec2((left + right) as f32 / 2.0, (bottom + top) as f32 / 2.0),
        zoom: vec2(2.0 * TILE / screen_width(), -2.0 * TILE / screen_height()),
        ..Camera2D::default()
    });

    let terrain = world.terrain();
    for (x, y) in (bottom..top).flat_map(|y| (left..right).map(move |x| (x, y))) {
        for corners in terrain.solid_triangles((x, y)) {
            let [a, b, c] = corners.map(|at| Vec2::from(at.to_vec2().to_array()));
            draw_triangle(a, b, c, Color::from_hex(0x39424e));
        }
    }
    // Draw all faces that can be touched, including one-way tiles and thin walls, which have no inside.
    for face in terrain.exposed_faces() {
        let (a, b) = (face.a.to_vec2(), face.b.to_vec2());
        draw_line(a.x, a.y, b.x, b.y, 2.0 / TILE, Color::from_hex(0xb8c4d0));
    }
    for (_, body) in world.bodies() {
        let (at, half) = (body.position().to_vec2(), body.shape().half_extents().as_vec2());
        if body.shape().is_circle() {
            draw_circle(at.x, at.y, half.x, Color::from_hex(0xf0a050));
        } else {
            draw_rectangle(at.x - half.x, at.y - half.y, 2.0 * half.x, 2.0 * half.y, Color::from_hex(0x66c2ff));
        }
    }
    set_default_camera(); // texts are drawn in pixels again, y down
}

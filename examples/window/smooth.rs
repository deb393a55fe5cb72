//! Runs steps when ticks are due, at any frame rate, and draws smoothly between ticks. Arrow keys walk, space jumps, P
//! pauses, R returns to the start, F5 saves the run as a replay.

use macroquad::prelude::*;
use surefoot::prelude::*;
use surefoot::{Input, Map, World};

/// Pixels along one side of a tile.
const TILE: f32 = 48.0;

fn window() -> Conf {
    Conf {
        window_title: "Ticks when they are due".to_owned(),
        window_width: 1280,
        window_height: 720,
        sample_count: 4,
        ..Conf::default()
    }
}

#[macroquad::main(window)]
async fn main() {
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

    let mut stepper = FixedTimestep::new(&world.settings());
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 60).expect("the world is new");
    let (mut paused, mut tapped) = (false, false);
    loop {
        paused ^= is_key_pressed(KeyCode::P);
        if is_key_pressed(KeyCode::R) {
            world.teleport(hero, start).expect("the hero is there");
            world.set_velocity(hero, (0.0, 0.0)).expect("the hero is there");
        }
        // A key pressed in a frame without a tick is stored for the next tick.
        tapped |= is_key_pressed(KeyCode::Space);

        let ticks = if paused { 0 } else { stepper.advance(get_frame_time().into()) };
        for _ in 0..ticks {
            let walk = i8::from(is_key_down(KeyCode::Right)) - i8::from(is_key_down(KeyCode::Left));
            let jump = std::mem::take(&mut tapped) || is_key_down(KeyCode::Space);
            world.set_input(
                hero,
                Input { walk: 127 * walk, jump, down: is_key_down(KeyCode::Down), ..Input::default() },
            );
            world.step();
            recorder.record_tick(&world).expect("every tick is shown to it");
            // Read the events after every step: the next step starts a new list.
            for event in world.events() {
                match event.kind {
                    EventKind::Landed { .. } => println!("thud"), // or play a sound
                    EventKind::HitTile { side: Side::Floor, speed, .. } if speed > 3.0 => println!("boing, {speed:.1}"),
                    _ => {}
                }
            }
        }
        if is_key_pressed(KeyCode::F5) {
            // Save the recording so far. The recorder continues.
            let replay = recorder.clone().finish_replay(&world).expect("every tick was shown to it");
            match replay.save("run.replay.ron") {
                Ok(()) => println!("run.replay.ron is saved"),
                Err(error) => eprintln!("{error}"),
            }
        }

        draw(&world, hero, stepper.alpha());
        if paused {
            draw_text("paused", 20.0, 40.0, 32.0, WHITE);
        }
        next_frame().await;
    }
}

/// Draws the surroundings of the hero, at a moment between the last two ticks.
fn draw(world: &World, hero: BodyId, fraction: f32) {
    let centre = world[hero].position_at(fraction);
    clear_background(Color::from_hex(0x14181f));
    set_camera(&Camera2D {
        target: vec2(centre.x, centre.y),
        zoom: vec2(2.0 * TILE / screen_width(), -2.0 * TILE / screen_height()),
        ..Camera2D::default()
    });

    let (terrain, line) = (world.terrain(), 2.0 / TILE);
    let (half_width, half_height) = (screen_width() / TILE / 2.0, screen_height() / TILE / 2.0);
    let tiles = |middle: f32, half: f32| (middle - half).floor() as i32..=(middle + half).floor() as i32;
    for y in tiles(centre.y, half_height) {
        for x in tiles(centre.x, half_width) {
            // Beyond a solid side of the map, all tiles are full.
            for corners in terrain.solid_triangles((x, y)) {
                let [a, b, c] = corners.map(|at| Vec2::from(at.to_vec2().to_array()));
                draw_triangle(a, b, c, Color::from_hex(0x39424e));
            }
        }
    }
    for y in tiles(centre.y, half_height) {
        for face in tiles(centre.x, half_width).flat_map(|x| terrain.exposed_faces_of((x, y))) {
            let (a, b) = (face.a.to_vec2(), face.b.to_vec2());
            draw_line(a.x, a.y, b.x, b.y, line, Color::from_hex(0xb8c4d0));
        }
    }
    for (_, body) in world.bodies() {
        let (at, half) = (body.position_at(fraction), body.shape().half_extents().as_vec2());
        if body.shape().is_circle() {
            draw_circle(at.x, at.y, half.x, Color::from_hex(0xf0a050));
        } else {
            draw_rectangle(at.x - half.x, at.y - half.y, 2.0 * half.x, 2.0 * half.y, Color::from_hex(0x66c2ff));
        }
    }
    set_default_camera();
}

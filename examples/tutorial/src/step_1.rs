use macroquad::prelude::*;
use surefoot::prelude::*;
use surefoot::{Map, World};

/// Pixels along one side of a tile.
const TILE: f32 = 40.0;

#[macroquad::main("Tutorial")]
async fn main() {
    let map = Map::from_ron(include_str!("level.ron")).unwrap_or_else(|error| panic!("level.ron:{error}"));
    let world = World::new(map, Settings::default());
    loop {
        clear_background(Color::from_hex(0x171d2b));
        look_at(10.0, 7.5);
        draw_tiles(&world);
        next_frame().await;
    }
}

/// From here on everything is drawn in tiles, with y up and this point in the middle of the window.
fn look_at(x: f32, y: f32) {
    let zoom = 2.0 * TILE / vec2(screen_width(), -screen_height());
    set_camera(&Camera2D { target: vec2(x, y), zoom, ..Camera2D::default() });
}

fn draw_tiles(world: &World) {
    for face in world.terrain().exposed_faces() {
        let (a, b) = (face.a.to_vec2(), face.b.to_vec2());
        draw_line(a.x, a.y, b.x, b.y, 3.0 / TILE, LIGHTGRAY);
    }
}

use macroquad::prelude::*;
use std::error::Error;
use surefoot::prelude::*;
use surefoot::{Input, Map, World};

/// Pixels along one side of a tile.
const TILE: f32 = 40.0;

/// The state of the game outside its world.
struct Game {
    hero: BodyId,
}

impl Game {
    fn new() -> Result<(World, Game), Box<dyn Error>> {
        let map = Map::from_ron(include_str!("level.ron"))?;
        let start = map.marker("start").ok_or("the level has no start")?;
        let mut world = World::new(map, Settings::default());
        let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default()))?;
        Ok((world, Game { hero }))
    }

    fn tick(&mut self, world: &mut World, input: Input) {
        world.set_input(self.hero, input);
        world.step();
    }
}

#[macroquad::main("Tutorial")]
async fn main() {
    let (mut world, mut game) = Game::new().unwrap();
    loop {
        game.tick(&mut world, read_keys());
        clear_background(Color::from_hex(0x171d2b));
        look_at(10.0, 7.5);
        draw_tiles(&world);
        draw_bodies(&world);
        next_frame().await;
    }
}

fn read_keys() -> Input {
    let walk = i8::from(is_key_down(KeyCode::Right)) - i8::from(is_key_down(KeyCode::Left));
    Input { walk: 127 * walk, jump: is_key_down(KeyCode::Space), down: is_key_down(KeyCode::Down), ..Input::default() }
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

fn draw_bodies(world: &World) {
    for (_, body) in world.bodies() {
        let (at, half) = (body.position().to_vec2(), body.shape().half_extents().as_vec2());
        let color = if body.character().is_some() { ORANGE } else { LIME };
        draw_rectangle(at.x - half.x, at.y - half.y, 2.0 * half.x, 2.0 * half.y, color);
    }
}

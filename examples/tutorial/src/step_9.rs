use macroquad::prelude::*;
use serde::{Deserialize, Serialize};
use std::error::Error;
use surefoot::area::AreaId;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::record::{GameRunOptions, RecordOptions};
use surefoot::world::Patrol;
use surefoot::{Input, Map, World};

/// Pixels along one side of a tile.
const TILE: f32 = 40.0;

/// The tag of walkers in the level.
const WALKER: u64 = 1;

/// How the hero runs and jumps. Lengths are in tiles, times in seconds.
fn hero() -> Character {
    Character {
        walk_speed: 9.0,
        jump_height: 3.2,        // while the button is held,
        min_jump_height: 1.0,    // and if it is let go at once
        jump_time: 0.38,         // from the ground to the top
        fall_gravity_scale: 1.6, // falls faster than it rises
        coyote_time: 0.1,        // may still jump after walking off a floor
        jump_buffer: 0.1,        // a press just before landing counts
        corner_correction: 0.3,  // the head slips past the corner of a ceiling
        air_jumps: 1,            // a double jump
        wall_slide_speed: 3.0,
        wall_jump_speed: 9.0,
        max_push_mass: 2.0, // two crates at once
        ..Character::precise()
    }
}

/// The state of the game outside its world.
#[derive(Clone, Serialize, Deserialize)]
struct Game {
    hero: BodyId,
    coins: u32,
    won: bool,
}

impl Game {
    fn new() -> Result<(World, Game), Box<dyn Error>> {
        let map = Map::from_ron(include_str!("level_2.ron"))?;
        let start = map.marker("start").ok_or("the level has no start")?;
        let mut world = World::from_map(map, Settings::default());
        // Without a collision mask bodies pass through each other.
        let body = Body::new(Shape::aabb(0.35, 0.45)).collision_mask(CollisionLayers::ALL);
        let hero = world.spawn(body.at(start).character(hero()))?;
        // Walkers begin to the left.
        let walkers: Vec<_> = world.tagged(WALKER).map(|(id, _)| id).collect();
        walkers.into_iter().for_each(|walker| world.set_input(walker, Input::walk(-1.0)));
        Ok((world, Game { hero, coins: 0, won: false }))
    }

    fn tick(&mut self, world: &mut World, input: Input) {
        world.set_input(self.hero, input);
        Game::patrol(world);
        world.step();
        // A copy, since what follows changes the world.
        for event in world.events().to_vec() {
            match event.kind {
                EventKind::AreaEntered { area } if event.body == self.hero => self.enter(world, area),
                EventKind::HitBody { other, normal, .. } if event.body == self.hero => self.hit(world, other, normal.y),
                _ => {}
            }
        }
    }

    /// Walkers turn at walls, at water and at the ends of their floors.
    fn patrol(world: &mut World) {
        let walkers: Vec<_> = world.tagged(WALKER).map(|(id, _)| id).collect();
        for walker in walkers {
            let input = Patrol::new(0.3).input(world, walker);
            world.set_input(walker, input);
        }
    }

    /// A hero that comes from above beats a walker; any other is thrown back, without control for 20 ticks.
    fn hit(&mut self, world: &mut World, other: BodyId, up: f64) {
        let (hero, at) = (self.hero, world[self.hero].position().to_vec2());
        let Some(walker) = world.get(other).filter(|body| body.tag() == WALKER) else { return };
        let side = if walker.position().to_vec2().x < at.x { 1.0 } else { -1.0 };
        let _ = if up > 0.5 {
            world.despawn(other).and_then(|()| world.set_velocity(hero, (0.0, 12.0)))
        } else {
            world.knockback(hero, (16.0 * side, 6.0), 20)
        };
    }

    fn enter(&mut self, world: &mut World, area: AreaId) {
        let Some(state) = world.area(area) else { return };
        match state.area().tag.as_str() {
            "coin" => {
                self.coins += 1;
                let _ = world.despawn_area(area);
            }
            "goal" => self.won = true,
            _ => {}
        }
    }
}

#[macroquad::main("Tutorial")]
async fn main() {
    let (world, game) = Game::new().unwrap();
    let record = RecordOptions { map_file: Some("src/level_2.ron".to_owned()), ..RecordOptions::from(1) };
    let options = GameRunOptions { record, ..GameRunOptions::default() };
    let mut run = GameRun::with_options(world, game, |world, game, input| game.tick(world, *input), options).unwrap();
    run.name_body(run.game().hero, "hero").unwrap();
    let mut stepper = FixedTimestep::new(&run.world().settings());
    let mut buttons = Buttons::default();
    let _ = std::fs::remove_file("run.recording");
    run.record_to("run.recording").unwrap();
    loop {
        read_keys(&mut buttons);
        for _ in 0..stepper.advance(get_frame_time().into()) {
            run.advance(&buttons.next_input()).unwrap();
        }
        if is_key_pressed(KeyCode::Backspace) {
            run.rewind(run.rewind_ticks().min(180)).unwrap(); // up to three seconds
        }
        let (world, game, fraction) = (run.world(), run.game(), stepper.alpha());
        clear_background(Color::from_hex(0x171d2b));
        look_at_hero(world, game.hero, fraction);
        draw_tiles(world);
        draw_platforms(world, fraction);
        draw_areas(world, fraction);
        draw_bodies(world, fraction);
        if is_key_down(KeyCode::Tab) {
            draw_jump(world, game.hero, fraction);
        }
        set_default_camera(); // texts are drawn in pixels, with y down
        let text = if game.won { "You made it!" } else { "Reach the goal" };
        draw_text(format!("{} coins. {text}", game.coins), 10.0, 24.0, 24.0, WHITE);
        next_frame().await;
        if is_key_pressed(KeyCode::Escape) {
            run.close_recording().unwrap();
            break;
        }
    }
}

fn read_keys(buttons: &mut Buttons) {
    buttons.left(is_key_down(KeyCode::Left));
    buttons.right(is_key_down(KeyCode::Right));
    buttons.down(is_key_down(KeyCode::Down));
    // A key that goes down and up again within a frame counts, too.
    buttons.jump(is_key_down(KeyCode::Space) || is_key_pressed(KeyCode::Space));
}

/// From here on everything is drawn in tiles, with y up and this point in the middle of the window.
fn look_at(x: f32, y: f32) {
    let zoom = 2.0 * TILE / vec2(screen_width(), -screen_height());
    set_camera(&Camera2D { target: vec2(x, y), zoom, ..Camera2D::default() });
}

/// Follows the hero, but shows nothing beyond the level.
fn look_at_hero(world: &World, hero: BodyId, fraction: f32) {
    let at = world[hero].position_at(fraction);
    let (columns, rows) = world.map().size();
    let (half_width, half_height) = (screen_width() / TILE / 2.0, screen_height() / TILE / 2.0);
    let x = at.x.min(columns as f32 - half_width).max(half_width);
    let y = at.y.min(rows as f32 - half_height).max(half_height);
    look_at(x, y);
}

fn draw_tiles(world: &World) {
    let (columns, rows) = world.map().size();
    for (x, y) in (0..columns as i32).flat_map(|x| (0..rows as i32).map(move |y| (x, y))) {
        for corners in world.terrain().solid_triangles((x, y)) {
            let [a, b, c] = corners.map(|at| Vec2::from(at.to_vec2().to_array()));
            draw_triangle(a, b, c, Color::from_hex(0x364564));
        }
    }
    for face in world.terrain().exposed_faces() {
        let (a, b) = (face.a.to_vec2(), face.b.to_vec2());
        draw_line(a.x, a.y, b.x, b.y, 3.0 / TILE, LIGHTGRAY);
    }
}

/// Draws platforms as boxes, which is what those of the level are.
fn draw_platforms(world: &World, fraction: f32) {
    for (_, state) in world.platforms() {
        let (at, (columns, rows)) = (state.position_at(fraction), state.platform().layers[0].size);
        draw_rectangle(at.x, at.y, columns as f32, rows as f32, Color::from_hex(0x7d8fb8));
    }
}

fn draw_areas(world: &World, fraction: f32) {
    for (_, state) in world.areas() {
        let at = state.position_at(fraction);
        let color = if state.area().tag == "coin" { GOLD } else { GREEN };
        draw_circle(at.x, at.y, 0.4, color);
    }
}

/// Dots where a jump at full speed would lead.
fn draw_jump(world: &World, body: BodyId, fraction: f32) {
    let at = world[body].position_at(fraction);
    for by in hero().jump_path(&world.settings()).take(60).step_by(4) {
        draw_circle(at.x + by.x as f32, at.y + by.y as f32, 0.08, YELLOW);
    }
}

fn draw_bodies(world: &World, fraction: f32) {
    for (_, body) in world.bodies() {
        let (at, half) = (body.position_at(fraction), body.shape().half_extents().as_vec2());
        let color = if body.character().is_some() { ORANGE } else { LIME };
        let color = if body.tag() == WALKER { RED } else { color };
        draw_rectangle(at.x - half.x, at.y - half.y, 2.0 * half.x, 2.0 * half.y, color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_can_be_won() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/won.recording");
        let recording = Recording::<Input>::load(path).unwrap();
        let (mut world, mut game) = Game::new().unwrap();
        for input in recording.inputs() {
            game.tick(&mut world, *input);
        }
        assert!(game.won, "the hero is at {}", world[game.hero].position());
        GameRun::verify(path, |world, game: &mut Game, input: &Input| game.tick(world, *input)).unwrap();
    }
}

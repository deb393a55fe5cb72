use macroquad::prelude::*;
use serde::{Deserialize, Serialize};
use std::error::Error;
use surefoot::area::AreaId;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::record::{GameRunOptions, RecordOptions};
use surefoot::world::Patrol;
use surefoot::{Input, Map, World};
use surefoot_macroquad::{BodyLook, Controls, Stage};

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
    let (mut controls, mut stage) = (Controls::new(), Stage::new(run.world()));
    stage.dress(|_, body| if body.tag() == WALKER { BodyLook::Tinted(RED) } else { BodyLook::Plain });
    let _ = std::fs::remove_file("run.recording");
    run.record_to("run.recording").unwrap();
    loop {
        controls.read();
        for _ in 0..stage.ticks() {
            run.advance(&controls.next_input()).unwrap();
            stage.observe(run.world());
        }
        if is_key_pressed(KeyCode::Backspace) {
            run.rewind(run.rewind_ticks().min(180)).unwrap(); // up to three seconds
        }
        let (world, game) = (run.world(), run.game());
        stage.follow(world, game.hero);
        stage.draw(world);
        if is_key_down(KeyCode::Tab) {
            stage.use_tiles();
            draw_jump(world, game.hero, stage.fraction());
        }
        set_default_camera(); // texts are drawn in pixels, with y down
        let text = if game.won { "You made it!" } else { "Reach the goal" };
        draw_text(format!("{} coins. {text}", game.coins), 10.0, 24.0, 24.0, WHITE);
        controls.draw();
        next_frame().await;
        if is_key_pressed(KeyCode::Escape) {
            run.close_recording().unwrap();
            break;
        }
    }
}

/// Dots where a jump at full speed would lead.
fn draw_jump(world: &World, body: BodyId, fraction: f32) {
    let at = world[body].position_at(fraction);
    for by in hero().jump_path(&world.settings()).take(60).step_by(4) {
        draw_circle(at.x + by.x as f32, at.y + by.y as f32, 0.08, YELLOW);
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

//! A whole small game in one file: rules, window, rewind, quick save, recording, and the test of a run.
//!
//! Arrows walk and climb, Space jumps, Backspace goes back in time, F5 saves, F9 loads, Escape ends the recording.

use macroquad::prelude::*;
use serde::{Deserialize, Serialize};
use std::error::Error;
use surefoot::area::AreaId;
use surefoot::map::{TileId, Value};
use surefoot::prelude::*;
use surefoot::record::{GameRunOptions, RecordOptions};
use surefoot::world::Patrol;
use surefoot::{Input, Map, World};
use surefoot_macroquad::{BodyLook, Controls, Stage, window_conf};

/// The tag of walkers in the level.
const WALKER: u64 = 1;

/// State of the game outside the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Game {
    hero: BodyId,
    respawn_at: Position,
    coins: u32,
    score: i64,
    deaths: u32,
    /// Tick in which the hero reached the goal.
    goal_tick: Option<u64>,
}

fn start() -> Result<(World, Game), Box<dyn Error>> {
    let mut world = World::from_map(Map::from_ron(include_str!("level.ron"))?, Settings::default());
    let (hero, state) = world.bodies_of_kind("hero").next().ok_or("the level has no hero")?;
    let game = Game { hero, respawn_at: state.position(), coins: 0, score: 0, deaths: 0, goal_tick: None };
    let walkers: Vec<_> = world.tagged(WALKER).map(|(id, _)| id).collect();
    walkers.into_iter().for_each(|walker| world.set_input(walker, Input::walk(-0.3)));
    Ok((world, game))
}

fn new_run() -> Result<GameRun<Game>, Box<dyn Error>> {
    let (world, game) = start()?;
    let record = RecordOptions { map_file: Some("level.ron".to_owned()), ..RecordOptions::from(1) };
    Ok(GameRun::with_options(world, game, tick, GameRunOptions { record, ..GameRunOptions::default() })?)
}

fn tick(world: &mut World, game: &mut Game, inputs: &Inputs) {
    game.tick(world, inputs[0]).expect("all commands of the rules are valid");
}

impl Game {
    fn tick(&mut self, world: &mut World, input: Input) -> Result<(), CommandError> {
        world.set_input(self.hero, input);
        let walkers: Vec<_> = world.tagged(WALKER).map(|(id, _)| id).collect();
        for walker in walkers {
            world.set_input(walker, Patrol::new(0.3).input(world, walker));
        }
        world.step();
        for event in world.events().to_vec() {
            match event.kind {
                EventKind::AreaEntered { area } => self.enter(world, event.body, area)?,
                EventKind::HitBody { other, normal, .. } if event.body == self.hero => {
                    self.hit(world, other, normal.y)?
                }
                EventKind::LeftMap if event.body == self.hero => self.die(world)?,
                _ => {}
            }
        }
        if touches_spikes(world, self.hero) { self.die(world) } else { Ok(()) }
    }

    fn enter(&mut self, world: &mut World, body: BodyId, area: AreaId) -> Result<(), CommandError> {
        let Some(state) = world.area(area) else { return Ok(()) };
        match state.area().tag.as_str() {
            "button" if world.placed_body(body).is_some_and(|placed| placed.kind() == "crate") => {
                world.find_platform("door").map_or(Ok(()), |door| world.resume_platform(door))?;
            }
            _ if body != self.hero => {}
            "coin" => {
                self.coins += 1;
                self.score += world.area_properties(area)["worth"].as_i64().unwrap_or(0);
                world.despawn_area(area)?;
            }
            "checkpoint" => self.respawn_at = state.position(),
            "spring" => world.set_velocity(body, (world[body].velocity().x, 27.0))?,
            "goal" => self.goal_tick = self.goal_tick.or(Some(world.tick())),
            _ => {}
        }
        Ok(())
    }

    /// From above, the hero beats a walker and bounces off. From the side, the walker beats the hero.
    fn hit(&mut self, world: &mut World, other: BodyId, normal_y: f64) -> Result<(), CommandError> {
        if world.get(other).is_none_or(|body| body.tag() != WALKER) {
            return Ok(());
        }
        if normal_y <= 0.5 {
            return self.die(world);
        }
        self.score += 50;
        world.despawn(other)?;
        world.set_velocity(self.hero, (world[self.hero].velocity().x, 12.0))
    }

    fn die(&mut self, world: &mut World) -> Result<(), CommandError> {
        self.deaths += 1;
        world.teleport(self.hero, self.respawn_at)?;
        world.set_velocity(self.hero, (0.0, 0.0))
    }
}

fn touches_spikes(world: &World, body: BodyId) -> bool {
    world.contacts(body).iter().any(|contact| is_deadly(world, contact.tile_id))
}

fn is_deadly(world: &World, tile: TileId) -> bool {
    let kind = world.map().kind(tile);
    kind.and_then(|kind| kind.properties.get("deadly")).and_then(Value::as_bool) == Some(true)
}

fn window() -> macroquad::conf::Conf {
    window_conf("Quarry")
}

#[macroquad::main(window)]
async fn main() {
    play().await.expect("the game runs");
}

async fn play() -> Result<(), Box<dyn Error>> {
    let mut run = new_run()?;
    let (mut controls, mut stage, mut saved) = (Controls::new(), Stage::new(run.world()), None);
    stage.dress(|_, body| if body.tag() == WALKER { BodyLook::Tinted(RED) } else { BodyLook::Plain });
    let _ = std::fs::remove_file("quarry.recording");
    run.record_to("quarry.recording")?;
    while !is_key_pressed(KeyCode::Escape) {
        controls.read();
        for _ in 0..stage.ticks() {
            run.advance(&Inputs::from(controls.next_input()))?;
            stage.observe(run.world());
        }
        if is_key_pressed(KeyCode::Backspace) {
            run.rewind(run.rewind_ticks().min(180))?; // up to three seconds
        }
        if is_key_pressed(KeyCode::F5) {
            saved = Some(run.save()?);
        }
        if let Some(saved) = saved.as_ref().filter(|_| is_key_pressed(KeyCode::F9)) {
            run.load(saved)?;
        }
        let (world, game) = (run.world(), run.game());
        stage.follow(world, game.hero);
        stage.draw(world);
        controls.draw();
        let text = game.goal_tick.map_or("Reach the goal".to_owned(), |tick| format!("You made it in {tick} ticks"));
        draw_text(format!("coins {}, score {}. {text}", game.coins, game.score), 10.0, 24.0, 24.0, WHITE);
        next_frame().await;
    }
    Ok(run.close_recording()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::replay::Script;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/quarry");

    /// Plays the level by the rules, with a rewind now and then.
    fn play_script() -> GameRun<Game> {
        let mut run = new_run().unwrap();
        let mut script = Script::parse(include_str!("run.txt")).unwrap().player();
        let mut inputs = Vec::new();
        while let Some(input) = script.next_input(run.world(), run.game().hero).unwrap() {
            inputs.push(Inputs::from(input));
            run.advance(&inputs[inputs.len() - 1]).unwrap();
            if inputs.len() % 50 == 0 {
                run.rewind(30).unwrap();
                inputs[inputs.len() - 30..].iter().for_each(|inputs| run.advance(inputs).unwrap());
            }
        }
        run
    }

    /// The level has five coins of 10 and a walker of 50, and the script runs into the spikes once. The kept recording
    /// is of this run: `SUREFOOT_WRITE_RECORDING=1` writes it again.
    #[test]
    fn the_script_wins_the_run_of_the_recording() {
        let mut run = play_script();
        let game = run.game().clone();
        assert_eq!((game.coins, game.score, game.deaths, game.goal_tick.is_some()), (5, 100, 1, true));
        let (kept, new) = (format!("{FOLDER}/won.recording"), format!("{FOLDER}/won.recording.new"));
        if std::env::var_os("SUREFOOT_WRITE_RECORDING").is_some() {
            run.record_to(&new).unwrap();
            run.close_recording().unwrap();
            std::fs::rename(new, &kept).unwrap();
        }
        let found = GameRun::verify(&kept, tick).unwrap();
        assert_eq!((found.checksum, found.ticks), (run.world().checksum(), run.world().tick()));
        assert!(!found.map_changed && found.compared as u64 == found.ticks, "{found:?}");
        let kept = Recording::<Inputs>::load(kept).unwrap();
        assert!(kept.inputs().eq(run.recording().unwrap().inputs()));
    }

    #[test]
    fn other_rules_and_another_level_are_noticed() {
        let other = |world: &mut World, game: &mut Game, inputs: &Inputs| {
            tick(world, game, inputs);
            game.score += i64::from(game.coins == 3);
        };
        let error = GameRun::verify(format!("{FOLDER}/won.recording"), other).unwrap_err().to_string();
        assert!(error.contains("`score` is"), "{error}");
        let kept = Recording::<Inputs>::load(format!("{FOLDER}/won.recording")).unwrap();
        let map = Map::from_ron(&include_str!("level.ron").replace("climbable: true", "climbable: false")).unwrap();
        let error = GameRun::verify_on(kept, map, tick).unwrap_err().to_string();
        assert!(error.contains("differs"), "{error}");
    }
}

#[cfg(test)]
mod solved;

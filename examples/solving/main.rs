//! Asks whether levels with rules of their own can be won: a crate on a button that opens a door, and guards that
//! patrol. The search plays the rules too. Prints the found runs, and writes a picture of each if the command line
//! names a folder.

use serde::{Deserialize, Serialize};
use std::error::Error;
use std::path::Path;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::world::Patrol;
use surefoot::{Input, Map, World};
use surefoot_draw::{Run, RunStyle, draw_run};
use surefoot_search::{Answer, FoundRun, Goal, Search};

/// The levels with rules, in `maps/showcase`.
const LEVELS: [&str; 2] = ["solve_button", "solve_patrol"];
/// Tag of the guards.
const GUARD: u64 = 1;
/// Speed of the doors in tiles per second, and how far they open in tiles.
const DOOR_SPEED: f64 = 12.0;
const DOOR_HEIGHT: f64 = 3.0;
/// Upward speed after a jump on a guard, in tiles per second.
const STOMP_SPEED: f64 = 12.0;

/// State of the game outside the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Game {
    hero: BodyId,
    /// A guard has caught the hero.
    lost: bool,
}

fn start(map: Map) -> Result<(World, Game), Box<dyn Error>> {
    let at = map.marker("start").ok_or("the map has no start")?;
    let mut world = World::from_map(map, Settings::default());
    let character = Character { max_push_mass: 1.0, ..Character::default() };
    let body = Body::new(Shape::aabb(0.35, 0.45)).at(at).character(character);
    let hero = world.spawn(body.collision_mask(CollisionLayers::ALL))?;
    Ok((world, Game { hero, lost: false }))
}

/// Plays one tick.
fn tick(world: &mut World, game: &mut Game, inputs: &Inputs) {
    world.set_input(game.hero, if game.lost { Input::default() } else { inputs[0] });
    let guards: Vec<_> = world.tagged(GUARD).map(|(id, _)| id).collect();
    for guard in guards {
        world.set_input(guard, Patrol::new(0.3).input(world, guard));
    }
    move_door(world).expect("the door is driven by the game");
    world.step();
    handle_guard_contacts(world, game).expect("the bodies exist");
}

/// The door is open while a body is on the button.
fn move_door(world: &mut World) -> Result<(), CommandError> {
    let Some(door) = world.find_platform("door") else { return Ok(()) };
    let is_pressed = world.areas_tagged("button").any(|(id, _)| world.bodies_in(id).next().is_some());
    let Some(state) = world.platform(door) else { return Ok(()) };
    let at = state.position().to_dvec2();
    let closed = state.platform().position.unwrap_or_default().to_dvec2();
    let (goal, step) = (closed.y + if is_pressed { DOOR_HEIGHT } else { 0.0 }, DOOR_SPEED * world.settings().tick);
    if at.y == goal { Ok(()) } else { world.drive_platform(door, (at.x, at.y + (goal - at.y).clamp(-step, step))) }
}

/// The hero beats a guard from above. From the side, the guard catches the hero.
fn handle_guard_contacts(world: &mut World, game: &mut Game) -> Result<(), CommandError> {
    let mut contacts = Vec::new();
    world.body_contacts(game.hero, &mut contacts);
    for contact in contacts {
        if world.get(contact.other).is_none_or(|other| other.tag() != GUARD) {
            continue;
        }
        if contact.normal.y > 0.5 {
            world.despawn(contact.other)?;
            let along = world[game.hero].velocity().x;
            world.set_velocity(game.hero, (along, STOMP_SPEED))?;
        } else {
            game.lost = true;
        }
    }
    Ok(())
}

fn map(level: &str) -> Result<Map, Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../maps/showcase/{level}.ron"));
    Ok(Map::load(file)?)
}

/// Searches for a run of a level by the rules of the game.
fn solve(level: &str) -> Result<FoundRun, Box<dyn Error>> {
    let (world, game) = start(map(level)?)?;
    match Search::with_game(&world, game.hero, &game, tick).goal(Goal::Marker("goal".to_owned())).run()? {
        Answer::Reachable(run) => Ok(run),
        Answer::NotFound(nearest) => Err(format!("{level}: no run was found: {nearest}").into()),
        Answer::Unreachable(proof) => Err(format!("{level}: {proof}").into()),
    }
}

/// Plays a run by the rules of the game. Calls `watch` before the first tick and after each tick.
fn play(level: &str, run: &FoundRun, mut watch: impl FnMut(&World)) -> Result<(World, Game), Box<dyn Error>> {
    let (mut world, mut game) = start(map(level)?)?;
    watch(&world);
    for part in &run.inputs {
        for _ in 0..part.ticks {
            tick(&mut world, &mut game, &Inputs::from(part.input));
            watch(&world);
        }
    }
    Ok((world, game))
}

/// Plays a run, and returns how it ends and its picture.
fn draw(level: &str, run: &FoundRun) -> Result<(World, Game, String), Box<dyn Error>> {
    let mut picture = Run::new();
    let (world, game) = play(level, run, |world| picture.observe(world))?;
    picture.name(game.hero, "hero");
    let svg = draw_run(world.map(), world.terrain(), &picture, &RunStyle::default());
    Ok((world, game, svg.to_string()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1);
    for level in LEVELS {
        let found = solve(level)?;
        let (world, game, svg) = draw(level, &found)?;
        println!("{level}: {} ticks, ends at {}", found.ticks(), world[game.hero].position());
        if let Some(folder) = &folder {
            std::fs::write(Path::new(folder).join(format!("{level}.svg")), svg)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays the found run, and compares its picture with the one of the guide.
    fn solved(level: &str) -> (World, Game) {
        let found = solve(level).unwrap();
        let (world, game, svg) = draw(level, &found).unwrap();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/solving");
        let kept = std::fs::read_to_string(format!("{folder}/{level}.svg")).unwrap_or_default();
        assert!(kept == svg, "cargo run -p surefoot-examples --example solving docs/solving draws {level}.svg again");
        let goal = world.map().marker("goal").unwrap().to_dvec2();
        let off = (world[game.hero].position().to_dvec2() - goal).abs();
        assert!(off.x < 0.35 && off.y < 0.45 && !game.lost, "{level}: {off}");
        (world, game)
    }

    #[test]
    fn the_crate_lies_on_the_button() {
        let (world, _) = solved("solve_button");
        let button = world.areas_tagged("button").next().map(|(id, _)| id).unwrap();
        assert!(world.bodies_in(button).any(|body| world[body].character().is_none()));
    }

    #[test]
    fn no_guard_catches_the_hero() {
        solved("solve_patrol");
    }

    /// Without its rules the door never opens.
    #[test]
    fn the_door_is_closed_without_rules() {
        let (mut world, game) = start(map("solve_button").unwrap()).unwrap();
        for _ in 0..300 {
            world.set_input(game.hero, Input { walk: 127, ..Input::default() });
            world.step();
        }
        assert!(world[game.hero].position().to_dvec2().x < 19.0);
    }
}

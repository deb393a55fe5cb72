//! The small game of `rules.md` with surefoot.

// part: program
use std::error::Error;
use surefoot::prelude::*;
use surefoot::replay::Script;
use surefoot::{Map, World};

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::from_map(Map::from_ron(include_str!("surefoot.ron"))?, Settings::default());
    let (hero, state) = world.bodies_of_kind("hero").next().ok_or("the level has no hero")?;
    let start = state.position();
    let inputs = std::fs::read_to_string(std::env::args().nth(1).ok_or("expected a file of inputs")?)?;
    let mut inputs = Script::parse(&inputs)?.player();
    let (mut coins, mut deaths, mut won) = (0, 0, false);
    while !won && let Some(input) = inputs.next_input(&world, hero)? {
        world.set_input(hero, input);
        world.step();
        // part: rules
        let mut dies = false;
        for event in world.events().to_vec() {
            match event.kind {
                EventKind::AreaEntered { area } => match world.area(area).map_or("", |state| &state.area().tag) {
                    "coin" => {
                        coins += 1;
                        world.despawn_area(area)?;
                    }
                    "goal" => won = true,
                    _ => dies = true,
                },
                EventKind::LeftMap => dies = true,
                _ => {}
            }
        }
        if dies {
            deaths += 1;
            world.teleport(hero, start)?;
            world.set_velocity(hero, (0.0, 0.0))?;
        }
        // part: program
    }
    let (time, at) = (world.tick() as f64 / 60.0, world[hero].position().to_dvec2());
    println!("goal {won}, coins {coins}, deaths {deaths}, time {time:.2} s, at ({:.2}, {:.2})", at.x, at.y);
    Ok(())
}

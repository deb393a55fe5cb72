//! The program of the README: load a map, spawn a character, step the world, read events.

use surefoot::prelude::*;
use surefoot::{Input, Map, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Map::from_rows([
        "#.............#",
        "#.............#",
        "#......---....#",
        "#.@../##\\.....#",
        "###############",
    ])?;
    let start = map.marker("start").ok_or("the map has no start")?;
    let mut world = World::new(map, Settings::default());
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default()))?;
    for tick in 0..90 {
        world.set_input(hero, Input { walk: 127, jump: tick >= 20, ..Input::default() }); // 127: full speed to the right
        world.step();
        for event in world.events() {
            println!("tick {}: {}", world.tick(), event.kind.name());
        }
    }
    println!("the hero is at {:.2}", world[hero].position().to_vec2());
    Ok(())
}

// Prints:
// tick 3: landed
// tick 21: jumped
// tick 21: left_floor
// tick 59: landed
// tick 64: left_floor
// tick 83: landed
// tick 89: hit_tile
// the hero is at [13.65, 1.45]

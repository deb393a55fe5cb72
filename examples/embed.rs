//! The engine in a game's loop: load a map, spawn, set inputs, step, read events and positions.

use surefoot::prelude::*;
use surefoot::{Input, Map, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Map::load("maps/first_steps.ron")?;
    let start = map.marker("start").expect("the map has a start");
    let mut world = World::new(map, Settings::default());
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default()))?;
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at((4.5, 9.0)).bounce(0.6))?;

    let mut landings = 0;
    for tick in 0..120 {
        world.set_input(hero, Input { walk: 127, jump: tick % 60 == 30, ..Input::default() });
        world.step();
        for event in world.events() {
            // Here a game plays a sound.
            landings += u32::from(event.kind == EventKind::Landed);
        }
        // Here it draws.
        let _ = (world[hero].position().to_vec2(), world[ball].position().to_vec2());
    }

    println!("hero at {}, ball at {}, {landings} landings", world[hero].position(), world[ball].position());
    assert!(world[hero].position().to_dvec2().x > start.to_dvec2().x + 1.0, "it has walked");
    assert!(landings > 0);
    Ok(())
}

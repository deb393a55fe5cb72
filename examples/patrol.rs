//! A guard that walks back and forth on its floor: it turns at walls, at water and at the ends of floors.

use surefoot::prelude::*;
use surefoot::world::Patrol;
use surefoot::{Map, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = ["..............", "#.............", "#../=\\........", "#==#####......", ".............."];
    let mut world = World::new(Map::from_rows(rows)?, Settings::default());
    let body = Body::new(Shape::aabb(0.3, 0.45)).character(Character::default()).at((2.5, 2.45));
    let (guard, patrol) = (world.spawn(body)?, Patrol::new(0.25));
    let (mut turns, mut lowest) = (0, f64::INFINITY);
    for _ in 0..60 * 20 {
        let (before, input) = (world[guard].input().walk, patrol.input(&world, guard));
        world.set_input(guard, input);
        world.step();
        turns += u32::from(before != 0 && before != input.walk);
        lowest = world[guard].position().to_dvec2().y.min(lowest);
    }
    println!("The guard has turned {turns} times in 20 s, and never been lower than {lowest:.2}.");
    assert!(turns >= 4 && lowest > 2.4, "it keeps to its floor");
    Ok(())
}

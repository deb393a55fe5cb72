//! A guard that walks back and forth on its floor: it turns at walls and at the ends of floors.

use surefoot::prelude::*;
use surefoot::{Input, Map, World};

/// Direction of a patrol: 1 is to the right.
struct Patrol {
    guard: BodyId,
    headed: f32,
}

impl Patrol {
    /// Distance of the look-ahead in tiles: more than a tick's walk plus the braking distance.
    const AHEAD: f64 = 0.5;

    fn steer(&mut self, world: &mut World) {
        let next = world.probe_walk(self.guard, Self::AHEAD * f64::from(self.headed)).unwrap_or_default();
        let is_wall = if self.headed > 0.0 { next.wall_right } else { next.wall_left };
        if world[self.guard].on_floor() && (is_wall || !next.floor) {
            self.headed = -self.headed;
        }
        world.set_input(self.guard, Input::walk(0.25 * self.headed));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = ["..............", "#.............", "#../=\\........", "#==#####......", ".............."];
    let mut world = World::new(Map::from_rows(rows)?, Settings::default());
    let body = Body::new(Shape::aabb(0.3, 0.45)).character(Character::default()).at((2.5, 2.45));
    let mut patrol = Patrol { guard: world.spawn(body)?, headed: 1.0 };
    let (mut turns, mut lowest) = (0, f64::INFINITY);
    for _ in 0..60 * 20 {
        let headed = patrol.headed;
        patrol.steer(&mut world);
        world.step();
        turns += u32::from(patrol.headed != headed);
        lowest = world[patrol.guard].position().to_dvec2().y.min(lowest);
    }
    println!("The guard has turned {turns} times in 20 s, and never been lower than {lowest:.2}.");
    assert!(turns >= 4 && lowest > 2.4, "it keeps to its floor");
    Ok(())
}

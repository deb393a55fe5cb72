//! Bullets that disappear at a hit, pierce a number of bodies, or bounce off a number of walls.

use std::collections::BTreeSet;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::query::Filter;
use surefoot::{Map, World};

/// A bullet: a body that collides with no other body. A query along its path finds the bodies that it pierces in a
/// tick.
struct Bullet {
    body: BodyId,
    /// Number of bodies left to pierce, and of walls left to bounce off. The next hit ends the bullet.
    pierces: u32,
    bounces: u32,
    hit: BTreeSet<BodyId>,
}

impl Bullet {
    fn fire(world: &mut World, at: (f64, f64), velocity: (f64, f64), pierces: u32, bounces: u32) -> Bullet {
        let body = Body::new(Shape::circle(0.1)).bounce(1.0).gravity_scale(0.0).at(at).velocity(velocity);
        Bullet { body: world.spawn(body).expect("a bullet in range"), pierces, bounces, hit: BTreeSet::new() }
    }

    /// Call after a step: lists the bodies that the bullet hit, and returns whether it flies on.
    fn follow(&mut self, world: &World, struck: &mut Vec<BodyId>) -> bool {
        let walls = world.events().iter().filter(|event| event.body == self.body);
        let walls = walls.filter(|event| matches!(event.kind, EventKind::HitTile { .. })).count() as u32;
        let state = &world[self.body];
        let (mut from, mut hits) = (state.previous_position(), Vec::new());
        for &to in state.path() {
            world.cast_shape_all(
                state.shape(),
                from,
                to.to_dvec2() - from.to_dvec2(),
                &Filter::bodies(CollisionLayers::ALL).exclude(&[self.body]),
                &mut hits,
            );
            from = to;
            for body in hits.iter().filter_map(|hit| hit.target.body()) {
                if !self.hit.insert(body) {
                    continue;
                }
                struck.push(body);
                if self.pierces == 0 {
                    return false;
                }
                self.pierces -= 1;
            }
        }
        let goes_on = walls <= self.bounces;
        self.bounces = self.bounces.saturating_sub(walls);
        goes_on
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(Map::from_rows(["#............#"; 3])?, Settings::default());
    let targets =
        [4.5, 7.5, 10.5].map(|x| world.spawn(Body::new(Shape::aabb(0.4, 0.4)).gravity_scale(0.0).at((x, 1.5))));
    let targets = targets.into_iter().collect::<Result<Vec<_>, _>>()?;
    for (pierces, bounces, expected) in [(0, 0, 1), (1, 0, 2), (9, 0, 3)] {
        let mut bullet = Bullet::fire(&mut world, (1.5, 1.5), (90.0, 0.0), pierces, bounces);
        let (mut struck, mut ticks) = (Vec::new(), 0);
        loop {
            world.step();
            ticks += 1;
            if !bullet.follow(&world, &mut struck) {
                break;
            }
        }
        world.despawn(bullet.body)?;
        println!(
            "A bullet that goes through {pierces} has hit {} of {} in {ticks} ticks.",
            struck.len(),
            targets.len()
        );
        assert_eq!(struck, targets[..expected]);
    }
    let mut bullet = Bullet::fire(&mut world, (1.5, 0.5), (60.0, 0.0), 0, 3);
    let mut ticks = 0;
    while bullet.follow(&world, &mut Vec::new()) {
        world.step();
        ticks += 1;
    }
    println!("One that bounces off 3 walls ends at the fourth, after {ticks} ticks.");
    // At 60 tiles per second, the bullet flies 11.4 tiles to the first wall and 11.8 to each of the next three.
    assert_eq!(ticks, ((11.4 + 3.0 * 11.8) / 60.0 * 60.0_f64).ceil() as u32);
    Ok(())
}

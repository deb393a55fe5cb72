//! Very many bodies in one place.

use crate::scene::{map, often, position};
use surefoot::prelude::*;
use surefoot::{Input, World};

/// Number of bodies in one tile.
const CROWD: usize = 100_000;

/// Number of different bodies.
const KINDS: usize = 50;

/// Bodies that are all in the tile (3, 2), above a hill.
fn body(kind: usize) -> Body {
    let (x, y) = (3.05 + 0.019 * kind as f64, 2.95 - 0.013 * (kind % 40) as f64);
    let shape = if kind.is_multiple_of(2) { Shape::circle(0.2) } else { Shape::aabb(0.15, 0.25) };
    let body = Body::new(shape).at(position(x, y)).velocity((20.0 - kind as f64, -12.0));
    match kind % 3 {
        0 => body.character(Character::default()),
        1 => body.bounce(0.8),
        _ => body.friction(0.4),
    }
}

fn input(kind: usize) -> Input {
    Input { walk: (5 * kind) as i8, ..Input::default() }
}

#[test]
fn a_hundred_thousand_bodies_in_a_tile_move_independently() {
    let map = map(&["#.....#", "#.....#", "#../\\.#", "#######"]);
    let empty = World::new(map, Settings::default());
    let mut alone: Vec<(World, BodyId)> = (0..KINDS)
        .map(|kind| {
            let mut world = empty.clone();
            let id = world.spawn(body(kind)).unwrap();
            world.set_input(id, input(kind));
            (world, id)
        })
        .collect();
    let mut world = empty;
    let crowd: Vec<BodyId> = (0..CROWD).map(|i| world.spawn(body(i % KINDS)).unwrap()).collect();
    for (i, &id) in crowd.iter().enumerate() {
        world.set_input(id, input(i % KINDS));
    }
    let mut met = 0;
    for tick in 0..often(6, 100) {
        world.step();
        met += world.events().len();
        let state = |world: &World, id: BodyId| (world[id].position(), world[id].velocity(), world[id].touching());
        let expected: Vec<_> = alone
            .iter_mut()
            .map(|(world, id)| {
                world.step();
                state(world, *id)
            })
            .collect();
        for (i, &id) in crowd.iter().enumerate() {
            assert_eq!(state(&world, id), expected[i % KINDS], "body {i} in tick {tick}");
        }
    }
    assert!(met > CROWD / 2, "{met} events: they come to the ground");
    assert_eq!(world.bodies().count(), CROWD);
    for id in crowd {
        world.despawn(id).unwrap();
    }
    assert_eq!(world.bodies().count(), 0);
}

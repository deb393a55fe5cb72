//! No feature changes a bit of a result: this scene uses the physics alone, and ends alike with and without all else.

use surefoot::prelude::*;
use surefoot::{Input, Map, World};

/// Characters, balls and boxes of every size on slopes, hills, ledges and curves.
fn scene() -> World {
    let map = Map::from_rows([
        "..............................",
        "..(##)......+.......o.........",
        "..............--..............",
        ".....1234........../##\\.......",
        "#..........=====.........L..J.",
        "##\\......./................##.",
        "###__1234/####\\..^^../########",
        "##############################",
    ])
    .expect("the built-in legend has these");
    let mut world = World::new(map, Settings::default());
    for i in 0..24 {
        let at = (1.5 + f64::from(i), 7.5);
        let size = 0.1 + f64::from(i % 5) / 16.0;
        let body = match i % 4 {
            0 => Body::new(Shape::aabb(size, 0.45)).character(Character::default()),
            1 => Body::new(Shape::circle(size)).bounce(0.7),
            2 => Body::new(Shape::circle(size)).character(Character::default()),
            _ => Body::new(Shape::aabb(size, size)).friction(0.3).velocity((f64::from(i) - 12.0, 3.0)),
        };
        world.spawn(body.at(at)).expect("a body in order");
    }
    world
}

#[test]
fn a_run_ends_alike_with_any_features() {
    let mut world = scene();
    let ids: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    // FNV-1a over all positions of all ticks.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for tick in 0..600_u32 {
        for (i, &id) in (0_u32..).zip(&ids) {
            let walk = if (tick / 60 + i) % 3 == 0 { -127 } else { 127 };
            let input = Input { walk, jump: (tick + 7 * i) % 50 < 12, down: (tick + i) % 90 == 0, ..Input::default() };
            if world[id].character().is_some() {
                world.set_input(id, input);
            }
        }
        world.step();
        for (_, state) in world.bodies() {
            let units = state.position().units();
            for number in [units.x, units.y] {
                hash = (hash ^ number as u64).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    assert_eq!(hash, 0xc24d_d040_dcf4_d9d9, "{hash:#x}");
}

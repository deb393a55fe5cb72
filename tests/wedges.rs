//! Bodies come to rest in pits and wedges.

use crate::scene::{map_with, place};
use surefoot::prelude::*;

const STEEP: &str = "legend: {'V': \"half_slope_low r1\", 'W': \"half_slope_high r1\", 'U': \"half_slope_low m r3\", 'Z': \"half_slope_high m r3\"}";

#[test]
fn a_body_comes_to_rest_in_a_pit_of_steep_slopes() {
    let map = map_with(&["........", "#.V..U.#", "#.W..Z.#", "########"], STEEP);
    for shape in [Shape::aabb(0.4, 0.4), Shape::circle(0.4), Shape::circle(0.9), Shape::aabb(0.95, 0.3)] {
        let mut world = World::new(map.clone(), Settings::default());
        let body = world.spawn(Body::new(shape).at(place(4.1, 2.6))).unwrap();
        let mut last_motion = 0;
        for tick in 0..200 {
            let before = world[body].place();
            world.step();
            if world[body].place() != before {
                last_motion = tick;
            }
        }
        println!("{shape:?} rests at {} after {last_motion} {:?}", world[body].place(), world[body].touching());
    }
}

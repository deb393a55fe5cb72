//! A crowd of walkers that jump, on 1024 x 64 tiles of floors, blocks, 45-degree and 1:2 slopes.
//!
//! `crowd circle|box TICKS` prints nanoseconds per body-step. For instructions, run it under callgrind with two numbers of
//! ticks: the difference, over 1000 bodies times the difference in ticks, is net of loading and baking.
#![forbid(unsafe_code)]

use std::time::Instant;
use surefoot::prelude::*;

const WIDTH: usize = 1024;
const HEIGHT: usize = 64;
const BODIES: u64 = 1000;

/// xorshift64*: the same scene on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((u128::from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)) * u128::from(n)) >> 64) as u64
    }
}

/// Storeys of floor 8 tiles apart, with hills of 45 degrees and 1:2, blocks to jump over and gaps to fall through.
fn rows(random: &mut Random) -> Vec<String> {
    let mut cells = vec![vec!['.'; WIDTH]; HEIGHT];
    for storey in 0..HEIGHT / 8 {
        let floor = HEIGHT - 1 - storey * 8;
        cells[floor].fill('#');
        let mut x = 4;
        while x + 16 < WIDTH {
            let mut put = |row: usize, at: usize, text: &str| {
                for (i, tile) in text.chars().enumerate() {
                    cells[row][at + i] = tile;
                }
            };
            match random.below(5) {
                0 => put(floor - 1, x, "/##\\"),
                1 => put(floor - 1, x, "12##34"),
                2 => put(floor - 1, x, "#"),
                3 => {
                    put(floor - 1, x, "/####\\");
                    put(floor - 2, x + 1, "/##\\");
                }
                _ if storey > 0 => put(floor, x, "..."),
                _ => {}
            }
            x += 8 + random.below(6) as usize;
        }
    }
    for row in &mut cells {
        row[0] = '#';
        row[WIDTH - 1] = '#';
    }
    cells.into_iter().map(|row| row.into_iter().collect()).collect()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next().unwrap_or_else(|| "box".to_owned());
    let ticks: u64 = arguments.next().and_then(|ticks| ticks.parse().ok()).unwrap_or(600);
    let shape = if kind == "circle" { Shape::circle(0.35) } else { Shape::aabb(0.35, 0.45) };

    let mut random = Random(0x5EED);
    let rows: Vec<String> = rows(&mut random).into_iter().map(|row| format!("{row:?}")).collect();
    let map = Map::from_ron(&format!("Map(format: 1, tiles: [{}])", rows.join(","))).expect("a map");
    let mut world = World::new(map, Settings::default());
    let mut crowd = Vec::new();
    while (crowd.len() as u64) < BODIES {
        let x = 2.0 + random.below(1020 * 16) as f64 / 16.0;
        let y = 2.0 + random.below(60) as f64;
        let at = Place::new(x, y).expect("a place");
        if world.mover().overlaps(shape, at) {
            continue;
        }
        crowd.push(world.spawn(Body::new(shape).at(at).character(Character::default())).expect("a body"));
    }

    let begin = Instant::now();
    for tick in 0..ticks {
        for (i, &body) in crowd.iter().enumerate() {
            let phase = tick + 7 * i as u64;
            let walk = if (phase / 180).is_multiple_of(2) { 127 } else { -127 };
            world.set_input(body, Input { walk, jump: phase % 90 < 10, ..Input::default() });
        }
        world.step();
    }
    let spent = begin.elapsed().as_nanos() as f64 / (ticks * BODIES) as f64;
    let lost = crowd.iter().filter(|&&body| world.get(body).is_none()).count();
    let sum: f64 = crowd.iter().map(|&body| world[body].place().to_dvec2().x).sum();
    let floor = crowd.iter().filter(|&&body| world[body].on_floor()).count();
    println!("{kind}: {spent:.1} ns per body-step; {floor} of {BODIES} on the floor, {lost} lost, sum of x {sum}");
}

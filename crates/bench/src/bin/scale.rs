//! Measures a step on maps of 10^3 and 1.6 * 10^7 tiles, and in a streamed world of 10^9, made of repeated rooms.
//!
//! `scale small|large|streamed circle|box TICKS` prints nanoseconds per body-step. For instructions, run it under callgrind
//! with two numbers of ticks, and divide the difference by 64 bodies times the difference in ticks. Use at least 1200
//! ticks: by then every body has been everywhere in its room, and a streamed world loads nothing more. In maps of
//! several rooms each body has a room of its own. All bodies move alike, so the printed sums agree.
#![forbid(unsafe_code)]

use std::sync::Arc;
use std::time::Instant;
use surefoot::map::MapParts;
use surefoot::prelude::*;
use surefoot::terrain::TileBounds;
use surefoot::{Map, World, geometry::I64Vec2};
use surefoot_bench::scale::room;
use surefoot_bench::scene::input;

const SIDE: i32 = 32;
const BODIES: i32 = 64;

/// Rooms side by side and on top of each other.
struct Rooms {
    /// One room, the lowest row first.
    room: Vec<TileId>,
    /// Columns and rows of rooms.
    count: (i32, i32),
}

impl Rooms {
    fn new(count: (i32, i32)) -> Rooms {
        let map = Map::from_rows(["."]).expect("a map");
        let entry = |tile: char| map.find_tile(tile).expect("a tile of the legend");
        let room = room().iter().rev().flat_map(|row| row.chars()).map(entry).collect();
        Rooms { room, count }
    }

    fn tile(&self, x: i32, y: i32) -> TileId {
        self.room[(y.rem_euclid(SIDE) * SIDE + x.rem_euclid(SIDE)) as usize]
    }

    /// The lower left tile of the room of a body.
    fn corner(&self, body: i32) -> (i32, i32) {
        let (columns, rows) = self.count;
        ((body * 7919).rem_euclid(columns) * SIDE, (body * 6101).rem_euclid(rows) * SIDE)
    }
}

impl TileSource for Rooms {
    fn fill(&self, _layer: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
        for (i, cell) in (0..).zip(cells) {
            *cell = self.tile(SIDE * chunk.0 + i % SIDE, SIDE * chunk.1 + i / SIDE);
        }
    }

    fn bounds(&self) -> Option<TileBounds> {
        let size = (SIDE * self.count.0, SIDE * self.count.1);
        Some(TileBounds { origin: (0, 0), size: (size.0 as u32, size.1 as u32) })
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let scale = arguments.next().unwrap_or_else(|| "small".to_owned());
    let kind = arguments.next().unwrap_or_else(|| "box".to_owned());
    let ticks: u64 = arguments.next().and_then(|ticks| ticks.parse().ok()).unwrap_or(600);
    let shape = if kind == "circle" { Shape::circle(0.35) } else { Shape::aabb(0.35, 0.45) };
    // The maps have 32, 4,000 or 32,000 tiles on each side.
    let count = match scale.as_str() {
        "small" => (1, 1),
        "large" => (125, 125),
        _ => (1000, 1000),
    };

    let size = if scale == "streamed" { (1, 1) } else { (SIDE * count.0, SIDE * count.1) };
    let mut parts = MapParts::new(size.0 as u32, size.1 as u32);
    let rooms = Arc::new(Rooms::new(count));
    let begin = Instant::now();
    let mut world = if scale == "streamed" {
        World::streamed(Map::from_parts(parts).expect("a map"), rooms.clone(), Settings::default())
    } else {
        for (i, cell) in (0..).zip(&mut parts.layers[0].cells) {
            *cell = rooms.tile(i % size.0, i / size.0);
        }
        World::new(Map::from_parts(parts).expect("a map"), Settings::default())
    };
    let built = begin.elapsed().as_secs_f64();

    let crowd: Vec<_> = (0..BODIES)
        .map(|body| {
            let corner = rooms.corner(body);
            let (x, y) = (1.5 + f64::from(body * 29 % 290) / 10.0, 7.5 + 8.0 * f64::from(body % 3));
            let at = (f64::from(corner.0) + x, f64::from(corner.1) + y);
            world.spawn(Body::new(shape).at(at).character(Character::default())).expect("a body")
        })
        .collect();
    let begin = Instant::now();
    for tick in 0..ticks {
        for (i, &body) in crowd.iter().enumerate() {
            world.set_input(body, input(tick, i).into());
        }
        world.step();
    }
    let spent = begin.elapsed().as_nanos() as f64 / (ticks as f64 * f64::from(BODIES));
    let sum = (0..).zip(&crowd).fold(I64Vec2::ZERO, |sum, (i, &body)| {
        let corner = rooms.corner(i);
        sum + world[body].position().units() - I64Vec2::new(corner.0.into(), corner.1.into()) * ONE
    });
    let (width, height) = world.terrain().size();
    let tiles = f64::from(width) * f64::from(height);
    let chunks = world.terrain().loaded_chunks();
    println!(
        "{scale} {kind}: {tiles:e} tiles, {chunks} chunks loaded, built in {built:.3} s, {spent:.1} ns per body-step"
    );
    println!("sum of the positions in the rooms: {sum}");
}

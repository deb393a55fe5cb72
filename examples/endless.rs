//! An endless world: a character runs 100,000 tiles through a generated landscape, in constant memory.

use std::sync::Arc;
use surefoot::prelude::*;
use surefoot::{Input, Map, World, geometry::I64Vec2};

/// Sections of the landscape, 16 tiles wide, highest row first. The ground below is solid except for gaps.
const STRETCHES: [[&str; 4]; 8] = [
    ["................", "................", "................", "################"],
    ["................", ".....======.....", "................", "################"],
    ["................", "....../##\\......", "...../####\\.....", "################"],
    ["................", "......12##34....", "..12########34..", "################"],
    ["................", "................", "................", "######...#######"],
    ["................", "................", "......##........", "################"],
    [".........---....", ".....===........", "................", "#####....#######"],
    ["................", "........##......", "....../###......", "################"],
];

/// Generates the tiles: a hash of the position selects each section.
struct Country {
    seed: u64,
    /// The legend's entry of each letter in the sections.
    entries: Vec<(char, TileId)>,
}

impl Country {
    fn new(map: &Map, seed: u64) -> Country {
        let entries = "#/\\1234=-".chars().filter_map(|tile| Some((tile, map.find_tile(tile)?)));
        Country { seed, entries: entries.collect() }
    }

    fn tile(&self, x: i32, y: i32) -> TileId {
        let stretch = (x.div_euclid(16) as u64).wrapping_add(self.seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let rows = &STRETCHES[(stretch ^ stretch >> 32) as usize >> 7 & 7];
        // All rows below y = 0 equal the row at y = 0, so a gap has no bottom.
        let row = rows[(3 - y.max(0)).max(0) as usize];
        let tile = if y > 3 { '.' } else { char::from(row.as_bytes()[x.rem_euclid(16) as usize]) };
        self.entries.iter().find(|(known, _)| *known == tile).map_or(TileId::EMPTY, |(_, entry)| *entry)
    }
}

impl TileSource for Country {
    fn fill(&self, _layer: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
        for (i, cell) in (0..).zip(cells) {
            *cell = self.tile(32 * chunk.0 + i % 32, 32 * chunk.1 + i / 32);
        }
    }

    fn identity(&self) -> u64 {
        self.seed
    }
}

/// Returns the memory of the process in KB, if the system reports it.
fn resident_memory_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let template = Map::from_ron("Map(format: 1, tiles: [\".\"])")?;
    let country = Arc::new(Country::new(&template, 2026));
    let mut world = World::streamed(template, country.clone(), Settings::default());
    let runner = Body::new(Shape::aabb(0.35, 0.45)).at((0.5, 4.45)).character(Character::default());
    let runner = world.spawn(runner)?;

    // `chunks` and `memory` contain the largest number of loaded chunks, and of bytes. The first number of each pair is
    // of the first tenth of the run, the second of the rest.
    let (mut chunks, mut memory) = ([0; 2], [0; 2]);
    for tenth in 1..=10 {
        let part = usize::from(tenth > 1);
        while world[runner].position().to_dvec2().x < 10_000.0 * f64::from(tenth) {
            let (x, y) = (world[runner].position() + I64Vec2::new(ONE, -ONE / 2)).cell();
            let gap = (1..=3).all(|down| country.tile(x, y - down) == TileId::EMPTY);
            let jump =
                world[runner].touching().wall_right || (gap && world[runner].on_floor()) || !world[runner].on_floor();
            world.set_input(runner, Input { walk: 127, jump, ..Input::default() });
            world.step();
            chunks[part] = chunks[part].max(world.terrain().loaded_chunks());
            assert!(world[runner].position().to_dvec2().y > 0.0, "fell at {}", world[runner].position());
        }
        memory[part] = memory[part].max(resident_memory_kb().unwrap_or(0));
        let loaded = world.terrain().loaded_chunks();
        println!("tick {:6}: at {}, {loaded} chunks", world.tick(), world[runner].position());
    }
    println!("at most {} chunks, then {}; {} KB, then {}", chunks[0], chunks[1], memory[0], memory[1]);
    assert!(chunks[1] <= chunks[0] && chunks[0] <= 16, "around the runner, and nowhere else");
    assert!(memory[1] <= memory[0] + 1024, "the way behind takes no memory");
    Ok(())
}

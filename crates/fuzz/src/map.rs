//! The driver for map files.

use crate::checked_world::CheckedWorld;
use crate::text_checks;
use surefoot::check::{self, FileKind};
use surefoot::prelude::*;
use surefoot::{Input, Map};

/// Maps with more cells in all layers are not simulated: checking takes time for each cell.
const MAX_SIMULATED_CELLS: usize = 4096;

/// Number of ticks that a map is simulated.
const TICKS: u32 = 24;

/// Checks the guarantees of map files with bytes as the file.
///
/// # Panics
/// If loading, checking, writing, baking or moving on the map breaks a guarantee.
pub fn check_map(bytes: &[u8]) {
    let Some(text) = text_checks::read_text(bytes) else { return };
    let loaded = Map::from_ron(&text);
    text_checks::assert_check_agrees(FileKind::Map, &text, &loaded, &check::text_as(FileKind::Map, &text));
    let Ok(map) = loaded else { return };
    assert_round_trip(&map);
    simulate_map(map);
}

/// Panics unless the written map is read back equal and writes the same text again.
pub(crate) fn assert_round_trip(map: &Map) {
    let written = map.to_ron();
    let read = Map::from_ron_with(&written, map.catalogue());
    let read = read.unwrap_or_else(|error| panic!("what was written is refused: {error}\n{written}"));
    assert!(read == *map, "{map:?} is read back as {read:?} from\n{written}");
    assert_eq!(read.to_ron(), written, "written otherwise the second time");
    assert_eq!(read.checksum(), map.checksum(), "another checksum of\n{written}");
}

/// Bakes a map and simulates some bodies on it.
pub(crate) fn simulate_map(map: Map) {
    let terrain = Terrain::bake(&map);
    assert!(terrain.matches_map(&map), "the terrain does not show its own map:\n{}", map.to_ron());
    if map.layers().iter().map(|layer| layer.cells.len()).sum::<usize>() > MAX_SIMULATED_CELLS {
        return;
    }
    let (origin, size) = (map.origin(), map.size());
    let (left, bottom) = (f64::from(origin.0), f64::from(origin.1));
    let (width, height) = (f64::from(size.0), f64::from(size.1));
    // Spawn characters at up to four markers, and other bodies along a diagonal through the map and slightly beyond it.
    let marks: Vec<Position> = map.all_markers().take(4).filter_map(|(name, _)| map.marker(name)).collect();
    let mut checked = CheckedWorld::new(map, Settings::default());
    for mark in marks {
        checked.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(mark).character(Character::default()));
    }
    for i in 0..6 {
        let along = f64::from(i) / 4.0 - 0.1;
        let body = Body::new(if i % 2 == 0 { Shape::circle(0.3) } else { Shape::aabb(0.25, 0.4) })
            .at((left + along * width, bottom + (1.0 - along) * height + 0.5))
            .velocity((7.0 - 3.0 * f64::from(i), -5.0));
        checked.spawn(match i % 3 {
            0 => body.bounce(0.9),
            1 => body.character(Character::default()),
            _ => body.friction(0.3),
        });
    }
    for tick in 0..TICKS {
        if tick % 8 == 0 {
            let walk = if tick % 16 == 0 { 127 } else { -90 };
            checked.set_input_of_all(Input { walk, jump: tick % 16 == 0, down: tick == 16, ..Input::default() });
        }
        checked.step();
    }
}

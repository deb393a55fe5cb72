use crate::law;
use crate::watched::Watched;
use surefoot::check::{self, FileKind};
use surefoot::prelude::*;
use surefoot::{Input, Map};

/// The most cells, of all layers, of a map that is lived in: judging takes time for each.
const LIVED_IN: usize = 4096;

/// Ticks of life on a map.
const TICKS: u32 = 24;

/// Takes bytes as a map file.
///
/// # Panics
/// If loading, checking, writing, baking or moving about on it is not as promised.
pub fn map(bytes: &[u8]) {
    let Some(text) = law::text(bytes) else { return };
    let loaded = Map::from_ron(&text);
    law::holds(FileKind::Map, &text, &loaded, &check::text_as(FileKind::Map, &text));
    let Ok(map) = loaded else { return };
    is_written_and_read(&map);
    live(map);
}

/// What is written is read again, equal to the text.
pub(crate) fn is_written_and_read(map: &Map) {
    let written = map.to_ron();
    let read = Map::from_ron_with(&written, map.catalogue());
    let read = read.unwrap_or_else(|error| panic!("what was written is refused: {error}\n{written}"));
    assert!(read == *map, "{map:?} is read back as {read:?} from\n{written}");
    assert_eq!(read.to_ron(), written, "written otherwise the second time");
    assert_eq!(read.checksum(), map.checksum(), "another checksum of\n{written}");
}

/// Bakes a map, and has bodies live on it for a while.
pub(crate) fn live(map: Map) {
    let terrain = Terrain::bake(&map);
    assert!(terrain.matches_map(&map), "the terrain does not show its own map:\n{}", map.to_ron());
    if map.layers().iter().map(|layer| layer.cells.len()).sum::<usize>() > LIVED_IN {
        return;
    }
    let (origin, size) = (map.origin(), map.size());
    let (left, bottom) = (f64::from(origin.0), f64::from(origin.1));
    let (width, height) = (f64::from(size.0), f64::from(size.1));
    // On every mark a player, and others along a slanted line through the map and a little beyond.
    let marks: Vec<Position> = map.all_markers().take(4).filter_map(|(name, _)| map.marker(name)).collect();
    let mut watched = Watched::new(map, Settings::default());
    for mark in marks {
        watched.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(mark).character(Character::default()));
    }
    for i in 0..6 {
        let along = f64::from(i) / 4.0 - 0.1;
        let body = Body::new(if i % 2 == 0 { Shape::circle(0.3) } else { Shape::aabb(0.25, 0.4) })
            .at((left + along * width, bottom + (1.0 - along) * height + 0.5))
            .velocity((7.0 - 3.0 * f64::from(i), -5.0));
        watched.spawn(match i % 3 {
            0 => body.bounce(0.9),
            1 => body.character(Character::default()),
            _ => body.friction(0.3),
        });
    }
    for tick in 0..TICKS {
        if tick % 8 == 0 {
            let walk = if tick % 16 == 0 { 127 } else { -90 };
            watched.input_all(Input { walk, jump: tick % 16 == 0, down: tick == 16, ..Input::default() });
        }
        watched.step();
    }
}

//! Small test maps and the helpers to build them, for all test modules.

use crate::symmetry::Symmetry;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use surefoot::map::{MapParts, TileKind};
use surefoot::prelude::*;
use surefoot::{Event, Map, World};
pub use surefoot_geometry::{I64Vec2, ONE};
pub use surefoot_random::Random;

/// A yard with a bit of everything: blocks, both kinds of one-way tiles, slopes, hills, and walls around it.
pub const YARD: [&str; 6] = [
    "#..................#",
    "#..................#",
    "#....--....==......#",
    "#...........12##34.#",
    "#../##\\...12####34.#",
    "####################",
];

/// Creates a map from rows, with the built-in legend and two steep slopes: `A` and `V` rise and fall at 2:1 over two
/// rows.
pub fn map(rows: &[&str]) -> Map {
    map_with(rows, "")
}

/// Creates a map with additional fields, written as in a map file.
pub fn map_with(rows: &[&str], fields: &str) -> Map {
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    let text = format!("Map(format: 1, tiles: [{}], {fields})", rows.join(", "));
    Map::from_ron(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn position(x: f64, y: f64) -> Position {
    Position::new(x, y).expect("test places are in range")
}

/// A position in units.
pub fn units(x: i64, y: i64) -> Position {
    Position::from_units(x, y).expect("test places are in range")
}

/// Returns whether `SUREFOOT_LONG=1` requests the long variants of tests.
pub fn long() -> bool {
    std::env::var("SUREFOOT_LONG").is_ok_and(|value| value == "1")
}

/// Returns the number for a normal run, or the one for a long run.
pub fn often(everyday: u32, long_run: u32) -> u32 {
    if long() { long_run } else { everyday }
}

/// The shipped catalogue with slopes of 1:4.
pub fn gentle() -> Arc<Catalogue> {
    static GENTLE: OnceLock<Arc<Catalogue>> = OnceLock::new();
    let read = || {
        let gentle = Catalogue::from_ron(include_str!("../assets/gentle.ron"));
        Arc::new(gentle.unwrap_or_else(|errors| panic!("{}", errors.in_file("assets/gentle.ron"))))
    };
    GENTLE.get_or_init(read).clone()
}

/// The shipped catalogues. Tests about every variant use all of them.
pub fn catalogues() -> [Arc<Catalogue>; 2] {
    [Catalogue::builtin(), gentle()]
}

/// Returns all variants of a catalogue.
pub fn variants(catalogue: &Catalogue) -> Vec<VariantId> {
    (0..catalogue.variants().len() as u16).map(VariantId).collect()
}

/// A map set cell by cell, which can be built in any of the eight symmetries.
#[derive(Clone)]
pub struct Canvas {
    catalogue: Arc<Catalogue>,
    cells: BTreeMap<(i32, i32), VariantId>,
}

impl Default for Canvas {
    fn default() -> Canvas {
        Canvas::of(&Catalogue::builtin())
    }
}

impl Canvas {
    /// An empty canvas with the variants of a catalogue.
    pub fn of(catalogue: &Arc<Catalogue>) -> Canvas {
        Canvas { catalogue: catalogue.clone(), cells: BTreeMap::new() }
    }

    /// Creates a canvas from rows as in a map file, with the lower left cell at (0, 0).
    pub fn rows(rows: &[&str], fields: &str) -> Canvas {
        let map = map_with(rows, fields);
        let mut canvas = Canvas::default();
        for y in 0..rows.len() as i32 {
            for x in 0..rows[0].len() as i32 {
                if let Some(variant) = map.variant_at(0, (x, y)) {
                    canvas.cells.insert((x, y), variant);
                }
            }
        }
        canvas
    }

    /// Sets a cell to a variant, named as in a map file.
    pub fn paint(&mut self, tile: (i32, i32), name: &str) {
        let variant = self.catalogue.find_variant(name).expect("tests name variants that exist");
        self.cells.insert(tile, variant);
    }

    pub fn put(&mut self, tile: (i32, i32), variant: VariantId) {
        self.cells.insert(tile, variant);
    }

    /// Fills a rectangle of cells, corners included, with full blocks.
    pub fn blocks(&mut self, (left, bottom): (i32, i32), (right, top): (i32, i32)) {
        for y in bottom..=top {
            for x in left..=right {
                self.paint((x, y), "full_block");
            }
        }
    }

    /// Returns the map in a symmetry, with some space on each side.
    pub fn map(&self, symmetry: Symmetry) -> Map {
        const ROOM: i32 = 3;
        let catalogue = &self.catalogue;
        let cells: Vec<_> = self
            .cells
            .iter()
            .map(|(&tile, &variant)| {
                let variant = catalogue.variant(variant);
                let placed = catalogue.place(variant.pattern, variant.placement.then(symmetry.0));
                (symmetry.tile(tile), TileId(placed.0 + 1))
            })
            .collect();
        let bound = |pick: fn(&(i32, i32)) -> i32| {
            let all = cells.iter().map(|(tile, _)| pick(tile));
            (all.clone().min().unwrap_or(0) - ROOM, all.max().unwrap_or(0) + ROOM)
        };
        let ((left, right), (bottom, top)) = (bound(|tile| tile.0), bound(|tile| tile.1));
        let (width, height) = (right - left + 1, top - bottom + 1);
        let mut parts = MapParts::new(width as u32, height as u32);
        parts.catalogue = catalogue.clone();
        parts.kinds = TileKind::every_variant(catalogue);
        parts.layers[0].origin = (left, bottom);
        for ((x, y), entry) in cells {
            parts.layers[0].cells[((y - bottom) * width + x - left) as usize] = entry;
        }
        Map::from_parts(parts).expect("canvases make maps")
    }

    pub fn terrain(&self, symmetry: Symmetry) -> Terrain {
        Terrain::bake(&self.map(symmetry))
    }
}

/// Returns the length of a body's path in the last tick, in tiles.
pub fn path_length(from: Position, path: &[Position]) -> f64 {
    let mut at = from;
    let mut length = 0.0;
    for &next in path {
        length += surefoot_geometry::to_lengths(next - at).length();
        at = next;
    }
    length
}

/// Returns the events of the last tick about bodies.
pub fn body_events(world: &World) -> Vec<Event> {
    let is_of_body = |event: &&Event| !matches!(event.kind, EventKind::PlatformArrived { .. });
    world.events().iter().filter(is_of_body).copied().collect()
}

/// Returns the kinds of the events of the last tick about bodies, in order.
pub fn kinds(world: &World) -> Vec<EventKind> {
    body_events(world).iter().map(|event| event.kind).collect()
}

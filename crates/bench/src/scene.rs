//! The scene that every mover is measured on: 1024 x 64 tiles of floors, blocks, 45-degree and 1:2 slopes.

use crate::oracle;
use crate::random::Random;
use surefoot::Map;
use surefoot::geometry::DVec2;
use surefoot::prelude::Terrain;

/// Columns.
pub const WIDTH: usize = 1024;
/// Rows.
pub const HEIGHT: usize = 64;
/// Bodies of a crowd.
pub const BODIES: usize = 1000;
/// Seconds of a tick.
pub const TICK: f64 = 1.0 / 60.0;

/// A map, what an oracle knows of it, and what peers make their shapes of.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The map's rows, the highest first.
    pub rows: Vec<String>,
    /// The map.
    pub map: Map,
    /// The map, baked.
    pub terrain: Terrain,
    /// The solids as drawn.
    pub judged: oracle::Solids,
    /// The map with a full block in every cell that is not empty: what a mover knows to which slopes are blocks.
    pub judged_blocks: oracle::Solids,
    size: (usize, usize),
}

impl Scene {
    /// The scene of the benchmarks.
    ///
    /// # Panics
    /// If the generated map is none.
    #[must_use]
    pub fn generated() -> Scene {
        Scene::from_rows(&storeys((WIDTH, HEIGHT), HEIGHT / 8))
    }

    /// A scene from rows of a map with the built-in legend, the highest first.
    ///
    /// # Panics
    /// If the rows make no map.
    #[must_use]
    pub fn from_rows(rows: &[String]) -> Scene {
        let mut scene = Scene::unjudged(rows);
        scene.judged = oracle::Solids::as_drawn(&scene.map);
        scene.judged_blocks = oracle::Solids::as_blocks(&scene.map);
        scene
    }

    /// The scene without anything for the oracle.
    ///
    /// # Panics
    /// If the rows make no map.
    #[must_use]
    pub fn unjudged(rows: &[String]) -> Scene {
        let map = Map::from_ron(&text(rows)).expect("the rows are a map");
        let terrain = Terrain::bake(&map);
        let (judged, judged_blocks) = (oracle::Solids::default(), oracle::Solids::default());
        Scene { rows: rows.to_vec(), size: (rows[0].len(), rows.len()), map, terrain, judged, judged_blocks }
    }

    /// Columns and rows.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    /// Whether a tile is not empty.
    #[must_use]
    pub fn is_filled(&self, tile: (i32, i32)) -> bool {
        self.map.variant_at(0, tile).is_some()
    }

    /// Places at which a body of half sizes 0.35 x 0.45 is free, even where slopes are blocks: the same for every
    /// mover.
    #[must_use]
    pub fn starts(&self) -> Vec<DVec2> {
        self.starts_of(BODIES)
    }

    /// Starting positions for any number of bodies: a longer list begins with a shorter one. These bodies do not
    /// meet each other, and may start at one position.
    #[must_use]
    pub fn starts_of(&self, count: usize) -> Vec<DVec2> {
        let mut random = Random(0x0B0D_1E50);
        let form = oracle::Form::aabb(0.35, 0.45);
        let mut starts = Vec::new();
        while starts.len() < count {
            let at = DVec2::new(random.sixteenths(2, WIDTH as i32 - 2), 2.0 + random.below(HEIGHT as u64 - 4) as f64);
            if self.judged_blocks.depth(form, at) == 0.0 {
                starts.push(at);
            }
        }
        starts
    }
}

/// The buttons that a body's player holds down in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// -1 to the left, 1 to the right.
    pub walk: i8,
    /// Jump is held.
    pub jump: bool,
}

impl From<Input> for surefoot::Input {
    fn from(Input { walk, jump }: Input) -> surefoot::Input {
        surefoot::Input { walk: 127 * walk, jump, ..surefoot::Input::default() }
    }
}

/// The input of a body: three seconds to the right, three to the left, a jump every second and a half.
#[must_use]
pub fn input(tick: u64, body: usize) -> Input {
    let phase = tick + 7 * body as u64;
    Input { walk: if (phase / 180).is_multiple_of(2) { 1 } else { -1 }, jump: phase % 90 < 10 }
}

/// The text of a map with those rows.
#[must_use]
pub fn text(rows: &[String]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    format!("Map(format: 1, tiles: [{}])", rows.join(",\n"))
}

/// Returns the rows of a map with floors 8 tiles apart: hills of 45 degrees and 1:2, blocks to jump over, and above the
/// lowest floor gaps to fall through.
#[must_use]
pub fn storeys((width, height): (usize, usize), storeys: usize) -> Vec<String> {
    let mut random = Random(0x5EED);
    let mut cells = vec![vec!['.'; width]; height];
    for storey in 0..storeys {
        let floor = height - 1 - storey * 8;
        cells[floor].fill('#');
        let mut x = 4;
        while x + 16 < width {
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
        (row[0], row[width - 1]) = ('#', '#');
    }
    cells.into_iter().map(|row| row.into_iter().collect()).collect()
}

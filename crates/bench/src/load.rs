//! Loading and baking a map of 4096 x 4096 tiles.

use crate::memory::{Spent, spent};
use crate::scene::{Scene, text};
use serde::Deserialize;
use std::path::Path;
use std::process::Command;
use surefoot::prelude::{Map, Terrain};

/// Columns and rows.
pub const SIDE: usize = 4096;

/// How often each step is done; the shortest time counts.
pub const RUNS: usize = 5;

/// The least of a map file that a reader must understand.
#[derive(Deserialize)]
#[serde(rename = "Map")]
struct Rows {
    #[serde(rename = "format")]
    _format: u32,
    tiles: Vec<String>,
}

/// What each step took.
#[derive(Clone, Copy, Debug)]
pub struct Loaded {
    /// The text's length in bytes.
    pub bytes: usize,
    /// `ron` alone reads the rows as strings.
    pub rows: Spent,
    /// The engine reads the map.
    pub map: Spent,
    /// The engine bakes it.
    pub bake: Spent,
}

/// The steps that [`peak`] knows.
pub const STEPS: [&str; 3] = ["rows", "map", "bake"];

/// The peaks of memory of the steps of [`load`], each measured in a process of its own that has read the text and
/// done nothing else: where something was freed before and is used again, it would not be seen. `None` where that is
/// not possible.
#[must_use]
pub fn peaks(scene: &Scene, side: usize) -> [Option<u64>; 3] {
    let file = std::env::temp_dir().join(format!("surefoot-bench-{}.ron", std::process::id()));
    let written = std::fs::write(&file, text(&repeated(&scene.rows, side)));
    let run = |step| {
        let program = std::env::current_exe().ok()?;
        let output = Command::new(program).args(["memory", step]).arg(&file).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    let peaks = STEPS.map(|step| written.as_ref().ok().and_then(|()| run(step)));
    let _ = std::fs::remove_file(&file);
    peaks
}

/// The peak of memory of one step on the text of a map in a file, in bytes; `None` for an unknown step, a file that
/// is no map, and where the system does not say.
#[must_use]
pub fn peak(step: &str, file: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    match step {
        "rows" => spent(|| ron::from_str::<Rows>(&text).ok()).1.peak,
        "map" => spent(|| Map::from_ron(&text).ok()).1.peak,
        "bake" => {
            let map = Map::from_ron(&text).ok()?;
            spent(|| Terrain::bake(&map)).1.peak
        }
        _ => None,
    }
}

/// Loads and bakes a map of that many columns and rows, made of the scene's again and again.
///
/// # Panics
/// If what was made is no map.
#[must_use]
pub fn load(scene: &Scene, side: usize) -> Loaded {
    let text = text(&repeated(&scene.rows, side));
    let mut best: Option<[Spent; 3]> = None;
    for _ in 0..RUNS {
        let (rows, read) = spent(|| ron::from_str::<Rows>(&text).expect("the rows are strings"));
        assert_eq!(rows.tiles.len(), side);
        drop(rows);
        let (map, parse) = spent(|| Map::from_ron(&text).expect("the rows are a map"));
        let (terrain, bake) = spent(|| Terrain::bake(&map));
        assert_eq!(terrain.size(), (side as u32, side as u32));
        let spent = [read, parse, bake];
        let best = best.get_or_insert(spent);
        for (best, spent) in best.iter_mut().zip(spent) {
            best.time = best.time.min(spent.time);
        }
    }
    let [rows, map, bake] = best.expect("there are runs");
    Loaded { bytes: text.len(), rows, map, bake }
}

fn repeated(rows: &[String], side: usize) -> Vec<String> {
    let row = |y: usize| rows[y % rows.len()].chars().cycle().take(side).collect();
    (0..side).map(row).collect()
}

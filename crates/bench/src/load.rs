//! Loading and baking a map of 4096 x 4096 tiles.

use crate::memory::{Spent, spent};
use crate::scene::{Scene, text};
use serde::Deserialize;
use std::process::Command;
use surefoot::prelude::{Map, Terrain};

/// Columns and rows.
pub const SIDE: usize = 4096;

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

/// The peaks of memory of [`load`], measured in a process of its own whose allocator gives freed memory back at once;
/// in this one, what was freed before and is used again would not be seen. `None` where that is not possible.
#[must_use]
pub fn peaks(side: usize) -> Option<[u64; 3]> {
    let output = Command::new(std::env::current_exe().ok()?)
        .args(["memory", &side.to_string()])
        .envs([("MALLOC_MMAP_THRESHOLD_", "65536"), ("MALLOC_TRIM_THRESHOLD_", "65536"), ("MALLOC_TOP_PAD_", "0")])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let peaks: Vec<u64> = text.split_whitespace().filter_map(|peak| peak.parse().ok()).collect();
    peaks.try_into().ok()
}

/// Loads and bakes a map of that many columns and rows, made of the scene's again and again.
///
/// # Panics
/// If what was made is no map.
#[must_use]
pub fn load(scene: &Scene, side: usize) -> Loaded {
    let text = text(&repeated(&scene.rows, side));
    let (rows, read) = spent(|| ron::from_str::<Rows>(&text).expect("the rows are strings"));
    assert_eq!(rows.tiles.len(), side);
    drop(rows);
    let (map, parse) = spent(|| Map::from_ron(&text).expect("the rows are a map"));
    let (terrain, bake) = spent(|| Terrain::bake(&map));
    assert_eq!(terrain.size(), (side as u32, side as u32));
    Loaded { bytes: text.len(), rows: read, map: parse, bake }
}

fn repeated(rows: &[String], side: usize) -> Vec<String> {
    let row = |y: usize| rows[y % rows.len()].chars().cycle().take(side).collect();
    (0..side).map(row).collect()
}

//! Measures loading and baking of maps of 4096 x 4096 tiles, next to the RON reader alone on their rows.
//!
//! Each step is measured in processes of its own that have read the text and done nothing else: memory that was in use
//! before costs less when it is used again, and whether it is depends on its size. What the second time costs is told
//! beside it.

use crate::callgrind;
use crate::memory::{Spent, spent};
use crate::random::Random;
use crate::scene::Scene;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use surefoot::prelude::{Settings, Terrain};
use surefoot::{Map, World};

/// Columns and rows.
pub const SIDE: usize = 4096;

/// Number of repetitions of each step; the shortest time counts.
pub const RUNS: usize = 7;

/// Largest time of loading a map, as a multiple of the time for the rows alone.
const LIMIT: f64 = 3.0;
/// Largest time and memory of baking.
const BAKE: (Duration, u64) = (Duration::from_millis(300), 48_000_000);

/// The parts of a map file that a reader needs at least.
#[derive(Deserialize)]
#[serde(rename = "Map")]
#[allow(dead_code)]
struct Rows {
    format: u32,
    #[serde(default)]
    legend: BTreeMap<char, String>,
    #[serde(default)]
    tiles: Vec<String>,
    #[serde(default)]
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Layer {
    name: String,
    tiles: Vec<String>,
}

/// The measured cost of loading a map.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// A description of the map.
    pub name: &'static str,
    /// The text's length in bytes.
    pub bytes: usize,
    /// `ron` alone reads the rows as strings.
    pub rows: Spent,
    /// The engine reads the map.
    pub map: Spent,
    /// The engine bakes it; `None` for noise, in which no two cells have the same neighbours.
    pub bake: Option<Spent>,
    /// Like [`Loaded::ratio`], in a process that has read both before.
    pub again: f64,
    /// Instructions of loading the map as a multiple of those for the rows. `None` if they were not counted.
    pub instructions: Option<f64>,
}

impl Loaded {
    /// Returns the time of loading the map as a multiple of the time for the rows.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.map.time.as_secs_f64() / self.rows.time.as_secs_f64()
    }

    /// Returns what breaks the promises for maps of [`SIDE`].
    #[must_use]
    pub fn wrong(&self) -> Option<String> {
        let is_baked_well = |bake: Spent| bake.time <= BAKE.0 && bake.peak.is_none_or(|peak| peak <= BAKE.1);
        let is_fine = self.ratio() <= LIMIT && self.bake.is_none_or(is_baked_well);
        (!is_fine).then(|| format!("loading {}: {:.2} times ron, baking {:?}", self.name, self.ratio(), self.bake))
    }
}

/// Loads and bakes maps of about that many columns and rows; `None` where this program cannot be run again.
#[must_use]
pub fn load(scene: &Scene, side: usize, counts: bool) -> Vec<Loaded> {
    let file = std::env::temp_dir().join(format!("surefoot-bench-{}.ron", std::process::id()));
    let loaded = |(name, text): (&'static str, String)| {
        std::fs::write(&file, &text).ok()?;
        let [rows, map] = best(["rows", "map"], &file)?;
        let bake = if name == ROOM { Some(best(["bake"], &file)?[0]) } else { None };
        let instructions = if counts { instructions(&file) } else { None };
        Some(Loaded { name, bytes: text.len(), rows, map, bake, again: again(&text), instructions })
    };
    let all = texts(scene, side).into_iter().filter_map(loaded).collect();
    let _ = std::fs::remove_file(&file);
    all
}

/// Does one step on the text of a map in a file and says what it took; `None` for an unknown step and for a file that
/// is no map. The step `text` is to read the file and no more.
#[must_use]
pub fn step(step: &str, file: &Path) -> Option<Spent> {
    let text = std::fs::read_to_string(file).ok()?;
    match step {
        "text" => Some(spent(|| black_box(&text).len()).1),
        "rows" => Some(spent(|| black_box(ron::from_str::<Rows>(&text).expect("rows are strings"))).1),
        "map" => Some(spent(|| black_box(Map::from_ron(&text).expect("a map"))).1),
        "world" => {
            let world = || World::from_map(Map::from_ron(&text).expect("a map"), Settings::default());
            Some(spent(|| black_box(world())).1)
        }
        "bake" => {
            let map = Map::from_ron(&text).ok()?;
            Some(spent(|| black_box(Terrain::bake(&map))).1)
        }
        _ => None,
    }
}

/// Runs steps in turn. Returns the shortest time and the memory of each.
pub(crate) fn best<const N: usize>(steps: [&str; N], file: &Path) -> Option<[Spent; N]> {
    let run = |step| {
        let output = Command::new(std::env::current_exe().ok()?).args(["load", step]).arg(file).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let (nanos, peak) = text.trim().split_once(' ')?;
        Some(Spent { time: Duration::from_nanos(nanos.parse().ok()?), peak: peak.parse().ok() })
    };
    let mut best = [Spent { time: Duration::MAX, peak: None }; N];
    for _ in 0..RUNS {
        for (best, step) in best.iter_mut().zip(steps) {
            let Spent { time, peak } = run(step)?;
            *best = Spent { time: best.time.min(time), peak };
        }
    }
    Some(best)
}

/// Returns the time of the map as a multiple of that of the rows, in one process that does both in turn.
fn again(text: &str) -> f64 {
    let (mut rows, mut map) = (Duration::MAX, Duration::MAX);
    for _ in 0..RUNS {
        rows = rows.min(spent(|| drop(black_box(ron::from_str::<Rows>(text).expect("rows are strings")))).1.time);
        map = map.min(spent(|| drop(black_box(Map::from_ron(text).expect("a map")))).1.time);
    }
    map.as_secs_f64() / rows.as_secs_f64()
}

/// Returns the instructions of the map as a multiple of those of the rows.
fn instructions(file: &Path) -> Option<f64> {
    let count = |step: &str| callgrind::instructions(&["load".to_owned(), step.to_owned(), file.to_str()?.to_owned()]);
    let (text, rows, map) = (count("text")?, count("rows")?, count("map")?);
    Some(map.checked_sub(text)? as f64 / rows.checked_sub(text)? as f64)
}

/// The name of the map that is also baked.
const ROOM: &str = "the room, again and again";

/// Returns the maps and their names.
fn texts(scene: &Scene, side: usize) -> Vec<(&'static str, String)> {
    let room = |y: usize| scene.rows[y % scene.rows.len()].chars().cycle().take(side).collect();
    let rooms: Vec<String> = (0..side).map(room).collect();
    let legend = "legend: {'░': \"stud\", '▒': \"disc\", '▓': \"half_slab\", 'ä': \"one_way\", 'ö': \"spike\", 'ü': \"slope_45\"}";
    let layer = |(name, characters)| format!("(name: \"{name}\", {})", tiles(&noise(characters, side, side / 2)));
    let layers = [("terrain", ".#/"), ("ledges", "...="), ("front", "..")].map(layer).join(",");
    let map = |fields: &str| format!("Map(format: 1, {fields})");
    vec![
        (ROOM, map(&tiles(&rooms))),
        ("noise of ASCII", map(&tiles(&noise(r".#/\`'12345678_^v()LJo+|-=", side, side)))),
        ("noise in 16 columns", map(&tiles(&noise(".#", 16, side * side / 16)))),
        ("noise beyond ASCII", map(&format!("{legend}, {}", tiles(&noise(".#░▒▓äöü", side, side))))),
        ("three layers of half the height, noise", map(&format!("layers: [{layers}]"))),
    ]
}

fn noise(characters: &str, width: usize, height: usize) -> Vec<String> {
    let characters: Vec<char> = characters.chars().collect();
    let mut random = Random(1);
    let mut row = || (0..width).map(|_| characters[random.below(characters.len() as u64) as usize]).collect();
    (0..height).map(|_| row()).collect()
}

/// Rows as a field of a map, with raw strings where there are backslashes, as maps are written.
fn tiles(rows: &[String]) -> String {
    let row = |row: &String| format!("{}\"{row}\"", if row.contains('\\') { "r" } else { "" });
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!("tiles: [{}]", rows.join(",\n"))
}

//! Loading a map of 4096 x 4096 tiles beside what the RON reader alone takes for its rows: `cargo run --release --bin load`.
//!
//! Each line gives the best of several runs of both, one after the other in the same process, and their ratio. For
//! counting instructions, `load <scene> rows` and `load <scene> map` do one of the two once.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};
use surefoot::prelude::Map;

/// Columns and rows.
const SIZE: usize = 4096;
/// How often each is done; the best counts.
const RUNS: usize = 7;

/// A map's rows, and nothing checked.
#[derive(Deserialize)]
#[allow(dead_code)]
struct Rows {
    format: i64,
    #[serde(default)]
    legend: BTreeMap<char, String>,
    #[serde(default)]
    tiles: Vec<String>,
    #[serde(default)]
    layers: Vec<LayerRows>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct LayerRows {
    name: String,
    tiles: Vec<String>,
}

/// A text with its name.
struct Scene {
    name: &'static str,
    text: String,
}

/// A stream of numbers that is the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }
}

/// Rows of noise.
fn rows(characters: &str, width: usize, height: usize) -> String {
    let characters: Vec<char> = characters.chars().collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut text = String::from("tiles: [\n");
    for _ in 0..height {
        text.push_str("r\"");
        text.extend((0..width).map(|_| characters[random.below(characters.len())]));
        text.push_str("\",\n");
    }
    text + "]"
}

fn scenes() -> [Scene; 4] {
    let plain = rows(r".#/\`'12345678_^v()LJo+|-=", SIZE, SIZE);
    // One row in one column of many: the cost of a row, not of a cell.
    let narrow = rows(".#", 16, SIZE * 16);
    let beyond_ascii = rows(".#░▒▓äöü", SIZE, SIZE);
    let legend =
        "legend: {'░': \"stud\", '▒': \"disc\", '▓': \"half_slab\", 'ä': \"ledge\", 'ö': \"spike\", 'ü': \"slope_45\"}";
    let mut layers = String::new();
    for (name, characters) in [("terrain", ".#/"), ("ledges", "...="), ("front", "..")] {
        let _ = write!(layers, "(name: \"{name}\", {}),", rows(characters, SIZE, SIZE / 2));
    }
    [
        Scene { name: "ascii", text: format!("(format: 1, {plain})") },
        Scene { name: "narrow", text: format!("(format: 1, {narrow})") },
        Scene { name: "unicode", text: format!("(format: 1, {legend}, {beyond_ascii})") },
        Scene { name: "layers", text: format!("(format: 1, layers: [{layers}])") },
    ]
}

fn read_rows(text: &str) {
    black_box(ron::from_str::<Rows>(black_box(text)).expect("the rows are RON"));
}

fn read_map(text: &str) {
    black_box(Map::from_ron(black_box(text)).expect("the text is a map"));
}

fn timed(read: impl Fn(&str), text: &str) -> Duration {
    let start = Instant::now();
    read(text);
    start.elapsed()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let chosen = arguments.first().map(String::as_str);
    for Scene { name, text } in scenes().iter().filter(|scene| chosen.is_none_or(|name| name == scene.name)) {
        match arguments.get(1).map(String::as_str) {
            Some("rows") => read_rows(text),
            Some("map") => read_map(text),
            _ => {
                let (mut rows, mut map) = (Duration::MAX, Duration::MAX);
                for _ in 0..RUNS {
                    rows = rows.min(timed(read_rows, text));
                    map = map.min(timed(read_map, text));
                }
                let ratio = map.as_secs_f64() / rows.as_secs_f64();
                println!("{name:8} rows {rows:9.2?}  map {map:9.2?}  ratio {ratio:.2}");
            }
        }
    }
}

//! Measures loading of editor levels of 4096 x 4096 tiles, next to the parsers alone on the same files.
//!
//! Each step runs in processes of its own, as in [`load`](crate::load). Both steps read the file. Parsing alone is what
//! any loader needs: `roxmltree` and the numbers of the cells, or `serde_json`.

use crate::load::{SIDE, best};
use crate::memory::{Spent, spent};
use crate::scene::Scene;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::Deserialize;
use std::fs;
use std::hint::black_box;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use surefoot_import::{Form, Options, export};

/// Largest time of loading a level, as a multiple of the time for the parser alone.
const TIME_LIMIT: f64 = 3.0;
/// Largest memory of loading a level, as a multiple of the size of the same level with comma-separated numbers.
const MEMORY_LIMIT: f64 = 4.0;

/// The measured cost of loading a level of an editor.
#[derive(Clone, Debug)]
pub struct LevelCost {
    /// A description of the file.
    pub name: &'static str,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Length of the same level with comma-separated numbers, in bytes.
    pub plain_bytes: u64,
    /// Cost of the parser alone.
    pub parsed: Spent,
    /// Cost of loading the map.
    pub loaded: Spent,
}

impl LevelCost {
    /// Returns the time of loading as a multiple of the time for the parser alone.
    #[must_use]
    pub fn times(&self) -> f64 {
        self.loaded.time.as_secs_f64() / self.parsed.time.as_secs_f64()
    }

    /// Returns the peak memory of loading as a multiple of [`LevelCost::plain_bytes`].
    #[must_use]
    pub fn memory(&self) -> Option<f64> {
        self.loaded.peak.map(|peak| peak as f64 / self.plain_bytes as f64)
    }

    /// Returns the measured costs if they exceed the promised limits.
    #[must_use]
    pub fn wrong(&self) -> Option<String> {
        let is_fine = self.times() <= TIME_LIMIT && self.memory().is_none_or(|times| times <= MEMORY_LIMIT);
        (!is_fine).then(|| {
            format!("levels: {} takes {:.2} times the parser, memory {:?}", self.name, self.times(), self.memory())
        })
    }
}

/// Loads a level in each form. Returns `None` if this program cannot be run again.
#[must_use]
pub fn levels(scene: &Scene) -> Option<Vec<LevelCost>> {
    let folder = std::env::temp_dir().join(format!("surefoot-bench-levels-{}", std::process::id()));
    fs::create_dir_all(&folder).ok()?;
    let costs = write_levels(scene, &folder).and_then(|files| files.into_iter().map(measure).collect());
    let _ = fs::remove_dir_all(folder);
    costs
}

fn measure((name, path, plain_bytes): (&'static str, PathBuf, u64)) -> Option<LevelCost> {
    let [parsed, loaded] = best(["parsed_level", "loaded_level"], &path)?;
    Some(LevelCost { name, bytes: fs::metadata(&path).ok()?.len(), plain_bytes, parsed, loaded })
}

/// Does one step on a level. Returns `None` for an unknown step.
#[must_use]
pub fn step(step: &str, file: &Path) -> Option<Spent> {
    match step {
        "parsed_level" => Some(spent(|| black_box(parse(file).expect("a level"))).1),
        "loaded_level" => {
            let options = Options { max_file_size: 1 << 28, ..Options::default() };
            let load = || surefoot_import::load_with(file, &options).expect("a level");
            let (map, spent) = spent(|| black_box(load()));
            assert_eq!(map.size(), (SIDE as u32, SIDE as u32));
            Some(spent)
        }
        _ => None,
    }
}

/// The part of a project of LDtk that a reader needs at least.
#[derive(Deserialize)]
struct Project {
    levels: Vec<Level>,
}

#[derive(Deserialize)]
struct Level {
    #[serde(rename = "layerInstances")]
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
struct Layer {
    #[serde(rename = "intGridCsv")]
    values: Vec<u32>,
}

/// Reads the numbers of the cells of a level, with nothing but the parsers.
fn parse(file: &Path) -> Option<Vec<u32>> {
    let text = fs::read_to_string(file).ok()?;
    if file.extension()? == "ldtk" {
        let project: Project = serde_json::from_str(&text).ok()?;
        return project.levels.into_iter().next()?.layers.into_iter().next().map(|layer| layer.values);
    }
    let document = roxmltree::Document::parse(&text).ok()?;
    let data = document.descendants().find(|node| node.has_tag_name("data"))?;
    let text = data.text()?.trim();
    if data.attribute("encoding") == Some("csv") {
        return text.split(',').map(|word| word.trim().parse().ok()).collect();
    }
    let mut bytes = STANDARD.decode(text).ok()?;
    if data.attribute("compression") == Some("zlib") {
        let mut plain = Vec::new();
        ZlibDecoder::new(&*bytes).read_to_end(&mut plain).ok()?;
        bytes = plain;
    }
    let (numbers, _) = bytes.as_chunks();
    Some(numbers.iter().map(|number| u32::from_le_bytes(*number)).collect())
}

/// Writes the scene, again and again, in each form. Returns a description of each file, its path, and the size of the
/// same level with comma-separated numbers.
fn write_levels(scene: &Scene, folder: &Path) -> Option<Vec<(&'static str, PathBuf, u64)>> {
    let exported = export(&scene.map, "room", Form::Tiled).ok()?;
    for (name, text) in &exported.files {
        fs::write(folder.join(name), text).ok()?;
    }
    let (_, room) = exported.files.iter().find(|(name, _)| name.ends_with(".tmx"))?;
    let (before, rest) = room.split_once("<data encoding=\"csv\">")?;
    let (data, after) = rest.split_once("</data>")?;
    let (columns, rows) = scene.size();
    let before = before
        .replace(&format!("width=\"{columns}\""), &format!("width=\"{SIDE}\""))
        .replace(&format!("height=\"{rows}\""), &format!("height=\"{SIDE}\""));
    let room: Vec<u32> = data.split(',').map(|word| word.trim().parse().ok()).collect::<Option<_>>()?;
    let cells = || (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x % columns, y % rows)));
    let numbers: Vec<u32> = cells().map(|(x, y)| room[y * columns + x]).collect();
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let mut zlib = ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    zlib.write_all(&bytes).ok()?;
    let tmx = |attributes: &str, data: &str| format!("{before}<data {attributes}>\n{data}\n</data>{after}");
    let csv = tmx("encoding=\"csv\"", &separated(&numbers));
    let plain = csv.len() as u64;
    let mut files = Vec::new();
    let mut write = |name, file: &str, text: &str, plain| {
        files.push((name, folder.join(file), plain));
        fs::write(folder.join(file), text).ok()
    };
    write("Tiled, comma-separated", "csv.tmx", &csv, plain)?;
    write("Tiled, base64", "base64.tmx", &tmx("encoding=\"base64\"", &STANDARD.encode(&bytes)), plain)?;
    let zlib = STANDARD.encode(zlib.finish().ok()?);
    write("Tiled, base64 with zlib", "zlib.tmx", &tmx("encoding=\"base64\" compression=\"zlib\"", &zlib), plain)?;
    let values: Vec<u32> = cells()
        .map(|(x, y)| match scene.rows[y].as_bytes()[x] {
            b'.' => 0,
            b'#' => 1,
            _ => 2,
        })
        .collect();
    let project = int_grid(&separated(&values).replace('\n', ""));
    write("LDtk, IntGrid", "int_grid.ldtk", &project, project.len() as u64)?;
    Some(files)
}

/// Returns numbers as Tiled writes them: a row of the level a line.
fn separated(numbers: &[u32]) -> String {
    let row = |row: &[u32]| row.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    numbers.chunks_exact(SIDE).map(row).collect::<Vec<_>>().join(",\n")
}

/// Returns a project of LDtk with one level, whose walls and one-way tiles are values of an IntGrid.
fn int_grid(values: &str) -> String {
    let pixels = SIDE * 16;
    format!(
        r#"{{"jsonVersion": "1.5.3", "defs": {{"tilesets": [], "layers": [{{"uid": 1, "intGridValues": [
        {{"value": 1, "identifier": "walls"}}, {{"value": 2, "identifier": "one_way"}}]}}]}},
        "levels": [{{"identifier": "Level", "pxWid": {pixels}, "pxHei": {pixels}, "layerInstances": [{{
        "__identifier": "Walls", "__cWid": {SIDE}, "__cHei": {SIDE}, "__gridSize": 16, "layerDefUid": 1,
        "intGridCsv": [{values}]}}]}}]}}"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parser alone and the loader see the same cells: as many filled cells as the rooms have.
    #[test]
    fn parser_and_loader_read_the_same_cells() {
        let scene = Scene::generated();
        let folder = std::env::temp_dir().join(format!("surefoot-bench-levels-test-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (columns, rows) = scene.size();
        let filled = scene.rows.iter().flat_map(|row| row.chars()).filter(|tile| *tile != '.').count();
        let filled = filled * (SIDE / columns) * (SIDE / rows);
        for (name, path, _) in write_levels(&scene, &folder).unwrap() {
            assert_eq!(parse(&path).unwrap().iter().filter(|number| **number != 0).count(), filled, "{name}");
            let options = Options { max_file_size: 1 << 28, ..Options::default() };
            let map = surefoot_import::load_with(&path, &options).unwrap();
            assert_eq!(map.layers()[0].cells.iter().filter(|id| id.0 != 0).count(), filled, "{name}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}

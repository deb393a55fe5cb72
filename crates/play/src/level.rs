//! Loads maps and levels of editors.

use crate::error::PlayError;
use std::path::Path;
use surefoot::Map;
use surefoot_import::{Import, Options, import};

/// Extensions of files of Tiled and LDtk.
pub(crate) const EDITOR_EXTENSIONS: [&str; 4] = ["tmx", "tmj", "json", "ldtk"];

/// Marker of the level to play, if a file has several.
const START_MARKER: &str = "start";

/// A map that was loaded from a file.
pub(crate) struct Level {
    pub(crate) map: Map,
    /// Name of the level in a file with several; empty in others.
    pub(crate) name: String,
    /// Parts of an editor's level that the import left out, line by line.
    pub(crate) notes: Vec<String>,
}

/// Returns whether a file is one of Tiled or LDtk, by its extension. The game never writes such a file.
#[must_use]
pub fn is_editor_file(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    EDITOR_EXTENSIONS.contains(&&*extension)
}

/// Loads a map, or a level of an editor. Of a file with several levels, `options` may name one; otherwise takes the
/// first one with a start.
pub(crate) fn load(path: &Path, options: &Options) -> Result<Level, PlayError> {
    if !is_editor_file(path) {
        return Ok(Level { map: Map::load(path)?, name: String::new(), notes: Vec::new() });
    }
    let mut imports = import(path, options)?;
    let names: Vec<String> = imports.iter().map(|import| import.name.clone()).collect();
    let has_start = |import: &Import| import.map.marker(START_MARKER).is_some();
    // An import has at least one level, so `swap_remove` does not panic.
    let Import { name, map, report, .. } = imports.swap_remove(imports.iter().position(has_start).unwrap_or(0));
    let mut notes = Vec::new();
    if names.len() > 1 {
        notes.push(format!(
            "this is the level {name:?} of {}; --level NAME opens another one: {}",
            names.len(),
            names.join(", ")
        ));
    }
    notes.extend(report.to_string().lines().map(str::to_owned));
    Ok(Level { map, name, notes })
}

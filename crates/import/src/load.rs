//! Loads a file by its extension.

use crate::art::TileArt;
use crate::build::{Built, build_map};
use crate::error::{ImportError, ImportProblem};
use crate::files::Files;
use crate::level::{Level, check_cell_count};
use crate::report::Report;
use crate::{ldtk, tiled};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use surefoot::Map;
use surefoot::io::MAX_FILE_SIZE;

/// Options of an import.
///
/// # Examples
/// ```
/// use surefoot::Map;
/// use surefoot_import::Options;
///
/// // Mud is a tile of its own here, and what the editor calls `slab` is half a block.
/// let names = Map::from_ron(r#"Map(format: 1, tiles: ["."], legend: {
///     'm': (tile: "full_block", material: (friction: 2.0), properties: {"import": ["mud"]}),
///     's': (tile: "half_slab", properties: {"import": ["slab"]}),
/// })"#)?;
/// let options = Options { names: Some(names), ..Options::default() };
/// # let _ = options;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// Map whose legend says which names of the editor become which tiles: each entry has the property `import` with a
    /// list of names. Its catalogue is that of the imported maps, and its things say more about objects of their names:
    /// see docs/guide/editors.md. Default: the map that the property `surefoot` of the level names, if there is one.
    pub names: Option<Map>,
    /// Name of the level to load from a file with several levels. Default: `None`. Then [`import`] loads all levels,
    /// and [`load`] returns an error if there are several.
    pub level: Option<String>,
    /// Maximum size of each file in bytes. Default: [`MAX_FILE_SIZE`].
    pub max_file_size: u64,
    /// Whether a level may name files outside its folder. Default: `false`. If a folder above has a `.tiled-project`
    /// file, files below that folder are allowed too.
    pub outside_files: bool,
    /// Whether [`Import::art`] has the pictures of the tiles. Tiles that look different are then tile kinds of their
    /// own, and tiles without a meaning are kinds that bodies do not see. Default: `false`.
    pub art: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { names: None, level: None, max_file_size: MAX_FILE_SIZE, outside_files: false, art: false }
    }
}

/// A level of an editor as a map.
#[derive(Clone, Debug)]
pub struct Import {
    /// Name of the level in its file. Empty for a file with one level without a name.
    pub name: String,
    /// The map.
    pub map: Map,
    /// Pictures of the tiles, if [`Options::art`] is set and the level has pictures.
    pub art: Option<TileArt>,
    /// Parts of the level that are not in the map.
    pub report: Report,
    /// Neighbour levels in an LDtk world, as direction and name: `n`, `e`, `s`, `w`, two of them for a corner, `<` and
    /// `>` for depths, and `o` for an overlap.
    pub neighbours: Vec<(String, String)>,
    /// Files that were read, the level's own among them.
    pub files: Vec<PathBuf>,
}

/// Loads a level of Tiled (.tmx, .tmj) or LDtk (.ldtk), or a map in RON (.ron).
///
/// # Errors
/// Returns [`ImportError`] if the file cannot be read or is wrong, or has several levels: see [`load_with`].
///
/// # Examples
/// ```no_run
/// let map = surefoot_import::load("levels/cave.tmx")?; // an error names the file and the layer, tile or object
/// println!("{:?} tiles", map.size());
/// # Ok::<(), surefoot_import::ImportError>(())
/// ```
pub fn load(path: impl AsRef<Path>) -> Result<Map, ImportError> {
    load_with(path, &Options::default())
}

/// Loads a level with options.
///
/// # Errors
/// Returns [`ImportError`] with the name of the file:
///
/// - if the file or one that it names cannot be read, is larger than the limit, or is outside the folder;
/// - if a file is not of the form that its extension says, or has wrong values;
/// - if the file has several levels, and [`Options::level`] names none of them;
/// - if no tile of the level is understood, or the level is not a valid map.
pub fn load_with(path: impl AsRef<Path>, options: &Options) -> Result<Map, ImportError> {
    let path = path.as_ref();
    let mut imports = import(path, options)?;
    let names: Vec<String> = imports.iter().map(|import| import.name.clone()).collect();
    match (imports.pop(), imports.is_empty()) {
        (Some(import), true) => Ok(import.map),
        _ => Err(ImportError::new(path, "", ImportProblem::Levels { wanted: None, names })),
    }
}

/// Loads all levels of a file, or the one that [`Options::level`] names, with reports of what was left out.
///
/// # Errors
/// Returns [`ImportError`] as [`load_with`] does, but loads several levels.
pub fn import(path: impl AsRef<Path>, options: &Options) -> Result<Vec<Import>, ImportError> {
    let path = path.as_ref();
    import_and_list_unused_names(path, options, &Files::on_disk(path, options)?)
}

/// Loads all levels of a file, or the one that [`Options::level`] names, from files in memory: for archives and for
/// programs that read files in their own way, such as asset systems.
///
/// The key of a file is its path, relative to a folder of your choice and without `.` and `..`. Levels name other files
/// relative to their own. [`Options::outside_files`] does not count.
///
/// # Errors
/// Returns [`ImportError`] as [`import`] does. If a file is missing, [`ImportError::missing_file`] returns its path.
///
/// # Examples
/// ```
/// use std::collections::BTreeMap;
/// use std::path::PathBuf;
/// use surefoot_import::{Options, import_from_memory};
///
/// let map = r#"Map(format: 1, tiles: ["@.", "/#"])"#;
/// let files = BTreeMap::from([(PathBuf::from("levels/hill.ron"), map.into())]);
/// let imports = import_from_memory("levels/hill.ron", &files, &Options::default())?;
/// assert_eq!(imports[0].map.size(), (2, 2));
/// # Ok::<(), surefoot_import::ImportError>(())
/// ```
pub fn import_from_memory(
    path: impl AsRef<Path>,
    files: &BTreeMap<PathBuf, Vec<u8>>,
    options: &Options,
) -> Result<Vec<Import>, ImportError> {
    let path = path.as_ref();
    import_and_list_unused_names(path, options, &Files::in_memory(path, files, options)?)
}

fn import_and_list_unused_names(path: &Path, options: &Options, files: &Files<'_>) -> Result<Vec<Import>, ImportError> {
    let mut imports = import_with_files(path, options, files)?;
    if let Some(last) = imports.last_mut() {
        last.report.unused_names = files.unused_names();
    }
    let read = files.files_read();
    imports.iter_mut().for_each(|import| import.files.clone_from(&read));
    Ok(imports)
}

fn import_with_files(path: &Path, options: &Options, files: &Files<'_>) -> Result<Vec<Import>, ImportError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    match &*extension {
        "ron" => {
            let map = files.load_map(path)?;
            Ok(vec![Import {
                name: String::new(),
                map,
                art: None,
                report: Report::default(),
                neighbours: Vec::new(),
                files: Vec::new(),
            }])
        }
        "tmx" | "tmj" | "json" => {
            if let Some(level) = &options.level {
                let problem = format!("the level {level:?} was asked for");
                return Err(ImportError::wrong_value(
                    path,
                    "",
                    problem,
                    "no name of a level: a file of Tiled is one level",
                ));
            }
            Ok(vec![build_import(path, tiled::read_tiled_map(path, files)?)?])
        }
        "ldtk" => {
            let mut project = ldtk::read_project(path, files)?;
            let names = project.level_names();
            let wanted = |name: &String| options.level.as_ref().is_none_or(|wanted| wanted == name);
            let indices: Vec<usize> = (0..names.len()).filter(|&i| wanted(&names[i])).collect();
            if indices.is_empty() {
                let problem = ImportProblem::Levels { wanted: options.level.clone(), names };
                return Err(ImportError::new(path, "", problem));
            }
            let mut imports = Vec::new();
            // Limit the cells of all levels together, because all maps are kept in memory at the same time.
            let mut total = (0_u64, 0_u64);
            for index in indices {
                let level = ldtk::read_level(path, files, &mut project, index)?;
                let cells = u64::from(level.size.0).saturating_mul(level.size.1.into());
                total = (total.0.saturating_add(cells.max(level.total.0)), total.1.saturating_add(level.total.1));
                check_cell_count(total.0, 1, total.1).map_err(|(_, expected)| {
                    let problem = format!("the levels up to {:?} have {} cells", level.name, total.0);
                    ImportError::wrong_value(path, "", problem, expected)
                })?;
                imports.push(build_import(path, level)?);
            }
            Ok(imports)
        }
        _ => Err(ImportError::new(path, "", ImportProblem::Extension)),
    }
}

fn build_import(path: &Path, level: Level) -> Result<Import, ImportError> {
    let (name, neighbours) = (level.name.clone(), level.neighbours.clone());
    let Built { map, art, report } = build_map(path, level)?;
    Ok(Import { name, map, art, report, neighbours, files: Vec::new() })
}

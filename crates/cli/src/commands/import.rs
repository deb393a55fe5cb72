//! `surefoot import`: converts a level of Tiled or LDtk to a map, and lists what is left out.

use super::picture::has_extension;
use super::{Done, catalogue, print};
use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use surefoot::Map;
use surefoot::catalogue::Catalogue;
use surefoot::io::write_atomic;
use surefoot::map::TileId;
use surefoot_import::{Import, ImportError, Options, TileArt, import, load_with};

/// Convert a level of Tiled (.tmx, .tmj) or LDtk (.ldtk) to a map
///
/// Lists the tiles and objects that are left out. Without an output file, only the list is printed.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Level of Tiled or LDtk
    file: PathBuf,
    /// Map to write; for a file with several levels, a folder that gets NAME.ron for each, and is created
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    level: LevelOptions,
    /// Also read files outside the folder of the level
    #[arg(long)]
    outside_files: bool,
    /// Also write the pictures of the tiles: MAP.art.ron and MAP.art.png, which the map names; needs the feature png
    #[arg(long, requires = "output")]
    art: bool,
}

/// Options for levels of Tiled and LDtk.
#[derive(clap::Args)]
pub(crate) struct LevelOptions {
    /// Use only this level of a file with several levels
    #[arg(long, value_name = "NAME")]
    level: Option<String>,
    /// Map whose legend names the tiles of a level of Tiled or LDtk: see docs/guide/editors.md
    #[arg(long, value_name = "MAP")]
    names: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let Arguments { file, output, level, outside_files, art } = arguments;
    if *art && !cfg!(feature = "png") {
        return Err(
            format!("{}: this tool was built without PNG; build it with `--features png`", file.display()).into()
        );
    }
    let options = Options { outside_files: *outside_files, art: *art, ..level.import_options()? };
    let imports = import(file, &options).map_err(|error| level.error_text(&error))?;
    let is_one = imports.len() == 1;
    if let Some(folder) = output.as_ref().filter(|_| !is_one) {
        std::fs::create_dir_all(folder).map_err(|error| {
            let levels = imports.len();
            format!("{}: {error}; expected a folder for {levels} levels, or --level NAME for one", folder.display())
        })?;
    }
    for Import { name, map, art, report, .. } in imports {
        let of_level = if name.is_empty() { String::new() } else { format!(" level {name:?}:") };
        let (width, height) = map.size();
        let (areas, bodies) = (map.areas().len(), map.bodies().len());
        let (platforms, markers) = (map.platforms().len(), describe_markers(&map));
        let has_shape = |id: &TileId| map.kind(*id).is_some_and(|kind| kind.variant.is_some());
        let tiles: usize =
            map.layers().iter().map(|layer| layer.cells.iter().filter(|&id| has_shape(id)).count()).sum();
        print(&format!(
            "{}:{of_level} {width} x {height} cells; tiles: {tiles}, areas: {areas}, bodies: {bodies}, platforms: {platforms}, markers: {markers}\n",
            file.display()
        ))?;
        if tiles == 0 {
            print(
                "  no tile has a shape; if rules choose the tiles, run the rules in the editor and save the level again\n",
            )?;
        }
        for line in report.to_string().lines() {
            print(&format!("  {line}\n"))?;
        }
        if let Some(output) = output {
            let path = output_path(output, &name, is_one);
            let map = match art {
                Some(art) => pictures::write_art(&path, map, &art)?,
                None => map,
            };
            copy_catalogue(&map, level.file_that_names_catalogue(file), &path)?;
            write_atomic(&path, map.to_ron().as_bytes())?;
            print(&format!("  wrote {}\n", path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns whether the name of a file is that of a level of Tiled or LDtk.
pub(super) fn is_editor_file(file: &Path) -> bool {
    ["tmx", "tmj", "ldtk"].iter().any(|extension| has_extension(file, extension))
}

impl LevelOptions {
    /// Loads a map, or a level of Tiled or LDtk.
    pub(super) fn load_map(&self, file: &Path) -> Result<Map, Box<dyn Error>> {
        if !is_editor_file(file) {
            return Ok(Map::load(file)?);
        }
        Ok(load_with(file, &self.import_options()?).map_err(|error| self.error_text(&error))?)
    }

    /// Returns the file from whose folder the loaded map names its catalogue.
    pub(super) fn file_that_names_catalogue<'a>(&'a self, file: &'a Path) -> &'a Path {
        self.names.as_deref().filter(|_| !has_extension(file, "ron")).unwrap_or(file)
    }

    fn import_options(&self) -> Result<Options, Box<dyn Error>> {
        let names = self.names.as_ref().map(Map::load).transpose()?;
        Ok(Options { names, level: self.level.clone(), ..Options::default() })
    }

    /// Returns an error with its file. A mistake in the map of names has an empty path, because `Options` holds the map
    /// and not its path.
    fn error_text(&self, error: &ImportError) -> String {
        match &self.names {
            Some(names) if error.path.as_os_str().is_empty() => format!("{}: {error}", names.display()),
            _ => error.to_string(),
        }
    }
}

/// Returns the number of the map's markers, and their names, so that a misspelt name is seen.
fn describe_markers(map: &Map) -> String {
    /// Maximum number of names.
    const MAX_NAMES: usize = 12;
    let names: BTreeSet<&str> = map.all_markers().map(|(name, _)| name).collect();
    let (count, more) = (map.all_markers().count(), if names.len() > MAX_NAMES { ", ..." } else { "" });
    let names: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("{name:?}")).collect();
    let names = if names.is_empty() { String::new() } else { format!(" ({}{more})", names.join(", ")) };
    format!("{count}{names}")
}

/// Copies the catalogue of an imported map, so that the written map finds it. `from`: file from whose folder the map
/// names its catalogue.
fn copy_catalogue(map: &Map, from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    match map.catalogue_file() {
        Some(named) => catalogue::copy_catalogue_file(&from.with_file_name(named), &to.with_file_name(named)),
        None if map.catalogue().patterns() == Catalogue::builtin().patterns() => Ok(()),
        None => {
            let from = from.display();
            Err(format!("{from}: the catalogue of the map of names is not in the folder of the level or below it")
                .into())
        }
    }
}

/// Returns the file for a level: `output` itself, or a file in that folder.
fn output_path(output: &Path, name: &str, is_only_level: bool) -> PathBuf {
    if is_only_level && !output.is_dir() {
        return output.to_owned();
    }
    // A level's name must not lead out of the folder.
    let safe: String = name.chars().map(|c| if c.is_alphanumeric() || "-_ ".contains(c) { c } else { '_' }).collect();
    output.join(format!("{}.ron", if safe.is_empty() { "level" } else { &safe }))
}

#[cfg(not(feature = "png"))]
mod pictures {
    use super::{Error, Map, Path, TileArt};

    pub(super) fn write_art(_: &Path, map: Map, _: &TileArt) -> Result<Map, Box<dyn Error>> {
        Ok(map)
    }
}

#[cfg(feature = "png")]
mod pictures {
    use super::{Error, Map, Path, TileArt, print, write_atomic};
    use std::collections::BTreeMap;
    use surefoot::geometry::dvec2;
    use surefoot::io::read_bytes;
    use surefoot_draw::{Sprite, draw_sprites};

    /// Maximum size of the picture of a tileset in bytes.
    const MAX_PICTURE: u64 = 1 << 26;

    /// Writes the art file and the picture of a map next to the map. Returns the map with the name of its art file.
    pub(super) fn write_art(path: &Path, map: Map, art: &TileArt) -> Result<Map, Box<dyn Error>> {
        let (art_file, picture) = (path.with_extension("art.ron"), path.with_extension("art.png"));
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        write_atomic(&picture, &draw_art_picture(art)?)?;
        let mut parts = map.into_parts();
        parts.properties.insert("art".to_owned(), name(&art_file).as_str().into());
        let map = Map::from_parts(parts)?;
        write_atomic(&art_file, art.to_ron(&map, &name(&picture)).as_bytes())?;
        print(&format!("  wrote {}\n  wrote {}\n", picture.display(), art_file.display()))?;
        Ok(map)
    }

    /// Draws the pieces of an art file.
    fn draw_art_picture(art: &TileArt) -> Result<Vec<u8>, Box<dyn Error>> {
        let columns = art.columns();
        let rows = (art.pieces.len() as u32).div_ceil(columns);
        let (mut numbers, mut pictures, mut sprites) = (BTreeMap::new(), Vec::new(), Vec::new());
        for (index, parts) in (0..).zip(&art.pieces) {
            for part in parts {
                let number = match numbers.get(&part.picture) {
                    Some(&number) => number,
                    None => {
                        let bytes = read_bytes(&part.picture, MAX_PICTURE, "the picture of a tileset in PNG")?;
                        if !bytes.starts_with(b"\x89PNG") {
                            let picture = part.picture.display();
                            return Err(format!("{picture}: the picture of a tileset is not a PNG").into());
                        }
                        pictures.push(bytes);
                        numbers.insert(&part.picture, pictures.len() - 1);
                        pictures.len() - 1
                    }
                };
                let corner = dvec2((index % columns).into(), (rows - 1 - index / columns).into());
                sprites.push((number, Sprite { corner, side: 1.0, picture: part.corners }));
            }
        }
        Ok(draw_sprites(&pictures, &sprites, (columns, rows), art.pixels)?)
    }
}

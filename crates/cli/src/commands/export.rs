//! `surefoot export`: writes a map as a level of Tiled or LDtk, with its tileset.

use super::Done;
use super::picture::{Target, has_extension};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use surefoot::Map;
use surefoot::io::write_atomic;
use surefoot_draw::{TilesetTheme, draw_tileset};
use surefoot_import::{Export, Form, export, export_project};

/// Write a map as a level of Tiled (.tmx) or LDtk (.ldtk), with its tileset
///
/// Writes the level, the picture of its tileset and a map of names into the folder of the output. `surefoot import` makes
/// the same map of the level again. Lists the parts of the map that the level cannot store. Needs the feature png.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The map
    #[arg(required_unless_present = "new")]
    file: Option<PathBuf>,
    /// The level: a name that ends in .tmx or .ldtk
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Write a new project instead of a map: a tileset of all tiles, rules that choose slopes, and a level to paint
    #[arg(long, conflicts_with = "file")]
    new: bool,
    /// Pixels along one side of a tile of a new project
    #[arg(long, value_name = "N", default_value_t = 16, requires = "new", value_parser = clap::value_parser!(u32).range(8..=128))]
    pixels: u32,
    /// Look of the tiles: plain or stone
    #[arg(long, value_name = "NAME", default_value = "plain", value_parser = theme)]
    theme: TilesetTheme,
}

fn theme(name: &str) -> Result<TilesetTheme, &'static str> {
    match name {
        "plain" => Ok(TilesetTheme::Plain),
        "stone" => Ok(TilesetTheme::Stone),
        _ => Err("expected plain or stone"),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let Arguments { file, output, pixels, theme, .. } = arguments;
    let form = [Form::Tiled, Form::Ldtk].into_iter().find(|form| has_extension(output, form.extension()));
    let stem = output.file_stem().and_then(|stem| stem.to_str());
    let (Some(form), Some(stem)) = (form, stem) else {
        let output = output.display();
        return Err(format!("{output}: unknown kind of level; expected a name that ends in .tmx or .ldtk").into());
    };
    let folder = output.parent().unwrap_or(Path::new(""));
    let level = match file {
        Some(file) => {
            let map = Map::load(file)?;
            if let Some(catalogue) = map.catalogue_file() {
                copy_catalogue(&file.with_file_name(catalogue), &folder.join(catalogue))?;
            }
            export(&map, stem, form)?
        }
        None => export_project(stem, form, *pixels),
    };
    let Export { files, tileset, report, .. } = level;
    let picture = folder.join(&tileset.picture);
    let target = Target::of_form(&picture, true)?;
    let svg = draw_tileset(&tileset.catalogue, &tileset.kinds, tileset.columns, tileset.pixels, *theme);
    target.write(&svg, 1.0)?;
    println!("wrote {}", picture.display());
    // The level is the last of the files: it must not exist before the files that it names.
    for (name, text) in &files {
        let path = folder.join(name);
        write_atomic(&path, text.as_bytes())?;
        println!("wrote {}", path.display());
    }
    for line in report.to_string().lines() {
        println!("  {line}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Copies the catalogue of a map next to its level. A file that is there already stays if it is the same.
fn copy_catalogue(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let bytes = read(from)?;
    if to.exists() {
        let is_same = read(to)? == bytes;
        let (from, to) = (from.display(), to.display());
        return if is_same {
            Ok(())
        } else {
            Err(format!("{to}: the file differs from the catalogue {from}; expected another folder").into())
        };
    }
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(write_atomic(to, &bytes)?)
}

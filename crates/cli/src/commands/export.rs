//! `surefoot export`: writes a map as a level of Tiled or LDtk, with its tileset.

use super::import::LevelOptions;
use super::picture::{Target, has_extension};
use super::{Done, catalogue, print};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use surefoot::io::write_atomic;
use surefoot_draw::{TilesetTheme, draw_tileset};
use surefoot_import::{Export, Form, export, export_project};

/// Write a map as a level of Tiled (.tmx) or LDtk (.ldtk), with its tileset
///
/// Writes the level, the picture of its tileset and a map of names into the folder of the output. `surefoot import`
/// makes the same map of the level again. Lists the parts of the map that the level cannot store. Needs the feature
/// png.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The map, or a level of Tiled or LDtk
    #[arg(required_unless_present = "new")]
    file: Option<PathBuf>,
    #[command(flatten)]
    level: LevelOptions,
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
    #[arg(long, value_name = "NAME", default_value = "plain", value_parser = theme_of_name)]
    theme: TilesetTheme,
}

fn theme_of_name(name: &str) -> Result<TilesetTheme, &'static str> {
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
            let map = arguments.level.load_map(file)?;
            if let Some(named) = map.catalogue_file() {
                catalogue::copy_catalogue_file(
                    &arguments.level.file_that_names_catalogue(file).with_file_name(named),
                    &folder.join(named),
                )?;
            }
            export(&map, stem, form)?
        }
        None => export_project(stem, form, *pixels),
    };
    let Export { files, tileset, report, .. } = level;
    let picture = folder.join(&tileset.picture);
    let target = Target::with_fixed_format(&picture, true)?;
    let svg = draw_tileset(&tileset.catalogue, &tileset.kinds, tileset.columns, tileset.pixels, *theme);
    target.write(&svg, 1.0)?;
    print(&format!("wrote {}\n", picture.display()))?;
    // The level is the last of the files: it must not exist before the files that it names.
    for (name, text) in &files {
        let path = folder.join(name);
        write_atomic(&path, text.as_bytes())?;
        print(&format!("wrote {}\n", path.display()))?;
    }
    for line in report.to_string().lines() {
        print(&format!("  {line}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

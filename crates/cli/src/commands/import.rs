//! `surefoot import`: converts a level of Tiled or LDtk to a map, and lists what is left out.

use super::Done;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use surefoot::Map;
use surefoot::io::write_atomic;
use surefoot_import::{Import, Options, import};

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
    /// Map whose legend names the tiles of the level: see docs/guide/editors.md
    #[arg(long, value_name = "MAP")]
    names: Option<PathBuf>,
    /// Convert only this level of the file
    #[arg(long, value_name = "NAME")]
    level: Option<String>,
    /// Also read files outside the folder of the level
    #[arg(long)]
    outside_files: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let Arguments { file, output, names, level, outside_files } = arguments;
    let names = names.as_ref().map(Map::load).transpose()?;
    let options = Options { names, level: level.clone(), outside_files: *outside_files, ..Options::default() };
    // A mistake in the map of names has an empty path, because `options` holds the map and not its path. Report the
    // path here.
    let imports = import(file, &options).map_err(|error| match &arguments.names {
        Some(names) if error.path.as_os_str().is_empty() => format!("{}: {error}", names.display()),
        _ => error.to_string(),
    })?;
    let is_one = imports.len() == 1;
    if let Some(folder) = output.as_ref().filter(|_| !is_one) {
        std::fs::create_dir_all(folder).map_err(|error| {
            let levels = imports.len();
            format!("{}: {error}; expected a folder for {levels} levels, or --level NAME for one", folder.display())
        })?;
    }
    for Import { name, map, report, .. } in &imports {
        let of_level = if name.is_empty() { String::new() } else { format!(" level {name:?}:") };
        let (width, height) = map.size();
        let (areas, bodies) = (map.areas().len(), map.bodies().len());
        let (platforms, markers) = (map.platforms().len(), map.all_markers().count());
        println!(
            "{}:{of_level} {width} x {height} cells; {areas} areas, {bodies} bodies, {platforms} platforms, {markers} markers",
            file.display()
        );
        for line in report.to_string().lines() {
            println!("  {line}");
        }
        if let Some(output) = output {
            let path = target(output, name, is_one);
            write_atomic(&path, map.to_ron().as_bytes())?;
            println!("  wrote {}", path.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the file for a level: `output` itself, or a file in that folder.
fn target(output: &Path, name: &str, is_one: bool) -> PathBuf {
    if is_one && !output.is_dir() {
        return output.to_owned();
    }
    // A level's name must not lead out of the folder.
    let safe: String = name.chars().map(|c| if c.is_alphanumeric() || "-_ ".contains(c) { c } else { '_' }).collect();
    output.join(format!("{}.ron", if safe.is_empty() { "level" } else { &safe }))
}

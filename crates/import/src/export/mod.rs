//! Writes maps as levels of Tiled and LDtk, with their tilesets.
//!
//! A map becomes the same [`Level`] that an import makes of a file. The modules `tmx` and `ldtk` write it in the
//! formats of the editors. A map of names comes with it: the map without its tiles. It has everything that these
//! formats cannot store, such as materials, so that an import of the level returns the same map. [`export`] imports the
//! level again and reports all differences.

mod check;
mod ldtk;
mod names;
mod rules;
mod scene;
mod sheet;
mod tmx;

use crate::build::{Built, build_map};
use crate::error::ImportError;
use crate::names::OwnNames;
use crate::report::Report;
use sheet::Sheet;
use std::path::Path;
use std::sync::Arc;
use surefoot::Map;
use surefoot::catalogue::Catalogue;
use surefoot::map::TileKind;

/// Form of a level file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A map of Tiled in XML (.tmx), with its tileset (.tsx).
    Tiled,
    /// A project of LDtk (.ldtk) with one level.
    Ldtk,
}

impl Form {
    /// Returns the extension of level files.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Form::Tiled => "tmx",
            Form::Ldtk => "ldtk",
        }
    }
}

/// A map as files of an editor.
#[derive(Clone, Debug)]
pub struct Export {
    /// Name and text of each file. All files belong in one folder. The level is the last one.
    pub files: Vec<(String, String)>,
    /// The tileset, whose picture the level shows.
    pub tileset: Tileset,
    /// Parts of the map that the level and its map of names cannot say. `first` of each entry is in the coordinates of
    /// the map.
    pub report: Report,
}

/// Picture of a tileset that a level needs.
#[derive(Clone, Debug)]
pub struct Tileset {
    /// Name of the file.
    pub picture: String,
    /// Catalogue with the variants of `kinds`.
    pub catalogue: Arc<Catalogue>,
    /// Tile kind that each tile shows: row by row from the top, each row from left to right.
    pub kinds: Vec<TileKind>,
    /// Tiles in a row of the picture.
    pub columns: u32,
    /// Pixels along one side of a tile.
    pub pixels: u32,
}

/// Writes a map as a level. `stem`: name of the files without extension.
///
/// # Errors
/// Returns [`ImportError`] if the map of names is not a valid map, which does not happen for maps that were loaded.
///
/// # Examples
/// ```
/// use surefoot::Map;
/// use surefoot_import::{Form, export};
///
/// let map = Map::from_ron(r##"Map(format: 1, tiles: ["@.", "/#"])"##)?;
/// let export = export(&map, "hill", Form::Tiled)?;
/// let names: Vec<&str> = export.files.iter().map(|(name, _)| name.as_str()).collect();
/// assert_eq!(names, ["hill.names.ron", "hill.tsx", "hill.tmx"]);
/// assert!(export.report.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export(map: &Map, stem: &str, form: Form) -> Result<Export, ImportError> {
    let sheet = Sheet::of_map(map);
    let pixels = scene::pixels_per_tile(map);
    let scene = scene::Scene::from_map(map, &sheet, form, pixels);
    let own = OwnNames::new(Path::new(""), &names::map_of_names(map, &sheet, &scene)?)?;
    let names_file = format!("{stem}.names.ron");
    let picture = format!("{stem}.png");
    let mut files = vec![(names_file.clone(), own.map.to_ron())];
    let mut level = scene.level;
    level.own = Some(Arc::new(own));
    match form {
        Form::Tiled => {
            let set = format!("{stem}.tsx");
            files.push((set.clone(), tmx::tileset_text(&sheet, &picture, pixels)));
            files.push((format!("{stem}.tmx"), tmx::level_text(&level, &set, &names_file)));
        }
        Form::Ldtk => files.push((format!("{stem}.ldtk"), ldtk::project_text(&level, &sheet, &picture, &names_file))),
    }
    let Built { map: again, report, .. } = build_map(Path::new(""), level)?;
    let report = check::report_lost_parts(map, &again, report);
    let tileset = Tileset {
        picture,
        catalogue: map.catalogue().clone(),
        kinds: sheet.kinds().collect(),
        columns: sheet::COLUMNS,
        pixels,
    };
    Ok(Export { files, tileset, report })
}

/// Returns the files of a new project: a tileset and a sample level. The tileset has all built-in tiles and the tiles
/// with usual names. You paint the level with one tile (Tiled) or one IntGrid value (LDtk), and rules choose blocks and
/// slopes. Tiled reads the rules from `rules.txt`; in LDtk, they are in the project.
///
/// `stem`: name of the files without extension. `pixels`: pixels along one side of a tile.
#[must_use]
pub fn export_project(stem: &str, form: Form, pixels: u32) -> Export {
    let (sheet, rules) = (Sheet::with_usual_tiles(), rules::slope_rules());
    let picture = format!("{stem}.png");
    let files = match form {
        Form::Tiled => {
            let set = format!("{stem}.tsx");
            vec![
                (set.clone(), tmx::tileset_text(&sheet, &picture, pixels)),
                (format!("{stem}.tiled-project"), tmx::project_text()),
                ("rules.txt".to_owned(), "rules.tmx\n".to_owned()),
                ("rules.tmx".to_owned(), tmx::rules_text(&sheet, &set, &rules, pixels)),
                (format!("{stem}.tmx"), tmx::painted_level_text(&sheet, &set, &rules, pixels, &SAMPLE)),
            ]
        }
        Form::Ldtk => {
            vec![(format!("{stem}.ldtk"), ldtk::template_project_text(&sheet, &picture, pixels, &rules, &SAMPLE))]
        }
    };
    let kinds = sheet.kinds().collect();
    let tileset = Tileset { picture, catalogue: Catalogue::builtin(), kinds, columns: sheet::COLUMNS, pixels };
    Export { files, tileset, report: Report::default() }
}

/// Painted cells of the sample level, from the top.
const SAMPLE: [&str; 18] = [
    "################################", //
    "#####........######.........####",
    "####..........####...........###",
    "###............##.............##",
    "#..............................#",
    "#..............................#",
    "#..............................#",
    "#............................###",
    "#............................###",
    "#.......................##...###",
    "#......................####..###",
    "#.....................######.###",
    "#......####..........###########",
    "#.....######........############",
    "#....########..................#",
    "#...##########.................#",
    "#..############....##..........#",
    "################################",
];

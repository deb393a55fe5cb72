//! Maps in files, with the catalogues that they name.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use super::{CatalogueLoadError, ReadError, read_expected};
use crate::catalogue::Catalogue;
use crate::map::text::parse::read_map_text;
use crate::map::{Map, MapError, MapErrorKind, MapLimits};
use crate::text::{FormError, TextError};
use crate::told::debug_is_display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Error of [`Map::load`] and [`Map::load_with`].
#[derive(Error)]
#[non_exhaustive]
pub enum MapLoadError {
    /// The map's file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The text of the file is not a valid map.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The file is a level of an editor: Tiled or LDtk.
    #[error(
        "{}: the file is a level of an editor; expected a map in RON; load the level with `surefoot_import::load`, or \
         convert it with `surefoot import`",
        path.display()
    )]
    Editor {
        /// Path of the file.
        path: PathBuf,
    },
    /// The catalogue file (tile shapes) that the map names cannot be loaded.
    #[error("{}:{line}:{column}: cannot load the catalogue: {source}", path.display())]
    Catalogue {
        /// Path of the file of the map that names the catalogue.
        path: PathBuf,
        /// Line in the map's file where the catalogue is named, from 1.
        line: u32,
        /// Column in that line where the catalogue's name begins, in characters from 1.
        column: u32,
        /// Reason why the catalogue file cannot be loaded.
        source: CatalogueLoadError,
    },
}

debug_is_display!(MapLoadError);

/// Extensions of the files of editors, which `surefoot_import` reads.
const EDITOR_EXTENSIONS: [&str; 3] = ["tmx", "tmj", "ldtk"];

/// Options of [`Map::load_with`]: size limits, and a catalogue of tile shapes.
///
/// # Examples
/// ```no_run
/// use surefoot::io::MapLoadOptions;
/// use surefoot::map::{MapLimits, Map};
///
/// let options = MapLoadOptions { limits: MapLimits { bytes: 100_000, ..MapLimits::default() }, ..MapLoadOptions::default() };
/// let map = Map::load_with("a.ron", &options)?;
/// # Ok::<(), surefoot::io::MapLoadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MapLoadOptions {
    /// Size limits of the map, to load files from unknown sources safely.
    pub limits: MapLimits,
    /// The catalogue (tile shapes) of the map.
    ///
    /// `None`, the default, uses the catalogue that the map names, or the built-in one if the map names none.
    pub catalogue: Option<Arc<Catalogue>>,
}

impl Map {
    /// Loads a map from a RON file of at most [`MAX_FILE_SIZE`](super::MAX_FILE_SIZE) bytes.
    ///
    /// If the map names a catalogue (tile shapes), loads that file too. The catalogue's file must be in the map's
    /// folder or below.
    ///
    /// # Errors
    /// Returns [`MapLoadError`] with the name of the file:
    ///
    /// - if a file cannot be read;
    /// - if the map or its catalogue is invalid.
    pub fn load(path: impl AsRef<Path>) -> Result<Map, MapLoadError> {
        Map::load_with(path, &MapLoadOptions::default())
    }

    /// Loads a map from a RON file, with your own size limits and catalogue (tile shapes).
    ///
    /// # Errors
    /// Returns [`MapLoadError`] with the name of the file:
    ///
    /// - if a file cannot be read or is larger than the limit;
    /// - if the map or its catalogue is invalid, or the map exceeds a limit.
    pub fn load_with(path: impl AsRef<Path>, options: &MapLoadOptions) -> Result<Map, MapLoadError> {
        Map::load_path(path.as_ref(), options)
    }

    /// [`Map::load_with`], compiled once for all types of paths.
    fn load_path(path: &Path, options: &MapLoadOptions) -> Result<Map, MapLoadError> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if EDITOR_EXTENSIONS.iter().any(|editor| extension.eq_ignore_ascii_case(editor)) {
            return Err(MapLoadError::Editor { path: path.to_owned() });
        }
        let text = read_expected(path, options.limits.bytes, "a map file")?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let map = read_map_text(text, &options.limits, 1, |named| match (&options.catalogue, named) {
            (Some(catalogue), _) => Ok(catalogue.clone()),
            (None, None) => Ok(Catalogue::builtin()),
            (None, Some(named)) => load_named_catalogue(path, named),
        });
        map.map_err(|mistakes| {
            let TextError { line, column, kind, .. } = mistakes.first_error(text);
            match kind {
                MapFault::Map(kind) => {
                    MapLoadError::Map(MapError { file: Some(path.display().to_string()), line, column, kind })
                }
                MapFault::Catalogue(source) => MapLoadError::Catalogue { path: path.to_owned(), line, column, source },
            }
        })
    }
}

/// Mistake in a map file.
#[derive(Error)]
pub enum MapFault {
    #[error(transparent)]
    Map(#[from] MapErrorKind),
    /// The catalogue file that the map names cannot be loaded.
    #[error("cannot load the catalogue: {0}")]
    Catalogue(CatalogueLoadError),
}

debug_is_display!(MapFault);

impl From<FormError> for MapFault {
    fn from(error: FormError) -> MapFault {
        MapErrorKind::from(error).into()
    }
}

/// Loads the catalogue that the map file `map` names. The file must be in the map's folder or below it.
pub fn load_named_catalogue(map: &Path, named: &str) -> Result<Arc<Catalogue>, MapFault> {
    let folder = map.parent().unwrap_or(Path::new(""));
    let file = folder.join(named);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = |path: &Path| {
        let expected = "a catalogue of tile patterns";
        let io = |source| ReadError::Io { path: path.to_owned(), expected, source };
        path.canonicalize().map_err(|error| MapFault::Catalogue(io(error).into()))
    };
    // Compare the real paths: a link inside the folder may lead out of it.
    if !real(&file)?.starts_with(real(folder)?) {
        return Err(MapErrorKind::CatalogueOutside { path: named.to_owned() }.into());
    }
    Catalogue::load(&file).map(Arc::new).map_err(MapFault::Catalogue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::MapPartsError;
    use std::fs;

    const PATTERNS: &str = "Catalogue(format: 1, patterns: [
        (name: \"full_block\", kind: Solid, paths: [[(0, 16), (16, 16), (16, 0), (0, 0)]]),
        (name: \"ramp\", kind: Solid, paths: [[(0, 0), (16, 4), (16, 0)]])])";

    fn map_text(catalogue: &str) -> String {
        format!("Map(format: 1, tiles: [\"r#.\"], legend: {{'r': \"ramp\"}},\n  catalogue: \"{catalogue}\")")
    }

    /// A temporary folder with a folder inside, deleted on drop.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("surefoot-maps-{}-{name}", std::process::id()));
            fs::create_dir_all(path.join("in/sub")).unwrap();
            Folder(path)
        }

        fn write(&self, name: &str, text: &str) -> PathBuf {
            let path = self.0.join(name);
            fs::write(&path, text).unwrap();
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_map_finds_the_catalogue_in_its_folder() {
        let folder = Folder::new("beside");
        folder.write("in/sub/tiles.ron", PATTERNS);
        let file = folder.write("in/a.ron", &map_text("sub/tiles.ron"));
        let loaded = Map::load(&file).unwrap();
        assert_eq!(loaded.catalogue().patterns().len(), 2);
        assert_eq!(loaded.catalogue_file(), Some("sub/tiles.ron"));
        assert!(loaded.variant_at(0, (0, 0)).is_some());
        // The written map names the catalogue again.
        let text = loaded.to_ron();
        assert!(text.contains("    catalogue: \"sub/tiles.ron\",\n"), "{text}");
        assert_eq!(Map::load(folder.write("in/b.ron", &text)).unwrap(), loaded);
        let given = MapLoadOptions { catalogue: Some(loaded.catalogue().clone()), ..MapLoadOptions::default() };
        let alone = folder.write("in/sub/a.ron", &map_text("no.ron"));
        assert_eq!(Map::load_with(&alone, &given).unwrap().layers(), loaded.layers());
        assert_eq!(Map::from_ron_with(&text, loaded.catalogue()).unwrap(), loaded);

        let error = Map::from_ron(&text).unwrap_err();
        assert!(matches!(error.kind, MapErrorKind::NoFolder { .. }), "{error}");
        assert_eq!((error.line, error.column), (3, 16));
        assert!(error.to_string().contains("`Map::from_ron_with`"), "{error}");
    }

    #[test]
    fn a_level_of_an_editor_is_refused_with_the_crate_that_reads_it() {
        let message = Map::load("rooms/Cave.LDtk").unwrap_err().to_string();
        assert!(message.starts_with("rooms/Cave.LDtk: ") && message.contains("`surefoot_import::load`"), "{message}");
    }

    #[test]
    fn a_catalogue_outside_the_maps_folder_is_refused() {
        let folder = Folder::new("outside");
        let secret = folder.write("tiles.ron", PATTERNS);
        let absolute = secret.to_str().unwrap();
        for path in ["../tiles.ron", "sub/../../tiles.ron", "sub/../tiles.ron", absolute, "", ".", "sub/", "sub//a.ron"]
            .iter()
            .chain(&["C:/tiles.ron", "C:tiles.ron", "//host/share/tiles.ron", "..\\\\\\\\tiles.ron", "\\\\u{0}"])
        {
            let path = path.replace("\\\\", "\\");
            let file = folder.write("in/a.ron", &map_text(&path));
            let error = Map::load(&file).unwrap_err();
            let MapLoadError::Map(MapError { line: 2, column: 14, kind, .. }) = &error else {
                panic!("{path}: {error}")
            };
            assert!(matches!(kind, MapErrorKind::Parts(MapPartsError::CataloguePath(_))), "{path}: {error}");
        }
        let file = folder.write("in/a.ron", &map_text("no.ron"));
        let error = Map::load(&file).unwrap_err();
        assert!(matches!(error, MapLoadError::Catalogue { line: 2, column: 14, .. }), "{error}");
        let message = error.to_string();
        assert!(message.starts_with(&format!("{}:2:14: cannot load the catalogue: ", file.display())), "{message}");
        assert!(
            message.contains("no.ron: ") && message.ends_with("expected a catalogue of tile patterns"),
            "{message}"
        );
        folder.write("in/no.ron", "Catalogue(format: 1, patterns: 7)");
        let message = Map::load(&file).unwrap_err().to_string();
        assert!(
            message.contains(":2:14: cannot load the catalogue: ") && message.contains("no.ron:1:32: "),
            "{message}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_refused() {
        use std::os::unix::fs::symlink;
        let folder = Folder::new("link");
        let secret = folder.write("tiles.ron", PATTERNS);
        folder.write("in/sub/tiles.ron", PATTERNS);
        symlink(&secret, folder.0.join("in/out.ron")).unwrap();
        symlink(&folder.0, folder.0.join("in/up")).unwrap();
        symlink("sub/tiles.ron", folder.0.join("in/fine.ron")).unwrap();
        for (path, is_fine) in [("out.ron", false), ("up/tiles.ron", false), ("fine.ron", true)] {
            match Map::load(folder.write("in/a.ron", &map_text(path))) {
                Ok(_) => assert!(is_fine, "{path}"),
                Err(MapLoadError::Map(MapError { line: 2, column: 14, kind, .. })) => {
                    assert!(!is_fine && matches!(kind, MapErrorKind::CatalogueOutside { .. }), "{path}: {kind}");
                }
                Err(error) => panic!("{path}: {error}"),
            }
        }
        // The map's own folder may be a link.
        symlink(folder.0.join("in"), folder.0.join("door")).unwrap();
        assert!(Map::load(folder.0.join("door/a.ron")).is_ok());
    }

    #[test]
    fn errors_of_limits_name_the_limit_and_the_size() {
        let folder = Folder::new("limits");
        let text = r#"Map(format: 1, legend: {'x': "stud"}, markers: {"a": [(0, 0), (1, 0)]}, properties: {"b": [1, [2]]},
            layers: [(name: "a", tiles: ["x@"]), (name: "b", tiles: [".."])])"#;
        let file = folder.write("in/a.ron", text);
        let load = |limits: MapLimits| Map::load_with(&file, &MapLoadOptions { limits, catalogue: None });
        let all = MapLimits::default();
        let exact = MapLimits { bytes: text.len() as u64, cells: 2, layers: 2, kinds: 27, markers: 3, values: 4 };
        assert!(load(exact).is_ok(), "{:?}", load(exact));
        let largest = usize::MAX;
        let above = MapLimits {
            bytes: u64::MAX,
            cells: u64::MAX,
            layers: largest,
            kinds: largest,
            markers: largest,
            values: largest,
        };
        assert!(load(above).is_ok());
        for (limits, words) in [
            (
                MapLimits { bytes: 100, ..all },
                format!("the file is too large: {} bytes; expected at most 100", text.len()),
            ),
            (MapLimits { cells: 1, ..all }, "2 x 1 cells; expected 1 to 1".to_owned()),
            (MapLimits { layers: 1, ..all }, "the map has 2 tile layers; expected at most 1".to_owned()),
            (MapLimits { kinds: 26, ..all }, "the legend has 27 entries; expected at most 26".to_owned()),
            (
                MapLimits { markers: 2, ..all },
                "the map has 3 markers in its rows and in `markers`; expected at most 2".to_owned(),
            ),
            (MapLimits { values: 3, ..all }, "the map has 4 property values; expected at most 3".to_owned()),
        ] {
            let message = load(limits).unwrap_err().to_string();
            assert!(message.ends_with(&words), "{message}; expected {words}");
        }
    }
}

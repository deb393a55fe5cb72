//! Files that a level names: only in the folder of its project, and of limited size. They are on the disk or in memory.

use crate::Options;
use crate::error::{ImportError, ImportProblem};
use crate::names::OwnNames;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use surefoot::Map;
use surefoot::catalogue::Catalogue;
use surefoot::io::{MAX_CATALOGUE_SIZE, MapLoadError, MapLoadOptions, ReadError, read_expected, read_text_from};
use surefoot::map::{MapErrorKind, MapLimits};

/// Files in memory by their paths, which have no root and no `.` or `..`.
pub(crate) type Memory = BTreeMap<PathBuf, Vec<u8>>;

/// Reads the files that a level needs.
pub(crate) struct Files<'a> {
    /// Folder of the level. Resolved.
    folder: PathBuf,
    /// Folder of the Tiled project, or of the level if there is no project. Resolved.
    root: PathBuf,
    /// File of the Tiled project, if there is one.
    project: Option<PathBuf>,
    /// The map of names that the caller passed.
    own: Option<Arc<OwnNames>>,
    /// Maps of names that levels name, by their paths: the levels of a file share them.
    of_levels: RefCell<BTreeMap<PathBuf, Arc<OwnNames>>>,
    options: &'a Options,
    /// The files that there are, if they are not on the disk.
    memory: Option<&'a Memory>,
    /// Files that were read.
    read: RefCell<BTreeSet<PathBuf>>,
}

impl<'a> Files<'a> {
    /// Returns the files in the folder of the project of `level` and below it.
    ///
    /// # Errors
    /// Returns [`ImportError`] for a mistake in the map of names.
    pub(crate) fn on_disk(level: &Path, options: &'a Options) -> Result<Files<'a>, ImportError> {
        let folder = level.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // If the folder cannot be resolved, reading the level itself fails and gives the reason.
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let project = folder.ancestors().find_map(find_project_file);
        let root = project.as_ref().and_then(|project| project.parent()).unwrap_or(&folder).to_owned();
        Files::new(folder, root, project, options, None)
    }

    /// Returns the files in memory, of which `level` is one.
    ///
    /// # Errors
    /// Returns [`ImportError`] for a mistake in the map of names.
    pub(crate) fn in_memory(level: &Path, memory: &'a Memory, options: &'a Options) -> Result<Files<'a>, ImportError> {
        let folder = level.parent().unwrap_or(Path::new("")).to_owned();
        let in_folder = |folder| memory.keys().find(|path| is_project_file(path) && path.parent() == Some(folder));
        let project = folder.ancestors().find_map(in_folder).cloned();
        Files::new(folder, PathBuf::new(), project, options, Some(memory))
    }

    fn new(
        folder: PathBuf,
        root: PathBuf,
        project: Option<PathBuf>,
        options: &'a Options,
        memory: Option<&'a Memory>,
    ) -> Result<Files<'a>, ImportError> {
        let own = options.names.as_ref().map(|names| OwnNames::new(Path::new(""), names)).transpose()?;
        let (of_levels, read) = Default::default();
        Ok(Files { folder, root, project, own: own.map(Arc::new), of_levels, options, memory, read })
    }

    /// Returns the map of names of a level: the one that the caller passed, else the file `named` that the level names.
    ///
    /// # Errors
    /// Returns [`ImportError`] if the file cannot be loaded, is outside the folder, or has a mistake.
    pub(crate) fn load_map_of_names(
        &self,
        level: &Path,
        place: &str,
        named: Option<&str>,
    ) -> Result<Option<Arc<OwnNames>>, ImportError> {
        let (None, Some(named)) = (&self.own, named) else { return Ok(self.own.clone()) };
        let path = self.resolve_file(level, place, named)?;
        if let Some(known) = self.of_levels.borrow().get(&path) {
            return Ok(Some(known.clone()));
        }
        let mut parts = self.load_map(&path)?.into_parts();
        // In the map of names, the path of the catalogue is relative to that map. In the imported map, it is relative
        // to the level.
        parts.catalogue_file = parts.catalogue_file.and_then(|named| self.path_from_level(&path.with_file_name(named)));
        let wrong = |source| ImportError::new(&path, "", ImportProblem::Map { source });
        let own = Arc::new(OwnNames::new(&path, &Map::from_parts(parts).map_err(wrong)?)?);
        self.of_levels.borrow_mut().insert(path, own.clone());
        Ok(Some(own))
    }

    /// Returns the names of the map of names that the caller passed by which nothing was found.
    pub(crate) fn unused_names(&self) -> Vec<String> {
        self.own.iter().flat_map(|own| own.names.unused()).map(str::to_owned).collect()
    }

    /// Loads a map in RON.
    ///
    /// # Errors
    /// Returns [`ImportError`] if the map cannot be loaded.
    pub(crate) fn load_map(&self, path: &Path) -> Result<Map, ImportError> {
        let Some(memory) = self.memory else {
            let limits = MapLimits { bytes: self.options.max_file_size, ..MapLimits::default() };
            let load = MapLoadOptions { limits, ..MapLoadOptions::default() };
            self.read.borrow_mut().insert(path.to_owned());
            let map =
                Map::load_with(path, &load).map_err(|error| ImportError::new(path, "", ImportProblem::Ron(error)))?;
            self.read.borrow_mut().extend(map.catalogue_file().map(|named| path.with_file_name(named)));
            return Ok(map);
        };
        self.load_map_in_memory(path, memory)
    }

    fn load_map_in_memory(&self, path: &Path, memory: &Memory) -> Result<Map, ImportError> {
        let text = self.read_text(path)?;
        let refuse = |error| ImportError::new(path, "", ImportProblem::Ron(error));
        let mistake = match Map::from_ron(&text) {
            Ok(map) => return Ok(map),
            Err(mistake) => mistake,
        };
        let MapErrorKind::NoFolder { path: named } = &mistake.kind else {
            return Err(refuse(MapLoadError::Map(mistake.in_file(path.display().to_string()))));
        };
        let (line, column) = (mistake.line, mistake.column);
        let file = self.resolve_file(path, "", named)?;
        self.read.borrow_mut().insert(file.clone());
        let catalogue = read_in_memory(memory, &file, MAX_CATALOGUE_SIZE)
            .map_err(|source| ImportError::new(&file, "", ImportProblem::Read { source }))?;
        let catalogue = Catalogue::from_ron(&catalogue).map_err(|errors| {
            let source = errors.in_file(&file.display().to_string()).into();
            refuse(MapLoadError::Catalogue { path: path.to_owned(), line, column, source })
        })?;
        let map = Map::from_ron_with(&text, &Arc::new(catalogue));
        map.map_err(|error| refuse(MapLoadError::Map(error.in_file(path.display().to_string()))))
    }

    /// Reads a text file.
    ///
    /// # Errors
    /// Returns [`ImportError`] if the file cannot be read, is larger than the limit, or is not UTF-8.
    pub(crate) fn read_text(&self, path: &Path) -> Result<String, ImportError> {
        self.read.borrow_mut().insert(path.to_owned());
        let limit = self.options.max_file_size;
        let text = match self.memory {
            None => read_expected(path, limit, "a file of Tiled or LDtk"),
            Some(memory) => read_in_memory(memory, path, limit),
        };
        let mut text = text.map_err(|source| ImportError::new(path, "", ImportProblem::Read { source }))?;
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        Ok(text)
    }

    /// Returns the file of the Tiled project, if there is one.
    pub(crate) fn project_path(&self) -> Option<PathBuf> {
        self.project.clone()
    }

    /// Returns the options of the import.
    pub(crate) fn options(&self) -> &Options {
        self.options
    }

    /// Returns the path of a file from the folder of the level. `None` if the file is not in that folder or below it.
    fn path_from_level(&self, file: &Path) -> Option<String> {
        let file = if self.memory.is_some() { file.to_owned() } else { file.canonicalize().ok()? };
        let parts = file.strip_prefix(&self.folder).ok()?.iter().map(|part| part.to_str());
        parts.collect::<Option<Vec<_>>>().map(|parts| parts.join("/"))
    }

    /// Returns one path for all paths of a file.
    pub(crate) fn real_path(&self, path: PathBuf) -> PathBuf {
        // Paths in memory have one form only.
        if self.memory.is_some() { path } else { path.canonicalize().unwrap_or(path) }
    }

    /// Returns the files that were read so far.
    pub(crate) fn files_read(&self) -> Vec<PathBuf> {
        self.read.borrow().iter().cloned().collect()
    }

    /// Returns the path of a file that the file `from` names.
    ///
    /// # Errors
    /// Returns [`ImportError`] if the file does not exist, or is outside the folder of the project and
    /// [`Options::outside_files`] is not set.
    pub(crate) fn resolve_file(&self, from: &Path, place: &str, named: &str) -> Result<PathBuf, ImportError> {
        let folder = from.parent().unwrap_or(Path::new(""));
        let path = folder.join(named);
        if self.memory.is_some() {
            let outside = || ImportError::new(from, place, ImportProblem::Outside { named: named.to_owned() });
            return resolve_dots_in_folder(&path).ok_or_else(outside);
        }
        if self.options.outside_files {
            return Ok(path);
        }
        let outside = || ImportError::new(from, place, ImportProblem::Outside { named: named.to_owned() });
        // An absolute path or a network share is refused before anything is opened.
        if Path::new(named).components().any(|part| matches!(part, Component::Prefix(_) | Component::RootDir)) {
            return Err(outside());
        }
        // Compare the real paths: `..` and links may lead out of the folder, and back into it.
        match path.canonicalize() {
            Ok(real) if real.starts_with(&self.root) => Ok(path),
            Ok(_) => Err(outside()),
            Err(source) => {
                let expected = "a file that the level names";
                let source = surefoot::io::ReadError::Io { path, expected, source };
                Err(ImportError::new(from, place, ImportProblem::Read { source }))
            }
        }
    }
}

/// Reads a text file in memory.
fn read_in_memory(memory: &Memory, path: &Path, limit: u64) -> Result<String, ReadError> {
    let missing = || ReadError::Io {
        path: path.to_owned(),
        expected: "a file that the level names",
        source: std::io::ErrorKind::NotFound.into(),
    };
    let bytes = memory.get(path).ok_or_else(missing)?;
    read_text_from(&**bytes, &path.display().to_string(), limit)
}

/// Returns a path without `.` and `..`. `None` if the path has a root, or leads out of the folder that it begins in.
fn resolve_dots_in_folder(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::Prefix(_) | Component::RootDir => return None,
        }
    }
    Some(plain)
}

/// Returns the project file of Tiled in a folder: of several ones, the first by name.
fn find_project_file(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| is_project_file(path)).min()
}

fn is_project_file(path: &Path) -> bool {
    path.extension().is_some_and(|found| found == "tiled-project")
}

//! Files that a level names: only in the folder of its project, and of limited size.

use crate::Options;
use crate::error::{ImportError, ImportProblem};
use crate::names::Names;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use surefoot::catalogue::Catalogue;
use surefoot::io::read_text;

/// Reads the files that a level needs.
pub(crate) struct Files<'a> {
    /// Folder of the Tiled project, or of the level if there is no project. Resolved.
    root: PathBuf,
    catalogue: Arc<Catalogue>,
    /// Names in the map of names.
    pub(crate) own: Option<Names>,
    options: &'a Options,
    /// Files that were read.
    read: RefCell<BTreeSet<PathBuf>>,
}

impl<'a> Files<'a> {
    /// Returns the files in the folder of the project of `level` and below it.
    ///
    /// # Errors
    /// Returns [`ImportError`] for a mistake in the map of names.
    pub(crate) fn of(level: &Path, options: &'a Options) -> Result<Files<'a>, ImportError> {
        let folder = level.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // If the folder cannot be resolved, reading the level itself fails and gives the reason.
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let root = folder.ancestors().find(|folder| is_project(folder)).unwrap_or(&folder).to_owned();
        let catalogue = options.names.as_ref().map_or_else(Catalogue::builtin, |names| names.catalogue().clone());
        let own = options.names.as_ref().map(Names::of_map).transpose()?;
        Ok(Files { root, catalogue, own, options, read: RefCell::default() })
    }

    /// Returns the catalogue of the levels: that of the map of names, or the built-in one.
    pub(crate) fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Reads a text file.
    ///
    /// # Errors
    /// Returns [`ImportError`] if the file cannot be read, is larger than the limit, or is not UTF-8.
    pub(crate) fn read(&self, path: &Path) -> Result<String, ImportError> {
        self.read.borrow_mut().insert(path.to_owned());
        let text = read_text(path, self.options.max_file_size);
        let mut text = text.map_err(|source| ImportError::new(path, "", ImportProblem::Read { source }))?;
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        Ok(text)
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
    pub(crate) fn resolve(&self, from: &Path, place: &str, named: &str) -> Result<PathBuf, ImportError> {
        let folder = from.parent().unwrap_or(Path::new(""));
        let path = folder.join(named);
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

/// Returns whether the folder has a project file of Tiled.
fn is_project(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| path.extension().is_some_and(|found| found == "tiled-project"))
}

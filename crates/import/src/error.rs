//! Errors of an import: each names the file, and the place in it.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use surefoot::io::{MapLoadError, ReadError};
use surefoot::map::MapPartsError;
use thiserror::Error;

/// Error of an import. `Debug` shows the same text as `Display`, so a `main` that returns the error prints a readable
/// message.
pub struct ImportError {
    /// File with the mistake.
    pub path: PathBuf,
    /// Line and column in the file, in characters from 1, if they are known.
    pub position: Option<(u32, u32)>,
    /// Part of the level, such as `layer "Ground"` or `object 7 of layer "things"`. Empty for the whole file.
    pub place: String,
    /// The mistake.
    pub problem: Box<ImportProblem>,
}

/// Mistake in a file that is imported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportProblem {
    /// The file cannot be read.
    #[error("{source}")]
    Read {
        /// Reason why it cannot be read.
        source: ReadError,
    },
    /// The extension of the file is not one of an editor.
    #[error("unknown kind of file; expected a name that ends in .tmx, .tmj, .json, .ldtk or .ron")]
    Extension,
    /// The file is not well-formed XML or JSON, or a value in JSON has the wrong type.
    #[error("not {expected}: {message}")]
    Syntax {
        /// Description of the mistake.
        message: String,
        /// Expected kind of file.
        expected: &'static str,
    },
    /// A value is missing or wrong.
    #[error("{problem}; expected {expected}")]
    Value {
        /// Description of the wrong value.
        problem: String,
        /// Expected value.
        expected: String,
    },
    /// The file was made by a version of the editor that this crate cannot read.
    #[error("made by {editor} {version}; expected version {expected}")]
    Version {
        /// Name of the editor.
        editor: &'static str,
        /// Version in the file.
        version: String,
        /// Versions that can be read.
        expected: &'static str,
    },
    /// A file outside the folder of the level is needed.
    #[error(
        "the file {named:?} is outside the folder of the level and of its project; move the file into one of these folders, or, for files on a disk, set `Options::outside_files`"
    )]
    Outside {
        /// Path as written in the level.
        named: String,
    },
    /// Templates refer to each other in a cycle.
    #[error("the template refers to itself; expected templates without a cycle")]
    TemplateCycle,
    /// The file has several levels, and none or an unknown one was asked for.
    #[error("{}", wrong_level_message(wanted.as_deref(), names))]
    Levels {
        /// Name that was asked for.
        wanted: Option<String>,
        /// Names of all levels in the file.
        names: Vec<String>,
    },
    /// The level has no object, and no tile that the import understands.
    #[error(
        "no tile of the level can be converted; give a tile a name or a collision shape, or its layer a default tile (see docs/guide/editors.md); left out: {}",
        left_out.join("; ")
    )]
    NothingKnown {
        /// The first tiles, layers and objects that are left out.
        left_out: Vec<String>,
    },
    /// The property `import` of a legend entry is not a list of texts.
    #[error("the property `import` of a legend entry is not a list of texts; expected a list such as [\"walls\"]")]
    NamesNotTexts,
    /// A name stands in two legend entries of a map of names.
    #[error("the name {name:?} is in two legend entries; expected each name once")]
    NameTwice {
        /// The name.
        name: String,
    },
    /// The level is read, but is not a valid map.
    #[error("the level is not a valid map: {source}")]
    Map {
        /// Reason.
        source: MapPartsError,
    },
    /// A map in RON cannot be loaded. The error names the file.
    #[error(transparent)]
    Ron(MapLoadError),
}

fn wrong_level_message(wanted: Option<&str>, names: &[String]) -> String {
    let names = names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    match wanted {
        Some(wanted) => format!("no level is named {wanted:?}; expected one of {names}"),
        None if names.is_empty() => "the file has no level; expected at least one".to_owned(),
        None => {
            format!("the file has several levels; name one of them, as `Options::level` or with `--level`: {names}")
        }
    }
}

impl ImportError {
    /// Returns the path of the file that does not exist, if that is the mistake.
    #[must_use]
    pub fn missing_file(&self) -> Option<&Path> {
        match &*self.problem {
            ImportProblem::Read { source: ReadError::Io { path, source, .. } }
                if source.kind() == ErrorKind::NotFound =>
            {
                Some(path)
            }
            _ => None,
        }
    }

    /// Creates an error for the part `place` of the file `path`.
    pub(crate) fn new(path: &Path, place: impl Into<String>, problem: ImportProblem) -> ImportError {
        ImportError { path: path.to_owned(), position: None, place: place.into(), problem: Box::new(problem) }
    }

    /// Creates an error for a wrong value.
    pub(crate) fn wrong_value(
        path: &Path,
        place: impl Into<String>,
        problem: impl Into<String>,
        expected: impl Into<String>,
    ) -> ImportError {
        let problem = ImportProblem::Value { problem: problem.into(), expected: expected.into() };
        ImportError::new(path, place, problem)
    }

    /// Creates an error for a map of names.
    pub(crate) fn in_map_of_names(problem: ImportProblem) -> ImportError {
        ImportError::new(Path::new(""), "the map of names", problem)
    }

    pub(crate) fn at_line(self, line: u32, column: u32) -> ImportError {
        ImportError { position: Some((line, column)), ..self }
    }
}

impl fmt::Debug for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The texts of these errors begin with the path of the file that could not be loaded. So print no path before
        // them, except if `place` is set: then `path` and `place` tell where another file names that file.
        if matches!(*self.problem, ImportProblem::Ron(_) | ImportProblem::Read { .. }) && self.place.is_empty() {
            return self.problem.fmt(f);
        }
        if !self.path.as_os_str().is_empty() {
            write!(f, "{}:", self.path.display())?;
            if let Some((line, column)) = self.position {
                write!(f, "{line}:{column}:")?;
            }
            f.write_str(" ")?;
        }
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.problem {
            ImportProblem::Read { source } => Some(source),
            ImportProblem::Map { source } => Some(source),
            ImportProblem::Ron(source) => Some(source),
            _ => None,
        }
    }
}

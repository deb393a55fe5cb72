use std::fmt;
use std::path::{Path, PathBuf};
use surefoot::catalogue::VariantNameError;
use surefoot::io::ReadError;
use thiserror::Error;

/// An error of reading the art of a map.
#[derive(Error)]
pub struct ArtError {
    /// The file with the mistake.
    path: PathBuf,
    /// Field or tile in the file. Empty if the mistake is not in one of them.
    place: String,
    #[source]
    problem: Box<ArtProblem>,
}

/// A mistake in the art of a map.
#[derive(Error)]
#[non_exhaustive]
pub enum ArtProblem {
    /// A file cannot be read. The error names the file.
    #[error(transparent)]
    Read(ReadError),
    /// The property `art` of the map has a value that is not a text, such as a number.
    #[error("the property `art` is not a text; expected the name of an art file")]
    NoText,
    /// The file is not in the folder of the file that names it.
    #[error(
        "the file {named:?} is not in the folder of this file or below it; expected a path such as \"cave.art.ron\""
    )]
    Outside {
        /// Path as written.
        named: String,
    },
    /// The art file has a syntax error or a wrong field.
    #[error("{}", source.code)]
    Text {
        /// Line and column, and what is wrong there.
        #[source]
        source: Box<ron::error::SpannedError>,
    },
    /// The picture is not a PNG, or has too many pixels.
    #[error("the picture is not a PNG of at most 8192 x 8192 pixels")]
    NoPng,
    /// A value of the art file is out of its range.
    #[error("{problem}; expected {expected}")]
    Value {
        /// The wrong value, or what is wrong with it.
        problem: String,
        /// Values that are allowed.
        expected: String,
    },
    /// A key of the art file names no tile, no symbol and no area.
    #[error("{error}; a key is one symbol of the map, the name of a tile, or `area` with the tag of an area")]
    Key {
        /// Reason why the key does not name a tile.
        error: VariantNameError,
    },
}

impl ArtError {
    pub(super) fn new(path: &Path, place: &str, problem: ArtProblem) -> ArtError {
        ArtError { path: path.to_owned(), place: place.to_owned(), problem: Box::new(problem) }
    }

    /// Returns the mistake.
    #[must_use]
    pub fn problem(&self) -> &ArtProblem {
        &self.problem
    }
}

impl From<ReadError> for ArtError {
    fn from(error: ReadError) -> ArtError {
        ArtError::new(Path::new(""), "", ArtProblem::Read(error))
    }
}

impl fmt::Display for ArtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let ArtProblem::Read(error) = &*self.problem {
            return error.fmt(f);
        }
        write!(f, "{}:", self.path.display())?;
        if let ArtProblem::Text { source } = &*self.problem {
            write!(f, "{}:", source.span.start)?;
        }
        if !self.place.is_empty() {
            write!(f, " {:?}:", self.place)?;
        }
        write!(f, " {}", self.problem)
    }
}

surefoot::geometry::debug_is_display!(ArtError, ArtProblem);

//! Checks of files, through [`crate::io`].

use super::{Report, check};
use crate::io::{MAX_FILE_SIZE, ReadError, read_expected};
use crate::map::Map;
use std::path::Path;

/// The text of a file, with the report on it.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedFile {
    /// The text of the file.
    pub text: String,
    /// The mistakes in the text. The diagnostics name the file.
    pub report: Report,
}

/// Checks a file of at most [`MAX_FILE_SIZE`] bytes: a map, a catalogue or a replay. Its content says which of the
/// three it is.
///
/// A catalogue or a map that the file names is loaded too. If that file is invalid, the report has one mistake for
/// it.
///
/// # Errors
/// Returns [`ReadError`] if the file cannot be read or is not UTF-8.
pub fn file(path: impl AsRef<Path>) -> Result<CheckedFile, ReadError> {
    let path = path.as_ref();
    let text = read_expected(path, MAX_FILE_SIZE, "a map, a catalogue or a replay")?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let report = check(&text, None, Some(&mut |map| Map::load(folder.join(map))), Some(path));
    let report = report.in_file(&path.display().to_string());
    Ok(CheckedFile { text, report })
}

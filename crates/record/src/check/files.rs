//! Checks of files, through [`crate::io`].

use super::{Report, check_text};
use crate::map::Map;
use crate::tiles::io::{MAX_FILE_SIZE, ReadError, read_expected};
use std::path::Path;

/// A checked file: its text, and the mistakes found in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedFile {
    /// The text of the file.
    pub text: String,
    /// The mistakes in the text. Each one has the name of the file.
    pub report: Report,
}

/// Returns all mistakes in a file: a map, a catalogue or a replay. The content of the file shows which of the three it
/// is.
///
/// If the file names a catalogue file or a map file, that file is loaded too. If the named file is invalid, the
/// report has a single mistake that says so.
///
/// # Errors
/// Returns [`ReadError`] if the file cannot be read, is larger than [`MAX_FILE_SIZE`], or is not UTF-8.
pub fn file(path: impl AsRef<Path>) -> Result<CheckedFile, ReadError> {
    check_path(path.as_ref())
}

/// [`file`], compiled once for all types of paths.
fn check_path(path: &Path) -> Result<CheckedFile, ReadError> {
    let text = read_expected(path, MAX_FILE_SIZE, "a map, a catalogue or a replay")?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let report = check_text(&text, None, Some(&mut |map| Map::load(folder.join(map))), Some(path));
    let report = report.in_file(&path.display().to_string());
    Ok(CheckedFile { text, report })
}

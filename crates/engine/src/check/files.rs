//! Checks of files, through [`crate::io`].

use super::{Report, check};
use crate::io::{MAX_FILE_SIZE, ReadError, read_expected};
use crate::map::Map;
use std::path::Path;

/// A file's text with what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedFile {
    /// The text.
    pub text: String,
    /// What is wrong with it; the diagnostics name the file.
    pub report: Report,
}

/// Checks a file of at most [`MAX_FILE_SIZE`] that is a map, a catalogue or a replay, which is told from its content.
///
/// The map that a replay names is read; if something is wrong with it, that is one mistake of the replay.
///
/// # Errors
/// [`ReadError`] for a file that gives no text.
pub fn file(path: impl AsRef<Path>) -> Result<CheckedFile, ReadError> {
    let path = path.as_ref();
    let text = read_expected(path, MAX_FILE_SIZE, "a map, a catalogue or a replay")?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let report = check(&text, None, Some(&mut |map| Map::load(folder.join(map))), Some(path));
    let report = report.in_file(&path.display().to_string());
    Ok(CheckedFile { text, report })
}

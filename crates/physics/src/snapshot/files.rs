use super::{Snapshot, SnapshotError, SnapshotLoadError};
use crate::tiles::io::{MAX_FILE_SIZE, WriteError, read_bytes, write_atomic};
use std::path::Path;

impl Snapshot {
    /// Writes the snapshot to a file. The file is written completely or not at all: an existing file stays until the
    /// new file is complete.
    ///
    /// # Errors
    /// Returns [`WriteError`] if the file cannot be written. No partial file is left behind, and an existing file keeps
    /// its content.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), WriteError> {
        write_atomic(path, &self.to_bytes())
    }

    /// Reads a snapshot from a file of at most [`MAX_FILE_SIZE`] bytes, written by [`Snapshot::save`] or as the RON
    /// text of [`Snapshot::to_ron`].
    ///
    /// # Errors
    /// Returns [`SnapshotLoadError`], with the name of the file, if the file cannot be read or is not a valid snapshot.
    pub fn load(path: impl AsRef<Path>) -> Result<Snapshot, SnapshotLoadError> {
        let path = path.as_ref();
        let bytes = read_bytes(path, MAX_FILE_SIZE, "a snapshot")?;
        let wrong = |error: SnapshotError| SnapshotLoadError::Snapshot {
            file: path.display().to_string(),
            error: Box::new(error),
        };
        match std::str::from_utf8(&bytes) {
            Ok(text) if !bytes.starts_with(b"surefoot") => Snapshot::from_ron(text).map_err(wrong),
            _ => Snapshot::from_bytes(&bytes).map_err(wrong),
        }
    }
}

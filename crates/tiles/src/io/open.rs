use super::ReadError;
use std::fs::File;
use std::path::Path;

/// Opens a file of at most `limit` bytes. Returns the file and its size, or 0 for a file without a size, such as a
/// pipe. `expected` describes the file in the error.
pub fn open_limited(path: &Path, limit: u64, expected: &'static str) -> Result<(File, u64), ReadError> {
    let io = |source| ReadError::Io { path: path.to_owned(), expected, source };
    let file = File::open(path).map_err(io)?;
    let size = file.metadata().map_err(io)?.len();
    if size > limit { Err(ReadError::TooLarge { path: path.to_owned(), size, limit }) } else { Ok((file, size)) }
}

/// Creates a file for writing. Fails if the file exists, so that no data is overwritten.
pub fn create_new(path: &Path) -> std::io::Result<File> {
    File::options().write(true).create_new(true).open(path)
}

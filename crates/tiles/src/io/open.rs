use super::ReadError;
use std::fs::File;
use std::path::Path;

/// Opens a file of at most `limit` bytes; with how many it has, of what tells that. An error says what the file is
/// expected to be.
pub fn open_limited(path: &Path, limit: u64, expected: &'static str) -> Result<(File, u64), ReadError> {
    let io = |source| ReadError::Io { path: path.to_owned(), expected, source };
    let file = File::open(path).map_err(io)?;
    let size = file.metadata().map_err(io)?.len();
    if size > limit { Err(ReadError::TooLarge { path: path.to_owned(), size, limit }) } else { Ok((file, size)) }
}

/// Opens a file to write that is not there yet.
pub fn create_new(path: &Path) -> std::io::Result<File> {
    File::options().write(true).create_new(true).open(path)
}

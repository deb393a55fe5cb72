//! Reads and writes files: maps, catalogues and texts.

pub(crate) mod maps;
pub(crate) mod open;

pub use maps::{MapLoadError, MapLoadOptions};
use open::{create_new, open_limited};

use crate::catalogue::{Catalogue, CatalogueErrors};
use crate::text::line_and_column;
use crate::told::debug_is_display;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

pub use crate::text::MAX_FILE_SIZE;

/// Error of reading a text file.
#[derive(Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system cannot read the file.
    #[error("{}: {source}; expected {expected}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Words for the expected file in the error message, such as "a map file".
        expected: &'static str,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file has more bytes than the limit.
    #[error("{}: the file is too large: {size} bytes; expected at most {limit}", path.display())]
    TooLarge {
        /// Size of the file in bytes. If the size is not known: number of bytes read until the limit was exceeded.
        size: u64,
        /// Path of the file.
        path: PathBuf,
        /// Maximum size of the file in bytes.
        limit: u64,
    },
    /// The file is not UTF-8 text.
    #[error("{}:{line}:{column}: the file has a byte that is not UTF-8; expected UTF-8 text", path.display())]
    NotUtf8 {
        /// Path of the file.
        path: PathBuf,
        /// Line of the first byte that is not UTF-8, from 1.
        line: u32,
        /// Column of the first byte that is not UTF-8, in characters from 1.
        column: u32,
    },
}

/// Maximum size of a file that [`Catalogue::load`] reads, in bytes: 4 MiB.
pub const MAX_CATALOGUE_SIZE: u64 = 4 << 20;

/// Error of [`Catalogue::load`].
#[derive(Error)]
#[non_exhaustive]
pub enum CatalogueLoadError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The text of the file is not a valid catalogue (set of tile shapes).
    #[error(transparent)]
    Catalogue(#[from] CatalogueErrors),
}

impl Catalogue {
    /// Loads a catalogue (tile shapes) from a RON file of at most [`MAX_CATALOGUE_SIZE`] bytes.
    ///
    /// # Errors
    /// Returns [`CatalogueLoadError`] with the name of the file, if the file cannot be read or is not a valid
    /// catalogue.
    pub fn load(path: impl AsRef<Path>) -> Result<Catalogue, CatalogueLoadError> {
        Catalogue::load_path(path.as_ref())
    }

    /// [`Catalogue::load`], compiled once for all types of paths.
    fn load_path(path: &Path) -> Result<Catalogue, CatalogueLoadError> {
        let text = read_expected(path, MAX_CATALOGUE_SIZE, "a catalogue of tile patterns")?;
        let catalogue = Catalogue::from_ron(&text);
        Ok(catalogue.map_err(|errors| errors.in_file(&path.display().to_string()))?)
    }
}

/// Error of writing a file.
#[derive(Error)]
#[error("{}: {source}", path.display())]
pub struct WriteError {
    /// Path of the file.
    pub path: PathBuf,
    /// The error of the operating system.
    pub source: std::io::Error,
}

debug_is_display!(ReadError, CatalogueLoadError, WriteError);

/// Reads a text file of at most `limit` bytes.
///
/// # Errors
/// Returns [`ReadError`] if the file cannot be read, is larger than `limit`, or is not UTF-8. At most `limit` + 1 bytes
/// are read.
pub fn read_text(path: impl AsRef<Path>, limit: u64) -> Result<String, ReadError> {
    read_expected(path.as_ref(), limit, "a text file")
}

/// Reads a text as [`read_text`] does. `expected` says in errors what the file should be.
#[doc(hidden)]
pub fn read_expected(path: &Path, limit: u64, expected: &'static str) -> Result<String, ReadError> {
    decode_utf8(path, read_bytes(path, limit, expected)?)
}

/// Reads a text of at most `limit` bytes from `source`, such as standard input. Errors show `name` in place of a file
/// path.
///
/// # Errors
/// Returns [`ReadError`] if `source` cannot be read, has more than `limit` bytes, or is not UTF-8.
pub fn read_text_from(source: impl Read, name: &str, limit: u64) -> Result<String, ReadError> {
    let path = Path::new(name);
    decode_utf8(path, read_up_to_limit(source, path, 0, limit, "a text")?)
}

fn decode_utf8(path: &Path, bytes: Vec<u8>) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|error| {
        let (good, _) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let (line, column) = line_and_column(good);
        ReadError::NotUtf8 { path: path.to_owned(), line, column }
    })
}

/// Reads bytes as [`read_text`] reads a text. `expected` says in errors what the file should be.
#[doc(hidden)]
pub fn read_bytes(path: &Path, limit: u64, expected: &'static str) -> Result<Vec<u8>, ReadError> {
    let (file, size) = open_limited(path, limit, expected)?;
    read_up_to_limit(file, path, size, limit, expected)
}

/// Reads to the end, of about that size.
fn read_up_to_limit(
    source: impl Read,
    path: &Path,
    size: u64,
    limit: u64,
    expected: &'static str,
) -> Result<Vec<u8>, ReadError> {
    // Read up to the limit whatever `size` says: a file can grow meanwhile, and a pipe has no size.
    let mut bytes = Vec::with_capacity(size as usize + 1);
    let read = source.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|source| ReadError::Io { path: path.to_owned(), expected, source })?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge { path: path.to_owned(), size: bytes.len() as u64, limit });
    }
    Ok(bytes)
}

/// Writes `bytes` to the file `path`, completely or not at all.
///
/// The function writes a temporary file in the same folder, then renames the temporary file to `path`. Until then, an
/// existing file at `path` keeps its old content.
///
/// If an earlier write to `path` was interrupted, its temporary file is removed. Temporary files of other writers that
/// are still running stay.
///
/// # Errors
/// Returns [`WriteError`] if the file cannot be written. The temporary file is then removed.
pub fn write_atomic(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), WriteError> {
    let path = path.as_ref();
    let failed = |source| WriteError { path: path.to_owned(), source };
    let name = path.file_name().ok_or_else(|| failed(std::io::ErrorKind::IsADirectory.into()))?;
    remove_leftover_temporary_files(path, name);
    let mut attempts = 0;
    loop {
        attempts += 1;
        match write_via_temporary_file(path, name, bytes) {
            // Try the next temporary file after two errors:
            // - NotFound: another writer removed the file before it was locked, because the file looked like a leftover
            //   of an interrupted write.
            // - AlreadyExists: an earlier process with the same id left the file, on a system without locks.
            Err(error)
                if attempts < MAX_ATTEMPTS
                    && matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::AlreadyExists) => {}
            written => return written.map_err(failed),
        }
    }
}

/// Maximum number of temporary files that a write tries before it fails.
const MAX_ATTEMPTS: u32 = 100;

/// Writes a temporary file next to `path`, and gives it that name.
fn write_via_temporary_file(path: &Path, name: &OsStr, bytes: &[u8]) -> std::io::Result<()> {
    // Process id and number make the name unique, so that several writers of one file do not disturb each other.
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let mut temporary = temporary_prefix(name);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    temporary.push(format!("{}.{number}.tmp", std::process::id()));
    let temporary = path.with_file_name(temporary);
    write_and_rename(create_new(&temporary)?, &temporary, path, bytes)
}

/// Fills a new temporary file, and gives it the name `path`.
fn write_and_rename(mut file: File, temporary: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // A lock keeps other writers from removing the file. Ignore failure: without locks, no writer removes files either.
    let _ = file.try_lock();
    let mut write = || {
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(temporary, path)
    };
    write().inspect_err(|_| {
        let _ = std::fs::remove_file(temporary);
    })
}

/// Returns the start of the names of a file's temporary files.
fn temporary_prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    prefix
}

/// Removes the temporary files of `path` that no writer has locked. Ignores failures: a leftover file does no harm.
fn remove_leftover_temporary_files(path: &Path, name: &OsStr) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let prefix = temporary_prefix(name);
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_ours = |name: &OsStr| {
            let middle = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
            let middle = middle.and_then(|rest| rest.strip_suffix(b".tmp"));
            // Between prefix and `.tmp` are the process id and the number of the write.
            let numbers = middle.and_then(|middle| std::str::from_utf8(middle).ok()?.split_once('.'));
            let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
        };
        // This is the type of the entry itself: a link is not followed.
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || !is_ours(&entry.file_name()) {
            continue;
        }
        let Ok(file) = File::options().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Map, MapError, MapErrorKind};

    /// A file of that content, gone when it is dropped.
    struct Temporary(PathBuf);

    impl Temporary {
        fn new(name: &str, content: &[u8]) -> Temporary {
            let path = std::env::temp_dir().join(format!("surefoot-io-{}-{name}", std::process::id()));
            std::fs::write(&path, content).unwrap();
            Temporary(path)
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[test]
    fn a_file_at_the_limit_is_read_and_one_above_is_not() {
        let file = Temporary::new("limit", b"12345");
        assert_eq!(read_text(&file.0, 5).unwrap(), "12345");
        assert!(matches!(read_text(&file.0, 4), Err(ReadError::TooLarge { limit: 4, .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_large_file_is_refused_unread_and_an_endless_one_at_the_limit() {
        // This sparse file is a gigabyte long, but takes no room on the disk.
        let file = Temporary::new("sparse", b"");
        File::options().write(true).open(&file.0).unwrap().set_len(1 << 30).unwrap();
        let error = Map::load(&file.0).unwrap_err();
        let MapLoadError::Read(ReadError::TooLarge { size: 0x4000_0000, limit: MAX_FILE_SIZE, .. }) = error else {
            panic!("{error}")
        };
        let error = read_text("/dev/zero", 1000).unwrap_err();
        assert!(matches!(error, ReadError::TooLarge { size: 1001, limit: 1000, .. }), "{error}");
        let words = "/dev/zero: the file is too large: 1001 bytes; expected at most 1000";
        assert_eq!(error.to_string(), words);
    }

    #[test]
    fn errors_in_utf8_name_line_and_column() {
        let file = Temporary::new("utf8", b"one\nz\xc3\xbcrich\xff\n");
        let error = read_text(&file.0, 100).unwrap_err();
        assert!(matches!(error, ReadError::NotUtf8 { line: 2, column: 7, .. }), "{error}");
    }

    #[test]
    fn errors_name_the_file() {
        let file = Temporary::new("bad.ron", b"Map(format: 1,\n  tiles: [\"q\"])");
        let error = Map::load(&file.0).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{}:2:12: unknown symbol 'q'", file.0.display())), "{error}");
        assert!(matches!(error, MapLoadError::Map(MapError { kind: MapErrorKind::UnknownSymbol { .. }, .. })));

        let error = Map::load("no/such/map.ron").unwrap_err();
        assert!(matches!(error, MapLoadError::Read(ReadError::Io { .. })));
        let message = error.to_string();
        assert!(message.starts_with("no/such/map.ron: ") && message.ends_with("; expected a map file"), "{message}");
        assert!(std::error::Error::source(&error).is_some_and(|source| source.is::<std::io::Error>()));
    }

    /// A temporary folder, deleted on drop.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("surefoot-io-{}-{name}", std::process::id()));
            std::fs::create_dir_all(path.join("sub")).unwrap();
            Folder(path)
        }

        fn file_names(&self) -> Vec<String> {
            let entries = std::fs::read_dir(&self.0).unwrap();
            let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
            names.sort_unstable();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn files_are_written_whole_or_not_at_all() {
        let folder = Folder::new("whole");
        let file = folder.0.join("a");
        write_atomic(&file, b"one").unwrap();
        write_atomic(&file, b"two").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"two");
        // A folder cannot be replaced by a file.
        std::fs::write(folder.0.join("sub/b"), b"").unwrap();
        let error = write_atomic(folder.0.join("sub"), b"three").unwrap_err();
        assert_eq!(error.path, folder.0.join("sub"));
        assert!(write_atomic(folder.0.join("none/a"), b"three").is_err());
        assert!(write_atomic(folder.0.join(".."), b"three").is_err());
        assert_eq!(folder.file_names(), ["a", "sub"]);
    }

    /// Writes to a device that is always full (`/dev/full`) as the temporary file.
    #[cfg(target_os = "linux")]
    #[test]
    fn on_a_full_disk_the_old_file_stays_and_no_temporary_file_remains() {
        let folder = Folder::new("full");
        let file = folder.0.join("a");
        write_atomic(&file, b"one").unwrap();
        let temporary = folder.0.join(".a.1.1.tmp");
        std::os::unix::fs::symlink("/dev/full", &temporary).unwrap();
        let full = File::options().write(true).open(&temporary).unwrap();
        let error = write_and_rename(full, &temporary, &file, b"two").unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
        assert_eq!(std::fs::read(&file).unwrap(), b"one");
        assert_eq!(folder.file_names(), ["a", "sub"]);
    }
}

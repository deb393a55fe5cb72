//! Files that a map or an art file names: in its folder or below it.

use super::error::{ArtError, ArtProblem};
use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};
use surefoot::io::{ReadError, read_bytes};

/// Where the files are.
pub(super) enum Files<'a> {
    Disk,
    /// In memory, by their paths.
    Memory(&'a BTreeMap<PathBuf, Vec<u8>>),
}

impl Files<'_> {
    /// Reads the file of at most `limit` bytes that `file` names. Returns its path too.
    pub(super) fn read_named_file(
        &self,
        file: &Path,
        named: &str,
        limit: u64,
        expected: &'static str,
    ) -> Result<(PathBuf, Vec<u8>), ArtError> {
        let outside = || ArtError::new(file, "", ArtProblem::Outside { named: named.to_owned() });
        let is_inside = Path::new(named).components().all(|part| matches!(part, Component::Normal(_)));
        if named.is_empty() || named.contains('\\') || !is_inside {
            return Err(outside());
        }
        let folder = file.parent().unwrap_or(Path::new(""));
        match self {
            Files::Disk => {
                let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                let path = folder.join(named);
                // A link must not lead out of the folder. A file that does not exist is reported when it is read.
                if let (Ok(folder), Ok(real)) = (folder.canonicalize(), path.canonicalize())
                    && !real.starts_with(&folder)
                {
                    return Err(outside());
                }
                let bytes = read_bytes(&path, limit, expected)?;
                Ok((path, bytes))
            }
            Files::Memory(files) => {
                let path = folder.join(named);
                let Some(bytes) = files.get(&path) else {
                    let source = Error::new(ErrorKind::NotFound, "there is no such file in memory");
                    return Err(ReadError::Io { path, expected, source }.into());
                };
                let size = bytes.len() as u64;
                if size > limit {
                    return Err(ReadError::TooLarge { path, size, limit }.into());
                }
                Ok((path, bytes.clone()))
            }
        }
    }
}

//! Files on a disk.

use super::Storage;
use crate::error::PlayError;
use crate::files::path_below;
use crate::level::{self, Level};
use std::fs::symlink_metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::Map;
use surefoot::io::{MAX_FILE_SIZE, MapLoadError, ReadError, read_text, write_atomic};
use surefoot::replay::Replay;
use surefoot_draw::{Art, ArtError};
use surefoot_import::Options;

/// The files of a disk, of which the menu shows some.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    /// The files of the menu.
    pub(crate) listed: Vec<PathBuf>,
}

impl Storage for Disk {
    fn menu_files(&self) -> Vec<PathBuf> {
        self.listed.clone()
    }

    fn contains(&self, path: &Path) -> bool {
        // A broken link counts as an existing file, so that its name is not chosen for a new file.
        symlink_metadata(path).is_ok()
    }

    fn load_map(&self, path: &Path) -> Result<Map, MapLoadError> {
        Map::load(path)
    }

    fn load_level(&self, path: &Path, options: &Options) -> Result<Level, PlayError> {
        level::load(path, options)
    }

    fn load_text(&self, path: &Path) -> Result<String, ReadError> {
        read_text(path, MAX_FILE_SIZE)
    }

    fn load_replay(&self, path: &Path) -> Result<Replay, PlayError> {
        Ok(Replay::load(path)?)
    }

    fn load_art(&self, file: &Path, map: &Map) -> Result<Option<Arc<Art>>, ArtError> {
        Art::load(file, map).map(|art| art.map(Arc::new))
    }

    fn write(&mut self, path: &Path, text: &str) -> Result<(), PlayError> {
        Ok(write_atomic(path, text.as_bytes())?)
    }

    fn path_below(&self, folder: &Path, file: &Path) -> Option<String> {
        path_below(folder, file)
    }

    fn is_same_file(&self, one: &Path, other: &Path) -> bool {
        let real = |file: &Path| file.canonicalize().ok();
        one == other || (real(one).is_some() && real(one) == real(other))
    }
}

//! Files of maps and runs: on a disk, or in memory where there is none, as in a browser.

mod disk;
mod memory;

pub(crate) use disk::Disk;
pub(crate) use memory::Memory;

use crate::error::PlayError;
use crate::level::Level;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::Map;
use surefoot::io::{MAX_FILE_SIZE, MapLoadError, ReadError};
use surefoot::replay::Replay;
use surefoot_draw::{Art, ArtError};
use surefoot_import::Options;
use surefoot_link::Link;

/// Whether the program has a disk to watch and can start threads. As a constant, it keeps the import of editors' levels
/// and the search out of the page for browsers.
pub(crate) const HAS_SYSTEM: bool = !cfg!(target_arch = "wasm32");

/// Ending of the files of replays.
pub(crate) const REPLAY_ENDING: &str = ".replay.ron";

/// Reads and writes the files that a player chooses from and saves.
pub(crate) trait Storage: Debug {
    /// Returns the files of the menu.
    fn menu_files(&self) -> Vec<PathBuf>;

    /// Returns whether the file exists, or at least its name is taken.
    fn contains(&self, path: &Path) -> bool;

    /// Loads a map.
    fn load_map(&self, path: &Path) -> Result<Map, MapLoadError>;

    /// Loads a map, or a level of an editor.
    fn load_level(&self, path: &Path, options: &Options) -> Result<Level, PlayError>;

    /// Loads a text, such as the run of a game with rules of its own.
    fn load_text(&self, path: &Path) -> Result<String, ReadError>;

    /// Loads a replay, with the map that it names.
    fn load_replay(&self, path: &Path) -> Result<Replay, PlayError>;

    /// Loads the picture of the tiles, if the map names one. `file`: the file of the map.
    fn load_art(&self, file: &Path, map: &Map) -> Result<Option<Arc<Art>>, ArtError>;

    /// Writes a file completely or not at all. Replaces an existing file.
    fn write(&mut self, path: &Path, text: &str) -> Result<(), PlayError>;

    /// Returns the path of an existing file relative to a folder that contains it, with `/` between its parts.
    fn path_below(&self, folder: &Path, file: &Path) -> Option<String>;

    /// Returns whether the file is as it comes with the program. A link then needs only its name.
    fn is_shipped(&self, _path: &Path) -> bool {
        false
    }

    /// Returns whether the player has saved the file in memory, so that [`Storage::forget`] can remove it.
    fn can_forget(&self, _path: &Path) -> bool {
        false
    }

    /// Removes a file that the player has saved in memory. A file of this name that came with the program shows again.
    fn forget(&mut self, _path: &Path) {}

    /// Returns whether both paths lead to the same file.
    fn is_same_file(&self, one: &Path, other: &Path) -> bool {
        one == other
    }

    /// Returns names and texts of the files written since the last call, so that a page can offer them as downloads.
    /// Always empty for files on a disk.
    fn take_written(&mut self) -> Vec<(PathBuf, String)> {
        Vec::new()
    }
}

/// Returns the first of `stem-1`, `stem-2` and so on, with `ending`, whose name is free in a folder.
pub(crate) fn free_name_in(storage: &dyn Storage, folder: &Path, stem: &str, ending: &str) -> PathBuf {
    let mut names = (1_u64..).map(|number| folder.join(format!("{stem}-{number}{ending}")));
    let free = names.find(|path| !storage.contains(path));
    free.unwrap_or_else(|| folder.join(format!("{stem}{ending}")))
}

/// Refuses a text that is larger than a file may be.
pub(crate) fn check_size(path: &Path, text: &str) -> Result<(), ReadError> {
    let size = text.len() as u64;
    if size > MAX_FILE_SIZE {
        return Err(ReadError::TooLarge { path: path.to_owned(), size, limit: MAX_FILE_SIZE });
    }
    Ok(())
}

/// Returns whether a file is the run of a game with rules of its own, by its name.
pub(crate) fn is_run_file(path: &Path) -> bool {
    Link::is_run(&path.to_string_lossy())
}

/// Returns whether a file is a replay, by its name.
pub(crate) fn is_replay_file(path: &Path) -> bool {
    path.to_string_lossy().ends_with(REPLAY_ENDING)
}

//! Files in memory, each a text under a name, without folders.

use super::{Storage, check_size, is_replay_file};
use crate::error::PlayError;
use crate::level::{Level, is_editor_file};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::Map;
use surefoot::io::{MapLoadError, ReadError};
use surefoot::replay::{Replay, ReplayLoadError};
use surefoot_draw::{Art, ArtError};
use surefoot_import::Options;

/// Texts under names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// The files that come with the program.
    shipped: BTreeMap<PathBuf, String>,
    /// The files that the player has saved. They hide shipped files of the same names.
    saved: BTreeMap<PathBuf, String>,
    /// Files for [`Storage::take_written`].
    written: Vec<(PathBuf, String)>,
}

impl Memory {
    /// Creates a memory with the files that come with the program.
    pub(crate) fn new(texts: impl IntoIterator<Item = (String, String)>) -> Memory {
        let shipped = texts.into_iter().map(|(name, text)| (PathBuf::from(name), text)).collect();
        Memory { shipped, ..Memory::default() }
    }

    fn text_of_file(&self, path: &Path, expected: &'static str) -> Result<&str, ReadError> {
        let text = self.saved.get(path).or(self.shipped.get(path)).ok_or_else(|| {
            let source = io::Error::new(io::ErrorKind::NotFound, "there is no file of this name");
            ReadError::Io { path: path.to_owned(), expected, source }
        })?;
        check_size(path, text)?;
        Ok(text)
    }
}

impl Storage for Memory {
    /// Lists the maps, the runs, and the replays that the player has saved or that are not the recorded run of one of
    /// the program's maps.
    fn menu_files(&self) -> Vec<PathBuf> {
        let is_of_a_map = |path: &Path| {
            let name = path.to_string_lossy();
            let stem = name.strip_suffix(super::REPLAY_ENDING);
            stem.is_some_and(|stem| self.is_shipped(Path::new(&format!("{stem}.ron"))))
        };
        let shipped = self.shipped.keys().filter(|path| !is_of_a_map(path));
        // The set has each file once, in the order of the names.
        self.saved.keys().chain(shipped).collect::<BTreeSet<_>>().into_iter().cloned().collect()
    }

    fn contains(&self, path: &Path) -> bool {
        self.saved.contains_key(path) || self.shipped.contains_key(path)
    }

    fn load_map(&self, path: &Path) -> Result<Map, MapLoadError> {
        if is_editor_file(path) {
            return Err(MapLoadError::Editor { path: path.to_owned() });
        }
        let map = Map::from_ron(self.text_of_file(path, "a map file")?);
        map.map_err(|error| error.in_file(path.display().to_string()).into())
    }

    fn load_level(&self, path: &Path, _options: &Options) -> Result<Level, PlayError> {
        Ok(Level { map: self.load_map(path)?, name: String::new(), notes: Vec::new() })
    }

    fn load_text(&self, path: &Path) -> Result<String, ReadError> {
        self.text_of_file(path, "a file").map(str::to_owned)
    }

    fn load_replay(&self, path: &Path) -> Result<Replay, PlayError> {
        let text = self.text_of_file(path, "a replay file").map_err(ReplayLoadError::from)?;
        let replay = Replay::from_ron_with(text, |map| self.load_map(Path::new(map)));
        Ok(replay.map_err(|error| ReplayLoadError::from(error.in_file(path.display().to_string())))?)
    }

    /// Returns none: tiles are plain, because a picture is not a text.
    fn load_art(&self, _file: &Path, _map: &Map) -> Result<Option<Arc<Art>>, ArtError> {
        Ok(None)
    }

    fn write(&mut self, path: &Path, text: &str) -> Result<(), PlayError> {
        self.saved.insert(path.to_owned(), text.to_owned());
        self.written.push((path.to_owned(), text.to_owned()));
        Ok(())
    }

    fn path_below(&self, folder: &Path, file: &Path) -> Option<String> {
        let is_beside = folder.as_os_str().is_empty() && self.contains(file) && !is_replay_file(file);
        is_beside.then(|| file.to_str().map(str::to_owned)).flatten()
    }

    fn is_shipped(&self, path: &Path) -> bool {
        self.shipped.get(path).is_some_and(|shipped| self.saved.get(path).is_none_or(|saved| saved == shipped))
    }

    fn can_forget(&self, path: &Path) -> bool {
        self.saved.contains_key(path)
    }

    fn forget(&mut self, path: &Path) {
        self.saved.remove(path);
    }

    fn take_written(&mut self) -> Vec<(PathBuf, String)> {
        std::mem::take(&mut self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = r#"Map(format: 1, tiles: ["@..", "==="])"#;
    const REPLAY: &str =
        r#"Replay(map: File("a.ron"), bodies: [(name: "hero", shape: Aabb(0.3, 0.4), at: Marker("start"))], ticks: 9)"#;

    fn memory() -> Memory {
        let texts = [("a.ron", MAP), ("a.replay.ron", REPLAY), ("b.replay.ron", REPLAY), ("bad.ron", "Map(")];
        Memory::new(texts.map(|(name, text)| (name.to_owned(), text.to_owned())))
    }

    #[test]
    fn files_are_found_by_name_and_read_with_the_maps_that_they_name() {
        let memory = memory();
        let listed: Vec<_> = memory.menu_files().into_iter().map(|path| path.display().to_string()).collect();
        assert_eq!(listed, ["a.ron", "b.replay.ron", "bad.ron"], "a.replay.ron is the run of a.ron");
        assert_eq!(memory.load_replay(Path::new("b.replay.ron")).unwrap().map().size(), (3, 2));
        assert_eq!(memory.path_below(Path::new(""), Path::new("a.ron")).as_deref(), Some("a.ron"));
        assert_eq!(memory.path_below(Path::new("maps"), Path::new("a.ron")), None);
        assert_eq!(memory.path_below(Path::new(""), Path::new("none.ron")), None);
    }

    #[test]
    fn errors_name_the_file() {
        let memory = memory();
        let error = |name: &str| memory.load_level(Path::new(name), &Options::default()).err().unwrap().to_string();
        assert_eq!(error("none.ron"), "none.ron: there is no file of this name; expected a map file");
        assert!(error("bad.ron").starts_with("bad.ron:1:"), "{}", error("bad.ron"));
        assert!(error("cave.ldtk").contains("`surefoot import`"), "{}", error("cave.ldtk"));
        let texts = [("c.replay.ron".to_owned(), REPLAY.replace("a.ron", "none.ron"))];
        let error = Memory::new(texts).load_replay(Path::new("c.replay.ron")).unwrap_err().to_string();
        assert!(error.starts_with("c.replay.ron:1:") && error.contains("none.ron: there is no file"), "{error}");
    }

    #[test]
    fn written_files_are_handed_out_once() {
        let mut memory = memory();
        memory.write(Path::new("c.ron"), MAP).unwrap();
        assert!(memory.contains(Path::new("c.ron")));
        assert_eq!(memory.take_written(), [(PathBuf::from("c.ron"), MAP.to_owned())]);
        assert_eq!(memory.take_written(), []);
        assert!(memory.is_shipped(Path::new("a.ron")) && !memory.is_shipped(Path::new("c.ron")));
        memory.write(Path::new("a.ron"), MAP).unwrap();
        assert!(memory.is_shipped(Path::new("a.ron")), "the same text");
        memory.write(Path::new("a.ron"), "Map(format: 1, tiles: [\"@\"])").unwrap();
        assert!(!memory.is_shipped(Path::new("a.ron")));
    }

    #[test]
    fn only_files_of_the_player_are_forgotten() {
        let mut memory = memory();
        memory.write(Path::new("c.ron"), MAP).unwrap();
        memory.write(Path::new("c.replay.ron"), &REPLAY.replace("a.ron", "c.ron")).unwrap();
        let listed = |memory: &Memory| {
            memory.menu_files().into_iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(listed(&memory), "a.ron b.replay.ron bad.ron c.replay.ron c.ron", "the saved files are in the menu");
        for (name, can_forget) in [("a.ron", false), ("c.ron", true), ("none.ron", false)] {
            assert_eq!(memory.can_forget(Path::new(name)), can_forget, "{name}");
            memory.forget(Path::new(name));
        }
        assert_eq!(listed(&memory), "a.ron b.replay.ron bad.ron c.replay.ron", "only c.ron is forgotten");
        assert!(memory.load_text(Path::new("c.ron")).is_err() && !memory.can_forget(Path::new("c.ron")));
        assert!(memory.can_forget(Path::new("c.replay.ron")) && memory.load_text(Path::new("a.replay.ron")).is_ok());
    }

    #[test]
    fn a_saved_copy_of_a_file_of_the_program_can_be_forgotten() {
        for (name, text) in [("a.ron", MAP), ("b.replay.ron", REPLAY)] {
            let mut memory = memory();
            memory.write(Path::new(name), text).unwrap();
            assert!(memory.can_forget(Path::new(name)) && memory.is_shipped(Path::new(name)), "{name}");
            memory.forget(Path::new(name));
            assert!(!memory.can_forget(Path::new(name)) && memory.is_shipped(Path::new(name)), "{name}");
            assert_eq!(memory.load_text(Path::new(name)).unwrap(), text);
        }
    }

    #[test]
    fn a_forgotten_file_brings_back_the_one_of_the_program() {
        let mut memory = memory();
        let is_listed = |memory: &Memory, name: &str| memory.menu_files().contains(&PathBuf::from(name));
        for (name, text) in [("a.ron", MAP), ("a.replay.ron", REPLAY)] {
            let other = text.replace("@..", "@.").replace("ticks: 9", "ticks: 8").replace("===", "==");
            memory.write(Path::new(name), &other).unwrap();
            assert_eq!(memory.load_text(Path::new(name)).unwrap(), other);
            assert!(memory.can_forget(Path::new(name)) && !memory.is_shipped(Path::new(name)));
            assert!(is_listed(&memory, name), "{name} is in the menu, where the player can forget it");
            memory.forget(Path::new(name));
            assert_eq!(memory.load_text(Path::new(name)).unwrap(), text);
            assert!(!memory.can_forget(Path::new(name)) && memory.is_shipped(Path::new(name)));
        }
        assert!(is_listed(&memory, "a.ron") && !is_listed(&memory, "a.replay.ron"));
    }
}

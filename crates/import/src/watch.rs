//! Watches the file of a level, so that a running game takes over what its editor saves.
//!
//! A thread waits for events of the file system and loads the level, so no frame of a game waits. It watches folders
//! and not files, because editors write a new file and rename it. It reacts to events of creation and change only:
//! reading a file raises events too. Editors write in several steps, so it waits until no event has come for [`QUIET`].
//!
//! The art file and its picture are watched too. This crate does not read them: it only tells that they changed.

use crate::change::MapChange;
use crate::error::{ImportError, ImportProblem};
use crate::load::{Import, Options, import};
use notify::event::ModifyKind;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use surefoot::Map;
use surefoot::io::read_bytes;
use surefoot::map::Value;
use thiserror::Error;

/// Time without events after which a file counts as written.
const QUIET: Duration = Duration::from_millis(50);

/// Error of creating a [`MapWatcher`].
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WatchError {
    /// The level cannot be loaded.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The folder of the level cannot be watched.
    #[error("{}: the folder cannot be watched: {source}", path.display())]
    Watch {
        /// The folder.
        path: PathBuf,
        /// Reason.
        source: notify::Error,
    },
    /// The system cannot start the thread of the watcher.
    #[error("the level cannot be watched: no thread: {source}")]
    Thread {
        /// Reason.
        source: std::io::Error,
    },
}

/// Watches the file of a level of Tiled or LDtk, or of a map in RON, and the files that the level names: tilesets,
/// templates, maps of names, a catalogue, and the art file with its picture.
///
/// # Examples
/// ```no_run
/// use surefoot::prelude::*;
/// use surefoot::World;
/// use surefoot_import::{MapWatcher, Options};
///
/// let mut watcher = MapWatcher::new("levels/cave.tmx", Options::default())?;
/// let mut world = World::from_map(watcher.map().clone(), Settings::default());
/// loop {
///     match watcher.poll() {
///         None => {}
///         Some(Ok(change)) => println!("{:?}", change.apply(&mut world)?),
///         Some(Err(error)) => eprintln!("{error}; the old level stays"),
///     }
///     world.step();
/// }
/// # #[allow(unreachable_code)]
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MapWatcher {
    map: Arc<Map>,
    changes: Receiver<Result<MapChange, ImportError>>,
    messages: Sender<Message>,
}

/// Message to the thread of a watcher.
#[derive(Debug)]
enum Message {
    /// Paths of files that were created or written.
    Written(Vec<PathBuf>),
    Stop,
}

impl MapWatcher {
    /// Loads a level, and watches its file from then on.
    ///
    /// # Errors
    /// Returns [`WatchError`] if the level cannot be loaded (see [`load_with`](crate::load_with)), if its folder cannot
    /// be watched, or if the system starts no thread.
    pub fn new(path: impl AsRef<Path>, options: Options) -> Result<MapWatcher, WatchError> {
        let path = path.as_ref().to_owned();
        let (messages, events) = channel();
        let sender = messages.clone();
        let handler = move |event: notify::Result<Event>| {
            // Sending fails if the receiving thread has ended, and then no one needs the message.
            let _ = written_files(event).map(|files| sender.send(Message::Written(files)));
        };
        let watch_error = |source| WatchError::Watch { path: path.clone(), source };
        let watcher = notify::recommended_watcher(handler).map_err(watch_error)?;
        let mut folders = Folders { watcher, watched: BTreeSet::new(), files: BTreeSet::new() };
        // Watch the folder before the level is loaded, so that no change is missed.
        folders.add_and_watch_files([path.clone()])?;
        let Import { map, files, .. } = import_only_level(&path, &options)?;
        let art = ArtFiles::of_map(&path, &map);
        folders.add_and_watch_files(files.into_iter().chain(art.files))?;
        let (sender, changes) = channel();
        let map = Arc::new(map);
        let mut thread = Thread { path, options, folders, map: map.clone(), art_hash: art.hash, has_failed: false };
        let builder = thread::Builder::new().name("map watcher".to_owned());
        let spawned = builder.spawn(move || thread.load_after_each_change(&events, &sender));
        spawned.map_err(|source| WatchError::Thread { source })?;
        Ok(MapWatcher { map, changes, messages })
    }

    /// Returns the map as it was loaded last.
    #[must_use]
    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// Returns the next change of the level, if there is one. Never waits.
    ///
    /// If only the art file or its picture changed, the maps before and after are equal: load the art again.
    ///
    /// # Errors
    /// Returns [`ImportError`] if the changed file cannot be loaded, such as one that is written only in part. The old
    /// map stays. Once the file can be loaded again, the next change follows.
    pub fn poll(&mut self) -> Option<Result<MapChange, ImportError>> {
        let change = self.changes.try_recv().ok()?;
        if let Ok(change) = &change {
            self.map = change.after.clone();
        }
        Some(change)
    }
}

impl Drop for MapWatcher {
    fn drop(&mut self) {
        // Sending fails if the thread has already ended, and then it need not be stopped.
        let _ = self.messages.send(Message::Stop);
    }
}

/// Property of a map that names its art file, from the folder of the map.
const ART: &str = "art";
/// Maximum size of an art file and of its picture in bytes: those that `surefoot-draw` reads.
const MAX_ART: u64 = 1 << 20;
const MAX_PICTURE: u64 = 1 << 26;

/// The art file of a map and its picture.
#[derive(Debug, Default)]
struct ArtFiles {
    files: Vec<PathBuf>,
    /// Hash of the bytes of both files.
    hash: u64,
}

/// The part of an art file that names its picture.
#[derive(Deserialize)]
#[serde(rename = "Art")]
struct ArtText {
    picture: String,
}

impl ArtFiles {
    /// Returns the art files of a map. An art file that cannot be read has no picture yet.
    fn of_map(level: &Path, map: &Map) -> ArtFiles {
        let named = map.properties().get(ART).and_then(Value::as_str);
        let Some(file) = named.and_then(|named| path_beside_if_inside_folder(level, named)) else {
            return ArtFiles::default();
        };
        let mut hasher = DefaultHasher::new();
        let bytes = read_bytes(&file, MAX_ART, "an art file").ok();
        bytes.hash(&mut hasher);
        let text = bytes.and_then(|bytes| ron::de::from_bytes::<ArtText>(&bytes).ok());
        let picture = text.and_then(|text| path_beside_if_inside_folder(&file, &text.picture));
        let pixels = picture.as_ref().and_then(|picture| read_bytes(picture, MAX_PICTURE, "a picture").ok());
        pixels.hash(&mut hasher);
        ArtFiles { files: [Some(file), picture].into_iter().flatten().collect(), hash: hasher.finish() }
    }
}

/// Returns the path of a file that another one names. `None` if the file is not in the folder of the other or below it.
fn path_beside_if_inside_folder(file: &Path, named: &str) -> Option<PathBuf> {
    let is_inside = Path::new(named).components().all(|part| matches!(part, Component::Normal(_)));
    (is_inside && !named.is_empty()).then(|| file.with_file_name(named))
}

/// Loads the only level, or the one that the options name.
fn import_only_level(path: &Path, options: &Options) -> Result<Import, ImportError> {
    let mut imports = import(path, options)?;
    let names: Vec<String> = imports.iter().map(|import| import.name.clone()).collect();
    match (imports.pop(), imports.is_empty()) {
        (Some(import), true) => Ok(import),
        _ => Err(ImportError::new(path, "", ImportProblem::Levels { wanted: None, names })),
    }
}

/// Returns the files that an event created or wrote.
fn written_files(event: notify::Result<Event>) -> Option<Vec<PathBuf>> {
    let event = event.ok()?;
    let is_written = match event.kind {
        EventKind::Create(_) => true,
        EventKind::Modify(kind) => !matches!(kind, ModifyKind::Metadata(_)),
        _ => false,
    };
    is_written.then_some(event.paths)
}

/// The watched files and their folders.
struct Folders {
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
    files: BTreeSet<PathBuf>,
}

impl Folders {
    /// Adds files to the watched ones, and watches their folders.
    fn add_and_watch_files(&mut self, files: impl IntoIterator<Item = PathBuf>) -> Result<(), WatchError> {
        for file in files {
            // A link changes if the link itself or the file to which it points changes: watch both folders.
            for path in [canonicalize_folder_of(&file), file.canonicalize().ok()].into_iter().flatten() {
                let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
                if self.watched.insert(folder.clone()) {
                    let watched = self.watcher.watch(&folder, RecursiveMode::NonRecursive);
                    watched.map_err(|source| WatchError::Watch { path: folder, source })?;
                }
                self.files.insert(path);
            }
        }
        Ok(())
    }
}

/// Returns the path of a file with the real path of its folder. `None` if there is no such folder.
fn canonicalize_folder_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(file.file_name()?))
}

/// The state of a watcher's thread.
struct Thread {
    path: PathBuf,
    options: Options,
    folders: Folders,
    /// The map that was loaded last.
    map: Arc<Map>,
    /// Hash of the art file and its picture.
    art_hash: u64,
    /// Whether the last load failed.
    has_failed: bool,
}

impl Thread {
    /// Runs until the watcher is dropped.
    fn load_after_each_change(&mut self, events: &Receiver<Message>, changes: &Sender<Result<MapChange, ImportError>>) {
        while let Ok(Message::Written(files)) = events.recv() {
            if !self.is_watched(&files) {
                continue;
            }
            if !self.wait_for_quiet_unless_stopped(events) {
                return;
            }
            if let Some(change) = self.load_if_changed()
                && changes.send(change).is_err()
            {
                return;
            }
        }
    }

    /// Waits until the files of the level have not been written for [`QUIET`]. Returns false if the watcher was
    /// dropped.
    fn wait_for_quiet_unless_stopped(&self, events: &Receiver<Message>) -> bool {
        let mut until = Instant::now() + QUIET;
        loop {
            match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                // Ignore other files, even after a failed load: a game may write to a log in each frame.
                Ok(Message::Written(files)) if self.contains_level_file(&files) => until = Instant::now() + QUIET,
                Ok(Message::Written(_)) => {}
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => return true,
            }
        }
    }

    /// Returns whether one of the files is watched. If the last load failed, every file counts: the load may have
    /// failed for lack of a file that was never read.
    fn is_watched(&self, files: &[PathBuf]) -> bool {
        self.has_failed || self.contains_level_file(files)
    }

    /// Returns whether one of the files is the level or belongs to it.
    fn contains_level_file(&self, files: &[PathBuf]) -> bool {
        files.iter().any(|file| self.folders.files.contains(file))
    }

    /// Loads the level. Returns `None` if it is the same as before.
    fn load_if_changed(&mut self) -> Option<Result<MapChange, ImportError>> {
        match import_only_level(&self.path, &self.options) {
            Ok(Import { map, report, files, .. }) => {
                let art = ArtFiles::of_map(&self.path, &map);
                // Only the folder of a new tileset, template or picture can fail here: the level itself stays watched.
                let _ = self.folders.add_and_watch_files(files.into_iter().chain(art.files));
                let has_new_art = std::mem::replace(&mut self.art_hash, art.hash) != art.hash;
                let is_new = std::mem::take(&mut self.has_failed) || has_new_art || *self.map != map;
                let after = Arc::new(map);
                let before = std::mem::replace(&mut self.map, after.clone());
                is_new.then(|| Ok(MapChange { before, after, report }))
            }
            Err(error) => {
                self.has_failed = true;
                Some(Err(error))
            }
        }
    }
}

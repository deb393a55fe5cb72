//! Saves the run as a replay and the map as a map file.

use super::run::Run;
use super::{Mode, Session};
use crate::error::PlayError;
use crate::files::{file_stem_without_number, folder_of};
use crate::legend::{Reduced, has_own_catalogue, map_with_edits};
use crate::level::is_editor_file;
use crate::storage::{Disk, REPLAY_ENDING, Storage, free_name_in};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use surefoot::catalogue::Catalogue;
use surefoot::command::Command;
use surefoot::map::{Map, TileId};
use surefoot::record::{Playback, RecordOptions, Recorder, RecorderError};
use surefoot::replay::{MapSource, Replay, ToReplayError};
use surefoot::world::World;
use surefoot_link::Link;

/// The files of a map, and the part of its legend that they contain.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// The file from which the map was opened, then those to which it was saved.
    pub(super) files: Vec<PathBuf>,
    /// The tile kinds in the last of these files.
    pub(super) kept: BTreeSet<TileId>,
    /// Name of the level in a file with several levels, and what the map lacks of it.
    pub(super) level: String,
    pub(super) notes: Vec<String>,
}

/// Interval in ticks between checksums and positions in a replay.
const CHECKPOINT_TICKS: u32 = 60;

/// Name of the file of a map without a name.
const DEFAULT_MAP_NAME: &str = "map";

/// A saved replay.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedReplay {
    /// The file of the replay.
    pub path: PathBuf,
    /// The replay. [`Replay::ticks`] is its length and [`Replay::map_source`] the source of its map.
    pub replay: Replay,
}

impl Origin {
    /// Creates the origin of a map with `entries` tile kinds, opened from `file` if given.
    pub(super) fn new(file: Option<PathBuf>, entries: usize) -> Origin {
        Origin {
            files: file.into_iter().collect(),
            kept: (0..entries).map(|i| TileId(i as u16)).collect(),
            level: String::new(),
            notes: Vec::new(),
        }
    }
}

impl Session {
    /// Returns a new file for the map, named after it, in the current folder. For a map with its own catalogue, the
    /// file is next to the map's file, where the catalogue is. The map of an editor's level is saved next to the
    /// editor's file.
    #[must_use]
    pub fn new_map_file(&self) -> PathBuf {
        self.new_map_file_in(&Disk::default())
    }

    /// Returns the file of [`Session::new_map_file`] in a storage.
    pub(crate) fn new_map_file_in(&self, storage: &dyn Storage) -> PathBuf {
        self.unused_file_path(storage, ".ron", self.file().is_some_and(is_editor_file))
    }

    /// Returns a new file for the replay; see [`Session::new_map_file`].
    #[must_use]
    pub fn new_replay_file(&self) -> PathBuf {
        self.new_replay_file_in(&Disk::default())
    }

    /// Returns the file of [`Session::new_replay_file`] in a storage.
    pub(crate) fn new_replay_file_in(&self, storage: &dyn Storage) -> PathBuf {
        self.unused_file_path(storage, REPLAY_ENDING, false)
    }

    /// Returns a path at which no file exists. `is_beside_session_file`: in the folder of the session's first file.
    fn unused_file_path(&self, storage: &dyn Storage, ending: &str, is_beside_session_file: bool) -> PathBuf {
        let file = self.origin.files.first();
        let stem = file.and_then(|file| file_stem_without_number(file)).unwrap_or_else(|| DEFAULT_MAP_NAME.to_owned());
        let beside = file.filter(|_| is_beside_session_file || has_own_catalogue(self.world().map()));
        free_name_in(storage, beside.map_or(Path::new(""), |file| folder_of(file)), &stem, ending)
    }

    /// Writes the map with its current tiles to a file, atomically. Replaces an existing file, but no file of an
    /// editor.
    ///
    /// The legend is that of the original file plus the other tiles on the map. Comments and the drawing of markers are
    /// lost.
    ///
    /// # Errors
    /// [`PlayError`] if the file cannot be written, its name is that of an editor's file, or the map's own catalogue is
    /// not in that folder.
    pub fn save_map(&mut self, path: impl AsRef<Path>) -> Result<(), PlayError> {
        self.save_map_to(&mut Disk::default(), path.as_ref())
    }

    /// Writes the map into a storage as [`Session::save_map`] does.
    pub(crate) fn save_map_to(&mut self, storage: &mut dyn Storage, path: &Path) -> Result<(), PlayError> {
        refuse_if_editor_file(path)?;
        refuse_if_catalogue_not_found(self.world().map(), path)?;
        let tiles = |source| PlayError::Tiles { path: path.to_owned(), source };
        let map = map_with_edits(self.world().map(), self.world()).map_err(tiles)?;
        let reduced = Reduced::without_unused_kinds(&map, &self.origin.kept).map_err(tiles)?;
        storage.write(path, &reduced.map.to_ron())?;
        self.origin.kept.extend(map.layers().iter().flat_map(|layer| &layer.cells));
        self.origin.files.push(path.to_owned());
        Ok(())
    }

    /// Writes the run since the last restart to a file, as a replay with checksums and positions. Replaces an existing
    /// file.
    ///
    /// First repeats the recorded run, which has to reach the state of the played world. The replay names the map's
    /// file if the file is in the replay's folder or below, and still contains the map of the run with all painted
    /// tiles in its legend. Otherwise the replay contains the map.
    ///
    /// # Errors
    /// [`PlayError`] if a replay is watched, the run has no ticks, the map has its own catalogue and cannot be named by
    /// its file, or the file cannot be written.
    pub fn save_replay(&mut self, path: impl AsRef<Path>) -> Result<SavedReplay, PlayError> {
        self.save_replay_to(&mut Disk::default(), path.as_ref())
    }

    /// Writes the run into a storage as [`Session::save_replay`] does.
    pub(crate) fn save_replay_to(&self, storage: &mut dyn Storage, path: &Path) -> Result<SavedReplay, PlayError> {
        let replay = self.recorded_run(storage, path)?;
        storage.write(path, &replay.to_ron())?;
        Ok(SavedReplay { path: path.to_owned(), replay })
    }

    /// Returns the run since the last restart as the replay that [`Session::save_replay`] writes to that path.
    pub(crate) fn recorded_run(&self, storage: &dyn Storage, path: &Path) -> Result<Replay, PlayError> {
        let run = match &self.mode {
            Mode::Play(run) => run,
            Mode::Watch(_) => return Err(PlayError::Watching),
            Mode::Rules(_) => return Err(PlayError::HasRules),
        };
        refuse_if_editor_file(path)?;
        if run.world.tick() == 0 {
            return Err(PlayError::NoTicks { path: path.to_owned() });
        }
        let mut kept = self.origin.kept.clone();
        kept.extend(run.record.painted_kinds(run.world.tick()));
        let reduced = Reduced::without_unused_kinds(run.world.map(), &kept)
            .map_err(|source| PlayError::Tiles { path: path.to_owned(), source })?;
        let source = self.map_source_for_replay(storage, &reduced.map, path)?;
        let replay = repeat_and_record_run(run, &reduced, source, path)?;
        Playback::new(&replay).run().map_err(|source| PlayError::Diverges { path: path.to_owned(), source })?;
        Ok(replay)
    }

    /// Returns the run in a link: the run since the last restart, or the watched one. The link names the map if all who
    /// open the link have the file, and contains it otherwise. The link of a game with rules of its own contains
    /// neither.
    pub(crate) fn create_link(&mut self, storage: &dyn Storage) -> Result<Link, PlayError> {
        let stem = self.file().and_then(file_stem_without_number).unwrap_or_else(|| DEFAULT_MAP_NAME.to_owned());
        if let Mode::Rules(game) = &mut self.mode {
            return game.create_link(&Link::allowed_name(&format!("{stem}{}", Link::RUN_ENDING)));
        }
        let name = Link::allowed_name(&format!("{stem}{REPLAY_ENDING}"));
        let replay = match &self.mode {
            Mode::Watch(watch) => watch.replay().clone(),
            _ => self.recorded_run(storage, Path::new(&name))?,
        };
        let map = match replay.map_source() {
            MapSource::File(map) if storage.is_shipped(Path::new(map)) => MapSource::File(map.clone()),
            _ => MapSource::Inline,
        };
        Ok(Link::of_run(&name, &replay, map)?)
    }

    /// Writes the run of a game with rules of its own into a storage, as the text of its link.
    pub(crate) fn save_run_to(&mut self, storage: &mut dyn Storage, path: &Path) -> Result<(), PlayError> {
        let link = self.create_link(storage)?;
        storage.write(path, link.text().unwrap_or_default())
    }

    /// Returns the source of the map for a replay at that path.
    fn map_source_for_replay(&self, storage: &dyn Storage, map: &Map, path: &Path) -> Result<MapSource, PlayError> {
        let named = self.origin.files.iter().rev().find_map(|file| {
            let relative = storage.path_below(folder_of(path), file)?;
            storage.load_map(file).is_ok_and(|there| there == *map).then_some(relative)
        });
        match named {
            Some(relative) => Ok(MapSource::File(relative)),
            None if has_own_catalogue(map) => {
                let map = self.origin.files.last().cloned();
                Err(PlayError::MapNotBelow { path: path.to_owned(), map })
            }
            None => Ok(MapSource::Inline),
        }
    }
}

/// Refuses to overwrite a file of an editor.
fn refuse_if_editor_file(path: &Path) -> Result<(), PlayError> {
    if is_editor_file(path) { Err(PlayError::EditorFile { path: path.to_owned() }) } else { Ok(()) }
}

/// Refuses a path from which the map would not find its own catalogue.
fn refuse_if_catalogue_not_found(map: &Map, path: &Path) -> Result<(), PlayError> {
    if !has_own_catalogue(map) {
        return Ok(());
    }
    let Some(named) = map.catalogue_file() else {
        return Err(PlayError::NoCatalogueFile { path: path.to_owned() });
    };
    let (path, catalogue) = (path.to_owned(), named.to_owned());
    match Catalogue::load(folder_of(&path).join(named)) {
        Ok(there) if there.patterns() == map.catalogue().patterns() => Ok(()),
        Ok(_) => Err(PlayError::OtherCatalogue { path, catalogue }),
        Err(source) => Err(PlayError::CatalogueElsewhere { path, catalogue, source }),
    }
}

/// Repeats a run on its own map and on the map of the replay, and records the second one.
///
/// A state's checksum includes the legend of the map. So the result on its own map is compared by checksum, and the
/// two maps are compared by motion only.
fn repeat_and_record_run(run: &Run, reduced: &Reduced, source: MapSource, path: &Path) -> Result<Replay, PlayError> {
    let settings = run.world.settings();
    let mut own = World::with_terrain(run.world.map().clone(), run.terrain.clone(), settings);
    let mut world = World::new(reduced.map.clone(), settings);
    let record = |source: ToReplayError| PlayError::Record { path: path.to_owned(), source };
    let recorded = |source: RecorderError| record(source.into());
    let unlike = |tick, expected, found| PlayError::Unlike { path: path.to_owned(), tick, expected, found };
    let options = RecordOptions { checksum_interval: CHECKPOINT_TICKS, positions: true, ..RecordOptions::default() };
    let mut recorder = Recorder::for_replay(&world, source, options).map_err(record)?;
    let ticks = run.world.tick();
    for tick in 0..ticks {
        for command in run.record.commands_at(tick) {
            own.apply(command.clone())?;
            world.apply(with_tile_ids_of_reduced_map(command, reduced))?;
        }
        own.step();
        world.step();
        recorder.record_tick(&world).map_err(recorded)?;
        let (expected, found) = (own.motion_checksum(), world.motion_checksum());
        if expected != found {
            return Err(unlike(tick + 1, expected, found));
        }
    }
    // The replay ends with the last tick. But the compared world also has the commands after that tick.
    for command in run.record.commands_at(ticks) {
        own.apply(command.clone())?;
    }
    let (expected, found) = (run.world.checksum(), own.checksum());
    if expected != found {
        return Err(unlike(ticks, expected, found));
    }
    let hero = run.hero.map(|hero| (hero, "hero".to_owned()));
    for (body, name) in hero.into_iter().chain(run.pile.body_names(ticks)) {
        recorder.name_body(body, name).map_err(recorded)?;
    }
    recorder.finish_replay(&world).map_err(record)
}

fn with_tile_ids_of_reduced_map(command: &Command, reduced: &Reduced) -> Command {
    let mut command = command.clone();
    if let Command::SetTile { tile_id: entry, .. } | Command::SetTiles { tile_id: entry, .. } = &mut command {
        *entry = reduced.reduced_id(*entry);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Held;

    /// Saves a run whose record or world was tampered with.
    fn save_tampered_run(spoil: impl FnOnce(&mut Run)) -> Result<SavedReplay, PlayError> {
        let map = Map::from_ron("Map(format: 1, tiles: [\"@....\", \"=====\"])").unwrap();
        let mut session = Session::play(map, None);
        for tick in 0..30 {
            session.advance(0.017, Held { right: tick < 20, ..Held::default() });
        }
        if let Mode::Play(run) = &mut session.mode {
            spoil(run);
        }
        let path =
            std::env::temp_dir().join(format!("surefoot-play-save_tampered_run-{}.replay.ron", std::process::id()));
        let saved = session.save_replay(&path);
        assert_eq!(path.exists(), saved.is_ok());
        let _ = std::fs::remove_file(&path);
        saved
    }

    #[test]
    fn a_record_that_does_not_repeat_the_run_is_not_saved() {
        assert!(save_tampered_run(|_| ()).is_ok());
        let cut = save_tampered_run(|run| drop(run.record.drop_entries_after(15)));
        assert!(matches!(&cut, Err(PlayError::Unlike { tick: 30, .. })), "{cut:?}");
        let painted = save_tampered_run(|run| run.world.set_tile(0, (4, 0), TileId::EMPTY).unwrap());
        assert!(matches!(&painted, Err(PlayError::Unlike { .. })), "{painted:?}");
        let Err(error) = painted else { return };
        assert!(
            error.to_string().contains("nothing was saved: run again, the recorded run comes to checksum"),
            "{error}"
        );
    }
}

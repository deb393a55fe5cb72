//! The run as a replay's file and the map as a map's file.

use super::run::Run;
use super::{Mode, Session};
use crate::error::PlayError;
use crate::files::{below, folder_of, free_name, stem};
use crate::legend::{Reduced, as_painted, has_own_catalogue};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use surefoot::catalogue::Catalogue;
use surefoot::command::Command;
use surefoot::io::write_atomic;
use surefoot::map::{Map, TileId};
use surefoot::record::{Playback, RecordOptions, Recorder, RecorderError};
use surefoot::replay::{MapSource, Replay, ToReplayError};
use surefoot::world::World;

/// Where a map comes from, and what of its legend is in that file.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// The file that it was opened from, then those that it was saved to.
    pub(super) files: Vec<PathBuf>,
    /// The entries that the last of them has.
    kept: BTreeSet<TileId>,
}

/// After how many ticks a replay has checksums and places to compare by.
const EVERY: u32 = 60;

/// What a file is called whose map has no name.
const NAMELESS: &str = "map";

/// A replay that was saved.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedReplay {
    /// Its file.
    pub path: PathBuf,
    /// The replay; [`Replay::ticks`] and [`Replay::map_source`] say how long it is and where its map is.
    pub replay: Replay,
}

impl Origin {
    /// A map from a file, if it is from one, with so many entries.
    pub(super) fn new(file: Option<PathBuf>, entries: usize) -> Origin {
        Origin { files: file.into_iter().collect(), kept: (0..entries).map(|i| TileId(i as u16)).collect() }
    }
}

impl Session {
    /// A file that is not there yet, to save the map to: named after the map's, in the current folder. A map with a
    /// catalogue of its own goes beside its file, where its catalogue is.
    #[must_use]
    pub fn new_map_file(&self) -> PathBuf {
        self.new_file(".ron")
    }

    /// A file that is not there yet, to save the replay to; see [`Session::new_map_file`].
    #[must_use]
    pub fn new_replay_file(&self) -> PathBuf {
        self.new_file(".replay.ron")
    }

    fn new_file(&self, ending: &str) -> PathBuf {
        let file = self.origin.files.first();
        let stem = file.and_then(|file| stem(file)).unwrap_or_else(|| NAMELESS.to_owned());
        let beside = file.filter(|_| has_own_catalogue(self.world().map()));
        free_name(beside.map_or(Path::new(""), |file| folder_of(file)), &stem, ending)
    }

    /// Writes the map with the tiles that it has now to a file, whole or not at all, over what was there.
    ///
    /// Its legend is that of the file it came from, with the other tiles that are now on the map. Comments, and the way
    /// markers were drawn, are not kept.
    ///
    /// # Errors
    /// [`PlayError`]: the file cannot be written, or the map's own catalogue is not in that folder.
    pub fn save_map(&mut self, path: impl AsRef<Path>) -> Result<(), PlayError> {
        let path = path.as_ref();
        check_catalogue(self.world().map(), path)?;
        let tiles = |source| PlayError::Tiles { path: path.to_owned(), source };
        let map = as_painted(self.world().map(), self.world()).map_err(tiles)?;
        let reduced = Reduced::of(&map, &self.origin.kept).map_err(tiles)?;
        write_atomic(path, reduced.map.to_ron().as_bytes())?;
        self.origin.kept.extend(map.layers().iter().flat_map(|layer| &layer.cells));
        self.origin.files.push(path.to_owned());
        Ok(())
    }

    /// Writes the run since the last restart to a file, as a replay with checksums and places, over what
    /// was there.
    ///
    /// What was recorded is run again first, and has to come to the world that was played. The map is named by its file if
    /// that lies in the replay's folder or below, and still holds the map that the run began on with all tiles that were
    /// painted in its legend; otherwise it is put into the replay.
    ///
    /// # Errors
    /// [`PlayError`] while a replay is watched, for a run without ticks, for a map with a catalogue of its own that cannot
    /// be named by its file, and if the file cannot be written.
    pub fn save_replay(&mut self, path: impl AsRef<Path>) -> Result<SavedReplay, PlayError> {
        let path = path.as_ref();
        let Mode::Play(run) = &self.mode else { return Err(PlayError::Watching) };
        if run.world.tick() == 0 {
            return Err(PlayError::NoTicks { path: path.to_owned() });
        }
        let mut kept = self.origin.kept.clone();
        kept.extend(run.record.painted(run.world.tick()));
        let reduced =
            Reduced::of(run.world.map(), &kept).map_err(|source| PlayError::Tiles { path: path.to_owned(), source })?;
        let source = self.map_source(&reduced.map, path)?;
        let replay = recorded(run, &reduced, source, path)?;
        Playback::new(&replay).run().map_err(|source| PlayError::Diverges { path: path.to_owned(), source })?;
        replay.save(path)?;
        Ok(SavedReplay { path: path.to_owned(), replay })
    }

    /// How a replay of that path gets its map.
    fn map_source(&self, map: &Map, path: &Path) -> Result<MapSource, PlayError> {
        let named = self.origin.files.iter().rev().find_map(|file| {
            let relative = below(folder_of(path), file)?;
            Map::load(file).is_ok_and(|there| there == *map).then_some(relative)
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

/// Refuses a path from which the map would not find its own catalogue.
fn check_catalogue(map: &Map, path: &Path) -> Result<(), PlayError> {
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

/// Runs a run again, on its own map and beside it on the one of the replay, and records the latter.
///
/// Legends count in the checksum of a state, so that the run is compared on its own map, and the two by their motion.
fn recorded(run: &Run, reduced: &Reduced, source: MapSource, path: &Path) -> Result<Replay, PlayError> {
    let settings = run.world.settings();
    let mut own = World::with_terrain(run.world.map().clone(), run.terrain.clone(), settings);
    let mut world = World::new(reduced.map.clone(), settings);
    let record = |source: ToReplayError| PlayError::Record { path: path.to_owned(), source };
    let recorded = |source: RecorderError| record(source.into());
    let unlike = |tick, expected, found| PlayError::Unlike { path: path.to_owned(), tick, expected, found };
    let options = RecordOptions { checksum_interval: EVERY, positions: true, ..RecordOptions::default() };
    let mut recorder = Recorder::new(&world, options);
    let ticks = run.world.tick();
    for tick in 0..ticks {
        for command in run.record.at(tick) {
            own.apply(command.clone())?;
            world.apply(renumbered(command, reduced))?;
        }
        own.step();
        world.step();
        recorder.record_tick(&world).map_err(recorded)?;
        let (expected, found) = (own.motion_checksum(), world.motion_checksum());
        if expected != found {
            return Err(unlike(tick + 1, expected, found));
        }
    }
    // What was done since the last tick is no part of the replay, but of the world that is compared.
    for command in run.record.at(ticks) {
        own.apply(command.clone())?;
    }
    let (expected, found) = (run.world.checksum(), own.checksum());
    if expected != found {
        return Err(unlike(ticks, expected, found));
    }
    let hero = run.hero.map(|hero| (hero, "hero".to_owned()));
    for (body, name) in hero.into_iter().chain(run.pile.names(ticks)) {
        recorder.name_body(body, name).map_err(recorded)?;
    }
    recorder.finish_replay(&world, source).map_err(record)
}

fn renumbered(command: &Command, reduced: &Reduced) -> Command {
    let mut command = command.clone();
    if let Command::SetTile { tile_id: entry, .. } | Command::SetTiles { tile_id: entry, .. } = &mut command {
        *entry = reduced.number(*entry);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Held;

    /// A run with something taken away from its record, or done behind its back.
    fn spoilt(spoil: impl FnOnce(&mut Run)) -> Result<SavedReplay, PlayError> {
        let map = Map::from_ron("Map(format: 1, tiles: [\"@....\", \"=====\"])").unwrap();
        let mut session = Session::play(map, None);
        for tick in 0..30 {
            session.advance(0.017, Held { right: tick < 20, ..Held::default() });
        }
        if let Mode::Play(run) = &mut session.mode {
            spoil(run);
        }
        let path = std::env::temp_dir().join(format!("surefoot-play-spoilt-{}.replay.ron", std::process::id()));
        let saved = session.save_replay(&path);
        assert_eq!(path.exists(), saved.is_ok());
        let _ = std::fs::remove_file(&path);
        saved
    }

    #[test]
    fn a_record_that_is_not_the_run_is_not_saved() {
        assert!(spoilt(|_| ()).is_ok());
        let cut = spoilt(|run| drop(run.record.cut(15)));
        assert!(matches!(&cut, Err(PlayError::Unlike { tick: 30, .. })), "{cut:?}");
        let painted = spoilt(|run| run.world.set_tile(0, (4, 0), TileId::EMPTY).unwrap());
        assert!(matches!(&painted, Err(PlayError::Unlike { .. })), "{painted:?}");
        let Err(error) = painted else { return };
        assert!(
            error.to_string().contains("nothing was saved: run again, the recorded run comes to checksum"),
            "{error}"
        );
    }
}

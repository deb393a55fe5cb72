//! Replays in files, through [`crate::io`].

use super::{ExpectationCheck, Replay, ReplayError, UnmetExpectation, parts_inside_folder};
use crate::map::Map;
use crate::record::{
    Commands, Divergence, Playback, PlaybackError, PlaybackSummary, PositionMismatch, Recording, RecordingFile,
    RecordingLoadError, TickComparison,
};
use crate::tiles::io::MapLoadError;
use crate::tiles::io::{MAX_FILE_SIZE, ReadError, WriteError, read_expected, write_atomic};
use crate::told::debug_is_display;
use serde::de::IgnoredAny;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Error of [`Replay::load`].
#[derive(Error)]
#[non_exhaustive]
pub enum ReplayLoadError {
    /// The file cannot be read, or is not text.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The text is not a valid replay, or its map cannot be loaded.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The file is a recording that cannot be read.
    #[error(transparent)]
    Recording(Box<RecordingLoadError>),
    /// The map of the recording cannot be read.
    #[error(transparent)]
    Map(Box<MapLoadError>),
    /// The state in the recording does not fit its map.
    #[error(transparent)]
    State(Box<PlaybackError>),
    /// The recording names no map, or one outside its folder.
    #[error(
        "{}: the recording names no map file in its folder; expected `RecordOptions::map_file` to be such a path",
        path.display()
    )]
    NoMapFile {
        /// Path of the recording.
        path: PathBuf,
    },
    /// The recording has only the inputs of a game, which cannot be played without the game.
    #[error(
        "{}: the recording has only the inputs of its game, and no commands; expected one made by a `GameRun`",
        path.display()
    )]
    NoCommands {
        /// Path of the recording.
        path: PathBuf,
    },
}

/// Error of [`verify`]: the replay cannot be loaded, or its run is not as recorded or expected.
///
/// `Debug` prints the same message as `Display`, so `verify(...).unwrap()` in a test shows the problem in full.
#[derive(Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The replay or its map cannot be loaded.
    #[error(transparent)]
    Load(#[from] ReplayLoadError),
    /// The run differs from the checksums in the replay.
    #[error("{}{divergence}{}", file_prefix(path.as_deref()), mismatch_suffix(mismatch.as_deref()))]
    Diverges {
        /// Path of the replay file. `None` for a replay in memory.
        path: Option<PathBuf>,
        /// The first difference: its tick, and the expected and the found checksum.
        #[source]
        divergence: Divergence,
        /// The first body that is not at its recorded position, at the tick of the first difference or later.
        ///
        /// `None` if all recorded positions match, or if the replay has no positions.
        mismatch: Option<Box<PositionMismatch>>,
    },
    /// The run has the recorded checksums, but an expectation of the replay is not fulfilled.
    #[error("{}{unmet}", file_prefix(path.as_deref()))]
    Unmet {
        /// Path of the replay file. `None` for a replay in memory.
        path: Option<PathBuf>,
        /// The expectation that failed, with the actual result of the run.
        unmet: UnmetExpectation,
    },
}

debug_is_display!(ReplayLoadError, VerifyError);

/// Returns the beginning of a message: the file, if there is one.
fn file_prefix(path: Option<&Path>) -> String {
    path.map(|path| format!("{}: ", path.display())).unwrap_or_default()
}

/// Returns the rest of a message: the body at another position.
fn mismatch_suffix(mismatch: Option<&PositionMismatch>) -> String {
    mismatch.map(|mismatch| format!("; {mismatch}")).unwrap_or_default()
}

/// Plays a replay file to its end and checks all its checksums and expectations.
///
/// The map may have changed since the recording, as long as all bodies still move as recorded.
/// [`PlaybackSummary::map_changed`] is then `true`.
///
/// # Errors
/// - Returns [`VerifyError::Load`] if the file is not a valid replay.
/// - Returns [`VerifyError::Diverges`], with the first tick that differs, if a checksum differs. If the replay has
///   positions, the error also names the first body that is not at its recorded position.
/// - Returns [`VerifyError::Unmet`] if the run does not fulfil an expectation of the replay.
pub fn verify(path: impl AsRef<Path>) -> Result<PlaybackSummary, VerifyError> {
    let path = path.as_ref();
    verify_replay(&Replay::load(path)?, Some(path))
}

/// Plays a replay and checks it. `path`: file to name in the error.
fn verify_replay(replay: &Replay, path: Option<&Path>) -> Result<PlaybackSummary, VerifyError> {
    let path = || path.map(Path::to_owned);
    let (mut player, mut check) = (Playback::new(replay), ExpectationCheck::new(replay));
    let diverges = |player: &mut Playback, divergence| VerifyError::Diverges {
        path: path(),
        divergence,
        mismatch: player.first_mismatch().cloned().map(Box::new),
    };
    while let Some(verdict) = player.step() {
        if let TickComparison::Differs(divergence) = verdict {
            return Err(diverges(&mut player, divergence));
        }
        check.observe(player.world());
    }
    match check.unmet() {
        Some(unmet) => Err(VerifyError::Unmet { path: path(), unmet }),
        None => player.run().map_err(|divergence| diverges(&mut player, divergence)),
    }
}

impl Replay {
    /// Plays the replay to its end and checks all its checksums and expectations, as [`verify`] does for a file.
    ///
    /// # Errors
    /// - Returns [`VerifyError::Diverges`], with the first tick that differs, if a checksum differs.
    /// - Returns [`VerifyError::Unmet`] if the run does not fulfil an expectation of the replay.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["....", "===="])?, Settings::default());
    /// let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 1)?;
    /// world.spawn(Body::new(Shape::circle(0.25)).at((1.5, 1.5)))?;
    /// for _ in 0..60 {
    ///     world.step();
    ///     recorder.record_tick(&world)?;
    /// }
    /// let replay = recorder.finish_replay(&world)?;
    /// assert_eq!(replay.verify()?.ticks, 60);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify(&self) -> Result<PlaybackSummary, VerifyError> {
        verify_replay(self, None)
    }

    /// Reads a replay from a RON file of at most [`MAX_FILE_SIZE`] bytes.
    ///
    /// If the replay names a map file instead of containing its map, reads that file too.
    ///
    /// # Errors
    /// Returns [`ReplayLoadError`], with the name of the file, if a file cannot be read or is invalid.
    pub fn load(path: impl AsRef<Path>) -> Result<Replay, ReplayLoadError> {
        Replay::load_path(path.as_ref())
    }

    /// [`Replay::load`], compiled once for all types of paths.
    fn load_path(path: &Path) -> Result<Replay, ReplayLoadError> {
        let text = read_expected(path, MAX_FILE_SIZE, "a replay file")?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let replay = Replay::from_ron_with(&text, |map| Map::load(folder.join(map)));
        replay.map_err(|error| error.in_file(path.display().to_string()).into())
    }

    /// Writes the replay to a RON file, completely or not at all.
    ///
    /// An existing file keeps its old content until the new file is complete.
    ///
    /// # Errors
    /// Returns [`WriteError`] if the file cannot be written. No incomplete file is left behind, and an existing file
    /// keeps its content.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), WriteError> {
        write_atomic(path, self.to_ron().as_bytes())
    }
}

impl<I> Recording<I> {
    /// Returns the path of the map that a recording in the file `path` names. `None` if it names none in its folder.
    pub(crate) fn map_path(&self, path: &Path) -> Option<PathBuf> {
        let mut map = path.parent().unwrap_or(Path::new("")).to_owned();
        map.extend(parts_inside_folder(self.map_file()?)?);
        Some(map)
    }
}

impl Playback {
    /// Reads a file and creates a playback at the start of its run: a replay, a recording of commands, or a recording
    /// or a saved game of a [`GameRun`](crate::record::GameRun), which has the commands of the game too.
    ///
    /// The map of a recording is the file that it names, relative to the folder of the recording and in it: see
    /// [`RecordOptions::map_file`](crate::record::RecordOptions::map_file).
    ///
    /// # Errors
    /// Returns [`ReplayLoadError`] if a file cannot be read, or if the recording does not name its map or does not have
    /// the commands of its game.
    pub fn load(path: impl AsRef<Path>) -> Result<Playback, ReplayLoadError> {
        Playback::load_path(path.as_ref())
    }

    /// [`Playback::load`], compiled once for all types of paths.
    fn load_path(path: &Path) -> Result<Playback, ReplayLoadError> {
        if !RecordingFile::is_at(path) {
            return Replay::load(path).map(|replay| Playback::new(&replay));
        }
        let recording = match Recording::<Commands>::load(path) {
            Ok(recording) => recording,
            // The file may be the recording of a game with inputs of its own. Leave out these inputs, and play the
            // commands that the game gave to its world.
            Err(error) => match Recording::<IgnoredAny>::load(path) {
                Ok(recording) => {
                    recording.into_commands().ok_or(ReplayLoadError::NoCommands { path: path.to_owned() })?
                }
                Err(_) => return Err(ReplayLoadError::Recording(Box::new(error))),
            },
        };
        let map = recording.map_path(path).ok_or_else(|| ReplayLoadError::NoMapFile { path: path.to_owned() })?;
        let map = Map::load(map).map_err(|error| ReplayLoadError::Map(Box::new(error)))?;
        let world = recording.new_world_on(map);
        let playback = Playback::of_commands(recording, world);
        playback.map_err(|error| ReplayLoadError::State(Box::new(error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A temporary folder with a folder `sub`, deleted on drop.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("surefoot-replay-{}-{name}", std::process::id()));
            std::fs::create_dir_all(path.join("sub")).unwrap();
            Folder(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_replay_finds_the_map_in_its_folder() {
        let folder = Folder::new("beside");
        let map = r#"Map(format: 1, tiles: ["@..", "==="])"#;
        std::fs::write(folder.0.join("sub/a.ron"), map).unwrap();
        let file = folder.0.join("a.replay.ron");
        let text = r#"Replay(map: File("./sub/a.ron"), ticks: 3,
            bodies: [(name: "a", shape: Circle(0.25), at: Marker("start"))])"#;
        std::fs::write(&file, text).unwrap();
        let replay = Replay::load(&file).unwrap();
        assert_eq!(**replay.map(), Map::from_ron(map).unwrap());
        replay.save(&file).unwrap();
        assert_eq!(Replay::load(&file).unwrap(), replay);
        assert_eq!(crate::replay::verify(&file).unwrap().ticks, 3);
        assert_eq!(replay.verify().unwrap().ticks, 3);

        std::fs::write(folder.0.join("sub/a.ron"), map.replace("===", "q==")).unwrap();
        let message = Replay::load(&file).unwrap_err().to_string();
        assert!(
            message.starts_with(&format!("{}:4:15: the map of the replay cannot be loaded: ", file.display())),
            "{message}"
        );
        assert!(message.contains("a.ron:1:32: unknown symbol 'q'"), "{message}");
        std::fs::remove_file(folder.0.join("sub/a.ron")).unwrap();
        let message = Replay::load(&file).unwrap_err().to_string();
        assert!(
            message.starts_with(&format!("{}:4:15: the map of the replay cannot be loaded: ", file.display())),
            "{message}"
        );
    }

    #[test]
    fn a_changed_map_is_accepted_while_all_bodies_move_as_recorded() {
        use crate::body::Body;
        use crate::motion::Shape;
        use crate::record::{RecordOptions, Recorder};
        use crate::replay::MapSource;
        use crate::world::{Settings, World};
        let folder = Folder::new("changed");
        let map = r#####"Map(format: 1, tiles: ["....", "@...", "####"])"#####;
        let level = folder.0.join("a.ron");
        std::fs::write(&level, map).unwrap();
        let mut world = World::new(Map::load(&level).unwrap(), Settings::default());
        let options = RecordOptions { checksum_interval: 10, positions: true, ..RecordOptions::default() };
        let mut recorder = Recorder::for_replay(&world, MapSource::File("a.ron".to_owned()), options).unwrap();
        let start = world.map().marker("start").unwrap();
        world.spawn(Body::new(Shape::circle(0.25)).at(start).velocity((1.0, 0.0))).unwrap();
        for _ in 0..60 {
            world.step();
            recorder.record_tick(&world).unwrap();
        }
        let file = folder.0.join("a.replay.ron");
        recorder.finish_replay(&world).unwrap().save(&file).unwrap();
        let whole = crate::replay::verify(&file).unwrap();
        assert!(!whole.map_changed && !whole.motion_only);

        // Add a block that the ball does not reach.
        std::fs::write(&level, map.replace("\"....\"", "\"...#\"")).unwrap();
        let summary = crate::replay::verify(&file).unwrap();
        assert!(summary.map_changed && summary.motion_only && summary.compared == whole.compared);
        let changed = Replay::load(&file).unwrap();
        let again = Replay::from_ron_with(&changed.to_ron(), |map| Map::load(folder.0.join(map)));
        assert_eq!(again.unwrap(), changed);

        // Add a block in the path of the ball.
        std::fs::write(&level, map.replace("@...", "@#..")).unwrap();
        let error = crate::replay::verify(&file).unwrap_err();
        let VerifyError::Diverges { divergence, mismatch: Some(mismatch), .. } = &error else { panic!("{error}") };
        // The right side of the ball starts at x = 0.75 and reaches the block at x = 1 after 15 ticks.
        assert_eq!((divergence.tick, mismatch.tick), (20, 20));
        assert_eq!(mismatch.changed, [(1, 1)]);
        assert!(error.to_string().ends_with("; tiles nearby that have changed since the recording: (1, 1)"), "{error}");
        assert!(
            error.to_string().contains("; the map has changed since the recording; after tick 20 the body "),
            "{error}"
        );
        assert_eq!(format!("{error:?}"), error.to_string());
        // A replay in memory has the same error, but without the name of the file.
        let in_memory = Replay::load(&file).unwrap().verify().unwrap_err();
        assert_eq!(format!("{}: {in_memory}", file.display()), error.to_string());
    }

    #[test]
    fn a_map_file_is_loaded_with_its_own_catalogue() {
        use crate::body::Body;
        use crate::motion::Shape;
        use crate::record::Recorder;
        use crate::replay::{MapSource, ToReplayError};
        use crate::world::{Settings, World};
        let folder = Folder::new("catalogue");
        let tiles = "Catalogue(format: 1, patterns: [
            (name: \"full_block\", kind: Solid, paths: [[(0, 16), (16, 16), (16, 0), (0, 0)]]),
            (name: \"ramp\", kind: Solid, paths: [[(0, 0), (16, 4), (16, 0)]])])";
        let map = r##"Map(format: 1, catalogue: "tiles.ron", legend: {'r': "ramp"}, tiles: ["@..", "#.r"])"##;
        std::fs::write(folder.0.join("sub/tiles.ron"), tiles).unwrap();
        std::fs::write(folder.0.join("sub/a.ron"), map).unwrap();
        let map = Map::load(folder.0.join("sub/a.ron")).unwrap();
        let start = map.marker("start").unwrap();
        let mut world = World::new(map, Settings::default());
        let mut recorder = Recorder::for_replay(&world, MapSource::File("sub/a.ron".to_owned()), 1).unwrap();
        world.spawn(Body::new(Shape::circle(0.25)).at(start)).unwrap();
        for _ in 0..5 {
            world.step();
            recorder.record_tick(&world).unwrap();
        }
        let fresh = World::new(world.map().as_ref().clone(), Settings::default());
        let inline = Recorder::for_replay(&fresh, MapSource::Inline, 0);
        assert!(matches!(inline, Err(ToReplayError::OtherCatalogue)));
        let file = folder.0.join("a.replay.ron");
        recorder.finish_replay(&world).unwrap().save(&file).unwrap();
        assert_eq!(crate::replay::verify(&file).unwrap().ticks, 5);
    }

    #[test]
    fn tiles_are_set_by_the_symbols_of_the_map_file() {
        use crate::map::{TileId, TileKind, TileLayer};
        use crate::platform::Platform;
        use crate::record::{Recorder, RecorderError};
        use crate::replay::{MapSource, ToReplayError};
        use crate::world::{Settings, World};
        let folder = Folder::new("painted");
        let map = r#"Map(format: 1, only_this_legend: true, legend: {'x': "full_block", 'y': (tile: "full_block", properties:
            {"ice": true})}, tiles: ["xyx", "xxx"])"#;
        let level = folder.0.join("m.ron");
        std::fs::write(&level, map).unwrap();
        let file = folder.0.join("m.replay.ron");
        let record = |map: Map, kinds: &[TileId]| {
            let mut world = World::new(map, Settings::default());
            let mut recorder = Recorder::for_replay(&world, MapSource::File("m.ron".to_owned()), 1).unwrap();
            world.step();
            recorder.record_tick(&world).unwrap();
            for (x, &kind) in (0..).zip(kinds) {
                world.set_tile(0, (x, 1), kind).unwrap();
            }
            world.step();
            let recorded = recorder.record_tick(&world);
            (recorder.finish_replay(&world).unwrap(), recorded)
        };
        let map = Map::load(&level).unwrap();
        let y = map.find_tile('y').unwrap();
        record(map.clone(), &[TileId::EMPTY, y]).0.save(&file).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("SetTile((0, 1), \"empty\")") && text.contains("SetTile((1, 1), \"y\")"), "{text}");
        assert_eq!(crate::replay::verify(&file).unwrap().ticks, 2);

        // Add two kinds, as a game can. The file has no symbols for them, and the name of their tile stands only for
        // the first kind with that tile.
        let mut parts = map.into_parts();
        let stud = parts.catalogue.find_variant("stud r1").unwrap();
        let added = parts.kinds.len() as u16;
        // No tile kind of the built-in legend equals these two.
        let own = TileKind { properties: parts.kinds[usize::from(y.0)].properties.clone(), ..TileKind::new(stud) };
        parts.kinds.extend([own.clone(), own]);
        let map = Map::from_parts(parts).unwrap();
        let (replay, _) = record(map.clone(), &[TileId(added)]);
        assert!(replay.to_ron().contains("SetTile((0, 1), \"stud\")"), "{}", replay.to_ron());
        // Recording fails at the command with the second kind. The run before it is still a valid replay.
        let (replay, recorded) = record(map.clone(), &[TileId(added), TileId(added + 1)]);
        let Err(RecorderError::Replay { error }) = recorded else { panic!("{recorded:?}") };
        let is_named = |error: &ToReplayError, tick: u64, kind: u16| matches!(error, ToReplayError::NamelessTile { tick: at, tile_id } if (*at, *tile_id) == (tick, TileId(kind)));
        assert!(is_named(&error, 1, added + 1) && replay.ticks() == 1, "{error}");
        assert_eq!(replay.verify().unwrap().compared, 1);

        // A replay writes the tiles of a platform as rows of symbols, and the added kind has no symbol in the map's
        // file. So the recorder refuses the platform.
        let mut world = World::new(map.clone(), Settings::default());
        let layer = TileLayer { cells: vec![TileId(added)], ..TileLayer::new("tiles", 1, 1) };
        let mut recorder = Recorder::for_replay(&world, MapSource::File("m.ron".to_owned()), 1).unwrap();
        let mut inline = Recorder::for_replay(&world, MapSource::Inline, 1).unwrap();
        world.spawn_platform(Platform::new(vec![layer])).unwrap();
        let early = Recorder::for_replay(&world, MapSource::File("m.ron".to_owned()), 1).unwrap_err();
        assert!(is_named(&early, 0, added), "{early}");
        world.step();
        let recorded = recorder.record_tick(&world);
        let Err(RecorderError::Replay { error }) = recorded else { panic!("{recorded:?}") };
        assert!(is_named(&error, 0, added), "{error}");
        inline.record_tick(&world).unwrap();
        let text = inline.finish_replay(&world).unwrap().to_ron();
        assert_eq!(Replay::from_ron(&text).unwrap().verify().unwrap().compared, 1, "{text}");
    }
}

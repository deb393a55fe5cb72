use crate::session::Throwable;
use std::path::PathBuf;
use surefoot::checksum::Checksum;
use surefoot::command::CommandError;
use surefoot::io::{CatalogueLoadError, MapLoadError, WriteError};
use surefoot::map::MapPartsError;
use surefoot::record::Divergence;
use surefoot::replay::{ReplayLoadError, ToReplayError};
use thiserror::Error;

/// Why something that the player asked for was not done. Everything is then as it was.
#[derive(Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The file gives no map.
    #[error(transparent)]
    Map(#[from] MapLoadError),
    /// The file gives no replay.
    #[error(transparent)]
    Replay(#[from] ReplayLoadError),
    /// The file was not written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A replay is being watched, and what it does is settled.
    #[error("a replay is being watched; open its map to play on it")]
    Watching,
    /// What was to be thrown would be in a solid.
    #[error(
        "there is no room for a {kind} at ({x:.2}, {y:.2}): it would be in a solid; throw it from where it is free"
    )]
    InSolid {
        /// What was to be thrown.
        kind: Throwable,
        /// Where, in tiles.
        x: f64,
        /// Where, in tiles.
        y: f64,
    },
    /// The world refuses it.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The legend has no entry for the tile to paint: it is none of the map's catalogue, or there is no room for it.
    #[error("the map's legend has no character for variant {variant}")]
    NotInLegend {
        /// The variant's number.
        variant: u16,
    },
    /// No tick has been stepped since the run began.
    #[error("{}: nothing was saved: the run has no ticks yet; let it run for a moment first", path.display())]
    NoTicks {
        /// The file that was to be written.
        path: PathBuf,
    },
    /// The replay's tiles come from a source that is not in it.
    #[error("{name}: the replay is of a streamed world, whose tiles are not in it; expected a replay on a map")]
    Streamed {
        /// What the replay is called.
        name: String,
    },
    /// There is no body in the replay whose ghost could be shown.
    #[error("the replay has no character; expected one with a character")]
    NoCharacter,
    /// The run cannot be a recording.
    #[error("{}: nothing was saved: {source}", path.display())]
    Record {
        /// The file that was to be written.
        path: PathBuf,
        /// What is wrong.
        source: ToReplayError,
    },
    /// The recorded run, run again, came to another end than the one that was played.
    #[error(
        "{}: nothing was saved: run again, the recorded run comes to checksum {found} after {tick} ticks; expected \
         {expected}",
        path.display()
    )]
    Unlike {
        /// The file that was to be written.
        path: PathBuf,
        /// How many ticks had been stepped.
        tick: u64,
        /// The checksum of what was played.
        expected: Checksum,
        /// The checksum of the run again.
        found: Checksum,
    },
    /// The replay that was made of the run does not run as it did.
    #[error("{}: nothing was saved: {source}", path.display())]
    Diverges {
        /// The file that was to be written.
        path: PathBuf,
        /// Where it differs.
        source: Divergence,
    },
    /// A replay cannot hold a map of a catalogue of its own, and the map as the run began on it is in no file that the
    /// replay could name.
    #[error(
        "{}: nothing was saved: the map has a catalogue of its own, so the replay has to name the map's file; save the map \
         and restart, and save the replay in the folder of {} or above it",
        path.display(),
        map.as_ref().map_or_else(|| "that file".to_owned(), |map| map.display().to_string())
    )]
    MapNotBelow {
        /// The file that was to be written.
        path: PathBuf,
        /// The map's file, if it has one.
        map: Option<PathBuf>,
    },
    /// The map has tiles of a catalogue that is in no file.
    #[error("{}: nothing was saved: the map has a catalogue of its own that is in no file", path.display())]
    NoCatalogueFile {
        /// The file that was to be written.
        path: PathBuf,
    },
    /// The map names a catalogue that is not where it would look for it.
    #[error("{}: nothing was saved: the map needs its catalogue {catalogue:?} in its folder: {source}", path.display())]
    CatalogueElsewhere {
        /// The file that was to be written.
        path: PathBuf,
        /// The catalogue as the map names it.
        catalogue: String,
        /// Why it is not there.
        source: CatalogueLoadError,
    },
    /// The map would find another catalogue where it looks for its own.
    #[error("{}: nothing was saved: {catalogue:?} in that folder is another catalogue than the map's", path.display())]
    OtherCatalogue {
        /// The file that was to be written.
        path: PathBuf,
        /// The catalogue as the map names it.
        catalogue: String,
    },
    /// The tiles as they are now are no map.
    #[error("{}: nothing was saved: {source}", path.display())]
    Tiles {
        /// The file that was to be written.
        path: PathBuf,
        /// What is wrong.
        source: MapPartsError,
    },
}

surefoot::geometry::debug_is_display!(PlayError);

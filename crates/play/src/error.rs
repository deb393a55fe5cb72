use crate::session::Throwable;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use surefoot::checksum::Checksum;
use surefoot::command::CommandError;
use surefoot::io::{CatalogueLoadError, MapLoadError, WriteError};
use surefoot::map::MapPartsError;
use surefoot::record::Divergence;
use surefoot::replay::{ReplayLoadError, ToReplayError};
use surefoot_import::ImportError;
use surefoot_link::RunLinkError;
use thiserror::Error;

/// An error of an action of the player. The session is unchanged.
#[derive(Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The file is not a valid map.
    #[error(transparent)]
    Map(#[from] MapLoadError),
    /// The file is not a valid level of an editor.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The file is not a valid replay.
    #[error(transparent)]
    Replay(#[from] ReplayLoadError),
    /// The link is damaged, or the run cannot be put into a link.
    #[error(transparent)]
    Link(#[from] RunLinkError),
    /// The file was not written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The file belongs to an editor: maps and replays are written in RON.
    #[error("{}: nothing was saved: a file of an editor is not overwritten; expected a name that ends in .ron", path.display())]
    EditorFile {
        /// The file that was not written.
        path: PathBuf,
    },
    /// A watched replay cannot be changed.
    #[error("a replay is being watched; open its map to play on it")]
    Watching,
    /// A game with rules of its own cannot be changed or saved as a replay.
    #[error("the level is a game with rules of its own; it cannot be changed here")]
    HasRules,
    /// A game with rules of its own did not start.
    #[error("{}: the game does not start: {reason}", path.display())]
    Rules {
        /// The file of the map.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// The run of a game with rules of its own is not that of a game here, or cannot be recorded.
    #[error("{}: {reason}", path.display())]
    Run {
        /// The file or the name of the run.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// The thrown body would overlap a solid.
    #[error(
        "there is no room for a {kind} at ({x:.2}, {y:.2}): it would be in a solid; throw it from where it is free"
    )]
    InSolid {
        /// The thrown object.
        kind: Throwable,
        /// Position in tiles.
        x: f64,
        /// Position in tiles.
        y: f64,
    },
    /// The world refused the command.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The legend has no entry for the tile to paint, and no room for another.
    #[error("the map's legend has no character for variant {variant}")]
    NotInLegend {
        /// Index of the variant.
        variant: u16,
    },
    /// The brush places a thing that needs a name.
    #[error("the area or body has no name yet; press E and type one")]
    NoName,
    /// The cell is too far beyond the map for the map to grow to it.
    #[error(
        "the cell is {distance} tiles beyond the map; the map grows by at most {limit} at once: build closer to it"
    )]
    FarFromMap {
        /// Distance of the cell from the map, in tiles.
        distance: i64,
        /// Maximum distance.
        limit: i32,
    },
    /// The edited map would be invalid.
    #[error("the map is unchanged: {source}")]
    Edit {
        /// The cause.
        source: MapPartsError,
    },
    /// No tick has been stepped since the run began.
    #[error("{}: nothing was saved: the run has no ticks yet; let it run for a moment first", path.display())]
    NoTicks {
        /// The file that was not written.
        path: PathBuf,
    },
    /// The replay is of a streamed world, and does not contain its tiles.
    #[error("{name}: the replay is of a streamed world, whose tiles are not in it; expected a replay on a map")]
    Streamed {
        /// Name of the replay.
        name: String,
    },
    /// The replay has no character to show as a ghost.
    #[error("the replay has no character; expected one with a character")]
    NoCharacter,
    /// The run cannot be converted to a replay.
    #[error("{}: nothing was saved: {source}", path.display())]
    Record {
        /// The file that was not written.
        path: PathBuf,
        /// The cause.
        source: ToReplayError,
    },
    /// Repeating the recorded run gave another final state than the played run.
    #[error(
        "{}: nothing was saved: run again, the recorded run comes to checksum {found} after {tick} ticks; expected \
         {expected}",
        path.display()
    )]
    Unlike {
        /// The file that was not written.
        path: PathBuf,
        /// Number of ticks.
        tick: u64,
        /// Checksum of the played run.
        expected: Checksum,
        /// Checksum of the repeated run.
        found: Checksum,
    },
    /// The replay diverges from the run.
    #[error("{}: nothing was saved: {source}", path.display())]
    Diverges {
        /// The file that was not written.
        path: PathBuf,
        /// The divergence.
        source: Divergence,
    },
    /// A replay cannot contain a map with its own catalogue, and no file that the replay could name contains the map.
    #[error(
        "{}: nothing was saved: the map has a catalogue of its own, so the replay has to name the map's file; save the map \
         and restart, and save the replay in the folder of {} or above it",
        path.display(),
        map.as_ref().map_or_else(|| "that file".to_owned(), |map| map.display().to_string())
    )]
    MapNotBelow {
        /// The file that was not written.
        path: PathBuf,
        /// The map's file, if it has one.
        map: Option<PathBuf>,
    },
    /// The map has its own catalogue, which is not in a file.
    #[error("{}: nothing was saved: the map has a catalogue of its own that is in no file", path.display())]
    NoCatalogueFile {
        /// The file that was not written.
        path: PathBuf,
    },
    /// The catalogue that the map names is not in the target folder.
    #[error("{}: nothing was saved: the map needs its catalogue {catalogue:?} in its folder: {source}", path.display())]
    CatalogueElsewhere {
        /// The file that was not written.
        path: PathBuf,
        /// Path of the catalogue in the map.
        catalogue: String,
        /// The cause.
        source: CatalogueLoadError,
    },
    /// The target folder contains a different catalogue under the name that the map uses.
    #[error("{}: nothing was saved: {catalogue:?} in that folder is another catalogue than the map's", path.display())]
    OtherCatalogue {
        /// The file that was not written.
        path: PathBuf,
        /// Path of the catalogue in the map.
        catalogue: String,
    },
    /// The current tiles are not a valid map.
    #[error("{}: nothing was saved: {source}", path.display())]
    Tiles {
        /// The file that was not written.
        path: PathBuf,
        /// The cause.
        source: MapPartsError,
    },
}

surefoot::geometry::debug_is_display!(PlayError);

/// Returns the error of a file in a player's words: the name of the file, `verdict`, the line, and the reason.
///
/// The errors of files begin with the path, often with line and column, as compilers write them.
pub(crate) fn describe_file_error(error: &dyn Display, verdict: &str) -> String {
    let text = error.to_string();
    let Some((place, reason)) = text.split_once(": ") else { return text };
    let mut parts = place.rsplitn(3, ':');
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = [parts.next(), parts.next()].map(|part| part.filter(is_number));
    let (path, position) = match (numbers, parts.next()) {
        ([Some(column), Some(line)], Some(path)) => (path, format!("line {line}, column {column}: ")),
        _ => (place, String::new()),
    };
    let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
    format!("{name} {verdict}: {position}{reason}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_files_begin_with_what_is_wrong() {
        for (error, expected) in [
            ("maps/first.ron:12:7: no: end", "first.ron cannot be opened: line 12, column 7: no: end"),
            ("C:\\a b:1:2: no", "C:\\a b cannot be opened: line 1, column 2: no"),
            ("/a:1/level.tmx: no file", "level.tmx cannot be opened: no file"),
            ("no memory", "no memory"),
        ] {
            assert_eq!(describe_file_error(&error, "cannot be opened"), expected);
        }
    }
}

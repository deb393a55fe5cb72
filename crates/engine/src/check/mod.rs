//! Everything that is wrong with a map, a catalogue or a replay, for those who write them.
//!
//! Loading stops at the first mistake. What is here goes on after it: a text that is no RON any more is read on at the
//! next comma or bracket, a value of another type is left out, and the rest is checked as if nothing had happened. What
//! follows from a mistake that is told is not told again. A text that loads gives an empty report, and one that does
//! not gives at least one [`Diagnostic`].
//!
//! ```
//! use surefoot::check::check_text;
//!
//! let report = check_text("Map(format: 1, tiles: [\"..q\"], legend: {'x': \"slop_45\"}, origin: (0.5, 0))");
//! let lines: Vec<String> = report.diagnostics.iter().map(|diagnostic| diagnostic.to_string()).collect();
//! assert_eq!(lines[0], "line 1, column 27: unknown character 'q' in row 1; \
//!     the legend has no entry for it; add it to `legend`");
//! assert_eq!(lines[1], "line 1, column 46: legend entry 'x': no pattern is named `slop_45`; did you mean `slope_45`?");
//! assert_eq!(lines[2], "line 1, column 67: expected an integer; found `0.5`");
//! ```

mod doubts;
mod files;
mod gather;
#[cfg(test)]
mod law;
mod report;
mod words;

pub use files::{Checked, check_file};
pub use report::{Diagnostic, FileKind, Report};

use crate::catalogue::Catalogue;
use crate::io::LoadError;
use crate::map::{Limits, Map, map_with};
use crate::replay::Replay;
use gather::Strict;
use std::path::Path;

/// Gives the map of a path that a replay names: relative, without `..` and with `/` between its parts.
pub type MapLoader<'a> = &'a mut dyn FnMut(&str) -> Result<Map, LoadError>;

/// Checks a text that is a map, a catalogue or a replay, which is told from what is in it.
///
/// A replay whose map is a file is wrong here, since there are no files; see [`check_text_with`].
#[must_use]
pub fn check_text(text: &str) -> Report {
    check(text, None, None, None)
}

/// As [`check_text`], for replays whose map may be a file.
#[must_use]
pub fn check_text_with(text: &str, load: MapLoader<'_>) -> Report {
    check(text, None, Some(load), None)
}

/// Checks the text of a map of the built-in catalogue: what [`Map::from_ron`] reads.
#[must_use]
pub fn check_map(text: &str) -> Report {
    check(text, Some(FileKind::Map), None, None)
}

/// Checks the text of a catalogue: what [`Catalogue::from_ron`] reads.
#[must_use]
pub fn check_catalogue(text: &str) -> Report {
    check(text, Some(FileKind::Catalogue), None, None)
}

/// Checks the text of a replay: what [`Replay::from_ron_with`] reads, or [`Replay::from_ron`] without a loader.
#[must_use]
pub fn check_replay(text: &str, load: Option<MapLoader<'_>>) -> Report {
    check(text, Some(FileKind::Replay), load, None)
}

/// `path` is that of the text's file, if it has one.
fn check(text: &str, kind: Option<FileKind>, mut load: Option<MapLoader<'_>>, path: Option<&Path>) -> Report {
    let (text, before) = match text.strip_prefix('\u{feff}') {
        Some(rest) => (rest, '\u{feff}'.len_utf8()),
        None => (text, 0),
    };
    let kind = kind.or_else(|| gather::kind_of(text));
    let strict = match kind {
        Some(FileKind::Map) => {
            let find = |named: Option<&str>, at: &dyn Fn(_) -> _| gather::catalogue_of(named, path, at);
            map_with::<LoadError>(text, &Limits::default(), find).err().map(Strict::from)
        }
        Some(FileKind::Catalogue) => Catalogue::from_ron(text).err().and_then(Strict::of_catalogue),
        Some(FileKind::Replay) => {
            let read = match &mut load {
                Some(load) => Replay::from_ron_with(text, &mut **load),
                None => Replay::from_ron(text),
            };
            read.err().map(Strict::from)
        }
        None => Some(Strict::of_unknown_kind()),
    };
    let Some(strict) = strict else { return Report { kind, ..Report::default() } };
    let mut found = if strict.is_all { gather::Found::default() } else { gather::all(text, kind, load, path) };
    found.add_if_missed(text, strict);
    Report::new(kind, text, before, found)
}

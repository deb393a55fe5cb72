//! Finds all mistakes in a map, a catalogue (tile shapes) or a replay, for tools and editors.
//!
//! Loading reports only the first mistake. The functions of this module report all mistakes, in the order of the text:
//!
//! - A value of the wrong type is reported, and the rest of the text is checked without that value.
//! - Where possible, a mistake that follows from another one is not reported.
//! - If the text stops being valid RON, the report ends with that mistake.
//!
//! A text that loads has an empty report. A text that does not load has at least one [`Diagnostic`].
//!
//! ```
//! use surefoot::check;
//!
//! let report = check::text("Map(format: 1, tiles: [\"..q\"], legend: {'x': \"slop_45\"}, origin: (0.5, 0))");
//! let lines: Vec<String> = report.diagnostics.iter().map(|diagnostic| diagnostic.to_string()).collect();
//! assert_eq!(lines[0], "line 1, column 27: unknown symbol 'q' in row 1; \
//!     expected a symbol of the legend; add 'q' to `legend`");
//! assert_eq!(lines[1], "line 1, column 46: legend entry 'x': no pattern is named `slop_45`; did you mean `slope_45`?");
//! assert_eq!(lines[2], "line 1, column 67: expected an integer; found `0.5`");
//! ```

mod files;
mod report;
#[cfg(test)]
mod tests;

pub use files::{CheckedFile, file};
pub use report::{Diagnostic, FileKind, Report};

use crate::replay::parse as replay_parse;
use crate::text::{Diagnosed, FormError, Mistakes, Node, Reader, Shape, name_hint};
use crate::tiles::catalogue::{Catalogue, format as catalogue_format};
use crate::tiles::io::{MapFault, load_named_catalogue};
use crate::tiles::map::{MapErrorKind, MapLimits, parse as map_parse};
use report::{DescribeMistake, MistakeText};
use std::path::Path;
use std::sync::Arc;

/// Returns all mistakes in `text`: a map, a catalogue or a replay. The content of `text` shows which of the three it
/// is.
///
/// The function reads no files. So a map that names a catalogue file is reported as a mistake, and so is a replay that
/// names a map file. Use [`file()`] for those.
#[must_use]
pub fn text(text: &str) -> Report {
    check_text(text, None, None, None)
}

/// Returns all mistakes in `text` as a file of this `kind`, even if the content looks like another kind.
///
/// The report is empty exactly if the text can be loaded: by `from_ron` of [`Map`](crate::map::Map), [`Catalogue`] or
/// [`Replay`](crate::replay::Replay), whichever `kind` names.
#[must_use]
pub fn text_as(kind: FileKind, text: &str) -> Report {
    check_text(text, Some(kind), None, None)
}

/// Checks a text of the given kind, or of a kind that is guessed. `path` is the path of the text's file, if it has
/// one.
fn check_text(
    text: &str,
    kind: Option<FileKind>,
    load: Option<replay_parse::Loader<'_>>,
    path: Option<&Path>,
) -> Report {
    let (text, before) = match text.strip_prefix('\u{feff}') {
        Some(rest) => (rest, '\u{feff}'.len_utf8()),
        None => (text, 0),
    };
    let kind = kind.or_else(|| detect_kind(text));
    let told = match kind {
        Some(FileKind::Map) => {
            let find = |named: Option<&str>| load_catalogue(named, path);
            describe_mistakes_and_count_more(
                map_parse::read_map_text::<MapFault>(text, &MapLimits::default(), Report::MAX, find).err(),
            )
        }
        Some(FileKind::Catalogue) => {
            describe_mistakes_and_count_more(catalogue_format::read_catalogue_text(text).err())
        }
        Some(FileKind::Replay) => {
            describe_mistakes_and_count_more(replay_parse::read_replay(text, Report::MAX, load).err())
        }
        None => describe_unknown_kind(text),
    };
    Report::new(kind, text, before, told)
}

/// Returns the mistakes as text, and the number of further mistakes.
fn describe_mistakes_and_count_more<K: DescribeMistake>(mistakes: Option<Mistakes<K>>) -> (Vec<MistakeText>, usize) {
    let Some(Mistakes { list, more }) = mistakes else { return (Vec::new(), 0) };
    (list.into_iter().map(|Diagnosed { span, kind }| MistakeText::new(span, &kind)).collect(), more)
}

/// Returns the catalogue that a map names, or the built-in one. `path` is the file of the map, if it has one.
fn load_catalogue(named: Option<&str>, path: Option<&Path>) -> Result<Arc<Catalogue>, MapFault> {
    match (named, path) {
        (None, _) => Ok(Catalogue::builtin()),
        (Some(named), Some(path)) => load_named_catalogue(path, named),
        (Some(named), None) => Err(MapErrorKind::NoFolder { path: named.to_owned() }.into()),
    }
}

const KIND_NAMES: [(&str, FileKind); 3] =
    [("Map", FileKind::Map), ("Catalogue", FileKind::Catalogue), ("Replay", FileKind::Replay)];

/// Guesses the kind of a text from the name of its struct, else from its fields.
fn detect_kind(text: &str) -> Option<FileKind> {
    const FIELDS: [(FileKind, &[&str]); 3] = [
        (FileKind::Catalogue, &["patterns"]),
        (FileKind::Replay, &["map", "ticks", "bodies", "inputs", "commands", "checksums"]),
        (FileKind::Map, &["tiles", "layers", "legend", "markers", "border"]),
    ];
    let tree = Reader::new(text).tree;
    let root = tree.root()?;
    let by_name = KIND_NAMES.iter().find(|(known, _)| *known == root.name()).map(|&(_, kind)| kind);
    by_name.or_else(|| {
        let has = |fields: &[&str]| fields.iter().any(|field| tree.field(root, field).is_some());
        FIELDS.iter().find(|(_, fields)| has(fields)).map(|&(kind, _)| kind)
    })
}

/// Returns the one mistake of a text that is not a map, a catalogue or a replay.
fn describe_unknown_kind(text: &str) -> (Vec<MistakeText>, usize) {
    let reader = Reader::checked(text);
    let root = reader.tree.root();
    let told = |span, message: &str, hint: &str| {
        let (message, hint) = (message.to_owned(), hint.to_owned());
        (vec![MistakeText { span, code: "unknown_kind".to_owned(), message, hint, drawing: None }], 0)
    };
    let Some(root) = root else {
        return match reader.faults.first() {
            Some(&(span, FormError::Truncated { .. })) if Node::new(text).slice().is_empty() => {
                told(span, "the file ends here", "expected a map, a catalogue or a replay")
            }
            _ => told((0, text.chars().next().map_or(0, char::len_utf8)), UNKNOWN_KIND, EXPECTED_BEGINNINGS),
        };
    };
    let name = root.name();
    let start = text.len() - root.slice().len();
    let first = root.slice().chars().next().map_or(0, char::len_utf8);
    // Mark the name, or the first character if there is no name.
    let known = KIND_NAMES.map(|(known, _)| known);
    let span = (start, start + if name.is_empty() { first } else { root.name_len() });
    match root.shape() {
        Shape::Map => told(
            span,
            UNKNOWN_KIND,
            "expected a text in RON that begins with `Map(`, `Catalogue(` or `Replay(`, not in JSON",
        ),
        _ if name.is_empty() => told(span, UNKNOWN_KIND, EXPECTED_BEGINNINGS),
        _ => {
            let message = format!("`{name}` is not a map, a catalogue or a replay");
            told(span, &message, name_hint(name, &known).trim_start_matches("; "))
        }
    }
}

/// Message and hint for a text that has no name.
const UNKNOWN_KIND: &str = "the text is not a map, a catalogue or a replay";
const EXPECTED_BEGINNINGS: &str = "expected a text that begins with `Map(`, `Catalogue(` or `Replay(`";

//! What the RON reader complains of, with the place and the words that help the author of a file.

use super::locate::{Step, ends_at, first_name, locate};
use ron::Error;
use ron::error::{Position, SpannedError};
use std::borrow::Cow;

/// The line and column, from 1, of what is wrong.
pub(crate) fn position(text: &str, error: &SpannedError) -> (u32, u32) {
    let SpannedError { code, span } = error;
    if let Error::MissingStructField { field: "format", outer: Some(outer) } = code {
        // It comes first, in the file or in the map that a replay holds.
        let within = if first_name(text) == outer { &[][..] } else { &[Step::Field("map"), Step::Item(0)] };
        return locate(text, within);
    }
    let Position { line, col } = match code {
        // What is wrong has been read already: its beginning.
        Error::NoSuchStructField { .. }
        | Error::DuplicateStructField { .. }
        | Error::MissingStructField { .. }
        | Error::NoSuchEnumVariant { .. }
        | Error::ExpectedDifferentStructName { .. }
        | Error::InvalidValueForType { .. }
        | Error::IntegerOutOfBounds
        | Error::UnclosedBlockComment
        | Error::Message(_) => span.start,
        Error::InvalidEscape(_) => backslash_before(text, span.end),
        // Something else should stand where the reader is.
        _ => span.end,
    };
    (line as u32, col as u32)
}

/// Whether the reader wants more where the text ends, at a line and column that [`position`] gave.
pub(crate) fn ends_early(text: &str, error: &Error, (line, column): (u32, u32)) -> bool {
    match error {
        // It begins there and is never closed.
        Error::ExpectedStringEnd | Error::UnclosedBlockComment => false,
        Error::Eof => true,
        _ => ends_at(text, line, column),
    }
}

/// The last backslash of a line before a column.
fn backslash_before(text: &str, at: Position) -> Position {
    let line = text.split('\n').nth(at.line.saturating_sub(1)).unwrap_or_default();
    let before: Vec<char> = line.chars().take(at.col.saturating_sub(1)).collect();
    let column = before.iter().rposition(|&c| c == '\\').map_or(at.col, |i| i + 1);
    Position { line: at.line, col: column }
}

/// The reader's words, with what to do about the usual slips.
pub(crate) fn describe(error: &Error) -> Cow<'static, str> {
    match error {
        Error::InvalidEscape(_) => {
            format!("{error}; expected rows with a backslash to be raw strings, such as r\"/..\\\"").into()
        }
        Error::ExpectedChar => "expected a single character, such as 'x'".into(),
        Error::ExceededRecursionLimit => "brackets too deep in each other; expected at most 32 of them".into(),
        Error::ExpectedStringEnd => {
            "the text that begins here is not closed; expected its quote before the file ends".into()
        }
        Error::UnclosedBlockComment => "a comment is not closed; expected `*/` before the file ends".into(),
        Error::IntegerOutOfBounds => "an integer that its place cannot hold; expected one nearer to 0".into(),
        Error::MissingStructField { field, outer: Some(outer) } => format!("`{field}` is missing in `{outer}`").into(),
        Error::MissingStructField { field, outer: None } => format!("`{field}` is missing").into(),
        Error::ExpectedDifferentLength { expected, found } => format!("expected {expected}; found {found}").into(),
        Error::ExpectedDifferentStructName { expected, found } => match (kind(expected), kind(found)) {
            (Some(expected), Some(found)) => format!("this is a {found}; expected a {expected}").into(),
            _ => error.to_string().into(),
        },
        _ => error.to_string().into(),
    }
}

/// What a file is whose first word is that.
pub(super) fn kind(name: &str) -> Option<&'static str> {
    match name {
        "Map" => Some("map"),
        "Catalogue" => Some("catalogue"),
        "Replay" => Some("replay"),
        _ => None,
    }
}

/// What the reader misses where the file ends.
pub(crate) fn describe_end(error: &Error) -> Cow<'static, str> {
    let words = describe(error);
    match words.strip_prefix("Expected ").or_else(|| words.strip_prefix("expected ")) {
        Some(expected) => format!("the file ends here; expected {expected}").into(),
        None => "the file ends here; expected more of it".into(),
    }
}

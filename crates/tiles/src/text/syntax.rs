//! Errors of the RON reader, with positions and words that help the author of a file.

use super::node::{Node, skip_space, unclosed_comment_start};
use super::tree::{Tree, byte_offset_of, line_and_column};
use ron::Error;
use ron::error::{Position, SpannedError};
use std::borrow::Cow;

/// Returns the position of an error in a text, in bytes.
pub(super) fn error_position(text: &str, SpannedError { code, span }: &SpannedError) -> usize {
    let Position { line, col } = match code {
        // For these errors, the reader has already read past the error. Use the start of the span.
        Error::NoSuchStructField { .. }
        | Error::DuplicateStructField { .. }
        | Error::MissingStructField { .. }
        | Error::NoSuchEnumVariant { .. }
        | Error::ExpectedDifferentStructName { .. }
        | Error::InvalidValueForType { .. }
        | Error::IntegerOutOfBounds
        | Error::Message(_) => span.start,
        // Here the reader has stopped where something else is expected. Use the end of the span.
        _ => span.end,
    };
    let at = byte_offset_of(text, (line, col));
    if matches!(code, Error::UnclosedBlockComment) {
        let root = Tree::new(text).root().map_or(text, Node::slice);
        return text.len() - root.len() + unclosed_comment_start(root);
    }
    // Report an invalid escape at its backslash.
    let escape = matches!(code, Error::InvalidEscape(_));
    text[..at].rfind('\\').filter(|_| escape).unwrap_or(at)
}

/// Returns the line and column of an error in a text, from 1.
pub fn error_line_and_column(text: &str, error: &SpannedError) -> (u32, u32) {
    line_and_column(&text.as_bytes()[..error_position(text, error)])
}

/// Returns whether the reader expects more at the end of the text. `rest` is the text from the error on.
pub(super) fn is_truncated(rest: &str, error: &Error) -> bool {
    match error {
        // The mistake is where the string or comment starts, not at the end of the text.
        Error::ExpectedStringEnd | Error::UnclosedBlockComment => false,
        Error::Eof => true,
        _ => skip_space(rest).is_empty(),
    }
}

/// Returns the reader's message, with advice for common mistakes.
pub fn describe_ron_error(error: &Error) -> Cow<'static, str> {
    match error {
        Error::InvalidEscape(_) => {
            "unknown escape after a backslash; expected a raw string for a text with backslashes, such as r\"/..\\\""
                .into()
        }
        Error::ExceededRecursionLimit => "brackets are nested too deep; expected fewer levels".into(),
        Error::ExpectedStringEnd => {
            "the text that begins here is not closed; expected a closing quote before the file ends".into()
        }
        Error::UnclosedBlockComment => "a comment is not closed; expected `*/` before the file ends".into(),
        Error::IntegerOutOfBounds => "integer is out of range; expected a number nearer to 0".into(),
        Error::MissingStructField { field, outer: Some(outer) } => format!("`{field}` is missing in `{outer}`").into(),
        Error::MissingStructField { field, outer: None } => format!("`{field}` is missing").into(),
        Error::ExpectedDifferentLength { expected, found } => format!("expected {expected}; found {found}").into(),
        Error::ExpectedComma => "expected a comma".into(),
        Error::ExpectedChar => "expected a single character in single quotes, such as 'x'".into(),
        Error::ExpectedInteger => "expected an integer".into(),
        Error::ExpectedMapColon => "expected a colon".into(),
        Error::ExpectedIdentifier => "expected the name of a field or a variant".into(),
        Error::UnexpectedChar(_) => "expected a value or a closing bracket".into(),
        Error::TrailingCharacters => {
            "more text follows after the end of the value; expected the end of the file".into()
        }
        _ => {
            let words = error.to_string();
            words.strip_prefix("Expected ").map(|rest| format!("expected {rest}")).unwrap_or(words).into()
        }
    }
}

use super::near::{name_hint, name_hint_listing_up_to};
use super::syntax::describe_ron_error;
use crate::told::{count_with_name, named_variants};
use ron::Error;
use std::borrow::Cow;
use std::fmt;

/// Error in the form of a RON text: the text is not RON, a value has the wrong type, or a field is unknown or missing.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum FormError {
    /// The text stops being valid RON at the position of the error.
    Syntax {
        /// Message of the RON reader.
        error: Box<Error>,
        /// Word or character at the position of the error. Empty if there is none, such as at the end of the text.
        found: String,
        /// Innermost bracket that is still open at the error, with the line of the bracket from 1. `None` if no
        /// bracket is open.
        open: Option<(char, u32)>,
    },
    /// The text ends too early, for example inside a bracket that is still open.
    Truncated {
        /// Message of the RON reader.
        error: Box<Error>,
        /// Innermost bracket that is still open at the end, with the line of the bracket from 1. `None` if no bracket
        /// is open.
        open: Option<(char, u32)>,
    },
    /// A value has the wrong type, such as a text in place of a number.
    Type {
        /// The expected type, such as "an integer".
        expected: String,
        /// The value found, in words.
        found: String,
        /// Likely correction. Empty if there is none.
        hint: String,
    },
    /// A number is out of the range that its field allows.
    Range {
        /// The number as it is written in the text.
        found: String,
        /// The allowed range, in words.
        expected: String,
    },
    /// A struct has another name than expected, such as `Catalogue(...)` instead of `Map(...)`.
    Name {
        /// The expected name.
        expected: &'static str,
        /// The name in the text.
        found: String,
    },
    /// A name is not one of the names that are allowed here, such as `Opne` instead of `Open`.
    UnknownName {
        /// The unknown name.
        name: String,
        /// All names that are allowed here.
        known: &'static [&'static str],
    },
    /// A struct has a field that does not exist.
    UnknownField {
        /// Name of the unknown field.
        field: String,
        /// Name of the struct.
        of: &'static str,
        /// Possible corrections: the fields of the struct that the text does not have yet.
        known: Vec<&'static str>,
    },
    /// A struct has the same field twice.
    RepeatedField {
        /// Name of the repeated field.
        field: &'static str,
        /// Name of the struct.
        of: &'static str,
    },
    /// A required field of a struct is missing.
    MissingField {
        /// Name of the missing field.
        field: &'static str,
        /// Name of the struct.
        of: &'static str,
    },
    /// A name has too many or too few values in parentheses after it, such as `Aabb(1.0)` instead of `Aabb(1.0, 2.0)`.
    Length {
        /// The name before the parentheses.
        of: &'static str,
        /// Maximum number of values in the parentheses.
        expected: usize,
        /// Number of values in the text. `None` if the parentheses have named fields instead.
        found: Option<usize>,
        /// The expected values, with an example.
        hint: &'static str,
    },
}

named_variants! {
    FormError:
        Syntax Truncated Type Range Name UnknownName UnknownField RepeatedField MissingField Length
}

impl FormError {
    /// Returns the message without the hint.
    pub fn message(&self) -> Cow<'static, str> {
        match self {
            FormError::Syntax { error, found, .. } => match split_at_semicolon(&describe_ron_error(error)) {
                (message, "") if message.starts_with("expected") && !found.is_empty() => {
                    format!("{message}; found `{found}`").into()
                }
                (message, _) => message.to_owned().into(),
            },
            FormError::Truncated { .. } => "the file ends here".into(),
            FormError::Type { expected, found, .. } => format!("expected {expected}; found {found}").into(),
            FormError::Range { found, .. } => format!("`{found}` is out of range").into(),
            FormError::Name { expected, found } => {
                match (file_kind_of_first_word(expected), file_kind_of_first_word(found)) {
                    (Some(expected), Some(found)) => format!("found a {found}; expected a {expected}").into(),
                    _ => format!("expected `{expected}`; found `{found}`").into(),
                }
            }
            FormError::UnknownName { name, .. } => format!("unknown name `{name}`").into(),
            FormError::UnknownField { field, of, .. } => {
                format!("unknown field `{field}`{}", in_field_suffix(of)).into()
            }
            FormError::RepeatedField { field, of } => {
                format!("field `{field}` occurs twice{}", in_field_suffix(of)).into()
            }
            FormError::MissingField { field, of } => format!("`{field}` is missing{}", in_field_suffix(of)).into(),
            FormError::Length { of, expected: 0, .. } => format!("`{of}` takes no values").into(),
            FormError::Length { of, found: Some(0), .. } => format!("`{of}` has no values").into(),
            FormError::Length { of, found, .. } => {
                let found = found.map_or_else(|| "fields".to_owned(), |found| count_with_name(found, "value"));
                format!("`{of}` has {found} in its parentheses").into()
            }
        }
    }

    /// Returns the expected value or a suggestion for the user. Empty if [`FormError::message`] says it already.
    pub fn hint(&self) -> Cow<'static, str> {
        match self {
            FormError::Type { hint, .. } => hint.clone().into(),
            FormError::Range { expected, .. } => format!("expected {expected}").into(),
            // List all names, because the author of the file finds the names of an enum nowhere else.
            FormError::UnknownName { name, known } => {
                without_semicolon(name_hint_listing_up_to(usize::MAX, name, known))
            }
            FormError::UnknownField { field, known, .. } => match without_semicolon(name_hint(field, known)) {
                hint if known.contains(&"properties") && !hint.starts_with("did you mean") => {
                    format!("{hint}; put data of your game into `properties`").into()
                }
                hint => hint,
            },
            FormError::RepeatedField { .. } => "expected each field once".into(),
            FormError::MissingField { field: "format", .. } => "expected `format: 1`".into(),
            FormError::MissingField { field, .. } => format!("expected `{field}: ...` before this point").into(),
            FormError::Length { of, expected: 0, .. } => format!("expected `{of}` without parentheses").into(),
            FormError::Length { hint, .. } => format!("expected {hint}").into(),
            FormError::Syntax { error, open, .. } => match (split_at_semicolon(&describe_ron_error(error)).1, open) {
                ("", &Some((open, line))) => format!("the `{open}` of line {line} is still open").into(),
                (hint, _) => hint.to_owned().into(),
            },
            FormError::Truncated { open: Some((open, line)), .. } => {
                let close = match open {
                    '(' => ')',
                    '[' => ']',
                    _ => '}',
                };
                format!("expected `{close}` to close the `{open}` of line {line}").into()
            }
            FormError::Truncated { error, .. } => match &*describe_ron_error(error) {
                words if words.starts_with("expected ") => words.to_owned().into(),
                _ => "expected more text".into(),
            },
            FormError::Name { .. } => "".into(),
        }
    }
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())?;
        match &*self.hint() {
            "" => Ok(()),
            hint => write!(f, "; {hint}"),
        }
    }
}

impl std::error::Error for FormError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FormError::Syntax { error, .. } | FormError::Truncated { error, .. } => Some(&**error),
            _ => None,
        }
    }
}

fn in_field_suffix(of: &str) -> String {
    if of.is_empty() { String::new() } else { format!(" in `{of}`") }
}

/// Returns a hint without the semicolon at its start.
fn without_semicolon(hint: Cow<'static, str>) -> Cow<'static, str> {
    hint.trim_start_matches("; ").to_owned().into()
}

/// Returns the kind of file whose first word is `name`.
fn file_kind_of_first_word(name: &str) -> Option<&'static str> {
    match name {
        "Map" => Some("map"),
        "Catalogue" => Some("catalogue"),
        "Replay" => Some("replay"),
        _ => None,
    }
}

/// Splits words at the first semicolon that is not inside quotes.
pub fn split_at_semicolon(words: &str) -> (&str, &str) {
    let mut quote = None;
    let mut escaped = false;
    for (i, c) in words.char_indices() {
        match quote {
            _ if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            // An apostrophe within a word does not open a quote.
            None if c == '\'' && words[..i].ends_with(char::is_alphanumeric) => {}
            None if matches!(c, '"' | '`' | '\'') => quote = Some(c),
            None if words[i..].starts_with("; ") => return (&words[..i], &words[i + 2..]),
            None => {}
        }
    }
    (words, "")
}

use crate::catalogue::CatalogueErrorKind;
use crate::map::{MapErrorKind, MapPartsError};
use crate::replay::ReplayErrorKind;
use crate::text::{FormError, line_and_column, split_at_semicolon};
use crate::tiles::catalogue::format::Shown;
use crate::tiles::io::{CatalogueLoadError, MapFault, MapLoadError};
use std::fmt;
use std::ops::Range;

/// Kind of a file that can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A map: a text that begins with `Map(`.
    Map,
    /// A catalogue of tile shapes: a text that begins with `Catalogue(`.
    Catalogue,
    /// A replay: a text that begins with `Replay(`.
    Replay,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileKind::Map => "map",
            FileKind::Catalogue => "catalogue",
            FileKind::Replay => "replay",
        })
    }
}

/// All mistakes that a check found in a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Kind of the checked file: map, catalogue or replay. `None` if the text begins like none of the three.
    pub kind: Option<FileKind>,
    /// The mistakes in the order of the text, at most [`Report::MAX`]. Empty if the text can be loaded.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of mistakes beyond [`Report::MAX`], which are not in `diagnostics`.
    pub more: usize,
}

/// A mistake in a text, with its position.
///
/// Prints as `maps/a.ron:12:7: unknown symbol 'q' in row 3; ...`. Without a file name, the line begins with
/// `line 12, column 7: `.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Name of the file. `None` if the text does not come from a file.
    pub file: Option<String>,
    /// Line of the mistake, from 1.
    pub line: u32,
    /// Column of the mistake in characters, from 1.
    pub column: u32,
    /// Number of characters to underline in the line, from `column` on; at least 1. If something is missing at the end
    /// of a line, `column` is just after the last character.
    pub length: u32,
    /// Range of the mistake in the text, in bytes from the start of the text. May extend over several lines.
    pub span: Range<usize>,
    /// Kind of mistake as one word for programs, such as `unknown_symbol`.
    pub code: String,
    /// Description of the mistake in one line. Control characters of the text are replaced by U+FFFD.
    pub message: String,
    /// The expected value, or a likely correction, in one line. `None` if there is neither.
    pub hint: Option<String>,
    /// Picture of the mistake, to print below the message: lines of ASCII characters. `None` for most mistakes.
    pub drawing: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}:{}: {}", self.line, self.column, self.message)?,
            None => write!(f, "line {}, column {}: {}", self.line, self.column, self.message)?,
        }
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl Report {
    /// Maximum number of mistakes in a report. Further mistakes are only counted.
    pub const MAX: usize = 100;

    /// Returns whether the text has no mistakes.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// Sets the file name of all mistakes to `name`, and returns the report.
    #[must_use]
    pub fn in_file(mut self, name: &str) -> Report {
        for diagnostic in &mut self.diagnostics {
            diagnostic.file = Some(name.to_owned());
        }
        self
    }

    /// Creates the report of a text. `before` is the number of bytes of the file in front of the text (its byte order
    /// mark). `more` is the number of further mistakes.
    pub(super) fn new(
        kind: Option<FileKind>,
        text: &str,
        before: usize,
        (mut mistakes, mut more): (Vec<MistakeText>, usize),
    ) -> Report {
        mistakes.iter_mut().for_each(|mistake| mistake.narrow_span(text));
        // Loading fails with the first mistake, so keep that mistake in the list even if the list is cut.
        let first = mistakes.first().map(|mistake| (mistake.span, mistake.message.clone()));
        mistakes.sort_by_key(|mistake| mistake.span);
        mistakes.dedup_by(|a, b| (a.span.0, &a.message) == (b.span.0, &b.message));
        more += mistakes.len().saturating_sub(Report::MAX);
        let is_first = |mistake: &MistakeText| {
            first.as_ref().is_some_and(|(span, message)| (*span, message) == (mistake.span, &mistake.message))
        };
        if let Some(at) = mistakes.iter().position(is_first).filter(|&at| at >= Report::MAX) {
            mistakes.swap(Report::MAX - 1, at);
        }
        mistakes.truncate(Report::MAX);
        let diagnostics =
            mistakes.into_iter().map(|MistakeText { span: (begin, end), code, message, hint, drawing }| {
                let (line, column) = line_and_column(&text.as_bytes()[..begin]);
                let meant = text.get(begin..end).unwrap_or_default();
                let meant = meant.lines().next().unwrap_or_default().trim_end();
                Diagnostic {
                    file: None,
                    line,
                    column,
                    length: (meant.chars().count() as u32).max(1),
                    span: before + begin..before + end.max(begin),
                    code,
                    message: replace_control_characters(message),
                    hint: Some(replace_control_characters(hint)).filter(|hint| !hint.is_empty()),
                    drawing,
                }
            });
        Report { kind, diagnostics: diagnostics.collect(), more }
    }
}

/// A mistake as text: the parts of a [`Diagnostic`], with a span in bytes instead of line and column.
pub(super) struct MistakeText {
    /// Start and end of the marked part, in bytes.
    pub(super) span: (usize, usize),
    pub(super) code: String,
    pub(super) message: String,
    /// Advice for the author. Empty if there is none.
    pub(super) hint: String,
    pub(super) drawing: Option<String>,
}

impl MistakeText {
    pub(super) fn new(span: (usize, usize), kind: &impl DescribeMistake) -> MistakeText {
        let words = kind.to_string();
        let (message, hint) = match kind.form_error() {
            Some(form) => (form.message().into_owned(), form.hint().into_owned()),
            None => {
                let (message, hint) = split_at_semicolon(words.lines().next().unwrap_or_default());
                (message.to_owned(), hint.to_owned())
            }
        };
        MistakeText {
            span,
            code: kind.mistake_code(),
            message,
            hint: kind.hint().unwrap_or(hint),
            drawing: kind.drawing(),
        }
    }

    /// Narrows the span to the part that is wrong: the run of an unknown symbol, or the word that is not a placement.
    fn narrow_span(&mut self, text: &str) {
        let (start, end) = self.span;
        let Some(source) = text.get(start..end).filter(|source| !source.is_empty()) else { return };
        if self.code == "unknown_symbol" {
            self.span.1 = start + text[start..].len() - text[start..].trim_start_matches(source).len();
        }
        let word = match self.message.rsplit_once(": ") {
            Some((_, words)) if self.code == "unknown_tile" && words.starts_with("`m` stands after") => Some("m"),
            Some((_, words)) if self.code == "unknown_tile" => {
                words.strip_prefix('`').and_then(|words| words.strip_suffix("` is not a placement"))
            }
            _ => None,
        };
        let apart = |c: char| c.is_whitespace() || c == '"';
        if let Some(word) = word
            && let Some((at, _)) = source
                .rmatch_indices(word)
                .find(|&(at, _)| source[..at].ends_with(apart) && source[at + word.len()..].starts_with(apart))
        {
            self.span = (start + at, start + at + word.len());
        }
    }
}

/// Returns a name in snake case: `unknown_tile` for `UnknownTile`.
fn snake_case(name: &str) -> String {
    let mut code = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !code.is_empty() {
            code.push('_');
        }
        code.extend(c.to_lowercase());
    }
    code
}

/// Returns the code of an error in a part of a map: `layer_size` for `Layer(Size { .. })`.
fn code_of_parts_error(error: &MapPartsError) -> String {
    match error {
        MapPartsError::Layer(error) => format!("layer_{}", snake_case(error.variant())),
        MapPartsError::Marker(error) => format!("marker_{}", snake_case(error.variant())),
        MapPartsError::Property(error) => format!("property_{}", snake_case(error.variant())),
        _ => snake_case(error.variant()),
    }
}

/// Gives the parts of a [`Diagnostic`] for one kind of mistake.
pub(super) trait DescribeMistake: ToString {
    /// Returns the form error, if the text itself has the wrong form (RON syntax, types, fields).
    fn form_error(&self) -> Option<&FormError>;

    /// Returns the name of the kind of mistake, for programs: see [`Diagnostic::code`].
    fn mistake_code(&self) -> String;

    /// Returns advice that replaces the advice in the error's own text.
    fn hint(&self) -> Option<String> {
        None
    }

    fn drawing(&self) -> Option<String> {
        None
    }
}

impl DescribeMistake for MapErrorKind {
    fn form_error(&self) -> Option<&FormError> {
        if let MapErrorKind::Form(form) = self { Some(form) } else { None }
    }

    fn mistake_code(&self) -> String {
        match self {
            MapErrorKind::Form(form) => snake_case(form.variant()),
            MapErrorKind::Parts(error) => code_of_parts_error(error),
            _ => snake_case(self.variant()),
        }
    }
}

impl DescribeMistake for MapFault {
    fn form_error(&self) -> Option<&FormError> {
        if let MapFault::Map(kind) = self { kind.form_error() } else { None }
    }

    fn mistake_code(&self) -> String {
        if let MapFault::Map(kind) = self { kind.mistake_code() } else { "catalogue".to_owned() }
    }

    fn hint(&self) -> Option<String> {
        match self {
            MapFault::Map(_) => None,
            MapFault::Catalogue(source) => catalogue_hint(source),
        }
    }
}

impl DescribeMistake for Shown {
    fn form_error(&self) -> Option<&FormError> {
        if let CatalogueErrorKind::Form(form) = &self.kind { Some(form) } else { None }
    }

    fn mistake_code(&self) -> String {
        snake_case(self.form_error().map_or(self.kind.variant(), FormError::variant))
    }

    fn drawing(&self) -> Option<String> {
        self.drawing.clone()
    }
}

impl DescribeMistake for ReplayErrorKind {
    fn form_error(&self) -> Option<&FormError> {
        match self {
            ReplayErrorKind::Form(form) => Some(form),
            ReplayErrorKind::Map(kind) => kind.form_error(),
            _ => None,
        }
    }

    fn mistake_code(&self) -> String {
        match self {
            ReplayErrorKind::Form(form) => snake_case(form.variant()),
            ReplayErrorKind::Map(kind) => kind.mistake_code(),
            _ => snake_case(self.variant()),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            ReplayErrorKind::MapFile { source } => match &**source {
                MapLoadError::Map(error) => check_command_hint(error.file.as_ref()?),
                MapLoadError::Catalogue { source, .. } => catalogue_hint(source),
                _ => None,
            },
            ReplayErrorKind::Map(MapErrorKind::NoFolder { .. }) => {
                Some("expected `map: File(...)`, since only a map in a file of its own can name a catalogue".to_owned())
            }
            _ => None,
        }
    }
}

/// Returns advice for a map whose catalogue file has a mistake.
fn catalogue_hint(error: &CatalogueLoadError) -> Option<String> {
    let CatalogueLoadError::Catalogue(errors) = error else { return None };
    check_command_hint(errors.first()?.file.as_ref()?)
}

fn check_command_hint(file: &str) -> Option<String> {
    Some(format!("run `surefoot check {file}` to see the mistake"))
}

/// Replaces control characters, so that quoted text cannot change the terminal on which it is printed.
fn replace_control_characters(words: String) -> String {
    if words.contains(char::is_control) { words.replace(char::is_control, "\u{fffd}") } else { words }
}

#[cfg(test)]
mod tests {
    use crate::check;

    #[test]
    fn control_characters_of_a_text_do_not_reach_the_terminal() {
        let tiles = "Map(format: 1, tiles: [\"..\"], legend: {'x': \"\u{1b}[2Jb\\nlock\"})";
        for text in ["Map(format: 1, tiles: \u{7f})", tiles] {
            let report = check::text(text);
            assert!(!report.is_ok());
            for diagnostic in &report.diagnostics {
                let words = format!("{diagnostic}");
                assert!(!words.contains(char::is_control), "{words:?}");
                assert!(words.contains('\u{fffd}') || text != tiles, "{words:?}");
            }
        }
    }
}

use crate::catalogue::CatalogueErrorKind;
use crate::catalogue::format::Shown;
use crate::io::{CatalogueLoadError, MapFault, MapLoadError};
use crate::map::MapErrorKind;
use crate::replay::ReplayErrorKind;
use crate::text::{FormError, line_and_column, split};
use std::fmt;
use std::ops::Range;

/// What a file is meant to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// `Map(...)`
    Map,
    /// `Catalogue(...)`
    Catalogue,
    /// `Replay(...)`
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

/// What is wrong with a text, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What the text is meant to be; `None` if that cannot be told.
    pub kind: Option<FileKind>,
    /// What is wrong: nothing if the text loads, and at most [`Report::MAX`].
    pub diagnostics: Vec<Diagnostic>,
    /// How many more mistakes were found.
    pub more: usize,
}

/// One mistake.
///
/// It prints as `maps/a.ron:12:7: unknown character 'q' in row 3; ...`, without a file's name as
/// `line 12, column 7: ...`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The file, if the text comes from one.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// How many characters of that line are meant, at least 1; the first may lie behind the last one of the line.
    pub length: u32,
    /// What is meant in bytes of the text; it may go on over several lines.
    pub span: Range<usize>,
    /// What kind of mistake it is: a word for programs, such as `unknown_symbol`.
    pub code: String,
    /// What is wrong, in one line; control characters of the text are told as U+FFFD.
    pub message: String,
    /// What was expected, or may have been meant; in one line too.
    pub hint: Option<String>,
    /// A picture of what is wrong, to be printed below: lines of ASCII.
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
    /// The most mistakes that are listed of one text.
    pub const MAX: usize = 100;

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// This report, told with the name of its file.
    #[must_use]
    pub fn in_file(mut self, name: &str) -> Report {
        for diagnostic in &mut self.diagnostics {
            diagnostic.file = Some(name.to_owned());
        }
        self
    }

    /// Of what is told of a text that has some bytes before it, and how much more there is.
    pub(super) fn new(
        kind: Option<FileKind>,
        text: &str,
        before: usize,
        (mut told, mut more): (Vec<Told>, usize),
    ) -> Report {
        told.iter_mut().for_each(|told| told.narrow(text));
        // The first is what loading fails with: it stays among those that are listed.
        let first = told.first().map(|told| (told.span, told.message.clone()));
        told.sort_by_key(|told| told.span);
        told.dedup_by(|a, b| (a.span.0, &a.message) == (b.span.0, &b.message));
        more += told.len().saturating_sub(Report::MAX);
        let is_first =
            |told: &Told| first.as_ref().is_some_and(|(span, message)| (*span, message) == (told.span, &told.message));
        if let Some(at) = told.iter().position(is_first).filter(|&at| at >= Report::MAX) {
            told.swap(Report::MAX - 1, at);
        }
        told.truncate(Report::MAX);
        let diagnostics = told.into_iter().map(|Told { span: (begin, end), code, message, hint, drawing }| {
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
                message: in_one_line(message),
                hint: Some(in_one_line(hint)).filter(|hint| !hint.is_empty()),
                drawing,
            }
        });
        Report { kind, diagnostics: diagnostics.collect(), more }
    }
}

/// A mistake in words.
pub(super) struct Told {
    /// Where it begins and ends, in bytes.
    pub(super) span: (usize, usize),
    pub(super) code: String,
    pub(super) message: String,
    /// May be empty.
    pub(super) hint: String,
    pub(super) drawing: Option<String>,
}

impl Told {
    pub(super) fn new(span: (usize, usize), kind: &impl Words) -> Told {
        let words = kind.to_string();
        let (message, hint) = match kind.form() {
            Some(form) => (form.message().into_owned(), form.hint().into_owned()),
            None => {
                let (message, hint) = split(words.lines().next().unwrap_or_default());
                (message.to_owned(), hint.to_owned())
            }
        };
        Told { span, code: code(kind), message, hint: kind.hint().unwrap_or(hint), drawing: kind.drawing() }
    }

    /// Goes to the part of its span that is meant: the run of an unknown character, the word that is no placement.
    fn narrow(&mut self, text: &str) {
        let (start, end) = self.span;
        let Some(source) = text.get(start..end).filter(|source| !source.is_empty()) else { return };
        if self.code == "unknown_symbol" {
            self.span.1 = start + text[start..].len() - text[start..].trim_start_matches(source).len();
        }
        let word = match self.message.rsplit_once(": ") {
            Some((_, words)) if self.code == "unknown_tile" && words.starts_with("`m` stands behind") => Some("m"),
            Some((_, words)) if self.code == "unknown_tile" => {
                words.strip_prefix('`').and_then(|words| words.strip_suffix("` is no placement"))
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

/// The name of an error's kind in small letters: `UnknownTile { .. }` is `unknown_tile`, `Layer(Size { .. })` is
/// `layer_size`.
fn code(kind: &impl fmt::Debug) -> String {
    let written = format!("{kind:?}");
    // What is wrapped in one of these is a kind too.
    let mut written = written.as_str();
    for wrapping in ["Shown { kind: ", "Map(", "Form(", "Parts("] {
        written = written.strip_prefix(wrapping).unwrap_or(written);
    }
    let parted = ["Layer(", "Marker(", "Property("].iter().find(|part| written.starts_with(**part));
    let (of, name) = written.split_at(parted.map_or(0, |part| part.len()));
    let name: String = name.chars().take_while(|c| c.is_alphanumeric()).collect();
    let mut code = String::new();
    for c in of.trim_end_matches('(').chars().chain(name.chars()) {
        if c.is_uppercase() && !code.is_empty() {
            code.push('_');
        }
        code.extend(c.to_lowercase());
    }
    code
}

/// What a mistake says, for a report.
pub(super) trait Words: fmt::Debug + ToString {
    /// The mistake of form that it is, if it is one.
    fn form(&self) -> Option<&FormError>;

    /// What to do about it, if that is not what the error says.
    fn hint(&self) -> Option<String> {
        None
    }

    fn drawing(&self) -> Option<String> {
        None
    }
}

impl Words for MapErrorKind {
    fn form(&self) -> Option<&FormError> {
        if let MapErrorKind::Form(form) = self { Some(form) } else { None }
    }
}

impl Words for MapFault {
    fn form(&self) -> Option<&FormError> {
        if let MapFault::Map(kind) = self { kind.form() } else { None }
    }

    fn hint(&self) -> Option<String> {
        match self {
            MapFault::Map(_) => None,
            MapFault::Catalogue(source) => of_catalogue(source),
        }
    }
}

impl Words for Shown {
    fn form(&self) -> Option<&FormError> {
        if let CatalogueErrorKind::Form(form) = &self.kind { Some(form) } else { None }
    }

    fn drawing(&self) -> Option<String> {
        self.drawing.clone()
    }
}

impl Words for ReplayErrorKind {
    fn form(&self) -> Option<&FormError> {
        match self {
            ReplayErrorKind::Form(form) => Some(form),
            ReplayErrorKind::Map(kind) => kind.form(),
            _ => None,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            ReplayErrorKind::MapFile { source } => match &**source {
                MapLoadError::Map(error) => shown_in(error.file.as_ref()?),
                MapLoadError::Catalogue { source, .. } => of_catalogue(source),
                MapLoadError::Read(_) => None,
            },
            ReplayErrorKind::Map(MapErrorKind::NoFolder { .. }) => {
                Some("expected `map: File(...)`, since a map with its own catalogue lies in a file".to_owned())
            }
            _ => None,
        }
    }
}

/// What to do about an error in a catalogue's file.
fn of_catalogue(error: &CatalogueLoadError) -> Option<String> {
    let CatalogueLoadError::Catalogue(errors) = error else { return None };
    shown_in(errors.first()?.file.as_ref()?)
}

fn shown_in(file: &str) -> Option<String> {
    Some(format!("`surefoot check {file}` shows it there"))
}

/// Words that quote the text go out as one line that does nothing to a terminal.
fn in_one_line(words: String) -> String {
    if words.contains(char::is_control) { words.replace(char::is_control, "\u{fffd}") } else { words }
}

#[cfg(test)]
mod tests {
    use crate::check;

    #[test]
    fn what_a_text_has_in_it_does_nothing_to_a_terminal() {
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

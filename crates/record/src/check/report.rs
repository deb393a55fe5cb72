use crate::catalogue::CatalogueErrorKind;
use crate::map::{MapErrorKind, MapPartsError};
use crate::replay::ReplayErrorKind;
use crate::text::{FormError, line_and_column, split};
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
        Told { span, code: kind.code(), message, hint: kind.hint().unwrap_or(hint), drawing: kind.drawing() }
    }

    /// Narrows the span to the part that is wrong: the run of an unknown symbol, or the word that is not a placement.
    fn narrow(&mut self, text: &str) {
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

/// Returns the code of an invalid part of a map: `layer_size` for `Layer(Size { .. })`.
fn code_of_part(part: &MapPartsError) -> String {
    match part {
        MapPartsError::Layer(error) => format!("layer_{}", snake_case(error.variant())),
        MapPartsError::Marker(error) => format!("marker_{}", snake_case(error.variant())),
        MapPartsError::Property(error) => format!("property_{}", snake_case(error.variant())),
        _ => snake_case(part.variant()),
    }
}

/// What a mistake says, for a report.
pub(super) trait Words: ToString {
    /// The mistake of form that it is, if it is one.
    fn form(&self) -> Option<&FormError>;

    /// The word for programs, see [`Diagnostic::code`].
    fn code(&self) -> String;

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

    fn code(&self) -> String {
        match self {
            MapErrorKind::Form(form) => snake_case(form.variant()),
            MapErrorKind::Parts(part) => code_of_part(part),
            _ => snake_case(self.variant()),
        }
    }
}

impl Words for MapFault {
    fn form(&self) -> Option<&FormError> {
        if let MapFault::Map(kind) = self { kind.form() } else { None }
    }

    fn code(&self) -> String {
        if let MapFault::Map(kind) = self { kind.code() } else { "catalogue".to_owned() }
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

    fn code(&self) -> String {
        snake_case(self.form().map_or(self.kind.variant(), FormError::variant))
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

    fn code(&self) -> String {
        match self {
            ReplayErrorKind::Form(form) => snake_case(form.variant()),
            ReplayErrorKind::Map(kind) => kind.code(),
            _ => snake_case(self.variant()),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            ReplayErrorKind::MapFile { source } => match &**source {
                MapLoadError::Map(error) => shown_in(error.file.as_ref()?),
                MapLoadError::Catalogue { source, .. } => of_catalogue(source),
                _ => None,
            },
            ReplayErrorKind::Map(MapErrorKind::NoFolder { .. }) => {
                Some("expected `map: File(...)`, since only a map in a file of its own can name a catalogue".to_owned())
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
    Some(format!("run `surefoot check {file}` to see the mistake"))
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

use super::gather::Found;
use crate::text::line_and_column;
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
    /// What kind of mistake it is: a word for programs, such as `unknown_character`.
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

    /// The same report of a file of that name.
    #[must_use]
    pub fn in_file(mut self, name: &str) -> Report {
        for diagnostic in &mut self.diagnostics {
            diagnostic.file = Some(name.to_owned());
        }
        self
    }

    /// Of what was found in a text that has some bytes before it.
    pub(super) fn new(kind: Option<FileKind>, text: &str, before: usize, found: Found) -> Report {
        let Found { mut faults, mut more, .. } = found;
        faults.sort_by_key(|(fault, _)| (fault.begin(), fault.end()));
        faults.dedup_by(|a, b| (a.0.begin(), &a.0.message) == (b.0.begin(), &b.0.message));
        more += faults.len().saturating_sub(Report::MAX);
        faults.truncate(Report::MAX);
        let diagnostics = faults.into_iter().map(|(fault, drawing)| {
            let begin = fault.begin();
            let (line, column) = line_and_column(&text.as_bytes()[..begin]);
            let meant = text.get(begin..fault.end()).unwrap_or_default();
            let meant = meant.lines().next().unwrap_or_default().trim_end();
            Diagnostic {
                file: None,
                line,
                column,
                length: (meant.chars().count() as u32).max(1),
                span: before + begin..before + fault.end().max(begin),
                code: fault.code.into_owned(),
                message: in_one_line(fault.message),
                hint: Some(in_one_line(fault.hint)).filter(|hint| !hint.is_empty()),
                drawing,
            }
        });
        Report { kind, diagnostics: diagnostics.collect(), more }
    }
}

/// Words that quote the text go out as one line that does nothing to a terminal.
fn in_one_line(words: String) -> String {
    if words.contains(char::is_control) { words.replace(char::is_control, "\u{fffd}") } else { words }
}

#[cfg(test)]
mod tests {
    use crate::check::check_text;

    #[test]
    fn what_a_text_has_in_it_does_nothing_to_a_terminal() {
        let tiles = "Map(format: 1, tiles: [\"..\"], legend: {'x': \"\u{1b}[2Jb\\nlock\"})";
        for text in ["Map(format: 1, tiles: \u{7f})", tiles] {
            let report = check_text(text);
            assert!(!report.is_ok());
            for diagnostic in &report.diagnostics {
                let words = format!("{diagnostic}");
                assert!(!words.contains(char::is_control), "{words:?}");
                assert!(words.contains('\u{fffd}'), "{words:?}");
            }
        }
    }
}

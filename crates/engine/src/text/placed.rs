use std::error::Error;
use std::fmt;

/// An error in a text, with its line and column. The text is a map, a replay or an input script.
///
/// Prints as `maps/a.ron:12:7: unknown symbol 'q' in row 3; ...`. Without a file name, the line begins with `line 12,
/// column 7: `.
#[derive(Clone, PartialEq, Eq)]
pub struct TextError<K> {
    /// Name of the file that the text comes from, if it is known.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The kind of error.
    pub kind: K,
}

impl<K> TextError<K> {
    /// Returns the error with `name` as the name of its file.
    #[must_use]
    pub fn in_file(mut self, name: impl Into<String>) -> TextError<K> {
        self.file = Some(name.into());
        self
    }
}

impl<K: fmt::Display> fmt::Display for TextError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}:{}: {}", self.line, self.column, self.kind),
            None => write!(f, "line {}, column {}: {}", self.line, self.column, self.kind),
        }
    }
}

/// As [`Display`](fmt::Display): it is what a program prints that ends with the error.
impl<K: fmt::Display> fmt::Debug for TextError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<K: Error> Error for TextError<K> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.kind.source()
    }
}

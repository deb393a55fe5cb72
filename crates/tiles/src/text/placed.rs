use std::error::Error;
use std::fmt;

/// Error in a text, with its line and column. The text is a map, a replay, a recording or an input script.
///
/// Prints as `maps/a.ron:12:7: unknown symbol 'q' in row 3; ...`. Without a file name, the line begins with
/// `line 12, column 7: `.
#[derive(Clone, PartialEq, Eq)]
pub struct TextError<K> {
    /// Name of the file with the text. `None` if the text does not come from a file: [`TextError::in_file`] sets the
    /// name.
    pub file: Option<String>,
    /// Line of the error, from 1.
    pub line: u32,
    /// Column of the error in characters, from 1.
    pub column: u32,
    /// The problem at this position.
    pub kind: K,
}

impl<K> TextError<K> {
    /// Sets the file name of the error to `name`, and returns the error.
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

/// Prints the same as [`Display`](fmt::Display), because a program that ends with the error prints its `Debug`.
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

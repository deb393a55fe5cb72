use std::error::Error;
use std::fmt;

/// What is wrong with a text, and where: of a map, a replay, a script.
///
/// It prints as `maps/a.ron:12:7: unknown character 'q' in row 3; ...`, without a file's name as
/// `line 12, column 7: ...`.
#[derive(Clone, PartialEq, Eq)]
pub struct TextError<K> {
    /// The file the text comes from, if it is known.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong there.
    pub kind: K,
}

impl<K> TextError<K> {
    /// This error, told with the name of its file.
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

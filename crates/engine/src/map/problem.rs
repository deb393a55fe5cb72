use super::{MapError, MapErrorKind};
use crate::text::{Step, locate};
use std::fmt;

/// Something wrong with a map file, by the way to it from the map's own value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Problem {
    pub(crate) steps: Vec<Step<'static>>,
    pub(crate) kind: MapErrorKind,
}

impl Problem {
    /// The error at its place in the text; `within` is the way from the text's first value to the map.
    pub(crate) fn place(self, text: &str, within: &[Step<'_>]) -> MapError {
        let (line, column) = locate(text, &[within, &self.steps].concat());
        MapError { file: None, line, column, kind: self.kind }
    }
}

/// What is wrong with a map file: a list that stops growing, so that no file makes it large.
#[derive(Debug)]
pub(crate) struct Problems {
    /// In the order of the checks.
    pub(crate) list: Vec<Problem>,
    /// How many more there are.
    pub(crate) more: usize,
    limit: usize,
}

impl Problems {
    /// A list that holds at most so many, at least one.
    pub(crate) fn new(limit: usize) -> Problems {
        Problems { list: Vec::new(), more: 0, limit: limit.max(1) }
    }

    /// Adds one, or counts it.
    pub(super) fn add(&mut self, steps: &[Step<'static>], kind: impl FnOnce() -> MapErrorKind) {
        self.add_at(|| (steps.to_vec(), kind()));
    }

    /// As [`Problems::add`], for a way that takes time to put together.
    pub(super) fn add_at(&mut self, problem: impl FnOnce() -> (Vec<Step<'static>>, MapErrorKind)) {
        if self.list.len() < self.limit {
            let (steps, kind) = problem();
            self.list.push(Problem { steps, kind });
        } else {
            self.more += 1;
        }
    }

    /// Adds the error of a check, if it is one.
    pub(super) fn check<T>(&mut self, steps: &[Step<'static>], checked: Result<T, MapErrorKind>) -> Option<T> {
        checked.map_err(|kind| self.add(steps, || kind)).ok()
    }

    /// Whether nothing is wrong so far.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// All that is wrong with the text of a map, in the order of the text.
///
/// It prints one error a line.
#[derive(Clone, Debug, PartialEq)]
pub struct MapErrors {
    /// The errors: at least one and at most [`MapErrors::MAX`].
    pub list: Vec<MapError>,
    /// How many more were found.
    pub more: usize,
}

impl MapErrors {
    /// The most errors that are listed of one map.
    pub const MAX: usize = 100;

    /// Places problems in the text.
    pub(super) fn new(text: &str, problems: Problems) -> MapErrors {
        let mut list: Vec<MapError> = problems.list.into_iter().map(|problem| problem.place(text, &[])).collect();
        list.sort_by_key(|error| (error.line, error.column));
        MapErrors { list, more: problems.more }
    }
}

impl fmt::Display for MapErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.list.iter().enumerate() {
            write!(f, "{}{error}", if i > 0 { "\n" } else { "" })?;
        }
        if self.more > 0 { write!(f, "\nand {} more", self.more) } else { Ok(()) }
    }
}

impl std::error::Error for MapErrors {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.list.first().map(|error| error as _)
    }
}

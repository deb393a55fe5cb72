use super::{ReplayError, ReplayErrorKind};
use crate::text::{Step, locate};

/// Something wrong with a replay file, by the way to it.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) steps: Vec<Step<'static>>,
    pub(crate) kind: ReplayErrorKind,
}

impl Problem {
    /// The error at its place in the text.
    pub(crate) fn place(self, text: &str) -> ReplayError {
        let (line, column) = locate(text, &self.steps);
        ReplayError { file: None, line, column, kind: self.kind }
    }
}

/// What is wrong with a replay file: a list that stops growing, so that no file makes it large.
#[derive(Debug)]
pub(crate) struct Problems {
    /// In the order of the checks.
    pub(crate) list: Vec<Problem>,
    /// How many more there are.
    pub(crate) more: usize,
    pub(crate) limit: usize,
}

impl Problems {
    /// A list that holds at most so many, at least one.
    pub(crate) fn new(limit: usize) -> Problems {
        Problems { list: Vec::new(), more: 0, limit: limit.max(1) }
    }

    /// Adds one, or counts it.
    pub(super) fn add(&mut self, steps: &[Step<'static>], kind: impl FnOnce() -> ReplayErrorKind) {
        if self.list.len() < self.limit {
            self.list.push(Problem { steps: steps.to_vec(), kind: kind() });
        } else {
            self.more += 1;
        }
    }

    /// Adds the error of a check, if it is one.
    pub(super) fn check<T>(&mut self, steps: &[Step<'static>], checked: Result<T, ReplayErrorKind>) -> Option<T> {
        checked.map_err(|kind| self.add(steps, || kind)).ok()
    }

    /// Whether nothing is wrong so far.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

//! Result of reading a text: a value, or all errors.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use super::form::FormError;
use super::node::{Node, Shape};
use super::placed::TextError;
use super::reader::Reader;
use super::tree::{Span, Step, line_and_column};

/// Errors in the content of a file, each with its path. The list has a maximum length, so that no file can exhaust the
/// memory.
#[derive(Debug)]
pub struct Problems<K> {
    /// In the order of the checks.
    pub list: Vec<(Vec<Step<'static>>, K)>,
    /// Number of further errors.
    pub more: usize,
    pub limit: usize,
}

impl<K> Problems<K> {
    /// Creates a list for at most `limit` errors, at least one.
    pub fn new(limit: usize) -> Problems<K> {
        Problems { list: Vec::new(), more: 0, limit: limit.max(1) }
    }

    /// Adds an error, or counts it.
    pub fn add(&mut self, steps: &[Step<'static>], kind: impl FnOnce() -> K) {
        self.add_at(|| (steps.to_vec(), kind()));
    }

    /// Does [`Problems::add`] for a path that takes time to build.
    pub fn add_at(&mut self, problem: impl FnOnce() -> (Vec<Step<'static>>, K)) {
        if self.list.len() < self.limit {
            self.list.push(problem());
        } else {
            self.more += 1;
        }
    }

    /// Adds the error of a check, if it failed.
    pub fn ok_or_add<T>(&mut self, steps: &[Step<'static>], checked: Result<T, impl Into<K>>) -> Option<T> {
        checked.map_err(|kind| self.add(steps, || kind.into())).ok()
    }

    /// Returns whether there are no errors so far.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// An error and its position.
#[derive(Debug)]
pub struct Diagnosed<K> {
    pub span: Span,
    pub kind: K,
}

/// Errors of a text: at least one.
#[derive(Debug)]
pub struct Mistakes<K> {
    /// Form errors in the order of the text, then the others in the order of the checks.
    pub list: Vec<Diagnosed<K>>,
    /// Number of further errors.
    pub more: usize,
}

impl<K> Mistakes<K> {
    /// Creates one error after which only the form of the text was checked: every format must be RON.
    pub fn with_form_errors(span: Span, kind: K, reader: Reader<'_>) -> Mistakes<K>
    where
        K: From<FormError>,
    {
        let of_form = reader.faults.into_iter().map(|(span, error)| Diagnosed { span, kind: error.into() });
        Mistakes { list: [Diagnosed { span, kind }].into_iter().chain(of_form).collect(), more: reader.more }
    }

    /// Converts the kinds of these errors.
    pub fn map<L>(self, change: impl Fn(K) -> L) -> Mistakes<L> {
        let list = self.list.into_iter().map(|Diagnosed { span, kind }| Diagnosed { span, kind: change(kind) });
        Mistakes { list: list.collect(), more: self.more }
    }

    /// Returns the first error with its position in the text.
    pub fn first_error(mut self, text: &str) -> TextError<K> {
        let Diagnosed { span, kind } = self.list.swap_remove(0);
        let (line, column) = line_and_column(&text.as_bytes()[..span.0]);
        TextError { file: None, line, column, kind }
    }
}

impl<'t> Reader<'t> {
    /// Collects the errors. Omits content errors of values with a form error, and those that are `covered`: they may
    /// only result from it, or from an error `told` elsewhere.
    pub fn into_result<T, K: From<FormError>>(
        mut self,
        value: Option<T>,
        problems: Problems<K>,
        told: bool,
        covered: impl Fn(&Reader<'t>, &[Step<'_>], &K) -> bool,
    ) -> Result<T, Mistakes<K>> {
        let mut faults = std::mem::take(&mut self.faults);
        faults.sort_by_key(|(span, _)| *span);
        let mut found: Vec<Diagnosed<K>> =
            faults.into_iter().map(|(span, error)| Diagnosed { span, kind: error.into() }).collect();
        let more = self.more + problems.more;
        let mut left_out = None;
        for (steps, kind) in problems.list {
            // If a pair, a property or a truncated value contains another error, this error may only result from that
            // one. Then leave it out.
            let doubtful = |node: Node<'t>| {
                let whole = node.shape() == Shape::Tuple || steps.first() == Some(&Step::Field("properties"));
                self.tree.is_broken(node) || whole && self.tree.has_faults(node)
            };
            let is_sound = !self.tree.find(&steps).is_some_and(doubtful) && !covered(&self, &steps, &kind);
            match self.tree.find_span(&steps).filter(|_| is_sound) {
                Some(span) => found.push(Diagnosed { span, kind }),
                None => left_out = left_out.or(Some(kind)),
            }
        }
        match value {
            Some(value) if found.is_empty() => return Ok(value),
            _ => {}
        }
        // If there is no value, at least one error must explain it.
        if let Some(kind) = left_out.filter(|_| found.is_empty() && !told) {
            let span = self.tree.root().map_or((0, 0), |root| self.tree.span(root));
            found.push(Diagnosed { span, kind });
        }
        Err(Mistakes { list: found, more })
    }
}

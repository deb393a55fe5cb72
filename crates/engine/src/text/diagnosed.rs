//! What reading a text gives: a value, or all that is wrong.

use super::form::FormError;
use super::node::{Node, Shape};
use super::placed::TextError;
use super::reader::Reader;
use super::tree::{Span, Step, line_and_column};

/// What is wrong with the content of a file, by the way to it: a list that stops growing, so that no file makes it large.
#[derive(Debug)]
pub(crate) struct Problems<K> {
    /// In the order of the checks.
    pub(crate) list: Vec<(Vec<Step<'static>>, K)>,
    /// How many more there are.
    pub(crate) more: usize,
    pub(crate) limit: usize,
}

impl<K> Problems<K> {
    /// A list that holds at most so many, at least one.
    pub(crate) fn new(limit: usize) -> Problems<K> {
        Problems { list: Vec::new(), more: 0, limit: limit.max(1) }
    }

    /// Adds one, or counts it.
    pub(crate) fn add(&mut self, steps: &[Step<'static>], kind: impl FnOnce() -> K) {
        self.add_at(|| (steps.to_vec(), kind()));
    }

    /// As [`Problems::add`], for a way that takes time to put together.
    pub(crate) fn add_at(&mut self, problem: impl FnOnce() -> (Vec<Step<'static>>, K)) {
        if self.list.len() < self.limit {
            self.list.push(problem());
        } else {
            self.more += 1;
        }
    }

    /// Adds the error of a check, if it is one.
    pub(crate) fn check<T>(&mut self, steps: &[Step<'static>], checked: Result<T, impl Into<K>>) -> Option<T> {
        checked.map_err(|kind| self.add(steps, || kind.into())).ok()
    }

    /// Whether nothing is wrong so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// A mistake, and where it is.
#[derive(Debug)]
pub(crate) struct Diagnosed<K> {
    pub(crate) span: Span,
    pub(crate) kind: K,
}

/// What is wrong with a text: at least one mistake.
#[derive(Debug)]
pub(crate) struct Mistakes<K> {
    /// Mistakes of form in the order of the text, then the others in the order of the checks.
    pub(crate) list: Vec<Diagnosed<K>>,
    /// How many more there are.
    pub(crate) more: usize,
}

impl<K> Mistakes<K> {
    /// One mistake after which only the form of the text was looked at: that it is RON holds of every format.
    pub(crate) fn only(span: Span, kind: K, reader: Reader<'_>) -> Mistakes<K>
    where
        K: From<FormError>,
    {
        let of_form = reader.faults.into_iter().map(|(span, error)| Diagnosed { span, kind: error.into() });
        Mistakes { list: [Diagnosed { span, kind }].into_iter().chain(of_form).collect(), more: reader.more }
    }

    /// These mistakes with their kinds changed.
    pub(crate) fn map<L>(self, change: impl Fn(K) -> L) -> Mistakes<L> {
        let list = self.list.into_iter().map(|Diagnosed { span, kind }| Diagnosed { span, kind: change(kind) });
        Mistakes { list: list.collect(), more: self.more }
    }

    /// The first mistake with its place in the text.
    pub(crate) fn first(mut self, text: &str) -> TextError<K> {
        let Diagnosed { span, kind } = self.list.swap_remove(0);
        let (line, column) = line_and_column(&text.as_bytes()[..span.0]);
        TextError { file: None, line, column, kind }
    }
}

impl<'t> Reader<'t> {
    /// Puts together what is wrong. Problems of what is wrong in form are left out, and those that are `covered`: what may
    /// only follow from it, or from something that is `told` elsewhere.
    pub(crate) fn finish<T, K: From<FormError>>(
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
            // Of a pair with something else wrong in it nothing is known, nor of a property, nor of what is broken off.
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
        // Without a value something is told.
        if let Some(kind) = left_out.filter(|_| found.is_empty() && !told) {
            let span = self.tree.root().map_or((0, 0), |root| self.tree.span(root));
            found.push(Diagnosed { span, kind });
        }
        Err(Mistakes { list: found, more })
    }
}

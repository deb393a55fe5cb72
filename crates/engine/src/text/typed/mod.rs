//! From a tree to a value that serde reads, whatever is wrong: notes it, puts a stand-in in its place and goes on.
//!
//! The stand-in's node is marked as wrong, so that nothing more is said of it. A visitor can refuse what it is given
//! only by failing as a whole; then what made it fail is learned, and the text is read once more with that known. Each
//! round learns of a kind of mistake and not of a single one, so there are few rounds.

mod access;
mod at;
mod deserializer;
mod refusal;
mod variant;

use super::expects::Expects;
use super::fault::{Fault, Faults};
use super::tree::{NodeId, Shape, Tree};
use at::At;
pub(super) use refusal::Refusal;
use serde::de::Deserialize;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The most rounds; what is not understood after them is given up.
const MAX_ROUNDS: usize = 64;

/// The value of a node, with stand-ins for what is wrong in it; `None` if nothing can stand in.
pub(crate) fn typed<'de, T: Deserialize<'de>>(
    tree: &Tree<'_>,
    node: NodeId,
    expects: &Expects,
    faults: &mut Faults,
) -> Option<T> {
    let mut learned = Learned::default();
    for _ in 0..MAX_ROUNDS {
        let (noted, wrong) = (RefCell::default(), RefCell::default());
        let context = Context { tree, expects, learned: &learned, faults: &noted, wrong: &wrong };
        let value = match T::deserialize(At { node, context: &context, field: "", depth: 0 }) {
            Ok(value) => Some(value),
            Err(refusal) => {
                if learned.learn(refusal) {
                    continue;
                }
                None
            }
        };
        faults.append(noted.into_inner());
        wrong.into_inner().into_iter().for_each(|node| tree.set_wrong(node));
        return value;
    }
    None
}

/// What earlier rounds have found out.
#[derive(Default)]
pub(super) struct Learned {
    /// The fields that a struct of some name cannot do without.
    required: BTreeMap<&'static str, BTreeSet<&'static str>>,
    /// Forms that are refused where some words say what is expected.
    refused: BTreeSet<(String, Shape)>,
    /// Lengths of variants that are refused: too few parts.
    short: BTreeSet<(&'static str, usize)>,
    /// The fields that are known where some words say what is expected.
    fields: BTreeMap<String, &'static [&'static str]>,
}

impl Learned {
    /// The fields that a struct cannot do without.
    pub(super) fn required(&self, name: &str) -> impl Iterator<Item = &'static str> + use<'_> {
        self.required.get(name).into_iter().flatten().copied()
    }

    /// Whether something new was learned.
    fn learn(&mut self, refusal: Refusal) -> bool {
        match refusal {
            Refusal::Missing { field, outer: Some(outer) } => self.required.entry(outer).or_default().insert(field),
            Refusal::Form { expected, shape } => self.refused.insert((expected, shape)),
            Refusal::Fields { expected, fields } => self.fields.insert(expected, fields).is_none(),
            Refusal::Short { variant, found } => self.short.insert((variant, found)),
            Refusal::Missing { .. } | Refusal::Unknown { .. } | Refusal::Length | Refusal::Other => false,
        }
    }
}

struct Context<'t, 'c> {
    tree: &'t Tree<'t>,
    expects: &'c Expects,
    learned: &'c Learned,
    faults: &'c RefCell<Faults>,
    /// The nodes that something was noted of.
    wrong: &'c RefCell<BTreeSet<NodeId>>,
}

impl Context<'_, '_> {
    fn note(&self, fault: Fault) {
        self.faults.borrow_mut().push(fault);
    }
}

//! A text in RON as a tree of places: what stands where, whether or not it makes sense.

use super::Step;
use super::locate::character_offset;
use std::cell::Cell;

/// What a node of the tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// What could not be read as a value.
    Bad,
    /// A number without a point or exponent.
    Integer,
    /// Any other number.
    Float,
    /// `'x'`.
    Char,
    /// `"x"`, or a raw one.
    Text,
    /// `b"x"`.
    Bytes,
    /// A name without brackets, such as `true`.
    Word,
    /// `[1, 2]`.
    List,
    /// `{1: 2}`: keys and values take turns.
    Map,
    /// `(a: 1)`, with or without a name before it: names and values take turns.
    Struct,
    /// `(1, 2)` or `()`, with or without a name before it.
    Tuple,
}

impl Shape {
    /// What it is called in messages.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Shape::Bad => "something else",
            Shape::Integer => "an integer",
            Shape::Float => "a number with a point",
            Shape::Char => "a character in single quotes",
            Shape::Text => "a text in quotes",
            Shape::Bytes => "a text of bytes",
            Shape::Word => "a name without quotes",
            Shape::List => "a list in square brackets",
            Shape::Map => "a map in braces",
            Shape::Struct => "fields in parentheses",
            Shape::Tuple => "values in parentheses",
        }
    }
}

/// A node: 16 bytes, so that the tree stays small beside a large text.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The node after this one and all that is in it.
    pub(super) next: u32,
    pub(super) shape: Shape,
    /// Parts of it are missing or out of order, and that is told.
    pub(super) damaged: bool,
    /// It is not what it should be, and that is told: nothing more is to be said of it.
    pub(super) wrong: Cell<bool>,
}

/// Names a node: an index in the order in which they begin.
pub(crate) type NodeId = usize;

/// The nodes of a text, each before its parts.
pub(crate) struct Tree<'a> {
    pub(super) text: &'a str,
    pub(super) nodes: Vec<Node>,
    /// There is more in the text than in the tree.
    pub(super) cut: bool,
}

impl<'a> Tree<'a> {
    pub(super) fn new(text: &'a str) -> Tree<'a> {
        Tree { text, nodes: Vec::new(), cut: false }
    }

    /// The node of the whole text; none if there is no value in it.
    pub(crate) fn root(&self) -> Option<NodeId> {
        (!self.nodes.is_empty()).then_some(0)
    }

    /// Whether there is more in the text than in the tree.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    pub(crate) fn shape(&self, id: NodeId) -> Shape {
        self.nodes[id].shape
    }

    /// Where in the text a node begins and ends, in bytes.
    pub(crate) fn span(&self, id: NodeId) -> (usize, usize) {
        let Node { start, end, .. } = self.nodes[id];
        (start as usize, end as usize)
    }

    /// What the text has for a node.
    pub(crate) fn source(&self, id: NodeId) -> &'a str {
        let (start, end) = self.span(id);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The name before a node's parentheses, or a word; empty if there is none.
    pub(crate) fn name(&self, id: NodeId) -> &'a str {
        if !matches!(self.shape(id), Shape::Word | Shape::Struct | Shape::Tuple) {
            return "";
        }
        let source = self.source(id);
        let source = source.strip_prefix("r#").unwrap_or(source);
        &source[..source.find(|c| !is_name(c)).unwrap_or(source.len())]
    }

    /// The node after one and all that is in it.
    pub(crate) fn after(&self, id: NodeId) -> NodeId {
        self.nodes[id].next as usize
    }

    /// The parts of a node.
    pub(crate) fn parts(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.nodes[id].next as usize;
        let mut at = id + 1;
        std::iter::from_fn(move || {
            let part = at;
            at = self.nodes.get(part).filter(|_| part < end)?.next as usize;
            Some(part)
        })
    }

    /// The keys and values of a map, the names and values of a struct.
    pub(crate) fn pairs(&self, id: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        let mut parts = self.parts(id);
        std::iter::from_fn(move || Some((parts.next()?, parts.next()?)))
    }

    pub(crate) fn is_damaged(&self, id: NodeId) -> bool {
        self.nodes[id].damaged
    }

    /// Where in the text the damaged nodes begin.
    pub(crate) fn damaged(&self) -> impl Iterator<Item = usize> + '_ {
        self.nodes.iter().filter(|node| node.damaged).map(|node| node.start as usize)
    }

    pub(crate) fn is_wrong(&self, id: NodeId) -> bool {
        self.nodes[id].wrong.get()
    }

    pub(crate) fn set_wrong(&self, id: NodeId) {
        self.nodes[id].wrong.set(true);
    }

    /// Whether anything in a node is damaged or wrong, or the node itself.
    pub(crate) fn has_faults(&self, id: NodeId) -> bool {
        self.nodes[id..self.nodes[id].next as usize].iter().any(|node| node.damaged || node.wrong.get())
    }

    /// The node that steps lead to, without its characters; none if they lead nowhere or through what is wrong.
    pub(crate) fn find(&self, steps: &[Step<'_>]) -> Option<NodeId> {
        let mut at = self.root().filter(|&root| !self.is_wrong(root))?;
        for &step in steps {
            at = match step {
                Step::Field(name) => self.pairs(at).find(|&(key, _)| self.name(key) == name)?.1,
                Step::Key(index) => self.pairs(at).nth(index)?.0,
                Step::Value(index) => self.pairs(at).nth(index)?.1,
                Step::Item(index) => self.parts(at).nth(index)?,
                Step::Character(_) => return Some(at),
            };
            if self.is_wrong(at) {
                return None;
            }
        }
        Some(at)
    }

    /// Where what steps lead to begins and ends, in bytes; none if they lead nowhere or through what is wrong.
    pub(crate) fn find_span(&self, steps: &[Step<'_>]) -> Option<(usize, usize)> {
        let node = self.find(steps)?;
        let (start, end) = self.span(node);
        let Some(&Step::Character(index)) = steps.last() else { return Some((start, end)) };
        let at = start + character_offset(self.source(node), index)?;
        let length = self.text.get(at..)?.chars().next().map_or(0, char::len_utf8);
        Some((at, at + length))
    }
}

pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

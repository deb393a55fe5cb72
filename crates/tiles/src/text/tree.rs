//! A text with its known errors, and the path from its first value to any other.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use super::node::{Node, Shape, skip_space};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// One step on the path from a value to one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// The value of a struct's field.
    Field(&'a str),
    /// The key of an entry of a map or struct, counted from 0.
    Key(usize),
    /// The value of an entry of a map or struct, counted from 0.
    Value(usize),
    /// An item of a list or tuple, counted from 0.
    Item(usize),
    /// A character of a string, counted from 0. The closing quote if the string is shorter.
    Character(usize),
}

/// Maximum nesting depth of brackets that the RON reader accepts.
const MAX_DEPTH: usize = 128;

/// Start and end in a text, in bytes.
pub(crate) type Span = (usize, usize);

/// Slices of a value's parts.
type Parts<'t> = Rc<[Node<'t>]>;

/// A text that is read on demand.
pub struct Tree<'t> {
    text: &'t str,
    root: Option<Node<'t>>,
    /// Position from which the text is not RON.
    pub(super) broken: Option<usize>,
    /// Slices with a reported error. Nothing more is reported for them.
    wrong: BTreeSet<Span>,
    /// Positions of the reported errors.
    pub(super) reported_starts: BTreeSet<usize>,
    /// Parts of the values read so far, by the start of the value. Keys and values alternate.
    parts: RefCell<BTreeMap<usize, Parts<'t>>>,
}

impl<'t> Tree<'t> {
    /// Creates the tree of a text without a byte order mark.
    pub fn new(text: &'t str) -> Tree<'t> {
        // The RON reader skips the attributes before the first value. Positions are stored in 32 bits, so a text of 4
        // GiB or more has no root.
        let rest = ron::Deserializer::from_str(text).map(|reader| text.len() - reader.remainder().len());
        let root = rest
            .ok()
            .filter(|_| u32::try_from(text.len()).is_ok())
            .map(|start| Node::from_slice(skip_space(&text[start..])));
        Tree {
            text,
            root: root.filter(|root| !root.slice().is_empty()),
            broken: None,
            wrong: BTreeSet::new(),
            reported_starts: BTreeSet::new(),
            parts: RefCell::default(),
        }
    }

    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the first value, if there is one.
    pub fn root(&self) -> Option<Node<'t>> {
        self.root
    }

    fn byte_offset_of_slice(&self, slice: &str) -> usize {
        slice.as_ptr() as usize - self.text.as_ptr() as usize
    }

    /// Returns the start and end of a value.
    pub fn span(&self, node: Node<'t>) -> Span {
        let start = self.byte_offset_of_slice(node.slice());
        (start, start + node.source().len())
    }

    /// Returns a value's slice, which identifies it.
    fn span_of_value(&self, node: Node<'t>) -> Span {
        let start = self.byte_offset_of_slice(node.slice());
        (start, start + node.slice().len())
    }

    /// Returns whether the text breaks inside a value.
    pub fn is_broken(&self, node: Node<'t>) -> bool {
        let Some(place) = self.broken else { return false };
        let (start, end) = self.span(node);
        // In `[1, b: 2`, the text breaks at the colon. The word before the colon is the name of the next field, not an
        // item of the list. So the word counts as broken, and no error reports it as a wrong item.
        let colon = place == end && self.text[place..].starts_with(':');
        (start..end.max(start + 1)).contains(&place) || colon || start <= place && !node.is_closed()
    }

    /// Returns whether a value starts behind the position where the text breaks.
    pub(super) fn is_after_break(&self, node: Node<'t>) -> bool {
        self.broken.is_some_and(|place| self.byte_offset_of_slice(node.slice()) > place)
    }

    /// Returns whether a value is marked as wrong.
    pub fn is_wrong(&self, node: Node<'t>) -> bool {
        self.wrong.contains(&self.span_of_value(node))
    }

    /// Marks a value as wrong. Returns whether it was not marked before.
    pub(super) fn mark_wrong(&mut self, node: Node<'t>) -> bool {
        self.wrong.insert(self.span_of_value(node))
    }

    /// Returns whether an error is reported for a value or anything inside it.
    pub fn has_faults(&self, node: Node<'t>) -> bool {
        let (start, end) = self.span_of_value(node);
        self.is_broken(node) || self.reported_starts.range(start..end).next().is_some()
    }

    /// Returns the innermost bracket that is open where the text breaks, and the value in it that the text breaks in.
    fn innermost_open_bracket_and_value(&self) -> (Option<Node<'t>>, Option<Node<'t>>) {
        let mut open = None;
        let mut at = self.root.filter(|&root| self.is_broken(root));
        for _ in 0..MAX_DEPTH {
            let Some(node) = at else { break };
            if !matches!(node.shape(), Shape::List | Shape::Map | Shape::Struct | Shape::Tuple) {
                return (open, at);
            }
            open = Some(node);
            at = self.child_nodes(node).last().copied().filter(|&part| self.is_broken(part));
        }
        (open, None)
    }

    /// If a quote is missing where the text breaks: the span of the first line of that value, and which quote is
    /// missing.
    ///
    /// A text without its closing quote ends at the opening quote of the next text. So the RON reader reports a word
    /// after that quote, in a line that has no mistake.
    pub(super) fn missing_quote(&self) -> Option<(Span, &'static str)> {
        let (value, place) = (self.innermost_open_bracket_and_value().1?, self.broken?);
        let (start, _) = self.span(value);
        let line = value.source().lines().next()?;
        let length = value.quoted_length();
        let which = if length > 0 {
            let behind = self.text.get(start + length..place)?;
            let ends_here = behind.trim_start_matches(' ').is_empty() && !self.text[place..].starts_with('"');
            (length > line.len() && ends_here).then_some("closing")
        } else {
            let is_odd = line.matches('"').count() % 2 == 1 && value.shape() != Shape::Char;
            (is_odd && place < start + line.len()).then_some("opening")
        };
        which.map(|which| ((start, start + line.trim_end().len()), which))
    }

    /// Returns the innermost bracket that is still open where the text breaks, and its line. `outermost`: whether the
    /// bracket of the whole file may be the result.
    pub(super) fn unclosed_bracket(&self, outermost: bool) -> Option<(char, u32)> {
        let root = self.byte_offset_of_slice(self.root?.slice());
        let node = self
            .innermost_open_bracket_and_value()
            .0
            .filter(|node| outermost || self.byte_offset_of_slice(node.slice()) > root)?;
        let bracket = node.slice().find(['(', '[', '{'])?;
        let start = self.byte_offset_of_slice(node.slice()) + bracket;
        Some((node.slice()[bracket..].chars().next()?, line_and_column(&self.text.as_bytes()[..start]).0))
    }

    /// Returns the items of a list or tuple, or the alternating keys and values of a map or struct.
    fn child_nodes(&self, node: Node<'t>) -> Parts<'t> {
        let at = self.byte_offset_of_slice(node.slice());
        if let Some(parts) = self.parts.borrow().get(&at) {
            return parts.clone();
        }
        let mut parts = Vec::new();
        node.visit_parts(|key, value| {
            let is_there = !self.is_after_break(value);
            if is_there {
                parts.extend(key);
                parts.push(value);
            }
            is_there
        });
        let parts: Parts<'t> = parts.into();
        self.parts.borrow_mut().insert(at, parts.clone());
        parts
    }

    /// Returns the keys and values of a map, or the names and values of a struct.
    pub fn pairs(&self, node: Node<'t>) -> impl Iterator<Item = (Node<'t>, Node<'t>)> {
        let parts = self.child_nodes(node);
        (0..parts.len() / 2).map(move |i| (parts[2 * i], parts[2 * i + 1]))
    }

    /// Returns the items of a list or tuple.
    pub fn items(&self, node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
        let parts = self.child_nodes(node);
        (0..parts.len()).map(move |i| parts[i])
    }

    /// Returns the value of a struct's field.
    pub fn field(&self, node: Node<'t>, name: &str) -> Option<Node<'t>> {
        let mut found = None;
        node.visit_parts(|key, value| {
            if key.is_some_and(|key| key.field_name() == name) && !self.is_after_break(value) {
                found = Some(value);
            }
            found.is_none()
        });
        found
    }

    /// Follows one step of a path. A character is not a value.
    fn follow_step(&self, node: Node<'t>, step: Step<'_>) -> Option<Node<'t>> {
        let parts = || self.child_nodes(node);
        match step {
            Step::Field(name) => self.pairs(node).find(|(key, _)| key.field_name() == name).map(|(_, value)| value),
            Step::Key(index) => parts().get(2 * index).copied(),
            Step::Value(index) => parts().get(2 * index + 1).copied(),
            Step::Item(index) => parts().get(index).copied(),
            Step::Character(_) => None,
        }
    }

    /// Returns the value at the end of a path, without characters. `None` if the path leads nowhere or through a wrong
    /// value.
    pub fn find(&self, steps: &[Step<'_>]) -> Option<Node<'t>> {
        let steps = match steps {
            [before @ .., Step::Character(_)] => before,
            steps => steps,
        };
        let sound = |node: &Node<'t>| !self.is_wrong(*node);
        steps.iter().try_fold(self.root.filter(sound)?, |at, &step| self.follow_step(at, step).filter(sound))
    }

    /// Returns the start and end of the part at the end of a path. `None` if the path leads nowhere or through a wrong
    /// value.
    pub fn find_span(&self, steps: &[Step<'_>]) -> Option<Span> {
        let node = self.find(steps)?;
        let Some(&Step::Character(index)) = steps.last() else { return Some(self.span(node)) };
        let at = self.byte_offset_of_slice(node.slice()) + character_offset(node.source(), index);
        Some((at, at + self.text.get(at..)?.chars().next().map_or(0, char::len_utf8)))
    }

    /// Returns the line and column, from 1, of the part at the end of a path, or of the last part before the path leads
    /// nowhere.
    pub fn locate(&self, steps: &[Step<'_>]) -> (u32, u32) {
        let found = (0..=steps.len()).rev().find_map(|count| self.find_span(&steps[..count]));
        line_and_column(&self.text.as_bytes()[..found.map_or(0, |(start, _)| start)])
    }

    /// Returns the integer in a field of the first value, even if the rest of the text is not RON.
    pub fn integer_field(&self, name: &str) -> Option<i64> {
        ron::from_str(self.field(self.root?, name)?.slice()).ok()
    }
}

/// Returns the offset of a character in a string's source, in bytes. The offset of the closing quote if the string is
/// shorter.
fn character_offset(source: &str, index: usize) -> usize {
    let start = source.find('"').map_or(source.len(), |quote| quote + 1);
    let (opening, inside) = source.split_at(start);
    let (raw, hashes) = (opening.starts_with('r'), opening.matches('#').count());
    let end = inside.len().saturating_sub(1 + hashes);
    let inside = inside.get(..end).unwrap_or(inside);
    let mut characters = inside.char_indices();
    for _ in 0..index {
        match characters.next() {
            Some((_, '\\')) if !raw => match characters.next() {
                Some((_, 'x')) => drop(characters.nth(1)),
                Some((_, 'u')) => drop(characters.find(|&(_, c)| c == '}')),
                _ => {}
            },
            _ => {}
        }
    }
    start + characters.next().map_or(inside.len(), |(at, _)| at)
}

/// Returns the line and column, from 1, of the part at the end of a path in a text of any state.
pub fn locate(text: &str, steps: &[Step<'_>]) -> (u32, u32) {
    Tree::new(text).locate(steps)
}

/// Returns the line and column, from 1, of the position after the beginning of a UTF-8 text.
pub fn line_and_column(before: &[u8]) -> (u32, u32) {
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
    let lines = before.iter().filter(|&&byte| byte == b'\n').count();
    // In UTF-8, the bytes 10xxxxxx continue a character. Count the other bytes: each of them starts a character.
    let columns = before[line_start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    (lines as u32 + 1, columns as u32 + 1)
}

/// Returns the byte offset of a line and column, both from 1. The end of the line or text if the column does not exist.
pub(super) fn byte_offset_of(text: &str, (line, column): (usize, usize)) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text[start..].split('\n').next().unwrap_or_default();
    start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(i, _)| i)
}

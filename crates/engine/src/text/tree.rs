//! A text with what is known to be wrong in it, and the way from its first value to any other.

use super::node::{Node, Shape, skip_space};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// One step on the way from a value to one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// The value of a struct's field.
    Field(&'a str),
    /// The key of a map's entry, counted from 0; also a struct's.
    Key(usize),
    /// The value of a map's entry, counted from 0; also a struct's.
    Value(usize),
    /// The item of a list or tuple, counted from 0.
    Item(usize),
    /// The character of a string, counted from 0; its closing quote if it has no such character.
    Character(usize),
}

/// How many brackets the RON reader takes in each other.
const MAX_DEPTH: usize = 128;

/// Where something begins and ends in a text, in bytes.
pub(crate) type Span = (usize, usize);

/// The slices of a value's parts.
type Parts = Rc<[(u32, u32)]>;

/// A text, read on demand.
pub(crate) struct Tree<'t> {
    text: &'t str,
    root: Option<Node<'t>>,
    /// Where the text is not RON any more.
    pub(super) broken: Option<usize>,
    /// The slices that something is told of, so that nothing more is.
    wrong: BTreeSet<Span>,
    /// The places of what is told.
    pub(super) told: BTreeSet<usize>,
    /// The parts of values that were asked for, by where these begin: keys and values take turns.
    parts: RefCell<BTreeMap<usize, Parts>>,
}

impl<'t> Tree<'t> {
    /// The tree of a text without a byte order mark.
    pub(crate) fn new(text: &'t str) -> Tree<'t> {
        // Attributes of the file come before its first value. Places are kept in 32 bits.
        let rest = ron::Deserializer::from_str(text).map(|reader| text.len() - reader.remainder().len());
        let root =
            rest.ok().filter(|_| u32::try_from(text.len()).is_ok()).map(|start| Node::of(skip_space(&text[start..])));
        Tree {
            text,
            root: root.filter(|root| !root.slice().is_empty()),
            broken: None,
            wrong: BTreeSet::new(),
            told: BTreeSet::new(),
            parts: RefCell::default(),
        }
    }

    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// The first value, if there is one.
    pub(crate) fn root(&self) -> Option<Node<'t>> {
        self.root
    }

    fn start(&self, slice: &str) -> usize {
        slice.as_ptr() as usize - self.text.as_ptr() as usize
    }

    /// Where a value begins and ends.
    pub(crate) fn span(&self, node: Node<'t>) -> Span {
        let start = self.start(node.slice());
        (start, start + node.source().len())
    }

    /// A value's slice: what it is told apart by.
    fn slice(&self, node: Node<'t>) -> Span {
        let start = self.start(node.slice());
        (start, start + node.slice().len())
    }

    /// Whether the text is broken in a value.
    pub(crate) fn is_broken(&self, node: Node<'t>) -> bool {
        let Some(place) = self.broken else { return false };
        let (start, end) = self.span(node);
        // What stands before an unexpected colon is no item but the next field's name.
        let colon = place == end && self.text[place..].starts_with(':');
        (start..end.max(start + 1)).contains(&place) || colon || start <= place && !node.is_closed()
    }

    /// Whether a value comes only after the place where the text breaks.
    pub(super) fn is_behind(&self, node: Node<'t>) -> bool {
        self.broken.is_some_and(|place| self.start(node.slice()) > place)
    }

    /// Whether a value is not what it should be.
    pub(crate) fn is_wrong(&self, node: Node<'t>) -> bool {
        self.wrong.contains(&self.slice(node))
    }

    /// Notes that a value is not what it should be; whether that is new.
    pub(super) fn set_wrong(&mut self, node: Node<'t>) -> bool {
        self.wrong.insert(self.slice(node))
    }

    /// Whether something is told of a value or anything in it.
    pub(crate) fn has_faults(&self, node: Node<'t>) -> bool {
        let (start, end) = self.slice(node);
        self.is_broken(node) || self.told.range(start..end).next().is_some()
    }

    /// The innermost bracket that is open where the text breaks, and the value in it that the text breaks in.
    fn innermost_broken(&self) -> (Option<Node<'t>>, Option<Node<'t>>) {
        let mut open = None;
        let mut at = self.root.filter(|&root| self.is_broken(root));
        for _ in 0..MAX_DEPTH {
            let Some(node) = at else { break };
            if !matches!(node.shape(), Shape::List | Shape::Map | Shape::Struct | Shape::Tuple) {
                return (open, at);
            }
            open = Some(node);
            at = self.node(self.parts(node).last()).filter(|&part| self.is_broken(part));
        }
        (open, None)
    }

    /// The first line of the value that the text breaks in, if a quote is missing there: its span, and which quote.
    ///
    /// A text without its closing quote ends at the quote that opens the next text. The text then breaks at a word in
    /// that line, which has no mistake.
    pub(super) fn missing_quote(&self) -> Option<(Span, &'static str)> {
        let (value, place) = (self.innermost_broken().1?, self.broken?);
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

    /// The innermost bracket that is open where the text breaks, and its line; the outermost is none if it does not count.
    pub(super) fn open_bracket(&self, outermost: bool) -> Option<(char, u32)> {
        let root = self.start(self.root?.slice());
        let node = self.innermost_broken().0.filter(|node| outermost || self.start(node.slice()) > root)?;
        let bracket = node.slice().find(['(', '[', '{'])?;
        let start = self.start(node.slice()) + bracket;
        Some((node.slice()[bracket..].chars().next()?, line_and_column(&self.text.as_bytes()[..start]).0))
    }

    /// The items of a list or tuple; the keys and values of a map or struct, which take turns.
    fn parts(&self, node: Node<'t>) -> Parts {
        let at = self.start(node.slice());
        if let Some(parts) = self.parts.borrow().get(&at) {
            return parts.clone();
        }
        let mut parts = Vec::new();
        let slice = |node| {
            let (start, end) = self.slice(node);
            (start as u32, end as u32)
        };
        node.visit(|key, value| {
            let is_there = !self.is_behind(value);
            if is_there {
                parts.extend(key.map(slice));
                parts.push(slice(value));
            }
            is_there
        });
        let parts: Parts = parts.into();
        self.parts.borrow_mut().insert(at, parts.clone());
        parts
    }

    fn node(&self, slice: Option<&(u32, u32)>) -> Option<Node<'t>> {
        slice.map(|&(start, end)| Node::of(&self.text[start as usize..end as usize]))
    }

    /// The keys and values of a map, the names and values of a struct.
    pub(crate) fn pairs(&self, node: Node<'t>) -> impl Iterator<Item = (Node<'t>, Node<'t>)> {
        let parts = self.parts(node);
        (0..parts.len() / 2).filter_map(move |i| Some((self.node(parts.get(2 * i))?, self.node(parts.get(2 * i + 1))?)))
    }

    /// The items of a list or tuple.
    pub(crate) fn items(&self, node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
        let parts = self.parts(node);
        (0..parts.len()).filter_map(move |i| self.node(parts.get(i)))
    }

    /// The value of a struct's field.
    pub(crate) fn field(&self, node: Node<'t>, name: &str) -> Option<Node<'t>> {
        let mut found = None;
        node.visit(|key, value| {
            if key.is_some_and(|key| key.field() == name) && !self.is_behind(value) {
                found = Some(value);
            }
            found.is_none()
        });
        found
    }

    /// One step on the way; a character is no value.
    fn step(&self, node: Node<'t>, step: Step<'_>) -> Option<Node<'t>> {
        let parts = || self.parts(node);
        match step {
            Step::Field(name) => self.pairs(node).find(|(key, _)| key.field() == name).map(|(_, value)| value),
            Step::Key(index) => self.node(parts().get(2 * index)),
            Step::Value(index) => self.node(parts().get(2 * index + 1)),
            Step::Item(index) => self.node(parts().get(index)),
            Step::Character(_) => None,
        }
    }

    /// The value that steps lead to, without its characters; none if they lead nowhere or through what is wrong.
    pub(crate) fn find(&self, steps: &[Step<'_>]) -> Option<Node<'t>> {
        let steps = match steps {
            [before @ .., Step::Character(_)] => before,
            steps => steps,
        };
        let sound = |node: &Node<'t>| !self.is_wrong(*node);
        steps.iter().try_fold(self.root.filter(sound)?, |at, &step| self.step(at, step).filter(sound))
    }

    /// Where what steps lead to begins and ends; none if they lead nowhere or through what is wrong.
    pub(crate) fn find_span(&self, steps: &[Step<'_>]) -> Option<Span> {
        let node = self.find(steps)?;
        let Some(&Step::Character(index)) = steps.last() else { return Some(self.span(node)) };
        let at = self.start(node.slice()) + character_offset(node.source(), index);
        Some((at, at + self.text.get(at..)?.chars().next().map_or(0, char::len_utf8)))
    }

    /// The line and column, from 1, of what steps lead to; of the part before it where they lead nowhere.
    pub(crate) fn locate(&self, steps: &[Step<'_>]) -> (u32, u32) {
        let found = (0..=steps.len()).rev().find_map(|count| self.find_span(&steps[..count]));
        line_and_column(&self.text.as_bytes()[..found.map_or(0, |(start, _)| start)])
    }

    /// The integer that a field of the first value holds, even if the rest of the text is no RON.
    pub(crate) fn integer_field(&self, name: &str) -> Option<i64> {
        ron::from_str(self.field(self.root?, name)?.slice()).ok()
    }
}

/// Where a character of a string begins, in bytes from the string's start; its closing quote if it has no such character.
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

/// The line and column, from 1, of what steps lead to in a text, with the rest of it in any state.
pub(crate) fn locate(text: &str, steps: &[Step<'_>]) -> (u32, u32) {
    Tree::new(text).locate(steps)
}

/// The line and column, from 1, of what comes after the beginning of a text in UTF-8.
pub(crate) fn line_and_column(before: &[u8]) -> (u32, u32) {
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
    let lines = before.iter().filter(|&&byte| byte == b'\n').count();
    // A character begins at every byte that does not continue one.
    let columns = before[line_start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    (lines as u32 + 1, columns as u32 + 1)
}

/// Where a line and column, both from 1, are in bytes; the end of the line or the text if it has no such column.
pub(super) fn offset_of(text: &str, (line, column): (usize, usize)) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text[start..].split('\n').next().unwrap_or_default();
    start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(i, _)| i)
}

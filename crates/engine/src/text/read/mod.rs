//! Reads a text in RON that may be wrong anywhere: notes what is wrong and goes on.

mod brackets;
mod scalars;
mod values;

use super::tree::{Node, Shape, Tree, is_name};
use super::{Fault, Faults};
use std::cell::Cell;

/// How many values and names a text may have, whatever its size, and how many bytes each one more takes.
const MANY: usize = 1 << 20;
const BYTES: usize = 8;

/// How many brackets may be inside each other.
pub(crate) const MAX_DEPTH: usize = 64;

/// The tree of a text, and what is wrong with its form. After an error it goes on at the next comma or closing bracket.
///
/// Texts of 4 GiB and more give an empty tree, and one of so many parts that the tree would be several times as large as
/// the text gives its beginning: [`Tree::is_cut`].
pub(crate) fn read<'a>(text: &'a str, faults: &mut Faults) -> Tree<'a> {
    let mut reader =
        Reader { tree: Tree::new(text), text, at: 0, open: Vec::new(), faults, ended: false, implied: false };
    if u32::try_from(text.len()).is_ok() {
        reader.file();
    }
    reader.tree
}

struct Reader<'a, 'f> {
    tree: Tree<'a>,
    text: &'a str,
    at: usize,
    /// The brackets that are open, with where they are.
    open: Vec<(char, usize, Shape)>,
    faults: &'f mut Faults,
    /// The text has ended inside brackets, and that is told.
    ended: bool,
    /// Brackets were taken as closed where they are not, and that is told.
    implied: bool,
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r' | '\u{85}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

impl<'a> Reader<'a, '_> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn fault(&mut self, start: usize, end: usize, message: impl Into<String>, hint: impl Into<String>) {
        self.faults.push(Fault::new("syntax", (start, end), message, hint));
    }

    /// Tells of the last fault not where it begins, but there.
    fn place_last(&mut self, place: (usize, usize)) {
        if let Some(fault) = self.faults.last_mut() {
            fault.place = Some(place);
        }
    }

    /// Says of the last fault that another reader may read on over it.
    fn swallow_last(&mut self) {
        if let Some(fault) = self.faults.last_mut() {
            fault.swallows = true;
        }
    }

    /// The line of a place, for messages.
    fn line(&self, at: usize) -> u32 {
        if self.faults.is_full() {
            // Nobody will see it.
            return 0;
        }
        super::line_and_column(&self.text.as_bytes()[..at]).0
    }

    fn file(&mut self) {
        self.attributes();
        if self.peek().is_none() {
            self.fault(self.at, self.at, "the file ends here", "expected a map, a catalogue or a replay");
            return;
        }
        self.value();
        self.space();
        if self.peek().is_some() && !self.ended {
            let end = self.token_end(self.at);
            self.fault(self.at, end, "more after the end", "expected nothing after the closing bracket of the file");
        }
    }

    /// Goes behind `#![enable(...)]` at the top of a file.
    fn attributes(&mut self) {
        self.space();
        while self.peek() == Some('#') {
            let end = self.rest().find(['\n', ']']).map_or(self.text.len(), |i| self.at + i);
            self.at = end;
            self.eat(']');
            self.space();
        }
    }

    /// Goes to the next thing that is no white space and no comment.
    fn space(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches(is_space).len();
            if self.rest().starts_with("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                self.comment();
            } else {
                return;
            }
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        let mut level = 0_usize;
        loop {
            let rest = self.rest();
            let Some(next) = rest.find(['*', '/']) else {
                if !self.ended {
                    self.fault(start, start + 2, "a comment is not closed", "expected `*/` before the file ends");
                    self.swallow_last();
                    self.ended = true;
                }
                self.at = self.text.len();
                return;
            };
            self.at += next;
            if self.rest().starts_with("/*") {
                level += 1;
                self.at += 2;
            } else if self.rest().starts_with("*/") {
                level -= 1;
                self.at += 2;
                if level == 0 {
                    return;
                }
            } else {
                self.at += 1;
            }
        }
    }

    /// Adds a node that begins there; it ends with [`Reader::close`].
    fn node(&mut self, start: usize, shape: Shape) -> usize {
        let node =
            Node { start: start as u32, end: start as u32, next: 0, shape, damaged: false, wrong: Cell::new(false) };
        self.tree.nodes.push(node);
        if self.tree.nodes.len() > MANY.max(self.text.len() / BYTES) {
            // As if nothing came any more.
            (self.tree.cut, self.ended, self.at) = (true, true, self.text.len());
        }
        self.tree.nodes.len() - 1
    }

    fn close(&mut self, node: usize) {
        let next = self.tree.nodes.len() as u32;
        let node = &mut self.tree.nodes[node];
        (node.end, node.next) = (self.at as u32, next);
    }

    /// A node from there to here without parts.
    fn leaf(&mut self, start: usize, shape: Shape) -> usize {
        let node = self.node(start, shape);
        self.close(node);
        node
    }

    /// A node for what has been told to be wrong.
    fn bad(&mut self, start: usize) {
        let node = self.leaf(start, Shape::Bad);
        self.tree.set_wrong(node);
    }
}

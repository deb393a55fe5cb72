//! The parts of a text, each a slice of it.
//!
//! The RON reader tells whether a text is RON, and up to where. What is here only goes from a value to the next one: over
//! strings, comments and brackets, which all are in order before the place where the text breaks. (The reader's raw values
//! are such slices too; it takes some ten times as long to find them.)

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};
use std::fmt;

/// A value of a text: the slice that it is written in. The slice of a text's first value goes on to the end of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'t>(&'t str);

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Something that is read nowhere.
    Other,
    /// A number without a point or exponent.
    Integer,
    /// Any other number.
    Float,
    /// `'x'`.
    Char,
    /// `"x"`, or a raw one.
    Text,
    /// A name without parentheses, such as `true`.
    Word,
    /// `[1, 2]`.
    List,
    /// `{1: 2}`.
    Map,
    /// `(a: 1)`, with or without a name before it.
    Struct,
    /// `(1, 2)` or `()`, with or without a name before it.
    Tuple,
}

impl Shape {
    /// What it is called in messages.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Shape::Other => "something else",
            Shape::Integer => "an integer",
            Shape::Float => "a number with a point",
            Shape::Char => "a character in single quotes",
            Shape::Text => "a text in quotes",
            Shape::Word => "a name without quotes",
            Shape::List => "a list in square brackets",
            Shape::Map => "entries in braces",
            Shape::Struct => "fields in parentheses",
            Shape::Tuple => "values in parentheses",
        }
    }
}

impl<'t> Node<'t> {
    /// The value that begins with the first character of a slice that is neither space nor comment.
    pub(crate) fn new(slice: &'t str) -> Node<'t> {
        Node(Node(skip_space(slice)).source())
    }

    /// The value that is a slice, or that it begins with.
    pub(super) fn of(slice: &'t str) -> Node<'t> {
        Node(slice)
    }

    /// The slice that the value is written in.
    pub(crate) fn slice(self) -> &'t str {
        self.0
    }

    /// What the text has for the value, without what may follow.
    pub(crate) fn source(self) -> &'t str {
        &self.0[..end_of(self.0).0]
    }

    /// Length in bytes of the text in quotes that the slice begins with; 0 if it begins with anything else.
    pub(super) fn quoted_length(self) -> usize {
        match self.0.as_bytes() {
            bytes @ [b'"', ..] => string(bytes),
            bytes @ [b'r', ..] => raw_string(bytes).unwrap_or(0),
            _ => 0,
        }
    }

    /// Whether all of its brackets are closed.
    pub(super) fn is_closed(self) -> bool {
        end_of(self.0).1
    }

    /// The name of a field, as a key.
    pub(crate) fn field(self) -> &'t str {
        self.0.strip_prefix("r#").unwrap_or(self.0)
    }

    /// The name before its parentheses, or a word; empty if there is none.
    pub(crate) fn name(self) -> &'t str {
        // Most values begin with what no name does.
        let Some(first) = self.0.chars().next().filter(|&c| c.is_alphabetic() || c == '_') else { return "" };
        // Only these may be the beginning of a text's quotes, or of a raw name.
        let may_differ = matches!(first, 'r' | 'b');
        let raw = self.0.strip_prefix("r#").filter(|_| may_differ);
        let word = raw.unwrap_or(self.0);
        if raw.is_some() && !word.starts_with(|c: char| c.is_alphabetic() || c == '_') || may_differ && self.is_quoted()
        {
            return "";
        }
        // Raw names take more characters.
        let is_part = |c: char| is_name(c) || raw.is_some() && matches!(c, '.' | '+' | '-');
        &word[..word.find(|c| !is_part(c)).unwrap_or(word.len())]
    }

    /// How many bytes the name takes, with the `r#` before a raw one.
    pub(crate) fn name_len(self) -> usize {
        let name = self.name();
        let raw = !name.is_empty() && self.0.starts_with("r#");
        name.len() + if raw { 2 } else { 0 }
    }

    /// Whether it begins with a quote, or what may stand before one.
    fn is_quoted(self) -> bool {
        let hashes = |slice: &str| slice.trim_start_matches('#').starts_with('"');
        let after = |prefix: &str| self.0.strip_prefix(prefix);
        self.0.starts_with(['"', '\''])
            || after("r").is_some_and(hashes)
            || after("b").is_some_and(|rest| rest.starts_with(['"', '\'']))
            || after("br").is_some_and(hashes)
    }

    pub(crate) fn shape(self) -> Shape {
        match self.0.chars().next() {
            Some('"') => Shape::Text,
            Some('\'') => Shape::Char,
            Some('[') => Shape::List,
            Some('{') => Shape::Map,
            Some('r') if self.is_quoted() => Shape::Text,
            Some('b') if self.is_quoted() => Shape::Other,
            Some('0'..='9' | '+' | '-' | '.') => {
                let digits = self.0.trim_start_matches(['+', '-']);
                let number = &digits[..digits.find(|c| !is_name(c) && c != '.').unwrap_or(digits.len())];
                // A number may name its type.
                let number = number.find(['i', 'u']).map_or(number, |suffix| &number[..suffix]);
                let based = number.starts_with("0x") || number.starts_with("0b") || number.starts_with("0o");
                let whole = number.chars().all(|c| c.is_ascii_digit() || c == '_') && !number.is_empty();
                if based || whole { Shape::Integer } else { Shape::Float }
            }
            _ => match self.in_parentheses() {
                Some(inside) => {
                    let length = Node(inside).name_len();
                    let named = length > 0 && skip_space(&inside[length..]).starts_with(':');
                    if named { Shape::Struct } else { Shape::Tuple }
                }
                None if self.name().is_empty() => Shape::Other,
                None => Shape::Word,
            },
        }
    }

    /// What comes after its opening parenthesis and space.
    fn in_parentheses(self) -> Option<&'t str> {
        skip_space(&self.0[self.name_len()..]).strip_prefix('(').map(skip_space)
    }

    /// Visits its parts until the visitor says `false`: the items of a list or tuple, and the keys and values of a map or
    /// struct.
    pub(crate) fn visit(self, mut each: impl FnMut(Option<Node<'t>>, Node<'t>) -> bool) {
        let (keys, mut rest) = match self.shape() {
            Shape::List => (false, skip_space(&self.0[1..])),
            Shape::Map => (true, skip_space(&self.0[1..])),
            shape @ (Shape::Struct | Shape::Tuple) => {
                (shape == Shape::Struct, self.in_parentheses().unwrap_or_default())
            }
            _ => return,
        };
        while !rest.is_empty() && !rest.starts_with([')', ']', '}']) {
            let (part, behind) = first(rest);
            let (key, value, behind) = match behind.strip_prefix(':').filter(|_| keys) {
                Some(behind) => {
                    let (value, behind) = first(skip_space(behind));
                    (Some(part), value, behind)
                }
                None => (None, part, behind),
            };
            if !each(key, value) {
                return;
            }
            let Some(behind) = behind.strip_prefix(',') else { return };
            rest = skip_space(behind);
        }
    }
}

/// The value that a slice begins with, and what comes after it and space.
fn first(slice: &str) -> (Node<'_>, &str) {
    let (value, behind) = slice.split_at(end_of(slice).0);
    (Node(value), skip_space(behind))
}

/// Where the value that a slice begins with ends, and whether all of its brackets are closed there: before a comma, a colon
/// or a bracket that closes another one.
fn end_of(slice: &str) -> (usize, bool) {
    let bytes = slice.as_bytes();
    let (mut at, mut end, mut depth) = (0, 0, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        if IS_PLAIN[usize::from(byte)] {
            at += 1;
            end = at;
            continue;
        }
        let length = match byte {
            b'"' => string(&bytes[at..]),
            b'\'' => character(&bytes[at..]),
            // No name goes on with a quote.
            b'r' => raw_string(&bytes[at..]).unwrap_or(1),
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => {
                at = slice.len() - skip_space(&slice[at..]).len();
                continue;
            }
            b',' | b':' if depth == 0 => break,
            b')' | b']' | b'}' if depth == 0 => break,
            b')' | b']' | b'}' if depth == 1 => return (at + 1, true),
            b')' | b']' | b'}' => {
                depth -= 1;
                1
            }
            b'(' | b'[' | b'{' => {
                depth += 1;
                1
            }
            _ => 1,
        };
        at = (at + length).min(bytes.len());
        if !byte.is_ascii_whitespace() {
            end = at;
        }
    }
    (slice[..end].trim_end_matches(is_space).len(), depth == 0)
}

/// The bytes that mean nothing to [`end_of`] and are no space.
const IS_PLAIN: [bool; 256] = {
    let mut is_plain = [true; 256];
    let others = b"\"'r/,:)]}([{ \t\n\x0b\x0c\r";
    let mut i = 0;
    while i < others.len() {
        is_plain[others[i] as usize] = false;
        i += 1;
    }
    is_plain
};

/// The length of a text, from its quote on.
fn string(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

/// The length of a raw text, from its `r` on; `None` if there is none.
fn raw_string(bytes: &[u8]) -> Option<usize> {
    let hashes = bytes[1..].iter().take_while(|&&byte| byte == b'#').count();
    let inside = bytes[1 + hashes..].strip_prefix(b"\"")?;
    let closes = |at: &usize| {
        let behind = &inside[at + 1..];
        inside[*at] == b'"' && behind.iter().take(hashes).take_while(|&&byte| byte == b'#').count() == hashes
    };
    let length = (0..inside.len()).find(closes).map_or(inside.len(), |at| at + 1 + hashes);
    Some(2 + hashes + length)
}

/// The length of a character, from its quote on.
fn character(bytes: &[u8]) -> usize {
    let escaped = bytes.get(1) == Some(&b'\\');
    let inside = bytes.get(if escaped { 3 } else { 2 }..).unwrap_or_default();
    inside.iter().position(|&byte| byte == b'\'').map_or(bytes.len(), |found| bytes.len() - inside.len() + found + 1)
}

/// Reads a field's name as a slice of the text.
pub(crate) struct FieldName;

impl<'t> DeserializeSeed<'t> for FieldName {
    type Value = &'t str;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<&'t str, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'t> Visitor<'t> for FieldName {
    type Value = &'t str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_borrowed_str<E: Error>(self, name: &'t str) -> Result<&'t str, E> {
        Ok(name)
    }
}

/// Whether a character is part of a name, in a text whose names are in order.
fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii() && !is_space(c)
}

/// Where the comment begins that a text does not close, behind its value or in it.
pub(super) fn unclosed_comment(text: &str) -> usize {
    let mut at = end_of(text).0;
    while let Some(comment) = text[at..].find("/*") {
        let rest = &text[at + comment + 2..];
        let behind = behind_comment(rest);
        if behind.is_empty() {
            return at + comment;
        }
        at += comment + 2 + rest.len() - behind.len();
    }
    at
}

/// What comes after space and comments.
pub(super) fn skip_space(mut slice: &str) -> &str {
    loop {
        // Most space is of ASCII, and most of it ends at a byte that is no space.
        let plain = slice.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'..=b'\r')).count();
        slice = &slice[plain..];
        match slice.as_bytes().first() {
            Some(b'/' | 0x80..) => slice = slice.trim_start_matches(is_space),
            _ => return slice,
        }
        if let Some(comment) = slice.strip_prefix("//") {
            slice = comment.split_once('\n').map_or(&comment[comment.len()..], |(_, rest)| rest);
        } else if let Some(comment) = slice.strip_prefix("/*") {
            slice = behind_comment(comment);
        } else {
            return slice;
        }
    }
}

/// What comes after a comment that is open; comments may be in each other.
fn behind_comment(mut slice: &str) -> &str {
    let mut open = 1_usize;
    while let Some(at) = slice.find(['/', '*']).filter(|_| open > 0) {
        let mark = &slice[at..];
        let (change, length) = match () {
            () if mark.starts_with("/*") => (1, 2),
            () if mark.starts_with("*/") => (-1, 2),
            () => (0, 1),
        };
        open = open.saturating_add_signed(change);
        slice = &mark[length..];
    }
    if open > 0 { &slice[slice.len()..] } else { slice }
}

/// Whether a character is space to the RON reader.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r' | '\u{85}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
}

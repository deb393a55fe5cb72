//! Values of a text, each as a slice of it.
//!
//! The RON reader decides whether a text is RON, and up to where. This module only skips from one value to the next,
//! over strings, comments and brackets. All of them are valid before the position where the text breaks. (The reader's
//! raw values are such slices too, but it takes about ten times as long to find them.)

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use ron::value::RawValue;
use serde::de::{Deserialize, Deserializer};

/// A value of a text, as the slice in which it is written. The slice of a text's first value extends to the end of the
/// text.
#[derive(Clone, Copy, Debug)]
pub struct Node<'t>(&'t str);

/// Form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A value that has no shape of the list below. No field accepts such a value.
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
    /// Returns the name of this kind of value in error messages, such as "a list".
    pub fn description(self) -> &'static str {
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
    /// Returns the value that starts at the first character of a slice that is neither space nor comment.
    pub fn new(slice: &'t str) -> Node<'t> {
        Node(Node(skip_space(slice)).source())
    }

    /// Returns the value that a slice is or starts with.
    pub(super) fn from_slice(slice: &'t str) -> Node<'t> {
        Node(slice)
    }

    /// Returns the slice in which the value is written.
    pub fn slice(self) -> &'t str {
        self.0
    }

    /// Returns the source of the value, without anything behind it.
    pub fn source(self) -> &'t str {
        &self.0[..first_value_end_and_is_closed(self.0).0]
    }

    /// Length in bytes of the text in quotes that the slice begins with; 0 if it begins with anything else.
    pub(super) fn quoted_length(self) -> usize {
        match self.0.as_bytes() {
            bytes @ [b'"', ..] => string_length(bytes),
            bytes @ [b'r', ..] => raw_string_length(bytes).unwrap_or(0),
            _ => 0,
        }
    }

    /// Returns whether all brackets of the value are closed.
    pub(super) fn is_closed(self) -> bool {
        first_value_end_and_is_closed(self.0).1
    }

    /// Returns the name of a field, used as a key.
    pub fn field_name(self) -> &'t str {
        self.0.strip_prefix("r#").unwrap_or(self.0)
    }

    /// Returns the name before its parentheses, or the word itself. Empty if there is none.
    pub fn name(self) -> &'t str {
        // A name starts with a letter or an underscore. Most values do not, so they need no further check.
        let Some(first) = self.0.chars().next().filter(|&c| c.is_alphabetic() || c == '_') else { return "" };
        // Only a value with one of these first letters can be something other than a plain name: a string with a prefix
        // such as r"...", or a raw name (r#...).
        let may_differ = matches!(first, 'r' | 'b');
        let raw = self.0.strip_prefix("r#").filter(|_| may_differ);
        let word = raw.unwrap_or(self.0);
        if raw.is_some() && !word.starts_with(|c: char| c.is_alphabetic() || c == '_') || may_differ && self.is_quoted()
        {
            return "";
        }
        // Raw names may contain more characters.
        let is_part = |c: char| is_name_char(c) || raw.is_some() && matches!(c, '.' | '+' | '-');
        &word[..word.find(|c| !is_part(c)).unwrap_or(word.len())]
    }

    /// Returns the length of the name in bytes, including the `r#` of a raw one.
    pub fn name_len(self) -> usize {
        let name = self.name();
        let raw = !name.is_empty() && self.0.starts_with("r#");
        name.len() + if raw { 2 } else { 0 }
    }

    /// Returns whether the value starts with a quote or a prefix of one.
    fn is_quoted(self) -> bool {
        let hashes = |slice: &str| slice.trim_start_matches('#').starts_with('"');
        let after = |prefix: &str| self.0.strip_prefix(prefix);
        self.0.starts_with(['"', '\''])
            || after("r").is_some_and(hashes)
            || after("b").is_some_and(|rest| rest.starts_with(['"', '\'']))
            || after("br").is_some_and(hashes)
    }

    pub fn shape(self) -> Shape {
        match self.0.chars().next() {
            Some('"') => Shape::Text,
            Some('\'') => Shape::Char,
            Some('[') => Shape::List,
            Some('{') => Shape::Map,
            Some('r') if self.is_quoted() => Shape::Text,
            Some('b') if self.is_quoted() => Shape::Other,
            Some('0'..='9' | '+' | '-' | '.') => {
                let digits = self.0.trim_start_matches(['+', '-']);
                let number = &digits[..digits.find(|c| !is_name_char(c) && c != '.').unwrap_or(digits.len())];
                // A number may end with its type, such as `1u8`. Drop this suffix.
                let number = number.find(['i', 'u']).map_or(number, |suffix| &number[..suffix]);
                let based = number.starts_with("0x") || number.starts_with("0b") || number.starts_with("0o");
                let whole = number.chars().all(|c| c.is_ascii_digit() || c == '_') && !number.is_empty();
                if based || whole { Shape::Integer } else { Shape::Float }
            }
            _ => match self.text_after_parenthesis() {
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

    /// Returns the text after its opening parenthesis and space.
    fn text_after_parenthesis(self) -> Option<&'t str> {
        skip_space(&self.0[self.name_len()..]).strip_prefix('(').map(skip_space)
    }

    /// Visits its parts until the visitor returns `false`: the items of a list or tuple, or the keys and values of a
    /// map or struct.
    pub fn visit_parts(self, mut each: impl FnMut(Option<Node<'t>>, Node<'t>) -> bool) {
        let (keys, mut rest) = match self.shape() {
            Shape::List => (false, skip_space(&self.0[1..])),
            Shape::Map => (true, skip_space(&self.0[1..])),
            shape @ (Shape::Struct | Shape::Tuple) => {
                (shape == Shape::Struct, self.text_after_parenthesis().unwrap_or_default())
            }
            _ => return,
        };
        while !rest.is_empty() && !rest.starts_with([')', ']', '}']) {
            let (part, behind) = split_first_value(rest);
            let (key, value, behind) = match behind.strip_prefix(':').filter(|_| keys) {
                Some(behind) => {
                    let (value, behind) = split_first_value(skip_space(behind));
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

/// Returns the value with which a slice starts, and the text after it and space.
fn split_first_value(slice: &str) -> (Node<'_>, &str) {
    let (value, behind) = slice.split_at(first_value_end_and_is_closed(slice).0);
    (Node(value), skip_space(behind))
}

/// Returns where the first value of a slice ends, and whether all of its brackets are closed there. It ends before a
/// comma, a colon or a bracket that closes an outer one.
fn first_value_end_and_is_closed(slice: &str) -> (usize, bool) {
    let bytes = slice.as_bytes();
    let (mut at, mut end, mut depth) = (0, 0, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        if IS_PLAIN[usize::from(byte)] {
            at += 1;
            end = at;
            continue;
        }
        let length = match byte {
            b'"' => string_length(&bytes[at..]),
            b'\'' => character_length(&bytes[at..]),
            // An `r` inside a name needs no check of its own: no quote follows it, so `raw_string_length` returns
            // `None`.
            b'r' => raw_string_length(&bytes[at..]).unwrap_or(1),
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

/// Bytes that [`first_value_end_and_is_closed`] skips and that are not space.
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

/// Returns the length of a string, from its quote on.
fn string_length(bytes: &[u8]) -> usize {
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

/// Returns the length of a raw string, from its `r` on. `None` if there is none.
fn raw_string_length(bytes: &[u8]) -> Option<usize> {
    let hashes = bytes[1..].iter().take_while(|&&byte| byte == b'#').count();
    let inside = bytes[1 + hashes..].strip_prefix(b"\"")?;
    let closes = |at: &usize| {
        let behind = &inside[at + 1..];
        inside[*at] == b'"' && behind.iter().take(hashes).take_while(|&&byte| byte == b'#').count() == hashes
    };
    let length = (0..inside.len()).find(closes).map_or(inside.len(), |at| at + 1 + hashes);
    Some(2 + hashes + length)
}

/// Returns the length of a character literal, from its quote on.
fn character_length(bytes: &[u8]) -> usize {
    let escaped = bytes.get(1) == Some(&b'\\');
    let inside = bytes.get(if escaped { 3 } else { 2 }..).unwrap_or_default();
    inside.iter().position(|&byte| byte == b'\'').map_or(bytes.len(), |found| bytes.len() - inside.len() + found + 1)
}

impl<'de: 't, 't> Deserialize<'de> for Node<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node<'t>, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|raw| Node::new(raw.get_ron()))
    }
}

/// Returns whether a character is part of a name, in a text with valid names.
fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii() && !is_space(c)
}

/// Returns the start of the comment that a text does not close.
pub(super) fn unclosed_comment_start(text: &str) -> usize {
    let mut at = first_value_end_and_is_closed(text).0;
    while let Some(comment) = text[at..].find("/*") {
        let rest = &text[at + comment + 2..];
        let behind = skip_comment(rest);
        if behind.is_empty() {
            return at + comment;
        }
        at += comment + 2 + rest.len() - behind.len();
    }
    at
}

/// Returns the text after space and comments.
pub(super) fn skip_space(mut slice: &str) -> &str {
    loop {
        // Skip ASCII space first, because most space is ASCII. Affects speed only.
        let plain = slice.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'..=b'\r')).count();
        slice = &slice[plain..];
        match slice.as_bytes().first() {
            Some(b'/' | 0x80..) => slice = slice.trim_start_matches(is_space),
            _ => return slice,
        }
        if let Some(comment) = slice.strip_prefix("//") {
            slice = comment.split_once('\n').map_or(&comment[comment.len()..], |(_, rest)| rest);
        } else if let Some(comment) = slice.strip_prefix("/*") {
            slice = skip_comment(comment);
        } else {
            return slice;
        }
    }
}

/// Returns the text after an open comment. Comments may be nested.
fn skip_comment(mut slice: &str) -> &str {
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

/// Returns whether the RON reader treats a character as space.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r' | '\u{85}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
}

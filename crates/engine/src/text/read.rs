//! Reads a text in RON that may be wrong anywhere: notes what is wrong and goes on.

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

    /// Reads a value; always adds one node, and may leave off before what is none.
    fn value(&mut self) {
        self.space();
        let start = self.at;
        match self.peek() {
            None => {
                self.end_of_file();
                self.bad(start);
            }
            Some('"') => self.text_value(start),
            Some('\'') => self.char_value(start),
            Some(c @ ('(' | '[' | '{')) => self.brackets(start, c),
            Some('0'..='9' | '+' | '-' | '.') => self.number(start),
            Some('b') if self.rest().starts_with("b'") => {
                self.at += 1;
                self.char_end();
                self.checked_number(start);
            }
            Some('b') if ["b\"", "br\"", "br#"].iter().any(|begin| self.rest().starts_with(begin)) => {
                self.at += 1;
                self.text_value(start);
            }
            Some('r') if self.raw_hashes().is_some() => self.text_value(start),
            Some(c) if is_name_start(c) => self.named(start),
            Some(c) => {
                if !matches!(c, ',' | ':' | ')' | ']' | '}') {
                    self.at = self.junk_end(start);
                }
                let end = self.token_end(start).max(self.at);
                let found = self.text[start..end].chars().take(20).collect::<String>();
                self.fault(start, end, format!("expected a value; found `{found}`"), "");
                self.bad(start);
            }
        }
    }

    fn end_of_file(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        let at = self.text.trim_end_matches(is_space).len();
        match self.open.last() {
            None => self.fault(self.text.len(), self.text.len(), "the file ends here", "expected a value"),
            Some(&(open, place, _)) => {
                let (line, close) = (self.line(place), closing(open));
                let start = self.text[..at].char_indices().next_back().map_or(0, |(i, _)| i);
                let mut fault = Fault::new(
                    "syntax",
                    (start, self.text.len()),
                    "the file ends here",
                    format!("expected `{close}` to close the `{open}` of line {line}"),
                );
                fault.place = Some((self.text.len(), self.text.len()));
                self.faults.push(fault);
            }
        }
    }

    /// Where the token that begins there ends, for what cannot be read.
    fn token_end(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        let name = rest.len() - rest.trim_start_matches(is_name).len();
        let mut others = rest.chars().map(char::len_utf8);
        let other = others.next().unwrap_or(0);
        // A slash may have been meant to begin a comment.
        let comment = if rest.starts_with('/') { others.next().unwrap_or(0) } else { 0 };
        start + if name > 0 { name } else { other + comment }
    }

    /// Where what is no value ends: before a comma, a bracket or white space.
    fn junk_end(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        let ends = |c: char| is_space(c) || matches!(c, ',' | ':' | '(' | ')' | '[' | ']' | '{' | '}' | '"' | '\'');
        let first = rest.chars().next().map_or(0, char::len_utf8);
        start + rest[first..].find(ends).map_or(rest.len(), |i| first + i)
    }

    fn named(&mut self, start: usize) {
        if self.rest().starts_with("r#") {
            self.at += 2;
        }
        let good = self.name(start);
        let end = self.at;
        self.space();
        if !good {
            self.at = end;
            self.bad(start);
        } else if self.peek() == Some('(') {
            self.brackets(start, '(');
        } else {
            self.at = end;
            self.leaf(start, Shape::Word);
        }
    }

    /// Goes behind a name; false if it runs into what cannot be in one, which is told.
    fn name(&mut self, start: usize) -> bool {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(is_name).len();
        if !self.rest().starts_with(['.', '+', '-']) {
            return true;
        }
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(|c| is_name(c) || matches!(c, '.' | '+' | '-')).len();
        let message = format!("`{}` is no name", &self.text[start..self.at]);
        self.fault(start, self.at, message, "expected letters, digits and underscores");
        false
    }

    fn number(&mut self, start: usize) {
        let mut before = ' ';
        while let Some(c) = self.peek() {
            let sign = matches!(c, '+' | '-') && (self.at == start || matches!(before, 'e' | 'E'));
            if !(is_name(c) || c == '.' || sign) {
                break;
            }
            before = c;
            self.at += c.len_utf8();
        }
        self.checked_number(start);
    }

    fn checked_number(&mut self, start: usize) {
        let written = &self.text[start..self.at];
        if !matches!(ron::from_str(written), Ok(ron::Value::Number(_))) {
            let hint = if written.len() > 1 && !written.contains(is_name) {
                // A row of a map without its quotes.
                format!("did you mean \"{written}\"?")
            } else {
                "expected one such as 12, -3.5 or 1e-3".to_owned()
            };
            self.fault(start, self.at, format!("`{written}` is no number"), hint);
            self.bad(start);
            return;
        }
        let digits = written.trim_start_matches(['+', '-']);
        let based = digits.starts_with("0x") || digits.starts_with("b'");
        let float = !based && digits.contains(['.', 'e', 'E', 'f', 'n', 'N']);
        self.leaf(start, if float { Shape::Float } else { Shape::Integer });
    }

    /// How many hashes a raw text that begins here has; `None` if there is none.
    fn raw_hashes(&self) -> Option<usize> {
        let after = self.rest().strip_prefix('r')?;
        let quoted = after.trim_start_matches('#');
        quoted.starts_with('"').then_some(after.len() - quoted.len())
    }

    /// A text; `at` is at its quote, or at the `r` of a raw one.
    fn text_value(&mut self, start: usize) {
        let first = self.faults.count();
        let hashes = self.raw_hashes();
        self.at += hashes.map_or(0, |hashes| 1 + hashes) + 1;
        let inside = self.at;
        let closed = match hashes {
            Some(hashes) => self.raw_end(hashes),
            None => self.text_end(),
        };
        // One that goes over a line's end and is followed by what cannot follow a value lacks its quote.
        let line_end = self.text[inside..].find('\n').map_or(self.text.len(), |i| inside + i);
        let unclosed = !closed || (line_end < self.at && !self.ends_well());
        let mut wrong = self.faults.count() > first;
        if unclosed {
            self.faults.truncate(first);
            let line = self.text[..line_end].trim_end_matches(is_space);
            self.at = line.strip_suffix(',').unwrap_or(line).len().max(inside);
            let quote = format!("\"{}", "#".repeat(hashes.unwrap_or(0)));
            let mut fault = Fault::new(
                "syntax",
                (start, self.at),
                "the text that begins here is not closed on its line",
                format!("expected `{quote}` at its end"),
            );
            fault.swallows = true;
            self.faults.push(fault);
            wrong = true;
        }
        let bytes = self.text[start..].starts_with('b');
        let node = self.leaf(start, if bytes { Shape::Bytes } else { Shape::Text });
        if wrong {
            self.tree.set_wrong(node);
        }
    }

    fn raw_end(&mut self, hashes: usize) -> bool {
        let close = format!("\"{}", "#".repeat(hashes));
        let found = self.rest().find(&close);
        self.at = found.map_or(self.text.len(), |i| self.at + i + close.len());
        found.is_some()
    }

    /// Goes behind the closing quote of a text with escapes; false if there is none.
    fn text_end(&mut self) -> bool {
        loop {
            let Some(next) = self.rest().find(['"', '\\']) else {
                self.at = self.text.len();
                return false;
            };
            self.at += next;
            if self.eat('"') {
                return true;
            }
            self.escape("expected a row with a backslash to be a raw text, such as r\"/..\\\"");
        }
    }

    /// Goes behind an escape, which begins here with its backslash.
    fn escape(&mut self, hint: &str) {
        let start = self.at;
        self.at += 1;
        let escaped = self.bump();
        let good = match escaped {
            Some('\'' | '"' | '\\' | 'n' | 'r' | 't' | '0' | '\n' | '\r') => true,
            Some('x') => {
                // What is beyond ASCII takes several of them.
                while self.escaped_digits(2, 2) && self.rest().starts_with("\\x") {
                    self.at += 2;
                }
                ron::from_str::<String>(&format!("\"{}\"", &self.text[start..self.at])).is_ok()
            }
            Some('u') => {
                self.eat('{') && self.escaped_digits(1, 6) && self.eat('}') && {
                    ron::from_str::<String>(&format!("\"{}\"", &self.text[start..self.at])).is_ok()
                }
            }
            _ => false,
        };
        if !good {
            let written = self.text[start..self.at].replace(char::is_control, " ");
            self.fault(start, self.at, format!("unknown escape `{}`", written.trim_end()), hint);
        }
    }

    fn escaped_digits(&mut self, least: usize, most: usize) -> bool {
        let digits = self.rest().chars().take(most).take_while(char::is_ascii_hexdigit).count();
        self.at += digits;
        digits >= least
    }

    /// Whether a comma, a colon or a closing bracket comes next, or the end.
    fn ends_well(&self) -> bool {
        let mut rest = self.rest();
        loop {
            rest = rest.trim_start_matches(is_space);
            let Some(comment) = rest.strip_prefix("//") else { break };
            rest = comment.find('\n').map_or("", |end| &comment[end..]);
        }
        rest.is_empty() || rest.starts_with([',', ':', ')', ']', '}']) || rest.starts_with("/*")
    }

    fn char_value(&mut self, start: usize) {
        let first = self.faults.count();
        if self.char_end() {
            let node = self.leaf(start, Shape::Char);
            if self.faults.count() > first {
                self.tree.set_wrong(node);
            }
        } else {
            self.bad(start);
        }
    }

    /// Goes behind a character between single quotes, the first of which is here; false if there is none, which is
    /// told.
    fn char_end(&mut self) -> bool {
        let (start, first) = (self.at, self.faults.count());
        self.at += 1;
        if self.peek() == Some('\\') {
            self.escape("expected a character such as 'x', '\\'' or '\\\\'");
        } else {
            self.bump();
        }
        if self.eat('\'') {
            return true;
        }
        // Up to a quote on the same line, if nothing that ends a value comes before it.
        let rest = &self.text[start + 1..];
        let stop = rest.find(['\'', '\n', ',', ':', '"']).unwrap_or(rest.len());
        self.at = start + 1 + stop;
        if !self.eat('\'') {
            self.at = start + 1 + rest[..stop].trim_end_matches(is_space).len();
        }
        let written: String = self.text[start..self.at].chars().take(40).collect();
        // An escape that is wrong is a part of that.
        self.faults.truncate(first);
        let digits = written.strip_prefix("'\\u").map(|rest| rest.trim_end_matches('\''));
        let hint = match digits.filter(|digits| matches!(digits.len(), 1..=6)) {
            Some(digits) if digits.chars().all(|c| c.is_ascii_hexdigit()) => {
                format!("did you mean '\\u{{{digits}}}'?")
            }
            _ => "expected one such as 'x'".to_owned(),
        };
        self.fault(start, self.at, format!("`{written}` is no single character"), hint);
        false
    }

    fn brackets(&mut self, start: usize, open: char) {
        let place = self.at;
        if self.open.len() >= MAX_DEPTH {
            let message = format!("brackets too deep in each other; expected at most {MAX_DEPTH} of them");
            self.faults.push(Fault::from_words("depth", (place, place + 1), &message));
            self.skip_brackets();
            self.bad(start);
            return;
        }
        self.at += 1;
        self.space();
        let shape = match open {
            '[' => Shape::List,
            '{' => Shape::Map,
            _ if self.has_fields() => Shape::Struct,
            _ => Shape::Tuple,
        };
        self.open.push((open, place, shape));
        let node = self.node(start, shape);
        let first = self.faults.count();
        let mut damaged = false;
        while let Some(entry) = self.next_entry(open) {
            damaged |= !entry;
            let entry_start = self.at;
            match shape {
                Shape::Struct => damaged |= !self.field(),
                Shape::Map => damaged |= !self.pair(),
                _ => self.value(),
            }
            let value_end = self.at;
            self.space();
            damaged |= !self.entry_end(open, (entry_start, value_end));
            if self.at == entry_start {
                // What is no value and no end either.
                self.bump();
                damaged = true;
            }
        }
        self.open.pop();
        self.close(node);
        let unclosed = !self.text[..self.at].ends_with(closing(open)) || self.ended;
        self.tree.nodes[node].damaged = damaged || (unclosed && self.faults.count() > first);
    }

    /// Whether what comes after an opening parenthesis is a field: a name with a colon, or where one should be.
    fn has_fields(&self) -> bool {
        let rest = self.rest();
        let name = rest.strip_prefix("r#").unwrap_or(rest);
        if !name.starts_with(is_name_start) || self.raw_hashes().is_some() {
            return false;
        }
        let after = name.trim_start_matches(is_name);
        let value = |c: char| is_name(c) || matches!(c, '[' | '{' | '\'' | '"' | '-');
        let next = after.trim_start_matches(is_space);
        next.starts_with([':', '=']) || next.len() < after.len() && next.starts_with(value)
    }

    /// Whether there is another entry before the closing bracket: `Some(false)` if something is wrong before it.
    fn next_entry(&mut self, open: char) -> Option<bool> {
        let mut good = true;
        loop {
            self.space();
            let (start, close) = (self.at, closing(open));
            match self.peek() {
                None => {
                    self.end_of_file();
                    return None;
                }
                Some(c) if c == close => {
                    self.at += 1;
                    return None;
                }
                Some(c @ (')' | ']' | '}')) => {
                    let line = self.line(self.open.last().map_or(0, |&(_, place, _)| place));
                    let hint = format!("expected `{close}` to close the `{open}` of line {line}");
                    self.fault(start, start + 1, format!("found `{c}`"), hint);
                    // It closes something around this, or it stands for the right one.
                    if !self.open.iter().any(|&(other, ..)| closing(other) == c) {
                        self.at += 1;
                    }
                    return None;
                }
                Some(',') => {
                    self.fault(start, start + 1, "a comma without a value before it", "expected a value, or no comma");
                    self.at += 1;
                    good = false;
                }
                Some(_) if self.is_field_outside() => {
                    let told = self.faults.last_mut().is_some_and(|fault| fault.begin() == start);
                    if !told {
                        let line = self.line(self.open.last().map_or(0, |&(_, place, _)| place));
                        let end = self.token_end(start);
                        let message = format!("found the field `{}`", &self.text[start..end]);
                        let hint = format!("expected `{close}` to close the `{open}` of line {line}");
                        self.fault(start, end, message, hint);
                    }
                    self.implied = true;
                    return None;
                }
                Some(_) => return Some(good),
            }
        }
    }

    /// Whether a field comes next, inside brackets that hold no fields but lie in some that do.
    fn is_field_outside(&self) -> bool {
        let Some(((_, _, shape), outside)) = self.open.split_last() else { return false };
        let rest = self.rest();
        *shape != Shape::Struct
            && outside.iter().any(|&(_, _, shape)| shape == Shape::Struct)
            && rest.starts_with(is_name_start)
            && self.raw_hashes().is_none()
            && rest.trim_start_matches(is_name).trim_start_matches(is_space).starts_with(':')
    }

    /// Goes behind the comma after an entry that begins and ends there, if there is one; false if something else is there,
    /// which is told.
    fn entry_end(&mut self, open: char, entry: (usize, usize)) -> bool {
        if std::mem::take(&mut self.implied) {
            return true;
        }
        match self.peek() {
            None => true,
            Some(',') => {
                self.at += 1;
                true
            }
            Some(')' | ']' | '}') => true,
            Some(c) => {
                if self.ended {
                    self.at = self.text.len();
                    return true;
                }
                let start = self.at;
                let end = self.token_end(start);
                let found = match c {
                    '"' => "a text".to_owned(),
                    '\'' => "a character in single quotes".to_owned(),
                    _ => format!("`{}`", &self.text[start..end]),
                };
                let message = format!("expected a comma or `{}`; found {found}", closing(open));
                self.fault(entry.0, end, message, "");
                // The next value, whose comma is missing, or what is to be left out.
                if is_name(c) || matches!(c, '"' | '\'' | '(' | '[' | '{' | '-') {
                    self.place_last((entry.1, entry.1));
                } else {
                    self.place_last((start, end));
                    self.skip_entry();
                }
                false
            }
        }
    }

    /// A struct's name and value: two nodes. False if something is missing.
    fn field(&mut self) -> bool {
        let start = self.at;
        if self.rest().starts_with("r#") {
            self.at += 2;
        }
        if !self.rest().starts_with(is_name_start) {
            let end = self.token_end(start);
            let found = &self.text[start..end];
            self.fault(start, end, format!("expected a field's name; found `{found}`"), "");
            self.at = start;
            self.bad(start);
            self.skip_entry();
            self.bad(self.at);
            return false;
        }
        if self.name(start) {
            self.leaf(start, Shape::Word);
        } else {
            self.bad(start);
        }
        self.colon(start)
    }

    /// A map's key and value: two nodes. False if something is missing.
    fn pair(&mut self) -> bool {
        let start = self.at;
        self.value();
        self.colon(start)
    }

    /// The colon after a key that begins there, and the value after that.
    fn colon(&mut self, key: usize) -> bool {
        self.space();
        let start = self.at;
        if self.eat(':') {
            self.value();
            return true;
        }
        if self.peek().is_none() {
            self.end_of_file();
            self.bad(start);
            return false;
        }
        let end = self.token_end(start);
        let found = &self.text[start..end];
        self.fault(key, end, format!("expected a colon; found `{found}`"), "");
        self.place_last((start, end));
        self.eat('=');
        self.space();
        if self.peek().is_none_or(|c| matches!(c, ',' | ')' | ']' | '}')) {
            self.bad(self.at);
        } else {
            self.value();
        }
        false
    }

    /// Goes to the next comma or closing bracket of this level.
    fn skip_entry(&mut self) {
        loop {
            self.space();
            match self.peek() {
                None | Some(',' | ')' | ']' | '}') => return,
                Some('(' | '[' | '{') => self.skip_brackets(),
                Some('"') => {
                    self.at += 1;
                    while let Some(c) = self.bump() {
                        match c {
                            '"' | '\n' => break,
                            '\\' => _ = self.bump(),
                            _ => {}
                        }
                    }
                }
                Some(_) => self.at = self.token_end(self.at),
            }
        }
    }

    /// Goes behind the brackets that begin here and all that is in them.
    fn skip_brackets(&mut self) {
        let mut depth = 0_usize;
        loop {
            self.space();
            match self.peek() {
                None => return,
                Some('(' | '[' | '{') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(')' | ']' | '}') => {
                    self.at += 1;
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                Some('"' | '\'') => {
                    let quote = self.bump();
                    while let Some(c) = self.bump() {
                        if Some(c) == quote || c == '\n' {
                            break;
                        }
                        if c == '\\' {
                            self.bump();
                        }
                    }
                }
                Some(_) => self.at = self.token_end(self.at),
            }
        }
    }
}

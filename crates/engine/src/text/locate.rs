//! Finds the line and column of a part of a RON text by the way to it.
//!
//! It is meant for text that has been read without an error. On any other text it gives some position in it; it never
//! panics and never recurses.

#[cfg(test)]
mod tests;

use std::iter::Peekable;
use std::str::CharIndices;

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

/// The line and column, from 1, of what the steps lead to; of the part before it where they lead nowhere.
pub(crate) fn locate(text: &str, steps: &[Step<'_>]) -> (u32, u32) {
    let mut scanner = Scanner::new(text);
    scanner.skip_attributes();
    let mut found = scanner.offset();
    for &step in steps {
        if scanner.follow(step).is_none() {
            break;
        }
        found = scanner.offset();
    }
    line_and_column(&text.as_bytes()[..found])
}

/// Where a text's first value begins, in bytes.
pub(crate) fn start_of(text: &str) -> usize {
    let mut scanner = Scanner::new(text);
    scanner.skip_attributes();
    scanner.offset()
}

/// The name that a text begins with; empty if it begins otherwise.
pub(crate) fn first_name(text: &str) -> &str {
    let start = &text[start_of(text)..];
    &start[..start.find(|c| !is_word(c) || c == '#').unwrap_or(start.len())]
}

/// Whether the struct that a text is has a field of that name, even if the rest of the text is no RON.
pub(crate) fn has_field(text: &str, name: &str) -> bool {
    let mut scanner = Scanner::new(text);
    scanner.skip_attributes();
    scanner.follow(Step::Field(name)).is_some()
}

/// Where a line and column, both from 1, are in bytes; the end of the line or the text if it has no such column.
pub(crate) fn offset_of(text: &str, (line, column): (u32, u32)) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let rest = text[start..].split('\n').next().unwrap_or_default();
    let column = column.saturating_sub(1) as usize;
    start + rest.char_indices().nth(column).map_or(rest.len(), |(i, _)| i)
}

/// Where a character of a string begins, in bytes from the string's start; its closing quote if it has no such character.
pub(super) fn character_offset(string: &str, index: usize) -> Option<usize> {
    let mut scanner = Scanner::new(string);
    scanner.seek_character(index)?;
    Some(scanner.offset())
}

/// The integer that a struct's field holds, even if the rest of the text is no RON.
pub(crate) fn integer_field(text: &str, name: &str) -> Option<i64> {
    let mut scanner = Scanner::new(text);
    scanner.skip_attributes();
    scanner.follow(Step::Field(name))?;
    let start = scanner.offset();
    scanner.skip_value();
    text.get(start..scanner.offset())?.trim().parse().ok()
}

/// Whether what the steps lead to is written as an integer: digits without a point or exponent.
pub(crate) fn is_integer(text: &str, steps: &[Step<'_>]) -> bool {
    let mut scanner = Scanner::new(text);
    scanner.skip_attributes();
    if steps.iter().any(|&step| scanner.follow(step).is_none()) {
        return false;
    }
    let written = text[scanner.offset()..].trim_start_matches(['-', '+']);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let number = &written[..written.find(|c| !is_part(c)).unwrap_or(written.len())];
    !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '_')
}

/// The line and column, from 1, of what comes after the beginning of a text in UTF-8.
pub(crate) fn line_and_column(before: &[u8]) -> (u32, u32) {
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
    let lines = before.iter().filter(|&&byte| byte == b'\n').count();
    // A character begins at every byte that does not continue one.
    let columns = before[line_start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    (lines as u32 + 1, columns as u32 + 1)
}

/// Whether nothing but white space and comments comes after a line and column, from 1.
pub(crate) fn ends_at(text: &str, line: u32, column: u32) -> bool {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let rest = &text[start..];
    let column = column.saturating_sub(1) as usize;
    let offset = rest.char_indices().nth(column).map_or(rest.len(), |(i, _)| i);
    let mut scanner = Scanner::new(&rest[offset..]);
    scanner.skip_space();
    scanner.peek().is_none()
}

struct Scanner<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, rest: text.char_indices().peekable() }
    }

    fn offset(&mut self) -> usize {
        self.rest.peek().map_or(self.text.len(), |&(i, _)| i)
    }

    fn peek(&mut self) -> Option<char> {
        self.rest.peek().map(|&(_, c)| c)
    }

    fn next(&mut self) -> Option<char> {
        self.rest.next().map(|(_, c)| c)
    }

    fn eat(&mut self, expected: char) -> Option<()> {
        self.rest.next_if(|&(_, c)| c == expected).map(|_| ())
    }

    fn starts_with(&mut self, prefix: &str) -> bool {
        let offset = self.offset();
        self.text[offset..].starts_with(prefix)
    }

    /// Goes from the start of a value to that of its part, or of its key.
    fn follow(&mut self, step: Step<'_>) -> Option<()> {
        match step {
            Step::Field(name) => {
                self.enter()?;
                while self.word_or_value() != name {
                    self.seek_entry_value()?;
                    self.seek_next()?;
                }
                self.seek_entry_value()
            }
            Step::Key(index) => {
                self.enter()?;
                for _ in 0..index {
                    self.seek_entry_value()?;
                    self.seek_next()?;
                }
                Some(())
            }
            Step::Value(index) => {
                self.follow(Step::Key(index))?;
                self.seek_entry_value()
            }
            Step::Item(index) => {
                self.enter()?;
                (0..index).try_for_each(|_| self.seek_next())
            }
            Step::Character(index) => self.seek_character(index),
        }
    }

    /// From a value's start to its first part.
    fn enter(&mut self) -> Option<()> {
        while self.rest.next_if(|&(_, c)| is_word(c)).is_some() {}
        self.skip_space();
        if !matches!(self.peek()?, '(' | '[' | '{') {
            return None;
        }
        self.next();
        self.skip_space();
        Some(())
    }

    /// From a key to its value.
    fn seek_entry_value(&mut self) -> Option<()> {
        self.skip_value();
        self.eat(':')?;
        self.skip_space();
        Some(())
    }

    /// From a value to the next one after a comma.
    fn seek_next(&mut self) -> Option<()> {
        self.skip_value();
        self.eat(',')?;
        self.skip_space();
        Some(())
    }

    /// The word that stands here, a field's name, and goes behind it.
    fn word_or_value(&mut self) -> &'a str {
        let start = self.offset();
        while self.rest.next_if(|&(_, c)| is_word(c)).is_some() {}
        let text = self.text;
        let word = &text[start..self.offset()];
        word.strip_prefix("r#").unwrap_or(word)
    }

    /// Goes behind a value: to the comma, colon or bracket after it.
    fn skip_value(&mut self) {
        let mut depth = 0_usize;
        loop {
            self.skip_space();
            match self.peek() {
                None => return,
                Some(',' | ':') if depth == 0 => return,
                Some(')' | ']' | '}') if depth == 0 => return,
                Some(')' | ']' | '}') => depth -= 1,
                Some('(' | '[' | '{') => depth += 1,
                Some('"') => {
                    self.each_character(|_, _| false);
                    continue;
                }
                Some('r') if self.raw_hashes().is_some() => {
                    self.each_character(|_, _| false);
                    continue;
                }
                Some('\'') => {
                    self.skip_char_literal();
                    continue;
                }
                Some(_) => {}
            }
            self.next();
        }
    }

    fn skip_char_literal(&mut self) {
        self.next();
        if self.next() == Some('\\') {
            self.next();
        }
        while let Some(c) = self.next() {
            if c == '\'' {
                return;
            }
        }
    }

    /// How many hashes a raw string that begins here has; `None` if there is none.
    fn raw_hashes(&mut self) -> Option<usize> {
        let offset = self.offset();
        let after = self.text[offset..].strip_prefix('r')?;
        let string = after.trim_start_matches('#');
        string.starts_with('"').then_some(after.len() - string.len())
    }

    fn seek_character(&mut self, index: usize) -> Option<()> {
        let mut found = None;
        self.each_character(|i, offset| {
            found = Some(offset);
            i == index
        });
        let found = found?;
        *self = Scanner { text: self.text, rest: self.text.char_indices().peekable() };
        while self.offset() < found && self.next().is_some() {}
        Some(())
    }

    /// Walks through a string; the visitor gets each character's number and place, last that of the closing quote, and
    /// stops the walk with `true`.
    fn each_character(&mut self, mut visit: impl FnMut(usize, usize) -> bool) {
        let hashes = self.raw_hashes();
        let closing = format!("\"{}", "#".repeat(hashes.unwrap_or(0)));
        while let Some(c) = self.next() {
            if c == '"' {
                break;
            }
        }
        for index in 0.. {
            let offset = self.offset();
            let closes = self.starts_with(&closing);
            if visit(index, offset) {
                return;
            }
            match self.next() {
                None => return,
                Some(_) if closes => break,
                Some('\\') if hashes.is_none() => self.skip_escape(),
                Some(_) => {}
            }
        }
        for _ in 0..hashes.unwrap_or(0) {
            self.next();
        }
    }

    /// Goes behind an escape whose backslash is already behind.
    fn skip_escape(&mut self) {
        match self.next() {
            Some('x') => {
                self.next();
                self.next();
            }
            Some('u') => {
                while let Some(c) = self.next() {
                    if c == '}' {
                        break;
                    }
                }
            }
            _ => {}
        }
    }

    /// Goes to the first thing that is no white space and no comment.
    fn skip_space(&mut self) {
        loop {
            while self.rest.next_if(|&(_, c)| c.is_whitespace()).is_some() {}
            if self.starts_with("//") {
                while self.rest.next_if(|&(_, c)| c != '\n').is_some() {}
            } else if self.starts_with("/*") {
                self.skip_block_comment();
            } else {
                return;
            }
        }
    }

    fn skip_block_comment(&mut self) {
        let mut level = 0_usize;
        loop {
            if self.starts_with("/*") {
                level += 1;
                self.next();
            } else if self.starts_with("*/") {
                level -= 1;
                self.next();
            }
            if self.next().is_none() || level == 0 {
                return;
            }
        }
    }

    /// Goes behind `#![enable(...)]` at the top of a file.
    fn skip_attributes(&mut self) {
        self.skip_space();
        while self.starts_with("#") {
            while let Some(c) = self.next() {
                if c == ']' {
                    break;
                }
            }
            self.skip_space();
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '#')
}

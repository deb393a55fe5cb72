//! What stands where a value is expected.

use super::{Fault, Reader, Shape, closing, is_name, is_name_start, is_space};

impl Reader<'_, '_> {
    /// Reads a value; always adds one node, and may leave off before what is none.
    pub(super) fn value(&mut self) {
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

    pub(super) fn end_of_file(&mut self) {
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
    pub(super) fn token_end(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        let name = rest.len() - rest.trim_start_matches(is_name).len();
        let mut others = rest.chars().map(char::len_utf8);
        let other = others.next().unwrap_or(0);
        // A slash may have been meant to begin a comment.
        let comment = if rest.starts_with('/') { others.next().unwrap_or(0) } else { 0 };
        start + if name > 0 { name } else { other + comment }
    }

    /// Where what is no value ends: before a comma, a bracket or white space.
    pub(super) fn junk_end(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        let ends = |c: char| is_space(c) || matches!(c, ',' | ':' | '(' | ')' | '[' | ']' | '{' | '}' | '"' | '\'');
        let first = rest.chars().next().map_or(0, char::len_utf8);
        start + rest[first..].find(ends).map_or(rest.len(), |i| first + i)
    }

    pub(super) fn named(&mut self, start: usize) {
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
    pub(super) fn name(&mut self, start: usize) -> bool {
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
}

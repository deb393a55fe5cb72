//! Lists, tuples, structs and maps: their entries, fields and closing brackets.

use super::{Fault, MAX_DEPTH, Reader, Shape, closing, is_name, is_name_start, is_space};

impl Reader<'_, '_> {
    pub(super) fn brackets(&mut self, start: usize, open: char) {
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
    pub(super) fn has_fields(&self) -> bool {
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
    pub(super) fn next_entry(&mut self, open: char) -> Option<bool> {
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
    pub(super) fn is_field_outside(&self) -> bool {
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
    pub(super) fn entry_end(&mut self, open: char, entry: (usize, usize)) -> bool {
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
    pub(super) fn field(&mut self) -> bool {
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
    pub(super) fn pair(&mut self) -> bool {
        let start = self.at;
        self.value();
        self.colon(start)
    }

    /// The colon after a key that begins there, and the value after that.
    pub(super) fn colon(&mut self, key: usize) -> bool {
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
    pub(super) fn skip_entry(&mut self) {
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
    pub(super) fn skip_brackets(&mut self) {
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

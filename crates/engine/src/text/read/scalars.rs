//! Numbers, texts and characters.

use super::{Fault, Reader, Shape, is_name, is_space};

impl Reader<'_, '_> {
    pub(super) fn number(&mut self, start: usize) {
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

    pub(super) fn checked_number(&mut self, start: usize) {
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
    pub(super) fn raw_hashes(&self) -> Option<usize> {
        let after = self.rest().strip_prefix('r')?;
        let quoted = after.trim_start_matches('#');
        quoted.starts_with('"').then_some(after.len() - quoted.len())
    }

    /// A text; `at` is at its quote, or at the `r` of a raw one.
    pub(super) fn text_value(&mut self, start: usize) {
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

    pub(super) fn raw_end(&mut self, hashes: usize) -> bool {
        let close = format!("\"{}", "#".repeat(hashes));
        let found = self.rest().find(&close);
        self.at = found.map_or(self.text.len(), |i| self.at + i + close.len());
        found.is_some()
    }

    /// Goes behind the closing quote of a text with escapes; false if there is none.
    pub(super) fn text_end(&mut self) -> bool {
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
    pub(super) fn escape(&mut self, hint: &str) {
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

    pub(super) fn escaped_digits(&mut self, least: usize, most: usize) -> bool {
        let digits = self.rest().chars().take(most).take_while(char::is_ascii_hexdigit).count();
        self.at += digits;
        digits >= least
    }

    /// Whether a comma, a colon or a closing bracket comes next, or the end.
    pub(super) fn ends_well(&self) -> bool {
        let mut rest = self.rest();
        loop {
            rest = rest.trim_start_matches(is_space);
            let Some(comment) = rest.strip_prefix("//") else { break };
            rest = comment.find('\n').map_or("", |end| &comment[end..]);
        }
        rest.is_empty() || rest.starts_with([',', ':', ')', ']', '}']) || rest.starts_with("/*")
    }

    pub(super) fn char_value(&mut self, start: usize) {
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
    pub(super) fn char_end(&mut self) -> bool {
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
}

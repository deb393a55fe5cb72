//! Reads the values of a text one by one. It reports each error, uses a default value instead, and continues.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use super::form::FormError;
use super::node::{Node, Shape};
use super::quote::{quoted, quoted_char};
use super::syntax;
use super::tree::{Span, Tree};
use crate::told::count_with_name;
use ron::error::SpannedError;
use serde::de::IgnoredAny;

/// Reads a text.
pub struct Reader<'t> {
    pub tree: Tree<'t>,
    /// Form errors of the text.
    pub faults: Vec<(Span, FormError)>,
    /// Number of further form errors.
    pub more: usize,
}

/// Fields of a struct, each once, with their values.
pub struct Fields<V>(Vec<(&'static str, V)>);

impl<V> Default for Fields<V> {
    fn default() -> Fields<V> {
        Fields(Vec::new())
    }
}

impl<V> Fields<V> {
    /// Removes and returns the value of a field. `None` if it is missing.
    pub fn take(&mut self, field: &str) -> Option<V> {
        let at = self.0.iter().position(|(name, _)| *name == field)?;
        Some(self.0.swap_remove(at).1)
    }

    /// Returns the value of a field. `None` if it is missing.
    pub fn get(&self, field: &str) -> Option<&V> {
        self.0.iter().find(|(name, _)| *name == field).map(|(_, value)| value)
    }

    /// Converts the values of these fields.
    pub fn map<W>(self, change: impl Fn(V) -> W) -> Fields<W> {
        Fields(self.0.into_iter().map(|(name, value)| (name, change(value))).collect())
    }
}

/// Description of a struct to read: its name, and its required and optional fields.
#[derive(Clone, Copy)]
pub struct Struct<'a> {
    pub name: &'static str,
    pub required: &'a [&'static str],
    pub optional: &'a [&'static str],
}

impl Struct<'_> {
    fn fields(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.required.iter().chain(self.optional).copied()
    }
}

/// Description of an enum variant to read.
#[derive(Clone, Copy)]
pub struct Variant {
    pub name: &'static str,
    /// Minimum and maximum number of its values.
    pub takes: (usize, usize),
    /// Words for its values, with an example.
    pub words: &'static str,
}

impl<'t> Reader<'t> {
    /// Maximum number of form errors reported for a text.
    const MAX: usize = 1000;

    pub fn new(text: &'t str) -> Reader<'t> {
        Reader { tree: Tree::new(text), faults: Vec::new(), more: 0 }
    }

    /// Does [`Reader::new`] and reports the first position from which the text is not RON.
    pub fn checked(text: &'t str) -> Reader<'t> {
        let mut reader = Reader::new(text);
        reader.check_syntax();
        reader
    }

    /// Reports the first position from which the text is not RON.
    pub fn check_syntax(&mut self) {
        let text = self.tree.text();
        if let Err(error) = ron::from_str::<IgnoredAny>(text) {
            self.report_syntax_error(error);
        } else if self.tree.root().is_none() {
            let error = Box::new(ron::Error::Message("a text of 4 GiB or more; expected less".to_owned()));
            self.report((0, 0), FormError::Syntax { error, found: String::new(), open: None });
        }
    }

    fn report_syntax_error(&mut self, error: SpannedError) {
        let text = self.tree.text();
        let at = syntax::error_position(text, &error);
        let rest = &text[at..];
        let ends_early = syntax::is_truncated(rest, &error.code);
        self.tree.broken = Some(at);
        if let Some((span, which)) = self.tree.missing_quote().filter(|_| !ends_early) {
            let error =
                format!("the text has no {which} quote in this line; expected one `\"` at each end of the text");
            let error = Box::new(ron::Error::Message(error));
            return self.report(span, FormError::Syntax { error, found: String::new(), open: None });
        }
        // Where a text breaks in the middle, its outermost bracket is always still open, which is not a mistake. So
        // name that bracket only if the text ends too early.
        let open = self.tree.unclosed_bracket(ends_early);
        let first = rest.chars().next();
        let found = match Node::new(rest).name() {
            name if !name.is_empty() && rest.starts_with(name) && is_short(name) => name.to_owned(),
            _ => first.map(String::from).unwrap_or_default(),
        };
        let end = at + first.map_or(0, char::len_utf8);
        let error = match error.code {
            // For an empty text, name the missing first value as the error.
            ron::Error::Eof if self.tree.root().is_none() => ron::Error::ExpectedStructLike,
            ron::Error::ExpectedComma if rest.starts_with('=') => ron::Error::ExpectedMapColon,
            error => error,
        };
        let error = Box::new(error);
        let form =
            if ends_early { FormError::Truncated { error, open } } else { FormError::Syntax { error, found, open } };
        self.report((at, end), form);
    }

    /// Reports an error.
    pub fn report(&mut self, span: Span, error: FormError) {
        self.tree.reported_starts.insert(span.0);
        if self.is_full() {
            self.more += 1;
        } else {
            self.faults.push((span, error));
        }
    }

    /// Returns the number of errors so far.
    pub fn fault_count(&self) -> usize {
        self.faults.len() + self.more
    }

    /// Returns whether no more errors are reported, so that reading can stop.
    pub fn is_full(&self) -> bool {
        self.faults.len() >= Reader::MAX
    }

    /// Reports a wrong value, unless the text breaks inside it.
    pub fn report_wrong(&mut self, node: Node<'t>, error: FormError) {
        self.report_error_in_first_bytes(node, node.source().len(), error);
    }

    /// Reports an error in the first `length` bytes of a value. Later errors in the value are not reported.
    fn report_error_in_first_bytes(&mut self, node: Node<'t>, length: usize, error: FormError) {
        let (start, _) = self.tree.span(node);
        if !self.tree.is_broken(node) && self.tree.mark_wrong(node) {
            self.report((start, start + length), error);
        }
    }

    /// Reports that another value was expected.
    pub fn report_mismatch(&mut self, node: Node<'t>, expected: impl Into<String>, hint: impl Into<String>) {
        let (expected, found, hint) = (expected.into(), describe_found_value(node), hint.into());
        self.report_wrong(node, FormError::Type { expected, found, hint });
    }

    /// Reads a bool.
    pub fn read_bool(&mut self, node: Node<'t>) -> bool {
        let value = match node.slice() {
            "true" => Some(true),
            "false" => Some(false),
            other => ron::from_str(other).ok(),
        };
        value.unwrap_or_else(|| {
            self.report_mismatch(node, "`true` or `false`", "");
            false
        })
    }

    /// Reads a 64-bit integer. `range` names the integers that its field accepts.
    pub fn read_integer(&mut self, node: Node<'t>, range: &str) -> i64 {
        self.read_integer_as(node, range)
    }

    /// Does [`Reader::read_integer`] for any integer type.
    pub fn read_integer_as<T>(&mut self, node: Node<'t>, range: &str) -> T
    where
        T: std::str::FromStr + serde::de::DeserializeOwned + Default,
    {
        // Most integers are plain digits, which the standard parser reads faster. Affects speed only.
        if let Ok(integer) = node.slice().parse() {
            return integer;
        }
        let found = Some(node).filter(|node| node.shape() == Shape::Integer).map(|node| ron::from_str(node.slice()));
        match found {
            Some(Ok(integer)) => integer,
            Some(Err(_)) => {
                self.report_out_of_range(node, range);
                T::default()
            }
            None => {
                self.report_mismatch(node, "an integer", "");
                T::default()
            }
        }
    }

    /// Reports a number that its field does not accept.
    pub fn report_out_of_range(&mut self, node: Node<'t>, range: &str) {
        let (found, expected) = (node.source().to_owned(), range.to_owned());
        self.report_wrong(node, FormError::Range { found, expected });
    }

    /// Reads a number.
    pub fn read_number(&mut self, node: Node<'t>) -> f64 {
        // Most numbers are plain digits, for which the standard parser gives the same nearest number as the RON
        // reader.
        if let Some(number) = parse_plain_number(node.slice()) {
            return number;
        }
        let may_be = matches!(node.shape(), Shape::Integer | Shape::Float | Shape::Word);
        let number = if may_be { ron::from_str(node.slice()).ok() } else { None };
        number.unwrap_or_else(|| {
            self.report_mismatch(node, "a number", "");
            0.0
        })
    }

    /// Reads a character in single quotes.
    pub fn read_char(&mut self, node: Node<'t>) -> char {
        if node.shape() == Shape::Char
            && let Ok(character) = ron::from_str(node.slice())
        {
            return character;
        }
        // A string of one character was probably meant as a character literal.
        let meant = ron::from_str::<String>(node.slice()).ok().and_then(|text| {
            let mut characters = text.chars();
            characters.next().filter(|_| characters.next().is_none())
        });
        let hint = meant.map_or_else(String::new, |c| format!("did you mean {}?", quoted_char(c)));
        self.report_mismatch(node, "a single character, such as 'x'", hint);
        meant.unwrap_or_default()
    }

    /// Reads a string in double quotes.
    pub fn read_string(&mut self, node: Node<'t>) -> String {
        let plain = node.slice().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        if let Some(text) = plain.filter(|text| !text.contains(['\\', '"'])) {
            return text.to_owned();
        }
        if node.shape() == Shape::Text
            && let Ok(text) = ron::from_str(node.slice())
        {
            return text;
        }
        let quotes = matches!(node.shape(), Shape::Word | Shape::Char);
        let name = node.source().trim_matches('\'');
        let hint = if quotes { format!("did you mean {}?", quoted(name)) } else { String::new() };
        self.report_mismatch(node, "a text in double quotes", hint);
        String::new()
    }

    /// Calls `each` with the items of a list, until reading can stop. `meant`: the shapes of a value that the author
    /// probably meant as the only item of the list.
    pub fn read_list(&mut self, node: Node<'t>, meant: &[Shape], mut each: impl FnMut(&mut Reader<'t>, Node<'t>)) {
        if node.shape() != Shape::List {
            let source = node.source();
            let hint = if meant.contains(&node.shape()) && is_short(source) {
                format!("did you mean [{source}]?")
            } else {
                String::new()
            };
            return self.report_mismatch(node, "a list in square brackets", hint);
        }
        node.visit_parts(|_, item| {
            let is_there = !self.tree.is_after_break(item);
            if is_there {
                each(self, item);
            }
            is_there && !self.is_full()
        });
    }

    /// Calls `each` with the keys and values of a map, until reading can stop. `example` is such a map.
    pub fn read_map(
        &mut self,
        node: Node<'t>,
        example: &str,
        mut each: impl FnMut(&mut Reader<'t>, Node<'t>, Node<'t>),
    ) {
        if node.shape() != Shape::Map {
            return self.report_mismatch(node, format!("entries in braces, such as {example}"), "");
        }
        node.visit_parts(|key, value| {
            let is_there = !self.tree.is_after_break(value);
            if let Some(key) = key.filter(|_| is_there) {
                each(self, key, value);
            }
            is_there && !self.is_full()
        });
    }

    /// Reads two values in parentheses. `expected` has the words for them.
    pub fn read_pair(&mut self, node: Node<'t>, expected: &str) -> Option<(Node<'t>, Node<'t>)> {
        if node.shape() != Shape::Tuple || !node.name().is_empty() {
            self.report_mismatch(node, expected, "");
            return None;
        }
        let (mut items, mut count) = ([None; 2], 0);
        node.visit_parts(|_, item| {
            if let Some(place) = items.get_mut(count) {
                *place = Some(item);
            }
            count += 1;
            true
        });
        if let ([Some(first), Some(second)], 2) = (items, count) {
            return Some((first, second));
        }
        let error = FormError::Type {
            expected: expected.to_owned(),
            found: count_with_name(count, "value"),
            hint: String::new(),
        };
        self.report_wrong(node, error);
        None
    }

    /// Reads two integers in parentheses.
    pub fn read_integer_pair(&mut self, node: Node<'t>, expected: &str, range: &str) -> (i64, i64) {
        let pair = self.read_pair(node, expected);
        pair.map_or((0, 0), |(x, y)| (self.read_integer(x, range), self.read_integer(y, range)))
    }

    /// Reads two numbers in parentheses.
    pub fn read_number_pair(&mut self, node: Node<'t>, expected: &str) -> (f64, f64) {
        self.read_pair(node, expected).map_or((0.0, 0.0), |(x, y)| (self.read_number(x), self.read_number(y)))
    }

    /// Reads `node` as the struct `of` and returns its fields.
    pub fn read_fields(&mut self, node: Node<'t>, of: Struct<'_>) -> Fields<Node<'t>> {
        let mut pairs = Vec::new();
        let empty = node.shape() == Shape::Tuple && self.tree.items(node).next().is_none();
        if node.shape() != Shape::Struct && !empty {
            let field = of.fields().next().unwrap_or_default();
            self.report_mismatch(node, format!("fields in parentheses, such as ({field}: ...)"), "");
            return Fields(Vec::new());
        }
        let name = node.name();
        // A lower-case `of.name` only describes the struct in errors. The file may then use any name.
        if !name.is_empty() && name != of.name && of.name.starts_with(char::is_uppercase) {
            let (start, _) = self.tree.span(node);
            let error = FormError::Name { expected: of.name, found: name.to_owned() };
            self.report((start, start + node.name_len()), error);
        }
        node.visit_parts(|key, value| {
            let is_there = !self.tree.is_after_break(value);
            pairs.extend(key.filter(|_| is_there).map(|key| (key, value)));
            // Each field can be right only once. So if there are more pairs than this, more than `MAX` of them are
            // wrong. Errors beyond `MAX` are not reported.
            is_there && pairs.len() <= Reader::MAX + of.fields().count()
        });
        self.sort_fields(node, of, pairs)
    }

    /// Returns the fields of a struct from its names and values. Reports unknown, repeated and missing fields, and
    /// omits the unknown and repeated ones.
    pub fn sort_fields<V>(&mut self, node: Node<'t>, of: Struct<'_>, pairs: Vec<(Node<'t>, V)>) -> Fields<V> {
        let mut found: Vec<(&'static str, V)> = Vec::new();
        let names: Vec<&str> = pairs.iter().map(|(key, _)| key.field_name()).collect();
        for ((key, value), &name) in pairs.into_iter().zip(&names) {
            match of.fields().find(|&field| field == name) {
                Some(field) if found.iter().any(|(known, _)| *known == field) => {
                    self.report_at_key(key, FormError::RepeatedField { field, of: of.name });
                }
                Some(field) => found.push((field, value)),
                None => {
                    let known: Vec<&'static str> = of.fields().collect();
                    let missing: Vec<&'static str> = of.fields().filter(|field| !names.contains(field)).collect();
                    let meant = super::near::similar_name(name, &missing).copied();
                    self.report_at_key(key, FormError::UnknownField { field: name.to_owned(), of: of.name, known });
                    // Use the value for the suggested field, so that this field is not reported as missing.
                    if let Some(field) = meant
                        && !found.iter().any(|(known, _)| *known == field)
                    {
                        found.push((field, value));
                    }
                }
            }
        }
        for &field in of.required {
            if found.iter().any(|(known, _)| *known == field) || self.tree.is_broken(node) {
                continue;
            }
            // Report a missing `format` at the start of the struct, and any other missing field at its end.
            let (start, end) = self.tree.span(node);
            let first = (start, start + node.name_len() + 1);
            let span = if field == "format" { first } else { (end.saturating_sub(1), end) };
            self.report(span, FormError::MissingField { field, of: of.name });
        }
        Fields(found)
    }

    fn report_at_key(&mut self, key: Node<'t>, error: FormError) {
        let (start, _) = self.tree.span(key);
        if self.tree.mark_wrong(key) {
            self.report((start, start + key.slice().len()), error);
        }
    }

    /// Reads a word of an enum without values. Returns the first value for an unknown word.
    pub fn read_word<T: Copy>(&mut self, node: Node<'t>, words: &'static [&'static str], values: &[T]) -> Option<T> {
        let name = self.read_variant_name(node, words, |_| None)?;
        if node.shape() != Shape::Word {
            let of = words[name];
            self.report_wrong(node, FormError::Length { of, expected: 0, found: None, hint: "" });
        }
        values.get(name).copied()
    }

    /// Returns which variant name a value has. `meant` returns a suggestion for a value without a name.
    pub fn read_variant_name(
        &mut self,
        node: Node<'t>,
        names: &'static [&'static str],
        meant: impl FnOnce(Node<'t>) -> Option<String>,
    ) -> Option<usize> {
        let name = node.name();
        let found = names.iter().position(|&known| known == name);
        if found.is_some() {
            return found;
        }
        if !name.is_empty() {
            let error = FormError::UnknownName { name: name.to_owned(), known: names };
            self.report_error_in_first_bytes(node, node.name_len(), error);
            return None;
        }
        let text: Option<String> = ron::from_str(node.slice()).ok();
        let name = text.and_then(|text| names.iter().find(|name| name.eq_ignore_ascii_case(&text)));
        let hint = match name {
            Some(name) => format!("did you mean `{name}`, without quotes?"),
            None => meant(node).map_or_else(String::new, |meant| format!("did you mean {meant}?")),
        };
        self.report_mismatch(node, describe_choice_of_names(names), hint);
        None
    }

    /// Reads a variant of an enum with its values.
    ///
    /// Returns as many values as the variant takes, or `None`. `names` are the names of the variants.
    pub fn read_variant(
        &mut self,
        node: Node<'t>,
        names: &'static [&'static str],
        variants: &'static [Variant],
        meant: impl FnOnce(Node<'t>) -> Option<String>,
    ) -> Option<(&'static str, Vec<Node<'t>>)> {
        let index = self.read_variant_name(node, names, meant)?;
        let Variant { name, takes: (least, most), words } = *variants.get(index)?;
        let tuple = node.shape() == Shape::Tuple;
        let mut values = Vec::new();
        let mut count = 0;
        if tuple {
            node.visit_parts(|_, value| {
                count += 1;
                if values.len() < most {
                    values.push(value);
                }
                true
            });
        }
        if (least..=most).contains(&count) && tuple == (most > 0) && (tuple || node.shape() == Shape::Word) {
            return Some((name, values));
        }
        let found = (node.shape() != Shape::Struct).then_some(count);
        self.report_wrong(node, FormError::Length { of: name, expected: most, found, hint: words });
        None
    }
}

/// Returns the number that the slice spells with digits only, an optional point and an optional minus sign.
fn parse_plain_number(slice: &str) -> Option<f64> {
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = slice.split_once('.').unwrap_or((slice, "0"));
    let is_plain = is_digits(whole.strip_prefix('-').unwrap_or(whole)) && is_digits(part);
    if is_plain { slice.parse().ok() } else { None }
}

/// Returns words for the value that is there.
fn describe_found_value(node: Node<'_>) -> String {
    let source = node.source();
    match node.shape() {
        Shape::Word | Shape::Integer | Shape::Float | Shape::Char if source.len() <= 40 => format!("`{source}`"),
        Shape::Text if source.len() <= 40 && !source.contains('\n') => format!("the text {source}"),
        shape => shape.description().to_owned(),
    }
}

/// Returns whether a source is short enough to be repeated in a hint.
pub fn is_short(source: &str) -> bool {
    source.len() <= 60 && !source.contains('\n')
}

/// Returns words for a list of names to choose from.
fn describe_choice_of_names(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}

//! A node to be read, and what can be noted of it.

use super::super::fault::Fault;
use super::super::near::{hint, meant};
use super::super::stand_in::StandIn;
use super::{Context, NodeId, Shape, Tree};
use serde::de::{Deserialize, Visitor};
use std::fmt;

/// A node to be read.
#[derive(Clone, Copy)]
pub(super) struct At<'t, 'c> {
    pub(super) node: NodeId,
    pub(super) context: &'c Context<'t, 'c>,
    /// The innermost field, or variant of an enum, that it lies in.
    pub(super) field: &'static str,
    /// In how many lists within that.
    pub(super) depth: u8,
}

/// What a visitor says that it expects.
pub(super) struct Words<'v, V>(pub(super) &'v V);

impl<'de, V: Visitor<'de>> fmt::Display for Words<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }
}

impl<'t, 'c> At<'t, 'c> {
    pub(super) fn tree(&self) -> &'t Tree<'t> {
        self.context.tree
    }

    pub(super) fn shape(&self) -> Shape {
        self.tree().shape(self.node)
    }

    pub(super) fn to(self, node: NodeId) -> At<'t, 'c> {
        At { node, ..self }
    }

    /// A node that lies in a field of this one.
    pub(super) fn to_field(self, node: NodeId, field: &'static str) -> At<'t, 'c> {
        At { node, field, depth: 0, ..self }
    }

    pub(super) fn stand_in(&self) -> StandIn<'c> {
        StandIn(self.context.learned)
    }

    pub(super) fn found(&self) -> String {
        let source = self.tree().source(self.node);
        match self.shape() {
            Shape::Word | Shape::Integer | Shape::Float | Shape::Char if source.len() <= 40 => format!("`{source}`"),
            Shape::Text if source.len() <= 40 && !source.contains('\n') => format!("the text {source}"),
            shape => shape.words().to_owned(),
        }
    }

    /// Notes that something else was expected here, unless the text is known to be wrong here.
    pub(super) fn mismatch(&self, expected: &str, hint: &str) {
        self.wrong("type", format!("expected {expected}; found {}", self.found()), hint);
    }

    /// Notes something wrong with the node, unless the text is known to be wrong here.
    pub(super) fn wrong(&self, code: &'static str, message: impl Into<String>, hint: impl Into<String>) {
        if !self.tree().is_wrong(self.node) && self.context.wrong.borrow_mut().insert(self.node) {
            self.context.note(Fault::new(code, self.tree().span(self.node), message, hint));
        }
    }

    pub(super) fn number<N>(&self, least: impl fmt::Display, most: impl fmt::Display) -> Option<N>
    where
        N: for<'de> Deserialize<'de>,
    {
        if self.shape() != Shape::Integer {
            self.mismatch("an integer", "");
            return None;
        }
        let number = ron::from_str(self.tree().source(self.node)).ok();
        if number.is_none() {
            let range = (self.context.expects.range)(self.field).map(str::to_owned);
            let hint = format!("expected {}", range.unwrap_or_else(|| format!("{least} to {most}")));
            let message = format!("`{}` is out of range", self.tree().source(self.node));
            self.wrong("range", message, hint);
        }
        number
    }

    /// The text that a string's node means, as far as it can be made out.
    pub(super) fn text(&self) -> String {
        let source = self.tree().source(self.node);
        ron::from_str(source).unwrap_or_else(|_| {
            let inside = source.trim_start_matches('r').trim_matches('#');
            let inside = inside.strip_prefix('"').unwrap_or(inside);
            inside.strip_suffix('"').unwrap_or(inside).to_owned()
        })
    }

    /// A struct's fields, without those that are unknown or repeated, which is noted.
    pub(super) fn fields(&self, name: &str, fields: &'static [&'static str]) -> Vec<(&'static str, Option<NodeId>)> {
        let tree = self.tree();
        let mut found: Vec<(&'static str, Option<NodeId>)> = Vec::new();
        let is_written = |field: &str| tree.pairs(self.node).any(|(key, _)| tree.name(key) == field);
        let place = if name.is_empty() { String::new() } else { format!(" in `{name}`") };
        for (key, value) in tree.pairs(self.node) {
            let written = tree.name(key);
            match fields.iter().find(|&&field| field == written) {
                _ if tree.shape(key) == Shape::Bad => {}
                Some(field) if found.iter().any(|(known, _)| known == field) => {
                    self.to(key).wrong(
                        "repeated_field",
                        format!("`{field}` is there twice{place}"),
                        "expected it once",
                    );
                }
                Some(field) => found.push((field, Some(value))),
                None => {
                    let mut known: Vec<String> =
                        fields.iter().filter(|field| !is_written(field)).map(|&field| field.to_owned()).collect();
                    if known.is_empty() {
                        known = fields.iter().map(|&field| field.to_owned()).collect();
                    }
                    let meant = meant(written, &known);
                    let hint = match meant {
                        None if fields.contains(&"properties") => "a game's own data goes into `properties`".to_owned(),
                        _ => hint(written, &known).trim_start_matches("; ").to_owned(),
                    };
                    self.to(key).wrong("unknown_field", format!("there is no field `{written}`{place}"), hint);
                    // It is read as what it is meant to be, so that this is not missing.
                    let meant = fields.iter().find(|&&field| meant.is_some_and(|meant| meant == field));
                    if let Some(field) = meant.filter(|field| !found.iter().any(|(known, _)| known == *field))
                        && !is_written(field)
                    {
                        found.push((field, Some(value)));
                    }
                }
            }
        }
        found
    }

    /// Adds stand-ins for the fields that a struct cannot do without; they are noted if it is whole otherwise.
    pub(super) fn complete(&self, name: &'static str, found: &mut Vec<(&'static str, Option<NodeId>)>) {
        for field in self.context.learned.required(name) {
            if found.iter().any(|&(known, _)| known == field) {
                continue;
            }
            found.push((field, None));
            if !self.tree().is_damaged(self.node) {
                let (start, end) = self.tree().span(self.node);
                let message = format!("`{field}` is missing in `{name}`");
                let (span, hint) = if field == "format" {
                    // It comes first.
                    ((start, start + self.tree().name(self.node).len() + 1), "expected `format: 1`".to_owned())
                } else {
                    ((end.saturating_sub(1), end), format!("expected `{field}: ...` before this"))
                };
                self.context.note(Fault::new("missing_field", span, message, hint));
            }
        }
    }
}

/// Names to choose from.
pub(super) fn one_of(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}

pub(super) fn values(count: usize) -> String {
    if count == 1 { "1 value".to_owned() } else { format!("{count} values") }
}

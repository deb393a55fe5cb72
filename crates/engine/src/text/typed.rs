//! From a tree to a value that serde reads, whatever is wrong: notes it, puts a stand-in in its place and goes on.
//!
//! The stand-in's node is marked as wrong, so that nothing more is said of it. A visitor can refuse what it is given
//! only by failing as a whole; then what made it fail is learned, and the text is read once more with that known. Each
//! round learns of a kind of mistake and not of a single one, so there are few rounds.

use super::expects::{Expects, is_short};
use super::fault::{Fault, Faults};
use super::near::{hint, meant};
use super::stand_in::StandIn;
use super::syntax::kind;
use super::tree::{NodeId, Shape, Tree};
use serde::de::value::StrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The most rounds; what is not understood after them is given up.
const MAX_ROUNDS: usize = 64;

/// The value of a node, with stand-ins for what is wrong in it; `None` if nothing can stand in.
pub(crate) fn typed<'de, T: Deserialize<'de>>(
    tree: &Tree<'_>,
    node: NodeId,
    expects: &Expects,
    faults: &mut Faults,
) -> Option<T> {
    let mut learned = Learned::default();
    for _ in 0..MAX_ROUNDS {
        let (noted, wrong) = (RefCell::default(), RefCell::default());
        let context = Context { tree, expects, learned: &learned, faults: &noted, wrong: &wrong };
        let value = match T::deserialize(At { node, context: &context, field: "", depth: 0 }) {
            Ok(value) => Some(value),
            Err(refusal) => {
                if learned.learn(refusal) {
                    continue;
                }
                None
            }
        };
        faults.append(noted.into_inner());
        wrong.into_inner().into_iter().for_each(|node| tree.set_wrong(node));
        return value;
    }
    None
}

/// What earlier rounds have found out.
#[derive(Default)]
pub(super) struct Learned {
    /// The fields that a struct of some name cannot do without.
    required: BTreeMap<&'static str, BTreeSet<&'static str>>,
    /// Forms that are refused where some words say what is expected.
    refused: BTreeSet<(String, Shape)>,
    /// Lengths of variants that are refused: too few parts.
    short: BTreeSet<(&'static str, usize)>,
    /// The fields that are known where some words say what is expected.
    fields: BTreeMap<String, &'static [&'static str]>,
}

impl Learned {
    /// The fields that a struct cannot do without.
    pub(super) fn required(&self, name: &str) -> impl Iterator<Item = &'static str> + use<'_> {
        self.required.get(name).into_iter().flatten().copied()
    }

    /// Whether something new was learned.
    fn learn(&mut self, refusal: Refusal) -> bool {
        match refusal {
            Refusal::Missing { field, outer: Some(outer) } => self.required.entry(outer).or_default().insert(field),
            Refusal::Form { expected, shape } => self.refused.insert((expected, shape)),
            Refusal::Fields { expected, fields } => self.fields.insert(expected, fields).is_none(),
            Refusal::Short { variant, found } => self.short.insert((variant, found)),
            Refusal::Missing { .. } | Refusal::Unknown { .. } | Refusal::Length | Refusal::Other => false,
        }
    }
}

/// Why a visitor failed.
#[derive(Debug)]
pub(super) enum Refusal {
    Missing { field: &'static str, outer: Option<&'static str> },
    Unknown { fields: &'static [&'static str] },
    Length,
    Short { variant: &'static str, found: usize },
    Form { expected: String, shape: Shape },
    Fields { expected: String, fields: &'static [&'static str] },
    Other,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl std::error::Error for Refusal {}

impl de::Error for Refusal {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Refusal::Other
    }

    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Refusal::Other
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Refusal::Length
    }

    fn missing_field(field: &'static str) -> Self {
        Refusal::Missing { field, outer: None }
    }

    fn unknown_field(_: &str, fields: &'static [&'static str]) -> Self {
        Refusal::Unknown { fields }
    }
}

impl Refusal {
    /// The same refusal by a struct of that name.
    pub(super) fn within(self, name: &'static str) -> Refusal {
        match self {
            Refusal::Missing { field, outer: None } => Refusal::Missing { field, outer: Some(name) },
            other => other,
        }
    }
}

struct Context<'t, 'c> {
    tree: &'t Tree<'t>,
    expects: &'c Expects,
    learned: &'c Learned,
    faults: &'c RefCell<Faults>,
    /// The nodes that something was noted of.
    wrong: &'c RefCell<BTreeSet<NodeId>>,
}

impl Context<'_, '_> {
    fn note(&self, fault: Fault) {
        self.faults.borrow_mut().push(fault);
    }
}

/// A node to be read.
#[derive(Clone, Copy)]
struct At<'t, 'c> {
    node: NodeId,
    context: &'c Context<'t, 'c>,
    /// The innermost field, or variant of an enum, that it lies in.
    field: &'static str,
    /// In how many lists within that.
    depth: u8,
}

/// What a visitor says that it expects.
struct Words<'v, V>(&'v V);

impl<'de, V: Visitor<'de>> fmt::Display for Words<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }
}

impl<'t, 'c> At<'t, 'c> {
    fn tree(&self) -> &'t Tree<'t> {
        self.context.tree
    }

    fn shape(&self) -> Shape {
        self.tree().shape(self.node)
    }

    fn to(self, node: NodeId) -> At<'t, 'c> {
        At { node, ..self }
    }

    /// A node that lies in a field of this one.
    fn to_field(self, node: NodeId, field: &'static str) -> At<'t, 'c> {
        At { node, field, depth: 0, ..self }
    }

    fn stand_in(&self) -> StandIn<'c> {
        StandIn(self.context.learned)
    }

    fn found(&self) -> String {
        let source = self.tree().source(self.node);
        match self.shape() {
            Shape::Word | Shape::Integer | Shape::Float | Shape::Char if source.len() <= 40 => format!("`{source}`"),
            Shape::Text if source.len() <= 40 && !source.contains('\n') => format!("the text {source}"),
            shape => shape.words().to_owned(),
        }
    }

    /// Notes that something else was expected here, unless the text is known to be wrong here.
    fn mismatch(&self, expected: &str, hint: &str) {
        self.wrong("type", format!("expected {expected}; found {}", self.found()), hint);
    }

    /// Notes something wrong with the node, unless the text is known to be wrong here.
    fn wrong(&self, code: &'static str, message: impl Into<String>, hint: impl Into<String>) {
        if !self.tree().is_wrong(self.node) && self.context.wrong.borrow_mut().insert(self.node) {
            self.context.note(Fault::new(code, self.tree().span(self.node), message, hint));
        }
    }

    fn number<N>(&self, least: impl fmt::Display, most: impl fmt::Display) -> Option<N>
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
    fn text(&self) -> String {
        let source = self.tree().source(self.node);
        ron::from_str(source).unwrap_or_else(|_| {
            let inside = source.trim_start_matches('r').trim_matches('#');
            let inside = inside.strip_prefix('"').unwrap_or(inside);
            inside.strip_suffix('"').unwrap_or(inside).to_owned()
        })
    }

    /// A struct's fields, without those that are unknown or repeated, which is noted.
    fn fields(&self, name: &str, fields: &'static [&'static str]) -> Vec<(&'static str, Option<NodeId>)> {
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
    fn complete(&self, name: &'static str, found: &mut Vec<(&'static str, Option<NodeId>)>) {
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
fn one_of(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}

fn values(count: usize) -> String {
    if count == 1 { "1 value".to_owned() } else { format!("{count} values") }
}

macro_rules! integers {
    ($($method:ident, $visit:ident, $type:ty;)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
                visitor.$visit(self.number::<$type>(<$type>::MIN, <$type>::MAX).unwrap_or_default())
            }
        )*
    };
}

impl<'de> Deserializer<'de> for At<'_, '_> {
    type Error = Refusal;

    integers! {
        deserialize_i8, visit_i8, i8;
        deserialize_i16, visit_i16, i16;
        deserialize_i32, visit_i32, i32;
        deserialize_i64, visit_i64, i64;
        deserialize_u8, visit_u8, u8;
        deserialize_u16, visit_u16, u16;
        deserialize_u32, visit_u32, u32;
        deserialize_u64, visit_u64, u64;
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let expected = Words(&visitor).to_string();
        let shape = self.shape();
        if shape == Shape::Bad || self.context.learned.refused.contains(&(expected.clone(), shape)) {
            let word = self.tree().source(self.node);
            let hint = match word {
                _ if shape != Shape::Word || !is_short(word) => String::new(),
                "yes" | "on" | "True" | "TRUE" => format!("did you mean true, or {}?", super::quoted(word)),
                "no" | "off" | "False" | "FALSE" => format!("did you mean false, or {}?", super::quoted(word)),
                _ => format!("did you mean {}?", super::quoted(word)),
            };
            self.mismatch(&expected, &hint);
            return self.stand_in().deserialize_any(visitor);
        }
        let tree = self.tree();
        let source = tree.source(self.node);
        let refused = match shape {
            Shape::Text => visitor.visit_string(self.text()),
            Shape::Char => match ron::from_str(source) {
                Ok(c) => visitor.visit_char(c),
                Err(_) => visitor.visit_str(""),
            },
            Shape::Integer => match (ron::from_str(source), ron::from_str(source)) {
                (Ok(integer), _) => visitor.visit_i64(integer),
                (_, Ok(integer)) => visitor.visit_u64(integer),
                // Still larger ones are what integers beyond 64 bits are to a visitor.
                _ => visitor.visit_u64(u64::MAX),
            },
            Shape::Float => visitor.visit_f64(ron::from_str(source).unwrap_or_default()),
            Shape::Word if source == "true" || source == "false" => visitor.visit_bool(source == "true"),
            Shape::Word if ron::from_str::<f64>(source).is_ok() => {
                visitor.visit_f64(ron::from_str(source).unwrap_or_default())
            }
            Shape::List => visitor.visit_seq(self.items()),
            Shape::Tuple if source != "()" && tree.name(self.node) != "Some" => visitor.visit_seq(self.items()),
            Shape::Map => visitor.visit_map(self.entries()),
            Shape::Struct => match self.context.learned.fields.get(&expected) {
                Some(fields) => visitor.visit_map(Fields::new(self, self.fields("", fields))),
                None => visitor.visit_map(self.entries()),
            },
            Shape::Bytes | Shape::Word | Shape::Tuple | Shape::Bad => Err(Refusal::Other),
        };
        refused.map_err(|refusal| match refusal {
            Refusal::Unknown { fields } => Refusal::Fields { expected, fields },
            Refusal::Other => Refusal::Form { expected, shape },
            other => other,
        })
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let value = match self.tree().source(self.node) {
            "true" => true,
            "false" => false,
            _ => {
                self.mismatch("`true` or `false`", "");
                false
            }
        };
        visitor.visit_bool(value)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let may_be = matches!(self.shape(), Shape::Integer | Shape::Float | Shape::Word);
        let number = if may_be { ron::from_str(self.tree().source(self.node)).ok() } else { None };
        if number.is_none() {
            self.mismatch("a number", "");
        }
        visitor.visit_f64(number.unwrap_or_default())
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        if self.shape() == Shape::Char {
            return visitor.visit_char(ron::from_str(self.tree().source(self.node)).unwrap_or_default());
        }
        // A text of one character is meant to be that character.
        let text = if self.shape() == Shape::Text { self.text() } else { String::new() };
        let mut characters = text.chars();
        let meant = characters.next().filter(|_| characters.next().is_none());
        let hint = meant.map_or_else(String::new, |c| format!("did you mean {}?", super::quoted_char(c)));
        self.mismatch("a single character, such as 'x'", &hint);
        visitor.visit_char(meant.unwrap_or_default())
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        if self.shape() == Shape::Text {
            return visitor.visit_string(self.text());
        }
        let quotes = matches!(self.shape(), Shape::Word | Shape::Char);
        let name = self.tree().source(self.node).trim_matches('\'');
        let hint = if quotes { format!("did you mean {}?", super::quoted(name)) } else { String::new() };
        self.mismatch("a text in double quotes", &hint);
        visitor.visit_str("")
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match self.shape() {
            Shape::Text => visitor.visit_string(self.text()),
            _ => visitor.visit_str(self.tree().name(self.node)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match (self.shape(), self.tree().name(self.node), self.tree().parts(self.node).next()) {
            (Shape::Word, "None", _) => visitor.visit_none(),
            (Shape::Tuple, "Some", Some(part)) => visitor.visit_some(self.to(part)),
            _ => {
                self.mismatch("`None` or `Some(...)`", "");
                visitor.visit_none()
            }
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        if self.tree().source(self.node) != "()" {
            self.mismatch("`()`", "");
        }
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Refusal> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.mismatch("nothing", "");
        visitor.visit_bytes(&[])
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        if self.shape() == Shape::List && !self.is_path() {
            return visitor.visit_seq(self.items());
        }
        let source = self.tree().source(self.node);
        let item = match self.shape() {
            _ if !is_short(source) => false,
            Shape::Text => self.field == "tiles",
            Shape::Tuple => self.tree().name(self.node).is_empty() && self.field == "markers",
            Shape::Struct => true,
            _ => false,
        };
        if self.shape() == Shape::List {
            let whole = if is_short(source) { source } else { "[(0, 0), (16, 16)]" };
            self.wrong(
                "type",
                "expected a list of paths; found a list of points",
                format!("a path is a list of points: `[{whole}]`"),
            );
        } else {
            let hint = if item { format!("did you mean [{source}]?") } else { String::new() };
            self.mismatch("a list in square brackets", &hint);
        }
        self.stand_in().deserialize_seq(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, Refusal> {
        let expected = match count {
            2 => (self.context.expects.pair)(self.field).to_owned(),
            _ => format!("{} in parentheses", values(count)),
        };
        if self.shape() != Shape::Tuple || !self.tree().name(self.node).is_empty() {
            self.mismatch(&expected, "");
            return self.stand_in().deserialize_tuple(count, visitor);
        }
        let found = self.tree().parts(self.node).count();
        if found != count && self.tree().is_damaged(self.node) {
            self.context.wrong.borrow_mut().insert(self.node);
        } else if found != count {
            self.wrong("length", format!("expected {expected}; found {}", values(found)), "");
        }
        visitor.visit_seq(self.some_items(count))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.deserialize_tuple(count, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        if self.shape() == Shape::Map {
            return visitor.visit_map(self.entries());
        }
        self.mismatch("a map in braces", "");
        self.stand_in().deserialize_map(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        let tree = self.tree();
        let empty = self.shape() == Shape::Tuple && tree.parts(self.node).next().is_none();
        if self.shape() != Shape::Struct && !empty {
            let field = self.context.learned.required(name).chain(fields.iter().copied()).next().unwrap_or_default();
            self.mismatch(&format!("fields in parentheses, such as ({field}: ...)"), "");
            return self.stand_in().deserialize_struct(name, fields, visitor);
        }
        let written = tree.name(self.node);
        if !written.is_empty() && written != name {
            let (start, _) = tree.span(self.node);
            let message = match (kind(name), kind(written)) {
                (Some(expected), Some(found)) => format!("this is a {found}; expected a {expected}"),
                _ => format!("expected `{name}`; found `{written}`"),
            };
            self.context.note(Fault::new("name", (start, start + written.len()), message, ""));
        }
        let mut found = self.fields(name, fields);
        self.complete(name, &mut found);
        visitor.visit_map(Fields::new(self, found)).map_err(|refusal| refusal.within(name))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        let written = self.tree().name(self.node);
        if let Some(variant) = variants.iter().find(|&&variant| variant == written) {
            return visitor.visit_enum(Variant { at: self.to_field(self.node, variant), name: variant });
        }
        let known: Vec<String> = variants.iter().map(|&variant| variant.to_owned()).collect();
        if written.is_empty() {
            let text = if self.shape() == Shape::Text { self.text() } else { String::new() };
            let quoted = known.contains(&text);
            let variant = || (self.context.expects.variant)(name, self.shape(), self.tree().source(self.node));
            let hint = match quoted {
                true => format!("did you mean `{text}`, without quotes?"),
                false => variant().map_or_else(String::new, |meant| format!("did you mean {meant}?")),
            };
            self.mismatch(&one_of(&known), &hint);
        } else if !self.tree().is_wrong(self.node) && self.context.wrong.borrow_mut().insert(self.node) {
            let (start, _) = self.tree().span(self.node);
            let words = hint(written, &known);
            let (span, message) = ((start, start + written.len()), format!("unknown name `{written}`"));
            self.context.note(Fault::new("unknown_name", span, message, words.trim_start_matches("; ")));
        }
        self.stand_in().deserialize_enum(name, variants, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_unit()
    }
}

impl<'t, 'c> At<'t, 'c> {
    /// All parts of the node.
    fn items(self) -> Items<'t, 'c> {
        Items { at: self, next: self.node + 1, parts: self.tree().parts(self.node).count(), stand_ins: 0 }
    }

    /// So many parts of the node, stand-ins for those that are missing.
    fn some_items(self, count: usize) -> Items<'t, 'c> {
        let parts = self.tree().parts(self.node).take(count).count();
        Items { at: self, next: self.node + 1, parts, stand_ins: count - parts }
    }

    /// Whether it is a list of points where a list of paths is expected.
    fn is_path(&self) -> bool {
        let tree = self.tree();
        let points = tree.parts(self.node).next().is_some_and(|part| tree.shape(part) == Shape::Tuple);
        self.field == "paths" && self.depth == 0 && points
    }

    fn entries(self) -> Entries<'t, 'c> {
        Entries { at: self, next: self.node + 1, pairs: self.tree().pairs(self.node).count() }
    }
}

/// The parts of a list or a tuple, and stand-ins for some after them.
struct Items<'t, 'c> {
    at: At<'t, 'c>,
    next: NodeId,
    parts: usize,
    stand_ins: usize,
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Refusal;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refusal> {
        if let Some(parts) = self.parts.checked_sub(1) {
            let part = At { depth: self.at.depth.saturating_add(1), ..self.at.to(self.next) };
            (self.parts, self.next) = (parts, self.at.tree().after(self.next));
            return seed.deserialize(part).map(Some);
        }
        let Some(stand_ins) = self.stand_ins.checked_sub(1) else { return Ok(None) };
        self.stand_ins = stand_ins;
        seed.deserialize(self.at.stand_in()).map(Some)
    }
}

/// The entries of a map.
struct Entries<'t, 'c> {
    at: At<'t, 'c>,
    next: NodeId,
    pairs: usize,
}

impl Entries<'_, '_> {
    /// The key or value that comes next.
    fn part(&mut self) -> NodeId {
        let part = self.next;
        self.next = self.at.tree().after(part);
        part
    }
}

impl<'de> MapAccess<'de> for Entries<'_, '_> {
    type Error = Refusal;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refusal> {
        let Some(pairs) = self.pairs.checked_sub(1) else { return Ok(None) };
        self.pairs = pairs;
        let key = self.part();
        if self.at.shape() == Shape::Struct {
            return seed.deserialize(StrDeserializer::new(self.at.tree().name(key))).map(Some);
        }
        seed.deserialize(self.at.to(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refusal> {
        let value = self.part();
        seed.deserialize(self.at.to(value))
    }
}

/// The fields of a struct; `None` where one is missing.
struct Fields<'t, 'c> {
    at: At<'t, 'c>,
    fields: std::vec::IntoIter<(&'static str, Option<NodeId>)>,
    field: &'static str,
    value: Option<NodeId>,
}

impl<'t, 'c> Fields<'t, 'c> {
    fn new(at: At<'t, 'c>, fields: Vec<(&'static str, Option<NodeId>)>) -> Fields<'t, 'c> {
        Fields { at, fields: fields.into_iter(), field: "", value: None }
    }
}

impl<'de> MapAccess<'de> for Fields<'_, '_> {
    type Error = Refusal;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refusal> {
        let Some((field, value)) = self.fields.next() else { return Ok(None) };
        (self.field, self.value) = (field, value);
        seed.deserialize(StrDeserializer::new(field)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refusal> {
        match self.value.take() {
            Some(value) => seed.deserialize(self.at.to_field(value, self.field)),
            None => seed.deserialize(self.at.stand_in()),
        }
    }
}

/// A variant of an enum that is known.
struct Variant<'t, 'c> {
    at: At<'t, 'c>,
    name: &'static str,
}

impl Variant<'_, '_> {
    /// Whether a command that takes a cell has its x and y without parentheses, which is noted.
    fn has_bare_cell(&self) -> bool {
        let (at, tree) = (&self.at, self.at.tree());
        let mut parts = tree.parts(at.node);
        let (Some(x), Some(y)) = (parts.next(), parts.next()) else { return false };
        let bare = |node| tree.shape(node) == Shape::Integer;
        if !matches!(self.name, "SetTile" | "SetTiles") || !bare(x) || !bare(y) {
            return false;
        }
        let (x, y, name) = (tree.source(x), tree.source(y), self.name);
        at.wrong(
            "type",
            "expected a cell as an x and a y in parentheses",
            format!("did you mean {name}(({x}, {y}), ...)?"),
        );
        true
    }

    /// Whether it has so many values in its parentheses; notes it if not.
    fn takes(&self, count: usize) -> bool {
        let at = &self.at;
        let found = if at.shape() == Shape::Tuple { at.tree().parts(at.node).count() } else { 0 };
        if found == count {
            return true;
        }
        if !at.tree().is_damaged(at.node) {
            let parts = (at.context.expects.parts)(self.name);
            let hint = parts.map_or_else(String::new, |parts| format!("expected {parts}"));
            let found = if at.shape() == Shape::Struct { "fields".to_owned() } else { found.to_string() };
            at.wrong("length", format!("`{}` takes {}; found {found}", self.name, values(count)), hint);
        } else {
            at.context.wrong.borrow_mut().insert(at.node);
        }
        false
    }
}

impl<'de, 't, 'c> EnumAccess<'de> for Variant<'t, 'c> {
    type Error = Refusal;
    type Variant = Variant<'t, 'c>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant), Refusal> {
        Ok((seed.deserialize(StrDeserializer::new(self.name))?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, '_> {
    type Error = Refusal;

    fn unit_variant(self) -> Result<(), Refusal> {
        if self.at.shape() != Shape::Word {
            self.at.wrong("length", format!("`{}` takes no values", self.name), "expected no parentheses");
        }
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Refusal> {
        self.takes(1);
        match self.at.tree().parts(self.at.node).next() {
            Some(part) if self.at.shape() == Shape::Tuple => seed.deserialize(self.at.to(part)),
            _ => seed.deserialize(self.at.stand_in()),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, Refusal> {
        let tuple = self.at.shape() == Shape::Tuple;
        let found = if tuple { self.at.tree().parts(self.at.node).count() } else { 0 };
        if tuple && self.has_bare_cell() {
            return self.at.stand_in().deserialize_tuple(count, visitor);
        }
        if found < count && tuple && !self.at.context.learned.short.contains(&(self.name, found)) {
            // The last parts may be left out, unless the visitor refuses that.
            let short = |refusal| match refusal {
                Refusal::Length => Refusal::Short { variant: self.name, found },
                other => other,
            };
            return visitor.visit_seq(self.at.items()).map_err(short);
        }
        self.takes(count);
        if tuple {
            visitor.visit_seq(self.at.some_items(count))
        } else {
            self.at.stand_in().deserialize_tuple(count, visitor)
        }
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Refusal> {
        let mut found = self.at.fields(self.name, fields);
        self.at.complete(self.name, &mut found);
        visitor.visit_map(Fields::new(self.at, found)).map_err(|refusal| refusal.within(self.name))
    }
}

//! What a node gives to each kind of visitor.

use super::super::expects::is_short;
use super::super::fault::Fault;
use super::super::near::hint;
use super::super::syntax::kind;
use super::access::Fields;
use super::at::{At, Words, one_of, values};
use super::variant::Variant;
use super::{Refusal, Shape};
use serde::de::{Deserializer, Visitor};

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
                "yes" | "on" | "True" | "TRUE" => format!("did you mean true, or {}?", crate::text::quoted(word)),
                "no" | "off" | "False" | "FALSE" => format!("did you mean false, or {}?", crate::text::quoted(word)),
                _ => format!("did you mean {}?", crate::text::quoted(word)),
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
        let hint = meant.map_or_else(String::new, |c| format!("did you mean {}?", crate::text::quoted_char(c)));
        self.mismatch("a single character, such as 'x'", &hint);
        visitor.visit_char(meant.unwrap_or_default())
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        if self.shape() == Shape::Text {
            return visitor.visit_string(self.text());
        }
        let quotes = matches!(self.shape(), Shape::Word | Shape::Char);
        let name = self.tree().source(self.node).trim_matches('\'');
        let hint = if quotes { format!("did you mean {}?", crate::text::quoted(name)) } else { String::new() };
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

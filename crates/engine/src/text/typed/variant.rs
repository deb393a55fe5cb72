//! The variants of enums.

use super::access::Fields;
use super::at::{At, values};
use super::{Refusal, Shape};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};

/// A variant of an enum that is known.
pub(super) struct Variant<'t, 'c> {
    pub(super) at: At<'t, 'c>,
    pub(super) name: &'static str,
}

impl Variant<'_, '_> {
    /// Whether a command that takes a cell has its x and y without parentheses, which is noted.
    pub(super) fn has_bare_cell(&self) -> bool {
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
    pub(super) fn takes(&self, count: usize) -> bool {
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

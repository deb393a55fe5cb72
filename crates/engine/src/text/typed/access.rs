//! The parts of lists, maps and structs, one after the other.

use super::at::At;
use super::{NodeId, Refusal, Shape};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

impl<'t, 'c> At<'t, 'c> {
    /// All parts of the node.
    pub(super) fn items(self) -> Items<'t, 'c> {
        Items { at: self, next: self.node + 1, parts: self.tree().parts(self.node).count(), stand_ins: 0 }
    }

    /// So many parts of the node, stand-ins for those that are missing.
    pub(super) fn some_items(self, count: usize) -> Items<'t, 'c> {
        let parts = self.tree().parts(self.node).take(count).count();
        Items { at: self, next: self.node + 1, parts, stand_ins: count - parts }
    }

    /// Whether it is a list of points where a list of paths is expected.
    pub(super) fn is_path(&self) -> bool {
        let tree = self.tree();
        let points = tree.parts(self.node).next().is_some_and(|part| tree.shape(part) == Shape::Tuple);
        self.field == "paths" && self.depth == 0 && points
    }

    pub(super) fn entries(self) -> Entries<'t, 'c> {
        Entries { at: self, next: self.node + 1, pairs: self.tree().pairs(self.node).count() }
    }
}

/// The parts of a list or a tuple, and stand-ins for some after them.
pub(super) struct Items<'t, 'c> {
    pub(super) at: At<'t, 'c>,
    pub(super) next: NodeId,
    pub(super) parts: usize,
    pub(super) stand_ins: usize,
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
pub(super) struct Entries<'t, 'c> {
    pub(super) at: At<'t, 'c>,
    pub(super) next: NodeId,
    pub(super) pairs: usize,
}

impl Entries<'_, '_> {
    /// The key or value that comes next.
    pub(super) fn part(&mut self) -> NodeId {
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
pub(super) struct Fields<'t, 'c> {
    pub(super) at: At<'t, 'c>,
    pub(super) fields: std::vec::IntoIter<(&'static str, Option<NodeId>)>,
    pub(super) field: &'static str,
    pub(super) value: Option<NodeId>,
}

impl<'t, 'c> Fields<'t, 'c> {
    pub(super) fn new(at: At<'t, 'c>, fields: Vec<(&'static str, Option<NodeId>)>) -> Fields<'t, 'c> {
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

//! Reads the fields of a map in a single pass over its text: rows directly, all other values as slices.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use super::format::MAX_LAYERS;
use super::row_list::RowList;
use crate::text::Node;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Value of a field.
pub enum Value<'t> {
    Node(Node<'t>),
    /// A list of strings.
    Rows(RowList<'t>),
    /// A list of structs whose `tiles` are lists of strings.
    Layers(Vec<Layer<'t>>),
}

/// A layer with its fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer<'t> {
    #[serde(borrow)]
    pub(super) name: Node<'t>,
    #[serde(borrow, default, deserialize_with = "deserialize_node")]
    pub(super) collides: Option<Node<'t>>,
    #[serde(borrow, default, deserialize_with = "deserialize_node")]
    pub(super) origin: Option<Node<'t>>,
    #[serde(borrow)]
    pub(super) tiles: RowList<'t>,
}

fn deserialize_node<'t, D: Deserializer<'t>>(deserializer: D) -> Result<Option<Node<'t>>, D::Error> {
    Node::deserialize(deserializer).map(Some)
}

/// Returns the fields of the map in a slice. `None` if a value must be read one by one: rows that are not strings,
/// layers with other fields, or invalid RON.
pub fn scan_map_fields(slice: &str) -> Option<Vec<(Node<'_>, Value<'_>)>> {
    let mut reader = ron::Deserializer::from_str(slice).ok()?;
    let fields = reader.deserialize_struct("Map", &[], Fields).ok()?;
    reader.end().ok()?;
    Some(fields)
}

/// Maximum number of fields in this pass; a map has fewer. A map with more is read field by field, up to the maximum
/// number of errors.
const MAX_FIELDS: usize = 32;

struct Fields;

impl<'t> Visitor<'t> for Fields {
    type Value = Vec<(Node<'t>, Value<'t>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(key) = map.next_key()? {
            let value = match key {
                "tiles" => Value::Rows(map.next_value()?),
                "layers" => Value::Layers(map.next_value::<Layers<'t>>()?.0),
                _ => Value::Node(map.next_value()?),
            };
            fields.push((Node::new(key), value));
            if fields.len() > MAX_FIELDS {
                return Err(A::Error::custom("a map that has to be read field by field"));
            }
        }
        Ok(fields)
    }
}

/// At most [`MAX_LAYERS`] layers.
struct Layers<'t>(Vec<Layer<'t>>);

impl<'de> Deserialize<'de> for Layers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(LayersVisitor)
    }
}

struct LayersVisitor;

impl<'de> Visitor<'de> for LayersVisitor {
    type Value = Layers<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of layers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Layers<'de>, A::Error> {
        let mut layers = Vec::new();
        while let Some(layer) = seq.next_element()? {
            if layers.len() == MAX_LAYERS {
                return Err(A::Error::custom("a list that has to be read layer by layer"));
            }
            layers.push(layer);
        }
        Ok(Layers(layers))
    }
}

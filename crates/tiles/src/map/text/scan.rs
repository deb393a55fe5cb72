//! Reads the fields of a map in a single pass over its text: rows directly, all other values as slices.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use super::format::MAX_LAYERS;
use super::row_list::RowList;
use crate::text::{FieldName, Node};
use ron::value::RawValue;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Value of a field.
pub enum Value<'t> {
    Node(Node<'t>),
    /// A list of strings.
    Rows(RowList<'t>),
    /// A list of structs whose `tiles` are lists of strings.
    Layers(Layers<'t>),
}

/// The first layers of a list, and how many there are.
#[derive(Default)]
pub struct Layers<'t> {
    pub(super) list: Vec<Layer<'t>>,
    pub(super) count: usize,
}

/// A layer with its fields.
pub struct Layer<'t> {
    pub(super) name: Node<'t>,
    pub(super) collides: Option<Node<'t>>,
    pub(super) origin: Option<Node<'t>>,
    pub(super) tiles: RowList<'t>,
}

/// Returns the fields of the map in a slice. `None` if a value must be read one by one: rows that are not strings,
/// layers with other fields, or invalid RON.
pub fn scan(slice: &str) -> Option<Vec<(Node<'_>, Value<'_>)>> {
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
        while let Some(key) = map.next_key_seed(FieldName)? {
            let value = match key {
                "tiles" => Value::Rows(map.next_value()?),
                "layers" => Value::Layers(map.next_value()?),
                _ => Value::Node(Node::new(map.next_value::<&RawValue>()?.get_ron())),
            };
            fields.push((Node::new(key), value));
            if fields.len() > MAX_FIELDS {
                return Err(A::Error::custom("a map that has to be read field by field"));
            }
        }
        Ok(fields)
    }
}

impl<'de> Deserialize<'de> for Layers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(LayersVisitor(Layers::default()))
    }
}

struct LayersVisitor<'t>(Layers<'t>);

impl<'de> Visitor<'de> for LayersVisitor<'de> {
    type Value = Layers<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of layers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Layers<'de>, A::Error> {
        let LayersVisitor(mut layers) = self;
        while layers.list.len() < MAX_LAYERS
            && let Some(layer) = seq.next_element()?
        {
            layers.list.push(layer);
        }
        layers.count = layers.list.len();
        while layers.list.len() == MAX_LAYERS && seq.next_element::<IgnoredAny>()?.is_some() {
            layers.count += 1;
        }
        Ok(layers)
    }
}

impl<'de> Deserialize<'de> for Layer<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Layer", &[], LayerVisitor)
    }
}

struct LayerVisitor;

impl<'de> Visitor<'de> for LayerVisitor {
    type Value = Layer<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a layer")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Layer<'de>, A::Error> {
        let other = || Error::custom("a layer that has to be read field by field");
        let (mut name, mut collides, mut origin, mut tiles) = (None, None, None, None);
        while let Some(key) = map.next_key_seed(FieldName)? {
            let field = match key {
                "tiles" if tiles.is_none() => {
                    tiles = Some(map.next_value()?);
                    continue;
                }
                "name" => &mut name,
                "collides" => &mut collides,
                "origin" => &mut origin,
                _ => return Err(other()),
            };
            let value = Node::new(map.next_value::<&RawValue>()?.get_ron());
            if field.replace(value).is_some() {
                return Err(other());
            }
        }
        match (name, tiles) {
            (Some(name), Some(tiles)) => Ok(Layer { name, collides, origin, tiles }),
            _ => Err(other()),
        }
    }
}

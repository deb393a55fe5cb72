//! The shape of a map file, before anything is checked.

use super::capped::{Capped, CappedPairs};
use super::row_list::RowList;
use super::{Map, Sides};
use crate::text::bare;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::cell::Cell;
use std::fmt;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, rename = "Map")]
pub(crate) struct MapFile<'t> {
    pub(crate) format: i64,
    /// The rows of a map of one layer; this or `layers`.
    #[serde(borrow, default, deserialize_with = "bare")]
    pub(crate) tiles: Option<RowList<'t>>,
    #[serde(borrow, default, deserialize_with = "bare")]
    pub(crate) layers: Option<Capped<LayerFile<'t>, MAX_LAYERS>>,
    /// Where the tiles' patterns are; the built-in ones if it does not say.
    #[serde(default, deserialize_with = "bare")]
    pub(crate) catalogue: Option<String>,
    #[serde(default)]
    pub(crate) legend: CappedPairs<char, Definition, { Map::MAX_ENTRIES }>,
    #[serde(default)]
    pub(crate) only_this_legend: bool,
    #[serde(default)]
    pub(crate) markers: CappedPairs<String, Vec<(i64, i64)>, MAX_NAMES>,
    #[serde(default)]
    pub(crate) origin: (i64, i64),
    #[serde(default = "default_pixels")]
    pub(crate) pixels_per_tile: i64,
    #[serde(default)]
    pub(crate) beyond: Sides,
    #[serde(default)]
    pub(crate) properties: Properties,
}

/// The shape of one layer.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, rename = "Layer")]
pub(crate) struct LayerFile<'t> {
    pub(crate) name: String,
    #[serde(default = "default_collides")]
    pub(crate) collides: bool,
    #[serde(borrow)]
    pub(crate) tiles: RowList<'t>,
}

/// The most layers and names of markers that are read; all else is counted.
const MAX_LAYERS: usize = 256;
pub(crate) const MAX_NAMES: usize = 65_536;

fn default_collides() -> bool {
    true
}

fn default_pixels() -> i64 {
    i64::from(Map::DEFAULT_PIXELS_PER_TILE)
}

/// What a legend says of a character: a tile's name, or a struct of these fields.
#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Fields {
    #[serde(deserialize_with = "bare")]
    tile: Option<String>,
    #[serde(deserialize_with = "bare")]
    marker: Option<String>,
    drop_through: bool,
}

/// What the legend of a file says of a character.
pub(crate) struct Definition {
    /// `None`: an empty cell.
    pub(crate) tile: Option<String>,
    pub(crate) marker: Option<String>,
    pub(crate) drop_through: bool,
    /// Whether the tile is named in a field of a struct.
    pub(crate) has_fields: bool,
}

impl<'de> Deserialize<'de> for Definition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DefinitionVisitor)
    }
}

struct DefinitionVisitor;

impl<'de> Visitor<'de> for DefinitionVisitor {
    type Value = Definition;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tile's name such as \"slope_45 r1\", or (tile: \"...\", marker: \"...\", drop_through: false)")
    }

    fn visit_str<E: Error>(self, tile: &str) -> Result<Definition, E> {
        Ok(Definition { tile: Some(tile.to_owned()), marker: None, drop_through: false, has_fields: false })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Definition, A::Error> {
        let Fields { tile, marker, drop_through } = Fields::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Definition { tile, marker, drop_through, has_fields: true })
    }
}

/// Properties as they stand in the file: repeated keys are still there. Of more than [`Map::MAX_VALUES`] values the rest
/// is counted.
#[derive(Default)]
pub(crate) struct Properties {
    pub(crate) pairs: Vec<(String, Raw)>,
    pub(crate) count: usize,
}

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let count = Cell::new(0);
        let pairs = deserializer.deserialize_map(PairsVisitor(RawVisitor { count: &count }))?;
        Ok(Properties { pairs, count: count.get() })
    }
}

/// A property as it stands in the file.
pub(crate) enum Raw {
    Bool(bool),
    Integer(i64),
    /// An integer of 64 bits that is no `i64`; the RON reader gives still larger ones as numbers.
    LargeInteger,
    Float(f64),
    Text(String),
    List(Vec<Raw>),
    Map(Vec<(String, Raw)>),
}

/// Reads a value.
#[derive(Clone, Copy)]
struct RawVisitor<'a> {
    /// How many values were read.
    count: &'a Cell<usize>,
}

impl RawVisitor<'_> {
    /// Counts one more and keeps it, if there are not too many.
    fn add<T>(self, list: &mut Vec<T>, item: T) {
        self.count.set(self.count.get() + 1);
        if self.count.get() <= Map::MAX_VALUES {
            // Most lists that are many are short.
            if list.is_empty() {
                list.reserve_exact(1);
            }
            list.push(item);
        }
    }
}

impl<'de> DeserializeSeed<'de> for RawVisitor<'_> {
    type Value = Raw;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for RawVisitor<'_> {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bool, a 64-bit integer, a number, a text, a list, or a map with texts as keys")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Integer(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Raw, E> {
        Ok(i64::try_from(value).map_or(Raw::LargeInteger, Raw::Integer))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Float(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Raw, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element_seed(self)? {
            self.add(&mut values, value);
        }
        Ok(Raw::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Raw, A::Error> {
        PairsVisitor(self).visit_map(map).map(Raw::Map)
    }
}

/// Reads a map of values.
struct PairsVisitor<'a>(RawVisitor<'a>);

impl<'de> Visitor<'de> for PairsVisitor<'_> {
    type Value = Vec<(String, Raw)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map in braces")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(key) = map.next_key()? {
            let value = map.next_value_seed(self.0)?;
            self.0.add(&mut pairs, (key, value));
        }
        Ok(pairs)
    }
}

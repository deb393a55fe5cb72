//! Fields of a map file, before any check.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use super::area_text::{AreaFile, AreaFiles};
use super::body_text::{BodyFile, BodyFiles};
use super::capped::Capped;
use super::platform_text::PlatformFiles;
use super::row_list::RowList;
use super::scan::{Layer, Value};
use super::{Border, Borders, Map, Material};
use crate::number::Number;
use crate::text::{Fields, Node, Reader, Shape, Struct, is_short, quoted};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::cell::Cell;
use std::fmt;
use surefoot_geometry::Position;

const MAP: Struct<'_> = Struct {
    name: "Map",
    required: &["format"],
    optional: &[
        "tiles",
        "layers",
        "catalogue",
        "collision_layers",
        "legend",
        "only_this_legend",
        "markers",
        "platforms",
        "areas",
        "bodies",
        "origin",
        "pixels_per_tile",
        "border",
        "properties",
    ],
};
const LAYER: Struct<'_> = Struct { name: "Layer", required: &["name", "tiles"], optional: &["collides", "origin"] };
const ENTRY: Struct<'_> = Struct {
    name: "legend",
    required: &[],
    optional: &["tile", "marker", "drop_through", "ignored_by", "material", "properties", "area", "body", "inside"],
};
const MARKER: Struct<'_> = Struct { name: "marker", required: &["name"], optional: &["properties"] };
const SURFACE: Struct<'_> = Struct { name: "material", required: &[], optional: &Material::FIELDS };
const SIDES: Struct<'_> = Struct { name: "Borders", required: &[], optional: &["left", "right", "bottom", "top"] };

/// Words for a pair of coordinates.
const CELL: &str = "an x and a y, such as (0, 0)";
const ORIGIN: &str = "-2^28 to 2^28";

pub struct MapFile<'t> {
    pub(crate) format: i64,
    /// Rows of a map with one layer. Excludes `layers`.
    pub(crate) tiles: Option<RowList<'t>>,
    pub(crate) layers: Option<Capped<LayerFile<'t>, MAX_LAYERS>>,
    /// Path of the catalogue. `None` for the built-in one.
    pub catalogue: Option<String>,
    /// Names of the collision layers; at most one more than allowed.
    pub(crate) collision_layers: Capped<String, { Map::MAX_COLLISION_LAYERS + 1 }>,
    pub(crate) legend: Capped<(char, Definition), { Map::MAX_KINDS }>,
    pub(crate) only_this_legend: bool,
    pub(crate) markers: Capped<(String, Vec<(i64, i64)>), { Map::MAX_MARKER_NAMES }>,
    pub(crate) platforms: PlatformFiles<'t>,
    pub(crate) areas: AreaFiles,
    pub(crate) bodies: BodyFiles,
    pub(crate) origin: (i64, i64),
    pub(crate) pixels_per_tile: i64,
    pub(crate) beyond: Borders,
    pub(crate) properties: Properties,
}

/// One layer.
#[derive(Default)]
pub(crate) struct LayerFile<'t> {
    pub(crate) name: String,
    pub(crate) collides: bool,
    /// Tile of the layer's lower left cell. `None` for the map's `origin`.
    pub(crate) origin: Option<(i64, i64)>,
    pub(crate) tiles: RowList<'t>,
}

/// Maximum number of layers that are read. The rest is counted.
pub(super) const MAX_LAYERS: usize = 256;

/// Legend entry of a symbol in a file.
#[derive(Default)]
pub(crate) struct Definition {
    /// `None` for an empty cell.
    pub(crate) tile: Option<String>,
    /// The name of a marker without fields.
    pub(crate) marker: Option<String>,
    /// Boxed, because few entries have them and a file may have many entries.
    pub(crate) things: Option<Box<ThingFiles>>,
    pub(crate) drop_through: bool,
    /// Names of collision layers.
    pub(crate) lets_pass: Vec<String>,
    pub(crate) surface: Material,
    pub(crate) properties: Properties,
    /// Whether the entry is a struct with the tile in a field.
    pub(crate) has_fields: bool,
}

/// Things of a legend entry, except a marker without fields.
#[derive(Default)]
pub(crate) struct ThingFiles {
    pub(crate) marker: Option<MarkerFile>,
    pub(crate) area: Option<AreaFile>,
    pub(crate) body: Option<BodyFile>,
    /// Symbol of the joined area that its cells belong to.
    pub(crate) inside: Option<char>,
}

/// The marker of a legend entry, with fields.
pub(crate) struct MarkerFile {
    pub(crate) name: String,
    pub(crate) properties: Properties,
}

impl<'t> MapFile<'t> {
    /// Reads a map. `scanned` has its fields if they were read already, with the rows.
    pub fn read(reader: &mut Reader<'t>, node: Node<'t>, scanned: Option<Vec<(Node<'t>, Value<'t>)>>) -> Self {
        let mut fields = match scanned {
            Some(pairs) => reader.sort_fields(node, MAP, pairs),
            None => reader.read_fields(node, MAP).map(Value::Node),
        };
        let tiles = fields.take("tiles").map(|rows| rows.into_rows(reader));
        let layers = fields.take("layers").map(|layers| layers.into_layers(reader));
        let mut take = |name| fields.take(name).and_then(Value::unread_node);
        let mut format = i64::from(Map::FORMAT);
        if let Some(node) = take("format") {
            let found = reader.read_integer(node, "1");
            format = if reader.tree.is_wrong(node) { format } else { found };
        }
        let catalogue = take("catalogue").map(|node| reader.read_string(node));
        let (mut collision_layers, mut legend, mut markers) = Default::default();
        if let Some(node) = take("collision_layers") {
            let add = |reader: &mut Reader<'t>, name| {
                Capped::count_and_push_if_room(&mut collision_layers, || reader.read_string(name))
            };
            reader.read_list(node, &[Shape::Text], add);
        }
        if let Some(node) = take("legend") {
            reader.read_map(node, "{'x': \"full_block\"}", |reader, key, value| {
                Capped::count_and_push_if_room(&mut legend, || {
                    (reader.read_char(key), Definition::read(reader, value))
                });
            });
        }
        let only_this_legend = take("only_this_legend").is_some_and(|node| reader.read_bool(node));
        if let Some(node) = take("markers") {
            reader.read_map(node, "{\"start\": [(0, 0)]}", |reader, key, value| {
                Capped::count_and_push_if_room(&mut markers, || {
                    let (name, mut cells) = (reader.read_string(key), Vec::new());
                    let is_cell = &[Shape::Tuple, Shape::Struct];
                    reader.read_list(value, is_cell, |reader, cell| {
                        cells.push(reader.read_integer_pair(cell, CELL, I64))
                    });
                    (name, cells)
                });
            });
        }
        let pixels_per_tile = i64::from(Map::DEFAULT_PIXELS_PER_TILE);
        MapFile {
            format,
            tiles,
            layers,
            catalogue,
            collision_layers,
            legend,
            only_this_legend,
            markers,
            platforms: take("platforms").map(|node| PlatformFiles::read(reader, node)).unwrap_or_default(),
            areas: take("areas").map(|node| AreaFiles::read(reader, node)).unwrap_or_default(),
            bodies: take("bodies").map(|node| BodyFiles::read(reader, node)).unwrap_or_default(),
            origin: take("origin").map(|node| reader.read_integer_pair(node, CELL, ORIGIN)).unwrap_or_default(),
            pixels_per_tile: take("pixels_per_tile")
                .map_or(pixels_per_tile, |node| reader.read_integer(node, "1 to 65536")),
            beyond: take("border").map(|node| read_borders(reader, node)).unwrap_or_default(),
            properties: take("properties").map(|node| Properties::read(reader, node)).unwrap_or_default(),
        }
    }
}

fn read_borders<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Borders {
    let mut fields = reader.read_fields(node, SIDES);
    let [left, right, bottom, top] = ["left", "right", "bottom", "top"].map(|name| {
        let border = fields
            .take(name)
            .and_then(|node| reader.read_word(node, &["Open", "Solid"], &[Border::Open, Border::Solid]));
        border.unwrap_or_default()
    });
    Borders { left, right, bottom, top }
}

/// The range of a coordinate in units of 2^-32 tile, in words.
pub const UNITS: &str = "-2^61 to 2^61 units, which is -2^29 to 2^29 tiles";

/// Reads a coordinate in units of 2^-32 tile. If it is written in tiles, the error says how many units that is.
pub fn read_units<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> i64 {
    let tiles = Some(node).filter(|node| node.shape() == Shape::Float).and_then(|node| node.source().parse().ok());
    if let Some(Ok(position)) = tiles.map(|tiles: f64| Position::new(tiles, 0.0)) {
        let hint = format!("{} tiles are {} units", node.source(), position.units().x);
        reader.report_mismatch(node, "a whole number of units", hint);
        return 0;
    }
    reader.read_integer(node, UNITS)
}

/// Words for the range of 64-bit integers.
pub const I64: &str = "-9223372036854775808 to 9223372036854775807";

impl<'t> Value<'t> {
    /// Returns the node of the value, unless it was read already.
    fn unread_node(self) -> Option<Node<'t>> {
        if let Value::Node(node) = self { Some(node) } else { None }
    }

    pub(super) fn into_rows(self, reader: &mut Reader<'t>) -> RowList<'t> {
        let mut rows = RowList::default();
        match self {
            Value::Rows(rows) => return rows,
            Value::Node(node) => {
                reader.read_list(node, &[Shape::Text], |reader, row| rows.push(reader.read_string(row).into()))
            }
            Value::Layers(_) => {}
        }
        rows
    }

    pub(super) fn into_layers(self, reader: &mut Reader<'t>) -> Capped<LayerFile<'t>, MAX_LAYERS> {
        let mut layers = Capped::default();
        match self {
            Value::Layers(list) => {
                for Layer { name, collides, origin, tiles } in list {
                    let collides = collides.is_none_or(|node| reader.read_bool(node));
                    let origin = origin.map(|node| reader.read_integer_pair(node, CELL, ORIGIN));
                    layers.count_and_push_if_room(|| LayerFile {
                        name: reader.read_string(name),
                        collides,
                        origin,
                        tiles,
                    });
                }
            }
            Value::Node(node) => reader.read_list(node, &[Shape::Struct], |reader, layer| {
                layers.count_and_push_if_room(|| LayerFile::read(reader, layer));
            }),
            Value::Rows(_) => {}
        }
        layers
    }
}

impl<'t> LayerFile<'t> {
    fn read(reader: &mut Reader<'t>, node: Node<'t>) -> LayerFile<'t> {
        let mut fields = reader.read_fields(node, LAYER);
        LayerFile {
            name: fields.take("name").map(|node| reader.read_string(node)).unwrap_or_default(),
            collides: fields.take("collides").is_none_or(|node| reader.read_bool(node)),
            origin: fields.take("origin").map(|node| reader.read_integer_pair(node, CELL, ORIGIN)),
            tiles: fields.take("tiles").map(|rows| Value::Node(rows).into_rows(reader)).unwrap_or_default(),
        }
    }
}

impl Definition {
    fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Definition {
        match node.shape() {
            Shape::Text => Definition { tile: Some(reader.read_string(node)), ..Definition::default() },
            Shape::Struct => {
                let mut fields = reader.read_fields(node, ENTRY);
                let (marker, things) = ThingFiles::read_marker_name_and_things(reader, &mut fields);
                Definition {
                    tile: fields.take("tile").map(|node| reader.read_string(node)),
                    marker,
                    things,
                    drop_through: fields.take("drop_through").is_some_and(|node| reader.read_bool(node)),
                    lets_pass: fields.take("ignored_by").map(|node| read_names(reader, node)).unwrap_or_default(),
                    surface: fields.take("material").map(|node| read_material(reader, node)).unwrap_or_default(),
                    properties: fields
                        .take("properties")
                        .map(|node| Properties::read(reader, node))
                        .unwrap_or_default(),
                    has_fields: true,
                }
            }
            _ => {
                let expected =
                    "a tile's name such as \"slope_45 r1\", or (tile: \"...\", marker: \"...\", drop_through: false)";
                let hint = suggest_value(node);
                reader.report_mismatch(node, expected, hint);
                Definition::default()
            }
        }
    }
}

impl ThingFiles {
    /// Reads the things of a legend entry. Returns the name of a marker without fields apart.
    fn read_marker_name_and_things<'t>(
        reader: &mut Reader<'t>,
        fields: &mut Fields<Node<'t>>,
    ) -> (Option<String>, Option<Box<ThingFiles>>) {
        let (mut name, mut things) = (None, ThingFiles::default());
        match fields.take("marker") {
            Some(node) if node.shape() == Shape::Struct => {
                let mut fields = reader.read_fields(node, MARKER);
                things.marker = Some(MarkerFile {
                    name: fields.take("name").map(|node| reader.read_string(node)).unwrap_or_default(),
                    properties: fields
                        .take("properties")
                        .map(|node| Properties::read(reader, node))
                        .unwrap_or_default(),
                });
            }
            node => name = node.map(|node| reader.read_string(node)),
        }
        things.area = fields.take("area").map(|node| AreaFile::read_from_legend(reader, node));
        things.body = fields.take("body").map(|node| BodyFile::read_from_legend(reader, node));
        things.inside = fields.take("inside").map(|node| reader.read_char(node));
        let is_empty =
            things.marker.is_none() && things.area.is_none() && things.body.is_none() && things.inside.is_none();
        (name, (!is_empty).then(|| Box::new(things)))
    }

    /// Returns the number of values in properties.
    fn property_value_count(&self) -> usize {
        let of_marker = self.marker.as_ref().map_or(0, |marker| marker.properties.count);
        let of_area = self.area.as_ref().map_or(0, |area| area.properties.count);
        of_marker + of_area + self.body.as_ref().map_or(0, BodyFile::property_value_count)
    }
}

impl MapFile<'_> {
    /// Returns the number of values in the properties of the map and of its things.
    pub(super) fn property_value_count(&self) -> usize {
        let of_legend = self.legend.list.iter().map(|(_, definition)| definition.property_value_count());
        let of_lists = [
            self.bodies.property_value_count(),
            self.areas.property_value_count(),
            self.platforms.property_value_count(),
        ];
        of_legend.chain(of_lists).sum::<usize>() + self.properties.count
    }
}

impl Definition {
    /// Returns the number of values in properties.
    pub(super) fn property_value_count(&self) -> usize {
        self.properties.count + self.things.as_ref().map_or(0, |things| things.property_value_count())
    }
}

/// Reads a list of names.
pub fn read_names<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Vec<String> {
    let mut names = Vec::new();
    reader.read_list(node, &[Shape::Text], |reader, name| names.push(reader.read_string(name)));
    names
}

/// Reads a material. Missing or invalid numbers get their defaults.
fn read_material<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Material {
    let mut fields = reader.read_fields(node, SURFACE);
    let mut surface = Material::default();
    for Number { name, value, .. } in surface.numbers_mut() {
        if let Some(node) = fields.take(name) {
            let number = reader.read_number(node);
            if !reader.tree.is_wrong(node) {
                *value = number;
            }
        }
    }
    surface.climbable = fields.take("climbable").is_some_and(|node| reader.read_bool(node));
    surface
}

/// Returns a suggestion for a word in the position of a value.
fn suggest_value(node: Node<'_>) -> String {
    let word = node.source();
    match word {
        _ if node.shape() != Shape::Word || !is_short(word) => String::new(),
        "yes" | "on" | "True" | "TRUE" => format!("did you mean true, or {}?", quoted(word)),
        "no" | "off" | "False" | "FALSE" => format!("did you mean false, or {}?", quoted(word)),
        _ => format!("did you mean {}?", quoted(word)),
    }
}

/// Properties as they are in the file: repeated keys are kept. Counts values beyond [`Map::MAX_VALUES`] without keeping
/// them.
#[derive(Default)]
pub(crate) struct Properties {
    pub(crate) pairs: Vec<(String, Raw)>,
    pub(crate) count: usize,
}

impl Properties {
    pub(super) fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Properties {
        let mut pairs = Vec::new();
        let count = Cell::new(0);
        let visitor = RawVisitor { count: &count };
        reader.read_map(node, "{\"coins\": 3}", |reader, key, value| {
            let name = reader.read_string(key);
            let read = ron::Deserializer::from_str(value.slice()).ok();
            match read.and_then(|mut values| visitor.deserialize(&mut values).ok()) {
                Some(mut raw) => {
                    raw.mark_integers_beyond_i64(reader, value, Map::MAX_DEPTH);
                    visitor.count_and_push_if_room(&mut pairs, (name, raw));
                }
                None => report_wrong_values(reader, value, Map::MAX_DEPTH),
            }
        });
        Properties { pairs, count: count.get() }
    }
}

/// Reports the innermost values that are not properties, down to `depth`.
fn report_wrong_values<'t>(reader: &mut Reader<'t>, node: Node<'t>, depth: usize) {
    let told = reader.faults.len();
    let is_map = node.shape() == Shape::Map;
    let mut is_leaf = true;
    if depth > 0 && node.name().is_empty() {
        node.visit_parts(|key, value| {
            is_leaf = false;
            if let Some(key) = key.filter(|key| is_map && key.shape() != Shape::Text) {
                reader.read_string(key);
            }
            report_wrong_values(reader, value, depth - 1);
            !reader.is_full()
        });
    }
    let count = Cell::new(0);
    let read = || ron::Deserializer::from_str(node.slice()).ok();
    let is_wrong = || read().is_none_or(|mut values| RawVisitor { count: &count }.deserialize(&mut values).is_err());
    // Check each value whose parts were not visited, such as a number. Of the values with visited parts, check only the
    // outermost one, which includes all others, and only if nothing inside it was wrong.
    if reader.faults.len() == told && (is_leaf || depth == Map::MAX_DEPTH) && is_wrong() {
        let expected = "true, false, a number, a text, a list, or entries in braces, such as {\"a\": 1}";
        reader.report_mismatch(node, expected, suggest_value(node));
    }
}

/// A property as it is in the file.
pub(crate) enum Raw {
    Bool(bool),
    Integer(i64),
    /// A 64-bit integer that does not fit into `i64`. The RON reader returns larger integers as floats.
    LargeInteger,
    Float(f64),
    Text(String),
    List(Vec<Raw>),
    Map(Vec<(String, Raw)>),
}

impl Raw {
    /// Marks integers beyond 64 bits, down to `depth`. The RON reader returns them as floats.
    fn mark_integers_beyond_i64<'t>(&mut self, reader: &Reader<'t>, node: Node<'t>, depth: usize) {
        if !self.has_number_beyond_i64() || depth == 0 {
            return;
        }
        match self {
            Raw::List(raws) => {
                raws.iter_mut().zip(reader.tree.items(node)).for_each(|(raw, node)| {
                    raw.mark_integers_beyond_i64(reader, node, depth - 1);
                });
            }
            Raw::Map(pairs) => pairs.iter_mut().zip(reader.tree.pairs(node)).for_each(|((_, raw), (_, node))| {
                raw.mark_integers_beyond_i64(reader, node, depth - 1);
            }),
            _ if node.shape() == Shape::Integer => *self = Raw::LargeInteger,
            _ => {}
        }
    }

    /// Returns whether it is or contains a number of at least 2^63. The reader would not have returned a smaller
    /// integer as a float.
    fn has_number_beyond_i64(&self) -> bool {
        match self {
            Raw::Float(value) => value.abs() >= -(i64::MIN as f64),
            Raw::List(raws) => raws.iter().any(Raw::has_number_beyond_i64),
            Raw::Map(pairs) => pairs.iter().any(|(_, raw)| raw.has_number_beyond_i64()),
            Raw::Bool(_) | Raw::Integer(_) | Raw::LargeInteger | Raw::Text(_) => false,
        }
    }
}

/// Reads a value.
#[derive(Clone, Copy)]
struct RawVisitor<'a> {
    /// Number of values read.
    count: &'a Cell<usize>,
}

impl RawVisitor<'_> {
    /// Counts an item, and keeps it if there are not too many.
    fn count_and_push_if_room<T>(self, list: &mut Vec<T>, item: T) {
        self.count.set(self.count.get() + 1);
        if self.count.get() <= Map::MAX_VALUES {
            // Most lists are short, and a file may have many of them, so reserve only one item.
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
        f.write_str("true, false, a number, a text, a list, or entries in braces, such as {\"a\": 1}")
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
            self.count_and_push_if_room(&mut values, value);
        }
        Ok(Raw::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut pairs = Vec::new();
        // The map itself already counts as one item of the list or map that contains it.
        self.count.set(self.count.get() + super::super::Value::MAP_COUNT - 1);
        while let Some(key) = map.next_key()? {
            let value = map.next_value_seed(self)?;
            self.count_and_push_if_room(&mut pairs, (key, value));
        }
        Ok(Raw::Map(pairs))
    }
}

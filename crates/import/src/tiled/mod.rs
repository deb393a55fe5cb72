//! Levels of Tiled: maps, tilesets and templates, in XML (.tmx, .tsx, .tx) and in JSON (.tmj, .tsj, .tj).
//!
//! Both forms are read into the same structs, which have the names of the JSON form. `convert` makes a level of them.
//! The tile numbers of large layers take most of a file, so these structs borrow its text.

mod convert;
mod data;
mod json;
mod types;
mod xml;

pub(crate) use convert::{DIAGONAL, HORIZONTAL, VARIANT, VERTICAL, read_tiled_map};
pub(crate) use json::read_json;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

/// A map file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MapFile<'a> {
    /// Version of the format. A number in old versions of the JSON form.
    #[serde(deserialize_with = "read_text_or_number")]
    pub(super) version: String,
    pub(super) orientation: String,
    pub(super) infinite: bool,
    pub(super) width: u32,
    pub(super) height: u32,
    #[serde(rename = "tilewidth")]
    pub(super) tile_width: u32,
    #[serde(rename = "tileheight")]
    pub(super) tile_height: u32,
    #[serde(borrow)]
    pub(super) layers: Vec<LayerFile<'a>>,
    pub(super) tilesets: Vec<TilesetFile>,
    pub(super) properties: Vec<PropertyFile>,
}

fn read_text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    })
}

/// A layer of tiles, of objects, of a picture, or of other layers.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct LayerFile<'a> {
    /// `tilelayer`, `objectgroup`, `imagelayer` or `group`.
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) class: String,
    #[serde(rename = "offsetx")]
    pub(super) offset_x: f64,
    #[serde(rename = "offsety")]
    pub(super) offset_y: f64,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) encoding: String,
    pub(super) compression: String,
    #[serde(borrow)]
    pub(super) data: Option<DataFile<'a>>,
    /// Parts of a layer of an infinite map.
    #[serde(borrow)]
    pub(super) chunks: Vec<ChunkFile<'a>>,
    pub(super) objects: Vec<ObjectFile>,
    #[serde(borrow)]
    pub(super) layers: Vec<LayerFile<'a>>,
    pub(super) properties: Vec<PropertyFile>,
}

/// A part of a layer of an infinite map.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ChunkFile<'a> {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: u32,
    pub(super) height: u32,
    #[serde(borrow)]
    pub(super) data: Option<DataFile<'a>>,
}

/// Tile numbers of a layer or a chunk.
#[derive(Debug)]
pub(super) enum DataFile<'a> {
    Numbers(Vec<u32>),
    /// In the layer's encoding and compression.
    Text(Cow<'a, str>),
}

impl<'de: 'a, 'a> Deserialize<'de> for DataFile<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DataFile<'a>, D::Error> {
        // An untagged enum would keep each number in a buffer of 32 bytes first.
        deserializer.deserialize_any(DataVisitor)
    }
}

struct DataVisitor;

impl<'de> Visitor<'de> for DataVisitor {
    type Value = DataFile<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of tile numbers, or a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<DataFile<'de>, E> {
        Ok(DataFile::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<DataFile<'de>, E> {
        Ok(DataFile::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<DataFile<'de>, A::Error> {
        let mut numbers = Vec::new();
        while let Some(number) = list.next_element()? {
            numbers.push(number);
        }
        Ok(DataFile::Numbers(numbers))
    }
}

impl DataFile<'_> {
    /// Returns a bound of the number of cells, without decoding. The best compression is a thousandfold.
    pub(super) fn max_cell_count(&self) -> u64 {
        match self {
            DataFile::Numbers(numbers) => numbers.len() as u64,
            DataFile::Text(text) => text.len() as u64 * 256,
        }
    }
}

/// A tileset: in the map, or the name of its file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TilesetFile {
    #[serde(rename = "firstgid")]
    pub(super) first_gid: u32,
    /// Path of the file from the folder of the file that names it. Empty for a tileset in the map.
    pub(super) source: String,
    pub(super) name: String,
    #[serde(rename = "tilewidth")]
    pub(super) tile_width: u32,
    #[serde(rename = "tileheight")]
    pub(super) tile_height: u32,
    #[serde(rename = "tilecount")]
    pub(super) tile_count: u32,
    #[serde(rename = "objectalignment")]
    pub(super) alignment: String,
    /// Pixels between the tiles of the picture, and around all of them.
    pub(super) spacing: u32,
    pub(super) margin: u32,
    #[serde(flatten)]
    pub(super) image: ImageFile,
    pub(super) tiles: Vec<TileFile>,
    /// File of the tileset. `None` for one in the map.
    #[serde(skip)]
    pub(super) path: Option<PathBuf>,
}

/// Upper left corner and size of a rectangle in a picture, in pixels.
type Rectangle = ((u32, u32), (u32, u32));

impl TilesetFile {
    /// Returns the rectangle of the picture that shows a tile.
    pub(super) fn picture_rectangle(&self, id: u32) -> Rectangle {
        let side = self.tile_width.saturating_add(self.spacing).max(1);
        let inside = self.image.width.saturating_sub(self.margin).saturating_add(self.spacing);
        let columns = (inside / side).max(1);
        let at = |number: u32, side: u32| {
            self.margin.saturating_add(number.saturating_mul(side.saturating_add(self.spacing)))
        };
        let corner = (at(id % columns, self.tile_width), at(id / columns, self.tile_height));
        (corner, (self.tile_width, self.tile_height))
    }

    /// Returns the number above all tile numbers of the set. In a collection of pictures, some numbers may be missing.
    pub(super) fn end_of_ids(&self) -> u32 {
        let last = self.tiles.iter().map(|tile| tile.id.saturating_add(1)).max();
        last.unwrap_or(0).max(self.tile_count)
    }
}

/// A tile of a tileset that has more than a picture.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TileFile {
    pub(super) id: u32,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) class: String,
    pub(super) properties: Vec<PropertyFile>,
    /// Picture of the tile alone, in a collection of pictures.
    #[serde(flatten)]
    pub(super) image: ImageFile,
    /// Rectangle of that picture, if the tile shows only a part.
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) animation: Vec<FrameFile>,
    /// Collision shapes.
    #[serde(rename = "objectgroup")]
    pub(super) shapes: ShapesFile,
}

/// A picture: its file, from the folder of the file that names it, and its size in pixels.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ImageFile {
    #[serde(rename = "image")]
    pub(super) source: String,
    #[serde(rename = "imagewidth")]
    pub(super) width: u32,
    #[serde(rename = "imageheight")]
    pub(super) height: u32,
}

/// A frame of an animated tile: the tile that it shows, and its duration in milliseconds.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FrameFile {
    #[serde(rename = "tileid")]
    pub(super) tile: u32,
    pub(super) duration: u32,
}

impl TileFile {
    /// Returns the rectangle of the tile's own picture that shows it.
    pub(super) fn picture_rectangle(&self) -> Rectangle {
        let or = |part: u32, whole: u32| if part > 0 { part } else { whole };
        ((self.x, self.y), (or(self.width, self.image.width), or(self.height, self.image.height)))
    }

    /// Returns the class: `type` in most versions of Tiled, `class` in 1.9.
    pub(super) fn class(&self) -> &str {
        if self.kind.is_empty() { &self.class } else { &self.kind }
    }
}

/// Collision shapes of a tile.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ShapesFile {
    pub(super) objects: Vec<ObjectFile>,
}

/// An object. Fields that are `None` are those of the template, if the object has one.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ObjectFile {
    pub(super) id: u32,
    pub(super) name: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) class: Option<String>,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: Option<f64>,
    pub(super) height: Option<f64>,
    /// Degrees clockwise around (x, y).
    pub(super) rotation: Option<f64>,
    pub(super) gid: Option<u32>,
    pub(super) point: bool,
    pub(super) ellipse: bool,
    pub(super) capsule: bool,
    pub(super) polygon: Option<Vec<PointFile>>,
    pub(super) polyline: Option<Vec<PointFile>>,
    /// A text to show: any value.
    pub(super) text: Option<serde_json::Value>,
    /// Path of the template's file.
    pub(super) template: Option<String>,
    pub(super) properties: Vec<PropertyFile>,
}

/// A point of a polygon or polyline, relative to the object.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct PointFile {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// A property with the name of its type.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PropertyFile {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// Name of the class or enum in the project. Members of a class spell it `propertyType`.
    #[serde(rename = "propertytype", alias = "propertyType")]
    pub(super) class: String,
    pub(super) value: serde_json::Value,
}

/// A template: an object with the tileset of its tile.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TemplateFile {
    pub(super) tileset: Option<TilesetFile>,
    pub(super) object: ObjectFile,
}

//! The XML form, read into the structs of the JSON form.

use super::{
    ChunkFile, DataFile, FrameFile, ImageFile, LayerFile, MapFile, ObjectFile, PointFile, PropertyFile, ShapesFile,
    TemplateFile, TileFile, TilesetFile,
};
use crate::error::{ImportError, ImportProblem};
use crate::level::REFERENCE;
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;
use std::path::Path;
use std::str::FromStr;

/// Layers inside layers, and properties inside properties, at most this deep.
const MAX_DEPTH: usize = 32;

/// Maximum number of attributes of an element. Tiled writes about 20 at most.
const MAX_ATTRIBUTES: usize = 64;

/// Maximum number of nodes of a file. More than 10^6 objects with properties have fewer.
const MAX_NODES: u32 = 1 << 26;

type Result<T> = std::result::Result<T, ImportError>;

/// Reads a map, and passes it to `convert` while its parsed text is in memory.
pub(super) fn read_map<T>(path: &Path, text: &str, convert: impl FnOnce(MapFile<'_>) -> Result<T>) -> Result<T> {
    parse_root(path, text, "map", |file, root| {
        convert(MapFile {
            version: file.text_attribute(root, "version"),
            orientation: file.text_attribute(root, "orientation"),
            infinite: root.attribute("infinite") == Some("1"),
            width: file.number_attribute(root, "width")?.unwrap_or_default(),
            height: file.number_attribute(root, "height")?.unwrap_or_default(),
            tile_width: file.number_attribute(root, "tilewidth")?.unwrap_or_default(),
            tile_height: file.number_attribute(root, "tileheight")?.unwrap_or_default(),
            layers: file.read_layers(root, 0)?,
            tilesets: children_named(root, "tileset").map(|node| file.read_tileset(node)).collect::<Result<_>>()?,
            properties: file.read_properties(root, 0)?,
        })
    })
}

pub(super) fn read_tileset(path: &Path, text: &str) -> Result<TilesetFile> {
    parse_root(path, text, "tileset", |file, root| file.read_tileset(root))
}

pub(super) fn read_template(path: &Path, text: &str) -> Result<TemplateFile> {
    parse_root(path, text, "template", |file, root| {
        let object = children_named(root, "object").next();
        let object =
            object.ok_or_else(|| file.node_error(root, "the template has no object", "an element `object`"))?;
        let tileset = children_named(root, "tileset").next().map(|node| file.read_tileset(node)).transpose()?;
        Ok(TemplateFile { tileset, object: file.read_object(object)? })
    })
}

/// A file that is read: its path for errors.
struct File<'a> {
    path: &'a Path,
}

fn parse_root<T>(
    path: &Path,
    text: &str,
    root: &'static str,
    read: impl FnOnce(&File<'_>, Node<'_, '_>) -> Result<T>,
) -> Result<T> {
    if let Some(start) = find_element_with_too_many_attributes(text) {
        let before = &text[..start];
        let line = before.matches('\n').count() as u32 + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
        let expected = format!("at most {MAX_ATTRIBUTES} attributes");
        return Err(
            ImportError::wrong_value(path, "", "the element has too many attributes", expected).at_line(line, column)
        );
    }
    // Old versions of Tiled write a document type. Entities that grow without end are refused by roxmltree.
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let position = error.pos();
        let problem = ImportProblem::Syntax { message: error.to_string(), expected: "a file of Tiled in XML" };
        ImportError::new(path, "", problem).at_line(position.row, position.col)
    })?;
    let file = File { path };
    let element = document.root_element();
    if element.has_tag_name(root) {
        read(&file, element)
    } else {
        let problem = format!("the element is {:?}", element.tag_name().name());
        Err(file.node_error(element, problem, format!("{root:?}")))
    }
}

/// Returns where an element with too many attributes begins. Without this check, such an element would take very
/// long, because the parser compares each attribute with all others.
fn find_element_with_too_many_attributes(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(start) = text[from..].find('<').map(|at| from + at) {
        let (mut count, mut quote) = (0, None);
        let end = text[start..].bytes().position(|byte| {
            match (quote, byte) {
                (None, b'>') => return true,
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(open), _) if byte == open => quote = None,
                (None, b'=') => count += 1,
                _ => {}
            }
            count > MAX_ATTRIBUTES
        });
        if count > MAX_ATTRIBUTES {
            return Some(start);
        }
        from = start + end? + 1;
    }
    None
}

fn children_named<'a, 'input: 'a>(
    node: Node<'a, 'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

impl File<'_> {
    fn node_error(&self, node: Node<'_, '_>, problem: impl Into<String>, expected: impl Into<String>) -> ImportError {
        let position = node.document().text_pos_at(node.range().start);
        ImportError::wrong_value(self.path, "", problem, expected).at_line(position.row, position.col)
    }

    fn text_attribute(&self, node: Node<'_, '_>, name: &str) -> String {
        node.attribute(name).unwrap_or_default().to_owned()
    }

    fn number_attribute<T: FromStr>(&self, node: Node<'_, '_>, name: &str) -> Result<Option<T>> {
        let Some(text) = node.attribute(name) else { return Ok(None) };
        let wrong = |_| self.node_error(node, format!("the attribute {name:?} is {text:?}"), "a number");
        text.trim().parse().map(Some).map_err(wrong)
    }

    fn read_tileset(&self, node: Node<'_, '_>) -> Result<TilesetFile> {
        Ok(TilesetFile {
            first_gid: self.number_attribute(node, "firstgid")?.unwrap_or_default(),
            source: self.text_attribute(node, "source"),
            name: self.text_attribute(node, "name"),
            tile_width: self.number_attribute(node, "tilewidth")?.unwrap_or_default(),
            tile_height: self.number_attribute(node, "tileheight")?.unwrap_or_default(),
            tile_count: self.number_attribute(node, "tilecount")?.unwrap_or_default(),
            alignment: self.text_attribute(node, "objectalignment"),
            spacing: self.number_attribute(node, "spacing")?.unwrap_or_default(),
            margin: self.number_attribute(node, "margin")?.unwrap_or_default(),
            image: self.read_image(node)?,
            path: None,
            tiles: children_named(node, "tile").map(|tile| self.read_tile(tile)).collect::<Result<_>>()?,
        })
    }

    fn read_tile(&self, node: Node<'_, '_>) -> Result<TileFile> {
        let id = self.number_attribute(node, "id")?;
        Ok(TileFile {
            id: id.ok_or_else(|| {
                self.node_error(node, "the tile has no attribute \"id\"", "its number in the tileset")
            })?,
            kind: self.text_attribute(node, "type"),
            class: self.text_attribute(node, "class"),
            properties: self.read_properties(node, 0)?,
            image: self.read_image(node)?,
            x: self.number_attribute(node, "x")?.unwrap_or_default(),
            y: self.number_attribute(node, "y")?.unwrap_or_default(),
            width: self.number_attribute(node, "width")?.unwrap_or_default(),
            height: self.number_attribute(node, "height")?.unwrap_or_default(),
            animation: self.read_animation(node)?,
            shapes: children_named(node, "objectgroup")
                .next()
                .map(|group| self.read_shapes(group))
                .transpose()?
                .unwrap_or_default(),
        })
    }

    /// Reads the picture of a tileset or a tile.
    fn read_image(&self, node: Node<'_, '_>) -> Result<ImageFile> {
        let Some(image) = children_named(node, "image").next() else { return Ok(ImageFile::default()) };
        Ok(ImageFile {
            source: self.text_attribute(image, "source"),
            width: self.number_attribute(image, "width")?.unwrap_or_default(),
            height: self.number_attribute(image, "height")?.unwrap_or_default(),
        })
    }

    fn read_animation(&self, node: Node<'_, '_>) -> Result<Vec<FrameFile>> {
        let frames = children_named(node, "animation").flat_map(|animation| children_named(animation, "frame"));
        let frame = |frame| {
            let (tile, duration) = (self.number_attribute(frame, "tileid")?, self.number_attribute(frame, "duration")?);
            Ok(FrameFile { tile: tile.unwrap_or_default(), duration: duration.unwrap_or_default() })
        };
        frames.map(frame).collect()
    }

    fn read_shapes(&self, node: Node<'_, '_>) -> Result<ShapesFile> {
        let objects = children_named(node, "object").map(|object| self.read_object(object)).collect::<Result<_>>()?;
        Ok(ShapesFile { objects })
    }

    fn read_layers<'a>(&self, node: Node<'a, '_>, depth: usize) -> Result<Vec<LayerFile<'a>>> {
        let is_layer =
            |child: &Node<'_, '_>| ["layer", "objectgroup", "imagelayer", "group"].contains(&child.tag_name().name());
        node.children().filter(is_layer).map(|layer| self.read_layer(layer, depth)).collect()
    }

    fn read_layer<'a>(&self, node: Node<'a, '_>, depth: usize) -> Result<LayerFile<'a>> {
        if depth > MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH} levels");
            return Err(self.node_error(node, "groups are nested too deeply", expected));
        }
        let kind = match node.tag_name().name() {
            "layer" => "tilelayer",
            name => name,
        };
        let data = children_named(node, "data").next();
        let chunks: Vec<_> = data.into_iter().flat_map(|data| children_named(data, "chunk")).collect();
        let whole = data.filter(|_| chunks.is_empty());
        Ok(LayerFile {
            kind: kind.to_owned(),
            name: self.text_attribute(node, "name"),
            class: self.text_attribute(node, "class"),
            offset_x: self.number_attribute(node, "offsetx")?.unwrap_or_default(),
            offset_y: self.number_attribute(node, "offsety")?.unwrap_or_default(),
            width: self.number_attribute(node, "width")?.unwrap_or_default(),
            height: self.number_attribute(node, "height")?.unwrap_or_default(),
            encoding: data.map(|data| self.text_attribute(data, "encoding")).unwrap_or_default(),
            compression: data.map(|data| self.text_attribute(data, "compression")).unwrap_or_default(),
            chunks: chunks.into_iter().map(|chunk| self.read_chunk(chunk)).collect::<Result<_>>()?,
            data: whole.map(|data| self.read_data(data)).transpose()?,
            objects: children_named(node, "object").map(|object| self.read_object(object)).collect::<Result<_>>()?,
            layers: self.read_layers(node, depth + 1)?,
            properties: self.read_properties(node, 0)?,
        })
    }

    fn read_chunk<'a>(&self, node: Node<'a, '_>) -> Result<ChunkFile<'a>> {
        Ok(ChunkFile {
            x: self.number_attribute(node, "x")?.unwrap_or_default(),
            y: self.number_attribute(node, "y")?.unwrap_or_default(),
            width: self.number_attribute(node, "width")?.unwrap_or_default(),
            height: self.number_attribute(node, "height")?.unwrap_or_default(),
            data: Some(self.read_data(node)?),
        })
    }

    /// Reads a text in the layer's encoding, or one element a tile.
    fn read_data<'a>(&self, node: Node<'a, '_>) -> Result<DataFile<'a>> {
        let mut tiles = children_named(node, "tile").peekable();
        if tiles.peek().is_some() {
            let numbers = tiles.map(|tile| Ok(self.number_attribute(tile, "gid")?.unwrap_or_default()));
            return Ok(DataFile::Numbers(numbers.collect::<Result<_>>()?));
        }
        Ok(DataFile::Text(node.text().unwrap_or_default().into()))
    }

    fn read_object(&self, node: Node<'_, '_>) -> Result<ObjectFile> {
        let text = |name| node.attribute(name).map(str::to_owned);
        let has = |name| children_named(node, name).next().is_some();
        let points = |name| children_named(node, name).next().map(|shape| self.read_points(shape)).transpose();
        Ok(ObjectFile {
            id: self.number_attribute(node, "id")?.unwrap_or_default(),
            name: text("name"),
            kind: text("type"),
            class: text("class"),
            x: self.number_attribute(node, "x")?.unwrap_or_default(),
            y: self.number_attribute(node, "y")?.unwrap_or_default(),
            width: self.number_attribute(node, "width")?,
            height: self.number_attribute(node, "height")?,
            rotation: self.number_attribute(node, "rotation")?,
            gid: self.number_attribute(node, "gid")?,
            point: has("point"),
            ellipse: has("ellipse"),
            capsule: has("capsule"),
            polygon: points("polygon")?,
            polyline: points("polyline")?,
            text: children_named(node, "text").next().map(|_| Value::Bool(true)),
            template: text("template"),
            properties: self.read_properties(node, 0)?,
        })
    }

    /// Reads points such as `0,0 16,0 16,8.5`.
    fn read_points(&self, node: Node<'_, '_>) -> Result<Vec<PointFile>> {
        let text = node.attribute("points").unwrap_or_default();
        let point = |word: &str| {
            let point = word.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
            let wrong = || self.node_error(node, format!("a point is {word:?}"), "two numbers, such as 16,8.5");
            point.map(|(x, y)| PointFile { x, y }).ok_or_else(wrong)
        };
        text.split_whitespace().map(point).collect()
    }

    fn read_properties(&self, node: Node<'_, '_>, depth: usize) -> Result<Vec<PropertyFile>> {
        if depth > MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH} levels");
            return Err(self.node_error(node, "properties are nested too deeply", expected));
        }
        let list = children_named(node, "properties").flat_map(|list| children_named(list, "property"));
        list.map(|property| self.read_property(property, depth)).collect()
    }

    fn read_property(&self, node: Node<'_, '_>, depth: usize) -> Result<PropertyFile> {
        let kind = self.text_attribute(node, "type");
        // A text of several lines is in the element itself, not in an attribute.
        let text = node.attribute("value").or(node.text()).unwrap_or_default();
        let wrong = |expected: &str| self.node_error(node, format!("the value is {text:?}"), expected);
        let value = match &*kind {
            // Inside a class only the values are kept and not their types, so a prefix marks a reference. Outside, the
            // type of the property marks it.
            "object" if depth > 0 => {
                Value::from(if text == "0" { String::new() } else { format!("{REFERENCE}{text}") })
            }
            "bool" => Value::Bool(text.parse().map_err(|_| wrong("true or false"))?),
            "int" | "object" => Value::from(text.parse::<i64>().map_err(|_| wrong("a whole number"))?),
            "float" => Value::from(text.parse::<f64>().map_err(|_| wrong("a number"))?),
            "class" => {
                let inner = self.read_properties(node, depth + 1)?;
                Value::Object(inner.into_iter().map(|property| (property.name, property.value)).collect())
            }
            "" | "string" | "color" | "file" => Value::from(text),
            _ => {
                let expected = "\"string\", \"int\", \"float\", \"bool\", \"color\", \"file\", \"object\" or \"class\"";
                return Err(self.node_error(node, format!("the type of the property is {kind:?}"), expected));
            }
        };
        let (name, class) = (self.text_attribute(node, "name"), self.text_attribute(node, "propertytype"));
        Ok(PropertyFile { name, kind, class, value })
    }
}

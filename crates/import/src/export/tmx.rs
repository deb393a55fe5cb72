//! Writes levels and tilesets of Tiled as XML.

use super::rules::{Needs, Rule, choose_variants};
use super::sheet::{COLUMNS, PAINT, SET, Sheet, SheetTile};
use crate::level::{Cell, Cells, Flips, Grid, Level, Object, ObjectShape, Properties, REFERENCE};
use crate::outline::STEPS;
use crate::tiled::{DIAGONAL, HORIZONTAL, VARIANT, VERTICAL};
use std::fmt::{Display, Write};
use surefoot::catalogue::{Catalogue, PatternKind};
use surefoot::map::Value;

/// Format version that the files name. Tiled 1.8 and later versions read it.
const VERSION: &str = "1.10";

/// A text in XML: attributes and nested elements.
struct Xml {
    text: String,
    depth: usize,
}

impl Xml {
    fn new() -> Xml {
        Xml { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), depth: 0 }
    }

    /// Writes an element with what `content` writes inside.
    fn write_element(&mut self, name: &str, attributes: &[(&str, &dyn Display)], content: impl FnOnce(&mut Xml)) {
        self.open_tag(name, attributes);
        self.text.push_str(">\n");
        self.depth += 1;
        content(self);
        self.depth -= 1;
        self.write_indent();
        let _ = writeln!(self.text, "</{name}>");
    }

    /// Writes an element without content.
    fn write_empty_element(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.open_tag(name, attributes);
        self.text.push_str("/>\n");
    }

    fn open_tag(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.write_indent();
        let _ = write!(self.text, "<{name}");
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"");
            append_escaped(&value.to_string(), &mut self.text);
            self.text.push('"');
        }
    }

    fn write_indent(&mut self) {
        self.text.extend(std::iter::repeat_n(' ', self.depth));
    }
}

/// Escapes a text for an attribute. Line ends and tabs are escaped too: XML would read them as spaces.
fn append_escaped(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => {
                let _ = write!(out, "&#{};", u32::from(character));
            }
            _ if is_allowed_in_xml(character) => out.push(character),
            _ => out.push(char::REPLACEMENT_CHARACTER),
        }
    }
}

/// Returns whether XML can have a character: it has no control characters.
pub(crate) fn is_allowed_in_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// Returns the file of a tileset.
pub(crate) fn tileset_text(sheet: &Sheet, picture: &str, pixels: u32) -> String {
    let mut xml = Xml::new();
    let (width, height) = (COLUMNS * pixels, sheet.rows() * pixels);
    let attributes: &[(&str, &dyn Display)] = &[
        ("version", &VERSION),
        ("name", &SET),
        ("tilewidth", &pixels),
        ("tileheight", &pixels),
        ("tilecount", &(sheet.rows() * COLUMNS)),
        ("columns", &COLUMNS),
    ];
    xml.write_element("tileset", attributes, |xml| {
        xml.write_empty_element("image", &[("source", &picture), ("width", &width), ("height", &height)]);
        for (id, tile) in sheet.tiles.iter().enumerate() {
            write_tile(xml, id, tile, &sheet.catalogue, pixels);
        }
    });
    xml.text
}

fn write_tile(xml: &mut Xml, id: usize, tile: &SheetTile, catalogue: &Catalogue, pixels: u32) {
    let class = tile.variant.as_ref().map_or_else(|| tile.class.clone(), |name| format!("{VARIANT}:{name}"));
    xml.write_element("tile", &[("id", &id), ("type", &class)], |xml| {
        // An import prefers the property `surefoot` of a tile to its collision shape, and the shape to a class such as
        // `spikes`. Here the name must decide, so write it as this property too.
        let name = tile.shape_name().map(|name| (VARIANT.to_owned(), Value::Text(name.to_owned())));
        write_properties(xml, &name.into_iter().collect());
        let Some(variant) = tile.kind.variant.map(|variant| catalogue.variant(variant)) else { return };
        let is_solid = variant.kind == PatternKind::Solid;
        let scale = f64::from(pixels) / STEPS;
        xml.write_element("objectgroup", &[("draworder", &"index")], |xml| {
            for (number, path) in variant.paths.iter().enumerate() {
                let points: Vec<(f64, f64)> =
                    path.iter().map(|p| (f64::from(p.x) * scale, (STEPS - f64::from(p.y)) * scale)).collect();
                let (x, y) = points[0];
                xml.write_element("object", &[("id", &(number + 1)), ("x", &x), ("y", &y)], |xml| {
                    let shape = if is_solid { "polygon" } else { "polyline" };
                    xml.write_empty_element(shape, &[("points", &relative_points_text(&points, (x, y)))]);
                });
            }
        });
    });
}

/// Returns points as text, relative to an object.
fn relative_points_text(points: &[(f64, f64)], (x, y): (f64, f64)) -> String {
    let points: Vec<String> = points.iter().map(|point| format!("{},{}", point.0 - x, point.1 - y)).collect();
    points.join(" ")
}

/// Returns the file of a level. `set`: file of its tileset; `names`: file of its map of names.
pub(crate) fn level_text(level: &Level, set: &str, names: &str) -> String {
    level_text_with_properties(level, set, |properties| {
        properties.insert(VARIANT.to_owned(), Value::Text(names.to_owned()));
    })
}

/// Returns the file of a level without a map of names.
fn level_text_without_names(level: &Level, set: &str) -> String {
    level_text_with_properties(level, set, |_| ())
}

fn level_text_with_properties(level: &Level, set: &str, add: impl FnOnce(&mut Properties)) -> String {
    let mut xml = Xml::new();
    let layers = level.grids.len() + 1;
    let attributes: &[(&str, &dyn Display)] = &[
        ("version", &VERSION),
        ("orientation", &"orthogonal"),
        ("renderorder", &"right-down"),
        ("width", &level.size.0),
        ("height", &level.size.1),
        ("tilewidth", &level.tile.0),
        ("tileheight", &level.tile.1),
        ("infinite", &0),
        ("nextlayerid", &(layers + 1)),
        ("nextobjectid", &(level.objects.len() + 1)),
    ];
    xml.write_element("map", attributes, |xml| {
        let mut all = level.properties.clone();
        add(&mut all);
        write_properties(xml, &all);
        xml.write_empty_element("tileset", &[("firstgid", &1), ("source", &set)]);
        for (index, grid) in level.grids.iter().enumerate() {
            write_layer(xml, index + 1, grid, level.tile);
        }
        if !level.objects.is_empty() {
            xml.write_element("objectgroup", &[("id", &layers), ("name", &"things")], |xml| {
                for thing in &level.objects {
                    write_object(xml, thing);
                }
            });
        }
    });
    xml.text
}

/// Returns the project file of Tiled. With it, Tiled finds the rules, and the import accepts files of the whole folder.
pub(crate) fn project_text() -> String {
    let rules = "rules.txt";
    format!(
        "{{\n    \"automappingRulesFile\": \"{rules}\",\n    \"commands\": [],\n    \"extensionsPath\": \"extensions\",\n    \"folders\": [\".\"]\n}}\n"
    )
}

/// Layer that people paint, and the layer of the tiles that rules choose.
const PAINTED: &str = "paint";
const CHOSEN: &str = "tiles";

/// Returns a grid that is empty.
fn empty_grid(name: &str, size: (u32, u32)) -> Grid {
    Grid {
        name: name.to_owned(),
        class: String::new(),
        properties: Properties::new(),
        origin: (0, 0),
        size,
        cells: Cells::empty((size.0 * size.1) as usize),
        looks: Vec::new(),
    }
}

/// Returns a level with painted cells, and the tiles that the rules choose. `solid`: rows from the top.
pub(crate) fn painted_level_text(sheet: &Sheet, set: &str, rules: &[Rule], pixels: u32, solid: &[&str]) -> String {
    let size = (solid.first().map_or(0, |row| row.len()) as u32, solid.len() as u32);
    let (mut paint, mut chosen) = (empty_grid(PAINTED, size), empty_grid(CHOSEN, size));
    let paint_tile = sheet.cell_of_first_tile(|tile| tile.usual == PAINT);
    let painted = |tile| if tile == b'#' { paint_tile } else { Cell::EMPTY };
    paint.cells = solid.iter().flat_map(|row| row.bytes()).map(painted).collect();
    let chosen_tile = |variant: Option<&str>| {
        sheet.cell_of_first_tile(|tile| variant.is_some() && tile.variant.as_deref() == variant)
    };
    chosen.cells = choose_variants(rules, solid).into_iter().map(chosen_tile).collect();
    let tile = (f64::from(pixels), f64::from(pixels));
    let properties = Properties::new();
    level_text_without_names(&Level { tile, size, grids: vec![paint, chosen], properties, ..Level::default() }, set)
}

/// Returns the map of rules for the automapping of Tiled. Each rule is a group of cells, apart from all others. Later
/// rules overwrite the tiles of earlier ones, so the rules are in the opposite order.
pub(crate) fn rules_text(sheet: &Sheet, set: &str, rules: &[Rule], pixels: u32) -> String {
    let side = rules.iter().map(Rule::side_in_cells).max().unwrap_or(1);
    let size = (((side + 1) * rules.len()) as u32, side as u32);
    let (mut solid, mut empty) =
        (empty_grid(&format!("input_{PAINTED}"), size), empty_grid(&format!("inputnot_{PAINTED}"), size));
    let mut output = empty_grid(&format!("output_{CHOSEN}"), size);
    // Before version 1.9, Tiled needs regions: the cells that a rule reads, and those that it writes.
    let (mut read, mut written) = (empty_grid("regions_input", size), empty_grid("regions_output", size));
    let paint = sheet.cell_of_first_tile(|tile| tile.usual == PAINT);
    for (index, rule) in rules.iter().rev().enumerate() {
        let left = index * (side + 1);
        let at = |column: usize, row: usize| row * size.0 as usize + left + column;
        for (cell, needs) in rule.cells().enumerate() {
            let at = at(cell % rule.side_in_cells(), cell / rule.side_in_cells());
            match needs {
                Needs::Anything => {}
                Needs::Solid => solid.cells.set(at, paint),
                Needs::Empty => empty.cells.set(at, paint),
            }
            if needs != Needs::Anything {
                read.cells.set(at, paint);
            }
        }
        let middle = at(rule.side_in_cells() / 2, rule.side_in_cells() / 2);
        output.cells.set(middle, sheet.cell_of_first_tile(|tile| tile.variant.as_deref() == Some(rule.variant)));
        written.cells.set(middle, paint);
    }
    let tile = (f64::from(pixels), f64::from(pixels));
    level_text_without_names(
        &Level { tile, size, grids: vec![read, written, solid, empty, output], ..Level::default() },
        set,
    )
}

fn write_layer(xml: &mut Xml, id: usize, grid: &Grid, tile: (f64, f64)) {
    let (x, y) = (grid.origin.0 as f64 * tile.0, grid.origin.1 as f64 * tile.1);
    let of_layer: [(&str, &dyn Display); 6] = [
        ("id", &id),
        ("name", &grid.name),
        ("width", &grid.size.0),
        ("height", &grid.size.1),
        ("offsetx", &x),
        ("offsety", &y),
    ];
    let attributes = if (x, y) == (0.0, 0.0) { &of_layer[..4] } else { &of_layer };
    xml.write_element("layer", attributes, |xml| {
        write_properties(xml, &grid.properties);
        xml.write_indent();
        xml.text.push_str("<data encoding=\"csv\">\n");
        let (columns, count) = (grid.size.0 as usize, grid.cells.len());
        for (number, cell) in (1..).zip(grid.cells.iter()) {
            let tile = cell.editor_tile_and_flips().map_or(0, |(tile, flips)| (tile as u32 + 1) | flip_flags(flips));
            let comma = if number == count { "" } else { "," };
            let line_end = if number % columns == 0 { "\n" } else { "" };
            let _ = write!(xml.text, "{tile}{comma}{line_end}");
        }
        xml.write_indent();
        xml.text.push_str("</data>\n");
    });
}

fn flip_flags(flips: Flips) -> u32 {
    let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
    flag(flips.horizontal, HORIZONTAL) | flag(flips.vertical, VERTICAL) | flag(flips.diagonal, DIAGONAL)
}

fn write_object(xml: &mut Xml, object: &Object) {
    let (x, y) = object.at;
    let of_object: [(&str, &dyn Display); 7] = [
        ("id", &object.id),
        ("name", &object.name),
        ("type", &object.class),
        ("x", &x),
        ("y", &y),
        ("width", &object.size.0),
        ("height", &object.size.1),
    ];
    let has_size = matches!(object.shape, ObjectShape::Rectangle | ObjectShape::Ellipse);
    let attributes = if has_size { &of_object[..] } else { &of_object[..5] };
    xml.write_element("object", attributes, |xml| {
        write_properties(xml, &object.properties);
        match &object.shape {
            ObjectShape::Point => xml.write_empty_element("point", &[]),
            ObjectShape::Ellipse => xml.write_empty_element("ellipse", &[]),
            ObjectShape::Polyline(points) => {
                xml.write_empty_element("polyline", &[("points", &relative_points_text(points, (x, y)))])
            }
            _ => {}
        }
    });
}

fn write_properties(xml: &mut Xml, properties: &Properties) {
    if properties.is_empty() {
        return;
    }
    xml.write_element("properties", &[], |xml| {
        for (name, value) in properties {
            let (kind, text): (&str, String) = match value {
                Value::Bool(value) => ("bool", value.to_string()),
                Value::Integer(value) => ("int", value.to_string()),
                Value::Float(value) => ("float", value.to_string()),
                Value::Text(text) => match text.strip_prefix(REFERENCE) {
                    Some(id) => ("object", id.to_owned()),
                    None => ("string", text.clone()),
                },
                // Objects of a scene have no lists and no maps as properties.
                Value::List(_) | Value::Map(_) => continue,
            };
            xml.write_empty_element("property", &[("name", name), ("type", &kind), ("value", &text)]);
        }
    });
}

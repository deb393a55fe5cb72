//! Converts a map to a level: the grids and objects that an import would read.

use super::Form;
use super::sheet::Sheet;
use super::tmx::is_allowed_in_xml;
use crate::level::{Cell, Grid, Level, Object, ObjectShape, Properties, REFERENCE};
use crate::names::{class_of_area, ldtk_identifier};
use crate::things::{KEEP_SHAPE, OF_PATH, OFFSETS, PATH, PATH_CLASS, UNNAMED, is_effect};
use crate::tiled::VARIANT;
use std::collections::{BTreeMap, BTreeSet};
use surefoot::Map;
use surefoot::area::{Area, AreaShape, AttachedTo};
use surefoot::body::Body;
use surefoot::geometry::{DVec2, Position, dvec2};
use surefoot::map::{MapParts, PlacedBody, TileLayer, Value};
use surefoot::platform::{Platform, PlatformMotion};

/// Range of the side of a tile in the picture of a tileset, in pixels.
const PIXELS: std::ops::RangeInclusive<u32> = 8..=128;
/// Side of a tile in pixels if the map has a side outside [`PIXELS`].
const DEFAULT_PIXELS: u32 = 16;

/// Property names that the import reads in another way. The map of names keeps properties with these names.
const RESERVED: [&str; 7] = ["name", "rotation", UNNAMED, KEEP_SHAPE, OFFSETS[0], OFFSETS[1], VARIANT];

/// Names of the properties that an object stores.
type StoredPropertyNames = BTreeSet<String>;

/// Returns properties without those that the import reads in another way.
fn without_special_properties(properties: &Properties, is_special: impl Fn(&str) -> bool) -> Properties {
    let others = properties.iter().filter(|(name, _)| !is_special(name));
    others.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Returns the pixels along one side of a tile in the editor.
pub(crate) fn pixels_per_tile(map: &Map) -> u32 {
    if PIXELS.contains(&map.pixels_per_tile()) { map.pixels_per_tile() } else { DEFAULT_PIXELS }
}

/// A map as a level, and what its objects say.
pub(crate) struct Scene {
    pub(crate) level: Level,
    /// Names of the objects of platforms, areas and bodies, in the order of the map.
    pub(crate) platforms: Vec<String>,
    pub(crate) areas: Vec<String>,
    pub(crate) bodies: Vec<String>,
    /// Names of the properties that the objects of bodies say.
    pub(crate) said: Vec<BTreeSet<String>>,
    /// Names of the properties that the objects of areas and of platforms say.
    pub(crate) said_of_areas: Vec<BTreeSet<String>>,
    pub(crate) said_of_platforms: Vec<BTreeSet<String>>,
    /// Names of the properties of the map that the level says.
    pub(crate) said_of_map: BTreeSet<String>,
}

impl Scene {
    pub(crate) fn from_map(map: &Map, sheet: &Sheet, form: Form, pixels: u32) -> Scene {
        let parts = map.clone().into_parts();
        let own: Vec<&str> = parts.platforms.iter().map(|platform| &*platform.name).collect();
        let platforms = unique_object_names(form, &own, "platform");
        let own: Vec<&str> = parts.areas.iter().map(|area| &*area.name).collect();
        let areas = unique_object_names(form, &own, "area");
        let own: Vec<&str> = parts.bodies.iter().map(|body| &*body.name).collect();
        let bodies = unique_object_names(form, &own, "body");
        let mut links = BTreeMap::new();
        let mut ambiguous = BTreeSet::new();
        for (index, name) in platforms.iter().chain(&areas).chain(&bodies).enumerate() {
            if links.insert(name.clone(), (index + 1).to_string()).is_some() {
                ambiguous.insert(name.clone());
            }
        }
        links.retain(|name, _| !ambiguous.contains(name));
        let tile = f64::from(pixels);
        let (size, origin) = (map.size(), map.origin());
        let level = Level { tile: (tile, tile), size, editor_tiles: sheet.editor_tiles(), ..Level::default() };
        let mut writer = Writer { form, parts: &parts, origin, links, types: BTreeMap::new(), level };
        for layer in &parts.layers {
            writer.add_layer(layer, sheet);
        }
        let (properties, said_of_map) = writer.select_and_record_storable_properties("", &parts.properties);
        writer.level.properties = properties;
        let said_of_platforms =
            parts.platforms.iter().zip(&platforms).map(|(own, name)| writer.add_platform_object(own, name)).collect();
        let said_of_areas =
            parts.areas.iter().zip(&areas).map(|(own, name)| writer.add_area_object(own, name)).collect();
        let said = parts.bodies.iter().zip(&bodies).map(|(body, name)| writer.add_body_object(body, name)).collect();
        for (name, cell) in &parts.markers {
            writer.add_marker_object(name, *cell);
        }
        for platform in 0..platforms.len() {
            writer.add_path_object(platform);
        }
        Scene { level: writer.level, platforms, areas, bodies, said, said_of_areas, said_of_platforms, said_of_map }
    }
}

/// Returns a name for each object of a kind: its own name where the form can say it, and no name twice.
fn unique_object_names(form: Form, names: &[&str], default: &str) -> Vec<String> {
    let mut taken: BTreeSet<String> = names.iter().map(|&name| name.to_owned()).collect();
    let name = |(index, &name): (usize, &&str)| {
        if !name.is_empty() && can_store_text(form, name) {
            return name.to_owned();
        }
        let base = if name.is_empty() { default.to_owned() } else { replace_forbidden_characters(form, name) };
        let numbers = (index + 1)..;
        let mut free = numbers.map(|number| format!("{base} {number}")).filter(|name| !taken.contains(name));
        let found = free.next().unwrap_or_default();
        taken.insert(found.clone());
        found
    };
    names.iter().enumerate().map(name).collect()
}

/// Returns whether names in a form can have a character.
fn can_store_character(form: Form, character: char) -> bool {
    form == Form::Ldtk || is_allowed_in_xml(character)
}

fn can_store_text(form: Form, text: &str) -> bool {
    text.chars().all(|character| can_store_character(form, character)) && !text.starts_with(REFERENCE)
}

fn replace_forbidden_characters(form: Form, text: &str) -> String {
    let is_kept = |c: char| can_store_character(form, c) && c != '\u{1}';
    text.chars().map(|c| if is_kept(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

struct Writer<'a> {
    form: Form,
    parts: &'a MapParts,
    /// Lower left cell of the level in the map.
    origin: (i32, i32),
    /// References to objects by their names.
    links: BTreeMap<String, String>,
    /// Type of each field of each class. In LDtk all entities of a class have the same.
    types: BTreeMap<(String, String), &'static str>,
    level: Level,
}

impl Writer<'_> {
    fn add_layer(&mut self, layer: &TileLayer, sheet: &Sheet) {
        let can_turn = self.form == Form::Tiled;
        let cell_of =
            |id| sheet.tile_of_kind(id, can_turn).map_or(Cell::EMPTY, |(number, flips)| Cell::new(number, flips));
        let cells: Vec<Cell> = (0..self.parts.kinds.len()).map(|i| cell_of(surefoot::map::TileId(i as u16))).collect();
        // Layers of LDtk are as large as the level.
        let (origin, size) = if can_turn { (layer.origin, layer.size) } else { (self.origin, self.level.size) };
        let row = |y: u32| layer.row(origin.1.saturating_add_unsigned(y), origin.0, size.0).into_owned();
        let left = i64::from(origin.0) - i64::from(self.origin.0);
        let bottom = i64::from(origin.1) - i64::from(self.origin.1);
        let name = match self.form {
            Form::Tiled => replace_forbidden_characters(self.form, &layer.name),
            Form::Ldtk => self.unused_identifier(&layer.name),
        };
        let collides = (!layer.collides).then(|| ("collides".to_owned(), Value::Bool(false)));
        self.level.grids.push(Grid {
            name,
            class: String::new(),
            properties: collides.into_iter().collect(),
            origin: (left, i64::from(self.level.size.1) - bottom - i64::from(size.1)),
            size,
            cells: (0..size.1).rev().flat_map(row).map(|id| cells[usize::from(id.0)]).collect(),
            looks: Vec::new(),
        });
    }

    /// Returns the name of a layer as an identifier that no other layer has.
    fn unused_identifier(&self, name: &str) -> String {
        let base = ldtk_identifier(name);
        let is_taken = |name: &String| self.level.grids.iter().any(|grid| grid.name == *name);
        let mut names = std::iter::once(base.clone()).chain((2..).map(|number| format!("{base}_{number}")));
        names.find(|name| !is_taken(name)).unwrap_or(base)
    }

    /// Returns the properties that an object of a class can store in the editor's format, and the names of these
    /// properties. Records the type of each property that the class did not have yet: in LDtk, later objects of the
    /// class can store only a value of the same type.
    fn select_and_record_storable_properties(
        &mut self,
        class: &str,
        properties: &Properties,
    ) -> (Properties, BTreeSet<String>) {
        let mut said = Properties::new();
        for (name, value) in properties {
            let link = |text: &String| self.links.get(text).map(|id| Value::Text(format!("{REFERENCE}{id}")));
            let (kind, value) = match value {
                Value::Bool(_) => ("Bool", value.clone()),
                // In both editors, integers have 32 bits.
                Value::Integer(number) if i32::try_from(*number).is_ok() => ("Int", value.clone()),
                Value::Float(number) if number.is_finite() => ("Float", value.clone()),
                Value::Text(text) if can_store_text(self.form, text) => match link(text) {
                    Some(link) if !class.is_empty() => ("EntityRef", link),
                    _ => ("String", value.clone()),
                },
                _ => continue,
            };
            let is_name = match self.form {
                Form::Tiled => can_store_text(self.form, name) && !name.is_empty(),
                Form::Ldtk => ldtk_identifier(name) == *name && !name.is_empty(),
            };
            if !is_name || RESERVED.contains(&&**name) {
                continue;
            }
            let known = self.types.entry((ldtk_identifier(class), name.clone())).or_insert(kind);
            if self.form == Form::Tiled || *known == kind {
                said.insert(name.clone(), value);
            }
        }
        let names = said.keys().cloned().collect();
        (said, names)
    }

    /// Returns a point of the map in pixels, y down.
    fn to_pixels(&self, point: DVec2) -> (f64, f64) {
        let x = (point.x - f64::from(self.origin.0)) * self.level.tile.0;
        let y = (f64::from(self.level.size.1) - (point.y - f64::from(self.origin.1))) * self.level.tile.1;
        (x, y)
    }

    /// Returns a point in pixels as the import reads it.
    fn to_tiles(&self, (x, y): (f64, f64)) -> DVec2 {
        let at = dvec2(x / self.level.tile.0, f64::from(self.level.size.1) - y / self.level.tile.1);
        at + dvec2(self.origin.0.into(), self.origin.1.into())
    }

    /// Returns the upper left corner and the size of a box in pixels: whole ones in LDtk.
    fn box_in_pixels(&self, low: DVec2, high: DVec2) -> ((f64, f64), (f64, f64)) {
        let (left, bottom) = self.to_pixels(low);
        let (right, top) = self.to_pixels(high);
        match self.form {
            Form::Tiled => ((left, top), (right - left, bottom - top)),
            Form::Ldtk => {
                let size = ((right - left).round().max(1.0), (bottom - top).round().max(1.0));
                ((left.round(), bottom.round() - size.1), size)
            }
        }
    }

    /// Adds the displacement of a thing from the position that the import reads, if there is any.
    fn add_offset_from_read_position(properties: &mut Properties, own: DVec2, read: DVec2) {
        let position = |point: DVec2| Position::new(point.x, point.y);
        if position(own) != position(read) {
            for (name, distance) in OFFSETS.into_iter().zip([own.x - read.x, own.y - read.y]) {
                properties.insert(name.to_owned(), Value::Float(distance));
            }
        }
    }

    fn add_object(&mut self, object: Object) {
        let id = (self.level.objects.len() + 1).to_string();
        self.level.objects.push(Object { label: format!("object {id}"), id, ..object });
    }

    /// Adds the object of a platform. Returns the names of the platform's properties that the object stores; the
    /// editor's format has no place for the others.
    fn add_platform_object(&mut self, platform: &Platform, name: &str) -> StoredPropertyNames {
        let at = platform.position.unwrap_or_default().to_dvec2();
        let low = |of: fn(&TileLayer) -> i32| platform.layers.iter().map(of).min().unwrap_or(0);
        let high = |of: fn(&TileLayer) -> i32| platform.layers.iter().map(of).max().unwrap_or(1);
        let low = dvec2(low(|layer| layer.origin.0).into(), low(|layer| layer.origin.1).into());
        let right = high(|layer| layer.origin.0.saturating_add_unsigned(layer.size.0));
        let top = high(|layer| layer.origin.1.saturating_add_unsigned(layer.size.1));
        let (corner, size) = self.box_in_pixels(at + low, at + dvec2(right.into(), top.into()));
        let own = self.parts.platform_properties.get(&platform.name);
        let own = own.map(|own| without_special_properties(own, |name| OF_PATH.contains(&name))).unwrap_or_default();
        let (mut properties, said) = self.select_and_record_storable_properties("platform", &own);
        Self::add_offset_from_read_position(&mut properties, at, self.to_tiles((corner.0, corner.1 + size.1)));
        if platform.name.is_empty() {
            properties.insert(UNNAMED.to_owned(), Value::Bool(true));
        }
        self.add_object(Object {
            name: name.to_owned(),
            class: "platform".to_owned(),
            at: corner,
            size,
            shape: ObjectShape::Rectangle,
            properties,
            ..Object::default()
        });
        said
    }

    /// Adds the path of a platform where the form can say it. The map of names has all paths.
    fn add_path_object(&mut self, index: usize) {
        let parts = self.parts;
        let PlatformMotion::Path(path) = &parts.platforms[index].motion else { return };
        let object = &self.level.objects[index];
        let middle = (object.at.0 + object.size.0 / 2.0, object.at.1 + object.size.1 / 2.0);
        let centre = self.to_tiles(middle);
        if path.points.first() != Some(&Position::default()) {
            return;
        }
        let ends = path.points.iter().map(|point| centre + point.to_dvec2());
        let value = match self.form {
            Form::Tiled => {
                let points: Vec<(f64, f64)> = ends.map(|point| self.to_pixels(point)).collect();
                let first = self.to_tiles(points[0]);
                let read = points.iter().map(|&point| self.to_tiles(point) - first);
                if !read.zip(&path.points).all(|(read, point)| Position::new(read.x, read.y) == Ok(*point)) {
                    return;
                }
                let id = self.level.objects.len() + 1;
                self.add_object(Object {
                    class: PATH_CLASS.to_owned(),
                    at: points[0],
                    shape: ObjectShape::Polyline(points),
                    ..Object::default()
                });
                Value::Text(format!("{REFERENCE}{id}"))
            }
            Form::Ldtk => {
                let is_cell = |point: DVec2| (point - 0.5).fract() == DVec2::ZERO;
                let ends: Vec<DVec2> = ends.skip(1).collect();
                if !ends.iter().all(|&point| is_cell(point)) {
                    return;
                }
                Value::List(ends.into_iter().map(|end| Value::List(vec![end.x.into(), end.y.into()])).collect())
            }
        };
        self.level.objects[index].properties.insert(PATH.to_owned(), value);
    }

    /// Adds the object of an area. Returns the names of the area's properties that the object stores; the
    /// editor's format has no place for the others.
    fn add_area_object(&mut self, area: &Area, name: &str) -> StoredPropertyNames {
        let mut at = area.position.unwrap_or_default();
        if let AttachedTo::Named(carrier) = &area.attached_to {
            let carrier = self.parts.platforms.iter().find(|platform| platform.name == *carrier);
            if let Some(Ok(carrier)) = carrier.map(|carrier| carrier.position) {
                at = Position::clamped(at.units() + carrier.units());
            }
        }
        let at = at.to_dvec2();
        let (low, high) = area.shape.bounds_tiles();
        let (corner, size) = self.box_in_pixels(at + low, at + high);
        let half = dvec2(size.0 / self.level.tile.0 / 2.0, size.1 / self.level.tile.1 / 2.0);
        let is_aabb = AreaShape::aabb(half.x, half.y).is_ok_and(|shape| shape == area.shape);
        let is_circle = half.x == half.y && AreaShape::circle(half.x).is_ok_and(|shape| shape == area.shape);
        let shape = if is_circle && self.form == Form::Tiled { ObjectShape::Ellipse } else { ObjectShape::Rectangle };
        let class = replace_forbidden_characters(self.form, class_of_area(area));
        let own = self.parts.area_properties.get(&area.name);
        let own =
            own.map(|own| without_special_properties(own, |name| name == "tag" || is_effect(name))).unwrap_or_default();
        let (mut properties, said) = self.select_and_record_storable_properties(&class, &own);
        if !is_aabb && shape == ObjectShape::Rectangle {
            properties.insert(KEEP_SHAPE.to_owned(), Value::Bool(true));
        }
        if area.name.is_empty() {
            properties.insert(UNNAMED.to_owned(), Value::Bool(true));
        }
        Self::add_offset_from_read_position(
            &mut properties,
            at,
            self.to_tiles((corner.0 + size.0 / 2.0, corner.1 + size.1 / 2.0)),
        );
        self.add_object(Object {
            name: name.to_owned(),
            class,
            at: corner,
            size,
            shape,
            properties,
            ..Object::default()
        });
        said
    }

    /// Adds the object of a body. Returns the names of the body's properties that the object stores; the
    /// editor's format has no place for the others.
    fn add_body_object(&mut self, body: &PlacedBody, name: &str) -> StoredPropertyNames {
        let (at, half) = (body.position.to_dvec2(), Body::from(&body.thing.fields).shape.half_extents());
        let half = dvec2(half.x, half.y);
        let (corner, size) = self.box_in_pixels(at - half, at + half);
        let class = replace_forbidden_characters(self.form, &body.thing.kind);
        let (mut properties, said) = self.select_and_record_storable_properties(&class, &body.thing.properties);
        let foot = self.to_tiles((corner.0 + size.0 / 2.0, corner.1 + size.1));
        Self::add_offset_from_read_position(&mut properties, at, foot + dvec2(0.0, half.y));
        let shape = ObjectShape::Rectangle;
        self.add_object(Object {
            name: name.to_owned(),
            class,
            at: corner,
            size,
            shape,
            properties,
            ..Object::default()
        });
        said
    }

    fn add_marker_object(&mut self, name: &str, cell: (i32, i32)) {
        let class = replace_forbidden_characters(self.form, name);
        let low = dvec2(cell.0.into(), cell.1.into());
        let object = match self.form {
            Form::Tiled => Object { class, at: self.to_pixels(low + 0.5), ..Object::default() },
            Form::Ldtk => {
                let (at, size) = self.box_in_pixels(low, low + 1.0);
                Object { class, at, size, shape: ObjectShape::Rectangle, ..Object::default() }
            }
        };
        self.add_object(object);
    }
}

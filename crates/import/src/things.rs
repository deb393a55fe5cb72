//! Makes bodies, areas, platforms and markers from the objects of a level.

use crate::build::{Builder, clamp_to_map_range};
use crate::error::ImportError;
use crate::level::{Level, Object, ObjectShape, Properties, REFERENCE, quoted};
use crate::names::OwnNames;
use crate::rotation::ellipse_corners;
use crate::value::{describe_type_mistake, property_to_json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use surefoot::area::{Area, AreaShape, AttachedTo, Effects};
use surefoot::body::Body;
use surefoot::geometry::{Aabb, Capsule, ConvexPolygon, DVec2, Position, dvec2};
use surefoot::map::{AreaThing, BodyThing, Map, MarkerThing, PlacedBody, TileId, TileKind, TileLayer, Value};
use surefoot::platform::{Easing, OnCrush, Path as TilePath, PathTiming, Platform, PlatformMotion, Repeat};

type Result<T> = std::result::Result<T, ImportError>;

/// Classes of objects that are areas even if no property says so.
const AREA_CLASSES: [&str; 4] = ["area", "trigger", "zone", "sensor"];
/// Class of polylines that are paths of platforms, and nothing else.
pub(crate) const PATH_CLASS: &str = "path";
/// Property of an object that the map of names describes: its body, area or platform has no name in the map.
pub(crate) const UNNAMED: &str = "unnamed";
/// Property of an object that the map of names describes: its area has the shape from the map of names.
pub(crate) const KEEP_SHAPE: &str = "keep_shape";
/// Properties of an object that the map of names describes: the displacement of its body, area or platform, in tiles.
pub(crate) const OFFSETS: [&str; 2] = ["dx", "dy"];
/// Classes of objects that are moving platforms.
const PLATFORM_CLASSES: [&str; 4] = ["platform", "moving_platform", "lift", "elevator"];

/// Places all objects of the level.
pub(crate) fn place_objects(path: &Path, level: &Level, builder: &mut Builder<'_>) -> Result<()> {
    let mut ids = BTreeMap::new();
    for (index, object) in level.objects.iter().enumerate() {
        ids.entry(&*object.id).or_insert(index);
    }
    let mut placer = Placer {
        path,
        level,
        names: names_of_objects(level, builder.rows),
        ids,
        platform_cells: 0,
        builder,
        taken: BTreeMap::new(),
        markers: BTreeSet::new(),
        own: BTreeSet::new(),
        paths: level
            .objects
            .iter()
            .filter_map(|object| object.properties.get(PATH)?.as_str()?.strip_prefix(REFERENCE))
            .collect(),
    };
    for (index, object) in level.objects.iter().enumerate() {
        placer.place_object(index, object)?;
    }
    placer.make_areas_relative_to_platforms();
    Ok(())
}

/// Returns a different name for each object: its own name, or its class with its cell if it has none. If several
/// objects have one name, the first keeps it, and the others get numbers.
fn names_of_objects(level: &Level, rows: u32) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let own = level.objects.iter().map(|object| {
        let is_own = !object.name.is_empty() && taken.insert(object.name.clone());
        is_own.then(|| object.name.clone())
    });
    let own: Vec<Option<String>> = own.collect();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let names = level.objects.iter().zip(own).map(|(object, own)| {
        own.unwrap_or_else(|| {
            let (x, y) = cell_of_object(level, rows, object);
            let base = match (&*object.name, &*object.class) {
                ("", "") => format!("object {x},{y}"),
                ("", class) => format!("{class} {x},{y}"),
                (name, _) => name.to_owned(),
            };
            let number = numbers.entry(base.clone()).or_insert(0);
            loop {
                *number += 1;
                let name = if *number == 1 { base.clone() } else { format!("{base} {number}") };
                if taken.insert(name.clone()) {
                    return name;
                }
            }
        })
    });
    names.collect()
}

/// Returns the lower left cell of an object in the level. A point on a border of cells is in the upper or right one.
fn cell_of_object(level: &Level, rows: u32, object: &Object) -> (i64, i64) {
    let (x, bottom) = (object.at.0, object.at.1 + object.size.1);
    ((x / level.tile.0).floor() as i64, (f64::from(rows) - bottom / level.tile.1).floor() as i64)
}

struct Placer<'a, 'b> {
    path: &'a Path,
    level: &'a Level,
    names: Vec<String>,
    /// Indices of the objects by their references.
    ids: BTreeMap<&'a str, usize>,
    /// Cells of all platforms so far.
    platform_cells: u64,
    builder: &'a mut Builder<'b>,
    /// Number of markers with properties in each cell.
    taken: BTreeMap<(i32, i32), usize>,
    /// Names and cells of all markers.
    markers: BTreeSet<(String, (i32, i32))>,
    /// Category and name of each thing that the map of names describes.
    own: BTreeSet<(Category, &'a str)>,
    /// References to the paths of platforms.
    paths: BTreeSet<&'a str>,
}

/// Kinds of things that have names of their own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Category {
    Platform,
    Area,
    Body,
}

impl Placer<'_, '_> {
    /// Places an object as a platform, body, area or marker, depending on its class, name and shape.
    fn place_object(&mut self, index: usize, object: &Object) -> Result<()> {
        let properties = self.resolve_references_of_all(&object.properties);
        let class = object.class.to_lowercase().replace([' ', '-'], "_");
        let is_platform = PLATFORM_CLASSES.contains(&&*class) && object.shape == ObjectShape::Rectangle;
        if class == PATH_CLASS && matches!(object.shape, ObjectShape::Polyline(_)) && self.paths.contains(&*object.id) {
            return Ok(());
        }
        let kinds = self.builder.kinds;
        if let Some(own) = kinds.own
            && self.try_place_as_named_thing(index, object, &properties, own, is_platform)?
        {
            return Ok(());
        }
        let kind = [&object.class, &object.name].into_iter().find_map(|name| kinds.own_kind(name)).cloned();
        if kind.is_none() && is_platform {
            return self.place_platform(index, object, properties);
        }
        let kind = kind.or_else(|| [&object.class, &object.name].into_iter().find_map(|name| kinds.usual_kind(name)));
        if let Some(body) = kind.as_ref().and_then(|kind| kind.things.body.clone()) {
            return self.place_body(index, object, properties, &body);
        }
        let area = kind.as_ref().and_then(|kind| kind.things.area.clone());
        let is_area = AREA_CLASSES.contains(&&*class);
        let is_line = matches!(object.shape, ObjectShape::Polyline(_));
        if (area.is_some() || is_area) && !is_line && object.shape != ObjectShape::Point {
            let tag = if is_area { object.name.clone() } else { object.class.clone() };
            return self.place_area_with_shape_of_object(index, object, properties, area, tag);
        }
        if let Some(area) = area.clone().filter(|_| !is_line) {
            return self.place_legend_area_at_point(index, object, &properties, *area);
        }
        if area.is_some() || is_area {
            let shape = if is_line { "a polyline" } else { "a point" };
            let at = cell_of_object(self.level, self.builder.rows, object);
            self.builder.report.count_part(format!("area: {shape} has no inside, so the object is a marker"), at);
        }
        let marker = kind.and_then(|kind| kind.things.marker).map(|marker| marker.name);
        self.place_marker(index, object, properties, marker);
        Ok(())
    }

    /// Places an object that the map of names describes as a thing. Returns whether it describes one.
    fn try_place_as_named_thing(
        &mut self,
        index: usize,
        object: &Object,
        properties: &Properties,
        own: &OwnNames,
        is_platform: bool,
    ) -> Result<bool> {
        let (name, class) = (&*object.name, &*object.class);
        let is_line = matches!(object.shape, ObjectShape::Polyline(_));
        let has_area = !is_line && object.shape != ObjectShape::Point;
        if let Some(platform) = own.named_platform(name).filter(|_| is_platform) {
            self.place_named_platform(index, object, properties, platform.clone())?;
        } else if let Some(body) = own.named_body(class, name).filter(|_| !is_line) {
            self.place_named_body(index, object, properties.clone(), body)?;
        } else if let Some(area) = own.named_area(class, name).filter(|_| has_area) {
            self.place_named_area(index, object, properties, area.clone())?;
        } else if let Some(marker) = own.marker_name_of_class(class).filter(|_| !is_line) {
            self.place_marker(index, object, properties.clone(), Some(marker.to_owned()));
        } else if let Some(body) = own.first_body_of_class(class).filter(|_| !is_line) {
            self.place_named_body(index, object, properties.clone(), body)?;
        } else if let Some(area) = own.first_area_of_class(class).filter(|_| has_area) {
            self.place_named_area(index, object, properties, area.clone())?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Returns the properties with the names of the objects that they refer to.
    fn resolve_references_of_all(&self, properties: &Properties) -> Properties {
        let named = |(name, value): (&String, &Value)| (name.clone(), self.resolve_references(value));
        properties.iter().map(named).collect()
    }

    fn resolve_references(&self, value: &Value) -> Value {
        match value {
            Value::Text(text) => match text.strip_prefix(REFERENCE).map(|id| (id, self.index_of_object(id))) {
                Some((_, Some(index))) => Value::Text(self.names[index].clone()),
                // The object belongs to another level, or does not exist any longer.
                Some((id, None)) => Value::Text(id.to_owned()),
                None => value.clone(),
            },
            Value::List(list) => Value::List(list.iter().map(|value| self.resolve_references(value)).collect()),
            Value::Map(map) => Value::Map(self.resolve_references_of_all(map)),
            _ => value.clone(),
        }
    }

    /// Returns the index of the object with a reference.
    fn index_of_object(&self, id: &str) -> Option<usize> {
        self.ids.get(id).copied()
    }

    fn object_error(&self, object: &Object, problem: impl Into<String>, expected: impl Into<String>) -> ImportError {
        ImportError::wrong_value(self.path, object.label.clone(), problem, expected)
    }

    /// Returns a point of the editor in tiles, y up.
    fn to_tiles(&self, (x, y): (f64, f64)) -> DVec2 {
        let (left, bottom) = self.builder.origin;
        let at = dvec2(x / self.level.tile.0, f64::from(self.builder.rows) - y / self.level.tile.1);
        at + dvec2(left.into(), bottom.into())
    }

    fn checked_position(&self, object: &Object, point: DVec2) -> Result<Position> {
        let problem =
            |error| self.object_error(object, format!("the position is {point}: {error}"), "a position on the map");
        Position::new(point.x, point.y).map_err(problem)
    }

    /// Returns the displacement of a thing of the map of names from the position of its object, in tiles.
    fn offset_in_properties(&self, object: &Object, properties: &Properties) -> Result<DVec2> {
        let [dx, dy] = OFFSETS.map(|name| self.number_property(object, properties, name));
        Ok(dvec2(dx?.unwrap_or(0.0), dy?.unwrap_or(0.0)))
    }

    /// Returns the name of a thing of the map of names: the name of its object, also if things of other kinds have this
    /// name.
    fn name_of_object_or_unique_name(&mut self, index: usize, properties: &Properties, category: Category) -> String {
        if properties.get(UNNAMED).and_then(Value::as_bool) == Some(true) {
            return String::new();
        }
        let level = self.level;
        let name = &*level.objects[index].name;
        let is_own = !name.is_empty() && self.own.insert((category, name));
        if is_own { name.to_owned() } else { self.names[index].clone() }
    }

    /// Places a body of the map of names.
    fn place_named_body(
        &mut self,
        index: usize,
        object: &Object,
        mut properties: Properties,
        own: &PlacedBody,
    ) -> Result<()> {
        let offset = self.offset_in_properties(object, &properties)?;
        let name = self.name_of_object_or_unique_name(index, &properties, Category::Body);
        for used in OFFSETS {
            properties.remove(used);
        }
        if properties.get("name").and_then(Value::as_str) == Some(&object.name) {
            properties.remove("name");
        }
        let mut thing = own.thing.clone();
        if !properties.is_empty() {
            Arc::make_mut(&mut thing).properties.extend(properties);
        }
        let foot = self.to_tiles((object.at.0 + object.size.0 / 2.0, object.at.1 + object.size.1)) + offset;
        let position =
            self.checked_position(object, foot + dvec2(0.0, Body::from(&thing.fields).shape.half_extents().y))?;
        self.builder.parts.bodies.push(PlacedBody { name, position, thing });
        Ok(())
    }

    /// Places an area of the map of names.
    fn place_named_area(
        &mut self,
        index: usize,
        object: &Object,
        properties: &Properties,
        mut area: Area,
    ) -> Result<()> {
        let offset = self.offset_in_properties(object, properties)?;
        let base = self.builder.kinds.own.map(|own| own.area_properties(&area.name)).unwrap_or_default();
        area.name = self.name_of_object_or_unique_name(index, properties, Category::Area);
        area.effects = self.read_effects(object, properties)?.over(area.effects);
        if let Some(tag) = properties.get("tag").and_then(Value::as_str) {
            tag.clone_into(&mut area.tag);
        }
        let mut centre = self.to_tiles((object.at.0 + object.size.0 / 2.0, object.at.1 + object.size.1 / 2.0));
        if properties.get(KEEP_SHAPE).and_then(Value::as_bool) != Some(true) {
            match self.area_shape(object) {
                Ok(shape) => area.shape = shape,
                Err(reason) => {
                    self.builder
                        .report
                        .count_part(format!("area: {reason}"), cell_of_object(self.level, self.builder.rows, object));
                    return Ok(());
                }
            }
            if matches!(object.shape, ObjectShape::Polygon(_) | ObjectShape::Capsule { .. }) {
                centre = DVec2::ZERO;
            }
        }
        area.position = Ok(self.checked_position(object, centre + offset)?);
        self.add_unused_properties_as_game_data(object, (Category::Area, &area.name), base, properties, |name| {
            [&["tag", "name", "rotation", UNNAMED, KEEP_SHAPE][..], &OFFSETS[..]].concat().contains(&name)
                || is_effect(name)
        });
        self.builder.parts.areas.push(area);
        Ok(())
    }

    /// Places a platform of the map of names.
    fn place_named_platform(
        &mut self,
        index: usize,
        object: &Object,
        properties: &Properties,
        mut platform: Platform,
    ) -> Result<()> {
        let cells = platform.layers.iter().map(|layer| layer.cells.len() as u64).sum();
        self.count_platform_or_fail(object, cells)?;
        let offset = self.offset_in_properties(object, properties)?;
        let base = self.builder.kinds.own.map(|own| own.platform_properties(&platform.name)).unwrap_or_default();
        platform.name = self.name_of_object_or_unique_name(index, properties, Category::Platform);
        let corner = self.to_tiles((object.at.0, object.at.1 + object.size.1));
        platform.position = Ok(self.checked_position(object, corner + offset)?);
        if properties.contains_key(PATH) {
            platform.motion = self.read_motion(object, properties, &platform.motion)?;
        }
        self.add_unused_properties_as_game_data(
            object,
            (Category::Platform, &platform.name),
            base,
            properties,
            |name| [&["name", UNNAMED][..], &OFFSETS[..], &OF_PATH[..]].concat().contains(&name),
        );
        self.builder.parts.platforms.push(platform);
        Ok(())
    }

    /// Counts one more platform with its cells.
    fn count_platform_or_fail(&mut self, object: &Object, cells: u64) -> Result<()> {
        self.platform_cells = self.platform_cells.saturating_add(cells);
        if self.builder.parts.platforms.len() >= Map::MAX_PLATFORMS || self.platform_cells > MAX_PLATFORM_CELLS {
            let problem = "too many platforms, or too many cells of platforms";
            let expected = format!("at most {} platforms with {MAX_PLATFORM_CELLS} cells", Map::MAX_PLATFORMS);
            return Err(self.object_error(object, problem, expected));
        }
        Ok(())
    }

    /// Makes the positions of attached areas relative to their platforms: areas are drawn where they start.
    fn make_areas_relative_to_platforms(&mut self) {
        let parts = &mut self.builder.parts;
        for area in &mut parts.areas {
            let AttachedTo::Named(name) = &area.attached_to else { continue };
            let carrier = parts.platforms.iter().find(|platform| platform.name == *name);
            if let (Some(Ok(at)), Ok(position)) = (carrier.map(|carrier| &carrier.position), &area.position) {
                area.position = Ok(Position::clamped(position.units() - at.units()));
            }
        }
    }

    /// Places a body so that its lower side is at the lower side of the object.
    fn place_body(
        &mut self,
        index: usize,
        object: &Object,
        properties: Properties,
        thing: &Arc<BodyThing>,
    ) -> Result<()> {
        let foot = self.to_tiles((object.at.0 + object.size.0 / 2.0, object.at.1 + object.size.1));
        let position =
            self.checked_position(object, foot + dvec2(0.0, Body::from(&thing.fields).shape.half_extents().y))?;
        let mut thing = (**thing).clone();
        thing.properties.extend(properties);
        let name = self.names[index].clone();
        self.builder.parts.bodies.push(PlacedBody { name, position, thing: Arc::new(thing) });
        Ok(())
    }

    /// Places an area with the shape of the object, and with the effects of `base` and of the properties.
    fn place_area_with_shape_of_object(
        &mut self,
        index: usize,
        object: &Object,
        properties: Properties,
        base: Option<Box<AreaThing>>,
        tag: String,
    ) -> Result<()> {
        let shape = match self.area_shape(object) {
            Ok(shape) => shape,
            Err(reason) => {
                let at = cell_of_object(self.level, self.builder.rows, object);
                self.builder.report.count_part(format!("area: {reason}"), at);
                return Ok(());
            }
        };
        let (low, high) = (self.to_tiles((object.at.0, object.at.1 + object.size.1)), self.to_tiles(object.at));
        let high = high + dvec2(object.size.0 / self.level.tile.0, 0.0);
        let tag = properties.get("tag").and_then(Value::as_str).map_or(tag, str::to_owned);
        let (mut area, own) =
            base.map_or_else(|| (Area::new(shape.clone()), Properties::new()), |thing| (thing.area, thing.properties));
        area.effects = self.read_effects(object, &properties)?.over(area.effects);
        area.shape = shape;
        area.tag = if area.tag.is_empty() || properties.contains_key("tag") { tag } else { area.tag };
        area.name.clone_from(&self.names[index]);
        let is_placed = matches!(object.shape, ObjectShape::Polygon(_) | ObjectShape::Capsule { .. });
        let centre = if is_placed { DVec2::ZERO } else { (low + high) / 2.0 };
        area.position = Ok(self.checked_position(object, centre)?);
        self.add_unused_properties_as_game_data(object, (Category::Area, &area.name), own, &properties, |name| {
            ["tag", "name", "rotation"].contains(&name) || is_effect(name)
        });
        self.builder.parts.areas.push(area);
        Ok(())
    }

    /// Places an area of a legend at a point.
    fn place_legend_area_at_point(
        &mut self,
        index: usize,
        object: &Object,
        properties: &Properties,
        thing: AreaThing,
    ) -> Result<()> {
        let AreaThing { mut area, properties: own, .. } = thing;
        let middle = self.to_tiles((object.at.0 + object.size.0 / 2.0, object.at.1 + object.size.1 / 2.0));
        area.name.clone_from(&self.names[index]);
        self.add_unused_properties_as_game_data(object, (Category::Area, &area.name), own, properties, |name| {
            ["name", "rotation"].contains(&name)
        });
        area.position = Ok(self.checked_position(object, middle)?);
        self.builder.parts.areas.push(area);
        Ok(())
    }

    /// Gives the properties of the object that the map has no field for to the area or the platform `name`, as data for
    /// the game. `base`: the properties that the map of names gives to it. A thing without a name cannot have
    /// properties, so they are reported.
    fn add_unused_properties_as_game_data(
        &mut self,
        object: &Object,
        (category, name): (Category, &str),
        base: Properties,
        properties: &Properties,
        is_used: impl Fn(&str) -> bool,
    ) {
        let unused = properties.iter().filter(|(name, _)| !is_used(name));
        if name.is_empty() {
            let at = cell_of_object(self.level, self.builder.rows, object);
            let of = if category == Category::Area { "an area" } else { "a platform" };
            for (name, _) in unused {
                self.builder.report.count_part(format!("property {} of {of} without a name", quoted(name)), at);
            }
            return;
        }
        let mut own = base;
        own.extend(unused.map(|(name, value)| (name.clone(), value.clone())));
        if own.is_empty() {
            return;
        }
        let parts = &mut self.builder.parts;
        let all = if category == Category::Area { &mut parts.area_properties } else { &mut parts.platform_properties };
        all.insert(name.to_owned(), own);
    }

    /// Returns the shape of an area for the object. It is relative to the middle of the object; that of a polygon or
    /// capsule is relative to the origin of the map. The error says what is wrong.
    fn area_shape(&self, object: &Object) -> std::result::Result<AreaShape, String> {
        let half = dvec2(object.size.0 / self.level.tile.0 / 2.0, object.size.1 / self.level.tile.1 / 2.0);
        let polygon = |points: Vec<DVec2>| {
            let shape = ConvexPolygon::new(&points).map(AreaShape::Polygon);
            shape.map_err(|error| error.to_string())
        };
        match &object.shape {
            ObjectShape::Ellipse if half.x == half.y => AreaShape::circle(half.x).map_err(|error| error.to_string()),
            ObjectShape::Ellipse => polygon(ellipse_corners((half.x, half.y)).map(|(x, y)| dvec2(x, y)).collect()),
            ObjectShape::Capsule { ends: [from, to], radius } => {
                let shape = Capsule::new(self.to_tiles(*from), self.to_tiles(*to), radius / self.level.tile.0);
                shape.map(AreaShape::Capsule).map_err(|error| error.to_string())
            }
            ObjectShape::Polygon(points) => polygon(points.iter().map(|&point| self.to_tiles(point)).collect()),
            _ => {
                let shape = Aabb::new(-half, half).map(AreaShape::Aabb);
                shape.map_err(|error| error.to_string())
            }
        }
    }

    /// Returns the effects among the properties.
    fn read_effects(&self, object: &Object, properties: &Properties) -> Result<Effects> {
        let mut effects = Effects::default();
        for (name, value) in properties {
            match with_effect_of_name(&effects, name, value) {
                None => {}
                Some(Ok(next)) => effects = next,
                Some(Err(error)) => {
                    let (problem, expected) = match describe_type_mistake(&error) {
                        Some((found, expected)) => (format!("the effect {name:?} is {found}"), expected),
                        None => (format!("the effect {name:?}: {error}"), "a value of this effect"),
                    };
                    return Err(self.object_error(object, problem, expected));
                }
            }
        }
        Ok(effects)
    }

    /// Places a platform of the object's size, of the tile that the property `tile` names, along the path of its
    /// properties.
    fn place_platform(&mut self, index: usize, object: &Object, properties: Properties) -> Result<()> {
        let size = (object.size.0 / self.level.tile.0, object.size.1 / self.level.tile.1);
        if size.0.fract() != 0.0 || size.1.fract() != 0.0 || size.0 > MAX_PLATFORM_SIDE || size.1 > MAX_PLATFORM_SIDE {
            let problem = format!("the platform is {} x {} tiles", size.0, size.1);
            return Err(self.object_error(object, problem, format!("whole tiles, at most {MAX_PLATFORM_SIDE}")));
        }
        self.count_platform_or_fail(object, (size.0 * size.1) as u64)?;
        let text = |name: &str| properties.get(name).and_then(Value::as_str);
        let named = text("tile").unwrap_or("one_way");
        let kind = self.builder.kinds.catalogue.find_variant(named).map(TileKind::new).ok();
        let kind =
            self.builder.kinds.own_kind(named).cloned().or(kind).or_else(|| self.builder.kinds.usual_kind(named));
        let kind = kind
            .ok_or_else(|| self.object_error(object, format!("the tile {named:?} is unknown"), "the name of a tile"))?;
        let id = self.builder.find_or_add_kind(kind);
        let mut layer = TileLayer::new(TileLayer::DEFAULT_NAME, size.0 as u32, size.1 as u32);
        layer.cells.fill(id);
        let corner = self.to_tiles((object.at.0, object.at.1 + object.size.1));
        let mut platform = Platform::new(vec![layer]).name(self.names[index].clone());
        platform.position = Ok(self.checked_position(object, corner)?);
        platform.motion = self.read_motion(object, &properties, &PlatformMotion::Driven)?;
        platform.on_crush =
            match self.read_property_as_word_index(object, &properties, "on_crush", &["Stop", "PassThrough"])? {
                Some(1) => OnCrush::PassThrough,
                _ => OnCrush::Stop,
            };
        let is_driven = platform.motion == PlatformMotion::Driven;
        let is_used =
            |name: &str| ["name", "tile", "on_crush"].contains(&name) || (OF_PATH.contains(&name) && !is_driven);
        self.add_unused_properties_as_game_data(
            object,
            (Category::Platform, &platform.name),
            Properties::new(),
            &properties,
            is_used,
        );
        self.builder.parts.platforms.push(platform);
        Ok(())
    }

    /// Returns the motion along the property `path`: a polyline, or the points of the path that follow the platform's
    /// own position.
    /// `base`: motion with the speed and all else that the properties do not say.
    fn read_motion(&self, object: &Object, properties: &Properties, base: &PlatformMotion) -> Result<PlatformMotion> {
        let Some(path) = properties.get(PATH) else { return Ok(PlatformMotion::Driven) };
        let points = self.read_path_points(object, path)?;
        let base = match base {
            PlatformMotion::Path(base) => Some(base),
            _ => None,
        };
        let number = |name: &str| self.number_property(object, properties, name);
        let timing = match (number("period")?, number("speed")?, base) {
            (Some(period), ..) => PathTiming::Period(period),
            (None, Some(speed), _) => PathTiming::Speed(speed),
            (None, None, Some(base)) => base.timing,
            (None, None, None) => PathTiming::Speed(DEFAULT_SPEED),
        };
        let repeat =
            match self.read_property_as_word_index(object, properties, "repeat", &["PingPong", "Once", "Loop"])? {
                Some(0) => Repeat::PingPong,
                Some(1) => Repeat::Once,
                Some(_) => Repeat::Loop,
                None => base.map_or(Repeat::PingPong, |base| base.repeat),
            };
        let easing = match self.read_property_as_word_index(object, properties, "easing", &["Linear", "Smooth"])? {
            Some(0) => Easing::Linear,
            Some(_) => Easing::Smooth,
            None => base.map_or(Easing::Linear, |base| base.easing),
        };
        let (wait, phase) = (number("wait")?, number("phase")?);
        let (wait, phase) = (wait.or(base.map(|base| base.wait)), phase.or(base.map(|base| base.phase)));
        let (wait, phase) = (wait.unwrap_or(0.0), phase.unwrap_or(0.0));
        Ok(PlatformMotion::Path(TilePath { points, timing, repeat, easing, wait, phase }))
    }

    /// Returns a property that is a number, if the object has it.
    fn number_property(&self, object: &Object, properties: &Properties, name: &str) -> Result<Option<f64>> {
        let Some(value) = properties.get(name) else { return Ok(None) };
        let wrong =
            || self.object_error(object, format!("the property {name:?} is {}", property_to_json(value)), "a number");
        value.as_f64().map(Some).ok_or_else(wrong)
    }

    /// Returns the index of the word that a property contains, if the object has the property. Case does not matter,
    /// nor does `_`.
    fn read_property_as_word_index(
        &self,
        object: &Object,
        properties: &Properties,
        name: &str,
        words: &[&str],
    ) -> Result<Option<usize>> {
        let Some(value) = properties.get(name) else { return Ok(None) };
        let plain = value.as_str().map(|word| word.replace('_', ""));
        let known = words.iter().position(|word| plain.as_ref().is_some_and(|plain| plain.eq_ignore_ascii_case(word)));
        let expected = words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" or ");
        let wrong =
            || self.object_error(object, format!("the property {name:?} is {}", property_to_json(value)), expected);
        known.map(Some).ok_or_else(wrong)
    }

    /// Returns the points relative to where the platform is drawn.
    fn read_path_points(&self, object: &Object, path: &Value) -> Result<Vec<Position>> {
        let line = path.as_str().and_then(|name| self.names.iter().position(|known| known == name));
        let line = line.map(|index| &self.level.objects[index].shape);
        let middle = self.to_tiles((object.at.0 + object.size.0 / 2.0, object.at.1 + object.size.1 / 2.0));
        let points: Option<Vec<DVec2>> = match (line, path.as_list()) {
            (Some(ObjectShape::Polyline(points)), _) => {
                // The platform starts where it is drawn, wherever the first point of the line is.
                let points: Vec<DVec2> = points.iter().map(|&point| self.to_tiles(point)).collect();
                points.first().map(|&first| points.iter().map(|&point| point - first).collect())
            }
            (_, Some(list)) => {
                let point = |value: &Value| match value.as_list()? {
                    [x, y] => Some(dvec2(x.as_f64()?, y.as_f64()?) - middle),
                    _ => None,
                };
                let points: Option<Vec<DVec2>> = list.iter().map(point).collect();
                points.map(|points| std::iter::once(DVec2::ZERO).chain(points).collect())
            }
            _ => None,
        };
        let points = points.filter(|points| points.len() > 1);
        let wrong =
            || self.object_error(object, "the property \"path\" is not a path", "a polyline or a list of points");
        points.ok_or_else(wrong)?.into_iter().map(|point| self.checked_position(object, point)).collect()
    }

    /// Places a marker in the lower left cell of the object, with all data of the object.
    fn place_marker(&mut self, index: usize, object: &Object, mut properties: Properties, known: Option<String>) {
        let (x, y) = cell_of_object(self.level, self.builder.rows, object);
        let origin = self.builder.origin;
        let at = (clamp_to_map_range(x + i64::from(origin.0)), clamp_to_map_range(y + i64::from(origin.1)));
        let names = [&object.class, &object.name].into_iter().find(|name| !name.is_empty());
        let mut name = known.clone().or(names.cloned()).unwrap_or_else(|| "object".to_owned());
        if !self.markers.insert((name.clone(), at)) {
            // If a cell already has a marker of that name, use the name of the object, which no other object has.
            name.clone_from(&self.names[index]);
        }
        if known.is_none() {
            self.add_name_box_and_points(index, object, &mut properties);
        } else if !object.name.is_empty() || !properties.is_empty() {
            properties.entry("name".to_owned()).or_insert_with(|| Value::Text(self.names[index].clone()));
        }
        let inside = x >= 0 && y >= 0 && x < i64::from(self.level.size.0) && y < i64::from(self.builder.rows);
        if !inside {
            self.builder.report.count_part(format!("object {} outside the level", quoted(&name)), (x, y));
            return;
        }
        if properties.is_empty() {
            self.builder.parts.markers.push((name, at));
            return;
        }
        // Each object with data becomes a tile kind of its own.
        if self.builder.parts.kinds.len() >= usize::from(u16::MAX) - 1 {
            self.builder
                .report
                .count_part("object with properties, of which the map has as many as it can hold".to_owned(), (x, y));
            return;
        }
        let count = self.taken.entry(at).or_insert(0);
        *count += 1;
        let number = *count;
        if number > MAX_OBJECT_LAYERS {
            self.builder.report.count_part(
                format!("object in a cell that already has {MAX_OBJECT_LAYERS} objects with properties"),
                (x, y),
            );
            return;
        }
        let mut kind = TileKind::default();
        kind.things.marker = Some(Box::new(MarkerThing { name: name.clone(), properties }));
        let id = self.builder.add_kind(kind);
        self.put_into_object_layer(number, at, id);
    }

    /// Adds to the properties of a marker what else the object has: its name, and its box and points in tiles.
    fn add_name_box_and_points(&self, index: usize, object: &Object, properties: &mut Properties) {
        let mut add = |name: &str, value: Value| {
            properties.entry(name.to_owned()).or_insert(value);
        };
        add("name", Value::Text(self.names[index].clone()));
        let low = self.to_tiles((object.at.0, object.at.1 + object.size.1));
        add("x", low.x.into());
        add("y", low.y.into());
        if object.shape != ObjectShape::Point {
            add("width", (object.size.0 / self.level.tile.0).into());
            add("height", (object.size.1 / self.level.tile.1).into());
        }
        if let ObjectShape::Polygon(points) | ObjectShape::Polyline(points) = &object.shape {
            let points = points.iter().map(|&point| self.to_tiles(point));
            add("points", Value::List(points.map(|p| Value::List(vec![p.x.into(), p.y.into()])).collect()));
        }
    }

    /// Puts a tile kind without a shape into layer number `number` of the layers for objects.
    fn put_into_object_layer(&mut self, number: usize, at: (i32, i32), id: TileId) {
        let name = if number == 1 { "objects".to_owned() } else { format!("objects {number}") };
        let (width, rows, origin) = (self.level.size.0.max(1), self.builder.rows, self.builder.origin);
        let layers = &mut self.builder.parts.layers;
        let fits = |layer: &TileLayer| layer.size == (width, rows) && layer.origin == origin;
        let position = layers.iter().position(|layer| layer.name == name && !layer.collides && fits(layer));
        let position = position.unwrap_or_else(|| {
            let mut layer = TileLayer::new(name, width, rows);
            layer.collides = false;
            layer.origin = origin;
            layers.push(layer);
            layers.len() - 1
        });
        let layer = &mut layers[position];
        let (column, row) = (at.0 - layer.origin.0, at.1 - layer.origin.1);
        if let Some(cell) = layer.cells.get_mut(row as usize * layer.size.0 as usize + column as usize) {
            *cell = id;
        }
    }
}

/// Maximum side of a platform, in tiles.
const MAX_PLATFORM_SIDE: f64 = 256.0;
/// Maximum number of cells of all platforms of a level.
const MAX_PLATFORM_CELLS: u64 = 1 << 22;
/// Speed of a platform without a speed of its own, in tiles per second.
const DEFAULT_SPEED: f64 = 2.0;
/// Maximum number of objects with properties in one cell: each needs a tile layer of its own.
const MAX_OBJECT_LAYERS: usize = 4;

/// Property with the path of a platform.
pub(crate) const PATH: &str = "path";
/// Properties of a path.
pub(crate) const OF_PATH: [&str; 7] = [PATH, "speed", "period", "repeat", "easing", "wait", "phase"];

pub(crate) fn is_effect(name: &str) -> bool {
    with_effect_of_name(&Effects::default(), name, &Value::Bool(true)).is_some()
}

/// Sets the effect `name`. `None` if no effect has the name.
fn with_effect_of_name(effects: &Effects, name: &str, value: &Value) -> Option<std::result::Result<Effects, String>> {
    let fields = serde_json::to_value(effects).ok()?;
    let mut fields = fields.as_object()?.clone();
    let field = fields.get_mut(name)?;
    // Editors have no vectors, so accept a list of two numbers, and a map with x and y.
    *field = match value {
        Value::Map(map) => match (map.get("x"), map.get("y")) {
            (Some(x), Some(y)) => property_to_json(&Value::List(vec![x.clone(), y.clone()])),
            _ => property_to_json(value),
        },
        _ => property_to_json(value),
    };
    Some(serde_json::from_value(fields.into()).map_err(|error| error.to_string()))
}

//! Areas in a map's text: reading, checking and writing.

use super::areas::{check_area_count, check_carrier};
use super::capped::Capped;
use super::drawn_platforms::{PlatformNames, check_draws_one_platform};
use super::format::Properties;
use super::platform_text::{read_position, written_position};
use super::properties::{PropertiesByName, check_properties_of_listed};
use super::things::AreaCounts;
use super::write::{join_fields, quoted_list, written_properties};
use super::{CollisionLayers, Map, MapAreaError, MapErrorKind, Value};
use crate::area::{Area, AreaShape, AttachedTo, Boxes, Effects};
use crate::map::AreaThing;
use crate::text::Step::{Field, Item};
use crate::text::{Fields, Node, Problems, Reader, Shape, Step, Struct, Variant, quoted};
use crate::up::Up;
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use surefoot_geometry::{Aabb, Capsule, Circle, ConvexPolygon, Obb, Position, ShapeError, Triangle};

const AREA: Struct<'_> = Struct {
    name: "Area",
    required: &["shape"],
    optional: &["name", "tag", "at", "attached_to", "collision_mask", "priority", "effects"],
};
/// An area in the list of a map.
const LISTED: Struct<'_> = Struct {
    optional: &["name", "tag", "at", "attached_to", "collision_mask", "priority", "effects", "properties"],
    ..AREA
};
/// The area of a legend entry, whose cells give it name and position.
const THING: Struct<'_> = Struct { name: "area", required: &["shape"], optional: THING_FIELDS };
/// The area of a legend entry whose cells are joined. Their rectangle is its shape.
const JOINED: Struct<'_> = Struct { name: "area", required: &[], optional: JOINED_FIELDS };
const THING_FIELDS: &[&str] = &["tag", "attached_to", "collision_mask", "priority", "effects", "join", "properties"];
const JOINED_FIELDS: &[&str] =
    &["tag", "attached_to", "collision_mask", "priority", "effects", "join", "properties", "shape"];
const EFFECTS: Struct<'_> = Struct {
    name: "effects",
    required: &[],
    optional: &[
        "gravity",
        "gravity_scale",
        "drag",
        "buoyancy",
        "wind",
        "speed_scale",
        "climbable",
        "ground_wind",
        "up",
    ],
};
const SHAPES: &[&str] = &["Circle", "Aabb", "Obb", "Capsule", "Triangle", "Polygon", "Boxes"];
const VARIANTS: &[Variant] = &[
    Variant { name: "Circle", takes: (1, 2), words: "a radius and maybe a centre, such as Circle(0.5)" },
    Variant { name: "Aabb", takes: (2, 2), words: "a half width and a half height, such as Aabb(2.0, 1.0)" },
    Variant {
        name: "Obb",
        takes: (3, 4),
        words: "a half width, a half height, the direction of its width and maybe a centre, such as Obb(2.0, 1.0, (3.0, 4.0))",
    },
    Variant {
        name: "Capsule",
        takes: (3, 3),
        words: "two points and a radius, such as Capsule((0.0, 0.0), (2.0, 0.0), 0.5)",
    },
    Variant {
        name: "Triangle",
        takes: (3, 3),
        words: "three corners, such as Triangle((0.0, 0.0), (2.0, 0.0), (2.0, 1.0))",
    },
    Variant {
        name: "Polygon",
        takes: (1, 1),
        words: "a list of corners, such as Polygon([(0.0, 0.0), (2.0, 0.0), (1.0, 1.0)])",
    },
    Variant {
        name: "Boxes",
        takes: (1, 1),
        words: "a list of boxes by two corners, such as Boxes([((0.0, 0.0), (4.0, 1.0)), ((1.0, -1.0), (2.0, 0.0))])",
    },
];

const BOX: &str = "two corners of a box, such as ((0.0, 0.0), (4.0, 1.0))";
const POINT: &str = "an x and a y, such as (2.5, 1.0)";
const PRIORITY: &str = "-2147483648 to 2147483647";

/// Maximum number of corners of a polygon that are read: one more than allowed, to detect a polygon with too many.
const CORNERS: usize = surefoot_geometry::MAX_CORNERS + 1;

/// Areas of a file: the first ones, and how many there are.
#[derive(Default)]
pub(crate) struct AreaFiles {
    areas: Capped<AreaFile, { Map::MAX_LISTED_AREAS }>,
}

/// An area in a file, before it is checked.
pub(crate) struct AreaFile {
    name: String,
    pub(super) tag: String,
    /// `None` for a value that is not a shape, which is already reported.
    shape: Option<Result<AreaShape, ShapeError>>,
    position: Position,
    pub(super) on: AttachedTo,
    /// Names of the collision layers in the mask, if the file gives them.
    collision_mask: Option<Vec<String>>,
    priority: i32,
    effects: Effects,
    /// Whether cells that touch share one area.
    pub(super) join: bool,
    /// Properties of the area of a legend entry or of the list.
    pub(super) properties: Properties,
}

impl AreaFiles {
    pub(super) fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> AreaFiles {
        let mut files = AreaFiles::default();
        let named = |reader: &mut Reader<'t>, node| AttachedTo::Named(reader.read_string(node));
        reader.read_list(node, &[Shape::Struct], |reader, node| {
            files.areas.count_and_push_if_room(|| {
                let fields = reader.read_fields(node, LISTED);
                AreaFile::read_fields(reader, fields, named)
            })
        });
        files
    }

    /// Returns the number of values in properties.
    pub(super) fn property_value_count(&self) -> usize {
        self.areas.list.iter().map(|area| area.properties.count).sum()
    }
}

impl AreaFile {
    /// Reads an area without properties. `carrier` reads the field `attached_to`.
    fn read<'t>(
        reader: &mut Reader<'t>,
        node: Node<'t>,
        carrier: impl FnOnce(&mut Reader<'t>, Node<'t>) -> AttachedTo,
    ) -> AreaFile {
        let fields = reader.read_fields(node, AREA);
        AreaFile::read_fields(reader, fields, carrier)
    }

    /// Reads the area of a legend entry.
    pub(super) fn read_from_legend<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> AreaFile {
        let joins = reader.tree.field(node, "join").is_some_and(|join| join.source() != "false");
        let fields = reader.read_fields(node, if joins { JOINED } else { THING });
        AreaFile::read_fields(reader, fields, |reader, node| AttachedTo::Named(reader.read_string(node)))
    }

    fn read_fields<'t>(
        reader: &mut Reader<'t>,
        mut fields: Fields<Node<'t>>,
        carrier: impl FnOnce(&mut Reader<'t>, Node<'t>) -> AttachedTo,
    ) -> AreaFile {
        let mut text = |reader: &mut Reader<'t>, name| fields.take(name).map(|node| reader.read_string(node));
        let (name, tag) = (text(reader, "name"), text(reader, "tag"));
        AreaFile {
            name: name.unwrap_or_default(),
            tag: tag.unwrap_or_default(),
            on: fields.take("attached_to").map_or(AttachedTo::World, |node| carrier(reader, node)),
            shape: fields.take("shape").and_then(|node| read_shape(reader, node)),
            position: fields.take("at").map_or(Position::ORIGIN, |node| read_position(reader, node)),
            collision_mask: fields.take("collision_mask").map(|node| super::read_names(reader, node)),
            priority: fields.take("priority").map_or(0, |node| reader.read_integer_as(node, PRIORITY)),
            effects: fields.take("effects").map_or_else(Effects::default, |node| read_effects(reader, node)),
            join: fields.take("join").is_some_and(|node| reader.read_bool(node)),
            properties: fields.take("properties").map(|node| Properties::read(reader, node)).unwrap_or_default(),
        }
    }

    /// Gives the file the shape of a joined cell. Returns whether the file had a shape.
    pub(super) fn replace_shape_by_joined_cell(&mut self) -> bool {
        self.shape.replace(AreaShape::aabb(0.5, 0.5)).is_some()
    }
}

fn read_point<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> DVec2 {
    reader.read_number_pair(node, POINT).into()
}

fn read_shape<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Result<AreaShape, ShapeError>> {
    let (name, values) = reader.read_variant(node, SHAPES, VARIANTS, |_| None)?;
    let faults = reader.fault_count();
    let shape = match (name, &values[..]) {
        ("Circle", &[radius, ref center @ ..]) => {
            let radius = reader.read_number(radius);
            let center = center.first().map_or(DVec2::ZERO, |node| read_point(reader, *node));
            Circle::new(center, radius).map(AreaShape::from)
        }
        ("Aabb", &[a, b]) if a.shape() == Shape::Tuple => {
            Aabb::new(read_point(reader, a), read_point(reader, b)).map(AreaShape::from)
        }
        ("Aabb", &[width, height]) => AreaShape::aabb(reader.read_number(width), reader.read_number(height)),
        ("Obb", &[width, height, axis, ref center @ ..]) => {
            let half = DVec2::new(reader.read_number(width), reader.read_number(height));
            let axis = read_point(reader, axis);
            let center = center.first().map_or(DVec2::ZERO, |node| read_point(reader, *node));
            Obb::new(center, half, axis).map(AreaShape::from)
        }
        ("Capsule", &[a, b, radius]) => {
            Capsule::new(read_point(reader, a), read_point(reader, b), reader.read_number(radius)).map(AreaShape::from)
        }
        ("Triangle", &[a, b, c]) => Triangle::new([a, b, c].map(|node| read_point(reader, node))).map(AreaShape::from),
        ("Boxes", &[list]) => {
            let mut boxes = Vec::new();
            reader.read_list(list, &[Shape::Tuple], |reader, node| {
                let Some((low, high)) = reader.read_pair(node, BOX) else { return };
                boxes.push(Aabb::new(read_point(reader, low), read_point(reader, high)));
            });
            boxes.into_iter().collect::<Result<Vec<_>, _>>().map(|boxes| Boxes::new(boxes).into())
        }
        (_, &[list]) => {
            let mut corners = Vec::new();
            reader.read_list(list, &[Shape::Tuple], |reader, node| {
                if corners.len() < CORNERS {
                    corners.push(read_point(reader, node));
                }
            });
            ConvexPolygon::new(&corners).map(AreaShape::from)
        }
        _ => return None,
    };
    // Invalid numbers are already reported, so ignore the error of a shape that was made from them.
    (faults == reader.fault_count()).then_some(shape)
}

fn read_effects<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Effects {
    let mut fields = reader.read_fields(node, EFFECTS);
    Effects {
        gravity: fields.take("gravity").map(|node| read_point(reader, node)),
        gravity_scale: fields.take("gravity_scale").map(|node| reader.read_number(node)),
        drag: fields.take("drag").map(|node| reader.read_number(node)),
        buoyancy: fields.take("buoyancy").map(|node| reader.read_number(node)),
        wind: fields.take("wind").map(|node| read_point(reader, node)),
        speed_scale: fields.take("speed_scale").map(|node| reader.read_number(node)),
        climbable: fields.take("climbable").map(|node| reader.read_bool(node)),
        ground_wind: fields.take("ground_wind").map(|node| read_point(reader, node)),
        up: fields.take("up").and_then(|node| reader.read_word(node, Up::NAMES.0, Up::NAMES.1)),
    }
}

/// Returns the areas of a file and their properties by name, and reports their errors. If not all platforms were kept,
/// their names are unknown and not checked. `has_properties`: whether properties are read.
pub(super) fn check_areas(
    files: AreaFiles,
    platforms: Option<&PlatformNames>,
    layers: &[String],
    has_properties: bool,
    problems: &mut Problems<MapErrorKind>,
) -> (Vec<Area>, PropertiesByName) {
    let Capped { list, count } = files.areas;
    problems.ok_or_add(&[Field("areas")], check_area_count(count, AreaCounts::default()));
    let (mut areas, mut names, mut properties) = (Vec::new(), BTreeSet::new(), PropertiesByName::new());
    for (i, mut file) in list.into_iter().enumerate() {
        let way = [Field("areas"), Item(i)];
        if !file.name.is_empty() && !names.insert(file.name.clone()) {
            let duplicate = MapAreaError::Duplicate { name: file.name.clone() };
            problems.add(&[&way[..], &[Field("name")]].concat(), || duplicate.into());
        }
        let (name, raw) = (file.name.clone(), std::mem::take(&mut file.properties));
        let own = check_properties_of_listed("area", &name, raw, &way, has_properties, problems);
        if !own.is_empty() {
            properties.insert(name.clone(), own);
        }
        areas.extend(check_area(file, &name, &way, platforms, layers, problems));
    }
    (areas, properties)
}

/// Refuses a carrier that is not a platform of the map. `name`: how errors name the area.
pub(super) fn check_named_carrier(on: &AttachedTo, name: &str, platforms: &PlatformNames) -> Result<(), MapErrorKind> {
    if let AttachedTo::Named(platform) = on {
        check_draws_one_platform(platform, platforms)?;
    }
    let known = check_carrier(on, |name| platforms.get(name) == Some(&1));
    known.map_err(|error| MapAreaError::Refused { name: name.to_owned(), error }.into())
}

/// Returns the area at the end of a path in the file and reports its errors. `name`: how errors name the area.
pub(super) fn check_area(
    file: AreaFile,
    name: &str,
    path_in_file: &[Step<'static>],
    platforms: Option<&PlatformNames>,
    layers: &[String],
    problems: &mut Problems<MapErrorKind>,
) -> Option<Area> {
    let AreaFile { name: own_name, tag, shape, position, on, collision_mask, priority, effects, .. } = file;
    let steps = |steps: &[Step<'static>]| [path_in_file, steps].concat();
    let refused = |error| MapErrorKind::from(MapAreaError::Refused { name: name.to_owned(), error });
    if let Some(platforms) = platforms {
        problems.ok_or_add(&steps(&[Field("attached_to")]), check_named_carrier(&on, name, platforms));
    }
    let mut mask = CollisionLayers::NONE;
    for (item, layer) in collision_mask.iter().flatten().enumerate() {
        let known = CollisionLayers::of_names([layer], layers).map_err(|error| refused(error.into()));
        let known = problems.ok_or_add(&steps(&[Field("collision_mask"), Item(item)]), known);
        mask = mask.union(known.unwrap_or_default());
    }
    let collision_mask = if collision_mask.is_some() { mask } else { CollisionLayers::ALL };
    effects.report_out_of_range(|name, error| {
        problems.add(&steps(&[Field("effects"), Field(name)]), || refused(error.into()));
    });
    let wrong = |error| MapErrorKind::from(MapAreaError::Shape { name: name.to_owned(), error });
    let shape = problems.ok_or_add(&steps(&[Field("shape")]), shape?.map_err(wrong))?;
    problems.ok_or_add(&steps(&[Field("shape")]), shape.check().map_err(refused));
    Some(Area {
        name: own_name,
        tag,
        shape,
        position: Ok(position),
        attached_to: on,
        collision_mask,
        priority,
        effects,
    })
}

/// Reads an area that stands alone, at the end of a path in the file. `carrier` reads the field `attached_to`, whose
/// value is not checked. Neither is the name. `layers` has the names of collision layers.
pub fn read_area<'t>(
    reader: &mut Reader<'t>,
    node: Node<'t>,
    path_in_file: &[Step<'static>],
    layers: &[String],
    carrier: impl FnOnce(&mut Reader<'t>, Node<'t>) -> AttachedTo,
    problems: &mut Problems<MapErrorKind>,
) -> Option<Area> {
    let file = AreaFile::read(reader, node, carrier);
    let name = file.name.clone();
    check_area(file, &name, path_in_file, None, layers, problems)
}

/// Writes the areas of a map. `layers` has the names of collision layers.
pub(super) fn write_areas(
    out: &mut String,
    areas: &[Area],
    properties: &PropertiesByName,
    layers: &[String],
) -> fmt::Result {
    if areas.is_empty() {
        return Ok(());
    }
    out.push_str("    areas: [\n");
    for area in areas {
        let text = written_area(area, quoted_carrier_name(area), layers);
        match properties.get(&area.name) {
            Some(own) => writeln!(out, "        {},", append_properties(text, own))?,
            None => writeln!(out, "        {text},")?,
        }
    }
    out.push_str("    ],\n");
    Ok(())
}

/// Returns the text of an area in parentheses. `carrier` is the value of `attached_to`, and `layers` has the names of
/// collision layers.
#[must_use]
pub fn written_area(area: &Area, carrier: Option<String>, layers: &[String]) -> String {
    written_area_fields(area, carrier, layers, Written::Listed)
}

/// Returns the area of a legend entry as text in parentheses.
pub(super) fn written_area_thing(AreaThing { area, join, properties }: &AreaThing, layers: &[String]) -> String {
    let place = if *join { Written::Joined } else { Written::Placed };
    let text = written_area_fields(area, quoted_carrier_name(area), layers, place);
    if properties.is_empty() { text } else { append_properties(text, properties) }
}

/// Returns the text of an area in parentheses with properties.
fn append_properties(mut text: String, properties: &BTreeMap<String, Value>) -> String {
    text.truncate(text.len() - 1);
    text + &format!(", properties: {})", written_properties(properties))
}

/// Which fields of an area are written.
#[derive(Clone, Copy, PartialEq)]
enum Written {
    Listed,
    /// All except the position.
    Placed,
    /// `join` in place of position and shape.
    Joined,
}

fn quoted_carrier_name(area: &Area) -> Option<String> {
    if let AttachedTo::Named(name) = &area.attached_to { Some(quoted(name)) } else { None }
}

fn written_area_fields(area: &Area, carrier: Option<String>, layers: &[String], fields: Written) -> String {
    let Area { name, tag, shape, position, attached_to: _, collision_mask, priority, effects } = area;
    let effects = written_effects(effects);
    let written_fields = [
        (!name.is_empty()).then(|| format!("name: {}", quoted(name))),
        (!tag.is_empty()).then(|| format!("tag: {}", quoted(tag))),
        (fields == Written::Joined).then(|| "join: true".to_owned()),
        (fields != Written::Joined).then(|| format!("shape: {}", written_shape(shape))),
        (fields == Written::Listed).then(|| format!("at: {}", written_position(position.unwrap_or_default()))),
        carrier.map(|carrier| format!("attached_to: {carrier}")),
        (*collision_mask != CollisionLayers::ALL)
            .then(|| format!("collision_mask: [{}]", quoted_list(collision_mask.names(layers)))),
        (*priority != 0).then(|| format!("priority: {priority}")),
        (!effects.is_empty()).then(|| format!("effects: ({effects})")),
    ];
    format!("({})", join_fields(written_fields))
}

/// Writes a pair of numbers with the fewest digits that read back exactly.
fn written_pair(v: DVec2) -> String {
    format!("({:?}, {:?})", v.x, v.y)
}

fn written_shape(shape: &AreaShape) -> String {
    let pairs = |points: &[DVec2]| points.iter().map(|point| written_pair(*point)).collect::<Vec<_>>().join(", ");
    let center =
        |center: DVec2| if center == DVec2::ZERO { String::new() } else { format!(", {}", written_pair(center)) };
    match shape {
        AreaShape::Circle(circle) => format!("Circle({:?}{})", circle.radius(), center(circle.center())),
        AreaShape::Aabb(aabb) if aabb.min() == -aabb.max() => {
            format!("Aabb({:?}, {:?})", aabb.max().x, aabb.max().y)
        }
        AreaShape::Aabb(aabb) => format!("Aabb({})", pairs(&[aabb.min(), aabb.max()])),
        AreaShape::Obb(obb) => {
            let half = obb.half_extents();
            format!("Obb({:?}, {:?}, {}{})", half.x, half.y, written_pair(obb.axis()), center(obb.center()))
        }
        AreaShape::Capsule(capsule) => {
            format!("Capsule({}, {:?})", pairs(&[capsule.a(), capsule.b()]), capsule.radius())
        }
        AreaShape::Triangle(triangle) => format!("Triangle({})", pairs(&triangle.corners())),
        AreaShape::Polygon(polygon) => format!("Polygon([{}])", pairs(polygon.corners())),
        AreaShape::Boxes(boxes) => {
            let boxes = boxes.as_slice().iter().map(|aabb| format!("({})", pairs(&[aabb.min(), aabb.max()])));
            format!("Boxes([{}])", boxes.collect::<Vec<_>>().join(", "))
        }
    }
}

fn written_effects(effects: &Effects) -> String {
    let Effects { gravity, gravity_scale, drag, buoyancy, wind, speed_scale, climbable, ground_wind, up } = *effects;
    let number = |name: &str, value: Option<f64>| value.map(|value| format!("{name}: {value:?}"));
    join_fields([
        gravity.map(|gravity| format!("gravity: {}", written_pair(gravity))),
        number("gravity_scale", gravity_scale),
        number("drag", drag),
        number("buoyancy", buoyancy),
        wind.map(|wind| format!("wind: {}", written_pair(wind))),
        number("speed_scale", speed_scale),
        climbable.map(|climbable| format!("climbable: {climbable}")),
        ground_wind.map(|wind| format!("ground_wind: {}", written_pair(wind))),
        up.map(|up| format!("up: {up:?}")),
    ])
}

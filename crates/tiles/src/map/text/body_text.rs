//! Bodies in a map's text: reading, checking and writing. Replays read the fields of their bodies here too.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use super::bodies::{
    BODY_NUMBERS, BodyResponse, BodyShape, CHARACTER_NUMBERS, CharacterFields, NumberField, PLATFORM_VELOCITIES,
    PRESETS,
};
use super::capped::Capped;
use super::format::{Properties, read_names};
use super::platform_text::{read_position, written_position};
use super::properties::check_properties;
use super::write::{join_fields, quoted_list, written_properties};
use super::{CollisionLayers, Map, MapBodyError, MapErrorKind, bodies};
use crate::facing::Facing;
use crate::map::{BodyFieldError, BodyFields, BodyThing, PlacedBody};
use crate::range::RangeError;
use crate::text::Step::{Field, Item};
use crate::text::{Fields, Node, Problems, Reader, Shape, Step, Struct, Variant, quoted};
use crate::up::Up;
use glam::DVec2;
use std::collections::BTreeSet;
use std::fmt::{self, Write};
use std::sync::Arc;
use surefoot_geometry::Position;

const SHAPES: &[Variant] = &[
    Variant { name: "Circle", takes: (1, 1), words: "a radius, such as Circle(0.5)" },
    Variant { name: "Aabb", takes: (2, 2), words: "a half width and a half height, such as Aabb(0.5, 1.0)" },
];
const RESPONSES: &[Variant] = &[
    Variant { name: "Slide", takes: (0, 0), words: "" },
    Variant { name: "Bounce", takes: (1, 1), words: "the part of the speed that is kept, such as Bounce(0.6)" },
    Variant { name: "Stop", takes: (0, 0), words: "" },
    Variant { name: "Pass", takes: (0, 0), words: "" },
];
const VELOCITY: &str = "an x and a y, such as (1.5, 0.0)";

/// Reads the shape of a body.
pub fn read_shape<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<BodyShape> {
    let (_, values) = reader.read_variant(node, &["Circle", "Aabb"], SHAPES, |_| None)?;
    match values[..] {
        [radius] => Some(BodyShape::Circle(reader.read_number(radius))),
        [width, height] => Some(BodyShape::Aabb(reader.read_number(width), reader.read_number(height))),
        _ => None,
    }
}

/// Reads the side that a body faces.
pub fn read_facing<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Facing> {
    reader.read_word(node, Facing::NAMES.0, Facing::NAMES.1)
}

/// Reads the response of a body.
pub fn read_response<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<BodyResponse> {
    let (name, values) = reader.read_variant(node, &["Slide", "Bounce", "Stop", "Pass"], RESPONSES, |_| None)?;
    Some(match (name, &values[..]) {
        (_, &[part]) => BodyResponse::Bounce(reader.read_number(part)),
        ("Stop", _) => BodyResponse::Stop,
        ("Pass", _) => BodyResponse::Pass,
        _ => BodyResponse::Slide,
    })
}

/// Names that a character may have in front of its fields: none but the default one, or a preset.
const CHARACTERS: &[&str] = &["Character", PRESETS[0].name, PRESETS[1].name, PRESETS[2].name, PRESETS[3].name];

/// Reads the character of a body: fields, the word of a preset, or a preset with fields that replace its own.
pub fn read_character<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> CharacterFields {
    let is_named = !node.name().is_empty() || node.shape() == Shape::Text;
    let name = if is_named { reader.read_variant_name(node, CHARACTERS, |_| None) } else { Some(0) };
    let preset = name.filter(|&name| name > 0).map(|name| CHARACTERS[name]);
    let mut names: Vec<&str> = CHARACTER_NUMBERS.iter().map(|field| field.name).collect();
    names.extend(["platform_velocity", "air_jumps"]);
    let of = Struct { name: preset.unwrap_or(CHARACTERS[0]), required: &[], optional: &names };
    let has_fields = name.is_some() && (preset.is_none() || node.shape() != Shape::Word);
    let mut fields = if has_fields { reader.read_fields(node, of) } else { Fields::default() };
    // A preset has a `min_jump_height` that does not stand in the file. So if the jump height in the file is below it,
    // the error can only point to the jump height.
    let lowest_jump =
        PRESETS.iter().find(|known| Some(known.name) == preset).map_or(0.0, |known| known.min_jump_height);
    let lowest_jump = if fields.get("min_jump_height").is_some() { 0.0 } else { lowest_jump };
    // Ignore a negative height here: a later check refuses it, because no character may have it.
    let too_low =
        fields.get("jump_height").copied().filter(|height| (0.0..lowest_jump).contains(&reader.read_number(*height)));
    let mut numbers = read_numbers(reader, &mut fields, CHARACTER_NUMBERS);
    if let Some(height) = too_low {
        reader.report_out_of_range(height, &format!("at least {lowest_jump}, the `min_jump_height` of the preset"));
        numbers.retain(|(name, _)| *name != "jump_height");
    }
    let velocity = fields.take("platform_velocity");
    let velocity = velocity.and_then(|node| reader.read_word(node, PLATFORM_VELOCITIES, PLATFORM_VELOCITIES));
    let air_jumps = fields.take("air_jumps").map_or(0, |node| reader.read_integer_as(node, "0 to 255"));
    CharacterFields { preset, numbers, platform_velocity: velocity.unwrap_or(PLATFORM_VELOCITIES[0]), air_jumps }
}

/// Returns the numbers that are set, in the order of the table.
fn read_numbers<'t>(
    reader: &mut Reader<'t>,
    fields: &mut Fields<Node<'t>>,
    table: &[NumberField],
) -> Vec<(&'static str, f64)> {
    let mut numbers = Vec::new();
    for field in table {
        numbers.extend(fields.take(field.name).map(|node| (field.name, reader.read_number(node))));
    }
    numbers
}

/// Collision layers in a file: a word or a list of names.
enum LayersFile {
    Word(CollisionLayers),
    Names(Vec<String>),
}

/// Bodies of a file: the first ones, and how many there are.
#[derive(Default)]
pub(crate) struct BodyFiles {
    bodies: Capped<BodyFile, { Map::MAX_LISTED_BODIES }>,
}

/// A body in a file, before it is checked.
pub(crate) struct BodyFile {
    name: String,
    kind: String,
    position: Position,
    /// Whether the shape could be read.
    has_shape: bool,
    fields: BodyFields,
    layers: Option<LayersFile>,
    mask: Option<LayersFile>,
    properties: Properties,
}

impl BodyFiles {
    pub(super) fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> BodyFiles {
        let mut files = BodyFiles::default();
        reader.read_list(node, &[Shape::Struct], |reader, node| {
            files
                .bodies
                .count_and_push_if_room(|| BodyFile::read(reader, node, "Body", (&["name", "kind", "shape"], &["at"])));
        });
        files
    }

    /// Returns the number of values in properties.
    pub(super) fn property_value_count(&self) -> usize {
        self.bodies.list.iter().map(BodyFile::property_value_count).sum()
    }
}

impl BodyFile {
    /// Reads the body of a legend entry, whose cells give it name and position.
    pub(super) fn read_from_legend<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> BodyFile {
        BodyFile::read(reader, node, "body", (&["kind", "shape"], &[]))
    }

    fn read<'t>(
        reader: &mut Reader<'t>,
        node: Node<'t>,
        name: &'static str,
        (required, optional): (&[&'static str], &[&'static str]),
    ) -> BodyFile {
        let numbers: Vec<&str> = BODY_NUMBERS.iter().map(|field| field.name).collect();
        let last = ["collision_layers", "collision_mask", "one_way", "tag", "up", "properties"];
        let own = [optional, &["velocity", "facing", "response", "character"], &numbers, &last].concat();
        let mut fields = reader.read_fields(node, Struct { name, required, optional: &own });
        let mut text = |reader: &mut Reader<'t>, name| fields.take(name).map(|node| reader.read_string(node));
        let (name, kind) = (text(reader, "name"), text(reader, "kind"));
        let position = fields.take("at").map_or(Position::ORIGIN, |node| read_position(reader, node));
        let shape = fields.take("shape").and_then(|node| read_shape(reader, node));
        let mut layers = |reader: &mut Reader<'t>, name, word, set| {
            fields.take(name).and_then(|node| LayersFile::read(reader, node, word, set))
        };
        let first = layers(reader, "collision_layers", &["First"], CollisionLayers::FIRST);
        let mask = layers(reader, "collision_mask", &["All"], CollisionLayers::ALL);
        let default = BodyFields::default();
        let fields_of_body = BodyFields {
            shape: shape.unwrap_or(default.shape),
            velocity: fields
                .take("velocity")
                .map_or(DVec2::ZERO, |node| reader.read_number_pair(node, VELOCITY).into()),
            facing: fields.take("facing").and_then(|node| read_facing(reader, node)).unwrap_or_default(),
            response: fields.take("response").and_then(|node| read_response(reader, node)).unwrap_or_default(),
            numbers: read_numbers(reader, &mut fields, BODY_NUMBERS),
            character: fields.take("character").map(|node| read_character(reader, node)),
            one_way: fields.take("one_way").is_some_and(|node| reader.read_bool(node)),
            tag: fields.take("tag").map_or(0, |node| reader.read_integer_as(node, "0 to 2^64 - 1")),
            up: fields.take("up").and_then(|node| reader.read_word(node, Up::NAMES.0, Up::NAMES.1)),
            ..default
        };
        BodyFile {
            name: name.unwrap_or_default(),
            kind: kind.unwrap_or_default(),
            position,
            has_shape: shape.is_some(),
            fields: fields_of_body,
            layers: first,
            mask,
            properties: fields.take("properties").map(|node| Properties::read(reader, node)).unwrap_or_default(),
        }
    }

    /// Returns the number of values in properties.
    pub(super) fn property_value_count(&self) -> usize {
        self.properties.count
    }

    /// Returns the kind of the body.
    pub(super) fn kind(&self) -> &str {
        &self.kind
    }
}

impl LayersFile {
    fn read<'t>(
        reader: &mut Reader<'t>,
        node: Node<'t>,
        words: &'static [&'static str],
        set: CollisionLayers,
    ) -> Option<LayersFile> {
        if node.shape() != Shape::Word {
            return Some(LayersFile::Names(read_names(reader, node)));
        }
        if words.contains(&node.name()) {
            return Some(LayersFile::Word(set));
        }
        reader.report_mismatch(node, format!("`{}` or a list of collision layers, such as [\"enemy\"]", words[0]), "");
        None
    }

    /// Returns the layers. `refuse` gets the index and the error of each unknown name.
    fn collision_layers_named(
        self,
        table: &[String],
        mut refuse: impl FnMut(usize, BodyFieldError),
    ) -> CollisionLayers {
        match self {
            LayersFile::Word(set) => set,
            LayersFile::Names(names) => {
                let known = names.iter().enumerate().filter_map(|(i, name)| {
                    CollisionLayers::of_names([name], table).map_err(|error| refuse(i, error.into())).ok()
                });
                known.fold(CollisionLayers::NONE, CollisionLayers::union)
            }
        }
    }
}

/// Parts of a file on which its bodies depend.
#[derive(Clone, Copy)]
pub(super) struct BodyRefs<'a> {
    pub(super) collision_layers: &'a [String],
    /// Whether properties are read. Not if the file has too many.
    pub(super) has_properties: bool,
}

/// Returns the bodies of a file and reports their errors.
pub(super) fn check_bodies(
    files: BodyFiles,
    refs: BodyRefs<'_>,
    problems: &mut Problems<MapErrorKind>,
) -> Vec<PlacedBody> {
    let Capped { list, count } = files.bodies;
    problems.ok_or_add(&[Field("bodies")], bodies::check_body_count(count, 0));
    let (mut bodies, mut names) = (Vec::new(), BTreeSet::new());
    for (i, mut file) in list.into_iter().enumerate() {
        let way = [Field("bodies"), Item(i)];
        let (name, position) = (std::mem::take(&mut file.name), file.position);
        let at_name = [way[0], way[1], Field("name")];
        if name.is_empty() {
            problems.add(&at_name, || MapBodyError::Nameless.into());
        } else if !names.insert(name.clone()) {
            problems.add(&at_name, || MapBodyError::Duplicate { name: name.clone() }.into());
        }
        let thing = check_body_thing(file, &name, &way, refs, problems);
        bodies.push(PlacedBody { name, position, thing });
    }
    bodies
}

/// Returns the body at the end of a path in the file and reports its errors. `name`: how errors name the body.
pub(super) fn check_body_thing(
    file: BodyFile,
    name: &str,
    path_in_file: &[Step<'static>],
    refs: BodyRefs<'_>,
    problems: &mut Problems<MapErrorKind>,
) -> Arc<BodyThing> {
    let BodyFile { kind, mut fields, layers, mask, properties, has_shape, .. } = file;
    let refused = |error| MapErrorKind::from(MapBodyError::Refused { name: name.to_owned(), error });
    if kind.is_empty() {
        problems
            .add(&[path_in_file, &[Field("kind")]].concat(), || MapBodyError::NoKind { name: name.to_owned() }.into());
    }
    for (field, file, resolved) in [
        ("collision_layers", layers, &mut fields.collision_layers),
        ("collision_mask", mask, &mut fields.collision_mask),
    ] {
        if let Some(file) = file {
            *resolved = file.collision_layers_named(refs.collision_layers, |item, error| {
                problems.add(&[path_in_file, &[Field(field), Item(item)]].concat(), || refused(error));
            });
        }
    }
    fields.check_numbers(|error| {
        if has_shape || error.field != "shape" {
            problems.add(&[path_in_file, &field_path_of_range_error(error)].concat(), || refused(error.into()));
        }
    });
    if has_shape && fields.is_one_way_circle() {
        problems.add(&[path_in_file, &[Field("one_way")]].concat(), || refused(BodyFieldError::OneWayCircle));
    }
    let properties = if refs.has_properties { properties } else { Properties::default() };
    let properties = check_properties(properties, [path_in_file, &[Field("properties")]].concat(), problems);
    Arc::new(BodyThing { kind, fields, properties })
}

/// Returns the path from a body in a file to the number of an error.
fn field_path_of_range_error(error: RangeError) -> Vec<Step<'static>> {
    match error.field.split_once('.') {
        _ if error.field == "bounce" => vec![Field("response"), Item(0)],
        None => vec![Field(error.field)],
        Some((field, "x")) => vec![Field(field), Item(0)],
        Some((field, "y")) => vec![Field(field), Item(1)],
        Some((field, part)) => vec![Field(field), Field(part)],
    }
}

/// Writes the bodies of a map. `layers` has the names of collision layers.
pub(super) fn write_bodies(out: &mut String, bodies: &[PlacedBody], layers: &[String]) -> fmt::Result {
    if bodies.is_empty() {
        return Ok(());
    }
    out.push_str("    bodies: [\n");
    for PlacedBody { name, position, thing } in bodies {
        let at = format!("at: {}", written_position(*position));
        writeln!(out, "        (name: {}, {}),", quoted(name), written_body_thing(thing, Some(at), layers))?;
    }
    out.push_str("    ],\n");
    Ok(())
}

/// Returns the fields of a body, without its name. `at` is the field of its position.
pub(super) fn written_body_thing(thing: &BodyThing, at: Option<String>, layers: &[String]) -> String {
    let BodyThing { kind, fields, properties } = thing;
    let numbers =
        |numbers: &[(&str, f64)]| join_fields(numbers.iter().map(|(name, value)| Some(format!("{name}: {value:?}"))));
    let shape = match fields.shape {
        BodyShape::Circle(radius) => format!("Circle({radius:?})"),
        BodyShape::Aabb(width, height) => format!("Aabb({width:?}, {height:?})"),
    };
    let response = match fields.response {
        BodyResponse::Slide => None,
        BodyResponse::Bounce(factor) => Some(format!("response: Bounce({factor:?})")),
        other => Some(format!("response: {other:?}")),
    };
    let character = fields.character.as_ref().map(|character| {
        let CharacterFields { preset, numbers: own, platform_velocity, air_jumps } = character;
        let own = join_fields([
            Some(numbers(own)).filter(|own| !own.is_empty()),
            (*platform_velocity != PLATFORM_VELOCITIES[0]).then(|| format!("platform_velocity: {platform_velocity}")),
            (*air_jumps != 0).then(|| format!("air_jumps: {air_jumps}")),
        ]);
        let preset = preset.unwrap_or_default();
        if own.is_empty() && !preset.is_empty() {
            format!("character: {preset}")
        } else {
            format!("character: {preset}({own})")
        }
    });
    let layer_field = |name: &str, own: CollisionLayers, default, all: &str| {
        let names = || {
            if own == CollisionLayers::ALL { all.to_owned() } else { format!("[{}]", quoted_list(own.names(layers))) }
        };
        (own != default).then(|| format!("{name}: {}", names()))
    };
    join_fields([
        Some(format!("kind: {}", quoted(kind))),
        at,
        Some(format!("shape: {shape}")),
        (fields.velocity != DVec2::ZERO)
            .then(|| format!("velocity: ({:?}, {:?})", fields.velocity.x, fields.velocity.y)),
        (fields.facing != Facing::default()).then(|| format!("facing: {:?}", fields.facing)),
        response,
        Some(numbers(&fields.numbers)).filter(|numbers| !numbers.is_empty()),
        character,
        layer_field("collision_layers", fields.collision_layers, CollisionLayers::FIRST, "All"),
        layer_field("collision_mask", fields.collision_mask, CollisionLayers::NONE, "All"),
        fields.one_way.then(|| "one_way: true".to_owned()),
        (fields.tag != 0).then(|| format!("tag: {}", fields.tag)),
        fields.up.map(|up| format!("up: {up:?}")),
        (!properties.is_empty()).then(|| format!("properties: {}", written_properties(properties))),
    ])
}

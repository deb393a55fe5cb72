//! Commands in a replay's text: reading, checking and writing.

use super::ReplayErrorKind;
use super::check::{Checker, KnownBody};
use super::format::{
    ALL, CELL, FIRST, I64_RANGE, Spot, VELOCITY, read_body_character, read_body_shape, read_body_up, read_facing,
};
use super::things::Things;
use super::write::{
    KindNames, character_text, layer_names, pair_text, spot_text, write_body, write_new_properties, written_shape,
};
use crate::area::{Area, AreaId, AttachedTo};
use crate::body::{Body, BodyError, Character, Facing, check_velocity};
use crate::command::{Command, check_offset, check_shift, check_ticks};
use crate::event::BodyId;
use crate::map::{CollisionLayers, Map, TileId};
use crate::motion::{Shape, Up};
use crate::platform::{Platform, PlatformId};
use crate::range::RangeError;
use crate::record::Names;
use crate::text::Step::Item;
use crate::text::{FormError, Node, Reader, Shape as Written, Step, Variant, quoted};
use crate::tiles::map::{write_platform, written_area};
use glam::DVec2;
use std::fmt::{self, Write};
use surefoot_geometry::Position;

/// Defines each command by a row: the kinds of its arguments, how the command is made from them, and how they are
/// made from a command.
macro_rules! commands {
    ($($variant:ident $fields:tt takes $($kind:ident($value:ident)),+; $words:literal)+) => {
        const NAMES: &[&str] = &[$(stringify!($variant)),+];
        const TAKES: &[&[Kind]] = &[$(&[$(Kind::$kind),+]),+];
        const VARIANTS: &[Variant] =
            &[$(Variant { name: stringify!($variant), takes: min_and_max_arguments(&[$(Kind::$kind),+]), words: $words }),+];

        /// Returns the command with that name and arguments.
        fn command_from_name_and_arguments(name: &str, values: &[Value]) -> Option<Command> {
            $(if name == stringify!($variant) && let [$(Value::$kind($value)),+] = values {
                $(let $value = $value.clone();)+
                return Some(Command::$variant $fields);
            })+
            None
        }

        /// Returns the name of a command and its arguments.
        fn command_name_and_arguments(command: &Command) -> Option<(&'static str, Vec<Value>)> {
            match command.clone() {
                $(Command::$variant $fields => Some((stringify!($variant), vec![$(Value::$kind($value)),+])),)+
                // Inputs are written separately, for each body.
                Command::SetInput(..) => None,
                // No other variant exists: a test compares the rows of this macro with the variants of `Command`.
                _ => None,
            }
        }
    };
}

commands! {
    Spawn(body) takes NewBody(body);
        "a body, such as Spawn(Body(name: \"a\", shape: Circle(0.5)))"
    Despawn(id) takes Body(id);
        "a body's name, such as Despawn(\"a\")"
    SetVelocity(id, velocity) takes Body(id), Velocity(velocity);
        "a body's name and a velocity, such as SetVelocity(\"a\", (1.0, 0.0))"
    Teleport(id, position) takes Body(id), Position(position);
        "a body's name and a position, such as Teleport(\"a\", At(2.5, 1.0))"
    SetCharacter(id, character) takes Actor(id), Character(character);
        "a body's name and a character, such as SetCharacter(\"a\", (walk_speed: 6.0))"
    SetTile { layer, tile, tile_id: entry } takes Tile(tile), Entry(entry), Layer(layer);
        "a tile's place and what to paint there, such as SetTile((3, 0), \"#\")"
    SetTiles { layer, from, to, tile_id: entry } takes Tile(from), Tile(to), Entry(entry), Layer(layer);
        "two corners and what to paint there, such as SetTiles((3, 0), (5, 1), \"#\")"
    SpawnPlatform(platform) takes NewPlatform(platform);
        "a platform, such as SpawnPlatform(Platform(name: \"lift\", tiles: [\"==\"]))"
    DespawnPlatform(id) takes Platform(id);
        "a platform's name, such as DespawnPlatform(\"lift\")"
    DrivePlatform(id, position) takes Platform(id), Corner(position);
        "a platform's name and a position, such as DrivePlatform(\"lift\", At(2.0, 1.5))"
    TeleportPlatform(id, position) takes Platform(id), Corner(position);
        "a platform's name and a position, such as TeleportPlatform(\"lift\", At(2.0, 1.5))"
    PausePlatform(id) takes Platform(id);
        "a platform's name, such as PausePlatform(\"lift\")"
    ResumePlatform(id) takes Platform(id);
        "a platform's name, such as ResumePlatform(\"lift\")"
    SetPlatformTile { platform: id, layer, tile, tile_id: entry }
        takes Platform(id), OwnTile(tile), Entry(entry), OwnLayer(layer);
        "a platform's name, a tile's place and what to paint there, such as SetPlatformTile(\"lift\", (1, 0), \"#\")"
    SetCollisionLayers(id, layers) takes Body(id), Layers(layers);
        "a body's name and a list of layers, such as SetCollisionLayers(\"a\", [\"ghost\"])"
    SetCollisionMask(id, mask) takes Body(id), Mask(mask);
        "a body's name and a list of layers, such as SetCollisionMask(\"a\", [\"ghost\"])"
    Grab(by, body) takes Actor(by), Body(body);
        "the name of a character and of a body, such as Grab(\"hero\", \"crate\")"
    Carry(by, body, offset) takes Actor(by), Body(body), Offset(offset);
        "the name of a character, of a body, and an offset, such as Carry(\"hero\", \"ball\", (0.0, 1.0))"
    Release(id, velocity) takes Body(id), Velocity(velocity);
        "a body's name and a velocity, such as Release(\"ball\", (8.0, 3.0))"
    SetShape(id, shape) takes Body(id), Shape(shape);
        "a body's name and a shape, such as SetShape(\"a\", Circle(0.25))"
    SetShapeFromTop(id, shape) takes Body(id), Shape(shape);
        "a body's name and a shape, such as SetShapeFromTop(\"a\", Circle(0.25))"
    AddVelocity(id, velocity) takes Body(id), Velocity(velocity);
        "a body's name and a velocity, such as AddVelocity(\"a\", (1.0, 0.0))"
    Knockback(id, velocity, ticks) takes Actor(id), Velocity(velocity), Ticks(ticks);
        "a character's name, a velocity and ticks, such as Knockback(\"hero\", (-4.0, 6.0), 20)"
    HitStop(id, ticks) takes Body(id), Ticks(ticks);
        "a body's name and ticks, such as HitStop(\"hero\", 6)"
    MoveBy(id, way) takes Body(id), Shift(way);
        "a body's name and a displacement, such as MoveBy(\"a\", (0.5, 0.0))"
    SetFacing(id, side) takes Body(id), Side(side);
        "a body's name and a side, such as SetFacing(\"hero\", Left)"
    SetUp(id, up) takes Body(id), Up(up);
        "a body's name and an up, such as SetUp(\"hero\", MinusY)"
    SetBody(id, body) takes Body(id), Other(body);
        "a body's name and what it becomes, such as SetBody(\"a\", (friction: 0.5))"
    SpawnArea(area) takes NewArea(area);
        "an area, such as SpawnArea(Area(name: \"coin\", shape: Circle(0.5)))"
    SetArea(id, area) takes Area(id), OtherArea(area);
        "an area's name and what it becomes, such as SetArea(\"water\", Area(name: \"water\", shape: Circle(0.5)))"
    DespawnArea(id) takes Area(id);
        "an area's name, such as DespawnArea(\"water\")"
    MoveArea(id, position) takes Area(id), Corner(position);
        "an area's name and a position, such as MoveArea(\"water\", At(2.0, 1.5))"
}

/// Returns the minimum and maximum number of arguments of a command.
const fn min_and_max_arguments(takes: &[Kind]) -> (usize, usize) {
    (takes.len() - matches!(takes[takes.len() - 1], Kind::Layer | Kind::OwnLayer) as usize, takes.len())
}

/// Kind of an argument. "Before" means: earlier in the same command. Reading and writing handle each kind.
#[derive(Clone, Copy)]
enum Kind {
    NewBody,
    NewPlatform,
    NewArea,
    /// New definition of the area before.
    OtherArea,
    /// New properties of the body before, without shape and position.
    Other,
    Body,
    /// A body that must be a character.
    Actor,
    Velocity,
    /// Offset between the body before and the one before that.
    Offset,
    /// Displacement of the body before.
    Shift,
    Position,
    Character,
    Shape,
    Tile,
    Entry,
    /// May be omitted at the end, for the first layer.
    Layer,
    Platform,
    Area,
    /// Target of the lower left corner of the platform before, or of the origin of the area.
    Corner,
    /// A cell of the platform before.
    OwnTile,
    /// A layer of the platform before. May be omitted at the end, for the first layer.
    OwnLayer,
    /// A number of ticks.
    Ticks,
    /// `Left`, `Unset` or `Right`.
    Side,
    /// The up of a body, or `None` for the world's.
    Up,
    /// Collision layers of a body.
    Layers,
    /// Collision mask of a body.
    Mask,
}

/// Value of an argument.
enum Value {
    NewBody(Box<Body>),
    NewPlatform(Box<Platform>),
    NewArea(Box<Area>),
    OtherArea(Box<Area>),
    Other(Box<Body>),
    Body(BodyId),
    Actor(BodyId),
    Velocity(DVec2),
    Offset(DVec2),
    Shift(DVec2),
    Position(Position),
    Character(Box<Character>),
    Shape(Shape),
    Tile((i32, i32)),
    Entry(TileId),
    Layer(usize),
    Platform(PlatformId),
    Area(AreaId),
    Corner(Position),
    OwnTile((i32, i32)),
    OwnLayer(usize),
    Ticks(u32),
    Side(Facing),
    Up(Option<Up>),
    Layers(CollisionLayers),
    Mask(CollisionLayers),
}

/// The last named body, platform or area, and the spawned body.
#[derive(Default)]
struct Subject {
    name: String,
    known: Option<KnownBody>,
    platform: Option<PlatformId>,
    area: Option<AreaId>,
    spawned: BodyId,
}

impl Checker<'_> {
    /// Reads the command at the end of a path in the file, with the body that it spawns. `at`: the tick before which it
    /// applies. If that is invalid, the earliest possible tick.
    pub(super) fn read_command<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        node: Node<'t>,
        at: Result<u64, u64>,
        path_in_file: &[Step<'static>],
    ) -> Option<(BodyId, Command)> {
        let takes = |name| NAMES.iter().position(|known| *known == name).map(|index| TAKES[index]);
        let begins_with_tile = takes(node.name()).is_some_and(|takes| matches!(takes[0], Kind::Tile));
        if begins_with_tile && report_if_cell_lacks_parentheses(reader, node) {
            return None;
        }
        let (name_of_command, nodes) = reader.read_variant(node, NAMES, VARIANTS, |_| None)?;
        let (takes, mut nodes) = (takes(name_of_command)?, nodes.into_iter());
        let mut subject = Subject::default();
        let mut values = Vec::new();
        for (i, kind) in takes.iter().enumerate() {
            let path_in_file = [path_in_file, &[Item(i)]].concat();
            values.extend(self.read_argument(reader, (*kind, nodes.next()), at, &mut subject, &path_in_file));
        }
        let command =
            command_from_name_and_arguments(name_of_command, &values).filter(|_| values.len() == takes.len())?;
        let Subject { name, spawned, .. } = subject;
        self.update_known_body(&name, &command, at.ok());
        self.things.update_after_command(&command);
        Some((spawned, command))
    }

    /// Reads an argument of a command. If it names a body, a platform or an area, that is the new subject.
    fn read_argument<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        (kind, node): (Kind, Option<Node<'t>>),
        at: Result<u64, u64>,
        subject: &mut Subject,
        path_in_file: &[Step<'static>],
    ) -> Option<Value> {
        let (Ok(tick) | Err(tick)) = at;
        let node = match (kind, node) {
            (Kind::Layer, node) => {
                return self.find_layer(node.map(|node| reader.read_string(node)), path_in_file).map(Value::Layer);
            }
            (Kind::OwnLayer, node) => {
                let own = node.map(|node| reader.read_string(node));
                let of = (subject.platform, &subject.name[..]);
                return self.find_platform_layer(of, own, path_in_file).map(Value::OwnLayer);
            }
            (_, node) => node?,
        };
        match kind {
            Kind::NewBody => {
                let (id, body) = self.check_body(reader, node, at.unwrap_or(0), path_in_file)?;
                subject.spawned = id;
                Some(Value::NewBody(Box::new(body)))
            }
            Kind::Body | Kind::Actor => {
                let text = reader.read_string(node);
                let known = self.find_present_body(&text, tick, path_in_file);
                let is_actor = matches!(kind, Kind::Actor);
                if is_actor && known.is_some_and(|known| !known.character) {
                    self.add_error(path_in_file, &[], ReplayErrorKind::NotACharacter { name: text.clone() });
                }
                (subject.name, subject.known) = (text, known);
                known.map(|known| if is_actor { Value::Actor(known.id) } else { Value::Body(known.id) })
            }
            Kind::Platform => {
                let text = reader.read_string(node);
                subject.platform = self.find_platform(&text, tick, path_in_file);
                (subject.name, subject.known) = (text, None);
                subject.platform.map(Value::Platform)
            }
            Kind::Area => {
                let text = reader.read_string(node);
                subject.area = self.find_area(&text, tick, path_in_file);
                (subject.name, subject.known) = (text, None);
                subject.area.map(Value::Area)
            }
            Kind::NewPlatform => {
                self.check_platform(reader, node, tick, path_in_file).map(Box::new).map(Value::NewPlatform)
            }
            Kind::NewArea => {
                self.check_area(reader, node, (None, tick), path_in_file).map(Box::new).map(Value::NewArea)
            }
            Kind::OtherArea => {
                // An unknown area is already reported.
                let of = Some(subject.area.unwrap_or_default());
                self.check_area(reader, node, (of, tick), path_in_file).map(Box::new).map(Value::OtherArea)
            }
            _ => self.read_argument_that_names_nothing(reader, (kind, node), subject, path_in_file),
        }
    }

    /// Reads an argument that names no body, platform or area.
    fn read_argument_that_names_nothing<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        (kind, node): (Kind, Node<'t>),
        subject: &Subject,
        path_in_file: &[Step<'static>],
    ) -> Option<Value> {
        let (name, known) = (subject.name.as_str(), subject.known);
        let shape_of_known = known.and_then(|known| known.shape);
        match kind {
            Kind::Other => {
                let shape = shape_of_known.unwrap_or(Shape::aabb(0.5, 0.5));
                Some(Value::Other(Box::new(self.check_new_properties(reader, node, (name, shape), path_in_file))))
            }
            Kind::Velocity => Some(Value::Velocity(self.read_vector(reader, node, check_velocity, name, path_in_file))),
            Kind::Offset => Some(Value::Offset(self.read_vector(reader, node, check_offset, name, path_in_file))),
            Kind::Shift => Some(Value::Shift(self.read_vector(reader, node, check_shift, name, path_in_file))),
            Kind::Position => {
                let spot = Spot::read(reader, node).unwrap_or_default();
                let (layers, up) = known.map_or((CollisionLayers::FIRST, None), |known| (known.layers, known.up));
                self.resolve_position(name, (shape_of_known, layers, up), &spot, path_in_file, &[]).map(Value::Position)
            }
            Kind::Character => {
                let character = read_body_character(reader, node);
                self.check_character(name, character, path_in_file);
                Some(Value::Character(Box::new(character)))
            }
            Kind::Shape => {
                let shape = read_body_shape(reader, node);
                if let Some(error) = shape.and_then(|shape| shape.check().err()) {
                    self.report_body_error(name, error, path_in_file, &[]);
                }
                shape.map(Value::Shape)
            }
            Kind::Tile => {
                let tile = reader.read_integer_pair(node, CELL, I64_RANGE);
                self.check_tile(tile, path_in_file).map(Value::Tile)
            }
            Kind::Corner => {
                let spot = Spot::read_corner(reader, node).unwrap_or_default();
                self.resolve_corner(name, &spot, path_in_file).map(Value::Corner)
            }
            Kind::OwnTile => {
                let tile = reader.read_integer_pair(node, CELL, I64_RANGE);
                self.check_platform_tile((subject.platform, name), tile, path_in_file).map(Value::OwnTile)
            }
            Kind::Ticks => {
                let ticks = reader.read_integer(node, I64_RANGE);
                if let Err(error) = check_ticks(ticks) {
                    self.report_body_error(name, error, path_in_file, &[]);
                }
                u32::try_from(ticks).ok().map(Value::Ticks)
            }
            Kind::Side => read_facing(reader, node).map(Value::Side),
            Kind::Up => read_body_up(reader, node).map(Value::Up),
            Kind::Layers => self.read_collision_layers(reader, node, FIRST, path_in_file).map(Value::Layers),
            Kind::Mask => self.read_collision_layers(reader, node, ALL, path_in_file).map(Value::Mask),
            Kind::Entry => self.find_tile_kind(reader.read_string(node), path_in_file).map(Value::Entry),
            // `read_argument` reads these kinds.
            Kind::NewBody
            | Kind::NewPlatform
            | Kind::NewArea
            | Kind::OtherArea
            | Kind::Body
            | Kind::Actor
            | Kind::Platform
            | Kind::Area
            | Kind::Layer
            | Kind::OwnLayer => None,
        }
    }

    /// Reads a vector, and checks both numbers.
    fn read_vector<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        node: Node<'t>,
        check: fn(DVec2) -> Result<(), RangeError>,
        name: &str,
        path_in_file: &[Step<'static>],
    ) -> DVec2 {
        let (x, y) = reader.read_number_pair(node, VELOCITY);
        for (checked, axis) in [(DVec2::new(x, 0.0), 0), (DVec2::new(0.0, y), 1)] {
            if let Err(error) = check(checked) {
                self.report_body_error(name, error, path_in_file, &[Item(axis)]);
            }
        }
        DVec2::new(x, y)
    }

    /// Reports a value that the body `name` must not have.
    fn report_body_error(
        &mut self,
        name: &str,
        error: impl Into<BodyError>,
        path_in_file: &[Step<'static>],
        part: &[Step<'static>],
    ) {
        self.add_error(path_in_file, part, ReplayErrorKind::Body { name: name.to_owned(), error: error.into() });
    }
}

/// Writes a command. `spawned` is the body that a spawn creates.
pub(super) fn write_command(
    out: &mut String,
    command: &Command,
    spawned: BodyId,
    (names, things): (&Names, &Things),
    map: &Map,
    kinds: &KindNames,
) -> fmt::Result {
    let Some((name, values)) = command_name_and_arguments(command) else { return Ok(()) };
    let named = |id| quoted(names.name(id).unwrap_or_default());
    let mut platform = None;
    write!(out, "{name}(")?;
    for (i, value) in values.iter().enumerate() {
        if i > 0 && !matches!(value, Value::Layer(0) | Value::OwnLayer(0)) {
            out.write_str(", ")?;
        }
        match value {
            Value::NewBody(body) => {
                out.write_str("Body")?;
                write_body(out, &named(spawned), body, map)?;
            }
            Value::Other(body) => write_new_properties(out, body, map)?,
            Value::Body(id) | Value::Actor(id) => out.write_str(&named(*id))?,
            Value::Velocity(pair_of) | Value::Offset(pair_of) | Value::Shift(pair_of) => {
                out.write_str(&pair_text(*pair_of))?
            }
            Value::Position(position) => out.write_str(&spot_text(*position))?,
            Value::Shape(shape) => out.write_str(&written_shape(*shape))?,
            Value::Character(character) => out.write_str(&character_text(**character))?,
            Value::Tile(tile) | Value::OwnTile(tile) => write!(out, "{tile:?}")?,
            // Names always exist here: a replay with commands that cannot be written is never created.
            Value::Entry(entry) => out.write_str(&quoted(&kinds.name(*entry).unwrap_or_default()))?,
            Value::NewPlatform(platform) => {
                out.write_str("Platform(\n")?;
                write_platform(out, platform, kinds.letters(), "            ")?;
                out.write_str("        )")?;
            }
            Value::NewArea(area) | Value::OtherArea(area) => {
                let carrier = match &area.attached_to {
                    AttachedTo::World => None,
                    AttachedTo::Named(name) => Some(quoted(name)),
                    AttachedTo::Platform(id) => Some(quoted(things.platforms.name(*id).unwrap_or_default())),
                    AttachedTo::Body(id) => Some(format!("Body({})", named(*id))),
                };
                write!(out, "Area{}", written_area(area, carrier, map.collision_layers()))?;
            }
            Value::Platform(id) => {
                platform = Some(*id);
                out.write_str(&quoted(things.platforms.name(*id).unwrap_or_default()))?;
            }
            Value::Area(id) => out.write_str(&quoted(things.areas.name(*id).unwrap_or_default()))?,
            Value::Corner(position) => out.write_str(&spot_text(*position))?,
            Value::Ticks(ticks) => write!(out, "{ticks}")?,
            Value::Side(side) => write!(out, "{side:?}")?,
            Value::Up(Some(up)) => write!(out, "{up:?}")?,
            Value::Up(None) => out.write_str("None")?,
            Value::Layers(layers) => out.write_str(&layer_names(*layers, FIRST, map))?,
            Value::Mask(mask) => out.write_str(&layer_names(*mask, ALL, map))?,
            Value::Layer(0) | Value::OwnLayer(0) => {}
            Value::OwnLayer(layer) => {
                let layers = platform.map_or(&[][..], |platform| things.layers(platform));
                out.write_str(&quoted(layers.get(*layer).map_or("", |layer| &layer.name)))?;
            }
            Value::Layer(layer) => out.write_str(&quoted(&map.layers()[*layer].name))?,
        }
    }
    out.write_char(')')
}

/// Reports a cell whose x and y are without parentheses. Returns whether it is one.
fn report_if_cell_lacks_parentheses<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> bool {
    let mut values = Vec::new();
    node.visit_parts(|_, value| {
        values.push(value);
        values.len() < 2
    });
    let [x, y] = values[..] else { return false };
    if node.shape() != Written::Tuple || x.shape() != Written::Integer || y.shape() != Written::Integer {
        return false;
    }
    let hint = format!("did you mean {}(({}, {}), ...)?", node.name(), x.source(), y.source());
    let expected = "a cell as an x and a y in parentheses".to_owned();
    reader.report_wrong(node, FormError::Type { expected, found: "two values".to_owned(), hint });
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_row_or_is_written_elsewhere() {
        let error = ron::from_str::<Command>("Unknown").unwrap_err().code;
        let ron::Error::NoSuchEnumVariant { expected, .. } = error else { panic!("{error}") };
        let mut variants = expected.to_vec();
        let mut written = [NAMES, &["SetInput"]].concat();
        variants.sort_unstable();
        written.sort_unstable();
        assert_eq!(written, variants);
    }
}

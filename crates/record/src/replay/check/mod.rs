//! Reads the parts of a replay file, checks them against each other and the map, and collects the errors.

mod commands;
mod sums;
mod things;

use super::expect::Expectation;
use super::format::{
    ALL, FIRST, RUN, SETTINGS, Spot, TICKS, VELOCITY, read_body_character, read_body_response, read_body_shape,
    read_facing, read_floor_limit, read_tile_sums, read_up_direction,
};
use super::scenario::{Scenario, Track};
use super::things::Things;
use super::{InputRun, MapSource, Replay, ReplayErrorKind, marker_names};
use crate::body::{Body, BodyError, Character, Input};
use crate::checksum::{Checksum, PHYSICS_VERSION};
use crate::event::BodyId;
use crate::map::{CollisionLayers, Map};
use crate::motion::{Mover, Shape, SlopeLimit, Up};
use crate::range::RangeError;
use crate::record::{Names, Recording, RecordingStart};
use crate::terrain::Terrain;
use crate::text::Step::{Field, Item, Key, Value};
use crate::text::{Fields, Node, Problems, Reader, Shape as Written, Step, Struct};
use crate::world::{Settings, Slots};
use glam::DVec2;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use surefoot_geometry::Position;

/// Maximum sizes of a replay. A test lowers them, so that its text need not have a million commands.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) bodies: usize,
    pub(super) commands: usize,
    pub(super) positions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { bodies: Replay::MAX_BODIES, commands: Replay::MAX_COMMANDS, positions: Replay::MAX_POSITIONS }
    }
}

/// Reads and checks everything in a file except its map. The order is: physics, map checksum, source, settings, ticks,
/// bodies, commands, inputs, expectations, checksums. Returns the replay if there are no errors.
///
/// Without a map, the parts that depend on it are not checked. Each mistake is reported once.
pub(super) fn check_replay<'t>(
    reader: &mut Reader<'t>,
    mut fields: Fields<Node<'t>>,
    physics: Option<u32>,
    map: Option<(MapSource, Map)>,
    limits: Limits,
    problems: &mut Problems<ReplayErrorKind>,
) -> Option<Replay> {
    let (source, map) = map.unzip();
    // The caller has already refused other format numbers. This only checks that the field is an integer.
    if let Some(node) = fields.take("format") {
        reader.read_integer(node, "2");
    }
    let mut checksum = |reader: &mut Reader<'t>, name| {
        let text = fields.take(name).map(|node| reader.read_string(node))?;
        problems.ok_or_add(
            &[Field(name)],
            text.parse::<Checksum>().map_err(|error| ReplayErrorKind::Checksum { field: name, error }),
        )
    };
    let (recorded_on, tiles) = (checksum(reader, "map_checksum"), checksum(reader, "source"));
    let tiles = tiles.map(|Checksum(identity)| identity);
    let map_tiles = fields.take("map_tiles").and_then(|node| read_tile_sums(reader, node));
    let settings = fields.take("settings").map(|node| read_settings(reader, node, problems)).unwrap_or_default();
    let found = fields.take("ticks").map_or(0, |node| reader.read_integer(node, TICKS));
    let is_count = (0..=Replay::MAX_TICKS as i64).contains(&found);
    if !is_count {
        problems.add(&[Field("ticks")], || ReplayErrorKind::Ticks { found });
    }
    let mut checker = Checker {
        map: map.as_ref(),
        streamed: tiles.is_some(),
        settings,
        ticks: if is_count { found } else { Replay::MAX_TICKS as i64 },
        terrain: OnceCell::new(),
        slots: Slots::default(),
        known: BTreeMap::new(),
        names: Names::default(),
        things: map.as_ref().map(Things::of_map).unwrap_or_default(),
        limits,
        problems,
    };
    let mut bodies = Vec::new();
    if let Some(node) = fields.take("bodies") {
        let mut items = 0..;
        reader.read_list(node, &[Written::Struct], |reader, node| {
            let i = items.next().unwrap_or_default();
            bodies.extend(checker.check_body(reader, node, 0, &[Field("bodies"), Item(i)]));
        });
    }
    let commands = fields.take("commands").map(|node| checker.check_commands(reader, node)).unwrap_or_default();
    let inputs = fields.take("inputs").map(|node| checker.read_and_check_inputs(reader, node)).unwrap_or_default();
    let expect =
        fields.take("expect").map(|node| checker.read_and_check_expectations(reader, node)).unwrap_or_default();
    let checkpoints = fields.take("checksums").map(|node| checker.check_checksums(reader, node)).unwrap_or_default();
    let names = std::mem::take(&mut checker.names);
    if !problems.is_empty() {
        return None;
    }
    let (source, map, ticks) = (source?, Arc::new(map?), found as u64);
    let (commands, runs) = Scenario { bodies, commands, inputs }.compile_to_commands(ticks);
    let recorded_on = recorded_on.unwrap_or_else(|| map.checksum());
    let mut log = Recording::new(physics?, recorded_on, tiles, None, RecordingStart::New { settings, commands });
    (log.runs, log.ticks, log.checkpoints, log.names) = (runs, ticks, checkpoints, names);
    log.tiles = map_tiles;
    Some(Replay { source, map, recording: Arc::new(log.marked_complete()), expect })
}

/// Returns the physics version of a file, or the present one if it has none.
pub(super) fn read_physics_version<'t>(
    reader: &mut Reader<'t>,
    node: Option<Node<'t>>,
    problems: &mut Problems<ReplayErrorKind>,
) -> Option<u32> {
    let Some(node) = node else { return Some(PHYSICS_VERSION) };
    let found = reader.read_integer(node, "1 to 2^32 - 1");
    let version = u32::try_from(found).ok().filter(|&version| version > 0);
    problems.ok_or_add(&[Field("physics")], version.ok_or(ReplayErrorKind::Physics { found }))
}

/// Returns the settings of a file, with defaults for invalid ones.
fn read_settings<'t>(reader: &mut Reader<'t>, node: Node<'t>, problems: &mut Problems<ReplayErrorKind>) -> Settings {
    let mut fields = reader.read_fields(node, SETTINGS);
    let up = fields.take("up").and_then(|node| read_up_direction(reader, node));
    let mut settings = Settings::default().up(up.unwrap_or_default());
    if let Some(node) = fields.take("tick") {
        settings = valid_or_former_settings(settings, settings.tick(reader.read_number(node)), problems);
    }
    if let Some(node) = fields.take("gravity") {
        let (x, y) = reader.read_number_pair(node, "an x and a y, such as (0.0, -40.0)");
        // Set each axis separately, so that errors of both are reported.
        let of_x = valid_or_former_settings(settings, settings.gravity((x, 0.0)), problems);
        let of_y = valid_or_former_settings(settings, settings.gravity((0.0, y)), problems);
        let gravity = DVec2::new(of_x.gravity.x, of_y.gravity.y);
        settings = settings.gravity(gravity);
    }
    if let Some((rise, run)) = fields.take("max_floor_slope").and_then(|node| read_floor_limit(reader, node)) {
        let limit = SlopeLimit::new(rise, run).map_err(ReplayErrorKind::MaxFloorSlope);
        if let Some(limit) = problems.ok_or_add(&[Field("settings"), Field("max_floor_slope")], limit) {
            settings = settings.max_floor_slope(limit);
        }
    }
    settings
}

/// Returns the changed settings, or the former ones if they are invalid.
fn valid_or_former_settings(before: Settings, changed: Settings, problems: &mut Problems<ReplayErrorKind>) -> Settings {
    changed.check().map(|()| changed).unwrap_or_else(|error| {
        let steps = match error.field.split_once('.') {
            None => vec![Field("settings"), Field(error.field)],
            Some((field, axis)) => vec![Field("settings"), Field(field), Item(usize::from(axis == "y"))],
        };
        problems.add(&steps, || ReplayErrorKind::Setting(error));
        before
    })
}

/// Facts about a named body at a point of the commands.
#[derive(Clone, Copy)]
pub(super) struct KnownBody {
    pub(super) id: BodyId,
    /// Number of bodies spawned before it.
    number: usize,
    /// `None` if unknown.
    pub(super) shape: Option<Shape>,
    pub(super) character: bool,
    /// The body's present collision layers.
    pub(super) layers: CollisionLayers,
    /// The body's present up, if it differs from the world's.
    pub(super) up: Option<Up>,
    /// Ticks before which the body is spawned and removed. If these are invalid: bounds within which they must be.
    spawned: u64,
    removed: Option<u64>,
}

/// Checks the parts of a file against each other and the map.
pub(super) struct Checker<'a> {
    map: Option<&'a Map>,
    /// Whether the tiles come from a source, whose size is unknown.
    streamed: bool,
    settings: Settings,
    ticks: i64,
    /// Baked only if a position depends on it.
    terrain: OnceCell<Terrain>,
    /// Gives the same ids for spawns and removals as a world.
    slots: Slots,
    known: BTreeMap<String, KnownBody>,
    names: Names,
    /// The platforms and areas in the world after the commands read so far.
    pub(super) things: Things,
    limits: Limits,
    problems: &'a mut Problems<ReplayErrorKind>,
}

impl Checker<'_> {
    pub(super) fn add_error(&mut self, path_in_file: &[Step<'static>], steps: &[Step<'static>], kind: ReplayErrorKind) {
        self.problems.add(&[path_in_file, steps].concat(), || kind);
    }

    /// Checks a body that is spawned before a tick. Its name is known afterwards even if it has other errors.
    pub(super) fn check_body<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        node: Node<'t>,
        spawned: u64,
        path_in_file: &[Step<'static>],
    ) -> Option<(BodyId, Body)> {
        let mut body = Body::new(Shape::circle(0.0));
        let mut fields = read_body_fields(reader, node, (&["name", "shape"], &["at", "velocity", "facing"]));
        self.read_body_properties(reader, &mut fields, &mut body, path_in_file);
        body.facing = fields.take("facing").and_then(|node| read_facing(reader, node)).unwrap_or_default();
        if let Some(shape) = fields.take("shape").and_then(|node| read_body_shape(reader, node)) {
            body.shape = shape;
        }
        let name = fields.take("name").map(|node| reader.read_string(node)).unwrap_or_default();
        let spot = fields.take("at").and_then(|node| Spot::read(reader, node)).unwrap_or_default();
        let velocity = fields.take("velocity").map_or((0.0, 0.0), |node| reader.read_number_pair(node, VELOCITY));

        if name.is_empty() {
            self.add_error(path_in_file, &[Field("name")], ReplayErrorKind::NamelessBody);
        } else if self.known.contains_key(&name) {
            self.add_error(path_in_file, &[Field("name")], ReplayErrorKind::DuplicateBody { name: name.clone() });
        } else if self.known.len() >= self.limits.bodies {
            self.add_error(path_in_file, &[], ReplayErrorKind::TooManyBodies);
            return None;
        }
        let checked = body.shape.check();
        if let Err(error) = checked {
            self.add_error(
                path_in_file,
                &[Field("shape")],
                ReplayErrorKind::Body { name: name.clone(), error: error.into() },
            );
        }
        let shape = checked.is_ok().then_some(body.shape);
        let position =
            self.resolve_position(&name, (shape, body.collision_layers, body.up), &spot, path_in_file, &[Field("at")]);
        // Continue with a valid body in place of an invalid one, so that its numbers can be checked too.
        body.shape = shape.unwrap_or(Shape::aabb(0.5, 0.5));
        let body = body.at(position.unwrap_or(Position::ORIGIN)).velocity(velocity);
        self.report_numbers_out_of_range(&name, &body, path_in_file);
        let (id, number) = (self.slots.insert(), self.known.len());
        let (character, layers, up) = (body.character.is_some(), body.collision_layers, body.up);
        let known = KnownBody { id, number, shape, character, layers, up, spawned, removed: None };
        // An error in the name is already reported.
        let _ = self.names.insert(id, name.clone());
        if !name.is_empty() {
            self.known.entry(name).or_insert(known);
        }
        (shape.is_some() && position.is_some()).then_some((id, body))
    }

    /// Checks the new properties of a body with that name, which keeps its shape.
    pub(super) fn check_new_properties<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        node: Node<'t>,
        (name, shape): (&str, Shape),
        path_in_file: &[Step<'static>],
    ) -> Body {
        let mut body = Body::new(shape);
        let mut fields = read_body_fields(reader, node, (&[], &[]));
        self.read_body_properties(reader, &mut fields, &mut body, path_in_file);
        self.report_numbers_out_of_range(name, &body, path_in_file);
        body
    }

    /// Reads the properties of a body without its shape.
    fn read_body_properties<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        fields: &mut Fields<Node<'t>>,
        body: &mut Body,
        path_in_file: &[Step<'static>],
    ) {
        for number in body.numbers() {
            if let Some(node) = fields.take(number.name) {
                *number.value = reader.read_number(node);
            }
        }
        body.one_way = fields.take("one_way").is_some_and(|node| reader.read_bool(node));
        body.tag = fields.take("tag").map_or(0, |node| reader.read_integer_as(node, "0 to 2^64 - 1"));
        body.up = fields.take("up").and_then(|node| read_up_direction(reader, node));
        body.response = fields.take("response").and_then(|node| read_body_response(reader, node)).unwrap_or_default();
        body.character = fields.take("character").map(|node| read_body_character(reader, node));
        for (name, layers, word) in
            [("collision_layers", &mut body.collision_layers, FIRST), ("collision_mask", &mut body.collision_mask, ALL)]
        {
            if let Some(node) = fields.take(name) {
                let at = [path_in_file, &[Field(name)]].concat();
                *layers = self.read_collision_layers(reader, node, word, &at).unwrap_or(*layers);
            }
        }
    }

    /// Reports the numbers of a body out of range. A body's check stops at the first error, so each is replaced by a
    /// valid value, and the check runs again.
    fn report_numbers_out_of_range(&mut self, name: &str, body: &Body, path_in_file: &[Step<'static>]) {
        let mut body = body.clone();
        while let Err(error) = body.check() {
            self.add_error(
                path_in_file,
                &field_path_of_body_error(&error),
                ReplayErrorKind::Body { name: name.to_owned(), error },
            );
            let BodyError::Range(RangeError { field, .. }) = error else { return };
            match field {
                "velocity.x" => body.velocity.x = 0.0,
                "velocity.y" => body.velocity.y = 0.0,
                _ => {
                    let Some(number) = body.numbers().find(|number| number.name == field) else { return };
                    *number.value = number.least;
                }
            }
        }
    }

    /// Reports the numbers of a character out of range, each replaced by a valid value for the next check.
    pub(super) fn check_character(&mut self, name: &str, mut character: Character, path_in_file: &[Step<'static>]) {
        while let Err(error) = character.check() {
            let error = BodyError::from(error);
            let steps = field_path_of_body_error(&error);
            let BodyError::Range(RangeError { field, .. }) = error else { return };
            self.add_error(path_in_file, &steps[1..], ReplayErrorKind::Body { name: name.to_owned(), error });
            let Some(number) = character.numbers().into_iter().find(|number| number.name == field) else { return };
            *number.value = number.least;
        }
    }

    /// Returns the position for a body with that shape, those collision layers and that up. `None` if the position is
    /// invalid or unknown.
    pub(super) fn resolve_position(
        &mut self,
        name: &str,
        (shape, layers, up): (Option<Shape>, CollisionLayers, Option<Up>),
        spot: &Spot,
        path_in_file: &[Step<'static>],
        steps: &[Step<'static>],
    ) -> Option<Position> {
        match *spot {
            Spot::At(x, y) => match Position::new(x, y) {
                Ok(position) => Some(position),
                Err(error) => {
                    self.add_error(
                        path_in_file,
                        steps,
                        ReplayErrorKind::Body { name: name.to_owned(), error: error.into() },
                    );
                    None
                }
            },
            Spot::Units(x, y) => {
                let position = Position::from_units(x, y);
                if position.is_none() {
                    self.add_error(path_in_file, steps, ReplayErrorKind::UnitsOutOfRange { x, y });
                }
                position
            }
            Spot::Marker(ref marker) => self.find_marker_or_report(marker, path_in_file, steps),
            Spot::OnFloor(ref marker) => {
                let feet = self.find_marker_or_report(marker, path_in_file, steps)?;
                let (map, shape) = (self.map?, shape?);
                self.terrain.get_or_init(|| Terrain::bake(map));
                let terrain = self.terrain.get_mut()?;
                terrain.prepare_collision_layers(layers);
                let mover = Mover::new(terrain).collision_layers(layers);
                let mover = mover.up(up.unwrap_or(self.settings.up)).max_floor_slope(self.settings.max_floor_slope);
                let position = mover.stand_on_floor(shape, feet);
                if position.is_none() {
                    self.add_error(path_in_file, steps, ReplayErrorKind::NoFloor { marker: marker.clone() });
                }
                position
            }
        }
    }

    /// Returns the position of a marker.
    fn find_marker_or_report(
        &mut self,
        marker: &str,
        path_in_file: &[Step<'static>],
        steps: &[Step<'static>],
    ) -> Option<Position> {
        let map = self.map?;
        let position = map.marker(marker);
        if position.is_none() {
            let (name, known) = (marker.to_owned(), marker_names(map));
            self.add_error(path_in_file, steps, ReplayErrorKind::UnknownMarker { name, known });
        }
        position
    }

    fn tick_if_in_range_or_report(
        &mut self,
        found: i64,
        range: std::ops::RangeInclusive<i64>,
        at: &[Step<'static>],
    ) -> Option<u64> {
        if range.contains(&found) {
            return Some(found as u64);
        }
        self.add_error(at, &[], ReplayErrorKind::TickOutside { found, min: *range.start() as u64, max: *range.end() });
        None
    }

    /// Checks a body that must exist at that tick.
    pub(super) fn find_present_body(&mut self, name: &str, tick: u64, at: &[Step<'static>]) -> Option<KnownBody> {
        match self.known.get(name) {
            Some(known) if known.removed.is_none() => return Some(*known),
            Some(_) => self.add_error(at, &[], ReplayErrorKind::AbsentBody { name: name.to_owned(), tick }),
            None => self.report_unknown_body(name, at),
        }
        None
    }

    fn report_unknown_body(&mut self, name: &str, at: &[Step<'static>]) {
        let known = &self.known;
        self.problems
            .add(at, || ReplayErrorKind::UnknownBody { name: name.to_owned(), known: known.keys().cloned().collect() });
    }

    /// Reads the inputs of each body, and reports their errors.
    fn read_and_check_inputs<'t>(&mut self, reader: &mut Reader<'t>, node: Node<'t>) -> Vec<Track> {
        let mut inputs = Vec::new();
        let (mut seen, mut items) = (BTreeSet::new(), 0..);
        reader.read_map(node, "{\"hero\": [(ticks: 60, walk: 127)]}", |reader, key, value| {
            let (name, i) = (reader.read_string(key), items.next().unwrap_or_default());
            let at = [Field("inputs"), Key(i)];
            let known = self.known.get(&name).copied();
            if known.is_none() {
                self.report_unknown_body(&name, &at);
            } else if !seen.insert(name.clone()) {
                self.add_error(&at, &[], ReplayErrorKind::DuplicateInputs { name });
            }
            let (mut runs, mut items) = (Vec::new(), 0..);
            reader.read_list(value, &[Written::Struct], |reader, node| {
                let way = [Field("inputs"), Value(i), Item(items.next().unwrap_or_default())];
                runs.extend(self.read_and_check_input_run(reader, node, &way));
            });
            let track = |KnownBody { id, number, spawned, removed, .. }| {
                (number, Track { body: id, from: spawned, until: removed, runs })
            };
            inputs.extend(known.map(track));
        });
        // Inputs apply in the order in which the bodies are spawned, not in the order of the file.
        inputs.sort_by_key(|(number, _)| *number);
        inputs.into_iter().map(|(_, track)| track).collect()
    }

    fn read_and_check_expectations<'t>(&mut self, reader: &mut Reader<'t>, node: Node<'t>) -> Vec<Expectation> {
        let (mut expect, mut items) = (Vec::new(), 0..);
        reader.read_list(node, &[Written::Text], |reader, node| {
            let at = [Field("expect"), Item(items.next().unwrap_or_default())];
            let line = Expectation::parse(&reader.read_string(node), &self.names, self.map, self.ticks as u64);
            expect.extend(self.problems.ok_or_add(&at, line));
        });
        expect
    }

    fn read_and_check_input_run<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        node: Node<'t>,
        path_in_file: &[Step<'static>],
    ) -> Option<InputRun> {
        let mut fields = reader.read_fields(node, RUN);
        let mut held = |reader: &mut Reader<'t>, name| fields.take(name).is_some_and(|node| reader.read_bool(node));
        let [jump, down, up, dash] = ["jump", "down", "up", "dash"].map(|name| held(reader, name));
        let found = fields.take("ticks").map_or(0, |node| reader.read_integer(node, TICKS));
        let walk = fields.take("walk").map_or(0, |node| reader.read_integer(node, "-127 to 127"));
        let ticks = (1..=Replay::MAX_TICKS as i64).contains(&found);
        if !ticks {
            self.add_error(path_in_file, &[Field("ticks")], ReplayErrorKind::RunTicks { found });
        }
        let is_walk = (-127..=127).contains(&walk);
        if !is_walk {
            self.add_error(path_in_file, &[Field("walk")], ReplayErrorKind::Walk { found: walk });
        }
        let input = Input { walk: walk as i8, jump, down, up, dash };
        (ticks && is_walk).then_some(InputRun { ticks: found as u64, input })
    }
}

/// Returns the path from a body in a file to its error.
fn field_path_of_body_error(error: &BodyError) -> Vec<Step<'static>> {
    match *error {
        BodyError::Position(_) => vec![Field("at")],
        BodyError::Shape(_) => vec![Field("shape")],
        BodyError::OneWayCircle => vec![Field("one_way")],
        BodyError::Range(RangeError { field: "bounce", .. }) => vec![Field("response"), Item(0)],
        BodyError::Range(RangeError { field, .. }) => match field.split_once('.') {
            None => vec![Field(field)],
            Some((field, "x")) => vec![Field(field), Item(0)],
            Some((field, "y")) => vec![Field(field), Item(1)],
            Some((field, part)) => vec![Field(field), Field(part)],
        },
        // The error concerns the body itself, not a field.
        _ => Vec::new(),
    }
}

/// Returns the fields of a body, required and optional, in addition to its properties.
fn read_body_fields<'t>(
    reader: &mut Reader<'t>,
    node: Node<'t>,
    (required, optional): (&[&'static str], &[&'static str]),
) -> Fields<Node<'t>> {
    let numbers = Body::default().numbers().map(|number| number.name).collect::<Vec<_>>();
    let own = [
        optional,
        &["response", "character"],
        &numbers,
        &["collision_layers", "collision_mask", "one_way", "tag", "up"],
    ];
    reader.read_fields(node, Struct { name: "Body", required, optional: &own.concat() })
}

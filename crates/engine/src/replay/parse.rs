use super::format::{
    ActionPart, BodyPart, MapChoice, ReplayFile, Run, SettingsPart, ShapePart, Spot, Sums, Timed, name_parts,
};
use super::{Action, Checkpoint, InputRun, MapSource, NamedBody, Replay, ReplayError, ReplayErrorKind, TimedAction};
use crate::body::{Body, BodyError, Input, check_velocity};
use crate::catalogue::VariantId;
use crate::checksum::{Checksum, PHYSICS_VERSION};
use crate::io::LoadError;
use crate::map::{EntryId, Map, known_tiles, map_in, name_legend};
use crate::motion::{Mover, Shape, SlopeLimit};
use crate::terrain::Terrain;
use crate::text::Step::{Field, Item, Key, Value};
use crate::text::{self, Pairs, Step, integer_field, locate};
use crate::world::{Settings, SettingsError};
use glam::DVec2;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot_geometry::Place;

impl Replay {
    /// Reads a replay with an inline map from the text of a RON file; `docs/replay-format.md` lists its fields.
    ///
    /// A byte order mark before the text is skipped.
    ///
    /// # Errors
    /// [`ReplayError`] with the line and column of what is wrong; [`ReplayErrorKind::NoFolder`] for a replay whose map
    /// is a file.
    pub fn from_ron(text: &str) -> Result<Replay, ReplayError> {
        read(text, None)
    }

    /// As [`Replay::from_ron`], for a replay whose map may be a file: `load` gets its path, which is relative, without
    /// `..` and with `/` between its parts.
    ///
    /// # Errors
    /// As [`Replay::from_ron`], and [`ReplayErrorKind::MapFile`] if `load` fails.
    pub fn from_ron_with(
        text: &str,
        mut load: impl FnMut(&str) -> Result<Map, LoadError>,
    ) -> Result<Replay, ReplayError> {
        read(text, Some(&mut load))
    }
}

/// Gives the map of a path.
type Loader<'a> = &'a mut dyn FnMut(&str) -> Result<Map, LoadError>;

fn read(text: &str, load: Option<Loader<'_>>) -> Result<Replay, ReplayError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let read = ron::from_str::<ReplayFile>(text);
    let format = match &read {
        Ok(file) => Some(file.format),
        // A file of a later format may well have fields of other forms; its version is then what matters.
        Err(_) => integer_field(text, "format"),
    };
    if let Some(found) = format.filter(|&found| found != i64::from(Replay::FORMAT)) {
        return Err(error_at(text, &[Field("format")], ReplayErrorKind::Format { found }));
    }
    let file = read.map_err(|error| {
        let (line, column) = text::position(text, &error);
        let mut error = error.code;
        name_legend(&mut error);
        name_parts(&mut error);
        let ends_early = text::ends_early(text, &error, (line, column));
        let kind = if ends_early { ReplayErrorKind::EndsEarly { error } } else { ReplayErrorKind::Syntax { error } };
        ReplayError { file: None, line, column, kind }
    })?;
    replay(text, file, load)
}

fn error_at(text: &str, steps: &[Step<'_>], kind: ReplayErrorKind) -> ReplayError {
    let (line, column) = locate(text, steps);
    ReplayError { file: None, line, column, kind }
}

fn replay(text: &str, file: ReplayFile, load: Option<Loader<'_>>) -> Result<Replay, ReplayError> {
    let fail = |steps: &[Step<'_>], kind| error_at(text, steps, kind);
    let physics = match file.physics {
        None => PHYSICS_VERSION,
        Some(found) => u32::try_from(found)
            .ok()
            .filter(|&version| version > 0)
            .ok_or_else(|| fail(&[Field("physics")], ReplayErrorKind::Physics { found }))?,
    };
    let (source, map) = map(text, file.map, load)?;
    if let Some(expected) = file.map_checksum {
        let at = [Field("map_checksum")];
        let expected = expected.parse().map_err(|error| fail(&at, ReplayErrorKind::Checksum(error)))?;
        let found = map.checksum();
        if expected != found {
            return Err(fail(&at, ReplayErrorKind::WrongMap { expected, found }));
        }
    }
    let tiles = match file.source.map(|text| text.parse::<Checksum>()) {
        None => None,
        Some(Ok(Checksum(identity))) => Some(identity),
        Some(Err(error)) => return Err(fail(&[Field("source")], ReplayErrorKind::Checksum(error))),
    };
    let settings = settings(&file.settings).map_err(|(steps, kind)| fail(&steps, kind))?;
    if !(0..=Replay::MAX_TICKS as i64).contains(&file.ticks) {
        return Err(fail(&[Field("ticks")], ReplayErrorKind::Ticks { found: file.ticks }));
    }
    let mut checker = Checker {
        text,
        map: &map,
        streamed: tiles.is_some(),
        settings,
        ticks: file.ticks,
        terrain: OnceCell::new(),
        known: BTreeMap::new(),
    };
    let mut bodies = Vec::new();
    for (i, part) in file.bodies.into_iter().enumerate() {
        bodies.push(checker.body(part, &[Field("bodies"), Item(i)])?);
    }
    let commands = checker.commands(file.commands)?;
    let inputs = checker.inputs(file.inputs)?;
    let checksums = checker.checksums(&file.checksums)?;
    let ticks = file.ticks as u64;
    Ok(Replay { physics, source, map: Arc::new(map), tiles, settings, bodies, inputs, commands, ticks, checksums })
}

fn map(text: &str, choice: MapChoice, load: Option<Loader<'_>>) -> Result<(MapSource, Map), ReplayError> {
    let within = [Field("map"), Item(0)];
    match choice {
        MapChoice::Inline(file) => {
            let map = map_in(text, &within, *file).map_err(|error| ReplayError {
                file: None,
                line: error.line,
                column: error.column,
                kind: ReplayErrorKind::Map(error.kind),
            })?;
            Ok((MapSource::Inline, map))
        }
        MapChoice::File(path) => {
            let Some(parts) = super::inside(&path) else {
                return Err(error_at(text, &within, ReplayErrorKind::MapPath { path }));
            };
            let Some(load) = load else {
                return Err(error_at(text, &within, ReplayErrorKind::NoFolder { path }));
            };
            let map = load(&parts.join("/"))
                .map_err(|source| error_at(text, &within, ReplayErrorKind::MapFile { source: Box::new(source) }))?;
            Ok((MapSource::File(path), map))
        }
    }
}

fn settings(part: &SettingsPart) -> Result<Settings, (Vec<Step<'static>>, ReplayErrorKind)> {
    let refused = |error: SettingsError| {
        let steps = match error.field.split_once('.') {
            None => vec![Field("settings"), Field(error.field)],
            Some((field, axis)) => vec![Field("settings"), Field(field), Item(usize::from(axis == "y"))],
        };
        (steps, ReplayErrorKind::Setting(error))
    };
    let mut settings = Settings::default().up(part.up);
    if let Some(tick) = part.tick {
        settings = settings.tick(tick).map_err(refused)?;
    }
    if let Some(gravity) = part.gravity {
        settings = settings.gravity(gravity).map_err(refused)?;
    }
    if let Some((rise, run)) = part.floor_limit {
        let limit = SlopeLimit::new(rise, run)
            .map_err(|error| (vec![Field("settings"), Field("floor_limit")], ReplayErrorKind::FloorLimit(error)))?;
        settings = settings.floor_limit(limit);
    }
    Ok(settings)
}

/// What a name stands for in the course of the commands.
struct Known {
    shape: Shape,
    present: bool,
}

/// Checks the parts of a file against each other and the map.
struct Checker<'a> {
    text: &'a str,
    map: &'a Map,
    /// The tiles are not those of the map, and how far they go is not known.
    streamed: bool,
    settings: Settings,
    ticks: i64,
    /// Baked only where a place depends on it.
    terrain: OnceCell<Terrain>,
    known: BTreeMap<String, Known>,
}

impl Checker<'_> {
    fn fail<T>(&self, way: &[Step<'_>], steps: &[Step<'_>], kind: ReplayErrorKind) -> Result<T, ReplayError> {
        Err(error_at(self.text, &[way, steps].concat(), kind))
    }

    fn body(&mut self, part: BodyPart, way: &[Step<'_>]) -> Result<NamedBody, ReplayError> {
        let name = part.name;
        if name.is_empty() {
            return self.fail(way, &[Field("name")], ReplayErrorKind::NamelessBody);
        }
        if self.known.contains_key(&name) {
            return self.fail(way, &[Field("name")], ReplayErrorKind::DuplicateBody { name });
        }
        if self.known.len() >= Replay::MAX_BODIES {
            return self.fail(way, &[], ReplayErrorKind::TooManyBodies);
        }
        let shape = match part.shape {
            ShapePart::Circle(radius) => Shape::circle(radius),
            ShapePart::Aabb(half_width, half_height) => Shape::aabb(half_width, half_height),
        };
        if let Err(error) = shape.check() {
            return self.fail(way, &[Field("shape")], ReplayErrorKind::Body { name, error: error.into() });
        }
        let place = self.place(&name, shape, &part.at, way, &[Field("at")])?;
        let mut body = Body::new(shape).at(place).moving(part.velocity).response(part.response);
        body.gravity_scale = part.gravity_scale.unwrap_or(body.gravity_scale);
        body.friction = part.friction.unwrap_or(body.friction);
        body.rest_speed = part.rest_speed.unwrap_or(body.rest_speed);
        body.character = part.character;
        if let Err(error) = body.check() {
            return self.fail(way, &steps_to(&error), ReplayErrorKind::Body { name, error });
        }
        self.known.insert(name.clone(), Known { shape, present: true });
        Ok(NamedBody { name, body })
    }

    /// Where a body of that shape is put.
    fn place(
        &self,
        name: &str,
        shape: Shape,
        spot: &Spot,
        way: &[Step<'_>],
        steps: &[Step<'_>],
    ) -> Result<Place, ReplayError> {
        let marked = |marker: &str| match self.map.marker(marker) {
            Some(place) => Ok(place),
            None => {
                let mut known: Vec<String> = self.map.all_markers().map(|(name, _)| name.to_owned()).collect();
                known.dedup();
                self.fail(way, steps, ReplayErrorKind::NoMarker { name: marker.to_owned(), known })
            }
        };
        match *spot {
            Spot::At(x, y) => Place::new(x, y).or_else(|error| {
                let kind = ReplayErrorKind::Body { name: name.to_owned(), error: error.into() };
                self.fail(way, steps, kind)
            }),
            Spot::Units(x, y) => match Place::from_units(x, y) {
                Some(place) => Ok(place),
                None => self.fail(way, steps, ReplayErrorKind::UnitsOutOfRange { x, y }),
            },
            Spot::Marker(ref marker) => marked(marker),
            Spot::OnFloor(ref marker) => {
                let feet = marked(marker)?;
                let terrain = self.terrain.get_or_init(|| Terrain::bake(self.map));
                let mover =
                    Mover::new(terrain).up(self.settings.up_direction()).floor_limit(self.settings.steepest_floor());
                match mover.stand_on_floor(shape, feet) {
                    Some(place) => Ok(place),
                    None => self.fail(way, steps, ReplayErrorKind::NoFloor { marker: marker.clone() }),
                }
            }
        }
    }

    fn commands(&mut self, parts: Vec<Timed>) -> Result<Vec<TimedAction>, ReplayError> {
        let mut commands = Vec::new();
        let mut before = 0;
        for (i, Timed { tick, action }) in parts.into_iter().enumerate() {
            let at = [Field("commands"), Item(i), Field("tick")];
            let tick = self.tick(tick, 0..=self.ticks - 1, &at)?;
            if tick < before {
                let kind = ReplayErrorKind::TickOrder { found: tick as i64, before, least: before };
                return self.fail(&at, &[], kind);
            }
            before = tick;
            let action = self.action(action, tick, &[Field("commands"), Item(i), Field("do")])?;
            commands.push(TimedAction { tick, action });
        }
        Ok(commands)
    }

    fn tick(&self, found: i64, range: std::ops::RangeInclusive<i64>, at: &[Step<'_>]) -> Result<u64, ReplayError> {
        if range.contains(&found) {
            return Ok(found as u64);
        }
        self.fail(at, &[], ReplayErrorKind::TickOutside { found, least: *range.start() as u64, most: *range.end() })
    }

    fn action(&mut self, part: ActionPart, tick: u64, way: &[Step<'_>]) -> Result<Action, ReplayError> {
        let item = |i| [way, &[Item(i)]].concat();
        Ok(match part {
            ActionPart::Spawn(body) => Action::Spawn(Box::new(self.body(*body, &item(0))?)),
            ActionPart::Remove(name) => {
                self.present(&name, tick, &item(0))?;
                if let Some(known) = self.known.get_mut(&name) {
                    known.present = false;
                }
                Action::Remove(name)
            }
            ActionPart::SetVelocity(name, (x, y)) => {
                self.present(&name, tick, &item(0))?;
                let velocity = DVec2::new(x, y);
                if let Err(error) = check_velocity(velocity) {
                    let axis = steps_to(&error).split_off(1);
                    return self.fail(&item(1), &axis, ReplayErrorKind::Body { name, error });
                }
                Action::SetVelocity(name, velocity)
            }
            ActionPart::Teleport(name, spot) => {
                let shape = self.present(&name, tick, &item(0))?;
                let place = self.place(&name, shape, &spot, &item(1), &[])?;
                Action::Teleport(name, place)
            }
            ActionPart::SetTile(tile, name, layer) => {
                let tile = self.tile(tile, &item(0))?;
                let entry = self.entry(name, &item(1))?;
                Action::SetTile { layer: self.layer(layer, &item(2))?, tile, entry }
            }
            ActionPart::SetTiles(from, to, name, layer) => {
                let (from, to) = (self.tile(from, &item(0))?, self.tile(to, &item(1))?);
                let entry = self.entry(name, &item(2))?;
                Action::SetTiles { layer: self.layer(layer, &item(3))?, from, to, entry }
            }
        })
    }

    /// A tile of the map.
    fn tile(&self, (x, y): (i64, i64), at: &[Step<'_>]) -> Result<(i32, i32), ReplayError> {
        let tile = i32::try_from(x).and_then(|x| i32::try_from(y).map(|y| (x, y))).ok();
        match tile.filter(|&tile| self.streamed || self.map.entry_at(tile).is_some()) {
            Some(tile) => Ok(tile),
            None => self.fail(at, &[], ReplayErrorKind::TileOutside { x, y }),
        }
    }

    /// The layer of that name, the first one if there is none.
    fn layer(&self, name: Option<String>, at: &[Step<'_>]) -> Result<usize, ReplayError> {
        let Some(name) = name else { return Ok(0) };
        let mut layers = self.map.layers().iter();
        match layers.position(|layer| layer.name() == name) {
            Some(layer) => Ok(layer),
            None => {
                let known = self.map.layers().iter().map(|layer| layer.name().to_owned()).collect();
                self.fail(at, &[], ReplayErrorKind::UnknownLayer { name, known })
            }
        }
    }

    /// The shape of a body that has to be in the world at that tick.
    fn present(&self, name: &str, tick: u64, at: &[Step<'_>]) -> Result<Shape, ReplayError> {
        match self.known.get(name) {
            Some(known) if known.present => Ok(known.shape),
            Some(_) => self.fail(at, &[], ReplayErrorKind::AbsentBody { name: name.to_owned(), tick }),
            None => self.fail(at, &[], self.unknown(name)),
        }
    }

    fn unknown(&self, name: &str) -> ReplayErrorKind {
        ReplayErrorKind::UnknownBody { name: name.to_owned(), known: self.known.keys().cloned().collect() }
    }

    /// The entry that a character of the legend, or the name of a tile in it, stands for.
    fn entry(&self, name: String, at: &[Step<'_>]) -> Result<EntryId, ReplayError> {
        let mut characters = name.chars();
        if let (Some(character), None) = (characters.next(), characters.next())
            && let Some(entry) = self.map.find_entry(character)
        {
            return Ok(entry);
        }
        let variant: Option<VariantId> = if name.trim() == crate::map::EMPTY_TILE {
            None
        } else {
            match self.map.catalogue().find(&name) {
                Ok(variant) => Some(variant),
                Err(source) => {
                    let known = known_tiles(self.map.catalogue(), &source);
                    return self.fail(at, &[], ReplayErrorKind::UnknownTile { name, source, known });
                }
            }
        };
        match self.map.legend().iter().position(|entry| entry.variant == variant) {
            Some(entry) => Ok(EntryId(entry as u16)),
            None => self.fail(at, &[], ReplayErrorKind::NotInLegend { name }),
        }
    }

    fn inputs(&self, pairs: Pairs<String, Vec<Run>>) -> Result<Vec<(String, Vec<InputRun>)>, ReplayError> {
        let mut inputs: Vec<(String, Vec<InputRun>)> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for (i, (name, runs)) in pairs.0.into_iter().enumerate() {
            let at = [Field("inputs"), Key(i)];
            if !self.known.contains_key(&name) {
                return self.fail(&at, &[], self.unknown(&name));
            }
            if !seen.insert(name.clone()) {
                return self.fail(&at, &[], ReplayErrorKind::DuplicateInputs { name });
            }
            let run = |(j, run): (usize, Run)| {
                let way = [Field("inputs"), Value(i), Item(j)];
                if !(1..=Replay::MAX_TICKS as i64).contains(&run.ticks) {
                    return self.fail(&way, &[Field("ticks")], ReplayErrorKind::RunTicks { found: run.ticks });
                }
                if !(-127..=127).contains(&run.walk) {
                    return self.fail(&way, &[Field("walk")], ReplayErrorKind::Walk { found: run.walk });
                }
                let input = Input { walk: run.walk as i8, jump: run.jump, down: run.down, up: run.up };
                Ok(InputRun { ticks: run.ticks as u64, input })
            };
            inputs.push((name, runs.into_iter().enumerate().map(run).collect::<Result<_, _>>()?));
        }
        Ok(inputs)
    }

    fn checksums(&self, parts: &[Sums]) -> Result<Vec<Checkpoint>, ReplayError> {
        let mut checksums: Vec<Checkpoint> = Vec::new();
        for (i, sums) in parts.iter().enumerate() {
            let field = |name| [Field("checksums"), Item(i), Field(name)];
            let at = field("tick");
            let tick = self.tick(sums.tick, 1..=self.ticks, &at)?;
            if let Some(last) = checksums.last().filter(|last| tick <= last.tick) {
                let kind = ReplayErrorKind::TickOrder { found: sums.tick, before: last.tick, least: last.tick + 1 };
                return self.fail(&at, &[], kind);
            }
            let parse = |name, text: &str| match text.parse::<Checksum>() {
                Ok(checksum) => Ok(checksum),
                Err(error) => self.fail(&field(name), &[], ReplayErrorKind::Checksum(error)),
            };
            let (state, motion) = (parse("state", &sums.state)?, parse("motion", &sums.motion)?);
            checksums.push(Checkpoint { tick, state, motion });
        }
        Ok(checksums)
    }
}

/// The way from a body in a file to what is wrong with it.
fn steps_to(error: &BodyError) -> Vec<Step<'static>> {
    match *error {
        BodyError::Place(_) => vec![Field("at")],
        BodyError::Shape(_) => vec![Field("shape")],
        BodyError::OutOfRange { field: "bounce", .. } => vec![Field("response"), Item(0)],
        BodyError::OutOfRange { field, .. } => match field.split_once('.') {
            None => vec![Field(field)],
            Some((field, "x")) => vec![Field(field), Item(0)],
            Some((field, "y")) => vec![Field(field), Item(1)],
            Some((field, part)) => vec![Field(field), Field(part)],
        },
    }
}

//! Platforms in a map's text: reading, checking and writing.

use super::capped::Capped;
use super::drawn_platforms::{
    DrawnPlatform, DrawnPlatforms, PlatformNames, check_draws_one_platform, name_of_drawn_platform,
};
use super::format::{LayerFile, MAX_LAYERS, Properties, UNITS as UNITS_RANGE, read_units};
use super::legend::Palette;
use super::parts::{TileRectangle, cell_count_in_chunks};
use super::platforms::{
    TICK, check_platform_cells, check_platform_counts, chunk_cell_count, find_attachment_errors, has_colliding_tile,
    report_path_errors,
};
use super::properties::{PropertiesByName, check_properties_of_listed};
use super::row_list::RowList;
use super::rows::Rows;
use super::scan::Value;
use super::write::{join_fields, write_layers, written_properties};
use super::{Map, MapErrorKind, MapLimits, MapPlatformError, PropertyError, shared, things};
use crate::catalogue::Catalogue;
use crate::lengths::exact_tiles;
use crate::platform::on_ride::check_delay;
use crate::platform::{
    CirclePath, Easing, OnCrush, OnRide, Path, PathError, PathTiming, Platform, PlatformError, PlatformMotion, Repeat,
};
use crate::text::Step::{Field, Item};
use crate::text::{Fields, FormError, Node, Problems, Reader, Shape, Step, Struct, Variant, quoted};
use glam::I64Vec2;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt::{self, Write};
use surefoot_geometry::{ONE, Position};

const PLATFORM: Struct<'_> = Struct {
    name: "Platform",
    required: &[],
    optional: &["name", "tiles", "layers", "at", "motion", "paused", "on_crush", "on_ride", "attached_to"],
};
/// A platform in the list of a map.
const LISTED: Struct<'_> = Struct {
    optional: &[
        "name",
        "tiles",
        "layers",
        "at",
        "motion",
        "paused",
        "on_crush",
        "on_ride",
        "attached_to",
        "properties",
    ],
    ..PLATFORM
};
/// A platform drawn in the rows of the map. `tiles`, `layers` and `at` are read only to refuse them with an
/// explanation.
const DRAWN: Struct<'_> = Struct {
    name: "Platform",
    required: &["cells"],
    optional: &[
        "name",
        "layer",
        "motion",
        "paused",
        "on_crush",
        "on_ride",
        "attached_to",
        "properties",
        "tiles",
        "layers",
        "at",
    ],
};
const PATH: Struct<'_> =
    Struct { name: "Path", required: &["points"], optional: &["speed", "period", "repeat", "easing", "wait", "phase"] };

const CIRCLE: Struct<'_> =
    Struct { name: "Circle", required: &["radius"], optional: &["speed", "period", "clockwise", "phase"] };

const MOTIONS: &[&str] = &["Driven", "Path", "Circle"];
const FALL: Struct<'_> = Struct { name: "Fall", required: &["delay"], optional: &["respawn_time"] };
const CRUMBLE: Struct<'_> = Struct { name: "Crumble", ..FALL };

const ON_RIDE: &[&str] = &["Nothing", "Start", "Fall", "Crumble"];
const ON_CRUSH: (&[&str], &[OnCrush]) = (&["Stop", "PassThrough"], &[OnCrush::Stop, OnCrush::PassThrough]);
const REPEATS: (&[&str], &[Repeat]) = (&["Once", "Loop", "PingPong"], &[Repeat::Once, Repeat::Loop, Repeat::PingPong]);
const EASINGS: (&[&str], &[Easing]) = (&["Linear", "Smooth"], &[Easing::Linear, Easing::Smooth]);

/// Platforms of a file: the first ones, and the numbers of path points and platforms.
#[derive(Default)]
pub(crate) struct PlatformFiles<'t> {
    platforms: Capped<PlatformFile<'t>, { Map::MAX_PLATFORMS }>,
    points: usize,
}

/// A platform in a file, before it is checked.
pub(super) struct PlatformFile<'t> {
    pub(super) name: String,
    /// The cells of the map that are the platform. Excludes `tiles`, `layers` and a position.
    pub(super) cells: Option<Box<DrawnPlatform>>,
    tiles: Option<RowList<'t>>,
    layers: Option<Capped<LayerFile<'t>, MAX_LAYERS>>,
    position: Position,
    /// `None` for a driven platform.
    motion: Option<MotionFile>,
    paused: bool,
    on_crush: OnCrush,
    on_ride: OnRide,
    attached_to: String,
    properties: Properties,
}

/// A path or a circle in a file, before it is checked.
struct MotionFile {
    /// The motion without its speed.
    motion: PlatformMotion,
    speed: Option<f64>,
    period: Option<f64>,
    /// Whether all values of the motion have the right form.
    is_sound: bool,
}

impl<'t> PlatformFiles<'t> {
    pub(super) fn read(reader: &mut Reader<'t>, node: Node<'t>) -> PlatformFiles<'t> {
        let mut files = PlatformFiles::default();
        let PlatformFiles { platforms, points } = &mut files;
        reader.read_list(node, &[Shape::Struct], |reader, node| {
            let of = if reader.tree.field(node, "cells").is_some() { DRAWN } else { LISTED };
            platforms.count_and_push_if_room(|| PlatformFile::read(reader, node, of, points));
        });
        files
    }

    /// Returns the names of the platforms, if all are known. Names of drawn platforms are not known before the rows are
    /// read.
    pub(super) fn platform_names(&self) -> Option<PlatformNames> {
        let is_known = self.are_all_kept() && self.kept_platforms().iter().all(|file| file.cells.is_none());
        is_known.then(|| DrawnPlatforms::default().platform_names(self.kept_platforms()))
    }

    /// Returns whether the file has no more platforms than allowed, so that [`PlatformFiles::kept_platforms`] has all
    /// of them.
    pub(super) fn are_all_kept(&self) -> bool {
        self.platforms.count == self.platforms.list.len()
    }

    /// Returns the number of values in properties.
    pub(super) fn property_value_count(&self) -> usize {
        self.platforms.list.iter().map(|platform| platform.properties.count).sum()
    }

    /// Returns the platforms that were read, without those beyond the largest allowed number.
    pub(super) fn kept_platforms(&self) -> &[PlatformFile<'t>] {
        &self.platforms.list
    }
}

impl<'t> PlatformFile<'t> {
    fn read(reader: &mut Reader<'t>, node: Node<'t>, of: Struct<'_>, points: &mut usize) -> PlatformFile<'t> {
        let faults = reader.fault_count();
        let mut fields = reader.read_fields(node, of);
        let is_sound = faults == reader.fault_count() && !reader.tree.is_broken(node);
        let mut cells = fields.take("cells").map(|node| {
            let symbol = reader.read_char(node);
            let is_sound = is_sound && !reader.tree.is_wrong(node);
            let layer = fields.take("layer").map(|node| reader.read_string(node));
            Box::new(DrawnPlatform { symbol, layer, other: None, is_symbol_valid: is_sound })
        });
        let tiles = fields.take("tiles").map(|rows| Value::Node(rows).into_rows(reader));
        let layers = fields.take("layers").map(|layers| Value::Node(layers).into_layers(reader));
        if tiles.is_none() && layers.is_none() && cells.is_none() && is_sound {
            let (_, end) = reader.tree.span(node);
            let error = FormError::MissingField { field: "tiles", of: PLATFORM.name };
            reader.report((end.saturating_sub(1), end), error);
        }
        let at = fields.take("at");
        if let Some(cells) = &mut cells {
            let others = [("tiles", tiles.is_some()), ("layers", layers.is_some()), ("at", at.is_some())];
            cells.other = others.into_iter().find_map(|(field, is_given)| is_given.then_some(field));
        }
        let on_crush = fields.take("on_crush").and_then(|node| reader.read_word(node, ON_CRUSH.0, ON_CRUSH.1));
        PlatformFile {
            name: fields.take("name").map(|node| reader.read_string(node)).unwrap_or_default(),
            cells,
            tiles,
            layers,
            position: at.map_or(Position::ORIGIN, |node| read_position(reader, node)),
            motion: fields.take("motion").and_then(|node| read_motion(reader, node, points)),
            paused: fields.take("paused").is_some_and(|node| reader.read_bool(node)),
            on_crush: on_crush.unwrap_or_default(),
            attached_to: fields.take("attached_to").map(|node| reader.read_string(node)).unwrap_or_default(),
            properties: fields.take("properties").map(|node| Properties::read(reader, node)).unwrap_or_default(),
            on_ride: fields.take("on_ride").map_or(OnRide::Nothing, |node| read_on_ride(reader, node)),
        }
    }
}

/// Reads a path or a circle. `None` for a driven platform.
fn read_motion<'t>(reader: &mut Reader<'t>, node: Node<'t>, points: &mut usize) -> Option<MotionFile> {
    let of = match node.name() {
        "Path" => PATH,
        "Circle" => CIRCLE,
        _ => {
            reader.read_word(node, MOTIONS, &[(); 3]);
            return None;
        }
    };
    let faults = reader.fault_count();
    let mut fields = reader.read_fields(node, of);
    let motion = if of.name == PATH.name {
        PlatformMotion::Path(read_path(reader, &mut fields, points))
    } else {
        PlatformMotion::Circle(read_circle(reader, &mut fields))
    };
    let [speed, period] = ["speed", "period"].map(|name| fields.take(name).map(|node| reader.read_number(node)));
    let is_sound = faults == reader.fault_count() && !reader.tree.is_broken(node);
    Some(MotionFile { motion, speed, period, is_sound })
}

fn read_path<'t>(reader: &mut Reader<'t>, fields: &mut Fields<Node<'t>>, points: &mut usize) -> Path {
    let mut path = Path::default();
    if let Some(node) = fields.take("points") {
        reader.read_list(node, &[Shape::Tuple], |reader, node| {
            *points += 1;
            if *points <= Map::MAX_PATH_POINTS {
                path.points.push(read_position(reader, node));
            }
        });
    }
    path.wait = fields.take("wait").map_or(path.wait, |node| reader.read_number(node));
    path.phase = fields.take("phase").map_or(path.phase, |node| reader.read_number(node));
    if let Some(repeat) = fields.take("repeat").and_then(|node| reader.read_word(node, REPEATS.0, REPEATS.1)) {
        path.repeat = repeat;
    }
    if let Some(easing) = fields.take("easing").and_then(|node| reader.read_word(node, EASINGS.0, EASINGS.1)) {
        path.easing = easing;
    }
    path
}

fn read_circle<'t>(reader: &mut Reader<'t>, fields: &mut Fields<Node<'t>>) -> CirclePath {
    let mut circle = CirclePath::default();
    circle.radius = fields.take("radius").map_or(circle.radius, |node| reader.read_number(node));
    circle.clockwise = fields.take("clockwise").is_some_and(|node| reader.read_bool(node));
    circle.phase = fields.take("phase").map_or(circle.phase, |node| reader.read_number(node));
    circle
}

fn read_on_ride<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> OnRide {
    let of = match node.name() {
        "Fall" => FALL,
        "Crumble" => CRUMBLE,
        _ => {
            let words = [OnRide::Nothing, OnRide::Start, OnRide::Nothing, OnRide::Nothing];
            return reader.read_word(node, ON_RIDE, &words).unwrap_or_default();
        }
    };
    let mut fields = reader.read_fields(node, of);
    let [delay, respawn_time] =
        ["delay", "respawn_time"].map(|name| fields.take(name).map(|node| reader.read_number(node)));
    let delay = delay.unwrap_or_default();
    if of.name == FALL.name { OnRide::Fall { delay, respawn_time } } else { OnRide::Crumble { delay, respawn_time } }
}

/// Reads a position: two numbers in tiles, or two integers in units.
pub(super) fn read_position<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Position {
    const UNITS: &[Variant] =
        &[Variant { name: "Units", takes: (2, 2), words: "an x and a y in whole units, such as Units(0, 4294967296)" }];
    const TILES: &str = "-2^29 to 2^29";
    let at = if node.name().is_empty() {
        let Some((x, y)) = reader.read_pair(node, "an x and a y, such as (2.5, 1.0)") else { return Position::ORIGIN };
        let read = [x, y].map(|node| (node, reader.read_number(node)));
        for (node, _) in read.into_iter().filter(|&(_, value)| Position::new(value, 0.0).is_err()) {
            reader.report_out_of_range(node, TILES);
        }
        Position::new(read[0].1, read[1].1).ok()
    } else {
        let Some((_, values)) = reader.read_variant(node, &["Units"], UNITS, |_| None) else { return Position::ORIGIN };
        let [x, y] = [0, 1].map(|i| values.get(i).map_or(0, |node| read_units(reader, *node)));
        let at = Position::from_units(x, y);
        if at.is_none() {
            reader.report_out_of_range(node, UNITS_RANGE);
        }
        at
    };
    at.unwrap_or(Position::ORIGIN)
}

/// Returns the platforms of a file and their properties by name, and reports their errors. `drawn`: the cells of those
/// in the rows of the map; `None` if they are not known. `value_count`: values in properties of the whole file; `None`
/// if it has too many, and none is read.
pub(super) fn check_platforms(
    files: PlatformFiles<'_>,
    drawn: Option<DrawnPlatforms>,
    catalogue: &Catalogue,
    palette: &Palette,
    (limits, mut value_count): (&MapLimits, Option<usize>),
    problems: &mut Problems<MapErrorKind>,
) -> (Vec<Platform>, PropertiesByName) {
    let PlatformFiles { platforms: Capped { list, mut count }, mut points } = files;
    let points_are_there = points <= Map::MAX_PATH_POINTS;
    if let Some(drawn) = &drawn {
        // The points of the first platform of each entry are already counted.
        let further = |(i, file): (usize, &PlatformFile<'_>)| {
            (drawn.platform_count_of_entry(i, file).max(1) - 1) * file.path_point_count()
        };
        points += list.iter().enumerate().map(further).sum::<usize>();
        count += drawn.count.saturating_sub(list.iter().filter(|file| file.cells.is_some()).count());
    }
    let are_few = problems.ok_or_add(&[Field("platforms")], check_platform_counts(count, points)).is_some();
    if let Some(drawn) = drawn.as_ref().filter(|_| are_few) {
        check_attachments(&list, drawn, problems);
    }
    let (mut drawn, mut platforms) = (drawn.filter(|_| are_few).unwrap_or_default(), Vec::new());
    let (mut names, mut total, mut properties) = (BTreeSet::new(), 0, PropertiesByName::new());
    for (i, mut file) in list.into_iter().enumerate() {
        let way = [Field("platforms"), Item(i)];
        let raw = std::mem::take(&mut file.properties);
        let count = raw.count;
        let own = check_properties_of_listed("platform", &file.name, raw, &way, value_count.is_some(), problems);
        let mut check_name = |name: &str| {
            if !name.is_empty() && !names.insert(name.to_owned()) {
                let refused = || MapPlatformError::Duplicate { name: name.to_owned() }.into();
                problems.add(&[&way[..], &[Field("name")]].concat(), refused);
            }
        };
        if file.cells.is_none() {
            check_name(&file.name);
            if !own.is_empty() {
                properties.insert(file.name.clone(), own);
            }
            let found =
                file.check_and_build_platform(&way, catalogue, palette, (limits, TICK), points_are_there, problems);
            total += found.1;
            platforms.extend(found.0);
            continue;
        }
        let groups = drawn.take_groups_of_entry(i);
        let named: Vec<_> =
            (0..groups.len()).map(|n| name_of_drawn_platform(&file.name, n, groups.len()).into_owned()).collect();
        named.iter().for_each(|name| check_name(name));
        // Each platform of the entry has its own copy of the properties.
        let copies = named.len().saturating_sub(1) * count;
        if let Some(total) = value_count.as_mut().filter(|_| copies > 0) {
            *total += copies;
            let (count, limit) = (*total, limits.values);
            if count > limit {
                problems.add(&[&way[..], &[Field("properties")]].concat(), || {
                    PropertyError::TooMany { count, limit }.into()
                });
                value_count = None;
            }
        }
        if value_count.is_some() && !own.is_empty() {
            properties.extend(named.iter().map(|name| (name.clone(), own.clone())));
        }
        let platform = file.check_fields_and_build_platform(&way, TICK, points_are_there, problems).0;
        for (name, mut layer) in named.into_iter().zip(groups) {
            let (x, y) = std::mem::take(&mut layer.origin);
            let position = Ok(Position::clamped(I64Vec2::new(x.into(), y.into()) * ONE));
            total += cell_count_in_chunks(layer.size.0.into(), layer.size.1.into());
            platforms.push(Platform { name, position, layers: vec![layer], ..platform.clone() });
        }
    }
    problems.ok_or_add(&[Field("platforms")], check_platform_cells(total));
    (platforms, properties)
}

/// Reports attachments to platforms that do not exist, and in circles.
fn check_attachments(files: &[PlatformFile<'_>], drawn: &DrawnPlatforms, problems: &mut Problems<MapErrorKind>) {
    let mut all = Vec::new();
    for (i, file) in files.iter().enumerate() {
        let count = drawn.platform_count_of_entry(i, file);
        all.extend(
            (0..count).map(|number| (name_of_drawn_platform(&file.name, number, count), &file.attached_to[..], i)),
        );
    }
    let attached: Vec<_> = all.iter().map(|(name, to, _)| (&**name, *to)).collect();
    let (names, mut seen) = (OnceCell::new(), BTreeSet::new());
    for (at, error) in find_attachment_errors(&attached) {
        let (_, to, i) = all[at];
        // All platforms of one entry have the same error, so report it once.
        if seen.insert(i) {
            let names = names.get_or_init(|| drawn.platform_names(files));
            let refused = || check_draws_one_platform(to, names).err().unwrap_or_else(|| error.into());
            problems.add(&[Field("platforms"), Item(i), Field("attached_to")], refused);
        }
    }
}

/// Reads a platform that stands alone, at the end of a path in the file, for a world on `map` with ticks of `tick`
/// seconds. The symbols of its rows are those of `map`. Its name and the name in `attached_to` are not checked.
pub fn read_platform<'t>(
    reader: &mut Reader<'t>,
    node: Node<'t>,
    path_in_file: &[Step<'static>],
    (map, tick): (&Map, f64),
    problems: &mut Problems<MapErrorKind>,
) -> Option<Platform> {
    let (mut points, faults) = (0, reader.fault_count());
    let file = PlatformFile::read(reader, node, PLATFORM, &mut points);
    if reader.fault_count() > faults {
        return None;
    }
    problems.ok_or_add(&[path_in_file, &[Field("motion")]].concat(), check_platform_counts(0, points));
    let limits = (&MapLimits::default(), tick);
    let are_there = points <= Map::MAX_PATH_POINTS;
    file.check_and_build_platform(path_in_file, map.catalogue(), &Palette::of_map(map), limits, are_there, problems).0
}

impl<'t> PlatformFile<'t> {
    /// Returns the number of points of the platform's path.
    fn path_point_count(&self) -> usize {
        match self.motion.as_ref().map(|file| &file.motion) {
            Some(PlatformMotion::Path(path)) => path.points.len(),
            _ => 0,
        }
    }

    /// Returns the platform without tiles, and its tiles, and reports errors of its other fields, without those of its
    /// name.
    fn check_fields_and_build_platform(
        self,
        path_in_file: &[Step<'static>],
        tick: f64,
        has_all_points: bool,
        problems: &mut Problems<MapErrorKind>,
    ) -> (Platform, Option<RowList<'t>>, Option<Capped<LayerFile<'t>, MAX_LAYERS>>) {
        let PlatformFile {
            name,
            cells: _,
            tiles,
            layers,
            position,
            motion,
            paused,
            on_crush,
            on_ride,
            attached_to,
            ..
        } = self;
        let field = |name| [path_in_file, &[Field(name)]].concat();
        let motion = motion.map_or(PlatformMotion::Driven, |motion| {
            check_and_build_motion(motion, &name, (&field("motion"), tick), has_all_points, problems)
        });
        if let Some((after, back)) = on_ride.delays() {
            for (name_of, value) in [("delay", Some(after)), ("respawn_time", back)] {
                let Some(Err(error)) = value.map(|value| check_delay(name_of, value, tick)) else { continue };
                let refused = || MapPlatformError::Refused { name: name.clone(), error: error.into() }.into();
                problems.add(&[&field("on_ride")[..], &[Field(name_of)]].concat(), refused);
            }
        }
        let position = Ok(position);
        let platform = Platform { name, layers: Vec::new(), position, motion, paused, on_crush, on_ride, attached_to };
        (platform, tiles, layers)
    }

    /// Returns the platform and its number of cells, and reports its errors, without those of its name.
    /// `has_all_points`: whether the points of its path were kept.
    fn check_and_build_platform(
        self,
        path_in_file: &[Step<'static>],
        catalogue: &Catalogue,
        palette: &Palette,
        (limits, tick): (&MapLimits, f64),
        has_all_points: bool,
        problems: &mut Problems<MapErrorKind>,
    ) -> (Option<Platform>, u64) {
        let (platform, tiles, layers) =
            self.check_fields_and_build_platform(path_in_file, tick, has_all_points, problems);
        let name = platform.name.clone();
        let field = |name| [path_in_file, &[Field(name)]].concat();
        if tiles.is_none() && layers.is_none() {
            return (None, 0);
        }
        let rows_at = field(if layers.is_some() { "layers" } else { "tiles" });
        let mut rows = Rows::new(path_in_file.to_vec(), tiles, layers, Some((0, 0)), palette, limits, problems);
        let Some(layers) = rows.read_layers(problems) else { return (None, 0) };
        if let Some((marker, at)) = rows.first_drawn_marker() {
            problems.add(&at, || MapErrorKind::MarkerOnPlatform { name: marker });
        } else if let Some((layer, cell)) = things::first_cell_with_things(&layers, &palette.kinds) {
            problems.add_at(|| (rows.cell_path(layer, cell), MapPlatformError::Things { name: name.clone() }.into()));
        }
        if !rows.is_placed || layers.len() > Map::MAX_LAYERS || palette.kinds.len() > Map::MAX_KINDS {
            return (None, 0);
        }
        let cells = problems
            .ok_or_add(&rows_at, TileRectangle::around_layers(&layers, limits.cells))
            .map_or(0, chunk_cell_count);
        shared::report_unshareable_cells(catalogue, &palette.kinds, &layers, |layer, tile, error| {
            problems.add_at(|| (rows.cell_path(layer, tile), error.into()));
        });
        if !has_colliding_tile(&palette.kinds, &layers) {
            let error = PlatformError::Empty;
            problems.add(&rows_at, || MapPlatformError::Refused { name: name.clone(), error }.into());
        }
        (Some(Platform { layers, ..platform }), cells)
    }
}

/// Checks the motion of the platform `name`, in ticks of `tick` seconds.
fn check_and_build_motion(
    file: MotionFile,
    name: &str,
    (path_in_file, tick): (&[Step<'static>], f64),
    has_all_points: bool,
    problems: &mut Problems<MapErrorKind>,
) -> PlatformMotion {
    let MotionFile { mut motion, speed, period, is_sound } = file;
    let field = |name| [path_in_file, &[Field(name)]].concat();
    let pace = match (speed, period) {
        (Some(speed), None) => Some(PathTiming::Speed(speed)),
        (None, Some(period)) => Some(PathTiming::Period(period)),
        (Some(_), Some(_)) => {
            problems.add(&field("period"), || MapErrorKind::SpeedAndPeriod);
            None
        }
        (None, None) => {
            // An unknown field may be a misspelling of `speed` or `period`.
            if is_sound {
                problems.add(path_in_file, || MapErrorKind::NoSpeedOrPeriod);
            }
            None
        }
    };
    match (&mut motion, pace) {
        (PlatformMotion::Path(path), Some(pace)) => path.timing = pace,
        (PlatformMotion::Circle(circle), Some(pace)) => circle.timing = pace,
        _ => {}
    }
    if is_sound && has_all_points {
        let of_pace = if speed.is_some() { "speed" } else { "period" };
        report_path_errors(motion.clone(), tick, |error| {
            let part = match error {
                PathError::Timing { .. } | PathError::WaitsTooLong { .. } => Some(of_pace),
                PathError::Wait(_) => Some("wait"),
                PathError::Phase(_) => Some("phase"),
                PathError::TooFewPoints(_) | PathError::AllPointsEqual => Some("points"),
                PathError::Radius(_) => Some("radius"),
                PathError::TooFast { .. }
                | PathError::TooLong(_)
                | PathError::CircleTooFast { .. }
                | PathError::CircleTooLong(_) => None,
            };
            // If the file gives no timing or two, the motion has the default timing. So do not report that the motion
            // is too fast or too long.
            if part.is_none() && pace.is_none() {
                return;
            }
            let steps = part.map_or_else(|| path_in_file.to_vec(), field);
            problems.add(&steps, || MapPlatformError::Refused { name: name.to_owned(), error: error.into() }.into());
        });
    }
    motion
}

/// Writes the platforms of a map. `letters` has the symbols of the tile kinds.
pub(super) fn write_platforms(
    out: &mut String,
    platforms: &[Platform],
    properties: &PropertiesByName,
    letters: &[char],
) -> fmt::Result {
    if platforms.is_empty() {
        return Ok(());
    }
    out.push_str("    platforms: [\n");
    for platform in platforms {
        out.push_str("        (\n");
        write_platform(out, platform, letters, "            ")?;
        if let Some(own) = properties.get(&platform.name) {
            writeln!(out, "            properties: {},", written_properties(own))?;
        }
        out.push_str("        ),\n");
    }
    out.push_str("    ],\n");
    Ok(())
}

/// Writes the fields of a platform, each on a line. `letters` has the symbols of the tile kinds.
///
/// # Errors
/// Never returns one.
pub fn write_platform(out: &mut String, platform: &Platform, letters: &[char], indent: &str) -> fmt::Result {
    let Platform { name, layers, position, motion, paused, on_crush, on_ride, attached_to } = platform;
    let fields = [
        (!name.is_empty()).then(|| format!("name: {}", quoted(name))),
        Some(format!("at: {}", written_position(position.unwrap_or_default()))),
        match motion {
            PlatformMotion::Driven => None,
            PlatformMotion::Path(path) => Some(format!("motion: {}", written_path(path))),
            PlatformMotion::Circle(circle) => Some(format!("motion: {}", written_circle(circle))),
        },
        paused.then(|| "paused: true".to_owned()),
        (*on_crush != OnCrush::default()).then(|| format!("on_crush: {on_crush:?}")),
        written_on_ride(on_ride).map(|on_ride| format!("on_ride: {on_ride}")),
        (!attached_to.is_empty()).then(|| format!("attached_to: {}", quoted(attached_to))),
    ];
    for field in fields.into_iter().flatten() {
        writeln!(out, "{indent}{field},")?;
    }
    write_layers(out, layers, (0, 0), letters, indent)
}

fn written_path(path: &Path) -> String {
    let Path { points, timing, repeat, easing, wait, phase } = path;
    let (points, default): (Vec<String>, _) = (points.iter().copied().map(written_position).collect(), Path::default());
    let fields = [
        Some(format!("points: [{}]", points.join(", "))),
        Some(written_timing(*timing)),
        (*repeat != default.repeat).then(|| format!("repeat: {repeat:?}")),
        (*easing != default.easing).then(|| format!("easing: {easing:?}")),
        (*wait != 0.0).then(|| format!("wait: {wait:?}")),
        (*phase != 0.0).then(|| format!("phase: {phase:?}")),
    ];
    format!("Path({})", join_fields(fields))
}

fn written_circle(circle: &CirclePath) -> String {
    let CirclePath { radius, timing, clockwise, phase } = circle;
    let fields = [
        Some(format!("radius: {radius:?}")),
        Some(written_timing(*timing)),
        clockwise.then(|| "clockwise: true".to_owned()),
        (*phase != 0.0).then(|| format!("phase: {phase:?}")),
    ];
    format!("Circle({})", join_fields(fields))
}

fn written_timing(timing: PathTiming) -> String {
    match timing {
        PathTiming::Speed(speed) => format!("speed: {speed:?}"),
        PathTiming::Period(period) => format!("period: {period:?}"),
    }
}

/// Returns the text of a reaction to riders, or `None` for the default one.
fn written_on_ride(on_ride: &OnRide) -> Option<String> {
    let name = match on_ride {
        OnRide::Nothing => return None,
        OnRide::Start => return Some("Start".to_owned()),
        OnRide::Fall { .. } => "Fall",
        OnRide::Crumble { .. } => "Crumble",
    };
    let (delay, respawn_time) = on_ride.delays()?;
    let fields = [Some(format!("delay: {delay:?}")), respawn_time.map(|time| format!("respawn_time: {time:?}"))];
    Some(format!("{name}({})", join_fields(fields)))
}

/// Writes a position in tiles if they read back exactly, else in units.
pub(super) fn written_position(position: Position) -> String {
    let units = position.units();
    exact_tiles(position).map_or_else(|| format!("Units({}, {})", units.x, units.y), |(x, y)| format!("({x}, {y})"))
}

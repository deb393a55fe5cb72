//! The fields of a replay file, before anything is checked.

use super::command::CommandPart;
use crate::body::{Character, Kind, Response};
pub(super) use crate::map::I64 as I64_RANGE;
use crate::map::MapFile;
use crate::map::scan::scan;
use crate::motion::{Shape, Up};
use crate::record::TileSums;
use crate::text::{self, Node, Reader, Struct, Variant, is_short};
use text::Shape as Written;

const REPLAY: Struct<'_> = Struct {
    name: "Replay",
    required: &["map", "ticks"],
    optional: &[
        "format",
        "physics",
        "map_checksum",
        "map_tiles",
        "source",
        "settings",
        "bodies",
        "inputs",
        "commands",
        "expect",
        "checksums",
    ],
};
const SETTINGS: Struct<'_> =
    Struct { name: "Settings", required: &[], optional: &["tick", "gravity", "up", "floor_limit"] };
const RUN: Struct<'_> = Struct { name: "Run", required: &["ticks"], optional: &["walk", "jump", "down", "up"] };
const COMMAND: Struct<'_> = Struct { name: "Command", required: &["tick", "do"], optional: &[] };
const SUMS: Struct<'_> = Struct { name: "Checksums", required: &["tick", "state", "motion"], optional: &["places"] };

/// What some pairs are, in words.
pub(super) const CELL: &str = "an x and a y, such as (0, 0)";
pub(super) const VELOCITY: &str = "an x and a y, such as (1.5, 0.0)";
const UNITS: &str = "an x and a y in units, such as (0, 4294967296)";
/// What some integers are.
const PLACES: &str = "-2^61 to 2^61";
const TICKS: &str = "at most 100000000";
const TICK: &str = "0 to 100000000";

pub(crate) struct ReplayFile<'t> {
    pub(super) physics: Option<i64>,
    pub(crate) map: MapChoice<'t>,
    pub(super) map_checksum: Option<String>,
    pub(super) map_tiles: Option<TileSums>,
    pub(super) source: Option<String>,
    pub(super) settings: SettingsPart,
    pub(super) bodies: Vec<BodyPart>,
    pub(super) inputs: Vec<(String, Vec<Run>)>,
    pub(super) commands: Vec<Timed>,
    pub(super) ticks: i64,
    pub(super) expect: Vec<String>,
    pub(super) checksums: Vec<Sums>,
}

pub(crate) enum MapChoice<'t> {
    File(String),
    Inline(Box<MapFile<'t>>),
}

#[derive(Default)]
pub(super) struct SettingsPart {
    pub(super) tick: Option<f64>,
    pub(super) gravity: Option<(f64, f64)>,
    pub(super) up: Up,
    pub(super) floor_limit: Option<(u16, u16)>,
}

pub(super) struct BodyPart {
    pub(super) name: String,
    pub(super) at: Spot,
    pub(super) velocity: (f64, f64),
    /// All else that it is.
    pub(super) kind: Kind,
}

/// Where a body is put.
pub(super) enum Spot {
    /// In tiles.
    At(f64, f64),
    /// In units of 2^-32 tile.
    Units(i64, i64),
    /// The centre of a marker's cell.
    Marker(String),
    /// On the floor straight below the centre of a marker's cell.
    OnFloor(String),
}

pub(super) struct Run {
    pub(super) ticks: i64,
    pub(super) walk: i64,
    pub(super) jump: bool,
    pub(super) down: bool,
    pub(super) up: bool,
}

pub(super) struct Timed {
    pub(super) tick: i64,
    /// `None` for one that could not be read.
    pub(super) action: Option<CommandPart>,
}

pub(super) struct Sums {
    pub(super) tick: i64,
    pub(super) state: String,
    pub(super) motion: String,
    pub(super) places: Vec<(String, (i64, i64))>,
}

impl<'t> ReplayFile<'t> {
    pub(super) fn read(reader: &mut Reader<'t>, node: Node<'t>) -> ReplayFile<'t> {
        let mut fields = reader.fields(node, REPLAY);
        let mut file = ReplayFile {
            physics: fields.take("physics").map(|node| reader.integer(node, "1 to 2^32 - 1")),
            map: fields.take("map").and_then(|node| MapChoice::read(reader, node)).unwrap_or_default(),
            map_checksum: fields.take("map_checksum").map(|node| reader.text(node)),
            map_tiles: fields.take("map_tiles").and_then(|node| tile_sums(reader, node)),
            source: fields.take("source").map(|node| reader.text(node)),
            settings: fields.take("settings").map(|node| SettingsPart::read(reader, node)).unwrap_or_default(),
            bodies: Vec::new(),
            inputs: Vec::new(),
            commands: Vec::new(),
            ticks: fields.take("ticks").map_or(0, |node| reader.integer(node, TICKS)),
            expect: Vec::new(),
            checksums: Vec::new(),
        };
        // Another number was refused before the fields are read.
        if let Some(node) = fields.take("format") {
            reader.integer(node, "2");
        }
        if let Some(node) = fields.take("bodies") {
            reader.list(node, is_struct, |reader, node| file.bodies.push(BodyPart::read(reader, node)));
        }
        if let Some(node) = fields.take("inputs") {
            reader.map(node, |reader, key, value| {
                let (name, mut runs) = (reader.text(key), Vec::new());
                reader.list(value, is_struct, |reader, node| runs.push(Run::read(reader, node)));
                file.inputs.push((name, runs));
            });
        }
        if let Some(node) = fields.take("commands") {
            reader.list(node, is_struct, |reader, node| file.commands.push(Timed::read(reader, node)));
        }
        if let Some(node) = fields.take("expect") {
            let is_text = |shape| shape == Written::Text;
            reader.list(node, is_text, |reader, node| file.expect.push(reader.text(node)));
        }
        if let Some(node) = fields.take("checksums") {
            reader.list(node, is_struct, |reader, node| file.checksums.push(Sums::read(reader, node)));
        }
        file
    }
}

fn tile_sums<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<TileSums> {
    let (rows, columns) = reader.pair(node, "two lists of numbers, of the rows and the columns")?;
    let mut numbers = |node| {
        let mut numbers = Vec::new();
        let is_number = |shape| shape == Written::Integer;
        reader.list(node, is_number, |reader, node| match u16::try_from(reader.integer(node, "0 to 65535")) {
            Ok(number) => numbers.push(number),
            Err(_) => reader.out_of_range(node, "0 to 65535"),
        });
        numbers
    };
    Some(TileSums { rows: numbers(rows), columns: numbers(columns) })
}

fn is_struct(shape: Written) -> bool {
    shape == Written::Struct
}

impl Default for MapChoice<'_> {
    fn default() -> Self {
        MapChoice::File(String::new())
    }
}

impl<'t> MapChoice<'t> {
    fn read(reader: &mut Reader<'t>, node: Node<'t>) -> Option<MapChoice<'t>> {
        const VARIANTS: &[Variant] = &[
            Variant { name: "File", takes: (1, 1), words: "" },
            Variant {
                name: "Inline",
                takes: (1, 1),
                words: "`Inline` with a map, such as Inline(Map(format: 1, tiles: [...]))",
            },
        ];
        let meant = |node: Node<'_>| {
            let path = node.shape() == Written::Text && is_short(node.source());
            path.then(|| format!("File({})", node.source()))
        };
        let (name, values) = reader.variant(node, &["File", "Inline"], VARIANTS, meant)?;
        let value = *values.first()?;
        Some(if name == "File" {
            MapChoice::File(reader.text(value))
        } else {
            let scanned = if reader.tree.is_broken(value) { None } else { scan(value.slice()) };
            MapChoice::Inline(Box::new(MapFile::read(reader, value, scanned)))
        })
    }
}

impl SettingsPart {
    fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> SettingsPart {
        const UPS: [Up; 4] = [Up::PlusY, Up::MinusX, Up::MinusY, Up::PlusX];
        let mut fields = reader.fields(node, SETTINGS);
        let up = fields.take("up").and_then(|node| reader.word(node, &["PlusY", "MinusX", "MinusY", "PlusX"], &UPS));
        SettingsPart {
            tick: fields.take("tick").map(|node| reader.number(node)),
            gravity: fields.take("gravity").map(|node| reader.numbers(node, "an x and a y, such as (0.0, -40.0)")),
            up: up.unwrap_or_default(),
            floor_limit: fields.take("floor_limit").and_then(|node| {
                let (rise, run) = reader.pair(node, "a rise and a run, such as (2, 1)")?;
                let mut half = |node| u16::try_from(reader.integer(node, "0 to 65535")).map_err(|_| node);
                match (half(rise), half(run)) {
                    (Ok(rise), Ok(run)) => Some((rise, run)),
                    (rise, run) => {
                        for node in [rise.err(), run.err()].into_iter().flatten() {
                            reader.out_of_range(node, "0 to 65535");
                        }
                        None
                    }
                }
            }),
        }
    }
}

impl BodyPart {
    pub(super) fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> BodyPart {
        let mut kind = Kind::new(Shape::circle(0.0));
        let numbers: Vec<&str> = kind.numbers().map(|number| number.name).collect();
        let of = Struct {
            name: "Body",
            required: &["name", "shape"],
            optional: &[&["at", "velocity", "response", "character"], &numbers[..]].concat(),
        };
        let mut fields = reader.fields(node, of);
        for number in kind.numbers() {
            if let Some(node) = fields.take(number.name) {
                *number.value = reader.number(node);
            }
        }
        if let Some(shape) = fields.take("shape").and_then(|node| shape(reader, node)) {
            kind.shape = shape;
        }
        kind.response = fields.take("response").and_then(|node| response(reader, node)).unwrap_or_default();
        kind.character = fields.take("character").map(|node| character(reader, node));
        BodyPart {
            name: fields.take("name").map(|node| reader.text(node)).unwrap_or_default(),
            at: fields.take("at").and_then(|node| Spot::read(reader, node)).unwrap_or_default(),
            velocity: fields.take("velocity").map_or((0.0, 0.0), |node| reader.numbers(node, VELOCITY)),
            kind,
        }
    }
}

fn shape<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Shape> {
    const VARIANTS: &[Variant] = &[
        Variant { name: "Circle", takes: (1, 1), words: "" },
        Variant {
            name: "Aabb",
            takes: (2, 2),
            words: "`Aabb` with a half width and a half height, such as Aabb(0.5, 1.0)",
        },
    ];
    let (_, values) = reader.variant(node, &["Circle", "Aabb"], VARIANTS, |_| None)?;
    match values[..] {
        [radius] => Some(Shape::circle(reader.number(radius))),
        [width, height] => Some(Shape::aabb(reader.number(width), reader.number(height))),
        _ => None,
    }
}

fn response<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Response> {
    const NAMES: &[&str] = &["Slide", "Bounce", "Stop", "Pass"];
    const VARIANTS: &[Variant] = &[
        Variant { name: "Slide", takes: (0, 0), words: "" },
        Variant { name: "Bounce", takes: (1, 1), words: "" },
        Variant { name: "Stop", takes: (0, 0), words: "" },
        Variant { name: "Pass", takes: (0, 0), words: "" },
    ];
    let (name, values) = reader.variant(node, NAMES, VARIANTS, |_| None)?;
    Some(match (name, &values[..]) {
        (_, &[part]) => Response::Bounce(reader.number(part)),
        ("Stop", _) => Response::Stop,
        ("Pass", _) => Response::Pass,
        _ => Response::Slide,
    })
}

/// A character; its numbers are those that it is checked by.
pub(super) fn character<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Character {
    let mut character = Character::default();
    let own = |name: &'static str| name.strip_prefix("character.").unwrap_or(name);
    let names = character.numbers().map(|number| own(number.name));
    let mut fields = reader.fields(node, Struct { name: "Character", required: &[], optional: &names });
    for number in character.numbers() {
        if let Some(node) = fields.take(own(number.name)) {
            *number.value = reader.number(node);
        }
    }
    character
}

impl Default for Spot {
    fn default() -> Spot {
        Spot::Units(0, 0)
    }
}

impl Spot {
    pub(super) fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Spot> {
        const NAMES: &[&str] = &["At", "Units", "Marker", "OnFloor"];
        const VARIANTS: &[Variant] = &[
            Variant { name: "At", takes: (2, 2), words: "`At` with an x and a y, such as At(2.5, 1.0)" },
            Variant {
                name: "Units",
                takes: (2, 2),
                words: "`Units` with an x and a y in whole units, such as Units(0, 4294967296)",
            },
            Variant { name: "Marker", takes: (1, 1), words: "" },
            Variant { name: "OnFloor", takes: (1, 1), words: "" },
        ];
        let meant = |node: Node<'_>| {
            let pair = node.shape() == Written::Tuple && is_short(node.source());
            pair.then(|| format!("At{}", node.source()))
        };
        let (name, values) = reader.variant(node, NAMES, VARIANTS, meant)?;
        match (name, &values[..]) {
            ("At", &[x, y]) => Some(Spot::At(reader.number(x), reader.number(y))),
            ("Units", &[x, y]) => Some(Spot::Units(reader.integer(x, PLACES), reader.integer(y, PLACES))),
            ("Marker", &[name]) => Some(Spot::Marker(reader.text(name))),
            (_, &[name]) => Some(Spot::OnFloor(reader.text(name))),
            _ => None,
        }
    }
}

impl Run {
    fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Run {
        let mut fields = reader.fields(node, RUN);
        let mut held = |reader: &mut Reader<'t>, name| fields.take(name).is_some_and(|node| reader.boolean(node));
        let (jump, down, up) = (held(reader, "jump"), held(reader, "down"), held(reader, "up"));
        Run {
            ticks: fields.take("ticks").map_or(0, |node| reader.integer(node, TICKS)),
            walk: fields.take("walk").map_or(0, |node| reader.integer(node, "-127 to 127")),
            jump,
            down,
            up,
        }
    }
}

impl Timed {
    fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Timed {
        let mut fields = reader.fields(node, COMMAND);
        Timed {
            tick: fields.take("tick").map_or(0, |node| reader.integer(node, TICK)),
            action: fields.take("do").and_then(|node| CommandPart::read(reader, node)),
        }
    }
}

impl Sums {
    fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Sums {
        let mut fields = reader.fields(node, SUMS);
        let mut places = Vec::new();
        if let Some(node) = fields.take("places") {
            reader.map(node, |reader, key, value| {
                places.push((reader.text(key), reader.integers(value, UNITS, PLACES)));
            });
        }
        let mut text = |name| fields.take(name).map(|node| reader.text(node)).unwrap_or_default();
        let (state, motion) = (text("state"), text("motion"));
        Sums { tick: fields.take("tick").map_or(0, |node| reader.integer(node, TICK)), state, motion, places }
    }
}

//! Fields of a replay file, and their simple values.

use crate::body::{Character, Response};
use crate::motion::{Shape, Up};
use crate::record::TileSums;
use crate::text::{self, Node, Reader, Struct, Variant, is_short};
pub(super) use crate::tiles::map::I64 as I64_RANGE;
pub(super) use crate::tiles::map::body_text::read_facing;
use crate::tiles::map::body_text::{read_character, read_response, read_shape};
use crate::tiles::map::scan::scan_map_fields;
use crate::tiles::map::{CollisionLayers, MapFile, read_units};
use text::Shape as Written;

pub(super) const REPLAY: Struct<'_> = Struct {
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
pub(super) const SETTINGS: Struct<'_> =
    Struct { name: "Settings", required: &[], optional: &["tick", "gravity", "up", "max_floor_slope"] };
pub(super) const RUN: Struct<'_> =
    Struct { name: "Run", required: &["ticks"], optional: &["walk", "jump", "down", "up", "dash"] };
pub(super) const COMMAND: Struct<'_> = Struct { name: "Command", required: &["tick", "do"], optional: &[] };
pub(super) const SUMS: Struct<'_> =
    Struct { name: "Checksums", required: &["tick", "state", "motion"], optional: &["positions"] };

/// Expected value in errors about a pair of coordinates.
pub(super) const CELL: &str = "an x and a y, such as (0, 0)";
pub(super) const VELOCITY: &str = "an x and a y, such as (1.5, 0.0)";
pub(super) const UNITS: &str = "an x and a y in units (1 tile is 4294967296 units), such as (0, 4294967296)";
/// Expected value in errors about a number of ticks.
pub(super) const TICKS: &str = "at most 100000000";
pub(super) const TICK: &str = "0 to 100000000";

pub(crate) enum MapChoice<'t> {
    File(String),
    Inline(Box<MapFile<'t>>),
}

/// Position at which a body is placed.
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

pub(super) fn read_tile_sums<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<TileSums> {
    let (rows, columns) = reader.read_pair(node, "two lists of numbers, of the rows and the columns")?;
    let mut numbers = |node| {
        let mut numbers = Vec::new();
        reader.read_list(node, &[Written::Integer], |reader, node| {
            match u16::try_from(reader.read_integer(node, "0 to 65535")) {
                Ok(number) => numbers.push(number),
                Err(_) => reader.report_out_of_range(node, "0 to 65535"),
            }
        });
        numbers
    };
    Some(TileSums { rows: numbers(rows), columns: numbers(columns) })
}

impl Default for MapChoice<'_> {
    fn default() -> Self {
        MapChoice::File(String::new())
    }
}

impl<'t> MapChoice<'t> {
    pub(super) fn read(reader: &mut Reader<'t>, node: Node<'t>) -> Option<MapChoice<'t>> {
        const VARIANTS: &[Variant] = &[
            Variant {
                name: "File",
                takes: (1, 1),
                words: "a path from the replay's folder, such as File(\"level.ron\")",
            },
            Variant { name: "Inline", takes: (1, 1), words: "a map, such as Inline(Map(format: 1, tiles: [...]))" },
        ];
        let meant = |node: Node<'_>| {
            let path = node.shape() == Written::Text && is_short(node.source());
            path.then(|| format!("File({})", node.source()))
        };
        let (name, values) = reader.read_variant(node, &["File", "Inline"], VARIANTS, meant)?;
        let value = *values.first()?;
        Some(if name == "File" {
            MapChoice::File(reader.read_string(value))
        } else {
            let scanned = if reader.tree.is_broken(value) { None } else { scan_map_fields(value.slice()) };
            MapChoice::Inline(Box::new(MapFile::read(reader, value, scanned)))
        })
    }
}

/// Reads the steepest floor: a rise and a run.
pub(super) fn read_floor_limit<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<(u16, u16)> {
    let (rise, run) = reader.read_pair(node, "a rise and a run, such as (2, 1)")?;
    let mut half = |node| u16::try_from(reader.read_integer(node, "0 to 65535")).map_err(|_| node);
    match (half(rise), half(run)) {
        (Ok(rise), Ok(run)) => Some((rise, run)),
        (rise, run) => {
            for node in [rise.err(), run.err()].into_iter().flatten() {
                reader.report_out_of_range(node, "0 to 65535");
            }
            None
        }
    }
}

pub(super) fn read_body_shape<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Shape> {
    read_shape(reader, node).map(Shape::from)
}

pub(super) fn read_body_response<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Response> {
    read_response(reader, node).map(Response::from)
}

/// Words for the up of a body. The first one stands for the world's.
const UP_WORDS: &[&str] = &["None", "PlusY", "MinusX", "MinusY", "PlusX"];

/// Reads a direction of up.
pub(super) fn read_up_direction<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Up> {
    reader.read_word(node, Up::NAMES.0, Up::NAMES.1)
}

/// Reads the up of a body: its own, or `None` for the world's.
pub(super) fn read_body_up<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Option<Up>> {
    let ups: Vec<Option<Up>> = [None].into_iter().chain(Up::NAMES.1.iter().copied().map(Some)).collect();
    reader.read_word(node, UP_WORDS, &ups)
}

/// A set of collision layers that every map has, and its word.
pub(super) type LayerWord = (&'static [&'static str], &'static [CollisionLayers]);

/// Default layers of a body.
pub(super) const FIRST: LayerWord = (&["First"], &[CollisionLayers::FIRST]);
/// The mask of all layers. The default mask is an empty list.
pub(super) const ALL: LayerWord = (&["All"], &[CollisionLayers::ALL]);

pub(super) fn read_body_character<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Character {
    Character::from(&read_character(reader, node))
}

impl Default for Spot {
    fn default() -> Spot {
        Spot::Units(0, 0)
    }
}

impl Spot {
    const VARIANTS: &[Variant] = &[
        Variant { name: "At", takes: (2, 2), words: "an x and a y, such as At(2.5, 1.0)" },
        Variant { name: "Units", takes: (2, 2), words: "an x and a y in whole units, such as Units(0, 4294967296)" },
        Variant { name: "Marker", takes: (1, 1), words: "a marker's name, such as Marker(\"start\")" },
        Variant { name: "OnFloor", takes: (1, 1), words: "a marker's name, such as OnFloor(\"start\")" },
    ];

    pub(super) fn read<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Spot> {
        Spot::read_spot_variant(reader, node, &["At", "Units", "Marker", "OnFloor"], Spot::VARIANTS)
    }

    /// Does [`Spot::read`] for things that are not bodies and cannot stand on a floor.
    pub(super) fn read_corner<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Spot> {
        Spot::read_spot_variant(reader, node, &["At", "Units"], Spot::VARIANTS)
    }

    fn read_spot_variant<'t>(
        reader: &mut Reader<'t>,
        node: Node<'t>,
        names: &'static [&'static str],
        variants: &'static [Variant],
    ) -> Option<Spot> {
        let meant = |node: Node<'_>| {
            let pair = node.shape() == Written::Tuple && is_short(node.source());
            pair.then(|| format!("At{}", node.source()))
        };
        let (name, values) = reader.read_variant(node, names, variants, meant)?;
        match (name, &values[..]) {
            ("At", &[x, y]) => Some(Spot::At(reader.read_number(x), reader.read_number(y))),
            ("Units", &[x, y]) => Some(Spot::Units(read_units(reader, x), read_units(reader, y))),
            ("Marker", &[name]) => Some(Spot::Marker(reader.read_string(name))),
            (_, &[name]) => Some(Spot::OnFloor(reader.read_string(name))),
            _ => None,
        }
    }
}

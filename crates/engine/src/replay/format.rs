//! The shape of a replay file, before anything is checked.

use crate::body::{Character, Kind, Response};
use crate::map::MapFile;
use crate::motion::{Shape, Up};
use crate::text::{Pairs, bare};
use ron::Error;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Replay")]
pub(crate) struct ReplayFile<'t> {
    #[serde(default = "format")]
    pub(crate) format: i64,
    #[serde(default, deserialize_with = "bare")]
    pub(super) physics: Option<i64>,
    #[serde(borrow)]
    pub(crate) map: MapChoice<'t>,
    #[serde(default, deserialize_with = "bare")]
    pub(super) map_checksum: Option<String>,
    #[serde(default, deserialize_with = "bare")]
    pub(super) source: Option<String>,
    #[serde(default)]
    pub(super) settings: SettingsPart,
    #[serde(default)]
    pub(super) bodies: Vec<BodyPart>,
    #[serde(default)]
    pub(super) inputs: Pairs<String, Vec<Run>>,
    #[serde(default)]
    pub(super) commands: Vec<Timed>,
    pub(super) ticks: i64,
    #[serde(default)]
    pub(super) checksums: Vec<Sums>,
}

/// A file that does not say is of the latest.
fn format() -> i64 {
    super::Replay::FORMAT.into()
}

#[derive(Deserialize)]
#[serde(rename = "map")]
pub(crate) enum MapChoice<'t> {
    File(String),
    #[serde(borrow)]
    Inline(Box<MapFile<'t>>),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename = "Settings", default)]
pub(super) struct SettingsPart {
    #[serde(deserialize_with = "bare")]
    pub(super) tick: Option<f64>,
    #[serde(deserialize_with = "bare")]
    pub(super) gravity: Option<(f64, f64)>,
    pub(super) up: Up,
    #[serde(deserialize_with = "bare")]
    pub(super) floor_limit: Option<(u16, u16)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Body")]
pub(super) struct BodyPart {
    pub(super) name: String,
    pub(super) shape: ShapePart,
    #[serde(default)]
    pub(super) at: Spot,
    #[serde(default)]
    pub(super) velocity: (f64, f64),
    #[serde(default, deserialize_with = "bare")]
    pub(super) gravity_scale: Option<f64>,
    #[serde(default)]
    pub(super) response: Response,
    #[serde(default, deserialize_with = "bare")]
    pub(super) friction: Option<f64>,
    #[serde(default, deserialize_with = "bare")]
    pub(super) rest_speed: Option<f64>,
    #[serde(default, deserialize_with = "bare")]
    pub(super) character: Option<Character>,
}

impl BodyPart {
    /// What the body is, with that shape.
    pub(super) fn kind(&self, shape: Shape) -> Kind {
        let plain = Kind::new(shape);
        Kind {
            gravity_scale: self.gravity_scale.unwrap_or(plain.gravity_scale),
            response: self.response,
            friction: self.friction.unwrap_or(plain.friction),
            rest_speed: self.rest_speed.unwrap_or(plain.rest_speed),
            character: self.character,
            ..plain
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename = "shape")]
pub(super) enum ShapePart {
    Circle(f64),
    Aabb(f64, f64),
}

/// Where a body is put.
#[derive(Deserialize)]
#[serde(rename = "place")]
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

impl Default for Spot {
    fn default() -> Spot {
        Spot::Units(0, 0)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Run")]
pub(super) struct Run {
    pub(super) ticks: i64,
    #[serde(default)]
    pub(super) walk: i64,
    #[serde(default)]
    pub(super) jump: bool,
    #[serde(default)]
    pub(super) down: bool,
    #[serde(default)]
    pub(super) up: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Command")]
pub(super) struct Timed {
    pub(super) tick: i64,
    #[serde(rename = "do")]
    pub(super) action: ActionPart,
}

#[derive(Deserialize)]
#[serde(rename = "command")]
pub(super) enum ActionPart {
    Spawn(Box<BodyPart>),
    Remove(String),
    SetVelocity(String, (f64, f64)),
    Teleport(String, Spot),
    SetCharacter(String, Character),
    SetTile((i64, i64), String, #[serde(default, deserialize_with = "bare")] Option<String>),
    SetTiles((i64, i64), (i64, i64), String, #[serde(default, deserialize_with = "bare")] Option<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Checksums")]
pub(super) struct Sums {
    pub(super) tick: i64,
    pub(super) state: String,
    pub(super) motion: String,
    #[serde(default)]
    pub(super) places: Pairs<String, (i64, i64)>,
}

/// What the parts of a shape, a place or a command are.
const PARTS: [(&str, &str); 10] = [
    ("Inline", "`Inline` with a map, such as Inline(Map(format: 1, tiles: [...]))"),
    ("Spawn", "`Spawn` with a body, such as Spawn(Body(name: \"a\", shape: Circle(0.5)))"),
    ("Aabb", "`Aabb` with a half width and a half height, such as Aabb(0.5, 1.0)"),
    ("At", "`At` with an x and a y, such as At(2.5, 1.0)"),
    ("Units", "`Units` with an x and a y in whole units, such as Units(0, 4294967296)"),
    ("SetVelocity", "`SetVelocity` with a body's name and a velocity, such as SetVelocity(\"a\", (1.0, 0.0))"),
    ("Teleport", "`Teleport` with a body's name and a place, such as Teleport(\"a\", At(2.5, 1.0))"),
    (
        "SetCharacter",
        "`SetCharacter` with a body's name and a character, such as SetCharacter(\"a\", (walk_speed: 6.0))",
    ),
    ("SetTiles", "`SetTiles` with two corners and what to paint there, such as SetTiles((3, 0), (5, 1), \"#\")"),
    ("SetTile", "`SetTile` with a tile's place and what to paint there, such as SetTile((3, 0), \"#\")"),
];

/// What the parts of a shape, a place or a command of that name are.
pub(crate) fn parts(variant: &str) -> Option<&'static str> {
    PARTS.iter().find(|(name, _)| *name == variant).map(|&(_, parts)| parts)
}

/// Says what a shape, a place or a command takes, instead of how many parts it has.
pub(super) fn name_parts(error: &mut Error) {
    if let Error::ExpectedDifferentLength { expected, .. } = error
        && let Some((_, parts)) = PARTS.iter().find(|(variant, _)| expected.contains(&format!("::{variant} ")))
    {
        *expected = (*parts).to_owned();
    }
}

//! `surefoot trace`: runs a replay and prints each tick.

use super::{Done, exit_code_of_output};
use crate::progress::Bar;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use surefoot::Event;
use surefoot::area::AreaId;
use surefoot::event::{JumpFrom, LandedOn};
use surefoot::map::Material;
use surefoot::platform::PlatformId;
use surefoot::prelude::{BodyId, Contact, EventKind, Side};
use surefoot::record::Playback;
use surefoot::world::PlatformState;

/// Run a replay and print one JSON object per tick
///
/// The command does not compare checksums. Every number reads back to the same bits.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A replay, a recording or a saved game
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let mut player = Playback::load(&arguments.file)?;
    let mut out = BufWriter::new(io::stdout().lock());
    exit_code_of_output(print_trace(&mut player, &mut out), ExitCode::SUCCESS)
}

fn print_trace(player: &mut Playback, out: &mut impl Write) -> io::Result<()> {
    let bar = Bar::of_ticks(player.recording().ticks(), "tracing");
    while player.step().is_some() {
        bar.advance_by_tick();
        serde_json::to_writer(&mut *out, &tick_line(player))?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

#[derive(Serialize)]
struct Tick<'a> {
    tick: u64,
    checksum: String,
    bodies: Vec<BodyLine<'a>>,
    platforms: Vec<PlatformLine<'a>>,
    events: Vec<EventLine<'a>>,
}

#[derive(Serialize)]
struct BodyLine<'a> {
    name: &'a str,
    /// The cell of the centre. With the offset in units of 2^-32 tile, it is the exact position.
    tile: (i32, i32),
    offset: (u32, u32),
    /// The position in tiles; rounded far from the origin.
    x: f64,
    y: f64,
    velocity: [f64; 2],
    floor: bool,
    wall_left: bool,
    wall_right: bool,
    ceiling: bool,
    /// The name of the ridden platform; `null` if the body rides none.
    platform_under: Option<&'a str>,
    contacts: Vec<ContactLine>,
}

#[derive(Serialize)]
struct PlatformLine<'a> {
    /// The name; empty if there is none.
    name: &'a str,
    /// The cell of the corner, with an offset as for a body.
    tile: (i32, i32),
    offset: (u32, u32),
    x: f64,
    y: f64,
    blocked: bool,
    /// False if the platform has crumbled or fallen out of the map.
    present: bool,
}

#[derive(Serialize)]
struct ContactLine {
    normal: [f64; 2],
    tile: (i32, i32),
    /// The name of the tile layer; `null` beyond a solid border.
    layer: Option<String>,
    /// The pattern; `null` beyond a solid border, which is not a tile.
    pattern: Option<String>,
    /// The platform of the tile; left out for the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<String>,
    /// The properties of the material that differ from the default.
    #[serde(skip_serializing_if = "Map::is_empty")]
    material: Map<String, Value>,
}

#[derive(Serialize)]
struct EventLine<'a> {
    body: Option<&'a str>,
    kind: &'static str,
    #[serde(flatten)]
    hit: Option<HitFields>,
    #[serde(flatten)]
    landing: Option<LandingFields>,
    #[serde(flatten)]
    jump: Option<JumpFields>,
    /// The other body of a contact or collision; empty if it has no name.
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<&'a str>,
    #[serde(flatten)]
    met: Option<MetFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<&'a str>,
    #[serde(flatten)]
    arrival: Option<ArrivalFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<&'a str>,
}

#[derive(Serialize)]
struct HitFields {
    side: &'static str,
    speed: f64,
    normal: [f64; 2],
    tile: (i32, i32),
    x: f64,
    y: f64,
}

/// A landing. The event has the other body or the platform in the fields of other events.
#[derive(Serialize)]
struct LandingFields {
    speed: f64,
    /// The tile that was landed on; left out for a landing on a body.
    #[serde(skip_serializing_if = "Option::is_none")]
    tile: Option<(i32, i32)>,
}

#[derive(Serialize)]
struct JumpFields {
    from: &'static str,
    buffered: bool,
}

/// Arrival of a platform.
#[derive(Serialize)]
struct ArrivalFields {
    point: u32,
    is_end: bool,
}

/// A collision of two bodies.
#[derive(Serialize)]
struct MetFields {
    speed: f64,
    normal: [f64; 2],
}

fn tick_line(player: &Playback) -> Tick<'_> {
    let world = player.world();
    Tick {
        tick: world.tick(),
        checksum: player.checksum().to_string(),
        bodies: player.names().map(|(id, name)| body_line(player, id, name)).collect(),
        platforms: world.platforms().map(|(_, state)| platform_line(state)).collect(),
        events: world.events().iter().map(|what| event_line(player, what)).collect(),
    }
}

fn body_line<'a>(player: &'a Playback, id: BodyId, name: &'a str) -> BodyLine<'a> {
    let state = &player.world()[id];
    let (position, touching) = (state.position(), state.touching());
    let at = position.to_dvec2();
    BodyLine {
        name,
        tile: position.cell(),
        offset: position.in_cell(),
        x: at.x,
        y: at.y,
        velocity: state.velocity().to_array(),
        floor: touching.floor,
        wall_left: touching.wall_left,
        wall_right: touching.wall_right,
        ceiling: touching.ceiling,
        platform_under: player.world().platform_under(id).map(|ride| platform_name(player, ride)),
        contacts: player.world().contacts(id).iter().map(|touched| contact_fields(player, &touched)).collect(),
    }
}

fn platform_line(state: &PlatformState) -> PlatformLine<'_> {
    let position = state.position();
    let at = position.to_dvec2();
    PlatformLine {
        name: &state.platform().name,
        tile: position.cell(),
        offset: position.in_cell(),
        x: at.x,
        y: at.y,
        blocked: state.is_blocked(),
        present: state.is_present(),
    }
}

/// Returns the name of an area; empty if it has none or was removed.
fn area_name(player: &Playback, id: AreaId) -> &str {
    player.world().area(id).map_or("", |state| &state.area().name)
}

/// Returns the name of a platform; empty if it has none or was removed.
fn platform_name(player: &Playback, id: PlatformId) -> &str {
    player.world().platform(id).map_or("", |state| &state.platform().name)
}

fn contact_fields(player: &Playback, contact: &Contact) -> ContactLine {
    let pattern = contact.variant.map(|variant| player.world().map().catalogue().variant_name(variant));
    let map = player.world().map();
    let layer = match contact.platform.and_then(|id| player.world().platform(id)) {
        Some(platform) => platform.platform().layers.get(contact.layer),
        None => map.tile_at(0, contact.tile).and_then(|_| map.layers().get(contact.layer)),
    };
    let layer = layer.map(|layer| layer.name.clone());
    let platform = contact.platform.map(|id| platform_name(player, id).to_owned());
    let material = material_fields(contact.material);
    ContactLine { normal: contact.normal.to_array(), tile: contact.tile, layer, pattern, platform, material }
}

/// Returns the properties of a material that differ from the default.
fn material_fields(material: Material) -> Map<String, Value> {
    let fields = |material| match serde_json::to_value(material) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let plain = fields(Material::default());
    fields(material).into_iter().filter(|(name, value)| plain.get(name) != Some(value)).collect()
}

fn event_line<'a>(player: &'a Playback, event: &Event) -> EventLine<'a> {
    let hit = match event.kind {
        EventKind::HitTile { side, speed, normal, tile, position, .. } => {
            let at = position.to_dvec2();
            Some(HitFields { side: side_name(side), speed, normal: normal.to_array(), tile, x: at.x, y: at.y })
        }
        _ => None,
    };
    let landing = match event.kind {
        EventKind::Landed { speed, on } => {
            let tile = if let Some(LandedOn::Tile { tile, .. }) = on { Some(tile) } else { None };
            Some(LandingFields { speed, tile })
        }
        _ => None,
    };
    let jump = match event.kind {
        EventKind::Jumped { from, buffered } => Some(JumpFields { from: jump_name(from), buffered }),
        _ => None,
    };
    let platform = match event.kind {
        EventKind::Crushed { platform }
        | EventKind::Landed { on: Some(LandedOn::Tile { platform: Some(platform), .. }), .. }
        | EventKind::HitTile { platform: Some(platform), .. }
        | EventKind::PlatformArrived { platform, .. } => Some(platform_name(player, platform)),
        _ => None,
    };
    let area = match event.kind {
        EventKind::AreaEntered { area } | EventKind::AreaExited { area } => Some(area_name(player, area)),
        _ => None,
    };
    let other = match event.kind {
        EventKind::HitBody { other, .. }
        | EventKind::Landed { on: Some(LandedOn::Body(other)), .. }
        | EventKind::BodyContactBegan { other }
        | EventKind::BodyContactEnded { other }
        | EventKind::GrabBroken { other }
        | EventKind::PushRefused { other } => Some(player.name(other).unwrap_or_default()),
        _ => None,
    };
    let met = match event.kind {
        EventKind::HitBody { normal, speed, .. } => Some(MetFields { speed, normal: normal.to_array() }),
        _ => None,
    };
    let arrival = match event.kind {
        EventKind::PlatformArrived { point, is_end, .. } => Some(ArrivalFields { point, is_end }),
        _ => None,
    };
    let (body, kind) = (player.name(event.body), event.kind.name());
    EventLine { body, kind, hit, landing, jump, other, met, platform, arrival, area }
}

fn jump_name(from: JumpFrom) -> &'static str {
    match from {
        JumpFrom::Ground => "ground",
        JumpFrom::Coyote => "coyote",
        JumpFrom::Wall => "wall",
        JumpFrom::Air => "air",
        JumpFrom::Ladder => "ladder",
        JumpFrom::Ledge => "ledge",
        JumpFrom::Water => "water",
        _ => "other",
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Floor => "floor",
        Side::WallLeft => "wall_left",
        Side::WallRight => "wall_right",
        Side::Ceiling => "ceiling",
    }
}

//! `surefoot trace`: runs a replay and prints every tick.

use super::{Done, written};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use surefoot::prelude::{BodyId, BodyState, Contact, Event, EventKind, Side};
use surefoot::replay::Player;

/// Run a replay and print one JSON object a tick
///
/// Checksums in the file are not compared. Every number reads back to the same bits.
#[derive(clap::Args)]
pub struct Arguments {
    /// A replay file
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub fn run(arguments: &Arguments) -> Done {
    let mut player = Player::load(&arguments.file)?;
    let mut out = BufWriter::new(io::stdout().lock());
    written(print(&mut player, &mut out), ExitCode::SUCCESS)
}

fn print(player: &mut Player, out: &mut impl Write) -> io::Result<()> {
    while player.step().is_some() {
        serde_json::to_writer(&mut *out, &tick(player))?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

fn tick(player: &Player) -> Value {
    let world = player.world();
    let bodies: Vec<Value> = player.names().map(|(id, name)| body(player, id, name)).collect();
    let events: Vec<Value> = world.events().iter().map(|what| event(player, what)).collect();
    json!({
        "tick": world.tick(),
        "checksum": player.checksum().to_string(),
        "bodies": bodies,
        "events": events,
    })
}

fn body(player: &Player, id: BodyId, name: &str) -> Value {
    let state: &BodyState = &player.world()[id];
    let (place, touching) = (state.place(), state.touching());
    let at = place.to_dvec2();
    let contacts: Vec<Value> = player.world().contacts(id).iter().map(|touched| contact(player, &touched)).collect();
    json!({
        "name": name,
        "tile": place.cell(),
        "offset": place.offset(),
        "x": at.x,
        "y": at.y,
        "velocity": state.velocity().to_array(),
        "floor": touching.floor,
        "wall_left": touching.wall_left,
        "wall_right": touching.wall_right,
        "ceiling": touching.ceiling,
        "contacts": contacts,
    })
}

fn contact(player: &Player, contact: &Contact) -> Value {
    // What lies beyond a solid side is no tile of the map and has no pattern.
    let pattern = contact.variant.map(|variant| player.world().map().catalogue().name(variant));
    json!({ "normal": contact.normal.to_array(), "tile": contact.tile, "pattern": pattern })
}

fn event(player: &Player, event: &Event) -> Value {
    let body = player.name(event.body);
    match event.kind {
        EventKind::Hit { side, speed, normal, tile } => json!({
            "body": body,
            "kind": "hit",
            "side": side_name(side),
            "speed": speed,
            "normal": normal.to_array(),
            "tile": tile,
        }),
        kind => json!({ "body": body, "kind": kind_name(kind) }),
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

fn kind_name(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Landed => "landed",
        EventKind::LeftFloor => "left_floor",
        EventKind::Hit { .. } => "hit",
        EventKind::LeftMap => "left_map",
        EventKind::Stuck => "stuck",
        EventKind::Freed => "freed",
        // A kind that this tool does not know yet.
        _ => "other",
    }
}

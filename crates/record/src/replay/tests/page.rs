//! Compares the page of the format with the code.

use super::runs::names_of_bodies_at_start;
use super::*;
use crate::body::{Body, Character};
use crate::checksum::PHYSICS_VERSION;
use crate::command::Command;
use crate::motion::Shape;
use surefoot_geometry::Position;

const PAGE: &str = include_str!("../../../../../docs/formats/replay.md");

/// Returns the page's blocks of RON.
fn blocks() -> Vec<&'static str> {
    PAGE.split("```ron\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn every_example_is_a_replay() {
    assert_eq!(blocks().len(), 3);
    for block in blocks() {
        let replay = Replay::from_ron(block).unwrap_or_else(|error| panic!("{error} in\n{block}"));
        assert_eq!(Replay::from_ron(&replay.to_ron()).unwrap(), replay);
    }
}

#[test]
fn the_whole_example_reads_as_the_page_describes() {
    let replay = Replay::from_ron(blocks()[2]).unwrap();
    assert_eq!((replay.ticks(), replay.physics()), (120, PHYSICS_VERSION));
    assert_eq!(names_of_bodies_at_start(&replay).collect::<Vec<_>>(), ["hero", "ball", "crate"]);
    let given: Vec<&Command> = replay.recording().commands().map(|(_, command)| command).collect();
    let [Command::Spawn(hero), Command::Spawn(_), Command::Spawn(crate_), ..] = &given[..] else { panic!("{given:?}") };
    let other = |command: &&&Command| !matches!(command, Command::SetInput(..));
    assert_eq!(given.iter().skip(3).filter(other).count(), 7);
    assert_eq!(replay.settings().tick, 0.01);
    // The floor below the marker is the row of blocks, whose top is at y = 1.
    assert_eq!(hero.position, Position::new(1.5, 1.45));
    assert_eq!(hero.character.unwrap().walk_speed, 6.0);
    let stronger = crate::body::Character { walk_speed: 6.0, jump_height: 4.0, ..Default::default() };
    let id = replay.recording().body("hero").unwrap();
    assert!(given.contains(&&Command::SetCharacter(id, Box::new(stronger))));
    assert_eq!(crate_.position, Position::new(1.1, 3.5));
    let half = |command: &Command| matches!(command, Command::SetInput(_, input) if input.walk == 64);
    let tick = replay.recording().commands().find(|(_, command)| half(command));
    assert_eq!(tick.map(|(tick, _)| tick), Some(61));
}

#[test]
fn the_example_with_positions_runs_to_its_recorded_positions() {
    let mut player = Playback::new(&Replay::from_ron(blocks()[1]).unwrap());
    let summary = player.run().unwrap_or_else(|divergence| panic!("{divergence}"));
    assert_eq!((summary.compared, player.mismatches()), (1, &[][..]));
    // The hero stands below the marker on the blocks, whose top is at y = 1.
    let [hero] = player.expected_positions(30) else { panic!("one body") };
    assert_eq!((player.name(hero.body), Ok(hero.position)), (Some("hero"), Position::new(1.5, 1.5)));
}

#[test]
fn defaults_are_those_of_the_code() {
    let replay = Replay::from_ron(
        r#"(map: Inline((format: 1, tiles: ["."])), bodies: [(name: "a", shape: Circle(0.5), character: ())], ticks: 0)"#,
    )
    .unwrap();
    assert_eq!(replay.settings(), Settings::default());
    let body = Body::new(Shape::circle(0.5)).character(crate::body::Character::default());
    let first = replay.recording().commands().next().map(|(_, command)| command.clone());
    assert_eq!(first, Some(Command::Spawn(Box::new(body.clone()))));

    let row = |field: &str, default: String| {
        let start = format!("| `{field}` |");
        let line = PAGE.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no row for {field}"));
        assert!(line.contains(&format!("| `{default}` |")), "{field}: {default} in {line}");
    };
    let settings = Settings::default();
    let gravity = settings.gravity;
    row("tick", format!("{:?}", settings.tick));
    row("gravity", format!("({:?}, {:?})", gravity.x, gravity.y));
    row("up", format!("{:?}", settings.up));
    row("max_floor_slope", format!("{:?}", <(u16, u16)>::from(settings.max_floor_slope)));
    row("gravity_scale", format!("{:?}", body.gravity_scale));
    row("facing", format!("{:?}", body.facing));
    row("response", format!("{:?}", body.response));
    row("friction", format!("{:?}", body.friction));
    row("rest_speed_threshold", format!("{:?}", body.rest_speed_threshold));
    row("mass", format!("{:?}", body.mass));
    row("time_scale", format!("{:?}", body.time_scale));
    row("collision_mask", "[]".to_owned());
    let limits = PAGE.split("## Limits").nth(1).unwrap();
    for words in [
        format!("{} ticks", Replay::MAX_TICKS),
        format!("{} bodies", Replay::MAX_BODIES),
        format!("{} commands", Replay::MAX_COMMANDS),
        format!("{} positions in all checksums", Replay::MAX_POSITIONS),
        format!("{} MiB", crate::io::MAX_FILE_SIZE >> 20),
    ] {
        assert!(limits.contains(&words), "{words}");
    }
}

/// Snapshots have the fields of a character in the order that the page describes.
#[test]
fn characters_of_snapshots_have_the_order_of_the_page() {
    let page = include_str!("../../../../../docs/formats/snapshot.md");
    let text = page.split("### Characters").nth(1).and_then(|rest| rest.split("\n###").next()).unwrap();
    let between = "Between `max_fall_speed` and `platform_velocity_grace` come `platform_velocity`";
    assert!(text.contains(between) && text.contains("and `air_jumps`"), "{text}");
    let mut listed = Character::FIELD_NAMES.to_vec();
    let after = listed.iter().position(|name| *name == "max_fall_speed").unwrap() + 1;
    listed.splice(after..after, ["platform_velocity", "air_jumps"]);
    assert_eq!(listed[after + 2], "platform_velocity_grace");
    let written = ron::to_string(&Character::default()).unwrap();
    let fields = written.trim_matches(['(', ')']).split(',').map(|field| field.split(':').next().unwrap());
    assert_eq!(listed, fields.collect::<Vec<_>>());
}

//! Tests saved runs.

use crate::{Folder, hall, paused, rewind_to, script, tick, tiles, variant};
use std::fs;
use std::path::Path;
use surefoot::Command;
use surefoot::body::Character;
use surefoot::catalogue::VariantId;
use surefoot::geometry::DVec2;
use surefoot::map::Map;
use surefoot::prelude::Replay;
use surefoot::record::Playback;
use surefoot::replay::{MapSource, verify};
use surefoot_play::{Held, PlayError, Session, Throwable};

/// Saves the run and plays the saved file.
fn check(session: &mut Session, path: &Path) -> Playback {
    let saved = session.save_replay(path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((saved.path.as_path(), saved.replay.ticks()), (path, session.world().tick()));
    let summary = verify(path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(summary.ticks, session.world().tick());
    assert_eq!(summary.compared as u64, session.world().tick().div_ceil(60));
    let mut player = Playback::load(path).unwrap();
    assert_eq!(player.recording(), &**saved.replay.recording());
    player.run().unwrap();
    assert_eq!(player.world().motion_checksum(), session.world().motion_checksum());
    let bodies = |world: &surefoot::world::World| {
        let bodies =
            world.bodies().map(|(_, state)| (state.position(), state.shape(), state.touching(), state.is_stuck()));
        bodies.collect::<Vec<_>>()
    };
    assert_eq!(bodies(player.world()), bodies(session.world()));
    player
}

/// Continues playing: walks, throws, tunes and paints, with a tile of the legend, and with others if `any_tile`.
fn play(session: &mut Session, ticks: u64, any_tile: bool) {
    for _ in 0..ticks {
        let now = session.world().tick();
        let (left, bottom) = session.world().map().origin();
        let hero = session.world()[session.hero().unwrap()].position().to_dvec2();
        match now % 30 {
            3 => drop(session.throw(Throwable::Ball, hero, DVec2::new(9.0, 6.0))),
            9 => drop(session.throw(Throwable::Box, hero, DVec2::new(-4.0, 3.0))),
            13 => session.paint((left + now as i32 / 30, bottom), None).unwrap(),
            21 => session.tune(Character { jump_height: 2.0 + now as f64 / 100.0, ..Character::default() }).unwrap(),
            25 => {
                let name = if any_tile { "caltrop" } else { "full_block" };
                let tile = (left + 2 + now as i32 / 30, bottom + 1);
                session.paint(tile, Some(variant(session, name))).unwrap();
            }
            _ => {}
        }
        tick(session, script(now));
    }
}

#[test]
fn saved_replays_verify_and_end_where_the_run_is() {
    let folder = Folder::new("replays");
    let path = folder.at("run.replay.ron");
    let mut session = paused(hall());
    play(&mut session, 151, true);
    check(&mut session, &path);
    // Rewind to a tick after the first painted tile, and continue differently. The last throw and the last painted tile
    // come after the last tick.
    rewind_to(&mut session, 85);
    (0..34).for_each(|now| tick(&mut session, script(200 + now)));
    session.paint((9, 4), Some(variant(&session, "octagon"))).unwrap();
    session.throw(Throwable::Ball, DVec2::new(20.5, 4.5), DVec2::ZERO).unwrap();
    let saved = session.save_replay(&path).unwrap().replay;
    assert_eq!((saved.ticks(), saved.map_source()), (119, &MapSource::Inline));
    assert!(verify(&path).is_ok());
    // The saved legend has only the map's own entries and those of painted tiles.
    let own = Map::from_ron(crate::HALL).unwrap().kinds().len();
    assert_eq!(saved.map().kinds().len(), own + 1, "the caltrop");
    let is_octagon = |command: &Command| matches!(command, Command::SetTile { tile: (9, 4), .. });
    assert!(
        !saved.recording().commands().any(|(_, command)| is_octagon(command)),
        "what was done since the last tick belongs to the next one"
    );
    tick(&mut session, Held::default());
    let player = check(&mut session, &path);
    assert_eq!(tiles(player.world()), tiles(session.world()));
    assert_eq!(player.world().map().kinds().len(), own + 2, "the caltrop and the octagon");
    // After a restart, the run begins on the edited map.
    session.restart();
    play(&mut session, 100, true);
    let player = check(&mut session, &path);
    assert!(player.world().map().variant_at(0, (9, 4)).is_some());
    let names: Vec<&str> = player.names().map(|(_, name)| name).collect();
    assert_eq!(names[..3], ["hero", "ball 1", "box 1"]);
}

/// Returns the number of commands apart from initial bodies and inputs, and when each walk began.
fn given(replay: &Replay) -> (usize, Vec<(u64, i8)>) {
    let (mut commands, mut walks) = (0, Vec::new());
    for (tick, command) in replay.recording().commands() {
        match command {
            Command::SetInput(_, input) => walks.push((tick, input.walk)),
            Command::Spawn(_) if tick == 0 => {}
            _ => commands += 1,
        }
    }
    (commands, walks)
}

#[test]
fn rewound_commands_are_not_saved() {
    let folder = Folder::new("cut");
    let mut session = paused(hall());
    let walk = Held { right: true, ..Held::default() };
    (0..60).for_each(|_| tick(&mut session, walk));
    session.throw(Throwable::Ball, DVec2::new(20.5, 4.5), DVec2::ZERO).unwrap();
    session.paint((9, 4), Some(variant(&session, "full_block"))).unwrap();
    (0..40).for_each(|_| tick(&mut session, Held::default()));
    // The throw and the painted tile came after tick 60 and before the next input. So a rewind to tick 60 keeps both,
    // and drops the input.
    rewind_to(&mut session, 60);
    (0..5).for_each(|_| tick(&mut session, walk));
    let path = folder.at("a.replay.ron");
    check(&mut session, &path);
    let replay = Replay::load(&path).unwrap();
    assert_eq!((replay.ticks(), given(&replay)), (65, (2, vec![(0, 127)])));
    rewind_to(&mut session, 40);
    let replay = session.save_replay(folder.at("a.replay.ron")).unwrap().replay;
    assert_eq!((replay.ticks(), given(&replay)), (40, (0, vec![(0, 127)])));
    assert_eq!(Playback::new(&replay).names().map(|(_, name)| name.to_owned()).collect::<Vec<_>>(), ["hero"]);
    // The rewound tick gets a new input.
    (0..5).for_each(|_| tick(&mut session, Held { left: true, ..Held::default() }));
    let replay = session.save_replay(folder.at("a.replay.ron")).unwrap().replay;
    assert_eq!(given(&replay), (0, vec![(0, 127), (40, -127)]));
}

#[test]
fn the_replay_names_the_map_file_if_possible() {
    let folder = Folder::new("sources");
    let file = folder.copy("first_steps.ron");
    let source = |session: &mut Session, path: &str| {
        check(session, &folder.at(path));
        Replay::load(folder.at(path)).unwrap().map_source().clone()
    };
    let named = |path: &str| MapSource::File(path.to_owned());
    let mut session = paused(Session::open(&file).unwrap());
    play(&mut session, 90, false);
    assert_eq!(source(&mut session, "a.replay.ron"), named("first_steps.ron"));
    assert_eq!(source(&mut session, "sub/a.replay.ron"), MapSource::Inline, "the map is not below");
    fs::copy(&file, folder.at("sub/below.ron")).unwrap();
    let mut below = paused(Session::open(folder.at("sub/below.ron")).unwrap());
    play(&mut below, 30, false);
    assert_eq!(source(&mut below, "b.replay.ron"), named("sub/below.ron"));

    play(&mut session, 30, true);
    assert_eq!(source(&mut session, "a.replay.ron"), MapSource::Inline, "a tile that the file's legend lacks");
    // After an edit, no file contains the map of the session. So the replay contains the map itself, until the map is
    // saved and a new run begins.
    session.restart();
    session.paint((20, -3), None).unwrap();
    play(&mut session, 20, false);
    assert_eq!(source(&mut session, "a.replay.ron"), MapSource::Inline);
    session.save_map(folder.at("painted.ron")).unwrap();
    assert_eq!(source(&mut session, "a.replay.ron"), MapSource::Inline, "a hole was made in this run");
    session.restart();
    play(&mut session, 10, true);
    assert_eq!(source(&mut session, "a.replay.ron"), named("painted.ron"));
    // If another program overwrites the file, the file no longer contains the map of the run.
    fs::write(folder.at("painted.ron"), r#"Map(format: 1, tiles: ["@.."])"#).unwrap();
    assert_eq!(source(&mut session, "a.replay.ron"), MapSource::Inline);
    fs::remove_file(folder.at("painted.ron")).unwrap();
    assert_eq!(source(&mut session, "a.replay.ron"), MapSource::Inline);
}

#[test]
fn a_map_with_its_own_catalogue_is_named_or_refused() {
    let folder = Folder::new("own");
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    fs::copy(assets.join("gentle.ron"), folder.at("gentle.ron")).unwrap();
    let text = "Map(format: 1, catalogue: \"gentle.ron\", tiles: [\"@.........\", \"##########\"])";
    fs::write(folder.at("hills.ron"), text).unwrap();
    let mut session = paused(Session::open(folder.at("hills.ron")).unwrap());
    (0..30).for_each(|now| tick(&mut session, script(now)));
    check(&mut session, &folder.at("a.replay.ron"));
    assert_eq!(*Replay::load(folder.at("a.replay.ron")).unwrap().map_source(), MapSource::File("hills.ron".to_owned()));
    let error = session.save_replay(folder.at("sub/a.replay.ron")).unwrap_err();
    assert!(matches!(error, PlayError::MapNotBelow { .. }) && !folder.at("sub/a.replay.ron").exists(), "{error}");
    assert!(error.to_string().contains("hills.ron or above it"), "{error}");
    let legend = Map::load(folder.at("hills.ron")).unwrap().kinds().to_vec();
    let lacking = (0..).map(VariantId).find(|&id| !legend.iter().any(|entry| entry.variant == Some(id)));
    session.paint((8, 1), lacking).unwrap();
    tick(&mut session, Held::default());
    assert!(matches!(session.save_replay(folder.at("a.replay.ron")), Err(PlayError::MapNotBelow { .. })));
    // Save the map first, as the message says.
    session.save_map(folder.at("hills-1.ron")).unwrap();
    session.restart();
    (0..30).for_each(|now| tick(&mut session, script(now)));
    check(&mut session, &folder.at("a.replay.ron"));
    assert_eq!(
        *Replay::load(folder.at("a.replay.ron")).unwrap().map_source(),
        MapSource::File("hills-1.ron".to_owned())
    );
}

/// A replay lists bodies spawned before the first tick ahead of the tiles painted then. The saved run must still repeat
/// the played one, or saving fails.
#[test]
fn commands_before_the_first_tick_are_saved_too() {
    let folder = Folder::new("first");
    let mut session = paused(hall());
    session.paint((10, 1), Some(variant(&session, "full_block"))).unwrap();
    session.paint((3, 0), None).unwrap();
    session.throw(Throwable::Ball, DVec2::new(10.5, 2.25), DVec2::new(1.0, 0.0)).unwrap();
    session.throw(Throwable::Box, DVec2::new(10.5, 2.28), DVec2::new(-1.0, 0.0)).unwrap();
    session.paint((12, 1), Some(variant(&session, "slope_45"))).unwrap();
    session.tune(Character { walk_speed: 3.0, ..Character::default() }).unwrap();
    (0..90).for_each(|now| tick(&mut session, script(now)));
    check(&mut session, &folder.at("a.replay.ron"));
}

#[test]
fn unsavable_runs_return_errors() {
    let folder = Folder::new("refused");
    let mut session = paused(hall());
    let path = folder.at("a.replay.ron");
    let error = session.save_replay(&path).unwrap_err();
    assert!(matches!(error, PlayError::NoTicks { .. }), "{error}");
    assert!(error.to_string().starts_with(&format!("{}: nothing was saved", path.display())), "{error}");
    tick(&mut session, Held::default());
    let error = session.save_replay(folder.at("none/a.replay.ron")).unwrap_err();
    assert!(error.to_string().contains("none/a.replay.ron"), "{error}");
    assert!(!path.exists());
}

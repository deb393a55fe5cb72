//! Replays, recordings and snapshots stored in files: read and verified. Also recordings of a game whose process dies.
//!
//! After a change of a format or of the physics, `SUREFOOT_WRITE_RECORDING=1 cargo test -p surefoot-tests stored_files`
//! writes the stored files again.

use crate::prelude::*;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use surefoot::record::{Commands, RecordingFile, RecordingStart};
use surefoot::replay::verify;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings")
}

/// Every stored file. The two maps are written by hand.
const FILES: [&str; 12] = [
    "layers.recording",
    "layers.ron",
    "layers.snapshot",
    "layers.snapshot.ron",
    "pile.recording",
    "pile.snapshot",
    "pile.snapshot.ron",
    "pit.recording",
    "pit.replay.ron",
    "pit.ron",
    "pit.snapshot",
    "pit.snapshot.ron",
];

#[test]
fn every_file_there_is_has_a_test() {
    let found = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(found.collect::<BTreeSet<_>>().iter().map(String::as_str).collect::<Vec<_>>(), FILES);
}

/// Records the same runs again and compares all bytes.
#[test]
fn stored_files_equal_newly_written_ones() {
    if std::env::var_os("SUREFOOT_WRITE_RECORDING").is_some() {
        for file in FILES.into_iter().filter(|file| !MAPS.contains(file)) {
            let _ = std::fs::remove_file(folder().join(file));
        }
        write_all(&folder());
    }
    let temporary = Folder::new("again");
    write_all(&temporary.0);
    for file in FILES.into_iter().filter(|file| !MAPS.contains(file)) {
        let [kept, written] = [folder(), temporary.0.clone()].map(|folder| std::fs::read(folder.join(file)).unwrap());
        assert!(kept == written, "{file} differs from what is written now");
    }
}

const MAPS: [&str; 2] = ["layers.ron", "pit.ron"];

fn write_all(folder: &Path) {
    write_pit(folder);
    write_layers(folder);
    write_pile(folder);
}

#[test]
fn the_kept_replay_verifies() {
    let file = folder().join("pit.replay.ron");
    let summary = verify(&file).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((summary.ticks, summary.compared), (340, 12));
    let text = Replay::load(file).unwrap().to_ron();
    // The run must fill slots that became free in another order, and set tiles.
    for (what, times) in [("Spawn(", 17), ("Despawn(", 15), ("SetTile(", 1), ("SetTiles(", 1), ("Teleport(", 1)] {
        assert_eq!(text.matches(what).count(), times, "{what}");
    }
}

/// Plays a recording of 300 ticks from a new world. It has its checksum every 30 ticks, and with each state after 100,
/// 200 and 300 ticks.
fn run_whole(recording: &str, world: World) -> World {
    let recording = Recording::<Commands>::load(folder().join(recording)).unwrap_or_else(|error| panic!("{error}"));
    assert!(recording.is_complete() && matches!(recording.start(), RecordingStart::New { .. }));
    let mut player = Playback::of_commands(recording, world).unwrap_or_else(|error| panic!("{error}"));
    let summary = player.run().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((summary.ticks, summary.compared), (300, 12));
    player.into_world()
}

/// Reads a snapshot stored as bytes and as text, which must be equal.
fn in_both_forms(name: &str) -> Snapshot {
    let [bytes, text] = ["snapshot", "snapshot.ron"].map(|ending| {
        let file = folder().join(format!("{name}.{ending}"));
        Snapshot::load(file).unwrap_or_else(|error| panic!("{error}"))
    });
    assert_eq!(bytes.first_difference(&text), None);
    bytes
}

/// The snapshot is of the end of the run, with commands for bodies that are not spawned yet.
#[test]
fn the_kept_layers_and_their_snapshot_verify() {
    let played = run_whole("layers.recording", hall());
    let mut loaded = hall();
    loaded.restore(&in_both_forms("layers")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((loaded.tick(), loaded.bodies().count()), (300, played.bodies().count() + 2));
    let masks: Vec<u32> = loaded.bodies().map(|(_, state)| state.body().collision_mask.0).collect();
    assert_eq!(masks, [0b01, 0, 0, u32::MAX, u32::MAX, u32::MAX, 0, 0b01]);
}

/// Colliding bodies with masses, some asleep.
#[test]
fn the_kept_pile_and_its_snapshot_verify() {
    let played = run_whole("pile.recording", pit());
    let mut loaded = pit();
    loaded.restore(&in_both_forms("pile")).unwrap_or_else(|error| panic!("{error}"));
    let masses: Vec<f64> = loaded.bodies().map(|(_, state)| state.body().mass).collect();
    assert_eq!(masses, [1.0, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25]);
    assert_eq!(loaded.capture().first_difference(&played.capture()), None);
}

fn pit() -> World {
    let map = Map::load(folder().join("pit.ron")).unwrap_or_else(|error| panic!("{error}"));
    World::new(map, Settings::default())
}

#[test]
fn the_kept_pit_and_its_snapshot_verify() {
    let recording = Recording::<Commands>::load(folder().join("pit.recording"));
    let recording = recording.unwrap_or_else(|error| panic!("{error}"));
    assert!(recording.is_complete() && recording.dropped_line().is_none());
    assert!(matches!(recording.start(), RecordingStart::State(_)));
    assert_eq!((recording.start().tick(), recording.ticks(), recording.map_file()), (40, 300, Some("pit.ron")));
    assert_eq!(recording.snapshot_ticks().collect::<Vec<_>>(), [140, 240, 340]);
    let mut player = Playback::of_commands(recording, pit()).unwrap_or_else(|error| panic!("{error}"));
    let summary = player.run().unwrap_or_else(|error| panic!("{error}"));
    let mut world = player.into_world();
    // Checksums are compared every 30 ticks, and also with the snapshots after 100 and 200 ticks. The snapshot after
    // 300 ticks adds none.
    assert_eq!(summary.compared, 10 + 2);

    // The snapshot files are of the end of the run.
    let bytes = in_both_forms("pit");
    assert_eq!((bytes.tick(), bytes.body_count()), (340, world.bodies().count()));
    let mut loaded = pit();
    loaded.restore(&bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.capture().first_difference(&world.capture()), None);
    let [before, after] = [&mut loaded, &mut world].map(|world| {
        let spawned = world.spawn(Body::new(Shape::circle(0.2)).at((5.5, 5.5))).unwrap();
        (0..60).for_each(|_| world.step());
        (spawned, world.checksum(), world.motion_checksum())
    });
    assert_eq!(before, after);
}

/// Bodies are spawned and removed in a pit whose tiles change, from tick 40 on.
fn write_pit(folder: &Path) {
    let mut world = pit();
    let start = world.map().marker("start").unwrap();
    let hero = world.spawn(hero().at(start)).unwrap();
    let slope = world.map().find_tile('/').unwrap();
    let mut balls = Vec::new();
    let mut replay = Recorder::for_replay(&world, MapSource::File("pit.ron".to_owned()), 30).unwrap();
    replay.name_body(hero, "hero").unwrap();
    let mut recorder: Option<Recorder<Commands, RecordingFile>> = None;
    for tick in 0..340_u32 {
        if tick == 40 {
            let map_file = Some("pit.ron".to_owned());
            let options =
                RecordOptions { checksum_interval: 30, snapshot_interval: 100, map_file, ..RecordOptions::default() };
            recorder = Some(Recorder::create(folder.join("pit.recording"), &world, options).unwrap());
        }
        let walk = if tick / 90 % 2 == 0 { 127 } else { -127 };
        world.set_input(hero, Input { walk, jump: tick % 45 < 12, ..Input::default() });
        if tick % 20 == 5 {
            let ball = Body::new(Shape::circle(0.2 + 0.02 * f64::from(tick % 5))).at((3.5 + f64::from(tick % 7), 6.5));
            balls
                .push(world.spawn(ball.velocity((f64::from(tick % 11) - 5.0, 1.0)).bounce(0.6).friction(0.1)).unwrap());
        }
        if balls.len() == 5 {
            for i in [1, 3, 0] {
                world.despawn(balls.remove(i)).unwrap();
            }
        }
        match tick {
            60 => world.set_tile(0, (5, 3), slope).unwrap(),
            100 => world.set_tiles(0, (8, 0), (9, 1), TileId::EMPTY).unwrap(),
            240 => world.teleport(hero, (2.5, 4.5)).unwrap(),
            _ => {}
        }
        world.step();
        replay.record_tick(&world).unwrap();
        if let Some(recorder) = &mut recorder {
            recorder.record_tick(&world).unwrap();
        }
    }
    recorder.unwrap().finish(&world).unwrap();
    let replay = replay.finish_replay(&world).unwrap();
    replay.save(folder.join("pit.replay.ron")).unwrap();
    world.capture().save(folder.join("pit.snapshot")).unwrap();
    std::fs::write(folder.join("pit.snapshot.ron"), world.capture().to_ron().unwrap()).unwrap();
}

/// The hall of [`write_layers`].
fn hall() -> World {
    let map = Map::load(folder().join("layers.ron")).unwrap_or_else(|error| panic!("{error}"));
    World::new(map, Settings::default())
}

/// Bodies with all kinds of collision layers and masks, in areas and on a platform, from the start of a world.
///
/// No two of them collide: of any two, at most one is in a layer of the other one's mask.
fn write_layers(folder: &Path) {
    let mut world = hall();
    let [hero_layer, ghost] = ["hero", "ghost"].map(|name| world.map().collision_layers_named([name]).unwrap());
    let start = world.map().marker("start").unwrap();
    let grace =
        Character { platform_velocity: PlatformVelocity::Upward, platform_velocity_grace: 0.1, ..Character::default() };
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(start).character(grace)).unwrap();
    let ball = |x: f64| Body::new(Shape::circle(0.25)).at((x, 5.5)).bounce(0.6).friction(0.1);
    let both = hero_layer.union(ghost);
    let walker = |x: f64| ball(x).character(Character::default());
    let balls = [
        ball(3.5),
        ball(3.5).collision_layers(ghost),
        walker(8.5).collision_layers(ghost).collision_mask(hero_layer),
        walker(9.5).collision_layers(ghost).collision_mask(hero_layer),
        walker(11.5).collision_layers(CollisionLayers::NONE).collision_mask(both),
    ];
    let balls = balls.map(|ball| world.spawn(ball).unwrap());
    let options = RecordOptions {
        checksum_interval: 30,
        snapshot_interval: 100,
        map_file: Some("layers.ron".to_owned()),
        ..RecordOptions::default()
    };
    let mut recorder: Recorder<Commands, RecordingFile> =
        Recorder::create(folder.join("layers.recording"), &world, options).unwrap();
    for tick in 0..300_u32 {
        let walk = if tick / 70 % 2 == 0 { -127 } else { 127 };
        world.set_input(hero, Input { walk, jump: tick % 40 < 10, ..Input::default() });
        match tick {
            40 => world.set_collision_layers(hero, both).unwrap(),
            50 => world.set_collision_mask(hero, hero_layer).unwrap(),
            160 => world.set_collision_mask(balls[2], CollisionLayers::ALL).unwrap(),
            170 => world.set_collision_mask(balls[4], CollisionLayers::ALL).unwrap(),
            180 => world.set_collision_layers(balls[0], ghost).unwrap(),
            _ => {}
        }
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    recorder.finish(&world).unwrap();
    // A snapshot contains the pending commands.
    world.spawn(ball(4.5).collision_layers(both)).unwrap();
    world.spawn(walker(10.5).collision_layers(ghost).collision_mask(hero_layer)).unwrap();
    world.set_collision_mask(balls[3], CollisionLayers::ALL).unwrap();
    world.capture().save(folder.join("layers.snapshot")).unwrap();
    std::fs::write(folder.join("layers.snapshot.ron"), world.capture().to_ron().unwrap()).unwrap();
}

/// Crates and balls of several masses that a hero pushes, from the start of a world.
fn write_pile(folder: &Path) {
    let mut world = pit();
    let start = world.map().marker("start").unwrap();
    let pusher = Character { max_push_mass: 3.0, ..Character::default() };
    let hero = Body::new(Shape::aabb(0.35, 0.45)).at(start).character(pusher).collision_mask(CollisionLayers::ALL);
    let hero = world.spawn(hero).unwrap();
    for i in 0..8 {
        let shape = if i % 3 == 0 { Shape::circle(0.3) } else { Shape::aabb(0.3, 0.25) };
        let body = Body::new(shape).at((3.5 + 0.75 * f64::from(i), 5.5)).mass(0.5 + 0.25 * f64::from(i)).friction(0.4);
        world.spawn(body.collision_mask(CollisionLayers::ALL)).unwrap();
    }
    let map_file = Some("pit.ron".to_owned());
    let options = RecordOptions { checksum_interval: 30, snapshot_interval: 100, map_file, ..RecordOptions::default() };
    let mut recorder: Recorder<Commands, RecordingFile> =
        Recorder::create(folder.join("pile.recording"), &world, options).unwrap();
    for tick in 0..300_u32 {
        let walk = if tick / 70 % 2 == 0 { 127 } else { -127 };
        world.set_input(hero, Input { walk, jump: tick % 60 < 5, ..Input::default() });
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    recorder.finish(&world).unwrap();
    world.capture().save(folder.join("pile.snapshot")).unwrap();
    std::fs::write(folder.join("pile.snapshot.ron"), world.capture().to_ron().unwrap()).unwrap();
}

/// A folder of its own, removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("surefoot-recordings-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The input of a game that moves its body itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Wheel {
    angle: f64,
    horn: bool,
}

fn wheel(tick: u64) -> Wheel {
    Wheel { angle: (tick % 37) as f64 / 37.0 - 0.5, horn: tick % 100 < 3 }
}

fn drive(world: &mut World, _: &mut (), wheel: &Wheel) {
    let (car, state) = world.bodies().next().unwrap();
    let up = if wheel.horn { 6.0 } else { state.velocity().y };
    world.set_velocity(car, (10.0 * wheel.angle, up)).unwrap();
    world.step();
}

fn garage() -> World {
    let mut world = pit();
    world.spawn(Body::new(Shape::circle(0.4)).at((4.5, 4.5))).unwrap();
    world
}

/// Environment variables for a child process that dies: its file, and the tick in which it dies by itself (none if it
/// is killed).
const CHILD: [&str; 2] = ["SUREFOOT_DYING_FILE", "SUREFOOT_DYING_TICK"];

/// The child process. In a normal run it does nothing.
#[test]
fn a_game_that_dies() {
    let Ok(file) = std::env::var(CHILD[0]) else { return };
    let dies = std::env::var(CHILD[1]).ok().and_then(|tick| tick.parse().ok());
    let mut run = GameRun::new(garage(), (), drive).unwrap();
    run.record_to(file).unwrap();
    for tick in 0.. {
        run.advance(&wheel(tick)).unwrap();
        // Print on a line of its own, whatever the test harness has printed.
        println!("\ntick {}", run.world().tick());
        if Some(run.world().tick()) == dies {
            std::process::abort();
        }
    }
}

/// Runs the child process until it dies by itself in that tick, or is killed after that many ticks. Compares the
/// readable part of its recording with what it did.
fn assert_dies(name: &str, by_itself: bool, tick: u64) {
    let folder = Folder::new(name);
    let file = folder.0.join("dying.recording");
    let mut child = Process::new(std::env::current_exe().unwrap());
    child.args(["recordings::a_game_that_dies", "--exact", "--nocapture", "--test-threads=1"]);
    child.env(CHILD[0], &file).stdout(Stdio::piped()).stderr(Stdio::null());
    if by_itself {
        child.env(CHILD[1], tick.to_string());
    }
    let mut child = child.spawn().unwrap();
    let mut last = 0;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let Some(number) = line.strip_prefix("tick ").and_then(|number| number.parse::<u64>().ok()) else { continue };
        if !by_itself && last < tick && number >= tick {
            child.kill().unwrap();
        }
        last = number;
    }
    assert!(!child.wait().unwrap().success(), "it was to die");
    assert!(last >= tick, "it died in tick {last}");

    let recording = Recording::<Wheel>::load(&file).unwrap_or_else(|error| panic!("{error}"));
    assert!(!recording.is_complete());
    assert!(recording.ticks() + 60 > last, "{} of {last} ticks", recording.ticks());
    assert!(recording.inputs().enumerate().all(|(tick, input)| *input == wheel(tick as u64)));
    let ticks = recording.ticks();
    let map = garage().map().clone();
    let summary = GameRun::verify_on(recording, map, drive).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(summary.compared as u64, ticks);
}

#[test]
fn the_recording_of_a_game_that_aborts_reads_up_to_the_last_second() {
    assert_dies("abort", true, 777);
}

#[test]
fn the_recording_of_a_game_that_is_killed_reads_up_to_the_last_second() {
    assert_dies("kill", false, 1000);
}

/// In the stored run of the pile, a hero walks up a slope of 1:2 at 8 tiles per second and pushes a falling crate into
/// a ball. Each tick moves it by 8 / 60 along the slope's tangent, on the ground, even once the row is too heavy.
#[test]
fn a_hero_pushes_a_falling_crate_into_a_ball_on_a_slope() {
    let recording = Recording::<Commands>::load(folder().join("pile.recording")).unwrap();
    let mut player = Playback::of_commands(recording, pit()).unwrap();
    let (hero, _) = player.world().bodies().find(|(_, state)| state.character().is_some()).unwrap();
    let walk = 8.0 / 60.0 / 5.0_f64.sqrt();
    for tick in 1..=28 {
        player.step().unwrap();
        let state = &player.world()[hero];
        if tick >= 17 {
            assert!(state.on_floor(), "tick {tick}: {state:?}");
        }
        if (17..=23).contains(&tick) {
            let way = (state.position() - state.previous_position()).to_array().map(|way| way as f64 / ONE as f64);
            assert!((way[0] - 2.0 * walk).abs() < 1e-8 && (way[1] - walk).abs() < 1e-8, "tick {tick}: {way:?}");
        }
    }
}

/// The pages of the formats list each field that the kept snapshots and one with timers contain.
#[test]
fn the_format_page_lists_every_field_of_a_snapshot() {
    let mut world = World::new(Map::from_rows(["....", "===="]).unwrap(), Settings::default());
    let able = Character { air_jumps: 1, dash_speed: 20.0, ..Character::default() };
    let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((1.5, 1.5)).character(able)).unwrap();
    world.set_input(hero, Input { dash: true, walk: 127, ..Input::default() });
    world.step();
    let mut texts = vec![world.capture().to_ron().unwrap()];
    let kept = FILES.iter().filter(|file| file.ends_with(".snapshot.ron"));
    texts.extend(kept.map(|file| std::fs::read_to_string(folder().join(file)).unwrap()));
    // The fields of a character are described in the guide of characters.
    let page = |name: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name));
    let names = ["formats/snapshot.md", "formats/replay.md", "guide/character.md"];
    let pages = names.map(|name| page(name).unwrap()).concat();
    let words: BTreeSet<&str> = pages.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let is_name = |name: &&str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let words_of = |text| str::split(text, |c: char| c.is_whitespace() || "()[]{},".contains(c));
    let names = texts.iter().flat_map(|text| words_of(text)).filter_map(|word| word.strip_suffix(':'));
    let names: BTreeSet<&str> = names.filter(is_name).collect();
    assert!(names.contains("cling") && names.contains("mode") && names.len() > 100, "{names:?}");
    let missing: Vec<_> = names.difference(&words).collect();
    assert!(missing.is_empty(), "not on the pages: {missing:?}");
}

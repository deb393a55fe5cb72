mod bad_input;
mod game_run;

use super::*;
use crate::body::{Body, Character, Input};
use crate::checksum::PHYSICS_VERSION;
use crate::command::Command;
use crate::event::BodyId;
use crate::map::{Map, TileId};
use crate::motion::Shape;
use crate::replay::{MapSource, Replay, ToReplayError};
use crate::snapshot::SnapshotErrorKind;
use crate::world::{Settings, World};
use player::{Cursor, restore_start};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const MAP: &str = r##"Map(format: 1, tiles: [
    "................", "................", "#....12##34....#", "/###############"])"##;

/// A game's own input type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Pad {
    pub(super) push: f64,
    pub(super) words: Option<String>,
}

pub(super) fn new_world() -> World {
    let mut world = World::new(Map::from_ron(MAP).unwrap(), Settings::default());
    world.spawn(Body::new(Shape::circle(0.4)).at((3.5, 2.5))).unwrap();
    world.spawn(Body::new(Shape::aabb(0.3, 0.3)).at((12.0, 3.0)).bounce(0.7)).unwrap();
    world
}

/// The game: moves the first body in the pushed direction, at that many tiles per second.
fn move_first_body(world: &mut World, pad: &Pad, speed: f64) {
    let (first, state) = world.bodies().next().unwrap();
    let fall = state.velocity().y;
    world.set_velocity(first, (speed * pad.push, fall)).unwrap();
    world.step();
}

pub(super) fn play_one_tick(world: &mut World, pad: &Pad) {
    move_first_body(world, pad, 4.0);
}

/// Returns the input of a tick: long runs of equal inputs, then one that changes each tick, with 0.0 and -0.0.
pub(super) fn pad_of_tick(tick: u64) -> Pad {
    match tick {
        0..150 => Pad { push: 1.0, words: Some("go\n\"on\" ü // 00000000".to_owned()) },
        150..200 => Pad { push: if tick.is_multiple_of(2) { 0.0 } else { -0.0 }, words: None },
        200..260 => Pad { push: (tick as f64 - 230.0) / 7.0, words: None },
        _ => Pad { push: -1.0, words: None },
    }
}

/// A temporary file, deleted on drop.
pub(super) struct Temporary(PathBuf);

impl Temporary {
    pub(super) fn new(name: &str) -> Temporary {
        let path = std::env::temp_dir().join(format!("surefoot-record-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Temporary(path)
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Creates a recorder of a game's own inputs, which writes into a new file.
fn create<I: Serialize>(path: &Path, world: &World, options: RecordOptions) -> Recorder<I, RecordingFile> {
    let file = RecordingFile::create_with_content(path, &options.new_recording::<I>(world), options.sync).unwrap();
    Recorder::with_sink(file, world, options)
}

/// Records a log of `ticks` ticks, and returns it with the world at its end.
pub(super) fn record(
    name: &str,
    ticks: u64,
    every: RecordOptions,
    mut game: impl FnMut(&mut World, &Pad),
) -> (Temporary, String, World) {
    let (file, mut world) = (Temporary::new(name), new_world());
    let mut recorder = create(&file.0, &world, every);
    for tick in 0..ticks {
        game(&mut world, &pad_of_tick(tick));
        recorder.record_tick_with(&world, &pad_of_tick(tick)).unwrap();
    }
    recorder.finish(&world).unwrap();
    let text = file.text();
    (file, text, world)
}

fn with_intervals(checksums: u32, states: u32) -> RecordOptions {
    RecordOptions { checksum_interval: checksums, snapshot_interval: states, ..RecordOptions::default() }
}

fn with_short_intervals() -> RecordOptions {
    with_intervals(20, 100)
}

/// Plays a log on a world, which becomes the world at its end.
fn play(
    log: &Recording<Pad>,
    world: &mut World,
    mut game: impl FnMut(&mut World, &Pad),
) -> Result<PlaybackSummary, PlaybackError> {
    restore_start(world, &log.start)?;
    let mut cursor = Cursor::at_start(log, world);
    while let Some(compared) = cursor.step(log, world, &mut game) {
        if let TickComparison::Differs(divergence) = compared {
            return Err(divergence.into());
        }
    }
    Ok(cursor.summary(log, world))
}

#[test]
fn a_log_runs_as_it_was_recorded() {
    let (file, text, world_at_end) = record("whole", 330, with_short_intervals(), play_one_tick);
    let log = Recording::<Pad>::load(&file.0).unwrap();
    assert!(log.is_complete() && log.dropped_line().is_none());
    assert_eq!((log.ticks(), log.physics(), log.start().tick()), (330, PHYSICS_VERSION, 0));
    for (tick, input) in log.inputs().enumerate() {
        assert_eq!(
            (input, input.push.to_bits()),
            (&pad_of_tick(tick as u64), pad_of_tick(tick as u64).push.to_bits()),
            "{tick}"
        );
    }
    // Equal inputs in a row are stored once. 0.0 and -0.0 are different inputs, because inputs are compared bit by bit.
    assert_eq!(log.runs().len(), 1 + 50 + 60 + 1);
    assert_eq!(text.matches("input:").count(), log.runs().len());
    let ticks: Vec<u64> = log.checkpoints().iter().map(|checkpoint| checkpoint.tick).collect();
    assert_eq!(ticks, (1..=16).map(|i| 20 * i).chain([330]).collect::<Vec<_>>());
    assert_eq!(log.snapshot_ticks().collect::<Vec<_>>(), [100, 200, 300, 330]);

    let mut again = World::new(Map::from_ron(MAP).unwrap(), Settings::default().tick(0.5));
    let summary = play(&log, &mut again, play_one_tick).unwrap();
    assert_eq!((summary.ticks, summary.compared, summary.motion_only), (330, 17, false));
    assert_eq!(summary.checksum, world_at_end.checksum());
    assert_eq!(again.capture().first_difference(&world_at_end.capture()), None);
}

#[test]
fn a_log_with_fewer_checksums_still_finds_a_difference() {
    let (file, _, world_at_end) = record("fewer", 330, with_short_intervals(), play_one_tick);
    // The file has checksums every 20 ticks and after tick 330. Those of ticks 100, 200 and 300 are the first ones at
    // least 90 ticks apart, and the last ones always stay.
    let log = Recording::<Pad>::load(&file.0).unwrap().with_fewer_checkpoints(90);
    let ticks: Vec<u64> = log.checkpoints().iter().map(|checkpoint| checkpoint.tick).collect();
    assert_eq!(ticks, [100, 200, 300, 330]);
    assert_eq!((log.snapshot_ticks().count(), log.tiles.is_none()), (0, true));
    assert!(log.checkpoints().iter().all(|checkpoint| checkpoint.positions.is_empty()));
    let mut again = World::new(Map::from_ron(MAP).unwrap(), Settings::default());
    let summary = play(&log, &mut again, play_one_tick).unwrap();
    assert_eq!((summary.compared, summary.checksum), (4, world_at_end.checksum()));
    let differs = play(&log, &mut again, |world, pad| move_first_body(world, pad, 4.25)).unwrap_err();
    assert!(matches!(differs, PlaybackError::Diverges(Divergence { tick: 100, .. })), "{differs}");
}

#[test]
fn a_log_begins_at_any_tick() {
    let (file, mut world) = (Temporary::new("later"), new_world());
    (0..77).for_each(|tick| play_one_tick(&mut world, &pad_of_tick(tick)));
    let options = RecordOptions { map_file: Some("a \"map\".ron".to_owned()), sync: true, ..with_short_intervals() };
    let mut recorder = create(&file.0, &world, options);
    (77..300).for_each(|tick| {
        play_one_tick(&mut world, &pad_of_tick(tick));
        recorder.record_tick_with(&world, &pad_of_tick(tick)).unwrap();
    });
    // A command after the last step changes the world, so its checksums would not be those of the last tick.
    // The end of the recording has no checksums then.
    let first = world.bodies().next().unwrap().0;
    world.despawn(first).unwrap();
    recorder.finish(&world).unwrap();
    let log = Recording::<Pad>::load(&file.0).unwrap();
    assert_eq!((log.start().tick(), log.ticks()), (77, 223));
    assert_eq!(log.map_file(), Some("a \"map\".ron"));
    assert_eq!(log.checkpoints().last().map(|last| last.tick), Some(77 + 220));
    assert!(log.is_complete());
    let mut again = World::new(world.map().clone(), Settings::default());
    play(&log, &mut again, play_one_tick).unwrap();
    assert_eq!(again.tick(), 300);
}

#[test]
fn an_existing_file_is_not_overwritten() {
    let (file, text, world) = record("there", 10, with_intervals(60, 600), play_one_tick);
    let error = Recorder::<Commands, _>::create(&file.0, &world, with_intervals(60, 600)).unwrap_err();
    assert!(matches!(&error, RecorderError::Exists { path } if *path == file.0), "{error}");
    assert_eq!(file.text(), text);
    let error = Recorder::<Commands, _>::create(file.0.join("in it"), &world, with_intervals(60, 600)).unwrap_err();
    assert!(matches!(error, RecorderError::Io { .. }), "{error}");
}

#[test]
fn at_most_a_second_of_ticks_is_buffered() {
    let (file, mut world) = (Temporary::new("second"), new_world());
    let mut recorder = create(&file.0, &world, with_intervals(0, 0));
    for tick in 0..200 {
        let read = Recording::<Pad>::load(&file.0).unwrap();
        assert!(!read.is_complete() && read.dropped_line().is_none());
        assert_eq!(read.ticks(), tick / 60 * 60);
        play_one_tick(&mut world, &pad_of_tick(tick));
        recorder.record_tick_with(&world, &pad_of_tick(tick)).unwrap();
    }
    // Dropping the recorder writes the waiting lines.
    drop(recorder);
    assert_eq!(Recording::<Pad>::load(&file.0).unwrap().ticks(), 200);
}

#[test]
fn a_truncated_text_reads_up_to_its_last_whole_line() {
    let (_, text, world) = record("cut", 70, with_intervals(20, 40), play_one_tick);
    let begin: usize = text.split_inclusive('\n').take(2).map(str::len).sum();
    let whole = world.capture();
    let mut again = World::new(world.map().clone(), Settings::default());
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let read = Recording::<Pad>::from_ron(&text[..end]);
        // Reading needs the first two lines. Of the second line, the line break may be missing.
        if end < begin - 1 {
            assert!(read.is_err(), "{end}");
            continue;
        }
        let read = read.unwrap_or_else(|error| panic!("{end}: {error}"));
        let lines = || {
            text.split_inclusive('\n').scan(0, |at, line| {
                *at += line.len();
                Some((*at, line))
            })
        };
        let count = |line: &str| {
            let runs = line.starts_with("Inputs(") || line.starts_with("Same(");
            let digits = line.split("ticks:").nth(1).filter(|_| runs);
            digits.map_or(0, |rest| rest.split([',', ')']).next().unwrap().parse().unwrap())
        };
        let expected: u64 = lines().filter(|(at, _)| at - 1 <= end).map(|(_, line)| count(line)).sum();
        assert_eq!(read.ticks(), expected, "{end}");
        assert_eq!(read.is_complete(), end == text.len() - 1, "{end}");
        let at_border = lines().any(|(at, _)| at == end || at - 1 == end);
        assert_eq!(read.dropped_line().is_none(), at_border, "{end}");
        if at_border {
            play(&read, &mut again, play_one_tick).unwrap();
        }
    }
    assert_eq!(again.capture().first_difference(&whole), None);
}

#[test]
fn another_game_differs_at_the_next_checksums() {
    let (_, text, world) = record("speed", 330, with_short_intervals(), play_one_tick);
    let log = Recording::<Pad>::from_ron(&text).unwrap();
    let faster = |world: &mut World, pad: &Pad| {
        let speed = if world.tick() < 205 { 4.0 } else { 4.5 };
        move_first_body(world, pad, speed);
    };
    let mut again = world.clone();
    let error = play(&log, &mut again, faster).unwrap_err();
    let PlaybackError::Diverges(divergence) = error else { panic!("{error}") };
    assert_eq!((divergence.tick, divergence.kind, again.tick()), (220, DivergenceKind::Motion, 220));
}

#[test]
fn a_recording_of_another_physics_version_compares_only_the_motion() {
    let (_, text, world) = record("physics", 100, with_short_intervals(), play_one_tick);
    let other = |text: &str, from: &str, to: &str| {
        let mut sealed = (String::new(), 0);
        for line in text.lines() {
            let (content, _) = line::split_checksum(line).unwrap();
            sealed.1 = line::push_line(&mut sealed.0, sealed.1, &content.replacen(from, to, 1));
        }
        Recording::<Pad>::from_ron(&sealed.0).unwrap()
    };
    let mut again = world.clone();
    let state = |tick: usize| {
        let log = Recording::<Pad>::from_ron(&text).unwrap();
        format!("state:\"{}\"", log.checkpoints()[tick / 20 - 1].state)
    };
    let wrong = "state:\"0123456789abcdef\"";
    let error = play(&other(&text, &state(60), wrong), &mut again, play_one_tick).unwrap_err();
    let PlaybackError::Diverges(divergence) = error else { panic!("{error}") };
    assert_eq!((divergence.tick, divergence.kind), (60, DivergenceKind::State));
    assert_eq!(divergence.expected.to_string(), "0123456789abcdef");

    let text = text.replacen(&format!("physics:{PHYSICS_VERSION}"), &format!("physics:{}", PHYSICS_VERSION + 1), 1);
    let moved = other(&text, &state(60), wrong);
    let summary = play(&moved, &mut again, play_one_tick).unwrap();
    assert_eq!((summary.motion_only, summary.compared), (true, 5));
    let motion = format!("motion:\"{}\"", moved.checkpoints()[2].motion);
    let error = play(&other(&text, &motion, "motion:\"0123456789abcdef\""), &mut again, play_one_tick).unwrap_err();
    assert!(
        matches!(error, PlaybackError::Diverges(Divergence { tick: 60, kind: DivergenceKind::Motion, .. })),
        "{error}"
    );
}

#[test]
fn an_input_that_cannot_be_recorded_is_an_error_and_earlier_ticks_stay() {
    #[derive(Serialize, Deserialize)]
    struct Odd {
        #[serde(skip_serializing_if = "is_seven")]
        number: u8,
    }
    fn is_seven(number: &u8) -> bool {
        *number == 7
    }
    let (file, mut world) = (Temporary::new("odd"), new_world());
    let mut recorder = create(&file.0, &world, with_intervals(60, 600));
    world.step();
    recorder.record_tick_with(&world, &Odd { number: 1 }).unwrap();
    world.step();
    let error = recorder.record_tick_with(&world, &Odd { number: 7 }).unwrap_err();
    assert!(matches!(&error, RecorderError::ReadsOtherwise { text } if text == "()"), "{error}");
    assert!(matches!(recorder.record_tick_with(&world, &Odd { number: 1 }), Err(RecorderError::Over)));
    assert_eq!(recorder.finish(&world).unwrap().path(), file.0);
    let read = Recording::<Odd>::load(&file.0).unwrap();
    assert_eq!((read.ticks(), read.is_complete()), (1, false));

    let file = Temporary::new("missed");
    let mut recorder = create(&file.0, &world, with_intervals(60, 600));
    let error = recorder.record_tick_with(&world, &0_u8).unwrap_err();
    assert!(matches!(error, RecorderError::MissedTick { expected: 3, found: 2 }), "{error}");
}

#[test]
fn restoring_the_world_ends_a_recording_with_all_ticks_before() {
    let mut world = new_world();
    let saved = world.capture();
    let mut recorder = Recorder::new(&world, 20);
    let mut play = |world: &mut World, tick| {
        play_one_tick(world, &pad_of_tick(tick));
        recorder.record_tick(world)
    };
    for tick in 0..90 {
        play(&mut world, tick).unwrap();
    }
    let at_end = world.checksum();
    world.restore(&saved).unwrap();
    let error = play(&mut world, 0).unwrap_err();
    assert!(matches!(error, RecorderError::MissedTick { expected: 91, found: 1 }), "{error}");
    assert!(error.to_string().contains("restore"), "{error}");
    assert!(matches!(play(&mut world, 1), Err(RecorderError::Over)));
    let recording = recorder.finish(&world).unwrap();
    assert_eq!((recording.ticks(), recording.is_complete()), (90, false));
    let mut playback = Playback::of_commands(recording, world).unwrap();
    assert_eq!((playback.run().unwrap().ticks, playback.checksum()), (90, at_end));
}

#[test]
fn a_recording_needs_its_map() {
    let (_, text, _) = record("steps", 30, with_intervals(60, 600), play_one_tick);
    let log = Recording::<Pad>::from_ron(&text).unwrap();
    // A recording that starts with a new world plays on another map until its checksums differ. A recording that starts
    // with a state fails at once, because a state belongs to one map.
    let mut other = World::new(Map::from_ron(r#"Map(format: 1, tiles: ["."])"#).unwrap(), Settings::default());
    let error = play(&log, &mut other, play_one_tick).unwrap_err();
    assert!(matches!(error, PlaybackError::Diverges(Divergence { kind: DivergenceKind::ChangedMap, .. })), "{error}");
    let of_state = Recording { start: RecordingStart::State(Box::new(self::new_world().capture())), ..log };
    let error = play(&of_state, &mut other, play_one_tick).unwrap_err();
    let PlaybackError::State { tick: 0, error } = error else { panic!("{error}") };
    assert!(matches!(error.kind, SnapshotErrorKind::OtherMap { .. }), "{error}");
}

/// Two characters, one of which leaves and frees its slot, on tiles that change.
fn step_with_changing_bodies_and_tiles(world: &mut World, tick: u64) {
    let hero = world.bodies().next().unwrap().0;
    world.set_input(
        hero,
        Input { walk: if tick % 100 < 50 { 127 } else { -127 }, jump: tick % 40 < 9, ..Input::default() },
    );
    match tick % 60 {
        10 => drop(world.spawn(Body::new(Shape::circle(0.2)).at((8.5, 3.4)).velocity((2.0, 0.0)).bounce(0.5)).unwrap()),
        30 => world.set_tile(0, (3, 1), TileId((tick / 60 % 3) as u16)).unwrap(),
        50 => {
            let last = world.bodies().last().unwrap().0;
            world.despawn(last).unwrap();
        }
        _ => {}
    }
    world.step();
}

fn record_commands(name: &str, before: u64, ticks: u64, finish: bool) -> (Recording, World) {
    let mut world = World::new(Map::from_ron(MAP).unwrap(), Settings::default());
    let hero = Body::new(Shape::aabb(0.35, 0.45)).at((1.5, 1.45)).character(Character::default());
    world.spawn(hero).unwrap();
    (0..before).for_each(|tick| step_with_changing_bodies_and_tiles(&mut world, tick));
    let file = Temporary::new(name);
    let mut recorder = Recorder::create(&file.0, &world, with_short_intervals()).unwrap();
    for tick in before..before + ticks {
        step_with_changing_bodies_and_tiles(&mut world, tick);
        recorder.record_tick(&world).unwrap();
    }
    if finish {
        drop(recorder.finish(&world).unwrap())
    } else {
        drop(recorder)
    }
    (Recording::load(&file.0).unwrap(), world)
}

#[test]
fn recorded_commands_become_a_replay_also_after_a_crash() {
    for finish in [true, false] {
        let (log, world) = record_commands("commands", 0, 250, finish);
        assert_eq!(log.is_complete(), finish);
        let mut again = World::new(world.map().clone(), Settings::default());
        let mut player = Playback::of_commands(log.clone(), again).unwrap();
        player.run().unwrap();
        again = player.into_world();
        assert_eq!(again.capture().first_difference(&world.capture()), None);
        let replay = Replay::new(&log, again.map().clone(), MapSource::Inline).unwrap();
        let replay = Replay::from_ron(&replay.to_ron()).unwrap();
        let summary = Playback::new(&replay).run().unwrap();
        assert_eq!((summary.ticks, summary.checksum), (250, world.checksum()));
    }
}

#[test]
fn a_recording_that_starts_in_the_middle_is_refused_as_a_replay() {
    let (log, world) = record_commands("middle", 40, 60, true);
    Playback::of_commands(log.clone(), world.clone()).unwrap().run().unwrap();
    let error = Replay::new(&log, world.map().clone(), MapSource::Inline).unwrap_err();
    assert!(matches!(error, ToReplayError::NotNew { tick: 40 }), "{error}");

    // This world is at tick 0, but its commands do not reproduce it.
    let file = Temporary::new("old");
    let mut old = World::new(world.map().clone(), Settings::default());
    old.spawn(Body::new(Shape::circle(0.3)).at((3.5, 2.5))).unwrap();
    old.clear_pending();
    Recorder::<Commands, _>::create(&file.0, &old, with_short_intervals()).unwrap().finish(&old).unwrap();
    let log = Recording::<Commands>::load(&file.0).unwrap();
    let error = Replay::new(&log, world.map().clone(), MapSource::Inline).unwrap_err();
    assert!(matches!(&error, ToReplayError::NotNew { tick: 0 }), "{error}");
}

#[test]
fn a_recording_with_a_refused_command_is_refused_as_a_replay() {
    let world = World::new(Map::from_ron(MAP).unwrap(), Settings::default());
    let command = |command: Command| {
        let log = Recording {
            runs: vec![Run { ticks: 3, input: vec![command] }],
            ticks: 3,
            ..Recording::empty_for_world(&world)
        };
        assert!(Playback::of_commands(log.clone(), world.clone()).unwrap().run().is_ok(), "it is passed over");
        Replay::new(&log, world.map().clone(), MapSource::Inline).map(|replay| replay.to_ron())
    };
    let tile = |layer, entry| Command::SetTile { layer, tile: (1, 1), tile_id: TileId(entry) };
    assert!(command(tile(0, 0)).is_ok());
    for wrong in [tile(7, 0), tile(0, 700), Command::Despawn(BodyId::default())] {
        let error = command(wrong).unwrap_err();
        assert!(matches!(error, ToReplayError::Command { tick: 0, .. }), "{error}");
    }
}

#[test]
fn a_log_on_a_long_map_reads_back_without_tile_sums() {
    let row = "=".repeat(20_000);
    let map = Map::from_ron(&format!("Map(format: 1, tiles: [\"{}\", \"{row}\"])", ".".repeat(20_000))).unwrap();
    let (file, mut world) = (Temporary::new("long"), World::new(map, Settings::default()));
    world.spawn(Body::new(Shape::circle(0.4)).at((3.5, 1.5))).unwrap();
    let mut recorder =
        Recorder::create(&file.0, &world, RecordOptions { positions: true, ..with_intervals(1, 0) }).unwrap();
    world.step();
    recorder.record_tick(&world).unwrap();
    recorder.finish(&world).unwrap();
    let log = Recording::<Commands>::load(&file.0).unwrap();
    assert_eq!((log.ticks(), log.checkpoints()[0].positions.len(), log.tiles), (1, 1, None));
}

#[test]
fn the_longest_first_line_that_is_written_can_be_read() {
    let world = new_world();
    let create = |path: &PathBuf, length: usize| {
        let options = RecordOptions { map_file: Some("m".repeat(length)), ..with_intervals(1, 0) };
        Recorder::<Commands, _>::create(path, &world, options).map(|recorder| recorder.finish(&world).unwrap())
    };
    let file = Temporary::new("header");
    drop(create(&file.0, 0).unwrap());
    let room = line::MAX_HEADER_BYTES - (file.text().find('\n').unwrap() + 1);
    drop(std::fs::remove_file(&file.0));

    let error = create(&file.0, room + 1).unwrap_err();
    assert!(matches!(error, RecorderError::LongHeader { found, .. } if found == line::MAX_HEADER_BYTES + 1), "{error}");
    assert!(!file.0.exists());
    drop(create(&file.0, room).unwrap());
    assert_eq!(Recording::<Commands>::load(&file.0).unwrap().map_file().map(str::len), Some(room));
}

#[test]
fn commands_are_recorded_alike_in_memory_and_by_their_texts() {
    let mut world = World::new(Map::from_ron(MAP).unwrap(), Settings::default());
    let ball = world.spawn(Body::new(Shape::circle(0.3)).at((3.5, 2.5))).unwrap();
    let (mut by_value, mut by_text) =
        (Recorder::new(&world, with_short_intervals()), Recorder::new(&world, with_short_intervals()));
    for tick in 0..120_u64 {
        match tick {
            0..30 => world.set_velocity(ball, (0.0, 0.0)).unwrap(),
            30..60 => world.set_velocity(ball, (if tick % 3 == 0 { -0.0 } else { 0.0 }, 0.0)).unwrap(),
            _ => {}
        }
        world.step();
        // The start of the log already has the spawn, so leave it out here.
        let first = usize::from(tick == 0);
        by_text.record_tick_with(&world, &world.commands()[first..].to_vec()).unwrap();
        by_value.record_tick(&world).unwrap();
    }
    let (by_value, by_text) = (by_value.finish(&world).unwrap(), by_text.finish(&world).unwrap());
    assert_eq!(by_value, by_text);
    // Expected runs: one of 30 equal ticks, 20 because the sign of the zero changes 20 times, and one without commands.
    assert_eq!(by_value.runs().len(), 22);
}

#[test]
fn a_long_run_of_commands_becomes_a_replay_without_being_expanded() {
    let mut world = World::new(Map::from_ron(MAP).unwrap(), Settings::default());
    let hero = Body::new(Shape::aabb(0.35, 0.45)).at((1.5, 1.45)).character(Character::default());
    let hero = world.spawn(hero).unwrap();
    let replay = |runs: &[(u64, &[Command])]| {
        let runs: Vec<_> = runs.iter().map(|&(ticks, input)| Run { ticks, input: input.to_vec() }).collect();
        let ticks = runs.iter().map(|run| run.ticks).sum();
        Replay::new(
            &Recording { runs, ticks, ..Recording::empty_for_world(&world) },
            world.map().clone(),
            MapSource::Inline,
        )
    };
    let most = Replay::MAX_COMMANDS as u64;
    let paint = [Command::SetTile { layer: 0, tile: (1, 1), tile_id: TileId::EMPTY }];
    let walk = |walk| Command::SetInput(hero, Input { walk, ..Input::default() });
    // Expanded, ten million ticks of commands would take gigabytes.
    let error = replay(&[(10_000_000, &paint)]).unwrap_err();
    assert!(matches!(error, ToReplayError::TooManyCommands), "{error}");
    let error = replay(&[(most, &paint), (1, &paint)]).unwrap_err();
    assert!(matches!(error, ToReplayError::TooManyCommands), "{error}");
    let spawn = Command::Spawn(Box::new(Body::new(Shape::circle(0.2)).at((8.5, 3.4))));
    let error = replay(&[(most, std::slice::from_ref(&spawn))]).unwrap_err();
    assert!(matches!(error, ToReplayError::TooManyBodies), "{error}");
    // Inputs are not commands: repeated ones count once.
    let held = replay(&[(10_000_000, &[walk(5), walk(7)]), (10_000_000, &[walk(-7)])]).unwrap();
    let text =
        "\"body_1\": [\n            (ticks: 10000000, walk: 7),\n            (ticks: 10000000, walk: -7),\n        ]";
    assert!(held.to_ron().contains(text), "{}", held.to_ron());

    // A run repeats its commands in each tick. So a run that removes a body fails in its second tick, and a run of 4
    // ticks spawns a fourth body.
    let error = replay(&[(9, &[Command::Despawn(hero)])]).unwrap_err();
    assert!(matches!(error, ToReplayError::Command { tick: 1, .. }), "{error}");
    let mut other = world.clone();
    let fourth = (0..4).map(|_| other.apply(spawn.clone()).unwrap().unwrap()).last().unwrap();
    let good = replay(&[(4, &[spawn.clone(), walk(3)]), (1, &[Command::Despawn(fourth)])]).unwrap();
    assert_eq!(good.recording().commands().filter(|(_, command)| matches!(command, Command::Spawn(_))).count(), 5);
    assert!(replay(&[(3, &[spawn, walk(3)]), (1, &[Command::Despawn(fourth)])]).is_err());
}

mod bad_input;

use super::*;
use crate::body::{Body, Character, Input};
use crate::checksum::PHYSICS_VERSION;
use crate::command::Command;
use crate::map::{EntryId, Map};
use crate::motion::Shape;
use crate::replay::{Difference, Divergence, MapSource, Player};
use crate::snapshot::SnapshotErrorKind;
use crate::world::{Settings, World};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::path::PathBuf;

const MAP: &str = r##"Map(format: 1, tiles: [
    "................", "................", "#....12##34....#", "/###############"])"##;

/// An input of a game's own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Pad {
    pub(super) push: f64,
    pub(super) words: Option<String>,
}

pub(super) fn world() -> World {
    let mut world = World::new(Map::from_ron(MAP).unwrap(), Settings::default());
    world.spawn(Body::new(Shape::circle(0.4)).at((3.5, 2.5))).unwrap();
    world.spawn(Body::new(Shape::aabb(0.3, 0.3)).at((12.0, 3.0)).bounce(0.7)).unwrap();
    world
}

/// What the game does: the first body goes where it is pushed, at that many tiles per second.
fn drive(world: &mut World, pad: &Pad, speed: f64) {
    let (first, state) = world.bodies().next().unwrap();
    let fall = state.velocity().y;
    world.set_velocity(first, (speed * pad.push, fall)).unwrap();
    world.step();
}

pub(super) fn game(world: &mut World, pad: &Pad) {
    drive(world, pad, 4.0);
}

/// Long stretches of the same, then something else in each tick, with both zeros.
pub(super) fn pad(tick: u64) -> Pad {
    match tick {
        0..150 => Pad { push: 1.0, words: Some("go\n\"on\" ü // 00000000".to_owned()) },
        150..200 => Pad { push: if tick.is_multiple_of(2) { 0.0 } else { -0.0 }, words: None },
        200..260 => Pad { push: (tick as f64 - 230.0) / 7.0, words: None },
        _ => Pad { push: -1.0, words: None },
    }
}

/// A file of its own, gone when it is dropped.
pub(super) struct Temporary(PathBuf);

impl Temporary {
    pub(super) fn new(name: &str) -> Temporary {
        let path = std::env::temp_dir().join(format!("surefoot-recording-{}-{name}", std::process::id()));
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

/// A recording of so many ticks, with the world at its end.
pub(super) fn record(
    name: &str,
    ticks: u64,
    every: Every,
    mut game: impl FnMut(&mut World, &Pad),
) -> (Temporary, String, World) {
    let (file, mut world) = (Temporary::new(name), world());
    let mut journal = Journal::create(&file.0, &world, every).unwrap();
    for tick in 0..ticks {
        game(&mut world, &pad(tick));
        journal.tick(&world, &pad(tick)).unwrap();
    }
    journal.finish(&world).unwrap();
    let text = file.text();
    (file, text, world)
}

const OFTEN: Every = Every { checksums: 20, states: 100 };

#[test]
fn a_recording_runs_as_it_was_recorded() {
    let (file, text, world_at_end) = record("whole", 330, OFTEN, game);
    let recording = Recording::<Pad>::load(&file.0).unwrap();
    assert!(recording.is_complete() && recording.left_out().is_none() && !recording.is_motion_only());
    assert_eq!((recording.ticks(), recording.physics(), recording.start().tick()), (330, PHYSICS_VERSION, 0));
    for (tick, input) in recording.inputs().enumerate() {
        assert_eq!((input, input.push.to_bits()), (&pad(tick as u64), pad(tick as u64).push.to_bits()), "{tick}");
    }
    // Equal inputs are stored once, and only inputs that are equal to the bit.
    assert_eq!(recording.runs().len(), 1 + 50 + 60 + 1);
    assert_eq!(text.matches("input:").count(), recording.runs().len());
    let ticks: Vec<u64> = recording.checkpoints().iter().map(|checkpoint| checkpoint.tick).collect();
    assert_eq!(ticks, (1..=16).map(|i| 20 * i).chain([330]).collect::<Vec<_>>());
    assert_eq!(recording.states().collect::<Vec<_>>(), [100, 200, 300, 330]);

    let mut again = World::new(Map::from_ron(MAP).unwrap(), Settings::default().tick(0.5).unwrap());
    let summary = recording.replay(&mut again, game).unwrap();
    assert_eq!((summary.ticks, summary.compared, summary.motion_only), (330, 17, false));
    assert_eq!(summary.checksum, world_at_end.checksum());
    assert_eq!(again.snapshot().first_difference(&world_at_end.snapshot()), None);
    assert_eq!(recording.explain(&again, || game).unwrap(), None);
}

#[test]
fn a_recording_begins_at_any_tick() {
    let (file, mut world) = (Temporary::new("later"), world());
    (0..77).for_each(|tick| game(&mut world, &pad(tick)));
    let options = JournalOptions { every: OFTEN, map_file: Some("a \"map\".ron".to_owned()), sync: true };
    let mut journal = Journal::create(&file.0, &world, options).unwrap();
    (77..300).for_each(|tick| {
        game(&mut world, &pad(tick));
        journal.tick(&world, &pad(tick)).unwrap();
    });
    // Commands since the last step: the end has no checksums, as they would not be those of its last tick.
    let first = world.bodies().next().unwrap().0;
    world.remove(first).unwrap();
    journal.finish(&world).unwrap();
    let recording = Recording::<Pad>::load(&file.0).unwrap();
    assert_eq!((recording.start().tick(), recording.ticks()), (77, 223));
    assert_eq!(recording.map_file(), Some("a \"map\".ron"));
    assert_eq!(recording.checkpoints().last().map(|last| last.tick), Some(77 + 220));
    assert!(recording.is_complete());
    let mut again = World::new(world.map().clone(), Settings::default());
    recording.replay(&mut again, game).unwrap();
    assert_eq!(again.tick(), 300);
}

#[test]
fn a_file_that_is_there_is_left_as_it_is() {
    let (file, text, world) = record("there", 10, Every::default(), game);
    let error = Journal::<Pad>::create(&file.0, &world, Every::default()).unwrap_err();
    assert!(matches!(&error, JournalError::Exists { path } if *path == file.0), "{error}");
    assert_eq!(file.text(), text);
    let error = Journal::<Pad>::create(file.0.join("in it"), &world, Every::default()).unwrap_err();
    assert!(matches!(error, JournalError::Io { .. }), "{error}");
}

#[test]
fn no_more_than_a_second_is_kept_back() {
    let (file, mut world) = (Temporary::new("second"), world());
    let mut journal = Journal::create(&file.0, &world, Every { checksums: 0, states: 0 }).unwrap();
    for tick in 0..200 {
        let read = Recording::<Pad>::load(&file.0).unwrap();
        assert!(!read.is_complete() && read.left_out().is_none());
        assert_eq!(read.ticks(), tick / 60 * 60);
        game(&mut world, &pad(tick));
        journal.tick(&world, &pad(tick)).unwrap();
    }
    // What is dropped writes what it has.
    drop(journal);
    assert_eq!(Recording::<Pad>::load(&file.0).unwrap().ticks(), 200);
}

#[test]
fn a_text_that_is_cut_off_anywhere_reads_up_to_its_last_whole_line() {
    let (_, text, world) = record("cut", 70, Every { checksums: 20, states: 40 }, game);
    let begin: usize = text.split_inclusive('\n').take(2).map(str::len).sum();
    let whole = world.snapshot();
    let mut again = World::new(world.map().clone(), Settings::default());
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let read = Recording::<Pad>::from_text(&text[..end]);
        // Without its line break a line is whole too.
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
            let digits = line.split("ticks: ").nth(1).filter(|_| runs);
            digits.map_or(0, |rest| rest.split([',', ')']).next().unwrap().parse().unwrap())
        };
        let expected: u64 = lines().filter(|(at, _)| at - 1 <= end).map(|(_, line)| count(line)).sum();
        assert_eq!(read.ticks(), expected, "{end}");
        assert_eq!(read.is_complete(), end == text.len() - 1, "{end}");
        let at_border = lines().any(|(at, _)| at == end || at - 1 == end);
        assert_eq!(read.left_out().is_none(), at_border, "{end}");
        if at_border {
            read.replay(&mut again, game).unwrap();
        }
    }
    assert_eq!(again.snapshot().first_difference(&whole), None);
}

#[test]
fn another_game_differs_at_the_next_checksums() {
    let (_, text, world) = record("speed", 330, OFTEN, game);
    let recording = Recording::<Pad>::from_text(&text).unwrap();
    let faster = |world: &mut World, pad: &Pad| {
        let speed = if world.tick() < 205 { 4.0 } else { 4.5 };
        drive(world, pad, speed);
    };
    let mut again = world.clone();
    let error = recording.replay(&mut again, faster).unwrap_err();
    let PlayError::Diverges(divergence) = error else { panic!("{error}") };
    assert_eq!((divergence.tick, divergence.what, again.tick()), (220, Difference::Motion, 220));

    // Both worlds run alike, and the recorded state is another one.
    let told = recording.explain(&world, || faster).unwrap().unwrap();
    assert_eq!((told.divergence, told.good, told.from), (divergence, 200, 200));
    let Finding::Recorded { tick: 300, difference } = &told.found else { panic!("{told}") };
    assert_eq!(difference.body, world.bodies().next().map(|(id, _)| id));
    // The first field in the order of the alphabet that the place shows in.
    assert_eq!(difference.field, "place[0]");
    let x: i64 = difference.first.parse().unwrap();
    let now: i64 = difference.second.parse().unwrap();
    let mut recorded = world.clone();
    recorded.load(&recording.states[2].snapshot().unwrap()).unwrap();
    assert_eq!(recorded.bodies().next().unwrap().1.place().units().x, x);
    assert_ne!(now, x);
    assert!(told.to_string().contains("`place[0]` is "), "{told}");

    // Without states there is only the beginning to run from, and nothing to compare with.
    let (_, text, _) = record("stateless", 330, Every { checksums: 20, states: 0 }, game);
    let recording = Recording::<Pad>::from_text(&text).unwrap();
    let told = recording.explain(&world, || faster).unwrap().unwrap();
    assert_eq!((told.divergence.tick, told.from, told.found), (220, 0, Finding::Unknown));
}

#[test]
fn a_state_outside_of_the_world_shows_side_by_side() {
    // How often the game has been asked, which no world knows.
    let asked = Cell::new(0_u32);
    let forgetful = |world: &mut World, pad: &Pad| {
        asked.set(asked.get() + 1);
        drive(world, pad, if asked.get() % 250 < 150 { 4.0 } else { 4.25 });
    };
    let (_, text, world) = record("hidden", 330, OFTEN, forgetful);
    let recording = Recording::<Pad>::from_text(&text).unwrap();
    asked.set(100);
    let told = recording.explain(&world, || forgetful).unwrap().unwrap();
    assert_eq!((told.divergence.tick, told.good, told.from), (60, 40, 0));
    let Finding::SideBySide { tick, difference } = &told.found else { panic!("{told}") };
    // The first run has asked 60 times after the 100. Then both worlds ask in turn, the restored one first, so that the
    // 250th time, from which on the game is slower again, is the 45th of the other one.
    assert_eq!((100 + 60 + 2 * 45, *tick), (250, 45));
    assert_eq!(difference.body, world.bodies().next().map(|(id, _)| id));
    assert!(told.to_string().contains("after tick 45"), "{told}");
}

#[test]
fn of_another_physics_only_the_motion_is_compared() {
    let (_, text, world) = record("physics", 100, OFTEN, game);
    let other = |text: &str, from: &str, to: &str| {
        let mut sealed = (String::new(), 0);
        for line in text.lines() {
            let (content, _) = line::split(line).unwrap();
            sealed.1 = line::push(&mut sealed.0, sealed.1, &content.replacen(from, to, 1));
        }
        Recording::<Pad>::from_text(&sealed.0).unwrap()
    };
    let mut again = world.clone();
    let state = |tick: usize| {
        let recording = Recording::<Pad>::from_text(&text).unwrap();
        format!("state: \"{}\"", recording.checkpoints()[tick / 20 - 1].state)
    };
    let wrong = "state: \"0123456789abcdef\"";
    let error = other(&text, &state(60), wrong).replay(&mut again, game).unwrap_err();
    let PlayError::Diverges(divergence) = error else { panic!("{error}") };
    assert_eq!((divergence.tick, divergence.what), (60, Difference::State));
    assert_eq!(divergence.expected.to_string(), "0123456789abcdef");

    let text = text.replacen(&format!("physics: {PHYSICS_VERSION}"), &format!("physics: {}", PHYSICS_VERSION + 1), 1);
    let moved = other(&text, &state(60), wrong);
    assert!(moved.is_motion_only());
    let summary = moved.replay(&mut again, game).unwrap();
    assert_eq!((summary.motion_only, summary.compared), (true, 5));
    let motion = format!("motion: \"{}\"", moved.checkpoints()[2].motion);
    let error = other(&text, &motion, "motion: \"0123456789abcdef\"").replay(&mut again, game).unwrap_err();
    assert!(matches!(error, PlayError::Diverges(Divergence { tick: 60, what: Difference::Motion, .. })), "{error}");
}

#[test]
fn what_cannot_be_recorded_is_told_and_the_rest_stays() {
    #[derive(Serialize, Deserialize)]
    struct Odd {
        #[serde(skip_serializing_if = "is_seven")]
        number: u8,
    }
    fn is_seven(number: &u8) -> bool {
        *number == 7
    }
    let (file, mut world) = (Temporary::new("odd"), world());
    let mut journal = Journal::create(&file.0, &world, Every::default()).unwrap();
    world.step();
    journal.tick(&world, &Odd { number: 1 }).unwrap();
    world.step();
    let error = journal.tick(&world, &Odd { number: 7 }).unwrap_err();
    assert!(matches!(&error, JournalError::ReadsOtherwise { text } if text == "()"), "{error}");
    assert!(matches!(journal.tick(&world, &Odd { number: 1 }), Err(JournalError::Over)));
    assert!(matches!(journal.finish(&world), Err(JournalError::Over)));
    assert_eq!(Recording::<Odd>::load(&file.0).unwrap().ticks(), 1);

    let file = Temporary::new("missed");
    let mut journal = Journal::create(&file.0, &world, Every::default()).unwrap();
    let error = journal.tick(&world, &0_u8).unwrap_err();
    assert!(matches!(error, JournalError::MissedTick { expected: 3, found: 2 }), "{error}");
}

#[test]
fn a_replay_needs_its_map_and_one_step_a_tick() {
    let (_, text, mut world) = record("steps", 30, Every::default(), game);
    let recording = Recording::<Pad>::from_text(&text).unwrap();
    let error = recording.replay(&mut world, |world, pad| {
        game(world, pad);
        if world.tick() == 9 {
            world.step();
        }
    });
    assert_eq!(error.unwrap_err(), PlayError::Ticks { expected: 9, found: 10 });
    let error = recording.replay(&mut world, |_, _| {}).unwrap_err();
    assert_eq!(error, PlayError::Ticks { expected: 1, found: 0 });
    let mut other = World::new(Map::from_ron(r#"Map(format: 1, tiles: ["."])"#).unwrap(), Settings::default());
    let PlayError::State { tick: 0, error } = recording.replay(&mut other, game).unwrap_err() else { panic!() };
    assert!(matches!(error.kind, SnapshotErrorKind::OtherMap { .. }), "{error}");
}

/// Two characters, one of which goes and leaves its slot, on tiles that change.
fn command_game(world: &mut World, tick: u64) {
    let hero = world.bodies().next().unwrap().0;
    world.set_input(
        hero,
        Input { walk: if tick % 100 < 50 { 127 } else { -127 }, jump: tick % 40 < 9, ..Input::default() },
    );
    match tick % 60 {
        10 => drop(world.spawn(Body::new(Shape::circle(0.2)).at((8.5, 3.4)).moving((2.0, 0.0)).bounce(0.5)).unwrap()),
        30 => world.set_tile((3, 1), EntryId((tick / 60 % 3) as u16)).unwrap(),
        50 => {
            let last = world.bodies().last().unwrap().0;
            world.remove(last).unwrap();
        }
        _ => {}
    }
    world.step();
}

fn record_commands(name: &str, before: u64, ticks: u64, finish: bool) -> (Recording<Vec<Command>>, World) {
    let mut world = World::new(Map::from_ron(MAP).unwrap(), Settings::default());
    let hero = Body::new(Shape::aabb(0.35, 0.45)).at((1.5, 1.45)).character(Character::default());
    world.spawn(hero).unwrap();
    (0..before).for_each(|tick| command_game(&mut world, tick));
    let file = Temporary::new(name);
    let mut journal = Journal::create(&file.0, &world, OFTEN).unwrap();
    for tick in before..before + ticks {
        command_game(&mut world, tick);
        journal.tick_commands(&world).unwrap();
    }
    if finish {
        journal.finish(&world).unwrap()
    } else {
        drop(journal)
    }
    (Recording::load(&file.0).unwrap(), world)
}

#[test]
fn recorded_commands_become_a_replay_also_after_a_crash() {
    for finish in [true, false] {
        let (recording, world) = record_commands("commands", 0, 250, finish);
        assert_eq!(recording.is_complete(), finish);
        let mut again = World::new(world.map().clone(), Settings::default());
        recording.replay(&mut again, carry_out).unwrap();
        assert_eq!(again.snapshot().first_difference(&world.snapshot()), None);
        let replay = recording.to_replay(&again, MapSource::Inline).unwrap();
        assert_eq!(again.checksum(), world.checksum(), "the given world stays as it is");
        let replay = Replay::from_ron(&replay.to_ron()).unwrap();
        let summary = Player::new(replay).run().unwrap();
        assert_eq!((summary.ticks, summary.checksum), (250, world.checksum()));
    }
}

#[test]
fn what_begins_in_the_middle_becomes_no_replay() {
    let (recording, world) = record_commands("middle", 40, 60, true);
    recording.replay(&mut world.clone(), carry_out).unwrap();
    let error = recording.to_replay(&world, MapSource::Inline).unwrap_err();
    assert!(matches!(error, RecoverError::Record(crate::replay::RecordError::NotFresh { tick: 40 })), "{error}");

    // A world of tick 0 that more was done to than its commands.
    let file = Temporary::new("old");
    let mut old = World::new(world.map().clone(), Settings::default());
    old.spawn(Body::new(Shape::circle(0.3)).at((3.5, 2.5))).unwrap();
    let saved = Snapshot { pending: Vec::new(), ..old.snapshot() };
    old.load(&saved).unwrap();
    Journal::<Vec<Command>>::create(&file.0, &old, OFTEN).unwrap().finish(&old).unwrap();
    let recording = Recording::<Vec<Command>>::load(&file.0).unwrap();
    let error = recording.to_replay(&world, MapSource::Inline).unwrap_err();
    assert!(matches!(&error, RecoverError::NotNew { difference } if difference.field == "presence"), "{error}");
}

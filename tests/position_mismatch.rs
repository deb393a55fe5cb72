//! Replays with body positions: the bodies that a playback reports elsewhere must be those that differ between two runs
//! side by side.

use crate::prelude::*;
use surefoot::record::{DivergenceKind, PositionMismatch, TickComparison};

const TICKS: u64 = 140;

/// Interval of checksums and positions, in ticks.
const EVERY: u32 = 7;

/// The row that is changed: a block in the hero's path, and below the falling ball.
const BLOCK: &str = ".......#........";
const NO_BLOCK: &str = "................";

fn rows(third: &str) -> Vec<&str> {
    vec![NO_BLOCK, NO_BLOCK, third, "################"]
}

/// Commands before a tick. `bodies` has the bodies of the world, by name.
fn move_bodies_by_script(world: &mut World, bodies: &mut BTreeMap<&'static str, BodyId>, tick: u64, walk: i8) {
    let ball = || Body::new(Shape::circle(0.25));
    let mut spawn = |world: &mut World, name, body| {
        bodies.insert(name, world.spawn(body).unwrap());
    };
    match tick {
        0 => {
            spawn(world, "still", ball().at(position(1.5, 1.25)));
            let hero = hero().at(position(2.5, 1.45));
            spawn(world, "h\u{e9}ro", hero);
            spawn(world, "gone", ball().at(position(5.5, 3.5)).bounce(0.5));
        }
        20 => spawn(world, "late", ball().at(position(7.5, 3.5)).bounce(0.5)),
        50 => world.despawn(bodies.remove("gone").unwrap()).unwrap(),
        _ => {}
    }
    let jump = (80..83).contains(&tick);
    world.set_input(bodies["h\u{e9}ro"], Input { walk, jump, ..Input::default() });
}

/// Returns where each body is after each tick, in the order of slots, from commands only, without a replay.
fn by_hand(third: &str, walk: i8) -> Vec<Vec<(String, Position)>> {
    let mut world = World::new(map(&rows(third)), Settings::default());
    let mut bodies = BTreeMap::new();
    let mut ticks = Vec::new();
    for tick in 0..TICKS {
        move_bodies_by_script(&mut world, &mut bodies, tick, walk);
        world.step();
        let name = |id| bodies.iter().find(|(_, known)| **known == id).unwrap().0.to_string();
        ticks.push(world.bodies().map(|(id, state)| (name(id), state.position())).collect());
    }
    ticks
}

/// Records the run on the map with the block. Names are set late.
fn record(with_places: bool) -> Replay {
    let mut world = World::new(map(&rows(BLOCK)), Settings::default());
    let options = RecordOptions { checksum_interval: EVERY, positions: with_places, ..RecordOptions::default() };
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, options).unwrap();
    let mut bodies = BTreeMap::new();
    let mut named = BTreeMap::new();
    for tick in 0..TICKS {
        move_bodies_by_script(&mut world, &mut bodies, tick, 127);
        named.extend(bodies.clone());
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    named.into_iter().for_each(|(name, id)| recorder.name_body(id, name).unwrap());
    recorder.finish_replay(&world).unwrap()
}

fn text() -> String {
    record(true).to_ron()
}

fn player(text: &str) -> Playback {
    Playback::new(&Replay::from_ron(text).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

fn mismatch(player: &Playback, tick: u64, name: &str, expected: Position, found: Position) -> PositionMismatch {
    PositionMismatch {
        tick,
        body: player.recording().body(name).unwrap(),
        name: name.to_owned(),
        expected,
        found,
        changed: Vec::new(),
    }
}

/// Plays a text to its end. After each tick with positions, the reported bodies must be exactly those that have another
/// position in the second run. Returns the first of all.
fn check(
    text: &str,
    recorded: &[Vec<(String, Position)>],
    played: &[Vec<(String, Position)>],
) -> Option<PositionMismatch> {
    let mut player = player(text);
    let (mut last, mut first) = (Vec::new(), None);
    while player.step().is_some() {
        let tick = player.world().tick();
        let (then, now) = (&recorded[tick as usize - 1], &played[tick as usize - 1]);
        if tick.is_multiple_of(u64::from(EVERY)) {
            let both = then.iter().zip(now);
            last = both
                .filter(|((_, expected), (_, found))| expected != found)
                .map(|((name, expected), (other, found))| {
                    assert_eq!(name, other);
                    mismatch(&player, tick, name, *expected, *found)
                })
                .collect();
            let positions = player.expected_positions(tick).iter();
            let named = positions.map(|at| (player.name(at.body).unwrap().to_owned(), at.position));
            assert_eq!(named.collect::<Vec<_>>(), *then);
        } else {
            assert!(player.expected_positions(tick).is_empty());
        }
        // The report stays until the next tick with positions.
        assert_eq!(player.mismatches(), last, "after tick {tick}");
        first = first.or(last.first().cloned());
    }
    assert_eq!(player.world().tick(), TICKS);
    first
}

#[test]
fn an_unchanged_run_has_no_body_elsewhere() {
    let run = by_hand(BLOCK, 127);
    assert_eq!(check(&text(), &run, &run), None);
    let mut player = player(&text());
    assert_eq!(player.run().unwrap().compared as u64, TICKS / u64::from(EVERY));
    assert!(player.mismatches().is_empty());
    assert_eq!(player.recording(), &**record(true).recording());
}

#[test]
fn on_another_map_the_first_body_elsewhere_is_named() {
    let changed = text().replacen(BLOCK, NO_BLOCK, 1);
    let (recorded, played) = (by_hand(BLOCK, 127), by_hand(NO_BLOCK, 127));
    let first = check(&changed, &recorded, &played).unwrap();
    // The tile differs from the start, but no body is elsewhere before the hero reaches the block. That takes 4.15
    // tiles at 8 per second, plus the time to reach that speed: after tick 35.
    let mut player = player(&changed);
    let divergence = player.run().unwrap_err();
    assert_eq!((divergence.tick, divergence.kind, player.mismatches()), (7, DivergenceKind::State, &[][..]));
    assert_eq!((first.tick, first.name.as_str()), (42, "h\u{e9}ro"));
    assert_eq!(first.expected, position(7.0 - 0.35, 1.45));
    assert!(first.found.to_dvec2().x > 7.0);
    let told = first.to_string();
    assert!(told.starts_with("after tick 42 the body \"h\u{e9}ro\" is at (7."), "{told}");
    assert!(told.ends_with(", 1.45); expected (6.65, 1.45)"), "{told}");
}

#[test]
fn with_other_input_the_first_body_elsewhere_is_named() {
    let changed = text().replace("walk: 127", "walk: 126");
    let first = check(&changed, &by_hand(BLOCK, 127), &by_hand(BLOCK, 126)).unwrap();
    // Tick 14 is the first tick with positions after the hero has become slower.
    assert_eq!((first.tick, first.name.as_str()), (14, "h\u{e9}ro"));
    let mut player = player(&changed);
    let divergence = player.run().unwrap_err();
    assert!(divergence.tick <= 14);
}

#[test]
fn a_damaged_checksum_moves_no_body() {
    let replay = record(true);
    let motion = replay.checksums()[3].motion.to_string();
    let digit = if motion.ends_with('0') { "1" } else { "0" };
    let damaged = text().replace(&motion, &format!("{}{digit}", &motion[..15]));
    let run = by_hand(BLOCK, 127);
    assert_eq!(check(&damaged, &run, &run), None);
    let mut player = player(&damaged);
    let divergence = player.run().unwrap_err();
    assert_eq!((divergence.tick, divergence.kind, player.mismatches()), (28, DivergenceKind::Motion, &[][..]));
}

#[test]
fn a_damaged_position_is_reported_and_changes_nothing() {
    let run = by_hand(BLOCK, 127);
    let (name, found) = run[20][0].clone();
    assert_eq!(name, "still");
    let expected = Position::from_units(found.units().x + 1, found.units().y).unwrap();
    let line = |position: Position| format!("\"still\": ({}, {}),", position.units().x, position.units().y);
    let text = text();
    // Take the third occurrence, which is after tick 21.
    let at = text.match_indices(&line(found)).nth(2).unwrap().0;
    let damaged = format!("{}{}{}", &text[..at], line(expected), &text[at + line(found).len()..]);
    let mut player = player(&damaged);
    for tick in 1..=TICKS {
        let verdict = player.step();
        assert!(matches!(verdict, Some(TickComparison::Matches | TickComparison::Unchecked)), "{verdict:?}");
        let wrong = [mismatch(&player, 21, &name, expected, found)];
        assert_eq!(player.mismatches(), if (21..28).contains(&tick) { &wrong[..] } else { &[] });
    }
}

#[test]
fn positions_are_written_only_on_request() {
    let (plain, with) = (record(false), record(true));
    assert!(plain.checksums().iter().all(|checkpoint| checkpoint.positions.is_empty()));
    assert!(with.checksums().iter().all(|checkpoint| checkpoint.positions.len() >= 3));
    // Apart from the positions, the texts are equal.
    let mut text = with.to_ron();
    while let Some(start) = text.find(", positions: {") {
        let end = start + text[start..].find('}').unwrap() + 1;
        text.replace_range(start..end, "");
    }
    assert_eq!(text, plain.to_ron());
}

/// Far from the origin, where f64 cannot tell units apart in tiles, two positions still print differently.
#[test]
fn different_positions_print_differently() {
    let at = |x| Position::from_units(x, -1).unwrap();
    for (expected, found) in [(Position::LIMIT, Position::LIMIT - 1), (0, 1), ((1 << 60) + 1, 1 << 60)] {
        let (expected, found) = (at(expected), at(found));
        let mismatch = PositionMismatch {
            tick: 3,
            body: BodyId::default(),
            name: "a\"b".to_owned(),
            expected,
            found,
            changed: Vec::new(),
        };
        let told = mismatch.to_string();
        let (found, expected) =
            told.strip_prefix("after tick 3 the body \"a\\\"b\" is at ").unwrap().split_once("; expected ").unwrap();
        assert_ne!(found, expected);
    }
}

/// Returns the output of [`verify`](surefoot::replay::verify) for a text in a file, without the file's path.
fn verified(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("surefoot-mismatch-{}-{name}.replay.ron", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let verified = surefoot::replay::verify(&path);
    std::fs::remove_file(&path).unwrap();
    match verified {
        Ok(summary) => format!("{} ticks", summary.ticks),
        Err(error) => error.to_string().strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned(),
    }
}

#[test]
fn verify_names_the_first_body_elsewhere() {
    let text = text();
    assert_eq!(verified("good", &text), "140 ticks");

    // No body is elsewhere yet in the differing tick.
    let on_other_map = verified("map", &text.replacen(BLOCK, NO_BLOCK, 1));
    let first = check(&text.replacen(BLOCK, NO_BLOCK, 1), &by_hand(BLOCK, 127), &by_hand(NO_BLOCK, 127)).unwrap();
    let (divergence, mismatch) = on_other_map.split_once("; ").unwrap();
    assert!(divergence.starts_with("the state differs after tick 7: checksum "), "{on_other_map}");
    assert_eq!(mismatch, first.to_string());

    // Without positions, or if no body is elsewhere until the end, there is nothing more to report.
    let plain = verified("plain", &record(false).to_ron().replacen(BLOCK, NO_BLOCK, 1));
    assert_eq!(plain, divergence);
    let state = record(true).checksums()[3].state.to_string();
    let damaged = verified("damaged", &text.replace(&state, "0123456789abcdef"));
    assert_eq!(damaged, format!("the state differs after tick 28: checksum {state}, expected 0123456789abcdef"));
}

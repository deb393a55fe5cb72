//! Characters that change while the world runs.

use crate::prelude::*;
use surefoot::body::MAX_SPEED;

const GRAVITY: f64 = 40.0;

/// Rounding error of a position after some hundred ticks of half a unit each, with a margin; in tiles.
const ROUNDING: f64 = 1e-6;

const JUMP: Input = Input { walk: 0, jump: true, down: false, up: false, dash: false };

fn walk(amount: i8) -> Input {
    Input { walk: amount, ..Input::default() }
}

/// A hero in the middle of a wide floor whose top is at y = 1, with its character.
fn field() -> (World, BodyId) {
    let (wide, floor) = (".".repeat(200), "#".repeat(200));
    let mut world = World::new(map(&[&wide, &wide, &floor]), Settings::default());
    assert_eq!((world.settings().tick, world.settings().gravity.y), (TICK, -GRAVITY));
    let hero = Body::new(Shape::aabb(0.375, 0.5)).at(position(100.0, 1.5)).character(Character::default());
    let hero = world.spawn(hero).unwrap();
    world.step();
    assert!(world[hero].on_floor());
    (world, hero)
}

/// Returns the height of a jump above the floor, and the number of ticks until the landing.
fn jump(world: &mut World, hero: BodyId, mut each: impl FnMut(&mut World, u32)) -> (f64, u32) {
    let mut highest = 0.0_f64;
    for tick in 1.. {
        world.set_input(hero, if tick == 1 { JUMP } else { Input::default() });
        world.step();
        highest = highest.max(world[hero].position().to_dvec2().y - 1.5);
        each(world, tick);
        if world[hero].on_floor() {
            return (highest, tick);
        }
        assert!(tick < 200);
    }
    unreachable!()
}

/// Checks a jump's height against the formula: at most that height, and less by at most half a tick, because the top
/// may lie between two ticks. Valid while the fall stays below the speed limit: 24^2 / 2 g = 7.2 tiles.
fn assert_height((found, ticks): (f64, u32), expected: f64) {
    let between = GRAVITY * TICK * TICK / 8.0;
    assert!(found <= expected + ROUNDING && found >= expected - between - ROUNDING, "{found}, expected {expected}");
    // Up and down with v = sqrt(2 g h) takes 2 v / g. The landing is in the tick after that.
    let time = 2.0 * (2.0 * GRAVITY * expected).sqrt() / GRAVITY / TICK;
    assert!((f64::from(ticks) - time).abs() <= 1.5, "{ticks} ticks, expected {time}");
}

#[test]
fn the_next_jump_is_as_high_as_the_new_character_jumps() {
    let (mut world, hero) = field();
    assert_height(jump(&mut world, hero, |_, _| ()), 3.2);
    for jump_height in [6.0, 0.75, 3.2, 7.0] {
        let before = (world[hero].position(), world[hero].velocity(), world[hero].on_floor());
        world.set_character(hero, Character { jump_height, ..Character::default() }).unwrap();
        assert_eq!((world[hero].position(), world[hero].velocity(), world[hero].on_floor()), before);
        assert_height(jump(&mut world, hero, |_, _| ()), jump_height);
    }
}

#[test]
fn a_jump_that_has_begun_goes_as_high_as_it_would_have_gone() {
    let (mut world, hero) = field();
    let higher = Character { jump_height: 7.0, ..Character::default() };
    let change = |world: &mut World, tick| {
        if tick == 3 {
            world.set_character(hero, higher).unwrap();
        }
    };
    assert_height(jump(&mut world, hero, change), 3.2);
    assert_height(jump(&mut world, hero, |_, _| ()), 7.0);
}

#[test]
fn a_walk_changes_to_the_new_speed_at_the_rates_of_the_new_character() {
    let (mut world, hero) = field();
    world.set_input(hero, walk(127));
    (0..60).for_each(|_| world.step());
    assert_eq!(world[hero].velocity().x, 8.0);
    let (mut x, mut speed) = (world[hero].position().to_dvec2().x, 8.0_f64);
    // First the walker speeds up at 30 per second, then it slows down at 24 per second.
    let faster = Character { walk_speed: 13.0, ground_acceleration: 30.0, ..Character::default() };
    let slower = Character { walk_speed: 2.5, ground_braking: 24.0, ..Character::default() };
    for (character, rate) in [(faster, 30.0), (slower, -24.0)] {
        world.set_character(hero, character).unwrap();
        assert_eq!((world[hero].velocity().x, world[hero].input()), (speed, walk(127)));
        for tick in 0..60 {
            world.step();
            let next = speed + rate * TICK;
            let next = if rate > 0.0 { next.min(character.walk_speed) } else { next.max(character.walk_speed) };
            x += TICK * (speed + next) / 2.0;
            speed = next;
            let state = &world[hero];
            assert!((state.velocity().x - speed).abs() <= ROUNDING, "{tick}: {}, {speed}", state.velocity());
            assert!((state.position().to_dvec2().x - x).abs() <= ROUNDING, "{tick}: {}, {x}", state.position());
            assert!(state.on_floor() && world.events().is_empty());
        }
        assert_eq!(speed, character.walk_speed);
    }
}

#[test]
fn a_wall_stops_a_runner_at_any_speed() {
    let mut world = World::new(map(&YARD), Settings::default());
    let hero = Body::new(Shape::aabb(0.375, 0.5)).at(position(1.5, 1.5)).character(Character::default());
    let hero = world.spawn(hero).unwrap();
    world.set_input(hero, walk(-127));
    (0..30).for_each(|_| world.step());
    // The wall's face is at x = 1.
    let at_the_wall = position(1.375, 1.5);
    assert_eq!(world[hero].position(), at_the_wall);
    for walk_speed in [100.0, 0.0, 0.001, 1e9, 8.0] {
        world.set_character(hero, Character { walk_speed, ..Character::default() }).unwrap();
        (0..10).for_each(|_| world.step());
        assert_eq!(world[hero].position(), at_the_wall, "{walk_speed}");
    }
    world.set_character(hero, Character { walk_speed: 4.0, ..Character::default() }).unwrap();
    world.set_input(hero, walk(127));
    (0..12).for_each(|_| world.step());
    assert_eq!(world[hero].velocity(), DVec2::new(4.0, 0.0));
}

#[test]
fn what_is_refused_changes_nothing_and_names_the_field() {
    let (mut world, hero) = field();
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at(position(90.0, 2.0))).unwrap();
    let gone = world.spawn(Body::new(Shape::circle(0.25)).character(Character::default())).unwrap();
    world.despawn(gone).unwrap();
    assert_eq!((world[ball].character(), world[hero].character()), (None, Some(&Character::default())));
    let fine = Character { jump_height: 5.0, ..Character::default() };
    world.step();
    let before = world.capture();
    let mut refused = |body, character| {
        let error = world.set_character(body, character).unwrap_err();
        assert_eq!(world.capture().first_difference(&before), None, "{error}");
        world.step();
        assert!(world.commands().is_empty());
        world.restore(&before).unwrap();
        error
    };
    assert_eq!(refused(gone, fine), CommandError::NoSuchBody(gone));
    assert_eq!(refused(BodyId::default(), fine), CommandError::NoSuchBody(BodyId::default()));
    assert_eq!(refused(ball, fine), CommandError::NotACharacter(ball));
    type Field = fn(&mut Character) -> &mut f64;
    let fields: [(&str, Field); 7] = [
        ("walk_speed", |character| &mut character.walk_speed),
        ("ground_acceleration", |character| &mut character.ground_acceleration),
        ("ground_braking", |character| &mut character.ground_braking),
        ("air_acceleration", |character| &mut character.air_acceleration),
        ("jump_height", |character| &mut character.jump_height),
        ("max_fall_speed", |character| &mut character.max_fall_speed),
        ("platform_velocity_grace", |character| &mut character.platform_velocity_grace),
    ];
    for (name, field) in fields {
        for value in [-1e-300, -1.0, 1.1 * MAX_SPEED, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let mut character = fine;
            *field(&mut character) = value;
            let told = refused(hero, character).to_string();
            assert!(told.starts_with(&format!("`character.{name}` is {value}; expected 0 to")), "{told}");
        }
    }
    for value in [-1e-300, 1.1e6, f64::NAN] {
        let told = refused(hero, Character { max_push_mass: value, ..fine }).to_string();
        assert!(told.starts_with(&format!("`character.max_push_mass` is {value}; expected 0 to 1000000")), "{told}");
    }
    world.set_character(hero, Character { max_push_mass: 1e6, ..fine }).unwrap();
    world.restore(&before).unwrap();
    // Both ends are in range.
    for value in [0.0, -0.0, MAX_SPEED] {
        let mut character = fine;
        fields.iter().for_each(|(_, field)| *field(&mut character) = value);
        world.set_character(hero, character).unwrap();
        world.step();
        assert_eq!(world.commands(), [Command::SetCharacter(hero, Box::new(character))]);
    }
}

#[test]
fn the_checksum_contains_the_character_and_snapshots_restore_it() {
    let (mut world, hero) = field();
    world.spawn(Body::new(Shape::circle(0.25)).at(position(90.0, 2.0))).unwrap();
    world.step();
    let high = Character { jump_height: 6.0, ..Character::default() };
    let fast = Character { walk_speed: 12.0, ..Character::default() };
    // Also restore into a world that was captured before, which skips data known to be equal.
    let mut kept = world.capture();
    let (first, old) = (world.capture(), world.checksum());
    let mut seen = vec![old];
    for character in [
        high,
        fast,
        Character { max_push_mass: 2.0, ..fast },
        Character { max_fall_speed: -0.0, ..fast },
        Character { max_fall_speed: 0.0, ..fast },
    ] {
        world.set_character(hero, character).unwrap();
        let sum = world.checksum();
        assert!(!seen.contains(&sum), "{character:?}");
        seen.push(sum);
        world.capture_into(&mut kept);
        let saved = [kept.clone(), world.capture(), Snapshot::from_bytes(&kept.to_bytes()).unwrap()];
        // Restore the same world, a clone of it and a new one, from the old character to the new one and back.
        let mut others = [world.clone(), World::new(world.map().clone(), Settings::default())];
        for other in std::iter::once(&mut world).chain(&mut others) {
            for snapshot in &saved {
                other.restore(&first).unwrap();
                assert_eq!((other.checksum(), other[hero].character()), (old, Some(&Character::default())));
                assert_eq!(other.capture().first_difference(&first), None);
                other.restore(snapshot).unwrap();
                assert_eq!((other.checksum(), other[hero].character()), (sum, Some(&character)));
                assert_eq!(other.capture().first_difference(snapshot), None);
            }
        }
    }
    // After a load, the loaded character jumps.
    world.restore(&first).unwrap();
    assert_height(jump(&mut world, hero, |_, _| ()), 3.2);
    world.set_character(hero, high).unwrap();
    let higher = world.capture();
    assert_height(jump(&mut world, hero, |_, _| ()), 6.0);
    world.restore(&first).unwrap();
    assert_height(jump(&mut world, hero, |_, _| ()), 3.2);
    world.restore(&higher).unwrap();
    assert_height(jump(&mut world, hero, |_, _| ()), 6.0);
    // Setting the same numbers again does not change the state.
    let sum = world.checksum();
    world.set_character(hero, high).unwrap();
    assert_eq!(world.checksum(), sum);
}

/// Holds the stick to the right, jumps now and then, and changes the hero's character now and then.
fn power_ups(world: &mut World, hero: BodyId, tick: u64) {
    world.set_input(hero, Input { walk: if tick % 100 < 60 { 127 } else { -90 }, jump: tick % 20 < 3, ..JUMP });
    if tick % 25 == 7 {
        let tick = tick as f64;
        let character =
            Character { walk_speed: 3.0 + tick / 20.0, jump_height: 1.0 + tick / 77.0, ..Character::default() };
        world.set_character(hero, character).unwrap();
    }
}

fn yard() -> (World, BodyId) {
    let mut world = World::new(map(&YARD), Settings::default());
    let hero = world.spawn(hero().at(position(2.0, 1.45))).unwrap();
    (world, hero)
}

#[test]
fn a_recorded_run_plays_again_from_its_file() {
    let (mut world, hero) = yard();
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 1).unwrap();
    recorder.name_body(hero, "hero").unwrap();
    // The character is also changed before the first tick.
    world.set_character(hero, Character { walk_speed: 0.1, ..Character::default() }).unwrap();
    for tick in 0..300 {
        power_ups(&mut world, hero, tick);
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let replay = recorder.finish_replay(&world).unwrap();
    let file = std::env::temp_dir().join(format!("surefoot-tuned-{}.replay.ron", std::process::id()));
    replay.save(&file).unwrap();
    let back = Replay::load(&file);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(text.matches("do: SetCharacter(\"hero\", (").count(), 1 + 12, "{text}");
    assert!(text.contains("(tick: 0, do: SetCharacter(\"hero\", (walk_speed: 0.1)))"), "{text}");
    let mut player = Playback::new(&back.unwrap());
    assert_eq!(player.recording(), &**replay.recording());
    let summary = player.run().unwrap();
    assert_eq!((summary.compared, summary.checksum), (300, world.checksum()));
    // The commands matter: without one of them, the run differs.
    let without =
        text.lines().filter(|line| !line.contains("(tick: 32, do: SetCharacter")).collect::<Vec<_>>().join("\n");
    assert_eq!(Playback::new(&Replay::from_ron(&without).unwrap()).run().unwrap_err().tick, 33);
}

#[test]
fn a_rollback_restores_the_character() {
    let game = |hero: BodyId| {
        move |world: &mut World, struck: &bool| {
            let tick = world.tick();
            power_ups(world, hero, tick);
            if *struck {
                world.set_character(hero, Character { walk_speed: 30.0, ..Character::default() }).unwrap();
            }
        }
    };
    let (mut known, hero) = yard();
    for _ in 0..200 {
        game(hero)(&mut known, &false);
        known.step();
    }
    let (mut world, hero) = yard();
    let mut rollback = Rollback::new(16);
    for tick in 0..200 {
        // Now and then, a guessed change of the character turns out to be wrong ten ticks later. Then the rollback
        // restores the previous character.
        let guessed = tick % 50 == 15;
        rollback.advance(&mut world, guessed, game(hero));
        let again = rollback.correct(&mut world, tick.max(10) - 10, false, game(hero)).unwrap();
        assert_eq!(again, if tick % 50 == 25 { 11 } else { 0 });
    }
    assert_eq!(world.capture().first_difference(&known.capture()), None);
    assert_eq!(world.checksum(), known.checksum());
}

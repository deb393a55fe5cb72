//! Tests sessions with displays of any rate and frames of any length.

use crate::{Folder, HALL, TICK, hall, paused, script, tick};
use std::fs;
use surefoot::World;
use surefoot::body::Input;
use surefoot::checksum::Checksum;
use surefoot::map::{CollisionLayers, Map};
use surefoot::prelude::{Body, Character, Position, Shape};
use surefoot_play::{Held, Session};
use surefoot_random::Random;

/// Length of a block in ticks, during which the same keys are held: two frames at 24 Hz and twelve at 144 Hz.
const BLOCK: u64 = 5;
const BLOCKS: u64 = 80;
/// Offset of frames in a tick, so that no frame ends exactly with a tick, where rounding would decide.
const PHASE: f64 = 0.25;

fn held(block: u64) -> Held {
    script(block * BLOCK * 7)
}

/// Returns the checksum after each block of a world without session and frames.
fn plain() -> Vec<Checksum> {
    let session = hall();
    let mut world = World::new(session.world().map().clone(), session.world().settings());
    // The floor is at y = 1, the start in the fourth column.
    let body = Body::new(Shape::aabb(0.35, 0.45)).at(Position::new(3.5, 1.45).unwrap());
    let character = Character { max_push_mass: 4.0, ..Character::default() };
    let hero = world.spawn(body.character(character).collision_mask(CollisionLayers::ALL)).unwrap();
    let mut checksums = Vec::new();
    for block in 0..BLOCKS {
        let Held { left, right, jump, down, up, dash } = held(block);
        let walk = if left == right {
            0
        } else if right {
            127
        } else {
            -127
        };
        for _ in 0..BLOCK {
            world.set_input(hero, Input { walk, jump, down, up, dash });
            world.step();
        }
        checksums.push(world.checksum());
    }
    checksums
}

/// Returns the checksums of a run by frames. `frames` returns the lengths of a block's frames in ticks.
fn checksums_by_frames(mut frames: impl FnMut(u64) -> Vec<f64>) -> Vec<Checksum> {
    let mut session = hall();
    session.advance(PHASE * TICK, Held::default());
    let mut checksums = Vec::new();
    for block in 0..BLOCKS {
        for frame in frames(block) {
            session.advance(frame * TICK, held(block));
        }
        assert_eq!(session.world().tick(), (block + 1) * BLOCK);
        checksums.push(session.world().checksum());
    }
    checksums
}

#[test]
fn displays_of_any_rate_show_the_same_run() {
    let expected = plain();
    assert!(expected.windows(2).all(|two| two[0] != two[1]));
    for rate in [24, 60, 144] {
        let frames = BLOCK as f64 * f64::from(rate) / 60.0;
        let found = checksums_by_frames(|_| vec![60.0 / f64::from(rate); frames.round() as usize]);
        assert_eq!(found, expected, "{rate} Hz");
    }
    // Cut each block into frames of random lengths.
    let mut random = Random(1);
    let found = checksums_by_frames(|block| {
        let mut cuts: Vec<f64> = (0..block % 9).map(|_| random.range(0.0, BLOCK as f64)).collect();
        cuts.extend([0.0, BLOCK as f64]);
        cuts.sort_unstable_by(f64::total_cmp);
        cuts.windows(2).map(|two| two[1] - two[0]).collect()
    });
    assert_eq!(found, expected, "jitter");
}

#[test]
fn a_tap_between_two_ticks_is_a_jump_at_any_rate() {
    for rate in [24.0, 60.0, 144.0, 1000.0] {
        let mut session = hall();
        session.advance(PHASE * TICK, Held::default());
        // The button is held for a single frame, which is shorter than a tick above 60 Hz.
        session.advance(1.0 / rate, Held { jump: true, ..Held::default() });
        for _ in 0..rate as usize / 10 {
            session.advance(1.0 / rate, Held::default());
        }
        let hero = session.hero().unwrap();
        assert!(!session.world()[hero].on_floor(), "{rate} Hz");
        for _ in 0..rate as usize * 2 {
            session.advance(1.0 / rate, Held::default());
        }
        assert!(session.world()[hero].on_floor(), "it jumps once at {rate} Hz");
    }
}

/// Returns the drawn position of the hero in tiles.
fn shown(session: &Session) -> f64 {
    let world = session.world();
    session.hero().map_or(0.0, |hero| world[hero].position_at(session.fraction()).x.into())
}

/// Rounding of f32 at x = 20.
const ROUNDING: f64 = 1e-5;

#[test]
fn drawn_positions_never_jump() {
    const WALK: Held = Held { left: false, right: true, jump: false, down: false, up: false, dash: false };
    let speed = Character::default().walk_speed;
    let mut session = hall();
    // Wait until the hero walks at full speed.
    (0..20).for_each(|_| session.advance(TICK, WALK));
    let check = |session: &mut Session, frame: f64, least: f64, most: f64| {
        let before = shown(session);
        session.advance(frame, WALK);
        let moved = (shown(session) - before) / (speed * frame);
        assert!((least - ROUNDING..=most + ROUNDING).contains(&moved), "{moved} of the way in {:?}", session.time());
    };
    let margin = ROUNDING / (speed * 0.001);
    for frame in [0.004, 0.0071, 0.001, 0.013] {
        check(&mut session, frame, 1.0 - margin, 1.0 + margin);
    }
    session.set_rewinding(true);
    for frame in [0.0071, 0.02, 0.003, 0.013] {
        check(&mut session, frame, -1.0 - margin, -1.0 + margin);
    }
    session.set_rewinding(false);
    session.toggle_slow();
    for frame in [0.02, 0.003, 0.03] {
        check(&mut session, frame, 0.25 - margin, 0.25 + margin);
    }
    session.toggle_pause();
    for frame in [0.003, 0.03, 0.01] {
        check(&mut session, frame, 0.0, 1.0 + margin);
    }
    assert_eq!(session.fraction(), 1.0);
    check(&mut session, 0.01, 0.0, 0.0);
    session.toggle_pause();
    for frame in [0.003, 0.03, 0.01] {
        check(&mut session, frame, 0.25 - margin, 0.25 + margin);
    }
}

#[test]
fn time_is_as_fast_as_it_should_be() {
    let mut session = hall();
    let frames = |session: &mut Session, count: usize| {
        let before = session.world().tick() as i64;
        // Frames of 1/64 s are exact in binary and differ from a tick: 64 of them are 60 ticks.
        (0..count).for_each(|_| session.advance(1.0 / 64.0, Held::default()));
        session.world().tick() as i64 - before
    };
    assert_eq!(frames(&mut session, 640), 600);
    session.toggle_slow();
    assert_eq!(frames(&mut session, 256), 60);
    session.set_rewinding(true);
    assert_eq!(frames(&mut session, 128), -120, "back at full speed");
    session.set_rewinding(false);
    session.toggle_slow();
    // A frame of a second advances or rewinds only 8 ticks, and the rest of the second is lost.
    let before = session.world().tick();
    session.advance(1.0, Held::default());
    assert_eq!(session.world().tick(), before + 8);
    session.set_rewinding(true);
    session.advance(1.0, Held::default());
    assert_eq!(session.world().tick(), before);
    session.set_rewinding(false);
    for odd in [f64::NAN, f64::INFINITY, -1.0] {
        session.advance(odd, Held::default());
    }
    assert_eq!(session.world().tick(), before);
    assert!(session.step_micros() > 0.0);
}

/// The map has no border below. The hero falls from its block at x = 1, is put back when it is 8 tiles below the map,
/// and falls again only if it walks. The run with the fall can be saved and rewound.
#[test]
fn a_hero_that_falls_out_of_the_map_is_put_back() {
    let map = Map::from_ron(r#"Map(format: 1, tiles: ["@....", "=...."])"#).unwrap();
    let mut session = Session::play(map, None);
    let hero = session.hero().unwrap();
    let start = session.world()[hero].position();
    let mut lowest = 0.0_f64;
    for _ in 0..240 {
        let walks = session.world()[hero].position().to_dvec2().x < 1.5 && lowest == 0.0;
        session.advance(TICK, Held { right: walks, ..Held::default() });
        lowest = lowest.min(session.world()[hero].position().to_dvec2().y);
    }
    // A hero 8 tiles below the map is put back to its start. The fastest fall is less than a tile per tick.
    assert!((-9.0..-7.0).contains(&lowest), "{lowest}");
    assert_eq!(session.world()[hero].position(), start);
    let folder = Folder::new("fallen");
    session.save_replay(folder.at("fallen.replay.ron")).unwrap();
    session.set_rewinding(true);
    (0..300).for_each(|_| session.advance(TICK, Held::default()));
    assert_eq!((session.world().tick(), session.world()[hero].position()), (0, start));
}

/// Returns the input of the hero after frames of one tick each. `frames`: number of frames, and the keys held in them.
fn input_after(session: &mut Session, frames: u64, held: Held) -> Input {
    (0..frames).for_each(|_| session.advance(TICK, held));
    session.world()[session.hero().unwrap()].input()
}

const JUMP: Held = Held { left: false, right: false, jump: true, down: false, up: false, dash: false };

/// The keys of a pause do not reach the game, also those that are still held when it goes on.
#[test]
fn a_jump_pressed_in_a_pause_counts_once_it_is_pressed_again() {
    let keys = Held { right: true, dash: true, ..JUMP };
    let walks = Input { walk: 127, ..Input::default() };
    for rewinds in [false, true] {
        let stop = |session: &mut Session, stops: bool| match rewinds {
            true => session.set_rewinding(stops),
            false if session.time().paused != stops => session.toggle_pause(),
            false => {}
        };
        let mut session = hall();
        assert_eq!(input_after(&mut session, 9, Held::default()), Input::default());
        stop(&mut session, true);
        input_after(&mut session, 3, keys);
        stop(&mut session, false);
        assert_eq!(input_after(&mut session, 4, keys), walks, "rewinds: {rewinds}");
        assert_eq!(input_after(&mut session, 2, Held::default()), Input::default());
        assert_eq!(input_after(&mut session, 2, keys), Input { jump: true, dash: true, ..walks });
    }
    // A frame shorter than a tick leaves a press that no tick has read.
    for held in [Held::default(), JUMP] {
        let mut session = hall();
        input_after(&mut session, 9, Held::default());
        let tick = session.world().tick();
        session.advance(TICK / 4.0, JUMP);
        assert_eq!(session.world().tick(), tick);
        session.toggle_pause();
        input_after(&mut session, 3, held);
        session.toggle_pause();
        assert_eq!(input_after(&mut session, 4, held), Input::default(), "jump held: {}", held.jump);
    }
    let mut session = hall();
    input_after(&mut session, 9, JUMP);
    session.restart();
    assert_eq!(input_after(&mut session, 4, JUMP), Input::default(), "after a restart");
    assert_eq!(input_after(&mut session, 2, Held::default()), Input::default());
    assert!(input_after(&mut session, 2, JUMP).jump);
}

#[test]
fn keys_held_through_a_pause_stay_held() {
    let mut session = hall();
    input_after(&mut session, 9, Held { right: true, ..JUMP });
    // Left went down last, so the hero walks to the left.
    let keys = Held { left: true, right: true, ..JUMP };
    let expected = Input { walk: -127, jump: true, ..Input::default() };
    assert_eq!(input_after(&mut session, 2, keys), expected);
    session.toggle_pause();
    input_after(&mut session, 3, keys);
    session.toggle_pause();
    for _ in 0..4 {
        assert_eq!(input_after(&mut session, 1, keys), expected);
    }
    // A single tick of the pause counts: a jump that begins in it goes on after the pause.
    let mut session = paused(hall());
    input_after(&mut session, 3, JUMP);
    tick(&mut session, JUMP);
    input_after(&mut session, 3, JUMP);
    session.toggle_pause();
    for _ in 0..4 {
        assert!(input_after(&mut session, 1, JUMP).jump);
    }
}

/// Keys that are held while a run is watched begin no jump when the player goes on. Of two opposite keys, the one that
/// went down last counts.
#[test]
fn keys_held_while_watching_stay_held_when_the_player_goes_on() {
    let folder = Folder::new("held_keys");
    let map = folder.at("hall.ron");
    fs::write(&map, HALL).unwrap();
    let mut session = Session::open(map).unwrap();
    input_after(&mut session, 40, Held::default());
    input_after(&mut session, 40, JUMP);
    let replay = session.save_replay(folder.at("jump.replay.ron")).unwrap().path;
    let keys = Held { left: true, right: true, dash: true, ..JUMP };
    let walks = Input { walk: -127, ..Input::default() };
    // The watched run has no key in tick 20, and holds jump in tick 60.
    for (end, jump) in [(20, false), (60, true)] {
        for (seeks, pauses) in [(false, false), (true, false), (true, true)] {
            let mut session = Session::open(&replay).unwrap();
            session.advance(TICK, Held { right: true, ..Held::default() });
            session.advance(TICK, keys);
            if pauses {
                session.toggle_pause();
            }
            if seeks {
                session.seek(end);
            }
            while session.world().tick() < end {
                session.advance(TICK, keys);
            }
            session.stop_watching();
            let case = format!("end: {end}, seeks: {seeks}, pauses: {pauses}");
            assert_eq!(input_after(&mut session, 4, keys), Input { jump, ..walks }, "{case}");
            assert_eq!(input_after(&mut session, 2, Held::default()), Input::default(), "{case}");
            let again = input_after(&mut session, 2, Held { left: true, dash: true, ..JUMP });
            assert_eq!(again, Input { jump: true, dash: true, ..walks }, "{case}");
        }
    }
}

//! Tests rewinding and continuing from there.

use crate::{hall, paused, rewind_to, script, tick, tiles, variant};
use std::collections::BTreeMap;
use surefoot::body::Character;
use surefoot::checksum::Checksum;
use surefoot::geometry::DVec2;
use surefoot::prelude::Position;
use surefoot::world::World;
use surefoot_play::{Changes, Session, Throwable};

/// Runs the scripted commands before a tick: paints, throws, tunes.
fn act(session: &mut Session, tick: u64) {
    let at = |x: f64, y: f64| DVec2::new(x, y);
    match tick % 60 {
        0 => drop(session.throw(Throwable::Ball, at(5.5, 4.5), at(7.0, 3.0)).unwrap()),
        7 => session.paint((12 + tick as i32 / 60, 3), Some(variant(session, "disc"))).unwrap(),
        8 => session.paint((20, 3), Some(variant(session, "octagon"))).unwrap(),
        19 => session.paint((8 + tick as i32 % 4, 0), None).unwrap(),
        30 => drop(session.throw(Throwable::Box, at(25.5, 4.5), at(-9.0, 0.0)).unwrap()),
        41 => session.tune(Character { walk_speed: 4.0 + tick as f64 / 60.0, ..Character::default() }).unwrap(),
        44 => session.paint((20, 3), None).unwrap(),
        _ => {}
    }
}

/// Checksums of a run before each tick.
type Noted = BTreeMap<u64, Checksum>;

/// Runs to a tick. `is_done`: the commands before the first tick were given already.
fn run_to(session: &mut Session, end: u64, mut is_done: bool, mut note: impl FnMut(u64, Checksum)) {
    loop {
        let now = session.world().tick();
        if !std::mem::take(&mut is_done) {
            act(session, now);
        }
        note(now, session.world().checksum());
        if now == end {
            return;
        }
        tick(session, script(now));
    }
}

#[test]
fn after_rewinding_the_run_repeats_exactly() {
    let (mut straight, mut rewound) = (paused(hall()), paused(hall()));
    for run in 0..2 {
        let mut noted = Noted::new();
        run_to(&mut straight, 300, false, |tick, checksum| noted.extend([(tick, checksum)]));
        assert_eq!(noted.len(), 301);
        let agree = |tick, checksum| assert_eq!(noted[&tick], checksum, "tick {tick} of run {run}");
        run_to(&mut rewound, 170, false, agree);
        // Rewind over painted tiles and throws, to a tick with a painted tile before it, and to the beginning.
        for (back, on) in [(127, 290), (44, 45), (8, 200), (0, 131), (131, 300)] {
            rewind_to(&mut rewound, back);
            agree(back, rewound.world().checksum());
            run_to(&mut rewound, on, true, agree);
        }
        assert_eq!(tiles(rewound.world()), tiles(straight.world()));
        straight.restart();
        rewound.restart();
        assert_eq!((rewound.world().tick(), rewound.rewindable_ticks()), (0, 0));
        assert_eq!(rewound.world().bodies().count(), 1);
        assert_eq!(rewound.character().walk_speed, 4.0 + 281.0 / 60.0, "what was tuned stays");
        assert!(rewound.variant_at((12, 3)).is_some(), "what was painted stays");
    }
}

/// A world that receives only the recorded commands equals the session's world, so nothing else changes it.
#[test]
fn everything_is_a_command() {
    let mut session = paused(hall());
    let mut plain = World::new(session.world().map().clone(), session.world().settings());
    for now in 0..200 {
        act(&mut session, now);
        tick(&mut session, script(now));
        for command in session.world().commands() {
            plain.apply(command.clone()).unwrap();
        }
        plain.step();
        assert_eq!(plain.checksum(), session.world().checksum(), "tick {now}");
    }
    assert_eq!(plain.bodies().count(), 1 + 4 + 3);
}

#[test]
fn ten_seconds_can_be_rewound() {
    let mut session = paused(hall());
    let mut noted = Noted::new();
    run_to(&mut session, 750, false, |tick, checksum| noted.extend([(tick, checksum)]));
    assert_eq!(session.rewindable_ticks(), 600);
    rewind_to(&mut session, 150);
    assert_eq!((session.rewindable_ticks(), session.world().checksum()), (0, noted[&150]));
    session.set_rewinding(true);
    (0..100).for_each(|_| session.advance(0.05, Default::default()));
    session.set_rewinding(false);
    assert_eq!(session.world().checksum(), noted[&150], "there it stays");
    run_to(&mut session, 800, true, |tick, checksum| {
        noted.get(&tick).inspect(|noted| assert_eq!(**noted, checksum, "tick {tick}"));
    });
    assert_eq!(session.rewindable_ticks(), 600);
}

#[test]
fn painted_and_rewound_tiles_are_reported_as_changes() {
    let mut session = paused(hall());
    assert_eq!(session.take_changes(), Changes::All);
    assert_eq!(session.take_changes(), Changes::None);
    let disc = variant(&session, "disc");
    session.paint((4, 2), Some(disc)).unwrap();
    session.paint((4, 2), Some(disc)).unwrap();
    assert_eq!(session.take_changes(), Changes::Tiles(vec![(4, 2)]), "the second paints nothing");
    tick(&mut session, script(0));
    assert_eq!(session.take_changes(), Changes::None);
    session.paint((5, 2), Some(disc)).unwrap();
    session.paint((4, 2), None).unwrap();
    tick(&mut session, script(1));
    session.paint((6, 2), Some(disc)).unwrap();
    session.take_changes();
    let before = tiles(session.world());
    // Tiles painted before the rewound tick stay.
    rewind_to(&mut session, 1);
    assert_eq!(session.take_changes(), Changes::Tiles(vec![(6, 2)]));
    rewind_to(&mut session, 0);
    assert_eq!(session.take_changes(), Changes::Tiles(vec![(5, 2), (4, 2)]));
    assert_eq!((session.variant_at((4, 2)), session.variant_at((5, 2))), (Some(disc), None));
    assert_ne!(tiles(session.world()), before);
    assert!(session.paint((-1, 0), Some(disc)).is_err());
    assert_eq!(session.take_changes(), Changes::None);
    for x in 1..33 {
        for y in 1..5 {
            (0..40).for_each(|i| session.paint((x, y), (i % 2 == 0).then_some(disc)).unwrap());
        }
    }
    assert_eq!(session.take_changes(), Changes::All, "too many to list");
}

#[test]
fn a_pause_steps_only_single_ticks() {
    let mut session = paused(hall());
    let before = session.world().checksum();
    (0..50).for_each(|_| session.advance(TICK_AND_A_BIT, script(38)));
    assert_eq!((session.world().checksum(), session.fraction()), (before, 1.0));
    session.toggle_pause();
    session.step_if_paused(script(0));
    assert_eq!(session.world().checksum(), before, "single ticks are for pauses");
    // A jump pressed and released during the pause has no effect.
    session.toggle_pause();
    session.advance(0.001, script(38));
    session.advance(0.001, Default::default());
    session.toggle_pause();
    session.advance(TICK_AND_A_BIT, Default::default());
    let hero = session.hero().unwrap();
    assert_eq!((session.world().tick(), session.world()[hero].on_floor()), (2, true), "one was due");
    session.toggle_pause();
    session.step_if_paused(Default::default());
    assert_eq!((session.world().tick(), session.fraction()), (3, 1.0));
}

/// A frame slightly longer than a tick.
const TICK_AND_A_BIT: f64 = 0.017;

#[test]
fn throws_are_refused_in_solids_and_the_oldest_go() {
    let mut session = paused(hall());
    let free = DVec2::new(10.0, 4.0);
    let first = session.throw(Throwable::Ball, free, DVec2::ZERO).unwrap();
    for (kind, at, is_free) in [
        (Throwable::Ball, DVec2::new(5.0, 1.25), true),
        (Throwable::Ball, DVec2::new(5.0, 1.24), false),
        (Throwable::Box, DVec2::new(5.0, 1.25), false),
        (Throwable::Box, DVec2::new(5.0, -9.0), false),
        (Throwable::Ball, DVec2::new(f64::NAN, 2.0), false),
    ] {
        let (bodies, thrown) = (session.world().bodies().count(), session.throw(kind, at, DVec2::ZERO));
        assert_eq!(thrown.is_ok(), is_free, "{kind} at {at}");
        assert_eq!(session.world().bodies().count(), bodies + usize::from(is_free));
    }
    let error = session.throw(Throwable::Box, DVec2::new(5.0, 0.5), DVec2::ZERO).unwrap_err();
    assert!(error.to_string().starts_with("there is no room for a box at (5.00, 0.50)"), "{error}");
    assert!(session.throw(Throwable::Ball, free, DVec2::new(1e300, 0.0)).is_err());
    for i in 2..Throwable::MOST {
        session.throw(if i % 2 == 0 { Throwable::Ball } else { Throwable::Box }, free, DVec2::ZERO).unwrap();
    }
    assert_eq!(session.world().bodies().count(), 1 + Throwable::MOST);
    assert!(session.world().get(first).is_some());
    tick(&mut session, script(0));
    assert!(session.throw(Throwable::Ball, free, DVec2::new(1e300, 0.0)).is_err());
    assert!(session.world().get(first).is_some(), "what is refused removes no body");
    session.throw(Throwable::Ball, free, DVec2::ZERO).unwrap();
    assert!(session.world().get(first).is_none());
    assert_eq!(session.world().bodies().count(), 1 + Throwable::MOST);
    assert!(session.world().get(session.hero().unwrap()).is_some());
    // After rewinding, the first body exists again, and is removed again.
    tick(&mut session, script(1));
    rewind_to(&mut session, 0);
    assert!(session.world().get(first).is_some());
    session.throw(Throwable::Box, free, DVec2::ZERO).unwrap();
    assert!(session.world().get(first).is_none());
    assert_eq!(session.world().bodies().count(), 1 + Throwable::MOST);
}

/// The hero stands on the floor below the start. Without a floor or a start it is at a free position.
#[test]
fn the_hero_starts_at_the_best_free_position() {
    use surefoot::map::Map;
    let place = |rows: &[&str]| {
        let session = Session::play(Map::from_ron(&format!("Map(format: 1, tiles: {rows:?})")).unwrap(), None);
        let (hero, world) = (session.hero().unwrap(), session.world());
        (world[hero].position(), world.mover().overlaps(world[hero].shape(), world[hero].position()))
    };
    let at = |x: f64, y: f64| (Position::new(x, y).unwrap(), false);
    assert_eq!(place(&[".@.", "...", "###"]), at(1.5, 1.45));
    assert_eq!(place(&[".@.", "...", "#.#"]), at(1.5, 2.5), "no floor");
    assert_eq!(place(&["...", "...", "###"]), at(1.5, 1.45), "no start");
    assert_eq!(place(&["##...", "#...#", "##.##"]), at(1.5, 1.45), "no floor in the middle");
    assert_eq!(place(&["##...", "##..#", "##.##"]), at(3.5, 1.45), "nor to the left of it");
    assert_eq!(place(&["###", "##.", "##."]), at(2.5, 1.5), "no floor anywhere");
    assert_eq!(place(&["##", "##"]), (Position::new(1.5, 1.5).unwrap(), true), "nothing is free");
}

//! Tests watched replays and ghosts.

use crate::{Folder, TICK, hall, paused, rewind_to, script, shipped, tick};
use surefoot::checksum::Checksum;
use surefoot::geometry::DVec2;
use surefoot::prelude::{Position, Shape};
use surefoot::record::{DivergenceKind, Playback};
use surefoot::replay::Replay;
use surefoot_play::{Changes, Held, PlayError, Session, Throwable};

fn replay(name: &str) -> Replay {
    Replay::load(shipped(name)).unwrap()
}

fn watch(replay: Replay) -> Session {
    paused(Session::watch(replay, "some.replay.ron".into()).unwrap())
}

/// Returns the checksums of a replay's world at each tick, and the final playback.
fn played(replay: Replay) -> (Vec<Checksum>, Playback) {
    let mut player = Playback::new(&replay);
    let mut checksums = vec![player.world().checksum()];
    while player.step().is_some() {
        checksums.push(player.world().checksum());
    }
    (checksums, player)
}

#[test]
fn a_watched_replay_equals_its_playback_forward_and_backward() {
    for name in ["first_steps.replay.ron", "zoo.replay.ron"] {
        let (checksums, player) = played(replay(name));
        let mut session = Session::open(shipped(name)).unwrap();
        session.toggle_pause();
        let end = 700.min(checksums.len() - 1);
        let to = |session: &mut Session, end: usize| {
            while session.world().tick() < end as u64 {
                let now = session.world().tick();
                assert_eq!(session.world().checksum(), checksums[now as usize], "{name}, tick {now}");
                tick(session, Held { jump: true, ..Held::default() });
            }
        };
        to(&mut session, 100);
        assert_eq!(session.rewindable_ticks(), 100);
        for (back, on) in [(61, 95), (60, 65), (0, 20), (20, end), (end - 333, end)] {
            rewind_to(&mut session, back as u64);
            assert_eq!(session.world().checksum(), checksums[back], "{name}, back at {back}");
            to(&mut session, on);
        }
        if end == 700 {
            assert_eq!(session.rewindable_ticks(), 600);
            rewind_to(&mut session, 100);
            assert_eq!((session.world().checksum(), session.rewindable_ticks()), (checksums[100], 0));
        }
        let watched = session.watched().unwrap();
        assert_eq!((watched.ticks, watched.divergence), (player.recording().ticks(), None));
        // Watch to the end, where the replay stays.
        session.toggle_pause();
        (0..checksums.len()).for_each(|_| session.advance(TICK, Held::default()));
        (0..9).for_each(|_| session.advance(TICK, Held::default()));
        assert_eq!(session.world().tick(), player.recording().ticks());
        assert_eq!((session.world().checksum(), session.fraction()), (player.checksum(), 1.0));
        session.restart();
        assert_eq!((session.world().tick(), session.world().checksum()), (0, checksums[0]));
    }
}

#[test]
fn a_seek_ends_in_the_state_of_the_playback() {
    let (checksums, _) = played(replay("zoo.replay.ron"));
    let end = checksums.len() - 1;
    assert!(end > 700, "{end}");
    let mut session = watch(replay("zoo.replay.ron"));
    for target in [0, 500, 499, end, 31, end - 1, 600, 10, end] {
        session.seek(target as u64);
        // If the target is far away, a frame steps only a part of the way.
        let mut frames = 0;
        while session.world().tick() != target as u64 {
            session.advance(TICK, Held::default());
            frames += 1;
            assert!(frames < 20, "{target}");
        }
        session.advance(TICK, Held::default());
        assert_eq!((session.world().tick(), session.world().checksum()), (target as u64, checksums[target]));
        let before = session.rewindable_ticks().min(45);
        rewind_to(&mut session, target as u64 - before);
        assert_eq!(session.world().checksum(), checksums[target - before as usize], "back from {target}");
    }
    // Seeking beyond the end of the run goes to the end.
    session.seek(u64::MAX);
    (0..20).for_each(|_| session.advance(TICK, Held::default()));
    assert_eq!(session.world().tick(), end as u64);
    // A map that is played has no ticks to seek.
    let mut session = paused(hall());
    session.seek(9);
    session.advance(TICK, Held::default());
    assert_eq!(session.world().tick(), 0);
}

#[test]
fn a_watched_run_is_played_on_and_saved_as_one_run() {
    let folder = Folder::new("play_on");
    folder.copy("first_steps.ron");
    folder.copy("first_steps.replay.ron");
    let (checksums, _) = played(replay("first_steps.replay.ron"));
    let mut session = Session::open(folder.at("first_steps.replay.ron")).unwrap();
    session.seek(200);
    (0..9).for_each(|_| session.advance(0.0, Held::default()));
    assert_eq!(session.world().checksum(), checksums[200]);
    let hero = session.hero().unwrap();
    let before = session.world()[hero].position();
    session.toggle_pause();
    session.stop_watching();
    assert!(session.watched().is_none() && !session.time().paused);
    assert_eq!((session.world().tick(), session.world()[hero].position()), (200, before));
    (0..60).for_each(|_| session.advance(TICK, Held { left: true, ..Held::default() }));
    assert!(session.world()[hero].position().to_dvec2().x < before.to_dvec2().x);
    // Now tiles can be painted, time goes back into the watched part, and the whole run is saved with the name of its
    // map.
    session.paint((3, 9), session.variant_at((0, 0))).unwrap();
    let now = session.world().tick();
    let mut session = paused(session);
    rewind_to(&mut session, 190);
    rewind_to(&mut session, 150);
    assert_eq!(session.world().motion_checksum(), {
        let mut player = Playback::new(&replay("first_steps.replay.ron"));
        player.run_to(150).unwrap();
        player.world().motion_checksum()
    });
    (150..now).for_each(|_| tick(&mut session, Held { right: true, ..Held::default() }));
    let saved = session.save_replay(folder.at("on.replay.ron")).unwrap().replay;
    assert_eq!(saved.ticks(), now);
    assert_eq!(saved.map_source(), &surefoot::replay::MapSource::File("first_steps.ron".to_owned()));
    let again = Replay::load(folder.at("on.replay.ron")).unwrap();
    assert_eq!(Playback::new(&again).run().unwrap().ticks, now);
}

#[test]
fn the_first_diverging_tick_stays_known_after_rewinding() {
    // One input is changed, so the hero moves differently, and the checkpoints from there on differ.
    let text = replay("first_steps.replay.ron").to_ron();
    let map = std::fs::read_to_string(shipped("first_steps.ron")).unwrap();
    let map = surefoot::map::Map::from_ron(&map).unwrap();
    let changed = text.replacen("walk: 127", "walk: 90", 1);
    assert_ne!(changed, text);
    let broken = Replay::from_ron_with(&changed, |_| Ok(map.clone())).unwrap();
    let expected = Playback::new(&broken).run().unwrap_err();
    assert_eq!(expected.kind, DivergenceKind::Motion);
    let mut session = watch(broken);
    let end = session.watched().unwrap().ticks.min(expected.tick + 130);
    while session.world().tick() < end {
        tick(&mut session, Held::default());
        let found = session.watched().unwrap().divergence;
        assert_eq!(found, (session.world().tick() >= expected.tick).then_some(expected));
    }
    rewind_to(&mut session, expected.tick - 1);
    assert_eq!(session.watched().unwrap().divergence, Some(expected));
    session.restart();
    assert_eq!(session.watched().unwrap().divergence, None);
}

#[test]
fn diverged_bodies_are_reported_with_their_expected_positions() {
    let folder = Folder::new("astray");
    let mut session = paused(hall());
    session.throw(Throwable::Ball, DVec2::new(25.5, 4.5), DVec2::ZERO).unwrap();
    let walk = Held { right: true, ..Held::default() };
    let mut positions = Vec::new();
    for _ in 0..150 {
        tick(&mut session, walk);
        positions.push(session.world()[session.hero().unwrap()].position());
    }
    let saved = session.save_replay(folder.at("a.replay.ron")).unwrap().replay;
    // Watch the unchanged recording, and one with a slower hero. The ball is the same in both.
    for (is_broken, text) in [(false, saved.to_ron()), (true, saved.to_ron().replace("walk: 127", "walk: 70"))] {
        let mut session = watch(Replay::from_ron(&text).unwrap());
        for now in 0..150 {
            let shown =
                if now < 60 { None } else { Some(positions[(now / 60 * 60 - 1) as usize]).filter(|_| is_broken) };
            let watched = session.watched().unwrap();
            let found: Vec<_> = watched.expected.iter().map(|body| (body.name, body.shape, body.position)).collect();
            let expected: Vec<_> = shown.iter().map(|position| ("hero", Shape::aabb(0.35, 0.45), *position)).collect();
            assert_eq!(found, expected, "tick {now}");
            assert_eq!(watched.divergence.map(|divergence| divergence.tick), shown.map(|_| 60));
            tick(&mut session, Held::default());
        }
    }
}

#[test]
fn a_watched_replay_cannot_be_changed() {
    let mut session = watch(replay("first_steps.replay.ron"));
    let folder = Folder::new("watching");
    (0..10).for_each(|_| tick(&mut session, Held::default()));
    let before = session.world().checksum();
    assert!(matches!(session.throw(Throwable::Ball, DVec2::new(5.0, 5.0), DVec2::ZERO), Err(PlayError::Watching)));
    assert!(matches!(session.paint((5, 5), None), Err(PlayError::Watching)));
    assert!(matches!(session.tune(session.character()), Err(PlayError::Watching)));
    assert!(matches!(session.save_replay(folder.at("a.replay.ron")), Err(PlayError::Watching)));
    assert_eq!(session.world().checksum(), before);
    assert!(session.hero().is_some_and(|hero| session.world()[hero].character().is_some()));
}

#[test]
fn tiles_that_a_replay_edits_are_reported_forward_and_backward() {
    let text = r##"Replay(map: Inline(Map(format: 1, tiles: ["@...", "===="])), ticks: 90, commands: [
        (tick: 3, do: SetTile((1, 0), ".")), (tick: 40, do: SetTiles((2, 0), (3, 1), "#"))])"##;
    let mut session = watch(Replay::from_ron(text).unwrap());
    session.take_changes();
    let changes = |session: &mut Session, ticks: u64| {
        (0..ticks).for_each(|_| tick(session, Held::default()));
        session.take_changes()
    };
    assert_eq!(changes(&mut session, 3), Changes::None);
    assert_eq!(changes(&mut session, 1), Changes::Tiles(vec![(1, 0)]));
    assert_eq!(changes(&mut session, 50), Changes::Tiles(vec![(2, 0), (3, 0), (2, 1), (3, 1)]));
    rewind_to(&mut session, 41);
    assert_eq!(session.take_changes(), Changes::None);
    rewind_to(&mut session, 2);
    let Changes::Tiles(tiles) = session.take_changes() else { panic!("tiles are others") };
    assert_eq!(tiles, [(2, 0), (3, 0), (2, 1), (3, 1), (1, 0)]);
    assert_eq!(session.variant_at((2, 1)), None);
}

/// Rounding of the mean of two positions of at most some hundred tiles.
const ROUNDING: f64 = 1e-12;

#[test]
fn a_ghost_follows_the_recorded_character() {
    let replay = replay("first_steps.replay.ron");
    let mut session = paused(hall());
    assert_eq!(session.ghost_at(1.0), None);
    (0..40).for_each(|now| tick(&mut session, script(now)));
    session.set_ghost(replay.clone()).unwrap();
    let mut player = Playback::new(&replay);
    let hero = player.body("hero").unwrap();
    let mut positions = vec![player.world()[hero].position().to_dvec2()];
    while player.step().is_some() {
        positions.push(player.world()[hero].position().to_dvec2());
    }
    let check = |session: &Session| {
        let now = session.world().tick() as usize;
        let (shape, position) = session.ghost_at(1.0).unwrap();
        assert_eq!((shape, position), (player.world()[hero].shape(), positions[now]));
        let (_, between) = session.ghost_at(0.25).unwrap();
        let expected = if now == 0 { positions[0] } else { positions[now - 1] * 0.75 + positions[now] * 0.25 };
        assert!((between - expected).length() < ROUNDING, "tick {now}");
    };
    check(&session);
    for now in 40..300 {
        tick(&mut session, script(now));
        check(&session);
    }
    for back in [250, 249, 30, 0] {
        rewind_to(&mut session, back);
        check(&session);
    }
    session.restart();
    check(&session);
}

#[test]
fn a_ghost_jumps_with_a_teleport_and_stays_at_its_end() {
    let text = r##"Replay(map: Inline(Map(format: 1, tiles: ["@.......", "========"])), ticks: 9,
        bodies: [(name: "ball", shape: Circle(0.25), at: At(7.5, 1.25))],
        commands: [(tick: 2, do: Spawn(Body(name: "late", shape: Aabb(0.25, 0.25), at: At(1.5, 1.25), character: ()))),
            (tick: 5, do: Teleport("late", At(6.5, 1.25))), (tick: 8, do: Despawn("late"))])"##;
    let mut session = paused(hall());
    session.set_ghost(Replay::from_ron(text).unwrap()).unwrap();
    let mut seen = Vec::new();
    for now in 0..12 {
        seen.push([0.0, 1.0].map(|fraction| session.ghost_at(fraction).map(|(_, position)| position.x)));
        tick(&mut session, script(now));
    }
    let (no, left, right) = ([None; 2], [Some(1.5); 2], [Some(6.5); 2]);
    assert_eq!(seen, [no, no, no, left, left, left, right, right, right, no, no, no]);
    // The ghost walks until its run ends. From then on, it stays there, whatever the fraction.
    let walks = "inputs: {\"late\": [(ticks: 9, walk: 127)]}, commands: [";
    let stays = text.replace(", (tick: 8, do: Despawn(\"late\"))", "").replace("commands: [", walks);
    let stays = Replay::from_ron(&stays).unwrap();
    let (_, player) = played(stays.clone());
    let end = player.world()[player.body("late").unwrap()].position().to_dvec2();
    assert_ne!(end, Position::new(6.5, 1.25).unwrap().to_dvec2());
    session.set_ghost(stays).unwrap();
    for fraction in [0.0, 0.5, 1.0] {
        assert_eq!(session.ghost_at(fraction).map(|(_, position)| position), Some(end));
    }
}

#[test]
fn replays_without_a_character_and_streamed_replays_are_refused() {
    let ball = r##"Replay(map: Inline(Map(format: 1, tiles: ["@..", "==="])), ticks: 9,
        bodies: [(name: "ball", shape: Circle(0.25), at: At(1.5, 1.25))])"##;
    let mut session = hall();
    assert!(matches!(session.set_ghost(Replay::from_ron(ball).unwrap()), Err(PlayError::NoCharacter)));
    let text = r##"Replay(map: Inline(Map(format: 1, tiles: ["@..", "==="])), ticks: 9, source: "0000000000000001",
        bodies: [(name: "hero", shape: Circle(0.25), at: At(1.5, 1.25), character: ())])"##;
    let streamed = Replay::from_ron(text).unwrap();
    assert!(matches!(session.set_ghost(streamed.clone()), Err(PlayError::Streamed { .. })));
    assert_eq!(session.ghost_at(1.0), None);
    let error = Session::watch(streamed, "far.replay.ron".into()).unwrap_err();
    assert!(error.to_string().starts_with("far.replay.ron: the replay is of a streamed world"), "{error}");
}

#[test]
fn files_are_opened_by_their_content() {
    let folder = Folder::new("open");
    assert!(Session::open(shipped("zoo.ron")).unwrap().watched().is_none());
    assert!(Session::open(shipped("zoo.replay.ron")).unwrap().watched().is_some());
    // If the name does not say whether a file is a map or a replay, its text does.
    folder.copy("zoo.ron");
    std::fs::copy(shipped("zoo.replay.ron"), folder.at("run.ron")).unwrap();
    assert!(Session::open(folder.at("run.ron")).unwrap().watched().is_some());
    std::fs::write(folder.at("bad.ron"), "Map(format: 1, tiles: [\"q\"])").unwrap();
    let error = Session::open(folder.at("bad.ron")).unwrap_err();
    assert!(matches!(error, PlayError::Map(_)) && error.to_string().contains("bad.ron:1:25"), "{error}");
    let error = Session::open(folder.at("none.replay.ron")).unwrap_err();
    assert!(matches!(error, PlayError::Replay(_)) && error.to_string().contains("none.replay.ron"), "{error}");
}

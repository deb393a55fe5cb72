//! Facing of bodies: set by commands, and for characters by input.

use crate::nudges::{NEAR, TICK, body, jump, under};
use crate::table::{Stage, Way, all_ways, all_ways_of};
use surefoot::prelude::*;
use surefoot::record::{Playback, Recorder};
use surefoot::replay::{MapSource, Replay};
use surefoot::snapshot::Snapshot;
use surefoot::{Input, Map, World};

/// The facing with this sign.
pub(crate) fn facing(sign: i8) -> Facing {
    [Facing::Left, Facing::Unset, Facing::Right][(sign.signum() + 1) as usize]
}

fn stage(how: &Way) -> Stage {
    let dashes = Character { dash_speed: 12.0, dash_time: 6.0 * TICK, ..jump() };
    let hero = body(Shape::aabb(0.375, 0.5), dashes);
    let mut stage = Stage::new(&under(&[]), how, hero, (0.0, 0.5), 40.0);
    stage.step(0, false);
    stage
}

/// Each input, and the facing of the hero after it. The facing starts to the right.
#[test]
fn a_character_faces_the_direction_of_new_input() {
    all_ways(|how| {
        let led = [(0, 1), (-1, -1), (-127, -1), (0, -1), (127, 1), (60, 1), (-128, -1), (0, -1)];
        let mut stage = stage(how);
        for (walk, _) in led {
            stage.step(walk, false);
            assert_eq!(stage.hero().facing().sign(), 0.0, "it was not told");
        }
        stage.world.set_facing(stage.hero, Facing::Right).unwrap();
        for (walk, side) in led {
            stage.step(walk, false);
            assert_eq!(stage.hero().facing().sign(), f64::from(side), "{walk}");
        }
        // A character that walks backwards keeps a facing set by command until input changes direction. A press of jump
        // changes nothing.
        stage.step(127, false);
        stage.world.set_facing(stage.hero, Facing::Left).unwrap();
        for (walk, jump, side) in [(127, false, -1), (127, true, -1), (60, false, -1), (0, false, -1), (127, false, 1)]
        {
            stage.step(walk, jump);
            assert_eq!(stage.hero().facing().sign(), f64::from(side), "{walk}");
        }
        // The facing also stays while input is ignored, and during hit stop.
        stage.world.knockback(stage.hero, (0.0, 3.0), 20).unwrap();
        stage.step(-127, false);
        assert_eq!(stage.hero().facing().sign(), -1.0);
        stage.world.hit_stop(stage.hero, 20).unwrap();
        stage.step(127, false);
        assert_eq!(stage.hero().facing().sign(), 1.0);
        stage.world.set_facing(stage.hero, Facing::Unset).unwrap();
        stage.step(-127, false);
        assert_eq!(stage.hero().facing().sign(), 0.0);
    });
}

/// 12 tiles/s for 6 ticks are 1.2 tiles in the facing direction. Without a facing there is no dash; with input, the
/// dash follows the input.
#[test]
fn a_dash_from_rest_follows_the_facing() {
    all_ways_of([(0, 0, 0.0), (1, 0, 1.2), (-1, 0, -1.2), (1, -127, -1.2)], |how, (told, walk, way)| {
        let mut stage = stage(how);
        stage.world.set_facing(stage.hero, facing(told)).unwrap();
        let held = Input { dash: true, ..stage.held(walk, false) };
        stage.world.set_input(stage.hero, held);
        (0..6).for_each(|_| stage.world.step());
        assert!((stage.place().x - way).abs() < NEAR, "{told} {walk}: {}", stage.place());
    });
}

/// The facing is saved, part of the checksum once it is set, and recorded.
#[test]
fn facing_is_part_of_the_state() {
    let map = || Map::from_rows(["@.......", "........", "========"]).unwrap();
    let mut world = World::new(map(), Settings::default());
    let [hero, ball] = [
        Body::new(Shape::aabb(0.25, 0.5)).at((1.5, 1.5)).character(Character::default()),
        Body::new(Shape::circle(0.25)).at((4.5, 1.25)),
    ]
    .map(|body| world.spawn(body).unwrap());
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 5).unwrap();
    for tick in 0..40 {
        match tick {
            10 => world.set_facing(hero, Facing::Left).unwrap(),
            20 => world.set_facing(ball, Facing::Right).unwrap(),
            _ => {}
        }
        world.set_input(hero, Input::walk(if tick < 30 { 0.0 } else { 1.0 }));
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    assert_eq!([hero, ball].map(|id| world[id].facing()), [Facing::Right; 2]);
    for read in [
        Snapshot::from_bytes(&world.capture().to_bytes()).unwrap(),
        Snapshot::from_ron(&world.capture().to_ron().unwrap()).unwrap(),
    ] {
        let mut other = World::new(map(), Settings::default());
        other.restore(&read).unwrap();
        assert_eq!([hero, ball].map(|id| other[id].facing()), [Facing::Right; 2]);
        let sum = other.checksum();
        assert_eq!(sum, world.checksum());
        for side in [Facing::Unset, Facing::Left] {
            other.set_facing(ball, side).unwrap();
            assert_ne!(other.checksum(), sum, "{side:?}");
        }
    }
    let text = recorder.finish_replay(&world).unwrap().to_ron();
    assert!(text.contains(", Left)") && text.contains("SetFacing("), "{text}");
    let replay = Replay::from_ron(&text).unwrap();
    assert_eq!(Playback::new(&replay).run().unwrap().checksum, world.checksum());
}

/// Each way to give a body a facing before the first tick, in a map or in a replay. The hero dashes from rest: 12
/// tiles/s for 0.1 s are 1.2 tiles to the side that it faces. With its head down, left stays left.
#[test]
fn bodies_of_maps_and_replays_face_a_side_at_first() {
    const FIELDS: &str = "shape: Aabb(0.25, 0.5), character: (dash_speed: 12.0, dash_time: 0.1)";
    let map = |legend: &str, bodies: &str| {
        format!(
            r##"Map(format: 1, legend: {{{legend}}}, bodies: [{bodies}], tiles: ["========", "........", "...{}....", "========"])"##,
            if legend.is_empty() { '.' } else { 'h' }
        )
    };
    for (facing, side, way) in
        [("", Facing::Unset, 0.0), ("facing: Left,", Facing::Left, -1.2), ("facing: Right,", Facing::Right, 1.2)]
    {
        for up in ["", "up: MinusY, gravity_scale: 0.0,"] {
            let drawn = map(&format!(r#"'h': (body: (kind: "hero", {facing} {up} {FIELDS}))"#), "");
            let listed = map("", &format!(r#"(name: "hero", kind: "hero", at: (3.5, 1.5), {facing} {up} {FIELDS})"#));
            let replay = format!(
                r#"Replay(map: Inline({}), bodies: [(name: "hero", at: At(3.5, 1.5), {facing} {up} {FIELDS})], ticks: 9)"#,
                map("", "")
            );
            let of_map = |text: &str| World::from_map(Map::from_ron(text).unwrap(), Settings::default());
            let of_replay = Playback::new(&Replay::from_ron(&replay).unwrap()).world().clone();
            for mut world in [of_map(&drawn), of_map(&listed), of_replay] {
                let hero = world.bodies().next().unwrap().0;
                assert_eq!(world[hero].facing(), side, "{facing} {up}");
                let from = world[hero].position().to_dvec2().x;
                world.set_input(hero, Input { dash: true, ..Input::default() });
                (0..6).for_each(|_| world.step());
                let moved = world[hero].position().to_dvec2().x - from;
                assert!((moved - way).abs() < 1e-6, "{facing} {up}: {moved}");
            }
        }
    }
}

/// A body that is spawned with a facing is to the bit the body that gets its facing by a command.
#[test]
fn a_facing_at_the_spawn_is_that_of_a_command() {
    for side in [Facing::Left, Facing::Unset, Facing::Right] {
        for up in [None, Some(Up::MinusY), Some(Up::PlusX)] {
            let body = Body { up, ..Body::new(Shape::aabb(0.25, 0.5)).at((1.25, 1.5)).character(Character::default()) };
            let worlds = [body.clone().facing(side), body].map(|body| {
                let map = Map::from_rows(["#.......", "#.......", "========"]).unwrap();
                let mut world = World::new(map, Settings::default());
                let hero = world.spawn(body.clone()).unwrap();
                if body.facing != side {
                    world.set_facing(hero, side).unwrap();
                }
                assert_eq!(world[hero].facing(), side, "{up:?}");
                assert_eq!(world[hero].body().facing, Facing::Unset, "a facing is no property");
                let mut sums = vec![world.checksum()];
                for tick in 0..40 {
                    world.set_input(hero, Input::walk(if tick < 20 { 0.0 } else { -1.0 }));
                    world.step();
                    sums.push(world.checksum());
                }
                sums
            });
            assert_eq!(worlds[0], worlds[1], "{side:?} {up:?}");
        }
    }
}

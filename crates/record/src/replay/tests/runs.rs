//! Runs that are recorded, written, read and played again.

use super::*;
use crate::body::{Body, Character, Facing, Response};
use crate::checksum::PHYSICS_VERSION;
use crate::command::Command;
use crate::event::BodyId;
use crate::map::{CollisionLayers, TileId};
use crate::motion::{Shape, SlopeLimit, Up};
use crate::record::{
    Divergence, DivergenceKind, PlaybackSummary, RecordOptions, Recorder, RecorderError, RecordingStart, TickComparison,
};
use crate::testing::Random;
use surefoot_geometry::Position;

const MAP: &str = r#"Map(format: 1, origin: (-3, 2), legend: {'"': "slope_45 r3", 'é': "stud"}, tiles: [
    "............",
    ".@....--...é",
    ".....==/\\...",
    "____________",
])"#;

/// A number of either sign with a fraction.
pub(super) fn number(random: &mut Random) -> f64 {
    random.below(20_001) as f64 / 777.0 - 12.0
}

fn body(random: &mut Random) -> Body {
    let shape = match random.below(2) {
        0 => Shape::circle(0.05 + random.below(1000) as f64 / 1999.0),
        _ => Shape::aabb(0.05 + random.below(1000) as f64 / 1999.0, 0.3),
    };
    let body = Body::new(shape)
        .at((number(random), number(random) / 2.0 + 5.0))
        .velocity((number(random), number(random)))
        .facing(Facing::from_sign(random.below(3) as i8 - 1))
        .gravity_scale(number(random) / 12.0)
        .friction(random.below(3) as f64 / 3.0);
    match random.below(4) {
        0 => body.bounce(0.7).rest_speed_threshold(0.3),
        1 => body.response(Response::Stop),
        _ => body.character(character(random)),
    }
}

pub(super) fn character(random: &mut Random) -> Character {
    Character { walk_speed: random.below(100) as f64 / 7.0, jump_height: number(random).abs(), ..Character::default() }
}

/// A world with many commands, some before the first tick.
fn record_random_run(ticks: u64, every: u32, seed: u64) -> (World, Replay) {
    let random = &mut Random(seed);
    let map = Map::from_ron(MAP).unwrap();
    let settings = Settings::default().tick(0.013).gravity((0.1, -33.3));
    let mut world = World::new(map, settings.max_floor_slope(SlopeLimit::new(1, 2).unwrap()).up(Up::PlusY));
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, every).unwrap();
    let mut bodies: Vec<BodyId> = (0..3).map(|_| world.spawn(body(random)).unwrap()).collect();
    recorder.name_body(bodies[2], "body_1").unwrap();
    world.despawn(bodies.remove(0)).unwrap();
    bodies.push(world.spawn(body(random)).unwrap());
    recorder.name_body(bodies[0], "h\u{e9}\"ro").unwrap();
    for _ in 0..ticks {
        let at = random.below(bodies.len() as u64) as usize;
        let id = bodies[at];
        match random.below(12) {
            0 => world.teleport(id, (number(random), number(random))).unwrap(),
            1 => world.set_velocity(id, (number(random), -0.0)).unwrap(),
            2 => {
                let tile = (random.below(12) as i32 - 3, random.below(4) as i32 + 2);
                let entry = TileId(random.below(world.map().kinds().len() as u64) as u16);
                let to = (random.below(12) as i32 - 3, random.below(4) as i32 + 2);
                match random.below(3) {
                    0 => world.set_tiles(0, tile, to, entry).unwrap(),
                    _ => world.set_tile(0, tile, entry).unwrap(),
                }
            }
            3 => bodies.push(world.spawn(body(random)).unwrap()),
            // The world refuses this for a body without a character.
            5..=6 => drop(world.set_character(id, character(random))),
            4 if bodies.len() > 2 => world.despawn(bodies.swap_remove(at)).unwrap(),
            _ => {}
        }
        for &id in &bodies {
            if random.below(5) == 0 {
                let walk = (random.below(256) as i64 - 128) as i8;
                let jump = random.below(2) == 0;
                world.set_input(
                    id,
                    Input { walk, jump, down: random.below(5) == 0, up: false, dash: random.below(7) == 0 },
                );
            }
        }
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let replay = recorder.finish_replay(&world).unwrap();
    (world, replay)
}

#[test]
fn recorded_runs_play_back_tick_by_tick() {
    for seed in 1..20 {
        let (world, replay) = record_random_run(200, 1, seed);
        assert_eq!(replay.checksums().len(), 200);
        let text = replay.to_ron();
        let back = Replay::from_ron(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!(back, replay);
        let mut player = Playback::new(&back);
        let summary = player.run().unwrap_or_else(|divergence| panic!("{divergence} in\n{text}"));
        let expected = PlaybackSummary {
            ticks: 200,
            checksum: world.checksum(),
            compared: 200,
            motion_only: false,
            map_changed: false,
        };
        assert_eq!(summary, expected);
        assert_eq!(player.step(), None);
    }
}

#[test]
fn bodies_without_a_name_are_named_by_the_next_free_number() {
    let (world, replay) = record_random_run(20, 0, 5);
    // The third body was spawned after a removal, which may have freed its slot.
    let names: Vec<_> = names_of_bodies_at_start(&replay).collect();
    assert_eq!(names, ["body_2", "h\u{e9}\"ro", "body_1"]);
    assert_eq!(replay.checksums().len(), 1);
    let mut player = Playback::new(&replay);
    assert_eq!(player.body("body_2").and_then(|id| player.name(id)), Some("body_2"));
    player.run().unwrap();
    assert_eq!(player.body("body_2"), None, "it was removed");
    let ids: Vec<_> = player.names().map(|(id, _)| id).collect();
    assert_eq!(ids, world.bodies().map(|(id, _)| id).collect::<Vec<_>>());
}

const WALK: &str = r#"Replay(format: 1, map: Inline(Map(format: 1, tiles: ["@.......", "========"])), ticks: 60,
    bodies: [(name: "a", shape: Aabb(0.35, 0.45), at: OnFloor("start"), character: ())],
    inputs: {"a": [(ticks: 30, walk: 127), (ticks: 20)]},
    commands: [(tick: 10, do: SetTile((7, 0), "half_slab"))])"#;

/// `WALK` with checksums every `every` ticks.
fn walk_with_checksums(every: usize) -> Replay {
    let replay = Replay::from_ron(WALK).unwrap();
    let mut player = Playback::new(&replay);
    let mut recorder = Recorder::new(player.world(), every as u32);
    while player.step().is_some() {
        recorder.record_tick(player.world()).unwrap();
    }
    with_changed_log(replay, |log| log.checkpoints = recorder.finish(player.world()).unwrap().checkpoints)
}

/// Returns a replay with a changed log.
fn with_changed_log(mut replay: Replay, change: impl FnOnce(&mut Recording)) -> Replay {
    change(Arc::make_mut(&mut replay.recording));
    replay
}

/// Returns the names of the bodies that exist before the first tick.
pub(super) fn names_of_bodies_at_start(replay: &Replay) -> impl Iterator<Item = &str> {
    let RecordingStart::New { commands, .. } = replay.recording().start() else {
        panic!("a replay begins with a new world")
    };
    let mut slots = crate::world::Slots::default();
    commands.iter().map(move |_| replay.recording().name(slots.insert()).unwrap())
}

#[test]
fn tiles_are_set_in_the_named_layer() {
    let text = r####"Replay(format: 1, map: Inline(Map(format: 1, layers: [
            (name: "back", collides: false, tiles: ["...", "..."]),
            (name: "sh\"rubs", collides: false, tiles: ["...", "###"])])),
        commands: [(tick: 0, do: SetTile((0, 0), "#")), (tick: 0, do: SetTile((1, 1), "#", "sh\"rubs")),
            (tick: 1, do: SetTiles((2, 0), (1, 0), "empty", "sh\"rubs")), (tick: 2, do: SetTiles((0, 1), (0, 0), "."))],
        ticks: 3)"####;
    let replay = Replay::from_ron(text).unwrap();
    let block = replay.map().find_tile('#').unwrap();
    let commands: Vec<_> = replay.recording().commands().map(|(_, command)| command.clone()).collect();
    let empty = TileId::EMPTY;
    let expected = [
        Command::SetTile { layer: 0, tile: (0, 0), tile_id: block },
        Command::SetTile { layer: 1, tile: (1, 1), tile_id: block },
        Command::SetTiles { layer: 1, from: (2, 0), to: (1, 0), tile_id: empty },
        Command::SetTiles { layer: 0, from: (0, 1), to: (0, 0), tile_id: empty },
    ];
    assert_eq!(commands, expected);
    let text = replay.to_ron();
    assert_eq!(Replay::from_ron(&text).unwrap(), replay, "{text}");
    // Commands leave out the name of the first layer.
    assert!(text.contains("do: SetTile((0, 0), \"#\"))") && text.contains("\".\", \"sh\\\"rubs\"))"), "{text}");

    let mut player = Playback::new(&replay);
    let shown = |player: &Playback, layer| {
        let tiles = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)];
        tiles.map(|tile| player.world().tile_at(layer, tile) == Some(block))
    };
    player.step();
    assert_eq!(shown(&player, 0), [true, false, false, false, false, false]);
    assert_eq!(shown(&player, 1), [true, true, true, false, true, false]);
    player.step();
    assert_eq!(shown(&player, 1), [true, false, false, false, true, false]);
    player.step();
    assert_eq!(shown(&player, 0), [false; 6]);

    // A recorder records the same replay.
    let mut world = World::new(player.world().map().clone(), Settings::default());
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 1).unwrap();
    for tick in 0..3 {
        for (_, command) in player.recording().commands().filter(|(at, _)| *at == tick) {
            world.apply(command.clone()).unwrap();
        }
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let recorded = recorder.finish_replay(&world).unwrap();
    assert_eq!(recorded.recording().runs(), player.recording().runs());
    assert_eq!(recorded.checksums()[2].state, player.checksum());
}

#[test]
fn the_first_tick_that_differs_is_named() {
    let differs = |change: &dyn Fn(&mut Recording), every: usize| {
        let replay = walk_with_checksums(every);
        assert_eq!(Playback::new(&replay).run().map(|summary| summary.compared), Ok(60 / every));
        let replay = with_changed_log(replay, change);
        let divergence = Playback::new(&replay).run().unwrap_err();
        (divergence.tick, divergence.kind)
    };
    use DivergenceKind::{Motion, State};
    // The 31st tick is the first with another input. The state of the 30th is still equal. Runs of the log: the first
    // input, nothing, the tile in tick 10, nothing, the second input in tick 30, nothing.
    let input = |log: &mut Recording, change: fn(&mut Input)| {
        let [Command::SetInput(_, input)] = &mut log.runs[4].input[..] else { panic!("an input") };
        change(input);
    };
    assert_eq!(differs(&|log| input(log, |input| input.walk = 127), 1), (31, Motion));
    assert_eq!(differs(&|log| input(log, |input| input.walk = 127), 20), (40, Motion));
    // The up button does not move the body, so the motion is equal.
    assert_eq!(differs(&|log| input(log, |input| input.up = true), 1), (31, State));
    assert_eq!(differs(&|log| log.runs[2].input.clear(), 1), (11, State));
    let later = |log: &mut Recording| (log.runs[1].ticks, log.runs[3].ticks) = (11, 17);
    assert_eq!(differs(&later, 1), (11, State));
    let settings = |log: &mut Recording, change: fn(Settings) -> Settings| {
        let RecordingStart::New { settings, .. } = &mut log.start else { panic!("a new world") };
        *settings = change(*settings);
    };
    let slow = |log: &mut Recording| settings(log, |settings| settings.tick(0.02));
    assert_eq!(differs(&slow, 1), (1, Motion));
    let light = |log: &mut Recording| settings(log, |settings| settings.gravity((0.0, -30.0)));
    assert_eq!(differs(&light, 6), (6, State));
    assert_eq!(differs(&|log| log.checkpoints[17].motion.0 ^= 1, 1), (18, Motion));
    assert_eq!(differs(&|log| log.checkpoints[17].state.0 ^= 1, 1), (18, State));
    // On a changed map only the motion is compared, and no body reaches the changed tile.
    let mut replay = walk_with_checksums(1);
    Arc::make_mut(&mut replay.map).set_tile(0, (6, 0), TileId::EMPTY).unwrap();
    let summary = Playback::new(&replay).run().unwrap();
    assert!(summary.map_changed && summary.motion_only && summary.compared == 60);
}

#[test]
fn a_player_goes_on_after_a_difference() {
    let replay = with_changed_log(walk_with_checksums(1), |log| log.checkpoints[3].state.0 ^= 1);
    let mut player = Playback::new(&replay);
    let verdicts: Vec<_> = std::iter::from_fn(|| player.step()).collect();
    assert_eq!(verdicts.len(), 60);
    assert!(matches!(verdicts[3], TickComparison::Differs(Divergence { tick: 4, kind: DivergenceKind::State, .. })));
    assert!(verdicts.iter().enumerate().all(|(i, verdict)| i == 3 || *verdict == TickComparison::Matches));
}

#[test]
fn a_replay_of_another_physics_version_compares_only_the_motion() {
    let replay = with_changed_log(walk_with_checksums(10), |log| {
        log.physics = PHYSICS_VERSION + 1;
        log.checkpoints.iter_mut().for_each(|checkpoint| checkpoint.state.0 = 0);
    });
    let summary = Playback::new(&replay).run().unwrap();
    assert!(summary.motion_only && summary.compared == 6);
    let replay = with_changed_log(replay, |log| log.checkpoints[2].motion.0 ^= 1);
    assert_eq!(Playback::new(&replay).run().unwrap_err().tick, 30);
}

#[test]
fn inputs_count_from_the_first_tick_of_a_body_and_stay_after_the_last_run() {
    let text = r#"Replay(map: Inline(Map(format: 1, tiles: ["@...", "===="])), ticks: 20,
        inputs: {"late": [(ticks: 2, walk: 5), (ticks: 3, walk: 6)]},
        commands: [(tick: 4, do: Spawn(Body(name: "late", shape: Circle(0.25), at: Marker("start"), character: ()))),
            (tick: 4, do: SetVelocity("late", (1.0, 0.0)))])"#;
    let mut player = Playback::new(&Replay::from_ron(text).unwrap());
    let mut walks = Vec::new();
    while player.step().is_some() {
        walks.push(player.body("late").map_or(0, |id| player.world()[id].input().walk));
    }
    let expected = [vec![0; 4], vec![5; 2], vec![6; 14]].concat();
    assert_eq!(walks, expected);
}

#[test]
fn no_more_positions_are_recorded_than_can_be_read() {
    let mut world = World::new(Map::from_ron(MAP).unwrap(), Settings::default());
    let mut recorder = Recorder::for_replay(
        &world,
        MapSource::Inline,
        RecordOptions { checksum_interval: 1, positions: true, ..RecordOptions::default() },
    )
    .unwrap();
    let floating = Body::new(Shape::circle(0.25)).response(crate::body::Response::Pass).gravity_scale(0.0);
    for _ in 0..1024 {
        world.spawn(floating.clone()).unwrap();
    }
    let full = Replay::MAX_POSITIONS / 1024;
    for _ in 0..full + 2 {
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let replay = recorder.finish_replay(&world).unwrap();
    let counts: Vec<_> = replay.checksums().iter().map(|checkpoint| checkpoint.positions.len()).collect();
    assert_eq!(counts, [vec![1024; full], vec![0; 2]].concat());
}

#[test]
fn only_whole_recordings_become_replays() {
    let map = Arc::new(Map::from_ron(MAP).unwrap());
    let ball = || Body::new(Shape::circle(0.25));
    let mut world = World::new(map.clone(), Settings::default());
    let early = Recorder::for_replay(&world, MapSource::Inline, 1).unwrap();
    world.step();
    let later = Recorder::for_replay(&world, MapSource::Inline, 1).unwrap_err();
    assert!(matches!(later, ToReplayError::NotNew { tick: 1 }), "{later}");
    let missed = early.clone().finish_replay(&world).unwrap_err();
    let is_missed = matches!(missed, ToReplayError::Record(RecorderError::MissedTick { expected: 0, found: 1 }));
    assert!(is_missed, "{missed}");
    let mut late = early.clone();
    world.step();
    let missed = late.record_tick(&world).unwrap_err();
    assert!(matches!(missed, RecorderError::MissedTick { expected: 1, found: 2 }), "{missed}");
    assert!(matches!(late.record_tick(&world), Err(RecorderError::Over)));
    assert_eq!(late.finish_replay(&world).unwrap().ticks(), 0);

    let mut world = World::new(map, Settings::default());
    let id = world.spawn(ball()).unwrap();
    let outside = MapSource::File("../a.ron".to_owned());
    let outside = Recorder::for_replay(&world, outside, 1).unwrap_err();
    assert!(matches!(outside, ToReplayError::MapPath { .. }), "{outside}");
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 1).unwrap();
    assert!(matches!(recorder.name_body(id, ""), Err(RecorderError::NamelessBody)));
    recorder.name_body(id, "a").unwrap();
    recorder.name_body(id, "a").unwrap();
    world.step();
    recorder.record_tick(&world).unwrap();
    let other = world.spawn(ball()).unwrap();
    assert!(matches!(recorder.name_body(other, "a"), Err(RecorderError::DuplicateName { name }) if name == "a"));
    recorder.name_body(other, "b").unwrap();
    // No recorded step has this body in its world, so the name of the body is left out.
    let replay = recorder.finish_replay(&world).unwrap();
    assert_eq!((replay.recording().name(id), replay.recording().name(other)), (Some("a"), None));
}

/// A lift, and a block that the game drives.
const PLATFORMS: &str = r###"Map(format: 1, tiles: ["......", "......", ".@....", "======"], platforms: [
    (name: "li\"ft", tiles: ["=="], at: (1, 0), motion: Path(points: [(0, 0), (0, 2)], speed: 3.0)),
    (name: "block", tiles: ["#"], at: (4, 1)), (tiles: ["="], at: (0, 3))])"###;

#[test]
fn platforms_are_known_by_their_names() {
    let mut world = World::new(Map::from_ron(PLATFORMS).unwrap(), Settings::default());
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 1).unwrap();
    let (lift, block) = (world.find_platform("li\"ft").unwrap(), world.find_platform("block").unwrap());
    let hero = world.spawn(Body::new(Shape::aabb(0.3, 0.4)).at((2.0, 1.4)).character(Character::default())).unwrap();
    recorder.name_body(hero, "hero").unwrap();
    for tick in 0..120 {
        match tick {
            // All drives together move the block further from its start than a single drive may.
            10..60 => world.drive_platform(block, (4.0 + f64::from(tick) * 20.0, 1.0)).unwrap(),
            60 => world.pause_platform(lift).unwrap(),
            65 => world.set_platform_tile(lift, 0, (1, 0), world.map().find_tile('#').unwrap()).unwrap(),
            70 => world.teleport_platform(block, (3.25, 0.1)).unwrap(),
            80 => world.resume_platform(lift).unwrap(),
            90 => world.despawn_platform(block).unwrap(),
            _ => {}
        }
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let replay = recorder.finish_replay(&world).unwrap();
    let text = replay.to_ron();
    for words in [
        "(tick: 10, do: DrivePlatform(\"block\", At(204.0, 1.0))),",
        "(tick: 60, do: PausePlatform(\"li\\\"ft\")),",
        "(tick: 65, do: SetPlatformTile(\"li\\\"ft\", (1, 0), \"#\")),",
        "(tick: 70, do: TeleportPlatform(\"block\", At(3.25, 0.1))),",
        "(tick: 90, do: DespawnPlatform(\"block\")),",
    ] {
        assert!(text.contains(words), "{words} in\n{text}");
    }
    let back = Replay::from_ron(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert_eq!(back, replay);
    let mut player = Playback::new(&back);
    assert_eq!(player.run().unwrap().compared, 120);
    assert_eq!(player.world().platform(lift).map(|state| state.position()), world.platform(lift).map(|s| s.position()));
    assert!(player.world().platform(block).is_none());
}

/// A player accepts any world on the map: its platforms restart.
#[test]
fn a_log_is_played_on_a_world_whose_platforms_have_moved() {
    let new = || World::new(Map::from_ron(PLATFORMS).unwrap(), Settings::default());
    let mut world = new();
    let mut recorder = Recorder::new(&world, 1);
    world.spawn(Body::new(Shape::aabb(0.3, 0.4)).at((2.0, 1.4))).unwrap();
    for _ in 0..90 {
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let log = recorder.finish(&world).unwrap();
    let mut other = new();
    let ids: Vec<_> = other.platforms().map(|(id, _)| id).collect();
    other.despawn_platform(ids[1]).unwrap();
    other.teleport_platform(ids[0], (3.0, 2.0)).unwrap();
    (0..7).for_each(|_| other.step());
    let mut player = Playback::of_commands(log, other).unwrap();
    assert_eq!(player.run().unwrap().compared, 90);
    let places = |world: &World| world.platforms().map(|(id, state)| (id, state.position())).collect::<Vec<_>>();
    assert_eq!(places(player.world()), places(&world));
}

/// A played back world knows the bodies of its map as the recorded one does.
#[test]
fn bodies_of_a_map_have_their_names_in_replays() {
    let map = Map::from_ron(
        r#"Map(format: 1, legend: {'g': (body: (kind: "walker", shape: Aabb(0.4, 0.5), velocity: (1.0, 0.0)))},
        bodies: [(name: "hero", kind: "hero", at: (1.5, 1.5), shape: Aabb(0.3, 0.5), character: ())],
        tiles: ["...g..g.", "========"])"#,
    );
    let mut world = World::from_map(map.unwrap(), Settings::default());
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 5).unwrap();
    world.spawn(Body::new(Shape::circle(0.25)).at((5.0, 4.0))).unwrap();
    for _ in 0..20 {
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let replay = recorder.finish_replay(&world).unwrap();
    let text = replay.to_ron();
    for name in ["hero", "walker 3,1", "walker 6,1", "body_4"] {
        assert!(text.contains(&format!("(name: \"{name}\", shape: ")), "{name} in\n{text}");
    }
    let read = Replay::from_ron(&text).unwrap();
    assert_eq!(read.to_ron(), text);
    let mut playback = Playback::new(&read);
    playback.run().unwrap();
    for body in world.map().bodies() {
        assert_eq!(playback.world().find_body(&body.name), world.find_body(&body.name));
    }
    assert!(playback.world().find_body("walker 6,1").is_some());
}

/// A body in a map and a body in a replay have the same fields. Each field here differs from its default.
#[test]
fn bodies_of_maps_and_replays_have_the_same_fields() {
    const FIELDS: &str = r#"shape: Aabb(0.5, 0.25), velocity: (1.5, -2.0), facing: Left, gravity_scale: 0.5,
        response: Bounce(0.25), friction: 0.75, rest_speed_threshold: 0.5, mass: 2.0, time_scale: 0.125,
        character: Heavy(air_jumps: 1), collision_layers: ["b"], collision_mask: All, one_way: true, tag: 7, up: MinusX"#;
    const TILES: &str = r#"format: 1, collision_layers: ["a", "b"], tiles: ["....", "===="]"#;
    let map = Map::from_ron(&format!(r#"Map({TILES}, bodies: [(name: "a", kind: "a", at: (1.5, 1.5), {FIELDS})])"#));
    let map = map.unwrap();
    let replay =
        format!(r#"Replay(map: Inline(({TILES})), ticks: 1, bodies: [(name: "a", at: At(1.5, 1.5), {FIELDS})])"#);
    let replay = Replay::from_ron(&replay).unwrap();
    let first = |replay: &Replay| match replay.recording().commands().next() {
        Some((0, Command::Spawn(body))) => body.as_ref().clone(),
        other => panic!("{other:?}"),
    };
    let body = first(&replay);
    assert_eq!(Body::from(&map.bodies()[0]), body);
    // Name all fields, so that a new field is not forgotten.
    let Body {
        position,
        velocity,
        facing,
        shape,
        gravity_scale,
        response,
        friction,
        rest_speed_threshold,
        character,
        collision_layers,
        collision_mask,
        mass,
        one_way,
        tag,
        time_scale,
        up,
    } = body.clone();
    assert_eq!((position, shape), (Position::new(1.5, 1.5), Shape::aabb(0.5, 0.25)));
    assert_eq!((velocity.to_array(), facing, response), ([1.5, -2.0], Facing::Left, Response::Bounce(0.25)));
    assert_eq!((gravity_scale, friction, rest_speed_threshold, mass, time_scale), (0.5, 0.75, 0.5, 2.0, 0.125));
    assert_eq!(character, Some(Character { air_jumps: 1, ..Character::heavy() }));
    assert_eq!((collision_layers, collision_mask), (CollisionLayers(0b10), CollisionLayers::ALL));
    assert_eq!((one_way, tag, up), (true, 7, Some(Up::MinusX)));
    assert_eq!(Map::from_ron(&map.to_ron()).unwrap(), map);
    assert_eq!(first(&Replay::from_ron(&replay.to_ron()).unwrap()), body);
}

/// A replay that is written has the numbers of a preset, and so does not depend on its name.
#[test]
fn replays_name_the_presets_of_characters() {
    let text = |first: &str, second: &str| {
        format!(
            r#"Replay(map: Inline((format: 1, tiles: ["....", "===="])), ticks: 10,
            bodies: [(name: "a", shape: Circle(0.5), at: At(1.5, 1.5), character: {first})],
            commands: [(tick: 4, do: SetCharacter("a", {second}))])"#
        )
    };
    let replay = Replay::from_ron(&text("Precise", "Classic(walk_speed: 3.0)")).unwrap();
    let mut playback = Playback::new(&replay);
    let character = |playback: &Playback| *playback.world().bodies().next().unwrap().1.character().unwrap();
    assert_eq!(character(&playback), Character::precise());
    playback.run().unwrap();
    assert_eq!(character(&playback), Character { walk_speed: 3.0, ..Character::classic() });
    let written = replay.to_ron();
    assert!(!written.contains("Precise") && written.contains("coyote_time: 0.1"), "{written}");
    let mut again = Playback::new(&Replay::from_ron(&written).unwrap());
    again.run().unwrap();
    assert_eq!(again.world().checksum(), playback.world().checksum());
}

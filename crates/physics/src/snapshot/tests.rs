//! Saved and loaded worlds continue exactly like the original ones.

use super::*;
use crate::body::{Body, Character, Input, Response};
use crate::checksum::Checksum;
use crate::command::{Command, MAX_PAUSE_TICKS};
use crate::event::{BodyId, Event};
use crate::map::{CollisionLayers, Map, TileId};
use crate::motion::{Shape, Up};
use crate::platform::{Path, Platform, PlatformId};
use crate::terrain::TileSource;
use crate::testing::Random;
use crate::world::{Cling, Extra, Held, HeldKind, Now, Pause, Pressed, Settings, Timers, World};
use glam::I64Vec2;
use serde_json::Value;
use std::sync::Arc;
use surefoot_geometry::{ONE, Position};

const ONE_LAYER: &str = r##"Map(format: 1, tiles: [
    "............................", "....-----....../....===.....", "..=....../##\\..........J....",
    ".....12........=====...o....", "...=########....|....34.....", ".#.........##........####..#",
    ".###########################"], border: (left: Solid, right: Solid), collision_layers: ["a", "b"],
    legend: {'=': (tile: "one_way", ignored_by: ["b"])})"##;

const TWO_LAYERS: &str = r##"Map(format: 1, origin: (-5, -2), collision_layers: ["a", "b"],
    legend: {'=': (tile: "one_way", ignored_by: ["b"])}, layers: [
    (name: "back", tiles: ["............", "..12......=.", ".###########"]),
    (name: "front", tiles: ["...=..-..-..", "....../.....", "..........##"]),
    (name: "sky", collides: false, tiles: ["............", ".#..........", "............"])])"##;

/// Endless floors with holes.
struct Floors;

impl TileSource for Floors {
    fn fill(&self, _layer: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
        for (i, cell) in (0..1024_i64).zip(cells) {
            let (x, y) = (i64::from(chunk.0) * 32 + i % 32, i64::from(chunk.1) * 32 + i / 32);
            let entry = if y % 7 == 0 && x % 11 != 3 { 1 } else { 0 };
            *cell = TileId(entry);
        }
    }

    fn identity(&self) -> u64 {
        7
    }
}

fn one_layer() -> World {
    World::new(Map::from_ron(ONE_LAYER).unwrap(), Settings::default())
}

fn two_layers() -> World {
    World::new(Map::from_ron(TWO_LAYERS).unwrap(), Settings::default().tick(1.0 / 30.0))
}

fn streamed_world() -> World {
    let template =
        Map::from_ron(r##"Map(format: 1, tiles: ["."], collision_layers: ["a", "b"], legend: {'a': "full_block"})"##)
            .unwrap();
    World::streamed(template, Arc::new(Floors), Settings::default())
}

/// Random commands of a tick, some of which may be refused.
fn commands(world: &World, dice: &mut Random) -> Vec<Command> {
    let mut commands = Vec::new();
    let ids: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let any = |dice: &mut Random| ids.get(dice.below(ids.len().max(1) as u64) as usize).copied().unwrap_or_default();
    let (origin, size) =
        if world.terrain().is_streamed() { ((-20, -20), (60, 60)) } else { (world.map().origin(), world.map().size()) };
    for _ in 0..dice.below(4) {
        let at = (
            dice.range(f64::from(origin.0) - 1.0, f64::from(origin.0) + f64::from(size.0) + 1.0),
            dice.range(f64::from(origin.1), f64::from(origin.1) + f64::from(size.1) + 3.0),
        );
        let tile = (origin.0 + dice.below(size.0.into()) as i32, origin.1 + dice.below(size.1.into()) as i32);
        let entry = TileId(dice.below(world.map().kinds().len() as u64) as u16);
        let layer = dice.below(world.map().layers().len() as u64) as usize;
        commands.push(match dice.below(24) {
            0..=1 if ids.len() < 14 => {
                let shape = if dice.below(2) == 0 { Shape::circle(0.3) } else { Shape::aabb(0.35, 0.45) };
                let body = Body::new(shape).at(at).velocity((dice.range(-9.0, 9.0), dice.range(-9.0, 9.0)));
                Command::Spawn(Box::new(match dice.below(4) {
                    0 => body.bounce(0.8).tag(3),
                    1 => body.response(Response::Stop).friction(0.5),
                    _ => body.character(Character::default()),
                }))
            }
            2 if ids.len() > 7 => Command::Despawn(any(dice)),
            3 => Command::SetVelocity(any(dice), (dice.range(-30.0, 30.0), dice.range(-30.0, 30.0)).into()),
            4 => Command::Teleport(any(dice), surefoot_geometry::Position::new(at.0, at.1).unwrap()),
            5..=6 => Command::SetTile { layer, tile, tile_id: entry },
            7 => {
                let to = ((tile.0 + 3).min(origin.0 + size.0 as i32 - 1), tile.1);
                Command::SetTiles { layer, from: tile, to, tile_id: TileId::EMPTY }
            }
            10 => Command::SetCollisionLayers(any(dice), CollisionLayers(1 << dice.below(2))),
            14 => Command::Grab(any(dice), any(dice)),
            15 => Command::Carry(any(dice), any(dice), (dice.range(-1.5, 1.5), dice.range(-1.5, 1.5)).into()),
            16 => {
                let held = world.held_bodies().next().map_or_else(|| any(dice), |grip| grip.body);
                Command::Release(held, (dice.range(-9.0, 9.0), dice.range(-9.0, 9.0)).into())
            }
            17 => {
                let half = dice.range(0.1, 0.6);
                let shape =
                    if dice.below(2) == 0 { Shape::circle(half) } else { Shape::aabb(half, dice.range(0.1, 0.8)) };
                Command::SetShape(any(dice), shape)
            }
            18 => Command::AddVelocity(any(dice), (dice.range(-9.0, 9.0), dice.range(-9.0, 9.0)).into()),
            19 => {
                let body = Body::default()
                    .friction(dice.range(0.0, 1.0))
                    .collision_layers(CollisionLayers(1 << dice.below(2)));
                Command::SetBody(
                    any(dice),
                    Box::new(match dice.below(5) {
                        0 => body.bounce(0.5).collision_mask(CollisionLayers::ALL),
                        1 => body.response(Response::Pass),
                        2 => body.character(Character::default()).collision_mask(CollisionLayers::ALL),
                        3 => body.character(Character { air_jumps: 1, ..Character::precise() }),
                        _ => body.mass(2.0),
                    }),
                )
            }
            21 => Command::HitStop(any(dice), dice.below(9) as u32),
            23 => {
                let ups = [None, Some(Up::PlusY), Some(Up::MinusY), Some(Up::MinusX)];
                Command::SetUp(any(dice), ups[dice.below(4) as usize])
            }
            22 => Command::MoveBy(any(dice), (dice.range(-2.0, 2.0), dice.range(-2.0, 2.0)).into()),
            20 => Command::Knockback(
                any(dice),
                (dice.range(-9.0, 9.0), dice.range(-9.0, 9.0)).into(),
                dice.below(9) as u32,
            ),
            8..=9 => {
                let (walk_speed, jump_height) = (dice.range(0.0, 20.0), dice.range(0.0, 6.0));
                let air_jumps = dice.below(3) as u8;
                let character = Character { walk_speed, jump_height, air_jumps, ..Character::precise() };
                Command::SetCharacter(any(dice), Box::new(character))
            }
            _ => {
                let walk = [-127, 0, 127][dice.below(3) as usize];
                let (jump, down) = (dice.below(2) == 0, dice.below(6) == 0);
                Command::SetInput(any(dice), Input { walk, jump, down, dash: dice.below(4) == 0, ..Input::default() })
            }
        });
    }
    commands
}

/// Visible state of a world between two ticks: its checksum, events, commands; paths, positions and contacts as text.
type Seen = (Checksum, Vec<Event>, Vec<Command>, String);

fn look(world: &World) -> Seen {
    let ways: Vec<_> = world.bodies().map(|(id, state)| (id, state.path().to_vec(), state.position_at(0.5))).collect();
    let contacts: Vec<_> = world.bodies().map(|(id, _)| world.contacts(id).iter().collect::<Vec<_>>()).collect();
    (world.checksum(), world.events().to_vec(), world.commands().to_vec(), format!("{ways:?} {contacts:?}"))
}

/// Returns the ids of spawned bodies, and the visible state after the tick.
fn play(world: &mut World, commands: &[Command]) -> (Vec<Option<BodyId>>, Seen) {
    let spawned = commands.iter().map(|command| world.apply(command.clone()).unwrap_or_default()).collect();
    world.step();
    (spawned, look(world))
}

/// Plays random ticks. Continues many of them in restored worlds: the same one, a new one, one restored from bytes, one
/// from text.
fn check(start: fn() -> World, ticks: usize, seed: u64) {
    let mut dice = Random(seed);
    let mut world = start();
    let (mut saved, mut run) = (Vec::new(), Vec::new());
    for _ in 0..ticks {
        saved.push((world.capture(), look(&world)));
        let given = commands(&world, &mut dice);
        let seen = play(&mut world, &given);
        run.push((given, seen));
    }
    let mut recycled = Snapshot::default();
    for (at, (snapshot, then)) in saved.iter().enumerate().step_by(3) {
        let bytes = snapshot.to_bytes();
        let text = snapshot.to_ron().unwrap();
        let (from_bytes, from_text) = (Snapshot::from_bytes(&bytes).unwrap(), Snapshot::from_ron(&text).unwrap());
        assert_eq!((from_bytes.to_bytes(), from_text.to_bytes()), (bytes.clone(), bytes));
        assert_eq!((from_bytes.to_ron().unwrap(), from_text.to_ron().unwrap()), (text.clone(), text));
        assert_eq!((snapshot.first_difference(&from_bytes), snapshot.first_difference(&from_text)), (None, None));
        // Restore also into a world that comes from another tick and has the caches of that tick.
        let elsewhere = (at * 7 + 3) % saved.len();
        world.restore(&saved[elsewhere].0).unwrap();
        run[elsewhere..].iter().take(3).for_each(|(given, _)| drop(play(&mut world, given)));
        world.restore(snapshot).unwrap();
        world.capture_into(&mut recycled);
        assert_eq!(recycled.first_difference(snapshot), None);
        let mut others = [start(), start(), start()];
        others[0].restore(snapshot).unwrap();
        others[1].restore(&from_bytes).unwrap_or_else(|error| panic!("tick {at}: {error}"));
        others[2].restore(&from_text).unwrap();
        // Include the world itself instead of a clone: a clone has no caches.
        for (i, other) in std::iter::once(&mut world).chain(&mut others).enumerate() {
            assert_eq!(look(other), *then, "at tick {at}, world {i}");
            for (tick, (given, seen)) in run[at..].iter().take(25).enumerate() {
                assert_eq!(&play(other, given), seen, "from tick {at}, {tick} later, world {i}");
            }
        }
    }
}

#[test]
fn everything_goes_on_as_if_nothing_had_been_saved() {
    check(one_layer, 150, 1);
}

#[test]
fn layers_too() {
    check(two_layers, 150, 2);
}

#[test]
fn streamed_worlds_too() {
    check(streamed_world, 100, 3);
}

/// Returns pairs of tile kinds. The two of a pair can share a cell, but neither can with those of the other pair.
fn pairs_that_exclude_each_other(map: &Map) -> [(TileId, TileId); 2] {
    let solid: Vec<_> =
        map.kinds().iter().enumerate().filter_map(|(i, entry)| Some((TileId(i as u16), entry.variant?))).collect();
    let go = |a: crate::catalogue::VariantId, b| map.catalogue().check_stack(&[a, b]).is_ok();
    for &(a, va) in &solid {
        for &(b, vb) in solid.iter().filter(|(_, vb)| !go(va, *vb)) {
            for &(c, vc) in solid.iter().filter(|(_, vc)| go(va, *vc)) {
                for &(d, vd) in &solid {
                    if go(vd, vb) && !go(vd, vc) {
                        return [(a, c), (d, b)];
                    }
                }
            }
        }
    }
    panic!("the catalogue has such entries");
}

#[test]
fn cells_whose_layers_exclude_each_other_are_painted_back_in_some_order() {
    let mut parts = crate::map::MapParts::new(3, 1);
    parts.kinds = crate::map::TileKind::every_variant(&parts.catalogue);
    parts.layers = ["back", "front"].map(|name| crate::map::TileLayer::new(name, 3, 1)).into();
    let map = std::sync::Arc::new(Map::from_parts(parts).unwrap());
    let [first, second] = pairs_that_exclude_each_other(&map);
    let start = || World::new(map.clone(), Settings::default());
    let mut world = start();
    let mut show = |pairs: [(TileId, TileId); 3]| {
        for (x, (back, front)) in (0..).zip(pairs) {
            for (layer, entry) in [(0, TileId::EMPTY), (1, TileId::EMPTY), (0, back), (1, front)] {
                world.set_tile(layer, (x, 0), entry).unwrap();
            }
        }
        (world.capture(), world.checksum())
    };
    let shown = [show([first, second, first]), show([second, first, second]), show([first, first, second])];
    // Neither layer can be edited alone: the tiles of one pair cannot share a cell with those of the other pair.
    let mut direct = start();
    direct.restore(&shown[0].0).unwrap();
    assert!(direct.set_tile(0, (0, 0), second.0).is_err() && direct.set_tile(1, (0, 0), second.1).is_err());
    for (from, (snapshot, _)) in shown.iter().enumerate() {
        for (to, (other, checksum)) in shown.iter().enumerate() {
            let mut world = start();
            world.restore(snapshot).unwrap();
            world.restore(other).unwrap_or_else(|error| panic!("from {from} to {to}: {error}"));
            assert_eq!(world.checksum(), *checksum, "from {from} to {to}");
            let mut fresh = start();
            fresh.restore(other).unwrap();
            for x in 0..3 {
                for layer in 0..2 {
                    assert_eq!(world.terrain().tile_at(layer, (x, 0)), fresh.terrain().tile_at(layer, (x, 0)));
                }
            }
        }
    }
}

#[test]
fn a_snapshot_with_tiles_that_cannot_be_changes_nothing() {
    let mut world = two_layers();
    let block = world.map().find_tile('#').unwrap();
    world.set_tile(0, (-4, -1), block).unwrap();
    world.set_tile(2, (-3, -1), block).unwrap();
    let text = world.capture().to_ron().unwrap();
    let entry = format!("tile_id: {}", block.0);
    let (painted, events) = (text.find("tile_edits:").unwrap(), text.find("events:").unwrap());
    let at = painted + text[painted..events].rfind(&entry).unwrap();
    // The second cell gets an unknown tile kind. The first one is valid.
    let wrong = format!("{}tile_id: 999{}", &text[..at], &text[at + entry.len()..]);
    let mut wrong = Snapshot::from_ron(&wrong).unwrap();
    // Test both a snapshot that is checked when it is restored, and one that is not.
    for unverified in [true, false] {
        wrong.unverified = unverified;
        let mut other = two_layers();
        other.set_tile(0, (0, 0), TileId::EMPTY).unwrap();
        let before = other.capture();
        let error = other.restore(&wrong).unwrap_err();
        assert!(matches!(error.kind, SnapshotErrorKind::Tile { layer: 2, .. }), "{error}");
        assert_eq!(other.capture().first_difference(&before), None);
        let shown = |world: &World| [(0, 0), (-4, -1)].map(|tile| world.terrain().tile_at(0, tile));
        let mut fresh = two_layers();
        fresh.restore(&before).unwrap();
        assert_eq!(shown(&other), shown(&fresh));
    }
}

#[test]
fn a_snapshot_of_another_map_is_refused() {
    let snapshot = two_layers().capture();
    let mut world = one_layer();
    let before = world.checksum();
    let error = world.restore(&snapshot).unwrap_err();
    assert!(matches!(error.kind, SnapshotErrorKind::OtherMap { .. }), "{error}");
    assert_eq!(world.checksum(), before);
}

/// Returns each number, text, bool and null in a value with its path, and calls `see` with each path.
fn collect_leaves(value: &mut Value, way: &str, see: &mut dyn FnMut(&str)) -> Vec<(String, Value)> {
    let mut changed = Vec::new();
    visit_leaves(value, way, &mut |way, leaf| changed.push((way.to_owned(), leaf.clone())));
    changed.iter().for_each(|(way, _)| see(way));
    changed
}

/// Calls `see` with each value that is not a list or a struct, and with its path.
fn visit_leaves(value: &Value, way: &str, see: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| visit_leaves(value, &format!("{way}/{name}"), see))
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, value)| visit_leaves(value, &format!("{way}/{i}"), see))
        }
        leaf => see(way, leaf),
    }
}

/// Returns another value of the same type. `None` for texts and for null.
fn changed_leaf(leaf: &Value) -> Option<Value> {
    Some(match leaf {
        Value::Bool(is_so) => Value::Bool(!is_so),
        Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(count), ..) => Value::from(if count == 0 { 1 } else { count - 1 }),
            (_, Some(count), _) => Value::from(count + 1),
            (.., Some(number)) => Value::from(number * 0.5 + 0.3),
            _ => return None,
        },
        _ => return None,
    })
}

/// Fields that no step reads: they affect drawing, or are for recorders.
const UNREAD: [&str; 12] = [
    "/format",
    "/physics",
    "/previous/",
    "/way",
    "/events/",
    "/given/",
    "/pending/",
    "/map",
    // This is the spawn position of a platform. The checksum has its present position, which is in its state.
    "/platform/position/",
    // An id is always read with an odd version. So a version that is lower by one gives the same id.
    "/body/version",
    "/by/version",
    "/platform/version",
];

#[test]
fn every_field_that_a_step_reads_is_in_the_checksum() {
    let mut world = one_layer();
    let mut dice = Random(1);
    for _ in 0..90 {
        let given = commands(&world, &mut dice);
        play(&mut world, &given);
    }
    world.spawn(Body::new(Shape::circle(0.3)).at((5.5, 5.0)).bounce(0.8).velocity((1.0, 0.0))).unwrap();
    let path = Path { points: vec![Position::ORIGIN, Position::new(3.0, 0.0).unwrap()], ..Path::default() };
    let platform = Platform::from_rows(world.map(), ["##"]).unwrap().at((6.0, 7.0)).path(path);
    let platform = world.spawn_platform(platform).unwrap();
    let crushed = world.bodies().map(|(id, _)| id).last().unwrap();
    world.platforms.insert_or_update_pair(crushed, platform, Pressed::Ignored { apart: 0 });
    world.step();
    // Leave three slots free, so that some changes of a slot number give a valid list, and some an invalid one.
    for id in world.bodies().map(|(id, _)| id).take(3).collect::<Vec<_>>() {
        world.despawn(id).unwrap();
    }
    let jumper = Character { jump_buffer: 0.1, air_jumps: 3, ..Character::default() };
    let jumper = world.spawn(Body::new(Shape::circle(0.3)).at((4.5, 5.0)).character(jumper)).unwrap();
    // Increase the counter by 2, so that one less is a valid value too.
    world.bodies[jumper].now.jump_buffer.0 += 2;
    world.bodies[jumper].set_timers(Timers { air_jumps: 2, wall: 2, stick: 2, lock: 2, ..Timers::NONE });
    world.pauses = vec![(jumper, Pause { input: 2, motion: 2 })];
    let snapshot = world.capture();
    assert!(snapshot.body_count() > 3 && snapshot.bodies.slots.free_slots().len() > 1, "{snapshot:?}");
    let whole = serde_json::to_value(SnapshotFile::from_snapshot(&snapshot)).unwrap();
    let sum = |value: &Value| {
        let file: SnapshotFile = serde_json::from_value(value.clone()).ok()?;
        let mut snapshot = file.into_checked_snapshot().ok()?;
        // Skip the check against the terrain, so that wrong contacts give a checksum too.
        snapshot.unverified = false;
        let mut world = one_layer();
        world.load_with_settings(&snapshot).ok()?;
        Some(world.checksum())
    };
    assert_eq!(sum(&whole), Some(world.checksum()));
    let (mut counted, mut unread, mut jumps, mut timers, mut pauses, mut impossible) = (0, 0, 0, 0, 0, Vec::new());
    for (way, leaf) in collect_leaves(&mut whole.clone(), "", &mut |_| ()) {
        let Some(other) = changed_leaf(&leaf) else { continue };
        let mut changed = whole.clone();
        *changed.pointer_mut(&way).unwrap() = other;
        match sum(&changed) {
            None => impossible.push(way),
            Some(sum) if UNREAD.iter().any(|part| way.contains(part)) => {
                unread += 1;
                assert_eq!(sum, world.checksum(), "{way} is in the checksum");
            }
            Some(sum) => {
                counted += 1;
                jumps += usize::from(way.ends_with("/jump_buffer"));
                timers += usize::from(way.contains("/timers/"));
                pauses += usize::from(way.contains("/pause/"));
                assert_ne!(sum, world.checksum(), "{way} is not in the checksum: {leaf}");
            }
        }
    }
    // Some changes give a snapshot that is not valid and has no checksum. `known` accepts only the fields of these:
    // - a slot with another version or another free slot, a shape number out of range
    // - contact with a floor in the air, a first tick in the air in the future, a speed along the ground without a
    //   character
    // - a path of several parts that does not end at the body
    // - a platform with other tiles or another displacement than its positions show, a surface or pair of a missing
    //   platform
    // - jump state of a body with plain jumps
    // - timers, grips and pauses of a missing body, and a sleeping body that is stuck
    let parts_of = |body: &str| whole.pointer(&format!("{body}/way")).and_then(Value::as_array).map_or(0, Vec::len);
    let is_end = |way: &str| {
        let of_body = way.split_once("/state/position/").is_some_and(|(body, _)| parts_of(body) > 1);
        let last = |(body, part): (&str, &str)| part.split('/').next() == Some(&(parts_of(body) - 1).to_string());
        of_body || way.split_once("/way/").is_some_and(last)
    };
    let known = |way: &str| {
        let parts = [
            "/versions/",
            "/free/",
            "/format",
            "/map",
            "/kind",
            "/tile_edits/",
            "/max_floor_slope/",
            "/touching/floor",
        ];
        let of_platforms = [
            "/made/",
            "/origin/",
            "/previous/",
            "/platform",
            "/size/",
            "/pairs/",
            "/collides",
            "/timers/",
            "/held/",
            "/pause/",
        ];
        parts.iter().chain(&of_platforms).any(|part| way.contains(part))
            || way == "/tick"
            || way.ends_with("/Ground/speed")
            || way.ends_with("/state/jump_buffer")
            || way.ends_with("/state/stuck")
            || is_end(way)
    };
    let odd: Vec<_> = impossible.iter().filter(|way| !known(way)).collect();
    assert!(odd.is_empty(), "{odd:?}");
    assert!(
        counted > 200 && unread > 20 && jumps >= 1 && timers >= 6 && pauses == 2,
        "{counted} {unread} {jumps} {impossible:?}"
    );
}

#[test]
fn damaged_bytes_are_refused() {
    let mut world = one_layer();
    let mut dice = Random(9);
    for _ in 0..40 {
        let given = commands(&world, &mut dice);
        play(&mut world, &given);
    }
    let bytes = world.capture().to_bytes();
    for end in 0..bytes.len() {
        assert!(Snapshot::from_bytes(&bytes[..end]).is_err());
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Snapshot::from_bytes(&damaged).is_err());
        // With a correct checksum, damaged bytes are read or refused, and then restored or refused, without a panic.
        let content = damaged.len() - 8;
        let sum = xxhash_rust::xxh64::xxh64(&damaged[..content], 0).to_le_bytes();
        damaged[content..].copy_from_slice(&sum);
        if let Ok(snapshot) = Snapshot::from_bytes(&damaged) {
            let mut other = one_layer();
            let before = other.checksum();
            match other.restore(&snapshot) {
                Ok(()) => (0..5).for_each(|_| other.step()),
                Err(_) => assert_eq!(other.checksum(), before),
            }
        }
    }
}

#[test]
fn what_was_given_before_the_next_step_belongs_to_it() {
    let mut world = one_layer();
    let ball = world.spawn(Body::new(Shape::circle(0.3)).at((5.5, 5.0))).unwrap();
    world.step();
    world.set_velocity(ball, (2.0, 0.0)).unwrap();
    world.spawn(Body::new(Shape::circle(0.2)).at((9.5, 5.0))).unwrap();
    let snapshot = world.capture();
    world.step();
    assert_eq!(world.commands().len(), 2);
    for snapshot in [Snapshot::from_bytes(&snapshot.to_bytes()).unwrap(), snapshot] {
        let mut other = one_layer();
        other.restore(&snapshot).unwrap();
        other.step();
        assert_eq!(look(&other), look(&world));
    }
}

#[test]
fn a_snapshot_that_does_not_fit_the_terrain_changes_nothing() {
    let mut world = one_layer();
    // Put a body on the ground, whose top is at y = 1, under the open sky.
    world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((8.5, 1.5))).unwrap();
    world.step();
    let text = world.capture().to_ron().unwrap();
    let refused = |from: &str, to: &str| {
        let at = text.find("bodies:").unwrap();
        assert!(text[at..].contains(from), "{text}");
        let changed = format!("{}{}", &text[..at], text[at..].replacen(from, to, 1));
        let mut other = one_layer();
        other.spawn(Body::new(Shape::circle(0.3)).at((5.5, 5.0))).unwrap();
        let before = other.capture();
        let error = other.restore(&Snapshot::from_ron(&changed).unwrap()).unwrap_err();
        assert_eq!(other.capture().first_difference(&before), None);
        error.kind
    };
    let elsewhere = refused("tile: (8, 0)", "tile: (8, 4)");
    assert!(matches!(elsewhere, SnapshotErrorKind::NoSurface { tile: (8, 4), .. }), "{elsewhere}");
    let deeper = refused("position: (36507222016, 6442450944)", "position: (36507222016, 6442450943)");
    assert!(matches!(deeper, SnapshotErrorKind::Stuck { is_said: false, .. }), "{deeper}");
    let free = refused("stuck: false", "stuck: true");
    assert!(matches!(free, SnapshotErrorKind::Stuck { is_said: true, .. }), "{free}");
}

/// A tile that a body touches is edited, or one next to it, and the world is saved before the next step.
#[test]
fn a_world_is_saved_between_a_painted_tile_and_the_next_step() {
    for (tile, is_floor) in [((14, 0), true), ((13, 0), true), ((15, 0), true), ((15, 1), false)] {
        let mut world = one_layer();
        let body = world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((14.5, 1.5))).unwrap();
        (0..3).for_each(|_| world.step());
        let (block, empty) = (world.tile_at(0, (14, 0)).unwrap(), TileId::EMPTY);
        assert_ne!(block, empty);
        world.set_tile(0, tile, if is_floor { empty } else { block }).unwrap();
        let touched = world.contacts(body).iter().count();
        assert_eq!(touched, usize::from(tile != (14, 0)), "{tile:?}");
        let bytes = world.capture().to_bytes();
        let mut other = one_layer();
        other.restore(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
        assert_eq!(other.checksum(), world.checksum());
        for tick in 0..20 {
            world.step();
            other.step();
            assert_eq!(other.checksum(), world.checksum(), "{tile:?} tick {tick}");
        }
        assert_eq!(world[body].on_floor(), tile != (14, 0), "{tile:?}");
    }
}

#[test]
fn errors_name_the_place() {
    let mut world = one_layer();
    world.spawn(Body::new(Shape::circle(0.3)).at((5.5, 5.0)).velocity((1.5, 0.0))).unwrap();
    let text = world.capture().to_ron().unwrap();
    let told = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        Snapshot::from_ron(&text.replacen(from, to, 1)).unwrap_err().to_string()
    };
    let line = |of: &str| text.lines().position(|line| line.contains(of)).unwrap() + 1;
    let velocity = told("velocity: DVec2(1.5", "velocity: DVec2(2e9");
    assert_eq!(
        velocity,
        format!(
            "line {}, column {}: `bodies[0].state.velocity`: `velocity.x` is 2000000000; expected -1000000000 to 1000000000",
            line("velocity:"),
            text.lines().find_map(|line| line.find("velocity:")).unwrap() + 11
        )
    );
    assert!(told("format: 1", "format: 2").contains("`format`: the snapshot has format 2; expected 1"));
    assert!(told("free: []", "free: [3]").contains("`free`: the free slots contradict the slot versions"));
    assert!(told("tick: 0,", "tick: 0, tock: 1,").contains("tock"));
    // A body can sleep only if it can collide with others.
    let meets = text.replace("collision_mask: 0", "collision_mask: 4294967295");
    assert!(text.contains("quiet: 0") && Snapshot::from_ron(&meets.replace("quiet: 0", "quiet: 31")).is_ok());
    for wrong in [told("quiet: 0", "quiet: 31"), told("quiet: 0", "quiet: 32")] {
        assert!(
            wrong.contains("`bodies[0].state.quiet`: the value is not finite, is out of range, or contradicts"),
            "{wrong}"
        );
    }
    let wrong = told("jump_buffer: 0", "jump_buffer: 1");
    assert!(
        wrong.contains("`bodies[0].state.mode`: the value is not finite, is out of range, or contradicts"),
        "{wrong}"
    );
    for field in ["quiet", "mode", "jump_buffer", "facing", "mass", "one_way", "tag", "time_scale"] {
        let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{field}: "))).unwrap();
        assert!(told(line, "").contains(&format!("missing field named `{field}`")), "{field}");
    }
    assert!(told("one_way: false", "one_way: true").contains("`kinds[0]`: a circle cannot be one-way; expected a box"));
    assert!(told("mass: 1.0", "mass: 0.0").contains("`kinds[0]`: `mass` is 0; expected 0.000001 to 1000000"));
}

/// Returns the error of reading a snapshot in which only `body` has state that few bodies have.
fn error_of_reading_with_extra(good: &Snapshot, body: BodyId, extra: Extra) -> SnapshotError {
    let mut wrong = good.clone();
    wrong.bodies.extras = vec![(body, extra)];
    Snapshot::from_bytes(&wrong.to_bytes()).unwrap_err()
}

/// A hero after a knockback, a ball, and a crate that sleeps on the floor.
#[test]
fn pauses_that_no_world_has_are_refused() {
    let mut world = one_layer();
    let body = || Body::new(Shape::circle(0.25));
    let hero = world.spawn(body().at((2.0, 5.0)).character(Character::default())).unwrap();
    let ball = world.spawn(body().at((6.0, 5.0))).unwrap();
    let crate_ = Body::new(Shape::aabb(0.25, 0.25)).at((4.0, 1.25)).collision_mask(CollisionLayers::ALL);
    let crate_ = world.spawn(crate_).unwrap();
    (0..30).for_each(|_| world.step());
    assert_eq!(world[crate_].now.quiet, Now::AT_REST);
    world.knockback(hero, (1.0, 2.0), 9).unwrap();
    world.step();
    let good = world.capture();
    let thrown = Pause { input: 8, motion: 0 };
    assert_eq!(good.bodies.extras, [(hero, Extra { pause: Some(thrown), ..Extra::default() })]);
    assert_eq!(Snapshot::from_bytes(&good.to_bytes()).unwrap().bodies.extras, good.bodies.extras);
    assert_eq!(Snapshot::from_ron(&good.to_ron().unwrap()).unwrap().bodies.extras, good.bodies.extras);
    for wrong in [
        (ball, thrown),
        (hero, Pause { input: 0, ..thrown }),
        (hero, Pause { input: MAX_PAUSE_TICKS + 1, ..thrown }),
        (hero, Pause { motion: MAX_PAUSE_TICKS + 1, ..thrown }),
        (crate_, Pause { input: 0, motion: 8 }),
    ] {
        let error = error_of_reading_with_extra(&good, wrong.0, Extra { pause: Some(wrong.1), ..Extra::default() });
        assert!(error.to_string().contains("].extra.pause`"), "{error}");
    }
}

/// A hero that has made an air jump, and a plain one.
#[test]
fn timers_that_no_world_has_are_refused() {
    let mut world = one_layer();
    let character = Character { air_jumps: 2, wall_jump_lock_time: 1.0, ..Character::default() };
    let [hero, plain] = [(2.0, character), (6.0, Character::default())]
        .map(|(x, character)| world.spawn(Body::new(Shape::circle(0.25)).at((x, 5.0)).character(character)).unwrap());
    world.set_input(hero, Input { jump: true, ..Input::default() });
    world.step();
    let good = world.capture();
    let (jumped, hero_goal) = (Timers { air_jumps: 1, ..Timers::NONE }, world[hero].position());
    assert_eq!(good.bodies.extras, [(hero, Extra { timers: Some(jumped), ..Extra::default() })]);
    assert_eq!(Snapshot::from_bytes(&good.to_bytes()).unwrap().bodies.extras, good.bodies.extras);
    assert_eq!(Snapshot::from_ron(&good.to_ron().unwrap()).unwrap().bodies.extras, good.bodies.extras);
    let mut later = one_layer();
    later.restore(&good).unwrap();
    assert_eq!(later.checksum(), world.checksum());
    let of_hero = |cling: Cling| (hero, Timers { cling, ..jumped });
    for wrong in [
        (hero, Timers::NONE),
        (plain, jumped),
        (hero, Timers { away: 2, ..jumped }),
        (hero, Timers { lock_away: -2, ..jumped }),
        of_hero(Cling { ledge: 2, ..Cling::NONE }),
        of_hero(Cling { left_ledge: -2, ..Cling::NONE }),
        of_hero(Cling { pull: 2, ..Cling::NONE }),
        of_hero(Cling { ledge: 1, goal: hero_goal, ..Cling::NONE }),
        of_hero(Cling { ledge: 1, on: Some(PlatformId::default()), ..Cling::NONE }),
    ] {
        let error = error_of_reading_with_extra(&good, wrong.0, Extra { timers: Some(wrong.1), ..Extra::default() });
        assert!(error.to_string().contains("].extra.timers`"), "{error}");
    }
}

/// A hero that pulls one crate, and another hero that carries a ball.
#[test]
fn grips_that_no_world_has_are_refused() {
    let mut world = one_layer();
    let body = |x: f64, half: (f64, f64)| {
        Body::new(Shape::aabb(half.0, half.1)).at((x, 1.0 + half.1)).collision_mask(CollisionLayers::ALL)
    };
    let mut spawn = |body: Body| world.spawn(body).unwrap();
    let heroes = [2.0, 6.0].map(|x| spawn(body(x, (0.25, 0.5)).character(Character::default())));
    let (block, ball) = (spawn(body(2.75, (0.5, 0.5))), spawn(body(9.0, (0.25, 0.25))));
    world.grab(heroes[0], block).unwrap();
    world.carry(heroes[1], ball, (0.0, 1.0)).unwrap();
    world.step();
    let good = world.capture();
    assert_eq!(Snapshot::from_bytes(&good.to_bytes()).unwrap().held_bodies, good.held_bodies);
    let refused = |change: &dyn Fn(&mut Vec<Held>)| {
        let mut wrong = good.clone();
        change(&mut wrong.held_bodies);
        let error = Snapshot::from_bytes(&wrong.to_bytes()).unwrap_err();
        assert!(error.to_string().contains("`held["), "{error}");
    };
    refused(&|grips| grips.swap(0, 1));
    refused(&|grips| grips[1] = grips[0]);
    refused(&|grips| grips[0].body = BodyId::default());
    refused(&|grips| grips[0].by = BodyId::default());
    refused(&|grips| grips[0].by = block);
    refused(&|grips| grips[0].by = ball);
    refused(&|grips| grips[1].by = heroes[0]);
    refused(&|grips| grips[0].body = heroes[0]);
    refused(&|grips| grips[1].by = grips[1].body);
    refused(&|grips| grips[0].kind = HeldKind::Carried { offset: I64Vec2::new(0, 1024 * ONE + 1) });
    refused(&|grips| grips[1].kind = HeldKind::Carried { offset: I64Vec2::new(i64::MIN, 0) });
    // The pulled block stands on the ground, which a carried body never does.
    refused(&|grips| grips[0].kind = HeldKind::Carried { offset: I64Vec2::ZERO });
}

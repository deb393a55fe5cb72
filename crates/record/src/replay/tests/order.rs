//! Commands before a tick are recorded in order, as far as the order matters.

use super::runs::names_of_bodies_at_start;
use super::runs::{character, number};
use super::*;
use crate::body::{Body, Character, Response};
use crate::command::Command;
use crate::event::{BodyId, Event};
use crate::map::TileId;
use crate::motion::Shape;
use crate::record::{Recorder, TickComparison};
use crate::terrain::{CHUNK_CELLS, CHUNK_SIDE, TileBounds};
use crate::testing::Random;

/// Bodies of half a tile stand, lean and hang here next to edited tiles: their positions are multiples of a half.
const MAP: &str = r##"Map(format: 1, layers: [
    (name: "front", tiles: ["......", "..-...", "......", "/..#.."]),
    (name: "back", collides: false, tiles: ["......", "......", "......", "......"]),
])"##;

/// Number of ticks with random commands.
const COMMAND_TICKS: usize = 2;

/// Number of ticks played: enough for a body that touched the wrong tile to move differently.
const TICKS: usize = 5;

/// The tiles of `MAP` as a source.
struct Source(Map);

impl TileSource for Source {
    fn fill(&self, layer: usize, chunk: (i32, i32), cells: &mut [TileId; CHUNK_CELLS]) {
        let side = CHUNK_SIDE as i32;
        for (i, cell) in (0..).zip(cells) {
            let tile = (chunk.0 * side + i % side, chunk.1 * side + i / side);
            *cell = self.0.tile_at(layer, tile).unwrap_or(TileId::EMPTY);
        }
    }

    fn bounds(&self) -> Option<TileBounds> {
        Some(TileBounds { origin: self.0.origin(), size: self.0.size() })
    }
}

fn map() -> Map {
    Map::from_ron(MAP).unwrap()
}

fn random_half_tiles(random: &mut Random) -> (f64, f64) {
    (random.below(13) as f64 / 2.0, random.below(9) as f64 / 2.0)
}

fn random_body(random: &mut Random) -> Body {
    let shape = if random.below(2) == 0 { Shape::circle(0.5) } else { Shape::aabb(0.5, 0.5) };
    let body = Body::new(shape).at(random_half_tiles(random));
    let body = if random.below(4) == 0 { body.velocity((number(random), number(random))) } else { body };
    match random.below(6) {
        0 => body.bounce(0.5),
        1 => body.response(Response::Pass),
        2 => body.response(Response::Stop),
        _ => body.character(character(random)),
    }
}

/// Executes a random command. Half of all are spawns, so that every kind comes before, between and after them.
fn run_random_command(world: &mut World, bodies: &mut Vec<BodyId>, random: &mut Random) {
    let at = random.below(bodies.len().max(1) as u64) as usize;
    let layer = random.below(4) as usize / 3;
    let tile = |random: &mut Random| (random.below(6) as i32, random.below(4) as i32);
    let entry = TileId(random.below(world.map().kinds().len() as u64) as u16);
    match (random.below(14), bodies.get(at).copied()) {
        (0, Some(id)) => {
            world.despawn(id).unwrap();
            bodies.swap_remove(at);
        }
        (1, Some(id)) => world.set_velocity(id, (number(random), number(random))).unwrap(),
        (2, Some(id)) => world.teleport(id, random_half_tiles(random)).unwrap(),
        // The world refuses this for a body without a character.
        (3, Some(id)) => drop(world.set_character(id, character(random))),
        (4, Some(id)) => {
            let walk = (random.below(256) as i64 - 128) as i8;
            let flags: [bool; 3] = std::array::from_fn(|_| random.below(2) == 0);
            world.set_input(id, Input { walk, jump: flags[0], down: flags[1], up: flags[2], dash: false });
        }
        (5, _) => world.set_tile(layer, tile(random), entry).unwrap(),
        (6, _) => world.set_tiles(layer, tile(random), tile(random), entry).unwrap(),
        _ => bodies.push(world.spawn(random_body(random)).unwrap()),
    }
}

/// Records a random run, writes, reads and plays it. State, motion and events of each tick must be those recorded.
/// Returns the replay.
fn check(seed: u64, streamed: bool) -> Replay {
    let random = &mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let source = Arc::new(Source(map()));
    let mut world = match streamed {
        true => World::streamed(map(), source.clone(), Settings::default()),
        false => World::new(map(), Settings::default()),
    };
    let mut bodies = Vec::new();
    // A recorder may start at any time before the first tick.
    let before = random.below(4);
    (0..before).for_each(|_| run_random_command(&mut world, &mut bodies, random));
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 1).unwrap();
    let mut events: Vec<Vec<Event>> = Vec::new();
    for tick in 0..TICKS {
        let count = if tick < COMMAND_TICKS { random.below(8) } else { 0 };
        (0..count).for_each(|_| run_random_command(&mut world, &mut bodies, random));
        world.step();
        recorder.record_tick(&world).unwrap();
        events.push(world.events().to_vec());
    }
    let text = recorder.finish_replay(&world).unwrap().to_ron();
    let replay = Replay::from_ron(&text).unwrap_or_else(|error| panic!("seed {seed}: {error} in\n{text}"));
    let mut player = match streamed {
        true => Playback::streamed(&replay, source),
        false => Playback::new(&replay),
    };
    for (tick, events) in events.iter().enumerate() {
        assert_eq!(player.step(), Some(TickComparison::Matches), "seed {seed}, tick {tick} of\n{text}");
        assert_eq!(player.world().events(), events, "seed {seed}, tick {tick} of\n{text}");
    }
    assert_eq!(player.step(), None);
    replay
}

#[test]
fn random_commands_play_back_in_their_recorded_order() {
    let mut both = 0;
    for seed in 0..1000 {
        let replay = check(seed, false);
        let (first, later) = spawned(&replay);
        both += usize::from(!first.is_empty() && !later.is_empty());
    }
    assert!(both > 200, "only {both} have bodies in the first list and by commands");
    (0..200).for_each(|seed| drop(check(seed, true)));
}

/// Returns the names of the first list, and the names of bodies spawned by commands.
fn spawned(replay: &Replay) -> (Vec<&str>, Vec<&str>) {
    let mut slots = crate::world::Slots::default();
    let mut names = Vec::new();
    for (_, command) in replay.recording().commands() {
        match command {
            Command::Spawn(_) => names.push(replay.recording().name(slots.insert()).unwrap()),
            Command::Despawn(id) => drop(slots.remove(*id)),
            _ => {}
        }
    }
    let later = names.split_off(names_of_bodies_at_start(replay).count());
    (names, later)
}

/// A hero next to a wall that was just set: if it were spawned before, it would find the wall only when stepped.
#[test]
fn a_body_spawned_after_an_edited_tile_stays_after_it() {
    let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "....", "...#"])"#).unwrap();
    let block = map.find_tile('#').unwrap();
    let mut world = World::new(map, Settings::default());
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 1).unwrap();
    world.set_tile(0, (1, 0), block).unwrap();
    let hero = Body::new(Shape::aabb(0.5, 0.5)).at((1.5, 1.5)).character(Character::default());
    let hero = world.spawn(hero).unwrap();
    recorder.name_body(hero, "hero").unwrap();
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    for _ in 0..30 {
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let replay = recorder.finish_replay(&world).unwrap();
    assert_eq!(Playback::new(&replay).run().map(|summary| summary.checksum), Ok(world.checksum()));
    assert_eq!(spawned(&replay), (vec![], vec!["hero"]));
}

/// A command for a body or its surroundings.
type Act = fn(&mut World, BodyId);

/// Bodies stay in the first list while only spawns and inputs came before them.
#[test]
fn a_command_for_a_body_ends_the_first_list() {
    let one: [(&str, Act); 1] = [("input", |world, id| world.set_input(id, Input { walk: 1, ..Input::default() }))];
    let all: [(&str, Act); 6] = [
        ("velocity", |world, id| world.set_velocity(id, (1.0, 2.0)).unwrap()),
        ("teleport", |world, id| world.teleport(id, (2.5, 2.5)).unwrap()),
        ("character", |world, id| world.set_character(id, Character::default()).unwrap()),
        ("remove", |world, id| world.despawn(id).unwrap()),
        ("tile", |world, _| world.set_tile(0, (0, 0), TileId::EMPTY).unwrap()),
        ("tiles", |world, _| world.set_tiles(0, (0, 0), (1, 1), TileId::EMPTY).unwrap()),
    ];
    let cases = one.iter().map(|case| (case, 2)).chain(all.iter().map(|case| (case, 1)));
    for ((name, act), first) in cases {
        let mut world = World::new(map(), Settings::default());
        let body = Body::new(Shape::circle(0.5)).at((1.5, 1.5)).character(Character::default());
        let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 1).unwrap();
        let id = world.spawn(body.clone()).unwrap();
        act(&mut world, id);
        world.spawn(body).unwrap();
        world.step();
        recorder.record_tick(&world).unwrap();
        let replay = recorder.finish_replay(&world).unwrap();
        let names = ["body_1", "body_2"];
        assert_eq!(spawned(&replay), (names[..first].to_vec(), names[first..].to_vec()), "{name}");
        assert_eq!(Playback::new(&replay).run().map(|summary| summary.compared), Ok(1), "{name}");
    }
}

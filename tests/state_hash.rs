//! The checksum of a state, worked out from what docs/checksums.md says and a snapshot's text says, and from nothing else.

use crate::scene::place;
use serde::Deserialize;
use surefoot::map::EntryId;
use surefoot::prelude::*;
use xxhash_rust::xxh64::xxh64;

const START: u64 = 0x243f_6a88_85a3_08d3;
const SECOND: u64 = 0x1319_8a2e_0370_7344;
const NEXT: u64 = 0xa409_3822_299f_31d1;

/// Takes two words into a hash.
fn take(hash: u64, one: u64, two: u64) -> u64 {
    let product = u128::from(hash ^ one) * u128::from(two ^ SECOND);
    ((product % (1 << 64)) as u64 ^ (product / (1 << 64)) as u64).wrapping_add(NEXT)
}

/// Takes three words into a hash.
fn take_three(hash: u64, one: u64, two: u64, three: u64) -> u64 {
    take(hash, one, two).wrapping_add(three.wrapping_mul(NEXT))
}

/// Takes in a list of pairs, from the start.
fn pairs(words: impl IntoIterator<Item = (u64, u64)>) -> u64 {
    words.into_iter().fold(START, |hash, (one, two)| take(hash, one, two))
}

/// Little-endian bytes as a word.
fn word(bytes: &[i64]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | (byte as u64 & 0xff))
}

#[derive(Deserialize)]
struct Snapshot {
    map: String,
    settings: Settings,
    tick: u64,
    versions: Vec<u32>,
    free: Vec<u32>,
    kinds: Vec<Kind>,
    bodies: Vec<Body>,
    painted: Vec<Painted>,
}

#[derive(Deserialize)]
struct Settings {
    tick: f64,
    gravity: (f64, f64),
    up: Up,
    floor_limit: (u64, u64),
}

#[derive(Deserialize)]
enum Up {
    PlusY,
    MinusX,
    MinusY,
    PlusX,
}

#[derive(Clone, Deserialize)]
struct Kind {
    shape: Shape,
    gravity_scale: f64,
    response: Response,
    friction: f64,
    rest_speed: f64,
    character: Option<Character>,
}

#[derive(Clone, Deserialize)]
struct Shape(Form);

#[derive(Clone, Deserialize)]
enum Form {
    Circle { radius: u64 },
    Aabb { half: (u64, u64) },
}

#[derive(Clone, Deserialize)]
enum Response {
    Slide,
    Bounce(f64),
    Stop,
    Pass,
}

#[derive(Clone, Deserialize)]
struct Character {
    walk_speed: f64,
    ground_acceleration: f64,
    ground_braking: f64,
    air_acceleration: f64,
    jump_height: f64,
    fall_speed: f64,
}

#[derive(Deserialize)]
struct Body {
    kind: usize,
    place: (i64, i64),
    velocity: DVec2,
    speed: f64,
    standing: bool,
    jump_held: bool,
    input: Input,
    touching: Touching,
    stuck: bool,
    outside: bool,
    disturbed: bool,
    stands: bool,
    touched: Vec<Surface>,
}

#[derive(Deserialize)]
struct Input {
    walk: i64,
    jump: bool,
    down: bool,
    up: bool,
}

#[derive(Deserialize)]
struct Touching {
    floor: bool,
    wall_left: bool,
    wall_right: bool,
    ceiling: bool,
}

#[derive(Deserialize)]
struct Surface {
    tile: (i32, i32),
    role: i64,
    edge: i64,
    piece: [i64; 14],
}

#[derive(Deserialize)]
struct Painted {
    layer: u64,
    tile: (i32, i32),
    entry: u16,
}

fn tile_word((x, y): (i32, i32)) -> u64 {
    u64::from(x as u32) + (u64::from(y as u32) << 32)
}

/// An entry as the page's numbers for what a cell does.
fn code(map: &Map, entry: EntryId) -> u64 {
    let entry = map.entry(entry).unwrap();
    entry.variant.map_or(0, |VariantId(v)| 2 * u64::from(v) + 2 + u64::from(entry.drop_through))
}

fn settings(settings: &Settings) -> u64 {
    let up = match settings.up {
        Up::PlusY => 0,
        Up::MinusX => 1,
        Up::MinusY => 2,
        Up::PlusX => 3,
    };
    let (gravity, limit) = (settings.gravity, settings.floor_limit);
    pairs([(settings.tick.to_bits(), up), (gravity.0.to_bits(), gravity.1.to_bits()), limit])
}

fn body(body: &Body) -> u64 {
    let Body { input, touching, .. } = body;
    let held = word(&[input.walk.max(-127), input.jump.into(), input.down.into(), input.up.into()]);
    let sides = word(&[touching.floor, touching.wall_left, touching.wall_right, touching.ceiling].map(i64::from));
    let memory = i64::from(body.stuck) + 2 * i64::from(body.standing) + 4 * i64::from(body.jump_held);
    let flags = word(&[memory, body.outside.into(), body.disturbed.into(), body.stands.into()]);
    let hash =
        pairs([(body.place.0 as u64, body.place.1 as u64), (body.velocity.x.to_bits(), body.velocity.y.to_bits())]);
    let (seen, known) = (sides + (held << 32), body.touched.len() as u64 + (flags << 32));
    let mut hash = take_three(hash, body.speed.to_bits(), seen, known);
    for Surface { tile, role, edge, piece } in &body.touched {
        let first: Vec<i64> = [*role, *edge].into_iter().chain(piece[..6].iter().copied()).collect();
        hash = take_three(hash, tile_word(*tile), word(&first), word(&piece[6..]));
    }
    hash
}

fn kind(kind: &Kind) -> u64 {
    let (shape, half) = match kind.shape {
        Shape(Form::Circle { radius }) => (0, (radius, radius)),
        Shape(Form::Aabb { half }) => (1, half),
    };
    let (response, factor) = match kind.response {
        Response::Slide => (0, 0.0),
        Response::Bounce(factor) => (1, factor),
        Response::Stop => (2, 0.0),
        Response::Pass => (3, 0.0),
    };
    let mut words = vec![
        (shape, 0),
        half,
        (1, kind.gravity_scale.to_bits()),
        (2 + 256 * response, factor.to_bits()),
        (3, kind.friction.to_bits()),
        (4, kind.rest_speed.to_bits()),
    ];
    if let Some(character) = &kind.character {
        words.extend([
            (16, character.walk_speed.to_bits()),
            (17, character.ground_acceleration.to_bits()),
            (18, character.ground_braking.to_bits()),
            (19, character.air_acceleration.to_bits()),
            (20, character.jump_height.to_bits()),
            (21, character.fall_speed.to_bits()),
        ]);
    }
    pairs(words)
}

/// The name of a map, as a snapshot has it.
fn identity(map: &Map) -> String {
    let mut bytes = map.checksum().0.to_le_bytes().to_vec();
    bytes.extend((map.layers().len() as u32).to_le_bytes());
    bytes.extend(map.layers().iter().map(|layer| u8::from(layer.collides())));
    bytes.extend((map.legend().len() as u32).to_le_bytes());
    for entry in 0..map.legend().len() {
        bytes.extend((code(map, EntryId(entry as u16)) as u32).to_le_bytes());
    }
    format!("{:016x}", xxh64(&bytes, 0))
}

/// The checksum of a world as the page says.
fn by_hand(world: &World) -> Checksum {
    let text = world.snapshot().to_ron().unwrap();
    let state: Snapshot = ron::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(state.map, identity(world.map()));
    let mut parts = vec![(1, state.tick), (2, settings(&state.settings))];
    parts.push((3, u64::from_str_radix(&state.map, 16).unwrap()));
    if !state.bodies.is_empty() {
        let all = state.bodies.iter().map(body);
        parts.push((4, all.fold(START, |hash, body| (hash.rotate_left(29) ^ body).wrapping_mul(NEXT))));
    }
    if !state.versions.is_empty() {
        parts.push((5, pairs(state.versions.iter().map(|&version| (version.into(), 0)))));
        parts.push((6, pairs(state.bodies.iter().map(|body| (kind(&state.kinds[body.kind]), 0)))));
    }
    if !state.free.is_empty() {
        parts.push((7, pairs(state.free.iter().map(|&slot| (slot.into(), 0)))));
    }
    let map = world.map();
    for layer in 0..map.layers().len() {
        let cells = state.painted.iter().filter(|cell| cell.layer == layer as u64);
        let cells = cells.map(|cell| (cell.tile, code(map, EntryId(cell.entry))));
        let other = cells.filter(|&(tile, now)| now != code(map, map.entry_in(layer, tile).unwrap()));
        let words: Vec<_> = other.map(|(tile, now)| (tile_word(tile), now)).collect();
        if !words.is_empty() {
            parts.push((65_536 + layer as u64, pairs(words)));
        }
    }
    Checksum(pairs(parts))
}

#[test]
fn the_checksum_of_a_state_is_what_the_page_says() {
    let map = r##"Map(format: 1, origin: (-2, 1), legend: {'x': "full_block"}, layers: [
        (name: "back", tiles: ["#......#", "#..-...#", "#/#####x"]),
        (name: "sky", collides: false, tiles: ["........", "........", "........"])])"##;
    let settings = surefoot::world::Settings::default().gravity((0.5, -30.0)).unwrap().tick(0.01).unwrap();
    let mut world = World::new(Map::from_ron(map).unwrap(), settings);
    let check = |world: &World| assert_eq!(world.checksum(), by_hand(world), "tick {}", world.tick());
    check(&world);

    let hero = surefoot::body::Body::new(surefoot::motion::Shape::aabb(0.25, 0.4)).at(place(0.5, 3.0));
    let hero = hero.character(surefoot::body::Character { jump_height: 2.5, ..Default::default() });
    let hero = world.spawn(hero).unwrap();
    let ball =
        |x| surefoot::body::Body::new(surefoot::motion::Shape::circle(0.2)).at(place(x, 3.5)).moving((2.0, -0.0));
    let first = world.spawn(ball(1.5).bounce(0.75).friction(0.25)).unwrap();
    let second = world.spawn(ball(2.5).gravity_scale(0.5).response(surefoot::body::Response::Stop)).unwrap();
    let character =
        |walk_speed, jump_height| surefoot::body::Character { walk_speed, jump_height, ..Default::default() };
    check(&world);
    let block = world.map().find_entry('#').unwrap();
    for tick in 0..120 {
        let walk = if tick < 60 { -128 } else { 127 };
        world.set_input(
            hero,
            surefoot::body::Input { walk, jump: tick % 30 < 9, down: tick % 50 == 7, up: tick % 2 == 0 },
        );
        match tick {
            20 => world.remove(first).unwrap(),
            30 => world.remove(second).unwrap(),
            40 => drop(world.spawn(ball(1.5)).unwrap()),
            50 => world.set_tile_in(1, (3, 2), block).unwrap(),
            // Another entry that does the same is no change.
            60 => world.set_tile((5, 1), world.map().find_entry('#').unwrap()).unwrap(),
            70 => world.set_tile((1, 1), EntryId::EMPTY).unwrap(),
            80 => world.set_tile((4, 3), block).unwrap(),
            25 => world.set_character(hero, character(3.0, 1.5)).unwrap(),
            90 => world.set_character(hero, character(-0.0, 4.0)).unwrap(),
            _ => {}
        }
        world.step();
        check(&world);
    }
    let text = world.snapshot().to_ron().unwrap();
    assert!(text.matches("layer:").count() == 4 && text.contains("touched: [Surface("), "{text}");
}

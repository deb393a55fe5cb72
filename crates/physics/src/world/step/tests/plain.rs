//! Compares a world with a twin that takes no shortcut and searches everything again in every tick.

use super::*;
use crate::area::{Area, AreaShape};
use crate::body::{Body, Character, Input};
use crate::command::Command;
use crate::map::{CollisionLayers, Map, MapParts, Material, TileId, TileKind, TileLayer};
use crate::motion::{SlopeLimit, Up};
use crate::terrain::TileSource;
use crate::testing::Random;
use crate::world::state::LastTick;
use std::sync::Arc;

impl World {
    /// Makes a tick without caches and predictions. `single`: bodies also search every cell each time and take no
    /// shortcut.
    pub(super) fn step_without_caches(&mut self, single: bool) {
        let fresh = || if single { Nearby::new_without_gathering() } else { Nearby::new() };
        self.bodies.values_mut().for_each(|state| {
            state.cold_mut().near = fresh();
            state.prediction = Prediction::NOTHING;
        });
        self.scratch.near = fresh();
        self.invalidate_world_caches();
        self.step();
    }
}

const WIDTH: i32 = 64;
const HEIGHT: i32 = 40;

/// Every variant, and the open ones also as tiles to drop through.
pub(super) fn legend(parts: &mut MapParts) {
    let mut kinds = TileKind::every_variant(&parts.catalogue);
    for kind in kinds.clone().into_iter().skip(1) {
        let kind = TileKind { drop_through: true, ..kind };
        // Only one-way tiles may be dropped through.
        let alone = vec![TileKind::default(), kind.clone()];
        let alone = MapParts { catalogue: parts.catalogue.clone(), kinds: alone, ..MapParts::new(1, 1) };
        if Map::from_parts(alone).is_ok() {
            kinds.push(kind);
        }
    }
    parts.kinds = kinds;
}

/// Tile kinds of the built-in letters.
pub(super) fn builtin(parts: &MapParts) -> impl Fn(char) -> TileId + use<> {
    let map = Map::from_parts(parts.clone()).unwrap();
    move |letter| map.find_tile(letter).unwrap()
}

/// A map like a level, or a random one.
pub(super) fn map(dice: &mut Random) -> Map {
    let mut parts = MapParts::new(WIDTH as u32, HEIGHT as u32);
    legend(&mut parts);
    let entries = parts.kinds.len() as u64;
    parts.layers[0].origin = (dice.below(100) as i32 - 80, dice.below(100) as i32 - 80);
    let letter = builtin(&parts);
    let count = (WIDTH * HEIGHT) as usize;
    let mut front = vec![TileId::EMPTY; count];
    let mut back = vec![TileId::EMPTY; count];
    let wild = dice.one_in(4);
    if wild {
        for cell in front.iter_mut().chain(&mut back) {
            if dice.one_in(8) {
                *cell = TileId(dice.below(entries) as u16);
            }
        }
    } else {
        let turned = dice.pick(&[0, 0, 1, 2, 3]);
        let mut paint = |x: i32, y: i32, to: char| {
            let (x, y) = match turned {
                0 => (x, y),
                1 => (y, x),
                2 => (x, HEIGHT - 1 - y),
                _ => (WIDTH - 1 - y, x),
            };
            if (0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y) {
                front[(y * WIDTH + x) as usize] = letter(to);
            }
        };
        for base in [1, 9, 18, 27] {
            let mut y = base;
            let mut x = 0;
            while x < WIDTH {
                let run = 1 + dice.below(9) as i32;
                let what = dice.below(9);
                for i in 0..run {
                    match what {
                        0 => {}
                        1 => paint(x + i, y, '='),
                        2 => paint(x + i, y, '-'),
                        3 => paint(x + i, y, '_'),
                        _ => paint(x + i, y, '#'),
                    }
                }
                x += run;
                let tiles: &[(char, i32)] = match dice.below(8) {
                    0 => &[('/', 1)],
                    1 => &[('1', 0), ('2', 1)],
                    2 => &[('\\', -1)],
                    3 => &[('3', 0), ('4', -1)],
                    4 => &[('#', 1)],
                    5 => &[('L', 0)],
                    _ => &[],
                };
                for &(tile, rise) in tiles {
                    let lift = i32::from(!"\\34".contains(tile) || rise == 0 && tile != '3');
                    let at = if "34\\".contains(tile) { y } else { y + lift };
                    paint(x, at, tile);
                    if at != y {
                        paint(x, y, '#');
                    }
                    x += 1;
                    y += rise;
                }
            }
        }
        for _ in 0..24 {
            let tile = dice.pick(&['#', '=', '-', '^', '(', ')', 'o', '|', '+', 'J', '/', '\\', '_', 'v']);
            paint(dice.below(WIDTH as u64) as i32, dice.below(HEIGHT as u64) as i32, tile);
        }
        for cell in &mut back {
            if dice.one_in(150) {
                *cell = TileId(dice.below(entries) as u16);
            }
        }
    }
    // The tiles in one cell must fit together, which these random tiles do not. So keep only the tile of the front
    // layer.
    for (behind, before) in back.iter_mut().zip(&front) {
        if *before != TileId::EMPTY {
            *behind = TileId::EMPTY;
        }
    }
    if dice.one_in(2) {
        give_materials_to_half(&mut parts, front.iter_mut().chain(&mut back), dice);
    }
    let first = parts.layers.remove(0);
    let like = |name: &str, cells| TileLayer { name: name.to_owned(), cells, ..first.clone() };
    parts.layers = vec![like("back", back), like("front", front)];
    Map::from_parts(parts).unwrap()
}

/// Gives half of the tiles a material: each kind gets one of its own.
fn give_materials_to_half<'a>(parts: &mut MapParts, cells: impl Iterator<Item = &'a mut TileId>, dice: &mut Random) {
    let plain = parts.kinds.len() as u16;
    for i in 0..usize::from(plain) {
        let friction = dice.pick(&[0.0, 0.1, 1.0, 4.0]);
        let (traction, bounce) = (dice.pick(&[0.0, 0.3, 1.0, 3.0]), dice.pick(&[0.0, 0.0, 0.0, 0.6, 1.0]));
        let velocity = dice.pick(&[0.0, 0.0, 3.0, -3.0, 11.7]);
        let surface = Material { friction, traction, bounce, belt_velocity: velocity, climbable: dice.one_in(3) };
        parts.kinds.push(TileKind { material: surface, ..parts.kinds[i].clone() });
    }
    for cell in cells.filter(|cell| **cell != TileId::EMPTY) {
        cell.0 += if dice.one_in(2) { plain } else { 0 };
    }
}

/// Repeats the tiles of a map without end.
struct Tiled(Arc<Map>);

impl TileSource for Tiled {
    fn fill(&self, layer: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
        for (i, cell) in cells.iter_mut().enumerate() {
            let (x, y) = (chunk.0 * 32 + i as i32 % 32, chunk.1 * 32 + i as i32 / 32);
            let at = y.rem_euclid(HEIGHT) * WIDTH + x.rem_euclid(WIDTH);
            *cell = self.0.layers()[layer].cells[at as usize];
        }
    }
}

pub(super) fn body(dice: &mut Random, at: (f64, f64)) -> Body {
    let size = |dice: &mut Random| match dice.below(12) {
        0 => 0.5,
        1 => 1.0,
        2 => dice.range(0.01, 0.1),
        3 => dice.range(1.2, 2.4),
        4 => dice.range(2.0, 4.0),
        5 => 0.25,
        _ => dice.range(0.2, 0.95),
    };
    let shape = match dice.below(4) {
        0 => Shape::circle(size(dice)),
        1 => Shape::aabb(0.35, 0.45),
        _ => Shape::aabb(size(dice), size(dice)),
    };
    let body = Body::new(shape).at(at).gravity_scale(dice.pick(&[1.0, 1.0, 1.0, 1.0, 0.5, 0.0, -1.0]));
    match dice.below(8) {
        0 => body.bounce(dice.range(0.0, 1.0)).velocity((dice.range(-20.0, 20.0), 3.0)),
        1 => body.friction(dice.range(0.0, 1.0)).velocity((dice.range(-20.0, 20.0), 3.0)),
        _ => body.character(character(dice)),
    }
}

/// Lets half of the tiles that may be dropped through ignore bodies of one of two collision layers, instead or in
/// addition.
fn with_layers(map: Map, dice: &mut Random) -> Map {
    let mut parts = map.into_parts();
    parts.collision_layers = ["body", "ghost", "spirit"].map(str::to_owned).to_vec();
    let plain = parts.kinds.clone();
    let mut passed: Vec<Vec<TileId>> = vec![Vec::new(); plain.len()];
    for (kind, ids) in plain.iter().zip(&mut passed).filter(|(kind, _)| kind.drop_through) {
        for (drop_through, lets_pass) in [(false, 0b010), (true, 0b100), (false, 0b110)] {
            ids.push(TileId(parts.kinds.len() as u16));
            parts.kinds.push(TileKind { drop_through, ignored_by: CollisionLayers(lets_pass), ..kind.clone() });
        }
    }
    for cell in parts.layers.iter_mut().flat_map(|layer| &mut layer.cells) {
        let own = &passed[usize::from(cell.0)];
        if !own.is_empty() && dice.one_in(2) {
            *cell = dice.pick(own);
        }
    }
    Map::from_parts(parts).unwrap()
}

fn layers(dice: &mut Random) -> CollisionLayers {
    dice.pick(&[0b001, 0b001, 0b010, 0b100, 0b110].map(CollisionLayers))
}

fn character(dice: &mut Random) -> Character {
    let mut character = Character::default();
    match dice.below(4) {
        0 => character.walk_speed = dice.range(0.01, 30.0),
        1 => character.ground_acceleration = dice.range(0.0, 10.0),
        2 => character.jump_height = dice.range(0.0, 8.0),
        _ => {}
    }
    let mut jumps = Random(dice.0 ^ 0x1EA9);
    if jumps.one_in(3) {
        character.jump_time = jumps.pick(&[0.0, 0.1, 0.35, 1.0]);
        character.min_jump_height = character.jump_height * jumps.pick(&[0.0, 0.25, 1.0]);
        character.fall_gravity_scale = jumps.pick(&[1.0, 0.5, 2.0]);
        character.coyote_time = jumps.pick(&[0.0, 0.1]);
        character.jump_buffer = jumps.pick(&[0.0, 0.1]);
    }
    character
}

/// Returns the first field that differs although it must be equal.
pub(super) fn differs(a: &BodyState, b: &BodyState) -> Option<&'static str> {
    let bits = |v: DVec2| (v.x.to_bits(), v.y.to_bits());
    [
        ("place", a.now.position != b.now.position),
        ("previous", a.now.previous != b.now.previous),
        ("velocity", bits(a.now.velocity) != bits(b.now.velocity)),
        ("touched", a.touched() != b.touched()),
        ("touching", a.now.touching != b.now.touching),
        ("footing", a.now.footing.bits() != b.now.footing.bits()),
        ("told ground", a.now.flags.is_reported_on_ground() != b.now.flags.is_reported_on_ground()),
        ("stuck", a.now.stuck != b.now.stuck),
        ("outside", a.now.flags.outside() != b.now.flags.outside()),
        ("path", a.path() != b.path()),
        ("quiet", a.now.quiet != b.now.quiet),
        ("jump held", a.now.jump_held != b.now.jump_held),
        ("mode", (a.now.mode, a.now.jump_buffer) != (b.now.mode, b.now.jump_buffer)),
    ]
    .into_iter()
    .find_map(|(name, differs)| differs.then_some(name))
}

#[derive(Debug, Default)]
struct Count {
    body_ticks: u64,
    walked: u64,
    edits: u64,
}

fn compare(seed: u64, ticks: u64, count: &mut Count) {
    let mut dice = Random(seed);
    let mut of_layers = Random(seed ^ 0x1A7E);
    let map = Arc::new(with_layers(map(&mut dice), &mut of_layers));
    let up = dice.pick(&[Up::PlusY, Up::PlusY, Up::MinusX, Up::MinusY, Up::PlusX]);
    let pull = 30.0 * dice.pick(&[1.0, 1.0, 0.3, 2.0]);
    let gravity = match up {
        Up::PlusY => (0.0, -pull),
        Up::MinusY => (0.0, pull),
        Up::PlusX => (-pull, 0.0),
        Up::MinusX => (pull, 0.0),
    };
    let limit = dice.pick(&[(1, 1), (1, 1), (1, 2), (2, 1), (0, 1), (20, 1)]);
    let mut settings = Settings::default().up(up).gravity(gravity);
    if let Ok(limit) = SlopeLimit::new(limit.0, limit.1) {
        settings = settings.max_floor_slope(limit);
    }
    let streamed = dice.one_in(6);
    let mut world = if streamed {
        World::streamed(map.clone(), Arc::new(Tiled(map.clone())), settings)
    } else {
        World::new(map.clone(), settings)
    };
    let mut twin = world.clone();
    let single = dice.one_in(2);
    let (x, y) = if streamed { (0, 0) } else { world.terrain.origin() };
    let somewhere = |dice: &mut Random| {
        let at = (f64::from(x) + dice.range(0.0, 64.0), f64::from(y) + dice.range(0.0, 40.0));
        // Some positions are multiples of a quarter tile, so that shapes fit exactly.
        if dice.one_in(2) { at } else { ((at.0 * 4.0).round() / 4.0, (at.1 * 4.0).round() / 4.0) }
    };
    let mut ids = Vec::new();
    for _ in 0..40 {
        let at = somewhere(&mut dice);
        let body = body(&mut dice, at).collision_layers(layers(&mut of_layers));
        let id = world.apply(Command::Spawn(Box::new(body.clone()))).unwrap().unwrap();
        assert_eq!(twin.apply(Command::Spawn(Box::new(body))), Ok(Some(id)));
        ids.push(id);
    }
    let entries = world.map.kinds().len() as u64;
    for tick in 0..ticks {
        let mut commands = Vec::new();
        for &id in &ids {
            if dice.one_in(25) {
                let walk = dice.pick(&[127, -127, 127, -127, 127, -127, 0, 60, -3, 1]);
                let input = Input { walk, jump: dice.one_in(4), down: dice.one_in(6), ..Input::default() };
                commands.push(Command::SetInput(id, input));
            }
            let state = &world.bodies[id];
            let lost = (state.now.flags.outside() || state.now.stuck) && dice.one_in(8);
            if lost || dice.one_in(400) {
                let at = somewhere(&mut dice);
                let to = Position::new(at.0, at.1).unwrap();
                let back = world.bodies[id].now.position;
                commands.push(Command::Teleport(id, to));
                if dice.one_in(2) {
                    // Move the body away, change something, and move it back.
                    let tile = (back.cell().0 + dice.below(7) as i32 - 3, back.cell().1 + dice.below(7) as i32 - 3);
                    commands.push(Command::SetTile { layer: 1, tile, tile_id: TileId::EMPTY });
                    commands.push(Command::Teleport(id, back));
                }
            }
            if dice.one_in(400) {
                let velocity = DVec2::new(dice.range(-15.0, 15.0), dice.range(-15.0, 15.0));
                commands.push(Command::SetVelocity(id, dice.pick(&[velocity, DVec2::ZERO, velocity * 20.0])));
            }
            if dice.one_in(200) {
                commands.push(Command::SetCharacter(id, Box::new(character(&mut dice))));
            }
            if of_layers.one_in(200) {
                commands.push(Command::SetCollisionLayers(id, layers(&mut of_layers)));
            }
            if dice.one_in(150) {
                let (x, y) = world.bodies[id].now.position.cell();
                let reach = world.bodies[id].kind.shape.half_units() / ONE + 2;
                let mut beside = |at: i32, reach: i64| at + dice.below(2 * reach as u64 + 1) as i32 - reach as i32;
                let tile = (beside(x, reach.x), beside(y, reach.y));
                let entry = if dice.one_in(2) { TileId::EMPTY } else { TileId(dice.below(entries) as u16) };
                let layer = dice.below(2) as usize;
                let wide = dice.below(4) as i32;
                commands.push(if dice.one_in(3) {
                    Command::SetTiles { layer, from: tile, to: (tile.0 + wide, tile.1 - wide / 2), tile_id: entry }
                } else {
                    Command::SetTile { layer, tile, tile_id: entry }
                });
                count.edits += 1;
            }
        }
        if dice.one_in(60) {
            let slot = dice.below(ids.len() as u64) as usize;
            let at = somewhere(&mut dice);
            let body = body(&mut dice, at).collision_layers(layers(&mut of_layers));
            for w in [&mut world, &mut twin] {
                w.apply(Command::Despawn(ids[slot])).unwrap();
            }
            ids[slot] = world.apply(Command::Spawn(Box::new(body.clone()))).unwrap().unwrap();
            assert_eq!(twin.apply(Command::Spawn(Box::new(body))), Ok(Some(ids[slot])));
        }
        if dice.one_in(300) {
            world = world.clone();
        }
        for command in &commands {
            for state in twin.bodies.values_mut() {
                state.cold_mut().near.clear();
            }
            assert_eq!(world.apply(command.clone()).is_ok(), twin.apply(command.clone()).is_ok());
        }
        world.step();
        if streamed {
            for state in twin.bodies.values_mut() {
                state.cold_mut().near = Nearby::new();
                state.prediction = Prediction::NOTHING;
            }
            twin.step();
        } else {
            twin.step_without_caches(single);
        }
        for (id, state) in world.bodies.iter() {
            count.body_ticks += 1;
            count.walked += u64::from(state.on_floor() && state.now.position != state.now.previous);
            if let Some(what) = differs(state, &twin.bodies[id]) {
                panic!(
                    "seed {seed} tick {tick} streamed {streamed} single {single}: {what} of {id:?}\n{state:#?}\n{:#?}\n{commands:?}",
                    twin.bodies[id]
                );
            }
        }
        assert_eq!(world.log.events, twin.log.events, "seed {seed} tick {tick}");
        if tick % 100 == 99 {
            assert_eq!(world.checksum(), twin.checksum(), "seed {seed} tick {tick}");
        }
    }
}

#[test]
fn shortcuts_change_nothing() {
    let slices = std::env::var("SUREFOOT_PLAIN").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let first = std::env::var("SUREFOOT_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut count = Count::default();
    let mut failed = 0;
    for seed in first..first + slices {
        let run = std::panic::AssertUnwindSafe(|| compare(seed, 250, &mut count));
        failed += u64::from(std::panic::catch_unwind(run).is_err());
    }
    eprintln!("{count:?}");
    assert_eq!(failed, 0);
}

/// A body is too large for cached terrain pieces. The wall in front of it is removed.
#[test]
fn a_large_body_moves_on_when_its_obstacle_is_removed() {
    let mut parts = MapParts::new(32, 16);
    let block = builtin(&parts)('#');
    for (i, cell) in parts.layers[0].cells.iter_mut().enumerate() {
        let (x, y) = (i % 32, i / 32);
        if y == 0 || (x == 16 && y < 8) {
            *cell = block;
        }
    }
    let mut world = World::new(Map::from_parts(parts).unwrap(), Settings::default());
    let hero = Body::new(Shape::aabb(2.5, 2.5)).at((10.0, 3.5)).character(Character::default());
    let hero = world.spawn(hero).unwrap();
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    (0..120).for_each(|_| world.step());
    assert_eq!(world[hero].now.position, Position::new(13.5, 3.5).unwrap());
    world.set_tiles(0, (16, 1), (16, 8), TileId::EMPTY).unwrap();
    (0..60).for_each(|_| world.step());
    assert!(world[hero].now.position.to_dvec2().x > 15.0, "{}", world[hero].now.position);
}

/// Between two ticks, a body is moved away, its obstacle is removed, and the body is moved back.
#[test]
fn an_obstacle_removed_while_a_body_is_away_does_not_block_it() {
    let mut parts = MapParts::new(64, 8);
    let block = builtin(&parts)('#');
    for (i, cell) in parts.layers[0].cells.iter_mut().enumerate() {
        let (x, y) = (i % 64, i / 64);
        if y == 0 || (x == 8 && y < 4) {
            *cell = block;
        }
    }
    let mut world = World::new(Map::from_parts(parts).unwrap(), Settings::default());
    let hero = Body::new(Shape::aabb(0.35, 0.45)).at((6.0, 1.45)).character(Character::default());
    let hero = world.spawn(hero).unwrap();
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    (0..60).for_each(|_| world.step());
    let position = world[hero].now.position;
    assert_eq!(position, Position::new(7.65, 1.45).unwrap());
    world.teleport(hero, (40.0, 1.45)).unwrap();
    world.set_tiles(0, (8, 1), (8, 3), TileId::EMPTY).unwrap();
    world.teleport(hero, position).unwrap();
    (0..60).for_each(|_| world.step());
    assert!(world[hero].now.position.to_dvec2().x > 9.0, "{}", world[hero].now.position);
}

/// A tile edit puts a wall into the cached free air of a body.
#[test]
fn a_wall_put_into_cached_free_air_stops_a_flight() {
    let parts = MapParts::new(64, 8);
    let block = builtin(&parts)('#');
    let mut world = World::new(Map::from_parts(parts).unwrap(), Settings::default());
    let flier = Body::new(Shape::aabb(0.35, 0.45)).at((6.0, 4.5)).velocity((7.5, 0.0)).gravity_scale(0.0);
    let flier = world.spawn(flier).unwrap();
    (0..10).for_each(|_| world.step());
    assert_eq!(world[flier].now.position, Position::new(7.25, 4.5).unwrap());
    world.set_tiles(0, (8, 0), (8, 7), block).unwrap();
    (0..30).for_each(|_| world.step());
    // The body's right side is at the wall's left side, at x = 8.
    assert_eq!(world[flier].now.position, Position::new(7.65, 4.5).unwrap());
}

/// A floor with a body at rest, one that walks, and one in the air above. Checks the prediction of each.
fn world_with_predicted_bodies() -> (World, [BodyId; 3]) {
    let mut parts = MapParts::new(96, 16);
    let block = builtin(&parts)('#');
    parts.layers[0].cells[..96].fill(block);
    let mut world = World::new(Map::from_parts(parts).unwrap(), Settings::default());
    let hero = |x: f64| Body::new(Shape::aabb(0.35, 0.45)).at((x, 1.45)).character(Character::default());
    let ids = [
        world.spawn(hero(4.0)).unwrap(),
        world.spawn(hero(12.0)).unwrap(),
        world.spawn(Body::new(Shape::circle(0.25)).at((40.0, 8.0)).velocity((3.0, 0.0)).gravity_scale(0.0)).unwrap(),
    ];
    world.set_input(ids[1], Input { walk: 127, ..Input::default() });
    // The walker has full speed after 8 ticks, and touches the same two tiles for 5 ticks in a row.
    let knows_all = |world: &World| {
        let [rests, walks, flies] = ids.map(|id| world[id].prediction);
        rests.repeats > 1_000_000 && walks.last == LastTick::FastWalk && walks.repeats > 1 && !flies.air.is_empty()
    };
    let found = (0..60).any(|_| {
        world.step();
        world.tick() > 10 && knows_all(&world)
    });
    assert!(found);
    (world, ids)
}

fn has_no_prediction(state: &BodyState) -> bool {
    state.prediction.repeats == 0 && state.prediction.last != LastTick::FastWalk && state.prediction.air.is_empty()
}

#[test]
fn predictions_are_used() {
    let (mut world, [rests, walks, flies]) = world_with_predicted_bodies();
    let before = [rests, walks, flies].map(|id| (world[id].prediction, world[id].now.position));
    world.step();
    let after = [rests, walks, flies].map(|id| (world[id].prediction, world[id].now.position));
    assert_eq!(after[0].0.repeats, before[0].0.repeats - 1);
    assert_eq!(after[1].0.repeats, before[1].0.repeats - 1);
    assert_eq!(after[0].1, before[0].1);
    // The walker moves at 8 tiles per second along the floor, and the flier at 3 in the air.
    let tiles = |n: f64| I64Vec2::new(surefoot_geometry::to_units(n * world.settings.tick), 0);
    assert_eq!(after[1].1 - before[1].1, tiles(8.0));
    assert_eq!(after[2].1 - before[2].1, tiles(3.0));
}

#[test]
fn predictions_are_cleared_where_they_may_be_wrong() {
    let faster = Character { walk_speed: 9.0, ..Character::default() };
    for body in 0..3 {
        let is_character = body < 2;
        let commands = |world: &World, id: BodyId| {
            let (x, y) = world[id].now.position.cell();
            [
                Command::SetVelocity(id, DVec2::new(1.0, 0.0)),
                Command::Teleport(id, world[id].now.position),
                Command::SetTile { layer: 0, tile: (x + 1, y), tile_id: TileId(1) },
            ]
        };
        for which in 0..3 {
            let (mut world, ids) = world_with_predicted_bodies();
            let command = commands(&world, ids[body])[which].clone();
            world.apply(command.clone()).unwrap();
            assert!(has_no_prediction(&world[ids[body]]), "{command:?}");
        }
        let (mut world, ids) = world_with_predicted_bodies();
        let id = ids[body];
        let input = Input { walk: -5, ..Input::default() };
        world.apply(Command::SetInput(id, world[id].now.input())).unwrap();
        assert!(!has_no_prediction(&world[id]), "the same input");
        world.apply(Command::SetInput(id, input)).unwrap();
        assert_eq!((world[id].prediction.repeats, world[id].prediction.last), (0, LastTick::Any));
        if is_character {
            let (mut world, ids) = world_with_predicted_bodies();
            world.set_character(ids[body], faster).unwrap();
            assert!(has_no_prediction(&world[ids[body]]));
        }
        // Copies have no prediction, nor has a body that takes the slot of another one. A world that is restored to its
        // present state keeps its predictions.
        let (mut world, ids) = world_with_predicted_bodies();
        let (id, saved) = (ids[body], world.capture());
        assert!(has_no_prediction(&world.clone()[id]));
        let mut other = world_with_predicted_bodies().0;
        other.clone_from(&world);
        assert!(has_no_prediction(&other[id]));
        world.restore(&saved).unwrap();
        assert!(!has_no_prediction(&world[id]));
        let (mut world, ids) = world_with_predicted_bodies();
        world.despawn(ids[body]).unwrap();
        let next = world.spawn(Body::new(Shape::circle(0.25)).at((40.0, 8.0))).unwrap();
        assert!(has_no_prediction(&world[next]));
    }
    // A tile edit far away clears nothing.
    let (mut world, ids) = world_with_predicted_bodies();
    world.set_tile(0, (90, 14), TileId(1)).unwrap();
    assert!(ids.iter().all(|&id| !has_no_prediction(&world[id])));
}

/// A tile edit puts a wall ahead of a body into its cached free air, further away than edits disturb a body. The body
/// has gathered pieces at the end of a floor.
#[test]
fn a_wall_put_far_ahead_into_cached_free_air_stops_a_flight() {
    let mut parts = MapParts::new(96, 8);
    let block = builtin(&parts)('#');
    parts.layers[0].cells[..12].fill(block);
    let map = Arc::new(Map::from_parts(parts).unwrap());
    for (walk_speed, ticks, ahead) in [8.0, 11.0, 20.0].into_iter().flat_map(|speed| {
        let last = (60.0 * 10.0 / speed) as i32;
        (last / 2..last).flat_map(move |ticks| (3..7).map(move |ahead| (speed, ticks, ahead)))
    }) {
        let mut world = World::new(map.clone(), Settings::default());
        let character = Character { walk_speed, ..Character::default() };
        let hero = Body::new(Shape::aabb(0.35, 0.45)).at((4.0, 1.45)).gravity_scale(0.0).character(character);
        let hero = world.spawn(hero).unwrap();
        world.set_input(hero, Input { walk: 127, ..Input::default() });
        (0..ticks).for_each(|_| world.step());
        let column = world[hero].now.position.cell().0 + ahead;
        world.set_tiles(0, (column, 0), (column, 7), block).unwrap();
        (0..90).for_each(|_| world.step());
        // The body's right side is at the wall's left side.
        let position = Position::new(f64::from(column) - 0.35, 1.45).unwrap();
        assert_eq!(
            world[hero].now.position, position,
            "{walk_speed} tiles per second, {ticks} ticks, {ahead} tiles ahead"
        );
    }
}

/// The step of a sleeping world does nothing, which only its own flag shows.
#[test]
fn a_world_with_areas_sleeps_until_its_crate_is_pushed() {
    let map = Map::from_rows(["#.......#", "#.......#", "#########"]).unwrap();
    let mut world = World::new(map, Settings::default());
    let crate_ = Body::new(Shape::aabb(0.4, 0.4)).at((4.0, 1.4)).collision_mask(CollisionLayers::FIRST);
    let id = world.spawn(crate_).unwrap();
    let coin = Area::new(AreaShape::circle(0.3).unwrap()).at((6.5, 1.5)).tag("coin");
    world.spawn_area(coin).unwrap();
    let settle = |world: &mut World| {
        (0..240).any(|_| {
            world.step();
            world.scratch.sleep.is_complete
        })
    };
    assert!(settle(&mut world));
    let start = world[id].position();
    (0..60).for_each(|_| world.step());
    assert_eq!((world[id].position(), world.events()), (start, &[][..]));

    world.set_velocity(id, (1.0, 0.0)).unwrap();
    world.step();
    assert!(!world.scratch.sleep.is_complete && world[id].position().to_dvec2().x > start.to_dvec2().x);
    assert!(settle(&mut world));
}

//! Maps of noise, with a random variant in every cell. No level looks like that, but still no body may enter or cross a
//! tile.

use crate::prelude::*;
use crate::tunnelling::{Verdict, oracle_shape, paint, tuple, watch};
use surefoot_oracle as oracle;

/// The share of empty cells in each part of a map, from left to right: from no empty cell to all but one in twenty.
const EMPTY: [f64; 8] = [0.0, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95];

/// A map of noise that is closed on the left, on the right and below.
pub fn noise(random: &mut Random, side: u32) -> Map {
    let mut parts = MapParts::new(side, side);
    parts.kinds = TileKind::every_variant(&Catalogue::builtin());
    parts.borders = Borders { left: Border::Solid, right: Border::Solid, bottom: Border::Solid, top: Border::Open };
    let variants = parts.kinds.len() as u64 - 1;
    for (i, cell) in parts.layers[0].cells.iter_mut().enumerate() {
        let band = (i % side as usize) * EMPTY.len() / side as usize;
        if random.range(0.0, 1.0) >= EMPTY[band] {
            *cell = TileId(1 + random.below(variants) as u16);
        }
    }
    Map::from_parts(parts).expect("it is a map")
}

/// The oracle's view of the map around a body. A scene of the whole map would not fit into memory.
struct Surroundings {
    low: (i32, i32),
    high: (i32, i32),
    scene: oracle::Scene,
}

/// Number of cells judged beyond the cells that a body first reaches.
const ROOM: i32 = 5;

impl Surroundings {
    fn new(map: &Map, low: (i32, i32), high: (i32, i32)) -> Surroundings {
        let (low, high) = ((low.0 - ROOM, low.1 - ROOM), (high.0 + ROOM, high.1 + ROOM));
        let mut scene = oracle::Scene::new();
        scene.add_solid_beyond(oracle::Side::Left, 0);
        scene.add_solid_beyond(oracle::Side::Right, map.size().0 as i32);
        scene.add_solid_beyond(oracle::Side::Bottom, 0);
        for tile in (low.1..=high.1).flat_map(|y| (low.0..=high.0).map(move |x| (x, y))) {
            if let Some(id) = map.variant_at(0, tile) {
                paint(&mut scene, map.catalogue(), tile, id);
            }
        }
        Surroundings { low, high, scene }
    }

    /// Adds the cells that a shape comes near on a path, plus one on each side.
    fn cover(&mut self, map: &Map, shape: Shape, way: impl Iterator<Item = Position>) {
        let (mut low, mut high) = ((i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
        for at in way.map(Position::units) {
            let tile = |units: i64| units.div_euclid(ONE) as i32;
            let half = shape.half_units();
            low = (low.0.min(tile(at.x - half.x) - 1), low.1.min(tile(at.y - half.y) - 1));
            high = (high.0.max(tile(at.x + half.x) + 1), high.1.max(tile(at.y + half.y) + 1));
        }
        let covered = self.low.0 <= low.0 && self.low.1 <= low.1 && high.0 <= self.high.0 && high.1 <= self.high.1;
        if !covered {
            *self = Surroundings::new(map, low, high);
        }
    }
}

struct Inhabitant {
    id: BodyId,
    shape: Shape,
    around: Surroundings,
    how: String,
}

/// Puts a body in a free place, if one is found soon.
fn settle(random: &mut Random, world: &mut World, map: &Map) -> Option<Inhabitant> {
    let size = |random: &mut Random| {
        let size = random.range(0.03, 0.6);
        if random.below(2) == 0 { (size * 16.0).ceil() / 16.0 } else { size }
    };
    let shape =
        if random.below(2) == 0 { Shape::circle(size(random)) } else { Shape::aabb(size(random), size(random)) };
    let side = f64::from(map.size().0);
    let snap = random.below(2) == 0;
    for _ in 0..20 {
        let coordinate = |random: &mut Random| {
            let at = random.range(0.0, side);
            if snap { (at * 16.0).floor() / 16.0 } else { at }
        };
        let at = Position::new(coordinate(random), coordinate(random)).expect("it is on the map");
        let tile = at.cell();
        if world.mover().overlaps(shape, at) {
            continue;
        }
        let around = Surroundings::new(map, (tile.0 - 2, tile.1 - 2), (tile.0 + 2, tile.1 + 2));
        assert!(
            around.scene.overlap(&oracle_shape(shape), tuple(at)).is_none(),
            "{shape:?} at {at:?} is said to be free"
        );
        // A body inside a thin wall is already on both of its sides, so nothing is guaranteed for the body.
        if around.scene.straddles_wall(&oracle_shape(shape), tuple(at)) {
            continue;
        }
        let body = Body::new(shape).at(at).velocity((random.range(-30.0, 30.0), random.range(-30.0, 30.0)));
        let (body, kind) = match random.below(4) {
            0 => (body.bounce(random.pick(&[0.5, 0.9, 1.0])), "bouncing"),
            1 => (body.friction(random.pick(&[0.0, 0.3, 1.0])), "sliding"),
            _ => {
                let walk_speed = random.pick(&[0.5, 8.0, 60.0]);
                (body.character(Character { walk_speed, ..Character::default() }), "walking")
            }
        };
        let id = world.spawn(body).expect("it is in order");
        return Some(Inhabitant { id, shape, around, how: format!("{kind} {shape:?}") });
    }
    None
}

/// Moves bodies on a map for a while, then others, until `steps` body-steps have been judged.
fn inhabit(random: &mut Random, map: Map, steps: u64) -> Verdict {
    const BODIES: usize = 64;
    const TICKS: u32 = 120;
    let mut verdict = Verdict::default();
    let mut world = World::new(map, Settings::default());
    let map = world.map().clone();
    while verdict.steps < steps && verdict.faults.len() < 20 {
        let mut bodies: Vec<_> = (0..BODIES).filter_map(|_| settle(random, &mut world, &map)).collect();
        for _ in 0..TICKS {
            for body in &bodies {
                if random.below(20) == 0 {
                    let walk = random.pick(&[-127, -127, -40, 0, 40, 127, 127]);
                    world.set_input(body.id, Input { walk, jump: random.below(3) == 0, ..Input::default() });
                }
            }
            let before: Vec<Position> = bodies.iter().map(|body| world[body.id].position()).collect();
            world.step();
            for (body, from) in bodies.iter_mut().zip(before) {
                let state = &world[body.id];
                verdict.steps += 1;
                verdict.moved += u64::from(state.position() != from);
                verdict.hits += u64::from(!world.contacts(body.id).is_empty());
                if state.is_stuck() {
                    verdict.faults.push(format!("{} is stuck at {:?}", body.how, state.position()));
                }
                let way = std::iter::once(from).chain(state.path().iter().copied());
                body.around.cover(&map, body.shape, way);
                let (scene, shape) = (&body.around.scene, oracle_shape(body.shape));
                let name = |tile| map.variant_at(0, tile).map(|id| map.catalogue().variant_name(id));
                let end = watch(scene, &shape, &name, from, state.path(), &body.how, &mut verdict);
                if end != state.position() {
                    verdict.faults.push(format!(
                        "the way of {} ends at {end:?}, it is at {:?}",
                        body.how,
                        state.position()
                    ));
                }
            }
        }
        for body in bodies {
            world.despawn(body.id).expect("it is there");
        }
    }
    verdict
}

/// By default, the map is small. `SUREFOOT_RUNS` is the number of thousand body-steps on a map of 1024 by 1024.
#[test]
fn nothing_enters_or_crosses_anything_in_noise() {
    let (side, steps) = match std::env::var("SUREFOOT_RUNS") {
        Ok(runs) => (1024, 1000 * runs.parse::<u64>().expect("a number of runs")),
        Err(_) => (128, often(70_000, 200_000).into()),
    };
    let mut random = Random(0x5EED_0105);
    let map = noise(&mut random, side);
    let verdict = inhabit(&mut random, map, steps);
    println!("{side} x {side}: {} body-steps, {} moved, {} touching", verdict.steps, verdict.moved, verdict.hits);
    assert!(verdict.faults.is_empty(), "{} faults:\n{}", verdict.faults.len(), verdict.faults.join("\n"));
    assert!(verdict.hits * 4 > verdict.steps, "the bodies must meet something");
}

//! A world's next ticks depend only on that world, and a body's path depends on no body that it does not collide with.

use crate::scene::{Random, often};
use crate::symmetry::{Square, Symmetry};
use surefoot::prelude::*;
use surefoot::{Event, Input, World, geometry::DVec2};

const TICKS: u32 = 240;

/// Inputs of each tick, the same for every compared world.
type Inputs = Vec<Vec<Input>>;

fn square(random: &mut Random) -> Square {
    let all: Vec<VariantId> = (0..96).map(VariantId).collect();
    let filled = random.range(0.1, 0.5);
    Square::random(random, 6, filled, &all).with_ledges(random).walled_in()
}

fn world(random: &mut Random) -> World {
    World::new(square(random).map(Symmetry(Placement::default()), (0, 0)), Settings::default())
}

/// A random body somewhere in the square.
fn body(random: &mut Random, world: &World) -> Body {
    let mut size = || random.range(0.05, 0.6);
    let (a, b) = (size(), size());
    let shape = if random.below(2) == 0 { Shape::circle(a) } else { Shape::aabb(a, b) };
    let mut at = Position::ORIGIN;
    for _ in 0..20 {
        at = Position::new(random.range(-6.0, 6.0), random.range(-6.0, 6.0)).expect("near the origin");
        if !world.mover().overlaps(shape, at) {
            break;
        }
    }
    let body = Body::new(shape).at(at).velocity((random.range(-20.0, 20.0), random.range(-20.0, 20.0)));
    match random.below(6) {
        0 => body.bounce(0.9),
        1 => body.friction(0.5),
        2 => body.response(Response::Stop),
        _ => body.character(Character::default()),
    }
}

fn inputs(random: &mut Random, bodies: usize) -> Inputs {
    let mut held = vec![Input::default(); bodies];
    let mut tick = || {
        for input in &mut held {
            if random.below(15) == 0 {
                *input = Input {
                    walk: random.pick(&[-127, -50, 0, 50, 127]),
                    jump: random.below(2) == 0,
                    down: random.below(4) == 0,
                    up: false,
                    dash: false,
                };
            }
        }
        held.clone()
    };
    (0..TICKS).map(|_| tick()).collect()
}

/// Everything that a game can see of a tick.
#[derive(Debug, PartialEq)]
struct TickResult {
    checksum: surefoot::checksum::Checksum,
    events: Vec<Event>,
    ways: Vec<(Vec<Position>, DVec2, Touching)>,
}

fn step_with_inputs(world: &mut World, bodies: &[BodyId], inputs: &[Vec<Input>]) -> Vec<TickResult> {
    let mut seen = Vec::new();
    for held in inputs {
        for (&id, &input) in bodies.iter().zip(held) {
            world.set_input(id, input);
        }
        world.step();
        let ways = bodies.iter().map(|&id| &world[id]);
        let ways = ways.map(|state| (state.path().to_vec(), state.velocity(), state.touching())).collect();
        seen.push(TickResult { checksum: world.checksum(), events: world.events().to_vec(), ways });
    }
    seen
}

#[test]
fn a_cloned_world_continues_with_the_same_bits() {
    let mut random = Random(0x5EED_0301);
    let mut moves = 0;
    for number in 0..often(12, 400) {
        let mut original = world(&mut random);
        let bodies: Vec<BodyId> = (0..6)
            .map(|_| {
                let body = body(&mut random, &original);
                original.spawn(body).expect("it is in order")
            })
            .collect();
        let inputs = inputs(&mut random, bodies.len());
        // Clone in the middle of the action: bodies are in the air and on slopes, and jump is held.
        let (before, after) = inputs.split_at(30 + random.below(60) as usize);
        step_with_inputs(&mut original, &bodies, before);
        let mut clone = original.clone();
        let snapshot = original.clone();
        assert_eq!(clone.checksum(), original.checksum(), "run {number}");
        let expected = step_with_inputs(&mut original, &bodies, after);
        moves += expected.iter().flat_map(|seen| &seen.ways).filter(|(path, ..)| !path.is_empty()).count();
        assert!(step_with_inputs(&mut clone, &bodies, after) == expected, "run {number}: the clone went another way");

        // Copy into existing worlds: one that has moved on, one with other tiles and bodies, and one with another map.
        let mut changed = snapshot.clone();
        changed.set_tiles(0, (-6, -6), (5, -4), TileId(1)).expect("tiles of the map");
        changed.despawn(bodies[0]).expect("it is there");
        step_with_inputs(&mut changed, &bodies[1..], &inputs[..9]);
        let mut elsewhere = world(&mut random);
        elsewhere.spawn(Body::new(Shape::circle(0.25))).expect("it is in order");
        step_with_inputs(&mut elsewhere, &[], &inputs[..9]);
        for (mut into, what) in [(clone, "gone on"), (changed, "changed"), (elsewhere, "another map")] {
            into.clone_from(&snapshot);
            assert_eq!(into.checksum(), snapshot.checksum(), "run {number}: {what}");
            assert!(
                step_with_inputs(&mut into, &bodies, after) == expected,
                "run {number}: {what}, copied, went another way"
            );
        }

        // Changes to tiles and bodies of one clone must not affect the other.
        let mut changed = snapshot.clone();
        for tile in (-6..6).flat_map(|y| (-6..6).map(move |x| (x, y))) {
            if random.below(3) == 0 {
                changed.set_tile(0, tile, TileId(random.below(97) as u16)).expect("a tile of the map");
            }
        }
        changed.despawn(bodies[0]).expect("it is there");
        changed.spawn(Body::new(Shape::circle(0.25))).expect("it is in order");
        step_with_inputs(&mut changed, &bodies[1..], after);
        assert_ne!(changed.checksum(), original.checksum(), "run {number}");
        let mut untouched = snapshot;
        assert!(
            step_with_inputs(&mut untouched, &bodies, after) == expected,
            "run {number}: changed by a change of its clone"
        );
    }
    assert!(moves > 1000, "{moves}");
}

#[test]
fn a_body_moves_the_same_with_and_without_other_bodies() {
    let mut random = Random(0x5EED_0302);
    for number in 0..often(20, 600) {
        let mut alone = world(&mut random);
        let mut crowded = alone.clone();
        let plan = body(&mut random, &alone);
        let inputs = inputs(&mut random, 1);
        let mut others = Vec::new();
        let other = |random: &mut Random, world: &mut World, away: bool| {
            let mut body = body(random, world);
            if away {
                // Place the body in solid tiles, high in the air, or thousands of tiles away.
                let off = random.pick(&[20.0, 300.0, 100_000.0]);
                body = body.at((random.pick(&[-off, off]), random.range(-off, off)));
            }
            world.spawn(body).expect("it is in order")
        };
        for i in 0..5 {
            others.push(other(&mut random, &mut crowded, i % 2 == 0));
        }
        let (body, same) =
            (alone.spawn(plan.clone()).expect("it is in order"), crowded.spawn(plan).expect("it is in order"));
        for (tick, held) in inputs.iter().enumerate() {
            // Other bodies appear, disappear, and act on their own.
            match random.below(20) {
                0 => others.push(other(&mut random, &mut crowded, tick % 2 == 0)),
                1 if others.len() > 1 => {
                    let gone = others.swap_remove(random.below(others.len() as u64) as usize);
                    crowded.despawn(gone).expect("it is there");
                }
                _ => {}
            }
            for &id in &others {
                crowded.set_input(id, Input { walk: -127, jump: tick % 40 < 3, ..Input::default() });
            }
            alone.set_input(body, held[0]);
            crowded.set_input(same, held[0]);
            alone.step();
            crowded.step();
            let (a, b) = (&alone[body], &crowded[same]);
            let what = format!("run {number} tick {tick}");
            assert_eq!((a.path(), a.position(), a.velocity()), (b.path(), b.position(), b.velocity()), "{what}");
            assert_eq!((a.touching(), a.is_stuck()), (b.touching(), b.is_stuck()), "{what}");
            let kinds = |world: &World, id| -> Vec<EventKind> {
                world.events().iter().filter(|event| event.body == id).map(|event| event.kind).collect()
            };
            assert_eq!(kinds(&alone, body), kinds(&crowded, same), "{what}");
        }
    }
}

//! Paths of bodies that platforms move: around blocks, up steps and slopes, past each other. The exact oracle judges
//! each straight part.

use crate::body_laws::seeds;
use crate::scene::{Canvas, Random, position, variants};
use crate::symmetry::Square;
use crate::table::{MASKS, all_ways_with};
use crate::tunnelling::{Arena, SIZES, Verdict, oracle_shape, start, tuple, watch};
use surefoot::World;
use surefoot::geometry::DVec2;
use surefoot::map::{CollisionLayers, TileId, TileLayer};
use surefoot::platform::{OnCrush, Path, PathTiming, Platform};
use surefoot::prelude::*;
use surefoot_random::mix;

/// A platform of full blocks.
fn blocks(map: &surefoot::Map, (width, height): (u32, u32), at: Position) -> Platform {
    let block = map.catalogue().find_variant("full_block").unwrap();
    let block = map.clone().into_parts().kinds.iter().position(|kind| kind.variant == Some(block)).unwrap();
    let mut layer = TileLayer::new(TileLayer::DEFAULT_NAME, width, height);
    layer.cells.fill(TileId(block as u16));
    Platform::new(vec![layer]).at(at)
}

/// A block has its left side at 1 and its top at 2. A lift with its top at 1 moves up by 2 and sideways by 2 in a tick.
/// Its rider, from -0.5 to 0.5, reaches the block after a quarter of the tick. Its feet are at 2 after half of the
/// tick, so it then moves sideways again, by 1.
#[test]
fn a_path_goes_around_the_block_that_a_lift_brings_a_body_past() {
    let [mut block, mut lift] = [Canvas::default(), Canvas::default()];
    block.blocks((1, 1), (1, 1));
    lift.blocks((-3, 0), (3, 0));
    all_ways_with([30.0, 60.0, 120.0, 240.0], |way, ticks, mask| {
        // Stack a second body only if the two collide: otherwise the second one would fall.
        for count in if mask == CollisionLayers::NONE { 1..=1 } else { 1..=2 } {
            let mut world = way.world(&block, Settings::default().tick(1.0 / ticks));
            let lift = Platform::new(surefoot::Map::from(&lift).into_parts().layers).at((0.0, 0.0));
            let lift = world.spawn_platform(lift).unwrap();
            let body = |level: u32| Body::new(Shape::aabb(0.5, 0.5)).at((0.0, 1.5 + f64::from(level)));
            let spawned = (0..count).map(|level| world.spawn(body(level).collision_mask(mask)).unwrap());
            let ids: Vec<BodyId> = spawned.collect();
            (0..5).for_each(|_| world.step());
            world.drive_platform(lift, (2.0, 2.0)).unwrap();
            world.step();
            let path: Vec<DVec2> = world[ids[0]].path().iter().map(|at| at.to_dvec2()).collect();
            let expected = [(0.5, 2.0), (0.5, 2.5), (1.5, 3.5)].map(DVec2::from);
            let near = path.len() == 3 && path.iter().zip(expected).all(|(a, b)| (*a - b).length() < 1e-6);
            assert!(near, "{mask:?} {count} {ticks}: {path:?}");
        }
    });
}

/// Bodies in random terrain through which platforms move at any speed and in any direction.
#[test]
fn every_part_of_the_path_of_a_body_that_platforms_move_is_free_of_the_terrain() {
    let catalogue = Catalogue::builtin();
    let all = variants(&catalogue);
    let mut verdict = Verdict::default();
    let mut turned = 0;
    for seed in seeds(60, 73_001) {
        let mut random = Random(mix(seed));
        let filled = random.range(0.05, 0.4);
        let arena = Arena::of(&Square::random(&mut random, 4, filled, &all).of(&catalogue));
        let ticks = random.pick(&[30.0, 60.0, 120.0, 240.0]);
        let mask = random.pick(&MASKS);
        let mut world = World::new(arena.map.clone(), Settings::default().tick(1.0 / ticks));
        for _ in 0..3 {
            let from = DVec2::new(random.range(-6.0, 4.0), random.range(-6.0, 4.0));
            let to = DVec2::new(random.range(-8.0, 8.0), random.range(-8.0, 8.0));
            let any = random.range(1.0, 60.0);
            let speed = random.pick(&[1.0, 5.0, 20.0, any]);
            let size = (1 + random.below(4) as u32, 1 + random.below(3) as u32);
            let path = Path { points: vec![Position::ORIGIN, position(to.x, to.y)], ..Path::default() };
            let path = Path { timing: PathTiming::Speed(speed), ..path };
            let crush = random.pick(&[OnCrush::Stop, OnCrush::PassThrough]);
            let platform = blocks(&arena.map, size, position(from.x, from.y)).path(path).on_crush(crush);
            world.spawn_platform(platform).unwrap();
        }
        let mut ids = Vec::new();
        for _ in 0..10 {
            let size = |random: &mut Random| random.range(SIZES.0, 0.6);
            let shape = if random.one_in(2) {
                Shape::circle(size(&mut random))
            } else {
                Shape::aabb(size(&mut random), size(&mut random))
            };
            let aligned = random.one_in(2);
            let at = start(&mut random, arena.half, shape, aligned);
            let judged = oracle_shape(shape);
            if arena.scene.overlap(&judged, tuple(at)).is_some() || arena.scene.straddles_wall(&judged, tuple(at)) {
                continue;
            }
            let body = Body::new(shape).at(at).collision_mask(mask);
            ids.push(world.spawn(if random.one_in(3) { body.character(Character::default()) } else { body }).unwrap());
        }
        for tick in 0..150 {
            world.step();
            for id in &ids {
                let state = &world[*id];
                verdict.steps += 1;
                turned += u64::from(state.path().len() > 2);
                let what = format_args!("seed {seed} tick {tick} {:?}", state.body());
                let from = state.previous_position();
                let end = watch(
                    &arena.scene,
                    &oracle_shape(state.shape()),
                    &|_| None,
                    from,
                    state.path(),
                    &what,
                    &mut verdict,
                );
                if end != state.position() && !(state.path().is_empty() && from == state.position()) {
                    verdict.faults.push(format!("{what}: the path ends at {end:?}, {:?}", state.position()));
                }
            }
            if verdict.faults.len() > 5 {
                break;
            }
        }
    }
    println!("{} body-ticks, {turned} with corners", verdict.steps);
    assert!(verdict.faults.is_empty(), "{} faults:\n{}", verdict.faults.len(), verdict.faults.join("\n"));
    assert!(turned * 1000 > verdict.steps, "{turned} of {}", verdict.steps);
}

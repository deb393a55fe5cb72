//! Bodies that collide keep their order within a tick of many impacts, and report each impact once.

use crate::body_laws::{describe_body, no_symmetry, seeds};
use crate::body_plans::{overlaps, pairs_that_passed_through};
use crate::scene::{ONE, Random, position};
use crate::symmetry::{Square, Symmetry};
use crate::table::{all_symmetries, triples};
use std::collections::BTreeMap;
use surefoot::World;
use surefoot::geometry::DVec2;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot_random::mix;

/// A small room, with or without gravity, crowded with small, thin and fast bodies with a bounce of 1.
fn cramped(seed: u64) -> (World, Vec<BodyId>) {
    let mut random = Random(mix(seed ^ 0x5A7));
    let symmetry = Symmetry::all().nth(random.index(8)).unwrap();
    let rate = random.pick(&[30.0, 30.0, 30.0, 60.0, 120.0, 240.0]);
    let gravity = DVec2::new(0.0, random.pick(&[0.0, 0.0, -30.0]));
    let square = Square::new(2, vec![None; 16]).walled_in();
    let map = square.map(symmetry, (0, 0));
    let settings = symmetry.settings().tick(1.0 / rate).gravity(symmetry.velocity(gravity));
    let mut world = World::new(map, settings);
    let mut ids = Vec::new();
    for _ in 0..5 + random.below(6) {
        let mut half = || random.between(ONE / 64, ONE / 8) | 1;
        let (small, other) = (half(), half());
        let wide = random.between(ONE / 4, ONE) | 1;
        let shape = match random.below(4) {
            0 => Shape::circle_units(small),
            1 => Shape::aabb_units([small, other]),
            2 => Shape::aabb_units([wide, small]),
            _ => Shape::aabb_units([small, wide]),
        };
        let at = position(random.range(-1.8, 1.8), random.range(-1.8, 1.8));
        let fast = random.pick(&[0.0, 10.0, 40.0, 100.0]);
        let velocity = DVec2::new(random.range(-fast, fast), random.range(-fast, fast)) + DVec2::ZERO;
        let body = Body::new(symmetry.shape(shape)).at(symmetry.position(at)).collision_mask(CollisionLayers::ALL);
        let body = body.velocity(symmetry.velocity(velocity)).mass(random.pick(&[1.0, 1.0, 0.2, 14.0]));
        let body = match random.below(6) {
            0 => body.character(Character::default()),
            1 => body.friction(0.5),
            2 => body.response(Response::Stop),
            _ => body.bounce(1.0),
        };
        let id = world.spawn(body).unwrap();
        // The position must be free of all other bodies.
        let mover_overlaps = world.mover().overlaps(world[id].shape(), world[id].position());
        ids.push(id);
        if mover_overlaps || !overlaps(&world, &ids).is_empty() {
            ids.pop();
            world.despawn(id).unwrap();
        }
    }
    (world, ids)
}

/// Runs the room of a seed. Returns two bodies that passed through each other.
fn passing_of(seed: u64) -> Option<String> {
    let (mut world, ids) = cramped(seed);
    for tick in 0..40 {
        let earlier = world.clone();
        world.step();
        let found = pairs_that_passed_through(&earlier, &world, &ids);
        if let Some((a, b)) = found.into_iter().chain(overlaps(&world, &ids)).next() {
            let then_and_now =
                |i| format!("{}\nbefore: {}", describe_body(&world, &ids, i), describe_body(&earlier, &ids, i));
            return Some(format!("seed {seed} tick {tick}:\n{}\n{}", then_and_now(a), then_and_now(b)));
        }
    }
    None
}

#[test]
fn no_two_bodies_pass_through_each_other_in_a_cramped_room() {
    let broken: Vec<String> = seeds(300, 31_001).filter_map(passing_of).collect();
    assert!(broken.is_empty(), "{} scenes:\n{}", broken.len(), broken.join("\n\n"));
}

/// Regression: the two boxes swapped heights, level with each other during the whole tick. A body without impacts left
/// stayed in place, and the other one was compared with that position at a moment before the first one had arrived.
#[test]
fn a_box_stays_below_a_plate_in_a_tick_of_many_impacts() {
    // The room has 9 x 6 tiles.
    let block = Catalogue::builtin().find_variant("full_block").ok();
    let tiles = (-10..10).flat_map(|y| (-10..10).map(move |x| (x, y)));
    let cells: Vec<_> =
        tiles.map(|(x, y)| if (0..9).contains(&x) && (0..6).contains(&y) { None } else { block }).collect();
    let map = Square::new(10, cells).map(no_symmetry(), (0, 0));
    all_symmetries(|way| {
        let mut world = way.world(map.clone(), Settings::default().tick(1.0 / 30.0).gravity((0.0, 0.0)));
        let stop = |shape| Body::new(shape).response(Response::Stop);
        let bodies = [
            (Body::new(Shape::aabb(0.109823525, 0.0374824374)), (7.7019107728, 3.237924125), (-2.0, 11.0)),
            (stop(Shape::circle(0.0453242555)).time_scale(0.3590992731274494), (6.7472555286, 2.93993619), (0.0, 0.0)),
            (Body::new(Shape::circle(0.0401001603)).bounce(1.0).mass(14.0), (7.3790523645, 5.16976634), (76.0, 78.0)),
            (
                Body::new(Shape::circle(0.3472389197)).friction(0.5250168113717513),
                (7.6414182575, 5.6527610803),
                (7.0, 0.0),
            ),
            (Body::new(Shape::aabb(1.1110241339, 0.0365151358)), (7.8889758661, 4.0856090202), (0.0, 0.0)),
        ];
        let ids = bodies.map(|(body, at, velocity)| {
            world.spawn(body.at(at).velocity(velocity).collision_mask(CollisionLayers::ALL)).unwrap()
        });
        let earlier = World::clone(&world);
        world.step();
        assert_eq!(pairs_that_passed_through(&earlier, &world, &ids), []);
        assert_eq!(overlaps(&world, &ids), []);
    });
}

/// Returns the speeds of the `hit_body` events of this tick, by the body that gets the event and the other body.
fn hit_speeds(world: &World) -> BTreeMap<(BodyId, BodyId), Vec<f64>> {
    let mut all: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for event in world.events() {
        if let EventKind::HitBody { other, speed, .. } = event.kind {
            all.entry((event.body, other)).or_default().push(speed);
        }
    }
    all
}

/// Falls of up to 4 tiles onto standing heads, and jumps against falling feet; sideways too.
#[test]
fn colliding_characters_get_one_event() {
    for (rate, is_round, k) in triples([30.0, 60.0, 120.0, 240.0], [false, true], 0..24) {
        for masks in [CollisionLayers::ALL, CollisionLayers::FIRST] {
            let mut world = World::new(
                Square::new(8, vec![None; 256]).walled_in().map(no_symmetry(), (0, 0)),
                Settings::default().tick(1.0 / rate),
            );
            let shape = if is_round { Shape::circle(0.4) } else { Shape::aabb(0.35, 0.4) };
            let hero = || Body::new(shape).character(Character::default()).collision_mask(masks);
            let lower = world.spawn(hero().at((0.0, -7.6))).unwrap();
            let upper = world.spawn(hero().at((0.0, -6.587 + f64::from(k) * 0.17))).unwrap();
            let mut count = 0;
            for tick in 0..(2.0 * rate) as u32 {
                world.step();
                let told = hit_speeds(&world);
                assert!(told.values().all(|speeds| speeds.len() == 1), "{rate} {is_round} {k}, tick {tick}: {told:?}");
                assert_eq!(told.len() % 2, 0);
                count += told.len() / 2;
            }
            assert_eq!(count, 1, "{rate} {is_round} {k}");
            // Circles touch within a few units.
            let gap = (world[upper].position() - world[lower].position()).y - shape.half_units().y * 2;
            assert!((0..=if is_round { 4 } else { 0 }).contains(&gap), "{rate} {is_round} {k}: {gap}");
        }
    }
}

/// Two bodies without bounce stay together, so a tick has one impact between them, whatever else they hit. With bounce,
/// each further impact is faster than both `rest_speed_threshold`s, which separates them again.
#[test]
fn an_impact_sends_one_event() {
    let mut repeated = Vec::new();
    for seed in seeds(300, 32_001) {
        let (mut world, ids) = cramped(seed);
        for tick in 0..40 {
            world.step();
            let all = hit_speeds(&world);
            for ((one, other), speeds) in all.iter().filter(|(_, speeds)| speeds.len() > 1) {
                let (a, b) = (&world[*one], &world[*other]);
                let bounces = |state: &surefoot::world::BodyState| matches!(state.body().response, Response::Bounce(_));
                let rest_speed = a.body().rest_speed_threshold.max(b.body().rest_speed_threshold);
                let is_wrong = !(bounces(a) || bounces(b)) || speeds[1..].iter().any(|speed| *speed <= rest_speed);
                if is_wrong {
                    let numbers = [one, other].map(|id| ids.iter().position(|other| other == id).unwrap());
                    let shown = numbers.map(|i| describe_body(&world, &ids, i)).join("\n");
                    repeated.push(format!("seed {seed} tick {tick}: {speeds:?}\n{shown}"));
                }
            }
        }
    }
    assert!(repeated.is_empty(), "{}:\n{}", repeated.len(), repeated[..repeated.len().min(3)].join("\n\n"));
}

//! A shape that is cast meets what a body meets that is sent the same way.

use super::{motion, noise, point, tiles, world};
use crate::scene::{Random, map_with, often, position};
use surefoot::World;
use surefoot::geometry::{Aabb, Circle};
use surefoot::map::{Beyond, Layer};
use surefoot::platform::Platform;
use surefoot::prelude::*;
use surefoot::query::{Filter, Target};

/// A body that stops, sent on one tick's way.
#[test]
fn a_cast_is_what_a_body_meets_that_is_sent_the_same_way() {
    let mut random = Random(0x5A3E);
    let (mut hits, mut on_platforms, mut count) = (0, 0, 0);
    for round in 0..often(10, 100) {
        let filled = [0.05, 0.2, 0.5][round as usize % 3];
        let map = noise(&mut random, (20, 20), filled, Beyond::Solid);
        // A tick of a second: a velocity is a motion.
        let settings = Settings { tick: 1.0, gravity: surefoot::geometry::DVec2::ZERO, ..Settings::default() };
        let mut world = World::new(map.clone(), settings);
        for _ in 0..3 {
            let at = point(&mut random, (0, 0), (18, 18));
            world.spawn_platform(platform(&mut random).at(at).unwrap()).unwrap();
        }
        for _ in 0..150 {
            let size = random.pick(&[0.1, 0.3, 0.5, 0.77]);
            let shape =
                if random.one_in(2) { Shape::circle(size) } else { Shape::aabb(size, random.pick(&[0.25, 0.5])) };
            let (from, way) = (point(&mut random, (1, 1), (19, 19)), motion(&mut random, 8));
            // A body passes through a platform that it overlaps, of which a cast does not know.
            let overlapped = overlapped(&world, shape, from);
            if world.mover().overlaps(shape, from)
                || overlapped.iter().any(|target| matches!(target, Target::Platform { .. }))
            {
                continue;
            }
            let hit = world.cast_shape(shape, from, tiles(way), &Filter::tiles());
            assert_eq!(hit.map(|hit| (hit.toi, hit.position, hit.point)), {
                let hit = world.mover().cast(shape, from, tiles(way));
                hit.map(|hit| (hit.toi, hit.position, hit.contact.point))
            });
            let mut twin = world.clone();
            let body = Body::new(shape).at(from).moving(tiles(way)).response(Response::Stop);
            let id = twin.spawn(body).unwrap();
            twin.step();
            count += 1;
            let end = twin[id].position();
            let Some(hit) = hit else {
                assert_eq!(end, from + way, "{shape:?} from {from:?} by {way}");
                continue;
            };
            assert_eq!(end, hit.position, "{shape:?} from {from:?} by {way}: {hit:?}");
            hits += 1;
            on_platforms += usize::from(matches!(hit.target, Target::Platform { .. }));
        }
    }
    println!("{count} casts, {hits} hits, {on_platforms} of platforms");
    assert!(hits * 3 > count && on_platforms > 20, "{hits} of {count}, {on_platforms}");
}

fn overlapped(world: &World, shape: Shape, at: Position) -> Vec<Target> {
    let (center, half, mut found) = (at.to_dvec2(), shape.extents(), Vec::new());
    if shape.is_circle() {
        world.overlap(&Circle::new(center, half.x).unwrap(), &Filter::tiles(), &mut found);
    } else {
        world.overlap(&Aabb::from_center(center, half).unwrap(), &Filter::tiles(), &mut found);
    }
    found
}

/// A platform of four tiles of any variant.
fn platform(random: &mut Random) -> Platform {
    let mut layer = Layer::new(Layer::ONLY, 2, 2);
    let variants = Catalogue::builtin().variants().len() as u64;
    layer.cells.iter_mut().for_each(|cell| *cell = TileId(1 + random.below(variants) as u16));
    Platform::new(vec![layer])
}

#[test]
fn one_way_tiles_let_pass_whom_they_let_pass() {
    let map = map_with(
        &["...", "~~~", "==="],
        r#"collision_layers: ["hero", "ghost"], legend: {'~': (tile: "ledge", lets_pass: ["ghost"])}"#,
    );
    let (hero, ghost) = (map.layer_mask(["hero"]).unwrap(), map.layer_mask(["ghost"]).unwrap());
    let world = world(&map);
    for (layers, tile) in [(hero, (1, 1)), (ghost, (1, 0)), (hero, (1, 1)), (ghost.union(hero), (1, 0))] {
        let filter = Filter { layers, ..Filter::default() };
        let down = world.cast_ray(position(1.5, 2.5), (0.0, -2.0), &filter).unwrap();
        assert!(matches!(down.target, Target::Terrain { tile: own, .. } if own == tile), "{layers:?} {down:?}");
        let down = world.cast_shape(Shape::circle(0.25), position(1.5, 2.5), (0.0, -2.0), &filter).unwrap();
        assert!(matches!(down.target, Target::Terrain { tile: own, .. } if own == tile), "{layers:?} {down:?}");
    }
}

#[test]
fn shapes_out_of_range_meet_nothing() {
    let world = world(&map_with(&["...", "###"], ""));
    let cast = |shape, way: (f64, f64)| world.cast_shape(shape, position(1.5, 1.75), way, &Filter::default());
    assert!(cast(Shape::circle(0.25), (0.0, -1.0)).is_some());
    for shape in [Shape::circle(0.0), Shape::circle(-1.0), Shape::circle(65.0), Shape::aabb(f64::NAN, 1.0)] {
        assert_eq!(cast(shape, (0.0, -1.0)), None);
    }
    for way in [(0.0, 0.0), (f64::NAN, 0.0), (0.0, f64::NEG_INFINITY)] {
        assert_eq!(cast(Shape::circle(0.25), way), None);
    }
}

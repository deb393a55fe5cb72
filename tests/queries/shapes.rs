//! A shape cast hits exactly what a body moving the same way hits.

use super::{motion, noise, point, tiles, world};
use crate::prelude::*;

/// A body that stops, moved for one tick.
#[test]
fn a_cast_hits_what_a_body_moving_the_same_way_hits() {
    let mut random = Random(0x5A3E);
    let (mut hits, mut on_platforms, mut count) = (0, 0, 0);
    for round in 0..often(10, 100) {
        let filled = [0.05, 0.2, 0.5][round as usize % 3];
        let map = noise(&mut random, (20, 20), filled, Border::Solid);
        // With a tick of one second, a velocity is a displacement.
        let settings = Settings { tick: 1.0, gravity: surefoot::geometry::DVec2::ZERO, ..Settings::default() };
        let mut world = World::new(map.clone(), settings);
        for _ in 0..3 {
            let at = point(&mut random, (0, 0), (18, 18));
            world.spawn_platform(platform(&mut random).at(at)).unwrap();
        }
        for _ in 0..150 {
            let size = random.pick(&[0.1, 0.3, 0.5, 0.77]);
            let shape =
                if random.one_in(2) { Shape::circle(size) } else { Shape::aabb(size, random.pick(&[0.25, 0.5])) };
            let (from, way) = (point(&mut random, (1, 1), (19, 19)), motion(&mut random, 8));
            // A body passes through a platform that overlaps it. A cast does not know about this.
            let overlapped = overlapped(&world, shape, from);
            if world.mover().overlaps(shape, from)
                || overlapped.iter().any(|target| matches!(target, Target::Platform { .. }))
            {
                continue;
            }
            let hit = world.cast_shape(shape, from, tiles(way), &Filter::tiles());
            assert_eq!(hit.map(|hit| (hit.toi, hit.position, hit.point)), {
                let hit = world.mover().cast(shape, from, tiles(way));
                hit.map(|hit| (hit.toi, hit.position, hit.target.point()))
            });
            let mut twin = world.clone();
            let body = Body::new(shape).at(from).velocity(tiles(way)).response(Response::Stop);
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
    let (center, half, mut found) = (at.to_dvec2(), shape.half_extents(), Vec::new());
    if shape.is_circle() {
        world.overlap(&Circle::new(center, half.x).unwrap(), &Filter::tiles(), &mut found);
    } else {
        world.overlap(&Aabb::from_center(center, half).unwrap(), &Filter::tiles(), &mut found);
    }
    found
}

/// A platform of four tiles of any variant.
fn platform(random: &mut Random) -> Platform {
    let mut layer = TileLayer::new(TileLayer::DEFAULT_NAME, 2, 2);
    let variants = Catalogue::builtin().variants().len() as u64;
    layer.cells.iter_mut().for_each(|cell| *cell = TileId(1 + random.below(variants) as u16));
    Platform::new(vec![layer])
}

#[test]
fn one_way_tiles_let_bodies_of_their_layers_pass() {
    let map = map_with(
        &["...", "~~~", "==="],
        r#"collision_layers: ["hero", "ghost"], legend: {'~': (tile: "one_way", ignored_by: ["ghost"])}"#,
    );
    let (hero, ghost) = (map.collision_layers_named(["hero"]).unwrap(), map.collision_layers_named(["ghost"]).unwrap());
    let mut world = world(&map);
    for (i, (layers, tile)) in
        [(hero, (1, 1)), (ghost, (1, 0)), (hero, (1, 1)), (ghost.union(hero), (1, 0)), (ghost, (1, 0))]
            .into_iter()
            .enumerate()
    {
        if i == 4 {
            world.prepare_collision_layers(ghost);
        }
        let filter = Filter { collision_layers: layers, ..Filter::default() };
        let down = world.cast_ray(position(1.5, 2.5), (0.0, -2.0), &filter).unwrap();
        assert!(matches!(down.target, Target::Terrain { tile: own, .. } if own == tile), "{layers:?} {down:?}");
        let down = world.cast_shape(Shape::circle(0.25), position(1.5, 2.5), (0.0, -2.0), &filter).unwrap();
        assert!(matches!(down.target, Target::Terrain { tile: own, .. } if own == tile), "{layers:?} {down:?}");
    }
}

#[test]
fn shapes_out_of_range_hit_nothing() {
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

/// A cast stopped by a body next to tiles overlaps neither.
#[test]
fn a_shape_stopped_by_a_body_overlaps_nothing() {
    let mut random = Random(0x57BD);
    let mut stopped = 0;
    for _ in 0..often(4, 60) {
        let mut world = world(&noise(&mut random, (20, 20), 0.15, Border::Solid));
        for i in 0..60 {
            let shape = if i % 2 == 0 { Shape::circle(0.3) } else { Shape::aabb(0.4, 0.25) };
            world.spawn(Body::new(shape).at(point(&mut random, (0, 0), (20, 20)))).unwrap();
        }
        for i in 0..200 {
            let shape = if i % 2 == 0 { Shape::circle(0.25) } else { Shape::aabb(0.25, 0.375) };
            let (from, way) = (point(&mut random, (1, 1), (19, 19)), motion(&mut random, 10));
            let overlapped = |at: Position| {
                let (mut found, half) = (Vec::new(), shape.half_extents());
                if shape.is_circle() {
                    world.overlap(&Circle::new(at.to_dvec2(), half.x).unwrap(), &Filter::default(), &mut found);
                } else {
                    world.overlap(&Aabb::from_center(at.to_dvec2(), half).unwrap(), &Filter::default(), &mut found);
                }
                found.retain(|target| target.body().is_some());
                found
            };
            if world.mover().overlaps(shape, from) || !overlapped(from).is_empty() {
                continue;
            }
            let Some(hit) = world.cast_shape(shape, from, tiles(way), &Filter::default()) else { continue };
            assert!(!world.mover().overlaps(shape, hit.position), "{shape:?} from {from:?} by {way}: {hit:?}");
            assert_eq!(overlapped(hit.position), [], "{shape:?} from {from:?} by {way}: {hit:?}");
            let off = (tiles(hit.position - from) - tiles(way) * hit.toi).length();
            assert!(off < 1e-6, "{off}");
            stopped += usize::from(hit.target.body().is_some());
        }
    }
    assert!(stopped > 50, "{stopped}");
}

/// A map of tiles far apart: the cast hits each as in a world of that tile alone. It hits bodies as a cast that ignores
/// the bodies already hit.
#[test]
fn a_cast_for_all_hits_finds_what_single_casts_find() {
    let mut random = Random(0xA115);
    let (mut hits, mut bodies) = (0, 0);
    for _ in 0..often(4, 40) {
        let lone = |tiles: &[((i32, i32), TileId)]| {
            let mut parts = MapParts::new(24, 24);
            parts.kinds = TileKind::every_variant(&Catalogue::builtin());
            for ((x, y), kind) in tiles {
                parts.layers[0].cells[(y * 24 + x) as usize] = *kind;
            }
            self::world(&Map::from_parts(parts).unwrap())
        };
        let tiles_there: Vec<_> = (0..36)
            .map(|i| {
                (
                    (4 * (i % 6) + random.below(2) as i32, 4 * (i / 6) + random.below(2) as i32),
                    TileId(1 + random.below(96) as u16),
                )
            })
            .collect();
        let mut world = lone(&tiles_there);
        let alone: Vec<_> = tiles_there.iter().map(|tile| (tile.0, lone(&[*tile]))).collect();
        for _ in 0..30 {
            world.spawn(Body::new(Shape::aabb(0.3, 0.2)).at(point(&mut random, (0, 0), (24, 24)))).unwrap();
        }
        for i in 0..60 {
            let shape = if i % 2 == 0 { Shape::circle(0.4) } else { Shape::aabb(0.5, 0.3) };
            let (from, way) = (point(&mut random, (0, 0), (24, 24)), motion(&mut random, 24));
            let mut all = Vec::new();
            world.cast_shape_all(shape, from, tiles(way), &Filter::default(), &mut all);
            assert!(all.is_sorted_by(|a, b| a.toi <= b.toi), "{all:?}");
            let first = world.cast_shape(shape, from, tiles(way), &Filter::default());
            // A circle hits a side and its corner at the same time, up to rounding.
            let rounding = if shape.is_circle() { 1e-9 } else { 0.0 };
            let alike =
                |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= rounding);
            let tois = [first, all.first().copied()].map(|hit| hit.map(|hit| hit.toi).into_iter().collect::<Vec<_>>());
            assert!(alike(&tois[0], &tois[1]), "{tois:?}");
            for (tile, world) in &alone {
                let expected = world.cast_shape(shape, from, tiles(way), &Filter::tiles()).map(|hit| hit.toi);
                let is_own = |target| matches!(target, Target::Terrain { tile: own, .. } if own == *tile);
                let own: Vec<_> = all.iter().filter(|hit| is_own(hit.target)).map(|hit| hit.toi).collect();
                let expected: Vec<_> = expected.into_iter().collect();
                assert!(alike(&own, &expected), "{tile:?} {shape:?} from {from:?} by {way}: {own:?} {expected:?}");
                hits += own.len();
            }
            let (mut passed, mut one_by_one) = (Vec::new(), Vec::new());
            let all_bodies = Filter { terrain: false, ..Filter::default() };
            while let Some(hit) = world.cast_shape(shape, from, tiles(way), &all_bodies.exclude(&passed)) {
                passed.extend(hit.target.body());
                one_by_one.push((hit.toi, hit.target));
            }
            let met: Vec<_> =
                all.iter().filter(|hit| hit.target.body().is_some()).map(|hit| (hit.toi, hit.target)).collect();
            assert_eq!(met, one_by_one, "{shape:?} from {from:?} by {way}");
            bodies += met.len();
        }
    }
    assert!(hits > 150 && bodies > 100, "{hits} {bodies}");
}

/// At the limits of the world, and with the longest motions, in every direction.
#[test]
fn queries_work_at_the_limits_of_the_world() {
    let mut random = Random(0xE2D5);
    let mut world = world(&map_with(&["...", "###"], ""));
    let limit = Position::LIMIT;
    for (x, y) in [(limit, limit), (-limit, limit), (limit, -limit), (-limit, -limit), (limit, 0), (0, -limit)] {
        let at = units(x, y);
        world.spawn(Body::new(Shape::aabb(64.0, 64.0)).at(at)).unwrap();
        let mut lists = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..often(14, 40) {
            let way = tiles(motion(&mut random, 1000));
            for filter in [Filter::default(), Filter::tiles(), Filter { one_way: OneWay::Both, ..Filter::default() }] {
                let shape = if i % 2 == 0 { Shape::circle(64.0) } else { Shape::aabb(64.0, 1.0 / 65536.0) };
                let _ = (world.cast_ray(at, way, &filter), world.cast_shape(shape, at, way, &filter));
                world.cast_ray_all(at, way, &filter, &mut lists.0);
                world.cast_shape_all(shape, at, way, &filter, &mut lists.1);
                let _ = (world.closest_surface(at, 64.0, &filter), world.query_point(at, &filter));
                let _ = world.line_of_sight(at, Position::ORIGIN, &filter);
                let far = at.to_dvec2().clamp(DVec2::splat(-16_777_000.0), DVec2::splat(16_777_000.0));
                world.overlap(&Circle::new(far, 100.0).unwrap(), &filter, &mut lists.2);
            }
        }
        assert!(matches!(world.query_point(at, &Filter::default()), Some(Target::Body(_))));
        let inward = tiles(-at.units().signum() * 100 * ONE);
        let from = units(x - x.signum() * 100 * ONE, y - y.signum() * 100 * ONE);
        // The body's side is 64 tiles in front of its centre.
        let hit = world.cast_ray(from, -inward, &Filter::default()).unwrap();
        assert_eq!(hit.toi, 0.36, "{hit:?}");
    }
}

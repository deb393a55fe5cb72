//! Rays and casts against bodies, and the filters for bodies.

use super::{motion, point, tiles, world};
use crate::prelude::*;
use surefoot::query::RayHit;

/// A wide map with many bodies of all sizes, some far outside of it. Returns the world and its bodies.
fn crowd(random: &mut Random, count: usize) -> (World, Vec<(BodyId, Shape, Position)>) {
    let mut world = world(&map(&["....", "...."]));
    let mut bodies = Vec::new();
    for _ in 0..count {
        let size = random.pick(&[0.25, 0.5, 0.37, 1.5, 7.0]);
        let shape =
            if random.one_in(2) { Shape::circle(size) } else { Shape::aabb(size, random.pick(&[0.25, 0.9, 3.0])) };
        let at = point(random, (-60, -60), (60, 60));
        bodies.push((world.spawn(Body::new(shape).at(at)).unwrap(), shape, at));
    }
    (world, bodies)
}

/// Returns where a ray hits one body, in f64, by formula.
fn entry(shape: Shape, at: Position, from: Position, way: I64Vec2) -> Option<f64> {
    let offset = tiles(from - at);
    let (way, half) = (tiles(way), shape.half_extents());
    if shape.is_circle() {
        let (a, b, c) = (way.length_squared(), offset.dot(way), offset.length_squared() - half.x * half.x);
        let root = b * b - a * c;
        return (root > 0.0 && c >= 0.0 && b < 0.0).then(|| (-b - root.sqrt()) / a).filter(|toi| *toi < 1.0);
    }
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for (offset, way, half) in [(offset.x, way.x, half.x), (offset.y, way.y, half.y)] {
        if way == 0.0 {
            if offset.abs() > half {
                return None;
            }
            continue;
        }
        let (a, b) = ((-half - offset) / way, (half - offset) / way);
        (enter, leave) = (enter.max(a.min(b)), leave.min(a.max(b)));
    }
    (enter <= leave && (0.0..1.0).contains(&enter)).then_some(enter)
}

#[test]
fn rays_hit_every_body_that_the_formulas_hit() {
    let mut random = Random(0xB0D1);
    let (mut hits, mut graze) = (0, 0);
    for count in [1, 20, 33, 200, 3000] {
        let (world, bodies) = crowd(&mut random, count);
        for _ in 0..often(150, 3000) {
            let from = point(&mut random, (-70, -70), (70, 70));
            let most = random.pick(&[20, 120]);
            let way = motion(&mut random, most);
            let mut found: Vec<RayHit> = Vec::new();
            world.cast_ray_all(from, tiles(way), &Filter::default(), &mut found);
            assert!(found.is_sorted_by(|a, b| a.toi <= b.toi));
            assert_eq!(world.cast_ray(from, tiles(way), &Filter::default()), found.first().copied());
            for (id, shape, at) in &bodies {
                let own: Vec<_> = found.iter().filter(|hit| hit.target == Target::Body(*id)).collect();
                match (entry(*shape, *at, from, way), own.as_slice()) {
                    (Some(toi), [hit]) => {
                        assert!(
                            (toi - hit.toi).abs() < 1e-6,
                            "{shape:?} at {at:?} from {from:?} by {way}: {toi} {hit:?}"
                        );
                        hits += 1;
                    }
                    (None, []) => {}
                    // Skip hits at the ends of sides, and cases that f64 cannot decide.
                    (expected, found) => {
                        graze += 1;
                        assert!(found.len() < 2, "{expected:?} {found:?} {shape:?} at {at:?} from {from:?} by {way}");
                    }
                }
            }
        }
    }
    println!("{hits} hits, {graze} grazes");
    assert!(hits > 2000 && graze * 200 < hits, "{hits} {graze}");
}

#[test]
fn filters_select_the_bodies() {
    let mut world = World::new(map(&["........"]), Settings::default());
    let ball = |x, layers| Body::new(Shape::circle(0.25)).at(position(x, 0.5)).collision_layers(layers);
    let first = world.spawn(ball(1.5, CollisionLayers::FIRST)).unwrap();
    let second = world.spawn(ball(3.5, CollisionLayers::FIRST)).unwrap();
    let meets = |world: &World, filter: &Filter<'_>| {
        let hit = world.cast_ray(position(0.0, 0.5), (8.0, 0.0), filter);
        let cast = world.cast_shape(Shape::aabb(0.125, 0.125), position(0.0, 0.5), (8.0, 0.0), filter);
        assert_eq!(hit.map(|hit| hit.target), cast.map(|hit| hit.target));
        let near = world.closest_surface(position(0.0, 0.5), 60.0, filter);
        assert_eq!(hit.map(|hit| hit.target), near.map(|near| near.target));
        hit.and_then(|hit| hit.target.body())
    };
    assert_eq!(meets(&world, &Filter::default()), Some(first));
    assert_eq!(meets(&world, &Filter::default().exclude(&[first])), Some(second));
    assert_eq!(meets(&world, &Filter::default().exclude(&[first, second])), None);
    assert_eq!(meets(&world, &Filter::bodies(CollisionLayers::FIRST)), Some(first));
    assert_eq!(meets(&world, &Filter::bodies(CollisionLayers(0b10))), None);
    assert_eq!(meets(&world, &Filter::tiles()), None);
    world.despawn(first).unwrap();
    let third = world.spawn(ball(2.0, CollisionLayers::FIRST)).unwrap();
    assert_eq!(meets(&world, &Filter::default().exclude(&[first])), Some(third), "what is gone excludes nothing");
}

/// The grid is rebuilt after each step and each command, and in clones.
#[test]
fn queries_see_bodies_after_the_last_step_or_command() {
    let settings = Settings { tick: 0.25, gravity: surefoot::geometry::DVec2::ZERO, ..Settings::default() };
    let mut world = World::new(map(&["........"]), settings);
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at(position(1.25, 0.5)).velocity((4.0, 0.0))).unwrap();
    let side = |world: &World| {
        world.cast_ray(position(0.0, 0.5), (8.0, 0.0), &Filter::default()).map(|hit| hit.point.to_dvec2().x)
    };
    assert_eq!(side(&world), Some(1.0));
    let moment = world.capture();
    let before = world.clone();
    world.step();
    assert_eq!(side(&world), Some(2.0));
    world.teleport(ball, position(5.25, 0.5)).unwrap();
    assert_eq!(side(&world), Some(5.0));
    world.restore(&moment).unwrap();
    assert_eq!(side(&world), Some(1.0));
    world.step();
    assert_eq!((side(&world), side(&before)), (Some(2.0), Some(1.0)));
    world.clone_from(&before);
    assert_eq!(side(&world), Some(1.0));
    assert_eq!(world.checksum(), before.checksum());
    world.despawn(ball).unwrap();
    assert_eq!(side(&world), None);
}

#[test]
fn shape_casts_hit_bodies_by_the_formulas() {
    let mut random = Random(0x50B0);
    let mut hits = 0;
    for count in [1, 60] {
        let (world, bodies) = crowd(&mut random, count);
        for _ in 0..often(1500, 30_000) {
            let size = random.pick(&[0.25, 0.4, 2.0]);
            let shape =
                if random.one_in(2) { Shape::circle(size) } else { Shape::aabb(size, random.pick(&[0.5, 1.1])) };
            let (from, way) = (point(&mut random, (-70, -70), (70, 70)), motion(&mut random, 90));
            let hit = world.cast_shape(shape, from, tiles(way), &Filter::default());
            let overlaps = |at: Position, body: &(BodyId, Shape, Position)| gap(shape, at, body.1, body.2) < 0.0;
            let Some(hit) = hit else {
                // At each tenth of the path, the shape overlaps no body that it did not overlap at the start.
                for i in 0..=10 {
                    let at = from + way / 10 * i;
                    let inside = |body: &&(_, _, _)| !overlaps(from, body) && gap(shape, at, body.1, body.2) < -1e-6;
                    assert!(bodies.iter().find(inside).is_none(), "{shape:?} from {from:?} by {way}");
                }
                continue;
            };
            hits += 1;
            let body = bodies.iter().find(|body| hit.target == Target::Body(body.0)).unwrap();
            assert!(!overlaps(from, body), "what it overlaps lets it out");
            let gap = gap(shape, hit.position, body.1, body.2);
            assert!((0.0..1e-6).contains(&gap), "{gap}: {shape:?} from {from:?} by {way} to {hit:?}, {body:?}");
            let off = (tiles(hit.position - from) - tiles(way) * hit.toi).length();
            assert!(off < 1e-6, "{off}");
            assert!(hit.normal.dot(tiles(way)) < 0.0 && (hit.normal.length() - 1.0).abs() < 1e-9, "{hit:?}");
            for other in bodies.iter().filter(|other| !overlaps(from, other)) {
                assert!(!overlaps(hit.position, other), "{shape:?} from {from:?} by {way} to {hit:?}, {other:?}");
            }
        }
    }
    assert!(hits > 600, "{hits}");
}

/// Returns the distance of two shapes, negative if they overlap; for two boxes, along the axis that separates them.
fn gap(shape: Shape, at: Position, other: Shape, other_at: Position) -> f64 {
    let offset = at - other_at;
    let (a, b) = (shape.half_units(), other.half_units());
    let exact = |v: I64Vec2| v.x as f64 / ONE as f64;
    match (shape.is_circle(), other.is_circle()) {
        (true, true) => tiles(offset).length() - exact(a + b),
        (false, false) => {
            let apart = offset.abs() - a - b;
            apart.max_element() as f64 / ONE as f64
        }
        (circle, _) => {
            let (half, radius) = if circle { (b, a.x) } else { (a, b.x) };
            let outside = offset.abs() - half;
            if outside.max_element() < 0 {
                return outside.max_element() as f64 / ONE as f64 - radius as f64 / ONE as f64;
            }
            tiles(outside.max(I64Vec2::ZERO)).length() - radius as f64 / ONE as f64
        }
    }
}

//! Mirrored, turned and shifted scenes give mirrored, turned and shifted results. Queries change nothing and allocate
//! nothing.

use super::{motion, noise, point, tiles, world};
use crate::prelude::*;

struct Crowd {
    square: Square,
    bodies: Vec<(Shape, Position)>,
}

impl Crowd {
    fn new(random: &mut Random, filled: f64) -> Crowd {
        let square = Square::random(random, 8, filled, &variants(&Catalogue::builtin()));
        let bodies = (0..50).map(|i| {
            let shape = if i % 2 == 0 { Shape::circle(0.3) } else { Shape::aabb(0.25, 0.5) };
            (shape, point(random, (-9, -9), (9, 9)))
        });
        let bodies = bodies.collect();
        Crowd { square, bodies }
    }

    fn world(&self, symmetry: Symmetry, shift: (i32, i32)) -> (World, Vec<BodyId>) {
        let mut world = World::new(self.square.map(symmetry, shift), symmetry.settings());
        let ids = self.bodies.iter().map(|(shape, at)| {
            world.spawn(Body::new(symmetry.shape(*shape)).at(placed(symmetry, shift, *at))).unwrap()
        });
        let ids = ids.collect();
        (world, ids)
    }
}

fn placed(symmetry: Symmetry, shift: (i32, i32), at: Position) -> Position {
    let v = symmetry.vector(at.units()) + I64Vec2::new(i64::from(shift.0), i64::from(shift.1)) * ONE;
    units(v.x, v.y)
}

#[test]
fn mirrored_turned_and_shifted_scenes_give_the_same_results() {
    let mut random = Random(0x1A35);
    let (mut hits, mut ties) = (0, 0);
    for round in 0..often(3, 40) {
        let crowd = Crowd::new(&mut random, [0.1, 0.3, 0.6][round as usize % 3]);
        let plain = crowd.world(Symmetry(Placement::all().next().unwrap()), (0, 0));
        for symmetry in Symmetry::all() {
            let shift = random.pick(&[(0, 0), (1_000_003, -77_777), (-5, 9)]);
            let other = crowd.world(symmetry, shift);
            for i in 0..60 {
                let filter =
                    Filter { one_way: [OneWay::Front, OneWay::Both, OneWay::Ignore][i % 3], ..Filter::default() };
                let (from, way) = (point(&mut random, (-9, -9), (9, 9)), motion(&mut random, 12));
                let (to, turned) = (placed(symmetry, shift, from), symmetry.vector(way));
                let place = |at: Position| placed(symmetry, shift, at);
                let same = |a: Target, b: Target| match (a, b) {
                    (Target::Body(a), Target::Body(b)) => {
                        let index = |ids: &[BodyId], id| ids.iter().position(|own| *own == id);
                        index(&plain.1, a) == index(&other.1, b)
                    }
                    (Target::Terrain { tile: a, .. }, Target::Terrain { tile: b, .. }) => {
                        let a = symmetry.tile(a);
                        (a.0 + shift.0, a.1 + shift.1) == b
                    }
                    _ => false,
                };
                let close = |a: DVec2, b: DVec2| (symmetry.velocity(a) - b).length() < 1e-12;

                let a = plain.0.cast_ray(from, tiles(way), &filter);
                let b = other.0.cast_ray(to, tiles(turned), &filter);
                assert_eq!(
                    a.map(|hit| (hit.toi, place(hit.point))),
                    b.map(|hit| (hit.toi, hit.point)),
                    "{from:?} {way}"
                );
                if let (Some(a), Some(b)) = (a, b) {
                    hits += 1;
                    // The order of the tiles decides between several hits at the same time and angle.
                    ties += usize::from(!same(a.target, b.target) || !close(a.normal, b.normal));
                }
                let (mut all, mut others) = (Vec::new(), Vec::new());
                plain.0.cast_ray_all(from, tiles(way), &filter, &mut all);
                other.0.cast_ray_all(to, tiles(turned), &filter, &mut others);
                assert_eq!(all.len(), others.len());
                for a in &all {
                    let alike = |b: &&_| {
                        let b: &surefoot::query::RayHit = b;
                        b.toi == a.toi && same(a.target, b.target) && close(a.normal, b.normal)
                    };
                    assert!(others.iter().any(|b| alike(&b)), "{a:?} {others:?}");
                }

                let shape = random.pick(&[Shape::circle(0.3), Shape::aabb(0.25, 0.5)]);
                let a = plain.0.cast_shape(shape, from, tiles(way), &filter);
                let b = other.0.cast_shape(symmetry.shape(shape), to, tiles(turned), &filter);
                let told = |hit: surefoot::query::ShapeHit| (hit.toi, hit.position);
                assert_eq!(
                    a.map(told).map(|(toi, at)| (toi, place(at))),
                    b.map(told),
                    "{shape:?} {from:?} {way} {symmetry:?}"
                );

                let near = |world: &World, at| world.closest_surface(at, 4.0, &filter).map(|near| near.distance);
                assert_eq!(near(&plain.0, from), near(&other.0, to));
                assert_eq!(plain.0.query_point(from, &filter).is_some(), other.0.query_point(to, &filter).is_some());
                let end = place(units(from.units().x + way.x, from.units().y + way.y));
                let sees = plain.0.line_of_sight(from, units(from.units().x + way.x, from.units().y + way.y), &filter);
                assert_eq!(sees, other.0.line_of_sight(to, end, &filter));
                assert_eq!(sees, other.0.line_of_sight(end, to, &filter));

                let mut found = [Vec::new(), Vec::new()];
                let half = DVec2::new(0.75, 0.5);
                let turned_half = if symmetry.0.turns() % 2 == 1 { DVec2::new(half.y, half.x) } else { half };
                // Points on the lattice are exact in f64.
                let snapped = |at: Position| (at.to_dvec2() * 16.0).round() / 16.0;
                let center = snapped(from);
                let there = placed(symmetry, shift, Position::new(center.x, center.y).unwrap()).to_dvec2();
                plain.0.overlap(&Aabb::from_center(center, half).unwrap(), &filter, &mut found[0]);
                other.0.overlap(&Aabb::from_center(there, turned_half).unwrap(), &filter, &mut found[1]);
                let tiles = |found: &[Target]| found.iter().filter(|target| target.body().is_none()).count();
                assert_eq!(tiles(&found[0]), tiles(&found[1]), "{found:?}");
            }
        }
    }
    println!("{hits} hits, {ties} ties");
    assert!(hits > 500 && ties * 20 < hits, "{hits} {ties}");
}

#[test]
fn queries_change_nothing_and_allocate_nothing() {
    let mut random = Random(0xA110);
    let map = noise(&mut random, (64, 64), 0.1, Border::Solid);
    let mut world = world(&map);
    for i in 0..500 {
        let shape = if i % 2 == 0 { Shape::circle(0.3) } else { Shape::aabb(0.2, 0.4) };
        let at = point(&mut random, (1, 1), (63, 63));
        world.spawn(Body::new(shape).at(at).velocity((1.0, -2.0)).bounce(1.0)).unwrap();
    }
    let mut twin = world.clone();
    let (mut hits, mut found) = (Vec::with_capacity(100), Vec::with_capacity(100));
    let mut ask = |world: &World, random: &mut Random| {
        for _ in 0..50 {
            let (from, way) = (point(random, (0, 0), (64, 64)), motion(random, 60));
            let filter = Filter::default();
            let _ = world.cast_ray(from, tiles(way), &filter);
            let _ = world.cast_shape(Shape::circle(0.3), from, tiles(way / 30), &filter);
            let _ = world.cast_shape(Shape::aabb(0.3, 0.2), from, tiles(way / 30), &filter);
            let _ = (world.closest_surface(from, 3.0, &filter), world.query_point(from, &filter));
            let _ = world.line_of_sight(from, from + way, &filter);
            world.cast_ray_all(from, tiles(way / 10), &filter, &mut hits);
            world.overlap(&Aabb::from_center(from.to_dvec2(), DVec2::ONE).unwrap(), &filter, &mut found);
        }
    };
    let mut allocations = 0;
    for tick in 0..60 {
        world.step();
        twin.step();
        let counted = allocation_counter::measure(|| ask(&world, &mut random));
        if tick >= 10 {
            allocations += counted.count_total;
        }
        assert_eq!(world.checksum(), twin.checksum(), "tick {tick}");
    }
    assert_eq!(allocations, 0, "bodies are looked for anew in each tick, in the memory that there is");
}

#[test]
fn threads_can_share_a_world_for_queries() {
    fn is_shared<T: Send + Sync>(_: &T) {}
    let mut random = Random(0x7EAD);
    let map = noise(&mut random, (64, 64), 0.1, Border::Solid);
    let mut world = world(&map);
    is_shared(&world);
    for _ in 0..200 {
        world.spawn(Body::new(Shape::circle(0.3)).at(point(&mut random, (1, 1), (63, 63)))).unwrap();
    }
    let ask = |world: &World| {
        let mut random = Random(0xA5C);
        let ask = |_| {
            world.cast_ray(point(&mut random, (0, 0), (64, 64)), tiles(motion(&mut random, 60)), &Filter::default())
        };
        (0..500).map(ask).collect::<Vec<_>>()
    };
    let expected = ask(&world.clone());
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..4).map(|_| scope.spawn(|| ask(&world))).collect();
        asked.into_iter().for_each(|asked| assert_eq!(asked.join().unwrap(), expected));
    });
}

//! Overlap queries, compared with the oracle and with queries of each single tile. Nearest surfaces, compared with all
//! sides.

use super::witness::{Witness, distance_sq, height};
use super::{kind_of, noise, point, tiles, world};
use crate::prelude::*;
use crate::tunnelling::paint;
use surefoot::geometry::{Capsule, ConvexPolygon, Obb, Segment, Shape as _, Triangle, dvec2};
use surefoot_oracle as oracle;

fn tiles_of(found: &[Target]) -> BTreeSet<(i32, i32)> {
    let tiles = found.iter().filter_map(|target| match target {
        Target::Terrain { tile, .. } => Some(*tile),
        _ => None,
    });
    tiles.collect()
}

/// Each solid tile on its own in a scene of the oracle: boxes and circles overlap the tiles that the oracle names.
#[test]
fn boxes_and_circles_overlap_the_solids_that_the_oracle_says_they_overlap() {
    let mut random = Random(0x0E1A);
    let (mut overlapped, mut free) = (0, 0);
    for _ in 0..often(4, 40) {
        let map = noise(&mut random, (12, 12), 0.5, Border::Open);
        let world = world(&map);
        let solids: Vec<_> = (0..144)
            .map(|i| (i % 12, i / 12))
            .filter(|tile| kind_of(&map, *tile) == Some(PatternKind::Solid))
            .map(|tile| {
                let mut scene = oracle::Scene::new();
                paint(&mut scene, map.catalogue(), tile, map.variant_at(0, tile).unwrap());
                (tile, scene)
            })
            .collect();
        for _ in 0..60 {
            let at = point(&mut random, (0, 0), (12, 12));
            let size = random.pick(&[ONE / 16, ONE / 4, ONE / 2, 3 * ONE / 2, 5 * ONE]);
            let circle = random.one_in(2);
            let mut found = Vec::new();
            let filter = Filter { one_way: OneWay::Ignore, ..Filter::tiles() };
            let half = DVec2::splat(size as f64 / ONE as f64);
            // These numbers are exact in f64.
            let shape = if circle {
                world.overlap(&Circle::new(at.to_dvec2(), half.x).unwrap(), &filter, &mut found);
                oracle::Shape::Circle { radius: size }
            } else {
                world.overlap(&Aabb::from_center(at.to_dvec2(), half).unwrap(), &filter, &mut found);
                oracle::Shape::Box { half: (size, size) }
            };
            let found = tiles_of(&found);
            for (tile, scene) in &solids {
                let expected = scene.overlap(&shape, at.units().into()).is_some();
                assert_eq!(found.contains(tile), expected, "{shape:?} at {at:?}, tile {tile:?}");
                *(if expected { &mut overlapped } else { &mut free }) += 1;
            }
        }
    }
    assert!(overlapped > 300 && free > 300, "{overlapped} {free}");
}

/// Any geometry shape overlaps the tiles with an overlapped side, the overlapped bodies, and the solid that contains
/// its middle.
#[test]
fn any_shape_overlaps_what_it_overlaps_tile_by_tile() {
    let mut random = Random(0xA11);
    let mut count = [0; 2];
    for _ in 0..often(6, 60) {
        let map = noise(&mut random, (12, 12), 0.4, Border::Open);
        let mut world = world(&map);
        for _ in 0..60 {
            let at = point(&mut random, (0, 0), (12, 12));
            let shape = if random.one_in(2) { Shape::circle(0.3) } else { Shape::aabb(0.2, 0.5) };
            world.spawn(Body::new(shape).at(at)).unwrap();
        }
        let witness = Witness::new(&map, false);
        for i in 0..60 {
            let around = point(&mut random, (1, 1), (11, 11)).to_dvec2();
            let mut offset = || dvec2(random.range(-2.0, 2.0), random.range(-2.0, 2.0));
            let (a, b, c) = (around + offset(), around + offset(), around + offset());
            let mut found = Vec::new();
            macro_rules! check {
                ($shape:expr) => {{
                    let shape = $shape;
                    world.overlap(&shape, &Filter::default(), &mut found);
                    count[usize::from(found.is_empty())] += 1;
                    let expected = expected(
                        &world,
                        &witness,
                        |side| shape.overlaps(side),
                        |body| shape.overlaps(body),
                        |circle| shape.overlaps(circle),
                    );
                    let crossed: BTreeSet<_> = tiles_of(&found);
                    assert!(expected.0.is_subset(&crossed), "{shape:?}: {found:?}, {:?}", expected.0);
                    let bodies: Vec<_> = found.iter().filter_map(|target| target.body()).collect();
                    assert_eq!(bodies, expected.1, "{shape:?}");
                    // Every further tile must be a solid that contains the shape.
                    for tile in crossed.difference(&expected.0) {
                        assert_eq!(kind_of(&map, *tile), Some(PatternKind::Solid), "{shape:?} {tile:?}");
                    }
                }};
            }
            match i % 6 {
                0 => check!(Triangle::new([a, b, c]).unwrap()),
                1 => check!(Capsule::new(a, b, 0.3).unwrap()),
                2 => check!(Obb::new(a, dvec2(1.0, 0.25), b - a).unwrap()),
                3 => check!(
                    ConvexPolygon::new(&[a, a + dvec2(1.0, 0.0), a + dvec2(1.5, 1.0), a + dvec2(0.0, 1.0)]).unwrap()
                ),
                4 => check!(Segment::new(a, b).unwrap()),
                _ => check!(Circle::new(a, 1.25).unwrap()),
            }
        }
    }
    assert!(count[0] > 200, "{count:?}");
}

/// Returns the tiles with a visible side that the shape overlaps, and the overlapped bodies.
fn expected(
    world: &World,
    witness: &Witness,
    overlaps: impl Fn(&Segment) -> bool,
    on_box: impl Fn(&Aabb) -> bool,
    on_circle: impl Fn(&Circle) -> bool,
) -> (BTreeSet<(i32, i32)>, Vec<BodyId>) {
    let at = |v: (i128, i128)| dvec2(v.0 as f64, v.1 as f64) / ONE as f64;
    let sides = witness.sides.iter();
    let crossed = sides.filter(|side| overlaps(&Segment::new(at(side.a), at(side.b)).unwrap()));
    let bodies = world.bodies().filter(|(_, body)| {
        let (center, half) = (body.position().to_dvec2(), body.shape().half_extents());
        if body.shape().is_circle() {
            on_circle(&Circle::new(center, half.x).unwrap())
        } else {
            on_box(&Aabb::from_center(center, half).unwrap())
        }
    });
    (crossed.map(|side| side.tile).collect(), bodies.map(|(id, _)| id).collect())
}

#[test]
fn thin_shapes_and_huge_ones() {
    let mut world = World::new(map(&["....", ".##.", "...."]), Settings::default());
    let tiles_on = |a: (f64, f64), b: (f64, f64)| {
        let mut found = Vec::new();
        world.overlap(&Segment::new(a.into(), b.into()).unwrap(), &Filter::default(), &mut found);
        tiles_of(&found).into_iter().collect::<Vec<_>>()
    };
    assert_eq!(tiles_on((0.0, 0.0), (4.0, 4.0)), [(1, 1)], "through two corners of the block");
    assert_eq!(tiles_on((0.0, 1.0), (4.0, 1.0)), [], "along two undersides");
    assert_eq!(tiles_on((0.0, 1.5), (4.0, 1.5)), [(1, 1), (2, 1)]);
    assert_eq!(tiles_on((1.25, 1.25), (1.75, 1.5)), [(1, 1)], "inside of one");
    let mut found = Vec::new();
    let everything = Aabb::new(dvec2(-400.0, -400.0), dvec2(400.0, 400.0)).unwrap();
    world.overlap(&everything, &Filter::default(), &mut found);
    assert_eq!(found.len(), 2);
    world.overlap(&Aabb::new(dvec2(-9e6, -1.0), dvec2(9e6, 1.0)).unwrap(), &Filter::default(), &mut found);
    assert_eq!(found, [], "wider than a query goes");
    // A filter also selects bodies by their collision layers.
    let ball =
        world.spawn(Body::new(Shape::circle(0.5)).at((0.5, 0.5)).collision_layers(CollisionLayers::FIRST)).unwrap();
    world.overlap(&everything, &Filter::bodies(CollisionLayers::FIRST), &mut found);
    assert_eq!(found, [Target::Body(ball)]);
    world.overlap(&everything, &Filter::bodies(CollisionLayers(0b110)), &mut found);
    assert_eq!(found, []);
}

#[test]
fn the_nearest_surface_is_the_nearest_of_all_sides() {
    let mut random = Random(0xC105);
    let mut count = 0;
    for round in 0..often(8, 80) {
        let filled = [0.02, 0.1, 0.4, 0.8][round as usize % 4];
        let map = noise(&mut random, (24, 24), filled, Border::Open);
        let (world, witness) = (world(&map), Witness::new(&map, false));
        for i in 0..100 {
            let at = point(&mut random, (-4, -4), (28, 28));
            let radius = random.pick(&[0.5, 2.0, 8.0, 64.0]);
            let one_way = [OneWay::Front, OneWay::Both, OneWay::Ignore][i % 3];
            let near = world.closest_surface(at, radius, &Filter { one_way, ..Filter::tiles() });
            let sides = witness.sides.iter().filter(|side| match side.kind {
                PatternKind::Solid => true,
                PatternKind::Wall => height(side, at.units()) >= 0,
                PatternKind::Open => {
                    one_way == OneWay::Both || one_way == OneWay::Front && height(side, at.units()) >= 0
                }
            });
            let least =
                sides.map(|side| distance_sq(side, at.units()).sqrt() / ONE as f64).fold(f64::INFINITY, f64::min);
            let Some(near) = near else {
                assert!(least > radius - 1e-9, "{at:?} {radius} {one_way:?}: {least}");
                continue;
            };
            assert!((near.distance - least).abs() < 1e-9 && near.distance <= radius, "{at:?}: {near:?}, {least}");
            let way: I64Vec2 = near.point - at;
            assert!((tiles(way).length() - near.distance).abs() < 1e-9, "{at:?}: {near:?}");
            assert!((near.normal.length() - 1.0).abs() < 1e-9);
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

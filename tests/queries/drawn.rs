//! Queries on maps drawn by hand, with results computed by hand.

use crate::prelude::*;

fn yard() -> World {
    //  y = 3 ......
    //  y = 2 ..--..
    //  y = 1 #...#.
    //  y = 0 ###/##
    World::new(map(&["......", "..--..", "#...#.", "###/##"]), Settings::default())
}

fn toi(world: &World, from: (f64, f64), way: (f64, f64), one_way: OneWay) -> Option<f64> {
    let filter = Filter { one_way, ..Filter::tiles() };
    world.cast_ray(position(from.0, from.1), way, &filter).map(|hit| hit.toi)
}

#[test]
fn boundaries_of_a_ray() {
    let world = yard();
    let front = |from, way| toi(&world, from, way, OneWay::Front);
    // The floor under (1.5, 2) has its top at y = 1.
    assert_eq!(front((1.5, 2.0), (0.0, -2.0)), Some(0.5));
    assert_eq!(front((1.5, 2.0), (0.0, -1.0)), None, "it ends on the top");
    assert_eq!(front((1.5, 1.0), (0.0, -1.0)), Some(0.0), "it starts on the top and goes in");
    assert_eq!(front((1.5, 1.0), (0.0, 1.0)), None, "it starts on the top and goes off");
    assert_eq!(front((1.5, 0.5), (0.0, 1.5)), None, "it leaves the solid in which it starts");
    assert_eq!(
        front((1.5, 0.5), (2.75, 1.0)),
        Some(2.5 / 2.75),
        "it leaves a solid for another one: the wall at x = 4"
    );
    assert_eq!(front((1.25, 1.0), (1.5, 0.0)), None, "it goes along the top");
    assert_eq!(front((1.5, 2.0), (0.0, 0.0)), None);
    // The ray hits the corner of the block at (0, 1), whose upper right corner is at (1, 2): it moves against the top
    // there.
    assert_eq!(front((0.5, 2.5), (1.0, -1.0)), Some(0.5));
    assert_eq!(front((0.5, 2.5), (1.25, -1.0)), None, "it passes beside the corner");
    for bad in [(f64::NAN, 1.0), (f64::INFINITY, -1.0)] {
        assert_eq!(front((1.5, 2.0), bad), None);
    }
    // A motion of 4000 tiles is shortened to 1000: the top is 1 tile down.
    assert_eq!(front((1.5, 2.0), (0.0, -4000.0)), Some(1.0 / 1000.0));
}

#[test]
fn one_way_edges_count_by_the_filter() {
    let world = yard();
    // The one-way edge's top is at y = 3, over x = 2 to 4.
    let (above, below) = (((2.5, 3.5), (0.0, -1.0)), ((2.5, 2.5), (0.0, 1.0)));
    assert_eq!(toi(&world, above.0, above.1, OneWay::Front), Some(0.5));
    assert_eq!(toi(&world, below.0, below.1, OneWay::Front), None);
    assert_eq!(toi(&world, below.0, below.1, OneWay::Both), Some(0.5));
    assert_eq!(toi(&world, above.0, above.1, OneWay::Ignore), None);
    let hit = world.cast_ray(position(2.5, 2.5), (0.0, 1.0), &Filter { one_way: OneWay::Both, ..Filter::tiles() });
    assert_eq!(hit.map(|hit| hit.normal.into()), Some((0.0, -1.0)), "the normal is against the ray");
}

#[test]
fn line_of_sight_is_the_same_from_both_ends() {
    let world = yard();
    let sees = |a: (f64, f64), b: (f64, f64)| {
        let (a, b) = (position(a.0, a.1), position(b.0, b.1));
        let sees = world.line_of_sight(a, b, &Filter::tiles());
        assert_eq!(sees, world.line_of_sight(b, a, &Filter::tiles()), "{a:?} {b:?}");
        sees
    };
    assert!(sees((1.5, 1.5), (3.5, 1.5)));
    assert!(!sees((1.5, 1.5), (5.5, 1.5)), "the block at (4, 1) is between");
    assert!(sees((1.25, 1.0), (2.75, 1.0)), "along the floor");
    assert!(!sees((1.5, 0.5), (1.5, 2.0)), "one is in the floor");
    assert!(!sees((2.5, 2.5), (2.5, 3.5)), "the ledge is met from above");
    assert!(sees((5.5, 5.0), (5.5, 5.0)), "the same point");
    let far = position(2000.0, 5.0);
    assert!(!world.line_of_sight(position(0.0, 5.0), far, &Filter::tiles()), "more than 1000 tiles");
}

#[test]
fn queries_at_a_point() {
    let world = yard();
    let at = |x, y| world.query_point(position(x, y), &Filter::default());
    let tile = |x, y| match at(x, y) {
        Some(Target::Terrain { tile, .. }) => Some(tile),
        _ => None,
    };
    assert_eq!(tile(1.5, 0.5), Some((1, 0)));
    assert_eq!(tile(1.5, 1.0), Some((1, 0)), "its top belongs to it");
    assert_eq!(tile(2.0, 0.5), Some((1, 0)), "of two the left one");
    // The slope rises from (3, 0) to (4, 1).
    assert_eq!((tile(3.25, 0.25), tile(3.25, 0.3125)), (Some((3, 0)), None));
    assert_eq!((tile(2.5, 3.0), tile(2.5, 2.75)), (Some((2, 2)), None), "a ledge is its edge alone");
    let without = Filter { one_way: OneWay::Ignore, ..Filter::default() };
    assert_eq!(world.query_point(position(2.5, 3.0), &without), None);
}

#[test]
fn the_nearest_surface() {
    let world = yard();
    let nearest = |x, y, radius| world.closest_surface(position(x, y), radius, &Filter::default());
    let told = |x, y, radius| nearest(x, y, radius).map(|near| (near.distance, near.point, near.normal.into()));
    // The points are above the floor, and between the walls at x = 1 and x = 4.
    assert_eq!(told(2.25, 1.5, 5.0), Some((0.5, position(2.25, 1.0), (0.0, 1.0))));
    assert_eq!(told(1.25, 1.5, 5.0), Some((0.25, position(1.0, 1.5), (1.0, 0.0))));
    assert_eq!(told(1.25, 1.5, 0.25), told(1.25, 1.5, 5.0), "a surface at the radius counts");
    assert_eq!(told(1.25, 1.5, 0.2), None);
    // Inside the floor: its underside is as near as its top, and lower.
    assert_eq!(told(1.5, 0.25, 5.0), Some((0.25, position(1.5, 0.0), (0.0, -1.0))));
    // The nearest point is the corner at (6, 1): 3/8 to the left and 4/8 down, so 5/8 away.
    let near = nearest(6.375, 1.5, 5.0).unwrap();
    assert_eq!((near.distance, near.point), (0.625, position(6.0, 1.0)));
    assert!((near.normal - surefoot::geometry::dvec2(0.6, 0.8)).length() < 1e-15);
    // From below, the one-way edge at y = 3 does not exist.
    assert_eq!(told(2.5, 2.75, 0.5), None);
    assert_eq!(told(2.5, 3.25, 0.5).map(|told| told.0), Some(0.25));
    for radius in [f64::NAN, -1.0] {
        assert_eq!(told(1.5, 1.5, radius), None);
    }
    assert!(nearest(1.5, 60.0, f64::INFINITY).is_some());
    assert!(nearest(1.5, 80.0, f64::INFINITY).is_none(), "no further than 64 tiles");
}

#[test]
fn queries_see_platforms_after_the_last_step() {
    let mut world =
        World::new(map(&["........", "........", "........"]), Settings { tick: 0.25, ..Settings::default() });
    let path = along(4.0, 0.0, 2.0);
    let block = Platform::from_rows(world.map(), ["#"]).unwrap().at((0.0, 1.0)).path(path);
    let block = world.spawn_platform(block).unwrap();
    let side = |world: &World| {
        let hit = world.cast_ray(position(7.5, 1.5), (-7.5, 0.0), &Filter::default()).unwrap();
        assert!(matches!(hit.target, Target::Platform { platform, tile: (0, 0), .. } if platform == block));
        hit.point.to_dvec2().x
    };
    assert_eq!(side(&world), 1.0);
    world.step();
    assert_eq!(side(&world), 1.5, "2 tiles a second, a quarter of a second");
    let hit = world.cast_shape(Shape::aabb(0.25, 0.25), position(5.0, 1.5), (-4.0, 0.0), &Filter::default()).unwrap();
    assert_eq!((hit.toi, hit.position), (3.25 / 4.0, position(1.75, 1.5)));
    let near = world.closest_surface(position(3.0, 1.5), 5.0, &Filter::default()).unwrap();
    assert_eq!((near.distance, near.point), (1.5, position(1.5, 1.5)));
    assert!(world.query_point(position(1.5, 1.5), &Filter::default()).is_some());
    let none = Filter { platforms: false, ..Filter::default() };
    let except = Filter { exclude_platforms: &[block], ..Filter::default() };
    for filter in [none, except] {
        assert_eq!(world.cast_ray(position(7.5, 1.5), (-7.5, 0.0), &filter), None);
        assert_eq!(world.cast_shape(Shape::aabb(0.25, 0.25), position(5.0, 1.5), (-4.0, 0.0), &filter), None);
        assert_eq!(world.query_point(position(1.5, 1.5), &filter), None);
    }
    let alone = Filter { terrain: false, ..Filter::default() };
    assert!(world.cast_shape(Shape::aabb(0.25, 0.25), position(5.0, 1.5), (-4.0, 0.0), &alone).is_some());
    world.despawn_platform(block).unwrap();
    let other = Platform::from_rows(world.map(), ["#"]).unwrap().at((1.0, 1.0));
    world.spawn_platform(other).unwrap();
    assert!(world.cast_ray(position(7.5, 1.5), (-7.5, 0.0), &except).is_some(), "one that is gone excludes nothing");
}

//! Walkers neither get stuck in corners nor crawl over tips.

use crate::scene::{map, map_with, position, units};
use crate::table::pairs;
use surefoot::prelude::*;
use surefoot::{Input, Map, World, geometry::DVec2};

/// Returns how far a walker moves in some ticks, and the most path parts in one tick.
fn walk(
    map: &Map,
    shape: Shape,
    at: Position,
    velocity: (f64, f64),
    walk: i8,
    ticks: u32,
) -> (Vec<Position>, usize, World, BodyId) {
    let mut world = World::new(map.clone(), Settings::default());
    let hero = world.spawn(Body::new(shape).at(at).velocity(velocity).character(Character::default())).unwrap();
    world.set_input(hero, Input { walk, ..Input::default() });
    let mut most = 0;
    let way = (0..ticks)
        .map(|_| {
            world.step();
            most = most.max(world[hero].path().len());
            world[hero].position()
        })
        .collect();
    (way, most, world, hero)
}

#[test]
fn a_box_does_not_hang_in_front_of_the_curve_of_a_pipe() {
    let rows = ["........", "........", "........", "@......J", "########"];
    let map = map(&rows);
    for start in 0..200 {
        let at = position(4.0 + f64::from(start) * 0.0071, 1.45);
        for speed in [13, 21, 64, 127] {
            let (way, ..) = walk(&map, Shape::aabb(0.35, 0.45), at, (0.0, 0.0), speed, 300);
            // The first two sides of the curve, up to 45 degrees, are floor: the walker ends higher than it started.
            let end = way.last().unwrap().to_dvec2();
            assert!(end.y > 1.5 && end.x > 6.7, "from {at} at {speed} it stops at {end}");
        }
    }
}

#[test]
fn a_box_that_walks_units_above_its_floor_does_not_hang_there_either() {
    let map = map_with(&["........", "........", "........", "@..C...J", "########"], "legend: {'C': \"caltrop\"}");
    let terrain = Terrain::bake(&map);
    let mover = Mover::new(&terrain);
    for (gap, start) in pairs(0..4, 0..100) {
        let foot = position(5.0 + f64::from(start) * 0.0071, 1.45).units();
        let mut at = units(foot.x, foot.y + gap);
        for _ in 0..300 {
            at = mover.walk(Shape::aabb(0.35, 0.45), at, 0.022).position;
        }
        assert!(at.to_dvec2().y > 1.52, "from {foot}, {gap} units above, it stops at {at}");
    }
}

#[test]
fn a_circle_passes_over_the_tip_of_a_one_way_side_in_a_few_parts() {
    let map = map_with(&["........", "....T...", "########"], "legend: {'T': \"one_way r3\"}");
    for height in 0..200 {
        let at = position(3.7, 2.0 + f64::from(height) * 0.001);
        let (_, most, ..) = walk(&map, Shape::circle(0.2), at, (4.0, 0.0), 127, 40);
        assert!(most <= 12, "{most} parts in a tick from {at}");
    }
}

#[test]
fn a_character_stands_on_a_flat_floor_with_no_gap() {
    let map = map(&["....", "....", "####"]);
    for height in 0..300 {
        let at = units(position(1.5, 0.0).units().x, position(0.0, 1.46).units().y + height * 7_654_321);
        let (way, _, world, hero) = walk(&map, Shape::aabb(0.35, 0.45), at, (0.0, 0.0), 0, 60);
        assert_eq!(*way.last().unwrap(), position(1.5, 1.45));
        assert_eq!(world[hero].velocity(), DVec2::ZERO);
    }
}

#[test]
fn every_bounce_is_an_event() {
    let map = map(&["........", "........", "........", "########"]);
    for height in 0..400 {
        let mut world = World::new(map.clone(), Settings::default());
        let at = units(position(1.5, 0.0).units().x, position(0.0, 1.6).units().y + height * 7_654_321);
        let ball = world.spawn(Body::new(Shape::circle(0.45)).at(at).bounce(0.5)).unwrap();
        for _ in 0..120 {
            let before = world[ball].velocity().y;
            world.step();
            let thrown = before < 0.0 && world[ball].velocity().y > 0.0;
            let hit =
                world.events().iter().any(|event| matches!(event.kind, EventKind::HitTile { side: Side::Floor, .. }));
            assert!(hit || !thrown, "from {at}, tick {}", world.tick());
        }
    }
}

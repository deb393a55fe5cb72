//! Changed maps in running worlds: what is edited, what needs a new world, and what stays.

use std::sync::Arc;
use surefoot::prelude::*;
use surefoot::{Map, World};
use surefoot_import::{Applied, MapChange, Report};

const LEGEND: &str = r#"
    'w': (body: (kind: "walker", shape: Aabb(0.35, 0.45), character: ())),
    'm': (tile: "full_block", material: (friction: 2.0)),
    'c': (area: (tag: "coin", shape: Circle(0.4))),
"#;

fn map(legend: &str, bodies: &str, rows: [&str; 3]) -> Arc<Map> {
    let text = format!(r#"Map(format: 1, legend: {{{legend}}}, bodies: [{bodies}], tiles: {rows:?})"#);
    Arc::new(Map::from_ron(&text).expect("a map"))
}

fn change(before: &Arc<Map>, after: &Arc<Map>) -> MapChange {
    MapChange { before: before.clone(), after: after.clone(), report: Report::default() }
}

const GUARD: &str = r#"(name: "guard", kind: "guard", at: (6.5, 1.45), shape: Aabb(0.35, 0.45), character: ())"#;

#[test]
fn more_than_tiles_needs_a_new_world() {
    let before = map(LEGEND, GUARD, ["........", ".w....m.", "########"]);
    let world = World::from_map(before.clone(), Settings::default());
    let edits = |after: &Arc<Map>| change(&before, after).edits(&world).map(|edits| edits.len());
    assert_eq!(edits(&before), Some(0));
    assert_eq!(edits(&map(LEGEND, GUARD, ["..m..#..", ".w......", "########"])), Some(3));
    // The legend may be in another order.
    let lines: Vec<&str> = LEGEND.lines().rev().collect();
    assert_eq!(edits(&map(&lines.join("\n"), GUARD, ["..m.....", ".w....m.", "########"])), Some(1));
    for (legend, bodies, rows) in [
        (LEGEND, GUARD, ["........", "..w...m.", "########"]),
        (LEGEND, GUARD, [".c......", ".w....m.", "########"]),
        (LEGEND, GUARD, ["........", ".w....m*", "########"]),
        (LEGEND, "", ["........", ".w....m.", "########"]),
        (LEGEND, GUARD, ["...........", ".w....m....", "###########"]),
        (&LEGEND.replace("2.0", "3.0"), GUARD, ["........", ".w....m.", "########"]),
    ] {
        assert_eq!(edits(&map(legend, bodies, rows)), None, "{rows:?}");
    }
}

#[test]
fn bodies_stay_and_things_are_taken_over() {
    let before = map(LEGEND, GUARD, ["........", ".w.w....", "########"]);
    let mut world = World::from_map(before.clone(), Settings::default());
    let (first, second) = (world.find_body("walker 1,1").expect("it"), world.find_body("walker 3,1").expect("it"));
    let guard = world.find_body("guard").expect("it");
    let ball = world.spawn(Body::new(Shape::circle(0.2)).at((4.5, 2.5)).velocity((3.0, 1.0))).expect("a ball");
    world.set_input(first, surefoot::Input::walk(0.5));
    for _ in 0..8 {
        world.step();
    }
    world.despawn(second).expect("it is there");
    world.set_tile(0, (7, 2), before.find_tile('#').expect("a tile")).expect("a tile");
    world.set_tile(0, (0, 2), before.find_tile('#').expect("a tile")).expect("a tile");
    let state = |world: &World, id: BodyId| (world[id].position(), world[id].velocity(), world[id].input());
    let expected = [first, guard, ball].map(|id| state(&world, id));

    // The changed map has a coin, a third walker, a heavier guard, and a slope where the game has placed a block.
    let heavy = GUARD.replace("kind", "mass: 4.0, kind");
    let after = map(LEGEND, &heavy, ["/..c....", ".w.w.w..", "########"]);
    let Applied::Rebuilt(ids) = change(&before, &after).apply(&mut world).expect("it fits") else {
        panic!("things need a new world");
    };
    assert_eq!([first, guard, ball].map(|id| state(&world, ids[&id])), expected);
    assert_eq!(ids.len(), 3);
    assert_eq!(world.find_body("walker 1,1"), Some(ids[&first]));
    assert_eq!((world[ids[&guard]].body().mass, world.find_body("walker 3,1")), (4.0, None));
    assert!(world.find_body("walker 5,1").is_some());
    assert_eq!((world.bodies().count(), world.areas_tagged("coin").count(), world.tick()), (4, 1, 0));
    assert_eq!(world.tile_at(0, (7, 2)), after.find_tile('#'), "what the game has built stays");
    assert_eq!(world.tile_at(0, (0, 2)), after.find_tile('/'), "what the map has changed comes");
}

/// After a change, a body moves like one that was spawned there in a new world.
#[test]
fn a_body_that_stays_moves_like_a_new_one() {
    let before = map(LEGEND, "", ["........", "........", "########"]);
    let after = map(LEGEND, "", ["....c...", "......m.", "########"]);
    let mut world = World::new(before.clone(), Settings::default());
    let ball = Body::new(Shape::circle(0.2)).velocity((5.0, -2.0)).bounce(0.5);
    let id = world.spawn(ball.clone().at((1.5, 2.2))).expect("a ball");
    for _ in 0..15 {
        world.step();
    }
    let mut fresh = World::new(after.clone(), Settings::default());
    let there = ball.at(world[id].position()).velocity(world[id].velocity());
    let own = fresh.spawn(there).expect("a ball");
    let Applied::Rebuilt(ids) = change(&before, &after).apply(&mut world).expect("it fits") else {
        panic!("an area needs a new world");
    };
    for tick in 0..60 {
        world.step();
        fresh.step();
        let now = |world: &World, id: BodyId| (world[id].position(), world[id].velocity());
        assert_eq!(now(&world, ids[&id]), now(&fresh, own), "tick {tick}");
    }
}

#[test]
fn two_layers_change_in_any_order() {
    let two = |back: &str, front: &str| {
        let text =
            format!(r##"Map(format: 1, layers: [(name: "a", tiles: ["{back}"]), (name: "b", tiles: ["{front}"])])"##);
        Arc::new(Map::from_ron(&text).expect("a map"))
    };
    let (one, other) = (two("#./", "..."), two("...", "/.#"));
    for (before, after) in [(&one, &other), (&other, &one)] {
        let mut world = World::new(before.clone(), Settings::default());
        change(before, after).apply(&mut world).expect("it fits");
        for (layer, x) in [(0, 0), (0, 2), (1, 0), (1, 2)] {
            let kind = |map: &Map, id: Option<surefoot::map::TileId>| map.kind(id.expect("a tile")).cloned();
            let now = kind(world.map(), world.tile_at(layer, (x, 0)));
            assert_eq!(now, kind(after, after.tile_at(layer, (x, 0))), "layer {layer}, column {x}");
        }
    }
}

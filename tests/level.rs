//! Platforms flush with the terrain next to them act as terrain. An offset of one unit acts as a step.

use crate::platforms::{at, floor, hero, path, rows};
use crate::scene::{I64Vec2, ONE, map_with};
use crate::table::pairs;
use surefoot::map::TileId;
use surefoot::platform::{Path, Platform};
use surefoot::prelude::*;
use surefoot::{Input, Map, World, geometry::DVec2};

/// State and events of a body in a tick, to the bit, except for the platform or tile that it hit.
fn moment(world: &World, id: BodyId) -> (Position, DVec2, bool, Vec<String>) {
    let told = world.events().iter().filter(|event| event.body == id).map(|event| match event.kind {
        EventKind::HitTile { side, speed, normal, position, .. } => format!("{side:?} {speed} {normal} {position}"),
        kind => kind.name().to_owned(),
    });
    let state = &world[id];
    (state.position(), state.velocity(), state.on_floor(), told.collect())
}

/// A floor with a hole of three tiles, x = 5 to 8.
fn holed() -> Map {
    let mut parts = floor().into_parts();
    parts.layers[0].cells[105..108].fill(TileId::EMPTY);
    Map::from_parts(parts).unwrap()
}

/// A platform at rest in the hole, and one that waits there after a path from below.
#[test]
fn a_platform_flush_with_a_floor_acts_as_the_floor() {
    let aabb = Body::new(Shape::aabb(0.3, 0.3));
    let bodies = [
        hero(),
        Body::new(Shape::circle(0.4)).character(Character::default()),
        Body::new(Shape::circle(0.3)).velocity((5.0, 0.0)),
        aabb.clone().velocity((5.0, -3.0)).bounce(0.8),
        aabb.clone().velocity((7.0, -1.0)).friction(0.05),
        aabb.clone().velocity((5.0, -1.0)).friction(0.05).bounce(0.5),
        // The body stops where it first touches the floor, at the joint of floor and platform.
        aabb.clone().velocity((37.0, -2.0)).response(Response::Stop),
        aabb.velocity((6.0, 2.0)).response(Response::Pass),
        Body::new(Shape::aabb(1.6, 0.2)).velocity((4.0, 0.0)),
    ];
    for (body, comes) in pairs(bodies, [false, true]) {
        let mut worlds = [floor(), holed()].map(|map| World::new(map, Settings::default()));
        let filling = rows(worlds[1].map(), &["###"], 5.0, 0.0);
        let way = Path { wait: 10.0, ..path(&[(0.0, -4.0), (0.0, 0.0)], 8.0) };
        let filling = worlds[1].spawn_platform(if comes { filling.path(way) } else { filling }).unwrap();
        // The platform waits for 600 ticks and moves up for 30.
        for _ in 0..if comes { 640 } else { 0 } {
            worlds.iter_mut().for_each(World::step);
        }
        assert_eq!(worlds[1].platform(filling).unwrap().position(), at(5.0, 0.0));
        let ids = worlds.each_mut().map(|world| world.spawn(body.clone().at((2.0, 1.6))).unwrap());
        let mut is_over = false;
        for tick in 0..240 {
            for (world, id) in worlds.iter_mut().zip(ids) {
                world.set_input(id, Input { walk: 127, jump: tick % 50 > 40, ..Input::default() });
                world.step();
            }
            let [one, other] = [0, 1].map(|i| moment(&worlds[i], ids[i]));
            assert_eq!(one, other, "tick {tick} {comes} {body:?}");
            is_over |= worlds[1].platform_under(ids[1]) == Some(filling);
        }
        assert_eq!(is_over, body.response != Response::Pass, "{comes} {body:?}");
    }
}

/// A platform one unit higher is a wall: a body on the floor hits it once and stops. A lower one is a step down, and a
/// wall at its other end for a body that gravity presses to the floor. A walker stands on floors up to 16 units below
/// it, so it crosses such a platform without a change.
#[test]
fn a_platform_a_unit_off_the_floor_is_a_step() {
    let aabb = || Body::new(Shape::aabb(0.3, 0.3));
    let bodies = [
        hero(),
        aabb().character(Character::default()),
        aabb().velocity((5.0, 0.0)),
        aabb().velocity((9.0, 0.0)).friction(0.05),
        // Gravity would make the body touch the floor and stop. Without it, the body moves along the floor, and
        // straight over lower parts.
        aabb().velocity((5.0, 0.0)).response(Response::Stop).gravity_scale(0.0),
        aabb().velocity((5.0, 0.0)).bounce(0.5),
    ];
    for (body, up) in pairs(bodies, [1, -1, -16, -17]) {
        let map = holed();
        let corner = at(5.0, 0.0) + I64Vec2::Y * up;
        let filling = rows(&map, &["###"], 0.0, 0.0).at(corner);
        let mut world = World::new(map, Settings::default());
        let filling = world.spawn_platform(filling).unwrap();
        let half = at(body.shape.half_extents().x, body.shape.half_extents().y).units();
        let (walks, response) = (body.character.is_some(), body.response);
        let body = world.spawn(body.clone().at(at(2.0, 1.0) + half * I64Vec2::Y)).unwrap();
        let mut hits = Vec::new();
        let mut lowest = 0;
        // The body stops at the side of a higher platform, or at the floor behind a lower one.
        let wall = if up > 0 { 5 } else { 8 } * ONE - half.x;
        let floats = response == Response::Stop;
        let passes = walks && (-16..0).contains(&up) || floats && up < 0;
        for tick in 0..240 {
            world.set_input(body, Input { walk: 127, ..Input::default() });
            world.step();
            let place = world[body].position().units();
            assert!(place.x <= wall || passes, "{up} tick {tick} {:?}", world[body].body());
            lowest = lowest.min(place.y - half.y - ONE);
            for event in world.events() {
                match event.kind {
                    EventKind::HitTile { side, platform, normal, .. } => hits.push((side, platform, normal)),
                    // A body that is not a walker may be in the air for a tick as it steps down.
                    EventKind::Landed { .. } | EventKind::LeftFloor => assert!(!walks && up < 0, "{up} {event:?}"),
                    _ => panic!("{event:?}"),
                }
            }
        }
        let what = format!("{up} {:?}", world[body].body());
        let met = if up > 0 { Some(filling) } else { None };
        let expected = (Side::WallRight, met, DVec2::NEG_X);
        hits.retain(|hit| hit.0 != Side::Floor);
        if let Response::Bounce(_) = response {
            // The body comes back from the wall. If the platform is lower, the floor is a step in that direction. So
            // only the first hit counts.
            hits.truncate(1);
        }
        if passes {
            assert_eq!((hits, lowest), (vec![], 0), "{what}");
            assert!(world[body].position().units().x > wall, "{what}");
        } else {
            assert_eq!((hits, lowest), (vec![expected], up.min(0)), "{what}");
            let is_flush = world[body].position().units().x == wall;
            assert!(is_flush || matches!(response, Response::Bounce(_)), "{what}");
        }
    }
}

/// A slope of 40 columns, 45 degrees or 1:2, whose lower left end is at the origin. The named columns form a separate
/// piece.
struct Slope {
    whole: Map,
    holed: Map,
    piece: Platform,
    rises: i32,
}

impl Slope {
    fn new(gentle: bool, hole: std::ops::Range<i32>) -> Slope {
        let (width, height) = (40, if gentle { 32 } else { 52 });
        let tile = |x: i32, y: i32| {
            let top = if gentle { x / 2 } else { x };
            match (y - top, gentle) {
                (0, false) => '/',
                (0, true) if x % 2 == 0 => '1',
                (0, true) => '2',
                (..0, _) => '#',
                _ => '.',
            }
        };
        let draw = |is_there: &dyn Fn(i32, i32) -> bool| -> Vec<String> {
            let row = |y: i32| (0..width).map(|x| if is_there(x, y) { tile(x, y) } else { '.' }).collect();
            (0..height).rev().map(row).collect()
        };
        let map = |rows: &[String]| map_with(&rows.iter().map(String::as_str).collect::<Vec<_>>(), "");
        // The hole is three tiles deep.
        let bottom = if gentle { hole.start / 2 } else { hole.start } - 3;
        let is_in = |x: i32, y: i32| hole.contains(&x) && y >= bottom;
        let whole = map(&draw(&|_, _| true));
        let holed = map(&draw(&|x, y| !is_in(x, y)));
        let piece = Platform::from_rows(&whole, draw(&is_in)).unwrap();
        Slope { whole, holed, piece, rises: if gentle { 2 } else { 1 } }
    }
}

/// A piece of a slope arrives from above, waits for four seconds where it is flush with the rest, and leaves sideways.
/// While it waits, bodies that walk, roll and slide over both joints have the same bits as on the whole slope.
#[test]
fn a_platform_flush_with_a_slope_acts_as_the_slope() {
    for gentle in [false, true] {
        let slope = Slope::new(gentle, 18..22);
        let middle = 20.0 / f64::from(slope.rises);
        let aabb = || Body::new(Shape::aabb(0.3, 0.3));
        let ball = || Body::new(Shape::circle(0.35));
        let walks = |body: Body| body.character(Character::default());
        // On 45 degrees or less, a box and a circle touch surfaces at most this far below their centres.
        let above = middle + 1.5;
        let cases = [
            (walks(aabb()).at((14.0, above - 6.0 / f64::from(slope.rises))), 127),
            (walks(ball()).at((14.0, above - 6.0 / f64::from(slope.rises))), 127),
            (walks(aabb()).at((26.0, above + 6.0 / f64::from(slope.rises))), -127),
            (walks(ball()).at((26.0, above + 6.0 / f64::from(slope.rises))), -127),
            (walks(aabb()).at((19.5, above)), 0),
            (ball().at((26.0, above + 6.0 / f64::from(slope.rises))), 0),
            (ball().bounce(0.6).at((23.0, above + 4.0 / f64::from(slope.rises))), 0),
            (aabb().at((26.0, above + 6.0 / f64::from(slope.rises))), 0),
            (aabb().friction(0.3).at((24.0, above + 4.0 / f64::from(slope.rises))), 0),
            (aabb().friction(2.0).at((18.0, above)), 0),
            (aabb().response(Response::Stop).at((18.0, above)), 0),
        ];
        for (body, walk) in cases {
            let way = Path { wait: 4.0, ..path(&[(0.0, 9.0), (0.0, 0.0), (-3.0, 7.0)], 6.0) };
            let mut worlds = [&slope.whole, &slope.holed].map(|map| World::new(map.clone(), Settings::default()));
            let piece = worlds[1].spawn_platform(slope.piece.clone().path(way)).unwrap();
            // The piece waits at its first point for four seconds, and moves down for 90 ticks.
            for _ in 0..330 {
                worlds.iter_mut().for_each(World::step);
            }
            assert_eq!(worlds[1].platform(piece).unwrap().position(), Position::ORIGIN);
            let ids = worlds.each_mut().map(|world| world.spawn(body.clone()).unwrap());
            let mut rides = 0;
            for tick in 0..235 {
                for (world, id) in worlds.iter_mut().zip(ids) {
                    // The character jumps once.
                    world.set_input(id, Input { walk, jump: tick == 90, ..Input::default() });
                    world.step();
                }
                let [one, other] = [0, 1].map(|i| moment(&worlds[i], ids[i]));
                assert_eq!(one, other, "{gentle} tick {tick} {body:?}");
                rides += u32::from(worlds[1].platform_under(ids[1]) == Some(piece));
            }
            assert!(rides > 0 || matches!(body.response, Response::Bounce(_)), "{gentle} {body:?}");
            assert_eq!(worlds[1].platform(piece).unwrap().position(), Position::ORIGIN);
            // A body still on the piece leaves with it.
            let is_on = worlds[1].platform_under(ids[1]) == Some(piece);
            let off = |world: &World| world[ids[1]].position() - world.platform(piece).unwrap().position();
            let before = off(&worlds[1]);
            for _ in 0..30 {
                worlds[1].step();
            }
            assert_ne!(worlds[1].platform(piece).unwrap().position(), Position::ORIGIN);
            if is_on && worlds[1][ids[1]].relative_velocity() == DVec2::ZERO {
                assert_eq!(off(&worlds[1]), before, "{gentle} {body:?}");
            }
        }
    }
}

//! Conveyor belts: a body on a belt moves with it by whole units, and keeps its velocity where the belt ends.

use crate::scene::{Canvas, I64Vec2, ONE, body_events, gentle, map_with, position};
use crate::surfaces::painted;
use crate::symmetry::Symmetry;
use crate::table::{all_ways, all_ways_of, pairs};
use surefoot::body::PlatformVelocity;
use surefoot::map::{MapParts, Material};
use surefoot::platform::{Path, PathTiming, Platform};
use surefoot::prelude::*;
use surefoot::{Input, Map, World, geometry::DVec2};

const TICK: f64 = 1.0 / 60.0;
const LIFTS: [PlatformVelocity; 3] = [PlatformVelocity::All, PlatformVelocity::Upward, PlatformVelocity::None];
const LEGEND: &str = r##"legend: {
    '>': (tile: "full_block", material: (belt_velocity: 3.0)),
    '<': (tile: "full_block", material: (belt_velocity: -3.0)),
    'u': (tile: "slope_45", material: (belt_velocity: 3.0)),
    'd': (tile: "slope_45 m", material: (belt_velocity: 3.0))}"##;

/// A map of these rows, with air above them.
fn map(rows: &[&str]) -> Map {
    let air = ".".repeat(rows[0].len());
    map_with(&[&[air.as_str(); 4], rows].concat(), LEGEND)
}

fn crate_at(x: f64, y: f64, velocity: f64) -> Body {
    Body::new(Shape::aabb(0.25, 0.25)).at((x, y)).velocity((velocity, 0.0)).friction(0.5)
}

fn hero_at(x: f64, y: f64, velocity: f64) -> Body {
    Body::new(Shape::aabb(0.25, 0.25)).at((x, y)).velocity((velocity, 0.0)).character(Character::default())
}

/// Displacement of a belt of three tiles per second in one tick, in units: 2^32 / 20, rounded.
fn way() -> I64Vec2 {
    I64Vec2::new((ONE + 10) / 20, 0)
}

#[test]
fn a_body_at_rest_on_a_belt_moves_with_it_to_the_unit() {
    for (row, sign) in [(">".repeat(40), 1), ("<".repeat(40), -1)] {
        let mut world = World::new(map(&[&row]), Settings::default());
        let start = position(20.0, 1.25);
        let speed = 3.0 * sign as f64;
        let bodies = [crate_at, hero_at].map(|make| world.spawn(make(20.0, 1.25, speed)).unwrap());
        for tick in 1..=200 {
            world.step();
            for body in bodies {
                assert_eq!(world[body].position() - start, way() * sign * tick, "{tick}");
                assert_eq!(world[body].velocity(), DVec2::new(speed, 0.0));
            }
            assert_eq!(world.events(), []);
        }
    }
}

/// Between two ticks, bodies on a belt are drawn on a straight line, at three tiles per second. Coordinates below 32
/// are rounded to 2^-19 of a tile.
#[test]
fn a_body_at_rest_on_a_belt_is_drawn_at_constant_speed() {
    let mut world = World::new(map(&[&">".repeat(40)]), Settings::default());
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(20.0, 1.25, 3.0)).unwrap());
    for tick in 1..=120 {
        world.step();
        for (body, part) in pairs(bodies, [0.0, 0.25, 0.5, 0.75, 1.0]) {
            let drawn = world[body].position_at(part).as_dvec2();
            let expected = DVec2::new(20.0 + 3.0 * (f64::from(tick - 1) + f64::from(part)) * TICK, 1.25);
            assert!((drawn - expected).length() < 2e-6, "{tick} at {part}: {drawn}");
        }
    }
}

#[test]
fn a_belt_accelerates_a_body_at_rest_to_its_speed() {
    let mut world = World::new(map(&[&">".repeat(60)]), Settings::default());
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(20.0, 1.25, 0.0)).unwrap());
    // Friction accelerates the crate by 20 tiles per second squared: 9 ticks. The hero brakes by 80: 3 ticks.
    for tick in 1..=20 {
        world.step();
        let speeds = [20.0, 80.0].map(|rate| f64::min(3.0, rate * f64::from(tick) * TICK));
        for (body, speed) in bodies.into_iter().zip(speeds) {
            assert!((world[body].velocity() - DVec2::new(speed, 0.0)).length() < 1e-9, "{tick} {speed}");
        }
    }
    assert_eq!(bodies.map(|body| world[body].velocity()), [DVec2::new(3.0, 0.0); 2]);
    // The crate moves 3^2 / 40 tiles until then, and rides for 11 ticks.
    let x = world[bodies[0]].position().to_dvec2().x;
    assert!((x - (20.0 + 9.0 / 40.0 + 3.0 * 11.0 / 60.0)).abs() < 1e-6, "{x}");
}

#[test]
fn a_walker_walks_relative_to_the_belt_and_a_jump_keeps_its_velocity() {
    let walks = [(127, 11.0), (-127, -5.0), (0, 3.0)];
    for ((walk, speed), lift) in walks.into_iter().flat_map(|walk| LIFTS.map(|lift| (walk, lift))) {
        let mut world = World::new(map(&[&">".repeat(80)]), Settings::default());
        let character = Character { platform_velocity: lift, ..Character::default() };
        let hero = world.spawn(hero_at(40.0, 1.25, 3.0).character(character)).unwrap();
        world.set_input(hero, Input { walk, ..Input::default() });
        (0..30).for_each(|_| world.step());
        assert_eq!(world[hero].velocity(), DVec2::new(speed, 0.0));
        world.set_input(hero, Input { jump: true, ..Input::default() });
        world.step();
        assert!(!world[hero].on_floor());
        assert_eq!(world[hero].velocity().x, speed);
    }
}

#[test]
fn a_wall_stops_a_body_on_a_belt_and_is_hit_once() {
    let mut world = World::new(map(&["........#", ">>>>>>>>>"]), Settings::default());
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(6.0, 1.25, 3.0)).unwrap());
    let mut hits = [0; 2];
    for _ in 0..200 {
        world.step();
        for event in world.events() {
            assert!(matches!(event.kind, EventKind::HitTile { side: Side::WallRight, .. }), "{event:?}");
            hits[usize::from(event.body == bodies[1])] += 1;
        }
    }
    for body in bodies {
        assert_eq!(world[body].position(), position(7.75, 1.25));
        assert_eq!(world[body].velocity(), DVec2::ZERO);
    }
    assert_eq!(hits, [1, 1]);
}

#[test]
fn moving_between_belts_and_ground_causes_no_hop_and_no_event() {
    let mut world = World::new(map(&["=====>>>>>>>>=========================="]), Settings::default());
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(6.0, 1.25, 3.0)).unwrap());
    for tick in 0..300 {
        world.step();
        assert_eq!(world.events(), [], "{tick}");
        for body in bodies {
            assert_eq!(world[body].position().units().y, position(0.0, 1.25).units().y);
            assert!(world.contacts(body).iter().all(|contact| contact.exact_normal == I64Vec2::Y));
        }
    }
    assert!(bodies.map(|body| world[body].velocity()) == [DVec2::ZERO; 2]);
    assert!(bodies.iter().all(|body| world[*body].position().to_dvec2().x > 13.0));
}

#[test]
fn belts_carry_over_crests_and_through_valleys() {
    let mut world = World::new(map(&["......u>d......", ">>>>>>###>>>>>>"]), Settings::default());
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(2.0, 1.25, 3.0).friction(2.0)).unwrap());
    for tick in 0..240 {
        world.step();
        assert_eq!(world.events(), [], "{tick}");
        assert!(bodies.iter().all(|body| world[*body].on_floor()), "{tick}");
        assert_eq!(world[bodies[0]].position(), world[bodies[1]].position(), "{tick}");
        assert!((world[bodies[0]].velocity().length() - 3.0).abs() < 1e-12);
    }
}

#[test]
fn a_world_with_belts_is_restored_at_every_tick() {
    all_ways(|way| {
        let mut world = way.world(map(&["...............", "......u<d....#.", ">>>>>>###>>>>>>"]), Settings::default());
        for x in [1.0, 3.0, 8.0, 11.0] {
            world.spawn(crate_at(x, 2.5, 0.0)).unwrap();
            world.spawn(hero_at(x, 2.5, 0.0)).unwrap();
        }
        (0..200).for_each(|_| world.step());
    });
}

/// Moves left, up and back: the displacements of platform and belt add up, each to the unit.
#[test]
fn a_belt_on_a_moving_platform_adds_its_displacement() {
    let map = map(&[&".".repeat(60)]);
    let path = Path { points: vec![Position::ORIGIN, position(-5.0, 3.0)], ..Path::default() };
    let path = Path { timing: PathTiming::Period(8.0), ..path };
    let lift = Platform::from_rows(&map, [">".repeat(50)]).unwrap().at((5.0, 0.0)).path(path);
    let mut world = World::new(map, Settings::default());
    let lift = world.spawn_platform(lift).unwrap();
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(20.0, 1.25, 3.0)).unwrap());
    for tick in 1..=480 {
        world.step();
        let moved = world.platform(lift).unwrap().position() - position(5.0, 0.0);
        for body in bodies {
            assert_eq!(world[body].position() - position(20.0, 1.25), moved + way() * tick, "{tick}");
            assert_eq!(world.platform_under(body), Some(lift));
        }
        assert_eq!(body_events(&world), [], "{tick}");
    }
    assert_eq!(world.platform(lift).unwrap().position(), position(5.0, 0.0));
}

/// A tile changed under a body counts from the next tick on.
#[test]
fn a_belt_whose_tiles_are_replaced_reverses() {
    let map = map(&[&(">".repeat(39) + "<")]);
    let other = map.tile_at(0, (39, 0)).unwrap();
    let mut world = World::new(map, Settings::default());
    let hero = world.spawn(hero_at(10.0, 1.25, 3.0)).unwrap();
    (0..20).for_each(|_| world.step());
    assert_eq!(world[hero].position() - position(10.0, 1.25), way() * 20);
    (0..39).for_each(|x| world.set_tile(0, (x, 0), other).unwrap());
    for _ in 0..20 {
        world.step();
        assert_eq!(world.events(), []);
    }
    assert_eq!(world[hero].velocity(), DVec2::new(-3.0, 0.0));
}

/// Between two belts that run towards each other, a body stops where the belt under its centre ends, within one tick's
/// displacement.
#[test]
fn a_body_stops_between_two_opposing_belts() {
    let mut world = World::new(map(&[">>>>>>>>>><<<<<<<<<<"]), Settings::default());
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(5.0, 1.25, 3.0)).unwrap());
    for tick in 0..600 {
        world.step();
        assert_eq!(world.events(), [], "{tick}");
        for body in bodies {
            let x = world[body].position().to_dvec2().x;
            assert!(tick < 120 || (x - 10.0).abs() < 0.3, "{tick}: {x}");
        }
    }
}

/// A long slope with its foot at the origin, made of these tiles in order. Each column is at most one tile higher than
/// the one before.
struct Slope {
    canvas: Canvas,
    /// Outward normal, in integers without a common divisor.
    normal: I64Vec2,
    /// Number of columns.
    length: i32,
}

impl Slope {
    fn new(catalogue: &std::sync::Arc<Catalogue>, tiles: &[&str], normal: (i64, i64)) -> Slope {
        let mut canvas = Canvas::of(catalogue);
        let columns = tiles.len() as i32;
        let length = 20 * columns;
        for x in 0..length {
            let y = x / columns;
            canvas.paint((x, y), tiles[(x % columns) as usize]);
            if y > 0 {
                canvas.blocks((x, -1), (x, y - 1));
            }
        }
        Slope { canvas, normal: I64Vec2::from(normal), length }
    }

    fn all() -> Vec<Slope> {
        let (built_in, gentle) = (&Catalogue::builtin(), &gentle());
        let quarters = ["quarter_slope_1", "quarter_slope_2", "quarter_slope_3", "quarter_slope_4"];
        vec![
            Slope::new(built_in, &["slope_45"], (-1, 1)),
            Slope::new(built_in, &["half_slope_low", "half_slope_high"], (-1, 2)),
            Slope::new(gentle, &quarters, (-1, 4)),
        ]
    }

    /// Returns the map with every tile a belt of this speed, to the right.
    fn map(&self, speed: f64) -> Map {
        let mut parts = Map::from(&self.canvas).into_parts();
        let tiles = parts.kinds.iter_mut().filter(|kind| kind.variant.is_some());
        tiles.for_each(|kind| kind.material.belt_velocity = speed);
        Map::from_parts(parts).unwrap()
    }

    /// Returns the position in which a shape touches the slope, with its centre over the middle.
    fn stand(&self, shape: Shape) -> Position {
        let half = position(shape.half_extents().x, shape.half_extents().y).units();
        let n = self.normal;
        let x = i64::from(self.length / 2) * ONE;
        // The distance of the centre from the slope's line, times the length of `n`, must be the support of the shape.
        let support =
            if shape.is_circle() { (half.x as f64 * n.as_dvec2().length()).ceil() as i64 } else { n.abs().dot(half) };
        let y = (support - n.x * x).div_euclid(n.y) + i64::from((support - n.x * x).rem_euclid(n.y) != 0);
        Position::from_units(x, y).unwrap()
    }
}

fn shapes() -> [Shape; 3] {
    [Shape::aabb(0.25, 0.25), Shape::aabb(0.375, 0.5), Shape::circle(0.25)]
}

/// Up and down slopes of every kind: the body moves as the belt does, and its gap to the slope stays the same.
#[test]
fn belts_on_slopes_carry_along_them() {
    all_ways_of(pairs(&Slope::all(), [3.0, -2.0, 0.01]), |way, (slope, speed)| {
        let mut world = way.world(slope.map(speed), Settings::default());
        let along = DVec2::new(slope.normal.y as f64, -slope.normal.x as f64).normalize() * speed;
        let mut bodies = Vec::new();
        for shape in shapes() {
            let body = Body::new(shape).at(slope.stand(shape)).velocity(along).friction(4.0);
            bodies.push(world.spawn(body.clone()).unwrap());
            bodies.push(world.spawn(body.character(Character::default())).unwrap());
        }
        // Characters land with the horizontal part of their velocity.
        (0..10).for_each(|_| world.step());
        let starts: Vec<Position> = bodies.iter().map(|body| world[*body].position()).collect();
        for tick in 1..=120 {
            world.step();
            assert_eq!(world.events(), [], "{speed} {tick}");
            for (&body, &start) in bodies.iter().zip(&starts) {
                let what = format!("{:?} {speed} {tick} {:?}", slope.normal, world[body].body());
                let moved = world[body].position() - start;
                let expected = along * (f64::from(tick) * TICK);
                assert!((moved.as_dvec2() / ONE as f64 - expected).length() < 1e-6, "{what}: {moved}");
                assert!((world[body].velocity() - along).length() < 1e-9, "{what}");
                assert_eq!(slope.normal.dot(moved), 0, "{what}");
                assert!(world[body].on_floor(), "{what}");
                assert!(world.contacts(body).iter().all(|contact| contact.exact_normal == slope.normal), "{what}");
            }
        }
    });
}

/// A jump off a belt that runs up a slope of 45 degrees gains the belt's upward speed, and loses it on a belt that runs
/// down. `platform_velocity` does not change this.
#[test]
fn a_jump_off_a_belt_on_a_slope_inherits_its_vertical_speed() {
    let slope = &Slope::all()[0];
    all_ways_of(pairs([3.0, -3.0], LIFTS), |way, (speed, platform_velocity)| {
        let mut world = way.world(slope.map(speed), Settings::default());
        let along = DVec2::ONE * speed / 2.0_f64.sqrt();
        for shape in shapes() {
            let body = Body::new(shape).at(slope.stand(shape)).velocity(along);
            let body = body.character(Character { platform_velocity, ..Character::default() });
            let hero = world.spawn(body).unwrap();
            world.set_input(hero, Input { jump: true, ..Input::default() });
            world.step();
            let jump = (2.0_f64 * 40.0 * 3.2).sqrt() - 40.0 * TICK;
            let (found, expected) = (world[hero].velocity(), along + DVec2::Y * jump);
            assert!((found - expected).length() < 1e-9, "{speed} {platform_velocity:?} {shape:?}: {found}");
        }
    });
}

/// A block in open air whose sides are all belts.
fn block(velocity: f64) -> Map {
    let mut parts = MapParts::new(12, 12);
    let block = parts.catalogue.find_variant("full_block").unwrap();
    let kind = parts.kinds.iter().position(|kind| kind.variant == Some(block)).unwrap();
    parts.kinds[kind].material.belt_velocity = velocity;
    for y in 2..10 {
        parts.layers[0].cells[y * 12 + 2..y * 12 + 10].fill(TileId(kind as u16));
    }
    Map::from_parts(parts).unwrap()
}

/// The four sides of the block from (2, 2) to (10, 10): a crate next to the middle of each side, the direction into the
/// side, and the direction to the right seen from the crate.
const SIDES: [[(f64, f64); 3]; 4] = [
    [(6.0, 10.25), (0.0, -1.0), (1.0, 0.0)],
    [(6.0, 1.75), (0.0, 1.0), (-1.0, 0.0)],
    [(1.75, 6.0), (1.0, 0.0), (0.0, 1.0)],
    [(10.25, 6.0), (-1.0, 0.0), (0.0, -1.0)],
];

fn sizes() -> [Shape; 2] {
    [Shape::aabb(0.25, 0.25), Shape::circle(0.25)]
}

/// Gravity presses a crate or a ball to a floor, a ceiling or a wall. Friction accelerates it by 0.5 of 40, so in nine
/// ticks.
#[test]
fn belts_on_every_side_move_bodies_pressed_against_them() {
    for [start, into, right] in SIDES {
        for (speed, shape) in [3.0, -3.0].into_iter().flat_map(|speed| sizes().map(|shape| (speed, shape))) {
            let settings = Settings::default().gravity(DVec2::from(into) * 40.0);
            let mut world = World::new(block(speed), settings);
            let pressed = world.spawn(Body::new(shape).at(start).friction(0.5)).unwrap();
            let smooth = world.spawn(Body::new(shape).at(start)).unwrap();
            let walker = Body::new(shape).at(start).character(Character::default());
            let walker = world.spawn(walker).unwrap();
            for tick in 1..=40 {
                world.step();
                let velocity = DVec2::from(right) * (20.0 * f64::from(tick) * TICK).min(3.0) * speed.signum();
                let found = world[pressed].velocity();
                assert!((found - velocity).length() < 1e-9, "{shape:?} {start:?} {speed} {tick}: {found}");
                assert_eq!(world[smooth].position(), position(start.0, start.1));
                // A character's up does not change with the sides that it touches, so only floors carry it.
                let moves = into == (0.0, -1.0);
                assert_eq!(world[walker].position() != position(start.0, start.1), moves, "{start:?} {tick}");
            }
        }
    }
}

/// A crate that hits a side at 4 tiles per second gains up to 0.5 x 4 of the belt's speed. A body that falls next to a
/// wall gains nothing: its bits are those next to a wall without a belt.
#[test]
fn belts_on_walls_and_ceilings_act_on_bodies_that_hit_them() {
    for [start, into, right] in SIDES {
        for (friction, speed, taken) in [(0.5, 3.0, 2.0), (0.5, -1.5, -1.5), (1.0, 3.0, 3.0), (0.0, 3.0, 0.0)] {
            for shape in sizes() {
                let mut world = World::new(block(speed), Settings::default().gravity(DVec2::ZERO));
                let (start, into) = (DVec2::from(start), DVec2::from(into));
                let body = Body::new(shape).at(start - into * 0.97).velocity(into * 4.0).friction(friction);
                let body = world.spawn(body).unwrap();
                (0..30).for_each(|_| world.step());
                let (found, expected) = (world[body].velocity(), DVec2::from(right) * taken);
                assert!((found - expected).length() < 1e-9, "{shape:?} {start} {friction} {speed}: {found}");
            }
        }
    }
    let fall = |speed: f64| {
        let mut world = World::new(block(speed), Settings::default());
        let crate_ = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((1.75, 9.0)).friction(0.5)).unwrap();
        let hero = Body::new(Shape::circle(0.25)).at((10.25, 9.0)).character(Character::default());
        let hero = world.spawn(hero).unwrap();
        let way = (0..40).map(|_| {
            world.step();
            [crate_, hero].map(|body| (world[body].position(), world[body].velocity(), world.contacts(body).len()))
        });
        way.collect::<Vec<_>>()
    };
    assert!(fall(3.0)[1].iter().all(|(.., contacts)| *contacts >= 1));
    assert_eq!(fall(3.0), fall(0.0));
    assert_eq!(fall(-3.0), fall(0.0));
}

/// A walker over belts of any speed, ice and rubber has the same contacts as on plain tiles: points, normals and tiles.
/// It never leaves the floor, and sends no events.
#[test]
fn joins_of_belts_ice_and_rubber_act_as_plain_tiles() {
    let rows = [
        "..............................................",
        "............../##\\............................",
        "....12##34.../####\\......12######34...........",
        "##############################################",
    ];
    let belt = |velocity: f64| Material { belt_velocity: velocity, ..Material::default() };
    let ice = Material { friction: 0.05, traction: 0.25, ..Material::default() };
    let kinds = [belt(3.0), ice, belt(-1.0), Material { traction: 4.0, ..ice }, belt(-2.5), Material::default()];
    for symmetry in Symmetry::all() {
        let map = painted(&rows, symmetry, |(x, y)| {
            let Material { belt_velocity: velocity, .. } = kinds[(x + 3 * y).rem_euclid(6) as usize];
            let velocity = if symmetry.0.mirrored() { -velocity + 0.0 } else { velocity };
            Material { belt_velocity: velocity, ..kinds[(x + 3 * y).rem_euclid(6) as usize] }
        });
        let terrain = Terrain::bake(&painted(&rows, symmetry, |_| Material::default()));
        let plain = Mover::new(&terrain).up(symmetry.up(Up::PlusY));
        for shape in [Shape::aabb(0.375, 0.5), Shape::circle(0.4), Shape::aabb(1.25, 0.5)] {
            let shape = symmetry.shape(shape);
            let mut world = World::new(map.clone(), symmetry.settings());
            let start =
                symmetry.position(position(2.0, 1.0 + Symmetry(symmetry.inverse().0).shape(shape).half_extents().y));
            let hero = world.spawn(Body::new(shape).at(start).character(Character::default())).unwrap();
            for tick in 0..600 {
                let walk = symmetry.walk(if tick < 330 { 127 } else { -127 });
                world.set_input(hero, Input { walk, ..Input::default() });
                world.step();
                let what = format!("{symmetry:?} {shape:?} {tick}");
                assert_eq!(world.events(), [], "{what}");
                let at = world[hero].position();
                // Where a circle touches a corner, the world names the tile ahead of a moving body. A mover does not
                // know the motion, so skip the tile.
                let is_corner = |contact: &Contact| contact.exact_normal.abs().max_element() > 64;
                let facts = |contact: Contact| {
                    let side = (!is_corner(&contact)).then_some((contact.tile, contact.edge));
                    (side, contact.point, contact.exact_normal)
                };
                let mut found: Vec<_> = world.contacts(hero).iter().map(facts).collect();
                let mut expected: Vec<_> = plain.touching(shape, at).contacts().iter().map(facts).collect();
                found.sort_by_key(|facts| facts.0);
                expected.sort_by_key(|facts| facts.0);
                assert_eq!(found, expected, "{what}");
                assert!(!found.is_empty(), "{what}");
            }
            let end = symmetry.inverse().position(world[hero].position()).to_dvec2().x;
            assert!((1.0..30.0).contains(&end), "{symmetry:?} {shape:?} ends at {end}");
        }
    }
}

/// A belt on a slope of 45 degrees, on a platform that moves sideways and up, and a jump off it: all three velocities
/// add up.
#[test]
fn a_belt_on_a_slope_of_a_platform_adds_its_velocity_also_to_jumps() {
    let air = ".".repeat(60);
    let map = map(&[air.as_str(); 20]);
    let rows: Vec<String> = (0..12).rev().map(|y| ".".repeat(y) + "u" + &"#".repeat(11 - y)).collect();
    let path = Path { points: vec![Position::ORIGIN, position(-8.0, 4.0)], ..Path::default() };
    let path = Path { timing: PathTiming::Period(4.0), ..path };
    let lift = Platform::from_rows(&map, rows).unwrap().at((20.0, 0.0)).path(path);
    let mut world = World::new(map, Settings::default());
    let lift = world.spawn_platform(lift).unwrap();
    // The lower right corner of the body is on the slope at (22, 2).
    let start = position(21.75, 2.25);
    let along = DVec2::ONE * 3.0 / 2.0_f64.sqrt();
    let body = Body::new(Shape::aabb(0.25, 0.25)).at(start).velocity(along);
    let hero = world.spawn(body.clone().character(Character::default())).unwrap();
    let crate_ = world.spawn(body.friction(4.0)).unwrap();
    (0..10).for_each(|_| world.step());
    let off = |world: &World, body| world[body].position() - world.platform(lift).unwrap().position();
    let starts = [hero, crate_].map(|body| off(&world, body));
    for tick in 1..=100 {
        world.step();
        for (body, start) in [hero, crate_].into_iter().zip(starts) {
            let moved = (off(&world, body) - start).as_dvec2() / ONE as f64;
            assert!((moved - along * f64::from(tick) * TICK).length() < 1e-6, "{tick}: {moved}");
            assert_eq!(world.platform_under(body), Some(lift));
        }
        assert_eq!(world.events(), [], "{tick}");
    }
    world.set_input(hero, Input { jump: true, ..Input::default() });
    world.step();
    let jump = (2.0_f64 * 40.0 * 3.2).sqrt() - 40.0 * TICK;
    let expected = along + DVec2::new(-4.0, 2.0 + jump);
    assert!((world[hero].velocity() - expected).length() < 1e-6, "{} {expected}", world[hero].velocity());
}

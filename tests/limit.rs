//! The slope limit: a slope at the limit is floor. Steeper slopes are not, and cannot be climbed.

use crate::hills::Hill;
use crate::scene::{I64Vec2, ONE, Random, often};
use crate::symmetry::Symmetry;
use crate::table::{Run, all_symmetries_of, pairs, triples};
use surefoot::prelude::*;
use surefoot::{Input, Map, World, geometry::DVec2};
use surefoot_geometry::to_lengths;

/// Slopes by rise and run, with the letter of their ground.
const SLOPES: [((u16, u16), char); 3] = [((1, 2), '1'), ((1, 1), '/'), ((2, 1), 'u')];

/// Height of the flat ground of a hill.
const GROUND: i64 = 8 * ONE;

fn shapes() -> [Shape; 5] {
    [
        Shape::aabb(0.375, 0.5),
        Shape::circle(0.5),
        Shape::circle_units(ONE / 3),
        Shape::aabb_units(I64Vec2::new(ONE / 7, ONE / 3)),
        Shape::aabb(0.9, 0.3),
    ]
}

fn is_steeper(slope: (u16, u16), limit: (u16, u16)) -> bool {
    slope.0 * limit.1 > limit.0 * slope.1
}

/// A ramp that rises to the right from flat ground, at least 12 tiles high, with flat ground on top.
fn ramp(letter: char) -> Hill {
    Hill::new(&format!("-------{}-----", letter.to_string().repeat(12)))
}

fn settings((rise, run): (u16, u16)) -> Settings {
    Settings::default().max_floor_slope(SlopeLimit::new(rise, run).unwrap())
}

#[test]
fn a_slope_at_the_limit_is_a_floor_and_a_steeper_one_is_a_wall() {
    all_symmetries_of(triples(SLOPES, SLOPES, shapes()), |way, ((slope, letter), (limit, _), shape)| {
        let hill = ramp(letter);
        let mut world = way.world(&hill.canvas, settings(limit));
        // The body starts above the point of the slope that is 4 tiles above the ground.
        let x = 7.0 + 4.0 * f64::from(slope.1) / f64::from(slope.0);
        let body = world.spawn(Body::new(shape).at((x, 15.0)).character(Character::default())).unwrap();
        let height = |world: &Run| world[body].position().to_dvec2().y - 8.0;
        let what = format_args!("slope {slope:?} limit {limit:?} {shape:?}");
        let mut touched = 0;
        for tick in 0..240 {
            let before = world[body].position();
            world.step();
            let touching = world[body].touching();
            // Where the slope starts, the body touches the ground too.
            if touching == Touching::default() || height(&world) < 1.5 {
                continue;
            }
            touched += 1;
            if is_steeper(slope, limit) {
                assert!(touching.wall_right && !touching.floor, "{what}: tick {tick} {touching:?}");
            } else {
                assert!(touching.floor, "{what}: tick {tick} {touching:?}");
                assert!(touched < 2 || world[body].position() == before, "{what}: moves in tick {tick}");
            }
        }
        assert!(touched > 3, "{what}: touched in {touched} ticks");
        let down = height(&world);
        assert_eq!(down < 1.0, is_steeper(slope, limit), "{what}: ends {down} above the ground");
    });
}

#[test]
fn slopes_steeper_than_the_limit_cannot_be_climbed() {
    let walks = [(1.0, true), (8.0, true), (60.0, true), (600.0, true), (8.0, false), (600.0, false)];
    let steep = pairs(SLOPES, SLOPES).filter(|((slope, _), (limit, _))| is_steeper(*slope, *limit));
    all_symmetries_of(
        triples(steep, shapes(), walks),
        |way, (((slope, letter), (limit, _)), shape, (speed, jumps))| {
            let map = Map::from(&ramp(letter).canvas);
            let character = Character {
                walk_speed: speed,
                ground_acceleration: speed * 20.0,
                air_acceleration: if speed > 8.0 { speed * 60.0 } else { 40.0 },
                ..Character::default()
            };
            let mut world = way.world(map, settings(limit));
            let start = Position::from_units(5 * ONE, GROUND + shape.half_units().y).unwrap();
            let body = world.spawn(Body::new(shape).at(start).character(character)).unwrap();
            let what = format_args!("slope {slope:?} limit {limit:?} {shape:?} {speed} {jumps}");
            for tick in 0..often(200, 1200) {
                world.set_input(body, Input { walk: 127, jump: jumps && tick % 3 != 0, ..Input::default() });
                world.step();
                let at = to_lengths(world[body].position() - start);
                let most = if jumps { character.jump_height } else { 0.0 };
                assert!(at.y <= most + 1e-6, "{what}: tick {tick} at {at}");
                assert!(at.y <= 1e-3 || !world[body].on_floor(), "{what}: tick {tick} stands at {at}");
            }
        },
    );
}

#[test]
fn landing_on_a_slope_never_moves_a_character_backwards() {
    let mut random = Random(0x1A4D_0001);
    let hills = SLOPES.map(|(slope, letter)| {
        let hill = ramp(letter);
        (
            slope,
            [false, true].map(|mirrored| {
                let map = hill.canvas.map(Symmetry(Placement::new(mirrored, 0)));
                let terrain = Terrain::bake(&map);
                (mirrored, map, terrain)
            }),
        )
    });
    for number in 0..often(3000, 100_000) {
        let (slope, maps) = &hills[random.below(3) as usize];
        let (mirrored, map, terrain) = &maps[random.below(2) as usize];
        let symmetry = Symmetry(Placement::new(*mirrored, 0));
        let shape = random.pick(&shapes());
        let x = 7.0 + random.range(1.0, 5.0) * f64::from(slope.1) / f64::from(slope.0);
        let ground = 8.0 + (x - 7.0) * f64::from(slope.0) / f64::from(slope.1);
        let start = Position::new(x, ground + 3.0 + random.range(0.0, 2.0)).unwrap();
        let speed = if random.below(4) == 0 { 0.0 } else { random.range(0.0, 12.0) };
        let velocity = symmetry.velocity(DVec2::new(speed, random.range(-40.0, 5.0)));
        let mut world = World::with_terrain(
            map.clone(),
            terrain.clone(),
            Settings { up: symmetry.up(Up::PlusY), ..settings(*slope) },
        );
        let body = Body::new(shape).at(symmetry.position(start)).velocity(velocity).character(Character::default());
        let body = world.spawn(body).unwrap();
        let held = random.pick(&[0, 127, 20]);
        world.set_input(body, Input { walk: symmetry.walk(held), ..Input::default() });
        let x = |world: &World| symmetry.inverse().position(world[body].position()).to_dvec2().x;
        let mut last = x(&world);
        let mut landed = 0;
        for tick in 0..60 {
            world.step();
            let what =
                format!("run {number}: slope {slope:?} mirrored {mirrored} {shape:?} start {start} {velocity} {held}");
            let now = x(&world);
            assert!(now >= last, "{what}: tick {tick} moves back by {}", last - now);
            let along = world[body].velocity().dot(symmetry.velocity(DVec2::X));
            assert!(along >= 0.0, "{what}: tick {tick} velocity {along}");
            last = now;
            landed += u32::from(world[body].on_floor());
            if landed > 10 {
                break;
            }
        }
        assert!(landed > 0, "run {number} lands");
    }
}

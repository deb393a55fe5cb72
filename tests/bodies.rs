//! Bodies that meet each other, with results worked out by hand: a tick of 1/60 s, gravity of 30 tiles per second
//! squared.

use crate::scene::{I64Vec2, ONE, map, position};
use crate::table::pairs;
use surefoot::map::{CollisionLayers, MapParts, TileId, TileLayer};
use surefoot::prelude::*;
use surefoot::{Input, Map, World, geometry::DVec2};

pub const TICK: f64 = 1.0 / 60.0;
pub const GRAVITY: f64 = 30.0;

/// How far the tick's rounding to whole units may take a body in some hundred ticks, in tiles.
pub const ROUNDING: f64 = 1e-7;

/// A map from x = -60 to 60 and 120 high whose floor's top is at y = 0, with columns of blocks up to its top.
pub fn ground(walls: &[i32]) -> Map {
    let mut parts = MapParts::new(1, 1);
    let block = parts.catalogue.find_variant("full_block").unwrap();
    let block = TileId(parts.kinds.iter().position(|kind| kind.variant == Some(block)).unwrap() as u16);
    let mut layer = TileLayer::new(TileLayer::DEFAULT_NAME, 120, 121);
    layer.origin = (-60, -1);
    for (i, cell) in (0..).zip(&mut layer.cells) {
        if i < 120 || walls.contains(&(i % 120 - 60)) {
            *cell = block;
        }
    }
    parts.layers = vec![layer];
    parts.collision_layers = ["first", "second"].map(String::from).into();
    Map::from_parts(parts).unwrap()
}

/// A world with the ground and walls, in which bodies fall.
pub fn falling(walls: &[i32]) -> World {
    World::new(ground(walls), Settings::default().tick(TICK).gravity((0.0, -GRAVITY)))
}

/// A world with the ground and walls, without gravity.
pub fn floating(walls: &[i32]) -> World {
    World::new(ground(walls), Settings::default().tick(TICK).gravity((0.0, 0.0)))
}

/// A body that meets all others.
pub fn colliding(shape: Shape) -> Body {
    Body::new(shape).collision_mask(CollisionLayers::ALL)
}

/// A crate of one tile with friction.
pub fn crate_at(x: f64, y: f64) -> Body {
    colliding(Shape::aabb(0.5, 0.5)).friction(0.6).at((x, y))
}

pub fn ball_at(radius: f64, x: f64, y: f64) -> Body {
    colliding(Shape::circle(radius)).at((x, y))
}

/// A character 0.7 wide and 0.9 high that pushes three crates.
pub fn hero_at(x: f64, y: f64) -> Body {
    let character = Character { max_push_mass: 3.0, ..Character::default() };
    colliding(Shape::aabb(0.35, 0.45)).character(character).at((x, y))
}

/// A walk to the right at full speed.
pub const RIGHT: Input = Input { walk: 127, jump: false, down: false, up: false, dash: false };

pub const LEFT: Input = Input { walk: -127, ..RIGHT };

pub fn spawn<const N: usize>(world: &mut World, bodies: [Body; N]) -> [BodyId; N] {
    bodies.map(|body| world.spawn(body).unwrap())
}

pub fn steps(world: &mut World, ticks: u32) {
    (0..ticks).for_each(|_| world.step());
}

pub fn positions<const N: usize>(world: &World, ids: [BodyId; N]) -> [Position; N] {
    ids.map(|id| world[id].position())
}

/// How far a body's centre is from another one's, in units.
fn offset(world: &World, body: BodyId, other: BodyId) -> I64Vec2 {
    world[body].position().units() - world[other].position().units()
}

/// The room between the right side of a body and the left side of another one, in units; below 0 if they overlap.
fn gap_beside(world: &World, left: BodyId, right: BodyId) -> i64 {
    offset(world, right, left).x - world[left].shape().half_units().x - world[right].shape().half_units().x
}

/// The room between the top of a body and the underside of another one, in units; below 0 if they overlap.
fn gap_above(world: &World, below: BodyId, above: BodyId) -> i64 {
    offset(world, above, below).y - world[below].shape().half_units().y - world[above].shape().half_units().y
}

#[track_caller]
fn assert_near(found: DVec2, expected: (f64, f64), tolerance: f64) {
    let error = (found - DVec2::from(expected)).abs().max_element();
    assert!(error <= tolerance, "{found} is {error:e} from {expected:?}");
}

/// That nothing moves by a unit and that everything is slower than nothing.
#[track_caller]
fn assert_still(world: &mut World, ids: &[BodyId], ticks: u32) {
    let at: Vec<Position> = ids.iter().map(|&id| world[id].position()).collect();
    for tick in 0..ticks {
        world.step();
        for (i, &id) in ids.iter().enumerate() {
            assert_eq!(world[id].position(), at[i], "body {i} moves {tick} ticks later");
            assert_eq!(world[id].velocity().abs(), DVec2::ZERO, "body {i}, {tick} ticks later");
        }
    }
}

/// Falls of 2.5 and 3.5 tiles end after sqrt(5 / 30) = 0.41 and sqrt(7 / 30) = 0.48 seconds: in the ticks 25 and 29.
#[test]
fn a_crate_that_falls_on_a_crate_stands_on_it_to_the_unit() {
    for friction in [0.0, 0.6] {
        let mut world = falling(&[]);
        let ids = spawn(&mut world, [crate_at(0.0, 3.0), crate_at(0.25, 5.0)].map(|body| body.friction(friction)));
        for tick in 1..=60 {
            world.step();
            assert!(gap_above(&world, ids[0], ids[1]) >= 0, "tick {tick}");
            if tick >= 32 {
                assert_eq!(positions(&world, ids), [position(0.0, 0.5), position(0.25, 1.5)], "tick {tick}");
            }
        }
        assert!(ids.iter().all(|&id| world[id].on_floor()));
        assert_still(&mut world, &ids, 600);
    }
}

/// The gap of 2 tiles takes 2/7 s, 17.142857 ticks. Then the last ball has 7 and the others nothing; after 18 ticks it
/// has come 7 (18/60 - 2/7) = 0.1 tiles.
#[test]
fn a_ball_on_a_row_of_balls_sends_off_the_last_one() {
    let mut world = floating(&[]);
    let row = [0.0, 1.0, 2.0, 3.0, 4.0].map(|x| ball_at(0.5, x, 5.0).bounce(1.0));
    let row = spawn(&mut world, row);
    let [first] = spawn(&mut world, [ball_at(0.5, -3.0, 5.0).bounce(1.0).velocity((7.0, 0.0))]);
    for tick in 1..=60 {
        world.step();
        let speeds = row.map(|id| world[id].velocity() + DVec2::ZERO);
        if tick < 18 {
            assert_eq!(speeds, [DVec2::ZERO; 5], "tick {tick}");
            assert_eq!(world[first].velocity(), DVec2::new(7.0, 0.0), "tick {tick}");
            continue;
        }
        assert_eq!(world[first].velocity().abs(), DVec2::ZERO, "tick {tick}");
        assert_eq!(speeds[..4], [DVec2::ZERO; 4], "tick {tick}");
        assert_eq!(speeds[4], DVec2::new(7.0, 0.0), "tick {tick}");
        let way = 7.0 * (f64::from(tick) * TICK - 2.0 / 7.0);
        assert_near(world[row[4]].position().to_dvec2(), (4.0 + way, 5.0), ROUNDING);
        assert_near(world[first].position().to_dvec2(), (-1.0, 5.0), ROUNDING);
        for (i, x) in [0.0, 1.0, 2.0, 3.0].into_iter().enumerate() {
            assert_near(world[row[i]].position().to_dvec2(), (x, 5.0), ROUNDING);
        }
    }
}

/// Both make 2 tiles in the tick. At its part t their centres are sqrt(2) (1 - 2 t) apart, which is the sum of the
/// radii,
/// 0.25, at t = 0.41161. The normal is (-1, 1) / sqrt(2): each takes the other's velocity.
///
/// One after the other they would not meet: A is at (1, 0) before B comes to (0, 0).
#[test]
fn two_that_cross_each_other_s_way_within_a_tick_meet() {
    let mut world = floating(&[]);
    let a = ball_at(0.125, -1.0, 5.0).bounce(1.0).velocity((120.0, 0.0));
    let b = ball_at(0.125, 0.0, 4.0).bounce(1.0).velocity((0.0, 120.0));
    let [a, b] = spawn(&mut world, [a, b]);
    world.step();
    let t = (1.0 - 0.25 / 2.0_f64.sqrt()) / 2.0;
    let (before, after) = (1.0 - 2.0 * t, 2.0 * (1.0 - t));
    // At the impact the centres are 2^30 units apart, and off by some units. So the direction of the impact is slightly
    // off too.
    assert_near(world[a].velocity(), (0.0, 120.0), 1e-5);
    assert_near(world[b].velocity(), (120.0, 0.0), 1e-5);
    assert_near(world[a].position().to_dvec2(), (-before, 5.0 + after), ROUNDING);
    assert_near(world[b].position().to_dvec2(), (after, 5.0 - before), ROUNDING);
}

/// Of 10 tiles per second: (1 - 3) / (1 + 3) of it are left to the first one with all of the bounce, and 2 / (1 + 3) go
/// to the second. Without bounce both have 10 / (1 + 3).
#[test]
fn masses_share_an_impact() {
    for shape in [Shape::aabb(0.5, 0.5), Shape::circle(0.5)] {
        // The larger bounce of the two counts.
        for (bounces, speeds) in [([1.0, 1.0], [-5.0, 5.0]), ([1.0, 0.0], [-5.0, 5.0]), ([0.0, 0.0], [2.5, 2.5])] {
            let mut world = floating(&[]);
            let light = colliding(shape).at((-2.0, 5.0)).velocity((10.0, 0.0)).bounce(bounces[0]);
            let heavy = colliding(shape).at((0.0, 5.0)).mass(3.0).bounce(bounces[1]);
            let ids = spawn(&mut world, [light, heavy]);
            // The gap of 1 tile takes 6 ticks.
            steps(&mut world, 12);
            for (id, speed) in ids.into_iter().zip(speeds) {
                assert_near(world[id].velocity(), (speed, 0.0), 1e-9);
                let at = if id == ids[0] { -1.0 } else { 0.0 };
                assert_near(world[id].position().to_dvec2(), (at + speed * 6.0 * TICK, 5.0), ROUNDING);
            }
        }
    }
}

/// The crates give no way, so half of 20 comes back. The gap of 3.75 takes 11.25 ticks.
#[test]
fn a_ball_bounces_off_crates_that_touch_a_wall() {
    let mut world = floating(&[10]);
    let crates = spawn(&mut world, [7.5, 8.5, 9.5].map(|x| crate_at(x, 5.0).friction(0.0)));
    let at = positions(&world, crates);
    let [ball] = spawn(&mut world, [ball_at(0.25, 3.0, 5.0).bounce(0.5).velocity((20.0, 0.0))]);
    for tick in 1..=60 {
        world.step();
        assert_eq!(positions(&world, crates), at, "tick {tick}");
        assert!(crates.iter().all(|&id| world[id].velocity().abs() == DVec2::ZERO), "tick {tick}");
        let speed = if tick < 12 { 20.0 } else { -10.0 };
        assert_eq!(world[ball].velocity() + DVec2::ZERO, DVec2::new(speed, 0.0), "tick {tick}");
    }
    assert_near(world[ball].position().to_dvec2(), (6.75 - 10.0 * (60.0 - 11.25) * TICK, 5.0), ROUNDING);
}

#[test]
fn crates_that_touch_no_wall_hand_an_impact_on() {
    let mut world = floating(&[]);
    let ball = ball_at(0.25, 3.0, 5.0).bounce(1.0).velocity((20.0, 0.0));
    let crates = [7.5, 8.5, 9.5].map(|x| crate_at(x, 5.0).friction(0.0).bounce(1.0));
    let ([ball], crates) = (spawn(&mut world, [ball]), spawn(&mut world, crates));
    steps(&mut world, 12);
    assert_eq!(world[ball].velocity().abs(), DVec2::ZERO);
    let speeds = crates.map(|id| world[id].velocity() + DVec2::ZERO);
    assert_eq!(speeds, [DVec2::ZERO, DVec2::ZERO, DVec2::new(20.0, 0.0)]);
    assert_eq!(positions(&world, [crates[0], crates[1]]), [position(7.5, 5.0), position(8.5, 5.0)]);

    // With any bounce, the momentum stays the same, and the last crate gets a part of the momentum.
    for bounce in [0.0, 0.5] {
        let mut world = floating(&[]);
        let ball = ball_at(0.25, 3.0, 5.0).bounce(bounce).velocity((20.0, 0.0));
        let crates = [7.5, 8.5, 9.5].map(|x| crate_at(x, 5.0).friction(0.0));
        let ([ball], crates) = (spawn(&mut world, [ball]), spawn(&mut world, crates));
        steps(&mut world, 240);
        let speeds = crates.map(|id| world[id].velocity().x);
        let momentum = world[ball].velocity().x + speeds.iter().sum::<f64>();
        assert!((momentum - 20.0).abs() < 1e-9, "{momentum} with a bounce of {bounce}");
        assert!(speeds[2] > 4.0, "{speeds:?}");
        let row = [world[ball].velocity().x, speeds[0], speeds[1], speeds[2]];
        // Bodies that approach each other by less than the rest speed of 0.1 need not collide.
        assert!(row.windows(2).all(|pair| pair[0] <= pair[1] + 0.1), "{row:?}");
    }
}

/// The gaps are a quarter of a tile. Whatever touches is pushed by the whole units of the pusher's own way.
#[test]
fn a_character_pushes_a_row_up_to_its_limit() {
    for friction in [0.0, 0.6] {
        let mut world = falling(&[]);
        let [hero] = spawn(&mut world, [hero_at(-1.0, 0.45)]);
        let crates = spawn(&mut world, [1.0, 2.25, 3.5, 4.75].map(|x| crate_at(x, 0.5).friction(friction)));
        world.set_input(hero, RIGHT);
        let mut pushed = false;
        for tick in 1..=120 {
            world.step();
            let gap = gap_beside(&world, hero, crates[0]);
            assert!(gap >= 0, "tick {tick}");
            pushed |= gap == 0;
            assert!(!pushed || gap == 0, "tick {tick}: {gap} units between the character and the crate that it pushes");
            for pair in crates.windows(2) {
                assert!((0..=ONE / 4).contains(&gap_beside(&world, pair[0], pair[1])), "tick {tick}");
            }
            assert_eq!(world[crates[3]].position(), position(4.75, 0.5), "tick {tick}");
        }
        // The hero pushes at most three crates, so the row stops at the fourth.
        assert_eq!(
            positions(&world, crates),
            [1.75, 2.75, 3.75, 4.75].map(|x| position(x, 0.5)),
            "friction {friction}"
        );
        assert_eq!(gap_beside(&world, hero, crates[0]), 0);
        assert_eq!(world[hero].velocity().abs(), DVec2::ZERO);
        assert!(world[hero].on_floor());
    }
}

#[test]
fn a_row_that_a_character_pushes_ends_at_a_wall() {
    let mut world = falling(&[8]);
    let [hero] = spawn(&mut world, [hero_at(-1.0, 0.45)]);
    let crates = spawn(&mut world, [1.0, 2.25, 3.5].map(|x| crate_at(x, 0.5)));
    world.set_input(hero, RIGHT);
    steps(&mut world, 240);
    assert_eq!(positions(&world, crates), [5.5, 6.5, 7.5].map(|x| position(x, 0.5)));
    assert_eq!(positions(&world, [hero]), [position(4.65, 0.45)]);
    assert_still(&mut world, &crates, 60);
    // The hero walks away, and no crate follows.
    world.set_input(hero, LEFT);
    assert_still(&mut world, &crates, 60);
    assert!(world[hero].position().to_dvec2().x < 0.0);
}

/// A push is no impulse: the row stops in the tick in which its pusher does.
#[test]
fn a_row_stops_with_its_pusher() {
    for friction in [0.0, 0.6] {
        let mut world = falling(&[]);
        let [hero] = spawn(&mut world, [hero_at(-1.0, 0.45)]);
        let crates = spawn(&mut world, [0.5, 1.5].map(|x| crate_at(x, 0.5).friction(friction)));
        world.set_input(hero, RIGHT);
        steps(&mut world, 40);
        assert!(world[crates[0]].position().to_dvec2().x > 2.0);
        let moving = world[hero].velocity().x;
        assert!((moving - 8.0).abs() < 1e-9, "{moving} is not its full speed");
        world.set_input(hero, LEFT);
        // The hero brakes by 80 / 60 tiles per second in each tick, from 8 to 0 in 6 ticks.
        steps(&mut world, 12);
        assert!(gap_beside(&world, hero, crates[0]) > 0);
        assert_eq!(gap_beside(&world, crates[0], crates[1]), 0);
        assert_still(&mut world, &crates, 60);
    }
}

/// The first one and its top weigh 2; with the second one and its top they would weigh 4.
#[test]
fn what_stands_on_a_row_is_pushed_with_it_and_weighs_on_it() {
    let mut world = falling(&[]);
    let [hero] = spawn(&mut world, [hero_at(-1.0, 0.45)]);
    let crates = spawn(&mut world, [(1.0, 0.5), (2.25, 0.5), (1.0, 1.5), (2.25, 1.5)].map(|(x, y)| crate_at(x, y)));
    world.set_input(hero, RIGHT);
    for tick in 1..=120 {
        world.step();
        assert_eq!(offset(&world, crates[2], crates[0]), I64Vec2::new(0, ONE), "tick {tick}");
        assert_eq!(offset(&world, crates[3], crates[1]), I64Vec2::new(0, ONE), "tick {tick}");
    }
    let expected = [(1.25, 0.5), (2.25, 0.5), (1.25, 1.5), (2.25, 1.5)].map(|(x, y)| position(x, y));
    assert_eq!(positions(&world, crates), expected);
    assert_eq!(gap_beside(&world, hero, crates[0]), 0);
}

#[test]
fn a_character_without_push_mass_and_one_at_too_heavy_a_crate_stop_at_it() {
    for (push_mass, mass) in [(0.0, 0.001), (3.0, 3.01), (0.999, 1.0)] {
        let mut world = falling(&[]);
        let character = Character { max_push_mass: push_mass, ..Character::default() };
        let ids = [hero_at(-1.0, 0.45).character(character), crate_at(1.0, 0.5).mass(mass).friction(0.0)];
        let [hero, block] = spawn(&mut world, ids);
        world.set_input(hero, RIGHT);
        for tick in 1..=120 {
            world.step();
            assert_eq!(world[block].position(), position(1.0, 0.5), "{push_mass} {mass} tick {tick}");
        }
        assert_eq!(world[hero].position(), position(0.15, 0.45));
        assert_eq!(world[hero].velocity().abs(), DVec2::ZERO);
    }
    // A mass of exactly the limit is pushed.
    let mut world = falling(&[]);
    let [hero, block] = spawn(&mut world, [hero_at(-1.0, 0.45), crate_at(1.0, 0.5).mass(3.0)]);
    world.set_input(hero, RIGHT);
    steps(&mut world, 60);
    assert!(world[block].position().to_dvec2().x > 3.0 && gap_beside(&world, hero, block) == 0);
}

/// The wide crate brakes by 0.2 x 30 = 6 tiles per second squared, for which the friction between the two is enough:
/// the root of 0.5 x 0.2 is 0.316. From 5 tiles per second it comes 25 / 12 tiles far.
#[test]
fn a_crate_on_a_braking_crate_keeps_its_place() {
    let mut world = falling(&[]);
    let wide = colliding(Shape::aabb(1.0, 0.5)).at((0.0, 0.5)).friction(0.2).velocity((5.0, 0.0));
    let top = colliding(Shape::aabb(0.5, 0.5)).at((0.25, 1.5)).friction(0.5).velocity((5.0, 0.0));
    let [wide, top] = spawn(&mut world, [wide, top]);
    for tick in 1..=60 {
        world.step();
        assert_eq!(offset(&world, top, wide), I64Vec2::new(ONE / 4, ONE), "tick {tick}");
    }
    assert_near(world[wide].position().to_dvec2(), (25.0 / 12.0, 0.5), 1e-6);
    assert_still(&mut world, &[wide, top], 60);
}

/// A unit over the edge is enough to stand on, and none is not.
#[test]
fn a_crate_stands_on_another_one_by_a_unit() {
    for (over, y) in [(1, 1.5), (0, 0.5), (ONE / 2, 1.5), (3 * ONE / 2, 1.5), (2 * ONE, 1.5)] {
        let mut world = falling(&[]);
        let ids = spawn(&mut world, [crate_at(0.0, 0.5), crate_at(1.0, 0.5)]);
        let start = Position::from_units(2 * ONE - over, 3 * ONE).unwrap();
        let third = world.spawn(crate_at(0.0, 0.0).at(start)).unwrap();
        steps(&mut world, 60);
        let expected = Position::from_units(2 * ONE - over, (y * ONE as f64) as i64).unwrap();
        assert_eq!(world[third].position(), expected, "{over} units over");
        assert_eq!(positions(&world, ids), [position(0.0, 0.5), position(1.0, 0.5)]);
        assert_still(&mut world, &[ids[0], ids[1], third], 60);
    }
}

/// Tops side by side are one floor. What lies below has friction, what slides has none, so that nothing brakes it: 0.05
/// tiles a tick are 214748364.8 units.
#[test]
fn a_crate_slides_over_the_seams_of_a_row() {
    for shape in [Shape::aabb(0.5, 0.5), Shape::aabb(0.0625, 0.25), Shape::circle(0.5)] {
        let mut world = falling(&[]);
        let row = spawn(&mut world, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|x| crate_at(x, 0.5)));
        let before = positions(&world, row);
        let y = 1.0 + shape.half_extents().y;
        let [slider] = spawn(&mut world, [colliding(shape).at((0.25, y)).velocity((3.0, 0.0))]);
        for tick in 1..=90_i64 {
            world.step();
            let exact = DVec2::new(0.25 + 0.05 * tick as f64, y);
            // A circle is touched up to some units.
            let (rise, slack) = (
                world[slider].position().units().y - position(0.0, y).units().y,
                if shape.is_circle() { 4 } else { 0 },
            );
            assert!(rise.abs() <= slack, "{shape:?} tick {tick}: {rise} units up");
            assert_near(world[slider].position().to_dvec2(), exact.into(), ROUNDING);
            assert_eq!(world[slider].velocity() + DVec2::ZERO, DVec2::new(3.0, 0.0), "{shape:?} tick {tick}");
            assert!(world[slider].on_floor());
        }
        assert_eq!(positions(&world, row), before);
    }
}

/// From rest a tile takes sqrt(2 / 30) = 0.258 s, 15.5 ticks.
#[test]
fn a_tower_that_loses_a_crate_comes_down_by_its_height() {
    let mut world = falling(&[]);
    let mut tower: Vec<BodyId> = (0..100).map(|i| world.spawn(crate_at(0.0, f64::from(i) + 0.5)).unwrap()).collect();
    assert_still(&mut world, &tower, 120);
    let gone = tower.remove(50);
    world.despawn(gone).unwrap();
    for tick in 1..=16 {
        world.step();
        for (i, &id) in tower.iter().enumerate() {
            let (x, y) = <(f64, f64)>::from(world[id].position().to_dvec2());
            let started = i as f64 + if i < 50 { 0.5 } else { 1.5 };
            let fallen = if i < 50 { 0.0 } else { (GRAVITY / 2.0 * f64::from(tick * tick) * TICK * TICK).min(1.0) };
            assert!(x == 0.0 && (y - (started - fallen)).abs() < ROUNDING, "crate {i} at {x}, {y} in tick {tick}");
        }
    }
    for (i, &id) in tower.iter().enumerate() {
        assert_eq!(world[id].position(), position(0.0, i as f64 + 0.5), "crate {i}");
    }
    assert_still(&mut world, &tower, 600);
}

#[test]
fn a_pyramid_that_is_let_fall_stands() {
    let mut world = falling(&[]);
    let (mut ids, mut expected) = (Vec::new(), Vec::new());
    for row in 0..10 {
        for i in 0..10 - row {
            let x = f64::from(i) * 1.25 + f64::from(row) * 0.625;
            // The gap between two rows is an eighth of a tile.
            ids.push(world.spawn(crate_at(x, 0.5 + f64::from(row) * 1.125)).unwrap());
            expected.push(position(x, 0.5 + f64::from(row)));
        }
    }
    steps(&mut world, 120);
    let found: Vec<Position> = ids.iter().map(|&id| world[id].position()).collect();
    assert_eq!(found, expected);
    assert_still(&mut world, &ids, 120);
}

/// 180 ticks at 3 tiles per second are 9 tiles. The character gets its footing in the first ticks.
#[test]
fn a_character_rides_on_a_rolling_ball() {
    let mut world = falling(&[]);
    let ball = ball_at(0.5, 0.0, 0.5).velocity((3.0, 0.0));
    let [ball, hero] = spawn(&mut world, [ball, hero_at(0.0, 1.45).velocity((3.0, 0.0))]);
    steps(&mut world, 5);
    let place = offset(&world, hero, ball);
    assert!(place.x.abs() < ONE / 8, "{place}");
    for tick in 6..=180 {
        world.step();
        assert_eq!(offset(&world, hero, ball), place, "tick {tick}");
        assert!(world[hero].on_floor(), "tick {tick}");
    }
    assert_near(world[ball].position().to_dvec2(), (9.0, 0.5), ROUNDING);
}

/// A ball slides off another one without friction. At an angle of a from the top, with centres R = 1.5 apart, it has
/// v^2 = v0^2 + 2 g R (1 - cos a), and gravity holds it on a circle as long as v^2 < g R cos a: up to cos a = 2 / 3 +
/// v0^2 / (3 g R), which is 0.6685, or 48.05 degrees, for v0 = 0.5. It makes 3.6 degrees a tick there. Until then it
/// touches the other one in every tick, and does not fall on to it. It is no faster than that, and by the length of the
/// ticks a little slower.
#[test]
fn a_ball_slides_off_another_one_and_leaves_it_where_gravity_holds_it_no_more() {
    for side in [1.0, -1.0] {
        let mut world = falling(&[]);
        let [under, ball] = spawn(&mut world, [ball_at(1.0, 0.0, 1.0), ball_at(0.5, 0.0, 2.5)]);
        steps(&mut world, 2);
        world.set_velocity(ball, (0.5 * side, 0.0)).unwrap();
        let mut cos = 1.0;
        loop {
            world.step();
            let off = offset(&world, ball, under).as_dvec2() / ONE as f64;
            if off.length() - 1.5 > ROUNDING {
                break;
            }
            cos = off.y / off.length();
            let (law, speed) = ((0.25 + 90.0 * (1.0 - cos)).sqrt(), world[ball].velocity().length());
            assert!((0.96 * law..law).contains(&speed) && off.x * side > 0.0, "{cos}: {speed} and not {law}");
            let is_quiet = world.events().iter().all(|event| matches!(event.kind, EventKind::WokeUp));
            assert!(is_quiet, "{cos}: {:?}", world.events());
        }
        // The ball leaves within one tick, or 3.6 degrees, of the computed angle.
        assert!((0.6205..0.7139).contains(&cos), "{cos}");
    }
}

/// What moves by itself does not throw: off a walker at 4 the ball goes with the 6 that it came with, again and again,
/// until there is no room left.
#[test]
fn a_ball_between_a_walker_and_a_wall_gets_no_faster() {
    let mut world = falling(&[8]);
    let character = Character { walk_speed: 4.0, ..Character::default() };
    let hero = hero_at(-1.0, 0.45).character(character);
    let [ball, hero] =
        spawn(&mut world, [ball_at(0.5, 5.0, 0.625).gravity_scale(0.0).bounce(1.0).velocity((-6.0, 0.0)), hero]);
    world.set_input(hero, RIGHT);
    let mut turns = 0;
    for tick in 1..=300 {
        let before = world[ball].velocity().x;
        world.step();
        let speed = world[ball].velocity();
        assert!(speed.length() <= 6.0 + 1e-9, "{speed} in tick {tick}");
        assert!(gap_beside(&world, hero, ball) >= 0, "tick {tick}");
        assert!(world[ball].position().units().x <= 15 * ONE / 2, "tick {tick}");
        turns += u32::from(before * speed.x < 0.0);
    }
    assert!(turns > 2, "{turns}");
    assert_still(&mut world, &[ball, hero], 60);
    // The wall is at x = 8. The gaps between hero, ball and wall are too small for a further bounce.
    assert!(gap_beside(&world, hero, ball) < ONE / 64 && 15 * ONE / 2 - world[ball].position().units().x < ONE / 64);
}

/// They overlap by a tenth. The second one slides off at 3, braked by 0.5 x 30 = 15, and stops 0.3 further: 0.2 from
/// the first. Sent back at 3 it meets it with the root of 9 - 2 x 15 x 0.2 = 3; both go on with half of 1.732, and stop
/// 0.75 / 30 = 0.025 further.
#[test]
fn bodies_that_overlap_at_first_part_freely_and_meet_when_they_come_back() {
    let mut world = falling(&[]);
    let bodies = [crate_at(0.0, 0.5), crate_at(0.9, 0.5).velocity((3.0, 0.0))].map(|body| body.friction(0.5));
    let [first, second] = spawn(&mut world, bodies);
    for tick in 1..=60 {
        world.step();
        assert_eq!(world[first].position(), position(0.0, 0.5), "tick {tick}");
    }
    assert_near(world[second].position().to_dvec2(), (1.2, 0.5), 1e-6);
    world.set_velocity(second, (-3.0, 0.0)).unwrap();
    for tick in 1..=60 {
        world.step();
        assert!(gap_beside(&world, first, second) >= 0, "tick {tick}");
    }
    assert_eq!(gap_beside(&world, first, second), 0);
    assert_near(world[first].position().to_dvec2(), (-0.025, 0.5), 0.001);
    assert_still(&mut world, &[first, second], 60);
}

#[test]
fn bodies_at_one_place_are_no_obstacle_to_each_other() {
    let mut world = floating(&[]);
    let [block, ball] = spawn(&mut world, [crate_at(0.0, 5.0), ball_at(0.25, 0.0, 5.0)]);
    assert_still(&mut world, &[block, ball], 60);
    world.set_velocity(ball, (2.0, 0.0)).unwrap();
    // The ball is clear of the block after 0.75 tiles, which take 22.5 ticks.
    steps(&mut world, 30);
    assert_eq!(world[block].position(), position(0.0, 5.0));
    assert_near(world[ball].position().to_dvec2(), (1.0, 5.0), ROUNDING);
    world.set_velocity(ball, (-2.0, 0.0)).unwrap();
    steps(&mut world, 30);
    assert!(world[block].velocity().x < -0.9 && gap_beside(&world, block, ball) >= 0);
}

/// A pit of 6 columns that crates fill up to the level of its rim, and a walker over them.
///
/// - Ten crates of 0.9 are 9 tiles high but for 4 units: half of one is 0.45 x 2^32 = 1932735283.2 units.
/// - Three of a third are 2 units too high: half of one is 715827882.67 units.
/// - One of a tile is flush, and one that is smaller or larger by 2 units is as much too low or too high.
#[test]
fn crates_in_a_pit_are_walked_over_at_full_speed() {
    let tile = |more: i64| (1, 1, Shape::aabb_units([ONE / 2, ONE / 2 + more / 2]));
    let tenths = (9, 10, Shape::aabb(0.5, 0.45));
    let thirds = (1, 3, Shape::aabb(0.5, 1.0 / 6.0));
    let circle = colliding(Shape::circle(0.4)).character(Character::default()).at((-4.0, 0.4));
    for (depth, count, shape) in [tile(0), tenths, thirds, tile(-2), tile(2)] {
        for walker in [hero_at(-4.0, 0.45), circle.clone()] {
            let mut map = ground(&[]).into_parts();
            // The rim is the ground up to x = 0 and from 6 on; below the pit is another floor.
            let layer = &mut map.layers[0];
            let block = layer.cells[0];
            let (mut cells, width) = (vec![TileId::EMPTY; 120 * 121], 120);
            for (y, x) in pairs(0..=10, 0..width) {
                if y == 0 || (y <= depth && !(60..66).contains(&x)) {
                    cells[y * width + x] = block;
                }
            }
            (layer.cells, layer.origin) = (cells, (-60, -1 - depth as i32));
            let settings = Settings::default().tick(TICK).gravity((0.0, -GRAVITY));
            let mut world = World::new(Map::from_parts(map).unwrap(), settings);
            let half = shape.half_units().y;
            let mut crates = Vec::new();
            for (x, i) in pairs(0..6, 0..count) {
                let y = -(depth as i64) * ONE + half + 2 * half * i;
                let at = Position::from_units(x * ONE + ONE / 2, y).unwrap();
                crates.push(world.spawn(colliding(shape).friction(0.6).at(at)).unwrap());
            }
            assert_still(&mut world, &crates, 30);
            let walker = world.spawn(walker).unwrap();
            let scene = format!("{count} of {shape:?}, {:?}", world[walker].shape());
            let is_flush = 2 * half * count == depth as i64 * ONE;
            for input in [RIGHT, LEFT] {
                world.set_input(walker, input);
                let (mut slow, mut on_crates) = (0, 0);
                for tick in 0..110 {
                    let before = world[walker].position();
                    world.step();
                    let at = world[walker].position();
                    assert!(world[walker].on_floor(), "{scene}: off the floor at {at:?} in tick {tick}");
                    let level = world[walker].shape().half_units().y;
                    assert!((at.units().y - level).abs() <= 8, "{scene}: {} units high", at.units().y - level);
                    // The walker has its full speed long before it is over the first crate.
                    let x = before.to_dvec2().x;
                    if (-1.0..7.0).contains(&x) && (tick > 20) {
                        on_crates += 1;
                        let way = (at - before).x.abs();
                        slow += u32::from((way - (8.0 * TICK * ONE as f64) as i64).abs() > 2);
                    }
                }
                assert!(on_crates > 50, "{scene}: {on_crates}");
                // A circle may be some units slower in the tick in which it passes a rim, once at each rim.
                let allowed = if is_flush || !world[walker].shape().is_circle() { 0 } else { 2 };
                assert!(slow <= allowed, "{scene}: {slow} slow ticks");
            }
            assert_still(&mut world, &crates, 1);
        }
    }
}

/// In each tick a ball of 1000 tiles per second has way for more than 60 impacts in a gap of a quarter of a tile.
#[test]
fn a_body_stands_for_the_tick_after_its_last_impact() {
    for gravity in [0.0, GRAVITY] {
        let settings = Settings::default().tick(TICK).gravity((0.0, -gravity));
        let mut world = World::new(ground(&[]), settings);
        let heavy = |x| crate_at(x, 0.5).mass(1e6).bounce(1.0).friction(0.0);
        let ball = ball_at(0.125, 0.0, 0.5).bounce(1.0).velocity((1000.0, 0.0)).gravity_scale(0.0);
        let [left, right, ball] = spawn(&mut world, [heavy(-0.75), heavy(0.75), ball]);
        let mut energy = 1000.0 * 1000.0;
        for tick in 1..=120 {
            world.step();
            assert!(gap_beside(&world, left, ball) >= 0 && gap_beside(&world, ball, right) >= 0, "tick {tick}");
            let now =
                [(left, 1e6), (right, 1e6), (ball, 1.0)].map(|(id, mass)| mass * world[id].velocity().length_squared());
            let now = now.into_iter().sum::<f64>();
            assert!(now <= energy * (1.0 + 1e-12), "tick {tick}: {now} after {energy}");
            energy = now;
        }
    }
}

/// Bodies that fly at each other bounce, or pass. Of bodies side by side, from y = 4.5 to 5.5, each touches the other
/// one in the middle of its side, at (0.5, 5), or nothing.
#[test]
fn bodies_meet_only_if_each_one_s_mask_says_so() {
    let (first, second, both) = (CollisionLayers::FIRST, CollisionLayers(0b10), CollisionLayers(0b11));
    let (all, none) = (CollisionLayers::ALL, CollisionLayers::NONE);
    for (layers, masks, meet) in [
        ([first, first], [all, all], true),
        ([first, first], [first, first], true),
        ([first, first], [all, none], false),
        ([first, first], [none, all], false),
        ([first, first], [none, none], false),
        ([first, first], [all, second], false),
        ([first, first], [second, all], false),
        ([first, second], [second, first], true),
        ([first, second], [first, second], false),
        ([first, second], [second, second], false),
        ([first, second], [both, second], false),
        ([both, second], [second, second], true),
        ([both, second], [second, first], true),
        ([first, first], [second, second], false),
    ] {
        let body = |i: usize, x: f64| {
            let body = Body::new(Shape::aabb(0.5, 0.5)).bounce(1.0).at((x, 5.0));
            body.collision_layers(layers[i]).collision_mask(masks[i])
        };
        let mut world = floating(&[]);
        let bodies = [body(0, -2.0).velocity((5.0, 0.0)), body(1, 2.0).velocity((-5.0, 0.0))];
        assert_eq!(bodies[0].can_collide_with(&bodies[1]), meet);
        let [left, right] = spawn(&mut world, bodies);
        steps(&mut world, 60);
        let speed = if meet { -5.0 } else { 5.0 };
        assert_near(world[left].velocity(), (speed, 0.0), 1e-12);
        assert_near(world[right].velocity(), (-speed, 0.0), 1e-12);

        let mut world = floating(&[]);
        let [left, right] = spawn(&mut world, [body(0, 0.0), body(1, 1.0)]);
        let contact = |other, normal| (other, position(0.5, 5.0), DVec2::new(normal, 0.0));
        let expected = |contact| if meet { vec![contact] } else { vec![] };
        assert_eq!(touched_bodies(&world, left), expected(contact(right, -1.0)), "{layers:?} {masks:?}");
        assert_eq!(touched_bodies(&world, right), expected(contact(left, 1.0)), "{layers:?} {masks:?}");
    }
    // By default, a body collides with no other body.
    assert_eq!(Body::default().collision_mask, CollisionLayers::NONE);
    assert!(!Body::default().can_collide_with(&Body::default()));
}

/// What a body touches of others, where, and the normal from them.
fn touched_bodies(world: &World, body: BodyId) -> Vec<(BodyId, Position, DVec2)> {
    let mut found = Vec::new();
    world.body_contacts(body, &mut found);
    found.into_iter().map(|contact| (contact.other, contact.point, contact.normal)).collect()
}

/// Four crates touch the sides of one in the middle. Of these only the upper one meets it: the left one is carried, the
/// right one is one-way and beside it, and the lower one passes through everything.
#[test]
fn bodies_that_do_not_meet_now_have_no_contact() {
    let mut world = floating(&[]);
    let lower = crate_at(0.0, 4.0).response(Response::Pass);
    let [middle, upper, left, hero, ..] = spawn(
        &mut world,
        [
            crate_at(0.0, 5.0),
            crate_at(0.0, 6.0),
            crate_at(-9.0, 5.0),
            hero_at(-5.0, 5.0),
            crate_at(1.0, 5.0).one_way(),
            lower,
            // This crate overlaps the middle one.
            crate_at(0.125, 5.0),
        ],
    );
    world.carry(hero, left, (4.0, 0.0)).unwrap();
    world.step();
    assert_eq!(world[left].position(), position(-1.0, 5.0));
    assert_eq!(touched_bodies(&world, middle), [(upper, position(0.0, 5.5), DVec2::new(0.0, -1.0))]);
    assert_eq!(touched_bodies(&world, left), []);
}

/// A mask that a command takes away lets them pass into each other; one that it gives back lets them part.
#[test]
fn masks_that_change_let_bodies_through_and_stop_them_again() {
    let mut world = falling(&[]);
    let [lower, upper] = spawn(&mut world, [crate_at(0.0, 0.5), crate_at(0.0, 1.5)]);
    assert_still(&mut world, &[lower, upper], 30);
    world.set_collision_mask(upper, CollisionLayers::NONE).unwrap();
    steps(&mut world, 30);
    assert_eq!(positions(&world, [lower, upper]), [position(0.0, 0.5); 2]);
    world.set_collision_mask(upper, CollisionLayers::ALL).unwrap();
    assert_still(&mut world, &[lower, upper], 30);
    world.teleport(upper, (0.25, 3.0)).unwrap();
    steps(&mut world, 60);
    assert_eq!(positions(&world, [lower, upper]), [position(0.0, 0.5), position(0.25, 1.5)]);
}

/// A wall flies off at 60 tiles per second, and at 50 once it has hit a ball that does so; behind it what comes down on
/// the floor makes 40 at most, and less after it. Its way leads into where the wall was, but not into the wall: it
/// moves to the bit as in a world of its own.
#[test]
fn what_comes_to_where_another_body_has_been_moves_as_alone() {
    let down = |body: Body| body.velocity((40.0, -12.0));
    let bouncing = down(ball_at(0.25, 0.0, 0.3125).bounce(0.7).friction(0.3));
    let sliding = down(ball_at(0.25, 0.0, 0.3125).friction(0.3));
    for lone in [bouncing, sliding, down(hero_at(-0.125, 0.5))] {
        let (mut world, mut own) = (falling(&[]), falling(&[]));
        let free = |body: Body, speed: f64| body.gravity_scale(0.0).bounce(1.0).velocity((speed, 0.0));
        // The left side of the wall is at x = 0.4375, and a ball is 0.0625 in front of its right side.
        let wall = free(colliding(Shape::aabb(0.125, 2.0)).at((0.5625, 2.0625)), 60.0);
        let [wall, _, id] = spawn(&mut world, [wall, free(ball_at(0.25, 1.0, 2.0), 50.0), lone.clone()]);
        let [same] = spawn(&mut own, [lone]);
        for tick in 1..=10 {
            world.step();
            own.step();
            assert!((world[wall].velocity() - DVec2::new(50.0, 0.0)).length() < 1e-9, "tick {tick}");
            let seen = |world: &World, id: BodyId| {
                let (state, told) = (&world[id], world.events().iter().filter(|event| event.body == id));
                (
                    state.path().to_vec(),
                    state.velocity(),
                    state.touching(),
                    told.map(|event| event.kind).collect::<Vec<_>>(),
                )
            };
            assert_eq!(seen(&world, id), seen(&own, same), "tick {tick}");
        }
    }
}

/// Where all bodies rest a tick looks at none of them. From y = 2.5 a crate has fallen 15 (12 / 60)^2 = 0.6 tiles after
/// 12 ticks, and 2 tiles after sqrt(2 / 15) = 0.37 s: in tick 22.
#[test]
fn a_fall_that_is_brought_back_into_a_world_at_rest_goes_on() {
    let mut world = falling(&[]);
    let [block] = spawn(&mut world, [crate_at(0.0, 2.5)]);
    steps(&mut world, 2);
    let (saved, copy) = (world.capture(), world.clone());
    for is_loaded in [true, false] {
        steps(&mut world, 60);
        assert_eq!(world[block].position(), position(0.0, 0.5));
        if is_loaded {
            world.restore(&saved).unwrap();
        } else {
            world.clone_from(&copy);
        }
        steps(&mut world, 10);
        assert_near(world[block].position().to_dvec2(), (0.0, 1.9), ROUNDING);
    }
    steps(&mut world, 10);
    assert_eq!(world[block].position(), position(0.0, 0.5));
}

/// In the slot of a crate at rest there is a plank at rest after that, with its centre at the same place: what falls on
/// its end, 5 tiles beyond where the crate was, stands on it. A character far off never rests, so that each tick looks
/// at bodies.
#[test]
fn a_body_at_rest_that_is_brought_back_in_the_place_of_another_one_is_met() {
    let mut plank = falling(&[]);
    let wide = colliding(Shape::aabb(6.0, 0.5)).friction(0.6).at((0.0, 0.5));
    let ids = spawn(&mut plank, [wide, crate_at(5.5, 4.5), hero_at(-30.0, 0.45)]);
    steps(&mut plank, 4);
    let saved = plank.capture();
    for is_loaded in [true, false] {
        let mut world = falling(&[]);
        assert_eq!(spawn(&mut world, [crate_at(0.0, 0.5), crate_at(-20.0, 0.5), hero_at(-30.0, 0.45)]), ids);
        steps(&mut world, 60);
        if is_loaded {
            world.restore(&saved).unwrap();
        } else {
            world.clone_from(&plank);
        }
        steps(&mut world, 60);
        assert_eq!(
            positions(&world, [ids[0], ids[1]]),
            [position(0.0, 0.5), position(5.5, 1.5)],
            "loaded: {is_loaded}"
        );
    }
}

/// Pushes a crate with a crate on it, and a character on that: 3 in all.
#[test]
fn a_character_on_a_crate_on_a_pushed_crate_comes_along() {
    let mut world = falling(&[]);
    let bodies = [hero_at(-1.0, 0.45), crate_at(0.5, 0.5), crate_at(0.25, 1.5), hero_at(0.0, 2.45)];
    let [pusher, lower, upper, rider] = spawn(&mut world, bodies);
    steps(&mut world, 10);
    let (on_lower, on_upper) = (offset(&world, upper, lower), offset(&world, rider, upper));
    assert_eq!((on_lower, on_upper.y), (I64Vec2::new(-ONE / 4, ONE), position(0.0, 0.95).units().y));
    for (input, ticks) in [(RIGHT, 90), (Input::default(), 30), (RIGHT, 30)] {
        world.set_input(pusher, input);
        for tick in 1..=ticks {
            world.step();
            assert_eq!(offset(&world, upper, lower), on_lower, "tick {tick} of {input:?}");
            assert_eq!(offset(&world, rider, upper), on_upper, "tick {tick} of {input:?}");
            assert!(world[rider].on_floor(), "tick {tick} of {input:?}");
        }
    }
    assert!(world[lower].position().to_dvec2().x > 8.0);
    // A fourth crate is too heavy for the pusher.
    let [_fourth] = spawn(&mut world, [crate_at(20.0, 0.5)]);
    world.set_input(pusher, RIGHT);
    steps(&mut world, 240);
    assert_eq!(world[lower].position(), position(19.0, 0.5));
    assert_eq!((offset(&world, upper, lower), offset(&world, rider, upper)), (on_lower, on_upper));
}

/// It leaves with the crate's 3 tiles per second and keeps them in the air, so that it comes down where it was: after
/// 2 sqrt(2 x 3.2 / 30) = 0.92 s, 55.4 ticks.
#[test]
fn a_character_that_jumps_off_a_moving_crate_comes_down_on_it() {
    let mut world = falling(&[]);
    let character = Character { air_acceleration: 0.0, ..Character::default() };
    let sled = crate_at(0.0, 0.5).friction(0.0).velocity((3.0, 0.0));
    let [sled, hero] = spawn(&mut world, [sled, hero_at(0.0, 1.45).character(character).velocity((3.0, 0.0))]);
    steps(&mut world, 30);
    let before = offset(&world, hero, sled);
    world.set_input(hero, Input { jump: true, ..Input::default() });
    for tick in 1..=54 {
        world.step();
        assert!(!world[hero].on_floor(), "tick {tick}");
        assert!((world[hero].velocity().x - 3.0).abs() < 1e-6, "tick {tick}");
    }
    steps(&mut world, 6);
    assert!(world[hero].on_floor());
    let after = offset(&world, hero, sled);
    assert!((after.x - before.x).abs() < ONE / 1000 && after.y == before.y, "{before} {after}");
    assert_eq!(world[sled].velocity() + DVec2::ZERO, DVec2::new(3.0, 0.0));
    for _ in 0..60 {
        world.step();
        assert_eq!(offset(&world, hero, sled), after);
    }
}

/// A walker carries what stands on it, from its first step to its last.
#[test]
fn characters_stand_on_each_other() {
    let mut world = falling(&[]);
    let [lower, middle, top] = spawn(&mut world, [hero_at(0.0, 0.45), hero_at(0.125, 1.35), hero_at(0.0, 2.25)]);
    steps(&mut world, 10);
    assert_eq!((gap_above(&world, lower, middle), gap_above(&world, middle, top)), (0, 0));
    let stack = (offset(&world, middle, lower), offset(&world, top, middle));
    for (input, ticks) in [(RIGHT, 60), (Input::default(), 30), (LEFT, 60)] {
        world.set_input(lower, input);
        for tick in 1..=ticks {
            world.step();
            assert_eq!((offset(&world, middle, lower), offset(&world, top, middle)), stack, "tick {tick} of {input:?}");
            assert!([lower, middle, top].iter().all(|&id| world[id].on_floor()), "tick {tick} of {input:?}");
        }
    }
    // The middle hero walks off the lower one, and the upper hero comes down on the middle one.
    world.set_input(lower, Input::default());
    steps(&mut world, 30);
    world.set_input(middle, RIGHT);
    steps(&mut world, 60);
    assert_eq!(
        (gap_above(&world, middle, top), world[middle].position().units().y),
        (0, position(0.0, 0.45).units().y)
    );
}

/// A sled goes off to the left at 3 tiles/s, or up at 2, under a character that walks into a wall: that stays at the wall, and
/// walks on the spot. The sled's end has passed a box of 0.7 after 14 ticks, and the centre of a circle after 7.
#[test]
fn a_walker_at_a_wall_stays_there_while_what_it_stands_on_goes_on() {
    for (shape, ticks) in [(Shape::aabb(0.35, 0.45), 13), (Shape::circle(0.35), 6)] {
        let hero = |y| Body { shape, ..hero_at(1.65, y + shape.half_extents().y) };
        let sled = || colliding(Shape::aabb(2.0, 0.25)).mass(1e6).friction(0.0);
        let mut world = falling(&[2]);
        let [sled_left, walker] = spawn(&mut world, [sled().at((0.0, 0.25)).velocity((-3.0, 0.0)), hero(0.5)]);
        world.set_input(walker, RIGHT);
        let at = world[walker].position();
        for tick in 1..=ticks {
            world.step();
            assert_eq!(world[walker].position(), at, "{shape:?}, tick {tick}");
            assert_eq!(world[walker].velocity().abs(), DVec2::ZERO, "{shape:?}, tick {tick}");
            assert!(world[walker].on_floor(), "{shape:?}, tick {tick}");
        }
        assert_near(world[sled_left].velocity(), (-3.0, 0.0), 0.0);
        // Once the walker does not walk any longer, the sled takes it along.
        world.set_input(walker, Input::default());
        steps(&mut world, 1);
        assert!(world[walker].velocity().x < 0.0);
        // Now the sleds move up, and in the second case also to the left by half as much.
        for (aside, ticks) in [(0.0, 60), (-1.0, 3 * ticks)] {
            let mut world = falling(&[2]);
            let lift = sled().gravity_scale(0.0).at((0.0, 0.25)).velocity((aside, 2.0));
            let [lift, walker] = spawn(&mut world, [lift, hero(0.5).velocity((0.0, 2.0))]);
            world.set_input(walker, RIGHT);
            for tick in 1..=ticks {
                world.step();
                let what = format!("{shape:?} {aside}, tick {tick}");
                assert_eq!(gap_above(&world, lift, walker), 0, "{what}");
                assert_eq!(world[walker].position().units().x, at.units().x, "{what}");
                assert_near(world[walker].velocity(), (0.0, 2.0), 0.0);
                assert_near(world[lift].velocity(), (aside, 2.0), 0.0);
            }
        }
    }
}

/// Two that run into each other stop where they meet, in the middle between them, whichever was spawned first, on the
/// ground and in the air.
#[test]
fn characters_that_run_into_each_other_stop_where_they_meet() {
    for (apart, jump) in [(4.0, false), (4.01, false), (4.37, false), (5.0, true)] {
        let mut world = falling(&[]);
        let [left, right] = spawn(&mut world, [hero_at(-apart / 2.0, 0.45), hero_at(apart / 2.0, 0.45)]);
        world.set_input(left, Input { jump, ..RIGHT });
        world.set_input(right, Input { jump, ..LEFT });
        for tick in 0..60 {
            world.step();
            let [a, b] = positions(&world, [left, right]).map(Position::units);
            assert_eq!((a.x + b.x, a.y), (0, b.y), "apart by {apart}, tick {tick}");
        }
        let gap = offset(&world, right, left).x - 2 * world[left].shape().half_units().x;
        assert!((0..=1).contains(&gap), "{gap}");
    }
    // On a sled, the two heroes collide over its middle and move on with it.
    let mut world = falling(&[]);
    let sled = colliding(Shape::aabb(4.0, 0.25)).at((0.0, 0.25)).mass(1e6).friction(0.0).velocity((3.0, 0.0));
    let hero = |x: f64| hero_at(x, 0.95).velocity((3.0, 0.0));
    let [sled, left, right] = spawn(&mut world, [sled, hero(-2.0), hero(2.0)]);
    world.set_input(left, RIGHT);
    world.set_input(right, LEFT);
    for tick in 0..60 {
        world.step();
        let [a, b] = [offset(&world, left, sled), offset(&world, right, sled)];
        assert!((a.x + b.x).abs() <= 4 && a.y == b.y, "{a} {b}, tick {tick}");
    }
    assert!((0..=2).contains(&(offset(&world, right, left).x - 2 * world[left].shape().half_units().x)));
}

/// Falls from 2 tiles above the other one's head, from 2.9 to 0.9, and stands on it; neither is pushed into the floor.
#[test]
fn a_character_that_falls_on_another_one_stands_on_its_head() {
    for below in [hero_at(0.0, 0.45), crate_at(0.0, 0.5), ball_at(0.5, 0.0, 0.5)] {
        let mut world = falling(&[]);
        let top = 2.0 * below.shape.half_extents().y;
        let [below, hero] = spawn(&mut world, [below, hero_at(0.0, top + 2.45)]);
        let at = world[below].position();
        // The fall of 2 tiles takes sqrt(2 x 2 / 30) = 0.365 s: 21.9 ticks.
        for tick in 1..=60 {
            world.step();
            assert_eq!(world[below].position(), at, "tick {tick}");
            assert!(gap_above(&world, below, hero) >= 0, "tick {tick}");
            assert_eq!(world[hero].on_floor(), tick >= 22, "tick {tick}");
        }
        // A circle is touched up to some units.
        let slack = if world[below].shape().is_circle() { 64 } else { 0 };
        assert!(gap_above(&world, below, hero) <= slack);
        assert_still(&mut world, &[below, hero], 60);
        // From there, the hero jumps as high as from the floor.
        let start = world[hero].position().to_dvec2().y;
        world.set_input(hero, Input { jump: true, ..Input::default() });
        let mut highest = start;
        for _ in 0..60 {
            world.step();
            highest = highest.max(world[hero].position().to_dvec2().y);
        }
        assert!((highest - start - 3.2).abs() < 0.01, "{}", highest - start);
        assert_eq!(world[below].position(), at);
    }
}

#[test]
fn a_crate_that_falls_on_a_character_lies_on_its_head() {
    let mut world = falling(&[]);
    let [hero, load] = spawn(&mut world, [hero_at(0.0, 0.45), crate_at(0.125, 3.0)]);
    steps(&mut world, 60);
    assert_eq!(world[hero].position(), position(0.0, 0.45));
    assert_eq!((gap_above(&world, hero, load), offset(&world, load, hero).x), (0, ONE / 8));
    assert_still(&mut world, &[hero, load], 60);
}

/// A lid on two pillars 1.1 tiles above its head, for a jump of 3.2. However far the lid is lifted, it comes down
/// again.
#[test]
fn a_character_that_jumps_against_a_lid_does_not_pass_it() {
    let map = map(&["......", "......", "#....#", "#....#", "######"]);
    let mut world = World::new(map, Settings::default().tick(TICK).gravity((0.0, -GRAVITY)));
    let lid = colliding(Shape::aabb(3.0, 0.25)).friction(0.6).mass(10.0).at((3.0, 3.25));
    let [hero, lid] = spawn(&mut world, [hero_at(3.0, 1.45), lid]);
    steps(&mut world, 10);
    world.set_input(hero, Input { jump: true, ..Input::default() });
    let mut met = false;
    for tick in 1..=180 {
        world.step();
        let gap = gap_above(&world, hero, lid);
        assert!(gap >= 0, "tick {tick}");
        met |= gap < ONE / 16;
    }
    assert!(met && world[hero].on_floor());
    assert_eq!(positions(&world, [hero, lid]), [position(3.0, 1.45), position(3.0, 3.25)]);
}

/// A world without bodies, and the bodies for it, each with what is held.
struct Scene {
    name: &'static str,
    empty: World,
    bodies: Vec<(Body, Input)>,
}

/// A pyramid that is let fall, a row with a load that is pushed, balls in a row, and a tower of characters.
fn scenes() -> Vec<Scene> {
    let scene = |name, empty, bodies| Scene { name, empty, bodies };
    let idle = |body: Body| (body, Input::default());
    let pyramid = (0..6).flat_map(|row| {
        (0..6 - row).map(move |i| crate_at(f64::from(i) * 1.25 + f64::from(row) * 0.625, 0.5 + f64::from(row) * 1.125))
    });
    let row = [(1.0, 0.5), (2.25, 0.5), (1.25, 1.5)].map(|(x, y)| idle(crate_at(x, y)));
    let balls = [0.0, 1.0, 2.0, 3.0].map(|x| ball_at(0.5, x, 5.0));
    let thrown = [ball_at(0.5, -3.0, 5.0).velocity((7.0, 0.0))];
    vec![
        scene("pyramid", falling(&[]), pyramid.map(idle).collect()),
        scene("row", falling(&[6]), row.into_iter().chain([(hero_at(-1.0, 0.45), RIGHT)]).collect()),
        scene("balls", floating(&[]), balls.into_iter().chain(thrown).map(|body| idle(body.bounce(1.0))).collect()),
        scene(
            "tower",
            falling(&[]),
            vec![(hero_at(0.0, 0.45), LEFT), idle(hero_at(0.125, 1.35)), idle(hero_at(0.0, 2.25))],
        ),
    ]
}

#[test]
fn the_order_in_which_bodies_are_spawned_does_not_show() {
    for Scene { name, empty, bodies } in scenes() {
        let put_in = |order: &[usize]| {
            let mut world = empty.clone();
            let mut ids = vec![BodyId::default(); bodies.len()];
            for &i in order {
                ids[i] = world.spawn(bodies[i].0.clone()).unwrap();
                world.set_input(ids[i], bodies[i].1);
            }
            (world, ids)
        };
        let count = bodies.len();
        let forwards: Vec<usize> = (0..count).collect();
        let backwards: Vec<usize> = (0..count).rev().collect();
        let turned: Vec<usize> = (0..count).map(|i| (i + count / 2) % count).collect();
        let (mut world, ids) = put_in(&forwards);
        let mut others = [put_in(&backwards), put_in(&turned)];
        for tick in 1..=150 {
            world.step();
            for (other, same) in &mut others {
                other.step();
                for (i, (&one, &other_one)) in ids.iter().zip(same.iter()).enumerate() {
                    let [here, there] = [&world[one], &other[other_one]]
                        .map(|state| (state.position(), state.velocity() + DVec2::ZERO, state.on_floor()));
                    assert_eq!(here, there, "{name}: body {i} in tick {tick}");
                }
            }
        }
    }
}

/// A slope of 45 degrees up from x = 7 to 9 and one down from 14 to 16. The right side of the crate's underside is on
/// the first one: (y - 0.5) - 2 = (x + 0.5) - 7, so y = x - 4.
#[test]
fn a_crate_is_pushed_up_a_slope_over_its_top_and_down() {
    let rows = [
        "....................",
        "......../=====\\.....",
        "......./=======\\....",
        "====================",
        "====================",
    ];
    let settings = Settings::default().tick(TICK).gravity((0.0, -GRAVITY));
    let mut world = World::new(Map::from_rows(rows).unwrap(), settings);
    let character = Character { max_push_mass: 3.0, ..Character::default() };
    // The hero is 1.5 tiles high. A lower hero would get under a crate on the slope, while it is itself still in front
    // of the slope.
    let hero = colliding(Shape::aabb(0.35, 0.75)).character(character).at((1.5, 2.75));
    let [hero, load] = spawn(&mut world, [hero, crate_at(3.5, 2.5)]);
    steps(&mut world, 20);
    world.set_input(hero, RIGHT);
    let (mut touched, mut on_slope) = (false, 0);
    for tick in 1..=140 {
        world.step();
        let gap = gap_beside(&world, hero, load);
        touched |= gap == 0;
        assert!(gap >= 0 && (!touched || gap == 0), "{gap} units in tick {tick}");
        assert!(world[hero].on_floor(), "tick {tick}");
        assert!(world.events().iter().all(|event| event.kind.name() != "push_refused"), "tick {tick}");
        let at = world[load].position();
        if (6.75..8.25).contains(&at.to_dvec2().x) {
            on_slope += 1;
            assert!((at.units().y - at.units().x + 4 * ONE).abs() <= 2, "{at:?} in tick {tick}");
        }
    }
    assert!(on_slope > 10, "{on_slope}");
    // The crate is down on the level floor again.
    assert_eq!(world[load].position().units().y, position(0.0, 2.5).units().y);
}

/// Nothing is near the character while it stands. A jump of 60 tiles per second takes it 5.8 tiles up in its first tick
/// of a tenth of a second, and the crate is 5 tiles above it.
#[test]
fn a_jump_hits_a_body_that_was_far_away_in_the_tick_before() {
    let settings = Settings { tick: 0.1, ..Settings::default() }.gravity((0.0, -20.0));
    let rows = [["........"; 16].as_slice(), &["========"]].concat();
    let mut world = World::new(map(&rows), settings);
    let body = Body::new(Shape::aabb(0.5, 0.5)).collision_mask(CollisionLayers::ALL);
    let character = Character { jump_height: 90.0, jump_time: 3.0, ..Character::default() };
    let hero = world.spawn(body.clone().at((4.0, 1.5)).character(character)).unwrap();
    let crate_ = world.spawn(Body { gravity_scale: 0.0, ..body.at((4.0, 7.5)) }).unwrap();
    (0..40).for_each(|_| world.step());
    world.set_input(hero, Input { jump: true, ..Input::default() });
    world.step();
    let [hero, crate_] = [hero, crate_].map(|body| world[body].position().to_dvec2().y);
    assert!(hero > 6.5 && crate_ >= hero + 1.0, "the hero is at {hero}, the crate at {crate_}");
}

//! Movement of characters in response to input.

use crate::scene::{Canvas, ONE, kinds, map, position};
use crate::symmetry::Symmetry;
use crate::table::{Stage, all_ways_of, pairs};
use surefoot::event::JumpFrom;
use surefoot::prelude::*;
use surefoot::{Input, World, geometry::DVec2};
use surefoot_geometry::to_lengths;

const TICK: f64 = 1.0 / 60.0;

fn shapes() -> [Shape; 3] {
    [Shape::aabb(0.375, 0.5), Shape::circle(0.5), Shape::aabb(0.25, 0.25)]
}

fn walk(amount: i8) -> Input {
    Input { walk: amount, ..Input::default() }
}

const JUMP: Input = Input { walk: 0, jump: true, down: false, up: false, dash: false };
const JUMPED: EventKind = EventKind::Jumped { from: JumpFrom::Ground, buffered: false };
/// Names of events.
fn names(kinds: &[EventKind]) -> Vec<&'static str> {
    kinds.iter().map(EventKind::name).collect()
}

const DOWN: Input = Input { walk: 0, jump: false, down: true, up: false, dash: false };

/// A character that stands at `x` on a floor whose top is at `floor`.
fn standing(rows: &[&str], shape: Shape, x: f64, floor: f64) -> (World, BodyId) {
    let mut world = World::new(map(rows), Settings::default());
    let start = position(x, floor + shape.half_extents().y);
    let body = world.spawn(Body::new(shape).at(start).character(Character::default())).unwrap();
    world.step();
    world.step();
    assert!(world[body].on_floor() && world[body].position() == start);
    (world, body)
}

fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-9, "{what}: {found}, expected {expected}");
}

#[test]
fn a_character_walks_speeds_up_brakes_and_turns_by_its_fields() {
    let feel = Character::default();
    let wide = format!("{:100}", "");
    let floor = "#".repeat(100);
    for shape in shapes() {
        let (mut world, body) = standing(&[&wide, &wide, &floor], shape, 50.0, 1.0);
        let (mut speed, mut x) = (0.0_f64, 50.0);
        let plan = [(127, 20), (64, 15), (-127, 30), (0, 20), (-30, 20), (127, 20), (0, 30), (-128, 20)];
        for (input, ticks) in plan {
            world.set_input(body, walk(input));
            let wanted = feel.walk_speed * f64::from(input.max(-127)) / 127.0;
            for tick in 0..ticks {
                world.step();
                // Speeding up uses the acceleration. Slowing down and turning use the braking.
                let away = wanted.abs() > speed.abs() && wanted * speed >= 0.0;
                let step = TICK * if away { feel.ground_acceleration } else { feel.ground_braking };
                let next = speed + (wanted - speed).clamp(-step, step);
                x += TICK * (speed + next) / 2.0;
                speed = next;
                let what = format!("{shape:?} input {input} tick {tick}");
                assert_close(world[body].velocity().x, speed, &what);
                let lost = 1e-9 + 0.5 / ONE as f64 * world.tick() as f64;
                assert!((world[body].position().to_dvec2().x - x).abs() < lost, "{what}");
                assert!(world[body].on_floor() && world.events().is_empty(), "{what}");
            }
        }
    }
}

#[test]
fn a_character_steers_in_the_air_and_keeps_its_speed_without_input() {
    let feel = Character::default();
    let mut world = World::new(Canvas::default().map(Symmetry(Placement::default())), Settings::default());
    let body = Body::new(Shape::aabb(0.375, 0.5)).at((0.5, 0.5)).velocity((3.0, 10.0)).character(feel);
    let body = world.spawn(body).unwrap();
    let mut speed = 3.0_f64;
    for (input, ticks) in [(0, 10), (127, 10), (-64, 10), (0, 5)] {
        world.set_input(body, walk(input));
        for _ in 0..ticks {
            world.step();
            if input != 0 {
                let wanted = feel.walk_speed * f64::from(input) / 127.0;
                speed += (wanted - speed).clamp(-TICK * feel.air_acceleration, TICK * feel.air_acceleration);
            }
            assert_close(world[body].velocity().x, speed, "speed in the air");
        }
    }
}

#[test]
fn a_character_falls_no_faster_than_its_fall_speed() {
    let mut world = World::new(Canvas::default().map(Symmetry(Placement::default())), Settings::default());
    let body = Body::new(Shape::aabb(0.375, 0.5)).at((0.5, 0.5)).character(Character::default());
    let body = world.spawn(body).unwrap();
    for tick in 1..=120 {
        world.step();
        assert_close(world[body].velocity().y, -(40.0 * TICK * f64::from(tick)).min(24.0), "fall");
    }
}

#[test]
fn a_wall_stops_a_character_with_one_hit() {
    for shape in shapes() {
        for (amount, side, wall) in [(127_i8, Side::WallRight, 11.0), (-127, Side::WallLeft, 1.0)] {
            let rows = ["#..........#", "#..........#", "############"];
            let (mut world, body) = standing(&rows, shape, 6.0, 1.0);
            let rest = wall - shape.half_extents().x * f64::from(amount.signum());
            for _ in 0..2 {
                world.set_input(body, walk(amount));
                let mut hits = 0;
                for tick in 0..120 {
                    world.step();
                    for kind in kinds(&world) {
                        let EventKind::HitTile { side: found, speed, normal, tile, .. } = kind else {
                            panic!("{kind:?}")
                        };
                        assert_eq!((found, normal), (side, DVec2::X * -f64::from(amount.signum())));
                        assert_close(speed, 8.0, "speed of the hit");
                        assert_eq!(tile, (if amount > 0 { 11 } else { 0 }, 1), "{shape:?}");
                        hits += 1;
                    }
                    if hits > 0 {
                        assert_eq!(world[body].position(), position(rest, 1.0 + shape.half_extents().y), "tick {tick}");
                        assert_eq!(world[body].velocity(), DVec2::ZERO);
                    }
                }
                assert_eq!(hits, 1, "{shape:?}");
                // Walk away, and back once more.
                world.set_input(body, walk(-amount));
                for _ in 0..40 {
                    world.step();
                    assert!(world.events().is_empty());
                }
            }
        }
    }
}

#[test]
fn a_ceiling_stops_the_rise_at_once() {
    for shape in shapes() {
        let room = 4.0 - shape.half_extents().y;
        let (mut world, body) = standing(&["#####", ".....", ".....", ".....", "#####"], shape, 2.5, 1.0);
        world.set_input(body, JUMP);
        let mut seen = vec![];
        for _ in 0..60 {
            let before = world[body].velocity().y;
            world.step();
            if kinds(&world).iter().any(|kind| matches!(kind, EventKind::HitTile { .. })) {
                assert!(before > 0.0);
                assert_close(world[body].position().to_dvec2().y, room, "under the ceiling");
                assert_eq!(world[body].velocity(), DVec2::ZERO);
                assert!(world[body].touching().ceiling);
            }
            seen.extend(kinds(&world));
        }
        assert!(
            matches!(
                seen[..],
                [
                    JUMPED,
                    EventKind::LeftFloor,
                    EventKind::HitTile { side: Side::Ceiling, tile: (2, 4), .. },
                    EventKind::Landed { .. }
                ]
            ),
            "{shape:?} {seen:?}"
        );
    }
}

#[test]
fn a_held_jump_is_one_jump() {
    let (mut world, body) =
        standing(&[".....", ".....", ".....", ".....", ".....", "#####"], Shape::aabb(0.375, 0.5), 2.5, 1.0);
    world.set_input(body, JUMP);
    let mut seen = vec![];
    for _ in 0..200 {
        world.step();
        seen.extend(kinds(&world));
    }
    assert_eq!(names(&seen), ["jumped", "left_floor", "landed"]);
    world.set_input(body, Input::default());
    world.step();
    world.set_input(body, JUMP);
    world.step();
    assert_eq!(kinds(&world), [JUMPED, EventKind::LeftFloor]);
}

#[test]
fn down_drops_only_through_tiles_that_allow_it() {
    for (shape, (row, through)) in pairs(shapes(), [("-----", true), ("=====", false), ("#####", false)]) {
        let (mut world, body) = standing(&[".....", row, ".....", ".....", "#####"], shape, 2.5, 4.0);
        world.set_input(body, DOWN);
        let mut seen = vec![];
        for _ in 0..60 {
            world.step();
            seen.extend(kinds(&world));
            assert!(world[body].velocity().y <= 0.0);
        }
        let floor = if through { 1.0 } else { 4.0 };
        assert_eq!(world[body].position(), position(2.5, floor + shape.half_extents().y), "{row}");
        let expected: &[&str] = if through { &["left_floor", "landed"] } else { &[] };
        assert_eq!(names(&seen), expected, "{row} {shape:?}");
    }
}

#[test]
fn a_one_way_tile_lets_a_character_rise_and_carries_it_from_above() {
    for (shape, row) in pairs(shapes(), ["=====", "-----"]) {
        let (mut world, body) = standing(&[".....", ".....", row, ".....", ".....", "#####"], shape, 2.5, 1.0);
        world.set_input(body, JUMP);
        let mut seen = vec![];
        let thrown = (2.0 * 40.0 * 3.2_f64).sqrt();
        for tick in 1..90 {
            world.step();
            seen.extend(kinds(&world));
            let time = f64::from(tick) * TICK;
            if time < thrown / 40.0 {
                let expected = 1.0 + shape.half_extents().y + thrown * time - 20.0 * time * time;
                assert_close(world[body].position().to_dvec2().y, expected, "nothing slows the rise");
            }
        }
        assert_eq!(world[body].position(), position(2.5, 4.0 + shape.half_extents().y));
        assert_eq!(names(&seen), ["jumped", "left_floor", "landed"], "{shape:?}");
    }
}

#[test]
fn walking_off_an_edge_leaves_the_floor_once_and_keeps_the_speed() {
    // Test only boxes: a circle would roll around the edge up to the slope limit, and leave it downwards.
    for shape in [Shape::aabb(0.375, 0.5), Shape::aabb(0.25, 0.25)] {
        let rows = ["..............", "######........", "..............", "..............", "##############"];
        let (mut world, body) = standing(&rows, shape, 2.0, 4.0);
        world.set_input(body, walk(127));
        let mut seen = vec![];
        for _ in 0..75 {
            let before = world[body].position();
            world.step();
            seen.extend(kinds(&world));
            let state = &world[body];
            if !state.on_floor() {
                assert_close(state.velocity().x, 8.0, "sideways speed");
                assert_close(to_lengths(state.position() - before).x, 8.0 * TICK, "sideways way");
            }
        }
        assert_eq!(names(&seen), ["left_floor", "landed"], "{shape:?}");
        assert_eq!(world[body].position().units().y, position(0.0, 1.0 + shape.half_extents().y).units().y);
        assert_close(world[body].velocity().x, 8.0, "it walks on");
    }
}

#[test]
fn a_character_stands_on_slopes_up_to_the_limit_and_slides_off_steeper_ones() {
    let tiles = [("half_slope_low", true), ("slope_45", true), ("half_slope_low m r3", false)];
    all_ways_of(pairs(tiles, shapes()), |way, ((tile, stands), shape)| {
        let mut canvas = Canvas::default();
        canvas.blocks((-8, -1), (8, -1));
        canvas.paint((0, 0), tile);
        canvas.blocks((1, 0), (1, 3));
        let hero = Body::new(shape).character(Character::default());
        let mut stage = Stage::new(&canvas, way, hero, (0.3, 2.5), 40.0);
        (0..120).for_each(|_| stage.world.step());
        let (rest, what) = (stage.hero().position(), format!("{tile} {shape:?}"));
        for _ in 0..600 {
            stage.world.step();
            assert_eq!(stage.hero().position(), rest, "{what}");
        }
        assert!(stage.hero().on_floor(), "{what}");
        let above = stage.place().y - shape.half_extents().y;
        assert_eq!(above > 0.01, stands, "{what}: {above} above the ground");
    });
}

//! Step-up: walkers climb steps exactly up to their limit, without losing distance, if there is room. Also walking
//! speeds on slopes.

use crate::nudges::{body, jump, under};
use crate::prelude::*;

/// A step of half a tile at x = 2, a second one at 4, and a wall at 6.
fn stairs() -> Canvas {
    let mut canvas = under(&[((4, 0), (5, 0)), ((6, 0), (7, 5))]);
    canvas.paint((2, 0), "half_slab");
    canvas.paint((3, 0), "half_slab");
    canvas
}

fn walker(step_height: f64) -> Character {
    Character { step_height, ..jump() }
}

/// A walker on the floor at x = -2 that has its full speed in every tick.
fn walks(canvas: &Canvas, how: &Way, shape: Shape, character: Character) -> Stage {
    let hero = body(shape, character).velocity((8.0, 0.0));
    Stage::new(canvas, how, hero, (-2.0, 0.5), 40.0)
}

/// A platform 1/8 tile above a step leaves no room on the step. When the platform rises, the walker pressed against the
/// step climbs it in the next tick: no cache may hold the old result.
#[test]
fn a_walker_climbs_a_step_cleared_by_a_platform() {
    for shape in shapes() {
        for mask in [CollisionLayers::NONE, CollisionLayers::ALL] {
            let canvas = under(&[((2, 0), (8, 0))]);
            all_ways(|how| {
                let mut world = how.world(&canvas, Settings::default().tick(TICK));
                let platform = Platform::from_rows(world.map(), ["##"]).unwrap().at((2.0, 1.125));
                let platform = world.spawn_platform(platform).unwrap();
                let hero = body(shape, walker(1.0)).at((0.0, 0.5)).collision_mask(mask);
                let hero = world.spawn(hero).unwrap();
                world.set_input(hero, Input::walk(1.0));
                (0..90).for_each(|_| world.step());
                let half = shape.half_units().x as f64 * UNIT;
                assert_eq!(world[hero].position(), position(2.0 - half, 0.5), "{shape:?} {mask:?}");
                world.drive_platform(platform, (2.0, 6.0)).unwrap();
                world.step();
                assert!(world[hero].position().to_dvec2().y > 1.499, "{shape:?} {mask:?} {:?}", world[hero]);
            });
        }
    }
}

/// A platform that moves above a step at which a walker stands: no cache may hold an old result.
#[test]
fn platforms_above_steps_are_noticed_in_time() {
    let mut up = 0;
    let canvas = under(&[((2, 0), (8, 0))]);
    let paths = [(2.0, 0.0, 3.0), (9.0, 0.0, 8.0), (21.0, 6.0, 6.0), (40.0, -9.0, 6.0), (60.0, 20.0, 3.0)];
    all_ways_of(pairs(shapes(), paths), |how, (shape, (speed, aside, height))| {
        let mut world = how.world(&canvas, Settings::default().tick(TICK));
        let path = along(aside, height, speed);
        let platform = Platform::from_rows(world.map(), ["##"]).unwrap().at((1.5, 1.125)).path(path);
        world.spawn_platform(platform).unwrap();
        let hero = world.spawn(body(shape, walker(1.0)).at((0.0, 0.5))).unwrap();
        for tick in 0..400 {
            // The walker steps back now and then, so that it comes to the platform again.
            world.set_input(hero, Input::walk(if tick % 80 < 10 { -1.0 } else { 1.0 }));
            let before = world[hero].position();
            world.step();
            up += usize::from(world[hero].position().to_dvec2().y - before.to_dvec2().y > 0.999);
            if world[hero].position().to_dvec2().x > 4.0 {
                world.teleport(hero, (0.0, 0.5)).unwrap();
            }
        }
    });
    assert!(up > 20, "{up}");
}

/// The same on a platform with its own step, which moves back and forth below tiles that leave no room on the step.
#[test]
fn riders_notice_tiles_above_their_platform_in_time() {
    let mut up = 0;
    let canvas = under(&[((4, 3), (7, 3)), ((12, 3), (12, 6)), ((20, 3), (22, 3))]);
    all_ways_of(pairs(shapes(), [1.0, 4.0, 13.0, 31.0]), |how, (shape, speed)| {
        let mut world = how.world(&canvas, Settings::default().tick(TICK));
        let path = along(24.0, 0.0, speed);
        let platform = Platform::from_rows(world.map(), ["..##", "####"]).unwrap().at((-3.0, 1.0));
        let platform = world.spawn_platform(platform.path(path)).unwrap();
        let hero = world.spawn(body(shape, walker(1.0)).at((-2.0, 2.5))).unwrap();
        for tick in 0..600 {
            world.set_input(hero, Input::walk(if tick % 90 < 10 { -0.5 } else { 1.0 }));
            let before = world[hero].position();
            world.step();
            up += usize::from(world[hero].position().to_dvec2().y - before.to_dvec2().y > 0.999);
            if world[hero].position().to_dvec2().y != 2.5 {
                let at = world.platform_at(platform).to_dvec2() + DVec2::new(1.0, 1.5);
                world.teleport(hero, at).unwrap();
            }
        }
    });
    assert!(up > 20, "{up}");
}

/// The same with a tile that is removed above the step, and with a body that is removed.
#[test]
fn a_walker_climbs_a_step_cleared_of_a_tile_or_a_body() {
    for shape in shapes() {
        for (is_tile, mask) in
            [(true, CollisionLayers::NONE), (true, CollisionLayers::ALL), (false, CollisionLayers::ALL)]
        {
            all_ways(|how| {
                let tiles = ((2, 1), (4, 4));
                let painted: &[_] = if is_tile { &[((2, 0), (8, 0)), tiles] } else { &[((2, 0), (8, 0))] };
                let mut world = how.world(&under(painted), Settings::default().tick(TICK));
                let lid = Body::new(Shape::aabb(0.5, 0.5))
                    .at((2.5, 1.625))
                    .gravity_scale(0.0)
                    .collision_mask(CollisionLayers::ALL);
                let lid = (!is_tile).then(|| world.spawn(lid).unwrap());
                let hero = body(shape, walker(1.0)).at((0.0, 0.5)).collision_mask(mask);
                let hero = world.spawn(hero).unwrap();
                world.set_input(hero, Input::walk(1.0));
                (0..90).for_each(|_| world.step());
                let half = shape.half_units().x as f64 * UNIT;
                assert_eq!(world[hero].position(), position(2.0 - half, 0.5), "{shape:?} {is_tile} {mask:?}");
                if let Some(lid) = lid {
                    world.despawn(lid).unwrap();
                } else {
                    world.set_tiles(0, tiles.0, tiles.1, TileId::EMPTY).unwrap();
                }
                world.step();
                assert!(world[hero].position().to_dvec2().y > 1.499, "{shape:?} {is_tile} {mask:?} {:?}", world[hero]);
            });
        }
    }
}

/// At exactly its step height, a walker climbs the step. With one unit less, it stops. A box is where it would be on a
/// flat floor, to the unit; a circle is ahead by up to its radius for each step. The walker stays grounded, hits
/// nothing, and keeps its speed.
#[test]
fn a_walker_climbs_a_step_exactly_up_to_its_height() {
    for shape in shapes() {
        for (step_height, top) in [(0.5, 1.0), (0.5 - UNIT, 0.0), (0.0, 0.0), (0.75, 1.0)] {
            all_ways(|how| {
                let mut stage = walks(&stairs(), how, shape, walker(step_height));
                let mut level = walks(&under(&[]), how, shape, walker(step_height));
                for _ in 0..50 {
                    stage.step(127, false);
                    level.step(127, false);
                    let (place, along) = (stage.place(), level.place());
                    assert!(stage.hero().on_floor(), "{place}");
                    if place.x + shape.half_units().x as f64 * UNIT >= 6.0 - 8.0 * TICK || top == 0.0 {
                        continue;
                    }
                    let what = format_args!("{shape:?} {step_height}: {place} {along}");
                    assert_eq!(stage.velocity(), DVec2::new(8.0, 0.0), "{what}");
                    let hits = stage.world.events().iter().any(|event| matches!(event.kind, EventKind::HitTile { .. }));
                    assert!(!hits, "{what}");
                    if shape.is_circle() {
                        assert!((0.0..=1.0 + 1e-6).contains(&(place.x - along.x)), "{what}");
                    } else {
                        assert_eq!(place.x, along.x, "{what}");
                        let right = place.x + 0.375;
                        let expected = 0.5
                            + if right > 4.0 {
                                1.0
                            } else if right > 2.0 {
                                0.5
                            } else {
                                0.0
                            };
                        assert_eq!(place.y, expected, "{what}");
                    }
                }
                let end = stage.place();
                assert!((end.y - 0.5 - top).abs() < 1e-9, "{shape:?} {step_height}: {end}");
                if top == 0.0 && !shape.is_circle() {
                    assert_eq!(end.x, 2.0 - 0.375, "{end}");
                    assert_eq!(stage.velocity(), DVec2::ZERO);
                }
            });
        }
    }
}

/// A ceiling at 2 over a step of half a tile leaves 1.5: enough for a box of that height, but not for one a unit
/// higher. Room at the foot of the step is not enough.
#[test]
fn a_step_needs_room() {
    let unit_high = (0.75 * ONE as f64) as i64;
    for from in [1, 2] {
        let mut canvas = under(&[((from, 2), (5, 2))]);
        (2..=5).for_each(|x| canvas.paint((x, 0), "half_slab"));
        all_ways(|how| {
            for higher in [0, 1] {
                let shape = Shape::aabb_units(I64Vec2::new(ONE / 4, unit_high + higher));
                let hero = body(shape, walker(0.5)).velocity((8.0, 0.0));
                let mut stage = Stage::new(&canvas, how, hero, (-2.0, 0.75 + higher as f64 * UNIT), 40.0);
                (0..45).for_each(|_| stage.step(127, false));
                let x = stage.place().x;
                assert_eq!(x > 2.0, higher == 0, "{from} {higher}: {}", stage.place());
                assert!(higher == 0 || x == 2.0 - 0.25, "{x}");
            }
        });
    }
}

/// A step stops a flying body. A walker without enough step height climbs once it has it.
#[test]
fn steps_are_for_walkers_and_change_with_the_character() {
    all_ways(|how| {
        for shape in shapes() {
            let floats = Character { jump_time: 0.0, ..walker(0.5) };
            let hero = body(shape, floats).velocity((8.0, 0.0));
            let mut stage = Stage::new(&stairs(), how, hero, (0.0, 0.75), 0.0);
            (0..30).for_each(|_| stage.step(127, false));
            // A circle slides up the corner.
            assert!(shape.is_circle() || stage.place() == DVec2::new(2.0 - 0.375, 0.75), "{}", stage.place());
        }
        let mut stage = walks(&stairs(), how, shapes()[0], walker(0.25));
        (0..60).for_each(|_| stage.step(127, false));
        assert_eq!(stage.place(), DVec2::new(2.0 - 0.375, 0.5));
        stage.world.set_character(stage.hero, walker(0.5)).unwrap();
        (0..60).for_each(|_| stage.step(127, false));
        assert_eq!(stage.place(), DVec2::new(6.0 - 0.375, 1.5));
    });
}

/// A walker hit from behind in every tick climbs the stairs too.
#[test]
fn a_walker_hit_by_others_climbs_steps() {
    all_ways(|how| {
        for shape in shapes() {
            let hero = body(shape, walker(0.5)).velocity((8.0, 0.0)).collision_mask(CollisionLayers::ALL);
            let mut stage = Stage::new(&stairs(), how, hero, (-2.0, 0.5), 40.0);
            let (mut last, mut hits) = (None, 0);
            for _ in 0..65 {
                let at = stage.place() - DVec2::new(0.75, 0.0);
                let ball = Body::new(Shape::circle(0.03125)).bounce(1.0).collision_mask(CollisionLayers::ALL);
                let ball = ball.at(position(at.x, at.y)).velocity(DVec2::new(40.0, 0.0));
                let ball = stage.world.spawn(ball).unwrap();
                if let Some(last) = last.replace(ball) {
                    stage.world.despawn(last).unwrap();
                }
                stage.step(127, false);
                hits += usize::from(
                    stage.world.events().iter().any(|event| matches!(event.kind, EventKind::HitBody { .. })),
                );
                assert!(stage.hero().on_floor(), "{shape:?}: {}", stage.place());
            }
            let half = shape.half_units().x as f64 * UNIT;
            assert!(hits > 30, "{hits}");
            assert!(
                (stage.place() - DVec2::new(6.0 - half, 1.5)).abs().max_element() < 1e-6,
                "{shape:?}: {}",
                stage.place()
            );
        }
    });
}

/// On a slope of 45 degrees to the upper right: half the speed up, half the speed down, and full speed on flat ground.
/// Each tick changes the speed by a part of the acceleration along the slope.
#[test]
fn speeds_on_slopes() {
    let mut canvas = Canvas::default();
    for i in -6..6 {
        canvas.paint((i, i), "slope_45");
        canvas.blocks((i, i - 1), (i, i - 1));
    }
    for (slope, uphill, downhill, walk, speed) in [
        (true, 0.5, 1.5, 127, 4.0),
        (true, 0.5, 1.5, -127, -12.0),
        (true, 0.0, 1.0, 127, 0.0),
        (true, 0.0, 1.0, -127, -8.0),
        (true, 1.0, 0.0, -127, 0.0),
        (false, 0.5, 1.5, 127, 8.0),
    ] {
        let character = Character {
            uphill_speed_scale: uphill,
            downhill_speed_scale: downhill,
            ground_acceleration: 1e6,
            ground_braking: 1e6,
            ..jump()
        };
        all_ways(|how| {
            for shape in shapes() {
                for mask in [CollisionLayers::NONE, CollisionLayers::ALL] {
                    // A box touches the slope with its right corner. A circle is above it by its radius.
                    let above = if shape.is_circle() { 0.5 * 2.0_f64.sqrt() } else { 0.375 + 0.5 };
                    let (canvas, at) =
                        if slope { (&canvas, (0.5, 0.5 + above + 1e-7)) } else { (&under(&[]), (0.5, 0.5)) };
                    let hero = body(shape, character).collision_mask(mask);
                    let mut stage = Stage::new(canvas, how, hero, at, 40.0);
                    (0..5).for_each(|_| stage.step(0, false));
                    assert!(stage.hero().on_floor(), "{shape:?}");
                    stage.step(walk, false);
                    for _ in 0..5 {
                        let from = stage.place();
                        stage.step(walk, false);
                        let what = format_args!("{shape:?} {uphill} {downhill} {walk}");
                        let Footing::Ground { speed: along } = stage.hero().footing() else { panic!("{what}") };
                        assert_eq!(along, speed, "{what}");
                        let way = (stage.place() - from).length();
                        assert!((way - speed.abs() * TICK).abs() < 1e-8, "{what}: {way}");
                    }
                }
            }
        });
    }
}

//! Wall slides, wall jumps, and times to run and turn: speeds and times computed by hand. Also the reported reach of
//! jumps.

use crate::nudges::{body, jump, under};
use crate::prelude::*;
use surefoot::body::JumpReach;

/// Half as wide as 0.75.
fn hero_shape() -> Shape {
    Shape::aabb(0.375, 0.5)
}

/// In the air at (x, y), with the wall's left side at x = 2, from 0 to 40.
fn at_wall(way: &Way, character: Character, x: f64, velocity: (f64, f64)) -> Stage {
    let canvas = under(&[((2, 0), (3, 40))]);
    let hero = body(hero_shape(), character).velocity(velocity);
    Stage::new(&canvas, way, hero, (x, 20.0), 40.0)
}

/// The jump's gravity is 2 * 4 / 0.4^2 = 50. A wall slide reduces a fall speed of 12 by 80 per second, down to 3, even
/// if falling has three times that gravity.
#[test]
fn a_wall_slide_reaches_its_speed() {
    all_ways(|way| {
        let character = Character { wall_slide_speed: 3.0, ..jump() };
        let mut stage = at_wall(way, character, 2.0 - 0.375, (0.0, 0.0));
        stage.step(127, false);
        assert!((stage.velocity().y + 50.0 * TICK).abs() < 1e-9, "slower than that it falls freely");
        (0..20).for_each(|_| stage.step(127, false));
        assert_eq!(stage.velocity(), DVec2::new(0.0, -3.0));

        let mut fast = at_wall(way, character, 2.0 - 0.375, (0.0, -12.0));
        fast.step(0, false);
        let free = fast.velocity().y;
        assert!((free + 12.0 + 50.0 * TICK).abs() < 1e-9, "without input it falls: {free}");
        fast.step(127, false);
        let slowed = fast.velocity().y;
        assert!((slowed - free - 80.0 * TICK).abs() < 1e-9, "{slowed} after {free}");
        fast.step(-127, false);
        assert!(fast.velocity().y < slowed, "away from it it falls");

        let mut heavy = at_wall(way, Character { fall_gravity_scale: 3.0, ..character }, 2.0 - 0.375, (0.0, 0.0));
        (0..20).for_each(|_| heavy.step(127, false));
        assert_eq!(heavy.velocity(), DVec2::new(0.0, -3.0));
    });
}

/// A wall jump is as high as a ground jump, with the wall jump speed away from the wall. Not at a distance from the
/// wall, and not without that speed.
#[test]
fn a_jump_off_a_wall() {
    all_ways(|way| {
        for (off, wall_jump_speed, jumps) in [(0.0, 6.0, true), (1.0 / 1024.0, 6.0, false), (0.0, 0.0, false)] {
            let character = Character { wall_jump_speed, ..jump() };
            let mut stage = at_wall(way, character, 2.0 - 0.375 - off, (0.0, 0.0));
            stage.step(0, false);
            let from = stage.place();
            stage.step(0, true);
            let velocity = stage.velocity();
            if !jumps {
                assert!(velocity.y < 0.0 && velocity.x == 0.0, "{off} {wall_jump_speed}: {velocity}");
                continue;
            }
            // The jump starts at 2 h / T = 20, minus one tick of gravity.
            assert!((velocity - DVec2::new(-6.0, 20.0 - 50.0 * TICK)).abs().max_element() < 1e-9, "{velocity}");
            (0..23).for_each(|_| stage.step(0, true));
            let way = stage.place() - from;
            assert!((way - DVec2::new(-6.0 * 0.4, 4.0)).abs().max_element() < NEAR, "{way}");
            // A press in the air without a wall does nothing.
            stage.step(0, false);
            stage.step(0, true);
            assert!(stage.velocity().y < 0.0);
        }
    });
}

/// In a shaft as wide as its body, the character touches both walls, and each press moves it straight up by a jump's
/// height.
#[test]
fn a_shaft_one_body_wide_is_climbed_by_jumps() {
    let canvas = under(&[((-2, 0), (-1, 30)), ((1, 0), (2, 30))]);
    all_ways(|way| {
        let character = Character { wall_jump_speed: 6.0, ..jump() };
        let hero = body(Shape::aabb(0.5, 0.5), character);
        let mut stage = Stage::new(&canvas, way, hero, (0.5, 0.5), 40.0);
        stage.step(0, false);
        for jumps in 1..=5 {
            (0..24).for_each(|_| stage.step(0, true));
            let place = stage.place();
            let expected = DVec2::new(0.5, 0.5 + 4.0 * f64::from(jumps));
            // The button is released for a tick, in which the character falls by g t^2 / 2.
            let fallen = 50.0 * TICK * TICK / 2.0 * f64::from(jumps - 1);
            assert!((place - expected + DVec2::new(0.0, fallen)).abs().max_element() < NEAR, "{jumps}: {place}");
            stage.step(0, false);
        }
    });
}

/// A press in the air is buffered for three ticks. It jumps off a wall that is reached by then, even if the button is
/// released: then with the minimum height. One tick later it does nothing.
#[test]
fn a_press_shortly_before_a_wall_counts() {
    all_ways(|way| {
        for early in 1..=5 {
            let character = Character { wall_jump_speed: 6.0, min_jump_height: 1.0, jump_buffer: 3.0 * TICK, ..jump() };
            // The character reaches the wall at the end of the fifth tick, by 10 / 60 per tick.
            let start = 2.0 - 0.375 - 4.5 * 10.0 * TICK;
            let character = Character { walk_speed: 10.0, air_acceleration: 0.0, ..character };
            let mut stage = at_wall(way, character, start, (10.0, 0.0));
            let mut from = DVec2::ZERO;
            for tick in 1..=5 {
                stage.step(0, tick == 6 - early);
                from = stage.place();
            }
            assert_eq!(from.x, 2.0 - 0.375, "{from}");
            let mut top = from.y;
            for _ in 0..30 {
                stage.step(0, false);
                top = top.max(stage.place().y);
            }
            // The press is stored in its own tick, and used up to three ticks later.
            let expected = if early <= 3 { 1.0 } else { 0.0 };
            assert!((top - from.y - expected).abs() < NEAR, "{early}: {}", top - from.y);
        }
    });
}

/// To 9 tiles per second in 6 ticks, to rest in 9, and against the input in 3. In the air in 12, never, and 6.
#[test]
fn a_run_follows_its_times() {
    all_ways(|way| {
        let character = jump().run(9.0, 0.1, 0.15, 0.05).air_control(0.2, f64::INFINITY, 0.1);
        let ticks = |stage: &mut Stage, walk: i8, until: &dyn Fn(f64) -> bool| {
            (1..=100).find(|_| {
                stage.step(walk, false);
                until(stage.velocity().x)
            })
        };
        let fast = |speed: f64| speed >= 9.0 - 1e-9;
        let stands = |speed: f64| speed <= 1e-9;
        let mut stage = Stage::new(&under(&[]), way, body(hero_shape(), character), (-5.0, 0.5), 40.0);
        stage.step(0, false);
        assert_eq!(ticks(&mut stage, 127, &fast), Some(6));
        assert_eq!(ticks(&mut stage, 0, &stands), Some(9));
        assert_eq!(ticks(&mut stage, 127, &fast), Some(6));
        assert_eq!(ticks(&mut stage, -127, &stands), Some(3));
        assert!(stage.velocity().x.abs() < 1e-9, "a turn is to a stand, from where it starts");
        assert_eq!(ticks(&mut stage, -127, &|speed| speed <= -9.0 + 1e-9), Some(6));

        let mut stage = Stage::new(&under(&[]), way, body(hero_shape(), character), (-5.0, 60.5), 40.0);
        assert_eq!(ticks(&mut stage, 127, &fast), Some(12));
        (0..10).for_each(|_| stage.step(0, false));
        assert!(fast(stage.velocity().x), "the air does not brake");
        assert_eq!(ticks(&mut stage, -127, &stands), Some(6));
        let braked = Character { air_braking: 90.0, ..character };
        let mut stage =
            Stage::new(&under(&[]), way, body(hero_shape(), braked).velocity((9.0, 0.0)), (-5.0, 60.5), 40.0);
        assert_eq!(ticks(&mut stage, 0, &stands), Some(6));
    });
}

/// The reported reach of a jump matches a jump in a world: random numbers, off flat ground at full speed.
#[test]
fn the_reach_is_that_of_a_jump_in_a_world() {
    let mut random = Random(mix(1717));
    let mut heights = 0.0;
    for case in 0..200 {
        let character = Character {
            walk_speed: random.range(1.0, 8.0),
            jump_height: random.range(0.5, 5.0),
            jump_time: random.pick(&[0.0, 0.25, 0.5]),
            fall_gravity_scale: random.pick(&[0.7, 1.0, 2.0]),
            max_fall_speed: random.pick(&[6.0, 24.0]),
            ..Character::default()
        };
        let mut canvas = crate::scene::Canvas::default();
        canvas.blocks((-20, -1), (60, -1));
        let tick = random.pick(&[1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0]);
        let settings = Settings::default().tick(tick);
        let mut world = World::new(canvas.map(Symmetry(Placement::default())), settings);
        let hero = body(hero_shape(), character).velocity((character.walk_speed, 0.0));
        let hero = world.spawn(hero.at(position(-15.0, 0.5))).unwrap();
        let input = surefoot::Input { walk: 127, ..Default::default() };
        world.set_input(hero, input);
        (0..10).for_each(|_| world.step());
        let from = world[hero].position();
        world.set_input(hero, surefoot::Input { jump: true, ..input });
        let (mut height, mut up, mut last): (f64, u32, Option<(u32, DVec2)>) = (0.0, 0, None);
        for tick in 1..=2000 {
            world.step();
            let way = surefoot_geometry::to_lengths(world[hero].position() - from);
            if world[hero].on_floor() {
                break;
            }
            if way.y > height {
                (height, up) = (way.y, tick);
            }
            last = Some((tick, way));
        }
        let reach = character.jump_reach(&settings).unwrap();
        let (ticks, way) = last.unwrap();
        let what =
            format!("case {case}: {character:?} {tick}: {reach:?}, and {height} after {up}, {way} after {ticks}");
        assert!((reach.height - height).abs() < NEAR && reach.ticks_to_apex == up, "{what}");
        // The character lands in the tick after its last one in the air, or exactly at the end of the last.
        let lands = reach.ticks - ticks;
        assert!(lands <= 1, "{what}");
        let expected = way.x + f64::from(lands) * character.walk_speed * tick;
        assert!((reach.distance - expected).abs() < 1e-5, "{what}");
        heights += height;
    }
    assert!(heights > 200.0);
    let still = Character { jump_height: 0.0, ..Character::default() };
    assert_eq!(still.jump_reach(&Settings::default()), None);
    assert_eq!(Character::default().jump_reach(&Settings::default().gravity((0.0, 0.0))), None);
}

/// The reported path of a jump matches the path in a world, to the unit: off the end of a floor into free air, to
/// either side, with each `up`.
#[test]
fn the_path_of_a_jump_is_that_in_a_world() {
    let mut random = Random(mix(1919));
    let mut below = 0;
    for case in 0..often(10, 24) {
        let character = Character {
            walk_speed: random.range(4.0, 12.0),
            jump_height: random.range(0.5, 3.0),
            jump_time: random.pick(&[0.0, 0.25, 0.5]),
            fall_gravity_scale: random.pick(&[0.7, 1.0, 2.0]),
            max_fall_speed: random.pick(&[6.0, 24.0]),
            min_jump_height: random.pick(&[0.0, 0.25]),
            fast_fall_speed: random.pick(&[0.0, 40.0]),
            ..Character::default()
        };
        crate::table::all_ways_of_one_up(|way| {
            let hero = body(hero_shape(), character).velocity((character.walk_speed, 0.0));
            // The floor ends at x = 8.
            let mut stage = Stage::new(&under(&[]), way, hero, (4.0, 0.5), 40.0);
            while stage.place().x < 7.8 {
                stage.step(127, false);
            }
            let from = stage.hero().position();
            // A path goes to the right of up. In a mirrored world, the hero moves to the left of up: on the path of the
            // default settings.
            let paths = [Settings::default(), stage.world.settings()].map(|settings| character.jump_path(&settings));
            let [plain, turned] = paths;
            for (tick, (plain, turned)) in plain.zip(turned).take(120).enumerate() {
                stage.step(127, true);
                let found = surefoot_geometry::to_lengths(stage.hero().position() - from);
                let expected = if way.is_mirrored() { plain } else { way.upright_velocity(turned) };
                assert_eq!(found, expected, "case {case}: {character:?} tick {}", tick + 1);
                below += u32::from(stage.place().y < -1.0);
            }
        });
    }
    assert!(below > 1000, "{below}");
}

/// The table of presets in docs/guide/character.md has the numbers of the code, to the printed digits.
#[test]
fn the_page_lists_the_reach_of_each_preset() {
    let page = include_str!("../docs/guide/character.md");
    for (name, character) in [
        ("default", Character::default()),
        ("precise", Character::precise()),
        ("floaty", Character::floaty()),
        ("heavy", Character::heavy()),
        ("classic", Character::classic()),
    ] {
        assert!(character.check().is_ok(), "{name}");
        let JumpReach { height, ticks_to_apex: ticks_up, distance, ticks, .. } =
            character.jump_reach(&Settings::default()).unwrap();
        let (up, all) = (f64::from(ticks_up) * TICK, f64::from(ticks) * TICK);
        let row = format!(
            "| `Character::{name}()` | {height:.2} | {up:.2} | {distance:.2} | {all:.2} | {} |",
            character.walk_speed
        );
        assert!(page.contains(&row), "{row}");
    }
}

/// Looks over a hill to its far foot, up to a wall, and to both sides in the air. A removed body has no result.
#[test]
fn look_ahead_of_a_walker() {
    let mut canvas = under(&[((6, 0), (7, 3))]);
    canvas.paint((1, 0), "slope_45");
    canvas.paint((2, 0), "slope_45 m");
    all_ways(|way| {
        let mut stage = Stage::new(&canvas, way, body(hero_shape(), jump()), (0.25, 0.5), 40.0);
        stage.step(0, false);
        let ahead = |stage: &Stage, length: f64| stage.world.probe_walk(stage.hero, length).unwrap();
        let wall = |touching: Touching| touching.wall_right;
        // The path from 0.25 to 6 minus half the hero's width is 5.375, plus 2 (root 2 - 1) over the hill.
        let hill = 2.0 * (2.0_f64.sqrt() - 1.0);
        for (length, stands, is_at_wall) in [
            (0.5, true, false),
            (3.0, true, false),
            (5.3 + hill, true, false),
            (5.5 + hill, true, true),
            (-7.5, true, false),
            (-9.0, false, false),
        ] {
            let touching = ahead(&stage, length);
            assert_eq!((touching.floor, wall(touching)), (stands, is_at_wall), "{length}");
        }
        (0..5).for_each(|_| stage.step(0, true));
        assert!(!ahead(&stage, 0.5).floor && !wall(ahead(&stage, 0.5)), "in the air");
        stage.world.despawn(stage.hero).unwrap();
        assert_eq!(stage.world.probe_walk(stage.hero, 0.5), None);
    });
}

/// Input of a stick in 127ths.
#[test]
fn a_walk_is_a_part_of_full_speed() {
    let cases = [(0.0, 0), (1.0, 127), (-1.0, -127), (0.5, 64), (7.0, 127), (f32::NEG_INFINITY, -127), (f32::NAN, 0)];
    for (speed, walk) in cases {
        assert_eq!(surefoot::Input::walk(speed), surefoot::Input { walk, ..Default::default() }, "{speed}");
    }
}

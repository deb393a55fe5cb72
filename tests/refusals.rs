//! Numbers out of range: each number of a body and of a character is rejected, in code by its name, in a text at its
//! line and column.

use crate::prelude::*;
use surefoot::area::AreaError;
use surefoot::geometry::PositionError;
use surefoot::platform::PlatformError;

const FASTEST: f64 = 1e9;

/// Range of each number of a character, as on its page. `jump_height` limits `min_jump_height`; it is 3.2 by default.
const CHARACTER: [(&str, f64, f64); Character::FIELD_NAMES.len()] = [
    ("walk_speed", 0.0, FASTEST),
    ("ground_acceleration", 0.0, FASTEST),
    ("ground_braking", 0.0, FASTEST),
    ("air_acceleration", 0.0, FASTEST),
    ("jump_height", 0.0, FASTEST),
    ("max_fall_speed", 0.0, FASTEST),
    ("platform_velocity_grace", 0.0, FASTEST),
    ("max_push_mass", 0.0, 1e6),
    ("jump_time", 0.0, FASTEST),
    ("min_jump_height", 0.0, 3.2),
    ("fall_gravity_scale", 0.0, 1000.0),
    ("coyote_time", 0.0, FASTEST),
    ("jump_buffer", 0.0, FASTEST),
    ("corner_correction", 0.0, 16.0),
    ("ledge_correction", 0.0, 16.0),
    ("fast_fall_speed", 0.0, FASTEST),
    ("ground_turning", 0.0, FASTEST),
    ("air_braking", 0.0, FASTEST),
    ("air_turning", 0.0, FASTEST),
    ("wall_slide_speed", 0.0, FASTEST),
    ("wall_jump_speed", 0.0, FASTEST),
    ("air_jump_height", 0.0, FASTEST),
    ("apex_speed_threshold", 0.0, FASTEST),
    ("apex_gravity_scale", 0.05, 1.0),
    ("wall_coyote_time", 0.0, FASTEST),
    ("wall_stick_time", 0.0, FASTEST),
    ("wall_jump_lock_time", 0.0, FASTEST),
    ("dash_speed", 0.0, FASTEST),
    ("dash_time", 0.0, FASTEST),
    ("dash_end_speed_scale", 0.0, 1.0),
    ("step_height", 0.0, 16.0),
    ("uphill_speed_scale", 0.0, 100.0),
    ("downhill_speed_scale", 0.0, 100.0),
    ("max_floor_snap_speed", 0.0, FASTEST),
    ("ledge_grab", 0.0, 16.0),
    ("ledge_climb_time", 0.0, FASTEST),
    ("climb_speed", 0.0, FASTEST),
    ("swim_speed", 0.0, FASTEST),
    ("swim_time", 0.0, FASTEST),
    ("float_speed", 0.0, FASTEST),
    ("ladder_center_speed", 0.0, FASTEST),
    ("slope_friction", 0.0, 1000.0),
    ("bounce_scale", 0.0, 1.0),
];

/// A number of a body: its name, its setter and its range.
type OfBody = (&'static str, fn(Body, f64) -> Body, f64, f64);

const BODY: [OfBody; 5] = [
    ("gravity_scale", Body::gravity_scale, -1000.0, 1000.0),
    ("friction", Body::friction, 0.0, 1000.0),
    ("rest_speed_threshold", Body::rest_speed_threshold, 0.0, FASTEST),
    ("mass", Body::mass, 1e-6, 1e6),
    ("bounce", Body::bounce, 0.0, 1.0),
];

/// Numbers out of the range by as little as possible, and values that are not finite.
fn outside(least: f64, most: f64) -> [f64; 5] {
    [least.next_down(), most.next_up(), f64::NAN, f64::INFINITY, f64::NEG_INFINITY]
}

fn written(value: f64) -> String {
    if value.is_finite() { format!("{value:?}") } else { value.to_string() }
}

const WHERE: &str = "«";

/// A replay text with bodies and commands.
fn replay(bodies: &str, commands: &str) -> String {
    format!(
        "Replay(\n  map: Inline(Map(format: 1, tiles: [\"....\", \"####\"])),\n  ticks: 9,\n  \
         bodies: [\n{bodies}\n  ],\n  commands: [\n{commands}\n  ],\n)"
    )
}

/// Reads a text with a mark in front of the error, if it has one. Checks the error's position and message.
fn check(marked: &str, says: Option<&str>) {
    let text = marked.replace(WHERE, "");
    match (Replay::from_ron(&text), says) {
        (Ok(_), None) => {}
        (Err(error), Some(says)) => {
            let before = marked.split(WHERE).next().unwrap();
            let line = before.split('\n').count();
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            assert_eq!((error.line as usize, error.column as usize), (line, column), "{error} in\n{text}");
            assert!(error.to_string().contains(says), "{error} does not say {says:?}");
        }
        (Ok(_), Some(says)) => panic!("it is read, and should say {says:?}:\n{text}"),
        (Err(error), None) => panic!("{error} in\n{text}"),
    }
}

/// The texts that may contain a character: in a body, in a spawn, in a change of character, and in a change of body.
fn with_character(fields: &str) -> [String; 4] {
    let hero = "(name: \"a\", shape: Circle(0.25), character: ())";
    [
        replay(&format!("  (name: \"a\", shape: Circle(0.25),\n    character: ({fields}))"), ""),
        replay("", &format!("(tick: 1, do: Spawn(Body(name: \"a\", shape: Circle(0.25), character: ({fields}))))")),
        replay(hero, &format!("(tick: 2,\n do: SetCharacter(\"a\",\n ({fields})))")),
        replay(hero, &format!("(tick: 2, do: SetBody(\"a\", (mass: 2.0, character: ({fields}))))")),
    ]
}

#[test]
fn each_number_of_a_character_is_refused_out_of_its_range() {
    assert_eq!(CHARACTER.map(|(name, ..)| name), Character::FIELD_NAMES);
    for (name, least, most) in CHARACTER {
        let field = format!("character.{name}");
        let set = |value: f64| {
            let mut character = Character::default();
            *character.field_mut(name).unwrap() = value;
            character
        };
        // Another field comes before the tested one.
        let other = if name == "max_fall_speed" { "walk_speed" } else { "max_fall_speed" };
        for value in [least, most] {
            assert_eq!(set(value).check(), Ok(()), "{name} {value}");
            for text in with_character(&format!("{other}: 1.0, {name}: {}", written(value))) {
                check(&text, None);
            }
        }
        for value in outside(least, most) {
            let error = set(value).check().expect_err(name);
            assert_eq!((error.field, error.min, error.max), (&*field, least, most));
            assert_eq!(error.value.to_bits(), value.to_bits(), "{name}");
            let body = Body::new(Shape::circle(0.5)).character(set(value));
            assert!(matches!(body.check(), Err(BodyError::Range(error)) if error.field == field), "{name} {value}");
            for text in with_character(&format!("{other}: 1.0,\n      {name}: {WHERE}{}", written(value))) {
                check(&text, Some(&format!("`{field}` is")));
            }
        }
    }
}

#[test]
fn each_number_of_a_body_is_refused_out_of_its_range() {
    for (name, set, least, most) in BODY {
        let field = |value: &str| {
            if name == "bounce" { format!("response: Bounce({value})") } else { format!("{name}: {value}") }
        };
        let body = |value: &str| format!("  (name: \"b\", shape: Circle(0.25),\n\t{})", field(value));
        let spawned =
            |value: &str| format!("(tick: 1, do: Spawn(Body(name: \"b\", shape: Circle(0.25), {})))", field(value));
        let other = |value: &str| format!("(tick: 2, do: SetBody(\"a\",\n  ({})))", field(value));
        let texts = |value: &str| {
            let ball = "(name: \"a\", shape: Circle(0.25))";
            [replay(&body(value), ""), replay("", &spawned(value)), replay(ball, &other(value))]
        };
        let ball = Body::new(Shape::circle(0.5));
        for value in [least, most] {
            assert_eq!(set(ball.clone(), value).check(), Ok(()), "{name} {value}");
            texts(&written(value)).iter().for_each(|text| check(text, None));
        }
        for value in outside(least, most) {
            let error = set(ball.clone(), value).check();
            let Err(BodyError::Range(error)) = error else { panic!("{name} {value}: {error:?}") };
            assert_eq!((error.field, error.min, error.max), (name, least, most));
            let marked = format!("{WHERE}{}", written(value));
            texts(&marked).iter().for_each(|text| check(text, Some(&format!("`{name}` is"))));
        }
    }
}

/// A body, an area and a platform keep a bad position given to `at`. The spawn and the map reject it.
#[test]
fn bad_positions_are_refused_at_the_spawn() {
    let map = Map::from_rows(["...", "==="]).unwrap();
    let body = Body::new(Shape::circle(0.25));
    let area = Area::new(AreaShape::circle(0.5).unwrap());
    let platform = Platform::from_rows(&map, ["="]).unwrap();
    let mut world = World::new(map, Settings::default());
    for at in [(f64::NAN, 1.0), (1.0, f64::INFINITY), (1.0, 1e12), (-1e12, 1.0)] {
        let error = Position::try_from(at).unwrap_err();
        let says = |error: &PositionError| format!("{error:?}");
        let told = world.spawn(body.clone().at(at).velocity((1.0, 0.0))).unwrap_err();
        assert!(
            matches!(&told, CommandError::Body(BodyError::Position(found)) if says(found) == says(&error)),
            "{told:?}"
        );
        let told = world.spawn_area(area.clone().at(at).priority(1)).unwrap_err();
        assert!(
            matches!(&told, CommandError::Area(AreaError::Position(found)) if says(found) == says(&error)),
            "{told:?}"
        );
        let told = world.spawn_platform(platform.clone().at(at).name("lift")).unwrap_err();
        assert!(
            matches!(&told, CommandError::Platform(PlatformError::Position(found)) if says(found) == says(&error)),
            "{told:?}"
        );
        let start = platform.clone().at(at).start_position(1.0 / 60.0);
        assert!(matches!(start, Err(PlatformError::Position(_))));
        for is_area in [true, false] {
            let mut parts = Map::clone(world.map()).into_parts();
            if is_area {
                parts.areas.push(area.clone().at(at));
            } else {
                parts.platforms.push(platform.clone().at(at));
            }
            assert!(Map::from_parts(parts).is_err());
        }
    }
    assert_eq!((world.bodies().count(), world.areas().count(), world.platforms().count()), (0, 0, 0));
    assert!(world.spawn_area(area.at((1.0, 1.0))).is_ok() && world.spawn_platform(platform.at((1.0, 1.0))).is_ok());
}

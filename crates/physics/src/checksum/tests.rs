use super::*;
use crate::body::{Body, Character, Input, Response};
use crate::event::{BodyId, LastingAbility};
use crate::map::CollisionLayers;
use crate::motion::{Shape, SlopeLimit, Up};
use crate::world::{Extra, Footing, Held, HeldKind, JumpBuffer, Kind, Mode, Settings};
use glam::DVec2;
use std::sync::Arc;
use surefoot_geometry::Position;

/// A character on a block, and a ball above it.
fn world() -> World {
    let map = Map::from_ron(r##"Map(format: 1, tiles: ["#"], border: (left: Solid))"##).unwrap();
    let mut world = World::new(map, Settings::default());
    let character = Character { jump_height: 2.5, ..Character::default() };
    let hero = Body::new(Shape::aabb(0.25, 0.5)).at((0.5, 1.5)).character(character);
    let ball = Body::new(Shape::circle(0.25)).at((0.5, 3.0)).velocity((-0.0, 2.5));
    let hero = world.spawn(hero).unwrap();
    world.spawn(ball.gravity_scale(0.5).bounce(0.75).friction(0.25)).unwrap();
    world.set_input(hero, Input { walk: -128, jump: true, down: false, up: true, dash: false });
    world
}

#[test]
fn only_what_bodies_run_into_matters_of_a_map() {
    let sum = |text: &str| Map::from_ron(text).unwrap().checksum();
    let plain = sum(r##"Map(format: 1, tiles: ["@.-", "___"])"##);
    let others = [
        r##"Map(format: 1, tiles: ["..-", "___"], markers: {"a": [(0, 0)]}, pixels_per_tile: 3)"##,
        r##"Map(format: 1, tiles: ["  x", "yyy"], properties: {"a": 1},
            legend: {'x': (tile: "one_way", drop_through: true), 'y': "half_slab"})"##,
        r##"Map(format: 1, tiles: ["@.-", "___"], legend: {'@': (material: (friction: 2.0)),
            '_': (tile: "half_slab", material: (friction: 1.0, traction: 1.0, bounce: -0.0))})"##,
        r##"Map(format: 1, tiles: ["@.-", "___"], collision_layers: ["a", "b"],
            legend: {'-': (tile: "one_way", drop_through: true, ignored_by: [])})"##,
    ];
    assert_eq!(others.map(sum), [plain; 4]);
    for text in [
        r##"Map(format: 1, tiles: ["@.=", "___"])"##,
        r##"Map(format: 1, tiles: ["@-.", "___"])"##,
        r##"Map(format: 1, tiles: ["@.-", "__/"])"##,
        r##"Map(format: 1, tiles: ["@.-___"])"##,
        r##"Map(format: 1, tiles: ["@.-", "___"], origin: (0, 1))"##,
        r##"Map(format: 1, tiles: ["@.-", "___"], border: (right: Solid))"##,
        r##"Map(format: 1, tiles: ["@.-", "___"], legend: {'_': (tile: "half_slab", material: (friction: 0.5))})"##,
        r##"Map(format: 1, tiles: ["@.-", "___"], legend: {'_': (tile: "half_slab", material: (climbable: true))})"##,
        r##"Map(format: 1, tiles: ["@.-", "___"], collision_layers: ["a"],
            legend: {'-': (tile: "one_way", drop_through: true, ignored_by: ["a"])})"##,
    ] {
        assert_ne!(sum(text), plain, "{text}");
    }
}

#[test]
fn which_layers_a_tile_lets_pass_matters_of_a_map() {
    let sum = |layers: &str| {
        let legend = format!("{{'=': (tile: \"one_way\", ignored_by: [{layers}])}}");
        let text = format!("Map(format: 1, tiles: [\"=\"], collision_layers: [\"a\", \"b\"], legend: {legend})");
        Map::from_ron(&text).unwrap().checksum()
    };
    let sums: std::collections::BTreeSet<_> = ["", "\"a\"", "\"b\"", "\"a\", \"b\""].map(sum).into();
    assert_eq!(sums.len(), 4);
    assert_eq!(sum("\"b\", \"a\""), sum("\"a\", \"b\""));
}

#[test]
fn platforms_of_a_map_matter_but_for_their_names() {
    let sum = |platforms: &str| {
        Map::from_ron(&format!("Map(format: 1, tiles: [\".\"], platforms: [{platforms}])")).unwrap().checksum()
    };
    let lift = "(tiles: [\"#\"], motion: Path(points: [(0, 0), (0, 1)], speed: 1))";
    let plain = sum(lift);
    assert_eq!(sum(&lift.replace("(tiles", "(name: \"a\", tiles")), plain);
    assert_eq!(
        sum(&lift.replace(
            "tiles: [\"#\"]",
            "layers: [(name: \"a\", tiles: [\"#\"]),
        (name: \"b\", tiles: [\"#\"], collides: false)]"
        )),
        plain
    );
    let others = [
        String::new(),
        format!("{lift}, {lift}"),
        "(tiles: [\"#\"])".to_owned(),
        lift.replace("(tiles", "(at: (0, 1), tiles"),
        lift.replace("(tiles", "(on_crush: PassThrough, tiles"),
        lift.replace("\"#\"", "\"=\""),
        lift.replace("\"#\"", "\"#\", \".\""),
        lift.replace("(0, 1)", "(0, 2)"),
        lift.replace("speed", "period"),
        lift.replace("speed: 1", "speed: 2"),
        lift.replace("speed: 1", "speed: 1, wait: 1"),
        lift.replace("speed: 1", "speed: 1, phase: 1"),
        lift.replace("speed: 1", "speed: 1, repeat: Once"),
        lift.replace("speed: 1", "speed: 1, easing: Smooth"),
    ];
    let sums: std::collections::BTreeSet<_> = others.iter().map(|other| sum(other)).chain([plain]).collect();
    assert_eq!(sums.len(), others.len() + 1);
}

/// Replaces the properties of a body.
fn change(world: &mut World, id: BodyId, change: impl FnOnce(&mut Body)) {
    let mut body = Body::clone(&world.bodies[id].kind);
    change(&mut body);
    world.bodies[id].kind = Arc::new(Kind::new(body, &world.settings, None));
}

#[test]
fn every_field_of_the_state_matters() {
    let (hero, ball) = {
        let mut ids = world().bodies().map(|(id, _)| id).collect::<Vec<_>>().into_iter();
        (ids.next().unwrap(), ids.next().unwrap())
    };
    type Change = Box<dyn Fn(&mut World)>;
    let changes: Vec<(&str, Change)> = vec![
        ("tick", Box::new(|w| w.tick += 1)),
        ("tick length", Box::new(|w| w.settings = w.settings.tick(0.02))),
        ("gravity", Box::new(|w| w.settings = w.settings.gravity((0.0, -39.0)))),
        ("up", Box::new(|w| w.settings = w.settings.up(Up::MinusY))),
        ("limit", Box::new(|w| w.settings = w.settings.max_floor_slope(SlopeLimit::new(1, 2).unwrap()))),
        (
            "paint",
            Box::new(|w| {
                w.painted.record_fill(0, ((0, 0), (0, 0)), TileId::EMPTY, |_| None, |_| true);
            }),
        ),
        ("place", Box::new(move |w| w.bodies[ball].now.position = Position::ORIGIN)),
        ("velocity", Box::new(move |w| w.bodies[ball].now.velocity = DVec2::new(0.0, 2.5 + 1e-15))),
        ("shape", Box::new(move |w| change(w, ball, |body| body.shape = Shape::aabb(0.25, 0.25)))),
        ("size", Box::new(move |w| change(w, ball, |body| body.shape = Shape::circle(0.2500001)))),
        ("gravity scale", Box::new(move |w| change(w, ball, |body| body.gravity_scale = 1.0))),
        ("response", Box::new(move |w| change(w, ball, |body| body.response = Response::Stop))),
        ("bounce", Box::new(move |w| change(w, ball, |body| body.response = Response::Bounce(0.5)))),
        ("friction", Box::new(move |w| change(w, ball, |body| body.friction = 0.0))),
        ("rest speed", Box::new(move |w| change(w, ball, |body| body.rest_speed_threshold = 0.0))),
        ("collision layers", Box::new(move |w| change(w, ball, |body| body.collision_layers = CollisionLayers(0b11)))),
        ("collision mask", Box::new(move |w| change(w, ball, |body| body.collision_mask = CollisionLayers(0b11)))),
        (
            "collision mask of all",
            Box::new(move |w| change(w, ball, |body| body.collision_mask = CollisionLayers::ALL)),
        ),
        ("mass", Box::new(move |w| change(w, ball, |body| body.mass = 2.0))),
        ("time scale", Box::new(move |w| change(w, ball, |body| body.time_scale = 0.5))),
        ("own up", Box::new(move |w| change(w, ball, |body| body.up = Some(Up::PlusY)))),
        ("another up", Box::new(move |w| change(w, ball, |body| body.up = Some(Up::MinusX)))),
        ("walk", Box::new(move |w| w.bodies[hero].now.input.walk = 1)),
        ("buttons", Box::new(move |w| w.set_input(hero, Input { down: true, ..w[hero].input() }))),
        ("dash", Box::new(move |w| w.set_input(hero, Input { dash: true, ..w[hero].input() }))),
        ("a dash", Box::new(move |w| w.bodies[hero].cold_mut().timers.dash = 1)),
        ("a dash to the right", Box::new(move |w| w.bodies[hero].cold_mut().timers.dash_way = [1, 0])),
        ("a dash up", Box::new(move |w| w.bodies[hero].cold_mut().timers.dash_way = [0, 1])),
        ("a dash that is over", Box::new(move |w| w.bodies[hero].cold_mut().timers.dashed = true)),
        ("a ladder left", Box::new(move |w| w.bodies[hero].cold_mut().timers.cling.left_ladder = true)),
        ("an air mode", Box::new(move |w| w.bodies[hero].now.mode = Mode::Air)),
        ("a jump mode", Box::new(move |w| w.bodies[hero].now.mode = Mode::Jump)),
        ("a dash mode", Box::new(move |w| w.bodies[hero].now.mode = Mode::Dash)),
        ("a climb mode", Box::new(move |w| w.bodies[hero].now.mode = Mode::Climb)),
        ("a swim mode", Box::new(move |w| w.bodies[hero].now.mode = Mode::Swim)),
        ("a ledge mode", Box::new(move |w| w.bodies[hero].now.mode = Mode::Ledge)),
        ("swim speed", Box::new(move |w| change(w, hero, |body| body.character.as_mut().unwrap().swim_speed = 0.5))),
        ("climb speed", Box::new(move |w| change(w, hero, |body| body.character.as_mut().unwrap().climb_speed = 0.5))),
        ("a dash that is held", Box::new(move |w| w.bodies[hero].cold_mut().timers.dash_held = true)),
        ("stuck", Box::new(move |w| w.bodies[ball].now.stuck = true)),
        ("outside", Box::new(move |w| w.bodies[ball].now.flags.set_outside(true))),
        ("disturbed", Box::new(move |w| w.bodies[ball].now.disturbed = false)),
        ("touching", Box::new(move |w| w.bodies[hero].now.touching.floor = false)),
        ("told ground", Box::new(move |w| w.bodies[hero].now.flags.set_reported_on_ground(false))),
        (
            "told ability",
            Box::new(move |w| w.bodies[hero].now.flags.set_reported_ability(Some(LastingAbility::WallSlide))),
        ),
        ("surfaces", Box::new(move |w| assert!(w.bodies[hero].cold_mut().set_contacts_if_changed(&[])))),
        ("no character", Box::new(move |w| change(w, hero, |body| body.character = None))),
        (
            "fall speed",
            Box::new(move |w| change(w, hero, |body| body.character.as_mut().unwrap().max_fall_speed = 1.0)),
        ),
        ("push mass", Box::new(move |w| change(w, hero, |body| body.character.as_mut().unwrap().max_push_mass = 2.0))),
        ("speed", Box::new(move |w| w.bodies[hero].now.footing = Footing::Ground { speed: 1.0 })),
        ("in the air", Box::new(move |w| w.bodies[hero].now.footing = Footing::Air { since: 0 })),
        ("since when", Box::new(move |w| w.bodies[ball].now.footing = Footing::Air { since: 1 })),
        ("quiet", Box::new(move |w| w.bodies[ball].now.quiet = 1)),
        ("at rest", Box::new(move |w| w.bodies[ball].now.quiet = crate::world::Now::AT_REST)),
        ("held", Box::new(move |w| w.bodies[hero].now.jump_held = true)),
        ("a press of jump", Box::new(move |w| w.bodies[hero].now.jump_buffer = JumpBuffer(1))),
        ("another press of jump", Box::new(move |w| w.bodies[hero].now.jump_buffer = JumpBuffer(2))),
        (
            "fall gravity",
            Box::new(move |w| change(w, hero, |body| body.character.as_mut().unwrap().fall_gravity_scale = 2.0)),
        ),
        ("jump time", Box::new(move |w| change(w, hero, |body| body.character.as_mut().unwrap().jump_time = 2.0))),
        (
            "corner correction",
            Box::new(move |w| {
                change(w, hero, |body| body.character.as_mut().unwrap().corner_correction = 0.5);
            }),
        ),
        (
            "wall jump speed",
            Box::new(move |w| {
                change(w, hero, |body| body.character.as_mut().unwrap().wall_jump_speed = 0.5);
            }),
        ),
        ("air jumps", Box::new(move |w| change(w, hero, |body| body.character.as_mut().unwrap().air_jumps = 2))),
        (
            "wall jump lock",
            Box::new(move |w| change(w, hero, |body| body.character.as_mut().unwrap().wall_jump_lock_time = 0.5)),
        ),
        ("jumps in the air", Box::new(move |w| w.bodies[hero].cold_mut().timers.air_jumps = 1)),
        ("a wall", Box::new(move |w| w.bodies[hero].cold_mut().timers.wall = 1)),
        ("away from a wall", Box::new(move |w| w.bodies[hero].cold_mut().timers.away = 1)),
        ("away to the left", Box::new(move |w| w.bodies[hero].cold_mut().timers.away = -1)),
        ("a stick", Box::new(move |w| w.bodies[hero].cold_mut().timers.stick = 1)),
        ("a lock", Box::new(move |w| w.bodies[hero].cold_mut().timers.lock = 1)),
        ("where a lock leads", Box::new(move |w| w.bodies[hero].cold_mut().timers.lock_away = 1)),
        ("removed", Box::new(move |w| assert!(w.bodies.remove(ball).is_some()))),
        (
            "another in its slot",
            Box::new(move |w| {
                let state = w.bodies.remove(ball).unwrap().clone();
                w.bodies.insert(state);
            }),
        ),
    ];
    let mut seen = vec![("nothing", world().checksum())];
    for (name, change) in changes {
        let mut world = world();
        change(&mut world);
        let checksum = world.checksum();
        for (other, known) in &seen {
            assert_ne!(checksum, *known, "{name} and {other}");
        }
        seen.push((name, checksum));
    }
}

/// Next to a platform, without which no velocity is relative to anything.
#[test]
fn grips_and_what_velocities_are_relative_to_matter() {
    let world = || {
        let map = Map::from_ron(r##"Map(format: 1, tiles: ["#"], platforms: [(tiles: ["#"], at: (9, 0))])"##).unwrap();
        let mut world = World::new(map, Settings::default());
        for x in [-5.0, -3.0, 3.0] {
            world.spawn(Body::new(Shape::circle(0.25)).at((x, 3.0))).unwrap();
        }
        world
    };
    let ids: Vec<_> = world().bodies().map(|(id, _)| id).collect();
    let (a, b, c) = (ids[0], ids[1], ids[2]);
    let grip = |body, by, offset: Option<(i64, i64)>| Held {
        body,
        by,
        kind: offset.map_or(HeldKind::Pulled, |offset: (i64, i64)| HeldKind::Carried { offset: offset.into() }),
    };
    let carried = |body, x, y| (body, DVec2::new(x, y));
    let states = [
        (vec![], vec![]),
        (vec![grip(a, b, None)], vec![]),
        (vec![grip(a, c, None)], vec![]),
        (vec![grip(c, b, None)], vec![]),
        (vec![grip(a, b, Some((0, 0)))], vec![]),
        (vec![grip(a, b, Some((1, 0)))], vec![]),
        (vec![grip(a, b, Some((0, 1)))], vec![]),
        (vec![grip(a, b, None), grip(b, c, None)], vec![]),
        (vec![], vec![carried(a, 1.0, 0.0)]),
        (vec![], vec![carried(a, 0.0, 1.0)]),
        (vec![], vec![carried(b, 1.0, 0.0)]),
        (vec![], vec![carried(a, 1.0, 0.0), carried(b, 1.0, 0.0)]),
        (vec![grip(a, b, None)], vec![carried(a, 1.0, 0.0)]),
    ];
    let mut seen = Vec::new();
    for (grips, carried) in states {
        let mut world = world();
        let mut snapshot = world.capture();
        snapshot.held_bodies = grips;
        let of_body = |(body, carried)| (body, Extra { carried: Some(carried), ..Extra::default() });
        snapshot.bodies.extras = carried.into_iter().map(of_body).collect();
        world.restore(&snapshot).unwrap();
        let (checksum, what) = (world.checksum(), format!("{:?} {:?}", snapshot.held_bodies, snapshot.bodies.extras));
        for (other, known) in &seen {
            assert_ne!(checksum, *known, "{what} and {other}");
        }
        seen.push((what, checksum));
    }
}

#[test]
fn painted_cells_count_by_what_they_are_now() {
    let (plain, mut world) = (world(), world());
    let block = TileId(1);
    world.set_tile(0, (0, 0), TileId::EMPTY).unwrap();
    let emptied = world.checksum();
    assert_ne!(emptied, plain.checksum());
    world.set_tile(0, (0, 0), block).unwrap();
    for (_, state) in world.bodies.iter_mut() {
        state.now.disturbed = true;
    }
    assert_eq!(world.checksum(), plain.checksum());
}

#[test]
fn texts_are_sixteen_digits() {
    assert_eq!("0123456789ABCDEF".parse(), Ok(Checksum(0x0123_4567_89ab_cdef)));
    assert_eq!(Checksum(7).to_string(), "0000000000000007");
    for text in
        ["", "0", "0123456789abcdeg", "0123456789abcdef0", "+123456789abcdef", " 123456789abcdef", "ééééé_ééééé"]
    {
        assert_eq!(text.parse::<Checksum>(), Err(ChecksumError { text: text.to_owned() }));
    }
}

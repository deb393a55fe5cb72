//! One-way edges: bodies from behind or from the side pass with the bits of a world without the edges, bodies from the
//! front land, and a character drops through one edge at a time.

use crate::entry::{Entry, Ledge, Size};
use crate::one_way_ends::bare;
use crate::prelude::*;
use std::f64::consts::SQRT_2;
use surefoot::platform::PlatformError;

/// Five one-way edges above each other.
struct Stack {
    canvas: Canvas,
    ledges: Vec<Ledge>,
}

impl Stack {
    /// One-way edges made of the named tiles, from left to right, starting at (0, y). `rises` is the step between
    /// neighbouring tiles. Each edge goes from `low` to `high`, in steps of the lattice, which has 16 per tile.
    fn new(catalogue: &Arc<Catalogue>, tiles: &[&str], rises: i32, low: (i64, i64), high: (i64, i64)) -> Stack {
        let mut canvas = Canvas::of(catalogue);
        let step = |(x, y): (i64, i64), up: i64| I64Vec2::new(x, y + 16 * up) * (ONE / 16);
        let ledges = (0..5).map(|up| {
            for (x, tile) in (0..).zip(tiles) {
                canvas.paint((x, up as i32 + x * rises), tile);
            }
            let (dx, dy) = (high.0 - low.0, high.1 - low.1);
            let divisor = [dx, dx / 2].into_iter().find(|d| dx % d == 0 && dy % d == 0).unwrap_or(1);
            Ledge { a: step(low, up), b: step(high, up), normal: I64Vec2::new(-dy, dx) / divisor }
        });
        let ledges = ledges.collect();
        Stack { canvas, ledges }
    }

    /// One-way edges that rise to the right and fall again.
    fn peaks(catalogue: &Arc<Catalogue>) -> Stack {
        let mut stack = Stack::new(catalogue, &["one_way_slope_45"], 0, (0, 0), (16, 16));
        for up in 0..5 {
            stack.canvas.paint((1, up), "one_way_slope_45 r1");
            let step = |x, y| I64Vec2::new(x, y + i64::from(up)) * ONE;
            stack.ledges.push(Ledge { a: step(1, 1), b: step(2, 0), normal: I64Vec2::ONE });
        }
        stack
    }

    /// Flat and sloped one-way edges of both catalogues, and peaks.
    fn all() -> Vec<Stack> {
        let (built_in, gentle) = (&Catalogue::builtin(), &gentle());
        let halves = ["half_slope_ledge_low", "half_slope_ledge_high"];
        vec![
            Stack::new(built_in, &["one_way"; 3], 0, (0, 16), (48, 16)),
            Stack::new(built_in, &["one_way"], 0, (0, 16), (16, 16)),
            Stack::new(built_in, &["one_way_slope_45"; 3], 1, (0, 0), (48, 48)),
            Stack::new(built_in, &["one_way_slope_45"], 1, (0, 0), (16, 16)),
            Stack::new(gentle, &["half_one_way"; 2], 0, (0, 8), (32, 8)),
            Stack::new(gentle, &halves, 0, (0, 0), (32, 16)),
            Stack::peaks(built_in),
        ]
    }

    fn turned(&self, symmetry: Symmetry) -> Vec<Ledge> {
        let turned = |v| symmetry.vector(v);
        self.ledges.iter().map(|l| Ledge { a: turned(l.a), b: turned(l.b), normal: turned(l.normal) }).collect()
    }
}

/// A random body somewhere around a stack.
fn random_body(random: &mut Random, symmetry: Symmetry) -> (Body, Size) {
    let half = I64Vec2::new(random.between(ONE / 16, ONE), random.between(ONE / 16, ONE));
    let (shape, size) = if random.one_in(2) {
        (Shape::circle_units(half.x), Size::Circle(half.x))
    } else {
        (Shape::aabb_units(half), Size::Box(half))
    };
    let at = I64Vec2::new(random.between(-3 * ONE, 6 * ONE), random.between(-3 * ONE, 10 * ONE));
    let at = symmetry.position(units(at.x, at.y));
    let body = Body::new(shape).at(at).velocity((random.range(-20.0, 20.0), random.range(-20.0, 20.0)));
    let body = match random.below(6) {
        0 => body.bounce(0.7),
        1 => body.response(Response::Stop),
        2 => body.friction(0.6),
        3 => body.gravity_scale(0.0),
        4 => body.character(Character::default()),
        _ => body,
    };
    (body, size)
}

/// Counts what happened to the bodies of some runs.
#[derive(Debug, Default)]
struct Coverage {
    landed: u32,
    lifted: u32,
    passed: u32,
    unsure: u32,
}

/// The witness's result for a path past one-way edges.
enum WitnessResult {
    None { passed: bool },
    Ledge { ledge: Ledge, time: f64, normal: DVec2 },
    Unsure,
}

/// Returns the first edge that the path hits. The body passes an edge that moved past it during `before`. It also
/// passes an edge that shares an end with that one, unless the body entered one of them from the front.
fn first_hit(
    ledges: &[Ledge],
    size: Size,
    before: Option<(I64Vec2, I64Vec2)>,
    from: I64Vec2,
    motion: I64Vec2,
) -> WitnessResult {
    let comes_past = |ledge: &Ledge| before.map(|(from, motion)| ledge.entry(size, from, motion));
    let are_joined = |one: &Ledge, other: &Ledge| [one.a, one.b].iter().any(|end| [other.a, other.b].contains(end));
    let mut met = WitnessResult::None { passed: false };
    for &ledge in ledges {
        let mut entry = ledge.entry(size, from, motion);
        if matches!(entry, Entry::Front { .. }) {
            let mut joined = ledges.iter().filter(|other| are_joined(&ledge, other)).map(comes_past);
            let is_held = joined.clone().any(|other| matches!(other, Some(Entry::Front { .. })));
            if !is_held && joined.clone().any(|other| other == Some(Entry::Passes)) {
                entry = Entry::Passes;
            } else if joined.any(|other| other == Some(Entry::Unsure)) {
                entry = Entry::Unsure;
            }
        }
        match (entry, &mut met) {
            (Entry::Unsure, _) => return WitnessResult::Unsure,
            (Entry::Passes, WitnessResult::None { passed }) => *passed = true,
            (Entry::Front { time, .. }, WitnessResult::Ledge { time: known, .. }) if time >= *known => {}
            (Entry::Front { time, normal }, _) => met = WitnessResult::Ledge { ledge, time, normal },
            _ => {}
        }
    }
    met
}

/// Throws bodies through a stack, on terrain or on a platform with `velocity`, and compares with a world without the
/// stack.
fn throw(stack: &Stack, symmetry: Symmetry, velocity: Option<DVec2>, random: &mut Random, seen: &mut Coverage) {
    let (map, settings) = (stack.canvas.map(symmetry), Settings::default());
    let mut free = World::new(bare(&map), settings);
    let mut world = World::new(if velocity.is_none() { map.clone() } else { bare(&map) }, settings);
    let platform = velocity.map(|velocity| {
        let way = symmetry.velocity(velocity) * 2.0;
        let path = Path { points: vec![Position::ORIGIN, position(way.x, way.y)], ..Path::default() };
        let path = Path { timing: PathTiming::Speed(velocity.length()), ..path };
        // The platform starts so that it passes the bodies.
        let start = position(-way.x / 8.0, -way.y / 8.0);
        let platform = Platform::new(vec![map.layers()[0].clone()]).at(start).path(path);
        world.spawn_platform(platform).unwrap()
    });
    let ledges = stack.turned(symmetry);
    let mut bodies = Vec::new();
    let count = if velocity.is_some() { 30 } else { often(48, 60) };
    for _ in 0..count {
        let (body, size) = random_body(random, symmetry);
        bodies.push((world.spawn(body.clone()).unwrap(), free.spawn(body).unwrap(), size));
    }
    let corner = |world: &World| platform.map_or(I64Vec2::ZERO, |id| world.platform(id).unwrap().position().units());
    for tick in 0..45 {
        let before = corner(&world);
        world.step();
        free.step();
        let step = corner(&world) - before;
        bodies.retain(|&(id, twin, size)| {
            let (body, twin) = (&world[id], &free[twin]);
            let what = format_args!("{symmetry:?} {velocity:?} tick {tick} {size:?} {:?}", body.body());
            let (from, to) = (twin.previous_position().units() - before, twin.position().units() - before);
            // In the frame of the edges, the body first moves back by the platform's displacement, and then by its own
            // motion.
            let carried = first_hit(&ledges, size, None, from, -step);
            let own = first_hit(&ledges, size, velocity.map(|_| (from, -step)), from - step, to - from);
            let (ledge, normal, hit) = match (carried, own) {
                (WitnessResult::Unsure, _) | (WitnessResult::None { .. }, WitnessResult::Unsure) => {
                    seen.unsure += 1;
                    return false;
                }
                (WitnessResult::None { passed }, WitnessResult::None { passed: too }) => {
                    seen.passed += u32::from(passed || too);
                    assert_eq!(body.position(), twin.position(), "{what}");
                    assert_eq!(body.velocity(), twin.velocity(), "{what}");
                    assert!(!body.on_floor() && world.platform_under(id).is_none(), "{what}");
                    return true;
                }
                (WitnessResult::Ledge { ledge, normal, .. }, _) => {
                    seen.lifted += 1;
                    (ledge, normal, None)
                }
                (_, WitnessResult::Ledge { ledge, time, normal }) => {
                    seen.landed += 1;
                    (ledge, normal, Some(from + motion_part(to - from, time) + before))
                }
            };
            // A body pushed by an end may slip off it and pass at the side.
            let by_face = normal.dot(ledge.normal.as_dvec2().normalize()) > 1.0 - 1e-9;
            // One part of the path ends where the platform has moved the body. Others may end before and after that.
            let is_deep_in = |end: &Position| ledge.is_deep_in(size, end.units() - before - step);
            let is_in = if hit.is_none() { body.path().iter().all(is_deep_in) } else { is_deep_in(&body.position()) };
            assert!(!(by_face && is_in), "{what}: {ledge:?}");
            // A body faster than the edge that pushes it ends where it would end without the edge.
            assert!(hit.is_none() || body.position() != twin.position(), "{what}");
            if let Some(at) = hit.filter(|_| body.character().is_none()) {
                let told = world.events().iter().any(|event| {
                    let near = |v: I64Vec2| v.abs().max_element() <= 128;
                    matches!(event.kind, EventKind::HitTile { normal: n, position, .. }
                        if event.body == id && (n - normal).length() < 1e-6 && near(position.units() - at))
                });
                assert!(told, "{what}: {normal} at {at} and not {:?}", world.events());
            }
            false
        });
    }
}

/// Returns the part of a motion up to a time.
fn motion_part(motion: I64Vec2, time: f64) -> I64Vec2 {
    (motion.as_dvec2() * time).as_i64vec2()
}

/// Gravity stays down, so turned edges are beside and above the falling bodies.
#[test]
fn bodies_thrown_through_five_one_way_edges_land_only_from_the_front() {
    let (mut random, mut seen) = (Random(0x0E_5EED), Coverage::default());
    for stack in Stack::all() {
        for symmetry in Symmetry::all() {
            throw(&stack, symmetry, None, &mut random, &mut seen);
        }
    }
    println!("{seen:?}");
    assert!(seen.landed > 300 && seen.passed > 3_000 && seen.unsure < 10, "{seen:?}");
}

/// At 40 tiles per second towards the front, which is up without a turn, and in other directions.
#[test]
fn one_way_edges_of_platforms_carry_only_bodies_in_front() {
    for (velocity, lifted) in [((0.0, 40.0), 200), ((0.0, -40.0), 0), ((40.0, 0.0), 0), ((-15.0, 25.0), 150)] {
        let (mut random, mut seen) = (Random(0x0E_5EEE), Coverage::default());
        for stack in Stack::all() {
            for symmetry in Symmetry::all() {
                throw(&stack, symmetry, Some(DVec2::from(velocity)), &mut random, &mut seen);
            }
        }
        println!("{velocity:?} {seen:?}");
        // Few bodies land on an edge that moves down at that speed: they must fall faster.
        assert!(seen.landed > 10 && seen.lifted >= lifted && seen.passed > 80 && seen.unsure < 10, "{seen:?}");
    }
}

/// Five one-way edges that allow dropping through, a tile apart: on top of rows, or along diagonals to the upper right.
fn droppable(sloped: bool, symmetry: Symmetry) -> Map {
    let mut canvas = Canvas::default();
    for x in 0..4 {
        for up in 0..5 {
            match sloped {
                false => canvas.paint((x, up), "one_way"),
                true => canvas.paint((x, x + up), "one_way_slope_45"),
            }
        }
    }
    let mut parts = canvas.map(symmetry).into_parts();
    let is_open = |id: VariantId| parts.catalogue.variant(id).kind == PatternKind::Open;
    parts.kinds.iter_mut().for_each(|kind| kind.drop_through = kind.variant.is_some_and(is_open));
    Map::from_parts(parts).unwrap()
}

/// Taps `down` on each of five edges, at rest on terrain (`None`) or on a moving platform.
fn drop_through_five(sloped: bool, shape: Shape, velocity: Option<DVec2>, symmetry: Symmetry) {
    let map = droppable(sloped, symmetry);
    let platform = velocity.map(|velocity| {
        let platform = Platform::new(vec![map.layers()[0].clone()]);
        let points = vec![Position::ORIGIN, symmetry.position(position(velocity.x * 10.0, velocity.y * 10.0))];
        let path = Path { points, timing: PathTiming::Period(20.0), ..Path::default() };
        if velocity == DVec2::ZERO { platform } else { platform.path(path) }
    });
    let map = if velocity.is_none() { map } else { bare(&map) };
    let mut world = World::new(map, symmetry.settings());
    let platform = platform.map(|platform| world.spawn_platform(platform).unwrap());
    let corner = |world: &World| platform.map_or(Position::ORIGIN, |id| world.platform(id).unwrap().position());
    let (half, x) = (position(shape.half_extents().x, shape.half_extents().y).units(), 5 * ONE / 2);
    // `up` is the height of the centre of a body on the lowest edge. A circle touches a slope of 45 degrees at its
    // lower right.
    let up = match (sloped, shape.is_circle()) {
        (false, _) => ONE + half.y,
        (true, false) => x + half.x + half.y,
        (true, true) => x + (half.y as f64 * std::f64::consts::SQRT_2).ceil() as i64,
    };
    let character = Character { max_fall_speed: 200.0, ..Character::default() };
    world.step();
    let start = corner(&world) + symmetry.vector(I64Vec2::new(x, up + 4 * ONE));
    let hero = world.spawn(Body::new(symmetry.shape(shape)).at(start).character(character)).unwrap();
    let off = |world: &World| symmetry.inverse().vector(world[hero].position() - corner(world));
    let tiles = |v: I64Vec2| v.as_dvec2() / ONE as f64;
    let what = format_args!("{sloped} {shape:?} {velocity:?} {symmetry:?}");
    // The platform moves first. A body that then lands on its slope reaches the slope earlier or later by up to that
    // displacement, and moves along the slope for the rest of the tick.
    let slides = if sloped { velocity.map_or(0.0, |velocity| velocity.x.abs()) / 60.0 } else { 0.0 };
    (0..3).for_each(|_| world.step());
    for ledge in (0..5_i64).rev() {
        assert!(world[hero].on_floor() && world.platform_under(hero) == platform, "{what} ledge {ledge}");
        let stands = off(&world);
        let away = stands - I64Vec2::new(x, up + ledge * ONE);
        // `slid` is the distance that the body may have slid so far, up or down the slope.
        let slid = slides * (4 - ledge) as f64;
        let expected = if sloped { away.y } else { 0 };
        assert!((away.x - expected).abs() < ONE >> 20, "{what}: {away}");
        assert!(tiles(away).abs().max_element() <= slid + 1e-6, "{what}: {away}");
        world.set_input(hero, Input { down: true, ..Input::default() });
        // A fall of one tile takes sqrt(2 / 40) seconds: 13.4 ticks.
        for tick in 1..=14 {
            world.step();
            world.set_input(hero, Input::default());
            let fallen = 20.0 * f64::from(tick * tick) / 3600.0;
            let expected = if ledge > 0 { fallen.min(1.0) } else { fallen };
            let moved = tiles(off(&world) - stands) + DVec2::new(0.0, expected);
            let at_most = 1e-6 + if ledge > 0 && fallen >= 1.0 { slides } else { 0.0 };
            assert!(moved.abs().max_element() < at_most, "{what} ledge {ledge} tick {tick}: {moved}");
            let kinds = kinds(&world).into_iter().filter(|kind| *kind != EventKind::LeftMap);
            let told: Vec<&str> = kinds.map(|kind| kind.name()).collect();
            let expected: &[&str] = match tick {
                1 => &["left_floor"],
                14 if ledge > 0 => &["landed"],
                _ => &[],
            };
            assert_eq!(told, expected, "{what} ledge {ledge} tick {tick}");
        }
        if ledge > 0 && !sloped {
            assert_eq!((off(&world) - stands).y, -ONE, "{what}");
        }
        world.step();
    }
}

#[test]
fn a_tap_drops_through_one_one_way_edge_and_the_next_one_catches() {
    let moves = [(0.0, 0.0), (40.0, 0.0), (12.0, 0.0), (-12.0, 0.0), (7.0, 3.0), (0.0, -20.0)];
    for symmetry in Symmetry::all() {
        for sloped in [false, true] {
            for shape in [Shape::aabb(0.35, 0.45), Shape::circle(0.4)] {
                drop_through_five(sloped, shape, None, symmetry);
                for velocity in moves {
                    drop_through_five(sloped, shape, Some(DVec2::from(velocity)), symmetry);
                }
            }
        }
    }
}

/// Taps `down` for a tick on the highest of three one-way edges of a platform that moves up. Returns how far below the
/// edge the hero is at the end of each tick, in tiles.
fn tap_on_lift(speed: f64) -> (Vec<f64>, World, BodyId) {
    let map = map_with(&["."], "");
    let platform = Platform::from_rows(&map, ["----", "----", "----"]).unwrap();
    let path = Path { points: vec![Position::ORIGIN, position(0.0, 200.0 * speed)], ..Path::default() };
    let platform = platform.path(Path { timing: PathTiming::Period(400.0), ..path });
    let mut world = World::new(map, Settings::default());
    let platform = world.spawn_platform(platform).unwrap();
    let character = Character { max_fall_speed: 200.0, ..Character::default() };
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at((2.0, 3.45)).character(character)).unwrap();
    (0..10).for_each(|_| world.step());
    assert_eq!(world.platform_under(hero), Some(platform));
    world.set_input(hero, Input { down: true, ..Input::default() });
    let ticks = (0..120).map(|_| {
        world.step();
        world.set_input(hero, Input::default());
        let off = world[hero].position() - world.platform(platform).unwrap().position();
        3.45 - off.y as f64 / ONE as f64
    });
    let below = ticks.collect();
    (below, world, hero)
}

/// Bodies move after platforms. An edge that moves down further in a tick than a body has fallen through it is below
/// the body again when the body moves. It must not catch the body.
#[test]
fn a_tap_drops_through_a_one_way_edge_that_moves_down() {
    let square = |time: f64| time * time;
    for speed in [-0.3, -3.0, -8.0, -40.0] {
        let (below, world, hero) = tap_on_lift(speed);
        for (tick, below) in below.iter().enumerate() {
            let fallen = 40.0 / 2.0 * square((tick + 1) as f64 / 60.0);
            assert!((below - fallen.min(1.0)).abs() < 1e-6, "{speed} tick {tick}: {below} and not {fallen}");
        }
        assert!(world[hero].on_floor(), "{speed}");
    }
}

/// The platform moves first and pushes the body, which would have moved away. The push counts towards the body's own
/// displacement. So the body falls one tile as on a platform at rest, and lands.
#[test]
fn a_body_that_falls_onto_a_fast_rising_one_way_edge_lands() {
    for speed in [2.0, 8.0, 20.0, 40.0] {
        let (below, world, hero) = tap_on_lift(speed);
        let square = |time: f64| time * time;
        let falls = |tick: usize| 40.0 / 2.0 * square((tick + 1) as f64 / 60.0);
        // The hero falls by gravity alone, until it has fallen one tile.
        for (tick, below) in below.iter().enumerate() {
            assert!((below - falls(tick).min(1.0)).abs() < 1e-6, "{speed} tick {tick}: {below}");
        }
        assert!(world[hero].on_floor(), "{speed}");
    }
}

/// A hero of 1.8 tiles on a platform with a one-way edge one tile above its floor.
#[test]
fn a_body_teleported_into_a_one_way_edge_of_a_platform_stands_on_the_platform() {
    let map = map_with(&["."], "");
    let mut world = World::new(map.clone(), Settings::default());
    let platform = world.spawn_platform(Platform::from_rows(&map, ["....", "====", "####"]).unwrap()).unwrap();
    let tall = Body::new(Shape::aabb(0.35, 0.9)).character(Character::default());
    let hero = world.spawn(tall.clone().at((2.0, 1.9))).unwrap();
    let stays = |world: &mut World| {
        for _ in 0..20 {
            world.step();
            assert_eq!((world[hero].position(), world.platform_under(hero)), (position(2.0, 1.9), Some(platform)));
        }
    };
    stays(&mut world);
    world.teleport(hero, (2.5, 1.9)).unwrap();
    world.teleport(hero, (2.0, 1.9)).unwrap();
    stays(&mut world);
    // Tiles set elsewhere on the platform do not affect the body in the edge.
    let block = map.find_tile('#').unwrap();
    world.set_platform_tile(platform, 0, (0, 2), block).unwrap();
    stays(&mut world);
    // A body in a block of the platform passes through the whole platform.
    let low = world.spawn(tall.at((2.0, 1.8))).unwrap();
    (0..60).for_each(|_| world.step());
    assert!(world[low].position().to_dvec2().y < -1.0, "{}", world[low].position());
}

/// A body rises through a one-way edge while another tile of the platform is set. It still lands on that edge.
#[test]
fn editing_a_platform_does_not_drop_a_body_that_passes_a_one_way_edge() {
    let map = map_with(&["."], "");
    let mut world = World::new(map.clone(), Settings::default());
    let platform = world.spawn_platform(Platform::from_rows(&map, ["====", "....", "####"]).unwrap()).unwrap();
    // The edge is at 3. The body is above it for 2 sqrt(2 x 0.003 / 40) seconds, a tick and a half.
    let character = Character { jump_height: 2.003, ..Character::default() };
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at((2.0, 1.45)).character(character)).unwrap();
    world.set_input(hero, Input { jump: true, ..Input::default() });
    while world[hero].position().to_dvec2().y < 3.0 {
        world.step();
    }
    world.set_platform_tile(platform, 0, (0, 1), map.find_tile('#').unwrap()).unwrap();
    (0..60).for_each(|_| world.step());
    assert_eq!((world[hero].position(), world.platform_under(hero)), (position(2.0, 3.45), Some(platform)));
}

/// Two one-way slopes that form a peak, on a moving platform. Bodies fall onto them from above, and none passes
/// through. Relative to the platform, the slopes are |x - 1| below the height of the peak.
#[test]
fn no_body_falls_through_a_moving_peak_of_one_way_edges() {
    let legend = "legend: {'u': (tile: \"one_way_slope_45\"), 'd': (tile: \"one_way_slope_45 r1\")}";
    let map = map_with(&["ud"], legend);
    let (mut random, mut over, mut landed) = (Random(0x9EA4), 0, 0);
    for velocity in [(12.0, 0.0), (-12.0, 0.0), (40.0, 0.0), (-25.0, -6.0), (9.0, 5.0), (0.0, -20.0)] {
        let way = DVec2::from(velocity);
        for _ in 0..150 {
            let mut world = World::new(map_with(&["."], legend), Settings::default());
            let path = Path {
                points: vec![Position::ORIGIN, position(way.x * 9.0, way.y * 9.0)],
                timing: PathTiming::Period(18.0),
                ..Path::default()
            };
            let platform = world.spawn_platform(Platform::from_rows(&map, ["ud"]).unwrap().path(path)).unwrap();
            let half = random.range(0.1, 0.4);
            let shape = if random.one_in(2) { Shape::circle(half) } else { Shape::aabb(half, random.range(0.1, 0.4)) };
            let body = Body::new(shape).at((random.range(-1.0, 3.0), random.range(1.5, 2.5)));
            let body = world.spawn(body.velocity((random.range(-6.0, 6.0), random.range(-40.0, 0.0)))).unwrap();
            let seen = |world: &World| {
                let origin = world.platform(platform).unwrap().position();
                (world[body].position() - origin).as_dvec2() / ONE as f64
            };
            let is_over = |at: DVec2| at.y > 1.0 - (at.x - 1.0).abs();
            // A shape is clear if it is completely above both slopes: the corner of a box that is nearest to the peak,
            // or all of a circle.
            let size = shape.half_extents();
            let is_clear = |at: DVec2| {
                let aside = (at.x - 1.0).abs();
                if shape.is_circle() {
                    let (along, off) = ((aside + 1.0 - at.y) / 2.0, (aside + at.y - 1.0) / SQRT_2);
                    // `apart` is the distance of the centre from the peak, or from a point of the slope.
                    let apart = if along < 0.0 { DVec2::new(aside, at.y - 1.0).length() } else { off };
                    is_over(at) && apart > size.x - 1e-6
                } else {
                    at.y - size.y > 1.0 - (aside - size.x).max(0.0) - 1e-6
                }
            };
            let (mut before, mut lands, mut clear) = (seen(&world), false, false);
            for tick in 0..40 {
                clear = (clear || is_clear(before)) && (0.0..=2.0).contains(&before.x);
                world.step();
                lands |= !world.contacts(body).is_empty();
                let now = seen(&world);
                // If the shape was clear once, and has been between the ends since then, the slopes hold its centre
                // above them.
                let is_held = clear && (0.0..=2.0).contains(&now.x);
                over += u32::from(is_held);
                assert!(!is_held || is_over(now), "{velocity:?} {shape:?} tick {tick}: from {before} to {now}");
                before = now;
            }
            landed += u32::from(lands);
        }
    }
    assert!(over > 1_000 && landed > 300, "{over} {landed}");
}

/// A box on a peak of one-way edges that allow dropping through, on a platform that moves down. A tap of `down` makes
/// the box fall by gravity's formula, past the corner on which it stood.
#[test]
fn a_tap_on_a_peak_that_goes_down_drops() {
    let legend = "legend: {'u': (tile: \"one_way_slope_45\", drop_through: true), 'd': (tile: \"one_way_slope_45 r1\", drop_through: true)}";
    let map = map_with(&["ud"], legend);
    for shape in [Shape::aabb(0.3, 0.4), Shape::circle(0.4)] {
        for speed in [-0.5, -3.0, -20.0] {
            let mut world = World::new(map_with(&["."], legend), Settings::default());
            let path = Path { points: vec![Position::ORIGIN, position(0.0, 200.0 * speed)], ..Path::default() };
            let platform =
                Platform::from_rows(&map, ["ud"]).unwrap().path(Path { timing: PathTiming::Period(400.0), ..path });
            let platform = world.spawn_platform(platform).unwrap();
            let character = Character { max_fall_speed: 200.0, ..Character::default() };
            let hero = world.spawn(Body::new(shape).at((1.0, 1.4)).character(character)).unwrap();
            (0..5).for_each(|_| world.step());
            assert_eq!(world.platform_under(hero), Some(platform), "{shape:?} {speed}");
            world.set_input(hero, Input { down: true, ..Input::default() });
            for tick in 1..=20 {
                world.step();
                world.set_input(hero, Input::default());
                let below = 1.4 - world[hero].position().to_dvec2().y
                    + world.platform(platform).unwrap().position().to_dvec2().y;
                let fallen = 20.0 * (f64::from(tick) / 60.0) * (f64::from(tick) / 60.0);
                assert!((below - fallen).abs() < 1e-6, "{shape:?} {speed} tick {tick}: {below} and not {fallen}");
            }
        }
    }
}

/// A platform's one-way edge moves down by 0.2 in the tick and passes the lower quarter of a ball. The ball then moves
/// up, bounces off a ceiling and comes down onto the edge from the front, all in one tick.
///
/// FIXME: the ball should bounce off the edge and the ceiling once more, and end at a height of 1.7. Passing the ball
/// lets it through the edge for the whole tick.
#[test]
fn a_ball_that_returns_within_the_tick_in_which_a_one_way_edge_passed_it_falls_through() {
    let map = map_with(&["#####", ".....", "....."], r#"legend: {'=': (tile: "one_way")}"#);
    let mut world = World::new(map.clone(), Settings { gravity: DVec2::ZERO, ..Settings::default() });
    // The edge is at the top of its tile, and moves from y = 1.0 to 0.8 in the tick.
    let path = along(0.0, -0.8, 12.0);
    let ledge = Platform::from_rows(&map, ["==="]).unwrap().at((1.0, 0.0));
    world.spawn_platform(ledge.path(path)).unwrap();
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at((2.5, 1.2)).velocity((0.0, 120.0)).bounce(1.0)).unwrap();
    world.step();
    // The ball moves 2 tiles: up by 0.55 to the ceiling at 2, and down by the rest.
    let height = world[ball].position().to_dvec2().y;
    assert!((height - 0.3).abs() < 1e-6, "{height}");
}

#[test]
fn platforms_cannot_share_a_name() {
    let map = map_with(&["...", "###"], "");
    let mut world = World::new(map.clone(), Settings::default());
    let plank = |name: &str| Platform::from_rows(&map, ["#"]).unwrap().name(name);
    let first = world.spawn_platform(plank("lift")).unwrap();
    let refused = world.spawn_platform(plank("lift"));
    let expected = PlatformError::Duplicate { name: "lift".to_owned() };
    assert_eq!(refused, Err(CommandError::Platform(expected)));
    // Any number of platforms may lack a name, and a name is free once its platform is removed.
    assert!(world.spawn_platform(plank("")).is_ok() && world.spawn_platform(plank("")).is_ok());
    world.despawn_platform(first).unwrap();
    assert!(world.spawn_platform(plank("lift")).is_ok());
}

/// A platform of six one-way tiles and a block to their right, whose left side is at 6. A body spawned in the block
/// passes through it and leaves it to the left, where only one-way tiles overlap it. When the body comes back, the
/// block stops it.
#[test]
fn a_body_that_left_a_platform_block_collides_with_it_again_from_its_one_way_tiles() {
    let (mut tiles, mut rest) = (Canvas::default(), Canvas::default());
    (0..6).for_each(|x| tiles.paint((x, 0), "one_way"));
    tiles.paint((6, 0), "full_block");
    rest.paint((-20, -20), "full_block");
    all_ways_with([Shape::aabb(0.3, 0.3), Shape::circle(0.3)], |way, shape, mask| {
        for ticks in [30.0, 60.0, 120.0, 240.0] {
            let mut world = way.world(&rest, Settings::default().tick(1.0 / ticks));
            world.spawn_platform(Platform::new(Map::from(&tiles).into_parts().layers)).unwrap();
            let body = Body::new(shape).at((6.5, 0.9)).velocity((-3.0, 0.0)).gravity_scale(0.0);
            let id = world.spawn(body.collision_mask(mask)).unwrap();
            while world[id].position().to_dvec2().x > 4.0 {
                world.step();
            }
            let x = world[id].position().to_dvec2().x;
            assert!(x > 3.5, "the one-way tiles stop nothing that goes along them");
            world.set_velocity(id, (3.0, 0.0)).unwrap();
            (0..ticks as u32).for_each(|_| world.step());
            let x = world[id].position().to_dvec2().x;
            assert!((x - 5.7).abs() < 1e-6, "{shape:?} {mask:?} {ticks}: {x}");
        }
    });
}

//! Ends of one-way edges: an end stops only bodies from the solid side of its edge. Motions along the edge or away from
//! it pass. A circle whose centre is exactly level with the edge passes with any motion.

use crate::body_laws::seeds;
use crate::entry::{Entry, Ledge, Size};
use crate::prelude::*;

/// Returns the map without its tiles.
pub fn bare(map: &Map) -> Map {
    let mut parts = map.clone().into_parts();
    parts.layers[0].cells.fill(TileId::EMPTY);
    Map::from_parts(parts).unwrap()
}

/// A world with the map's tiles, or with these tiles as a platform at rest.
fn world_of(map: &Map, on_platform: bool, settings: Settings) -> World {
    if !on_platform {
        return World::new(map.clone(), settings);
    }
    let mut world = World::new(bare(map), settings);
    world.spawn_platform(Platform::new(vec![map.layers()[0].clone()])).unwrap();
    world.step();
    world
}

/// A floor with a one-way edge above its middle, and the same floor without: the edge from x = 0 to x = 2, `height`
/// half tiles above the floor.
fn floors(height: i64) -> [Canvas; 2] {
    [true, false].map(|with_edge| {
        let mut canvas = Canvas::of(&gentle());
        canvas.blocks((-6, -1), (8, -1));
        let name = if height % 2 == 1 { "half_one_way" } else { "one_way" };
        for x in if with_edge { 0..2 } else { 0..0 } {
            canvas.paint((x, (height as i32 + 1) / 2 - 1), name);
        }
        canvas
    })
}

/// Characters and balls of several radii walk and roll along a floor past the edge above it, from either side. Their
/// centre is level with the edge, or some units above or below it. They start in contact with the end, some units
/// before it, or anywhere.
#[test]
fn a_circle_level_with_a_one_way_edge_passes_its_ends() {
    let mut random = Random(0x1E7E1);
    let mut count = 0;
    for symmetry in Symmetry::all() {
        for height in 1..=4 {
            let [with, without] = floors(height).map(|canvas| canvas.map(symmetry));
            for (case, off) in (0..).zip([0, 0, 1, -1, 2, -2, 16, -16, 1_000, -1_000]) {
                let tick = 1.0 / random.pick(&[30.0, 60.0, 120.0, 240.0]);
                let on_platform = case % 2 == 1;
                let mut worlds =
                    [&with, &without].map(|map| world_of(map, on_platform, symmetry.settings().tick(tick)));
                let radius = height * ONE / 2 + off;
                let side = random.pick(&[1, -1]);
                let anywhere = random.between(0, ONE);
                let apart = random.pick(&[0, 0, 1, 5, 16, 17, anywhere]);
                let x = if side > 0 { -radius - apart } else { 2 * ONE + radius + apart };
                let walker = random.one_in(2);
                let mask = random.pick(&[CollisionLayers::NONE, CollisionLayers::ALL]);
                let body = Body::new(Shape::circle_units(radius)).at(symmetry.position(units(x, radius)));
                let body = body.collision_mask(mask);
                let right = symmetry.velocity(DVec2::X * side as f64);
                let body = if walker { body.character(Character::default()) } else { body.velocity(right * 3.0) };
                let ids = worlds.each_mut().map(|world| {
                    let id = world.spawn(body.clone()).unwrap();
                    if walker {
                        let walk = symmetry.walk(127 * side as i8);
                        world.set_input(id, Input { walk, ..Input::default() });
                    }
                    id
                });
                for step in 0..(0.6 / tick) as u32 {
                    worlds.iter_mut().for_each(World::step);
                    let [seen, free] = [0, 1].map(|i| {
                        let state = &worlds[i][ids[i]];
                        (state.position(), state.velocity() + DVec2::ZERO, state.on_floor())
                    });
                    assert_eq!(
                        seen, free,
                        "{symmetry:?} radius {radius} apart {apart} side {side} {walker} {mask:?} platform {on_platform} tick {tick} step {step}"
                    );
                    let level = off <= 0;
                    let contacts = worlds[0].contacts(ids[0]).len();
                    assert!(
                        !level || contacts == worlds[1].contacts(ids[1]).len(),
                        "{symmetry:?} {radius}: {contacts}"
                    );
                }
                count += 1;
            }
        }
    }
    assert_eq!(count, 320);
}

/// A character pushes a ball along the floor, past the end that the ball touches.
#[test]
fn a_ball_is_pushed_past_an_end_that_it_touches() {
    all_ways(|way| {
        for off in [0, 1, 300] {
            let radius = ONE + off;
            let ends = floors(2).map(|canvas| {
                let mut world = way.world(&canvas, Settings::default());
                let ball = Body::new(Shape::circle_units(radius)).at(units(-radius, radius));
                let hero = Body::new(Shape::aabb(0.5, 1.25)).at(units(-2 * radius - ONE / 2, 5 * ONE / 4));
                let hero = hero.character(Character { max_push_mass: 10.0, ..Character::default() });
                let [ball, hero] =
                    [ball, hero].map(|body| world.spawn(body.collision_mask(CollisionLayers::ALL)).unwrap());
                world.set_input(hero, Input::walk(1.0));
                (0..60).for_each(|_| world.step());
                [ball, hero].map(|id| world[id].position())
            });
            assert_eq!(ends[0], ends[1], "{off}");
            assert!(ends[0][0].to_dvec2().x > 2.0, "{off}: {:?}", ends[0]);
        }
    });
}

/// Returns the one-way edges of open patterns at (0, 0), with their ends. `free` marks ends that are not corners.
fn patterns() -> Vec<(&'static str, Vec<Ledge>)> {
    let step = |x: i64, y: i64| I64Vec2::new(x, y) * (ONE / 16);
    let edge = |(ax, ay): (i64, i64), (bx, by): (i64, i64)| {
        let along = I64Vec2::new(bx - ax, by - ay).signum();
        Ledge { a: step(ax, ay), b: step(bx, by), normal: I64Vec2::new(-along.y, along.x) }
    };
    let (low, high) = ((0, 0), (16, 16));
    let (top, right, left) = (edge((0, 16), high), edge(high, (16, 0)), edge(low, (0, 16)));
    vec![
        ("one_way", vec![top]),
        ("one_way_pair", vec![top, edge((16, 0), low)]),
        ("one_way_corner", vec![top, right]),
        ("one_way_triple", vec![left, top, right]),
        ("one_way_slope_45", vec![edge(low, high)]),
    ]
}

/// Bodies touch a free end of an open pattern on the solid side of its edge, and move along the edge or away from it.
/// At any speed, and in any matching gravity, they move as without the pattern, and are not grounded. A shape cast
/// along the same path hits nothing.
///
/// `SUREFOOT_BODIES` and `SUREFOOT_BODIES_SEED` make the test longer.
#[test]
fn an_end_stops_touching_bodies_only_from_the_solid_side() {
    let (patterns, mut tested, mut stopped) = (patterns(), 0, 0);
    for seed in seeds(often(2_000, 4_000).into(), 0) {
        let mut random = Random(seed ^ 0xE7D5_0000);
        let symmetry = Symmetry(random.pick(&Placement::all().collect::<Vec<_>>()));
        let (name, edges) = &patterns[random.below(patterns.len() as u64) as usize];
        let edge = random.pick(edges);
        let joined = |end: I64Vec2| edges.iter().filter(|other| other.a == end || other.b == end).count() > 1;
        let (end, outward) = if random.one_in(2) { (edge.a, edge.a - edge.b) } else { (edge.b, edge.b - edge.a) };
        if joined(end) {
            continue;
        }
        // Place the centre so that the shape touches the end. For a circle, the centre is in the quarter between the
        // edge's normal and the direction out of the end.
        let outward = outward.as_dvec2().normalize();
        let normal = edge.normal.as_dvec2().normalize();
        let radius = random.between(ONE / 16, ONE);
        let any = random.range(0.0, 1.0);
        let off = if random.one_in(4) { 0.0 } else { any };
        let along = (1.0 - off * off).sqrt();
        let apart = random.between(0, 3) as f64;
        let ways = (outward * along + normal * off) * (radius as f64 + apart + 1.0);
        let from = end + I64Vec2::new(ways.x.round() as i64, ways.y.round() as i64);
        let speed = random.range(0.0, 30.0);
        // The circle moves away from the touched end, in any allowed direction.
        let any = random.range(0.0, 20.0);
        let (up, side) = (random.pick(&[0.0, any]), random.pick(&[-1.0, -1.0, 1.0]));
        let velocity = outward * (speed * side) + normal * up;
        let gravity = normal * random.pick(&[0.0, 20.0]) + outward * random.pick(&[0.0, -20.0, 20.0]);
        let motion = ((velocity + gravity / 120.0) / 60.0 * ONE as f64).round().as_i64vec2();
        if edge.normal.dot(motion) < 0 || motion == I64Vec2::ZERO {
            continue;
        }
        let size = Size::Circle(radius);
        let others = edges.iter().filter(|other| !(other.a == edge.a && other.b == edge.b));
        let others = others.map(|other| other.entry(size, from, motion));
        if others.into_iter().any(|entry| !matches!(entry, Entry::Never | Entry::Passes)) {
            continue;
        }
        let mut canvas = Canvas::default();
        canvas.paint((0, 0), name);
        let map = canvas.map(symmetry);
        let up = random.pick(&[Up::PlusY, Up::MinusX, Up::MinusY, Up::PlusX]);
        let settings = Settings::default().gravity(symmetry.velocity(gravity)).up(up);
        let on_platform = random.one_in(3);
        let mut world = world_of(&map, on_platform, settings);
        let mut free = World::new(bare(&map), settings);
        let body = Body::new(Shape::circle_units(radius)).at(symmetry.position(units(from.x, from.y)));
        let body = body.velocity(symmetry.velocity(velocity));
        let body = body.collision_mask(random.pick(&[CollisionLayers::NONE, CollisionLayers::ALL]));
        let body = match random.below(4) {
            0 => body.bounce(0.7),
            1 => body.response(Response::Stop),
            2 => body.friction(0.6),
            // If the edge is solid from above, do not use a character: it might stand on the end.
            _ if symmetry.vector(edge.normal).dot(up.direction()) <= 0 => body.character(Character::default()),
            _ => body,
        };
        let (id, twin) = (world.spawn(body.clone()).unwrap(), free.spawn(body).unwrap());
        let what = format!("seed {seed}: {name} {symmetry:?} {edge:?} {radius} from {from} by {velocity} {gravity}");
        let cast = world.cast_shape(
            Shape::circle_units(radius),
            symmetry.position(units(from.x, from.y)),
            symmetry.velocity(motion.as_dvec2() / ONE as f64),
            &Filter::tiles(),
        );
        assert!(cast.is_none(), "{what}: {cast:?}");
        world.step();
        free.step();
        let seen = |state: &BodyState| (state.position(), state.velocity() + DVec2::ZERO);
        assert!(!world[id].on_floor() || world[id].character().is_none(), "{what}");
        assert_eq!(seen(&world[id]), seen(&free[twin]), "{what}");
        tested += 1;
        // A cast in the opposite direction goes against the edge and towards the end, so it must hit. Its centre must
        // be in front of the edge by more than rounding.
        if off > 0.01 {
            let towards = -(outward * along + normal * off);
            let hit = world.cast_shape(
                Shape::circle_units(radius),
                symmetry.position(units(from.x, from.y)),
                symmetry.velocity(towards),
                &Filter::tiles(),
            );
            assert!(hit.is_some_and(|hit| hit.toi < 1e-6), "{what}: {hit:?}");
            stopped += 1;
        }
    }
    println!("{tested} tested, {stopped} stopped");
    assert!(tested > 500 && stopped > 300, "{tested} {stopped}");
}

/// A circle falls past the end of an edge with its side in line with the end, and with the stick towards the edge. It
/// moves around the end until its centre is level, and on below the edge to the floor.
#[test]
fn a_circle_that_is_steered_towards_an_end_falls_past_it() {
    let mut canvas = Canvas::default();
    (0..3).for_each(|x| canvas.paint((x, 5), "one_way"));
    canvas.blocks((-6, -1), (12, -1));
    all_ways(|way| {
        for (radius, off) in [ONE / 4, ONE / 2, ONE, ONE + 1].into_iter().flat_map(|r| [0, 1, -1].map(|off| (r, off))) {
            let mut world = way.world(&canvas, Settings::default());
            let body = Body::new(Shape::circle_units(radius)).at(units(-radius - off, 6 * ONE + radius / 2));
            let hero = world.spawn(body.character(Character::default())).unwrap();
            world.set_input(hero, Input::walk(1.0));
            (0..60).for_each(|_| world.step());
            let at = world[hero].position();
            assert!(at.units().y == radius && at.units().x > 0, "{radius} {off}: {at}");
        }
    });
}

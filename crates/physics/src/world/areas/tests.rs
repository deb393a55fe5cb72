//! Caches do not affect results: compares with a world that tests all bodies and areas in each tick.

use crate::area::{Area, AreaShape, AttachedTo, Effects};
use crate::body::{Body, Character, Input, Response};
use crate::command::Command;
use crate::event::{BodyId, Event};
use crate::map::Map;
use crate::motion::{Shape, Up};
use crate::platform::{Path, PathTiming, Platform, Repeat};
use crate::testing::Random;
use crate::world::{Settings, Snapshot, World};
use glam::DVec2;
use surefoot_geometry::{Capsule, ConvexPolygon, Position, Triangle, dvec2};

const MAP: &str = r#"Map(format: 1, border: (left: Solid, right: Solid, bottom: Solid, top: Solid), tiles: [
    "................",
    "................",
    "...==.......##..",
    "................",
    "......===.......",
    "..#..........#..",
    "====....========",
    "================",
])"#;

fn new_world(random: &mut Random) -> World {
    let map = Map::from_ron(MAP).unwrap();
    let points = [(0.0, 0.0), (6.0, 0.0)].map(|(x, y)| Position::new(x, y).unwrap());
    let path =
        Path { points: points.to_vec(), timing: PathTiming::Speed(4.0), repeat: Repeat::PingPong, ..Path::default() };
    let lift = Platform::from_rows(&map, ["=="]).unwrap().at((4.0, 3.0)).path(path).name("lift");
    let mut world = World::new(map, Settings::default());
    world.spawn_platform(lift).unwrap();
    for i in 0..12 {
        let at = (1.0 + f64::from(i) * 1.2, 6.0 - f64::from(i % 3));
        let shape = if i % 2 == 0 { Shape::circle(0.3) } else { Shape::aabb(0.25, 0.4) };
        let body = Body::new(shape).at(at).velocity((f64::from(i) - 6.0, 4.0));
        let body = match i % 4 {
            0 => body.bounce(0.9),
            1 => body.character(Character::default()),
            2 => body.response(Response::Slide).friction(0.3),
            _ => body.character(Character::default()).velocity((0.0, 0.0)),
        };
        world.spawn(body).unwrap();
    }
    for _ in 0..8 {
        let area = random_area(random, &world);
        world.spawn_area(area).unwrap();
    }
    world
}

const UPS: [Up; 3] = [Up::MinusY, Up::PlusX, Up::PlusY];

fn random_area(random: &mut Random, world: &World) -> Area {
    let shape = match random.below(6) {
        0 => AreaShape::circle(1.25).unwrap(),
        1 | 2 => AreaShape::aabb(2.0, 1.0).unwrap(),
        3 => Capsule::new(dvec2(-1.0, 0.0), dvec2(1.0, 0.5), 0.5).unwrap().into(),
        4 => Triangle::new([dvec2(-1.5, -1.0), dvec2(1.5, -1.0), dvec2(0.0, 1.0)]).unwrap().into(),
        _ => {
            ConvexPolygon::new(&[dvec2(0.0, -1.0), dvec2(1.0, 0.0), dvec2(0.0, 1.0), dvec2(-2.0, 0.0)]).unwrap().into()
        }
    };
    let some = |random: &mut Random, value: f64| (random.below(3) == 0).then_some(value);
    let effects = Effects {
        gravity: (random.below(8) == 0).then_some(DVec2::new(5.0, -10.0)),
        gravity_scale: some(random, 0.5),
        drag: some(random, 2.0),
        buoyancy: some(random, 2.5),
        wind: (random.below(4) == 0).then_some(DVec2::new(20.0, 10.0)),
        ground_wind: (random.below(4) == 0).then_some(DVec2::new(-8.0, 3.0)),
        speed_scale: some(random, 0.5),
        climbable: None,
        up: (random.below(4) == 0).then(|| UPS[random.index(UPS.len())]),
    };
    let bodies: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let on = match random.below(4) {
        0 => AttachedTo::Named("lift".to_owned()),
        1 if !bodies.is_empty() => AttachedTo::Body(bodies[random.index(bodies.len())]),
        _ => AttachedTo::World,
    };
    let at = if on == AttachedTo::World {
        (random.below(16) as f64, random.below(8) as f64)
    } else {
        (random.below(2) as f64, random.below(2) as f64)
    };
    Area::new(shape).at(at).attached_to(on).priority(random.below(3) as i32).effects(effects)
}

/// A random command of a game.
fn random_command(random: &mut Random, world: &World) -> Option<Command> {
    let bodies: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let areas: Vec<_> = world.areas().map(|(id, _)| id).collect();
    let body = bodies[random.index(bodies.len())];
    let at = Position::new(1.0 + random.below(14) as f64, 3.0 + random.below(4) as f64).unwrap();
    let area = (!areas.is_empty()).then(|| areas[random.index(areas.len())]);
    Some(match (random.below(13), area) {
        (12, _) => Command::SetUp(body, [None, Some(Up::MinusY), Some(Up::MinusX)][random.index(3)]),
        (0, _) => Command::Teleport(body, at),
        (1, _) => Command::SetVelocity(body, DVec2::new(random.below(60) as f64 - 30.0, 10.0)),
        (2, Some(area)) => Command::MoveArea(area, at),
        (3, Some(area)) => Command::DespawnArea(area),
        (4, Some(area)) => Command::SetArea(area, Box::new(random_area(random, world))),
        (5 | 6, _) => Command::SpawnArea(Box::new(random_area(random, world))),
        (7, _) if bodies.len() > 8 => Command::Despawn(body),
        (7, _) => Command::Spawn(Box::new(Body::new(Shape::circle(0.25)).at(at))),
        (_, _) => {
            let walk = random.below(255) as i32 - 127;
            Command::SetInput(body, Input { walk: walk as i8, jump: random.below(2) == 0, ..Input::default() })
        }
    })
}

fn state(world: &World) -> (u64, Vec<Event>) {
    (world.checksum().0, world.events().to_vec())
}

/// Drops all caches of a world.
fn forget_all(world: &mut World) {
    let areas = &mut world.areas;
    areas.zones.clear();
    areas.inside_version = crate::version::Version::next();
    areas.removed = true;
    for state in world.bodies.values_mut() {
        state.prediction = super::super::state::Prediction::NOTHING;
    }
}

#[test]
fn what_is_known_and_saved_shows_in_nothing() {
    let (mut told, mut acted) = (0, 0);
    for seed in 0..12 {
        let mut random = Random(seed);
        let mut world = new_world(&mut random);
        let (mut twin, mut loaded) = (world.clone(), world.clone());
        let mut copied = world.clone();
        for tick in 0..200 {
            for _ in 0..random.below(3) {
                let Some(command) = random_command(&mut random, &world) else { continue };
                let done: Vec<_> =
                    [&mut world, &mut twin, &mut loaded].map(|world| world.apply(command.clone()).is_ok()).into();
                assert!(done[0] == done[1] && done[0] == done[2], "{command:?}");
            }
            copied.clone_from(&world);
            // Save and load also between the commands and the step.
            let bytes = loaded.capture().to_bytes();
            loaded.restore(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
            forget_all(&mut twin);
            [&mut world, &mut twin, &mut loaded, &mut copied].into_iter().for_each(World::step);
            let expected = state(&world);
            let (own, other) = (world.capture(), twin.capture());
            // Equal bytes are equal fields. The list of all fields is expensive.
            if own.to_bytes() != other.to_bytes() {
                let difference = own.first_difference(&other);
                assert!(difference.is_none(), "seed {seed}, tick {tick}: {difference:?} {:?}", world.areas.acting);
            }
            assert_eq!(state(&twin), expected, "seed {seed}, tick {tick}: one that knows nothing");
            assert_eq!(state(&loaded), expected, "seed {seed}, tick {tick}: one that was loaded");
            assert_eq!(state(&copied), expected, "seed {seed}, tick {tick}: a copy");
            told +=
                expected.1.iter().filter(|event| matches!(event.kind.name(), "area_entered" | "area_exited")).count();
            acted += world.areas.acting.len();
        }
    }
    assert!(told > 500 && acted > 2000, "{told} {acted}");
}

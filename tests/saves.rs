//! Every saved world can be read back: as bytes, as text and from a file, in every tick. It then continues as if it had
//! not been saved.
//!
//! `SUREFOOT_BODIES=5000 SUREFOOT_BODIES_SEED=1 cargo test --release -p surefoot-tests saves` runs that many seeds,
//! starting with the given one: about 1,000 body-steps each.

use crate::body_laws::seeds;
use crate::body_plans::{SECOND, body, shape, velocity};
use crate::body_soak::{area, platform};
use crate::leaps::random_character;
use crate::platform_plans::Plan;
use crate::prelude::*;
use std::path::PathBuf;
use surefoot::command::MAX_PAUSE_TICKS;

const TICKS: u64 = 100;

/// A character with random abilities, with a single ability, or a preset.
fn character(random: &mut Random) -> Character {
    let any = Character {
        climb_speed: random.pick(&[0.0, 4.0, 15.0]),
        swim_speed: random.pick(&[0.0, 4.0, 12.0]),
        swim_time: random.pick(&[0.0, 0.2]),
        float_speed: random.pick(&[0.0, 2.0]),
        max_push_mass: random.pick(&[0.0, 1.0, 5.0]),
        platform_velocity: random.pick(&[PlatformVelocity::All, PlatformVelocity::Upward, PlatformVelocity::None]),
        platform_velocity_grace: random.pick(&[0.0, 0.1, 1.0]),
        ..random_character(random)
    };
    match random.below(6) {
        0 => random.pick(&[Character::precise(), Character::floaty(), Character::heavy(), Character::classic()]),
        1 => {
            let (name, mut all, mut one) = (random.pick(&Character::FIELD_NAMES), any, Character::default());
            *one.field_mut(name).unwrap() = *all.field_mut(name).unwrap();
            if one.check().is_ok() { one } else { Character::precise() }
        }
        // This is the fastest possible character.
        2 if random.one_in(4) => {
            let fastest = 1e9;
            Character {
                walk_speed: fastest,
                ground_acceleration: fastest,
                uphill_speed_scale: 100.0,
                downhill_speed_scale: 100.0,
                ..any
            }
        }
        _ => any,
    }
}

/// Usually an ordinary velocity, sometimes the fastest possible.
fn any_velocity(random: &mut Random) -> DVec2 {
    if random.one_in(20) {
        let fastest = 1e9;
        return DVec2::new(random.pick(&[-fastest, 0.0, fastest]), random.pick(&[-fastest, fastest]));
    }
    velocity(random)
}

fn any_position(random: &mut Random) -> Position {
    if random.one_in(30) {
        let edge = f64::from(1 << 29) - 1.0;
        return position(random.pick(&[-edge, 0.0, edge]), random.pick(&[-edge, 0.0, edge]));
    }
    position(random.range(-6.0, 6.0), random.range(-6.0, 6.0))
}

fn any_body(random: &mut Random) -> Body {
    let mask = random.pick(&[CollisionLayers::NONE, CollisionLayers::FIRST, SECOND, CollisionLayers::ALL]);
    let body = Body { collision_mask: mask, ..body(random) };
    let layers = random.pick(&[CollisionLayers::FIRST, CollisionLayers::FIRST, SECOND, CollisionLayers(0b11)]);
    let body = Body { time_scale: random.pick(&[1.0, 1.0, 1.0, 0.3, 0.01, 0.0]), collision_layers: layers, ..body };
    let body = body.at(any_position(random)).velocity(any_velocity(random)).tag(random.next());
    match body.character {
        Some(_) => body.character(character(random)),
        None => Body { response: random.pick(&[body.response, body.response, Response::Pass]), ..body },
    }
}

/// The ids that a world has had.
#[derive(Clone, Default)]
struct WorldIds {
    bodies: Vec<BodyId>,
    platforms: Vec<PlatformId>,
    areas: Vec<AreaId>,
}

impl WorldIds {
    fn look(&mut self, world: &World) {
        let WorldIds { bodies, platforms, areas } = self;
        bodies.extend(world.bodies().map(|(id, _)| id).filter(|id| !bodies.contains(id)).collect::<Vec<_>>());
        platforms.extend(world.platforms().map(|(id, _)| id).filter(|id| !platforms.contains(id)).collect::<Vec<_>>());
        areas.extend(world.areas().map(|(id, _)| id).filter(|id| !areas.contains(id)).collect::<Vec<_>>());
    }
}

/// Any command. Worlds reject some of them.
fn command(world: &World, known: &WorldIds, random: &mut Random) -> Command {
    let body = |random: &mut Random| random.pick(&known.bodies);
    let a_platform = |random: &mut Random| {
        if known.platforms.is_empty() { PlatformId::default() } else { random.pick(&known.platforms) }
    };
    let an_area =
        |random: &mut Random| if known.areas.is_empty() { AreaId::default() } else { random.pick(&known.areas) };
    let tile = |random: &mut Random| (random.between(-7, 6) as i32, random.between(-7, 6) as i32);
    let kind = |random: &mut Random| TileId(random.index(world.map().kinds().len()) as u16);
    let ticks = |random: &mut Random| random.pick(&[0, 1, 2, 5, 20, MAX_PAUSE_TICKS]);
    let layers = [CollisionLayers::NONE, CollisionLayers::FIRST, SECOND, CollisionLayers::ALL];
    match random.below(31) {
        0 | 1 if world.bodies().count() < 16 => Command::Spawn(Box::new(any_body(random))),
        2 if world.bodies().count() > 6 => Command::Despawn(body(random)),
        3 => Command::SetVelocity(body(random), any_velocity(random)),
        4 => Command::AddVelocity(body(random), any_velocity(random)),
        5 => Command::Teleport(body(random), any_position(random)),
        6 => Command::SetTile { layer: 0, tile: tile(random), tile_id: kind(random) },
        7 => {
            let (x, y) = tile(random);
            Command::SetTiles { layer: 0, from: (x, y), to: (x + 2, y), tile_id: TileId::EMPTY }
        }
        8 | 9 => Command::SetCharacter(body(random), Box::new(character(random))),
        10 | 11 => Command::SetBody(body(random), Box::new(any_body(random))),
        12 if random.one_in(2) => Command::SetShapeFromTop(body(random), shape(random)),
        12 => Command::SetShape(body(random), shape(random)),
        13 | 14 => Command::HitStop(body(random), ticks(random)),
        15 => Command::Knockback(body(random), any_velocity(random), ticks(random)),
        16 => Command::SetFacing(body(random), random.pick(&[Facing::Left, Facing::Unset, Facing::Right])),
        17 if random.one_in(2) => {
            let ups = [Up::PlusY, Up::MinusX, Up::MinusY, Up::PlusX].map(Some);
            Command::SetUp(body(random), random.pick(&[None, ups[0], ups[1], ups[2], ups[3]]))
        }
        17 => Command::MoveBy(body(random), DVec2::new(random.range(-2.0, 2.0), random.range(-2.0, 2.0))),
        18 => Command::SetCollisionLayers(body(random), random.pick(&layers[1..3])),
        19 => Command::SetCollisionMask(body(random), random.pick(&layers)),
        20 => Command::Grab(body(random), body(random)),
        21 => {
            let offset = DVec2::new(random.range(-1.5, 1.5), random.range(-1.5, 1.5));
            Command::Carry(body(random), body(random), if random.one_in(8) { offset * 600.0 } else { offset })
        }
        22 => {
            let held = world.held_bodies().next().map_or_else(|| body(random), |grip| grip.body);
            Command::Release(held, any_velocity(random))
        }
        23 if world.platforms().count() < 6 => {
            let mut made = platform(world.map(), random);
            made.on_ride = random.pick(&[
                OnRide::Nothing,
                OnRide::Start,
                OnRide::Fall { delay: 0.05, respawn_time: Some(0.2) },
                OnRide::Crumble { delay: 0.05, respawn_time: None },
            ]);
            made.attached_to =
                world.platforms().next().map_or_else(String::new, |(_, first)| first.platform().name.clone());
            Command::SpawnPlatform(Box::new(made))
        }
        24 if random.one_in(4) => Command::DespawnPlatform(a_platform(random)),
        24 => Command::TeleportPlatform(a_platform(random), any_position(random)),
        25 => {
            let id = a_platform(random);
            let at = world.platform(id).map_or(Position::ORIGIN, |state| state.position());
            let most = random.pick(&[1.0, 250.0]);
            let way = DVec2::new(random.range(-most, most), random.range(-most, most));
            let to = at.to_dvec2() + way;
            Command::DrivePlatform(id, Position::new(to.x, to.y).unwrap_or(at))
        }
        26 => {
            let id = a_platform(random);
            if random.one_in(2) { Command::ResumePlatform(id) } else { Command::PausePlatform(id) }
        }
        27 => {
            let (platform, tile) = (a_platform(random), (random.between(-1, 1) as i32, random.between(-1, 1) as i32));
            Command::SetPlatformTile { platform, layer: 0, tile, tile_id: kind(random) }
        }
        28 if world.areas().count() < 5 => Command::SpawnArea(Box::new(area(&known.bodies, random))),
        29 => match random.below(3) {
            0 => Command::DespawnArea(an_area(random)),
            1 => Command::MoveArea(an_area(random), any_position(random)),
            _ => Command::SetArea(an_area(random), Box::new(area(&known.bodies, random))),
        },
        _ => {
            let walk = random.pick(&[-127, -127, -50, 0, 127, 127]);
            let [jump, down, up, dash] = [2, 8, 3, 4].map(|times| random.one_in(times));
            Command::SetInput(body(random), Input { walk, jump, down, up, dash })
        }
    }
}

/// A file that is removed on drop.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Writes a snapshot in one of three forms, and reads it back.
fn read_back(saved: &Snapshot, way: u64, file: &Temporary) -> Result<Snapshot, String> {
    match way % 20 {
        15 => {
            saved.save(&file.0).map_err(|error| error.to_string())?;
            Snapshot::load(&file.0).map_err(|error| error.to_string())
        }
        0 | 5 | 10 => Snapshot::from_ron(&saved.to_ron().unwrap()).map_err(|error| error.to_string()),
        _ => Snapshot::from_bytes(&saved.to_bytes()).map_err(|error| error.to_string()),
    }
}

/// Runs the world of a seed. After every tick, reads back a copy and steps it alongside. Returns the first difference.
fn first_difference(seed: u64, file: &Temporary) -> Option<String> {
    let mut random = Random(mix(seed ^ 0x5AFE));
    let plan = Plan::of_seed(seed);
    let symmetry = Symmetry::all().nth(random.index(8)).unwrap();
    let settings = symmetry.settings().tick(random.pick(&[1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0]));
    let mut world = World::new(plan.map(symmetry, (0, 0)), settings);
    let begun = world.clone();
    let ids = plan.fill(&mut world, symmetry, (0, 0), false);
    for id in &ids {
        if world[*id].character().is_some() {
            world.set_character(*id, character(&mut random)).unwrap();
        }
    }
    for _ in 0..random.below(4) {
        let _ = world.spawn(any_body(&mut random));
    }
    let mut known = WorldIds::default();
    for tick in 0..TICKS {
        known.look(&world);
        let saved = world.capture();
        let read = match read_back(&saved, seed + tick, file) {
            Ok(read) => read,
            Err(error) => return Some(format!("tick {tick}: {error}")),
        };
        if let Some(difference) = saved.first_difference(&read) {
            return Some(format!("tick {tick}: what was read differs: {difference:?}"));
        }
        // Loading bakes the platforms, which takes most of the time.
        let is_loaded = (seed + tick).is_multiple_of(5);
        let mut other = if is_loaded { begun.clone() } else { world.clone() };
        if is_loaded && let Err(error) = other.restore(&read) {
            return Some(format!("tick {tick}: it is not loaded: {error}"));
        }
        if other.checksum() != world.checksum() {
            return Some(format!("tick {tick}: the checksums differ"));
        }
        for _ in 0..random.below(4) {
            let command = command(&world, &known, &mut random);
            let [one, two] = [&mut world, &mut other].map(|world| world.apply(command.clone()));
            if one != two {
                return Some(format!("tick {tick}: {command:?} is answered {two:?} and not {one:?}"));
            }
        }
        // A snapshot may also be taken between commands.
        if random.one_in(4)
            && let Err(error) = Snapshot::from_bytes(&world.capture().to_bytes())
        {
            return Some(format!("tick {tick}, after its commands: {error}"));
        }
        world.step();
        other.step();
        if let Some(difference) = world.capture().first_difference(&other.capture()) {
            return Some(format!("tick {tick}: it goes on otherwise: {difference:?}"));
        }
    }
    None
}

#[test]
fn every_saved_world_reads_back() {
    let name = format!("surefoot-saves-{}.snapshot", std::process::id());
    let file = Temporary(std::env::temp_dir().join(name));
    let broken = seeds(2, 31_001).filter_map(|seed| Some(format!("seed {seed}, {}", first_difference(seed, &file)?)));
    let broken: Vec<String> = broken.collect();
    assert!(broken.is_empty(), "{} worlds:\n{}", broken.len(), broken.join("\n"));
}

/// A character without wall coyote time jumps off a wall, next to a character with air jumps.
#[test]
fn a_wall_jump_beside_another_character_is_read_back() {
    let file = Temporary(std::env::temp_dir().join(format!("surefoot-wall-jump-{}.snapshot", std::process::id())));
    let others = [
        Character { air_jumps: 1, ..Character::default() },
        Character { dash_speed: 10.0, dash_time: 0.1, ..Character::default() },
        Character { wall_coyote_time: 0.1, ..Character::default() },
        Character { climb_speed: 3.0, ..Character::default() },
        Character { swim_speed: 3.0, ..Character::default() },
    ];
    for other in others {
        let rows = ["#.......#", "#.......#", "#.......#", "#.......#", "#.......#", "#########"];
        let mut world = World::new(surefoot::Map::from_rows(rows).unwrap(), Settings::default());
        let body = |x: f64| Body::new(Shape::aabb(0.35, 0.45)).at((x, 1.45));
        let hero = world.spawn(body(1.6).character(Character::precise())).unwrap();
        world.spawn(body(6.0).character(other)).unwrap();
        let mut jumps = 0;
        for tick in 0..90 {
            let walk = if tick < 20 { -127 } else { 0 };
            world.set_input(hero, Input { walk, jump: tick % 15 != 0, ..Input::default() });
            let speed = world[hero].velocity().x;
            world.step();
            jumps += u32::from(!world[hero].on_floor() && speed <= 0.0 && world[hero].velocity().x > 10.0);
            for way in [0, 1, 15] {
                let read = read_back(&world.capture(), way, &file).unwrap_or_else(|error| panic!("{tick}: {error}"));
                world.restore(&read).unwrap();
            }
        }
        assert!(jumps > 0, "it jumps off the wall");
    }
}

/// Hit stop freezes a body in the tick in which its floor disappears: it will be in the air one tick later.
#[test]
fn a_body_that_is_stopped_as_its_floor_goes_is_read_back() {
    for ticks in [1, 2, 5] {
        let mut world = World::new(surefoot::Map::from_rows(["...", "...", "==="]).unwrap(), Settings::default());
        let crouching = Character { coyote_time: 0.1, ..Character::default() };
        let body = Body::new(Shape::aabb(0.35, 0.45)).at((1.5, 1.45)).character(crouching);
        let hero = world.spawn(body).unwrap();
        (0..3).for_each(|_| world.step());
        world.set_tiles(0, (0, 0), (2, 0), TileId::EMPTY).unwrap();
        world.hit_stop(hero, ticks).unwrap();
        for tick in 0..8 {
            world.step();
            let saved = world.capture();
            let read =
                Snapshot::from_bytes(&saved.to_bytes()).unwrap_or_else(|error| panic!("{ticks} {tick}: {error}"));
            world.restore(&read).unwrap();
            if tick == 0 {
                // The time scale of the hero changes during hit stop.
                let slow = world[hero].body().clone().time_scale(0.5);
                world.clone().set_body(hero, slow).unwrap();
            }
        }
    }
}

/// A saved velocity is relative to the world: relative to a platform it may exceed the speed limit of bodies.
#[test]
fn the_fastest_bodies_are_read_back() {
    for (velocity, walk) in [((1e9, 0.0), 0), ((-1e9, -1e9), 0), ((0.0, 0.0), 127), ((0.0, 0.0), -127)] {
        let map = surefoot::Map::from_rows(["........", "........", "........", "########"]).unwrap();
        let belt = Platform::from_rows(&map, ["##"]).unwrap().at((2.0, 1.0));
        let points = [(0.0, 0.0), (1.5, 0.0)].map(|(x, y)| position(x, y)).into();
        let belt = belt.path(Path { points, timing: PathTiming::Speed(5.0), ..Path::default() });
        let mut world = World::new(map, Settings::default());
        world.spawn_platform(belt).unwrap();
        let fast = Character {
            walk_speed: 1e9,
            ground_acceleration: 1e9,
            uphill_speed_scale: 100.0,
            downhill_speed_scale: 100.0,
            ..Character::default()
        };
        let body = Body::new(Shape::aabb(0.25, 0.25)).at((3.0, 2.25)).character(fast);
        let hero = world.spawn(body).unwrap();
        let crate_ = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((5.0, 3.0))).unwrap();
        (0..5).for_each(|_| world.step());
        if walk == 0 {
            world.set_velocity(hero, velocity).unwrap();
        }
        world.set_input(hero, Input { walk, ..Input::default() });
        for tick in 0..10 {
            let read = Snapshot::from_bytes(&world.capture().to_bytes());
            let read = read.unwrap_or_else(|error| panic!("{velocity:?} {walk} {tick}: {error}"));
            world.restore(&read).unwrap();
            if tick == 4 {
                let _ = world.carry(hero, crate_, (0.0, 0.5));
            }
            world.step();
        }
    }
}

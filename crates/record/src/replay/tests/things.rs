//! Areas and platforms that code spawns, in replays.

use super::*;
use crate::area::{Area, AreaId, AreaShape, AttachedTo, Boxes, Effects};
use crate::body::{Body, Character};
use crate::command::Command;
use crate::event::{BodyId, Event, EventKind};
use crate::map::{TileId, TileLayer};
use crate::motion::{Shape, Up};
use crate::platform::{CirclePath, Easing, OnCrush, OnRide, Path, PathTiming, Platform, PlatformId, Repeat};
use crate::record::{Recorder, RecorderError, TickComparison};
use crate::testing::Random;
use glam::DVec2;
use surefoot_geometry::{Aabb, Capsule, ConvexPolygon, Obb, Position, Triangle};

/// Platforms and areas with and without names; the first area of each kind has none.
const MAP: &str = r###"Map(format: 1, collision_layers: ["hero", "crate"], tiles: [
    "............",
    "............",
    "............",
    "..........#.",
    "============",
], platforms: [
    (tiles: ["=="], at: (2, 2), motion: Path(points: [(0, 0), (3, 0)], speed: 3.0)),
    (name: "lift", tiles: ["=#"], at: (7, 1), motion: Path(points: [(0, 0), (0, 2)], period: 1.0)),
], areas: [
    (shape: Circle(1.0), at: (3, 2), effects: (wind: (0, 9))),
    (name: "pond", shape: Aabb(2.0, 1.0), at: (6, 1), effects: (drag: 2.0)),
    (name: "fan", shape: Circle(1.0), at: (0, 1), attached_to: "lift", effects: (wind: (3, 0))),
])"###;

fn map() -> Map {
    Map::from_ron(MAP).unwrap()
}

/// Records `ticks` ticks of a run, writes it, reads it and plays it: each tick must have the recorded checksums and
/// events. Returns the text.
fn check(mut world: World, ticks: u64, mut act: impl FnMut(&mut World, u64)) -> String {
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 1).unwrap();
    let mut told: Vec<Vec<Event>> = Vec::new();
    for tick in 0..ticks {
        act(&mut world, tick);
        world.step();
        recorder.record_tick(&world).unwrap();
        told.push(world.events().to_vec());
    }
    let replay = recorder.finish_replay(&world).unwrap_or_else(|error| panic!("{error}"));
    let text = replay.to_ron();
    let read = Replay::from_ron(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert_eq!(read, replay, "{text}");
    assert_eq!(read.to_ron(), text);
    let mut player = Playback::new(&read);
    for (tick, events) in told.iter().enumerate() {
        assert_eq!(player.step(), Some(TickComparison::Matches), "tick {tick} of\n{text}");
        assert_eq!(player.world().events(), events, "tick {tick} of\n{text}");
    }
    assert_eq!(player.step(), None);
    text
}

fn coin(x: f64) -> Area {
    Area::new(AreaShape::circle(0.35).unwrap()).tag("coin").at((x, 1.5))
}

/// A game that places coins by code, and takes each one that its hero reaches.
#[test]
fn coins_of_a_game_are_in_its_replay() {
    let mut world = World::new(Map::from_rows(["........", "........", "========"]).unwrap(), Settings::default());
    let hero = world.spawn(Body::new(Shape::aabb(0.3, 0.4)).at((1.0, 1.4)).character(Character::default())).unwrap();
    let mut taken = 0;
    let text = check(world, 120, |world, tick| {
        if tick == 0 {
            for x in [2.5, 4.5, 6.5] {
                world.spawn_area(coin(x)).unwrap();
            }
        }
        let entered: Vec<AreaId> = world
            .events()
            .iter()
            .filter_map(|event| if let EventKind::AreaEntered { area } = event.kind { Some(area) } else { None })
            .collect();
        for coin in entered {
            world.despawn_area(coin).unwrap();
            taken += 1;
        }
        world.set_input(hero, Input::walk(1.0));
    });
    assert_eq!(taken, 3);
    for words in [
        r#"(tick: 0, do: SpawnArea(Area(name: "area 1", tag: "coin", shape: Circle(0.35), at: (2.5, 1.5)))),"#,
        r#"do: DespawnArea("area 3"))"#,
    ] {
        assert!(text.contains(words), "{words} in\n{text}");
    }
}

/// The hero must have walked to the crate before it can pull it. The replay is made without stepping a world.
#[test]
fn commands_that_depend_on_positions_are_in_a_replay() {
    let rows = ["..###...", "........", "========"];
    let mut world = World::new(Map::from_rows(rows).unwrap(), Settings::default());
    let (upright, low) = (Shape::aabb(0.25, 0.5), Shape::aabb(0.25, 0.25));
    let all = crate::map::CollisionLayers::ALL;
    let hero = Body::new(low).at((2.5, 1.25)).character(Character::default()).collision_mask(all);
    let hero = world.spawn(hero).unwrap();
    let crate_ = world.spawn(Body::new(Shape::aabb(0.4, 0.4)).at((6.6, 1.4)).collision_mask(all)).unwrap();
    let mut pulls = false;
    let text = check(world, 200, |world, tick| {
        world.set_input(hero, Input::walk(if pulls { -1.0 } else { 1.0 }));
        if !pulls && world.grab(hero, crate_).is_ok() {
            pulls = true;
        } else if pulls && tick == 190 {
            world.release(crate_, (0.0, 0.0)).unwrap();
            world.set_shape(hero, upright).unwrap();
        }
    });
    assert!(pulls && text.contains("do: Grab(\"body_1\", \"body_2\"))") && text.contains("do: Release("), "{text}");
}

#[test]
fn things_without_names_get_numbers_that_are_free() {
    let text = check(World::new(map(), Settings::default()), 12, |world, tick| {
        let areas: Vec<AreaId> = world.areas().map(|(id, _)| id).collect();
        let platforms: Vec<PlatformId> = world.platforms().map(|(id, _)| id).collect();
        match tick {
            // The fourth area of the run takes the name `area 5`, so the unnamed fifth area gets another number.
            1 => _ = world.spawn_area(coin(1.0).name("area 5")).unwrap(),
            2 => _ = world.spawn_area(coin(2.0)).unwrap(),
            3 => world.move_area(areas[0], (4.0, 2.0)).unwrap(),
            4 => world.set_area(areas[4], coin(3.0).attached_to(AttachedTo::Platform(platforms[0]))).unwrap(),
            5 => world.pause_platform(platforms[0]).unwrap(),
            6 => _ = world.spawn_platform(Platform::from_rows(world.map(), ["=="]).unwrap().at((1.0, 3.0))).unwrap(),
            7 => world.set_platform_tile(platforms[2], 0, (0, 0), TileId::EMPTY).unwrap(),
            // The fifth area is attached to this platform, and is despawned with it.
            8 => world.despawn_platform(platforms[0]).unwrap(),
            9 => _ = world.spawn_area(coin(5.0)).unwrap(),
            10 => world.despawn_area(areas[areas.len() - 1]).unwrap(),
            11 => world.set_area(areas[0], coin(1.0)).unwrap(),
            _ => {}
        }
    });
    for words in [
        r#"(tick: 3, do: MoveArea("area 1", At(4, 2)))"#,
        r#"(tick: 2, do: SpawnArea(Area(name: "area 6", "#,
        r#"(tick: 4, do: SetArea("area 6", Area(name: "area 6", tag: "coin", shape: Circle(0.35), at: (3, 1.5), attached_to: "platform 1")))"#,
        r#"(tick: 5, do: PausePlatform("platform 1"))"#,
        "(tick: 6, do: SpawnPlatform(Platform(\n            name: \"platform 3\",\n            at: (1, 3),\n            tiles: [\n                r\"==\",\n            ],\n        ))),",
        r#"(tick: 7, do: SetPlatformTile("platform 3", (0, 0), "."))"#,
        r#"(tick: 9, do: SpawnArea(Area(name: "area 7", "#,
        r#"(tick: 11, do: SetArea("area 1", Area(name: "area 1", "#,
    ] {
        assert!(text.replace(".0", "").contains(&words.replace(".0", "")), "{words} in\n{text}");
    }
}

/// The game itself has an area with the name that the replay gave to the first area of the map.
#[test]
fn a_thing_whose_name_is_taken_has_no_commands() {
    let run = |act: &dyn Fn(&mut World, AreaId, PlatformId)| {
        let mut world = World::new(map(), Settings::default());
        let (area, platform) = (world.areas().next().unwrap().0, world.platforms().next().unwrap().0);
        world.spawn_area(coin(1.0).name("area 1")).unwrap();
        world.spawn_platform(Platform::from_rows(world.map(), ["="]).unwrap().name("platform 1")).unwrap();
        let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 0).unwrap();
        act(&mut world, area, platform);
        world.step();
        let Err(RecorderError::Replay { error }) = recorder.record_tick(&world) else { panic!("it is recorded") };
        assert_eq!(recorder.finish_replay(&world).unwrap().ticks(), 0);
        *error
    };
    let error = run(&|world, area, _| world.despawn_area(area).unwrap());
    assert!(matches!(error, ToReplayError::NamelessArea { tick: 0 }), "{error}");
    let error = run(&|world, _, platform| world.pause_platform(platform).unwrap());
    assert!(matches!(error, ToReplayError::NamelessPlatform { tick: 0 }), "{error}");
    let error = run(&|world, area, platform| {
        world.set_area(area, coin(1.0).attached_to(AttachedTo::Platform(platform))).unwrap();
    });
    assert!(matches!(error, ToReplayError::NamelessPlatform { tick: 0 }), "{error}");
}

/// Everything that a random run needs to spawn and to change.
struct Picker<'a> {
    random: &'a mut Random,
    bodies: Vec<BodyId>,
}

impl Picker<'_> {
    fn place(&mut self) -> DVec2 {
        DVec2::new(self.random.range(0.0, 12.0), self.random.range(0.5, 5.0))
    }

    fn size(&mut self) -> f64 {
        self.random.range(0.1, 2.0)
    }

    fn name(&mut self, names: &[&str]) -> String {
        if self.random.one_in(2) { String::new() } else { self.random.pick(names).to_owned() }
    }

    fn shape(&mut self) -> AreaShape {
        let (a, b) = (self.size(), self.size());
        let at = self.place() - DVec2::new(6.0, 2.5);
        match self.random.below(8) {
            0 => AreaShape::circle(a).unwrap(),
            1 => AreaShape::aabb(a, b).unwrap(),
            2 => Aabb::new(at, at + DVec2::new(a, b)).unwrap().into(),
            3 => Obb::new(at, DVec2::new(a, b), DVec2::new(b, -a)).unwrap().into(),
            4 => Capsule::new(at, at + DVec2::new(a, b), b).unwrap().into(),
            6 => Boxes::new([(0.0, 0.0), (a, -b)].map(|by| {
                let low = at + DVec2::from(by);
                Aabb::new(low, low + DVec2::new(a, b)).unwrap()
            }))
            .into(),
            5 => Triangle::new([at, at + DVec2::new(a, 0.1), at + DVec2::new(0.1, b)]).unwrap().into(),
            _ => ConvexPolygon::new(&[at, at + DVec2::new(a, 0.0), at + DVec2::new(a, b), at + DVec2::new(0.0, b)])
                .unwrap()
                .into(),
        }
    }

    fn effects(&mut self) -> Effects {
        let mut some = |least: f64, most: f64| {
            if self.random.one_in(4) { Some(self.random.range(least, most)) } else { None }
        };
        Effects {
            gravity: some(-9.0, 9.0).map(|x| DVec2::new(x, -x)),
            gravity_scale: some(0.0, 2.0),
            drag: some(0.0, 5.0),
            buoyancy: some(0.0, 3.0),
            wind: some(-20.0, 20.0).map(|x| DVec2::new(x, 0.1)),
            ground_wind: some(-20.0, 20.0).map(|x| DVec2::new(x, 0.1)),
            up: some(0.0, 1.0).map(|x| if x > 0.5 { Up::MinusY } else { Up::PlusX }),
            speed_scale: some(0.1, 2.0),
            climbable: some(0.0, 1.0).map(|x| x > 0.5),
        }
    }

    fn area(&mut self, world: &World) -> Area {
        let carrier = match self.random.below(6) {
            0 => AttachedTo::Named("lift".to_owned()),
            1 => world.platforms().last().map_or(AttachedTo::World, |(id, _)| AttachedTo::Platform(id)),
            2 if !self.bodies.is_empty() => AttachedTo::Body(self.random.pick(&self.bodies)),
            3 => AttachedTo::Named("raft".to_owned()),
            _ => AttachedTo::World,
        };
        let mut area = Area::new(self.shape()).at(self.place()).effects(self.effects()).attached_to(carrier);
        area.name = self.name(&["pond", "a \"b\"", "area 4", "area 5"]);
        area.tag = self.name(&["coin", "w\\ater"]);
        if self.random.one_in(3) {
            area.collision_mask = world.map().collision_layers_named([self.random.pick(&["hero", "crate"])]).unwrap();
        }
        area.priority(self.random.between(-2, 2) as i32)
    }

    fn platform(&mut self, world: &World) -> Platform {
        let rows: [&[&str]; 4] = [&["=="], &["#", "."], &["-/#"], &["..", "#="]];
        let mut platform = Platform::from_rows(world.map(), self.random.pick(&rows)).unwrap().at(self.place());
        if self.random.one_in(4) {
            let tiles = vec![self.random.pick(&[TileId::EMPTY, TileId(1)])];
            let far = (self.random.between(-3, 3) as i32, 2);
            let layer = TileLayer { cells: tiles, origin: far, collides: false, ..TileLayer::new("back", 1, 1) };
            platform.layers.push(layer);
        }
        let unit = |x: f64, y: f64| Position::new(x, y).unwrap();
        let timing = match self.random.below(2) {
            0 => PathTiming::Speed(self.size()),
            _ => PathTiming::Period(self.random.range(0.5, 3.0)),
        };
        let phase = self.random.range(0.0, 1.0);
        platform = match self.random.below(3) {
            0 => platform,
            1 => platform.circle(CirclePath { radius: self.size(), timing, clockwise: phase < 0.5, phase }),
            _ => platform.path(Path {
                points: vec![unit(0.0, 0.0), unit(self.size(), 0.1), unit(0.3, self.size())],
                timing,
                repeat: self.random.pick(&[Repeat::Once, Repeat::Loop, Repeat::PingPong]),
                easing: self.random.pick(&[Easing::Linear, Easing::Smooth]),
                wait: self.random.pick(&[0.0, 0.05]),
                phase,
            }),
        };
        let delay = self.random.range(0.0, 0.2);
        let respawn_time = self.random.pick(&[None, Some(0.1)]);
        platform.on_ride = self.random.pick(&[OnRide::Nothing, OnRide::Start, OnRide::Fall { delay, respawn_time }]);
        platform.on_crush = self.random.pick(&[OnCrush::Stop, OnCrush::PassThrough]);
        platform.name = self.name(&["raft", "platform 3", "platform 4", "lift"]);
        platform.attached_to = if self.random.one_in(3) { "lift".to_owned() } else { String::new() };
        platform
    }

    /// Gives a random command to the world, which may refuse it.
    fn act(&mut self, world: &mut World) {
        let areas: Vec<AreaId> = world.areas().map(|(id, _)| id).collect();
        let platforms: Vec<PlatformId> = world.platforms().map(|(id, _)| id).collect();
        let area = if areas.is_empty() { AreaId::default() } else { self.random.pick(&areas) };
        let platform = if platforms.is_empty() { PlatformId::default() } else { self.random.pick(&platforms) };
        let to = Position::try_from(self.place()).unwrap();
        let command = match self.random.below(16) {
            0..4 => Command::SpawnArea(Box::new(self.area(world))),
            4 | 5 => Command::SetArea(area, Box::new(self.area(world))),
            6 => Command::DespawnArea(area),
            7 => Command::MoveArea(area, to),
            8 | 9 => Command::SpawnPlatform(Box::new(self.platform(world))),
            10 => Command::DespawnPlatform(platform),
            11 => Command::DrivePlatform(platform, to),
            12 => Command::TeleportPlatform(platform, to),
            13 => {
                let tile_id = TileId(self.random.below(4) as u16);
                let layer = self.random.index(2);
                Command::SetPlatformTile { platform, layer, tile: (self.random.index(2) as i32, 0), tile_id }
            }
            14 if self.bodies.len() > 2 => Command::Despawn(self.bodies.remove(0)),
            _ => {
                let hero = Body::new(Shape::aabb(0.3, 0.4)).at(self.place()).character(Character::default());
                self.bodies.push(world.spawn(hero).unwrap());
                return;
            }
        };
        let _ = world.apply(command);
    }
}

/// Runs with random areas and platforms are written, read and played. Equal checksums in each tick need equal ids, so
/// that the order in which carriers take their areas along is tested too.
#[test]
fn random_areas_and_platforms_play_back_as_recorded() {
    let mut words = std::collections::BTreeMap::<&str, usize>::new();
    for seed in 0..200 {
        let random = &mut Random(seed + 1);
        let settings = Settings::default().tick(if seed % 2 == 0 { 1.0 / 60.0 } else { 0.01 });
        let mut picker = Picker { random, bodies: Vec::new() };
        let mut world = World::new(map(), settings);
        (0..picker.random.below(3)).for_each(|_| picker.act(&mut world));
        let text = check(world, 40, |world, _| {
            (0..picker.random.below(4)).for_each(|_| picker.act(world));
        });
        for word in ["SpawnArea", "SetArea", "SpawnPlatform", "attached_to: Body(", "attached_to: \"platform", "back\""]
        {
            *words.entry(word).or_default() += text.matches(word).count();
        }
    }
    assert!(words.values().all(|count| *count > 50), "{words:?}");
}

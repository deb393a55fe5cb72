//! Random commands, from fixed seeds.

use crate::run::{Play, Run};
use crate::scene::map;
use crate::scenes::Noise;
use surefoot::platform::PlatformId;
use surefoot::prelude::*;
use surefoot::{Input, Map, World};
use surefoot_random::Random;

/// Ticks of each storm; there are six.
const TICKS: u64 = 20_000;

/// The most bodies at a time.
const BODIES: u64 = 12;

pub(crate) fn all() -> Vec<Run> {
    let closed = "border: (left: Solid, right: Solid, bottom: Solid, top: Solid)";
    let turned = |up: Up, gravity: (f64, f64)| Settings::default().up(up).gravity(gravity);
    vec![
        Run::new("storm_in_a_cave", move || Storm::new(1, World::new(noise(1, 8, closed), Settings::default()))),
        Run::new("storm_in_a_maze", move || Storm::new(2, World::new(noise(2, 2, closed), Settings::default()))),
        Run::new("storm_turned", move || {
            Storm::new(3, World::new(noise(3, 5, closed), turned(Up::MinusX, (17.3, -23.9))))
        }),
        Run::new("storm_on_an_island", move || {
            Storm::new(4, World::new(noise(4, 4, "border: (bottom: Solid)"), turned(Up::PlusY, (0.0, -21.7))))
        }),
        Run::new("storm_among_platforms", move || {
            Storm::new(6, World::new(noise(6, 12, &format!("{closed}, {PLATFORMS}")), Settings::default()))
        }),
        Run::new("storm_without_end", || Storm::new(5, Noise::world(5, Settings::default()))),
    ]
}

/// Platforms of every motion: paths, circles, attached, ridden, of ledges and of slopes.
const PLATFORMS: &str = r####"platforms: [
    (at: (2, 3), motion: Path(points: [(0, 0), (9, 0), (9, 7)], speed: 3.0, easing: Smooth), tiles: ["=="]),
    (at: (14, 2), motion: Path(points: [(0, 0), (0, 11)], speed: 11.0, repeat: Loop), tiles: ["###"]),
    (name: "wheel", at: (18, 8), motion: Circle(radius: 3.1, period: 4.3), tiles: ["/\\"]),
    (at: (19, 10), attached_to: "wheel", tiles: ["--"]),
    (at: (8, 12), motion: Path(points: [(0, 0), (5, 2)], period: 2.7, repeat: Once), on_ride: Start, tiles: ["#.#", "###"]),
    (at: (4, 9), on_ride: Fall(delay: 0.3), tiles: ["##"]),
    (at: (24, 6), on_ride: Crumble(delay: 0.2, respawn_time: 1.5), tiles: ["==="]),
    (at: (22, 12), motion: Path(points: [(0, 0), (-6, -5)], speed: 23.0, phase: 0.4), tiles: ["##", "##"]),
]"####;

/// The room's size in tiles.
const SIZE: (i32, i32) = (28, 18);

/// A map on which one cell in so many is something.
fn noise(seed: u64, one_in: u64, fields: &str) -> Map {
    let empty = map(&["."], "");
    // In the order of the kinds.
    let mut legend: Vec<(TileId, char)> = empty.symbols().iter().map(|(&letter, &id)| (id, letter)).collect();
    legend.sort_unstable();
    let mut random = Random(seed);
    let mut cell = || if random.one_in(one_in) { random.pick(&legend).1 } else { '.' };
    let rows: Vec<String> = (0..SIZE.1).map(|_| (0..SIZE.0).map(|_| cell()).collect()).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    map(&rows, fields)
}

/// A world to which anything is done at random that may be done to one.
struct Storm {
    world: World,
    random: Random,
}

impl Storm {
    fn new(seed: u64, world: World) -> Storm {
        Storm { world, random: Random(seed << 32) }
    }

    /// What is refused is refused everywhere.
    fn command(&mut self) {
        let Storm { world, random } = self;
        if world.platforms().next().is_some() && random.one_in(6) {
            return command_platform(world, random);
        }
        let count = world.bodies().count() as u64;
        let body = world.bodies().nth(random.below(count.max(1)) as usize).map(|(id, _)| id);
        let Some(body) = body.filter(|_| count >= BODIES || !random.one_in(8)) else {
            if count < BODIES {
                let _ = world.spawn(body_at_random(random));
            }
            return;
        };
        let _ = match random.below(20) {
            0 | 1 => world.despawn(body),
            2 | 3 => {
                let to = somewhere(random);
                world.teleport(body, to)
            }
            4 | 5 => {
                let velocity = velocity(random);
                world.set_velocity(body, velocity)
            }
            6..9 => {
                let entry = TileId(random.below(world.map().kinds().len() as u64) as u16);
                let (x, y) = (random.below(SIZE.0 as u64) as i32, random.below(SIZE.1 as u64) as i32);
                match random.below(4) {
                    // Now and then a hole, or all would be full in the end.
                    0 => world.set_tiles(0, (x, y), (x - 4, y + 3), TileId::EMPTY),
                    1 => world.set_tiles(0, (x, y), (x + 2, y), entry),
                    _ => world.set_tile(0, (x, y), entry),
                }
            }
            _ => {
                let walk = random.pick(&[-127, -60, 0, 31, 127, -128]);
                let [jump, down, up] = [3, 6, 9].map(|times| random.one_in(times));
                world.set_input(body, Input { walk, jump, down, up, ..Input::default() });
                Ok(())
            }
        };
    }
}

/// Does something to a platform; one that was removed comes again as another one, so that there are always some.
fn command_platform(world: &mut World, random: &mut Random) {
    let all: Vec<PlatformId> = world.platforms().map(|(id, _)| id).collect();
    let platform = random.pick(&all);
    let _ = match random.below(8) {
        0 => {
            let to = somewhere(random);
            world.teleport_platform(platform, to)
        }
        1..4 => {
            let [x, y] = [0, 0].map(|_| random.range(-0.5, 0.5));
            let to = world.platform(platform).map(|state| state.position().to_dvec2());
            to.map_or(Ok(()), |to| world.drive_platform(platform, (to.x + x, to.y + y)))
        }
        4 if random.one_in(2) => world.resume_platform(platform),
        4 => world.pause_platform(platform),
        5 => {
            let known = world.map().platforms();
            let other = known[random.index(known.len())].clone();
            world.spawn_platform(other).and_then(|_| world.despawn_platform(platform))
        }
        _ => {
            let kind = TileId(random.below(world.map().kinds().len() as u64) as u16);
            let tile = (random.below(3) as i32, random.below(2) as i32);
            world.set_platform_tile(platform, 0, tile, kind)
        }
    };
}

/// Characters half of the time; boxes and circles.
fn body_at_random(random: &mut Random) -> Body {
    let size = random.range(0.05, 0.6);
    let shape = if random.one_in(2) { Shape::circle(size) } else { Shape::aabb(size, random.range(0.05, 0.9)) };
    let body =
        Body::new(shape).at(somewhere(random)).velocity(velocity(random)).rest_speed_threshold(random.range(0.0, 0.5));
    match random.below(8) {
        0..4 => {
            let jump_height = random.range(0.5, 4.0);
            body.character(Character { walk_speed: random.range(1.0, 15.0), jump_height, ..Character::default() })
        }
        4 => body.friction(random.range(0.0, 1.5)).gravity_scale(random.range(-1.0, 2.0)),
        5 => body.response(random.pick(&[Response::Stop, Response::Pass, Response::Slide])),
        _ => body.bounce(random.range(0.0, 1.0)).friction(random.range(0.0, 0.5)),
    }
}

/// In the room, or a little outside it.
fn somewhere(random: &mut Random) -> (f64, f64) {
    (random.range(-2.0, f64::from(SIZE.0) + 2.0), random.range(-2.0, f64::from(SIZE.1) + 2.0))
}

/// Mostly of common size, now and then of any.
fn velocity(random: &mut Random) -> (f64, f64) {
    let most = if random.one_in(64) { random.pick(&[1e-9, 1e3, 1e6, 1e9]) } else { 20.0 };
    (random.range(-most, most), random.range(-most, most))
}

impl Play for Storm {
    fn step(&mut self) -> bool {
        let more = self.world.tick() < TICKS;
        if more {
            if self.random.one_in(3) {
                self.command();
            }
            self.world.step();
        }
        more
    }

    fn world(&self) -> &World {
        &self.world
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Or the storm would say nothing about platforms.
    #[test]
    fn bodies_ride_and_are_crushed_in_the_storm_among_platforms() {
        let storm = all().into_iter().find(|run| run.name() == "storm_among_platforms").unwrap();
        let mut play = (storm.start)();
        let (mut rides, mut crushes, mut there) = (0, 0, 0);
        while play.step() {
            let world = play.world();
            rides += world.bodies().filter(|&(id, _)| world.platform_under(id).is_some()).count();
            crushes += world.events().iter().filter(|event| matches!(event.kind, EventKind::Crushed { .. })).count();
            there += world.platforms().count();
        }
        println!("{rides} rides, {crushes} crushed, {there} platforms");
        assert!(rides > 1_000 && crushes > 20 && there as u64 > 4 * TICKS);
    }
}

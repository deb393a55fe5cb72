//! Storms: worlds that receive random commands from fixed seeds.

use crate::run::{Run, Simulation};
use crate::scene::create_map;
use crate::scenes::Noise;
use surefoot::platform::PlatformId;
use surefoot::prelude::*;
use surefoot::{Input, Map, World};
use surefoot_random::Random;

/// Ticks of each of the six storms.
const STORM_TICKS: u64 = 20_000;

/// Maximum number of bodies in a storm.
const MAX_BODIES: u64 = 12;

pub(crate) fn storm_runs() -> Vec<Run> {
    let closed = "border: (left: Solid, right: Solid, bottom: Solid, top: Solid)";
    let turned = |up: Up, gravity: (f64, f64)| Settings::default().up(up).gravity(gravity);
    vec![
        Run::new("storm_in_a_cave", move || Storm::new(1, World::new(random_map(1, 8, closed), Settings::default()))),
        Run::new("storm_in_a_maze", move || Storm::new(2, World::new(random_map(2, 2, closed), Settings::default()))),
        Run::new("storm_turned", move || {
            Storm::new(3, World::new(random_map(3, 5, closed), turned(Up::MinusX, (17.3, -23.9))))
        }),
        Run::new("storm_on_an_island", move || {
            Storm::new(4, World::new(random_map(4, 4, "border: (bottom: Solid)"), turned(Up::PlusY, (0.0, -21.7))))
        }),
        Run::new("storm_among_platforms", move || {
            Storm::new(6, World::new(random_map(6, 12, &format!("{closed}, {PLATFORMS}")), Settings::default()))
        }),
        Run::new("storm_without_end", || Storm::new(5, Noise::create_world(5, Settings::default()))),
    ]
}

/// Platforms with every motion: paths, circles, attached, triggered by a ride; some of one-way tiles or slopes.
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

/// Size of the map in tiles.
const MAP_SIZE: (i32, i32) = (28, 18);

/// A random map on which one cell in `one_in` has a tile.
fn random_map(seed: u64, one_in: u64, fields: &str) -> Map {
    let empty = create_map(&["."], "");
    // Sort by tile kind, so that the choice does not depend on the letters.
    let mut legend: Vec<(TileId, char)> = empty.symbols().iter().map(|(&symbol, &id)| (id, symbol)).collect();
    legend.sort_unstable();
    let mut random = Random(seed);
    let mut cell = || if random.one_in(one_in) { random.pick(&legend).1 } else { '.' };
    let rows: Vec<String> = (0..MAP_SIZE.1).map(|_| (0..MAP_SIZE.0).map(|_| cell()).collect()).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    create_map(&rows, fields)
}

/// A world that receives a random command before about every third tick.
struct Storm {
    world: World,
    random: Random,
}

impl Storm {
    fn new(seed: u64, world: World) -> Storm {
        Storm { world, random: Random(seed << 32) }
    }

    /// Gives a random command. Ignores errors: a command that fails has to fail on all targets.
    fn give_random_command(&mut self) {
        let Storm { world, random } = self;
        if world.platforms().next().is_some() && random.one_in(6) {
            return give_random_platform_command(world, random);
        }
        let count = world.bodies().count() as u64;
        let body = world.bodies().nth(random.below(count.max(1)) as usize).map(|(id, _)| id);
        let Some(body) = body.filter(|_| count >= MAX_BODIES || !random.one_in(8)) else {
            if count < MAX_BODIES {
                let _ = world.spawn(random_body(random));
            }
            return;
        };
        let _ = match random.below(20) {
            0 | 1 => world.despawn(body),
            2 | 3 => {
                let to = random_position(random);
                world.teleport(body, to)
            }
            4 | 5 => {
                let velocity = random_velocity(random);
                world.set_velocity(body, velocity)
            }
            6..9 => {
                let entry = TileId(random.below(world.map().kinds().len() as u64) as u16);
                let (x, y) = (random.below(MAP_SIZE.0 as u64) as i32, random.below(MAP_SIZE.1 as u64) as i32);
                match random.below(4) {
                    // Also dig holes, or the map would fill up.
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

/// Gives a random command to a platform. A removed platform is replaced by a new one, so that platforms always exist.
fn give_random_platform_command(world: &mut World, random: &mut Random) {
    let all: Vec<PlatformId> = world.platforms().map(|(id, _)| id).collect();
    let platform = random.pick(&all);
    let _ = match random.below(8) {
        0 => {
            let to = random_position(random);
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
            let definitions = world.map().platforms();
            let other = definitions[random.index(definitions.len())].clone();
            world.spawn_platform(other).and_then(|_| world.despawn_platform(platform))
        }
        _ => {
            let kind = TileId(random.below(world.map().kinds().len() as u64) as u16);
            let tile = (random.below(3) as i32, random.below(2) as i32);
            world.set_platform_tile(platform, 0, tile, kind)
        }
    };
}

/// A random box or circle; half of them are characters.
fn random_body(random: &mut Random) -> Body {
    let size = random.range(0.05, 0.6);
    let shape = if random.one_in(2) { Shape::circle(size) } else { Shape::aabb(size, random.range(0.05, 0.9)) };
    let body = Body::new(shape)
        .at(random_position(random))
        .velocity(random_velocity(random))
        .rest_speed_threshold(random.range(0.0, 0.5));
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

/// A random position on the map or up to two tiles outside it.
fn random_position(random: &mut Random) -> (f64, f64) {
    (random.range(-2.0, f64::from(MAP_SIZE.0) + 2.0), random.range(-2.0, f64::from(MAP_SIZE.1) + 2.0))
}

/// A random velocity, mostly of ordinary speed, sometimes extremely slow or fast.
fn random_velocity(random: &mut Random) -> (f64, f64) {
    let most = if random.one_in(64) { random.pick(&[1e-9, 1e3, 1e6, 1e9]) } else { 20.0 };
    (random.range(-most, most), random.range(-most, most))
}

impl Simulation for Storm {
    fn step_unless_finished(&mut self) -> bool {
        let more = self.world.tick() < STORM_TICKS;
        if more {
            if self.random.one_in(3) {
                self.give_random_command();
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

    /// Checks that the storm exercises platforms at all.
    #[test]
    fn bodies_ride_and_are_crushed_in_the_storm_among_platforms() {
        let storm = storm_runs().into_iter().find(|run| run.name() == "storm_among_platforms").unwrap();
        let mut simulation = (storm.start)();
        let (mut rides, mut crushes, mut platforms) = (0, 0, 0);
        while simulation.step_unless_finished() {
            let world = simulation.world();
            rides += world.bodies().filter(|&(id, _)| world.platform_under(id).is_some()).count();
            crushes += world.events().iter().filter(|event| matches!(event.kind, EventKind::Crushed { .. })).count();
            platforms += world.platforms().count();
        }
        println!("{rides} rides, {crushes} crushed, {platforms} platforms");
        assert!(rides > 1_000 && crushes > 20 && platforms as u64 > 4 * STORM_TICKS);
    }
}

//! The small game of `rules.md` with rapier2d's character controller.

// part: program
use rapier2d::control::KinematicCharacterController;
use rapier2d::prelude::*;
use std::error::Error;

const TICK: f32 = 1.0 / 60.0;

struct Game {
    world: PhysicsWorld,
    hero: Hero,
    ferry: Ferry,
    start: Vector,
    /// Letters and the middles of their cells.
    things: Vec<(u8, Vector)>,
    ticks: u32,
    coins: u32,
    deaths: u32,
    won: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = load(include_str!("level.txt")).ok_or("the level has no hero or no platform")?;
    let inputs = std::fs::read_to_string(std::env::args().nth(1).ok_or("expected a file of inputs")?)?;
    for line in inputs.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let ticks: u32 = words.next().ok_or("a line is empty")?.parse()?;
        let held: Vec<_> = words.collect();
        let walk = f32::from(held.contains(&"right")) - f32::from(held.contains(&"left"));
        for _ in 0..ticks {
            if !game.won {
                game.tick(walk, held.contains(&"jump"));
            }
        }
    }
    let (won, coins, deaths, at) = (game.won, game.coins, game.deaths, game.hero.at);
    let time = game.ticks as f32 * TICK;
    println!("goal {won}, coins {coins}, deaths {deaths}, time {time:.2} s, at ({:.2}, {:.2})", at.x, at.y);
    Ok(())
}

// part: level
/// User data of one-way floors.
const ONE_WAY: u128 = 1;

fn load(level: &str) -> Option<Game> {
    let mut world = PhysicsWorld::new();
    let (mut start, mut ferry, mut things) = (None, None, Vec::new());
    for (y, line) in level.lines().rev().enumerate() {
        let mut x = 0.0;
        // One collider for each run of equal cells: seams between colliders would be in the hero's way.
        for run in line.as_bytes().chunk_by(|a, b| a == b) {
            let length = run.len() as f32;
            let corner = |dx, dy| Vector::new(x + dx, y as f32 + dy);
            let middle = corner(length / 2.0, 0.5);
            let collider = match run[0] {
                b'#' => Some(ColliderBuilder::cuboid(length / 2.0, 0.5).translation(middle)),
                b'/' => Some(ColliderBuilder::triangle(corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0))),
                b'\\' => Some(ColliderBuilder::triangle(corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0))),
                b'-' => Some(one_way(length).translation(middle)),
                _ => None,
            };
            collider.map(|collider| world.insert_collider(collider, None));
            match run[0] {
                b'@' => start = Some(corner(0.5, HALF.y)),
                b'=' => ferry = Some(Ferry::add(&mut world, middle, length)),
                thing => things.extend((0..run.len()).map(|i| (thing, corner(i as f32 + 0.5, 0.5)))),
            }
            x += length;
        }
    }
    let (start, ferry) = (start?, ferry?);
    Some(Game { world, hero: Hero::at(start), ferry, start, things, ticks: 0, coins: 0, deaths: 0, won: false })
}

/// Makes a floor along the top of a run of cells.
fn one_way(length: f32) -> ColliderBuilder {
    let half = length / 2.0;
    ColliderBuilder::segment(Vector::new(-half, 0.5), Vector::new(half, 0.5)).user_data(ONE_WAY)
}

// part: platform
/// A collider without a body: with a kinematic body, the controller adds a part of the platform's motion itself, and
/// loses the hero when the platform turns.
struct Ferry {
    collider: ColliderHandle,
    start: Vector,
    at: Vector,
}

impl Ferry {
    fn add(world: &mut PhysicsWorld, start: Vector, length: f32) -> Ferry {
        Ferry { collider: world.insert_collider(one_way(length).translation(start), None), start, at: start }
    }

    /// Moves the platform. Returns its displacement.
    fn tick(&mut self, world: &mut PhysicsWorld, ticks: u32) -> Vector {
        let path = Vector::new(8.0, 3.0);
        // The part of the path goes from 0 to 1 and back.
        let part = ticks as f32 * TICK * 3.0 / path.length() % 2.0;
        let at = self.start + path * part.min(2.0 - part);
        world.colliders[self.collider].set_translation(at);
        // The step enters colliders into the broad phase, which the controller uses.
        world.step();
        at - std::mem::replace(&mut self.at, at)
    }
}

// part: motion
const HALF: Vector = Vector::new(0.35, 0.45);
const RUN_SPEED: f32 = 8.0;
const ACCELERATION: f32 = 60.0;
const BRAKING: f32 = 80.0;
const AIR_ACCELERATION: f32 = 40.0;
const GRAVITY: f32 = 40.0;
/// Speed of a jump that is 3.2 tiles high: the square root of 2 * 40 * 3.2.
const JUMP_SPEED: f32 = 16.0;
/// After a release: the shortest jump is 1 tile high.
const RELEASE_SPEED: f32 = 7.7;
const MAX_FALL_SPEED: f32 = 24.0;
/// In ticks.
const COYOTE_TIME: u32 = 6;
const JUMP_BUFFER: u32 = 6;

struct Hero {
    at: Vector,
    velocity: Vector,
    on_floor: bool,
    rides: bool,
    jump_held: bool,
    ticks_off_floor: u32,
    ticks_since_press: u32,
}

impl Hero {
    fn at(at: Vector) -> Hero {
        let velocity = Vector::ZERO;
        let (on_floor, rides) = (false, false);
        Hero { at, velocity, on_floor, rides, jump_held: true, ticks_off_floor: 99, ticks_since_press: 99 }
    }

    /// Changes the velocity. Returns the displacement of the tick.
    fn steer(&mut self, walk: f32, jump: bool) -> Vector {
        let rate = match (self.on_floor, walk != 0.0) {
            (true, true) if walk * self.velocity.x >= 0.0 => ACCELERATION,
            (true, _) => BRAKING,
            (false, true) => AIR_ACCELERATION,
            (false, false) => 0.0,
        };
        let mut before = self.velocity;
        self.velocity.x += (walk * RUN_SPEED - before.x).clamp(-rate * TICK, rate * TICK);
        self.ticks_off_floor = if self.on_floor { 0 } else { self.ticks_off_floor + 1 };
        self.ticks_since_press = if jump && !self.jump_held { 0 } else { self.ticks_since_press + 1 };
        self.jump_held = jump;
        if self.ticks_off_floor <= COYOTE_TIME && self.ticks_since_press <= JUMP_BUFFER {
            (self.ticks_off_floor, self.ticks_since_press) = (99, 99);
            before.y = JUMP_SPEED;
        } else if !jump {
            before.y = before.y.min(RELEASE_SPEED);
        }
        self.velocity.y = (before.y - GRAVITY * TICK).max(-MAX_FALL_SPEED);
        (before + self.velocity) * (TICK / 2.0)
    }

    fn tick(&mut self, world: &PhysicsWorld, ferry: ColliderHandle, walk: f32, jump: bool) {
        let motion = self.steer(walk, jump);
        // One-way floors stop a hero that falls from above.
        let (feet, falls) = (self.at.y - HALF.y, motion.y <= 0.0);
        let stops = |_: ColliderHandle, collider: &Collider| {
            collider.user_data != ONE_WAY || falls && feet > collider.compute_aabb().maxs.y - 0.05
        };
        let queries = world.broad_phase.as_query_pipeline(
            world.narrow_phase.query_dispatcher(),
            &world.bodies,
            &world.colliders,
            QueryFilter::default().predicate(&stops),
        );
        let controller = KinematicCharacterController {
            // With the default of 45 degrees, rounding would make walls of the slopes.
            max_slope_climb_angle: 50_f32.to_radians(),
            min_slope_slide_angle: 50_f32.to_radians(),
            ..KinematicCharacterController::default()
        };
        let shape = Capsule::new(Vector::new(0.0, HALF.x - HALF.y), Vector::new(0.0, HALF.y - HALF.x), HALF.x);
        let pose = Pose::from_translation(self.at);
        let mut hits = Vec::new();
        let moved = controller.move_shape(TICK, &queries, &shape, &pose, motion, |hit| hits.push(hit));
        self.at += moved.translation;
        self.on_floor = moved.grounded && falls;
        if self.on_floor {
            self.velocity.y = 0.0;
        }
        self.rides &= self.on_floor;
        for hit in hits {
            let normal = hit.hit.normal1;
            if normal.y > 0.5 {
                self.rides = self.on_floor && hit.handle == ferry;
            } else {
                // Walls and ceilings stop the hero, slopes do not.
                self.velocity -= normal * self.velocity.dot(normal).min(0.0);
            }
        }
    }
}

// part: rules
impl Game {
    fn tick(&mut self, walk: f32, jump: bool) {
        self.ticks += 1;
        let carried = self.ferry.tick(&mut self.world, self.ticks);
        if self.hero.rides {
            self.hero.at += carried;
        }
        self.hero.tick(&self.world, self.ferry.collider, walk, jump);
        let mut dies = self.hero.at.y < -HALF.y;
        self.things.retain(|&(thing, at)| {
            let away = (self.hero.at - at).abs();
            let touches = away.x < HALF.x + 0.5 && away.y < HALF.y + 0.5;
            match thing {
                b'o' if touches => self.coins += 1,
                b'^' if touches => dies = true,
                b'*' if touches => self.won = true,
                _ => {}
            }
            thing != b'o' || !touches
        });
        if dies {
            self.deaths += 1;
            self.hero = Hero::at(self.start);
        }
    }
}

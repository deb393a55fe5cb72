//! The small game of `rules.md` with Box2D's functions for movers.

// part: program
use boxdd::{
    BodyBuilder, BodyId, BodyType, Filter, Foundation, QueryFilter, ShapeDef, ShapeId, World, WorldBuilder, shapes,
    solve_planes,
};
use glam::Vec2;
use std::error::Error;

const TICK: f32 = 1.0 / 60.0;

struct Game {
    world: World,
    hero: Hero,
    floors: Vec<OneWay>,
    ferry: Ferry,
    start: Vec2,
    /// Letters and the middles of their cells.
    things: Vec<(u8, Vec2)>,
    ticks: u32,
    coins: u32,
    deaths: u32,
    won: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = load(include_str!("level.txt"))?;
    let inputs = std::fs::read_to_string(std::env::args().nth(1).ok_or("expected a file of inputs")?)?;
    for line in inputs.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let ticks: u32 = words.next().ok_or("a line is empty")?.parse()?;
        let held: Vec<_> = words.collect();
        let walk = f32::from(held.contains(&"right")) - f32::from(held.contains(&"left"));
        for _ in 0..ticks {
            if !game.won {
                game.tick(walk, held.contains(&"jump"))?;
            }
        }
    }
    let (won, coins, deaths, at) = (game.won, game.coins, game.deaths, game.hero.at);
    let time = game.ticks as f32 * TICK;
    println!("goal {won}, coins {coins}, deaths {deaths}, time {time:.2} s, at ({:.2}, {:.2})", at.x, at.y);
    Ok(())
}

// part: level
/// A one-way floor. It changes its category: Box2D's movers have no callback for single shapes.
struct OneWay {
    shape: ShapeId,
    top: f32,
}

/// Category of one-way floors that the hero passes.
const PASSED: u64 = 2;

fn load(level: &str) -> Result<Game, Box<dyn Error>> {
    let foundation = Foundation::initialize_default()?;
    let mut world = foundation.create_world(WorldBuilder::from(foundation.world_def()).build()?)?;
    let ground = world.create_body(BodyBuilder::from(foundation.body_def()).build()?)?;
    let def = ShapeDef::default();
    let (mut start, mut ferry, mut floors, mut things) = (None, None, Vec::new(), Vec::new());
    for (y, line) in level.lines().rev().enumerate() {
        let mut x = 0.0;
        // One shape for each run of equal cells.
        for run in line.as_bytes().chunk_by(|a, b| a == b) {
            let length = run.len() as f32;
            let corner = |dx, dy| Vec2::new(x + dx, y as f32 + dy);
            let (low, low_end, top, top_end) =
                (corner(0.0, 0.0), corner(length, 0.0), corner(0.0, 1.0), corner(length, 1.0));
            let solid = match run[0] {
                b'#' => vec![low, low_end, top_end, top],
                b'/' => vec![low, low_end, top_end],
                b'\\' => vec![low, low_end, top],
                _ => Vec::new(),
            };
            if !solid.is_empty() {
                world.body(ground)?.create_polygon(&def, &shapes::polygon_from_points(solid, 0.0)?)?;
            }
            match run[0] {
                b'-' => {
                    let shape = world.body(ground)?.create_segment_between(&def, top, top_end)?;
                    floors.push(OneWay { shape, top: top.y });
                }
                b'=' => ferry = Some(Ferry::add(&mut world, foundation, top, length)?),
                b'@' => start = Some(corner(0.5, HEIGHT / 2.0)),
                thing => things.extend((0..run.len()).map(|i| (thing, corner(i as f32 + 0.5, 0.5)))),
            }
            x += length;
        }
    }
    let (start, ferry) = (start.ok_or("the level has no hero")?, ferry.ok_or("the level has no platform")?);
    let hero = Hero::at(start);
    Ok(Game { world, hero, floors, ferry, start, things, ticks: 0, coins: 0, deaths: 0, won: false })
}

// part: platform
struct Ferry {
    body: BodyId,
    floor: OneWay,
    start: Vec2,
    at: Vec2,
}

impl Ferry {
    fn add(world: &mut World, foundation: &Foundation, start: Vec2, length: f32) -> boxdd::Result<Ferry> {
        let def = BodyBuilder::from(foundation.body_def()).body_type(BodyType::Kinematic).position(start);
        let body = world.create_body(def.build()?)?;
        let end = Vec2::new(length, 0.0);
        let shape = world.body(body)?.create_segment_between(&ShapeDef::default(), Vec2::ZERO, end)?;
        Ok(Ferry { body, floor: OneWay { shape, top: start.y }, start, at: start })
    }

    /// Moves the platform. Returns its displacement.
    fn tick(&mut self, world: &mut World, ticks: u32) -> boxdd::Result<Vec2> {
        let path = Vec2::new(8.0, 3.0);
        // The part of the path goes from 0 to 1 and back.
        let part = ticks as f32 * TICK * 3.0 / path.length() % 2.0;
        let at = self.start + path * part.min(2.0 - part);
        world.body(self.body)?.set_position_and_rotation(at, 0.0)?;
        self.floor.top = at.y;
        Ok(at - std::mem::replace(&mut self.at, at))
    }
}

// part: motion
const RADIUS: f32 = 0.35;
const HEIGHT: f32 = 0.9;
/// Ends of the capsule's middle line.
const TOP: Vec2 = Vec2::new(0.0, HEIGHT / 2.0 - RADIUS);
const BOTTOM: Vec2 = Vec2::new(0.0, RADIUS - HEIGHT / 2.0);
/// Normals of floors point up by more.
const FLOOR: f32 = 0.65;
/// How far below the feet the hero stays on a floor that falls away.
const SNAP: f32 = 0.18;
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
    at: Vec2,
    velocity: Vec2,
    on_floor: bool,
    rides: bool,
    jump_held: bool,
    ticks_off_floor: u32,
    ticks_since_press: u32,
}

impl Hero {
    fn at(at: Vec2) -> Hero {
        let velocity = Vec2::ZERO;
        let (on_floor, rides) = (false, false);
        Hero { at, velocity, on_floor, rides, jump_held: true, ticks_off_floor: 99, ticks_since_press: 99 }
    }

    /// Changes the velocity. Returns the displacement of the tick.
    fn steer(&mut self, walk: f32, jump: bool) -> Vec2 {
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
            self.on_floor = false;
            before.y = JUMP_SPEED;
        } else if !jump {
            before.y = before.y.min(RELEASE_SPEED);
        }
        // A hero that stands needs no gravity: the snap holds it. Gravity would pull it down slopes.
        self.velocity.y = if self.on_floor { 0.0 } else { (before.y - GRAVITY * TICK).max(-MAX_FALL_SPEED) };
        (before + self.velocity) * (TICK / 2.0)
    }

    fn tick(&mut self, world: &World, ferry: ShapeId, walk: f32, jump: bool) -> boxdd::Result<()> {
        let motion = self.steer(walk, jump);
        let query = world.query()?;
        let filter = QueryFilter::new().mask(!PASSED);
        let target = self.at + motion;
        // Find the planes around the capsule, solve for a displacement, and cast along it, as Box2D's manual has it.
        for _ in 0..5 {
            let found = query.collide_mover(self.at.into(), TOP, BOTTOM, RADIUS, filter)?;
            let planes = found.iter().filter_map(|plane| plane.into_rigid_collision_plane().transpose());
            let mut planes = planes.collect::<boxdd::Result<Vec<_>>>()?;
            let wanted = Vec2::from(solve_planes(target - self.at, &mut planes)?.translation());
            let step = wanted * query.cast_mover(self.at.into(), TOP, BOTTOM, RADIUS, wanted, filter)?;
            self.at += step;
            if step.length() < 0.01 {
                break;
            }
        }
        if self.on_floor {
            let down = Vec2::new(0.0, -SNAP);
            let fraction = query.cast_mover(self.at.into(), TOP, BOTTOM, RADIUS, down, filter)?;
            if fraction < 1.0 {
                self.at += down * fraction;
            }
        }
        (self.on_floor, self.rides) = (false, false);
        for found in query.collide_mover(self.at.into(), TOP, BOTTOM, RADIUS, filter)? {
            let normal = Vec2::from(found.plane.normal());
            if normal.y <= FLOOR {
                // Walls and ceilings stop the hero, slopes do not.
                self.velocity -= normal * self.velocity.dot(normal).min(0.0);
            } else if motion.y <= 0.0 {
                self.on_floor = true;
                self.rides |= found.shape_id == ferry;
                self.velocity.y = 0.0;
            }
        }
        Ok(())
    }
}

// part: rules
impl Game {
    fn tick(&mut self, walk: f32, jump: bool) -> boxdd::Result<()> {
        self.ticks += 1;
        let carried = self.ferry.tick(&mut self.world, self.ticks)?;
        if self.hero.rides {
            self.hero.at += carried;
        }
        for floor in self.floors.iter().chain([&self.ferry.floor]) {
            let is_above = self.hero.at.y - HEIGHT / 2.0 > floor.top - 0.05 && self.hero.velocity.y <= 0.0;
            let category_bits = if is_above { 1 } else { PASSED };
            self.world.shape(floor.shape)?.set_filter(Filter { category_bits, ..Filter::default() })?;
        }
        self.hero.tick(&self.world, self.ferry.floor.shape, walk, jump)?;
        let mut dies = self.hero.at.y < -HEIGHT / 2.0;
        self.things.retain(|&(thing, at)| {
            let away = (self.hero.at - at).abs();
            let touches = away.x < RADIUS + 0.5 && away.y < HEIGHT / 2.0 + 0.5;
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
        Ok(())
    }
}

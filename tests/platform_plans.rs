//! Random worlds with platforms, in all symmetries: their content and their commands.

use crate::prelude::*;
use crate::symmetry::{ghost, legend};
use surefoot::platform::{Easing, PlatformMotion};

/// Half the width of the terrain, in tiles.
const HALF: i32 = 6;

/// Random terrain with platforms and bodies, and the commands for them.
#[derive(Clone)]
pub struct Plan {
    square: Square,
    pub platforms: Vec<Moving>,
    /// Each body, and whether it has a player.
    pub bodies: Vec<(Body, bool)>,
    painted: Vec<Painted>,
    /// Sorted by tick.
    orders: Vec<Order>,
}

/// A command of the game in a tick.
#[derive(Clone, Debug)]
struct Order {
    tick: u64,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    /// Drives a platform by a displacement in units.
    Drive(usize, I64Vec2),
    Teleport(usize, Position),
    Play(usize, bool),
    /// Spawns a platform that is not there from the start.
    Spawn(usize),
    Remove(usize),
    /// Makes a body a ghost, or a hero again.
    Haunt(usize, bool),
}

/// A tile set on a platform in a tick.
#[derive(Clone)]
struct Painted {
    tick: u64,
    platform: usize,
    tile: (i32, i32),
    variant: Option<VariantId>,
}

/// A platform of a plan.
#[derive(Clone)]
pub struct Moving {
    tiles: Square,
    pub at: I64Vec2,
    pub motion: PlatformMotion,
    on_crush: OnCrush,
    pub on_ride: OnRide,
    /// Index of an earlier platform.
    attached_to: Option<usize>,
    /// Whether an order spawns the platform.
    comes_later: bool,
}

impl Moving {
    /// Returns the platform with this index, mirrored, turned and shifted, with the legend of its world.
    fn platform(&self, number: usize, symmetry: Symmetry, away: I64Vec2, legend: &[TileKind]) -> Platform {
        let mut layer: TileLayer =
            Square::new(self.tiles.half, self.tiles.cells.clone()).map(symmetry, (0, 0)).layers()[0].clone();
        layer.cells = self.tiles.cells(symmetry, &mut legend.to_vec());
        let motion = match &self.motion {
            PlatformMotion::Path(path) => PlatformMotion::Path(Path {
                points: path.points.iter().map(|&point| symmetry.position(point)).collect(),
                ..path.clone()
            }),
            PlatformMotion::Circle(circle) => PlatformMotion::Circle(turned(*circle, symmetry)),
            PlatformMotion::Driven => PlatformMotion::Driven,
        };
        let at = symmetry.vector(self.at) + away;
        let platform = Platform::new(vec![layer]).at(Position::from_units(at.x, at.y).unwrap());
        let platform = platform.on_crush(self.on_crush).on_ride(self.on_ride).name(number.to_string());
        let platform = Platform { motion, ..platform };
        self.attached_to.map_or(platform.clone(), |to| platform.attached_to(to.to_string()))
    }
}

/// Returns a circular path in a symmetry. The path starts on the right side of its centre, after a mirror on the left,
/// and after each quarter turn a quarter of the round later or earlier.
fn turned(circle: CirclePath, symmetry: Symmetry) -> CirclePath {
    let clockwise = circle.clockwise != symmetry.0.mirrored();
    let quarters = f64::from(symmetry.0.turns()) / 4.0;
    let begin = circle.phase + if symmetry.0.mirrored() { 0.5 } else { 0.0 };
    let phase = begin + if clockwise { quarters } else { 1.0 - quarters };
    CirclePath { clockwise, phase: phase - phase.floor(), ..circle }
}

impl Plan {
    fn random(random: &mut Random) -> Plan {
        let catalogue = Catalogue::builtin();
        let all = variants(&catalogue);
        let filled = random.range(0.0, 0.25);
        let mut square = Square::random(random, HALF, filled, &all).walled_in();
        // Use another generator, so that existing plans do not change.
        let mut dice = Random(random.0 | 1);
        if dice.below(3) == 0 {
            square = square.with_belts(&mut dice);
        }
        let coordinate = |random: &mut Random| {
            let at = random.range(-6.0, 6.0);
            if random.below(2) == 0 { at.floor() } else { at }
        };
        let point = |random: &mut Random| Position::new(coordinate(random), coordinate(random)).unwrap();
        let platforms = (0..1 + random.below(4)).map(|_| {
            let (half, filled) = ([1, 2][random.below(2) as usize], random.range(0.4, 1.0));
            let mut tiles = Square::random(random, half, filled, &all);
            if tiles.cells.iter().all(Option::is_none) {
                tiles.cells[0] = Some(all[0]);
            }
            let mut points: Vec<Position> = (0..2 + random.below(2)).map(|_| point(random)).collect();
            points.push(Position::new(0.5, 0.25).unwrap());
            let motion = PlatformMotion::Path(Path {
                points,
                timing: PathTiming::Speed(random.pick(&[0.01, 1.0, 6.0, 17.3, 60.0])),
                repeat: random.pick(&[Repeat::Loop, Repeat::PingPong]),
                easing: random.pick(&[Easing::Linear, Easing::Smooth]),
                ..Path::default()
            });
            let (at, on_crush) = (point(random).units(), random.pick(&[OnCrush::Stop, OnCrush::PassThrough]));
            Moving { tiles, at, motion, on_crush, on_ride: OnRide::Nothing, attached_to: None, comes_later: false }
        });
        let mut platforms: Vec<Moving> = platforms.collect();
        let mut painted = Vec::new();
        for (i, platform) in platforms.iter_mut().enumerate() {
            if dice.below(4) == 0 {
                // A quarter of each of these periods is a whole number of ticks.
                let pace = PathTiming::Period(dice.pick(&[0.8, 2.0, 4.0]));
                let (radius, phase) = (dice.range(0.2, 4.0), dice.pick(&[0.0, 0.25, 0.625]));
                platform.motion =
                    PlatformMotion::Circle(CirclePath { radius, timing: pace, clockwise: dice.one_in(2), phase });
            }
            let back = dice.pick(&[None, Some(0.5), Some(1.5)]);
            platform.on_ride = match dice.below(6) {
                0 => OnRide::Start,
                1 => OnRide::Fall { delay: dice.pick(&[0.0, 0.3]), respawn_time: back },
                2 => OnRide::Crumble { delay: dice.pick(&[0.1, 0.5]), respawn_time: back },
                _ => OnRide::Nothing,
            };
            if i > 0 && dice.one_in(3) {
                platform.attached_to = Some(dice.index(i));
            }
            for _ in 0..if dice.one_in(3) { 4 } else { 0 } {
                let half = platform.tiles.half;
                let mut tile = || dice.between(-i64::from(half), i64::from(half) - 1) as i32;
                let tile = (tile(), tile());
                let variant = if dice.one_in(2) { None } else { Some(dice.pick(&all)) };
                painted.push(Painted { tick: dice.below(120), platform: i, tile, variant });
            }
        }
        let bodies = (0..6).map(|_| {
            let (a, b) = (random.range(0.06, 0.6), random.range(0.06, 0.6));
            let shape = if random.below(2) == 0 { Shape::circle(a) } else { Shape::aabb(a, b) };
            let body = Body::new(shape).at(point(random));
            match random.below(5) {
                0 => (body.bounce(0.5), false),
                1 => (body.friction(0.5), false),
                2 => (body.gravity_scale(0.0).velocity((random.range(-5.0, 5.0), 1.0)), false),
                _ => (body.character(Character::default()), true),
            }
        });
        let bodies = bodies.collect();
        Plan { square, platforms, bodies, painted, orders: Vec::new() }
    }

    /// Returns the plan of a seed.
    pub fn of_seed(seed: u64) -> Plan {
        let mut random = Random(mix(seed));
        let plan = Plan::random(&mut random);
        if seed.is_multiple_of(4) { plan } else { plan.with_more(&mut random) }
    }

    /// Adds one-way tiles, materials, collision layers, bodies that stop, pass and jump in other ways, and orders.
    fn with_more(mut self, random: &mut Random) -> Plan {
        let catalogue = self.square.catalogue.clone();
        let all = variants(&catalogue);
        let open: Vec<VariantId> =
            all.iter().copied().filter(|&id| catalogue.variant(id).kind == PatternKind::Open).collect();
        for platform in &mut self.platforms {
            if random.one_in(3) {
                platform.tiles.cells.iter_mut().flatten().for_each(|cell| *cell = random.pick(&open));
            }
        }
        for _ in 0..random.below(3) {
            let mut late = self.platforms[random.index(self.platforms.len())].clone();
            (late.attached_to, late.comes_later) = (None, true);
            late.at = I64Vec2::new(random.between(-5, 4), random.between(-5, 4)) * ONE;
            self.orders.push(Order { tick: 1 + random.below(100), what: What::Spawn(self.platforms.len()) });
            self.platforms.push(late);
        }
        let squares = self.platforms.iter_mut().map(|platform| &mut platform.tiles);
        for square in squares.chain([&mut self.square]) {
            for (chance, with) in [
                (2, Square::with_ledges as fn(Square, &mut Random) -> Square),
                (3, Square::with_surfaces),
                (2, Square::with_passages),
                (6, Square::with_belts),
            ] {
                if random.one_in(chance) {
                    *square = with(square.clone(), random);
                }
            }
        }
        for (body, _) in &mut self.bodies {
            if let Some(character) = &mut body.character {
                character.platform_velocity =
                    random.pick(&[PlatformVelocity::All, PlatformVelocity::Upward, PlatformVelocity::None]);
                character.platform_velocity_grace = random.pick(&[0.0, 0.1, 0.5]);
            } else {
                body.response = random.pick(&[body.response, body.response, Response::Stop, Response::Pass]);
            }
            if random.one_in(2) {
                // This body starts above a platform.
                let below = &self.platforms[random.index(self.platforms.len())];
                let start = match &below.motion {
                    PlatformMotion::Path(path) => path.points[0].units(),
                    PlatformMotion::Circle(_) | PlatformMotion::Driven => I64Vec2::ZERO,
                };
                let half = i64::from(below.tiles.half) * ONE;
                let at = below.at + start + I64Vec2::new(random.between(-half, half), half + ONE);
                body.position = Ok(Position::from_units(at.x, at.y).unwrap());
            }
            if random.one_in(3) {
                body.collision_layers = random.pick(&[ghost(), ghost().union(CollisionLayers::FIRST)]);
            }
        }
        for platform in 0..self.platforms.len() {
            if random.one_in(3) {
                self.platforms[platform].motion = PlatformMotion::Driven;
            }
            for _ in 0..random.below(3) {
                let begin = 1 + random.below(150);
                let mut push = |tick, what| self.orders.push(Order { tick, what });
                match random.below(6) {
                    0 => push(
                        begin,
                        What::Teleport(platform, position(random.range(-5.0, 5.0), random.between(-5, 4) as f64)),
                    ),
                    1 => (0..2).for_each(|i| push(begin + 20 * i, What::Play(platform, i == 1))),
                    2 if random.one_in(3) => push(begin, What::Remove(platform)),
                    _ => {
                        let coarse = random.one_in(2);
                        let mut way = || {
                            let way = random.between(-ONE / 4, ONE / 4);
                            if coarse { way / (ONE / 16) * (ONE / 16) } else { way }
                        };
                        let way = I64Vec2::new(way(), way());
                        (0..20).for_each(|i| push(begin + i, What::Drive(platform, way)));
                    }
                }
            }
        }
        for body in 0..self.bodies.len() {
            if random.one_in(4) {
                let tick = 1 + random.below(150);
                self.orders.push(Order { tick, what: What::Haunt(body, true) });
                self.orders.push(Order { tick: tick + 25, what: What::Haunt(body, false) });
            }
        }
        self.orders.sort_by_key(|order| order.tick);
        self
    }

    /// Returns the map of the plan. Its legend also has the platforms' tiles.
    pub fn map(&self, symmetry: Symmetry, shift: (i32, i32)) -> Map {
        let mut legend = legend(&self.square.catalogue);
        let cells = self.square.cells(symmetry, &mut legend);
        for platform in &self.platforms {
            platform.tiles.cells(symmetry, &mut legend);
        }
        self.square.map_of(cells, legend, shift)
    }

    /// Returns the world of the plan in a symmetry and shifted. `reversed` spawns its platforms from the last to the
    /// first.
    pub fn world(&self, symmetry: Symmetry, shift: (i32, i32), reversed: bool) -> (World, Vec<BodyId>) {
        let mut world = World::new(self.map(symmetry, shift), symmetry.settings());
        let ids = self.fill(&mut world, symmetry, shift, reversed);
        (world, ids)
    }

    /// Spawns platforms and bodies in a world.
    pub fn fill(&self, world: &mut World, symmetry: Symmetry, shift: (i32, i32), reversed: bool) -> Vec<BodyId> {
        let away = I64Vec2::new(i64::from(shift.0), i64::from(shift.1)) * ONE;
        let mut left: Vec<usize> = (0..self.platforms.len()).filter(|i| !self.platforms[*i].comes_later).collect();
        if reversed {
            left.reverse();
        }
        // A platform must come after the platform that it is attached to.
        while !left.is_empty() {
            let is_held = |i: &usize| self.platforms[*i].attached_to.is_some_and(|to| left.contains(&to));
            let next = left.iter().position(|i| !is_held(i)).unwrap();
            let i = left.remove(next);
            let platform = self.platforms[i].platform(i, symmetry, away, world.map().kinds());
            world.spawn_platform(platform).unwrap();
        }
        let mut spawn = |(body, _): &(Body, bool)| {
            let at = symmetry.position(body.position.unwrap()) + away;
            let body =
                Body { shape: symmetry.shape(body.shape), velocity: symmetry.velocity(body.velocity), ..body.clone() };
            world.spawn(body.at(at)).unwrap()
        };
        self.bodies.iter().map(&mut spawn).collect()
    }

    /// Runs the plan's commands of the next tick. Skips commands that are not possible.
    pub fn steer(&self, world: &mut World, ids: &[BodyId], symmetry: Symmetry, shift: (i32, i32)) {
        let tick = world.tick();
        let away = I64Vec2::new(i64::from(shift.0), i64::from(shift.1)) * ONE;
        for order in self.orders.iter().filter(|order| order.tick == tick) {
            let find = |world: &World, platform: usize| world.find_platform(&platform.to_string());
            match order.what {
                What::Drive(platform, way) => {
                    if let Some(id) = find(world, platform) {
                        let to = world.platform(id).unwrap().position() + symmetry.vector(way);
                        let _ = world.drive_platform(id, to);
                    }
                }
                What::Teleport(platform, to) => {
                    if let Some(id) = find(world, platform) {
                        let _ = world.teleport_platform(id, symmetry.position(to) + away);
                    }
                }
                What::Play(platform, plays) => {
                    if let Some(id) = find(world, platform) {
                        let result = if plays { world.resume_platform(id) } else { world.pause_platform(id) };
                        result.unwrap();
                    }
                }
                What::Spawn(platform) => {
                    let platform = self.platforms[platform].platform(platform, symmetry, away, world.map().kinds());
                    world.spawn_platform(platform).unwrap();
                }
                What::Remove(platform) => {
                    if let Some(id) = find(world, platform) {
                        world.despawn_platform(id).unwrap();
                    }
                }
                What::Haunt(body, haunts) => {
                    world
                        .set_collision_layers(ids[body], if haunts { ghost() } else { CollisionLayers::FIRST })
                        .unwrap();
                }
            }
        }
        for &Painted { tick: at, platform, tile, variant } in &self.painted {
            if at == tick {
                let painted = variant.map_or(TileId::EMPTY, |id| {
                    let variant = self.square.catalogue.variant(id);
                    let placed = variant.placement.then(symmetry.0);
                    TileId(self.square.catalogue.place(variant.pattern, placed).0 + 1)
                });
                let Some(platform) = world.find_platform(&platform.to_string()) else { continue };
                // The last tile of a platform cannot be removed.
                let _ = world.set_platform_tile(platform, 0, symmetry.tile(tile), painted);
            }
        }
        for (i, id) in ids.iter().enumerate().filter(|(i, _)| self.bodies[*i].1) {
            let walk = symmetry.walk([127, 0, -127, 60][(tick / 30) as usize % 4]);
            let down = i % 3 == 0 && tick / 20 % 3 == 1;
            world.set_input(*id, Input { walk, down, jump: (tick + 7 * i as u64) % 50 < 5, ..Input::default() });
        }
    }
}

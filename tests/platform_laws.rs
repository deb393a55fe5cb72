//! Laws of worlds with platforms: mirrored, turned, shifted and in reverse order they go on by the same bits, and so do
//! worlds that were saved, written, cloned and brought back in every tick.

use crate::scene::{I64Vec2, ONE, Random, variants};
use crate::symmetry::{Square, Symmetry};
use std::sync::Arc;
use surefoot::geometry::DVec2;
use surefoot::map::Layer;
use surefoot::platform::{Circle, Easing, Motion, OnCrush, OnRide, Pace, Path, Platform, PlatformId, Repeat};
use surefoot::prelude::*;
use surefoot::terrain::TileSource;
use surefoot::world::Snapshot;
use surefoot::{Input, Map, World};

/// Half the width of the terrain, in tiles.
const HALF: i32 = 6;

#[derive(Clone)]
struct Plan {
    square: Square,
    platforms: Vec<Moving>,
    bodies: Vec<(Body, bool)>,
    painted: Vec<Painted>,
}

/// A tile that is painted on a platform in a tick.
#[derive(Clone)]
struct Painted {
    tick: u64,
    platform: usize,
    tile: (i32, i32),
    variant: Option<VariantId>,
}

/// A platform of a plan.
#[derive(Clone)]
struct Moving {
    tiles: Square,
    at: I64Vec2,
    motion: Motion,
    on_crush: OnCrush,
    on_ride: OnRide,
    /// The number of a platform before it.
    attached_to: Option<usize>,
}

impl Moving {
    /// The platform of a number, mirrored, turned and shifted.
    fn platform(&self, number: usize, symmetry: Symmetry, away: I64Vec2) -> Platform {
        let layer: Layer = self.tiles.map(symmetry, (0, 0)).layers()[0].clone();
        let motion = match &self.motion {
            Motion::Path(path) => Motion::Path(Path {
                points: path.points.iter().map(|&point| symmetry.position(point)).collect(),
                ..path.clone()
            }),
            Motion::Circle(circle) => Motion::Circle(turned(*circle, symmetry)),
            Motion::Driven => Motion::Driven,
        };
        let at = symmetry.vector(self.at) + away;
        let platform = Platform::new(vec![layer]).at(Position::from_units(at.x, at.y).unwrap()).unwrap();
        let platform = platform.on_crush(self.on_crush).on_ride(self.on_ride).named(number.to_string());
        let platform = Platform { motion, ..platform };
        self.attached_to.map_or(platform.clone(), |to| platform.attached_to(to.to_string()))
    }
}

/// A circle in a scene that is mirrored and turned. It begins to the right of its centre: to the left in a mirror, and a
/// quarter of the round later or earlier after each turn.
fn turned(circle: Circle, symmetry: Symmetry) -> Circle {
    let clockwise = circle.clockwise != symmetry.0.mirrored();
    let quarters = f64::from(symmetry.0.turns()) / 4.0;
    let begin = circle.phase + if symmetry.0.mirrored() { 0.5 } else { 0.0 };
    let phase = begin + if clockwise { quarters } else { 1.0 - quarters };
    Circle { clockwise, phase: phase - phase.floor(), ..circle }
}

impl Plan {
    fn random(random: &mut Random) -> Plan {
        let catalogue = Catalogue::builtin();
        let all = variants(&catalogue);
        let filled = random.range(0.0, 0.25);
        let mut square = Square::random(random, HALF, filled, &all).walled_in();
        // Of its own, so that the plans stay what they are.
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
            let motion = Motion::Path(Path {
                points,
                pace: Pace::Speed(random.pick(&[0.01, 1.0, 6.0, 17.3, 60.0])),
                repeat: random.pick(&[Repeat::Loop, Repeat::PingPong]),
                easing: random.pick(&[Easing::Linear, Easing::Smooth]),
                ..Path::default()
            });
            let (at, on_crush) = (point(random).units(), random.pick(&[OnCrush::Stop, OnCrush::GoOn]));
            Moving { tiles, at, motion, on_crush, on_ride: OnRide::Nothing, attached_to: None }
        });
        let mut platforms: Vec<Moving> = platforms.collect();
        let mut painted = Vec::new();
        for (i, platform) in platforms.iter_mut().enumerate() {
            if dice.below(4) == 0 {
                // Quarters of these rounds are whole ticks.
                let pace = Pace::Period(dice.pick(&[0.8, 2.0, 4.0]));
                let (radius, phase) = (dice.range(0.2, 4.0), dice.pick(&[0.0, 0.25, 0.625]));
                platform.motion = Motion::Circle(Circle { radius, pace, clockwise: dice.one_in(2), phase });
            }
            let back = dice.pick(&[None, Some(0.5), Some(1.5)]);
            platform.on_ride = match dice.below(6) {
                0 => OnRide::Start,
                1 => OnRide::Fall { after: dice.pick(&[0.0, 0.3]), back },
                2 => OnRide::Crumble { after: dice.pick(&[0.1, 0.5]), back },
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
                2 => (body.gravity_scale(0.0).moving((random.range(-5.0, 5.0), 1.0)), false),
                _ => (body.character(Character::default()), true),
            }
        });
        let bodies = bodies.collect();
        Plan { square, platforms, bodies, painted }
    }

    /// The world of the plan, mirrored, turned and shifted, and its platforms put in from the last to the first.
    fn world(&self, symmetry: Symmetry, shift: (i32, i32), reversed: bool) -> (World, Vec<BodyId>) {
        let mut world = World::new(self.square.map(symmetry, shift), symmetry.settings());
        let ids = self.fill(&mut world, symmetry, shift, reversed);
        (world, ids)
    }

    /// Puts platforms and bodies into a world.
    fn fill(&self, world: &mut World, symmetry: Symmetry, shift: (i32, i32), reversed: bool) -> Vec<BodyId> {
        let away = I64Vec2::new(i64::from(shift.0), i64::from(shift.1)) * ONE;
        let mut left: Vec<usize> = (0..self.platforms.len()).collect();
        if reversed {
            left.reverse();
        }
        // What takes another one along comes before it.
        while !left.is_empty() {
            let is_held = |i: &usize| self.platforms[*i].attached_to.is_some_and(|to| left.contains(&to));
            let next = left.iter().position(|i| !is_held(i)).unwrap();
            let i = left.remove(next);
            world.spawn_platform(self.platforms[i].platform(i, symmetry, away)).unwrap();
        }
        let mut spawn = |(body, _): &(Body, bool)| {
            let at = symmetry.position(body.position.unwrap()) + away;
            let body =
                Body { shape: symmetry.shape(body.shape), velocity: symmetry.velocity(body.velocity), ..body.clone() };
            world.spawn(body.at(at)).unwrap()
        };
        self.bodies.iter().map(&mut spawn).collect()
    }

    fn steer(&self, world: &mut World, ids: &[BodyId], symmetry: Symmetry) {
        let tick = world.tick();
        for &Painted { tick: at, platform, tile, variant } in &self.painted {
            if at == tick {
                let painted = variant.map_or(TileId::EMPTY, |id| {
                    let variant = self.square.catalogue.variant(id);
                    let placed = variant.placement.then(symmetry.0);
                    TileId(self.square.catalogue.place(variant.pattern, placed).0 + 1)
                });
                let platform = world.find_platform(&platform.to_string()).unwrap();
                // The last tile is not painted away.
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

fn moment(world: &World, id: BodyId) -> (Position, DVec2, bool, bool, String) {
    let state = &world[id];
    let name = |id: PlatformId| world.platform(id).unwrap().platform().name.clone();
    let ride = world.ride(id).map(name).unwrap_or_default();
    // Both zeros are the same motion.
    (state.position(), state.velocity() + DVec2::ZERO, state.on_floor(), state.is_stuck(), ride)
}

/// Where each platform is and whether it is there, by their numbers.
fn platforms(world: &World) -> Vec<(Position, bool)> {
    let mut all: Vec<_> = world.platforms().map(|(_, state)| (&state.platform().name, state)).collect();
    all.sort_by_key(|(name, _)| *name);
    all.into_iter().map(|(_, state)| (state.position(), state.is_there())).collect()
}

/// Some plans; `SUREFOOT_PLATFORMS` is how many.
fn plans(everyday: u64) -> u64 {
    std::env::var("SUREFOOT_PLATFORMS").map_or(everyday, |plans| plans.parse().unwrap())
}

#[test]
fn mirrored_turned_shifted_and_reversed_platforms_give_the_same_bits() {
    let mut random = Random(0x5EED_0515);
    let plain = Symmetry(Placement::default());
    let (mut rides, mut gone, mut differ) = (0, 0, Vec::new());
    for number in 0..plans(12) {
        let plan = Plan::random(&mut random);
        let (mut world, ids) = plan.world(plain, (0, 0), false);
        let mut expected = Vec::new();
        for _ in 0..200 {
            plan.steer(&mut world, &ids, plain);
            world.step();
            rides += ids.iter().filter(|id| world.ride(**id).is_some()).count();
            let bodies: Vec<_> = ids.iter().map(|id| moment(&world, *id)).collect();
            gone += platforms(&world).iter().filter(|(_, is_there)| !is_there).count();
            expected.push((bodies, platforms(&world)));
        }
        let others = Symmetry::all().map(|symmetry| (symmetry, (0, 0), true));
        'other: for (symmetry, shift, reversed) in others.chain([(plain, (1_000_000, -999_999), false)]) {
            let (mut other, others) = plan.world(symmetry, shift, reversed);
            let away = I64Vec2::new(i64::from(shift.0), i64::from(shift.1)) * ONE;
            for (tick, (bodies, moved)) in expected.iter().enumerate() {
                plan.steer(&mut other, &others, symmetry);
                other.step();
                let there = |&(at, is_there): &(Position, bool)| (symmetry.position(at) + away, is_there);
                let moved: Vec<_> = moved.iter().map(there).collect();
                assert_eq!(platforms(&other), moved, "plan {number}, {symmetry:?} by {shift:?}, tick {tick}");
                for (i, (id, (position, velocity, on_floor, stuck, ride))) in others.iter().zip(bodies).enumerate() {
                    let there = symmetry.position(*position) + away;
                    let turned = (there, symmetry.velocity(*velocity) + DVec2::ZERO, *on_floor, *stuck, ride.clone());
                    let found = moment(&other, *id);
                    if found != turned {
                        differ.push(format!(
                            "plan {number}, {symmetry:?} by {shift:?}, tick {tick}, body {i} {:?}: {found:?} and not {turned:?}",
                            plan.bodies[i].0
                        ));
                        continue 'other;
                    }
                }
            }
        }
    }
    assert!(differ.is_empty(), "{} differ: {}", differ.len(), differ.join("\n"));
    assert!(rides > 40 && gone > 40, "{rides} {gone}");
}

#[test]
fn a_world_that_is_saved_and_brought_back_in_every_tick_goes_on_alike() {
    let mut random = Random(0x5EED_0516);
    let plain = Symmetry(Placement::default());
    for number in 0..plans(12) {
        let plan = Plan::random(&mut random);
        let (mut world, ids) = plan.world(plain, (0, 0), false);
        let (mut other, _) = plan.world(plain, (0, 0), false);
        let mut kept = Snapshot::default();
        for tick in 0..120 {
            plan.steer(&mut world, &ids, plain);
            plan.steer(&mut other, &ids, plain);
            world.step();
            other.step();
            assert_eq!(world.checksum(), other.checksum(), "plan {number} tick {tick}");
            assert_eq!(world.events(), other.events(), "plan {number} tick {tick}");
            for id in &ids {
                assert_eq!(world[*id].velocity(), other[*id].velocity(), "plan {number} tick {tick}");
            }
            match tick % 4 {
                0 => {
                    other.save(&mut kept);
                    let mut begun = World::new(other.map().clone(), other.settings());
                    begun.load(&kept).unwrap();
                    other = begun;
                }
                1 => {
                    let read = Snapshot::from_bytes(&other.snapshot().to_bytes()).unwrap();
                    assert_eq!(read.first_difference(&other.snapshot()), None);
                    other.load(&read).unwrap();
                }
                2 => {
                    let read = Snapshot::from_ron(&other.snapshot().to_ron().unwrap()).unwrap();
                    let mut begun = World::new(other.map().clone(), other.settings());
                    begun.load(&read).unwrap();
                    other = begun;
                }
                _ => {
                    // Back by a tick, and again.
                    let before = other.snapshot();
                    other.step();
                    other.load(&before).unwrap();
                    other = other.clone();
                }
            }
        }
    }
}

/// The tiles of a map as a source gives them.
struct OfMap(Map);

impl TileSource for OfMap {
    fn fill(&self, layer: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
        for (i, cell) in (0..).zip(cells) {
            let tile = (chunk.0 * 32 + i % 32, chunk.1 * 32 + i / 32);
            *cell = self.0.tile_at(layer, tile).unwrap_or_default();
        }
    }
}

/// What is loaded never shows: platforms move bodies over a streamed world as over a map, and while nothing around them is
/// loaded.
#[test]
fn a_streamed_world_with_platforms_goes_on_as_a_map() {
    let mut random = Random(0x5EED_0517);
    let plain = Symmetry(Placement::default());
    let mut carried = 0;
    for number in 0..plans(12) {
        let mut plan = Plan::random(&mut random);
        // So fast that it loads on its way, before all others.
        let fast = Body::new(Shape::circle(0.2)).at((0.5, 0.5)).bounce(1.0).gravity_scale(0.0).moving((2000.0, 900.0));
        plan.bodies.insert(0, (fast, false));
        // Across the borders of chunks, far from each other.
        for (i, platform) in plan.platforms.iter_mut().enumerate() {
            platform.at.x += 60 * ONE * (i as i64 % 2);
            if let Motion::Path(path) = &mut platform.motion {
                path.points.push(Position::new(70.0, 3.0).unwrap());
            }
            // A world without end has no side to fall out at.
            if let OnRide::Fall { after, back } = platform.on_ride {
                platform.on_ride = OnRide::Crumble { after, back };
            }
        }
        let map = plan.square.map(plain, (0, 0));
        let mut parts = map.into_parts();
        parts.sides = Default::default();
        let map = Map::from_parts(parts).unwrap();
        let streamed = World::streamed(map.clone(), Arc::new(OfMap(map.clone())), plain.settings());
        let mut worlds = [World::new(map, plain.settings()), streamed];
        let ids = worlds.each_mut().map(|world| plan.fill(world, plain, (0, 0), false));
        for tick in 0..200 {
            for (world, ids) in worlds.iter_mut().zip(&ids) {
                plan.steer(world, ids, plain);
                world.step();
            }
            for (one, other) in ids[0].iter().zip(&ids[1]) {
                assert_eq!(moment(&worlds[0], *one), moment(&worlds[1], *other), "plan {number} tick {tick}");
                carried += u32::from(worlds[1].ride(*other).is_some());
            }
            assert!(worlds[1].terrain().loaded_chunks() < 200);
        }
    }
    assert!(carried > 20, "{carried}");
}

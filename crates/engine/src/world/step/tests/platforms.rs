//! Random platforms in random terrain, every sub-move under the oracle in the frame of every source.

use super::super::super::platforms::Pressed;
use super::*;
use crate::body::{Body, Input};
use crate::catalogue::{Catalogue, Kind as PatternKind};
use crate::map::{Beyond, Layer, Map, MapParts, Sides, TileId, TileKind};
use crate::motion::{Owner, SubMove};
use crate::platform::{Easing, OnCrush, Pace, Path as Way, Platform, PlatformId, Repeat};
use crate::testing::Random;
use std::collections::BTreeMap;
use surefoot_oracle as oracle;

const SIDE: u32 = 14;

/// How deep a circle may seem on its way, in units: what f64 leaves of the depth of a disc between its ends.
const DEPTH: f64 = 64.0;

fn tuple(v: I64Vec2) -> (i64, i64) {
    (v.x, v.y)
}

fn paint(scene: &mut oracle::Scene, catalogue: &Catalogue, layer: &Layer, kinds: &[TileKind]) {
    let (left, bottom) = layer.origin;
    for tile in (0..layer.size.1 as i32).flat_map(|y| (0..layer.size.0 as i32).map(move |x| (left + x, bottom + y))) {
        let Some(id) = kinds[usize::from(layer.at(tile).0)].variant else { continue };
        let variant = catalogue.variant(id);
        let pattern = catalogue.pattern(variant.pattern);
        let point = |&(x, y): &(i8, i8)| (i32::from(x), i32::from(y));
        let paths: Vec<Vec<(i32, i32)>> = pattern.paths.iter().map(|path| path.iter().map(point).collect()).collect();
        let kind = match pattern.kind {
            PatternKind::Solid => oracle::Kind::Solid,
            PatternKind::Open => oracle::Kind::Open,
            PatternKind::Wall => oracle::Kind::Wall,
        };
        scene.paint(tile, kind, &paths, variant.placement.mirrored(), variant.placement.turns());
    }
}

fn noise(random: &mut Random, side: u32, filled: f64, variants: usize) -> Layer {
    let mut layer = Layer::new(Layer::ONLY, side, side);
    for cell in &mut layer.cells {
        if random.range(0.0, 1.0) < filled {
            *cell = TileId(1 + random.index(variants) as u16);
        }
    }
    layer
}

/// What is judged of a run.
#[derive(Debug, Default)]
struct Judged {
    ticks: u64,
    steps: u64,
    sub_moves: u64,
    skipped: u64,
    pushed: u64,
    crushes: u64,
    rides: u64,
    rode: u64,
    faults: Vec<String>,
}

struct Run {
    world: World,
    terrain: oracle::Scene,
    platforms: BTreeMap<u32, oracle::Scene>,
    ids: Vec<PlatformId>,
    bodies: Vec<(BodyId, oracle::Shape)>,
}

impl Run {
    /// Platforms in terrain of which at most that part is filled.
    fn new(random: &mut Random, most: f64) -> Option<Run> {
        let catalogue = Catalogue::builtin();
        let mut parts = MapParts::new(1, 1);
        parts.kinds = TileKind::every_variant(&catalogue);
        parts.sides = Sides { left: Beyond::Solid, right: Beyond::Solid, bottom: Beyond::Solid, top: Beyond::Solid };
        let variants = parts.kinds.len() - 1;
        parts.layers = {
            let filled = random.range(0.0, most);
            vec![noise(random, SIDE, filled, variants)]
        };
        let map = Map::from_parts(parts.clone()).ok()?;
        let mut terrain = oracle::Scene::new();
        paint(&mut terrain, &catalogue, &parts.layers[0], &parts.kinds);
        for (side, tile) in [
            (oracle::Side::Left, 0),
            (oracle::Side::Right, SIDE as i32),
            (oracle::Side::Bottom, 0),
            (oracle::Side::Top, SIDE as i32),
        ] {
            terrain.solid_beyond(side, tile);
        }
        let mut world = World::new(map, Settings::default());
        let (mut platforms, mut ids) = (BTreeMap::new(), Vec::new());
        for slot in 0..2 + random.below(5) as u32 {
            let (side, filled) = ([2, 4][random.index(2)], random.range(0.3, 1.0));
            let layer = noise(random, side, filled, variants);
            let mut scene = oracle::Scene::new();
            paint(&mut scene, &catalogue, &layer, &parts.kinds);
            let coordinate = |random: &mut Random| {
                let at = random.range(0.0, f64::from(SIDE));
                if random.below(2) == 0 { at.floor() } else { at }
            };
            let points = (0..2 + random.below(2))
                .map(|_| Position::new(coordinate(random) - 7.0, coordinate(random) - 7.0).unwrap_or(Position::ORIGIN));
            let path = Way {
                points: points.collect(),
                pace: Pace::Speed([0.01, 0.5, 3.0, 8.0, 20.0, 60.0][random.index(6)]),
                repeat: [Repeat::Loop, Repeat::PingPong][random.index(2)],
                easing: [Easing::Linear, Easing::Smooth][random.index(2)],
                ..Way::default()
            };
            let platform = Platform::new(vec![layer])
                .at((coordinate(random), coordinate(random)))
                .ok()?
                .along(path)
                .on_crush([OnCrush::Stop, OnCrush::GoOn][random.index(2)])
                .named(slot.to_string());
            // One in four goes along with another one.
            let to = random.below(4 * u64::from(slot.max(1))) as u32;
            let platform = if to < slot { platform.attached_to(to.to_string()) } else { platform };
            // Empty tiles, and points that are all equal, are refused.
            ids.push(world.spawn_platform(platform).ok()?);
            platforms.insert(slot, scene);
        }
        let mut bodies = Vec::new();
        for _ in 0..10 {
            let size = random.range(0.05, 0.6);
            let shape =
                if random.below(2) == 0 { Shape::circle(size) } else { Shape::aabb(size, random.range(0.05, 0.6)) };
            let at = Position::new(random.range(1.0, 13.0), random.range(1.0, 13.0)).ok()?;
            let judged = oracle_shape(shape);
            if terrain.overlap(&judged, tuple(at.units())).is_some()
                || terrain.straddles_wall(&judged, tuple(at.units()))
            {
                continue;
            }
            let body = Body::new(shape).at(at);
            let body = match random.below(5) {
                0 => body.bounce([0.5, 0.8][random.index(2)]),
                1 => body.friction([0.0, 0.3, 1.0][random.index(3)]),
                2 => body.gravity_scale(0.0).moving((random.range(-9.0, 9.0), random.range(-9.0, 9.0))),
                _ => body.character(Character::default()),
            };
            bodies.push((world.spawn(body).ok()?, judged));
        }
        Some(Run { world, terrain, platforms, ids, bodies })
    }

    /// Changes the input of some bodies, in another world too.
    fn choose_inputs(&mut self, random: &mut Random, mut twin: Option<&mut World>) {
        for (id, _) in &self.bodies {
            if random.below(20) == 0 {
                let walk = [-127, -127, 0, 127, 127][random.index(5)];
                let input = Input { walk, jump: random.below(3) == 0, down: random.below(8) == 0, ..Input::default() };
                self.world.set_input(*id, input);
                if let Some(twin) = &mut twin {
                    twin.set_input(*id, input);
                }
            }
        }
    }

    /// Makes a tick, and judges it.
    fn step(&mut self, random: &mut Random, judged: &mut Judged) {
        self.choose_inputs(random, None);
        let Run { world, terrain, platforms, ids, bodies } = self;
        let starts: Vec<Position> = bodies.iter().map(|(id, _)| world.bodies[*id].now.position).collect();
        let drops: Vec<bool> = bodies.iter().map(|(id, _)| world.bodies[*id].drops()).collect();
        world.step();
        judged.ticks += 1;
        judged.crushes += world.events().iter().filter(|e| matches!(e.kind, EventKind::Crushed { .. })).count() as u64;
        for (i, (id, shape)) in bodies.iter().enumerate() {
            judged.steps += 1;
            let state = &world.bodies[*id];
            if state.now.stuck || drops[i] {
                judged.skipped += 1;
                continue;
            }
            let mut fault = |what: String| {
                if judged.faults.len() < 10 {
                    judged
                        .faults
                        .push(format!("tick {} {id:?} {shape:?} {:?}: {what}", world.tick, state.kind.response));
                }
            };
            let pairs = world.platforms.pairs.iter().filter(|pair| pair.body == *id && pair.state != Pressed::Stopped);
            let ignored: Vec<PlatformId> = pairs.map(|pair| pair.platform).collect();
            let passes = |slot: u32| ignored.iter().any(|id| world.platforms.slot_of(*id) == Some(slot));
            let none: (&[_], &[u32]) = (&[], &[]);
            let (made, at_start) = world
                .scratch
                .carries
                .made()
                .find(|(body, ..)| body == id)
                .map_or(none, |(_, made, ignored)| (made, ignored));
            let mut at = starts[i];
            // A rider that was alone with its platform went with it in one part, and all platforms on their ways.
            let rode = world.scratch.carries.rode.iter().find(|(body, ..)| body == id).map(|(_, from, part)| {
                let platforms = ids.iter().enumerate().map(|(slot, platform)| {
                    let now = &world.platforms.get(*platform).unwrap().now;
                    (Owner::Platform(slot as u32), now.previous, now.made)
                });
                let terrain = (Owner::Terrain, I64Vec2::ZERO, I64Vec2::ZERO);
                SubMove { from: *from, part: *part, sources: std::iter::once(terrain).chain(platforms).collect() }
            });
            judged.rode += u64::from(rode.is_some());
            let made = rode.as_ref().map_or(made, std::slice::from_ref);
            for part in made {
                judged.sub_moves += 1;
                if part.from != at {
                    fault(format!("a part begins at {} and not at {at}", part.from));
                }
                at = part.from + part.part;
                judged.pushed += u64::from(part.part != I64Vec2::ZERO);
                for &(owner, origin, moved) in &part.sources {
                    let scene = match owner {
                        Owner::Terrain => &*terrain,
                        Owner::Platform(slot) => &platforms[&slot],
                    };
                    let from = part.from.units() - origin;
                    if let Some(what) = judge(scene, shape, from, from + part.part - moved) {
                        fault(format!("carried in {owner:?}: {what}"));
                    }
                }
            }
            let own = if made.iter().any(|part| part.part != I64Vec2::ZERO) && state.path().first() == Some(&at) {
                &state.path()[1..]
            } else {
                state.path()
            };
            for &to in own {
                judged.sub_moves += 1;
                let sources = std::iter::once((None, &*terrain, I64Vec2::ZERO)).chain(ids.iter().enumerate().map(
                    |(slot, platform)| {
                        (
                            Some(slot as u32),
                            &platforms[&(slot as u32)],
                            world.platforms.get(*platform).unwrap().now.origin,
                        )
                    },
                ));
                for (slot, scene, origin) in sources {
                    if slot.is_some_and(|slot| at_start.contains(&slot) || passes(slot)) {
                        continue;
                    }
                    if let Some(what) = judge(scene, shape, at.units() - origin, to.units() - origin) {
                        fault(format!("moving by {slot:?}: {what}"));
                    }
                }
                at = to;
            }
            if at != state.now.position {
                fault(format!("its way ends at {at} and not at {}", state.now.position));
            }
            if !state.velocity().is_finite() || state.velocity().abs().max_element() > 2_000.0 {
                fault(format!("a velocity of {}", state.velocity()));
            }
            judged.rides += u64::from(world.ride(*id).is_some());
        }
    }
}

fn oracle_shape(shape: Shape) -> oracle::Shape {
    if shape.is_circle() {
        oracle::Shape::Circle { radius: shape.half().x }
    } else {
        oracle::Shape::Box { half: tuple(shape.half()) }
    }
}

/// What is wrong with a straight part of a way in a source.
fn judge(scene: &oracle::Scene, shape: &oracle::Shape, from: I64Vec2, to: I64Vec2) -> Option<String> {
    if let Some(overlap) = scene.overlap(shape, tuple(to)) {
        return Some(format!("{overlap:?} from {from} to {to}"));
    }
    if from == to {
        return None;
    }
    match *shape {
        oracle::Shape::Box { half } => {
            if let Some(overlap) = scene.path_overlap(half, tuple(from), tuple(to)) {
                return Some(format!("on the way {overlap:?} from {from} to {to}"));
            }
        }
        oracle::Shape::Circle { radius } => {
            let depth = scene.circle_path_depth(radius, tuple(from), tuple(to));
            if depth > DEPTH {
                return Some(format!("{depth} units deep on the way from {from} to {to}"));
            }
        }
    }
    scene.crossed(shape, tuple(from), tuple(to)).map(|crossing| format!("{crossing:?} from {from} to {to}"))
}

/// The everyday slice; `SUREFOOT_PLATFORMS` is how many plans.
#[test]
fn nothing_enters_or_crosses_anything_among_platforms() {
    let plans = std::env::var("SUREFOOT_PLATFORMS").map_or(40, |plans| plans.parse::<u64>().unwrap());
    let first = std::env::var("SUREFOOT_PLATFORMS_SEED").map_or(1, |seed| seed.parse::<u64>().unwrap());
    let mut judged = Judged::default();
    for seed in first..first + plans {
        let mut random = Random(seed);
        let Some(mut run) = Run::new(&mut random, 0.25) else { continue };
        for _ in 0..250 {
            run.step(&mut random, &mut judged);
        }
        assert!(judged.faults.is_empty(), "seed {seed}: {:#?}", judged.faults);
    }
    println!("{judged:?}");
    assert!(
        judged.pushed * 50 > judged.steps && judged.crushes * 1000 > judged.steps && judged.rides * 50 > judged.steps
    );
    assert!(judged.rode * 500 > judged.steps, "{judged:?}");
}

/// A world, and a twin that knows nothing of what its bodies did before: of what they are alone with, and of what is around them.
#[test]
fn what_is_known_of_bodies_among_platforms_shows_in_nothing() {
    let plans = std::env::var("SUREFOOT_PLATFORMS").map_or(12, |plans| plans.parse::<u64>().unwrap());
    let (mut rode, mut off) = (0, 0);
    for seed in 1..=plans {
        let mut random = Random(seed);
        // Thin terrain has room for riders.
        let Some(mut run) = Run::new(&mut random, [0.02, 0.25][(seed % 2) as usize]) else { continue };
        let mut twin = run.world.clone();
        for tick in 0..250 {
            run.choose_inputs(&mut random, Some(&mut twin));
            run.world.step();
            twin.step_plainly(tick % 2 == 0);
            for (id, state) in run.world.bodies() {
                let other = &twin[id];
                assert_eq!(state.path(), other.path(), "seed {seed} tick {tick} {id:?}");
                assert_eq!(state.now, other.now, "seed {seed} tick {tick} {id:?}");
                assert_eq!(state.touched(), other.touched(), "seed {seed} tick {tick} {id:?}");
                assert_eq!(state.velocity(), other.velocity(), "seed {seed} tick {tick} {id:?}");
                off += u64::from(state.known.alone == Alone::OffPlatforms);
            }
            assert_eq!(run.world.checksum(), twin.checksum(), "seed {seed} tick {tick}");
            assert_eq!(run.world.events(), twin.events(), "seed {seed} tick {tick}");
            rode += run.world.scratch.carries.rode.len();
        }
    }
    assert!(rode > 20 * plans as usize && off > 200 * plans, "{rode} {off}");
}

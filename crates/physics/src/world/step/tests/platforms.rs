//! Random platforms in random terrain. An oracle judges every sub-move in the frame of every terrain and platform.

use super::super::super::platforms::{Pair, Pressed};
use super::*;
use crate::body::{Body, Character, Input};
use crate::catalogue::{Catalogue, PatternKind};
use crate::map::{Border, Borders, Map, MapParts, Material, TileId, TileKind, TileLayer};
use crate::motion::{Owner, SubMove, Up};
use crate::platform::{CirclePath, Easing, OnCrush, OnRide, Path as Way, PathTiming, Platform, PlatformId, Repeat};
use crate::terrain::{TileBounds, TileSource};
use crate::testing::Random;
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot_oracle as oracle;

const SIDE: u32 = 14;

/// Lower left tile of a streamed terrain, with borders of chunks through its middle.
const CORNER: (i32, i32) = (25, -7);

/// Terrain whose chunks are loaded as bodies come near.
struct Streamed(TileLayer);

impl TileSource for Streamed {
    fn fill(&self, _: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
        for (i, cell) in (0..).zip(cells) {
            *cell = self.0.tile_at((32 * chunk.0 + i % 32, 32 * chunk.1 + i / 32));
        }
    }

    fn bounds(&self) -> Option<TileBounds> {
        Some(TileBounds { origin: CORNER, size: (SIDE, SIDE) })
    }
}

/// Largest overlap of a circle during its motion that rounding of f64 may make, in units.
const DEPTH: f64 = 64.0;

fn tuple(v: I64Vec2) -> (i64, i64) {
    (v.x, v.y)
}

/// Paints the tiles of a layer that bodies hit. If `drops`, without the tiles that may be dropped through.
fn paint(scene: &mut oracle::Scene, catalogue: &Catalogue, layer: &TileLayer, kinds: &[TileKind], drops: bool) {
    let (left, bottom) = layer.origin;
    for tile in (0..layer.size.1 as i32).flat_map(|y| (0..layer.size.0 as i32).map(move |x| (left + x, bottom + y))) {
        let kind = &kinds[usize::from(layer.tile_at(tile).0)];
        let Some(id) = kind.variant.filter(|_| !(drops && kind.drop_through)) else { continue };
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

fn noise(random: &mut Random, side: u32, filled: f64, variants: usize) -> TileLayer {
    let mut layer = TileLayer::new(TileLayer::DEFAULT_NAME, side, side);
    for cell in &mut layer.cells {
        if random.range(0.0, 1.0) < filled {
            *cell = TileId(1 + random.index(variants) as u16);
        }
    }
    layer
}

/// Returns whether a layer has tiles in or around the cells on the path of a body.
fn shows(layer: &TileLayer, kinds: &[TileKind], size: I64Vec2, from: I64Vec2, to: I64Vec2) -> bool {
    let origin = I64Vec2::new(i64::from(layer.origin.0), i64::from(layer.origin.1)) * ONE;
    let (from, to) = (from - origin, to - origin);
    let low: I64Vec2 = (from.min(to) - size - ONE) >> 32_i64;
    let high: I64Vec2 = (from.max(to) + size + ONE) >> 32_i64;
    let is_outside = layer.size.0 == SIDE && (low.min_element() < 0 || high.max_element() >= i64::from(SIDE));
    let cells = (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| (x as i32, y as i32)));
    let mut inside =
        cells.filter(|(x, y)| (0..layer.size.0 as i32).contains(x) && (0..layer.size.1 as i32).contains(y));
    is_outside
        || inside.any(|(x, y)| {
            let cell = (layer.origin.0 + x, layer.origin.1 + y);
            kinds[usize::from(layer.tile_at(cell).0)].variant.is_some()
        })
}

/// Counts of a run, and the faults found.
#[derive(Debug, Default)]
struct Judged {
    ticks: u64,
    steps: u64,
    sub_moves: u64,
    /// Steps of stuck bodies, which are not judged.
    skipped: u64,
    /// Steps of bodies that dropped through one-way tiles.
    drops: u64,
    /// Pairs that pass through each other, which are not judged.
    ignored: u64,
    pushed: u64,
    crushes: u64,
    rides: u64,
    /// Steps of riders that were alone with their platform.
    rode: u64,
    /// Steps of bodies on one platform with nothing in their way. They must keep their position on it.
    carried: u64,
    actions: u64,
    faults: Vec<String>,
}

/// Tiles that bodies hit, all of them and without those that may be dropped through.
struct Scenes {
    whole: oracle::Scene,
    dropped: oracle::Scene,
}

impl Scenes {
    fn new(layer: &TileLayer, kinds: &[TileKind]) -> Scenes {
        let catalogue = Catalogue::builtin();
        let [mut whole, mut dropped] = [oracle::Scene::new(), oracle::Scene::new()];
        paint(&mut whole, &catalogue, layer, kinds, false);
        paint(&mut dropped, &catalogue, layer, kinds, true);
        Scenes { whole, dropped }
    }

    /// The terrain, solid beyond all sides.
    fn of_terrain(layer: &TileLayer, kinds: &[TileKind]) -> Scenes {
        let mut terrain = Scenes::new(layer, kinds);
        let (left, bottom) = layer.origin;
        for scene in [&mut terrain.whole, &mut terrain.dropped] {
            for (side, tile) in [
                (oracle::Side::Left, left),
                (oracle::Side::Right, left + SIDE as i32),
                (oracle::Side::Bottom, bottom),
                (oracle::Side::Top, bottom + SIDE as i32),
            ] {
                scene.add_solid_beyond(side, tile);
            }
        }
        terrain
    }

    fn of(&self, drops: bool) -> &oracle::Scene {
        if drops { &self.dropped } else { &self.whole }
    }
}

struct Run {
    world: World,
    kinds: Vec<TileKind>,
    ground: TileLayer,
    terrain: Scenes,
    /// Platforms by their slots.
    platforms: BTreeMap<u32, (PlatformId, Scenes)>,
    bodies: Vec<(BodyId, oracle::Shape)>,
    /// Number of platforms with a name so far.
    names: u32,
    /// Tile edits also change the terrain.
    paints: bool,
}

fn coordinate(random: &mut Random) -> f64 {
    let at = random.range(0.0, f64::from(SIDE));
    if random.below(2) == 0 { at.floor() } else { at }
}

impl Run {
    /// Platforms in terrain that is filled to at most the fraction `most`.
    fn new(random: &mut Random, most: f64) -> Option<Run> {
        Run::over(random, most, false)
    }

    /// Platforms in terrain that is filled to at most the fraction `most`. If `is_streamed`, chunks are loaded as
    /// bodies come near.
    fn over(random: &mut Random, most: f64, is_streamed: bool) -> Option<Run> {
        let catalogue = Catalogue::builtin();
        let mut parts = MapParts::new(1, 1);
        parts.kinds = TileKind::every_variant(&catalogue);
        if random.one_in(2) {
            // Add each kind again, perhaps with a belt, and with drop-through if it is a one-way tile.
            let plain = parts.kinds.clone();
            for kind in plain.into_iter().filter(|kind| kind.variant.is_some()) {
                let is_open = kind.variant.is_some_and(|id| catalogue.variant(id).kind == PatternKind::Open);
                let velocity = [0.0, 0.0, 3.0, -7.7][random.index(4)];
                let surface = Material { belt_velocity: velocity, ..Material::default() };
                parts.kinds.push(TileKind { drop_through: is_open, material: surface, ..kind });
            }
        }
        parts.borders =
            Borders { left: Border::Solid, right: Border::Solid, bottom: Border::Solid, top: Border::Solid };
        parts.layers = {
            let filled = random.range(0.0, most);
            vec![noise(random, SIDE, filled, parts.kinds.len() - 1)]
        };
        let map = Map::from_parts(parts.clone()).ok()?;
        let mut ground = parts.layers.remove(0);
        let world = if is_streamed {
            ground.origin = CORNER;
            let template = MapParts { layers: MapParts::new(1, 1).layers, ..parts.clone() };
            let source = Arc::new(Streamed(ground.clone()));
            World::streamed(Map::from_parts(template).ok()?, source, Settings::default())
        } else {
            World::new(map, Settings::default())
        };
        let terrain = Scenes::of_terrain(&ground, &parts.kinds);
        let (platforms, bodies) = (BTreeMap::new(), Vec::new());
        let mut run = Run { world, kinds: parts.kinds, ground, terrain, platforms, bodies, names: 0, paints: false };
        for _ in 0..2 + random.below(5) {
            run.spawn_platform(random);
        }
        (0..10).for_each(|_| run.spawn(random));
        Some(run)
    }

    /// A random position over the terrain, in tiles.
    fn place(&self, random: &mut Random) -> (f64, f64) {
        let (x, y) = (coordinate(random), coordinate(random));
        (x + f64::from(self.ground.origin.0), y + f64::from(self.ground.origin.1))
    }

    /// Adds a random platform, if the values make one.
    fn spawn_platform(&mut self, random: &mut Random) {
        let (side, filled) = ([2, 4][random.index(2)], random.range(0.3, 1.0));
        let layer = noise(random, side, filled, self.kinds.len() - 1);
        let points = (0..2 + random.below(2))
            .map(|_| Position::new(coordinate(random) - 7.0, coordinate(random) - 7.0).unwrap_or(Position::ORIGIN));
        let path = Way {
            points: points.collect(),
            timing: PathTiming::Speed([0.01, 0.5, 3.0, 8.0, 20.0, 60.0][random.index(6)]),
            repeat: [Repeat::Loop, Repeat::PingPong][random.index(2)],
            easing: [Easing::Linear, Easing::Smooth][random.index(2)],
            ..Way::default()
        };
        let platform = Platform::new(vec![layer.clone()]).at(self.place(random));
        if platform.position.is_err() {
            return;
        }
        let platform = match random.below(6) {
            0 => platform,
            1 => platform.circle(CirclePath {
                radius: random.range(0.3, 6.0),
                timing: PathTiming::Speed([0.5, 4.0, 20.0][random.index(3)]),
                clockwise: random.one_in(2),
                phase: random.range(0.0, 1.0),
            }),
            _ => platform.path(path),
        };
        let back = [None, Some(0.2), Some(1.0)][random.index(3)];
        let on_ride = match random.below(8) {
            0 => OnRide::Start,
            1 => OnRide::Fall { delay: 0.1, respawn_time: back },
            2 => OnRide::Crumble { delay: 0.1, respawn_time: back },
            _ => OnRide::Nothing,
        };
        let platform = platform
            .on_crush([OnCrush::Stop, OnCrush::PassThrough][random.index(2)])
            .on_ride(on_ride)
            .name(self.names.to_string());
        // One platform in four is attached to another one.
        let to = random.below(4 * u64::from(self.names.max(1))) as u32;
        let platform = if self.world.find_platform(&to.to_string()).is_some() {
            platform.attached_to(to.to_string())
        } else {
            platform
        };
        // Empty platforms, and paths with equal points, are refused.
        let Ok(id) = self.world.spawn_platform(platform) else { return };
        self.names += 1;
        let Some(slot) = self.world.platforms.slot_of(id) else { return };
        self.platforms.insert(slot, (id, Scenes::new(&layer, &self.kinds)));
    }

    /// Adds a random body at a free position.
    fn spawn(&mut self, random: &mut Random) {
        let size = random.range(0.05, 0.6);
        let shape = if random.below(2) == 0 { Shape::circle(size) } else { Shape::aabb(size, random.range(0.05, 0.6)) };
        let judged = oracle_shape(shape);
        let Some(at) = self.free(random, &judged) else { return };
        let body = Body::new(shape).at(at);
        let body = match random.below(5) {
            0 => body.bounce([0.5, 0.8][random.index(2)]),
            1 => body.friction([0.0, 0.3, 1.0][random.index(3)]),
            2 => body.gravity_scale(0.0).velocity((random.range(-9.0, 9.0), random.range(-9.0, 9.0))),
            _ => body.character(Character::default()),
        };
        self.bodies.extend(self.world.spawn(body).ok().map(|id| (id, judged)));
    }

    /// Returns a position at which a shape overlaps neither a solid nor a thin wall of the terrain.
    fn free(&self, random: &mut Random, shape: &oracle::Shape) -> Option<Position> {
        let (left, bottom) = self.ground.origin;
        let (x, y) = (random.range(1.0, 13.0), random.range(1.0, 13.0));
        let at = Position::new(x + f64::from(left), y + f64::from(bottom)).ok()?;
        let scene = &self.terrain.whole;
        let is_free =
            scene.overlap(shape, tuple(at.units())).is_none() && !scene.straddles_wall(shape, tuple(at.units()));
        is_free.then_some(at)
    }

    /// Gives a few random commands.
    fn act(&mut self, random: &mut Random, judged: &mut Judged) {
        for (id, _) in &self.bodies {
            if random.below(20) == 0 {
                let walk = [-127, -127, 0, 127, 127][random.index(5)];
                let input = Input { walk, jump: random.below(3) == 0, down: random.below(8) == 0, ..Input::default() };
                self.world.set_input(*id, input);
            }
        }
        if !random.one_in(12) {
            return;
        }
        judged.actions += 1;
        let slots: Vec<u32> = self.platforms.keys().copied().collect();
        let slot = slots.get(random.index(slots.len().max(1))).copied();
        let platform = slot.map(|slot| (slot, self.platforms[&slot].0));
        let at = self.place(random);
        match (random.below(if self.paints { 11 } else { 9 }), platform) {
            (0, _) => self.spawn(random),
            (1, _) if self.bodies.len() > 4 => {
                let (id, _) = self.bodies.remove(random.index(self.bodies.len()));
                assert!(self.world.despawn(id).is_ok());
            }
            (2, _) if !self.bodies.is_empty() => {
                let (id, shape) = self.bodies[random.index(self.bodies.len())];
                if let Some(at) = self.free(random, &shape) {
                    assert!(self.world.teleport(id, at).is_ok());
                }
            }
            (3, _) if self.platforms.len() < 8 => self.spawn_platform(random),
            (4, Some((slot, id))) if self.platforms.len() > 2 => {
                assert!(self.world.despawn_platform(id).is_ok());
                self.platforms.remove(&slot);
            }
            (5, Some((_, id))) => assert!(self.world.teleport_platform(id, at).is_ok()),
            (6, Some((_, id))) => {
                let Some(state) = self.world.platform(id) else { return };
                let from = state.position().to_dvec2();
                let to = (from.x + random.range(-2.0, 2.0), from.y + random.range(-2.0, 2.0));
                assert!(self.world.drive_platform(id, to).is_ok());
            }
            (7, Some((_, id))) if random.one_in(2) => assert!(self.world.resume_platform(id).is_ok()),
            (7, Some((_, id))) => assert!(self.world.pause_platform(id).is_ok()),
            (8, Some((slot, id))) => {
                let tile = (random.index(2) as i32, random.index(2) as i32);
                let painted = TileId(random.index(self.kinds.len()) as u16);
                // The last tile of a platform cannot be removed.
                let _ = self.world.set_platform_tile(id, 0, tile, painted);
                let Some(state) = self.world.platform(id) else { return };
                let scenes = Scenes::new(&state.platform().layers[0], &self.kinds);
                self.platforms.insert(slot, (id, scenes));
            }
            (9 | 10, _) => self.paint_terrain(random),
            _ => {}
        }
    }

    /// Edits a tile of the terrain. Half of the time the tile becomes empty, even under a body, so that the body
    /// falls. Otherwise it gets any kind, but only if no body is near.
    fn paint_terrain(&mut self, random: &mut Random) {
        let own: (i32, i32) = [(); 2].map(|()| random.below(u64::from(SIDE)) as i32).into();
        let tile = (own.0 + self.ground.origin.0, own.1 + self.ground.origin.1);
        let centre = I64Vec2::new(i64::from(tile.0), i64::from(tile.1)) * ONE + ONE / 2;
        // A body reaches up to 0.6 tiles from its centre, and the tile half a tile from its own: together less than the
        // 5/4 below.
        let is_near = |(id, _): &(BodyId, _)| {
            let off: I64Vec2 = self.world.bodies[*id].now.position.units() - centre;
            off.abs().max_element() < ONE * 5 / 4
        };
        let is_empty = random.one_in(2);
        let kind = if is_empty { TileId::EMPTY } else { TileId(random.index(self.kinds.len()) as u16) };
        if is_empty || !self.bodies.iter().any(is_near) {
            assert!(self.world.set_tile(0, tile, kind).is_ok());
            // A layer stores its cells row by row, the lowest row first.
            let painted = (own.1 * SIDE as i32 + own.0) as usize;
            self.ground.cells[painted] = kind;
            self.terrain = Scenes::of_terrain(&self.ground, &self.kinds);
        }
    }

    /// Returns the platform that a body stands on if it touches nothing else, and the platform's origin.
    fn platform_if_only_contact(&self, body: BodyId) -> Option<(PlatformId, I64Vec2)> {
        let ride = self.world.platform_under(body)?;
        let mut touched = self.world.contacts(body).iter();
        let origin = self.world.platforms.get(ride)?.now.origin;
        // A tile edit may have removed the support.
        let is_sure = !self.world.bodies[body].now.disturbed;
        (is_sure && touched.all(|contact| contact.platform == Some(ride))).then_some((ride, origin))
    }

    /// Makes a tick and judges it.
    fn step(&mut self, random: &mut Random, judged: &mut Judged) {
        self.act(random, judged);
        let alone: Vec<Option<(PlatformId, I64Vec2)>> =
            self.bodies.iter().map(|(id, _)| self.platform_if_only_contact(*id)).collect();
        let Run { world, kinds, ground, terrain, platforms, bodies, .. } = self;
        let starts: Vec<Position> = bodies.iter().map(|(id, _)| world.bodies[*id].now.position).collect();
        let speeds: Vec<f64> = bodies.iter().map(|(id, _)| world.bodies[*id].velocity().length()).collect();
        // If a platform stops, its rider keeps the platform's velocity. So the speed limit below counts the fastest
        // platform from before the step too.
        let fastest_of =
            |world: &World| world.platforms.shapes.iter().map(|shape| shape.velocity.length()).fold(0.0, f64::max);
        let fastest_before = fastest_of(world);
        let pairs_before: Vec<(BodyId, PlatformId)> =
            world.platforms.pairs.iter().map(|pair| (pair.body, pair.platform)).collect();
        let there_before: BTreeMap<PlatformId, I64Vec2> = world
            .platforms
            .iter()
            .filter(|(_, state)| state.is_present())
            .map(|(id, state)| (id, state.now.origin))
            .collect();
        let drops: Vec<bool> = bodies.iter().map(|(id, _)| world.bodies[*id].is_dropping_through()).collect();
        world.step();
        judged.ticks += 1;
        let fault = |faults: &mut Vec<String>, what: String| {
            if faults.len() < 10 {
                faults.push(format!("tick {} {what}", world.tick));
            }
        };
        for event in world.events() {
            let EventKind::Crushed { platform } = event.kind else { continue };
            judged.crushes += 1;
            let of = |pair: &&Pair| (pair.body, pair.platform) == (event.body, platform);
            let pair = world.platforms.pairs.iter().find(of).map(|pair| pair.state);
            let on_crush = world.platform(platform).map(|state| state.platform().on_crush);
            let is_pair = match pair {
                Some(Pressed::Stopped) => on_crush == Some(OnCrush::Stop),
                Some(Pressed::Ignored { .. }) => on_crush == Some(OnCrush::PassThrough),
                None => false,
            };
            if !is_pair || pairs_before.contains(&(event.body, platform)) {
                fault(&mut judged.faults, format!("{event:?}: {pair:?} {on_crush:?}"));
            }
        }
        // Each new pair has sent one event. Stuck bodies and platforms that have come back send none.
        for pair in &world.platforms.pairs {
            let (body, platform) = (pair.body, pair.platform);
            let crushed = EventKind::Crushed { platform };
            let told = world.events().iter().filter(|event| event.body == body && event.kind == crushed).count();
            let is_new = !pairs_before.contains(&(body, platform));
            let previous = world.platforms.get(platform).map(|state| &state.now.previous);
            let is_untold = world.bodies[body].now.stuck || there_before.get(&platform) != previous;
            if told > 1 || (is_new && told == 0 && !is_untold) {
                fault(&mut judged.faults, format!("{body:?} and {platform:?} are told of {told} times"));
            }
        }
        let fastest = fastest_of(world).max(fastest_before);
        for (i, (id, shape)) in bodies.iter().enumerate() {
            judged.steps += 1;
            let state = &world.bodies[*id];
            let mut fault = |what: String| {
                fault(&mut judged.faults, format!("{id:?} {shape:?} {:?}: {what}", state.kind.response));
            };
            let velocities = [state.velocity(), state.relative_velocity()];
            // A squeeze gives at most eight times the speed of the fastest participant. A jump, a belt and a tick of
            // gravity give less than 30 together.
            let most = 8.0 * (speeds[i] + fastest) + 30.0;
            if velocities.iter().any(|v| !v.is_finite() || v.length() > most) {
                fault(format!("a velocity of {velocities:?}"));
            }
            if !world.contacts(*id).iter().all(|contact| contact.normal.is_finite()) {
                fault("a normal that is not finite".into());
            }
            if state.now.stuck {
                judged.skipped += 1;
                continue;
            }
            judged.drops += u64::from(drops[i]);
            let pairs = world.platforms.pairs.iter().filter(|pair| pair.body == *id && pair.state != Pressed::Stopped);
            let ignored: Vec<PlatformId> = pairs.map(|pair| pair.platform).collect();
            judged.ignored += ignored.len() as u64;
            let passes = |slot: u32| ignored.iter().any(|id| world.platforms.slot_of(*id) == Some(slot));
            let none: (&[_], &[u32]) = (&[], &[]);
            let (made, at_start) = world
                .scratch
                .carries
                .sub_moves()
                .find(|(body, ..)| body == id)
                .map_or(none, |(_, made, ignored)| (made, ignored));
            let mut at = starts[i];
            // A rider that was near no other platform made a single sub-move. Judge it against all platforms.
            let rode = world.scratch.carries.rider_moves.iter().find(|(body, ..)| body == id).map(|(_, from, part)| {
                let platforms = platforms.iter().filter_map(|(slot, (platform, _))| {
                    let state = world.platforms.get(*platform).filter(|state| state.is_present())?;
                    Some((Owner::Platform(*slot), state.now.previous, state.now.made))
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
                        Owner::Terrain => &terrain.whole,
                        Owner::Platform(slot) => &platforms[&slot].1.whole,
                        Owner::Body(_) => return fault(format!("carried by {owner:?}")),
                    };
                    let from = part.from.units() - origin;
                    if let Some(what) = judge(scene, shape, None, from, from + part.part - moved) {
                        fault(format!("carried in {owner:?}: {what}"));
                    }
                }
            }
            // Platforms that the body can hit, with their origins and displacements.
            let is_met = |slot: &u32| !at_start.contains(slot) && !passes(*slot);
            let met: Vec<_> = platforms
                .iter()
                .filter(|(slot, _)| is_met(slot))
                .filter_map(|(slot, (platform, scenes))| {
                    let state = world.platforms.get(*platform).filter(|state| state.is_present())?;
                    Some((*slot, *platform, scenes, state.now.origin, state.now.made))
                })
                .collect();
            // A platform that jumped back to its start in this step carried no body, nor did the platforms attached to
            // it.
            let ride = alone[i].filter(|(platform, origin)| {
                world.platforms.get(*platform).is_some_and(|state| state.now.previous == *origin)
            });
            let ride = ride.map(|(platform, _)| platform);
            if let Some((.., step)) = met.iter().find(|(_, platform, ..)| Some(*platform) == ride) {
                let size = match *shape {
                    oracle::Shape::Box { half } => I64Vec2::from(half),
                    oracle::Shape::Circle { radius } => I64Vec2::splat(radius),
                };
                let start = starts[i].units();
                let others = met.iter().filter(|(_, platform, ..)| Some(*platform) != ride);
                let blocks = others
                    .filter_map(|(_, platform, _, origin, made)| {
                        let layer = &world.platforms.get(*platform)?.platform().layers[0];
                        Some(shows(layer, kinds, size, start - (*origin - *made), start + *step - *origin))
                    })
                    .chain([shows(ground, kinds, size, start, start + *step)])
                    .any(|shows| shows);
                if !blocks {
                    judged.carried += 1;
                    if at - starts[i] != *step {
                        fault(format!("carried by {} and not by {step}", at - starts[i]));
                    }
                }
            }
            let is_moved = made.iter().any(|part| part.part != I64Vec2::ZERO);
            // The path begins with the corners of the motion with platforms, up to `at`. The body's own motion follows.
            let came = state.path().iter().position(|end| *end == at).filter(|_| is_moved);
            let own = came.map_or(state.path(), |last| &state.path()[last + 1..]);
            let own_start = at;
            for &to in own {
                judged.sub_moves += 1;
                // Start and end of the motion with platforms, seen from each platform.
                let before = |origin: I64Vec2, made: I64Vec2| {
                    Some((starts[i].units() - (origin - made), own_start.units() - origin))
                };
                let around = met
                    .iter()
                    .map(|(slot, _, scenes, origin, made)| (Some(*slot), *scenes, *origin, before(*origin, *made)));
                for (slot, scenes, origin, before) in around.chain([(None, &*terrain, I64Vec2::ZERO, None)]) {
                    let scene = scenes.of(drops[i]);
                    if let Some(what) = judge(scene, shape, before, at.units() - origin, to.units() - origin) {
                        fault(format!("moving by {slot:?}: {what}"));
                    }
                }
                at = to;
            }
            if at != state.now.position {
                fault(format!("its way ends at {at} and not at {}", state.now.position));
            }
            judged.rides += u64::from(world.platform_under(*id).is_some());
        }
    }
}

fn oracle_shape(shape: Shape) -> oracle::Shape {
    if shape.is_circle() {
        oracle::Shape::Circle { radius: shape.half_units().x }
    } else {
        oracle::Shape::Box { half: tuple(shape.half_units()) }
    }
}

/// Returns what is wrong with a straight part of a path in the frame of one source. A one-way tile may be crossed if
/// that tile, or one joined to it, passed the body on its motion from `before` to the start of its own move.
fn judge(
    scene: &oracle::Scene,
    shape: &oracle::Shape,
    before: Option<(I64Vec2, I64Vec2)>,
    from: I64Vec2,
    to: I64Vec2,
) -> Option<String> {
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
    let crossing = scene.find_crossing(shape, tuple(from), tuple(to))?;
    let comes_past =
        before.is_some_and(|(before, start)| scene.crosses_legally(shape, tuple(before), tuple(start), &crossing));
    (crossing.manner == oracle::Manner::Wall || !comes_past).then(|| format!("{crossing:?} from {from} to {to}"))
}

/// `SUREFOOT_PLATFORMS` sets the number of plans; the default is the everyday slice.
#[test]
fn no_body_enters_or_crosses_terrain_or_platforms() {
    let plans = std::env::var("SUREFOOT_PLATFORMS").map_or(40, |plans| plans.parse::<u64>().unwrap());
    let first = std::env::var("SUREFOOT_PLATFORMS_SEED").map_or(1, |seed| seed.parse::<u64>().unwrap());
    let mut judged = Judged::default();
    // These two seeds found a fault that thousands of others did not.
    for seed in (first..first + plans).chain([21_030, 70_667]) {
        let mut random = Random(seed);
        let Some(mut run) = Run::over(&mut random, 0.25, seed % 5 == 4) else { continue };
        run.paints = seed % 2 == 1;
        for _ in 0..250 {
            run.step(&mut random, &mut judged);
        }
        assert!(judged.faults.is_empty(), "seed {seed}: {:#?}", judged.faults);
    }
    println!("{judged:?}");
    assert!(judged.skipped * 100 < judged.steps, "{judged:?}");
    assert!(
        judged.pushed * 50 > judged.steps && judged.crushes * 1000 > judged.steps && judged.rides * 50 > judged.steps
    );
    assert!(judged.carried * 1000 > judged.steps && judged.drops > 0 && judged.actions > judged.ticks / 20);
    assert!(judged.rode * 500 > judged.steps, "{judged:?}");
}

/// Compares a world with a twin that has no caches from earlier ticks.
#[test]
fn caches_of_bodies_among_platforms_do_not_affect_results() {
    let plans = std::env::var("SUREFOOT_PLATFORMS").map_or(12, |plans| plans.parse::<u64>().unwrap());
    let (mut rode, mut off) = (0, 0);
    for seed in 1..=plans {
        let mut random = Random(seed);
        // Sparse terrain has room for riders.
        let Some(mut run) = Run::new(&mut random, [0.02, 0.25][(seed % 2) as usize]) else { continue };
        run.paints = seed % 3 == 0;
        let mut twin = run.world.clone();
        for tick in 0..250 {
            let known = run.world.pending().len();
            run.act(&mut random, &mut Judged::default());
            for command in &run.world.pending()[known..] {
                assert!(twin.apply(command.clone()).is_ok());
            }
            run.world.step();
            twin.step_without_caches(tick % 2 == 0);
            for (id, state) in run.world.bodies() {
                let other = &twin[id];
                assert_eq!(state.path(), other.path(), "seed {seed} tick {tick} {id:?}");
                assert_eq!(state.now, other.now, "seed {seed} tick {tick} {id:?}");
                assert_eq!(state.touched(), other.touched(), "seed {seed} tick {tick} {id:?}");
                assert_eq!(state.velocity(), other.velocity(), "seed {seed} tick {tick} {id:?}");
                off += u64::from(matches!(state.prediction.isolation, Isolation::Apart | Isolation::OffPlatforms));
            }
            assert_eq!(run.world.checksum(), twin.checksum(), "seed {seed} tick {tick}");
            assert_eq!(run.world.events(), twin.events(), "seed {seed} tick {tick}");
            rode += run.world.scratch.carries.rider_moves.len();
        }
    }
    assert!(rode > 4 * plans as usize && off > 200 * plans, "{rode} {off}");
}

/// Fast platforms that start far from bodies, are driven, and are teleported on to bodies. A twin tests all platforms
/// in every tick.
#[test]
fn caches_of_far_platforms_do_not_affect_results() {
    const SIZE: (u32, u32) = (96, 64);
    let plans = std::env::var("SUREFOOT_PLATFORMS").map_or(10, |plans| plans.parse::<u64>().unwrap());
    let (mut apart, mut off, mut crushes) = (0, 0, 0);
    for seed in 1..=plans {
        let mut random = Random(seed);
        let mut parts = MapParts::new(SIZE.0, SIZE.1);
        parts.kinds = TileKind::every_variant(&parts.catalogue);
        parts.borders =
            Borders { left: Border::Solid, right: Border::Solid, bottom: Border::Solid, top: Border::Solid };
        for cell in &mut parts.layers[0].cells {
            if random.one_in(25) {
                *cell = TileId(1 + random.index(parts.kinds.len() - 1) as u16);
            }
        }
        let up = [Up::PlusY, Up::MinusY, Up::PlusX, Up::MinusX][seed as usize % 4];
        let settings = Settings { up, gravity: up.direction().as_dvec2() * -40.0, ..Settings::default() };
        let kinds = parts.kinds.len() - 1;
        let mut world = World::new(Map::from_parts(parts).unwrap(), settings);
        let anywhere = |random: &mut Random| (random.range(1.0, 95.0), random.range(1.0, 63.0));
        let mut platforms = Vec::new();
        for _ in 0..1 + random.index(4) {
            let (from, to) = (anywhere(&mut random), anywhere(&mut random));
            let way = Position::new(to.0 - from.0, to.1 - from.1).unwrap();
            let path = Way {
                points: vec![Position::ORIGIN, way],
                timing: PathTiming::Speed([0.5, 3.0, 60.0, 1500.0, 15_000.0][random.index(5)]),
                ..Way::default()
            };
            let platform = Platform::new(vec![noise(&mut random, 3, 0.8, kinds)]).at(from);
            let platform = if random.one_in(3) { platform } else { platform.path(path) };
            platforms.extend(world.spawn_platform(platform.on_crush(OnCrush::PassThrough)).ok());
        }
        let mut bodies = Vec::new();
        for i in 0..12 {
            let shape = if i % 2 == 0 { Shape::circle(0.3) } else { Shape::aabb(0.3, 0.4) };
            let body = Body::new(shape).at(anywhere(&mut random));
            let body = match i % 3 {
                0 => body.bounce(0.8).velocity((random.range(-20.0, 20.0), 5.0)),
                _ => body.character(Character::default()),
            };
            bodies.extend(world.spawn(body));
        }
        let mut twin = world.clone();
        twin.platforms.asks_all = true;
        for tick in 0..200 {
            let known = world.pending().len();
            for id in &bodies {
                if random.one_in(30) {
                    let walk = [-127, 0, 127][random.index(3)];
                    world.set_input(*id, Input { walk, jump: random.one_in(3), ..Input::default() });
                }
            }
            if random.one_in(12) && !platforms.is_empty() {
                let id = platforms[random.index(platforms.len())];
                // Move the platform onto a body, or past it.
                let to = world.bodies[bodies[random.index(bodies.len())]].now.position.to_dvec2();
                let to = (to.x - random.range(0.0, 3.0), to.y - random.range(0.0, 3.0));
                if random.one_in(2) {
                    assert!(world.drive_platform(id, to).is_ok());
                } else {
                    assert!(world.teleport_platform(id, to).is_ok());
                }
            }
            for command in &world.pending()[known..] {
                assert!(twin.apply(command.clone()).is_ok());
            }
            world.step();
            twin.step_without_caches(tick % 2 == 0);
            for (id, state) in world.bodies() {
                let other = &twin[id];
                assert_eq!(state.path(), other.path(), "seed {seed} tick {tick} {id:?}");
                assert_eq!(state.now, other.now, "seed {seed} tick {tick} {id:?}");
                assert_eq!(state.touched(), other.touched(), "seed {seed} tick {tick} {id:?}");
                apart += u64::from(state.prediction.isolation == Isolation::Apart);
                off += u64::from(state.prediction.isolation == Isolation::OffPlatforms);
            }
            assert_eq!(world.checksum(), twin.checksum(), "seed {seed} tick {tick}");
            assert_eq!(world.events(), twin.events(), "seed {seed} tick {tick}");
            crushes += world.events().iter().filter(|event| matches!(event.kind, EventKind::Crushed { .. })).count();
        }
    }
    assert!(apart > 1000 * plans && crushes > 0, "{apart} {off} {crushes}");
}

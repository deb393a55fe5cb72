//! What of a streamed world is loaded around each body: all that it can look at in its tick, before it moves.
//!
//! A body has a loaded area, the chunks around where it was when they were last counted out. As long as it stays in the middle of
//! them and is not too fast, one comparison says that nothing has to be loaded. A body so fast that it could come through
//! very many chunks loads them on its way: if its tick looks for a chunk that is not there, that one is loaded, and the tick is made again
//! from its beginning. Either way nothing that counts has looked at anything that was not loaded, so that it does not matter what was.

use super::step::{Pairs, Riding, Rules, SolverBody, Stance, StepScratch, Tick, passes};
use super::{BodyState, Platforms, Settings};
use crate::body::{Character, Response};
use crate::event::{BodyId, Event};
use crate::motion::tolerance::{AHEAD, BOUNCES};
use crate::motion::{Bounds, Scene, Untraced};
use crate::terrain::{Area, ChunkKey, Terrain};
use glam::I64Vec2;
use surefoot_geometry::{ONE, Position};

/// How far a body goes from where its loaded area was counted out until that is done again, in tiles.
///
/// Smaller: that is done more often. Larger: more chunks are loaded around each body.
const MARGIN: i64 = 16;

/// Tiles around a body's way that motion looks at besides its shape: touching distance, the cells on the other side of a
/// border, how far a walk may reach down in all its turns (64 times 1/64 tile), and what is gathered ahead.
const SLACK: i64 = 6;
const _: () =
    assert!(AHEAD as i64 + 4 <= SLACK, "beside what is gathered ahead: two borders, touching distance, a reach");

/// The longest way in a tick, in tiles, for which everything around is loaded; a body that is faster loads on its way.
///
/// Decides about speed and memory alone.
const WAY: f64 = 48.0;

/// By how much a way may be longer than speed times time: a walk round a corner goes along tangents, up to 2 % longer.
const LONGER: f64 = 1.05;

/// Where a body can be without anything having to be loaded for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoadedArea {
    /// The lower left corner of these places, in units.
    low: I64Vec2,
    /// How far the places go from there.
    room: (u64, u64),
    /// The greatest speed on an axis, in tiles per second; negative for a body that loads on its way.
    speed: f64,
    area: Area,
    /// The loaded area before this one. It is kept too, so that a body that goes to and fro has nothing loaded again and
    /// again.
    before: Area,
}

impl Default for LoadedArea {
    fn default() -> LoadedArea {
        LoadedArea::NONE
    }
}

impl LoadedArea {
    /// The loaded area of a body for which nothing is loaded.
    pub(crate) const NONE: LoadedArea =
        LoadedArea { low: I64Vec2::MIN, room: (0, 0), speed: -1.0, area: Area::NONE, before: Area::NONE };

    #[inline]
    fn suits(&self, position: Position, speed: f64) -> bool {
        self.reaches(position) && speed <= self.speed
    }

    #[inline]
    fn reaches(&self, position: Position) -> bool {
        let at = position.units();
        at.x.wrapping_sub(self.low.x) as u64 <= self.room.0 && at.y.wrapping_sub(self.low.y) as u64 <= self.room.1
    }
}

/// Loads the chunks that a body of a streamed world can reach, then moves the body.
pub(super) struct Loading<'a> {
    pub(super) terrain: &'a mut Terrain,
    pub(super) platforms: &'a Platforms,
    pub(super) rules: Rules<'a>,
    pub(super) scratch: &'a mut StepScratch,
    pub(super) events: &'a mut Vec<Event>,
}

/// Whether something may have to be loaded for the tick of a body.
#[inline]
pub(super) fn needs_loading(tick: &Tick<'_>, state: &BodyState) -> bool {
    // What areas do makes a body faster than its own speed tells, and so does a platform that throws it back.
    tick.is_acted_on()
        || is_near_platform(&tick.scene, state)
        || !state.loaded().suits(state.now.position, speed(state))
}

impl Loading<'_> {
    /// Loads what a body can reach and moves it, or ends its tick if it has collided with others.
    #[inline(never)]
    pub(super) fn move_body(
        &mut self,
        pairs: &Pairs,
        (slot, id, state): (usize, BodyId, &mut BodyState),
        actor: Option<&SolverBody>,
    ) {
        let Loading { terrain, platforms, rules, scratch, events } = self;
        let (rules, settings, layers) = (*rules, rules.settings, state.kind.collision_layers);
        let before = Stance::of(&state.now);
        if let Some(actor) = actor {
            // What it can look at where it is now.
            let end = std::mem::replace(&mut state.now.position, actor.position());
            settle_in(terrain, settings, state);
            state.now.position = end;
            let scene = platforms.scene(terrain, settings).of_layers(layers);
            Tick::new(scene, rules, events).finish_collided(pairs, actor, state, scratch);
            return;
        }
        let near = is_near_platform(&platforms.scene(terrain, settings), state);
        if (settle_in(terrain, settings, state) && !near && !rules.is_acted_on()) || passes(state) {
            let scene = platforms.scene(terrain, settings).of_layers(layers);
            Tick::new(scene, rules, events).move_body(id, state, scratch);
            debug_assert!(terrain.take_missed().is_none(), "a step looks only at what is loaded");
        } else {
            move_and_load((terrain, platforms), rules, id, state, scratch, events);
        }
        let scene = platforms.scene(terrain, settings).of_layers(layers);
        Tick::new(scene, rules, events).finish_alone(pairs, slot, id, state, before);
    }
}

/// How near a platform may come to a body for what is loaded to be enough for its tick, in units: eight tiles.
const NEAR: i64 = 8 * ONE;

/// Whether a platform may come near a body in its tick.
#[inline]
fn is_near_platform(scene: &Scene<'_>, state: &BodyState) -> bool {
    scene.around.has_platforms() && {
        let bounds = Bounds::of(state.kind.shape, state.now.position, I64Vec2::ZERO);
        scene.around.may_have_platform_within(&bounds.grown(NEAR))
    }
}

/// Moves a body that is too fast for everything in its reach to be loaded.
#[inline(never)]
fn move_and_load(
    (terrain, platforms): (&mut Terrain, &Platforms),
    rules: Rules<'_>,
    id: BodyId,
    state: &mut BodyState,
    scratch: &mut StepScratch,
    events: &mut Vec<Event>,
) {
    let (settings, layers) = (rules.settings, state.kind.collision_layers);
    let mut loaded = std::mem::take(&mut scratch.loaded);
    let riding = Riding::begin(&platforms.scene(terrain, settings), &rules, id, state, scratch);
    load_on_the_way((terrain, platforms), (rules, &riding), (id, state), (scratch, events), &mut loaded);
    if !platforms.is_empty() {
        let scene = platforms.scene(terrain, settings).of_layers(layers);
        Tick::new(scene, rules, events).end_riding(state, scratch, riding);
    }
    // Where it is now it may be looked at before its next tick.
    settle_in(terrain, settings, state);
    loaded.drain(..).for_each(|key| terrain.drop_unheld(key));
    scratch.loaded = loaded;
}

/// Makes a body's own tick, from its beginning each time that it has looked for a chunk that is not there. Adds the chunks that were
/// loaded to `loaded`.
fn load_on_the_way(
    (terrain, platforms): (&mut Terrain, &Platforms),
    (rules, riding): (Rules<'_>, &Riding),
    (id, state): (BodyId, &mut BodyState),
    (scratch, events): (&mut StepScratch, &mut Vec<Event>),
    loaded: &mut Vec<ChunkKey>,
) {
    let (settings, layers) = (rules.settings, state.kind.collision_layers);
    let mut before = std::mem::take(&mut scratch.before);
    before.save(state, scratch);
    let told = events.len();
    terrain.watch_missed();
    loop {
        let scene = riding.scene(platforms.scene(terrain, settings).of_layers(layers));
        Tick::of_body(scene, rules, events, riding).move_traced(id, state, scratch, Untraced);
        let Some(missing) = terrain.take_missed() else { break };
        before.restore(state, scratch);
        events.truncate(told);
        // The pieces around it, and what was found among them, are of the terrain without the chunk.
        state.cold().near.clear();
        terrain.load_chunk(missing);
        loaded.push(missing);
    }
    scratch.before = before;
}

/// Loads what a body can look at from where it is, and drops what only it has kept before. Answers whether that is all
/// that its next tick can look at; nothing is loaded for bodies that look at nothing.
pub(super) fn settle_in(terrain: &mut Terrain, settings: &Settings, state: &mut BodyState) -> bool {
    if passes(state) {
        leave(terrain, state);
        return false;
    }
    let reach = Reach::of(state, settings, terrain.fastest_belt());
    // Room for it to become faster before this is counted out again: twice as fast, and a quarter of a tile a tick.
    let most = 2.0 * speed(state) + 0.25 / settings.tick;
    let way = reach.at(most);
    let whole = way <= WAY;
    let loaded = *state.loaded();
    if !whole && loaded.speed < 0.0 && loaded.reaches(state.now.position) {
        return false;
    }
    let way = if whole { (way * ONE as f64) as i64 + 1 } else { 0 };
    let out = state.kind.shape.half_units() + I64Vec2::splat(SLACK * ONE + way);
    let (at, around) = (state.now.position.units(), out + I64Vec2::splat(MARGIN * ONE));
    let tile = |units: I64Vec2| ((units.x >> 32) as i32, (units.y >> 32) as i32);
    let area = terrain.area(tile(at - around), tile(at + around));
    let mut before = loaded.before;
    if area != loaded.area {
        if area != before {
            terrain.hold(area);
            terrain.release(before);
        }
        before = loaded.area;
    }
    let (low, high) = terrain.covered(area);
    let low = I64Vec2::new(i64::from(low.0), i64::from(low.1)) * ONE + out;
    let high = I64Vec2::new(i64::from(high.0) + 1, i64::from(high.1) + 1) * ONE - out;
    let room = ((high.x - low.x).max(0) as u64, (high.y - low.y).max(0) as u64);
    state.set_loaded(LoadedArea { low, room, speed: if whole { most } else { LoadedArea::NONE.speed }, area, before });
    whole
}

/// Gives up what is loaded for a body.
pub(super) fn leave(terrain: &mut Terrain, state: &mut BodyState) {
    terrain.release(state.loaded().area);
    terrain.release(state.loaded().before);
    state.clear_loaded();
}

/// The greatest speed that a body has on an axis or along the floor, in tiles per second.
#[inline]
fn speed(state: &BodyState) -> f64 {
    let speed = state.now.velocity.x.abs().max(state.now.velocity.y.abs());
    speed.max(state.now.footing.speed().unwrap_or_default().abs())
}

/// How far from its place a body can look in a tick, besides its shape and [`SLACK`].
struct Reach {
    /// In tiles.
    least: f64,
    /// In tiles, for each tile per second that it is fast on an axis.
    per_speed: f64,
}

impl Reach {
    fn of(state: &BodyState, settings: &Settings, belts: f64) -> Reach {
        let tick = settings.tick;
        let gravity = state.kind.gravity();
        let fall = state.kind.character.as_ref().map_or(1.0, |character| character.fall_gravity_scale.max(1.0));
        let pull = (gravity.x.abs() + gravity.y.abs()) * fall;
        // By its own input: it walks, and jumps with the speed that reaches the jump height.
        let will = |character: &Character| {
            let highest = character.jump_height.max(character.air_jump_height);
            character.fastest_walk() + character.wall_jump_speed + character.dash_speed + (2.0 * pull * highest).sqrt()
        };
        let character = state.kind.character.as_ref();
        let will = character.map_or(0.0, will) + belts;
        let nudge = |character: &Character| {
            character
                .furthest_nudge(state.kind.shape, true)
                .max_element()
                .max(character.furthest_ledge(state.kind.shape))
        };
        let nudge = character.map_or(0.0, nudge);
        // Each leg of a bounce is looked along for what is left of the tick, whatever the legs before have used.
        let legs = match state.kind.response {
            Response::Bounce(_) if state.kind.character.is_none() => f64::from(BOUNCES),
            _ => 1.0,
        };
        // At most |v| + 1.5 |g| t on the way; friction slows by at most that much again, and 3 is more than twice the
        // square root of 2, by which the length of a velocity is more than its greater component.
        let least = legs * LONGER * tick * (will + 3.0 * pull * tick) + nudge;
        Reach { least, per_speed: legs * LONGER * tick * 3.0 }
    }

    fn at(&self, speed: f64) -> f64 {
        self.least + self.per_speed * speed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Body, Input};
    use crate::catalogue::PatternKind;
    use crate::map::{Map, MapParts, TileId, TileKind, TileLayer};
    use crate::motion::Shape;
    use crate::terrain::TileSource;
    use crate::world::World;
    use crate::world::step::standing::free_or_stuck;
    use glam::DVec2;
    use std::sync::Arc;

    /// A tile in five, of every kind.
    struct Noise;

    impl TileSource for Noise {
        fn fill(&self, layer: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
            for (i, cell) in (0..1024_u64).zip(cells) {
                let at = (layer as u64) << 50 ^ (chunk.0 as u64) << 40 ^ (chunk.1 as u64) << 10 ^ i;
                let mixed = (at ^ at >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 20;
                *cell = if mixed.is_multiple_of(5) { TileId((mixed >> 20) as u16 % 97) } else { TileId::EMPTY };
            }
        }
    }

    /// Drops everything that is loaded, and loads what bodies need anew.
    fn forget(world: &mut World) {
        for (_, state) in world.bodies.iter_mut() {
            leave(&mut world.terrain, state);
        }
        assert_eq!(world.terrain.loaded_chunks(), 0);
        for (_, state) in world.bodies.iter_mut() {
            settle_in(&mut world.terrain, &world.settings, state);
        }
    }

    #[test]
    fn a_world_that_forgets_everything_after_each_tick_goes_on_alike() {
        let mut parts = MapParts::new(1, 1);
        parts.kinds = TileKind::every_variant(&parts.catalogue);
        let map = Arc::new(Map::from_parts(parts).unwrap());
        let start = || World::streamed(map.clone(), Arc::new(Noise), Settings::default());
        let (mut forgetful, mut steady) = (start(), start());
        let mut ids = Vec::new();
        for i in 0..24 {
            let shape = if i % 2 == 0 { Shape::circle(0.4) } else { Shape::aabb(0.35, 0.45) };
            let speed = [5.0, 50.0, 3000.0][i % 3];
            let body =
                Body::new(shape).at((7.3 * i as f64 - 90.0, 3.7 * i as f64 - 40.0)).velocity((speed, speed / 3.0));
            let body = match i % 4 {
                0 => body.character(Character::default()),
                1 => {
                    body.character(Character { corner_correction: 12.0, ledge_correction: 0.5, ..Character::precise() })
                }
                2 => body.bounce(0.95),
                _ => body.friction(0.2),
            };
            assert_eq!(forgetful.spawn(body.clone()), steady.spawn(body.clone()));
            ids.extend(steady.bodies.iter().map(|(id, _)| id).last());
        }
        let (mut most, mut fast, mut gathered) = (0, 0, 0);
        let mut beside = Terrain::streamed(&map, Arc::new(Noise));
        for tick in 0..200 {
            for (i, id) in ids.iter().enumerate() {
                let walk = if (tick + 9 * i) / 50 % 2 == 0 { 127 } else { -127 };
                let input = Input { walk, jump: (tick + i) % 40 < 10, ..Input::default() };
                forgetful.set_input(*id, input);
                steady.set_input(*id, input);
            }
            if tick % 9 == 0 {
                let (x, y) = steady.bodies[ids[tick % ids.len()]].now.position.cell();
                let (tile, entry) = ((x + 1, y - 1), TileId((7 * tick % 97) as u16));
                steady.set_tile(0, tile, entry).unwrap();
                forgetful.set_tile(0, tile, entry).unwrap();
                beside.set_tile(0, tile, entry).unwrap();
            }
            forget(&mut forgetful);
            fast += steady.bodies.values().filter(|state| state.loaded().speed < 0.0).count();
            forgetful.step();
            steady.step();
            assert_eq!(forgetful.checksum(), steady.checksum(), "tick {tick}");
            assert_eq!(forgetful.events(), steady.events());
            most = most.max(steady.terrain.loaded_chunks());
            // What bodies keep of the pieces around them is never of a chunk that was not there.
            for state in steady.bodies.values().chain(forgetful.bodies.values()) {
                let Some(near) = state.cold.as_ref().map(|cold| &cold.near) else { continue };
                let Some((low, high)) = near.gathered() else { continue };
                beside.unload_chunks_outside(&[]);
                beside.load_chunks(low, high);
                assert!(
                    near.agrees(&Platforms::default().scene(&beside, &steady.settings), state.kind.shape),
                    "tick {tick}"
                );
                gathered += 1;
            }
        }
        assert!(gathered > 1000, "{gathered}");
        // Some bodies were too fast for everything around them to be loaded.
        assert!(fast > 200 && most < 24 * 40, "{fast} {most}");
    }

    /// Floors far from each other with a tile of any kind here and there.
    struct Thin;

    impl TileSource for Thin {
        fn fill(&self, layer: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
            let mut noise = [TileId::EMPTY; 1024];
            Noise.fill(layer, chunk, &mut noise);
            for (i, (cell, noise)) in cells.iter_mut().zip(noise).enumerate() {
                let row = chunk.1 * 32 + i as i32 / 32;
                *cell = match row.rem_euclid(100) {
                    0 => TileId(1),
                    _ if i % 61 == 0 => noise,
                    _ => TileId::EMPTY,
                };
            }
        }
    }

    #[test]
    fn a_tick_that_loads_chunks_on_its_way_ends_as_with_all_loaded() {
        let mut parts = MapParts::new(1, 1);
        parts.kinds = TileKind::every_variant(&parts.catalogue);
        let block = parts.catalogue.find_variant("full_block").ok();
        let at = parts.kinds.iter().position(|kind| kind.variant == block).unwrap();
        // The entry of which floors are.
        parts.kinds.swap(1, at);
        let map = Arc::new(Map::from_parts(parts).unwrap());
        let start = || World::streamed(map.clone(), Arc::new(Thin), Settings::default());
        let (mut world, mut twin) = (start(), start());
        let mut ids = Vec::new();
        for i in 0..30 {
            let shape = if i % 2 == 0 { Shape::circle(0.4) } else { Shape::aabb(0.35, 0.45) };
            let body = Body::new(shape).at((70.3 * f64::from(i), 50.5 + f64::from(i)));
            let body = match i % 5 {
                0 | 1 => body.character(Character::default()),
                2 => body.bounce(0.95),
                3 => body.friction(0.2),
                _ => body.response(Response::Stop),
            };
            ids.push(twin.spawn(body.clone()).unwrap());
            assert_eq!(world.spawn(body).unwrap(), ids[i as usize]);
        }
        let (mut stops, mut several, mut walks) = (0, 0, 0);
        for tick in 0..48 {
            for (i, id) in (0_u32..).zip(&ids) {
                let fast = [500.0, 6e3, 7e4, 1e9][(i as usize + tick) % 4];
                let around = f64::from((i * 7 + tick as u32 * 3) % 11) - 5.0;
                let walker = Character { walk_speed: fast, ground_acceleration: 1e9, ..Character::default() };
                let input = Input { walk: if tick % 2 == 0 { 127 } else { -127 }, ..Input::default() };
                for world in [&mut world, &mut twin] {
                    if i % 5 < 2 {
                        world
                            .set_character(*id, Character { walk_speed: walker.walk_speed.min(1e5), ..walker })
                            .unwrap();
                        world.set_input(*id, input);
                    }
                    if i % 5 == 0 {
                        // On a floor.
                        world.teleport(*id, (70.3 * f64::from(i), 1.4)).unwrap();
                    } else {
                        world.set_velocity(*id, (fast, fast * around / 40.0)).unwrap();
                    }
                }
            }
            twin.step();
            let World { terrain, settings, bodies, scratch, events, tick: made, .. } = &mut world;
            let rules = Rules::of(settings, terrain, *made);
            *made += 1;
            for (id, state) in bodies.iter_mut() {
                free_or_stuck(&Platforms::default().scene(terrain, settings), *made, id, state, scratch, events);
                let (none, mut loaded) = (Platforms::default(), Vec::new());
                let riding = Riding::begin(&none.scene(terrain, settings), &rules, id, state, scratch);
                load_on_the_way((terrain, &none), (rules, &riding), (id, state), (scratch, events), &mut loaded);
                let different: std::collections::BTreeSet<_> = loaded.iter().collect();
                assert_eq!(different.len(), loaded.len(), "tick {tick} {id:?}: one was loaded twice");
                assert_eq!(terrain.take_missed(), None, "tick {tick} {id:?}");
                let other = &twin.bodies[id];
                assert_eq!((state.now, state.path(), state.touched()), (other.now, other.path(), other.touched()));
                stops += loaded.len();
                several += usize::from(loaded.len() > 3);
                walks += usize::from(loaded.len() > 3 && state.on_floor());
                settle_in(terrain, settings, state);
                loaded.into_iter().for_each(|key| terrain.drop_unheld(key));
            }
        }
        assert!(stops > 2000 && several > 150 && walks > 50, "{stops} {several} {walks}");
    }

    /// Nothing at all.
    struct Empty;

    impl TileSource for Empty {
        fn fill(&self, _layer: usize, _chunk: (i32, i32), _cells: &mut [TileId; 1024]) {}
    }

    #[test]
    fn what_was_gathered_where_a_chunk_was_missing_is_forgotten() {
        let map = Arc::new(Map::from_parts(MapParts::new(1, 1)).unwrap());
        let mut beside = Terrain::streamed(&map, Arc::new(Empty));
        let mut gathered = 0;
        // The body comes to the side of a chunk that is not there; then it ends a little further on, in it.
        for quarter in 0..256 {
            let at = DVec2::new(0.1 + 0.25 * f64::from(quarter), 16.0);
            let mut body = Body::new(Shape::aabb(0.35, 0.45)).at((at.x, at.y)).velocity((2400.0, 0.0));
            body.gravity_scale = 0.0;
            let mut world = World::streamed(map.clone(), Arc::new(Empty), Settings::default());
            let body = world.spawn(body).unwrap();
            for tick in 1..=3 {
                world.step();
                let state = &world.bodies[body];
                let moved = state.now.position.to_dvec2() - at;
                assert!((moved - DVec2::new(40.0 * f64::from(tick), 0.0)).length() < 1e-6, "{moved} from {at}");
                let Some(near) = state.cold.as_ref().map(|cold| &cold.near) else { continue };
                let Some((low, high)) = near.gathered() else { continue };
                beside.load_chunks(low, high);
                let none = Platforms::default();
                let scene = none.scene(&beside, &world.settings);
                assert!(near.agrees(&scene, state.kind.shape), "tick {tick} from {at}");
                gathered += 1;
            }
        }
        assert!(gathered > 100, "{gathered}");
    }

    #[test]
    fn copies_do_not_hear_what_each_other_missed() {
        let map = Map::from_parts(MapParts::new(1, 1)).unwrap();
        let mut terrain = Terrain::streamed(&map, Arc::new(Noise));
        let copy = terrain.clone();
        terrain.watch_missed();
        assert!(terrain.is_solid(Position::ORIGIN) && terrain.dropped().is_solid(Position::ORIGIN));
        assert_eq!(copy.take_missed(), None);
        assert!(terrain.take_missed().is_some());
        assert!(copy.is_solid(Position::ORIGIN));
        assert_eq!(terrain.take_missed(), None);
        assert!(copy.take_missed().is_some());
    }

    /// Dropping a chunk that is held drops nothing, of what there is for bodies that drop through tiles either.
    #[test]
    fn what_is_held_is_held_for_bodies_that_drop_through_tiles_too() {
        let mut parts = MapParts::new(1, 1);
        let kinds = TileKind::every_variant(&parts.catalogue).into_iter();
        let is_open =
            |kind: &TileKind| kind.variant.is_some_and(|id| parts.catalogue.variant(id).kind == PatternKind::Open);
        let drops = kinds.filter(is_open).map(|kind| TileKind { drop_through: true, ..kind });
        parts.kinds.extend(drops.collect::<Vec<_>>());
        let mut terrain = Terrain::streamed(&Map::from_parts(parts).unwrap(), Arc::new(Empty));
        terrain.watch_missed();
        let look = |terrain: &Terrain| {
            // Looking at a chunk that is not held loads it, whatever the answer.
            let _ = [terrain.is_solid(Position::ORIGIN), terrain.dropped().is_solid(Position::ORIGIN)];
            terrain.take_missed()
        };
        let area = terrain.area((-1, -1), (1, 1));
        let missed = look(&terrain).unwrap();
        terrain.hold(area);
        terrain.drop_unheld(missed);
        assert_eq!(look(&terrain), None);
        terrain.release(area);
        assert_eq!(look(&terrain), Some(missed));
    }

    #[test]
    fn a_long_way_through_noise_takes_no_more_memory() {
        let mut parts = MapParts::new(1, 1);
        parts.kinds = TileKind::every_variant(&parts.catalogue);
        travel_through_noise(parts.clone(), 1);
        parts.layers = ["back", "front"].map(|name| TileLayer::new(name, 1, 1)).into();
        travel_through_noise(parts, 2);
    }

    fn travel_through_noise(parts: MapParts, layers: usize) {
        let mut terrain = Terrain::streamed(&Map::from_parts(parts).unwrap(), Arc::new(Noise));
        let (mut most, mut stacks) = ([0; 2], [0; 2]);
        for i in 0..200 {
            let low = (40 * i, -13 * i);
            let near = (low, (low.0 + 70, low.1 + 40));
            terrain.load_chunks(near.0, near.1);
            terrain.unload_chunks_outside(&[near]);
            let half = usize::from(i >= 100);
            most[half] = most[half].max(terrain.different_cells());
            stacks[half] = stacks[half].max(terrain.different_stacks());
        }
        // Without forgetting, 200 steps through noise would have come to ten times as many.
        assert!(most[1] < 20_000 * layers && most[1] < most[0] * 3 / 2, "{most:?}");
        assert!(stacks[1] <= most[1] && stacks[1] < stacks[0] * 3 / 2, "{stacks:?} {most:?}");
    }
}

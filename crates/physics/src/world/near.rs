//! Chunk streaming: before a body moves, loads every chunk whose tiles the body can read in its tick.
//!
//! Each body has a loaded area: the chunks around the position at which they were last computed. While the body stays
//! in the middle of the area and is not too fast, one comparison shows that nothing has to be loaded. A very fast
//! body loads chunks on its way instead: if its tick reads a missing chunk, that chunk is loaded and the tick starts
//! again. In both cases, no result depends on a chunk that was missing. So it does not matter which chunks are
//! loaded.

use super::step::{Pairs, Riding, Rules, SolverBody, Stance, StepScratch, Tick, passes_through_everything};
use super::{BodyState, Platforms, Settings};
use crate::body::{Character, Response};
use crate::event::{BodyId, Event};
use crate::motion::tolerance::{AHEAD_CELLS, MAX_BOUNCES};
use crate::motion::{Bounds, Scene, Untraced};
use crate::terrain::{Area, ChunkKey, Terrain};
use glam::I64Vec2;
use surefoot_geometry::{ONE, Position};

/// Distance in tiles that a body moves before its loaded area is computed again.
///
/// Smaller: the area is computed more often. Larger: more chunks are loaded around each body.
const RELOAD_DISTANCE_TILES: i64 = 16;

/// Tiles around a body's path that motion reads in addition to its shape. The sum of: touching distance, the cells
/// beyond a border, all step-downs of a walk (64 times 1/64 tile), and cells gathered ahead.
const READ_MARGIN_TILES: i64 = 6;
const _: () = assert!(
    AHEAD_CELLS as i64 + 4 <= READ_MARGIN_TILES,
    "beside what is gathered ahead: two borders, touching distance, a reach"
);

/// Longest displacement in a tick, in tiles, for which all chunks around are loaded. A faster body loads chunks on its
/// way.
///
/// Affects speed and memory only.
const MAX_PRELOADED_PATH_TILES: f64 = 48.0;

/// Maximum ratio of a path's length to speed times time: a walk round a corner follows tangents and is up to 2 %
/// longer.
const MAX_PATH_RATIO: f64 = 1.05;

/// Positions at which a body needs no further chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoadedArea {
    /// Lower left corner of these positions, in units.
    low: I64Vec2,
    /// Width and height of the region of these positions, in units.
    size: (u64, u64),
    /// Maximum speed on an axis up to which this holds, in tiles per second. Negative for a body that loads chunks on
    /// its way.
    speed: f64,
    area: Area,
    /// The previous loaded area. It stays loaded, so that a body that moves to and fro does not load the same chunks
    /// again and again.
    previous_area: Area,
}

impl Default for LoadedArea {
    fn default() -> LoadedArea {
        LoadedArea::NONE
    }
}

impl LoadedArea {
    /// The loaded area of a body for which no chunk is loaded.
    pub(crate) const NONE: LoadedArea =
        LoadedArea { low: I64Vec2::MIN, size: (0, 0), speed: -1.0, area: Area::NONE, previous_area: Area::NONE };

    #[inline]
    fn covers_body_at(&self, position: Position, speed: f64) -> bool {
        self.contains(position) && speed <= self.speed
    }

    #[inline]
    fn contains(&self, position: Position) -> bool {
        let at = position.units();
        at.x.wrapping_sub(self.low.x) as u64 <= self.size.0 && at.y.wrapping_sub(self.low.y) as u64 <= self.size.1
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

/// Returns whether a chunk may have to be loaded for the tick of a body.
#[inline]
pub(super) fn needs_loading(tick: &Tick<'_>, state: &BodyState) -> bool {
    // Areas and platforms can make a body faster than its own speed shows.
    tick.is_affected_by_areas()
        || is_near_platform(&tick.scene, state)
        || !state.loaded().covers_body_at(state.now.position, max_speed(state))
}

impl Loading<'_> {
    /// Loads the chunks that a body can reach and moves it, or ends its tick if it has collided with others.
    #[inline(never)]
    pub(super) fn move_body(
        &mut self,
        pairs: &Pairs,
        (slot, id, state): (usize, BodyId, &mut BodyState),
        actor: Option<&SolverBody>,
    ) {
        let Loading { terrain, platforms, rules, scratch, events } = self;
        let (rules, settings) = (*rules, rules.settings);
        let before = Stance::of_state(&state.now);
        if let Some(actor) = actor {
            // The solver has moved the body already, but `state` still has the old position. Load the chunks around the
            // new position.
            let end = std::mem::replace(&mut state.now.position, actor.position());
            try_load_whole_reach(terrain, settings, state);
            state.now.position = end;
            let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
            Tick::new(scene, rules, events).finish_collided_body(pairs, actor, state, scratch);
            return;
        }
        let near = is_near_platform(&platforms.scene(terrain, settings), state);
        if (try_load_whole_reach(terrain, settings, state) && !near && !rules.is_affected_by_areas())
            || passes_through_everything(state)
        {
            let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
            Tick::new(scene, rules, events).move_body(|| id, state, scratch);
            debug_assert!(terrain.take_first_missed_chunk().is_none(), "a step looks only at what is loaded");
        } else {
            move_and_load_chunks((terrain, platforms), rules, id, state, scratch, events);
        }
        let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
        Tick::new(scene, rules, events).finish_own_tick(pairs, slot, id, state, before);
    }
}

/// Distance in units at which a platform makes the loaded area of a body insufficient: eight tiles.
const PLATFORM_DISTANCE_UNITS: i64 = 8 * ONE;

/// Returns whether a platform may come near a body in its tick.
#[inline]
fn is_near_platform(scene: &Scene<'_>, state: &BodyState) -> bool {
    scene.around.has_platforms() && {
        let bounds = Bounds::of_motion(state.kind.shape, state.now.position, I64Vec2::ZERO);
        scene.around.may_have_platform_within(&bounds.grown(PLATFORM_DISTANCE_UNITS))
    }
}

/// Moves a body that is too fast to load all chunks in its reach in advance.
#[inline(never)]
fn move_and_load_chunks(
    (terrain, platforms): (&mut Terrain, &Platforms),
    rules: Rules<'_>,
    id: BodyId,
    state: &mut BodyState,
    scratch: &mut StepScratch,
    events: &mut Vec<Event>,
) {
    let settings = rules.settings;
    let mut loaded = std::mem::take(&mut scratch.loaded);
    let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
    let riding = Riding::begin_own_move(&scene, &rules, id, state, scratch);
    move_and_load_missed_chunks((terrain, platforms), (rules, &riding), (id, state), (scratch, events), &mut loaded);
    if !platforms.is_empty() {
        let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
        Tick::new(scene, rules, events).switch_to_ridden_frame(state, scratch, &riding);
    }
    // Queries before the next tick of the body may read the chunks around its new position.
    try_load_whole_reach(terrain, settings, state);
    loaded.drain(..).for_each(|key| terrain.drop_chunk_if_unheld(key));
    scratch.loaded = loaded;
}

/// Makes a body's own motion. Each time the motion reads a missing chunk, loads the chunk and starts again. Adds the
/// loaded chunks to `loaded`.
fn move_and_load_missed_chunks(
    (terrain, platforms): (&mut Terrain, &Platforms),
    (rules, riding): (Rules<'_>, &Riding),
    (id, state): (BodyId, &mut BodyState),
    (scratch, events): (&mut StepScratch, &mut Vec<Event>),
    loaded: &mut Vec<ChunkKey>,
) {
    let settings = rules.settings;
    let mut before = std::mem::take(&mut scratch.before);
    before.capture(state, scratch);
    let event_count = events.len();
    terrain.clear_and_unshare_missed_chunks();
    loop {
        let scene = riding.scene(platforms.scene(terrain, settings).of_kind(&state.kind));
        Tick::of_riding_body(scene, rules, events, riding).move_traced(id, state, scratch, Untraced);
        let Some(missing) = terrain.take_first_missed_chunk() else { break };
        before.restore(state, scratch);
        events.truncate(event_count);
        terrain.load_chunk(missing);
        loaded.push(missing);
    }
    scratch.before = before;
}

/// Loads the chunks that a body can read from its position, and drops chunks that only it kept before. Returns whether
/// its next tick can read no other chunks. Loads nothing for bodies that read no tiles.
pub(super) fn try_load_whole_reach(terrain: &mut Terrain, settings: &Settings, state: &mut BodyState) -> bool {
    if passes_through_everything(state) {
        release_chunks(terrain, state);
        return false;
    }
    let reach = Reach::of_body(state, settings, terrain.surfaced.fastest_belt);
    // Leave room for the body to become faster before the next computation: twice as fast, plus a quarter of a tile
    // per tick.
    let most = 2.0 * max_speed(state) + 0.25 / settings.tick;
    let reach_tiles = reach.reach_tiles_at_speed(most);
    let whole = reach_tiles <= MAX_PRELOADED_PATH_TILES;
    let loaded = *state.loaded();
    if !whole && loaded.speed < 0.0 && loaded.contains(state.now.position) {
        return false;
    }
    let reach_units = if whole { (reach_tiles * ONE as f64) as i64 + 1 } else { 0 };
    let out = state.kind.shape.half_units() + I64Vec2::splat(READ_MARGIN_TILES * ONE + reach_units);
    let (at, around) = (state.now.position.units(), out + I64Vec2::splat(RELOAD_DISTANCE_TILES * ONE));
    let tile = |units: I64Vec2| ((units.x >> 32) as i32, (units.y >> 32) as i32);
    let area = terrain.chunks_touched_by(tile(at - around), tile(at + around));
    let mut before = loaded.previous_area;
    if area != loaded.area {
        if area != before {
            terrain.load_and_hold_chunks(area);
            terrain.release_held_chunks(before);
        }
        before = loaded.area;
    }
    let (low, high) = terrain.tiles_served_by(area);
    let low = I64Vec2::new(i64::from(low.0), i64::from(low.1)) * ONE + out;
    let high = I64Vec2::new(i64::from(high.0) + 1, i64::from(high.1) + 1) * ONE - out;
    let room = ((high.x - low.x).max(0) as u64, (high.y - low.y).max(0) as u64);
    state.set_loaded(LoadedArea {
        low,
        size: room,
        speed: if whole { most } else { LoadedArea::NONE.speed },
        area,
        previous_area: before,
    });
    whole
}

/// Releases the chunks that are loaded for a body.
pub(super) fn release_chunks(terrain: &mut Terrain, state: &mut BodyState) {
    terrain.release_held_chunks(state.loaded().area);
    terrain.release_held_chunks(state.loaded().previous_area);
    state.clear_loaded_area();
}

/// Returns the maximum speed of a body on an axis or along the floor, in tiles per second.
#[inline]
fn max_speed(state: &BodyState) -> f64 {
    let speed = state.now.velocity.x.abs().max(state.now.velocity.y.abs());
    speed.max(state.now.footing.speed().unwrap_or_default().abs())
}

/// Distance from its position within which a body can read tiles in a tick, without its shape and
/// [`READ_MARGIN_TILES`].
struct Reach {
    /// Distance in tiles at speed 0.
    least: f64,
    /// Additional tiles for each tile per second of speed on an axis.
    per_speed: f64,
}

impl Reach {
    fn of_body(state: &BodyState, settings: &Settings, belts: f64) -> Reach {
        let tick = settings.tick;
        let gravity = state.kind.gravity;
        let fall = state.kind.character.as_ref().map_or(1.0, |character| character.fall_gravity_scale.max(1.0));
        let pull = (gravity.x.abs() + gravity.y.abs()) * fall;
        let character = state.kind.character.as_ref();
        let will = character.map_or(0.0, |character| character.max_own_speed(pull)) + belts;
        let nudge = |character: &Character| {
            character
                .max_correction_or_step(state.kind.shape, true)
                .max_element()
                .max(character.max_ledge_distance(state.kind.shape))
        };
        let nudge = character.map_or(0.0, nudge);
        // A body that bounces reads tiles once for each flight between two bounces. Each flight reads the tiles for the
        // whole rest of the tick, however short the flight is.
        let legs = match state.kind.response {
            Response::Bounce(_) if character.is_none() => f64::from(MAX_BOUNCES),
            _ if character.is_some_and(|character| character.bounce_scale > 0.0) => 2.0,
            _ => 1.0,
        };
        // In a tick of length t, a body moves at most (|v| + 1.5 |g| t) t, and friction at most doubles this. A
        // velocity's length is at most the square root of 2 times its larger component. So the factor of a component is
        // at most 2.83: take 3.
        let least = legs * MAX_PATH_RATIO * tick * (will + 3.0 * pull * tick) + nudge;
        Reach { least, per_speed: legs * MAX_PATH_RATIO * tick * 3.0 }
    }

    /// Returns how far around itself a body at that speed may read tiles, in tiles.
    fn reach_tiles_at_speed(&self, speed: f64) -> f64 {
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
    use crate::world::step::standing::update_stuck_flag;
    use glam::DVec2;
    use std::sync::Arc;

    /// One tile in five, of every kind.
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

    /// Drops all loaded chunks, and loads those that bodies need again.
    fn reload_all_chunks(world: &mut World) {
        for (_, state) in world.bodies.iter_mut() {
            release_chunks(&mut world.terrain, state);
        }
        assert_eq!(world.terrain.loaded_chunks(), 0);
        for (_, state) in world.bodies.iter_mut() {
            try_load_whole_reach(&mut world.terrain, &world.settings, state);
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
            reload_all_chunks(&mut forgetful);
            fast += steady.bodies.values().filter(|state| state.loaded().speed < 0.0).count();
            forgetful.step();
            steady.step();
            assert_eq!(forgetful.checksum(), steady.checksum(), "tick {tick}");
            assert_eq!(forgetful.events(), steady.events());
            most = most.max(steady.terrain.loaded_chunks());
            // The cached pieces of a body never come from the solid stand-in for a missing chunk.
            for state in steady.bodies.values().chain(forgetful.bodies.values()) {
                let Some(near) = state.cold.as_ref().map(|cold| &cold.near) else { continue };
                let Some((low, high)) = near.gathered_tiles() else { continue };
                beside.unload_chunks_outside(&[]);
                beside.load_chunks(low, high);
                assert!(
                    near.is_of_current_terrain(
                        &Platforms::default().scene(&beside, &steady.settings),
                        state.kind.shape
                    ),
                    "tick {tick}"
                );
                gathered += 1;
            }
        }
        assert!(gathered > 1000, "{gathered}");
        // Many bodies are so fast that their chunks are loaded only when a tick reads them (a negative `speed`). Fewer
        // than 40 chunks per body are loaded.
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
        // `Thin` makes its floors of entry 1, so make entry 1 a full block.
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
                        // Put the body on a floor.
                        world.teleport(*id, (70.3 * f64::from(i), 1.4)).unwrap();
                    } else {
                        world.set_velocity(*id, (fast, fast * around / 40.0)).unwrap();
                    }
                }
            }
            twin.step();
            let World {
                terrain, settings, bodies, scratch, log: crate::world::TickLog { events, .. }, tick: made, ..
            } = &mut world;
            let rules = Rules::of_next_tick(settings, terrain, *made);
            *made += 1;
            for (id, state) in bodies.iter_mut() {
                let id = id();
                update_stuck_flag(&Platforms::default().scene(terrain, settings), *made, id, state, scratch, events);
                let (none, mut loaded) = (Platforms::default(), Vec::new());
                let riding = Riding::begin_own_move(&none.scene(terrain, settings), &rules, id, state, scratch);
                move_and_load_missed_chunks(
                    (terrain, &none),
                    (rules, &riding),
                    (id, state),
                    (scratch, events),
                    &mut loaded,
                );
                let different: std::collections::BTreeSet<_> = loaded.iter().collect();
                assert_eq!(different.len(), loaded.len(), "tick {tick} {id:?}: one was loaded twice");
                assert_eq!(terrain.take_first_missed_chunk(), None, "tick {tick} {id:?}");
                let other = &twin.bodies[id];
                assert_eq!((state.now, state.path(), state.touched()), (other.now, other.path(), other.touched()));
                stops += loaded.len();
                several += usize::from(loaded.len() > 3);
                walks += usize::from(loaded.len() > 3 && state.on_floor());
                try_load_whole_reach(terrain, settings, state);
                loaded.into_iter().for_each(|key| terrain.drop_chunk_if_unheld(key));
            }
        }
        assert!(stops > 2000 && several > 150 && walks > 50, "{stops} {several} {walks}");
    }

    /// An empty source.
    struct Empty;

    impl TileSource for Empty {
        fn fill(&self, _layer: usize, _chunk: (i32, i32), _cells: &mut [TileId; 1024]) {}
    }

    #[test]
    fn what_was_gathered_where_a_chunk_was_missing_is_forgotten() {
        let map = Arc::new(Map::from_parts(MapParts::new(1, 1)).unwrap());
        let mut beside = Terrain::streamed(&map, Arc::new(Empty));
        let mut gathered = 0;
        // Try starts a quarter of a tile apart. In some of them, the body touches the side of a chunk that is still
        // missing, and then ends its tick a little inside that chunk.
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
                let Some((low, high)) = near.gathered_tiles() else { continue };
                beside.load_chunks(low, high);
                let none = Platforms::default();
                let scene = none.scene(&beside, &world.settings);
                assert!(near.is_of_current_terrain(&scene, state.kind.shape), "tick {tick} from {at}");
                gathered += 1;
            }
        }
        assert!(gathered > 100, "{gathered}");
    }

    #[test]
    fn clones_do_not_share_missed_chunks() {
        let map = Map::from_parts(MapParts::new(1, 1)).unwrap();
        let mut terrain = Terrain::streamed(&map, Arc::new(Noise));
        let copy = terrain.clone();
        terrain.clear_and_unshare_missed_chunks();
        assert!(terrain.is_solid(Position::ORIGIN) && terrain.without_drop_through().is_solid(Position::ORIGIN));
        assert_eq!(copy.take_first_missed_chunk(), None);
        assert!(terrain.take_first_missed_chunk().is_some());
        assert!(copy.is_solid(Position::ORIGIN));
        assert_eq!(terrain.take_first_missed_chunk(), None);
        assert!(copy.take_first_missed_chunk().is_some());
    }

    /// A held chunk is never dropped, and neither is its view for bodies that drop through tiles.
    #[test]
    fn held_chunks_stay_loaded_for_drop_through() {
        let mut parts = MapParts::new(1, 1);
        let kinds = TileKind::every_variant(&parts.catalogue).into_iter();
        let is_open =
            |kind: &TileKind| kind.variant.is_some_and(|id| parts.catalogue.variant(id).kind == PatternKind::Open);
        let drops = kinds.filter(is_open).map(|kind| TileKind { drop_through: true, ..kind });
        parts.kinds.extend(drops.collect::<Vec<_>>());
        let mut terrain = Terrain::streamed(&Map::from_parts(parts).unwrap(), Arc::new(Empty));
        terrain.clear_and_unshare_missed_chunks();
        let look = |terrain: &Terrain| {
            // Reading a chunk that is not loaded records the chunk as missed. Only this record matters here.
            let _ = [terrain.is_solid(Position::ORIGIN), terrain.without_drop_through().is_solid(Position::ORIGIN)];
            terrain.take_first_missed_chunk()
        };
        let area = terrain.chunks_touched_by((-1, -1), (1, 1));
        let missed = look(&terrain).unwrap();
        terrain.load_and_hold_chunks(area);
        terrain.drop_chunk_if_unheld(missed);
        assert_eq!(look(&terrain), None);
        terrain.release_held_chunks(area);
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
            most[half] = most[half].max(terrain.distinct_cell_count());
            stacks[half] = stacks[half].max(terrain.distinct_stack_count());
        }
        // If unused cells were not dropped, 200 steps through noise would need ten times as many cells.
        assert!(most[1] < 20_000 * layers && most[1] < most[0] * 3 / 2, "{most:?}");
        assert!(stacks[1] <= most[1] && stacks[1] < stacks[0] * 3 / 2, "{stacks:?} {most:?}");
    }
}

//! Cells of states: the search treats two states in one cell as the same state, and continues only one of them.
//!
//! The cells of [`CELL_SIZES`] are large first. A search that fails is repeated with smaller cells.

use crate::clearance::Clearance;
use crate::moves::late_jump_may_work;
use crate::simulation::Simulation;
use glam::DVec2;
use serde::Serialize;
use std::hash::{Hash, Hasher};
use surefoot::World;
use surefoot::area::{Area, AttachedTo, Effects};
use surefoot::geometry::{ONE, Position, to_lengths};
use surefoot::platform::{Platform, PlatformId, PlatformMotion};
use surefoot::prelude::BodyState;
use surefoot::world::{AreaState, PlatformState};
use xxhash_rust::xxh64::Xxh64;

/// Size of the cells of a pass, and the inputs that it tries.
#[derive(Debug)]
pub(crate) struct CellSize {
    /// Number of cells along a tile.
    pub(crate) cells: i64,
    /// Size of a cell of velocity, in tiles per second.
    speed: f64,
    /// Size of a cell of other bodies and platforms, in tiles.
    others: f64,
    /// Whether the state of the game counts, and changes of areas without effects, such as coins that were taken. A
    /// counter would make every state new, so the largest cells leave both out.
    pub(crate) game: bool,
    /// Ticks for which an input is held near obstacles. In the open it is held three times as long, except if this is 1.
    pub(crate) ticks: u32,
    /// Walk inputs that are tried.
    pub(crate) walks: &'static [i8],
}

/// Cells from large to small, one size for each pass.
pub(crate) const CELL_SIZES: [CellSize; 5] = [
    CellSize { cells: 4, speed: 4.0, others: 1.0, game: false, ticks: 6, walks: &[127, -127, 0] },
    CellSize { cells: 4, speed: 2.0, others: 1.0, game: true, ticks: 4, walks: &[127, -127, 0] },
    CellSize { cells: 8, speed: 1.0, others: 0.5, game: true, ticks: 3, walks: &[127, -127, 0] },
    CellSize { cells: 16, speed: 0.5, others: 0.25, game: true, ticks: 2, walks: &[127, -127, 0, 64, -64] },
    CellSize { cells: 64, speed: 0.125, others: 0.125, game: true, ticks: 1, walks: &[127, -127, 0, 64, -64] },
];

/// A hasher with the same result on every target: `usize` is hashed as 64 bits.
#[derive(Default)]
struct StateHasher(Xxh64);

impl Hasher for StateHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_i64(number as i64);
    }

    fn finish(&self) -> u64 {
        self.0.digest()
    }
}

/// Distance in tiles within which other bodies and platforms are part of a cell.
const NEAR: f64 = 3.0;

/// Region in which the path of a platform moves it, in tiles.
#[derive(Clone, Copy)]
struct PlatformRegion {
    id: PlatformId,
    /// Hash of all properties of the platform.
    properties: u64,
    low: DVec2,
    high: DVec2,
}

/// Values of the world outside the body that are part of a cell, and what is near the body.
pub(crate) struct Surroundings {
    platform_regions: Vec<PlatformRegion>,
    clearance: Clearance,
    /// The world at the start, if the rules of a game run. They may use each body, so all bodies count. They may also
    /// change the level: what differs from the start is part of a cell, see [`CellSize::game`] for areas without
    /// effects.
    start: Option<World>,
}

impl Surroundings {
    /// `max_bytes`: memory that the distances to walls may take.
    pub(crate) fn new(world: &World, has_game: bool, max_bytes: usize) -> Surroundings {
        let mut platform_regions: Vec<PlatformRegion> =
            world.platforms().map(|(id, state)| PlatformRegion::new(id, state)).collect();
        platform_regions.sort_unstable_by_key(|region| region.id);
        let clearance =
            Clearance::new(world, platform_regions.iter().map(|region| (region.low, region.high)), max_bytes);
        Surroundings { platform_regions, clearance, start: has_game.then(|| world.clone()) }
    }

    /// Returns the memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.clearance.memory_bytes()
    }

    /// Returns whether no wall, end of a floor, platform or other body is within `reach` tiles of the body.
    pub(crate) fn is_far_from_obstacles<G: Clone>(
        &self,
        simulation: &Simulation<G>,
        hero: &BodyState,
        reach: f64,
    ) -> bool {
        let at = hero.position().to_dvec2();
        if f64::from(self.clearance.distance_at(at)) < reach {
            return false;
        }
        let mut others = simulation.world.bodies().filter(|(id, _)| *id != simulation.body);
        !others.any(|(_, other)| {
            let is_near = (other.position().to_dvec2() - at).abs().max_element() < reach.max(NEAR);
            is_near && (self.start.is_some() || hero.body().can_collide_with(other.body()))
        })
    }

    /// Returns the cell of the simulation's state. `None` if the body is gone.
    pub(crate) fn state_cell<G: Clone + Serialize>(&self, simulation: &Simulation<G>, size: &CellSize) -> Option<u64> {
        self.cell_and_coarse_kind(simulation, size).map(|(cell, _)| cell)
    }

    /// Returns the cell and the kind of the simulation's state. `None` if the body is gone.
    ///
    /// The kind is a coarser class: the tile of the body, whether the body stands, and its surroundings. Velocities and
    /// the state of the game do not count. The search counts the states of each kind to find rare ones.
    pub(crate) fn cell_and_coarse_kind<G: Clone + Serialize>(
        &self,
        simulation: &Simulation<G>,
        size: &CellSize,
    ) -> Option<(u64, u64)> {
        let (world, hero) = (&simulation.world, simulation.hero()?);
        let at = hero.position();
        let units_in = |side: i64| (at.units().x.div_euclid(side), at.units().y.div_euclid(side));
        let mut around = StateHasher::default();
        // Include which body the character pulls or carries, because that body moves with it.
        (simulation.memory.visited, world.held_by(simulation.body).map(|held| held.body)).hash(&mut around);
        self.hash_platforms(world, at.to_dvec2(), size, &mut around);
        self.hash_bodies(simulation, hero, size, &mut around);
        if let Some(start) = &self.start {
            hash_changes_by_game_rules(start, simulation, hero, size, &mut around);
        }
        let around = around.finish();
        let mut kind = StateHasher::default();
        (units_in(ONE), hero.on_floor(), around).hash(&mut kind);

        let mut hasher = StateHasher::default();
        (units_in(ONE / size.cells), around).hash(&mut hasher);
        let velocity = hero.velocity() / size.speed;
        (velocity.x.round() as i32, velocity.y.round() as i32).hash(&mut hasher);
        let pause = world.hit_stop_left(simulation.body) + world.input_lock_left(simulation.body);
        (hero.mode(), hero.on_floor(), hero.input().jump, hero.input().dash, hero.up(), pause).hash(&mut hasher);
        let abilities = hero.abilities();
        (abilities.air_jumps, abilities.has_dashed).hash(&mut hasher);
        let timers = [
            abilities.dash_ticks,
            abilities.wall_jump_ticks,
            abilities.wall_stick_ticks,
            abilities.wall_jump_lock_ticks,
            abilities.jump_buffer_ticks,
            abilities.ledge_climb_ticks,
        ];
        timers.map(|ticks| ticks.div_ceil(size.ticks)).hash(&mut hasher);
        late_jump_may_work(hero, world).hash(&mut hasher);
        if size.game {
            // An area without effects, such as a coin, matters to the rules of the game only.
            self.start.as_ref().map(|start| hash_area_changes(start, world, false, size)).hash(&mut hasher);
        }
        if size.game && size_of::<G>() > 0 {
            hash_of(&simulation.game).hash(&mut hasher);
        }
        Some((hasher.finish(), kind.finish()))
    }

    /// Hashes whether each platform is present and paused, and its position.
    ///
    /// Without the rules of a game, only the platforms near the body count. With rules, all platforms count, but the
    /// position only of those that are near the body, paused, or driven by the game.
    fn hash_platforms(&self, world: &World, at: DVec2, size: &CellSize, hasher: &mut StateHasher) {
        let Some(start) = &self.start else {
            for region in self.platform_regions.iter().filter(|region| region.is_near(at)) {
                let Some(state) = world.platform(region.id) else { continue };
                hash_platform_motion(state, size, hasher);
                (region.id, state.is_paused(), state.is_present()).hash(hasher);
            }
            return;
        };
        // The rules of a game may remove a platform and spawn it again with a new id. So its properties count instead
        // of its id, in a sum without an order.
        let mut sum = 0_u64;
        for (id, state) in world.platforms() {
            let before = start.platform(id).filter(|before| std::ptr::eq(before.platform(), state.platform()));
            // An unchanged platform is shared with the start, so its hash is known. Affects speed only.
            let known = before.and_then(|_| self.platform_regions.binary_search_by_key(&id, |region| region.id).ok());
            let region = known.map_or_else(|| PlatformRegion::new(id, state), |i| self.platform_regions[i]);
            let mut own = StateHasher::default();
            (region.properties, state.is_paused(), state.is_present()).hash(&mut own);
            if region.is_near(at) || state.is_paused() || state.platform().motion == PlatformMotion::Driven {
                hash_platform_motion(state, size, &mut own);
            }
            sum = sum.wrapping_add(own.finish());
        }
        sum.hash(hasher);
    }

    /// Bodies at rest count at any distance: a crate on a button may open a door far away.
    fn hash_bodies<G: Clone>(
        &self,
        simulation: &Simulation<G>,
        hero: &BodyState,
        size: &CellSize,
        hasher: &mut StateHasher,
    ) {
        let mut sum = 0_u64;
        for (id, state) in simulation.world.bodies() {
            if id == simulation.body || !(self.start.is_some() || hero.body().can_collide_with(state.body())) {
                continue;
            }
            let (at, velocity) = (state.position().to_dvec2(), state.velocity());
            let is_near = (at - hero.position().to_dvec2()).abs().max_element() < NEAR;
            if is_near || velocity == DVec2::ZERO {
                let place = (at / size.others).round();
                // A body that the game has spawned since the start counts by its properties: another shot of the same
                // turret is no other state.
                let is_new = self.start.as_ref().is_some_and(|start| start.get(id).is_none());
                let what = if is_new { Err(hash_of(state.body())) } else { Ok(id) };
                let mut own = StateHasher::default();
                (what, place.x as i32, place.y as i32, sign_or_zero(velocity.x), sign_or_zero(velocity.y))
                    .hash(&mut own);
                sum = sum.wrapping_add(own.finish());
            }
        }
        sum.hash(hasher);
    }
}

/// Hashes what the rules of a game have changed since the start: the hero's body, tiles, and areas with effects.
fn hash_changes_by_game_rules<G: Clone>(
    start: &World,
    simulation: &Simulation<G>,
    hero: &BodyState,
    size: &CellSize,
    hasher: &mut StateHasher,
) {
    let world = &simulation.world;
    if start.get(simulation.body).is_none_or(|before| before.body() != hero.body()) {
        hash_of(hero.body()).hash(hasher);
    }
    for (layer, cell, tile) in world.edited_tiles() {
        (layer, cell, tile.0).hash(hasher);
    }
    hash_area_changes(start, world, true, size).hash(hasher);
}

/// Returns a hash of the areas that differ from the start. `has_effects`: whether the areas with effects count, or
/// those without. The hash is a sum: an area that is as at the start adds nothing, and the ids of new areas do not
/// count.
fn hash_area_changes(start: &World, world: &World, has_effects: bool, size: &CellSize) -> u64 {
    let hash = |state: &AreaState| {
        let counts = (state.area().effects != Effects::default()) == has_effects;
        if counts { hash_area(state, size) } else { 0 }
    };
    let mut sum = 0_u64;
    for (id, state) in world.areas() {
        let before = start.area(id);
        // An unchanged area is shared with the start, and adds nothing to the sum.
        if before.is_some_and(|before| std::ptr::eq(before.area(), state.area())) {
            continue;
        }
        sum = sum.wrapping_add(hash(state)).wrapping_sub(before.map_or(0, hash));
    }
    let gone = start.areas().filter(|(id, _)| world.area(*id).is_none());
    gone.fold(sum, |sum, (_, state)| sum.wrapping_sub(hash(state)))
}

fn hash_area(state: &AreaState, size: &CellSize) -> u64 {
    let area = state.area();
    // The position of a carried area follows from the position of its carrier, so leave it out.
    let place = (area.attached_to == AttachedTo::World).then(|| {
        let place = (state.position().to_dvec2() / size.others).round();
        (place.x as i32, place.y as i32)
    });
    let mut hasher = StateHasher::default();
    (hash_of(&Area { position: Ok(Position::ORIGIN), ..area.clone() }), place).hash(&mut hasher);
    hasher.finish()
}

fn hash_platform_motion(state: &PlatformState, size: &CellSize, hasher: &mut StateHasher) {
    let place = (state.position().to_dvec2() / size.others).round();
    let way = state.displacement();
    (place.x as i32, place.y as i32, sign_or_zero(way.x), sign_or_zero(way.y)).hash(hasher);
    // A platform that does not move may wait at a point of its path, or have a rider and be about to fall. Include the
    // ticks until it moves.
    let wait = if way == DVec2::ZERO && !state.is_paused() { state.arrival_ticks().unwrap_or(0) } else { 0 };
    (wait.div_ceil(size.ticks.into()), state.reaction_ticks().div_ceil(size.ticks)).hash(hasher);
}

fn sign_or_zero(x: f64) -> i8 {
    if x > 0.0 { 1 } else { -i8::from(x < 0.0) }
}

impl PlatformRegion {
    /// Returns the region in which a platform moves. A platform that is attached to another one may be anywhere.
    fn new(id: PlatformId, state: &PlatformState) -> PlatformRegion {
        let platform: &Platform = state.platform();
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for layer in &platform.layers {
            let origin = DVec2::new(layer.origin.0.into(), layer.origin.1.into());
            low = low.min(origin);
            high = high.max(origin + DVec2::new(layer.size.0.into(), layer.size.1.into()));
        }
        let at = platform.position.map_or(DVec2::ZERO, |at| at.to_dvec2());
        let (from, to) = match &platform.motion {
            _ if !platform.attached_to.is_empty() => (DVec2::NEG_INFINITY, DVec2::INFINITY),
            PlatformMotion::Driven => (DVec2::ZERO, DVec2::ZERO),
            PlatformMotion::Path(path) => {
                let points = path.points.iter().map(|point| to_lengths(point.units()));
                points.fold((DVec2::ZERO, DVec2::ZERO), |(low, high), at| (low.min(at), high.max(at)))
            }
            PlatformMotion::Circle(circle) => (DVec2::splat(-circle.radius), DVec2::splat(circle.radius)),
        };
        PlatformRegion { id, properties: hash_of(platform), low: at + low + from, high: at + high + to }
    }

    /// Returns whether a point is in the region or near it.
    fn is_near(&self, at: DVec2) -> bool {
        at.cmpge(self.low - NEAR).all() && at.cmple(self.high + NEAR).all()
    }
}

/// Returns a hash of everything that serde writes for a value. A value that cannot be written counts as empty.
pub(crate) fn hash_of(value: &impl Serialize) -> u64 {
    struct Flavor(StateHasher);
    impl postcard::ser_flavors::Flavor for Flavor {
        type Output = u64;
        fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
            self.0.write_u8(byte);
            Ok(())
        }
        fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
            self.0.write(bytes);
            Ok(())
        }
        fn finalize(self) -> postcard::Result<u64> {
            Ok(self.0.finish())
        }
    }
    postcard::serialize_with_flavor(value, Flavor(StateHasher::default())).unwrap_or(0)
}

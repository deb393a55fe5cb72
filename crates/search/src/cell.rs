//! Cells of states: the search treats two states in one cell as the same state, and continues only one of them.
//!
//! The cells of [`CELL_SIZES`] are large first. A search that fails is repeated with smaller cells.

use crate::clearance::Clearance;
use crate::moves::Moves;
use crate::simulation::Simulation;
use glam::DVec2;
use serde::Serialize;
use std::hash::{Hash, Hasher};
use surefoot::World;
use surefoot::geometry::{ONE, to_lengths};
use surefoot::platform::{Platform, PlatformMotion};
use surefoot::prelude::BodyState;
use surefoot::world::PlatformState;
use xxhash_rust::xxh64::Xxh64;

/// Size of the cells of a pass, and the inputs that it tries.
#[derive(Debug)]
pub(crate) struct CellSize {
    /// Number of cells along a tile.
    cells: i64,
    /// Size of a cell of velocity, in tiles per second.
    speed: f64,
    /// Size of a cell of other bodies and platforms, in tiles.
    others: f64,
    /// Whether the state of the game counts. Counters in it make states without end, so the largest cells leave it out.
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
struct Sweep {
    id: surefoot::platform::PlatformId,
    low: DVec2,
    high: DVec2,
}

/// Values of the world outside the body that are part of a cell, and what is near the body.
pub(crate) struct Surroundings {
    sweeps: Vec<Sweep>,
    clearance: Clearance,
    /// Whether the rules of a game run. They may use each body, so all bodies count.
    has_game: bool,
}

impl Surroundings {
    /// `max_bytes`: memory that the distances to walls may take.
    pub(crate) fn new(world: &World, has_game: bool, max_bytes: usize) -> Surroundings {
        let sweeps: Vec<Sweep> = world.platforms().map(|(id, state)| platform_region(id, state)).collect();
        let clearance = Clearance::new(world, sweeps.iter().map(|sweep| (sweep.low, sweep.high)), max_bytes);
        Surroundings { sweeps, clearance, has_game }
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
            is_near && (self.has_game || hero.body().can_collide_with(other.body()))
        })
    }

    /// Returns the cell of the simulation's state. `None` if the body is gone.
    pub(crate) fn state_cell<G: Clone + Serialize>(
        &self,
        simulation: &Simulation<G>,
        moves: &Moves,
        size: &CellSize,
    ) -> Option<u64> {
        let (world, hero) = (&simulation.world, simulation.hero()?);
        let mut hasher = StateHasher::default();
        let at = hero.position();
        let side = ONE / size.cells;
        let units = at.units();
        (units.x.div_euclid(side), units.y.div_euclid(side)).hash(&mut hasher);
        let velocity = hero.velocity() / size.speed;
        (velocity.x.round() as i32, velocity.y.round() as i32).hash(&mut hasher);
        let pause = world.hit_stop_left(simulation.body) + world.input_lock_left(simulation.body);
        (hero.mode(), hero.on_floor(), hero.input().jump, hero.input().dash, hero.up(), pause).hash(&mut hasher);
        let memory = &simulation.memory;
        (memory.visited, memory.edits, memory.air_jumps, memory.dashed).hash(&mut hasher);
        moves.late_jump_may_work(hero, world).hash(&mut hasher);
        // A body that the character pulls or carries moves with it.
        world.held_by(simulation.body).map(|held| held.body).hash(&mut hasher);
        self.hash_platforms(world, at.to_dvec2(), size, &mut hasher);
        self.hash_bodies(simulation, hero, size, &mut hasher);
        if size.game && size_of::<G>() > 0 {
            hash_of(&simulation.game).hash(&mut hasher);
        }
        Some(hasher.finish())
    }

    fn hash_platforms(&self, world: &World, at: DVec2, size: &CellSize, hasher: &mut StateHasher) {
        for sweep in &self.sweeps {
            let is_near = at.cmpge(sweep.low - NEAR).all() && at.cmple(sweep.high + NEAR).all();
            if !is_near && !self.has_game {
                continue;
            }
            let Some(state) = world.platform(sweep.id) else { continue };
            if is_near || state.platform().motion == PlatformMotion::Driven {
                let place = (state.position().to_dvec2() / size.others).round();
                let way = state.displacement();
                (sweep.id, place.x as i32, place.y as i32, sign(way.x), sign(way.y)).hash(hasher);
                (state.is_paused(), state.is_present()).hash(hasher);
            }
        }
    }

    /// Bodies at rest count at any distance: a crate on a button may open a door far away.
    fn hash_bodies<G: Clone>(
        &self,
        simulation: &Simulation<G>,
        hero: &BodyState,
        size: &CellSize,
        hasher: &mut StateHasher,
    ) {
        for (id, state) in simulation.world.bodies() {
            if id == simulation.body || !(self.has_game || hero.body().can_collide_with(state.body())) {
                continue;
            }
            let (at, velocity) = (state.position().to_dvec2(), state.velocity());
            let is_near = (at - hero.position().to_dvec2()).abs().max_element() < NEAR;
            if is_near || velocity == DVec2::ZERO {
                let place = (at / size.others).round();
                (id, place.x as i32, place.y as i32, sign(velocity.x), sign(velocity.y)).hash(hasher);
            }
        }
    }
}

fn sign(x: f64) -> i8 {
    if x > 0.0 { 1 } else { -i8::from(x < 0.0) }
}

/// Returns the region in which a platform moves. A platform that the game drives, or that is attached to another one,
/// may be anywhere.
fn platform_region(id: surefoot::platform::PlatformId, state: &PlatformState) -> Sweep {
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
    Sweep { id, low: at + low + from, high: at + high + to }
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

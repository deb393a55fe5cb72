//! Fast paths for bodies far from all platforms, and for riders near nothing but their platform.
//!
//! Platforms are far from most bodies for most of the time, and a rider is usually far from everything except its
//! platform. The engine finds this in advance. The *clearance* of a body is a rectangle around it that contains only
//! terrain, or only the ridden platform. A [`TravelMark`] tells how far platforms may travel before one can reach the
//! rectangle. Until then:
//!
//! - A body off platforms moves as in a world without platforms and keeps its terrain cache. Only queries that leave
//!   the rectangle include platforms, and their results are not cached.
//! - A rider moves by the displacement of its platform, since nothing blocks it. Then it makes its own move in the
//!   frame of its platform. Its caches move along, so a rider that rests or walks makes no query.
//!
//! If only its path moves a platform, the bounds of all its positions are known. A body outside these bounds stays
//! clear of that platform forever.
//!
//! Affects speed only: a body without a clearance is solved among all platforms.

use super::super::state::Cold;
use super::riding::{Riding, may_jump};
use super::{BodyState, StepScratch, Tick, passes_through_everything};
use crate::body::Body;
use crate::event::BodyId;
use crate::motion::tiles_to_units;
use crate::motion::{self, Air, Bounds, Nearby, Owner, PlatformTravel, Scene, Shape, Surroundings};
use crate::terrain::Terrain;
use crate::version::Version;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::{ONE, Position};

/// Search radius for platforms around a body, in units: sixteen tiles, and six if a platform may be within these.
const PLATFORM_SEARCH_UNITS: [i64; 2] = [16 * ONE, 6 * ONE];

/// Interval in ticks at which a body that was not alone is tested again.
const RECHECK_INTERVAL_TICKS: u64 = 4;

/// Margin of the clearance around the body's cached surroundings where there is room, in units.
const CLEARANCE_MARGIN_UNITS: i64 = 8 * ONE;

/// How much further than in its last tick a body may move in the next one, in units.
const NEXT_TICK_SLACK_UNITS: i64 = ONE / 4;

/// Smallest distance of a platform from a body's cached surroundings at which these stay cached, in units.
const MIN_CLEARANCE_UNITS: i64 = ONE / 8;

/// Margins around a rider's surroundings that are searched for terrain, in cells. The first one without terrain
/// counts.
const TERRAIN_MARGIN_CELLS: [i32; 4] = [3, 2, 1, 0];

/// What is near a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world) enum Isolation {
    /// Not determined.
    Unknown,
    /// Only terrain, also while platforms with a known extent go anywhere in it.
    Apart,
    /// Only terrain. No platform is near yet.
    OffPlatforms,
    /// Only the platform that the body rides: no other platform and no terrain.
    Riding,
}

/// Bounds in which a body is alone with the terrain or with its platform.
#[derive(Clone, Debug)]
pub(in crate::world) struct Clearance {
    /// Slot of the ridden platform. `None` if the body is alone with the terrain.
    ride: Option<u32>,
    /// Origin of that platform when the bounds were found. The bounds are relative to it.
    origin: I64Vec2,
    within: Bounds,
    /// Positions of a rider's platform at which the bounds contain no terrain of `version`.
    clear: Bounds,
    version: Version,
    /// Own displacement of the rider in its last tick.
    own_displacement: I64Vec2,
}

impl Clearance {
    /// Returns the bounds in the world for the last position of the platform.
    fn bounds_in_world(&self) -> Bounds {
        self.within.moved(self.origin)
    }

    /// Returns whether a rider and its platform reach no terrain in this tick.
    fn is_rider_clear_of_terrain(&self, terrain: &Terrain, kind: &Body, platforms: &[motion::Platform]) -> bool {
        let Some(platform) = self.ride.and_then(|slot| platforms.get(slot as usize)) else { return false };
        let to = platform.origin + platform.step;
        (self.version == terrain.version() || self.version == terrain.form_for_layers(kind.collision_layers).version())
            && self.clear.low.cmple(to).all()
            && self.clear.high.cmpge(to).all()
    }
}

impl BodyState {
    /// Returns whether a body that was isolated is still isolated in this tick, as far as is known. The steps of the
    /// platforms must be known.
    #[inline]
    pub(super) fn is_still_isolated(
        &self,
        terrain: &Terrain,
        platforms: &[motion::Platform],
        now: PlatformTravel,
    ) -> bool {
        let until = self.prediction.until;
        match self.prediction.isolation {
            Isolation::Apart => until.is_valid_at(now.strays),
            Isolation::OffPlatforms => until.is_valid_at(now.all),
            Isolation::Riding => {
                let is_clear = |known: &Clearance| known.is_rider_clear_of_terrain(terrain, &self.kind, platforms);
                until.is_valid_at(now.all) && self.clearance().is_some_and(is_clear)
            }
            Isolation::Unknown => false,
        }
    }

    /// Searches again whether a body that was isolated is still isolated in this tick.
    #[inline(never)]
    pub(super) fn recheck_isolation(&mut self, around: &Surroundings<'_>, now: PlatformTravel) -> bool {
        let ride = self.clearance().and_then(|clearance| clearance.ride);
        if self.try_find_and_store_clearance(around, ride)
            && self.is_still_isolated(around.terrain().terrain, around.all_platforms(), now)
        {
            return true;
        }
        self.prediction.isolation = Isolation::Unknown;
        false
    }

    /// Finds what is near a body at the end of its tick. `displacement`: the body's own displacement.
    pub(super) fn update_isolation(
        &mut self,
        around: &Surroundings<'_>,
        rides: &[Owner],
        displacement: I64Vec2,
        tick: u64,
    ) {
        // Riders that collide with bodies must be carried before any body moves by itself. So such a rider is not
        // isolated.
        let collides = !self.kind.collision_mask.is_empty();
        let ride = match (rides, self.touched()) {
            ([owner @ Owner::Platform(slot)], _) if !collides && self.touches_only(*owner) => Some(*slot),
            (_, all) if all.iter().any(|surface| surface.owner != Owner::Terrain) => {
                self.prediction.isolation = Isolation::Unknown;
                return;
            }
            _ => None,
        };
        let is_known = self
            .clearance()
            .is_some_and(|known| known.ride == ride && self.cached_surroundings_lie_within(&known.bounds_in_world()));
        if self.prediction.isolation == Isolation::Unknown || !is_known {
            // A body that has just left a platform still carries platform velocity, which only the full move removes.
            let is_now = self.prediction.isolation != Isolation::Unknown || tick.is_multiple_of(RECHECK_INTERVAL_TICKS);
            let leaves =
                ride.is_none() && (self.last_ride_velocity() != DVec2::ZERO || self.inheritable_velocity().is_some());
            if leaves || !is_now || !self.try_find_and_store_clearance(around, ride) {
                self.prediction.isolation = Isolation::Unknown;
                return;
            }
        }
        if let Some(clearance) = &mut self.cold_mut().clearance {
            clearance.own_displacement = displacement;
        }
    }

    /// Returns whether a body touches nothing but `owner`.
    fn touches_only(&self, owner: Owner) -> bool {
        self.touched().iter().all(|surface| surface.owner == owner)
    }

    /// Returns whether the cached surroundings of a body lie within `bounds`.
    fn cached_surroundings_lie_within(&self, bounds: &Bounds) -> bool {
        let (shape, rides) = (self.kind.shape, self.clearance().is_some_and(|known| known.ride.is_some()));
        let body_bounds = Bounds::of_motion(shape, self.now.position, I64Vec2::ZERO);
        let zone = |cold: &Cold| {
            if rides {
                cold.near.union_with_known_and_searched_zones(body_bounds)
            } else {
                cold.near.union_with_known_zone(body_bounds, shape)
            }
        };
        bounds.covers(&self.cold.as_deref().map_or(body_bounds, zone))
    }

    /// Returns whether the body stays within `bounds` in its next tick if it moves as in the last one.
    fn would_stay_within(&self, bounds: &Bounds) -> bool {
        let (kind, way) = (&self.kind, self.now.position - self.now.previous);
        // Step-up and corner correction need room too, because they must take platforms into account.
        let nudge =
            kind.character.as_ref().map_or(DVec2::ZERO, |character| character.max_correction_or_step(kind.shape, true));
        let more = NEXT_TICK_SLACK_UNITS + tiles_to_units(nudge.max_element());
        bounds.covers(&Bounds::of_motion(kind.shape, self.now.position, way).grown(more))
    }

    fn clearance(&self) -> Option<&Clearance> {
        self.cold.as_ref()?.clearance.as_deref()
    }

    /// Finds bounds in which a body is alone with the terrain, or with the platform `ride`. Returns false if there
    /// are none.
    fn try_find_and_store_clearance(&mut self, around: &Surroundings<'_>, ride: Option<u32>) -> bool {
        let goes_along =
            self.prediction.isolation == Isolation::Riding && self.clearance().is_some_and(|known| known.ride == ride);
        self.prediction.isolation = Isolation::Unknown;
        let (shape, position, terrain) = (self.kind.shape, self.now.position, around.terrain().terrain);
        let Some(blocks) = around.blocks() else { return false };
        // There is no clearance in a streamed world, where terrain may not be loaded, nor for a body that is stuck or
        // passes through everything. There is none beyond half of `Position::LIMIT` either: nearer to the limit, a body
        // that moves along with its platform might be stopped by the limit, and no longer move as far as the platform.
        if terrain.is_streamed()
            || self.now.stuck
            || passes_through_everything(self)
            || position.units().abs().max_element() > 1 << 60
        {
            return false;
        }
        self.cold_mut();
        let BodyState { prediction: known, cold: Some(cold), .. } = self else { return false };
        // The cached free air (`air`) may depend on pieces that the code below drops.
        let air = std::mem::replace(&mut known.air, Air::NONE);
        let (mut origin, mut step) = (I64Vec2::ZERO, I64Vec2::ZERO);
        let body_bounds = Bounds::of_motion(shape, position, I64Vec2::ZERO);
        let knew = cold.near.union_with_known_zone(body_bounds, shape) != body_bounds;
        match ride.map(|slot| (slot, around.platform(Owner::Platform(slot)))) {
            Some((slot, Some(platform))) => {
                (origin, step) = (platform.origin, platform.step);
                if goes_along {
                    cold.near.move_with_platform(slot, origin);
                } else {
                    cold.near.drop_if_outdated(around);
                }
            }
            Some((_, None)) => return false,
            None => cold.near.clear_if_from_platforms(),
        }
        let search = RoomSearch { around, ride, shape, own: body_bounds, step };
        let mut zone = search.bounds_of_cached_surroundings(&cold.near);
        if knew && cold.near.union_with_known_zone(body_bounds, shape) == body_bounds {
            // The `match` above has dropped all cached bounds that reach beyond the body. The prediction that the next
            // ticks repeat the last one was made with these bounds, so drop the prediction too.
            known.drop_predicted_repeats();
        }
        let mut found = search.find_isolation_and_its_limits(&zone);
        if found.is_none() && search.drop_cache_reaching_platforms(&mut cold.near) {
            known.drop_predicted_repeats();
            zone = search.bounds_of_cached_surroundings(&cold.near);
            found = search.find_isolation_and_its_limits(&zone);
        }
        let Some((alone, mut room, mut within)) = found else { return false };
        let mut clear = Bounds::NONE;
        if ride.is_some() {
            let Some(narrowed) = search.room_without_terrain(&zone, (room, within), origin) else { return false };
            (room, within, clear) = narrowed;
        }
        let (after, now) = (blocks.travel_after(room - 1), blocks.travel_so_far());
        let (until, now) = if alone == Isolation::Apart { (after.strays, now.strays) } else { (after.all, now.all) };
        if within == Bounds::NONE || !until.is_valid_at(now) {
            return false;
        }
        if ride.is_none() && cold.near.try_limit_or_drop_clear_bounds(&within, &body_bounds) {
            known.air = air.limited_to(&within, shape);
        }
        let version = terrain.version();
        let new = Clearance { ride, origin, within, clear, version, own_displacement: I64Vec2::ZERO };
        match &mut cold.clearance {
            Some(known) => **known = Clearance { own_displacement: known.own_displacement, ..new },
            None => cold.clearance = Some(Box::new(new)),
        }
        known.isolation = alone;
        known.until = until;
        true
    }
}

/// Search for the bounds in which a body is alone with the terrain, or with the platform `ride`.
struct RoomSearch<'a> {
    around: &'a Surroundings<'a>,
    ride: Option<u32>,
    shape: Shape,
    /// Bounds of the body.
    own: Bounds,
    /// Displacement of the ridden platform in this tick.
    step: I64Vec2,
}

impl RoomSearch<'_> {
    /// Returns the bounds of the body's cached surroundings. The free air of a body off platforms is not included; it
    /// is cut later to where no platform comes.
    fn bounds_of_cached_surroundings(&self, near: &Nearby) -> Bounds {
        if self.ride.is_some() {
            near.union_with_known_and_searched_zones(self.own)
        } else {
            near.union_with_span(self.own, self.shape)
        }
    }

    /// Drops cached surroundings that reach up to a platform: a clearance saves more than they do. Returns whether
    /// there were any.
    fn drop_cache_reaching_platforms(&self, near: &mut Nearby) -> bool {
        if self.ride.is_some() { near.forget_clear_bounds_if_any() } else { near.forget_span_if_any() }
    }

    /// Returns what the body is isolated with, how far platforms may travel before this ends, and the bounds.
    fn find_isolation_and_its_limits(&self, zone: &Bounds) -> Option<(Isolation, i64, Bounds)> {
        let alone = if self.ride.is_some() { Isolation::Riding } else { Isolation::Apart };
        let [far, near] = PLATFORM_SEARCH_UNITS;
        let swept = zone.union(&zone.moved(self.step));
        if !self.around.may_have_platform_within(&swept.grown(far)) {
            return Some((alone, far - CLEARANCE_MARGIN_UNITS, zone.grown(CLEARANCE_MARGIN_UNITS)));
        }
        if self.ride.is_some() {
            let gap = self.around.gap_to_platforms(&swept, near, self.ride, |_| {});
            return (gap >= MIN_CLEARANCE_UNITS).then(|| (alone, gap / 2, zone.grown(gap - gap / 2)));
        }
        let room = |alone| {
            let (room, within) =
                self.around.room_without_platforms(zone, near, MIN_CLEARANCE_UNITS, alone == Isolation::Apart)?;
            Some((alone, room, within))
        };
        room(Isolation::Apart).or_else(|| room(Isolation::OffPlatforms))
    }

    /// Cuts the room of a rider to a part without terrain. Also returns the positions of the platform at which that
    /// holds.
    fn room_without_terrain(
        &self,
        zone: &Bounds,
        (room, within): (i64, Bounds),
        origin: I64Vec2,
    ) -> Option<(i64, Bounds, Bounds)> {
        let (cells, terrain) = (zone.cells(), self.around.terrain().terrain);
        let is_empty = |more: &i32| terrain.is_empty_around(cells.low, cells.high, *more);
        let more = TERRAIN_MARGIN_CELLS.into_iter().find(is_empty)?;
        let less = within.intersection(&zone.grown(i64::from(more) * ONE / 2));
        // The rider and an obstacle may both move, so each gets half of the room.
        let room = (room + less.low.x - within.low.x) / 2;
        let (empty, within) = (cells.grown(more).bounds(), less.moved(-origin));
        // The last value: the positions of the platform at which `within` lies inside the empty cells. `within` moves
        // along with the platform.
        Some((room, within, Bounds { low: empty.low - within.low, high: empty.high - within.high }))
    }
}

impl Tick<'_> {
    /// Moves a body in a world with platforms.
    #[inline(always)]
    pub(super) fn move_in_world_with_platforms(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
    ) {
        match state.prediction.isolation {
            Isolation::Apart | Isolation::OffPlatforms => {
                if self.try_predicted_tick(state) {
                    return;
                }
                self.move_clear_of_platforms(id, state, scratch);
            }
            Isolation::Riding => self.move_isolated_rider(id, state, scratch),
            Isolation::Unknown => self.move_near_platforms(id, state, scratch),
        }
    }

    /// Moves a body as in a world without platforms, if it stays clear of them in this tick. Otherwise,
    /// calls `move_near_platforms`.
    #[inline(never)]
    fn move_clear_of_platforms(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        let mut within = state.clearance().map_or(Bounds::NONE, Clearance::bounds_in_world);
        if !state.would_stay_within(&within) {
            if !state.try_find_and_store_clearance(&self.scene.around, None) {
                return self.move_near_platforms(id, state, scratch);
            }
            within = state.clearance().map_or(Bounds::NONE, Clearance::bounds_in_world);
            if !state.would_stay_within(&within) {
                return self.move_near_platforms(id, state, scratch);
            }
        }
        let from = state.now.position;
        let around = self.scene.around.with_only_terrain_within(within).with_approach(from, from);
        let scene = Scene { around, ..self.scene };
        Tick::new(scene, self.rules, self.events).move_body_without_prediction(id, state, scratch);
        if state.touched().iter().any(|surface| surface.owner != Owner::Terrain) {
            self.switch_to_ridden_frame(state, scratch, &Riding::without_platforms(from));
        } else if !within.covers(&Bounds::of_motion(state.kind.shape, state.now.position, I64Vec2::ZERO)) {
            // The end of the move is outside the bounds, so find new ones. All cached pieces are still inside.
            state.try_find_and_store_clearance(&self.scene.around, None);
        }
    }

    /// Moves a rider that is near nothing but its platform: with the platform, then by its own move in the platform's
    /// frame.
    #[inline(never)]
    fn move_isolated_rider(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        let around = self.scene.around;
        let BodyState { now, prediction: known, cold: Some(cold), .. } = &mut *state else { return };
        let Cold { clearance: Some(clearance), near, touched, path, carried, .. } = &mut **cold else { return };
        let Some(slot) = clearance.ride else { return };
        let Some(platform) = around.platform(Owner::Platform(slot)) else { return };
        let by = platform.origin - clearance.origin;
        clearance.origin = platform.origin;
        let from = now.position;
        let start = from + by;
        touched.iter_mut().for_each(|surface| surface.at += by);
        if known.repeats == 0 {
            near.move_with_platform(slot, platform.origin);
        }
        (now.position, now.previous, *carried) = (start, start + -clearance.own_displacement, platform.velocity);
        path.clear();
        #[cfg(test)]
        scratch.carries.rider_moves.push((id, from, by));
        let velocity = platform.velocity;
        if self.try_predicted_tick(state) {
            return self.end_predicted_ride(id, state, scratch, (from, start), (slot, velocity));
        }
        let within = state.clearance().map_or(Bounds::NONE, Clearance::bounds_in_world);
        let (near, may_jump) = ([slot], may_jump(state));
        let around =
            around.ignoring_platforms(&[], velocity).with_near_platforms(within, &near).with_approach(from, start);
        let scene = Scene { around, ..self.scene };
        Tick { from: Some(from), ..Tick::new(scene, self.rules, self.events) }
            .move_body_without_prediction(id, state, scratch);
        if state.on_floor() && !state.touched().is_empty() && state.touches_only(Owner::Platform(slot)) {
            return self.end_rider_move(state, start, (slot, velocity));
        }
        let riding = Riding::on_single_platform(slot, velocity, (from, start), may_jump);
        self.switch_to_ridden_frame(state, scratch, &riding);
    }

    /// Ends the own move of a rider that is still on its platform.
    fn end_rider_move(&self, state: &mut BodyState, start: Position, (slot, velocity): (u32, DVec2)) {
        let owner = [Owner::Platform(slot)];
        self.store_platform_velocity(state, velocity, &owner, &owner);
        state.update_isolation(&self.scene.around, &owner, state.now.position - start, self.rules.end);
    }

    /// Ends the own move of a rider that a prediction has made.
    #[inline(always)]
    fn end_predicted_ride(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
        (from, start): (Position, Position),
        (slot, velocity): (u32, DVec2),
    ) {
        let BodyState { now, cold: Some(cold), .. } = &mut *state else { return };
        let own_displacement = now.position - start;
        now.previous = from;
        if from != start && own_displacement != I64Vec2::ZERO {
            cold.store_path_with_corner(start, now.position);
        }
        if let Some(clearance) = &mut cold.clearance {
            clearance.own_displacement = own_displacement;
        }
        let owner = [Owner::Platform(slot)];
        self.store_platform_velocity(state, velocity, &owner, &owner);
        self.update_outside_map_flag(id, state, scratch);
    }
}

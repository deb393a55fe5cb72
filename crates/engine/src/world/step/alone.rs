//! Bodies that platforms are no matter to, and bodies that ride one and come near nothing else.
//!
//! Platforms are far from most bodies for most of the time, and a rider is mostly far from all but what it rides. Both are
//! worked out ahead, as bounds around the body within which there is nothing but the terrain, or nothing but the platform, and
//! as a [`Mark`]: how far the platforms have to go for one to come into these bounds. Until then
//!
//! - a body off platforms moves as in a world without any;
//! - a rider is shifted by what its platform has made, which is the carry that would be found: to go with what it rides
//!   leads into nothing. Then it moves of itself in the frame of its platform. What it knows of its surroundings goes
//!   along, so that a rider that rests or walks looks at nothing.
//!
//! It decides about speed alone: a body of which nothing is known is solved among all platforms.

use super::super::state::Cold;
use super::platforms::Riding;
use super::{BodyState, StepScratch, Tick, passes};
use crate::event::BodyId;
use crate::motion::{Air, Bounds, Mark, Owner, Scene, Surroundings};
use crate::version::Version;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::{ONE, Position};

/// How far around a body a platform is looked for, in units: sixteen tiles, and two if there may be one.
const FAR: [i64; 2] = [16 * ONE, 2 * ONE];

/// In how many ticks it is looked once whether a body that was not alone is so now.
const SELDOM: u64 = 4;

/// How far the bounds in which a body is alone go beyond what it knows of its surroundings, in units, where there is room.
const MARGIN: i64 = 8 * ONE;

/// How near a platform may come to what a body knows of free air for that to be kept, in units.
const LEAST: i64 = ONE / 8;

/// How many cells around a rider's surroundings are looked at for terrain, the first of them that shows none counts.
const CLEAR: [i32; 4] = [3, 2, 1, 0];

/// What a body is alone with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world) enum Alone {
    /// That is not known.
    Unknown,
    /// The terrain: no platform comes near.
    OffPlatforms,
    /// The platform that it rides: no other one comes near, and no terrain.
    Riding,
}

/// Bounds in which a body is alone with what it is on.
#[derive(Clone, Debug)]
pub(in crate::world) struct Clearance {
    /// The platform that it rides; without one, where the terrain is what it is alone with.
    ride: Option<u32>,
    /// Where that platform stood when the body was where it is; these bounds count from there.
    origin: I64Vec2,
    within: Bounds,
    /// Around a rider, bounds of the world in which the terrain of that version shows nothing.
    clear: Bounds,
    version: Version,
    /// How far a rider went of itself in its last tick.
    way: I64Vec2,
}

impl Clearance {
    /// These bounds in the world, where the platform stood last.
    fn within_now(&self) -> Bounds {
        self.within.moved(self.origin)
    }

    /// Whether a rider comes to no terrain with its platform in the tick under way.
    fn is_clear(&self, around: &Surroundings<'_>) -> bool {
        let Some(platform) = self.ride.and_then(|slot| around.platform(Owner::Platform(slot))) else { return false };
        let (from, to) = (platform.origin, platform.origin + platform.step);
        self.version == around.terrain().terrain.version()
            && self.clear.covers(&self.within.moved(from).with(&self.within.moved(to)))
    }
}

impl BodyState {
    /// Whether a body that was alone is it in the tick under way too, for which the platforms have set out.
    pub(super) fn stays_alone(&mut self, around: &Surroundings<'_>, now: Mark) -> bool {
        let is_clear = |state: &BodyState| {
            state.known.alone == Alone::OffPlatforms || state.clearance().is_some_and(|known| known.is_clear(around))
        };
        if self.known.until.allows(now) && is_clear(self) {
            return true;
        }
        let ride = self.clearance().and_then(|clearance| clearance.ride);
        if self.find_clearance(around, ride) && is_clear(self) {
            return true;
        }
        self.known.alone = Alone::Unknown;
        if ride.is_some() {
            // Terrain may have been painted where its pieces stood before they went along.
            self.cold().near.clear();
        }
        false
    }

    /// Finds what a body is alone with at the end of its tick, if with anything. It has gone so far of itself.
    pub(super) fn find_company(&mut self, around: &Surroundings<'_>, rides: &[Owner], way: I64Vec2, tick: u64) {
        let ride = match (rides, self.touched()) {
            ([Owner::Platform(slot)], all) if all.iter().all(|surface| surface.owner == rides[0]) => Some(*slot),
            (_, all) if all.iter().any(|surface| surface.owner != Owner::Terrain) => {
                self.known.alone = Alone::Unknown;
                return;
            }
            _ => None,
        };
        let is_known =
            self.clearance().is_some_and(|known| known.ride == ride && self.knows_within(&known.within_now()));
        if self.known.alone == Alone::Unknown || !is_known {
            // What has just left a platform is still to be given its velocity back.
            let is_now = self.known.alone != Alone::Unknown || tick.is_multiple_of(SELDOM);
            let leaves = ride.is_none() && (self.carried() != DVec2::ZERO || self.lift().is_some());
            if leaves || !is_now || !self.find_clearance(around, ride) {
                self.known.alone = Alone::Unknown;
                return;
            }
        }
        if let Some(clearance) = &mut self.cold().clearance {
            clearance.way = way;
        }
    }

    /// Whether all that a body knows of its surroundings lies within bounds.
    fn knows_within(&self, bounds: &Bounds) -> bool {
        let own = Bounds::of(self.kind.shape, self.now.position, I64Vec2::ZERO);
        bounds.covers(&self.cold.as_ref().map_or(own, |cold| cold.near.zone(own)))
    }

    fn clearance(&self) -> Option<&Clearance> {
        self.cold.as_ref()?.clearance.as_deref()
    }

    /// Looks for bounds around a body in which it is alone with the terrain, or with the platform that it rides.
    fn find_clearance(&mut self, around: &Surroundings<'_>, ride: Option<u32>) -> bool {
        let goes_along = self.known.alone == Alone::Riding && self.clearance().is_some_and(|known| known.ride == ride);
        self.known.alone = Alone::Unknown;
        let (shape, position, terrain) = (self.kind.shape, self.now.position, around.terrain().terrain);
        let Some(blocks) = around.blocks() else { return false };
        // Far out a shift may be cut short. What is not loaded shows nothing and is no room.
        if terrain.is_streamed() || self.now.stuck || passes(self) || position.units().abs().max_element() > 1 << 60 {
            return false;
        }
        self.cold();
        let BodyState { known, cold: Some(cold), .. } = self else { return false };
        let (mut origin, mut step) = (I64Vec2::ZERO, I64Vec2::ZERO);
        let own = Bounds::of(shape, position, I64Vec2::ZERO);
        let knew = cold.near.zone(own) != own;
        if let Some(slot) = ride {
            let Some(platform) = around.platform(Owner::Platform(slot)) else { return false };
            (origin, step) = (platform.origin, platform.step);
            if goes_along {
                cold.near.go_along(slot, origin);
            } else {
                cold.near.follow(around);
            }
        }
        let (mut zone, mut gap) = (cold.near.zone(own), 0);
        if knew && zone == own {
            // Ticks that are known ahead rest on what is forgotten now.
            known.asks_anew();
        }
        for _ in 0..2 {
            let swept = zone.with(&zone.moved(step));
            gap = if around.may_have_platform_within(&swept.grown(FAR[0])) {
                around.gap(&swept, FAR[1], ride)
            } else {
                FAR[0]
            };
            // Free air that reaches to a platform is worth less than being alone.
            if gap >= LEAST || !cold.near.forget_clear() {
                break;
            }
            (zone, known.air) = (cold.near.zone(own), Air::NONE);
        }
        let (mut margin, mut clear) = (MARGIN, Bounds::NONE);
        if ride.is_some() {
            let cells = zone.cells();
            let Some(more) = CLEAR.into_iter().find(|more| terrain.is_empty_around(cells.low, cells.high, *more))
            else {
                return false;
            };
            clear = cells.grown(more).bounds();
            margin = margin.min(i64::from(more) * ONE / 2);
        }
        margin = margin.min(gap / 2);
        // Both a rider and what it could come to may move.
        let room = (gap - margin - 1) / if ride.is_some() { 2 } else { 1 };
        let until = blocks.after(room);
        if gap == 0 || !until.allows(blocks.now()) {
            return false;
        }
        let within = zone.grown(margin).moved(-origin);
        let version = terrain.version();
        let new = Clearance { ride, origin, within, clear, version, way: I64Vec2::ZERO };
        match &mut cold.clearance {
            Some(known) => **known = Clearance { way: known.way, ..new },
            None => cold.clearance = Some(Box::new(new)),
        }
        known.alone = if ride.is_some() { Alone::Riding } else { Alone::OffPlatforms };
        known.until = until;
        true
    }
}

impl Tick<'_> {
    /// Moves a body in a world with platforms.
    #[inline(always)]
    pub(super) fn move_with_platforms(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        match state.known.alone {
            Alone::OffPlatforms => {
                if !self.goes_on_as_known(state) {
                    self.move_off_platforms(id, state, scratch);
                }
            }
            Alone::Riding => self.ride(id, state, scratch),
            Alone::Unknown => self.move_near_platforms(id, state, scratch),
        }
    }

    /// Moves a body that no platform comes near as in a world without platforms.
    #[inline(never)]
    fn move_off_platforms(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        let within = state.clearance().map_or(Bounds::NONE, Clearance::within_now);
        let from = state.now.position;
        let around = self.scene.around.with_near(within, &[]).of_own_move(from, from);
        let scene = Scene { around, ..self.scene };
        Tick::new(scene, self.rules, self.events).move_anew(id, state, scratch);
        if state.touched().iter().any(|surface| surface.owner != Owner::Terrain) {
            self.end_riding(state, scratch, Riding::far(from));
        } else if !state.knows_within(&within) {
            state.find_clearance(&self.scene.around, None);
        }
    }

    /// Moves a rider that comes near nothing but its platform: with it, and then of itself in its frame.
    #[inline(never)]
    fn ride(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        let around = self.scene.around;
        let BodyState { now, known, cold: Some(cold), .. } = &mut *state else { return };
        let Cold { clearance: Some(clearance), near, touched, path, carried, .. } = &mut **cold else { return };
        let Some(slot) = clearance.ride else { return };
        let Some(platform) = around.platform(Owner::Platform(slot)) else { return };
        let by = platform.origin - clearance.origin;
        clearance.origin = platform.origin;
        let from = now.position;
        let start = from + by;
        touched.iter_mut().for_each(|surface| surface.at += by);
        if known.repeats == 0 {
            near.go_along(slot, platform.origin);
        }
        (now.position, now.previous, *carried) = (start, start + -clearance.way, platform.velocity);
        path.clear();
        #[cfg(test)]
        scratch.carries.rode.push((id, from, by));
        let velocity = platform.velocity;
        if self.goes_on_as_known(state) {
            return self.end_ride(id, state, scratch, (from, start), (slot, velocity));
        }
        let within = state.clearance().map_or(Bounds::NONE, Clearance::within_now);
        let riding = Riding::alone(slot, velocity, (from, start), within, state);
        let scene = riding.scene(self.scene);
        Tick::of_body(scene, self.rules, self.events, &riding).move_anew(id, state, scratch);
        self.end_riding(state, scratch, riding);
    }

    /// What follows when a rider has moved of itself as it was known to.
    #[inline(always)]
    fn end_ride(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
        (from, start): (Position, Position),
        (slot, velocity): (u32, DVec2),
    ) {
        let BodyState { now, cold: Some(cold), .. } = &mut *state else { return };
        let way = now.position - start;
        now.previous = from;
        if from != start && way != I64Vec2::ZERO {
            cold.keep_corner(start, now.position);
        }
        if let Some(clearance) = &mut cold.clearance {
            clearance.way = way;
        }
        let owner = [Owner::Platform(slot)];
        self.note_lift(state, velocity, &owner, &owner);
        self.note_outside(id, state, scratch);
    }
}

//! Reactions of platforms to riders: they start their path, fall, or crumble for a while.
//!
//! A rider is detected at the end of a tick and counts from the next tick on. A fall is computed from its number of
//! ticks, so it is the parabola on which bodies fall, rounded to the nearest unit.

use super::platforms::{PlatformState, Platforms};
use super::{Settings, World};
use crate::motion::Owner;
use crate::terrain::Terrain;
use crate::tiles::platform::{OnRide, Path, PlatformId, ticks_of};
use glam::{DVec2, I64Vec2};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::{ONE, Position};

/// State of a platform's reaction to riders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) enum RideState {
    /// No body has ridden it since it was spawned or last returned.
    #[default]
    Never,
    /// A body has ridden it. It falls or crumbles after `left` ticks.
    Since { left: u32 },
    /// It has been falling for `ticks` ticks.
    Falls { ticks: u32 },
    /// It is absent for `left` ticks; for `None`, forever.
    Gone { left: Option<u32> },
}

/// Times of a platform in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delays {
    after: u32,
    back: Option<u32>,
}

impl Delays {
    /// Converts the delays of a platform to ticks of `tick` seconds.
    pub(super) fn in_ticks(on_ride: &OnRide, tick: f64) -> Delays {
        let (after, back) = on_ride.delays().unwrap_or_default();
        Delays { after: ticks_of(after, tick), back: back.map(|back| ticks_of(back, tick)) }
    }
}

/// Change of a platform at the start of a tick.
#[derive(Clone, Copy)]
enum PresenceChange {
    Goes(PlatformId),
    Comes,
}

impl World {
    /// Counts down the reactions of platforms. Removes and returns platforms whose time has come.
    #[inline(never)]
    pub(super) fn update_ridden_platforms(&mut self) {
        if !self.platforms.react {
            return;
        }
        for slot in 0..self.platforms.slots.versions().len() {
            match self.platforms.count_tick_of_triggered_platform(slot, &self.terrain, &self.settings) {
                Some(PresenceChange::Goes(platform)) => {
                    self.platforms.pairs.retain(|pair| pair.platform != platform);
                    self.detach_from_platform(platform);
                }
                Some(PresenceChange::Comes) => self.detach_from_teleported_platforms(),
                None => {}
            }
        }
    }

    /// Finds who rides a platform, and which bodies are apart from the platforms that pass through them.
    #[inline(always)]
    pub(super) fn update_riders(&mut self) {
        if !self.platforms.is_empty() {
            self.trigger_platforms_with_riders();
        }
        if !self.platforms.pairs.is_empty() {
            self.count_ticks_apart();
        }
    }

    /// Triggers the platforms that react to riders and have a rider at the end of a tick.
    #[inline(never)]
    fn trigger_platforms_with_riders(&mut self) {
        if !self.platforms.has_platform_awaiting_riders() {
            return;
        }
        let World { terrain, platforms, settings, bodies, .. } = self;
        let frame = platforms.scene(terrain, settings).frame;
        for state in bodies.values() {
            let awaits = |owner: Owner| platforms.awaits_rider(owner);
            let is_on_floor = state.on_floor() && state.touched().iter().any(|surface| awaits(surface.owner));
            if is_on_floor || state.held_platform().is_some() {
                state
                    .ridden_sources(&frame.with_up(state.kind.up))
                    .into_iter()
                    .for_each(|owner| platforms.trigger_if_awaiting_rider(owner));
            }
        }
    }
}

impl Platforms {
    /// Returns whether any platform waits for its first rider.
    fn has_platform_awaiting_riders(&self) -> bool {
        self.react && self.iter().any(|(_, state)| state.awaits_rider())
    }

    fn awaits_rider(&self, owner: Owner) -> bool {
        self.platform_of(owner).and_then(|id| self.get(id)).is_some_and(PlatformState::awaits_rider)
    }

    fn trigger_if_awaiting_rider(&mut self, owner: Owner) {
        let state = self.platform_of(owner).and_then(|id| self.get_mut(id));
        if let Some(state) = state.filter(|state| state.awaits_rider()) {
            state.now.ridden = RideState::Since { left: state.baked.delays.after };
        }
    }

    /// Counts a tick of the platform in a slot, if a rider has triggered it.
    fn count_tick_of_triggered_platform(
        &mut self,
        slot: usize,
        terrain: &Terrain,
        settings: &Settings,
    ) -> Option<PresenceChange> {
        let state = self.state_mut(slot)?;
        let Delays { back, .. } = state.baked.delays;
        state.now.ridden = match (state.now.ridden, state.baked.platform.on_ride) {
            (RideState::Since { left: left @ 1.. }, _) => RideState::Since { left: left - 1 },
            (RideState::Since { .. }, OnRide::Fall { .. }) => RideState::Falls { ticks: 0 },
            (RideState::Since { .. }, OnRide::Crumble { .. }) => return self.remove_platform_at(slot, back),
            (RideState::Falls { .. }, _) if state.has_left_map(terrain, settings.gravity) => {
                return self.remove_platform_at(slot, back);
            }
            (RideState::Gone { left: Some(left @ 2..) }, _) => RideState::Gone { left: Some(left - 1) },
            (RideState::Gone { left: Some(_) }, _) => {
                let to = state.now.base + state.baked.path_displacement(state.now.clock);
                return self.respawn_platform(slot, to);
            }
            (other, _) => other,
        };
        None
    }

    /// Removes the platform in a slot.
    fn remove_platform_at(&mut self, slot: usize, ticks_until_respawn: Option<u32>) -> Option<PresenceChange> {
        let now = &mut self.state_mut(slot)?.now;
        now.ridden = RideState::Gone { left: ticks_until_respawn };
        (now.previous, now.made, now.target, now.stopped) = (now.origin, I64Vec2::ZERO, None, false);
        self.change_and_update_grid(|platforms| {
            let shape = &mut platforms.shapes[slot];
            shape.place_at_rest(shape.origin);
            shape.is_there = false;
        });
        Some(PresenceChange::Goes(self.slots.id(slot)))
    }

    /// Returns the platform in a slot to its position, as if no body had ridden it. Attached platforms move along.
    fn respawn_platform(&mut self, slot: usize, to: I64Vec2) -> Option<PresenceChange> {
        self.change_and_update_grid(|platforms| {
            let by = platforms.reset_platform_to(slot, to)?;
            platforms.move_descendants(slot, by);
            Some(PresenceChange::Comes)
        })
    }

    /// Moves the platform in a slot to `to`, as if no body had ridden it. Returns the displacement.
    pub(super) fn reset_platform_to(&mut self, slot: usize, to: I64Vec2) -> Option<I64Vec2> {
        let now = &mut self.state_mut(slot)?.now;
        let by = to - now.origin;
        now.ridden = RideState::Never;
        (now.origin, now.previous, now.made, now.target) = (to, to, I64Vec2::ZERO, None);
        let shape = &mut self.shapes[slot];
        shape.place_at_rest(to);
        shape.is_there = true;
        Some(by)
    }
}

impl PlatformState {
    /// Returns whether the platform waits for its first rider.
    fn awaits_rider(&self) -> bool {
        self.baked.platform.on_ride != OnRide::Nothing && self.now.ridden == RideState::Never
    }

    /// Returns whether the platform is present, so that bodies collide with it. `false` after the platform has
    /// crumbled or fallen out of the map, until it respawns.
    #[must_use]
    pub fn is_present(&self) -> bool {
        !matches!(self.now.ridden, RideState::Gone { .. })
    }

    /// Returns the ticks until the platform reacts to its first rider: it falls or crumbles. While it is absent,
    /// returns the ticks until it respawns. Returns 0 if it waits for neither.
    #[must_use]
    pub fn reaction_ticks(&self) -> u32 {
        match self.now.ridden {
            RideState::Since { left } => left,
            RideState::Gone { left } => left.unwrap_or(0),
            RideState::Never | RideState::Falls { .. } => 0,
        }
    }

    /// Returns whether the platform is on its path: neither falling nor waiting for a rider.
    pub(super) fn is_on_its_path(&self) -> bool {
        match self.now.ridden {
            RideState::Never => self.baked.platform.on_ride != OnRide::Start,
            RideState::Since { .. } => true,
            RideState::Falls { .. } | RideState::Gone { .. } => false,
        }
    }

    /// Returns the displacement of a falling platform in the next tick under `gravity`. `None` if the platform does not
    /// fall.
    pub(super) fn fall_step(&self, gravity: DVec2, tick: f64) -> Option<I64Vec2> {
        let RideState::Falls { ticks } = self.now.ridden else { return None };
        let (square, most) = (gravity * (0.5 * tick * tick * ONE as f64), Path::MAX_STEP_TILES * ONE as f64);
        let fall_after = |ticks: f64| (square * (ticks * ticks)).round();
        let step = fall_after(f64::from(ticks) + 1.0) - fall_after(f64::from(ticks));
        Some(step.clamp(DVec2::splat(-most), DVec2::splat(most)).as_i64vec2())
    }

    /// Returns whether the whole platform is beyond the side of the map to which it falls, or out of the valid
    /// coordinates.
    fn has_left_map(&self, terrain: &Terrain, gravity: DVec2) -> bool {
        let tiles = |(x, y): (i32, i32)| I64Vec2::new(i64::from(x), i64::from(y)) * ONE;
        let size = |(x, y): (u32, u32)| I64Vec2::new(i64::from(x), i64::from(y)) * ONE;
        let low = tiles(terrain.origin());
        let high = low + size(terrain.size());
        let own_low = self.now.origin + tiles(self.baked.terrain().origin());
        let own_high = own_low + size(self.baked.terrain().size());
        Position::from_units(self.now.origin.x, self.now.origin.y).is_none()
            || gravity.x < 0.0 && own_high.x <= low.x
            || gravity.x > 0.0 && own_low.x >= high.x
            || gravity.y < 0.0 && own_high.y <= low.y
            || gravity.y > 0.0 && own_low.y >= high.y
    }

    /// Returns whether the state is one that the platform's reaction can cause.
    #[cfg(feature = "record")]
    pub(super) fn is_valid(ridden: RideState, on_ride: OnRide) -> bool {
        let is_time = |ticks: u32| ticks <= Path::MAX_TICKS;
        match (ridden, on_ride) {
            (RideState::Never, _) => true,
            (RideState::Since { left }, OnRide::Start) => left == 0,
            (RideState::Since { left }, OnRide::Fall { .. } | OnRide::Crumble { .. }) => is_time(left),
            (RideState::Falls { .. }, OnRide::Fall { .. }) => true,
            (
                RideState::Gone { left },
                OnRide::Fall { respawn_time: back, .. } | OnRide::Crumble { respawn_time: back, .. },
            ) => left.is_some() == back.is_some() && left.is_none_or(is_time),
            _ => false,
        }
    }
}

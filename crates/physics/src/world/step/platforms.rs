//! Moves platforms, and carries and pushes bodies with them.
//!
//! 1. Each platform gets its displacement of this tick from its path or from the game.
//! 2. Each body near a platform is carried and pushed (`motion::carry`), all against the same displacements.
//!    [`platform_clearance`](super::platform_clearance) tells which bodies need no test because they are near no
//!    platform, or only near the one that they ride.
//! 3. A platform that crushes a body does what its [`OnCrush`] says: it passes through the body from its start
//!    position on, or it stops. If it stops, its displacement is the part made until then, and all bodies are solved
//!    again. A platform that would stop a second time does not move at all.
//! 4. Bodies and platforms move to their new positions. Contacts are searched again, except those with platforms that
//!    moved together with the body.
//!
//! After that, bodies make their own moves while platforms do not move, see [`riding`](super::riding).

use super::super::near::try_load_whole_reach;
use super::super::platforms::{MAX_TICKS_APART, Pressed};
use super::super::state::Prediction;
use super::islands::Islands;
use super::{Isolation, StepScratch, passes_through_everything};
use crate::event::{BodyId, Event, EventKind};
use crate::motion::{
    Blocks, Bounds, CarryScratch, Crushed, NearPlatforms, Owner, PlatformTravel, Scene, Surface, carry,
    combine_displacements, common_velocity, keep_fastest_rising,
};
use crate::platform::{OnCrush, PlatformId};
use crate::terrain::{ChunkKey, Terrain};
use crate::world::{BodyState, Platforms, Settings, TickLog, World};
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::exact::wide_dot;
use surefoot_geometry::{ONE, Position};

/// Margin around a body in which the platforms for its tick are listed, in units: two tiles. Platforms further out
/// are searched at each query.
///
/// Affects speed only.
pub(super) const LISTED_MARGIN_UNITS: i64 = 2 * ONE;

/// How platforms moved and pushed bodies in a tick.
#[derive(Debug, Default)]
pub(in crate::world) struct Carries {
    pub(super) scratch: CarryScratch,
    pub(super) islands: Islands,
    /// Carried bodies in the order of the slots.
    pub(super) carried: Vec<Carried>,
    /// Surfaces of platforms that push bodies.
    pub(super) pushers: Vec<Surface>,
    /// Positions where the paths of bodies turned while platforms moved them.
    pub(super) corners: Vec<Position>,
    /// Crushed bodies of one pass: the body, the platform's slot, and the platform's displacement until it crushed the
    /// body.
    pub(super) crushed: Vec<(BodyId, u32, I64Vec2)>,
    /// Platforms that have stopped in this tick.
    stopped: Vec<u32>,
    /// Bodies that were crushed in this tick, each with the platform.
    pressed: Vec<(BodyId, PlatformId)>,
    /// Index of the next carried body for queries in the order of the slots.
    next: usize,
    /// Bodies that are stuck in the terrain.
    stuck: Vec<BodyId>,
    /// Platforms near the current body.
    near: NearPlatforms,
    /// Riders that were alone with their platform: their start position and the platform's displacement.
    #[cfg(test)]
    pub(in crate::world) rider_moves: Vec<(BodyId, Position, I64Vec2)>,
}

/// A body with platforms near it.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    pub(super) body: BodyId,
    /// Position when the tick began.
    pub(super) from: Position,
    /// Position after platforms have moved.
    pub(super) to: Position,
    pub(super) rides: SmallVec<[Owner; 2]>,
    pub(super) ignored: SmallVec<[u32; 4]>,
    /// Platforms near the body. The list is complete within `within`.
    pub(super) near: NearPlatforms,
    pub(super) within: Bounds,
    /// Range of the body's surfaces in `pushers`.
    pub(super) pushers: std::ops::Range<usize>,
    /// Range of the body's corners in `corners`.
    pub(super) corners: std::ops::Range<usize>,
    /// Displacement of a body that the game shifts: the shift and the step of what it rides.
    pub(super) own_displacement: Option<I64Vec2>,
    /// Difference between the body's displacement and that of what it rides: by pushes and obstacles.
    pub(super) pushed: I64Vec2,
    /// Minimum velocity that the body gets because platforms push it through other bodies. 0 on an axis without a
    /// push.
    pub(super) chain: DVec2,
    /// Whether something touched the body at the end of its motion with platforms.
    pub(super) is_held: bool,
    #[cfg(test)]
    pub(super) sub_moves: Vec<crate::motion::SubMove>,
}

impl Carried {
    /// Returns the record of a body that nothing blocked.
    pub(super) fn of_unblocked_body(body: BodyId, from: Position, to: Position) -> Carried {
        Carried {
            body,
            from,
            to,
            rides: SmallVec::new(),
            ignored: SmallVec::new(),
            near: NearPlatforms::new(),
            within: Bounds::NONE,
            pushers: 0..0,
            corners: 0..0,
            own_displacement: None,
            pushed: I64Vec2::ZERO,
            chain: DVec2::ZERO,
            is_held: false,
            #[cfg(test)]
            sub_moves: Vec::new(),
        }
    }
}

#[cfg(test)]
impl Carries {
    /// Returns the sub-moves of each body in the last tick, and the platforms that pass through it.
    pub(in crate::world) fn sub_moves(&self) -> impl Iterator<Item = (BodyId, &[crate::motion::SubMove], &[u32])> {
        self.carried.iter().map(|carried| (carried.body, &carried.sub_moves[..], &carried.ignored[..]))
    }
}

impl World {
    /// Moves platforms and the bodies that they carry and push, together with the bodies that the game shifts.
    #[inline(always)]
    pub(super) fn move_platforms_and_riders(&mut self) {
        if !self.platforms.is_empty() || !self.scratch.overrides.shifts.is_empty() {
            self.set_frozen_bodies_stuck(false);
            self.move_platforms();
            self.set_frozen_bodies_stuck(true);
        }
        if !self.scratch.overrides.shifts.is_empty() {
            self.wake_bodies_pushed_off();
        }
    }

    #[inline(never)]
    fn move_platforms(&mut self) {
        let mut carries = std::mem::take(&mut self.scratch.carries);
        self.update_ridden_platforms();
        self.platforms.compute_steps(&self.settings);
        carries.stopped.clear();
        carries.pressed.clear();
        #[cfg(test)]
        carries.rider_moves.clear();
        while !self.try_carry_without_crushing(&mut carries) {
            self.handle_crushed_bodies(&mut carries);
        }
        // Drop the pairs of platforms that stopped at a body before, but not in this tick. If such a platform stops at
        // that body again, it sends an event again.
        self.platforms
            .pairs
            .retain(|pair| pair.state != Pressed::Stopped || carries.pressed.contains(&(pair.body, pair.platform)));
        self.platforms.apply_steps_and_send_arrivals(self.settings.tick, &mut self.log.events);
        for i in 0..carries.carried.len() {
            self.move_carried_body(&mut carries, i);
        }
        // A stuck body does not block platforms: they pass through it until they are apart.
        for body in carries.stuck.drain(..) {
            self.ignore_overlapped_platforms(Some(body), None);
            self.find_platform_contacts_of_stuck_body(body);
        }
        carries.next = 0;
        self.scratch.carries = carries;
        // The chunks at the new positions are now held for the bodies. So drop the chunks that were loaded only to
        // carry bodies.
        let World { terrain, scratch, .. } = self;
        scratch.loaded.drain(..).for_each(|key| terrain.drop_chunk_if_unheld(key));
    }

    /// Moves each body with the platforms. Returns whether none is crushed.
    fn try_carry_without_crushing(&mut self, carries: &mut Carries) -> bool {
        carries.stuck.clear();
        carries.carried.clear();
        carries.pushers.clear();
        carries.corners.clear();
        carries.crushed.clear();
        let World { terrain, platforms, settings, bodies, scratch: StepScratch { loaded, overrides, .. }, .. } = self;
        if terrain.is_streamed() {
            // Forget missing chunks that queries outside of the step have recorded.
            terrain.clear_and_unshare_missed_chunks();
        }
        let now = platforms.blocks().map_or(PlatformTravel::NONE, Blocks::travel_so_far);
        let has_shifts = !overrides.shifts.is_empty();
        let (slots, states, ..) = bodies.parts_mut();
        for (slot, state) in states.iter_mut().enumerate() {
            let Some(state) = state else { continue };
            let stays_isolated = state.is_still_isolated(terrain, &platforms.shapes, now);
            if stays_isolated && !has_shifts {
                continue;
            }
            let body = slots.id(slot);
            let shift = overrides.shifts.iter().find(|(shifted, _)| *shifted == body).map(|(_, way)| *way);
            if shift.is_none() && (stays_isolated || platforms.is_empty()) {
                continue;
            }
            let may_be_isolated = !stays_isolated && state.prediction.isolation != Isolation::Unknown;
            if may_be_isolated
                && state
                    .recheck_isolation(&platforms.surroundings(terrain).for_layers(state.kind.collision_layers), now)
                && shift.is_none()
            {
                continue;
            }
            let (shape, from, layers) = (state.kind.shape, state.now.position, state.kind.collision_layers);
            let bounds = Bounds::of_motion(shape, from, I64Vec2::ZERO);
            // A platform near the body's cached pieces matters too, because it may enter their bounds.
            let zone = state.cold.as_ref().map_or(bounds, |cold| cold.near.union_with_known_zone(bounds, shape));
            // A ladder or water that carries the body may be far from the platform that it belongs to.
            let holds_on = state.held_platform().is_some();
            let is_near = holds_on || platforms.blocks().is_none_or(|blocks| blocks.may_reach_platforms(&zone));
            if shift.is_none() && !is_near && platforms.pairs.is_empty() && !state.now.stuck {
                continue;
            }
            if state.now.stuck || passes_through_everything(state) {
                if state.now.stuck {
                    carries.stuck.push(body);
                } else if let Some(shift) = shift.filter(|_| !state.now.held) {
                    carries.carried.push(Carried::of_unblocked_body(
                        body,
                        from,
                        Position::clamped(from.units() + shift),
                    ));
                }
                continue;
            }
            let ignored = platforms.platforms_ignored_by(body);
            if shift.is_none() && !is_near && ignored.is_empty() {
                continue;
            }
            let around = platforms.surroundings(terrain).for_layers(layers);
            let is_beside = || holds_on || around.has_platform_within(&bounds);
            if shift.is_none() && ignored.is_empty() && !is_beside() {
                if around.has_platform_within(&zone) {
                    state.prediction = Prediction::NOTHING;
                }
                continue;
            }
            let mut carrier = Carrier { terrain, platforms, settings, loaded };
            carrier.carry_body(carries, (body, state), zone, (ignored, shift));
        }
        if carries.crushed.is_empty() && bodies.features_in_use().collide {
            self.carry_islands(carries);
        }
        carries.crushed.is_empty()
    }

    /// Lets each platform that has crushed bodies pass through them, or stops it.
    fn handle_crushed_bodies(&mut self, carries: &mut Carries) {
        let Carries { crushed, stopped, pressed, .. } = carries;
        let World { log: TickLog { events, .. }, platforms, bodies, .. } = self;
        for &(body, slot, _) in crushed.iter() {
            let platform = platforms.id(slot);
            let state = match platforms.on_crush(slot) {
                OnCrush::PassThrough => Pressed::Ignored { apart: 0 },
                OnCrush::Stop => Pressed::Stopped,
            };
            if platforms.insert_or_update_pair(body, platform, state) {
                events.push(Event { body, kind: EventKind::Crushed { platform } });
                if let Some(rider) = bodies.get_mut(body).filter(|_| state != Pressed::Stopped) {
                    detach_crushed_body(rider, Owner::Platform(slot));
                }
            }
            pressed.push((body, platform));
        }
        crushed.retain(|(_, slot, _)| platforms.on_crush(*slot) == OnCrush::Stop);
        // Attached platforms stop together.
        crushed.iter_mut().for_each(|(_, slot, _)| *slot = platforms.group(*slot));
        crushed.sort_by_key(|(_, slot, _)| *slot);
        for all in crushed.chunk_by(|a, b| a.1 == b.1) {
            let slot = all[0].1;
            let shorter = |a: i64, b: i64| if a.abs() <= b.abs() { a } else { b };
            let made = all.iter().map(|(.., made)| *made);
            let part = made.reduce(|a, b| I64Vec2::new(shorter(a.x, b.x), shorter(a.y, b.y))).unwrap_or_default();
            let again = stopped.contains(&slot);
            platforms.stop_group(slot, if again { I64Vec2::ZERO } else { part });
            stopped.push(slot);
        }
    }

    /// Moves a body to where platforms have carried it, and finds its contacts there.
    fn move_carried_body(&mut self, carries: &mut Carries, i: usize) {
        let Carried { body, from, to, ignored, near, within, .. } = &carries.carried[i];
        let World { terrain, platforms, settings, bodies, scratch, tick, .. } = self;
        let Some(state) = bodies.get_mut(*body) else { return };
        if terrain.is_streamed() && from != to {
            let before = std::mem::replace(&mut state.now.position, *to);
            try_load_whole_reach(terrain, settings, state);
            state.now.position = before;
        }
        let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
        let scene = Scene {
            around: scene.around.ignoring_platforms(ignored, DVec2::ZERO).with_near_platforms(*within, near),
            ..scene
        };
        let (shape, moved) = (state.kind.shape, *to - *from);
        state.replace_state(|now| now.position = *to);
        let surfaces = &mut scratch.touched;
        surfaces.clear();
        for surface in state.touched() {
            let is_met = !matches!(surface.owner, Owner::Platform(slot) if ignored.contains(&slot));
            if is_met && platforms.last_displacement(surface.owner) == moved {
                surfaces.push(Surface { at: surface.at + moved, ..*surface });
            }
        }
        // A platform that moved together with the body still touches it as before.
        scene.add_touched_of_other_sources(shape, *to, |owner| platforms.last_displacement(owner) != moved, surfaces);
        state.cold_mut().set_contacts_if_changed(surfaces);
        let (touching, _) = super::sides_and_standing_of_body(&scene, state);
        let speed = state.now.footing.speed().filter(|_| touching.floor);
        state.now.set_footing(touching, speed, *tick + 1);
    }

    /// Finds the contacts of a stuck body with the platforms that it touched before they moved. The body itself does
    /// not move, so its other contacts stay.
    fn find_platform_contacts_of_stuck_body(&mut self, body: BodyId) {
        let World { terrain, platforms, settings, bodies, scratch, tick, .. } = self;
        let Some(state) = bodies.get_mut(body) else { return };
        let has_moved = |owner: Owner| platforms.last_displacement(owner) != I64Vec2::ZERO;
        if !state.touched().iter().any(|surface| has_moved(surface.owner)) {
            return;
        }
        let ignored = platforms.platforms_ignored_by(body);
        let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
        let scene = Scene { around: scene.around.ignoring_platforms(&ignored, DVec2::ZERO), ..scene };
        let surfaces = &mut scratch.touched;
        surfaces.clear();
        state.touched().iter().filter(|surface| !has_moved(surface.owner)).for_each(|surface| surfaces.push(*surface));
        scene.add_touched_of_other_sources(state.kind.shape, state.now.position, has_moved, surfaces);
        state.replace_state(|_| {});
        state.cold_mut().set_contacts_if_changed(surfaces);
        let (touching, _) = super::sides_and_standing_of_body(&scene, state);
        let speed = state.now.footing.speed();
        state.change(|now| now.set_footing(touching, speed, *tick + 1));
    }

    /// Counts for how many ticks bodies have been apart from platforms that pass through them.
    #[inline(never)]
    pub(in crate::world) fn count_ticks_apart(&mut self) {
        let World { terrain, platforms, settings, bodies, .. } = self;
        let mut pairs = std::mem::take(&mut platforms.pairs);
        let scene = platforms.scene(terrain, settings);
        pairs.retain_mut(|pair| {
            let Pressed::Ignored { apart } = &mut pair.state else { return true };
            let slot = platforms.slots.slot(pair.platform);
            let (Some(state), Some(slot)) = (bodies.get(pair.body), slot) else { return false };
            let scene = scene.of_kind(&state.kind);
            // Use the same test as when the platform begins to pass through the body: a body that overlaps only
            // one-way tiles is apart.
            let is_inside = scene.is_overlapped_by(Owner::Platform(slot as u32), state.kind.shape, state.now.position);
            *apart = if is_inside { 0 } else { apart.saturating_add(1) };
            *apart < MAX_TICKS_APART
        });
        platforms.pairs = pairs;
    }
}

/// The world while a body is carried.
struct Carrier<'a> {
    terrain: &'a mut Terrain,
    platforms: &'a Platforms,
    settings: &'a Settings,
    loaded: &'a mut Vec<ChunkKey>,
}

impl Carrier<'_> {
    /// Moves a body with what it rides, or by a shift. `zone`: bounds of the body's caches. `ignored`: platforms that
    /// pass through the body.
    #[inline(never)] // Most bodies are not carried: the loop over them is faster without this.
    fn carry_body(
        &mut self,
        carries: &mut Carries,
        (body, state): (BodyId, &BodyState),
        zone: Bounds,
        (ignored, shift): (SmallVec<[u32; 4]>, Option<I64Vec2>),
    ) {
        let Carries { scratch, carried, pushers, corners, crushed, near, .. } = carries;
        let Carrier { terrain, platforms, settings, loaded } = self;
        let (shape, from, layers) = (state.kind.shape, state.now.position, state.kind.collision_layers);
        let mut within = zone.grown(LISTED_MARGIN_UNITS);
        if platforms.surroundings(terrain).for_layers(layers).find_near_platforms(&within, near).is_none() {
            within = Bounds::NONE;
            near.clear();
        }
        let (frame, up) = (platforms.scene(terrain, settings).of_kind(&state.kind).frame, state.kind.up.direction());
        let mut rides = state.ridden_sources(&frame);
        rides.retain(|owner| !matches!(owner, Owner::Platform(slot) if ignored.contains(slot)));
        keep_fastest_rising(&mut rides, |owner| wide_dot(platforms.tick_displacement(owner), up));
        let rest = combine_displacements(rides.iter().map(|owner| platforms.tick_displacement(*owner)));
        let own_displacement = shift.map(|shift| rest + shift);
        let result = loop {
            let scene = platforms.scene(terrain, settings).of_kind(&state.kind);
            let around = scene.around.ignoring_platforms(&ignored, DVec2::ZERO).with_near_platforms(within, near);
            let result = carry(&Scene { around, ..scene }, shape, from, (&rides, own_displacement), scratch);
            // If a chunk was missing, load it and carry the body again.
            let Some(missing) = terrain.take_first_missed_chunk() else { break result };
            terrain.load_chunk(missing);
            loaded.push(missing);
        };
        let to = match result {
            Ok(to) => to,
            Err(Crushed { blamed }) => {
                return crushed.extend(blamed.into_iter().map(|(platform, made)| (body, platform, made)));
            }
        };
        let start = pushers.len();
        let pushes = |surface: &&Surface| surface.owner != Owner::Terrain && !rides.contains(&surface.owner);
        pushers.extend(scratch.held_surfaces().iter().filter(pushes));
        carried.push(Carried {
            near: near.clone(),
            within,
            ignored,
            pushers: start..pushers.len(),
            corners: add_corners(corners, from, scratch.sub_move_ends()),
            own_displacement,
            // A shift by the game is not a push by platforms. So the body keeps its own motion whole, even if an
            // obstacle shortens the shift.
            pushed: if own_displacement.is_none() { to - from - rest } else { I64Vec2::ZERO },
            is_held: !scratch.held_surfaces().is_empty(),
            rides,
            #[cfg(test)]
            sub_moves: scratch.sub_moves.clone(),
            ..Carried::of_unblocked_body(body, from, to)
        });
    }
}

/// Detaches a body from a platform that has crushed it and moves on through it. The body does not inherit the
/// platform's velocity, which would throw it against the obstacle. It also loses its own velocity against the
/// platform, if the platform has only just reached it.
fn detach_crushed_body(state: &mut BodyState, owner: Owner) {
    let is_rider = state.on_floor() && state.touched().iter().any(|surface| surface.owner == owner);
    if is_rider && state.kind.character.is_none() {
        let (own, whole) = (state.now.velocity, state.now.velocity + state.last_ride_velocity());
        state.now.velocity = common_velocity(own, whole);
    }
}

impl Carries {
    /// Returns whether platforms moved a body or were near it. Call in the order of the slots.
    #[inline]
    pub(super) fn is_next_carried(&self, body: BodyId) -> bool {
        self.carried.get(self.next).is_some_and(|carried| carried.body == body)
    }

    /// Skips a body in the iteration over carried bodies, which is in the order of the slots.
    #[inline]
    pub(super) fn skip_carried_body(&mut self, body: BodyId) {
        self.next += usize::from(self.is_next_carried(body));
    }

    /// Returns for each body its start position, the corners of its path and its end position.
    pub(super) fn carried_paths(&self) -> impl Iterator<Item = (BodyId, Position, &[Position], Position)> {
        let corners = |carried: &Carried| &self.corners[carried.corners.clone()];
        self.carried.iter().map(move |carried| (carried.body, carried.from, corners(carried), carried.to))
    }

    /// Returns how platforms moved a body, in any order of calls.
    pub(super) fn find_carried(&self, body: BodyId) -> Option<Carried> {
        let found = self.carried.binary_search_by_key(&slot_of(body), |carried| slot_of(carried.body)).ok()?;
        Some(self.carried[found].clone())
    }

    /// Returns how platforms moved a body. Call in the order of the slots.
    pub(super) fn take_next_carried(&mut self, body: BodyId) -> Option<Carried> {
        if !self.is_next_carried(body) {
            return None;
        }
        self.next += 1;
        Some(self.carried[self.next - 1].clone())
    }
}

/// Appends the corners of a path to `list`: the positions where its direction changes. `ends`: end of each swept
/// part. Returns the range of the new corners.
pub(super) fn add_corners(list: &mut Vec<Position>, from: Position, ends: &[Position]) -> std::ops::Range<usize> {
    let first = list.len();
    let (mut begin, mut last) = (from, from);
    for end in ends {
        let (made, next) = (last - begin, *end - last);
        if next == I64Vec2::ZERO {
            continue;
        }
        let goes_on = wide_dot(made.perp(), next) == 0 && wide_dot(made, next) >= 0;
        if made != I64Vec2::ZERO && !goes_on {
            list.push(last);
            begin = last;
        }
        last = *end;
    }
    first..list.len()
}

/// Slot of a body. Bodies are processed in this order.
pub(super) fn slot_of(body: BodyId) -> u32 {
    slotmap::Key::data(&body).as_ffi() as u32
}

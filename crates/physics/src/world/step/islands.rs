//! Carries bodies that could touch each other together while platforms move. Such a group of bodies is an island,
//! solved by `motion::carry_island`.

use super::pairs::{Grid, can_collide_now, may_collide};
use super::platforms::{Carried, Carries, add_corners};
use super::{BodyState, Rules};
use crate::event::BodyId;
use crate::map::CollisionLayers;
use crate::motion::tolerance::MAX_SEARCH_UNITS;
use crate::motion::{
    Bounds, IslandBody, IslandLists, Member, NearPlatforms, Owner, Shape, Surface, carry_island, keep_fastest_rising,
};
use crate::world::World;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::exact::wide_dot;
use surefoot_geometry::{Position, to_lengths};

/// Lists for islands. Every tick fills them again.
#[derive(Debug, Default)]
pub(super) struct Islands {
    candidates: Vec<IslandCandidate>,
    grid: Grid,
    found: Vec<u32>,
    /// The bodies of the current island.
    island: Vec<u32>,
    /// The pairs of the island that may collide, with the lower index first.
    pairs: Vec<(u32, u32)>,
    members: Vec<Member>,
    lists: IslandLists,
}

/// A body that may belong to an island.
#[derive(Debug)]
struct IslandCandidate {
    body: BodyId,
    slot: usize,
    shape: Shape,
    start: Position,
    /// Displacement of a body that the game shifts: the shift and the step of what it rides.
    own_displacement: Option<I64Vec2>,
    /// Index in the list of carried bodies of the result that platforms have on the body without other bodies.
    alone: Option<usize>,
    is_stuck: bool,
    /// The body is in an island of this tick already.
    is_seen: bool,
}

impl World {
    /// Carries bodies that could touch each other together. Bodies that platforms crush are added to the crushed
    /// ones.
    #[inline(never)]
    pub(super) fn carry_islands(&mut self, carries: &mut Carries) {
        let mut islands = std::mem::take(&mut carries.islands);
        // Search equally far on both axes: on a slope, a sideways push also moves a body up.
        let shifts = self.scratch.overrides.shifts.iter().map(|(_, way)| way.abs().max_element());
        let step = self.platforms.longest_step().max_element();
        let mut reach = I64Vec2::splat(shifts.max().unwrap_or_default().saturating_add(step).min(MAX_SEARCH_UNITS));
        let (known, crushed) = (carries.carried.len(), carries.crushed.len());
        while reach != I64Vec2::ZERO {
            self.list_island_candidates(&mut islands, carries, reach);
            for first in 0..islands.candidates.len() {
                let moves = |candidate: &IslandCandidate| {
                    let alone = candidate.alone.map(|i| &carries.carried[i]);
                    !candidate.is_seen && alone.is_some_and(|alone| alone.to != alone.from || alone.is_held)
                };
                if moves(&islands.candidates[first]) {
                    self.find_and_carry_island_of(&mut islands, carries, first, reach);
                }
            }
            let distance = |carried: &Carried| (carried.to - carried.from).abs().max_element();
            let furthest = carries.carried.iter().map(distance).max().unwrap_or_default();
            if furthest <= reach.x || reach.x >= MAX_SEARCH_UNITS {
                break;
            }
            // A body moved further than the search for other bodies reached. Solve again with a larger reach.
            reach = I64Vec2::splat((2 * furthest).min(MAX_SEARCH_UNITS));
            carries.carried.truncate(known);
            carries.crushed.truncate(crushed);
        }
        carries.carried.sort_unstable_by_key(|carried| slot_sort_key_of_body(carried.body));
        carries.islands = islands;
    }

    /// Lists the bodies that may be part of an island, and puts them into the grid with a margin of `reach`.
    fn list_island_candidates(&self, islands: &mut Islands, carries: &Carries, reach: I64Vec2) {
        let Islands { candidates, grid, .. } = islands;
        candidates.clear();
        let mut next = 0;
        for (body, state) in self.bodies.iter() {
            while carries
                .carried
                .get(next)
                .is_some_and(|carried| slot_sort_key_of_body(carried.body) < slot_sort_key_of_body(body))
            {
                next += 1;
            }
            let alone = carries.carried.get(next).is_some_and(|carried| carried.body == body).then_some(next);
            if !may_collide(state) {
                continue;
            }
            let (shape, start) = (state.kind.shape, state.now.position);
            let (slot, is_stuck) = (slot_sort_key_of_body(body) as usize - 1, state.now.stuck);
            let own_displacement = alone.and_then(|alone| carries.carried[alone].own_displacement);
            candidates.push(IslandCandidate {
                body,
                slot,
                shape,
                start,
                own_displacement,
                alone,
                is_stuck,
                is_seen: false,
            });
        }
        grid.clear(candidates.len());
        for (i, candidate) in (0..).zip(&*candidates) {
            grid.insert(i, &bounds_reached_in_tick(candidate, reach));
        }
    }

    /// Finds and carries the island of body `first`: all bodies that could touch it, or each other, in the tick.
    fn find_and_carry_island_of(&mut self, islands: &mut Islands, carries: &mut Carries, first: usize, reach: I64Vec2) {
        let Islands { candidates, grid, found, island, pairs, .. } = islands;
        let states = self.bodies.states();
        island.clear();
        pairs.clear();
        island.push(first as u32);
        candidates[first].is_seen = true;
        let mut next = 0;
        while let Some(&i) = island.get(next) {
            let zone = bounds_reached_in_tick(&candidates[i as usize], reach);
            grid.find_overlapping(
                &zone,
                |j| bounds_reached_in_tick(&candidates[j as usize], reach).intersects(&zone),
                candidates.len(),
                found,
            );
            for &j in &*found {
                let (a, b) = (&candidates[i as usize], &candidates[j as usize]);
                let (Some(one), Some(other)) = (&states[a.slot], &states[b.slot]) else { continue };
                if i == j || !can_collide_now((one, a.start), (other, b.start)) {
                    continue;
                }
                if i < j {
                    pairs.push((i, j));
                }
                if !candidates[j as usize].is_seen {
                    candidates[j as usize].is_seen = true;
                    island.push(j);
                }
            }
            next += 1;
        }
        if island.len() > 1 {
            self.solve_island(islands, carries);
        }
    }

    /// Moves the bodies of one island by their platforms, or records which platforms crushed which bodies.
    fn solve_island(&mut self, islands: &mut Islands, carries: &mut Carries) {
        let Islands { candidates, island, pairs, members, lists, .. } = islands;
        // Sort by slot, so that the result does not depend on which body was found first.
        island.sort_unstable();
        pairs.sort_unstable();
        for (a, b) in &mut *pairs {
            let place = |i: u32| island.binary_search(&i).map_or(u32::MAX, |place| place as u32);
            (*a, *b) = (place(*a), place(*b));
        }
        members.clear();
        members.extend(island.iter().map(|i| self.make_island_member(&candidates[*i as usize], carries)));
        let World { terrain, platforms, settings, scratch, .. } = self;
        let solved = loop {
            let solved = carry_island(&platforms.scene(terrain, settings), members, pairs, lists, &mut carries.scratch);
            let Some(missing) = terrain.take_first_missed_chunk() else { break solved };
            terrain.load_chunk(missing);
            scratch.loaded.push(missing);
        };
        match solved {
            Ok(()) => {
                self.store_push_velocities(lists);
                for ((i, member), end) in island.iter().zip(members.drain(..)).zip(&lists.bodies) {
                    record_carried(&candidates[*i as usize], (member, end), carries);
                }
            }
            Err(blamed) => {
                let name = |(member, platform, made): (u32, u32, I64Vec2)| {
                    (candidates[island[member as usize] as usize].body, platform, made)
                };
                carries.crushed.extend(blamed.into_iter().map(name));
            }
        }
    }

    /// Returns whether gravity pulls a body on to what is below it, so that other bodies carry it.
    fn is_pulled_onto_others(&self, body: BodyId, state: &BodyState) -> bool {
        let rules = Rules::of_next_tick(&self.settings, &self.terrain, self.tick)
            .with_area_effects(self.areas.active_effects().find_effects_on(body));
        rules.gravity_of(&state.kind).dot(state.kind.up.direction().as_dvec2()) < 0.0
    }

    /// Returns the data of a candidate that moving an island needs.
    fn make_island_member(&self, candidate: &IslandCandidate, carries: &Carries) -> Member {
        let World { terrain, platforms, settings, bodies, .. } = self;
        let state = bodies.get(candidate.body);
        let up = state.map_or(settings.up, |state| state.kind.up);
        let (rides, ignored, near, within) = if let Some(alone) = candidate.alone {
            let Carried { rides, ignored, near, within, .. } = &carries.carried[alone];
            (rides.clone(), ignored.clone(), near.clone(), *within)
        } else {
            let ignored = platforms.platforms_ignored_by(candidate.body);
            let frame = platforms.scene(terrain, settings).frame.with_up(up);
            let mut rides = state.map_or_else(SmallVec::new, |state| state.ridden_sources(&frame));
            rides.retain(|owner| !matches!(owner, Owner::Platform(slot) if ignored.contains(slot)));
            keep_fastest_rising(&mut rides, |owner| wide_dot(platforms.tick_displacement(owner), up.direction()));
            (rides, ignored, NearPlatforms::new(), Bounds::NONE)
        };
        Member {
            shape: candidate.shape,
            start: candidate.start,
            is_fixed: candidate.is_stuck,
            up,
            layers: state.map_or(CollisionLayers::NONE, |state| state.kind.collision_layers),
            lies_on_others: state.is_some_and(|state| self.is_pulled_onto_others(candidate.body, state)),
            rides,
            own: candidate.own_displacement,
            ignored,
            near,
            within,
        }
    }

    /// Stores the push velocity of each body of an island, in both directions of each axis. A platform pushes the body
    /// that it touches, and that body pushes the bodies ahead of it. No other body affects the velocity.
    fn store_push_velocities(&self, lists: &mut IslandLists) {
        for end in &mut lists.bodies {
            end.chain = (DVec2::ZERO, DVec2::ZERO);
            for surface in end.held.iter().filter(|surface| surface.owner != Owner::Terrain) {
                let normal = surface.normal(end.position).as_dvec2();
                let velocity = to_lengths(self.platforms.tick_displacement(surface.owner)) / self.settings.tick;
                if (normal.x == 0.0 || normal.y == 0.0) && normal.dot(velocity) > 0.0 {
                    let along = normal * (normal.dot(velocity) / normal.length_squared());
                    end.chain = (end.chain.0.max(along), end.chain.1.min(along));
                }
            }
        }
        lists.pass_on_push_velocities();
    }
}

/// Returns whether a surface that blocks a body belongs to a platform that pushes the body: one that the body does not
/// ride.
fn is_surface_of_pusher(surface: &Surface, rides: &[Owner]) -> bool {
    surface.owner != Owner::Terrain && !rides.contains(&surface.owner)
}

/// Stores the end position of a body in an island. A body that platforms push through other bodies gets the velocity
/// of these platforms.
fn record_carried(candidate: &IslandCandidate, (member, end): (Member, &IslandBody), carries: &mut Carries) {
    let Carries { carried, pushers, corners, .. } = carries;
    let start = pushers.len();
    pushers.extend(end.held.iter().filter(|surface| is_surface_of_pusher(surface, &member.rides)));
    let displacement = end.position - candidate.start;
    // For a body that the game shifts, the difference is not a push by platforms: something may have blocked the shift.
    let pushed = if candidate.own_displacement.is_none() { displacement - end.wish.total } else { I64Vec2::ZERO };
    let chain = |made: i64, more: f64, less: f64| match made.signum() {
        1 => more,
        -1 => less,
        _ => 0.0,
    };
    let chain =
        DVec2::new(chain(pushed.x, end.chain.0.x, end.chain.1.x), chain(pushed.y, end.chain.0.y, end.chain.1.y));
    let Member { mut rides, ignored, near, within, .. } = member;
    if end.ride.is_lifted_off {
        rides.clear();
    }
    let found = Carried {
        body: candidate.body,
        from: candidate.start,
        to: end.position,
        rides,
        ignored,
        near,
        within,
        pushers: start..pushers.len(),
        corners: add_corners(corners, candidate.start, &end.ends),
        own_displacement: candidate.own_displacement,
        pushed,
        chain,
        is_held: !end.held.is_empty(),
        #[cfg(test)]
        sub_moves: Vec::new(),
    };
    match candidate.alone {
        Some(alone) => carried[alone] = found,
        None if displacement != I64Vec2::ZERO => carried.push(found),
        None => {}
    }
}

/// Bounds of everything that a body could touch in the tick.
fn bounds_reached_in_tick(candidate: &IslandCandidate, reach: I64Vec2) -> Bounds {
    let around = Bounds::of_motion(candidate.shape, candidate.start, I64Vec2::ZERO);
    Bounds { low: around.low - reach, high: around.high + reach }
}

fn slot_sort_key_of_body(body: BodyId) -> u32 {
    super::platforms::slot_of(body)
}

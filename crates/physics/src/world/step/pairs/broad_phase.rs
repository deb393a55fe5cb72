//! Broad phase: finds the bodies that have other bodies near, and pairs those that may collide. An *entry* is a body
//! that may collide at all. Its *zone* contains the body during the whole tick.

use super::sleep_grid::{self, FreeSpace};
use super::solver_bodies::{BodyIndex, SolverBodies};
use super::solver_body::{ContactSettings, Given, Outcome, Part, SolverBody, Start};
use super::tolerance::{MAX_PARTING_SPEED, MAX_WALK_FACTOR};
use super::{BroadPhase, Entry, Lists, NO_BODY, PairPhase, Pairs};
use crate::body::{Character, Response};
use crate::motion::tolerance::{MAX_SEARCH_UNITS, MAX_SNAP_UNITS};
use crate::motion::{Bounds, Frame, Surface, Touching};
use crate::world::areas::{ActingBodies, ActiveEffects};
use crate::world::state::Now;
use crate::world::step::{BodyState, Rules, Tick, passes_through_everything};
use crate::world::{HeldKind, Settings, Slots, World};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::exact;
use surefoot_geometry::{ONE, Position};

/// Isolated bodies, which are far from all others, are searched only in sparse worlds: fewer than one close pair per
/// `BODIES_PER_CLOSE_PAIR` bodies. Affects speed only.
const BODIES_PER_CLOSE_PAIR: usize = 32;

/// Interval in ticks at which a body that was not isolated is searched again. Affects speed only.
const ISOLATION_CHECK_TICKS: u64 = 8;

/// World data that the search for near bodies reads.
struct Search<'a> {
    slots: &'a Slots,
    states: &'a [Option<BodyState>],
    settings: &'a Settings,
    /// Speed of the fastest conveyor belt.
    belts: f64,
}

impl Search<'_> {
    /// Returns the entry of a body. `straight`: the end of its own tick, if the end is known and the path is
    /// straight.
    #[inline(always)]
    fn make_broad_phase_entry(
        &self,
        (slot, state): (usize, &BodyState),
        acts: Option<&ActiveEffects>,
        straight: Option<Position>,
        (has_near, was_isolated): (bool, bool),
    ) -> Entry {
        let gravity = acts.map_or(state.kind.gravity, |acting| acting.acceleration);
        let speed_factor = acts.map_or(1.0, |acting| acting.speed_factor);
        let is_in_area = acts.is_some();
        let zone = match straight {
            Some(end) => bounds_of_straight_move(state, end),
            None => {
                let carried = self.belts + acts.map_or(0.0, |acting| acting.ground_wind.abs());
                bounds_during_own_tick(state, (gravity, speed_factor, is_in_area), self.settings, carried)
            }
        };
        let (id, slot) = (self.slots.id(slot), slot as u32);
        Entry { id, slot, zone, gravity, speed_factor, is_in_area, has_near, was_isolated, straight }
    }
}

impl BroadPhase {
    /// Clears the results of the last tick.
    fn clear_for_tick(&mut self, slots: usize) {
        (self.is_short, self.has_characters) = (false, false);
        for entry in self.entries.drain(..) {
            if let Some(body) = self.by_slot.get_mut(entry.slot as usize) {
                *body = NO_BODY;
            }
        }
        self.by_slot.resize(slots, NO_BODY);
        self.near.clear();
        self.sleep_grid.prepare_for_tick(slots);
    }

    /// Lists the bodies that may collide, and caches the sleeping ones. `all`: list sleeping and isolated bodies too.
    /// `keeps_still`: only their own ticks can move the bodies.
    #[inline(always)]
    fn list_bodies_that_may_collide(
        &mut self,
        search: &Search<'_>,
        tick: &Tick<'_>,
        mut acting: ActingBodies<'_>,
        (keeps_still, all): (bool, bool),
    ) {
        let acts_on_any = !acting.is_empty();
        let BroadPhase { entries, sleep_grid, .. } = self;
        let Search { slots, states, .. } = *search;
        for (slot, state) in states.iter().enumerate() {
            let Some(state) = state else {
                sleep_grid.remove(slot);
                continue;
            };
            let acts = if acts_on_any { acting.take_next_effects(slots.id(slot)) } else { None };
            let is_kept = keeps_still && acts.is_none();
            // A cached body that still sleeps or is still isolated needs no entry. `may_collide` below need not be
            // checked for it: only a command changes its result, and every command clears `sleep_grid`.
            let is_cached = if is_kept && !all { sleep_grid.skip_and_recheck(slot, state) } else { None };
            if is_cached == Some(true) {
                continue;
            }
            if !may_collide(state) {
                sleep_grid.remove(slot);
                continue;
            }
            if is_kept && state.now.quiet == Now::AT_REST {
                sleep_grid.insert_sleeping(slot, state);
                if !all {
                    continue;
                }
                sleep_grid.mark_listed(slot);
            } else {
                sleep_grid.remove(slot);
            }
            // Do not shrink the zone of a character to its predicted path. That zone decides which other bodies are
            // isolated. So the zone must not depend on what the character does in this tick.
            let may_predict = is_kept && state.kind.character.is_none();
            let straight = if may_predict { tick.predicted_end(state) } else { None };
            // A body that lay on a moving body still has the velocity of that body, even if that body is no longer
            // near. So it takes part as if others were near.
            let has_near = all
                || has_touched_sides(state)
                || may_have_lost_floor(state)
                || state.last_ride_velocity() != DVec2::ZERO;
            entries.push(search.make_broad_phase_entry((slot, state), acts, straight, (has_near, is_cached.is_some())));
        }
    }

    /// Adds entries for the cached bodies that listed ones may reach, directly or through others.
    /// `unlisted`: number of cached bodies that have no entry yet.
    fn add_cached_bodies_in_reach(&mut self, search: &Search<'_>, found: &mut Vec<u32>, mut unlisted: usize) {
        let BroadPhase { entries, added, sleep_grid, .. } = self;
        let awake = entries.len();
        let mut next = 0;
        while unlisted > 0 && next < entries.len() {
            let Entry { slot, zone, .. } = entries[next];
            // A body that comes near sleeping bodies may wake them, and they wake the bodies that touch them. The
            // margin `more` covers impacts that throw a body further than its zone.
            let is_awake = search.states[slot as usize].as_ref().is_some_and(is_awake_collider);
            let more = if is_awake { (zone.high - zone.low).max_element() / 2 } else { 0 };
            sleep_grid.find_unlisted_within(&zone.grown(more), found);
            next += 1;
            unlisted -= found.len();
            for slot in found.iter().map(|slot| *slot as usize) {
                let Some(state) = &search.states[slot] else { continue };
                if is_awake_collider(state) {
                    sleep_grid.remove(slot);
                } else {
                    sleep_grid.mark_listed(slot);
                }
                entries.push(search.make_broad_phase_entry(
                    (slot, state),
                    None,
                    None,
                    (has_touched_sides(state), false),
                ));
            }
        }
        if entries.len() > awake {
            merge_added_entries(entries, awake, added);
        }
    }

    /// Pairs the entries whose zones overlap.
    fn pair_close_entries(&mut self) {
        let BroadPhase { entries, near, grid, .. } = self;
        grid.clear(entries.len());
        for i in 0..entries.len() as u32 {
            let (zone, first) = (entries[i as usize].zone, near.len());
            grid.insert_and_visit_overlapping(i, &zone, |j| entries[j as usize].zone, |j| near.push((j, i)));
            if near.len() > first {
                near[first..].iter().for_each(|(j, _)| entries[*j as usize].has_near = true);
                entries[i as usize].has_near = true;
            }
        }
    }

    /// Adds listed bodies without others near to the cache, if they are isolated.
    #[inline(never)]
    fn cache_isolated_bodies(&mut self, search: &Search<'_>, found: &mut Vec<u32>, tick: u64) {
        let BroadPhase { entries, grid, sleep_grid, .. } = self;
        let Search { states, settings, belts, .. } = *search;
        for entry in entries.iter().filter(|entry| !entry.has_near && !entry.is_in_area) {
            // If a body was not isolated, search around it only every few ticks.
            let Entry { slot, was_isolated, gravity, .. } = *entry;
            let is_due = was_isolated || (tick + u64::from(slot)).is_multiple_of(ISOLATION_CHECK_TICKS);
            let state = states[slot as usize].as_ref().filter(|state| is_due && is_awake_collider(state));
            let Some(state) = state.filter(|state| !state.now.stuck) else { continue };
            let free_space = FreeSpace::of_body(
                state,
                max_speed_gain_in_tick(state, (gravity, 1.0), settings, belts),
                settings.tick,
            );
            let free_space = (free_space, sleep_grid::max_correction_shift(state));
            sleep_grid.insert_if_isolated(slot as usize, state, free_space, found, |bounds, found| {
                grid.find_overlapping(bounds, |j| entries[j as usize].zone.intersects(bounds), entries.len(), found);
            });
        }
    }
}

impl Pairs {
    /// Fills the solver bodies of the entries that have others near, and pairs them.
    fn fill_and_pair_solver_bodies(&mut self, states: &[Option<BodyState>], frame: Frame) {
        let Pairs { bodies, broad: BroadPhase { entries, near, by_slot, has_characters, .. }, .. } = self;
        bodies.resize(entries.len());
        for (i, entry) in (0..).zip(&*entries).filter(|(_, entry)| entry.has_near) {
            let Some(state) = &states[entry.slot as usize] else { continue };
            by_slot[entry.slot as usize] = i;
            let body = bodies.insert(i);
            body.fill_from_body(entry, state, frame);
            *has_characters |= body.given.is_character;
        }
        for &(i, j) in &*near {
            add_pair(bodies, states, i, j);
        }
    }
}

impl World {
    /// Lists the bodies that have others near in this tick, in the order of the slots. `all` lists every body that
    /// may collide.
    pub(super) fn find_near_bodies(&mut self, pairs: &mut Pairs, all: bool) {
        let World { areas, bodies, settings, platforms, terrain, held_bodies, tick: ticks, .. } = self;
        let acting = areas.active_effects();
        let (slots, states, ..) = bodies.parts_mut();
        let keeps_still = platforms.is_empty();
        pairs.bodies.release_all();
        let is_calm = keeps_still && acting.is_empty() && pairs.broad.sleep_grid.is_complete;
        pairs.broad.all_asleep = is_calm && !states.iter().flatten().any(is_awake_collider);
        if pairs.broad.all_asleep {
            return;
        }
        (pairs.rows.mark, pairs.queue.stamp, pairs.queue.turn) = (0, 0, 0);
        pairs.ridings.clear();
        let Pairs { broad, lists: Lists { found, events, .. }, .. } = pairs;
        events.clear();
        broad.clear_for_tick(states.len());
        let all = all || !keeps_still || !std::mem::replace(&mut broad.sleep_grid.is_complete, true);
        let search = Search { slots, states, settings, belts: terrain.surfaced.fastest_belt };
        let tick =
            Tick::new(platforms.scene(terrain, settings), Rules::of_next_tick(settings, terrain, *ticks), events);
        broad.list_bodies_that_may_collide(&search, &tick, acting, (keeps_still, all));
        let left = if all { 0 } else { broad.sleep_grid.len() };
        broad.add_cached_bodies_in_reach(&search, found, left);
        broad.pair_close_entries();
        if keeps_still && !all && broad.near.len() * BODIES_PER_CLOSE_PAIR < states.len() {
            broad.cache_isolated_bodies(&search, found, *ticks);
        }
        pairs.fill_and_pair_solver_bodies(states, Frame::new(settings.up, settings.max_floor_slope));
        let Pairs { broad, bodies, .. } = pairs;
        for grip in held_bodies.iter().filter(|grip| grip.kind == HeldKind::Pulled) {
            let index = |id| slots.slot(id).map_or(NO_BODY, |slot| broad.by_slot[slot]);
            let (by, pulled) = (index(grip.by), index(grip.body));
            if bodies.get(by).is_some_and(|body| body.stage.near.contains(&pulled)) {
                bodies[by as usize].stage.pulls = Some(pulled);
            }
        }
    }
}

/// Returns whether a body may collide with others and is awake.
fn is_awake_collider(state: &BodyState) -> bool {
    state.now.quiet != Now::AT_REST && may_collide(state)
}

/// Returns whether the body's collision layers and state allow any collision with other bodies.
pub(in crate::world) fn may_collide(state: &BodyState) -> bool {
    let kind = &state.kind;
    !kind.collision_mask.is_empty() && !kind.collision_layers.is_empty() && !passes_through_everything(state)
}

/// Returns whether the phase has moved one of two bodies and still has to move the other one.
fn is_exactly_one_moved(a: &SolverBody, b: &SolverBody) -> bool {
    a.stage.part != Part::Alone && b.stage.part != Part::Alone && a.stage.is_open != b.stage.is_open
}

/// Returns whether two bodies can collide in the tick. They must not overlap when the tick begins. A one-way body
/// collides only with these bodies:
///
/// - a body above it, as seen by the up of that body
/// - a body below it that is not a character and does not rise, as seen by the up of the one-way body
pub(in crate::world) fn can_collide_now(a: (&BodyState, Position), b: (&BodyState, Position)) -> bool {
    let lets_collide = |(state, at): (&BodyState, Position), (other, other_at): (&BodyState, Position)| {
        let (shape, up, own_up) = (other.kind.shape, other.kind.up.direction(), state.kind.up.direction());
        // A circle is above as soon as its centre is above the top: at a corner of the top, it rests lower than on the
        // top.
        let half = if shape.is_circle() { I64Vec2::ZERO } else { shape.half_units() };
        let is_above = |way: I64Vec2, up: I64Vec2| way.dot(up) >= (state.kind.shape.half_units() + half).dot(up.abs());
        if is_above(other_at - at, up) {
            return !other.is_dropping_through();
        }
        let comes_up = || other.now.velocity.dot(own_up.as_dvec2()) > MAX_PARTING_SPEED;
        is_above(at - other_at, own_up) && other.kind.character.is_none() && !comes_up()
    };
    a.0.kind.can_collide_with(&b.0.kind)
        && !exact::overlaps(a.0.kind.shape.collider(), b.0.kind.shape.collider(), a.1 - b.1)
        && (!a.0.kind.one_way || lets_collide(a, b))
        && (!b.0.kind.one_way || lets_collide(b, a))
}

/// Sorts entries by slot. The first `sorted` are in order; the few others were added.
fn merge_added_entries(entries: &mut [Entry], sorted: usize, added: &mut Vec<Entry>) {
    added.clear();
    added.extend_from_slice(&entries[sorted..]);
    added.sort_unstable_by_key(|entry| entry.slot);
    let mut left = sorted;
    for to in (0..entries.len()).rev() {
        let Some(last) = added.last() else { break };
        if left > 0 && entries[left - 1].slot > last.slot {
            left -= 1;
            entries[to] = entries[left];
        } else {
            entries[to] = *last;
            added.pop();
        }
    }
}

/// Adds two bodies to each other's near lists if they can collide in this tick.
fn add_pair(bodies: &mut SolverBodies, states: &[Option<BodyState>], i: BodyIndex, j: BodyIndex) {
    let (a, b) = (&bodies[i as usize], &bodies[j as usize]);
    if i == j
        || (a.stage.part == Part::Asleep && b.stage.part == Part::Asleep && !a.stage.zone.intersects(&b.stage.zone))
    {
        return;
    }
    let state = |body: &SolverBody| states[body.given.slot as usize].as_ref();
    let (Some(one), Some(other)) = (state(a), state(b)) else { return };
    if !can_collide_now((one, a.start.position), (other, b.start.position)) {
        return;
    }
    bodies.add_near_body(i, j);
    bodies.add_near_body(j, i);
}

/// Returns a number to add to heights, so that bodies with different directions of up are not mixed when they are
/// sorted by height. It is 0 for the world's up, `of_world`. Heights of positions are below 2^61.
fn sort_height_offset_for_up(of_world: I64Vec2, up: I64Vec2) -> i64 {
    const STEP: i64 = 1 << 62;
    match up {
        same if same == of_world => 0,
        opposite if opposite == -of_world => STEP,
        left if left == of_world.perp() => -STEP,
        _ => i64::MIN + STEP / 2,
    }
}

/// Hash of speed, mass, friction and size for the order of bodies. It is the same under mirroring, rotation and
/// translation, so the order depends neither on the direction of a scene nor on the spawn order.
fn property_hash(state: &BodyState) -> u64 {
    /// 2^64 over the golden ratio, odd.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let kind = &state.kind;
    let parts = [
        state.now.velocity.length_squared().to_bits(),
        kind.mass.to_bits(),
        kind.friction.to_bits(),
        kind.shape.half_units().element_sum().unsigned_abs(),
    ];
    parts.into_iter().fold(0, |all: u64, part| (all.rotate_left(23) ^ part).wrapping_mul(SPREAD))
}

impl SolverBody {
    /// Fills the data of the solver body from a body of the world.
    fn fill_from_body(&mut self, entry: &Entry, state: &BodyState, frame: Frame) {
        let kind = &state.kind;
        let upright = frame.with_up(kind.up);
        let Entry { id, slot, zone, gravity, speed_factor, is_in_area, .. } = *entry;
        let (position, is_stuck, is_character) = (state.now.position, state.now.stuck, kind.character.is_some());
        let mut contact = ContactSettings {
            bounce: kind.response.bounce(),
            friction: kind.friction,
            rest_speed: kind.rest_speed_threshold,
        };
        if is_character {
            contact = ContactSettings::NONE;
        }
        self.given = Given {
            id,
            slot,
            shape: kind.shape,
            collider: kind.shape.collider(),
            rank: (0, property_hash(state)),
            level: sort_height_offset_for_up(frame.up_axis(), upright.up_axis()),
            upright,
            gravity,
            speed_factor,
            mass: kind.mass,
            contact,
            is_character,
            is_one_way: kind.one_way,
            stops_at_all: !is_character && kind.response == Response::Stop,
            is_in_area,
        };
        self.given.rank.0 = self.given.height_at(position);
        let rests = (state.now.quiet == Now::AT_REST && !is_in_area) || is_stuck;
        let (velocity, frame) = (state.world_velocity(), state.last_ride_velocity());
        self.start = Start {
            position,
            before_platforms: position,
            velocity: if rests { frame } else { velocity },
            frame,
            last_frame: frame,
            ground: state.now.footing.speed(),
            asks_to_jump: state.now.leaves_ground_by_input(),
            riding: None,
            pushed: I64Vec2::ZERO,
            push_velocity: velocity,
            kick: DVec2::ZERO,
            was_on_body: false,
            had_sides: has_touched_sides(state),
            is_stuck,
        };
        let stage = &mut self.stage;
        stage.part = if rests { Part::Asleep } else { Part::Alone };
        (stage.is_guess, stage.is_open, stage.is_late, stage.is_doubtful) = (false, true, false, false);
        (stage.zone, stage.pulls, stage.mark, stage.mark_on_top) = (zone, None, 0, 0);
        stage.near.clear();
        stage.passes.clear();
        self.outcome = Outcome { quiet: if rests { Now::AT_REST } else { 0 }, ..Outcome::default() };
        self.lists.legs.clear();
        self.reset_to_tick_start();
    }
}

/// Returns bounds that contain a body during its own tick, whatever the body does.
#[inline(never)]
fn bounds_during_own_tick(
    state: &BodyState,
    (gravity, speed_factor, is_in_area): (DVec2, f64, bool),
    settings: &Settings,
    belts: f64,
) -> Bounds {
    let around = sleep_grid::contact_zone(state);
    if (state.now.quiet == Now::AT_REST && !is_in_area) || state.now.stuck {
        return around;
    }
    let speed = state.now.velocity.length().max(state.now.footing.speed().unwrap_or_default().abs());
    let way = MAX_WALK_FACTOR
        * settings.tick
        * (speed + max_speed_gain_in_tick(state, (gravity, speed_factor), settings, belts));
    let way = DVec2::splat(way) + sleep_grid::max_correction_shift(state);
    let more = (way * ONE as f64).as_i64vec2().min(I64Vec2::splat(MAX_SEARCH_UNITS)) + MAX_SNAP_UNITS;
    Bounds { low: around.low - more, high: around.high + more }
}

/// Returns bounds that contain a body whose own tick moves it straight to `end`.
fn bounds_of_straight_move(state: &BodyState, end: Position) -> Bounds {
    let around = sleep_grid::contact_zone(state);
    let way = end - state.now.position;
    Bounds { low: around.low + way.min(I64Vec2::ZERO), high: around.high + way.max(I64Vec2::ZERO) }
}

/// Returns the maximum speed that a body may gain in its own tick by gravity, walking, jumping and belts.
fn max_speed_gain_in_tick(
    state: &BodyState,
    (gravity, speed_factor): (DVec2, f64),
    settings: &Settings,
    belts: f64,
) -> f64 {
    let pull = gravity.x.abs() + gravity.y.abs();
    let own_gain = |character: &Character| {
        let base = state.kind.base_gravity;
        let own = (base.x.abs() + base.y.abs()) * state.kind.gravity_scale.abs();
        let jump = if sleep_grid::stays_on_ground(state) { 0.0 } else { (2.0 * own * character.jump_height).sqrt() };
        // `more`: the speed that the increased gravity of a fall adds. The ordinary gravity is added below.
        let more = (character.fall_gravity_scale.max(1.0) - 1.0) * pull * settings.tick;
        character.max_walk_speed() * speed_factor + jump + more
    };
    state.kind.character.as_ref().map_or(0.0, own_gain) + belts + pull * settings.tick
}

/// Returns whether a wall, a ceiling or another body touches the body's sides or top.
fn has_touched_sides(state: &BodyState) -> bool {
    let Touching { wall_left, wall_right, ceiling, .. } = state.now.touching;
    wall_left || wall_right || ceiling
}

/// Returns whether a character was on the ground and may have lost its floor. It is false at once if a flat floor
/// touches it.
fn may_have_lost_floor(state: &BodyState) -> bool {
    let axis = state.kind.up.direction();
    let is_plain = |surface: &Surface| surface.is_flat() && surface.piece.normal.as_i64vec2() == axis;
    state.kind.character.is_some() && state.on_floor() && !state.touched().iter().any(is_plain)
}

impl PairPhase<'_> {
    /// Widens the zones of bodies that platforms made faster or may throw back. `fastest`: speed of the fastest
    /// platform, in tiles per second.
    pub(super) fn widen_zones_by_platforms(&mut self, fastest: f64) {
        let tick = self.rules.settings.tick * ONE as f64;
        let mut next = 0;
        while let Some(i) = self.pairs.bodies.next_index(&mut next) {
            let body = self.body(i);
            let mut way = (body.start.kick.x.abs() + body.start.kick.y.abs()) * tick;
            if fastest > 0.0 && self.scene.around.may_have_platform_within(&body.stage.zone) {
                // As seen from a platform, a body bounces off as fast as it came. In the world, it is then faster by up
                // to twice the platform's speed. The body's own speed counts too: the body may turn round in the middle
                // of the tick, and the zone so far lies in the old direction.
                way += 2.0 * (fastest + body.start.velocity.length()) * tick;
            }
            if way > 0.0 {
                let around = body.stage.zone.grown(((MAX_WALK_FACTOR * way) as i64).min(MAX_SEARCH_UNITS));
                self.widen_zone(i, around);
            }
        }
    }

    /// Widens the zone of a body, and pairs it with the bodies in the new zone.
    pub(super) fn widen_zone(&mut self, i: BodyIndex, bounds: Bounds) {
        let PairPhase { scene, rules, states, pairs, .. } = self;
        let Pairs { bodies, broad, lists: Lists { found, .. }, .. } = &mut **pairs;
        let BroadPhase { entries, by_slot, grid, is_short, opens_all, sleep_grid, has_characters, .. } = broad;
        let zone = bodies[i as usize].stage.zone;
        if zone.covers(&bounds) {
            return;
        }
        // Search with a margin, so that the next plans need no new search.
        let all = zone.union(&bounds);
        let all = all.union(&bounds.grown((all.high - all.low).max_element() / 4));
        // The sleep grid holds bodies that were not listed. If one of them is in the new zone, the list is too short,
        // and the phase begins again with all bodies listed. So the sleep grid does not affect results.
        sleep_grid.find_unlisted_within(&all, found);
        let (settings, belts) = (rules.settings, scene.around.terrain().terrain.surfaced.fastest_belt);
        let is_there = |slot: &u32| {
            let state = states[*slot as usize].as_ref();
            let zone =
                |state: &BodyState| bounds_during_own_tick(state, (state.kind.gravity, 1.0, false), settings, belts);
            state.is_some_and(|state| zone(state).intersects(&all))
        };
        *is_short |= found.iter().any(is_there);
        bodies[i as usize].stage.zone = all;
        entries[i as usize].zone = all;
        grid.find_overlapping(&all, |j| entries[j as usize].zone.intersects(&all), entries.len(), found);
        for &j in &*found {
            match bodies.get(j) {
                Some(other) => *opens_all |= is_exactly_one_moved(&bodies[i as usize], other),
                None => {
                    // The body `j` had no others near it until now.
                    let entry = &entries[j as usize];
                    let Some(state) = &states[entry.slot as usize] else { continue };
                    by_slot[entry.slot as usize] = j;
                    let is_open = bodies[i as usize].stage.is_open;
                    let other = bodies.insert(j);
                    other.fill_from_body(entry, state, scene.frame);
                    *has_characters |= other.given.is_character;
                    // `is_open`: the next pass may move body `i` into a sleeping body `j`, so the pass includes `j`.
                    // `is_late`: the first search for collisions may have missed `j`. So, if `j` moves by its own tick,
                    // `find_newly_hit_bodies` tests it also against other bodies that do.
                    (other.stage.is_open, other.stage.is_late) = (is_open && other.stage.part == Part::Asleep, true);
                }
            }
            add_pair(bodies, states, i, j);
        }
        grid.insert(i, &all);
    }
}

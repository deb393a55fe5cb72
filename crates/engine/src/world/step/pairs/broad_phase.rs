//! Which bodies may meet, and which of those make their own tick without meeting any.

use super::plan::bounce_of;
use super::sleep_grid::{self, Room};
use super::solver_bodies::SolverBodies;
use super::solver_body::{BodyHit, Given, Outcome, Part, SolverBody, Start, collider};
use super::tolerance::{LIFT, LONGER, PARTING};
use super::{BroadPhase, Entry, Lists, NO_BODY, PairPhase, Pairs};
use crate::body::{Character, Response};
use crate::map::slower;
use crate::motion::tolerance::{FARTHEST, SNAP};
use crate::motion::{Bounds, Surface, Surfaces, Touching, aside_of_centre, joint, units};
use crate::world::state::Now;
use crate::world::step::{BodyState, Riding, Rules, Tick, passes};
use crate::world::{HeldKind, Settings, World};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::exact::{self, PairContact};
use surefoot_geometry::{ONE, Position, to_lengths};

/// Where fewer pairs than one in so many bodies are near each other it pays to know which are far from all others. Decides about
/// speed alone.
const PAYS: usize = 32;

/// In how many ticks it is looked once whether a body is far from all others. Decides about speed alone.
const SELDOM: u64 = 8;

impl Pairs {
    /// Keeps the bodies listed that have none near and turn out to be far from all others.
    #[inline(never)]
    fn cache_far(&mut self, states: &[Option<BodyState>], (settings, belts): (&Settings, f64), tick: u64) {
        let Pairs { broad: BroadPhase { entries, grid, still, .. }, lists: Lists { found, .. }, .. } = self;
        for entry in entries.iter().filter(|entry| !entry.has_company && !entry.is_in_area) {
            // One that was not far from others is asked now and then whether it is.
            let Entry { slot, was_far, gravity, .. } = *entry;
            let is_asked = was_far || (tick + u64::from(slot)).is_multiple_of(SELDOM);
            let state = states[slot as usize].as_ref().filter(|state| is_asked && is_awake_collider(state));
            let Some(state) = state.filter(|state| !state.now.stuck) else { continue };
            let room = Room::of(state, speed_gain(state, (gravity, 1.0), settings, belts), settings.tick);
            let room = (room, sleep_grid::correction_reach(state, settings.up));
            still.insert_if_far(slot as usize, state, room, found, |bounds, found| {
                grid.find(bounds, |j| entries[j as usize].zone, entries.len(), found);
            });
        }
    }
}

impl World {
    /// Lists the bodies that may meet others in the tick, in the order of the slots: all of them, or those that have others near.
    pub(super) fn gather(&mut self, pairs: &mut Pairs, all: bool) {
        let World { areas, bodies, settings, platforms, terrain, held_bodies: grips, tick: ticks, .. } = self;
        let mut acting = areas.acting();
        let (slots, states, ..) = bodies.parts_mut();
        pairs.bodies.put_aside();
        let is_calm = platforms.is_empty() && acting.is_empty() && pairs.broad.still.is_known;
        pairs.broad.all_asleep = is_calm && !states.iter().flatten().any(is_awake_collider);
        if pairs.broad.all_asleep {
            return;
        }
        (pairs.rows.mark, pairs.queue.stamp, pairs.queue.turn) = (0, 0, 0);
        pairs.broad.is_short = false;
        pairs.ridings.clear();
        pairs.broad.has_characters = false;
        for entry in &pairs.broad.entries {
            if let Some(body) = pairs.broad.by_slot.get_mut(entry.slot as usize) {
                *body = NO_BODY;
            }
        }
        pairs.broad.by_slot.resize(states.len(), NO_BODY);
        let belts = terrain.fastest_belt();
        let axis = settings.up.direction();
        let Pairs { broad, lists: Lists { found, events, .. }, .. } = pairs;
        let BroadPhase { entries, added, near, grid, still, .. } = broad;
        entries.clear();
        near.clear();
        events.clear();
        let tick = Tick::new(platforms.scene(terrain, settings), Rules::of(settings, terrain, *ticks), events);
        let keeps_still = platforms.is_empty();
        still.begin(states.len());
        let acts_on_any = !acting.is_empty();
        let all = all || !keeps_still || !std::mem::replace(&mut still.is_known, true);
        for (slot, state) in states.iter().enumerate() {
            let Some(state) = state else {
                still.forget(slot);
                continue;
            };
            let acts = if acts_on_any { acting.of(slots.id(slot)) } else { None };
            let is_kept = keeps_still && acts.is_none();
            let rests = state.now.quiet == Now::AT_REST;
            // Of one that is kept as far from others nothing else is asked: what would have it meet none is a command, after which
            // none is kept.
            let is_far = if is_kept && !rests && !all { still.is_far(slot, state) } else { None };
            if is_far == Some(true) {
                continue;
            }
            let kind = &state.kind;
            if !may_collide(state) {
                still.forget(slot);
                continue;
            }
            if is_kept && rests {
                still.keep(slot, state);
                if !all {
                    continue;
                }
                still.list(slot);
            } else {
                still.forget(slot);
            }
            let was_far = is_far.is_some();
            let gravity = acts.map_or(*kind.gravity(), |acting| acting.acceleration);
            let speed_factor = acts.map_or(1.0, |acting| acting.speed_factor);
            let is_in_area = acts.is_some();
            // Where a character may come is what decides whether others are far from it, whatever it does in this tick.
            let is_asked = is_kept && kind.character.is_none();
            let straight = if is_asked { tick.known_end(state) } else { None };
            let zone = match straight {
                Some(end) => straight_zone(state, end),
                None => tick_zone(state, (gravity, speed_factor, is_in_area), settings, belts),
            };
            // What lay on a body that rides has that one's velocity.
            let has_company =
                all || touches_sides(state) || may_have_lost_floor(state, axis) || state.carried() != DVec2::ZERO;
            entries.push(Entry {
                id: slots.id(slot),
                slot: slot as u32,
                zone,
                gravity,
                speed_factor,
                is_in_area,
                has_company,
                was_far,
                straight,
            });
        }
        let awake = entries.len();
        let mut next = if still.is_empty() { awake } else { 0 };
        while let Some(&Entry { slot, zone, .. }) = entries.get(next) {
            // What comes near bodies at rest may wake them, and these what touches them. Some more, for what an impact throws
            // further.
            let is_awake = states[slot as usize].as_ref().is_some_and(is_awake_collider);
            let more = if is_awake { (zone.high - zone.low).max_element() / 2 } else { 0 };
            still.find(&zone.grown(more), found);
            next += 1;
            for &slot in &*found {
                let Some(state) = &states[slot as usize] else { continue };
                let gravity = *state.kind.gravity();
                if is_awake_collider(state) {
                    still.forget(slot as usize);
                } else {
                    still.list(slot as usize);
                }
                entries.push(Entry {
                    id: slots.id(slot as usize),
                    slot,
                    zone: tick_zone(state, (gravity, 1.0, false), settings, belts),
                    gravity,
                    speed_factor: 1.0,
                    is_in_area: false,
                    has_company: touches_sides(state),
                    was_far: false,
                    straight: None,
                });
            }
        }
        if entries.len() > awake {
            merge(entries, awake, added);
        }
        grid.clear(entries.len());
        for i in 0..entries.len() as u32 {
            let (zone, first) = (entries[i as usize].zone, near.len());
            grid.insert_among(i, &zone, |j| entries[j as usize].zone, |j| near.push((j, i)));
            if near.len() > first {
                near[first..].iter().for_each(|(j, _)| entries[*j as usize].has_company = true);
                entries[i as usize].has_company = true;
            }
        }
        if keeps_still && !all && near.len() * PAYS < states.len() {
            pairs.cache_far(states, (settings, belts), *ticks);
        }
        let Pairs { bodies, broad, .. } = pairs;
        let BroadPhase { entries, near, by_slot, has_characters, .. } = broad;
        bodies.resize(entries.len());
        for (i, entry) in (0..).zip(&*entries).filter(|(_, entry)| entry.has_company) {
            let Some(state) = &states[entry.slot as usize] else { continue };
            by_slot[entry.slot as usize] = i;
            let body = bodies.put_in(i);
            body.take(entry, state, axis);
            *has_characters |= body.given.is_character;
        }
        for &(i, j) in &*near {
            pair_up(axis, bodies, states, i, j);
        }
        for grip in grips.iter().filter(|grip| grip.kind == HeldKind::Pulled) {
            let index = |id| slots.slot(id).map_or(NO_BODY, |slot| by_slot[slot]);
            let (by, pulled) = (index(grip.by), index(grip.body));
            if bodies.get(by).is_some_and(|body| body.stage.near.contains(&pulled)) {
                bodies[by as usize].stage.pulls = Some(pulled);
            }
        }
    }

    /// Finds what platforms have done to the bodies gathered.
    pub(super) fn find_rides(&mut self, pairs: &mut Pairs) {
        let World { terrain, platforms, settings, bodies, scratch, tick, areas, .. } = self;
        let scene = platforms.scene(terrain, settings);
        let rules = Rules::of(settings, terrain, *tick);
        let acting = areas.acting();
        for body in pairs.bodies.iter_mut() {
            let Some(state) = bodies.get(body.given.id) else { continue };
            let scene = scene.of_layers(state.kind.collision_layers);
            body.start.riding = Some(pairs.ridings.len() as u32);
            let rules = rules.with(acting.find(body.given.id));
            let riding = Riding::in_any_order(&scene, &rules, body.given.id, state, scratch);
            if riding.rides_any() {
                body.start.frame = riding.frame_velocity();
                // What is stopped is met where it is carried to, and keeps its velocity for later.
                let own = if body.start.is_stuck { DVec2::ZERO } else { state.now.velocity };
                body.start.velocity = own + body.start.frame;
            }
            if riding.pushed != I64Vec2::ZERO && body.stage.part == Part::Asleep && !body.start.is_stuck {
                // What a platform pushes, by itself or through others, goes on with its speed.
                (body.stage.part, body.outcome.quiet) = (Part::Alone, 0);
            }
            if body.stage.part != Part::Asleep {
                let raised = riding.raised(&scene, state, scratch.carries(), body.start.velocity);
                body.start.kick = raised - body.start.velocity;
                body.start.velocity = raised;
            }
            body.start.push_velocity = riding.at_least_as_chain(body.start.velocity);
            body.start.pushed = match riding.is_pushed_by_platforms() {
                true => riding.pushed,
                false => pushed_by_chain((riding.pushed, riding.chain), body.start.velocity, settings.tick),
            };
            body.start.before_platforms = riding.from;
            pairs.ridings.push(riding);
        }
    }

    /// Whether terrain or a platform that the body touches supports it. Only surfaces that rise at least as fast as `rise` count.
    fn is_supported_by_terrain(&self, body: &SolverBody, rise: f64) -> bool {
        let Some(state) = self.bodies.get(body.given.id) else { return false };
        let scene = self.platforms.scene(&self.terrain, &self.settings);
        let keeps_up = |surface: &&Surface| scene.around.velocity(surface.owner).dot(scene.frame.up()) >= rise;
        let touched: Surfaces = state.touched().iter().filter(keeps_up).copied().collect();
        Touching::of(&touched, body.start.position, &scene.frame).floor
    }

    /// Finds how fast what bodies ride goes that lie on others: as fast as what the lowest of them rides.
    pub(super) fn find_carriers(&mut self, pairs: &mut Pairs) {
        let up = self.settings.up.direction();
        let mut order = std::mem::take(&mut pairs.lists.order);
        order.clear();
        order.extend(pairs.bodies.all());
        pairs.bodies.sort(&mut order);
        for &i in &order {
            let body = &pairs.bodies[i as usize];
            let rides = body.start.riding.is_some_and(|riding| pairs.ridings[riding as usize].rides_any());
            let base = pairs.carrier_of(body, up);
            let is_held = self.is_supported_by_terrain(body, f64::NEG_INFINITY);
            let lies = |j: &u32| {
                let other = &pairs.bodies[*j as usize];
                super::sleep::lies_on(
                    body.given.gravity,
                    (body.given.collider, other.given.collider),
                    body.start.position - other.start.position,
                )
            };
            let lies_on_any = body.stage.near.iter().any(lies);
            let id = body.given.id;
            let passes = body.start.riding.is_some_and(|riding| pairs.ridings[riding as usize].passes_any());
            let is_left = !rides && !passes && base.is_none() && !body.start.is_stuck;
            if is_left && body.start.frame != DVec2::ZERO {
                // The body that carried it is gone from under it: the velocity is its own now.
                let right = self.platforms.scene(&self.terrain, &self.settings).frame.right();
                let Some(state) = self.bodies.get_mut(id) else { continue };
                state.take_frame(DVec2::ZERO, right);
                let body = &mut pairs.bodies[i as usize];
                (body.start.frame, body.now.frame, body.start.last_frame) = (DVec2::ZERO, DVec2::ZERO, DVec2::ZERO);
                body.start.ground = state.now.footing.speed();
                body.now.ground = body.start.ground;
            }
            if passes && !rides && base.is_none() && !pairs.bodies[i as usize].start.is_stuck {
                // A platform that has crushed it gives it no velocity.
                let body = &mut pairs.bodies[i as usize];
                let frame = std::mem::take(&mut body.start.frame);
                (body.start.velocity, body.start.push_velocity) =
                    (body.start.velocity - frame, body.start.push_velocity - frame);
                (body.now.frame, body.start.last_frame) = (DVec2::ZERO, DVec2::ZERO);
            }
            let body = &pairs.bodies[i as usize];
            if body.stage.part == Part::Asleep && !body.start.is_stuck && !is_held && !lies_on_any {
                // What it lay on has gone off with a platform.
                let body = &mut pairs.bodies[i as usize];
                (body.stage.part, body.outcome.quiet) = (Part::Alone, 0);
                continue;
            }
            // What rises under it lifts it off what it stands on as well.
            let is_held = |base: &Under| {
                is_held && self.is_supported_by_terrain(&pairs.bodies[i as usize], base.frame.dot(up.as_dvec2()))
            };
            let Some(base) = base.filter(|base| !rides && !is_held(base)) else { continue };
            let Under { frame, last_frame, velocity, kick, pushed, .. } = base;
            let body = &mut pairs.bodies[i as usize];
            let change = followed(body, (frame, last_frame, velocity), up.as_dvec2());
            body.start.velocity += change;
            body.start.push_velocity += change;
            (body.start.frame, body.start.last_frame, body.start.was_on_body) = (frame, last_frame, true);
            if kick != DVec2::ZERO && body.start.pushed == I64Vec2::ZERO && !body.start.is_stuck {
                // It has come along with what is pushed under it, and goes on with that.
                if body.stage.part == Part::Asleep {
                    (body.stage.part, body.outcome.quiet) = (Part::Alone, 0);
                }
                let kick = shared_kick(kick, velocity + kick, body.start.velocity);
                body.start.velocity += kick;
                body.start.push_velocity += kick;
                (body.start.kick, body.start.pushed) = (kick, pushed);
            }
        }
        pairs.lists.order = order;
    }
}

/// Returns the velocity change of a body that lies on a rider. It is the velocity change of what the rider rode when the tick
/// began. A new ride of the rider changes nothing, unless its own floor has stopped the rider along up: then the upper body
/// stays on the rider. `velocity` is the rider's.
fn followed(body: &SolverBody, (frame, last_frame, velocity): (DVec2, DVec2, DVec2), up: DVec2) -> DVec2 {
    let (change, all) = (frame - last_frame, frame - body.start.frame);
    if change == all {
        return change;
    }
    let parts = (body.start.velocity + change - velocity).dot(up);
    let stopped = (change - all).dot(up);
    change - up * parts.min(stopped).max(0.0)
}

/// What carries a body that lies on others: what is nearest to its centre line, and of several equally near what all have in common.
#[derive(Clone, Copy)]
struct Under {
    away: i64,
    frame: DVec2,
    last_frame: DVec2,
    velocity: DVec2,
    kick: DVec2,
    pushed: I64Vec2,
}

impl Pairs {
    /// Whether platforms have brought two bodies together in the tick that did not touch before, one of them by a push that gave
    /// it velocity.
    pub(super) fn are_pressed_together(&self, i: u32, j: u32) -> bool {
        let (a, b) = (&self.bodies[i as usize], &self.bodies[j as usize]);
        (a.start.kick != DVec2::ZERO || b.start.kick != DVec2::ZERO) && a.came_to(b).is_some()
    }

    /// Notes which bodies a body has met while platforms moved. Speeds are those of before, but that of one which was
    /// pushed itself and pushes on.
    pub(super) fn record_hits_by_platforms(&mut self, i: u32, up: DVec2, tick: f64) {
        for n in 0..self.bodies[i as usize].stage.near.len() {
            let j = self.bodies[i as usize].stage.near[n];
            let (a, b) = (&self.bodies[i as usize], &self.bodies[j as usize]);
            let Some(PairContact { normal, flat, .. }) = a.came_to(b) else { continue };
            let before = |body: &SolverBody| normal.dot(body.start.velocity - body.start.kick);
            let after = |body: &SolverBody| normal.dot(body.start.push_velocity);
            let speed = (before(b) - before(a)).max(after(b) - before(a)).max(before(b) - after(a));
            // One that was carried against the other one has no such velocity yet: as far as it has come in the tick.
            let made = (a.start.position - a.start.before_platforms) - (b.start.position - b.start.before_platforms);
            let closed = -normal.dot(to_lengths(made)) / tick;
            let speed = if speed > PARTING { speed } else { closed };
            let lift = normal.dot(up);
            let gravity = if lift > LIFT { a.given.gravity.dot(-normal) } else { b.given.gravity.dot(normal) };
            let is_soft = !flat && lift.abs() > LIFT && gravity > 0.0 && speed.max(closed) <= 2.0 * gravity * tick;
            if speed > PARTING && !is_soft {
                let met = BodyHit { other: b.given.id, normal: normal + DVec2::ZERO, speed, is_refused: false };
                self.bodies[i as usize].lists.met.push(met);
            }
        }
    }

    /// What carries a body that lies on others, if it lies on any.
    fn carrier_of(&self, body: &SolverBody, up: I64Vec2) -> Option<Under> {
        let mut found: Option<Under> = None;
        for j in &body.stage.near {
            let other = &self.bodies[*j as usize];
            let offset = body.start.position - other.start.position;
            let contact = exact::contact(body.given.collider, other.given.collider, offset);
            let Some(contact) = contact.filter(|contact| contact.normal.dot(up.as_dvec2()) > LIFT) else { continue };
            // What has only come to touch the body while platforms moved was not carried by it, nor is what does not fall on it.
            let is_carried = contact.normal.dot(body.given.gravity) < 0.0
                && exact::contact(
                    body.given.collider,
                    other.given.collider,
                    body.start.before_platforms - other.start.before_platforms,
                )
                .is_some();
            if !is_carried {
                continue;
            }
            let away = aside_of_centre(other.given.shape, contact.flat, offset, up);
            let Start { frame, last_frame, velocity, kick, pushed, .. } = other.start;
            let velocity = velocity - kick;
            let under = Under { away, frame, last_frame, velocity, kick, pushed };
            found = Some(match found {
                Some(known) if known.away < away => known,
                Some(known) if known.away == away => known.joined_with(under),
                _ => under,
            });
        }
        found
    }
}

impl Under {
    fn joined_with(self, other: Under) -> Under {
        let both = |a: DVec2, b: DVec2| DVec2::new(slower(a.x, b.x), slower(a.y, b.y));
        Under {
            away: self.away,
            frame: both(self.frame, other.frame),
            last_frame: both(self.last_frame, other.last_frame),
            velocity: both(self.velocity, other.velocity),
            kick: both(self.kick, other.kick),
            pushed: joint([self.pushed, other.pushed].into_iter()),
        }
    }
}

/// Returns the push velocity that a body takes over from the body that it lies on. With it the body is not faster than
/// `pusher`, the velocity of the body below. `own`: the body's velocity before.
fn shared_kick(kick: DVec2, pusher: DVec2, own: DVec2) -> DVec2 {
    let along = |kick: f64, pusher: f64, own: f64| {
        let ahead = (own + kick - pusher) * kick.signum();
        if ahead > PARTING { (pusher - own).clamp(kick.min(0.0), kick.max(0.0)) } else { kick }
    };
    DVec2::new(along(kick.x, pusher.x, own.x), along(kick.y, pusher.y, own.y))
}

/// The part of a body's own motion in a tick that a push through other bodies has made already, in units: all of it where the
/// body goes no faster than what pushes it, so that the two stay in touch. `velocity`: with the push.
fn pushed_by_chain((pushed, chain): (I64Vec2, DVec2), velocity: DVec2, tick: f64) -> I64Vec2 {
    let own = units(velocity * tick);
    let along = |axis: usize| {
        let goes_along =
            velocity[axis].abs() <= chain[axis].abs() + PARTING && own[axis].signum() == pushed[axis].signum();
        if goes_along && own[axis].abs() > pushed[axis].abs() { own[axis] } else { pushed[axis] }
    };
    I64Vec2::new(along(0), along(1))
}

/// Whether a body may meet others, and is not at rest.
fn is_awake_collider(state: &BodyState) -> bool {
    state.now.quiet != Now::AT_REST && may_collide(state)
}

/// Whether a body may meet others, as far as its own layers go.
pub(in crate::world) fn may_collide(state: &BodyState) -> bool {
    let kind = &state.kind;
    !kind.collision_mask.is_empty() && !kind.collision_layers.is_empty() && !passes(state)
}

/// Whether of two bodies that are moved here one has been moved already and the other one is still to be.
fn is_half_moved(a: &SolverBody, b: &SolverBody) -> bool {
    a.stage.part != Part::Alone && b.stage.part != Part::Alone && a.stage.is_open != b.stage.is_open
}

/// Whether two bodies that are there when a tick begins meet each other in it: they do not overlap then, and a one-way body is
/// below the other one, or comes down on one that does not come up and is no character.
pub(in crate::world) fn can_collide_now(up: I64Vec2, a: (&BodyState, Position), b: (&BodyState, Position)) -> bool {
    let lets_meet = |(state, at): (&BodyState, Position), (other, other_at): (&BodyState, Position)| {
        let shape = other.kind.shape;
        // A circle may be above a corner with its centre alone.
        let half = if shape.is_circle() { I64Vec2::ZERO } else { shape.half_units() };
        let reach = (state.kind.shape.half_units() + half).dot(up.abs());
        let above = (other_at - at).dot(up);
        if above >= reach {
            return !other.drops();
        }
        let comes_up = || other.now.velocity.dot(up.as_dvec2()) > PARTING;
        above <= -reach && other.kind.character.is_none() && !comes_up()
    };
    a.0.kind.can_collide_with(&b.0.kind)
        && !exact::overlaps(collider(a.0.kind.shape), collider(b.0.kind.shape), a.1 - b.1)
        && (!a.0.kind.one_way || lets_meet(a, b))
        && (!b.0.kind.one_way || lets_meet(b, a))
}

/// Brings entries into the order of their slots, of which so many have it and the others were added. These are few.
fn merge(entries: &mut [Entry], sorted: usize, added: &mut Vec<Entry>) {
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

/// Notes that two bodies may meet in the tick, unless they do not now.
fn pair_up(up: I64Vec2, bodies: &mut SolverBodies, states: &[Option<BodyState>], i: u32, j: u32) {
    let (a, b) = (&bodies[i as usize], &bodies[j as usize]);
    if i == j || (a.stage.part == Part::Asleep && b.stage.part == Part::Asleep && !a.stage.zone.meets(&b.stage.zone)) {
        return;
    }
    let state = |body: &SolverBody| states[body.given.slot as usize].as_ref();
    let (Some(one), Some(other)) = (state(a), state(b)) else { return };
    if !can_collide_now(up, (one, a.start.position), (other, b.start.position)) {
        return;
    }
    bodies.put_near(i, j);
    bodies.put_near(j, i);
}

/// A number by what a body is that is the same wherever it is mirrored, turned or shifted to; those of two that are not alike
/// hardly ever are equal.
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
    /// How it touches another body where the phase begins, if platforms have brought the two together in the tick.
    fn came_to(&self, other: &SolverBody) -> Option<PairContact> {
        let (before, offset) =
            (self.start.before_platforms - other.start.before_platforms, self.start.position - other.start.position);
        let touch = |offset| {
            let contact = exact::contact(self.given.collider, other.given.collider, offset);
            contact.filter(|contact| !contact.flat || contact.gap == 0.0)
        };
        if before == offset { None } else { touch(offset).filter(|_| touch(before).is_none()) }
    }

    /// Becomes the body of a body.
    fn take(&mut self, entry: &Entry, state: &BodyState, up: I64Vec2) {
        let kind = &state.kind;
        let Entry { id, slot, zone, gravity, speed_factor, is_in_area, .. } = *entry;
        let (position, is_stuck, is_character) = (state.now.position, state.now.stuck, kind.character.is_some());
        let (mut bounce, mut friction, mut rest_speed) =
            (bounce_of(kind.response), kind.friction, kind.rest_speed_threshold);
        if is_character {
            (bounce, friction, rest_speed) = (0.0, 0.0, 0.0);
        }
        self.given = Given {
            id,
            slot,
            shape: kind.shape,
            collider: collider(kind.shape),
            rank: (position.units().dot(up), property_hash(state)),
            gravity,
            speed_factor,
            mass: kind.mass,
            bounce,
            friction,
            rest_speed,
            is_character,
            is_one_way: kind.one_way,
            stops_at_all: !is_character && kind.response == Response::Stop,
            is_in_area,
        };
        let rests = (state.now.quiet == Now::AT_REST && !is_in_area) || is_stuck;
        let (velocity, frame) = (state.world_velocity(), state.carried());
        self.start = Start {
            position,
            before_platforms: position,
            velocity: if rests { frame } else { velocity },
            frame,
            last_frame: frame,
            ground: state.now.footing.speed(),
            asks_to_jump: state.now.asks_to_jump(),
            riding: None,
            pushed: I64Vec2::ZERO,
            push_velocity: velocity,
            kick: DVec2::ZERO,
            was_on_body: false,
            had_sides: touches_sides(state),
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
        self.begin();
    }
}

/// Where a body may come in its own tick.
#[inline(never)]
fn tick_zone(
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
    let way = LONGER * settings.tick * (speed + speed_gain(state, (gravity, speed_factor), settings, belts));
    let way = DVec2::splat(way) + sleep_grid::correction_reach(state, settings.up);
    let more = (way * ONE as f64).as_i64vec2().min(I64Vec2::splat(FARTHEST)) + SNAP;
    Bounds { low: around.low - more, high: around.high + more }
}

/// Where a body comes and may be touched in its own tick, which goes straight to a place.
fn straight_zone(state: &BodyState, end: Position) -> Bounds {
    let around = sleep_grid::contact_zone(state);
    let way = end - state.now.position;
    Bounds { low: around.low + way.min(I64Vec2::ZERO), high: around.high + way.max(I64Vec2::ZERO) }
}

/// How much faster than it is a body may be in its own tick, by its will and by what accelerates it.
fn speed_gain(state: &BodyState, (gravity, speed_factor): (DVec2, f64), settings: &Settings, belts: f64) -> f64 {
    let pull = gravity.x.abs() + gravity.y.abs();
    let will = |character: &Character| {
        let base = state.kind.base_gravity();
        let own = (base.x.abs() + base.y.abs()) * state.kind.gravity_scale.abs();
        let jump = if sleep_grid::stays_down(state) { 0.0 } else { (2.0 * own * character.jump_height).sqrt() };
        // What a fall adds comes below.
        let more = (character.fall_gravity_scale.max(1.0) - 1.0) * pull * settings.tick;
        character.fastest_walk() * speed_factor + jump + more
    };
    state.kind.character.as_ref().map_or(0.0, will) + belts + pull * settings.tick
}

/// Whether walls or ceilings touch a body, other bodies perhaps.
fn touches_sides(state: &BodyState) -> bool {
    let Touching { wall_left, wall_right, ceiling, .. } = state.now.touching;
    wall_left || wall_right || ceiling
}

/// Whether a character was on the ground and may touch none of the terrain. Answers at once where it touches a plain floor.
fn may_have_lost_floor(state: &BodyState, axis: I64Vec2) -> bool {
    let is_plain = |surface: &Surface| surface.is_flat() && surface.piece.normal.as_i64vec2() == axis;
    state.kind.character.is_some() && state.on_floor() && !state.touched().iter().any(is_plain)
}

impl PairPhase<'_> {
    /// Has bodies that platforms have made faster, or may throw back, look for others as far as they come with that. The fastest
    /// platform makes so many tiles per second.
    pub(super) fn widen_by_platforms(&mut self, fastest: f64) {
        let tick = self.rules.settings.tick * ONE as f64;
        let mut next = 0;
        while let Some(i) = self.pairs.bodies.step(&mut next) {
            let body = self.body(i);
            let mut way = (body.start.kick.x.abs() + body.start.kick.y.abs()) * tick;
            if fastest > 0.0 && self.scene.around.may_have_platform_within(&body.stage.zone) {
                // Seen from the platform it leaves as fast as it has come.
                way += 2.0 * (fastest + body.start.velocity.length()) * tick;
            }
            if way > 0.0 {
                let around = body.stage.zone.grown(((LONGER * way) as i64).min(FARTHEST));
                self.widen(i, around);
            }
        }
    }

    /// Has a body look for others in larger bounds.
    pub(super) fn widen(&mut self, i: u32, bounds: Bounds) {
        let PairPhase { scene, rules, states, pairs, .. } = self;
        let Pairs { bodies, broad, lists: Lists { found, .. }, .. } = &mut **pairs;
        let BroadPhase { entries, by_slot, grid, is_short, opens_all, still, has_characters, .. } = broad;
        let zone = bodies[i as usize].stage.zone;
        if zone.covers(&bounds) {
            return;
        }
        // Some more, so that the next plans need not ask again.
        let all = zone.with(&bounds);
        let all = all.with(&bounds.grown((all.high - all.low).max_element() / 4));
        // As if all had been listed: what is kept of bodies at rest shows in no result.
        still.find(&all, found);
        let (settings, belts) = (rules.settings, scene.around.terrain().terrain.fastest_belt());
        let is_there = |slot: &u32| {
            let state = states[*slot as usize].as_ref();
            let zone = |state: &BodyState| tick_zone(state, (*state.kind.gravity(), 1.0, false), settings, belts);
            state.is_some_and(|state| zone(state).meets(&all))
        };
        *is_short |= found.iter().any(is_there);
        bodies[i as usize].stage.zone = all;
        entries[i as usize].zone = all;
        grid.find(&all, |j| entries[j as usize].zone, entries.len(), found);
        for &j in &*found {
            match bodies.get(j) {
                Some(other) => *opens_all |= is_half_moved(&bodies[i as usize], other),
                None => {
                    // Nothing was near it until now.
                    let entry = &entries[j as usize];
                    let Some(state) = &states[entry.slot as usize] else { continue };
                    by_slot[entry.slot as usize] = j;
                    let is_open = bodies[i as usize].stage.is_open;
                    let other = bodies.put_in(j);
                    other.take(entry, state, scene.frame.axis());
                    *has_characters |= other.given.is_character;
                    // What is at rest may be woken in this pass, and is moved in it then; what moves alone is looked at after it.
                    (other.stage.is_open, other.stage.is_late) = (is_open && other.stage.part == Part::Asleep, true);
                }
            }
            pair_up(scene.frame.axis(), bodies, states, i, j);
        }
        grid.insert(i, &all);
    }
}

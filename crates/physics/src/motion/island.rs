//! Moves bodies that touch each other while platforms move, such as a stack on a lift or a row in front of a ram.
//! Such a group of bodies is an island.
//!
//! A *source* is the map's terrain or a platform. All bodies of an island and all platforms move at once, in
//! sub-moves that end at the earliest event. So the order of bodies and platforms does not affect the result. On each
//! axis a contact is an inequality between two displacements: the body behind moves at most as far as the body ahead.
//!
//! 1. *Bounds*: platforms push and block, through chains of bodies. The minimum and maximum displacement of a body
//!    (its room) follow from the platforms and terrain that it touches, and from the bounds of the bodies behind and
//!    ahead.
//! 2. *Wishes*: the wish of a body is the displacement of the platform or body that it rides, within its bounds. A
//!    wish never pushes: a resting body ahead blocks it.
//! 3. If the bounds of a body contradict each other, the body is crushed. The platforms that push into its chain of
//!    bodies are to blame.
//! 4. If a displacement points into slopes or arcs, the body chooses one along them, as a single body does
//!    ([`carry`](super::carry)).
//! 5. The earliest event is a hit between a body and a source, a hit between two bodies, or the end of a contact that
//!    blocks something. All bodies advance to the event, with each displacement rounded to the nearest unit. From then
//!    on the hit surfaces and bodies block the body (they are *held*). Then the loop repeats.
//!
//! Bounds and wishes are the minimum and maximum solutions of inequalities over integers. Each is unique, so the
//! order of evaluation does not matter. A displacement is 0 or that of some source, and all are rounded alike. So
//! carried bodies move exactly with their platform, through any number of bodies.

use super::carry::{
    Carry, CarryDisplacement, CarryScratch, Cast, Moving, add_moving_source, combine_displacements, crushed_by_all,
    displacement_of, distance_from_centre, round_fraction, sideways_distance, time_of_displacement,
};
use super::cast::Scene;
use super::source::{NearPlatforms, Owner};
use super::surface::Surface;
use super::visit::Bounds;
use super::{Resting, Shape, Up, tolerance};
use crate::map::CollisionLayers;
use crate::terrain::Role;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use std::mem::take;
use surefoot_geometry::exact::{self, FlatGap};
use surefoot_geometry::{Position, Sweep};

/// Stands for a missing minimum or maximum.
const NO_BOUND: i64 = i64::MAX / 4;

/// A body of an island, as input.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) shape: Shape,
    pub(crate) start: Position,
    /// Whether nothing moves the body: it blocks other bodies, and platforms pass through it.
    pub(crate) is_fixed: bool,
    /// Direction of up for the body.
    pub(crate) up: Up,
    /// Collision layers that the body is in.
    pub(crate) layers: CollisionLayers,
    /// Whether gravity pulls the body onto the bodies below it, so that they carry it.
    pub(crate) lies_on_others: bool,
    /// The sources (terrain or platforms) that the body rides.
    pub(crate) rides: SmallVec<[Owner; 2]>,
    /// The body's own displacement, instead of that of a ridden source.
    pub(crate) own: Option<I64Vec2>,
    /// Platforms that the body passes through.
    pub(crate) ignored: SmallVec<[u32; 4]>,
    /// Platforms that come near the body, within the bounds `within`.
    pub(crate) near: NearPlatforms,
    pub(crate) within: Bounds,
}

impl Member {
    /// Returns the scene as this body sees it: with its collision layers and its ignored platforms.
    fn scene_for_member<'a>(&'a self, scene: &Scene<'a>) -> Scene<'a> {
        let scene = Scene { frame: scene.frame.with_up(self.up), ..scene.for_layers(self.layers) };
        let around = scene.around.ignoring_platforms(&self.ignored, DVec2::ZERO);
        Scene { around: around.with_near_platforms(self.within, &self.near), ..scene }
    }
}

/// Platforms that crush bodies of the island. For each pushed body: the body, the platform, and how far the platform
/// had moved.
pub(crate) type Blamed = SmallVec<[(u32, u32, I64Vec2); 4]>;

/// A body of an island while it moves.
#[derive(Debug, Default)]
pub(crate) struct IslandBody {
    pub(crate) position: Position,
    /// Platform and terrain surfaces that the body has hit in this move and still touches.
    pub(crate) held: Vec<Surface>,
    /// Surfaces of other bodies that the body touches. The normal of each is along an axis. A round part that touches
    /// diagonally gives one surface for each axis, with [`Role::Vertex`].
    touched: Vec<Surface>,
    /// End positions of the parts of its path. Two of them can be equal.
    pub(crate) ends: Vec<Position>,
    met: Vec<Surface>,
    /// Time at which the body hits a source, as a fraction of the rest of the tick.
    hit: f64,
    room: Room,
    pub(crate) wish: Wish,
    /// Maximum and minimum velocity, on each axis, with which platforms push the body, directly or through other
    /// bodies, in tiles per second. [`IslandLists::pass_on_push_velocities`] computes it from the direct pushes.
    pub(crate) chain: (DVec2, DVec2),
    pub(crate) ride: Ride,
}

/// The minimum and maximum displacement of a body on each axis: what platforms, terrain and other bodies leave it.
#[derive(Debug, Default)]
struct Room {
    low: I64Vec2,
    high: I64Vec2,
}

/// The displacement that a body of an island wants because it rides something.
#[derive(Debug, Default)]
pub(crate) struct Wish {
    /// Maximum and minimum displacement on each axis that the body wants, within its room, and not further than the
    /// bodies in its way.
    more: I64Vec2,
    less: I64Vec2,
    /// Displacement that the body would want if nothing limited it.
    wanted: I64Vec2,
    /// Remaining displacement of the body's own motion.
    own_displacement_left: Option<I64Vec2>,
    /// Sum of the displacements that the body has wanted in this tick so far.
    pub(crate) total: I64Vec2,
    displacement_choice: CarryDisplacement,
    /// Displacement along slopes or arcs that the body has chosen, together with the displacement for which it was
    /// chosen.
    chosen: Option<(I64Vec2, CarryDisplacement)>,
}

/// The bodies and platforms that carry a body of an island.
#[derive(Debug, Default)]
pub(crate) struct Ride {
    bodies: SmallVec<[u32; 2]>,
    /// Whether the sources that the body touches carry it too.
    on_sources: bool,
    /// Whether a body that carries this one lifts it off the sources that it touched.
    pub(crate) is_lifted_off: bool,
}

/// Lists that every island refills.
#[derive(Debug, Default)]
pub(crate) struct IslandLists {
    /// The bodies of the last island, at their end positions.
    pub(crate) bodies: Vec<IslandBody>,
    /// Bodies of earlier islands, kept for their memory.
    unused: Vec<IslandBody>,
    /// Pairs that have hit each other in this tick. The normal points from the second body to the first.
    hits: Vec<(u32, u32, I64Vec2)>,
    /// Pairs that hit each other at the present event.
    new_hits: Vec<(u32, u32, I64Vec2)>,
    parts: Vec<I64Vec2>,
}

struct Island<'a, 's> {
    scene: &'a Scene<'a>,
    members: &'a [Member],
    /// Pairs of bodies that can collide, as indices in ascending order. The first of two is the lower index.
    pairs: &'a [(u32, u32)],
    lists: &'s mut IslandLists,
    scratch: &'s mut CarryScratch,
}

/// Moves the bodies of an island while the platforms of a scene move by their steps.
///
/// `pairs` lists the bodies that can collide, as indices in ascending order; the first of two is the lower index.
/// Afterwards `lists` has each body's end position, its wished displacement, and the platform and terrain surfaces that
/// hold it.
pub(crate) fn carry_island(
    scene: &Scene<'_>,
    members: &[Member],
    pairs: &[(u32, u32)],
    lists: &mut IslandLists,
    scratch: &mut CarryScratch,
) -> Result<(), Blamed> {
    scratch.frames.clear();
    scratch.frames.push(Moving::of_terrain());
    for member in members {
        let member_scene = member.scene_for_member(scene);
        member.rides.iter().for_each(|owner| add_moving_source(&member_scene, &mut scratch.frames, *owner));
    }
    loop {
        lists.reset_bodies_for_members(members);
        if let Some(end) = (Island { scene, members, pairs, lists, scratch }).compute_move_unless_sources_missing() {
            return end;
        }
        scratch.frames.iter_mut().for_each(|frame| frame.return_to_start(scene));
    }
}

impl IslandLists {
    /// Resets the lists for the members of a new island.
    fn reset_bodies_for_members(&mut self, members: &[Member]) {
        let IslandLists { bodies, unused, hits, .. } = self;
        while bodies.len() > members.len() {
            unused.extend(bodies.pop());
        }
        while bodies.len() < members.len() {
            bodies.push(unused.pop().unwrap_or_default());
        }
        for (body, member) in bodies.iter_mut().zip(members) {
            body.reset_for_member(member);
        }
        hits.clear();
    }
}

impl IslandLists {
    /// Passes the velocity of each push on to the bodies ahead, through all contacts at the end of the tick.
    pub(crate) fn pass_on_push_velocities(&mut self) {
        let bodies = &mut self.bodies;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for i in 0..bodies.len() {
                let (mut more, mut less) = bodies[i].chain;
                for (axis, sign, other) in bodies[i].axis_sign_and_body_of_contacts() {
                    if sign > 0 {
                        more[axis] = more[axis].max(bodies[other].chain.0[axis]);
                    } else {
                        less[axis] = less[axis].min(bodies[other].chain.1[axis]);
                    }
                }
                changed |= (more, less) != bodies[i].chain;
                bodies[i].chain = (more, less);
            }
        }
    }
}

impl IslandBody {
    fn reset_for_member(&mut self, member: &Member) {
        let mut lists = (take(&mut self.held), take(&mut self.met), take(&mut self.ends), take(&mut self.touched));
        lists.0.clear();
        lists.1.clear();
        lists.2.clear();
        *self = IslandBody {
            position: member.start,
            wish: Wish { own_displacement_left: member.own, ..Wish::default() },
            held: lists.0,
            met: lists.1,
            ends: lists.2,
            touched: lists.3,
            hit: f64::INFINITY,
            ride: Ride { on_sources: true, ..Ride::default() },
            ..IslandBody::default()
        };
    }

    /// Returns the contacts with other bodies: the axis, the sign of the normal on it, and the other body. With sign 1
    /// the other body is behind, with -1 ahead.
    fn axis_sign_and_body_of_contacts(&self) -> impl Iterator<Item = (usize, i64, usize)> {
        self.touched.iter().filter_map(|surface| {
            let (axis, sign) = axis_index_and_sign(surface.piece.normal.as_i64vec2());
            if let Owner::Body(other) = surface.owner { Some((axis, sign, other as usize)) } else { None }
        })
    }
}

/// Returns the axis of an axis direction, and its sign.
fn axis_index_and_sign(normal: I64Vec2) -> (usize, i64) {
    (usize::from(normal.x == 0), normal.element_sum())
}

impl Island<'_, '_> {
    /// Computes the whole move. `None` if it has to start again with more sources.
    fn compute_move_unless_sources_missing(&mut self) -> Option<Result<(), Blamed>> {
        let count = self.members.len() as u32;
        let most = tolerance::CARRY_FOLLOW_ROUNDS / 2 + 4 * count;
        for round in 0..2 * most {
            self.store_body_contacts();
            self.store_what_each_body_rides();
            if let Err(blamed) = self.choose_and_store_displacements(round < most) {
                if !blamed.is_empty() {
                    return Some(Err(blamed));
                }
                // Without pushes, this cannot fail: a displacement of 0 is always possible.
                self.choose_and_store_displacements(false).unwrap_or_default();
            }
            let (mut time, is_known) = self.store_hits_and_find_earliest_event(round < most / 2);
            if !is_known {
                return None;
            }
            let hit = time.min(1.0);
            time = self.find_latest_clear_time(hit);
            self.advance_to_time(time, hit);
            if time >= 1.0 {
                return Some(Ok(()));
            }
        }
        let blamed = self.blamed_pushers();
        Some(Err(if blamed.is_empty() { self.blamed_moving_platforms() } else { blamed }))
    }

    /// Returns all moving platforms, as if they pushed the first body. Used if no displacement is possible although
    /// nothing pushes.
    fn blamed_moving_platforms(&self) -> Blamed {
        let scene = self.members[0].scene_for_member(self.scene);
        let moves = |owner: Owner| scene.around.tick_displacement(owner) != I64Vec2::ZERO;
        let frames = self.scratch.frames.iter().map(|frame| frame.owner).filter(|owner| moves(*owner));
        let platforms = frames.filter_map(|owner| if let Owner::Platform(slot) = owner { Some(slot) } else { None });
        platforms.map(|slot| (0, slot, I64Vec2::ZERO)).collect()
    }

    /// Runs a query of one body as a [`Carry`] among the sources.
    fn run_carry_query<R>(&mut self, i: usize, query: impl FnOnce(&mut Carry<'_, '_>) -> R) -> R {
        let CarryScratch { frames, spare, hits, .. } = &mut *self.scratch;
        let (member, body) = (&self.members[i], &mut self.lists.bodies[i]);
        query(&mut Carry {
            #[cfg(test)]
            sub_moves: &mut Vec::new(),
            scene: &member.scene_for_member(self.scene),
            shape: member.shape,
            position: body.position,
            rides: &member.rides,
            own_displacement: body.wish.own_displacement_left,
            frames,
            held: &mut body.held,
            spare,
            hits,
            met: &mut body.met,
            ends: &mut body.ends,
        })
    }

    fn displacement_left(&self, owner: Owner) -> I64Vec2 {
        self.scratch
            .frames
            .iter()
            .find(|frame| frame.owner == owner)
            .map_or(I64Vec2::ZERO, |frame| frame.displacement_left)
    }

    /// Stores for each body which other bodies it touches.
    fn store_body_contacts(&mut self) {
        self.lists.bodies.iter_mut().for_each(|body| body.touched.clear());
        for &(a, b) in self.pairs {
            self.store_contact_if_touching(a, b);
        }
    }

    /// Stores the contact of two bodies with both of them, if they touch.
    fn store_contact_if_touching(&mut self, a: u32, b: u32) {
        let (one, other) = (&self.members[a as usize], &self.members[b as usize]);
        let (position, at) = (self.lists.bodies[a as usize].position, self.lists.bodies[b as usize].position);
        let offset = position - at;
        let reach = one.shape.half_units() + other.shape.half_units();
        let mut note = |role: Role, normal: I64Vec2| {
            for (i, other, normal) in [(a, b, normal), (b, a, -normal)] {
                let at = self.lists.bodies[other as usize].position.units();
                self.lists.bodies[i as usize].touched.push(Surface::part_of_body(Owner::Body(other), at, role, normal));
            }
        };
        let hit = self.lists.hits.iter().find(|hit| (hit.0, hit.1) == (a, b)).map(|hit| hit.2);
        if let Some(FlatGap { normal, gap }) = exact::flat_gap(one.shape.collider(), other.shape.collider(), offset)
            && (gap == 0 || (gap == 1 && hit == Some(normal)))
        {
            return note(Role::Face, normal);
        }
        if let Some(normal) = hit.filter(|normal| normal.x == 0 || normal.y == 0) {
            // `flat_gap` does not count boxes that touch corner to corner. If such boxes have hit each other along an
            // axis, they still block each other on that axis.
            let (axis, _) = axis_index_and_sign(normal);
            let is_corner = offset[1 - axis].abs() == reach[1 - axis];
            if is_corner && (offset[axis].abs() - reach[axis]).abs() <= 1 {
                return note(Role::Face, normal);
            }
        }
        let resting = Resting { shape: other.shape, center: at.units() };
        let round = resting.touched_side(Owner::Body(b), one.shape, position);
        if let Some(round) = round.filter(|surface| !surface.is_flat()) {
            let out = round.normal(position);
            for axis in [I64Vec2::X, I64Vec2::Y].map(|axis| axis * out.signum()) {
                if axis != I64Vec2::ZERO {
                    note(Role::Vertex, axis);
                }
            }
        }
    }

    /// Stores which sources and bodies each body rides: of the floors and bodies below it, those nearest to its centre
    /// line.
    fn store_what_each_body_rides(&mut self) {
        for i in 0..self.members.len() {
            let mut on = take(&mut self.lists.bodies[i].ride.bodies);
            on.clear();
            let (member, body) = (&self.members[i], &self.lists.bodies[i]);
            let (frame, up) = (self.scene.frame.with_up(member.up), member.up.direction());
            let distance = |surface: &Surface| {
                let is_ride = member.rides.contains(&surface.owner) && frame.is_floor(surface.normal(body.position));
                is_ride.then(|| distance_from_centre(surface, member.shape, body.position, &frame))
            };
            let sources = body.held.iter().filter_map(distance).min();
            // `held` is empty at the start of a move, and a body that moves along with its floor does not hit it. A
            // body that holds on to a ledge, a ladder or water may have no floor at all. In these cases, what the body
            // rides (terrain or a platform) counts as directly below it, at distance 0.
            let sources = sources.or((!member.rides.is_empty() && !body.ride.is_lifted_off).then_some(0));
            let mut least = sources.unwrap_or(i64::MAX);
            let mut on_sources = sources.is_some();
            for surface in body.touched.iter().filter(|_| member.lies_on_others) {
                let Owner::Body(lower) = surface.owner else { continue };
                // Two bodies with opposite ups can stand on each other. Then neither carries the other.
                let is_mutual = self.members[lower as usize].up.direction() == -up;
                if surface.piece.normal.as_i64vec2() != up || is_mutual {
                    continue;
                }
                let offset = body.position - self.lists.bodies[lower as usize].position;
                let is_flat = surface.piece.role == Role::Face;
                let away = sideways_distance(self.members[lower as usize].shape, is_flat, offset, up);
                if away < least {
                    (least, on_sources) = (away, false);
                    on.clear();
                }
                if away == least {
                    on.push(lower);
                }
            }
            let body = &mut self.lists.bodies[i];
            (body.ride.bodies, body.ride.on_sources) = (on, on_sources);
        }
    }

    /// Chooses and stores the displacement of each body. Without `use_wishes`, bodies move only as far as
    /// they are pushed.
    fn choose_and_store_displacements(&mut self, use_wishes: bool) -> Result<(), Blamed> {
        self.lists.bodies.iter_mut().for_each(|body| body.wish.chosen = None);
        for _ in 0..4 * self.members.len() + 4 {
            self.store_displacement_bounds()?;
            self.store_wanted_displacements(use_wishes);
            let mut again = false;
            for i in 0..self.lists.bodies.len() {
                if self.members[i].is_fixed {
                    continue;
                }
                let body = &self.lists.bodies[i];
                let wanted = body.wish.more - body.wish.less;
                if let Some((way, kind)) = body.wish.chosen {
                    if way == wanted {
                        self.lists.bodies[i].wish.displacement_choice = kind;
                        continue;
                    }
                    return Err(self.blamed_pushers());
                }
                let Some(way) = self.run_carry_query(i, |carry| carry.choose_displacement(wanted, None)) else {
                    return Err(self.blamed_pushers());
                };
                self.lists.bodies[i].wish.displacement_choice = way;
                let whole = displacement_of(&self.scratch.frames, way);
                if whole != wanted {
                    let body = &mut self.lists.bodies[i];
                    let fits = body.room.low.cmple(whole).all() && whole.cmple(body.room.high).all();
                    body.wish.chosen = Some((whole, way));
                    if !fits {
                        return Err(self.blamed_pushers());
                    }
                    again = true;
                }
            }
            if !again {
                return Ok(());
            }
        }
        Err(self.blamed_pushers())
    }

    /// Stores the minimum and the maximum displacement of each body.
    fn store_displacement_bounds(&mut self) -> Result<(), Blamed> {
        for i in 0..self.lists.bodies.len() {
            let (mut low, mut high) = (I64Vec2::splat(-NO_BOUND), I64Vec2::splat(NO_BOUND));
            let body = &self.lists.bodies[i];
            for surface in &body.held {
                let normal = surface.normal(body.position);
                let left = self.displacement_left(surface.owner);
                for axis in [0, 1] {
                    if normal[1 - axis] == 0 && surface.is_flat() {
                        if normal[axis] > 0 {
                            low[axis] = low[axis].max(left[axis]);
                        } else {
                            high[axis] = high[axis].min(left[axis]);
                        }
                    }
                }
            }
            if self.members[i].is_fixed {
                (low, high) = (I64Vec2::ZERO, I64Vec2::ZERO);
            }
            if let Some((way, _)) = body.wish.chosen {
                (low, high) = (low.max(way), high.min(way));
            }
            let body = &mut self.lists.bodies[i];
            (body.room.low, body.room.high) = (low, high);
        }
        // Alternate the direction of the passes. So a tower needs few passes, whether the list has its bodies from
        // bottom to top or from top to bottom.
        let mut backwards = false;
        loop {
            let mut changed = false;
            let bodies = &mut self.lists.bodies;
            for n in 0..bodies.len() {
                let i = if backwards { bodies.len() - 1 - n } else { n };
                let (mut low, mut high) = (bodies[i].room.low, bodies[i].room.high);
                for (axis, sign, other) in bodies[i].axis_sign_and_body_of_contacts() {
                    if sign > 0 {
                        low[axis] = low[axis].max(bodies[other].room.low[axis]);
                    } else {
                        high[axis] = high[axis].min(bodies[other].room.high[axis]);
                    }
                }
                changed |= (low, high) != (bodies[i].room.low, bodies[i].room.high);
                (bodies[i].room.low, bodies[i].room.high) = (low, high);
            }
            if !changed {
                break;
            }
            backwards = !backwards;
        }
        let is_crushed = |axis: usize| self.lists.bodies.iter().any(|body| body.room.low[axis] > body.room.high[axis]);
        let axes: SmallVec<[usize; 2]> = [0, 1].into_iter().filter(|axis| is_crushed(*axis)).collect();
        if axes.is_empty() { Ok(()) } else { Err(self.blamed_pushers_on_axes(&axes)) }
    }

    /// Marks the bodies that other bodies lift off the floors that they also stand on.
    fn mark_bodies_lifted_off_floors(&mut self) {
        for i in 0..self.lists.bodies.len() {
            let up = self.members[i].up.direction();
            let axis = usize::from(up.x == 0);
            let rises = |body: &IslandBody| if up[axis] > 0 { body.room.low[axis] } else { -body.room.high[axis] };
            let (body, rides) = (&self.lists.bodies[i], &self.members[i].rides);
            if !body.ride.on_sources || body.ride.bodies.is_empty() || rides.is_empty() {
                continue;
            }
            let by_sources = rides.iter().map(|owner| self.displacement_left(*owner).dot(up)).max();
            let by_bodies = body.ride.bodies.iter().map(|on| rises(&self.lists.bodies[*on as usize])).max();
            if by_bodies > by_sources {
                let body = &mut self.lists.bodies[i];
                (body.ride.on_sources, body.ride.is_lifted_off) = (false, true);
            }
        }
    }

    /// Stores the displacement that each body wants within its bounds.
    fn store_wanted_displacements(&mut self, use_wishes: bool) {
        self.mark_bodies_lifted_off_floors();
        for i in 0..self.lists.bodies.len() {
            let body = &mut self.lists.bodies[i];
            let clamped = |wish: i64, low: i64, high: i64| wish.max(low).min(high).max(0);
            let wish = if use_wishes { NO_BOUND } else { 0 };
            for axis in [0, 1] {
                body.wish.more[axis] = clamped(wish, body.room.low[axis], body.room.high[axis]);
                body.wish.less[axis] = clamped(wish, -body.room.high[axis], -body.room.low[axis]);
            }
        }
        let mut backwards = false;
        loop {
            let mut changed = false;
            for n in 0..self.lists.bodies.len() {
                let i = if backwards { self.lists.bodies.len() - 1 - n } else { n };
                for axis in [0, 1] {
                    let (more, less) = self.wanted_displacements_up_and_down_axis(i, axis, use_wishes);
                    let body = &mut self.lists.bodies[i];
                    let more = more.max(body.room.low[axis]).min(body.room.high[axis]).max(0).min(body.wish.more[axis]);
                    let less =
                        less.max(-body.room.high[axis]).min(-body.room.low[axis]).max(0).min(body.wish.less[axis]);
                    changed |= (more, less) != (body.wish.more[axis], body.wish.less[axis]);
                    (body.wish.more[axis], body.wish.less[axis]) = (more, less);
                }
            }
            if !changed {
                break;
            }
            backwards = !backwards;
        }
        for i in 0..self.lists.bodies.len() {
            let body = &self.lists.bodies[i];
            if let Some(own) = body.wish.own_displacement_left {
                self.lists.bodies[i].wish.wanted = own;
                continue;
            }
            let sources = self.members[i]
                .rides
                .iter()
                .filter(|_| body.ride.on_sources)
                .map(|owner| self.displacement_left(*owner));
            let wish = |on: &u32| self.lists.bodies[*on as usize].wish.more - self.lists.bodies[*on as usize].wish.less;
            self.lists.bodies[i].wish.wanted = combine_displacements(sources.chain(body.ride.bodies.iter().map(wish)));
        }
    }

    /// Returns how far a body wants to move up and down an axis: as far as everything that it rides, but not further
    /// than the bodies in its way.
    fn wanted_displacements_up_and_down_axis(&self, i: usize, axis: usize, use_wishes: bool) -> (i64, i64) {
        let body = &self.lists.bodies[i];
        let (mut more, mut less) = (NO_BOUND, NO_BOUND);
        let mut rides = false;
        if let Some(own) = body.wish.own_displacement_left {
            (more, less, rides) = (own[axis].max(0), (-own[axis]).max(0), true);
        } else if body.ride.on_sources {
            for owner in &self.members[i].rides {
                let left = self.displacement_left(*owner)[axis];
                (more, less, rides) = (more.min(left.max(0)), less.min((-left).max(0)), true);
            }
        }
        for on in body.ride.bodies.iter().filter(|_| body.wish.own_displacement_left.is_none()) {
            let other = &self.lists.bodies[*on as usize];
            (more, less, rides) = (more.min(other.wish.more[axis]), less.min(other.wish.less[axis]), true);
        }
        if !rides || !use_wishes {
            (more, less) = (0, 0);
        }
        for (_, sign, other) in body.axis_sign_and_body_of_contacts().filter(|contact| contact.0 == axis) {
            if sign < 0 {
                more = more.min(self.lists.bodies[other].wish.more[axis]);
            } else {
                less = less.min(self.lists.bodies[other].wish.less[axis]);
            }
        }
        (more, less)
    }

    /// Returns the platforms that push bodies without room on an axis: those whose push exceeds the bound of the
    /// touched body.
    fn blamed_pushers_on_axes(&self, axes: &[usize]) -> Blamed {
        let mut blamed = Blamed::new();
        for (i, body) in self.lists.bodies.iter().enumerate() {
            for surface in &body.held {
                let Owner::Platform(platform) = surface.owner else { continue };
                let (normal, left) = (surface.normal(body.position), self.displacement_left(surface.owner));
                let pushes = |axis: usize| {
                    surface.is_flat()
                        && normal[1 - axis] == 0
                        && if normal[axis] > 0 {
                            left[axis] > 0 && left[axis] > body.room.high[axis]
                        } else {
                            left[axis] < 0 && left[axis] < body.room.low[axis]
                        }
                };
                let is_known = blamed.iter().any(|(body, of, _)| (*body, *of) == (i as u32, platform));
                if !is_known && axes.iter().any(|axis| pushes(*axis)) {
                    let whole = self.members[i].scene_for_member(self.scene).around.tick_displacement(surface.owner);
                    blamed.push((i as u32, platform, whole - left));
                }
            }
        }
        if blamed.is_empty() { self.blamed_pushers() } else { blamed }
    }

    /// Returns all platforms that push a body.
    fn blamed_pushers(&self) -> Blamed {
        let mut blamed = Blamed::new();
        for (i, body) in self.lists.bodies.iter().enumerate() {
            let scene = self.members[i].scene_for_member(self.scene);
            let all = crushed_by_all(&scene, body.position, &self.scratch.frames, &body.held);
            blamed.extend(all.blamed.into_iter().map(|(platform, made)| (i as u32, platform, made)));
        }
        blamed
    }

    /// Stores when each body hits something. Returns the time of the earliest event, and whether all sources that come
    /// near are known. `face_ends_count`: whether the ends of blocking faces are events.
    fn store_hits_and_find_earliest_event(&mut self, face_ends_count: bool) -> (f64, bool) {
        let mut first = f64::INFINITY;
        for i in 0..self.lists.bodies.len() {
            if self.members[i].is_fixed {
                continue;
            }
            let Wish { displacement_choice: way, wanted, .. } = self.lists.bodies[i].wish;
            let time_when_past_blocking_faces = |carry: &Carry<'_, '_>| {
                if face_ends_count { carry.time_when_past_blocking_faces(way, wanted) } else { 1.0 }
            };
            let cast = self.run_carry_query(i, |carry| {
                (carry.cast(way), carry.time_until_direction_turns(way).min(time_when_past_blocking_faces(carry)))
            });
            let hit = match cast.0 {
                Cast::Unknown => return (0.0, false),
                Cast::Free => f64::INFINITY,
                Cast::Hit(time) => time,
            };
            self.lists.bodies[i].hit = hit;
            first = first.min(hit).min(if cast.1 < 1.0 { cast.1 } else { f64::INFINITY });
        }
        for &(a, b) in self.pairs {
            let Some((time, _)) = self.collision_time_and_normal(a, b) else { continue };
            first = first.min(time);
        }
        for i in 0..self.lists.bodies.len() {
            for surface in self.lists.bodies[i].touched.iter().filter(|surface| surface.piece.role == Role::Face) {
                first = first.min(self.time_when_past_side(i, surface).unwrap_or(f64::INFINITY));
            }
        }
        (first, true)
    }

    /// Returns when two bodies hit each other, and the normal from the second to the first.
    fn collision_time_and_normal(&self, a: u32, b: u32) -> Option<(f64, I64Vec2)> {
        let (one, other) = (&self.lists.bodies[a as usize], &self.lists.bodies[b as usize]);
        let frames = &self.scratch.frames;
        let motion = displacement_of(frames, one.wish.displacement_choice)
            - displacement_of(frames, other.wish.displacement_choice);
        if motion == I64Vec2::ZERO {
            return None;
        }
        let (shape, at) = (self.members[a as usize].shape.collider(), self.members[b as usize].shape.collider());
        let ups = [a, b].map(|i| self.members[i as usize].up);
        let up = if ups[0] == ups[1] { ups[0].direction() } else { self.scene.frame.up_axis() };
        match exact::sweep_pair(shape, at, one.position - other.position, motion, up) {
            Sweep::Hit(hit) => Some((hit.toi, hit.normal.round().as_i64vec2())),
            Sweep::Clear | Sweep::Overlapping => None,
        }
    }

    /// Returns when a body has passed the end of a flat side of another body, if the two block something.
    fn time_when_past_side(&self, i: usize, side: &Surface) -> Option<f64> {
        let (Owner::Body(other), (axis, sign)) = (side.owner, axis_index_and_sign(side.piece.normal.as_i64vec2()))
        else {
            return None;
        };
        // Each contact is listed twice, with both bodies. Handle only the one whose normal is positive.
        if sign < 0 {
            return None;
        }
        let (a, b) = (&self.lists.bodies[other as usize], &self.lists.bodies[i]);
        let (way_a, way_b) = (
            displacement_of(&self.scratch.frames, a.wish.displacement_choice),
            displacement_of(&self.scratch.frames, b.wish.displacement_choice),
        );
        let holds = way_a[axis] != a.wish.wanted[axis] || way_b[axis] != b.wish.wanted[axis];
        let across = 1 - axis;
        let reach = self.members[other as usize].shape.half_units() + self.members[i].shape.half_units();
        let off = (b.position - a.position)[across];
        let (overlap, apart) = (reach[across] - off.abs(), (way_b - way_a)[across] * off.signum());
        if !holds {
            return None;
        }
        let relative_displacement =
            |time| (round_fraction(way_b, time) - round_fraction(way_a, time))[across] * off.signum();
        time_of_displacement(overlap, apart, relative_displacement)
    }

    /// Returns the latest time up to an event at which the rounded sub-moves hit nothing.
    fn find_latest_clear_time(&mut self, event_time: f64) -> f64 {
        let mut time = event_time;
        if event_time < 1.0 {
            time = self.find_latest_time_clear_of_sources(time);
        }
        let mut room = 1.0;
        for _ in 0..tolerance::MAX_SHORTENINGS {
            if time <= 0.0 {
                return 0.0;
            }
            self.store_displacements_until(time);
            let longest = self.pairs.iter().filter_map(|&(a, b)| {
                let (one, other) = (&self.members[a as usize], &self.members[b as usize]);
                let part = self.lists.parts[a as usize] - self.lists.parts[b as usize];
                let offset = self.lists.bodies[a as usize].position - self.lists.bodies[b as usize].position;
                exact::overlaps(one.shape.collider(), other.shape.collider(), offset + part)
                    .then(|| part.abs().max_element())
            });
            let Some(longest) = longest.min() else { return time };
            time *= (1.0 - room / longest.max(1) as f64).max(0.0);
            room *= tolerance::SHORTENING_GROWTH;
            time = self.find_latest_time_clear_of_sources(time);
        }
        0.0
    }

    /// Returns the latest time up to `time` at which no body has hit a source (terrain or a platform).
    fn find_latest_time_clear_of_sources(&mut self, mut time: f64) -> f64 {
        for i in 0..self.lists.bodies.len() {
            if !self.members[i].is_fixed {
                let chosen = self.lists.bodies[i].wish.displacement_choice;
                time = self.run_carry_query(i, |carry| carry.find_latest_clear_time(chosen, time)).min(time);
            }
        }
        time
    }

    /// Stores how far each body moves up to a time.
    fn store_displacements_until(&mut self, time: f64) {
        self.lists.parts.clear();
        for i in 0..self.lists.bodies.len() {
            let chosen = self.lists.bodies[i].wish.displacement_choice;
            let part = self.run_carry_query(i, |carry| carry.displacement_until(chosen, time));
            self.lists.parts.push(part);
        }
    }

    /// Advances everything to a time, and holds the surfaces and bodies that the event hit.
    fn advance_to_time(&mut self, time: f64, event: f64) {
        self.lists.new_hits.clear();
        for &(a, b) in self.pairs {
            if let Some((hit, normal)) = self.collision_time_and_normal(a, b)
                && hit <= event
                && event < 1.0
            {
                self.lists.new_hits.push((a, b, normal));
            }
        }
        self.store_displacements_until(time);
        let frames = &mut self.scratch.frames;
        for frame in frames.iter_mut() {
            let part = round_fraction(frame.displacement_left, time);
            frame.advance_by(part);
        }
        for (i, body) in self.lists.bodies.iter_mut().enumerate() {
            body.position = body.position + self.lists.parts[i];
            body.ends.push(body.position);
            body.wish.total += round_fraction(body.wish.wanted, time);
            body.wish.own_displacement_left = body
                .wish
                .own_displacement_left
                .map(|own_displacement_left| own_displacement_left - round_fraction(own_displacement_left, time));
            for surface in body.held.iter_mut().chain(body.met.iter_mut()) {
                if let Some(frame) = self.scratch.frames.iter().find(|frame| frame.owner == surface.owner) {
                    surface.at += frame.last_step;
                }
            }
        }
        for i in 0..self.lists.bodies.len() {
            let is_hit = self.lists.bodies[i].hit <= event && event < 1.0;
            let part = self.lists.parts[i];
            self.scratch.spare.clear();
            if is_hit {
                std::mem::swap(&mut self.scratch.spare, &mut self.lists.bodies[i].met);
            }
            self.run_carry_query(i, |carry| carry.update_held_surfaces(part, false));
        }
        // Pairs that have hit each other stay held while they touch.
        let IslandLists { bodies, hits: known, new_hits: hits, .. } = &mut *self.lists;
        known.retain(|&(a, b, normal)| {
            let is_new = hits.iter().any(|hit| (hit.0, hit.1) == (a, b));
            let offset = bodies[a as usize].position - bodies[b as usize].position;
            let reach = self.members[a as usize].shape.half_units() + self.members[b as usize].shape.half_units();
            let gap = (offset * normal).element_sum() - (reach * normal.abs()).element_sum();
            !is_new && (normal.x == 0 || normal.y == 0) && gap.abs() <= 1
        });
        known.append(hits);
    }
}

//! Random worlds of colliding bodies, in all symmetries: their content and their commands. Also an exact overlap test
//! of bodies that uses no code of the engine.

use crate::scene::{I64Vec2, ONE, Random, position, units, variants};
use crate::symmetry::{Square, Symmetry, legend};
use crate::table::pairs;
use std::collections::BTreeSet;
use surefoot::geometry::DVec2;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::world::BodyState;
use surefoot::{Input, Map, World};
use surefoot_random::mix;

/// Half the width of the room, in tiles.
pub const HALF: i32 = 6;

/// The second of the two collision layers of the maps.
pub const SECOND: CollisionLayers = CollisionLayers(0b10);

/// A room with bodies, and the commands for them.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub cells: Vec<Option<VariantId>>,
    pub gravity: DVec2,
    /// Bodies that are there from the start.
    pub bodies: Vec<Body>,
    /// Indices of the bodies to leave out.
    pub left_out: BTreeSet<usize>,
    /// Sorted by tick.
    pub orders: Vec<Order>,
}

/// A command of the game before a tick.
#[derive(Clone, Debug)]
pub struct Order {
    pub tick: u64,
    pub what: What,
}

/// Indices of bodies count them in the order of spawning.
#[derive(Clone, Debug)]
pub enum What {
    Spawn(Body),
    Remove(usize),
    Teleport(usize, Position),
    Throw(usize, DVec2),
    Mask(usize, CollisionLayers),
    Layers(usize, CollisionLayers),
    Hold(usize, Input),
    Become(usize, Character),
    Slow(usize, f64),
    Flip(usize, Option<Up>),
    /// The first body grabs the second one, to carry it at an offset. Without an offset, it grabs a body within its
    /// reach.
    Grip(usize, usize, Option<DVec2>),
    Release(usize, DVec2),
}

/// A half-extent in units: that of a crate, a round number, any number, or a tiny one.
fn half_size(random: &mut Random) -> i64 {
    match random.below(8) {
        0 | 1 => ONE / 2,
        2 => ONE / random.pick(&[4, 8, 16]),
        3 => random.between(ONE / 65536, ONE / 64) | 1,
        _ => random.between(ONE / 16, ONE / 2 + ONE / 8) | 1,
    }
}

pub fn shape(random: &mut Random) -> Shape {
    let half = half_size(random);
    match random.below(5) {
        0 | 1 => Shape::circle_units(half),
        2 => Shape::aabb_units([half, half]),
        _ => Shape::aabb_units([half, half_size(random)]),
    }
}

/// Usually an ordinary velocity, sometimes ten or a hundred times as fast.
pub fn velocity(random: &mut Random) -> DVec2 {
    let most = match random.below(12) {
        0..=4 => 0.0,
        5..=8 => 10.0,
        9 | 10 => 60.0,
        _ => 1000.0,
    };
    DVec2::new(random.range(-most, most), random.range(-most, most)) + DVec2::ZERO
}

/// A position in the room, often on a grid on which sides of bodies and tiles touch.
fn random_position(random: &mut Random) -> Position {
    let half = f64::from(HALF) - 0.25;
    let mut coordinate = || {
        let at = random.range(-half, half);
        match random.below(3) {
            0 => (at * 2.0).floor() / 2.0,
            1 => (at * 16.0).floor() / 16.0,
            _ => at,
        }
    };
    position(coordinate(), coordinate())
}

fn character(random: &mut Random) -> Character {
    Character {
        max_push_mass: random.pick(&[0.0, 0.5, 1.0, 2.0, 3.0, 5.0]),
        walk_speed: random.pick(&[8.0, 8.0, 3.0, 20.0]),
        ..Character::default()
    }
}

fn input(random: &mut Random) -> Input {
    let walk = random.pick(&[-127, -127, -50, 0, 50, 127, 127]);
    Input { walk, jump: random.one_in(3), ..Input::default() }
}

/// A random body that collides with all others.
pub fn body(random: &mut Random) -> Body {
    let body = Body::new(shape(random)).collision_mask(CollisionLayers::ALL);
    let any = [random.range(0.1, 5.0), random.range(0.0, 0.8), random.range(0.0, 1.0)];
    let mass = random.pick(&[1.0, 1.0, 0.5, 3.0, any[0]]);
    let body = body.at(random_position(random)).mass(mass).velocity(velocity(random));
    let friction = random.pick(&[0.0, 0.3, 0.6, any[1]]);
    let body = Body { one_way: !body.shape.is_circle() && random.one_in(8), ..body };
    match random.below(12) {
        0..=3 => body.character(character(random)),
        4..=6 => body.friction(friction).bounce(random.pick(&[1.0, 0.5, any[2]])),
        7 => body.gravity_scale(random.pick(&[0.0, -1.0, 0.5])).friction(friction),
        8 if random.one_in(2) => body.response(random.pick(&[Response::Stop, Response::Pass])),
        _ => body.friction(friction),
    }
}

impl Plan {
    /// Returns the plan of a seed.
    pub fn of_seed(seed: u64) -> Plan {
        let mut random = Random(mix(seed));
        let catalogue = Catalogue::builtin();
        let blocks = ["full_block", "full_block", "slope_45", "slope_45 m", "slope_45 r2", "slope_45 m r2"];
        let blocks = blocks.map(|name| catalogue.find_variant(name).unwrap());
        let all = variants(&catalogue);
        let blocks = if random.one_in(3) { &all[..] } else { &blocks };
        let filled = random.pick(&[0.0, 0.05, 0.2]);
        let cells = Square::random(&mut random, HALF, filled, blocks).cells;
        let usual = DVec2::new(0.0, -30.0);
        let gravity =
            random.pick(&[usual, usual, usual, DVec2::new(0.0, -40.0), DVec2::ZERO, DVec2::new(-15.0, -20.0)]);
        let mut plan = Plan { cells, gravity, ..Plan::default() };
        let terrain = Terrain::bake(&plan.map(Symmetry(Placement::default()), (0, 0)));
        let count = 4 + random.index(12);
        // Often all crates have one size, as in most levels. One crate of a pile may differ by almost nothing.
        let alike = random.one_in(3).then(|| shape(&mut random));
        for _ in 0..count {
            let mut body = body(&mut random);
            if let (Some(shape), true) = (alike, random.below(4) > 0) {
                body.shape = shape;
                body.one_way &= !shape.is_circle();
            }
            // A few bodies stay stuck.
            for _ in 0..20 {
                if !Mover::new(&terrain).overlaps(body.shape, body.position.unwrap()) {
                    break;
                }
                body.position = Ok(random_position(&mut random));
            }
            plan.bodies.push(body);
        }
        plan.add_orders(&mut random);
        plan
    }

    fn add_orders(&mut self, random: &mut Random) {
        let mut count = self.bodies.len();
        let players: Vec<usize> = (0..count).filter(|i| self.bodies[*i].character.is_some()).collect();
        for &player in &players {
            let mut tick = 0;
            while tick < 200 {
                self.orders.push(Order { tick, what: What::Hold(player, input(random)) });
                tick += 1 + random.below(40);
            }
        }
        for _ in 0..random.below(12) {
            let (tick, body_) = (1 + random.below(180), random.index(count));
            let what = match random.below(9) {
                0 | 1 => {
                    count += 1;
                    What::Spawn(body(random))
                }
                2 => What::Remove(body_),
                3 => What::Teleport(body_, random_position(random)),
                4 | 5 => What::Throw(body_, velocity(random)),
                6 => What::Mask(
                    body_,
                    random.pick(&[CollisionLayers::NONE, CollisionLayers::FIRST, SECOND, CollisionLayers::ALL]),
                ),
                7 => What::Layers(body_, random.pick(&[CollisionLayers::FIRST, SECOND, CollisionLayers(0b11)])),
                _ => What::Become(body_, character(random)),
            };
            self.orders.push(Order { tick, what });
        }
        for by in players {
            let (of, tick) = (random.index(count), 1 + random.below(100));
            if random.one_in(3) {
                let offset = DVec2::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0));
                self.orders.push(Order { tick, what: What::Grip(by, of, Some(offset)) });
            } else {
                // Usually no body is within reach, so the order is repeated.
                self.orders.extend((1..200).map(|tick| Order { tick, what: What::Grip(by, of, None) }));
            }
            self.orders.push(Order { tick: tick + random.below(100), what: What::Release(by, velocity(random)) });
        }
        // An order may name a body before its spawn; the run skips it.
        self.orders.sort_by_key(|order| order.tick);
    }

    /// Returns the plan with this mask and this single layer for all bodies, from the start and on spawns, and without
    /// later changes.
    pub fn with_masks(&self, layers: CollisionLayers, mask: CollisionLayers) -> Plan {
        let with = |body: &Body| body.clone().collision_layers(layers).collision_mask(mask);
        let mut plan = self.clone();
        plan.bodies = plan.bodies.iter().map(with).collect();
        plan.orders.retain(|order| !matches!(order.what, What::Mask(..) | What::Layers(..)));
        for order in &mut plan.orders {
            if let What::Spawn(body) = &mut order.what {
                *body = with(body);
            }
        }
        plan
    }

    /// Returns the plan with ups of their own for some bodies, from the start and changed later.
    pub fn with_ups(&self, seed: u64) -> Plan {
        let mut random = Random(mix(seed ^ 0xF11B));
        let mut plan = self.clone();
        let ups = [Up::MinusY, Up::MinusY, Up::PlusY, Up::MinusX, Up::PlusX].map(Some);
        let up = |random: &mut Random| if random.one_in(2) { None } else { random.pick(&ups) };
        for body in &mut plan.bodies {
            body.up = up(&mut random);
        }
        for order in &mut plan.orders {
            if let What::Spawn(body) = &mut order.what {
                body.up = up(&mut random);
            }
        }
        for _ in 0..12 {
            let what = What::Flip(random.index(plan.bodies.len()), up(&mut random));
            plan.orders.push(Order { tick: 1 + random.below(180), what });
        }
        plan.orders.sort_by_key(|order| order.tick);
        plan
    }

    /// Returns the plan with this up as the own up of all bodies, for a world in which right does not turn with the
    /// symmetry if it mirrors.
    pub fn all_with_up(&self, up: Up, symmetry: Symmetry) -> Plan {
        let mut plan = self.clone();
        plan.bodies.iter_mut().for_each(|body| body.up = Some(up));
        for order in &mut plan.orders {
            match &mut order.what {
                What::Spawn(body) => body.up = Some(up),
                What::Hold(_, input) => input.walk = symmetry.walk(input.walk),
                _ => {}
            }
        }
        plan
    }

    /// Returns the plan with time scales below 1, from the start and changed later.
    pub fn in_slow_time(&self, seed: u64) -> Plan {
        let mut random = Random(mix(!seed));
        let mut plan = self.clone();
        let mut scale = || random.pick(&[1.0, 1.0, 0.5, 0.25, 0.3, 0.01, 0.0]);
        for body in &mut plan.bodies {
            body.time_scale = scale();
        }
        for order in &mut plan.orders {
            if let What::Spawn(body) = &mut order.what {
                body.time_scale = scale();
            }
        }
        for _ in 0..12 {
            let what = What::Slow(random.index(plan.bodies.len()), random.pick(&[1.0, 0.5, 0.3, 0.0]));
            plan.orders.push(Order { tick: 1 + random.below(180), what });
        }
        plan.orders.sort_by_key(|order| order.tick);
        plan
    }

    /// Returns the plan without everything that is not needed to break the law: bodies, orders and tiles.
    pub fn reduced(&self, mut breaks: impl FnMut(&Plan) -> bool) -> Plan {
        let mut plan = self.clone();
        let mut attempt = |plan: &mut Plan, change: &dyn Fn(&mut Plan)| {
            let mut less = plan.clone();
            change(&mut less);
            if breaks(&less) {
                *plan = less;
            }
        };
        for _ in 0..2 {
            attempt(&mut plan, &|plan| plan.cells.fill(None));
            for i in 0..plan.bodies.len() {
                attempt(&mut plan, &|plan| plan.left_out.extend([i]));
            }
            for i in (0..plan.orders.len()).rev() {
                attempt(&mut plan, &|plan| {
                    plan.orders.remove(i);
                });
            }
            for i in (0..plan.cells.len()).filter(|i| self.cells[*i].is_some()) {
                attempt(&mut plan, &|plan| plan.cells[i] = None);
            }
        }
        plan
    }

    /// Describes the plan, one line per item, with positions and sizes in units.
    pub fn text(&self) -> String {
        let mut lines = vec![format!("gravity {}", self.gravity)];
        let there = self.bodies.iter().enumerate().filter(|(i, _)| !self.left_out.contains(i));
        lines.extend(there.map(|(i, body)| {
            let (at, half) = (body.position.unwrap().units(), body.shape.half_units());
            format!("body {i} at {at} with half sizes of {half} and the velocity {:?}: {body:?}", body.velocity)
        }));
        lines.extend(self.orders.iter().map(|order| format!("{order:?}")));
        let catalogue = Catalogue::builtin();
        for (i, id) in (0..).zip(&self.cells) {
            let Some(id) = id else { continue };
            let variant = catalogue.variant(*id);
            let pattern = &catalogue.patterns()[usize::from(variant.pattern.0)].name;
            lines.push(format!(
                "{pattern} {} at ({}, {})",
                variant.placement,
                i % (2 * HALF) - HALF,
                i / (2 * HALF) - HALF
            ));
        }
        lines.join("\n")
    }

    pub fn map(&self, symmetry: Symmetry, shift: (i32, i32)) -> Map {
        let square = Square::new(HALF, self.cells.clone()).walled_in();
        let mut legend = legend(&square.catalogue);
        let cells = square.cells(symmetry, &mut legend);
        square.map_of(cells, legend, shift)
    }

    pub fn settings(&self, symmetry: Symmetry) -> Settings {
        symmetry.settings().gravity(symmetry.velocity(self.gravity))
    }

    /// Returns the world of the plan in a symmetry and shifted, with the bodies that are there from the start.
    pub fn world(&self, symmetry: Symmetry, shift: (i32, i32)) -> (World, Vec<BodyId>) {
        let mut world = World::new(self.map(symmetry, shift), self.settings(symmetry));
        let ids = self.fill(&mut world, symmetry, shift);
        (world, ids)
    }

    /// Returns the world of the plan with its bodies spawned in the opposite order.
    pub fn world_backwards(&self) -> (World, Vec<BodyId>) {
        let plain = Symmetry(Placement::default());
        let backwards = Plan { bodies: self.bodies.iter().rev().cloned().collect(), ..self.clone() };
        let last = self.bodies.len() - 1;
        let backwards = Plan { left_out: self.left_out.iter().map(|i| last - i).collect(), ..backwards };
        let (world, mut ids) = backwards.world(plain, (0, 0));
        ids.reverse();
        (world, ids)
    }

    pub fn fill(&self, world: &mut World, symmetry: Symmetry, shift: (i32, i32)) -> Vec<BodyId> {
        let bodies = self.bodies.iter().enumerate();
        // No body has the default id.
        let spawn = |(i, body)| match self.left_out.contains(&i) {
            true => BodyId::default(),
            false => world.spawn(turned(body, symmetry, shift)).unwrap(),
        };
        bodies.map(spawn).collect()
    }

    /// Runs the plan's commands of the next tick. Skips commands that are not possible.
    pub fn steer(&self, world: &mut World, ids: &mut Vec<BodyId>, symmetry: Symmetry, shift: (i32, i32)) {
        let tick = world.tick();
        for order in self.orders.iter().filter(|order| order.tick == tick) {
            let id = |body: &usize| ids.get(*body).copied();
            match &order.what {
                What::Spawn(body) => {
                    ids.push(world.spawn(turned(body, symmetry, shift)).unwrap());
                }
                What::Remove(body) => drop(id(body).map(|id| world.despawn(id))),
                What::Teleport(body, to) => {
                    drop(id(body).map(|id| world.teleport(id, symmetry.position(*to) + shift_in_units(shift))));
                }
                What::Throw(body, velocity) => {
                    drop(id(body).map(|id| world.set_velocity(id, symmetry.velocity(*velocity))));
                }
                What::Mask(body, mask) => drop(id(body).map(|id| world.set_collision_mask(id, *mask))),
                What::Layers(body, layers) => drop(id(body).map(|id| world.set_collision_layers(id, *layers))),
                What::Become(body, character) => drop(id(body).map(|id| world.set_character(id, *character))),
                What::Slow(body, scale) => {
                    let id = id(body).filter(|id| world.get(*id).is_some());
                    let to = id.map(|id| (id, world[id].body().clone().time_scale(*scale)));
                    to.into_iter().for_each(|(id, to)| world.set_body(id, to).unwrap());
                }
                What::Flip(body, up) => {
                    drop(id(body).map(|id| world.set_up(id, up.map(|up| symmetry.up(up)))));
                }
                What::Grip(by, of, offset) => {
                    let Some((by, of)) = id(by).zip(id(of)) else { continue };
                    if let Some(offset) = offset {
                        drop(world.carry(by, of, symmetry.velocity(*offset)));
                    } else {
                        let _ = ids.iter().any(|of| world.grab(by, *of).is_ok());
                    }
                }
                What::Release(by, velocity) => {
                    let grip = id(by).and_then(|by| world.held_by(by).copied());
                    drop(grip.map(|grip| world.release(grip.body, symmetry.velocity(*velocity))));
                }
                What::Hold(body, input) => {
                    if let Some(id) = id(body).filter(|id| world.get(*id).is_some()) {
                        world.set_input(id, Input { walk: symmetry.walk(input.walk), ..*input });
                    }
                }
            }
        }
    }
}

pub fn shift_in_units(shift: (i32, i32)) -> I64Vec2 {
    I64Vec2::new(i64::from(shift.0), i64::from(shift.1)) * ONE
}

/// Returns a body in the mirrored, turned and shifted scene.
fn turned(body: &Body, symmetry: Symmetry, shift: (i32, i32)) -> Body {
    let at = symmetry.position(body.position.unwrap()) + shift_in_units(shift);
    let up = body.up.map(|up| symmetry.up(up));
    Body { shape: symmetry.shape(body.shape), velocity: symmetry.velocity(body.velocity), up, ..body.clone() }.at(at)
}

/// Returns whether the interiors of two shapes overlap, in integers. Sharing a boundary is not overlap.
pub fn overlap(a: Shape, at: Position, b: Shape, there: Position) -> bool {
    let off = (at.units() - there.units()).abs();
    // Most pairs are far from each other.
    if off.cmpge(a.half_units() + b.half_units()).any() {
        return false;
    }
    let off = off.to_array().map(i128::from);
    let half = |shape: Shape| shape.half_units().to_array().map(i128::from);
    let (one, other) = (half(a), half(b));
    let square = |[x, y]: [i128; 2]| x * x + y * y;
    match (a.is_circle(), b.is_circle()) {
        (true, true) => square(off) < (one[0] + other[0]) * (one[0] + other[0]),
        (false, false) => off[0] < one[0] + other[0] && off[1] < one[1] + other[1],
        (is_circle, _) => {
            let (radius, aabb) = if is_circle { (one[0], other) } else { (other[0], one) };
            square([(off[0] - aabb[0]).max(0), (off[1] - aabb[1]).max(0)]) < radius * radius
        }
    }
}

/// Returns pairs of a body and a one-way body that the first one has sunk into, as indices into the ids.
///
/// The first body was above the one-way body before the tick and still is beside its top. Only bodies with straight
/// paths count, so it was above all the time.
pub fn pairs_that_overlap_more(earlier: &World, world: &World, ids: &[BodyId]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let is_one_way = |id: &BodyId| earlier.get(*id).is_some_and(|state| state.body().one_way);
    let lower = ids.iter().enumerate().filter(|(_, id)| is_one_way(id));
    for ((i, upper), (j, lower)) in pairs(ids.iter().enumerate(), lower) {
        let states = [earlier, world].map(|world| world.get(*upper).zip(world.get(*lower)));
        let [Some((a, b)), Some((after, other))] = states else { continue };
        let up = a.up().direction();
        let right = up.perp().abs();
        // A one-way body moves down past a body that moves up to it.
        let is_straight = |state: &BodyState| state.path().len() <= 1;
        let is_asked = !a.body().one_way && is_straight(after) && is_straight(other);
        let meets = i != j && is_asked && can_collide(a, b) && can_collide(after, other) && after.up() == a.up();
        let drops = a.character().is_some() && a.input().down;
        let reach = a.shape().half_units() + b.shape().half_units();
        // A circle hits a side only if its normal there points up by less than 0.05, so its sides count as a bit
        // narrower.
        let beside = if a.shape().is_circle() {
            b.shape().half_units().dot(right)
                + (a.shape().half_units().x as f64 * (1.0_f64 - 0.05 * 0.05).sqrt()) as i64
        } else {
            reach.dot(right)
        };
        let is_beside =
            |upper: &BodyState, lower: &BodyState| (upper.position() - lower.position()).dot(right).abs() >= beside;
        let is_over = ![a, after].iter().any(|upper| is_beside(upper, b) || is_beside(upper, other));
        let is_above = (a.position() - b.position()).dot(up) >= reach.dot(up.abs());
        if meets
            && !drops
            && is_above
            && is_over
            && overlap(after.shape(), after.position(), other.shape(), other.position())
        {
            found.push((i, j));
        }
    }
    found
}

/// Returns pairs of colliding bodies that passed through each other within a tick, as indices into the ids.
///
/// The centres have swapped their order along one axis, and along the other axis the bodies were level all through the
/// tick. Level means closer than the sum of the half-extents, so the two overlapped at the moment of the swap, whatever
/// their shapes. A body may be anywhere within the bounds of its path at any moment, so the list only has pairs that
/// certainly passed.
pub fn pairs_that_passed_through(earlier: &World, world: &World, ids: &[BodyId]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (i, one) in ids.iter().enumerate() {
        for (j, other) in ids.iter().enumerate().skip(i + 1) {
            let states = [earlier, world].map(|world| world.get(*one).zip(world.get(*other)));
            let [Some((a, b)), Some((after_a, after_b))] = states else { continue };
            let (then, now) = (a.position() - b.position(), after_a.position() - after_b.position());
            let is_exchanged = [then.x.signum() * now.x.signum() < 0, then.y.signum() * now.y.signum() < 0];
            if is_exchanged == [false; 2] {
                continue;
            }
            let is_one_way = a.body().one_way || b.body().one_way;
            let collide = can_collide(a, b) && can_collide(after_a, after_b) && !is_one_way;
            if !collide || overlap(a.shape(), a.position(), b.shape(), b.position()) {
                continue;
            }
            let bounds = |start: &BodyState, end: &BodyState| {
                let points =
                    end.path().iter().chain([&end.position()]).map(|position| position.units()).collect::<Vec<_>>();
                let start = start.position().units();
                points.iter().fold((start, start), |(low, high), point| (low.min(*point), high.max(*point)))
            };
            let ((low_a, high_a), (low_b, high_b)) = (bounds(a, after_a), bounds(b, after_b));
            let furthest = (high_a - low_b).max(high_b - low_a);
            let reach = after_a.shape().half_units() + after_b.shape().half_units();
            if is_exchanged[0] && furthest.y < reach.y || is_exchanged[1] && furthest.x < reach.x {
                found.push((i, j));
            }
        }
    }
    found
}

/// Returns whether two bodies should collide, by their properties and by what holds them.
fn can_collide(a: &BodyState, b: &BodyState) -> bool {
    let passes = |state: &BodyState| {
        state.is_carried() || state.body().response == Response::Pass && state.character().is_none()
    };
    a.body().can_collide_with(b.body()) && !passes(a) && !passes(b)
}

/// Returns pairs of colliding bodies that overlap, as indices into the ids. One-way bodies may overlap others.
pub fn overlaps(world: &World, ids: &[BodyId]) -> Vec<(usize, usize)> {
    let there: Vec<_> = ids.iter().map(|id| world.get(*id)).collect();
    let mut found = Vec::new();
    for (i, a) in there.iter().enumerate() {
        for (j, b) in there.iter().enumerate().skip(i + 1) {
            let (Some(a), Some(b)) = (a, b) else { continue };
            let is_one_way = a.body().one_way || b.body().one_way;
            if overlap(a.shape(), a.position(), b.shape(), b.position()) && !is_one_way && can_collide(a, b) {
                found.push((i, j));
            }
        }
    }
    found
}

/// Counts pairs of colliding bodies within 64 units of each other that do not overlap.
pub fn touches(world: &World, ids: &[BodyId]) -> usize {
    let grown = |shape: Shape| {
        let half = shape.half_units() + I64Vec2::splat(64);
        if shape.is_circle() { Shape::circle_units(half.x) } else { Shape::aabb_units(half) }
    };
    let there: Vec<_> = ids.iter().filter_map(|id| world.get(*id)).collect();
    let pairs = there.iter().enumerate().flat_map(|(i, a)| there[i + 1..].iter().map(move |b| (a, b)));
    let touch = pairs.filter(|(a, b)| {
        a.body().can_collide_with(b.body())
            && overlap(grown(a.shape()), a.position(), b.shape(), b.position())
            && !overlap(a.shape(), a.position(), b.shape(), b.position())
    });
    touch.count()
}

#[test]
fn only_overlapping_interiors_count_as_overlap() {
    let (aabb, circle) = (Shape::aabb(0.5, 0.5), Shape::circle(0.5));
    let check = |a: Shape, b: Shape, x: i64, y: i64, expected: bool| {
        for (x, y) in [(x, y), (-x, y), (x, -y), (-x, -y), (y, x)] {
            assert_eq!(overlap(a, units(x, y), b, units(0, 0)), expected, "{a:?} {b:?} {x} {y}");
            assert_eq!(overlap(b, units(0, 0), a, units(x, y)), expected, "{a:?} {b:?} {x} {y}");
        }
    };
    for (a, b) in [(aabb, aabb), (aabb, circle), (circle, circle)] {
        check(a, b, ONE, 0, false);
        check(a, b, ONE - 1, 0, true);
        check(a, b, 0, 0, true);
    }
    check(aabb, aabb, ONE - 1, ONE - 1, true);
    check(aabb, aabb, ONE - 1, ONE, false);
    // The corner of a box is 0.3 and 0.4 from the centre of a circle: exactly the radius.
    let (x, y) = (ONE / 2 + 3 * ONE / 8, ONE / 2 + ONE / 2);
    check(aabb, Shape::circle_units(5 * ONE / 8), x, y, false);
    check(aabb, Shape::circle_units(5 * ONE / 8 + 1), x, y, true);
    check(circle, Shape::circle_units(3 * ONE / 4), 3 * ONE / 4, ONE, false);
    check(circle, Shape::circle_units(3 * ONE / 4 + 1), 3 * ONE / 4, ONE, true);
}

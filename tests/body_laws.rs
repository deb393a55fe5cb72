//! Laws of worlds whose bodies collide:
//! - No tick makes bodies overlap.
//! - Mirrored, turned, shifted, cloned and restored worlds continue with the same bits.
//! - Bodies far from all others move as if they were alone.
//! - Collisions keep momentum and add no energy.

use crate::body_plans::{
    HALF, Plan, SECOND, body, overlap, overlaps, pairs_that_overlap_more, pairs_that_passed_through, shape,
    shift_in_units, touches, velocity,
};
use crate::scene::{ONE, Random, often, position};
use crate::symmetry::{Square, Symmetry, legend};
use crate::table::pairs;
use std::collections::BTreeMap;
use surefoot::geometry::DVec2;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::world::{HeldKind, Snapshot};
use surefoot::{Input, World};
use surefoot_random::mix;

const TICKS: u64 = 200;

pub fn no_symmetry() -> Symmetry {
    Symmetry(Placement::default())
}

/// Seeds of plans: `SUREFOOT_BODIES` of them, starting at `SUREFOOT_BODIES_SEED`.
pub fn seeds(everyday: u64, first: u64) -> std::ops::Range<u64> {
    let number = |name, otherwise| std::env::var(name).map_or(otherwise, |value: String| value.parse().unwrap());
    let first = number("SUREFOOT_BODIES_SEED", first);
    first..first + number("SUREFOOT_BODIES", everyday)
}

/// State of a body after a tick; `None` for a removed body.
pub type Moment = Option<(Position, DVec2, Touching, bool)>;

pub fn current_moment(world: &World, id: BodyId) -> Moment {
    let state = world.get(id)?;
    // 0 and -0 are the same velocity, so turn -0 into 0.
    Some((state.position(), state.velocity() + DVec2::ZERO, state.touching(), state.is_stuck()))
}

pub fn turned(moment: Moment, symmetry: Symmetry, shift: (i32, i32)) -> Moment {
    let (at, velocity, mut touching, stuck) = moment?;
    if symmetry.0.mirrored() {
        (touching.wall_left, touching.wall_right) = (touching.wall_right, touching.wall_left);
    }
    Some((symmetry.position(at) + shift_in_units(shift), symmetry.velocity(velocity) + DVec2::ZERO, touching, stuck))
}

/// An event, in a form that symmetries can map.
#[derive(Clone, Debug)]
struct EventRecord {
    body: Option<usize>,
    name: &'static str,
    /// The body that was hit, or that could not be pushed.
    other: Option<usize>,
    normal: DVec2,
    speed: f64,
    /// The tile that was hit.
    tile: Option<(i32, i32)>,
    /// Whether the body had no motion along the surface and no facing: of equally near tiles, coordinates choose one.
    by_coordinates: bool,
}

/// Equal except for a tile that coordinates may have chosen.
impl PartialEq for EventRecord {
    fn eq(&self, other: &EventRecord) -> bool {
        let all = |told: &EventRecord| (told.body, told.name, told.other, told.normal, told.speed);
        all(self) == all(other) && (self.tile == other.tile || (self.by_coordinates && other.by_coordinates))
    }
}

impl EventRecord {
    fn turned(self, symmetry: Symmetry, shift: (i32, i32)) -> EventRecord {
        let tile = self.tile.map(|tile| symmetry.tile(tile)).map(|(x, y)| (x + shift.0, y + shift.1));
        EventRecord { normal: symmetry.velocity(self.normal) + DVec2::ZERO, tile, ..self }
    }
}

/// Returns whether a body had no motion along the surface with that normal when its centre was at `at`.
fn keeps_along(world: &World, body: BodyId, at: Position, normal: DVec2) -> bool {
    let Some(state) = world.get(body) else { return true };
    let ends: Vec<Position> = [state.previous_position()].into_iter().chain(state.path().iter().copied()).collect();
    let mut parts = ends.windows(2).filter(|part| part[1] == at).map(|part| (part[1] - part[0]).as_dvec2());
    parts.any(|part| normal.perp_dot(part) == 0.0) && state.facing() == Facing::Unset
}

/// Returns the events of the last tick with their bodies.
fn events_of(world: &World, ids: &[BodyId]) -> Vec<EventRecord> {
    let number = |body: BodyId| ids.iter().position(|id| *id == body);
    let told = world.events().iter().map(|event| {
        let (mut tile, mut by_coordinates) = (None, false);
        if let EventKind::HitTile { tile: hit, position, normal, .. } = event.kind {
            (tile, by_coordinates) = (Some(hit), keeps_along(world, event.body, position, normal));
        }
        let (other, normal, speed) = match event.kind {
            EventKind::HitTile { normal, speed, .. } => (None, normal, speed),
            EventKind::HitBody { other, normal, speed } => (number(other), normal, speed),
            EventKind::PushRefused { other } | EventKind::GrabBroken { other } => (number(other), DVec2::ZERO, 0.0),
            _ => (None, DVec2::ZERO, 0.0),
        };
        let normal = normal + DVec2::ZERO;
        EventRecord { body: number(event.body), name: event.kind.name(), other, normal, speed, tile, by_coordinates }
    });
    sorted_events(told.collect())
}

/// Sorts events in an order that no symmetry changes.
fn sorted_events(mut told: Vec<EventRecord>) -> Vec<EventRecord> {
    let bits = |told: &EventRecord| [told.normal.x, told.normal.y, told.speed].map(f64::to_bits);
    told.sort_by_key(|told| (told.body, told.name, told.other, bits(told)));
    told
}

/// Describes a body of a plan for messages, to the unit and the bit.
pub fn describe_body(world: &World, ids: &[BodyId], body: usize) -> String {
    world.get(ids[body]).map_or_else(
        || format!("{body}, which is removed"),
        |state| {
            let (at, half) = (state.position().units(), state.shape().half_units());
            format!("{body} at {at} with half sizes of {half} and the velocity {:?}: {state:?}", state.velocity())
        },
    )
}

/// Counts what happened during a run, to prove that it was not idle.
#[derive(Debug, Default)]
pub struct Coverage {
    /// Pairs that touch, counted per tick.
    touched: usize,
    /// Pairs that overlapped and no longer do.
    apart: usize,
    names: BTreeMap<&'static str, u32>,
    /// Ticks of bodies that are carried, and of bodies that are pulled.
    carried: usize,
    pulled: usize,
}

/// Runs a plan until two colliding bodies overlap, a body enters the terrain or a velocity is not finite. Returns a
/// description.
pub fn find_new_overlap(plan: &Plan, seen: &mut Coverage) -> Option<String> {
    let (mut world, mut ids) = plan.world(no_symmetry(), (0, 0));
    for tick in 0..TICKS {
        plan.steer(&mut world, &mut ids, no_symmetry(), (0, 0));
        let before = overlaps(&world, &ids);
        let inside = |world: &World, id: &BodyId| {
            world.get(*id).is_some_and(|state| world.mover().overlaps(state.shape(), state.position()))
        };
        let earlier = world.clone();
        world.step();
        let then_and_now =
            |i| format!("{}\nbefore: {}", describe_body(&world, &ids, i), describe_body(&earlier, &ids, i));
        let after = overlaps(&world, &ids);
        if let Some(&(a, b)) = after.iter().find(|pair| !before.contains(pair)) {
            return Some(format!("tick {tick}: these overlap:\n{}\n{}", then_and_now(a), then_and_now(b)));
        }
        if let Some(&(a, b)) = pairs_that_passed_through(&earlier, &world, &ids).first() {
            return Some(format!(
                "tick {tick}: these pass through each other:\n{}\n{}",
                then_and_now(a),
                then_and_now(b)
            ));
        }
        if let Some(&(a, b)) = pairs_that_overlap_more(&earlier, &world, &ids).first() {
            return Some(format!("tick {tick}: comes into a one-way body:\n{}\n{}", then_and_now(a), then_and_now(b)));
        }
        // The commands of a plan may put a body into terrain before the step.
        for (i, id) in ids.iter().enumerate() {
            let Some(state) = world.get(*id) else { continue };
            let is_pass = state.body().response == Response::Pass && state.character().is_none();
            let passes = is_pass || state.is_carried();
            if !state.velocity().is_finite() || !passes && inside(&world, id) && !inside(&earlier, id) {
                return Some(format!("tick {tick}: {}", then_and_now(i)));
            }
        }
        seen.touched += touches(&world, &ids);
        let carried = world.held_bodies().filter(|grip| grip.kind != HeldKind::Pulled).count();
        (seen.carried, seen.pulled) = (seen.carried + carried, seen.pulled + world.held_bodies().len() - carried);
        seen.apart += before.iter().filter(|pair| !after.contains(pair)).count();
    }
    None
}

/// Two colliding bodies overlap after a tick only if they did before it, because of a command: they were spawned or put
/// there, or started to collide there. No body enters the terrain that was outside.
#[test]
fn no_tick_makes_bodies_overlap() {
    let (mut seen, mut broken) = (Coverage::default(), Vec::new());
    let seeds = seeds(often(100, 150).into(), 1);
    for seed in seeds.clone() {
        let found = find_new_overlap(&Plan::of_seed(seed), &mut seen);
        broken.extend(found.map(|found| (seed, found)));
    }
    println!("{seen:?}");
    report(&broken, |plan| find_new_overlap(plan, &mut Coverage::default()));
    if seeds.end - seeds.start >= 100 {
        assert!(seen.touched > 1500 && seen.apart > 20 && seen.carried > 500 && seen.pulled > 100, "{seen:?}");
    }
}

/// Fails if plans of some seeds break a law, and reduces the first of them to a minimal plan.
fn report(broken: &[(u64, String)], mut run: impl FnMut(&Plan) -> Option<String>) {
    let Some((seed, _)) = broken.first() else { return };
    let all: Vec<String> = broken.iter().map(|(seed, what)| format!("seed {seed}, {what}")).collect();
    println!("{}", all.join("\n\n"));
    let least = Plan::of_seed(*seed).reduced(|plan| run(plan).is_some());
    let (what, text) = (run(&least).unwrap_or_default(), least.text());
    panic!("{} plans are broken; of seed {seed} this is enough:\n{text}\n{what}", broken.len());
}

/// Runs a plan, and again mirrored, turned and shifted. Returns the first difference.
pub fn symmetry_difference(plan: &Plan, symmetry: Symmetry, shift: (i32, i32), seen: &mut Coverage) -> Option<String> {
    let (mut world, mut ids) = plan.world(no_symmetry(), (0, 0));
    let (mut other, mut others) = plan.world(symmetry, shift);
    for tick in 0..TICKS {
        plan.steer(&mut world, &mut ids, no_symmetry(), (0, 0));
        plan.steer(&mut other, &mut others, symmetry, shift);
        if tick % 23 == 11 {
            let (i, way) =
                (tick as usize % ids.len(), DVec2::new(2.75 - (tick % 11) as f64 * 0.5, (tick % 5) as f64 * 0.375));
            // The command fails if the body is gone.
            drop((world.move_by(ids[i], way), other.move_by(others[i], symmetry.velocity(way))));
        }
        world.step();
        other.step();
        let scene = format!("{symmetry:?} by {shift:?}, tick {tick}");
        for (i, (id, here)) in others.iter().zip(&ids).enumerate() {
            let (found, expected) =
                (current_moment(&other, *id), turned(current_moment(&world, *here), symmetry, shift));
            if found != expected {
                let both = [describe_body(&world, &ids, i), describe_body(&other, &others, i)];
                return Some(format!("{scene}, body {}:\n{found:?} and not\n{expected:?}", both.join("\nand ")));
            }
        }
        let told_here = events_of(&world, &ids);
        told_here.iter().for_each(|told| *seen.names.entry(told.name).or_insert(0) += 1);
        let expected = sorted_events(told_here.into_iter().map(|told| told.turned(symmetry, shift)).collect());
        let found = events_of(&other, &others);
        if found != expected {
            return Some(format!("{scene}: {found:?} and not {expected:?}"));
        }
    }
    None
}

/// Returns a mirror or turn, a shift by whole tiles, and both together, for a plan.
pub fn other_symmetries_and_shifts(seed: u64) -> impl Iterator<Item = (Symmetry, (i32, i32))> {
    let turned = Symmetry::all().skip(1).map(|symmetry| (symmetry, (0, 0)));
    let any = Symmetry::all().nth(seed as usize % 8).unwrap();
    turned.chain([(no_symmetry(), (1_000_000, -999_999)), (any, (-37, 4097))])
}

#[test]
fn mirrored_turned_and_shifted_bodies_give_the_same_bits() {
    let (mut seen, mut broken) = (Coverage::default(), Vec::new());
    let run = |plan: &Plan, seed, seen: &mut Coverage| {
        other_symmetries_and_shifts(seed).find_map(|(symmetry, shift)| symmetry_difference(plan, symmetry, shift, seen))
    };
    // The added seeds found bugs: two of ties decided by the order in which surfaces were found, one of a walker thrown
    // along a wall, and one of times rounded differently because of other bodies nearby.
    for seed in seeds(often(5, 12).into(), 1001).chain([7_700_721, 7_800_194, 2937, 7025]) {
        broken.extend(run(&Plan::of_seed(seed), seed, &mut seen).map(|found| (seed, found)));
    }
    println!("{seen:?}");
    let first = broken.first().map_or(0, |(seed, _)| *seed);
    report(&broken, |plan| run(plan, first, &mut Coverage::default()));
}

/// Runs a plan with its bodies spawned in both orders. Returns the first body that ends elsewhere.
fn spawn_order_difference(plan: &Plan) -> Option<String> {
    let (mut world, mut ids) = plan.world(no_symmetry(), (0, 0));
    let (mut other, mut others) = plan.world_backwards();
    for tick in 0..TICKS {
        plan.steer(&mut world, &mut ids, no_symmetry(), (0, 0));
        plan.steer(&mut other, &mut others, no_symmetry(), (0, 0));
        world.step();
        other.step();
        for (i, (id, same)) in ids.iter().zip(&others).enumerate() {
            if current_moment(&world, *id) != current_moment(&other, *same) {
                return Some(format!(
                    "tick {tick}, {}\nand {}",
                    describe_body(&world, &ids, i),
                    describe_body(&other, &others, i)
                ));
            }
        }
    }
    None
}

/// The order of spawning decides only between bodies that are equal in every property used for ordering.
/// `docs/internals/collision-details.md` tells how often that shows in random runs, which are full of bodies that are
/// thrown, put and released into each other.
#[test]
fn the_order_of_spawning_matters_in_few_plans() {
    let seeds = seeds(60, 9001);
    let count = seeds.end - seeds.start;
    let found = seeds.filter_map(|seed| spawn_order_difference(&Plan::of_seed(seed)).map(|found| (seed, found)));
    let differ: Vec<_> = found.collect();
    differ.iter().for_each(|(seed, found)| println!("seed {seed}, {found}\n"));
    println!("{} of {count} differ", differ.len());
    assert!(differ.len() as u64 * 500 <= count, "{} of {count} differ", differ.len());
}

/// Restores a world to its current state, in one of four ways.
pub fn brought_back(mut world: World, way: u64) -> World {
    match way % 4 {
        0 => {
            let mut begun = World::new(world.map().clone(), world.settings());
            begun.restore(&world.capture()).unwrap();
            begun
        }
        1 => {
            let read = Snapshot::from_bytes(&world.capture().to_bytes()).unwrap();
            assert_eq!(read.first_difference(&world.capture()), None);
            let mut begun = World::new(world.map().clone(), world.settings());
            begun.restore(&read).unwrap();
            begun
        }
        2 => {
            let read = Snapshot::from_ron(&world.capture().to_ron().unwrap()).unwrap();
            world.restore(&read).unwrap();
            world
        }
        _ => {
            // Step on by some ticks, then restore.
            let before = world.capture();
            (0..1 + way % 7).for_each(|_| world.step());
            world.restore(&before).unwrap();
            world.clone()
        }
    }
}

/// Returns the first difference between two worlds with the same ids.
fn first_difference(world: &World, other: &World, ids: &[BodyId]) -> Option<String> {
    for (i, id) in ids.iter().enumerate() {
        let (one, same) = (current_moment(world, *id), current_moment(other, *id));
        if one != same {
            return Some(format!(
                "body {}\nand {}\n{same:?} and not\n{one:?}",
                describe_body(world, ids, i),
                describe_body(other, ids, i)
            ));
        }
    }
    if world.events() != other.events() {
        return Some(format!("{:?} and not {:?}", other.events(), world.events()));
    }
    (world.checksum() != other.checksum()).then(|| "the checksums".to_owned())
}

#[track_caller]
pub fn assert_alike(world: &World, other: &World, ids: &[BodyId], scene: &str) {
    if let Some(found) = first_difference(world, other, ids) {
        panic!("{scene}, {found}");
    }
}

/// Runs a plan, and again with a restore after every tick. Returns the first difference.
pub fn restore_difference(plan: &Plan) -> Option<String> {
    let (mut world, mut ids) = plan.world(no_symmetry(), (0, 0));
    let (mut other, mut others) = plan.world(no_symmetry(), (0, 0));
    for tick in 0..TICKS {
        plan.steer(&mut world, &mut ids, no_symmetry(), (0, 0));
        plan.steer(&mut other, &mut others, no_symmetry(), (0, 0));
        world.step();
        other.step();
        if let Some(found) = first_difference(&world, &other, &ids) {
            return Some(format!("tick {tick}, {found}"));
        }
        other = brought_back(other, tick);
    }
    None
}

#[test]
fn bodies_saved_and_restored_in_every_tick_continue_alike() {
    let run = |seed| restore_difference(&Plan::of_seed(seed)).map(|found| (seed, found));
    let broken: Vec<_> = seeds(6, 2001).filter_map(run).collect();
    report(&broken, restore_difference);
}

/// Restores once and then continues: this shows differences that take several ticks to appear.
#[test]
fn bodies_cloned_and_restored_once_continue_alike() {
    for seed in seeds(24, 3001) {
        let plan = Plan::of_seed(seed);
        let (mut world, mut ids) = plan.world(no_symmetry(), (0, 0));
        let mut random = Random(mix(seed));
        let (cloned, loaded) = (random.below(TICKS), random.below(TICKS));
        let mut others: Vec<(&str, World, Vec<BodyId>)> = Vec::new();
        for tick in 0..TICKS {
            if tick == cloned {
                others.push(("cloned", world.clone(), ids.clone()));
            }
            if tick == loaded {
                others.push(("loaded", brought_back(world.clone(), random.below(4)), ids.clone()));
            }
            plan.steer(&mut world, &mut ids, no_symmetry(), (0, 0));
            world.step();
            for (how, other, others) in &mut others {
                plan.steer(other, others, no_symmetry(), (0, 0));
                other.step();
                assert_alike(&world, other, &ids, &format!("seed {seed} tick {tick}, {how}"));
            }
        }
    }
}

/// A pile in a room of 12 tiles, with crates, balls or both. A character pushes in it for a while.
fn pile(seed: u64) -> (World, Vec<BodyId>, BodyId) {
    let mut random = Random(mix(seed));
    let cells = vec![None; (4 * HALF * HALF) as usize];
    let plan = Plan { cells, gravity: DVec2::new(0.0, -30.0), ..Plan::default() };
    let (mut world, _) = plan.world(no_symmetry(), (0, 0));
    let (friction, bounce) = random.pick(&[(0.4, 0.0), (0.3, 0.5), (0.6, 0.8), (0.5, 0.3)]);
    let balls = random.below(3);
    let mut ids = Vec::new();
    for (row, column) in pairs(0..6, 0..8) {
        let (x, y) = (f64::from(column) * 1.25 - 4.0, f64::from(row) * 1.25 - 2.0);
        let aside = random.range(-0.125, 0.125);
        let is_ball = balls == 0 || balls == 1 && random.one_in(2);
        let shape = if is_ball { Shape::circle(0.5) } else { Shape::aabb(0.5, 0.5) };
        let body = Body::new(shape).at((x + aside, y)).friction(friction).collision_mask(CollisionLayers::ALL);
        let body = if bounce > 0.0 { body.bounce(bounce) } else { body };
        ids.push(world.spawn(body).unwrap());
    }
    let character = Character { max_push_mass: 3.0, ..Character::default() };
    let hero = Body::new(Shape::aabb(0.35, 0.45)).at((-5.5, -5.55)).character(character);
    let hero = world.spawn(hero.collision_mask(CollisionLayers::ALL)).unwrap();
    ids.push(hero);
    (world, ids, hero)
}

/// Until everything is asleep, and again after a body is taken out from under the others.
#[test]
fn a_settling_pile_restored_in_every_tick_continues_alike() {
    for seed in seeds(2, 4001) {
        let (mut world, mut ids, hero) = pile(seed);
        let mut other = world.clone();
        for tick in 0..240 {
            for world in [&mut world, &mut other] {
                let walk = if tick < 100 { [127, 127, -127][tick as usize / 20 % 3] } else { 0 };
                world.set_input(hero, Input { walk, jump: tick % 30 < 3 && tick < 100, ..Input::default() });
                if tick == 200 {
                    world.despawn(ids[2]).unwrap();
                }
            }
            if tick == 200 {
                ids.remove(2);
            }
            let earlier = world.clone();
            world.step();
            other.step();
            assert_apart(&world, &earlier, &ids, &format!("seed {seed} tick {tick}"));
            assert_alike(&world, &other, &ids, &format!("seed {seed} tick {tick}"));
            other = brought_back(other, tick);
        }
    }
}

/// The pile sleeps by tick 600 and stays asleep.
#[test]
fn a_pile_falls_asleep() {
    for seed in seeds(10, 5001) {
        let (mut world, ids, _) = pile(seed);
        (0..600).for_each(|_| world.step());
        let at: Vec<Moment> = ids.iter().map(|id| current_moment(&world, *id)).collect();
        for tick in 600..720 {
            world.step();
            for (i, id) in ids.iter().enumerate() {
                let now = current_moment(&world, *id);
                assert_eq!(now, at[i], "seed {seed} tick {tick}, body {i}");
                assert_eq!(now.unwrap().1, DVec2::ZERO, "seed {seed} tick {tick}, body {i}");
            }
            assert!(overlaps(&world, &ids).is_empty(), "seed {seed} tick {tick}");
        }
    }
}

/// Everything that a game sees of a body's tick.
fn seen(world: &World, id: BodyId) -> (Vec<Position>, Moment, Vec<EventKind>) {
    let events = world.events().iter().filter(|event| event.body == id).map(|event| event.kind).collect();
    (world[id].path().to_vec(), current_moment(world, id), events)
}

/// A crowd in one room, and one body in another room behind two tiles of rock. The body moves as in a world of its own,
/// and as if it collided with no body.
#[test]
fn a_body_far_from_all_others_moves_as_if_alone() {
    const WIDE: i32 = 16;
    let block = Catalogue::builtin().find_variant("full_block").ok();
    for seed in seeds(40, 6001) {
        let plan = Plan::of_seed(seed);
        let mut random = Random(mix(!seed));
        let room = Plan::of_seed(mix(seed));
        // Both rooms have the size of the plans: from (-6, -6), and from (8, -6) to the end of the map.
        let within = |x: i32, y: i32| (-HALF..HALF).contains(&x) && (-HALF..HALF).contains(&y);
        let cell = |cells: &[Option<VariantId>], x: i32, y: i32| cells[((y + HALF) * 2 * HALF + x + HALF) as usize];
        let tiles = (-WIDE..WIDE).flat_map(|y| (-WIDE..WIDE).map(move |x| (x, y)));
        let cells = tiles.map(|(x, y)| match (x, y) {
            (x, y) if within(x, y) => cell(&plan.cells, x, y),
            (x, y) if within(x - 14, y) => cell(&room.cells, x - 14, y),
            _ => block,
        });
        let square = Square::new(WIDE, cells.collect()).walled_in();
        let mut legend = legend(&square.catalogue);
        let cells = square.cells(no_symmetry(), &mut legend);
        let map = square.map_of(cells, legend, (0, 0));
        let mut crowded = World::new(map, plan.settings(no_symmetry()));
        let [mut alone, mut masked] = [crowded.clone(), crowded.clone()];
        let mut ids = plan.fill(&mut crowded, no_symmetry(), (0, 0));
        let mut lone = body(&mut random);
        for _ in 0..20 {
            lone.position = Ok(position(random.range(8.5, 15.5), random.range(-5.5, 5.5)));
            if !alone.mover().overlaps(lone.shape, lone.position.unwrap()) {
                break;
            }
        }
        let spawned = [&mut crowded, &mut alone].map(|world| world.spawn(lone.clone()).unwrap());
        let unmet = masked.spawn(lone.clone().collision_mask(CollisionLayers::NONE)).unwrap();
        for tick in 0..TICKS {
            plan.steer(&mut crowded, &mut ids, no_symmetry(), (0, 0));
            let walk = random.pick(&[127, 127, 0, -127]);
            let input = Input { walk, jump: random.one_in(4), ..Input::default() };
            let thrown = random.one_in(60).then(|| velocity(&mut random));
            let ids = [spawned[0], spawned[1], unmet];
            for (world, id) in [&mut crowded, &mut alone, &mut masked].into_iter().zip(ids) {
                if tick % 10 == 0 {
                    world.set_input(id, input);
                }
                if let Some(velocity) = thrown {
                    world.set_velocity(id, velocity).unwrap();
                }
                world.step();
            }
            let [here, there, met_by_none] =
                [(&crowded, ids[0]), (&alone, ids[1]), (&masked, ids[2])].map(|(world, id)| seen(world, id));
            assert_eq!(here, there, "seed {seed} tick {tick}: {lone:?}");
            // Only bodies that collide with others send sleep events.
            assert_eq!((&there.0, &there.1), (&met_by_none.0, &met_by_none.1), "seed {seed} tick {tick}: {lone:?}");
        }
    }
}

/// All bodies are in one layer that every mask leaves out. They must move as bodies without a mask, however many pass
/// through each other.
#[test]
fn masks_that_let_no_two_bodies_collide_change_nothing() {
    let mut crossed = 0;
    for seed in seeds(16, 7001) {
        let plan = Plan::of_seed(seed);
        let without = plan.with_masks(CollisionLayers::FIRST, CollisionLayers::NONE);
        let (mut world, mut ids) = without.world(no_symmetry(), (0, 0));
        let others = [(CollisionLayers::FIRST, SECOND), (SECOND, CollisionLayers::FIRST)].map(|(layers, mask)| {
            let plan = plan.with_masks(layers, mask);
            let (world, ids) = plan.world(no_symmetry(), (0, 0));
            (plan, world, ids)
        });
        let mut others = Vec::from(others);
        for tick in 0..TICKS {
            without.steer(&mut world, &mut ids, no_symmetry(), (0, 0));
            world.step();
            for (plan, other, others) in &mut others {
                plan.steer(other, others, no_symmetry(), (0, 0));
                other.step();
                for (i, (one, same)) in ids.iter().zip(others.iter()).enumerate() {
                    let what = describe_body(&world, &ids, i);
                    assert_eq!(
                        current_moment(&world, *one),
                        current_moment(other, *same),
                        "seed {seed} tick {tick}, body {what}"
                    );
                }
                // Only a body that may collide with others reports sleep.
                let moves = |world: &World, ids: &[BodyId]| {
                    let mut told = events_of(world, ids);
                    told.retain(|told| told.name != "fell_asleep" && told.name != "woke_up");
                    told
                };
                assert_eq!(moves(&world, &ids), moves(other, others), "seed {seed} tick {tick}");
            }
            let there: Vec<_> = ids.iter().filter_map(|id| world.get(*id)).collect();
            let pairs = there.iter().enumerate().flat_map(|(i, a)| there[i + 1..].iter().map(move |b| (a, b)));
            crossed += pairs.filter(|(a, b)| overlap(a.shape(), a.position(), b.shape(), b.position())).count();
        }
    }
    assert!(crossed > 100, "{crossed}");
}

/// Checks that no two bodies overlap. The message lists where all nearby bodies were before the tick.
#[track_caller]
fn assert_apart(world: &World, earlier: &World, ids: &[BodyId], scene: &str) {
    let Some(&(a, b)) = overlaps(world, ids).first() else { return };
    let near = |i: &usize| {
        let way = (earlier[ids[*i]].position() - earlier[ids[a]].position()).abs().max_element();
        *i != a && *i != b && way < 2 * ONE
    };
    let others: Vec<String> = (0..ids.len()).filter(near).map(|i| describe_body(earlier, ids, i)).collect();
    let [now, before] = [world, earlier].map(|world| [a, b].map(|i| describe_body(world, ids, i)).join("\n"));
    panic!("{scene}: these overlap:\n{now}\nbefore:\n{before}\nnear them:\n{}", others.join("\n"));
}

/// Bodies with a bounce of 1, apart from each other, that move roughly to the middle.
fn free_bodies(seed: u64) -> Vec<Body> {
    let mut random = Random(mix(seed));
    let only = random.below(3);
    let fastest = random.pick(&[5.0, 20.0, 60.0, 60.0, 1000.0]);
    let mut bodies: Vec<Body> = Vec::new();
    for _ in 0..200 {
        let shape = shape(&mut random);
        let is_wanted = only == 0 || shape.is_circle() == (only == 1);
        let at = position(random.range(-5.0, 5.0), random.range(-5.0, 5.0));
        let lies_on = |other: &Body| overlap(shape, at, other.shape, other.position.unwrap());
        if !is_wanted || bodies.len() == 24 || bodies.iter().any(lies_on) {
            continue;
        }
        let speed = random.range(0.0, fastest);
        let way = -at.to_dvec2().normalize_or_zero() + DVec2::new(random.range(-0.5, 0.5), random.range(-0.5, 0.5));
        let body = Body::new(shape).at(at).velocity(way * speed).mass(random.range(0.5, 3.0)).bounce(1.0);
        bodies.push(body.collision_mask(CollisionLayers::ALL));
    }
    bodies
}

/// Lets bodies fly in empty space. Returns the first tick in which momentum is lost, energy appears, or two overlap.
fn free_flight(bodies: &[Body], impacts: &mut usize) -> Option<String> {
    let map = Square::new(20, vec![None; 1600]).map(no_symmetry(), (0, 0));
    let mut world = World::new(map, Settings::default().gravity((0.0, 0.0)));
    let ids: Vec<BodyId> = bodies.iter().map(|body| world.spawn(body.clone()).unwrap()).collect();
    let sums = |world: &World| {
        let velocities = || ids.iter().map(|id| (world[*id].velocity(), world[*id].body().mass));
        let momentum = velocities().map(|(velocity, mass)| velocity * mass).sum::<DVec2>();
        let energy = velocities().map(|(velocity, mass)| velocity.length_squared() * mass).sum::<f64>();
        let size = velocities().map(|(velocity, mass)| velocity.length() * mass).sum::<f64>();
        (momentum, energy, size)
    };
    let (momentum, mut least, size) = sums(&world);
    for tick in 0..TICKS {
        let earlier = world.clone();
        world.step();
        *impacts += ids.iter().filter(|id| world[**id].velocity() != earlier[**id].velocity()).count();
        let (now, energy, _) = sums(&world);
        let then_and_now = || {
            let all = (0..ids.len())
                .map(|i| format!("{}\nbefore: {}", describe_body(&world, &ids, i), describe_body(&earlier, &ids, i)));
            all.collect::<Vec<_>>().join("\n")
        };
        if (now - momentum).length() > 1e-9 * size {
            return Some(format!("tick {tick}: a momentum of {now} and not {momentum}\n{}", then_and_now()));
        }
        if energy > least * (1.0 + 1e-12) {
            return Some(format!("tick {tick}: an energy of {energy} after {least}\n{}", then_and_now()));
        }
        least = least.min(energy);
        if let Some((a, b)) = overlaps(&world, &ids).first() {
            return Some(format!("tick {tick}: {a} and {b} overlap\n{}", then_and_now()));
        }
    }
    None
}

/// Bodies without gravity and friction in empty space. Slow impacts count as without bounce, so energy may decrease.
#[test]
fn free_impacts_keep_momentum_and_add_no_energy() {
    let mut impacts = 0;
    let seeds = seeds(60, 8001);
    let broken: Vec<u64> =
        seeds.clone().filter(|seed| free_flight(&free_bodies(*seed), &mut impacts).is_some()).collect();
    println!("{impacts}");
    if let Some(seed) = broken.first() {
        let mut least = free_bodies(*seed);
        for i in (0..least.len()).rev() {
            let mut less = least.clone();
            less.remove(i);
            if free_flight(&less, &mut 0).is_some() {
                least = less;
            }
        }
        let found = free_flight(&least, &mut 0).unwrap();
        panic!("seeds {broken:?}; of seed {seed} these are enough: {least:?}\n{found}");
    }
    if seeds.end - seeds.start >= 60 {
        assert!(impacts > 1000, "{impacts}");
    }
}

/// Two fast balls that aim at each other collide at any speed, and two that miss each other do not. The witness is the
/// closest approach of their centres along the relative motion.
#[test]
fn two_fast_balls_collide_if_and_only_if_their_paths_do() {
    let (mut met, mut missed) = (0, 0);
    for seed in seeds(2000, 9001) {
        let mut random = Random(mix(seed));
        let map = Square::new(2, vec![None; 16]).map(no_symmetry(), (0, 0));
        let mut world = World::new(map, Settings::default().gravity((0.0, 0.0)));
        let mut radius = || random.between(ONE / 64, ONE / 2);
        let radii = [radius(), radius()];
        let speed = random.pick(&[10.0, 60.0, 1000.0, 10_000.0]);
        let mut place = |far: f64| DVec2::new(random.range(-far, far), random.range(-far, far));
        let starts = [place(4.0), place(4.0)];
        // Both aim at nearly the same point at nearly the same time, in whole units per tick.
        let aims = [place(1.0), place(0.5)];
        let time = 4.0 / speed;
        let velocities = [0, 1].map(|i| (aims[0] + aims[1] * i as f64 - starts[i]) / time);
        let bodies = [0, 1].map(|i| {
            let at = Position::new(starts[i].x, starts[i].y).unwrap();
            let body = Body::new(Shape::circle_units(radii[i])).at(at).velocity(velocities[i]).bounce(1.0);
            body.collision_mask(CollisionLayers::ALL)
        });
        let at = bodies.clone().map(|body| body.position.unwrap());
        let (one, other) = (bodies[0].shape, bodies[1].shape);
        if overlap(one, at[0], other, at[1]) {
            continue;
        }
        let ids = bodies.map(|body| world.spawn(body).unwrap());
        (0..60).for_each(|_| world.step());
        let apart = (at[0] - at[1]).as_dvec2() / ONE as f64;
        let relative = velocities[0] - velocities[1];
        let way = relative.length();
        // `closest` is the smallest distance between the balls without a hit, and `until` its time in seconds.
        let closest = apart.perp_dot(relative).abs() / way;
        let sum = (radii[0] + radii[1]) as f64 / ONE as f64;
        let approaches = apart.dot(relative) < 0.0;
        let until = -apart.dot(relative) / (way * way);
        let is_graze = (closest - sum).abs() < 1e-6 * (1.0 + sum) || (until - 1.0).abs() * way < 2.0;
        let expected = approaches && closest < sum && until < 1.0;
        let changed = ids.iter().zip(velocities).any(|(id, velocity)| world[*id].velocity() != velocity);
        if !is_graze {
            assert_eq!(changed, expected, "seed {seed}: {closest} of {sum}");
        }
        if expected { met += 1 } else { missed += 1 }
    }
    if met + missed > 1000 {
        assert!(met > 200 && missed > 200, "{met} {missed}");
    }
}

//! Crates that are pushed and pulled up slopes, over crests and into doors. Judged by positions, contacts and the
//! direction of gravity.
//!
//! `SUREFOOT_BODIES=50000 SUREFOOT_BODIES_SEED=1 cargo test --release -p surefoot-tests uphill_speed_scale` runs so
//! many random hills from that seed on, of some 900 body-steps each.

use crate::body_laws::seeds;
use crate::prelude::*;
use surefoot::query::BodyContact;

/// How much of a unit normal has to point against a force to count as a contact against it.
const AGAINST: f64 = 1e-6;

/// In how many ticks a body may keep its position in the air.
const MOST: u32 = 3;

/// Counts for how many ticks each body has kept its position with nothing to hold it against gravity.
#[derive(Default)]
pub struct Hanging(BTreeMap<BodyId, u32>);

impl Hanging {
    /// Looks at a body after a tick. Returns whether it hangs in the air, given the acceleration that acts on it.
    pub fn hangs(&mut self, earlier: &World, world: &World, id: BodyId, gravity: DVec2) -> bool {
        let (Some(before), Some(state)) = (earlier.get(id), world.get(id)) else { return false };
        let is_left_alone = !state.is_stuck()
            && !before.is_stuck()
            && world.hit_stop_left(id) == 0
            && earlier.hit_stop_left(id) == 0
            && world.holder_of(id).is_none()
            && !(state.is_hanging() || state.is_climbing() || state.is_swimming());
        let is_held = || {
            let mut bodies = Vec::new();
            world.body_contacts(id, &mut bodies);
            let mut normals = world.contacts(id).iter().map(|contact| contact.normal).collect::<Vec<_>>();
            normals.extend(bodies.iter().map(|contact| contact.normal));
            normals.iter().any(|normal| normal.dot(gravity.normalize_or_zero()) < -AGAINST)
                || is_wedged(world, id, gravity)
                || lies_loosely(world, id, gravity)
        };
        // A body that bounces to and fro may end a tick where it began.
        let has_moved = state.path().iter().any(|position| *position != state.position());
        let keeps_position = before.position() == state.position() && !has_moved;
        let stays = is_left_alone && gravity != DVec2::ZERO && keeps_position && !is_held();
        let count = self.0.entry(id).or_default();
        *count = if stays { *count + 1 } else { 0 };
        *count >= MOST
    }
}

/// Whether two sides of the terrain hold a body between them. In the mouth of a shaft as wide as itself a circle stands
/// on both rims, though each of them faces up by 1e-9 alone: `tests/wedges.rs` says so.
fn is_wedged(world: &World, id: BodyId, force: DVec2) -> bool {
    let contacts = world.contacts(id);
    let normals: Vec<_> = contacts.iter().map(|contact| contact.exact_normal).collect();
    normals.iter().any(|a| normals.iter().any(|b| holds_between(*a, *b, force)))
}

/// Whether no direction leads off two sides and along a force: the force is made up of parts against either normal.
fn holds_between(a: I64Vec2, b: I64Vec2, force: DVec2) -> bool {
    let [ax, ay, bx, by] = [a.x, a.y, b.x, b.y].map(i128::from);
    let turn = (ax * by - ay * bx).signum() as f64;
    turn * force.perp_dot(b.as_dvec2()) < 0.0 && turn * a.as_dvec2().perp_dot(force) < 0.0
}

#[test]
fn sides_hold_between_them_what_leads_off_neither() {
    let one = ONE / 2;
    let down = DVec2::new(0.0, -30.0);
    let cases = [
        // Upright walls do not hold a body. A rim that faces up by a unit does, together with a wall or with another
        // rim.
        ((one, 0), (-one, 0), false),
        ((one, 1), (-one, 0), true),
        ((one, 1), (-one, 1), true),
        // A side that leans over by a unit does not hold a body, unless the other side faces up by more.
        ((one, -1), (-one, 0), false),
        ((one, -1), (-one, 1), false),
        ((one, -1), (-one, 2), true),
        // The two sides must face each other.
        ((one, 1), (one, 0), false),
        ((one, 1), (one, 2), false),
    ];
    for (a, b, holds) in cases {
        for (a, b) in [(a, b), (b, a)] {
            let (a, b) = (I64Vec2::from(a), I64Vec2::from(b));
            assert_eq!(holds_between(a, b, down), holds, "{a} {b}");
            let mirrored = |v: I64Vec2| I64Vec2::new(-v.x, v.y);
            assert_eq!(holds_between(mirrored(a), mirrored(b), down), holds, "{a} {b}");
            assert_eq!(holds_between(a.perp(), b.perp(), down.perp()), holds, "{a} {b}");
        }
    }
}

/// How far above what holds it a round body may come to rest, in tiles: docs/internals/collision-details.md says so.
const LOOSE: f64 = 1.0 / 64.0;

/// Whether a round body lies on another body, or another body on a round one, as far as that may come to rest above it.
fn lies_loosely(world: &World, id: BodyId, gravity: DVec2) -> bool {
    let size = |shape: Shape| {
        let half = shape.half_units().as_dvec2() / ONE as f64;
        if shape.is_circle() { (DVec2::ZERO, half.x) } else { (half, 0.0) }
    };
    let (state, (half, radius)) = (&world[id], size(world[id].shape()));
    world.bodies().filter(|(other, _)| *other != id).any(|(_, other)| {
        let (other_half, other_radius) = size(other.shape());
        let (half, radius) = (half + other_half, radius + other_radius);
        let offset = (state.position() - other.position()).as_dvec2() / ONE as f64;
        let out = offset - offset.clamp(-half, half);
        radius > 0.0 && out.length() <= radius + LOOSE && out.dot(gravity) < 0.0
    })
}

fn contacts(world: &World, id: BodyId) -> Vec<BodyContact> {
    let mut found = Vec::new();
    world.body_contacts(id, &mut found);
    found
}

/// The body that a character walks against with its side from the begin of the tick to its end, of the two not one
/// moving that way.
fn walks_against(earlier: &World, world: &World, hero: BodyId, right: DVec2) -> Option<BodyId> {
    let (before, state) = (&earlier[hero], &world[hero]);
    let walk = f64::from(state.input().walk.signum());
    let way = right * walk;
    let pushes = state.character().is_some_and(|character| character.max_push_mass > 0.0);
    if walk == 0.0 || !pushes || !before.on_floor() || !state.on_floor() || state.is_stuck() || state.input().jump {
        return None;
    }
    let made = |id: BodyId| (world[id].position() - earlier[id].position()).as_dvec2().dot(way);
    let is_ahead = |contact: &BodyContact| contact.normal.dot(way) < -0.999;
    let first: Vec<BodyId> =
        contacts(earlier, hero).into_iter().filter(is_ahead).map(|contact| contact.other).collect();
    let ahead = contacts(world, hero).into_iter().filter(is_ahead).map(|contact| contact.other);
    let mut idle = ahead.filter(|id| first.contains(id) && made(*id) <= 0.0 && made(hero) <= 0.0);
    idle.next()
}

fn is_refused(world: &World, hero: BodyId) -> bool {
    world.events().iter().any(|event| event.body == hero && matches!(event.kind, EventKind::PushRefused { .. }))
}

/// A slope up from the ground at height 0 to a hill, both to the right.
struct Hill {
    canvas: Canvas,
    /// Where the slope ends, in tiles.
    crest: i32,
    height: i32,
}

impl Hill {
    /// A slope of so many tiles of a rise of 1, each as wide as that; with a door of some height at its crest.
    fn new(wide: i32, height: i32, door: Option<i32>) -> Hill {
        let mut canvas = Canvas::default();
        canvas.blocks((-14, -2), (-1, -1));
        for row in 0..height {
            let x = row * wide;
            canvas.blocks((x, -2), (x + wide - 1, row - 1));
            let tiles = if wide == 1 { &["slope_45"][..] } else { &["half_slope_low", "half_slope_high"] };
            for (tile, name) in (x..).zip(tiles) {
                canvas.paint((tile, row), name);
            }
        }
        let crest = height * wide;
        canvas.blocks((crest, -2), (crest + 12, height - 1));
        canvas.blocks((crest + 13, -2), (crest + 13, height + 6));
        if let Some(door) = door {
            canvas.blocks((crest, height + door), (crest + 4, height + door + 1));
        }
        Hill { canvas, crest, height }
    }
}

/// A hero and a crate at the foot of a hill, in one of the symmetries.
struct Scene {
    world: World,
    symmetry: Symmetry,
    hero: BodyId,
    load: BodyId,
    refused: u32,
    right: DVec2,
    hanging: Hanging,
}

fn at(x: f64, shape: Shape) -> Position {
    units((x * ONE as f64).floor() as i64, shape.half_units().y)
}

impl Scene {
    fn new(hill: &Hill, (hero, load): (Shape, Shape), symmetry: Symmetry, rate: u32, character: Character) -> Scene {
        let settings = symmetry.settings().tick(1.0 / f64::from(rate));
        let mut world = World::new(hill.canvas.map(symmetry), settings);
        let up = symmetry.velocity(DVec2::Y);
        let right = DVec2::new(up.y, -up.x);
        let body = |shape, x| {
            let body = Body::new(symmetry.shape(shape)).at(symmetry.position(at(x, shape)));
            body.friction(0.6).collision_mask(CollisionLayers::ALL)
        };
        let load = world.spawn(body(load, -3.5)).unwrap();
        let hero = world.spawn(body(hero, -6.0).character(character)).unwrap();
        Scene { world, symmetry, hero, load, refused: 0, right, hanging: Hanging::default() }
    }

    fn walk(&mut self, walk: i8) {
        self.world.set_input(self.hero, Input { walk: self.symmetry.walk(walk), ..Input::default() });
    }

    /// Makes a tick, and holds it to the laws.
    fn step(&mut self, what: &dyn Fn() -> String) {
        let earlier = self.world.clone();
        self.world.step();
        let gravity = self.world.settings().gravity;
        for id in [self.hero, self.load] {
            let hangs = self.hanging.hangs(&earlier, &self.world, id, gravity);
            assert!(!hangs, "{} hangs in the air: {:?}", what(), self.at(id));
        }
        let idle = walks_against(&earlier, &self.world, self.hero, self.right);
        let is_refused = is_refused(&self.world, self.hero);
        assert!(
            idle.is_none() || is_refused,
            "{} is not told that its push is refused: {:?}",
            what(),
            self.at(self.hero)
        );
        self.refused = if is_refused { self.refused + 1 } else { 0 };
    }

    /// Where a body is, the symmetry taken away, in tiles.
    fn at(&self, id: BodyId) -> (f64, f64) {
        let at = self.symmetry.inverse().position(self.world[id].position()).to_dvec2();
        (at.x, at.y)
    }
}

fn walker(speed: f64) -> Character {
    Character { max_push_mass: 5.0, walk_speed: speed, ground_acceleration: 8.0 * speed, ..Character::default() }
}

/// Half sizes of crates, the heroes that push them, and the rates of ticks; each case takes the next of the symmetries.
fn each(mut see: impl FnMut(Shape, Shape, Symmetry, u32, f64)) {
    let symmetries: Vec<Symmetry> = Symmetry::all().collect();
    let crates = [(0.5, 0.5), (0.25, 0.25), (0.375, 0.375), (0.5, 0.25), (0.25, 0.5)];
    let heroes = [Shape::aabb(0.35, 0.5), Shape::aabb(0.35, 0.25), Shape::aabb(0.35, 0.75), Shape::circle(0.5)];
    let rates = [60, 30, 240, 120, 50];
    let speeds = [8.0, 3.1, 8.0, 20.3];
    let mut turn = 0;
    for (x, y) in crates {
        for hero in heroes {
            for _ in 0..often(1, 2) {
                turn += 1;
                let symmetry = symmetries[turn * 3 % 8];
                see(Shape::aabb(x, y), hero, symmetry, rates[turn % rates.len()], speeds[turn % speeds.len()]);
            }
        }
    }
}

/// Pushed up a slope onto a hill, what is as wide as the slope makes it rise stands corner to corner with a hero of
/// that height. It goes on, or the hero is told that it does not; a hero that comes below it goes on without it.
/// Nothing hangs in the air, also not when the hero stops.
#[test]
fn a_crate_that_is_pushed_up_a_slope_arrives_on_the_hill() {
    let (mut arrived, mut count) = (0, 0);
    for (wide, height) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        let hill = Hill::new(wide, height, None);
        each(|load, hero, symmetry, rate, speed| {
            let mut scene = Scene::new(&hill, (hero, load), symmetry, rate, walker(speed));
            let what = || format!("{wide}:1 {height} {load:?} {hero:?} {symmetry:?} {rate} {speed}");
            scene.walk(127);
            let ticks = ((f64::from(hill.crest) + 12.0) * 1.5 / speed * f64::from(rate)) as u32;
            (0..ticks).for_each(|_| scene.step(&what));
            let (hero, load) = (scene.at(scene.hero), scene.at(scene.load));
            let crest = f64::from(hill.crest);
            let is_over = load.0 > crest && hero.0 > crest;
            let is_refused =
                scene.refused > 10 && [scene.hero, scene.load].iter().all(|id| scene.world[*id].on_floor());
            // The load may also come out behind a hero that is lower than the slope lifts the load.
            assert!(is_over || is_refused || hero.0 > crest + 2.0, "{}: {load:?} {hero:?}", what());
            (arrived, count) = (arrived + u32::from(is_over), count + 1);
            scene.walk(0);
            (0..rate).for_each(|_| scene.step(&what));
        });
    }
    assert!(3 * arrived > 2 * count, "{arrived} of {count}");
}

/// The crate of the issue: as wide as it and the hero are high, up a slope of 45 degrees, from any distance.
#[test]
fn corner_to_corner_on_a_slope_a_crate_is_pushed_on() {
    for (n, symmetry) in Symmetry::all().enumerate() {
        for height in [1, 3] {
            for (hero, load) in [((0.35, 0.5), (0.5, 0.5)), ((0.2, 0.25), (0.25, 0.25)), ((0.35, 0.375), (0.375, 0.25))]
            {
                let rate = [60, 30, 240, 144][n % 4];
                let shapes = (Shape::aabb(hero.0, hero.1), Shape::aabb(load.0, load.1));
                let hill = Hill::new(1, height, None);
                let mut scene = Scene::new(&hill, shapes, symmetry, rate, walker(8.0));
                let what = || format!("{hero:?} {load:?} {symmetry:?} {rate}");
                scene.walk(127);
                (0..4 * rate).for_each(|_| scene.step(&what));
                let crest = f64::from(hill.crest);
                assert!(scene.at(scene.load).0 > crest && scene.at(scene.hero).0 > crest, "{}", what());
                assert_eq!(scene.at(scene.load).1, f64::from(hill.height) + load.1, "{}", what());
            }
        }
    }
}

/// A door at the crest, as high as the higher of the two. Heroes that reach the crate on the slope.
#[test]
fn what_is_as_high_as_a_door_is_pushed_into_it_up_a_slope() {
    let cases = [
        (Shape::aabb(0.35, 0.5), (0.5, 0.5)),
        (Shape::aabb(0.35, 0.5), (0.25, 0.5)),
        (Shape::aabb(0.35, 0.5), (0.25, 0.25)),
        (Shape::aabb(0.35, 1.0), (0.75, 0.5)),
        (Shape::aabb(0.35, 0.25), (0.125, 0.5)),
        (Shape::aabb(0.35, 0.75), (0.5, 1.0)),
        (Shape::circle(0.5), (0.125, 0.25)),
        (Shape::circle(0.5), (0.2, 0.5)),
        (Shape::circle(1.0), (0.5, 0.5)),
    ];
    let symmetries: Vec<Symmetry> = Symmetry::all().collect();
    let mut turn: usize = 0;
    for (hero, load) in cases {
        let load = Shape::aabb(load.0, load.1);
        let door = (2 * hero.half_units().y.max(load.half_units().y) / ONE) as i32;
        for (wide, height) in [(1, 1), (2, 1), (2, 2)] {
            // A steep slope would lift a wide load above the centre of a round hero.
            if wide == 1 && (hero.is_circle() || load.half_units().x > hero.half_units().y) {
                continue;
            }
            let hill = Hill::new(wide, height, Some(door));
            for (rate, speed) in [(60, 8.0), (30, 8.0), (240, 8.0), (60, 20.3), (144, 3.1)] {
                turn += 1;
                if !turn.is_multiple_of(often(3, 1) as usize) {
                    continue;
                }
                let symmetry = symmetries[turn % 8];
                let mut scene = Scene::new(&hill, (hero, load), symmetry, rate, walker(speed));
                let what = || format!("{wide}:1 {height} {load:?} {hero:?} {symmetry:?} {rate} {speed}");
                scene.walk(127);
                let ticks = ((f64::from(hill.crest) + 14.0) * 2.0 / speed * f64::from(rate)) as u32;
                (0..ticks).for_each(|_| scene.step(&what));
                let (hero, load) = (scene.at(scene.hero), scene.at(scene.load));
                let inside = f64::from(hill.crest) + 3.0;
                assert!(hero.0 > inside && load.0 > inside, "{}: {load:?} {hero:?}", what());
            }
        }
    }
}

/// It is pulled in by a hero that goes ahead, and keeps its distance to the unit once both are in.
#[test]
fn what_is_as_high_as_a_door_is_pulled_into_it_up_a_slope() {
    for (n, symmetry) in Symmetry::all().enumerate() {
        for (hero, load) in [((0.35, 0.5), (0.5, 0.5)), ((0.35, 0.5), (0.25, 0.25)), ((0.35, 0.25), (0.25, 0.5))] {
            let hill = Hill::new(2, 1 + n as i32 % 2, Some(1));
            let rate = [60, 30, 240, 144][n % 4];
            let (hero, load) = (Shape::aabb(hero.0, hero.1), Shape::aabb(load.0, load.1));
            let mut scene = Scene::new(&hill, (hero, load), symmetry, rate, walker(4.0));
            let what = || format!("{hero:?} {load:?} {symmetry:?} {rate}");
            let beside =
                units(at(-3.5, load).units().x + hero.half_units().x + load.half_units().x, hero.half_units().y);
            scene.world.teleport(scene.hero, symmetry.position(beside)).unwrap();
            scene.step(&what);
            scene.world.grab(scene.hero, scene.load).unwrap();
            scene.walk(127);
            (0..6 * rate).for_each(|_| scene.step(&what));
            let inside = f64::from(hill.crest) + 3.0;
            let (hero, load) = (scene.at(scene.hero), scene.at(scene.load));
            assert!(hero.0 > inside && load.0 > inside, "{}: {load:?} {hero:?}", what());
        }
    }
}

/// A door that is a unit too low stops it, and the hero is told in each tick.
#[test]
fn what_is_a_unit_too_high_for_a_door_is_refused() {
    for (n, symmetry) in Symmetry::all().enumerate() {
        for wide in [1, 2] {
            let hill = Hill::new(wide, 1, Some(1));
            let rate = [60, 30, 240, 144][n % 4];
            let load = Shape::aabb_units([ONE / 4, ONE / 2 + 1]);
            let mut scene = Scene::new(&hill, (Shape::aabb(0.35, 0.5), load), symmetry, rate, walker(8.0));
            let what = || format!("{symmetry:?} {rate} {wide}");
            scene.walk(127);
            (0..3 * rate).for_each(|_| scene.step(&what));
            assert!(scene.refused > rate / 2, "{}: {:?} {:?}", what(), scene.at(scene.load), scene.at(scene.hero));
            assert!(scene.at(scene.load).0 < f64::from(hill.crest), "{}", what());
        }
    }
}

/// What stops the row is a wall, its mass, a body that leaves no way, a step, or a slope that is too steep: the hero is
/// told in each tick.
#[test]
fn whatever_stops_a_row_the_push_is_refused() {
    type Paint = fn(&mut Canvas);
    let obstacles: [(&str, Paint, f64); 5] = [
        ("a wall", |canvas| canvas.blocks((0, 0), (0, 3)), 1.0),
        ("a step", |canvas| canvas.paint((0, 0), "half_slab"), 1.0),
        ("a steep slope", |canvas| canvas.paint((0, 0), "half_slope_low m r3"), 1.0),
        ("mass", |_| {}, 7.0),
        ("a lintel", |canvas| canvas.blocks((0, 1), (0, 3)), 1.0),
    ];
    for (name, paint, mass) in obstacles {
        for (n, symmetry) in Symmetry::all().enumerate() {
            for hero in [Shape::aabb(0.35, 0.45), Shape::circle(0.45)] {
                let mut canvas = Canvas::default();
                canvas.blocks((-14, -2), (6, -1));
                paint(&mut canvas);
                let hill = Hill { canvas, crest: 0, height: 0 };
                let rate = [60, 30, 240, 144][n % 4];
                let load = Shape::aabb_units([ONE / 2, ONE / 2 + 1]);
                let mut scene = Scene::new(&hill, (hero, load), symmetry, rate, walker(8.0));
                scene.world.despawn(scene.load).unwrap();
                let load = Body::new(symmetry.shape(load)).at(symmetry.position(at(-3.5, load))).mass(mass);
                scene.load = scene.world.spawn(load.friction(0.6).collision_mask(CollisionLayers::ALL)).unwrap();
                let what = || format!("{name} {hero:?} {symmetry:?} {rate}");
                scene.walk(127);
                (0..3 * rate).for_each(|_| scene.step(&what));
                assert!(scene.refused > rate, "{}: {} {:?}", what(), scene.refused, scene.at(scene.load));
            }
        }
    }
}

/// What a random hill is made of, and what is on it.
struct Wild {
    world: World,
    ids: Vec<BodyId>,
    right: DVec2,
    symmetry: Symmetry,
}

impl Wild {
    fn new(random: &mut Random) -> Wild {
        let symmetries: Vec<Symmetry> = Symmetry::all().collect();
        let symmetry = random.pick(&symmetries);
        let mut canvas = Canvas::default();
        let (mut x, mut height) = (-8, 0);
        let mut tops = Vec::new();
        while x < 8 {
            let before = height;
            let part: &[(i32, &str)] = match random.below(7) {
                0 => &[(0, "slope_45")],
                1 if height > 0 => &[(-1, "slope_45 r1")],
                2 => &[(0, "half_slope_low"), (0, "half_slope_high")],
                3 if height > 0 => &[(-1, "half_slope_high m"), (-1, "half_slope_low m")],
                _ => &[],
            };
            for (off, name) in part {
                canvas.blocks((x, -2), (x, height + off - 1));
                canvas.paint((x, height + off), name);
                x += 1;
            }
            height = match part.first() {
                Some((0, _)) => before + 1,
                Some(_) => before - 1,
                None => before,
            };
            for _ in 0..random.below(3) + u64::from(part.is_empty()) {
                canvas.blocks((x, -2), (x, height - 1));
                tops.push((x, height));
                x += 1;
            }
            // Some places get a door of one or two tiles.
            if let (true, Some((at, top))) = (random.one_in(4), tops.last().copied()) {
                let door = random.between(1, 2) as i32;
                canvas.blocks((at, top + door), (at, top + door + 1));
            }
        }
        canvas.blocks((-9, -2), (-9, 12));
        canvas.blocks((x, -2), (x, 12));
        let rate = random.pick(&[60, 60, 30, 240, 120]);
        let mut world = World::new(canvas.map(symmetry), symmetry.settings().tick(1.0 / f64::from(rate)));
        let mover = Terrain::bake(&canvas.map(symmetry));
        let mut ids = Vec::new();
        let sizes = [0.5, 0.5, 0.25, 0.375, 0.75, 0.35, 0.45, 0.123];
        for n in 0..3 + random.below(3) {
            let (wide, high) = (random.pick(&sizes), random.pick(&sizes));
            let shape = if random.one_in(4) { Shape::circle(wide) } else { Shape::aabb(wide, high) };
            let place = random.pick(&tops);
            let any = random.range(0.0, 1.0);
            let column = (f64::from(place.0) + random.pick(&[0.5, 0.25, any])) * ONE as f64;
            let place = units(column.floor() as i64, i64::from(place.1) * ONE + shape.half_units().y);
            let body = Body::new(symmetry.shape(shape)).at(symmetry.position(place));
            let body = body.friction(random.pick(&[0.6, 0.6, 0.0, 1.0])).mass(random.pick(&[1.0, 1.0, 0.5, 3.0]));
            let body = body.collision_mask(CollisionLayers::ALL);
            let character =
                Character { max_push_mass: random.pick(&[5.0, 5.0, 1.0]), ..walker(random.pick(&[8.0, 3.0, 20.0])) };
            let body = if n < 1 + random.below(2) { body.character(character) } else { body };
            let is_free = !Mover::new(&mover).overlaps(symmetry.shape(shape), symmetry.position(place));
            if is_free {
                ids.push(world.spawn(body).unwrap());
            }
        }
        let up = symmetry.velocity(DVec2::Y);
        Wild { world, ids, right: DVec2::new(up.y, -up.x), symmetry }
    }

    fn steer(&mut self, random: &mut Random) {
        for id in &self.ids {
            if self.world[*id].character().is_none() || !random.one_in(30) {
                continue;
            }
            let walk = random.pick(&[127, 127, -127, 0, 60]);
            let input = Input { walk: self.symmetry.walk(walk), jump: random.one_in(6), ..Input::default() };
            self.world.set_input(*id, input);
            let other = random.pick(&self.ids);
            if random.one_in(3) {
                // Usually the other body is not within reach.
                let _ = self.world.grab(*id, other);
            } else {
                let _ = self.world.release(other, (0.0, 0.0));
            }
        }
    }
}

#[test]
fn nothing_hangs_in_the_air_on_random_hills() {
    let (mut broken, mut steps, mut refused) = (Vec::new(), 0_u64, 0_u64);
    let seeds = seeds(100, 8_001);
    for seed in seeds.clone() {
        let mut random = Random(mix(seed ^ 0x8111));
        let mut wild = Wild::new(&mut random);
        let mut hanging = Hanging::default();
        for tick in 0..240 {
            wild.steer(&mut random);
            let earlier = wild.world.clone();
            wild.world.step();
            let (world, gravity) = (&wild.world, wild.world.settings().gravity);
            steps += wild.ids.len() as u64;
            let shown = |id: BodyId| format!("{:?} {:?}", world[id].shape(), world[id]);
            let hung = wild.ids.iter().find(|id| hanging.hangs(&earlier, world, **id, gravity));
            if let Some(id) = hung {
                broken.push(format!("seed {seed} tick {tick} hangs: {}", shown(*id)));
                break;
            }
            let idle = |id: &&BodyId| {
                let is_told = is_refused(world, **id);
                !is_told && walks_against(&earlier, world, **id, wild.right).is_some()
            };
            refused += wild.ids.iter().filter(|id| is_refused(world, **id)).count() as u64;
            if let Some(id) = wild.ids.iter().find(idle) {
                broken.push(format!("seed {seed} tick {tick} is not told: {}", shown(*id)));
                break;
            }
        }
    }
    println!("{steps} body-steps, {refused} refused");
    assert!(broken.is_empty(), "{} of {seeds:?}:\n{}", broken.len(), broken.join("\n"));
    if seeds.end - seeds.start >= 100 {
        assert!(refused > 30, "{refused}");
    }
}

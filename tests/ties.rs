//! A box whose corner is exactly where a surface ends, and squeezed bodies: only touched surfaces stop a body, and a
//! body that does not move sends no events.

use crate::prelude::*;
use crate::table::Run;
use surefoot_geometry::exact::tolerance::TOUCH;

/// The default gravity, in tiles per second squared.
const GRAVITY: f64 = 40.0;

/// Rounding of a position per tick and axis, in tiles: a step of the tangent and a unit.
const PLACE_ROUNDING: f64 = 8.0 / ONE as f64;

/// Error of f64 for a velocity of some tiles per second.
const SPEED_ROUNDING: f64 = 1e-9;

/// Largest part of a velocity that may point into a surface by rounding.
const INTO_ROUNDING: f64 = 1e-6;

/// A slope of 45 degrees whose upper end is at (4, 2), and a flat floor from there on.
fn crest() -> Canvas {
    Canvas::rows(&[".......", ".......", ".......", ".../###", "#######"], "")
}

/// A box with its lower right corner exactly at the upper end of the slope.
const ON_CREST: (f64, f64) = (3.5, 2.5);

fn to_position((x, y): (f64, f64)) -> Position {
    Position::new(x, y).expect("test places are in range")
}

/// Returns the normals and positions of the surfaces that a body hit in the last tick.
fn hits(world: &Run, id: BodyId) -> Vec<(DVec2, Position)> {
    let events = world.events().iter().filter(|event| event.body == id);
    events
        .filter_map(|event| match event.kind {
            EventKind::HitTile { normal, position, .. } => Some((normal, position)),
            _ => None,
        })
        .collect()
}

fn contacts(world: &Run, id: BodyId) -> Vec<DVec2> {
    world.contacts(id).iter().map(|contact| contact.normal).collect()
}

fn is_same(a: DVec2, b: DVec2) -> bool {
    (a - b).length() < SPEED_ROUNDING
}

/// A body on the crest, in a way to play it.
fn on_crest(how: &Way, at: (f64, f64), body: Body) -> (Run, BodyId) {
    let mut world = how.world(&crest(), Settings::default());
    let id = world.spawn(body.at(to_position(at))).unwrap();
    (world, id)
}

#[test]
fn a_box_with_its_corner_at_the_upper_end_of_a_slope_slides_down_as_far_as_friction_lets_it() {
    let slope = DVec2::new(-1.0, 1.0).normalize();
    all_ways(|how| {
        for friction in [0.0, 0.05, 0.5, 0.9, 1.0] {
            let (mut world, id) = on_crest(how, ON_CREST, Body::new(Shape::aabb(0.5, 0.5)).friction(friction));
            for tick in 1..=12 {
                world.step();
                let what = format!("friction {friction} tick {tick}");
                assert!(world.events().is_empty(), "{what}: {:?}", world.events());
                // On 45 degrees, gravity accelerates by g / sqrt 2, and friction takes its fraction of that. On each
                // axis, the result is divided by sqrt 2 once more.
                let time = f64::from(tick) * TICK;
                let way = GRAVITY / 4.0 * (1.0 - friction) * time * time;
                let at = world[id].position().to_dvec2();
                let expected = DVec2::from(ON_CREST) - DVec2::splat(way);
                assert!(
                    (at - expected).abs().max_element() <= f64::from(tick) * PLACE_ROUNDING,
                    "{what}: {at} {expected}"
                );
                assert_eq!(contacts(&world, id).len(), 1, "{what}");
                assert!(is_same(contacts(&world, id)[0], slope), "{what}");
            }
        }
    });
}

#[test]
fn a_box_dropped_on_the_upper_end_of_a_slope_hits_the_slope() {
    let slope = DVec2::new(-1.0, 1.0).normalize();
    // After a fall of 1 tile, the speed is the square root of 2 g.
    let speed = (2.0 * GRAVITY).sqrt();
    all_ways(|how| {
        for (friction, bounce) in [0.0, 0.05, 0.5, 0.9, 1.0].map(|f| (f, 0.0)).into_iter().chain([(0.0, 0.5)]) {
            let body = Body::new(Shape::aabb(0.5, 0.5)).friction(friction);
            let body = if bounce > 0.0 { body.bounce(bounce) } else { body };
            let (mut world, id) = on_crest(how, (ON_CREST.0, ON_CREST.1 + 1.0), body);
            let mut all = vec![];
            for tick in 0..20 {
                let what = format!("friction {friction} bounce {bounce} tick {tick}");
                world.step();
                let struck = hits(&world, id);
                let velocity = world[id].velocity();
                if let Some((_, position)) = struck.first() {
                    let at = position.to_dvec2();
                    assert!((at - DVec2::from(ON_CREST)).abs().max_element() <= PLACE_ROUNDING, "{what}: {at}");
                    if bounce > 0.0 {
                        // Half of the speed is along the slope, half into it. Half of the latter comes back.
                        assert!((velocity.x + 0.75 * speed).abs() < SPEED_ROUNDING * speed, "{what}: {velocity}");
                    }
                }
                all.extend(struck);
                if bounce == 0.0 && !all.is_empty() {
                    let at = world[id].position().to_dvec2();
                    assert!((at.x - at.y - 1.0).abs() <= 20.0 * PLACE_ROUNDING, "{what}: {at} is off the slope");
                    assert!(contacts(&world, id).iter().any(|n| is_same(*n, slope)), "{what}");
                    assert_eq!(velocity == DVec2::ZERO, friction == 1.0, "{what}: {velocity}");
                }
            }
            assert_eq!(all.len(), 1, "friction {friction} bounce {bounce}: {all:?}");
            assert!(is_same(all[0].0, slope), "{all:?}");
        }
    });
}

#[test]
fn a_box_that_crosses_the_upper_end_of_a_slope_sideways_continues_along_the_floor() {
    all_ways(|how| {
        for speed in [0.01, 0.25, 0.5, 1.0, 5.0, 60.0] {
            let body = Body::new(Shape::aabb(0.5, 0.5)).velocity(DVec2::new(speed, 0.0));
            let (mut world, id) = on_crest(how, ON_CREST, body);
            for tick in 1..=3 {
                world.step();
                let what = format!("speed {speed} tick {tick}");
                let at = world[id].position();
                let expected = DVec2::new(ON_CREST.0 + f64::from(tick) * speed * TICK, ON_CREST.1);
                if expected.x > 6.5 {
                    break;
                }
                assert_eq!(at.units().y, to_position(ON_CREST).units().y, "{what}: a hop");
                assert!((at.to_dvec2().x - expected.x).abs() <= f64::from(tick) * PLACE_ROUNDING, "{what}: {at}");
                assert!(tick == 1 || world.events().is_empty(), "{what}: {:?}", world.events());
                assert!(is_same(contacts(&world, id)[0], DVec2::Y), "{what}");
            }
        }
    });
}

#[test]
fn a_box_that_stops_dead_at_the_upper_end_of_a_slope_touches_what_stopped_it() {
    all_ways(|how| {
        // A box that moves right and down reaches the floor. A box at rest is pulled into the slope by gravity.
        let velocity = DVec2::new(0.25, -1.0);
        let body = Body::new(Shape::aabb(0.5, 0.5)).velocity(velocity).response(Response::Stop);
        let (mut world, id) = on_crest(how, ON_CREST, body);
        world.step();
        let [(normal, _)] = hits(&world, id)[..] else { panic!("{:?}", world.events()) };
        assert!(is_same(normal, DVec2::Y), "{normal}");
        assert!(contacts(&world, id).iter().any(|n| is_same(*n, normal)));
        for tick in 0..10 {
            world.step();
            assert!(world.events().is_empty(), "tick {tick}: {:?}", world.events());
            assert_eq!(world[id].position(), to_position(ON_CREST), "tick {tick}");
        }
    });
}

#[test]
fn friction_moves_no_box_further_over_the_upper_end_of_a_slope() {
    all_ways(|how| {
        for (speed, friction) in [(0.01, 0.05), (0.01, 0.5), (0.01, 1.0), (0.25, 0.5), (1.0, 0.9)] {
            let body = Body::new(Shape::aabb(0.5, 0.5)).velocity(DVec2::new(speed, 0.0));
            let (mut world, id) = on_crest(how, ON_CREST, body.friction(friction));
            for tick in 1..=3 {
                world.step();
                let what = format!("speed {speed} friction {friction} tick {tick}");
                let at = world[id].position();
                assert_eq!(at.units().y, to_position(ON_CREST).units().y, "{what}");
                let way = at.to_dvec2().x - ON_CREST.0;
                assert!(way > 0.0 && way <= f64::from(tick) * (speed * TICK + PLACE_ROUNDING), "{what}: {way}");
            }
        }
    });
}

#[test]
fn a_box_without_friction_a_unit_above_the_foot_of_a_slope_lands_without_velocity() {
    let canvas = Canvas::rows(&["......", "......", "..12##", "######"], "");
    all_ways(|how| {
        let mut world = how.world(&canvas, Settings::default());
        // The slope of 1:2 starts at (2, 1): the lower right corner is on it, a unit up.
        let foot = units(2 * ONE + 2, ONE + 1);
        let at = foot + I64Vec2::new(-ONE / 2, ONE / 2);
        let id = world.spawn(Body::new(Shape::aabb(0.5, 0.5)).at(at)).unwrap();
        for tick in 0..10 {
            world.step();
            assert_eq!(world[id].velocity(), DVec2::ZERO, "tick {tick}");
            assert!((world[id].position() - at).abs().max_element() <= TOUCH, "tick {tick}");
        }
    });
}

#[test]
fn a_box_between_a_steep_slope_and_the_end_of_a_floor_rests_on_that_floor() {
    let mut canvas = Canvas::default();
    canvas.paint((0, 0), "half_slope_high r1");
    canvas.paint((1, 0), "beam r1");
    let half = DVec2::new(0.1875, 0.25);
    // The slope descends at 2:1 from (0.5, 1), and the floor starts at (1, 0.75): the lower corners of the box reach
    // both at once.
    let rest = DVec2::new(1.0 - half.x, 0.75 + half.y);
    all_ways(|how| {
        for friction in [0.0, 0.5] {
            let what = format!("friction {friction}");
            let mut world = how.world(&canvas, Settings::default());
            let shape = Shape::aabb(half.x, half.y);
            let at = to_position((rest.x, rest.y + 0.25));
            let id = world.spawn(Body::new(shape).at(at).friction(friction)).unwrap();
            for tick in 0..60 {
                world.step();
                assert!(tick < 20 || world.events().is_empty(), "{what} tick {tick}: {:?}", world.events());
            }
            let at = world[id].position().to_dvec2();
            assert!((at - rest).abs().max_element() <= PLACE_ROUNDING, "{what}: {at}");
            assert_eq!(world[id].velocity(), DVec2::ZERO, "{what}");
            assert!(world[id].on_floor(), "{what}");
            assert!(contacts(&world, id).iter().any(|n| is_same(*n, DVec2::Y)), "{what}");
        }
    });
}

#[test]
fn a_circle_between_a_wall_and_a_corner_next_to_its_middle_sends_no_events() {
    let mut canvas = Canvas::default();
    canvas.blocks((-1, 0), (-1, 2));
    // The upper left corner of the slab is at (0.5, 1).
    canvas.paint((0, 0), "half_slab r3");
    all_ways(|how| {
        for bounce in [0.0, 0.8] {
            let mut world = how.world(&canvas, Settings::default());
            let radius = ONE / 2 - 1;
            let at = units(radius, ONE + radius);
            let body = Body::new(Shape::circle_units(radius)).at(at);
            let id = world.spawn(if bounce > 0.0 { body.bounce(bounce) } else { body }).unwrap();
            for tick in 0..600 {
                world.step();
                let what = format!("bounce {bounce} tick {tick}");
                assert!(tick == 0 || world.events().is_empty(), "{what}: {:?}", world.events());
                assert_eq!(world[id].position(), at, "{what}");
                assert_eq!(world[id].velocity(), DVec2::ZERO, "{what}");
            }
        }
    });
}

#[test]
fn a_box_that_comes_to_rest_reports_only_hits_of_touched_tiles() {
    let mut canvas = Canvas::default();
    canvas.paint((0, 0), "tunnel");
    // The underside of the slope rises to the right from (0, 1.5). The box, as high as the gap, touches only the tip
    // there.
    canvas.paint((0, 1), "half_slope_low r2");
    let mut world = World::new(canvas.map(Symmetry(Placement::default())), Settings::default());
    let half = (0.1875, 0.25);
    let body = Body::new(Shape::aabb(half.0, half.1)).at((half.0, 1.0 + half.1)).velocity((-1.0, -1.0));
    let mut bodies = [Watched::spawn(&mut world, body, (0.5, 0.9), String::from("between a tunnel and a slope"))];
    check_for(&mut world, &mut bodies, 10);
    assert!(bodies[0].still > 5);
}

/// Returns whether surfaces can hold a body against gravity without friction: a flat floor, or two surfaces that lean
/// to both sides and leave no gap between them.
fn can_rest_on(contacts: &[DVec2]) -> bool {
    let level = contacts.iter().any(|n| n.x == 0.0 && n.y > 0.0);
    let between = |a: &DVec2, b: &DVec2| a.x < 0.0 && b.x > 0.0 && a.y * b.x - b.y * a.x > 0.0;
    level || contacts.iter().any(|a| contacts.iter().any(|b| between(a, b)))
}

/// A body with its state of the last ticks.
struct Watched {
    id: BodyId,
    what: String,
    friction: f64,
    bounces: bool,
    position: Position,
    velocity: DVec2,
    /// Number of ticks without motion.
    still: u32,
}

impl Watched {
    fn spawn(world: &mut World, body: Body, (friction, bounce): (f64, f64), what: String) -> Watched {
        let bounces = bounce > 0.0;
        let body = if bounces { body.bounce(bounce) } else { body };
        let id = world.spawn(body.friction(friction)).unwrap();
        Watched {
            id,
            what,
            friction,
            bounces,
            position: world[id].position(),
            velocity: world[id].velocity(),
            still: 0,
        }
    }

    /// Checks the laws of a tick for a body.
    fn check(&mut self, world: &World, events: &[EventKind]) {
        let state = &world[self.id];
        let (position, velocity) = (state.position(), state.velocity());
        let what = || {
            let Watched { what, position: before, velocity: had, .. } = &*self;
            format!("{what}: from {before:?} by {} at {had}, then {velocity}, {events:?}", position - *before)
        };
        let contacts: Vec<DVec2> = world.contacts(self.id).iter().map(|contact| contact.normal).collect();
        let is_near = |at: &Position| (*at - position).abs().max_element() <= TOUCH;
        let stays = position == self.position && state.path().iter().all(is_near);
        if stays && self.still > 0 {
            assert!(events.is_empty(), "an event of a body that does not move, {}", what());
            let into = contacts.iter().map(|n| -n.dot(velocity)).fold(0.0, f64::max);
            assert!(
                into <= INTO_ROUNDING * velocity.length(),
                "a velocity into what stops it, {contacts:?} {}",
                what()
            );
        }
        if stays && self.still > 0 && self.friction == 0.0 && velocity == DVec2::ZERO {
            assert!(can_rest_on(&contacts), "it hangs, {contacts:?} {}", what());
        }
        if velocity == DVec2::ZERO {
            for kind in events {
                let EventKind::HitTile { normal, position: at, .. } = kind else { continue };
                let touched = *at != position || contacts.iter().any(|n| is_same(*n, *normal));
                assert!(touched, "what stopped it is not what it touches, {contacts:?} {}", what());
            }
        }
        if self.velocity == DVec2::ZERO && !self.bounces {
            assert!(position.units().y <= self.position.units().y, "it moves up from rest, {}", what());
        }
        self.still = if stays { self.still + 1 } else { 0 };
        (self.position, self.velocity) = (position, velocity);
    }
}

/// Steps a world and checks the laws for all its bodies.
fn check_for(world: &mut World, bodies: &mut [Watched], ticks: u32) {
    let mut of_body = vec![];
    for _ in 0..ticks {
        world.step();
        let mut events = world.events().iter().peekable();
        for watched in &mut *bodies {
            of_body.clear();
            while let Some(event) = events.next_if(|event| event.body == watched.id) {
                of_body.push(event.kind);
            }
            watched.check(world, &of_body);
        }
    }
}

/// Boxes dropped with a lower corner exactly over each end of each side of two neighbouring tiles.
struct Pairs {
    catalogue: Arc<Catalogue>,
    /// Offset from the first tile to the second.
    apart: (i32, i32),
    /// The test checks one in this many placements.
    every: u64,
    random: Random,
    looked_at: u32,
}

impl Pairs {
    /// Number of cells from a pair to the next.
    const STRIDE: i32 = 6;

    const COLUMNS: i32 = 10;

    /// Checks all pairs with one variant as the first, in one world.
    fn check(&mut self, first: VariantId) {
        let mut canvas = Canvas::of(&self.catalogue);
        for (number, second) in (0..).zip(variants(&self.catalogue)) {
            let (x, y) = (number % Self::COLUMNS * Self::STRIDE, number / Self::COLUMNS * Self::STRIDE);
            canvas.put((x, y), first);
            canvas.put((x + self.apart.0, y + self.apart.1), second);
        }
        let map = canvas.map(Symmetry(Placement::default()));
        let terrain = Terrain::bake(&map);
        let ends: BTreeSet<(i64, i64)> =
            terrain.exposed_faces().flat_map(|face| [face.a, face.b]).map(|at| (at.units().x, at.units().y)).collect();
        let mut world = World::with_terrain(map, terrain, Settings::default());
        let mut bodies = vec![];
        // The boxes rest next to features of the tiles, which are at multiples of a sixteenth, and next to none.
        let halves = [(3, 4), (5, 3)].map(|(x, y)| I64Vec2::new(x * ONE / 16, y * ONE / 16));
        let mut rested = vec![];
        for end in ends {
            for half in halves {
                for (side, gap) in [(-1, 0), (1, 0), (-1, ONE / 16), (1, ONE / 16)] {
                    if self.random.below(self.every) != 0 {
                        continue;
                    }
                    let at = units(end.0 + side * half.x, end.1 + half.y + gap);
                    let shape = Shape::aabb_units(half);
                    if world.mover().overlaps(shape, at) {
                        continue;
                    }
                    let velocity = self.random.pick(&[
                        (0.0, 0.0),
                        (0.0, 0.0),
                        (0.06, 0.0),
                        (-0.06, 0.0),
                        (1.0, -1.0),
                        (-1.0, -1.0),
                    ]);
                    self.looked_at += 1;
                    let begin = bodies.len();
                    for (friction, bounce) in [(0.0, 0.0), (0.05, 0.0), (0.5, 0.0), (0.9, 0.0), (0.0, 0.5), (0.5, 0.9)]
                    {
                        let body = Body::new(shape).at(at).velocity(velocity);
                        let what = format!(
                            "{}, beside others at {:?}, {half} at {end:?} {side}, gap {gap}, moving {velocity:?}, friction \
                             {friction}, bounce {bounce}",
                            self.catalogue.variant_name(first),
                            self.apart
                        );
                        bodies.push(Watched::spawn(&mut world, body, (friction, bounce), what));
                    }
                    if gap == 0 && velocity == (0.0, 0.0) {
                        rested.push((begin, at));
                    }
                }
            }
        }
        check_for(&mut world, &mut bodies, 1);
        for (begin, at) in rested {
            // The first body has no friction, and the three others have some.
            let moved = |n: usize| {
                let path = world[bodies[begin + n].id].path();
                path.first().map_or(DVec2::ZERO, |to| to_lengths(*to - at))
            };
            let (free, energy_left) = (moved(0), energy(&world, &bodies[begin], at));
            for n in 1..=3 {
                let (way, what) = (moved(n), &bodies[begin + n].what);
                let aside = free.perp_dot(way).abs();
                assert!(
                    aside <= PLACE_ROUNDING * free.length(),
                    "friction turns it to {way} instead of {free}: {what}"
                );
                let along = free.dot(way);
                assert!(
                    along >= 0.0 && way.length() <= free.length() + PLACE_ROUNDING,
                    "{way} instead of {free}: {what}"
                );
                let left = energy(&world, &bodies[begin + n], at);
                assert!(
                    left <= energy_left.max(0.0) + GRAVITY * PLACE_ROUNDING,
                    "friction adds energy, {left}: {what}"
                );
            }
        }
        check_for(&mut world, &mut bodies, 12);
    }
}

/// Kinetic and potential energy after the tick minus that of the body at rest before it, per unit of mass.
fn energy(world: &World, body: &Watched, before: Position) -> f64 {
    let state = &world[body.id];
    state.velocity().length_squared() / 2.0 + GRAVITY * to_lengths(state.position() - before).y
}

#[test]
fn boxes_over_the_ends_of_the_sides_of_all_neighbours_slide_off_or_rest_on_what_they_touch() {
    for catalogue in catalogues() {
        for apart in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let every = u64::from(often(400, 4));
            let mut pairs = Pairs { catalogue: catalogue.clone(), apart, every, random: Random(0x71E5), looked_at: 0 };
            for first in variants(&catalogue) {
                pairs.check(first);
            }
            assert!(pairs.looked_at > 500, "{} placements", pairs.looked_at);
        }
    }
}

#[test]
fn a_body_as_high_as_a_tunnel_bounces_off_nothing_but_slides_through_it() {
    let canvas = Canvas::rows(&["##########", "..........", "##########"], "");
    all_ways(|how| {
        for shape in [Shape::circle(0.5), Shape::aabb(0.5, 0.5), Shape::circle_units(ONE / 2 - 1)] {
            for (bounce, along) in [(0.3, 0.0), (0.8, 2.0), (1.0, 0.0), (1.0, -2.0)] {
                let what = format!("{shape:?} bounce {bounce} along {along}");
                let velocity = DVec2::new(along, 5.0);
                let mut world = how.world(&canvas, Settings::default());
                let at = to_position((5.0, 1.5));
                let id = world.spawn(Body::new(shape).at(at).velocity(velocity).bounce(bounce)).unwrap();
                world.step();
                assert!(!hits(&world, id).is_empty(), "{what}");
                for tick in 2..60 {
                    world.step();
                    assert!(world.events().is_empty(), "{what} tick {tick}: {:?}", world.events());
                    let velocity = world[id].velocity();
                    assert!(is_same(velocity, DVec2::new(along, 0.0)), "{what} tick {tick}: {velocity}");
                    let at = world[id].position().to_dvec2();
                    let expected = 5.0 + f64::from(tick) * along * TICK;
                    let rounding = f64::from(tick) * PLACE_ROUNDING;
                    assert!((at.x - expected).abs() <= rounding, "{what} tick {tick}: {at}, not {expected}");
                }
            }
        }
    });
}

#[test]
fn a_bouncing_body_that_does_not_move_sends_no_events() {
    let runs = if long() { 1000 } else { 25 };
    let catalogue = Catalogue::builtin();
    let all = variants(&catalogue);
    let mut random = Random(0xD1);
    let mut rested = 0;
    for run in 0..runs {
        let filled = random.range(0.2, 0.8);
        let square = Square::random(&mut random, 5, filled, &all).walled_in();
        let mut world = World::new(square.map(Symmetry(Placement::default()), (0, 0)), Settings::default());
        let mut bodies = vec![];
        for _ in 0..70 {
            // Gaps are usually multiples of 1/8. Bodies are as wide as a gap, barely narrower, barely wider, or of any
            // width.
            let wide = ONE / 32 * (2 + random.below(29) as i64);
            let less = match random.below(4) {
                0 => 0,
                1 => 1,
                2 => random.below(1000) as i64,
                _ => random.below(ONE as u64 / 500) as i64,
            };
            let shape = Shape::circle_units(wide - less);
            let mut within = || random.below(10 * ONE as u64) as i64 - 5 * ONE;
            let at = units(within(), within());
            let (friction, bounce) = (random.pick(&[0.0, 0.0, 0.3, 0.9]), random.pick(&[0.3, 0.5, 0.8, 0.95, 1.0]));
            let velocity = (random.range(-9.0, 9.0), random.range(-9.0, 9.0));
            if world.mover().overlaps(shape, at) {
                continue;
            }
            let what =
                format!("run {run}, {shape:?} at {at}, moving {velocity:?}, friction {friction}, bounce {bounce}");
            let body = Body::new(shape).at(at).velocity(velocity);
            bodies.push(Watched::spawn(&mut world, body, (friction, bounce), what));
        }
        check_for(&mut world, &mut bodies, 600);
        rested += bodies.iter().filter(|body| body.still > 1).count();
    }
    assert!(rested > 10 * runs, "{rested}");
}

/// Two slopes of 45 degrees that meet at (3, 0) touch a walker one tile wide on both sides. A ball hits it as it starts
/// to walk. The walker must take the slope ahead as its ground and move as it does alone. One difference is allowed:
/// after a hit within a tick, it continues at the speed of that time, instead of its mean speed, which changes the
/// displacement by at most a t^2 / 8.
#[test]
fn a_walker_hit_in_a_valley_climbs_the_side_ahead() {
    let canvas = Canvas::rows(&["......", "#\\../#", "##\\/##"], "");
    for walk in [127, -127] {
        all_ways(|how| {
            let walker =
                Body::new(Shape::aabb(0.5, 0.5)).character(Character::default()).collision_mask(CollisionLayers::ALL);
            let ball = Body::new(Shape::circle(0.05)).bounce(1.0).collision_mask(CollisionLayers::ALL);
            let [alone, met] = [false, true].map(|is_met| {
                let mut world = how.world(&canvas, Settings::default());
                let id = world.spawn(walker.clone().at(to_position((3.0, 1.0)))).unwrap();
                (0..5).for_each(|_| world.step());
                if is_met {
                    let (at, velocity) = (to_position((3.0, 2.25)), DVec2::new(0.0, -60.0));
                    world.spawn(ball.clone().at(at).velocity(velocity)).unwrap();
                }
                world.set_input(id, Input { walk, ..Input::default() });
                let mut hits = 0;
                for _ in 0..6 {
                    world.step();
                    hits += world.events().iter().filter(|event| event.kind.name() == "hit_body").count();
                }
                assert_eq!(hits, if is_met { 2 } else { 0 }, "each of the two tells once");
                let at = world[id].position().to_dvec2();
                assert!(at.y > 1.01 && (at.x - 3.0) * f64::from(walk) > 0.0, "walk {walk} met {is_met}: {at}");
                at
            });
            let error = (alone - met).abs().max_element();
            let more = Character::default().ground_acceleration * TICK * TICK / 8.0;
            assert!(error <= more, "walk {walk}: {alone} and {met}");
        });
    }
}

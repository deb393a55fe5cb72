//! Bodies come to rest in pits, wedges and gaps, and then never move by one unit.

use crate::prelude::*;
use crate::table::Run;

/// Ticks from the first contact with both sides to the last motion.
const SETTLING: u32 = 30;

/// Behaviour of a body in a wedge.
#[derive(Clone, Copy, Debug)]
enum Behaviour {
    /// Slides without friction.
    None,
    Friction,
    Idle,
    /// A character with the stick held to one side, in the scene without a mirror.
    Walk(i8),
    WalkAndJump(i8),
}

struct Wedge {
    name: &'static str,
    canvas: Canvas,
    start: (f64, f64),
    velocity: DVec2,
}

/// Runs one body. It must touch two sides at once, come to rest soon after, and stay.
fn settle(wedge: &Wedge, shape: Shape, will: Behaviour, symmetry: Symmetry, limit: SlopeLimit) {
    let what = format!("{} {shape:?} {will:?} {symmetry:?} {limit:?}", wedge.name);
    let shape = symmetry.shape(shape);
    let up = symmetry.velocity(DVec2::Y);
    let mut world = World::new(wedge.canvas.map(symmetry), symmetry.settings().max_floor_slope(limit));
    let at = symmetry.position(Position::new(wedge.start.0, wedge.start.1).unwrap());
    let mut body = Body::new(shape).at(at).velocity(symmetry.velocity(wedge.velocity));
    match will {
        Behaviour::None => {}
        Behaviour::Friction => body = body.friction(0.7),
        _ => body = body.character(Character::default()),
    }
    let body = world.spawn(body).unwrap();
    assert!(!world.mover().overlaps(shape, at), "{what}: starts inside");
    if let Behaviour::Walk(walk) | Behaviour::WalkAndJump(walk) = will {
        let jump = matches!(will, Behaviour::WalkAndJump(_));
        world.set_input(body, Input { walk: symmetry.walk(walk), jump, ..Input::default() });
    }
    let mut both = None;
    let mut moved = 0;
    for tick in 0.. {
        let before = world[body].position();
        world.step();
        let touches_both = {
            let contacts = world.contacts(body);
            let all: Vec<DVec2> = contacts.iter().map(|contact| contact.normal).collect();
            all.iter().any(|a| all.iter().any(|b| a.dot(*b) < 0.999 && a.dot(up) > 0.0))
        };
        if touches_both && both.is_none() {
            both = Some(tick);
        }
        if world[body].position() != before {
            moved = tick;
            if both.is_some_and(|both| moved > both + SETTLING) {
                panic!(
                    "{what}: both sides touched in tick {both:?}, moves in tick {tick} from {:?} by {} at {} {:?}",
                    before.units(),
                    world[body].position() - before,
                    world[body].velocity(),
                    kinds(&world)
                );
            }
        } else if tick > moved + SETTLING {
            assert!(world.events().is_empty(), "{what}: tick {tick} {:?}", kinds(&world));
        }
        assert!(
            tick < 600 || both.is_some(),
            "{what}: touches both sides never, at {before} {:?}",
            world[body].touching()
        );
        if both.is_some_and(|both| tick > both + SETTLING + 1000) {
            break;
        }
    }
    assert!(world[body].velocity().length() < 1e-6, "{what}: {}", world[body].velocity());
    assert!(!world.mover().overlaps(shape, world[body].position()), "{what}");
}

/// Settles each shape with each behaviour, in all symmetries and with each limit of floors: in the everyday run each
/// limit in a third of the symmetries.
fn settle_all(wedge: &Wedge, shapes: &[Shape], wills: &[Behaviour], limits: &[SlopeLimit]) {
    for (i, (shape, will)) in pairs(shapes.iter().copied(), wills.iter().copied()).enumerate() {
        for ((n, symmetry), (m, limit)) in pairs(Symmetry::all().enumerate(), limits.iter().copied().enumerate()) {
            if (i + n + m).is_multiple_of(often(3, 1) as usize) {
                settle(wedge, shape, will, symmetry, limit);
            }
        }
    }
}

fn limits() -> [SlopeLimit; 3] {
    [(1, 1), (1, 2), (2, 1)].map(|(rise, run)| SlopeLimit::new(rise, run).unwrap())
}

/// A pit with its lowest point at (0, 0) whose sides rise `rise` tiles per tile.
fn pit(rise: i32) -> Canvas {
    let (left, right): (&[&str], &[&str]) = match rise {
        1 => (&["slope_45 r1"], &["slope_45"]),
        _ => (&["half_slope_high r1", "half_slope_low r1"], &["half_slope_high m r3", "half_slope_low m r3"]),
    };
    let mut canvas = Canvas::default();
    canvas.blocks((-7, -1), (6, -1));
    for column in 0..5 {
        canvas.blocks((column, 0), (column, column * rise - 1));
        canvas.blocks((-1 - column, 0), (-1 - column, column * rise - 1));
        for (y, (left, right)) in (column * rise..).zip(left.iter().zip(right)) {
            canvas.paint((-1 - column, y), left);
            canvas.paint((column, y), right);
        }
    }
    for side in [-7, 5] {
        canvas.blocks((side, 0), (side + 1, 5 * rise));
    }
    canvas
}

fn shapes() -> [Shape; 6] {
    [
        Shape::aabb(0.5, 0.4),
        Shape::aabb(0.75, 0.3),
        Shape::circle(0.9),
        Shape::circle(0.625),
        Shape::circle_units(3 * ONE / 5),
        Shape::aabb_units(I64Vec2::new(4 * ONE / 7, ONE / 3)),
    ]
}

const BEHAVIOURS: [Behaviour; 5] =
    [Behaviour::None, Behaviour::Friction, Behaviour::Idle, Behaviour::Walk(127), Behaviour::Walk(-50)];

#[test]
fn a_body_rests_in_a_pit_of_steep_slopes() {
    for x in [0.0, 0.1, -0.1875] {
        let wedge = Wedge { name: "steep pit", canvas: pit(2), start: (x, 4.5), velocity: DVec2::ZERO };
        settle_all(&wedge, &shapes(), &BEHAVIOURS, &limits()[..2]);
    }
}

#[test]
fn a_body_rests_in_a_pit_of_45_degrees() {
    for x in [0.0, 0.1, -0.1875] {
        let wedge = Wedge { name: "pit of 45 degrees", canvas: pit(1), start: (x, 2.5), velocity: DVec2::ZERO };
        // Leave out bodies with a friction of 0.7, which slide, and idle characters that stand on the first slope:
        // neither reaches the other side.
        settle_all(&wedge, &shapes(), &[Behaviour::None], &limits());
        settle_all(&wedge, &shapes(), &[Behaviour::Idle], &limits()[1..2]);
    }
}

#[test]
fn a_body_rests_under_a_slanted_ceiling() {
    let shapes = [
        Shape::aabb(0.25, 0.25),
        Shape::aabb(0.5, 0.375),
        Shape::circle(0.5),
        Shape::circle_units(ONE / 3),
        Shape::aabb_units(I64Vec2::new(ONE / 3, 2 * ONE / 7)),
    ];
    for (name, rows) in [
        ("45 degrees", ["##########", "#....`####", "#.....`###", "#......`##", "##########"]),
        ("1:2", ["##########", "#.56######", "#...56####", "#.....56##", "##########"]),
    ] {
        for velocity in [DVec2::new(3.0, 0.0), DVec2::new(12.0, 0.0), DVec2::new(40.0, -3.0)] {
            let wedge = Wedge { name, canvas: Canvas::rows(&rows, ""), start: (2.0, 1.75), velocity };
            let wills = [Behaviour::None, Behaviour::Walk(127), Behaviour::Walk(30)];
            settle_all(&wedge, &shapes, &wills, &limits());
        }
    }
}

#[test]
fn a_body_rests_in_a_notch_between_round_hills() {
    let canvas = Canvas::rows(&["#....#", "#....#", "#.)(.#", "######"], "");
    for velocity in [DVec2::ZERO, DVec2::new(0.5, 0.0)] {
        let wedge = Wedge { name: "notch", canvas: canvas.clone(), start: (3.0, 2.9), velocity };
        let shapes = [Shape::circle(0.25), Shape::circle(0.5), Shape::circle(0.625), Shape::aabb(0.25, 0.25)];
        settle_all(&wedge, &shapes, &[Behaviour::None], &limits());
    }
}

#[test]
fn a_circle_wider_than_a_gap_rests_on_its_rims() {
    let canvas = Canvas::rows(&["#.....#", "#.....#", "###.###", "###.###", "#######"], "");
    let radii = [3 * ONE / 4, 9 * ONE / 16, 7 * ONE / 8, 3 * ONE / 5];
    // The last circle is one unit too wide. Off the middle, it would jam before it has reached both rims.
    let all = radii.map(|r| [(r, 3.5), (r, 3.4), (r, 3.75)]).concat();
    for (radius, x) in all.into_iter().chain([(ONE / 2 + 1, 3.5)]) {
        let wedge = Wedge { name: "gap", canvas: canvas.clone(), start: (x, 3.95), velocity: DVec2::ZERO };
        // With friction, the circle may stand on the first rim that it touches.
        settle_all(&wedge, &[Shape::circle_units(radius)], &[Behaviour::None], &limits()[..1]);
    }
}

#[test]
fn a_box_as_wide_as_a_gap_and_in_line_with_it_rests_at_its_bottom() {
    let canvas = Canvas::rows(&["#.....#", "#.....#", "###.###", "###.###", "###.###", "#######"], "");
    let wedge = Wedge { name: "shaft", canvas, start: (3.5, 3.25), velocity: DVec2::ZERO };
    let shapes = [Shape::aabb(0.5, 0.5), Shape::aabb(0.5, 0.125), Shape::aabb_units(I64Vec2::new(ONE / 2, ONE / 3))];
    settle_all(&wedge, &shapes, &BEHAVIOURS[..4], &limits()[..1]);
    settle_all(&wedge, &shapes, &[Behaviour::Walk(-1), Behaviour::WalkAndJump(0)], &limits()[..1]);
}

#[test]
fn a_box_wider_than_a_gap_never_falls_into_it() {
    let canvas = Canvas::rows(&["........", "........", "###.####", "###.####", "########"], "");
    let runs = triples([0, 1, 1 << 20], [0.01, 0.5, 8.0, 60.0], [0, 1, 12_345, 1 << 28]);
    all_ways_of(runs, |way, (wider, speed, phase)| {
        let shape = Shape::aabb_units(I64Vec2::new(ONE / 2 + wider, ONE / 2));
        // The body slides, then walks. No tick ends exactly in line.
        for walks in [false, true] {
            let what = format!("wider {wider} speed {speed} phase {phase} walks {walks}");
            let world = way.world(&canvas, Settings::default());
            cross_the_gap(world, shape, speed, phase, walks, &what);
        }
    });
}

/// A box slides or walks to the right along the floor at y 3, over the gap at x 3..4.
fn cross_the_gap(mut world: Run, shape: Shape, speed: f64, phase: i64, walks: bool, what: &str) {
    let off = (speed / 60.0 * ONE as f64) as i64 * 20 + ONE / 999 + phase;
    let start = if speed < 1.0 { 3 * ONE + ONE / 2 - off } else { ONE };
    let mut body = Body::new(shape).at(units(start, 3 * ONE + ONE / 2)).velocity((speed, 0.0));
    if walks {
        body = body.character(Character { walk_speed: speed, ground_acceleration: 1e9, ..Character::default() });
    }
    let body = world.spawn(body).unwrap();
    world.set_input(body, Input::walk(1.0));
    let mut last = start;
    for tick in 0..40 {
        world.step();
        let at = world[body].position().units();
        if at.x > 7 * ONE {
            break;
        }
        assert_eq!(at.y, 3 * ONE + ONE / 2, "{what} tick {tick}");
        let quiet = tick < 2 || kinds(&world).is_empty();
        assert!(world[body].on_floor() && quiet, "{what} tick {tick} {:?}", kinds(&world));
        assert!(at.x > last || tick < 2, "{what} tick {tick}: stopped at {at}");
        last = at.x;
    }
}

#[test]
fn a_body_that_comes_to_rest_in_a_bowl_stays_there() {
    let canvas = Canvas::rows(&["#....#", "#....#", "#.LJ.#", "######"], "");
    let circles = [0.9375, 0.5, 0.25].map(Shape::circle);
    let shapes = circles.into_iter().chain([Shape::aabb(0.5, 0.25), Shape::aabb(0.125, 0.125)]);
    // Without friction, a body may swing for ever.
    all_symmetries_of(pairs(shapes, BEHAVIOURS[1..].iter().copied()), |way, (shape, will)| {
        rest_in_the_bowl(way.world(&canvas, Settings::default()), shape, will);
    });
}

fn rest_in_the_bowl(mut world: Run, shape: Shape, will: Behaviour) {
    let what = format!("{shape:?} {will:?}");
    let mut body = Body::new(shape).at((2.875, 2.98)).velocity((2.0, 0.0));
    match will {
        Behaviour::Friction => body = body.friction(0.7),
        _ => body = body.character(Character::default()),
    }
    let body = world.spawn(body).unwrap();
    if let Behaviour::Walk(walk) = will {
        world.set_input(body, Input { walk, ..Input::default() });
    }
    let mut still = 0;
    for tick in 0..4000 {
        let before = world[body].position();
        world.step();
        let moved = world[body].position() - before;
        assert!(still < SETTLING || moved == I64Vec2::ZERO, "{what} tick {tick}: moves by {moved}");
        still = if moved == I64Vec2::ZERO { still + 1 } else { 0 };
    }
    assert!(still > 1000, "{what}: never rests, at {}", world[body].position());
}

#[test]
fn a_round_character_in_the_mouth_of_a_shaft_as_wide_as_itself_stands_and_jumps_out() {
    let canvas = Canvas::rows(&["#.....#", "#.....#", "#.....#", "###.###", "###.###", "#######"], "");
    all_symmetries(|way| {
        for wider in [0, 1, 1 << 12] {
            // The character starts anywhere but in the exact middle, where it would fall freely.
            for x in [3.507, 3.36, 3.4, 3.55, 3.6, 3.4999] {
                let mut world = way.world(&canvas, Settings::default());
                let body = Body::new(Shape::circle_units(ONE / 2 + wider)).at((x, 3.9)).character(Character::default());
                let body = world.spawn(body).unwrap();
                (0..200).for_each(|_| world.step());
                let (rest, what) = (world[body].position(), format!("{wider} units wider, from {x}"));
                assert!(world[body].on_floor(), "{what}: at {rest} {:?}", world[body].touching());
                for _ in 0..1000 {
                    world.step();
                    assert!(world[body].position() == rest && world.events().is_empty(), "{what}");
                }
                world.set_input(body, Input { jump: true, ..Input::default() });
                world.step();
                let jumped = EventKind::Jumped { from: surefoot::event::JumpFrom::Ground, buffered: false };
                assert_eq!(kinds(&world), [jumped, EventKind::LeftFloor], "{what}");
                assert!(world[body].velocity().y > 10.0, "{what}: {}", world[body].velocity());
            }
        }
    });
}

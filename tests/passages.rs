//! A body that fits into a passage on flat ground enters it from every floor that leads there. A body that does not fit
//! is stopped.

use crate::prelude::*;

/// A floor that leads to the mouth of a passage. The body walks to the right.
#[derive(Clone, Copy)]
struct Approach {
    name: &'static str,
    /// Tiles of the approach from column 0 on. The cells below each are full blocks.
    tiles: &'static [((i32, i32), &'static str)],
    /// Number of columns of these tiles.
    width: i32,
    /// Height of the ground where the walk starts and of the passage's floor, in half tiles.
    start: i32,
    end: i32,
    /// Rise of the steepest floor over a run of 1.
    limit: u16,
}

/// Name, heights before and behind the tiles in half tiles, steepest floor, and the tiles.
type Row = (&'static str, i32, i32, u16, &'static [((i32, i32), &'static str)]);

const APPROACHES: [Row; 18] = [
    ("flat", 0, 0, 1, &[]),
    ("45 up", 0, 2, 1, &[((0, 0), "slope_45")]),
    ("45 down", 2, 0, 1, &[((0, 0), "slope_45 r1")]),
    ("45 up twice", 0, 4, 1, &[((0, 0), "slope_45"), ((1, 1), "slope_45")]),
    ("45 up, one way", 0, 2, 1, &[((0, 0), "one_way_slope_45")]),
    ("45 down, one way", 2, 0, 1, &[((0, 0), "one_way_slope_45 r1")]),
    ("1:2 up", 0, 2, 1, &[((0, 0), "half_slope_low"), ((1, 0), "half_slope_high")]),
    ("1:2 down", 2, 0, 1, &[((0, 0), "half_slope_high m"), ((1, 0), "half_slope_low m")]),
    ("1:2 up, low", 0, 1, 1, &[((0, 0), "half_slope_low")]),
    ("1:2 up, high", 1, 2, 1, &[((0, 0), "half_slope_high")]),
    ("1:2 down, low", 1, 0, 1, &[((0, 0), "half_slope_low m")]),
    ("1:2 down, high", 2, 1, 1, &[((0, 0), "half_slope_high m")]),
    ("bevel up", 1, 2, 1, &[((0, 0), "bevel_block r3")]),
    ("wedge down", 1, 0, 1, &[((0, 0), "corner_wedge")]),
    ("moon up", 0, 2, 20, &[((0, 0), "quarter_moon r3")]),
    ("moon down", 2, 0, 20, &[((0, 0), "quarter_moon")]),
    ("pipe down", 2, 0, 20, &[((0, 0), "quarter_pipe")]),
    ("2:1 up", 0, 4, 2, &[((0, 1), "half_slope_low m r3"), ((0, 0), "half_slope_high m r3")]),
];

fn approaches() -> [Approach; 18] {
    APPROACHES.map(|(name, start, end, limit, tiles)| {
        let width = tiles.iter().map(|((x, _), _)| x + 1).max().unwrap_or(0);
        Approach { name, tiles, width, start, end, limit }
    })
}

/// Material of the passage.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mouth {
    Blocks,
    /// One-way floor and ceiling.
    OneWay,
    /// In front of the passage, a ceiling slopes down to its height.
    SlopedCeiling,
}

/// Number of columns of the passage, and of the open ground behind it.
const LENGTH: i32 = 4;
const BEHIND: i32 = 8;
/// Number of columns of ground in front of the approach.
const BEFORE: i32 = 12;

struct Scene {
    canvas: Canvas,
    /// Column at which the passage starts.
    mouth: i32,
}

/// Fills ground with full blocks up to a height in half tiles.
fn ground(canvas: &mut Canvas, (left, right): (i32, i32), height: i32) {
    canvas.blocks((left, -2), (right, height / 2 - 1));
    if height % 2 == 1 {
        (left..=right).for_each(|x| canvas.paint((x, height / 2), "half_slab"));
    }
}

fn scene(approach: &Approach, mouth: Mouth, tiles: i32, wide: i32) -> Scene {
    let mut canvas = Canvas::default();
    ground(&mut canvas, (-BEFORE, -1), approach.start);
    for &((x, y), name) in approach.tiles {
        ground(&mut canvas, (x, x), 2 * y);
        canvas.paint((x, y), name);
    }
    // A body that moves down must be down before the passage starts.
    let begin = approach.width + if approach.end < approach.start { wide } else { 0 };
    let end = begin + LENGTH;
    ground(&mut canvas, (approach.width, end + BEHIND), approach.end);
    let ceiling = approach.end + 2 * tiles;
    for x in begin..end {
        match mouth {
            Mouth::OneWay => {
                if approach.end % 2 == 0 {
                    canvas.paint((x, approach.end / 2 - 1), "one_way");
                    canvas.paint((x, ceiling / 2), "one_way r2");
                }
            }
            Mouth::Blocks | Mouth::SlopedCeiling => {
                if ceiling % 2 == 1 {
                    canvas.paint((x, ceiling / 2), "half_slab r2");
                }
                let low = (ceiling + 1) / 2;
                canvas.blocks((x, low), (x, low + 1));
            }
        }
    }
    if mouth == Mouth::SlopedCeiling && ceiling % 2 == 0 {
        canvas.paint((begin - 1, ceiling / 2), "slope_45 r3");
    }
    Scene { canvas, mouth: begin }
}

/// The shapes that fill a height, larger by `more` units.
fn shapes(tiles: i32, more: i64) -> [Shape; 4] {
    let half = i64::from(tiles) * ONE / 2 + more;
    let wide = |tiles: f64| Shape::aabb_units(((tiles * ONE as f64) as i64, half));
    [wide(0.35), wide(0.5), wide(1.0), Shape::circle_units(half)]
}

/// The end of a walk to the right: when the body is through, or after more time than that needs.
struct Walked {
    through: bool,
    world: World,
    hero: BodyId,
    /// Events of the last ticks, and whether the body moved in them.
    late: Vec<EventKind>,
    late_moves: u32,
}

fn walk(approach: &Approach, scene: &Scene, shape: Shape, speed: f64, symmetry: Symmetry) -> Walked {
    let settings = symmetry.settings().max_floor_slope(SlopeLimit::new(approach.limit, 1).unwrap());
    let mut world = World::new(scene.canvas.map(symmetry), settings);
    let half = shape.half_units().as_dvec2() / ONE as f64;
    let begin = -half.x - 3.25;
    let feet = i64::from(approach.start) * ONE / 2;
    let at = units((begin * ONE as f64) as i64, feet + shape.half_units().y);
    let character = Character { walk_speed: speed, ground_acceleration: 4.0 * speed, ..Character::default() };
    let hero = world.spawn(Body::new(symmetry.shape(shape)).at(symmetry.position(at)).character(character)).unwrap();
    world.set_input(hero, Input { walk: symmetry.walk(127), ..Input::default() });
    let goal = f64::from(scene.mouth + LENGTH) + half.x;
    let ticks = ((goal - begin + 6.0) / speed * 60.0) as u32 + 60;
    let (mut late, mut late_moves, mut through) = (Vec::new(), 0, false);
    for tick in 0..ticks {
        let before = world[hero].position();
        world.step();
        let at = symmetry.inverse().position(world[hero].position()).to_dvec2();
        through |= at.x > goal;
        if tick + 20 > ticks {
            late.extend(kinds(&world));
            late_moves += u32::from(world[hero].position() != before);
        }
        if through {
            break;
        }
    }
    assert!(!world.mover().overlaps(symmetry.shape(shape), world[hero].position()));
    Walked { through, world, hero, late, late_moves }
}

fn for_each_passage(more: i64, mut see: impl FnMut(&str, Walked)) {
    let mut turn = 0;
    let symmetries: Vec<Symmetry> = Symmetry::all().collect();
    for approach in &approaches() {
        for mouth in [Mouth::Blocks, Mouth::OneWay, Mouth::SlopedCeiling] {
            for tiles in 1..=4 {
                for shape in shapes(tiles, more) {
                    let wide = ((2 * shape.half_units().x + ONE - 1) / ONE) as i32 + 1;
                    let scene = scene(approach, mouth, tiles, wide);
                    let speeds = [8.0, 3.1, 0.77, 20.3, 61.0];
                    for _ in 0..often(1, 16) {
                        turn += 1;
                        let (symmetry, speed) = (symmetries[turn * 3 % 8], speeds[turn % speeds.len()]);
                        let walked = walk(approach, &scene, shape, speed, symmetry);
                        see(&format!("{} {mouth:?} {tiles} {shape:?} {speed} {symmetry:?}", approach.name), walked);
                    }
                }
            }
        }
    }
}

#[test]
fn a_body_that_fits_enters_from_every_floor() {
    for more in [0, -1] {
        let (mut count, mut stopped) = (0, Vec::new());
        for_each_passage(more, |what, walked| {
            count += 1;
            if !walked.through {
                let at = walked.world[walked.hero].position().to_vec2();
                stopped.push(format!("{what}: at {at} {:?}", walked.world[walked.hero].velocity()));
            }
        });
        assert!(stopped.is_empty(), "{more}: {} of {count} do not get through:\n{}", stopped.len(), stopped.join("\n"));
    }
}

/// Pushes to the right. Returns an error with the positions unless hero and load came through.
fn push(approach: &Approach, scene: &Scene, shapes: [Shape; 2], speed: f64, symmetry: Symmetry) -> Result<(), String> {
    let settings = symmetry.settings().max_floor_slope(SlopeLimit::new(approach.limit, 1).unwrap());
    let mut world = World::new(scene.canvas.map(symmetry), settings);
    let feet = i64::from(approach.start) * ONE / 2;
    let body = |shape: Shape, x: f64| {
        let at = units((x * ONE as f64) as i64, feet + shape.half_units().y);
        let body = Body::new(symmetry.shape(shape)).at(symmetry.position(at));
        body.friction(0.6).collision_mask(CollisionLayers::ALL)
    };
    let character =
        Character { walk_speed: speed, ground_acceleration: 4.0 * speed, max_push_mass: 2.0, ..Character::default() };
    let load = world.spawn(body(shapes[1], -4.25)).unwrap();
    let hero = world.spawn(body(shapes[0], -7.5).character(character)).unwrap();
    world.set_input(hero, Input { walk: symmetry.walk(127), ..Input::default() });
    let goal = f64::from(scene.mouth + LENGTH) + 1.5;
    let ticks = ((goal + 16.0) / speed * 120.0) as u32 + 60;
    let at = |world: &World, id: BodyId| symmetry.inverse().position(world[id].position()).to_dvec2();
    for _ in 0..ticks {
        world.step();
        if at(&world, hero).x > goal {
            break;
        }
    }
    let places = [hero, load].map(|id| at(&world, id));
    if places.iter().all(|at| at.x > goal) { Ok(()) } else { Err(format!("{places:?}")) }
}

/// One of the two is as high as the passage, the other one at most as high. The load is so narrow that no slope lifts
/// it above the hero.
#[test]
fn bodies_that_fit_are_pushed_in_up_every_slope() {
    let (mut turn, mut count, mut stopped) = (0, 0, Vec::new());
    let symmetries: Vec<Symmetry> = Symmetry::all().collect();
    // Leave out approaches that lead down: the hero may come to stand on the load, and at running speed both leave
    // steep slopes.
    for approach in approaches().iter().filter(|approach| approach.end >= approach.start) {
        for mouth in [Mouth::Blocks, Mouth::OneWay, Mouth::SlopedCeiling] {
            for tiles in 1..=2 {
                let half = f64::from(tiles) / 2.0;
                let heroes = [(0.35, half), (0.35, half), (0.35, 0.75 * half), (0.5, half)];
                let loads = [(0.125, half), (0.125, 0.5 * half), (0.125, half), (0.125, 0.75 * half)];
                for (hero, load) in heroes.into_iter().zip(loads) {
                    turn += 1;
                    let scene = scene(approach, mouth, tiles, 2);
                    let fastest = if approach.limit > 1 { 8.0 } else { 20.3 };
                    let (symmetry, speed) = (symmetries[turn * 3 % 8], [8.0, 3.1, fastest][turn % 3]);
                    let shapes = [hero, load].map(|(x, y)| Shape::aabb(x, y));
                    count += 1;
                    if let Err(places) = push(approach, &scene, shapes, speed, symmetry) {
                        stopped.push(format!(
                            "{} {mouth:?} {tiles} {shapes:?} {speed} {symmetry:?}: {places}",
                            approach.name
                        ));
                    }
                }
            }
        }
    }
    assert!(stopped.is_empty(), "{} of {count} do not get through:\n{}", stopped.len(), stopped.join("\n"));
}

#[test]
fn a_body_one_unit_too_high_is_stopped() {
    let mut wrong = Vec::new();
    for_each_passage(1, |what, walked| {
        // One-way tiles do not close a passage.
        if what.contains("OneWay") {
            return;
        }
        let state = &walked.world[walked.hero];
        let touching = state.touching();
        let told = touching.wall_left || touching.wall_right || touching.ceiling;
        let stopped = state.velocity() == DVec2::ZERO && walked.late_moves == 0;
        if walked.through || !stopped || !told || !walked.late.is_empty() {
            let late = (walked.late_moves, &walked.late);
            wrong.push(format!("{what}: at {} {} {touching:?} {late:?}", state.position().to_vec2(), state.velocity()));
        }
    });
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

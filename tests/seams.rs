//! A row of tiles moves a body bit for bit as one endless edge does.
//!
//! The witness is an endless line in exact integers. A slide moves by whole steps of the line's shortest integer
//! tangent, as many as fit into the displacement. The gap to the line never changes.

use crate::prelude::*;
use surefoot::motion::MoveResult;

/// Tiles per second.
const SPEEDS: [f64; 4] = [0.01, 5.0, 60.0, 600.0];

/// A straight run of tiles. Its line goes through `through`, with the air on the left of `tangent`, before any
/// symmetry.
struct Run {
    name: &'static str,
    canvas: Canvas,
    /// A lattice point of the line near its start, in units.
    through: I64Vec2,
    /// The shortest integer tangent, in the direction of the edge: to the right.
    tangent: I64Vec2,
    /// Length of the run, in tangents of one tile each.
    length: i64,
}

impl Run {
    fn flat(name: &'static str, tile: &str, count: i32, height: i64) -> Run {
        let mut canvas = Canvas::default();
        for x in 0..count {
            canvas.paint((x, 0), tile);
        }
        let through = I64Vec2::new(0, height * ONE / 16);
        Run { name, canvas, through, tangent: I64Vec2::X, length: i64::from(count) }
    }

    /// 64 tiles of a slope of 45 degrees, with blocks behind them if `backed`.
    fn diagonal(name: &'static str, tile: &str, backed: bool) -> Run {
        let mut canvas = Canvas::default();
        for i in 0..72 {
            canvas.paint((i, i), tile);
            if backed {
                canvas.paint((i + 1, i), "full_block");
            }
        }
        Run { name, canvas, through: I64Vec2::ZERO, tangent: I64Vec2::ONE, length: 72 }
    }

    /// 64 tiles of a slope of 1:2.
    fn shallow() -> Run {
        let mut canvas = Canvas::default();
        for i in 0..36 {
            canvas.paint((2 * i, i), "half_slope_low");
            canvas.paint((2 * i + 1, i), "half_slope_high");
            canvas.paint((2 * i + 2, i), "full_block");
            canvas.paint((2 * i + 3, i), "full_block");
        }
        Run { name: "1:2", canvas, through: I64Vec2::ZERO, tangent: I64Vec2::new(2, 1), length: 36 }
    }

    /// At least 64 tiles of a slope of 1:4.
    fn gentle() -> Run {
        let mut canvas = Canvas::of(&gentle());
        for i in 0..18 {
            for x in 0..4 {
                canvas.paint((4 * i + x, i), &format!("quarter_slope_{}", x + 1));
                canvas.paint((4 * i + x + 4, i), "full_block");
            }
        }
        Run { name: "1:4", canvas, through: I64Vec2::ZERO, tangent: I64Vec2::new(4, 1), length: 18 }
    }

    /// A run of one-way slopes of 1:2.
    fn shallow_ledges() -> Run {
        let mut canvas = Canvas::of(&gentle());
        for i in 0..36 {
            canvas.paint((2 * i, i), "half_slope_ledge_low");
            canvas.paint((2 * i + 1, i), "half_slope_ledge_high");
        }
        Run { name: "1:2, one-way", canvas, through: I64Vec2::ZERO, tangent: I64Vec2::new(2, 1), length: 36 }
    }

    /// Returns a position that touches the line with a gap of at most a unit or two, `along` units of tangent from its
    /// start.
    fn touching(&self, shape: Shape, along: i64) -> I64Vec2 {
        let normal = I64Vec2::new(-self.tangent.y, self.tangent.x);
        let base = self.through + self.tangent * along;
        if shape.is_circle() {
            // A circle is straight above the foot, by r |N| / Ny, rounded away from the line.
            let length = (normal.dot(normal) as f64).sqrt();
            let mut rise = (shape.half_units().x as f64 * length / normal.y as f64) as i64 - 2;
            let square = |v: i64| i128::from(v) * i128::from(v);
            while square(normal.y * rise) < square(shape.half_units().x) * i128::from(normal.dot(normal)) {
                rise += 1;
            }
            base + I64Vec2::new(0, rise)
        } else {
            base + normal.signum() * shape.half_units()
        }
    }
}

fn runs() -> Vec<Run> {
    vec![
        Run::flat("blocks", "full_block", 96, 16),
        Run::flat("half slabs", "half_slab", 96, 8),
        Run::flat("thin slabs", "thin_slab", 96, 2),
        Run::flat("ledges", "one_way", 96, 16),
        Run::flat("tunnels", "tunnel", 96, 16),
        Run::flat("walls", "mid_wall r1", 96, 8),
        Run::diagonal("45 degrees", "slope_45", true),
        Run::diagonal("45 degrees, one-way", "one_way_slope_45", false),
        Run::diagonal("45 degrees, thin", "diagonal_wall", false),
        Run::shallow(),
        Run::shallow_ledges(),
        Run::gentle(),
    ]
}

const SHAPES: [fn() -> Shape; 4] = [
    || Shape::aabb(0.375, 0.5),
    || Shape::circle(0.5),
    || Shape::aabb_units(I64Vec2::new(ONE / 3, 5 * ONE / 7)),
    || Shape::circle_units(ONE / 3),
];

fn is_only(touching: MoveResult<'_>, normal: DVec2) -> bool {
    !touching.contacts().is_empty() && touching.contacts().iter().all(|contact| contact.normal == normal)
}

/// The unit normal of a run in a symmetry, by the same division as in contacts.
fn unit_normal(run: &Run, symmetry: Symmetry) -> DVec2 {
    symmetry.vector(I64Vec2::new(-run.tangent.y, run.tangent.x)).as_dvec2().normalize()
}

/// All symmetries, in the everyday run every third one from `turn` on.
fn some_symmetries(turn: usize) -> impl Iterator<Item = Symmetry> {
    Symmetry::all().skip(if long() { 0 } else { turn % 3 }).step_by(often(3, 1) as usize)
}

#[test]
fn the_mover_slides_over_seams_as_on_one_endless_edge() {
    for (turn, run) in (0..).zip(runs()) {
        let square = run.tangent.dot(run.tangent);
        for symmetry in some_symmetries(turn) {
            let terrain = run.canvas.terrain(symmetry);
            let mover = Mover::new(&terrain);
            let normal = unit_normal(&run, symmetry);
            for shape in SHAPES.map(|shape| shape()) {
                let turned = symmetry.shape(shape);
                for speed in SPEEDS {
                    // The motion goes along the line at that speed, and into the line by half a tick of gravity.
                    let step = (speed * TICK / (square as f64).sqrt() * ONE as f64) as i64;
                    let motion = run.tangent * step - I64Vec2::new(-run.tangent.y, run.tangent.x) * (ONE / 180);
                    for sign in [1, -1] {
                        let motion = if sign > 0 { motion } else { motion - run.tangent * (2 * step) };
                        // Slow bodies start just before a seam: with the centre and with each side.
                        let starts: Vec<i64> = if step * 300 < run.length * ONE {
                            [0, shape.half_units().x, -shape.half_units().x]
                                .map(|side| run.length / 2 * ONE + side - 4 * step)
                                .into()
                        } else {
                            vec![if sign > 0 { 2 * ONE } else { (run.length - 2) * ONE }]
                        };
                        for start in starts {
                            let mut along = start;
                            let mut at = run.touching(shape, along);
                            for tick in 0..often(80, 2000) {
                                along += sign * step;
                                if along < 2 * ONE || along > (run.length - 2) * ONE {
                                    break;
                                }
                                let from = symmetry.vector(at);
                                let moved = mover.slide_units(turned, units(from.x, from.y), symmetry.vector(motion));
                                let what = format_args!(
                                    "{} {symmetry:?} {shape:?} speed {speed} sign {sign} tick {tick} from {at}",
                                    run.name
                                );
                                let end = moved.position.units();
                                if shape.is_circle() && square > 1 {
                                    // A unit of gap closes first, and the steps count from there.
                                    let expected = at + run.tangent * (sign * step);
                                    let off = end - symmetry.vector(expected);
                                    assert!(off.abs().max_element() <= 64, "{what}: off by {off}");
                                } else {
                                    assert_eq!(end, symmetry.vector(at + run.tangent * (sign * step)), "{what}");
                                }
                                assert!(moved.hits.iter().all(|hit| hit.normal == normal), "{what}: {:?}", moved.hits);
                                assert!(is_only(moved, normal), "{what}");
                                // Turn the end back to the scene without the symmetry, for the next tick.
                                at = if shape.is_circle() && square > 1 {
                                    symmetry.inverse().vector(end)
                                } else {
                                    at + run.tangent * (sign * step)
                                };
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A world in which a body is pressed against a run in a symmetry, at its full speed along it.
struct Pressed<'a> {
    run: &'a Run,
    symmetry: Symmetry,
    world: World,
    body: BodyId,
    start: I64Vec2,
}

impl<'a> Pressed<'a> {
    fn new(run: &'a Run, terrain: &Terrain, map: &Map, symmetry: Symmetry, shape: Shape, start: i64, v: f64) -> Self {
        // Gravity points straight into the line, so that it has no part along it.
        let tangent = run.tangent.as_dvec2();
        let normal = DVec2::new(-tangent.y, tangent.x).normalize();
        let gravity = symmetry.velocity(-40.0 * normal);
        let settings = Settings::default().gravity(gravity);
        let mut world = World::with_terrain(map.clone(), terrain.clone(), settings);
        let start = run.touching(shape, start);
        let at = symmetry.vector(start);
        let velocity = symmetry.velocity(tangent.normalize() * v);
        let body = world.spawn(Body::new(symmetry.shape(shape)).at(units(at.x, at.y)).velocity(velocity)).unwrap();
        Pressed { run, symmetry, world, body, start }
    }

    /// Replaces the body by one with friction.
    fn rough(mut self, friction: f64) -> Self {
        let state = &self.world[self.body];
        let body = Body::new(state.shape()).at(state.position()).velocity(state.velocity()).friction(friction);
        self.world.despawn(self.body).unwrap();
        self.body = self.world.spawn(body).unwrap();
        self
    }

    /// Returns the displacement from its start, in the scene without the symmetry.
    fn way(&self) -> I64Vec2 {
        self.symmetry.inverse().vector(self.world[self.body].position().units()) - self.start
    }
}

/// Runs a body along tiles and returns its displacement after each tick. It must hit nothing else and send no events.
fn follow(mut pressed: Pressed<'_>, ticks: u32, what: &str) -> Vec<I64Vec2> {
    let normal = unit_normal(pressed.run, pressed.symmetry);
    let square = pressed.run.tangent.dot(pressed.run.tangent);
    let gravity = pressed.world.settings().gravity;
    let body = pressed.body;
    let first = pressed.world[body].velocity();
    let shape = pressed.world[body].shape();
    let mut ways = vec![I64Vec2::ZERO];
    for tick in 0..ticks {
        let velocity = pressed.world[body].velocity();
        let motion = (velocity + (velocity + gravity * TICK)) * (TICK / 2.0);
        let motion = I64Vec2::new(surefoot_geometry::to_units(motion.x), surefoot_geometry::to_units(motion.y));
        let motion = pressed.symmetry.inverse().vector(motion);
        pressed.world.step();
        let way = pressed.way();
        let made = way - ways[ways.len() - 1];
        assert!(pressed.world.events().is_empty(), "{what} tick {tick}: {:?}", pressed.world.events());
        let expected = pressed.run.tangent * (motion.dot(pressed.run.tangent) / square);
        if shape.is_circle() && square > 1 {
            assert!((made - expected).abs().max_element() <= 64, "{what} tick {tick}: {made} {expected}");
        } else {
            assert_eq!(made, expected, "{what} tick {tick} velocity {velocity}");
        }
        let contacts = pressed.world.contacts(body);
        assert!(!contacts.is_empty(), "{what} tick {tick}: off the line");
        assert!(contacts.iter().all(|contact| contact.normal == normal), "{what} tick {tick}: {:?}", contacts);
        let now = pressed.world[body].velocity();
        assert!((now - first).length() <= 1e-9 * first.length(), "{what} tick {tick}: {first} became {now}");
        ways.push(way);
    }
    ways
}

#[test]
fn bodies_without_friction_slide_over_seams_as_on_one_endless_edge() {
    for (turn, run) in (0..).zip(runs()) {
        for symmetry in some_symmetries(turn) {
            let (map, terrain) = (run.canvas.map(symmetry), run.canvas.terrain(symmetry));
            for shape in SHAPES.map(|shape| shape()) {
                for speed in SPEEDS {
                    let a_tick = speed * TICK / (run.tangent.dot(run.tangent) as f64).sqrt();
                    let room = run.length as f64 - 6.0;
                    let ticks = ((room / a_tick) as u32).min(often(80, 2000));
                    let reach = f64::from(ticks) * a_tick;
                    for sign in [1.0, -1.0] {
                        // The body starts at several places between two seams, so that it reaches seams at different
                        // times.
                        let mut known: Option<Vec<I64Vec2>> = None;
                        for phase in [0, ONE / 3, 12_345, ONE / 2 + 1] {
                            let middle = (run.length as f64 / 2.0 - sign * reach / 2.0) as i64 * ONE;
                            // A slow body starts just before a seam.
                            let before = if a_tick < 0.1 { sign * a_tick * 3.0 } else { 0.0 };
                            let start = middle + phase - (before * ONE as f64) as i64;
                            let what = format!("{} {symmetry:?} {shape:?} {speed} {sign} {phase}", run.name);
                            let pressed = Pressed::new(&run, &terrain, &map, symmetry, shape, start, sign * speed);
                            let ways = follow(pressed, ticks, &what);
                            // An endless edge looks the same from everywhere.
                            let known = known.get_or_insert_with(|| ways.clone());
                            assert_eq!(*known, ways, "{what}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn seams_brake_no_more_than_the_material_does() {
    let (friction, speed) = (0.2, 15.0);
    for (turn, run) in (0..).zip(runs()) {
        for symmetry in some_symmetries(turn) {
            let (map, terrain) = (run.canvas.map(symmetry), run.canvas.terrain(symmetry));
            for shape in SHAPES.map(|shape| shape()) {
                for sign in [1.0, -1.0] {
                    let start = run.length / 2 * ONE + 777;
                    let pressed = Pressed::new(&run, &terrain, &map, symmetry, shape, start, sign * speed);
                    let mut pressed = pressed.rough(friction);
                    for tick in 1..110 {
                        pressed.world.step();
                        let what = format_args!("{} {symmetry:?} {shape:?} {sign} tick {tick}", run.name);
                        let now = pressed.world[pressed.body].velocity().length();
                        let expected = speed - friction * 40.0 * TICK * f64::from(tick);
                        assert!((now - expected).abs() < 1e-9, "{what}: {now}, expected {expected}");
                        assert!(pressed.world.events().is_empty(), "{what}: {:?}", pressed.world.events());
                    }
                }
            }
        }
    }
}

#[test]
fn four_thousand_tiles_of_floor_wall_and_ceiling_are_one() {
    let tiles = 4096 + 16;
    for tile in if long() { vec!["full_block", "one_way"] } else { vec!["full_block"] } {
        let run = Run::flat("4096 tiles", tile, tiles, 16);
        for turns in 0..4 {
            let symmetry = Symmetry(Placement::new(false, turns));
            let (map, terrain) = (run.canvas.map(symmetry), run.canvas.terrain(symmetry));
            for shape in [Shape::aabb(0.375, 0.5), Shape::circle(0.5)] {
                for (speed, everyday) in [(600.0, 410), (60.0, 4096), (5.0, 6000)] {
                    for sign in [1.0, -1.0] {
                        let start = if sign > 0.0 { 4 * ONE } else { (i64::from(tiles) - 4) * ONE };
                        let pressed = Pressed::new(&run, &terrain, &map, symmetry, shape, start, sign * speed);
                        let ticks = often(everyday, (4096.0 / speed * 60.0) as u32);
                        let what = format!("{tile} {symmetry:?} {shape:?} {speed} {sign}");
                        let ways = follow(pressed, ticks, &what);
                        // The whole displacement is that of one tick times the number of ticks.
                        let each = surefoot_geometry::to_units(sign * speed * TICK);
                        assert_eq!(ways[ticks as usize], I64Vec2::new(each * i64::from(ticks), 0), "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn characters_walk_over_seams_as_on_one_endless_edge() {
    let steepest = SlopeLimit::new(2, 1).unwrap();
    for run in runs() {
        // Test only symmetries in which the run is a floor for `up` = +y.
        let square = run.tangent.dot(run.tangent);
        for symmetry in Symmetry::all() {
            let normal = symmetry.vector(I64Vec2::new(-run.tangent.y, run.tangent.x));
            if normal.y <= 0 || normal.x.abs() > 2 * normal.y {
                continue;
            }
            // `right` is the direction to the right along the floor.
            let right = I64Vec2::new(normal.y, -normal.x);
            let (map, terrain) = (run.canvas.map(symmetry), run.canvas.terrain(symmetry));
            let unit = unit_normal(&run, symmetry);
            for shape in SHAPES.map(|shape| shape()) {
                for speed in SPEEDS {
                    for walk in [127_i8, -127] {
                        let sign = i64::from(walk.signum());
                        let what = format_args!("{} {symmetry:?} {shape:?} {speed} {walk}", run.name);
                        let settings = Settings::default().max_floor_slope(steepest);
                        let mut world = World::with_terrain(map.clone(), terrain.clone(), settings);
                        // `kept` is 1 if the symmetry keeps the direction of the original line, else -1.
                        let kept = symmetry.vector(run.tangent).dot(right).signum();
                        let step = (speed * TICK / (square as f64).sqrt() * ONE as f64).round() as i64;
                        let ticks = ((run.length - 6) * ONE / step.max(1)).min(i64::from(often(80, 2000)));
                        let start = run.length / 2 * ONE - sign * kept * step * ticks / 2;
                        let at = symmetry.vector(run.touching(symmetry.shape(shape), start));
                        let character = Character {
                            walk_speed: speed,
                            ground_acceleration: 1e9,
                            ground_braking: 1e9,
                            ..Character::default()
                        };
                        let body = world.spawn(Body::new(shape).at(units(at.x, at.y)).character(character)).unwrap();
                        world.step();
                        let rest = world[body].position();
                        assert!(world[body].on_floor(), "{what}");
                        world.set_input(body, Input { walk, ..Input::default() });
                        world.step();
                        let mut at = world[body].position();
                        assert!((at - rest).dot(right) * sign > 0 || speed < 0.02, "{what}");
                        let mover = Mover::new(&terrain).max_floor_slope(steepest);
                        for tick in 2..ticks {
                            world.step();
                            let expected = at + right * (sign * step);
                            assert_eq!(world[body].position(), expected, "{what} tick {tick}");
                            let walked = mover.walk(shape, at, f64::from(walk.signum()) * speed * TICK);
                            assert_eq!(walked.position, expected, "{what} tick {tick}, without a world");
                            assert!(walked.hits.is_empty() && is_only(walked, unit), "{what} tick {tick}");
                            assert!(world.events().is_empty() && world[body].on_floor(), "{what} {tick}");
                            assert!(world.contacts(body).iter().all(|c| c.normal == unit), "{what} tick {tick}");
                            at = expected;
                        }
                    }
                }
            }
        }
    }
}

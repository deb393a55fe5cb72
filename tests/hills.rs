//! Walking over hills and through valleys: always on the floor, always at the same speed along the surface.

use crate::scene::{Canvas, I64Vec2, ONE, gentle, kinds, path_length, units};
use crate::symmetry::Symmetry;
use crate::table::{pairs, triples};
use surefoot::prelude::*;
use surefoot::{Input, World, geometry::DVec2};

/// Relative tolerance of the speed.
const SPEED: f64 = 1e-6;

const TICK: f64 = 1.0 / 60.0;

/// A ground described from left to right:
/// - `-`: flat
/// - `/`, `\`: 45 degrees up, down
/// - `u`, `d`: two tiles up, down in one
/// - `1`, `4`: one tile up, down in two
/// - `g`, `b`: one tile up, down in four
///
/// Each of the last four stands for all its tiles.
pub struct Hill {
    pub canvas: Canvas,
    /// The vertices of the ground.
    pub line: Vec<DVec2>,
}

impl Hill {
    pub fn new(text: &str) -> Hill {
        // The gentle slopes are in another catalogue, which has everything of the built-in one except the steep slopes.
        let mut canvas = if text.contains(['g', 'b']) { Canvas::of(&gentle()) } else { Canvas::default() };
        let mut line = vec![];
        let (mut x, mut h) = (0, 8);
        for c in text.chars() {
            line.push(DVec2::new(f64::from(x), f64::from(h)));
            let (rise, tiles): (i32, &[&[&str]]) = match c {
                '-' => (0, &[&[]]),
                '/' => (1, &[&["slope_45"]]),
                '\\' => (-1, &[&["slope_45 r1"]]),
                '1' => (1, &[&["half_slope_low"], &["half_slope_high"]]),
                '4' => (-1, &[&["half_slope_high m"], &["half_slope_low m"]]),
                'g' => (1, &[&["quarter_slope_1"], &["quarter_slope_2"], &["quarter_slope_3"], &["quarter_slope_4"]]),
                'b' => (
                    -1,
                    &[&["quarter_slope_4 m"], &["quarter_slope_3 m"], &["quarter_slope_2 m"], &["quarter_slope_1 m"]],
                ),
                'u' => (2, &[&["half_slope_high m r3", "half_slope_low m r3"]]),
                'd' => (-2, &[&["half_slope_high r1", "half_slope_low r1"]]),
                _ => unreachable!("hills are written by hand"),
            };
            let base = h.min(h + rise);
            for column in tiles {
                canvas.blocks((x, 0), (x, base - 1));
                for (y, name) in (base..).zip(*column) {
                    canvas.paint((x, y), name);
                }
                x += 1;
            }
            h += rise;
        }
        line.push(DVec2::new(f64::from(x), f64::from(h)));
        Hill { canvas, line }
    }
}

/// Part of the path of a circle's centre over a hill.
enum PathPart {
    Straight {
        from: DVec2,
        to: DVec2,
    },
    /// Clockwise around a crest.
    Arc {
        center: DVec2,
        from: DVec2,
        to: DVec2,
    },
}

/// Returns the path of a circle's centre: the ground's line moved out by the radius.
fn centre_path(line: &[DVec2], radius: f64) -> Vec<PathPart> {
    let directions: Vec<DVec2> = line.windows(2).map(|ends| (ends[1] - ends[0]).normalize()).collect();
    let mut way = vec![];
    for (i, direction) in directions.iter().enumerate() {
        let out = direction.perp() * radius;
        // In a hollow, both straight parts are shorter by r tan(a / 2), if the second one turns by the angle a.
        let trim = |first: DVec2, second: DVec2| {
            let (sine, cosine) = (first.perp_dot(second), first.dot(second));
            if sine > 0.0 { radius * sine / (1.0 + cosine) } else { 0.0 }
        };
        let before = if i > 0 { trim(directions[i - 1], *direction) } else { 0.0 };
        let after = directions.get(i + 1).map_or(0.0, |&next| trim(*direction, next));
        way.push(PathPart::Straight {
            from: line[i] + out + *direction * before,
            to: line[i + 1] + out - *direction * after,
        });
        if let Some(next) = directions.get(i + 1)
            && direction.perp_dot(*next) < 0.0
        {
            way.push(PathPart::Arc { center: line[i + 1], from: out, to: next.perp() * radius });
        }
    }
    way
}

/// Returns how far along the path a centre is, at the nearest point.
fn along(way: &[PathPart], at: DVec2) -> f64 {
    let mut passed = 0.0;
    let mut best = (f64::INFINITY, 0.0);
    for part in way {
        let (length, here, distance) = match *part {
            PathPart::Straight { from, to } => {
                let (length, direction) = ((to - from).length(), (to - from).normalize());
                let here = direction.dot(at - from).clamp(0.0, length);
                (length, here, (from + direction * here - at).length())
            }
            PathPart::Arc { center, from, to } => {
                #[allow(clippy::disallowed_methods, reason = "an angle of the witness")]
                let clockwise = |a: DVec2, b: DVec2| -a.perp_dot(b).atan2(a.dot(b));
                let radius = from.length();
                let whole = clockwise(from, to);
                let turned = clockwise(from, at - center);
                let beside = if (0.0..=whole).contains(&turned) { 0.0 } else { f64::INFINITY };
                (whole * radius, turned * radius, ((at - center).length() - radius).abs() + beside)
            }
        };
        if distance < best.0 {
            best = (distance, passed + here);
        }
        passed += length;
    }
    assert!(best.0 < 1e-6, "{at} is {} off the way", best.0);
    best.1
}

fn walk_over(text: &str, mirrored: bool, shape: Shape, speed: f64, limit: SlopeLimit) {
    let hill = Hill::new(text);
    let symmetry = Symmetry(Placement::new(mirrored, 0));
    let map = hill.canvas.map(symmetry);
    let terrain = Terrain::bake(&map);
    let width = hill.line[hill.line.len() - 1].x;
    let way = centre_path(&hill.line, shape.half_extents().x);
    for to_the_right in [true, false] {
        let what = format!("{text} mirrored {mirrored} {shape:?} speed {speed} right {to_the_right}");
        let mut world = World::with_terrain(map.clone(), terrain.clone(), Settings::default().max_floor_slope(limit));
        let character =
            Character { walk_speed: speed, ground_acceleration: 1e9, ground_braking: 1e9, ..Character::default() };
        let x = if to_the_right { ONE + ONE / 3 } else { (width * ONE as f64) as i64 - ONE - ONE / 3 };
        let start = symmetry.vector(I64Vec2::new(x, 8 * ONE + shape.half_units().y));
        let body = world.spawn(Body::new(shape).at(units(start.x, start.y)).character(character)).unwrap();
        world.step();
        let right = to_the_right != mirrored;
        world.set_input(body, Input { walk: if right { 127 } else { -127 }, ..Input::default() });
        world.step();
        let here = |position: Position| symmetry.velocity(position.to_dvec2());
        let mut passed = shape.is_circle().then(|| along(&way, here(world[body].position())));
        let mut ticks = 0;
        loop {
            let before = world[body].position();
            world.step();
            ticks += 1;
            let state = &world[body];
            assert!(state.on_floor(), "{what}: tick {ticks} in the air at {}", state.position());
            assert!(world.events().is_empty(), "{what}: tick {ticks} at {}: {:?}", state.position(), kinds(&world));
            let made = if let Some(earlier) = passed {
                let now = along(&way, here(state.position()));
                passed = Some(now);
                (now - earlier).abs()
            } else {
                path_length(before, state.path())
            };
            let found = made / TICK;
            assert!(
                (found - speed).abs() <= SPEED * speed,
                "{what}: tick {ticks} from {before} to {} at speed {found}, path {:?}",
                state.position(),
                state.path()
            );
            let x = here(state.position()).x;
            let margin = 1.0 + speed * TICK;
            if if to_the_right { x > width - margin } else { x < margin } {
                break;
            }
            assert!(f64::from(ticks) < 4.0 * width / speed / TICK, "{what}: stuck at {}", state.position());
        }
        assert!((world[body].velocity().length() - speed).abs() < 1e-9, "{what}");
    }
}

const SHAPES: [fn() -> Shape; 7] = [
    || Shape::aabb(0.35, 0.45),
    || Shape::aabb(0.5, 0.5),
    || Shape::aabb(0.0625, 0.25),
    || Shape::circle(0.5),
    || Shape::circle(0.25),
    || Shape::circle(0.4),
    || Shape::circle_units(ONE / 7),
];

const ROLLING: [&str; 13] = [
    "---1/\\4---",
    "---1//--\\\\4---",
    "---14---",
    "---1//44\\---",
    "---/1//4\\\\4---",
    "---\\/---",
    "---4\\/1---",
    "---41-14---",
    "---4\\--/1/\\---",
    "---gb---",
    "---bg---",
    "---g1/\\4b---",
    "---gg--b4-1gb\\---",
];

#[test]
fn walkers_keep_to_the_floor_over_hills_at_constant_speed() {
    for (text, mirrored, shape) in triples(ROLLING, [false, true], SHAPES.map(|shape| shape())) {
        for speed in [0.5, 5.0, 8.0, 20.0, 60.0] {
            walk_over(text, mirrored, shape, speed, SlopeLimit::ONE_TO_ONE);
        }
    }
}

#[test]
fn walkers_keep_to_the_floor_over_steep_hills_if_these_are_floors() {
    let limit = SlopeLimit::new(2, 1).unwrap();
    for (text, mirrored) in pairs(["---1/u--d\\4---", "---ud---", "---uu1/\\4dd---"], [false, true]) {
        for (shape, speed) in pairs(SHAPES.map(|shape| shape()), [0.5, 5.0, 8.0, 20.0, 60.0]) {
            walk_over(text, mirrored, shape, speed, limit);
        }
    }
}

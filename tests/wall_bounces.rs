//! Bouncy bodies that slide on a floor: they bounce off walls along the floor, as a kicked shell does.
//!
//! The witness is a point on a line: accelerated along the floor, slowed down by friction, and bounced at both ends.

use crate::body_laws::seeds;
use crate::platforms::path;
use crate::prelude::*;
use crate::surfaces::{PLAIN, upright};
use crate::table;

const GRAVITY: f64 = 40.0;
/// Floors with their top at y = 1: flat between walls at 1 and 9, with a slope between 1 and 6, and between 1 and 7.
const FLOORS: [(&[&str], f64, f64); 3] = [
    (&["#........#", "#........#", "#........#", "##########"], 9.0, 0.0),
    (&["#.....#", "#.....#", "#..../#", "#.../##", "#../###", "#./####", "#/#####", "#######"], 6.0, 1.0),
    (&["#......#", "#......#", "#....12#", "#..12###", "#12#####", "########"], 7.0, 0.5),
];

/// A point on a line.
#[derive(Clone, Copy, Debug)]
struct Point {
    at: f64,
    speed: f64,
    /// The two ends, each with its bounce.
    ends: [f64; 2],
    bounces: [f64; 2],
    /// Acceleration along the line, and the part that friction takes.
    pull: f64,
    braking: f64,
    /// Speed up to which an end stops the point.
    rest: f64,
}

impl Point {
    fn acceleration(&self) -> f64 {
        let way = if self.speed == 0.0 { self.pull } else { self.speed };
        self.pull - way.signum() * self.braking
    }

    /// Moves the point for a time. Returns the speeds at which it hit ends.
    fn advance(&mut self, mut time: f64) -> Vec<f64> {
        let mut hits = Vec::new();
        for _ in 0..1000 {
            let way = if self.speed == 0.0 { self.pull } else { self.speed };
            if self.speed == 0.0 && self.pull.abs() <= self.braking {
                break;
            }
            let (side, a) = (usize::from(way > 0.0), self.acceleration());
            let way = way.signum();
            let distance = (self.ends[side] - self.at) * way;
            if self.speed == 0.0 && distance <= 0.0 {
                break;
            }
            let (speed, a) = (self.speed * way, a * way);
            let square = speed * speed + 2.0 * a * distance;
            let (to_end, to_stop) = (2.0 * distance / (speed + square.max(0.0).sqrt()), -speed / a);
            let stops = square < 0.0 || (a < 0.0 && to_stop < to_end);
            let part = if stops { to_stop } else { to_end };
            if part >= time {
                self.at += way * (speed * time + a * time * time / 2.0);
                self.speed = way * (speed + a * time);
                break;
            }
            time -= part;
            if stops {
                self.at += way * speed * speed / (-2.0 * a);
                self.speed = 0.0;
                if self.braking > 0.0 {
                    // A point stopped by friction stays for the rest of the tick.
                    break;
                }
                continue;
            }
            let then = square.sqrt();
            self.at = self.ends[side];
            hits.push(then);
            self.speed = if then > self.rest { -way * then * self.bounces[side] } else { 0.0 };
        }
        hits
    }
}

/// A run: a sliding body and its floor.
#[derive(Clone, Debug)]
struct Run {
    floor: usize,
    shape: Shape,
    half: f64,
    at: f64,
    speed: f64,
    bounce: f64,
    friction: f64,
    rest: f64,
    ticks: f64,
    way: Way,
    mask: CollisionLayers,
    /// Bounce of the two walls, and the factor of the floor's friction.
    walls: [f64; 2],
    rough: f64,
    response: Response,
}

impl Run {
    fn of_seed(seed: u64) -> Run {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut pick = |values: &[f64]| values[random.below(values.len() as u64) as usize];
        let floor = pick(&[0.0, 0.0, 1.0, 2.0]) as usize;
        let half = pick(&[0.125, 0.25, 0.375, 0.1875]);
        let shape = if pick(&[0.0, 1.0]) == 0.0 { Shape::circle(half) } else { Shape::aabb(half, half) };
        let bounce = pick(&[1.0, 1.0, 0.5, 0.8, 0.25, 0.0]);
        let walls = if pick(&[0.0, 1.0]) == 0.0 { [0.0; 2] } else { [pick(&[0.0, 0.6, 0.9]), pick(&[0.0, 0.7, 1.0])] };
        // Without bounce, the body would slide up the wall at the top of a slope.
        let bounce = if floor > 0 { bounce.max(0.25) } else { bounce };
        let response = if bounce == 0.0 { Response::Slide } else { Response::Bounce(bounce) };
        let way = Way::turned(pick(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]) as usize);
        Run {
            floor,
            shape,
            half,
            at: pick(&[2.0, 3.0, 3.7, 4.25]),
            speed: pick(&[-1.0, 1.0]) * pick(&[0.5, 2.0, 4.5, 7.0, 9.0, 13.0]),
            bounce,
            friction: pick(&[0.0, 0.0, 0.02, 0.1, 0.4]),
            rest: pick(&[0.1, 0.1, 0.5]),
            ticks: pick(&[30.0, 60.0, 60.0, 90.0, 120.0, 240.0]),
            way,
            mask: if pick(&[0.0, 1.0]) == 0.0 { CollisionLayers::NONE } else { CollisionLayers::ALL },
            walls,
            rough: if walls == [0.0; 2] { 1.0 } else { pick(&[1.0, 0.5, 2.0]) },
            response,
        }
    }

    /// Returns the rise of the floor over a run of 1, and the length of that slope.
    fn slope(&self) -> (f64, f64) {
        let rise = FLOORS[self.floor].2;
        (rise, (1.0 + rise * rise).sqrt())
    }

    /// Returns the body on the floor, with its centre at `x`.
    fn body(&self, x: f64) -> Body {
        let (rise, length) = self.slope();
        let over = if self.shape.is_circle() { self.half * length } else { self.half * (1.0 + rise) };
        let y = 1.0 + rise * (x - 1.0) + over + if rise > 0.0 && self.shape.is_circle() { 5e-10 } else { 0.0 };
        let velocity = DVec2::new(1.0, rise) * (self.speed / length);
        Body::new(self.shape)
            .at(position(x, y))
            .velocity(velocity)
            .response(self.response)
            .friction(self.friction)
            .rest_speed_threshold(self.rest)
            .collision_mask(self.mask)
    }

    fn world(&self) -> table::Run {
        let (rows, right, _) = FLOORS[self.floor];
        let [left_wall, right_wall] = self.walls.map(|bounce| Material { bounce, ..PLAIN });
        let floor = Material { friction: self.rough, ..PLAIN };
        let map = upright(rows, |(x, _)| match x {
            0 => left_wall,
            x if x == right as i32 => right_wall,
            _ => floor,
        });
        self.way.world(map, Settings::default().tick(1.0 / self.ticks))
    }

    fn point(&self) -> Point {
        let ((rise, length), right) = (self.slope(), FLOORS[self.floor].1);
        Point {
            at: self.at * length,
            speed: self.speed,
            ends: [(1.0 + self.half) * length, (right - self.half) * length],
            bounces: self.walls.map(|bounce| bounce.max(self.bounce)),
            pull: -GRAVITY * rise / length,
            braking: self.friction * self.rough * GRAVITY / length,
            rest: self.rest * length,
        }
    }

    /// Returns position and velocity along the floor.
    fn seen(&self, world: &table::Run, body: BodyId) -> (f64, f64, f64) {
        let (rise, length) = self.slope();
        let state = &world[body];
        let (at, velocity) = (state.position().to_dvec2(), state.velocity());
        (at.x * length, velocity.dot(DVec2::new(1.0, rise)) / length, velocity.perp_dot(DVec2::new(1.0, rise)) / length)
    }

    /// Returns the broken law of a run, if any.
    fn fault(&self) -> Option<String> {
        let (mut world, mut point) = (self.world(), self.point());
        let body = world.spawn(self.body(self.at)).unwrap();
        let (is_held, tick) = (point.braking >= point.pull.abs(), 1.0 / self.ticks);
        let (mut is_slow, mut hits, mut to_hit) = (false, Vec::new(), Vec::new());
        for n in 1..=(self.ticks * 3.0) as u32 {
            world.step();
            let expected = point.advance(tick);
            if expected.iter().any(|speed| *speed <= point.rest) && point.pull != 0.0 && point.at > 5.0 {
                // The body stops at the top, and slides down from the next tick on.
                return None;
            }
            if !is_slow {
                hits.extend(world.events().iter().filter_map(wall_hit));
                to_hit.extend(expected.into_iter().map(|speed| speed / self.slope().1));
            }
            let (at, speed, off) = self.seen(&world, body);
            // If friction holds the body, a speed below the rest threshold is removed at the end of the tick.
            is_slow |= point.speed.abs() < self.rest + 0.01 && is_held && self.friction > 0.0;
            let least = (point.pull.abs() + point.braking) * tick;
            if speed == 0.0 && point.speed.abs() <= least && point.pull != 0.0 && self.friction > 0.0 {
                // The body turns around as the tick ends: rounding decides whether it stays for one more tick.
                return None;
            }
            let slow_way = self.rest * (self.rest / (2.0 * (point.braking - point.pull.abs())).max(1e-9) + 2.0 * tick);
            let (near, alike) = if is_slow { (slow_way, self.rest + 0.02) } else { (4e-5, 2e-4) };
            // At a wall, a few units decide whether it has bounced when the tick ends.
            let is_at_end = point.ends.iter().any(|end| (end - point.at).abs() < 1e-5);
            let is_off = (speed - point.speed).abs() > alike && !is_at_end;
            if (at - point.at).abs() > near || is_off || (off.abs() > 1e-6 && !is_at_end) {
                return Some(format!("tick {n}: {at} at {speed}, off by {off}, and not {point:?}"));
            }
        }
        // If the body stops, a hit reports the speed at the end of the tick, and hits at one position give one event.
        let throws_back = self.bounce > 0.0 || self.walls.iter().all(|bounce| *bounce > 0.0);
        let slow = (2.0 * self.rest).max(point.pull.abs() * tick);
        let mut fast = to_hit.iter().enumerate().take_while(|(_, speed)| **speed > slow);
        let is_wrong =
            fast.any(|(i, expected)| hits.get(i).map_or(i + 1 < to_hit.len(), |hit| (hit - expected).abs() > 2e-4));
        (throws_back && is_wrong && !is_slow).then(|| format!("hits at {hits:?} and not {to_hit:?}"))
    }
}

/// Returns the speed of a hit of one of the walls.
fn wall_hit(event: &Event) -> Option<f64> {
    let EventKind::HitTile { speed, normal, .. } = event.kind else { return None };
    (normal.y.abs() < 1e-9).then_some(speed)
}

/// In every tick, a body that slides between two walls has the position and speed of the point on its line: on flat
/// floors and slopes, with and without friction.
#[test]
fn a_body_sliding_between_walls_moves_as_a_point_on_a_line() {
    // In the added seeds, a flight hits the wall before the floor that the body follows.
    let broken: Vec<String> = seeds(often(90, 250).into(), 1)
        .chain([12_736, 12_816, 13_784, 15_527])
        .filter_map(|seed| {
            let run = Run::of_seed(seed);
            run.fault().map(|fault| format!("seed {seed}: {fault}\n{run:?}"))
        })
        .collect();
    assert!(broken.is_empty(), "{}:\n{}", broken.len(), broken[..broken.len().min(5)].join("\n\n"));
}

/// A shell with a bounce of 1 and without friction keeps its speed, to the bit.
#[test]
fn a_shell_between_two_walls_keeps_its_speed() {
    let shapes = [Shape::aabb(0.25, 0.25), Shape::circle(0.25)];
    let rows = triples(shapes, [3.0, 7.3, 19.0], [CollisionLayers::NONE, CollisionLayers::ALL]);
    all_symmetries_of(rows, |way, (shape, speed, mask)| {
        let run = Run { way: way.clone(), shape, mask, half: 0.25, speed, at: 3.0, ..Run::of_seed(1) };
        let run = Run { floor: 0, bounce: 1.0, response: Response::Bounce(1.0), friction: 0.0, walls: [0.0; 2], ..run };
        let (mut world, mut hits) = (run.world(), 0);
        let body = world.spawn(run.body(run.at)).unwrap();
        for _ in 0..2000 {
            world.step();
            let (_, now, off) = run.seen(&world, body);
            assert_eq!((now.abs(), off.abs(), world[body].on_floor()), (speed, 0.0, true), "{run:?}");
            hits += world.events().iter().filter(|event| wall_hit(event).is_some()).count();
        }
        // The path from wall to wall is 7.5 tiles long.
        let expected = 2000.0 / run.ticks * speed / 7.5;
        assert!((hits as f64 - expected).abs() < 1.5, "{hits} {expected} {run:?}");
    });
}

/// A light body follows closely and is in the shell's way when it comes back. The solver then moves both in that tick,
/// which changes the shell's speed by some millionths, and its position by less than one tick of acceleration.
#[test]
fn a_shell_among_bodies_bounces_off_walls_as_if_alone() {
    let (mut met, mut runs) = (0, 0);
    for seed in seeds(80, 5001) {
        let mut run = Run { mask: CollisionLayers::ALL, ..Run::of_seed(seed) };
        // The shell starts 1.6 before the end of its floor, and reaches the wall there with at most a small loss of
        // speed.
        run.speed = run.speed.abs().max(13.0);
        (run.at, run.friction) = (FLOORS[run.floor].1 - 1.6, 0.0);
        run.bounce = run.bounce.max(0.5);
        run.response = Response::Bounce(run.bounce);
        let (mut world, mut point) = (run.world(), run.point());
        let body = world.spawn(run.body(run.at)).unwrap();
        let behind = run.body(run.at - 2.0 * run.half - 0.001).mass(1e-6).response(Response::Slide);
        world.spawn(behind).unwrap();
        let (mut left, mut meets) = (2, false);
        let loose = GRAVITY / run.ticks / run.ticks;
        while left > 0 {
            world.step();
            left -= u32::from(!point.advance(1.0 / run.ticks).is_empty() || left == 1);
            let told = |event: &Event| event.body == body && event.kind.name() == "hit_body";
            meets |= left < 2 && world.events().iter().any(told);
            let (at, speed, off) = run.seen(&world, body);
            let is_near = (at - point.at).abs() < loose && (speed - point.speed).abs() < 0.01 + loose * 60.0;
            assert!(is_near && off.abs() < 0.001, "seed {seed}: {at} {speed} {off}, {point:?}\n{run:?}");
        }
        (met, runs) = (met + u32::from(meets), runs + 1);
    }
    assert!(met * 2 > runs, "{met} of {runs}");
}

/// A slope that a body can slide up does not act as a wall, even among bodies.
#[test]
fn a_ramp_does_not_throw_back() {
    let rows = ["......###", "....../##", "...../###", "#########"];
    all_ways_with([Shape::aabb(0.25, 0.25), Shape::circle(0.25)], |way, shape, mask| {
        for has_company in [false, true] {
            let mut world = way.world(upright(&rows, |_| PLAIN), Settings::default());
            let ball = |x, y| Body::new(shape).at(position(x, y)).collision_mask(mask);
            let velocity = DVec2::new(7.0, 0.0);
            let body = world.spawn(ball(3.0, 1.25).velocity(velocity).bounce(1.0)).unwrap();
            if has_company {
                // The other ball lies on the body, and is slower.
                let slow = DVec2::new(6.5, 0.0);
                world.spawn(ball(3.0, 1.75).velocity(slow).mass(1e-6)).unwrap();
            }
            (0..25).for_each(|_| world.step());
            let velocity = world[body].velocity();
            assert!(velocity.x > 0.0 && velocity.y > 0.0, "{shape:?} {has_company}: {velocity}");
        }
    });
}

/// Between two slopes of 45 degrees, the body slides back and forth, although each slope alone would stop it. A fall of
/// h along a slope of 1:1 gives a speed of the root of 2 g h.
#[test]
fn a_body_slides_back_and_forth_in_a_valley() {
    let rows = ["#\\..../#", "##\\../##", "###\\/###", "########"];
    all_ways_with([Shape::aabb(0.25, 0.25), Shape::circle(0.25)], |way, shape, mask| {
        let over = if shape.is_circle() { 0.25 * 2.0_f64.sqrt() } else { 0.5 };
        let mut world = way.world(upright(&rows, |_| PLAIN), Settings::default());
        let at = position(3.0, 2.0 + over + 1e-9);
        let body = world.spawn(Body::new(shape).at(at).bounce(1.0).collision_mask(mask)).unwrap();
        let (mut highest, mut turns) = (0.0_f64, 0);
        for tick in 0..600 {
            world.step();
            let at = world[body].position().to_dvec2();
            highest = if tick > 400 { highest.max(at.y) } else { 0.0 };
            turns += world.events().iter().filter(|event| event.kind.name() == "hit_tile").count();
        }
        // To slide 1 tile down at 20 tiles per second squared takes the root of 2 / 20 seconds, and as long up again.
        let expected = 10.0 / (2.0 * (2.0_f64 / 20.0).sqrt());
        assert!((highest - 2.0 - over).abs() < 0.01 && (turns as f64 - expected).abs() < 2.5, "{highest} {turns}");
    });
}

/// A belt moves the body back to the wall at the speed at which it left. Each time its speed shrinks by the bounce
/// factor, until it no longer bounces.
#[test]
fn a_belt_moves_a_body_back_to_the_wall() {
    let rows = ["..........#", "..........#", "###########"];
    all_ways_with([Shape::aabb(0.25, 0.25), Shape::circle(0.25)], |way, shape, mask| {
        for (start, speed) in [(3.0, 3.0), (6.0, 0.0)] {
            let belt = |(x, y)| Material { belt_velocity: if y == 0 && x < 10 { 3.0 } else { 0.0 }, ..PLAIN };
            let mut world = way.world(upright(&rows, belt), Settings::default());
            let body = Body::new(shape).at(position(start, 1.25)).friction(0.5).bounce(0.5);
            let moving = DVec2::new(speed, 0.0);
            let body = world.spawn(body.velocity(moving).collision_mask(mask)).unwrap();
            let mut hits = Vec::new();
            for _ in 0..400 {
                world.step();
                let of = |event: &Event| match event.kind {
                    EventKind::HitTile { speed, normal, .. } if normal.x < -0.5 => Some(speed),
                    _ => None,
                };
                hits.extend(world.events().iter().filter_map(of));
            }
            let expected = [3.0, 1.5, 0.75, 0.375, 0.1875];
            let is_alike = hits.len() >= 5 && hits.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4);
            assert!(is_alike && hits.iter().skip(5).all(|hit| *hit < 20.0 / 60.0), "{shape:?} {start}: {hits:?}");
            let at = world[body].position().to_dvec2();
            assert!((at.x - 9.75).abs() < 1e-6, "{at}");
        }
    });
}

/// In a moving tub, the body slides as in a tub at rest. A wall that approaches it on a floor adds the wall's own
/// speed.
#[test]
fn bodies_bounce_off_walls_of_platforms() {
    for shape in [Shape::aabb(0.25, 0.25), Shape::circle(0.25)] {
        for mask in [CollisionLayers::NONE, CollisionLayers::ALL] {
            let map = crate::platforms::floor();
            let tub = |way| {
                let tub = Platform::from_rows(&map, ["#.....#", "#.....#", "#######"]).unwrap();
                let tub = tub.at((20.0, 20.0));
                let mut world = World::new(map.clone(), Settings::default());
                let tub = if way == (0.0, 0.0) { tub } else { tub.path(path(&[(0.0, 0.0), way], 3.0)) };
                let tub = world.spawn_platform(tub).unwrap();
                let body = Body::new(shape).at((22.0, 21.25)).velocity((7.0, 0.0)).bounce(0.8).friction(0.02);
                let body = world.spawn(body.collision_mask(mask)).unwrap();
                (world, tub, body)
            };
            let (rests, _, still) = tub((0.0, 0.0));
            for way in [(9.0, 0.0), (0.0, 9.0), (-6.0, 3.0)] {
                let (mut world, tub, body) = tub(way);
                let mut copy = rests.clone();
                for tick in 0..120 {
                    world.step();
                    copy.step();
                    let off = world[body].position() - world.platform(tub).unwrap().position();
                    let expected = copy[still].position() - position(20.0, 20.0);
                    let near = (off - expected).abs().max_element() < 1 << 14;
                    assert!(near && off.y == I64Vec2::new(0, 5 << 30).y, "{way:?} {shape:?} {tick}: {off} {expected}");
                }
            }
            // A wall at 3 hits a shell at -4 with a bounce of 0.5, so the shell gets 3 + 0.5 * 7. A shell at rest gets
            // 4.5.
            for (speed, expected) in [(-4.0_f64, 6.5_f64), (0.0, 4.5), (2.0, 3.5)] {
                let wall = Platform::from_rows(&map, ["#", "#"]).unwrap().at((10.0, 1.0));
                let mut world = World::new(map.clone(), Settings::default());
                world.spawn_platform(wall.path(along(40.0, 0.0, 3.0))).unwrap();
                let body = Body::new(shape).at((13.0, 1.25)).velocity((speed, 0.0)).bounce(0.5).collision_mask(mask);
                let body = world.spawn(body).unwrap();
                let mut fastest = speed;
                for _ in 0..240 {
                    world.step();
                    fastest = fastest.max(world[body].velocity().x);
                }
                assert!((fastest - expected).abs() < 1e-6, "{shape:?} {mask:?} {speed}: {fastest}");
                assert!((world[body].velocity().x - expected).abs() < 1e-6, "{shape:?} {mask:?} {speed}");
            }
        }
    }
}

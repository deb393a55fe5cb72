//! Circles that run off the end of a floor. They fly the parabola of their centre, and follow the corner while gravity
//! holds them there.
//!
//! The witness is geometry by hand. Around a corner, the centre moves on an arc. Gravity g holds the circle there up to
//! an angle from `up` whose cosine is v² / (g r). Up to 45 degrees, the corner is a floor.

use crate::body_laws::seeds;
use crate::hills::Hill;
use crate::scene::{Canvas, Random};
use crate::table::{Stage, Way, all_ways, pairs};
use surefoot::Input;
use surefoot::geometry::DVec2;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot_random::mix;

/// Tolerance in tiles for rounding and for the tangents of a corner.
const NEAR: f64 = 1e-4;

fn runner(speed: f64) -> Character {
    Character { walk_speed: speed, air_acceleration: 0.0, max_fall_speed: 1e6, ..Character::default() }
}

/// A run to the right off the end of a floor at (0, 0).
#[derive(Clone, Copy, Debug)]
struct Run {
    shape: Shape,
    character: Character,
    gravity: f64,
    tick: f64,
    /// Distance from the edge at the start.
    before: f64,
    /// Depth of the fall in tiles, and where the floor continues, if it does.
    deep: i32,
    gap: Option<i32>,
    /// Whether the circle starts next to another body.
    has_company: bool,
}

impl Run {
    /// Returns the positions and whether the circle is grounded, from the first tick that ends past the edge to the
    /// landing.
    fn play(&self, turned: usize) -> Vec<(DVec2, bool)> {
        let far = 3 + (self.character.walk_speed * (2.0 * f64::from(self.deep) / self.gravity).sqrt()) as i32;
        let mut canvas = Canvas::default();
        canvas.blocks((-8, -1), (-1, -1));
        canvas.blocks((-8, -self.deep - 1), (far + 3, -self.deep - 1));
        if let Some(gap) = self.gap {
            canvas.blocks((gap, -1), (gap + 6, -1));
        }
        let settings = Settings::default().gravity((0.0, -self.gravity)).tick(self.tick);
        let mut world = Way::turned(turned).world(&canvas, settings);
        let half = self.shape.half_extents();
        let mask = if self.has_company { CollisionLayers::ALL } else { CollisionLayers::NONE };
        let hero = Body::new(self.shape).character(self.character).collision_mask(mask);
        let speed = DVec2::new(self.character.walk_speed, 0.0);
        let hero = world.spawn(hero.at((-self.before, half.y)).velocity(speed)).unwrap();
        let mut ball: Option<BodyId> = None;
        let mut trail: Vec<(DVec2, bool)> = Vec::new();
        for _ in 0..4000 {
            let here = world[hero].position().to_dvec2();
            if self.has_company {
                let thrown = Body::new(Shape::circle(0.03125)).gravity_scale(0.0).collision_mask(CollisionLayers::ALL);
                let thrown = thrown.at((here.x - half.x - 0.1, here.y)).velocity(speed * 2.0 + 6.0 * DVec2::X);
                let last = ball.replace(world.spawn(thrown).unwrap());
                last.into_iter().for_each(|last| drop(world.despawn(last)));
            }
            world.set_input(hero, Input { walk: 127, ..Input::default() });
            world.step();
            let (here, on_floor) = (world[hero].position().to_dvec2(), world[hero].on_floor());
            if here.x > 0.0 {
                trail.push((here, on_floor));
                let flew = trail.iter().any(|(_, on_floor)| !on_floor);
                if (flew && on_floor) || here.x > f64::from(far) {
                    break;
                }
            }
        }
        trail
    }

    /// Returns where the centre leaves the corner, and the velocity then.
    fn leaves(&self) -> (DVec2, DVec2) {
        let (radius, speed, held) = (self.shape.half_extents().x, self.character.walk_speed, held(self));
        let cosine = if held < 1.0 { held.max(0.5_f64.sqrt()) } else { 1.0 };
        let normal = DVec2::new((1.0 - cosine * cosine).sqrt(), cosine);
        (normal * radius, DVec2::new(normal.y, -normal.x) * speed)
    }
}

/// Returns the height at `x` of a body thrown from `from`.
fn height(from: DVec2, velocity: DVec2, gravity: f64, x: f64) -> f64 {
    let time = (x - from.x) / velocity.x;
    from.y + velocity.y * time - gravity * time * time / 2.0
}

fn random_run(random: &mut Random) -> Run {
    let (radius, speed, gravity) = (random.range(0.1, 0.9), random.range(1.0, 30.0), random.range(15.0, 90.0));
    let fall_gravity_scale = random.pick(&[1.0, 1.0, 1.7]);
    Run {
        shape: Shape::circle(radius),
        character: Character { fall_gravity_scale, ..runner(speed) },
        gravity,
        tick: 1.0 / random.pick(&[30.0, 50.0, 60.0, 120.0, 240.0]),
        before: random.range(1.0, 3.0),
        deep: random.between(3, 6) as i32,
        gap: None,
        has_company: random.one_in(3),
    }
}

/// The circle flies between two parabolas: from where gravity no longer holds it, and from one tick's displacement
/// further. The reason: gravity does not act yet in the tick in which a walk leaves the ground. All symmetries give the
/// same bits.
#[test]
fn a_circle_that_runs_off_an_edge_flies_the_parabola_of_its_centre() {
    let (mut fast, mut slow) = (0, 0);
    for seed in seeds(200, 0) {
        let mut random = Random(mix(seed));
        let run = random_run(&mut random);
        let turned = random.index(8);
        let trail = run.play(0);
        let what = format!("seed {seed} {turned} {run:?}");
        assert_eq!(trail, run.play(turned), "{what}");
        let ((from, velocity), gravity) = (run.leaves(), run.gravity * run.character.fall_gravity_scale);
        let late = from + velocity * run.tick;
        *(if from.x == 0.0 { &mut fast } else { &mut slow }) += 1;
        // The straight displacement of a tick may hit the corner again, mostly near the speed at which gravity just
        // holds the circle.
        let sag = gravity * run.tick * run.tick;
        // A slower circle slides on around the corner, where it is no longer a floor.
        let flies = held(&run) > 0.5_f64.sqrt();
        for (at, _) in trail.iter().filter(|(at, on_floor)| flies && !on_floor && at.x > late.x) {
            let (low, high) = (height(from, velocity, gravity, at.x), height(late, velocity, gravity, at.x));
            // A circle that hit the corner again has lost part of its fall. After an impact within a tick, it moves on
            // with the speed that fits its position in the tick.
            let met = if run.has_company { 2.0 * sag + (from.y - low) / 4.0 } else { 0.0 };
            let slack = NEAR + met + if from.x > 0.0 { 2.0 * sag } else { 0.0 };
            let most = slack + (high - low) * if held(&run) < 2.0 { 4.0 } else { 1.0 };
            assert!(at.y >= low - slack && at.y <= high + most, "{what}: {at}, between {low} and {high}");
        }
        let on_corner = trail.iter().filter(|(at, on_floor)| *on_floor && at.x > NEAR && at.y > -1.0);
        for (at, _) in on_corner {
            assert!(at.x <= from.x + NEAR, "{what}: still on the corner at {at}, beyond {from}");
        }
    }
    println!("{fast} fast, {slow} slow");
}

/// The part of gravity that holds the circle on the corner at its speed.
fn held(run: &Run) -> f64 {
    let speed = run.character.walk_speed;
    speed * speed / (run.gravity * run.character.fall_gravity_scale * run.shape.half_extents().x)
}

/// A circle leaves an edge when its centre is above it, so it lands earlier than a box by half the box's width.
#[test]
fn a_circle_lands_nearly_as_far_as_a_box() {
    for (speed, radius, deep) in [(12.0, 0.4, 3), (8.0, 0.3, 4), (8.0, 0.25, 3), (20.0, 0.5, 3), (30.0, 0.4, 6)] {
        for (tick, has_company) in pairs([30.0, 60.0, 240.0], [false, true]) {
            let lands = |shape| {
                let (character, before) = (runner(speed), 2.0);
                let (gravity, tick, gap) = (40.0, 1.0 / tick, None);
                let run = Run { shape, character, gravity, tick, before, deep, gap, has_company };
                let trails: Vec<_> = (0..8).map(|turned| run.play(turned)).collect();
                assert!(trails.iter().all(|trail| *trail == trails[0]), "{run:?}");
                trails[0].last().unwrap().0.x
            };
            let (round, square) = (lands(Shape::circle(radius)), lands(Shape::aabb(radius, radius)));
            let what = format!("{speed} {radius} {deep} {tick} {has_company}: {round} and {square}");
            assert!(round >= square * 0.9 && round <= square, "{what}");
            assert!(square - round <= radius + 1.01 * speed / tick, "{what}");
        }
    }
}

/// A circle lands where the parabola of its centre leads from the edge, a box where that of its rear corner leads. So
/// the box lands half its width further. Example: a circle of radius 0.4 at 8 tiles per second that falls three tiles
/// lands at 3.10 tiles, a box at 3.50. The circle must be within 10 % of the box wherever the parabolas are.
#[test]
fn circles_and_boxes_land_where_their_parabolas_do() {
    let (mut near, mut random) = (0, Random(13));
    for i in 0..200 {
        let (speed, radius) = if i < 6 { (8.0, 0.4) } else { (random.range(8.0, 30.0), random.range(0.1, 0.5)) };
        let deep = if i < 6 { 3 } else { random.between(3, 6) as i32 };
        let tick = 1.0 / random.pick(&[30.0, 50.0, 60.0, 120.0, 240.0]);
        let (character, before, gravity) = (runner(speed), random.range(1.0, 3.0), 40.0);
        let turned = random.index(8);
        let lands = |shape| {
            let run = Run { shape, character, gravity, tick, before, deep, gap: None, has_company: false };
            run.play(turned).last().unwrap().0.x
        };
        let (round, square) = (lands(Shape::circle(radius)), lands(Shape::aabb(radius, radius)));
        // In the tick in which the floor ends, gravity does not act. And the circle walks on in the tick in which it
        // lands.
        let flown = speed * (2.0 * f64::from(deep) / gravity).sqrt();
        let late = 2.0 * speed * tick + NEAR;
        let what = format!("{speed} {radius} {deep} {tick} {turned}: {round} and {square}, {flown}");
        assert!((flown - NEAR..=flown + late).contains(&round), "{what}");
        assert!((radius + flown - NEAR..=radius + flown + late).contains(&square), "{what}");
        if flown >= 0.9 * (radius + flown + late) {
            near += 1;
            assert!(round >= square * 0.9, "{what}");
        }
    }
    assert!(near > 50, "{near}");
}

/// The circle crosses a gap of one tile at each speed at which its parabola reaches the far corner on its floor part.
#[test]
fn a_circle_crosses_a_gap_that_its_parabola_clears() {
    let (mut crossed, mut fell) = (0, 0);
    for (radius, step) in pairs([0.25, 0.3, 0.4], 2..60) {
        let speed = f64::from(step) * 0.5;
        let run = Run {
            shape: Shape::circle(radius),
            character: runner(speed),
            gravity: 40.0,
            tick: 1.0 / 60.0,
            before: 1.5,
            deep: 4,
            gap: Some(1),
            has_company: false,
        };
        let (from, velocity) = run.leaves();
        let meets = |x: f64| (DVec2::new(x, height(from, velocity, 40.0, x)) - DVec2::X).length() <= radius;
        let x = (1..4000).map(|i| from.x + f64::from(i) * 1e-3).find(|x| *x >= 1.0 || meets(*x)).unwrap();
        let over = height(from, velocity, 40.0, x) / radius;
        if (over - 0.5_f64.sqrt()).abs() < 0.1 {
            continue;
        }
        let trail = run.play(0);
        let is_over = trail.iter().all(|(at, _)| at.y > 0.0);
        assert_eq!(is_over, over > 0.5_f64.sqrt(), "{speed} {radius}");
        *(if is_over { &mut crossed } else { &mut fell }) += 1;
    }
    assert!(crossed > 50 && fell > 20, "{crossed} {fell}");
}

/// A circle leaves the end of a ramp in the ramp's direction, unless gravity holds it there.
#[test]
fn a_circle_flies_off_the_end_of_a_ramp() {
    let hill = Hill::new("------//");
    let direction = DVec2::splat(0.5_f64.sqrt());
    all_ways(|way| {
        let hero = Body::new(Shape::circle(0.4)).character(runner(12.0)).velocity((12.0, 0.0));
        let mut stage = Stage::new(&hill.canvas, way, hero, (1.5, 8.4), 40.0);
        while stage.hero().on_floor() || stage.place().x < 3.0 {
            stage.step(127, false);
            assert!(stage.place().x < 20.0, "{}", stage.place());
        }
        assert!((stage.velocity() - direction * 12.0).length() < 1e-6, "{}", stage.velocity());
    });
}

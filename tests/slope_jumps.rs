//! Jumps up slopes: a press on the ground lifts the body off in that tick, and does not slow its run.
//!
//! The witness is geometry by hand: the line of a hill, the speed of a jump from its height, and the directions of
//! both.

use crate::body_laws::seeds;
use crate::hills::Hill;
use crate::prelude::*;
use crate::table;

/// Each tick loses up to half a unit to rounding, in a position and in a velocity.
const NEAR: f64 = 1e-5;

/// The scene of one run.
#[derive(Clone, Copy, Debug)]
struct Run {
    hill: &'static str,
    shape: Shape,
    character: Character,
    tick: f64,
    gravity: f64,
    /// Start of the run and position of the press, in tiles.
    from: f64,
    press: f64,
    /// Whether a ball hits the character in every tick.
    is_met: bool,
    /// Whether the button is released after one tick.
    taps: bool,
}

/// The result of a run: the velocity before the press; then position, velocity and grounding of each tick from the
/// press on.
type Trail = (DVec2, DVec2, Vec<(DVec2, DVec2, bool)>);

impl Run {
    fn random(random: &mut Random) -> Run {
        let hills =
            ["----//////////", "----111111----", "\\\\\\\\////////", "----////------", "44441111//////", "--gggg--"];
        let shapes = [Shape::aabb(0.35, 0.45), Shape::aabb(0.25, 0.75), Shape::circle(0.4), Shape::circle(0.25)];
        let (speed, height, gravity) = (random.range(4.0, 40.0), random.range(0.3, 2.0), random.range(20.0, 80.0));
        let air_acceleration = random.range(0.0, gravity);
        let (from, press) = (random.range(1.0, 2.0), random.range(2.0, 10.0));
        let tap_height = random.pick(&[0.0, height / 2.0]);
        let fast = 1e9;
        Run {
            hill: random.pick(&hills),
            shape: random.pick(&shapes),
            character: Character {
                walk_speed: speed,
                ground_acceleration: fast,
                ground_braking: fast,
                jump_height: height,
                max_fall_speed: 1e3,
                air_acceleration,
                min_jump_height: tap_height,
                ..Character::default()
            },
            tick: 1.0 / random.pick(&[30.0, 50.0, 60.0, 120.0, 144.0, 240.0]),
            gravity,
            from,
            press,
            is_met: random.one_in(3),
            taps: random.one_in(2),
        }
    }

    fn play(&self, way: &Way) -> Option<Trail> {
        let hill = Hill::new(self.hill);
        let down = DVec2::new(0.0, -self.gravity);
        let settings = Settings::default().gravity(down).tick(self.tick);
        let mut world = way.world(&hill.canvas, settings);
        let mask = if self.is_met { CollisionLayers::ALL } else { CollisionLayers::NONE };
        // The character starts on the hill's line, or a little above it.
        let slope = (hill.line[1] - hill.line[0]).y;
        let height = 8.0 + slope * (self.from - self.shape.half_extents().x) + 0.001;
        let height = height + if slope < 0.0 { self.shape.half_extents().x } else { 0.0 };
        let at = Position::new(self.from, height + self.shape.half_extents().y).unwrap();
        let hero = Body::new(self.shape).character(self.character).collision_mask(mask);
        let hero = world.spawn(hero.at(at)).unwrap();
        let mut ball: Option<BodyId> = None;
        let seen = |world: &table::Run| {
            let state = &world[hero];
            let at = state.position().to_dvec2();
            (at, state.velocity(), state.on_floor())
        };
        let mut step = |world: &mut table::Run, walk: i8, jump: bool| {
            if self.is_met {
                let (at, velocity, _) = seen(world);
                let at = at + DVec2::new(-self.shape.half_extents().x - 0.2, 0.0);
                let thrown = Body::new(Shape::circle(0.03125)).bounce(1.0).collision_mask(CollisionLayers::ALL);
                let thrown = thrown.at(Position::new(at.x, at.y).unwrap());
                let thrown = thrown.velocity(velocity + DVec2::new(20.0, 0.0));
                let last = ball.replace(world.spawn(thrown).unwrap());
                last.into_iter().for_each(|last| drop(world.despawn(last)));
            }
            world.set_input(hero, Input { walk, jump, ..Input::default() });
            world.step();
        };
        for _ in 0..200 {
            step(&mut world, 0, false);
            if seen(&world).2 {
                break;
            }
        }
        let end = hill.line[hill.line.len() - 1].x - 2.0;
        while seen(&world).0.x < self.press.min(end - 1.0) {
            step(&mut world, 127, false);
            if !seen(&world).2 || seen(&world).1.x <= 0.0 {
                return None;
            }
        }
        let (at, before, _) = seen(&world);
        let mut trail = Vec::new();
        while trail.len() < 400 && trail.last().is_none_or(|(at, _, floor): &(DVec2, DVec2, bool)| !floor && at.x < end)
        {
            step(&mut world, 127, trail.is_empty() || !self.taps);
            trail.push(seen(&world));
        }
        (at.x < end).then_some((at, before, trail))
    }

    /// Checks the law for the result of a run.
    fn check(&self, what: &str, (at, before, trail): &Trail) -> bool {
        let (first_at, after, on_floor) = trail[0];
        let Run { tick, gravity, .. } = *self;
        let jump = (2.0 * gravity * self.character.jump_height).sqrt();
        let speed = before.length();
        // `around` contains the directions of the hill's line around the character.
        let line = Hill::new(self.hill).line;
        let reach = self.shape.half_extents().x + speed * tick + 0.1;
        let around: Vec<DVec2> = line
            .windows(2)
            .filter(|ends| ends[1].x > at.x - reach && ends[0].x < at.x + reach)
            .map(|ends| (ends[1] - ends[0]).normalize())
            .collect();
        let steepest = around.iter().map(|along| along.y).fold(0.0, f64::max);
        let level = around.iter().map(|along| along.x).fold(1.0, f64::min);
        assert!(!on_floor, "{what}: the press was lost, {before} to {after}");
        // An impact within the tick rounds a velocity.
        let slack = if self.is_met { speed / 100.0 } else { NEAR };
        assert!(after.x >= before.x.min(speed * level) - slack, "{what}: braked from {before} to {after}");
        assert!(after.y <= jump + speed * steepest + NEAR, "{what}: too fast, {before} to {after}");
        // Alone on one straight floor, the jump keeps the previous velocity away from the floor, and adds the run.
        let is_straight = around.iter().all(|along| *along == around[0]);
        let plain = DVec2::new((before.x + self.character.air_acceleration * tick).min(speed), jump - gravity * tick);
        let mean = (DVec2::new(before.x, jump) + plain) / 2.0;
        let off = around[0].perp().dot(mean);
        if is_straight && before.x < self.character.walk_speed && off > 1e-3 && !self.is_met {
            assert!((after - plain).length() < NEAR, "{what}: {after} and not {plain}");
        }
        let is_added = steepest > 0.0 && after.y > plain.y + if self.is_met { speed * steepest / 2.0 } else { NEAR };
        if is_straight && off < -1e-3 {
            let more = after - (around[0] * speed + DVec2::new(0.0, jump - gravity * tick));
            // After an impact, the rest of the tick has air control.
            let most = if self.is_met { self.character.air_acceleration * tick } else { 0.0 };
            let slack = if self.is_met { 0.1 } else { NEAR };
            assert!(more.x >= -NEAR && more.x <= most + NEAR && more.y.abs() < slack, "{what}: off by {more}");
            assert!(is_added, "{what}");
        }
        assert!((first_at - *at).length() <= (speed + jump) * 1.5 * tick + NEAR, "{what}");
        let top = trail.iter().map(|(at, ..)| at.y).fold(f64::MIN, f64::max);
        // The character may fly over the end of the hill.
        let has_landed = trail.last().is_some_and(|(_, _, floor)| *floor);
        if is_added && has_landed {
            let least = self.character.jump_height - gravity * tick * tick / 8.0;
            assert!(top - at.y >= least - NEAR, "{what}: rises {} and not {least}", top - at.y);
        }
        is_added
    }
}

/// Three characters run up a slope of 45 degrees and jump: with a jump faster than the run, slower, and much slower.
#[test]
fn characters_that_run_up_a_slope_jump_off_it() {
    let rows = [
        "............................./",
        "............................/#",
        ".........................../##",
        "........................../###",
        "........................./####",
        "......................../#####",
        "......................./######",
        "....................../#######",
        "##############################",
    ];
    let mut world = World::new(map(&rows), Settings::default());
    let hero = |walk_speed, jump_height| Character { walk_speed, jump_height, ..Character::default() };
    let runs = [(18.0, hero(8.0, 3.2), 50), (4.0, hero(24.0, 3.2), 60), (18.0, hero(8.0, 0.4), 50)];
    let bodies = runs.map(|(x, character, press)| {
        let body = Body::new(Shape::aabb(0.35, 0.45)).at((x, 1.45)).character(character);
        (world.spawn(body).unwrap(), press)
    });
    for tick in 0..66 {
        for (body, press) in bodies {
            world.set_input(body, Input { jump: tick >= press, ..Input::walk(1.0) });
        }
        let before = bodies.map(|(body, _)| world[body].velocity());
        world.step();
        for ((body, press), before) in bodies.into_iter().zip(before) {
            if tick == press {
                assert!(!world[body].on_floor() && world[body].velocity().x >= before.x);
            }
        }
    }
}

/// Random hills, speeds, heights, shapes, symmetries and tick rates, alone and hit by balls.
#[test]
fn a_press_on_a_slope_leaves_it_in_that_tick_and_does_not_brake() {
    let (mut added, mut runs) = (0, 0);
    let whole = u64::from(often(120, 300));
    let seeds = seeds(whole, 0);
    for seed in seeds.clone() {
        let mut random = Random(mix(seed));
        let run = Run::random(&mut random);
        let symmetry = random.below(8) as usize;
        let what = format!("seed {seed} {symmetry} {run:?}");
        let Some(trail) = run.play(&Way::turned(0)) else { continue };
        added += u32::from(run.check(&what, &trail));
        runs += 1;
        assert_eq!(Some(trail), run.play(&Way::turned(symmetry)), "{what}");
    }
    assert!(runs > 0 && (added > 20 || seeds.end - seeds.start < whole), "{added} of {runs}");
}

/// A press buffered in the air by `jump_buffer` jumps up the slope on which the character lands.
#[test]
fn a_buffered_press_leaves_the_slope_of_the_landing() {
    all_ways(|way| {
        for shape in [Shape::aabb(0.35, 0.45), Shape::circle(0.4)] {
            let hill = Hill::new("------//////////");
            let settings = Settings::default().tick(1.0 / 60.0);
            let mut world = way.world(&hill.canvas, settings);
            let character = Character { walk_speed: 20.0, jump_height: 0.5, jump_buffer: 0.5, ..Character::default() };
            let at = Position::new(5.0, 8.75).unwrap();
            let velocity = DVec2::new(20.0, 0.0);
            let hero = world.spawn(Body::new(shape).at(at).character(character).velocity(velocity)).unwrap();
            let held = |jump| Input { walk: 127, jump, ..Input::default() };
            world.set_input(hero, held(true));
            world.step();
            world.set_input(hero, held(false));
            while !world[hero].on_floor() {
                world.step();
            }
            let before = world[hero].velocity();
            world.step();
            let after = world[hero].velocity();
            let what = format!("{shape:?}: {before} to {after}");
            assert!(before.y > 5.0 && !world[hero].on_floor(), "{what}");
            assert!(after.x >= before.x - NEAR && after.y > before.y, "{what}");
        }
    });
}

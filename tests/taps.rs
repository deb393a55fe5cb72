//! The height of a jump with an apex hang whose button is released: at least `min_jump_height`, never above the full
//! jump.

use crate::body_laws::seeds;
use crate::prelude::*;
use crate::table::Run;

/// Ticks that a press waits for the floor, and ticks of one run.
const BUFFER: f64 = 60.0;
const TICKS: u32 = 4000;

#[derive(Clone, Copy, Debug, PartialEq)]
enum From {
    Floor,
    /// The press comes in the air before the landing. The button is released when the jump starts.
    Buffer,
    /// The press comes in the first tick after the edge.
    Edge,
    Air,
    Wall,
}

/// A scene: a character that jumps in one way.
#[derive(Clone, Copy, Debug)]
struct Tap {
    from: From,
    shape: Shape,
    character: Character,
    gravity: f64,
    tick: f64,
    pace: f64,
    /// Number of one of the eight symmetries.
    symmetry: usize,
    /// Whether another body with a mask is near. The two never collide.
    has_neighbour: bool,
}

impl Tap {
    fn random(seed: u64) -> Tap {
        let mut random = Random(mix(seed));
        let from = random.pick(&[From::Floor, From::Buffer, From::Edge, From::Air, From::Wall]);
        let tick = 1.0 / random.pick(&[30.0, 50.0, 60.0, 120.0, 144.0, 240.0]);
        let jump_height = random.range(0.5, 5.0);
        let pace = random.pick(&[1.0, 1.0, 0.5, 0.3]);
        let [time, part, in_air] = [(4.0 * tick / pace, 1.0), (0.05, 1.0), (0.3, 5.0)].map(|(a, b)| random.range(a, b));
        let character = Character {
            jump_height,
            jump_time: random.pick(&[0.0, time]),
            min_jump_height: jump_height * random.pick(&[0.1, 1.0, part, part]),
            apex_speed_threshold: random.range(0.5, 25.0),
            apex_gravity_scale: random.range(0.05, 0.99),
            fall_gravity_scale: random.pick(&[1.0, 2.0]),
            max_fall_speed: 1e3,
            walk_speed: 6.0,
            ground_acceleration: 1e9,
            ground_braking: 1e9,
            air_acceleration: 0.0,
            coyote_time: if from == From::Edge { 5.0 * tick / pace } else { 0.0 },
            jump_buffer: if from == From::Buffer { BUFFER * tick } else { 0.0 },
            air_jumps: if from == From::Air { 1 } else { random.pick(&[0, 1]) },
            air_jump_height: random.pick(&[0.0, in_air]),
            wall_jump_speed: if from == From::Wall { 5.0 } else { 0.0 },
            ..Character::default()
        };
        // An air jump comes before a buffered jump, and a coyote jump before both.
        let air_jumps = if from == From::Buffer { 0 } else { character.air_jumps };
        Tap {
            from,
            shape: random.pick(&[Shape::aabb(0.375, 0.5), Shape::circle(0.5)]),
            character: Character { air_jumps, ..character },
            gravity: random.range(15.0, 80.0),
            tick,
            pace,
            symmetry: random.below(8) as usize,
            has_neighbour: random.one_in(2),
        }
    }

    /// Height of the jump in tiles.
    fn height(&self) -> f64 {
        let Character { jump_height, air_jump_height, .. } = self.character;
        if self.from == From::Air && air_jump_height > 0.0 { air_jump_height } else { jump_height }
    }

    /// How far the highest tick may be below the top, which lies between two ticks, in tiles.
    fn between_ticks(&self) -> f64 {
        // At a slower time scale, `jump_time` is rounded to a whole number of longer or shorter ticks, so it may be up
        // to one seventh shorter.
        let own = self.character.jump_gravity(self.tick * self.pace).unwrap_or(self.gravity);
        1.5 * own.max(self.gravity) * self.tick * self.tick / 8.0
    }

    /// Returns the world in the tick before the press, and the character.
    fn begin(&self) -> (Run, BodyId) {
        let mut canvas = Canvas::default();
        canvas.blocks((-8, -1), (3, -1));
        if self.from == From::Wall {
            canvas.blocks((-8, -40), (-8, 60));
        }
        let settings = Settings::default().gravity((0.0, -self.gravity)).tick(self.tick);
        let mut world = Way::turned(self.symmetry).world(&canvas, settings);
        let half = self.shape.half_extents().x;
        let at = match self.from {
            From::Floor => position(0.25, 0.5),
            From::Buffer => position(0.25, 0.5 + 1.0 / 4096.0),
            From::Edge => position(3.5, 0.5),
            From::Air => position(0.25, 20.0),
            From::Wall => position(half - 7.0, 20.0),
        };
        let mask = if self.has_neighbour { CollisionLayers::ALL } else { CollisionLayers::NONE };
        let body = |shape| Body::new(shape).collision_mask(mask);
        let hero = body(self.shape).time_scale(self.pace).character(self.character);
        let hero = world.spawn(hero.at(at)).unwrap();
        if self.has_neighbour {
            // The neighbour stands next to the path of the whole rise, if the character only moves straight up.
            let at = match self.from {
                From::Floor | From::Buffer => position(0.25 - half - 0.25 - 1.0 / 1024.0, 6.0),
                _ => position(-2.0, 6.0),
            };
            world.spawn(body(Shape::aabb(0.25, 6.0)).at(at)).unwrap();
        }
        let mut tap = |walk, ticks| (0..ticks).for_each(|_| self.step(&mut world, hero, walk, false));
        match self.from {
            From::Buffer => {}
            From::Floor | From::Air => tap(0, 2),
            From::Wall => tap(-127, 2),
            From::Edge => {
                tap(0, 1);
                while world[hero].on_floor() {
                    self.step(&mut world, hero, 127, false);
                }
            }
        }
        (world, hero)
    }

    fn step(&self, world: &mut Run, hero: BodyId, walk: i8, jump: bool) {
        world.set_input(hero, Input { walk, jump, ..Input::default() });
        world.step();
    }

    /// Returns the rises of the character above its position at the jump, tick by tick until the fall, with the button
    /// held for `held` ticks.
    fn rises(&self, held: u32) -> Vec<f64> {
        let (mut world, hero) = self.begin();
        let mut base = up(&world, hero);
        let mut rises = Vec::new();
        for tick in 0..TICKS {
            if self.from == From::Buffer && world[hero].on_floor() && rises.is_empty() {
                base = up(&world, hero);
            }
            self.step(&mut world, hero, 0, tick < held);
            let has_jumped = !rises.is_empty() || world[hero].velocity().y > 0.0 || self.from != From::Buffer;
            if has_jumped {
                rises.push(up(&world, hero) - base);
                if world[hero].velocity().y <= 0.0 && tick >= held.min(1) {
                    return rises;
                }
            }
        }
        panic!("{self:?}: the character hangs for ever, held for {held} ticks");
    }
}

fn up(world: &Run, hero: BodyId) -> f64 {
    world[hero].position().to_dvec2().y
}

fn top(rises: &[f64]) -> f64 {
    rises.iter().copied().fold(0.0, f64::max)
}

/// Jumps from the floor, the buffer, an edge, the air and a wall. The button is held for one tick, for two, and so on
/// up to the top. A later release never gives a lower jump. A button released after one tick gives `min_jump_height`,
/// unless the first tick is already higher.
#[test]
fn a_released_jump_with_a_hang_reaches_the_tap_height() {
    let mut counts = [0; 5];
    let held_long: Vec<u32> = (1..=12).chain([13, 17, 21, 34, 55, 89, 144, 233]).collect();
    let seeds = seeds(100, 0);
    for seed in seeds.clone() {
        let tap = Tap::random(seed);
        counts[tap.from as usize] += 1;
        let (height, least, between) = (tap.height(), tap.character.min_jump_height, tap.between_ticks());
        let whole = tap.rises(TICKS);
        let mut last = 0.0;
        for held in if long() { held_long.clone() } else { vec![1, 2, 5, 9, 21, 55, 233] } {
            let rises = tap.rises(held);
            let top = top(&rises);
            let what =
                || format!("seed {seed}, held for {held} ticks, {top} tiles, held attached_to: {height}\n{tap:?}");
            assert!(top >= least.min(height - between) - NEAR, "{}", what());
            assert!(top <= height + NEAR, "{}", what());
            assert!(top >= last - NEAR, "{}: lower than {last}, released earlier", what());
            last = top;
            let is_exact = tap.from != From::Air || height <= tap.character.jump_height;
            if held == 1 && is_exact {
                assert!(top <= least.max(rises[0]) + between + NEAR, "{}", what());
            }
            if held as usize > whole.len() {
                break;
            }
        }
    }
    println!("{counts:?}");
    assert!(seeds.end - seeds.start < 100 || counts.iter().all(|count| *count > 6), "{counts:?}");
}

/// Next to another body that it never hits, a character with a mask moves as one without.
#[test]
fn a_tap_is_the_same_with_masks() {
    for seed in 0..often(25, 60).into() {
        let tap = Tap::random(seed);
        for held in [1, 3, 8] {
            let [alone, beside] = [false, true].map(|has_neighbour| Tap { has_neighbour, ..tap }.rises(held));
            let bits = |rises: &[f64]| rises.iter().map(|rise| rise.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&alone), bits(&beside), "seed {seed}, held for {held} ticks: {tap:?}");
        }
    }
}

/// A wall without gravity that pushes a box in each tick does not change the height of a tap.
#[test]
fn a_tap_that_is_pushed_along_reaches_the_tap_height() {
    let mut hits = 0;
    for seed in 0..often(40, 100).into() {
        let shape = Shape::aabb(0.375, 0.5);
        let character = Character { wall_jump_speed: 0.0, ..Tap::random(seed).character };
        let tap = Tap { from: From::Floor, shape, character, has_neighbour: false, ..Tap::random(seed) };
        for held in [1, 3, 8] {
            let (mut world, hero) = tap.begin();
            world.set_collision_mask(hero, CollisionLayers::ALL).unwrap();
            let wall = Body::new(Shape::aabb(0.25, 6.0)).gravity_scale(0.0).mass(1000.0);
            let at = position(-0.375 - 0.25, 6.0);
            let wall = world.spawn(wall.collision_mask(CollisionLayers::ALL).at(at)).unwrap();
            let (mut top, base): (f64, f64) = (0.0, up(&world, hero));
            for tick in 0.. {
                world.set_velocity(wall, (2.0, 0.0)).unwrap();
                tap.step(&mut world, hero, 0, tick < held);
                hits += world.events().iter().filter(|event| matches!(event.kind, EventKind::HitBody { .. })).count();
                top = top.max(up(&world, hero) - base);
                if up(&world, hero) < base - 1e-3 || tick > 1 && world[hero].on_floor() {
                    break;
                }
            }
            let (height, least, between) = (tap.height(), tap.character.min_jump_height, tap.between_ticks());
            let what = format!("seed {seed}, held for {held} ticks, {top} tiles: {tap:?}");
            // Until an impact, a body moves along the chord of the tick's parabola, off by up to an eighth of `g dt^2`.
            assert!(top >= least.min(height - between) - between - NEAR && top <= height + between + NEAR, "{what}");
        }
    }
    assert!(hits > 100, "{hits}");
}

/// In an area with other gravity, a released jump rises no higher than a held one, and falls.
#[test]
fn a_tap_comes_down_under_other_gravity() {
    for seed in 0..often(20, 60).into() {
        for (number, factor) in [0.1, 0.5, 2.0].into_iter().enumerate() {
            let tap = Tap { from: From::Floor, has_neighbour: false, pace: 1.0, ..Tap::random(seed) };
            let character = Character { jump_buffer: 0.0, coyote_time: 0.0, wall_jump_speed: 0.0, ..tap.character };
            let tap = Tap { character, ..tap };
            let top = |held: u32| {
                let (mut world, hero) = tap.begin();
                let effects = Effects { gravity_scale: Some(factor), ..Effects::default() };
                let area = Area::new(AreaShape::aabb(60.0, 60.0).unwrap()).at((0.0, 0.0));
                world.spawn_area(area.effects(effects)).unwrap();
                let (mut top, base): (f64, f64) = (0.0, up(&world, hero));
                for tick in 0..20 * TICKS {
                    tap.step(&mut world, hero, 0, tick < held);
                    top = top.max(up(&world, hero) - base);
                    if world[hero].on_floor() && tick > 1 {
                        return top;
                    }
                }
                panic!("seed {seed}, gravity {number}: the character stays in the air");
            };
            let (tapped, held) = (top(1), top(TICKS * 20));
            assert!(tapped <= held + NEAR, "seed {seed}, gravity {number}: {tapped} and held {held}: {tap:?}");
        }
    }
}

/// A jump of 2 tiles with a slow hang, released after one tick, stopped at 0.767 tiles.
#[test]
fn a_tap_of_a_slow_jump_reaches_the_tap_height() {
    let character = Character {
        jump_height: 2.0,
        jump_time: 0.65,
        min_jump_height: 1.5,
        apex_speed_threshold: 6.0,
        apex_gravity_scale: 0.35,
        ..Character::default()
    };
    for symmetry in 0..8 {
        let (from, shape) = (From::Floor, Shape::aabb(0.35, 0.5));
        let (gravity, tick, pace) = (40.0, 1.0 / 60.0, 1.0);
        let tap = Tap { from, shape, character, gravity, tick, pace, symmetry, has_neighbour: false };
        let top = top(&tap.rises(1));
        assert!((1.5..1.5 + 40.0 * tick * tick / 8.0).contains(&top), "{symmetry}: {top}");
    }
}

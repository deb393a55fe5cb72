//! What lands on a level floor is on it to the unit, whatever it slid along on its way down: so a body exactly as high as a
//! passage gets in.

use crate::body_laws::seeds;
use crate::scene::{Canvas, I64Vec2, ONE, Random, units};
use crate::symmetry::Symmetry;
use surefoot::map::LayerMask;
use surefoot::platform::Platform;
use surefoot::prelude::*;
use surefoot::{Input, World, geometry::DVec2};

/// A passage so many tiles high, its floor at y = 0, from x = -6 to its mouth at x = 0, in a wall 12 tiles high.
fn scene(height: i32) -> Canvas {
    let mut canvas = Canvas::default();
    canvas.blocks((-10, -2), (8, -1));
    canvas.blocks((-6, height), (-1, 12));
    canvas
}

#[derive(Debug, Default)]
struct Seen {
    landed: u32,
    over: u32,
}

/// One fall, and a walk to the left for so long that it leads through the passage.
fn fall_and_walk(seed: u64, seen: &mut Seen) {
    let mut random = Random(seed ^ 0xFA11_0000);
    let symmetry = Symmetry(random.pick(&Placement::all().collect::<Vec<_>>()));
    let height = random.between(1, 3) as i32;
    let tick = 1.0 / random.pick(&[30.0, 60.0, 60.0, 120.0, 240.0]);
    let high = i64::from(height) * ONE / 2;
    let is_round = random.one_in(3);
    let (shape, half) = if is_round {
        (Shape::circle_units(high), I64Vec2::splat(high))
    } else {
        let half = I64Vec2::new(random.between(ONE / 8, ONE), high);
        (Shape::aabb_units(half), half)
    };
    let up = random.between(ONE, 7 * ONE);
    let from = I64Vec2::new(half.x + random.pick(&[0, 0, 1, 1_000_000]), high + up);
    let walk = random.pick(&[-127, -60, -1]);
    let map = scene(height).map(symmetry);
    let settings = symmetry.settings().tick(tick);
    let on_platform = random.one_in(4);
    let mut world = if on_platform {
        let mut parts = map.clone().into_parts();
        parts.layers[0].cells.fill(TileId::EMPTY);
        let mut world = World::new(surefoot::Map::from_parts(parts).unwrap(), settings);
        world.spawn_platform(Platform::new(vec![map.layers()[0].clone()])).unwrap();
        world.step();
        world
    } else {
        World::new(map, settings)
    };
    let mask = random.pick(&[LayerMask::NONE, LayerMask::ALL]);
    let sideways = random.pick(&[0.0, -3.0, -0.01]);
    let body = Body::new(symmetry.shape(shape)).at(symmetry.position(units(from.x, from.y))).collision_mask(mask);
    let body = body.moving(symmetry.velocity(DVec2::new(sideways, 0.0))).character(Character::default());
    let hero = world.spawn(body).unwrap();
    if mask == LayerMask::ALL {
        // Far enough not to be in the way, near enough to be looked at.
        let other = Body::new(Shape::circle(0.25)).collision_mask(mask).gravity_scale(0.0);
        let at = from + I64Vec2::new(half.x + ONE, 2 * ONE);
        world.spawn(other.at(symmetry.position(units(at.x, at.y)))).unwrap();
    }
    let seconds = 4.0;
    let (mut was_on_floor, mut farthest) = (false, i64::MAX);
    let what = format!("seed {seed}: {symmetry:?} {shape:?} from {from} tick {tick} {mask:?} platform {on_platform}");
    for _ in 0..(seconds / tick) as u32 {
        let walk = if was_on_floor { -127 } else { walk };
        world.set_input(hero, Input { walk: symmetry.walk(walk), ..Input::default() });
        world.step();
        let at = symmetry.inverse().position(world[hero].position()).units();
        let on_floor = world[hero].on_floor() && at.y - high < ONE / 2;
        if on_floor && !was_on_floor {
            seen.landed += 1;
        }
        was_on_floor |= on_floor;
        assert!(!on_floor || at.y == high, "{what}: {} units over the floor", at.y - high);
        farthest = farthest.min(at.x);
        if at.x < -8 * ONE {
            break;
        }
    }
    assert!(was_on_floor, "{what}: does not come down");
    assert!(farthest < -2 * ONE, "{what}: comes to {}", farthest as f64 / ONE as f64);
    seen.over += 1;
}

/// `SUREFOOT_BODIES` and `SUREFOOT_BODIES_SEED` make it longer.
#[test]
fn what_falls_beside_a_mouth_lands_on_the_floor_to_the_unit_and_goes_in() {
    let (mut seen, mut broken) = (Seen::default(), 0);
    let seeds = seeds(1_000, 0);
    for seed in seeds.clone() {
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| fall_and_walk(seed, &mut seen))).is_err() {
            broken += 1;
        }
    }
    println!("{seen:?}");
    assert_eq!(broken, 0, "of {}", seeds.end - seeds.start);
    assert_eq!(u64::from(seen.over), seeds.end - seeds.start);
}

/// A crate that slides down a wall comes down on the floor to the unit too.
#[test]
fn a_crate_that_falls_along_a_wall_lands_on_the_floor_to_the_unit() {
    let mut random = Random(0xC7A7E);
    for symmetry in Symmetry::all() {
        for _ in 0..40 {
            let mut canvas = Canvas::default();
            canvas.blocks((-4, -1), (4, -1));
            canvas.blocks((-4, 0), (-1, 9));
            let half = I64Vec2::new(random.between(ONE / 8, ONE), random.between(ONE / 8, ONE));
            let is_round = random.one_in(3);
            let (shape, half) = if is_round {
                (Shape::circle_units(half.y), I64Vec2::splat(half.y))
            } else {
                (Shape::aabb_units(half), half)
            };
            let mut world = World::new(canvas.map(symmetry), symmetry.settings());
            let at = symmetry.position(units(half.x, half.y + random.between(ONE, 6 * ONE)));
            let velocity = symmetry.velocity(DVec2::new(-3.0, 0.0));
            let body = Body::new(symmetry.shape(shape)).at(at).moving(velocity).friction(random.pick(&[0.0, 1.0]));
            let id = world.spawn(body).unwrap();
            (0..60).for_each(|_| world.step());
            let at = symmetry.inverse().position(world[id].position()).units();
            assert_eq!(at, half, "{symmetry:?} {shape:?}");
        }
    }
}

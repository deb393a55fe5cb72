//! A body that lands on a flat floor is on it to the unit, whatever it slid along while falling. So a body exactly as
//! high as a passage gets in.

use crate::body_laws::seeds;
use crate::scene::{Canvas, I64Vec2, ONE, Random, catalogues, often, units, variants};
use crate::table::{MASKS, Run, Way, pairs, triples};
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::{Input, geometry::DVec2};

/// A passage `height` tiles high in a wall of 12 tiles. Its floor is at y = 0, from x = -6 to its mouth at x = 0.
fn scene(height: i32) -> Canvas {
    let mut canvas = Canvas::default();
    canvas.blocks((-10, -2), (8, -1));
    canvas.blocks((-6, height), (-1, 12));
    canvas
}

#[derive(Debug, Default)]
struct Coverage {
    landed: u32,
    over: u32,
}

/// A world in a symmetry, with its tiles in the map or on a platform.
fn world(turned: usize, canvas: &Canvas, tick: f64, on_platform: bool) -> Run {
    let (way, settings) = (Way::turned(turned), Settings::default().tick(tick));
    if !on_platform {
        return way.world(canvas, settings);
    }
    let mut world = way.world_on_platform(canvas, settings);
    world.step();
    world
}

/// A fall, then a walk to the left long enough to cross the passage.
fn fall_and_walk(seed: u64, seen: &mut Coverage) {
    let mut random = Random(seed ^ 0xFA11_0000);
    let turned = random.index(8);
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
    let on_platform = random.one_in(4);
    let mut world = world(turned, &scene(height), tick, on_platform);
    let mask = random.pick(&MASKS);
    let sideways = random.pick(&[0.0, -3.0, -0.01]);
    let body = Body::new(shape).at(units(from.x, from.y)).collision_mask(mask).velocity((sideways, 0.0));
    let hero = world.spawn(body.character(Character::default())).unwrap();
    if mask == CollisionLayers::ALL {
        // The other body is too far away to be in the way, but near enough to be considered.
        let other = Body::new(Shape::circle(0.25)).collision_mask(mask).gravity_scale(0.0);
        world.spawn(other.at(units(from.x + half.x + ONE, from.y + 2 * ONE))).unwrap();
    }
    let seconds = 4.0;
    let (mut was_on_floor, mut farthest) = (false, i64::MAX);
    let what = format!("seed {seed}: {turned} {shape:?} from {from} tick {tick} {mask:?} platform {on_platform}");
    for _ in 0..(seconds / tick) as u32 {
        let walk = if was_on_floor { -127 } else { walk };
        world.set_input(hero, Input { walk, ..Input::default() });
        world.step();
        let at = world[hero].position().units();
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

/// `SUREFOOT_BODIES` and `SUREFOOT_BODIES_SEED` make the test longer.
#[test]
fn a_body_that_falls_in_front_of_a_passage_lands_to_the_unit_and_enters() {
    let (mut seen, mut broken) = (Coverage::default(), 0);
    let seeds = seeds(300, 0);
    for seed in seeds.clone() {
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| fall_and_walk(seed, &mut seen))).is_err() {
            broken += 1;
        }
    }
    println!("{seen:?}");
    assert_eq!(broken, 0, "of {}", seeds.end - seeds.start);
    assert_eq!(u64::from(seen.over), seeds.end - seeds.start);
}

/// A circle exactly as high as a passage enters it from every position in front of the mouth, even if it already
/// touches the upper corner.
#[test]
fn a_circle_as_high_as_a_passage_enters_from_next_to_its_corner() {
    let mut random = Random(0xC1C1E);
    for (turned, height, most) in triples(0..8, 1..=3, [10, 100_000, 450_000, 1 << 30]) {
        let high = i64::from(height) * ONE / 2;
        let mut world = world(turned, &scene(height), 1.0 / 60.0, false);
        let before = random.between(0, most);
        let hero = Body::new(Shape::circle_units(high)).at(units(before, high)).character(Character::default());
        let hero = world.spawn(hero).unwrap();
        for _ in 0..60 {
            world.set_input(hero, Input { walk: -127, ..Input::default() });
            world.step();
        }
        let at = world[hero].position().units();
        assert!(at.x < -ONE && at.y == high, "{turned} {height} from {before}: {at}");
    }
}

/// A crate that slides down a wall also lands on the floor to the unit.
#[test]
fn a_crate_that_falls_along_a_wall_lands_on_the_floor_to_the_unit() {
    let mut random = Random(0xC7A7E);
    for (turned, _) in pairs(0..8, 0..40) {
        let mut canvas = Canvas::default();
        canvas.blocks((-4, -1), (4, -1));
        canvas.blocks((-4, 0), (-1, 9));
        let (shape, half) = any_shape(&mut random, ONE / 8);
        let mut world = world(turned, &canvas, 1.0 / 60.0, false);
        let at = units(half.x, half.y + random.between(ONE, 6 * ONE));
        let body = Body::new(shape).at(at).velocity((-3.0, 0.0)).friction(random.pick(&[0.0, 1.0]));
        let id = world.spawn(body).unwrap();
        (0..60).for_each(|_| world.step());
        assert_eq!(world[id].position().units(), half, "{turned} {shape:?}");
    }
}

/// Returns a shape and its half-extents, of at most a tile.
fn any_shape(random: &mut Random, least: i64) -> (Shape, I64Vec2) {
    let half = I64Vec2::new(random.between(least, ONE), random.between(least, ONE));
    if random.one_in(3) {
        (Shape::circle_units(half.y), I64Vec2::splat(half.y))
    } else {
        (Shape::aabb_units(half), half)
    }
}

/// Variants of a catalogue with an edge that faces up and is too steep for a floor.
fn steep_variants(gentle: usize) -> impl Iterator<Item = VariantId> {
    let catalogue = catalogues()[gentle].clone();
    let is_steep = |normal: I64Vec2| normal.y > 0 && normal.y < normal.x.abs();
    variants(&catalogue).into_iter().filter(move |id| {
        let edges = &catalogue.variant(*id).edges;
        edges.iter().any(|edge| is_steep(edge.normal().as_i64vec2()))
    })
}

/// A body that falls onto a tile and slides off it.
#[derive(Debug)]
struct Fall {
    /// Number of a symmetry.
    turned: usize,
    gentle: usize,
    variant: VariantId,
    /// Number of blocks between the tile and the floor.
    blocks: i32,
    tick: f64,
    shape: Shape,
    half: I64Vec2,
    from: I64Vec2,
    velocity: DVec2,
    /// Input of the walk, `None` for a body without a character.
    walk: Option<i8>,
    on_platform: bool,
    mask: CollisionLayers,
}

impl Fall {
    fn random(seed: u64, (gentle, variant): (usize, VariantId)) -> Fall {
        let mut random = Random(surefoot_random::mix(seed));
        let (shape, half) = any_shape(&mut random, ONE / 16);
        let blocks = random.between(0, 2) as i32;
        let top = i64::from(blocks + 1) * ONE;
        let aside = random.between(-half.x, ONE + half.x);
        Fall {
            turned: random.index(8),
            gentle,
            variant,
            blocks,
            tick: 1.0 / random.pick(&[30.0, 60.0, 60.0, 120.0, 240.0]),
            shape,
            half,
            from: I64Vec2::new(aside, top + half.y + random.between(1, 3 * ONE)),
            velocity: DVec2::new(random.pick(&[0.0, 0.0, 3.0, -3.0]), 0.0),
            walk: random.pick(&[None, Some(0), Some(0), Some(127), Some(-127)]),
            on_platform: random.one_in(4),
            mask: random.pick(&MASKS),
        }
    }

    fn canvas(&self) -> Canvas {
        let mut canvas = Canvas::of(&catalogues()[self.gentle]);
        canvas.blocks((-8, -1), (8, -1));
        canvas.blocks((0, 0), (0, self.blocks - 1));
        canvas.put((0, self.blocks), self.variant);
        canvas
    }

    /// Returns whether the body touched a steep surface and a flat one later, and by how many units it was above the
    /// flat one at most.
    fn play(&self) -> (bool, i64) {
        let mut world = world(self.turned, &self.canvas(), self.tick, self.on_platform);
        let body = Body::new(self.shape).at(units(self.from.x, self.from.y)).velocity(self.velocity);
        let body = body.collision_mask(self.mask);
        let body = if self.walk.is_some() { body.character(Character::default()) } else { body };
        let id = world.spawn(body).unwrap();
        let (mut was_steep, mut slid, mut most) = (false, false, 0);
        for _ in 0..(2.0 / self.tick) as u32 {
            world.set_input(id, Input { walk: self.walk.unwrap_or_default(), ..Input::default() });
            world.step();
            let at = world[id].position().units();
            let normals: Vec<_> = world.contacts(id).iter().map(|contact| contact.exact_normal).collect();
            was_steep |= normals.iter().any(|normal| normal.y > 0 && normal.y < normal.x.abs());
            // Flat surfaces of both catalogues are at whole sixteenths of a tile.
            if world[id].on_floor() && normals.iter().any(|normal| normal.x == 0 && normal.y > 0) {
                slid |= was_steep;
                most = most.max((at.y - self.half.y).rem_euclid(ONE / 16));
            }
        }
        (slid, most)
    }
}

/// `SUREFOOT_BODIES` and `SUREFOOT_BODIES_SEED` make it longer.
#[test]
fn a_body_that_slides_off_a_slope_lands_on_the_floor_to_the_unit() {
    let (mut slid, mut broken) = (0_u32, Vec::new());
    let all: Vec<_> = [0, 1].into_iter().flat_map(|i| steep_variants(i).map(move |variant| (i, variant))).collect();
    let whole = u64::from(often(300, 700));
    let seeds = seeds(whole, 0);
    for seed in seeds.clone() {
        let fall = Fall::random(seed, all[seed as usize % all.len()]);
        let (has_slid, over) = fall.play();
        slid += u32::from(has_slid);
        if over != 0 {
            let name = catalogues()[fall.gentle].variant_name(fall.variant);
            broken.push(format!("seed {seed}: {over} units over the floor, {name}: {fall:?}"));
        }
    }
    println!("{slid}");
    let count = seeds.end - seeds.start;
    assert!(broken.is_empty(), "{} falls, {slid} slid:\n{}", broken.len(), broken[..broken.len().min(12)].join("\n"));
    assert!(count < whole || u64::from(slid) > count / 20, "{slid} of {count}");
}

//! Mirror, turn and shift a scene, and the result is mirrored, turned and shifted: the same bits.

use crate::scene::{I64Vec2, ONE, Random, units};
use surefoot::map::{LegendEntry, MapParts, Sides};
use surefoot::prelude::*;

/// One of the eight symmetries of the square, of whole scenes: mirror x first, then turn clockwise.
#[derive(Clone, Copy, Debug)]
pub struct Symmetry(pub Placement);

impl Symmetry {
    pub fn vector(self, v: I64Vec2) -> I64Vec2 {
        let mut v = if self.0.mirrored() { I64Vec2::new(-v.x, v.y) } else { v };
        for _ in 0..self.0.turns() {
            v = I64Vec2::new(v.y, -v.x);
        }
        v
    }

    pub fn place(self, at: Place) -> Place {
        let v = self.vector(at.units());
        units(v.x, v.y)
    }

    pub fn shape(self, shape: Shape) -> Shape {
        if self.0.turns() % 2 == 1 { shape.turned() } else { shape }
    }

    pub fn velocity(self, v: DVec2) -> DVec2 {
        let mut v = if self.0.mirrored() { DVec2::new(-v.x, v.y) } else { v };
        for _ in 0..self.0.turns() {
            v = DVec2::new(v.y, -v.x);
        }
        v
    }

    pub fn up(self, up: Up) -> Up {
        let turned = self.vector(up.direction());
        [Up::PlusY, Up::MinusX, Up::MinusY, Up::PlusX].into_iter().find(|u| u.direction() == turned).unwrap()
    }

    /// The tile that a tile becomes: the one its centre lies in.
    pub fn tile(self, (x, y): (i32, i32)) -> (i32, i32) {
        let v = self.vector(I64Vec2::new(2 * i64::from(x) + 1, 2 * i64::from(y) + 1));
        (((v.x - 1) / 2) as i32, ((v.y - 1) / 2) as i32)
    }
}

/// A square of cells around the origin, each a variant or empty, in all its symmetries.
#[derive(Clone)]
pub struct Square {
    pub half: i32,
    pub cells: Vec<Option<VariantId>>,
}

impl Square {
    pub fn random(random: &mut Random, half: i32, filled: f64, from: &[VariantId]) -> Square {
        let count = (2 * half) * (2 * half);
        let cells = (0..count).map(|_| (random.range(0.0, 1.0) < filled).then(|| random.pick(from))).collect();
        Square { half, cells }
    }

    pub fn tile(&self, (x, y): (i32, i32)) -> Option<VariantId> {
        self.cells[((y + self.half) * 2 * self.half + x + self.half) as usize]
    }

    pub fn map(&self, symmetry: Symmetry, shift: (i32, i32)) -> Map {
        let catalogue = Catalogue::builtin();
        let width = 2 * self.half;
        let mut cells = vec![EntryId(0); (width * width) as usize];
        for y in -self.half..self.half {
            for x in -self.half..self.half {
                if let Some(variant) = self.tile((x, y)) {
                    let variant = catalogue.variant(variant);
                    let placed = catalogue.place(variant.pattern, variant.placement.then(symmetry.0));
                    let (tx, ty) = symmetry.tile((x, y));
                    cells[((ty + self.half) * width + tx + self.half) as usize] = EntryId(placed.0 + 1);
                }
            }
        }
        let mut parts = MapParts::new(width as u32, width as u32);
        parts.legend = LegendEntry::every_variant(&catalogue);
        parts.cells = cells;
        parts.origin = (shift.0 - self.half, shift.1 - self.half);
        parts.sides = Sides::default();
        Map::from_cells(parts).unwrap()
    }
}

/// A body's way through 600 ticks, brought back to the unchanged scene.
fn run(square: &Square, symmetry: Symmetry, shift: (i32, i32), body: &Plan, ticks: u32) -> Vec<Place> {
    let up = symmetry.up(Up::PlusY);
    let gravity = symmetry.velocity(DVec2::new(0.0, -40.0));
    let settings = Settings::default().up(up).gravity(gravity).unwrap();
    let mut world = World::new(square.map(symmetry, shift), settings);
    let away = I64Vec2::new(i64::from(shift.0) * ONE, i64::from(shift.1) * ONE);
    let start = symmetry.place(body.start) + away;
    let mut plan = Body::new(symmetry.shape(body.shape))
        .at(start)
        .moving(symmetry.velocity(body.velocity))
        .friction(body.friction)
        .response(body.response);
    if body.walks {
        plan = plan.character(Character::default());
    }
    let id = world.spawn(plan).unwrap();
    let mut way = Vec::new();
    for tick in 0..ticks {
        if body.walks {
            let walk = [127, 127, -127, 60, 0][(tick / 40) as usize % 5];
            let walk = if symmetry.0.mirrored() { -walk } else { walk };
            world.set_input(id, Input { walk, jump: tick % 50 < 5, ..Input::default() });
        }
        world.step();
        way.push(Place::from_units(0, 0).unwrap() + (world[id].place() - (Place::ORIGIN + away)));
    }
    way
}

#[derive(Debug)]
struct Plan {
    shape: Shape,
    start: Place,
    velocity: DVec2,
    friction: f64,
    response: Response,
    walks: bool,
}

fn check(seed: u64, runs: u32, ticks: u32) {
    let mut random = Random(seed);
    let all: Vec<VariantId> = (0..96).map(VariantId).collect();
    for number in 0..runs {
        let filled = random.range(0.1, 0.7);
        let square = Square::random(&mut random, 5, filled, &all);
        let size = random.range(0.05, 0.9);
        let half = [size, random.range(0.05, 0.9)];
        let aligned = random.below(2) == 0;
        let snap = |v: f64| if aligned { (v * 16.0).round() / 16.0 } else { v };
        let shape = if random.below(2) == 0 {
            Shape::circle(snap(half[0]))
        } else {
            Shape::aabb(snap(half[0]).max(0.0625), snap(half[1]).max(0.0625))
        };
        if shape.check().is_err() {
            continue;
        }
        let start = Place::new(snap(random.range(-4.0, 4.0)), snap(random.range(-4.0, 4.0))).unwrap();
        let velocity = DVec2::new(random.range(-20.0, 20.0), random.range(-20.0, 20.0));
        let response = random.pick(&[Response::Slide, Response::Slide, Response::Bounce(0.8), Response::Bounce(0.98)]);
        let plan = Plan {
            shape,
            start,
            velocity,
            friction: random.pick(&[0.0, 0.0, 0.5]),
            response,
            walks: random.below(3) == 0,
        };
        let plain = run(&square, Symmetry(Placement::default()), (0, 0), &plan, ticks);
        for placement in Placement::all() {
            let symmetry = Symmetry(placement);
            let other = run(&square, symmetry, (0, 0), &plan, ticks);
            for (tick, (a, b)) in plain.iter().zip(&other).enumerate() {
                assert_eq!(symmetry.place(*a), *b, "run {number}, {placement:?}, tick {tick}, {plan:?}");
            }
        }
        let shifted = run(&square, Symmetry(Placement::default()), (1_000_000, -1_000_000), &plan, ticks);
        assert_eq!(plain, shifted, "run {number}, shifted, {plan:?}");
    }
}

#[test]
fn mirrored_turned_and_shifted_scenes_give_the_same_bits() {
    let runs = std::env::var("SUREFOOT_RUNS").map_or(20, |runs| runs.parse().unwrap());
    check(0x5EED_0001, runs, 600);
}

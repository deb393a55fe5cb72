//! Mirrored, turned and shifted scenes give mirrored, turned and shifted results.

use super::Ends;
use super::tests::{Ball, Box, RIGHT, Scenes, sweep};
use crate::shapes::Segment;
use crate::sweep::{Hit, Sweep};
use crate::testing::Random;
use glam::{DVec2, dvec2};

#[test]
fn mirrored_and_turned_scenes_give_the_same_bits() {
    let symmetries: [fn(DVec2) -> DVec2; 7] = [
        |v| dvec2(-v.x, v.y),
        |v| dvec2(v.x, -v.y),
        |v| dvec2(v.y, v.x),
        |v| dvec2(-v.y, -v.x),
        |v| dvec2(-v.y, v.x),
        |v| dvec2(-v.x, -v.y),
        |v| dvec2(v.y, -v.x),
    ];
    let mut random = Scenes(Random(11));
    let mut hits = 0;
    for round in 0..20_000 {
        let scale = if round % 2 == 0 { 2.0 } else { 900.0 };
        let (slope, at) = (random.segment(scale), random.point(scale));
        let motion = (slope.a() + slope.b()) * 0.5 - at + random.point(0.5);
        let ends = Ends { start: random.0.range(-1.0, 1.0) < 0.0, end: random.0.range(-1.0, 1.0) < 0.0 };
        for mover in [Ball(0.7), Box(0.3, 0.7)] {
            let found = sweep(mover, at, motion, &slope, ends);
            hits += usize::from(found.hit().is_some());
            for (index, map) in symmetries.into_iter().enumerate() {
                let (a, b) = (map(slope.a()), map(slope.b()));
                let mirrors = index < 4;
                let (slope, ends) = if mirrors {
                    (Segment::new(b, a), Ends { start: ends.end, end: ends.start })
                } else {
                    (Segment::new(a, b), ends)
                };
                let turned = match mover {
                    Box(x, y) if map(RIGHT).x == 0.0 => Box(y, x),
                    other => other,
                };
                let expected = match found {
                    Sweep::Hit(hit) => Sweep::Hit(Hit { point: map(hit.point), normal: map(hit.normal), ..hit }),
                    other => other,
                };
                assert_eq!(sweep(turned, map(at), map(motion), &slope.unwrap(), ends), expected, "{mover:?} {index}");
            }
        }
    }
    assert!(hits > 10_000, "only {hits} scenes hit");
}

#[test]
fn shifted_scenes_give_the_same_times_and_normals() {
    // Coordinates and shifts are multiples of 2^-20, so their sums and differences are exact.
    let lattice = |v: DVec2| (v * f64::from(1 << 20)).round() / f64::from(1 << 20);
    let mut random = Scenes(Random(13));
    let mut hits = 0;
    for _ in 0..20_000 {
        let (a, b, at) = (lattice(random.point(2.0)), lattice(random.point(2.0)), lattice(random.point(2.0)));
        let motion = (a + b) * 0.5 - at + random.point(0.5);
        let ends = Ends { start: random.0.range(-1.0, 1.0) < 0.5, end: random.0.range(-1.0, 1.0) < 0.5 };
        for mover in [Ball(0.7), Box(0.375, 0.75)] {
            let at = |shift: DVec2| {
                let edge = Segment::new(a + shift, b + shift).unwrap();
                match sweep(mover, at + shift, motion, &edge, ends) {
                    Sweep::Hit(hit) => Sweep::Hit((hit.toi, hit.normal)),
                    Sweep::Clear => Sweep::Clear,
                    Sweep::Overlapping => Sweep::Overlapping,
                }
            };
            let found = at(DVec2::ZERO);
            hits += usize::from(found.hit().is_some());
            for shift in [dvec2(3.0, -0.25), dvec2(-16_000_000.0, 12_345_678.5), dvec2(0.0, 1_048_577.0)] {
                assert_eq!(at(shift), found, "{mover:?} from {a} to {b} by {motion}, shifted by {shift}");
            }
        }
    }
    assert!(hits > 10_000, "only {hits} scenes hit");
}

//! Compares the sweeps in f64 with the exact sweep. Most scenes are axis-aligned, in line, or equal but for the last
//! bits. f64 may return `None`, but its results must be right.

use super::exact_clip::cast_exactly;
use super::mover::Mover;
use super::outline::Grown;
use super::rounded::CastResult;
use super::{Sweep, clip, flat, slab};
use crate::exact_arith::twice_signed_area;
use crate::shapes::{Aabb, Segment};
use crate::testing::Random;
use crate::tolerance::IMPACT;
use glam::{DVec2, dvec2};

/// Upper bound of all distances in the scenes, the motion included.
const SIZE: f64 = 24.0;
/// Two-sided bound for the components of a unit normal: a few roundings.
const NORMAL: f64 = 8.0 * f64::EPSILON;

/// Number of scenes to compare. `SUREFOOT_SCENES` overrides it.
fn scenes() -> u64 {
    std::env::var("SUREFOOT_SCENES").map_or(40_000, |count| count.parse().expect("SUREFOOT_SCENES is a number"))
}

/// Generates parts of random scenes.
struct Scenes(Random);

impl Scenes {
    /// A multiple of 1/2 up to 4. Half of the numbers are moved by a few of their last bits.
    fn number(&mut self) -> f64 {
        let whole = self.0.below(17) as f64 / 2.0 - 4.0;
        let nudge = if self.0.below(2) == 0 { 0.0 } else { self.0.below(9) as f64 - 4.0 };
        whole + nudge * f64::EPSILON * f64::powi(2.0, self.0.below(6) as i32)
    }

    fn point(&mut self) -> DVec2 {
        dvec2(self.number(), self.number())
    }

    /// A box just above a segment, and a motion towards the segment at an angle down to 2^-40.
    fn slight(&mut self, a: DVec2, b: DVec2) -> (Aabb, DVec2) {
        let (way, up) = (b - a, (b - a).perp());
        let height = f64::powi(2.0, -(self.0.below(40) as i32));
        let corner = a + way * 0.25 + up * (0.5 * height);
        let opposite = corner + dvec2(up.x.signum(), up.y.signum()) * (1.0 + self.0.below(2) as f64);
        (Aabb::from_corners(corner, opposite).unwrap(), way * 0.5 - up * height)
    }

    fn aabb(&mut self) -> Aabb {
        Aabb::from_corners(self.point(), self.point()).unwrap()
    }
}

/// Returns the exact result. `None` for flat scenes, which the exact cast does not support, and without a motion.
fn cast_exactly_if_possible(aabb: &Aabb, motion: DVec2, corners: &[DVec2]) -> Option<CastResult> {
    let mover = Mover { min: aabb.min(), max: aabb.max(), radius: 0.0 };
    let is_flat = flat::grown_segment_ends(&mover, corners).is_some() || (corners.len() < 3 && mover.is_point());
    (motion != DVec2::ZERO && !is_flat).then(|| cast_exactly(&Grown::new(corners, aabb.min(), aabb.max()), motion))
}

fn agree(found: CastResult, expected: CastResult, motion: DVec2) -> bool {
    match (found, expected) {
        (CastResult::At(found), CastResult::At(expected)) => {
            (found.toi - expected.toi).abs() * motion.length() <= IMPACT * SIZE
                && found.normal.abs_diff_eq(expected.normal, NORMAL)
        }
        (CastResult::Clear, CastResult::Clear) | (CastResult::Overlapping, CastResult::Overlapping) => true,
        _ => false,
    }
}

/// Compares one result, and counts results, hits and overlaps.
fn compare(
    counts: &mut [u64; 3],
    found: Option<CastResult>,
    expected: CastResult,
    motion: DVec2,
    scene: &dyn std::fmt::Debug,
) {
    let Some(found) = found else { return };
    assert!(agree(found, expected, motion), "{found:?}, exactly {expected:?}: {scene:?} by {motion}");
    counts[0] += 1;
    counts[1] += u64::from(matches!(found, CastResult::At(_)));
    counts[2] += u64::from(found == CastResult::Overlapping);
}

#[test]
fn a_box_against_a_segment_in_f64_is_right() {
    let (mut random, mut counts, all) = (Scenes(Random(0x51AB)), [0; 3], scenes());
    for index in 0..all {
        let (a, b) = (random.point(), random.point());
        if a == b {
            continue;
        }
        let (aabb, motion) = if index % 4 == 0 { random.slight(a, b) } else { (random.aabb(), random.point()) };
        let Some(expected) = cast_exactly_if_possible(&aabb, motion, &[a, b]) else { continue };
        let segment = Segment::new(a, b).unwrap();
        // `slab::sweep` and the exact sweep give the same hit except for the corner, which is not compared.
        let found = slab::sweep(&aabb, motion, &segment, DVec2::ZERO).map(|sweep| match (sweep, expected) {
            (Sweep::Hit(hit), CastResult::At(meeting)) => {
                CastResult::At(super::rounded::CastHit { toi: hit.toi, normal: hit.normal, ..meeting })
            }
            (Sweep::Hit(hit), _) => panic!("{hit:?}, exactly {expected:?}: {aabb:?} by {motion}, {segment:?}"),
            (Sweep::Clear, _) => CastResult::Clear,
            (Sweep::Overlapping, _) => CastResult::Overlapping,
        });
        compare(&mut counts, found, expected, motion, &(aabb, segment));
    }
    assert!(counts[0] * 2 > all && counts[1] * 20 > all && counts[2] * 20 > all, "{counts:?}");
}

#[test]
fn a_box_against_a_point_or_a_triangle_in_f64_is_right() {
    let (mut random, mut counts, all) = (Scenes(Random(0xC11B)), [0; 3], scenes());
    for index in 0..all {
        let (aabb, motion) = (random.aabb(), random.point());
        let (a, b, c) = (random.point(), random.point(), random.point());
        let corners = match twice_signed_area(a, b, c) {
            _ if index % 3 == 0 => vec![a],
            turn if turn > 0.0 => vec![a, b, c],
            turn if turn < 0.0 => vec![a, c, b],
            _ => continue,
        };
        let Some(expected) = cast_exactly_if_possible(&aabb, motion, &corners) else { continue };
        let found = clip::cast(&Mover { min: aabb.min(), max: aabb.max(), radius: 0.0 }, motion, &corners);
        compare(&mut counts, found, expected, motion, &(aabb, &corners));
    }
    assert!(counts[0] * 2 > all && counts[1] * 20 > all && counts[2] * 20 > all, "{counts:?}");
}

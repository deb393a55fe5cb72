//! Compares a sweep with queries on the two shapes at many times of the motion, each exactly.
//!
//! The moved shape is exact: a copy moved in f64 would be rounded. With `SUREFOOT_WORST=1` and `-- --nocapture`, each
//! new worst error is printed as a fraction of its bound.

use crate::cases::{Owned, config, size};
use crate::gap::{Part, distance_sq, overlap, parts_overlap, penetration_sq};
use crate::rational::{Q, V, q, to_f64};
use crate::sweep_witness::{Round, overlap_by_more_than};
use crate::sweeps::{scene, sweep};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;
use surefoot_geometry::{DVec2, Hit, Shape, Sweep, tolerance};

/// Number of times of a motion at which overlap is tested.
fn samples() -> u32 {
    if std::env::var_os("SUREFOOT_CASES").is_some() { 64 } else { 8 }
}

/// A moving shape and an obstacle at rest.
struct SweepScene {
    mover: Round,
    obstacle: Round,
    motion: V,
}

impl SweepScene {
    fn new(mover: &Owned, motion: DVec2, obstacle: &Owned) -> SweepScene {
        SweepScene { mover: Round::of(mover), obstacle: Round::of(obstacle), motion: V::of(motion) }
    }

    fn overlaps_at(&self, time: &Q) -> bool {
        overlap_by_more_than(&self.mover.moved(&self.motion.times(time)), &self.obstacle, &q(0.0))
    }

    /// Finds when overlap starts, by bisection: the shapes overlap at `until` and not at 0.
    fn begin(&self, until: f64) -> Q {
        let (mut before, mut after) = (q(0.0), q(until));
        for _ in 0..70 {
            let middle = (&before + &after) / q(2.0);
            let half = if self.overlaps_at(&middle) { &mut after } else { &mut before };
            *half = middle;
        }
        after
    }
}

/// The length to which all error bounds are relative.
fn scene_size(mover: &Owned, motion: DVec2, obstacle: &Owned) -> f64 {
    size(&[mover, obstacle]) + motion.abs().max_element()
}

/// Returns how far two shapes are from touching, apart or overlapping.
fn distance_from_touching(a: &Part, b: &Part) -> f64 {
    let reach = to_f64(&(&a.radius + &b.radius));
    if parts_overlap(a, b) {
        return reach + to_f64(&penetration_sq(a, b).expect("shapes of finite size")).sqrt();
    }
    let (square, reach_sq) = (distance_sq(a, b), (&a.radius + &b.radius) * (&a.radius + &b.radius));
    let sum = reach + to_f64(&square).sqrt();
    // Do not subtract the roots from each other, because f64 would round the difference.
    if sum > 0.0 { to_f64(&(square - reach_sq)).abs() / sum } else { 0.0 }
}

/// Returns whether the error is within the bound. Prints new worst errors on request.
fn holds(what: &'static str, error: f64, bound: f64) -> bool {
    static WORST: Mutex<BTreeMap<&str, f64>> = Mutex::new(BTreeMap::new());
    if std::env::var_os("SUREFOOT_WORST").is_some() && error > 0.0 {
        let mut worst = WORST.lock().unwrap();
        let worst = worst.entry(what).or_default();
        if error / bound > *worst {
            *worst = error / bound;
            eprintln!("{what}: {worst:.3} of the bound");
        }
    }
    error <= bound
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn a_sweep_overlaps_at_the_start_exactly_if_the_shapes_do((mover, motion, obstacle) in scene()) {
        let overlaps = mover.any().overlaps(&obstacle.any());
        prop_assert_eq!(sweep(&mover, motion, &obstacle) == Sweep::Overlapping, overlaps);
        prop_assert_eq!(sweep(&mover, DVec2::ZERO, &obstacle) == Sweep::Overlapping, overlaps);
        prop_assert_eq!(overlap(&Part::of(&mover), &Part::of(&obstacle)), overlaps);
    }

    #[test]
    fn nothing_overlaps_before_the_hit((mover, motion, obstacle) in scene()) {
        let way = SweepScene::new(&mover, motion, &obstacle);
        let until = match sweep(&mover, motion, &obstacle) {
            Sweep::Overlapping => return Ok(()),
            Sweep::Clear => 1.0,
            Sweep::Hit(Hit { toi, .. }) => {
                (toi - tolerance::IMPACT * scene_size(&mover, motion, &obstacle) / motion.length()).max(0.0)
            }
        };
        for step in 0..=samples() {
            let time = q(until) * q(f64::from(step)) / q(f64::from(samples()));
            prop_assert!(!way.overlaps_at(&time), "at {step}/{} of {until}", samples());
        }
    }

    #[test]
    fn the_time_of_impact_is_what_halving_finds((mover, motion, obstacle) in scene()) {
        let Sweep::Hit(Hit { toi, .. }) = sweep(&mover, motion, &obstacle) else { return Ok(()) };
        let (way, size) = (SweepScene::new(&mover, motion, &obstacle), scene_size(&mover, motion, &obstacle));
        // `until` is a time at which the shapes overlap. There is none if they overlap too briefly, or if both are
        // flat.
        let after = (toi + tolerance::IMPACT * size / motion.length()).min(1.0);
        let later = (1..=8).map(|step| after + (1.0 - after) * f64::from(step) / 8.0);
        let Some(until) = std::iter::once(after).chain(later).find(|&time| way.overlaps_at(&q(time))) else {
            return Ok(());
        };
        let late = to_f64(&(way.begin(until) - q(toi)));
        prop_assert!(holds("time of impact", late.abs() * motion.length(), tolerance::IMPACT * size), "late by {late}");
    }

    #[test]
    fn shapes_touch_at_the_hit((mover, motion, obstacle) in scene()) {
        let Sweep::Hit(Hit { toi, point, normal }) = sweep(&mover, motion, &obstacle) else { return Ok(()) };
        let size = scene_size(&mover, motion, &obstacle);
        let there = Part::of(&mover).shifted(&V::of(motion).times(&q(toi)));
        let off = distance_from_touching(&there, &Part::of(&obstacle));
        prop_assert!(holds("touching", off, 4.0 * tolerance::ROUNDING * size), "off by {off}");
        prop_assert!(holds("unit normal", (normal.length() - 1.0).abs(), 8.0 * f64::EPSILON));
        prop_assert!(normal.dot(motion) <= 8.0 * f64::EPSILON * motion.length() && point.is_finite());
        // A copy moved in f64, if it is valid, touches too.
        if let Ok(moved) = mover.moved(&|at| at + motion * toi, &|v| v) {
            prop_assert!(moved.any().touches(&obstacle.any()));
        }
    }

    #[test]
    fn moving_away_along_the_normal_is_free((mover, motion, obstacle) in scene()) {
        let Sweep::Hit(Hit { toi, normal, .. }) = sweep(&mover, motion, &obstacle) else { return Ok(()) };
        // The hit side separates the shapes: the whole obstacle is behind the normal, and the whole mover in front.
        let there = Part::of(&mover).shifted(&V::of(motion).times(&q(toi)));
        let obstacle_part = Part::of(&obstacle);
        let along = |part: &Part| part.corners.iter().map(|corner| corner.dot(&V::of(normal))).collect::<Vec<Q>>();
        let nearest = along(&there).into_iter().min().unwrap() - &there.radius;
        let furthest = along(&obstacle_part).into_iter().max().unwrap() + &obstacle_part.radius;
        let deep = to_f64(&(furthest - nearest));
        let size = scene_size(&mover, motion, &obstacle);
        prop_assert!(holds("behind the normal", deep.abs(), tolerance::IMPACT * size), "{deep}");
    }
}

//! Sweeps of circles and boxes: the time of impact against exact overlap tests around it, and laws of symmetry.

use crate::cases::{self, Owned, SYMMETRIES, Texture, bounded, config, size, texture, vector};
use crate::rational::{V, q};
use crate::sweep_witness::{Kind, Round, kind, overlap_by_more_than};
use proptest::prelude::*;
use surefoot_geometry::{
    Aabb, Capsule, Circle, ConvexPolygon, DVec2, Hit, MAX_COORDINATE, Obb, Point, Segment, Sweep, Triangle, dvec2,
    tolerance,
};

/// Calls the sweep for the kinds of mover and obstacle.
pub(crate) fn sweep(mover: &Owned, motion: DVec2, obstacle: &Owned) -> Sweep {
    sweep_moving(mover, motion, obstacle, None)
}

fn sweep_moving(mover: &Owned, motion: DVec2, obstacle: &Owned, carried: Option<DVec2>) -> Sweep {
    macro_rules! against {
        ($($kind:ident),*) => {
            match (mover, obstacle, carried) {
                $(
                    (Owned::Circle(m), Owned::$kind(o), None) => m.sweep(motion, o),
                    (Owned::Aabb(m), Owned::$kind(o), None) => m.sweep(motion, o),
                    (Owned::Circle(m), Owned::$kind(o), Some(carried)) => m.sweep_moving(motion, o, carried),
                    (Owned::Aabb(m), Owned::$kind(o), Some(carried)) => m.sweep_moving(motion, o, carried),
                )*
                _ => unreachable!("only circles and boxes are moved, and only against shapes of finite size"),
            }
        };
    }
    against!(Point, Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon)
}

pub(crate) fn mover(texture: Texture) -> BoxedStrategy<Owned> {
    prop_oneof![cases::circle(texture).prop_map(Owned::Circle), cases::aabb(texture).prop_map(Owned::Aabb)].boxed()
}

pub(crate) fn scene() -> BoxedStrategy<(Owned, DVec2, Owned)> {
    texture().prop_flat_map(|texture| (mover(texture), vector(texture), bounded(texture))).boxed()
}

/// Error bounds of the sweep: across the path and along it.
fn errors(mover: &Owned, motion: DVec2, obstacle: &Owned) -> (f64, f64) {
    let size = size(&[mover, obstacle]) + motion.abs().max_element();
    (4.0 * tolerance::ROUNDING * size, tolerance::IMPACT * size)
}

/// The motion that the sweep uses: components below 2^-200 count as 0.
fn used(motion: DVec2) -> V {
    let kept = |step: f64| if step.abs() < f64::powi(2.0, -200) { 0.0 } else { step };
    V::of(dvec2(kept(motion.x), kept(motion.y)))
}

/// Compares a sweep with exact overlap tests at times around its time of impact. Few times are enough, because two
/// convex shapes overlap during a single time span. Returns true for a hit whose overlap ends sooner than the error.
pub(crate) fn check(mover: &Owned, motion: DVec2, obstacle: &Owned) -> bool {
    let scene = format!("{mover:?} by {motion} against {obstacle:?}");
    let (m, o, way) = (Round::of(mover), Round::of(obstacle), V::of(motion));
    let overlaps = |time: f64| overlap_by_more_than(&m.moved(&way.times(&q(time))), &o, &q(0.0));
    let is_flat = |hit: Hit| !overlaps(1.0) && !overlaps(hit.toi + (1.0 - hit.toi) / 2.0);
    let found = sweep(mover, motion, obstacle);
    if motion.abs().max_element() > 2.0 * MAX_COORDINATE {
        assert_eq!(found, Sweep::Clear, "{scene}");
        return false;
    }
    let is_kind = match found {
        Sweep::Clear => Kind::Clear,
        Sweep::Hit(_) => Kind::Hit,
        Sweep::Overlapping => Kind::Overlapping,
    };
    assert_eq!(is_kind, kind(&m, &used(motion), &o), "{scene}");
    match found {
        Sweep::Overlapping => assert!(overlaps(0.0), "not overlapping: {scene}"),
        Sweep::Clear => {
            for step in 0..=8 {
                assert!(!overlaps(f64::from(step) / 8.0), "overlapping at {step}/8, but clear: {scene}");
            }
        }
        Sweep::Hit(hit) => {
            let Hit { toi, point, normal } = hit;
            let scene = format!("{hit:?}: {scene}");
            let (across, along) = errors(mover, motion, obstacle);
            let before_and_after = along / motion.length();
            assert!((0.0..=1.0).contains(&toi) && point.is_finite(), "{scene}");
            // A rounded unit vector may be a few bits longer or shorter than 1.
            assert!((normal.length() - 1.0).abs() < 8.0 * f64::EPSILON && normal.dot(motion) < along, "{scene}");
            assert!(!overlaps(0.0), "overlapping at the start: {scene}");
            let there = m.moved(&way.times(&q(toi)));
            assert!(overlap_by_more_than(&there, &o, &-q(across)), "not touching: {scene}");
            assert!(!overlap_by_more_than(&there, &o, &q(across)), "too deep: {scene}");
            for step in 0..4 {
                let time = (toi - before_and_after).max(0.0) * f64::from(step + 1) / 4.0;
                assert!(!overlaps(time), "overlapping at {time}: {scene}");
            }
            let at = Round::of(&Owned::Point(Point::new(point.clamp(DVec2::splat(-1e7), DVec2::splat(1e7))).unwrap()));
            if point.abs().max_element() < 1e7 {
                // The addition that computes the hit point rounds to the spacing of the coordinates, even if the shapes
                // are very near.
                let along = q(along + 4.0 * across + f64::EPSILON * point.abs().max_element());
                assert!(overlap_by_more_than(&at, &o, &-along.clone()), "point off the obstacle: {scene}");
                assert!(overlap_by_more_than(&at, &there, &-along), "point off the mover: {scene}");
            }
            if !overlaps((toi + before_and_after).min(1.0)) {
                // The motion itself may be shorter than the error, and then it may end before the shapes overlap.
                let later = (1..=8).map(|step| toi + (1.0 - toi) * f64::from(step) / 8.0);
                assert!(
                    toi + before_and_after < 1.0 || is_flat(hit) || later.into_iter().any(overlaps),
                    "no hit: {scene}"
                );
                return true;
            }
        }
    }
    false
}

proptest! {
    #![proptest_config(config(300))]
    #[test]
    fn a_time_of_impact_is_when_overlap_begins((mover, motion, obstacle) in scene()) {
        check(&mover, motion, &obstacle);
    }

    #[test]
    fn whole_numbers_too((mover, motion, obstacle) in (mover(Texture::Whole), vector(Texture::Whole), bounded(Texture::Whole))) {
        check(&mover, motion, &obstacle);
    }

    #[test]
    fn circle_against_box_is_box_against_circle(
        (circle, aabb, motion) in texture().prop_flat_map(|t| (cases::circle(t), cases::aabb(t), vector(t))),
    ) {
        let (one, other) = (circle.sweep(motion, &aabb), aabb.sweep(-motion, &circle));
        match (one, other) {
            (Sweep::Hit(one), Sweep::Hit(other)) => {
                prop_assert_eq!(one.toi.to_bits(), other.toi.to_bits());
                prop_assert_eq!(one.normal, -other.normal);
            }
            _ => prop_assert_eq!(one, other),
        }
    }

    #[test]
    fn mirrors_and_quarter_turns_change_no_bit((mover, motion, obstacle) in scene()) {
        // A turned box is constructed again, which rounds its axis once more. So construct it again in its old position
        // first.
        let before = sweep(&mover, motion, &obstacle.moved(&|v| v, &|v| v).unwrap());
        for turn in SYMMETRIES {
            let (mover, obstacle) = (mover.moved(&turn, &turn).unwrap(), obstacle.moved(&turn, &turn).unwrap());
            let turned = match before {
                Sweep::Hit(Hit { toi, point, normal }) => Sweep::Hit(Hit { toi, point: turn(point), normal: turn(normal) }),
                same => same,
            };
            prop_assert_eq!(sweep(&mover, turn(motion), &obstacle), turned);
        }
    }

    #[test]
    fn exact_shifts_change_no_bit(
        (mover, motion, obstacle) in prop_oneof![Just(Texture::Whole), Just(Texture::Lattice)]
            .prop_flat_map(|t| (mover(t), vector(t), bounded(t))),
        x in -1000..1000_i32, y in -1000..1000_i32,
    ) {
        // The shift rounds the corners of a rotated box again.
        prop_assume!(!matches!(obstacle, Owned::Obb(_)));
        let by = dvec2(f64::from(x), f64::from(y));
        let shift = |at: DVec2| at + by;
        let shifted = sweep(&mover.moved(&shift, &|v| v).unwrap(), motion, &obstacle.moved(&shift, &|v| v).unwrap());
        match (sweep(&mover, motion, &obstacle), shifted) {
            (Sweep::Hit(one), Sweep::Hit(other)) => {
                prop_assert_eq!((one.toi, one.normal), (other.toi, other.normal));
                // The addition that computes the hit point rounds numbers below 2^13. The error may have either sign.
                prop_assert!((one.point + by - other.point).abs().max_element() <= 4096.0 * f64::EPSILON);
            }
            (one, other) => prop_assert_eq!(one, other),
        }
    }

    #[test]
    fn only_the_relative_motion_counts((mover, motion, obstacle) in scene(), fraction in -1.0..1.0) {
        let still = sweep_moving(&mover, motion, &obstacle, Some(motion));
        prop_assert!(!matches!(still, Sweep::Hit(_)));
        let carried = motion * fraction;
        let relative = sweep(&mover, motion - carried, &obstacle);
        match (relative, sweep_moving(&mover, motion, &obstacle, Some(carried))) {
            (Sweep::Hit(one), Sweep::Hit(other)) => {
                prop_assert_eq!((one.toi, one.normal), (other.toi, other.normal));
                prop_assert_eq!(one.point + carried * one.toi, other.point);
            }
            (one, other) => prop_assert_eq!(one, other),
        }
    }
}

/// On a small lattice, touching, sliding, grazing and corner-to-corner hits are frequent.
#[test]
fn every_motion_on_a_small_lattice() {
    let movers = [
        Owned::Circle(Circle::new(DVec2::ZERO, 0.0).unwrap()),
        Owned::Circle(Circle::new(DVec2::ZERO, 1.0).unwrap()),
        Owned::Aabb(Aabb::new(-DVec2::ONE, DVec2::ONE).unwrap()),
        Owned::Aabb(Aabb::new(dvec2(-1.0, 0.0), dvec2(1.0, 0.0)).unwrap()),
        Owned::Aabb(Aabb::new(dvec2(0.0, -1.0), dvec2(0.0, 1.0)).unwrap()),
    ];
    let (at, to) = (dvec2(2.0, 0.0), dvec2(2.0, 2.0));
    let diamond = [dvec2(3.0, 0.0), dvec2(4.0, 1.0), dvec2(3.0, 2.0), dvec2(2.0, 1.0)];
    let obstacles = [
        Owned::Point(Point::new(at).unwrap()),
        Owned::Segment(Segment::new(at, to).unwrap()),
        Owned::Segment(Segment::new(at, dvec2(4.0, 0.0)).unwrap()),
        Owned::Segment(Segment::new(at, dvec2(4.0, 2.0)).unwrap()),
        Owned::Circle(Circle::new(dvec2(3.0, 1.0), 1.0).unwrap()),
        Owned::Aabb(Aabb::new(at, dvec2(4.0, 2.0)).unwrap()),
        Owned::Obb(Obb::new(dvec2(3.0, 1.0), DVec2::ONE, dvec2(1.0, 1.0)).unwrap()),
        Owned::Capsule(Capsule::new(at, to, 1.0).unwrap()),
        Owned::Capsule(Capsule::new(dvec2(3.0, 0.0), dvec2(4.0, 1.0), 0.5).unwrap()),
        Owned::Triangle(Triangle::new([at, dvec2(4.0, 0.0), to]).unwrap()),
        Owned::ConvexPolygon(ConvexPolygon::new(&diamond).unwrap()),
    ];
    let mut grazes = 0;
    for mover in &movers {
        for obstacle in &obstacles {
            for start in 0..2 {
                let start = dvec2(f64::from(start % 2), f64::from(start / 2));
                let mover = mover.moved(&|v| v + start, &|v| v).unwrap();
                for step in 0..25 {
                    let motion = dvec2(f64::from(step % 5), f64::from(step / 5 - 2));
                    let flat = !overlap_by_more_than(&Round::of(&mover), &Round::of(obstacle), &q(0.0));
                    grazes += usize::from(check(&mover, motion, obstacle) && flat);
                }
            }
        }
    }
    assert!(grazes > 0, "motions through flat obstacles are among them");
}

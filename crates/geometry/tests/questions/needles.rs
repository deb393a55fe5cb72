//! Needles: shapes whose two sides at a corner have directions that f64, or even 106 bits, cannot tell apart.

use crate::cases::{self, Owned, SYMMETRIES, Texture, config, vector};
use crate::cast_ray::check_straight;
use crate::rational::{V, q};
use crate::sweep_witness::{Kind, Round, kind, overlap_by_more_than};
use crate::sweeps::{check, sweep};
use proptest::prelude::*;
use surefoot_geometry::{
    Aabb, Circle, ConvexPolygon, DVec2, MAX_COORDINATE, Ray, Segment, Shape, Sweep, Triangle, dvec2,
    tolerance::ROUNDING,
};

/// Widths from 1e-10 down to 1e-60.
fn width() -> BoxedStrategy<f64> {
    (33..200_i32, 0.5..1.0_f64, any::<bool>())
        .prop_map(|(power, part, is_exact)| if is_exact { 1.0 } else { part } * f64::powi(2.0, -power))
        .boxed()
}

/// A needle and its tip. Its other end, or its middle, is at the origin, where f64 is fine enough for its width.
fn needle() -> BoxedStrategy<(Owned, DVec2)> {
    let tip = prop_oneof![
        vector(Texture::Whole),
        vector(Texture::Fraction),
        vector(Texture::Plain),
        vector(Texture::Far),
        (1..5_i32, 0..8_usize).prop_map(|(k, turn)| SYMMETRIES[turn](DVec2::splat(f64::from(k)))),
    ];
    let across = (width(), width(), vector(Texture::Plain), 0..6_u8);
    (tip, across, 0..5_u8, 0..8_usize)
        .prop_filter_map("no such needle", |(tip, (a, b, any, side), kind, turn)| {
            let (one, other) = match side {
                0 => (dvec2(a, 0.0), dvec2(0.0, a)),
                1 => (dvec2(a, 0.0), dvec2(-a, 0.0)),
                2 => (dvec2(a, 0.0), dvec2(0.0, b)),
                3 => (tip.perp() * f64::powi(2.0, -60), -tip.perp() * f64::powi(2.0, -60)),
                4 => (tip.perp() * f64::powi(2.0, -100), -tip.perp() * f64::powi(2.0, -100)),
                _ => (any * a, -any * b),
            };
            let to = SYMMETRIES[turn];
            let needle = match kind {
                0 | 1 => Triangle::new([tip, one, other].map(to)).map(Owned::Triangle),
                2 => ConvexPolygon::new(&[tip, one, -tip, other].map(to)).map(Owned::ConvexPolygon),
                3 => ConvexPolygon::new(&[tip, one, -tip * a, other].map(to)).map(Owned::ConvexPolygon),
                _ => Segment::new(to(tip), to(one)).map(Owned::Segment),
            };
            (tip != DVec2::ZERO).then_some((needle.ok()?, to(tip)))
        })
        .boxed()
}

/// A box with one of its corners at `corner`.
fn box_at(corner: DVec2, size: f64, which: u8) -> Option<Owned> {
    let [x, y] = [which & 1, which & 2].map(|is_far| if is_far == 0 { 0.0 } else { size });
    let min = corner - dvec2(x, y);
    Aabb::new(min, min + size).ok().map(Owned::Aabb)
}

fn circle_at(center: DVec2, radius: f64) -> Option<Owned> {
    Circle::new(center, radius).ok().map(Owned::Circle)
}

/// A length of any size along the needle.
fn direction(tip: DVec2) -> DVec2 {
    (tip * f64::powi(2.0, -20)).normalize()
}

/// Checks what holds at any angle: the kind of the sweep's result, that both shapes touch at the hit, and that the
/// point is on both. If the motion runs along a side, nothing more is known about the time.
fn check_needle_sweep(mover: &Owned, motion: DVec2, needle: &Owned) -> Result<(), TestCaseError> {
    let (m, o, way) = (Round::of(mover), Round::of(needle), V::of(motion));
    if motion.abs().max_element() > 2.0 * MAX_COORDINATE {
        return Ok(());
    }
    let (found, expected) = (sweep(mover, motion, needle), kind(&m, &way, &o));
    let scene = format!("{found:?}: {mover:?} by {motion} against {needle:?}");
    let is_kind = match found {
        Sweep::Clear => expected == Kind::Clear,
        Sweep::Hit(_) => expected == Kind::Hit,
        Sweep::Overlapping => expected == Kind::Overlapping,
    };
    prop_assert!(is_kind, "{scene}");
    let Sweep::Hit(hit) = found else { return Ok(()) };
    let across = 4.0 * ROUNDING * (cases::size(&[mover, needle]) + motion.abs().max_element());
    let there = m.moved(&way.times(&q(hit.toi)));
    prop_assert!(overlap_by_more_than(&there, &o, &-q(across)), "not touching: {scene}");
    prop_assert!(!overlap_by_more_than(&there, &o, &q(across)), "too deep: {scene}");
    let at = Round::at(hit.point);
    // The addition that computes the hit point rounds to the spacing of the coordinates.
    let off = -q(across + f64::EPSILON * hit.point.abs().max_element());
    prop_assert!(overlap_by_more_than(&at, &o, &off), "point off the obstacle: {scene}");
    prop_assert!(overlap_by_more_than(&at, &there, &off), "point off the mover: {scene}");
    Ok(())
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn rays_hit_the_tip_of_a_needle((needle, tip) in needle(), any in vector(Texture::Plain), is_beside in any::<bool>()) {
        let corners = needle.corners();
        let (first, last) = (corners[0], corners[corners.len() - 1]);
        for from in [tip * 2.0, tip * 4.0, tip + any, tip + any * 1e-20, -tip * 2.0] {
            let from = if is_beside { dvec2(from.x.next_up(), from.y) } else { from };
            for through in [DVec2::ZERO, tip, -tip, first, last, (first + last) * 0.5] {
                let Ok(ray) = Ray::new(from, through) else { continue };
                check_straight(&Owned::Ray(ray), &needle)?;
                let hit = needle.any().cast_ray(&ray);
                for to in SYMMETRIES {
                    let turned = needle.turned(to).any().cast_ray(&Ray::new(to(from), to(through)).unwrap());
                    prop_assert_eq!(turned.map(|hit| hit.normal), hit.map(|hit| to(hit.normal)));
                }
            }
        }
    }

    #[test]
    fn sweeps_hit_the_tip_of_a_needle(
        (needle, tip) in needle(),
        any in vector(Texture::Plain),
        size in prop_oneof![Just(0.0), Just(1.0), 0.0..4.0, width()],
        which in 0..4_u8,
    ) {
        for from in [tip * 2.0, tip + any, tip + any * 1e-20, -tip * 2.0] {
            for motion in [tip - from, (tip - from) * 2.0, -from, -from * 2.0, any] {
                for mover in [circle_at(from, size), box_at(from, size, which)].into_iter().flatten() {
                    check(&mover, motion, &needle);
                    check_needle_sweep(&mover, motion, &needle)?;
                }
            }
        }
    }

    #[test]
    fn nearly_parallel_sweeps_hit_the_tip_of_a_needle(
        (needle, tip) in needle(),
        far in 0.0..6.0_f64,
        slant in 0.032..0.2_f64,
        size in prop_oneof![Just(0.0), Just(1.0), 0.0..4.0],
        which in 0..8_u8,
    ) {
        let along = direction(tip) * 10.0_f64.powf(far);
        let from = tip + along + along.perp() * if which & 4 == 0 { slant } else { -slant };
        for through in [0.0, 1e-16, 1e-14, 1e-12].map(|beside| tip - along * beside) {
            let motion = (through - from) * 1.5;
            let aside = motion.perp().normalize() * size;
            let circles = [aside, aside * (1.0 - 1e-14)].map(|aside| circle_at(from + aside, size));
            for mover in circles.into_iter().chain([box_at(from, size, which)]).flatten() {
                check_needle_sweep(&mover, motion, &needle)?;
            }
        }
    }

    /// Circles next to the needle, at the distance of the radius up to rounding.
    #[test]
    fn circles_along_a_needle_touch_it(
        (needle, tip) in needle(),
        radius in prop_oneof![Just(0.3), Just(1.0), 0.1..4.0_f64],
        [back, on] in [0.5..4.0_f64, 0.5..4.0_f64],
        is_left in any::<bool>(),
    ) {
        let along = direction(tip);
        let aside = if is_left { along.perp() } else { -along.perp() };
        let ways = [(tip + along * back, tip - along * on), (-along * back, along * on), (along * back, tip - along * on)];
        for (from, to) in ways {
            for lift in [radius, radius.next_down(), radius.next_up(), radius * (1.0 - 1e-14)] {
                let (from, to) = (from + aside * lift, to + aside * lift);
                if let Some(mover) = circle_at(from, radius) {
                    check_needle_sweep(&mover, to - from, &needle)?;
                    check_needle_sweep(&mover, from - to, &needle)?;
                }
            }
        }
    }
}

/// The needle's width is the last bit at the origin, and its tip is on the diagonal. In f64, both sides have the same
/// direction.
#[test]
fn a_ray_onto_a_tip_between_opposite_normals_hits() {
    let tiny = f64::powi(2.0, -186);
    let needle = Triangle::new([DVec2::ONE, dvec2(tiny, 0.0), dvec2(0.0, tiny)]).unwrap();
    let hit = needle.cast_ray(&Ray::new(DVec2::ONE * 2.0, DVec2::ZERO).unwrap()).unwrap();
    assert_eq!((hit.toi, hit.point), (0.5, DVec2::ONE));
    // The normal is a rounded unit vector, so its error may have either sign.
    assert!(hit.normal.abs_diff_eq(DVec2::splat(std::f64::consts::FRAC_1_SQRT_2), f64::EPSILON), "{hit:?}");
    let grain = Aabb::new(DVec2::ONE * 2.0, DVec2::ONE * 2.0).unwrap();
    assert_eq!(grain.sweep(DVec2::ONE * -2.0, &needle).hit(), Some(hit));
}

/// The circle slides up to the wide end of a needle, which sticks out by less than 106 bits tell. The circle comes no
/// closer to the needle until it reaches the tip.
#[test]
fn a_circle_that_grazes_a_needle_touches_it() {
    let needle = [dvec2(0.0, -6.7), dvec2(1.6739139246860216e-25, 0.0), dvec2(-1.6739139246860216e-25, 0.0)];
    let needle = Owned::Triangle(Triangle::new(needle).unwrap());
    let ball = circle_at(dvec2(3.123089037547661, -8.308742298397874), 3.123089037547661).unwrap();
    check_needle_sweep(&ball, dvec2(0.0, 2.108742298397874), &needle).unwrap();
}

/// The motion ends exactly perpendicular to the corner. The circle is deeper than that by less than 106 bits tell.
#[test]
fn a_circle_that_ends_on_a_point_touches_it() {
    for turned in [0, 1, 2, 3] {
        let turn = |at: DVec2| (0..turned).fold(at, |at, _| at.perp());
        let ball = circle_at(turn(dvec2(0.0, f64::powi(2.0, -120))), 1.0).unwrap();
        let point = Owned::Point(surefoot_geometry::Point::new(turn(dvec2(0.3, 1.0))).unwrap());
        check_needle_sweep(&ball, turn(dvec2(0.3, 0.0)), &point).unwrap();
    }
}

/// The needle's wide end is beyond the end of the motion, and 106 bits see nothing else of the needle.
#[test]
fn a_circle_that_stops_beside_a_needle_touches_it_there() {
    let wide =
        [dvec2(3.5739208845393783e-12, 3.154147260876293e-10), dvec2(-4.26044569556639e-19, -3.7600365410760557e-17)];
    let needle = Owned::Triangle(Triangle::new([dvec2(6.066666666666666, 0.0), wide[0], wide[1]]).unwrap());
    let ball = circle_at(dvec2(7.003280734691333, -0.3), 0.3).unwrap();
    check_needle_sweep(&ball, dvec2(-3.1286791536177727, 0.0), &needle).unwrap();
}

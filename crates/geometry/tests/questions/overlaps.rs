use crate::cases::{SYMMETRIES, config, pair, shift, shiftable};
use crate::gap::{Part, overlap};
use proptest::prelude::*;
use surefoot_geometry::{
    Aabb, Capsule, Circle, ConvexPolygon, DVec2, Line, Obb, Point, Ray, Segment, Shape, Triangle, dvec2,
};

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn overlap_agrees_with_clipping_and_exact_distances((a, b) in pair()) {
        let expected = overlap(&Part::of(&a), &Part::of(&b));
        prop_assert_eq!(a.any().overlaps(&b.any()), expected);
        prop_assert_eq!(b.any().overlaps(&a.any()), expected);
    }

    #[test]
    fn mirrors_and_turns_change_no_overlap((a, b) in pair()) {
        for to in SYMMETRIES {
            prop_assert_eq!(a.turned(to).any().overlaps(&b.turned(to).any()), a.any().overlaps(&b.any()));
        }
    }

    #[test]
    fn exact_shifts_change_no_overlap((a, b) in (shiftable(), shiftable()), by in shift()) {
        prop_assert_eq!(a.shifted(by).any().overlaps(&b.shifted(by).any()), a.any().overlaps(&b.any()));
    }
}

fn check(a: &impl Shape, b: &impl Shape, expected: bool) {
    assert_eq!(a.overlaps(b), expected);
    assert_eq!(b.overlaps(a), expected);
}

fn point(x: f64, y: f64) -> Point {
    Point::new(dvec2(x, y)).unwrap()
}

pub(crate) fn segment(a: [f64; 2], b: [f64; 2]) -> Segment {
    Segment::new(a.into(), b.into()).unwrap()
}

pub(crate) fn circle(x: f64, y: f64, radius: f64) -> Circle {
    Circle::new(dvec2(x, y), radius).unwrap()
}

pub(crate) fn aabb(min: [f64; 2], max: [f64; 2]) -> Aabb {
    Aabb::new(min.into(), max.into()).unwrap()
}

fn capsule(a: [f64; 2], b: [f64; 2], radius: f64) -> Capsule {
    Capsule::new(a.into(), b.into(), radius).unwrap()
}

fn diamond(x: f64, y: f64, half: f64) -> ConvexPolygon {
    let at = |dx: f64, dy: f64| dvec2(x + dx * half, y + dy * half);
    ConvexPolygon::new(&[at(1.0, 0.0), at(0.0, 1.0), at(-1.0, 0.0), at(0.0, -1.0)]).unwrap()
}

#[test]
fn thin_shapes_overlap_only_where_they_cross() {
    let level = segment([0.0, 0.0], [4.0, 0.0]);
    check(&point(1.0, 1.0), &point(1.0, 1.0), false);
    check(&point(1.0, 0.0), &level, false);
    check(&level, &level, false);
    check(&level, &segment([1.0, 0.0], [2.0, 0.0]), false);
    check(&level, &segment([4.0, 0.0], [6.0, 0.0]), false);
    check(&level, &segment([1.0, 0.0], [1.0, 3.0]), false);
    check(&level, &segment([4.0, -1.0], [4.0, 1.0]), false);
    check(&level, &segment([1.0, -1.0], [1.0, 3.0]), true);
    check(&level, &segment([2.0, 0.0], [2.0, 0.0]), false);
    // Boxes without a width are segments or points.
    check(&aabb([0.0, 0.0], [4.0, 0.0]), &segment([1.0, -1.0], [1.0, 3.0]), true);
    check(&aabb([0.0, 0.0], [4.0, 0.0]), &aabb([1.0, -1.0], [1.0, 3.0]), true);
    check(&aabb([0.0, 0.0], [4.0, 0.0]), &aabb([1.0, 0.0], [2.0, 0.0]), false);
    check(&aabb([1.0, 1.0], [1.0, 1.0]), &aabb([0.0, 0.0], [4.0, 4.0]), true);
    check(&aabb([0.0, 1.0], [0.0, 1.0]), &aabb([0.0, 0.0], [4.0, 4.0]), false);
    let flat = Obb::new(dvec2(1.0, 1.0), dvec2(5.0, 0.0), dvec2(3.0, 4.0)).unwrap();
    check(&flat, &segment([0.0, 1.0], [4.0, 1.0]), true);
    check(&flat, &flat, false);
    check(&flat, &aabb([-2.0, -3.0], [-1.0, -2.0]), true);
    check(&flat, &aabb([-4.0, -4.0], [-2.0, -3.0]), false);
    // A radius of 0 adds nothing. Any other radius gives a thin shape an area.
    check(&circle(1.0, 0.0, 0.0), &level, false);
    check(&circle(1.0, 0.0, f64::MIN_POSITIVE), &level, false);
    check(&circle(1.0, 0.0, 1e-50), &level, true);
    check(&capsule([1.0, 0.0], [2.0, 0.0], 0.0), &level, false);
    check(&capsule([1.0, 0.0], [1.0, 0.0], 0.0), &aabb([0.0, -1.0], [2.0, 1.0]), true);
    check(&capsule([4.0, 0.0], [6.0, 0.0], 1e-50), &level, true);
}

#[test]
fn rays_and_lines_are_infinite() {
    let up = Ray::new(DVec2::ZERO, DVec2::Y).unwrap();
    let level = Line::new(dvec2(0.0, 9.0), dvec2(1.0, 9.0)).unwrap();
    check(&up, &level, true);
    check(&up, &Line::new(DVec2::ZERO, DVec2::X).unwrap(), false);
    check(&up, &Line::new(DVec2::ZERO, DVec2::Y).unwrap(), false);
    check(&up, &Ray::new(dvec2(-1.0, 5.0), dvec2(0.0, 5.0)).unwrap(), true);
    check(&up, &Ray::new(dvec2(1.0, 5.0), dvec2(2.0, 5.0)).unwrap(), false);
    check(&up, &Ray::new(dvec2(-1.0, 0.0), dvec2(0.0, 0.0)).unwrap(), false);
    check(&level, &Line::new(dvec2(0.0, 9.0), dvec2(1.0, 10.0)).unwrap(), true);
    check(&level, &Line::new(dvec2(3.0, 9.0), dvec2(7.0, 9.0)).unwrap(), false);
    check(&up, &aabb([-1.0, 100.0], [1.0, 101.0]), true);
    check(&up, &aabb([0.0, 100.0], [1.0, 101.0]), false);
    check(&up, &aabb([-1.0, -3.0], [1.0, 0.0]), false);
    check(&up, &diamond(0.0, 50.0, 1.0), true);
    check(&up, &diamond(1.0, 50.0, 1.0), false);
    check(&up, &circle(1.0, 50.0, 1.0), false);
    check(&up, &circle(1.0, 50.0, 1.5), true);
    check(&up, &circle(3.0, -4.0, 5.0), false);
    check(&level, &capsule([5.0, 1.0], [8.0, 8.0], 1.0), false);
    check(&level, &capsule([5.0, 1.0], [8.0, 8.0], 1.25), true);
    // The two lines are one bit from parallel, so they cross far away.
    let almost = Line::new(dvec2(0.0, 8.0), dvec2(1.0, 8.0 + 8.0 * f64::EPSILON)).unwrap();
    check(&level, &almost, true);
}

/// The distances of 3-4-5 triangles are whole numbers, so touching is exact.
#[test]
fn touching_is_not_overlapping_to_the_last_bit() {
    for scale in [1.0, 1.0 / 1024.0, 65536.0] {
        let far = dvec2(3.0, 4.0) * scale;
        let longer = |length: f64| length * scale * (1.0 + f64::EPSILON);
        let ball = circle(0.0, 0.0, 2.0 * scale);
        check(&ball, &circle(far.x, far.y, 3.0 * scale), false);
        check(&ball, &circle(far.x, far.y, longer(3.0)), true);
        let corner = Aabb::new(far, far * 2.0).unwrap();
        check(&circle(0.0, 0.0, 5.0 * scale), &corner, false);
        check(&circle(0.0, 0.0, longer(5.0)), &corner, true);
        // The segment is perpendicular to the direction (3, 4). Its point nearest to the circle's centre is `far`.
        let across = Segment::new(far - dvec2(4.0, -3.0) * scale, far + dvec2(8.0, -6.0) * scale).unwrap();
        check(&circle(0.0, 0.0, 5.0 * scale), &across, false);
        check(&circle(0.0, 0.0, longer(5.0)), &across, true);
        let line = Line::new(across.a(), across.b()).unwrap();
        check(&circle(0.0, 0.0, 5.0 * scale), &line, false);
        check(&circle(0.0, 0.0, longer(5.0)), &line, true);
    }
    // Along an axis, touching is exact for any numbers.
    check(&circle(0.1, 0.3, 0.2), &aabb([0.1 + 0.2, 0.0], [1.0, 1.0]), 0.1 + 0.2 < 0.2 + 0.1);
    check(&aabb([0.0, 0.0], [0.1, 0.1]), &aabb([0.1, 0.0], [0.2, 0.1]), false);
}

#[test]
fn turned_boxes_with_a_common_edge_or_corner_do_not_overlap() {
    let tipped = |x: f64, y: f64| Obb::new(dvec2(x, y), dvec2(5.0, 5.0), dvec2(3.0, 4.0)).unwrap();
    // The sides of the box are (6, 8) and (-8, 6).
    check(&tipped(0.0, 0.0), &tipped(6.0, 8.0), false);
    check(&tipped(0.0, 0.0), &tipped(-8.0, 6.0), false);
    check(&tipped(0.0, 0.0), &tipped(-2.0, 14.0), false);
    check(&tipped(0.0, 0.0), &tipped(6.0 - f64::EPSILON * 4.0, 8.0), true);
    check(&tipped(0.0, 0.0), &tipped(0.0, 0.0), true);
    // The highest corner of the box is (-1, 7).
    check(&tipped(0.0, 0.0), &aabb([-4.0, 7.0], [4.0, 9.0]), false);
    check(&tipped(0.0, 0.0), &aabb([-1.0, 7.0], [4.0, 9.0]), false);
    check(&tipped(0.0, 0.0), &aabb([-4.0, 7.0 - f64::EPSILON * 4.0], [4.0, 9.0]), true);
}

/// The circle's centre is on the pole, next to its upper end. The distance to the end is too small for products in f64,
/// but larger than the radius.
#[test]
fn a_tiny_circle_on_a_segment_overlaps_it_also_next_to_the_end() {
    let radius = f64::powi(2.0, -150);
    let top = f64::powi(2.0, -80);
    for pole in [segment([0.0, -0.75], [0.0, top]), segment([0.0, top], [0.0, -0.75])] {
        check(&circle(0.0, top.next_down(), radius), &pole, true);
        check(&circle(0.0, top, radius), &pole, true);
        check(&circle(0.0, top.next_up(), radius), &pole, false);
        check(&capsule([0.0, top.next_down()], [1.0, 1.0], radius), &pole, true);
    }
}

#[test]
fn a_shape_wholly_inside_another_one_overlaps_it() {
    let small = circle(0.0, 0.0, 0.25);
    check(&small, &aabb([-9.0, -9.0], [9.0, 9.0]), true);
    check(&small, &Obb::new(DVec2::ZERO, dvec2(9.0, 9.0), dvec2(3.0, 4.0)).unwrap(), true);
    check(&small, &diamond(0.0, 0.0, 9.0), true);
    check(&small, &Triangle::new([dvec2(-9.0, -9.0), dvec2(9.0, -9.0), dvec2(0.0, 9.0)]).unwrap(), true);
    check(&small, &circle(1.0, 0.0, 9.0), true);
    check(&small, &circle(0.0, 0.0, 0.25), true);
    check(&capsule([-1.0, 0.0], [1.0, 0.0], 0.5), &diamond(0.0, 0.0, 9.0), true);
    check(&aabb([-1.0, -1.0], [1.0, 1.0]), &diamond(0.0, 0.0, 9.0), true);
    check(&segment([-1.0, 0.0], [1.0, 0.0]), &diamond(0.0, 0.0, 9.0), true);
    check(&point(0.0, 0.0), &diamond(0.0, 0.0, 9.0), true);
    check(&point(0.0, 0.0), &small, true);
}

/// Three, four and five times a number of 50 bits. The squares of the distance and of the radii fill 106 bits, and
/// differ only in later bits.
#[test]
fn discs_that_touch_but_for_less_than_106_bits() {
    let part = 1.0 - 1.0 / (1_u64 << 50) as f64;
    let tiny = f64::powi(2.0, -110);
    let one = Circle::new(dvec2(3.0 * part, 4.0 * part), 2.0 * part).unwrap();
    for (x, overlap) in [(tiny, true), (0.0, false), (-tiny, false)] {
        let other = Circle::new(dvec2(x, 0.0), 3.0 * part).unwrap();
        assert_eq!((one.overlaps(&other), other.overlaps(&one)), (overlap, overlap), "{x}");
    }
}

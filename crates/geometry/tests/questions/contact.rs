use crate::cases::{self, Owned, SYMMETRIES, Texture, capsule, pair, shape, shift, shiftable, size, vector};
use crate::gap::{Part, distance_sq, overlap, parts_overlap, penetration_sq, support};
use crate::overlaps::{aabb, circle, segment};
use crate::rational::{Q, V, q, to_f64};
use crate::run::{count, note, run, share};
use crate::sweep_ties::rough;
use proptest::prelude::*;
use surefoot_geometry::tolerance::{ROUNDING, TOUCH};
use surefoot_geometry::{Capsule, Contact, ConvexPolygon, DVec2, Line, Obb, Point, Ray, Shape, Triangle, dvec2};

/// Error bound of a separating shift: the depth's own error, and that of a normal of the depth's length.
const SHIFTED: f64 = 2.0 * ROUNDING;

/// Error bound of a contact point. A stretch counts as shared if either shape is within ROUNDING of it; the error of
/// the shift is added.
const POINT: f64 = 4.0 * ROUNDING;

/// Largest share of contacts whose normal may change if the shapes are swapped. With small whole coordinates, a few
/// pairs have two equally short ways out.
const TIES: f64 = 0.03;

/// Largest share of contacts whose normal may change in a mirror. Two ways out are then equally short, and the bounding
/// boxes look the same.
const SYMMETRIC: f64 = 0.004;

/// How far a sampled gap may be below the depth: the depth's own error, and the last division and sum of the witness.
const SAMPLED: f64 = 2.0 * ROUNDING;

/// Returns the sign and the square of the distance between straight cores, negative if they overlap. `None` if no shift
/// separates them.
fn sign_and_square_of_gap(a: &Part, b: &Part) -> Option<(f64, Q)> {
    if parts_overlap(a, b) { Some((-1.0, penetration_sq(a, b)?)) } else { Some((1.0, distance_sq(a, b))) }
}

/// Returns `length - sqrt(square)`, without cancellation.
fn length_minus_root(length: &Q, square: &Q) -> f64 {
    let (near, root) = (to_f64(length), to_f64(square).sqrt());
    if near <= 0.0 { near - root } else { to_f64(&(length * length - square)) / (near + root) }
}

/// Returns how much deeper than `depth` the shapes overlap.
fn excess_over_depth(depth: &Q, a: &Part, b: &Part, (sign, square): &(f64, Q)) -> f64 {
    let rest = &a.radius + &b.radius - depth;
    length_minus_root(&(rest * q(*sign)), square) * sign
}

/// Returns whether a contact has another normal than expected. The other normal must separate the shapes too, and must
/// be rare.
fn tie(of: &'static str, a: &Owned, b: &Owned, contact: Contact, normal: DVec2) -> Result<bool, TestCaseError> {
    let is_tie = contact.normal != normal;
    if is_tie {
        let (part_a, part_b) = (Part::of(a), Part::of(b));
        let moved = part_a.shifted(&V::of(normal).times(&q(contact.depth)));
        let left = sign_and_square_of_gap(&moved, &part_b).expect("a shift parted them");
        let error = excess_over_depth(&q(0.0), &moved, &part_b, &left);
        prop_assert!(error.abs() <= SHIFTED * size(&[a, b]), "no tie: {error}");
    }
    count(of, is_tie);
    Ok(is_tie)
}

#[test]
fn depth_is_the_shortest_separating_shift() {
    run(("depth_is_the_shortest_separating_shift", file!()), 250, pair(), |(a, b)| {
        let (part_a, part_b) = (Part::of(&a), Part::of(&b));
        let (overlaps, size) = (overlap(&part_a, &part_b), size(&[&a, &b]));
        let contact = a.any().contact(&b.any());
        let Some(gap) = sign_and_square_of_gap(&part_a, &part_b) else {
            prop_assert_eq!(contact, None, "nothing parts them");
            return Ok(());
        };
        let Some(Contact { normal, depth, .. }) = contact else {
            prop_assert!(!overlaps);
            // Shapes without a contact must be more than `TOUCH` apart, up to rounding.
            prop_assert!(excess_over_depth(&q(-TOUCH), &part_a, &part_b, &gap) <= ROUNDING * size);
            return Ok(());
        };
        prop_assert_eq!(depth > 0.0, overlaps);
        prop_assert!(depth >= -TOUCH && depth.is_finite());
        prop_assert!((normal.length() - 1.0).abs() <= ROUNDING);
        let error = excess_over_depth(&q(depth), &part_a, &part_b, &gap);
        note("depth", error, size);
        prop_assert!(error.abs() <= ROUNDING * size, "depth off by {error}");

        let moved = part_a.shifted(&V::of(normal).times(&q(depth)));
        let left = sign_and_square_of_gap(&moved, &part_b).expect("a shift parted them");
        let error = excess_over_depth(&q(0.0), &moved, &part_b, &left);
        note("gap after the shift", error, size);
        prop_assert!(error.abs() <= SHIFTED * size, "after the shift off by {error}");

        for i in -8..8_i32 {
            for direction in [dvec2(8.0, f64::from(i)), dvec2(-f64::from(i), 8.0)] {
                for direction in [direction, -direction] {
                    if let Some(shift) = separation_distance_along(&part_a, &part_b, direction) {
                        note("shorter way out", (depth - shift).max(0.0), size);
                        prop_assert!(depth <= shift + SAMPLED * size, "along {direction} only {shift}");
                    }
                }
            }
        }
        Ok(())
    });
}

#[test]
fn the_point_is_on_both_boundaries_after_separation() {
    run(("the_point_is_on_both_boundaries_after_separation", file!()), 250, pair(), |(a, b)| {
        let (part_a, part_b, size) = (Part::of(&a), Part::of(&b), size(&[&a, &b]));
        let Some(Contact { point, normal, depth }) = a.any().contact(&b.any()) else { return Ok(()) };
        // The addition that computes the point rounds to the spacing of the coordinates.
        let coordinates = point.abs().max_element() * f64::EPSILON;
        let at = V::of(point);
        let error = length_minus_root(&part_b.radius, &part_b.distance_sq_to_edges(&at));
        note("point off the other shape", (error.abs() - coordinates).max(0.0), size);
        prop_assert!(error.abs() <= POINT * size + 2.0 * coordinates, "off {error}");
        let moved = part_a.shifted(&V::of(normal).times(&q(depth)));
        let error = length_minus_root(&part_a.radius, &moved.distance_sq_to(&at));
        note("point off the shape moved", (error.abs() - coordinates).max(0.0), size);
        prop_assert!(error.abs() <= POINT * size + 2.0 * coordinates, "off the moved one {error}");
        Ok(())
    });
}

#[test]
fn swapped_shapes_have_the_same_depth_and_the_opposite_normal() {
    run(("swapped_shapes_have_the_same_depth_and_the_opposite_normal", file!()), 250, pair(), |(a, b)| {
        let (one, other) = (a.any().contact(&b.any()), b.any().contact(&a.any()));
        prop_assert_eq!(one.map(|contact| contact.depth), other.map(|contact| contact.depth));
        let (Some(one), Some(other)) = (one, other) else { return Ok(()) };
        tie("swapped: ties", &a, &b, one, -other.normal)?;
        Ok(())
    });
    assert!(share("swapped: ties") < TIES);
}

#[test]
fn mirrored_and_turned_contacts_are_equal_to_the_bit() {
    run(("mirrored_and_turned_contacts_are_equal_to_the_bit", file!()), 250, pair(), |(a, b)| {
        let contact = a.any().contact(&b.any());
        for to in SYMMETRIES {
            let (a, b) = (a.turned(to), b.turned(to));
            let moved = a.any().contact(&b.any());
            prop_assert_eq!(moved.map(|moved| moved.depth), contact.map(|contact| contact.depth));
            let (Some(moved), Some(contact)) = (moved, contact) else { continue };
            let is_tie = tie("turned: ties", &a, &b, moved, to(contact.normal))?;
            prop_assert!(is_tie || moved.point == to(contact.point), "{moved:?} {contact:?}");
        }
        Ok(())
    });
    assert!(share("turned: ties") < SYMMETRIC);
}

/// Returns whether a mirror or turn leaves the bounding boxes of both shapes' corners in place, up to one common shift.
fn has_symmetric_boxes(a: &Owned, b: &Owned) -> bool {
    let around = |shape: &Owned, turn: fn(DVec2) -> DVec2| {
        let corners = shape.corners();
        let min = corners.iter().fold(DVec2::INFINITY, |min, &corner| min.min(turn(corner)));
        [min, corners.iter().fold(DVec2::NEG_INFINITY, |max, &corner| max.max(turn(corner)))].map(V::of)
    };
    let [as_a, as_b] = [a, b].map(|shape| around(shape, SYMMETRIES[0]));
    SYMMETRIES[1..].iter().any(|&turn| {
        let [to_a, to_b] = [a, b].map(|shape| around(shape, turn));
        let by = as_a[0].minus(&to_a[0]);
        let is_kept = |(at, to): (&V, &V)| *at == to.plus(&by);
        as_a.iter().zip(&to_a).chain(as_b.iter().zip(&to_b)).all(is_kept)
    })
}

/// With these numbers, two ways out are equally short only if f64 sees no difference, or if the boxes look the same.
#[test]
fn mirrors_and_turns_choose_the_same_normal_between_equal_gaps() {
    use Texture::{Far, Mixed, Plain};
    let scenes =
        prop_oneof![3 => Just(Mixed), 1 => Just(Plain), 1 => Just(Far)].prop_flat_map(|t| (shape(t), shape(t)));
    run(("mirrors_and_turns_choose_alike", file!()), 2000, scenes, |(a, b)| {
        let contact = a.any().contact(&b.any());
        for to in SYMMETRIES {
            let expected = contact.map(|met| Contact { point: to(met.point), normal: to(met.normal), ..met });
            let turned = a.turned(to).any().contact(&b.turned(to).any());
            prop_assert!(turned == expected || has_symmetric_boxes(&a, &b), "{turned:?} {expected:?} {a:?} {b:?}");
        }
        Ok(())
    });
}

/// Far from the origin, the coordinates of the contact point are rounded only once.
#[test]
fn a_point_far_away_is_rounded_once() {
    let round =
        rough().prop_flat_map(|t| (cases::circle(t).prop_map(Owned::Circle), capsule(t).prop_map(Owned::Capsule)));
    let scenes =
        (prop_oneof![pair(), round], vector(Texture::Far)).prop_filter_map("beyond the cap", |((a, b), by)| {
            let there = |shape: &Owned| shape.moved(&|v| v + by * 0.5, &|v| v);
            (size(&[&a, &b]) < 4096.0).then_some((there(&a).ok()?, there(&b).ok()?))
        });
    run(("a_point_far_away_is_rounded_once", file!()), 4000, scenes, |(a, b)| {
        let (part_a, part_b, size) = (Part::of(&a), Part::of(&b), size(&[&a, &b]));
        let Some(Contact { point, normal, depth }) = a.any().contact(&b.any()) else { return Ok(()) };
        let half_ulp = |at: f64| (at.abs().next_up() - at.abs()) * 0.5;
        let bound = POINT * size + dvec2(half_ulp(point.x), half_ulp(point.y)).length() * (1.0 + f64::EPSILON);
        let error = length_minus_root(&part_b.radius, &part_b.distance_sq_to_edges(&V::of(point)));
        note("far point off the other shape", error, bound);
        prop_assert!(error.abs() <= bound, "off {error} of {bound}");
        let moved = part_a.shifted(&V::of(normal).times(&q(depth)));
        let error = length_minus_root(&part_a.radius, &moved.distance_sq_to(&V::of(point)));
        note("far point off the shape moved", error, bound);
        prop_assert!(error.abs() <= bound, "off the moved one {error} of {bound}");
        Ok(())
    });
}

#[test]
fn exact_shifts_change_no_bit() {
    run(("exact_shifts_change_no_bit", file!()), 250, (shiftable(), shiftable(), shift()), |(a, b, by)| {
        let (moved_a, moved_b) = (a.shifted(by), b.shifted(by));
        prop_assert_eq!(moved_a.any().touches(&moved_b.any()), a.any().touches(&b.any()));
        let (before, after) = (a.any().contact(&b.any()), moved_a.any().contact(&moved_b.any()));
        prop_assert_eq!(before.is_some(), after.is_some());
        let (Some(before), Some(after)) = (before, after) else { return Ok(()) };
        prop_assert_eq!((before.depth, before.normal), (after.depth, after.normal));
        // Three additions round numbers of that size.
        let rounding = (by.abs().max_element() + after.point.abs().max_element()) * f64::EPSILON * 3.0;
        prop_assert!((after.point - (before.point + by)).abs().max_element() <= rounding);
        Ok(())
    });
}

/// Returns how far `a` must move in a direction to get beyond `b`; `None` if infinitely far. Exact.
fn separation_distance_along(a: &Part, b: &Part, direction: DVec2) -> Option<f64> {
    let straight = support(b, &V::of(direction))? + support(a, &V::of(-direction))?;
    Some(to_f64(&straight) / direction.length() + to_f64(&(&a.radius + &b.radius)))
}

fn check(a: &impl Shape, b: &impl Shape, point: [f64; 2], normal: [f64; 2], depth: f64) {
    let expected = Contact { point: point.into(), normal: normal.into(), depth };
    assert_eq!(a.contact(b), Some(expected));
    let back = b.contact(a).unwrap();
    assert_eq!((back.normal, back.depth), (-expected.normal, depth));
}

#[test]
fn drawn_scenes() {
    let ground = aabb([0.0, -2.0], [10.0, 0.0]);
    // The box rests on the ground, sinks in, and sticks out over the ground's edge. The contact point is the middle of
    // the shared stretch.
    check(&aabb([1.0, 0.0], [3.0, 1.0]), &ground, [2.0, 0.0], [0.0, 1.0], 0.0);
    check(&aabb([1.0, -0.25], [3.0, 1.0]), &ground, [2.0, 0.0], [0.0, 1.0], 0.25);
    check(&aabb([9.0, -0.25], [13.0, 1.0]), &ground, [9.5, 0.0], [0.0, 1.0], 0.25);
    check(&aabb([1.0, 0.0], [3.0, 1.0]), &segment([0.0, 0.0], [2.0, 0.0]), [1.5, 0.0], [0.0, 1.0], 0.0);
    check(&aabb([9.75, -1.5], [12.0, -1.0]), &ground, [10.0, -1.25], [1.0, 0.0], 0.25);
    // The circle is on top of the ground, at its corner, and deep inside.
    check(&circle(4.0, 0.75, 1.0), &ground, [4.0, 0.0], [0.0, 1.0], 0.25);
    check(&circle(13.0, 4.0, 6.0), &ground, [10.0, 0.0], [0.6, 0.8], 1.0);
    check(&circle(9.5, -1.0, 0.5), &ground, [10.0, -1.0], [1.0, 0.0], 1.0);
    check(&circle(3.0, 4.0, 3.0), &circle(0.0, 0.0, 2.0), [1.2, 1.6], [0.6, 0.8], 0.0);
    let lying = Capsule::new(dvec2(6.0, 0.75), dvec2(12.0, 0.75), 1.0).unwrap();
    check(&lying, &ground, [8.0, 0.0], [0.0, 1.0], 0.25);
    check(&ground, &lying, [8.0, -0.25], [0.0, -1.0], 0.25);
    // Both boxes are rotated by a slope of 3 to 4. A side of the first lies on a side of `tipped`, and the point is
    // inside `tipped`.
    let tipped = Obb::new(dvec2(0.0, 0.0), dvec2(5.0, 5.0), dvec2(4.0, 3.0)).unwrap();
    check(
        &Obb::new(dvec2(-6.0, 8.0), dvec2(2.5, 5.0), dvec2(4.0, 3.0)).unwrap(),
        &tipped,
        [-3.0, 4.0],
        [-0.6, 0.8],
        0.0,
    );
    let point = Point::new(dvec2(-1.5, 2.0)).unwrap();
    check(&point, &tipped, [-3.0, 4.0], [-0.6, 0.8], 2.5);
    // The shortest shift separates two crossing segments: here, the first one moves up until its lower end touches the
    // second one.
    check(&segment([1.5, -1.0], [1.5, 3.0]), &segment([0.0, 0.0], [4.0, 0.0]), [1.5, 0.0], [0.0, 1.0], 1.0);
}

#[test]
fn rays_and_lines() {
    let up = Ray::new(dvec2(0.0, -1.0), DVec2::ZERO).unwrap();
    let level = Line::new(DVec2::ZERO, DVec2::X).unwrap();
    // A ray can move back off a line. No shift separates two lines that cross.
    check(&up, &level, [0.0, 0.0], [0.0, 1.0], 1.0);
    let slope = Line::new(DVec2::ZERO, DVec2::ONE).unwrap();
    assert_eq!((level.contact(&slope), level.touches(&slope), level.overlaps(&slope)), (None, false, true));
    check(&Ray::new(DVec2::ZERO, DVec2::Y).unwrap(), &level, [0.0, 0.0], [0.0, 1.0], 0.0);
    check(&circle(50.0, 1.0, 1.5), &level, [50.0, 0.0], [0.0, 1.0], 0.5);
    check(&aabb([50.0, 0.0], [52.0, 1.0]), &level, [51.0, 0.0], [0.0, 1.0], 0.0);
    check(&aabb([-2.0, 50.0], [0.25, 51.0]), &up, [0.0, 50.5], [-1.0, 0.0], 0.25);
    // The ray starts 0.5 below the top of the box, so the shortest way out is upwards.
    check(&up, &aabb([-3.0, -2.0], [3.0, -0.5]), [0.0, -0.5], [0.0, 1.0], 0.5);
    let right = Ray::new(dvec2(3.0, 0.0), dvec2(4.0, 0.0)).unwrap();
    // Two rays on one line can be separated upwards or downwards. They share everything from the second origin on.
    let contact = right.contact(&Ray::new(dvec2(0.0, 0.0), dvec2(1.0, 0.0)).unwrap()).unwrap();
    assert_eq!((contact.point, contact.normal.abs(), contact.depth), (dvec2(3.0, 0.0), DVec2::Y, 0.0));
    assert_eq!(level.contact(&Line::new(dvec2(0.0, 1.0), dvec2(1.0, 1.0)).unwrap()), None);
}

/// The centre is beyond the end of a segment by less than f64 sees in the distance. The contact point is at the end,
/// not beside it.
#[test]
fn a_circle_just_beyond_an_end_touches_the_end() {
    let floor = segment([0.0, 0.0], [1.0, 0.0]);
    for beyond in [f64::powi(2.0, -28), f64::powi(2.0, -30), f64::powi(2.0, -40), f64::EPSILON] {
        let ball = circle(1.0 + beyond, 1.0, 1.0);
        for contact in [floor.contact(&ball), ball.contact(&floor)] {
            let Contact { point, normal, .. } = contact.unwrap();
            // By hand: the point is the end of the floor. The normal leans sideways by the distance of the centre past
            // that end. The errors may have either sign.
            assert!((point - DVec2::X).abs().max_element() <= POINT, "{beyond} {point}");
            assert!((normal.x.abs() - beyond).abs() <= POINT, "{beyond} {normal}");
        }
    }
}

/// A needle pierces a blade. Its tip is so close to the blade's edge that f64 finds both sides of the blade equally
/// near. Either side may be chosen, but the point must be where the tip leaves, not at the blade's edge.
#[test]
fn a_needle_beside_the_edge_of_a_blade_touches_its_side() {
    let (thick, beside) = (f64::powi(2.0, -30), f64::powi(2.0, -36));
    for mirrored in [1.0, -1.0] {
        let flip = |x: f64, y: f64| dvec2(x * mirrored, y);
        let tip = flip(beside, f64::powi(2.0, -10));
        let needle = Triangle::new([flip(0.0, 0.0), flip(0.0, -1.0), tip]).unwrap();
        let blade = Triangle::new([flip(-1.0, 0.0), flip(0.0, -thick), flip(1.0, 0.0)]).unwrap();
        let Contact { point, normal, depth } = needle.contact(&blade).unwrap();
        // By hand, with errors of either sign: the point is where the tip leaves the blade. The blade has a slanted
        // side to the left and one to the right of its edge. The tip leaves through the side where it lies.
        assert!((point - (tip + normal * depth)).abs().max_element() <= POINT, "{point}");
        assert!((point.y + thick * (1.0 - point.x.abs())).abs() <= POINT, "{point}");
        assert!((point.x - tip.x).abs() <= beside / 8.0, "{point}");
        let Contact { point, .. } = blade.contact(&needle).unwrap();
        assert!((point - tip).abs().max_element() <= POINT, "{point}");
    }
}

#[test]
fn ties_have_a_result() {
    // A common centre gives an upward normal. Equal points touch, with an upward normal.
    let (ball, pin) = (circle(1.0, 2.0, 0.5), Point::new(dvec2(1.0, 2.0)).unwrap());
    let expected = Contact { point: dvec2(1.0, 2.5), normal: DVec2::Y, depth: 1.0 };
    assert_eq!(ball.contact(&ball), Some(expected));
    assert_eq!(pin.contact(&pin), Some(Contact { point: pin.position(), normal: DVec2::Y, depth: 0.0 }));
    assert!(pin.touches(&pin) && !pin.overlaps(&pin));
    // A square inside an equal square leaves through its side.
    let diamond = ConvexPolygon::new(&[DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y]).unwrap();
    let contact = diamond.contact(&diamond).unwrap();
    assert!((contact.depth * contact.depth - 2.0).abs() < 8.0 * ROUNDING, "{contact:?}");
    // Even the smallest overlap has a depth above 0.
    let inside = circle(3.0, 4.0, 3.0 * (1.0 + f64::EPSILON)).contact(&circle(0.0, 0.0, 2.0)).unwrap();
    assert!(inside.depth > 0.0 && inside.depth <= 8.0 * ROUNDING, "{inside:?}");
}

//! Laws between results: the results of different queries on two shapes must agree. No witness is needed. The laws
//! reveal queries that decide the same fact in two ways.

use crate::cases::{Owned, Texture, bounded, pair, ray, shape, size, texture, vector};
use crate::contains::shape_and_point;
use crate::gap::{Part, distance_sq};
use crate::intersect::linear;
use crate::rational::q;
use crate::run::{count, note, run};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use surefoot_geometry::tolerance::{ROUNDING, TOUCH};
use surefoot_geometry::{Aabb, Chord, DVec2, Intersect, Intersection, Point, Ray, Shape};

/// Largest difference of two results that are each right within ROUNDING.
const BOTH: f64 = 2.0 * ROUNDING;

/// Error bound of a point on both axes, a distance, and the rounding of this test.
const POINT: f64 = 4.0 * ROUNDING;

/// If a radius is involved, lengths that differ by less than this fraction may count as equal: 2^-97.
const ROUND_DOUBT: f64 = 1.0 / (1_u128 << 97) as f64;

/// Two shapes. Often, a corner of one is at a corner of the other, or at the distance of the radii from it.
fn near() -> BoxedStrategy<(Owned, Owned)> {
    let meeting = texture().prop_flat_map(|t| (shape(t), bounded(t), any::<[u8; 2]>(), any::<bool>())).prop_map(
        |(a, b, [i, j], beside)| {
            let corner = |shape: &Owned, i: u8| shape.corners()[usize::from(i) % shape.corners().len()];
            let beside = if beside { a.radius() + b.radius() } else { 0.0 };
            let by = corner(&a, i) - corner(&b, j) + DVec2::X * beside;
            let there = b.moved(&|v| v + by, &|v| v).unwrap_or_else(|_| b.clone());
            (a, there)
        },
    );
    prop_oneof![2 => pair(), 1 => mixed(), 2 => meeting].boxed()
}

/// Two shapes of different textures.
fn mixed() -> BoxedStrategy<(Owned, Owned)> {
    (texture(), texture()).prop_flat_map(|(one, other)| (shape(one), shape(other))).boxed()
}

/// Returns whether both are lines that cross: they overlap, but no shift separates them.
fn are_crossing_lines(a: &Owned, b: &Owned) -> bool {
    matches!((a, b), (Owned::Line(_), Owned::Line(_))) && a.any().overlaps(&b.any())
}

fn check_pair(a: &Owned, b: &Owned) -> Result<(), TestCaseError> {
    let size = size(&[a, b]);
    let (one, other) = (a.any(), b.any());
    let (distance, squared) = (one.distance(&other), one.distance_sq(&other));
    let (overlaps, touches, contact) = (one.overlaps(&other), one.touches(&other), one.contact(&other));

    prop_assert!(distance >= 0.0 && distance.is_finite() && squared.is_finite());
    prop_assert_eq!(distance == 0.0, squared == 0.0);
    prop_assert!(!overlaps || distance == 0.0, "they overlap, {} apart", distance);
    if are_crossing_lines(a, b) {
        prop_assert_eq!((touches, contact), (false, None));
    } else {
        prop_assert_eq!(overlaps, contact.is_some_and(|contact| contact.depth > 0.0));
        prop_assert_eq!(overlaps || touches, contact.is_some());
        prop_assert!(distance > 0.0 || overlaps || touches, "they share a point and neither overlap nor touch");
        let slack = BOTH * size;
        prop_assert!(distance <= TOUCH + slack || contact.is_none(), "{:?}, but {} apart", contact, distance);
        prop_assert!(distance >= TOUCH - slack || contact.is_some(), "no contact, but {} apart", distance);
        if let Some(contact) = contact.filter(|_| !overlaps) {
            note("depth and distance", contact.depth + distance, size);
            prop_assert!((contact.depth + distance).abs() <= slack, "depth {} at {}", contact.depth, distance);
        }
        count("overlaps", overlaps);
        count("touches", touches);
    }

    prop_assert_eq!(other.distance(&one).to_bits(), distance.to_bits());
    prop_assert_eq!(other.distance_sq(&one).to_bits(), squared.to_bits());
    prop_assert_eq!((other.overlaps(&one), other.touches(&one)), (overlaps, touches));
    prop_assert_eq!(other.contact(&one).map(|c| c.depth.to_bits()), contact.map(|c| c.depth.to_bits()));
    Ok(())
}

#[test]
fn overlap_touch_contact_and_distance_agree() {
    run(("overlap_touch_contact_and_distance_agree", file!()), 2000, near(), |(a, b)| check_pair(&a, &b));
}

/// Every pair of the ten shapes on a small lattice, where boundaries usually touch.
#[test]
fn they_agree_for_every_pair_of_the_ten() {
    use Texture::Whole;
    let kinds: [fn() -> BoxedStrategy<Owned>; 10] = [
        || crate::cases::point(Whole).prop_map(Owned::Point).boxed(),
        || crate::cases::line(Whole).prop_map(Owned::Line).boxed(),
        || ray(Whole).prop_map(Owned::Ray).boxed(),
        || crate::cases::segment(Whole).prop_map(Owned::Segment).boxed(),
        || crate::cases::circle(Whole).prop_map(Owned::Circle).boxed(),
        || crate::cases::aabb(Whole).prop_map(Owned::Aabb).boxed(),
        || crate::cases::obb(Whole).prop_map(Owned::Obb).boxed(),
        || crate::cases::capsule(Whole).prop_map(Owned::Capsule).boxed(),
        || crate::cases::triangle(Whole).prop_map(Owned::Triangle).boxed(),
        || crate::cases::polygon(Whole).prop_map(Owned::ConvexPolygon).boxed(),
    ];
    for (i, one) in kinds.iter().enumerate() {
        for other in &kinds[i..] {
            let name = ("they_agree_for_every_pair_of_the_ten", file!());
            run(name, 20, (one(), other()), |(a, b)| check_pair(&a, &b));
        }
    }
}

#[test]
fn a_point_is_contained_exactly_if_it_is_not_apart() {
    let name = "a_point_is_contained_exactly_if_it_is_not_apart";
    run((name, file!()), 2000, shape_and_point(), |(shape, at)| {
        let Ok(point) = Point::new(at) else { return Ok(()) };
        let contains = shape.any().contains(at);
        prop_assert_eq!(contains, shape.any().distance(&point) == 0.0);
        prop_assert!(contains || !shape.any().overlaps(&point));
        // Points inside and not on the boundary overlap the shape. Thin shapes have no inside.
        prop_assert!(!contains || shape.any().overlaps(&point) || shape.any().touches(&point));
        Ok(())
    });
}

#[test]
fn the_closest_point_is_as_far_as_the_shape_and_on_it() {
    let name = "the_closest_point_is_as_far_as_the_shape_and_on_it";
    run((name, file!()), 2000, shape_and_point(), |(shape, at)| {
        let Ok(point) = Point::new(at) else { return Ok(()) };
        let closest = shape.any().closest_point(at);
        let size = size(&[&shape, &Owned::Point(point)]);
        let bound = POINT * size + 2.0 * f64::EPSILON * closest.abs().max_element();
        let distance = shape.any().distance(&point);
        note("way to the closest point", (closest.distance(at) - distance).abs(), size);
        prop_assert!((closest.distance(at) - distance).abs() <= bound, "{} is not {} away", closest, distance);
        let Ok(closest) = Point::new(closest) else { return Ok(()) };
        prop_assert!(shape.any().distance(&closest) <= bound, "{:?} is not on it", closest);
        Ok(())
    });
}

/// Returns whether `intersect` finds a common point; `None` for pairs without this query.
fn shares(a: &Owned, b: &Owned) -> Option<bool> {
    macro_rules! with {
        ($first:expr) => {
            match b {
                Owned::Line(b) => $first.intersect(b) != Intersection::None,
                Owned::Ray(b) => $first.intersect(b) != Intersection::None,
                Owned::Segment(b) => $first.intersect(b) != Intersection::None,
                Owned::Point(b) => $first.intersect(b) != Chord::None,
                Owned::Circle(b) => $first.intersect(b) != Chord::None,
                Owned::Aabb(b) => $first.intersect(b) != Chord::None,
                Owned::Obb(b) => $first.intersect(b) != Chord::None,
                Owned::Capsule(b) => $first.intersect(b) != Chord::None,
                Owned::Triangle(b) => $first.intersect(b) != Chord::None,
                Owned::ConvexPolygon(b) => $first.intersect(b) != Chord::None,
            }
        };
    }
    Some(match (a, b) {
        (Owned::Line(a), _) => with!(a),
        (Owned::Ray(a), _) => with!(a),
        (Owned::Segment(a), _) => with!(a),
        (Owned::Aabb(a), Owned::Aabb(b)) => Intersect::<Aabb>::intersect(a, b).is_some(),
        _ => return None,
    })
}

#[test]
fn shapes_share_something_exactly_if_they_are_not_apart() {
    let boxes = |t| crate::cases::aabb(t).prop_map(Owned::Aabb);
    let linear_and_any = (texture(), texture(), any::<bool>())
        .prop_flat_map(|(one, other, same)| (linear(one), shape(if same { one } else { other })));
    let cases = prop_oneof![6 => linear_and_any, 1 => texture().prop_flat_map(move |t| (boxes(t), boxes(t)))];
    run(("shapes_share_something_exactly_if_they_are_not_apart", file!()), 3000, cases, |(a, b)| {
        let (shares, distance) = (shares(&a, &b).expect("a pair"), a.any().distance(&b.any()));
        count("share", shares);
        if shares {
            prop_assert!(distance <= ROUND_DOUBT * b.radius(), "{} apart", distance);
        } else {
            prop_assert!(distance > 0.0);
        }
        Ok(())
    });
}

fn check_ray(ray: Ray, shape: &Owned) -> Result<(), TestCaseError> {
    let hit = shape.any().cast_ray(&ray);
    count("hit", hit.is_some());
    if hit.is_some() != ray.overlaps(&shape.any()) {
        // The ray may hit or miss a round shape if its squared distance differs from the squared radius by less than a
        // relative 2^-99.
        let square = distance_sq(&Part::of(&Owned::Ray(ray)), &Part::of(shape));
        let reach = q(shape.radius()) * q(shape.radius());
        prop_assert!((square - &reach).abs() <= q(2.0 * ROUND_DOUBT) * reach, "{:?} {:?}", ray, hit);
    }
    Ok(())
}

#[test]
fn a_ray_hits_exactly_what_it_overlaps() {
    let cases = (texture(), texture(), any::<bool>())
        .prop_flat_map(|(one, other, same)| (ray(one).prop_map(Owned::Ray), shape(if same { one } else { other })));
    run(("a_ray_hits_exactly_what_it_overlaps", file!()), 3000, cases, |(ray, shape)| {
        let Owned::Ray(ray) = ray else { unreachable!("a ray") };
        check_ray(ray, &shape)
    });
}

/// The same law for shapes placed at the ray: through corners and along sides.
#[test]
fn a_ray_past_corners_and_along_sides_hits_exactly_what_it_overlaps() {
    let cases = texture().prop_flat_map(|t| (shape(t), vector(t), any::<[u8; 2]>(), any::<bool>()));
    let name = "a_ray_past_corners_and_along_sides_hits_exactly_what_it_overlaps";
    run((name, file!()), 3000, cases, |(shape, from, [i, j], along)| {
        let corners = shape.corners();
        let (one, other) = (corners[usize::from(i) % corners.len()], corners[usize::from(j) % corners.len()]);
        let Ok(ray) = Ray::new(if along { other } else { from }, one) else { return Ok(()) };
        check_ray(ray, &shape)
    });
}

//! Ray casts against all shapes.

use crate::cases::{Owned, SYMMETRIES, config, ray, shape, size, texture};
use crate::chord::{any_linear, clipped, distance_sq, middle, round, straight_pair};
use crate::intersect::{linear, make};
use crate::linear::{Exact, ROUNDED, Shared, is_near, is_parameter, shared};
use crate::rational::{Q, V, is_root, nearest_of_segment, q, turn};
use crate::run::run;
use proptest::prelude::*;
use surefoot_geometry::{
    Aabb, Capsule, Circle, DVec2, Hit, Line, Point, Ray, Segment, Shape, Triangle, dvec2, tolerance::ROUNDING,
};

/// Error bound of a normal's length, and of its angle to the surface.
const NORMAL: f64 = 8.0 * ROUNDED;

/// Values that differ by less than this fraction of a squared radius may count as equal.
fn doubt() -> Q {
    let part = q(f64::powi(2.0, -48));
    &part * &part
}

fn cast(ray: &Owned, shape: &Owned) -> Option<Hit> {
    let Owned::Ray(ray) = ray else { panic!("{ray:?} is no ray") };
    shape.any().cast_ray(ray)
}

fn is_normal(hit: Hit, ray: &Exact) -> bool {
    let normal = V::of(hit.normal);
    let along = normal.dot(&ray.way());
    // On a nearly parallel side, the normal's rounding exceeds the amount by which the ray opposes the side.
    let is_against = along.is_negative() || &along * &along <= ray.way().length_sq() * q(NORMAL) * q(NORMAL);
    is_root(1.0, &normal.length_sq(), NORMAL) && is_against
}

fn is_square_to(normal: DVec2, way: &V) -> bool {
    let (off, bound) = (V::of(normal).dot(way), q(NORMAL));
    &off * &off <= way.length_sq() * &bound * &bound
}

/// Returns whether a normal points to the side of a line on which a point lies. For nearly parallel lines, the normal's
/// rounding decides.
fn is_on_side_of(normal: DVec2, point: &V, line: &Exact) -> bool {
    let left = line.way().cross(&V::of(normal));
    let side = line.way().cross(&point.minus(&line.at(&Q::zero())));
    left.is_positive() == side.is_positive()
}

/// Returns whether `normal` is that of a side, on the right of its direction.
fn is_normal_of_side(normal: DVec2, side: &V) -> bool {
    is_square_to(normal, side) && side.cross(&V::of(normal)).is_negative()
}

fn is_opposite(normal: DVec2, ray: &Exact) -> bool {
    let off = V::of(normal).cross(&ray.way());
    &off * &off <= ray.way().length_sq() * q(NORMAL) * q(NORMAL)
}

fn check_line(ray: &Owned, obstacle: &Owned) -> Result<(), TestCaseError> {
    let (one, other) = (Exact::of(ray), Exact::of(obstacle));
    let crosses = !one.way().cross(&other.way()).is_zero();
    let expected = match shared(&one, &other) {
        Shared::Point((t, u)) if crosses && t.is_positive() => {
            let is_end = Some(&u) == other.from.as_ref() || Some(&u) == other.to.as_ref();
            (!is_end).then_some(t)
        }
        _ => None,
    };
    let got = cast(ray, obstacle);
    let is_right = match (&expected, got) {
        (None, None) => true,
        (Some(t), Some(hit)) => {
            is_near(hit.point, &one.at(t), size(&[ray, obstacle]))
                && is_parameter(hit.toi, t)
                && is_root(1.0, &V::of(hit.normal).length_sq(), NORMAL)
                && is_square_to(hit.normal, &other.way())
                && is_on_side_of(hit.normal, &one.at(&Q::zero()), &other)
        }
        _ => false,
    };
    prop_assert!(is_right, "{ray:?} at {obstacle:?}: {got:?}, expected {expected:?}");
    Ok(())
}

pub(crate) fn check_straight(ray: &Owned, obstacle: &Owned) -> Result<(), TestCaseError> {
    let corners = obstacle.corners();
    if let &[a, b] = &corners[..] {
        return check_line(ray, &make(2, a, b).unwrap());
    }
    let exact = Exact::of(ray);
    let sides: Vec<(V, V)> =
        (0..corners.len()).map(|side| (V::of(corners[side]), V::of(corners[(side + 1) % corners.len()]))).collect();
    let is_within = |at: &V| sides.iter().all(|(a, b)| turn(a, b, at).is_positive());
    let expected = clipped(&exact, &corners).and_then(|(from, to)| {
        let (from, to) = (from.unwrap(), to.unwrap());
        let middle = exact.at(&((&from + &to) / q(2.0)));
        (corners.len() > 2 && from < to && is_within(&middle)).then_some(from)
    });
    let got = cast(ray, obstacle);
    let is_right = match (&expected, got) {
        (None, None) => true,
        (Some(t), Some(hit)) => {
            let at = exact.at(t);
            let met: Vec<_> =
                sides.iter().filter(|(a, b)| turn(a, b, &at).is_zero()).map(|(a, b)| b.minus(a)).collect();
            let is_outward = match &met[..] {
                [] => is_opposite(hit.normal, &exact),
                [side] => is_normal_of_side(hit.normal, side),
                // At a corner, the normal may be that of either side, or lie between the two.
                [one, other] => {
                    let normal = V::of(hit.normal);
                    let (one_off, other_off) = (normal.dot(one), normal.dot(other));
                    is_normal_of_side(hit.normal, one)
                        || is_normal_of_side(hit.normal, other)
                        || one_off.is_positive() != other_off.is_positive()
                }
                _ => false,
            };
            is_near(hit.point, &at, size(&[ray, obstacle]))
                && is_parameter(hit.toi, t)
                && is_normal(hit, &exact)
                && is_outward
        }
        _ => false,
    };
    prop_assert!(is_right, "{ray:?} at {obstacle:?}: {got:?}, expected {expected:?}");
    Ok(())
}

fn check_round(ray: &Owned, obstacle: &Owned) -> Result<(), TestCaseError> {
    let (exact, size, (p, q_, radius)) = (Exact::of(ray), size(&[ray, obstacle]), middle(obstacle));
    if radius == 0.0 {
        return check_straight(ray, obstacle);
    }
    let (square, got) = (q(radius) * q(radius), cast(ray, obstacle));
    let (less, more) = (&square * (Q::one() - doubt()), &square * (Q::one() + doubt()));
    let nearest = distance_sq(&exact, &p, &q_);
    let is_kind = if got.is_some() { nearest < more } else { nearest >= less };
    prop_assert!(is_kind, "{ray:?} at {obstacle:?}: {got:?}");
    let Some(hit) = got else { return Ok(()) };
    let at = V::of(hit.point);
    let foot = nearest_of_segment(&at, &p, &q_);
    let bound = ROUNDING * size + 2.0 * ROUNDED * hit.point.abs().max_element();
    let off_ray = exact.nearest(&at).minus(&at).length_sq();
    prop_assert!(off_ray <= q(bound) * q(bound), "{ray:?} at {obstacle:?}: {hit:?} is off the ray");
    let outward = at.minus(&foot);
    let from_origin = exact.a.minus(&nearest_of_segment(&exact.a, &p, &q_)).length_sq();
    let is_right = if from_origin < less {
        hit.toi == 0.0 && at == exact.a && is_opposite(hit.normal, &exact)
    } else {
        // The normal points from the straight core to the hit point.
        let straight = V::of(hit.normal).times(&q(radius)).minus(&outward).length_sq();
        let bound = q(4.0 * bound + NORMAL * radius);
        is_root(radius, &outward.length_sq(), ROUNDING * size + 2.0 * ROUNDED * hit.point.abs().max_element())
            && straight <= &bound * &bound
    };
    // A ray that nearly touches the shape is perpendicular to the normal, up to rounding.
    let is_against = is_normal(hit, &exact) || hit.normal.dot(unit_of(ray)) < NORMAL * (1.0 + size / radius);
    prop_assert!(is_right && is_against, "{ray:?} at {obstacle:?}: {hit:?}");
    Ok(())
}

fn unit_of(ray: &Owned) -> DVec2 {
    let Owned::Ray(ray) = ray else { panic!("{ray:?} is no ray") };
    let way = ray.through() - ray.origin();
    (way / way.abs().max_element()).normalize()
}

#[test]
fn ray_hits_on_lines_agree_with_exact_rationals() {
    let pairs = texture().prop_flat_map(|texture| (ray(texture).prop_map(Owned::Ray), linear(texture)));
    run(("rays_hit_lines", file!()), 2000, pairs, |(ray, shape)| check_line(&ray, &shape));
}

#[test]
fn ray_hits_on_straight_shapes_agree_with_exact_rationals() {
    let pairs = straight_pair(any_linear).prop_filter("a ray", |(first, _)| matches!(first, Owned::Ray(_)));
    run(("rays_hit_straight_shapes", file!()), 2000, pairs, |(ray, shape)| check_straight(&ray, &shape));
}

#[test]
fn ray_hits_on_round_shapes_agree_with_exact_rationals() {
    let pairs = texture().prop_flat_map(|texture| (ray(texture).prop_map(Owned::Ray), round(texture)));
    run(("rays_hit_round_shapes", file!()), 2000, pairs, |(ray, shape)| check_round(&ray, &shape));
}

#[test]
fn degenerate_ray_hits_agree_with_exact_rationals() {
    let points: Vec<DVec2> = (-2..=2).flat_map(|x| (-2..=2).map(move |y| dvec2(f64::from(x), f64::from(y)))).collect();
    let unit_box = Owned::Aabb(Aabb::new(DVec2::NEG_ONE, DVec2::ONE).unwrap());
    let flat = Owned::Segment(Segment::new(DVec2::NEG_X, DVec2::X).unwrap());
    let ball = Owned::Circle(Circle::new(DVec2::ZERO, 1.0).unwrap());
    let pill = Owned::Capsule(Capsule::new(DVec2::ZERO, DVec2::X, 1.0).unwrap());
    for (&a, &b) in points.iter().flat_map(|a| points.iter().map(move |b| (a, b))) {
        let Some(ray) = make(1, a, b) else { continue };
        check_straight(&ray, &unit_box).unwrap();
        check_line(&ray, &flat).unwrap();
        check_round(&ray, &ball).unwrap();
        check_round(&ray, &pill).unwrap();
    }
}

#[test]
fn the_rule_at_the_boundary_holds_for_rays() {
    let ray = |origin: [f64; 2], through: [f64; 2]| Ray::new(origin.into(), through.into()).unwrap();
    let unit_box = Aabb::new(DVec2::NEG_ONE, DVec2::ONE).unwrap();
    // The rays miss: the first passes a corner, the second runs along a side, the third starts on a side and points
    // away.
    assert_eq!(unit_box.cast_ray(&ray([0.0, 2.0], [2.0, 0.0])), None);
    assert_eq!(unit_box.cast_ray(&ray([-3.0, 1.0], [-2.0, 1.0])), None);
    assert_eq!(unit_box.cast_ray(&ray([1.0, 0.0], [2.0, 0.5])), None);
    // The first ray starts on a side and points inwards. The second starts inside.
    let hit = |point, normal| Some(Hit { toi: 0.0, point, normal });
    assert_eq!(unit_box.cast_ray(&ray([1.0, 0.0], [0.0, 0.5])), hit(DVec2::X, DVec2::X));
    assert_eq!(unit_box.cast_ray(&ray([0.0, 0.0], [3.0, 4.0])), hit(DVec2::ZERO, dvec2(-0.6, -0.8)));
    // The ray enters through a corner whose two sides oppose it equally.
    let corner = unit_box.cast_ray(&ray([-2.0, -2.0], [-1.5, -1.5])).unwrap();
    assert_eq!((corner.toi, corner.point, corner.normal.x), (2.0, DVec2::NEG_ONE, corner.normal.y));

    // The ray starts on the boundary of a circle, along the tangent.
    assert_eq!(Circle::new(DVec2::ZERO, 1.0).unwrap().cast_ray(&ray([1.0, 0.0], [1.0, 1.0])), None);

    let wall = Segment::new(DVec2::NEG_Y, DVec2::Y).unwrap();
    assert!(wall.cast_ray(&ray([-1.0, 0.0], [1.0, 0.0])).is_some());
    assert_eq!(wall.cast_ray(&ray([-1.0, 1.0], [1.0, 1.0])), None);
    assert_eq!(wall.cast_ray(&ray([0.0, 0.0], [1.0, 0.0])), None);
    assert_eq!(wall.cast_ray(&ray([0.0, -3.0], [0.0, -2.0])), None);
    assert_eq!(Point::new(DVec2::ZERO).unwrap().cast_ray(&ray([-1.0, 0.0], [1.0, 0.0])), None);
    let floor = Line::new(DVec2::ZERO, DVec2::X).unwrap();
    assert_eq!(floor.cast_ray(&ray([0.0, 4.0], [1.0, 2.0])).unwrap().normal, DVec2::Y);
    assert_eq!(floor.cast_ray(&ray([0.0, -4.0], [1.0, -2.0])).unwrap().normal, DVec2::NEG_Y);
}

/// Both sides at the corner oppose the ray equally: one is the y axis, the other has the normal (-4, 3) / 5. The ray's
/// direction has the component -1 along both normals.
#[test]
fn a_ray_through_a_corner_of_equal_sides_has_the_normal_between_them() {
    let triangle = Triangle::new([dvec2(0.0, 1.0), dvec2(0.0, 3.0), dvec2(-3.0, -1.0)]).unwrap();
    let hit = triangle.cast_ray(&Ray::towards(dvec2(1.0, 6.0), dvec2(-1.0, -3.0)).unwrap()).unwrap();
    assert_eq!((hit.toi, hit.point), (1.0, dvec2(0.0, 3.0)));
    // The cast adds two rounded unit vectors and scales the sum to length 1. So the error may have either sign.
    assert!(hit.normal.abs_diff_eq(dvec2(1.0, 3.0) / 10.0_f64.sqrt(), NORMAL), "{}", hit.normal);
}

/// The radius of the capsule is 2^-54 of its length. The ray starts a third of the radius outside and points away.
#[test]
fn a_thin_capsule_is_not_hit_from_beside_it() {
    let thin = Capsule::new(
        dvec2(0.0, -0.41780952824901235),
        dvec2(-2.4048040013069477e-17, 6.710382504511477e-34),
        1.840401417339113e-17,
    );
    let (thin, up) = (thin.unwrap(), Ray::new(DVec2::ZERO, dvec2(0.0, 0.7670452112055958)).unwrap());
    assert!(!thin.overlaps(&up) && thin.distance(&up) > 0.0);
    assert_eq!(thin.cast_ray(&up), None);
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn mirrored_and_turned_rays_hit_the_same_to_the_bit(
        (a, b) in texture().prop_flat_map(|texture| (ray(texture).prop_map(Owned::Ray), shape(texture))),
        symmetry in 0..8_usize,
    ) {
        let to = SYMMETRIES[symmetry];
        let moved = cast(&a.turned(to), &b.turned(to));
        let expected = cast(&a, &b).map(|hit| Hit { point: to(hit.point), normal: to(hit.normal), ..hit });
        prop_assert_eq!(expected, moved);
    }
}

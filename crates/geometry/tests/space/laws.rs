//! Laws between results, which hold whatever the results are.

use crate::cases::{Texture, config, texture};
use crate::scene::{aimed, plane, segment, size, spheres, symmetry, vector};
use proptest::prelude::*;
use surefoot_geometry::Intersect;
use surefoot_geometry::space::{
    DVec3, Plane, PlaneCrossing, Ray3, RayHit3, Segment3, Sphere, Triangle3, TriangleCrossing,
};
use surefoot_geometry::tolerance::ROUNDING;

/// Compares two results: equal to the last bit, or within the error bounds of both.
fn agree(a: f64, b: f64, is_exact: bool) -> bool {
    if is_exact { a == b } else { (a - b).abs() <= 2.0 * ROUNDING * a.abs().max(b.abs()) }
}

fn all_agree<const N: usize>(a: [f64; N], b: [f64; N], is_exact: bool) -> bool {
    a.into_iter().zip(b).all(|(a, b)| agree(a, b, is_exact))
}

fn near(a: DVec3, b: DVec3, bound: f64) -> bool {
    (a - b).abs().max_element() <= bound
}

/// Returns whether a symmetry keeps every bit. Mirrors do. Swapped axes change the order in which three products are
/// added.
fn symmetry_keeps_every_bit(which: usize) -> bool {
    which < 8
}

fn ray_hit(triangle: &Triangle3, a: DVec3, b: DVec3) -> Option<RayHit3> {
    Ray3::new(a, b).unwrap().cast_ray(triangle)
}

fn with_texture<S: Strategy + 'static>(of: fn(Texture) -> S) -> BoxedStrategy<(Texture, S::Value)> {
    texture().prop_flat_map(move |texture| (Just(texture), of(texture))).boxed()
}

proptest! {
    #![proptest_config(config(1000))]
    #[test]
    fn mirrored_triangles_are_hit_alike((_, (triangle, a, b)) in with_texture(aimed), which in 0..48_usize) {
        let to = |v: DVec3| symmetry(which, v);
        let exact = symmetry_keeps_every_bit(which);
        let image = Triangle3::new(triangle.corners().map(to)).unwrap();
        let bound = 4.0 * ROUNDING * size(&[a, b, triangle.corners()[0], triangle.corners()[1], DVec3::ZERO]);
        match (ray_hit(&triangle, a, b), ray_hit(&image, to(a), to(b))) {
            (Some(one), Some(other)) => {
                prop_assert!(agree(one.t, other.t, exact), "{:?} {:?}", one, other);
                prop_assert!(all_agree(one.barycentric, other.barycentric, exact), "{:?} {:?}", one, other);
                let (turn, bound) = if exact { (0.0, 0.0) } else { (2.0 * ROUNDING, bound) };
                prop_assert!(near(to(one.normal), other.normal, turn), "{:?} {:?}", one, other);
                prop_assert!(near(to(one.point), other.point, bound), "{:?} {:?}", one, other);
            }
            (one, other) => prop_assert_eq!(one, other),
        }
        let (one, other) = (Segment3::new(a, b).unwrap(), Segment3::new(to(a), to(b)).unwrap());
        match (one.intersect(&triangle), other.intersect(&image)) {
            (TriangleCrossing::Point { t, .. }, TriangleCrossing::Point { t: u, .. }) => {
                prop_assert!(agree(t, u, exact));
            }
            (one, other) => prop_assert_eq!(one, other),
        }
    }

    #[test]
    fn mirrored_spheres_give_the_same_results((_, (a, b)) in with_texture(spheres), which in 0..48_usize) {
        let image = |s: &Sphere| Sphere::new(symmetry(which, s.center()), s.radius()).unwrap();
        let (c, d) = (image(&a), image(&b));
        prop_assert_eq!((a.overlaps(&b), a.touches(&b)), (c.overlaps(&d), c.touches(&d)));
        prop_assert!(agree(a.distance(&b), c.distance(&d), which < 8));
        prop_assert_eq!((b.overlaps(&a), b.touches(&a), b.distance(&a)), (a.overlaps(&b), a.touches(&b), a.distance(&b)));
        match (a.contact(&b), c.contact(&d)) {
            (Some(one), Some(other)) => {
                prop_assert!(agree(one.depth, other.depth, which < 8));
                // Around a common centre the normal is always up, so it does not follow a mirror.
                if a.center() != b.center() {
                    prop_assert_eq!(symmetry(which, one.normal), other.normal);
                    prop_assert_eq!(symmetry(which, one.point), other.point);
                    let back = b.contact(&a).unwrap();
                    prop_assert_eq!((back.depth, back.normal + DVec3::ZERO), (one.depth, DVec3::ZERO - one.normal));
                }
            }
            (one, other) => prop_assert_eq!(one, other),
        }
    }

    #[test]
    fn mirrored_planes_are_crossed_alike(
        (_, (segment, [p, q, r])) in with_texture(|t| (segment(t), [vector(t), vector(t), vector(t)])),
        which in 0..48_usize,
    ) {
        let to = |v: DVec3| symmetry(which, v);
        let exact = symmetry_keeps_every_bit(which);
        let image = Segment3::new(to(segment.a()), to(segment.b())).unwrap();
        let planes = [
            (Plane::new(p, q), Plane::new(to(p), to(q))),
            (Plane::through([p, q, r]), Plane::through([to(p), to(q), to(r)])),
        ];
        for (one, other) in planes {
            prop_assert_eq!(one.is_ok(), other.is_ok());
            let (Ok(one), Ok(other)) = (one, other) else { continue };
            match (segment.intersect(&one), image.intersect(&other)) {
                (PlaneCrossing::Point { t, .. }, PlaneCrossing::Point { t: u, .. }) => prop_assert!(agree(t, u, exact)),
                (one, other) => prop_assert_eq!(one, other),
            }
        }
    }

    #[test]
    fn shifted_scenes_give_the_same_results(
        (texture, (triangle, a, b)) in prop_oneof![Just(Texture::Whole), Just(Texture::Lattice)]
            .prop_flat_map(|t| (Just(t), aimed(t))),
        by in [-(1 << 20)..1 << 20_i32, -(1 << 20)..1 << 20_i32, -(1 << 20)..1 << 20_i32],
    ) {
        let by = DVec3::from_array(by.map(f64::from));
        // Aimed points are not on the lattice. Round them, so that the whole scene can be shifted exactly.
        let onto = |v: DVec3| (v * 1024.0).round() / 1024.0;
        let (a, b) = (onto(a), onto(b));
        prop_assume!(a != b, "{:?}", texture);
        let there = Triangle3::new(triangle.corners().map(|corner| corner + by)).unwrap();
        match (ray_hit(&triangle, a, b), ray_hit(&there, a + by, b + by)) {
            (Some(one), Some(other)) => {
                prop_assert_eq!((one.t, one.normal, one.barycentric), (other.t, other.normal, other.barycentric));
                // The point is rounded once more in the shifted scene.
                prop_assert!(near(one.point + by, other.point, f64::EPSILON * by.abs().max_element().max(4096.0)));
            }
            (one, other) => prop_assert_eq!(one, other),
        }
        let ball = |center: DVec3| Sphere::new(center, 1.0).unwrap();
        prop_assert_eq!(ball(a).distance(&ball(b)), ball(a + by).distance(&ball(b + by)));
        let fall = |by: DVec3| Segment3::new(a + by, b + by).unwrap();
        let plane = |by: DVec3| Plane::through(triangle.corners().map(|corner| corner + by)).unwrap();
        match (fall(DVec3::ZERO).intersect(&plane(DVec3::ZERO)), fall(by).intersect(&plane(by))) {
            (PlaneCrossing::Point { t, .. }, PlaneCrossing::Point { t: u, .. }) => prop_assert_eq!(t, u),
            (one, other) => prop_assert_eq!(one, other),
        }
    }

    #[test]
    fn the_order_of_corners_does_not_matter((_, (triangle, a, b)) in with_texture(aimed)) {
        let corners = triangle.corners();
        let first = ray_hit(&triangle, a, b);
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let other = Triangle3::new(order.map(|i| corners[i])).unwrap();
            match (first, ray_hit(&other, a, b)) {
                (Some(one), Some(other)) => {
                    prop_assert!(agree(one.t, other.t, false));
                    prop_assert!(all_agree(order.map(|i| one.barycentric[i]), other.barycentric, false));
                    prop_assert!(near(one.normal, other.normal, 2.0 * ROUNDING));
                }
                (one, other) => prop_assert_eq!(one, other),
            }
        }
    }

    #[test]
    fn a_written_scene_reads_back((_, (plane, segment)) in with_texture(|t| (plane(t), segment(t)))) {
        let again: Plane = ron::from_str(&ron::to_string(&plane).unwrap()).unwrap();
        prop_assert_eq!(again, plane);
        let again: Segment3 = ron::from_str(&ron::to_string(&segment).unwrap()).unwrap();
        prop_assert_eq!(again, segment);
    }
}

//! Rays against meshes: no ray slips through, and the nearest triangle is picked.

use crate::cases::{Texture, config};
use crate::exact::{V, normal};
use crate::scene::{target, vector};
use proptest::prelude::*;
use surefoot_geometry::space::{DVec3, Ray3, Triangle3, pick};
use surefoot_geometry::tolerance::ROUNDING;

/// Returns a closed mesh: a tetrahedron whose faces are cut into four at the rounded middles of their edges.
///
/// `None` unless all 16 triangles have the inner point on the same side. Then every ray from that point must hit the
/// mesh.
fn closed(corners: [DVec3; 4], inside: DVec3) -> Option<Vec<Triangle3>> {
    let mut mesh = Vec::new();
    for [i, j, k] in [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]] {
        let (a, b, c) = (corners[i], corners[j], corners[k]);
        let (ab, bc, ca) = ((a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0);
        for corners in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            mesh.push(Triangle3::new(corners).ok()?);
        }
    }
    let is_left = |t: &Triangle3| normal(t.corners()).dot(&V::of(inside).minus(&V::of(t.corners()[0]))).is_positive();
    let is_right = |t: &Triangle3| normal(t.corners()).dot(&V::of(t.corners()[0]).minus(&V::of(inside))).is_positive();
    (mesh.iter().all(is_left) || mesh.iter().all(is_right)).then_some(mesh)
}

fn scene() -> BoxedStrategy<(Vec<Triangle3>, DVec3)> {
    use Texture::{Close, Far, Lattice, Plain, Whole};
    prop_oneof![1 => Just(Whole), 1 => Just(Lattice), 4 => Just(Plain), 1 => Just(Close), 1 => Just(Far)]
        .prop_flat_map(|t| ([vector(t), vector(t), vector(t), vector(t)], [1..8_i32, 1..8_i32, 1..8_i32, 1..8_i32]))
        .prop_filter_map("no closed mesh", |(corners, parts)| {
            let sum = f64::from(parts.iter().sum::<i32>());
            let inside = corners.iter().zip(parts).map(|(&c, part)| c * f64::from(part)).sum::<DVec3>() / sum;
            Some((closed(corners, inside)?, inside))
        })
        .boxed()
}

/// Weights of the three corners, aimed at corners, at edges and inside.
fn parts() -> BoxedStrategy<[i32; 3]> {
    [0..=3_i32, 0..=3_i32, 0..=3_i32].boxed()
}

/// The test that games often use: Möller and Trumbore's in plain f64, without an epsilon.
fn plain_test_hits(ray: &Ray3, triangle: &Triangle3) -> bool {
    let [a, b, c] = triangle.corners();
    let (d, ab, ac) = (ray.through() - ray.origin(), b - a, c - a);
    let p = d.cross(ac);
    let det = ab.dot(p);
    let from_a = ray.origin() - a;
    let u = from_a.dot(p) / det;
    let q = from_a.cross(ab);
    let v = d.dot(q) / det;
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && ac.dot(q) / det >= 0.0
}

proptest! {
    #![proptest_config(config(1000))]
    #[test]
    fn no_ray_slips_out((mesh, inside) in scene(), parts in parts(), which in 0..16_usize) {
        let Ok(ray) = Ray3::new(inside, target(&mesh[which], parts)) else { return Ok(()) };
        let hits: Vec<_> = mesh.iter().filter_map(|triangle| ray.cast_ray(triangle)).collect();
        prop_assert!(!hits.is_empty());
        // The ray leaves once: through the inside of one triangle, or through an edge or corner that all hit triangles
        // share.
        let through_inside = hits.iter().filter(|hit| hit.barycentric.iter().all(|&part| part > 0.0)).count();
        prop_assert!(through_inside == 0 || hits.len() == 1, "{:?}", hits);

        let picked = pick(&ray, &mesh).unwrap();
        prop_assert_eq!(ray.cast_ray(&mesh[picked.index]), Some(picked.hit));
        for hit in hits {
            prop_assert!(picked.hit.t <= hit.t);
            // All hit triangles must report the same point.
            prop_assert!(hit.t <= picked.hit.t * (1.0 + 2.0 * ROUNDING));
        }
    }
}

/// The cases must be hard: the test that games often use lets rays slip through.
#[test]
fn the_plain_test_lets_rays_slip_out() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::new(config(1));
    let (mut slipped, mut ours) = (0, 0);
    for _ in 0..4000 {
        let ((mesh, inside), parts, which) = (scene(), parts(), 0..16_usize).new_tree(&mut runner).unwrap().current();
        let Ok(ray) = Ray3::new(inside, target(&mesh[which], parts)) else { continue };
        slipped += usize::from(!mesh.iter().any(|triangle| plain_test_hits(&ray, triangle)));
        ours += usize::from(pick(&ray, &mesh).is_none());
    }
    assert!(slipped > 0, "the cases are too easy");
    assert_eq!(ours, 0);
    if std::env::var_os("SUREFOOT_WORST").is_some() {
        eprintln!("the plain test let {slipped} of 4000 rays through");
    }
}

#[test]
fn the_nearest_is_picked_and_the_first_of_equals() {
    let at = |z: f64| {
        Triangle3::new([DVec3::new(-1.0, -1.0, z), DVec3::new(1.0, -1.0, z), DVec3::new(0.0, 1.0, z)]).unwrap()
    };
    let ray = Ray3::towards(DVec3::Z, DVec3::NEG_Z).unwrap();
    let index = |scene: &[Triangle3]| pick(&ray, scene).map(|pick| pick.index);
    assert_eq!(index(&[]), None);
    assert_eq!(index(&[at(2.0)]), None);
    assert_eq!(index(&[at(-5.0), at(2.0), at(-3.0), at(0.5), at(0.5), at(-1.0)]), Some(3));
    // The ray starts on the second triangle, which counts as a hit with `t` 0.
    assert_eq!(index(&[at(0.5), at(1.0)]), Some(1));
}

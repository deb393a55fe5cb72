//! Two moving shapes, compared with a witness in exact numbers, and laws of symmetry.

use crate::pair_scene::{PairScene, PairScenes};
use crate::pair_witness::{self, Expected, Touch};
use crate::scenes;
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::exact::{
    Collider, FlatGap, Fraction, PairContact, PairHit, contact, flat_gap, overlaps, sweep_pair,
};
use surefoot_geometry::{DVec2, I64Vec2, Sweep};
use surefoot_random::Random;

/// Two-sided error bound along the motion, in units, for pairs with round parts.
const ALONG: f64 = 0.25;

fn sweep(scene: &PairScene) -> Sweep<PairHit> {
    sweep_pair(scene.a, scene.b, scene.offset, scene.motion, scene.up)
}

#[test]
fn times_of_pairs_are_good_to_a_quarter_of_a_unit() {
    let mut random = PairScenes(Random(11));
    let [mut hits, mut flat, mut overlapping, mut ends_inside] = [0_u64; 4];
    let (mut worst, mut worst_normal) = (0.0_f64, 0.0_f64);
    let count = scenes(20_000);
    for index in 0..count {
        let scene = random.scene();
        let (found, expected) = (sweep(&scene), pair_witness::expected(&scene));
        let agrees = match (&found, &expected) {
            (Sweep::Clear, Expected::Clear) => true,
            (Sweep::Overlapping, Expected::Overlapping) => true,
            (Sweep::Hit(hit), Expected::Flat(time, normal)) => {
                let exact = hit.flat.expect("boxes are flat");
                time.equals(exact.num, exact.den) && hit.toi == exact.to_f64() && hit.normal == normal.as_dvec2()
            }
            (Sweep::Hit(hit), Expected::Round(inside)) => {
                let unit = 1.0 / scene.motion.as_dvec2().length();
                let is_good = |units: f64| pair_witness::is_first(&scene, inside, hit.toi, units * unit);
                if std::env::var_os("SUREFOOT_WORST").is_some() {
                    let mut units = ALONG;
                    while units > worst && is_good(units / 2.0) {
                        units /= 2.0;
                    }
                    worst = worst.max(units);
                }
                let off = normal_error(&scene, hit);
                worst_normal = worst_normal.max(off);
                let is_flat = |exact: Fraction| {
                    hit.toi == exact.to_f64() && pair_witness::is_on_side(&scene, exact.num, exact.den, hit.normal)
                };
                is_good(ALONG) && off <= ALONG && hit.flat.is_none_or(is_flat)
            }
            _ => false,
        };
        assert!(agrees, "scene {index}: {scene:?}\nfound {found:?}\nnot {expected:?}");
        assert_eq!(overlaps(scene.a, scene.b, scene.offset), found == Sweep::Overlapping);
        if overlaps(scene.a, scene.b, scene.offset + scene.motion) {
            assert!(found != Sweep::Clear, "{scene:?} ends overlapping");
            ends_inside += 1;
        }
        hits += u64::from(found.hit().is_some());
        flat += u64::from(found.hit().is_some_and(|hit| hit.flat.is_some()));
        overlapping += u64::from(found == Sweep::Overlapping);
    }
    println!("{count} pairs: {hits} hits, {flat} of them flat, {overlapping} overlapping, {ends_inside} end so");
    println!("worst: {worst} units along the motion (with SUREFOOT_WORST), normal {worst_normal} / radius");
    assert!(flat * 10 > count && (hits - flat) * 10 > count && overlapping * 50 > count);
}

/// Returns the error of a normal: its distance from the direction between the nearest points at the hit, times the sum
/// of the radii.
fn normal_error(scene: &PairScene, hit: &PairHit) -> f64 {
    let out = DVec2::from(pair_witness::displacement_out_of_box(scene, hit.toi));
    let radius = |shape| match shape {
        Collider::Circle { radius } => radius,
        Collider::Aabb { .. } => 0,
    };
    let reach = (radius(scene.a) + radius(scene.b)) as f64;
    // Subtract the rounding error of the two unit vectors.
    let off = (hit.normal - out / out.length()).length() - 4.0 * f64::EPSILON;
    assert!((hit.normal.length() - 1.0).abs() < 4.0 * f64::EPSILON, "{hit:?}");
    off.max(0.0) * reach
}

#[test]
fn contacts_of_pairs_agree_with_the_witness() {
    let mut random = PairScenes(Random(12));
    let [mut flat, mut round, mut exact] = [0_u64; 3];
    let count = scenes(20_000);
    for _ in 0..count {
        let mut scene = random.scene();
        if scene.motion.abs().max_element() < 1 << 10 || random.0.one_in(3) {
            scene.offset += scene.motion;
        }
        let found = contact(scene.a, scene.b, scene.offset);
        let gap = flat_gap(scene.a, scene.b, scene.offset);
        let expected = pair_witness::touch(&scene, TOUCH);
        let agrees = match (found, expected) {
            (None, Touch::Not) => true,
            (Some(PairContact { normal, gap, flat: true }), Touch::Flat(axis, whole)) => {
                flat += 1;
                normal == axis.as_dvec2() && gap == whole as f64
            }
            (Some(PairContact { normal, gap, flat: false }), Touch::Round(out, radius)) => {
                round += 1;
                exact += u64::from(gap == 0.0);
                let direction = out.as_dvec2().normalize();
                (normal - direction).length() < 4.0 * f64::EPSILON
                    && pair_witness::is_gap(gap, out, radius, 1.0 / (1_u64 << 48) as f64)
            }
            _ => false,
        };
        assert!(agrees, "{scene:?}\nfound {found:?}\nnot {expected:?}");
        let far = match pair_witness::touch(&scene, i64::MAX >> 1) {
            Touch::Flat(normal, gap) => Some(FlatGap { normal, gap }),
            Touch::Not | Touch::Round(..) => None,
        };
        assert_eq!(gap, far, "{scene:?}");
    }
    println!("{count} pairs: {flat} touch flat, {round} round, {exact} of these exactly");
    assert!(flat * 20 > count && round * 50 > count && exact * 200 > count);
}

/// One of the eight mirrors and quarter turns of the plane.
#[derive(Clone, Copy, Debug)]
struct Turn {
    signs: I64Vec2,
    swapped: bool,
}

impl Turn {
    fn of(self, v: I64Vec2) -> I64Vec2 {
        let v = if self.swapped { I64Vec2::new(v.y, v.x) } else { v };
        v * self.signs
    }

    fn apply_to_normal(self, v: DVec2) -> DVec2 {
        let v = if self.swapped { DVec2::new(v.y, v.x) } else { v };
        v * self.signs.as_dvec2()
    }

    fn apply_to_shape(self, shape: Collider) -> Collider {
        match shape {
            Collider::Aabb { half } => Collider::Aabb { half: self.of(half).abs() },
            circle @ Collider::Circle { .. } => circle,
        }
    }
}

/// The bits of a vector, with -0 replaced by 0.
fn bits(v: DVec2) -> [u64; 2] {
    (v + DVec2::ZERO).to_array().map(f64::to_bits)
}

#[test]
fn mirrored_turned_and_swapped_pairs_give_the_same_bits() {
    let mut random = PairScenes(Random(13));
    let [mut hits, mut touching] = [0_u64; 2];
    let count = scenes(20_000);
    for _ in 0..count {
        let scene = random.scene();
        let found = sweep(&scene);
        let touch = contact(scene.a, scene.b, scene.offset);
        hits += u64::from(found.hit().is_some());
        touching += u64::from(touch.is_some());
        for (x, y, swapped) in [-1, 1].into_iter().flat_map(|x| {
            [-1, 1].into_iter().flat_map(move |y| [false, true].into_iter().map(move |swapped| (x, y, swapped)))
        }) {
            let turn = Turn { signs: I64Vec2::new(x, y), swapped };
            let turned = PairScene {
                a: turn.apply_to_shape(scene.a),
                b: turn.apply_to_shape(scene.b),
                offset: turn.of(scene.offset),
                motion: turn.of(scene.motion),
                up: turn.of(scene.up),
            };
            let exchanged =
                PairScene { a: turned.b, b: turned.a, offset: -turned.offset, motion: -turned.motion, up: turned.up };
            for (other, sign) in [(turned, 1.0), (exchanged, -1.0)] {
                let normal_is = |normal: DVec2, first: DVec2| {
                    // The result must not contain -0 either.
                    bits(turn.apply_to_normal(first) * sign) == normal.to_array().map(f64::to_bits)
                };
                let same_sweep = match (sweep(&other), &found) {
                    (Sweep::Hit(hit), Sweep::Hit(first)) => {
                        let exact = |hit: &PairHit| hit.flat.map(|flat| (flat.num, flat.den));
                        hit.toi.to_bits() == first.toi.to_bits()
                            && exact(&hit) == exact(first)
                            && normal_is(hit.normal, first.normal)
                    }
                    (other, found) => other == *found,
                };
                let same_contact = match (contact(other.a, other.b, other.offset), touch) {
                    (Some(other), Some(first)) => {
                        other.gap.to_bits() == first.gap.to_bits()
                            && other.flat == first.flat
                            && normal_is(other.normal, first.normal)
                    }
                    (other, touch) => other == touch,
                };
                assert!(same_sweep && same_contact, "{scene:?}\n{found:?} {touch:?}\n{turn:?}: {other:?}");
            }
        }
    }
    println!("{count} pairs: {hits} hits, {touching} touch");
    assert!(hits * 4 > count && touching * 20 > count);
}

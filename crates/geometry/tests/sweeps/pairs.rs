//! Two moving shapes against a witness in whole numbers without a bound.
//!
//! The path is a point that goes to the sum of both shapes. Its distance from that is a convex function of time: the nearest
//! moment is found by thirds, the moment of entry by halves, and whether it is inside at a moment is decided exactly. Moments are
//! multiples of 2^-48 of the motion. No quadratic is solved, no side or corner is named.

use crate::scenes;
use num_bigint::{BigInt, Sign};
use surefoot_geometry::exact::PairShape;
use surefoot_geometry::{DVec2, I64Vec2, Sweep};
use surefoot_random::Random;

const BITS: u32 = 48;
const LAST: i64 = 1 << BITS;

/// How far along the way, in units, a round pair may be told to meet from where it does.
const ALONG: f64 = 16.0;
/// How deep, in units, a round pair may come between start and end without a hit.
const GRAZE: i64 = 4;

/// A path seen from the centre of the sum: a box with half sizes, grown by a radius.
struct Sum {
    half: I64Vec2,
    radius: i64,
    offset: I64Vec2,
    motion: I64Vec2,
}

impl Sum {
    fn new(a: PairShape, b: PairShape, offset: I64Vec2, motion: I64Vec2) -> Sum {
        let parts = |shape| match shape {
            PairShape::Circle { radius } => (I64Vec2::ZERO, radius),
            PairShape::Box { half } => (half, 0),
        };
        let ((half, radius), (other_half, other_radius)) = (parts(a), parts(b));
        Sum { half: half + other_half, radius: radius + other_radius, offset, motion }
    }

    /// How far beyond the box it is at a moment on each axis, times 2^48: negative inside.
    fn beyond(&self, moment: i64) -> [BigInt; 2] {
        [0, 1].map(|axis| {
            let at = BigInt::from(self.offset[axis]) * LAST + BigInt::from(self.motion[axis]) * moment;
            let at = if at.sign() == Sign::Minus { -at } else { at };
            at - BigInt::from(self.half[axis]) * LAST
        })
    }

    /// Something that grows with the distance from the sum, the smaller the deeper inside.
    fn height(&self, moment: i64) -> BigInt {
        let [x, y] = self.beyond(moment);
        let zero = BigInt::ZERO;
        if self.radius == 0 || (x <= zero && y <= zero) {
            return x.max(y);
        }
        let (x, y) = (x.max(BigInt::ZERO), y.max(BigInt::ZERO));
        &x * &x + &y * &y
    }

    /// Whether it is inside at a moment, by more than so many units.
    fn is_inside(&self, moment: i64, deeper: i64) -> bool {
        let [x, y] = self.beyond(moment);
        if self.radius == 0 {
            return x.max(y) < BigInt::from(-deeper) * LAST;
        }
        let (x, y) = (x.max(BigInt::ZERO), y.max(BigInt::ZERO));
        let reach = BigInt::from(self.radius - deeper) * LAST;
        &x * &x + &y * &y < &reach * &reach
    }

    fn nearest(&self) -> i64 {
        let (mut low, mut high) = (0, LAST);
        while high - low > 2 {
            let third = (high - low) / 3;
            let (a, b) = (low + third, high - third);
            if self.height(a) <= self.height(b) { high = b } else { low = a }
        }
        (low..=high).min_by_key(|moment| self.height(*moment)).unwrap()
    }

    /// The last moment before it is inside, of two between which it comes in.
    fn entry(&self, mut outside: i64, mut inside: i64) -> i64 {
        while inside - outside > 1 {
            let middle = outside + (inside - outside) / 2;
            if self.is_inside(middle, 0) { inside = middle } else { outside = middle }
        }
        outside
    }
}

#[derive(Default, Debug)]
struct Tally {
    hits: u64,
    clear: u64,
    overlapping: u64,
    grazes: u64,
}

fn check(a: PairShape, b: PairShape, offset: I64Vec2, motion: I64Vec2, tally: &mut Tally) {
    let what = format!("{a:?} {b:?} {offset} {motion}");
    let sum = Sum::new(a, b, offset, motion);
    let found = a.sweep(b, offset, motion, I64Vec2::Y);
    let starts_inside = sum.is_inside(0, 0);
    assert_eq!(a.overlaps(b, offset), starts_inside, "{what}");
    if starts_inside {
        tally.overlapping += 1;
        return assert_eq!(found, Sweep::Overlapping, "{what}");
    }
    let deepest = if sum.is_inside(LAST, 0) { LAST } else { sum.nearest() };
    if !sum.is_inside(deepest, 0) {
        tally.clear += 1;
        return assert_eq!(found, Sweep::Clear, "{what}");
    }
    let is_graze = sum.radius > 0 && deepest != LAST && !sum.is_inside(deepest, GRAZE.min(sum.radius - 1));
    if is_graze && found == Sweep::Clear {
        tally.grazes += 1;
        return;
    }
    let Sweep::Hit(hit) = found else { panic!("{found:?} instead of a hit: {what}") };
    tally.hits += 1;
    assert!(motion.as_dvec2().dot(hit.normal) < 0.0 && (hit.normal.length() - 1.0).abs() < 1e-12, "{hit:?} {what}");
    let entry = sum.entry(0, deepest);
    // A graze is shallow for long: where it comes in is told by less.
    let along = (hit.toi - entry as f64 / LAST as f64).abs() * motion.as_dvec2().length();
    let most = if sum.radius == 0 { 1.0 } else { ALONG };
    assert!(is_graze || along <= most, "{along} units off: {hit:?} {what}");
    if sum.radius == 0 {
        // The side that it comes to last, of two at once that in the direction of up.
        let [x, y] = sum.beyond(entry);
        let axis = if y.sign() != Sign::Minus { DVec2::Y } else { DVec2::X };
        if x.sign() == Sign::Minus || y.sign() == Sign::Minus || motion.x == 0 || motion.y == 0 {
            assert_eq!(hit.normal.abs(), axis, "{hit:?} {what}");
        }
    }
}

fn shapes(random: &mut Random, size: i64) -> [PairShape; 2] {
    [(); 2].map(|()| {
        let least = if size > 6 { 1 << 16 } else { 1 };
        let mut length = || least + random.below(size as u64) as i64;
        let half = I64Vec2::new(length(), length());
        if random.below(2) == 0 { PairShape::Circle { radius: half.x } } else { PairShape::Box { half } }
    })
}

fn vector(random: &mut Random, most: i64) -> I64Vec2 {
    let mut part = || random.below(2 * most as u64 + 1) as i64 - most;
    I64Vec2::new(part(), part())
}

/// Small numbers, so that ties and touches are frequent; large ones; starts at which the two touch; grazes.
fn random_case(random: &mut Random) -> ([PairShape; 2], I64Vec2, I64Vec2) {
    let (size, reach) = [(6, 24), (1 << 32, 1 << 34), (1 << 36, 1 << 43)][random.below(3) as usize];
    let [a, b] = shapes(random, size);
    let mut offset = vector(random, reach);
    let mut motion = vector(random, reach);
    let sum = Sum::new(a, b, offset, motion);
    let whole = sum.half + sum.radius;
    match random.below(5) {
        // Touching, on a side or at a corner.
        0 => offset.x = offset.x.signum() * whole.x,
        1 => offset = offset.signum() * whole,
        // Along a side, a unit beside it at most.
        2 => (offset.y, motion.y) = (whole.y + random.below(3) as i64 - 1, random.below(3) as i64 - 1),
        // Towards the other one.
        3 => motion = -offset + vector(random, size.min(1 << 30)),
        _ => {}
    }
    if size > 6 {
        return ([a, b], offset, motion);
    }
    // Circles have at least 2^16 units.
    let [a, b] = [a, b].map(|shape| match shape {
        PairShape::Circle { radius } => PairShape::Circle { radius: radius << 17 },
        PairShape::Box { half } => PairShape::Box { half: half << 17_i64 },
    });
    ([a, b], offset << 17_i64, motion << 17_i64)
}

#[test]
fn pairs_agree_with_the_witness() {
    let (mut random, mut tally) = (Random(11), Tally::default());
    for _ in 0..scenes(8_000) {
        let ([a, b], offset, motion) = random_case(&mut random);
        check(a, b, offset, motion, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.hits > 1000 && tally.clear > 1000 && tally.overlapping > 100, "{tally:?}");
    assert!(tally.grazes * 1000 < tally.hits, "{tally:?}");
}

fn swapped(v: I64Vec2) -> I64Vec2 {
    I64Vec2::new(v.y, v.x)
}

/// Exchanged, mirrored and turned, with up turned too, pairs meet at the same moment along the mirrored and turned normal.
#[test]
fn pairs_are_symmetric_to_the_bit() {
    let mut random = Random(12);
    let turned = |shape| match shape {
        PairShape::Box { half } => PairShape::Box { half: swapped(half) },
        circle @ PairShape::Circle { .. } => circle,
    };
    for _ in 0..scenes(20_000) {
        let ([a, b], offset, motion) = random_case(&mut random);
        let found = a.sweep(b, offset, motion, I64Vec2::Y);
        let back = |sweep: Sweep<surefoot_geometry::exact::PairHit>, by: &dyn Fn(DVec2) -> DVec2| match sweep {
            Sweep::Hit(hit) => Some((hit.toi.to_bits(), by(hit.normal))),
            _ => None,
        };
        let own = back(found, &|normal| normal);
        let what = format!("{a:?} {b:?} {offset} {motion}");
        let exchanged = b.sweep(a, -offset, -motion, I64Vec2::Y);
        assert_eq!(back(exchanged, &|normal| -normal), own, "exchanged {what}");
        for sign in [I64Vec2::new(-1, 1), I64Vec2::new(1, -1)] {
            let mirrored = a.sweep(b, offset * sign, motion * sign, I64Vec2::Y);
            assert_eq!(back(mirrored, &|normal| normal * sign.as_dvec2()), own, "mirrored by {sign} {what}");
        }
        let transposed = turned(a).sweep(turned(b), swapped(offset), swapped(motion), I64Vec2::X);
        assert_eq!(back(transposed, &|normal| DVec2::new(normal.y, normal.x)), own, "transposed {what}");
        let contact = a.contact(b, offset).map(|contact| (contact.gap, contact.normal));
        let other = b.contact(a, -offset).map(|contact| (contact.gap, -contact.normal));
        assert_eq!(contact, other, "contact {what}");
    }
}

use super::edge::is_any_component_too_large;
use super::tolerance::TOUCH;
use super::wide::nearest_f64;
use super::{Corner, Face, Fraction, MovingBox, MovingCircle, tangent, wide_dot};
use crate::sweep::Sweep;
use glam::{DVec2, I64Vec2};

/// Shape of a body, for collisions of bodies with each other: a circle or an axis-aligned box around the centre.
///
/// Sizes are from 1 to 2^39 fixed-point units (2^32 units = 1.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collider {
    /// A circle.
    Circle {
        /// Radius of the circle in fixed-point units (2^32 units = 1.0).
        radius: i64,
    },
    /// An axis-aligned box.
    Aabb {
        /// Half the width and half the height of the box in fixed-point units (2^32 units = 1.0).
        half: I64Vec2,
    },
}

/// The earliest hit between two moving shapes `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairHit {
    /// Time of impact as a fraction of the motion, from 0 (start) to 1 (end).
    ///
    /// For a hit on a flat side, this is the f64 nearest to the exact time. Hits at equal times therefore have equal
    /// values.
    pub toi: f64,
    /// Contact normal: a unit vector that points from `b` to `a`.
    ///
    /// If a flat side is hit, the normal is exactly along an axis. A component of 0 is never -0.
    pub normal: DVec2,
    /// Exact time of impact, if one shape hits a flat side of the other.
    ///
    /// `None` if two circles hit each other, or if a circle hits a corner of a box.
    ///
    /// The numerator is the gap between the shapes along the normal at the start, in fixed-point units (2^32 units =
    /// 1.0).
    pub flat: Option<Fraction>,
}

/// A contact between two shapes `a` and `b` that touch at their current positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContact {
    /// Contact normal: a unit vector that points from `b` to `a`.
    ///
    /// If `flat` is true, the normal is exactly along an axis. A component of 0 is never -0.
    pub normal: DVec2,
    /// Gap between the shapes in fixed-point units (2^32 units = 1.0), from 0 to [`TOUCH`].
    ///
    /// The gap is exactly 0 if the shapes share a point. It is a whole number if `flat` is true.
    pub gap: f64,
    /// Whether the contact is on a flat side of a box. `false` for a contact between two circles, or of a circle with a
    /// corner of a box. See [`flat_gap`].
    pub flat: bool,
}

/// The gap between two shapes `a` and `b`, one of which faces a flat side of the other. [`flat_gap`] returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlatGap {
    /// Unit vector along an axis that points from `b` to `a`.
    pub normal: I64Vec2,
    /// Distance between the shapes along `normal` in fixed-point units (2^32 units = 1.0), 0 or more.
    pub gap: i64,
}

/// Returns whether the interiors of two shapes overlap; exact. Shapes that share only their boundaries do not
/// overlap.
///
/// `offset` is the centre of `a` minus the centre of `b`, in fixed-point units (2^32 units = 1.0), at most 2^62 on
/// each axis.
///
/// # Examples
/// ```
/// use surefoot_geometry::exact::{Collider, overlaps};
/// use surefoot_geometry::{I64Vec2, ONE};
///
/// let crate_ = Collider::Aabb { half: I64Vec2::splat(ONE) };
/// let ball = Collider::Circle { radius: ONE };
/// assert!(!overlaps(ball, crate_, I64Vec2::new(0, 2 * ONE)));
/// assert!(overlaps(ball, crate_, I64Vec2::new(0, 2 * ONE - 1)));
/// ```
#[must_use]
pub fn overlaps(a: Collider, b: Collider, offset: I64Vec2) -> bool {
    Sum::new(a, b).contains_strictly(offset)
}

// Derivation: the sweep is a point cast against the Minkowski sum of the two shapes, a box with rounded corners. The
// sum is convex, so the point enters it only once: through a flat part, or through the disc at one of the corners. In
// the second case the point may enter other discs too, but later. So the earliest hit on a disc counts.
/// Returns the earliest hit between two moving shapes `a` and `b`.
///
/// - `offset`: centre of `a` minus centre of `b` at the start, in fixed-point units (2^32 units = 1.0).
/// - `motion`: motion of `a` minus motion of `b` over the same time, in units.
/// - `up`: direction in which one body stands on another. If `up` is not along an axis, its larger component counts.
///
/// Integers decide exactly whether there is a hit. There is a hit if the interiors of the shapes do not overlap at the
/// start, but would overlap at some time of the motion, its end included.
///
/// - Shapes that touch at the start and move into each other hit at time 0.
/// - Touching only at the end, moving along or away, grazing a corner, and a motion of length 0 give
///   [`Sweep::Clear`].
/// - If two boxes hit corner to corner while they approach on both axes, the normal is along `up`: one box stands on
///   the other. If they approach on one axis only, they pass each other.
/// - `motion` may have up to 2^43 units on each axis, so that each of two bodies can move by 1024.0. If `motion` or
///   `offset` exceeds 2^46 units, the result is [`Sweep::Clear`].
///
/// Accuracy: a hit on a flat side has an exact time, as a [`Fraction`]. Otherwise the error of the time is at most a
/// quarter of a unit along the motion. The normal then points from the nearest point of `b` to the nearest point of
/// `a`. Its error is at most a quarter of a unit divided by the sum of the radii.
///
/// Symmetry: swapped shapes, with `offset` and `motion` negated, give the same time and the opposite normal, bit for
/// bit. Mirrored or turned shapes, with `up` mirrored or turned too, give the same time and the mirrored or turned
/// normal.
///
/// # Examples
/// ```
/// use surefoot_geometry::exact::{Collider, Fraction, sweep_pair};
/// use surefoot_geometry::{DVec2, I64Vec2, ONE, Sweep};
///
/// let crate_ = Collider::Aabb { half: I64Vec2::splat(ONE / 2) };
/// let above = I64Vec2::new(0, 2 * ONE);
/// // Crates whose sides are 1 apart, one of them falling by 4 more than the other.
/// let fall = I64Vec2::new(0, -4 * ONE);
/// let hit = sweep_pair(crate_, crate_, above, fall, I64Vec2::Y).hit().expect("it lands");
/// assert_eq!((hit.toi, hit.normal), (0.25, DVec2::Y));
/// assert_eq!(hit.flat, Some(Fraction { num: ONE, den: 4 * ONE }));
/// // Beside the other it falls past.
/// assert_eq!(sweep_pair(crate_, crate_, above + I64Vec2::new(ONE, 0), fall, I64Vec2::Y), Sweep::Clear);
/// // Touching where the motion ends is not a hit.
/// assert_eq!(sweep_pair(crate_, crate_, above, fall / 4, I64Vec2::Y), Sweep::Clear);
/// ```
#[must_use]
pub fn sweep_pair(a: Collider, b: Collider, offset: I64Vec2, motion: I64Vec2, up: I64Vec2) -> Sweep<PairHit> {
    let sum = Sum::new(a, b);
    let reach = sum.half + sum.radius;
    // Most pairs return here: their offset starts and ends beyond the same side of the sum. The offset of overlapping
    // shapes starts inside the sum, so they never return here.
    let end = offset.wrapping_add(motion);
    let passes = offset.min(end).cmpge(reach) | offset.max(end).cmple(-reach);
    if passes.any() {
        return Sweep::Clear;
    }
    if sum.contains_strictly(offset) {
        return Sweep::Overlapping;
    }
    if is_any_component_too_large([offset, motion, reach, reach]) || (sum.is_disc() && sum.misses_disc(offset, motion))
    {
        return Sweep::Clear;
    }
    let flat = if sum.is_disc() { None } else { sum.first_hit_on_flat_sides(offset, motion, up) };
    flat.or_else(|| sum.hit_on_rounded_corner(offset, motion)).map_or(Sweep::Clear, Sweep::Hit)
}

/// Returns the contact between two shapes that touch; `None` if they overlap or are more than [`TOUCH`] units apart.
///
/// `offset` is the centre of `a` minus the centre of `b`, in fixed-point units (2^32 units = 1.0).
///
/// Two boxes touch only if their sides face each other along at least one unit. Two boxes corner to corner do not
/// touch. For all other pairs, the distance between the shapes decides.
///
/// Whether the shapes touch is exact. The gap of a contact that is not on a flat side has a relative error of at most
/// 2^-48.
///
/// # Examples
/// ```
/// use surefoot_geometry::exact::{Collider, PairContact, contact};
/// use surefoot_geometry::{DVec2, I64Vec2, ONE};
///
/// let crate_ = Collider::Aabb { half: I64Vec2::splat(ONE) };
/// let stands = I64Vec2::new(2 * ONE - 1, 2 * ONE);
/// assert_eq!(contact(crate_, crate_, stands), Some(PairContact { normal: DVec2::Y, gap: 0.0, flat: true }));
/// assert_eq!(contact(crate_, crate_, stands + I64Vec2::X), None);
/// assert_eq!(contact(crate_, crate_, stands + I64Vec2::new(0, 17)), None);
/// ```
#[must_use]
pub fn contact(a: Collider, b: Collider, offset: I64Vec2) -> Option<PairContact> {
    let sum = Sum::new(a, b);
    if offset.abs().cmpgt(sum.half + (sum.radius + TOUCH)).any() {
        return None;
    }
    if let Some(FlatGap { normal, gap }) = sum.gap_to_flat_side(offset) {
        return (gap <= TOUCH).then(|| PairContact { normal: normal.as_dvec2(), gap: gap as f64, flat: true });
    }
    if sum.radius == 0 {
        return None;
    }
    let out = sum.offset_from_nearest_point(offset);
    let distance_sq = wide_dot(out, out);
    let (least, most) = (square(sum.radius), square(sum.radius + TOUCH));
    if distance_sq < least || distance_sq > most {
        return None;
    }
    // The gap is a difference of squares divided by a sum. Integers compute the difference exactly, so f64 loses no
    // digits.
    let gap = nearest_f64(distance_sq - least) / (nearest_f64(distance_sq).sqrt() + sum.radius as f64);
    Some(PairContact { normal: unit(out.as_dvec2())?, gap, flat: false })
}

/// Returns the gap between two shapes if one faces a flat side of the other; exact.
///
/// `offset` is the centre of `a` minus the centre of `b`, in fixed-point units (2^32 units = 1.0).
///
/// Returns `None` if the shapes overlap, or if neither faces a flat side of the other:
/// - Two boxes face each other if their sides lie opposite each other along at least one unit.
/// - A circle faces a side of a box if its centre lies opposite the side, the ends of the side included.
/// - Two circles never face a flat side.
///
/// # Examples
/// ```
/// use surefoot_geometry::exact::{Collider, FlatGap, flat_gap};
/// use surefoot_geometry::{I64Vec2, ONE};
///
/// let crate_ = Collider::Aabb { half: I64Vec2::splat(ONE) };
/// let gap = flat_gap(crate_, crate_, I64Vec2::new(-3 * ONE, ONE));
/// assert_eq!(gap, Some(FlatGap { normal: I64Vec2::NEG_X, gap: ONE }));
/// assert_eq!(flat_gap(crate_, crate_, I64Vec2::new(-3 * ONE, 2 * ONE)), None);
/// ```
#[must_use]
pub fn flat_gap(a: Collider, b: Collider, offset: I64Vec2) -> Option<FlatGap> {
    Sum::new(a, b).gap_to_flat_side(offset)
}

/// The Minkowski sum of a pair: a box, grown outwards by a radius.
struct Sum {
    half: I64Vec2,
    radius: i64,
}

impl Sum {
    fn new(a: Collider, b: Collider) -> Sum {
        let parts = |shape| match shape {
            Collider::Circle { radius } => (I64Vec2::ZERO, radius),
            Collider::Aabb { half } => (half, 0),
        };
        let ((half_a, radius_a), (half_b, radius_b)) = (parts(a), parts(b));
        Sum { half: half_a + half_b, radius: radius_a + radius_b }
    }

    /// Returns whether both shapes are circles, so that the sum has no flat side.
    fn is_disc(&self) -> bool {
        self.half == I64Vec2::ZERO
    }

    /// Returns the vector from the nearest point of the box to `point`.
    fn offset_from_nearest_point(&self, point: I64Vec2) -> I64Vec2 {
        point - point.clamp(-self.half, self.half)
    }

    fn contains_strictly(&self, point: I64Vec2) -> bool {
        if self.radius == 0 {
            return point.abs().cmplt(self.half).all();
        }
        let out = self.offset_from_nearest_point(point);
        wide_dot(out, out) < square(self.radius)
    }

    /// Returns the gap along an axis between a point and the sum, if the point faces a flat side of the sum.
    fn gap_to_flat_side(&self, offset: I64Vec2) -> Option<FlatGap> {
        if self.is_disc() {
            return None;
        }
        [I64Vec2::X, I64Vec2::Y].into_iter().find_map(|axis| {
            let (along, across) = (axis.dot(offset), axis.perp().dot(offset).abs());
            let gap = along.abs() - axis.dot(self.half) - self.radius;
            (gap >= 0 && self.is_next_to_flat_part(axis, across))
                .then(|| FlatGap { normal: axis * along.signum(), gap })
        })
    }

    /// Returns whether a point lies beside the flat part with normal `axis`. `across` is its distance from the middle
    /// of the part.
    fn is_next_to_flat_part(&self, axis: I64Vec2, across: i64) -> bool {
        let side = self.half_side_length(axis);
        // With a radius, the end of the flat part counts as flat too: the arc that follows has the same normal there.
        // Without a radius, the end is a corner.
        if self.radius > 0 { side > 0 && across <= side } else { across < side }
    }

    /// Returns half the length of the flat part with that normal.
    fn half_side_length(&self, normal: I64Vec2) -> i64 {
        self.half.dot(tangent(normal).abs())
    }

    /// Returns the first hit of the point on a flat side of the sum. If it hits two sides at once, the one with its
    /// normal along `up` counts.
    fn first_hit_on_flat_sides(&self, offset: I64Vec2, motion: I64Vec2, up: I64Vec2) -> Option<PairHit> {
        let point = MovingBox { center: offset, half: self.half, motion };
        let up = if up.x.abs() > up.y.abs() { I64Vec2::X } else { I64Vec2::Y };
        let mut best: Option<(Fraction, I64Vec2)> = None;
        for axis in [up, tangent(up)] {
            let normal = axis * -axis.dot(motion).signum();
            if normal == I64Vec2::ZERO || self.half_side_length(normal) == 0 {
                continue;
            }
            let out = normal * self.radius;
            // `before` and `along` decide about a hit exactly at an end of the side. Without a radius, the next side
            // begins there: the hit counts only if the motion also goes against that side. With a radius, an arc with
            // the same normal begins there, so the hit always counts.
            let along = if self.radius > 0 { normal } else { tangent(normal) };
            let before = if self.radius > 0 { normal } else { -along };
            let face = Face { a: out, b: out, normal, before, after: along };
            if let Some(hit) = point.against_face(&face)
                && best.is_none_or(|(toi, _)| hit.toi < toi)
            {
                best = Some((hit.toi, normal));
            }
        }
        best.map(|(toi, normal)| PairHit { toi: toi.to_f64(), normal: normal.as_dvec2(), flat: Some(toi) })
    }

    /// Returns whether a point outside a disc moves away from it, or passes it by more than the error of f64. `false`
    /// means that the point may hit the disc.
    fn misses_disc(&self, offset: I64Vec2, motion: I64Vec2) -> bool {
        let corner = Corner { vertex: I64Vec2::ZERO, first: I64Vec2::ZERO, second: I64Vec2::ZERO };
        let circle = MovingCircle { center: offset, radius: self.radius, motion };
        wide_dot(offset, motion) >= 0 || !circle.may_hit_corner(&corner, 0)
    }

    /// Returns the hit of the point on a rounded corner of the sum.
    fn hit_on_rounded_corner(&self, offset: I64Vec2, motion: I64Vec2) -> Option<PairHit> {
        if self.radius == 0 {
            return None;
        }
        let circle = MovingCircle { center: offset, radius: self.radius, motion };
        let turned = I64Vec2::new(-self.half.x, self.half.y);
        let corners = [self.half, turned, -self.half, -turned];
        let discs = if self.is_disc() { &corners[..1] } else { &corners };
        // A disc can be hit from all sides: a zero cone accepts every normal.
        let toi =
            |at: &I64Vec2| circle.against_corner(&Corner { vertex: *at, first: I64Vec2::ZERO, second: I64Vec2::ZERO });
        let toi = discs.iter().filter_map(toi).min_by(f64::total_cmp)?;
        // If two discs are hit at the same time, it does not matter which one counts: the normal depends only on the
        // time.
        let (motion, half) = (motion.as_dvec2(), self.half.as_dvec2());
        let at = offset.as_dvec2() + motion * toi;
        // If the radius is only a unit or two, rounding may put the centre into the box itself. Then there is no
        // normal.
        let normal = unit(at - at.clamp(-half, half)).or_else(|| unit(-motion))?;
        Some(PairHit { toi, normal, flat: None })
    }
}

fn square(value: i64) -> i128 {
    i128::from(value) * i128::from(value)
}

/// Returns the vector with length 1, without -0, or `None` for the zero vector. Exact along an axis.
fn unit(v: DVec2) -> Option<DVec2> {
    // Do not use normalize(): it multiplies by a rounded reciprocal.
    (v != DVec2::ZERO).then(|| v / v.length() + DVec2::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::ONE;

    const UP: I64Vec2 = I64Vec2::Y;

    fn vector(x: i64, y: i64) -> I64Vec2 {
        I64Vec2::new(x, y)
    }

    fn circle(radius: i64) -> Collider {
        Collider::Circle { radius }
    }

    fn aabb(x: i64, y: i64) -> Collider {
        Collider::Aabb { half: vector(x, y) }
    }

    /// Compares the sweep of a pair with the expected time and normal.
    #[track_caller]
    fn check_pair_sweep(pair: [Collider; 2], offset: (i64, i64), motion: (i64, i64), expected: Sweep<(f64, DVec2)>) {
        let found = match sweep_pair(pair[0], pair[1], offset.into(), motion.into(), UP) {
            Sweep::Hit(hit) => Sweep::Hit((hit.toi, hit.normal)),
            Sweep::Clear => Sweep::Clear,
            Sweep::Overlapping => Sweep::Overlapping,
        };
        assert_eq!(found, expected, "{pair:?} {offset:?} {motion:?}");
    }

    fn sweep_hit(toi: f64, x: f64, y: f64) -> Sweep<(f64, DVec2)> {
        Sweep::Hit((toi, DVec2::new(x, y)))
    }

    #[test]
    fn boxes_hit_side_to_side() {
        // The Minkowski sum of the two boxes reaches 5 to each side, and 3 upwards and downwards.
        let pair = [aabb(2, 1), aabb(3, 2)];
        // The first box starts 4 above the top of the sum and falls by 8.
        check_pair_sweep(pair, (1, 7), (0, -8), sweep_hit(0.5, 0.0, 1.0));
        // The first box hits the left side of the sum at 3/4, where y is 6 - 3/4 * 6 = 1.5.
        check_pair_sweep(pair, (-8, 6), (4, -6), sweep_hit(0.75, -1.0, 0.0));
        // The first box hits the top at 1/2, where x is -8 + 4 = -4. It reaches the line of the left side at 3/8, but
        // there y is 5 - 1.5 = 3.5, above the side.
        check_pair_sweep(pair, (-8, 5), (8, -4), sweep_hit(0.5, 0.0, 1.0));
        // The first box passes the corner: y is 3 at 1/2, where x is 6, beyond the side.
        check_pair_sweep(pair, (2, 7), (8, -8), Sweep::Clear);
    }

    #[test]
    fn shapes_that_only_touch_are_clear() {
        for pair in [[aabb(2, 1), aabb(3, 2)], [aabb(3, 1), circle(2)]] {
            // The Minkowski sum of either pair reaches 5 to each side and 3 upwards. The first motion ends on its top,
            // the second one unit deeper.
            check_pair_sweep(pair, (0, 7), (0, -4), Sweep::Clear);
            check_pair_sweep(pair, (0, 7), (0, -5), sweep_hit(0.8, 0.0, 1.0));
            // The first shape starts in contact. It moves inwards, along the top, away, and not at all.
            check_pair_sweep(pair, (0, 3), (1, -1), sweep_hit(0.0, 0.0, 1.0));
            check_pair_sweep(pair, (0, 3), (9, 0), Sweep::Clear);
            check_pair_sweep(pair, (0, 3), (0, 1), Sweep::Clear);
            check_pair_sweep(pair, (0, 3), (0, 0), Sweep::Clear);
            // The first shape moves along the top, starting to the left of it. A motion that goes down by only one unit
            // hits.
            check_pair_sweep(pair, (-20, 3), (40, 0), Sweep::Clear);
            check_pair_sweep(pair, (-3, 3), (40, -1), sweep_hit(0.0, 0.0, 1.0));
            check_pair_sweep(pair, (0, 2), (0, 9), Sweep::Overlapping);
        }
        // Circles of radius 2 and 3 touch if their centres are 5 apart, as for (3, 4).
        let pair = [circle(2), circle(3)];
        check_pair_sweep(pair, (3, 4), (4, -3), Sweep::Clear);
        check_pair_sweep(pair, (3, 4), (3, 4), Sweep::Clear);
        check_pair_sweep(pair, (3, 4), (0, 0), Sweep::Clear);
        check_pair_sweep(pair, (3, 4), (-1, 0), sweep_hit(0.0, 0.6, 0.8));
        check_pair_sweep(pair, (6, 8), (-3, -4), Sweep::Clear);
        check_pair_sweep(pair, (6, 8), (-6, -8), sweep_hit(0.5, 0.6, 0.8));
        check_pair_sweep(pair, (3, 3), (9, 9), Sweep::Overlapping);
        // At height 5, the motion only grazes. One unit lower, at height 4, the circles hit where x is -3.
        check_pair_sweep(pair, (-8, 5), (16, 0), Sweep::Clear);
        check_pair_sweep(pair, (-8, 4), (20, 0), sweep_hit(0.25, -0.6, 0.8));
    }

    #[test]
    fn two_corners_that_meet_hit_along_the_axis_of_up() {
        let pair = [aabb(2, 1), aabb(3, 2)];
        let normal =
            |up| sweep_pair(pair[0], pair[1], vector(9, 7), vector(-8, -8), up).hit().map(|hit| (hit.toi, hit.normal));
        // The first box reaches the corner at (5, 3): both sides are hit at 1/2.
        for up in [I64Vec2::Y, I64Vec2::NEG_Y] {
            assert_eq!(normal(up), Some((0.5, DVec2::Y)));
        }
        for up in [I64Vec2::X, I64Vec2::NEG_X] {
            assert_eq!(normal(up), Some((0.5, DVec2::X)));
        }
        // The boxes start corner on corner.
        check_pair_sweep(pair, (5, 3), (-1, -3), sweep_hit(0.0, 0.0, 1.0));
        check_pair_sweep(pair, (5, 3), (-1, 0), Sweep::Clear);
        check_pair_sweep(pair, (5, 3), (0, -1), Sweep::Clear);
        // The first box reaches the corner at 1/2, but approaches on one axis only.
        check_pair_sweep(pair, (4, 7), (2, -8), Sweep::Clear);
        check_pair_sweep(pair, (5, 7), (0, -8), Sweep::Clear);
    }

    #[test]
    fn a_circle_hits_sides_and_corners() {
        let pair = [circle(5), aabb(10, 20)];
        // The circle moves towards the side, at the height of the side's upper end.
        check_pair_sweep(pair, (25, 20), (-20, 0), sweep_hit(0.5, 1.0, 0.0));
        let at_end = sweep_pair(pair[0], pair[1], vector(25, 20), vector(-20, 0), UP).hit().expect("it is met");
        assert_eq!(at_end.flat, Some(Fraction { num: 10, den: 20 }));
        // The circle moves 3 above the corner. It hits when its centre is 4 to the side of the corner, after 11 of 20.
        check_pair_sweep(pair, (25, 23), (-20, 0), sweep_hit(0.55, 0.8, 0.6));
        // The box moves towards the circle instead.
        check_pair_sweep([pair[1], pair[0]], (-25, -23), (20, 0), sweep_hit(0.55, -0.8, -0.6));
        // 5 above the corner, the circle only grazes the sum. The offset (14, 24) is inside the bounds of the sum, but
        // outside its rounded corner.
        check_pair_sweep(pair, (25, 25), (-20, 0), Sweep::Clear);
        assert!(!overlaps(pair[0], pair[1], vector(14, 24)) && overlaps(pair[0], pair[1], vector(13, 23)));
        // Halfway, the circle hits the corner. The normal has the direction (3, 4).
        check_pair_sweep(pair, (17, 36), (-8, -24), sweep_hit(0.5, 0.6, 0.8));
        // The circle grazes the corner: its path is at a right angle to the direction (3, 4). One unit lower, the
        // circle hits the corner.
        check_pair_sweep(pair, (5, 30), (16, -12), Sweep::Clear);
        let grazed = sweep_pair(pair[0], pair[1], vector(5, 29), vector(16, -12), UP).hit().expect("it is met");
        assert!(grazed.flat.is_none() && grazed.normal.min_element() > 0.0);
    }

    #[test]
    fn crossing_balls_collide_where_both_have_moved() {
        // Balls of radius 1/8 start at (-1, 0) and (0, -1), and move 2 to the right and 2 up. They hit when their
        // centres are 1/4 apart: sqrt(2) (1 - 2 t) = 1/4.
        let ball = circle(ONE / 8);
        let found = sweep_pair(ball, ball, vector(-ONE, ONE), vector(2 * ONE, -2 * ONE), UP).hit().expect("they meet");
        assert!((found.toi - (1.0 - 0.125 * 2.0_f64.sqrt()) / 2.0).abs() < 1e-15 && found.flat.is_none());
        assert_eq!(found.normal.x, -found.normal.y);
        assert!((found.normal.y - 0.5_f64.sqrt()).abs() < 1e-15);
        // Head on, with centres 1 apart: after 3/8 of the motion of 2, the centres are 1/4 apart. The normal is along
        // an axis, but no side is flat.
        let found = sweep_pair(ball, ball, vector(ONE, 0), vector(-2 * ONE, 0), UP).hit().expect("they meet");
        assert_eq!((found.toi, found.normal, found.flat), (0.375, DVec2::X, None));
    }

    #[test]
    fn one_unit_decides_between_standing_and_falling() {
        // Crates of width 1 lie at x 0 and 1. A crate at x 2 falls past them: its left side is at 1.5, the right side
        // of the second one. One unit further left, it lands.
        let crate_ = aabb(ONE / 2, ONE / 2);
        let (above, fall) = (vector(ONE, 3 * ONE), vector(0, -4 * ONE));
        assert_eq!(sweep_pair(crate_, crate_, above, fall, UP), Sweep::Clear);
        let found = sweep_pair(crate_, crate_, above - I64Vec2::X, fall, UP).hit().expect("it stands");
        assert_eq!((found.flat, found.normal), (Some(Fraction { num: 2 * ONE, den: 4 * ONE }), DVec2::Y));
        let stands = vector(ONE - 1, ONE);
        assert_eq!(contact(crate_, crate_, stands), Some(PairContact { normal: DVec2::Y, gap: 0.0, flat: true }));
        assert_eq!(contact(crate_, crate_, stands + I64Vec2::X), None);
        // Crates at x 1 and 2.25 have sides that are 1/4 apart.
        let row = flat_gap(crate_, crate_, vector(ONE / 4 - ONE - ONE / 2, 0));
        assert_eq!(row, Some(FlatGap { normal: I64Vec2::NEG_X, gap: ONE / 4 }));
    }

    #[test]
    fn gaps_up_to_sixteen_units_count_as_touching() {
        let (ball, crate_) = (circle(50), aabb(30, 30));
        for gap in [0, 1, 16, 17] {
            // Box on box, circle on the side of a box, circle on circle.
            let touched = |normal, flat| (gap <= TOUCH).then_some(PairContact { normal, gap: gap as f64, flat });
            assert_eq!(contact(crate_, crate_, vector(-60 - gap, 59)), touched(DVec2::NEG_X, true));
            assert_eq!(contact(ball, crate_, vector(30, 80 + gap)), touched(DVec2::Y, true));
            assert_eq!(contact(ball, ball, vector(0, -100 - gap)), touched(DVec2::NEG_Y, false));
        }
        // A circle on a corner of the box, in the direction (3, 4).
        let on_corner = |radius| contact(crate_, circle(radius), vector(60, 70));
        let normal = DVec2::new(0.6, 0.8);
        assert_eq!(on_corner(50), Some(PairContact { normal, gap: 0.0, flat: false }));
        assert_eq!(on_corner(34), Some(PairContact { normal, gap: 16.0, flat: false }));
        assert_eq!((on_corner(33), on_corner(51)), (None, None));
        assert_eq!(flat_gap(crate_, circle(34), vector(60, 70)), None);
        // Boxes that touch only at corners, and shapes that overlap, have no contact.
        assert_eq!(contact(crate_, crate_, vector(60, 60)), None);
        assert_eq!(contact(crate_, crate_, vector(59, 59)), None);
        assert_eq!(contact(ball, crate_, vector(0, 79)), None);
    }

    #[test]
    fn offsets_beyond_the_range_are_clear() {
        let far = vector(1 << 62, -(1 << 62));
        for pair in [[aabb(1, 1), aabb(1, 1)], [circle(1), aabb(1 << 39, 1)], [circle(1 << 39), circle(1)]] {
            check_pair_sweep(pair, far.into(), (-(1 << 43), 1 << 43), Sweep::Clear);
            assert!(!overlaps(pair[0], pair[1], far) && contact(pair[0], pair[1], far).is_none());
        }
    }
}

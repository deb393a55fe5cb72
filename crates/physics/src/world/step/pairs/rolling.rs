//! Keeps a body on the round body on which it rolls or slides.
//!
//! Within a tick, the body moves straight along the tangent and so leaves the round side a little. At the end of the
//! tick it is moved back onto that side, if gravity pulls it that far within a tick. So it touches the round side in
//! every tick, instead of falling onto it again and again.
//!
//! A body that would land slowly on a round side within the tick counts as supported by it from the beginning of the
//! tick. Such a slow impact has no bounce and pushes nothing away.

use super::solver_bodies::BodyIndex;
use super::tolerance::{MAX_LIE_GAP_UNITS, MAX_OVERLAP_UNITS, MAX_ROLL_FACTOR};
use super::{PairPhase, take_and_empty_list};
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::ONE;
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::exact::{Collider, PairContact};

impl PairPhase<'_> {
    /// Returns the maximum height above a round side at which that side supports a body, in units: as far as gravity
    /// pulls the body within a tick, at most 1/64 tile.
    pub(super) fn max_landing_gap(&self, i: BodyIndex) -> i64 {
        let body = self.body(i);
        let deep = if body.given.is_character { 0.0 } else { self.fall_distance_in_tick(body.given.gravity.length()) };
        (deep as i64).clamp(TOUCH + 1, MAX_LIE_GAP_UNITS)
    }

    /// Returns how far an acceleration moves a body within a tick, in units.
    fn fall_distance_in_tick(&self, acceleration: f64) -> f64 {
        let tick = self.rules.settings.tick;
        acceleration * tick * tick / 2.0 * ONE as f64
    }

    /// Returns the contact of a body above a round side, if the gap is at most `reach`.
    pub(super) fn landing_contact(
        &self,
        i: BodyIndex,
        j: BodyIndex,
        offset: I64Vec2,
        reach: i64,
    ) -> Option<PairContact> {
        let contact = self.contact_with_round_side(i, j, offset)?;
        (self.is_contact_below(i, contact.normal) && contact.gap <= reach as f64).then_some(contact)
    }

    /// Moves the bodies that roll on others back on to them at the end of the tick, the lowest first.
    pub(super) fn put_rolling_bodies_back(&mut self) {
        let mut order = take_and_empty_list(&mut self.pairs.lists.order);
        let rolls = |i: &u32| {
            let body = self.body(*i);
            body.stage.is_open && body.is_moved_by_phase() && !body.impacts.is_done && !body.lists.rolls_on.is_empty()
        };
        order.extend(self.pairs.bodies.all_indices().filter(rolls));
        self.sort_upwards(&mut order);
        for &i in &order {
            self.put_rolling_body_back(i);
        }
        self.pairs.lists.order = order;
    }

    /// Puts a body back onto the one or two round bodies from which it rolled off in this tick, if they are near
    /// enough.
    fn put_rolling_body_back(&mut self, i: BodyIndex) {
        let body = self.body(i);
        let gaps = body.lists.rolls_on.iter().filter_map(|&(j, before)| {
            let gap = self.contact_with_round_side(i, j, body.now.position - self.end_position(j))?;
            (gap.gap - before <= self.fall_distance_in_tick(-gap.normal.dot(body.given.gravity))).then_some((j, gap))
        });
        let gaps: SmallVec<[(u32, PairContact); 4]> = gaps.collect();
        let parts = |(j, gap): &(u32, PairContact)| gap.normal.dot(body.now.velocity - self.body(*j).now.velocity);
        if gaps.iter().any(|gap| parts(gap) < 0.0) {
            return;
        }
        let (way, change) = match &gaps[..] {
            [one @ (_, gap)] => (gap.normal * -gap.gap, gap.normal * -parts(one)),
            [one @ (_, first), other @ (_, second)] => {
                let both = |a: f64, b: f64| vector_with_components((first.normal, a), (second.normal, b));
                let Some((way, change)) = both(-first.gap, -second.gap).zip(both(-parts(one), -parts(other))) else {
                    return;
                };
                (way, change)
            }
            _ => return,
        };
        let pull = body.given.gravity.length();
        let farthest = MAX_ROLL_FACTOR * (self.fall_distance_in_tick(pull) + self.max_landing_gap(i) as f64);
        if way.length() > farthest || change.length() > MAX_ROLL_FACTOR * pull * self.rules.settings.tick {
            return;
        }
        if gaps.iter().all(|(_, gap)| gap.gap <= TOUCH as f64) || self.try_lower_by(i, way) {
            self.pairs.bodies[i as usize].now.velocity += change;
        }
    }

    /// Moves a body down by `displacement` at the end of the tick. If something blocks it, the body may stop up to
    /// [`MAX_OVERLAP_UNITS`] units short of `displacement`. Returns whether there was room.
    fn try_lower_by(&mut self, i: BodyIndex, displacement: DVec2) -> bool {
        let back = -displacement.normalize_or_zero();
        let mut tries =
            (0..=MAX_OVERLAP_UNITS as i32).map(|units| (displacement + back * f64::from(units)).round().as_i64vec2());
        tries.any(|displacement| self.try_move_by(i, displacement))
    }

    /// Returns the contact of two bodies at any distance, if one of them is round there. `None` between flat sides.
    fn contact_with_round_side(&self, i: BodyIndex, j: BodyIndex, offset: I64Vec2) -> Option<PairContact> {
        let (half, radius) = minkowski_sum(self.body(i).given.collider, self.body(j).given.collider);
        let out = offset - offset.clamp(-half, half);
        let is_flat = half != I64Vec2::ZERO && (out.x == 0 || out.y == 0);
        let out = out.as_dvec2();
        let distance = out.length();
        let gap = (distance - radius as f64).max(0.0);
        (!is_flat && distance > 0.0).then(|| PairContact { normal: out / distance, gap, flat: false })
    }
}

/// Returns the Minkowski sum of two shapes: a box and a radius around it. The distance between the two shapes is that
/// between the offset of their centres and this sum.
pub(super) fn minkowski_sum(a: Collider, b: Collider) -> (I64Vec2, i64) {
    let parts = |collider| match collider {
        Collider::Circle { radius } => (I64Vec2::ZERO, radius),
        Collider::Aabb { half } => (half, 0),
    };
    let ((half_a, radius_a), (half_b, radius_b)) = (parts(a), parts(b));
    (half_a + half_b, radius_a + radius_b)
}

/// Returns the vector that has the given parts along two directions. `None` if these are parallel.
fn vector_with_components((n, a): (DVec2, f64), (m, b): (DVec2, f64)) -> Option<DVec2> {
    let across = n.perp_dot(m);
    (across != 0.0).then(|| DVec2::new(a * m.y - b * n.y, b * n.x - a * m.x) / across)
}

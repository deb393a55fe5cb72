//! Surfaces that a cast hits at the same time, and the choice between them.

use super::surface::Surface;
use super::{Frame, Surfaces};
use glam::I64Vec2;
use smallvec::SmallVec;
use std::cmp::Ordering;
use surefoot_geometry::Position;

/// Surfaces that a cast hit at the earliest time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hits {
    pub(crate) surfaces: Surfaces,
    /// For each surface: the neighbour's normal if a box hits it exactly at its end, else zero. Empty for circles.
    pub(super) ties: SmallVec<[I64Vec2; 4]>,
    /// Arcs that were hit, kept apart from the faces until it is known which of them count.
    pub(super) arcs: Surfaces,
}

impl Hits {
    pub(super) fn clear(&mut self) {
        self.surfaces.clear();
        self.ties.clear();
        self.arcs.clear();
    }

    /// Drops the losing face where a box hits both faces of a corner exactly, if the winner is among the hits.
    ///
    /// If a face of another source continues straight on at the corner, there is no corner. The face that is hidden by
    /// it is dropped.
    pub(super) fn drop_faces_that_lose_ties(&mut self, frame: &Frame, motion: I64Vec2) {
        if self.surfaces.len() < 2 || self.ties.iter().all(|tie| *tie == I64Vec2::ZERO) {
            return;
        }
        let normal = |surface: &Surface| surface.piece.normal.as_i64vec2();
        // Only boxes have ties, and a cast of a box leaves the list of arcs empty. So use that list for the faces that
        // stay.
        for (surface, tie) in self.surfaces.iter().zip(&self.ties) {
            let loses = self.surfaces.iter().filter(|other| normal(other) == *tie).any(|other| {
                let wins = || wins_at_shared_corner(frame, *tie, normal(surface), motion);
                if other.owner == surface.owner { wins() } else { other.continues_at_end(surface) }
            });
            if !loses {
                self.arcs.push(*surface);
            }
        }
        std::mem::swap(&mut self.surfaces, &mut self.arcs);
    }

    /// Returns the hit surface to report: a floor, else the surface most opposed to the motion.
    pub(super) fn most_opposed_surface(&self, frame: &Frame, position: Position, motion: I64Vec2) -> Option<&Surface> {
        // The normal of an arc is the offset of the circle from the corner. Such a long vector times a long motion
        // would overflow.
        let are_flat = self.surfaces.iter().all(Surface::is_flat);
        let motion = if are_flat { motion } else { scale_down_to_bit_count(motion, 30) };
        self.surfaces.iter().reduce(|first, other| {
            if has_priority_over_face(frame, other.normal(position), first.normal(position), motion) {
                other
            } else {
                first
            }
        })
    }
}

/// Returns whether a face wins over its neighbour if a box hits both at the convex corner that they share.
///
/// The face wins along which the motion leads away from the corner. If that holds for both, the flatter of two floors
/// wins, else [`has_priority_over_face`] decides.
///
/// A stopped box must continue along the winning face. A face that the motion leaves at the corner would block the box
/// next to it, though a box that shares no length with an axis-aligned face does not touch it. The motion leads away
/// along at least one of the two: otherwise both would be at a right angle or more to the motion, but they are less
/// than half a turn apart.
///
/// The flatter of two floors wins because a body that gravity pulls down continues on it.
fn wins_at_shared_corner(frame: &Frame, normal: I64Vec2, other: I64Vec2, motion: I64Vec2) -> bool {
    // `n` is the normal of a face. The corner is at the end of the face to which the other normal `m` leans. So a
    // motion to the other side of `n` than `m` leads along the face, away from the corner.
    let leads_along = |n: I64Vec2, m: I64Vec2| n.perp_dot(m).signum() * n.perp_dot(motion).signum() < 0;
    match (leads_along(normal, other), leads_along(other, normal)) {
        (true, false) => true,
        (false, true) => false,
        _ if frame.is_floor(normal) && frame.is_floor(other) => {
            compare_hit_directness(normal, other, frame.up_axis()).is_gt()
        }
        _ => has_priority_over_face(frame, normal, other, motion),
    }
}

/// Compares how directly a motion hits two surfaces with those normals. The sign of the motion does not matter.
///
/// Exact for normals of faces. To four digits if one normal is the offset of a circle from a corner; the motion then
/// has at most 30 bits.
fn compare_hit_directness(normal: I64Vec2, other: I64Vec2, motion: I64Vec2) -> Ordering {
    let (normal, other) = (scale_down_to_bit_count(normal, 14), scale_down_to_bit_count(other, 14));
    // Compares (n . v)^2 / |n|^2 of both without a division. The products are below 2^120.
    let share = |n: I64Vec2, m: I64Vec2| {
        let dot = i128::from(n.dot(motion));
        dot * dot * i128::from(m.dot(m))
    };
    share(normal, other).cmp(&share(other, normal))
}

/// Divides a vector by the power of two that leaves its components at most `bits` bits. Rounds towards zero, so that
/// mirrors and turns commute with it.
fn scale_down_to_bit_count(v: I64Vec2, bits: u32) -> I64Vec2 {
    let most = v.x.unsigned_abs() | v.y.unsigned_abs();
    v / (1 << (u64::BITS - most.leading_zeros()).saturating_sub(bits))
}

/// Returns whether a face wins over another: a floor first, then the face more opposed to the motion, then the one that
/// blocks vertical motion more.
fn has_priority_over_face(frame: &Frame, normal: I64Vec2, other: I64Vec2, motion: I64Vec2) -> bool {
    let floors = (frame.is_floor(normal), frame.is_floor(other));
    if floors.0 != floors.1 {
        return floors.0;
    }
    compare_hit_directness(normal, other, motion).then(compare_hit_directness(normal, other, frame.up_axis())).is_gt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    /// Compares the largest circle offsets and the longest motions: nothing overflows, f64 agrees where it is precise
    /// enough, and mirrors and turns change nothing.
    #[test]
    fn the_longest_offsets_and_motions_are_compared() {
        let mut random = Random(0x0FF5);
        let mut number = |bits: u32| (random.next() as i64) >> (63 - bits);
        let mut reported = 0;
        for _ in 0..20_000 {
            let bits = [3, 16, 30, 38][(number(7) & 3) as usize];
            let [n, m] = [0; 2].map(|_| I64Vec2::new(number(bits), number(bits)));
            let long = if bits > 3 { 30 } else { 42 };
            let v = scale_down_to_bit_count(I64Vec2::new(number(42), number(42)), long);
            if n == I64Vec2::ZERO || m == I64Vec2::ZERO {
                continue;
            }
            let order = compare_hit_directness(n, m, v);
            assert_eq!(compare_hit_directness(m, n, v), order.reverse());
            let turns: [fn(I64Vec2) -> I64Vec2; 4] =
                [|v| v.perp(), |v| -v, |v| I64Vec2::new(-v.x, v.y), |v| I64Vec2::new(v.y, v.x)];
            for turned in turns {
                assert_eq!(compare_hit_directness(turned(n), turned(m), turned(v)), order, "{n} {m} {v}");
            }
            let share = |n: I64Vec2| n.as_dvec2().normalize().dot(v.as_dvec2().normalize()).abs();
            if (share(n) - share(m)).abs() > 1e-3 {
                assert_eq!(share(n).total_cmp(&share(m)), order, "{n} {m} {v}");
                reported += 1;
            }
        }
        assert!(reported > 15_000, "{reported}");
    }
}

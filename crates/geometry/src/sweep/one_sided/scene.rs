use super::Ends;
use crate::shapes::{MAX_COORDINATE, Segment};
use crate::sweep::{Hit, Sweep};
use glam::DVec2;

/// The longest motion along an axis: from one end of the coordinate range to the other.
const MAX_MOTION: f64 = 2.0 * MAX_COORDINATE;

/// A moving shape in front of a segment. Circle and box implement these tests in their own ways.
pub(super) trait Scene {
    /// Returns whether the segment is deeper inside the shape than the slop before the motion starts.
    fn overlaps(&self) -> bool;

    /// Returns the hit on the face. `ends` tells what lies beyond it.
    fn face_hit(&self, ends: Ends) -> Option<Hit>;

    /// Returns the hit on the segment's start point as a free end.
    fn start_point_hit(&self) -> Option<Hit>;

    /// Returns the hit on the segment's end point as a free end.
    fn end_point_hit(&self) -> Option<Hit>;

    /// Returns the hit on a segment of length 0, which is one point.
    fn zero_length_segment_hit(&self) -> Option<Hit>;
}

/// Returns the earliest hit on the parts that can be hit.
pub(super) fn sweep(scene: &impl Scene, segment: &Segment, ends: Ends) -> Sweep {
    let is_point = segment.a() == segment.b();
    if is_point && ends == Ends::NEITHER {
        return Sweep::Clear;
    }
    if scene.overlaps() {
        return Sweep::Overlapping;
    }
    let hit = if is_point {
        scene.zero_length_segment_hit()
    } else {
        // Shrink the mover to its middle, and grow the face and its ends by the mover instead. They form one convex
        // outline, which the path of the middle enters only once. So after a hit on the face, an end cannot be hit.
        scene.face_hit(ends).or_else(|| {
            let start = if ends.start { scene.start_point_hit() } else { None };
            let end = if ends.end { scene.end_point_hit() } else { None };
            earlier_hit(start, end)
        })
    };
    hit.map_or(Sweep::Clear, Sweep::Hit)
}

/// Returns whether a sweep accepts the motion: finite and not too long.
pub(super) fn is_accepted_motion(motion: DVec2) -> bool {
    motion.x.abs() <= MAX_MOTION && motion.y.abs() <= MAX_MOTION
}

fn earlier_hit(one: Option<Hit>, other: Option<Hit>) -> Option<Hit> {
    match (one, other) {
        (Some(a), Some(b)) => Some(if b.toi < a.toi { b } else { a }),
        (a, b) => a.or(b),
    }
}

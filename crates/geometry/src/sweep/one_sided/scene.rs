use super::Ends;
use crate::shapes::{MAX_COORDINATE, Segment};
use crate::sweep::{Hit, Sweep};
use glam::DVec2;

/// The longest motion along an axis: from one end of what coordinates can be to the other.
const LONGEST: f64 = 2.0 * MAX_COORDINATE;

/// A moving shape before a segment: what each shape answers in its own way.
pub(super) trait Scene {
    /// Is the segment deeper inside the shape than a touch before the motion begins?
    fn overlaps(&self) -> bool;

    /// Where the motion meets the face; `ends` says what lies beyond it.
    fn face(&self, ends: Ends) -> Option<Hit>;

    /// Where the motion meets the end point where the segment starts, with the rules of a rim.
    fn start(&self) -> Option<Hit>;

    /// Where the motion meets the end point where the segment ends, with the rules of a rim.
    fn end(&self) -> Option<Hit>;

    /// Where the motion meets the one point that a segment of zero length is.
    fn lone_point(&self) -> Option<Hit>;
}

/// The earliest contact of the parts that can be hit.
pub(super) fn sweep(scene: &impl Scene, segment: &Segment, ends: Ends) -> Sweep {
    let is_point = segment.a() == segment.b();
    if is_point && ends == Ends::NEITHER {
        return Sweep::Clear;
    }
    if scene.overlaps() {
        return Sweep::Overlapping;
    }
    let hit = if is_point {
        scene.lone_point()
    } else {
        // The grown face and what is around its ends bound one convex shape: a path enters it only once.
        scene.face(ends).or_else(|| {
            let start = if ends.start { scene.start() } else { None };
            let end = if ends.end { scene.end() } else { None };
            earlier(start, end)
        })
    };
    hit.map_or(Sweep::Clear, Sweep::Hit)
}

/// Whether it is a motion that is swept at all. Not if it is NaN.
pub(super) fn is_swept(motion: DVec2) -> bool {
    motion.x.abs() <= LONGEST && motion.y.abs() <= LONGEST
}

fn earlier(one: Option<Hit>, other: Option<Hit>) -> Option<Hit> {
    match (one, other) {
        (Some(a), Some(b)) => Some(if b.toi < a.toi { b } else { a }),
        (a, b) => a.or(b),
    }
}

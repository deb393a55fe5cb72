use glam::DVec2;

/// What a line, a ray or a segment shares with a point or with a shape that has an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chord {
    /// Nothing.
    None,
    /// One point.
    Point(ChordPoint),
    /// A stretch: where it begins and where it ends.
    Segment(ChordPoint, ChordPoint),
}

/// A point along a line, a ray or a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChordPoint {
    /// Where it is.
    pub point: DVec2,
    /// Its parameter.
    pub t: f64,
}

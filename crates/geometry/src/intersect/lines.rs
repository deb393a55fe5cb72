use glam::DVec2;

/// What two of line, ray and segment share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Intersection {
    /// Nothing.
    None,
    /// One point.
    Point(Crossing),
    /// A stretch, in the order of the first shape's parameter.
    Segment(Crossing, Crossing),
    /// All from a point on, in the direction that is given by the parameters growing or falling there.
    Ray(Crossing),
    /// The whole line.
    Line,
}

/// A point that two of line, ray and segment share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Where it is.
    pub point: DVec2,
    /// Its parameter along the first shape.
    pub t: f64,
    /// Its parameter along the second shape.
    pub u: f64,
}

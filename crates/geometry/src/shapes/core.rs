//! What all shapes have in common: straight parts, grown by a radius.

use glam::DVec2;

/// A shape without its radius.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core<'a> {
    /// The corners; of three and more counter-clockwise, of two in the order in which parameters grow.
    pub(crate) corners: Corners<'a>,
    /// How far the shape goes beyond them, 0 or more.
    pub(crate) radius: f64,
    /// Whether a core of two points goes on beyond them.
    pub(crate) extent: Extent,
}

/// How far a core of two points goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The core goes from one corner to the other. Cores of more or fewer corners are of this extent too.
    Bounded,
    /// The core goes from the first corner through the second one and on.
    Ray,
    /// The core goes on beyond both corners.
    Line,
}

/// The corners of a shape: kept by it, or made for the question.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Corners<'a> {
    /// A point.
    One([DVec2; 1]),
    /// Two points that differ.
    Two([DVec2; 2]),
    /// A box along the axes.
    Four([DVec2; 4]),
    /// The corners that the shape itself keeps.
    Borrowed(&'a [DVec2]),
}

impl<'a> Core<'a> {
    /// The corners where it ends.
    pub(crate) fn ends(&self) -> &[DVec2] {
        let corners = self.corners.as_slice();
        match self.extent {
            Extent::Bounded => corners,
            Extent::Ray => &corners[..1],
            Extent::Line => &[],
        }
    }

    /// The box around its corners.
    pub(crate) fn bounds(&self) -> (DVec2, DVec2) {
        let corners = self.corners.as_slice();
        corners.iter().fold((corners[0], corners[0]), |(min, max), &corner| (min.min(corner), max.max(corner)))
    }

    #[inline]
    pub(crate) fn new(corners: Corners<'a>, radius: f64) -> Core<'a> {
        Core { corners, radius, extent: Extent::Bounded }
    }
}

impl Corners<'_> {
    /// The corners of a segment, which may be a point.
    #[inline]
    pub(crate) fn segment(a: DVec2, b: DVec2) -> Corners<'static> {
        if a == b { Corners::One([a]) } else { Corners::Two([a, b]) }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[DVec2] {
        match self {
            Corners::One(corners) => corners,
            Corners::Two(corners) => corners,
            Corners::Four(corners) => corners,
            Corners::Borrowed(corners) => corners,
        }
    }
}

//! The common form of all shapes: a straight core (point, segment, ray, line or polygon) and a radius around it.

use glam::DVec2;

/// The straight part of a shape, and the radius around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core<'a> {
    /// Corners of the core. Three or more are counter-clockwise. Two are in the order in which parameters grow.
    pub(crate) corners: Corners<'a>,
    /// Radius around the straight part, 0 or more.
    pub(crate) radius: f64,
    /// Whether a core of two points continues beyond them.
    pub(crate) extent: Extent,
}

/// Extent of a core of two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The core ends at both corners. Cores with one corner, or three and more, have this extent too.
    Bounded,
    /// The core starts at the first corner and continues through the second one without end.
    Ray,
    /// The core continues without end beyond both corners.
    Line,
}

/// Corners of a shape: borrowed from the shape, or created for the query.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Corners<'a> {
    /// A point.
    One([DVec2; 1]),
    /// Two different points.
    Two([DVec2; 2]),
    /// The corners of an axis-aligned box.
    Four([DVec2; 4]),
    /// Corners that the shape itself stores.
    Borrowed(&'a [DVec2]),
}

impl<'a> Core<'a> {
    /// Returns the corners at which the core ends.
    pub(crate) fn ends(&self) -> &[DVec2] {
        let corners = self.corners.as_slice();
        match self.extent {
            Extent::Bounded => corners,
            Extent::Ray => &corners[..1],
            Extent::Line => &[],
        }
    }

    /// Returns the bounding box of the corners.
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
    /// Returns the corners of a segment, which may be a point.
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

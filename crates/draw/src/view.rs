use surefoot::geometry::DVec2;

/// A point of a picture: pixels to the right of and below its top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// How a picture shows the world: the only place where y changes its direction.
///
/// # Examples
/// ```
/// use surefoot::geometry::DVec2;
/// use surefoot_draw::{Point, View};
///
/// let view = View { left: -1.0, top: 5.0, scale: 32.0 };
/// assert_eq!(view.point(DVec2::new(0.0, 4.5)), Point { x: 32.0, y: 16.0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The x of the picture's left edge, in tiles.
    pub left: f64,
    /// The y of its top edge, in tiles.
    pub top: f64,
    /// Pixels along one side of a tile.
    pub scale: f64,
}

impl View {
    /// A view that shows the origin at a point of the picture.
    #[must_use]
    pub fn with_origin_at(point: Point, scale: f64) -> View {
        View { left: -point.x / scale, top: point.y / scale, scale }
    }

    /// Where the picture shows a point of the world, given in tiles.
    #[must_use]
    pub fn point(&self, at: DVec2) -> Point {
        Point { x: (at.x - self.left) * self.scale, y: (self.top - at.y) * self.scale }
    }
}

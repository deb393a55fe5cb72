use surefoot::geometry::DVec2;

/// A point of a picture, in pixels from its top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Pixels to the right.
    pub x: f64,
    /// Pixels down.
    pub y: f64,
}

/// Converts world positions to points of a picture. World y points up, picture y down.
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
    /// World x of the picture's left edge, in tiles.
    pub left: f64,
    /// World y of the picture's top edge, in tiles.
    pub top: f64,
    /// Size of a tile in pixels.
    pub scale: f64,
}

impl View {
    /// Creates a view that shows the origin at a point of the picture.
    #[must_use]
    pub fn with_origin_at(point: Point, scale: f64) -> View {
        View { left: -point.x / scale, top: point.y / scale, scale }
    }

    /// Converts a point of the picture to a world position in tiles.
    #[must_use]
    pub fn position(&self, at: Point) -> DVec2 {
        DVec2::new(self.left + at.x / self.scale, self.top - at.y / self.scale)
    }

    /// Returns the tile at a point of the picture.
    #[must_use]
    pub fn tile(&self, at: Point) -> (i32, i32) {
        let at = self.position(at).floor();
        (at.x as i32, at.y as i32)
    }

    /// Converts a world position in tiles to a point of the picture.
    #[must_use]
    pub fn point(&self, at: DVec2) -> Point {
        Point { x: (at.x - self.left) * self.scale, y: (self.top - at.y) * self.scale }
    }
}

//! Converts between tiles with y up and pixels with y down.

use macroquad::math::{Rect, Vec2, vec2};
use surefoot::Map;
use surefoot::geometry::DVec2;
use surefoot::prelude::BodyState;
use surefoot_draw::{Point, View};

/// Converts between the world, in tiles with y up, and pixels with y down.
///
/// [`Pixels::of_map`] is for a game that keeps its own things in the pixels of a level's picture, as editors do.
/// [`Stage::pixels`](crate::Stage::pixels) is the window in this frame: for the mouse, and for texts above bodies.
///
/// # Examples
/// ```
/// use macroquad::math::vec2;
/// use surefoot::Map;
/// use surefoot::geometry::DVec2;
/// use surefoot_macroquad::Pixels;
///
/// // Four tiles of 16 pixels across, two down.
/// let pixels = Pixels::of_map(&Map::from_rows(["....", "####"])?, 16.0);
/// assert_eq!(pixels.position(DVec2::new(1.0, 1.5)), vec2(16.0, 8.0));
/// assert_eq!(pixels.tiles(vec2(16.0, 8.0)), DVec2::new(1.0, 1.5));
/// assert_eq!(pixels.velocity_in_tiles(vec2(0.0, -160.0)), DVec2::new(0.0, 10.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pixels {
    view: View,
}

impl Pixels {
    /// Creates the conversion for a picture of the whole map: pixels count from the map's top left corner. `per_tile`:
    /// pixels along one side of a tile.
    #[must_use]
    pub fn of_map(map: &Map, per_tile: f64) -> Pixels {
        let ((left, bottom), (_, rows)) = (map.origin(), map.size());
        Pixels::of_view(View { left: left.into(), top: f64::from(bottom) + f64::from(rows), scale: per_tile })
    }

    /// Creates the conversion for a view.
    #[must_use]
    pub fn of_view(view: View) -> Pixels {
        Pixels { view }
    }

    /// Returns the pixels along one side of a tile.
    #[must_use]
    pub fn per_tile(&self) -> f64 {
        self.view.scale
    }

    /// Converts a position in tiles to pixels.
    #[must_use]
    pub fn position(&self, at: DVec2) -> Vec2 {
        let Point { x, y } = self.view.point(at);
        vec2(x as f32, y as f32)
    }

    /// Converts a position in pixels to tiles.
    #[must_use]
    pub fn tiles(&self, at: Vec2) -> DVec2 {
        self.view.position(Point { x: at.x.into(), y: at.y.into() })
    }

    /// Converts a velocity in tiles per second to pixels per second.
    #[must_use]
    pub fn velocity(&self, velocity: DVec2) -> Vec2 {
        vec2((velocity.x * self.view.scale) as f32, (-velocity.y * self.view.scale) as f32)
    }

    /// Converts a velocity in pixels per second to tiles per second.
    #[must_use]
    pub fn velocity_in_tiles(&self, velocity: Vec2) -> DVec2 {
        DVec2::new(f64::from(velocity.x), -f64::from(velocity.y)) / self.view.scale
    }

    /// Returns the rectangle around a body in pixels, between its last two ticks: to draw a picture of your own there.
    #[must_use]
    pub fn rect(&self, body: &BodyState, fraction: f32) -> Rect {
        let (at, half) = (body.position_at(fraction).as_dvec2(), body.shape().half_extents());
        let corner = self.position(at + DVec2::new(-half.x, half.y));
        let size = 2.0 * half * self.view.scale;
        Rect::new(corner.x, corner.y, size.x as f32, size.y as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::World;
    use surefoot::prelude::*;
    use surefoot_random::Random;

    /// Rounding of f32 in a window: far below a visible difference.
    const MAX_ERROR_PIXELS: f32 = 1e-3;

    #[test]
    fn positions_and_velocities_convert_back_and_forth() {
        let mut random = Random(3);
        for _ in 0..1000 {
            let mut number = || random.range(-50.0, 50.0);
            let view = View { left: number(), top: number(), scale: 8.0 + number().abs() };
            let (pixels, at) = (Pixels::of_view(view), vec2(20.0 * number() as f32, 20.0 * number() as f32));
            assert!((pixels.position(pixels.tiles(at)) - at).abs().max_element() < MAX_ERROR_PIXELS, "{view:?}: {at}");
            let there = pixels.velocity(pixels.velocity_in_tiles(at));
            assert!((there - at).abs().max_element() < MAX_ERROR_PIXELS, "{view:?}: {at}");
            // A velocity is the difference of two positions.
            let (one, other) = (DVec2::new(number(), number()), DVec2::new(number(), number()));
            let moved = pixels.position(other) - pixels.position(one);
            assert!((moved - pixels.velocity(other - one)).abs().max_element() < 10.0 * MAX_ERROR_PIXELS);
        }
    }

    /// A map of 4 x 3 tiles whose lower left tile is at (-1, 2): its top left corner is at (-1, 5).
    #[test]
    fn the_corners_of_a_map_are_the_corners_of_its_picture() {
        let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "....", "...."], origin: (-1, 2))"#).unwrap();
        let pixels = Pixels::of_map(&map, 10.0);
        for (tiles, corner) in [
            ((-1.0, 5.0), (0.0, 0.0)),
            ((3.0, 5.0), (40.0, 0.0)),
            ((-1.0, 2.0), (0.0, 30.0)),
            ((3.0, 2.0), (40.0, 30.0)),
        ] {
            assert_eq!(pixels.position(DVec2::from(tiles)), Vec2::from(corner));
            assert_eq!(pixels.tiles(Vec2::from(corner)), DVec2::from(tiles));
        }
    }

    #[test]
    fn the_rectangle_of_a_body_is_around_it() {
        let mut world = World::new(Map::from_rows(["....", "....", "===="]).unwrap(), Settings::default());
        let body = world.spawn(Body::new(Shape::aabb(0.5, 0.25)).at((2.0, 1.25))).unwrap();
        let pixels = Pixels::of_map(world.map(), 20.0);
        assert_eq!(pixels.rect(&world[body], 1.0), Rect::new(30.0, 30.0, 20.0, 10.0));
    }
}

use super::Map;
use surefoot_geometry::{I64Vec2, ONE, Position, PositionError, to_lengths};

/// Distance from a cell's lower left corner to its centre on each axis, in units.
const HALF: i64 = ONE / 2;

/// Returns the centre of a tile. It is always a valid position: a map ends at most 2^29 tiles from the origin.
pub(super) fn tile_centre((x, y): (i32, i32)) -> Position {
    Position::clamped(I64Vec2::new((i64::from(x) << 32) + HALF, (i64::from(y) << 32) + HALF))
}

impl Map {
    /// Returns the number of pixels along one side of a tile, for programs that draw the map. The physics ignores the
    /// number.
    #[must_use]
    pub fn pixels_per_tile(&self) -> u32 {
        self.parts.pixels_per_tile
    }

    /// Converts `position` to pixels. Pixel (0, 0) is the map's top left corner; x points right and y points down.
    ///
    /// One tile is [`Map::pixels_per_tile`] pixels wide and high. Positions outside the map are converted too.
    #[must_use]
    pub fn to_pixels(&self, position: Position) -> (f32, f32) {
        let top_left = self.top_left();
        let from_corner = to_lengths(I64Vec2::new(position.units().x - top_left.x, top_left.y - position.units().y));
        let pixels = from_corner * f64::from(self.parts.pixels_per_tile);
        (pixels.x as f32, pixels.y as f32)
    }

    /// Converts pixels to a position. Pixel (0, 0) is the map's top left corner; x points right and y points down.
    ///
    /// One tile is [`Map::pixels_per_tile`] pixels wide and high. The position is rounded to the nearest unit, 2^-32 of
    /// a tile.
    ///
    /// # Errors
    /// Returns [`PositionError`] if a coordinate is not finite or is beyond the range of positions.
    pub fn from_pixels(&self, (x, y): (f32, f32)) -> Result<Position, PositionError> {
        let size = f64::from(self.parts.pixels_per_tile);
        let top_left = to_lengths(self.top_left());
        let offset = Position::new(f64::from(x) / size, -f64::from(y) / size)?;
        let units = offset.units() + self.top_left();
        let out_of_range =
            PositionError::OutOfRange { x: top_left.x + f64::from(x) / size, y: top_left.y - f64::from(y) / size };
        Position::from_units(units.x, units.y).ok_or(out_of_range)
    }

    /// Returns the top left corner, in units.
    fn top_left(&self) -> I64Vec2 {
        let (origin, size) = (self.origin(), self.size());
        let top = i64::from(origin.1) + i64::from(size.1);
        I64Vec2::new(i64::from(origin.0) << 32, top << 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_go_down_from_the_top_left_corner() {
        let text = r#"Map(format: 1, tiles: ["...", "==="], origin: (10, -5), pixels_per_tile: 16)"#;
        let map = Map::from_ron(text).unwrap();
        // The map spans x 10 to 13 and y -5 to -3.
        let cases = [((10.0, -3.0), (0.0, 0.0)), ((13.0, -5.0), (48.0, 32.0)), ((9.5, -2.75), (-8.0, -4.0))];
        for (position, pixels) in cases {
            let position = Position::try_from(position).unwrap();
            assert_eq!(map.to_pixels(position), pixels);
            assert_eq!(map.from_pixels(pixels), Ok(position));
        }
        assert!(matches!(map.from_pixels((f32::NAN, 0.0)), Err(PositionError::NotFinite { .. })));
        assert!(matches!(map.from_pixels((0.0, 1e30)), Err(PositionError::OutOfRange { .. })));
    }
}

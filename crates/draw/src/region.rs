use surefoot::Map;
use thiserror::Error;

/// A rectangle of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    pub(crate) low: (i32, i32),
    pub(crate) high: (i32, i32),
}

/// An error of selecting a region of a map.
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RegionError {
    /// The first corner is to the right of the second corner or above it.
    #[error(
        "a region from ({}, {}) to ({}, {}); expected its lower left tile first", low.0, low.1, high.0, high.1
    )]
    Backwards {
        /// The first corner.
        low: (i32, i32),
        /// The second corner.
        high: (i32, i32),
    },
    /// A part of the region is not on the map.
    #[error(
        "a region from ({}, {}) to ({}, {}); expected tiles of the map, which go from ({}, {}) to ({}, {})",
        low.0, low.1, high.0, high.1, map.low.0, map.low.1, map.high.0, map.high.1
    )]
    Outside {
        /// The first corner.
        low: (i32, i32),
        /// The second corner.
        high: (i32, i32),
        /// All tiles of the map.
        map: Region,
    },
}

surefoot::geometry::debug_is_display!(RegionError);

impl Region {
    /// Creates the region of a map from a lower left to an upper right tile, both included.
    ///
    /// # Errors
    /// [`RegionError`] if the corners are in another order, or a tile is outside the map.
    pub fn new(map: &Map, low: (i32, i32), high: (i32, i32)) -> Result<Region, RegionError> {
        if low.0 > high.0 || low.1 > high.1 {
            return Err(RegionError::Backwards { low, high });
        }
        let all = Region::of(map);
        let inside = low.0 >= all.low.0 && low.1 >= all.low.1 && high.0 <= all.high.0 && high.1 <= all.high.1;
        if inside { Ok(Region { low, high }) } else { Err(RegionError::Outside { low, high, map: all }) }
    }

    /// Returns all tiles of a map.
    #[must_use]
    pub fn of(map: &Map) -> Region {
        let ((left, bottom), (columns, rows)) = (map.origin(), map.size());
        Region { low: (left, bottom), high: (left + columns as i32 - 1, bottom + rows as i32 - 1) }
    }

    /// Creates the region between two opposite corner tiles, both included. They may be outside any map.
    #[must_use]
    pub fn spanning(a: (i32, i32), b: (i32, i32)) -> Region {
        Region { low: (a.0.min(b.0), a.1.min(b.1)), high: (a.0.max(b.0), a.1.max(b.1)) }
    }

    /// Returns the lower left tile.
    #[must_use]
    pub fn low(&self) -> (i32, i32) {
        self.low
    }

    /// Returns the upper right tile, which is part of the region.
    #[must_use]
    pub fn high(&self) -> (i32, i32) {
        self.high
    }

    /// Returns the numbers of columns and rows.
    pub(crate) fn size(&self) -> (u32, u32) {
        ((self.high.0 - self.low.0) as u32 + 1, (self.high.1 - self.low.1) as u32 + 1)
    }

    /// Returns whether a tile is in the region.
    #[must_use]
    pub fn contains(&self, (x, y): (i32, i32)) -> bool {
        (self.low.0..=self.high.0).contains(&x) && (self.low.1..=self.high.1).contains(&y)
    }

    /// Returns this region with one more tile on each side.
    pub(crate) fn grown_by_one_tile(self) -> Region {
        Region { low: (self.low.0 - 1, self.low.1 - 1), high: (self.high.0 + 1, self.high.1 + 1) }
    }

    /// Returns the intersection of two regions.
    pub(crate) fn intersect(self, other: Region) -> Option<Region> {
        let low = (self.low.0.max(other.low.0), self.low.1.max(other.low.1));
        let high = (self.high.0.min(other.high.0), self.high.1.min(other.high.1));
        (low.0 <= high.0 && low.1 <= high.1).then_some(Region { low, high })
    }

    /// Returns the tiles row by row, the lowest row first.
    pub(crate) fn tiles(self) -> impl Iterator<Item = (i32, i32)> {
        (self.low.1..=self.high.1).flat_map(move |y| (self.low.0..=self.high.0).map(move |x| (x, y)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_must_be_on_its_map() {
        let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "...."], origin: (-1, 5))"#).unwrap();
        let region = Region::new(&map, (0, 5), (2, 6)).unwrap();
        assert_eq!((region.size(), region.tiles().count()), ((3, 2), 6));
        assert_eq!(Region::new(&map, (-1, 5), (2, 6)), Ok(Region::of(&map)));
        for (low, high) in [((-2, 5), (0, 5)), ((0, 4), (0, 5)), ((0, 5), (3, 5)), ((0, 5), (0, 7))] {
            let error = Region::new(&map, low, high).unwrap_err();
            assert!(error.to_string().ends_with("which go from (-1, 5) to (2, 6)"), "{error}");
        }
        assert_eq!([Region::spanning((2, 5), (0, 6)), Region::spanning((0, 6), (2, 5))], [region; 2]);
        assert_eq!(region.intersect(Region::spanning((2, 6), (9, 9))), Some(Region::spanning((2, 6), (2, 6))));
        assert_eq!(region.intersect(Region::spanning((3, 5), (9, 9))), None);
        let error = Region::new(&map, (1, 6), (0, 6)).unwrap_err();
        assert_eq!(error.to_string(), "a region from (1, 6) to (0, 6); expected its lower left tile first");
    }
}

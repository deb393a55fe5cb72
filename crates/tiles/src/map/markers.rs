use super::frame::centre;
use super::parts::Frame;
use super::{Map, MarkerError};
use std::collections::BTreeMap;
use surefoot_geometry::Position;

/// Marked tiles by name. The tiles of a name are in reading order: from the top row down, from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Markers {
    by_name: BTreeMap<String, Vec<(i32, i32)>>,
}

impl Markers {
    /// Adds tiles with a name. Call [`Markers::sort`] afterwards.
    pub(super) fn add(&mut self, name: &str, tiles: impl IntoIterator<Item = (i32, i32)>) {
        let mut tiles = tiles.into_iter().peekable();
        if tiles.peek().is_none() {
            return;
        }
        match self.by_name.get_mut(name) {
            Some(known) => known.extend(tiles),
            None => {
                self.by_name.insert(name.to_owned(), tiles.collect());
            }
        }
    }

    /// Sorts the tiles of each name into reading order. Returns the duplicates.
    pub(super) fn sorted(&mut self) -> impl Iterator<Item = (&str, (i32, i32))> {
        for tiles in self.by_name.values_mut() {
            tiles.sort_unstable_by_key(|&(x, y)| (-i64::from(y), x));
        }
        self.by_name().flat_map(|(name, tiles)| {
            let same = tiles.chunk_by(|a, b| a == b);
            same.filter(|tiles| tiles.len() > 1).map(move |tiles| (name, tiles[0]))
        })
    }

    /// Returns the tiles of a name; empty for an unknown name.
    fn tiles(&self, name: &str) -> &[(i32, i32)] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns each name with its tiles, sorted by name.
    pub(super) fn by_name(&self) -> impl Iterator<Item = (&str, &[(i32, i32)])> {
        self.by_name.iter().map(|(name, tiles)| (name.as_str(), tiles.as_slice()))
    }
}

/// Refuses a marker without a name or outside the map.
pub(super) fn check(name: &str, (x, y): (i64, i64), frame: Frame) -> Result<(i32, i32), MarkerError> {
    if name.is_empty() {
        return Err(MarkerError::Nameless);
    }
    let Frame { origin, size } = frame;
    let columns = i64::from(origin.0)..i64::from(origin.0) + i64::from(size.0);
    let rows = i64::from(origin.1)..i64::from(origin.1) + i64::from(size.1);
    if columns.contains(&x) && rows.contains(&y) {
        Ok((x as i32, y as i32))
    } else {
        Err(MarkerError::Outside { name: name.to_owned(), x, y, columns, rows })
    }
}

impl Map {
    /// Returns the centre of the tile with the marker `name`, or `None` if the map has no such marker.
    ///
    /// Markers are named tiles, such as the start or the goal. If several tiles have the marker, returns the first one:
    /// topmost first, then leftmost.
    #[must_use]
    pub fn marker(&self, name: &str) -> Option<Position> {
        self.marker_cell(name).map(centre)
    }

    /// Returns column and row of the tile with the marker `name`, or `None` if the map has no such marker.
    ///
    /// Markers are named tiles, such as the start or the goal. If several tiles have the marker, returns the first one:
    /// topmost first, then leftmost.
    #[must_use]
    pub fn marker_cell(&self, name: &str) -> Option<(i32, i32)> {
        self.markers.tiles(name).first().copied()
    }

    /// Returns the centres of all tiles with the marker `name`, row by row from the top, each row from left to right.
    ///
    /// Markers are named tiles, such as the start or the goal.
    pub fn markers(&self, name: &str) -> impl Iterator<Item = Position> {
        self.markers.tiles(name).iter().copied().map(centre)
    }

    /// Returns all markers (named tiles, such as `start`), each with the column and row of the tile, sorted by name.
    ///
    /// If several tiles have the same marker, they come row by row from the top, each row from left to right.
    pub fn all_markers(&self) -> impl Iterator<Item = (&str, (i32, i32))> {
        self.markers.by_name().flat_map(|(name, tiles)| tiles.iter().map(move |&tile| (name, tile)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_come_in_reading_order() {
        let text = r#"Map(format: 1, legend: {'c': (marker: "coin"), 'C': (tile: "full_block", marker: "coin")},
            tiles: ["..c", "C.c", "..."], markers: {"coin": [(0, 2), (-1, 3)], "door": [(1, 1)]}, origin: (-1, 1))"#;
        let map = Map::from_ron(text).unwrap();
        // Rows are y = 3, 2, 1 and columns x = -1, 0, 1.
        let coins = [(-1, 3), (1, 3), (-1, 2), (0, 2), (1, 2)];
        let all: Vec<_> = map.all_markers().collect();
        assert_eq!(all[..5], coins.map(|at| ("coin", at)));
        assert_eq!(all[5..], [("door", (1, 1))]);
        assert_eq!(map.marker_cell("coin"), Some((-1, 3)));
        assert_eq!(map.marker("coin"), Position::new(-0.5, 3.5).ok());
        assert_eq!(map.markers("coin").count(), 5);
        assert_eq!(map.marker("nothing"), None);
        assert!(map.variant_at(0, (-1, 2)).is_some() && map.variant_at(0, (1, 2)).is_none());
    }
}

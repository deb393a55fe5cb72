use super::frame::tile_centre;
use super::parts::TileRectangle;
use super::{Map, MarkerError, TileLayer, Value};
use std::collections::{BTreeMap, BTreeSet};
use surefoot_geometry::Position;

pub(super) static NO_PROPERTIES: BTreeMap<String, Value> = BTreeMap::new();

/// Marked tiles by name. The tiles of a name are in reading order: from the top row down, from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Markers {
    by_name: BTreeMap<String, Vec<(i32, i32)>>,
}

impl Markers {
    /// Adds tiles with a name. Call [`Markers::sort`] afterwards.
    pub(super) fn add_tiles(&mut self, name: &str, tiles: impl IntoIterator<Item = (i32, i32)>) {
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

    /// Returns the tiles that a name has twice. The tiles are sorted.
    pub(super) fn repeated_tiles(&self) -> impl Iterator<Item = (&str, (i32, i32))> {
        self.tiles_by_name().flat_map(|(name, tiles)| {
            let same = tiles.chunk_by(|a, b| a == b);
            same.filter(|tiles| tiles.len() > 1).map(move |tiles| (name, tiles[0]))
        })
    }

    /// Sorts the tiles of each name into reading order.
    pub(super) fn sort(&mut self) {
        for tiles in self.by_name.values_mut() {
            tiles.sort_unstable_by_key(|&tile| reading_order_key(tile));
        }
    }

    /// Adds one tile with a name in reading order.
    pub(super) fn insert(&mut self, name: &str, tile: (i32, i32)) {
        let tiles = self.by_name.entry(name.to_owned()).or_default();
        let at = tiles.partition_point(|&other| reading_order_key(other) < reading_order_key(tile));
        tiles.insert(at, tile);
    }

    /// Removes one tile with a name.
    pub(super) fn remove(&mut self, name: &str, tile: (i32, i32)) {
        let Some(tiles) = self.by_name.get_mut(name) else { return };
        tiles.retain(|&other| other != tile);
        if tiles.is_empty() {
            self.by_name.remove(name);
        }
    }

    /// Returns whether a tile has a name. The tiles are sorted.
    pub(super) fn has_marker(&self, name: &str, tile: (i32, i32)) -> bool {
        self.tiles_of_name(name).binary_search_by_key(&reading_order_key(tile), |&tile| reading_order_key(tile)).is_ok()
    }

    /// Returns the tiles of a name; empty for an unknown name.
    fn tiles_of_name(&self, name: &str) -> &[(i32, i32)] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    fn marker_names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Returns each name with its tiles, sorted by name.
    pub(super) fn tiles_by_name(&self) -> impl Iterator<Item = (&str, &[(i32, i32)])> {
        self.by_name.iter().map(|(name, tiles)| (name.as_str(), tiles.as_slice()))
    }
}

/// Returns the key that sorts tiles from the top row down, from left to right.
pub(super) fn reading_order_key((x, y): (i32, i32)) -> (i64, i32) {
    (-i64::from(y), x)
}

/// Refuses a marker without a name or outside the map.
pub(super) fn check_marker(name: &str, (x, y): (i64, i64), frame: TileRectangle) -> Result<(i32, i32), MarkerError> {
    if name.is_empty() {
        return Err(MarkerError::Nameless);
    }
    let TileRectangle { origin, size } = frame;
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
        self.marker_cell(name).map(tile_centre)
    }

    /// Returns column and row of the tile with the marker `name`, or `None` if the map has no such marker.
    ///
    /// Markers are named tiles, such as the start or the goal. If several tiles have the marker, returns the first one:
    /// topmost first, then leftmost.
    #[must_use]
    pub fn marker_cell(&self, name: &str) -> Option<(i32, i32)> {
        self.marked_cells(name).next()
    }

    /// Returns the centres of all tiles with the marker `name`, row by row from the top, each row from left to right.
    ///
    /// Markers are named tiles, such as the start or the goal.
    pub fn markers(&self, name: &str) -> impl Iterator<Item = Position> {
        self.marked_cells(name).map(tile_centre)
    }

    /// Returns all markers (named tiles, such as `start`), each with the column and row of the tile, sorted by name.
    ///
    /// If several tiles have the same marker, they come row by row from the top, each row from left to right.
    pub fn all_markers(&self) -> impl Iterator<Item = (&str, (i32, i32))> {
        let names: BTreeSet<&str> = self.markers.marker_names().chain(self.placed_markers().marker_names()).collect();
        names.into_iter().flat_map(|name| self.marked_cells(name).map(move |tile| (name, tile)))
    }

    /// Returns the centres of all tiles with the marker `name`, each with the properties of the marker: data for your
    /// game, from a [tile kind](super::Things::marker) that places the marker. Other markers have no properties.
    ///
    /// The tiles come row by row from the top, each row from left to right.
    ///
    /// # Examples
    /// ```
    /// use surefoot::Map;
    ///
    /// let map = Map::from_ron(r#"Map(format: 1, tiles: ["..t", "==="],
    ///     legend: {'t': (marker: (name: "turret", properties: {"towards": "left"}))})"#)?;
    /// let (position, properties) = map.markers_with_properties("turret").next().unwrap();
    /// assert_eq!((position.to_dvec2().x, properties["towards"].as_str()), (2.5, Some("left")));
    /// # Ok::<(), surefoot::map::MapError>(())
    /// ```
    pub fn markers_with_properties(&self, name: &str) -> impl Iterator<Item = (Position, &BTreeMap<String, Value>)> {
        self.marked_cells(name).map(move |tile| {
            let placed = self.parts.layers.iter().find_map(|layer| {
                let marker = self.kind(layer.tile_at(tile))?.things.marker.as_ref()?;
                (marker.name == name).then_some(&marker.properties)
            });
            (tile_centre(tile), placed.unwrap_or(&NO_PROPERTIES))
        })
    }

    /// Returns whether the tile has a marker with that name.
    pub(super) fn has_marker(&self, name: &str, tile: (i32, i32)) -> bool {
        let of_kind = |layer: &TileLayer| self.kind(layer.tile_at(tile)).and_then(|kind| kind.things.marker.as_ref());
        self.markers.has_marker(name, tile)
            || self.parts.layers.iter().filter_map(of_kind).any(|marker| marker.name == name)
    }

    /// Returns the tiles of a name in reading order.
    fn marked_cells(&self, name: &str) -> impl Iterator<Item = (i32, i32)> {
        let [mut listed, mut placed] = [&self.markers, self.placed_markers()]
            .map(|markers| markers.tiles_of_name(name).iter().copied().peekable());
        std::iter::from_fn(move || match (listed.peek(), placed.peek()) {
            (Some(&a), Some(&b)) if reading_order_key(b) < reading_order_key(a) => placed.next(),
            (Some(_), _) => listed.next(),
            (None, _) => placed.next(),
        })
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

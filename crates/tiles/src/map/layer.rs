use super::TileId;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A tile layer: a rectangle of cells with tiles, one of the sheets of a map or a platform that lie on top of each
/// other.
///
/// Outside the rectangle the layer is empty.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct TileLayer {
    /// Name of the layer: not empty, and different from the names of the other tile layers.
    pub name: String,
    /// Whether bodies collide with the layer's tiles. Use `false` for layers that are only drawn.
    pub collides: bool,
    /// Column and row of the layer's lower left tile, in the coordinates of the map or platform.
    pub origin: (i32, i32),
    /// Number of columns and rows.
    pub size: (u32, u32),
    /// The tile kind of every cell: row by row from the bottom up, each row from left to right.
    pub cells: Vec<TileId>,
}

impl TileLayer {
    /// Name of the single tile layer of a map file that has the field `tiles` instead of the list `layers`: `tiles`.
    pub const DEFAULT_NAME: &'static str = "tiles";

    /// Creates an empty tile layer with `width` columns and `height` rows, which collides with bodies.
    ///
    /// The lower left cell is tile (0, 0). If the size is invalid, the layer gets no cells, and
    /// [`Map::from_parts`](super::Map::from_parts) returns an error for it.
    #[must_use]
    pub fn new(name: impl Into<String>, width: u32, height: u32) -> TileLayer {
        let count = super::parts::checked_cell_count(width.into(), height.into(), super::Map::MAX_CELLS).unwrap_or(0);
        let cells = vec![TileId::EMPTY; count];
        TileLayer { name: name.into(), collides: true, origin: (0, 0), size: (width, height), cells }
    }

    /// Returns the tile kind at column and row `tile`. Outside the layer, returns [`TileId::EMPTY`].
    #[must_use]
    pub fn tile_at(&self, tile: (i32, i32)) -> TileId {
        self.cell_index(tile).and_then(|index| self.cells.get(index)).copied().unwrap_or_default()
    }

    /// Returns the index of a tile in `cells`.
    pub(super) fn cell_index(&self, (x, y): (i32, i32)) -> Option<usize> {
        let column = u32::try_from(i64::from(x) - i64::from(self.origin.0)).ok().filter(|&c| c < self.size.0)?;
        let row = u32::try_from(i64::from(y) - i64::from(self.origin.1)).ok().filter(|&r| r < self.size.1)?;
        Some(row as usize * self.size.0 as usize + column as usize)
    }

    /// Returns `width` tile kinds of a row from column `left` on. Empty outside the layer.
    #[doc(hidden)]
    pub fn row(&self, y: i32, left: i32, width: u32) -> Cow<'_, [TileId]> {
        let (from, past) = (left.max(self.origin.0), self.right_end().min(left + width as i32));
        let own = self.cell_index((from, y)).filter(|_| from < past);
        let own = own.map_or(&[][..], |start| &self.cells[start..start + (past - from) as usize]);
        if own.len() == width as usize {
            return Cow::Borrowed(own);
        }
        let mut row = vec![TileId::EMPTY; width as usize];
        if !own.is_empty() {
            row[(from - left) as usize..][..own.len()].copy_from_slice(own);
        }
        Cow::Owned(row)
    }

    /// Returns the first column to the right of the layer.
    pub(super) fn right_end(&self) -> i32 {
        self.origin.0 + self.size.0 as i32
    }

    /// Returns the first row above the layer.
    pub(super) fn top_end(&self) -> i32 {
        self.origin.1 + self.size.1 as i32
    }

    /// Returns whether one of `width` cells of a row, from column `left` on, is in the layer.
    pub(super) fn overlaps_row(&self, y: i32, left: i32, width: u32) -> bool {
        let rows = self.origin.1..self.top_end();
        rows.contains(&y) && self.origin.0 < left + width as i32 && left < self.right_end()
    }

    /// Returns whether all cells of another layer are in this one.
    pub(super) fn covers(&self, other: &TileLayer) -> bool {
        let (own, others) = (self.origin, other.origin);
        own.0 <= others.0
            && own.1 <= others.1
            && self.right_end() >= other.right_end()
            && self.top_end() >= other.top_end()
    }

    /// Returns whether the two layers share a cell.
    pub(super) fn overlaps(&self, other: &TileLayer) -> bool {
        let columns = self.origin.0 < other.right_end() && other.origin.0 < self.right_end();
        columns && self.origin.1 < other.top_end() && other.origin.1 < self.top_end()
    }

    /// Extends the layer by empty cells until it contains a tile.
    pub(super) fn grow_to_contain(&mut self, tile: (i32, i32)) {
        let origin = (self.origin.0.min(tile.0), self.origin.1.min(tile.1));
        let end = (self.right_end().max(tile.0 + 1), self.top_end().max(tile.1 + 1));
        let size = ((end.0 - origin.0) as u32, (end.1 - origin.1) as u32);
        let rows = (0..size.1).flat_map(|row| self.row(origin.1 + row as i32, origin.0, size.0).into_owned());
        let cells = rows.collect();
        self.cells = cells;
        (self.origin, self.size) = (origin, size);
    }

    /// Returns whether a map with only this layer can omit its name and settings.
    pub(super) fn has_default_settings(&self) -> bool {
        self.collides && self.name == TileLayer::DEFAULT_NAME
    }
}

#[cfg(test)]
mod tests {
    use crate::map::TileError;
    use crate::map::{Map, MapParts, MapPartsError, TileId, TileLayer, TileLayerError};

    const LAYERS: &str = r###"Map(format: 1, legend: {'c': (tile: "disc", marker: "coin")}, layers: [
        (name: "terrain", tiles: ["@..", "##."]),
        (tiles: ["..=", "..c"], name: "ledges"),
        (name: "front", collides: false, tiles: [".*.", r"##\"])])"###;

    #[test]
    fn layers_hold_tiles_and_markers() {
        let mut map = Map::from_ron(LAYERS).unwrap();
        let seen: Vec<_> = map.layers().iter().map(|layer| (layer.name.as_str(), layer.collides)).collect();
        assert_eq!(seen, [("terrain", true), ("ledges", true), ("front", false)]);
        let find = |map: &Map, c| map.find_tile(c).unwrap();
        let (block, ledge, slope) = (find(&map, '#'), find(&map, '='), find(&map, '\\'));
        assert_eq!(map.layers()[0].cells, [block, block, TileId::EMPTY, TileId::EMPTY, TileId::EMPTY, TileId::EMPTY]);
        assert_eq!(map.tile_at(0, (2, 1)), Some(TileId::EMPTY));
        assert_eq!(map.tile_at(1, (2, 1)), Some(ledge));
        assert_eq!(map.tile_at(2, (2, 0)), Some(slope));
        assert_eq!((map.tile_at(3, (0, 0)), map.tile_at(2, (3, 0))), (None, None));
        let markers: Vec<_> = map.all_markers().collect();
        assert_eq!(markers, [("coin", (2, 0)), ("goal", (1, 1)), ("start", (0, 1))]);

        assert_eq!(map.set_tile(2, (0, 1), ledge), Ok(()));
        assert_eq!(map.layers()[2].cells[3], ledge);
        assert_eq!(map.set_tile(3, (0, 1), ledge), Err(TileError::UnknownLayer { layer: 3, layers: 3 }));
        assert_eq!(
            map.set_tile(2, (0, 2), ledge),
            Err(TileError::Outside { tile: (0, 2), origin: (0, 0), size: (3, 2) })
        );
    }

    #[test]
    fn a_single_layer_with_the_default_name_equals_plain_rows() {
        let one =
            |layer: &str| Map::from_ron(&format!("Map(format: 1, layers: [({layer}, tiles: [\"#.\"])])")).unwrap();
        let plain = Map::from_ron("Map(format: 1, tiles: [\"#.\"])").unwrap();
        assert_eq!(one("name: \"tiles\""), plain);
        assert!(!plain.to_ron().contains("layers"));
        for layer in ["name: \"tiles\", collides: false", "name: \"terrain\""] {
            let named = one(layer);
            assert_ne!(named, plain);
            assert_eq!(Map::from_ron(&named.to_ron()), Ok(named));
        }
    }

    #[test]
    fn layers_by_code_are_checked() {
        let of = |layers: Vec<TileLayer>| Map::from_parts(MapParts { layers, ..MapParts::new(3, 2) });
        let refused = |layers| match of(layers) {
            Err(MapPartsError::Layer(error)) => error,
            other => panic!("{other:?}"),
        };
        let map = Map::from_ron(LAYERS).unwrap();
        assert_eq!(Map::from_parts(map.clone().into_parts()), Ok(map));
        let new = |name: &str| TileLayer::new(name, 3, 2);
        let drawn = of(vec![new("a"), TileLayer { collides: false, ..new("b") }]).unwrap();
        assert!(drawn.layers()[0].collides && !drawn.layers()[1].collides);

        let short = refused(vec![new("a"), TileLayer { cells: vec![TileId::EMPTY; 5], ..new("b") }]);
        assert_eq!(short, TileLayerError::CellCount { layer: "b".to_owned(), found: 5, expected: 6 });
        assert_eq!(refused(vec![new("")]), TileLayerError::Nameless);
        assert_eq!(refused(vec![new("a"), new("a")]), TileLayerError::Duplicate { name: "a".to_owned() });
        assert_eq!(refused(Vec::new()), TileLayerError::None);
        let many: Vec<_> = (0..=Map::MAX_LAYERS).map(|i| new(&i.to_string())).collect();
        assert_eq!(refused(many), TileLayerError::TooMany { count: 17, limit: 16 });
        let unknown = refused(vec![new("a"), TileLayer { cells: vec![TileId(999); 6], ..new("b") }]);
        assert!(matches!(unknown, TileLayerError::UnknownKind { kind: TileId(999), .. }));
        let far = |x| TileLayer { origin: (x, 0), ..new("b") };
        assert_eq!(
            refused(vec![new("a"), far(Map::MAX_ORIGIN + 1)]),
            TileLayerError::Origin { x: (1 << 28) + 1, y: 0 }
        );
        // Two rows of cells count as one row of chunks: 2^17 columns of 32 rows are the maximum number of cells.
        let limit = Map::MAX_BOUNDING_CELLS;
        assert!(of(vec![new("a"), far((1 << 17) - 3)]).is_ok());
        assert_eq!(
            refused(vec![new("a"), far((1 << 17) - 2)]),
            TileLayerError::TooFarApart { limit, width: (1 << 17) + 1, height: 2 }
        );
    }

    /// A layer of another size or origin acts as if it were padded with empty cells to the map's rectangle: for bodies,
    /// for tile queries, and for errors.
    #[test]
    fn smaller_layers_act_as_if_padded_with_empty_cells() {
        let text = r###"Map(format: 1, origin: (2, -1), layers: [
            (name: "terrain", tiles: ["@..", "##."]),
            (name: "ledges", origin: (4, 0), tiles: ["=..", "=.*"]),
            (name: "front", origin: (0, -2), collides: false, tiles: ["#"])])"###;
        let padded = r###"Map(format: 1, origin: (0, -2), layers: [
            (name: "terrain", tiles: [".......", "..@....", "..##...", "......."]),
            (name: "ledges", tiles: ["....=..", "....=.*", ".......", "......."]),
            (name: "front", collides: false, tiles: [".......", ".......", ".......", "#......"])])"###;
        let [map, padded] = [text, padded].map(|text| Map::from_ron(text).unwrap());
        assert_eq!((map.origin(), map.size()), ((0, -2), (7, 4)));
        assert_eq!((map.origin(), map.size()), (padded.origin(), padded.size()));
        for (layer, x, y) in (0..3).flat_map(|layer| (-1..8).flat_map(move |x| (-3..3).map(move |y| (layer, x, y)))) {
            assert_eq!(map.tile_at(layer, (x, y)), padded.tile_at(layer, (x, y)), "{layer}: ({x}, {y})");
        }
        assert!(map.all_markers().eq(padded.all_markers()));
        assert_eq!(map.checksum(), padded.checksum());
        let written = map.to_ron();
        assert!(written.contains("origin: (4, 0),") && written.contains("    origin: (2, -1),"), "{written}");
        assert_eq!(Map::from_ron(&written), Ok(map.clone()));

        // Editing a cell outside the layer extends the layer. Setting a cell to its present tile changes nothing.
        let block = map.find_tile('#').unwrap();
        let [mut map, mut padded] = [map, padded];
        assert_eq!(map.set_tile(2, (6, 1), TileId::EMPTY), Ok(()));
        assert_eq!(map.layers()[2].size, (1, 1));
        for (layer, tile) in [(0, (6, 1)), (1, (0, -2)), (2, (3, 0)), (2, (0, -2))] {
            assert_eq!(map.set_tile(layer, tile, block), Ok(()));
            assert_eq!(padded.set_tile(layer, tile, block), Ok(()));
        }
        assert_eq!(map.checksum(), padded.checksum());
        assert_eq!((map.layers()[2].origin, map.layers()[2].size), ((0, -2), (4, 3)));
        for (layer, x, y) in (0..3).flat_map(|layer| (0..7).flat_map(move |x| (-2..2).map(move |y| (layer, x, y)))) {
            assert_eq!(map.tile_at(layer, (x, y)), padded.tile_at(layer, (x, y)), "{layer}: ({x}, {y})");
        }
        let outside = TileError::Outside { tile: (7, 0), origin: (0, -2), size: (7, 4) };
        assert_eq!(map.set_tile(2, (7, 0), block), Err(outside));

        // The map is refused if the two layers put tiles into one cell whose shapes cannot be combined. That is so only
        // with the second layer at (1, 0).
        let crossing = |origin: &str| {
            let legend = "legend: {'s': \"thin_slab\", 'm': \"quarter_moon\"}";
            let layers = format!("(name: \"a\", tiles: [\".s\"]), (name: \"b\", origin: {origin}, tiles: [\"m\"])");
            Map::from_ron(&format!("Map(format: 1, {legend}, layers: [{layers}])"))
        };
        assert!(crossing("(0, 0)").is_ok() && crossing("(-5, 3)").is_ok());
        let error = crossing("(1, 0)").unwrap_err().to_string();
        assert!(
            error.contains(
                "cell (1, 0), `quarter_moon` of tile layer \"b\" and `thin_slab` behind it cannot be combined"
            ),
            "{error}"
        );
    }

    #[test]
    fn written_layers_read_back() {
        let map = Map::from_ron(LAYERS).unwrap();
        let text = map.to_ron();
        let back = Map::from_ron(&text).unwrap();
        assert_eq!(back, map);
        assert_eq!(back.to_ron(), text);
        let expected = concat!(
            "    layers: [\n        (\n            name: \"terrain\",\n            tiles: [\n",
            "                r\"...\",\n                r\"##.\",\n            ],\n        ),\n",
            "        (\n            name: \"ledges\",\n            tiles: [\n",
            "                r\"..=\",\n                r\"..c\",\n            ],\n        ),\n",
            "        (\n            name: \"front\",\n            collides: false,\n            tiles: [\n",
            "                r\"...\",\n                r\"##\\\",\n            ],\n        ),\n    ],\n)\n",
        );
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn layers_that_do_not_collide_are_not_in_the_checksum() {
        let sum = |text: &str| Map::from_ron(&format!("Map(format: 1, {text})")).unwrap().checksum();
        let plain = sum("tiles: [\"#.\"]");
        assert_eq!(sum("layers: [(name: \"a\", tiles: [\"#.\"])]"), plain);
        assert_eq!(
            sum("layers: [(name:\"a\", tiles: [\"#.\"]), (name:\"b\", collides: false, tiles: [\".#\"])]"),
            plain
        );
        let two = |a, b| sum(&format!("layers: [(name: \"a\", tiles: [\"{a}\"]), (name: \"b\", tiles: [\"{b}\"])]"));
        assert_ne!(two("#.", ".."), plain);
        assert_ne!(two("#.", ".="), two("#.", ".."));
        assert_ne!(two("#.", ".="), two(".=", "#."));
    }
}

use super::Map;

/// How much of anything a map may have, so that a file from somewhere takes no more memory than it should.
///
/// The limits of cells, layers, kinds, markers and values can be set lower; more than the default counts as the
/// default.
///
/// # Examples
/// ```
/// use surefoot::map::MapLimits;
///
/// let small = MapLimits { bytes: 10_000, cells: 2_500, ..MapLimits::default() };
/// assert_eq!(small.layers, 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapLimits {
    /// Bytes of a file: [`MAX_FILE_SIZE`](crate::io::MAX_FILE_SIZE), or more.
    pub bytes: u64,
    /// Cells of a layer, width times height: [`Map::MAX_CELLS`].
    pub cells: u64,
    /// Layers: [`Map::MAX_LAYERS`].
    pub layers: usize,
    /// Tile kinds, the empty cell and those of the built-in legend included: [`Map::MAX_KINDS`].
    pub kinds: usize,
    /// Marked tiles, drawn and listed: [`Map::MAX_MARKERS`].
    pub markers: usize,
    /// Values in properties, lists and maps included: [`Map::MAX_VALUES`].
    pub values: usize,
}

impl Default for MapLimits {
    /// The largest that there are, and [`MAX_FILE_SIZE`](crate::io::MAX_FILE_SIZE).
    fn default() -> MapLimits {
        MapLimits {
            bytes: crate::text::MAX_FILE_SIZE,
            cells: Map::MAX_CELLS,
            layers: Map::MAX_LAYERS,
            kinds: Map::MAX_KINDS,
            markers: Map::MAX_MARKERS,
            values: Map::MAX_VALUES,
        }
    }
}

impl MapLimits {
    /// These, and none larger than it can be.
    pub(super) fn within_reach(self) -> MapLimits {
        let most = MapLimits::default();
        MapLimits {
            bytes: self.bytes,
            cells: self.cells.min(most.cells),
            layers: self.layers.min(most.layers),
            kinds: self.kinds.min(most.kinds),
            markers: self.markers.min(most.markers),
            values: self.values.min(most.values),
        }
    }
}

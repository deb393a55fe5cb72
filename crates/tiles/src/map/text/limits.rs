use super::Map;

/// Size limits for loading a map, so that a file from an unknown source cannot use up the memory.
///
/// Lower the limits as you need. Only `bytes` can also be raised: for the other limits, a value above the default
/// counts as the default.
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
    /// Maximum size of the file in bytes, default [`MAX_FILE_SIZE`](crate::io::MAX_FILE_SIZE). Larger values are
    /// allowed.
    pub bytes: u64,
    /// Maximum number of cells per tile layer, columns times rows; default [`Map::MAX_CELLS`].
    pub cells: u64,
    /// Maximum number of tile layers; default [`Map::MAX_LAYERS`].
    pub layers: usize,
    /// Maximum number of tile kinds, including the empty cell and the built-in legend; default [`Map::MAX_KINDS`].
    pub kinds: usize,
    /// Maximum number of tiles with a marker (a name), drawn as symbols or listed in `markers`; default
    /// [`Map::MAX_MARKERS`].
    pub markers: usize,
    /// Maximum number of property values (data for your game) in the whole file; default [`Map::MAX_VALUES`]. A list
    /// counts as one value, a dictionary as 8, and each value in them counts too.
    pub values: usize,
}

impl Default for MapLimits {
    /// Returns the largest limits, with [`MAX_FILE_SIZE`](crate::io::MAX_FILE_SIZE) for `bytes`.
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
    /// Returns these limits, each reduced to its maximum.
    pub(super) fn reduced_to_max(self) -> MapLimits {
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

use super::markers::{self, Markers};
use super::{EntryId, Layer, LegendEntry, Map, MapErrorKind, Sides, Value, legend};
use crate::catalogue::Catalogue;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many lists and maps of properties may be inside each other.
pub(super) const MAX_DEPTH: usize = 32;

/// What a map is made of, for maps made by code.
///
/// # Examples
/// ```
/// use surefoot::map::{EntryId, Map, MapParts};
///
/// let mut parts = MapParts::new(3, 2);
/// let ledge = EntryId(parts.legend.iter().position(|entry| entry.character == '=').unwrap() as u16);
/// parts.cells[..3].fill(ledge); // the lowest row
/// let map = Map::from_cells(parts)?;
/// assert_eq!(map, Map::from_ron(r#"Map(format: 1, tiles: ["...", "==="])"#).unwrap());
/// # Ok::<(), surefoot::map::MapErrorKind>(())
/// ```
#[derive(Clone, Debug)]
pub struct MapParts {
    /// Where the variants come from.
    pub catalogue: Arc<Catalogue>,
    /// What the cells can be, each with a character of its own: first the empty cell, then other entries.
    pub legend: Vec<LegendEntry>,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Which tile the lower left cell is.
    pub origin: (i32, i32),
    /// All cells of a map of one layer row by row, the lowest row first, from left to right. With `layers` there are
    /// none here.
    pub cells: Vec<EntryId>,
    /// The layers of a map of several, the one behind all others first; empty for a map of one layer, which need not
    /// be named.
    pub layers: Vec<Layer>,
    /// The file of the catalogue, as a path from the folder of the map's file, for [`Map::to_ron`]; `None` for the
    /// built-in catalogue.
    pub catalogue_file: Option<String>,
    /// What lies beyond each side.
    pub sides: Sides,
    /// Names and the tiles they mark, in any order.
    pub markers: Vec<(String, (i32, i32))>,
    /// Pixels along one side of a tile.
    pub pixels_per_tile: u32,
    /// The game's own data.
    pub properties: BTreeMap<String, Value>,
}

impl MapParts {
    /// An empty map of that size with the built-in catalogue and legend, the lower left cell at tile (0, 0).
    ///
    /// A size that [`Map::from_cells`] refuses gets no cells here.
    #[must_use]
    pub fn new(width: u32, height: u32) -> MapParts {
        let catalogue = Catalogue::builtin();
        let cells = check_size(u64::from(width), u64::from(height), Map::MAX_CELLS).unwrap_or(0);
        MapParts {
            legend: LegendEntry::builtin(&catalogue),
            catalogue,
            width,
            height,
            origin: (0, 0),
            cells: vec![EntryId::EMPTY; cells],
            layers: Vec::new(),
            catalogue_file: None,
            sides: Sides::default(),
            markers: Vec::new(),
            pixels_per_tile: Map::DEFAULT_PIXELS_PER_TILE,
            properties: BTreeMap::new(),
        }
    }
}

impl Map {
    /// Pixels along one side of a tile where a map does not say.
    pub const DEFAULT_PIXELS_PER_TILE: u32 = 16;

    /// Checks parts and makes a map of them.
    ///
    /// # Errors
    /// [`MapErrorKind`] for parts that no map file could give: a size of no cells or too many, a list of cells of
    /// another length, cells beside layers, layers without names or of the same name, a cell without an entry, an entry
    /// without its variant, characters that repeat, an origin too far out, markers outside or repeated, properties that
    /// are not finite.
    pub fn from_cells(parts: MapParts) -> Result<Map, MapErrorKind> {
        let MapParts { catalogue, legend, width, height, origin, cells, layers, sides, .. } = parts;
        let expected = check_size(u64::from(width), u64::from(height), Map::MAX_CELLS)?;
        let layers = match layers.is_empty() {
            true => vec![Layer::only(cells)],
            false if cells.is_empty() => layers,
            false => return Err(MapErrorKind::CellsAndLayers { found: cells.len() }),
        };
        let mut refused = None;
        let names: Vec<&str> = layers.iter().map(Layer::name).collect();
        check_layer_names(&names, names.len(), Map::MAX_LAYERS, |_, kind| refused = refused.take().or(Some(kind)));
        refused.take().map_or(Ok(()), Err)?;
        if let Some(layer) = layers.iter().find(|layer| layer.cells.len() != expected) {
            return Err(MapErrorKind::CellCount { found: layer.cells.len(), expected });
        }
        check_origin(origin.0.into(), origin.1.into())?;
        legend::check(&catalogue, &legend)?;
        let mut cells = layers.iter().flat_map(Layer::cells);
        if let Some(&entry) = cells.find(|id| usize::from(id.0) >= legend.len()) {
            return Err(MapErrorKind::UnknownEntry { entry, entries: legend.len() });
        }
        super::shared::check(&catalogue, &legend, &layers, (width, height), origin, |_, _, _, kind| {
            refused = Some(kind)
        });
        refused.map_or(Ok(()), Err)?;
        if let Some(path) = &parts.catalogue_file {
            check_path(path)?;
        }
        let (count, limit) = (parts.markers.len(), Map::MAX_MARKERS);
        if count > limit {
            return Err(MapErrorKind::TooManyMarkers { count, limit });
        }
        let (count, limit) = (parts.properties.values().map(Value::count).sum(), Map::MAX_VALUES);
        if count > limit {
            return Err(MapErrorKind::TooManyValues { count, limit });
        }
        let mut markers = Markers::default();
        for (name, (x, y)) in parts.markers {
            let tile = markers::check(&name, (x.into(), y.into()), origin, (width, height))?;
            markers.add(&name, [tile]);
        }
        if let Some((name, (x, y))) = markers.sort().next() {
            return Err(MapErrorKind::RepeatedMarker { name: name.to_owned(), x, y });
        }
        let pixels_per_tile = check_pixels(parts.pixels_per_tile.into())?;
        for (name, value) in &parts.properties {
            check_property(name, value)?;
        }
        let (properties, catalogue_file) = (parts.properties, parts.catalogue_file);
        Ok(Map {
            catalogue,
            catalogue_file,
            legend,
            width,
            height,
            origin,
            layers,
            sides,
            markers,
            pixels_per_tile,
            properties,
            checksum: std::sync::OnceLock::new(),
        })
    }
}

/// How many cells a map of that size has.
pub(super) fn check_size(width: u64, height: u64, limit: u64) -> Result<usize, MapErrorKind> {
    let cells = width.checked_mul(height).filter(|cells| (1..=limit).contains(cells));
    cells.map(|cells| cells as usize).ok_or(MapErrorKind::Size { width, height, limit })
}

pub(super) fn check_origin(x: i64, y: i64) -> Result<(i32, i32), MapErrorKind> {
    let limit = i64::from(Map::MAX_ORIGIN);
    let inside = (-limit..=limit).contains(&x) && (-limit..=limit).contains(&y);
    if inside { Ok((x as i32, y as i32)) } else { Err(MapErrorKind::OriginOutOfRange { x, y }) }
}

/// Refuses the path of a file that may lie outside the folder it starts from.
pub(super) fn check_path(path: &str) -> Result<(), MapErrorKind> {
    // Drives, streams and separators of one system are names on another.
    let is_name =
        |part: &str| !matches!(part, "" | "..") && !part.contains(['\\', ':']) && !part.chars().any(char::is_control);
    let inside = path.split('/').all(is_name) && !path.ends_with("/.") && path != ".";
    if inside { Ok(()) } else { Err(MapErrorKind::CataloguePath { path: path.to_owned() }) }
}

pub(super) fn check_pixels(found: i64) -> Result<u32, MapErrorKind> {
    let pixels = u32::try_from(found).ok().filter(|pixels| (1..=Map::MAX_PIXELS_PER_TILE).contains(pixels));
    pixels.ok_or(MapErrorKind::PixelsPerTile { found })
}

fn check_property(name: &str, value: &Value) -> Result<(), MapErrorKind> {
    check_depth(name, value)?;
    if value.is_finite() { Ok(()) } else { Err(MapErrorKind::NotFinite { name: name.to_owned() }) }
}

pub(super) fn check_depth(name: &str, value: &Value) -> Result<(), MapErrorKind> {
    let depth = value.depth();
    if depth > MAX_DEPTH { Err(MapErrorKind::TooDeep { name: name.to_owned(), depth }) } else { Ok(()) }
}

/// Tells of what is wrong with the layers' names and their number; with the layer's number, if it is one of them.
pub(super) fn check_layer_names(
    names: &[&str],
    count: usize,
    limit: usize,
    mut tell: impl FnMut(Option<usize>, MapErrorKind),
) {
    match count {
        0 => tell(None, MapErrorKind::NoLayers),
        _ if count > limit => tell(None, MapErrorKind::TooManyLayers { count, limit }),
        _ => {}
    }
    let mut seen = BTreeSet::new();
    for (number, &name) in names.iter().enumerate() {
        if name.is_empty() {
            tell(Some(number), MapErrorKind::NamelessLayer);
        } else if !seen.insert(name) {
            tell(Some(number), MapErrorKind::DuplicateLayer { name: name.to_owned() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::VariantId;

    fn refused(change: impl FnOnce(&mut MapParts)) -> MapErrorKind {
        let mut parts = MapParts::new(3, 2);
        change(&mut parts);
        Map::from_cells(parts).unwrap_err()
    }

    #[test]
    fn parts_that_no_file_gives_are_refused() {
        use MapErrorKind::{
            CellCount, DropThrough, DuplicateCharacter, MarkerOutside, NamelessMarker, NoEmptyEntry, NotFinite,
            OriginOutOfRange, PixelsPerTile, RepeatedMarker, Size, TooDeep, TooManyEntries, UnknownEntry,
            UnknownVariant,
        };
        let far = Map::MAX_ORIGIN + 1;
        let mut nested = Value::Bool(true);
        (0..=MAX_DEPTH).for_each(|_| nested = Value::List(vec![std::mem::replace(&mut nested, Value::Bool(true))]));
        let mark = |name: &str, tile| (name.to_owned(), tile);

        assert!(matches!(refused(|p| p.width = 0), Size { width: 0, height: 2, .. }));
        assert!(matches!(refused(|p| (p.width, p.height) = (1 << 15, 1 << 14)), Size { .. }));
        assert!(matches!(refused(|p| p.width = 4), CellCount { found: 6, expected: 8 }));
        assert!(matches!(refused(|p| p.cells[3] = EntryId(99)), UnknownEntry { entry: EntryId(99), .. }));
        assert!(matches!(refused(|p| p.legend.clear()), NoEmptyEntry));
        assert!(matches!(refused(|p| p.legend[0].variant = Some(VariantId(0))), NoEmptyEntry));
        assert!(matches!(refused(|p| p.legend[1].character = '.'), DuplicateCharacter { character: '.' }));
        assert!(matches!(refused(|p| p.legend[1].drop_through = true), DropThrough { character: '#', .. }));
        let foreign = VariantId(96);
        assert!(matches!(refused(|p| p.legend[1].variant = Some(foreign)), UnknownVariant { variants: 96, .. }));
        let many = |p: &mut MapParts| p.legend.resize(Map::MAX_ENTRIES + 1, LegendEntry::new('x', VariantId(0)));
        assert!(matches!(refused(many), TooManyEntries { count: 65_535, .. }));
        assert!(matches!(refused(|p| p.origin = (0, far)), OriginOutOfRange { .. }));
        assert!(matches!(refused(|p| p.markers = vec![mark("a", (3, 0))]), MarkerOutside { .. }));
        assert!(matches!(refused(|p| p.markers = vec![mark("", (0, 0))]), NamelessMarker));
        assert!(matches!(refused(|p| p.markers = vec![mark("a", (1, 1)); 2]), RepeatedMarker { x: 1, y: 1, .. }));
        assert!(matches!(refused(|p| p.pixels_per_tile = 0), PixelsPerTile { found: 0 }));
        let infinite = Value::List(vec![Value::Float(f64::INFINITY)]);
        assert!(matches!(refused(|p| p.properties = [("a".to_owned(), infinite)].into()), NotFinite { .. }));
        assert!(matches!(refused(|p| p.properties = [("a".to_owned(), nested)].into()), TooDeep { depth: 33, .. }));
    }

    #[test]
    fn tiles_are_set_by_their_coordinates() {
        let mut parts = MapParts::new(3, 2);
        parts.origin = (-1, 7);
        let mut map = Map::from_cells(parts).unwrap();
        let slope = map.find_entry('/').unwrap();
        assert_eq!(map.set_entry((1, 8), slope), Ok(()));
        assert_eq!(map.cells()[5], slope);
        assert_eq!(map.entry_at((1, 8)), Some(slope));
        assert_eq!(map.variant_at((1, 8)).map(|id| map.catalogue().name(id)), Some("slope_45".to_owned()));
        assert_eq!(map.entry_at((0, 8)), Some(EntryId::EMPTY));
        for (x, y) in [(2, 8), (-2, 8), (1, 6), (1, 9), (i32::MIN, i32::MAX)] {
            assert_eq!(map.entry_at((x, y)), None);
            assert_eq!(map.set_entry((x, y), slope), Err(MapErrorKind::OutsideMap { x, y }));
        }
        assert!(matches!(map.set_entry((0, 7), EntryId(999)), Err(MapErrorKind::UnknownEntry { .. })));
    }
}

use super::layer_mask::check_collision_layer_names;
use super::markers::{self, Markers};
use super::{Borders, Map, MapPartsError, TileId, TileKind, TileLayer, Value, areas, kind, legend, platforms};
use super::{CataloguePathError, MarkerError, PixelsError, PlacedBody, PropertyError, TileLayerError, bodies, things};
use crate::area::Area;
use crate::catalogue::Catalogue;
use crate::platform::Platform;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// Description of a map, to make or change a map by code. Fill the fields, then call [`Map::from_parts`].
///
/// # Examples
/// ```
/// use surefoot::catalogue::Catalogue;
/// use surefoot::map::{TileId, Map, MapParts, TileKind};
///
/// let mut parts = MapParts::new(3, 2);
/// let spikes = Catalogue::builtin().find_variant("spike")?;
/// let mut kind = TileKind::new(spikes);
/// kind.properties.insert("damage".to_owned(), 2.into());
/// parts.kinds.push(kind);
/// parts.layers[0].cells[..3].fill(TileId(parts.kinds.len() as u16 - 1)); // the lowest row
/// let map = Map::from_parts(parts)?;
/// assert_eq!(map.variant_at(0, (1, 0)), Some(spikes));
/// assert_eq!(Map::from_ron(&map.to_ron())?, map, "`to_ron` chooses a symbol for the new tile kind");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MapParts {
    /// The catalogue: the set of tile shapes that `kinds` use.
    pub catalogue: Arc<Catalogue>,
    /// The tile kinds. The first one is the empty cell. A [`TileId`] is an index into this list.
    pub kinds: Vec<TileKind>,
    /// The tile layers from back to front; at least one. The map is the rectangle around all of them.
    pub layers: Vec<TileLayer>,
    /// Path of the catalogue's file (tile shapes), relative to the folder of the map's file. `None` for the built-in
    /// catalogue.
    ///
    /// [`Map::to_ron`] writes the path. [`Map::from_parts`] does not read the file.
    pub catalogue_file: Option<String>,
    /// For each side of the map: whether open space or solid blocks are beyond it.
    pub borders: Borders,
    /// Names of the collision layers (groups of bodies), at most [`Map::MAX_COLLISION_LAYERS`].
    ///
    /// Name `i` is bit `i` of a [`CollisionLayers`](super::CollisionLayers).
    pub collision_layers: Vec<String>,
    /// The markers: names of tiles, such as `start`, each with the column and row of the tile. The order does not
    /// matter. Markers that tile kinds place are not in the list.
    pub markers: Vec<(String, (i32, i32))>,
    /// The platforms that every world on the map starts with. Their tiles use the map's tile kinds.
    pub platforms: Vec<Platform>,
    /// The areas that every world on the map starts with, except those that tile kinds place.
    ///
    /// [`AttachedTo::Named`] attaches an area to the platform with that name.
    ///
    /// [`AttachedTo::Named`]: crate::area::AttachedTo::Named
    pub areas: Vec<Area>,
    /// The bodies that [`World::from_map`](../world/struct.World.html#method.from_map) spawns, except those that tile
    /// kinds place.
    pub bodies: Vec<PlacedBody>,
    /// Properties of areas in `areas`, by the name of the area: data for your game. The physics ignores them.
    /// [`Map::from_parts`] drops those of other names.
    pub area_properties: BTreeMap<String, BTreeMap<String, Value>>,
    /// Properties of platforms in `platforms`, by the name of the platform, as `area_properties`.
    pub platform_properties: BTreeMap<String, BTreeMap<String, Value>>,
    /// Number of pixels along one side of a tile, 1 to [`Map::MAX_PIXELS_PER_TILE`]. For programs that draw the map;
    /// the physics ignores the number.
    pub pixels_per_tile: u32,
    /// Properties of the map: data for your game, by name. The physics ignores them.
    pub properties: BTreeMap<String, Value>,
    /// The symbols: letters that stand for tile kinds in the map's text. [`Map::to_ron`] and [`Map::find_tile`] use
    /// them.
    ///
    /// - Symbols of tile kinds that are not in `kinds` are dropped.
    /// - A tile kind without a symbol gets the built-in symbol of an equal built-in kind, if one exists.
    /// - [`Map::to_ron`] chooses a new symbol for every other tile kind without a symbol, and for a tile kind whose
    ///   symbol cannot be written in a text.
    pub symbols: BTreeMap<char, TileId>,
}

impl MapParts {
    /// Describes an empty map with one tile layer of `width` columns and `height` rows.
    ///
    /// The lower left cell is tile (0, 0). The map uses the built-in catalogue and the built-in tile kinds. If the size
    /// is invalid, the layer gets no cells, and [`Map::from_parts`] returns an error.
    #[must_use]
    pub fn new(width: u32, height: u32) -> MapParts {
        MapParts::with_builtin_kinds(Catalogue::builtin(), vec![TileLayer::new(TileLayer::DEFAULT_NAME, width, height)])
    }

    /// Returns parts with those layers and the built-in tile kinds that the catalogue has.
    pub(super) fn with_builtin_kinds(catalogue: Arc<Catalogue>, layers: Vec<TileLayer>) -> MapParts {
        MapParts {
            kinds: legend::Palette::new(&legend::builtin_legend(&catalogue)).kinds,
            symbols: BTreeMap::new(),
            catalogue,
            layers,
            catalogue_file: None,
            borders: Borders::default(),
            collision_layers: Vec::new(),
            markers: Vec::new(),
            platforms: Vec::new(),
            areas: Vec::new(),
            bodies: Vec::new(),
            area_properties: BTreeMap::new(),
            platform_properties: BTreeMap::new(),
            pixels_per_tile: Map::DEFAULT_PIXELS_PER_TILE,
            properties: BTreeMap::new(),
        }
    }
}

impl Map {
    /// Default pixels along one side of a tile.
    pub(crate) const DEFAULT_PIXELS_PER_TILE: u32 = 16;

    /// Creates a map from `parts` after checking all of them.
    ///
    /// # Errors
    /// Returns [`MapPartsError`] if one of these parts is invalid:
    ///
    /// - Tile kinds: the first one is not the empty cell, there are too many, or a variant is not in the catalogue.
    /// - Tile kinds: a material is out of range, `ignored_by` has a collision layer without a name, or `drop_through`
    ///   or `ignored_by` is set for a tile that is not one-way.
    /// - Collision layers: a name is empty or repeated, or there are too many.
    /// - Tile layers: there are none or too many, or a name is empty or repeated.
    /// - Tile layers: the size or the number of cells is invalid, or a cell has an unknown kind.
    /// - Tile layers: one is too far from tile (0, 0) or from the other layers, or tiles of several layers cannot
    ///   share a cell.
    /// - The catalogue's path: it may lead out of the map's folder.
    /// - Markers: a name is empty, a marker is outside the map or repeated, or there are too many.
    /// - Properties: a number is not finite, the nesting is too deep, or there are too many values.
    /// - Platforms: one has no tile that bodies collide with, or its tile layers are invalid.
    /// - Platforms: a path is impossible with ticks of 1/60 second, a name is repeated, or there are too many.
    /// - Areas: one is invalid, its platform or a collision layer does not exist, a name is repeated, or there are too
    ///   many.
    /// - Bodies: one is invalid, a name is empty or repeated, or there are too many.
    /// - Pixels per tile: the number is out of range.
    pub fn from_parts(mut parts: MapParts) -> Result<Map, MapPartsError> {
        let MapParts { catalogue, kinds, layers, .. } = &parts;
        let mut refused = None;
        let names = &parts.collision_layers;
        check_collision_layer_names(names, names.len(), |_, error| refused = refused.take().or(Some(error)));
        refused.map_or(Ok(()), Err)?;
        kind::check_kinds(catalogue, kinds, names.len())?;
        let frame = check_layers(catalogue, kinds, layers)?;
        if let Some(path) = &parts.catalogue_file {
            check_catalogue_path(path)?;
        }
        let placed_markers = things::count_placed_markers(layers, kinds);
        let (count, limit) = (parts.markers.len() + placed_markers, Map::MAX_MARKERS);
        if count > limit {
            return Err(MarkerError::TooMany { count, limit }.into());
        }
        check_properties(&parts)?;
        if kinds.iter().any(|kind| kind.things.marker.as_ref().is_some_and(|marker| marker.name.is_empty())) {
            return Err(MarkerError::Nameless.into());
        }
        let mut markers = Markers::default();
        for &(ref name, (x, y)) in &parts.markers {
            let tile = markers::check_marker(name, (x.into(), y.into()), frame)?;
            markers.add_tiles(name, [tile]);
        }
        markers.sort();
        let of_kinds = things::find_repeated_markers(layers, kinds, &markers);
        if let Some((name, (x, y))) = markers.repeated_tiles().chain(of_kinds).next() {
            return Err(MarkerError::Repeated { name: name.to_owned(), x, y }.into());
        }
        platforms::check_platforms(catalogue, kinds, &parts.platforms)?;
        let placed = (areas::check_areas(&parts)?, bodies::check_bodies(&parts)?);
        check_tile_pixels(parts.pixels_per_tile.into())?;
        repair_symbols(&mut parts);
        drop_unowned_properties(&mut parts);
        areas::clear_ignored_area_fields(&mut parts);
        parts.markers = Vec::new();
        Ok(Map::from_checked_parts(parts, frame, markers, placed))
    }

    /// Creates a map from checked parts. `markers`: those that no tile kind places. `placed_areas`, `placed_bodies`:
    /// how many of them the cells place.
    pub(super) fn from_checked_parts(
        parts: MapParts,
        frame: TileRectangle,
        markers: Markers,
        (placed_areas, placed_bodies): (usize, usize),
    ) -> Map {
        Map {
            placed_areas,
            placed_bodies,
            parts,
            frame,
            markers,
            placed_markers: OnceLock::new(),
            areas: OnceLock::new(),
            shared_areas: OnceLock::new(),
            bodies: OnceLock::new(),
            bodies_by_name: OnceLock::new(),
            checksum: OnceLock::new(),
        }
    }

    /// Returns the parts of the map. Change them and call [`Map::from_parts`] to create another map.
    #[must_use]
    pub fn into_parts(self) -> MapParts {
        let listed = self.markers.tiles_by_name();
        let markers = listed.flat_map(|(name, tiles)| tiles.iter().map(|&tile| (name.to_owned(), tile))).collect();
        MapParts { markers, ..self.parts }
    }
}

/// Drops the symbols of unknown tile kinds. A kind without a symbol that is equal to a built-in one gets its symbol.
fn repair_symbols(parts: &mut MapParts) {
    let MapParts { symbols: letters, catalogue, kinds, .. } = parts;
    letters.retain(|_, id| usize::from(id.0) < kinds.len());
    let mut named: BTreeSet<TileId> = letters.values().copied().collect();
    for meaning in legend::builtin_legend(catalogue).into_iter().filter(|meaning| meaning.marker.is_none()) {
        if meaning.kind == TileKind::default() {
            // Kind 0 gets the built-in symbol of the empty cell only if it has no data of its own.
            if kinds[0] == meaning.kind {
                letters.entry(meaning.character).or_insert(TileId::EMPTY);
            }
            continue;
        }
        let mut known = (0..).map(TileId).zip(&*kinds);
        if !letters.contains_key(&meaning.character)
            && let Some((id, _)) = known.find(|(id, kind)| **kind == meaning.kind && !named.contains(id))
        {
            named.insert(id);
            letters.insert(meaning.character, id);
        }
    }
}

/// Tiles along a side of a chunk of terrain; a power of two.
pub const CHUNK_SIDE: usize = 32;

/// A rectangle of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TileRectangle {
    /// Lower left tile.
    pub(super) origin: (i32, i32),
    /// Number of columns and rows.
    pub(super) size: (u32, u32),
}

impl TileRectangle {
    /// Returns the rectangle around layers, whose positions and sizes are already checked.
    pub(super) fn around_layers(layers: &[TileLayer], limit: u64) -> Result<TileRectangle, TileLayerError> {
        let axis = |of: fn(&TileLayer) -> (i32, u32)| {
            let ends = layers.iter().map(|layer| of(layer).0).min().unwrap_or(0);
            let past = layers.iter().map(|layer| i64::from(of(layer).0) + i64::from(of(layer).1)).max().unwrap_or(1);
            (ends, (past - i64::from(ends)) as u64)
        };
        let (left, width) = axis(|layer| (layer.origin.0, layer.size.0));
        let (bottom, height) = axis(|layer| (layer.origin.1, layer.size.1));
        let frame = || TileRectangle { origin: (left, bottom), size: (width as u32, height as u32) };
        // A small file with layers that are far apart must not become a large map. Count in whole chunks, because a
        // terrain consists of them.
        let of_layers = layers.iter().map(|layer| cell_count_in_chunks(layer.size.0.into(), layer.size.1.into()));
        let largest = of_layers.max().unwrap_or(0);
        let most = Map::MAX_BOUNDING_CELLS.max(4 * largest);
        let is_close = width * height <= limit && cell_count_in_chunks(width, height) <= most;
        let limit = limit.min(most);
        if is_close { Ok(frame()) } else { Err(TileLayerError::TooFarApart { width, height, limit }) }
    }

    pub(super) fn contains(self, (x, y): (i32, i32)) -> bool {
        let is_in = |at: i32, from: i32, count: u32| (0..i64::from(count)).contains(&(i64::from(at) - i64::from(from)));
        is_in(x, self.origin.0, self.size.0) && is_in(y, self.origin.1, self.size.1)
    }
}

/// Returns the number of cells in the whole chunks of a rectangle.
pub(super) fn cell_count_in_chunks(width: u64, height: u64) -> u64 {
    width.next_multiple_of(CHUNK_SIDE as u64) * height.next_multiple_of(CHUNK_SIDE as u64)
}

/// Returns the rectangle around layers, if they can be combined.
pub(super) fn check_layers(
    catalogue: &Catalogue,
    kinds: &[TileKind],
    layers: &[TileLayer],
) -> Result<TileRectangle, MapPartsError> {
    let mut refused = None;
    let names: Vec<&str> = layers.iter().map(|layer| layer.name.as_str()).collect();
    check_layer_names(&names, names.len(), Map::MAX_LAYERS, |_, kind| refused = refused.take().or(Some(kind)));
    refused.take().map_or(Ok(()), Err)?;
    for layer in layers {
        check_layer(layer, kinds.len())?;
    }
    let frame = TileRectangle::around_layers(layers, Map::MAX_CELLS)?;
    super::shared::report_unshareable_cells(catalogue, kinds, layers, |_, _, kind| refused = Some(kind));
    refused.map_or(Ok(frame), |error| Err(error.into()))
}

fn check_layer(layer: &TileLayer, kinds: usize) -> Result<(), TileLayerError> {
    let name = || layer.name.clone();
    let expected = checked_cell_count(layer.size.0.into(), layer.size.1.into(), Map::MAX_CELLS)?;
    let found = layer.cells.len();
    if found != expected {
        return Err(TileLayerError::CellCount { layer: name(), found, expected });
    }
    check_origin(layer.origin.0.into(), layer.origin.1.into())?;
    match layer.cells.iter().find(|id| usize::from(id.0) >= kinds) {
        Some(&kind) => Err(TileLayerError::UnknownKind { layer: name(), kind, kinds }),
        None => Ok(()),
    }
}

/// Returns the number of cells of a layer.
pub(super) fn checked_cell_count(width: u64, height: u64, limit: u64) -> Result<usize, TileLayerError> {
    let cells = width.checked_mul(height).filter(|cells| (1..=limit).contains(cells));
    cells.map(|cells| cells as usize).ok_or(TileLayerError::Size { width, height, limit })
}

pub(super) fn check_origin(x: i64, y: i64) -> Result<(i32, i32), TileLayerError> {
    let limit = i64::from(Map::MAX_ORIGIN);
    let inside = (-limit..=limit).contains(&x) && (-limit..=limit).contains(&y);
    if inside { Ok((x as i32, y as i32)) } else { Err(TileLayerError::Origin { x, y }) }
}

/// Refuses a path that may lead out of its start folder.
pub(super) fn check_catalogue_path(path: &str) -> Result<(), CataloguePathError> {
    // Refuse `\` and `:` on every operating system. On Windows they separate folders, drives and streams of a file;
    // elsewhere they are allowed in names. So a path is refused on all systems or on none.
    let is_name =
        |part: &str| !matches!(part, "" | "..") && !part.contains(['\\', ':']) && !part.chars().any(char::is_control);
    let inside = path.split('/').all(is_name) && !path.ends_with("/.") && path != ".";
    if inside { Ok(()) } else { Err(CataloguePathError { path: path.to_owned() }) }
}

pub(super) fn check_tile_pixels(found: i64) -> Result<u32, PixelsError> {
    let pixels = u32::try_from(found).ok().filter(|pixels| (1..=Map::MAX_PIXELS_PER_TILE).contains(pixels));
    pixels.ok_or(PixelsError { found })
}

/// Refuses properties of a map, its tile kinds and the things that they place.
fn check_properties(parts: &MapParts) -> Result<(), PropertyError> {
    let of_kinds =
        parts.kinds.iter().flat_map(|kind| [&kind.properties].into_iter().chain(kind.things.properties_of_things()));
    let of_listed = parts.area_properties.values().chain(parts.platform_properties.values());
    let properties = of_kinds.chain(of_listed).chain([&parts.properties]).flatten();
    let (count, limit) = (properties.clone().map(|(_, value)| value.value_count()).sum(), Map::MAX_VALUES);
    if count > limit {
        return Err(PropertyError::TooMany { count, limit });
    }
    properties.into_iter().try_for_each(|(name, value)| check_property(name, value))
}

/// Drops the properties of areas and platforms that are not in the lists, and empty ones.
fn drop_unowned_properties(parts: &mut MapParts) {
    let MapParts { areas, platforms, area_properties, platform_properties, .. } = parts;
    let names: BTreeSet<&str> = areas.iter().map(|area| &*area.name).filter(|name| !name.is_empty()).collect();
    area_properties.retain(|name, properties| !properties.is_empty() && names.contains(&**name));
    let names: BTreeSet<&str> = platforms.iter().map(|own| &*own.name).filter(|name| !name.is_empty()).collect();
    platform_properties.retain(|name, properties| !properties.is_empty() && names.contains(&**name));
}

fn check_property(name: &str, value: &Value) -> Result<(), PropertyError> {
    check_property_depth(name, value)?;
    if value.is_finite() { Ok(()) } else { Err(PropertyError::NotFinite { name: name.to_owned() }) }
}

pub(super) fn check_property_depth(name: &str, value: &Value) -> Result<(), PropertyError> {
    let depth = value.nesting_depth();
    if depth > Map::MAX_DEPTH { Err(PropertyError::TooDeep { name: name.to_owned(), depth }) } else { Ok(()) }
}

/// Reports each error in the names or the number of layers, with the index of the layer if the error has one.
pub(super) fn check_layer_names(
    names: &[&str],
    count: usize,
    limit: usize,
    mut tell: impl FnMut(Option<usize>, TileLayerError),
) {
    match count {
        0 => tell(None, TileLayerError::None),
        _ if count > limit => tell(None, TileLayerError::TooMany { count, limit }),
        _ => {}
    }
    let mut seen = BTreeSet::new();
    for (number, &name) in names.iter().enumerate() {
        if name.is_empty() {
            tell(Some(number), TileLayerError::Nameless);
        } else if !seen.insert(name) {
            tell(Some(number), TileLayerError::Duplicate { name: name.to_owned() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::VariantId;
    use crate::map::TileError;
    use crate::map::{MapPlatformError, Material, TileKindError};

    fn error_after_change(change: impl FnOnce(&mut MapParts)) -> MapPartsError {
        let mut parts = MapParts::new(3, 2);
        change(&mut parts);
        Map::from_parts(parts).unwrap_err()
    }

    #[test]
    fn invalid_parts_from_code_are_refused() {
        use MapPartsError::{Kind, Layer as InLayer, Marker, PixelsPerTile, Property};
        let mut nested = Value::Bool(true);
        (0..=Map::MAX_DEPTH)
            .for_each(|_| nested = Value::List(vec![std::mem::replace(&mut nested, Value::Bool(true))]));
        let mark = |name: &str, tile| (name.to_owned(), tile);

        assert!(matches!(
            error_after_change(|p| p.layers[0].size.0 = 0),
            InLayer(TileLayerError::Size { width: 0, height: 2, .. })
        ));
        assert!(matches!(
            error_after_change(|p| p.layers[0].size = (1 << 15, 1 << 14)),
            InLayer(TileLayerError::Size { .. })
        ));
        assert!(matches!(
            error_after_change(|p| p.layers[0].size.0 = 4),
            InLayer(TileLayerError::CellCount { found: 6, expected: 8, .. })
        ));
        assert!(matches!(
            error_after_change(|p| p.layers[0].cells[3] = TileId(99)),
            InLayer(TileLayerError::UnknownKind { kind: TileId(99), .. })
        ));
        assert!(matches!(error_after_change(|p| p.kinds.clear()), Kind(TileKindError::NoEmpty)));
        assert!(matches!(
            error_after_change(|p| p.kinds[0].variant = Some(VariantId(0))),
            Kind(TileKindError::NoEmpty)
        ));
        assert!(matches!(
            error_after_change(|p| p.kinds[1].drop_through = true),
            Kind(TileKindError::DropThrough { kind: TileId(1), .. })
        ));
        assert!(matches!(
            error_after_change(|p| p.kinds[0].drop_through = true),
            Kind(TileKindError::DropThrough { .. })
        ));
        let foreign = VariantId(96);
        assert!(matches!(
            error_after_change(|p| p.kinds[1].variant = Some(foreign)),
            Kind(TileKindError::UnknownVariant { variants: 96, .. })
        ));
        for (friction, traction, bounce) in
            [(-0.1, 1.0, 0.0), (1.0, 1000.5, 0.0), (1.0, f64::NAN, 0.0), (1.0, 1.0, 1.5)]
        {
            let surface = Material { friction, traction, bounce, ..Material::default() };
            let error = error_after_change(|p| p.kinds[2].material = surface);
            assert!(matches!(error, Kind(TileKindError::Material { kind: TileId(2), .. })), "{error}");
        }
        let many = |p: &mut MapParts| p.kinds.resize(Map::MAX_KINDS + 1, TileKind::new(VariantId(0)));
        assert!(matches!(error_after_change(many), Kind(TileKindError::TooMany { count: 65_535, .. })));
        let far = Map::MAX_ORIGIN + 1;
        assert!(matches!(
            error_after_change(|p| p.layers[0].origin = (0, far)),
            InLayer(TileLayerError::Origin { .. })
        ));
        let path = |p: &mut MapParts| p.catalogue_file = Some("../a.ron".to_owned());
        assert!(matches!(error_after_change(path), MapPartsError::CataloguePath(_)));
        assert!(matches!(
            error_after_change(|p| p.markers = vec![mark("a", (3, 0))]),
            Marker(MarkerError::Outside { .. })
        ));
        assert!(matches!(error_after_change(|p| p.markers = vec![mark("", (0, 0))]), Marker(MarkerError::Nameless)));
        assert!(matches!(
            error_after_change(|p| p.markers = vec![mark("a", (1, 1)); 2]),
            Marker(MarkerError::Repeated { x: 1, y: 1, .. })
        ));
        assert!(matches!(error_after_change(|p| p.pixels_per_tile = 0), PixelsPerTile(PixelsError { found: 0 })));
        let infinite = Value::List(vec![Value::Float(f64::INFINITY)]);
        let is_not_finite = |error| matches!(error, Property(PropertyError::NotFinite { .. }));
        assert!(is_not_finite(error_after_change(|p| p.properties = [("a".to_owned(), infinite.clone())].into())));
        assert!(is_not_finite(error_after_change(
            |p| p.kinds[3].properties = [("a".to_owned(), infinite.clone())].into()
        )));
        let deep = error_after_change(|p| p.properties = [("a".to_owned(), nested)].into());
        assert!(matches!(deep, Property(PropertyError::TooDeep { depth: 33, .. })));
        let values = |count: usize| [("a".to_owned(), Value::List(vec![Value::Bool(true); count]))].into();
        let half = Map::MAX_VALUES / 2;
        let many = error_after_change(|p| (p.properties, p.kinds[1].properties) = (values(half), values(half)));
        assert!(matches!(many, Property(PropertyError::TooMany { count: 1_048_578, limit: 1_048_576 })));
    }

    #[test]
    fn platforms_that_no_world_accepts_are_refused() {
        use crate::platform::{Path, PathError, PathTiming, Platform, PlatformError};
        let block = || TileLayer { cells: vec![TileId(1)], ..TileLayer::new(TileLayer::DEFAULT_NAME, 1, 1) };
        let error_of_platforms = |platforms: Vec<Platform>| match error_after_change(|p| p.platforms = platforms) {
            MapPartsError::Platform(error) => error,
            error => panic!("{error}"),
        };
        let error = |platform: Platform| match error_of_platforms(vec![platform]) {
            MapPlatformError::Refused { error, .. } => error,
            error => panic!("{error}"),
        };
        assert_eq!(error(Platform::new(vec![TileLayer::new("a", 1, 1)])), PlatformError::Empty);
        assert_eq!(error(Platform::new(vec![TileLayer { collides: false, ..block() }])), PlatformError::Empty);
        let layers = [Vec::new(), vec![block(), block()], vec![TileLayer { cells: vec![TileId(999)], ..block() }]];
        for layers in layers {
            assert!(matches!(error(Platform::new(layers)), PlatformError::Tiles(_)));
        }
        let path = Path { timing: PathTiming::Speed(-1.0), ..Path::default() };
        let no_points = PlatformError::Path(PathError::TooFewPoints(0));
        assert_eq!(error(Platform::new(vec![block()]).path(path)), no_points);
        let named = || Platform::new(vec![block()]).name("a");
        assert_eq!(error_of_platforms(vec![named(), named()]), MapPlatformError::Duplicate { name: "a".to_owned() });
        let to = |to: &str| Platform::new(vec![block()]).attached_to(to);
        let nothing = MapPlatformError::AttachedToNothing { name: String::new(), to: "b".to_owned() };
        assert_eq!(error_of_platforms(vec![named(), to("b")]), nothing);
        let circle = error_of_platforms(vec![to("c"), to("a").name("b"), to("b").name("c"), to("c").name("a")]);
        let others = ["a".to_owned(), "c".to_owned()].into();
        assert_eq!(circle, MapPlatformError::AttachedToItself { name: "b".to_owned(), others });
        let nameless = vec![Platform::new(vec![block()]); 2];
        assert!(Map::from_parts(MapParts { platforms: nameless, ..MapParts::new(1, 1) }).is_ok());
    }

    #[test]
    fn tiles_are_set_by_their_coordinates() {
        let mut parts = MapParts::new(3, 2);
        parts.layers[0].origin = (-1, 7);
        let mut map = Map::from_parts(parts).unwrap();
        let slope = map.find_tile('/').unwrap();
        assert_eq!(map.set_tile(0, (1, 8), slope), Ok(()));
        assert_eq!(map.layers()[0].cells[5], slope);
        assert_eq!(map.tile_at(0, (1, 8)), Some(slope));
        assert_eq!(map.variant_at(0, (1, 8)).map(|id| map.catalogue().variant_name(id)), Some("slope_45".to_owned()));
        assert_eq!(map.tile_at(0, (0, 8)), Some(TileId::EMPTY));
        for tile in [(2, 8), (-2, 8), (1, 6), (1, 9), (i32::MIN, i32::MAX)] {
            assert_eq!(map.tile_at(0, tile), None);
            assert_eq!(map.set_tile(0, tile, slope), Err(TileError::Outside { tile, origin: (-1, 7), size: (3, 2) }));
        }
        let unknown = TileId(999);
        assert_eq!(map.set_tile(0, (0, 7), unknown), Err(TileError::UnknownTile { tile_id: unknown }));
    }
}

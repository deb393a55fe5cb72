//! Extends the legend of a map for playing, and reduces it again for saving.

use std::collections::BTreeSet;
use surefoot::catalogue::{Catalogue, VariantId};
use surefoot::map::{Map, MapPartsError, Material, TileId, TileKind, TileLayer};
use surefoot::world::World;

/// Returns the map with a tile kind for every variant of its catalogue, as long as there is room for more kinds. New
/// kinds come after the existing ones.
pub(crate) fn with_all_variants(map: &Map) -> Map {
    let own: BTreeSet<VariantId> = map.kinds().iter().filter_map(|kind| kind.variant).collect();
    let all = (0..map.catalogue().variants().len()).map(|i| VariantId(i as u16));
    let room = Map::MAX_KINDS - map.kinds().len();
    let mut parts = map.clone().into_parts();
    parts.kinds.extend(all.filter(|variant| !own.contains(variant)).take(room).map(TileKind::new));
    Map::from_parts(parts).unwrap_or_else(|_| map.clone())
}

/// Returns the tile kind for painting a variant, preferably one that cannot be dropped through.
pub(crate) fn tile_id_of_variant(map: &Map, variant: VariantId) -> Option<TileId> {
    let mut entries = (0..).map(TileId).zip(map.kinds()).filter(|(_, kind)| kind.variant == Some(variant));
    let first = entries.next()?;
    let plain = (!first.1.drop_through).then_some(first).or_else(|| entries.find(|(_, kind)| !kind.drop_through));
    Some(plain.unwrap_or(first).0)
}

/// Returns the tile kinds of a map that are more than a variant: they place things, or have a material or data.
pub(crate) fn special_kinds(map: &Map) -> impl Iterator<Item = TileId> {
    let is_special = |kind: &TileKind| *kind != TileKind { variant: kind.variant, ..TileKind::default() };
    (0..).map(TileId).zip(map.kinds()).filter(move |(_, kind)| is_special(kind)).map(|(id, _)| id)
}

/// Returns the text that tells what a tile kind is, such as `c: area coin`.
pub(crate) fn describe_kind(map: &Map, id: TileId) -> String {
    let Some(kind) = map.kind(id) else { return String::new() };
    let mut parts = Vec::new();
    parts.extend(kind.variant.map(|variant| map.catalogue().variant_name(variant)));
    if let Some(area) = &kind.things.area {
        parts.push(format!("area {}", area.area.tag));
    }
    parts.extend(kind.things.body.as_ref().map(|body| format!("body {}", body.kind)));
    parts.extend(kind.things.marker.as_ref().map(|marker| format!("marker {}", marker.name)));
    parts.extend(kind.drop_through.then(|| "drop through".to_owned()));
    parts.extend((kind.material != Material::default()).then(|| "own material".to_owned()));
    parts.extend(kind.properties.keys().cloned());
    let symbol = map.symbols().iter().find(|(_, own)| **own == id).map(|(symbol, _)| format!("{symbol}: "));
    symbol.unwrap_or_default() + &parts.join(", ")
}

/// Returns the names of the markers that can be placed, sorted: those of the map, the start and the goal.
pub(crate) fn marker_names(map: &Map) -> Vec<String> {
    let usual = ["goal", "start"].map(str::to_owned);
    map.all_markers().map(|(name, _)| name.to_owned()).chain(usual).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the markers that the map lists: those that no tile kind places.
pub(crate) fn listed_markers(map: &Map) -> Vec<(String, (i32, i32))> {
    map.clone().into_parts().markers
}

/// Returns the map with the current tiles of a world. Grows a layer that was edited outside its rectangle.
pub(crate) fn map_with_edits(map: &Map, world: &World) -> Result<Map, MapPartsError> {
    let (origin, size) = (map.origin(), map.size());
    let mut parts = map.clone().into_parts();
    for (number, layer) in parts.layers.iter_mut().enumerate() {
        let cell = |tile| world.tile_at(number, tile).unwrap_or(TileId::EMPTY);
        let cells = |layer: &TileLayer| tiles_of_rectangle(layer.origin, layer.size).map(cell).collect::<Vec<_>>();
        let whole = TileLayer { origin, size, ..layer.clone() };
        let is_shown = |id: &&TileId| **id != TileId::EMPTY;
        let (own, all) = (cells(layer), cells(&whole));
        let fits = own.iter().filter(is_shown).count() == all.iter().filter(is_shown).count();
        *layer = if fits { TileLayer { cells: own, ..layer.clone() } } else { TileLayer { cells: all, ..whole } };
    }
    Map::from_parts(parts)
}

/// Returns the tiles of a rectangle row by row, the lowest row first.
fn tiles_of_rectangle((left, bottom): (i32, i32), (width, height): (u32, u32)) -> impl Iterator<Item = (i32, i32)> {
    (0..height as i32).flat_map(move |y| (0..width as i32).map(move |x| (left + x, bottom + y)))
}

/// A map with some of its tile kinds, and their new ids.
pub(crate) struct Reduced {
    pub(crate) map: Map,
    numbers: Vec<TileId>,
}

impl Reduced {
    /// Removes tile kinds that are neither in `kept` nor used by a cell.
    pub(crate) fn without_unused_kinds(map: &Map, kept: &BTreeSet<TileId>) -> Result<Reduced, MapPartsError> {
        let mut kept = kept.clone();
        // Each map needs the kind of empty cells, even if no cell is empty.
        kept.insert(TileId::EMPTY);
        kept.extend(map.layers().iter().flat_map(|layer| &layer.cells));
        let mut numbers = vec![TileId::EMPTY; map.kinds().len()];
        kept.iter().enumerate().for_each(|(i, old)| numbers[usize::from(old.0)] = TileId(i as u16));
        let number = |old: TileId| numbers[usize::from(old.0)];
        let mut parts = map.clone().into_parts();
        parts.kinds = kept.iter().map(|old| map.kinds()[usize::from(old.0)].clone()).collect();
        parts.symbols.retain(|_, id| kept.contains(id));
        parts.symbols.values_mut().for_each(|id| *id = number(*id));
        parts.layers.iter_mut().flat_map(|layer| &mut layer.cells).for_each(|id| *id = number(*id));
        Ok(Reduced { map: Map::from_parts(parts)?, numbers })
    }

    /// Returns the new id of a tile kind, or that of the empty cell for a removed kind.
    pub(crate) fn reduced_id(&self, entry: TileId) -> TileId {
        self.numbers.get(usize::from(entry.0)).copied().unwrap_or(TileId::EMPTY)
    }
}

/// Returns whether a map may use a catalogue other than the built-in one.
pub(crate) fn has_own_catalogue(map: &Map) -> bool {
    map.catalogue_file().is_some() || map.catalogue().patterns() != Catalogue::builtin().patterns()
}

//! Tile kinds that grow for playing and shrink again for files.

use std::collections::BTreeSet;
use surefoot::catalogue::{Catalogue, VariantId};
use surefoot::map::{Map, MapPartsError, TileId, TileKind, TileLayer};
use surefoot::world::World;

/// The map with a tile kind for every variant of its catalogue: those that it lacks come after its own. A map that has no
/// room for more kinds stays without the rest.
pub(crate) fn extended(map: &Map) -> Map {
    let own: BTreeSet<VariantId> = map.kinds().iter().filter_map(|kind| kind.variant).collect();
    let all = (0..map.catalogue().variants().len()).map(|i| VariantId(i as u16));
    let room = Map::MAX_KINDS - map.kinds().len();
    let mut parts = map.clone().into_parts();
    parts.kinds.extend(all.filter(|variant| !own.contains(variant)).take(room).map(TileKind::new));
    Map::from_parts(parts).unwrap_or_else(|_| map.clone())
}

/// The tile kind to paint a variant with: one that is not dropped through, if there is one.
pub(crate) fn entry_of(map: &Map, variant: VariantId) -> Option<TileId> {
    let mut entries = (0..).map(TileId).zip(map.kinds()).filter(|(_, kind)| kind.variant == Some(variant));
    let first = entries.next()?;
    let plain = (!first.1.drop_through).then_some(first).or_else(|| entries.find(|(_, kind)| !kind.drop_through));
    Some(plain.unwrap_or(first).0)
}

/// The map with the tiles that a world has now. A layer is larger than it was where something is painted beyond it.
pub(crate) fn as_painted(map: &Map, world: &World) -> Result<Map, MapPartsError> {
    let (origin, size) = (map.origin(), map.size());
    let mut parts = map.clone().into_parts();
    for (number, layer) in parts.layers.iter_mut().enumerate() {
        let cell = |tile| world.tile_at(number, tile).unwrap_or(TileId::EMPTY);
        let cells = |layer: &TileLayer| tiles(layer.origin, layer.size).map(cell).collect::<Vec<_>>();
        let whole = TileLayer { origin, size, ..layer.clone() };
        let is_shown = |id: &&TileId| **id != TileId::EMPTY;
        let (own, all) = (cells(layer), cells(&whole));
        let fits = own.iter().filter(is_shown).count() == all.iter().filter(is_shown).count();
        *layer = if fits { TileLayer { cells: own, ..layer.clone() } } else { TileLayer { cells: all, ..whole } };
    }
    Map::from_parts(parts)
}

/// The tiles of a rectangle row by row, the lowest row first.
fn tiles((left, bottom): (i32, i32), (width, height): (u32, u32)) -> impl Iterator<Item = (i32, i32)> {
    (0..height as i32).flat_map(move |y| (0..width as i32).map(move |x| (left + x, bottom + y)))
}

/// A map with only some of the tile kinds, and the numbers that those have in it.
pub(crate) struct Reduced {
    pub(crate) map: Map,
    numbers: Vec<TileId>,
}

impl Reduced {
    /// Leaves out the kinds that are not `kept` and of which no cell is.
    pub(crate) fn of(map: &Map, kept: &BTreeSet<TileId>) -> Result<Reduced, MapPartsError> {
        let mut kept = kept.clone();
        // The empty cell's is always there.
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

    /// The number of an entry in the smaller legend; that of the empty cell for one that was left out.
    pub(crate) fn number(&self, entry: TileId) -> TileId {
        self.numbers.get(usize::from(entry.0)).copied().unwrap_or(TileId::EMPTY)
    }
}

/// Whether the tiles of a map come from another catalogue than the built-in one, or may do so.
pub(crate) fn has_own_catalogue(map: &Map) -> bool {
    map.catalogue_file().is_some() || map.catalogue().patterns() != Catalogue::builtin().patterns()
}

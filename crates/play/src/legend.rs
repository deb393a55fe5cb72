//! Legends that grow for playing and shrink again for files.

use std::collections::BTreeSet;
use surefoot::catalogue::{Catalogue, VariantId};
use surefoot::map::{EntryId, Layer, LegendEntry, Map, MapErrorKind, MapParts};
use surefoot::world::World;

/// The map with an entry for every variant of its catalogue: those that its legend lacks come after its own, each with a
/// character that looks like no other one.
///
/// A legend that has no room for more stays without the rest.
pub(crate) fn extended(map: &Map) -> Map {
    let catalogue = map.catalogue();
    let own: BTreeSet<VariantId> = map.legend().iter().filter_map(|entry| entry.variant).collect();
    let mut missing: Vec<VariantId> = (0..catalogue.variants().len()).map(|i| VariantId(i as u16)).collect();
    missing.retain(|variant| !own.contains(variant));
    missing.truncate(Map::MAX_ENTRIES - map.legend().len());
    // Blocks and shapes may look like anything, so that there is something left where letters are taken.
    let mut characters: Vec<char> = LegendEntry::every_variant(catalogue)[1..].iter().map(|e| e.character).collect();
    characters.extend('\u{2500}'..='\u{25ff}');
    loop {
        let added = missing.iter().zip(&characters).map(|(&variant, &character)| LegendEntry::new(character, variant));
        let legend: Vec<LegendEntry> = map.legend().iter().cloned().chain(added).collect();
        let Some(character) = refused(map, &legend) else {
            let layers = map.layers().iter().map(|layer| like(layer, layer.cells().to_vec())).collect();
            return Map::from_cells(parts(map, legend, layers)).unwrap_or_else(|_| map.clone());
        };
        let before = characters.len();
        characters.retain(|&other| other != character);
        if characters.len() == before {
            return map.clone();
        }
    }
}

/// A character that cannot stand in a legend beside the others before it.
fn refused(map: &Map, legend: &[LegendEntry]) -> Option<char> {
    let small = MapParts { catalogue: map.catalogue().clone(), legend: legend.to_vec(), ..MapParts::new(1, 1) };
    match Map::from_cells(small) {
        Err(
            MapErrorKind::DuplicateCharacter { character }
            | MapErrorKind::ConfusableCharacter { character, .. }
            | MapErrorKind::ControlCharacter { character }
            | MapErrorKind::InvisibleCharacter { character },
        ) => Some(character),
        _ => None,
    }
}

/// The entry to paint a variant with: one that nobody drops through, if there is one.
pub(crate) fn entry_of(map: &Map, variant: VariantId) -> Option<EntryId> {
    let mut entries = (0..).map(EntryId).zip(map.legend()).filter(|(_, entry)| entry.variant == Some(variant));
    let first = entries.next()?;
    let plain = (!first.1.drop_through).then_some(first).or_else(|| entries.find(|(_, entry)| !entry.drop_through));
    Some(plain.unwrap_or(first).0)
}

/// The cells of a world as they are now, layer by layer.
pub(crate) fn cells_of(world: &World) -> Vec<Vec<EntryId>> {
    let map = world.map();
    let ((left, bottom), (width, height)) = (map.origin(), map.size());
    let tiles = || (0..height as i32).flat_map(move |y| (0..width as i32).map(move |x| (left + x, bottom + y)));
    let cell = |layer, tile| world.entry(layer, tile).unwrap_or(EntryId::EMPTY);
    (0..map.layers().len()).map(|layer| tiles().map(|tile| cell(layer, tile)).collect()).collect()
}

/// The map with other cells.
pub(crate) fn with_cells(map: &Map, cells: Vec<Vec<EntryId>>) -> Result<Map, MapErrorKind> {
    let layers = map.layers().iter().zip(cells).map(|(layer, cells)| like(layer, cells)).collect();
    Map::from_cells(parts(map, map.legend().to_vec(), layers))
}

/// A map whose legend has only some of the entries, and the numbers that those have in it.
pub(crate) struct Reduced {
    pub(crate) map: Map,
    numbers: Vec<EntryId>,
}

impl Reduced {
    /// Leaves out the entries that are not `kept` and that no cell has.
    pub(crate) fn of(map: &Map, kept: &BTreeSet<EntryId>) -> Result<Reduced, MapErrorKind> {
        let mut kept = kept.clone();
        // The empty cell's is always there.
        kept.insert(EntryId::EMPTY);
        kept.extend(map.layers().iter().flat_map(Layer::cells));
        let mut numbers = vec![EntryId::EMPTY; map.legend().len()];
        kept.iter().enumerate().for_each(|(i, old)| numbers[usize::from(old.0)] = EntryId(i as u16));
        let legend = kept.iter().map(|old| map.legend()[usize::from(old.0)].clone()).collect();
        let renumber = |cells: &[EntryId]| cells.iter().map(|old| numbers[usize::from(old.0)]).collect();
        let layers = map.layers().iter().map(|layer| like(layer, renumber(layer.cells()))).collect();
        let map = Map::from_cells(parts(map, legend, layers))?;
        Ok(Reduced { map, numbers })
    }

    /// The number of an entry in the smaller legend; that of the empty cell for one that was left out.
    pub(crate) fn number(&self, entry: EntryId) -> EntryId {
        self.numbers.get(usize::from(entry.0)).copied().unwrap_or(EntryId::EMPTY)
    }
}

/// Whether the tiles of a map come from another catalogue than the built-in one, or may do so.
pub(crate) fn has_own_catalogue(map: &Map) -> bool {
    map.catalogue_file().is_some() || map.catalogue().patterns() != Catalogue::builtin().patterns()
}

/// A layer of that name and kind, with other cells.
fn like(layer: &Layer, cells: Vec<EntryId>) -> Layer {
    let new = Layer::new(layer.name(), cells);
    if layer.collides() { new } else { new.only_drawn() }
}

fn parts(map: &Map, legend: Vec<LegendEntry>, layers: Vec<Layer>) -> MapParts {
    let (width, height) = map.size();
    MapParts {
        catalogue: map.catalogue().clone(),
        legend,
        width,
        height,
        origin: map.origin(),
        cells: Vec::new(),
        layers,
        catalogue_file: map.catalogue_file().map(str::to_owned),
        sides: map.sides(),
        markers: map.all_markers().map(|(name, tile)| (name.to_owned(), tile)).collect(),
        pixels_per_tile: map.pixels_per_tile(),
        properties: map.properties().clone(),
    }
}

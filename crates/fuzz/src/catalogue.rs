//! The driver for catalogue files.

use crate::{map, text_checks};
use std::sync::Arc;
use surefoot::check::{self, FileKind};
use surefoot::map::{Map, MapParts, TileId, TileKind};
use surefoot::prelude::*;

/// Checks the guarantees of catalogue files with bytes as the file.
///
/// # Panics
/// If loading, checking, expanding, baking or moving among its tiles breaks a guarantee.
pub fn check_catalogue(bytes: &[u8]) {
    let Some(text) = text_checks::read_text(bytes) else { return };
    let loaded = Catalogue::from_ron(&text);
    text_checks::assert_check_agrees(FileKind::Catalogue, &text, &loaded, &check::text_as(FileKind::Catalogue, &text));
    let Ok(catalogue) = loaded else { return };
    for id in (0..catalogue.variants().len()).map(|i| VariantId(i as u16)) {
        let name = catalogue.variant_name(id);
        assert_eq!(catalogue.find_variant(&name), Ok(id), "the variant `{name}` of\n{text}");
        let variant = catalogue.variant(id);
        assert_eq!(catalogue.place(variant.pattern, variant.placement), id, "the placement of `{name}` of\n{text}");
    }
    let again = Catalogue::new(catalogue.patterns().to_vec());
    let again = again.unwrap_or_else(|errors| panic!("what was accepted is refused by code: {errors}\n{text}"));
    assert!(again.variants() == catalogue.variants(), "expanded otherwise by code:\n{text}");
    let catalogue = Arc::new(catalogue);
    // Place the tiles next to each other, then with a gap of one cell.
    for spacing in [1, 2] {
        let map = map_of_all_variants(&catalogue, spacing);
        map::assert_round_trip(&map);
        map::simulate_map(map);
    }
}

/// Returns an approximately square map with every variant once, `spacing` cells apart.
fn map_of_all_variants(catalogue: &Arc<Catalogue>, spacing: usize) -> Map {
    let count = catalogue.variants().len();
    let side = (1..).find(|side| side * side >= count).unwrap_or(1);
    let mut parts = MapParts::new((side * spacing) as u32, (side * spacing) as u32);
    parts.catalogue = catalogue.clone();
    parts.kinds = TileKind::every_variant(catalogue);
    for i in 0..count {
        parts.layers[0].cells[(i / side * spacing) * side * spacing + i % side * spacing] = TileId(i as u16 + 1);
    }
    Map::from_parts(parts).unwrap_or_else(|error| panic!("a map of all variants is refused: {error}"))
}

use crate::{law, map};
use std::sync::Arc;
use surefoot::check::{self, FileKind};
use surefoot::map::{Map, MapParts, TileId, TileKind};
use surefoot::prelude::*;

/// Takes bytes as a catalogue file.
///
/// # Panics
/// If loading, checking, expanding, baking or moving about among its tiles is not as promised.
pub fn catalogue(bytes: &[u8]) {
    let Some(text) = law::text(bytes) else { return };
    let loaded = Catalogue::from_ron(&text);
    law::holds(FileKind::Catalogue, &text, &loaded, &check::text_as(FileKind::Catalogue, &text));
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
    // Side by side, and each with air around it.
    for gap in [1, 2] {
        let map = of_all(&catalogue, gap);
        map::is_written_and_read(&map);
        map::live(map);
    }
}

/// A map with every variant, every so many cells, in rows that make it about square.
fn of_all(catalogue: &Arc<Catalogue>, gap: usize) -> Map {
    let count = catalogue.variants().len();
    let side = (1..).find(|side| side * side >= count).unwrap_or(1);
    let mut parts = MapParts::new((side * gap) as u32, (side * gap) as u32);
    parts.catalogue = catalogue.clone();
    parts.kinds = TileKind::every_variant(catalogue);
    for i in 0..count {
        parts.layers[0].cells[(i / side * gap) * side * gap + i % side * gap] = TileId(i as u16 + 1);
    }
    Map::from_parts(parts).unwrap_or_else(|error| panic!("a map of all variants is refused: {error}"))
}

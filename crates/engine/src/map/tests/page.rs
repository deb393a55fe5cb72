//! Holds the page of the format against the code.

use super::*;

const PAGE: &str = include_str!("../../../../../docs/map-format.md");

/// The page's blocks of RON.
fn blocks() -> impl Iterator<Item = &'static str> {
    PAGE.split("```ron\n").skip(1).map(|rest| rest.split("```").next().unwrap())
}

#[test]
fn every_example_is_a_map() {
    assert!(blocks().count() >= 2);
    for block in blocks() {
        let map = Map::from_ron(block).unwrap_or_else(|error| panic!("{error} in\n{block}"));
        assert_eq!(Map::from_ron(&map.to_ron()), Ok(map));
    }
}

#[test]
fn the_whole_example_says_what_the_page_says() {
    let map = Map::from_ron(blocks().last().unwrap()).unwrap();
    assert_eq!(map.size(), (12, 5));
    assert_eq!(map.origin(), (-4, 0));
    assert_eq!(map.marker_cell("start"), Some((-3, 1)));
    assert_eq!(map.markers("coin").count(), 3);
    assert_eq!(map.sides(), Sides { left: Beyond::Solid, right: Beyond::Solid, ..Sides::default() });
    assert_eq!(map.properties()["gravity"].as_f64(), Some(40.0));
    let ice = map.find_entry('i').unwrap();
    assert_eq!(map.entry_at((2, 0)), Some(ice));
    let draught = map.find_entry('w').unwrap();
    assert_eq!((map.entry_at((1, 4)), map.variant_at((1, 4))), (Some(draught), None));
}

#[test]
fn the_table_is_the_builtin_legend() {
    let table = PAGE.split("## The built-in legend").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let code = |cell: &str| cell.trim().trim_matches('`').replace("\\|", "|");
    let mut found = Vec::new();
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        // The backtick stands between two backticks and spaces, the space between quotes.
        let character = match cells[0].trim() {
            "`` ` ``" => '`',
            "` ` (space)" => ' ',
            other => code(other).chars().next().unwrap(),
        };
        let (tile, drop_through) = match code(cells[1]).strip_suffix("`, drop through") {
            Some(tile) => (tile.to_owned(), true),
            None => (code(cells[1]), false),
        };
        let marker = tile.strip_prefix("marker `").map(str::to_owned);
        let tile = if marker.is_some() { legend::EMPTY.to_owned() } else { tile };
        let variant = legend::tile_variant(&Catalogue::builtin(), &tile).unwrap();
        let kind = TileKind { variant, drop_through, ..TileKind::default() };
        found.push(legend::Meaning { character, kind, marker, is_builtin: true });
    }
    assert_eq!(found, legend::builtin(&Catalogue::builtin()));
}

#[test]
fn the_limits_are_those_of_the_code() {
    let limits = PAGE.split("## Limits").nth(1).unwrap();
    let expected = [
        format!("{} tile kinds", Map::MAX_KINDS),
        format!("2^{} cells in a layer", Map::MAX_CELLS.ilog2()),
        format!("2^{} cells, or four times", Map::MAX_APART.ilog2()),
        format!("1 to {} layers", Map::MAX_LAYERS),
        format!("2^{} tiles", Map::MAX_ORIGIN.ilog2()),
        format!("{} pixels", Map::MAX_PIXELS_PER_TILE),
        format!("2^{} markers", Map::MAX_MARKERS.ilog2()),
        format!("{} names", format::MAX_NAMES),
        format!("{} values", Map::MAX_VALUES),
        format!("{} lists and maps", Map::MAX_DEPTH),
        format!("{} MiB", crate::io::MAX_FILE_SIZE >> 20),
    ];
    for words in expected {
        assert!(limits.contains(&words), "{words}");
    }
}

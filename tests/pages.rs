//! Compares the pages about the formats with the code.

use crate::prelude::*;
use surefoot::area::MAX_AREAS;
use surefoot::body::MAX_SPEED;
use surefoot::catalogue::Pattern;
use surefoot::command::MAX_PLATFORMS;
use surefoot::io::MAX_FILE_SIZE;

const PAGE: &str = include_str!("../docs/formats/map.md");
const PATTERNS: &str = include_str!("../assets/patterns.ron");

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
    assert_eq!(map.borders(), Borders { left: Border::Solid, right: Border::Solid, ..Borders::default() });
    assert_eq!(map.properties()["gravity"].as_f64(), Some(40.0));
    let ice = map.find_tile('i').unwrap();
    assert_eq!(map.tile_at(0, (2, 0)), Some(ice));
    assert_eq!(
        map.kind(ice).unwrap().material,
        Material { friction: 0.1, traction: 0.25, bounce: 0.0, belt_velocity: 0.0, climbable: false }
    );
    let draught = map.find_tile('w').unwrap();
    assert_eq!((map.tile_at(0, (1, 4)), map.variant_at(0, (1, 4))), (Some(draught), None));
}

#[test]
fn the_table_is_the_builtin_legend() {
    let table = PAGE.split("## The built-in legend").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let code = |cell: &str| cell.trim().trim_matches('`').replace("\\|", "|");
    let mut count = 0;
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        count += 1;
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        // A backtick is written between two backticks and spaces, a space between quotes.
        let character = match cells[0].trim() {
            "`` ` ``" => '`',
            "` ` (space)" => ' ',
            other => code(other).chars().next().unwrap(),
        };
        let (tile, drop_through) = match code(cells[1]).strip_suffix("`, drop through") {
            Some(tile) => (tile.to_owned(), true),
            None => (code(cells[1]), false),
        };
        let map = Map::from_rows([character.to_string()]).unwrap();
        let marker = tile.strip_prefix("marker `").map(str::to_owned);
        assert_eq!(map.all_markers().map(|(name, _)| name.to_owned()).next(), marker, "{line}");
        let is_empty = marker.is_some() || tile == "empty";
        let variant = (!is_empty).then(|| map.catalogue().find_variant(&tile).unwrap());
        let kind = map.tile_at(0, (0, 0)).and_then(|id| map.kind(id)).unwrap();
        assert_eq!(*kind, TileKind { variant, drop_through, ..TileKind::default() }, "{line}");
    }
    // Every kind except the empty cell has a line, and four letters are empty.
    assert_eq!(count, Map::from_rows(["."]).unwrap().kinds().len() - 1 + 4);
}

#[test]
fn the_limits_are_those_of_the_code() {
    let limits = PAGE.split("## Limits").nth(1).unwrap();
    let expected = [
        format!("{} tile kinds", Map::MAX_KINDS),
        format!("2^{} cells in a layer", Map::MAX_CELLS.ilog2()),
        format!("2^{} cells, or four times", Map::MAX_BOUNDING_CELLS.ilog2()),
        format!("1 to {} layers", Map::MAX_LAYERS),
        format!("2^{} tiles", Map::MAX_ORIGIN.ilog2()),
        format!("{} pixels", Map::MAX_PIXELS_PER_TILE),
        format!("2^{} platforms", Map::MAX_PLATFORMS.ilog2()),
        format!("2^{} points", Map::MAX_PATH_POINTS.ilog2()),
        format!("2^{} cells, counted", Map::MAX_PLATFORM_CELLS.ilog2()),
        format!("2^{} markers", Map::MAX_MARKERS.ilog2()),
        format!("{} names", Map::MAX_MARKER_NAMES),
        format!("{} collision layers", Map::MAX_COLLISION_LAYERS),
        format!("{} values", Map::MAX_VALUES),
        format!("{} lists and maps", Map::MAX_DEPTH),
        format!("{} MiB", MAX_FILE_SIZE >> 20),
    ];
    for words in expected {
        assert!(limits.contains(&words), "{words}");
    }
}

#[test]
fn the_limits_of_worlds_are_those_of_the_code() {
    let page = include_str!("../docs/guide/performance.md").split("## Limits").nth(1).unwrap();
    let power = |number: u64| {
        assert!(number.is_power_of_two());
        format!("2^{}", number.ilog2())
    };
    assert_eq!(Shape::MIN_HALF_SIZE, 1.0 / f64::from(1 << 16));
    let expected = [
        ("half size of a body", format!("2^-16 to {} tiles", Shape::MAX_HALF_SIZE)),
        ("position", format!("{} tiles from the origin on an axis", power((Position::LIMIT / ONE) as u64))),
        ("motion of a body in a tick", format!("{} tiles on an axis", Mover::MAX_MOTION)),
        ("motion of a platform in a tick", format!("{} tiles", Path::MAX_STEP_TILES)),
        ("velocity", format!("{MAX_SPEED:e} tiles/s on an axis")),
        ("bodies in a world", power(World::MAX_BODIES as u64)),
        ("platforms in a world", power(MAX_PLATFORMS as u64)),
        ("areas in a world", power(MAX_AREAS as u64)),
    ];
    for (limit, value) in expected {
        let row = format!("| {limit} | {value} |");
        assert!(page.contains(&row), "{row}");
    }
    let mass = |mass: f64| Body::default().mass(mass).check().is_ok();
    assert!(page.contains("| mass | 1e-6 to 1e6 |") && mass(1e-6) && mass(1e6) && !mass(0.9e-6) && !mass(1.1e6));
    let tick = |seconds: f64| Settings::default().tick(seconds).check().is_ok();
    assert!(page.contains("| tick length | 1e-6 to 1 s |") && tick(1e-6) && tick(1.0) && !tick(0.9e-6) && !tick(1.1));
}

/// Checks default and range of each number of a material on its page.
#[test]
fn the_numbers_of_surfaces_are_those_of_the_code() {
    let page = include_str!("../docs/guide/materials.md");
    let table = page.split("## The properties").nth(1).and_then(|rest| rest.split("\n### ").next()).unwrap();
    let mut count = 0;
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect();
        let Some((least, most)) = cells[2].split_once(" to ") else {
            assert_eq!((cells[0], cells[1]), ("climbable", "false"));
            continue;
        };
        count += 1;
        let taken = |number: f64| {
            let plain = Material::default();
            let surface = match cells[0] {
                "friction" => Material { friction: number, ..plain },
                "traction" => Material { traction: number, ..plain },
                "bounce" => Material { bounce: number, ..plain },
                "belt_velocity" => Material { belt_velocity: number, ..plain },
                other => panic!("{other}"),
            };
            (surface.check().is_ok(), surface == plain)
        };
        let [default, least, most] = [cells[1], least, most].map(|number| number.parse::<f64>().unwrap());
        assert_eq!(taken(default), (true, true), "{line}");
        assert!(taken(least).0 && taken(most).0, "{line}");
        assert!(!taken(least - 0.001).0 && !taken(most + 0.001).0, "{line}");
    }
    assert_eq!(count, 4);
}

/// Returns the name, default and range of each number of a character on its page. `jump_height` limits other numbers.
pub(crate) fn numbers_of_characters(jump_height: f64) -> Vec<(&'static str, f64, [f64; 2])> {
    let page = include_str!("../docs/guide/character.md");
    let rows = page.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 6);
    let rows = rows.map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect());
    let numbers = rows.filter(|cells: &Vec<_>| !["platform_velocity", "air_jumps"].contains(&cells[0]));
    let read = |number: &str| if number == "jump_height" { jump_height } else { number.parse().unwrap() };
    numbers
        .map(|cells| {
            let (least, most) = cells[3].split_once(" to ").unwrap_or(("0", "1e9"));
            (cells[0], read(cells[2]), [least, most].map(|number| read(number.trim_matches('`'))))
        })
        .collect()
}

/// Checks default and range of each field of a character on its page.
#[test]
fn the_fields_of_characters_are_those_of_the_code() {
    let mut names = Vec::new();
    for (name, default, [least, most]) in numbers_of_characters(20.0) {
        names.push(name);
        let with = |number: f64| {
            let mut character = Character { jump_height: 20.0, ..Character::default() };
            *character.field_mut(name).unwrap_or_else(|| panic!("{name}")) = number;
            character.check().is_ok()
        };
        assert_eq!(Character::default().field_mut(name), Some(&mut { default }), "{name}");
        assert!(with(least) && with(most) && !with(least - 0.001) && !with(most * 1.001), "{name}");
    }
    let mut expected = Character::FIELD_NAMES.to_vec();
    expected.sort_unstable();
    names.sort_unstable();
    assert_eq!(names, expected);
    let page = include_str!("../docs/guide/character.md");
    assert!(page.contains(&format!("| `air_jumps` | jumps | 0 | 0 to {} |", u8::MAX)));
}

/// The table of presets has exactly one row for each field that a preset sets.
#[test]
fn the_values_of_the_presets_are_those_of_the_code() {
    let page = include_str!("../docs/guide/character.md");
    let table = page.split("### Values of the presets").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let presets =
        [Character::default(), Character::precise(), Character::floaty(), Character::heavy(), Character::classic()];
    let mut expected = Vec::new();
    for name in Character::FIELD_NAMES {
        let values = presets.map(|mut preset| *preset.field_mut(name).unwrap());
        if values.iter().any(|value| *value != values[0]) {
            let cells: Vec<String> = values.map(|value| ((value * 1000.0).round() / 1000.0).to_string()).into();
            expected.push(format!("| `{name}` | {} |", cells.join(" | ")));
        }
    }
    let mut rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| `")).collect();
    rows.sort_unstable();
    expected.sort_unstable();
    assert_eq!(rows, expected);
    assert!(
        presets.iter().all(|preset| preset.air_jumps == 0 && preset.platform_velocity == presets[0].platform_velocity)
    );
}

#[test]
fn the_errors_on_the_page_are_what_is_said() {
    let page = include_str!("../docs/formats/catalogue.md");
    let slope = "Catalogue(format: 1, patterns: [
    (name: \"quarter_slope_1\", kind: Solid, variants: 8, paths: [[(0, 0), (16, 0), (16, 4)]]),
])";
    assert!(page.contains(slope));
    let again = [
        "(name: \"a\", kind: Open, paths: [[(0, 0), (16, 4)]])",
        "(name: \"b\", kind: Open, paths: [[(16, 12), (8, 14), (0, 16)]])",
    ];
    let again = format!("Catalogue(format: 1, patterns: [\n{}\n])", again.join(",\n"));
    let crossing = "(name: \"a\", kind: Solid, paths: [[(0, 0), (16, 16), (16, 0), (0, 12)]])";
    let crossing = format!("Catalogue(format: 1, patterns: [\n{crossing},\n])");
    for (file, text) in [("my.ron", slope), ("bad.ron", &again), ("bad.ron", &crossing)] {
        let error = &Catalogue::from_ron(text).unwrap_err().in_file(file)[0];
        let shown = format!("{error}\n\n{}\n", error.drawing().unwrap());
        assert!(page.contains(&shown), "docs/formats/catalogue.md lacks\n{shown}");
    }
    for limit in [Catalogue::MAX_PATTERNS, Pattern::MAX_NAME, Pattern::MAX_EDGES] {
        assert!(page.contains(&limit.to_string()), "{limit}");
    }
}

/// The built-in catalogue is a table in the library, so that it needs no text parser. `SUREFOOT_WRITE_PATTERNS=1`
/// writes the table again.
#[test]
fn the_builtin_catalogue_is_that_of_the_file() {
    use std::fmt::Write;
    let of_file = Catalogue::from_ron(PATTERNS).unwrap();
    if std::env::var_os("SUREFOOT_WRITE_PATTERNS").is_some() {
        let mut table =
            "//! The patterns of `assets/patterns.ron`, written by a test that compares the two.\n\n".to_owned();
        table += "use super::PatternKind::{self, Open, Solid, Wall};\n\n/// Name, kind, use and paths of each.\n";
        table += "#[rustfmt::skip]\n#[allow(clippy::type_complexity)]\n";
        let count = of_file.patterns().len();
        writeln!(table, "pub(super) const PATTERNS: [(&str, PatternKind, &str, &[&[(i8, i8)]]); {count}] = [").unwrap();
        for Pattern { name, kind, purpose, paths } in of_file.patterns() {
            let paths: Vec<String> = paths.iter().map(|path| format!("&{path:?}")).collect();
            writeln!(table, "    ({name:?}, {kind:?}, {purpose:?}, &[{}]),", paths.join(", ")).unwrap();
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/tiles/src/catalogue/patterns.rs");
        std::fs::write(path, table + "];\n").unwrap();
    }
    assert_eq!(Catalogue::builtin().patterns(), of_file.patterns(), "run with SUREFOOT_WRITE_PATTERNS=1, then again");
}

#[test]
fn damaged_files_are_refused_or_read_and_nothing_else() {
    let text = PATTERNS;
    // Start in the middle, where the paths are, to save time.
    for end in (text.len() - 1500..text.len()).step_by(often(5, 1) as usize).filter(|&end| text.is_char_boundary(end)) {
        let _ = Catalogue::from_ron(&text[..end]);
    }
    for (i, _) in text.char_indices().filter(|&(i, c)| c.is_ascii_digit() && i % often(31, 9) as usize == 0) {
        for digit in ["9", "-", "16", ""] {
            let mut changed = text.to_owned();
            changed.replace_range(i..=i, digit);
            if let Err(errors) = Catalogue::from_ron(&changed) {
                assert!(!errors.is_empty() && errors.iter().all(|error| error.position.is_some()));
            }
        }
    }
}

/// Every sample of a guide fits on a screen, and shows usage instead of proofs.
#[test]
fn samples_of_guides_are_short_and_assert_nothing() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let page = std::fs::read_to_string(&path).unwrap();
        for sample in page.split("```rust").skip(1).map(|rest| rest.split("\n```").next().unwrap()) {
            let is_test = sample.contains("#[test]");
            assert!(is_test || !sample.contains("assert"), "{}: {sample}", path.display());
            let lines = sample.lines().skip(1).filter(|line| !line.trim().is_empty());
            assert!(lines.count() <= 20, "{}: {sample}", path.display());
        }
    }
}

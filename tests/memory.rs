//! Reading a map uses memory in proportion to its file, for any content.

use crate::prelude::*;
use std::iter::repeat_n;
use surefoot::map::{MapErrorKind, MapPartsError, MarkerError, PropertyError, TileLayerError};

/// Limits of the bytes that reading may use at a time, besides the text: a number per byte of the text, plus a
/// constant.
const FACTOR: u64 = 6;
const BASE: u64 = 32 << 20;
/// The constant for texts at a limit of maps: they may have many platforms, or properties, which are larger than their
/// text.
const BASE_AT_LIMITS: u64 = 128 << 20;

/// Factor by which the texts are shorter than with `SUREFOOT_LIMITS`, which tests texts as long as the limits allow.
fn shorter() -> usize {
    if std::env::var_os("SUREFOOT_LIMITS").is_some() { 1 } else { often(12, 8) as usize }
}

/// Reads a text. Returns the result and the largest number of bytes in use.
fn read(text: &str) -> (Result<Map, MapErrorKind>, u64) {
    let mut result = None;
    let counted = allocation_counter::measure(|| result = Some(Map::from_ron(text).map_err(|error| error.kind)));
    (result.unwrap(), counted.bytes_max)
}

/// Repeats a piece `count` times in a map's text.
fn text(before: &str, piece: &str, count: usize, after: &str) -> String {
    let pieces: String = repeat_n(piece, count).collect();
    format!("Map(format: 1, {before}{pieces}{after})")
}

/// A layer of one long row, and as many further layers as allowed, each covering a few of its cells.
fn layers_that_meet(width: usize) -> String {
    let row = |name: &str, at: usize, row: &str| format!("(name: \"{name}\", origin: ({at}, 0), tiles: [\"{row}\"]),");
    let others: String = (1..16).map(|i| row(&i.to_string(), i * width / 16, "#-")).collect();
    format!("Map(format: 1, layers: [{}{others}])", row("long", 0, &".".repeat(width)))
}

#[test]
fn memory_stays_under_a_small_multiple_of_the_file() {
    use MapErrorKind::{DuplicateSymbol, Form, NoTiles, Parts, RaggedRow, TooManyEntries, UnknownSymbol};
    use MapPartsError::{Layer, Marker, Property};
    let many = 1_000_000 / shorter();
    let rows = "tiles: [\".\"]";
    let entries: String = ('\u{a1}'..).take(many).map(|c| format!("'{c}':\"\",")).collect();
    let names: String = (0..many).map(|i| format!("\"{i}\":[],")).collect();
    type Refused = Option<fn(&MapErrorKind) -> bool>;
    type Case = (&'static str, String, Refused);
    let cases: [Case; 11] = [
        ("cells", text("tiles: [\"", ".", 8 * many, "\"]"), None),
        ("rows", text("tiles: [", "\".\",", many, "]"), None),
        ("empty rows", text("tiles: [\".\",", "\"\",", many, "]"), Some(|e| matches!(e, RaggedRow { .. }))),
        ("unknown", text("tiles: [\"", "q", 8 * many, "\"]"), Some(|e| matches!(e, UnknownSymbol { .. }))),
        (
            "layers",
            text("layers: [", "(name:\"\",tiles:[]),", many, "]"),
            Some(|e| matches!(e, Parts(Layer(TileLayerError::TooMany { .. })))),
        ),
        ("layers that meet", layers_that_meet(4 * many), None),
        (
            "listed",
            text(&format!("{rows}, markers: {{\"a\": ["), "(0,0),", many, "]}"),
            Some(|e| matches!(e, Parts(Marker(MarkerError::Repeated { .. })))),
        ),
        ("nested", text(&format!("{rows}, properties: {{\"a\": "), "[", many, ""), Some(|e| matches!(e, Form(_)))),
        ("a comment", text("/*", "/*", many, ""), Some(|e| matches!(e, Form(_)))),
        ("fields", text(&format!("{rows}, "), "a:1,", many, ""), Some(|e| matches!(e, Form(_)))),
        ("nothing", text("", " ", 8 * many, ""), Some(|e| matches!(e, NoTiles))),
    ];
    // These texts are at a limit, or just above it.
    let platforms = |piece: &str, count| text(&format!("{rows}, platforms: ["), piece, count, "]");
    let far = "(layers:[(name:\"a\",tiles:[\"#\"]),(name:\"b\",origin:(131071,0),tiles:[\"#\"])]),";
    let points = format!("{rows}, platforms: [(tiles: [\"#\"], motion: Path(speed: 1, points: [(1, 1), ");
    let is_platform = |e: &MapErrorKind| matches!(e, Parts(MapPartsError::Platform(_)));
    let drawn = "platforms: [(cells: '=', name: \"lift\", motion: Path(speed: 1, points: [(0, 0), (1, 0), (1, 1), (0, 1)]))], tiles: [\"";
    let bodies: String = (0..Map::MAX_LISTED_BODIES / shorter())
        .map(|i| format!("(name:\"{i}\",kind:\"a\",shape:Circle(1),character:()),"))
        .collect();
    let at_limits: [Case; 15] = [
        (
            "areas",
            text(&format!("{rows}, areas: ["), "(shape:Circle(1)),", Map::MAX_LISTED_AREAS / shorter(), "]"),
            None,
        ),
        ("bodies", format!("Map(format: 1, {rows}, bodies: [{bodies}])"), None),
        ("drawn platforms", text(drawn, "=.", Map::MAX_PLATFORMS / shorter(), "\"]"), None),
        ("platforms", platforms("(tiles:[\"#\"]),", Map::MAX_PLATFORMS / shorter()), None),
        ("platforms of nothing", platforms("(),", many), Some(|e| matches!(e, Form(_)))),
        ("platforms far apart", platforms(far, 1000), Some(is_platform)),
        ("way points", text(&points, "(0,0),", Map::MAX_PATH_POINTS - 1, "]))]"), None),
        ("too many way points", text(&points, "(0,0),", Map::MAX_PATH_POINTS, "]))]"), Some(is_platform)),
        ("drawn", text("tiles: [\"", "@", 1 << 20, "\"]"), None),
        (
            "drawn too often",
            text("tiles: [\"", "@", 8 * many.max(1 << 18), "\"]"),
            Some(|e| matches!(e, Parts(Marker(MarkerError::TooMany { .. })))),
        ),
        (
            "names",
            format!("Map(format: 1, {rows}, markers: {{{names}}})"),
            Some(|e| matches!(e, Parts(Marker(MarkerError::TooMany { .. })))),
        ),
        ("entries", format!("Map(format: 1, {rows}, legend: {{{entries}}})"), Some(|_| true)),
        (
            "one entry",
            text(&format!("{rows}, legend: {{"), "'a':\"stud\",", many, "}"),
            Some(|e| matches!(e, DuplicateSymbol { .. } | TooManyEntries { .. })),
        ),
        (
            "values",
            text(&format!("{rows}, properties: {{\"a\": ["), "{\"\":1},", Map::MAX_VALUES / 9 / shorter(), "]}"),
            None,
        ),
        (
            "large numbers",
            text(&format!("{rows}, properties: {{\"a\": ["), "1e300,", Map::MAX_VALUES / shorter() - 1, "]}"),
            None,
        ),
    ];
    // These cases take seconds, because the text is read before its parts are counted.
    let take_long: [Case; 5] = [
        (
            "listed too often",
            text(&format!("{rows}, markers: {{\"a\": ["), "(0,0),", 2 * many, "]}"),
            Some(|e| matches!(e, Parts(Marker(MarkerError::TooMany { .. })))),
        ),
        (
            "numbers",
            text(&format!("{rows}, properties: {{\"a\": ["), "1,", Map::MAX_VALUES, "]}"),
            Some(|e| matches!(e, Parts(Property(PropertyError::TooMany { .. })))),
        ),
        (
            "too many values",
            text(&format!("{rows}, properties: {{\"a\": ["), "{\"\":1},", many, "]}"),
            Some(|e| matches!(e, Parts(Property(PropertyError::TooMany { .. })))),
        ),
        ("too many drawn platforms", text(drawn, "=.", 2 * Map::MAX_PLATFORMS, "\"]"), Some(is_platform)),
        ("too many platforms", platforms("(tiles:[\"#\"]),", Map::MAX_PLATFORMS + many), Some(is_platform)),
    ];
    let at_limits = at_limits.into_iter().chain(take_long.into_iter().filter(|_| shorter() == 1));
    let base_at_limits = if shorter() == 1 { BASE_AT_LIMITS } else { BASE };
    let cases = cases.into_iter().map(|case| (case, BASE / shorter() as u64));
    for ((name, text, refused), base) in cases.chain(at_limits.map(|case| (case, base_at_limits))) {
        let (result, bytes) = read(&text);
        let expected = refused.map_or(result.is_ok(), |is| result.as_ref().is_err_and(is));
        assert!(expected, "{name}: {:?}", result.map(|_| ()));
        let limit = FACTOR * text.len() as u64 + base;
        assert!(bytes <= limit, "{name}: {bytes} bytes for a text of {}", text.len());
    }
}

#[test]
fn checking_stays_under_eight_times_the_file() {
    let many = 1_200_000 / shorter();
    let rows = "tiles: [\".\"]";
    let replay = |field: &str, piece: &str, count: usize| {
        let pieces: String = repeat_n(piece, count).collect();
        format!("Replay(map: Inline(Map(format: 1, {rows})), {field}: [{pieces}], ticks: 1)")
    };
    let paths: String = repeat_n("1,", many).collect();
    let cases = [
        ("numbers for rows", text("tiles: [", "1,", many, "]")),
        ("numbers", text(&format!("{rows}, properties: {{\"a\": ["), "1,", many, "]}, origin: 7")),
        ("lists", text(&format!("{rows}, markers: {{\"a\": ["), "[],", many, "]}")),
        ("pairs", text(&format!("{rows}, markers: {{\"a\": ["), "(0,),", many, "]}")),
        ("commas", text("tiles: [", ",", 2 * many, "]")),
        ("wrong brackets", text("tiles: [\n", "],[", many, "]")),
        ("cells", text("tiles: [\"", ".", 2 * many, "\"], origin: 7")),
        (
            "numbers for paths",
            format!("Catalogue(format: 1, patterns: [(name: \"a\", kind: Solid, paths: [[{paths}]])])"),
        ),
        ("bodies", replay("bodies", "(),", many)),
        ("checksums", replay("checksums", "(tick:1),", many / 4)),
        ("commands", replay("commands", "(tick:1,do:Despawn(\"\")),", many / 8)),
    ];
    for (name, text) in cases {
        let mut report = None;
        let counted = allocation_counter::measure(|| report = Some(surefoot::check::text(&text)));
        assert!(report.is_some_and(|report| !report.is_ok()), "{name}");
        // Values of properties are larger than their text, up to their limit.
        let base = if name == "numbers" { BASE_AT_LIMITS } else { BASE };
        let limit = 8 * text.len() as u64 + 2 * base / shorter() as u64;
        assert!(counted.bytes_max <= limit, "{name}: {} bytes for a text of {}", counted.bytes_max, text.len());
    }
}

/// Lines of a log with their checksums, after the two lines that a recorder starts with.
fn recording(lines: impl IntoIterator<Item = String>) -> String {
    use surefoot::prelude::*;
    use surefoot::{Map, World};
    let path = std::env::temp_dir().join(format!("surefoot-memory-{}.recording", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let world = World::new(Map::from_ron(r#"Map(format: 1, tiles: ["."])"#).unwrap(), Settings::default());
    drop(Recorder::create(&path, &world, 60).unwrap());
    let mut text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut sum = u32::from_str_radix(&text[text.len() - 9..text.len() - 1], 16).unwrap();
    for line in lines {
        sum = xxhash_rust::xxh64::xxh64(line.as_bytes(), sum.into()) as u32;
        text.push_str(&format!("{line} // {sum:08x}\n"));
    }
    text
}

#[test]
fn recordings_stay_under_a_small_multiple_of_the_file() {
    use surefoot::record::Recording;
    let many = often(60_000, 200_000) as usize;
    let commands: String = repeat_n("Despawn((idx:1,version:1)),", many).collect();
    let cases: [(&str, String, Option<u64>); 6] = [
        ("empty inputs", recording(repeat_n("Inputs(ticks:1,input:[])".to_owned(), many)), Some(many as u64)),
        (
            "long runs",
            recording(["Inputs(ticks:1,input:[])", "Same(ticks:99999999)"].map(str::to_owned)),
            Some(100_000_000),
        ),
        ("commands", recording([format!("Inputs(ticks:1,input:[{commands}])")]), Some(1)),
        ("commands that end early", recording([format!("Inputs(ticks:1,input:[{commands}")]), None),
        ("no state", recording([format!("State(tick:1,bytes:\"{}\")", "7a".repeat(8 * many))]), None),
        ("one line", format!("Recording(format: 1, physics: 1, map: \"{}", "0".repeat(40 * many)), None),
    ];
    for (name, text, ticks) in cases {
        let mut read = None;
        let counted =
            allocation_counter::measure(|| read = Recording::<surefoot::record::Commands>::from_ron(&text).ok());
        assert_eq!(read.map(|read| read.ticks()), ticks, "{name}");
        let limit = FACTOR * text.len() as u64 + (BASE >> 3) * many as u64 / 200_000;
        assert!(counted.bytes_max <= limit, "{name}: {} bytes for a text of {}", counted.bytes_max, text.len());
    }
}

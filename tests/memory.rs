//! Reading a map takes memory in proportion to its file, whatever is in it.

use std::iter::repeat_n;
use surefoot::map::{Map, MapErrorKind};

/// The most bytes that reading takes at a time, beside the text: so many for each byte of it, and these whatever it is.
const FACTOR: u64 = 6;
const BASE: u64 = 32 << 20;

/// Reads a text and gives what came of it and how many bytes were in use at most.
fn read(text: &str) -> (Result<Map, MapErrorKind>, u64) {
    let mut result = None;
    let counted = allocation_counter::measure(|| result = Some(Map::from_ron(text).map_err(|error| error.kind)));
    (result.unwrap(), counted.bytes_max)
}

/// So many copies of a piece in a map's text.
fn text(before: &str, piece: &str, count: usize, after: &str) -> String {
    let pieces: String = repeat_n(piece, count).collect();
    format!("Map(format: 1, {before}{pieces}{after})")
}

#[test]
fn memory_stays_under_a_small_multiple_of_the_file() {
    use MapErrorKind::{
        DuplicateCharacter, NoTiles, RaggedRow, RepeatedMarker, Syntax, TooManyEntries, TooManyMarkers, TooManyValues,
        UnknownCharacter,
    };
    const MANY: usize = 1_000_000;
    let rows = "tiles: [\".\"]";
    let entries: String = ('\u{a1}'..).take(MANY).map(|c| format!("'{c}':\"\",")).collect();
    let names: String = (0..MANY).map(|i| format!("\"{i}\":[],")).collect();
    type Refused = Option<fn(&MapErrorKind) -> bool>;
    let cases: [(&str, String, Refused); 19] = [
        ("cells", text("tiles: [\"", ".", 8 * MANY, "\"]"), None),
        ("rows", text("tiles: [", "\".\",", MANY, "]"), None),
        ("empty rows", text("tiles: [\".\",", "\"\",", MANY, "]"), Some(|e| matches!(e, RaggedRow { .. }))),
        ("unknown", text("tiles: [\"", "q", 8 * MANY, "\"]"), Some(|e| matches!(e, UnknownCharacter { .. }))),
        ("layers", text("layers: [", "(name:\"\",tiles:[]),", MANY, "]"), Some(|_| true)),
        ("drawn", text("tiles: [\"", "@", 1 << 20, "\"]"), None),
        ("drawn too often", text("tiles: [\"", "@", 8 * MANY, "\"]"), Some(|e| matches!(e, TooManyMarkers { .. }))),
        (
            "listed",
            text(&format!("{rows}, markers: {{\"a\": ["), "(0,0),", MANY, "]}"),
            Some(|e| matches!(e, RepeatedMarker { .. })),
        ),
        (
            "listed too often",
            text(&format!("{rows}, markers: {{\"a\": ["), "(0,0),", 2 * MANY, "]}"),
            Some(|e| matches!(e, TooManyMarkers { .. })),
        ),
        (
            "names",
            format!("Map(format: 1, {rows}, markers: {{{names}}})"),
            Some(|e| matches!(e, TooManyMarkers { .. })),
        ),
        ("entries", format!("Map(format: 1, {rows}, legend: {{{entries}}})"), Some(|_| true)),
        (
            "one entry",
            text(&format!("{rows}, legend: {{"), "'a':\"stud\",", MANY, "}"),
            Some(|e| matches!(e, DuplicateCharacter { .. } | TooManyEntries { .. })),
        ),
        (
            "numbers",
            text(&format!("{rows}, properties: {{\"a\": ["), "1,", MANY, "]}"),
            Some(|e| matches!(e, TooManyValues { .. })),
        ),
        ("values", text(&format!("{rows}, properties: {{\"a\": ["), "{\"\":1},", 30_000, "]}"), None),
        (
            "too many values",
            text(&format!("{rows}, properties: {{\"a\": ["), "{\"\":1},", MANY, "]}"),
            Some(|e| matches!(e, TooManyValues { .. })),
        ),
        ("large numbers", text(&format!("{rows}, properties: {{\"a\": ["), "1e300,", 60_000, "]}"), None),
        (
            "nested",
            text(&format!("{rows}, properties: {{\"a\": "), "[", MANY, ""),
            Some(|e| matches!(e, Syntax { .. })),
        ),
        ("a comment", text("/*", "/*", MANY, ""), Some(|e| matches!(e, Syntax { .. }))),
        ("nothing", text("", " ", 8 * MANY, ""), Some(|e| matches!(e, NoTiles))),
    ];
    for (name, text, refused) in cases {
        let (result, bytes) = read(&text);
        let expected = refused.map_or(result.is_ok(), |is| result.as_ref().is_err_and(is));
        assert!(expected, "{name}: {:?}", result.map(|_| ()));
        let limit = FACTOR * text.len() as u64 + BASE;

        assert!(bytes <= limit, "{name}: {bytes} bytes for a text of {}", text.len());
    }
}

#[test]
fn checking_stays_under_eight_times_the_file() {
    const MANY: usize = 1_200_000;
    let rows = "tiles: [\".\"]";
    let replay = |field: &str, piece: &str, count: usize| {
        let pieces: String = repeat_n(piece, count).collect();
        format!("Replay(map: Inline(Map(format: 1, {rows})), {field}: [{pieces}], ticks: 1)")
    };
    let paths: String = repeat_n("1,", MANY).collect();
    let cases = [
        ("numbers for rows", text("tiles: [", "1,", MANY, "]")),
        ("numbers", text(&format!("{rows}, properties: {{\"a\": ["), "1,", MANY, "]}")),
        ("lists", text(&format!("{rows}, markers: {{\"a\": ["), "[],", MANY, "]}")),
        ("pairs", text(&format!("{rows}, markers: {{\"a\": ["), "(0,),", MANY, "]}")),
        ("commas", text("tiles: [", ",", 2 * MANY, "]")),
        ("wrong brackets", text("tiles: [\n", "],[", MANY, "]")),
        ("cells", text("tiles: [\"", ".", 2 * MANY, "\"], origin: 7")),
        (
            "numbers for paths",
            format!("Catalogue(format: 1, patterns: [(name: \"a\", kind: Solid, paths: [[{paths}]])])"),
        ),
        ("bodies", replay("bodies", "(),", MANY)),
        ("checksums", replay("checksums", "(tick:1),", MANY / 4)),
        ("commands", replay("commands", "(tick:1,do:Remove(\"\")),", MANY / 8)),
    ];
    for (name, text) in cases {
        let mut report = None;
        let counted = allocation_counter::measure(|| report = Some(surefoot::check::check_text(&text)));
        assert!(report.is_some_and(|report| !report.is_ok()), "{name}");
        let limit = 8 * text.len() as u64 + 2 * BASE;
        assert!(counted.bytes_max <= limit, "{name}: {} bytes for a text of {}", counted.bytes_max, text.len());
    }
}

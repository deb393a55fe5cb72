//! Loading and checking agree: loading fails exactly if a check reports a mistake, and with the first one reported.

use super::*;
use crate::damage::{MAP, REPLAY, damaged_copies, damaged_copy_count, truncated_copies};
use crate::map::Map;
use crate::replay::Replay;

/// Valid files that use every field, and their kinds.
const GOOD: [(FileKind, &str); 4] = [
    (FileKind::Map, MAP),
    (
        FileKind::Map,
        r#"Map(format: 1, layers: [
    Layer(name: "back", collides: false, tiles: ["....", "===="]),
    (name: "front", tiles: ["@..*", "1234"]),
])
"#,
    ),
    (
        FileKind::Catalogue,
        r#"// Two patterns
Catalogue(
    format: 1,
    patterns: [
        (name: "block", kind: Solid, use: "a \"block\"", paths: [[(0, 16), (16, 16), (16, 0), (0, 0)]]),
        (name: "ramp", kind: Solid, variants: 8, paths: [[(0, 0), (16, 4), (16, 0)]]),
        (name: "rail", kind: Open, paths: [[(0, 8), (8, 8)], [(8, 12), (16, 12)]]),
    ],
)
"#,
    ),
    (FileKind::Replay, REPLAY),
];

/// Returns line, column and message of the error with which loading fails; `None` if the text loads.
fn first_load_error(kind: FileKind, text: &str) -> Option<(u32, u32, String)> {
    fn parts<K: ToString>(error: crate::TextError<K>) -> (u32, u32, String) {
        (error.line, error.column, error.kind.to_string())
    }
    match kind {
        FileKind::Map => Map::from_ron(text).err().map(parts),
        FileKind::Catalogue => Catalogue::from_ron(text).err().map(|errors| {
            let (line, column) = errors[0].position.unwrap();
            (line, column, errors[0].kind.to_string())
        }),
        FileKind::Replay => Replay::from_ron(text).err().map(parts),
    }
}

/// Checks that the report of a text agrees with loading the text. Returns whether the text loads.
fn loads_as_reported(kind: FileKind, text: &str) -> bool {
    let report = check_text(text, Some(kind), None, None);
    let Some((line, column, words)) = first_load_error(kind, text) else {
        assert_eq!(report, Report { kind: Some(kind), ..Report::default() }, "{text}");
        return true;
    };
    // For a wrong tile name, the report marks the wrong word in the name, so its column may differ.
    let matches_load_error = |diagnostic: &&Diagnostic| {
        let is_printable = !words.chars().any(char::is_control);
        diagnostic.line == line
            && (diagnostic.column == column || diagnostic.code == "unknown_tile")
            && (!is_printable || words.starts_with(&diagnostic.message))
    };
    assert!(report.diagnostics.iter().any(|d| matches_load_error(&d)), "{line}:{column} {words}\n{report:?}\n{text}");
    false
}

#[test]
fn loading_a_bad_file_fails_with_a_mistake_of_its_report() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/bad");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        if let Some(kind) = detect_kind(text).filter(|_| path.extension().is_some_and(|extension| extension == "ron")) {
            count += 1;
            assert!(!loads_as_reported(kind, text), "{}", path.display());
        }
    }
    assert!(count >= 60, "{count}");
}

#[test]
fn damaged_files_load_exactly_if_their_report_is_empty() {
    let rounds = damaged_copy_count(500, 1500);
    for (kind, good) in GOOD {
        assert!(loads_as_reported(kind, good));
        let texts = truncated_copies(good).map(|(text, _)| text.to_owned()).chain(damaged_copies(good, rounds));
        let loaded = texts.filter(|text| loads_as_reported(kind, text)).count();
        assert!(loaded > 0, "{kind}");
    }
}

#[test]
fn tiles_of_a_missing_catalogue_are_not_reported() {
    let text = "Map(format: 1, tiles: [\"my\"], catalogue: \"none.ron\", legend: {'m': \"mine\", 'y': \"yours\"})";
    let report = text_as(FileKind::Map, text);
    let found: Vec<_> = report.diagnostics.iter().map(|found| (found.column, found.code.as_str())).collect();
    assert_eq!(found, [(42, "no_folder")], "{report:?}");
}

#[test]
fn a_full_report_still_lists_the_error_of_loading() {
    let rows: String = ('α'..='ω').cycle().take(25 * 20).collect();
    for text in
        [format!("Map(format: 1, tiles: [\"{rows}\"] 7)"), format!("Map(format: 1, tiles: [\"{rows}\"], origin: 7)")]
    {
        assert!(!loads_as_reported(FileKind::Map, &text));
        let report = text_as(FileKind::Map, &text);
        let (line, column, _) = first_load_error(FileKind::Map, &text).unwrap();
        let last = report.diagnostics.last().unwrap();
        assert_eq!((last.line, last.column, report.diagnostics.len()), (line, column, Report::MAX));
    }
}

#[test]
fn the_mark_in_a_text_of_unknown_kind_covers_whole_characters() {
    for (text, length) in
        [("\u{9e}talogue(1", 2), ("\u{feff}\u{1f600}(1)", 4), ("[1]", 1), ("r#\u{2c1}r", 5), ("Level()", 5), ("(1)", 1)]
    {
        let report = super::text(text);
        let marked = &report.diagnostics[0];
        assert!(text.is_char_boundary(marked.span.start), "{text:?}: {marked:?}");
        assert_eq!(marked.span.end - marked.span.start, length, "{text:?}: {marked:?}");
    }
}

#[test]
fn a_text_of_unknown_kind_has_one_mistake_with_advice() {
    // The reader stops at unknown attributes, such as `#![enable(...)]` with an unknown name, before any field.
    for text in ["# A title\n", "###Map(", "#![enable(unwrap_newtypes)]\nLevel()", "#", "Level()", "", "[1, 2]"] {
        let report = super::text(text);
        assert_eq!((report.kind, report.diagnostics.len()), (None, 1), "{text:?}");
        let message = report.diagnostics[0].to_string();
        assert!(message.ends_with("or a replay") || message.contains("; expected "), "{text:?}: {message}");
        assert!(message.contains("not a map, a catalogue or a replay") || text.is_empty(), "{text:?}: {message}");
    }
}

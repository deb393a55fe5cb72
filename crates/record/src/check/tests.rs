//! Loading fails exactly if something is found, with the first of what is found.

use super::*;
use crate::damage::{MAP, REPLAY, cut, damaged, rounds};
use crate::replay::Replay;

/// Files with everything in them, and what they are.
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

/// The error of loading, as far as a report has it: line, column and words.
fn load(kind: FileKind, text: &str) -> Option<(u32, u32, String)> {
    fn told<K: ToString>(error: crate::TextError<K>) -> (u32, u32, String) {
        (error.line, error.column, error.kind.to_string())
    }
    match kind {
        FileKind::Map => Map::from_ron(text).err().map(told),
        FileKind::Catalogue => Catalogue::from_ron(text).err().map(|errors| {
            let (line, column) = errors[0].position.unwrap();
            (line, column, errors[0].kind.to_string())
        }),
        FileKind::Replay => Replay::from_ron(text).err().map(told),
    }
}

/// Holds loading and the report of a text against each other; whether it loads.
fn holds(kind: FileKind, text: &str) -> bool {
    let report = check(text, Some(kind), None, None);
    let Some((line, column, words)) = load(kind, text) else {
        assert_eq!(report, Report { kind: Some(kind), ..Report::default() }, "{text}");
        return true;
    };
    // A report marks a word within a tile's name.
    let tells = |diagnostic: &&Diagnostic| {
        let shown = !words.chars().any(char::is_control);
        diagnostic.line == line
            && (diagnostic.column == column || diagnostic.code == "unknown_tile")
            && (!shown || words.starts_with(&diagnostic.message))
    };
    assert!(report.diagnostics.iter().any(|d| tells(&d)), "{line}:{column} {words}\n{report:?}\n{text}");
    false
}

#[test]
fn loading_fails_with_one_of_the_mistakes_of_each_bad_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/bad");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        if let Some(kind) = kind_of(text).filter(|_| path.extension().is_some_and(|extension| extension == "ron")) {
            count += 1;
            assert!(!holds(kind, text), "{}", path.display());
        }
    }
    assert!(count >= 60, "{count}");
}

#[test]
fn loading_fails_exactly_where_something_is_found() {
    let rounds = rounds(500, 1500);
    for (kind, good) in GOOD {
        assert!(holds(kind, good));
        let texts = cut(good).map(|(text, _)| text.to_owned()).chain(damaged(good, rounds));
        let loaded = texts.filter(|text| holds(kind, text)).count();
        assert!(loaded > 0, "{kind}");
    }
}

#[test]
fn what_a_catalogue_that_is_not_there_would_have_is_not_told() {
    let text = "Map(format: 1, tiles: [\"my\"], catalogue: \"none.ron\", legend: {'m': \"mine\", 'y': \"yours\"})";
    let report = text_as(FileKind::Map, text);
    let told: Vec<_> = report.diagnostics.iter().map(|told| (told.column, told.code.as_str())).collect();
    assert_eq!(told, [(42, "no_folder")], "{report:?}");
}

#[test]
fn what_loading_fails_with_is_listed_among_many_mistakes() {
    let rows: String = ('α'..='ω').cycle().take(25 * 20).collect();
    for text in
        [format!("Map(format: 1, tiles: [\"{rows}\"] 7)"), format!("Map(format: 1, tiles: [\"{rows}\"], origin: 7)")]
    {
        assert!(!holds(FileKind::Map, &text));
        let report = text_as(FileKind::Map, &text);
        let (line, column, _) = load(FileKind::Map, &text).unwrap();
        let last = report.diagnostics.last().unwrap();
        assert_eq!((last.line, last.column, report.diagnostics.len()), (line, column, Report::MAX));
    }
}

#[test]
fn what_is_marked_of_a_text_that_is_none_of_them_is_a_whole_character() {
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
fn a_text_that_is_none_of_them_is_told_so_in_words() {
    // Attributes that are not known, or what looks like some, keep the text from being looked at.
    for text in ["# A title\n", "###Map(", "#![enable(unwrap_newtypes)]\nLevel()", "#", "Level()", "", "[1, 2]"] {
        let report = super::text(text);
        assert_eq!((report.kind, report.diagnostics.len()), (None, 1), "{text:?}");
        let told = report.diagnostics[0].to_string();
        assert!(told.ends_with("or a replay") || told.contains("; expected "), "{text:?}: {told}");
        assert!(told.contains("not a map, a catalogue or a replay") || text.is_empty(), "{text:?}: {told}");
    }
}

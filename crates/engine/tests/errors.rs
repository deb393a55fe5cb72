//! `Debug` of every public error prints its sentence.
#![cfg(feature = "record")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The type that a line declares or implements a trait for.
fn type_after<'t>(line: &'t str, words: &str) -> Option<&'t str> {
    let (_, rest) = line.split_once(words)?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// An error type without a derived `Debug` has one by `debug_is_display`, or by hand.
#[test]
fn debug_of_every_public_error_is_its_display() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for name in ["geometry", "tiles", "physics", "record", "draw", "play"] {
        sources(&crates.join(name).join("src"), &mut files);
    }
    let (mut errors, mut derived, mut by_hand) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let texts: Vec<String> = files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for text in &texts {
        let mut traits: Vec<&str> = Vec::new();
        for line in text.lines() {
            if let Some(list) = line.strip_prefix("#[derive(") {
                traits = list.trim_end_matches(")]").split(", ").collect();
            }
            if let Some(name) = ["pub enum ", "pub struct "].iter().find_map(|&words| type_after(line, words)) {
                if traits.iter().any(|name| name.rsplit("::").next() == Some("Error")) {
                    errors.insert(name);
                }
                if traits.contains(&"Debug") {
                    derived.insert(name);
                }
                traits.clear();
            }
            if line.starts_with("impl") {
                errors.extend(type_after(line, "Error for "));
                by_hand.extend(type_after(line, "Debug for "));
            }
        }
    }
    assert!(errors.len() >= 50, "{errors:?}");
    for name in ["MapErrorKind", "TextError", "PositionError", "DrawError", "PlayError"] {
        assert!(errors.contains(name), "{name} is not found");
    }
    assert_eq!(errors.intersection(&derived).collect::<Vec<_>>(), Vec::<&&str>::new());
    assert_eq!(errors.intersection(&by_hand).collect::<Vec<_>>(), [&"TextError"]);
}

#[test]
fn debug_prints_the_sentence() {
    use surefoot::catalogue::Catalogue;
    use surefoot::map::{Map, MapErrorKind, MarkerError, PropertyError, TileLayerError};
    use surefoot::replay::Replay;

    let map = Map::from_ron("Map(format: 1, tiles: [\"..q\"])").unwrap_err();
    let Err(MapErrorKind::Form(form)) = Map::from_ron("Map(tiles: [\"..\"])").map_err(|error| error.kind) else {
        panic!("a mistake of form")
    };
    let catalogue = Catalogue::from_ron("Catalogue(format: 1, patterns: [])").unwrap_err();
    let replay = Replay::from_ron("Replay(map: File(\"../a\"), ticks: 1)").unwrap_err();
    let errors: [(String, String); 8] = [
        (format!("{map:?}"), map.to_string()),
        (format!("{:?}", map.kind), map.kind.to_string()),
        (format!("{form:?}"), form.to_string()),
        (format!("{:?}", catalogue[0].kind), catalogue[0].kind.to_string()),
        (format!("{:?}", replay.kind), replay.kind.to_string()),
        (format!("{:?}", TileLayerError::Nameless), TileLayerError::Nameless.to_string()),
        (format!("{:?}", MarkerError::Nameless), MarkerError::Nameless.to_string()),
        {
            let error = PropertyError::NotFinite { name: "a".to_owned() };
            (format!("{error:?}"), error.to_string())
        },
    ];
    for (debug, display) in errors {
        assert_eq!(debug, display);
        assert!(display.contains("; expected "), "{display}");
    }
}

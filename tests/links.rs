//! Checks that links between pages of the project have a target.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Finds all pages of the project, except in folders without text of its own.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_string_lossy();
        if entry.is_dir() && !name.starts_with('.') && name != "target" {
            pages(&entry, found);
        } else if name.ends_with(".md") {
            found.push(entry);
        }
    }
}

/// Returns the lines of a page that are not code blocks.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// Returns the targets of links and pictures: `](target)`.
fn targets(page: &str) -> Vec<&str> {
    let parts = prose(page).flat_map(|line| line.split("](").skip(1));
    parts.filter_map(|part| part.split_once(')')).map(|(target, _)| target).collect()
}

/// Returns the anchors of a page's headings, as GitHub creates them.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let headings = prose(page).filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    headings
        .map(|heading| {
            let lower = heading.to_lowercase().replace(' ', "-");
            let anchor: String = lower.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
            let count = counts.entry(anchor.clone()).or_default();
            *count += 1;
            if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
        })
        .collect()
}

/// Returns the broken links of a page.
fn broken(path: &Path, page: &str) -> Vec<String> {
    let is_local = |target: &&str| !target.contains("://") && !target.starts_with("mailto:");
    let is_broken = |target: &&str| {
        let (file, anchor) = target.split_once('#').map_or((*target, None), |(file, anchor)| (file, Some(anchor)));
        let file = if file.is_empty() { path.to_owned() } else { path.parent().unwrap().join(file) };
        match anchor {
            Some(anchor) if file.extension().is_some_and(|extension| extension == "md") => {
                !std::fs::read_to_string(file).is_ok_and(|page| anchors(&page).contains(anchor))
            }
            _ => !file.exists(),
        }
    };
    targets(page).into_iter().filter(is_local).filter(is_broken).map(str::to_owned).collect()
}

#[test]
fn every_link_within_the_project_has_a_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    pages(&root, &mut found);
    assert!(found.len() > 10);
    let mut wrong = Vec::new();
    for path in found {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        let page = std::fs::read_to_string(&path).unwrap();
        wrong.extend(broken(&path, &page).into_iter().map(|target| format!("{name}: {target}")));
    }
    assert!(wrong.is_empty(), "these links lead nowhere:\n{}", wrong.join("\n"));
}

#[test]
fn a_broken_link_is_found() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let page = "# A page: `x`, 1\n## Twice\n## Twice\n[a](Cargo.toml) [b](no.toml) ![c](docs/play.png)\n\
        ```text\n[d](in_code.md)\n```\n[e](https://example.com/x) [f](README.md#licence) [g](README.md#no-such)";
    assert_eq!(broken(&here, page), ["no.toml", "README.md#no-such"]);
    assert_eq!(anchors(page), ["a-page-x-1", "twice", "twice-1"].map(str::to_owned).into());
}

/// Paths are below the sources of the physics unless they begin with a folder of the project.
#[test]
fn the_files_that_the_architecture_names_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    assert!(page.lines().count() <= 120, "ARCHITECTURE.md has more than 120 lines");
    let quoted: Vec<&str> = page.split('`').skip(1).step_by(2).filter(|part| part.ends_with(".rs")).collect();
    assert!(quoted.len() > 30, "{quoted:?}");
    let is_there = |path: &&&str| {
        let is_whole = ["crates/", "tests/", "docs/", "examples/"].iter().any(|folder| path.starts_with(folder));
        let folder = if is_whole { root.clone() } else { root.join("crates/physics/src") };
        folder.join(path).is_file()
    };
    let missing: Vec<_> = quoted.iter().filter(|path| !is_there(path)).collect();
    assert!(missing.is_empty(), "not in the project: {missing:?}");
}

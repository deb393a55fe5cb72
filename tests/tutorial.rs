//! The listings of the tutorial are parts of its programs.

use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../docs/tutorial.md");

/// Largest number of lines that a step may add to the program of the step before, without lines that have only braces.
const MAX_NEW_LINES: usize = 30;

fn file(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/tutorial/src").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// Returns the listings of a language in a part of the page.
fn listings<'a>(part: &'a str, language: &str) -> Vec<&'a str> {
    part.split(&format!("```{language}\n")).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn each_step_shows_what_is_new_in_its_program() {
    // The parts are the text before the first step, eight steps, the recording, and the window of the crate.
    let split = |heading: &'static str| move |part: &'static str| part.split(heading);
    let parts: Vec<&str> =
        PAGE.split("\n## Step ").flat_map(split("\n## Record ")).flat_map(split("\n## Less ")).collect();
    assert_eq!(parts.len(), 11);
    let mut before = String::new();
    for (step, part) in parts.iter().enumerate().skip(1) {
        let program = file(&format!("step_{step}.rs"));
        let shown = listings(part, "rust,ignore");
        for listing in &shown {
            assert!(program.contains(listing), "step {step} has no\n{listing}");
        }
        let is_new = |line: &&str| !before.lines().any(|old| old == *line);
        let new: Vec<&str> = program.lines().filter(is_new).collect();
        for line in &new {
            assert!(
                shown.iter().any(|listing| listing.lines().any(|shown| shown == *line)),
                "step {step} hides {line}"
            );
        }
        let count = new.iter().filter(|line| line.contains(char::is_alphanumeric)).count();
        assert!(count <= MAX_NEW_LINES, "step {step} has {count} new lines");
        before = program;
    }
    let levels = listings(PAGE, "text");
    assert_eq!(levels, [file("level.ron"), file("level_2.ron")]);
}

//! Tests `surefoot solve` as a user runs it.

use crate::folder::{Folder, text};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

/// A step up of two tiles, which a default character jumps, and one of six, which it cannot.
const LOW: &str = r###"Map(format: 1, tiles: ["........", "....*...", "....####", "@...####", "========"])"###;
const HIGH: &str = r###"Map(
    format: 1,
    legend: {'c': (area: (tag: "coin", shape: Circle(0.3)))},
    border: (left: Solid, right: Solid),
    tiles: [
        "......c.",
        "....*###",
        "....####",
        "....####",
        "....####",
        "....####",
        "....####",
        "@c.c####",
        "========",
    ],
)"###;
/// Limits under which a search ends soon.
const FEW: [&str; 2] = ["--max-states", "3000"];

fn json(done: &Output) -> Vec<Value> {
    text(&done.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn solve(folder: &Folder, arguments: &[&str]) -> Output {
    folder.tool(&[&["solve"], arguments, &FEW[..]].concat())
}

#[test]
fn a_found_run_is_a_replay_that_verifies() {
    let folder = Folder::new("solve-found").with("low.ron", LOW);
    let done = solve(&folder, &["low.ron", "-o", "run.replay.ron", "--picture", "run.svg"]);
    assert_eq!((done.status.code(), text(&done.stderr)), (Some(0), ""));
    assert!(text(&done.stdout).starts_with("low.ron: goal reachable in "), "{}", text(&done.stdout));
    let replay = folder.tool(&["replay", "run.replay.ron"]);
    assert!(replay.status.success() && text(&replay.stdout).ends_with(", ok\n"), "{}", text(&replay.stdout));
    let run = folder.read_text("run.replay.ron").expect("a replay");
    assert!(run.contains("hero at goal before "), "{run}");
    // The expectation fails if the goal is elsewhere.
    let moved = folder.with("low.ron", LOW.replace("....*...", ".......*"));
    assert_eq!(moved.tool(&["replay", "run.replay.ron"]).status.code(), Some(1));
    assert!(moved.read_text("run.svg").expect("a picture").contains("class=\"run\""));
}

#[test]
fn a_goal_that_is_too_high_is_not_reachable() {
    let folder = Folder::new("solve-high").with("high.ron", HIGH).with("strong.ron", "(jump_height: 6.5)");
    let done = solve(&folder, &["high.ron", "-o", "run.replay.ron", "--json"]);
    let line = &json(&done)[0];
    assert_ne!(line["answer"], "reachable", "{line}");
    assert_eq!(done.status.code(), Some(if line["answer"] == "unreachable" { 2 } else { 1 }));
    assert_eq!(folder.read_text("run.replay.ron"), None);
    // The stronger character jumps 6.5 tiles high, and the ledge is 6 tiles above the floor.
    let done = solve(&folder, &["high.ron", "--character", "strong.ron"]);
    assert_eq!((done.status.code(), text(&done.stderr)), (Some(0), ""));
}

#[test]
fn several_maps_give_one_line_of_json_each() {
    let folder = Folder::new("solve-list").with_files(&[("low.ron", LOW), ("high.ron", HIGH), ("bad.ron", "Map(")]);
    std::fs::create_dir(folder.0.join("runs")).expect("a folder");
    let done = solve(&folder, &["low.ron", "bad.ron", "high.ron", "none.ron", "-o", "runs", "--inline"]);
    assert_eq!(done.status.code(), Some(3));
    let lines = json(&done);
    let maps: Vec<_> = lines.iter().map(|line| line["map"].as_str().unwrap_or_default()).collect();
    assert_eq!(maps, ["low.ron", "bad.ron", "high.ron", "none.ron"]);
    assert_eq!(
        (&lines[0]["answer"], &lines[1]["answer"], &lines[3]["answer"]),
        (&"reachable".into(), &"mistake".into(), &"mistake".into())
    );
    assert!(text(&done.stderr).starts_with("bad.ron:1:"), "{}", text(&done.stderr));
    assert!(folder.tool(&["replay", "runs/low.replay.ron"]).status.success());
    assert_eq!(folder.read_text("runs/high.replay.ron"), None);
}

#[test]
fn a_survey_counts_things_and_expectations_check_them() {
    let folder = Folder::new("solve-all").with("high.ron", HIGH);
    let done = solve(&folder, &["high.ron", "--all", "--json", "--picture", "all.svg"]);
    let line = &json(&done)[0];
    let things = line["things"].as_array().expect("things");
    let reached = |tag: &str| {
        let of_tag = things.iter().filter(|thing| thing["tag"] == tag || thing["name"] == tag);
        of_tag.map(|thing| thing["answer"] == "reachable").collect::<Vec<_>>()
    };
    assert_eq!((reached("coin"), reached("goal")), (vec![false, true, true], vec![false]));
    // The hero stands in 4 columns, and jumps in them.
    assert!(line["cells"].as_u64().is_some_and(|cells| (8..=32).contains(&cells)), "{line}");
    assert!(folder.read_text("all.svg").expect("a picture").contains("class=\"reached\""));
    let done = solve(&folder, &["high.ron", "--all"]);
    assert!(text(&done.stdout).contains("  coin: 2 of 3 reachable\n"), "{}", text(&done.stdout));

    let check = |lines: &[&str]| {
        let lines: Vec<&str> = lines.iter().flat_map(|line| ["--expect", line]).collect();
        solve(&folder, &[&["high.ron"], &lines[..]].concat())
    };
    let done = check(&["coin reachable 2", "coin reachable 3"]);
    assert_eq!(done.status.code(), Some(1));
    let expected = "high.ron: coin reachable 2: ok (2 of 3 reachable)\n\
                    high.ron: coin reachable 3: failed (2 of 3 reachable)\n";
    assert_eq!(text(&done.stdout), expected);
    assert_eq!(check(&["coin reachable 2"]).status.code(), Some(0));
    assert_eq!(check(&["goal reachable"]).status.code(), Some(1));
    assert_eq!(check(&["key reachable"]).status.code(), Some(3));
}

#[test]
fn wrong_uses_are_refused() {
    let own = LOW.replace(
        "tiles:",
        "bodies: [(name: \"hero\", kind: \"hero\", at: (0.5, 1.45), shape: Aabb(0.3, 0.4), character: ())], tiles:",
    );
    let folder = Folder::new("solve-wrong").with("low.ron", LOW).with("own.ron", own).with("fast.ron", "(walk: 3.0)");
    let cases: [(&[&str], i32, &str); 9] = [
        (&[], 2, "error: the following required arguments"),
        (&["low.ron", "--expect", "goal"], 2, "error: invalid value 'goal' for '--expect <LINE>'"),
        (&["low.ron", "--max-time", "-1"], 2, "error: "),
        (&["low.ron", "--all", "-o", "a.replay.ron"], 2, "error: the argument '--all' cannot be used with"),
        (&["low.ron", "--goal", "key"], 3, "low.ron: the "),
        (&["low.ron", "--start", "door"], 3, "low.ron: the map has no marker \"door\"; see --start"),
        (&["low.ron", "--character", "fast.ron"], 3, "fast.ron:1:"),
        (&["own.ron", "--start", "start"], 3, "own.ron: the map has a body \"hero\" of its own"),
        (&["low.ron", "--picture", "a.jpg"], 3, "a.jpg: the picture format is unknown"),
    ];
    for (arguments, code, words) in cases {
        let done = solve(&folder, arguments);
        assert_eq!(done.status.code(), Some(code), "{arguments:?}");
        assert!(text(&done.stderr).starts_with(words), "{arguments:?}: {}", text(&done.stderr));
    }
    assert_eq!(solve(&folder, &["own.ron"]).status.code(), Some(0));
}

/// Maps whose goal needs more than a default character and the map itself: the fields of the character.
const ABLE: [(&str, &str); 2] = [("ladder", "(climb_speed: 6.0)"), ("pool", "(swim_speed: 5.0, swim_time: 0.2)")];
/// Maps whose goal needs rules of a game (the example `solving` has them), or the abilities or crates of their replays.
const NEED_MORE: [&str; 4] = ["feel", "solve_button", "solve_patrol", "tour"];

#[test]
fn shipped_levels_are_solved_and_their_runs_verify() {
    let maps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    let mut files: Vec<_> = [maps.clone(), maps.join("showcase")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()))
        .filter(|path| path.extension().is_some_and(|end| end == "ron") && !path.to_string_lossy().contains(".replay."))
        .collect();
    files.sort();
    let folder = Folder::new("solve-shipped");
    let folder = ABLE.iter().fold(folder, |folder, (name, text)| folder.with(&format!("{name}.ron"), text));
    let mut solved = 0;
    for file in &files {
        let name = file.file_stem().expect("a name").to_string_lossy();
        let map = surefoot::Map::load(file).expect("a map");
        if NEED_MORE.contains(&&*name) || map.marker("goal").is_none() || map.marker("start").is_none() {
            continue;
        }
        let (path, run) = (file.to_string_lossy(), format!("{name}.replay.ron"));
        let character =
            if ABLE.iter().any(|(able, _)| *able == name) { format!("{name}.ron") } else { "default".into() };
        let done = folder.tool(&["solve", &path, "--inline", "-o", &run, "--character", &character]);
        assert_eq!(done.status.code(), Some(0), "{name}: {}{}", text(&done.stdout), text(&done.stderr));
        assert!(folder.tool(&["replay", &run]).status.success(), "{name}");
        solved += 1;
    }
    assert!(solved >= 15, "{solved}");
}

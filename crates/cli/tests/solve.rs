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
    // With the goal elsewhere, the expectation `hero at goal` fails.
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
    // The stronger character jumps 6.5 tiles high, and the block with the goal is 6 tiles high.
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
    // The hero can walk in 4 columns, and jumps up to a few rows in each.
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

/// The shipped map `name` in `maps/showcase`.
fn showcase(name: &str) -> String {
    format!("{}/../../maps/showcase/{name}.ron", env!("CARGO_MANIFEST_DIR"))
}

/// The jump of 3.2 tiles does not lead out of the chasm of 4 tiles, in the columns 4 to 12. The island is 9 tiles away
/// from the goal, which is too far; the bound does not limit the length of a jump.
#[test]
fn soft_locks_are_listed_and_drawn_with_the_margins_of_the_run() {
    let folder = Folder::new("solve-locks");
    let map = showcase("solve_chasm");
    let done = folder.tool(&["solve", &map, "--all", "--picture", "chasm.svg"]);
    assert_eq!((done.status.code(), text(&done.stderr)), (Some(0), ""));
    let expected = "\n  no way to goal, proven: 9 cells\n    (4, 1) to (12, 1)\
                    \n  no way to goal, suspected: 4 cells\n    (1, 5) to (4, 5)\n  goal in ";
    assert!(text(&done.stdout).contains(expected), "{}", text(&done.stdout));
    let drawn = folder.read_text("chasm.svg").expect("a picture");
    for class in ["reached", "traps", "suspected_traps", "run"] {
        assert!(drawn.contains(&format!("class=\"{class}\"")), "{class}");
    }
    expect_picture(&folder, "chasm.svg");
    let line = &json(&folder.tool(&["solve", &map, "--all", "--json"]))[0];
    let locks = line["soft_locks"].as_array().expect("soft locks");
    let columns = |proven: bool| -> Vec<_> {
        locks.iter().filter(|lock| lock["proven"] == proven).filter_map(|lock| lock["x"].as_i64()).collect()
    };
    assert_eq!((columns(true), columns(false)), ((4..=12).collect(), (1..=4).collect()));

    let few = ["--start", "island", "--max-states", "5000", "--picture", "nearest.svg"];
    let done = folder.tool(&[&["solve", &map], &few[..]].concat());
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stdout));
    expect_picture(&folder, "nearest.svg");
    let coins = showcase("solve_coins");
    let done = folder.tool(&["solve", &coins, "--all", "--max-states", "40000", "--picture", "coins_all.svg"]);
    assert_eq!(done.status.code(), Some(2), "{}", text(&done.stdout));
    expect_picture(&folder, "coins_all.svg");
}

/// The step of two tiles needs a press of jump. Its margin is in the table, in the order of the ticks.
#[test]
fn the_presses_of_the_run_are_listed_with_their_margins() {
    let folder = Folder::new("solve-presses").with("low.ron", LOW);
    let line = &json(&solve(&folder, &["low.ron", "--all", "--json"]))[0];
    let presses = line["presses"].as_array().expect("presses");
    let jumps: Vec<_> = presses.iter().filter(|press| press["button"] == "jump").collect();
    assert!(!jumps.is_empty(), "{line}");
    let ticks = line["ticks"].as_u64().expect("ticks");
    assert!(jumps.iter().all(|jump| jump["tick"].as_u64().is_some_and(|tick| (1..=ticks).contains(&tick))), "{line}");
    let done = solve(&folder, &["low.ron", "--all"]);
    let rows = text(&done.stdout).split_once("tick  button").map_or("", |(_, rows)| rows).lines().count();
    // Two more lines count: the rest of the line with the titles, and the last line, which names the hardest press.
    assert_eq!(rows, 2 + presses.len(), "{}", text(&done.stdout));
    let windows =
        presses.iter().map(|press| 1 + press["early"].as_u64().unwrap_or(0) + press["late"].as_u64().unwrap_or(0));
    let least = windows.min().expect("a press");
    assert_eq!(line["hardest"]["ticks"], least, "{line}");
    let last = text(&done.stdout).lines().last().unwrap_or_default();
    let tick = &line["hardest"]["tick"];
    assert!(last.starts_with(&format!("  hardest: jump in tick {tick}, {least} tick")), "{last}");
}

#[test]
fn wrong_uses_are_refused() {
    let own = LOW.replace(
        "tiles:",
        "bodies: [(name: \"hero\", kind: \"hero\", at: (0.5, 1.45), shape: Aabb(0.3, 0.4), character: ())], tiles:",
    );
    let folder = Folder::new("solve-wrong").with("low.ron", LOW).with("own.ron", own).with("fast.ron", "(walk: 3.0)");
    let cases: [(&[&str], i32, &str); 10] = [
        (&[], 3, "error: the following required arguments"),
        (&["low.ron", "--expect", "goal"], 3, "error: invalid value 'goal' for '--expect <LINE>'"),
        (&["low.ron", "--max-time", "-1"], 3, "error: "),
        (&["low.ron", "--all", "--expect", "goal reachable"], 3, "error: the argument '--all' cannot be used with"),
        (&["low.ron", "--goal-all", "a", "--expect", "a reachable"], 3, "--goal-all does not apply to --expect; use "),
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
    assert_eq!(folder.tool(&["solve", "--help"]).status.code(), Some(0));
    // Other commands keep the exit code of a wrong command line.
    assert_eq!(folder.tool(&["check", "--nothing"]).status.code(), Some(2));
}

/// The run to the goal of a survey and of an expectation is written, with the expectation `hero at goal`.
#[test]
fn the_run_of_a_survey_or_an_expectation_is_written() {
    let folder = Folder::new("solve-written").with("low.ron", LOW);
    let all = solve(&folder, &["low.ron", "--all", "-o", "all.replay.ron", "--json", "--seed", "7"]);
    let line = &json(&all)[0];
    assert_eq!((&line["run"], &line["seed"]), (&"all.replay.ron".into(), &7.into()), "{line}");
    let lines = ["--expect", "sky unreachable", "--expect", "goal reachable"];
    let air = "\"........\", ".repeat(5);
    let sky = LOW.replace("tiles: [", &format!("legend: {{'s': (marker: \"sky\")}}, tiles: [\"s.......\", {air}"));
    let folder = folder.with("sky.ron", sky);
    let some = solve(&folder, &[&["sky.ron", "-o", "some.replay.ron", "--picture", "some.svg"], &lines[..]].concat());
    assert_eq!(text(&some.stderr), "");
    for file in ["all.replay.ron", "some.replay.ron"] {
        let run = folder.read_text(file).expect("a replay");
        assert!(run.contains("hero at goal before "), "{file}: {run}");
        assert!(folder.tool(&["replay", file]).status.success(), "{file}");
    }
    assert!(folder.read_text("some.svg").expect("a picture").contains("class=\"press\""));
}

/// The coins lie 3 tiles to the left of the start and 4 to the right.
#[test]
fn all_coins_are_visited_in_one_run() {
    let rows = r#"tiles: ["........", "o..@...o", "========"]"#;
    let marker = format!("Map(format: 1, legend: {{'o': (marker: \"coin\")}}, {rows})");
    let area = format!("Map(format: 1, legend: {{'o': (area: (tag: \"coin\", shape: Circle(0.3)))}}, {rows})");
    let folder = Folder::new("solve-goal-all").with("marker.ron", marker).with("area.ron", area);
    for map in ["marker.ron", "area.ron"] {
        let done = solve(&folder, &[map, "--goal-all", "coin", "-o", "all.replay.ron"]);
        assert_eq!((done.status.code(), text(&done.stderr)), (Some(0), ""));
        assert!(text(&done.stdout).starts_with(&format!("{map}: all coin reachable in ")), "{}", text(&done.stdout));
        let line = &json(&solve(&folder, &[map, "--goal-all", "coin", "--json"]))[0];
        // The hero walks 3 + 7 tiles at 8 tiles per second, less the half widths of hero and coin at both ends.
        assert!(line["ticks"].as_u64().is_some_and(|ticks| (60..120).contains(&ticks)), "{line}");
        assert!(folder.tool(&["replay", "all.replay.ron"]).status.success());
        assert_eq!(solve(&folder, &[map, "--goal-all", "gem"]).status.code(), Some(3));
    }
}

/// From a pillar of 5 tiles, the hero drops to the coin on either side. The jump of 3.2 tiles does not lead back.
#[test]
fn coins_that_exclude_each_other_are_reachable_but_not_in_one_run() {
    let rows = ["#########", "#...@...#", "#...#...#", "#...#...#", "#...#...#", "#...#...#", "#o..#..o#", "#########"];
    let map = format!("Map(format: 1, legend: {{'o': (marker: \"coin\")}}, tiles: {rows:?})");
    let folder = Folder::new("solve-either").with("either.ron", &map).with("both.ron", map.replace("#...#", "#...."));
    let surveyed = |file: &str| solve(&folder, &[file, "--all", "--goal-all", "coin"]);
    let either = surveyed("either.ron");
    assert_eq!(either.status.code(), Some(1), "{}", text(&either.stderr));
    let words = "\n  coin: 2 of 2 reachable\n  all coin not found: 1 of 2 markers visited; ";
    assert!(text(&either.stdout).contains(words), "{}", text(&either.stdout));
    let both = surveyed("both.ron");
    assert_eq!(both.status.code(), Some(0), "{}", text(&both.stdout));
    assert!(text(&both.stdout).contains("\n  all coin in "), "{}", text(&both.stdout));

    let check = |file: &str, line: &str| {
        let done = solve(&folder, &[file, "--expect", line, "-o", "run.replay.ron"]);
        (done.status.code(), text(&done.stdout).to_owned() + text(&done.stderr))
    };
    let result = |words: &str| words.to_owned() + "\n";
    let all = "all coin reachable";
    assert_eq!(
        check("either.ron", all),
        (Some(1), result("either.ron: all coin reachable: failed (0 of 1 reachable)"))
    );
    assert_eq!(check("both.ron", all), (Some(0), result("both.ron: all coin reachable: ok (1 of 1 reachable)")));
    assert!(folder.tool(&["replay", "run.replay.ron"]).status.success());
    assert_eq!(check("either.ron", "coin reachable 2").0, Some(0));
    let refused = result("both.ron: \"all coin reachable 2\" is about one run; leave out the number");
    assert_eq!(check("both.ron", "all coin reachable 2"), (Some(3), refused));
    // Neither line names a thing of the map.
    let unknown = result("both.ron: the map has no marker and no area \"gem\"; expected one of \"coin\"");
    for line in ["all gem reachable", "gem reachable", "all gem reachable 2"] {
        assert_eq!(check("both.ron", line), (Some(3), unknown.clone()), "{line}");
    }
}

/// The step is 2 tiles high, and the floor on the block of 8 tiles is out of reach. With a belt, nothing is proven.
#[test]
fn floors_out_of_reach_and_the_lack_of_a_proof_are_named() {
    let block = |legend: &str, floor: &str| {
        let rows = [".....##", ".....##", ".....##", ".....##", ".....##", ".....##", "...*###", "@..####", floor];
        let top = ".......".to_owned();
        let rows: Vec<_> = std::iter::once(top).chain(rows.map(str::to_owned)).collect();
        format!("Map(format: 1, border: (left: Solid, right: Solid), {legend} tiles: {rows:?})")
    };
    let belt = block("legend: {'b': (tile: \"full_block\", material: (belt_velocity: 1.0))},", "=b=====");
    let folder = Folder::new("solve-floors").with("plain.ron", block("", "=======")).with("belt.ron", belt);
    let plain = solve(&folder, &["plain.ron", "--all", "--picture", "plain.svg"]);
    let words = "\n  floors out of reach, proven: 2 cells\n    (5, 9) to (6, 9)\n";
    assert!(text(&plain.stdout).contains(words), "{}{}", text(&plain.stdout), text(&plain.stderr));
    assert!(!text(&plain.stdout).contains("nothing is proven"));
    assert!(folder.read_text("plain.svg").expect("a picture").contains("class=\"unreachable_floors\""));
    let belt = solve(&folder, &["belt.ron", "--all"]);
    assert!(text(&belt.stdout).contains("\n  nothing is proven: a tile is a belt; "), "{}", text(&belt.stdout));
    assert!(text(&belt.stdout).contains("\n  floors not reached: 2 cells\n    (5, 9) to (6, 9)\n"));
    // A run to the goal is found, but it may be far longer than the shortest one.
    let run = solve(&folder, &["belt.ron"]);
    let words = " ticks (nothing is proven about the shortest run: a tile is a belt; the bound does not cover belts); ";
    assert!(text(&run.stdout).contains(words), "{}", text(&run.stdout));
    let line = &json(&solve(&folder, &["belt.ron", "--all", "--json"]))[0];
    assert!(line["not_proven"].as_str().is_some_and(|reason| reason.starts_with("a tile is a belt")), "{line}");
    assert_eq!(line["floors"].as_array().map(Vec::len), Some(2), "{line}");
    // The belt is part of the floor on which the hero stands, and the goal is still reachable.
    assert_eq!(line["answer"], "reachable");
}

/// Maps whose pictures are in `docs/solving`.
const DRAWN: [&str; 6] = ["first_steps", "ladder", "lift", "machines", "pool", "solve_flip"];

/// Compares a picture of the guide with the one that the tool has drawn, or writes it with `SUREFOOT_WRITE_SOLVED`.
fn expect_picture(folder: &Folder, file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/solving").join(file);
    let drawn = folder.read_text(file).expect("a picture");
    if std::env::var_os("SUREFOOT_WRITE_SOLVED").is_some() {
        std::fs::write(&path, &drawn).expect("the folder docs/solving");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == drawn, "{file} differs; look at it after SUREFOOT_WRITE_SOLVED=1 cargo test -p surefoot-cli solve");
}

/// Maps whose goal needs more than a default character and the map itself: the fields of the character, or its name.
const ABLE: [(&str, &str); 3] =
    [("feel", "precise"), ("ladder", "(climb_speed: 6.0)"), ("pool", "(swim_speed: 5.0, swim_time: 0.2)")];
/// Maps whose goal needs rules of a game (the example `solving` has them), or the crates of its replay (the tests of
/// `surefoot-search` have them).
const NEED_MORE: [&str; 3] = ["solve_button", "solve_patrol", "tour"];

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
        let character = match ABLE.iter().find(|(able, _)| *able == name) {
            Some((_, fields)) if fields.starts_with('(') => format!("{name}.ron"),
            Some((_, preset)) => (*preset).to_owned(),
            None => "default".to_owned(),
        };
        let picture = format!("{}.svg", name.trim_start_matches("solve_"));
        let mut arguments = vec!["solve", &path, "--inline", "-o", &run, "--character", &character];
        let is_drawn = DRAWN.contains(&&*name);
        if is_drawn {
            arguments.extend(["--picture", &picture]);
        }
        let done = folder.tool(&arguments);
        assert_eq!(done.status.code(), Some(0), "{name}: {}{}", text(&done.stdout), text(&done.stderr));
        if is_drawn {
            expect_picture(&folder, &picture);
        }
        assert!(folder.tool(&["replay", &run]).status.success(), "{name}");
        solved += 1;
    }
    assert!(solved >= 15, "{solved}");
}

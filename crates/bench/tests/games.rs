//! The small game of `games/rules.md`: every version wins its level, and `docs/comparison.md` has the lines of each.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The versions with their files of code. Inputs are in `NAME.txt`.
const VERSIONS: [(&str, &[&str]); 6] = [
    ("surefoot", &["surefoot.rs", "surefoot.ron"]),
    ("rapier", &["rapier.rs"]),
    ("box2d", &["box2d.rs"]),
    ("avian", &["avian.rs"]),
    ("bump", &["bump.lua"]),
    ("godot", &["godot.gd"]),
];

/// The comments `part: NAME` of the files, with the words of the table.
const PARTS: [(&str, &str); 5] = [
    ("level", "level: cells, slopes, one-way floors"),
    ("motion", "motion: the hero"),
    ("platform", "moving platform"),
    ("rules", "rules: coins, spikes, goal"),
    ("program", "imports, inputs, printing"),
];

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(file)
}

fn read(file: &str) -> String {
    std::fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Returns the rows of the map of surefoot.
fn rows(map: &str) -> impl Iterator<Item = &str> {
    map.lines().filter_map(|line| line.trim().strip_prefix("r\"")?.strip_suffix("\","))
}

/// Counts the lines of code of each part. Comments, blank lines and the rows of the level do not count.
fn lines_of_parts(text: &str) -> BTreeMap<&str, usize> {
    let (mut counts, mut part) = (BTreeMap::new(), "none");
    for line in text.lines().map(str::trim) {
        let comment = ["//", "--", "# "].into_iter().find_map(|marker| line.strip_prefix(marker));
        if let Some(name) = comment.and_then(|comment| comment.trim().strip_prefix("part: ")) {
            part = name;
        } else if comment.is_none() && !line.is_empty() && rows(line).next().is_none() {
            *counts.entry(part).or_default() += 1;
        }
    }
    counts
}

#[test]
fn lines_are_counted_by_parts() {
    let text =
        "//! About.\n\n// part: level\nlet a = 1; // one\n\n    // two\n    r\"..#\",\n-- part: rules\nb\n#[c]\n# d\n";
    assert_eq!(lines_of_parts(text), BTreeMap::from([("level", 1), ("rules", 2)]));
    assert_eq!(lines_of_parts("d\n// part: level\n"), BTreeMap::from([("none", 1)]));
}

#[test]
fn the_page_has_the_lines_of_each_version() {
    let texts = VERSIONS.map(|(_, files)| files.iter().map(|file| read(file)).collect::<String>());
    let counts = texts.each_ref().map(|text| lines_of_parts(text));
    for (counts, (name, _)) in counts.iter().zip(VERSIONS) {
        let all_known = counts.keys().all(|key| PARTS.iter().any(|(part, _)| part == key));
        assert!(all_known, "{name} has lines outside of the parts: {counts:?}");
    }
    let row = |title: &str, cells: [usize; 6]| format!("| {title} | {} |\n", cells.map(|n| n.to_string()).join(" | "));
    let mut table =
        "| lines of code | surefoot | rapier2d | Box2D | avian, tnua | bump | Godot |\n|---|--:|--:|--:|--:|--:|--:|\n"
            .to_owned();
    for (part, title) in PARTS {
        table += &row(title, counts.each_ref().map(|counts| counts.get(part).copied().unwrap_or(0)));
    }
    table += &row("all", counts.each_ref().map(|counts| counts.values().sum()));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/comparison.md");
    let page = std::fs::read_to_string(page).expect("the page");
    assert!(page.contains(&table), "docs/comparison.md lacks this table:\n{table}");
}

#[test]
fn all_versions_have_the_same_level() {
    assert!(rows(&read("surefoot.ron")).eq(read("level.txt").lines()));
}

/// Returns the command that plays a version. bump.lua itself is not in the repository: `SUREFOOT_BUMP` is its folder.
/// avian's version is a package of its own, in `avian`, because it needs a newer Rust: `SUREFOOT_AVIAN` is its program.
///
/// # Errors
/// Returns what is missing.
fn command(name: &str) -> Result<Command, &'static str> {
    let inputs = path(&format!("{name}.txt"));
    let mut command = match name {
        "surefoot" => Command::new(env!("CARGO_BIN_EXE_game_surefoot")),
        "rapier" => Command::new(env!("CARGO_BIN_EXE_game_rapier")),
        #[cfg(feature = "box2d")]
        "box2d" => Command::new(env!("CARGO_BIN_EXE_game_box2d")),
        "avian" => {
            Command::new(std::env::var("SUREFOOT_AVIAN").map_err(|_| "SUREFOOT_AVIAN, the program of avian.rs,")?)
        }
        "bump" => {
            let folder = std::env::var("SUREFOOT_BUMP").map_err(|_| "SUREFOOT_BUMP, the folder of bump.lua")?;
            let mut lua = Command::new("lua5.4");
            lua.env("LUA_PATH", format!("{folder}/?.lua")).arg(path("bump.lua")).arg(path("level.txt"));
            lua
        }
        "godot" => {
            Command::new("godot3-server").arg("--version").output().map_err(|_| "godot3-server")?;
            let mut godot = Command::new("godot3-server");
            // Godot writes logs into its working folder.
            godot.current_dir(env!("CARGO_TARGET_TMPDIR"));
            godot.args(["--fixed-fps", "60", "-s"]).arg(path("godot.gd"));
            godot.arg(format!("--level={}", path("level.txt").display()));
            godot.arg(format!("--inputs={}", inputs.display()));
            return Ok(godot);
        }
        _ => return Err("the feature `box2d`"),
    };
    command.arg(inputs);
    Ok(command)
}

/// Each run dies once, in the spikes, and takes all three coins. It ends where the hero's box overlaps the goal, the
/// cell (57, 5), before its inputs end.
#[test]
fn every_version_wins() {
    for (name, _) in VERSIONS {
        let mut command = match command(name) {
            Ok(command) => command,
            Err(missing) => {
                // Unlike `eprintln!`, this is shown for a test that passes too.
                let _ = writeln!(std::io::stderr(), "the small game: {name} is skipped, as {missing} is missing");
                continue;
            }
        };
        let output = command.output().unwrap_or_else(|error| panic!("{name}: {error}"));
        let printed = String::from_utf8(output.stdout).expect("a text");
        // Godot prints its version first.
        let facts = printed.lines().last().unwrap_or_default();
        let rest = facts.strip_prefix("goal true, coins 3, deaths 1, time ");
        let rest = rest.unwrap_or_else(|| panic!("{name}: {facts}{}", String::from_utf8_lossy(&output.stderr)));
        let numbers: Vec<f64> = rest
            .split(|c: char| !c.is_ascii_digit() && c != '.')
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().expect("a number"))
            .collect();
        let [time, x, y] = numbers[..] else { panic!("{name}: {facts}") };
        let inputs = read(&format!("{name}.txt"));
        let ticks = inputs.lines().filter_map(|line| line.split(' ').next()?.parse::<u32>().ok());
        let all = f64::from(ticks.sum::<u32>()) / 60.0;
        // The hero runs from x = 2.5 to the goal at 57, at 8 tiles per second.
        assert!((x - 57.5).abs() < 0.86 && (y - 5.5).abs() < 0.96, "{name}: {facts}");
        assert!(time > 54.0 / 8.0 && time < all + 0.01, "{name}: {facts}");
    }
}

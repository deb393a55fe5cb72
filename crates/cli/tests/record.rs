//! Tests `surefoot record` as a user runs it.

use crate::folder::{Folder, text};
use std::path::Path;

/// The goal is eight tiles from the start: one second, and less than a quarter more for speeding up and slowing down.
const MAP: &str = "Map(format: 1, tiles: [\".@.......*.\", \"###########\"])\n";
const SCRIPT: &str = "# along the floor\n64 right\n20 # and stop\nat goal\n";

#[test]
fn a_script_becomes_a_replay_that_runs_as_recorded() {
    let folder = Folder::new("record-script").with("maps/a.ron", MAP).with("a.input", SCRIPT);
    let record = ["record", "maps/a.ron", "--input", "a.input", "-o", "a.replay.ron"];
    let done = folder.tool(&record);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let line = text(&done.stdout);
    assert!(line.starts_with("a.replay.ron: 84 ticks, goal reached at tick "), "{line}");
    let replay = folder.read_text("a.replay.ron").expect("the replay");
    assert!(replay.contains("File(\"maps/a.ron\")"), "{replay}");
    // The hero is on the floor at y = 1, in the middle of the start's cell.
    assert!(replay.contains("shape: Aabb(0.35, 0.45), at: At(1.5, 1.45)"), "{replay}");
    assert!(text(&folder.tool(&["replay", "a.replay.ron"]).stdout).trim_end().ends_with(", ok"));

    // Without `--force`, an existing file is not overwritten.
    std::fs::write(folder.0.join("a.replay.ron"), "mine").expect("a file");
    let done = folder.tool(&record);
    assert_eq!(done.status.code(), Some(1));
    assert_eq!(text(&done.stderr), "a.replay.ron: the file exists already; --force overwrites it\n");
    assert_eq!(folder.read_text("a.replay.ron").as_deref(), Some("mine"));
    assert!(folder.tool(&[&record[..], &["--force"]].concat()).status.success());
    assert_eq!(folder.read_text("a.replay.ron"), Some(replay));
}

/// The replay has the ticks that the conditions took. The hero speeds up evenly for 8 ticks: it is (8 k - 32) / 60
/// tiles further after k ticks, so 27 for more than 3 tiles.
#[test]
fn conditions_of_a_script_become_ticks_of_the_replay() {
    let folder = Folder::new("record-until").with("maps/a.ron", MAP).with("a.input", "right until x > 4.5\n5\n");
    let done = folder.tool(&["record", "maps/a.ron", "--input", "a.input", "-o", "a.replay.ron"]);
    assert!(text(&done.stdout).starts_with("a.replay.ron: 32 ticks, "), "{}", text(&done.stderr));
    let replay = folder.read_text("a.replay.ron").expect("the replay");
    assert!(replay.contains("(ticks: 27, walk: 127)"), "{replay}");
    assert!(text(&folder.tool(&["replay", "a.replay.ron"]).stdout).trim_end().ends_with(", ok"));
}

#[test]
fn the_hero_and_the_world_follow_the_arguments() {
    let folder = Folder::new("record-flags").with("maps/a.ron", MAP).with("a.input", "10 right\n");
    let flags = ["--inline", "--hero", "circle:0.25", "--start", "goal", "--goal", "start", "--walk-speed", "6"];
    let more = ["--jump-height", "2.5", "--gravity", "30", "--tick", "0.01", "--every", "5"];
    let record = ["record", "maps/a.ron", "-i", "a.input", "-o", "a.replay.ron"];
    let done = folder.tool(&[&record[..], &flags, &more].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stdout).starts_with("a.replay.ron: 10 ticks, start not reached, the hero ends at (9."));
    let replay = folder.read_text("a.replay.ron").expect("the replay");
    for part in [
        "Inline(",
        "Circle(0.25)",
        "At(9.5, 1.25)",
        "walk_speed: 6.0",
        "jump_height: 2.5",
        "tick: 0.01",
        "(0.0, -30.0)",
    ] {
        assert!(replay.contains(part), "{part}: {replay}");
    }
    assert_eq!(replay.matches("state: ").count(), 2);
}

#[test]
fn mistakes_are_reported_and_nothing_is_written() {
    let high = "Map(format: 1, tiles: [\"@*\", \"..\"])\n";
    let files = [
        ("maps/a.ron", MAP),
        ("maps/high.ron", high),
        ("maps/own.ron", "Map(format: 1, catalogue: \"tiles.ron\", tiles: [\"@\", \"#\"])"),
        ("maps/tiles.ron", include_str!("../../../assets/patterns.ron")),
        ("a.input", SCRIPT),
        ("typo.input", "60 right\n5 rihgt\n"),
        ("early.input", "30 right\nat goal\n"),
        ("until.input", "30 right until x > 9\n"),
        ("door.input", "30 right\nat gaol\n"),
        ("empty.input", "# nothing\n"),
    ];
    let folder = Folder::new("record-wrong").with_files(&files);
    let cases: [(&[&str], i32, &str); 11] = [
        (&["maps/a.ron", "-i", "typo.input"], 1, "typo.input:2:3: unknown input \"rihgt\"; did you mean `right`?"),
        (&["maps/a.ron", "-i", "early.input"], 1, "early.input:2:4: after 30 ticks the body is at ("),
        (
            &["maps/a.ron", "-i", "door.input"],
            1,
            "door.input:2:4: the map has no marker \"gaol\"; did you mean `goal`?",
        ),
        (
            &["maps/a.ron", "-i", "until.input"],
            1,
            "until.input:1:16: `x > 9` does not hold within 30 ticks: the body is",
        ),
        (&["maps/a.ron", "-i", "empty.input"], 1, "empty.input: the script has no ticks"),
        (&["maps/a.ron", "-i", "none.input"], 1, "none.input: "),
        (&["maps/none.ron", "-i", "a.input"], 1, "maps/none.ron: "),
        (&["maps/high.ron", "-i", "a.input"], 1, "maps/high.ron: the hero cannot stand below the marker \"start\""),
        (&["maps/a.ron", "-i", "a.input", "--start", "door"], 1, "maps/a.ron: the map has no marker \"door\""),
        (
            &["maps/a.ron", "-i", "a.input", "--goal", "nowhere"],
            1,
            "maps/a.ron: the map has no marker \"nowhere\"; see --goal",
        ),
        (
            &["maps/own.ron", "-i", "a.input", "--inline"],
            1,
            "maps/own.ron: a map with its own catalogue cannot be copied into a replay; leave out --inline",
        ),
    ];
    folder.expect_refusals("record", "a.replay.ron", &cases);
    // A replay cannot name a map outside its folder.
    std::fs::create_dir(folder.0.join("other")).expect("a folder");
    let done = folder.tool(&["record", "maps/a.ron", "-i", "a.input", "-o", "other/a.replay.ron"]);
    assert!(
        text(&done.stderr).starts_with("other/a.replay.ron: the map maps/a.ron is outside the replay's folder"),
        "{}",
        text(&done.stderr)
    );
    let done = folder.tool(&["record", "maps/a.ron", "-i", "a.input", "-o", "b", "--hero", "box:0.35"]);
    assert!(text(&done.stderr).contains("expected box:0.35x0.45"), "{}", text(&done.stderr));
    for (flag, words) in [
        ("--walk-speed", "expected 0 to 1000000000"),
        ("--jump-height", "expected 0 to 1000000000"),
        ("--tick", "expected 0.000001 to 1"),
    ] {
        let done = folder.tool(&["record", "maps/a.ron", "-i", "a.input", "-o", "b", flag, "-3"]);
        assert_eq!(done.status.code(), Some(2));
        let error = text(&done.stderr);
        assert!(error.contains(words) && error.contains("invalid value '-3'"), "{error}");
    }
}

#[test]
fn expectations_of_a_script_are_written_if_they_are_met() {
    let folder = Folder::new("record-expect").with("maps/a.ron", MAP);
    let record = |line: &str| {
        std::fs::write(folder.0.join("a.input"), format!("64 right\n20\nexpect {line}\n")).expect("a script");
        let done = folder.tool(&["record", "maps/a.ron", "-i", "a.input", "-o", "a.replay.ron", "--force"]);
        (done.status.success(), text(&done.stderr).to_owned())
    };
    assert_eq!(record("hero at goal before 84"), (true, String::new()));
    let replay = folder.read_text("a.replay.ron").expect("the replay");
    assert!(replay.contains("expect: [\n        \"hero at goal before 84\",\n    ]"), "{replay}");
    for (line, told) in [
        (
            "hero at goal before 40",
            "a.input:3:8: expected `hero at goal before 40`; found the body there first after tick ",
        ),
        ("hreo on_floor at 3", "a.input:3:8: the replay has no body \"hreo\"; did you mean `hero`?"),
    ] {
        let (good, error) = record(line);
        assert!(!good && error.contains(told), "{error}");
    }
    assert_eq!(folder.read_text("a.replay.ron").as_ref(), Some(&replay), "nothing is written");
}

/// The shipped replay of the highlands matches its script.
#[test]
fn the_shipped_script_gives_the_shipped_replay() {
    let maps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    let shipped = |name: &str| std::fs::read_to_string(maps.join(name)).expect("a shipped file");
    let files = [("h.input", &*shipped("highlands.input")), ("highlands.ron", &*shipped("highlands.ron"))];
    let folder = Folder::new("record-shipped").with_files(&files);
    let done = folder.tool(&["record", "highlands.ron", "-i", "h.input", "-o", "h.replay.ron"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(folder.read_text("h.replay.ron").as_deref() == Some(&*shipped("highlands.replay.ron")), "record it anew");
}

#[test]
fn positions_are_written_on_request_and_name_a_diverged_hero() {
    let folder = Folder::new("record-positions").with("maps/a.ron", MAP).with("a.input", "12 right\n3\n");
    let record = ["record", "maps/a.ron", "-i", "a.input", "--inline", "--every", "5"];
    for arguments in [&["-o", "plain.ron"][..], &["-o", "positions.ron", "--positions"]] {
        let done = folder.tool(&[&record[..], arguments].concat());
        assert!(done.status.success(), "{}", text(&done.stderr));
    }
    let [plain, positions] = ["plain.ron", "positions.ron"].map(|name| folder.read_text(name).expect("the replay"));
    assert_eq!(plain.matches("positions: ").count(), 0);
    assert_eq!((positions.matches("positions: {").count(), positions.matches("\"hero\": (").count()), (3, 3));
    assert!(text(&folder.tool(&["replay", "positions.ron"]).stdout).trim_end().ends_with(", ok"));

    // The changed input has a target speed of 100 / 127 of 8 tiles per second. The hero gains 1 tile per second in each
    // tick, so it falls behind in the seventh tick. The state also contains the input, so it differs from the first
    // tick on.
    std::fs::write(folder.0.join("positions.ron"), positions.replace("walk: 127", "walk: 100")).expect("a file");
    let done = folder.tool(&["replay", "positions.ron"]);
    let lines: Vec<&str> = text(&done.stdout).lines().collect();
    assert!(lines[0].starts_with("positions.ron: the state differs after tick 5: "), "{lines:?}");
    assert!(lines[1].starts_with("positions.ron: after tick 10 the body \"hero\" is at ("), "{lines:?}");
}

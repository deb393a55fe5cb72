//! Tests `surefoot link`, and `surefoot replay` with links.

use crate::folder::{Folder, text};
use std::path::Path;
use surefoot::replay::Replay;

/// Runs of shipped maps that all take less than two minutes, and their lengths in characters at most: with the name of
/// the map, and with the map.
const RUNS: [(&str, usize, usize); 3] = [("first_steps", 2000, 8000), ("zoo", 2000, 8000), ("highlands", 2000, 8000)];

/// Creates a folder with the runs and their maps. `name`: that of the folder.
fn shipped(name: &str) -> Folder {
    let maps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    RUNS.iter().fold(Folder::new(name), |folder, (name, ..)| {
        let read = |ending: &str| std::fs::read(maps.join(format!("{name}{ending}"))).expect("a shipped file");
        folder.with(&format!("{name}.ron"), read(".ron")).with(&format!("{name}.replay.ron"), read(".replay.ron"))
    })
}

/// Returns the line of `surefoot replay` without the name.
fn replayed(folder: &Folder, arguments: &[&str]) -> String {
    let done = folder.tool(&[&["replay"], arguments].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    text(&done.stdout).split_once(": ").expect("a name").1.to_owned()
}

#[test]
fn a_run_in_a_link_is_the_run_of_the_file() {
    let folder = shipped("link");
    for (name, most_by_name, most) in RUNS {
        let file = format!("{name}.replay.ron");
        let expected = replayed(&folder, &[&file]);
        let link = |arguments: &[&str]| {
            let done = folder.tool(&[&["link", &file], arguments].concat());
            assert!(done.status.success(), "{}", text(&done.stderr));
            text(&done.stdout).to_owned()
        };
        let (by_name, whole) = (link(&["--by-name"]), link(&["--page", "https://example.org/play/"]));
        println!("{name}: {} characters with the name of the map, {} with the map", by_name.len(), whole.len());
        assert!(whole.starts_with(&format!("https://example.org/play/#{file}=")), "{whole}");
        assert!(by_name.len() < most_by_name && whole.len() < most, "{name}: {} {}", by_name.len(), whole.len());
        assert_eq!(replayed(&folder, &[&by_name]), expected);
        assert_eq!(replayed(&folder, &[&whole]), expected);

        // The link may also be in a file, and the map in another folder.
        let folder = Folder::new(&format!("link-{name}")).with("sub/run.txt", &by_name);
        let maps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
        assert_eq!(replayed(&folder, &["sub/run.txt", "--maps", maps.to_str().expect("a path")]), expected);
        let without = folder.tool(&["replay", "sub/run.txt"]);
        assert!(text(&without.stderr).contains(&format!("sub/{name}.ron: ")), "{}", text(&without.stderr));
    }
}

#[test]
fn checksums_in_a_link_are_those_of_the_file_ten_seconds_apart() {
    let folder = shipped("link-checksums");
    folder.tool(&["link", "zoo.replay.ron", "-o", "zoo.link"]);
    folder.tool(&["link", "zoo.link", "-o", "again.replay.ron"]);
    let [before, after] =
        ["zoo.replay.ron", "again.replay.ron"].map(|name| Replay::load(folder.0.join(name)).expect("a replay"));
    let sums = |replay: &Replay, all: bool| {
        let last = replay.ticks();
        let kept = replay.checksums().iter().filter(|sum| all || sum.tick % 600 == 0 || sum.tick == last);
        kept.map(|sum| (sum.tick, sum.state)).collect::<Vec<_>>()
    };
    assert_eq!(sums(&after, true), sums(&before, false));
    assert!(after.checksums().len() > 2 && after.ticks() == before.ticks());
    assert_eq!((after.map(), after.recording().runs()), (before.map(), before.recording().runs()));
}

/// The game is not in the link, which is short: 134 s of play need fewer characters than 2,000, the limit
/// for one minute on a map.
#[test]
fn the_recording_of_a_game_becomes_a_link() {
    let recording = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/citadel/best.recording");
    let folder = Folder::new("link-game").with("best.recording", std::fs::read(recording).expect("a shipped file"));
    let written = |folder: &Folder, arguments: &[&str]| {
        let done = folder.tool(arguments);
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stdout).trim().to_owned()
    };
    let link = written(&folder, &["link", "best.recording"]);
    assert!(link.starts_with("#best.run.ron=") && link.len() < 2000, "{}: {link}", link.len());
    let run = written(&folder, &["link", &link]);
    // In the recording, the first input lasts 59 ticks.
    assert!(run.contains("inputs:[(59,([(walk:127,"), "{run}");
    // A run that the page has saved makes the same link.
    let folder = folder.with("best.run.ron", &run);
    assert_eq!(written(&folder, &["link", "best.run.ron"]), link);
    let done = folder.tool(&["replay", &link]);
    assert_eq!(done.status.code(), Some(1));
    let expected = "best.run.ron is the run of a game with rules of its own";
    assert!(text(&done.stderr).contains(expected), "{}", text(&done.stderr));
}

#[test]
fn wrong_links_and_runs_are_refused_in_words() {
    let folder = shipped("link-refused")
        .with("inline.replay.ron", "Replay(map: Inline(Map(format: 1, tiles: [\"@\"])), ticks: 9)");
    let whole = text(&folder.tool(&["link", "zoo.replay.ron"]).stdout).trim().to_owned();
    let cut = &whole[..whole.len() - 40];
    for (arguments, expected) in [
        (&["replay", cut][..], "the link is "),
        (&["replay", "#zoo.replay.ron"], "the link only names zoo.replay.ron"),
        (&["link", "#zoo.replay.ron"], "the link only names zoo.replay.ron"),
        (&["replay", "#none.replay.ron=y0jNyckHAA"], "none.replay.ron:1:1: "),
        (&["link", "zoo.ron"], "zoo.ron:"),
        (&["link", "none.replay.ron"], "none.replay.ron: "),
        (&["link", "inline.replay.ron", "--by-name"], "inline.replay.ron: the replay contains its map"),
    ] {
        let done = folder.tool(arguments);
        assert_eq!(done.status.code(), Some(1), "{arguments:?}");
        assert!(text(&done.stderr).starts_with(expected), "{arguments:?}: {}", text(&done.stderr));
    }
    // For a run of another version of the physics, the tool names both versions.
    let other = String::from_utf8(folder.read("zoo.replay.ron")).expect("text").replace("physics: 1,", "physics: 2,");
    let folder = folder.with("other.replay.ron", &other);
    let link = text(&folder.tool(&["link", "other.replay.ron"]).stdout).trim().to_owned();
    let done = folder.tool(&["replay", &link]);
    assert!(
        text(&done.stdout).contains("recorded with physics version 2, this is version 1"),
        "{}",
        text(&done.stdout)
    );
}

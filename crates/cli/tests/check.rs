//! Tests `surefoot check` as a user runs it, with the corpus of bad files in `tests/bad`.
//!
//! Next to each `x.ron` is `x.txt` with the expected output, which was read and compared with the file by a person.
//! `SUREFOOT_WRITE_BAD=1` writes the expected files instead of comparing them. Read the changes before committing them.

use crate::folder::{Folder, text};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bad")
}

/// Returns the sorted names of the bad files.
fn names() -> Vec<String> {
    let entries = std::fs::read_dir(corpus()).expect("the corpus");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a name"))
        .filter(|name| name.ends_with(".ron"))
        .collect();
    names.sort_unstable();
    names
}

fn tool(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
    command.arg("check").args(arguments).current_dir(folder);
    for variable in ["CLICOLOR", "CLICOLOR_FORCE", "NO_COLOR"] {
        command.env_remove(variable);
    }
    command
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    tool(folder, arguments).output().expect("the tool runs")
}

/// Returns the differing lines of two texts around the first difference.
fn difference(expected: &str, found: &str) -> String {
    let same = expected.lines().zip(found.lines()).take_while(|(a, b)| a == b).count();
    let rest = |text: &str, mark: &str| -> String {
        text.lines().skip(same).take(12).map(|line| format!("{mark}{line}\n")).collect()
    };
    format!("from line {} on\n{}{}", same + 1, rest(expected, "-"), rest(found, "+"))
}

#[test]
fn every_bad_file_gets_its_errors() {
    let write = std::env::var_os("SUREFOOT_WRITE_BAD").is_some_and(|value| value == "1");
    let names = names();
    assert!(names.len() >= 60, "{} files", names.len());
    let mut wrong = String::new();
    for name in &names {
        let done = check(&corpus(), &[name]);
        assert_eq!((done.status.code(), text(&done.stderr)), (Some(1), ""), "{name}");
        let path = corpus().join(name).with_extension("txt");
        if write {
            std::fs::write(&path, &done.stdout).expect("the expected text is written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        if expected != text(&done.stdout) {
            wrong += &format!("{name}: {}\n", difference(&expected, text(&done.stdout)));
        }
    }
    assert!(wrong.is_empty(), "what is printed differs from what was expected:\n{wrong}");
    let expected = std::fs::read_dir(corpus()).expect("the corpus").count();
    assert_eq!(expected, 2 * names.len(), "a file without the other of its pair");
}

#[test]
fn json_output_has_the_same_mistakes() {
    for name in names() {
        let (plain, json) = (check(&corpus(), &[&name]), check(&corpus(), &["--json", &name]));
        assert_eq!(json.status.code(), Some(1), "{name}");
        let source = std::fs::read(corpus().join(&name)).expect("a bad file");
        let positions: Vec<&str> =
            text(&plain.stdout).lines().filter_map(|line| line.trim_start().strip_prefix("--> ")).collect();
        let mut found = Vec::new();
        for line in text(&json.stdout).lines() {
            let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(object["file"], name.as_str());
            if object["line"].is_null() {
                assert!(object["more"].is_u64() || object["code"] == "unreadable", "{line}");
                continue;
            }
            found.push(format!("{name}:{}:{}", object["line"], object["column"]));
            let number = |field: &str| object[field].as_u64().expect("a number") as usize;
            assert!(
                number("start") <= number("end") && number("end") <= source.len() && number("length") >= 1,
                "{line}"
            );
            assert!(object["code"].as_str().is_some_and(|code| !code.is_empty()), "{line}");
            // The byte offset matches the line and column.
            let before = text(&source[..number("start")]);
            let lines = before.matches('\n').count() + 1;
            let mark = usize::from(before.starts_with('\u{feff}') && lines == 1);
            let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1 - mark;
            assert_eq!((number("line"), number("column")), (lines, column), "{line}");
        }
        assert_eq!(found, positions, "{name}");
    }
}

const GOOD: &[u8] = b"Map(format: 1, tiles: [\"....\"])";

#[test]
fn good_files_are_reported_as_good() {
    let replay = b"Replay(map: File(\"map.ron\"), ticks: 3)";
    let catalogue = include_bytes!("../../../assets/patterns.ron");
    let folder = Folder::new("check-good").with("map.ron", GOOD).with("run.ron", replay).with("tiles.ron", catalogue);
    let done = check(&folder.0, &["map.ron", "run.ron", "tiles.ron"]);
    assert!(done.status.success());
    assert_eq!(text(&done.stdout), "map.ron: ok (map)\nrun.ron: ok (replay)\ntiles.ron: ok (catalogue)\n");
    let done = check(&folder.0, &["--json", "map.ron"]);
    assert_eq!((done.status.code(), text(&done.stdout)), (Some(0), ""));
}

#[test]
fn one_bad_file_among_good_ones_fails() {
    let folder = Folder::new("check-among").with("a.ron", GOOD).with("b.ron", "Map(").with("c.ron", GOOD);
    let done = check(&folder.0, &["a.ron", "b.ron", "c.ron"]);
    assert_eq!(done.status.code(), Some(1));
    let lines: Vec<&str> = text(&done.stdout).lines().collect();
    assert_eq!((lines[0], lines[lines.len() - 1]), ("a.ron: ok (map)", "c.ron: ok (map)"));
    assert!(lines.contains(&"b.ron: 1 error"), "{lines:?}");
}

#[test]
fn unreadable_files_get_one_line() {
    let folder = Folder::new("check-unread").with("utf8.ron", b"Map(\n \xff");
    let large = std::fs::File::create(folder.0.join("large.ron")).expect("a file");
    large.set_len(surefoot::io::MAX_FILE_SIZE + 1).expect("a large file");
    let done = check(&folder.0, &["large.ron", "utf8.ron", "none.ron", "."]);
    assert_eq!(done.status.code(), Some(1));
    let lines: Vec<&str> = text(&done.stdout).lines().collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert_eq!(lines[0], "error: large.ron: the file is too large: 67108865 bytes; expected at most 67108864");
    assert_eq!(lines[1], "error: utf8.ron:2:2: the file has a byte that is not UTF-8; expected UTF-8 text");
    assert!(
        lines[2].starts_with("error: none.ron: ") && lines[2].ends_with("a map, a catalogue or a replay"),
        "{lines:?}"
    );
    assert_eq!(lines[3], "error: .: the path is a folder; expected a map, a catalogue or a replay");
    for name in ["large.ron", "utf8.ron", "none.ron", "."] {
        let done = check(&folder.0, &["--json", name]);
        let object: serde_json::Value = serde_json::from_slice(&done.stdout).expect("one object");
        assert_eq!((&object["file"], &object["code"]), (&name.into(), &"unreadable".into()));
    }
}

#[test]
fn the_standard_input_can_be_checked() {
    let mut child =
        tool(Path::new("."), &["-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the tool runs");
    child.stdin.take().expect("its input").write_all(b"Map(format: 1, tiles: [\"..q.\"])").expect("it reads");
    let done = child.wait_with_output().expect("the tool ends");
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stdout).contains(" --> standard input:1:27\n"), "{}", text(&done.stdout));
}

#[test]
fn colours_are_only_used_on_terminals_that_want_them() {
    let coloured = |variable: &str| {
        let done = tool(&corpus(), &["map_backslash.ron"]).env(variable, "1").output().expect("the tool runs");
        text(&done.stdout).contains('\x1b')
    };
    assert!(coloured("CLICOLOR_FORCE") && !coloured("NO_COLOR"));
}

#[test]
fn wrong_usage_has_its_own_exit_code() {
    for arguments in [&[][..], &["--no-such", "a.ron"]] {
        assert_eq!(check(Path::new("."), arguments).status.code(), Some(2), "{arguments:?}");
    }
}

//! What the tool draws and lists, as a user sees it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder, gone when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("surefoot-pictures-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for temporary files");
        Folder(path)
    }

    fn with(self, name: &str, text: &str) -> Folder {
        std::fs::write(self.0.join(name), text).expect("a temporary file");
        self
    }

    fn tool(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
        command.args(arguments).current_dir(&self.0).output().expect("the tool runs")
    }

    fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        std::fs::read(self.0.join(name)).expect("a file that the tool wrote")
    }

    fn files(&self) -> usize {
        std::fs::read_dir(&self.0).expect("the folder").count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

const MAP: &str = "Map(format: 1, tiles: [\"@..\", \"###\"])\n";

#[test]
fn tiles_end_in_the_totals() {
    let output = Folder::new("tiles").tool(&["tiles"]);
    assert!(output.status.success());
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    assert_eq!(lines.len(), 33);
    assert_eq!(lines[32], "32 patterns, 96 variants");
    let words: Vec<_> = lines[7].split_whitespace().collect();
    assert_eq!(words[..6], ["7", "half_slope_low", "solid", "8", "r0,", "r1,"]);
    assert!(lines[7].contains("m, m r1, m r2, m r3"));
    let variants: usize =
        lines[..32].iter().map(|line| line.split_whitespace().nth(3).unwrap().parse::<usize>().unwrap()).sum();
    assert_eq!(variants, 96);
}

#[test]
fn the_sheet_is_written_in_both_forms() {
    let folder = Folder::new("sheet");
    assert!(folder.tool(&["tiles", "--svg", "a.svg", "--png", "a.png"]).status.success());
    assert_eq!(text(&folder.read("a.svg")).matches("class=\"tile\"").count(), 96);
    assert!(folder.read("a.png").starts_with(b"\x89PNG"));
    assert_eq!(folder.files(), 2);
}

#[test]
fn a_map_is_drawn_in_the_form_that_the_name_tells() {
    let folder = Folder::new("map").with("a.ron", MAP);
    assert!(folder.tool(&["draw", "a.ron", "-o", "a.svg"]).status.success());
    let svg = folder.read("a.svg");
    // Three tops, three undersides, two ends.
    assert!(text(&svg).contains("class=\"normals\""));
    assert!(folder.tool(&["draw", "a.ron", "-o", "a.PNG"]).status.success());
    // 3 x 2 tiles and half a tile around, 64 pixels each.
    assert_eq!(folder.read("a.PNG")[16..24], [0, 0, 1, 0, 0, 0, 0, 192]);
    // From nearby with its margin, from afar without.
    assert!(folder.tool(&["draw", "a.ron", "--tile-pixels", "20", "-o", "a.png"]).status.success());
    assert_eq!(folder.read("a.png")[16..24], [0, 0, 0, 80, 0, 0, 0, 60]);
    assert!(folder.tool(&["draw", "a.ron", "--tile-pixels", "4", "-o", "a.png"]).status.success());
    assert_eq!(folder.read("a.png")[16..24], [0, 0, 0, 12, 0, 0, 0, 8]);
}

#[test]
fn a_replay_shows_paths_and_contacts() {
    let replay = "Replay(map: File(\"a.ron\"), ticks: 90, bodies: [\
        (name: \"ball\", shape: Circle(0.25), at: Marker(\"start\"), velocity: (2.0, 0.0))])";
    let folder = Folder::new("replay").with("a.ron", MAP).with("a.replay.ron", replay);
    let output = folder.tool(&["draw", "a.replay.ron", "-o", "a.svg"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let svg = folder.read("a.svg");
    assert!(text(&svg).contains("<title>ball</title>"));
    assert!(text(&svg).contains("class=\"way\"") && text(&svg).contains("class=\"contacts\""));
}

/// Whoever changes what is drawn looks at these pictures and redraws them.
#[test]
fn the_shipped_pictures_are_what_the_tool_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Folder::new("shipped");
    for (before, picture) in [
        (&["draw", "maps/first_steps.replay.ron", "-o"][..], "maps/first_steps.png"),
        (&["draw", "maps/zoo.ron", "-o"], "maps/zoo.png"),
        (&["draw", "maps/highlands.replay.ron", "--tile-pixels", "4", "-o"], "maps/highlands.png"),
        (&["tiles", "--png"], "assets/tiles.png"),
    ] {
        let drawn = folder.0.join("now.png");
        let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
        let output = command.args(before).arg(&drawn).current_dir(&root).output().expect("the tool runs");
        assert!(output.status.success(), "{picture}: {}", text(&output.stderr));
        let shipped = std::fs::read(root.join(picture)).expect("a shipped picture");
        assert!(
            folder.read("now.png") == shipped,
            "{picture} is not what the tool draws now; look at the change and redraw it:\n\
             cargo run --release -- {} {picture}",
            before.join(" ")
        );
    }
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_written() {
    let folder = Folder::new("wrong").with("a.ron", MAP).with("bad.ron", "Map(format: 1,\n tiles: [\"q\"])");
    let cases: [(&[&str], &str); 4] = [
        (&["draw", "a.ron", "-o", "a.gif"], "a.gif: not a form of pictures; expected a name that ends in .svg or .png"),
        (&["draw", "bad.ron", "-o", "a.svg"], "bad.ron:2:11: unknown character 'q'"),
        (&["draw", "none.ron", "-o", "a.svg"], "none.ron: "),
        (&["draw", "a.ron", "-o", "no/such/folder/a.svg"], "no/such/folder/a.svg: "),
    ];
    for (arguments, words) in cases {
        let output = folder.tool(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).starts_with(words), "{}", text(&output.stderr));
        assert_eq!(folder.files(), 2);
    }
}

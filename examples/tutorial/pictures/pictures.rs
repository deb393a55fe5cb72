//! The pictures of the tutorial are what its programs draw.

use std::path::Path;
use std::process::Command;

/// Each picture, its program, and the keys that lead to it.
const PICTURES: [(&str, &str, &str); 9] = [
    ("step_1", env!("CARGO_BIN_EXE_picture_1"), "1"),
    ("step_2", env!("CARGO_BIN_EXE_picture_2"), "30\n60 right\n12 right jump"),
    ("step_3", env!("CARGO_BIN_EXE_picture_3"), "30\n60 right\n30 right jump\n20 right"),
    ("step_4", env!("CARGO_BIN_EXE_picture_4"), "30\n60 right\n30 right jump\n40 right"),
    ("step_5", env!("CARGO_BIN_EXE_picture_5"), "30\n50 right\n30\n1 dash"),
    ("step_6", env!("CARGO_BIN_EXE_picture_6"), "90\n45 right\n22 right jump\n75 right\n20 right jump\n12 right"),
    ("step_7", env!("CARGO_BIN_EXE_picture_7"), "90\n45 right\n22 right jump\n75 right\n14 right jump"),
    (
        "step_8",
        env!("CARGO_BIN_EXE_picture_8"),
        "10\n8 right\n8 right jump\n12 right\n20\n78 right\n10\n22 right jump\n2 right\n22 right jump\n20 right\n30\n\
            34 right\n90\n12 right\n120",
    ),
    (
        "game",
        env!("CARGO_BIN_EXE_picture_8"),
        "10\n8 right\n8 right jump\n12 right\n20\n78 right\n10\n22 right jump\n2 right\n15 right jump",
    ),
];

/// `SUREFOOT_WRITE_TUTORIAL=1` writes the pictures again; look at each of them before it is committed.
#[test]
fn each_picture_is_what_its_program_draws() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/tutorial");
    let drawn = std::env::temp_dir().join(format!("surefoot-tutorial-{}.png", std::process::id()));
    for (name, program, keys) in PICTURES {
        let kept = folder.join(name).with_extension("png");
        let status = Command::new(program).env("SUREFOOT_KEYS", keys).env("SUREFOOT_PICTURE", &drawn).status();
        assert!(status.expect("the program runs").success(), "{name}");
        if std::env::var_os("SUREFOOT_WRITE_TUTORIAL").is_some() {
            std::fs::copy(&drawn, &kept).expect("the picture is written");
        }
        let same = std::fs::read(&kept).expect("a picture") == std::fs::read(&drawn).expect("a picture");
        assert!(same, "{name} has changed: set SUREFOOT_WRITE_TUTORIAL=1, and look at it");
    }
    std::fs::remove_file(drawn).expect("the last picture");
}

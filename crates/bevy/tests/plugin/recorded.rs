//! Recorded runs with the versions of this lock file.

use std::path::Path;
use surefoot::replay;

/// The lock file has the glam of Bevy, and the workspace a newer one. Both must give the recorded bits.
#[test]
fn recorded_runs_are_the_same_with_the_glam_of_bevy() {
    for name in ["first_steps", "zoo"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps").join(name).with_extension("replay.ron");
        replay::verify(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// Vectors of the engine and of Bevy are one type here.
#[test]
fn there_is_one_glam() {
    let position = surefoot::prelude::Position::new(1.5, 2.5).unwrap();
    let vector: bevy_math::Vec2 = position.to_vec2();
    assert_eq!(vector, bevy_math::Vec2::new(1.5, 2.5));
}

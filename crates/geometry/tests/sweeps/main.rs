//! The sweeps against witnesses that share no code and no idea with them, on random and degenerate scenes.
//!
//! An everyday run takes a slice of the scenes; `SUREFOOT_SCENES=1000000 cargo test --release -p
//! surefoot-geometry-tests --test sweeps` takes as many for each shape as the variable says.

mod box_witness;
mod circle_witness;
mod exact_sweeps;
mod float_sweeps;
mod named;
mod nears;
mod pair_scene;
mod pair_witness;
mod pairs;
mod scene;

/// How many scenes a test looks at.
fn scenes(everyday: u64) -> u64 {
    match std::env::var("SUREFOOT_SCENES") {
        Ok(count) => count.parse().expect("SUREFOOT_SCENES is a number"),
        Err(_) => everyday,
    }
}

//! Compares the sweeps with witnesses that share no code and no method with them, on random and degenerate scenes.
//!
//! By default, the tests run a sample of the scenes. `SUREFOOT_SCENES=1000000 cargo test --release -p
//! surefoot-geometry-tests --test sweeps` runs that many for each shape.

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

/// Number of scenes per test.
fn scenes(everyday: u64) -> u64 {
    match std::env::var("SUREFOOT_SCENES") {
        Ok(count) => count.parse().expect("SUREFOOT_SCENES is a number"),
        Err(_) => everyday,
    }
}

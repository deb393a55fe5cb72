//! Compares surefoot-geometry with parry2d-f64: each query that both have, on the same random scenes.
//!
//! An exact witness judges every disagreement, and a sample of the scenes on which both agree. Each disagreement must
//! be of a known kind: the variants of `Verdict` in each file list the kinds, and say which library is right. By
//! default, the tests run a sample of the scenes. `SUREFOOT_SCENES=1000000 cargo test --release --test beside_parry`
//! runs that many for each query.

mod contact;
mod distance;
mod overlaps;
mod points;
#[path = "../../../geometry/tests/questions/rational.rs"]
#[allow(dead_code, reason = "other witnesses use the rest")]
mod rational;
mod rays;
mod scenes;
mod sweeps;
mod witness;

//! Each question that surefoot-geometry and parry2d-f64 both answer, asked of both about the same random scenes.
//!
//! Every disagreement is taken to a witness that computes with exact rationals, and must be of a kind that is understood;
//! the kinds, and which is right, are the variants of each file's `Verdict`. Some of the scenes on which both agree are taken
//! there too. An everyday run takes a slice; `SUREFOOT_SCENES=1000000 cargo test --release --test beside_parry` takes so many
//! for each question.

mod contact;
mod distance;
mod overlaps;
mod points;
mod rays;
mod scenes;
mod sweeps;
mod witness;

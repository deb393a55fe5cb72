//! The tests in space against witnesses that compute with exact numbers, and the laws that hold among the answers.
//!
//! | file | holds |
//! |---|---|
//! | `scene.rs` | random spheres, planes, segments, rays and triangles, and rays aimed at edges and corners |
//! | `exact.rs` | exact numbers and vectors, and what a segment shares with a plane or a triangle by the textbook |
//! | `spheres.rs`, `planes.rs`, `triangles.rs` | each question against its witness |
//! | `laws.rs` | mirrors, exchanged axes, shifts, and corners in another order |
//! | `mesh.rs` | that no ray slips through between triangles, and which of them is picked |
//! | `limits.rs` | the numbers that constructors refuse, and that nothing is NaN for the rest |
//!
//! The textures of coordinates and the settings of proptest are those of the questions in the plane. An everyday run takes
//! a slice of the cases from a fixed seed; `SUREFOOT_CASES=1000000 cargo test --release -p surefoot-geometry-tests --test space`
//! takes as many for each test as the variable says. With `SUREFOOT_WORST=1` and `-- --nocapture` each error that is
//! larger than all before is printed, as a fraction of what is promised.

#![allow(clippy::disallowed_methods, reason = "powers of two are exact")]

#[path = "../questions/cases.rs"]
#[allow(dead_code, unreachable_pub, reason = "most shapes of the plane are not asked here")]
mod cases;
mod exact;
mod laws;
mod limits;
mod mesh;
mod planes;
mod scene;
mod spheres;
mod triangles;

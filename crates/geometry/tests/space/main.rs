//! Tests of the 3D module: comparisons with witnesses in exact numbers, and laws between results.
//!
//! | file | contents |
//! |---|---|
//! | `scene.rs` | random spheres, planes, segments, rays and triangles, and rays aimed at edges and corners |
//! | `exact.rs` | exact vectors, and textbook intersections of a segment with a plane or triangle |
//! | `spheres.rs`, `planes.rs`, `triangles.rs` | each query against its witness |
//! | `laws.rs` | mirrors, swapped axes, shifts, and corners in another order |
//! | `mesh.rs` | rays do not slip between triangles; picking finds the nearest triangle |
//! | `limits.rs` | constructors reject bad numbers; no result is NaN for the rest |
//!
//! The coordinate textures and the proptest settings are those of the 2D queries. By default, the tests run a sample of
//! the cases with a fixed seed. `SUREFOOT_CASES=1000000 cargo test --release -p surefoot-geometry-tests --test space`
//! runs that many cases for each test.
//!
//! With `SUREFOOT_WORST=1` and `-- --nocapture`, each new largest error is printed as a fraction of the documented
//! bound.

#![allow(clippy::disallowed_methods, reason = "powers of two are exact")]

#[path = "../questions/cases.rs"]
#[allow(dead_code, unreachable_pub, reason = "most shapes of the plane are not asked here")]
mod cases;
mod exact;
mod laws;
mod limits;
mod mesh;
mod planes;
#[path = "../questions/rational.rs"]
#[allow(dead_code, reason = "vectors of the plane are not used here")]
mod rational;
mod scene;
mod spheres;
mod triangles;

//! Compares every query on two shapes with a naive witness, on random and degenerate cases, and checks laws between
//! results.
//!
//! By default, the tests run a sample of the cases with a fixed seed. `SUREFOOT_CASES=1000000 cargo test --release -p
//! surefoot-geometry-tests --test questions` runs that many cases for each test.

#![allow(clippy::disallowed_methods, reason = "powers of two are exact")]

mod allocations;
mod cases;
mod cast_ray;
mod chord;
mod closest;
mod contact;
mod contains;
mod distance;
mod faults_overlap;
mod faults_triangle;
mod gap;
mod hostile;
mod intersect;
mod laws;
mod linear;
mod needles;
mod orientation;
mod overlaps;
mod pairs;
mod rational;
mod run;
mod shapes;
mod sweep_cases;
mod sweep_laws;
mod sweep_ties;
mod sweep_witness;
mod sweeps;
mod touches;

//! Every question about two shapes against a naive witness, on random and degenerate cases, and the laws that hold among
//! the answers.
//!
//! An everyday run takes a slice of the cases from a fixed seed; `SUREFOOT_CASES=1000000 cargo test --release -p
//! surefoot-geometry --test questions` takes as many for each test as the variable says.

mod cases;
mod cast_ray;
mod chord;
mod intersect;
mod linear;
mod orientation;
mod rational;
mod shapes;
mod smoke;

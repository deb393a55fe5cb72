//! Random numbers for tests, scripted scenes and measurements. The same seed gives the same sequence on every machine
//! and in every version. The sequence must not change: the hashes of `surefoot-determinism` depend on it.
//!
//! No published crate depends on this crate, and this crate has no dependencies.

mod random;

pub use random::{Random, STEP, mix};

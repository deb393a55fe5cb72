//! Random numbers for tests, scripted scenes and measurements: the same sequence from the same seed, on every machine and in
//! every version. The hashes of `surefoot-determinism` are pinned by the sequence, so it must not change.
//!
//! Nothing that is published depends on this crate, and it depends on nothing.

mod random;

pub use random::{Random, STEP, mix};

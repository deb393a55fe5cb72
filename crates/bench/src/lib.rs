//! surefoot beside its peers. The comparisons are tests: `cargo test --release` in this package.
#![forbid(unsafe_code)]

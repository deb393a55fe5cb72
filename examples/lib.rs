//! The examples are beside this file; run one with `cargo run --example <name>`.

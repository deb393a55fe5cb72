//! The examples are beside this file; run one with `cargo run -p surefoot-examples --example <name>`.

/// The programs in `docs/embed.md` compile.
#[cfg(doctest)]
#[doc = include_str!("../docs/embed.md")]
pub struct EmbeddingPrograms;

//! Sets `cfg(repository)` for unit tests that need the oracle, a page of `docs` or a file of `tests`. The package has none of
//! them, nor this script.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=repository");
}

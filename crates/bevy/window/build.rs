//! Writes the programs of the pages on Bevy as functions, which `tests/pages.rs` compiles.
//!
//! They need all of Bevy, so the tests of the plugin cannot compile them.

use std::path::Path;
use std::{env, fs};

/// The lines that a program of a page leaves out: its imports and the app.
const SETUP: &str = "use bevy::prelude::*; use bevy_surefoot::prelude::*; let mut app = App::new();";

fn main() {
    let readme = programs("../README.md");
    // The programs of the guide are parts of one game.
    let guide = [programs("../../../docs/guide/bevy.md").concat()];
    let functions = guide.iter().chain(&readme).enumerate().map(|(number, program)| {
        format!("fn program_{number}() -> bevy::prelude::Result {{ {SETUP}\n{program}\nOk(()) }}\n")
    });
    let file = Path::new(&env::var("OUT_DIR").unwrap()).join("pages.rs");
    fs::write(file, functions.collect::<String>()).unwrap();
}

/// Returns the blocks of a page that the tests of the plugin ignore.
fn programs(page: &str) -> Vec<String> {
    println!("cargo::rerun-if-changed={page}");
    let text = fs::read_to_string(page).unwrap();
    let blocks = text.split("\n```rust,ignore\n").skip(1);
    blocks.map(|block| block.split("\n```").next().unwrap().to_owned()).collect()
}

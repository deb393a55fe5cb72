//! The programs of `docs/guide/bevy.md` and of the README of the plugin compile: `build.rs` writes them as functions.
#![allow(dead_code, unused_imports, unused_mut, unused_variables)]

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

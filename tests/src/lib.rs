//! The tests are one binary, `main.rs`, with a module for each subject.

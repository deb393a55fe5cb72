//! Tests the tool as a user runs it. All files are one test program, which links only once.

mod check;
mod folder;
mod full;
mod import;
mod link;
mod pictures;
mod record;
mod solve;
mod tool;
mod ways;

//! The tool as a user runs it, in one program: each file of its own would be linked with all that it needs again.

mod check;
mod full;
mod pictures;
mod record;
mod tool;

//! One command a module: its arguments, and a `run` that answers with the exit code or with what to print as an error.

mod catalogue;
pub(crate) mod check;
pub(crate) mod draw;
mod picture;
pub(crate) mod plot;
mod range;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod tiles;
pub(crate) mod trace;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

/// What a command comes to; an error's words go to the standard error, and the exit code is 1.
pub(crate) type Done = Result<ExitCode, Box<dyn std::error::Error>>;

/// The answer to output that could not be written: a reader that has read enough is no failure.
pub(crate) fn written(result: io::Result<()>, code: ExitCode) -> Done {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(format!("standard output: {error}").into()),
        Ok(()) => Ok(code),
    }
}

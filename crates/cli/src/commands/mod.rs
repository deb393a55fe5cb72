//! One module per command: its arguments, and a function `run` that returns the exit code or the error to print.

mod catalogue;
pub(crate) mod check;
pub(crate) mod draw;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod link;
mod picture;
pub(crate) mod plot;
mod range;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod solve;
pub(crate) mod tiles;
pub(crate) mod trace;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// The result of a command. An error is printed to the standard error, and the exit code is 1.
pub(crate) type Done = Result<ExitCode, Box<dyn std::error::Error>>;

/// Prints a text. A reader that closes the pipe early is not a failure.
pub(crate) fn print(text: &str) -> Result<(), Box<dyn std::error::Error>> {
    exit_code_of_output(io::stdout().lock().write_all(text.as_bytes()), ExitCode::SUCCESS).map(drop)
}

/// Converts the result of writing the output. A reader that closes the pipe early is not a failure.
pub(crate) fn exit_code_of_output(result: io::Result<()>, code: ExitCode) -> Done {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(format!("standard output: {error}").into()),
        Ok(()) => Ok(code),
    }
}

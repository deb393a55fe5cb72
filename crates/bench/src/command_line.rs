//! The common parts of the programs: arguments, exit code, and the list of what is wrong.

use std::process::ExitCode;

/// Runs a program with its arguments. If it returns an error, prints the error and fails.
pub fn run_program(program: impl FnOnce(&[&str]) -> Result<(), String>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match program(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Checks that a list of faults is empty.
///
/// # Errors
/// Returns the title and the faults, each on a line, if there are any.
pub fn expect_none(title: &str, faults: &[String]) -> Result<(), String> {
    if faults.is_empty() { Ok(()) } else { Err(format!("{title}:\n{}", faults.join("\n"))) }
}

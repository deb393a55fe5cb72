//! Prints a line for each run: name, number of ticks, a hash of all ticks, and the checksum of the final state.
//!
//! `--every-tick NAME` prints a line for each tick of one run instead: tick, hash so far, checksum.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use surefoot_determinism::runs;

fn main() -> io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = BufWriter::new(io::stdout().lock());
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            for run in runs() {
                writeln!(out, "{}", run.play(|_| ()))?;
            }
        }
        ["--every-tick", name] => {
            let Some(run) = runs().into_iter().find(|run| run.name() == name) else {
                eprintln!("no run has the name {name:?}");
                return Ok(ExitCode::from(2));
            };
            let mut written = Ok(());
            run.play(|tick| {
                if written.is_ok() {
                    written = writeln!(out, "{tick}");
                }
            });
            written?;
        }
        _ => {
            eprintln!("usage: hashes [--every-tick NAME]");
            return Ok(ExitCode::from(2));
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

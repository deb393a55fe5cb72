//! The `surefoot` tool: the features of the library on the command line.

mod commands;
mod progress;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Checks, runs, records and draws surefoot maps and replays
#[derive(Parser)]
#[command(name = "surefoot", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(commands::check::Arguments),
    Replay(commands::replay::Arguments),
    Link(commands::link::Arguments),
    Trace(commands::trace::Arguments),
    Record(Box<commands::record::Arguments>),
    Solve(Box<commands::solve::Arguments>),
    Tiles(commands::tiles::Arguments),
    Draw(Box<commands::draw::Arguments>),
    Plot(commands::plot::Arguments),
    Import(commands::import::Arguments),
    Export(commands::export::Arguments),
}

fn main() -> ExitCode {
    let Arguments { command } = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // The exit code 2 of `solve` says that a goal is proven unreachable, so a wrong command line gets another
            // code.
            let is_wrong_solve = error.use_stderr() && std::env::args_os().nth(1).is_some_and(|name| name == "solve");
            let _ = error.print();
            return ExitCode::from(if is_wrong_solve { commands::solve::MISTAKE } else { error.exit_code() as u8 });
        }
    };
    let done = match command {
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Replay(arguments) => commands::replay::run(&arguments),
        Command::Link(arguments) => commands::link::run(&arguments),
        Command::Trace(arguments) => commands::trace::run(&arguments),
        Command::Record(arguments) => commands::record::run(&arguments),
        Command::Solve(arguments) => commands::solve::run(&arguments),
        Command::Tiles(arguments) => commands::tiles::run(&arguments),
        Command::Draw(arguments) => commands::draw::run(&arguments),
        Command::Plot(arguments) => commands::plot::run(&arguments),
        Command::Import(arguments) => commands::import::run(&arguments),
        Command::Export(arguments) => commands::export::run(&arguments),
    };
    done.unwrap_or_else(|failure| {
        eprintln!("{failure}");
        ExitCode::FAILURE
    })
}

//! Plays the example `play` in a real window with real keys and a real mouse, and compares the screen with the world:
//! `drive PLAY SUREFOOT FOLDER`. The arguments are the two programs and an empty folder for output.
//!
//! Needs an otherwise empty X display of 1280 x 800 (Xvfb works), `xdotool` and `xwd`. Exits with 1 at the first failed
//! check. The screenshots stay in the folder.

mod checks;
mod levels;
mod screen;
mod window;

use std::path::PathBuf;
use std::process::ExitCode;

/// The reason of a failed check.
type Fault = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [play, surefoot, folder] = &arguments[..] else {
        eprintln!("usage: drive PLAY SUREFOOT FOLDER");
        return ExitCode::from(2);
    };
    match checks::all(play, surefoot, folder).and_then(|()| levels::all(play, folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

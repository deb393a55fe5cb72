//! Plays the example `play` in a real window with real keys and a real mouse, and compares what is on the screen with what
//! the world says: `drive PLAY SUREFOOT FOLDER`, with the two programs and an empty folder to write to.
//!
//! It needs an X display with nothing else on it, 1280 x 800 (Xvfb will do), and `xdotool` and `xwd`. Exits with 1 at the
//! first thing that is not as it should be; the screenshots stay in the folder.

mod checks;
mod screen;
mod window;

use std::path::PathBuf;
use std::process::ExitCode;

/// Why something is not as it should be.
type Fault = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [play, surefoot, folder] = &arguments[..] else {
        eprintln!("usage: drive PLAY SUREFOOT FOLDER");
        return ExitCode::from(2);
    };
    match checks::all(play, surefoot, folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

//! Plays a map or shows a replay in a window: `cargo run --release -p surefoot-examples --example play [MAP|REPLAY|citadel]`.
//!
//! Everything except the window is in `surefoot-play`. This program connects it to the keys, mouse and frames of
//! macroquad.

mod arguments;
mod citadel;
mod display;
#[cfg(feature = "gamepad")]
mod gamepad;
mod input;
#[path = "../citadel/race.rs"]
mod race;
#[path = "../citadel/rules.rs"]
mod rules;
#[path = "../citadel/shown.rs"]
mod shown;
#[cfg(feature = "sound")]
mod speaker;

use arguments::Arguments;
use macroquad::prelude::*;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use surefoot::Map;
use surefoot_import::Options;
#[cfg(feature = "gamepad")]
use surefoot_macroquad::Gamepad;
use surefoot_macroquad::{Screen, Tint, window_conf};
use surefoot_play::{Game, Painter, Report, Size, is_editor_file};

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args_os().skip(1)) {
        Ok(arguments) => arguments,
        Err(said) => return said.tell(),
    };
    let mut game = Game::new(&arguments.maps(), arguments.saves.clone());
    let citadel = citadel::map_file();
    if citadel.exists() {
        game.add_rules("citadel", "a game in five rooms", &citadel, citadel::start);
    }
    let names = match arguments.names.as_ref().map(Map::load).transpose() {
        Ok(names) => names,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    game.set_import_options(Options { names, level: arguments.level.clone(), ..Options::default() });
    if arguments.watch {
        game.watch_files();
    }
    if let Some(file) = &arguments.file
        && let Err(error) = game.open(file)
    {
        eprintln!("error: {error}");
        // If an editor's file has a mistake, keep the window open: the player mends the file in the editor.
        if !is_editor_file(file) {
            return ExitCode::FAILURE;
        }
        game.show_error(&error);
    }
    display::open(window_conf("surefoot"), move || play(game, arguments))
}

/// Runs frame after frame until the window is closed.
async fn play(mut game: Game, arguments: Arguments) {
    let mut painter = Painter::new();
    let mut screen = Screen::default();
    #[cfg(feature = "gamepad")]
    let mut gamepad = Gamepad::new().inspect_err(|error| eprintln!("no gamepad: {error}")).ok();
    #[cfg(feature = "sound")]
    let speaker = speaker::Speaker::new().await;
    let mut report = arguments.report.as_deref().and_then(create_report);
    loop {
        let size = Size { width: f64::from(screen_width()), height: f64::from(screen_height()) };
        #[cfg_attr(not(feature = "gamepad"), expect(unused_mut, reason = "a gamepad adds to it"))]
        let mut controls = input::read();
        #[cfg(feature = "gamepad")]
        gamepad.iter_mut().for_each(|gamepad| gamepad::add_to(&mut controls, gamepad));
        game.play_frame(f64::from(get_frame_time()), &controls, size);
        if let Some(link) = game.take_link() {
            miniquad::window::clipboard_set(&link);
        }
        #[cfg(feature = "sound")]
        game.take_sounds().into_iter().for_each(|sound| speaker.play(sound));
        let background = painter.background();
        let mesh = painter.paint(&mut game);
        if let Err(error) = screen.set_art(game.art()) {
            eprintln!("error: the picture of the tiles: {error}");
        }
        let Tint([red, green, blue]) = background;
        clear_background(Color::from_rgba(red, green, blue, 255));
        screen.draw(mesh);
        next_frame().await;
        if let Some(file) = &mut report {
            // One line per displayed frame, which tests compare with a screenshot.
            let line = Report::of(&game, painter.micros()).to_json();
            if writeln!(file, "{line}").is_err() {
                report = None;
            }
        }
    }
}

/// Creates the file for the lines about frames. Prints a message and returns `None` on failure.
fn create_report(path: &Path) -> Option<File> {
    File::create(path).inspect_err(|error| eprintln!("{}: {error}", path.display())).ok()
}

//! Measures how long it takes to draw a frame of the play window, from the state of the world to triangles in pixels.
//!
//! `frames` prints a table for every shipped map, in a window of 1280 x 800, with a column for each kind of frame:
//!
//! - the first frame, which turns everything in view into triangles,
//! - frames while the hero runs, without and with all overlays,
//! - frames in which a tile is edited,
//! - frames at the smallest scale, which shows most.
//!
//! It fails if the median of a column, except for the first, is 2 ms or more in the zoo.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;
use surefoot_bench::measure;
use surefoot_play::{Action, Button, Controls, Game, Held, Painter, Pointer, Report, Size};

const SIZE: Size = Size { width: 1280.0, height: 800.0 };
const FRAMES: u32 = 600;

/// Limit of a frame's drawing time in microseconds: an eighth of a frame at 60 per second.
const MOST: f64 = 2000.0;

/// All overlays that keys can show.
const ALL: [Action; 5] = [Action::Normals, Action::Contacts, Action::Swept, Action::Build, Action::Tune];

fn main() -> ExitCode {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    println!("| map | first, us | running | all shown | painting | from afar | triangles |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let mut slowest_in_zoo = 0.0_f64;
    for name in ["first_steps", "zoo", "highlands"] {
        let mut game = Game::new(&[], None);
        if let Err(error) = game.open(&folder.join(format!("{name}.ron"))) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
        let mut painter = Painter::new();
        game.play_frame(1.0 / 60.0, &Controls::default(), SIZE);
        painter.paint(&mut game);
        let first = painter.micros();
        let running = median(&mut game, &mut painter, run);
        game.play_frame(1.0 / 60.0, &Controls { actions: ALL.into(), ..Controls::default() }, SIZE);
        let all = median(&mut game, &mut painter, run);
        let painting = median(&mut game, &mut painter, paint);
        game.play_frame(1.0 / 60.0, &Controls { actions: vec![Action::ZoomOut; 9], ..Controls::default() }, SIZE);
        let afar = median(&mut game, &mut painter, run);
        let triangles = painter.paint(&mut game).indices().len() / 3;
        println!("| {name} | {first:.0} | {running:.0} | {all:.0} | {painting:.0} | {afar:.0} | {triangles} |");
        if name == "zoo" {
            slowest_in_zoo = [running, all, painting, afar].into_iter().fold(0.0, f64::max);
        }
        assert!(Report::of(&game, 0.0).world.tick > u64::from(FRAMES), "time has not passed");
    }
    if slowest_in_zoo < MOST {
        ExitCode::SUCCESS
    } else {
        eprintln!("a frame of the zoo takes {slowest_in_zoo:.0} us to draw; expected less than {MOST}");
        ExitCode::FAILURE
    }
}

/// Returns the median time of some frames in microseconds.
fn median(game: &mut Game, painter: &mut Painter, controls: impl Fn(u32) -> Controls) -> f64 {
    let time = |frame| {
        game.play_frame(1.0 / 60.0, &controls(frame), SIZE);
        painter.paint(game);
        painter.micros()
    };
    measure::median((0..FRAMES).map(time).collect())
}

/// Runs to and fro, and jumps.
fn run(frame: u32) -> Controls {
    let right = (frame / 120).is_multiple_of(2);
    Controls { held: Held { right, left: !right, jump: frame % 40 < 10, ..Held::default() }, ..Controls::default() }
}

/// Sets or removes a tile in each frame.
fn paint(frame: u32) -> Controls {
    let at = surefoot_draw::Point { x: 320.0 + f64::from(frame / 2 % 300), y: 200.0 };
    let button = |down| Button { pressed: down, down };
    let left = frame.is_multiple_of(2);
    let pointer = Pointer { at, left: button(left), right: button(!left), wheel: 0.0 };
    Controls { pointer, ..Controls::default() }
}

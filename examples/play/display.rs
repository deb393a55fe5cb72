//! Opens a window, or prints a line that explains why there is none.

use macroquad::conf::Conf;
use std::future::Future;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Message without a display.
const NO_DISPLAY: &str = "error: no display to open a window on; `cargo run --release -- draw maps/first_steps.replay.ron \
                          -o run.svg` draws a picture instead";

/// Opens a window and runs a game in it until it is closed.
pub(crate) fn open<G>(config: Conf, game: impl FnOnce() -> G + 'static) -> ExitCode
where
    G: Future<Output = ()> + 'static,
{
    if !may_have_display() {
        eprintln!("{NO_DISPLAY}");
        return ExitCode::FAILURE;
    }
    // miniquad panics if it cannot open a window. Hide the text of this panic: `NO_DISPLAY` tells a player more.
    let opened = Arc::new(AtomicBool::new(false));
    let hook = panic::take_hook();
    let open = opened.clone();
    panic::set_hook(Box::new(move |panic| {
        if open.load(Ordering::Relaxed) {
            hook(panic);
        }
    }));
    let begun = opened.clone();
    let ran = panic::catch_unwind(AssertUnwindSafe(|| {
        macroquad::Window::from_config(config, async move {
            begun.store(true, Ordering::Relaxed);
            game().await;
        });
    }));
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) if opened.load(Ordering::Relaxed) => ExitCode::from(101),
        Err(_) => {
            eprintln!("{NO_DISPLAY}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether a display may exist: on X11 and Wayland, a variable names it.
fn may_have_display() -> bool {
    let unix = cfg!(all(unix, not(any(target_os = "macos", target_os = "ios", target_os = "android"))));
    !unix
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some_and(|name| !name.is_empty()))
}

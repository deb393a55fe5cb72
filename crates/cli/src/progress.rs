//! A progress bar on the terminal for work of more than a second.
//!
//! The bar is written to the standard error, and only if that is a terminal, so redirected output is unaffected.
//! Nothing is drawn for the first second, and the bar is erased at the end.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Delay before the first drawing.
const DELAY_BEFORE_BAR: Duration = Duration::from_secs(1);

/// Interval between two drawings.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// The work that is done so far.
#[derive(Default)]
struct Done {
    count: AtomicU64,
    /// Text after the count.
    note: Mutex<String>,
}

/// A progress bar; erased on drop.
pub(crate) struct Bar {
    done: Arc<Done>,
    /// The drawing thread, which stops when the sender is dropped; `None` without a terminal.
    drawing: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Bar {
    /// Creates a bar for work of `len` ticks. `what`: the activity, such as "replaying".
    pub(crate) fn of_ticks(len: u64, what: &'static str) -> Bar {
        Bar::start(Some(len), what, std::io::stderr().is_terminal())
    }

    /// Creates a bar for work of unknown length. `what`: the activity, such as "drawing".
    pub(crate) fn of_unknown_length(what: &'static str) -> Bar {
        Bar::start(None, what, std::io::stderr().is_terminal())
    }

    /// Creates a bar that counts states of unknown number. `what`: the activity, such as "solving".
    pub(crate) fn of_states(what: &'static str) -> Bar {
        Bar::start_and_draw_if_terminal(
            "{prefix} {spinner} {pos} states, {per_sec}{msg}",
            None,
            what,
            std::io::stderr().is_terminal(),
        )
    }

    fn start(len: Option<u64>, what: &'static str, is_terminal: bool) -> Bar {
        let form = if len.is_some() { "{prefix} [{bar:30}] {percent:>3}% of {len}" } else { "{prefix} {spinner}" };
        Bar::start_and_draw_if_terminal(form, len, what, is_terminal)
    }

    /// Creates a bar, and starts the thread that draws it if `is_terminal`.
    fn start_and_draw_if_terminal(form: &'static str, len: Option<u64>, what: &'static str, is_terminal: bool) -> Bar {
        let done = Arc::new(Done::default());
        let drawing = is_terminal.then(|| {
            let (sender, stop) = channel();
            let done = done.clone();
            (sender, std::thread::spawn(move || draw_until_stopped(form, len, what, &done, &stop)))
        });
        Bar { done, drawing }
    }

    /// Advances the bar by one tick.
    pub(crate) fn advance_by_tick(&self) {
        self.done.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Sets the number that the bar shows, and the text after it.
    pub(crate) fn show_count_and_note(&self, done: u64, note: String) {
        self.done.count.store(done, Ordering::Relaxed);
        *self.done.note.lock().unwrap_or_else(PoisonError::into_inner) = note;
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.drawing.take() {
            drop(sender);
            // A failure to draw the bar is not a failure of the work.
            let _ = thread.join();
        }
    }
}

/// Draws the bar until it is stopped; not at all if that happens early.
fn draw_until_stopped(form: &str, len: Option<u64>, what: &'static str, done: &Done, stop: &Receiver<()>) {
    let goes_on = |wait| matches!(stop.recv_timeout(wait), Err(RecvTimeoutError::Timeout));
    if !goes_on(DELAY_BEFORE_BAR) {
        return;
    }
    let bar = ProgressBar::with_draw_target(len, ProgressDrawTarget::hidden());
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_prefix(what);
    bar.set_position(done.count.load(Ordering::Relaxed));
    bar.set_draw_target(ProgressDrawTarget::stderr());
    loop {
        bar.set_position(done.count.load(Ordering::Relaxed));
        bar.set_message(done.note.lock().unwrap_or_else(PoisonError::into_inner).clone());
        bar.tick();
        if !goes_on(REDRAW_INTERVAL) {
            break;
        }
    }
    bar.finish_and_clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropping_a_progress_bar_ends_its_thread() {
        for seen in [true, false] {
            let bar = Bar::start(Some(5), "testing", seen);
            (0..5).for_each(|_| bar.advance_by_tick());
            let done = bar.done.clone();
            assert_eq!((done.count.load(Ordering::Relaxed), bar.drawing.is_some()), (5, seen));
            drop(bar);
            // The thread that draws has let go of its count.
            assert_eq!(Arc::strong_count(&done), 1);
        }
    }
}

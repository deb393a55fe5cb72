//! Finds the places that the hero can reach in the edited level. The search has a thread of its own, so no frame waits.

mod explore;
#[cfg(test)]
mod tests;

pub(crate) use explore::Reach;

use crate::session::{DraftKey, Session};
use crate::storage::HAS_SYSTEM;
use explore::{Limits, explore};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::Duration;

/// Limits of each of the two searches after an edit: a player waits for the answer.
const LIMITS: Limits = Limits { time: Some(Duration::from_millis(1500)), states: 400_000 };

/// Explores the level of a session again after each edit.
pub(crate) struct Explorer {
    limits: Limits,
    /// The level that was explored last, or is being explored.
    asked: Option<DraftKey>,
    worker: Option<Worker>,
    shown: Option<Reach>,
    /// Number of answers so far.
    answers: u64,
}

/// An exploration in progress.
struct Worker {
    answers: Receiver<Reach>,
    is_stopped: Arc<AtomicBool>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

impl Default for Explorer {
    fn default() -> Explorer {
        Explorer { limits: LIMITS, asked: None, worker: None, shown: None, answers: 0 }
    }
}

impl Explorer {
    /// Takes the answers that have come, and starts to explore if the level has changed. Never waits.
    pub(crate) fn take_answers_or_restart(&mut self, session: &Session) {
        let Some(key) = session.draft_key() else { return };
        let is_current = self.asked == Some(key);
        while let Some(worker) = &self.worker {
            if !is_current {
                worker.is_stopped.store(true, Ordering::Relaxed);
            }
            match worker.answers.try_recv() {
                Ok(reach) if is_current => self.show_answer(reach),
                Ok(_) => {}
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.worker = None,
            }
        }
        // Run only one exploration at a time, because the game needs the processor too.
        if self.worker.is_none() && !is_current {
            self.asked = Some(key);
            self.start_exploring(session);
        }
    }

    /// Ends the exploration and forgets its answer.
    pub(crate) fn clear(&mut self) {
        (self.asked, self.worker, self.shown) = (None, None, None);
    }

    /// Returns what is known now, and its number: the number changes with the answer.
    pub(crate) fn latest_answer(&self) -> Option<(&Reach, u64)> {
        self.shown.as_ref().map(|reach| (reach, self.answers))
    }

    /// Returns the answer in words.
    pub(crate) fn answer_in_words(&self) -> String {
        let known = self.shown.as_ref().map(|reach| reach.words.as_str());
        match (known, &self.worker) {
            (Some(words), None) => words.to_owned(),
            (Some(words), Some(_)) => format!("{words}; searching ..."),
            (None, _) => "searching ...".to_owned(),
        }
    }

    fn show_answer(&mut self, reach: Reach) {
        self.shown = Some(reach);
        self.answers += 1;
    }

    fn start_exploring(&mut self, session: &Session) {
        if !HAS_SYSTEM {
            let words = "the search for reachable places needs a thread, which a browser does not have".to_owned();
            return self.show_answer(Reach { words, ..Reach::default() });
        }
        let Some(draft) = session.draft() else { return };
        let (sender, answers) = channel();
        let is_stopped = Arc::new(AtomicBool::new(false));
        let (stop, limits) = (is_stopped.clone(), self.limits);
        let work = move || {
            let is_stopped = || stop.load(Ordering::Relaxed);
            // Sending fails once the map is closed, and then no one needs the answer.
            explore(&draft, limits, &is_stopped, &mut |reach| drop(sender.send(reach)));
        };
        match thread::Builder::new().name("reach".to_owned()).spawn(work) {
            Ok(_) => self.worker = Some(Worker { answers, is_stopped }),
            Err(error) => {
                let words = format!("the search for reachable places cannot start a thread: {error}");
                self.show_answer(Reach { words, ..Reach::default() });
            }
        }
    }
}

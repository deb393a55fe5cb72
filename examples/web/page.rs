//! The messages between the game and its page.
//!
//! The page hands messages over as a file with a made-up name, for which the game waits. The game hands messages over
//! as the text of the clipboard, which the page intercepts. Both are functions of macroquad's loader, so nothing else
//! is needed.

use macroquad::experimental::coroutines::start_coroutine;
use macroquad::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use surefoot_play::{Action, Report};

/// Name of the file that holds the next messages of the page.
const INBOX: &str = "surefoot:inbox";

/// Message from the page.
#[derive(Debug, Deserialize)]
pub(crate) enum FromPage {
    /// The page is ready.
    Begin,
    /// The names and texts of all files that the browser has kept.
    Kept(Vec<(String, String)>),
    /// A file that the player chose or dropped.
    Opened { name: String, text: String },
    /// The address of the page, or a pasted one.
    Link(String),
    /// A button of the page.
    Act(Act),
    /// The browser has forgotten a kept file.
    Forgotten(String),
    /// The screen is for fingers.
    Fingers,
    /// A mistake that the page found.
    Error(String),
    /// A test wants to know what is on the screen.
    Report,
}

/// Button of the page.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) enum Act {
    Back,
    Restart,
    Pause,
    SaveRun,
    SaveMap,
    CopyLink,
    Build,
    Help,
}

impl Act {
    pub(crate) fn action(self) -> Action {
        match self {
            Act::Back => Action::Back,
            Act::Restart => Action::Restart,
            Act::Pause => Action::Pause,
            Act::SaveRun => Action::SaveReplay,
            Act::SaveMap => Action::SaveMap,
            Act::CopyLink => Action::CopyLink,
            Act::Build => Action::Build,
            Act::Help => Action::Help,
        }
    }
}

/// Message to the page.
#[derive(Debug, Serialize)]
pub(crate) enum ToPage {
    /// The part of the address after `#`, for the clipboard.
    Link(String),
    /// A file to keep in the browser and to download.
    Save { name: String, text: String },
    /// A file to keep in the browser.
    Keep { name: String, text: String },
    /// A kept file to forget, if the player is sure.
    Forget(String),
    /// What the address names is no longer open: another file is, or the menu. The page clears the address.
    Closed {},
    /// The content of a frame.
    Report(Box<Report>),
}

/// Sends a message to the page.
pub(crate) fn send(message: &ToPage) {
    // All messages can be written as JSON, so this does not fail.
    let text = serde_json::to_string(message).unwrap_or_default();
    miniquad::window::clipboard_set(&text);
}

/// Waits for messages of the page. Returns none if there is no page.
pub(crate) async fn receive() -> Vec<FromPage> {
    wait().await.unwrap_or_default()
}

async fn wait() -> Option<Vec<FromPage>> {
    let text = load_string(INBOX).await.ok()?;
    match serde_json::from_str(&text) {
        Ok(messages) => Some(messages),
        Err(error) => Some(vec![FromPage::Error(format!("the page sent a message that is not known: {error}"))]),
    }
}

/// Messages that have come while frames were drawn.
#[derive(Clone, Default)]
pub(crate) struct Inbox(Arc<Mutex<Vec<FromPage>>>);

impl Inbox {
    /// Waits for messages from now on, beside the frames.
    pub(crate) fn open() -> Inbox {
        let inbox = Inbox::default();
        let own = inbox.clone();
        start_coroutine(async move {
            while let Some(messages) = wait().await {
                own.0.lock().unwrap_or_else(PoisonError::into_inner).extend(messages);
            }
        });
        inbox
    }

    /// Returns the messages since the last call.
    pub(crate) fn take(&self) -> Vec<FromPage> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

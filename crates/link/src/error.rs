//! Errors of links.

use surefoot::record::RecorderError;
use surefoot::replay::{ReplayError, ToReplayError};
use thiserror::Error;

/// Error of [`Link::parse`](crate::Link::parse) and [`Link::new`](crate::Link::new).
#[derive(Clone, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkError {
    /// The address has no part after `#`.
    #[error(
        "the link has nothing after `#`; expected `#` and the name of a .ron file, such as #first_steps.replay.ron"
    )]
    NoFragment,
    /// The name is not a valid file name that ends in `.ron`.
    #[error(
        "the name {name:?} in the link is not a valid file name; expected letters, digits, `.`, `_` and `-`, at most \
         100 characters, with the ending .ron"
    )]
    Name {
        /// The name, shortened.
        name: String,
    },
    /// The link holds more characters than [`Link::MAX_CHARACTERS`](crate::Link::MAX_CHARACTERS).
    #[error("the link has {length} characters; expected at most {limit}")]
    TooLong {
        /// Number of characters.
        length: usize,
        /// Maximum number.
        limit: usize,
    },
    /// The text after `=` is not base64url: a character is wrong, or missing at the end.
    #[error("the link is damaged: the text after `=` is not base64url; copy the whole link again")]
    Base64 {
        /// The cause.
        source: base64::DecodeError,
    },
    /// The bytes after `=` are not data of deflate.
    #[error("the link is damaged: its text cannot be unpacked; copy the whole link again")]
    Deflate,
    /// The compressed text ends too early.
    #[error("the link is cut off; copy the whole link again")]
    Truncated,
    /// The text has more bytes than [`Link::MAX_TEXT_BYTES`](crate::Link::MAX_TEXT_BYTES).
    #[error("the text in the link is too large; expected at most {limit} bytes")]
    TooLarge {
        /// Maximum number of bytes.
        limit: usize,
    },
    /// The text is not UTF-8.
    #[error("the link is damaged: its text is not UTF-8; copy the whole link again")]
    NotUtf8,
}

/// Error of [`Link::of_run`](crate::Link::of_run), [`Link::of_recording`](crate::Link::of_recording) and
/// [`Link::replay`](crate::Link::replay).
#[derive(Error)]
#[non_exhaustive]
pub enum RunLinkError {
    /// The link itself is wrong.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The run cannot be a replay with this map.
    #[error("the run cannot be put into a link: {0}")]
    ToReplay(#[from] ToReplayError),
    /// The recording of a game has no short form.
    #[error("the run cannot be put into a link: {0}")]
    Recording(#[from] RecorderError),
    /// The name for the run of a game does not end in [`Link::RUN_ENDING`](crate::Link::RUN_ENDING), so a page would
    /// read the run as a map or a replay.
    #[error(
        "the name {name:?} is not that of the run of a game; expected a name that ends in {}",
        crate::Link::RUN_ENDING
    )]
    RunName {
        /// The name.
        name: String,
    },
    /// The text in the link is not a valid replay.
    #[error(transparent)]
    Replay(Box<ReplayError>),
    /// The link has only a name, and no text.
    #[error("the link only names {name}; expected a link with the run in it: the name, `=` and the packed text")]
    NameOnly {
        /// The name.
        name: String,
    },
    /// The link has a run of a game with rules of its own.
    #[error("{name} is the run of a game with rules of its own; the page that has the game plays the link")]
    OfGame {
        /// The name.
        name: String,
    },
}

surefoot::geometry::debug_is_display!(LinkError, RunLinkError);

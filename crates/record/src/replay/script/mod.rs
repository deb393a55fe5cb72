//! Inputs of one player as a short text. `docs/tool.md` in the repository describes how to write the text.

mod error;
mod parse;
mod player;
mod until;

pub use error::{ScriptError, ScriptErrorKind};
pub use player::ScriptPlayer;

use super::{Replay, marker_names};
use crate::body::Input;
use crate::map::Map;
use until::Condition;

/// Inputs of one player as a short text, such as `60 right`, which holds right for 60 ticks.
///
/// Each line has a number of ticks and the buttons held in these ticks. `left:64` is `left` at 64/127 of the full
/// speed. `repeat 2` repeats the lines up to `end` twice. A `#` begins a comment.
///
/// `90 right until x > 70` holds right until the centre of the body is beyond x = 70, for at most 90 ticks. Without the
/// number, the limit is [`Script::DEFAULT_LIMIT`].
///
/// A line such as `at goal` says that the body should be at the marker (named tile) `goal` after the lines before.
/// The command `surefoot record` makes a replay from a script. A [`ScriptPlayer`] plays a script in a program, for
/// example in a test of a game.
///
/// # Examples
/// ```
/// use surefoot::replay::Script;
///
/// let script = Script::parse("
///     ## run up to the ledge
///     60 right
///     12 right jump
///     repeat 2
///         20            # nothing held
///         5 left:64 down  # walk left at half speed (64 of 127), and hold down
///     end
///     at goal
/// ")?;
/// assert_eq!(script.ticks(), 122);
/// assert_eq!(script.runs().len(), 6);
/// assert_eq!(script.stops()[0].runs, 6);
///
/// let error = Script::parse("60 rigth").unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 4: unknown input \"rigth\"; did you mean `right`?");
/// # Ok::<(), surefoot::replay::ScriptError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    runs: Vec<ScriptRun>,
    stops: Vec<ScriptStop>,
    expectations: Vec<ScriptExpectation>,
    ticks: u64,
}

/// Consecutive ticks with the same buttons held, from an input line of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptRun {
    /// Number of ticks, at least 1. For a line with `until`, the most ticks.
    pub ticks: u64,
    /// Input of each of these ticks.
    pub input: Input,
    /// Number of the line in the script, from 1.
    pub line: u32,
    /// Column of the condition after `until`, or of the first word of the line, in characters from 1.
    pub column: u32,
    until: Option<Until>,
}

/// Condition that ends a run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Until {
    text: String,
    condition: Condition,
}

impl ScriptRun {
    /// Returns the condition after `until` that ends the run, as text. `None` for a run of a fixed number of ticks.
    #[must_use]
    pub fn until(&self) -> Option<&str> {
        self.until.as_ref().map(|until| until.text.as_str())
    }
}

/// An expectation about the run, from a line `expect` of a script. See [`Expectation`](super::Expectation).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptExpectation {
    /// Text of the line after the word `expect`, with single spaces between its words.
    pub text: String,
    /// Number of the line in the script, from 1.
    pub line: u32,
    /// Column of the first word after `expect`, in characters from 1.
    pub column: u32,
}

/// A marker (named tile) that the body should be at, from a line `at` of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptStop {
    /// Number of entries of [`Script::runs`] after which the body should be at the marker.
    pub runs: usize,
    /// Name of the marker that the body should be at.
    pub marker: String,
    /// Number of the line in the script, from 1.
    pub line: u32,
    /// Column of the marker's name in the line, in characters from 1.
    pub column: u32,
}

impl ScriptStop {
    /// Checks that a map has the marker.
    fn check_marker(&self, map: &Map) -> Result<(), ScriptError> {
        if map.marker(&self.marker).is_some() {
            return Ok(());
        }
        let kind = ScriptErrorKind::UnknownMarker { name: self.marker.clone(), known: marker_names(map) };
        Err(ScriptError { file: None, line: self.line, column: self.column, kind })
    }
}

impl Script {
    /// Most ticks of a line with `until` that begins without a number: 600, 10 seconds at 60 ticks per second.
    pub const DEFAULT_LIMIT: u64 = 600;

    /// Maximum number of input lines and `at` lines in a script: 2^20. Repeated lines count each time.
    pub const MAX_STEPS: usize = 1 << 20;

    /// Maximum number of ticks in a script: 10^8, about 19 days at 60 ticks per second.
    pub const MAX_TICKS: u64 = Replay::MAX_TICKS;

    /// Reads a script. A text without input lines is a script of 0 ticks.
    ///
    /// # Errors
    /// Returns [`ScriptError`], with line and column:
    ///
    /// - if a word is unknown or misplaced, or a number is out of range;
    /// - if a `repeat` has no `end`, or an `end` has no `repeat`;
    /// - if the script is too long.
    pub fn parse(text: &str) -> Result<Script, ScriptError> {
        parse::parse(text)
    }

    /// Returns a player of the script, at its first tick.
    #[must_use]
    pub fn player(self) -> ScriptPlayer {
        ScriptPlayer::new(self)
    }

    /// Returns the inputs in order, one entry for each input line. A line that is repeated occurs as often as it is
    /// played.
    #[must_use]
    pub fn runs(&self) -> &[ScriptRun] {
        &self.runs
    }

    /// Returns the markers (named tiles) that the body should reach, from the lines `at`, in the order of the script.
    #[must_use]
    pub fn stops(&self) -> &[ScriptStop] {
        &self.stops
    }

    /// Returns the expectations about the run, from the lines `expect`. An `expect` line between `repeat` and `end`
    /// occurs only once.
    #[must_use]
    pub fn expectations(&self) -> &[ScriptExpectation] {
        &self.expectations
    }

    /// Returns the length of the script in ticks, with repeated lines counted each time. Lines with `until` count with
    /// the most ticks that they allow.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Checks that `map` has the markers of all lines `at`.
    ///
    /// # Errors
    /// Returns [`ScriptErrorKind::UnknownMarker`] for the first line whose marker `map` does not have.
    pub fn check_markers(&self, map: &Map) -> Result<(), ScriptError> {
        self.stops.iter().try_for_each(|stop| stop.check_marker(map))
    }
}

//! Inputs of one player as a short text. `docs/tool.md` in the repository describes how to write the text.

mod error;
mod parse;

pub use error::{ScriptError, ScriptErrorKind};

use super::{InputRun, Replay, marker_names};
use crate::map::Map;
use surefoot_geometry::Position;

/// Inputs of one player as a short text, such as `60 right`, which holds right for 60 ticks.
///
/// Each line has a number of ticks and the buttons held in these ticks. `left:64` is `left` at 64/127 of the full
/// speed. `repeat 2` repeats the lines up to `end` twice. A `#` begins a comment.
///
/// A line such as `at goal` says that the body should be at the marker (named tile) `goal` after the lines before.
/// The command `surefoot record` makes a replay from a script.
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
/// assert_eq!(script.stops()[0].tick, 122);
///
/// let error = Script::parse("60 rigth").unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 4: unknown input \"rigth\"; did you mean `right`?");
/// # Ok::<(), surefoot::replay::ScriptError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    runs: Vec<InputRun>,
    stops: Vec<ScriptStop>,
    expectations: Vec<ScriptExpectation>,
    ticks: u64,
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
    /// Tick at which the body should be at the marker (named tile): the number of ticks of all input lines before.
    pub tick: u64,
    /// Name of the marker that the body should be at.
    pub marker: String,
    /// Number of the line in the script, from 1.
    pub line: u32,
    /// Column of the marker's name in the line, in characters from 1.
    pub column: u32,
}

impl Script {
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

    /// Returns the inputs in order, one entry for each input line. A line that is repeated occurs as often as it is
    /// played.
    #[must_use]
    pub fn runs(&self) -> &[InputRun] {
        &self.runs
    }

    /// Returns the markers (named tiles) that the body should reach, from the lines `at`, in the order of their ticks.
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

    /// Returns the length of the script in ticks, with repeated lines counted each time.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Returns each line `at` of the script, with the centres of all tiles on `map` that have the marker of that line.
    ///
    /// The body should be at one of these positions.
    ///
    /// # Errors
    /// Returns [`ScriptErrorKind::UnknownMarker`] if `map` does not have the marker.
    pub fn positions<'a>(&'a self, map: &Map) -> Result<Vec<(&'a ScriptStop, Vec<Position>)>, ScriptError> {
        let positions = |stop: &'a ScriptStop| {
            let positions: Vec<Position> = map.markers(&stop.marker).collect();
            if positions.is_empty() {
                let kind = ScriptErrorKind::UnknownMarker { name: stop.marker.clone(), known: marker_names(map) };
                return Err(ScriptError { file: None, line: stop.line, column: stop.column, kind });
            }
            Ok((stop, positions))
        };
        self.stops.iter().map(positions).collect()
    }
}

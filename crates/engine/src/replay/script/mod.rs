//! Inputs of one player as a short text; `docs/tool.md` in the repository has the grammar.

mod error;
mod parse;

pub use error::{ScriptError, ScriptErrorKind};

use super::{InputRun, Replay};
use crate::map::Map;
use surefoot_geometry::Position;

/// The inputs of one player as short text, with markers to reach. `surefoot record` makes a replay from it.
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
///         5 left:64 down
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

/// A line `expect` of a script: an [`Expectation`](super::Expectation) about the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptExpectation {
    /// Text of the script's line after the word `expect`, with single spaces between its words.
    pub text: String,
    /// Line number in the script, from 1.
    pub line: u32,
    /// Column of the first word after `expect`, in characters, from 1.
    pub column: u32,
}

/// A line `at` of a script: a marker that the body should be at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptStop {
    /// Number of ticks before the stop.
    pub tick: u64,
    /// Name of the marker.
    pub marker: String,
    /// Line number in the script, from 1.
    pub line: u32,
    /// Column of the marker's name, in characters, from 1.
    pub column: u32,
}

impl Script {
    /// Maximum number of input runs and stops in a script, with blocks repeated: 2^20.
    pub const MAX_STEPS: usize = 1 << 20;

    /// Maximum number of ticks in a script: 10^8, as in a replay.
    pub const MAX_TICKS: u64 = Replay::MAX_TICKS;

    /// Reads a script. A text without inputs is a script of 0 ticks.
    ///
    /// # Errors
    /// Returns [`ScriptError`], with line and column:
    /// - if a word is unknown or misplaced, or a number is out of range;
    /// - if a block has no beginning or no end;
    /// - if the script is too long.
    pub fn parse(text: &str) -> Result<Script, ScriptError> {
        parse::parse(text)
    }

    /// Returns the held inputs in order, with blocks repeated.
    #[must_use]
    pub fn runs(&self) -> &[InputRun] {
        &self.runs
    }

    /// Returns the markers to reach, in order of their ticks.
    #[must_use]
    pub fn stops(&self) -> &[ScriptStop] {
        &self.stops
    }

    /// Returns the expectations of the script. A line in a block counts once.
    #[must_use]
    pub fn expectations(&self) -> &[ScriptExpectation] {
        &self.expectations
    }

    /// Returns the length of the script in ticks.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Returns, for each stop, all positions of its marker on `map`. A body is at the stop if it is at one of them.
    ///
    /// # Errors
    /// Returns [`ScriptErrorKind::UnknownMarker`] if `map` has no marker of that name.
    pub fn positions<'a>(&'a self, map: &Map) -> Result<Vec<(&'a ScriptStop, Vec<Position>)>, ScriptError> {
        let positions = |stop: &'a ScriptStop| {
            let positions: Vec<Position> = map.markers(&stop.marker).collect();
            if positions.is_empty() {
                let mut known: Vec<String> = map.all_markers().map(|(name, _)| name.to_owned()).collect();
                known.dedup();
                let kind = ScriptErrorKind::UnknownMarker { name: stop.marker.clone(), known };
                return Err(ScriptError { file: None, line: stop.line, column: stop.column, kind });
            }
            Ok((stop, positions))
        };
        self.stops.iter().map(positions).collect()
    }
}

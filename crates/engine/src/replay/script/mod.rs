//! Inputs of one player as a short text; `docs/tool.md` in the repository has the grammar.

mod error;
mod parse;

pub use error::{ScriptError, ScriptErrorKind};

use super::{InputRun, Replay};
use crate::map::Map;
use surefoot_geometry::Position;

/// What one player holds down, and where that should lead: what `surefoot record` makes a replay from.
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
/// assert_eq!(error.to_string(), "line 1, column 4: \"rigth\" is nothing to hold; did you mean `right`?");
/// # Ok::<(), surefoot::replay::ScriptError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    runs: Vec<InputRun>,
    stops: Vec<ScriptStop>,
    expectations: Vec<ScriptExpectation>,
    ticks: u64,
}

/// What the run should come to, see [`Expectation`](super::Expectation).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptExpectation {
    /// The words after `expect`, with single spaces between them.
    pub text: String,
    /// The line that says so, from 1.
    pub line: u32,
    /// The column of the first of them in characters, from 1.
    pub column: u32,
}

/// A marker that the body should be at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptStop {
    /// After how many ticks.
    pub tick: u64,
    /// The marker's name.
    pub marker: String,
    /// The line that says so, from 1.
    pub line: u32,
    /// The column of the name in characters, from 1.
    pub column: u32,
}

impl Script {
    /// The most stretches and stops of a script, blocks repeated: 2^20.
    pub const MAX_STEPS: usize = 1 << 20;

    /// The most ticks of a script: as many as a replay may have.
    pub const MAX_TICKS: u64 = Replay::MAX_TICKS;

    /// Reads a script. A text without a stretch is a script of no ticks.
    ///
    /// # Errors
    /// [`ScriptError`] with the line and column for a word that is not expected where it stands, for numbers out of
    /// range, for blocks without a beginning or an end, and for scripts too long.
    pub fn parse(text: &str) -> Result<Script, ScriptError> {
        parse::parse(text)
    }

    /// What is held, stretch by stretch, blocks repeated.
    #[must_use]
    pub fn runs(&self) -> &[InputRun] {
        &self.runs
    }

    /// The markers to be at, in the order of their ticks.
    #[must_use]
    pub fn stops(&self) -> &[ScriptStop] {
        &self.stops
    }

    /// What the run should come to; each line counts once, also in a block.
    #[must_use]
    pub fn expectations(&self) -> &[ScriptExpectation] {
        &self.expectations
    }

    /// How many ticks it has.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// All places of each stop's marker on a map; a body is at a stop if it is at one of them.
    ///
    /// # Errors
    /// [`ScriptErrorKind::UnknownMarker`] for the first marker that the map lacks.
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

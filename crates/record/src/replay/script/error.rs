use super::Script;
use crate::text::TextError;
use crate::told::debug_is_display;
use surefoot_geometry::Position;
use thiserror::Error;

/// Error in the text of an input script, with its line and column.
pub type ScriptError = TextError<ScriptErrorKind>;

/// Problem with the text of an input script. [`ScriptError`] adds line and column.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScriptErrorKind {
    /// The first word of a line is neither a number of ticks nor a keyword, such as `at` or `repeat`.
    #[error(
        "{word:?} cannot begin a line; expected a number of ticks or a keyword{}",
        crate::text::name_hint(word, known)
    )]
    UnknownLine {
        /// First word of the line.
        word: String,
        /// All keywords that a line may begin with.
        known: Vec<String>,
    },
    /// A number is not a whole number, or is out of range.
    #[error("{found:?} is out of range; expected a whole number from 1 to {max}")]
    OutOfRange {
        /// The number as it is written in the script.
        found: String,
        /// Maximum of the number. The minimum is 1.
        max: u64,
    },
    /// A line ends where a word is missing, such as the name of a marker after `at`.
    #[error("the line ends here; expected {expected}")]
    LineTooShort {
        /// Description of the missing word.
        expected: &'static str,
    },
    /// A line has too many words, such as a second marker after `at goal`.
    #[error("{word:?} is unexpected here; expected the end of the line")]
    LineTooLong {
        /// First word that is too many.
        word: String,
    },
    /// A word after the number of ticks is not an input, such as `left` or `jump`.
    #[error("unknown input {word:?}{}", crate::text::name_hint(word, known))]
    UnknownInput {
        /// The unknown word.
        word: String,
        /// Names of all inputs.
        known: Vec<String>,
    },
    /// An input has a strength after `:`, such as `jump:64`, but only `left` and `right` can have a strength.
    #[error("input `{word}` has no strength; expected it without `:`, since only `left` and `right` have one")]
    NoPart {
        /// Name of the input with the strength.
        word: String,
    },
    /// A line has the same input twice, or has both `left` and `right`.
    #[error("{}", describe_input_conflict(word, before))]
    InputConflict {
        /// The second of the two inputs.
        word: String,
        /// The first of the two inputs.
        before: String,
    },
    /// The word after `until` is not a condition, such as `floor`.
    #[error("unknown condition {word:?}{}", condition_hint(word, known))]
    UnknownCondition {
        /// The unknown word.
        word: String,
        /// All words that a condition may begin with.
        known: Vec<String>,
    },
    /// A part of a condition is wrong, such as the number in `x > 70`.
    #[error("{word:?} is unexpected here; expected {expected}")]
    Unexpected {
        /// The wrong word.
        word: String,
        /// Description of the expected word.
        expected: &'static str,
    },
    /// The condition of a line `until` did not hold after the most ticks that the line allows.
    #[error(
        "`{condition}` does not hold within {ticks} ticks: the body is at {found}; expected it to hold, or more ticks at \
         the start of the line"
    )]
    NotReached {
        /// The condition as it is written in the script.
        condition: String,
        /// The most ticks that the line allows.
        ticks: u64,
        /// Position of the body after these ticks.
        found: Position,
    },
    /// The body is not at the marker of a line `at`.
    #[error("after {ticks} ticks the body is at {found}; expected it within a tile of `{marker}`")]
    NotThere {
        /// Name of the marker.
        marker: String,
        /// Number of ticks that the script has played.
        ticks: u64,
        /// Position of the body.
        found: Position,
    },
    /// The body that the script plays is not in the world.
    #[error("after {ticks} ticks the body is not in the world; expected it there until the end of the script")]
    MissingBody {
        /// Number of ticks that the script has played.
        ticks: u64,
    },
    /// A line `end` comes without a line `repeat` before it.
    #[error("`end` has no `repeat` before it; expected a line such as `repeat 3`")]
    EndWithoutRepeat,
    /// A line `repeat` has no line `end` after it.
    #[error("`repeat` has no `end`; expected a line `end` after the repeated lines")]
    RepeatWithoutEnd,
    /// The script has more than [`Script::MAX_TICKS`] ticks, or more than [`Script::MAX_STEPS`] input and `at` lines.
    /// Repeated lines count each time.
    #[error(
        "the script is too long; expected at most {} ticks and {} lines, with blocks repeated",
        Script::MAX_TICKS,
        Script::MAX_STEPS
    )]
    TooLong,
    /// A line `at` names a marker (named tile) that the map does not have.
    #[error("the map has no marker {name:?}{}", crate::text::name_hint(name, known))]
    UnknownMarker {
        /// Name of the unknown marker.
        name: String,
        /// Names of all markers of the map.
        known: Vec<String>,
    },
}

debug_is_display!(ScriptErrorKind);

/// Returns the end of the message for an unknown condition: the condition that may be meant, or examples.
fn condition_hint(word: &str, known: &[String]) -> String {
    match crate::text::similar_name(word, known) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None => "; expected one such as `x > 70`, `y < 3`, `floor`, `air`, `wall`, `ceiling` or `landed`".to_owned(),
    }
}

/// Returns the words for an input that is held twice, or together with its opposite.
fn describe_input_conflict(word: &str, before: &str) -> String {
    if word == before {
        format!("input {word:?} is listed twice; expected it once")
    } else {
        format!("inputs {before:?} and {word:?} exclude each other; expected one of them")
    }
}

use super::Script;
use crate::text::TextError;
use crate::told::debug_is_display;
use thiserror::Error;

/// Error in the text of a script, with its line and column.
pub type ScriptError = TextError<ScriptErrorKind>;

/// Problem with the text of a script, without its position.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScriptErrorKind {
    /// A line begins with neither a number nor a keyword.
    #[error("{word:?} cannot begin a line; expected a number of ticks or a keyword{}", crate::text::hint(word, known))]
    UnknownLine {
        /// First word of the line.
        word: String,
        /// Keywords that a line may begin with.
        known: Vec<String>,
    },
    /// A number is out of range, or is not a whole number.
    #[error("{found:?} is out of range; expected a whole number from 1 to {max}")]
    OutOfRange {
        /// Text in the script.
        found: String,
        /// Greatest number allowed.
        max: u64,
    },
    /// A word is missing at the end of a line.
    #[error("the line ends here; expected {expected}")]
    LineTooShort {
        /// Description of the missing word.
        expected: &'static str,
    },
    /// A line has too many words.
    #[error("{word:?} is unexpected here; expected the end of the line")]
    LineTooLong {
        /// First word that is too much.
        word: String,
    },
    /// A word is not the name of an input.
    #[error("unknown input {word:?}{}", crate::text::hint(word, known))]
    UnknownInput {
        /// Word in the script.
        word: String,
        /// Names of all inputs.
        known: Vec<String>,
    },
    /// An input that is only on or off is followed by `:`.
    #[error("input `{word}` has no strength; expected it without `:`, since only `left` and `right` have one")]
    NoPart {
        /// Name of the input.
        word: String,
    },
    /// A line has an input twice, or both left and right.
    #[error("{}", held(word, before))]
    HeldTwice {
        /// Second of the two inputs.
        word: String,
        /// First of the two inputs.
        before: String,
    },
    /// A line `end` has no `repeat` before it.
    #[error("`end` has no `repeat` before it; expected a line such as `repeat 3`")]
    EndWithoutRepeat,
    /// A line `repeat` has no `end` after it.
    #[error("`repeat` has no `end`; expected a line `end` after the repeated lines")]
    RepeatWithoutEnd,
    /// The script has more than [`Script::MAX_TICKS`] ticks or [`Script::MAX_STEPS`] lines, with blocks repeated.
    #[error(
        "the script is too long; expected at most {} ticks and {} lines, with blocks repeated",
        Script::MAX_TICKS,
        Script::MAX_STEPS
    )]
    TooLong,
    /// The map has no marker of that name.
    #[error("the map has no marker {name:?}{}", crate::text::hint(name, known))]
    UnknownMarker {
        /// Name of the marker in the script.
        name: String,
        /// Names of the map's markers.
        known: Vec<String>,
    },
}

debug_is_display!(ScriptErrorKind);

/// Words for something that is held twice, or with what cannot be held together with it.
fn held(word: &str, before: &str) -> String {
    if word == before {
        format!("input {word:?} is listed twice; expected it once")
    } else {
        format!("inputs {before:?} and {word:?} exclude each other; expected one of them")
    }
}

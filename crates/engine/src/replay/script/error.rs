use super::Script;
use crate::text::TextError;
use thiserror::Error;

/// What is wrong with the text of a script, and where.
pub type ScriptError = TextError<ScriptErrorKind>;

/// What can be wrong with a script.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScriptErrorKind {
    /// A line begins with no number and none of its words.
    #[error("{word:?} begins no line; expected a number of ticks or a word{}", crate::text::hint(word, known))]
    UnknownLine {
        /// What stands there.
        word: String,
        /// The words that a line may begin with.
        known: Vec<String>,
    },
    /// A number is not one from 1 to a greatest one.
    #[error("{found:?} is out of range; expected a whole number from 1 to {max}")]
    OutOfRange {
        /// What stands there.
        found: String,
        /// The greatest.
        max: u64,
    },
    /// A line ends too early.
    #[error("the line ends here; expected {expected}")]
    LineTooShort {
        /// What it lacks.
        expected: &'static str,
    },
    /// A line goes on too long.
    #[error("{word:?} is too much; expected the end of the line")]
    LineTooLong {
        /// What stands there.
        word: String,
    },
    /// Something is held that is no input.
    #[error("{word:?} is nothing to hold{}", crate::text::hint(word, known))]
    UnknownInput {
        /// What stands there.
        word: String,
        /// What can be held.
        known: Vec<String>,
    },
    /// Something is held by a part that is held or not.
    #[error("`{word}` is held or not; expected no `:`, which `left` and `right` may have")]
    NoPart {
        /// What stands there.
        word: String,
    },
    /// Something is held twice, or left and right at once.
    #[error("{}", held(word, before))]
    HeldTwice {
        /// What stands there.
        word: String,
        /// What stands before.
        before: String,
    },
    /// A block ends that has not begun.
    #[error("`end` without a `repeat` before it")]
    EndWithoutRepeat,
    /// A block does not end.
    #[error("this `repeat` has no `end`; expected it before the text ends")]
    RepeatWithoutEnd,
    /// The script is too long.
    #[error("the script is too long; expected at most {} ticks and {} stretches", Script::MAX_TICKS, Script::MAX_STEPS)]
    TooLong,
    /// There is no such marker on the map.
    #[error("the map has no marker {name:?}{}", crate::text::hint(name, known))]
    UnknownMarker {
        /// The name.
        name: String,
        /// Those that the map has.
        known: Vec<String>,
    },
}

/// Words for something that is held twice, or with what cannot be held together with it.
fn held(word: &str, before: &str) -> String {
    if word == before {
        format!("{word:?} is there twice; expected it once")
    } else {
        format!("{word:?} is held together with {before:?}; expected one of them")
    }
}

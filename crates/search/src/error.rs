//! Errors of a search.

use thiserror::Error;

/// Error of a search.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The body is not in the world.
    #[error("the body is not in the world")]
    NoSuchBody,
    /// The body is not a character.
    #[error("the body is not a character; expected a body with `Body::character` set")]
    NotACharacter,
    /// The search has no goal.
    #[error("the search has no goal; call `Search::goal`")]
    NoGoal,
    /// The map has no marker of that name.
    #[error("the map has no marker {name:?}")]
    NoMarker {
        /// Name of the marker.
        name: String,
    },
    /// The list of markers is empty.
    #[error("the goal has no markers; expected at least one name")]
    NoMarkers,
    /// The goal has more markers or areas than a set of visited ones holds.
    #[error("the goal has {count} markers or areas; expected at most 64")]
    TooManyMarkers {
        /// Number of markers or areas.
        count: usize,
    },
    /// The world has no area with that name or tag.
    #[error("the world has no area with the name or tag {name:?}")]
    NoArea {
        /// Name or tag of the area.
        name: String,
    },
    /// The weight is not a number from 0 to 1000.
    #[error("the weight is {weight}; expected a number from 0 to 1000")]
    Weight {
        /// The weight of the options.
        weight: f64,
    },
    /// The beam keeps no state.
    #[error("the width of the beam is 0; expected at least 1")]
    Beam,
    /// The options list too many extra inputs.
    #[error("the options have {count} extra inputs; expected at most 16")]
    TooManyInputs {
        /// Number of extra inputs.
        count: usize,
    },
    /// The state of the game cannot be written as bytes, so the search could not tell its states apart.
    #[error("the state of the game cannot be serialized: {reason}; expected a state that postcard can write")]
    GameState {
        /// Reason of postcard.
        reason: String,
    },
    /// The threads could not be started.
    #[error("the system refuses to start {threads} threads; use fewer")]
    Threads {
        /// Number of threads that [`Options::threads`](crate::Options::threads) names.
        threads: usize,
    },
    /// The found run did not reach the goal when it was played again.
    #[error(
        "the found run does not reach the goal when it is played again; expected a game whose tick depends only on the world, its state and the input"
    )]
    NotRepeatable,
}

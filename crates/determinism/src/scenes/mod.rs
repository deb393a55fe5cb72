//! Scenes, each about one thing. What each has to show is in `tests`.

mod change;
mod extremes;
mod ground;
mod motion;
mod streams;
#[cfg(test)]
mod tests;

pub(crate) use streams::Noise;

use crate::scene::Scene;

/// A scene's name, and how it begins.
type Entry = (&'static str, fn() -> Scene);

pub(crate) fn all() -> Vec<Entry> {
    [ground::SCENES, motion::SCENES, change::SCENES, extremes::SCENES, streams::SCENES].concat()
}

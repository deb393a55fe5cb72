//! Scripted scenes, one per feature. `tests` says what each scene has to show.

mod change;
mod extremes;
mod ground;
mod motion;
mod streams;
#[cfg(test)]
mod tests;

pub(crate) use streams::Noise;

use crate::scene::Scene;

/// The name of a scene and the function that creates it.
type Entry = (&'static str, fn() -> Scene);

pub(crate) fn all_scenes() -> Vec<Entry> {
    [ground::SCENES, motion::SCENES, change::SCENES, extremes::SCENES, streams::SCENES].concat()
}

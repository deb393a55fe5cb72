//! Runs in links.

use crate::error::RunLinkError;
use crate::link::Link;
use surefoot::Map;
use surefoot::io::MapLoadError;
use surefoot::record::{Inputs, Recording};
use surefoot::replay::{MapSource, Replay};

/// Time between two checksums in a link, in seconds. Checksums do not compress: they are most of a link with more of them.
const CHECKSUM_SECONDS: f64 = 10.0;

impl Link {
    /// Puts a run into a link, with a checksum each 10 seconds and the last one, and without positions.
    ///
    /// `name`: name of the replay. `map`: whether the link contains the map, or names a map that the page has.
    ///
    /// # Errors
    /// Returns [`RunLinkError`]:
    ///
    /// - if `name` is not a file name that ends in `.ron`, or if the text is too large. Let it end in `.replay.ron`: a page opens
    ///   other names as maps;
    /// - if the map has a catalogue of its own and the link would have to contain the map.
    pub fn of_run(name: &str, replay: &Replay, map: MapSource) -> Result<Link, RunLinkError> {
        let interval = (CHECKSUM_SECONDS / replay.settings().tick).round() as u64;
        let recording = Recording::clone(replay.recording()).with_fewer_checkpoints(interval);
        let smaller = Replay::new(&recording, replay.map().clone(), map)?;
        let expectations = replay.expectations().iter().map(|expectation| expectation.text());
        // The expectations hold for the same names and ticks as before.
        let smaller = smaller.clone().with_expectations(expectations).unwrap_or(smaller);
        Ok(Link::new(name, Some(smaller.to_ron()))?)
    }

    /// Puts the run of a game with rules of its own into a link, with a checksum each 10 seconds and the last one.
    ///
    /// The link contains neither the game nor its map. The program that has the game reads the run with
    /// [`Recording::from_short_ron`]. `name`: name of the run, which ends in [`Link::RUN_ENDING`].
    ///
    /// # Errors
    /// Returns [`RunLinkError`] if `name` is not a file name that ends in `.ron`, if the text is too large, or if the
    /// recording does not begin with a new game.
    pub fn of_recording(name: &str, recording: &Recording<Inputs>) -> Result<Link, RunLinkError> {
        let interval = (CHECKSUM_SECONDS / recording.start().settings().tick).round() as u64;
        let text = recording.clone().with_fewer_checkpoints(interval).to_short_ron()?;
        Ok(Link::new(name, Some(text))?)
    }

    /// Returns the run in the link. `load` returns the map of a name, if the link does not contain it.
    ///
    /// # Errors
    /// Returns [`RunLinkError`] if the link has no text, if it has the run of a game with rules of its own, if its text
    /// is not a valid replay, or if `load` returns an error.
    pub fn replay(&self, mut load: impl FnMut(&str) -> Result<Map, MapLoadError>) -> Result<Replay, RunLinkError> {
        let text = self.text().ok_or_else(|| RunLinkError::NameOnly { name: self.name().to_owned() })?;
        if Link::is_run(self.name()) {
            return Err(RunLinkError::OfGame { name: self.name().to_owned() });
        }
        let replay = Replay::from_ron_with(text, &mut load);
        replay.map_err(|error| RunLinkError::Replay(Box::new(error.in_file(self.name()))))
    }
}

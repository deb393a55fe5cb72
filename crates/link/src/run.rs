//! Puts runs into links, and takes replays out of them.
//!
//! A run has one of two forms. A replay has its map, or the name of the map, so [`Link::replay`] returns it to any
//! program. The run of a game with rules of its own only has inputs and checksums: a program that has the game plays
//! it. The ending of the name, [`Link::RUN_ENDING`], tells them apart.

use crate::error::RunLinkError;
use crate::link::Link;
use surefoot::Map;
use surefoot::io::MapLoadError;
use surefoot::record::{Inputs, Recording};
use surefoot::replay::{MapSource, Replay};

/// Time between two checksums in a link, in seconds. Checksums do not compress: they are most of a link with more of
/// them.
const CHECKSUM_SECONDS: f64 = 10.0;

impl Link {
    /// Puts a run into a link, with a checksum each 10 seconds and the last one, and without positions.
    ///
    /// `name`: name of the replay. Let it end in `.replay.ron`: a page reads a text of another name as a map first.
    /// `map`: whether the link contains the map, or names a map that the page has.
    ///
    /// # Errors
    /// Returns [`RunLinkError`]:
    ///
    /// - if `name` is not a file name that ends in `.ron`, or if the text is too large;
    /// - if the map has a catalogue of its own and the link would have to contain the map.
    pub fn of_run(name: &str, replay: &Replay, map: MapSource) -> Result<Link, RunLinkError> {
        let interval = (CHECKSUM_SECONDS / replay.settings().tick).round() as u64;
        let recording = Recording::clone(replay.recording()).with_fewer_checkpoints(interval);
        let smaller = Replay::new(&recording, replay.map().clone(), map)?;
        let expectations = replay.expectations().iter().map(|expectation| expectation.text());
        // The bodies, markers and ticks are those of `replay`, so its expectations are valid here too.
        let smaller = smaller.clone().with_expectations(expectations).unwrap_or(smaller);
        Ok(Link::new(name, Some(smaller.to_ron()))?)
    }

    /// Puts the run of a game with rules of its own into a link, with a checksum each 10 seconds and the last one.
    ///
    /// The link contains neither the game nor its map. The program that has the game reads the run with
    /// [`Recording::from_short_ron`]. `name`: name of the run. It must end in [`Link::RUN_ENDING`].
    ///
    /// # Errors
    /// Returns [`RunLinkError`] if `name` is not a file name with this ending, if the text is too large, or if the
    /// recording does not begin with a new game.
    pub fn of_recording(name: &str, recording: &Recording<Inputs>) -> Result<Link, RunLinkError> {
        if !Link::is_run(name) {
            return Err(RunLinkError::RunName { name: name.to_owned() });
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::prelude::*;
    use surefoot::{Input, World};

    #[test]
    fn the_run_of_a_game_has_the_name_of_a_run() {
        let map = Map::from_rows(["@..", "###"]).unwrap();
        let mut world = World::new(map, Settings::default());
        world.spawn(Body::new(Shape::aabb(0.3, 0.4)).at((0.5, 1.5))).unwrap();
        let mut run = GameRun::new(world, (), |world, (), _| world.step()).unwrap();
        (0..30).for_each(|_| run.advance(&Inputs::from(Input::default())).unwrap());
        run.save().unwrap();
        let recording = run.recording().unwrap();
        let link = Link::of_recording("fall-1.run.ron", recording).unwrap();
        let read = Recording::<Inputs>::from_short_ron(link.text().unwrap(), recording).unwrap();
        assert_eq!((link.name(), read.ticks()), ("fall-1.run.ron", 30));
        let error = |name: &str| Link::of_recording(name, recording).unwrap_err().to_string();
        for name in ["fall.ron", "fall.replay.ron", "fall"] {
            let expected =
                format!("the name {name:?} is not that of the run of a game; expected a name that ends in .run.ron");
            assert_eq!(error(name), expected);
        }
        assert!(error("../fall.run.ron").starts_with("the name \"../fall.run.ron\" in the link"));
        // A program without the game cannot play the run.
        let error = link.replay(|_| panic!("the run names no map")).unwrap_err();
        assert!(matches!(&error, RunLinkError::OfGame { name } if name == "fall-1.run.ron"), "{error}");
    }
}

use crate::run::{Run, Simulation};
use surefoot::prelude::*;
use surefoot::record::{Playback, TickComparison};
use surefoot::{Map, World};

/// Returns the recorded runs of `maps/`. Playing them also compares the checksums of the recordings.
pub(crate) fn recorded_runs() -> Vec<Run> {
    macro_rules! recorded {
        ($($folder:literal $($name:literal)*;)*) => {
            vec![$($(Run::new(concat!("replay_", $name), || {
                let map = include_str!(concat!("../../../maps/", $folder, $name, ".ron"));
                Recorded::new(map, include_str!(concat!("../../../maps/", $folder, $name, ".replay.ron")))
            })),*),*]
        };
    }
    recorded!["" "first_steps" "zoo" "highlands"; "showcase/" "platforms" "machines" "ledges" "belts" "ice" "crush" "lift" "ghosts" "driven" "areas" "crates" "balls" "porter";]
}

struct Recorded(Playback);

impl Recorded {
    fn new(map: &str, replay: &str) -> Recorded {
        let replay =
            Replay::from_ron_with(replay, |_| Ok(Map::from_ron(map)?)).unwrap_or_else(|error| panic!("{error}"));
        Recorded(Playback::new(&replay))
    }
}

impl Simulation for Recorded {
    fn step_unless_finished(&mut self) -> bool {
        match self.0.step() {
            // Continue hashing: the hashes show at which tick the runs of two targets diverge.
            Some(TickComparison::Differs(divergence)) => eprintln!("{divergence}"),
            Some(_) => {}
            None => return false,
        }
        true
    }

    fn world(&self) -> &World {
        self.0.world()
    }

    fn checksum(&self) -> Checksum {
        self.0.checksum()
    }
}

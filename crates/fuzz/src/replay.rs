use crate::law;
use crate::witness::Witness;
use surefoot::check::{self, FileKind};
use surefoot::prelude::*;
use surefoot::record::{Playback, PositionMismatch, RecordingStart, TickComparison};

/// The most ticks that are played of a replay.
const TICKS: usize = 48;

/// The most bodies at once in what is played.
const BODIES: usize = 64;

/// The most cells, of all layers, of the map of what is played.
const CELLS: usize = 4096;

/// Takes bytes as a replay file with its map in it.
///
/// # Panics
/// If loading, checking, writing or playing it is not as promised.
pub fn replay(bytes: &[u8]) {
    let Some(text) = law::text(bytes) else { return };
    let loaded = Replay::from_ron(&text);
    law::holds(FileKind::Replay, &text, &loaded, &check::text_as(FileKind::Replay, &text));
    let Ok(replay) = loaded else { return };
    let written = replay.to_ron();
    let read = Replay::from_ron(&written);
    let read = read.unwrap_or_else(|error| panic!("what was written is refused: {error}\n{written}"));
    assert!(read == replay, "{replay:?} is read back as {read:?} from\n{written}");
    assert_eq!(read.to_ron(), written, "written otherwise the second time");
    let RecordingStart::New { commands: bodies, .. } = replay.recording().start() else {
        panic!("it begins with no new world")
    };
    if replay.map().layers().iter().map(|layer| layer.cells.len()).sum::<usize>() <= CELLS && bodies.len() <= BODIES {
        play(replay, &written);
    }
}

/// What is told to be elsewhere is, and all of it: after a tick with places those that are not where the world has them.
fn positions(player: &Playback, written: &str) {
    let tick = player.world().tick();
    let expected = player.expected_positions(tick);
    if expected.is_empty() {
        return;
    }
    let name = |body| player.name(body).unwrap_or_else(|| panic!("{body:?} has no name in\n{written}")).to_owned();
    let world =
        |body| player.world().get(body).unwrap_or_else(|| panic!("{body:?} is not there in\n{written}")).position();
    let elsewhere: Vec<_> = expected
        .iter()
        .map(|at| (at.body, name(at.body), at.position, world(at.body)))
        .filter(|(_, _, expected, found)| expected != found)
        .collect();
    let told = |it: &PositionMismatch| (it.body, it.name.clone(), it.expected, it.found);
    assert!(player.mismatches().iter().all(|mismatch| mismatch.tick == tick));
    assert_eq!(player.mismatches().iter().map(told).collect::<Vec<_>>(), elsewhere, "after tick {tick} of\n{written}");
}

/// Plays some ticks: clones go on alike, and no body enters or crosses anything.
fn play(replay: Replay, written: &str) {
    let mut player = Playback::new(&replay);
    let mut witness = Witness::new(player.world());
    for _ in 0..TICKS {
        if player.world().bodies().count() > BODIES {
            break;
        }
        witness.look(player.world());
        let mut clone = player.clone();
        let verdict = player.step();
        assert_eq!(clone.step(), verdict, "a clone of the player says otherwise of\n{written}");
        let sums = |player: &Playback| (player.checksum(), player.world().motion_checksum());
        assert_eq!(sums(&clone), sums(&player), "a clone of the player goes another way in\n{written}");
        positions(&player, written);
        match verdict {
            None => break,
            // It is not the world of the map that is played.
            Some(TickComparison::Differs(_)) if player.world().tick() == 0 => break,
            Some(_) => {
                if let Err(breach) = witness.tick(player.world()) {
                    panic!("{breach}\nin tick {} of\n{written}", player.world().tick());
                }
            }
        }
    }
}

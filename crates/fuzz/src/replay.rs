//! The driver for replay files.

use crate::text_checks;
use crate::tick_checks::TickChecker;
use surefoot::check::{self, FileKind};
use surefoot::prelude::*;
use surefoot::record::{Playback, PositionMismatch, RecordingStart, TickComparison};

/// Maximum number of ticks that are played.
const MAX_TICKS: usize = 48;

/// Playing stops when there are more bodies.
const MAX_BODIES: usize = 64;

/// Replays on maps with more cells in all layers are not played.
const MAX_CELLS: usize = 4096;

/// Checks the guarantees of replay files with bytes as a file that contains its map.
///
/// # Panics
/// If loading, checking, writing or playing it breaks a guarantee.
pub fn check_replay(bytes: &[u8]) {
    let Some(text) = text_checks::read_text(bytes) else { return };
    let loaded = Replay::from_ron(&text);
    text_checks::assert_check_agrees(FileKind::Replay, &text, &loaded, &check::text_as(FileKind::Replay, &text));
    let Ok(replay) = loaded else { return };
    let written = replay.to_ron();
    let read = Replay::from_ron(&written);
    let read = read.unwrap_or_else(|error| panic!("what was written is refused: {error}\n{written}"));
    assert!(read == replay, "{replay:?} is read back as {read:?} from\n{written}");
    assert_eq!(read.to_ron(), written, "written otherwise the second time");
    let RecordingStart::New { commands: bodies, .. } = replay.recording().start() else {
        panic!("it begins with no new world")
    };
    if replay.map().layers().iter().map(|layer| layer.cells.len()).sum::<usize>() <= MAX_CELLS
        && bodies.len() <= MAX_BODIES
    {
        play_and_check(replay, &written);
    }
}

/// Panics unless the playback reports exactly the expected positions that differ from the world after this tick.
fn assert_all_mismatches_reported(player: &Playback, written: &str) {
    let tick = player.world().tick();
    let expected = player.expected_positions(tick);
    if expected.is_empty() {
        return;
    }
    let name = |body| player.name(body).unwrap_or_else(|| panic!("{body:?} has no name in\n{written}")).to_owned();
    let found =
        |body| player.world().get(body).unwrap_or_else(|| panic!("{body:?} is not there in\n{written}")).position();
    let mismatches: Vec<_> = expected
        .iter()
        .map(|at| (at.body, name(at.body), at.position, found(at.body)))
        .filter(|(_, _, expected, found)| expected != found)
        .collect();
    let fields =
        |mismatch: &PositionMismatch| (mismatch.body, mismatch.name.clone(), mismatch.expected, mismatch.found);
    assert!(player.mismatches().iter().all(|mismatch| mismatch.tick == tick));
    let reported: Vec<_> = player.mismatches().iter().map(fields).collect();
    assert_eq!(reported, mismatches, "after tick {tick} of\n{written}");
}

/// Plays some ticks. Clones must give the same results, and the oracle must accept all paths.
fn play_and_check(replay: Replay, written: &str) {
    let mut player = Playback::new(&replay);
    let mut checker = TickChecker::new(player.world());
    for _ in 0..MAX_TICKS {
        if player.world().bodies().count() > MAX_BODIES {
            break;
        }
        checker.record_positions(player.world());
        let mut clone = player.clone();
        let comparison = player.step();
        assert_eq!(clone.step(), comparison, "a clone of the player says otherwise of\n{written}");
        let checksums = |player: &Playback| (player.checksum(), player.world().motion_checksum());
        assert_eq!(checksums(&clone), checksums(&player), "a clone of the player goes another way in\n{written}");
        assert_all_mismatches_reported(&player, written);
        match comparison {
            None => break,
            // The recording does not start from this world, so nothing was played.
            Some(TickComparison::Differs(_)) if player.world().tick() == 0 => break,
            Some(_) => {
                if let Err(breach) = checker.check_tick(player.world()) {
                    panic!("{breach}\nin tick {} of\n{written}", player.world().tick());
                }
            }
        }
    }
}

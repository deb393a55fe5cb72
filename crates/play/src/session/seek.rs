//! Seeks in a watched run, and ends watching.

use super::run::Run;
use super::{Changes, Mode, Session};
use crate::files::folder_of;
use std::path::Path;
use surefoot::replay::MapSource;

/// Maximum number of ticks that a frame steps towards the target of a seek: a long way is seen as fast motion, and the
/// window stays responsive.
const MAX_SEEK_TICKS: u64 = 240;

impl Session {
    /// Goes to a tick of the watched run, in several frames if it is far away. Does nothing if no run is watched.
    pub fn seek(&mut self, tick: u64) {
        let Some(ticks) = self.watched().map(|watched| watched.ticks) else { return };
        let (tick, now) = (tick.min(ticks), self.world().tick());
        let has_moved = match &mut self.mode {
            Mode::Watch(watch) => watch.try_go_to_copy(tick),
            Mode::Rules(game) if tick < now => {
                game.go_back_to(tick);
                true
            }
            Mode::Rules(_) | Mode::Play(_) => false,
        };
        if has_moved {
            self.changes = Changes::All;
        }
        self.seek_target = Some(tick);
    }

    /// Steps towards the target of a seek. Returns whether a seek was in progress.
    pub(super) fn try_step_to_seek_target(&mut self) -> bool {
        let Some(tick) = self.seek_target else { return false };
        for _ in 0..MAX_SEEK_TICKS {
            if self.world().tick() >= tick || self.is_at_end() {
                self.seek_target = None;
                break;
            }
            self.step(self.hero_input());
        }
        self.sounds.clear();
        self.clock.show_last_tick();
        true
    }

    /// Ends watching: the player goes on from this tick. The run of the player then begins with the watched run up to
    /// here, also when it is saved. Does nothing if no run is watched.
    pub fn stop_watching(&mut self) {
        match &mut self.mode {
            Mode::Play(_) => return,
            Mode::Rules(game) => game.rules.stop_watching(),
            Mode::Watch(watch) => {
                let run = Run::continue_watched(&watch.player, Self::REWIND);
                if let MapSource::File(map) = watch.replay().map_source() {
                    // If the player saves the run, the replay may refer to the map by this file. So add the file to
                    // those of the session.
                    let map = folder_of(self.origin.files.first().map_or(Path::new(""), |file| file)).join(map);
                    self.origin.files.push(map);
                }
                self.mode = Mode::Play(Box::new(run));
                self.changes = Changes::All;
            }
        }
        self.seek_target = None;
        self.time.paused = false;
    }
}

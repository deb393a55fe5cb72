//! Takes over what an editor has changed in the file of the level.

use super::{Mode, Session};
use crate::error::PlayError;
use crate::legend::with_all_variants;
use crate::session::Changes;
use std::sync::Arc;
use surefoot::map::{Map, TileId};
use surefoot_import::MapChange;

impl Session {
    /// Takes over a change of the map: changed tiles are edits of the run. If more than tiles changed, a new run begins on
    /// the changed map, in which the bodies stay.
    ///
    /// # Errors
    /// [`PlayError`] if no map is played, or the world refuses a tile. The tiles before it are set then.
    pub fn take_over(&mut self, change: &MapChange) -> Result<(), PlayError> {
        let keep = Self::REWIND;
        let of_file = change.after.kinds().len();
        let whole = |map: &Map| Arc::new(with_all_variants(map));
        let (before, after) = (whole(&change.before), whole(&change.after));
        let whole = MapChange { before, after, report: change.report.clone() };
        let run = match &mut self.mode {
            Mode::Play(run) => run,
            Mode::Watch(_) => return Err(PlayError::Watching),
            Mode::Rules(_) => return Err(PlayError::HasRules),
        };
        self.edit_count += 1;
        match whole.edits(&run.world) {
            Some(edits) => {
                for edit in edits {
                    self.changes.add(super::changes::set_tiles(&edit));
                    run.apply(edit)?;
                }
            }
            None => {
                **run = run.rebuilt(&whole, keep)?;
                self.origin.kept = (0..of_file).map(|i| TileId(i as u16)).collect();
                self.changes = Changes::All;
            }
        }
        self.origin.notes = change.report.to_string().lines().map(str::to_owned).collect();
        Ok(())
    }
}

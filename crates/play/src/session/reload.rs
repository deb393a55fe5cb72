//! Takes over changes that an editor has saved in the file of the level.

use super::{Mode, Session};
use crate::error::PlayError;
use crate::legend::with_all_variants;
use crate::session::Changes;
use std::sync::Arc;
use surefoot::map::{Map, TileId};
use surefoot_import::MapChange;

impl Session {
    /// Takes over a change of the map. If only tiles changed, they become edits of the run. Otherwise a new run begins
    /// on the changed map, and the bodies stay in it.
    ///
    /// # Errors
    /// Returns [`PlayError`] if a replay or a game with its own rules is open, or if the world refuses a tile or a
    /// body. Tiles before the refused one are set.
    pub fn apply_map_change(&mut self, change: &MapChange) -> Result<(), PlayError> {
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
                    self.changes.add(super::changes::tiles_set_by(&edit));
                    run.apply_and_record(edit)?;
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

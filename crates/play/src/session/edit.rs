//! Changes the map while it is played.

use super::{Mode, Session, named};
use crate::edits::{Edit, Rectangle, rectangle_around};
use crate::error::PlayError;
use crate::legend::{self, map_with_edits};
use crate::palette::Brush;
use crate::session::Changes;
use surefoot::command::Command;
use surefoot::map::{Map, TileId};

/// Maximum distance beyond the map at which a placed tile makes the map grow, in tiles.
const MAX_GROWTH_TILES: i32 = 16;

/// Marker that a map has once.
const START_MARKER: &str = "start";

impl Session {
    /// Returns the edits that a brush makes at a cell of the painted layer. `removes`: the brush takes away what it
    /// places. `name`: the typed name of the thing to place.
    ///
    /// # Errors
    /// [`PlayError::NotInLegend`]; [`PlayError::NoName`]; [`PlayError::FarFromMap`] if the cell is too far from the map
    /// for the map to grow.
    pub(crate) fn edits_at(
        &self,
        tile: (i32, i32),
        brush: Brush,
        removes: bool,
        name: Option<&str>,
    ) -> Result<Vec<Edit>, PlayError> {
        let map = self.world().map();
        if removes {
            let listed = named::edits_to_remove_listed(map, tile, brush);
            if !listed.is_empty() {
                return Ok(listed);
            }
        } else if let Some(edit) = name.and_then(|name| named::edit_to_place_named(map, tile, brush, name)) {
            return Ok(vec![edit]);
        }
        let after = match brush {
            Brush::Marker(i) => {
                let known = || legend::marker_names(map).into_iter().nth(usize::from(i));
                let name = name.map(str::to_owned).filter(|_| !removes).or_else(known);
                return Ok(name.map_or_else(Vec::new, |name| self.marker_edits(tile, &name, removes)));
            }
            Brush::Area | Brush::Body if removes => return Ok(Vec::new()),
            Brush::Area | Brush::Body => return Err(PlayError::NoName),
            _ if removes => TileId::EMPTY,
            Brush::Eraser => TileId::EMPTY,
            Brush::Kind(id) => id,
            Brush::Variant(variant) => {
                legend::tile_id_of_variant(map, variant).ok_or(PlayError::NotInLegend { variant: variant.0 })?
            }
        };
        let layer = self.layer();
        let Some(before) = self.world().tile_at(layer, tile) else {
            if after == TileId::EMPTY {
                return Ok(Vec::new());
            }
            let grown = self.edit_to_extend_layer(layer, tile)?;
            return Ok(vec![grown, Edit::Tile { layer, tile, before: TileId::EMPTY, after }]);
        };
        let edit = Edit::Tile { layer, tile, before, after };
        Ok(if before == after { Vec::new() } else { vec![edit] })
    }

    /// Returns the edit that extends a layer so that the map contains a cell.
    fn edit_to_extend_layer(&self, layer: usize, (x, y): (i32, i32)) -> Result<Edit, PlayError> {
        let map = self.current_map()?;
        let whole @ ((left, bottom), (columns, rows)): Rectangle = (map.origin(), map.size());
        let beyond = |at: i32, low: i32, length: u32| {
            let (at, low) = (i64::from(at), i64::from(low));
            (low - at).max(at - low - i64::from(length) + 1)
        };
        let distance = beyond(x, left, columns).max(beyond(y, bottom, rows));
        if distance > i64::from(MAX_GROWTH_TILES) {
            return Err(PlayError::FarFromMap { distance, limit: MAX_GROWTH_TILES });
        }
        let own = &map.layers()[layer];
        let after = rectangle_around(whole, ((x, y), (1, 1)));
        Ok(Edit::Rectangle { layer, before: (own.origin, own.size), after })
    }

    /// Returns the edits that place or remove a marker. Placing a start removes the other starts.
    fn marker_edits(&self, tile: (i32, i32), name: &str, removes: bool) -> Vec<Edit> {
        let map = self.world().map();
        let ((left, bottom), (columns, rows)) = (map.origin(), map.size());
        let is_inside = |at: i32, low: i32, length: u32| {
            (i64::from(low)..i64::from(low) + i64::from(length)).contains(&i64::from(at))
        };
        let listed: Vec<(i32, i32)> =
            legend::listed_markers(map).into_iter().filter(|(own, _)| *own == name).map(|(_, tile)| tile).collect();
        let is_there = map.all_markers().any(|own| own == (name, tile));
        let edit = |tile, is_placed| Edit::Marker { name: name.to_owned(), tile, is_placed };
        if removes {
            return listed.into_iter().filter(|own| *own == tile).map(|tile| edit(tile, false)).collect();
        }
        if is_there || !is_inside(tile.0, left, columns) || !is_inside(tile.1, bottom, rows) {
            return Vec::new();
        }
        let others = listed.iter().filter(|_| name == START_MARKER).map(|own| edit(*own, false));
        others.chain([edit(tile, true)]).collect()
    }

    /// Makes edits. If one of them is more than the change of a tile, starts a new run on the changed map, with the
    /// hero where it was.
    ///
    /// # Errors
    /// [`PlayError`] if a replay is watched, or the map would become invalid. The map is then unchanged. Exception:
    /// if all edits only change tiles, those that are possible are made.
    pub(crate) fn apply_edits(&mut self, edits: &[Edit]) -> Result<(), PlayError> {
        let keep = Self::REWIND;
        let current = self.world().map().clone();
        if !edits.iter().all(|edit| edit.can_edit_running_world(&current)) {
            let mut parts = self.current_map()?.into_parts();
            edits.iter().for_each(|edit| edit.apply_to_map(&mut parts));
            let map = Map::from_parts(parts).map_err(|source| PlayError::Edit { source })?;
            let run = self.played_run_mut()?;
            *run = run.restarted_on_map(map, keep);
            self.changes = Changes::All;
            self.edit_count += 1;
            return Ok(());
        }
        let mut result = Ok(());
        for edit in edits {
            if let Edit::Tile { layer, tile, after, .. } = *edit {
                let set = self.set_tile(layer, tile, after);
                result = result.and(set);
            }
        }
        result
    }

    /// Sets a tile of the running world. Does nothing if the tile is of that kind already.
    pub(super) fn set_tile(&mut self, layer: usize, tile: (i32, i32), kind: TileId) -> Result<(), PlayError> {
        let run = self.played_run_mut()?;
        if run.world.tile_at(layer, tile) != Some(kind) {
            run.apply_and_record(Command::SetTile { layer, tile, tile_id: kind })?;
            self.changes.add([tile]);
            self.edit_count += 1;
        }
        Ok(())
    }

    /// Returns the map with the tiles that were edited in the run.
    fn current_map(&self) -> Result<Map, PlayError> {
        match &self.mode {
            Mode::Play(run) => map_with_edits(run.world.map(), &run.world).map_err(|source| PlayError::Edit { source }),
            Mode::Watch(_) => Err(PlayError::Watching),
            Mode::Rules(_) => Err(PlayError::HasRules),
        }
    }
}

//! Edits the tiles of a platform at run time.

use super::platforms::Baked;
use super::{Platforms, World};
use crate::command::CommandError;
use crate::map::TileId;
use crate::platform::PlatformId;
use crate::terrain::TileError;
use crate::version::Version;
use glam::I64Vec2;
use std::sync::Arc;
use surefoot_geometry::ONE;

impl World {
    /// Sets a tile of a platform and bakes the platform again. Bodies that it then overlaps pass through it until they
    /// are apart.
    pub(super) fn edit_platform_tile(
        &mut self,
        platform: PlatformId,
        layer: usize,
        tile: (i32, i32),
        tile_id: TileId,
    ) -> Result<(), CommandError> {
        let state = self.platforms.get(platform).ok_or(CommandError::NoSuchPlatform(platform))?;
        if self.map.kind(tile_id).is_none() {
            return Err(TileError::UnknownTile { tile_id }.into());
        }
        let layers = &state.platform().layers;
        let painted = layers.get(layer).ok_or(TileError::UnknownLayer { layer, layers: layers.len() })?;
        let (origin, size) = (painted.origin, painted.size);
        let (column, row) = (i64::from(tile.0) - i64::from(origin.0), i64::from(tile.1) - i64::from(origin.1));
        if !(0..i64::from(size.0)).contains(&column) || !(0..i64::from(size.1)).contains(&row) {
            return Err(TileError::OutsidePlatform { tile, origin, size }.into());
        }
        if painted.tile_at(tile) == tile_id {
            return Ok(());
        }
        let collides = painted.collides;
        let mut changed = state.platform().clone();
        changed.layers[layer].cells[(row * i64::from(size.0) + column) as usize] = tile_id;
        let baked = Baked::new(changed, None, &self.map, self.settings.tick)?;
        self.platforms.replace_baked(platform, Arc::new(baked));
        if collides {
            self.ignore_overlapped_platforms(None, Some(platform));
            self.detach_from_platform(platform);
            self.mark_bodies_at_platform_tile_for_recheck(platform, tile);
        }
        Ok(())
    }

    /// Marks bodies that may touch a cell of a platform for a recheck in the next tick.
    fn mark_bodies_at_platform_tile_for_recheck(&mut self, platform: PlatformId, tile: (i32, i32)) {
        let Some(state) = self.platforms.get(platform) else { return };
        let low = state.now.origin + I64Vec2::new(i64::from(tile.0), i64::from(tile.1)) * ONE;
        let mut disturbed = false;
        for state in self.bodies.values_mut() {
            let (at, reach) = (state.now.position.units(), state.kind.shape.half_units() + 2 * ONE);
            if (at + reach).cmpge(low).all() && (at - reach).cmple(low + ONE).all() {
                state.change(|now| now.disturbed = true);
                disturbed = true;
            }
        }
        self.bodies.disturbed |= disturbed;
    }
}

impl Platforms {
    /// Replaces the tiles of a platform.
    fn replace_baked(&mut self, platform: PlatformId, baked: Arc<Baked>) {
        let Some(slot) = self.slots.slot(platform) else { return };
        self.version = Version::next();
        self.change_and_update_grid(|platforms| {
            let terrain = platforms.terrain_of(&baked);
            platforms.shapes[slot].set_terrain(terrain);
            if let Some(state) = platforms.state_mut(slot) {
                state.baked = baked;
            }
        });
    }
}

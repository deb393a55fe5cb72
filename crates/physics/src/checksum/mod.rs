//! Checksums of a world and of a map, to compare two runs. Recordings and replays contain them.
//!
//! Worlds with equal checksums continue identically under the same commands. Worlds that would continue differently
//! have different checksums, except for hash collisions. A checksum is an opaque number, equal on all machines within
//! one [`PHYSICS_VERSION`].

mod state;

#[cfg(test)]
mod tests;

use crate::map::{Map, TileId};
use crate::terrain::Terrain;
pub(crate) use crate::tiles::checksum::{platform_checksum, tile_code};
use crate::world::World;

use crate::tiles::checksum::Hash;
pub use surefoot_tiles::{Checksum, ChecksumError};

/// Version of the engine's motion. Two releases with the same version move bodies identically, bit for bit, if they
/// get the same commands on the same map.
pub const PHYSICS_VERSION: u32 = 1;

impl World {
    /// Returns the checksum of how bodies move: the tick, and the position and velocity of each body.
    ///
    /// Unlike [`World::checksum`], it leaves out the rest of the state, such as tiles, inputs and settings.
    #[must_use]
    pub fn motion_checksum(&self) -> Checksum {
        let mut hash = Hash::default();
        hash.add_u64(self.tick());
        for (_, state) in self.bodies() {
            hash.add_position(state.position());
            // Hash both zeros as 0.0: they are the same motion.
            hash.add_f64(state.world_velocity().x + 0.0);
            hash.add_f64(state.world_velocity().y + 0.0);
        }
        hash.finish()
    }
}

/// Returns a checksum that identifies a map and the source of its tiles, as far as they affect bodies and edited tiles:
/// its checksum, its layers, the properties of its tile kinds, and the source's own checksum.
pub(crate) fn checksum_of_map_and_source(map: &Map, terrain: &Terrain) -> Checksum {
    let mut hash = Hash::default();
    hash.add_u64(map.checksum().0);
    hash.add_u32(map.layers().len() as u32);
    map.layers().iter().for_each(|layer| hash.add_u8(u8::from(layer.collides)));
    hash.add_u32(map.kinds().len() as u32);
    (0..map.kinds().len()).for_each(|i| hash.add_tile(tile_code(map, TileId(i as u16))));
    if let Some(source) = terrain.source_identity() {
        hash.add_u8(1);
        hash.add_u64(source);
    }
    hash.finish()
}

/// Returns the edited cells of a layer that behave differently from the cells of the map. Two different tile kinds
/// can behave alike.
fn edits_that_change_behaviour(world: &World, layer: usize) -> impl Iterator<Item = ((i32, i32), TileId)> + '_ {
    let map = world.map();
    let was = move |tile| world.tile_before_edits(layer, tile).map(|was| tile_code(map, was));
    world.painted.cells(layer).filter(move |&(tile, entry)| was(tile) != Some(tile_code(map, entry)))
}

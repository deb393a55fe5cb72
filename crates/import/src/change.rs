//! Changes of a level, and how a running world takes them over.

use crate::report::Report;
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot::command::{Command, CommandError};
use surefoot::event::BodyId;
use surefoot::map::{Map, TileId, TileKind, TileLayer};
use surefoot::world::World;

/// Change of a level while a game runs: the map before it and after it.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
/// use surefoot_import::{Applied, MapChange};
///
/// let before = Arc::new(Map::from_rows(["....", "####"])?);
/// let mut world = World::from_map(before.clone(), Settings::default());
/// let after = Arc::new(Map::from_rows(["...#", "####"])?);
/// let change = MapChange { before, after: after.clone(), report: Default::default() };
/// assert!(matches!(change.apply(&mut world)?, Applied::Edited));
/// assert_eq!(world.tile_at(0, (3, 1)), after.tile_at(0, (3, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MapChange {
    /// The map before the change.
    pub before: Arc<Map>,
    /// The map after the change.
    pub after: Arc<Map>,
    /// Parts of the level that are not in the map.
    pub report: Report,
}

/// How a world took over a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied {
    /// Tiles of the running world were edited. Nothing else changed.
    Edited,
    /// A new world on the changed map replaced the world. Maps the old id of each body that stayed to its new id.
    Rebuilt(BTreeMap<BodyId, BodyId>),
}

impl MapChange {
    /// Takes the change over into a running world: by [`MapChange::edits`] if they are enough, otherwise by
    /// [`MapChange::rebuilt`].
    ///
    /// # Errors
    /// Returns [`CommandError`] if the world refuses a tile or a body.
    pub fn apply(&self, world: &mut World) -> Result<Applied, CommandError> {
        if let Some(edits) = self.edits(world) {
            edits.into_iter().try_for_each(|edit| world.apply(edit).map(drop))?;
            return Ok(Applied::Edited);
        }
        let (rebuilt, bodies) = self.rebuilt(world)?;
        *world = rebuilt;
        Ok(Applied::Rebuilt(bodies))
    }

    /// Returns the edits that change the tiles of a running world, if the maps differ in tiles only.
    ///
    /// Returns `None` if anything else changed, such as the size, a layer, a marker, a thing or a property of the map.
    /// Also returns `None` if a tile changed to a kind that the world's map lacks.
    #[must_use]
    pub fn edits(&self, world: &World) -> Option<Vec<Command>> {
        let (before, after) = (&*self.before, &*self.after);
        if !is_same_but_for_tiles(before, after) {
            return None;
        }
        let (old, new) = (
            indices_of_equal_kinds(before.kinds(), before.kinds()),
            indices_of_equal_kinds(after.kinds(), before.kinds()),
        );
        let own = indices_of_equal_kinds(after.kinds(), world.map().kinds());
        let (mut cleared, mut set) = (Vec::new(), Vec::new());
        for (layer, (from, to)) in before.layers().iter().zip(after.layers()).enumerate() {
            for (tile, (a, b)) in cells_of_layer(from).zip(from.cells.iter().zip(&to.cells)) {
                if old[usize::from(a.0)] == new[usize::from(b.0)] {
                    continue;
                }
                let is_thing = |map: &Map, id| map.kind(id).is_some_and(|kind| !kind.things.is_empty());
                if is_thing(before, *a) || is_thing(after, *b) {
                    return None;
                }
                cleared.push(Command::SetTile { layer, tile, tile_id: TileId::EMPTY });
                set.push(Command::SetTile { layer, tile, tile_id: own[usize::from(b.0)]? });
            }
        }
        // Some pairs of tiles cannot share a cell in two layers, so remove all old tiles before the first new one is
        // set. A single layer needs no such order.
        if before.layers().len() == 1 {
            cleared.clear();
        }
        Some(cleared.into_iter().chain(set).collect())
    }

    /// Returns a new world on the changed map, in which the bodies stay. Also returns the new id of each of them.
    ///
    /// - A body keeps its definition, position, velocity, facing and input. Its ability, such as a dash, ends, and so do
    ///   grips.
    /// - A body that the map places is the same one if its name is the same. It gets its new definition if the map changed
    ///   it. Bodies that are no longer in the map are gone, new ones are there, and those that the game removed do not come
    ///   back.
    /// - Platforms and areas are those of the map at their start, and the ticks count from 0.
    /// - Tiles that the game edited stay, except where the map itself has changed.
    ///
    /// # Errors
    /// Returns [`CommandError`] if the new world refuses a body.
    pub fn rebuilt(&self, world: &World) -> Result<(World, BTreeMap<BodyId, BodyId>), CommandError> {
        let mut rebuilt = World::new(self.after.clone(), world.settings());
        rebuilt.spawn_map_bodies()?;
        let mut bodies = BTreeMap::new();
        for placed in self.after.bodies() {
            let (Some(id), Some(index)) = (rebuilt.find_body(&placed.name), self.before.find_body(&placed.name)) else {
                continue;
            };
            let Some(old) = world.find_body(&placed.name) else {
                rebuilt.despawn(id)?;
                continue;
            };
            if self.before.bodies()[index].thing == placed.thing {
                rebuilt.set_body(id, world[old].body().clone())?;
            }
            copy_body_state(world, old, &mut rebuilt, id)?;
            bodies.insert(old, id);
        }
        for (old, state) in world.bodies().filter(|(old, _)| world.placed_body(*old).is_none()) {
            let id = rebuilt.spawn(state.body().clone().at(state.position()))?;
            copy_body_state(world, old, &mut rebuilt, id)?;
            bodies.insert(old, id);
        }
        self.copy_unchanged_edits(world, &mut rebuilt);
        Ok((rebuilt, bodies))
    }

    /// Edits the tiles of a rebuilt world that the game had edited, where the map has not changed.
    fn copy_unchanged_edits(&self, world: &World, rebuilt: &mut World) {
        let (before, after) = (&*self.before, &*self.after);
        let kinds = world.map().kinds();
        let (own, old) =
            (indices_of_equal_kinds(kinds, before.kinds()), indices_of_equal_kinds(before.kinds(), before.kinds()));
        let (now, new) =
            (indices_of_equal_kinds(after.kinds(), before.kinds()), indices_of_equal_kinds(kinds, after.kinds()));
        for (layer, of_world) in world.map().layers().iter().enumerate() {
            let Some((from, to)) = before.layers().get(layer).zip(after.layers().get(layer)) else { continue };
            if from.name != to.name {
                continue;
            }
            for tile in cells_of_layer(of_world) {
                let was = old[usize::from(from.tile_at(tile).0)];
                let Some(edited) = world.tile_at(layer, tile).filter(|id| own[usize::from(id.0)] != was) else {
                    continue;
                };
                if now[usize::from(to.tile_at(tile).0)] == was
                    && let Some(id) = new[usize::from(edited.0)]
                {
                    // The edit is dropped if its tile cannot share the cell with a changed tile of another layer.
                    let _ = rebuilt.set_tile(layer, tile, id);
                }
            }
        }
    }
}

/// Copies the state of a body to a body of another world.
fn copy_body_state(world: &World, old: BodyId, rebuilt: &mut World, id: BodyId) -> Result<(), CommandError> {
    let state = &world[old];
    rebuilt.teleport(id, state.position())?;
    rebuilt.set_velocity(id, state.velocity())?;
    if state.character().is_some() {
        rebuilt.set_facing(id, state.facing())?;
        rebuilt.set_input(id, state.input());
    }
    Ok(())
}

/// Returns whether two maps are equal, or differ in their tiles and tile kinds only.
fn is_same_but_for_tiles(a: &Map, b: &Map) -> bool {
    let layer = |layer: &TileLayer| (layer.name.clone(), layer.collides, layer.origin, layer.size);
    let has_same_kinds = a.kinds() == b.kinds();
    a.catalogue().patterns() == b.catalogue().patterns()
        && a.catalogue_file() == b.catalogue_file()
        && a.borders() == b.borders()
        && a.collision_layers() == b.collision_layers()
        && a.properties() == b.properties()
        && a.pixels_per_tile() == b.pixels_per_tile()
        && a.layers().iter().map(layer).eq(b.layers().iter().map(layer))
        // Platforms store the indices of tile kinds. So equal platforms have the same tiles only if the kinds are equal
        // too.
        && a.platforms() == b.platforms()
        && (has_same_kinds || a.platforms().is_empty())
        && a.all_markers().eq(b.all_markers())
        && a.areas() == b.areas()
        && a.areas().iter().all(|area| a.area_properties(&area.name) == b.area_properties(&area.name))
        && a.platforms().iter().all(|own| a.platform_properties(&own.name) == b.platform_properties(&own.name))
        && a.bodies() == b.bodies()
}

/// Returns for each tile kind the index of an equal kind in another list. Tries the same index first, because a search
/// through long lists takes long.
fn indices_of_equal_kinds(kinds: &[TileKind], others: &[TileKind]) -> Vec<Option<TileId>> {
    let number = |(index, kind): (usize, &TileKind)| {
        let same = Some(index).filter(|index| others.get(*index) == Some(kind));
        same.or_else(|| others.iter().position(|other| other == kind)).map(|index| TileId(index as u16))
    };
    kinds.iter().enumerate().map(number).collect()
}

/// Returns the cells of a layer in their order.
fn cells_of_layer(layer: &TileLayer) -> impl Iterator<Item = (i32, i32)> + use<> {
    let ((left, bottom), (width, height)) = (layer.origin, layer.size);
    (0..height as i32).flat_map(move |y| (0..width as i32).map(move |x| (left + x, bottom + y)))
}

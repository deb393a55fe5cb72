//! Levels as assets: maps in RON, and levels of Tiled and LDtk.

use crate::components::{PhysicsArea, PhysicsBody, PhysicsPlatform};
use crate::physics::Physics;
use crate::thing::Thing;
use bevy_app::{App, PreUpdate};
use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetApp, AssetId, AssetLoader, AssetPath, AssetServer, Assets, Handle, LoadContext, ReadAssetBytesError,
};
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::Reflect;
use bevy_reflect::TypePath;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use surefoot::command::CommandError;
use surefoot::{Map, World as PhysicsWorld};
use surefoot_import::{Import, ImportError, MapChange, Options, Report, import_from_memory};
use thiserror::Error;

/// A level as an asset: a map in RON (`.ron`), or a level of Tiled (`.tmx`, `.tmj`) or LDtk (`.ldtk`).
///
/// An LDtk file may have several levels. Each is a labelled asset, such as `world.ldtk#Cave`. Without a label, the
/// asset is the first level of the file.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct Level {
    /// Name of the level in its file. Empty for a file with one level without a name.
    pub name: String,
    /// The map of the level.
    pub map: Arc<Map>,
    /// Parts of the level that are not in the map.
    pub report: Report,
    /// Neighbour levels in an LDtk world, as direction and name: see [`Import::neighbours`].
    pub neighbours: Vec<(String, String)>,
}

impl From<Import> for Level {
    fn from(import: Import) -> Level {
        let Import { name, map, report, neighbours, .. } = import;
        Level { name, map: Arc::new(map), report, neighbours }
    }
}

/// Level that the world is on. Insert the resource to load the first level, and replace it to change to another one.
///
/// - When the game changes to another level, the world begins again at tick 0. Each entity with a
///   [`PhysicsBody`](crate::PhysicsBody), a `PhysicsPlatform` or a `PhysicsArea` stays, and the component is spawned again.
///   Despawn entities that are not for the new level. Entities of bodies, platforms and areas of the old map are removed.
/// - When the file of the level changes (hot reload), bodies stay where they are: see [`MapChange`].
///
/// In both cases a [`LevelChanged`] is sent.
#[derive(Resource, Clone, Debug)]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Resource, Clone, Debug))]
pub struct CurrentLevel(pub Handle<Level>);

/// The world changed to a level, or the file of its level changed.
#[derive(Message, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Message, Clone, Debug, PartialEq))]
pub struct LevelChanged {
    /// The level.
    pub level: AssetId<Level>,
    /// Kind of the change.
    pub change: LevelChange,
}

/// Kind of a change of the level.
#[derive(Clone, PartialEq, Debug)]
pub enum LevelChange {
    /// The game changed to the level. The world begins at tick 0.
    Entered,
    /// The file of the level changed in tiles only. The world goes on, with edited tiles.
    Edited,
    /// More than tiles changed in the file. The world begins at tick 0 on the new map, with the same bodies. Ids are
    /// new, and each [`BodyOf`](crate::BodyOf) has the new id.
    Rebuilt,
    /// The world refused a tile or a body of the changed file, and keeps its old map. Edits of tiles before the refused
    /// one stay. The plugin also logs the error.
    Refused(CommandError),
}

/// Error of loading a [`Level`]. Find it by `AssetLoaderError::error` and `downcast_ref`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LevelLoadError {
    /// The file of the level cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        source: std::io::Error,
    },
    /// A file that the level names cannot be read.
    #[error("{}: the file {} cannot be read: {source}", level.display(), path.display())]
    Named {
        /// Path of the level.
        level: PathBuf,
        /// Path of the file that it names.
        path: PathBuf,
        /// Reason.
        source: ReadAssetBytesError,
    },
    /// The files of the level have a mistake. The error names the file.
    #[error(transparent)]
    Import(#[from] ImportError),
}

/// Asset loader for [`Level`]. It also reads tilesets and other files of the level as assets, so a changed tileset
/// reloads the level.
///
/// The plugin registers it with the options of
/// [`SurefootPlugin::import_options`](crate::SurefootPlugin::import_options).
#[derive(TypePath, Clone, Debug, Default)]
pub struct LevelLoader {
    options: Options,
}

impl AssetLoader for LevelLoader {
    type Asset = Level;
    type Settings = ();
    type Error = LevelLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<Level, LevelLoadError> {
        let path = context.path().path().to_owned();
        let mut bytes = Vec::new();
        let read = reader.read_to_end(&mut bytes).await;
        read.map_err(|source| LevelLoadError::Read { path: path.clone(), source })?;
        let mut files = BTreeMap::from([(path.clone(), bytes)]);
        // Each round finds the next file that is missing.
        let imports = loop {
            let error = match import_from_memory(&path, &files, &self.options) {
                Ok(imports) => break imports,
                Err(error) => error,
            };
            let Some(missing) = error.missing_file().filter(|missing| !files.contains_key(*missing)) else {
                return Err(error.into());
            };
            let missing = missing.to_owned();
            let source = context.path().source().clone_owned();
            let named = AssetPath::from_path_buf(missing.clone()).with_source(source);
            let bytes = context.read_asset_bytes(named).await;
            let refuse = |source| LevelLoadError::Named { level: path.clone(), path: missing.clone(), source };
            let bytes = bytes.map_err(refuse)?;
            files.insert(missing, bytes);
        };
        let levels: Vec<Level> = imports.into_iter().map(Level::from).collect();
        for level in levels.iter().filter(|level| !level.name.is_empty()) {
            context.add_labeled_asset(level.name.clone(), level.clone());
        }
        Ok(levels.into_iter().next().expect("an import has one level or more"))
    }

    fn extensions(&self) -> &[&str] {
        &["ron", "tmx", "tmj", "ldtk"]
    }
}

/// The level that the world has taken over.
#[derive(Resource, Default)]
struct TakenLevel(Option<Taken>);

struct Taken {
    level: AssetId<Level>,
    /// The map of the world.
    map: Arc<Map>,
    /// The map that was looked at last. A refused map is not tried again in each frame.
    seen: Arc<Map>,
}

/// Adds the loader and the system of levels, if the app has assets.
pub(crate) fn add_level_loading(app: &mut App, options: Option<&Options>) {
    #[cfg(feature = "reflect")]
    app.register_type::<CurrentLevel>().register_type::<LevelChanged>();
    if !app.world().contains_resource::<AssetServer>() {
        if app.world().resource::<Physics>().is_waiting {
            log::error!(
                "the physics world waits for a level, but there are no assets; add `AssetPlugin` before `SurefootPlugin`"
            );
        }
        return;
    }
    app.init_asset::<Level>()
        .register_asset_loader(LevelLoader { options: options.cloned().unwrap_or_default() })
        .add_message::<LevelChanged>()
        .init_resource::<TakenLevel>()
        .add_systems(PreUpdate, apply_current_level);
}

/// Takes over the current level once it is loaded, and again when it changes.
fn apply_current_level(world: &mut World) {
    let Some(handle) = world.get_resource::<CurrentLevel>().map(|level| level.0.clone()) else { return };
    let Some(asset) = world.resource::<Assets<Level>>().get(&handle) else { return };
    let (level, after, report) = (handle.id(), asset.map.clone(), asset.report.clone());
    let taken = world.resource_mut::<TakenLevel>().0.take().filter(|taken| taken.level == level);
    let (map, change) = match taken {
        Some(taken) if Arc::ptr_eq(&taken.seen, &after) => {
            world.resource_mut::<TakenLevel>().0 = Some(taken);
            return;
        }
        Some(Taken { map: before, .. }) => {
            let change = MapChange { before: before.clone(), after: after.clone(), report };
            match apply_map_change(world, &change) {
                Ok(change) => (after.clone(), change),
                Err(error) => {
                    let level = handle.path().map(ToString::to_string).unwrap_or_default();
                    log::error!(
                        "{level}: the changed level is refused, and the game goes on with the old one: {error}"
                    );
                    (before, LevelChange::Refused(error))
                }
            }
        }
        None => {
            start_world_on_map(world, after.clone());
            (after.clone(), LevelChange::Entered)
        }
    };
    world.resource_mut::<TakenLevel>().0 = Some(Taken { level, map, seen: after });
    world.write_message(LevelChanged { level, change });
}

/// Begins a new world on the map.
fn start_world_on_map(world: &mut World, map: Arc<Map>) {
    let mut physics = world.resource_mut::<Physics>();
    let settings = physics.world.settings();
    physics.world = PhysicsWorld::from_map(map, settings);
    physics.is_waiting = false;
    // Take the links first. The hooks that run when an old entity loses its id would otherwise remove the thing that
    // has this id in the new world.
    let platforms = take_entity_links::<PhysicsPlatform>(&mut physics);
    let bodies = take_entity_links::<PhysicsBody>(&mut physics);
    let areas = take_entity_links::<PhysicsArea>(&mut physics);
    respawn_or_despawn::<PhysicsPlatform>(world, platforms);
    respawn_or_despawn::<PhysicsBody>(world, bodies);
    respawn_or_despawn::<PhysicsArea>(world, areas);
}

/// Entities of things in the order of their ids in the old world.
type OldLinks<T> = Vec<(<T as Thing>::Id, Entity)>;

fn take_entity_links<T: Thing>(physics: &mut Physics) -> OldLinks<T> {
    std::mem::take(T::entity_links_mut(physics)).iter().collect()
}

/// Spawns the things of components again, and removes the entities of things that the map placed.
fn respawn_or_despawn<T: Thing>(world: &mut World, links: OldLinks<T>) {
    for (_, entity) in links {
        match world.get::<T>(entity).cloned() {
            Some(thing) => {
                world.entity_mut(entity).remove::<T::Of>().insert(thing);
            }
            None => drop(world.despawn(entity)),
        }
    }
}

/// Takes over the change of a file.
fn apply_map_change(world: &mut World, change: &MapChange) -> Result<LevelChange, CommandError> {
    let mut physics = world.resource_mut::<Physics>();
    if let Some(edits) = change.edits(&physics.world) {
        edits.into_iter().try_for_each(|edit| physics.world.apply(edit).map(drop))?;
        return Ok(LevelChange::Edited);
    }
    let (rebuilt, bodies) = change.rebuilt(&physics.world)?;
    let old = std::mem::replace(&mut physics.world, rebuilt);
    let old_platforms = take_entity_links::<PhysicsPlatform>(&mut physics);
    let old_bodies = take_entity_links::<PhysicsBody>(&mut physics);
    let old_areas = take_entity_links::<PhysicsArea>(&mut physics);
    // `bodies` maps the bodies that stayed to their new ids. The platforms and areas of the new world are those of the
    // map, so find them by their names.
    assign_new_ids::<PhysicsPlatform>(world, old_platforms, |new, id, is_of_map| {
        let name = &old.platform(id).filter(|_| is_of_map)?.platform().name;
        new.find_platform(name).filter(|_| !name.is_empty())
    });
    assign_new_ids::<PhysicsBody>(world, old_bodies, |_, id, _| bodies.get(&id).copied());
    assign_new_ids::<PhysicsArea>(world, old_areas, |new, id, is_of_map| {
        let name = &old.area(id).filter(|_| is_of_map)?.area().name;
        new.find_area(name).filter(|_| !name.is_empty())
    });
    Ok(LevelChange::Rebuilt)
}

/// Gives each entity the new id of its thing. A thing that the new world lacks is spawned again if a component defines
/// it. Otherwise its entity is removed.
fn assign_new_ids<T: Thing>(
    world: &mut World,
    links: OldLinks<T>,
    new_id: impl Fn(&PhysicsWorld, T::Id, bool) -> Option<T::Id>,
) {
    let mut lost = Vec::new();
    for (old, entity) in links {
        let is_of_map = !world.entity(entity).contains::<T>();
        match new_id(&world.resource::<Physics>().world, old, is_of_map) {
            Some(id) => {
                world.entity_mut(entity).insert(T::Of::from(id));
            }
            None => lost.push((old, entity)),
        }
    }
    respawn_or_despawn::<T>(world, lost);
}

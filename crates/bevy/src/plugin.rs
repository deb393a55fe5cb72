//! The plugin.

use crate::clock::{FixedClockChanged, report_clock_change, report_missing_clock};
use crate::components::{PhysicsArea, PhysicsBody, PhysicsPlatform};
use crate::control::{set_changed_inputs, update_control_from_buttons};
use crate::event::{PhysicsEvent, SpawnRefused};
use crate::physics::Physics;
use crate::systems::{for_each_thing, has_level, step_world, sync_entities_with_world, write_transforms};
use bevy_app::{App, FixedPostUpdate, Plugin, PreStartup, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use std::sync::Arc;
use surefoot::world::Settings;
use surefoot::{Map, World as PhysicsWorld};
#[cfg(feature = "asset")]
use surefoot_import::Options;

/// Sets of the plugin's systems, in the order in which they run.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SurefootSystems {
    /// In `FixedPostUpdate`: characters get their inputs.
    Prepare,
    /// In `FixedPostUpdate`: the world steps, and events are sent.
    Step,
    /// In `RunFixedMainLoop`, after the ticks of a frame: each `Transform` gets its position.
    Writeback,
}

/// Adds a physics world to an app: the resource [`Physics`], its systems, and a fixed clock with the ticks of the
/// world. The ticks need Bevy's `TimePlugin`, which `DefaultPlugins` and `MinimalPlugins` contain.
///
/// # Examples
/// ```
/// use bevy_app::App;
/// use bevy_surefoot::prelude::*;
/// use bevy_time::TimePlugin;
/// use surefoot::Map;
///
/// let map = Map::from_rows(["....", "####"])?;
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, SurefootPlugin::new(map).settings(Settings::default().tick(0.01)).pixels_per_tile(32.0)));
/// assert_eq!(app.world().resource::<Physics>().pixels_per_tile(), 32.0);
/// # Ok::<(), surefoot::map::RowsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SurefootPlugin {
    start: Start,
    pixels_per_tile: Option<f32>,
    #[cfg(feature = "asset")]
    import_options: Option<Box<Options>>,
}

/// The world at the start of the app.
#[derive(Clone, Debug)]
enum Start {
    Map(Arc<Map>, Settings),
    World(Box<PhysicsWorld>),
    /// Waits for the first level.
    Waiting(Settings),
}

impl Default for SurefootPlugin {
    /// Returns the plugin without a map. The world does not step until the game inserts a
    #[cfg_attr(feature = "asset", doc = "[`CurrentLevel`](crate::CurrentLevel) and the level is loaded.")]
    #[cfg_attr(not(feature = "asset"), doc = "level, for which it needs the feature `asset`.")]
    fn default() -> SurefootPlugin {
        SurefootPlugin::starting_with(Start::Waiting(Settings::default()))
    }
}

impl SurefootPlugin {
    fn starting_with(start: Start) -> SurefootPlugin {
        SurefootPlugin {
            start,
            pixels_per_tile: None,
            #[cfg(feature = "asset")]
            import_options: None,
        }
    }

    /// Creates the plugin with a world on `map`, with the platforms, areas and bodies of the map.
    #[must_use]
    pub fn new(map: impl Into<Arc<Map>>) -> SurefootPlugin {
        SurefootPlugin::starting_with(Start::Map(map.into(), Settings::default()))
    }

    /// Creates the plugin with a copy of a world, for example of a streamed one.
    #[must_use]
    pub fn of_world(world: PhysicsWorld) -> SurefootPlugin {
        SurefootPlugin::starting_with(Start::World(Box::new(world)))
    }

    /// Sets the settings of the world: gravity, the length of a tick, and others. A world of
    /// [`SurefootPlugin::of_world`] keeps its own.
    #[must_use]
    pub fn settings(self, settings: Settings) -> SurefootPlugin {
        let start = match self.start {
            Start::Map(map, _) => Start::Map(map, settings),
            Start::Waiting(_) => Start::Waiting(settings),
            Start::World(world) => Start::World(world),
        };
        SurefootPlugin { start, ..self }
    }

    /// Sets the units of Bevy along one side of a tile. Default: [`Map::pixels_per_tile`].
    #[must_use]
    pub fn pixels_per_tile(self, pixels: f32) -> SurefootPlugin {
        SurefootPlugin { pixels_per_tile: Some(pixels), ..self }
    }

    /// Sets how levels of Tiled and LDtk are imported, for example which names of the editor are which tiles.
    #[cfg(feature = "asset")]
    #[must_use]
    pub fn import_options(self, options: Options) -> SurefootPlugin {
        SurefootPlugin { import_options: Some(Box::new(options)), ..self }
    }
}

impl Plugin for SurefootPlugin {
    fn build(&self, app: &mut App) {
        let world = match &self.start {
            Start::Map(map, settings) => PhysicsWorld::from_map(map.clone(), *settings),
            Start::Waiting(settings) => PhysicsWorld::new(empty_map(), *settings),
            Start::World(world) => PhysicsWorld::clone(world),
        };
        let clock = Time::<Fixed>::from_seconds(world.settings().tick);
        let physics = Physics {
            world,
            pixels_per_tile: self.pixels_per_tile,
            is_waiting: matches!(self.start, Start::Waiting(_)),
            timestep: clock.timestep(),
            bodies: Default::default(),
            platforms: Default::default(),
            areas: Default::default(),
        };
        app.insert_resource(clock)
            .insert_resource(physics)
            .add_message::<PhysicsEvent>()
            .add_message::<SpawnRefused>()
            .add_message::<FixedClockChanged>();
        add_systems(app);
        #[cfg(feature = "asset")]
        crate::level::add_level_loading(app, self.import_options.as_deref());
        #[cfg(feature = "reflect")]
        crate::components::register_types(app);
    }
}

fn add_systems(app: &mut App) {
    let steps = (for_each_thing!(sync_entities_with_world), step_world).chain().run_if(has_level);
    app.configure_sets(FixedPostUpdate, (SurefootSystems::Prepare, SurefootSystems::Step).chain())
        .configure_sets(
            RunFixedMainLoop,
            SurefootSystems::Writeback.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
        )
        .add_systems(PreStartup, (report_missing_clock, for_each_thing!(sync_entities_with_world)))
        .add_systems(
            FixedPostUpdate,
            (report_clock_change, (update_control_from_buttons, set_changed_inputs).chain())
                .in_set(SurefootSystems::Prepare),
        )
        .add_systems(FixedPostUpdate, steps.in_set(SurefootSystems::Step))
        .add_systems(RunFixedMainLoop, for_each_thing!(write_transforms).in_set(SurefootSystems::Writeback));
}

/// The map of a world that waits for its first level.
pub(crate) fn empty_map() -> Map {
    Map::from_rows(["."]).expect("a row of one empty tile is a map")
}

//! Levels as assets, from files in memory.

use crate::scene::{ball, hero};
use bevy_app::{App, Startup, TaskPoolPlugin, Update};
use bevy_asset::io::memory::{Dir, MemoryAssetReader};
use bevy_asset::io::{AssetSourceBuilder, AssetSourceId};
use bevy_asset::{AssetApp, AssetLoadError, AssetLoadFailedEvent, AssetPlugin, AssetServer, Assets};
use bevy_ecs::message::MessageReader;
use bevy_ecs::prelude::*;
use bevy_surefoot::LevelLoadError;
use bevy_surefoot::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use std::path::{Path, PathBuf};
use std::time::Duration;
use surefoot::command::CommandError;

const MAP: &str = r#"Map(
    format: 1, pixels_per_tile: 8, collision_layers: ["all", "ghost"], tiles: ["@..g..c.", "========"],
    legend: {
        'g': (body: (kind: "walker", shape: Aabb(0.4, 0.4), character: (walk_speed: 3.0))),
        'c': (area: (tag: "coin", shape: Circle(0.35))),
    },
    platforms: [(name: "lift", at: (9, 0), tiles: ["=="])],
)"#;

/// Messages that the app has got, and the errors of assets that failed.
#[derive(Resource, Default)]
struct Told {
    changes: Vec<LevelChange>,
    errors: Vec<String>,
    /// File with the last mistake.
    mistake: Option<PathBuf>,
}

/// An app without a level, and its files.
fn app(files: &[(&str, &str)]) -> (App, Dir) {
    let dir = Dir::default();
    for (path, text) in files {
        dir.insert_asset_text(Path::new(path), text);
    }
    let root = dir.clone();
    let reader = move || Box::new(MemoryAssetReader { root: root.clone() }) as Box<_>;
    let mut app = App::new();
    app.register_asset_source(AssetSourceId::Default, AssetSourceBuilder::new(reader))
        .add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), TimePlugin, SurefootPlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)))
        .init_resource::<Told>()
        .add_systems(Update, hear);
    (app, dir)
}

fn hear(
    mut told: ResMut<Told>,
    mut changes: MessageReader<LevelChanged>,
    mut failed: MessageReader<AssetLoadFailedEvent<Level>>,
) {
    told.changes.extend(changes.read().map(|changed| changed.change.clone()));
    for failed in failed.read() {
        told.errors.push(failed.error.to_string());
        if let AssetLoadError::AssetLoaderError(error) = &failed.error {
            told.mistake = match error.error().downcast_ref::<LevelLoadError>() {
                Some(LevelLoadError::Import(error)) => Some(error.path.clone()),
                Some(LevelLoadError::Named { path, .. }) => Some(path.clone()),
                _ => None,
            };
        }
    }
}

fn enter(app: &mut App, path: &'static str) {
    let handle = app.world().resource::<AssetServer>().load(path);
    app.insert_resource(CurrentLevel(handle));
}

/// Runs frames until `is_done`. Loads are done by threads, so the number of frames differs.
fn run_until(app: &mut App, is_done: impl Fn(&Told) -> bool) {
    for _ in 0..5000 {
        app.update();
        if is_done(app.world().resource::<Told>()) {
            return;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    panic!("{:?}", app.world().resource::<Told>().errors);
}

fn changed(count: usize) -> impl Fn(&Told) -> bool {
    move |told| told.changes.len() == count
}

fn replace_and_reload_asset(app: &mut App, dir: &Dir, path: &'static str, text: &str) {
    dir.insert_asset_text(Path::new(path), text);
    app.world().resource::<AssetServer>().reload(path);
}

fn physics(app: &App) -> &Physics {
    app.world().resource::<Physics>()
}

fn last_change(app: &App) -> &LevelChange {
    app.world().resource::<Told>().changes.last().unwrap()
}

/// An app on the level `a.ron`, with a ball of the game that rests on the floor.
fn app_with_ball() -> (App, Dir, Entity) {
    let (mut app, dir) = app(&[("a.ron", MAP)]);
    let ball = app.world_mut().spawn(PhysicsBody(ball().at((1.5, 1.25)).velocity((0.0, 0.0)))).id();
    enter(&mut app, "a.ron");
    run_until(&mut app, changed(1));
    for _ in 0..10 {
        app.update();
    }
    (app, dir, ball)
}

#[test]
fn the_world_waits_for_its_first_level() {
    let (mut app, _) = app(&[("a.ron", MAP)]);
    app.add_systems(Startup, |mut commands: Commands| {
        commands.spawn(PhysicsBody(hero()));
    });
    (0..5).for_each(|_| app.update());
    assert_eq!(physics(&app).world.tick(), 0);
    enter(&mut app, "a.ron");
    run_until(&mut app, changed(1));
    assert_eq!(*last_change(&app), LevelChange::Entered);
    app.update();
    let tick = physics(&app).world.tick();
    assert!((1..=3).contains(&tick), "{tick}");
    assert_eq!((physics(&app).world.bodies().count(), physics(&app).pixels_per_tile()), (2, 8.0));
    assert_eq!(app.world_mut().query::<(&BodyOf, &Transform)>().iter(app.world()).count(), 2);
}

#[test]
fn saved_tiles_edit_the_running_world() {
    let (mut app, dir, ball) = app_with_ball();
    let (before, tick) = (*app.world().get::<BodyOf>(ball).unwrap(), physics(&app).world.tick());
    replace_and_reload_asset(&mut app, &dir, "a.ron", &MAP.replace("@..g..c.", "@..g.#c."));
    run_until(&mut app, changed(2));
    assert_eq!(*last_change(&app), LevelChange::Edited);
    let world = &physics(&app).world;
    assert!(world.tick() > tick && !world.tile_at(0, (5, 1)).unwrap().eq(&surefoot::prelude::TileId::EMPTY));
    assert_eq!(app.world().get::<BodyOf>(ball), Some(&before));
}

#[test]
fn a_saved_level_of_another_size_keeps_bodies_and_entities() {
    let (mut app, dir, ball) = app_with_ball();
    let position = |app: &App| {
        let physics = physics(app);
        physics.world[app.world().get::<BodyOf>(ball).unwrap().0].position()
    };
    let walker = physics(&app).entity_of_body(physics(&app).world.find_body("walker 3,1").unwrap()).unwrap();
    let lift = app.world_mut().query_filtered::<Entity, With<PlatformOf>>().single(app.world()).unwrap();
    let coin = app.world_mut().query_filtered::<Entity, With<AreaOf>>().single(app.world()).unwrap();
    let goal = surefoot::area::Area::new(surefoot::area::AreaShape::circle(0.5).unwrap()).at((5.0, 1.0)).tag("goal");
    let goal = app.world_mut().spawn(PhysicsArea(goal)).id();
    let before = position(&app);
    let wider = MAP.replace("@..g..c.", "@..g..c..").replace("\"========\"", "\"=========\"");
    replace_and_reload_asset(&mut app, &dir, "a.ron", &wider);
    run_until(&mut app, changed(2));
    assert_eq!(*last_change(&app), LevelChange::Rebuilt);
    assert_eq!(physics(&app).world.map().size(), (9, 2));
    assert_eq!(position(&app), before);
    let physics = physics(&app);
    assert_eq!(physics.entity_of_body(physics.world.find_body("walker 3,1").unwrap()), Some(walker));
    assert_eq!(physics.entity_of_platform(physics.world.find_platform("lift").unwrap()), Some(lift));
    let tags = [coin, goal].map(|entity| {
        let &AreaOf(id) = app.world().get::<AreaOf>(entity).unwrap();
        physics.world.area(id).unwrap().area().tag.clone()
    });
    assert_eq!(tags, ["coin", "goal"]);
    assert_eq!((physics.world.bodies().count(), physics.world.areas().count()), (2, 2));
}

#[test]
fn a_saved_level_that_refuses_a_body_is_told_once() {
    let (mut app, dir, ball) = app_with_ball();
    let of = app.world().get::<BodyOf>(ball).unwrap().0;
    let ghost = surefoot::map::CollisionLayers(2);
    app.world_mut().resource_mut::<Physics>().world.set_collision_layers(of, ghost).unwrap();
    let without = MAP.replace("\"all\", \"ghost\"", "\"all\"");
    replace_and_reload_asset(&mut app, &dir, "a.ron", &without);
    run_until(&mut app, changed(2));
    assert!(
        matches!(last_change(&app), LevelChange::Refused(CommandError::CollisionLayer(_))),
        "{:?}",
        last_change(&app)
    );
    (0..5).for_each(|_| app.update());
    assert_eq!(app.world().resource::<Told>().changes.len(), 2);
    replace_and_reload_asset(&mut app, &dir, "a.ron", &MAP.replace("@..", "..."));
    run_until(&mut app, changed(3));
    assert_eq!(*last_change(&app), LevelChange::Rebuilt);
}

#[test]
fn another_level_starts_the_bodies_of_the_game_again() {
    let (mut app, dir, ball) = app_with_ball();
    dir.insert_asset_text(Path::new("b.ron"), r#"Map(format: 1, tiles: [".....", "====="])"#);
    let walker = physics(&app).entity_of_body(physics(&app).world.find_body("walker 3,1").unwrap()).unwrap();
    enter(&mut app, "b.ron");
    run_until(&mut app, changed(2));
    assert_eq!(*last_change(&app), LevelChange::Entered);
    assert!(app.world().get_entity(walker).is_err(), "the old map placed it");
    let physics = physics(&app);
    assert_eq!((physics.world.bodies().count(), physics.world.areas().count()), (1, 0));
    let &BodyOf(id) = app.world().get::<BodyOf>(ball).unwrap();
    assert_eq!((physics.entity_of_body(id), physics.world[id].shape()), (Some(ball), Shape::circle(0.25)));
}

#[test]
fn mistakes_in_files_are_typed_and_named_and_keep_the_level() {
    let failed = |count| move |told: &Told| told.errors.len() >= count;
    let (mut app, dir, _) = app_with_ball();
    replace_and_reload_asset(&mut app, &dir, "a.ron", &MAP.replace("@..", "@?."));
    run_until(&mut app, failed(1));
    let told = app.world().resource::<Told>();
    assert!(told.errors[0].contains("a.ron:2:") && told.errors[0].contains('?'), "{}", told.errors[0]);
    assert_eq!(told.mistake.as_deref(), Some(Path::new("a.ron")));
    let before = physics(&app).world.tick();
    app.update();
    assert!(physics(&app).world.tick() > before, "the world goes on");
    assert_eq!(app.world().resource::<Told>().changes.len(), 1);
}

const TMX: &str = r#"<map version="1.10" orientation="orthogonal" width="2" height="2" tilewidth="16" tileheight="16">
 <tileset firstgid="1" source="../sets/walls.tsx"/>
 <layer id="1" name="Ground" width="2" height="2"><data encoding="csv">0,0,1,1</data></layer>
</map>"#;
const TSX: &str = r#"<tileset version="1.10" name="walls" tilewidth="16" tileheight="16" tilecount="1" columns="1">
 <tile id="0" type="surefoot:full_block"/>
</tileset>"#;

/// A level of Tiled names its tileset, which the asset system reads too.
#[test]
fn files_that_a_level_names_are_read_as_assets() {
    let (mut app, dir) = app(&[("levels/cave.tmx", TMX)]);
    enter(&mut app, "levels/cave.tmx");
    run_until(&mut app, |told| !told.errors.is_empty());
    let told = app.world().resource::<Told>();
    assert!(told.errors[0].contains("sets/walls.tsx"), "{}", told.errors[0]);
    assert_eq!(told.mistake.as_deref(), Some(Path::new("sets/walls.tsx")));
    dir.insert_asset_text(Path::new("sets/walls.tsx"), TSX);
    app.world().resource::<AssetServer>().reload("levels/cave.tmx");
    run_until(&mut app, changed(1));
    let world = &physics(&app).world;
    assert!(world.terrain().is_solid((0.5, 0.5).try_into().unwrap()));
    assert!(!world.terrain().is_solid((0.5, 1.5).try_into().unwrap()));
}

#[test]
fn each_level_of_an_ldtk_file_is_a_labelled_asset() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/files/ldtk/wrong_levels.ldtk");
    let text = std::fs::read_to_string(path).unwrap();
    let imports = surefoot_import::import_from_memory(
        "w.ldtk",
        &[(PathBuf::from("w.ldtk"), text.clone().into_bytes())].into(),
        &surefoot_import::Options::default(),
    );
    let imports = imports.unwrap();
    assert!(imports.len() >= 2);
    let (mut app, _) = app(&[("w.ldtk", &text)]);
    let second: &'static str = format!("w.ldtk#{}", imports[1].name).leak();
    enter(&mut app, second);
    run_until(&mut app, changed(1));
    assert_eq!(**physics(&app).world.map(), imports[1].map);
    let handle = app.world().resource::<CurrentLevel>().0.clone();
    assert_eq!(app.world().resource::<Assets<Level>>().get(&handle).unwrap().name, imports[1].name);
}

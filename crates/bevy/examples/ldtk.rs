//! A level of LDtk that bodies collide with: `level.ldtk` in this folder, with what the import reads of such a file.
//!
//! `cargo run --example ldtk` in this folder.

use bevy_app::{App, FixedUpdate, Startup, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, AssetServer};
use bevy_ecs::prelude::*;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::Input;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use std::time::Duration;

const LEVELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

fn load_level(mut commands: Commands, assets: Res<AssetServer>) {
    commands.insert_resource(CurrentLevel(assets.load("level.ldtk")));
}

/// An entity of LDtk with the name `Player` is the marker `start`.
fn spawn_hero(mut changes: MessageReader<LevelChanged>, mut commands: Commands, physics: Res<Physics>) -> Result {
    for _ in changes.read().filter(|changed| changed.change == LevelChange::Entered) {
        let start = physics.world.map().marker("start").ok_or("the level has no start")?;
        let body = Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default());
        commands.spawn((PhysicsBody(body), CharacterControl(Input::walk(1.0))));
    }
    Ok(())
}

fn hear(mut events: MessageReader<PhysicsEvent>) {
    for event in events.read() {
        println!("tick {}: {}", event.tick, event.kind.name());
    }
}

/// Returns the app after 120 ticks.
fn play() -> App {
    let assets = AssetPlugin { file_path: LEVELS.to_owned(), ..AssetPlugin::default() };
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), assets, TimePlugin, SurefootPlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)))
        .add_systems(Startup, load_level)
        .add_systems(Update, spawn_hero)
        .add_systems(FixedUpdate, hear);
    while app.world().resource::<Physics>().world.tick() < 120 {
        app.update();
    }
    app
}

fn main() {
    let mut app = play();
    let of = app.world_mut().query_filtered::<&BodyOf, With<CharacterControl>>().single(app.world());
    let state = of.ok().and_then(|of| app.world().resource::<Physics>().world.get(of.0));
    println!("the hero is at {:?}", state.map(|state| state.position().to_vec2()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hero_walks_in_a_level_of_ldtk() {
        let mut app = play();
        let of = *app.world_mut().query_filtered::<&BodyOf, With<CharacterControl>>().single(app.world()).unwrap();
        let world = &app.world().resource::<Physics>().world;
        // From the start in column 2, the hero runs to the step of two blocks in column 5, and stops in front of it.
        let at = world[of.0].position().to_dvec2();
        assert!((at.x - 4.65).abs() < 1e-9 && (at.y - 2.45).abs() < 1e-9, "{at}");
        assert!(world[of.0].on_floor());
    }
}

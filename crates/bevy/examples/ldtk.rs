//! A level of LDtk that bodies collide with, from the folder `assets/ldtk` of the repository.
//!
//! `cargo run --example ldtk` in this folder.

use bevy_app::{App, FixedUpdate, Startup, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, AssetServer};
use bevy_ecs::prelude::*;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::Input;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use std::time::Duration;

const LEVELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/ldtk");

fn load_level(mut commands: Commands, assets: Res<AssetServer>) {
    commands.insert_resource(CurrentLevel(assets.load("surefoot.ldtk")));
}

/// The level has no marker for the start: the hero falls from here onto the hill at the left wall.
const START: (f64, f64) = (2.5, 13.5);

fn spawn_hero(mut changes: MessageReader<LevelChanged>, mut commands: Commands) {
    for _ in changes.read().filter(|changed| changed.change == LevelChange::Entered) {
        let body = Body::new(Shape::aabb(0.35, 0.45)).at(START).character(Character::default());
        commands.spawn((PhysicsBody(body), CharacterControl(Input::walk(1.0))));
    }
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
        assert!(world[of.0].position().to_dvec2().x > START.0 + 1.0);
        assert!(!world[of.0].is_stuck());
    }
}

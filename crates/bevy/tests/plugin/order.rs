//! The order of spawns, which decides the bits of a run.

use crate::scene::{ball, hero, level};
use bevy_app::{App, Startup};
use bevy_ecs::prelude::*;
use bevy_surefoot::prelude::*;
use bevy_time::TimePlugin;
use surefoot::World as PhysicsWorld;
use surefoot::prelude::Checksum;

#[derive(Component)]
struct Name(#[allow(dead_code)] &'static str);

#[derive(Component)]
struct Health(#[allow(dead_code)] u32);

/// Bodies of different archetypes, spawned in turn. `extra` gives every second one another component.
fn run(extra: bool) -> (Checksum, Vec<u64>) {
    let mut app = App::new();
    app.add_plugins((TimePlugin, SurefootPlugin::new(level()))).add_systems(Startup, move |mut commands: Commands| {
        for index in 0..6_u32 {
            let body = if index % 3 == 0 { hero() } else { ball().at((f64::from(index) + 2.0, 4.5)) };
            let mut entity = commands.spawn(PhysicsBody(body.tag(index.into())));
            if extra && index % 2 == 0 {
                entity.insert((Name("even"), Health(3)));
            }
        }
        // This entity gets another component before its body.
        let mut late = commands.spawn_empty();
        if extra {
            late.insert(Health(1));
        }
        late.insert(PhysicsBody(ball().tag(6)));
    });
    app.update();
    let world = &app.world().resource::<Physics>().world;
    (world.checksum(), world.bodies().map(|(_, state)| state.tag()).collect())
}

#[test]
fn bodies_are_spawned_in_the_order_of_commands() {
    let mut world = PhysicsWorld::from_map(level(), Settings::default());
    for index in 0..6_u32 {
        let body = if index % 3 == 0 { hero() } else { ball().at((f64::from(index) + 2.0, 4.5)) };
        world.spawn(body.tag(index.into())).unwrap();
    }
    world.spawn(ball().tag(6)).unwrap();
    // The walker of the map is the first body, without a tag.
    let expected = (world.checksum(), vec![0, 0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(run(false), expected);
    assert_eq!(run(true), expected);
}

//! A small game without a window: a hero collects coins on a level with a lift.
//!
//! `cargo run --example headless` in this folder.

use bevy_app::{App, FixedUpdate, Startup};
use bevy_ecs::prelude::*;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::{Input, Map};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use std::time::Duration;

const LEVEL: &str = r#"Map(
    format: 1,
    pixels_per_tile: 16,
    border: (right: Solid),
    legend: {'c': (area: (tag: "coin", shape: Circle(0.35)))},
    platforms: [(name: "lift", at: (11, 1), motion: Path(points: [(0, 0), (0, 2)], speed: 2.0), tiles: ["=="])],
    tiles: [
        "................",
        ".............c..",
        "........c....===",
        r"..@.c../=\......",
        "================",
    ],
)"#;

#[derive(Component)]
struct Hero;

#[derive(Resource, Default)]
struct Coins(u32);

fn spawn_hero(mut commands: Commands, physics: Res<Physics>) -> Result {
    let start = physics.world.map().marker("start").ok_or("the level has no start")?;
    let body = Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default());
    commands.spawn((Hero, PhysicsBody(body), CharacterControl::default()));
    Ok(())
}

/// In a game with a window, keys set `CharacterButtons` instead.
fn walk(physics: Res<Physics>, mut control: Single<&mut CharacterControl, With<Hero>>) {
    let jumps = physics.world.tick() % 60 >= 30;
    control.0 = Input { jump: jumps, ..Input::walk(1.0) };
}

/// Despawning the entity of the coin removes its area from the world.
fn collect(
    mut events: MessageReader<PhysicsEvent>,
    physics: Res<Physics>,
    mut commands: Commands,
    mut coins: ResMut<Coins>,
) {
    for event in events.read() {
        let EventKind::AreaEntered { area } = event.kind else { continue };
        // Water and ladders are areas too.
        let is_coin = physics.world.area(area).is_some_and(|state| state.area().tag == "coin");
        let Some(coin) = physics.entity_of_area(area).filter(|_| is_coin) else { continue };
        coins.0 += 1;
        println!("tick {}: coin {}", event.tick, coins.0);
        commands.entity(coin).despawn();
    }
}

/// Returns the app after 180 ticks.
fn play() -> Result<App> {
    let mut app = App::new();
    app.add_plugins((TimePlugin, SurefootPlugin::new(Map::from_ron(LEVEL)?)))
        // Advance the clock by 1/60 s in each frame. A game with a window leaves out this line, to use the real clock.
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)))
        .init_resource::<Coins>()
        .add_systems(Startup, spawn_hero)
        .add_systems(FixedUpdate, (walk, collect).chain());
    while app.world().resource::<Physics>().world.tick() < 180 {
        app.update();
    }
    Ok(app)
}

fn main() -> Result {
    let mut app = play()?;
    let transform = app.world_mut().query_filtered::<&Transform, With<Hero>>().single(app.world())?;
    println!("the hero is at {:.1} pixels", transform.translation.truncate());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first coin is on the way.
    #[test]
    fn the_hero_walks_and_collects_a_coin() {
        let mut app = play().unwrap();
        assert!((1..=3).contains(&app.world().resource::<Coins>().0));
        assert_eq!(
            app.world_mut().query::<&AreaOf>().iter(app.world()).count() as u32,
            3 - app.world().resource::<Coins>().0
        );
        // The hero starts at the marker in column 2.
        let transform = *app.world_mut().query_filtered::<&Transform, With<Hero>>().single(app.world()).unwrap();
        assert!(transform.translation.x > 3.0 * 16.0 && transform.translation.y > 16.0, "{transform:?}");
    }
}

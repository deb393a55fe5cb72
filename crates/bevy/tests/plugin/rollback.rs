//! Rollback: the physics as one snapshot, and the entities after it.

use crate::scene::{Run, app, ball, plain_run, run_to, tick};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_surefoot::prelude::*;
use bevy_surefoot::{PhysicsSnapshot, capture_physics, restore_physics};
use bevy_time::TimePlugin;
use surefoot::Map;
use surefoot::snapshot::SnapshotErrorKind;

const SAVED: u64 = 300;
const TICKS: u64 = 600;

/// Between the capture and the restore, one entity is despawned and another one spawned.
#[test]
fn a_rollback_restores_the_bits_and_the_entities() {
    let mut app = app(60.0);
    app.init_resource::<PhysicsSnapshot>();
    run_to(&mut app, SAVED);
    app.world_mut().run_system_once(capture_physics).unwrap();
    run_to(&mut app, SAVED + 50);
    let (gone, &of) =
        app.world_mut().query_filtered::<(Entity, &BodyOf), With<PhysicsBody>>().iter(app.world()).last().unwrap();
    app.world_mut().entity_mut(gone).despawn();
    let late = app.world_mut().spawn(PhysicsBody(ball())).id();
    run_to(&mut app, SAVED + 100);
    app.world_mut().run_system_once(restore_physics).unwrap().unwrap();
    assert_eq!(tick(&app), SAVED);
    let mut run = app.world_mut().resource_mut::<Run>();
    run.checksums.truncate(SAVED as usize);
    run.events.retain(|&(tick, _)| tick <= SAVED);
    run_to(&mut app, SAVED + 1);
    // After a single tick, each body has exactly one entity again. This includes a body whose slot held another body
    // after the capture.
    let bodies = app.world().resource::<Physics>().world.bodies().count();
    assert_eq!(app.world_mut().query::<&BodyOf>().iter(app.world()).count(), bodies);
    run_to(&mut app, TICKS);
    assert_eq!(*app.world().resource::<Run>(), plain_run(TICKS));
    assert_eq!(app.world_mut().query::<&BodyOf>().iter(app.world()).count(), bodies);

    let physics = app.world().resource::<Physics>();
    let again = physics.entity_of_body(of.0).unwrap();
    assert_eq!(app.world().get::<BodyOf>(again), Some(&of));
    assert!(app.world().get::<BodyOf>(late).is_none() && app.world().get::<PhysicsBody>(late).is_none());
    for (id, _) in physics.world.bodies() {
        let entity = physics.entity_of_body(id).unwrap();
        assert_eq!(app.world().get::<BodyOf>(entity), Some(&BodyOf(id)));
    }
}

/// A library for rollback spawns an entity again, with the components that it knows.
#[test]
fn an_entity_that_gets_a_body_of_is_linked_to_the_body() {
    let mut app = app(60.0);
    app.init_resource::<PhysicsSnapshot>();
    run_to(&mut app, 10);
    app.world_mut().run_system_once(capture_physics).unwrap();
    let (gone, &of) =
        app.world_mut().query_filtered::<(Entity, &BodyOf), With<PhysicsBody>>().iter(app.world()).last().unwrap();
    app.world_mut().entity_mut(gone).despawn();
    app.world_mut().run_system_once(restore_physics).unwrap().unwrap();
    let again = app.world_mut().spawn(of).id();
    run_to(&mut app, 20);
    assert_eq!(app.world().resource::<Physics>().entity_of_body(of.0), Some(again));
    assert_eq!(app.world().resource::<Run>().checksums[10..], plain_run(20).checksums[10..]);
}

#[test]
fn a_snapshot_of_another_map_is_refused() {
    let mut other = App::new();
    let map = Map::from_rows(["....", "####"]).unwrap();
    other.add_plugins((TimePlugin, SurefootPlugin::new(map))).init_resource::<PhysicsSnapshot>();
    let mut app = app(60.0);
    run_to(&mut app, 1);
    let saved = app.world().resource::<Physics>().world.capture();
    other.insert_resource(PhysicsSnapshot(saved));
    let error = other.world_mut().run_system_once(restore_physics).unwrap().unwrap_err();
    assert!(matches!(error.kind, SnapshotErrorKind::OtherMap { .. }), "{error}");
}

//! Entities and the things of the world that they have.

use crate::scene::{Hero, app, ball, hero, level, run_to};
use bevy_app::{App, Startup};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_surefoot::prelude::*;
use bevy_time::TimePlugin;
use bevy_transform::components::Transform;
use surefoot::area::{Area, AreaShape};
use surefoot::command::CommandError;
use surefoot::platform::Platform;

fn physics(app: &App) -> &Physics {
    app.world().resource::<Physics>()
}

/// All things of the level and of the game have entities, each with the id of its own.
#[test]
fn each_thing_of_the_world_has_an_entity() {
    let mut app = app(60.0);
    app.update();
    let found: Vec<_> =
        app.world_mut().query::<(Entity, &BodyOf)>().iter(app.world()).map(|(e, of)| (of.0, e)).collect();
    assert_eq!(found.len(), 3);
    for (id, entity) in found {
        assert_eq!(physics(&app).entity_of_body(id), Some(entity));
    }
    let coins: Vec<_> =
        app.world_mut().query::<(Entity, &AreaOf)>().iter(app.world()).map(|(e, of)| (of.0, e)).collect();
    assert_eq!(coins.len(), 2);
    for (id, entity) in coins {
        assert_eq!(physics(&app).entity_of_area(id), Some(entity));
        assert_eq!(physics(&app).world.area(id).unwrap().area().tag, "coin");
    }
    let (lift, &of, &transform) =
        app.world_mut().query::<(Entity, &PlatformOf, &Transform)>().single(app.world()).unwrap();
    assert_eq!(physics(&app).entity_of_platform(of.0), Some(lift));
    assert_eq!(physics(&app).world.find_platform("lift"), Some(of.0));
    // The transform is at the lower left corner of the lift before the first tick, with 16 pixels per tile.
    assert_eq!(transform.translation.to_array(), [144.0, 32.0, 0.0]);
}

#[test]
fn despawning_an_entity_removes_its_body_and_the_reverse() {
    let mut app = app(60.0);
    app.update();
    let (entity, &BodyOf(id)) =
        app.world_mut().query_filtered::<(Entity, &BodyOf), With<Hero>>().single(app.world()).unwrap();
    app.world_mut().entity_mut(entity).despawn();
    assert!(physics(&app).world.get(id).is_none());
    assert_eq!(physics(&app).entity_of_body(id), None);

    let (ball, &BodyOf(id)) =
        app.world_mut().query_filtered::<(Entity, &BodyOf), With<PhysicsBody>>().single(app.world()).unwrap();
    let walker = physics(&app).world.find_body("walker 15,1").unwrap();
    let walker_entity = physics(&app).entity_of_body(walker).unwrap();
    let world = &mut app.world_mut().resource_mut::<Physics>().world;
    world.despawn(id).unwrap();
    world.despawn(walker).unwrap();
    run_to(&mut app, 1);
    let ball = app.world().entity(ball);
    assert!(!ball.contains::<BodyOf>() && !ball.contains::<PhysicsBody>() && ball.contains::<Transform>());
    assert!(app.world().get_entity(walker_entity).is_err(), "the plugin made the entity for the body");
    assert_eq!(physics(&app).world.bodies().count(), 0);
}

#[test]
fn removing_or_replacing_the_component_removes_or_replaces_the_body() {
    let mut app = app(60.0);
    app.update();
    let (entity, &BodyOf(first)) =
        app.world_mut().query_filtered::<(Entity, &BodyOf), With<Hero>>().single(app.world()).unwrap();
    app.world_mut().entity_mut(entity).insert(PhysicsBody(ball()));
    let &BodyOf(second) = app.world().get::<BodyOf>(entity).unwrap();
    assert!(physics(&app).world.get(first).is_none());
    assert_eq!(physics(&app).world[second].shape(), Shape::circle(0.25));
    assert_eq!(physics(&app).entity_of_body(second), Some(entity));

    app.world_mut().entity_mut(entity).remove::<PhysicsBody>();
    assert!(physics(&app).world.get(second).is_none() && app.world().get::<BodyOf>(entity).is_none());
}

#[test]
fn platforms_and_areas_are_components_too() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, SurefootPlugin::new(level()))).add_systems(Startup, |mut commands: Commands| {
        let platform = Platform::from_rows(&level(), ["##"]).unwrap().at((3.0, 3.0));
        commands.spawn(PhysicsPlatform(platform));
        commands.spawn(PhysicsArea(Area::new(AreaShape::circle(0.5).unwrap()).at((5.0, 3.0)).tag("goal")));
    });
    app.update();
    let (platform, &PlatformOf(id), transform) = app
        .world_mut()
        .query_filtered::<(Entity, &PlatformOf, &Transform), With<PhysicsPlatform>>()
        .single(app.world())
        .unwrap();
    assert_eq!(transform.translation.to_array(), [48.0, 48.0, 0.0]);
    app.world_mut().entity_mut(platform).despawn();
    assert!(physics(&app).world.platform(id).is_none());

    let (area, &AreaOf(id), transform) = app
        .world_mut()
        .query_filtered::<(Entity, &AreaOf, &Transform), With<PhysicsArea>>()
        .single(app.world())
        .unwrap();
    assert_eq!(transform.translation.to_array(), [80.0, 48.0, 0.0]);
    assert_eq!(physics(&app).world.area(id).unwrap().area().tag, "goal");
    app.world_mut().entity_mut(area).despawn();
    assert!(physics(&app).world.area(id).is_none());
}

#[test]
fn a_refused_spawn_is_told_by_a_message_and_to_observers() {
    #[derive(Resource, Default)]
    struct Observed(Vec<SpawnRefused>);
    let mut app = App::new();
    app.add_plugins((TimePlugin, SurefootPlugin::new(level()))).init_resource::<Observed>().add_observer(
        |refused: On<SpawnRefused>, mut observed: ResMut<Observed>| observed.0.push(refused.event().clone()),
    );
    let entity = app.world_mut().spawn(PhysicsBody(hero().mass(-1.0))).id();
    let messages = app.world().resource::<Messages<SpawnRefused>>();
    let told: Vec<_> = messages.get_cursor().read(messages).cloned().collect();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].entity, entity);
    assert!(matches!(told[0].error, CommandError::Body(_)), "{}", told[0].error);
    assert!(told[0].error.to_string().contains("mass"));
    assert_eq!(app.world().resource::<Observed>().0, told);
    assert!(app.world().get::<BodyOf>(entity).is_none());
    assert_eq!(physics(&app).world.bodies().count(), 1, "the walker of the map");
}

/// A scene or an inspector inserts components by their reflection.
#[cfg(feature = "reflect")]
#[test]
fn a_reflected_component_spawns_a_body() {
    use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
    use std::any::TypeId;
    let mut app = App::new();
    app.add_plugins((TimePlugin, SurefootPlugin::new(level())));
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let reflected = registry.get_type_data::<ReflectComponent>(TypeId::of::<PhysicsBody>()).unwrap();
    let mut entity = app.world_mut().spawn_empty();
    reflected.insert(&mut entity, &PhysicsBody(ball()), &registry);
    let &BodyOf(id) = entity.get::<BodyOf>().unwrap();
    assert_eq!(physics(&app).world[id].shape(), Shape::circle(0.25));
    for id in [TypeId::of::<CharacterControl>(), TypeId::of::<PhysicsArea>(), TypeId::of::<PhysicsPlatform>()] {
        assert!(registry.get_type_data::<ReflectComponent>(id).is_some());
    }
    // Scenes leave out components without this reflection.
    for id in [TypeId::of::<BodyOf>(), TypeId::of::<AreaOf>(), TypeId::of::<PlatformOf>()] {
        assert!(registry.contains(id) && registry.get_type_data::<ReflectComponent>(id).is_none());
    }
}

/// Writes each component of an entity as RON, reads it back and inserts it, as a scene does.
#[cfg(feature = "reflect")]
#[test]
fn components_come_back_from_the_text_of_a_scene() {
    use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
    use bevy_reflect::serde::{ReflectDeserializer, ReflectSerializer};
    use bevy_reflect::{PartialReflect, TypeRegistry};
    use serde::de::DeserializeSeed;
    use surefoot::Input;

    fn text_of(component: &dyn PartialReflect, registry: &TypeRegistry) -> String {
        ron::to_string(&ReflectSerializer::new(component, registry)).unwrap()
    }

    let mut app = App::new();
    app.add_plugins((TimePlugin, SurefootPlugin::new(level())));
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let body = PhysicsBody(hero().mass(2.0).tag(7));
    let platform = PhysicsPlatform(Platform::from_rows(&level(), ["##"]).unwrap().at((3.0, 3.0)));
    let area = PhysicsArea(Area::new(AreaShape::circle(0.5).unwrap()).at((5.0, 3.0)).tag("goal"));
    let control = CharacterControl(Input { jump: true, ..Input::walk(-0.5) });
    let mut buttons = CharacterButtons::default();
    buttons.0.jump(true);
    let texts = [&body as &dyn PartialReflect, &platform, &area, &control, &buttons].map(|it| text_of(it, &registry));
    let mut entity = app.world_mut().spawn_empty();
    for text in &texts {
        let mut deserializer = ron::Deserializer::from_str(text).unwrap();
        let read = ReflectDeserializer::new(&registry).deserialize(&mut deserializer).unwrap();
        let info = read.get_represented_type_info().unwrap();
        let component = registry.get_type_data::<ReflectComponent>(info.type_id()).unwrap();
        component.insert(&mut entity, &*read, &registry);
    }
    assert_eq!(entity.get::<PhysicsBody>(), Some(&body), "{}", texts[0]);
    assert_eq!(entity.get::<PhysicsPlatform>(), Some(&platform), "{}", texts[1]);
    assert_eq!(entity.get::<PhysicsArea>(), Some(&area), "{}", texts[2]);
    assert_eq!(entity.get::<CharacterControl>(), Some(&control), "{}", texts[3]);
    assert_eq!(entity.get::<CharacterButtons>(), Some(&CharacterButtons::default()), "keys are not part of a scene");
    let (&BodyOf(id), entity) = (entity.get::<BodyOf>().unwrap(), entity.id());
    assert_eq!(physics(&app).entity_of_body(id), Some(entity));
    assert_eq!(physics(&app).world[id].tag(), 7);
}

/// A coin hears who touches it. All other observers hear the event of the body once.
#[test]
fn observers_of_an_area_hear_what_enters_and_leaves_it() {
    #[derive(Resource, Default)]
    struct Heard {
        coin: Vec<AreaEvent>,
        other_coin: usize,
        bodies: Vec<PhysicsEvent>,
    }
    let mut app = App::new();
    let frame = std::time::Duration::from_secs_f64(1.0 / 60.0);
    app.add_plugins((TimePlugin, SurefootPlugin::new(level()))).init_resource::<Heard>();
    app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(frame));
    app.add_observer(|event: On<PhysicsEvent>, mut heard: ResMut<Heard>| {
        if matches!(event.kind, EventKind::AreaEntered { .. } | EventKind::AreaExited { .. }) {
            heard.bodies.push(*event.event());
        }
    });
    app.update();
    let coins: Vec<_> = physics(&app).world.areas().map(|(id, state)| (id, state.position())).collect();
    let [(coin, at), (other, _)] = coins[..] else { panic!("the level has two coins") };
    let [coin_entity, other_entity] = [coin, other].map(|id| physics(&app).entity_of_area(id).unwrap());
    app.world_mut()
        .entity_mut(coin_entity)
        .observe(|event: On<AreaEvent>, mut heard: ResMut<Heard>| heard.coin.push(*event.event()));
    app.world_mut()
        .entity_mut(other_entity)
        .observe(|_: On<AreaEvent>, mut heard: ResMut<Heard>| heard.other_coin += 1);

    let tick = physics(&app).world.tick();
    let body = app.world_mut().spawn(PhysicsBody(ball().at(at).velocity((0.0, 0.0)))).id();
    run_to(&mut app, tick + 1);
    app.world_mut().entity_mut(body).despawn();
    run_to(&mut app, tick + 2);
    let heard = app.world().resource::<Heard>();
    let expected = [EventKind::AreaEntered { area: coin }, EventKind::AreaExited { area: coin }];
    let expected =
        [0, 1].map(|i| AreaEvent { entity: coin_entity, body, tick: tick + 1 + i as u64, kind: expected[i] });
    assert_eq!(heard.coin, expected);
    assert_eq!(heard.other_coin, 0);
    let of_bodies = expected.map(|event| PhysicsEvent { entity: body, tick: event.tick, kind: event.kind });
    assert_eq!(heard.bodies, of_bodies);
}

/// A body that is despawned inside an area leaves the area in the next tick, and the event still names its entity.
#[test]
fn an_event_of_a_removed_body_names_its_last_entity() {
    let mut app = App::new();
    let frame = std::time::Duration::from_secs_f64(1.0 / 60.0);
    app.add_plugins((TimePlugin, SurefootPlugin::new(level())));
    app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(frame));
    let coin = physics(&app).world.areas().next().unwrap().1.position();
    let entity = app.world_mut().spawn(PhysicsBody(ball().at(coin).velocity((0.0, 0.0)))).id();
    run_to(&mut app, 1);
    app.world_mut().entity_mut(entity).despawn();
    run_to(&mut app, 2);
    let messages = app.world().resource::<Messages<PhysicsEvent>>();
    let exited = |event: &&PhysicsEvent| matches!(event.kind, EventKind::AreaExited { .. });
    let exits: Vec<_> = messages.get_cursor().read(messages).filter(exited).map(|event| event.entity).collect();
    assert_eq!(exits, [entity]);
}

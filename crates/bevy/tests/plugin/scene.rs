//! A level with all kinds of things, an app that plays it, and the same run as a plain loop.

use bevy_app::{App, FixedPostUpdate, FixedUpdate, Startup};
use bevy_ecs::prelude::*;
use bevy_surefoot::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use std::time::Duration;
use surefoot::event::Event;
use surefoot::prelude::Checksum;
use surefoot::{Input, Map, World as PhysicsWorld};

const LEVEL: &str = include_str!("level.ron");

pub(crate) fn level() -> Map {
    Map::from_ron(LEVEL).unwrap()
}

pub(crate) fn hero() -> Body {
    let start = level().marker("start").unwrap();
    Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default())
}

pub(crate) fn ball() -> Body {
    Body::new(Shape::circle(0.25)).at((6.5, 4.0)).velocity((3.0, 0.0)).bounce(0.6)
}

/// The run: the hero walks to and fro and jumps.
pub(crate) fn input_at(tick: u64) -> Input {
    Input {
        walk: if tick % 240 < 150 { 127 } else { -127 },
        jump: tick % 60 >= 30 && tick % 60 < 40,
        ..Input::default()
    }
}

/// The state after each tick, and the events of all ticks.
#[derive(Resource, Default, PartialEq, Debug)]
pub(crate) struct Run {
    pub(crate) checksums: Vec<Checksum>,
    pub(crate) events: Vec<(u64, EventKind)>,
}

impl Run {
    pub(crate) fn note(&mut self, world: &PhysicsWorld) {
        self.checksums.push(world.checksum());
        self.events.extend(world.events().iter().map(|&Event { kind, .. }| (world.tick(), kind)));
    }
}

/// Plays the run without Bevy.
pub(crate) fn plain_run(ticks: u64) -> Run {
    let mut world = PhysicsWorld::from_map(level(), Settings::default());
    let hero = world.spawn(hero()).unwrap();
    world.spawn(ball()).unwrap();
    let mut run = Run::default();
    for tick in 0..ticks {
        world.set_input(hero, input_at(tick));
        world.step();
        run.note(&world);
    }
    run
}

/// Marks the hero.
#[derive(Component)]
pub(crate) struct Hero;

pub(crate) fn spawn_all(mut commands: Commands) {
    commands.spawn((Hero, PhysicsBody(hero()), CharacterControl::default()));
    commands.spawn(PhysicsBody(ball()));
}

pub(crate) fn control_hero(physics: Res<Physics>, mut control: Single<&mut CharacterControl, With<Hero>>) {
    control.0 = input_at(physics.world.tick());
}

/// An app that plays the run at `frames` frames a second, and notes what happens in its ticks.
pub(crate) fn app(frames: f64) -> App {
    let mut app = App::new();
    let frame = Duration::from_secs_f64(1.0 / frames);
    app.add_plugins((TimePlugin, SurefootPlugin::new(level())))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .init_resource::<Run>()
        .add_systems(Startup, spawn_all)
        .add_systems(FixedUpdate, control_hero)
        .add_systems(FixedPostUpdate, note_tick.after(SurefootSystems::Step));
    app
}

fn note_tick(physics: Res<Physics>, mut run: ResMut<Run>) {
    run.note(&physics.world);
}

pub(crate) fn tick(app: &App) -> u64 {
    app.world().resource::<Physics>().world.tick()
}

/// Runs frames until the world has been stepped `ticks` times or more.
pub(crate) fn run_to(app: &mut App, ticks: u64) {
    while tick(app) < ticks {
        app.update();
    }
}

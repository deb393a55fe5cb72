//! Ticks and frames.

use crate::scene::{Hero, Run, app, level, plain_run, run_to, tick};
use bevy_app::{App, FixedUpdate, Startup, Update};
use bevy_ecs::message::MessageReader;
use bevy_ecs::prelude::*;
use bevy_surefoot::FixedClockChanged;
use bevy_surefoot::prelude::*;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy, Virtual};
use bevy_transform::components::Transform;
use std::time::Duration;

const TICKS: u64 = 600;

#[test]
fn an_app_gives_the_bits_of_a_plain_loop_at_any_rate_of_frames() {
    let expected = plain_run(TICKS);
    for name in ["landed", "area_entered", "platform_arrived", "jumped", "hit_tile"] {
        assert!(expected.events.iter().any(|(_, kind)| kind.name() == name), "no event {name}");
    }
    for frames in [30.0, 59.0, 60.0, 144.0] {
        let mut app = app(frames);
        run_to(&mut app, TICKS);
        let mut run = std::mem::take(&mut *app.world_mut().resource_mut::<Run>());
        // The last frame may have run several ticks. So drop the results of ticks after `TICKS`.
        run.checksums.truncate(TICKS as usize);
        run.events.retain(|&(tick, _)| tick <= TICKS);
        assert_eq!(run, expected, "{frames} frames a second");
    }
}

/// The clock of Bevy has 64 ticks a second by default, and the world 60.
#[test]
fn ten_seconds_of_frames_are_ten_seconds_of_ticks() {
    let mut app = app(100.0);
    for _ in 0..1000 {
        app.update();
    }
    // Ten seconds are 600 ticks. But Bevy counts no time for the first frame, and the last tick may not be complete.
    assert!((598..=600).contains(&tick(&app)), "{}", tick(&app));
}

#[test]
fn another_length_of_ticks_sets_the_clock() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, SurefootPlugin::new(level()).settings(Settings::default().tick(0.02))));
    assert_eq!(app.world().resource::<Time<Fixed>>().timestep(), Duration::from_millis(20));
}

/// A position that falls freely is linear in the fraction of a tick between two ticks.
#[test]
fn transforms_are_between_the_last_two_ticks() {
    let mut app = app(144.0);
    for _ in 0..100 {
        app.update();
        let fraction = app.world().resource::<Time<Fixed>>().overstep_fraction();
        let mut heroes = app.world_mut().query_filtered::<(&BodyOf, &Transform), With<Hero>>();
        let (&BodyOf(id), &transform) = heroes.single(app.world()).unwrap();
        let state = &app.world().resource::<Physics>().world[id];
        let (before, now) = (state.previous_position().to_dvec2(), state.position().to_dvec2());
        for (axis, found) in transform.translation.to_array().into_iter().take(2).enumerate() {
            let expected = 16.0 * (before[axis] + (now[axis] - before[axis]) * f64::from(fraction));
            assert!((f64::from(found) - expected).abs() < 1e-3, "{found} instead of {expected}");
        }
    }
}

#[test]
fn another_plugin_that_sets_the_clock_is_reported_once() {
    #[derive(Resource, Default)]
    struct Reported(Vec<FixedClockChanged>);
    let mut app = app(60.0);
    app.init_resource::<Reported>()
        .add_systems(Startup, |mut clock: ResMut<Time<Fixed>>| clock.set_timestep_hz(50.0))
        .add_systems(Update, |mut changes: MessageReader<FixedClockChanged>, mut reported: ResMut<Reported>| {
            reported.0.extend(changes.read());
        });
    (0..20).for_each(|_| app.update());
    let expected =
        FixedClockChanged { expected: Time::<Fixed>::from_hz(60.0).timestep(), found: Duration::from_millis(20) };
    assert_eq!(app.world().resource::<Reported>().0, [expected]);
}

#[test]
fn a_slower_virtual_clock_is_slow_motion() {
    let mut app = app(60.0);
    app.add_systems(Startup, |mut time: ResMut<Time<Virtual>>| time.set_relative_speed(0.25));
    (0..241).for_each(|_| app.update());
    assert!((59..=60).contains(&tick(&app)), "{}", tick(&app));
}

/// A press between two ticks must not be lost, and counts for one tick.
#[test]
fn buttons_keep_a_press_that_is_shorter_than_a_tick() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, SurefootPlugin::new(level())))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(4)))
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn((PhysicsBody(crate::scene::hero()), CharacterButtons::default()));
        })
        .add_systems(FixedUpdate, |controls: Query<&CharacterControl>, mut presses: Local<u32>| {
            *presses += controls.iter().filter(|control| control.0.jump).count() as u32;
            assert!(*presses <= 1, "the press counts for one tick");
        });
    let jumped = |app: &App| {
        let events = app.world().resource::<Messages<PhysicsEvent>>();
        let mut cursor = events.get_cursor();
        cursor.read(events).any(|event| matches!(event.kind, EventKind::Jumped { .. }))
    };
    run_to(&mut app, 30);
    // Go on to the first frame of a tick, so that frames without a tick follow.
    let begun = tick(&app);
    run_to(&mut app, begun + 1);
    for held in [true, false] {
        let mut buttons = app.world_mut().query::<&mut CharacterButtons>();
        buttons.single_mut(app.world_mut()).unwrap().0.jump(held);
        app.update();
        assert_eq!(tick(&app), begun + 1, "no tick yet");
    }
    run_to(&mut app, begun + 2);
    assert!(jumped(&app));
}

/// Events reach observers of their entity, and each of them is also a message.
#[test]
fn events_reach_observers_and_messages_in_the_same_order() {
    #[derive(Resource, Default)]
    struct Heard {
        all: Vec<PhysicsEvent>,
        of_hero: Vec<PhysicsEvent>,
        messages: Vec<PhysicsEvent>,
    }
    let mut app = app(59.0);
    app.init_resource::<Heard>()
        .add_observer(|event: On<PhysicsEvent>, mut heard: ResMut<Heard>| heard.all.push(*event.event()))
        .add_systems(Update, |mut events: MessageReader<PhysicsEvent>, mut heard: ResMut<Heard>| {
            heard.messages.extend(events.read());
        });
    app.update();
    let hero = app.world_mut().query_filtered::<Entity, With<Hero>>().single(app.world()).unwrap();
    let hear = |event: On<PhysicsEvent>, mut heard: ResMut<Heard>| heard.of_hero.push(*event.event());
    app.world_mut().entity_mut(hero).observe(hear);
    run_to(&mut app, 300);
    let Heard { all, of_hero, messages } = app.world().resource::<Heard>();
    let expected = &app.world().resource::<Run>().events;
    assert_eq!(all.iter().map(|event| (event.tick, event.kind)).collect::<Vec<_>>(), *expected);
    assert_eq!(messages, all);
    assert_eq!(*of_hero, all.iter().filter(|event| event.entity == hero).copied().collect::<Vec<_>>());
    let lift = app.world_mut().query_filtered::<Entity, With<PlatformOf>>().single(app.world()).unwrap();
    let all = &app.world().resource::<Heard>().all;
    let arrived = all.iter().find(|event| matches!(event.kind, EventKind::PlatformArrived { .. })).unwrap();
    assert_eq!(arrived.entity, lift);
}

/// Prints log lines with a mark.
struct MarkedLog;

impl log::Log for MarkedLog {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        eprintln!("logged: {}", record.args());
    }

    fn flush(&self) {}
}

/// An app in a process of its own, so that the test below can read what it prints.
#[test]
#[ignore = "the test `a_missing_time_plugin_is_reported_once` runs it"]
fn app_that_may_lack_the_time_plugin() {
    let case = std::env::var("SUREFOOT_APP").unwrap_or_default();
    let mut app = App::new();
    app.add_plugins(SurefootPlugin::new(level()));
    if case == "with time" {
        app.add_plugins(TimePlugin);
    }
    if case == "with log" {
        log::set_logger(&MarkedLog).unwrap();
        log::set_max_level(log::LevelFilter::Warn);
    }
    (0..3).for_each(|_| app.update());
}

/// Without `TimePlugin` no tick runs. An app without a logger has to report this too.
#[test]
fn a_missing_time_plugin_is_reported_once() {
    for (case, expected) in [("plain", [1, 0]), ("with log", [1, 1]), ("with time", [0, 0])] {
        let mut program = std::process::Command::new(std::env::current_exe().unwrap());
        program.args(["--exact", "frames::app_that_may_lack_the_time_plugin", "--ignored", "--nocapture"]);
        let output = program.env("SUREFOOT_APP", case).output().unwrap();
        assert!(output.status.success(), "{case}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{case}: {output:?}");
        let printed = String::from_utf8(output.stderr).unwrap();
        let reports: Vec<_> = printed.lines().filter(|line| line.contains("add `bevy_time::TimePlugin`")).collect();
        let logged = reports.iter().filter(|line| line.starts_with("logged: ")).count();
        assert_eq!([reports.len(), logged], expected, "{case}: {printed}");
    }
}

//! The small game of `rules.md` with avian2d and the character controller bevy-tnua.

// part: program
use avian2d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_tnua::builtins::{TnuaBuiltinJumpConfig, TnuaBuiltinWalkConfig};
use bevy_tnua::prelude::*;
use bevy_tnua::{TnuaGhostOverwrites, TnuaGhostPlatform, TnuaGhostSensor};
use bevy_tnua_avian2d::prelude::*;
use std::error::Error;

/// The buttons of a tick.
#[derive(Resource)]
struct Held {
    walk: f32,
    jump: bool,
}

#[derive(Resource, Default)]
struct Game {
    coins: u32,
    deaths: u32,
    won: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), PhysicsPlugins::default()))
        .add_plugins(TnuaControllerPlugin::<Controls>::new(PhysicsSchedule))
        .add_plugins(TnuaAvian2dPlugin::new(PhysicsSchedule))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        // Each update is one tick.
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Gravity(Vec2::NEG_Y * GRAVITY))
        .init_resource::<Game>()
        .add_systems(Startup, load)
        .add_systems(FixedUpdate, move_ferry)
        .add_systems(PhysicsSchedule, control.in_set(TnuaUserControlsSystems));
    app.finish();
    // The first update only loads the level: its time is 0.
    app.update();
    let inputs = std::fs::read_to_string(std::env::args().nth(1).ok_or("expected a file of inputs")?)?;
    for line in inputs.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let ticks: u32 = words.next().ok_or("a line is empty")?.parse()?;
        let held: Vec<_> = words.collect();
        let walk = f32::from(held.contains(&"right")) - f32::from(held.contains(&"left"));
        app.insert_resource(Held { walk, jump: held.contains(&"jump") });
        for _ in 0..ticks {
            if !app.world().resource::<Game>().won {
                app.update();
            }
        }
    }
    let at = app.world_mut().query_filtered::<&Position, With<Hero>>().single(app.world())?.0;
    let Game { coins, deaths, won } = app.world().resource::<Game>();
    let time = app.world().resource::<Time<Fixed>>().elapsed_secs();
    println!("goal {won}, coins {coins}, deaths {deaths}, time {time:.2} s, at ({:.2}, {:.2})", at.x, at.y);
    Ok(())
}

// part: level
fn load(mut commands: Commands, mut configs: ResMut<Assets<ControlsConfig>>) {
    let mut blocks = Vec::new();
    for (y, line) in (0..).zip(include_str!("level.txt").lines().rev()) {
        blocks.extend((0..).zip(line.bytes()).filter(|&(_, cell)| cell == b'#').map(|(x, _)| ivec2(x, y)));
        let mut x = 0.0;
        // One entity for each run of equal cells.
        for run in line.as_bytes().chunk_by(|a, b| a == b) {
            let length = run.len() as f32;
            let middle = vec2(x + length / 2.0, y as f32 + 0.5);
            let slope = |top| Collider::triangle(vec2(-0.5, -0.5), vec2(0.5, -0.5), vec2(top, 0.5));
            let mut cells = commands.spawn(Transform::from_translation(middle.extend(0.0)));
            match run[0] {
                b'/' => cells.insert((RigidBody::Static, slope(0.5))),
                b'\\' => cells.insert((RigidBody::Static, slope(-0.5))),
                b'-' => cells.insert((RigidBody::Static, one_way(length))),
                b'=' => cells.insert((RigidBody::Kinematic, one_way(length), Ferry { start: middle })),
                b'@' => cells.insert(hero(middle, configs.add(config()))),
                b'o' => cells.insert(sensor(length)).observe(take_coin),
                b'^' => cells.insert(sensor(length)).observe(die),
                b'*' => cells.insert(sensor(length)).observe(win),
                _ => &mut cells,
            };
            x += length;
        }
    }
    // One collider of all blocks: seams between colliders would be in the hero's way.
    commands.spawn((RigidBody::Static, Transform::default(), Collider::voxels(Vec2::ONE, &blocks)));
    // A hero that falls below the map dies.
    commands.spawn((sensor(100.0), Transform::from_xyz(30.0, -2.0, 0.0))).observe(die);
}

/// Collision layer of the hero. Sensors detect nothing else.
const HERO: LayerMask = LayerMask(2);

fn sensor(length: f32) -> impl Bundle {
    (Collider::rectangle(length, 1.0), Sensor, CollisionEventsEnabled, CollisionLayers::new(HERO, HERO))
}

/// Makes a floor along the top of a run of cells. The hero does not collide with it: tnua holds the hero above it.
fn one_way(length: f32) -> impl Bundle {
    let top = Collider::segment(vec2(-length / 2.0, 0.5), vec2(length / 2.0, 0.5));
    (top, CollisionLayers::ALL_MEMBERSHIPS, TnuaGhostPlatform)
}

// part: platform
#[derive(Component)]
struct Ferry {
    start: Vec2,
}

/// Sets the velocity that takes the platform along its path. tnua moves the hero with it.
fn move_ferry(ferry: Single<(&Ferry, &Transform, &mut LinearVelocity)>, time: Res<Time>) {
    let (ferry, at, mut velocity) = ferry.into_inner();
    let path = vec2(8.0, 3.0);
    // The part of the path goes from 0 to 1 and back.
    let part = time.elapsed_secs() * 3.0 / path.length() % 2.0;
    velocity.0 = (ferry.start + path * part.min(2.0 - part) - at.translation.truncate()) / time.delta_secs();
}

// part: motion
const GRAVITY: f32 = 40.0;
const RUN_SPEED: f32 = 8.0;
/// Height of the hero's middle above the floor. Its capsule is 0.8 high: characters of tnua float.
const FLOAT_HEIGHT: f32 = 0.5;
/// Minimum height of the hero's middle above a one-way floor that stops it.
const MIN_PROXIMITY: f32 = 0.1;

#[derive(TnuaScheme)]
#[scheme(basis = TnuaBuiltinWalk)]
enum Controls {
    Jump(TnuaBuiltinJump),
}

#[derive(Component)]
struct Hero {
    start: Vec2,
}

fn config() -> ControlsConfig {
    ControlsConfig {
        basis: TnuaBuiltinWalkConfig {
            speed: RUN_SPEED,
            float_height: FLOAT_HEIGHT,
            // The hero stays on a floor that drops by less than this.
            cling_distance: 0.3,
            // tnua brakes 1.5 times as hard, and twice as hard if the input is against the motion.
            acceleration: 60.0,
            air_acceleration: 40.0,
            coyote_time: 0.1,
            free_fall_extra_gravity: 0.0,
            ..default()
        },
        jump: TnuaBuiltinJumpConfig {
            height: 3.2,
            takeoff_extra_gravity: 0.0,
            peak_prevention_extra_gravity: 0.0,
            fall_extra_gravity: 0.0,
            // After a release: a press of two ticks jumps 1 tile high.
            shorten_extra_gravity: 170.0,
            input_buffer_time: 0.1,
            ..default()
        },
    }
}

fn hero(start: Vec2, config: Handle<ControlsConfig>) -> impl Bundle {
    (
        Hero { start },
        RigidBody::Dynamic,
        Collider::capsule(0.35, 0.1),
        CollisionLayers::new(LayerMask::DEFAULT | HERO, LayerMask::ALL),
        LockedAxes::ROTATION_LOCKED,
        // Walls do not hold the hero.
        Friction::ZERO.with_combine_rule(CoefficientCombine::Min),
        MaxLinearSpeed(24.0),
        TnuaController::<Controls>::default(),
        TnuaConfig::<Controls>(config),
        // Less wide than the capsule, so that walls do not count as floors.
        TnuaAvian2dSensorShape(Collider::rectangle(0.68, 0.0)),
        TnuaGhostOverwrites::<Controls>::default(),
    )
}

fn control(
    held: Res<Held>,
    velocity: Single<&LinearVelocity, With<Hero>>,
    mut controller: Single<&mut TnuaController<Controls>>,
    mut overwrites: Single<&mut TnuaGhostOverwrites<Controls>>,
    ghosts: Option<Single<&TnuaGhostSensor>>,
) {
    // In the air and without input, the speed stays. tnua would brake.
    let in_air = controller.basis_memory.standing_on_entity().is_none();
    let walk = if in_air && held.walk == 0.0 { velocity.x / RUN_SPEED } else { held.walk };
    controller.basis.desired_motion = Vec3::X * walk;
    controller.initiate_action_feeding();
    if held.jump {
        controller.action(Controls::Jump(default()));
    }
    if let Some(ghosts) = ghosts {
        overwrites.ground.set(ghosts.iter().find(|floor| floor.proximity >= MIN_PROXIMITY));
    }
}

// part: rules
fn take_coin(touch: On<CollisionStart>, mut commands: Commands, mut game: ResMut<Game>) {
    game.coins += 1;
    commands.entity(touch.collider1).despawn();
}

fn die(_: On<CollisionStart>, mut game: ResMut<Game>, hero: Single<(&Hero, &mut Position, &mut LinearVelocity)>) {
    let (hero, mut at, mut velocity) = hero.into_inner();
    game.deaths += 1;
    at.0 = hero.start;
    velocity.0 = Vec2::ZERO;
}

fn win(_: On<CollisionStart>, mut game: ResMut<Game>) {
    game.won = true;
}

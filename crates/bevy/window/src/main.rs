//! A hero in a window: arrow keys walk, space jumps, and arrow down drops through one-way tiles. F1 hides the lines.

use bevy::prelude::*;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::Map;
use bevy_surefoot::{SurefootDebugPlugin, SurefootGizmos};

const LEVEL: &str = include_str!("../../../../maps/first_steps.ron");

#[derive(Component)]
struct Hero;

fn main() -> Result {
    let map = Map::from_ron(LEVEL)?;
    App::new()
        .add_plugins((DefaultPlugins, SurefootPlugin::new(map), SurefootDebugPlugin))
        .add_systems(Startup, spawn)
        .add_systems(Update, (read_keys, toggle_lines))
        .add_systems(PostUpdate, follow_hero.before(TransformSystems::Propagate))
        .add_observer(flash_on_landing)
        .run();
    Ok(())
}

fn spawn(mut commands: Commands, physics: Res<Physics>) -> Result {
    commands.spawn(Camera2d);
    let tile = physics.pixels_per_tile();
    let start = physics.world.map().marker("start").ok_or("the level has no start")?;
    let body = Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default());
    let sprite = Sprite::from_color(Color::srgb(0.9, 0.4, 0.3), tile * Vec2::new(0.7, 0.9));
    commands.spawn((Hero, PhysicsBody(body), CharacterButtons::default(), sprite));
    for at in physics.world.map().markers("ball") {
        let sprite = Sprite::from_color(Color::srgb(0.4, 0.6, 0.9), tile * Vec2::splat(0.5));
        commands.spawn((PhysicsBody(Body::new(Shape::circle(0.25)).at(at).bounce(0.6)), sprite));
    }
    Ok(())
}

fn read_keys(keys: Res<ButtonInput<KeyCode>>, mut buttons: Single<&mut CharacterButtons>) {
    buttons.0.left(keys.pressed(KeyCode::ArrowLeft));
    buttons.0.right(keys.pressed(KeyCode::ArrowRight));
    buttons.0.up(keys.pressed(KeyCode::ArrowUp));
    buttons.0.down(keys.pressed(KeyCode::ArrowDown));
    buttons.0.jump(keys.pressed(KeyCode::Space));
}

fn toggle_lines(keys: Res<ButtonInput<KeyCode>>, mut gizmos: ResMut<GizmoConfigStore>) {
    if keys.just_pressed(KeyCode::F1) {
        let config = gizmos.config_mut::<SurefootGizmos>().0;
        config.enabled = !config.enabled;
    }
}

fn follow_hero(
    hero: Single<&Transform, (With<Hero>, Without<Camera2d>)>,
    mut camera: Single<&mut Transform, With<Camera2d>>,
) {
    camera.translation = hero.translation;
}

/// The hero turns white when it lands hard.
fn flash_on_landing(event: On<PhysicsEvent>, mut sprites: Query<&mut Sprite, With<Hero>>) {
    let color = match event.kind {
        EventKind::Landed { speed, .. } if speed > 10.0 => Color::WHITE,
        EventKind::LeftFloor => Color::srgb(0.9, 0.4, 0.3),
        _ => return,
    };
    if let Ok(mut sprite) = sprites.get_mut(event.entity) {
        sprite.color = color;
    }
}

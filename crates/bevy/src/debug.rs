//! Draws the physics as lines, for debugging.

use crate::physics::Physics;
use crate::plugin::SurefootSystems;
use bevy_app::{App, Plugin, RunFixedMainLoop};
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::AppGizmoBuilder;
use bevy_gizmos::config::GizmoConfigGroup;
use bevy_gizmos::gizmos::{GizmoBuffer, Gizmos};
use bevy_math::{Isometry2d, Vec2};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_time::{Fixed, Time};
use surefoot::area::AreaShape;
use surefoot::event::BodyId;
use surefoot::motion::ShapeKind;
use surefoot::terrain::Terrain;
use surefoot::world::BodyState;

/// Draws the sides of tiles and platforms, bodies, areas, contacts and velocities with the gizmos of Bevy.
///
/// Needs the gizmos of `DefaultPlugins`. Switch it off and on with `GizmoConfigStore`, in the group [`SurefootGizmos`].
#[derive(Clone, Copy, Debug, Default)]
pub struct SurefootDebugPlugin;

/// Colours of [`SurefootDebugPlugin`]. `None` leaves a part out.
#[derive(Clone, Copy, Debug, PartialEq, Reflect, GizmoConfigGroup)]
#[reflect(Default)]
pub struct SurefootGizmos {
    /// Colour of the sides of tiles that bodies can touch.
    pub tiles: Option<Color>,
    /// Colour of the sides of platforms.
    pub platforms: Option<Color>,
    /// Colour of bodies.
    pub bodies: Option<Color>,
    /// Colour of areas.
    pub areas: Option<Color>,
    /// Colour of contacts: a line from the point of the contact along its normal, a quarter of a tile long.
    pub contacts: Option<Color>,
    /// Colour of velocities: a line as long as the way in a tenth of a second.
    pub velocities: Option<Color>,
}

impl Default for SurefootGizmos {
    fn default() -> SurefootGizmos {
        SurefootGizmos {
            tiles: Some(Color::srgb(0.9, 0.9, 0.9)),
            platforms: Some(Color::srgb(0.3, 0.7, 1.0)),
            bodies: Some(Color::srgb(0.3, 1.0, 0.4)),
            areas: Some(Color::srgb(1.0, 0.9, 0.3)),
            contacts: Some(Color::srgb(1.0, 0.3, 0.3)),
            velocities: Some(Color::srgb(1.0, 0.6, 0.2)),
        }
    }
}

impl Plugin for SurefootDebugPlugin {
    fn build(&self, app: &mut App) {
        // Draw in each frame and not in each tick, because frames without a tick would show no lines.
        app.init_gizmo_group::<SurefootGizmos>()
            .add_systems(RunFixedMainLoop, draw_gizmos.after(SurefootSystems::Writeback));
    }
}

type Lines = GizmoBuffer<SurefootGizmos, ()>;

fn draw_gizmos(physics: Res<Physics>, clock: Res<Time<Fixed>>, mut gizmos: Gizmos<SurefootGizmos>) {
    if gizmos.config.enabled {
        let colors = *gizmos.config_ext;
        draw_physics(&physics, clock.overstep_fraction(), &colors, &mut gizmos);
    }
}

fn draw_physics(physics: &Physics, fraction: f32, colors: &SurefootGizmos, lines: &mut Lines) {
    let world = &physics.world;
    if let Some(color) = colors.tiles {
        draw_faces(physics, world.terrain(), Vec2::ZERO, color, lines);
    }
    if let Some(color) = colors.platforms {
        for (_, state) in world.platforms().filter(|(_, state)| state.is_present()) {
            let corner = physics.to_pixels(state.position_at(fraction).to_array());
            draw_faces(physics, state.terrain(), corner, color, lines);
        }
    }
    if let Some(color) = colors.areas {
        for (_, state) in world.areas() {
            let at = physics.to_pixels(state.position_at(fraction).to_array());
            draw_area(physics, &state.area().shape, at, color, lines);
        }
    }
    for (id, state) in world.bodies() {
        draw_body(physics, (id, state), fraction, colors, lines);
    }
}

fn draw_faces(physics: &Physics, terrain: &Terrain, corner: Vec2, color: Color, lines: &mut Lines) {
    for face in terrain.exposed_faces() {
        let [a, b] = [face.a, face.b].map(|end| corner + physics.to_pixels(end.to_vec2().to_array()));
        lines.line_2d(a, b, color);
    }
}

fn draw_body(
    physics: &Physics,
    (id, state): (BodyId, &BodyState),
    fraction: f32,
    colors: &SurefootGizmos,
    lines: &mut Lines,
) {
    let scale = physics.pixels_per_tile();
    let at = physics.to_pixels(state.position_at(fraction).to_array());
    if let Some(color) = colors.bodies {
        match state.shape().kind() {
            ShapeKind::Circle { radius } => {
                drop(lines.circle_2d(Isometry2d::from_translation(at), radius as f32 * scale, color))
            }
            ShapeKind::Aabb { half } => {
                let size = Vec2::new(half.x as f32, half.y as f32) * (2.0 * scale);
                lines.rect_2d(Isometry2d::from_translation(at), size, color);
            }
        }
    }
    if let Some(color) = colors.velocities {
        let velocity = state.velocity();
        let way = Vec2::new(velocity.x as f32, velocity.y as f32) * (0.1 * scale);
        if way != Vec2::ZERO {
            lines.line_2d(at, at + way, color);
        }
    }
    if let Some(color) = colors.contacts {
        for contact in physics.world.contacts(id).iter() {
            let from = physics.to_pixels(contact.point.to_vec2().to_array());
            let normal = Vec2::new(contact.normal.x as f32, contact.normal.y as f32);
            lines.line_2d(from, from + normal * (0.25 * scale), color);
        }
    }
}

fn draw_area(physics: &Physics, shape: &AreaShape, at: Vec2, color: Color, lines: &mut Lines) {
    let scale = physics.pixels_per_tile();
    let point = |[x, y]: [f64; 2]| at + Vec2::new(x as f32, y as f32) * scale;
    let circle = |lines: &mut Lines, center: [f64; 2], radius: f64| {
        lines.circle_2d(Isometry2d::from_translation(point(center)), radius as f32 * scale, color);
    };
    let of_box = |low: [f64; 2], high: [f64; 2]| [low, [high[0], low[1]], high, [low[0], high[1]]].map(point);
    match shape {
        AreaShape::Circle(shape) => circle(lines, shape.center().to_array(), shape.radius()),
        AreaShape::Capsule(shape) => {
            let [a, b] = [shape.a(), shape.b()];
            circle(lines, a.to_array(), shape.radius());
            circle(lines, b.to_array(), shape.radius());
            let aside = (b - a).perp().normalize_or_zero() * shape.radius();
            for side in [aside, -aside] {
                lines.line_2d(point((a + side).to_array()), point((b + side).to_array()), color);
            }
        }
        AreaShape::Boxes(boxes) => {
            for aabb in boxes.as_slice() {
                lines.lineloop_2d(of_box(aabb.min().to_array(), aabb.max().to_array()), color);
            }
        }
        AreaShape::Aabb(aabb) => lines.lineloop_2d(of_box(aabb.min().to_array(), aabb.max().to_array()), color),
        AreaShape::Obb(obb) => lines.lineloop_2d(obb.corners().iter().map(|at| point(at.to_array())), color),
        AreaShape::Triangle(triangle) => {
            lines.lineloop_2d(triangle.corners().iter().map(|at| point(at.to_array())), color);
        }
        AreaShape::Polygon(polygon) => {
            lines.lineloop_2d(polygon.corners().iter().map(|at| point(at.to_array())), color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use bevy_math::Vec3;
    use surefoot::Map;
    use surefoot::area::Area;
    use surefoot::platform::Platform;

    /// A world on a map of one block, at 10 pixels to a tile.
    fn app_with_one_block() -> App {
        let mut app = App::new();
        let map = Map::from_rows(["...", ".#.", "..."]).unwrap();
        app.add_plugins((bevy_time::TimePlugin, SurefootPlugin::new(map).pixels_per_tile(10.0)));
        app
    }

    fn draw_lines_of_app(app: &App, colors: SurefootGizmos) -> Lines {
        let mut lines = Lines::default();
        draw_physics(app.world().resource::<Physics>(), 1.0, &colors, &mut lines);
        lines
    }

    const NOTHING: SurefootGizmos =
        SurefootGizmos { tiles: None, platforms: None, bodies: None, areas: None, contacts: None, velocities: None };
    const COLOR: Option<Color> = Some(Color::WHITE);

    /// Returns the points without repeats, in order.
    fn sorted_unique_points(points: &[Vec3]) -> Vec<[f32; 2]> {
        let mut corners: Vec<_> = points.iter().filter(|at| at.is_finite()).map(|at| [at.x, at.y]).collect();
        corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
        corners.dedup();
        corners
    }

    #[test]
    fn a_block_is_drawn_as_its_four_sides() {
        let lines = draw_lines_of_app(&app_with_one_block(), SurefootGizmos { tiles: COLOR, ..NOTHING });
        assert_eq!(lines.list_positions.len(), 8);
        assert_eq!(
            sorted_unique_points(&lines.list_positions),
            [[10.0, 10.0], [10.0, 20.0], [20.0, 10.0], [20.0, 20.0]]
        );
    }

    #[test]
    fn platforms_bodies_and_areas_are_drawn_where_they_are() {
        let mut app = app_with_one_block();
        let physics = &mut *app.world_mut().resource_mut::<Physics>();
        let platform = Platform::from_rows(physics.world.map(), ["#"]).unwrap().at((5.0, 2.0));
        physics.world.spawn_platform(platform).unwrap();
        physics.world.spawn(Body::new(Shape::aabb(0.5, 0.2)).at((1.5, 2.2)).velocity((20.0, 0.0))).unwrap();
        physics.world.spawn_area(Area::new(AreaShape::aabb(1.0, 0.5).unwrap()).at((7.0, 7.0))).unwrap();
        let square = [[50.0, 20.0], [50.0, 30.0], [60.0, 20.0], [60.0, 30.0]];
        let lines = draw_lines_of_app(&app, SurefootGizmos { platforms: COLOR, ..NOTHING });
        assert_eq!(sorted_unique_points(&lines.list_positions), square);
        let lines = draw_lines_of_app(&app, SurefootGizmos { bodies: COLOR, ..NOTHING });
        assert_eq!(
            sorted_unique_points(&lines.strip_positions),
            [[10.0, 20.0], [10.0, 24.0], [20.0, 20.0], [20.0, 24.0]]
        );
        let lines = draw_lines_of_app(&app, SurefootGizmos { areas: COLOR, ..NOTHING });
        assert_eq!(
            sorted_unique_points(&lines.strip_positions),
            [[60.0, 65.0], [60.0, 75.0], [80.0, 65.0], [80.0, 75.0]]
        );
        let lines = draw_lines_of_app(&app, SurefootGizmos { velocities: COLOR, ..NOTHING });
        assert_eq!(sorted_unique_points(&lines.list_positions), [[15.0, 22.0], [35.0, 22.0]]);
    }

    /// A box that rests on the block touches it in the middle of its lower side.
    #[test]
    fn contacts_are_drawn_along_their_normals() {
        let mut app = app_with_one_block();
        let physics = &mut *app.world_mut().resource_mut::<Physics>();
        physics.world.spawn(Body::new(Shape::aabb(0.2, 0.5)).at((1.5, 2.5))).unwrap();
        physics.world.step();
        let lines = draw_lines_of_app(&app, SurefootGizmos { contacts: COLOR, ..NOTHING });
        assert_eq!(sorted_unique_points(&lines.list_positions), [[15.0, 20.0], [15.0, 22.5]]);
    }

    /// Gizmos make one asset of the lines of a group in each frame that has lines.
    #[cfg(feature = "asset")]
    #[test]
    fn the_plugin_draws_in_each_frame() {
        let mut app = app_with_one_block();
        app.add_plugins((bevy_app::TaskPoolPlugin::default(), bevy_asset::AssetPlugin::default()));
        app.add_plugins((bevy_gizmos::GizmoPlugin, SurefootDebugPlugin));
        let count = |app: &App| app.world().resource::<bevy_asset::Assets<bevy_gizmos::GizmoAsset>>().len();
        for _ in 0..3 {
            app.update();
            assert_eq!(count(&app), 1);
        }
        *app.world_mut().resource_mut::<bevy_gizmos::config::GizmoConfigStore>().config_mut::<SurefootGizmos>().1 =
            NOTHING;
        app.update();
        app.update();
        assert_eq!(count(&app), 0);
    }
}

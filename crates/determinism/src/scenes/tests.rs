//! Checks that each scene shows what its name says, so that no hash is of an eventless run.

use super::all_scenes;
use crate::run::Simulation;
use crate::scene::Scene;
use surefoot::prelude::*;
use surefoot::{Command, World, geometry::DVec2};

/// Statistics of a scene from its beginning to its end.
struct Statistics {
    world: World,
    landed: u32,
    left_floor: u32,
    floors: u32,
    walls: u32,
    ceilings: u32,
    left_map: u32,
    stuck: u32,
    unstuck: u32,
    tile_edits: u32,
    commands: u32,
    /// Maximum number of bodies.
    bodies: usize,
    /// Sum of the distances that all bodies moved along x and along y, in tiles.
    distance: f64,
    /// Bounds of all positions of bodies.
    lowest: DVec2,
    highest: DVec2,
    /// Greatest displacement of a body in one tick along an axis, in tiles.
    stride: f64,
}

impl Statistics {
    fn play_and_count(mut scene: Scene) -> Statistics {
        let mut seen = Statistics {
            world: scene.world().clone(),
            landed: 0,
            left_floor: 0,
            floors: 0,
            walls: 0,
            ceilings: 0,
            left_map: 0,
            stuck: 0,
            unstuck: 0,
            tile_edits: 0,
            commands: 0,
            bodies: 0,
            distance: 0.0,
            lowest: DVec2::INFINITY,
            highest: DVec2::NEG_INFINITY,
            stride: 0.0,
        };
        while scene.step_unless_finished() {
            seen.add_tick(scene.world());
        }
        seen
    }

    fn add_tick(&mut self, world: &World) {
        for event in world.events() {
            *match event.kind {
                EventKind::Landed { .. } => &mut self.landed,
                EventKind::LeftFloor => &mut self.left_floor,
                EventKind::LeftMap => &mut self.left_map,
                EventKind::Stuck => &mut self.stuck,
                EventKind::Unstuck => &mut self.unstuck,
                EventKind::HitTile { side: Side::Floor, .. } => &mut self.floors,
                EventKind::HitTile { side: Side::Ceiling, .. } => &mut self.ceilings,
                _ => &mut self.walls,
            } += 1;
        }
        self.commands += world.commands().len() as u32;
        self.tile_edits +=
            world.commands().iter().filter(|command| matches!(command, Command::SetTiles { .. })).count() as u32;
        self.bodies = self.bodies.max(world.bodies().count());
        for (id, body) in world.bodies() {
            let at = body.position().to_dvec2();
            if let Some(before) = self.world.get(id) {
                let moved = (at - before.position().to_dvec2()).abs();
                self.distance += moved.x + moved.y;
                self.stride = self.stride.max(moved.max_element());
            }
            (self.lowest, self.highest) = (self.lowest.min(at), self.highest.max(at));
        }
        self.world = world.clone();
    }

    /// Returns a body at the end of the scene, by its index in the order of slots.
    fn body(&self, index: usize) -> &BodyState {
        self.world.bodies().nth(index).expect("the scene ends with that body").1
    }

    fn position(&self, index: usize) -> DVec2 {
        self.body(index).position().to_dvec2()
    }
}

/// A condition that a scene has to fulfil.
type Condition = fn(&Statistics) -> bool;

/// The condition of each scene, in the order of [`all`].
const CONDITIONS: &[(&str, Condition)] = &[
    ("seams_box", |seen| seen.distance > 55.0 && seen.walls == 2 && seen.left_floor == 0),
    ("seams_circle", |seen| seen.distance > 55.0 && seen.walls == 2 && seen.left_floor == 0),
    ("slopes_box", |seen| seen.highest.y > 3.0 && seen.highest.x > 43.0 && seen.position(0).x < 4.0),
    ("slopes_circle", |seen| seen.highest.y > 3.0 && seen.highest.x > 43.0 && seen.position(0).x < 4.0),
    ("steep_slopes", |seen| seen.walls > 0 && seen.left_floor > 0),
    ("walk_at_max_floor_slope", |seen| seen.highest.y > 3.0 && seen.highest.x < 15.0 && seen.walls >= 2),
    ("gentle_slopes", |seen| seen.bodies > 30 && seen.landed > 30),
    ("steps", |seen| seen.highest.y > 4.0 && seen.landed > 10),
    ("curves_box", |seen| seen.walls + seen.ceilings > 0 && seen.landed > 3 && seen.highest.y > 2.5),
    ("curves_circle", |seen| seen.walls + seen.ceilings > 0 && seen.landed > 3 && seen.highest.y > 2.5),
    ("ledges_box", |seen| seen.landed >= 3 && seen.position(0).y > 7.44),
    ("ledges_circle", |seen| seen.landed >= 3 && seen.position(0).y > 7.39),
    ("dropping_box", |seen| seen.left_floor >= 2 && seen.landed >= 2 && seen.lowest.y < 2.0),
    ("dropping_circle", |seen| seen.left_floor >= 2 && seen.landed >= 2 && seen.lowest.y < 2.0),
    ("ceilings", |seen| seen.ceilings > 8),
    ("thin_walls", |seen| seen.walls > 3 && seen.landed > 5),
    ("every_walk_input", |seen| seen.commands > 1000 && seen.distance > 10.0),
    ("heavy_and_light", |seen| seen.bodies == 4 && seen.landed > 4),
    ("surfaces", |seen| seen.bodies == 7 && seen.floors > 10 && seen.landed > 10 && seen.distance > 50.0),
    ("all_tiles_circles", |seen| seen.bodies == 96 && seen.floors > 96),
    ("all_tiles_boxes", |seen| seen.bodies == 96 && seen.floors > 60),
    ("all_tiles_characters", |seen| seen.bodies == 96 && seen.landed > 60),
    ("ball_notches", |seen| seen.lowest.y < 2.3 && seen.highest.x > 10.0 && seen.walls > 0),
    ("wedges", |seen| seen.bodies == 17 && seen.floors > 17),
    ("bouncing", |seen| seen.floors > 90),
    ("corner_bounces", |seen| seen.walls > 50 && seen.floors > 20 && seen.ceilings > 20),
    ("friction_near_sticking_limit", |seen| (0..24).filter(|&i| seen.body(i).velocity() == DVec2::ZERO).count() > 8),
    ("slides_without_friction", |seen| seen.distance > 150.0),
    ("all_collision_responses", |seen| seen.left_map == 1 && seen.walls + seen.floors > 3),
    ("floating", |seen| seen.ceilings > 2 && seen.floors > 2),
    ("up_plus_y", |seen| seen.landed > 5 && seen.walls > 3 && seen.distance > 50.0),
    ("up_minus_x", |seen| seen.landed > 5 && seen.walls > 3 && seen.distance > 50.0),
    ("up_minus_y", |seen| seen.landed > 5 && seen.walls > 3 && seen.distance > 50.0),
    ("up_plus_x", |seen| seen.landed > 5 && seen.walls > 3 && seen.distance > 50.0),
    ("slanted_gravity", |seen| seen.walls > 3),
    ("leaving_the_map", |seen| seen.left_map >= 2),
    ("crowd_of_characters", |seen| seen.bodies == 40 && seen.landed > 100),
    ("crowd_of_balls", |seen| seen.bodies == 60 && seen.floors > 100),
    ("stuck_and_freed", |seen| seen.stuck >= 3 && seen.unstuck >= 3),
    ("floor_taken_away", |seen| seen.left_floor >= 2 && seen.tile_edits == 3),
    ("painted_while_walking", |seen| seen.tile_edits == 60 && seen.distance > 10.0),
    ("painted_rectangles", |seen| seen.tile_edits == 5 && seen.left_map > 0),
    ("reused_body_slots", |seen| seen.bodies == 6 && seen.world.bodies().count() == 6),
    ("teleports", |seen| seen.stride > 2.0),
    ("thrown_while_walking", |seen| seen.left_floor > 3 && seen.landed > 3),
    ("changed_characters", |seen| {
        seen.commands >= 60 && seen.landed > 10 && seen.distance > 50.0 && seen.highest.y > 3.0
    }),
    ("layers", |seen| seen.landed > 5 && seen.world.map().layers().len() == 3),
    ("painted_layers", |seen| seen.tile_edits == 36 && seen.landed > 5),
    ("ticks_of_a_millionth", |seen| seen.distance > 0.0 && seen.distance < 1.0),
    ("ticks_of_a_second", |seen| seen.stride > 2.0),
    ("ticks_of_an_odd_length", |seen| seen.landed > 1 && seen.distance > 10.0),
    ("speeds_at_the_limit", |seen| seen.stride >= Mover::MAX_MOTION && seen.left_map > 0),
    ("gravity_at_the_limit", |seen| seen.walls > 0),
    ("map_at_origin_limit", |seen| seen.landed > 3 && seen.highest.x < -268_435_000.0),
    ("small_shapes", |seen| seen.bodies == 13 && seen.floors > 12),
    ("large_shapes", |seen| seen.floors >= 3),
    ("streamed_noise", |seen| seen.distance > 10.0 && seen.landed > 2),
    ("streamed_far_out", |seen| seen.distance > 10.0 && seen.highest.x > 536_869_990.0),
    ("streamed_painted", |seen| seen.tile_edits == 31),
    ("streamed_teleports", |seen| seen.highest.x > 1e7),
];

#[test]
fn every_scene_shows_what_its_name_says() {
    let scenes = all_scenes();
    assert!(scenes.iter().map(|(name, _)| name).eq(CONDITIONS.iter().map(|(name, _)| name)), "one line for each scene");
    let mut failed = Vec::new();
    for ((name, start), (_, holds)) in scenes.into_iter().zip(CONDITIONS) {
        let seen = Statistics::play_and_count(start());
        if !holds(&seen) {
            let Statistics { landed, left_floor, floors, walls, ceilings, left_map, stuck, unstuck, .. } = seen;
            let Statistics { tile_edits, commands, bodies, distance, lowest, highest, stride, .. } = seen;
            failed.push(format!(
                "{name}: landed {landed}, left floor {left_floor}, floors {floors}, walls {walls}, ceilings {ceilings}, left \
                 map {left_map}, stuck {stuck}, unstuck {unstuck}, tile edits {tile_edits}, commands {commands}, bodies \
                 {bodies}, distance {distance}, from {lowest} to {highest}, stride {stride}"
            ));
        }
    }
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

//! Rides on conveyor belts: a body at rest on a belt moves along with it over slopes and crests, as a walking
//! character would.

use crate::ballistic::{Bouncing, DynamicStep, MotionPart, Sliding};
use crate::body::Response;
use crate::bounce::Barrier;
use crate::motion::{Belt, FloorBends, Grip, Surface, Surfaces, Trace, Walk, WalkEnd, WalkProgress, project_velocity};
use crate::movement::Movement;
use glam::DVec2;
use surefoot_geometry::{Position, to_lengths};

/// A ride on a belt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ride {
    legs: WalkProgress,
    belt: Belt,
    from: Position,
}

impl DynamicStep<'_, '_> {
    /// Returns the ride of a body, if it rests on a belt.
    #[inline(never)]
    pub(crate) fn find_belt_ride(&mut self, movement: &Movement<'_>) -> Option<Ride> {
        let (position, shape, gravity) = (movement.position, self.probe.shape, self.gravity);
        let sticks = self.response == Response::Stop;
        if movement.touch.surfaces().is_empty() || (self.friction == 0.0 && !sticks) {
            return None;
        }
        let scene = self.probe.scene;
        // Use velocity zero in this test. The belt moves the body along the floor, and on a slope the rounded
        // velocity can point slightly into the floor or away from it.
        let pressed = self.probe.find_pressed_surfaces(movement.touch.surfaces(), position, gravity, DVec2::ZERO);
        let belt = scene.belt_of_floors(shape, position, pressed);
        let rests = movement.velocity == belt.velocity() || (sticks && movement.velocity == DVec2::ZERO);
        if belt.speed == 0.0 || !rests {
            return None;
        }
        let friction = self.friction * scene.friction(shape, position, pressed);
        let grip = Grip::new(gravity, project_velocity(pressed, position, gravity), friction);
        (sticks || grip.holds_at_rest(0.0)).then(|| Ride {
            legs: WalkProgress::new(belt.speed * self.tick),
            belt,
            from: position,
        })
    }

    /// Rides. Returns the next part of the motion: a slide where the floor ends, or a bounce off a wall.
    pub(crate) fn continue_ride<T: Trace>(&mut self, ride: Ride, movement: &mut Movement<'_>, trace: T) -> MotionPart {
        let Ride { mut legs, belt, from } = ride;
        let (hits, velocity) = (&mut movement.hits, belt.velocity());
        let (mut walls, mut met) = (Surfaces::new(), None);
        let mut struck = |position, motion, surface: &Surface| {
            hits.record_walking_hit(surface, position, velocity, motion);
            if met.replace(position) != Some(position) {
                walls.clear();
            }
            walls.push(*surface);
        };
        let mut walk = Walk {
            position: movement.position,
            touch: &mut movement.touch,
            path: movement.path,
            struck: &mut struck,
            step: 0,
            bends: FloorBends::Followed,
            run_off: None,
        };
        let end = self.probe.walk_near_pieces(&mut walk, &mut legs, trace);
        movement.position = walk.position;
        match end {
            WalkEnd::OnFloor(_) => {
                let (scene, shape) = (self.probe.scene, self.probe.shape);
                let floor =
                    scene.belt_of_pressed_surfaces(shape, movement.position, movement.touch.surfaces(), self.gravity);
                movement.velocity = floor.direction * belt.speed;
            }
            WalkEnd::Blocked => {
                movement.velocity = DVec2::ZERO;
                if met == Some(movement.position)
                    && let Some(thrown) = self.bounce_velocity_of_belt_ride(&walls, &belt, movement)
                {
                    movement.velocity = thrown;
                    self.probe.clear_bounced_surfaces();
                    let made = to_lengths(movement.position - from).length() / belt.speed.abs();
                    let mut bouncing = Bouncing::new(self.response.bounce(), self.tick, from);
                    bouncing.count_bounce(movement.position, (self.tick - made).max(0.0), true);
                    return MotionPart::Bounce(bouncing);
                }
            }
            WalkEnd::InAir { rest, direction } => {
                movement.velocity = direction * belt.speed;
                let begin = if T::RECORDS { legs.done_fraction() } else { 0.0 };
                return MotionPart::Slide(Sliding::new_after_belt_end(begin, movement.position, rest));
            }
        }
        MotionPart::Done
    }

    /// Returns the velocity after walls bounce a body that a belt carries into them. `None` if they do not.
    fn bounce_velocity_of_belt_ride(&self, walls: &[Surface], belt: &Belt, movement: &Movement<'_>) -> Option<DVec2> {
        let (scene, shape, position) = (self.probe.scene, self.probe.shape, movement.position);
        let mut bounce = self.response.bounce();
        if matches!(self.response, Response::Slide | Response::Bounce(_)) {
            bounce = bounce.max(scene.bounce(shape, position, walls));
        }
        let mut touched: Surfaces = walls.iter().copied().collect();
        scene.add_touched_surfaces(shape, position, &mut touched);
        let motions = (belt.velocity(), self.gravity);
        match Barrier::find_barrier(scene, position, (walls, &touched), motions, f64::INFINITY)? {
            Barrier::Wall(wall) => wall.bounce_velocity_along_floor(belt.speed.abs(), bounce, self.rest_speed),
            Barrier::Floor => None,
        }
    }
}

//! What rests on a belt and is carried along: it walks with the belt, over slopes and crests, as a character would.

use crate::ballistic::{DynamicStep, Sliding};
use crate::body::Response;
use crate::motion::{Belt, Bends, Legs, Limit, Surface, Walk, WalkEnd, clip};
use crate::movement::Movement;
use glam::DVec2;

/// A ride on a belt under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ride {
    pub(crate) legs: Legs,
    belt: Belt,
}

impl DynamicStep<'_, '_> {
    /// The ride of a body that rests on a belt, if it does.
    #[inline(never)]
    pub(crate) fn begin_ride(&mut self, movement: &Movement<'_>) -> Option<Ride> {
        let (position, shape, gravity) = (movement.position, self.probe.shape, self.gravity);
        let sticks = self.response == Response::Stop;
        if movement.touch.now().is_empty() || (self.friction == 0.0 && !sticks) {
            return None;
        }
        let scene = self.probe.scene;
        // Along a slope its velocity points into the floor, or away from it, by rounding.
        let pressed = self.probe.pressed(movement.touch.now(), position, gravity, DVec2::ZERO);
        let belt = scene.belt_of_floors(shape, position, pressed);
        let rests = movement.velocity == belt.velocity() || (sticks && movement.velocity == DVec2::ZERO);
        if belt.speed == 0.0 || !rests {
            return None;
        }
        let along = clip(pressed, position, gravity);
        let friction = self.friction * scene.friction(shape, position, pressed);
        let holds = sticks || along.length() <= friction * (gravity - along).length();
        holds.then(|| Ride { legs: Legs::new(belt.speed * self.tick), belt })
    }

    /// Goes on with a ride; answers with the slide that follows where the floor ends.
    pub(crate) fn ride_on<L: Limit>(
        &mut self,
        ride: &mut Ride,
        movement: &mut Movement<'_>,
        limit: L,
    ) -> Result<Option<Sliding>, L::Pause> {
        let Ride { legs, belt } = ride;
        let (hits, velocity) = (&mut movement.hits, belt.velocity());
        let mut struck = |position, motion, surface: &Surface| hits.note_walking(surface, position, velocity, motion);
        let mut walk = Walk {
            position: movement.position,
            touch: &mut movement.touch,
            path: movement.path,
            struck: &mut struck,
            step: 0,
            bends: Bends::Followed,
        };
        let end = self.probe.walk_among(&mut walk, legs, limit);
        movement.position = walk.position;
        match end? {
            WalkEnd::OnFloor(_) => {
                let (scene, shape) = (self.probe.scene, self.probe.shape);
                let floor = scene.belt_under(shape, movement.position, movement.touch.now(), self.gravity);
                movement.velocity = floor.direction * belt.speed;
            }
            WalkEnd::Blocked => movement.velocity = DVec2::ZERO,
            WalkEnd::InAir { rest, direction } => {
                movement.velocity = direction * belt.speed;
                let begin = if L::PAUSES { legs.over() } else { 0.0 };
                return Ok(Some(Sliding::after(begin, movement.position, rest)));
            }
        }
        Ok(None)
    }
}

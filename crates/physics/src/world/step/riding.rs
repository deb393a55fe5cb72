//! Own moves of bodies near platforms, which stay where they are meanwhile.
//!
//! Before the move, a body gets the frame for it: which platforms carried and pushed it, and which are near. Its
//! velocity is relative to the platform that it rides. The part of the move that a push has made already is not made
//! again. [`frame_change`](super::frame_change) ends the move.

use super::platforms::{Carried, Carries, LISTED_MARGIN_UNITS};
use super::{Rules, StepScratch, Tick};
use crate::ballistic::free_flight;
use crate::body::Response;
use crate::event::BodyId;
use crate::motion::{Bounds, Owner, Scene, Surface};
use crate::world::BodyState;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::Position;

/// The frame of a body for its own move: how platforms moved it, and what it rides.
#[derive(Clone, Debug)]
pub(in crate::world) struct Riding {
    pub(super) carried: Carried,
    /// Velocity of the ridden platform, in tiles per second.
    pub(super) velocity: DVec2,
    /// Whether the body's input makes it jump, if it stands.
    pub(super) may_jump: bool,
    /// Position where the own move begins.
    pub(super) start: Position,
}

impl Riding {
    /// Returns the frame of a body far from all platforms.
    pub(super) fn without_platforms(start: Position) -> Riding {
        let carried = Carried::of_unblocked_body(BodyId::default(), start, start);
        Riding { carried, velocity: DVec2::ZERO, may_jump: false, start }
    }

    /// Returns the frame of a rider that is near nothing but its platform.
    pub(super) fn on_single_platform(
        slot: u32,
        velocity: DVec2,
        (from, start): (Position, Position),
        may_jump: bool,
    ) -> Riding {
        let rides = SmallVec::from_slice(&[Owner::Platform(slot)]);
        let carried = Carried { rides, ..Carried::of_unblocked_body(BodyId::default(), from, start) };
        Riding { carried, velocity, may_jump, start }
    }

    /// Returns the frame of a body before its own move. Call in the order of the slots.
    pub(in crate::world) fn begin_own_move(
        scene: &Scene<'_>,
        rules: &Rules<'_>,
        body: BodyId,
        state: &BodyState,
        scratch: &mut StepScratch,
    ) -> Riding {
        let carried = scratch.carries.take_next_carried(body);
        Riding::for_body(scene, rules, carried, state)
    }

    /// [`Riding::begin_own_move`] for calls in any order. It does not advance the iteration in the order of the slots.
    pub(super) fn begin_own_move_in_any_order(
        scene: &Scene<'_>,
        rules: &Rules<'_>,
        body: BodyId,
        state: &BodyState,
        scratch: &StepScratch,
    ) -> Riding {
        Riding::for_body(scene, rules, scratch.carries.find_carried(body), state)
    }

    fn for_body(scene: &Scene<'_>, rules: &Rules<'_>, carried: Option<Carried>, state: &BodyState) -> Riding {
        let (start, may_jump) = (state.now.position, may_jump(state));
        let Some(mut carried) = carried else {
            let mut riding = Riding { may_jump, ..Riding::without_platforms(start) };
            let Carried { within, near, .. } = &mut riding.carried;
            *within = Bounds::of_motion(state.kind.shape, start, I64Vec2::ZERO).grown(LISTED_MARGIN_UNITS);
            if scene.around.find_near_platforms(within, near).is_none() {
                *within = Bounds::NONE;
                near.clear();
            }
            return riding;
        };
        let velocity = scene.around.combined_velocity(carried.rides.iter().copied());
        // A push gives no velocity to a body that moves at least as far by itself in that direction.
        let (gravity, settings, pushed) = (rules.gravity_of(&state.kind), rules.settings, carried.pushed.as_dvec2());
        let outruns = || {
            let own_displacement = free_flight(state.now.velocity, *gravity, settings.tick).0.as_dvec2();
            own_displacement.dot(pushed) >= pushed.length_squared()
        };
        if carried.pushed != I64Vec2::ZERO && outruns() {
            carried.pushers = 0..0;
        }
        Riding { carried, velocity, may_jump, start }
    }

    /// Returns whether the body rides a platform.
    pub(super) fn rides_a_platform(&self) -> bool {
        self.carried.rides.iter().any(|owner| *owner != Owner::Terrain)
    }

    /// Returns whether a platform itself touches and pushes the body. False if only other bodies push it.
    pub(super) fn is_pushed_by_platforms(&self) -> bool {
        !self.carried.pushers.is_empty()
    }

    /// Returns the surfaces of platforms that push the body.
    pub(super) fn pushers<'a>(&self, carries: &'a Carries) -> &'a [Surface] {
        &carries.pushers[self.carried.pushers.clone()]
    }

    /// Returns the scene for the body's own move in this frame.
    pub(in crate::world) fn scene<'a>(&'a self, scene: Scene<'a>) -> Scene<'a> {
        let Carried { from, ignored, within, near, .. } = &self.carried;
        let around = scene.around.ignoring_platforms(ignored, self.velocity).with_near_platforms(*within, near);
        Scene { around: around.with_approach(*from, self.start), ..scene }
    }
}

impl Tick<'_> {
    /// Makes the own move of a body that may be near platforms.
    #[inline(never)]
    pub(super) fn move_near_platforms(&mut self, body: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        if scratch.carries.is_next_carried(body) {
            self.move_among_platforms(body, state, scratch);
        } else if !self.try_predicted_tick(state) {
            self.move_body_not_carried(body, state, scratch);
        }
    }

    /// Makes the own move of a body that no platform has moved. If none is near, it moves as in a world without
    /// platforms.
    fn move_body_not_carried(&mut self, body: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        let around = Bounds::of_motion(state.kind.shape, state.now.position, I64Vec2::ZERO).grown(LISTED_MARGIN_UNITS);
        let was_riding = state.last_ride_velocity() != DVec2::ZERO || state.inheritable_velocity().is_some();
        if was_riding || self.scene.around.may_have_platform_within(&around) {
            return self.move_among_platforms(body, state, scratch);
        }
        let from = state.now.position;
        let scene = Scene { around: self.scene.around.with_approach(from, from), ..self.scene };
        Tick::new(scene, self.rules, self.events).move_body_without_prediction(body, state, scratch);
        self.switch_to_ridden_frame(state, scratch, &Riding::without_platforms(from));
    }

    /// Makes the own move of a body among platforms, which stay where they are meanwhile.
    fn move_among_platforms(&mut self, body: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        let riding = Riding::begin_own_move(&self.scene, &self.rules, body, state, scratch);
        let scene = riding.scene(self.scene);
        Tick::of_riding_body(scene, self.rules, self.events, &riding)
            .move_body_without_prediction(body, state, scratch);
        self.switch_to_ridden_frame(state, scratch, &riding);
    }
}

/// Returns whether the input of a character makes it jump off its floor in this tick.
pub(super) fn may_jump(state: &BodyState) -> bool {
    let now = &state.now;
    state.kind.character.is_some() && now.footing.is_ground() && now.leaves_ground_by_input()
}

/// Returns the unscaled normals and the velocities of the surfaces of platforms that push a body, and the bounce of the
/// push. `project_out_of_surfaces` then gives the body at least the velocity of the platforms.
pub(super) fn find_push_limits_and_bounce(
    scene: &Scene<'_>,
    state: &BodyState,
    pushers: &[Surface],
) -> (SmallVec<[(DVec2, DVec2); 4]>, f64) {
    let around = scene.around;
    let is_character = state.kind.character.is_some();
    let (shape, position) = (state.kind.shape, state.now.position);
    let mut bounce = if is_character { 0.0 } else { state.kind.response.bounce() };
    let is_thrown = !is_character && matches!(state.kind.response, Response::Slide | Response::Bounce(_));
    if is_thrown && scene.has_bouncy_materials() {
        bounce = bounce.max(scene.bounce(shape, position, pushers));
    }
    let counts = |surface: &&Surface| !is_character || scene.frame.is_floor(surface.normal(position));
    let limit = |surface: &Surface| (surface.normal(position).as_dvec2(), around.velocity(surface.owner));
    (pushers.iter().filter(counts).map(limit).collect(), bounce)
}

//! Effects of areas on the motion of bodies.
//!
//! The bodies that areas affect in a tick are known before the tick: those that were inside an area with effects when
//! the last tick ended. Other bodies are not visited. An affected body may use the prediction of its next tick only
//! while the effects stay equal.

use super::super::bodies::Bodies;
use super::super::{BodyState, Kind, Settings};
use super::{Areas, component_along_up, sort_key};
use crate::area::{AreaId, Effects};
use crate::event::BodyId;
use crate::motion::{Up, turn_vector_to_up};
use glam::DVec2;

/// Effects of areas on a body in a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveEffects {
    body: BodyId,
    effects: Effects,
    /// The area whose buoyancy acts on the body.
    liquid: Option<AreaId>,
    /// Acceleration in tiles per second squared: gravity with buoyancy and wind.
    pub(crate) acceleration: DVec2,
    /// Factor on the walk speed of a character.
    pub(crate) speed_factor: f64,
    /// Speed to the right that a character on the ground gets from wind, in tiles per second.
    pub(crate) ground_wind: f64,
}

impl ActiveEffects {
    fn new(body: BodyId, effects: Effects, liquid: Option<AreaId>) -> ActiveEffects {
        let speed_factor = effects.speed_scale.unwrap_or(1.0);
        // NaN differs from every acceleration, so the first comparison drops the tick prediction of the body.
        ActiveEffects { body, effects, liquid, acceleration: DVec2::NAN, speed_factor, ground_wind: 0.0 }
    }

    /// Returns the acceleration of a body. `fraction_in_liquid`: part of its height below the top of the liquid.
    fn acceleration_of(&self, kind: &Kind, settings: &Settings, fraction_in_liquid: f64) -> DVec2 {
        let Effects { gravity, gravity_scale, buoyancy, wind, .. } = self.effects;
        let gravity = gravity.map_or(kind.base_gravity, |gravity| turn_vector_to_up(gravity, settings.up, kind.up))
            * gravity_scale.unwrap_or(1.0)
            * kind.gravity_scale;
        let lifted = gravity * (1.0 - buoyancy.unwrap_or_default() * fraction_in_liquid);
        let pace = kind.time_factor();
        lifted + wind.unwrap_or_default() * (pace * pace)
    }

    /// Applies drag to the velocity of a body, and sets its acceleration for the tick. Drops its tick prediction if
    /// either has changed.
    fn apply_drag_and_set_acceleration(&mut self, state: &mut BodyState, settings: &Settings, fraction_in_liquid: f64) {
        let before = self.acceleration;
        self.acceleration = self.acceleration_of(&state.kind, settings, fraction_in_liquid);
        let right = state.kind.up.right().as_dvec2();
        self.ground_wind = self.effects.ground_wind.map_or(0.0, |wind| wind.dot(right) * state.kind.time_factor());
        let drag = self.effects.drag.unwrap_or_default();
        let is_walking = state.kind.character.is_some() && state.on_floor();
        let slows = drag != 0.0 && !is_walking && !state.now.stuck && !state.is_swimming();
        if slows {
            state.now.velocity =
                state.now.velocity / (1.0 + drag * (settings.tick * state.kind.time_factor())) + DVec2::ZERO;
        }
        if slows || before != self.acceleration {
            state.prediction.drop_flight_prediction();
        }
    }

    /// Drops the tick prediction of the body, because no area acts on it any longer.
    fn drop_prediction_of_body(&self, bodies: &mut Bodies) {
        if let Some(state) = bodies.get_mut(self.body) {
            state.prediction.drop_flight_prediction();
        }
    }
}

/// Effects of areas in a tick, read body by body in the order of the slots.
#[derive(Clone)]
pub(in crate::world) struct ActingBodies<'a> {
    rest: std::slice::Iter<'a, ActiveEffects>,
}

impl<'a> ActingBodies<'a> {
    /// Returns the effects on a body, and goes on to the next body. Returns `None` without going on if no area acts on
    /// the body. Ask for the bodies in the order of their slots.
    #[inline]
    pub(in crate::world) fn take_next_effects(&mut self, body: BodyId) -> Option<&'a ActiveEffects> {
        let next = self.rest.as_slice().first()?;
        if next.body != body {
            return None;
        }
        self.rest.next()
    }

    /// Returns the effects on a body, in any order, before the first call of [`ActingBodies::take_next_effects`].
    pub(in crate::world) fn find_effects_on(&self, body: BodyId) -> Option<&'a ActiveEffects> {
        find_effects_on(self.rest.as_slice(), body)
    }

    pub(in crate::world) fn is_empty(&self) -> bool {
        self.rest.as_slice().is_empty()
    }
}

/// Returns the effects on a body from a list in the order of the slots.
fn find_effects_on(all: &[ActiveEffects], body: BodyId) -> Option<&ActiveEffects> {
    let found = all.binary_search_by_key(&sort_key(body), |acting| sort_key(acting.body)).ok()?;
    Some(&all[found]).filter(|acting| acting.body == body)
}

impl Areas {
    /// Returns the effects of areas this tick.
    pub(in crate::world) fn active_effects(&self) -> ActingBodies<'_> {
        ActingBodies { rest: self.acting.iter() }
    }

    /// Lists the bodies that areas act on in the tick that begins. Returns whether the effects may have changed.
    pub(in crate::world) fn update_active_effects(&mut self, bodies: &mut Bodies) -> bool {
        self.refill_lists_if_outdated();
        let now = [self.version, self.inside_version];
        let is_outdated = std::mem::replace(&mut self.acting_of, now) != now;
        if is_outdated {
            self.list_affected_bodies_and_drop_predictions(bodies);
        }
        is_outdated
    }

    /// Returns the up that areas give a body in the tick that begins.
    pub(in crate::world) fn up_from_areas(&self, body: BodyId) -> Option<Up> {
        find_effects_on(&self.acting, body).and_then(|acting| acting.effects.up)
    }

    /// Applies the effects of areas for the tick that begins: reduces velocities by drag, and sets accelerations.
    pub(in crate::world) fn apply_effects(&mut self, bodies: &mut Bodies, settings: &Settings) {
        if self.acting.is_empty() {
            return;
        }
        let mut acting = std::mem::take(&mut self.acting);
        for acting in &mut acting {
            let Some(state) = bodies.get_mut(acting.body) else { continue };
            let in_liquid = acting.liquid.map_or(0.0, |area| self.fraction_of_body_below_area_top(area, state));
            acting.apply_drag_and_set_acceleration(state, settings, in_liquid);
        }
        self.acting = acting;
    }

    /// Lists the affected bodies. A body keeps its tick prediction if its effects stay equal.
    fn list_affected_bodies_and_drop_predictions(&mut self, bodies: &mut Bodies) {
        let mut before = std::mem::take(&mut self.acted);
        std::mem::swap(&mut before, &mut self.acting);
        self.acting.clear();
        // The overlaps and the previous effects are both in the order of the bodies' slots. So one pass through both
        // finds the previous effects on each body.
        let mut previous = before.iter().peekable();
        for pairs in self.inside.chunk_by(|a, b| a.body == b.body) {
            let body = pairs[0].body;
            let moves = self.areas_of_pairs(pairs).any(|(_, area)| area.shared.kind().moves);
            if !moves || bodies.get(body).is_none() {
                continue;
            }
            let (effects, liquid) = self.effects_and_liquid_of_pairs(pairs);
            let mut acting = ActiveEffects::new(body, effects, liquid);
            while let Some(ended) = previous.next_if(|previous| sort_key(previous.body) < sort_key(body)) {
                ended.drop_prediction_of_body(bodies);
            }
            if let Some(known) = previous.next_if(|previous| previous.body == body)
                && known.effects == effects
            {
                acting.acceleration = known.acceleration;
            }
            self.acting.push(acting);
        }
        previous.for_each(|ended| ended.drop_prediction_of_body(bodies));
        self.acted = before;
    }

    /// Returns the fraction of a body's height that is below the top of an area.
    fn fraction_of_body_below_area_top(&self, area: AreaId, state: &BodyState) -> f64 {
        let up = state.kind.up.direction();
        let Some(liquid) = self.get(area) else { return 0.0 };
        let half = component_along_up(state.kind.shape.half_units(), up).abs();
        // Height of the surface of the liquid above the lowest point of the body.
        let depth = component_along_up(liquid.origin - state.now.position.units(), up)
            + liquid.top_height_at_body(state, up)
            + half;
        (depth as f64 / (2 * half) as f64).clamp(0.0, 1.0)
    }
}

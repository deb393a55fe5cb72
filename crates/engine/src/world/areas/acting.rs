//! What areas do to the motion of bodies.
//!
//! Which bodies they act on in a tick is known before it: those that were in such an area when the last one ended. A body that
//! none acts on is not asked; one that some acts on has known ticks only as long as these act alike in each of them.

use super::super::bodies::Bodies;
use super::super::{BodyState, Kind, Settings};
use super::{Areas, along, order};
use crate::area::{AreaId, Effects};
use crate::event::BodyId;
use crate::motion::Air;
use glam::{DVec2, I64Vec2};

/// What areas do to a body in a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Acting {
    body: BodyId,
    effects: Effects,
    /// The area out of which it is pushed.
    liquid: Option<AreaId>,
    /// Tiles per second squared: gravity with all else that pushes it.
    pub(crate) acceleration: DVec2,
    /// What its walk speed is multiplied by.
    pub(crate) speed_factor: f64,
}

impl Acting {
    fn new(body: BodyId, effects: Effects, liquid: Option<AreaId>) -> Acting {
        let speed_factor = effects.speed_scale.unwrap_or(1.0);
        Acting { body, effects, liquid, acceleration: DVec2::ZERO, speed_factor }
    }

    /// The acceleration of a body of which a part is below the top of what pushes it out.
    fn acceleration_of(&self, kind: &Kind, part: f64) -> DVec2 {
        let Effects { gravity, gravity_scale, buoyancy, wind, .. } = self.effects;
        let gravity = gravity.unwrap_or(kind.base_gravity()) * gravity_scale.unwrap_or(1.0) * kind.gravity_scale;
        let lifted = gravity * (1.0 - buoyancy.unwrap_or_default() * part);
        let pace = kind.pace();
        lifted + wind.unwrap_or_default() * (pace * pace)
    }

    /// Makes a body ready for its tick: its velocity loses what drag takes, and what it knows is forgotten where this tick is
    /// not like the last one.
    fn begin(&mut self, state: &mut BodyState, settings: &Settings, part: f64) {
        let before = self.acceleration;
        self.acceleration = self.acceleration_of(&state.kind, part);
        let drag = self.effects.drag.unwrap_or_default();
        let is_walking = state.kind.character.is_some() && state.on_floor();
        let slows = drag != 0.0 && !is_walking && !state.now.stuck && !state.is_swimming();
        if slows {
            state.now.velocity = state.now.velocity / (1.0 + drag * (settings.tick * state.kind.pace())) + DVec2::ZERO;
        }
        if slows || before != self.acceleration {
            forget(state);
        }
    }
}

/// A body moves otherwise than it did. What is around it stays known.
fn forget(state: &mut BodyState) {
    state.known.asks_anew();
    state.known.air = Air::NONE;
}

fn forget_if_there(bodies: &mut Bodies, body: BodyId) {
    if let Some(state) = bodies.get_mut(body) {
        forget(state);
    }
}

/// What areas do in a tick, asked for body by body in the order of the slots.
#[derive(Clone)]
pub(in crate::world) struct ActingBodies<'a> {
    rest: std::slice::Iter<'a, Acting>,
}

impl<'a> ActingBodies<'a> {
    /// What areas do to a body.
    #[inline]
    pub(in crate::world) fn of(&mut self, body: BodyId) -> Option<&'a Acting> {
        let next = self.rest.as_slice().first()?;
        if next.body != body {
            return None;
        }
        self.rest.next()
    }

    /// What areas do to a body, asked for in any order before all others.
    pub(in crate::world) fn find(&self, body: BodyId) -> Option<&'a Acting> {
        let all = self.rest.as_slice();
        all.binary_search_by_key(&order(body), |acting| order(acting.body)).ok().map(|found| &all[found])
    }

    pub(in crate::world) fn is_empty(&self) -> bool {
        self.rest.as_slice().is_empty()
    }
}

impl Areas {
    /// What areas do to bodies in the tick under way.
    pub(in crate::world) fn acting(&self) -> ActingBodies<'_> {
        ActingBodies { rest: self.acting.iter() }
    }

    /// Works out what areas do to bodies in the tick that begins.
    pub(in crate::world) fn begin_tick(&mut self, bodies: &mut Bodies, settings: &Settings) {
        if std::mem::take(&mut self.unknown) {
            self.find_acting(bodies);
        }
        if self.acting.is_empty() {
            return;
        }
        let up = settings.up.direction();
        let mut acting = std::mem::take(&mut self.acting);
        for acting in &mut acting {
            let Some(state) = bodies.get_mut(acting.body) else { continue };
            let part = acting.liquid.map_or(0.0, |area| self.part_below(area, state, up));
            acting.begin(state, settings, part);
        }
        self.acting = acting;
    }

    /// Lists the bodies that areas act on. What a body knows is kept if these act on it as before.
    fn find_acting(&mut self, bodies: &mut Bodies) {
        let mut before = std::mem::take(&mut self.acted);
        std::mem::swap(&mut before, &mut self.acting);
        self.acting.clear();
        let mut known = 0;
        let mut i = 0;
        while let Some(pair) = self.inside.get(i) {
            let body = pair.body;
            i += self.inside[i..].iter().take_while(|pair| pair.body == body).count();
            let (effects, liquid) = self.effects_of(body);
            if !effects.moves() || bodies.get(body).is_none() {
                continue;
            }
            // Both are in the order of the slots.
            while let Some(gone) = before.get(known).filter(|known| order(known.body) < order(body)) {
                forget_if_there(bodies, gone.body);
                known += 1;
            }
            let mut acting = Acting::new(body, effects, liquid);
            match before.get(known).filter(|known| known.body == body) {
                Some(known) if known.effects == effects => acting.acceleration = known.acceleration,
                _ => forget_if_there(bodies, body),
            }
            known += usize::from(before.get(known).is_some_and(|known| known.body == body));
            self.acting.push(acting);
        }
        before[known..].iter().for_each(|gone| forget_if_there(bodies, gone.body));
        self.acted = before;
    }

    /// The part of a body's height that is below the top of an area.
    fn part_below(&self, area: AreaId, state: &BodyState, up: I64Vec2) -> f64 {
        let Some(liquid) = self.get(area) else { return 0.0 };
        let half = along(state.kind.shape.half_units(), up).abs();
        // From the lowest point of the body up.
        let depth = along(liquid.origin - state.now.position.units(), up) + liquid.area.shape.top(up) + half;
        (depth as f64 / (2 * half) as f64).clamp(0.0, 1.0)
    }
}

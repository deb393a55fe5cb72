//! Areas in a step: their effects on bodies, and which bodies enter or leave them.

use super::super::Kind;
use super::super::areas::ActiveEffects;
use super::super::{TickLog, World};
use super::{Rules, Tick};
use glam::DVec2;

impl World {
    /// Finds the bodies that areas affect. Turns those bodies whose up has changed because they entered or left an
    /// area.
    #[inline(never)]
    pub(super) fn update_ups_from_areas(&mut self) {
        if self.areas.update_active_effects(&mut self.bodies) {
            self.turn_bodies_with_changed_up();
        }
    }

    fn turn_bodies_with_changed_up(&mut self) {
        if !self.areas.has_area_with_up() && !self.bodies.features_in_use().have_ups {
            return;
        }
        let mut turned = std::mem::take(&mut self.scratch.overrides.turned);
        let ups = self.bodies.iter().map(|(id, state)| (id, state.kind.area_up, self.areas.up_from_areas(id)));
        turned.extend(ups.filter(|(_, before, up)| before != up).map(|(id, _, up)| (id, up)));
        if !turned.is_empty() {
            self.invalidate_world_caches();
        }
        for (body, up) in turned.drain(..) {
            self.wake_with_bodies_on_top(body);
            if let Some(before) = self.bodies.set_area_up(body, up) {
                self.update_footing_after_turn(body, &before);
            }
        }
        self.scratch.overrides.turned = turned;
    }

    /// Applies areas to the bodies inside: acceleration, drag and similar effects change velocities before any body
    /// moves.
    pub(super) fn apply_area_effects(&mut self) {
        self.areas.apply_effects(&mut self.bodies, &self.settings);
    }

    /// Finds which bodies have entered and left areas. An area acts on a body from the next tick on.
    #[inline(never)]
    pub(super) fn update_bodies_in_areas(&mut self) {
        let World { areas, platforms, bodies, log: TickLog { events, .. }, .. } = self;
        areas.move_with_carriers(platforms, bodies);
        areas.detect_changes(bodies, events);
    }
}

impl<'a> Rules<'a> {
    /// Returns these rules for a body that the areas act on.
    pub(in crate::world) fn with_area_effects(self, acting: Option<&'a ActiveEffects>) -> Rules<'a> {
        Rules { acting, ..self }
    }

    /// Returns whether areas act on the current body.
    pub(in crate::world) fn is_affected_by_areas(&self) -> bool {
        self.acting.is_some()
    }

    /// Returns the acceleration of the current body, in tiles per second squared: gravity, or that of the areas.
    #[inline(always)]
    pub(in crate::world) fn gravity_of<'b>(&'b self, kind: &'b Kind) -> &'b DVec2 {
        self.acting.map_or(&kind.gravity, |acting| &acting.acceleration)
    }
}

impl Tick<'_> {
    /// Returns whether areas act on the current body.
    pub(in crate::world) fn is_affected_by_areas(&self) -> bool {
        self.rules.is_affected_by_areas()
    }

    /// Returns whether the acceleration of a body points up, so that the body leaves the ground. `PLAIN`: the kind is
    /// [plain](Kind::is_plain).
    #[inline(always)]
    pub(super) fn is_accelerated_upwards<const PLAIN: bool>(&self, kind: &Kind) -> bool {
        let up = self.scene.frame.up();
        // A plain kind has no gravity that points up, and a body that an area affects does not take the plain path.
        !PLAIN && self.rules.acting.map_or(kind.is_lifted, |acting| acting.acceleration.dot(up) > 0.0)
    }
}

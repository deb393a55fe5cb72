//! A tick of a world in which areas act on bodies.

use super::super::Kind;
use super::super::World;
use super::super::areas::Acting;
use super::{Rules, Tick};
use glam::DVec2;

impl World {
    /// Moves bodies, on some of which areas act.
    #[inline(never)]
    pub(super) fn move_in_areas(&mut self) {
        let World { terrain, platforms, areas, settings, bodies, scratch, events, tick: ticks, .. } = self;
        let scene = platforms.scene(terrain, settings);
        let mut tick = Tick::new(scene, Rules::of(settings, terrain, *ticks), events);
        let (mut acting, lets_pass) = (areas.acting(), !terrain.lets_pass().is_empty());
        for (id, state) in bodies.iter_mut() {
            if lets_pass {
                tick.scene = scene.of_layers(state.kind.collision_layers);
            }
            tick.rules.acting = acting.of(id);
            tick.move_body(id, state, scratch);
        }
    }

    /// Finds which bodies have come into areas and gone out of them.
    #[inline(never)]
    pub(super) fn look_at_areas(&mut self) {
        let World { areas, platforms, bodies, events, .. } = self;
        areas.follow(platforms, bodies);
        areas.look(bodies, events);
    }
}

impl<'a> Rules<'a> {
    /// These rules for a body to which areas do that.
    pub(in crate::world) fn with(self, acting: Option<&'a Acting>) -> Rules<'a> {
        Rules { acting, ..self }
    }

    /// What draws the body under way, in tiles per second squared.
    #[inline(always)]
    pub(in crate::world) fn gravity_of<'b>(&'b self, kind: &'b Kind) -> &'b DVec2 {
        self.acting.map_or(kind.gravity(), |acting| &acting.acceleration)
    }
}

impl Tick<'_> {
    /// Whether the acceleration of a body points up, so that the body leaves the ground. `PLAIN`: the kind is
    /// [plain](Kind::is_plain).
    #[inline(always)]
    pub(super) fn is_lifted<const PLAIN: bool>(&self, kind: &Kind) -> bool {
        let up = self.scene.frame.up();
        let own = !PLAIN && kind.is_lifted();
        self.rules.acting.map_or(own, |acting| acting.acceleration.dot(up) > 0.0)
    }
}

//! One body's way through one tick: filled by whatever moves it.

use crate::motion::{Impact, Surface, Surfaces, clip};
use glam::DVec2;
use smallvec::SmallVec;
use surefoot_geometry::Place;

/// Where a body goes in a tick and what it meets.
#[derive(Debug)]
pub(crate) struct Travel {
    pub(crate) place: Place,
    /// Tiles per second.
    pub(crate) velocity: DVec2,
    /// The end of each straight part of the way.
    pub(crate) path: SmallVec<[Place; 4]>,
    pub(crate) hits: SmallVec<[Struck; 4]>,
    /// What it touches at the end, if the mover knows.
    pub(crate) surfaces: Option<Surfaces>,
}

/// A surface that was run into.
#[derive(Debug)]
pub(crate) struct Struck {
    pub(crate) surface: Surface,
    /// Where the body was.
    pub(crate) place: Place,
    /// How fast it came along the normal.
    pub(crate) speed: f64,
}

impl Travel {
    pub(crate) fn new(place: Place, velocity: DVec2) -> Travel {
        Travel { place, velocity, path: SmallVec::new(), hits: SmallVec::new(), surfaces: None }
    }

    /// Remembers what an impact met, at the velocity of that moment.
    pub(crate) fn note(&mut self, impact: &Impact) {
        for surface in &impact.struck {
            let normal = surface.normal(impact.place).as_dvec2().normalize_or_zero();
            let speed = (-normal.dot(self.velocity)).max(0.0);
            self.hits.push(Struck { surface: *surface, place: impact.place, speed });
        }
    }

    /// Takes from the velocity what the surfaces of an impact do not let pass; answers with how much that was.
    pub(crate) fn clip(&mut self, impact: &Impact) -> f64 {
        let clipped = clip(&impact.held, impact.place, self.velocity);
        let lost = (self.velocity - clipped).length();
        self.velocity = clipped;
        lost
    }
}

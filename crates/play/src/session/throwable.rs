use std::collections::BTreeMap;
use std::fmt;
use surefoot::body::Body;
use surefoot::event::BodyId;
use surefoot::map::CollisionLayers;
use surefoot::motion::Shape;

/// An object to throw. It collides with the hero and all other thrown objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Throwable {
    /// A ball: bounces, and rolls to a stop slowly. It has a quarter of the mass of a box.
    Ball,
    /// A box: slides to a stop. It stays on gentle hills and slides down slopes of 45 degrees. The hero pushes it and
    /// stands on it.
    Box,
}

impl Throwable {
    /// Maximum number of thrown bodies in the world; the oldest are removed first.
    pub const MOST: usize = 300;

    /// Returns the shape.
    #[must_use]
    pub fn shape(self) -> Shape {
        match self {
            Throwable::Ball => Shape::circle(0.25),
            Throwable::Box => Shape::aabb(0.28, 0.28),
        }
    }

    pub(super) fn body(self) -> Body {
        let body = Body::new(self.shape()).collision_mask(CollisionLayers::ALL);
        match self {
            Throwable::Ball => body.mass(0.25).bounce(0.65).friction(0.1),
            Throwable::Box => body.mass(1.0).friction(0.6),
        }
    }
}

impl fmt::Display for Throwable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Throwable::Ball => "ball",
            Throwable::Box => "box",
        })
    }
}

/// All thrown bodies of a run, in order. The last [`Throwable::MOST`] of them are in the world.
#[derive(Clone, Debug, Default)]
pub(super) struct Pile {
    all: Vec<(u64, Throwable, BodyId)>,
}

impl Pile {
    /// Returns the body to remove before the next throw.
    pub(super) fn oldest_if_full(&self) -> Option<BodyId> {
        self.all.len().checked_sub(Throwable::MOST).map(|index| self.all[index].2)
    }

    pub(super) fn add(&mut self, tick: u64, kind: Throwable, body: BodyId) {
        self.all.push((tick, kind, body));
    }

    /// Forgets the bodies thrown after a tick.
    pub(super) fn forget_bodies_after(&mut self, tick: u64) {
        self.all.truncate(self.all.partition_point(|&(thrown, ..)| thrown <= tick));
    }

    /// Returns the thrown bodies that stay in a new world, with their new ids.
    pub(super) fn with_new_ids(&self, ids: &BTreeMap<BodyId, BodyId>) -> Pile {
        let all = self.all.iter().filter_map(|(_, kind, body)| Some((0, *kind, *ids.get(body)?)));
        Pile { all: all.collect() }
    }

    /// Returns the names of all bodies thrown before a tick.
    pub(super) fn body_names(&self, before: u64) -> impl Iterator<Item = (BodyId, String)> {
        let mut counts = [0; 2];
        self.all.iter().take_while(move |&&(tick, ..)| tick < before).map(move |&(_, kind, body)| {
            let count = &mut counts[kind as usize];
            *count += 1;
            (body, format!("{kind} {count}"))
        })
    }
}

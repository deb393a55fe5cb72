use super::Settings;
use crate::body::{Body, BodyBits, Character};
use crate::motion::{Scene, Up, are_opposite};
use glam::DVec2;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

/// A body configuration, at the origin and at rest, with precomputed values. It describes the motion in the world's
/// time.
#[derive(Debug, PartialEq)]
pub(crate) struct Kind {
    body: Body,
    /// The original configuration, if the body has its own time scale.
    given: Option<Box<Body>>,
    /// Direction of up of the areas around the body.
    pub(crate) area_up: Option<Up>,
    /// Direction of up for the body: that of the areas, its own or the world's.
    pub(crate) up: Up,
    /// Whether the body's up is opposite to the world's. [`Now`](super::Now) stores left and right as the body sees
    /// them. They are then the reverse of the world's left and right.
    pub(crate) is_flipped: bool,
    pub(crate) base_gravity: DVec2,
    pub(crate) gravity: DVec2,
    pub(crate) is_lifted: bool,
    pub(crate) is_plain: bool,
    pub(crate) has_slope_speeds: bool,
}

impl Kind {
    /// Creates the precomputed configuration of a body for a world with those settings.
    pub(crate) fn new(given: Body, settings: &Settings, area_up: Option<Up>) -> Kind {
        let (body, given) = match given.converted_to_world_time() {
            Some(body) => (body, Some(Box::new(given))),
            None => (given, None),
        };
        let up = area_up.or(body.up).unwrap_or(settings.up);
        let is_flipped = are_opposite(up, settings.up);
        let base_gravity = settings.gravity_of(&body, up);
        let has_slope_speeds = body.character.as_ref().is_some_and(Character::has_slope_speeds);
        let gravity = base_gravity * body.gravity_scale;
        let is_lifted = gravity.dot(up.direction().as_dvec2()) > 0.0;
        let is_plain = !is_lifted && body.character.as_ref().is_some_and(Character::only_walks_and_jumps);
        Kind { body, given, up, area_up, is_flipped, base_gravity, gravity, is_lifted, is_plain, has_slope_speeds }
    }

    /// Returns the configuration as it was given.
    #[inline]
    pub(crate) fn original_body(&self) -> &Body {
        self.given.as_deref().unwrap_or(&self.body)
    }
}

impl<'a> Scene<'a> {
    /// Returns the scene for a body: without the tiles that its collision layers pass, and with its direction of up.
    #[inline]
    pub(crate) fn of_kind(self, kind: &Kind) -> Scene<'a> {
        let frame = self.frame.with_up(kind.up);
        Scene { frame, ..self.for_layers(kind.collision_layers) }
    }
}

impl Deref for Kind {
    type Target = Body;

    #[inline(always)]
    fn deref(&self) -> &Body {
        &self.body
    }
}

/// Configurations of a world's bodies, each stored once: bodies with equal configurations share an entry.
///
/// Unused entries stay until [`Kinds::may_be_mostly_unused`] says that a search through all bodies is worthwhile.
#[derive(Clone, Debug)]
pub(super) struct Kinds {
    /// Settings of the world.
    settings: Settings,
    /// Entries by their bits. Nothing iterates over the map, so its order does not affect results.
    entries: HashMap<BodyBits, Arc<Kind>>,
    /// Number of entries from which unused ones are dropped.
    limit: usize,
}

/// Returns the bits that tell an entry from others.
fn configuration_bits(body: &Body, area_up: Option<Up>) -> BodyBits {
    let mut bits = body.bits();
    bits.extend(area_up.map(|up| up as u64));
    bits
}

/// Number of entries that are always kept, used or not.
const MIN_KEPT_ENTRIES: usize = 16;

impl Kinds {
    /// Creates an empty list for a world with those settings.
    pub(super) fn new(settings: Settings) -> Kinds {
        Kinds { settings, entries: HashMap::new(), limit: 0 }
    }

    pub(super) fn copy(&mut self, from: &Kinds) {
        self.entries.clone_from(&from.entries);
        (self.settings, self.limit) = (from.settings, from.limit);
    }

    /// Changes the settings. Entries of other settings are dropped.
    pub(super) fn set_settings(&mut self, settings: &Settings) {
        if self.settings != *settings {
            *self = Kinds::new(*settings);
        }
    }

    /// Returns the entry of a configuration that is bitwise equal: 0.0 and -0.0 differ.
    pub(super) fn intern(&mut self, body: &Body, area_up: Option<Up>) -> Arc<Kind> {
        let make = || Arc::new(Kind::new(body.configuration(), &self.settings, area_up));
        self.entries.entry(configuration_bits(body, area_up)).or_insert_with(make).clone()
    }

    /// Returns whether most entries may be unused.
    pub(super) fn may_be_mostly_unused(&self) -> bool {
        self.entries.len() > self.limit.max(MIN_KEPT_ENTRIES)
    }

    /// Drops the entries that no body uses.
    pub(super) fn retain_used<'a>(&mut self, of_bodies: impl Iterator<Item = &'a Arc<Kind>>) {
        self.entries.clear();
        let mut bodies = 0;
        for kind in of_bodies {
            bodies += 1;
            self.entries.entry(configuration_bits(kind.original_body(), kind.area_up)).or_insert_with(|| kind.clone());
        }
        // Search for unused entries again only after the number of entries has doubled. `bodies / 8` allows some more
        // entries, because a search visits all bodies.
        self.limit = 2 * self.entries.len() + bodies / 8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Character, Response};
    use crate::map::CollisionLayers;
    use crate::motion::Shape;

    fn body_with_friction(friction: f64) -> Body {
        Body::new(Shape::circle(0.25)).friction(friction)
    }

    #[test]
    fn equal_configurations_share_an_entry_and_others_do_not() {
        let body = Body::new(Shape::circle(0.25));
        let character = Character::default();
        let bodies = [
            body.clone(),
            Body::new(Shape::aabb(0.25, 0.25)),
            Body::new(Shape::circle(0.26)),
            body.clone().gravity_scale(0.0),
            body.clone().gravity_scale(-0.0),
            body.clone().bounce(0.0),
            body.clone().bounce(0.5),
            body.clone().response(Response::Stop),
            body.clone().response(Response::Pass),
            body.clone().friction(0.5),
            body.clone().rest_speed_threshold(0.5),
            body.clone().collision_layers(CollisionLayers(2)),
            body.clone().collision_mask(CollisionLayers(2)),
            body.clone().collision_mask(CollisionLayers::ALL),
            body.clone().collision_mask(CollisionLayers::ALL.without(CollisionLayers::FIRST)),
            body.clone().tag(1),
            body.clone().tag(1 << 40),
            body.clone().tag(2 << 32 | 1),
            body.clone().collision_mask(CollisionLayers(2)).tag(1),
            body.clone().mass(2.0),
            body.clone().time_scale(0.5),
            body.clone().time_scale(0.0),
            body.clone().mass(0.5),
            body.clone().mass(0.5).time_scale(0.5),
            body.clone().mass(0.5).time_scale(0.5).bounce(0.5),
            body.clone().time_scale(0.5).bounce(0.5),
            body.clone().mass(2.0).bounce(2.0),
            body.clone().mass(2.0).collision_mask(CollisionLayers(2)),
            body.clone().mass(f64::from_bits(2 << 32 | 1)),
            body.clone().collision_layers(CollisionLayers::NONE).collision_mask(CollisionLayers(1)),
            body.clone().character(character),
            body.clone().character(Character { walk_speed: 0.0, ..character }),
            body.clone().character(Character { ground_acceleration: 0.0, ..character }),
            body.clone().character(Character { ground_braking: 0.0, ..character }),
            body.clone().character(Character { air_acceleration: 0.0, ..character }),
            body.clone().character(Character { jump_height: 0.0, ..character }),
            body.clone().character(Character { max_fall_speed: 0.0, ..character }),
            body.clone().character(Character { max_push_mass: 2.0, ..character }),
            body.clone().character(Character { max_push_mass: -0.0, ..character }),
            body.clone().character(Character { platform_velocity_grace: 2.0, ..character }),
            body.clone().character(character).mass(2.0),
            body.character(Character { max_push_mass: 2.0, ..character }).mass(2.0),
        ];
        let mut kinds = Kinds::new(Settings::default());
        let first = bodies.each_ref().map(|body| kinds.intern(body, None));
        let again = bodies.each_ref().map(|body| kinds.intern(body, None));
        for (i, one) in first.iter().enumerate() {
            for (j, other) in again.iter().enumerate() {
                assert_eq!(Arc::ptr_eq(one, other), i == j, "{i} {j}");
            }
        }
    }

    #[test]
    fn entries_without_a_body_are_dropped() {
        let mut kinds = Kinds::new(Settings::default());
        let kept: Vec<_> = (0..10).map(|i| kinds.intern(&body_with_friction(f64::from(i)), None)).collect();
        for i in 0..10_000 {
            if kinds.may_be_mostly_unused() {
                kinds.retain_used(kept.iter());
            }
            kinds.intern(&body_with_friction(100.0 + f64::from(i)), None);
            assert!(kinds.entries.len() <= 64, "{}", kinds.entries.len());
        }
        for (i, kept) in (0..).zip(&kept) {
            assert!(Arc::ptr_eq(kept, &kinds.intern(&body_with_friction(f64::from(i)), None)));
        }
    }
}

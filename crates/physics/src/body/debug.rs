//! Debug output of bodies in error messages and failed tests: fields that differ from the defaults, with lengths in
//! tiles.

use super::{Body, Character, Facing, PlatformVelocity, Response};
use crate::lengths;
use crate::map::CollisionLayers;
use std::fmt;
use surefoot_geometry::Position;

/// Prints the fields that differ from the default in any bit.
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Body");
        out.field("shape", &self.shape);
        match self.position {
            Ok(Position::ORIGIN) => {}
            Ok(position) => drop(out.field("position", &Tiles(position))),
            Err(error) => drop(out.field("position", &error)),
        }
        if self.velocity.to_array().map(f64::to_bits) != [0; 2] {
            out.field("velocity", &<(f64, f64)>::from(self.velocity));
        }
        if self.facing != Facing::Unset {
            out.field("facing", &self.facing);
        }
        if self.response != Response::Slide {
            out.field("response", &self.response);
        }
        for (name, value) in self.own_numbers() {
            out.field(name, &value);
        }
        if let Some(character) = &self.character {
            out.field("character", character);
        }
        if self.collision_layers != CollisionLayers::FIRST {
            out.field("collision_layers", &self.collision_layers);
        }
        if self.collision_mask != CollisionLayers::NONE {
            out.field("collision_mask", &self.collision_mask);
        }
        if self.one_way {
            out.field("one_way", &true);
        }
        if self.tag != 0 {
            out.field("tag", &self.tag);
        }
        if let Some(up) = self.up {
            out.field("up", &up);
        }
        out.finish_non_exhaustive()
    }
}

/// Prints the fields that differ from the default in any bit.
impl fmt::Debug for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Character");
        for (name, value) in self.changed() {
            out.field(name, &value);
        }
        if self.platform_velocity != PlatformVelocity::All {
            out.field("platform_velocity", &self.platform_velocity);
        }
        if self.air_jumps != 0 {
            out.field("air_jumps", &self.air_jumps);
        }
        out.finish_non_exhaustive()
    }
}

/// A position in tiles, or in units if no decimals are exact.
pub(crate) struct Tiles(pub(crate) Position);

impl fmt::Debug for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&lengths::position_text(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Shape;

    #[test]
    fn debug_text_lists_only_changed_fields() {
        let ball = Body::new(Shape::circle(0.25));
        for (body, told) in [
            (ball.clone(), "Body { shape: Circle(0.25), .. }"),
            (
                ball.clone().at((4.5, 9.0)).bounce(0.6),
                "Body { shape: Circle(0.25), position: (4.5, 9.0), response: Bounce(0.6), .. }",
            ),
            (
                ball.clone().mass(2.5).collision_mask(CollisionLayers::ALL),
                "Body { shape: Circle(0.25), mass: 2.5, collision_mask: CollisionLayers(4294967295), .. }",
            ),
            (ball.clone().facing(Facing::Left), "Body { shape: Circle(0.25), facing: Left, .. }"),
            (ball.clone().tag(u64::MAX), "Body { shape: Circle(0.25), tag: 18446744073709551615, .. }"),
            (
                ball.clone().velocity((0.0, -0.0)).friction(-0.0),
                "Body { shape: Circle(0.25), velocity: (0.0, -0.0), friction: -0.0, .. }",
            ),
            (
                ball.clone().at(Position::from_units(1, (1 << 60) + 1).unwrap()),
                "Body { shape: Circle(0.25), position: (1, 1152921504606846977) units, .. }",
            ),
            (
                Body::new(Shape::aabb(0.35, 0.45)).character(Character { jump_height: 2.0, ..Character::default() }),
                "Body { shape: Aabb(0.35, 0.45), character: Character { jump_height: 2.0, .. }, .. }",
            ),
            (
                ball.at((f64::NAN, 0.0)),
                "Body { shape: Circle(0.25), \
                    position: the position (NaN, 0) is not finite; expected finite coordinates, .. }",
            ),
        ] {
            assert_eq!(format!("{body:?}"), told);
        }
    }

    #[test]
    fn debug_text_of_a_body_in_a_world_shows_position_velocity_and_contacts() {
        let map = crate::map::Map::from_rows(["..", "=="]).unwrap();
        let mut world = crate::World::new(map, crate::world::Settings::default());
        let hero = Body::new(Shape::circle(0.3)).at((0.5, 1.3)).character(Character::default());
        let hero = world.spawn(hero).unwrap();
        world.step();
        assert_eq!(
            format!("{:?}", world[hero]),
            "BodyState { body: Body { shape: Circle(0.3), character: Character { .. }, .. }, position: (0.5, 1.3), \
             velocity: (0.0, 0.0), footing: Ground { speed: 0.0 }, touching: Touching { floor: true, wall_left: false, \
             wall_right: false, ceiling: false }, .. }"
        );
    }
}

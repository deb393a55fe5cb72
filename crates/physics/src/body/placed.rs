//! Bodies from the fields of a map or a replay, and back.

use super::{Body, Character, PlatformVelocity, Response};
use crate::map::{BodyFields, PlacedBody};
use crate::motion::Shape;
use crate::tiles::map::bodies::{BODY_NUMBERS, BodyResponse, BodyShape, CharacterFields, PLATFORM_VELOCITIES};

/// Name of a character in files, and the function that returns the character.
type Preset = (&'static str, fn() -> Character);

/// The characters that files name, in the order of the table of maps.
const PRESETS: [Preset; 4] = [
    ("Precise", Character::precise),
    ("Floaty", Character::floaty),
    ("Heavy", Character::heavy),
    ("Classic", Character::classic),
];

const VELOCITIES: [PlatformVelocity; 3] = [PlatformVelocity::All, PlatformVelocity::Upward, PlatformVelocity::None];

impl From<BodyShape> for Shape {
    fn from(shape: BodyShape) -> Shape {
        match shape {
            BodyShape::Circle(radius) => Shape::circle(radius),
            BodyShape::Aabb(width, height) => Shape::aabb(width, height),
        }
    }
}

impl From<BodyResponse> for Response {
    fn from(response: BodyResponse) -> Response {
        match response {
            BodyResponse::Slide => Response::Slide,
            BodyResponse::Bounce(factor) => Response::Bounce(factor),
            BodyResponse::Stop => Response::Stop,
            BodyResponse::Pass => Response::Pass,
        }
    }
}

impl From<&CharacterFields> for Character {
    fn from(fields: &CharacterFields) -> Character {
        let velocity = PLATFORM_VELOCITIES.iter().position(|name| *name == fields.platform_velocity);
        let platform_velocity = VELOCITIES[velocity.unwrap_or_default()];
        let preset = PRESETS.iter().find(|(name, _)| Some(*name) == fields.preset);
        let base = preset.map_or_else(Character::default, |(_, preset)| preset());
        let mut character = Character { platform_velocity, air_jumps: fields.air_jumps, ..base };
        for (name, value) in &fields.numbers {
            if let Some(number) = character.field_mut(name) {
                *number = *value;
            }
        }
        character
    }
}

impl From<&Character> for CharacterFields {
    fn from(character: &Character) -> CharacterFields {
        CharacterFields {
            preset: None,
            numbers: character.changed(),
            platform_velocity: PLATFORM_VELOCITIES[character.platform_velocity as usize],
            air_jumps: character.air_jumps,
        }
    }
}

/// Returns a body at the origin with those fields.
impl From<&BodyFields> for Body {
    fn from(fields: &BodyFields) -> Body {
        let mut body = Body {
            velocity: fields.velocity,
            facing: fields.facing,
            response: fields.response.into(),
            character: fields.character.as_ref().map(Character::from),
            collision_layers: fields.collision_layers,
            collision_mask: fields.collision_mask,
            one_way: fields.one_way,
            tag: fields.tag,
            up: fields.up,
            ..Body::new(fields.shape.into())
        };
        for (name, value) in &fields.numbers {
            // `fields.numbers` has only the body's own numbers. So do not search the numbers of its character, which
            // follow them.
            if let Some(number) = body.numbers().take(BODY_NUMBERS.len()).find(|number| number.name == *name) {
                *number.value = *value;
            }
        }
        body
    }
}

/// Returns the fields of a body, without its position.
impl From<&Body> for BodyFields {
    fn from(body: &Body) -> BodyFields {
        let half = body.shape.half_extents();
        BodyFields {
            shape: if body.shape.is_circle() { BodyShape::Circle(half.x) } else { BodyShape::Aabb(half.x, half.y) },
            velocity: body.velocity,
            facing: body.facing,
            response: match body.response {
                Response::Slide => BodyResponse::Slide,
                Response::Bounce(factor) => BodyResponse::Bounce(factor),
                Response::Stop => BodyResponse::Stop,
                Response::Pass => BodyResponse::Pass,
            },
            numbers: body.own_numbers(),
            character: body.character.as_ref().map(CharacterFields::from),
            collision_layers: body.collision_layers,
            collision_mask: body.collision_mask,
            one_way: body.one_way,
            tag: body.tag,
            up: body.up,
        }
    }
}

/// Returns the body at its position in the map.
impl From<&PlacedBody> for Body {
    fn from(placed: &PlacedBody) -> Body {
        Body { position: Ok(placed.position), ..Body::from(&placed.thing.fields) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::CollisionLayers;
    use crate::tiles::map::bodies::{self, CHARACTER_NUMBERS, DEFAULT_JUMP_HEIGHT, HALF_SIZES};
    use glam::DVec2;

    /// Maps check the numbers of bodies by their own tables. Names, order and ranges must equal those of `Body` and
    /// `Character`.
    #[test]
    fn number_tables_of_maps_equal_those_of_bodies() {
        let mut body = Body::default();
        let table: Vec<_> = BODY_NUMBERS.iter().map(|field| (field.path, field.min, field.max)).collect();
        assert_eq!(body.numbers().map(|number| (number.name, number.least, number.most)).collect::<Vec<_>>(), table);
        let mut character = Character { jump_height: 7.5, ..Character::default() };
        let most = |most: f64| if most == f64::INFINITY { 7.5 } else { most };
        let table: Vec<_> = CHARACTER_NUMBERS.iter().map(|field| (field.path, field.min, most(field.max))).collect();
        let numbers: Vec<_> =
            character.numbers().into_iter().map(|number| (number.name, number.least, number.most)).collect();
        assert_eq!(numbers, table);
        let names: Vec<_> = CHARACTER_NUMBERS.iter().map(|field| field.name).collect();
        assert_eq!(names, Character::FIELD_NAMES);
        assert_eq!(DEFAULT_JUMP_HEIGHT, Character::default().jump_height);
        assert_eq!(HALF_SIZES, (Shape::MIN_HALF_SIZE, Shape::MAX_HALF_SIZE));
        for (name, velocity) in PLATFORM_VELOCITIES.iter().zip(VELOCITIES) {
            assert_eq!(*name, format!("{velocity:?}"));
        }
    }

    #[test]
    fn presets_of_map_files_equal_those_of_characters() {
        assert!(bodies::PRESETS.iter().map(|preset| preset.name).eq(PRESETS.map(|(name, _)| name)));
        for (preset, (name, character)) in bodies::PRESETS.iter().zip(PRESETS) {
            let character = character();
            assert_eq!(
                (preset.jump_height, preset.min_jump_height),
                (character.jump_height, character.min_jump_height)
            );
            let plain = Character::default();
            assert_eq!(character.platform_velocity, plain.platform_velocity, "fields of files have that default");
            assert_eq!(character.air_jumps, plain.air_jumps, "fields of files have that default");
            let fields = CharacterFields { preset: Some(name), ..CharacterFields::from(&plain) };
            assert_eq!(Character::from(&fields), character, "{name}");
            let slow = CharacterFields { numbers: vec![("walk_speed", 3.0)], air_jumps: 2, ..fields };
            assert_eq!(Character::from(&slow), Character { walk_speed: 3.0, air_jumps: 2, ..character }, "{name}");
        }
    }

    #[test]
    fn bodies_survive_conversion_to_map_fields() {
        let mut character =
            Character { air_jumps: 3, platform_velocity: PlatformVelocity::None, ..Character::default() };
        for (i, number) in (1..).zip(character.numbers()) {
            *number.value = f64::from(i) / 64.0;
        }
        let mut body = Body {
            velocity: DVec2::new(1.5, -2.0),
            facing: crate::body::Facing::Left,
            response: Response::Bounce(0.25),
            character: Some(character),
            collision_layers: CollisionLayers(0b110),
            collision_mask: CollisionLayers::ALL,
            one_way: true,
            tag: 77,
            up: Some(crate::motion::Up::MinusX),
            ..Body::new(Shape::aabb(0.3, 0.7))
        };
        for (i, number) in (1..).zip(body.numbers().take(BODY_NUMBERS.len())) {
            *number.value = f64::from(i) / 8.0;
        }
        assert_eq!(Body::from(&BodyFields::from(&body)), body);
        let plain = Body::new(Shape::circle(0.1));
        assert_eq!(Body::from(&BodyFields::from(&plain)), plain);
        assert_eq!(Body::from(&BodyFields::default()), Body::default());
    }
}

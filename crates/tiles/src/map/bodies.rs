//! Bodies that a map places: their kind, their fields and their properties.
//!
//! The fields are plain data here: the physics turns them into bodies. The ranges of the numbers stand in tables,
//! which a test of the physics compares with those of its bodies and characters.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use super::layer_mask::{check_layers, check_mask};
use super::things::places_named_body;
use super::{CollisionLayerError, Map, MapBodyError, MapParts, Value};
use crate::facing::Facing;
use crate::ids::CollisionLayers;
use crate::range::{RangeError, check_in_range};
use crate::up::Up;
use glam::{DVec2, I64Vec2};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use surefoot_geometry::{ONE, Position, to_units};
use thiserror::Error;

/// Body that a map places: what every world of [`World::from_map`](../world/struct.World.html#method.from_map) starts
/// with.
///
/// [`Map::bodies`] returns the bodies of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedBody {
    /// Name of the body, unique in its map.
    pub name: String,
    /// Position of the centre of the body.
    pub position: Position,
    /// Kind, fields and properties. All bodies of one legend entry share them.
    pub thing: Arc<BodyThing>,
}

impl PlacedBody {
    /// Returns the kind of the body: a word of your game, such as `"walker"`.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.thing.kind
    }

    /// Returns the properties of the body: data for your game, by name.
    #[must_use]
    pub fn properties(&self) -> &BTreeMap<String, Value> {
        &self.thing.properties
    }
}

/// Kind, fields and properties of a body that a map places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyThing {
    /// Kind of the body: a word of your game, such as `"walker"`. Not empty. The engine does not use the kind.
    pub kind: String,
    /// Shape, velocity, facing and physical properties. `BodyFields::from(&body)` makes them from a
    /// [`Body`](../body/struct.Body.html), and `Body::from(&fields)` makes a body from them.
    pub fields: BodyFields,
    /// Data for your game, by name. The physics ignores it.
    pub properties: BTreeMap<String, Value>,
}

/// Shape, velocity, facing and physical properties of a placed body, as plain data. The default is that of
/// [`Body`](../body/struct.Body.html).
#[derive(Clone, Debug, PartialEq)]
pub struct BodyFields {
    #[doc(hidden)]
    pub shape: BodyShape,
    #[doc(hidden)]
    pub velocity: DVec2,
    #[doc(hidden)]
    pub facing: Facing,
    #[doc(hidden)]
    pub response: BodyResponse,
    /// The numbers that are set, in the order of [`BODY_NUMBERS`].
    #[doc(hidden)]
    pub numbers: Vec<(&'static str, f64)>,
    #[doc(hidden)]
    pub character: Option<CharacterFields>,
    #[doc(hidden)]
    pub collision_layers: CollisionLayers,
    #[doc(hidden)]
    pub collision_mask: CollisionLayers,
    #[doc(hidden)]
    pub one_way: bool,
    #[doc(hidden)]
    pub tag: u64,
    #[doc(hidden)]
    pub up: Option<Up>,
}

/// Shape of a placed body, in tiles.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyShape {
    Circle(f64),
    Aabb(f64, f64),
}

/// Response of a placed body.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BodyResponse {
    #[default]
    Slide,
    Bounce(f64),
    Stop,
    Pass,
}

/// Character of a placed body.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub struct CharacterFields {
    /// Name of the preset in [`PRESETS`] that gives all numbers that are not set. `None` for the default character.
    pub preset: Option<&'static str>,
    /// The numbers that are set, in the order of [`CHARACTER_NUMBERS`].
    pub numbers: Vec<(&'static str, f64)>,
    /// One of [`PLATFORM_VELOCITIES`].
    pub platform_velocity: &'static str,
    pub air_jumps: u8,
}

/// A preset of characters: its name in files, and its jump heights, which limit each other.
#[doc(hidden)]
pub struct Preset {
    pub name: &'static str,
    pub jump_height: f64,
    pub min_jump_height: f64,
}

/// All presets of characters that files can name.
#[doc(hidden)]
pub const PRESETS: &[Preset] = &[
    Preset { name: "Precise", jump_height: 3.5, min_jump_height: 0.8 },
    Preset { name: "Floaty", jump_height: 4.0, min_jump_height: 1.5 },
    Preset { name: "Heavy", jump_height: 2.25, min_jump_height: 1.0 },
    Preset { name: "Classic", jump_height: 4.0, min_jump_height: 1.0 },
];

/// A number of a body or a character.
#[doc(hidden)]
pub struct NumberField {
    /// Name in the file.
    pub name: &'static str,
    /// Name in errors.
    pub path: &'static str,
    pub min: f64,
    /// Infinite for a number that is limited by the jump height.
    pub max: f64,
}

macro_rules! numbers {
    ($($name:ident: $path:expr, $min:expr, $max:expr;)+) => {
        &[$(NumberField { name: stringify!($name), path: $path, min: $min, max: $max }),+]
    };
}

macro_rules! character_numbers {
    ($($name:ident: $min:literal, $max:expr;)+) => {
        numbers! { $($name: concat!("character.", stringify!($name)), $min, $max;)+ }
    };
}

const MAX_SPEED: f64 = 1e9;
const MAX_MASS: f64 = 1e6;
const MAX_CORRECTION: f64 = 16.0;
const JUMP_HEIGHT: f64 = f64::INFINITY;

/// Jump height of a character that sets none.
#[doc(hidden)]
pub const DEFAULT_JUMP_HEIGHT: f64 = 3.2;

/// Range of a radius or half size of a body.
#[doc(hidden)]
pub const HALF_SIZES: (f64, f64) = (1.0 / 65536.0, 64.0);

#[doc(hidden)]
pub const PLATFORM_VELOCITIES: &[&str] = &["All", "Upward", "None"];

/// The numbers of a body, without those of its response and character.
#[doc(hidden)]
pub const BODY_NUMBERS: &[NumberField] = numbers! {
    gravity_scale: "gravity_scale", -1000.0, 1000.0;
    friction: "friction", 0.0, 1000.0;
    rest_speed_threshold: "rest_speed_threshold", 0.0, MAX_SPEED;
    mass: "mass", 1e-6, MAX_MASS;
    time_scale: "time_scale", 0.0, 1.0;
};

/// The numbers of a character.
#[doc(hidden)]
pub const CHARACTER_NUMBERS: &[NumberField] = character_numbers! {
    walk_speed: 0.0, MAX_SPEED;
    ground_acceleration: 0.0, MAX_SPEED;
    ground_braking: 0.0, MAX_SPEED;
    air_acceleration: 0.0, MAX_SPEED;
    jump_height: 0.0, MAX_SPEED;
    max_fall_speed: 0.0, MAX_SPEED;
    platform_velocity_grace: 0.0, MAX_SPEED;
    max_push_mass: 0.0, MAX_MASS;
    jump_time: 0.0, MAX_SPEED;
    min_jump_height: 0.0, JUMP_HEIGHT;
    fall_gravity_scale: 0.0, 1000.0;
    coyote_time: 0.0, MAX_SPEED;
    jump_buffer: 0.0, MAX_SPEED;
    corner_correction: 0.0, MAX_CORRECTION;
    ledge_correction: 0.0, MAX_CORRECTION;
    fast_fall_speed: 0.0, MAX_SPEED;
    ground_turning: 0.0, MAX_SPEED;
    air_braking: 0.0, MAX_SPEED;
    air_turning: 0.0, MAX_SPEED;
    wall_slide_speed: 0.0, MAX_SPEED;
    wall_jump_speed: 0.0, MAX_SPEED;
    air_jump_height: 0.0, MAX_SPEED;
    apex_speed_threshold: 0.0, MAX_SPEED;
    apex_gravity_scale: 0.05, 1.0;
    wall_coyote_time: 0.0, MAX_SPEED;
    wall_stick_time: 0.0, MAX_SPEED;
    wall_jump_lock_time: 0.0, MAX_SPEED;
    dash_speed: 0.0, MAX_SPEED;
    dash_time: 0.0, MAX_SPEED;
    dash_end_speed_scale: 0.0, 1.0;
    step_height: 0.0, MAX_CORRECTION;
    uphill_speed_scale: 0.0, 100.0;
    downhill_speed_scale: 0.0, 100.0;
    max_floor_snap_speed: 0.0, MAX_SPEED;
    ledge_grab: 0.0, MAX_CORRECTION;
    ledge_climb_time: 0.0, MAX_SPEED;
    climb_speed: 0.0, MAX_SPEED;
    swim_speed: 0.0, MAX_SPEED;
    swim_time: 0.0, MAX_SPEED;
    float_speed: 0.0, MAX_SPEED;
    ladder_center_speed: 0.0, MAX_SPEED;
    slope_friction: 0.0, 1000.0;
    bounce_scale: 0.0, 1.0;
};

impl Default for BodyFields {
    fn default() -> BodyFields {
        BodyFields {
            shape: BodyShape::Aabb(0.5, 0.5),
            velocity: DVec2::ZERO,
            facing: Facing::Unset,
            response: BodyResponse::Slide,
            numbers: Vec::new(),
            character: None,
            collision_layers: CollisionLayers::FIRST,
            collision_mask: CollisionLayers::NONE,
            one_way: false,
            tag: 0,
            up: None,
        }
    }
}

/// Error in a field of a placed body.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BodyFieldError {
    /// A number or a size is not finite or out of range.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// The body is a one-way circle. Only a box can be one-way.
    #[error("a circle cannot be one-way; expected a box")]
    OneWayCircle,
    /// A collision layer of the body has no name in the map.
    #[error(transparent)]
    CollisionLayer(#[from] CollisionLayerError),
}

crate::told::debug_is_display!(BodyFieldError);

impl BodyFields {
    /// Returns the displacement from the centre of a cell to a body that stands in the cell, in units: its lower side,
    /// by its own direction of up, is on that side of the cell.
    pub(super) fn body_displacement_from_cell_centre(&self) -> I64Vec2 {
        let (half_width, half_height) = match self.shape {
            BodyShape::Circle(radius) => (radius, radius),
            BodyShape::Aabb(width, height) => (width, height),
        };
        let [x, y] = [half_width, half_height].map(|half| to_units(half) - ONE / 2);
        match self.up {
            Some(Up::MinusX) => I64Vec2::new(-x, 0),
            Some(Up::MinusY) => I64Vec2::new(0, -y),
            Some(Up::PlusX) => I64Vec2::new(x, 0),
            _ => I64Vec2::new(0, y),
        }
    }

    /// Calls `refuse` with each number that is out of range.
    pub(super) fn check_numbers(&self, mut refuse: impl FnMut(RangeError)) {
        let mut check = |field, value, (least, most)| {
            if let Err(error) = check_in_range(field, value, least, most) {
                refuse(error);
            }
        };
        let (width, height) = match self.shape {
            BodyShape::Circle(radius) => (radius, radius),
            BodyShape::Aabb(width, height) => (width, height),
        };
        let is_size = |size: f64| size >= HALF_SIZES.0 && size <= HALF_SIZES.1;
        check("shape", if is_size(width) { height } else { width }, HALF_SIZES);
        check("velocity.x", self.velocity.x, (-MAX_SPEED, MAX_SPEED));
        check("velocity.y", self.velocity.y, (-MAX_SPEED, MAX_SPEED));
        if let BodyResponse::Bounce(factor) = self.response {
            check("bounce", factor, (0.0, 1.0));
        }
        let of_character = self.character.as_ref().map_or(&[][..], |character| &character.numbers);
        let set = |name: &str| of_character.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
        let preset = self.character.as_ref().and_then(|character| character.preset);
        let preset = PRESETS.iter().find(|known| Some(known.name) == preset);
        let of_preset = preset.map_or(DEFAULT_JUMP_HEIGHT, |preset| preset.jump_height);
        let jump_height = set("jump_height").unwrap_or(of_preset).max(0.0);
        // If `min_jump_height` is not set, the preset's lowest jump is the minimum of `jump_height`.
        let lowest_jump =
            if set("min_jump_height").is_some() { None } else { preset }.map(|preset| preset.min_jump_height);
        for (table, numbers) in [(BODY_NUMBERS, &self.numbers[..]), (CHARACTER_NUMBERS, of_character)] {
            for &(name, value) in numbers {
                let Some(field) = table.iter().find(|field| field.name == name) else { continue };
                let least = lowest_jump.filter(|_| name == "jump_height").unwrap_or(field.min);
                check(field.path, value, (least, if field.max == JUMP_HEIGHT { jump_height } else { field.max }));
            }
        }
    }

    /// Refuses the first wrong field. `named_layer_count` is the number of named collision layers.
    fn check_body_fields(&self, named_layer_count: usize) -> Result<(), BodyFieldError> {
        let mut refused = None;
        self.check_numbers(|error| refused = refused.or(Some(error)));
        refused.map_or(Ok(()), Err)?;
        if self.is_one_way_circle() {
            return Err(BodyFieldError::OneWayCircle);
        }
        check_layers(self.collision_layers, named_layer_count)?;
        Ok(check_mask(self.collision_mask, named_layer_count)?)
    }

    pub(super) fn is_one_way_circle(&self) -> bool {
        self.one_way && matches!(self.shape, BodyShape::Circle(_))
    }
}

/// Refuses more bodies than a map may have, in its list or in all.
pub(super) fn check_body_count(listed: usize, placed: usize) -> Result<(), MapBodyError> {
    let refuse = |count, limit| if count > limit { Err(MapBodyError::TooMany { count, limit }) } else { Ok(()) };
    refuse(listed, Map::MAX_LISTED_BODIES)?;
    refuse(listed + placed, Map::MAX_BODIES)
}

/// Refuses bodies of a map that are invalid, whether it lists them or its tile kinds place them. Returns how many
/// bodies the cells place.
pub(super) fn check_bodies(parts: &MapParts) -> Result<usize, MapBodyError> {
    let MapParts { bodies, layers, kinds, .. } = parts;
    let placed = super::things::count_placed_bodies(layers, kinds);
    check_body_count(bodies.len(), placed)?;
    let names = parts.collision_layers.len();
    let check = |name: &str, thing: &BodyThing| {
        if thing.kind.is_empty() {
            return Err(MapBodyError::NoKind { name: name.to_owned() });
        }
        thing.fields.check_body_fields(names).map_err(|error| MapBodyError::Refused { name: name.to_owned(), error })
    };
    let mut seen = BTreeSet::new();
    for PlacedBody { name, thing, .. } in bodies {
        if name.is_empty() {
            return Err(MapBodyError::Nameless);
        }
        if !seen.insert(name) || places_named_body(layers, kinds, name) {
            return Err(MapBodyError::Duplicate { name: name.clone() });
        }
        check(name, thing)?;
    }
    kinds.iter().filter_map(|kind| kind.things.body.as_ref()).try_for_each(|thing| check(&thing.kind, thing))?;
    Ok(placed)
}

//! Makes bodies and their properties from bytes.

use super::number;
use super::terrain::GHOST;
use arbitrary::{Result, Unstructured};
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::{
    Input, Map,
    geometry::{DVec2, I64Vec2},
};

/// Returns a body of any kind on or near the map. Its numbers may be invalid, which the world has to detect.
pub(super) fn choose_new_body(bytes: &mut Unstructured<'_>, map: &Map) -> Result<Body> {
    let shape = choose_shape(bytes)?;
    let body = Body::new(shape);
    let body = match choose_position(bytes, map, shape.half_units())? {
        Some(position) => body.at(position),
        None => body.at((number::any_number(bytes)?, number::any_number(bytes)?)),
    };
    let mut body = body.velocity(choose_velocity(bytes)?);
    let choice: u8 = bytes.arbitrary()?;
    body = match choice % 8 {
        0 => body.bounce(number::number_up_to_one(bytes)?),
        1 => body.friction(number::small_number(bytes)?),
        2 => body.response(Response::Stop),
        3 => body.response(Response::Pass),
        4 => body,
        _ => body.character(choose_character(bytes)?),
    };
    if choice & 0x30 == 0x30 {
        body = body.gravity_scale(number::any_number(bytes)?);
    }
    if choice & 0x30 == 0x20 {
        body = body.collision_layers(GHOST);
    }
    if choice & 0x30 == 0x10 {
        body = body.tag(u64::from(choice) << 56);
    }
    if choice & 0xd0 == 0x50 {
        body = body.time_scale(number::number_up_to_one(bytes)?);
    }
    if choice & 0xc0 == 0xc0 {
        body = body.rest_speed_threshold(number::small_number(bytes)?);
    }
    if choice & 0xc0 == 0x80 {
        body = body.collision_mask(CollisionLayers::ALL).mass([0.5, 1.0, 40.0][usize::from(choice % 3)]);
    }
    body.one_way = choice & 0x0c == 0x0c;
    body.facing = [Facing::Unset, Facing::Left, Facing::Right][usize::from(choice % 3)];
    Ok(body)
}

/// Returns a circle or a box. Its size is a number of lattice steps, a number of units, or any number.
pub(super) fn choose_shape(bytes: &mut Unstructured<'_>) -> Result<Shape> {
    let circle: bool = bytes.arbitrary()?;
    let (width, height) = match bytes.int_in_range(0..=7)? {
        0..=3 => (choose_half_size(bytes)?, choose_half_size(bytes)?),
        4 | 5 => (i64::from(bytes.arbitrary::<u32>()?), i64::from(bytes.arbitrary::<u32>()?)),
        6 => (ONE / 65536 + i64::from(bytes.arbitrary::<i8>()?), ONE / 65536 + i64::from(bytes.arbitrary::<u32>()?)),
        _ => {
            let (width, height) = (number::any_number(bytes)?, number::any_number(bytes)?);
            return Ok(if circle { Shape::circle(width) } else { Shape::aabb(width, height) });
        }
    };
    Ok(if circle { Shape::circle_units(width) } else { Shape::aabb_units(I64Vec2::new(width, height)) })
}

/// Returns a size of 1 to 24 lattice steps, in units.
fn choose_half_size(bytes: &mut Unstructured<'_>) -> Result<i64> {
    Ok(bytes.int_in_range(1..=24)? * (ONE / 16))
}

/// Returns a position near the map: on its lattice, or up to two units from where the body's edge touches a lattice
/// line. Sometimes returns a position anywhere. `None` means that the caller should use arbitrary coordinates.
pub(super) fn choose_position(bytes: &mut Unstructured<'_>, map: &Map, half: I64Vec2) -> Result<Option<Position>> {
    let low = I64Vec2::new(map.origin().0.into(), map.origin().1.into()) * ONE;
    let mut near = |size: u32, half: i64| -> Result<i64> {
        let lattice = bytes.int_in_range(-24..=16 * i64::from(size) + 24)? * (ONE / 16);
        Ok(match bytes.int_in_range(0..=4)? {
            0 => lattice,
            1 => lattice.saturating_add(half),
            2 => lattice.saturating_sub(half),
            3 => {
                let offset = half.saturating_mul(bytes.int_in_range(-1..=1)?);
                lattice.saturating_add(offset).saturating_add(bytes.int_in_range(-2..=2)?)
            }
            _ => lattice + i64::from(bytes.arbitrary::<u32>()?),
        })
    };
    let near = I64Vec2::new(near(map.size().0, half.x)?, near(map.size().1, half.y)?);
    let units = low.saturating_add(near);
    Ok(match bytes.int_in_range(0..=15)? {
        15 => None,
        14 => Some(Position::clamped(I64Vec2::new(bytes.arbitrary()?, bytes.arbitrary()?))),
        13 => Position::from_units(bytes.arbitrary()?, bytes.arbitrary()?),
        _ => Some(Position::clamped(units)),
    })
}

/// Returns zero, an ordinary velocity, or a velocity of any numbers.
pub(super) fn choose_velocity(bytes: &mut Unstructured<'_>) -> Result<DVec2> {
    Ok(match bytes.int_in_range(0..=3)? {
        0 => DVec2::ZERO,
        1 | 2 => DVec2::new(f64::from(bytes.arbitrary::<i8>()?), f64::from(bytes.arbitrary::<i8>()?)) / 2.0,
        _ => DVec2::new(number::any_number(bytes)?, number::any_number(bytes)?),
    })
}

/// Returns the default character or one with other numbers.
pub(super) fn choose_character(bytes: &mut Unstructured<'_>) -> Result<Character> {
    let mut character = Character::default();
    if bytes.ratio(1, 3)? {
        for name in Character::FIELD_NAMES {
            let any = match name {
                // The maps have no platforms, so this number would have no effect.
                "platform_velocity_grace" => continue,
                "min_jump_height" => character.jump_height * f64::from(bytes.int_in_range(0..=2)?) / 2.0,
                name if name.ends_with("correction") => f64::from(bytes.int_in_range(0..=3)?) / 8.0,
                _ if bytes.arbitrary()? => number::small_number(bytes)?,
                _ => continue,
            };
            character.field_mut(name).into_iter().for_each(|number| *number = any);
        }
    }
    Ok(character)
}

/// Returns an input.
pub(super) fn choose_input(bytes: &mut Unstructured<'_>) -> Result<Input> {
    let held: u8 = bytes.arbitrary()?;
    let walk = match held >> 3 & 3 {
        0 => 127,
        1 => -127,
        2 => 0,
        _ => bytes.arbitrary()?,
    };
    Ok(Input { walk, jump: held & 1 != 0, down: held & 2 != 0, up: held & 4 != 0, dash: held & 0x80 != 0 })
}

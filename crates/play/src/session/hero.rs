//! Defines the hero and its start position.

use surefoot::body::{Body, Character};
use surefoot::geometry::Position;
use surefoot::map::CollisionLayers;
use surefoot::motion::Shape;
use surefoot::world::World;

/// Marker of the hero's start.
const START_MARKER: &str = "start";

/// Maximum number of positions to try on a map without a start.
const MAX_TRIED_POSITIONS: usize = 1 << 16;

/// Returns the hero's body: on the floor below the map's start; at the start if there is no floor; at a free position
/// if there is no start.
pub(super) fn create_hero(world: &World, character: Character) -> Body {
    let shape = Shape::aabb(0.35, 0.45);
    let at = start_position(world, shape).unwrap_or_else(|| first_free_position(world, shape));
    Body::new(shape).at(at).character(character).collision_mask(CollisionLayers::ALL)
}

/// The default character of the hero: it pushes up to four boxes.
pub(crate) fn default_hero_character() -> Character {
    Character { max_push_mass: 4.0, ..Character::default() }
}

fn start_position(world: &World, shape: Shape) -> Option<Position> {
    let (mover, start) = (world.mover(), world.map().marker(START_MARKER)?);
    mover.stand_on_floor(shape, start).or_else(|| (!mover.overlaps(shape, start)).then_some(start))
}

/// Returns a position on a floor, if possible open to the sky: tries columns from the middle outwards for a floor below
/// the first free cell. Without a floor returns the first free cell, without any the middle of the top row.
fn first_free_position(world: &World, shape: Shape) -> Position {
    let (mover, map) = (world.mover(), world.map());
    let ((left, bottom), (width, height)) = (map.origin(), map.size());
    let centre = |column: u32, row: u32| {
        let at = |low: i32, steps: u32| f64::from(low) + f64::from(steps) + 0.5;
        Position::new(at(left, column), at(bottom, row)).unwrap_or(Position::ORIGIN)
    };
    let middle = width / 2;
    let outwards = (0..width).map(|i| if i % 2 == 0 { middle + i / 2 } else { middle - i.div_ceil(2) });
    let mut first = None;
    let mut tries = 0;
    for column in outwards {
        let positions = (0..height).rev().map(|row| centre(column, row));
        let Some(position) = positions
            .take(MAX_TRIED_POSITIONS.saturating_sub(tries))
            .inspect(|_| tries += 1)
            .find(|&position| !mover.overlaps(shape, position))
        else {
            continue;
        };
        if let Some(floor) = mover.stand_on_floor(shape, position) {
            return floor;
        }
        first = first.or(Some(position));
    }
    first.unwrap_or_else(|| centre(middle, height - 1))
}

//! An exact checker of motion among tiles, for tests. It shares no code and no method with the engine that it checks.
//!
//! A [`Scene`] stores cells as closed solids, one-sided edges and thin walls, on a lattice of 16 by 16 steps per cell.
//! Closed outlines are cut into triangles. Separating axes tell whether, and at which rational time, a box overlaps a
//! triangle; squared distances tell whether a disc does. All of the arithmetic is in integers, except for the depth of
//! a disc between the two ends of its path.
//!
//! # Why triangles are enough
//! A shape overlaps the solids if the two interiors intersect. The interior of a union of triangles consists of the
//! open triangles and the seams between them (diagonals, borders of touching cells). Seams are finitely many segments,
//! so they contain no open set. The interiors of a shape of positive size and of the union are open. If they intersect,
//! their intersection is open too, so it contains more than seams: the shape overlaps an open triangle. Therefore
//! shapes need a positive size, and the checker need not know which borders are covered.
//!
//! # Units
//! Positions, sizes and displacements are in units, 2^32 to a cell, y up. Lattice vertices are in steps of 2^28 units
//! from the cell's lower left corner. No product overflows 128 bits within these limits, in units:
//!
//! - positions up to 2^61 from the origin,
//! - paths up to 2^42 long,
//! - half sizes up to 2^38.
//!
//! Wrong input (an outline off the lattice or not simple, a shape without size) panics, because only tests use this
//! crate.

#[cfg(test)]
mod brute_force;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "rounded values are compared with a tolerance")]
mod brute_force_tests;
mod convex;
mod crossing;
mod disc;
mod outline;
mod paint;
mod scene;
mod time;

pub use crossing::{Crossing, Manner};
pub use paint::{Kind, mirror_and_turn};
pub use scene::{Obstacle, Overlap, Scene, Shape, Side};
pub use time::Time;

/// Units in a cell.
const UNITS_PER_CELL: i128 = 1 << 32;

/// Units in a lattice step.
const UNITS_PER_STEP: i128 = 1 << 28;

/// A point or a displacement in units, relative to the start of the checked shape.
type Vector = (i128, i128);

/// Converts a lattice vertex to units, for a cell with its lower left corner at `origin`.
fn vertex_in_units(origin: Vector, (x, y): (i32, i32)) -> Vector {
    (origin.0 + i128::from(x) * UNITS_PER_STEP, origin.1 + i128::from(y) * UNITS_PER_STEP)
}

fn minus(p: Vector, q: Vector) -> Vector {
    (p.0 - q.0, p.1 - q.1)
}

fn dot(p: Vector, q: Vector) -> i128 {
    p.0 * q.0 + p.1 * q.1
}

fn cross(p: Vector, q: Vector) -> i128 {
    p.0 * q.1 - p.1 * q.0
}

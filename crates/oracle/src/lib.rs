//! An exact checker of motion among tiles. It shares no code, and no method, with what it judges.
//!
//! A [`Scene`] knows painted cells as closed solids, one-sided edges and thin walls, all on a lattice of 16 by 16 steps a
//! cell. Closed outlines are cut into triangles; whether, and at which rational time, a box meets a triangle follows
//! from separating axes, whether a disc does from squared distances. All of it is integers, but for the depth of a
//! disc between the two ends of its path.
//!
//! # Why triangles are enough
//! Overlap means that the interior of the shape meets the interior of the solids. The interior of a union of triangles is
//! the open triangles, the seams between them (diagonals, borders of touching cells) and nothing else. Seams are
//! finitely many segments and hold no open set. The interiors of a shape of positive size and of the union are open, so
//! where they meet they share an open set, which is not all seam: the shape meets an open triangle too. So shapes must
//! have a positive size, and nothing has to be known about which borders are covered.
//!
//! # Units
//! Positions, sizes and displacements are in units, 2^32 to a cell, y up. Positions may lie up to 2^61 from the origin,
//! paths may be up to 2^42 long and shapes up to 2^38 across the half; within that no product leaves 128 bits. Lattice
//! vertices are counted in steps of 2^28 units from the cell's lower left corner.
//!
//! Wrong input (an outline off the lattice or not simple, a shape without size) panics: this is a tool for tests.

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "what is slow and rounded is compared with room for it")]
mod brute;
mod convex;
mod crossing;
mod disc;
#[cfg(test)]
mod oracle;
mod outline;
mod paint;
mod scene;
mod time;

pub use crossing::{Crossing, Manner};
pub use paint::{Kind, place};
pub use scene::{Obstacle, Overlap, Scene, Shape, Side};
pub use time::Time;

/// Units in a cell.
const CELL: i128 = 1 << 32;

/// Units in a lattice step.
const STEP: i128 = 1 << 28;

/// A point or a displacement in units, relative to where the judged shape starts.
type Vector = (i128, i128);

/// A lattice vertex of a cell in units, the cell's lower left corner being at `origin`.
fn vertex(origin: Vector, (x, y): (i32, i32)) -> Vector {
    (origin.0 + i128::from(x) * STEP, origin.1 + i128::from(y) * STEP)
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

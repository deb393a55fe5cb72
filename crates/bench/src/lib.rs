//! surefoot beside its peers: the same scenes, the same inputs, one judge. `cargo run --release` prints the tables.
//!
//! - [`scene`]: a generated map of 1024 x 64 tiles, where 1000 bodies start, and what their players hold down.
//! - [`walker`]: for peers, which move shapes but know no characters, the player's will, with surefoot's numbers.
//! - [`movers`]: who moves bodies. [`cast`], [`shots`]: bouncing balls and bullets over what casts.
//! - [`judge`]: counts what is wrong with each, by the exact checker of `surefoot-judge`.
//! - [`measure`], [`callgrind`], [`profile`], [`memory`]: nanoseconds, instructions and cache misses, functions, bytes.
//! - [`geometry`]: the library of shapes alone, beside the f64 parry.
//! - [`snapshots`]: what saving, loading and hashing a world cost beside stepping it, and rollbacks.
//! - [`scale`], [`load`]: what the size of a map costs. [`sizes`]: what the number of bodies costs. [`run`], [`table`], [`versions`]: what is printed.
//!
//! # What is alike and what is not
//! All movers get the same map, starts, inputs and numbers of ticks. A peer's walker is [`walker::Walker`]: its
//! acceleration, gravity and jump are those of surefoot's default character, and the motion of a tick is the same.
//! What differs is theirs: whether speed is kept along a slope or sideways, what is left of it after a hit, the
//! skin. So after some seconds no two crowds stand alike; the column of speeds tells whether one stands still, which
//! is cheap.
//!
//! A mover that cannot do a thing is measured on what it can do, and judged by that: slopes are blocks to voxels and
//! grids.

pub mod callgrind;
pub mod cast;
pub mod geometry;
pub mod judge;
pub mod load;
pub mod measure;
pub mod memory;
pub mod movers;
pub mod outline;
pub mod profile;
pub mod random;
pub mod run;
pub mod scale;
pub mod scene;
pub mod shots;
pub mod sizes;
pub mod snapshots;
pub mod table;
mod tolerance;
pub mod versions;
pub mod walker;

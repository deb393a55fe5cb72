//! The questions of `surefoot-geometry` beside those of parry2d-f64: instructions of a call, on the same scenes.
//!
//! - [`shapes`]: shapes that both have, and random ones. [`scenes`]: random pairs, half of which meet.
//! - [`rows`]: which subject is asked what, and what the promise is. [`count`]: callgrind over each. [`print`](mod@print): the table.
//!
//! Everything that a game would keep between calls (shapes, poses, polygons' normals) is made before anything is
//! counted.

pub mod count;
pub mod print;
pub mod rows;
pub mod scenes;
pub mod shapes;

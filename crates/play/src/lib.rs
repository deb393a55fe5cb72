//! A game to play surefoot maps: all of it but the window.
//!
//! What is seen is a [`Mesh`]: triangles in pixels, for any graphics interface to draw. It is a
//! [`Canvas`](surefoot_draw::Canvas), so everything that `surefoot-draw` paints can be painted on it, and looks as in its
//! pictures. [`TerrainCache`] keeps the terrain as meshes from frame to frame.

mod convex;
mod glyphs;
mod mesh;
mod paint;
mod pieces;
#[cfg(test)]
mod raster;
mod round;
mod tessellate;
mod tolerance;

pub use mesh::{Mesh, Vertex};
pub use paint::TerrainCache;
pub use pieces::{LONGEST_REACH, Piece};

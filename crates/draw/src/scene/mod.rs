//! Worlds as triangles, frame by frame, for a window.
//!
//! [`Mesh`] is a [`Canvas`](crate::Canvas): all that this crate paints becomes triangles in pixels, for any graphics API.
//! [`TerrainCache`] keeps the terrain as meshes from frame to frame.

pub mod areas;
pub mod backdrop;
pub mod bodies;
pub mod camera;
mod convex;
pub mod danger;
pub mod dust;
mod glyphs;
mod mesh;
pub mod overlay;
mod pieces;
pub mod platforms;
pub mod pose;
#[cfg(test)]
mod raster;
mod round;
pub mod swept;
mod terrain;
mod tessellate;
mod tolerance;
pub mod wave;

pub use mesh::{Mesh, NO_PICTURE, Vertex};
pub use pieces::{LONGEST_REACH, Piece};
pub use terrain::TerrainCache;

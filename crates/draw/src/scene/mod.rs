//! Worlds as triangles, frame by frame, for a window.
//!
//! [`Mesh`] is a [`Canvas`](crate::Canvas): all that this crate paints becomes triangles in pixels, for any graphics
//! API. [`ScenePainter`] paints a [`Moment`] between two ticks: everything behind the bodies and everything before
//! them. A [`Camera`](camera::Camera) follows a body, an [`Actor`] is how that body looks from frame to frame.

mod actor;
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
mod painter;
mod pieces;
pub mod platforms;
pub mod pose;
#[cfg(test)]
mod raster;
mod round;
pub mod signs;
pub mod swept;
mod terrain;
mod tessellate;
mod tolerance;
pub mod wave;

pub use actor::Actor;
pub use mesh::{Mesh, NO_PICTURE, Vertex};
pub use painter::{Moment, Overlay, ScenePainter};
pub use pieces::{LONGEST_REACH, Piece};
pub use terrain::TerrainCache;

//! A game to play surefoot maps: all of it but the window.
//!
//! A [`Game`] is the choice of maps, or one that is open; [`Game::frame`] takes what a player does in a frame as
//! [`Controls`]. A [`Painter`] draws what it shows as a [`Mesh`]: triangles in pixels, for any graphics interface. A window
//! around these is the example `play`.
//!
//! [`Session`] is the world that is played, or the replay that is watched, with time that goes both ways. [`Mesh`] is a
//! [`Canvas`](surefoot_draw::Canvas), so everything that `surefoot-draw` paints can be painted on it, and looks as in its
//! pictures; [`TerrainCache`] keeps the terrain as meshes from frame to frame.

mod camera;
mod controls;
mod convex;
mod error;
mod files;
mod game;
mod glyphs;
mod legend;
mod menu;
mod mesh;
mod open;
mod paint;
mod palette;
mod panel;
mod pieces;
#[cfg(test)]
mod raster;
mod report;
mod round;
mod session;
mod stroke;
mod swept;
mod tessellate;
mod tolerance;

pub use camera::Size;
pub use controls::{Action, Button, Controls, KEYS, MOUSE, Pointer};
pub use error::PlayError;
pub use files::free_name;
pub use game::{Game, Shows};
pub use mesh::{Mesh, Vertex};
pub use paint::{Painter, TerrainCache};
pub use pieces::{LONGEST_REACH, Piece};
pub use report::Report;
pub use session::{Changes, Expected, Held, SavedReplay, Session, Throwable, Time, Watched};

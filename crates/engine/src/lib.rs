//! A 2D tile-map platformer physics engine.

pub mod catalogue;
pub mod io;
pub mod map;

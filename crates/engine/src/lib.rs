//! A 2D tile-map platformer physics engine.

mod ballistic;
pub mod body;
pub mod catalogue;
pub mod character;
pub mod command;
pub mod event;
pub mod map;
pub mod motion;
pub mod terrain;
mod travel;
pub mod world;

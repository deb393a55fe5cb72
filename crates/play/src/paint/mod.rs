//! Paints everything in the window as meshes.

mod areas;
mod backdrop;
mod bodies;
mod danger;
mod frame;
mod help;
mod hud;
mod menu;
mod notes;
mod overlay;
mod panel;
mod platforms;
mod reach;
mod strip;
mod terrain;
mod widgets;

pub use frame::Painter;
pub(crate) use help::{WIDTH_PIXELS as HELP_WIDTH, area as help_area};
pub(crate) use notes::Notes;
pub use terrain::TerrainCache;

//! Paints everything in the window as meshes.

mod frame;
mod help;
mod hud;
mod menu;
mod names;
mod notes;
mod panel;
mod reach;
mod strip;
mod widgets;

pub use frame::Painter;
pub(crate) use frame::state_labels;
pub(crate) use help::Help;
pub(crate) use notes::Notes;
use surefoot_draw::scene::{areas, bodies};

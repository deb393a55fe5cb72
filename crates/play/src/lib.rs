//! A game to play surefoot maps, without the window.
//!
//! A [`Game`] is the menu or an open map or replay. [`Game::play_frame`] takes the [`Controls`] of a frame. A
//! [`Painter`] draws the game as a [`Mesh`]: triangles in pixels, for any graphics API. The example `play` adds a
//! window.
//!
//! Levels of Tiled and LDtk open like maps, with `surefoot-import`.
//!
//! [`Session`] is the played world or the watched replay, with time that can be rewound. [`Mesh`] is a
//! [`Canvas`](surefoot_draw::Canvas), so everything that `surefoot-draw` paints looks the same on it. [`TerrainCache`]
//! keeps the terrain as meshes from frame to frame.

mod building;
mod controls;
mod edits;
mod error;
mod files;
mod game;
mod legend;
mod level;
mod menu;
mod name;
mod open;
mod paint;
mod palette;
mod panel;
mod reach;
mod report;
mod saving;
mod session;
mod small;
mod sound;
mod stopwatch;
mod storage;
mod stroke;
mod watch_bar;

pub use controls::{Action, Button, Controls, KEYS, MOUSE, Pointer, Typed};
pub use error::PlayError;
pub use files::free_name;
pub use game::{Game, Shows, StartRules};
pub use level::is_editor_file;
pub use paint::Painter;
pub use report::{BuildingReport, MenuReport, PanelReport, Report, SceneReport, WatchReport, WorldReport};
pub use session::{Changes, Expected, Held, Rules, SavedReplay, Session, Throwable, Time, Watched};
pub use sound::Sound;
pub use stopwatch::set_clock;
pub use surefoot_draw::scene::camera::Size;
pub use surefoot_draw::scene::{LONGEST_REACH, Mesh, NO_PICTURE, Piece, TerrainCache, Vertex};
use surefoot_draw::scene::{camera, dust, pose, wave};

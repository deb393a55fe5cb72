//! Games with surefoot in a window of macroquad.
//!
//! - [`Controls`] turns keys, a gamepad and a touch screen into the input of each tick.
//! - [`Stage`] says how many ticks a frame has, follows a body with its camera, and draws the world between two ticks.
//! - [`Pixels`] converts between tiles with y up and pixels with y down.
//!
//! Everything that is drawn comes from `surefoot-draw`; [`Screen`] shows its meshes in the window.
//!
//! # Examples
//! ```no_run
//! use macroquad::prelude::next_frame;
//! use surefoot::prelude::*;
//! use surefoot::{Map, World};
//! use surefoot_macroquad::{Controls, Stage};
//!
//! #[macroquad::main("My game")]
//! async fn main() {
//!     let map = Map::from_rows(["#..............#", "#......---.....#", "#.@../##\\......#", "################"]).unwrap();
//!     let start = map.marker("start").unwrap();
//!     let mut world = World::new(map, Settings::default());
//!     let body = Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::precise());
//!     let hero = world.spawn(body).unwrap();
//!     let (mut controls, mut stage) = (Controls::new(), Stage::new(&world));
//!     loop {
//!         controls.read();
//!         for _ in 0..stage.ticks() {
//!             world.set_input(hero, controls.next_input());
//!             world.step();
//!             // The rules of your game: coins, doors.
//!             stage.observe(&world);
//!         }
//!         stage.follow(&world, hero);
//!         stage.draw(&world);
//!         controls.draw();
//!         next_frame().await;
//!     }
//! }
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod controls;
#[cfg(all(feature = "gamepad", not(target_arch = "wasm32")))]
mod gamepad;
mod held;
mod keys;
mod pixels;
mod screen;
mod stage;
mod touch;

pub use controls::Controls;
#[cfg(all(feature = "gamepad", not(target_arch = "wasm32")))]
pub use gamepad::Gamepad;
pub use held::Held;
pub use keys::Keys;
pub use pixels::Pixels;
pub use screen::{Screen, window_conf, window_size};
pub use stage::{BodyLook, Stage};
pub use surefoot_draw::scene::Overlay;
pub use surefoot_draw::scene::camera::{Bounds, Camera, CameraSettings, Size};
pub use surefoot_draw::scene::dust::Dust;
pub use surefoot_draw::{Art, Color as Tint, Palette, View};
pub use touch::{TouchPad, fingers};

/// The programs of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

//! Pictures of surefoot maps, tiles and recorded runs as SVG and PNG.
//!
//! [`draw_map`], [`draw_tiles`] and [`draw_run`] make an [`Svg`], which prints as the text of an SVG file; [`to_png`]
//! makes a PNG of it. The same input gives the same bytes. In the world y goes up, in a picture down.
//!
//! # Examples
//! ```
//! use surefoot::prelude::*;
//! use surefoot_draw::{MapStyle, draw_map, to_png};
//!
//! let map = Map::from_ron(r#"Map(format: 1, tiles: ["@./=", "===="])"#)?;
//! let svg = draw_map(&map, &Terrain::bake(&map), &MapStyle::default());
//! assert!(svg.to_string().starts_with("<svg "));
//! assert!(to_png(&svg, 2.0)?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod edges;
mod error;
mod font;
mod layers;
mod map;
mod palette;
mod png;
mod region;
mod run;
mod sheet;
mod solids;
mod svg;
mod view;

pub use error::{DrawError, MAX_PIXELS};
pub use map::{MapStyle, draw_map};
pub use palette::{Color, Palette};
pub use png::to_png;
pub use region::{Region, RegionError};
pub use run::{Run, RunStyle, draw_run};
pub use sheet::draw_tiles;
pub use svg::{Paint, PathData, Svg};
pub use view::{Point, View};

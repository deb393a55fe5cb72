//! Pictures of surefoot maps, tiles and recorded runs as SVG and PNG.
//!
//! [`draw_map`], [`draw_reach`], [`draw_findings`], [`draw_tiles`], [`draw_tileset`], [`draw_run`],
//! [`draw_world`] and [`draw_curves`] return an [`Svg`], which prints as the text of an SVG file. With the feature
//! `png`, `to_png` makes a PNG of one picture and `Gif` an animation of several. With the feature `scene`,
//! `scene::Mesh` is a canvas of triangles for a window. The same input gives the same bytes. In the world y points up,
//! in a picture down.
//!
//! All functions paint on a [`Canvas`]; [`Svg`] implements it. A game can implement it for its window and paint the
//! same there: terrain with [`TerrainPainter`], single tiles with [`paint_variant`], and moving things with
//! [`PlatformPainter`], [`paint_body`], [`paint_front`], [`paint_contact`] and [`paint_way`].
//!
//! # Examples
//! ```
//! use surefoot::prelude::*;
//! use surefoot::Map;
//! use surefoot_draw::{MapStyle, draw_map};
//!
//! let map = Map::from_ron(r#"Map(format: 1, tiles: ["@./=", "===="])"#)?;
//! let svg = draw_map(&map, &Terrain::bake(&map), &MapStyle::default());
//! assert!(svg.to_string().starts_with("<svg "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod areas;
mod art;
mod bodies;
mod canvas;
mod edges;
#[cfg(any(feature = "png", test))]
mod error;
mod findings;
pub mod font;
#[cfg(any(feature = "png", test))]
mod gif;
mod layers;
mod map;
mod markers;
mod paint;
mod palette;
mod passes;
mod path;
mod platform_tracks;
mod platforms;
mod plot;
#[cfg(any(feature = "png", test))]
mod png;
mod reach;
mod region;
mod run;
#[cfg(any(feature = "scene", test))]
pub mod scene;
mod sheet;
mod solids;
mod surfaces;
mod svg;
mod tileset;
mod view;

pub use areas::paint_area;
#[cfg(any(feature = "png", test))]
pub use art::draw_sprites;
pub use art::{Art, ArtError, ArtLayers, ArtProblem, CellPicture, Sprite};
pub use bodies::{contact_point, paint_body, paint_contact, paint_front, paint_way};
pub use canvas::Canvas;
#[cfg(any(feature = "png", test))]
pub use error::{DrawError, MAX_PIXELS};
pub use findings::{Findings, PressMargin, draw_findings, paint_findings};
#[cfg(any(feature = "png", test))]
pub use gif::Gif;
#[cfg(any(feature = "png", test))]
pub use map::draw_map_art;
pub use map::{MapStyle, draw_map};
pub use markers::{MIN_READABLE_SCALE, first_markers, marker_name_place, paint_diamond};
pub use paint::{Dash, Paint, Stroke};
pub use palette::{Color, MaterialColors, Palette};
pub use passes::{Pass, TerrainPainter, paint_variant, paint_variant_normals};
pub use path::{PathData, PathRun};
pub use platforms::PlatformPainter;
pub use plot::{Curves, draw_curves};
#[cfg(any(feature = "png", test))]
pub use png::to_png;
pub use reach::{Jumper, draw_reach};
pub use region::{Region, RegionError};
pub use run::{Run, RunStyle, draw_run, draw_world};
pub use sheet::draw_tiles;
pub use svg::Svg;
pub use tileset::{TilesetTheme, draw_tileset};
pub use view::{Point, View};

//! Maps as texts: RON with rows of symbols and a legend.
//!
//! [`format`] has the fields of the file, [`parse`] checks them and makes a map, `write` writes a map.

pub(crate) mod area_text;
pub(crate) mod body_text;
mod capped;
mod drawn_platforms;
mod error;
pub(crate) mod format;
mod limits;
mod look;
pub(crate) mod parse;
pub(crate) mod platform_text;
mod properties;
mod row_list;
mod rows;
pub(crate) mod scan;
pub(crate) mod words;
mod write;

#[cfg(test)]
mod tests;

pub use drawn_platforms::DrawnPlatformError;
pub use error::{MapError, MapErrorKind};
use format::read_names;
pub use limits::MapLimits;

use super::{
    Border, Borders, CataloguePathError, CollisionLayerError, CollisionLayers, Map, MapAreaError, MapBodyError,
    MapParts, MapPartsError, MapPlatformError, MarkerError, Material, PixelsError, PropertyError, TileId, TileKind,
    TileLayer, TileLayerError, Value, areas, bodies, layer_mask, legend, markers, parts, platforms, shared, things,
};

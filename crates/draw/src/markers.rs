//! Paints markers as diamonds with their names.

use crate::canvas::Canvas;
use crate::font;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::path::PathData;
use crate::region::Region;
use crate::view::{Point, View};
use std::collections::BTreeSet;
use surefoot::{Map, geometry::DVec2};

/// Minimum pixels per tile at which names are painted. Smaller ones would be unreadable.
pub const MIN_READABLE_SCALE: f64 = 12.0;

/// Selects the markers to paint.
pub(crate) struct Shown {
    /// Markers on these tiles are painted.
    pub(crate) tiles: Region,
    /// Each name is written at its first marker on these tiles.
    pub(crate) named: Region,
    /// Width of the picture. Names stay inside if they fit.
    pub(crate) width: Option<f64>,
}

/// Paints markers, each a group of the class `marker`.
pub(crate) fn paint_marker_groups(canvas: &mut impl Canvas, view: &View, map: &Map, palette: &Palette, shown: &Shown) {
    let mut named = BTreeSet::new();
    for (name, tile) in map.all_markers().filter(|(_, tile)| shown.named.contains(*tile)) {
        let first = named.insert(name);
        if shown.tiles.contains(tile) {
            canvas.group("marker", name, |canvas| {
                paint_diamond(canvas, view, tile, palette);
                if first && view.scale >= MIN_READABLE_SCALE {
                    paint_marker_name(canvas, view, name, tile, palette, shown.width);
                }
            });
        }
    }
}

/// Returns the first marker of each name.
pub fn first_markers(map: &Map) -> impl Iterator<Item = (&str, (i32, i32))> {
    let mut named = BTreeSet::new();
    map.all_markers().filter(move |(name, _)| named.insert(*name))
}

/// Paints the name of each first marker on the tiles of a region.
pub(crate) fn paint_first_marker_names(
    canvas: &mut impl Canvas,
    view: &View,
    map: &Map,
    palette: &Palette,
    region: Region,
) {
    if view.scale >= MIN_READABLE_SCALE {
        for (name, tile) in first_markers(map).filter(|(_, tile)| region.contains(*tile)) {
            paint_marker_name(canvas, view, name, tile, palette, None);
        }
    }
}

/// Paints the diamond of a marker on a tile, without its name.
pub fn paint_diamond(canvas: &mut impl Canvas, view: &View, tile: (i32, i32), palette: &Palette) {
    let centre = tile_middle(tile);
    // Keep a marker visible at small scales.
    let radius = 0.2_f64.max(3.0 / view.scale);
    let corners = [DVec2::Y, DVec2::X, -DVec2::Y, -DVec2::X].map(|axis| view.point(centre + axis * radius));
    let mut diamond = PathData::new();
    diamond.polygon(corners);
    let paint = Paint::stroke(palette.marker, (view.scale / 20.0).max(1.0)).filled(palette.background).round();
    canvas.path(&diamond, &paint);
    canvas.circle(view.point(centre), view.scale * 0.06, &Paint::fill(palette.marker));
}

/// Returns the middle of the baseline of the name of a marker on a tile, in pixels, and the height of its capitals.
#[must_use]
pub fn marker_name_place(view: &View, tile: (i32, i32)) -> (Point, f64) {
    (view.point(tile_middle(tile) + DVec2::new(0.0, 0.36)), view.scale * 0.22)
}

fn paint_marker_name(
    canvas: &mut impl Canvas,
    view: &View,
    name: &str,
    tile: (i32, i32),
    palette: &Palette,
    width: Option<f64>,
) {
    let (mut at, height) = marker_name_place(view, tile);
    let half = font::width(name, height) / 2.0;
    if let Some(width) = width {
        // Move a long name near a side into the picture. If it does not fit, it starts at the left side.
        at.x = at.x.min(width - half - 2.0).max(half + 2.0);
    }
    canvas.centred_text(name, at, height, palette.marker);
}

fn tile_middle((x, y): (i32, i32)) -> DVec2 {
    DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5)
}

//! Markers as diamonds with their names.

use crate::canvas::Canvas;
use crate::font;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::path::PathData;
use crate::region::Region;
use crate::view::View;
use std::collections::BTreeSet;
use surefoot::{Map, geometry::DVec2};

/// With fewer pixels to a tile, names could not be read and are left out.
pub(crate) const READABLE: f64 = 12.0;

/// Which markers are painted.
pub(crate) struct Shown {
    /// Those in these tiles.
    pub(crate) tiles: Region,
    /// A name is written at the first marker of that name in these.
    pub(crate) named: Region,
    /// The width of the picture, inside which names stay as far as they fit.
    pub(crate) width: Option<f64>,
}

/// Paints markers, each a group of the class `marker`.
pub(crate) fn paint(canvas: &mut impl Canvas, view: &View, map: &Map, palette: &Palette, shown: &Shown) {
    let mut named = BTreeSet::new();
    for (name, tile) in map.all_markers().filter(|(_, tile)| shown.named.contains(*tile)) {
        let first = named.insert(name);
        if shown.tiles.contains(tile) {
            paint_marker(canvas, view, (name, tile), palette, first.then_some(shown.width));
        }
    }
}

fn paint_marker(
    canvas: &mut impl Canvas,
    view: &View,
    (name, (x, y)): (&str, (i32, i32)),
    palette: &Palette,
    named_within: Option<Option<f64>>,
) {
    let centre = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
    // From afar at least some pixels of it are left.
    let radius = 0.2_f64.max(3.0 / view.scale);
    let corners = [DVec2::Y, DVec2::X, -DVec2::Y, -DVec2::X].map(|way| view.point(centre + way * radius));
    let mut diamond = PathData::new();
    diamond.polygon(corners);
    canvas.group("marker", name, |canvas| {
        let paint = Paint::stroke(palette.marker, (view.scale / 20.0).max(1.0)).filled(palette.background).round();
        canvas.path(&diamond, &paint);
        canvas.circle(view.point(centre), view.scale * 0.06, &Paint::fill(palette.marker));
        if let (Some(width), true) = (named_within, view.scale >= READABLE) {
            let mut at = view.point(centre + DVec2::new(0.0, 0.36));
            let height = view.scale * 0.22;
            let half = font::width(name, height) / 2.0;
            if let Some(width) = width {
                // A long name near a side stays inside the picture as far as it fits.
                at.x = at.x.min(width - half - 2.0).max(half + 2.0);
            }
            canvas.centred_text(name, at, height, palette.marker);
        }
    });
}

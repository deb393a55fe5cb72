//! Paints the tile strip and the tile under the mouse.

use super::widgets::{NORMAL_TEXT_HEIGHT, SMALL_TEXT_HEIGHT, sheet, text_to};
use crate::palette::{self, Brush, Strip, TILE_PIXELS};
use crate::panel::Area;
use surefoot::prelude::Catalogue;
use surefoot_draw::{Canvas, Paint, Palette, PathData, Point, View, paint_variant};

/// Explains the mouse below the tiles.
const HINT: &str = "left button: place   right button: remove   wheel: choose";

pub(crate) fn paint(
    canvas: &mut impl Canvas,
    strip: &Strip,
    catalogue: &Catalogue,
    chosen: Brush,
    under: Option<Brush>,
    palette: &Palette,
) {
    sheet(canvas, strip.area(), palette);
    for (heading, at) in strip.headings() {
        canvas.text(heading, *at, SMALL_TEXT_HEIGHT, palette.quiet_text);
    }
    for (brush, Area { corner, .. }) in strip.brushes() {
        paint_brush(canvas, catalogue, brush, corner, TILE_PIXELS, palette);
        let frame = |canvas: &mut _, color| {
            let corner = Point { x: corner.x - 3.0, y: corner.y - 3.0 };
            Canvas::rect(canvas, corner, TILE_PIXELS + 6.0, TILE_PIXELS + 6.0, &Paint::stroke(color, 2.0));
        };
        if brush == chosen {
            frame(canvas, palette.marker);
        } else if Some(brush) == under {
            frame(canvas, palette.quiet_text);
        }
    }
    let name = palette::name(catalogue, under.unwrap_or(chosen));
    canvas.text(&name, strip.name_place(), NORMAL_TEXT_HEIGHT, palette.text);
    let Area { corner, width, .. } = strip.area();
    let right = Point { x: corner.x + width - 18.0, ..strip.name_place() };
    text_to(canvas, HINT, right, NORMAL_TEXT_HEIGHT, palette.text);
}

/// Paints a brush in a square.
fn paint_brush(
    canvas: &mut impl Canvas,
    catalogue: &Catalogue,
    brush: Brush,
    corner: Point,
    side: f64,
    palette: &Palette,
) {
    canvas.rect(corner, side, side, &Paint::fill(palette.grid));
    match brush.0 {
        Some(id) => {
            let view = View::with_origin_at(Point { y: corner.y + side, ..corner }, side);
            paint_variant(canvas, &view, catalogue.variant(id), (0, 0), palette);
        }
        None => {
            let (near, far) = (side * 0.3, side * 0.7);
            let mut cross = PathData::new();
            let at = |x: f64, y: f64| Point { x: corner.x + x, y: corner.y + y };
            cross.run([at(near, near), at(far, far)]);
            cross.run([at(near, far), at(far, near)]);
            canvas.path(&cross, &Paint::stroke(palette.wall, 2.0).round());
        }
    }
}

/// Paints the tile under the mouse with a frame, as the brush would change it.
pub(crate) fn paint_aim(
    canvas: &mut impl Canvas,
    view: &View,
    catalogue: &Catalogue,
    brush: Brush,
    (x, y): (i32, i32),
    palette: &Palette,
) {
    if let Some(id) = brush.0 {
        paint_variant(canvas, view, catalogue.variant(id), (x, y), palette);
    }
    let corner = view.point(surefoot::geometry::DVec2::new(f64::from(x), f64::from(y) + 1.0));
    canvas.rect(corner, view.scale, view.scale, &Paint::stroke(palette.marker, 1.5));
}

//! Small things of the window: sheets, labels, sliders, rows of keys.

use crate::panel::Area;
use surefoot_draw::font::width as text_width;
use surefoot_draw::{Canvas, Color, Paint, Palette, PathData, Point};

/// Heights of capitals, in pixels: of what is read in passing, of what is said, of headings, of the title.
pub(crate) const SMALL: f64 = 8.0;
pub(crate) const NORMAL: f64 = 9.5;
pub(crate) const HEADING: f64 = 13.0;
pub(crate) const TITLE: f64 = 30.0;

/// How much of the world is hidden by a sheet over it.
const SHEET: f64 = 0.9;

/// A dark sheet to write on.
pub(crate) fn sheet(canvas: &mut impl Canvas, area: Area, palette: &Palette) {
    let Area { corner, width, height } = area;
    canvas.rect(corner, width, height, &Paint::fill(palette.background).opacity(SHEET));
    canvas.rect(corner, width, height, &Paint::stroke(palette.rim, 1.0));
}

/// A text that ends at a point.
pub(crate) fn text_to(canvas: &mut impl Canvas, text: &str, at: Point, height: f64, color: Color) {
    canvas.text(text, Point { x: (at.x - text_width(text, height)).round(), ..at }, height, color);
}

/// A text around a point.
pub(crate) fn text_around(canvas: &mut impl Canvas, text: &str, at: Point, height: f64, color: Color) {
    canvas.text(text, Point { x: (at.x - text_width(text, height) / 2.0).round(), ..at }, height, color);
}

/// A short text on a plate of its own, around a point that is the middle of its baseline.
pub(crate) fn plate(canvas: &mut impl Canvas, text: &str, at: Point, color: Color, palette: &Palette) {
    let (width, space) = (text_width(text, NORMAL), 12.0);
    let corner = Point { x: (at.x - width / 2.0 - space).round(), y: at.y - NORMAL - space };
    sheet(canvas, Area { corner, width: width + 2.0 * space, height: NORMAL + 2.0 * space }, palette);
    text_around(canvas, text, at, NORMAL, color);
}

/// A bar that is full up to a part of it, 0 to 1, with a knob there.
pub(crate) fn slider(canvas: &mut impl Canvas, area: Area, part: f64, palette: &Palette) {
    let Area { corner, width, height } = area;
    let (y, x) = (corner.y + height / 2.0, corner.x + width * part);
    canvas.rect(Point { x: corner.x, y: y - 2.0 }, width, 4.0, &Paint::fill(palette.solid));
    canvas.rect(Point { x: corner.x, y: y - 2.0 }, width * part, 4.0, &Paint::fill(palette.normal));
    canvas.circle(Point { x, y }, height / 2.0, &Paint::fill(palette.text));
}

/// A line from one point to another.
pub(crate) fn line(canvas: &mut impl Canvas, from: Point, to: Point, color: Color, width: f64) {
    let mut path = PathData::new();
    path.run([from, to]);
    canvas.path(&path, &Paint::stroke(color, width).round());
}

/// Keys with what they do, a row each, from a top left corner; answers with the height of all.
pub(crate) fn key_rows(
    canvas: &mut impl Canvas,
    rows: &[(&str, &str)],
    corner: Point,
    keys: f64,
    palette: &Palette,
) -> f64 {
    const ROW: f64 = 22.0;
    for (i, (key, what)) in rows.iter().enumerate() {
        let y = corner.y + i as f64 * ROW + NORMAL;
        text_to(canvas, key, Point { x: corner.x + keys, y }, NORMAL, palette.marker);
        canvas.text(what, Point { x: corner.x + keys + 18.0, y }, NORMAL, palette.text);
    }
    rows.len() as f64 * ROW
}

//! Paints the menu: the list of maps and the keys.

use super::help;
use super::widgets::{HEADING_HEIGHT, NORMAL_TEXT_HEIGHT, SMALL_TEXT_HEIGHT, TITLE_HEIGHT, paint_sheet};
use crate::camera::Size;
use crate::menu::Menu;
use crate::panel::Area;
use surefoot_draw::{Canvas, Paint, Palette, Point};

/// Draws everything except the pictures of the maps. [`Menu::picture_rectangle`] returns their positions. `opacity`: that of the
/// background over the run behind the menu.
pub(crate) fn paint(canvas: &mut impl Canvas, size: Size, menu: &Menu, opacity: f64, palette: &Palette) {
    let background = Paint::fill(palette.background).opacity(opacity);
    canvas.rect(Point { x: 0.0, y: 0.0 }, size.width, size.height, &background);
    canvas.text("surefoot", Point { x: 48.0, y: 78.0 }, TITLE_HEIGHT, palette.text);
    let what = match menu.entries() {
        [] => "there are no maps here: open one with `play MAP`",
        _ => "choose a map: up, down and space, or click",
    };
    canvas.text(what, Point { x: 48.0, y: 106.0 }, NORMAL_TEXT_HEIGHT, palette.quiet_text);
    for (i, entry) in menu.entries().iter().enumerate() {
        let Some(Area { corner, width, height }) = menu.area(size, i) else { continue };
        let chosen = i == menu.chosen();
        let color = if chosen { palette.grid } else { palette.background };
        canvas.rect(corner, width, height, &Paint::fill(color));
        let frame = if chosen { palette.marker } else { palette.rim };
        canvas.rect(corner, width, height, &Paint::stroke(frame, 1.5));
        if let Some(picture) = menu.picture_rectangle(size, i) {
            canvas.rect(picture.corner, picture.width, picture.height, &Paint::fill(palette.background));
        }
        let text = Point {
            x: corner.x + menu.picture_rectangle(size, i).map_or(0.0, |picture| picture.width) + 32.0,
            y: corner.y + height / 2.0,
        };
        canvas.text(&entry.title, text, HEADING_HEIGHT, if chosen { palette.marker } else { palette.text });
        let note = Point { y: text.y + 20.0, ..text };
        canvas.text(&entry.note, note, SMALL_TEXT_HEIGHT, palette.quiet_text);
    }
    let left = size.width - help::WIDTH_PIXELS;
    if left > 560.0 {
        let corner = Point { x: left - 16.0, y: 24.0 };
        paint_sheet(canvas, Area { corner, ..help::area(size) }, palette);
        help::paint(canvas, corner, palette);
    }
}

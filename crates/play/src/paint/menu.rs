//! Paints the menu: the list of maps and the keys.

use super::help;
use super::widgets::{
    HEADING_HEIGHT, NORMAL_TEXT_HEIGHT, SMALL_TEXT_HEIGHT, TITLE_HEIGHT, break_into_lines, paint_plate, paint_sheet,
    shorten_to_width,
};
use crate::camera::Size;
use crate::game::Notice;
use crate::menu::Menu;
use crate::panel::Area;
use surefoot_draw::{Canvas, Paint, Palette, Point};

/// Draws everything except the pictures of the maps. [`Menu::picture_rectangle`] returns their positions. `opacity`: that of the
/// background over the run behind the menu.
pub(crate) fn paint(canvas: &mut impl Canvas, size: Size, menu: &Menu, opacity: f64, palette: &Palette) {
    let background = Paint::fill(palette.background).opacity(opacity);
    canvas.rect(Point { x: 0.0, y: 0.0 }, size.width, size.height, &background);
    canvas.text("surefoot", Point { x: 48.0, y: 78.0 }, TITLE_HEIGHT, palette.text);
    let what = match menu.entries().len() {
        0 => "there are no maps here: open one with `play MAP`".to_owned(),
        all => format!("choose one of {all}: up, down and space, or click"),
    };
    canvas.text(&what, Point { x: 48.0, y: 106.0 }, NORMAL_TEXT_HEIGHT, palette.quiet_text);
    for (i, entry) in menu.entries().iter().enumerate() {
        let Some(Area { corner, width, height }) = menu.area(size, i) else { continue };
        let chosen = i == menu.chosen();
        let color = if chosen { palette.grid } else { palette.background };
        canvas.rect(corner, width, height, &Paint::fill(color));
        let frame = if chosen { palette.marker } else { palette.rim };
        canvas.rect(corner, width, height, &Paint::stroke(frame, 1.5));
        if let Some(picture) = menu.picture_rectangle(size, i) {
            canvas.rect(picture.corner, picture.width, picture.height, &Paint::fill(palette.grid));
        }
        let text = Point {
            x: corner.x + menu.picture_rectangle(size, i).map_or(0.0, |picture| picture.width) + 32.0,
            y: corner.y + height / 2.0,
        };
        let room = corner.x + width - 8.0 - text.x;
        let title = shorten_to_width(&entry.title, HEADING_HEIGHT, room);
        canvas.text(&title, text, HEADING_HEIGHT, if chosen { palette.marker } else { palette.text });
        let note = shorten_to_width(&entry.note, SMALL_TEXT_HEIGHT, room);
        canvas.text(&note, Point { y: text.y + 20.0, ..text }, SMALL_TEXT_HEIGHT, palette.quiet_text);
    }
    if shows_keys(size) {
        let corner = Point { x: width_beside_keys(size), y: 16.0 };
        paint_sheet(canvas, Area { corner, ..help::area(size) }, palette);
        help::paint(canvas, corner, palette);
    }
}

/// Returns whether a window has room for the keys next to the maps.
fn shows_keys(size: Size) -> bool {
    size.width - help::WIDTH_PIXELS > 560.0
}

/// Returns the width of the part of a window that the keys leave free.
fn width_beside_keys(size: Size) -> f64 {
    if shows_keys(size) { size.width - help::WIDTH_PIXELS - 16.0 } else { size.width }
}

/// Sheet of a message in pixels: its left and top, its margins, the height of a line and the largest number of lines.
const NOTICE_CORNER: Point = Point { x: 260.0, y: 24.0 };
const NOTICE_MARGIN_PIXELS: f64 = 12.0;
const NOTICE_LINE_PIXELS: f64 = 19.0;
const NOTICE_LINES: usize = 4;
/// Minimum width of the sheet of a message next to the title.
const MIN_NOTICE_PIXELS: f64 = 240.0;

/// Paints a message next to the title, where it hides neither maps nor keys. In a narrow window, it is at the bottom.
pub(crate) fn paint_notice(canvas: &mut impl Canvas, size: Size, notice: &Notice, palette: &Palette) {
    let (width, color) = (width_beside_keys(size) - NOTICE_CORNER.x - 16.0, notice.color(palette));
    if width < MIN_NOTICE_PIXELS {
        paint_plate(canvas, &notice.text, size.width, size.height - 36.0, color, palette);
        return;
    }
    let room = width - 2.0 * NOTICE_MARGIN_PIXELS;
    let mut lines = break_into_lines(&notice.text, NORMAL_TEXT_HEIGHT, room);
    if lines.len() > NOTICE_LINES {
        lines.truncate(NOTICE_LINES);
        if let Some(last) = lines.last_mut() {
            *last = shorten_to_width(&format!("{last} ..."), NORMAL_TEXT_HEIGHT, room);
        }
    }
    let height = 2.0 * NOTICE_MARGIN_PIXELS + NOTICE_LINE_PIXELS * (lines.len() as f64 - 1.0) + NORMAL_TEXT_HEIGHT;
    paint_sheet(canvas, Area { corner: NOTICE_CORNER, width, height }, palette);
    for (i, line) in lines.iter().enumerate() {
        let y = NOTICE_CORNER.y + NOTICE_MARGIN_PIXELS + NORMAL_TEXT_HEIGHT + i as f64 * NOTICE_LINE_PIXELS;
        canvas.text(line, Point { x: NOTICE_CORNER.x + NOTICE_MARGIN_PIXELS, y }, NORMAL_TEXT_HEIGHT, color);
    }
}

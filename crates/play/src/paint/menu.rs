//! Paints the menu: the list of maps and the keys.

use super::help::Help;
use super::widgets::{
    HEADING_HEIGHT, NORMAL_TEXT_HEIGHT, SMALL_TEXT_HEIGHT, TITLE_HEIGHT, break_into_lines, paint_plate, paint_sheet,
    paint_text_centred_at, shorten_to_width,
};
use crate::camera::Size;
use crate::game::Notice;
use crate::menu::Menu;
use crate::panel::Area;
use crate::small::is_low;
use surefoot_draw::{Canvas, Paint, Palette, Point};

/// Darkens the run behind the menu. `opacity`: that of the background over it.
pub(crate) fn paint_cover(canvas: &mut impl Canvas, size: Size, opacity: f64, palette: &Palette) {
    let background = Paint::fill(palette.background).opacity(opacity);
    canvas.rect(Point { x: 0.0, y: 0.0 }, size.width, size.height, &background);
}

/// Draws an entry without the picture of its map, which [`Menu::picture_area`] has room for.
pub(crate) fn paint_entry(canvas: &mut impl Canvas, size: Size, menu: &Menu, i: usize, palette: &Palette) {
    let (Some(Area { corner, width, height }), Some(picture)) = (menu.entry_area(size, i), menu.picture_area(size, i))
    else {
        return;
    };
    let (entry, chosen) = (&menu.entries()[i], i == menu.selected_index());
    let color = if chosen { palette.grid } else { palette.background };
    canvas.rect(corner, width, height, &Paint::fill(color));
    let frame = if chosen { palette.marker } else { palette.rim };
    canvas.rect(corner, width, height, &Paint::stroke(frame, 1.5));
    canvas.rect(picture.corner, picture.width, picture.height, &Paint::fill(palette.grid));
    let text = Point {
        x: corner.x + picture.width + if width < NARROW_PIXELS { 20.0 } else { 32.0 },
        y: corner.y + height / 2.0 - if entry.can_forget { 24.0 } else { 0.0 },
    };
    let room = corner.x + width - 8.0 - text.x;
    let title = shorten_to_width(&entry.title, HEADING_HEIGHT, room);
    canvas.text(&title, text, HEADING_HEIGHT, if chosen { palette.marker } else { palette.text });
    // Cut a long note after two lines, because a third line has no room.
    let mut lines = break_into_lines(&entry.note, SMALL_TEXT_HEIGHT, room);
    lines.truncate(2);
    for (i, line) in lines.iter().enumerate() {
        let at = Point { y: text.y + 20.0 + 14.0 * i as f64, ..text };
        canvas.text(&shorten_to_width(line, SMALL_TEXT_HEIGHT, room), at, SMALL_TEXT_HEIGHT, palette.quiet_text);
    }
    if let Some(Area { corner, width, height }) = menu.forget_button_area(size, i) {
        canvas.rect(corner, width, height, &Paint::stroke(palette.rim, 1.0));
        let at = Point { x: corner.x + width / 2.0, y: corner.y + (height + SMALL_TEXT_HEIGHT) / 2.0 };
        paint_text_centred_at(canvas, "forget", at, SMALL_TEXT_HEIGHT, palette.text);
    }
}

/// Width of an entry in pixels below which its parts are close to each other.
const NARROW_PIXELS: f64 = 480.0;

/// Draws the title over the entries that are scrolled under it, and the keys.
pub(crate) fn paint_title(canvas: &mut impl Canvas, size: Size, menu: &Menu, palette: &Palette) {
    let Point { x, y: top } = Menu::list_corner(size);
    if menu.is_scrolled() {
        canvas.rect(Point { x: 0.0, y: 0.0 }, size.width, top - 6.0, &Paint::fill(palette.background));
    }
    let what = match (menu.entries().len(), menu.has_fingers) {
        (0, _) => "there are no maps here: open one with `play MAP`".to_owned(),
        (all, true) => format!("tap one of {all}; drag to see more"),
        (all, false) => format!("choose one of {all}: up, down and space, or click"),
    };
    // A low window has room for only a small title.
    if is_low(size) {
        canvas.text("surefoot", Point { x, y: 28.0 }, HEADING_HEIGHT, palette.text);
        canvas.text(&what, Point { x, y: 48.0 }, NORMAL_TEXT_HEIGHT, palette.quiet_text);
    } else {
        canvas.text("surefoot", Point { x, y: 78.0 }, TITLE_HEIGHT, palette.text);
        canvas.text(&what, Point { x, y: 106.0 }, NORMAL_TEXT_HEIGHT, palette.quiet_text);
    }
    if let Some(help) = Help::beside_menu(size, menu.has_fingers) {
        help.paint(canvas, palette);
    }
}

/// Sheet of a message in pixels: its left and top, its margins, the height of a line and the largest number of lines.
const NOTICE_CORNER: Point = Point { x: 260.0, y: 24.0 };
const NOTICE_MARGIN_PIXELS: f64 = 12.0;
const NOTICE_LINE_PIXELS: f64 = 19.0;
const NOTICE_LINES: usize = 4;
/// Minimum width of the sheet of a message next to the title.
const MIN_NOTICE_PIXELS: f64 = 240.0;

/// Paints a message next to the title, where it hides neither maps nor keys. In a narrow window, it is at the bottom.
pub(crate) fn paint_notice(
    canvas: &mut impl Canvas,
    size: Size,
    notice: &Notice,
    has_fingers: bool,
    palette: &Palette,
) {
    let beside = Help::beside_menu(size, has_fingers).map_or(size.width, |help| help.area.corner.x);
    let (width, color) = (beside - NOTICE_CORNER.x - 16.0, notice.color(palette));
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

//! Paints the help: a list of keys, over the game or next to the menu.

use super::widgets::{HEADING_HEIGHT, key_rows, paint_sheet};
use crate::camera::Size;
use crate::controls::{KEY_GROUPS, KEYS, MOUSE};
use crate::panel::Area;
use surefoot_draw::{Canvas, Palette, Point};

/// Layout in pixels: width of the key column, size of the sheet, and margin.
const KEY_COLUMN_PIXELS: f64 = 150.0;
pub(crate) const WIDTH_PIXELS: f64 = 450.0;
const HEIGHT_PIXELS: f64 = 720.0;
const MARGIN_PIXELS: f64 = 22.0;
/// Distance between two groups of keys in pixels.
const GROUP_GAP_PIXELS: f64 = 8.0;

/// Paints the list of keys from its top left corner.
pub(crate) fn paint(canvas: &mut impl Canvas, corner: Point, palette: &Palette) {
    let mut at = Point { x: corner.x + MARGIN_PIXELS, y: corner.y + MARGIN_PIXELS };
    let ends = KEY_GROUPS.iter().copied().skip(1).chain([KEYS.len()]);
    let keys: Vec<&[_]> = KEY_GROUPS.iter().zip(ends).map(|(begin, end)| &KEYS[*begin..end]).collect();
    for (title, groups) in [("Keys", keys), ("Mouse", vec![&MOUSE[..]])] {
        canvas.text(title, Point { y: at.y + HEADING_HEIGHT, ..at }, HEADING_HEIGHT, palette.text);
        at.y += HEADING_HEIGHT + 14.0;
        for rows in groups {
            at.y += key_rows(canvas, rows, at, KEY_COLUMN_PIXELS, palette) + GROUP_GAP_PIXELS;
        }
    }
}

/// Returns the area of the sheet over the game, in the middle of the window.
pub(crate) fn area(size: Size) -> Area {
    let corner = Point {
        x: ((size.width - WIDTH_PIXELS) / 2.0).round(),
        y: ((size.height - HEIGHT_PIXELS) / 2.0).round().max(0.0),
    };
    Area { corner, width: WIDTH_PIXELS, height: HEIGHT_PIXELS }
}

/// Paints the help over the game.
pub(crate) fn paint_over(canvas: &mut impl Canvas, size: Size, palette: &Palette) {
    paint_sheet(canvas, area(size), palette);
    paint(canvas, area(size).corner, palette);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;

    #[test]
    fn the_list_is_within_its_sheet() {
        let mut mesh = Mesh::new();
        paint(&mut mesh, Point { x: 0.0, y: 0.0 }, &Palette::NIGHT);
        let most = |number: fn(&crate::Vertex) -> f32| mesh.vertices().iter().map(number).fold(0.0, f32::max);
        let (right, bottom) = (f64::from(most(|vertex| vertex.x)), f64::from(most(|vertex| vertex.y)));
        assert!(right < WIDTH_PIXELS - MARGIN_PIXELS / 2.0 && bottom < HEIGHT_PIXELS, "{right} {bottom}");
        let left = mesh.vertices().iter().map(|vertex| vertex.x).fold(f32::MAX, f32::min);
        assert!(f64::from(left) > MARGIN_PIXELS / 2.0, "{left}");
    }
}

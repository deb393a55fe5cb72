//! Paints the help: a list of keys, over the game or next to the menu.

use super::widgets::{HEADING_HEIGHT, ROW_PIXELS, paint_key_rows, paint_sheet};
use crate::camera::Size;
use crate::controls::{FINGERS, KEY_GROUPS, KEYS, MOUSE};
use crate::panel::Area;
use crate::small::is_narrow;
use surefoot_draw::{Canvas, Palette, Point};

/// Layout in pixels: width of the key column, width of a column of the sheet, height of a heading, margin, and distance
/// between two groups of keys.
const KEY_COLUMN_PIXELS: f64 = 150.0;
const COLUMN_PIXELS: f64 = 428.0;
const HEADING_PIXELS: f64 = HEADING_HEIGHT + 14.0;
const MARGIN_PIXELS: f64 = 22.0;
const GROUP_GAP_PIXELS: f64 = 8.0;
/// Minimum scale of the help beside the maps: what is smaller is opened over them.
const MIN_SCALE_BESIDE: f64 = 0.9;
/// Distance from the border of the window in pixels.
const BORDER_PIXELS: f64 = 16.0;

/// Rows of the help under a heading, if they begin with one.
struct Group {
    heading: Option<&'static str>,
    rows: &'static [(&'static str, &'static str)],
}

impl Group {
    fn height(&self) -> f64 {
        let heading = if self.heading.is_some() { HEADING_PIXELS } else { 0.0 };
        heading + self.rows.len() as f64 * ROW_PIXELS + GROUP_GAP_PIXELS
    }
}

/// The help as it fits into a window: groups in one or two columns, made smaller if the window is small.
pub(crate) struct Help {
    columns: Vec<Vec<Group>>,
    scale: f64,
    /// The sheet, in the middle of the window.
    pub(crate) area: Area,
}

impl Help {
    /// Lays out the help in a window. `has_fingers`: the help is about a touch screen, and not about keys and the
    /// mouse.
    pub(crate) fn new(size: Size, has_fingers: bool) -> Help {
        let [one, two] = [1, 2].map(|count| Help::in_columns(count, size, has_fingers));
        if one.scale >= two.scale { one } else { two }
    }

    fn in_columns(count: usize, size: Size, has_fingers: bool) -> Help {
        let groups = if has_fingers { help_about_fingers() } else { help_about_keys() };
        let whole: f64 = groups.iter().map(Group::height).sum();
        let (mut columns, mut height) = (vec![Vec::new()], 0.0);
        for group in groups {
            // A group belongs to the column in which its middle is, so that the columns are about equally high.
            if height + group.height() / 2.0 > whole * columns.len() as f64 / count as f64 {
                columns.push(Vec::new());
            }
            height += group.height();
            columns.last_mut().expect("there is a first column").push(group);
        }
        let heights = columns.iter().map(|column| column.iter().map(Group::height).sum::<f64>());
        let height = heights.fold(0.0, f64::max) + 2.0 * MARGIN_PIXELS - GROUP_GAP_PIXELS;
        let width = columns.len() as f64 * COLUMN_PIXELS + MARGIN_PIXELS;
        let scale = (size.width / width).min(size.height / height).min(1.0);
        let (width, height) = (width * scale, height * scale);
        let corner = Point { x: ((size.width - width) / 2.0).round(), y: ((size.height - height) / 2.0).round() };
        Help { columns, scale, area: Area { corner, width, height } }
    }

    /// Lays out the help beside the maps of the menu. `None` if the rest of the window would be too narrow for the
    /// maps, if the help would be too small, or on a touch screen.
    pub(crate) fn beside_menu(size: Size, has_fingers: bool) -> Option<Help> {
        let mut help = Help::in_columns(1, Size { height: size.height - 2.0 * BORDER_PIXELS, ..size }, false);
        let rest = Size { width: size.width - help.area.width, ..size };
        let has_room = !is_narrow(rest) && help.scale >= MIN_SCALE_BESIDE;
        help.area.corner = Point { x: size.width - help.area.width - BORDER_PIXELS, y: BORDER_PIXELS };
        (has_room && !has_fingers).then_some(help)
    }

    /// Paints the sheet and its rows.
    pub(crate) fn paint(&self, canvas: &mut impl Canvas, palette: &Palette) {
        paint_sheet(canvas, self.area, palette);
        let (Area { corner, .. }, scale) = (self.area, self.scale);
        for (i, column) in self.columns.iter().enumerate() {
            let x = corner.x + i as f64 * COLUMN_PIXELS * scale + MARGIN_PIXELS * scale;
            let mut y = corner.y + MARGIN_PIXELS * scale;
            for group in column {
                let mut top = y;
                if let Some(heading) = group.heading {
                    let at = Point { x, y: y + HEADING_HEIGHT * scale };
                    canvas.text(heading, at, HEADING_HEIGHT * scale, palette.text);
                    top += HEADING_PIXELS * scale;
                }
                paint_key_rows(canvas, group.rows, Point { x, y: top }, KEY_COLUMN_PIXELS, scale, palette);
                y += group.height() * scale;
            }
        }
    }
}

fn help_about_keys() -> Vec<Group> {
    let ends = KEY_GROUPS.iter().copied().skip(1).chain([KEYS.len()]);
    let groups = KEY_GROUPS.iter().zip(ends).map(|(begin, end)| &KEYS[*begin..end]);
    let heading = |i: usize| (i == 0).then_some("Keys");
    let keys = groups.enumerate().map(|(i, rows)| Group { heading: heading(i), rows });
    keys.chain([Group { heading: Some("Mouse"), rows: &MOUSE }]).collect()
}

fn help_about_fingers() -> Vec<Group> {
    vec![Group { heading: Some("Fingers"), rows: &FINGERS }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;

    #[test]
    fn the_help_is_within_its_sheet_and_the_sheet_within_the_window() {
        for (width, height) in [(1280.0, 760.0), (1280.0, 400.0), (480.0, 340.0), (390.0, 800.0), (844.0, 346.0)] {
            for has_fingers in [false, true] {
                let help = Help::new(Size { width, height }, has_fingers);
                let mut mesh = Mesh::new();
                help.paint(&mut mesh, &Palette::NIGHT);
                let Area { corner, width: own, height: own_height } = help.area;
                let (right, bottom) = (corner.x + own, corner.y + own_height);
                assert!(
                    corner.x >= 0.0 && corner.y >= 0.0 && right <= width + 0.5 && bottom <= height + 0.5,
                    "{width}"
                );
                for vertex in mesh.vertices() {
                    let (x, y) = (f64::from(vertex.x), f64::from(vertex.y));
                    let is_inside = (corner.x - 1.0..=right + 1.0).contains(&x);
                    assert!(is_inside && (corner.y - 1.0..=bottom + 1.0).contains(&y), "{width} x {height}: {x} {y}");
                }
                // Capitals of less than 7 pixels cannot be read on a phone.
                let readable = super::super::widgets::NORMAL_TEXT_HEIGHT * help.scale >= 7.0;
                assert!(readable || (width, height) == (480.0, 340.0), "{width} x {height}: {}", help.scale);
            }
        }
    }

    #[test]
    fn the_help_is_beside_the_menu_of_a_large_window_alone() {
        let beside = |width, height, has_fingers| Help::beside_menu(Size { width, height }, has_fingers);
        let Area { corner, width, height } = beside(1280.0, 800.0, false).expect("there is room").area;
        assert!(!is_narrow(Size { width: corner.x, height: 800.0 }));
        assert!(corner.x + width < 1280.0 && corner.y + height < 800.0);
        assert!(beside(1280.0, 800.0, true).is_none() && beside(844.0, 346.0, false).is_none());
    }
}

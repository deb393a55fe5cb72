//! Paints the list of the parts that the import of a level left out, as a sheet over the game.

use super::widgets::{HEADING_HEIGHT, NORMAL_TEXT_HEIGHT, break_into_lines, paint_sheet};
use crate::camera::Size;
use crate::panel::Area;
use surefoot_draw::{Canvas, Palette, Point};

/// Layout in pixels: maximum width of the sheet, its margin, the height of a line, and those of the heading and the
/// hint.
const MAX_WIDTH_PIXELS: f64 = 900.0;
const MARGIN_PIXELS: f64 = 22.0;
const LINE_PIXELS: f64 = 20.0;
const HEAD_PIXELS: f64 = 40.0;

/// The sheet and the lines on it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Notes {
    pub(crate) area: Area,
    lines: Vec<String>,
}

impl Notes {
    /// Lays out notes in the middle of a window. Lines that have no room are counted.
    pub(crate) fn new(notes: &[String], size: Size) -> Notes {
        let width = (size.width - 2.0 * MARGIN_PIXELS).min(MAX_WIDTH_PIXELS);
        let room = ((size.height - 2.0 * MARGIN_PIXELS - 2.0 * HEAD_PIXELS) / LINE_PIXELS).max(2.0) as usize;
        let mut lines = Vec::new();
        for (i, note) in notes.iter().enumerate() {
            let own = break_into_lines(note, NORMAL_TEXT_HEIGHT, width - 2.0 * MARGIN_PIXELS);
            let is_last = i + 1 == notes.len();
            if lines.len() + own.len() + usize::from(!is_last) > room && !lines.is_empty() {
                lines.push(format!("and {} more: `surefoot import FILE` lists all", notes.len() - i));
                break;
            }
            lines.extend(own);
        }
        let height = (lines.len() as f64 * LINE_PIXELS + 2.0 * HEAD_PIXELS).min(size.height);
        let corner = Point { x: ((size.width - width) / 2.0).round(), y: ((size.height - height) / 2.0).round() };
        Notes { area: Area { corner, width, height }, lines }
    }

    pub(crate) fn paint(&self, canvas: &mut impl Canvas, palette: &Palette) {
        paint_sheet(canvas, self.area, palette);
        let Area { corner, height, .. } = self.area;
        let at = |y: f64| Point { x: corner.x + MARGIN_PIXELS, y: corner.y + y };
        canvas.text("Left out of the level", at(HEAD_PIXELS - 12.0), HEADING_HEIGHT, palette.marker);
        for (i, line) in self.lines.iter().enumerate() {
            let y = HEAD_PIXELS + i as f64 * LINE_PIXELS + NORMAL_TEXT_HEIGHT;
            canvas.text(line, at(y), NORMAL_TEXT_HEIGHT, palette.text);
        }
        canvas.text("escape closes this list", at(height - 16.0), NORMAL_TEXT_HEIGHT, palette.quiet_text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_fit_into_windows_of_any_size() {
        let notes: Vec<String> =
            (0..500).map(|i| format!("left out {i}: tiles of a layer that says nothing")).collect();
        for (width, height) in [(1280.0, 800.0), (300.0, 200.0), (200.0, 2000.0)] {
            let Notes { area, lines } = Notes::new(&notes, Size { width, height });
            assert!(area.corner.x >= 0.0 && area.corner.x + area.width <= width, "{area:?}");
            assert!(area.corner.y >= 0.0 && area.corner.y + area.height <= height, "{area:?}");
            assert!(lines.last().is_some_and(|line| line.starts_with("and ")), "{lines:?}");
        }
        let all = Notes::new(&notes[..3], Size { width: 1280.0, height: 800.0 });
        assert_eq!(all.lines, &notes[..3]);
    }
}

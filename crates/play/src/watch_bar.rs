//! The bar of a watched run, along the bottom of the window: pause, seek, and play on.

use crate::camera::Size;
use crate::panel::Area;
use surefoot_draw::Point;

/// Layout in pixels: height of the bar, large enough for fingers; width of its two buttons; distances.
const HEIGHT: f64 = 52.0;
const PAUSE: f64 = 44.0;
const PLAY_ON: f64 = 84.0;
const GAP: f64 = 8.0;
/// Distance of the line from the buttons in pixels: its knob is that large.
const KNOB: f64 = 12.0;

/// The parts of the bar in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WatchBar {
    /// The whole bar. All of it but the buttons seeks.
    pub(crate) area: Area,
    /// The button to pause and resume.
    pub(crate) pause: Area,
    /// The button to play on by hand.
    pub(crate) play_on: Area,
    /// The line from the beginning to the end of the run.
    pub(crate) line: Area,
}

impl WatchBar {
    /// Lays out the bar in a window.
    pub(crate) fn new(size: Size) -> WatchBar {
        let top = size.height - HEIGHT;
        let button =
            |x: f64, width: f64| Area { corner: Point { x, y: top + (HEIGHT - PAUSE) / 2.0 }, width, height: PAUSE };
        let (pause, play_on) = (button(GAP, PAUSE), button(size.width - GAP - PLAY_ON, PLAY_ON));
        let left = pause.corner.x + pause.width + GAP + KNOB;
        let width = (play_on.corner.x - GAP - KNOB - left).max(1.0);
        let line = Area { corner: Point { x: left, y: top + HEIGHT / 2.0 - 2.0 }, width, height: 4.0 };
        let area = Area { corner: Point { x: 0.0, y: top }, width: size.width, height: HEIGHT };
        WatchBar { area, pause, play_on, line }
    }

    /// Returns the part of the run at a point, 0 to 1.
    pub(crate) fn part_of_run_at(&self, at: Point) -> f64 {
        ((at.x - self.line.corner.x) / self.line.width).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_large_enough_for_fingers_and_apart() {
        for (width, height) in [(320.0, 480.0), (390.0, 800.0), (844.0, 346.0), (1280.0, 800.0)] {
            let WatchBar { area, pause, play_on, line } = WatchBar::new(Size { width, height });
            for button in [pause, play_on] {
                assert!(button.width >= 44.0 && button.height >= 44.0);
                assert!(area.contains(button.corner) && button.corner.y + button.height <= height);
            }
            assert!(pause.corner.x + pause.width < line.corner.x && line.corner.x + line.width < play_on.corner.x);
            assert!(line.width >= 100.0 && play_on.corner.x + play_on.width <= width);
        }
        let bar = WatchBar::new(Size { width: 390.0, height: 800.0 });
        let at = |x: f64| bar.part_of_run_at(Point { x, y: 790.0 });
        let Area { corner, width, .. } = bar.line;
        assert_eq!((at(0.0), at(corner.x + width / 2.0), at(389.0)), (0.0, 0.5, 1.0));
    }
}

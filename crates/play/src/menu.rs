//! The choice of maps.

use crate::camera::Size;
use crate::controls::{Action, Controls};
use crate::panel::Area;
use std::path::PathBuf;
use surefoot_draw::Point;

/// A map or a replay that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The file.
    pub(crate) file: PathBuf,
    /// What it is called.
    pub(crate) title: String,
    /// What is said of it.
    pub(crate) note: String,
    /// Columns and rows of its map.
    pub(crate) tiles: (u32, u32),
}

/// The list, and which of it is chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Menu {
    entries: Vec<Entry>,
    chosen: usize,
}

/// Pixels: where the list begins, the height of an entry, and from one to the next.
const TOP: f64 = 136.0;
const LEFT: f64 = 48.0;
const HEIGHT: f64 = 150.0;
const STEP: f64 = 164.0;

impl Menu {
    /// A list with its first entry chosen.
    pub(crate) fn new(entries: Vec<Entry>) -> Menu {
        Menu { entries, chosen: 0 }
    }

    /// All entries.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of the one that is chosen.
    pub(crate) fn chosen(&self) -> usize {
        self.chosen
    }

    /// Where an entry is in the window; `None` for one that is scrolled out of it.
    pub(crate) fn area(&self, size: Size, entry: usize) -> Option<Area> {
        let shown = (((size.height - TOP) / STEP) as usize).max(1);
        let first = (self.chosen + 1).saturating_sub(shown);
        let row = entry.checked_sub(first).filter(|row| *row < shown)?;
        let corner = Point { x: LEFT, y: TOP + row as f64 * STEP };
        let width = (size.width - crate::paint::HELP_WIDTH - 2.0 * LEFT).clamp(360.0, 900.0);
        Some(Area { corner, width, height: HEIGHT })
    }

    /// How wide the pictures of the maps may be.
    pub(crate) fn picture_width(&self, size: Size) -> f64 {
        self.area(size, self.chosen).map_or(0.0, |area| (area.width * 0.62).floor())
    }

    /// Where the picture of an entry's map stands in the window, and how many pixels a tile has in it.
    pub(crate) fn picture(&self, size: Size, entry: usize) -> Option<(Point, f64)> {
        let Area { corner, height, .. } = self.area(size, entry)?;
        let (columns, rows) = self.entries[entry].tiles;
        let room = (self.picture_width(size), height - 16.0);
        let scale = (room.0 / f64::from(columns)).min(room.1 / f64::from(rows));
        let free = room.1 - f64::from(rows) * scale;
        Some((Point { x: (corner.x + 12.0).round(), y: (corner.y + 8.0 + free / 2.0).round() }, scale))
    }

    /// What a frame's controls do; answers with the file of the entry that was taken.
    pub(crate) fn handle(&mut self, controls: &Controls, size: Size) -> Option<PathBuf> {
        let last = self.entries.len().checked_sub(1)?;
        let mut taken = false;
        for action in &controls.actions {
            match action {
                Action::Previous => self.chosen = self.chosen.checked_sub(1).unwrap_or(last),
                Action::Next => self.chosen = if self.chosen == last { 0 } else { self.chosen + 1 },
                Action::Choose => taken = true,
                _ => {}
            }
        }
        if controls.pointer.wheel > 0.0 {
            self.chosen = self.chosen.saturating_sub(1);
        } else if controls.pointer.wheel < 0.0 {
            self.chosen = last.min(self.chosen + 1);
        }
        let under = |at: Point| (0..=last).find(|&i| self.area(size, i).is_some_and(|area| area.contains(at)));
        if let (true, Some(entry)) = (controls.pointer.left.pressed, under(controls.pointer.at)) {
            (self.chosen, taken) = (entry, true);
        }
        taken.then(|| self.entries[self.chosen].file.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controls::{Button, Pointer};

    const SIZE: Size = Size { width: 1280.0, height: 640.0 };

    fn menu() -> Menu {
        let entry = |name: &str| Entry {
            file: PathBuf::from(name),
            title: name.to_owned(),
            note: String::new(),
            tiles: (40, 20),
        };
        Menu::new(["a", "b", "c", "d", "e"].map(entry).into())
    }

    fn keys(actions: &[Action]) -> Controls {
        Controls { actions: actions.to_vec(), ..Controls::default() }
    }

    #[test]
    fn keys_go_round_and_take() {
        let mut menu = menu();
        assert_eq!(menu.handle(&keys(&[Action::Previous]), SIZE), None);
        assert_eq!(menu.chosen(), 4);
        assert_eq!(menu.handle(&keys(&[Action::Next, Action::Next]), SIZE), None);
        assert_eq!(menu.handle(&keys(&[Action::Choose]), SIZE), Some(PathBuf::from("b")));
        assert_eq!(Menu::default().handle(&keys(&[Action::Next, Action::Choose]), SIZE), None);
    }

    #[test]
    fn the_wheel_goes_up_and_down_and_stops_at_the_ends() {
        let mut menu = menu();
        for (wheel, chosen) in [(1.0, 0), (-1.0, 1), (-0.5, 2), (-1.0, 3), (-1.0, 4), (-1.0, 4), (2.0, 3)] {
            let pointer = Pointer { wheel, ..Pointer::default() };
            assert_eq!(menu.handle(&Controls { pointer, ..Controls::default() }, SIZE), None);
            assert_eq!(menu.chosen(), chosen);
        }
    }

    #[test]
    fn the_one_that_is_chosen_is_always_in_the_window_and_can_be_clicked() {
        let mut menu = menu();
        for _ in 0..5 {
            let chosen = menu.chosen();
            let area = menu.area(SIZE, chosen).unwrap();
            assert!(area.corner.y + area.height <= SIZE.height);
            let (corner, scale) = menu.picture(SIZE, chosen).unwrap();
            assert!(area.contains(corner) && 20.0 * scale <= area.height && 40.0 * scale <= area.width);
            let at = Point { x: area.corner.x + 5.0, y: area.corner.y + 5.0 };
            let pointer = Pointer { at, left: Button { pressed: true, down: true }, ..Pointer::default() };
            let file = menu.clone().handle(&Controls { pointer, ..Controls::default() }, SIZE);
            assert_eq!(file.as_ref(), Some(&menu.entries()[chosen].file));
            menu.handle(&keys(&[Action::Next]), SIZE);
        }
        // Three of them fit: of five the last three are shown when the last is chosen.
        menu.handle(&keys(&[Action::Previous]), SIZE);
        let shown: Vec<_> = (0..5).filter(|&i| menu.area(SIZE, i).is_some()).collect();
        assert_eq!(shown, [2, 3, 4]);
    }
}

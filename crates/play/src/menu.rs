//! The menu of maps and replays.

use crate::camera::Size;
use crate::controls::{Action, Controls};
use crate::panel::Area;
use std::path::PathBuf;
use surefoot_draw::Point;

/// A map or a replay in the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The file.
    pub(crate) file: PathBuf,
    /// Title.
    pub(crate) title: String,
    /// Short description.
    pub(crate) note: String,
}

/// The entries and the selected one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Menu {
    entries: Vec<Entry>,
    chosen: usize,
}

/// Layout in pixels: top and left of the list, height of an entry, distance between entries, margin of a picture.
const TOP: f64 = 136.0;
const LEFT: f64 = 48.0;
const HEIGHT: f64 = 150.0;
const STEP: f64 = 164.0;
const MARGIN: f64 = 10.0;
/// Width in pixels below which a window is small, as on a phone.
const SMALL: f64 = 560.0;

impl Menu {
    /// Creates a menu with the first entry selected.
    pub(crate) fn new(entries: Vec<Entry>) -> Menu {
        Menu { entries, chosen: 0 }
    }

    /// Adds an entry before all others, in place of the entry of its file.
    pub(crate) fn add_first(&mut self, entry: Entry) {
        self.entries.retain(|other| other.file != entry.file);
        self.entries.insert(0, entry);
    }

    /// Adds an entry after all others, or replaces the entry of its file.
    pub(crate) fn add(&mut self, entry: Entry) {
        match self.entries.iter_mut().find(|old| old.file == entry.file) {
            Some(old) => *old = entry,
            None => self.entries.push(entry),
        }
    }

    /// Returns all entries.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the index of the selected entry.
    pub(crate) fn chosen(&self) -> usize {
        self.chosen
    }

    /// Returns the area of an entry in the window; `None` if it is scrolled out.
    pub(crate) fn area(&self, size: Size, entry: usize) -> Option<Area> {
        let shown = (((size.height - TOP) / STEP) as usize).max(1);
        let first = (self.chosen + 1).saturating_sub(shown);
        let row = entry.checked_sub(first).filter(|row| *row < shown)?;
        let left = if size.width < SMALL { MARGIN } else { LEFT };
        let corner = Point { x: left, y: TOP + row as f64 * STEP };
        // A small window has the list alone: the help would leave it no room.
        let beside = if size.width < SMALL { 0.0 } else { crate::paint::HELP_WIDTH };
        let width = (size.width - beside - 2.0 * left).clamp(if size.width < SMALL { 0.0 } else { 360.0 }, 900.0);
        Some(Area { corner, width, height: HEIGHT })
    }

    /// Returns the area of an entry's picture in the window. All pictures have the same size.
    pub(crate) fn picture_rectangle(&self, size: Size, entry: usize) -> Option<Area> {
        let Area { corner, width, height } = self.area(size, entry)?;
        let corner = Point { x: corner.x + MARGIN, y: corner.y + MARGIN };
        Some(Area { corner, width: (width * 0.55).floor(), height: height - 2.0 * MARGIN })
    }

    /// Handles the controls of a frame. Returns the file of the entry that was opened.
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
        let entry = |name: &str| Entry { file: PathBuf::from(name), title: name.to_owned(), note: String::new() };
        Menu::new(["a", "b", "c", "d", "e"].map(entry).into())
    }

    fn keys(actions: &[Action]) -> Controls {
        Controls { actions: actions.to_vec(), ..Controls::default() }
    }

    #[test]
    fn keys_select_entries_in_a_circle_and_open_them() {
        let mut menu = menu();
        assert_eq!(menu.handle(&keys(&[Action::Previous]), SIZE), None);
        assert_eq!(menu.chosen(), 4);
        assert_eq!(menu.handle(&keys(&[Action::Next, Action::Next]), SIZE), None);
        assert_eq!(menu.handle(&keys(&[Action::Choose]), SIZE), Some(PathBuf::from("b")));
        assert_eq!(Menu::default().handle(&keys(&[Action::Next, Action::Choose]), SIZE), None);
    }

    #[test]
    fn the_wheel_moves_the_selection_and_stops_at_the_ends() {
        let mut menu = menu();
        for (wheel, chosen) in [(1.0, 0), (-1.0, 1), (-0.5, 2), (-1.0, 3), (-1.0, 4), (-1.0, 4), (2.0, 3)] {
            let pointer = Pointer { wheel, ..Pointer::default() };
            assert_eq!(menu.handle(&Controls { pointer, ..Controls::default() }, SIZE), None);
            assert_eq!(menu.chosen(), chosen);
        }
    }

    #[test]
    fn the_selected_entry_is_always_visible_and_can_be_clicked() {
        let mut menu = menu();
        for _ in 0..5 {
            let chosen = menu.chosen();
            let area = menu.area(SIZE, chosen).unwrap();
            assert!(area.corner.y + area.height <= SIZE.height);
            let Area { corner, width, height } = menu.picture_rectangle(SIZE, chosen).unwrap();
            assert!(area.contains(corner) && area.contains(Point { x: corner.x + width, y: corner.y + height }));
            let at = Point { x: area.corner.x + 5.0, y: area.corner.y + 5.0 };
            let pointer = Pointer { at, left: Button { pressed: true, down: true }, ..Pointer::default() };
            let file = menu.clone().handle(&Controls { pointer, ..Controls::default() }, SIZE);
            assert_eq!(file.as_ref(), Some(&menu.entries()[chosen].file));
            menu.handle(&keys(&[Action::Next]), SIZE);
        }
        // On a phone, the list is as wide as the window.
        let phone = Size { width: 360.0, height: 640.0 };
        let Area { corner, width, .. } = menu.area(phone, menu.chosen()).unwrap();
        assert!(corner.x > 0.0 && corner.x + width < phone.width && width > 300.0);
        // The window fits three entries: of five, the last three are visible if the last is selected.
        menu.handle(&keys(&[Action::Previous]), SIZE);
        let shown: Vec<_> = (0..5).filter(|&i| menu.area(SIZE, i).is_some()).collect();
        assert_eq!(shown, [2, 3, 4]);
    }
}

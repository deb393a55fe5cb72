//! The menu of maps and replays.

use crate::camera::Size;
use crate::controls::{Action, Controls};
use crate::paint::Help;
use crate::panel::Area;
use crate::small::{is_low, is_narrow};
use std::path::{Path, PathBuf};
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
    /// The player has saved the file in the memory of the game, and can remove it.
    pub(crate) can_forget: bool,
}

/// An action of the player on an entry of the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// Opens the file.
    Open(PathBuf),
    /// Wants the file to be forgotten.
    Forget(PathBuf),
}

/// Makes a pick of the file of an entry.
type PickFile = fn(PathBuf) -> Pick;

/// The entries and the selected one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Menu {
    entries: Vec<Entry>,
    chosen: usize,
    /// Whether the game runs on a touch screen.
    pub(crate) has_fingers: bool,
    /// Pixels by which the list is scrolled up.
    scroll: f64,
    drag: Option<Drag>,
}

/// A press of the mouse or of a finger. It opens an entry if it ends where it began, and otherwise scrolls.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Drag {
    from: Point,
    /// The scroll at the press.
    scroll: f64,
    is_moved: bool,
}

/// Layout in pixels: top and left of the list, height of an entry, distance between entries, margin of a picture.
const TOP: f64 = 136.0;
const LEFT: f64 = 48.0;
const HEIGHT: f64 = 150.0;
const STEP: f64 = 164.0;
const MARGIN: f64 = 10.0;
/// Top of the list in a low window, in pixels.
const LOW_TOP: f64 = 64.0;
/// Distance in pixels that a finger moves in a tap.
const TAP: f64 = 10.0;
/// Size of the button that forgets a file, in pixels: large enough for a finger.
const FORGET: (f64, f64) = (76.0, 44.0);

impl Menu {
    /// Creates a menu with the first entry selected.
    pub(crate) fn new(entries: Vec<Entry>) -> Menu {
        Menu { entries, ..Menu::default() }
    }

    /// Adds an entry before all others, in place of the entry of its file.
    pub(crate) fn move_or_add_to_front(&mut self, entry: Entry) {
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

    /// Removes the entry of a file.
    pub(crate) fn remove(&mut self, file: &Path) {
        self.entries.retain(|entry| entry.file != file);
        self.chosen = self.chosen.min(self.entries.len().saturating_sub(1));
    }

    /// Returns all entries.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the index of the selected entry.
    pub(crate) fn selected_index(&self) -> usize {
        self.chosen
    }

    /// Returns the left end of the entries, and the top of the list: entries are hidden above it.
    pub(crate) fn list_corner(size: Size) -> Point {
        let x = if is_narrow(size) { MARGIN } else { LEFT };
        Point { x, y: if is_low(size) { LOW_TOP } else { TOP } }
    }

    /// Returns the scroll at which the last entry ends at the bottom of the window.
    fn max_scroll(&self, size: Size) -> f64 {
        (self.entries.len() as f64 * STEP - (size.height - Menu::list_corner(size).y)).max(0.0)
    }

    /// Returns whether the list is scrolled.
    pub(crate) fn is_scrolled(&self) -> bool {
        self.scroll > 0.0
    }

    /// Scrolls until the selected entry is visible.
    fn scroll_to_selected(&mut self, size: Size) {
        let at = self.chosen as f64 * STEP;
        let room = size.height - Menu::list_corner(size).y;
        self.scroll = self.scroll.clamp((at + STEP - room).min(at), at).min(self.max_scroll(size));
    }

    /// Returns the area of an entry in the window; `None` if it is scrolled out.
    pub(crate) fn entry_area(&self, size: Size, entry: usize) -> Option<Area> {
        let Point { x: left, y: top } = Menu::list_corner(size);
        let y = top + entry as f64 * STEP - self.scroll.min(self.max_scroll(size)).round();
        if entry >= self.entries.len() || y + HEIGHT <= top || y >= size.height {
            return None;
        }
        // Without room for the help, the window has the list alone.
        let right = Help::beside_menu(size, self.has_fingers).map_or(size.width, |help| help.area.corner.x);
        let width = (right - 2.0 * left).clamp(if is_narrow(size) { 0.0 } else { 360.0 }, 900.0);
        Some(Area { corner: Point { x: left, y }, width, height: HEIGHT })
    }

    /// Returns the area of an entry's picture in the window. All pictures have the same size.
    pub(crate) fn picture_area(&self, size: Size, entry: usize) -> Option<Area> {
        let Area { corner, width, height } = self.entry_area(size, entry)?;
        let corner = Point { x: corner.x + MARGIN, y: corner.y + MARGIN };
        Some(Area { corner, width: (width * 0.55).floor(), height: height - 2.0 * MARGIN })
    }

    /// Returns the button that forgets the file of an entry, if the player has saved it.
    pub(crate) fn forget_button_area(&self, size: Size, entry: usize) -> Option<Area> {
        let Area { corner, width, height } = self.entry_area(size, entry)?;
        let corner = Point { x: corner.x + width - FORGET.0 - MARGIN, y: corner.y + height - FORGET.1 - MARGIN };
        self.entries[entry].can_forget.then_some(Area { corner, width: FORGET.0, height: FORGET.1 })
    }

    /// Handles the controls of a frame. Returns what the player does with an entry.
    pub(crate) fn handle_controls(&mut self, controls: &Controls, size: Size) -> Option<Pick> {
        let last = self.entries.len().checked_sub(1)?;
        let mut pick: Option<PickFile> = None;
        let before = self.chosen;
        for action in &controls.actions {
            match action {
                Action::Previous => self.chosen = self.chosen.checked_sub(1).unwrap_or(last),
                Action::Next => self.chosen = if self.chosen == last { 0 } else { self.chosen + 1 },
                Action::Choose | Action::PlayOn => pick = Some(Pick::Open),
                Action::Forget if self.entries[self.chosen].can_forget => pick = Some(Pick::Forget),
                _ => {}
            }
        }
        if controls.pointer.wheel > 0.0 {
            self.chosen = self.chosen.saturating_sub(1);
        } else if controls.pointer.wheel < 0.0 {
            self.chosen = last.min(self.chosen + 1);
        }
        if self.chosen != before || pick.is_some() {
            self.scroll_to_selected(size);
        }
        if let Some((entry, own)) = self.scroll_and_find_tapped_entry(controls, size) {
            (self.chosen, pick) = (entry, Some(own));
        }
        pick.map(|pick| pick(self.entries[self.chosen].file.clone()))
    }

    /// Scrolls by the mouse or a finger. Returns the entry on which a tap has ended in this frame, and what the tap
    /// does.
    fn scroll_and_find_tapped_entry(&mut self, controls: &Controls, size: Size) -> Option<(usize, PickFile)> {
        let pointer = &controls.pointer;
        self.scroll = self.scroll.min(self.max_scroll(size));
        if pointer.left.pressed {
            self.drag = Some(Drag { from: pointer.at, scroll: self.scroll, is_moved: false });
        }
        let most = self.max_scroll(size);
        let drag = self.drag.as_mut()?;
        let (across, down) = (pointer.at.x - drag.from.x, pointer.at.y - drag.from.y);
        drag.is_moved |= across.abs().max(down.abs()) > TAP;
        if drag.is_moved {
            self.scroll = (drag.scroll - down).clamp(0.0, most);
        }
        if pointer.left.down {
            return None;
        }
        let at = self.drag.take().filter(|drag| !drag.is_moved)?.from;
        let is_in =
            |area: Option<Area>| at.y >= Menu::list_corner(size).y && area.is_some_and(|area| area.contains(at));
        let entry = (0..self.entries.len()).find(|&entry| is_in(self.entry_area(size, entry)))?;
        Some((entry, if is_in(self.forget_button_area(size, entry)) { Pick::Forget } else { Pick::Open }))
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
            can_forget: name == "e",
        };
        Menu::new(["a", "b", "c", "d", "e"].map(entry).into())
    }

    fn controls_with_actions(actions: &[Action]) -> Controls {
        Controls { actions: actions.to_vec(), ..Controls::default() }
    }

    /// Presses at the first point, moves to the others, and releases at the last. Nothing is picked before.
    fn drag(menu: &mut Menu, way: &[Point]) -> Option<Pick> {
        let mut frame = |at: Point, pressed, down| {
            let pointer = Pointer { at, left: Button { pressed, down }, ..Pointer::default() };
            menu.handle_controls(&Controls { pointer, ..Controls::default() }, SIZE)
        };
        for (i, at) in way.iter().enumerate() {
            assert_eq!(frame(*at, i == 0, true), None);
        }
        frame(*way.last().unwrap(), false, false)
    }

    #[test]
    fn a_drag_scrolls_and_a_tap_opens() {
        let mut menu = menu();
        let at = |y: f64| Point { x: 100.0, y };
        let top = |menu: &Menu, entry: usize| menu.entry_area(SIZE, entry).map(|area| area.corner.y);
        assert_eq!((top(&menu, 0), top(&menu, 3)), (Some(TOP), Some(TOP + 3.0 * STEP)));
        // A finger that trembles by a few pixels still taps.
        assert_eq!(drag(&mut menu.clone(), &[at(200.0), at(203.0), at(198.0)]), Some(Pick::Open("a".into())));
        assert_eq!(drag(&mut menu, &[at(400.0), at(350.0), at(300.0)]), None);
        assert_eq!(top(&menu, 1), Some(TOP + STEP - 100.0), "the list follows the finger");
        // A drag that comes back to its start is not a tap.
        assert_eq!(drag(&mut menu, &[at(400.0), at(300.0), at(400.0)]), None);
        assert_eq!(top(&menu, 1), Some(TOP + STEP - 100.0));
        // The list stops at its ends.
        assert_eq!(drag(&mut menu, &[at(600.0), at(-9000.0)]), None);
        assert_eq!(top(&menu, 4), Some(SIZE.height - STEP));
        assert_eq!(drag(&mut menu, &[at(200.0), at(9000.0)]), None);
        assert_eq!(top(&menu, 0), Some(TOP));
        // An entry that is scrolled under the title cannot be tapped there.
        assert_eq!(drag(&mut menu, &[at(400.0), at(350.0), at(300.0)]), None);
        assert_eq!(drag(&mut menu, &[at(TOP - 5.0)]), None);
    }

    #[test]
    fn only_saved_files_are_forgotten() {
        let mut menu = menu();
        assert_eq!(menu.handle_controls(&controls_with_actions(&[Action::Forget]), SIZE), None);
        assert_eq!(
            menu.handle_controls(&controls_with_actions(&[Action::Previous, Action::Forget]), SIZE),
            Some(Pick::Forget("e".into()))
        );
        assert_eq!(menu.forget_button_area(SIZE, 3), None);
        let Area { corner, width, height } = menu.forget_button_area(SIZE, 4).unwrap();
        let middle = Point { x: corner.x + width / 2.0, y: corner.y + height / 2.0 };
        assert_eq!(drag(&mut menu, &[middle]), Some(Pick::Forget("e".into())));
        menu.remove(Path::new("e"));
        assert_eq!((menu.entries().len(), menu.selected_index()), (4, 3));
    }

    #[test]
    fn keys_select_entries_in_a_circle_and_open_them() {
        let mut menu = menu();
        assert_eq!(menu.handle_controls(&controls_with_actions(&[Action::Previous]), SIZE), None);
        assert_eq!(menu.selected_index(), 4);
        assert_eq!(menu.handle_controls(&controls_with_actions(&[Action::Next, Action::Next]), SIZE), None);
        assert_eq!(
            menu.handle_controls(&controls_with_actions(&[Action::Choose]), SIZE),
            Some(Pick::Open(PathBuf::from("b")))
        );
        assert_eq!(
            Menu::default().handle_controls(&controls_with_actions(&[Action::Next, Action::Choose]), SIZE),
            None
        );
    }

    #[test]
    fn the_wheel_moves_the_selection_and_stops_at_the_ends() {
        let mut menu = menu();
        for (wheel, chosen) in [(1.0, 0), (-1.0, 1), (-0.5, 2), (-1.0, 3), (-1.0, 4), (-1.0, 4), (2.0, 3)] {
            let pointer = Pointer { wheel, ..Pointer::default() };
            assert_eq!(menu.handle_controls(&Controls { pointer, ..Controls::default() }, SIZE), None);
            assert_eq!(menu.selected_index(), chosen);
        }
    }

    #[test]
    fn the_selected_entry_is_always_visible_and_can_be_clicked() {
        let mut menu = menu();
        for _ in 0..5 {
            let chosen = menu.selected_index();
            let area = menu.entry_area(SIZE, chosen).unwrap();
            assert!(area.corner.y + area.height <= SIZE.height);
            let Area { corner, width, height } = menu.picture_area(SIZE, chosen).unwrap();
            assert!(area.contains(corner) && area.contains(Point { x: corner.x + width, y: corner.y + height }));
            let at = Point { x: area.corner.x + 5.0, y: area.corner.y + 5.0 };
            let file = menu.entries()[chosen].file.clone();
            assert_eq!(drag(&mut menu.clone(), &[at]), Some(Pick::Open(file)));
            menu.handle_controls(&controls_with_actions(&[Action::Next]), SIZE);
        }
        // On a phone, the list is as wide as the window.
        let phone = Size { width: 360.0, height: 640.0 };
        let Area { corner, width, .. } = menu.entry_area(phone, menu.selected_index()).unwrap();
        assert!(corner.x > 0.0 && corner.x + width < phone.width && width > 300.0);
        // The window fits three entries: of five, the last three are visible if the last is selected.
        menu.handle_controls(&controls_with_actions(&[Action::Previous]), SIZE);
        let shown: Vec<_> = (0..5).filter(|&i| menu.entry_area(SIZE, i).is_some()).collect();
        assert_eq!(shown, [2, 3, 4]);
    }
}

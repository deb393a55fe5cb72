//! The files that a player saves, and the links that a player copies.

use crate::error::PlayError;
use crate::files::file_stem_without_number;
use crate::game::Game;
use crate::session::Session;
use crate::storage::{HAS_SYSTEM, REPLAY_ENDING, check_size, free_name_in};
use std::path::Path;
use surefoot::io::MapLoadError;
use surefoot_import::Options;
use surefoot_link::Link;

/// File in memory that keeps the current run.
const AUTOSAVE: &str = "autosave.replay.ron";

impl Game {
    /// Opens a text under a file name, or under the nearest one that [`Link::allowed_name`] returns: such a file has no
    /// folder and ends in `.ron`. If the text can be opened, keeps it as [`Game::add_files`] does.
    ///
    /// # Errors
    /// Returns [`PlayError`] if the text is not a valid map, replay or run, or if it is larger than
    /// [`MAX_FILE_SIZE`](surefoot::io::MAX_FILE_SIZE). The game then shows what it showed before, and an existing
    /// file of this name stays. If only the file cannot be written, the text is open all the same.
    pub fn open_text(&mut self, name: &str, text: &str) -> Result<(), PlayError> {
        let name = Link::allowed_name(name);
        let name = name.as_str();
        check_size(Path::new(name), text).map_err(MapLoadError::from)?;
        self.show_text(name, text)?;
        self.add_files(&[(name, text)])
    }

    /// Adds files, given as names and texts, to the storage and the menu of the game. Replaces files of these names.
    /// Does not open the files. A replay may come before the map that it names.
    ///
    /// # Errors
    /// Returns [`PlayError::Write`] if the storage is a disk that refuses a file.
    pub fn add_files<Text: AsRef<str>>(&mut self, files: &[(Text, Text)]) -> Result<(), PlayError> {
        for (name, text) in files {
            self.files.storage.write(Path::new(name.as_ref()), text.as_ref())?;
        }
        // Only now: a replay has an entry once its map is there.
        for (name, _) in files {
            self.try_add_to_menu(Path::new(name.as_ref()));
        }
        Ok(())
    }

    /// Returns names and texts of the files that were written into memory since the last call. A game on a disk has
    /// none.
    pub fn take_written(&mut self) -> Vec<(String, String)> {
        let written = self.files.storage.take_written().into_iter();
        written.map(|(path, text)| (path.to_string_lossy().into_owned(), text)).collect()
    }

    /// Returns the link that the player has asked for since the last call: the part of an address from `#` on.
    pub fn take_link(&mut self) -> Option<String> {
        self.files.link.take()
    }

    /// Returns the name of the saved file that the player has asked to forget since the last call. The game still has
    /// it until [`Game::forget_file`], so that a page can ask first.
    pub fn take_file_to_forget(&mut self) -> Option<String> {
        self.files.to_forget.take().map(|file| file.to_string_lossy().into_owned())
    }

    /// Removes a file that the player has saved in memory, also from the menu. If the program has a file of this name,
    /// that file shows again.
    pub fn forget_file(&mut self, name: &str) {
        let file = Path::new(name);
        if self.files.storage.can_forget(file) {
            self.files.storage.forget(file);
            if !self.try_add_to_menu(file) {
                self.menu.remove(file);
            }
        }
    }

    /// Keeps the run of a game in memory as `autosave.replay.ron`, at most once in 10 seconds. Call it in each frame.
    pub fn autosave(&mut self) {
        let Some(open) = &mut self.open else { return };
        if open.autosave_run_if_due(&mut *self.files.storage, Path::new(AUTOSAVE)) {
            self.try_add_to_menu(Path::new(AUTOSAVE));
        }
    }

    /// Adds a file to the menu, or replaces its entry. Returns whether the file has an entry.
    fn try_add_to_menu(&mut self, file: &Path) -> bool {
        let is_listed = self.files.storage.menu_files().iter().any(|listed| listed == file);
        let Some(entry) = is_listed.then(|| self.files.create_menu_entry(file)).flatten() else { return false };
        self.menu.add(entry);
        true
    }

    pub(crate) fn save_replay(&mut self) {
        let Some(open) = &mut self.open else { return };
        let storage = &mut *self.files.storage;
        if open.session.has_rules() {
            let stem = open.session.file().and_then(file_stem_without_number).unwrap_or_default();
            let folder = self.files.saves.as_deref().unwrap_or(Path::new(""));
            let file = free_name_in(storage, folder, &stem, Link::RUN_ENDING);
            let saved = open.session.save_run_to(storage, &file);
            if self.ok_or_show_error(saved).is_some() {
                self.set_notice(Some((format!("the run is saved: {}", file.display()), false)));
                self.try_add_to_menu(&file);
                self.files.saved = Some(file);
            }
            return;
        }
        let file = open.new_file(storage, self.files.saves.as_deref(), REPLAY_ENDING, Session::new_replay_file_in);
        let saved = open.session.save_replay_to(storage, &file);
        if let Some(saved) = self.ok_or_show_error(saved) {
            self.set_notice(Some((format!("the run is saved: {}", saved.path.display()), false)));
            if let Some(open) = &mut self.open {
                // A run that was just played has a character, so this does not fail.
                let _ = open.session.set_ghost(saved.replay);
            }
            self.try_add_to_menu(&saved.path);
            self.files.saved = Some(saved.path);
        }
    }

    pub(crate) fn copy_link(&mut self) {
        let Some(open) = &mut self.open else { return };
        let link = open.session.create_link(&*self.files.storage);
        if let Some(link) = self.ok_or_show_error(link) {
            let link = link.to_string();
            // In a browser, the page itself reports whether the link was copied.
            let place =
                if HAS_SYSTEM { "copied, for the page of the play window" } else { "in the address of this page" };
            let words = format!("a link to the run is {place}: {} characters", link.len());
            self.set_notice(Some((words, false)));
            self.files.link = Some(link);
        }
    }

    pub(crate) fn save_map(&mut self) {
        let Some(open) = &mut self.open else { return };
        let storage = &mut *self.files.storage;
        let file = open.new_file(storage, self.files.saves.as_deref(), ".ron", Session::new_map_file_in);
        let saved = open.session.save_map_to(storage, &file);
        if self.ok_or_show_error(saved).is_some() {
            let mut notice = (format!("the map is saved: {}", file.display()), false);
            if let Some(open) = &mut self.open {
                open.mark_saved_as(&file, &*self.files.storage);
                if self.files.watches {
                    // `names` is a file that translates the tiles of Tiled or LDtk. The saved map is not a level of an
                    // editor, so it needs none.
                    let options = Options { names: None, ..self.files.import.clone() };
                    match open.watch_file_if_map_played(&file, &options) {
                        Ok(true) => notice.0 += "; the window watches it from now on",
                        Ok(false) => {}
                        Err(error) => notice = (error.to_string(), true),
                    }
                }
            }
            self.set_notice(Some(notice));
            self.try_add_to_menu(&file);
            self.files.saved = Some(file);
        }
    }
}

//! The game without its window: takes the controls of each frame and updates the state to draw.

use crate::building::Tools;
use crate::camera::Size;
use crate::controls::{Action, Controls, Pointer};
use crate::edits::Edits;
use crate::error::{PlayError, describe_file_error};
use crate::level::is_editor_file;
use crate::menu::{Entry, Menu, Pick};
use crate::open::Open;
use crate::paint::{Help, Notes};
use crate::palette::Strip;
use crate::panel::Panel;
use crate::session::{Held, Rules, Session, Throwable};
use crate::sound::Sound;
use crate::storage::{Disk, Memory, REPLAY_ENDING, Storage, is_replay_file, is_run_file};
use crate::stroke::Stroke;
use crate::watch_bar::WatchBar;
use std::error::Error;
use std::ffi::OsStr;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::geometry::DVec2;
use surefoot::io::MapLoadError;
use surefoot::map::Map;
use surefoot_draw::{Art, Color, Palette};
use surefoot_import::Options;
use surefoot_link::{Link, LinkError};

/// Optional displays; a key switches each of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shows {
    /// Exposed edges with their normals.
    pub normals: bool,
    /// Contacts and the motion of the last tick.
    pub contacts: bool,
    /// The tiles that the last tick's motion swept over.
    pub swept: bool,
    /// Cells and things that the hero can reach in the level with its edits.
    pub reach: bool,
    /// The ghost of the saved run.
    pub ghost: bool,
    /// The help.
    pub help: bool,
    /// Parts of an editor's level that the import left out.
    pub notes: bool,
    /// The panel of the character's parameters.
    pub tune: bool,
    /// The tile strip for building.
    pub build: bool,
}

/// A message to the player.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Notice {
    pub(crate) text: String,
    bad: bool,
    left: f64,
}

impl Notice {
    /// Returns the colour of the message; errors have a warning colour.
    pub(crate) fn color(&self, palette: &Palette) -> Color {
        if self.bad { palette.wall } else { palette.text }
    }
}

/// Starts a game with rules of its own on the map in a file.
pub type StartRules = fn(&Path) -> Result<Box<dyn Rules>, Box<dyn Error>>;

/// The files of the game, and how they are opened and saved.
pub(crate) struct GameFiles {
    /// Where the files are.
    pub(crate) storage: Box<dyn Storage>,
    /// The games with rules of their own, each with the file of its map and its title.
    games: Vec<(PathBuf, String, StartRules)>,
    /// How levels of editors are read.
    pub(crate) import: Options,
    /// Whether the files of opened levels are watched.
    pub(crate) watches: bool,
    /// Folder for saved runs and maps. `None`: the session chooses a folder.
    pub(crate) saves: Option<PathBuf>,
    /// The last saved file.
    pub(crate) saved: Option<PathBuf>,
    /// The link that the player wants to copy.
    pub(crate) link: Option<String>,
    /// The saved file that the player wants to forget.
    pub(crate) to_forget: Option<PathBuf>,
}

impl GameFiles {
    fn new(storage: Box<dyn Storage>, saves: Option<PathBuf>) -> GameFiles {
        GameFiles {
            storage,
            games: Vec::new(),
            import: Options::default(),
            watches: false,
            saves,
            saved: None,
            link: None,
            to_forget: None,
        }
    }

    /// Loads a map, or the map of a replay.
    pub(crate) fn load_map(&self, file: &Path) -> Result<Arc<Map>, PlayError> {
        if is_replay_file(file) {
            return Ok(self.storage.load_replay(file)?.map().clone());
        }
        if is_run_file(file)
            && let Some((map, ..)) = self.games.first()
        {
            return Ok(Arc::new(self.storage.load_level(map, &self.import)?.map));
        }
        Ok(Arc::new(self.storage.load_level(file, &self.import)?.map))
    }

    /// Returns the entry of a file in the menu. Returns `None` for a file that cannot be read, but not for a level of
    /// an editor, which the player can mend in the editor, and not for a saved file, which the player can forget.
    pub(crate) fn create_menu_entry(&self, file: &Path) -> Option<Entry> {
        let note = match self.load_map(file) {
            Ok(_) if is_run_file(file) => "a run of a game".to_owned(),
            Ok(map) if is_replay_file(file) => format!("a run on {} x {} tiles", map.size().0, map.size().1),
            Ok(map) => format!("{} x {} tiles", map.size().0, map.size().1),
            Err(_) if is_editor_file(file) || self.storage.can_forget(file) => {
                "cannot be read: choose it to see why".to_owned()
            }
            Err(_) => return None,
        };
        let name = file.file_name()?.to_string_lossy();
        let stem = name
            .strip_suffix(REPLAY_ENDING)
            .or(name.strip_suffix(Link::RUN_ENDING))
            .map_or_else(|| file.file_stem(), |stem| Some(OsStr::new(stem)))?;
        let title = stem.to_string_lossy().replace('_', " ");
        Some(Entry { file: file.to_owned(), title, note, can_forget: self.storage.can_forget(file) })
    }

    /// Returns the session that plays the run of a game with rules of its own by these rules, and the title of the
    /// game.
    fn start_watching_run(&self, path: &Path, text: &str) -> Result<(Session, String), PlayError> {
        let mut reason = "there is no game here that plays this run".to_owned();
        for (map, title, start) in &self.games {
            match start(map).and_then(|rules| Session::watch_rules(rules, map.clone(), text)) {
                Ok(session) => return Ok((session, title.clone())),
                Err(error) => reason = error.to_string(),
            }
        }
        Err(PlayError::Run { path: path.to_owned(), reason })
    }
}

/// A game: the menu, or an open map or replay.
pub struct Game {
    pub(crate) menu: Menu,
    pub(crate) open: Option<Open>,
    pub(crate) shows: Shows,
    pub(crate) notice: Option<Notice>,
    pub(crate) pointer: Pointer,
    pub(crate) size: Size,
    /// Mean duration of a frame in seconds; recent frames count more.
    pub(crate) frame_seconds: f64,
    scale: f64,
    pub(crate) tools: Tools,
    /// The files, and how they are opened and saved.
    pub(crate) files: GameFiles,
    /// The run that the menu shows, if one of its maps has a replay beside it.
    pub(crate) demo: Option<Open>,
    /// Whether the jump key has chosen a map and is still held. Then it does not count as a jump.
    jump_chose: bool,
    /// Tick at which the rewind in progress began.
    rewound_from: Option<u64>,
    /// The keys held in the last frame.
    held: Held,
}

/// Verdict on a file with an error.
const CANNOT_OPEN: &str = "cannot be opened";

/// Duration of a notice in seconds.
const NOTICE_SECONDS: f64 = 5.0;

/// Maximum speed of a throw in tiles per second, and limits of its flight time in seconds.
const MAX_THROW_SPEED: f64 = 40.0;
const FLIGHT_SECONDS: (f64, f64) = (0.2, 0.9);

/// Speed of a throw to a nearby point, in tiles per second.
const THROW_SPEED: f64 = 16.0;

/// Pixels per tile of the run behind the menu.
const DEMO_SCALE: f64 = 40.0;

/// Time by which a key to walk seeks in a watched run, in seconds.
const SEEK_SECONDS: f64 = 5.0;

/// Weight of one frame in the mean frame time.
const FRAME_WEIGHT: f64 = 0.05;

impl Game {
    /// Creates a game with a menu of maps. Leaves out maps that cannot be loaded, but no levels of editors. Saves runs
    /// and maps to `saves`, or else where [`Session::new_replay_file`] says.
    #[must_use]
    pub fn new(files: &[PathBuf], saves: Option<PathBuf>) -> Game {
        Game::with_storage(Box::new(Disk { listed: files.to_vec() }), saves)
    }

    /// Creates a game whose files are texts under names, for a window without a disk. The menu shows the maps, and the
    /// replays that are not the recorded run of one of these maps. [`Game::take_written`] returns what the player
    /// saves.
    #[must_use]
    pub fn in_memory(texts: impl IntoIterator<Item = (String, String)>) -> Game {
        Game::with_storage(Box::new(Memory::new(texts)), None)
    }

    fn with_storage(storage: Box<dyn Storage>, saves: Option<PathBuf>) -> Game {
        let files = GameFiles::new(storage, saves);
        let listed = files.storage.menu_files();
        let demo = listed.iter().find_map(|file| {
            let file = file.with_extension("replay.ron");
            let session = Session::watch(files.storage.load_replay(&file).ok()?, file).ok()?;
            Some(Open::new(session, &*files.storage, DEMO_SCALE, Size { width: 1280.0, height: 800.0 }))
        });
        Game {
            menu: Menu::new(listed.iter().filter_map(|file| files.create_menu_entry(file)).collect()),
            open: None,
            shows: Shows::default(),
            notice: None,
            pointer: Pointer::default(),
            size: Size { width: 1280.0, height: 800.0 },
            frame_seconds: 1.0 / 60.0,
            scale: 40.0,
            tools: Tools::default(),
            files,
            demo,
            jump_chose: false,
            rewound_from: None,
            held: Held::default(),
        }
    }

    /// Adds a game with rules of its own to the top of the menu. From then on, [`Game::open`] starts the game for its
    /// map.
    pub fn add_rules(&mut self, title: &str, note: &str, map: &Path, start: StartRules) {
        let entry = Entry { file: map.to_owned(), title: title.to_owned(), note: note.to_owned(), can_forget: false };
        self.menu.move_or_add_to_front(entry);
        self.files.games.push((map.to_owned(), title.to_owned(), start));
    }

    /// Returns the picture of the tiles of the open map, for [`Vertex::picture`](crate::Vertex::picture).
    #[must_use]
    pub fn art(&self) -> Option<&Arc<Art>> {
        self.open.as_ref()?.art.as_ref()
    }

    /// Sets how levels of editors are read from now on.
    pub fn set_import_options(&mut self, options: Options) {
        self.files.import = options;
    }

    /// Watches the files of levels that are opened from now on: what an editor saves shows at once. Once the map is
    /// saved, the saved file is watched.
    pub fn watch_files(&mut self) {
        self.files.watches = true;
    }

    /// Shows the error of a file that cannot be opened, until another message comes.
    pub fn show_error(&mut self, error: &dyn Display) {
        self.notice = Some(Notice { text: describe_file_error(error, CANNOT_OPEN), bad: true, left: f64::INFINITY });
    }

    /// Shows the error of a link that cannot be opened, until another message comes.
    pub fn show_link_error(&mut self, error: &LinkError) {
        self.notice = Some(Notice { text: error.to_string(), bad: true, left: f64::INFINITY });
    }

    /// Returns the sounds since the last call.
    pub fn take_sounds(&mut self) -> Vec<Sound> {
        self.open.as_mut().map_or_else(Vec::new, |open| open.session.take_sounds())
    }

    /// Opens a map to play, or a replay to watch.
    ///
    /// # Errors
    /// Like [`Session::open`]. On an error, the current map or replay stays open.
    pub fn open(&mut self, file: &Path) -> Result<(), PlayError> {
        let storage = &*self.files.storage;
        if is_run_file(file) {
            let text = storage.load_text(file).map_err(MapLoadError::from)?;
            return self.open_run(file, &text);
        }
        let game = self.files.games.iter().find(|(map, ..)| storage.is_same_file(map, file));
        let session = match game {
            Some((.., start)) => {
                let rules = start(file);
                let failed =
                    |error: Box<dyn Error>| PlayError::Rules { path: file.to_owned(), reason: error.to_string() };
                Session::with_rules(rules.map_err(failed)?, file.to_owned())
            }
            None => Session::open_from(storage, file, &self.files.import)?,
        };
        // A game with rules has a best run, so show its ghost from the beginning.
        self.shows.ghost |= session.has_rules();
        let title = game.map(|(_, title, _)| title.clone());
        self.show_session(session, title);
        if let (true, Some(open)) = (self.files.watches, &mut self.open)
            && let Err(error) = open.watch_file_if_map_played(file, &self.files.import)
        {
            self.set_notice(Some((error.to_string(), true)));
        }
        Ok(())
    }

    /// Opens the map, the replay or the run of a game in a link. A link without a text names a file of the game.
    ///
    /// # Errors
    /// Returns [`PlayError`] if the text is not a valid map, replay or run, or if the game has no file of that name.
    /// After an error, the game shows what it showed before.
    pub fn open_link(&mut self, link: &Link) -> Result<(), PlayError> {
        match link.text() {
            Some(text) => self.show_text(link.name(), text),
            None => self.open(Path::new(link.name())),
        }
    }

    /// Opens the map, the replay or the run of a game in a text. `name`: name of its file.
    pub(crate) fn show_text(&mut self, name: &str, text: &str) -> Result<(), PlayError> {
        if Link::is_run(name) {
            return self.open_run(Path::new(name), text);
        }
        let session = Session::open_text(&*self.files.storage, name, text)?;
        self.show_session(session, None);
        Ok(())
    }

    /// Opens the run of a game with rules of its own.
    fn open_run(&mut self, path: &Path, text: &str) -> Result<(), PlayError> {
        let (session, title) = self.files.start_watching_run(path, text)?;
        self.shows.ghost = false;
        self.show_session(session, Some(title));
        Ok(())
    }

    /// Tells the game that it runs on a touch screen: the help then explains touches instead of keys and the mouse.
    pub fn use_fingers(&mut self) {
        self.menu.has_fingers = true;
    }

    /// Returns whether the menu is shown.
    #[must_use]
    pub fn is_menu(&self) -> bool {
        self.open.is_none()
    }

    /// Returns whether a hero is steered and no panel is open, so that a finger on the screen is not a mouse.
    #[must_use]
    pub fn is_steered_by_thumbs(&self) -> bool {
        let Shows { build, tune, help, notes, .. } = self.shows;
        let is_steered = self.open.as_ref().is_some_and(|open| open.session.watched().is_none());
        is_steered && !(build || tune || help || notes)
    }

    /// Shows a session that has just begun.
    fn show_session(&mut self, session: Session, title: Option<String>) {
        self.shows.notes = !session.notes().is_empty();
        let mut open = Open::new(session, &*self.files.storage, self.scale, self.size);
        if let Some(title) = title {
            open.title = title;
        }
        // Place the camera now, because the window may paint the session before the first frame of the session.
        open.update_camera_and_pose(0.0, self.size);
        self.open = Some(open);
        (self.jump_chose, self.rewound_from, self.held) = (false, None, Held::default());
        self.tools.is_seeking = false;
        self.reset_build_tools();
        (self.shows.build, self.shows.tune, self.shows.help, self.shows.reach) = (false, false, false, false);
        self.set_notice(None);
    }

    /// Plays a frame of `seconds` in a window of that size.
    pub fn play_frame(&mut self, seconds: f64, controls: &Controls, size: Size) {
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, 1.0) } else { 0.0 };
        (self.size, self.pointer) = (size, controls.pointer);
        self.frame_seconds += (seconds - self.frame_seconds) * FRAME_WEIGHT;
        if let Some(notice) = &mut self.notice {
            notice.left -= seconds;
        }
        self.notice.take_if(|notice| notice.left <= 0.0);
        if self.open.is_none() {
            if let Some(demo) = &mut self.demo {
                demo.session.advance(seconds, Held::default());
                if demo.session.is_at_end() {
                    demo.session.restart();
                }
                demo.update_camera_and_pose(seconds, size);
            }
            match self.menu.handle_controls(controls, size) {
                Some(Pick::Open(file)) => match self.open(&file) {
                    Ok(()) => self.jump_chose = controls.held.jump,
                    Err(error) => self.show_error(&error),
                },
                Some(Pick::Forget(file)) => self.files.to_forget = Some(file),
                None => {}
            }
            return;
        }
        let storage = &*self.files.storage;
        if let Some(has_changed) = self.open.as_mut().and_then(|open| open.apply_file_changes(storage)) {
            if has_changed {
                self.reset_build_tools();
            }
            // While the file is wrong, no message may claim that a new level is loaded.
            let is_new = has_changed && self.open.as_ref().is_some_and(|open| open.broken.is_none());
            let loaded = "the file has changed: the new level is loaded";
            self.set_notice(is_new.then(|| (loaded.to_owned(), false)));
        }
        self.jump_chose &= controls.held.jump;
        let is_typed = self.tools.name.is_being_typed();
        let held = Held { jump: controls.held.jump && !self.jump_chose, ..controls.held };
        let held = if is_typed { Held::default() } else { held };
        if is_typed {
            self.type_into_name(controls);
        } else {
            controls.actions.iter().for_each(|&action| self.handle_action(action, held));
        }
        self.seek_by_keys(held);
        self.handle_pointer(&controls.pointer);
        self.set_rewinding(controls.rewind && !is_typed);
        if let Some(open) = &mut self.open {
            open.session.advance(seconds, held);
            if self.shows.reach {
                open.explorer.take_answers_or_restart(&open.session);
            } else {
                open.explorer.clear();
            }
            let covered = if self.shows.build {
                size.height - Strip::new(open.session.world().map(), size, self.tools.group).area().corner.y
            } else {
                0.0
            };
            // Place the camera above the strip. But if the strip covers most of a small window, use the full height:
            // a hero behind the strip is better than one outside the window.
            let height = if covered < size.height / 2.0 { size.height - covered } else { size.height };
            open.update_camera_and_pose(seconds, Size { height, ..size });
        }
    }

    /// Rewinds or ends it. The end says how far time went back.
    fn set_rewinding(&mut self, rewinds: bool) {
        let Some(open) = &mut self.open else { return };
        open.session.set_rewinding(rewinds);
        let (tick, tick_seconds) = (open.session.world().tick(), open.session.world().settings().tick);
        if rewinds {
            self.rewound_from.get_or_insert(tick);
        } else if let Some(ticks) =
            self.rewound_from.take().map(|from| from.saturating_sub(tick)).filter(|ticks| *ticks > 0)
        {
            let seconds = ticks as f64 * tick_seconds;
            self.set_notice(Some((format!("went back {seconds:.1} s: time goes on from here"), false)));
        }
    }

    fn handle_action(&mut self, action: Action, held: Held) {
        let shows = &mut self.shows;
        match action {
            Action::Normals => shows.normals = !shows.normals,
            Action::Contacts => shows.contacts = !shows.contacts,
            Action::Swept => shows.swept = !shows.swept,
            Action::Help => shows.help = !shows.help,
            Action::Reach => self.toggle_reach_display(),
            Action::Ghost => self.toggle_ghost_display(),
            Action::Build => self.toggle_building(),
            Action::Tune => self.toggle_tuning(),
            Action::Back => self.close_panel_or_session(),
            Action::SaveReplay => self.save_replay(),
            Action::CopyLink => self.copy_link(),
            Action::SaveMap => self.save_map(),
            Action::Name => self.begin_typing_name(),
            Action::Undo => self.apply_undo_or_redo(Edits::take_undo_edits),
            Action::Redo => self.apply_undo_or_redo(Edits::take_redo_edits),
            Action::NextLayer => self.change_session_if_open(|session| {
                session.set_layer((session.layer() + 1) % session.world().map().layers().len());
            }),
            Action::Choose if self.is_watching() => self.change_session_if_open(Session::toggle_pause),
            Action::PlayOn if self.is_watching() => self.stop_watching(),
            Action::Previous | Action::Next | Action::Choose | Action::PlayOn | Action::Forget => {}
            Action::ZoomIn => self.zoom(1),
            Action::ZoomOut => self.zoom(-1),
            Action::Restart => {
                self.tools.stroke = None;
                self.change_session_if_open(Session::restart);
            }
            Action::Pause => self.change_session_if_open(Session::toggle_pause),
            Action::SlowMotion => self.change_session_if_open(Session::toggle_slow),
            Action::SingleTick => self.change_session_if_open(|session| {
                if !session.time().paused {
                    session.toggle_pause();
                }
                session.step_if_paused(held);
            }),
        }
    }

    fn is_watching(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.session.watched().is_some())
    }

    /// Ends watching a run: the player goes on from here.
    fn stop_watching(&mut self) {
        self.change_session_if_open(Session::stop_watching);
        self.tools.is_seeking = false;
        self.set_notice(Some(("you play on from here; R starts again".to_owned(), false)));
    }

    /// The keys to walk seek in a watched run.
    fn seek_by_keys(&mut self, held: Held) {
        let before = std::mem::replace(&mut self.held, held);
        let steps = i64::from(held.right && !before.right) - i64::from(held.left && !before.left);
        if steps != 0 && self.is_watching() {
            self.change_session_if_open(|session| {
                let ticks = (SEEK_SECONDS / session.world().settings().tick).round() as i64;
                session.seek(session.world().tick().saturating_add_signed(steps * ticks));
            });
        }
    }

    /// Handles the bar of a watched run. Returns whether the pointer is on the bar or seeks with it.
    fn try_handle_watch_bar(&mut self, pointer: &Pointer) -> bool {
        let Some(ticks) = self.open.as_ref().and_then(|open| open.session.watched()).map(|watched| watched.ticks)
        else {
            self.tools.is_seeking = false;
            return false;
        };
        let bar = WatchBar::new(self.size);
        self.tools.is_seeking &= pointer.left.down;
        if pointer.left.pressed {
            if bar.pause.contains(pointer.at) {
                self.change_session_if_open(Session::toggle_pause);
            } else if bar.play_on.contains(pointer.at) {
                self.stop_watching();
            } else {
                self.tools.is_seeking = bar.area.contains(pointer.at);
            }
        }
        if self.tools.is_seeking {
            self.change_session_if_open(|session| {
                session.seek((bar.part_of_run_at(pointer.at) * ticks as f64).round() as u64);
            });
        }
        self.tools.is_seeking || bar.area.contains(pointer.at)
    }

    fn change_session_if_open(&mut self, act: impl FnOnce(&mut Session)) {
        if let Some(open) = &mut self.open {
            act(&mut open.session);
        }
    }

    fn zoom(&mut self, steps: i32) {
        if let Some(open) = &mut self.open {
            open.camera.zoom(steps);
            self.scale = open.camera.scale();
        }
    }

    fn close_panel_or_session(&mut self) {
        let Shows { help, notes, tune, build, .. } = &mut self.shows;
        match [help, notes, tune, build].into_iter().find(|shown| **shown) {
            Some(shown) => *shown = false,
            None => self.open = None,
        }
    }

    /// Returns whether a map is played without rules of a game. Otherwise reports that `what` needs such a map.
    fn is_plain_map_or_report(&mut self, what: &str) -> bool {
        let Some(open) = &self.open else { return false };
        let instead = match (open.session.watched().is_some(), open.session.has_rules()) {
            (true, _) => "a replay",
            (_, true) => "a game with rules of its own",
            _ => return true,
        };
        self.set_notice(Some((format!("{what}: not in {instead}"), true)));
        false
    }

    fn toggle_building(&mut self) {
        if self.shows.build || self.is_plain_map_or_report("building") {
            self.shows.build = !self.shows.build;
        }
    }

    fn toggle_tuning(&mut self) {
        if self.shows.tune || self.is_plain_map_or_report("tuning") {
            self.shows.tune = !self.shows.tune;
        }
    }

    fn toggle_reach_display(&mut self) {
        if self.shows.reach || self.is_plain_map_or_report("the reach") {
            self.shows.reach = !self.shows.reach;
        }
    }

    fn toggle_ghost_display(&mut self) {
        let has_rules = self.open.as_ref().is_some_and(|open| open.session.has_rules());
        if !has_rules && !self.is_plain_map_or_report("ghost") {
            return;
        }
        let has_ghost = self.open.as_ref().is_some_and(|open| open.session.has_ghost());
        if !has_ghost && !self.try_load_ghost() {
            return;
        }
        self.shows.ghost = !self.shows.ghost || !has_ghost;
    }

    /// Loads the recorded run next to the map's file as the ghost.
    fn try_load_ghost(&mut self) -> bool {
        let Some(open) = &mut self.open else { return false };
        let beside = open.session.file().unwrap_or(Path::new("")).with_extension("replay.ron");
        let ghost = self.files.storage.load_replay(&beside).and_then(|replay| open.session.set_ghost(replay));
        match ghost {
            Ok(()) => true,
            Err(error) => {
                self.set_notice(Some((format!("no ghost; F5 saves a run to be one: {error}"), true)));
                false
            }
        }
    }

    fn handle_pointer(&mut self, pointer: &Pointer) {
        let help = Help::new(self.size, self.menu.has_fingers);
        let on_help = self.shows.help && help.area.contains(pointer.at);
        if on_help && pointer.left.pressed {
            self.shows.help = false;
            return;
        }
        let on_bar = self.try_handle_watch_bar(pointer);
        let Some(open) = &mut self.open else { return };
        self.tools.stroke.take_if(|stroke| !self.shows.build || !stroke.is_held(pointer));
        let mut covered = on_bar || on_help;
        covered |= self.shows.notes && Notes::new(open.session.notes(), self.size).area.contains(pointer.at);
        if self.shows.tune {
            let tuned = self.tools.panel.drag_sliders(pointer, self.size, &open.session.character());
            if let Some(character) = tuned {
                // Sliders stay in the valid range, so this does not fail.
                let _ = open.session.tune(character);
            }
            covered |= Panel::panel_area(self.size).contains(pointer.at);
        } else {
            self.tools.panel = Panel::default();
        }
        if covered {
            self.tools.stroke.iter_mut().for_each(Stroke::interrupt);
            return;
        }
        let view = open.view();
        if self.shows.build {
            self.handle_building_pointer(pointer, &view);
        } else {
            if pointer.wheel != 0.0 {
                self.zoom(pointer.wheel.signum() as i32);
            }
            for (button, thrown) in [(pointer.left, Throwable::Ball), (pointer.right, Throwable::Box)] {
                if button.pressed {
                    self.throw(thrown, view.position(pointer.at));
                }
            }
        }
    }

    /// Throws a body from the hero so that it passes through a point of the world.
    fn throw(&mut self, thrown: Throwable, aim: DVec2) {
        if !self.is_plain_map_or_report("throwing") {
            return;
        }
        let Some(open) = &mut self.open else { return };
        let world = open.session.world();
        let Some(hero) = open.session.hero().and_then(|hero| world.get(hero)) else { return };
        let (from, gravity) = (hero.position().to_dvec2(), world.settings().gravity);
        let way = aim - from;
        let seconds = (way.length() / THROW_SPEED).clamp(FLIGHT_SECONDS.0, FLIGHT_SECONDS.1);
        let velocity = (way / seconds - gravity * seconds / 2.0).clamp_length_max(MAX_THROW_SPEED);
        let result = open.session.throw(thrown, from, velocity);
        let _ = self.ok_or_show_error(result);
    }

    /// Shows a message, or removes the current one.
    pub(crate) fn set_notice(&mut self, what: Option<(String, bool)>) {
        self.notice = what.map(|(text, bad)| Notice { text, bad, left: NOTICE_SECONDS });
    }

    /// Shows the error of a result as a message.
    pub(crate) fn ok_or_show_error<T>(&mut self, result: Result<T, PlayError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.set_notice(Some((error.to_string(), true)));
                None
            }
        }
    }
}

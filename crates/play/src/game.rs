//! The game without its window: takes the controls of each frame and updates the state to draw.

use crate::camera::{Size, tile_at, world_point};
use crate::controls::{Action, Controls, Pointer};
use crate::edits::{Edit, Edits};
use crate::error::PlayError;
use crate::menu::{Entry, Menu};
use crate::open::Open;
use crate::paint::help_area;
use crate::palette::{self, Brush, Strip};
use crate::panel::Panel;
use crate::session::{Held, Rules, Session, Throwable};
use crate::sound::Sound;
use crate::stroke::Stroke;
use std::error::Error;
use std::path::{Path, PathBuf};
use surefoot::prelude::{Replay, VariantId};
use surefoot::{Map, geometry::DVec2};
use surefoot_draw::{Color, Palette, View};

/// Optional displays; a key switches each of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shows {
    /// Exposed edges with their normals.
    pub normals: bool,
    /// Contacts and the motion of the last tick.
    pub contacts: bool,
    /// The tiles that the last tick's motion swept over.
    pub swept: bool,
    /// The ghost of the saved run.
    pub ghost: bool,
    /// The help.
    pub help: bool,
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

/// A game: the menu, or an open map or replay.
pub struct Game {
    pub(crate) menu: Menu,
    pub(crate) open: Option<Open>,
    pub(crate) shows: Shows,
    pub(crate) brush: Brush,
    pub(crate) notice: Option<Notice>,
    pub(crate) pointer: Pointer,
    pub(crate) size: Size,
    /// Mean duration of a frame in seconds; recent frames count more.
    pub(crate) frame_seconds: f64,
    pub(crate) saved: Option<PathBuf>,
    panel: Panel,
    saves: Option<PathBuf>,
    scale: f64,
    /// The brush stroke in progress.
    stroke: Option<Stroke>,
    edits: Edits,
    /// Games with rules of their own, each with the file of its map.
    games: Vec<(PathBuf, StartRules)>,
    /// The run that the menu shows, if one of its maps has a replay beside it.
    pub(crate) demo: Option<Open>,
    /// Whether the jump key has chosen a map and is still held. Then it does not count as a jump.
    jump_chose: bool,
}

/// Duration of a notice in seconds.
const NOTICE_SECONDS: f64 = 5.0;

/// Maximum speed of a throw in tiles per second, and limits of its flight time in seconds.
const MAX_THROW_SPEED: f64 = 40.0;
const FLIGHT_SECONDS: (f64, f64) = (0.2, 0.9);

/// Speed of a throw to a nearby point, in tiles per second.
const THROW_SPEED: f64 = 16.0;

/// Pixels per tile of the run behind the menu.
const DEMO_SCALE: f64 = 40.0;

/// The brush of an opened map.
const FIRST_BRUSH: Brush = Brush::Variant(VariantId(0));

/// Weight of one frame in the mean frame time.
const FRAME_WEIGHT: f64 = 0.05;

impl Game {
    /// Creates a game with a menu of maps and replays. Leaves out files that cannot be loaded. Saves runs and maps to
    /// `saves`, or else where [`Session::new_replay_file`] says.
    #[must_use]
    pub fn new(files: &[PathBuf], saves: Option<PathBuf>) -> Game {
        let entries = files.iter().filter_map(|file| {
            let map = Map::load(file).ok()?;
            let (columns, rows) = map.size();
            let title = file.file_stem()?.to_string_lossy().replace('_', " ");
            Some(Entry { file: file.clone(), title, note: format!("{columns} x {rows} tiles") })
        });
        let demo = files.iter().find_map(|file| {
            let replay = file.with_extension("replay.ron");
            replay
                .exists()
                .then(|| Session::open(&replay).ok())
                .flatten()
                .map(|session| Open::new(session, DEMO_SCALE, Size { width: 1280.0, height: 800.0 }))
        });
        Game {
            menu: Menu::new(entries.collect()),
            open: None,
            shows: Shows::default(),
            brush: FIRST_BRUSH,
            notice: None,
            pointer: Pointer::default(),
            size: Size { width: 1280.0, height: 800.0 },
            frame_seconds: 1.0 / 60.0,
            saved: None,
            panel: Panel::default(),
            saves,
            scale: 40.0,
            stroke: None,
            edits: Edits::default(),
            games: Vec::new(),
            demo,
            jump_chose: false,
        }
    }

    /// Adds a game with rules of its own to the top of the menu. From then on, [`Game::open`] starts the game for its
    /// map.
    pub fn add_rules(&mut self, title: &str, note: &str, map: &Path, start: StartRules) {
        let entry = Entry { file: map.to_owned(), title: title.to_owned(), note: note.to_owned() };
        self.menu.add_first(entry);
        self.games.push((map.to_owned(), start));
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
        let session = match self.games.iter().find(|(map, _)| is_same_file(map, file)) {
            Some((_, start)) => {
                let rules = start(file);
                let failed =
                    |error: Box<dyn Error>| PlayError::Rules { path: file.to_owned(), reason: error.to_string() };
                Session::with_rules(rules.map_err(failed)?, file.to_owned())
            }
            None => Session::open(file)?,
        };
        // A game with rules has a best run, so show its ghost from the beginning.
        self.shows.ghost |= session.has_rules();
        self.open = Some(Open::new(session, self.scale, self.size));
        (self.stroke, self.jump_chose, self.edits) = (None, false, Edits::default());
        if !matches!(self.brush, Brush::Eraser | Brush::Variant(_)) {
            self.brush = FIRST_BRUSH;
        }
        (self.shows.build, self.shows.tune, self.shows.help) = (false, false, false);
        self.say(None);
        Ok(())
    }

    /// Plays a frame of `seconds` in a window of that size.
    pub fn frame(&mut self, seconds: f64, controls: &Controls, size: Size) {
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
                demo.update_picture(seconds, size);
            }
            if let Some(file) = self.menu.handle(controls, size) {
                let opened = self.open(&file);
                if self.tell_failure(opened).is_some() {
                    self.jump_chose = controls.held.jump;
                }
            }
            return;
        }
        self.jump_chose &= controls.held.jump;
        let held = Held { jump: controls.held.jump && !self.jump_chose, ..controls.held };
        for &action in &controls.actions {
            self.act(action, held);
        }
        self.handle_pointer(&controls.pointer);
        if let Some(open) = &mut self.open {
            open.session.set_rewinding(controls.rewind);
            open.session.advance(seconds, held);
            let covered = if self.shows.build {
                size.height - Strip::new(open.session.world().map(), size).area().corner.y
            } else {
                0.0
            };
            // Place the camera above the strip. But if the strip covers most of a small window, use the full height:
            // a hero behind the strip is better than one outside the window.
            let height = if covered < size.height / 2.0 { size.height - covered } else { size.height };
            open.update_picture(seconds, Size { height, ..size });
        }
    }

    fn act(&mut self, action: Action, held: Held) {
        let shows = &mut self.shows;
        match action {
            Action::Normals => shows.normals = !shows.normals,
            Action::Contacts => shows.contacts = !shows.contacts,
            Action::Swept => shows.swept = !shows.swept,
            Action::Help => shows.help = !shows.help,
            Action::Ghost => self.switch_ghost(),
            Action::Build => self.switch_build(),
            Action::Tune => self.switch_tune(),
            Action::Back => self.go_back(),
            Action::SaveReplay => self.save_replay(),
            Action::SaveMap => self.save_map(),
            Action::Undo => self.make_edits(Edits::undo),
            Action::Redo => self.make_edits(Edits::redo),
            Action::NextLayer => self.with_session(|session| {
                session.set_layer((session.layer() + 1) % session.world().map().layers().len());
            }),
            Action::Previous | Action::Next | Action::Choose => {}
            Action::ZoomIn => self.zoom(1),
            Action::ZoomOut => self.zoom(-1),
            Action::Restart => {
                self.stroke = None;
                self.with_session(Session::restart);
            }
            Action::Pause => self.with_session(Session::toggle_pause),
            Action::SlowMotion => self.with_session(Session::toggle_slow),
            Action::SingleTick => self.with_session(|session| {
                if !session.time().paused {
                    session.toggle_pause();
                }
                session.single_tick(held);
            }),
        }
    }

    fn with_session(&mut self, act: impl FnOnce(&mut Session)) {
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

    fn go_back(&mut self) {
        let Shows { help, tune, build, .. } = &mut self.shows;
        match [help, tune, build].into_iter().find(|shown| **shown) {
            Some(shown) => *shown = false,
            None => self.open = None,
        }
    }

    /// Returns whether a map is played without rules of a game. Otherwise reports that `what` needs such a map.
    fn is_played(&mut self, what: &str) -> bool {
        let Some(open) = &self.open else { return false };
        let instead = match (open.session.watched().is_some(), open.session.has_rules()) {
            (true, _) => "a replay",
            (_, true) => "a game with rules of its own",
            _ => return true,
        };
        self.say(Some((format!("{what}: not in {instead}"), true)));
        false
    }

    fn switch_build(&mut self) {
        if self.shows.build || self.is_played("building") {
            self.shows.build = !self.shows.build;
        }
    }

    fn switch_tune(&mut self) {
        if self.shows.tune || self.is_played("tuning") {
            self.shows.tune = !self.shows.tune;
        }
    }

    fn switch_ghost(&mut self) {
        let has_rules = self.open.as_ref().is_some_and(|open| open.session.has_rules());
        if !has_rules && !self.is_played("ghost") {
            return;
        }
        let has_ghost = self.open.as_ref().is_some_and(|open| open.session.has_ghost());
        if !has_ghost && !self.load_ghost() {
            return;
        }
        self.shows.ghost = !self.shows.ghost || !has_ghost;
    }

    /// Loads the recorded run next to the map's file as the ghost.
    fn load_ghost(&mut self) -> bool {
        let Some(open) = &mut self.open else { return false };
        let beside = open.session.file().unwrap_or(Path::new("")).with_extension("replay.ron");
        let ghost = Replay::load(&beside).map_err(PlayError::from).and_then(|replay| open.session.set_ghost(replay));
        match ghost {
            Ok(()) => true,
            Err(error) => {
                self.say(Some((format!("no ghost; F5 saves a run to be one: {error}"), true)));
                false
            }
        }
    }

    fn save_replay(&mut self) {
        let Some(open) = &mut self.open else { return };
        let file = open.new_file(self.saves.as_deref(), ".replay.ron", Session::new_replay_file);
        let saved = open.session.save_replay(&file);
        if let Some(saved) = self.tell_failure(saved) {
            self.say(Some((format!("the run is saved: {}", saved.path.display()), false)));
            if let Some(open) = &mut self.open {
                // A run that was just played has a character, so this does not fail.
                let _ = open.session.set_ghost(saved.replay);
            }
            self.saved = Some(saved.path);
        }
    }

    fn save_map(&mut self) {
        let Some(open) = &mut self.open else { return };
        let file = open.new_file(self.saves.as_deref(), ".ron", Session::new_map_file);
        let saved = open.session.save_map(&file);
        if self.tell_failure(saved).is_some() {
            self.say(Some((format!("the map is saved: {}", file.display()), false)));
            self.saved = Some(file);
        }
    }

    fn handle_pointer(&mut self, pointer: &Pointer) {
        let Some(open) = &mut self.open else { return };
        self.stroke.take_if(|stroke| !self.shows.build || !stroke.is_held(pointer));
        let mut covered = self.shows.help && help_area(self.size).contains(pointer.at);
        if self.shows.tune {
            let tuned = self.panel.handle(pointer, self.size, &open.session.character());
            if let Some(character) = tuned {
                // Sliders stay in the valid range, so this does not fail.
                let _ = open.session.tune(character);
            }
            covered |= Panel::area(self.size).contains(pointer.at);
        } else {
            self.panel = Panel::default();
        }
        if covered {
            self.stroke.iter_mut().for_each(Stroke::lift);
            return;
        }
        let view = open.view();
        if self.shows.build {
            self.build(pointer, &view);
        } else {
            if pointer.wheel != 0.0 {
                self.zoom(pointer.wheel.signum() as i32);
            }
            for (button, thrown) in [(pointer.left, Throwable::Ball), (pointer.right, Throwable::Box)] {
                if button.pressed {
                    self.throw(thrown, world_point(&view, pointer.at));
                }
            }
        }
    }

    fn build(&mut self, pointer: &Pointer, view: &View) {
        let Some(open) = &mut self.open else { return };
        let strip = Strip::new(open.session.world().map(), self.size);
        if pointer.wheel != 0.0 {
            self.brush = strip.beside(self.brush, -(pointer.wheel.signum() as i64));
        }
        if strip.area().contains(pointer.at) {
            if pointer.left.pressed {
                self.brush = strip.at(pointer.at).unwrap_or(self.brush);
                if let Some(layer) = strip.layer_at(pointer.at) {
                    open.session.set_layer(layer);
                }
            }
            self.stroke.iter_mut().for_each(Stroke::lift);
            return;
        }
        if let Some(stroke) = Stroke::begin(pointer, self.brush) {
            self.stroke = Some(stroke);
            self.edits.begin();
        }
        let Some(stroke) = &mut self.stroke else { return };
        let mut failed = None;
        for tile in stroke.reach(tile_at(view, pointer.at)) {
            let edits = open.session.edits_at(tile, stroke.brush, stroke.removes);
            match edits.and_then(|edits| open.session.edit(&edits).map(|()| edits)) {
                Ok(edits) => self.edits.add(edits),
                Err(error) => failed = Some(error),
            }
        }
        if let Some(error) = failed {
            self.say(Some((error.to_string(), true)));
        }
    }

    /// Makes the edits of an undone or redone stroke.
    fn make_edits(&mut self, edits: impl FnOnce(&mut Edits) -> Vec<Edit>) {
        self.stroke = None;
        let Some(open) = &mut self.open else { return };
        let made = open.session.edit(&edits(&mut self.edits));
        let _ = self.tell_failure(made);
    }

    /// Throws a body from the hero so that it passes through a point of the world.
    fn throw(&mut self, thrown: Throwable, aim: DVec2) {
        if !self.is_played("throwing") {
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
        let _ = self.tell_failure(result);
    }

    /// Shows a message, or removes the current one.
    pub(crate) fn say(&mut self, what: Option<(String, bool)>) {
        self.notice = what.map(|(text, bad)| Notice { text, bad, left: NOTICE_SECONDS });
    }

    fn tell_failure<T>(&mut self, result: Result<T, PlayError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.say(Some((error.to_string(), true)));
                None
            }
        }
    }

    /// Returns the name of the brush in the open map.
    pub(crate) fn brush_name(&self) -> String {
        let map = self.open.as_ref().map(|open| open.session.world().map());
        map.map_or_else(String::new, |map| palette::name(map, self.brush))
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |file: &Path| file.canonicalize().ok();
    one == other || (real(one).is_some() && real(one) == real(other))
}

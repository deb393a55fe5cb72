//! An open map or replay: its session and its camera.

use crate::camera::{Bounds, Camera, Size};
use crate::dust::Dust;
use crate::error::{PlayError, describe_file_error};
use crate::files::file_stem_without_number;
use crate::pose::{Axes, Pose, ground_below};
use crate::reach::Explorer;
use crate::session::Session;
use crate::storage::{HAS_SYSTEM, Storage, free_name_in};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::geometry::DVec2;
use surefoot::prelude::{BodyId, BodyState};
use surefoot_draw::scene::Actor;
use surefoot_draw::{Art, View};
use surefoot_import::{MapWatcher, Options, WatchError};

/// An open map or replay.
pub(crate) struct Open {
    pub(crate) session: Session,
    pub(crate) title: String,
    pub(crate) camera: Camera,
    /// How the followed body is drawn, if it is a character.
    pub(crate) actor: Actor,
    /// How the ghost is drawn.
    pub(crate) ghost: GhostPose,
    pub(crate) dust: Dust,
    /// Explores the level if its reach is shown.
    pub(crate) explorer: Explorer,
    /// Picture of the tiles, if the map names one.
    pub(crate) art: Option<Arc<Art>>,
    /// Watches the file of the level, if that is wanted.
    watcher: Option<MapWatcher>,
    /// The error of the file as it is now; the old level goes on.
    pub(crate) broken: Option<String>,
    /// Number of edits when the level was last read from its file or written to it.
    saved_edits: u64,
    /// The upper part of the window that nothing covers. The camera keeps its target there.
    stage: Size,
    /// The camera has not been placed yet.
    fresh: bool,
    /// Tick at which the run was kept last.
    kept_at: u64,
}

/// The pose of the ghost, which follows from its positions in the frames.
#[derive(Default)]
pub(crate) struct GhostPose {
    pub(crate) pose: Pose,
    /// Position in the last frame.
    last: Option<DVec2>,
}

/// Maximum speed of a ghost that walks along the ground, upwards or downwards, in tiles per second.
const MAX_CLIMB_SPEED: f64 = 0.5;
/// Distance in tiles that a ghost does not move in a frame: it was teleported.
const TELEPORT_TILES: f64 = 1.0;

impl GhostPose {
    /// Moves the pose for a frame of `seconds`.
    fn follow_position(&mut self, at: Option<DVec2>, seconds: f64) {
        let last = std::mem::replace(&mut self.last, at);
        let (Some(at), Some(last)) = (at, last) else { return };
        let moved = at - last;
        if seconds <= 0.0 || moved.length() > TELEPORT_TILES {
            return;
        }
        let DVec2 { x, y } = moved / seconds;
        self.pose.approach(Pose::of_motion((x, y), y.abs() < MAX_CLIMB_SPEED, at.x), x, seconds, 0.0);
    }
}

/// Verdict on a watched file with an error.
const NOT_LOADED: &str = "is not loaded, the level from before goes on";

/// Minimum number of ticks between two times that a run is kept: 10 seconds.
const MIN_KEEP_TICKS: u64 = 600;

impl Open {
    /// Shows a session in a window of that size. `scale`: pixels per tile.
    pub(crate) fn new(session: Session, storage: &dyn Storage, scale: f64, stage: Size) -> Open {
        let mut title = title_of_file(session.file().unwrap_or(Path::new("")));
        if !session.level_name().is_empty() {
            title = format!("{title}: {}", session.level_name());
        }
        let camera = Camera::new(DVec2::ZERO, scale);
        let (art, broken) = match load_art_of_session(&session, storage) {
            Ok(art) => (art, None),
            Err(error) => (None, Some(error)),
        };
        Open {
            session,
            title,
            camera,
            actor: Actor::default(),
            ghost: GhostPose::default(),
            dust: Dust::default(),
            explorer: Explorer::default(),
            art,
            watcher: None,
            broken,
            saved_edits: 0,
            stage,
            fresh: true,
            kept_at: 0,
        }
    }

    /// Keeps the run in a file every now and then. Repeating a run takes longer the longer it is, so longer runs are
    /// kept less often. Returns whether the file was written.
    pub(crate) fn autosave_run_if_due(&mut self, storage: &mut dyn Storage, file: &Path) -> bool {
        let tick = self.session.world().tick();
        // After a restart or a rewind, `kept_at` may be later than the current tick.
        self.kept_at = self.kept_at.min(tick);
        let is_due = tick - self.kept_at >= MIN_KEEP_TICKS.max(self.kept_at / 2);
        if !is_due || self.session.watched().is_some() || self.session.has_rules() {
            return false;
        }
        self.kept_at = tick;
        // Ignore errors: if the run cannot be a replay, the player sees the error when saving.
        self.session.save_replay_to(storage, file).is_ok()
    }

    /// Watches the file of a played map from now on. Returns whether a map is played.
    pub(crate) fn watch_file_if_map_played(&mut self, file: &Path, options: &Options) -> Result<bool, WatchError> {
        let is_played = HAS_SYSTEM && self.session.watched().is_none() && !self.session.has_rules();
        if is_played {
            let name = Some(self.session.level_name().to_owned()).filter(|name| !name.is_empty());
            let options = Options { level: name.or_else(|| options.level.clone()), ..options.clone() };
            self.watcher = Some(MapWatcher::new(file, options)?);
        }
        Ok(is_played)
    }

    /// Takes over what has changed in the file of the level. Returns whether the level has changed; `None` if the file
    /// has not.
    pub(crate) fn apply_file_changes(&mut self, storage: &dyn Storage) -> Option<bool> {
        let mut has_changed = None;
        while let Some(change) = self.watcher.as_mut().filter(|_| HAS_SYSTEM).and_then(MapWatcher::poll) {
            let had_edits = self.has_unsaved_edits();
            let taken = change.map_err(PlayError::from).and_then(|change| self.session.apply_map_change(&change));
            if taken.is_ok() && !had_edits {
                self.saved_edits = self.session.edit_count();
            }
            has_changed = Some(taken.is_ok() || has_changed == Some(true));
            self.broken = taken.err().map(|error| describe_file_error(&error, NOT_LOADED));
            if self.broken.is_none() {
                // While an art file is wrong, such as one that is written in part, the old pictures stay.
                match load_art_of_session(&self.session, storage) {
                    Ok(art) => self.art = art,
                    Err(error) => self.broken = Some(error),
                }
            }
        }
        has_changed
    }

    /// Makes a saved file the file of the level, with its title. Ends the error of the file from before; an error of
    /// the art file is shown instead, if there is one.
    pub(crate) fn mark_saved_as(&mut self, file: &Path, storage: &dyn Storage) {
        self.title = title_of_file(file);
        self.saved_edits = self.session.edit_count();
        self.broken = load_art_of_session(&self.session, storage).err();
    }

    /// Returns whether the level has edits that are in no file.
    pub(crate) fn has_unsaved_edits(&self) -> bool {
        self.session.edit_count() != self.saved_edits
    }

    /// Returns a new file in `folder`, or else in the session's default folder.
    pub(crate) fn new_file(
        &self,
        storage: &dyn Storage,
        folder: Option<&Path>,
        ending: &str,
        otherwise: fn(&Session, &dyn Storage) -> PathBuf,
    ) -> PathBuf {
        let stem = self.session.file().and_then(file_stem_without_number).unwrap_or_else(|| "map".to_owned());
        folder.map_or_else(|| otherwise(&self.session, storage), |folder| free_name_in(storage, folder, &stem, ending))
    }

    /// Returns the body that the camera follows: the hero; in a replay the first character, else the first body.
    pub(crate) fn followed_body(&self) -> Option<BodyId> {
        self.session.hero().or_else(|| self.session.world().bodies().next().map(|(id, _)| id))
    }

    /// Moves the camera, the hero's pose and its dust for a frame.
    pub(crate) fn update_camera_and_pose(&mut self, seconds: f64, stage: Size) {
        let jumps = std::mem::take(&mut self.fresh) || self.stage != stage;
        self.stage = stage;
        let world = self.session.world();
        let bounds = Bounds::of_map(world.map());
        let Some(body) = self.followed_body().and_then(|id| world.get(id)) else {
            self.camera.jump((bounds.low + bounds.high) / 2.0, bounds, stage);
            return;
        };
        let (at, velocity) = (body.position_at(self.session.fraction()).as_dvec2(), body.velocity());
        if jumps {
            self.camera.jump(at, bounds, stage);
        }
        self.camera.follow(at, velocity, seconds, bounds, stage);
        let seconds = if self.session.time().paused { 0.0 } else { seconds };
        if body.character().is_some() {
            let ground = self.followed_body().map_or((0.0, 0.0), |id| ground_below(world, id, at));
            self.actor.update(body, at, seconds, &mut self.dust);
            self.actor.pose = self.actor.pose.on_ground(ground);
            self.dust.advance(seconds);
        }
        let ghost = self.session.ghost_at(self.session.fraction());
        self.ghost.follow_position(ghost.map(|(_, at)| at), seconds);
    }

    /// Returns the bounds of the followed body as drawn, in the window: left, top, right, bottom.
    pub(crate) fn drawn_bounds(&self, hero: &BodyState) -> [f64; 4] {
        let (view, centre) = (self.view(), hero.position_at(self.session.fraction()).as_dvec2());
        if hero.character().is_none() {
            return crate::report::shape_bounds(&view, hero.shape(), centre);
        }
        let points =
            self.actor.pose.outline(hero.shape(), centre, Axes::of_body(hero)).into_iter().map(|at| view.point(at));
        let nothing = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        points.fold(nothing, |[left, top, right, bottom], at| {
            [left.min(at.x), top.min(at.y), right.max(at.x), bottom.max(at.y)]
        })
    }

    /// Returns the view of the window.
    pub(crate) fn view(&self) -> View {
        self.camera.view(self.stage)
    }
}

fn title_of_file(file: &Path) -> String {
    file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Returns the picture of the tiles, or the error of reading it.
fn load_art_of_session(session: &Session, storage: &dyn Storage) -> Result<Option<Arc<Art>>, String> {
    let art = storage.load_art(session.file().unwrap_or(Path::new("")), session.world().map());
    art.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;

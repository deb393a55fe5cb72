//! An open map or replay: its session and its camera.

use crate::camera::{Bounds, Camera, Size};
use crate::error::PlayError;
use crate::files::{file_stem_without_number, free_name};
use crate::session::Session;
use std::path::{Path, PathBuf};
use surefoot::prelude::BodyId;
use surefoot::{Map, geometry::DVec2};
use surefoot_draw::View;

/// An open map or replay.
pub(crate) struct Open {
    pub(crate) session: Session,
    pub(crate) title: String,
    pub(crate) camera: Camera,
    /// Gaze of the hero's eyes, from -1 (left) to 1 (right).
    pub(crate) gaze: f64,
    /// The upper part of the window that nothing covers. The camera keeps its target there.
    stage: Size,
    /// The camera has not been placed yet.
    fresh: bool,
}

/// Minimum speed at which the hero's eyes turn to its motion, in tiles per second, and their turn rate per second.
const MIN_GAZE_TILES_PER_SECOND: f64 = 0.5;
const GAZE_RATE_PER_SECOND: f64 = 12.0;

impl Open {
    /// Opens a file for a window of that size. `scale`: pixels per tile.
    pub(crate) fn new(file: &Path, scale: f64, stage: Size) -> Result<Open, PlayError> {
        let session = Session::open(file)?;
        let title = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let camera = Camera::new(DVec2::ZERO, scale);
        Ok(Open { session, title, camera, gaze: 1.0, stage, fresh: true })
    }

    /// Returns a new file in `folder`, or else in the session's default folder.
    pub(crate) fn new_file(&self, folder: Option<&Path>, ending: &str, otherwise: fn(&Session) -> PathBuf) -> PathBuf {
        let stem = self.session.file().and_then(file_stem_without_number).unwrap_or_else(|| "map".to_owned());
        folder.map_or_else(|| otherwise(&self.session), |folder| free_name(folder, &stem, ending))
    }

    /// Returns the body that the camera follows: the hero; in a replay the first character, else the first body.
    pub(crate) fn followed(&self) -> Option<BodyId> {
        self.session.hero().or_else(|| self.session.world().bodies().next().map(|(id, _)| id))
    }

    /// Moves the camera and the hero's eyes for a frame.
    pub(crate) fn update_camera_and_eyes(&mut self, seconds: f64, stage: Size) {
        let jumps = std::mem::take(&mut self.fresh) || self.stage != stage;
        self.stage = stage;
        let world = self.session.world();
        let bounds = bounds(world.map());
        let Some(body) = self.followed().and_then(|id| world.get(id)) else {
            self.camera.jump((bounds.low + bounds.high) / 2.0, bounds, stage);
            return;
        };
        let (at, velocity) = (body.position_at(self.session.fraction()).as_dvec2(), body.velocity());
        if jumps {
            self.camera.jump(at, bounds, stage);
        }
        self.camera.follow(at, velocity, seconds, bounds, stage);
        let wanted =
            if velocity.x.abs() > MIN_GAZE_TILES_PER_SECOND { velocity.x.signum() } else { self.gaze.signum() };
        self.gaze += (wanted - self.gaze) * (GAZE_RATE_PER_SECOND * seconds / (1.0 + GAZE_RATE_PER_SECOND * seconds));
    }

    /// Returns the view of the window.
    pub(crate) fn view(&self) -> View {
        self.camera.view(self.stage)
    }
}

/// Returns the bounds of a map.
fn bounds(map: &Map) -> Bounds {
    let ((x, y), (columns, rows)) = (map.origin(), map.size());
    let low = DVec2::new(x.into(), y.into());
    Bounds { low, high: low + DVec2::new(columns.into(), rows.into()) }
}

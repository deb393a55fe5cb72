//! A map or a replay that is open: its session, and the camera that looks at it.

use crate::camera::{Bounds, Camera, Size};
use crate::error::PlayError;
use crate::files::{free_name, stem};
use crate::session::Session;
use std::path::{Path, PathBuf};
use surefoot::prelude::BodyId;
use surefoot::{Map, geometry::DVec2};
use surefoot_draw::View;

/// What is open.
pub(crate) struct Open {
    pub(crate) session: Session,
    pub(crate) title: String,
    pub(crate) camera: Camera,
    /// Where the hero looks: -1 left to 1 right.
    pub(crate) gaze: f64,
    /// The part of the window, from its top, in which the camera keeps what it follows: what lies below is covered.
    stage: Size,
    /// The camera has not looked at it yet.
    fresh: bool,
}

/// The speed from which on the hero looks where it goes, in tiles per second, and the part of the way to there that its
/// eyes have gone in a second, as a rate.
const LOOKS_FROM: f64 = 0.5;
const TURN: f64 = 12.0;

impl Open {
    /// Opens a file, to be looked at in a window of that size with so many pixels to a tile.
    pub(crate) fn new(file: &Path, scale: f64, stage: Size) -> Result<Open, PlayError> {
        let session = Session::open(file)?;
        let title = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let camera = Camera::new(DVec2::ZERO, scale);
        Ok(Open { session, title, camera, gaze: 1.0, stage, fresh: true })
    }

    /// A file that is not there yet, in a folder if one is given.
    pub(crate) fn new_file(&self, folder: Option<&Path>, ending: &str, otherwise: fn(&Session) -> PathBuf) -> PathBuf {
        let stem = self.session.file().and_then(stem).unwrap_or_else(|| "map".to_owned());
        folder.map_or_else(|| otherwise(&self.session), |folder| free_name(folder, &stem, ending))
    }

    /// What the camera follows: the hero, in a replay its first character, else its first body.
    pub(crate) fn followed(&self) -> Option<BodyId> {
        self.session.hero().or_else(|| self.session.world().bodies().next().map(|(id, _)| id))
    }

    /// Moves the camera and the hero's eyes on for a frame, in seconds.
    pub(crate) fn look(&mut self, seconds: f64, stage: Size) {
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
        let wanted = if velocity.x.abs() > LOOKS_FROM { velocity.x.signum() } else { self.gaze.signum() };
        self.gaze += (wanted - self.gaze) * (TURN * seconds / (1.0 + TURN * seconds));
    }

    /// What the window shows.
    pub(crate) fn view(&self) -> View {
        self.camera.view(self.stage)
    }
}

/// All tiles of a map.
fn bounds(map: &Map) -> Bounds {
    let ((x, y), (columns, rows)) = (map.origin(), map.size());
    let low = DVec2::new(x.into(), y.into());
    Bounds { low, high: low + DVec2::new(columns.into(), rows.into()) }
}

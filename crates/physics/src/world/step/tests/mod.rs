//! Tests of the step's shortcuts: a tick against the same tick without shortcuts, cut into parts, and on a map that
//! is split.

mod plain;
mod platforms;
mod split;

use super::*;
use crate::event::{BodyId, Event, EventKind};
use crate::motion::{Nearby, Shape, Touching};
use crate::terrain::Terrain;
use crate::world::Settings;
use crate::world::state::Prediction;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::{ONE, Position};

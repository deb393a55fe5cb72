//! Names that most test modules use. A module imports only further names itself.

pub use crate::climbing::{is_near, shapes};
pub use crate::nudges::{NEAR, TICK, UNIT};
pub use crate::platforms::{along, hero};
pub use crate::scene::*;
pub use crate::symmetry::{Square, Symmetry};
pub use crate::table::{
    Stage, Way, all_symmetries, all_symmetries_of, all_ways, all_ways_of, all_ways_with, pairs, triples,
};
pub use std::collections::{BTreeMap, BTreeSet};
pub use std::sync::Arc;
pub use surefoot::area::{Area, AreaId, AreaShape, AttachedTo, Effects};
pub use surefoot::body::{BodyError, PlatformVelocity};
pub use surefoot::catalogue::PatternKind;
pub use surefoot::geometry::{Aabb, Circle, DVec2, to_lengths};
pub use surefoot::map::{Border, Borders, CollisionLayers, MapParts, Material, TileKind, TileLayer};
pub use surefoot::platform::{CirclePath, OnCrush, OnRide, Path, PathTiming, Platform, PlatformId, Repeat};
pub use surefoot::prelude::*;
pub use surefoot::query::{Filter, OneWay, Target};
pub use surefoot::record::{Playback, RecordOptions};
pub use surefoot::snapshot::Snapshot;
pub use surefoot::world::Footing;
pub use surefoot::{Command, Event, Input, Map, World};
pub use surefoot_random::mix;

//! Serde form of the position of a body, a platform or an area: a [`Position`]. An error is not written.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use serde::ser::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use surefoot_geometry::{Position, PositionError};

pub fn serialize<S: Serializer>(position: &Result<Position, PositionError>, serializer: S) -> Result<S::Ok, S::Error> {
    position.map_err(S::Error::custom)?.serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Result<Position, PositionError>, D::Error> {
    Position::deserialize(deserializer).map(Ok)
}

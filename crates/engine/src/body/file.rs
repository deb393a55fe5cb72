use super::{Body, Kind};
use glam::DVec2;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use surefoot_geometry::Position;

/// How a body is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Body")]
struct BodyFile {
    position: Position,
    velocity: DVec2,
    kind: Kind,
}

/// A body without a proper place is not written.
impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Body { position, velocity, kind } = *self;
        let position = position.map_err(S::Error::custom)?;
        BodyFile { position, velocity, kind }.serialize(serializer)
    }
}

/// What [`Body::check`] refuses is not read.
impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Body, D::Error> {
        let BodyFile { position, velocity, kind } = BodyFile::deserialize(deserializer)?;
        let body = Body { position: Ok(position), velocity, kind };
        body.check().map_err(D::Error::custom)?;
        Ok(body)
    }
}

use super::{Body, Character, Facing, Response};
use crate::map::CollisionLayers;
use crate::motion::{Shape, Up};
use glam::DVec2;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use surefoot_geometry::{Position, PositionError};

/// File format of a body's configuration: everything except position, velocity and facing. A snapshot contains equal
/// configurations once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Configuration(#[serde(with = "Fields")] pub(crate) Body);

/// Fields of a configuration in the order of the file. The compiler checks that the list matches the fields of a
/// body.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Body", deny_unknown_fields, rename = "Kind")]
struct Fields {
    #[serde(skip, default = "origin")]
    position: Result<Position, PositionError>,
    #[serde(skip)]
    velocity: DVec2,
    #[serde(skip)]
    facing: Facing,
    shape: Shape,
    gravity_scale: f64,
    response: Response,
    friction: f64,
    rest_speed_threshold: f64,
    character: Option<Character>,
    collision_layers: CollisionLayers,
    collision_mask: CollisionLayers,
    mass: f64,
    one_way: bool,
    tag: u64,
    time_scale: f64,
    up: Option<Up>,
}

fn origin() -> Result<Position, PositionError> {
    Ok(Position::ORIGIN)
}

/// File format of a body.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Body")]
struct Written {
    #[serde(with = "crate::written_position")]
    position: Result<Position, PositionError>,
    velocity: DVec2,
    facing: Facing,
    kind: Configuration,
}

/// A body without a valid position cannot be written.
impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Body { position, velocity, facing, .. } = *self;
        Written { position, velocity, facing, kind: Configuration(self.configuration()) }.serialize(serializer)
    }
}

/// A body that [`Body::check`] refuses cannot be read.
impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Body, D::Error> {
        let Written { position, velocity, facing, kind: Configuration(configuration) } =
            Written::deserialize(deserializer)?;
        let body = Body { position, velocity, facing, ..configuration };
        body.check().map_err(D::Error::custom)?;
        Ok(body)
    }
}

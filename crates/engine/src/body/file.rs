use super::{Body, Character, Response};
use crate::motion::Shape;
use glam::DVec2;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use surefoot_geometry::Place;

/// How a body is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Body")]
struct BodyFile {
    shape: Shape,
    place: Place,
    velocity: DVec2,
    gravity_scale: f64,
    response: Response,
    friction: f64,
    rest_speed: f64,
    character: Option<Character>,
}

/// A body without a proper place is not written.
impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Body { shape, place, velocity, gravity_scale, response, friction, rest_speed, character } = *self;
        let place = place.map_err(S::Error::custom)?;
        let file = BodyFile { shape, place, velocity, gravity_scale, response, friction, rest_speed, character };
        file.serialize(serializer)
    }
}

/// What [`Body::check`] refuses is not read.
impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Body, D::Error> {
        let BodyFile { shape, place, velocity, gravity_scale, response, friction, rest_speed, character } =
            BodyFile::deserialize(deserializer)?;
        let place = Ok(place);
        let body = Body { shape, place, velocity, gravity_scale, response, friction, rest_speed, character };
        body.check().map_err(D::Error::custom)?;
        Ok(body)
    }
}

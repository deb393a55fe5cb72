use super::{Body, Character, Response};
use crate::map::LayerMask;
use crate::motion::Shape;
use crate::older;
use glam::DVec2;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use surefoot_geometry::Position;

/// The configuration of a body as it is written: all but position and velocity, which it is read without. Equal
/// configurations are written once in a snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Fields", into = "Fields")]
pub(crate) struct Configuration(pub(crate) Body);

/// The fields of a configuration in the order in which they are written; the compiler holds them against those of a body.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Kind")]
struct Fields {
    shape: Shape,
    gravity_scale: f64,
    response: Response,
    friction: f64,
    rest_speed: f64,
    character: Option<Character>,
    collision_layers: LayerMask,
    #[serde(deserialize_with = "older::mask")]
    collision_mask: LayerMask,
    mass: Mass,
    one_way: IsOneWay,
    tag: Tag,
    time_scale: TimeScale,
}

/// A mass; 1 where an older format is read, which has none.
#[derive(Serialize)]
#[serde(transparent)]
struct Mass(f64);

// Not a function for the field: serde would let a type that reads nothing be missing, but not a field with such a function.
impl<'de> Deserialize<'de> for Mass {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Mass, D::Error> {
        if older::is_before_masses() { Ok(Mass(1.0)) } else { f64::deserialize(deserializer).map(Mass) }
    }
}

/// Whether a body is one-way, which none is where an older format is read.
#[derive(Serialize)]
#[serde(transparent)]
struct IsOneWay(bool);

impl<'de> Deserialize<'de> for IsOneWay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<IsOneWay, D::Error> {
        if older::is_before_one_way() { Ok(IsOneWay(false)) } else { bool::deserialize(deserializer).map(IsOneWay) }
    }
}

/// A tag; 0 where an older format is read, which has none.
#[derive(Serialize)]
#[serde(transparent)]
struct Tag(u64);

impl<'de> Deserialize<'de> for Tag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tag, D::Error> {
        if older::is_before_moves() { Ok(Tag(0)) } else { u64::deserialize(deserializer).map(Tag) }
    }
}

/// A time scale; 1 where an older format is read, which has none.
#[derive(Serialize)]
#[serde(transparent)]
struct TimeScale(f64);

impl<'de> Deserialize<'de> for TimeScale {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TimeScale, D::Error> {
        if older::is_before_swims() { Ok(TimeScale(1.0)) } else { f64::deserialize(deserializer).map(TimeScale) }
    }
}

impl From<Fields> for Configuration {
    fn from(fields: Fields) -> Configuration {
        let Fields {
            shape,
            gravity_scale,
            response,
            friction,
            rest_speed,
            character,
            collision_layers,
            collision_mask,
            mass: Mass(mass),
            one_way: IsOneWay(one_way),
            tag: Tag(tag),
            time_scale: TimeScale(time_scale),
        } = fields;
        Configuration(Body {
            position: Ok(Position::ORIGIN),
            velocity: DVec2::ZERO,
            shape,
            gravity_scale,
            response,
            friction,
            rest_speed,
            character,
            collision_layers,
            collision_mask,
            mass,
            one_way,
            tag,
            time_scale,
        })
    }
}

impl From<Configuration> for Fields {
    fn from(Configuration(body): Configuration) -> Fields {
        let Body {
            position: _,
            velocity: _,
            shape,
            gravity_scale,
            response,
            friction,
            rest_speed,
            character,
            collision_layers,
            collision_mask,
            mass,
            one_way,
            tag,
            time_scale,
        } = body;
        Fields {
            shape,
            gravity_scale,
            response,
            friction,
            rest_speed,
            character,
            collision_layers,
            collision_mask,
            mass: Mass(mass),
            one_way: IsOneWay(one_way),
            tag: Tag(tag),
            time_scale: TimeScale(time_scale),
        }
    }
}

/// A body as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Body")]
struct Written {
    position: Position,
    velocity: DVec2,
    kind: Configuration,
}

/// A body without a proper position is not written.
impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let position = self.position.map_err(S::Error::custom)?;
        Written { position, velocity: self.velocity, kind: Configuration(self.configuration()) }.serialize(serializer)
    }
}

/// What [`Body::check`] refuses is not read.
impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Body, D::Error> {
        let Written { position, velocity, kind: Configuration(configuration) } = Written::deserialize(deserializer)?;
        let body = Body { position: Ok(position), velocity, ..configuration };
        body.check().map_err(D::Error::custom)?;
        Ok(body)
    }
}

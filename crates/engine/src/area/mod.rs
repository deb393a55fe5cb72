//! Areas: shapes that tell which bodies come in and go out, and that may change how these move.
//!
//! An area stops nothing. What it does in a tick is in `world/areas`; how areas are written in maps is in
//! `map/text/area_text.rs`.

mod effects;
mod shape;

pub use effects::Effects;
pub use shape::AreaShape;
pub(crate) use shape::meets_within;

use crate::event::BodyId;
use crate::map::{CollisionLayerError, CollisionLayers};
use crate::platform::PlatformId;
use crate::range::RangeError;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::Position;
use thiserror::Error;

/// The most areas that a world holds.
pub const MAX_AREAS: usize = 1 << 16;

slotmap::new_key_type! {
    /// Names an area in its world; never used again for another one.
    pub struct AreaId;
}

/// An area to be: a shape that bodies come into and go out of, see [`World::spawn_area`](crate::World::spawn_area).
///
/// Its fields are set one by one or by its methods, and checked when it is spawned.
///
/// # Examples
/// ```
/// use surefoot::area::{Area, AreaShape, Effects};
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
///
/// let mut world = World::new(Map::from_rows(["....", "....", "===="])?, Settings::default());
/// let goal = world.spawn_area(Area::new(AreaShape::aabb(0.5, 1.0)?).at((3.5, 2.0))?)?;
/// let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((2.0, 1.5)).velocity((6.0, 0.0)))?;
/// while world.areas_of(hero).next().is_none() {
///     world.step();
/// }
/// assert!(world.events().iter().any(|event| event.kind == EventKind::AreaEntered { area: goal }));
/// // Its right side is past the left side of the area, at x = 3.
/// assert!(world[hero].position().to_dvec2().x > 2.75);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Area {
    /// What the game calls it; empty for one without a name. No two areas of a world have the same name.
    pub name: String,
    /// What kind of thing it is to the game, such as `"water"`; the engine does nothing with it.
    pub tag: String,
    /// Its shape, in tiles around its position.
    pub shape: AreaShape,
    /// Where its origin is; of an area that is on something, from there: from the lower left corner of a platform's tile (0, 0)
    /// or from the centre of a body.
    pub position: Position,
    /// What takes it along.
    pub attached_to: AttachedTo,
    /// The collision layers of the bodies that count for it: a body counts if it is in one of them. All, if it says nothing.
    pub collision_mask: CollisionLayers,
    /// Of two areas that set the same effect the one of higher priority counts for a body in both; of two of equal priority
    /// the one in the lower slot, which is the one that was spawned first if none was removed.
    pub priority: i32,
    /// What it does to the bodies in it.
    pub effects: Effects,
}

/// What takes an area along. When it is removed, the area is removed with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum AttachedTo {
    /// Nothing: it stays where it is put.
    #[default]
    World,
    /// The platform of that name. In a world it becomes [`AttachedTo::Platform`].
    Named(String),
    /// A platform.
    Platform(PlatformId),
    /// A body, which is itself never in the area.
    Body(BodyId),
}

/// Why an area was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AreaError {
    /// A shape without an interior, which nothing is ever in.
    #[error("the area has no size; expected a shape with an interior")]
    NoInterior,
    /// A shape that goes too far from the area's origin.
    #[error(
        "the area's shape goes {distance} tiles from its origin on an axis; expected at most {}",
        AreaShape::MAX_REACH
    )]
    TooLarge {
        /// How far it goes.
        distance: f64,
    },
    /// A number of its effects that is not finite or out of range.
    #[error(transparent)]
    Effect(#[from] RangeError),
    /// A collision layer that the map has no name for.
    #[error(transparent)]
    CollisionLayer(#[from] CollisionLayerError),
    /// Another area has its name already.
    #[error("an area is named {name:?} already; expected each name once")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// It is on a platform of a name that none has.
    #[error("no platform is named {name:?}, which the area is on")]
    NoSuchPlatform {
        /// The name.
        name: String,
    },
    /// It is on a platform or a body that is not in the world.
    #[error("the area is on {attached_to:?}, which is not there")]
    NotInWorld {
        /// What it is on.
        attached_to: AttachedTo,
    },
}

impl Area {
    /// An area of that shape at the origin that counts all bodies and does nothing to them.
    #[must_use]
    pub fn new(shape: impl Into<AreaShape>) -> Area {
        Area {
            name: String::new(),
            tag: String::new(),
            shape: shape.into(),
            position: Position::ORIGIN,
            attached_to: AttachedTo::World,
            collision_mask: CollisionLayers::ALL,
            priority: 0,
            effects: Effects::default(),
        }
    }

    /// With a name.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Area {
        Area { name: name.into(), ..self }
    }

    /// With a tag.
    #[must_use]
    pub fn tag(self, tag: impl Into<String>) -> Area {
        Area { tag: tag.into(), ..self }
    }

    /// With its origin there, in tiles.
    ///
    /// # Errors
    /// The error of the conversion, for what is no position.
    pub fn at<P>(self, position: P) -> Result<Area, P::Error>
    where
        P: TryInto<Position>,
    {
        Ok(Area { position: position.try_into()?, ..self })
    }

    /// That goes along with a platform or a body.
    #[must_use]
    pub fn attached_to(self, carrier: AttachedTo) -> Area {
        Area { attached_to: carrier, ..self }
    }

    /// That counts bodies of those collision layers alone.
    #[must_use]
    pub fn collision_mask(self, mask: CollisionLayers) -> Area {
        Area { collision_mask: mask, ..self }
    }

    /// With another priority.
    #[must_use]
    pub fn priority(self, priority: i32) -> Area {
        Area { priority, ..self }
    }

    /// With what it does to the bodies in it.
    #[must_use]
    pub fn effects(self, effects: Effects) -> Area {
        Area { effects, ..self }
    }

    /// Refuses a shape without an interior or of more than [`AreaShape::MAX_REACH`], and numbers that are not finite or out of
    /// range. Names, layers and what it is on are a world's to check.
    ///
    /// # Errors
    /// [`AreaError`] for the first thing that is wrong.
    pub fn check(&self) -> Result<(), AreaError> {
        self.shape.check()?;
        Ok(self.effects.check()?)
    }
}

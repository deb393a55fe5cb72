//! Areas: sensors that report which bodies are inside, and that can change how bodies move.
//!
//! Describe an area with an [`Area`] and add it with
//! [`World::spawn_area`](../world/struct.World.html#method.spawn_area). An area blocks nothing. At the end of each
//! tick, the world finds which bodies are inside. Effects act from the next tick on.

// The physics handles the areas in each tick, in `world/areas`. `map/text/area_text.rs` reads areas in map texts.

mod boxes;
mod effects;
mod shape;

pub use boxes::Boxes;
pub use effects::Effects;
pub use shape::AreaShape;
#[doc(hidden)]
pub use shape::inner_box_of;

pub use crate::ids::AreaId;
use crate::ids::{BodyId, CollisionLayers, PlatformId};
use crate::map::CollisionLayerError;
use crate::range::RangeError;
use crate::told::debug_is_display;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::{Position, PositionError};
use thiserror::Error;

/// Maximum number of areas in a world: 2^20.
pub const MAX_AREAS: usize = 1 << 20;

/// Describes an area to spawn: a sensor that reports bodies and can change how bodies move.
///
/// The area sends [`EventKind::AreaEntered`](../event/enum.EventKind.html#variant.AreaEntered) and
/// [`EventKind::AreaExited`](../event/enum.EventKind.html#variant.AreaExited). A body is inside if the interiors of the
/// body and of the area overlap. A body that only touches the boundary of the area is outside.
///
/// Set the fields directly or chain the builder methods.
/// [`World::spawn_area`](../world/struct.World.html#method.spawn_area) validates the area.
///
/// # Examples
/// ```
/// use surefoot::area::{Area, AreaShape, Effects};
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
///
/// let mut world = World::new(Map::from_rows(["....", "....", "===="])?, Settings::default());
/// let goal = world.spawn_area(Area::new(AreaShape::aabb(0.5, 1.0)?).at((3.5, 2.0)))?;
/// let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.5)).at((2.0, 1.5)).velocity((6.0, 0.0)))?;
/// while world.areas_of(hero).next().is_none() {
///     world.step();
/// }
/// assert!(world.events().iter().any(|event| event.kind == EventKind::AreaEntered { area: goal }));
/// // The right side of the hero is past the left side of the area, at x = 3.
/// assert!(world[hero].position().to_dvec2().x > 2.75);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Area {
    /// Name of the area, unique in its world. Empty for an area without a name.
    pub name: String,
    /// Label for the game, such as `"water"` or `"coin"`. The engine does not use the label.
    pub tag: String,
    /// Shape of the area in tiles, relative to [`Area::position`].
    pub shape: AreaShape,
    /// Position of the point (0, 0) of the area's shape: in the world, or relative to the platform or body in
    /// `attached_to`.
    ///
    /// On a platform, the position counts from the lower left corner of the platform's tile (0, 0). On a body, it
    /// counts from the centre of the body. An error of [`Area::at`] is stored here, and [`Area::check`] returns it.
    #[cfg_attr(feature = "serde", serde(with = "crate::written_position"))]
    pub position: Result<Position, PositionError>,
    /// Platform or body that carries the area. Default: [`AttachedTo::World`], so the area stays at its position.
    pub attached_to: AttachedTo,
    /// Collision layers (groups of bodies) that the area detects: bodies in at least one of the layers. Default: all.
    pub collision_mask: CollisionLayers,
    /// Priority of the effects where several areas overlap. Default: 0.
    ///
    /// If a body is inside two areas that set the same effect, the area with the higher priority counts. If the
    /// priorities are equal, the area with the lower id counts: the area spawned first, unless areas were removed.
    pub priority: i32,
    /// Effects on the bodies inside. Default: none.
    pub effects: Effects,
}

/// Carrier of an area: the world, a platform or a body. The area moves with its carrier and is removed with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum AttachedTo {
    /// No carrier: the area stays at its position.
    #[default]
    World,
    /// The platform with this name. When the area is spawned, the world replaces the name by the id of the platform.
    Named(String),
    /// The platform with this id.
    Platform(PlatformId),
    /// The body with this id. The area never detects its own carrier.
    Body(BodyId),
}

/// Error for an area that [`World::spawn_area`](../world/struct.World.html#method.spawn_area) refuses.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum AreaError {
    /// The position given to [`Area::at`] is not finite or out of range.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The shape has no interior, for example a box of height 0. So no body could be inside.
    #[error("the area's shape has no interior; expected a width and a height above 0")]
    NoInterior,
    /// The shape reaches further than [`AreaShape::MAX_REACH`] from the area's position.
    #[error(
        "the area's shape reaches {distance} tiles from the area's position along x or y; expected at most {} tiles",
        AreaShape::MAX_REACH
    )]
    TooLarge {
        /// Distance of the shape's furthest point from the area's position, along x or y, in tiles.
        distance: f64,
    },
    /// A value in the effects is out of range, infinite or NaN.
    #[error(transparent)]
    Effect(#[from] RangeError),
    /// The collision mask contains a collision layer that the map does not name.
    #[error(transparent)]
    CollisionLayer(#[from] CollisionLayerError),
    /// Another area of the world has the same name.
    #[error("the area name {name:?} is already in use; expected a unique name")]
    Duplicate {
        /// Name of the area.
        name: String,
    },
    /// [`AttachedTo::Named`] names a platform that is not in the world.
    #[error("the area is attached to the unknown platform {name:?}; expected the name of a platform in the world")]
    NoSuchPlatform {
        /// Name in [`AttachedTo::Named`].
        name: String,
    },
    /// The platform or body that should carry the area is not in the world.
    #[error(
        "the area is attached to {attached_to:?}, which is not in the world; expected an existing platform or body"
    )]
    NotInWorld {
        /// Carrier of the area.
        attached_to: AttachedTo,
    },
}

debug_is_display!(AreaError);

impl Area {
    /// Creates an area of `shape` at the origin that detects all bodies and has no effects.
    #[must_use]
    pub fn new(shape: impl Into<AreaShape>) -> Area {
        Area {
            name: String::new(),
            tag: String::new(),
            shape: shape.into(),
            position: Ok(Position::ORIGIN),
            attached_to: AttachedTo::World,
            collision_mask: CollisionLayers::ALL,
            priority: 0,
            effects: Effects::default(),
        }
    }

    /// Sets the name of the area.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Area {
        Area { name: name.into(), ..self }
    }

    /// Sets the label of the area for the game.
    #[must_use]
    pub fn tag(self, tag: impl Into<String>) -> Area {
        Area { tag: tag.into(), ..self }
    }

    /// Sets the position of the area, in tiles: a [`Position`], or a pair, an array or a glam vector.
    ///
    /// A position that is not finite or out of range is refused later: by [`Area::check`] and when the area is
    /// spawned.
    #[must_use]
    pub fn at<P>(self, position: P) -> Area
    where
        P: TryInto<Position>,
        P::Error: Into<PositionError>,
    {
        Area { position: position.try_into().map_err(Into::into), ..self }
    }

    /// Attaches the area to a platform or body, which then carries the area.
    #[must_use]
    pub fn attached_to(self, carrier: AttachedTo) -> Area {
        Area { attached_to: carrier, ..self }
    }

    /// Sets which collision layers the area detects: bodies in at least one of the layers.
    #[must_use]
    pub fn collision_mask(self, mask: CollisionLayers) -> Area {
        Area { collision_mask: mask, ..self }
    }

    /// Sets the priority of the effects. Where areas with the same effect overlap, the highest priority counts.
    #[must_use]
    pub fn priority(self, priority: i32) -> Area {
        Area { priority, ..self }
    }

    /// Sets the effects on the bodies inside.
    #[must_use]
    pub fn effects(self, effects: Effects) -> Area {
        Area { effects, ..self }
    }

    /// Checks the position, the shape and the numbers of the effects.
    ///
    /// [`World::spawn_area`](../world/struct.World.html#method.spawn_area) also checks the name, the collision layers,
    /// and the platform or body that carries the area.
    ///
    /// # Errors
    /// - Returns [`AreaError::Position`] if the position given to [`Area::at`] is invalid.
    /// - Returns [`AreaError::NoInterior`] if the shape has no interior.
    /// - Returns [`AreaError::TooLarge`] if the shape reaches further than [`AreaShape::MAX_REACH`].
    /// - Returns [`AreaError::Effect`] if a number of the effects is not finite or out of range.
    pub fn check(&self) -> Result<(), AreaError> {
        self.position?;
        self.shape.check()?;
        Ok(self.effects.check()?)
    }
}

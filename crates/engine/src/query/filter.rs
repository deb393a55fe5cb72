use crate::event::BodyId;
use crate::map::CollisionLayers;
use crate::platform::PlatformId;

/// What counts for a query.
///
/// # Examples
/// ```
/// use surefoot::map::CollisionLayers;
/// use surefoot::query::{Filter, OneWay};
///
/// let everything = Filter::default();
/// assert!(everything.terrain && everything.platforms && everything.bodies);
///
/// // What a shot meets that only tiles stop, and no ledge.
/// let shot = Filter { one_way: OneWay::Ignore, ..Filter::tiles() };
/// assert!(shot.terrain && shot.platforms && !shot.bodies);
///
/// // Bodies of the second collision layer alone.
/// let enemies = Filter::bodies(CollisionLayers(0b10));
/// assert!(!enemies.terrain && enemies.target_mask == CollisionLayers(0b10));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter<'a> {
    /// The map's tiles count.
    pub terrain: bool,
    /// The tiles of platforms count.
    pub platforms: bool,
    /// Bodies count that [`Filter::target_mask`] lets through.
    pub bodies: bool,
    /// The collision layers of bodies that count: a body counts if it is in one of them.
    pub target_mask: CollisionLayers,
    /// Areas count, for [`World::overlap`](crate::World::overlap) and [`World::query_point`](crate::World::query_point); they stop no ray and no
    /// shape. Not by default.
    pub areas: bool,
    /// The collision layers that the query is in: one-way tiles that let one of them pass are as if they were not there. A
    /// query of layers of which the world has had no body takes time in proportion to the map, once after each step, unless
    /// they are [prepared](crate::World::prepare_collision_layers).
    pub collision_layers: CollisionLayers,
    /// Bodies that do not count, such as the one that looks. A body that is gone excludes nothing.
    pub exclude: &'a [BodyId],
    /// Platforms that do not count. A platform that is gone excludes nothing.
    pub exclude_platforms: &'a [PlatformId],
    /// How one-way edges count. A shape that is cast meets them from the front, as a body does, whatever is said here.
    pub one_way: OneWay,
}

/// How one-way edges count for a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OneWay {
    /// A one-way edge counts from its front, as for a body.
    #[default]
    Front,
    /// A one-way edge counts from both sides, as a thin wall does.
    Both,
    /// A one-way edge is not there.
    Ignore,
}

impl Default for Filter<'_> {
    /// Everything counts, one-way edges from the front, for a query in the first collision layer.
    fn default() -> Self {
        Filter {
            terrain: true,
            platforms: true,
            bodies: true,
            target_mask: CollisionLayers::ALL,
            areas: false,
            collision_layers: CollisionLayers::FIRST,
            exclude: &[],
            exclude_platforms: &[],
            one_way: OneWay::Front,
        }
    }
}

impl<'a> Filter<'a> {
    /// The tiles of the map and of platforms, and no body.
    #[must_use]
    pub fn tiles() -> Filter<'a> {
        Filter { bodies: false, ..Filter::default() }
    }

    /// Bodies that are in one of those collision layers, and nothing else.
    #[must_use]
    pub fn bodies(mask: CollisionLayers) -> Filter<'a> {
        Filter { terrain: false, platforms: false, target_mask: mask, ..Filter::default() }
    }

    /// This filter without some bodies.
    #[must_use]
    pub fn exclude(self, bodies: &'a [BodyId]) -> Filter<'a> {
        Filter { exclude: bodies, ..self }
    }
}

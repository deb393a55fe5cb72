use crate::ids::BodyId;
use crate::map::CollisionLayers;
use crate::platform::PlatformId;

/// Selects what a query can find: terrain, platforms, areas, and bodies by their collision layers.
///
/// # Examples
/// ```
/// use surefoot::map::CollisionLayers;
/// use surefoot::query::{Filter, OneWay};
///
/// let everything = Filter::default();
/// assert!(everything.terrain && everything.platforms && everything.bodies);
///
/// // A shot that hits tiles, but passes one-way tiles and bodies.
/// let shot = Filter { one_way: OneWay::Ignore, ..Filter::tiles() };
/// assert!(shot.terrain && shot.platforms && !shot.bodies);
///
/// // Only bodies of the second collision layer.
/// let enemies = Filter::bodies(CollisionLayers(0b10));
/// assert!(!enemies.terrain && enemies.target_mask == CollisionLayers(0b10));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter<'a> {
    /// Whether the query finds the tiles of the map. Default: `true`.
    pub terrain: bool,
    /// Whether the query finds the tiles of platforms. Default: `true`.
    pub platforms: bool,
    /// Whether the query finds bodies, limited by [`Filter::target_mask`]. Default: `true`.
    pub bodies: bool,
    /// Collision layers of the bodies to find: a body must be in at least one of the layers. Default: all.
    pub target_mask: CollisionLayers,
    /// Whether the query finds areas. Default: `false`.
    ///
    /// Only [`World::overlap`](crate::World::overlap) and [`World::query_point`](crate::World::query_point) find areas.
    /// Rays and shape casts pass through areas.
    pub areas: bool,
    /// Collision layers that the query itself is in, as a body would be. Default: the first layer.
    ///
    /// The query ignores tiles that let bodies of one of these layers pass: see
    /// [`TileKind::ignored_by`](crate::map::TileKind::ignored_by).
    ///
    /// If no body of the world is or was in these layers, the first query after each step can be slow: it takes time in
    /// proportion to the map. [`World::prepare_collision_layers`](crate::World::prepare_collision_layers) avoids that.
    pub collision_layers: CollisionLayers,
    /// Bodies that the query skips, such as the body that shoots or looks. Ids of removed bodies have no effect.
    pub exclude: &'a [BodyId],
    /// Platforms that the query skips. Ids of removed platforms have no effect.
    pub exclude_platforms: &'a [PlatformId],
    /// How the query treats one-way edges, which stop bodies from one side (the front) only. Default:
    /// [`OneWay::Front`].
    ///
    /// All queries use this field except shape casts. Shape casts always hit one-way edges from the front only, as a
    /// body does.
    pub one_way: OneWay,
}

/// How a query treats one-way edges: edges of tiles that stop bodies from one side only, the front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OneWay {
    /// The query hits a one-way edge only from the front: the side from which the edge stops bodies.
    #[default]
    Front,
    /// The query hits a one-way edge from both sides, like a thin wall.
    Both,
    /// The query ignores one-way edges.
    Ignore,
}

impl Default for Filter<'_> {
    /// Returns a filter in the first collision layer that finds the map, platforms and bodies, but no areas.
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
    /// Creates a filter that finds the tiles of the map and of platforms, but no bodies.
    #[must_use]
    pub fn tiles() -> Filter<'a> {
        Filter { bodies: false, ..Filter::default() }
    }

    /// Creates a filter that finds only bodies in at least one collision layer of `mask`.
    #[must_use]
    pub fn bodies(mask: CollisionLayers) -> Filter<'a> {
        Filter { terrain: false, platforms: false, target_mask: mask, ..Filter::default() }
    }

    /// Sets the bodies that the query skips, such as the body that shoots or looks.
    #[must_use]
    pub fn exclude(self, bodies: &'a [BodyId]) -> Filter<'a> {
        Filter { exclude: bodies, ..self }
    }
}

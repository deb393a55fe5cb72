//! Ids of bodies, platforms, areas and tile kinds, and sets of collision layers: the plain data that maps, bodies,
//! events and queries share. The modules `event`, `platform`, `area` and `map` re-export them.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

slotmap::new_key_type! {
    /// Identifies a body in its world. The id of a removed body is never used again.
    ///
    /// Implements `Serialize` and `Deserialize` with the feature `serde`, which is on by default. After
    /// [`World::restore`](../world/struct.World.html#method.restore), a saved id identifies the same body as before.
    pub struct BodyId;

    /// Identifies a platform in its world. The id of a removed platform is never used again.
    ///
    /// Implements `Serialize` and `Deserialize` with the feature `serde`, which is on by default. After
    /// [`World::restore`](../world/struct.World.html#method.restore), a saved id identifies the same platform as
    /// before.
    pub struct PlatformId;

    /// Identifies an area in its world. The id of a removed area is never used again.
    ///
    /// Implements `Serialize` and `Deserialize` with the feature `serde`, which is on by default. After
    /// [`World::restore`](../world/struct.World.html#method.restore), a saved id identifies the same area as before.
    pub struct AreaId;
}

/// Identifies a tile kind (a type of tile, such as ice or spikes) of a map: the index in
/// [`Map::kinds`](crate::map::Map::kinds). Index 0 is always the empty cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(transparent))]
pub struct TileId(pub u16);

impl TileId {
    /// The empty cell: index 0 in the tile kinds of every map.
    pub const EMPTY: TileId = TileId(0);
}

/// A set of collision layers, which are groups of bodies.
///
/// Bit `i` is the collision layer with the name `i` in the list
/// [`Map::collision_layers`](crate::map::Map::collision_layers).
///
/// | set | meaning |
/// |---|---|
/// | [`Body::collision_layers`](../body/struct.Body.html#structfield.collision_layers) | the groups that a body is in |
/// | [`Body::collision_mask`](../body/struct.Body.html#structfield.collision_mask) | the groups that a body collides with |
/// | [`TileKind::ignored_by`](crate::map::TileKind::ignored_by) | the groups whose bodies pass a one-way tile |
///
/// [`Body::can_collide_with`](../body/struct.Body.html#method.can_collide_with) says which bodies collide. Files write
/// collision layers by name. The index of the name in the map's list is the bit.
///
/// # Examples
/// ```
/// use surefoot::map::{CollisionLayers, Map};
///
/// let map = Map::from_ron(r#"Map(format: 1, collision_layers: ["hero", "ghost"], tiles: ["."])"#)?;
/// let ghost = map.collision_layers_named(["ghost"])?;
/// assert_eq!(ghost, CollisionLayers(0b10));
/// assert!(ghost.intersects(CollisionLayers::ALL) && !ghost.intersects(CollisionLayers::FIRST));
/// assert!(map.collision_layers_named(["gost"]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(transparent))]
pub struct CollisionLayers(pub u32);

impl CollisionLayers {
    /// The set without collision layers.
    pub const NONE: CollisionLayers = CollisionLayers(0);

    /// The set with only the first collision layer, bit 0. The default layers of a new body.
    pub const FIRST: CollisionLayers = CollisionLayers(1);

    /// The set of all 32 collision layers, with or without a name in the map.
    pub const ALL: CollisionLayers = CollisionLayers(u32::MAX);

    /// Returns whether at least one collision layer is in both sets.
    #[must_use]
    #[inline]
    pub const fn intersects(self, other: CollisionLayers) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the collision layers that are in `self`, in `other` or in both.
    #[must_use]
    pub const fn union(self, other: CollisionLayers) -> CollisionLayers {
        CollisionLayers(self.0 | other.0)
    }

    /// Returns the collision layers of `self` that are not in `other`.
    #[must_use]
    pub const fn without(self, other: CollisionLayers) -> CollisionLayers {
        CollisionLayers(self.0 & !other.0)
    }

    /// Returns whether the set has no collision layers.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

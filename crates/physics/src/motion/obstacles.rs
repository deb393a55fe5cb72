//! Platforms and bodies that a mover without a world collides with in addition to its terrain.

use super::{Platform, Resting, Shape, ShapeError};
use crate::ids::BodyId;
use crate::platform::PlatformId;
use crate::terrain::Terrain;
use slotmap::{Key, SlotMap};
use surefoot_geometry::Position;

/// List of platforms and bodies that a [`Mover`](super::Mover) collides with in addition to its terrain.
///
/// Give the list to a mover with [`Mover::with_obstacles`](super::Mover::with_obstacles). Several movers can share a
/// list.
///
/// A platform is a second [`Terrain`] placed at a position. A body is a shape at a position. Obstacles do not move
/// during a call of the mover. Your game moves them between two calls, with [`Obstacles::move_platform`] and
/// [`Obstacles::move_body`].
///
/// If a shape hits several things at the same time, the terrain counts first, then platforms, then bodies. Platforms
/// and bodies count in the order in which they were added.
///
/// # Examples
/// ```
/// use surefoot::motion::Obstacles;
/// use surefoot::prelude::*;
/// use surefoot::Map;
///
/// let terrain = Terrain::bake(&Map::from_rows(["........", "########"])?);
/// let mut obstacles = Obstacles::default();
/// let lift = obstacles.add_platform(Terrain::bake(&Map::from_rows(["#"])?), Position::new(6.0, 1.0)?);
/// let chest = obstacles.add_body(Shape::aabb(0.5, 0.5), Position::new(3.5, 1.5)?)?;
///
/// let (hero, from) = (Shape::aabb(0.25, 0.5), Position::new(1.0, 1.5)?);
/// let walked = Mover::new(&terrain).with_obstacles(&obstacles).walk(hero, from, 6.0);
/// assert_eq!(walked.position, Position::new(2.75, 1.5)?);
/// assert!(walked.touching.wall_right);
/// assert_eq!(walked.body_hits[0].other, chest);
///
/// obstacles.move_body(chest, Position::new(3.5, 5.5)?);
/// let walked = Mover::new(&terrain).with_obstacles(&obstacles).walk(hero, from, 6.0);
/// assert_eq!((walked.position, walked.hits[0].platform), (Position::new(5.75, 1.5)?, Some(lift)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Obstacles {
    platforms: KeyedList<PlatformId, Platform>,
    bodies: KeyedList<BodyId, (BodyId, Resting)>,
}

/// A list in the order in which its items were added. A key finds an item.
#[derive(Clone, Debug)]
struct KeyedList<K: Key, T> {
    list: Vec<T>,
    /// Index of each item in the list.
    places: SlotMap<K, usize>,
}

impl Obstacles {
    /// Adds a platform: `terrain` with its point (0, 0) at position `at`.
    ///
    /// The terrain must come from a whole map ([`Terrain::bake`]), and the borders of that map must be open, as they
    /// are by default.
    pub fn add_platform(&mut self, terrain: Terrain, at: Position) -> PlatformId {
        self.platforms.add(|id| {
            let mut platform = Platform::new(terrain, at.units());
            platform.id = id;
            platform
        })
    }

    /// Adds a body at rest, with its centre at position `at`.
    ///
    /// # Errors
    /// Returns a [`ShapeError`] if [`Shape::check`] refuses the size.
    pub fn add_body(&mut self, shape: Shape, at: Position) -> Result<BodyId, ShapeError> {
        shape.check()?;
        Ok(self.bodies.add(|id| (id, Resting { shape, center: at.units() })))
    }

    /// Teleports a platform to position `to`. Returns `false` if the platform is not in the list.
    pub fn move_platform(&mut self, platform: PlatformId, to: Position) -> bool {
        self.platforms.get_mut(platform).map(|platform| platform.place_at_rest(to.units())).is_some()
    }

    /// Teleports a body to position `to`. Returns `false` if the body is not in the list.
    pub fn move_body(&mut self, body: BodyId, to: Position) -> bool {
        self.bodies.get_mut(body).map(|(_, body)| body.center = to.units()).is_some()
    }

    /// Removes a platform from the list. Returns `false` if the platform is not in the list.
    pub fn remove_platform(&mut self, platform: PlatformId) -> bool {
        self.platforms.remove(platform)
    }

    /// Removes a body from the list. Returns `false` if the body is not in the list.
    pub fn remove_body(&mut self, body: BodyId) -> bool {
        self.bodies.remove(body)
    }

    /// Returns the terrain of a platform and the position of its point (0, 0). Returns `None` if the platform is not
    /// in the list.
    #[must_use]
    pub fn platform(&self, platform: PlatformId) -> Option<(&Terrain, Position)> {
        let platform = self.platforms.get(platform)?;
        Some((platform.terrain(), Position::clamped(platform.origin)))
    }

    /// Returns the shape of a body and the position of its centre. Returns `None` if the body is not in the list.
    #[must_use]
    pub fn body(&self, body: BodyId) -> Option<(Shape, Position)> {
        self.bodies.get(body).map(|(_, body)| (body.shape, Position::clamped(body.center)))
    }

    /// Removes all platforms and bodies, but keeps the allocated memory. The ids of the removed platforms and bodies
    /// are never used again.
    pub fn clear(&mut self) {
        self.platforms.clear();
        self.bodies.clear();
    }

    pub(super) fn platforms(&self) -> &[Platform] {
        &self.platforms.list
    }

    pub(super) fn bodies(&self) -> &[(BodyId, Resting)] {
        &self.bodies.list
    }
}

impl<K: Key, T> KeyedList<K, T> {
    fn add(&mut self, make: impl FnOnce(K) -> T) -> K {
        let name = self.places.insert(self.list.len());
        self.list.push(make(name));
        name
    }

    fn get(&self, name: K) -> Option<&T> {
        self.places.get(name).map(|place| &self.list[*place])
    }

    fn get_mut(&mut self, name: K) -> Option<&mut T> {
        self.places.get(name).map(|place| &mut self.list[*place])
    }

    fn remove(&mut self, name: K) -> bool {
        let Some(place) = self.places.remove(name) else { return false };
        self.list.remove(place);
        self.places.values_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
        true
    }

    fn clear(&mut self) {
        self.list.clear();
        self.places.clear();
    }
}

impl<K: Key, T> Default for KeyedList<K, T> {
    fn default() -> KeyedList<K, T> {
        KeyedList { list: Vec::new(), places: SlotMap::with_key() }
    }
}

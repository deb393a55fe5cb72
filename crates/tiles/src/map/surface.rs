use crate::number::{Number, changed_numbers};
use crate::range::RangeError;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Material of a tile: friction, traction, bounce, belt velocity and climbability of its sides.
///
/// A material acts together with the numbers of the body: its friction multiplies
/// [`Body::friction`](../body/struct.Body.html#structfield.friction). So different bodies slide differently on the same
/// ice.
///
/// If a body touches several tiles at once, these rules say which material counts:
///
/// - The tile side nearest to the body's centre line counts: the line through the body's centre along the world's up
///   direction. So on a floor of two materials, the tile below the centre counts.
/// - If several sides are equally near, the larger value of each number counts, such as the larger friction.
/// - If several belts are equally near and run in one direction, the slowest one counts. Belts in opposite directions
///   cancel each other.
/// - A corner where several tiles meet counts as a part of all of these tiles.
///
/// The material that a body touches at the start of a tick counts until the body hits something, or to the end of the
/// tick.
///
/// # Examples
/// ```
/// use surefoot::map::Material;
///
/// let ice = Material { friction: 0.05, traction: 0.25, ..Material::default() };
/// assert!(ice.check().is_ok());
/// assert!(Material { bounce: 1.5, ..ice }.check().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct Material {
    /// Friction factor, 0 to 1000, default 1. Multiplies the body's coefficient of friction. 0 is frictionless ice.
    ///
    /// A body without friction slides on every material. Characters have no friction; they use `traction`.
    pub friction: f64,
    /// Traction factor, 0 to 1000, default 1. Multiplies a character's acceleration and braking on the ground.
    ///
    /// With 0, a character on the ground keeps its speed, whatever its player does. Traction changes neither the
    /// maximum speed of a character nor its movement in the air.
    pub traction: f64,
    /// Minimum restitution (bounciness), 0 to 1, default 0. A body bounces off with this fraction of its speed against
    /// the surface.
    ///
    /// If the bounce of the body itself is larger, the larger value counts. Sliding bodies bounce too. Bodies that
    /// stop when they hit something do not bounce. A character bounces only off floors, by its `bounce_scale`.
    pub bounce: f64,
    /// Conveyor belt velocity along the tile's sides, in tiles per second, -100 to 100, default 0.
    ///
    /// A positive belt runs clockwise around the tile:
    ///
    /// - to the right on the top side;
    /// - to the left on the bottom side;
    /// - down on the right side;
    /// - up on the left side.
    ///
    /// Belts follow the outline of the tile, also up and down slopes, however the tile is mirrored or turned. The tile
    /// itself does not move.
    ///
    /// Characters walk relative to the belt, and friction acts relative to the belt. Belts do not carry a body
    /// without friction. Belts on walls and ceilings carry only bodies that push against the wall or ceiling.
    pub belt_velocity: f64,
    /// Whether characters can climb the surface, as a ladder or a vine; default `false`.
    ///
    /// Contacts report this value. Bodies that are not characters ignore it.
    pub climbable: bool,
}

impl Default for Material {
    /// Returns the neutral material: friction 1, traction 1, bounce 0, belt velocity 0, not climbable.
    fn default() -> Material {
        Material { friction: 1.0, traction: 1.0, bounce: 0.0, belt_velocity: 0.0, climbable: false }
    }
}

impl Material {
    /// Checks that all numbers are finite and in range.
    ///
    /// # Errors
    /// Returns [`RangeError`] for the first number that is not finite or out of range.
    pub fn check(&self) -> Result<(), RangeError> {
        let mut surface = *self;
        surface.numbers_mut().into_iter().try_for_each(|number| number.check())
    }

    /// Returns whether bodies move over it as over the default material.
    #[doc(hidden)]
    pub fn is_plain(&self) -> bool {
        Material { climbable: false, ..*self } == Material::default()
    }

    /// Combines two materials that meet at a corner: the larger numbers, and climbable if one is. Of two belts the
    /// slower one if both move in one direction, else none.
    #[doc(hidden)]
    pub fn joined_with(self, other: Material) -> Material {
        Material {
            friction: self.friction.max(other.friction),
            traction: self.traction.max(other.traction),
            bounce: self.bounce.max(other.bounce),
            belt_velocity: slower_if_same_direction(self.belt_velocity, other.belt_velocity),
            climbable: self.climbable || other.climbable,
        }
    }

    /// Names of all fields, as map files have them.
    pub(crate) const FIELDS: [&'static str; 5] = ["friction", "traction", "bounce", "belt_velocity", "climbable"];

    /// Returns each number of the material, in the order in which they are checked and written.
    pub(crate) fn numbers_mut(&mut self) -> [Number<'_>; 4] {
        let Material { friction, traction, bounce, belt_velocity: velocity, climbable: _ } = self;
        [
            Number { name: "friction", value: friction, least: 0.0, most: 1000.0 },
            Number { name: "traction", value: traction, least: 0.0, most: 1000.0 },
            Number { name: "bounce", value: bounce, least: 0.0, most: 1.0 },
            Number { name: "belt_velocity", value: velocity, least: -100.0, most: 100.0 },
        ]
    }

    /// Returns the numbers that differ from the defaults, with their field names.
    pub(crate) fn non_default_numbers(mut self) -> Vec<(&'static str, f64)> {
        changed_numbers(self.numbers_mut(), Material::default().numbers_mut())
    }
}

/// Returns the slower of two speeds in one direction, else 0.
pub fn slower_if_same_direction(a: f64, b: f64) -> f64 {
    match a * b <= 0.0 {
        true => 0.0,
        false if a.abs() <= b.abs() => a,
        false => b,
    }
}

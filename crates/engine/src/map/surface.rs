use crate::body::{Number, changed};
use crate::range::RangeError;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// What the sides of a tile are like to the bodies that touch them.
///
/// Its numbers act together with those of the body, so that one body behaves differently on ice and on rubber, and two
/// bodies on the same ice still differ. Where a body touches several surfaces at once, the one counts that is nearest the
/// line through the body's centre along the world's up; of several equally near the one with the larger number; of two
/// velocities one way the slower, and none of two opposite ones. A corner between tiles is of all of them. What a body
/// touches when a tick begins counts for the whole tick, until it hits something else.
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
    /// A body's coefficient of friction times this, 0 to 1000: 0 is ice without friction. A body without friction slides on
    /// anything. Characters have no friction.
    pub friction: f64,
    /// A character's acceleration and braking on the ground times this, 0 to 1000: at 0 it keeps its speed whatever its
    /// input. It does not change the speed that the character reaches, nor how it moves in the air.
    pub traction: f64,
    /// The part of its speed along the normal with which a body is at least thrown back, 0 to 1: what counts is the larger
    /// of this and the body's own. A body that slides is thrown back too; one that stops, and a character, is not.
    pub bounce: f64,
    /// How fast the surface carries along itself what stands on it, in tiles per second, -100 to 100: a conveyor belt. A
    /// positive one goes to the right hand of a body that stands on that side of the tile: to the right on top of a tile as
    /// maps are drawn, to the left on its underside, down on its right side and up on its left side. So it follows the
    /// outline, up and down slopes, however the tile is turned or mirrored. The surface itself does not move.
    ///
    /// Characters walk relative to it, and friction acts relative to it. A body without friction stays where it is, and
    /// walls and ceilings carry only what is pressed into them.
    pub belt_velocity: f64,
    /// Whether it is for climbing, as a ladder or a vine is. Bodies move as over any other; contacts tell a game of it.
    pub climbable: bool,
}

impl Default for Material {
    /// One that leaves every body as it is: friction 1, traction 1, bounce 0, velocity 0, and nothing to climb.
    fn default() -> Material {
        Material { friction: 1.0, traction: 1.0, bounce: 0.0, belt_velocity: 0.0, climbable: false }
    }
}

impl Material {
    /// Refuses numbers that are not finite or out of range.
    ///
    /// # Errors
    /// [`RangeError`] for the first of them.
    pub fn check(&self) -> Result<(), RangeError> {
        let mut surface = *self;
        surface.numbers().into_iter().try_for_each(|number| number.check())
    }

    /// Whether bodies move over it as over the default one.
    pub(crate) fn is_plain(&self) -> bool {
        Material { climbable: false, ..*self } == Material::default()
    }

    /// What counts where two surfaces meet at a corner: the larger numbers, and to climb what either is for; of belts the slower one if both go one way, else
    /// none.
    pub(crate) fn joined_with(self, other: Material) -> Material {
        Material {
            friction: self.friction.max(other.friction),
            traction: self.traction.max(other.traction),
            bounce: self.bounce.max(other.bounce),
            belt_velocity: slower(self.belt_velocity, other.belt_velocity),
            climbable: self.climbable || other.climbable,
        }
    }

    /// Each number of the surface, in the order in which they are checked and written.
    pub(crate) fn numbers(&mut self) -> [Number<'_>; 4] {
        let Material { friction, traction, bounce, belt_velocity: velocity, climbable: _ } = self;
        [
            Number { name: "friction", value: friction, least: 0.0, most: 1000.0 },
            Number { name: "traction", value: traction, least: 0.0, most: 1000.0 },
            Number { name: "bounce", value: bounce, least: 0.0, most: 1.0 },
            Number { name: "belt_velocity", value: velocity, least: -100.0, most: 100.0 },
        ]
    }

    /// The numbers that are not the default ones, by the names of their fields.
    pub(crate) fn changed(mut self) -> Vec<(&'static str, f64)> {
        changed(self.numbers(), Material::default().numbers())
    }
}

/// The slower of two speeds that go one way, else none.
pub(crate) fn slower(a: f64, b: f64) -> f64 {
    match a * b <= 0.0 {
        true => 0.0,
        false if a.abs() <= b.abs() => a,
        false => b,
    }
}

use crate::lengths::tiles_text;
use crate::told::debug_is_display;
use glam::{DVec2, I64Vec2};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;
use surefoot_geometry::exact::Collider;
use surefoot_geometry::{ONE, to_lengths, to_units};
use thiserror::Error;

/// Shape of a body: a circle or an axis-aligned box, centred at the body's position.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Shape(pub(crate) Form);

/// A shape in whole units of 2^-32 tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) enum Form {
    Circle { radius: i64 },
    Aabb { half: (i64, i64) },
}

/// Kind of a [`Shape`] with its sizes in tiles. [`Shape::kind`] returns it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShapeKind {
    /// A circle.
    Circle {
        /// Radius in tiles.
        radius: f64,
    },
    /// An axis-aligned box.
    Aabb {
        /// Half of the width and of the height in tiles.
        half: DVec2,
    },
}

/// Error for a radius or half size that is out of range.
#[derive(Clone, Copy, PartialEq, Error)]
#[error(
    "the radius or half size is {} tiles; expected {} to {} tiles",
    format_rounded(*size),
    Shape::MIN_HALF_SIZE,
    Shape::MAX_HALF_SIZE
)]
pub struct ShapeError {
    /// Radius or half size that was refused, in tiles.
    pub size: f64,
}

debug_is_display!(ShapeError);

/// Prints the shape as in map texts: a radius, or a half width and a half height, in tiles.
impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Form::Circle { radius } => write!(f, "Circle({})", tiles_text(radius)),
            Form::Aabb { half: (width, height) } => write!(f, "Aabb({}, {})", tiles_text(width), tiles_text(height)),
        }
    }
}

impl Shape {
    /// Minimum radius, half width or half height, in tiles: 2^-16.
    pub const MIN_HALF_SIZE: f64 = 1.0 / 65536.0;

    /// Maximum radius, half width or half height, in tiles: 64.
    pub const MAX_HALF_SIZE: f64 = 64.0;

    /// Creates a circle with `radius` in tiles, rounded to whole units of 2^-32 tile.
    ///
    /// Accepts every size. Functions that use the shape, such as [`World::spawn`](crate::World::spawn), refuse an
    /// invalid size: see [`Shape::check`].
    #[must_use]
    pub fn circle(radius: f64) -> Shape {
        Shape(Form::Circle { radius: to_units(radius) })
    }

    /// Creates an axis-aligned box from half of its width and half of its height in tiles, rounded to whole units of
    /// 2^-32 tile.
    ///
    /// For example, `aabb(0.5, 1.0)` is 1 tile wide and 2 tiles high. Accepts every size. Functions that use the shape,
    /// such as [`World::spawn`](crate::World::spawn), refuse an invalid size: see [`Shape::check`].
    #[must_use]
    pub fn aabb(half_width: f64, half_height: f64) -> Shape {
        Shape(Form::Aabb { half: (to_units(half_width), to_units(half_height)) })
    }

    /// Creates a circle with `radius` in whole units of 2^-32 tile. Accepts every size: see [`Shape::check`].
    #[must_use]
    pub const fn circle_units(radius: i64) -> Shape {
        Shape(Form::Circle { radius })
    }

    /// Creates an axis-aligned box from half of its width and half of its height, in whole units of 2^-32 tile.
    ///
    /// Accepts every size: see [`Shape::check`].
    #[must_use]
    pub fn aabb_units(half: impl Into<I64Vec2>) -> Shape {
        Shape(Form::Aabb { half: half.into().into() })
    }

    /// Checks that the size of the shape is in range. A size of NaN counts as 0, which is too small.
    ///
    /// # Errors
    /// Returns a [`ShapeError`] if a radius or half size is below [`Shape::MIN_HALF_SIZE`] or above
    /// [`Shape::MAX_HALF_SIZE`].
    pub fn check(self) -> Result<(), ShapeError> {
        let half = self.half_units();
        for size in [half.x, half.y] {
            if size < to_units(Self::MIN_HALF_SIZE) || size > to_units(Self::MAX_HALF_SIZE) {
                return Err(ShapeError { size: size as f64 / ONE as f64 });
            }
        }
        Ok(())
    }

    /// Returns the kind of the shape with its sizes in tiles, to match on.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let area = |shape: Shape| match shape.kind() {
    ///     ShapeKind::Circle { radius } => 3.0 * radius * radius,
    ///     ShapeKind::Aabb { half } => 4.0 * half.x * half.y,
    /// };
    /// assert_eq!([area(Shape::circle(2.0)), area(Shape::aabb(0.5, 1.5))], [12.0, 3.0]);
    /// ```
    #[must_use]
    pub fn kind(self) -> ShapeKind {
        let half = self.half_extents();
        if self.is_circle() { ShapeKind::Circle { radius: half.x } } else { ShapeKind::Aabb { half } }
    }

    /// Returns whether the shape is a circle.
    #[must_use]
    pub const fn is_circle(self) -> bool {
        matches!(self.0, Form::Circle { .. })
    }

    /// Returns the shape as one of two that collide.
    #[inline]
    pub(crate) fn collider(self) -> Collider {
        match self.0 {
            Form::Circle { radius } => Collider::Circle { radius },
            Form::Aabb { half } => Collider::Aabb { half: half.into() },
        }
    }

    /// Returns half of the width and height of the smallest box around the shape, in units of 2^-32 tile.
    #[must_use]
    pub const fn half_units(self) -> I64Vec2 {
        match self.0 {
            Form::Circle { radius } => I64Vec2::splat(radius),
            Form::Aabb { half } => I64Vec2::new(half.0, half.1),
        }
    }

    /// Returns half of the width and height of the smallest box around the shape, in tiles.
    #[must_use]
    pub fn half_extents(self) -> DVec2 {
        to_lengths(self.half_units())
    }

    /// Returns the shape turned by 90 degrees: width and height of a box are swapped, and a circle stays the same.
    #[must_use]
    pub const fn turned(self) -> Shape {
        match self.0 {
            Form::Circle { .. } => self,
            Form::Aabb { half } => Shape(Form::Aabb { half: (half.1, half.0) }),
        }
    }
}

/// Prints a size with at most 9 decimals, which hides the units of 2^-32. Prints it in full if the short form would
/// seem to be in range.
fn format_rounded(size: f64) -> String {
    let text = format!("{size:.9}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text.parse::<f64>() {
        Ok(rounded) if (Shape::MIN_HALF_SIZE..=Shape::MAX_HALF_SIZE).contains(&rounded) => size.to_string(),
        Ok(0.0) => "0".to_owned(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_errors_show_rounded_sizes() {
        let told = |size: f64| Shape::circle(size).check().unwrap_err().to_string();
        for (size, words) in
            [(-0.45, "-0.45"), (0.0, "0"), (-1e-10, "0"), (100.0, "100"), (64.1, "64.1"), (-64.0, "-64")]
        {
            assert!(told(size).starts_with(&format!("the radius or half size is {words} tiles; ")), "{}", told(size));
        }
        // One unit too large: 64 + 2^-32.
        let error = Shape::circle_units((64 << 32) + 1).check().unwrap_err();
        assert!(error.to_string().starts_with("the radius or half size is 64.00000000023283 tiles; "), "{error}");
    }
}

use super::mover::{Mover, relative};
use super::{Bounded, Sweep};
use crate::shapes::Circle;
use glam::DVec2;

impl Circle {
    /// Sweeps the circle along `motion` against a fixed obstacle and returns the earliest hit.
    ///
    /// Lengths are in any unit, y up. [`Sweep`] defines the rules for touching, grazing and overlap:
    /// - Touching at the start and moving in is a hit at time 0.
    /// - Moving along or away, grazing, only touching at the end of the motion, and no motion are [`Sweep::Clear`].
    /// - A motion that is not finite, or more than 2^25 along an axis, is [`Sweep::Clear`]. Components below 2^-200
    ///   count as 0.
    /// - A circle with radius 0 hits a segment that it crosses, ends included, and never a point.
    ///
    /// The error of the time of impact is at most [`tolerance::IMPACT`](crate::tolerance::IMPACT) along the path. Moved
    /// by `motion * toi`, the circle touches the obstacle within four times [`ROUNDING`](crate::tolerance::ROUNDING).
    /// Both bounds are fractions of the scene's size (see [`Shape`](crate::Shape)), motion included. Only the second
    /// bound holds if the angle between path and side or arc has a sine below 2^-48. The time is then the earliest that
    /// 98 bits allow.
    ///
    /// The case (clear, hit or overlapping) is exact. It agrees with [`overlaps`](crate::Shape::overlaps) at the start
    /// of the motion. It also agrees at the end, if f64 represents the end exactly.
    ///
    /// Derived here: the sweep is a ray cast against the Minkowski sum of obstacle and circle. The circle shrinks to
    /// its centre and the obstacle grows by the radius. The ray enters the sum through a side moved out by the radius,
    /// or through an arc around a corner.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Circle, Segment, Sweep, dvec2};
    ///
    /// let ball = Circle::new(dvec2(2.0, 3.0), 1.0)?;
    /// let floor = Segment::new(dvec2(0.0, 0.0), dvec2(4.0, 0.0))?;
    /// let hit = ball.sweep(dvec2(0.0, -4.0), &floor).hit().unwrap();
    /// assert_eq!((hit.toi, hit.point, hit.normal), (0.5, dvec2(2.0, 0.0), dvec2(0.0, 1.0)));
    ///
    /// // Too short, past the end, and only touching where the motion ends.
    /// assert_eq!(ball.sweep(dvec2(0.0, -1.0), &floor), Sweep::Clear);
    /// assert_eq!(ball.sweep(dvec2(8.0, -4.0), &floor), Sweep::Clear);
    /// assert_eq!(ball.sweep(dvec2(0.0, -2.0), &floor), Sweep::Clear);
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    /// Against round shapes and a single point:
    /// ```
    /// use surefoot_geometry::{Capsule, Circle, Point, Sweep, dvec2};
    ///
    /// let ball = Circle::new(dvec2(0.0, 0.0), 1.0)?;
    /// let (peg, pole) = (Circle::new(dvec2(4.0, 0.0), 1.0)?, Capsule::new(dvec2(4.0, 0.0), dvec2(4.0, 9.0), 1.0)?);
    /// assert_eq!(ball.sweep(dvec2(4.0, 0.0), &peg).hit().unwrap().toi, 0.5);
    /// assert_eq!(ball.sweep(dvec2(4.0, 0.0), &pole).hit().unwrap().point, dvec2(3.0, 0.0));
    /// assert_eq!(ball.sweep(dvec2(0.0, 4.0), &Point::new(dvec2(0.0, 3.0))?).hit().unwrap().normal, dvec2(0.0, -1.0));
    /// // Grazing a point.
    /// assert_eq!(ball.sweep(dvec2(0.0, 4.0), &Point::new(dvec2(1.0, 3.0))?), Sweep::Clear);
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn sweep(&self, motion: DVec2, obstacle: &impl Bounded) -> Sweep {
        self.mover().sweep(motion, &obstacle.any().core(), DVec2::ZERO)
    }

    /// Sweeps the circle along `motion` against an obstacle that moves by `obstacle_motion` in the same time.
    ///
    /// The result is [`Circle::sweep`] with the difference of the two motions, rounded once to f64. The motions and
    /// their difference must be finite and at most 2^25 along an axis. Otherwise the result is [`Sweep::Clear`].
    ///
    /// The hit's point is the contact point at the time of impact, on the moved obstacle. [`Circle::sweep`] defines
    /// accuracy, touching and overlap.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Circle, Segment, Sweep, dvec2};
    ///
    /// let ball = Circle::new(dvec2(1.0, 3.0), 1.0)?;
    /// let lift = Segment::new(dvec2(0.0, 0.0), dvec2(4.0, 0.0))?;
    /// let hit = ball.sweep_moving(dvec2(1.0, -2.0), &lift, dvec2(0.0, 2.0)).hit().unwrap();
    /// assert_eq!((hit.toi, hit.point), (0.5, dvec2(1.5, 1.0)));
    ///
    /// // Both move alike; the lift comes only to touch.
    /// assert_eq!(ball.sweep_moving(dvec2(0.0, 5.0), &lift, dvec2(0.0, 5.0)), Sweep::Clear);
    /// assert_eq!(ball.sweep_moving(dvec2(0.0, 0.0), &lift, dvec2(0.0, 2.0)), Sweep::Clear);
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn sweep_moving(&self, motion: DVec2, obstacle: &impl Bounded, obstacle_motion: DVec2) -> Sweep {
        self.mover().sweep(relative(motion, obstacle_motion), &obstacle.any().core(), obstacle_motion)
    }

    #[inline]
    fn mover(&self) -> Mover {
        Mover { min: self.center(), max: self.center(), radius: self.radius() }
    }
}

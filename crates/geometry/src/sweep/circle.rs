use super::mover::{Mover, relative_motion};
use super::{Bounded, Sweep};
use crate::shapes::Circle;
use glam::DVec2;

impl Circle {
    // Derivation: the sweep is a ray cast against the Minkowski sum of obstacle and circle. The circle shrinks to
    // its centre and the obstacle grows by the radius. The ray enters the sum through a side moved out by the radius,
    // or through an arc around a corner.
    /// Sweeps the circle along `motion` against a fixed obstacle and returns the earliest hit.
    ///
    /// y is up, and lengths are in any unit. [`Sweep`] defines what is a hit, clear and overlapping:
    /// - A circle that touches the obstacle at the start and moves into it hits at time 0.
    /// - Motions along or away from the obstacle, motions that only graze a corner, and motions of length 0 are
    ///   [`Sweep::Clear`]. So are motions after which the shapes only touch.
    /// - A motion that is not finite, or longer than 2^25 on an axis, is [`Sweep::Clear`]. Components below 2^-200
    ///   count as 0.
    /// - A circle with radius 0 hits a segment that it crosses, the segment's ends included. It never hits a point.
    ///
    /// Whether the result is clear, a hit or overlapping is exact. The result agrees with
    /// [`overlaps`](crate::Shape::overlaps) at the start of the motion, and also at the end if the coordinates of the
    /// moved shape are exact in f64.
    ///
    /// Accuracy, as fractions of the scene's size (the largest difference between two coordinates of both shapes and
    /// the motion, radii included):
    /// - The time of impact is off by at most [`tolerance::IMPACT`](crate::tolerance::IMPACT) (2^-43), measured along
    ///   the path.
    /// - The circle moved by `motion * toi` touches the obstacle within four times
    ///   [`ROUNDING`](crate::tolerance::ROUNDING) (2^-50).
    /// - If the motion is nearly parallel to the side or arc that it hits (sine of the angle below 2^-48), only the
    ///   second bound holds.
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
        self.as_mover().sweep(motion, &obstacle.as_any_shape().core(), DVec2::ZERO)
    }

    /// Sweeps the circle along `motion` against an obstacle that moves by `obstacle_motion` in the same time.
    ///
    /// The result is that of [`Circle::sweep`] with the motion `motion - obstacle_motion`, rounded to f64, with the
    /// same rules and accuracy. Only [`Hit::point`](crate::Hit::point) differs: it is on the moved obstacle, where
    /// the obstacle is at the time of impact.
    ///
    /// If a motion or their difference is not finite, or longer than 2^25 on an axis, the result is [`Sweep::Clear`].
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
        self.as_mover().sweep(
            relative_motion(motion, obstacle_motion),
            &obstacle.as_any_shape().core(),
            obstacle_motion,
        )
    }

    #[inline]
    fn as_mover(&self) -> Mover {
        Mover { min: self.center(), max: self.center(), radius: self.radius() }
    }
}

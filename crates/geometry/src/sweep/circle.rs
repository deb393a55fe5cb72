use super::mover::{Mover, relative};
use super::{Bounded, Sweep};
use crate::shapes::Circle;
use glam::DVec2;

impl Circle {
    /// Where does the circle, moving by `motion`, first meet an obstacle that stands still?
    ///
    /// Lengths in any unit, y up. A motion that is not finite, or more than 2^25 along an axis, is [`Sweep::Clear`]; steps
    /// below 2^-200 are taken as 0. What counts as a hit is said at [`Sweep`]: touching at the start and moving in is a
    /// hit at 0; moving along or away, grazing, only touching where the motion ends, and no motion are clear. A circle with
    /// a radius of 0 hits a segment that it crosses, its ends included, and never a point.
    ///
    /// The time of impact is within [`tolerance::IMPACT`](crate::tolerance::IMPACT) along the path; moved by
    /// `motion * toi`, the circle touches the obstacle to within four [`ROUNDING`](crate::tolerance::ROUNDING), both of the
    /// scene's size with the motion. A path that meets a side or an arc at an angle with a sine below 2^-48 keeps the
    /// second only; its time is the earliest that 98 bits allow. Which of clear, hit and
    /// overlapping it is, is decided exactly, so that it agrees with [`overlaps`](crate::Shape::overlaps) where the motion
    /// begins and, if that is exact in f64, where it ends.
    ///
    /// Derived here: the circle shrinks to its centre and the obstacle grows by the radius; a ray enters that through a
    /// side moved out by the radius, or through an arc around a corner.
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
    /// Against what is round, or a single point:
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

    /// As [`Circle::sweep`], where the obstacle moves too, by `obstacle_motion` in the same time.
    ///
    /// The sweep by the difference of the two motions, rounded once to f64; each of them and the difference must be finite
    /// and at most 2^25 along an axis, else it is [`Sweep::Clear`]. The point is where the two touch at that time, on the
    /// obstacle where it then is. Accuracy and boundary as of [`sweep`](Circle::sweep).
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

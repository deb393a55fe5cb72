use super::mover::{Mover, relative_motion};
use super::{Bounded, Sweep, slab};
use crate::shapes::{Aabb, AnyShape};
use glam::DVec2;

impl Aabb {
    // Derivation: the sweep is a ray cast against the Minkowski sum of obstacle and box. The box shrinks to a point
    // and the obstacle grows to the polygon of the differences of their corners. The ray enters the polygon through
    // one of its sides.
    /// Sweeps the box along `motion` against a fixed obstacle and returns the earliest hit.
    ///
    /// y is up, and lengths are in any unit. [`Sweep`] defines what is a hit, clear and overlapping:
    /// - A box that touches the obstacle at the start and moves into it hits at time 0.
    /// - Motions along or away from the obstacle, motions that only graze a corner, and motions of length 0 are
    ///   [`Sweep::Clear`]. So are motions after which the shapes only touch.
    /// - A motion that is not finite, or longer than 2^25 on an axis, is [`Sweep::Clear`]. Components below 2^-200
    ///   count as 0.
    /// - A box of width or height 0 hits an equally flat obstacle only if it crosses the obstacle.
    /// - Where a corner hits a corner, the normal is that of the side that faces the motion more. If two sides face
    ///   it equally, the normal is halfway between their normals.
    ///
    /// Whether the result is clear, a hit or overlapping is exact. The result agrees with
    /// [`overlaps`](crate::Shape::overlaps) at the start of the motion, and also at the end if the coordinates of the
    /// moved shape are exact in f64.
    ///
    /// Accuracy, as fractions of the scene's size (the largest difference between two coordinates of both shapes and
    /// the motion):
    /// - The time of impact is off by at most [`tolerance::IMPACT`](crate::tolerance::IMPACT) (2^-43), measured along
    ///   the path.
    /// - The box moved by `motion * toi` touches the obstacle within four times
    ///   [`ROUNDING`](crate::tolerance::ROUNDING) (2^-50).
    /// - If the motion is nearly parallel to the side or arc that it hits (sine of the angle below 2^-48), only the
    ///   second bound holds.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Aabb, Segment, Sweep, dvec2};
    ///
    /// let load = Aabb::new(dvec2(1.0, 2.0), dvec2(2.0, 3.0))?;
    /// let floor = Segment::new(dvec2(0.0, 0.0), dvec2(4.0, 0.0))?;
    /// let hit = load.sweep(dvec2(0.0, -4.0), &floor).hit().unwrap();
    /// assert_eq!((hit.toi, hit.point, hit.normal), (0.5, dvec2(1.5, 0.0), dvec2(0.0, 1.0)));
    ///
    /// assert_eq!(load.sweep(dvec2(0.0, -1.0), &floor), Sweep::Clear);
    /// // Its side in line with the floor's end: it falls past.
    /// let beside = Aabb::new(dvec2(4.0, 2.0), dvec2(5.0, 3.0))?;
    /// assert_eq!(beside.sweep(dvec2(0.0, -4.0), &floor), Sweep::Clear);
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    /// Against shapes with an area:
    /// ```
    /// use surefoot_geometry::{Aabb, ConvexPolygon, Obb, Sweep, Triangle, dvec2};
    ///
    /// let load = Aabb::new(dvec2(0.0, 2.0), dvec2(1.0, 3.0))?;
    /// let down = dvec2(0.0, -4.0);
    /// let ramp = Triangle::new([dvec2(0.0, -2.0), dvec2(3.0, -2.0), dvec2(0.0, 1.0)])?;
    /// let tile = ConvexPolygon::new(&[dvec2(0.0, 0.0), dvec2(1.0, -1.0), dvec2(2.0, 0.0), dvec2(1.0, 1.0)])?;
    /// assert_eq!(load.sweep(down, &ramp).hit().unwrap().toi, 0.25);
    /// assert_eq!(load.sweep(down, &tile).hit().unwrap().point, dvec2(1.0, 1.0));
    /// let tipped = Obb::new(dvec2(0.5, -1.0), dvec2(1.0, 1.0), dvec2(0.0, 1.0))?;
    /// assert_eq!(load.sweep(down, &tipped).hit().unwrap().toi, 0.5);
    ///
    /// // Corner on corner, as much from above as from the side.
    /// let block = Aabb::new(dvec2(-3.0, -1.0), dvec2(-2.0, 0.0))?;
    /// let hit = load.sweep(dvec2(-4.0, -4.0), &block).hit().unwrap();
    /// assert!(hit.toi == 0.5 && hit.normal.x == hit.normal.y);
    /// assert_eq!(load.sweep(dvec2(-4.0, 0.0), &block), Sweep::Clear);
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn sweep(&self, motion: DVec2, obstacle: &impl Bounded) -> Sweep {
        self.sweep_relative_motion(motion, obstacle.as_any_shape(), DVec2::ZERO)
    }

    /// Sweeps the box along `motion` against an obstacle that moves by `obstacle_motion` in the same time.
    ///
    /// The result is that of [`Aabb::sweep`] with the motion `motion - obstacle_motion`, rounded to f64, with the
    /// same rules and accuracy. Only [`Hit::point`](crate::Hit::point) differs: it is on the moved obstacle, where
    /// the obstacle is at the time of impact.
    ///
    /// If a motion or their difference is not finite, or longer than 2^25 on an axis, the result is [`Sweep::Clear`].
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Aabb, Segment, Sweep, dvec2};
    ///
    /// let load = Aabb::new(dvec2(1.0, 2.0), dvec2(2.0, 3.0))?;
    /// let lift = Segment::new(dvec2(0.0, 0.0), dvec2(4.0, 0.0))?;
    /// let hit = load.sweep_moving(dvec2(1.0, -2.0), &lift, dvec2(0.0, 2.0)).hit().unwrap();
    /// assert_eq!((hit.toi, hit.point), (0.5, dvec2(2.0, 1.0)));
    ///
    /// // Both move alike; the lift comes only to touch.
    /// assert_eq!(load.sweep_moving(dvec2(0.0, 5.0), &lift, dvec2(0.0, 5.0)), Sweep::Clear);
    /// assert_eq!(load.sweep_moving(dvec2(0.0, 0.0), &lift, dvec2(0.0, 2.0)), Sweep::Clear);
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn sweep_moving(&self, motion: DVec2, obstacle: &impl Bounded, obstacle_motion: DVec2) -> Sweep {
        self.sweep_relative_motion(relative_motion(motion, obstacle_motion), obstacle.as_any_shape(), obstacle_motion)
    }

    /// Sweeps in the frame of the obstacle, which itself moves by `obstacle_motion`.
    // Always inline: if the kind of obstacle is known at compile time, the match disappears.
    #[inline(always)]
    fn sweep_relative_motion(&self, motion: DVec2, obstacle: AnyShape<'_>, obstacle_motion: DVec2) -> Sweep {
        if let AnyShape::Segment(segment) = obstacle
            && let Some(sweep) = slab::sweep(self, motion, segment, obstacle_motion)
        {
            return sweep;
        }
        self.as_mover().sweep(motion, &obstacle.core(), obstacle_motion)
    }

    #[inline]
    fn as_mover(&self) -> Mover {
        Mover { min: self.min(), max: self.max(), radius: 0.0 }
    }
}

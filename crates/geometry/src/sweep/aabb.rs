use super::mover::{Mover, relative};
use super::{Bounded, Sweep, slab};
use crate::shapes::{Aabb, AnyShape};
use glam::DVec2;

impl Aabb {
    /// Sweeps the box along `motion` against a fixed obstacle and returns the earliest hit.
    ///
    /// Lengths are in any unit, y up. [`Sweep`] defines the rules for touching, grazing and overlap:
    /// - Touching at the start and moving in is a hit at time 0.
    /// - Moving along or away, grazing, only touching at the end of the motion, and no motion are [`Sweep::Clear`].
    /// - A motion that is not finite, or more than 2^25 along an axis, is [`Sweep::Clear`]. Components below 2^-200
    ///   count as 0.
    /// - A box without width hits an equally flat obstacle only by crossing it.
    /// - Where a corner hits a corner, the normal is that of the side more opposed to the motion. If two sides are
    ///   equally opposed, the normal is halfway between theirs.
    ///
    /// The error of the time of impact is at most [`tolerance::IMPACT`](crate::tolerance::IMPACT) along the path. Moved
    /// by `motion * toi`, the box touches the obstacle within four times [`ROUNDING`](crate::tolerance::ROUNDING). Both
    /// bounds are fractions of the scene's size (see [`Shape`](crate::Shape)), motion included. Only the second bound
    /// holds if the angle between path and side or arc has a sine below 2^-48. The time is then the earliest that 98
    /// bits allow.
    ///
    /// The case (clear, hit or overlapping) is exact. It agrees with [`overlaps`](crate::Shape::overlaps) at the start
    /// of the motion. It also agrees at the end, if f64 represents the end exactly.
    ///
    /// Derived here: the sweep is a ray cast against the Minkowski sum of obstacle and box. The box shrinks to a point
    /// and the obstacle grows to the polygon of the differences of their corners. The ray enters the polygon through
    /// one of its sides.
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
        self.sweep_seen(motion, obstacle.any(), DVec2::ZERO)
    }

    /// Sweeps the box along `motion` against an obstacle that moves by `obstacle_motion` in the same time.
    ///
    /// The result is [`Aabb::sweep`] with the difference of the two motions, rounded once to f64. The motions and their
    /// difference must be finite and at most 2^25 along an axis. Otherwise the result is [`Sweep::Clear`].
    ///
    /// The hit's point is the contact point at the time of impact, on the moved obstacle. [`Aabb::sweep`] defines
    /// accuracy, touching and overlap.
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
        self.sweep_seen(relative(motion, obstacle_motion), obstacle.any(), obstacle_motion)
    }

    /// The sweep as it is seen from an obstacle that itself goes by `carried`.
    // Always, so that what is known of the obstacle's kind decides when it is compiled.
    #[inline(always)]
    fn sweep_seen(&self, motion: DVec2, obstacle: AnyShape<'_>, carried: DVec2) -> Sweep {
        if let AnyShape::Segment(segment) = obstacle
            && let Some(sweep) = slab::sweep(self, motion, segment, carried)
        {
            return sweep;
        }
        self.mover().sweep(motion, &obstacle.core(), carried)
    }

    #[inline]
    fn mover(&self) -> Mover {
        Mover { min: self.min(), max: self.max(), radius: 0.0 }
    }
}

use super::mover::{Mover, relative};
use super::{Bounded, Sweep, slab};
use crate::shapes::{Aabb, AnyShape};
use glam::DVec2;

impl Aabb {
    /// Where does the box, moving by `motion`, first meet an obstacle that stands still?
    ///
    /// Lengths in any unit, y up. A motion that is not finite, or more than 2^25 along an axis, is [`Sweep::Clear`]; steps
    /// below 2^-200 are taken as 0. What counts as a hit is said at [`Sweep`]: touching at the start and moving in is a
    /// hit at 0; moving along or away, grazing, only touching where the motion ends, and no motion are clear. A box without
    /// width hits what is as flat only by crossing it. Where a corner meets a corner, the normal is that of the side more
    /// opposed to the motion; of two that are equally opposed, the direction halfway between theirs.
    ///
    /// The time of impact is within [`tolerance::IMPACT`](crate::tolerance::IMPACT) along the path; moved by
    /// `motion * toi`, the box touches the obstacle to within four [`ROUNDING`](crate::tolerance::ROUNDING), both of the
    /// scene's size with the motion. A path that meets a side or an arc at an angle with a sine below 2^-48 keeps the
    /// second only; its time is the earliest that 98 bits allow. Which of clear, hit and
    /// overlapping it is, is decided exactly, so that it agrees with [`overlaps`](crate::Shape::overlaps) where the motion
    /// begins and, if that is exact in f64, where it ends.
    ///
    /// Derived here: the box shrinks to a point and the obstacle grows by it, to the polygon of the differences of their
    /// corners; a ray enters that through one of its sides.
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
    /// Against what has an area:
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

    /// As [`Aabb::sweep`], where the obstacle moves too, by `obstacle_motion` in the same time.
    ///
    /// The sweep by the difference of the two motions, rounded once to f64; each of them and the difference must be finite
    /// and at most 2^25 along an axis, else it is [`Sweep::Clear`]. The point is where the two touch at that time, on the
    /// obstacle where it then is. Accuracy and boundary as of [`sweep`](Aabb::sweep).
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

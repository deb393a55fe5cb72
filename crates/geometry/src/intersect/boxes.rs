use super::Intersect;
use crate::shapes::Aabb;

impl Intersect<Aabb> for Aabb {
    type Shared = Option<Aabb>;

    /// Returns the area that both boxes share as a box, or `None` if the boxes are apart; exact.
    ///
    /// Boxes include their boundary: if they touch only in a side or a corner, the result is a flat box or a single
    /// point. The result uses only coordinates of the two boxes.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Aabb, DVec2, Intersect, dvec2};
    ///
    /// let room = Aabb::new(DVec2::ZERO, dvec2(4.0, 3.0))?;
    /// let water = Aabb::new(dvec2(1.0, -2.0), dvec2(9.0, 1.0))?;
    /// assert_eq!(room.intersect(&water), Some(Aabb::new(dvec2(1.0, 0.0), dvec2(4.0, 1.0))?));
    ///
    /// assert_eq!(room.intersect(&Aabb::new(dvec2(5.0, 0.0), dvec2(6.0, 1.0))?), None);
    ///
    /// let next_door = Aabb::new(dvec2(4.0, 0.0), dvec2(8.0, 3.0))?;
    /// assert_eq!(room.intersect(&next_door), Some(Aabb::new(dvec2(4.0, 0.0), dvec2(4.0, 3.0))?));
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    fn intersect(&self, other: &Aabb) -> Option<Aabb> {
        Aabb::new(self.min().max(other.min()), self.max().min(other.max())).ok()
    }
}

use super::mover::{Mover, relative};
use super::{Bounded, Sweep};
use crate::shapes::Aabb;
use glam::DVec2;

impl Aabb {
    /// Where does it, moving by `motion`, first meet an obstacle that stands still?
    #[must_use]
    #[inline]
    pub fn sweep(&self, motion: DVec2, obstacle: &impl Bounded) -> Sweep {
        self.mover().sweep(motion, &obstacle.any().core(), DVec2::ZERO)
    }

    /// The same where the obstacle moves too, by `obstacle_motion` in the same time.
    #[must_use]
    #[inline]
    pub fn sweep_moving(&self, motion: DVec2, obstacle: &impl Bounded, obstacle_motion: DVec2) -> Sweep {
        self.mover().sweep(relative(motion, obstacle_motion), &obstacle.any().core(), obstacle_motion)
    }

    #[inline]
    fn mover(&self) -> Mover {
        Mover { min: self.min(), max: self.max(), radius: 0.0 }
    }
}

use super::{Bounded, Sweep};
use crate::shapes::Circle;
use glam::DVec2;

impl Circle {
    /// Where does it, moving by `motion`, first meet an obstacle that stands still?
    #[must_use]
    pub fn sweep(&self, _motion: DVec2, _obstacle: &impl Bounded) -> Sweep {
        todo!()
    }

    /// The same where the obstacle moves too, by `obstacle_motion` in the same time.
    #[must_use]
    pub fn sweep_moving(&self, _motion: DVec2, _obstacle: &impl Bounded, _obstacle_motion: DVec2) -> Sweep {
        todo!()
    }
}

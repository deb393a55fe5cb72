//! Past a corner: how far a shape has to step aside so that the end of what it has run into is not in its way any more.

use super::cast::Probe;
use super::surface::{Surface, lattice};
use super::tolerance;
use glam::I64Vec2;
use surefoot_geometry::Position;

impl Probe<'_> {
    /// The displacement aside, an axis direction times a number of units that is at most `limit`, after which the shape makes a
    /// displacement onward without meeting anything. As few units as it takes for the shape's rear side to be past the ends of what is
    /// in the way. `None` if nothing is, if there is no room aside, or if the ends are further.
    pub(crate) fn past_ends(
        &mut self,
        position: Position,
        aside: I64Vec2,
        onward: I64Vec2,
        limit: i64,
    ) -> Option<I64Vec2> {
        let rear = position.units().dot(aside) - self.shape.half().dot(aside.abs());
        let mut made = 0;
        for _ in 0..tolerance::CORNERS {
            if self.cast(position + aside * made, onward).is_none() {
                break;
            }
            let far = |surface: &Surface| {
                let ends = [surface.piece.a, surface.piece.b].map(|end| (surface.at + lattice(end)).dot(aside));
                ends[0].max(ends[1])
            };
            let step = self.hits().iter().map(far).max()? - rear;
            if step <= made || step > limit || self.cast(position, aside * step).is_some() {
                return None;
            }
            made = step;
        }
        let is_free = made > 0 && self.cast(position + aside * made, onward).is_none();
        is_free.then_some(aside * made)
    }
}

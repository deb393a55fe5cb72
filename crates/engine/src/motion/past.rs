//! Past a corner: how far a shape has to step aside so that the end of what it has run into is not in its way any more. And up a step.

use super::cast::Probe;
use super::surface::{Surface, lattice};
use super::tolerance;
use glam::I64Vec2;
use surefoot_geometry::Position;
use surefoot_geometry::exact::tolerance::TOUCH;

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
            if self.recast(position + aside * made, onward).is_none() {
                break;
            }
            let far = |surface: &Surface| {
                let ends = [surface.piece.a, surface.piece.b].map(|end| (surface.at + lattice(end)).dot(aside));
                ends[0].max(ends[1])
            };
            let step = self.rechecked().iter().map(far).max()? - rear;
            if step <= made || step > limit || self.recast(position, aside * step).is_some() {
                return None;
            }
            made = step;
        }
        let is_free = made > 0 && self.recast(position + aside * made, onward).is_none();
        is_free.then_some(aside * made)
    }

    /// The way up a step of at most a height that stands in the way of a shape on a floor, which goes to that side, and on to the floor above:
    /// a box with its edge, a circle until its centre is over it. `None` if there is no such step, no room for the way, or no floor.
    pub(crate) fn past_step(&mut self, position: Position, go: I64Vec2, limit: i64) -> Option<[I64Vec2; 2]> {
        let axis = self.scene.frame.axis();
        let onward = if self.shape.is_circle() { self.shape.half().x } else { 0 } + TOUCH + 1;
        let up = self.past_ends(position, axis, go * onward.max(tolerance::ROOM), limit)?;
        let way = [up, go * onward];
        let over = position + way[0] + way[1];
        let down = -axis * tolerance::SNAP;
        self.recast(over, down)?;
        let frame = self.scene.frame;
        self.rechecked().iter().any(|surface| frame.is_floor(surface.normal(over + down))).then_some(way)
    }
}

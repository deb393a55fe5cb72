//! Corner correction, step-up and ledge grab: how far a shape must shift to clear the corner, step or wall that it hit.

use super::cast::Probe;
use super::surface::{Surface, lattice_to_units};
use super::{Shape, tolerance};
use glam::I64Vec2;
use surefoot_geometry::Position;
use surefoot_geometry::exact::tolerance::TOUCH;

/// Returns how far along `direction` the ends of surfaces reach, in units.
fn distance_of_farthest_end<'s>(surfaces: impl IntoIterator<Item = &'s Surface>, direction: I64Vec2) -> Option<i64> {
    let ends = surfaces.into_iter().flat_map(|surface| [surface.piece.a, surface.piece.b].map(|end| (surface, end)));
    ends.map(|(surface, end)| (surface.at + lattice_to_units(end)).dot(direction)).max()
}

/// Returns how far along `direction` the rear side of a shape is, in units.
fn distance_of_rear_side(shape: Shape, position: Position, direction: I64Vec2) -> i64 {
    position.units().dot(direction) - shape.half_units().dot(direction.abs())
}

/// Returns how far a shape must move along `direction` until its rear side is past the ends of surfaces, in units.
pub(crate) fn distance_past_ends(
    surfaces: &[Surface],
    shape: Shape,
    position: Position,
    direction: I64Vec2,
) -> Option<i64> {
    Some(distance_of_farthest_end(surfaces, direction)? - distance_of_rear_side(shape, position, direction))
}

impl Probe<'_> {
    /// Returns the smallest shift along `aside` after which the shape can move by `onward` without a hit. The shift
    /// is at most `limit` units. It moves the shape's rear side past the ends of the surfaces that block the shape.
    ///
    /// `None` if nothing blocks the shape, if the shift itself is blocked, or if the ends of the surfaces are further
    /// away.
    pub(crate) fn find_shift_past_corners(
        &mut self,
        position: Position,
        aside: I64Vec2,
        onward: I64Vec2,
        limit: i64,
    ) -> Option<I64Vec2> {
        let rear = distance_of_rear_side(self.shape, position, aside);
        let mut shifted = 0;
        for _ in 0..tolerance::MAX_CORRECTION_CORNERS {
            if self.cast_keeping_last_hits(position + aside * shifted, onward).is_none() {
                break;
            }
            let step = distance_of_farthest_end(self.last_sub_move_hits(), aside)? - rear;
            if step <= shifted || step > limit || self.cast_keeping_last_hits(position, aside * step).is_some() {
                return None;
            }
            shifted = step;
        }
        let is_free = shifted > 0 && self.cast_keeping_last_hits(position + aside * shifted, onward).is_none();
        is_free.then_some(aside * shifted)
    }

    /// Returns the path up a step of at most `limit` units in front of a shape on a floor: straight up, and sideways by
    /// `go` onto the floor above.
    ///
    /// A box moves with its edge onto the floor, a circle until its centre is over it. `None` if there is no such step,
    /// no room for the path, or no floor above.
    pub(crate) fn find_path_up_step(&mut self, position: Position, go: I64Vec2, limit: i64) -> Option<[I64Vec2; 2]> {
        let axis = self.scene.frame.up_axis();
        let onward = if self.shape.is_circle() { self.shape.half_units().x } else { 0 } + TOUCH + 1;
        let up =
            self.find_shift_past_corners(position, axis, go * onward.max(tolerance::MIN_CORRECTION_ROOM_UNITS), limit)?;
        let parts = [up, go * onward];
        let over = position + parts[0] + parts[1];
        let down = -axis * tolerance::MAX_SNAP_UNITS;
        self.cast_keeping_last_hits(over, down)?;
        let frame = self.scene.frame;
        self.last_sub_move_hits().iter().any(|surface| frame.is_floor(surface.normal(over + down))).then_some(parts)
    }

    /// Returns how far a box next to a wall must rise until its lower side is level with the top of the wall, at most
    /// `limit`.
    ///
    /// `None` if no floor with room for the box begins at the top of the wall. That floor may be a slope that rises
    /// at once.
    pub(crate) fn find_rise_to_wall_top(&mut self, position: Position, go: I64Vec2, limit: i64) -> Option<i64> {
        let (axis, frame) = (self.scene.frame.up_axis(), self.scene.frame);
        let rear = distance_of_rear_side(self.shape, position, axis);
        let past = go * (TOUCH + 1);
        let mut risen = 0;
        for _ in 0..tolerance::MAX_CORRECTION_CORNERS {
            let at = position + axis * risen;
            self.cast_keeping_last_hits(at, past);
            let walls = self.last_sub_move_hits().iter().filter(|surface| {
                let normal = surface.normal(at);
                normal.dot(axis) == 0 && normal.dot(go) < 0
            });
            let Some(far) = distance_of_farthest_end(walls, axis) else { break };
            let step = far - rear;
            if step <= risen || step > limit || self.cast_keeping_last_hits(position, axis * step).is_some() {
                return None;
            }
            risen = step;
        }
        let at = position + axis * risen;
        let is_floor = |surface: &Surface, at| frame.is_floor(surface.normal(at));
        if self.cast_keeping_last_hits(at, past).is_some() {
            return (risen > 0 && self.last_sub_move_hits().iter().all(|surface| is_floor(surface, at)))
                .then_some(risen);
        }
        if risen == 0
            || self
                .cast_keeping_last_hits(at, go * tolerance::MIN_CORRECTION_ROOM_UNITS)
                .is_some_and(|_| !self.last_sub_move_hits().iter().all(|s| is_floor(s, at)))
        {
            return None;
        }
        let down = -axis * tolerance::MAX_SNAP_UNITS;
        self.cast_keeping_last_hits(at + past, down)?;
        self.last_sub_move_hits().iter().any(|surface| is_floor(surface, at + past + down)).then_some(risen)
    }

    /// Returns the position on top of a wall for a shape that hangs at the wall's top corner, with its centre over the
    /// end of the wall.
    ///
    /// The shape moves straight up by `up`, further if the floor rises, and then sideways. `None` if there is no such
    /// floor or no room for the path.
    pub(crate) fn find_position_on_wall_top(&mut self, position: Position, go: I64Vec2, up: i64) -> Option<Position> {
        let (axis, frame) = (self.scene.frame.up_axis(), self.scene.frame);
        let length = self.shape.half_units().dot(go.abs()) + TOUCH + 1;
        let onward = go * length;
        let mut is_free = |from, way| self.cast_keeping_last_hits(from, way).is_none_or(|part| part >= 1.0);
        let more = if is_free(position + axis * up, onward) { 0 } else { length };
        let highest = axis * (up + more);
        if !is_free(position, highest) || !is_free(position + highest, onward) {
            return None;
        }
        let reach = more + tolerance::MAX_SNAP_UNITS;
        let part = self.cast_keeping_last_hits(position + highest + onward, -axis * reach)?;
        let up = highest - axis * ((reach as f64 * part) as i64).min(more);
        let top = position + up + onward;
        let down = -axis * tolerance::MAX_SNAP_UNITS;
        let is_floor = |surface: &Surface| frame.is_floor(surface.normal(if more > 0 { top } else { top + down }));
        if !self.last_sub_move_hits().iter().any(is_floor) {
            return None;
        }
        (more == 0 || self.cast_keeping_last_hits(position + up, onward).is_none_or(|part| part >= 1.0)).then_some(top)
    }
}

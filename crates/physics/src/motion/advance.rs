//! Sub-moves: the straight parts of a move, each up to the earliest contact and never past it.
//!
//! `slide`, `walk` and the body solver move shapes only by sub-moves. A sweep finds the time of impact, and the
//! motion up to it is rounded to whole units. Before the shape moves, the rounded sub-move is swept once more against
//! everything. So a sub-move never ends in an overlap that did not exist before it, whatever the rounding did. By
//! induction no shape ever enters a solid.
//!
//! Along a surface, a shape moves by whole multiples of the surface's tangent, so its gap to the surface never
//! changes. So a flat row of tiles moves a shape exactly as one endless edge does, to the bit. Where a slide down
//! ends at a flat floor, a fraction of a tangent step closes the gap to that floor.

use super::cast::Probe;
use super::surface::{Surface, face};
use super::{Frame, Shape, tolerance};
use crate::terrain::Role;
use glam::I64Vec2;
use surefoot_geometry::Position;
use surefoot_geometry::exact::{Face, MovingBox, tangent};

/// A planned displacement. The shape follows it as far as the path is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    /// A straight displacement.
    Free(I64Vec2),
    /// A whole number of steps of a surface's tangent. They keep the gap to the surface exactly.
    Along { tangent: I64Vec2, steps: i64 },
}

impl Course {
    /// The whole displacement.
    pub(crate) fn displacement(self) -> I64Vec2 {
        match self {
            Course::Free(displacement) => displacement,
            Course::Along { tangent, steps } => tangent * steps,
        }
    }

    /// Returns a course for `part` of this course's displacement. It has the same kind if `part` consists of whole
    /// steps, else it is free.
    #[inline(always)]
    pub(super) fn with_displacement(self, part: I64Vec2) -> Course {
        if let Course::Along { tangent, .. } = self {
            let steps = part.dot(tangent) / tangent.dot(tangent);
            if tangent * steps == part {
                return Course::Along { tangent, steps };
            }
        }
        Course::Free(part)
    }

    /// Returns the part of the course up to `fraction`, rounded towards the start.
    pub(crate) fn displacement_until(self, fraction: f64) -> I64Vec2 {
        match self {
            Course::Free(displacement) => truncated_fraction_of(displacement, fraction),
            Course::Along { tangent, steps } => tangent * ((steps as f64 * fraction) as i64),
        }
    }
}

/// Returns a fraction of a displacement, with each axis rounded towards zero.
pub(crate) fn truncated_fraction_of(displacement: I64Vec2, fraction: f64) -> I64Vec2 {
    let part = displacement.as_dvec2() * fraction;
    I64Vec2::new(part.x as i64, part.y as i64)
}

/// The first part of a course, up to the first contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) displacement: I64Vec2,
    /// Time of the contact, as a fraction of the whole course. `None` if all of the course is free.
    pub(crate) toi: Option<f64>,
}

impl Probe<'_> {
    /// Returns how far the shape can move along `course`. The surfaces that it hits are in [`Probe::hits`].
    #[inline(always)]
    pub(super) fn find_free_part(&mut self, position: Position, course: Course) -> Part {
        let whole = course.displacement();
        match self.cast(position, whole) {
            None => Part { displacement: whole, toi: None },
            Some(toi) => Part { displacement: self.find_displacement_to_hit(position, course, toi), toi: Some(toi) },
        }
    }

    /// Returns the displacement to the contact that the last cast found on `course`. A sweep has checked it.
    pub(crate) fn find_displacement_to_hit(&mut self, position: Position, course: Course, toi: f64) -> I64Vec2 {
        Approach::find_displacement_to_hit(self, position, course, toi)
    }

    /// Returns the part of `course` up to `fraction`, shortened until it hits nothing. A sweep has checked it.
    pub(crate) fn find_clear_part_until(&mut self, position: Position, course: Course, fraction: f64) -> I64Vec2 {
        self.shorten_until_clear(position, course, course.displacement_until(fraction))
    }
}

/// A shape that has been cast and can move up to the contact.
pub(super) trait Approach {
    /// The cast shape.
    fn shape(&self) -> Shape;

    /// The frame that says which direction is up.
    fn frame(&self) -> Frame;

    /// Surfaces that the last cast hit.
    fn hits(&self) -> &[Surface];

    /// Casts a sub-move of the last cast's course and returns the time of impact. The hits of the last cast stay as
    /// they are.
    fn cast_again(&mut self, position: Position, motion: I64Vec2) -> Option<f64>;

    /// Surfaces that the last sub-move hit.
    fn last_sub_move_hits(&self) -> &[Surface];

    /// Returns the displacement to the contact that the last cast found on `course`. A sweep has checked it.
    fn find_displacement_to_hit(&mut self, position: Position, course: Course, toi: f64) -> I64Vec2 {
        if toi <= 0.0 {
            return I64Vec2::ZERO;
        }
        let part = match course {
            Course::Along { tangent, steps } => {
                let part = self
                    .displacement_to_faces_in_whole_steps(position, tangent, steps)
                    .unwrap_or_else(|| course.displacement_until(toi));
                let part = self.shorten_to_front_of_hit_surfaces(position, part, tangent);
                if let Some(down) = self.part_extended_down_to_floor(position, part, tangent * steps.signum())
                    && self.cast_again(position, down).is_none()
                {
                    return down;
                }
                part
            }
            Course::Free(_) => self.shorten_to_contact_with_faces(position, course.displacement_until(toi)),
        };
        self.shorten_until_clear(position, course, part)
    }

    /// Returns the part of a slide up to the axis-aligned faces that it hits: as many whole tangent steps as fit into
    /// the gap. `None` if the slide hits no such face.
    ///
    /// The time of impact alone would not do, because it is rounded: with one step too few, a box next to a wall
    /// would stop one unit above the floor.
    fn displacement_to_faces_in_whole_steps(
        &self,
        position: Position,
        tangent: I64Vec2,
        steps: i64,
    ) -> Option<I64Vec2> {
        let step = tangent * steps.signum();
        let fitting = self.hits().iter().filter_map(|surface| {
            let normal = surface.piece.normal.as_i64vec2();
            let closes = -normal.dot(step);
            let is_axis_aligned = surface.piece.role != Role::Arc && (normal.x == 0 || normal.y == 0);
            let gap =
                || gap_between_box_and_face(self.shape(), surface.relative_position(position), &face(&surface.piece));
            (is_axis_aligned && closes > 0).then(|| gap().max(0) / closes)
        });
        fitting.min().map(|fitting| step * fitting.min(steps.abs()))
    }

    /// Returns the part of a slide plus the fraction of a tangent step that closes the gap to a flat floor. `None` if
    /// whole steps close the gap.
    ///
    /// On a steep slope, one tangent step is several units high. The shape leaves the slope at the floor, so the
    /// fraction is rounded away from the slope.
    fn part_extended_down_to_floor(&self, position: Position, part: I64Vec2, step: I64Vec2) -> Option<I64Vec2> {
        let up = self.frame().up_axis();
        let high = -up.dot(step);
        let is_floor = |s: &&Surface| s.piece.role != Role::Arc && s.piece.normal.as_i64vec2() == up;
        let floor = self.hits().iter().find(is_floor)?;
        let gap = gap_between_box_and_face(self.shape(), floor.relative_position(position + part), &face(&floor.piece));
        (0 < gap && gap < high).then(|| {
            let aside = step + up * high;
            let wide = aside.abs().max_element();
            part - up * gap + aside.signum() * ((wide * gap + high - 1) / high)
        })
    }

    /// Shortens the part of a slide until a box is not behind any surface that it hits.
    fn shorten_to_front_of_hit_surfaces(&self, position: Position, mut part: I64Vec2, tangent: I64Vec2) -> I64Vec2 {
        if !self.shape().is_circle() {
            let step = if part.dot(tangent) < 0 { -tangent } else { tangent };
            let behind = |s: &Surface, part| {
                gap_between_box_and_face(self.shape(), s.relative_position(position + part), &face(&s.piece)) < 0
            };
            while part != I64Vec2::ZERO && self.hits().iter().any(|surface| behind(surface, part)) {
                part -= step;
            }
        }
        part
    }

    /// Returns the part of a free motion up to the contact. The gap to an axis-aligned face closes exactly.
    fn shorten_to_contact_with_faces(&self, position: Position, mut part: I64Vec2) -> I64Vec2 {
        for surface in self.hits() {
            let normal = surface.piece.normal.as_i64vec2();
            if surface.piece.role == Role::Arc || (normal.x != 0 && normal.y != 0) {
                continue;
            }
            let gap =
                gap_between_box_and_face(self.shape(), surface.relative_position(position), &face(&surface.piece));
            if normal.x != 0 {
                part.x = -gap * normal.x;
            } else {
                part.y = -gap * normal.y;
            }
        }
        part
    }

    /// Returns a sub-move that hits nothing: `part`, or `part` rounded away from the surface that it hits, or a shorter
    /// one.
    fn shorten_until_clear(&mut self, position: Position, course: Course, mut part: I64Vec2) -> I64Vec2 {
        if part == I64Vec2::ZERO {
            return part;
        }
        let Some(mut met) = self.cast_again(position, part) else { return part };
        if let Some(pushed) = self.round_away_from_hit_surface(position, course, part)
            && self.cast_again(position, pushed).is_none()
        {
            return pushed;
        }
        let mut room = 1.0;
        for _ in 0..tolerance::MAX_SHORTENINGS {
            let longest = part.abs().max_element() as f64;
            let fraction = met.min(1.0 - room / longest);
            if fraction <= 0.0 {
                break;
            }
            part = match course {
                Course::Free(_) => truncated_fraction_of(part, fraction),
                Course::Along { tangent, .. } => {
                    let steps = part.dot(tangent) / tangent.dot(tangent);
                    tangent * ((steps as f64 * fraction) as i64)
                }
            };
            if part == I64Vec2::ZERO {
                break;
            }
            match self.cast_again(position, part) {
                None => return part,
                Some(again) => met = again,
            }
            room *= tolerance::SHORTENING_GROWTH;
        }
        I64Vec2::ZERO
    }

    /// Rounds a part of a course that hits a surface up instead of down on some axes:
    ///
    /// - On a free course and at an axis-aligned face, on the axis along the face: the shape hit the face near its end,
    ///   and without rounding the motion passes that end.
    /// - Otherwise, on every axis that points away from the surface.
    ///
    /// Returns `None` if the part has no such axis, and if two hit surfaces have different normals.
    fn round_away_from_hit_surface(&self, position: Position, course: Course, part: I64Vec2) -> Option<I64Vec2> {
        let met = self.last_sub_move_hits();
        let normal = met.first()?.normal(position);
        if met.iter().any(|s| s.normal(position) != normal) {
            return None;
        }
        let is_axis_aligned = met[0].is_flat() && (normal.x == 0 || normal.y == 0);
        let push = if is_axis_aligned && let Course::Free(_) = course {
            unit_along_face(normal, part)
        } else {
            let away = |n: i64, d: i64| if n.signum() * d.signum() > 0 { d.signum() } else { 0 };
            I64Vec2::new(away(normal.x, part.x), away(normal.y, part.y))
        };
        (push != I64Vec2::ZERO).then_some(part + push)
    }
}

/// Returns one unit along an axis-aligned face, in the direction of a motion. Zero if the motion is along the normal.
pub(super) fn unit_along_face(normal: I64Vec2, motion: I64Vec2) -> I64Vec2 {
    I64Vec2::select(normal.cmpeq(I64Vec2::ZERO), motion.signum(), I64Vec2::ZERO)
}

/// Returns the gap between a box and a face, in units times the length of the face's normal. Also valid for a circle
/// if the face is axis-aligned.
fn gap_between_box_and_face(shape: Shape, center: I64Vec2, face: &Face) -> i64 {
    MovingBox { center, half: shape.half_units(), motion: I64Vec2::ZERO }.gap(face)
}

/// Returns the slide along a surface that comes nearest to a displacement, in whole steps of the tangent.
pub(crate) fn course_along_surface(normal: I64Vec2, displacement: I64Vec2) -> Course {
    let tangent = tangent(normal);
    Course::Along { tangent, steps: displacement.dot(tangent) / tangent.dot(tangent) }
}

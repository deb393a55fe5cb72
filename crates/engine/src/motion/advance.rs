//! Sub-moves: from a place towards the earliest contact, never past it.
//!
//! The motion up to a time of impact is rounded to whole units, and the rounded sub-move is swept once more against
//! everything before it is taken. So no place that is ever reached overlaps anything that the place before did not: by
//! induction nothing ever gets inside, whatever the rounding did.
//!
//! A slide goes by whole multiples of the surface's tangent. Its gap to the surface never changes, and a flat row of
//! tiles moves a shape bit for bit as one endless edge does. Where the slide ends at a level floor, a part of a step follows that closes
//! the gap to that floor.

use super::cast::Probe;
use super::surface::{Surface, face};
use super::{Frame, Shape, tolerance};
use crate::terrain::Role;
use glam::I64Vec2;
use surefoot_geometry::Position;
use surefoot_geometry::exact::{Face, MovingBox, tangent};

/// A motion that is to be made as far as the way is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    /// Straight by a displacement.
    Free(I64Vec2),
    /// By a whole number of steps of a surface's tangent, which keeps the gap to the surface to the unit.
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

    /// A displacement as a course of the same kind, if it is a part of this one.
    #[inline(always)]
    pub(super) fn to(self, part: I64Vec2) -> Course {
        if let Course::Along { tangent, .. } = self {
            let steps = part.dot(tangent) / tangent.dot(tangent);
            if tangent * steps == part {
                return Course::Along { tangent, steps };
            }
        }
        Course::Free(part)
    }

    /// The part of the course up to a fraction, rounded towards the start.
    pub(crate) fn part(self, fraction: f64) -> I64Vec2 {
        match self {
            Course::Free(displacement) => truncated(displacement, fraction),
            Course::Along { tangent, steps } => tangent * ((steps as f64 * fraction) as i64),
        }
    }
}

/// A fraction of a displacement, each axis rounded towards zero.
pub(crate) fn truncated(displacement: I64Vec2, fraction: f64) -> I64Vec2 {
    let part = displacement.as_dvec2() * fraction;
    I64Vec2::new(part.x as i64, part.y as i64)
}

/// A straight part of a way, up to the first contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) displacement: I64Vec2,
    /// When the contact is, as a fraction of the whole course; `None` if all of the course is free.
    pub(crate) toi: Option<f64>,
}

impl Probe<'_> {
    /// How far the shape comes on a course; what it meets then is in [`Probe::hits`].
    #[inline(always)]
    pub(super) fn look_ahead(&mut self, position: Position, course: Course) -> Part {
        let whole = course.displacement();
        match self.cast(position, whole) {
            None => Part { displacement: whole, toi: None },
            Some(toi) => Part { displacement: self.approach(position, course, toi), toi: Some(toi) },
        }
    }

    /// The displacement that brings the shape to the contact that the last cast found on its course, swept clean.
    pub(crate) fn approach(&mut self, position: Position, course: Course, toi: f64) -> I64Vec2 {
        Approach::approach(self, position, course, toi)
    }

    /// A part of a course up to a fraction that meets nothing, swept clean.
    pub(crate) fn part_until(&mut self, position: Position, course: Course, fraction: f64) -> I64Vec2 {
        self.swept_clean(position, course, course.part(fraction))
    }
}

/// A caster that has cast a shape and can bring it to the contact.
pub(super) trait Approach {
    /// The shape that is cast.
    fn shape(&self) -> Shape;

    /// Which way is up.
    fn frame(&self) -> Frame;

    /// What the last cast has met.
    fn hits(&self) -> &[Surface];

    /// Casts a sub-move of the last cast's course and leaves the hits of that cast as they are; answers as the cast
    /// does.
    fn recast(&mut self, position: Position, motion: I64Vec2) -> Option<f64>;

    /// What the last sub-move has met.
    fn rechecked(&self) -> &[Surface];

    /// The displacement that brings the shape to the contact that the last cast found on its course, swept clean.
    fn approach(&mut self, position: Position, course: Course, toi: f64) -> I64Vec2 {
        if toi <= 0.0 {
            return I64Vec2::ZERO;
        }
        let part = match course {
            Course::Along { tangent, steps } => {
                let part = self.steps_to_faces(position, tangent, steps).unwrap_or_else(|| course.part(toi));
                let part = self.held_back(position, part, tangent);
                if let Some(down) = self.down_to_floor(position, part, tangent * steps.signum())
                    && self.recast(position, down).is_none()
                {
                    return down;
                }
                part
            }
            Course::Free(_) => self.up_to_faces(position, course.part(toi)),
        };
        self.swept_clean(position, course, part)
    }

    /// A slide's part up to the axis-aligned faces that it meets, if any: as many whole steps as fit into the gap. The time of
    /// impact is rounded, and a step less would leave a box beside a wall a unit over the floor.
    fn steps_to_faces(&self, position: Position, tangent: I64Vec2, steps: i64) -> Option<I64Vec2> {
        let step = tangent * steps.signum();
        let fitting = self.hits().iter().filter_map(|surface| {
            let normal = surface.piece.normal.as_i64vec2();
            let closes = -normal.dot(step);
            let is_axial = surface.piece.role != Role::Arc && (normal.x == 0 || normal.y == 0);
            let gap = || support_gap(self.shape(), surface.seen(position), &face(&surface.piece));
            (is_axial && closes > 0).then(|| gap().max(0) / closes)
        });
        fitting.min().map(|fitting| step * fitting.min(steps.abs()))
    }

    /// Returns a slide's part with the part of a step that is left over a level floor. `None` if whole steps close the gap.
    ///
    /// A step down a steep slope is several units high. The part of a step is rounded off the slope, which the slide leaves there.
    fn down_to_floor(&self, position: Position, part: I64Vec2, step: I64Vec2) -> Option<I64Vec2> {
        let up = self.frame().axis();
        let high = -up.dot(step);
        let is_floor = |s: &&Surface| s.piece.role != Role::Arc && s.piece.normal.as_i64vec2() == up;
        let floor = self.hits().iter().find(is_floor)?;
        let gap = support_gap(self.shape(), floor.seen(position + part), &face(&floor.piece));
        (0 < gap && gap < high).then(|| {
            let aside = step + up * high;
            let wide = aside.abs().max_element();
            part - up * gap + aside.signum() * ((wide * gap + high - 1) / high)
        })
    }

    /// A slide's part up to the contact, shortened until a box is not behind what it meets.
    fn held_back(&self, position: Position, mut part: I64Vec2, tangent: I64Vec2) -> I64Vec2 {
        if !self.shape().is_circle() {
            let step = if part.dot(tangent) < 0 { -tangent } else { tangent };
            let behind = |s: &Surface, part| support_gap(self.shape(), s.seen(position + part), &face(&s.piece)) < 0;
            while part != I64Vec2::ZERO && self.hits().iter().any(|surface| behind(surface, part)) {
                part -= step;
            }
        }
        part
    }

    /// A free motion's part up to the contact: against an axis-aligned face the gap closes exactly.
    fn up_to_faces(&self, position: Position, mut part: I64Vec2) -> I64Vec2 {
        for surface in self.hits() {
            let normal = surface.piece.normal.as_i64vec2();
            if surface.piece.role == Role::Arc || (normal.x != 0 && normal.y != 0) {
                continue;
            }
            let gap = support_gap(self.shape(), surface.seen(position), &face(&surface.piece));
            if normal.x != 0 {
                part.x = -gap * normal.x;
            } else {
                part.y = -gap * normal.y;
            }
        }
        part
    }

    /// A sub-move that meets nothing: the one asked for, or one rounded away from what it met, or a shorter one.
    fn swept_clean(&mut self, position: Position, course: Course, mut part: I64Vec2) -> I64Vec2 {
        if part == I64Vec2::ZERO {
            return part;
        }
        let Some(mut met) = self.recast(position, part) else { return part };
        if let Some(pushed) = self.rounded_away(position, part)
            && self.recast(position, pushed).is_none()
        {
            return pushed;
        }
        let mut room = 1.0;
        for _ in 0..tolerance::SHORTENINGS {
            let longest = part.abs().max_element() as f64;
            let fraction = met.min(1.0 - room / longest);
            if fraction <= 0.0 {
                break;
            }
            part = match course {
                Course::Free(_) => truncated(part, fraction),
                Course::Along { tangent, .. } => {
                    let steps = part.dot(tangent) / tangent.dot(tangent);
                    tangent * ((steps as f64 * fraction) as i64)
                }
            };
            if part == I64Vec2::ZERO {
                break;
            }
            match self.recast(position, part) {
                None => return part,
                Some(again) => met = again,
            }
            room *= tolerance::GIVE_WAY;
        }
        I64Vec2::ZERO
    }

    /// The sub-move with every axis that leads away from the surface rounded the other way, if all that it met faces the
    /// same way.
    fn rounded_away(&self, position: Position, part: I64Vec2) -> Option<I64Vec2> {
        let met = self.rechecked();
        let normal = met.first()?.normal(position);
        if met.iter().any(|s| s.normal(position) != normal) {
            return None;
        }
        let away = |n: i64, d: i64| if n.signum() * d.signum() > 0 { d.signum() } else { 0 };
        let push = I64Vec2::new(away(normal.x, part.x), away(normal.y, part.y));
        (push != I64Vec2::ZERO).then_some(part + push)
    }
}

/// The gap of a box to a face, in units times the normal's length; of a circle too if the face is axis-aligned.
fn support_gap(shape: Shape, center: I64Vec2, face: &Face) -> i64 {
    MovingBox { center, half: shape.half_units(), motion: I64Vec2::ZERO }.gap(face)
}

/// The slide along a surface that comes nearest to a displacement, by whole steps of the tangent.
pub(crate) fn along(normal: I64Vec2, displacement: I64Vec2) -> Course {
    let tangent = tangent(normal);
    Course::Along { tangent, steps: displacement.dot(tangent) / tangent.dot(tangent) }
}

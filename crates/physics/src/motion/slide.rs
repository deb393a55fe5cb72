//! Move-and-slide: how the surfaces that a shape hits redirect its motion.
//!
//! A *held surface* is one that the shape touches and must not move into.
//!
//! 1. Cast the remaining motion and advance to the earliest hit.
//! 2. Hold every surface hit there, and keep the held surfaces that the shape still touches.
//! 3. Take the remaining part of the original motion. Of the slides along the held surfaces that point into none of
//!    the others, choose the one that goes furthest. If there is none, or if two go equally far, the slide ends.
//! 4. Repeat, at most [`tolerance::MAX_SLIDE_ROUNDS`] times.
//!
//! Step 3 projects the original motion. Projecting a projected motion again would make circles tremble in notches.

use super::advance::{Course, Part, course_along_surface, truncated_fraction_of};
use super::cast::{Probe, Scene, Scratch};
use super::surface::Surface;
use super::trace::{Trace, Untraced};
use super::{Path, Shape, Surfaces, tolerance};
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::Position;
use surefoot_geometry::exact::wide_dot;

/// An impact that ends one round of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Impact<'a> {
    /// Fraction of the whole motion that is done at the impact, in [0, 1].
    pub(crate) toi: f64,
    /// Position of the shape at the impact.
    pub(crate) position: Position,
    /// Surfaces that the shape hit.
    pub(crate) struck: &'a [Surface],
    /// Surfaces that the shape hit, and those that it still held from before.
    pub(crate) held: &'a [Surface],
}

/// Result of a slide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlideResult {
    pub(crate) position: Position,
    /// Fraction of the whole motion that is done at the last impact, in [0, 1].
    pub(crate) done_fraction: f64,
    /// Whether several surfaces stopped the motion completely. The body then has no velocity either.
    pub(crate) stopped: bool,
    /// Whether the held surfaces stopped the motion before its end.
    pub(crate) halted: bool,
    /// Whether the shape moved by the whole motion and is known to touch nothing at its end.
    clear: bool,
}

/// A slide to start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slide {
    /// Start of the move. A shape that surfaces stop near this position is moved back to it.
    start: Position,
    position: Position,
    motion: I64Vec2,
}

impl Slide {
    pub(crate) fn new(start: Position, motion: I64Vec2) -> Slide {
        Slide { start, position: start, motion }
    }

    /// Starts a slide at `position`, as part of a move that began at `start`.
    pub(crate) fn resume_at(start: Position, position: Position, motion: I64Vec2) -> Slide {
        Slide { start, position, motion }
    }

    /// Start of the move.
    pub(crate) fn start(&self) -> Position {
        self.start
    }
}

/// How surfaces redirect a displacement.
enum SlideChoice {
    Go(Course),
    Stop,
}

impl Probe<'_> {
    /// Moves the shape by a displacement that slides along the hit surfaces. Adds each straight part to `path`.
    ///
    /// Each round projects the remaining original motion on all held surfaces at once. The number of rounds is bounded.
    /// `redirect` sees each impact and can change the remaining motion.
    #[inline(always)]
    pub(crate) fn slide(
        &mut self,
        start: Position,
        motion: I64Vec2,
        path: &mut Path,
        redirect: impl FnMut(&Impact<'_>, I64Vec2) -> I64Vec2,
    ) -> SlideResult {
        if self.scene.around.has_bodies() {
            return self.slide_by_casts(Slide::new(start, motion), path, Untraced, redirect);
        }
        self.run_slide(Slide::new(start, motion), path, Untraced, redirect)
    }

    /// Runs a slide.
    #[inline(always)]
    pub(crate) fn run_slide<T: Trace>(
        &mut self,
        slide: Slide,
        path: &mut Path,
        trace: T,
        redirect: impl FnMut(&Impact<'_>, I64Vec2) -> I64Vec2,
    ) -> SlideResult {
        let Slide { position: start, motion, .. } = slide;
        if !T::RECORDS && self.test_if_surely_clear(start, motion) {
            if motion != I64Vec2::ZERO {
                path.push(start + motion);
            }
            return SlideResult {
                position: start + motion,
                done_fraction: 1.0,
                stopped: false,
                halted: false,
                clear: true,
            };
        }
        self.slide_by_casts(slide, path, trace, redirect)
    }

    /// Slides among pieces that the shape may hit.
    #[inline(never)]
    pub(crate) fn slide_by_casts<T: Trace>(
        &mut self,
        slide: Slide,
        path: &mut Path,
        trace: T,
        mut redirect: impl FnMut(&Impact<'_>, I64Vec2) -> I64Vec2,
    ) -> SlideResult {
        let Slide { start, mut position, motion: mut rest } = slide;
        let (mut course, mut made, mut halted) = (Course::Free(rest), 0.0, false);
        self.scratch.held.clear();
        for _ in 0..tolerance::MAX_SLIDE_ROUNDS {
            if course.displacement() == I64Vec2::ZERO {
                break;
            }
            let Part { displacement: part, toi } = self.find_free_part_among_bodies(position, course);
            let time = made + (1.0 - made) * toi.unwrap_or(1.0);
            trace.record(position, part, || (made, time));
            let Some(toi) = toi else {
                position = position + part;
                path.push(position);
                halted = false;
                break;
            };
            if part != I64Vec2::ZERO {
                position = position + part;
                path.push(position);
            }
            rest = if course == Course::Free(rest) { rest - part } else { truncated_fraction_of(rest, 1.0 - toi) };
            made = time;
            self.update_held_surfaces(position, part);
            let impact = Impact { toi: made, position, struck: self.hits(), held: &self.scratch.held };
            rest = redirect(&impact, rest);
            halted = rest != I64Vec2::ZERO;
            match choose_slide(&self.scratch.held, position, rest) {
                SlideChoice::Go(next) => course = next,
                SlideChoice::Stop => {
                    let stopped = self.scratch.held.len() > 1;
                    let position = self.move_back_if_wedged(start, position, path);
                    return SlideResult { position, done_fraction: made, stopped, halted, clear: false };
                }
            }
        }
        SlideResult { position, done_fraction: made, stopped: false, halted, clear: false }
    }

    /// Finds the surfaces that the shape touches at the end of a slide.
    #[inline(always)]
    pub(crate) fn find_touching_at_end(&mut self, slid: SlideResult, surfaces: &mut Surfaces) {
        if slid.clear {
            surfaces.clear();
        } else {
            self.find_touching(slid.position, surfaces);
        }
    }

    /// Finds the surfaces that the shape touches at the end of a slide. If the shape is wedged there, adds all surfaces
    /// that hold it.
    ///
    /// A circle in a narrow gap moves from side to side by less and less. It stops within some hundred units of the
    /// other side, which counts as held.
    pub(crate) fn find_touching_when_wedged(&mut self, slid: SlideResult, start: Position, surfaces: &mut Surfaces) {
        self.find_touching_at_end(slid, surfaces);
        if slid.stopped && slid.position == start {
            self.add_held_surfaces(surfaces);
        }
    }

    /// Finds the surfaces that the shape touches at the end of a slide, and adds those that stopped it.
    ///
    /// A box does not touch the end of an axis-aligned face on which its corner stands. A circle in a narrow gap stops
    /// before the other side.
    pub(crate) fn find_touching_and_stopping(&mut self, slid: SlideResult, surfaces: &mut Surfaces) {
        self.find_touching_at_end(slid, surfaces);
        if !slid.clear {
            self.add_held_surfaces(surfaces);
        }
    }

    /// Adds the straight floors that the last slide hit to a list. A box that lands with its corner on the end of a
    /// floor does not touch that floor yet, but continues along it.
    pub(crate) fn add_floors_hit(&self, surfaces: &mut Surfaces) {
        for surface in &self.scratch.held {
            let is_floor = surface.is_flat() && self.scene.frame.is_floor(surface.piece.normal.as_i64vec2());
            if is_floor && !surfaces.contains(surface) {
                surfaces.push(*surface);
            }
        }
    }

    /// Returns the part of a motion up to the first impact, and holds the surfaces hit there.
    pub(crate) fn find_part_to_impact(&mut self, start: Position, motion: I64Vec2) -> Part {
        self.scratch.held.clear();
        if motion == I64Vec2::ZERO {
            return Part { displacement: motion, toi: None };
        }
        let part = self.find_free_part(start, Course::Free(motion));
        if part.toi.is_some() {
            self.update_held_surfaces(start + part.displacement, part.displacement);
        }
        part
    }

    /// Returns the impact that [`Probe::find_part_to_impact`] found last.
    pub(crate) fn last_impact(&self, toi: f64, position: Position) -> Impact<'_> {
        Impact { toi, position, struck: self.hits(), held: &self.scratch.held }
    }

    /// Forgets the surfaces that the shape bounced off.
    pub(crate) fn clear_bounced_surfaces(&mut self) {
        self.scratch.bounced.clear();
    }

    /// Remembers the surfaces that the last slide hit as those that the shape bounced off.
    pub(crate) fn record_hits_as_bounced(&mut self) {
        let Scratch { held, bounced, .. } = &mut *self.scratch;
        for surface in held {
            if !bounced.contains(surface) {
                bounced.push(*surface);
            }
        }
    }

    /// Surfaces that the shape bounced off since they were last forgotten.
    pub(crate) fn surfaces_bounced_off(&self) -> &[Surface] {
        &self.scratch.bounced
    }

    /// Adds the surfaces held at the end of the last slide to a list.
    pub(super) fn add_held_surfaces(&self, surfaces: &mut Surfaces) {
        for surface in &self.scratch.held {
            if !surfaces.contains(surface) {
                surfaces.push(*surface);
            }
        }
    }

    /// Holds the surfaces just hit, and keeps the held surfaces that the shape still touches.
    pub(super) fn update_held_surfaces(&mut self, position: Position, part: I64Vec2) {
        let slack = distance_lifted_off_arc(self.shape, part);
        let mut now = std::mem::take(&mut self.scratch.spare);
        now.clear();
        now.extend_from_slice(self.hits());
        for surface in &self.scratch.held {
            if surface.is_of_body() {
                // The normal of a round body depends on the position of the shape, so store the surface again as it
                // is now.
                let is_new = now.iter().all(|known| known.owner != surface.owner);
                now.extend(if is_new {
                    self.scene.touched_surface_of_body(surface.owner, self.shape, position)
                } else {
                    None
                });
            } else if !now.contains(surface) && surface.is_still_touched(self.shape, position, slack) {
                now.push(*surface);
            }
        }
        self.scratch.spare = std::mem::replace(&mut self.scratch.held, now);
    }

    /// Returns the end position of a stopped shape: its start if several surfaces stopped it and it has hardly moved.
    fn move_back_if_wedged(&mut self, start: Position, position: Position, path: &mut Path) -> Position {
        let back = start - position;
        if back == I64Vec2::ZERO
            || self.scratch.held.len() < 2
            || back.abs().max_element() > tolerance::MAX_SETTLE_UNITS
        {
            return position;
        }
        if self.cast_keeping_last_hits(position, back).is_some() || !self.is_clear_of_bodies(position, back) {
            return position;
        }
        path.push(start);
        start
    }
}

/// Returns how far a slide by m along an arc's tangent lifts a circle off the arc, in units: |m|^2 / 2r, plus a margin.
pub(super) fn distance_lifted_off_arc(shape: Shape, part: I64Vec2) -> f64 {
    if shape.is_circle() {
        part.as_dvec2().length_squared() / (tolerance::ARC_GAP_FACTOR * shape.half_units().x as f64)
    } else {
        0.0
    }
}

/// Chooses the slide that goes furthest along the remaining motion and points into none of the surfaces.
fn choose_slide(held: &[Surface], position: Position, rest: I64Vec2) -> SlideChoice {
    let into = |surface: &Surface, v: I64Vec2| wide_dot(surface.normal(position), v) < 0 && !surface.lets_pass(v);
    let mut best: Option<(i128, Course)> = None;
    let mut tied = false;
    let mut blocked = false;
    for surface in held {
        if !into(surface, rest) {
            continue;
        }
        blocked = true;
        let normal = surface.normal(position);
        let course = if surface.is_flat() {
            course_along_surface(normal, rest)
        } else {
            Course::Free(displacement_along_arc(normal, rest))
        };
        let displacement = course.displacement();
        if held.iter().any(|other| other != surface && into(other, displacement)) {
            continue;
        }
        let gain = wide_dot(displacement, rest);
        match &best {
            Some((most, chosen)) if gain == *most => tied |= chosen.displacement() != displacement,
            Some((most, _)) if gain < *most => {}
            _ => (best, tied) = (Some((gain, course)), false),
        }
    }
    match best {
        _ if !blocked => SlideChoice::Go(Course::Free(rest)),
        Some((_, course)) if !tied => SlideChoice::Go(course),
        _ => SlideChoice::Stop,
    }
}

/// Returns how surfaces redirect a displacement. `None` if they stop it.
pub(crate) fn course_along_surfaces(held: &[Surface], position: Position, rest: I64Vec2) -> Option<Course> {
    match choose_slide(held, position, rest) {
        SlideChoice::Go(course) => Some(course),
        SlideChoice::Stop => None,
    }
}

/// Returns a displacement along an arc's tangent, rounded so that it does not point into the arc.
pub(crate) fn displacement_along_arc(offset: I64Vec2, rest: I64Vec2) -> I64Vec2 {
    let (normal, motion) = (offset.as_dvec2(), rest.as_dvec2());
    let way = motion - normal * (normal.dot(motion) / normal.length_squared());
    let mut way = I64Vec2::new(way.x as i64, way.y as i64);
    let push = if offset.x.abs() > offset.y.abs() {
        I64Vec2::new(offset.x.signum(), 0)
    } else if offset.x.abs() < offset.y.abs() {
        I64Vec2::new(0, offset.y.signum())
    } else {
        offset.signum()
    };
    while wide_dot(offset, way) < 0 {
        way += push;
    }
    way
}

/// Returns whether surfaces stop every motion in that direction.
pub(crate) fn is_stopped_by(held: &[Surface], position: Position, motion: I64Vec2) -> bool {
    matches!(choose_slide(held, position, motion), SlideChoice::Stop)
}

/// Projects a velocity on surfaces, by the same choice as for displacements. In tiles per second.
pub(crate) fn project_velocity(held: &[Surface], position: Position, velocity: DVec2) -> DVec2 {
    let mut best: Option<(f64, DVec2)> = None;
    let mut tied = false;
    let mut blocked = false;
    for surface in held {
        let normal = surface.normal(position).as_dvec2();
        if normal.dot(velocity) >= 0.0 || surface.is_velocity_let_through(velocity) {
            continue;
        }
        blocked = true;
        let tangent = DVec2::new(normal.y, -normal.x);
        let amount = velocity.dot(tangent) / tangent.length_squared();
        // Test the direction instead of the velocity, so that rounding of the speed does not affect the tests.
        let direction = tangent * amount.signum();
        if amount != 0.0 && held.iter().any(|other| other.is_against(position, direction)) {
            continue;
        }
        let slid_velocity = tangent * amount;
        let gain = slid_velocity.dot(velocity);
        match best {
            Some((most, chosen)) if gain == most => tied |= chosen != slid_velocity,
            Some((most, _)) if gain < most => {}
            _ => (best, tied) = (Some((gain, slid_velocity)), false),
        }
    }
    match best {
        _ if !blocked => velocity,
        Some((_, way)) if !tied => way,
        _ => DVec2::ZERO,
    }
}

impl Scene<'_> {
    /// Projects a velocity on surfaces, each seen from the platform that it belongs to.
    #[inline]
    pub(crate) fn clip_velocity(&self, held: &[Surface], position: Position, velocity: DVec2) -> DVec2 {
        if self.around.has_platforms() && self.around.may_any_surface_move(held) {
            return self.clip_velocity_among_platforms(held, position, velocity);
        }
        project_velocity(held, position, velocity)
    }

    #[inline(never)]
    fn clip_velocity_among_platforms(&self, held: &[Surface], position: Position, velocity: DVec2) -> DVec2 {
        let of = |surface: &Surface| self.around.velocity(surface.owner);
        let first = held.first().map_or(DVec2::ZERO, of);
        if held.iter().all(|surface| of(surface) == first) {
            return if first == DVec2::ZERO {
                project_velocity(held, position, velocity)
            } else {
                project_velocity(held, position, velocity - first) + first
            };
        }
        let held = held.iter().filter(|surface| !surface.is_velocity_let_through(velocity - of(surface)));
        let limits: SmallVec<[(DVec2, DVec2); 4]> =
            held.map(|surface| (surface.normal(position).as_dvec2(), of(surface))).collect();
        project_out_of_surfaces(velocity, &limits, 0.0)
    }

    /// Returns a velocity relative to the platform that a surface belongs to.
    #[inline]
    pub(crate) fn velocity_relative_to(&self, surface: &Surface, velocity: DVec2) -> DVec2 {
        if self.around.has_platforms() { velocity - self.around.velocity(surface.owner) } else { velocity }
    }
}

/// Returns whether a direction points into a surface by more than rounding.
pub(crate) fn points_into(normal: DVec2, direction: DVec2) -> bool {
    let into = normal.dot(direction);
    // Compute the square roots only if they matter.
    into < 0.0 && into < -tolerance::MAX_ALONG_COSINE * normal.length() * direction.length()
}

/// Returns the velocity nearest to `velocity` that points into none of some surfaces, which are given by normals and
/// velocities. A single surface reflects the part `bounce` of the speed into it.
pub(crate) fn project_out_of_surfaces(velocity: DVec2, limits: &[(DVec2, DVec2)], bounce: f64) -> DVec2 {
    let leads_into = |&(normal, of): &(DVec2, DVec2), v: DVec2| points_into(normal, v - of);
    let into = || limits.iter().filter(|limit| leads_into(limit, velocity));
    let mut best: Option<(f64, DVec2)> = None;
    let mut tied = None;
    let mut offer = |found: DVec2| {
        if limits.iter().any(|limit| leads_into(limit, found)) {
            return;
        }
        let off = (found - velocity).length_squared();
        match best {
            // Equal except for rounding: the order must not affect the result.
            Some((least, chosen)) if (off - least).abs() <= tolerance::EQUAL_VELOCITY_FRACTION * least => {
                let (low, high): (DVec2, DVec2) = tied.unwrap_or((chosen, chosen));
                tied = Some((low.min(found), high.max(found)));
            }
            Some((least, _)) if off > least => {}
            _ => (best, tied) = (Some((off, found)), None),
        }
    };
    if into().next().is_none() {
        return velocity;
    }
    let longest = limits.iter().map(|(_, of)| of.length_squared()).fold(velocity.length_squared(), f64::max);
    let most = longest * (tolerance::MAX_SQUEEZE_FACTOR * tolerance::MAX_SQUEEZE_FACTOR) as f64;
    for (normal, of) in into() {
        let speed = normal.dot(velocity - *of) / normal.length_squared();
        offer(velocity - *normal * speed * (1.0 + bounce));
    }
    for (i, (n, v)) in limits.iter().enumerate() {
        for (m, w) in &limits[i + 1..] {
            let (a, b, across) = (n.dot(*v), m.dot(*w), n.perp_dot(*m));
            let found = DVec2::new(a * m.y - b * n.y, b * n.x - a * m.x) / across;
            // The velocity along both of two nearly parallel surfaces may be very high. Do not accelerate a body to it.
            if across != 0.0 && found.length_squared() <= most {
                offer(found);
            }
        }
    }
    match (best, tied) {
        (Some(_), Some((low, high))) => (low + high) / 2.0,
        (Some((_, one)), None) => one,
        (None, _) => velocity,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A floor rises at 1. A ceiling descends at 1, with a normal that leans by 1 in `steep`. The velocity that just
    /// follows both is (2 steep, 1).
    #[test]
    fn nearly_parallel_surfaces_shoot_nothing_out() {
        for (steep, expected) in [(2.0, DVec2::new(4.0, 1.0)), (16.0, DVec2::ZERO)] {
            let limits = [(DVec2::Y, DVec2::Y), (DVec2::new(1.0, -steep), DVec2::NEG_Y)];
            assert_eq!(project_out_of_surfaces(DVec2::ZERO, &limits, 0.0), expected, "{steep}");
        }
    }
}

//! Sliding: what the surfaces that a shape runs into leave of its motion.
//!
//! 1. Cast what is left of the motion and go to the earliest hit.
//! 2. Hold every surface hit then, and of those held before the ones that are still touched.
//! 3. Take what is left of the original motion. Of the slides along the held surfaces that lead into none of the
//!    others, choose the one that goes furthest. Without any, or with two equal ones, the slide ends.
//! 4. Begin again, at most [`tolerance::SLIDE_ROUNDS`] times.
//!
//! Step 3 projects the original motion. Projecting a motion that was projected already makes circles tremble in
//! notches.

use super::advance::{Course, Part, along, truncated};
use super::cast::{Probe, Scene, Scratch};
use super::surface::Surface;
use super::trace::{Trace, Untraced};
use super::{Path, Shape, Surfaces, tolerance};
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::Position;
use surefoot_geometry::exact::wide_dot;

/// One round of a move that ended at surfaces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Impact<'a> {
    /// How much of the whole motion was made before, in [0, 1].
    pub(crate) toi: f64,
    /// Where the shape was.
    pub(crate) position: Position,
    /// What it ran into.
    pub(crate) struck: &'a [Surface],
    /// What it ran into, and what it still held from before.
    pub(crate) held: &'a [Surface],
}

/// Where a slide ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slid {
    pub(crate) position: Position,
    /// How much of the whole motion was made at the last impact, in [0, 1].
    pub(crate) made: f64,
    /// Several surfaces left nothing of the motion: the body has no velocity either.
    pub(crate) stopped: bool,
    /// The surfaces held last left nothing of a motion that was left: the shape is where they stopped it.
    pub(crate) halted: bool,
    /// The whole motion was made and nothing is touched at its end, as is known already.
    clear: bool,
}

/// A slide that begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slide {
    /// Where the move began. A shape that surfaces stop near this position is put back to it.
    start: Position,
    position: Position,
    motion: I64Vec2,
}

impl Slide {
    pub(crate) fn new(start: Position, motion: I64Vec2) -> Slide {
        Slide { start, position: start, motion }
    }

    /// A slide from a position on, of a move that began at `start`.
    pub(crate) fn from(start: Position, position: Position, motion: I64Vec2) -> Slide {
        Slide { start, position, motion }
    }

    /// Where the move began.
    pub(crate) fn start(&self) -> Position {
        self.start
    }
}

/// What surfaces leave of a displacement.
enum Choice {
    Go(Course),
    Stop,
}

impl Probe<'_> {
    /// Moves the shape by a displacement, sliding along what it hits, and puts each straight part into `path`.
    ///
    /// What is left of the original motion is taken against all surfaces held at once, a bounded number of times. Each
    /// impact may be looked at, and has a say in the motion left.
    #[inline(always)]
    pub(crate) fn slide(
        &mut self,
        start: Position,
        motion: I64Vec2,
        path: &mut Path,
        redirect: impl FnMut(&Impact<'_>, I64Vec2) -> I64Vec2,
    ) -> Slid {
        self.slide_on(Slide::new(start, motion), path, Untraced, redirect)
    }

    /// Makes a slide.
    #[inline(always)]
    pub(crate) fn slide_on<T: Trace>(
        &mut self,
        slide: Slide,
        path: &mut Path,
        trace: T,
        redirect: impl FnMut(&Impact<'_>, I64Vec2) -> I64Vec2,
    ) -> Slid {
        let Slide { position: start, motion, .. } = slide;
        if !T::RECORDS && self.is_clear(start, motion) {
            if motion != I64Vec2::ZERO {
                path.push(start + motion);
            }
            return Slid { position: start + motion, made: 1.0, stopped: false, halted: false, clear: true };
        }
        self.slide_among(slide, path, trace, redirect)
    }

    /// Slides among pieces that the shape may meet.
    #[inline(never)]
    pub(crate) fn slide_among<T: Trace>(
        &mut self,
        slide: Slide,
        path: &mut Path,
        trace: T,
        mut redirect: impl FnMut(&Impact<'_>, I64Vec2) -> I64Vec2,
    ) -> Slid {
        self.near.invalidate();
        let Slide { start, mut position, motion: mut rest } = slide;
        let (mut course, mut made, mut halted) = (Course::Free(rest), 0.0, false);
        self.scratch.held.clear();
        for _ in 0..tolerance::SLIDE_ROUNDS {
            if course.displacement() == I64Vec2::ZERO {
                break;
            }
            let Part { displacement: part, toi } = self.look_ahead(position, course);
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
            rest = if course == Course::Free(rest) { rest - part } else { truncated(rest, 1.0 - toi) };
            made = time;
            self.hold(position, part);
            let impact = Impact { toi: made, position, struck: self.hits(), held: &self.scratch.held };
            rest = redirect(&impact, rest);
            halted = rest != I64Vec2::ZERO;
            match choose(&self.scratch.held, position, rest) {
                Choice::Go(next) => course = next,
                Choice::Stop => {
                    let stopped = self.scratch.held.len() > 1;
                    let position = self.settled(start, position, path);
                    return Slid { position, made, stopped, halted, clear: false };
                }
            }
        }
        Slid { position, made, stopped: false, halted, clear: false }
    }

    /// What the shape touches where a slide has ended.
    #[inline(always)]
    pub(crate) fn touching_end(&mut self, slid: Slid, surfaces: &mut Surfaces) {
        if slid.clear {
            surfaces.clear();
        } else {
            self.touching(slid.position, surfaces);
        }
    }

    /// What the shape touches where a slide has ended, and if it is wedged there, all that holds it: a circle in a narrow
    /// mouth goes from side to side by less and less, and stops within some hundred units of the other side.
    pub(crate) fn touching_after(&mut self, slid: Slid, start: Position, surfaces: &mut Surfaces) {
        self.touching_end(slid, surfaces);
        if slid.stopped && slid.position == start {
            self.add_held(surfaces);
        }
    }

    /// What the shape touches where surfaces have stopped it, and these surfaces: a box does not touch the end of an
    /// axis-aligned face on which its corner stands, and a circle in a narrow mouth stops short of the other side.
    pub(crate) fn touching_what_stopped(&mut self, slid: Slid, surfaces: &mut Surfaces) {
        self.touching_end(slid, surfaces);
        if !slid.clear {
            self.add_held(surfaces);
        }
    }

    /// Adds the straight floors that the last slide ran into to a list: a box that lands with its corner on the end of a
    /// floor does not touch it yet, and goes on along it.
    pub(crate) fn add_floors_held(&self, surfaces: &mut Surfaces) {
        for surface in &self.scratch.held {
            let is_floor = surface.is_flat() && self.scene.frame.is_floor(surface.piece.normal.as_i64vec2());
            if is_floor && !surfaces.contains(surface) {
                surfaces.push(*surface);
            }
        }
    }

    /// How far the shape comes on a motion that ends at the first impact, and holds what it meets there.
    pub(crate) fn look_to_impact(&mut self, start: Position, motion: I64Vec2) -> Part {
        self.near.invalidate();
        self.scratch.held.clear();
        if motion == I64Vec2::ZERO {
            return Part { displacement: motion, toi: None };
        }
        let part = self.look_ahead(start, Course::Free(motion));
        if part.toi.is_some() {
            self.hold(start + part.displacement, part.displacement);
        }
        part
    }

    /// The impact to which [`Probe::look_to_impact`] has looked last.
    pub(crate) fn impact(&self, toi: f64, position: Position) -> Impact<'_> {
        Impact { toi, position, struck: self.hits(), held: &self.scratch.held }
    }

    /// Forgets what the shape has bounced off.
    pub(crate) fn discard_bounces(&mut self) {
        self.scratch.bounced.clear();
    }

    /// Remembers what the last slide ran into as what the shape has bounced off.
    pub(crate) fn remember_bounce(&mut self) {
        let Scratch { held, bounced, .. } = &mut *self.scratch;
        for surface in held {
            if !bounced.contains(surface) {
                bounced.push(*surface);
            }
        }
    }

    /// What the shape has bounced off since that was last forgotten.
    pub(crate) fn bounced_off(&self) -> &[Surface] {
        &self.scratch.bounced
    }

    /// Adds the surfaces held at the end of the last slide to a list.
    fn add_held(&self, surfaces: &mut Surfaces) {
        for surface in &self.scratch.held {
            if !surfaces.contains(surface) {
                surfaces.push(*surface);
            }
        }
    }

    /// Makes what was hit, and of what was held before what is still touched, the surfaces held.
    pub(super) fn hold(&mut self, position: Position, part: I64Vec2) {
        let slack = arc_slack(self.shape, part);
        let mut now = std::mem::take(&mut self.scratch.spare);
        now.clear();
        now.extend_from_slice(self.hits());
        for surface in &self.scratch.held {
            if !now.contains(surface) && surface.holds(self.shape, position, slack) {
                now.push(*surface);
            }
        }
        self.scratch.spare = std::mem::replace(&mut self.scratch.held, now);
    }

    /// Where a shape ends that surfaces have stopped: if several did and it has hardly moved, where it began.
    fn settled(&mut self, start: Position, position: Position, path: &mut Path) -> Position {
        let back = start - position;
        if back == I64Vec2::ZERO || self.scratch.held.len() < 2 || back.abs().max_element() > tolerance::SETTLE {
            return position;
        }
        if self.recast(position, back).is_some() {
            return position;
        }
        path.push(start);
        start
    }
}

/// How far a slide by m along an arc's tangent lifts a circle off the arc, in units: |m|^2 / 2r, with a little room.
pub(super) fn arc_slack(shape: Shape, part: I64Vec2) -> f64 {
    if shape.is_circle() {
        part.as_dvec2().length_squared() / (tolerance::ARC_LIFT * shape.half_units().x as f64)
    } else {
        0.0
    }
}

/// The slide that goes furthest along what is left of the motion and into none of the surfaces.
fn choose(held: &[Surface], position: Position, rest: I64Vec2) -> Choice {
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
        let course = if surface.is_flat() { along(normal, rest) } else { Course::Free(along_arc(normal, rest)) };
        let way = course.displacement();
        if held.iter().any(|other| other != surface && into(other, way)) {
            continue;
        }
        let gain = wide_dot(way, rest);
        match &best {
            Some((most, chosen)) if gain == *most => tied |= chosen.displacement() != way,
            Some((most, _)) if gain < *most => {}
            _ => (best, tied) = (Some((gain, course)), false),
        }
    }
    match best {
        _ if !blocked => Choice::Go(Course::Free(rest)),
        Some((_, course)) if !tied => Choice::Go(course),
        _ => Choice::Stop,
    }
}

/// What surfaces leave of a displacement; `None` if they stop it.
pub(crate) fn slide_course(held: &[Surface], position: Position, rest: I64Vec2) -> Option<Course> {
    match choose(held, position, rest) {
        Choice::Go(course) => Some(course),
        Choice::Stop => None,
    }
}

/// A displacement along an arc's tangent, rounded so that it does not lead into the arc.
pub(crate) fn along_arc(offset: I64Vec2, rest: I64Vec2) -> I64Vec2 {
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

/// Whether surfaces leave nothing of any motion that way.
pub(crate) fn stops(held: &[Surface], position: Position, way: I64Vec2) -> bool {
    matches!(choose(held, position, way), Choice::Stop)
}

/// What surfaces leave of a velocity, by the same choice as for displacements; tiles per second.
pub(crate) fn clip(held: &[Surface], position: Position, velocity: DVec2) -> DVec2 {
    let mut best: Option<(f64, DVec2)> = None;
    let mut tied = false;
    let mut blocked = false;
    for surface in held {
        let normal = surface.normal(position).as_dvec2();
        if normal.dot(velocity) >= 0.0 || surface.lets_pass_by(velocity) {
            continue;
        }
        blocked = true;
        let tangent = DVec2::new(normal.y, -normal.x);
        let amount = velocity.dot(tangent) / tangent.length_squared();
        // A sign of its own, so that surfaces are asked about directions and not about roundings of lengths.
        let direction = tangent * amount.signum();
        if amount != 0.0 && held.iter().any(|other| other.is_against(position, direction)) {
            continue;
        }
        let way = tangent * amount;
        let gain = way.dot(velocity);
        match best {
            Some((most, chosen)) if gain == most => tied |= chosen != way,
            Some((most, _)) if gain < most => {}
            _ => (best, tied) = (Some((gain, way)), false),
        }
    }
    match best {
        _ if !blocked => velocity,
        Some((_, way)) if !tied => way,
        _ => DVec2::ZERO,
    }
}

impl Scene<'_> {
    /// What surfaces leave of a velocity, each seen from the platform that it belongs to.
    #[inline]
    pub(crate) fn clip(&self, held: &[Surface], position: Position, velocity: DVec2) -> DVec2 {
        if self.around.has_platforms() && self.around.moves_any(held) {
            return self.clip_among_platforms(held, position, velocity);
        }
        clip(held, position, velocity)
    }

    #[inline(never)]
    fn clip_among_platforms(&self, held: &[Surface], position: Position, velocity: DVec2) -> DVec2 {
        let of = |surface: &Surface| self.around.velocity(surface.owner);
        let first = held.first().map_or(DVec2::ZERO, of);
        if held.iter().all(|surface| of(surface) == first) {
            return if first == DVec2::ZERO {
                clip(held, position, velocity)
            } else {
                clip(held, position, velocity - first) + first
            };
        }
        let held = held.iter().filter(|surface| !surface.lets_pass_by(velocity - of(surface)));
        let limits: SmallVec<[(DVec2, DVec2); 4]> =
            held.map(|surface| (surface.normal(position).as_dvec2(), of(surface))).collect();
        raise(velocity, &limits, 0.0)
    }

    /// A velocity as it is seen from the platform that a surface belongs to.
    #[inline]
    pub(crate) fn seen_velocity(&self, surface: &Surface, velocity: DVec2) -> DVec2 {
        if self.around.has_platforms() { velocity - self.around.velocity(surface.owner) } else { velocity }
    }
}

/// Whether a direction leads into a surface by more than rounding.
pub(crate) fn points_into(normal: DVec2, direction: DVec2) -> bool {
    let into = normal.dot(direction);
    // The roots are asked for only where they matter.
    into < 0.0 && into < -tolerance::ALONG * normal.length() * direction.length()
}

/// The velocity nearest to one that leads into none of some surfaces, told by their normals and velocities; thrown back by a
/// single one with a part of the speed into it.
pub(crate) fn raise(velocity: DVec2, limits: &[(DVec2, DVec2)], bounce: f64) -> DVec2 {
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
            // Equal but for rounding: which was found first must not show.
            Some((least, chosen)) if (off - least).abs() <= tolerance::NEARLY * least => {
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
    let most = longest * (tolerance::SQUEEZE * tolerance::SQUEEZE) as f64;
    for (normal, of) in into() {
        let speed = normal.dot(velocity - *of) / normal.length_squared();
        offer(velocity - *normal * speed * (1.0 + bounce));
    }
    for (i, (n, v)) in limits.iter().enumerate() {
        for (m, w) in &limits[i + 1..] {
            let (a, b, across) = (n.dot(*v), m.dot(*w), n.perp_dot(*m));
            let found = DVec2::new(a * m.y - b * n.y, b * n.x - a * m.x) / across;
            // Nearly parallel surfaces shoot nothing out.
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

    /// A floor that rises at 1 and a ceiling that comes down at 1, its normal aside by one in `steep`: where both are just
    /// kept to is (2 steep, 1).
    #[test]
    fn nearly_parallel_surfaces_shoot_nothing_out() {
        for (steep, expected) in [(2.0, DVec2::new(4.0, 1.0)), (16.0, DVec2::ZERO)] {
            let limits = [(DVec2::Y, DVec2::Y), (DVec2::new(1.0, -steep), DVec2::NEG_Y)];
            assert_eq!(raise(DVec2::ZERO, &limits, 0.0), expected, "{steep}");
        }
    }
}

//! Moves past a list of solid bodies, for a [`Mover`] with obstacles.
//!
//! A part of a path is first moved against terrain and platforms, as if there were no bodies. It is then swept
//! against the bodies and ends at the first one: exactly where flat sides touch, else in whole units before the body.
//! A hit body gives a [`Surface`] like a tile, so one rule decides how the motion continues.
//!
//! Before a part is made, a sweep of its rounded form must hit nothing. So no shape comes to overlap a body. A body
//! that the shape overlaps at the start of a part does not stop it.
//!
//! A walk consists of legs, which are straight parts along one floor. A leg on the flat top of a body goes to the end
//! of that top. A leg on a floor of tiles goes up to the first body. If neither supports the shape, the walk goes
//! straight on.

use super::advance::{Approach, Course, Part, truncated_fraction_of, unit_along_face};
use super::cast::{Probe, Scene};
use super::memory::{slide_and_record, walk_on_tiles};
use super::mover::HitTarget;
use super::surface::Surface;
use super::walk::{WalkEnd, round_to_nearest};
use super::{CastHit, Contact, MoveResult, Mover, Owner, Path, Shape, Surfaces, Touch, tolerance};
use crate::query::BodyContact;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::exact::{PairHit, tangent};
use surefoot_geometry::{ONE, Position};

impl Mover<'_> {
    /// Returns the first obstacle body that a shape hits before the time `known`.
    pub(super) fn first_body_hit(
        &self,
        shape: Shape,
        from: Position,
        motion: I64Vec2,
        mut known: Option<f64>,
    ) -> Option<CastHit> {
        let mut first = None;
        for body in self.scene.around.bodies() {
            if let Some(toi) = body.1.time_of_hit_by(shape, from.units(), motion)
                && known.is_none_or(|known| toi < known)
            {
                (first, known) = (Some((toi, body)), Some(toi));
            }
        }
        let (toi, (other, body)) = first?;
        let position = body.position_at_hit(Some(self), shape, from, motion, toi);
        let (point, normal) = body.touch_point_and_direction(shape, position);
        Some(CastHit { toi, position, target: HitTarget::Body(BodyContact { other: *other, point, normal }) })
    }
}

impl<'a> Scene<'a> {
    /// Returns the contact with the body that a surface belongs to. `None` for a surface of a tile.
    pub(super) fn contact_with_body_of(
        &self,
        surface: &Surface,
        shape: Shape,
        position: Position,
    ) -> Option<BodyContact> {
        let (other, body) = self.around.body(surface.owner)?;
        let point = body.touch_point_and_direction(shape, position).0;
        Some(BodyContact { other: *other, point, normal: surface.unit_normal(position) })
    }

    /// Returns the surface of a body that a shape touches at a position.
    pub(super) fn touched_surface_of_body(&self, owner: Owner, shape: Shape, at: Position) -> Option<Surface> {
        self.around.body(owner)?.1.touched_side(owner, shape, at)
    }

    /// Returns the surfaces of the bodies that a shape touches at a position, in list order.
    pub(super) fn touched_surfaces_of_bodies(
        &self,
        shape: Shape,
        at: Position,
    ) -> impl Iterator<Item = Surface> + use<'a> {
        (0..).zip(self.around.bodies()).filter_map(move |(i, (_, body))| body.touched_side(Owner::Body(i), shape, at))
    }
}

impl Probe<'_> {
    /// Returns how far the shape can move along `course` among tiles and bodies. The surfaces that it hits are in
    /// [`Probe::hits`].
    #[inline(always)]
    pub(super) fn find_free_part_among_bodies(&mut self, position: Position, course: Course) -> Part {
        let part = self.find_free_part(position, course);
        if self.scene.around.has_bodies() { self.shorten_to_first_body(position, course, part) } else { part }
    }

    /// Returns the part of `course` up to the first tile or body. `part` is the part up to the first tile.
    #[inline(never)]
    fn shorten_to_first_body(&mut self, position: Position, course: Course, part: Part) -> Part {
        if let (Part { displacement, toi: Some(toi) }, Course::Free(whole)) = (part, course)
            && let Some(rounded) = self.try_round_past_corner(position, displacement)
            && self.hits_on_bodies(position, whole).all(|(_, hit)| hit.toi >= toi)
        {
            return Part { displacement: rounded, toi: Some(toi) };
        }
        let cut = self.find_part_before_bodies(position, course.with_displacement(part.displacement));
        cut.map_or(part, |(displacement, toi)| Part { displacement, toi: Some(part.toi.unwrap_or(1.0) * toi) })
    }

    /// Returns the bodies that a straight motion hits, in list order.
    fn hits_on_bodies(&self, from: Position, motion: I64Vec2) -> impl Iterator<Item = (Owner, PairHit)> {
        let (shape, up) = (self.shape, self.scene.frame.up_axis());
        (0..).zip(self.scene.around.bodies()).filter_map(move |(i, (_, body))| {
            body.sweep_shape(shape, from.units(), motion, up).hit().map(|hit| (Owner::Body(i), hit))
        })
    }

    /// Returns whether a straight motion hits no body.
    pub(super) fn is_clear_of_bodies(&self, from: Position, motion: I64Vec2) -> bool {
        self.hits_on_bodies(from, motion).next().is_none()
    }

    /// Rounds a part of a free motion one unit further along the side of a body that it hits. Without rounding, the
    /// motion may pass the corner at the end of that side. `None` if the side is not flat, or if the part then still
    /// hits something.
    fn try_round_past_corner(&mut self, from: Position, part: I64Vec2) -> Option<I64Vec2> {
        let (_, hit) = self.hits_on_bodies(from, part).min_by(|a, b| a.1.toi.total_cmp(&b.1.toi))?;
        hit.flat?;
        let rounded = part + unit_along_face(hit.normal.as_i64vec2(), part);
        (self.is_clear_of_bodies(from, rounded) && self.cast_again(from, rounded).is_none()).then_some(rounded)
    }

    /// Returns the part of `course` up to the first body on it, and the time of impact as a fraction of `course`.
    /// [`Probe::hits`] then has the hit bodies. `None` if the course hits no body. The course must be free of tiles.
    #[inline(never)]
    fn find_part_before_bodies(&mut self, from: Position, course: Course) -> Option<(I64Vec2, f64)> {
        let displacement = course.displacement();
        let toi = self.hits_on_bodies(from, displacement).map(|(_, hit)| hit.toi).min_by(f64::total_cmp)?;
        let first: SmallVec<[(Owner, PairHit); 4]> =
            self.hits_on_bodies(from, displacement).filter(|(_, hit)| hit.toi == toi).collect();
        let mut part = truncated_fraction_of(displacement, toi);
        for (_, hit) in &first {
            if let Some(flat) = hit.flat {
                let normal = hit.normal.as_i64vec2();
                part = I64Vec2::select(normal.cmpeq(I64Vec2::ZERO), part, normal * -flat.num);
            }
        }
        let part = self.shorten_until_clear_of_bodies(from, course, part, toi);
        let (shape, around, hits) = (self.shape, &self.scene.around, &mut self.scratch.hits);
        hits.clear();
        let struck = first.iter().filter_map(|(owner, hit)| {
            Some(around.body(*owner)?.1.surface(*owner, shape, from + part, (hit.flat.is_some(), hit.normal)))
        });
        hits.surfaces.extend(struck);
        Some((part, toi))
    }

    /// Shortens a part of a course until it hits neither tiles nor bodies.
    fn shorten_until_clear_of_bodies(&mut self, from: Position, course: Course, part: I64Vec2, toi: f64) -> I64Vec2 {
        let displacement = course.displacement();
        let part = self.shorten_until_clear(from, Course::Free(displacement), part);
        if self.is_clear_of_bodies(from, part) {
            return part;
        }
        if let Course::Free(_) = course
            && let Some(rounded) = self.try_round_past_corner(from, part)
        {
            return rounded;
        }
        let longest = displacement.abs().max_element() as f64;
        let mut back = 1.0;
        for _ in 0..tolerance::MAX_SHORTENINGS {
            let part =
                self.shorten_until_clear(from, course, course.displacement_until((toi - back / longest).max(0.0)));
            if self.is_clear_of_bodies(from, part) {
                return part;
            }
            back *= tolerance::SHORTENING_GROWTH;
        }
        I64Vec2::ZERO
    }
}

/// A walk among bodies in progress.
pub(super) struct WalkPast<'w, 'a, 'm> {
    pub(super) probe: Probe<'w>,
    pub(super) moved: &'m mut MoveResult<'a>,
    /// Touched tiles, and a spare list for the next search.
    pub(super) touched: &'w mut Surfaces,
    pub(super) spare: &'w mut Surfaces,
    /// Remaining length of the walk, in units.
    length_left: f64,
    /// Horizontal walk direction, one unit long.
    direction: I64Vec2,
    sign: f64,
    /// Direction of the last leg, if it followed a floor.
    last_direction: Option<DVec2>,
    /// Remaining displacement in whole units, after the floor of tiles has ended.
    in_air: Option<I64Vec2>,
    /// Bodies that the last leg hit.
    stopped: Surfaces,
}

/// The next action after a leg of a walk.
#[derive(PartialEq)]
enum LegOutcome {
    Leg,
    /// The walk ends; the touched tiles must be found.
    End,
    /// The walk ends; the touched tiles are already found.
    EndWithTouched,
}

impl<'w, 'a, 'm> WalkPast<'w, 'a, 'm> {
    /// Prepares a walk of `length` tiles, to the right if positive.
    pub(super) fn new(
        probe: Probe<'w>,
        moved: &'m mut MoveResult<'a>,
        [touched, spare]: [&'w mut Surfaces; 2],
        length: f64,
    ) -> WalkPast<'w, 'a, 'm> {
        let sign = if length.is_sign_negative() { -1.0 } else { 1.0 };
        let (rest, way) = (length.abs() * ONE as f64, tangent(probe.scene.frame.up_axis()) * sign as i64);
        WalkPast {
            probe,
            moved,
            touched,
            spare,
            length_left: rest,
            direction: way,
            sign,
            last_direction: None,
            in_air: None,
            stopped: Surfaces::new(),
        }
    }

    /// Walks to the end, and returns the bodies that stopped the walk there. The list of touched tiles is then that of
    /// the end position.
    pub(super) fn walk(mut self) -> Surfaces {
        let mut next = LegOutcome::Leg;
        for _ in 0..tolerance::MAX_WALK_TURNS {
            if next != LegOutcome::Leg || self.length_left < tolerance::MIN_WALK_UNITS {
                break;
            }
            next = self.walk_next_straight_leg();
        }
        if next != LegOutcome::EndWithTouched {
            self.probe.find_touching(self.moved.position, self.touched);
        }
        self.stopped
    }

    /// Walks one straight part: along the tops of bodies, else over tiles, else straight on from a round body.
    fn walk_next_straight_leg(&mut self) -> LegOutcome {
        let (from, frame) = (self.moved.position, self.probe.scene.frame);
        self.probe.find_touching(from, self.touched);
        let bodies: Surfaces = self.probe.scene.touched_surfaces_of_bodies(self.probe.shape, from).collect();
        let stands_on_tiles = frame.has_floor(self.touched, from);
        if let Some(reach) = self.distance_supported_by_bodies(&bodies) {
            // Go one unit past the end of the body's top, so that the shape stands on the next floor at once.
            let steps = round_to_nearest(self.length_left).min(reach + 1);
            let course = Course::Along { tangent: self.direction, steps };
            let Part { displacement: part, .. } = self.probe.find_free_part_among_bodies(from, course);
            self.stopped.clear();
            self.stopped.extend(self.probe.hits().iter().filter(|surface| surface.is_of_body()).copied());
            if part != I64Vec2::ZERO {
                self.move_by_and_add_to_path(part);
                self.last_direction = Some(self.direction.as_dvec2());
                return LegOutcome::Leg;
            }
            if !self.stopped.is_empty() {
                return self.stop_at_or_slide_over_bodies();
            }
            // The shape has not moved, and no body stopped it. So a rising slope of tiles stopped it. Only a shape that
            // stands on a floor of tiles can climb such a slope.
            if !stands_on_tiles {
                self.report_tile_hits();
                return LegOutcome::End;
            }
        }
        if stands_on_tiles {
            return self.walk_next_leg_over_tiles();
        }
        let round = bodies.iter().any(|body| frame.is_floor(body.normal(from)));
        match self.last_direction.or_else(|| round.then(|| self.direction.as_dvec2())) {
            Some(heads) => self.walk_remaining_length_straight(heads),
            None => LegOutcome::End,
        }
    }

    /// Returns whether a surface of a body is a flat top.
    fn is_flat_top(&self, body: &Surface) -> bool {
        body.is_flat() && body.piece.normal.as_i64vec2() == self.probe.scene.frame.up_axis()
    }

    /// Returns how far the shape can move horizontally before no flat body top supports it any longer.
    fn distance_supported_by_bodies(&self, touched: &[Surface]) -> Option<i64> {
        let (probe, at, way) = (&self.probe, self.moved.position, self.direction);
        let tops = touched.iter().filter(|touched| self.is_flat_top(touched));
        tops.filter_map(|top| Some(probe.scene.around.body(top.owner)?.1.distance_over_flat_side(probe.shape, at, way)))
            .max()
    }

    /// Walks over tiles as without bodies, up to the first body.
    fn walk_next_leg_over_tiles(&mut self) -> LegOutcome {
        let from = self.moved.position;
        let (mut path, mut hits) = (Path::new(), SmallVec::<[Contact; 4]>::new());
        let mut touch = Touch::start_from(self.touched, self.spare);
        let length = self.sign * self.length_left / ONE as f64;
        let (_, end) = walk_on_tiles(&mut self.probe, from, length, &mut touch, (&mut path, &mut hits));
        if touch.is_refreshed() {
            std::mem::swap(self.touched, self.spare);
        }
        for to in path {
            let leg = to - self.moved.position;
            let cut = self.probe.find_part_before_bodies(self.moved.position, course_in_whole_steps(leg));
            self.stopped.clear();
            if let Some((part, _)) = cut {
                self.stopped.extend_from_slice(self.probe.hits());
                self.move_by_and_add_to_path(part);
                self.last_direction = Some(leg.as_dvec2().normalize());
                if self.moved.position != from && self.stopped.iter().any(|body| self.is_flat_top(body)) {
                    self.stopped.clear();
                    return LegOutcome::Leg;
                }
                return self.stop_at_or_slide_over_bodies();
            }
            self.move_by_and_add_to_path(leg);
        }
        self.moved.hits.extend(hits);
        let WalkEnd::InAir { rest, direction } = end else { return LegOutcome::EndWithTouched };
        (self.length_left, self.last_direction) = (rest.as_dvec2().length(), Some(direction * self.sign));
        self.in_air = Some(rest);
        LegOutcome::Leg
    }

    /// Ends the walk at the hit bodies. If all of them are round and count as floor there, slides on over them.
    fn stop_at_or_slide_over_bodies(&mut self) -> LegOutcome {
        let (position, scene, shape) = (self.moved.position, self.probe.scene, self.probe.shape);
        if self.stopped.iter().all(|body| !body.is_flat() && scene.frame.is_floor(body.normal(position))) {
            self.stopped.clear();
            return self.walk_remaining_length_straight(self.direction.as_dvec2());
        }
        let contacts = self.stopped.iter().filter_map(|body| scene.contact_with_body_of(body, shape, position));
        self.moved.body_hits.extend(contacts);
        LegOutcome::End
    }

    /// Moves the rest of the walk in a straight direction.
    fn walk_remaining_length_straight(&mut self, heads: DVec2) -> LegOutcome {
        let rest = self.in_air.unwrap_or_else(|| (heads * self.length_left).round().as_i64vec2());
        slide_and_record(&mut self.probe, self.moved, rest, self.touched);
        LegOutcome::EndWithTouched
    }

    /// Adds the tiles that stopped the last leg to the hits.
    fn report_tile_hits(&mut self) {
        let (scene, shape, at) = (self.probe.scene, self.probe.shape, self.moved.position);
        let walls = self.probe.hits().iter().filter(|surface| !scene.frame.is_floor_of(surface, at));
        self.moved.hits.extend(walls.map(|surface| Contact::new(scene, surface, shape, at)));
    }

    fn move_by_and_add_to_path(&mut self, part: I64Vec2) {
        if part != I64Vec2::ZERO {
            self.in_air = None;
            self.moved.position = self.moved.position + part;
            self.moved.path.push(self.moved.position);
            self.length_left = (self.length_left - part.as_dvec2().length()).max(0.0);
        }
    }
}

/// Converts a leg over tiles into whole steps of its direction, so that a shortened leg stays on the floor.
fn course_in_whole_steps(leg: I64Vec2) -> Course {
    let (mut a, mut b) = (leg.x.abs(), leg.y.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a == 0 { Course::Free(leg) } else { Course::Along { tangent: leg / a, steps: a } }
}
